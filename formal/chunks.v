(** * The triangular inverse of a chunk is integer and bounded, for every chunk

    Yang et al. 2024: C steps of the delta rule S -> (I - beta k k^T) S + beta k v^T are carried out together by
    T = (I + A)^-1, where A is the strictly lower triangular part of diag(beta) K K^T. Vectors with few bits make a
    kernel's outputs exact if T has few. Norms are squared here, so any ordered field will do.

    - [integer x]: x is an integer;
    - [chunk_matrix k beta], [chunk_inverse k beta]: A and T;
    - [moved k beta j s]: what the chunk has written by step s, if step j alone has the input 1;
    - [decay a], [entrywise D A]: the products of the gates between two steps; the product entry by entry. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import householder.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** Integers of a field *)

Section Integers.

Variable F : realFieldType.
Implicit Types x y : F.

Definition integer x := exists z : int, x = z%:~R.

Lemma integer_nat (m : nat) : integer m%:R.
Proof. by exists m%:Z; rewrite pmulrn. Qed.

Lemma integerN x : integer x -> integer (- x).
Proof. by case=> z ->; exists (- z); rewrite rmorphN. Qed.

Lemma integerD x y : integer x -> integer y -> integer (x + y).
Proof. by case=> z -> [w ->]; exists (z + w); rewrite rmorphD. Qed.

Lemma integerM x y : integer x -> integer y -> integer (x * y).
Proof. by case=> z -> [w ->]; exists (z * w); rewrite rmorphM. Qed.

Lemma integer_sum (I : finType) (P : pred I) (f : I -> F) :
  (forall i, P i -> integer (f i)) -> integer (\sum_(i | P i) f i).
Proof. by move=> f_int; elim/big_ind: _ => //; [exact: (integer_nat 0) | exact: integerD]. Qed.

(** One half is none. *)
Example half_is_no_integer : ~ integer (2%:R^-1 : F).
Proof.
case=> z z2; have : (2 * z)%:~R = 1%:~R :> F by rewrite rmorphM /= -z2 mulfV // pnatr_eq0.
by move/intr_inj=> /(congr1 (fun w => (w %% 2)%Z)); rewrite mulrC modzMl.
Qed.

End Integers.

(** ** The inverse *)

Section Chunk.

Variables (F : realFieldType) (C d : nat) (k : 'I_C -> 'rV[F]_d) (beta : 'I_C -> F).

(** beta_i <k_i, k_j> below the diagonal. *)
Definition chunk_matrix : 'M[F]_C := \matrix_(i, j) if (j < i)%N then beta i * dot (k i) (k j) else 0.

Definition chunk_inverse : 'M[F]_C := invmx (1%:M + chunk_matrix).

Local Notation A := chunk_matrix.
Local Notation T := chunk_inverse.

Lemma chunk_unit : 1%:M + A \in unitmx.
Proof.
have trig : is_trig_mx (1%:M + A).
  apply/is_trig_mxP=> i j ij; rewrite !mxE; have [e|_] := eqVneq i j; first by rewrite e ltnn in ij.
  by rewrite ltnNge (ltnW ij) addr0.
rewrite unitmxE (det_trig trig) big1 ?unitr1 // => i _.
by rewrite !mxE eqxx ltnn addr0.
Qed.

(** Forward substitution. *)
Lemma substitution i j : T i j = (i == j)%:R - \sum_(l < C | (l < i)%N) beta i * dot (k i) (k l) * T l j.
Proof.
have /matrixP/(_ i j) : (1%:M + A) *m T = 1%:M by rewrite mulmxV // chunk_unit.
rewrite mulmxDl mul1mx !mxE => <-; rewrite -addrA -[LHS]addr0; congr (_ + _).
apply/esym/eqP; rewrite subr_eq0 [eqbRHS]big_mkcond; apply/eqP/eq_bigr=> l _ /=.
by rewrite mxE; case: ifP; rewrite ?mul0r.
Qed.

Lemma strong_induction (P : 'I_C -> Prop) :
  (forall i : 'I_C, (forall l : 'I_C, (l < i)%N -> P l) -> P i) -> forall i, P i.
Proof.
move=> step i; have [m] := ubnP i; elim: m i => // m IH i; rewrite ltnS => im.
by apply: step => l li; apply: IH; apply: leq_trans im.
Qed.

Lemma inverse_triangular (i j : 'I_C) : (i < j)%N -> T i j = 0.
Proof.
move: i; apply: strong_induction => i IH ij; rewrite substitution -val_eqE ltn_eqF //= sub0r big1 ?oppr0 // => l li.
by rewrite IH ?mulr0 // (ltn_trans li).
Qed.

Lemma inverse_diagonal j : T j j = 1.
Proof. by rewrite substitution eqxx big1 ?subr0 // => l lj; rewrite inverse_triangular ?mulr0. Qed.

(** *** Integers stay integers *)

Lemma inverse_integer : (forall i j, integer (beta i * dot (k i) (k j))) -> forall i j, integer (T i j).
Proof.
move=> A_int i j; move: i; apply: strong_induction => i IH; rewrite substitution.
apply: integerD; first exact: integer_nat.
by apply/integerN/integer_sum=> l li; apply: integerM; [exact: A_int | exact: IH].
Qed.

(** *** What the chunk has written by step s, if step j alone has
    the input 1: k_j, moved by the steps from j + 1 to s - 1 *)

Definition moved (j : 'I_C) (s : nat) : 'rV[F]_d := \sum_(l < C | (l < s)%N) T l j *: k l.

Lemma dot_sumr v (P : pred 'I_C) (c : 'I_C -> F) : dot v (\sum_(l | P l) c l *: k l) = \sum_(l | P l) dot v (k l) * c l.
Proof.
rewrite /dot linear_sum mulmx_sumr summxE; apply: eq_bigr => l _.
by rewrite linearZ /= -scalemxAr mxE mulrC.
Qed.

Lemma read_moved i j s : beta i * dot (k i) (moved j s) = \sum_(l < C | (l < s)%N) beta i * dot (k i) (k l) * T l j.
Proof. by rewrite dot_sumr mulr_sumr; apply: eq_bigr => l _; rewrite mulrA. Qed.

Lemma inverse_reads i j : i != j -> T i j = - (beta i * dot (k i) (moved j i)).
Proof. by move=> /negPf ij; rewrite substitution ij sub0r read_moved. Qed.

Lemma moved_first (j : 'I_C) : moved j j.+1 = k j.
Proof.
rewrite /moved (bigD1 j) //= inverse_diagonal scale1r big1 ?addr0 // => l /andP[lj l_j].
by rewrite inverse_triangular ?scale0r // ltn_neqAle l_j -ltnS.
Qed.

Lemma moved_next (i j : 'I_C) : moved j i.+1 = moved j i + T i j *: k i.
Proof.
rewrite /moved (bigD1 i) //= addrC; congr (_ + _); apply: eq_bigl => l.
by rewrite ltnS andbC -ltn_neqAle.
Qed.

Lemma dotZr u v (c : F) : dot u (c *: v) = c * dot u (v : 'rV[F]_d).
Proof. by rewrite /dot linearZ /= -scalemxAr mxE. Qed.

Lemma dotDr u v w : dot w (u + v) = dot w u + dot w (v : 'rV[F]_d).
Proof. by rewrite /dot linearD /= mulmxDr mxE. Qed.

Lemma dot_square x v (c : F) :
  dot (x + c *: v) (x + c *: v) = dot x x + 2%:R * c * dot v x + c ^+ 2 * dot v (v : 'rV[F]_d).
Proof. by rewrite dotDr dotZr ![dot (x + _) _]dotC !dotDr !dotZr (dotC x v); ring. Qed.

Hypothesis beta_ge0 : forall i, 0 <= beta i.
Hypothesis beta_le2 : forall i, beta i * dot (k i) (k i) <= 2%:R.

(** No step lengthens it. *)
Lemma moved_shortens (i j : 'I_C) : (j < i)%N -> dot (moved j i.+1) (moved j i.+1) <= dot (moved j i) (moved j i).
Proof.
move=> ji; rewrite moved_next inverse_reads; last by rewrite -val_eqE gtn_eqF.
set x := moved j i; set r := dot (k i) x; set p := dot (k i) (k i).
have -> : dot (x + - (beta i * r) *: k i) (x + - (beta i * r) *: k i) = dot x x - beta i * r ^+ 2 * (2%:R - beta i * p).
  by rewrite dot_square -/r -/p; ring.
rewrite ler_subl_addr ler_addl; apply: mulr_ge0; first by rewrite mulr_ge0 ?sqr_ge0.
by rewrite subr_ge0; exact: beta_le2.
Qed.

Lemma moved_bounded (j : 'I_C) s : (j < s <= C)%N -> dot (moved j s) (moved j s) <= dot (k j) (k j).
Proof.
case/andP; elim: s => // s IH; rewrite ltnS leq_eqVlt => /orP[/eqP <- _|js sC]; first by rewrite moved_first.
by apply: le_trans (IH js (ltnW sC)); exact: (moved_shortens (i := Ordinal sC)).
Qed.

(** Cauchy, Schwarz: |q a - r b|^2 = q (p q - r^2). *)
Lemma cauchy_schwarz (a b : 'rV[F]_d) : dot a b ^+ 2 <= dot a a * dot b b.
Proof.
have [->|b0] := eqVneq b 0; first by rewrite /dot trmx0 !mulmx0 mxE expr0n mulr0.
have q0 : 0 < dot b b by rewrite lt_neqAle dot_ge0 andbT eq_sym dot_eq0.
set q := dot b b in q0 *; set r := dot a b; set p := dot a a; have := dot_ge0 (q *: a - r *: b).
have -> : dot (q *: a - r *: b) (q *: a - r *: b) = q * (p * q - r ^+ 2).
  by rewrite -scaleNr dot_square !dotZr (dotC (q *: a)) dotZr (dotC b) -/p -/q -/r; ring.
by rewrite pmulr_rge0 // subr_ge0.
Qed.

Lemma read_bounded (i j : 'I_C) s :
  (j < s <= C)%N -> (beta i * dot (k i) (moved j s)) ^+ 2 <= beta i ^+ 2 * dot (k i) (k i) * dot (k j) (k j).
Proof.
move=> js; rewrite exprMn -mulrA ler_wpmul2l ?sqr_ge0 //; apply: le_trans (cauchy_schwarz _ _) _.
by rewrite ler_wpmul2l ?dot_ge0 // moved_bounded.
Qed.

End Chunk.

(** ** Gates *)

(** D_ij = a_(j+1) ... a_i for j <= i, and 0 above the diagonal. *)
Definition decay (F : realFieldType) (C : nat) (a : 'I_C -> F) : 'M[F]_C :=
  \matrix_(i, j) if (j <= i)%N then \prod_(l < C | (j < l <= i)%N) a l else 0.

Definition entrywise (F : realFieldType) (C : nat) (D A : 'M[F]_C) : 'M[F]_C := \matrix_(i, j) (D i j * A i j).

Lemma decay_composes (F : realFieldType) (C : nat) (a : 'I_C -> F) (i l j : 'I_C) :
  (j <= l <= i)%N -> decay a i l * decay a l j = decay a i j.
Proof.
case/andP=> jl li; rewrite !mxE li jl (leq_trans jl li) mulrC [RHS](bigID (fun m : 'I_C => (m <= l)%N)) /=;
  congr (_ * _).
  apply: eq_bigl => m; have [ml|_] := leqP m l; rewrite ?andbF ?andbT //.
  by rewrite (leq_trans ml li) andbT.
apply: eq_bigl => m; have [ml|lm] := leqP m l; rewrite ?andbF ?andbT //=.
by rewrite (leq_ltn_trans jl lm).
Qed.

Lemma inverse_with_gates (F : realFieldType) (C d : nat) (k : 'I_C -> 'rV[F]_d) (beta a : 'I_C -> F) :
  invmx (1%:M + entrywise (decay a) (chunk_matrix k beta)) = entrywise (decay a) (chunk_inverse k beta).
Proof.
set A := chunk_matrix k beta; set T := chunk_inverse k beta; set D := decay a.
have DI (i : 'I_C) : D i i = 1.
  by rewrite mxE leqnn big1 // => l /andP[il li]; rewrite leqNgt il in li.
have one (i j : 'I_C) : D i j * (1%:M : 'M[F]_C) i j = (1%:M : 'M[F]_C) i j.
  by rewrite [(1%:M : 'M_C) i j]mxE; have [->|_] := eqVneq i j; rewrite ?DI ?mulr1 ?mulr0.
have e : (1%:M + entrywise D A) *m entrywise D T = 1%:M.
  apply/matrixP=> i j; have /matrixP/(_ i j) rows : (1%:M + A) *m T = 1%:M by rewrite mulmxV // chunk_unit.
  rewrite mxE in rows; rewrite -(one i j) -rows mxE mulr_sumr; apply: eq_bigr => l _.
  have -> : (1%:M + entrywise D A) i l = D i l * (1%:M + A) i l.
    by rewrite [LHS]mxE [(1%:M + A) i l]mxE mulrDr one; congr (_ + _); rewrite mxE.
  have [li|il] := leqP l i; last first.
    by rewrite [(1%:M + A) i l]mxE [(1%:M : 'M_C) i l]mxE [A i l]mxE -val_eqE ltn_eqF //
      ltnNge (ltnW il) addr0 mulr0 !mul0r mulr0.
  have [jl|lj] := leqP j l; last by rewrite [entrywise D T l j]mxE inverse_triangular // !mulr0.
  by rewrite [entrywise D T l j]mxE -(@decay_composes _ _ a i l j) ?jl // mulrACA.
have u : 1%:M + entrywise D A \in unitmx by case/mulmx1_unit: e.
by rewrite -[RHS](mulKmx u) e mulmx1.
Qed.

(** ** The theorem *)

Theorem chunk_inverse_is_integer_and_bounded (F : realFieldType) (C d : nat) (k : 'I_C -> 'rV[F]_d) (beta : 'I_C -> F) :
  (forall i, k i != 0) -> (forall i, 0 <= beta i) -> (forall i, beta i * dot (k i) (k i) <= 2%:R) ->
  (forall i j, integer (beta i * dot (k i) (k j))) ->
  let A := chunk_matrix k beta in
  let T := invmx (1%:M + A) in
  let bound i j := beta i ^+ 2 * dot (k i) (k i) * dot (k j) (k j) in
  [/\ (1%:M + A) *m T = 1%:M,
      forall i j, integer (T i j),
      forall i j : 'I_C, (j < i)%N -> T i j ^+ 2 <= bound i j <= 4%:R * dot (k j) (k j) / dot (k i) (k i),
      forall (i j : 'I_C) (s : nat), (j < s <= i)%N -> (\sum_(l < C | (j <= l < s)%N) A i l * T l j) ^+ 2 <= bound i j
    & forall a : 'I_C -> F, invmx (1%:M + entrywise (decay a) A) = entrywise (decay a) T].
Proof.
move=> k0 b0 b2 b_int A T bound; split.
- by rewrite mulmxV // chunk_unit.
- exact: inverse_integer.
- move=> i j ji; apply/andP; split.
    rewrite [T i j]inverse_reads; last by rewrite -val_eqE gtn_eqF.
    by rewrite sqrrN read_bounded // ji ltnW.
  have d0 : 0 < dot (k i) (k i) by rewrite lt_neqAle dot_ge0 andbT eq_sym dot_eq0.
  rewrite ler_pdivl_mulr //; have -> : bound i j * dot (k i) (k i) = (beta i * dot (k i) (k i)) ^+ 2 * dot (k j) (k j).
    by rewrite /bound; ring.
  have -> : 4%:R = 2%:R ^+ 2 :> F by rewrite -natrX.
  by rewrite ler_wpmul2r ?dot_ge0 // ler_expn2r ?nnegrE ?ler0n // mulr_ge0 ?dot_ge0.
- move=> i j s /andP[js si].
  have -> : \sum_(l < C | (j <= l < s)%N) A i l * T l j = beta i * dot (k i) (moved k beta j s).
    rewrite read_moved big_mkcond [RHS]big_mkcond; apply: eq_bigr => l _ /=.
    have [ls|_] := ltnP l s; rewrite ?andbF // andbT.
    rewrite mxE (leq_trans ls si); have [_ //|lj] := leqP j l.
    by rewrite inverse_triangular ?mulr0.
  by rewrite read_bounded // js (leq_trans si) // ltnW.
- by move=> a; exact: inverse_with_gates.
Qed.

(** ** Two hypotheses are needed: two equal keys of width 1 *)

Section TwoKeys.

Variables (F : realFieldType) (b : F).

Let k : 'I_2 -> 'rV[F]_1 := fun=> 1%:M.
Let beta : 'I_2 -> F := fun=> b.

Lemma dot_one : dot (1%:M : 'rV[F]_1) 1%:M = 1.
Proof. by rewrite /dot trmx1 mulmx1 mxE. Qed.

Lemma two_keys : chunk_inverse k beta 1 0 = - b.
Proof.
by rewrite substitution sub0r (big_pred1 0) ?inverse_diagonal /k ?dot_one ?mulr1 // => -[[|[|m]] lt].
Qed.

End TwoKeys.

(** beta |k|^2 = 3 is too much for the bound ... *)
Theorem not_chunk_inverse_is_bounded_up_to_three (F : realFieldType) : exists (k : 'I_2 -> 'rV[F]_1) (beta : 'I_2 -> F),
  [/\ forall i, k i != 0, forall i, 0 <= beta i <= 3%:R, forall i, beta i * dot (k i) (k i) <= 3%:R,
      forall i j, integer (beta i * dot (k i) (k j))
    & exists2 ij : 'I_2 * 'I_2, (ij.2 < ij.1)%N &
        ~ invmx (1%:M + chunk_matrix k beta) ij.1 ij.2 ^+ 2 <= 4%:R * dot (k ij.2) (k ij.2) / dot (k ij.1) (k ij.1)].
Proof.
exists (fun=> 1%:M), (fun=> 3%:R); split=> [i|i|i|i j|]; rewrite /= ?dot_one ?mulr1 ?lexx ?ler0n //.
- by apply/eqP=> /matrixP/(_ 0 0)/eqP; rewrite !mxE oner_eq0.
- exact: integer_nat.
exists (1, 0) => //=; rewrite -/(chunk_inverse _ _) two_keys divr1 sqrrN -natrX ler_nat.
by [].
Qed.

(** ... and with beta = 1/2 the inverse is not integer. *)
Theorem not_chunk_inverse_is_integer_for_all_strengths (F : realFieldType) :
  exists (k : 'I_2 -> 'rV[F]_1) (beta : 'I_2 -> F),
  [/\ forall i, k i != 0, forall i, 0 <= beta i, forall i, beta i * dot (k i) (k i) <= 2%:R
    & exists ij : 'I_2 * 'I_2, ~ integer (invmx (1%:M + chunk_matrix k beta) ij.1 ij.2)].
Proof.
exists (fun=> 1%:M), (fun=> 2%:R^-1); split=> [i|i|i|]; rewrite /= ?dot_one ?mulr1 ?invr_ge0 ?ler0n //.
- by apply/eqP=> /matrixP/(_ 0 0)/eqP; rewrite !mxE oner_eq0.
- by apply: le_trans (_ : 1 <= _); rewrite ?invf_le1 ?ltr0n // ler1n.
exists (1, 0); rewrite -/(chunk_inverse _ _) two_keys => /integerN; rewrite opprK.
exact: half_is_no_integer.
Qed.

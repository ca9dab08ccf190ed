(** * Products of generalized Householder (GH) matrices, for every size

    grazzi25, Sec. 4.2, Proposition 1 and App. C; movahedi25, App. D.2.
    A GH matrix is I - c v v^T; with c = beta / (v^T v) it is the paper's I - beta v v^T / (v^T v),
    and with beta = 2 the reflection along v. No square root is needed, so any field will do.

    - [gh v c], [gh_product s]: one such matrix, and the product of a sequence of them;
    - [dot u v]: the product u v^T of two rows;
    - [reflection v], [reflections vs]: the reflection along v, as a matrix; several as factors of a product;
    - [orthogonal Q]: Q Q^T = 1. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** Any field: how far a product of k factors is from the identity *)

Section AnyField.

Variables (F : fieldType) (n : nat).
Implicit Types (v : 'cV[F]_n) (c : F) (s : seq ('cV[F]_n * F)) (A B : 'M[F]_n).

Definition gh v c : 'M[F]_n := 1%:M - c *: (v *m v^T).

Definition gh_product s : 'M[F]_n := foldr (fun vc A => gh vc.1 vc.2 *m A) 1%:M s.

(** One factor changes a hyperplane by nothing. *)
Lemma gh_rank v c : (\rank (gh v c - 1%:M)%R <= 1)%N.
Proof.
rewrite /gh addrAC subrr add0r -scaleNr scalemxAl.
by apply: leq_trans (mxrankM_maxr _ _) (rank_leq_row _).
Qed.

(** Each factor adds at most one to the rank of the difference from I. *)
Theorem gh_product_rank s : (\rank (gh_product s - 1%:M)%R <= size s)%N.
Proof.
elim: s => [|[v c] s IH] /=; first by rewrite subrr mxrank0.
have -> : gh v c *m gh_product s - 1%:M = (gh v c - 1%:M) *m gh_product s + (gh_product s - 1%:M).
  by rewrite (mulmxBl (gh v c)) mul1mx addrA addrNK.
apply: leq_trans (mxrank_add _ _) _; rewrite -add1n leq_add //.
exact: leq_trans (mxrankM_maxl _ _) (gh_rank v c).
Qed.

(** The zero matrix needs n factors ... *)
Theorem zero_needs_n_factors s : gh_product s = 0 -> (n <= size s)%N.
Proof.
move=> s0; have := gh_product_rank s.
by rewrite s0 sub0r mxrank_opp mxrank1.
Qed.

End AnyField.

(** ** Real fields (no square roots needed): orthogonal matrices *)

Section RealField.

Variables (F : realFieldType) (n : nat).
Implicit Types (u v x : 'rV[F]_n) (Q : 'M[F]_n) (s : seq ('cV[F]_n * F)).

Definition dot u v : F := (u *m v^T) 0 0.

Lemma dotE u v : u *m v^T = (dot u v)%:M.
Proof. exact: mx11_scalar. Qed.

Lemma dotC u v : dot u v = dot v u.
Proof. by rewrite /dot -[u in LHS]trmxK -trmx_mul mxE. Qed.

Lemma dotBl u v w : dot (u - v) w = dot u w - dot v w.
Proof. by rewrite /dot mulmxBl !mxE. Qed.

Lemma dotBr u v w : dot w (u - v) = dot w u - dot w v.
Proof. by rewrite dotC dotBl !(dotC _ w). Qed.

Lemma dot_ge0 v : 0 <= dot v v.
Proof. by rewrite /dot mxE sumr_ge0 // => i _; rewrite mxE -expr2 sqr_ge0. Qed.

Lemma dot_eq0 v : (dot v v == 0) = (v == 0).
Proof.
apply/eqP/eqP=> [|->]; last by rewrite /dot mul0mx mxE.
rewrite /dot mxE => /eqP; rewrite psumr_eq0 => [/allP v0|i _]; last by rewrite mxE -expr2 sqr_ge0.
apply/rowP=> i; rewrite mxE; apply/eqP; rewrite -sqrf_eq0 expr2.
by have := v0 i (mem_index_enum _); rewrite mxE.
Qed.

(** The reflection along v: beta = 2. *)
Definition reflection v : 'M[F]_n := gh v^T (2%:R / dot v v).

Lemma reflectionE x v : x *m reflection v = x - (2%:R * dot x v / dot v v) *: v.
Proof.
rewrite /reflection /gh trmxK mulmxBr mulmx1 -scalemxAr mulmxA dotE mul_scalar_mx scalerA.
by rewrite mulrAC.
Qed.

(** A reflection is its own inverse ... *)
Lemma reflectionK v : v != 0 -> reflection v *m reflection v = 1%:M.
Proof.
rewrite -dot_eq0 => v0; apply/row_matrixP=> i; rewrite row_mul reflectionE row1 -row1.
set x := row i (reflection v); have -> : x = row i 1%:M - (2%:R * dot (row i 1%:M) v / dot v v) *: v.
  by rewrite -reflectionE /x -row_mul mul1mx.
set y := row i 1%:M; set c := _ / _.
have -> : dot (y - c *: v) v = - dot y v.
  rewrite dotBl /dot -scalemxAl [X in _ - X]mxE -/(dot y v) -/(dot v v) /c.
  by rewrite mulfVK // mulr2n mulrDl mul1r opprD addrA subrr sub0r.
by rewrite mulrN mulNr scaleNr opprK subrK.
Qed.

(** ... and symmetric, so orthogonal. *)
Lemma reflectionT v : (reflection v)^T = reflection v.
Proof. by rewrite /reflection /gh trmxK linearB /= trmx1 linearZ /= trmx_mul trmxK. Qed.

(** Two vectors of one length are exchanged by the reflection along their difference. *)
Lemma reflection_exchanges x y : dot x x = dot y y -> y *m reflection (y - x) = x.
Proof.
move=> xy; have [->|yx] := eqVneq y x.
  by rewrite reflectionE subrr scaler0 subr0.
have v0 : dot (y - x) (y - x) != 0 by rewrite dot_eq0 subr_eq0.
rewrite reflectionE.
have -> : 2%:R * dot y (y - x) = dot (y - x) (y - x).
  rewrite dotBr dotBl !dotBr xy (dotC x y) mulr2n mulrDl mul1r.
  by rewrite opprB.
by rewrite divff // scale1r opprB addrC addrNK.
Qed.

Definition orthogonal Q := Q *m Q^T == 1%:M.

Lemma orthogonal_dot Q u v : orthogonal Q -> dot (u *m Q) (v *m Q) = dot u v.
Proof. by move=> /eqP QQ; rewrite /dot trmx_mul mulmxA -(mulmxA u) QQ mulmx1. Qed.

Lemma orthogonalM Q v : v != 0 -> orthogonal Q -> orthogonal (Q *m reflection v).
Proof.
move=> v0 /eqP QQ; rewrite /orthogonal trmx_mul reflectionT mulmxA -(mulmxA Q).
by rewrite reflectionK // mulmx1 QQ.
Qed.

Lemma gh_product_rcons s (w : 'cV[F]_n) (c : F) : gh_product (rcons s (w, c)) = gh_product s *m gh w c.
Proof. by elim: s => [|a s IH] /=; rewrite ?mulmx1 ?mul1mx // IH mulmxA. Qed.

Definition reflections (vs : seq 'rV[F]_n) := [seq (v^T, 2%:R / dot v v) | v <- vs].

(** Reflecting x Q back onto x keeps what Q fixes, and fixes x as well. *)
Lemma one_reflection_less Q x :
  orthogonal Q -> x *m Q != x ->
  (\rank (Q *m reflection (x *m Q - x) - 1%:M)%R < \rank (Q - 1%:M)%R)%N.
Proof.
move=> oQ xQ; set v := x *m Q - x; set R := Q *m reflection v.
have kerP (A : 'M[F]_n) (y : 'rV_n) : (y <= kermx (A - 1%:M))%MS = (y *m A == y).
  by rewrite (sameP sub_kermxP eqP) mulmxBr mulmx1 subr_eq0.
have xR : x *m R = x by rewrite mulmxA reflection_exchanges // orthogonal_dot.
have sub : (kermx (Q - 1%:M) <= kermx (R - 1%:M))%MS.
  apply/row_subP=> i; have : (row i (kermx (Q - 1%:M)) <= kermx (Q - 1%:M))%MS by apply: row_sub.
  move: (row i _) => y; rewrite !kerP => /eqP yQ; rewrite mulmxA yQ reflectionE.
  have -> : dot y v = 0; last by rewrite mulr0 mul0r scale0r subr0.
  by rewrite /v dotBr -{1}yQ orthogonal_dot // subrr.
have lt : (kermx (Q - 1%:M) < kermx (R - 1%:M))%MS.
  rewrite /ltmx sub /=; apply/negP=> sub'.
  have : (x <= kermx (R - 1%:M))%MS by rewrite kerP xR.
  by move=> /submx_trans /(_ sub'); rewrite kerP (negPf xQ).
move: lt; rewrite ltmxErank sub /= !mxrank_ker; apply: contraTltn => le.
by rewrite -leqNgt leq_sub2l.
Qed.

(** Cartan, Dieudonné, Scherk: rank (Q - I) reflections suffice. *)
Theorem orthogonal_is_a_product_of_reflections Q :
  orthogonal Q ->
  exists2 vs : seq 'rV[F]_n, all (fun v => v != 0) vs &
    (size vs <= \rank (Q - 1%:M)%R)%N /\ gh_product (reflections vs) = Q.
Proof.
have [m] := ubnP (\rank (Q - 1%:M)%R); elim: m => // m IH in Q *.
rewrite ltnS => rQ oQ; have [QI|Q1] := eqVneq Q 1%:M.
  by exists [::]; rewrite //= QI subrr mxrank0.
have [i xQ] : exists i, row i 1%:M *m Q != row i 1%:M.
  apply/existsP; apply: contraR Q1; rewrite negb_exists => /forallP e; apply/eqP/row_matrixP=> i.
  by have := e i; rewrite negbK => /eqP <-; rewrite -row_mul mul1mx.
set x := row i _ in xQ; set v := x *m Q - x; have v0 : v != 0 by rewrite subr_eq0.
have less := one_reflection_less oQ xQ.
have [|vs vs0 [size_vs vsQ]] := IH (Q *m reflection v) _ (orthogonalM v0 oQ).
  exact: leq_trans less rQ.
exists (rcons vs v); first by rewrite all_rcons v0.
split; first by rewrite size_rcons; apply: leq_ltn_trans size_vs less.
by rewrite /reflections map_rcons gh_product_rcons vsQ -mulmxA -/(reflection v) reflectionK // mulmx1.
Qed.

(** ... and no fewer GH factors do. *)
Theorem fewest_reflections Q s : gh_product s = Q -> (\rank (Q - 1%:M)%R <= size s)%N.
Proof. by move=> <-; apply: gh_product_rank. Qed.

(** Proposition 1.1: with 0 <= beta <= 2 no row vector gets longer. *)
Lemma gh_contracts x v (beta : F) :
  0 <= beta <= 2%:R -> dot (x *m gh v^T (beta / dot v v)) (x *m gh v^T (beta / dot v v)) <= dot x x.
Proof.
case/andP=> b0 b2; have [->|v0] := eqVneq v 0.
  by rewrite /gh trmx0 mul0mx scaler0 subr0 mulmx1.
have d0 : 0 < dot v v by rewrite lt_neqAle dot_ge0 andbT eq_sym dot_eq0.
have -> : x *m gh v^T (beta / dot v v) = x - (beta * dot x v / dot v v) *: v.
  rewrite /gh trmxK mulmxBr mulmx1 -scalemxAr mulmxA dotE mul_scalar_mx scalerA.
  by rewrite mulrAC.
set c := _ / _; have dZ u w : dot u (c *: w) = c * dot u w by rewrite /dot linearZ /= -scalemxAr mxE.
rewrite dotBl !dotBr dZ (dotC (c *: v) x) dZ (dotC _ (c *: v)) -/(dot _ _).
have -> : dot (c *: v) (c *: v) = c * (c * dot v v) by rewrite dZ dotC dZ.
rewrite -subr_ge0.
have -> : dot x x - (dot x x - c * dot x v - (c * dot x v - c * (c * dot v v))) =
  beta * (2%:R - beta) * (dot x v ^+ 2 / dot v v).
  rewrite /c; field; exact: lt0r_neq0.
by rewrite mulr_ge0 ?divr_ge0 ?sqr_ge0 ?(ltW d0) // mulr_ge0 ?subr_ge0.
Qed.

End RealField.

(** * Single sentences of the papers

    grazzi25, Fig. 3 and App. C.2; movahedi25, Sec. 2.1 and App. C.1; degeeter26, Secs. 1 and 4.2.

    - [affine_step A b g]: A g + b;
    - [heaviside], [sign]: 0 or 1, and -1 or 1, with the upper value at 0. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import models householder permutation recurrences phases.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** One real factor on a complex vector *)

Theorem display_with_modulus (C : numClosedFieldType) n (z v : 'cV[C]_n) (beta : C) :
  (forall i, z i 0 \is Num.real) -> inner z z = 1 -> beta \is Num.real ->
  let w := (1%:M - beta *: (z *m z^T)) *m v in inner w w = inner v v - beta * (2%:R - beta) * `|(z^T *m v) 0 0| ^+ 2.
Proof.
move=> real_z z1 real_b w; have zT : z^T = adjoint z by apply/matrixP=> i j; rewrite !mxE (ord1 i) conj_Creal.
rewrite zT -/(inner z v) normCK; set t := inner z v.
have -> : w = v + - (beta * t) *: z.
  by rewrite /w mulmxBl mul1mx zT -scalemxAl -mulmxA innerE mul_mx_scalar scalerA scaleNr.
rewrite !(innerDl, innerDr, innerZl, innerZr) (innerC z v) z1 -/t rmorphN /= rmorphM /= (conj_Creal real_b).
by ring.
Qed.

(** Without the modulus, as printed, it is wrong: z = 1, v = i. *)
Theorem not_display_without_modulus (C : numClosedFieldType) :
  ~ (forall n (z v : 'cV[C]_n) (beta : C), (forall i, z i 0 \is Num.real) -> inner z z = 1 -> beta \is Num.real ->
       let w := (1%:M - beta *: (z *m z^T)) *m v in inner w w = inner v v - beta * (2%:R - beta) * (z^T *m v) 0 0 ^+ 2).
Proof.
move/(_ 1%N 1%:M 'i%:M 1) => bad.
have h1 i : (1%:M : 'cV[C]_1) i 0 \is Num.real by rewrite ord1 mxE eqxx real1.
have h2 : inner (1%:M : 'cV[C]_1) 1%:M = 1 by rewrite /inner mxE big_ord1 !mxE eqxx conjC1 mulr1.
have := bad h1 h2 (real1 _); rewrite /=.
rewrite trmx1 mulmx1 scale1r subrr mul0mx !mul1mx /inner !mxE !big_ord1 !mxE eqxx !mulr1n conjCi mulr0.
rewrite mulNr -expr2 sqrCi opprK (_ : 1 - 1 * (2%:R - 1) * -1 = 2%:R) => [/eqP|]; last by ring.
by rewrite eq_sym pnatr_eq0.
Qed.

(** ** Figure 3 *)

Theorem figure_three (F : realFieldType) (e := fun i : 'I_3 => delta_mx 0 i : 'rV[F]_3) :
  exists s : 'S_3, reflection (e 0 - e 1) *m reflection (e 1 - e 2%:R) = perm_mx s /\ [/\ s 0 = 2%:R,
    s 2%:R = 1 & s 1 = 0].
Proof.
have swap (i j : 'I_3) : i != j -> reflection (e i - e j) = perm_mx (tperm i j).
  move=> ij; rewrite -[perm_mx _]/(tperm_mx i j) swap_is_a_reflection // /reflection linearB /= !trmx_delta.
  have -> : dot (e i - e j) (e i - e j) = 2%:R.
    rewrite dotBl !dotBr /dot !trmx_delta !mul_delta_mx_cond !eqxx (negbTE ij) eq_sym (negbTE ij).
    by rewrite mulr1n mulr0n !mxE !eqxx sub0r subr0 opprK.
  by rewrite divff // pnatr_eq0.
pose s1 : 'S_3 := tperm 0 1; pose s2 : 'S_3 := tperm 1 2%:R.
exists (s1 * s2)%g; rewrite perm_mxM !swap //; split=> //.
by split; rewrite permM !permE.
Qed.

(** The same vector twice gives no cycle. *)
Theorem not_figure_three_with_one_vector (F : realFieldType) (e := fun i : 'I_3 => delta_mx 0 i : 'rV[F]_3) :
  ~ exists s : 'S_3, reflection (e 0 - e 1) *m reflection (e 0 - e 1) = perm_mx s /\ s 0 = 2%:R.
Proof.
case=> s []; have v0 : e 0 - e 1 != 0.
  by apply/eqP=> /matrixP/(_ 0 0); rewrite !mxE /= subr0 => /eqP; rewrite oner_eq0.
rewrite reflectionK // => /matrixP/(_ 0 0) => m s0; move: m; rewrite !mxE s0 /= => /eqP.
by rewrite oner_eq0.
Qed.

(** ** Dependence on the state before: a line of solutions *)

Theorem a_line_of_solutions (F : fieldType) :
  exists (Q : nat -> 'cV[F]_1 -> 'M[F]_1) (u : nat -> 'cV[F]_1 -> 'cV[F]_1) (h g : nat -> 'cV[F]_1),
    [/\ exists p p', Q 0%N p != Q 0%N p',
        forall t, (t < 2)%N -> solves (fun _ _ => 0) (fun _ _ => 1%:M) Q u 0 h t,
        forall t, (t < 2)%N -> solves (fun _ _ => 0) (fun _ _ => 1%:M) Q u 0 g t & h 1%N != g 1%N].
Proof.
pose h (c : F) (t : nat) : 'cV[F]_1 := if t is 0 then 1%:M else c%:M.
have sol c t : (t < 2)%N -> solves (fun _ _ => 0) (fun _ _ => 1%:M) (fun _ p => 1%:M - p) (fun _ _ => 1%:M) 0 (h c) t.
  by case: t => [|[|//]] _; rewrite /solves /= !(mul0mx, subr0, subrr, mul1mx, add0r, addr0).
exists (fun _ p => 1%:M - p), (fun _ _ => 1%:M), (h 0), (h 1); split=> [||//|].
- exists 0, 1%:M; rewrite subr0 subrr; apply/eqP=> /matrixP/(_ 0 0); rewrite !mxE eqxx => /eqP; by rewrite oner_eq0.
- exact: sol.
- exact: sol.
by apply/eqP=> /matrixP/(_ 0 0); rewrite !mxE eqxx mul0rn => /eqP; rewrite eq_sym oner_eq0.
Qed.

(** ** An iteration that diverges *)

Theorem invertible_is_not_enough (F : archiFieldType) :
  exists (Q Lam : 'M[F]_1) (b : 'cV[F]_1),
    [/\ Q \in unitmx, `|Lam 0 0| < 1 &
        forall bound, exists l, bound < `|iter l (fun h => Lam *m 0 + (Q *m b + (1%:M - Q) *m h)) 0 0 0|].
Proof.
exists (- 1%:M), 0, (- 1%:M); split; [by rewrite -scaleN1r unitmxZ ?unitrN1 ?unitmx1 | by rewrite mxE normr0 ltr01 |
  move=> bound].
have iterE l : iter l (fun h : 'cV[F]_1 => 0 *m 0 + (- 1%:M *m - 1%:M + (1%:M - - 1%:M) *m h)) 0 0 0 = 2%:R ^+ l - 1.
  elim: l => [|l IH]; first by rewrite expr0 subrr mxE.
  rewrite iterS; set h := iter l _ 0 in IH *.
  rewrite mul0mx add0r mulNmx mul1mx opprK mulmxDl mul1mx !mxE IH eqxx mulr1n exprS.
  by ring.
have [l le] : exists l, bound + 1 < 2%:R ^+ l by exists (Num.bound (bound + 1)); apply: upper_nthrootP.
exists l; rewrite iterE; apply: lt_le_trans (ler_norm _).
by rewrite ltr_subr_addr.
Qed.

(** Not for every mixer: with Q = I the iterates stay. *)
Theorem not_invertible_is_not_enough_always (F : archiFieldType) :
  ~ (forall Q : 'M[F]_1, Q \in unitmx -> exists b : 'cV[F]_1,
       forall bound, exists l, bound < `|iter l (fun h => Q *m b + (1%:M - Q) *m h) 0 0 0|).
Proof.
move/(_ 1%:M (unitmx1 _ _)) => [b /(_ `|b 0 0|)[l]].
case: l => [|l] /=; first by rewrite mxE normr0 ltNge normr_ge0.
by rewrite subrr mul0mx addr0 mul1mx ltxx.
Qed.

(** With invertible blocks there is no line: recurrences.v; nor with an invertible mixer at each token. *)
Theorem not_a_line_of_solutions_with_mixers (F : fieldType) :
  ~ (exists (Q : nat -> 'cV[F]_1 -> 'M[F]_1) (u : nat -> 'cV[F]_1 -> 'cV[F]_1) (h g : nat -> 'cV[F]_1),
       [/\ forall t p, Q t p \in unitmx,
           forall t, (t < 2)%N -> solves (fun _ _ => 0) (fun _ _ => 1%:M) Q u 0 h t,
           forall t, (t < 2)%N -> solves (fun _ _ => 0) (fun _ _ => 1%:M) Q u 0 g t & h 1%N != g 1%N]).
Proof.
case=> Q [u [h [g [inv hS gS /eqP]]]]; apply.
have blocks t p : block (fun _ _ => 1%:M) Q t p \in unitmx by rewrite /block mul1mx subKr.
have [_ one] := @one_solution_token_after_token F 1 (fun _ _ => 0) (fun _ _ => 1%:M) Q u 0 blocks.
by rewrite (one h 2%N hS) // (one g 2%N gS).
Qed.

(** ** An affine step with two equilibria *)

Section Equilibria.

Variables (F : realFieldType) (n : nat) (A : 'M[F]_n) (b : 'cV[F]_n).

Definition affine_step (g : 'cV[F]_n) : 'cV[F]_n := step (fun=> A) (fun=> b) g tt.

Lemma line_of_two h k s : affine_step h = h -> affine_step k = k -> affine_step (h + s *: (k - h)) = h + s *: (k - h).
Proof.
move=> hE kE; rewrite /affine_step /step mulmxDr -scalemxAr mulmxBr addrAC -[A *m h + b]/(affine_step h) hE.
congr (_ + _ *: _).
by rewrite -{2}kE -{2}hE /affine_step /step opprD addrACA subrr addr0.
Qed.

Lemma near_one_of_two h k eps : affine_step h = h -> affine_step k = k -> h != k -> 0 < eps ->
  exists g, [/\ g != h, forall i, `|(g - h) i 0| < eps & forall t, iter t affine_step g = g].
Proof.
move=> hE kE hk eps0; pose c : F := 1 + \sum_i `|(k - h) i 0|.
have c0 : 0 < c by rewrite ltr_paddr ?ltr01 // sumr_ge0.
exists (h + (eps / c) *: (k - h)); split=> [|i|t].
- rewrite -subr_eq0 addrC addKr scaler_eq0 negb_or subr_eq0 [k == h]eq_sym hk andbT.
  by rewrite mulf_neq0 ?invr_eq0 ?gt_eqF.
- rewrite addrC addKr mxE normrM gtr0_norm ?divr_gt0 // -mulrA gtr_pmulr // ltr_pdivr_mull // mulr1.
  by rewrite /c (bigD1 i) //= addrCA ltr_addl ltr_paddr ?ltr01 // sumr_ge0.
by elim: t => //= t ->; apply: line_of_two.
Qed.

(** A line of equilibria; and near each equilibrium there are others, which stay where they are. *)
Theorem a_line_of_equilibria h k :
  affine_step h = h -> affine_step k = k -> h != k ->
  (forall s, affine_step (h + s *: (k - h)) = h + s *: (k - h)) /\
  forall e eps, affine_step e = e -> 0 < eps ->
    exists g, [/\ g != e, forall i, `|(g - e) i 0| < eps & forall t, iter t affine_step g = g].
Proof.
move=> hE kE hk; split=> [s|e eps eE eps0]; first exact: line_of_two.
have [eh|eh] := eqVneq e h; last exact: near_one_of_two eE hE eh eps0.
by apply: near_one_of_two eE kE _ eps0; rewrite eh.
Qed.

End Equilibria.

(** A step that is not affine can have two equilibria and no line: h^2. *)
Theorem not_a_line_of_equilibria_of_squares (F : realFieldType) :
  ~ (forall (f : F -> F) h k, f h = h -> f k = k -> h != k -> forall s, f (h + s * (k - h)) = h + s * (k - h)).
Proof.
move/(_ (fun x => x ^+ 2) 0 1); rewrite /= expr0n expr1n [0 == 1]eq_sym oner_eq0 => /(_ erefl erefl isT 2%:R).
by rewrite add0r subr0 mulr1 => /eqP; rewrite -natrX eqr_nat.
Qed.

(** ** Steps have no gradient *)

Section Steps.

Variable F : realFieldType.

Definition heaviside (x : F) : F := if 0 <= x then 1 else 0.

Definition sign (x : F) : F := if 0 <= x then 1 else -1.

Theorem steps_have_no_gradient :
  [/\ forall x y, 0 < x -> 0 < y -> heaviside x = heaviside y /\ sign x = sign y,
      forall x y, x < 0 -> y < 0 -> heaviside x = heaviside y /\ sign x = sign y,
      forall e, 0 < e -> (heaviside e - heaviside (- e)) / (2%:R * e) = (2%:R * e)^-1 &
      forall e, 0 < e -> (sign e - sign (- e)) / (2%:R * e) = e^-1].
Proof.
have neg (x : F) : x < 0 -> (0 <= x) = false by move=> x0; rewrite leNgt x0.
split=> [x y x0 y0|x y x0 y0|e e0|e e0].
- by rewrite /heaviside /sign !ltW.
- by rewrite /heaviside /sign !neg.
- by rewrite /heaviside ltW // neg ?oppr_lt0 // subr0 mul1r.
by rewrite /sign ltW // neg ?oppr_lt0 // opprK -[1 + 1]/2%:R invfM mulrA divff ?pnatr_eq0 // mul1r.
Qed.

End Steps.

(** The jump of S is 2, not 1. *)
Theorem not_steps_have_one_jump (F : realFieldType) :
  ~ (forall e : F, 0 < e -> (sign e - sign (- e)) / (2%:R * e) = (2%:R * e)^-1).
Proof.
have [_ _ _ jump] := steps_have_no_gradient F; move/(_ 1 ltr01); rewrite jump ?ltr01 // invr1 mulr1 => /eqP.
by rewrite eq_sym invr_eq1 (eqr_nat F 2 1).
Qed.

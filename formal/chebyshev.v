(** * Real eigenvalues: how large the coefficients of Chebyshev's polynomials are

    orvieto24, Sec. 4.1: the condition number is at least |c|, c the coefficients of T_(k-1), and |c| grows
    exponentially.

    - [unsigned n]: Chebyshev's polynomial T_n with all signs made positive; [unsigned_pair n]: it and the next one. *)

From mathcomp Require Import all_ssreflect all_algebra ring.
From lemmata Require Import vandermonde recall subspaces conditioning.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Moduli.

Variable C : numClosedFieldType.

Local Notation chebyshev := (chebyshev C).

(** t_0 = 1, t_1 = x, t_(n+1) = 2 x t_n + t_(n-1): the coefficients of T_n without their signs. *)
Fixpoint unsigned_pair n : {poly C} * {poly C} :=
  if n is n'.+1 then ((unsigned_pair n').2, 2%:R *: ('X * (unsigned_pair n').2) + (unsigned_pair n').1) else (1, 'X).

Definition unsigned n : {poly C} := (unsigned_pair n).1.

Lemma unsigned2 n : unsigned n.+2 = 2%:R *: ('X * unsigned n.+1) + unsigned n.
Proof. by []. Qed.

Lemma unsigned_ge0 n j : 0 <= (unsigned n)`_j.
Proof.
suff [] : (forall j, 0 <= (unsigned n)`_j) /\ (forall j, 0 <= (unsigned n.+1)`_j) by move=> h _; apply: h.
elim: n => [|n [IH IH1]]; first by split=> i; rewrite /unsigned /= ?coef1 ?coefX ler0n.
by split=> // i; rewrite unsigned2 coefD coefZ coefXM addr_ge0 ?mulr_ge0 ?ler0n //; case: eqP.
Qed.

(** T_n(i x) = i^n t_n(x), by the same recursion, so the coefficients of t_n are the moduli of those of T_n ... *)
Lemma turned n j : (chebyshev n)`_j * 'i ^+ j = 'i ^+ n * (unsigned n)`_j.
Proof.
suff [] : (forall j, (chebyshev n)`_j * 'i ^+ j = 'i ^+ n * (unsigned n)`_j) /\
  (forall j, (chebyshev n.+1)`_j * 'i ^+ j = 'i ^+ n.+1 * (unsigned n.+1)`_j) by move=> h _; apply: h.
elim: n => [|n [IH IH1]].
  split=> l; rewrite /chebyshev /unsigned /= ?coef1 ?coefX.
    by case: l => [|l] //=; rewrite ?mulr0 ?mul0r.
  by case: l => [|[|l]] //=; rewrite ?mulr0 ?mul0r // mulrC.
have i2 : 'i ^+ n.+2 = - 'i ^+ n :> C by rewrite -addn2 exprD sqrCi mulrN1.
split=> // l; rewrite chebyshev2 unsigned2 coefB coefD !coefZ !coefXM mulrBl mulrDr IH.
case: l => [|l] /=; first by rewrite !mulr0 mul0r sub0r add0r i2 mulNr.
have -> : 2%:R * (chebyshev n.+1)`_l * 'i ^+ l.+1 = 2%:R * ((chebyshev n.+1)`_l * 'i ^+ l) * 'i by rewrite exprSr; ring.
rewrite IH1 (_ : 2%:R * _ * 'i = 'i ^+ n.+2 * (2%:R * (unsigned n.+1)`_l)); last by rewrite [in RHS]exprSr; ring.
by rewrite i2 -mulNr.
Qed.

Lemma modulus n j : `|(chebyshev n)`_j| = (unsigned n)`_j.
Proof. by have := congr1 Num.norm (turned n j); rewrite !normrM !normrX normCi !expr1n mulr1 mul1r
  (ger0_norm (unsigned_ge0 n j)). Qed.

(** ... and their sum is t_n(1), with 1, 1, 3, 7, 17, ..., given by a formula. *)
Lemma unsigned_at1 n : (unsigned n).[1] = ((1 + sqrtC 2%:R) ^+ n + (1 - sqrtC 2%:R) ^+ n) / 2%:R.
Proof.
have two : 2%:R != 0 :> C by rewrite pnatr_eq0.
have s2 : sqrtC 2%:R ^+ 2 = 2%:R :> C := sqrtCK _.
suff [] : (unsigned n).[1] = ((1 + sqrtC 2%:R) ^+ n + (1 - sqrtC 2%:R) ^+ n) / 2%:R /\
  (unsigned n.+1).[1] = ((1 + sqrtC 2%:R) ^+ n.+1 + (1 - sqrtC 2%:R) ^+ n.+1) / 2%:R by [].
elim: n => [|n [IH IH1]].
  by rewrite /unsigned /= hornerC hornerX !expr0 !expr1 addrACA subrr addr0 divff.
split=> //; rewrite unsigned2 hornerD hornerZ hornerM hornerX mul1r IH IH1.
have s2p : (1 + sqrtC 2%:R) ^+ 2 = 1 + 2%:R * sqrtC 2%:R + 2%:R :> C
  by transitivity (1 + 2%:R * sqrtC 2%:R + sqrtC 2%:R ^+ 2 : C); [ring | rewrite s2].
have s2m : (1 - sqrtC 2%:R) ^+ 2 = 1 - 2%:R * sqrtC 2%:R + 2%:R :> C
  by transitivity (1 - 2%:R * sqrtC 2%:R + sqrtC 2%:R ^+ 2 : C); [ring | rewrite s2].
have sq (x : C) : x ^+ n.+2 = x ^+ n * x ^+ 2 by rewrite -exprD addn2.
by rewrite !sq s2p s2m !exprSr; field.
Qed.

Lemma sum_of_moduli k : (0 < k)%N ->
  \sum_j `|hidden C k j 0| = ((1 + sqrtC 2%:R) ^+ k.-1 + (1 - sqrtC 2%:R) ^+ k.-1) / 2%:R.
Proof.
move=> k0; rewrite -unsigned_at1 (@horner_coef_wide _ k).
  rewrite [RHS](reindex_inj rev_ord_inj) /=; apply: eq_bigr => j _; rewrite expr1n mulr1 mxE modulus.
  by congr (_`_ _); rewrite -subn1 subnAC subn1 subnS.
apply/leq_sizeP => j kj; rewrite -modulus nth_default ?normr0 //.
by rewrite (leq_trans (size_chebyshev _ _)) // prednK.
Qed.

(** Every other coefficient is 0, as T_n(-x) = (-1)^n T_n(x) ... *)
Lemma parity n j : (chebyshev n)`_j * (-1) ^+ j = (-1) ^+ n * (chebyshev n)`_j.
Proof.
suff [] : (forall j, (chebyshev n)`_j * (-1) ^+ j = (-1) ^+ n * (chebyshev n)`_j) /\
  (forall j, (chebyshev n.+1)`_j * (-1) ^+ j = (-1) ^+ n.+1 * (chebyshev n.+1)`_j) by move=> h _; apply: h.
elim: n => [|n [IH IH1]].
  split=> l; rewrite /chebyshev /= ?coef1 ?coefX.
    by case: l => [|l] //=; rewrite ?mulr0 ?mul0r.
  by case: l => [|[|l]] //=; rewrite ?mulr0 ?mul0r // mulrC.
split=> // l; rewrite chebyshev2 coefB !coefZ !coefXM mulrBl mulrBr IH !exprS !mulN1r opprK; congr (_ - _).
case: l => [|l] /=; first by rewrite !mulr0 mul0r.
by rewrite exprS mulN1r mulrN -mulrA IH1 exprS mulN1r mulNr mulrN opprK mulrCA.
Qed.

Lemma half_of_them k (j : 'I_k) : odd j -> hidden C k j 0 = 0.
Proof.
move=> oj; rewrite mxE; set n := k.-1; have jn : (j <= n)%N by rewrite /n -ltnS prednK // (leq_ltn_trans _ (ltn_ord j)).
have := parity n (n - j); rewrite -signr_odd -[(-1) ^+ n]signr_odd oddB // oj addbT mulrC.
set c := (chebyshev n)`_(n - j); case: (odd n) => /=; rewrite expr0 expr1 mul1r mulN1r => /eqP.
  by rewrite -addr_eq0 -mulr2n mulrn_eq0 /= => /eqP.
by rewrite eq_sym -addr_eq0 -mulr2n mulrn_eq0 /= => /eqP.
Qed.

(** ... so by Cauchy and Schwarz the sum is at most sqrt(ceil(k / 2)) times the length. *)
Lemma cauchy_schwarz k (a : 'I_k -> C) (P : pred 'I_k) : (forall j, 0 <= a j) -> (forall j, ~~ P j -> a j = 0) ->
  (\sum_j a j) ^+ 2 <= #|P|%:R * \sum_j a j ^+ 2.
Proof.
move=> a0 aP; set m := #|P|%:R; set S := \sum_j a j; set Q := \sum_j a j ^+ 2.
have SP : \sum_(j | P j) a j = S by rewrite /S [RHS](bigID P) /= [X in _ + X]big1 ?addr0.
have QP : \sum_(j | P j) a j ^+ 2 = Q.
  by rewrite /Q [RHS](bigID P) /= [X in _ + X]big1 ?addr0 // => j /aP ->; rewrite expr0n.
have [m0|m0] := eqVneq m 0.
  have noP : P =i pred0 by apply/card0_eq/eqP; rewrite -(pnatr_eq0 C) -/m m0.
  have -> : S = 0 by rewrite -SP big1 // => j; rewrite -[P j]/(j \in P) noP.
  by rewrite m0 mul0r expr0n.
have mpos : 0 < m by rewrite lt_def m0 ler0n.
have real_S : S \is Num.real by rewrite ger0_real // sumr_ge0.
have : 0 <= \sum_(j | P j) (m * a j - S) ^+ 2.
  by apply: sumr_ge0 => j _; rewrite real_exprn_even_ge0 // rpredB // rpredM ?ger0_real // ler0n.
have -> : \sum_(j | P j) (m * a j - S) ^+ 2 = m * (m * Q - S ^+ 2).
  transitivity (\sum_(j | P j) (m ^+ 2 * a j ^+ 2 + (- (2%:R * m * S) * a j + S ^+ 2))); first by apply: eq_bigr =>
    j _; ring.
  rewrite !big_split /= -!mulr_sumr SP QP sumr_const -(mulr_natl S) -/m.
  ring.
by rewrite pmulr_rge0 // subr_ge0.
Qed.

Lemma count_even k : #|[pred j : 'I_k | ~~ odd j]| = uphalf k.
Proof.
rewrite -sum1_card big_mkcond /= (eq_bigr (fun j : 'I_k => nat_of_bool (~~ odd j))); last by move=>
  j _; rewrite inE; case: (odd j).
elim: k => [|k IH]; first by rewrite big_ord0.
by rewrite big_ord_recr /= IH uphalf_half; case: (odd k); rewrite /= ?addn0 ?addn1 ?add0n ?add1n.
Qed.

Lemma half_of_the_sum k : (0 < k)%N -> (\sum_j `|hidden C k j 0|) / sqrtC (uphalf k)%:R <= sqrtC (norm2 (hidden C k)).
Proof.
move=> k0; have half : 0 < sqrtC (uphalf k)%:R :> C.
  by rewrite sqrtC_gt0 ltr0n; case: k k0 => // k _ /=.
have sum0 : 0 <= \sum_j `|hidden C k j 0| by apply: sumr_ge0.
rewrite ler_pdivr_mulr // -(@ler_pexpn2r _ 2) // ?nnegrE ?mulr_ge0 ?sqrtC_ge0 ?norm2_ge0 ?ler0n //.
rewrite exprMn !sqrtCK mulrC norm2E -count_even.
by apply: cauchy_schwarz => // j; rewrite negbK => /half_of_them->; rewrite normr0.
Qed.

(** Sec. 4.1: for real eigenvalues kappa >= |c|_2 >= |c|_1 / sqrt(ceil(k/2)), and |c|_1 is exponentially large. *)
Theorem real_condition_grows N k (node : 'I_N -> C) : (0 < k)%N -> (forall i, -1 <= node i <= 1) ->
  [/\ kappa_ge (vandermonde_matrix k node) (sqrtC (norm2 (hidden C k))),
      (\sum_j `|hidden C k j 0|) / sqrtC (uphalf k)%:R <= sqrtC (norm2 (hidden C k)) &
      \sum_j `|hidden C k j 0| = ((1 + sqrtC 2%:R) ^+ k.-1 + (1 - sqrtC 2%:R) ^+ k.-1) / 2%:R].
Proof. by move=> k0 inside; split; [exact: real_condition | exact: half_of_the_sum | exact: sum_of_moduli]. Qed.

End Moduli.

(** Twice the bound is false: for one input |c| = 1, and the condition number is 1. *)
Theorem not_real_condition_twice (C : numClosedFieldType) :
  norm2 (hidden C 1) = 1 /\ exists node : 'I_1 -> C, (forall i, -1 <= node i <= 1) /\
    ~ kappa_ge (vandermonde_matrix 1 node) 2%:R.
Proof.
split; first by rewrite norm2E big_ord1 mxE /chebyshev /= coef1 normr1 expr1n.
exists (fun=> 0); split=> [i|ge]; first by rewrite oppr_le0 ler01.
have VV : (vandermonde_matrix 1 (fun _ : 'I_1 => 0 : C))^*m *m vandermonde_matrix 1 (fun=> 0) = 1%:M.
  by apply/matrixP=> i j; rewrite !ord1 !mxE big_ord1 !mxE /= !expr0 conjC1 mulr1.
have [full le _] := kappa_isometry (isT : (0 < 1)%N) ltr01 VV.
by have := kappa_between full (ler0n C 2) ler01 ge le; rewrite lern1.
Qed.

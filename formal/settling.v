(** * Averaged transitions: a word that is read again and again brings bounded states to rest

    New, beside grazzi25, Theorem 1. If |x|^2 - |Ax|^2 >= c |x - Ax|^2 with c > 0, the steps of bounded states under one
    word tend to 0, at a rate that does not depend on the width. So what tells states apart by a margin has period 1.

    - [squared G x]: the square of the length of x, by the Gram matrix G;
    - [averaged G c A]: A has the property above;
    - [orbit A b h0 k]: the state after the word is read k times. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import models affine householder layers_of_norm_one.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Averaged.

Variables (F : realFieldType) (m : nat) (G : 'M[F]_m).
Hypothesis ip : inner_product G.

Notation form := (form G).
Implicit Types (x y : 'cV[F]_m) (A B : 'M[F]_m) (c : F).

Definition squared x := form x x.

Definition averaged c A := forall x, c * squared (x - A *m x) <= squared x - squared (A *m x).

Lemma squared_ge0 x : 0 <= squared x. Proof. exact: form_ge0. Qed.

Lemma squaredD x y : squared (x + y) = squared x + form x y *+ 2 + squared y.
Proof. by rewrite /squared !(formDl, formDr) (formC ip y x) mulr2n !addrA. Qed.

Lemma squaredN x : squared (- x) = squared x.
Proof. by rewrite /squared formNl formNr opprK. Qed.

Lemma squaredZ a x : squared (a *: x) = a ^+ 2 * squared x.
Proof. by rewrite /squared formZl formZr mulrA expr2. Qed.

Lemma squaredD_le x y : squared (x + y) <= squared x *+ 2 + squared y *+ 2.
Proof.
have := squared_ge0 (x - y); rewrite squaredD formNr squaredN squaredD => le.
rewrite -subr_ge0 (_ : _ - _ = squared x + - form x y *+ 2 + squared y) //; first by ring.
Qed.

Lemma averaged_contraction c A : 0 <= c -> averaged c A -> contraction G A.
Proof. by move=> c0 av x; rewrite -subr_ge0; apply: le_trans (av x); rewrite mulr_ge0 ?squared_ge0. Qed.

(** Products of two are averaged, with half the constant. *)
Lemma averagedM c A B : 0 <= c -> averaged c A -> averaged c B -> averaged (c / 2%:R) (A *m B).
Proof.
move=> c0 avA avB x; rewrite -mulmxA; set y := B *m x.
have := squaredD_le (x - y) (y - A *m y); rewrite addrA subrK => le.
have := ler_add (avB x) (avA y); rewrite -/y addrA subrK; apply: le_trans.
rewrite -mulrDr -mulrA; apply: ler_wpmul2l => //.
by rewrite ler_pdivr_mull ?ltr0n // mulrDr !mulr_natl.
Qed.

(** A sum of n vectors that are no longer than the root of D. *)
Lemma squared_sum n D (v : nat -> 'cV[F]_m) : (forall i, (i < n)%N -> squared (v i) <= D) ->
  squared (\sum_(i < n) v i) <= n%:R ^+ 2 * D.
Proof.
elim: n => [|n IH] le; first by rewrite big_ord0 /squared -(scale0r 0) formZl !mul0r expr0n mul0r.
have {}IH := IH (fun i lt => le i (ltnW lt)); rewrite big_ord_recr /=; have vn := le n (ltnSn n).
move: (\sum_(i < n) v i) (v n) IH vn {le} => S x IH vn; rewrite squaredD.
have D0 : 0 <= D by apply: le_trans vn; apply: squared_ge0.
case: n IH => [|n] IH.
  rewrite expr0n mul0r in IH; have /eqP : squared S = 0 by apply/le_anti; rewrite IH squared_ge0.
  by rewrite form_eq0 // => /eqP ->; rewrite /squared -(scale0r 0) !formZl !mul0r mul0rn !add0r expr1n mul1r.
set a : F := n.+1%:R in IH *; have a0 : 0 < a by rewrite ltr0n.
have := squared_ge0 (S - a *: x); rewrite squaredD formNr formZr squaredN squaredZ => le.
rewrite -(ler_pmul2l a0) (_ : n.+2%:R = a + 1); last by rewrite /a -[n.+2]addn1 natrD.
apply: le_trans (_ : squared S * (a + 1) + squared x * (a * (a + 1)) <= _).
  rewrite -subr_ge0; apply: le_trans le _; rewrite le_eqVlt; apply/orP; left; apply/eqP; by ring.
apply: le_trans (_ : a ^+ 2 * D * (a + 1) + D * (a * (a + 1)) <= _).
  have a1 : 0 <= a + 1 by rewrite addr_ge0 ?ler01 // ltW.
  by apply: ler_add; apply: ler_wpmul2r => //; rewrite mulr_ge0 // ltW.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

Section Orbit.

Variables (c : F) (A : 'M[F]_m) (b h0 : 'cV[F]_m) (R : F).
Hypotheses (c0 : 0 < c) (av : averaged c A).

Definition orbit k : 'cV[F]_m := at_time (step (fun=> A) (fun=> b)) h0 (fun=> tt) k.

Lemma orbitS k : orbit k.+1 = A *m orbit k + b. Proof. by []. Qed.

Hypothesis bounded : forall i j, squared (orbit i - orbit j) <= R.

Let g k := orbit k.+1 - orbit k.

Let gS k : g k.+1 = A *m g k.
Proof. by rewrite /g [orbit k.+2]orbitS {2}[orbit k.+1]orbitS opprD addrACA subrr addr0 -mulmxBr. Qed.

Let d k := g k - g k.+1.

Let dS k : d k.+1 = A *m d k.
Proof. by rewrite /d [g k.+2]gS {1}[g k.+1]gS -mulmxBr. Qed.

Let d_falls i k : squared (d (i + k)) <= squared (d k).
Proof.
elim: i => // i IH; rewrite addSn dS; apply: le_trans IH.
by apply: (averaged_contraction (ltW c0) av).
Qed.

(** c (k + 1) |d_k|^2 <= |g_0|^2. *)
Let d_small k : c * k.+1%:R * squared (d k) <= squared (g 0).
Proof.
suff le : c * k.+1%:R * squared (d k) <= squared (g 0) - squared (g k.+1).
  by apply: le_trans le _; rewrite ler_subl_addr ler_addl squared_ge0.
elim: k => [|k IH]; first by rewrite mulr1 /d gS; apply: av.
have step := av (g k.+1); rewrite -gS in step.
apply: le_trans (_ : c * k.+1%:R * squared (d k) + c * squared (d k.+1) <= _).
  rewrite -[k.+2]addn1 natrD mulrDr mulr1 mulrDl ler_add2r; apply: ler_wpmul2l (d_falls 1 k).
  by rewrite mulr_ge0 ?ler0n ?ltW.
by apply: le_trans (ler_add IH step) _; rewrite addrA subrK.
Qed.

(** The steps tend to 0: n^2 |h_(k+1) - h_k|^2 <= 2 R + 2 n^4 |h_1 - h_0|^2 / (c (k + 1)). *)
Theorem averaged_orbits_settle n k :
  n%:R ^+ 2 * squared (orbit k.+1 - orbit k) <= R *+ 2 + n%:R ^+ 4 * (squared (orbit 1 - orbit 0) / (c * k.+1%:R)) *+ 2.
Proof.
rewrite -/(g k) -/(g 0); set D := squared (g 0) / _.
have dD i : squared (d (i + k)) <= D.
  apply: le_trans (d_falls i k) _; rewrite ler_pdivl_mulr ?mulr_gt0 ?ltr0n // mulrC.
  exact: d_small.
have D0 : 0 <= D by apply: le_trans (dD 0%N); apply: squared_ge0.
have turned j : (j < n)%N -> squared (g k - g (j + k)) <= n%:R ^+ 2 * D.
  move=> jn; have -> : g k - g (j + k) = \sum_(i < j) d (i + k).
    by elim: j {jn} => [|j IH]; rewrite ?big_ord0 ?subrr // big_ord_recr /= -IH /d addrA subrK.
  apply: le_trans (@squared_sum j D (fun i => d (i + k)) (fun i _ => dD i)) _.
  by apply: ler_wpmul2r => //; rewrite ler_expn2r ?nnegrE ?ler0n // ler_nat ltnW.
have walk : orbit (n + k) - orbit k = \sum_(j < n) g (j + k).
  elim: n {turned} => [|j IH]; first by rewrite big_ord0 subrr.
  by rewrite big_ord_recr /= -IH /g [RHS]addrC addrA subrK.
have -> : n%:R ^+ 2 * squared (g k) = squared ((orbit (n + k) - orbit k) + \sum_(j < n) (g k - g (j + k))).
  rewrite walk -squaredZ -big_split /= (eq_bigr (fun _ => g k)) ?sumr_const ?card_ord ?scaler_nat // => j _.
  by rewrite addrC subrK.
apply: le_trans (squaredD_le _ _) _; apply: ler_add; rewrite ler_muln2r // ?bounded //.
apply: le_trans (squared_sum turned) _.
by rewrite mulrA -exprD.
Qed.

End Orbit.

Lemma averaged_le c c' A : c' <= c -> averaged c A -> averaged c' A.
Proof. by move=> cc' av x; apply: le_trans (av x); apply: ler_wpmul2r => //; apply: squared_ge0. Qed.

End Averaged.

(** ** Layers *)

(** Letters averaged with one constant: so are words, with a constant that depends on their length. *)
Lemma averaged_words (F : realFieldType) m X (l : normed_layer F m X) c (w : seq X) :
  inner_product (gram l) -> 0 <= c -> (forall x, averaged (gram l) c (transition l x)) ->
  averaged (gram l) (c / 2%:R ^+ size w) (matrix_of l w).
Proof.
move=> ip c0 av; elim/last_ind: w => [|w x IH].
  by move=> x; rewrite mul1mx !subrr /squared -(scale0r (0 : 'cV[F]_m)) formZl mul0r mulr0.
rewrite /matrix_of foldl_rcons -/(matrix_of l w) size_rcons exprSr invfM mulrA.
have pow : 1 <= 2%:R ^+ size w :> F by rewrite exprn_ege1 // ler1n.
apply: averagedM => //; first by rewrite divr_ge0 // (le_trans ler01).
apply: averaged_le (av x) => //; rewrite ler_pdivr_mulr ?(lt_le_trans ltr01) //.
exact: ler_pemulr.
Qed.

(** One factor with beta (1 + c) <= 2: c = 1 for beta <= 1, and c = delta / (2 - delta) for beta <= 2 - delta. *)
Theorem delta_factors_are_averaged (F : realFieldType) m (v : 'cV[F]_m) (a c : F) (beta := a * dot v^T v^T) :
  0 <= a -> beta * (1 + c) <= 2%:R -> averaged 1%:M c (gh v a).
Proof.
move=> a0; have -> : beta = a * form 1%:M v v by rewrite /beta /form /dot mulmx1 trmxK.
move=> le x; have ip := euclidean F m.
have ghx : gh v a *m x = x + (- (a * form 1%:M v x)) *: v.
  rewrite /gh mulmxBl mul1mx -scalemxAl -mulmxA scaleNr -scalerA; congr (_ - _ *: _).
  by rewrite /form mulmx1 {1}[v^T *m x]mx11_scalar mul_mx_scalar.
rewrite ghx opprD addrA subrr sub0r scaleNr opprK squaredZ /squared.
rewrite -scaleNr !(formDl, formDr, formZl, formZr) (formC ip x v).
move: (form _ v v) (form _ v x) (form _ x x) le => V y Z le; rewrite -subr_ge0.
rewrite (_ : _ - _ = a * y ^+ 2 * (2%:R - a * V * (1 + c))); last by ring.
by rewrite mulr_ge0 ?subr_ge0 // mulr_ge0 ?sqr_ge0.
Qed.

(** With a margin, what is told from the state under a word that is read again and again has period 1. *)
Theorem averaged_words_have_period_one (F : archiFieldType) m X (l : normed_layer F m X) c h0 R margin O
    (out : 'cV[F]_m -> O) (v w : seq X) :
  inner_product (gram l) -> 0 < c -> (forall x, averaged (gram l) c (transition l x)) ->
  (forall u u', squared (gram l) (after l h0 u - after l h0 u') <= R) ->
  0 < margin -> (forall h h', squared (gram l) (h - h') < margin -> out h = out h') ->
  exists K, forall k, (K <= k)%N -> out (after l h0 (v ++ repeated k.+1 w)) = out (after l h0 (v ++ repeated k w)).
Proof.
move=> ip c0 av bounded margin0 told; set c' := c / 2%:R ^+ size w.
have c'0 : 0 < c' by rewrite divr_gt0 // exprn_gt0 // ltr0n.
have avw : averaged (gram l) c' (matrix_of l w) by apply: averaged_words => //; apply: ltW.
clearbody c'; have cm0 : 0 < c' * margin by apply: mulr_gt0.
pose h k := orbit (matrix_of l w) (after l 0 w) (after l h0 v) k.
have hE k : h k = after l h0 (v ++ repeated k w).
  rewrite after_cat after_repeated; elim: k => // k IH; rewrite [h _]orbitS -/(h k) IH.
  by rewrite [RHS]afterE.
have boundh i j : squared (gram l) (h i - h j) <= R by rewrite !hE.
have R0 : 0 <= R by apply: le_trans (boundh 0%N 0%N); apply: squared_ge0.
pose S := squared (gram l) (h 1%N - h 0%N); have S0 : 0 <= S by apply: squared_ge0.
pose n := (Num.bound (R *+ 4 / margin)).+1; have n0 : 0 < n%:R :> F by rewrite ltr0n.
have nR : R *+ 4 < n%:R ^+ 2 * margin.
  rewrite -ltr_pdivr_mulr //; apply: lt_le_trans (archi_boundP _) _; first by rewrite divr_ge0 ?mulrn_wge0 // ltW.
  by rewrite -natrX ler_nat (leq_trans (leqnSn _)) // -[X in (X <= _)%N]expn1 leq_pexp2l.
exists (Num.bound (n%:R ^+ 2 * S *+ 4 / (c' * margin))) => k Kk; rewrite -!hE; apply: told.
have kS : n%:R ^+ 2 * S *+ 4 < c' * margin * k.+1%:R.
  rewrite [X in _ < X]mulrC -(ltr_pdivr_mulr _ _ cm0); apply: lt_le_trans (archi_boundP _) _.
    apply: divr_ge0; last exact: ltW.
    by rewrite mulrn_wge0 // mulr_ge0 // exprn_ge0 // ltW.
  by rewrite ler_nat (leq_trans Kk).
have := @averaged_orbits_settle F m (gram l) ip c' _ (after l 0 w) (after l h0 v) R c'0 avw boundh n k.
rewrite -!/(h _) -/S; set g := squared _ _ => le.
rewrite -(ltr_pmul2l (exprn_gt0 2 n0)); apply: le_lt_trans le _.
have q : n%:R ^+ 4 * (S / (c' * k.+1%:R)) *+ 4 < n%:R ^+ 2 * margin.
  have k0 : 0 < k.+1%:R :> F by rewrite ltr0n.
  have ck := mulr_gt0 c'0 k0; move: (n%:R : F) n0 (k.+1%:R : F) k0 ck kS => N N0 K K0 ck kS.
  rewrite (_ : _ *+ 4 = N ^+ 2 * (N ^+ 2 * S *+ 4 / (c' * K))); last by field; rewrite !gt_eqF.
  by rewrite ltr_pmul2l ?exprn_gt0 // ltr_pdivr_mulr // mulrCA mulrA.
by rewrite -(@ltr_pmuln2r _ 2) // mulrnDl -!mulrnA [X in _ < X]mulr2n ltr_add.
Qed.

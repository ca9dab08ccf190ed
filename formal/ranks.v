(** * Tensors of bounded rank: a layer more, and a rank more, compute more

    lizaire26, App. A.8 and A.9: Corollary 1 as amended, Theorem 4.

    - [widened k f]: the same tensor with rank R + k; [no_factors]: the tensor 0;
    - [first_factors], [last_factor N]: a tensor that needs rank R + 1; the last factors of the last layer of N;
    - [unit q], [columns], [shifting], [taking]: the layers of rank R + 1 that compute more. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import models second_order.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Factors.

Variable F : fieldType.

Lemma product_ext n m (A A' : tensor F n m) h y : (forall j k i, A j k i = A' j k i) -> product A h y = product A' h y.
Proof.
move=> AA; apply/colP=> i; rewrite !mxE; apply: eq_bigr => k _; rewrite !mxE; congr (_ * _).
by apply: eq_bigr => j _; rewrite AA.
Qed.

(** Zero columns raise the rank. *)
Definition widened n m R k (f : factors F n m R) : factors F n m (R + k) :=
  (row_mx f.1.1 0, row_mx f.1.2 0, row_mx f.2 0).

Lemma widenedE n m R k (f : factors F n m R) j p i : cp_tensor (widened k f) j p i = cp_tensor f j p i.
Proof.
rewrite /cp_tensor big_split_ord /= [X in _ + X]big1 ?addr0 => [|r _]; last by rewrite !row_mxEr mxE !mul0r.
by apply: eq_bigr => r _; rewrite !row_mxEl.
Qed.

Lemma cp_rnn_widens n m R k : simulates (cp_rnn F n m R) (cp_rnn F n m (R + k)).
Proof.
move=> [f V U b s]; exists (CP (widened k f) V U b s) => // h y /=.
by rewrite (product_ext _ _ (widenedE k f)).
Qed.

Lemma cp_bilinear_widens n m R k : simulates (cp_bilinear F n m R) (cp_bilinear F n m (R + k)).
Proof. by move=> [f s]; exists (widened k f, s) => // h y; apply: product_ext (widenedE k f). Qed.

Lemma cp_residual_widens n R k : simulates (cp_residual F n R) (cp_residual F n (R + k)).
Proof. by move=> [f s]; exists (widened k f, s) => // h y /=; rewrite (product_ext _ _ (widenedE k f)). Qed.

Definition no_factors n m R : factors F n m R := (0, 0, 0).

Lemma no_factorsE n m R h y : product (cp_tensor (no_factors n m R)) h y = 0.
Proof.
rewrite -(product0 h y); apply: product_ext => j k i.
by rewrite /cp_tensor big1 // => r _; rewrite !mxE !mul0r.
Qed.

(** In terms of the factors: C (A^T h * B^T y), entry by entry. *)
Lemma cpE n m R (f : factors F n m R) h y :
  product (cp_tensor f) h y = f.2 *m \col_r ((\sum_j f.1.1 j r * h j 0) * (\sum_k f.1.2 k r * y k 0)).
Proof.
apply/colP=> i; rewrite !mxE; transitivity (\sum_k \sum_j \sum_r f.1.1 j r * f.1.2 k r * f.2 i r * h j 0 * y k 0).
  apply: eq_bigr => k _; rewrite !mxE mulr_suml; apply: eq_bigr => j _.
  by rewrite /cp_tensor !mulr_suml.
rewrite (eq_bigr (fun k => \sum_r \sum_j f.1.1 j r * f.1.2 k r * f.2 i r * h j 0 * y k 0)) => [|k _];
  last by rewrite exchange_big.
rewrite exchange_big; apply: eq_bigr => r _; rewrite !mxE mulr_suml mulr_sumr exchange_big /=.
apply: eq_bigr => j _; rewrite !mulr_sumr; apply: eq_bigr => k _.
by ring.
Qed.

End Factors.

(** ** Corollary 1 *)

Section Deeper.

Variables (F : realFieldType) (n d : nat).

Definition first_factors m R : factors F n.+1 m.+1 R.+1 := (delta_mx 0 0, delta_mx 0 0, delta_mx 0 0).

Lemma first_factorsE m R j k i : cp_tensor (first_factors m R) j k i = @first_times_first F n m j k i.
Proof.
rewrite /cp_tensor (bigD1 0) //= big1 ?addr0 => [|r r0]; rewrite !mxE; last by rewrite (negbTE r0) andbF !mul0r.
by rewrite !eqxx !andbT /first_times_first -!natrM !mulnb.
Qed.

Lemma product_of_first_factors m R (h : 'cV[F]_n.+1) (y : 'cV[F]_m.+1) :
  product (cp_tensor (first_factors m R)) h y 0 0 = h 0 0 * y 0 0.
Proof. by rewrite (product_ext _ _ (@first_factorsE m R)) product_of_first. Qed.

(** With linear terms, and with residual connections, at any rank from 1 on;
    the deeper network may have a higher rank. *)
Theorem ranks_do_not_matter L R R'
    (H := fun L R => computes (cp_rnn F n.+1 d.+1 R) (cp_rnn F n.+1 n.+1 R) L)
    (H' := fun L R => computes (cp_bilinear F n.+1 d.+1 R) (cp_residual F n.+1 R) L) :
  (0 < R <= R')%N -> strictly_more (H L R) (H L.+1 R') /\ strictly_more (H' L R) (H' L.+1 R').
Proof.
case: R => // R /subnKC <-; move: (R' - R.+1)%N => k; split.
  pose low : layer (cp_rnn F n.+1 d.+1 (R.+1 + k)) := CP (first_factors d (R + k)) 0 0 0 (delta_mx 0 0).
  pose up : layer (cp_rnn F n.+1 n.+1 (R.+1 + k)) := CP (first_factors n (R + k)) 0 0 0 (delta_mx 0 0).
  have lowE h y : next low h y 0 0 = h 0 0 * y 0 0 by rewrite /= !mul0mx !addr0 product_of_first_factors.
  have upE h y : next up h y 0 0 = h 0 0 * y 0 0 + 0 * y 0 0.
    by rewrite /= !mul0mx !addr0 product_of_first_factors mul0r addr0.
  have low0 : start low 0 0 = 1 by rewrite /= mxE !eqxx.
  have up0 : start up 0 0 = 1 - 0 by rewrite /= mxE !eqxx subr0.
  apply: (strictly_deeper low0 lowE up0 upE); try exact: cp_rnn_widens.
  - by move=> l; exists (cp_tensor (cp_of l)), (cp_V l), (cp_U l), (cp_bias l).
  - by move=> l; exists (cp_tensor (cp_of l)), (cp_V l), (cp_U l), (cp_bias l).
  by exists (CP (no_factors F _ _ _) 0 1%:M 0 0) => h y; rewrite /= no_factorsE mul0mx mul1mx !add0r addr0.
pose low : layer (cp_bilinear F n.+1 d.+1 (R.+1 + k)) := (first_factors d (R + k), delta_mx 0 0).
pose up : layer (cp_residual F n.+1 (R.+1 + k)) := (first_factors n (R + k), 0).
have lowE h y : next low h y 0 0 = h 0 0 * y 0 0 by rewrite /= product_of_first_factors.
have upE h y : next up h y 0 0 = h 0 0 * y 0 0 + 1 * y 0 0 by rewrite /= mxE product_of_first_factors mul1r.
have low0 : start low 0 0 = 1 by rewrite /= mxE !eqxx.
have up0 : start up 0 0 = 1 - 1 by rewrite /= mxE subrr.
apply: (strictly_deeper low0 lowE up0 upE).
- by move=> l; exists (cp_tensor l.1), 0, 0, 0 => h y; rewrite !mul0mx !addr0.
- by move=> l; exists (cp_tensor l.1), 0, 1%:M, 0 => h y; rewrite mul0mx mul1mx !addr0.
- exact: cp_bilinear_widens.
- exact: cp_residual_widens.
by exists (no_factors F _ _ _, 0) => h y; rewrite /= no_factorsE add0r.
Qed.

End Deeper.

(** At rank 0 a layer more computes no more: all states are 0. *)
Theorem not_ranks_do_not_matter_from_zero (F : realFieldType) :
  ~ (forall n d L R (H' := fun L R => computes (cp_bilinear F n.+1 d.+1 R) (cp_residual F n.+1 R) L),
       (0 < L)%N -> strictly_more (H' L R) (H' L.+1 R)).
Proof.
move/(_ 0%N 0%N 1%N 0%N isT) => [_ [f [N dN NE] no]]; apply: no.
have none n m (g : factors F n m 0) h y : product (cp_tensor g) h y = 0.
  by rewrite -(product0 h y); apply: product_ext => j k i; rewrite /cp_tensor big_ord0.
exists (Network (lowest N) [::]) => // x t; rewrite -NE {NE dN f}; case: N => low ls;
  elim/last_ind: ls t => // ls l IH t.
by rewrite (states_above (Network low ls)); case: t => [|t]; rewrite /= none add0r IH.
Qed.

(** ** Theorem 4 *)

Section Ranks.

Variables (F : fieldType) (n d : nat).

(** The factor C of the last layer: all states lie in its columns. *)
Definition last_factor R (N : network (cp_bilinear F n d R) (cp_bilinear F n n R)) : 'M[F]_(n, R) :=
  last (lowest N).1.2 [seq l.1.2 | l <- others N].

Lemma states_in_columns R (N : network (cp_bilinear F n d R) (cp_bilinear F n n R)) x t :
  exists v, states N x t = last_factor N *m v.
Proof.
have top m (l : layer (cp_bilinear F n m R)) y : exists v, run l y t = l.1.2 *m v.
  by case: t => [|s] /=; rewrite cpE; eexists.
case: N => low; elim/last_ind=> [|ls l _]; first exact: top.
by rewrite (states_above (Network low ls)) /last_factor /= map_rcons last_rcons; apply: top.
Qed.

End Ranks.

Section Shift.

Variables (F : fieldType) (n d R : nat).
Hypothesis Rn : (R < n)%N.

(** The lowest layer moves e_q on to e_(q+1), from the last of R + 1 to the first, if it reads 1;
    the others take what they read, times the sum of the state. *)
Definition unit (q : nat) : 'cV[F]_n := \col_i (i == q :> nat)%:R.

Definition columns : 'M[F]_(n, R.+1) := \matrix_(i, r) (i == r :> nat)%:R.

Definition shifting : layer (cp_bilinear F n d.+1 R.+1) :=
  ((\matrix_(j, r) (if r == 0%N :> nat then j == R :> nat else j.+1 == r)%:R, \matrix_(k, r) (k == 0 :> 'I_d.+1)%:R,
    columns), unit R).

Definition taking : layer (cp_bilinear F n n R.+1) := ((const_mx 1, columns, columns), unit 0).

Lemma sum_unit q (c : 'I_n -> F) (qn : (q < n)%N) : \sum_j c j * unit q j 0 = c (Ordinal qn).
Proof.
rewrite (bigD1 (Ordinal qn)) //= mxE eqxx mulr1 big1 ?addr0 // => j ne.
by rewrite mxE (_ : _ == _ = false) ?mulr0 //; apply: contraNF ne => /eqP e; apply/eqP/val_inj.
Qed.

Lemma columns_unit q : (q <= R)%N -> columns *m (\col_r (r == q :> nat)%:R) = unit q.
Proof.
move=> qR; apply/colP=> i; rewrite !mxE (bigD1 (Ordinal (qR : q < R.+1)%N)) //= !mxE eqxx mulr1 big1 ?addr0 // => r ne.
by rewrite !mxE (_ : (r == q :> nat) = false) ?mulr0 //; apply: contraNF ne => /eqP e; apply/eqP/val_inj.
Qed.

Lemma shifting_states t : (t <= R)%N -> run shifting (fun=> delta_mx 0 0) t = unit t.
Proof.
have step q (h : 'cV[F]_n) : (q <= R)%N -> (forall r : 'I_R.+1,
  \sum_j shifting.1.1.1 j r * h j 0 = (r == q :> nat)%:R) ->
    next shifting h (delta_mx 0 0) = unit q.
  move=> qR hq; rewrite /= cpE -(columns_unit qR); congr (_ *m _); apply/colP=> r; rewrite !mxE -[RHS]mulr1 -hq;
    congr (_ * _).
  rewrite (bigD1 0) //= !mxE !eqxx mul1r big1 ?addr0 // => k k0; by rewrite !mxE (negbTE k0) mul0r.
elim: t => [|t IH] tR.
  apply: (step 0%N) => // r; rewrite /= (sum_unit _ Rn) mxE /=; case: (r == 0%N :> nat) => //.
  by rewrite eqxx.
  by rewrite gtn_eqF.
rewrite -[run _ _ _]/(next shifting (run shifting (fun=> delta_mx 0 0) t) (delta_mx 0 0)) (IH (ltnW tR));
  apply: (step t.+1) => // r.
rewrite /= (sum_unit _ (leq_trans tR (ltnW Rn))) mxE /=; case: r => [[|r] lt] /=; first by rewrite ltn_eqF.
by rewrite eq_sym.
Qed.

Lemma taking_states (x : nat -> 'cV[F]_n) t : (forall s, (s <= t)%N -> x s = unit s) -> (t <= R)%N ->
  run taking x t = unit t.
Proof.
have step q (h : 'cV[F]_n) : (q <= R)%N -> \sum_j h j 0 = 1 -> next taking h (unit q) = unit q.
  move=> qR h1; rewrite /= cpE -[in RHS](columns_unit qR); congr (_ *m _); apply/colP=> r; rewrite !mxE.
  rewrite (sum_unit _ (leq_ltn_trans qR Rn)) (eq_bigr (fun j => h j 0)) => [|j _]; last by rewrite mxE mul1r.
  by rewrite h1 mul1r !mxE eq_sym.
have sum1 q : (q <= R)%N -> \sum_j unit q j 0 = 1.
  move=> qR; rewrite -[RHS](sum_unit (fun=> 1) (leq_ltn_trans qR Rn)); apply: eq_bigr => j _; by rewrite mul1r.
elim: t => [|t IH] xE tR; first by rewrite -[run _ _ _]/(next taking (unit 0) (x 0%N)) xE // (step 0%N) // sum1.
rewrite -[run _ _ _]/(next taking (run taking x t) (x t.+1)) (xE t.+1) // IH ?(ltnW tR) // => [|s st];
  last by apply: xE; apply: leq_trans st _.
by rewrite (step t.+1) // sum1 // ltnW.
Qed.

Lemma units_of_all_layers L t : (t <= R)%N -> states (Network shifting (nseq L taking)) (fun=> delta_mx 0 0) t = unit t.
Proof.
elim: L t => [|L IH] t tR; first exact: shifting_states.
have -> : nseq L.+1 taking = rcons (nseq L taking) taking by rewrite -cats1 -[[:: taking]]/(nseq 1 taking) -nseqD addn1.
rewrite (states_above (Network shifting (nseq L taking))); apply: taking_states => // s st.
by apply: IH; apply: leq_trans st tR.
Qed.

End Shift.

(** A rank more computes more below n: rank R fills R dimensions at most, and rank R + 1 fills R + 1. *)
Theorem a_rank_more (F : fieldType) n d L R (H := fun R => computes (cp_bilinear F n d.+1 R) (cp_bilinear F n n R) L) :
  (0 < L)%N -> (R < n)%N ->
  [/\ strictly_more (H R) (H R.+1),
      forall (N : network (cp_bilinear F n d.+1 R) (cp_bilinear F n n R)) x t,
        exists v, states N x t = last_factor N *m v &
      exists2 f, H R.+1 f & exists x, \rank (\matrix_(i < n, t < R.+1) f x t i 0) = R.+1].
Proof.
move=> L0 Rn; pose N := Network (shifting F n d R) (nseq L.-1 (taking F n R));
  pose x (_ : nat) : 'cV[F]_d.+1 := delta_mx 0 0.
have dN : depth N = L by rewrite /depth /= size_nseq prednK.
have full : \rank (\matrix_(i < n, t < R.+1) states N x t i 0) = R.+1.
  rewrite (_ : (\matrix_(i < n, t < R.+1) _) = pid_mx R.+1) ?rank_pid_mx //.
  apply/matrixP=> i t; have tR : (t <= R)%N by rewrite -ltnS.
  by rewrite mxE units_of_all_layers // !mxE; case: eqP => // ->; rewrite ltn_ord.
have within f : H R f -> exists C : 'M[F]_(n, R), forall x t, exists v, f x t = C *m v.
  by case=> M dM ME; exists (last_factor M) => y t; have [v vE] := states_in_columns M y t; exists v; rewrite -ME vE.
split=> [|M y t|]; [|exact: states_in_columns|]; last by exists (states N); [exists N | exists x].
split=> [f [M dM ME]|].
  have wide m : simulates (cp_bilinear F n m R) (cp_bilinear F n m R.+1) by rewrite -addn1; apply: cp_bilinear_widens.
  have [M' dM' ME'] := states_simulated M (wide d.+1) (wide n).
  by exists M'; [rewrite dM' | move=> y t; rewrite ME'].
exists (states N); first by exists N.
move=> /within[C /(_ x) CE].
have : (\rank (\matrix_(i < n, t < R.+1) states N x t i 0)%R <= R)%N.
  have /fin_all_exists[v vE] : forall t : 'I_R.+1, exists v : 'cV[F]_R, states N x t = C *m v by move=> t; apply: CE.
  have -> : (\matrix_(i < n, t < R.+1) states N x t i 0) = C *m \matrix_(r < R, t < R.+1) v t r 0.
    by apply/matrixP=> i t; rewrite !mxE vE mxE; apply: eq_bigr => r _; rewrite mxE.
  by apply: leq_trans (mxrankM_maxl _ _) (rank_leq_col _).
by rewrite full ltnn.
Qed.

(** Not so for R = n = 1: every tensor is a product. *)
Theorem not_a_rank_more_always (F : fieldType) :
  ~ (forall n d L R (H := fun R => computes (cp_bilinear F n d.+1 R) (cp_bilinear F n n R) L), (0 < L)%N ->
    (0 < n)%N -> strictly_more (H R) (H R.+1)).
Proof.
move/(_ 1%N 0%N 1%N 1%N isT isT) => [_ [f [N dN NE]]]; apply.
have one : simulates (cp_bilinear F 1 1 2) (cp_bilinear F 1 1 1).
  move=> [g s]; exists ((const_mx (cp_tensor g 0 0 0), const_mx 1, const_mx 1), s) => // h y /=.
  by apply: product_ext => j k i; rewrite !ord1 /cp_tensor big_ord1 !mxE !mulr1.
have [M dM ME] := states_simulated N one one.
by exists M; [rewrite dM | move=> y t; rewrite ME].
Qed.

(** ** Equation 5, and how many numbers factors have *)

Theorem three_matrices (F : fieldType) n m R (A : 'M[F]_(n, R)) (B : 'M[F]_(m, R)) (C : 'M[F]_(n, R)) h y :
  product (cp_tensor (A, B, C)) h y = C *m diag_mx (A^T *m h)^T *m B^T *m y.
Proof.
rewrite cpE -!mulmxA; congr (C *m _); apply/colP=> r; rewrite mul_diag_mx !mxE.
by congr (_ * _); apply: eq_bigr => i _; rewrite !mxE.
Qed.

(** The two sides are multiplied, not added. *)
Theorem not_three_matrices_added (F : fieldType) :
  ~ (forall n m R (A : 'M[F]_(n, R)) (B : 'M[F]_(m, R)) (C : 'M[F]_(n, R)) h y,
       product (cp_tensor (A, B, C)) h y = C *m (A^T *m h + B^T *m y)).
Proof.
move/(_ 1%N 1%N 1%N 1%:M 1%:M 1%:M 0 1%:M); rewrite three_matrices mulmx0 trmx0 trmx1 !mul1mx add0r.
rewrite [diag_mx _](_ : _ = 0) ?mul0mx; last by apply/matrixP=> i j; rewrite !mxE mul0rn.
by move/matrixP/(_ 0 0); rewrite !mxE eqxx => /eqP; rewrite eq_sym oner_eq0.
Qed.

Theorem fewer_numbers R d1 d2 d3 (d := maxn d1 (maxn d2 d3)) :
  (R * (d1 + d2 + d3) <= 3 * R * d)%N /\ forall d, (R * (d + d + d) < d ^ 3)%N = (3 * R < d ^ 2)%N.
Proof.
split=> [|{}d]; last first.
  have -> : (R * (d + d + d) = d * (3 * R))%N by lia.
  by rewrite expnS; case: d => // d; rewrite ltn_pmul2l.
have le : (d1 + d2 + d3 <= 3 * d)%N by rewrite /d; lia.
by rewrite mulnAC mulnC leq_mul2r le orbT.
Qed.

(** With four factors the bound is another one: R = d = 4. *)
Theorem not_fewer_numbers_of_four : ~ (forall R d, (R * (d + d + d + d) < d ^ 3)%N = (3 * R < d ^ 2)%N).
Proof. by move/(_ 4%N 4%N). Qed.

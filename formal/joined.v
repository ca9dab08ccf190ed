(** * All layers in one: the joint states of L layers of width n are the states of one layer of width nL,
    for every width, depth and network

    lizaire26, Sec. 3.1 and App. A.4: Proposition 1 and Theorem 6.

    - [jointly n d L f]: f has the states of L layers, one above the other: row kn + i is unit i of layer k;
    - [second_block n d L]: 0 in the first block, the first channel at the head of the second;
    - [copies N w p] of rnn.v: the readout w of the last states is the first channel, p steps ago. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From lemmata Require Import models rnn.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section Join.

Variables (F : fieldType) (n d : nat).

Definition jointly L (f : (nat -> 'cV[F]_d) -> nat -> 'cV[F]_(L * n)) : Prop :=
  exists2 N : deep F n d, depth N = L &
    forall x t k (i : 'I_n) (p : 'I_(L * n)), p = (k * n + i)%N :> nat -> f x t p 0 = level N k x t i 0.

(** A layer on top of a joint one. *)
Section OneMore.

Variables (m : nat) (l : linear_layer F m d) (W : 'M[F]_(n, m)) (top : linear_layer F n n).

Definition joined : linear_layer F (m + n) d :=
  Linear (block_mx (V l) 0 (U top *m W *m V l) (V top)) (col_mx (U l) (U top *m W *m U l))
    (col_mx (bias l) (U top *m W *m bias l + bias top)) (col_mx (initial l) (initial top)).

Lemma joined_states (h : (nat -> 'cV[F]_d) -> nat -> 'cV[F]_n) x t :
  (forall t, W *m linear_run l x t = h x t) ->
  linear_run joined x t =
  col_mx (linear_run l x t) (linear_run top (h x) t).
Proof.
have swap (a v u b c : 'cV[F]_n) : a + v + u + (b + c) = v + (a + u + b) + c.
  by rewrite addrA; congr (_ + _); rewrite (addrC a v) -!addrA.
move=> hE; elim: t => [|t IH] /=; rewrite ?IH mul_block_col mul_col_mx !add_col_mx mul0mx addr0; congr (col_mx _ _).
  by rewrite -(hE 0%N) /= !mulmxDr !mulmxA swap.
by rewrite -(hE t.+1) /= !mulmxDr !mulmxA swap.
Qed.

End OneMore.

(** All layers in one. *)
Lemma join (low : linear_layer F n d) (ls : seq (linear_layer F n n)) m : m = ((size ls).+1 * n)%N ->
  exists l : linear_layer F m d, forall x t k (i : 'I_n) (p : 'I_m), p = (k * n + i)%N :> nat ->
    linear_run l x t p 0 = level (deep_network low ls) k x t i 0.
Proof.
elim/last_ind: ls m => [|ls top IH] m.
  rewrite mul1n => ->; exists low => x t [|k] i p pE; last by have := ltn_ord p; rewrite pE mulSn; lia.
  by rewrite (_ : p = i) //; apply: val_inj.
rewrite size_rcons mulSn addnC => -> {m}; set m := (_ * n)%N; have [l lE] := IH m erefl.
pose W : 'M[F]_(n, m) := \matrix_(i, p) (p == (size ls * n + i)%N :> nat)%:R.
pose h x := states (deep_network low ls) x.
have Wh x s : W *m linear_run l x s = h x s.
  apply/colP=> j; have lt : (size ls * n + j < m)%N by rewrite /m mulSn; have := ltn_ord j; lia.
  rewrite mxE (bigD1 (Ordinal lt)) //= mxE eqxx mul1r big1 ?addr0 => [|q ne]; last first.
    by rewrite mxE (_ : _ == _ = false) ?mul0r //; apply: contraNF ne => /eqP e; apply/eqP/val_inj.
  by rewrite (lE x s (size ls) j) // (level_top (deep_network low ls)).
exists (joined l W top) => x t k i p pE; rewrite (joined_states top _ (Wh x)).
case: (split_ordP p) pE => j -> /= pE; last first.
  have [k1 ij] : k = (size ls).+1 /\ j = i.
    have n0 : (0 < n)%N by apply: leq_ltn_trans (ltn_ord i).
    have kE : k = (size ls).+1 by move/(congr1 (divn^~ n)): pE; rewrite /m !divnMDl // !divn_small // !addn0.
    by split=> //; apply/val_inj/(@addnI m); rewrite [LHS]pE kE.
  rewrite col_mxEd ij k1.
  have -> : level (deep_network low (rcons ls top)) (size ls).+1 x t = states (deep_network low (rcons ls top)) x t.
    by rewrite -level_top /= size_rcons.
  by rewrite (states_above (deep_network low ls)).
rewrite col_mxEu (lE x t k i) // /level /cut /= -cats1 takel_cat //.
by have := ltn_ord j; rewrite pE /m mulSn; have := ltn_ord i; nia.
Qed.

End Join.

(** ** Proposition 1 and Theorem 6 *)

(** Row n is the head of the second block. *)
Definition second_block (F : fieldType) n d L (x : nat -> 'cV[F]_d.+1) t : 'cV[F]_(L * n) :=
  \col_p (if p == n :> nat then x t 0 0 else 0).

Lemma second_block_by_one (F : fieldType) n d L :
  computes (linear_rnn F (L * n) d.+1) (linear_rnn F (L * n) (L * n)) 1 (@second_block F n d L).
Proof.
pose l : linear_layer F (L * n) d.+1 := Linear 0 (\matrix_(p, c) ((p == n :> nat) && (c == 0))%:R) 0 0.
exists (deep_network l [::]) => // x t; have -> : states (deep_network l [::]) x t = U l *m x t.
  by case: t => [|t]; rewrite /states /= mul0mx add0r addr0.
apply/colP=> p; rewrite !mxE (bigD1 0) //= big1 ?addr0 => [|c c0]; rewrite !mxE;
  last by rewrite (negbTE c0) andbF mul0r.
by rewrite eqxx andbT; case: eqP; rewrite ?mul1r ?mul0r.
Qed.

Lemma second_block_not_jointly (F : fieldType) n d L : (0 < n)%N -> (1 < L)%N -> ~ jointly (@second_block F n d L).
Proof.
case: n => // n _ L1 [N dN NE].
have zero x t : level N 0 x t = 0.
  apply/colP=> i; have lt : (0 * n.+1 + i < L * n.+1)%N by have := ltn_ord i; nia.
  by rewrite -(NE x t 0%N i (Ordinal lt)) // /second_block !mxE /= mul0n add0n ltn_eqF.
have second x : level N 1 x 0 0 0 = x 0%N 0 0.
  have lt : (1 * n.+1 + 0 < L * n.+1)%N by nia.
  by rewrite -(NE x 0%N 1%N 0 (Ordinal lt)) // /second_block mxE /= mul1n addn0 eqxx.
have more : (0 < size (others N))%N by move: dN; rewrite /depth; lia.
have same x y : level N 1 x 0 = level N 1 y 0.
  by rewrite !(levelS (Linear 0 0 0 0 : layer (linear_rnn F n.+1 n.+1))) //= !zero.
have := second (fun=> const_mx 1); rewrite (same _ (fun=> 0)) second !mxE => /eqP.
by rewrite eq_sym oner_eq0.
Qed.

Lemma jointly_by_one (F : fieldType) n d L f : @jointly F n d L f ->
  computes (linear_rnn F (L * n) d) (linear_rnn F (L * n) (L * n)) 1 f.
Proof.
case=> N dN NE; have [|l lE] := @join F n d (lowest N) (others N) (L * n); first by rewrite -dN.
exists (deep_network l [::]) => // x t; apply/colP=> p.
have n0 : (0 < n)%N by case: n {N dN NE l lE f} p => // [[p]]; rewrite muln0.
rewrite (NE x t (p %/ n)%N (Ordinal (ltn_pmod p n0)) p) /= -?divn_eq //.
by rewrite -(lE x t (p %/ n)%N (Ordinal (ltn_pmod p n0)) p) /= -?divn_eq //; case: N {dN NE lE}.
Qed.

(** Theorem 6: strictly more than the joint states; the function that only the wide layer has. *)
Theorem one_wide_layer (F : fieldType) n d L :
  (0 < n)%N -> (1 < L)%N ->
  [/\ strictly_more (@jointly F n d.+1 L) (computes (linear_rnn F (L * n) d.+1) (linear_rnn F (L * n) (L * n)) 1),
      computes (linear_rnn F (L * n) d.+1) (linear_rnn F (L * n) (L * n)) 1 (@second_block F n d L) &
      ~ jointly (@second_block F n d L)].
Proof.
move=> n0 L1; have no := @second_block_not_jointly F n d L n0 L1; split=> //; last exact: second_block_by_one.
by split=> [f|]; [apply: jointly_by_one | exists (@second_block F n d L) => //; apply: second_block_by_one].
Qed.

(** For L = 1 the classes are the same. *)
Theorem not_one_wide_layer_of_one (F : fieldType) :
  ~ (forall n d L, (0 < n)%N -> (0 < L)%N ->
     strictly_more (@jointly F n d.+1 L) (computes (linear_rnn F (L * n) d.+1) (linear_rnn F (L * n) (L * n)) 1) /\
     ~ jointly (@second_block F n d L)).
Proof.
move/(_ 1%N 0%N 1%N isT isT) => [[_ [f [N dN NE] no]] _]; apply: no; exists N => // x t k i p pE.
have k0 : k = 0%N by move: pE; rewrite (ord1 i) (ord1 p) /=; lia.
rewrite -NE (ord1 i) (ord1 p) k0 -(level_top N) (_ : size (others N) = 0%N) //.
by case: dN.
Qed.

(** Proposition 1: the joint states of L layers are those of one;
    for L > 1 not conversely, and one layer of width nL copies nL - 1 steps, which are more than L (n - 1). *)
Theorem one_layer_has_all_states (F : fieldType) n d L :
  (0 < n)%N ->
  [/\ forall f, @jointly F n d.+1 L f -> computes (linear_rnn F (L * n) d.+1) (linear_rnn F (L * n) (L * n)) 1 f,
      (1 < L)%N -> exists2 f, computes (linear_rnn F (L * n) d.+1) (linear_rnn F (L * n) (L * n)) 1 f &
        ~ jointly (L := L) (n := n) f,
      (1 < L)%N -> exists2 N : deep F (L * n) d.+1, depth N = 1%N & exists w, copies N w (n * L - 1),
      (1 < L)%N -> (L * (n - 1) < n * L - 1)%N &
      forall (N : deep F n d.+1) w p, depth N = L -> copies N w p -> (p <= L * (n - 1))%N].
Proof.
move=> n0; split.
- exact: jointly_by_one.
- by move=> L1; have [[_ more] _ _] := @one_wide_layer F n d L n0 L1.
- move=> L1; have [|N [w [dN copy]]] := @copies_exactly F (L * n) d 1 _ isT; first by nia.
  by exists N => //; exists w; rewrite (_ : (n * L - 1)%N = (1 * (L * n).-1)%N) // mul1n mulnC subn1.
- by move=> L1; rewrite !subn1; nia.
by move=> N w p <- /copies_at_most; rewrite subn1.
Qed.

(** One layer of width nL does not copy nL steps. *)
Theorem not_one_layer_has_all_states_and_copies_more (F : fieldType) :
  ~ (forall n L, (0 < n)%N -> (1 < L)%N -> exists2 N : deep F (L * n) 1, depth N = 1%N & exists w, copies N w (n * L)).
Proof. by move/(_ 1%N 2%N isT isT) => [N dN [w /copies_at_most]]; rewrite dN. Qed.

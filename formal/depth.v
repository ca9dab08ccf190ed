(** * How far a deep linear network copies: at most L (n - 1) steps

    lizaire26, Lemma 3 (one channel), for every width n, depth L and readout, over any field; without biases, from 0.

    By Cayley and Hamilton the states of one layer satisfy chi(E) h_t = sum_i G_i x_(t+i), i = 1 .. n, with E the shift
    and chi monic of degree n: what is applied to the states looks at inputs from t + 1 on. L layers give a monic
    polynomial of degree nL that looks at inputs from t + L on. An impulse that is copied p steps later shows all
    coefficients of that polynomial up to p + L - 1, and they vanish.

    - [act P y]: the polynomial P in the shift, applied to a signal;
    - [bare l]: the layer l without its bias, from the state 0; [bare_network N];
    - [powers V k h]: V^k h; [ahead l i]: what chi(E) makes of the input i steps later;
    - [looks_ahead P L x y]: P(E) y does not see x before time t + L. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From lemmata Require Import models affine.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section Shift.

Variables (F : fieldType) (m : nat).
Implicit Types (P Q : {poly F}) (y : nat -> 'cV[F]_m).

(** A polynomial in the shift, applied to a signal. *)
Definition act P y (t : nat) : 'cV[F]_m := \sum_(j < size P) P`_j *: y (t + j)%N.

Lemma actE P y t : act P y t = \sum_(j < size P) P`_j *: y (t + j)%N.
Proof. by []. Qed.

Lemma act_wide N P y t : (size P <= N)%N -> act P y t = \sum_(j < N) P`_j *: y (t + j)%N.
Proof.
move=> PN; rewrite /act (big_ord_widen N (fun j => P`_j *: y (t + j)%N)) // big_mkcond /=.
by apply: eq_bigr => j _; case: ltnP => // Pj; rewrite nth_default // scale0r.
Qed.

Lemma actD P Q y t : act (P + Q) y t = act P y t + act Q y t.
Proof.
pose N := maxn (size P) (size Q).
rewrite !(@act_wide N) ?leq_maxl ?leq_maxr ?(leq_trans (size_add _ _)) // -big_split /=.
by apply: eq_bigr => j _; rewrite coefD scalerDl.
Qed.

Lemma actC c y t : act c%:P y t = c *: y t.
Proof. by rewrite (@act_wide 1) ?size_polyC_leq1 // big_ord1 coefC addn0. Qed.

Lemma actMX P y t : act (P * 'X) y t = act P y t.+1.
Proof.
rewrite (@act_wide (size P).+1); last first.
  by have [->|P0] := eqVneq P 0; rewrite ?mul0r ?size_poly0 // size_mulX.
rewrite big_ord_recl coefMX /= scale0r add0r /act; apply: eq_bigr => j _.
by rewrite coefMX /= addSnnS.
Qed.

Lemma act_ext P y z t : (forall j, (t <= j)%N -> y j = z j) -> act P y t = act P z t.
Proof. by move=> yz; apply: eq_bigr => j _; rewrite yz ?leq_addr. Qed.

Lemma actM P Q y t : act (P * Q) y t = act P (act Q y) t.
Proof.
elim/poly_ind: P t => [|P c IH] t; first by rewrite mul0r -[0]/(0%:P) !actC !scale0r.
rewrite actD actMX actC mulrDl actD mulrAC actMX IH mulrC; congr (_ + _).
rewrite mulrC mul_polyC (@act_wide (size Q)) ?size_scale_leq // scaler_sumr.
by apply: eq_bigr => j _; rewrite coefZ scalerA.
Qed.

End Shift.

(** ** Layers without biases *)

Section Bare.

Variables (F : fieldType) (n : nat).

(** h_t = V h_(t-1) + U x_t, from the state 0. *)
Definition bare m (l : linear_layer F n m) : linear_layer F n m := Linear (V l) (U l) 0 0.

Definition bare_network d (N : deep F n d) : deep F n d := deep_network (bare (lowest N)) (map (@bare n) (others N)).

(** The difference of two runs is a run without biases. *)
Lemma run_difference m (l : linear_layer F n m) x y t :
  linear_run l x t - linear_run l y t = linear_run (bare l) (fun s => x s - y s) t.
Proof.
elim: t => [|t IH] /=; rewrite opprD addrACA subrr addr0 opprD addrACA -mulmxBr addr0.
  by rewrite -mulmxBr subrr mulmx0 add0r.
by rewrite -mulmxBr IH.
Qed.

Lemma states_difference d (N : deep F n d) x y t :
  states N x t - states N y t = states (bare_network N) (fun s => x s - y s) t.
Proof.
rewrite /states /=; have base s := run_difference (lowest N) x y s.
move: (linear_run _ x) (linear_run _ y) (linear_run (bare _) _) base; elim: (others N) => [|l ls IH] h g f e //=.
by apply: IH => s; rewrite run_difference; apply: run_ext.
Qed.

End Bare.

Section Layer.

Variables (F : fieldType) (n m : nat) (l : linear_layer F n m).

Local Notation V := (V l).
Local Notation U := (U l).
Local Notation response := (linear_run (bare l)).

Definition powers (W : 'M[F]_n) k (h : 'cV[F]_n) := iter k (mulmx W) h.

Lemma response_ahead x t j :
  response x (t + j) = powers V j (response x t) + \sum_(i < j) powers V (j - i.+1) (U *m x (t + i.+1)%N).
Proof.
rewrite linear_runE -addSn at_time_add at_time_powers -linear_runE; congr (_ + _).
by apply: eq_bigr => i _; rewrite /= addr0 addSnnS.
Qed.

End Layer.

(** Cayley and Hamilton, for a vector and its images. *)
Lemma annihilated (F : fieldType) n (V : 'M[F]_n) (h : 'cV[F]_n) :
  \sum_(j < size (char_poly V)) (char_poly V)`_j *: powers V j h = 0.
Proof.
case: n V h => [|n] V h; first by apply/matrixP=> -[].
have E (P : {poly F}) : horner_mx V P *m h = \sum_(j < size P) P`_j *: powers V j h.
  have wide N (Q : {poly F}) : (size Q <= N)%N -> \sum_(j < size Q) Q`_j *: powers V j h =
    \sum_(j < N) Q`_j *: powers V j h.
    move=> QN; rewrite (big_ord_widen N (fun j => Q`_j *: powers V j h)) // big_mkcond /=.
    by apply: eq_bigr => j _; case: ltnP => // Qj; rewrite nth_default // scale0r.
  elim/poly_ind: P => [|P c IH]; first by rewrite rmorph0 mul0mx size_poly0 big_ord0.
  rewrite rmorphD rmorphM /= horner_mx_X horner_mx_C mulmxDl mul_scalar_mx.
  have comm : horner_mx V P * V = V * horner_mx V P by apply/comm_horner_mx; apply: comm_mx_refl.
  rewrite comm -mulmxA IH (wide (size P).+1 (P * 'X + c%:P)); last first.
    apply: leq_trans (size_add _ _) _; rewrite geq_max size_polyC (leq_trans (leq_b1 _)) // andbT.
    by have [->|P0] := eqVneq P 0; rewrite ?mul0r ?size_poly0 // size_mulX.
  rewrite big_ord_recl coefD coefMX coefC /= add0r addrC; congr (_ + _).
  rewrite mulmx_sumr; apply: eq_bigr => j _.
  by rewrite coefD coefMX coefC /= addr0 -scalemxAr.
by rewrite -E Cayley_Hamilton mul0mx.
Qed.

Section Ahead.

Variables (F : fieldType) (n m : nat) (l : linear_layer F n m).

Local Notation V := (V l).
Local Notation U := (U l).

(** What chi(E) makes of the states: a fixed combination of later inputs. *)
Definition ahead i : 'M[F]_(n, m) :=
  \sum_(j < size (char_poly V) | (i < j)%N) (char_poly V)`_j *: (iter (j - i.+1) (mulmx V) U).

Lemma act_response x t :
  act (char_poly V) (linear_run (bare l) x) t = \sum_(i < n) ahead i *m x (t + i.+1)%N.
Proof.
have powersU k (g : 'cV[F]_m) : powers V k (U *m g) = iter k (mulmx V) U *m g.
  by elim: k => //= k ->; rewrite mulmxA.
have -> : act (char_poly V) (linear_run (bare l) x) t =
    \sum_(j < n.+1) \sum_(i < n | (i < j)%N) (char_poly V)`_j *: (iter (j - i.+1) (mulmx V) U *m x (t + i.+1)%N).
  rewrite /act; under eq_bigr do rewrite response_ahead scalerDr.
  rewrite big_split /= annihilated add0r size_char_poly; apply: eq_bigr => j _.
  rewrite scaler_sumr (big_ord_widen n (fun i => (char_poly V)`_j *: powers V (j - i.+1) (U *m x (t + i.+1)%N)));
    last by rewrite -ltnS.
  by apply: eq_bigr => i _; rewrite powersU.
rewrite (exchange_big_dep predT) //=; apply: eq_bigr => i _.
rewrite /ahead size_char_poly mulmx_suml; apply: eq_bigr => j _.
by rewrite scalemxAl.
Qed.

End Ahead.

(** ** Stacks of L layers of width n, and a linear readout *)

Section Stack.

Variables (F : fieldType) (n : nat).

(** [P] looks L steps ahead: if the input is silent from t + L on, then P(E) y vanishes at t. *)
Definition looks_ahead m (P : {poly F}) L (x : nat -> 'cV[F]_m) (y : nat -> 'cV[F]_n) :=
  forall t, (forall s, (t + L <= s)%N -> x s = 0) -> act P y t = 0.

Lemma layer_looks_ahead d (l : linear_layer F n d) x : looks_ahead (char_poly (V l)) 1 x (linear_run (bare l) x).
Proof.
move=> t silent; rewrite act_response big1 // => i _; rewrite silent ?mulmx0 //.
by rewrite leq_add2l.
Qed.

Lemma above_looks_ahead d (x : nat -> 'cV[F]_d) h P L (l : linear_layer F n n) :
  looks_ahead P L x h -> looks_ahead (P * char_poly (V l)) L.+1 x (linear_run (bare l) h).
Proof.
move=> Ph t silent; rewrite actM actE; under eq_bigr do rewrite act_response scaler_sumr.
rewrite exchange_big /= big1 // => i _.
have -> : \sum_(j < size P) P`_j *: (ahead l i *m h (t + j + i.+1)%N) = ahead l i *m act P h (t + i.+1).
  rewrite /act mulmx_sumr; apply: eq_bigr => j _.
  by rewrite -scalemxAr addnAC.
by rewrite Ph ?mulmx0 // => s le; apply: silent; lia.
Qed.

Lemma network_looks_ahead d (N : deep F n d) x : exists Q : {poly F},
  [/\ Q \is monic, size Q = (n * depth N).+1 & looks_ahead Q (depth N) x (states (bare_network N) x)].
Proof.
suff key ls h P L : looks_ahead P L x h -> P \is monic -> size P = (n * L).+1 ->
    exists Q : {poly F}, [/\ Q \is monic, size Q = (n * (L + size ls)).+1 &
      looks_ahead Q (L + size ls) x (foldl (fun h l => linear_run l h) h (map (@bare F n n) ls))].
  have [|||Q] := key (others N) (linear_run (bare (lowest N)) x) (char_poly (V (lowest N))) 1%N.
  - exact: layer_looks_ahead.
  - exact: char_poly_monic.
  - by rewrite size_char_poly muln1.
  by rewrite add1n; exists Q.
elim: ls h P L => [|l ls IH] h P L Ph monP sP /=; first by exists P; rewrite addn0.
rewrite addnS -addSn; apply: (IH _ (P * char_poly (V l))); first exact: above_looks_ahead.
  by rewrite monicMl // char_poly_monic.
rewrite size_monicM ?char_poly_monic ?monic_neq0 ?char_poly_monic //.
by rewrite size_char_poly sP mulnS; lia.
Qed.

(** Lemma 3: whatever copies p steps at every length has p <= L (n - 1). *)
Lemma copying_is_bounded (N : deep F n 1) (w : 'rV[F]_n) p (copy := states (bare_network N)) :
  (forall (x : nat -> 'cV[F]_1) t, w *m copy x (t + p)%N = x t) ->
  (forall (x : nat -> 'cV[F]_1) t, (t < p)%N -> w *m copy x t = 0) ->
  (p <= depth N * n.-1)%N.
Proof.
move=> copies silent_before; pose L := depth N.
have [s0 s0L] : exists s0, (L <= s0)%N by exists L.
pose x (t : nat) : 'cV[F]_1 := if t == s0 then 1 else 0.
have [Q []] := network_looks_ahead N x; rewrite -/L => monQ sQ looks; pose y := copy x.
have wy t : w *m y t = if t == (s0 + p)%N then 1 else 0.
  have [lt|ge] := ltnP t p; first by rewrite silent_before // ltn_eqF // (leq_trans lt) // leq_addl.
  by rewrite -(subnK ge) copies /x eqn_add2r.
have zero t : (s0 < t + L)%N -> (t <= s0 + p)%N -> Q`_(s0 + p - t) = 0.
  move=> tL tp; have := looks t; rewrite -/y => /(_ _)/(congr1 (mulmx w)); rewrite mulmx0 => e.
  have {e} : w *m act Q y t = 0.
    by apply: e => s le; rewrite /x gtn_eqF // (leq_trans tL).
  rewrite /act mulmx_sumr; under eq_bigr do rewrite -scalemxAr wy.
  have [small|large] := ltnP (s0 + p - t) (size Q); last by rewrite nth_default.
  rewrite (bigD1 (Ordinal small)) //= subnKC // eqxx big1 ?addr0; last first.
    move=> j; rewrite -val_eqE /= => ne; rewrite ifN ?scaler0 //.
    by apply: contra ne => /eqP <-; rewrite addKn.
  by move=> /matrixP /(_ 0 0); rewrite !mxE eqxx mulr1.
rewrite leqNgt; apply/negP=> big.
have bound a b : (0 < b)%N -> (b * a.-1 < p)%N -> (a * b <= p + b.-1)%N.
  by case: a => [|a]; case: b => //= b _; rewrite ?mul0n // => lt; nia.
have L0 : (0 < L)%N by [].
have nL : (n * L <= p + L.-1)%N by exact: bound.
have le1 : (n * L <= s0 + p)%N by lia.
have : Q`_(n * L) = 0.
  have := zero (s0 + p - n * L)%N; rewrite subKn // => H; apply: H; last exact: leq_subr.
  by move: (n * L)%N nL le1 => m; lia.
have -> : Q`_(n * L) = 1 by have := monicP monQ; rewrite /lead_coef sQ.
by move=> /eqP; rewrite oner_eq0.
Qed.

End Stack.

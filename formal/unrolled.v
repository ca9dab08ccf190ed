(** * One step of all layers at once, for every width, depth and network

    lizaire26, App. A.1.2: Lemma 1 and Corollary 2. A layer is affine in what it reads; unrolled over the layers, a
    state is an affine function of the input, whose coefficients depend on the states one step before.

    - [before l0 N k x t]: the state of layer k one step before time t, its start for t = 0;
    - [U_bar], [b_bar]: U-bar and b-bar of Lemma 1. *)

From mathcomp Require Import all_ssreflect all_algebra.
From lemmata Require Import models affine.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

(** The state of a layer one step before. *)
Definition earlier (F : fieldType) n m (K : kind F n m) (l : layer K) (x : nat -> 'cV[F]_m) t : 'cV[F]_n :=
  if t is t'.+1 then run l x t' else start l.

Lemma runE (F : fieldType) n m (K : kind F n m) (l : layer K) x t : run l x t = next l (earlier l x t) (x t).
Proof. by case: t. Qed.

(** ** Lemma 1 *)

Section SecondOrder.

Variables (F : fieldType) (n d : nat) (N : network (second_order F n d) (second_order F n n)).

Definition no_second_layer : layer (second_order F n n) := Second (fun _ _ _ => 0) 0 0 0 0.

(** Layer i + 1 of the network; layer 0 is the lowest. *)
Definition second_above i : second_layer F n n := nth no_second_layer (others N) i.

(** The states at t - 1, those of Eq. 1 for t = 0. *)
Definition second_before k x t : 'cV[F]_n :=
  if k is i.+1 then earlier (second_above i : layer (second_order F n n)) (level N i x) t
  else earlier (lowest N) x t.

(** U-bar and b-bar. *)
Definition U_lowest x t : 'M[F]_(n, d) := (at_state (A2 (lowest N)) (second_before 0 x t))^T + U2 (lowest N).

Definition U_bar k x t : 'M[F]_n :=
  (at_state (A2 (second_above k.-1)) (second_before k x t))^T + U2 (second_above k.-1).

Definition b_bar k x t : 'cV[F]_n :=
  if k is i.+1 then V2 (second_above i) *m second_before k x t + bias2 (second_above i)
  else V2 (lowest N) *m second_before 0 x t + bias2 (lowest N).

(** For every layer k of the network, from 0. *)
Theorem states_unrolled k x t :
  (k < depth N)%N ->
  level N k x t = descending (fun i => U_bar i x t) 0 k *m U_lowest x t *m x t +
                  \sum_(j < k.+1) descending (fun i => U_bar i x t) j k *m b_bar j x t.
Proof.
rewrite ltnS => kN; rewrite -mulmxA.
apply: (unroll (h := fun i => level N i x t) (c := fun j => b_bar j x t)) => [|i ik].
  by rewrite /level /states /= take0 /= runE /= /product /U_lowest mulmxDl -addrA addrACA.
rewrite (levelS no_second_layer) ?(leq_trans ik) // runE /= /product mulmxDl -/(second_above i).
by rewrite -addrA addrACA.
Qed.

End SecondOrder.

(** ** Corollary 2 *)

Section LinearLayers.

Variables (F : fieldType) (n d : nat) (N : network (linear_rnn F n d) (linear_rnn F n n)).

Definition no_layer : layer (linear_rnn F n n) := Linear 0 0 0 0.

Definition layer_above i : linear_layer F n n := nth no_layer (others N) i.

(** The state of layer k at t - 1, and V h_(t-1) + b. *)
Definition before k x t : 'cV[F]_n :=
  if k is i.+1 then earlier (layer_above i : layer (linear_rnn F n n)) (level N i x) t else earlier (lowest N) x t.

Definition from_before k x t : 'cV[F]_n :=
  if k is i.+1 then V (layer_above i) *m before k x t + bias (layer_above i)
  else V (lowest N) *m before 0 x t + bias (lowest N).

Definition U_above k : 'M[F]_n := U (layer_above k.-1).

Theorem linear_states_unrolled k x t :
  (k < depth N)%N ->
  level N k x t = descending U_above 0 k *m U (lowest N) *m x t + \sum_(j < k.+1) descending U_above j k *m
    from_before j x t.
Proof.
rewrite ltnS => kN; rewrite -mulmxA.
apply: (unroll (h := fun i => level N i x t) (c := fun j => from_before j x t)) => [|i ik].
  by rewrite /level /states /= take0 /= runE /= -addrA addrCA.
rewrite (levelS no_layer) ?(leq_trans ik) // runE /= -/(layer_above i).
by rewrite -addrA addrCA.
Qed.

End LinearLayers.

(** ** In the printed order, ascending, the products are wrong: two layers that do not commute above one that hands on
    *)

Definition ascending (F : fieldType) n (M : nat -> 'M[F]_n) j k : 'M[F]_n :=
  foldl (fun P i => P *m M i) 1%:M (iota j.+1 (k - j)).

Theorem not_linear_states_unrolled_ascending (F : fieldType) :
  ~ (forall n d (N : network (linear_rnn F n d) (linear_rnn F n n)) k x t, (k < depth N)%N ->
     level N k x t = ascending (U_above N) 0 k *m U (lowest N) *m x t + \sum_(j < k.+1) ascending (U_above N) j k *m
       from_before N j x t).
Proof.
pose one := @Linear F 2 2 0 1%:M 0 0; pose up := @Linear F 2 2 0 (delta_mx 0 1) 0 0;
  pose down := @Linear F 2 2 0 (delta_mx 1 0) 0 0.
pose N := @Network F 2 2 (linear_rnn F 2 2) (linear_rnn F 2 2) one [:: up; down].
move/(_ 2%N 2%N N 2%N (fun=> delta_mx 1 0) 0%N isT).
rewrite /level /states /= big1 => [|[[|[|[|j]]] //= lt] _]; last first.
- by rewrite /from_before /= !mul0mx !add0r mulmx0.
- by rewrite /from_before /= !mul0mx !add0r mulmx0.
- by rewrite /from_before /= !mul0mx !add0r mulmx0.
rewrite /ascending /U_above /= !mul0mx !add0r !addr0 !mul1mx mulmx1 !mul_delta_mx.
by move/matrixP/(_ 1 0); rewrite mul_delta_mx_0 // !mxE !eqxx => /eqP; rewrite oner_eq0.
Qed.

Theorem not_states_unrolled_ascending (F : fieldType) :
  ~ (forall n d (N : network (second_order F n d) (second_order F n n)) k x t, (k < depth N)%N ->
     level N k x t = ascending (fun i => U_bar N i x t) 0 k *m U_lowest N x t *m x t +
                     \sum_(j < k.+1) ascending (fun i => U_bar N i x t) j k *m b_bar N j x t).
Proof.
have zero (h : 'cV[F]_2) : at_state (fun _ _ _ : 'I_2 => 0) h = 0.
  by apply/matrixP=> i j; rewrite !mxE big1 // => k _; rewrite mul0r.
pose layer U := @Second F 2 2 (fun _ _ _ => 0) 0 U 0 0.
pose N := @Network F 2 2 (second_order F 2 2) (second_order F 2 2) (layer 1%:M) [:: layer (delta_mx 0 1);
  layer (delta_mx 1 0)].
move/(_ 2%N 2%N N 2%N (fun=> delta_mx 1 0) 0%N isT).
rewrite /level /states /= big1 => [|[[|[|[|j]]] //= lt] _]; last first.
- by rewrite /b_bar /= !mul0mx !add0r mulmx0.
- by rewrite /b_bar /= !mul0mx !add0r mulmx0.
- by rewrite /b_bar /= !mul0mx !add0r mulmx0.
rewrite /ascending /U_bar /U_lowest /models.product /= !zero trmx0 !mul0mx !add0r !addr0 !mul1mx mulmx1 !mul_delta_mx.
by move/matrixP/(_ 1 0); rewrite mul_delta_mx_0 // !mxE !eqxx => /eqP; rewrite oner_eq0.
Qed.

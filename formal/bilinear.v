(** * Bilinear layers: what depth does to the degree, for every width, depth, length and tensor

    lizaire26, Secs. 3.2 and 3.3, App. A.6: h^l_t = A^l(h^l_(t-1), h^(l-1)_t), linear in both arguments, h^0_t = x_t.
    Scaling the input of time s by c scales h^l_t by c to the power C(t - s + l - 1, l - 1): each component is 0 or
    homogeneous of exactly that degree. So networks of different depth share only functions that vanish.

    - [exponent s l t]: how often the input of time s is a factor of layer l at time t;
    - [tensor_layer m n], [bilinear_run l], [bilinear_stack], [signal N]: layers over any commutative ring, of any
          widths, and stacks of them; over a field a layer runs as one of the kind [bilinear_rnn] of models.v;
    - [scale_at s c x]: the input of time s, c times as large; [readout N w]: a linear readout;
    - [products], [linear_state]: a bilinear layer, with any transition that is linear in the letter, and a linear one,
          before the letter number t. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import models.
From lemmata Require classes.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** The exponent of layer l at time t, for the input of time s. *)
Fixpoint exponent (s l t : nat) : nat :=
  match l with
  | 0 => (t == s)
  | l'.+1 => (fix along t := if t is t'.+1 then along t' + exponent s l' t else exponent s l' 0) t
  end%N.

Lemma exponentS s l t : exponent s l.+1 t.+1 = (exponent s l.+1 t + exponent s l t.+1)%N.
Proof. by []. Qed.

Lemma exponent_at0 s l : exponent s l 0 = (0 == s)%N.
Proof. by elim: l. Qed.

Lemma exponent_before s l t : (t < s)%N -> exponent s l t = 0%N.
Proof.
elim: l t => [|l IHl] t ts; first by rewrite /= ltn_eqF.
elim: t ts => [|t IHt] ts; first exact: (IHl 0%N).
by rewrite exponentS IHt ?IHl // ltnW.
Qed.

(** Pascal's triangle. *)
Theorem exponentE s l t : (s <= t)%N -> exponent s l.+1 t = 'C(t - s + l, l).
Proof.
elim: l t => [|l IHl] t st.
  rewrite addn0 bin0 -(subnKC st); elim: (t - s)%N => [|k IHk].
    rewrite addn0; case: s {st} => [|s] //.
    by rewrite exponentS exponent_before //= eqxx.
  by rewrite addnS exponentS IHk /= gtn_eqF // ltnS leq_addr.
rewrite -(subnKC st) addKn; elim: (t - s)%N => [|k IHk].
  rewrite addn0 add0n binn; case: s {st t} IHl => [|s] IHl; first by rewrite exponent_at0.
  by rewrite exponentS exponent_before // add0n IHl // subnn add0n binn.
rewrite addnS exponentS IHk IHl; last by rewrite -addnS leq_addr.
by rewrite -addnS addKn addSnnS addSn binS addnC -addSnnS.
Qed.

(** The next binomial coefficient is another number. *)
Theorem not_exponent_is_the_next_binomial : ~ (forall s l t, (s <= t)%N -> exponent s l.+1 t = 'C(t - s + l.+1, l.+1)).
Proof. by move/(_ 0%N 1%N 1%N isT). Qed.

Section Layers.

Variable R : comRingType.

(** A layer of width n that reads m numbers: any tensor, and any start. *)
Record tensor_layer (m n : nat) := Bilinear { tensor : 'I_n -> 'I_n -> 'I_m -> R; starting : 'I_n -> R }.

Definition bilinear n m (A : 'I_n -> 'I_n -> 'I_m -> R) (h : 'I_n -> R) (u : 'I_m -> R) : 'I_n -> R :=
  fun i => \sum_j \sum_k A i j k * h j * u k.

(** A signal is a vector at every time; a layer makes a signal of a signal. *)
Fixpoint bilinear_run m n (l : tensor_layer m n) (u : nat -> 'I_m -> R) (t : nat) : 'I_n -> R :=
  bilinear (tensor l) (if t is t'.+1 then bilinear_run l u t' else starting l) (u t).

Definition bilinear_stack : nat -> nat -> Type := stack tensor_layer.

Definition signal d n (N : bilinear_stack d n) : (nat -> 'I_d -> R) -> nat -> 'I_n -> R :=
  output (signal := fun n => 'I_n -> R) bilinear_run N.

(** The input of time s, c times as large. *)
Definition scale_at d s c (x : nat -> 'I_d -> R) : nat -> 'I_d -> R := fun t i => (if t == s then c else 1) * x t i.

Lemma bilinear_scaled n m (A : 'I_n -> 'I_n -> 'I_m -> R) h u a b i :
  bilinear A (fun j => a * h j) (fun k => b * u k) i = a * b * bilinear A h u i.
Proof.
rewrite /bilinear mulr_sumr; apply: eq_bigr => j _; rewrite mulr_sumr; apply: eq_bigr => k _.
by ring.
Qed.

Lemma bilinear_ext n m (A : 'I_n -> 'I_n -> 'I_m -> R) h h' u u' i : h =1 h' -> u =1 u' -> bilinear A h u i =
  bilinear A h' u' i.
Proof. by move=> hh uu; apply: eq_bigr => j _; apply: eq_bigr => k _; rewrite hh uu. Qed.

(** Homogeneity, layer by layer and step by step. *)
Theorem homogeneous d n (N : bilinear_stack d n) x s c t i :
  signal N (scale_at s c x) t i = c ^+ exponent s (height N) t * signal N x t i.
Proof.
elim: N t i => [|m n' N IH [A h0]] t i; rewrite /signal /=.
  by rewrite /scale_at; case: (t == s); rewrite ?expr1 ?expr0.
elim: t i => [|t IHt] i /=.
  rewrite (@bilinear_ext _ _ _ _ (fun j => 1 * h0 j) _ _ _ _ (IH 0%N)) ?bilinear_scaled ?mul1r // => j.
  by rewrite mul1r.
rewrite (@bilinear_ext _ _ _ _ _ _ _ _ IHt (IH t.+1)) bilinear_scaled -exprD.
by [].
Qed.

(** ... and in all inputs together, Pascal's triangle again. *)
Theorem homogeneous_in_all d n (N : bilinear_stack d n) x c t i :
  signal N (fun t i => c * x t i) t i = c ^+ 'C(t + height N, height N) * signal N x t i.
Proof.
elim: N t i => [|m n' N IH [A h0]] t i; rewrite /signal /=; first by rewrite bin0 expr1.
elim: t i => [|t IHt] i /=.
  rewrite (@bilinear_ext _ _ _ _ (fun j => 1 * h0 j) _ _ _ _ (IH 0%N)) ?bilinear_scaled ?mul1r ?add0n ?binn // => j.
  by rewrite mul1r.
rewrite (@bilinear_ext _ _ _ _ _ _ _ _ IHt (IH t.+1)) bilinear_scaled -exprD; congr (_ ^+ _ * _).
by rewrite [in RHS]addSn [in RHS]addnS binS addnS addSn.
Qed.

End Layers.

(** Over a field this is the kind of models.v, which is a bilinear layer of classes.v. *)
Lemma tensor_layer_run (F : fieldType) m n (l : tensor_layer F m n) u t
    (l' : layer (bilinear_rnn F n m) := (fun j k i => tensor l i j k, \col_i starting l i)) :
  run l' (fun s => \col_k u s k) t = \col_i bilinear_run l u t i.
Proof.
have one (h : 'I_n -> F) (v : 'I_m -> F) : product l'.1 (\col_i h i) (\col_k v k) = \col_i bilinear (tensor l) h v i.
  apply/colP=> i; rewrite !mxE /bilinear exchange_big; apply: eq_bigr => k _.
  by rewrite !mxE mulr_suml; apply: eq_bigr => j _; rewrite !mxE.
by elim: t => [|t IH] /=; rewrite ?IH one.
Qed.

(** A linear readout keeps the degree. *)
Definition readout (R : comRingType) d n (N : bilinear_stack R d n) (w : 'I_n -> R) x t : R :=
  \sum_i w i * signal N x t i.

Lemma readout_homogeneous (R : comRingType) d n (N : bilinear_stack R d n) w x s c t :
  readout N w (scale_at s c x) t = c ^+ exponent s (height N) t * readout N w x t.
Proof. by rewrite /readout mulr_sumr; apply: eq_bigr => i _; rewrite homogeneous mulrCA. Qed.

(** Networks of different height (and any widths and readouts) compute the same only where both are 0, from the second
    input on. *)
Theorem depths_share_nothing (F : realFieldType) d n n' (N : bilinear_stack F d n)
    (N' : bilinear_stack F d n') w w' x t :
  (0 < height N < height N')%N -> (0 < t)%N ->
  (forall x t, readout N w x t = readout N' w' x t) -> readout N w x t = 0.
Proof.
case/andP=> L0 LL t0 same; have scaled := readout_homogeneous N w x 0%N 2%:R t.
have scaled' := readout_homogeneous N' w' x 0%N 2%:R t; move: scaled'; rewrite -!same scaled.
case: (height N) L0 LL => // l _; case: (height N') => // l' ll.
rewrite !exponentE // subn0 => /eqP; rewrite -subr_eq0 -mulrBl mulf_eq0 subr_eq0 => /orP[|/eqP //].
rewrite -!natrX eqr_nat eqn_exp2l // => /eqP e.
suff : {homo (fun l => 'C(t + l, l)%N) : l l' / (l < l')%N} by move=> /(_ l l' ll) /=; rewrite e ltnn.
apply: homo_ltn => [b a c|k]; first exact: ltn_trans.
by rewrite addnS binS -[X in (X < _)%N]add0n ltn_add2r bin_gt0 -(addn1 k) addnC leq_add2r.
Qed.

(** All tensors and starts 1, inputs 1: nothing vanishes. *)
Fixpoint ones (F : realFieldType) n L : bilinear_stack F n n :=
  if L is L'.+1 then Above (ones F n L') (Bilinear (fun _ _ _ => 1) (fun=> 1)) else Input.

Lemma ones_depth (F : realFieldType) n L : height (ones F n L) = L.
Proof. by elim: L => //= L ->. Qed.

Lemma bilinear_ones (F : realFieldType) n (h u : 'I_n.+1 -> F) i :
  (forall j, 0 < h j) -> (forall j, 0 < u j) -> 0 < bilinear (fun _ _ _ => 1) h u i.
Proof.
move=> h0 u0; have pos (f : 'I_n.+1 -> F) : (forall j, 0 < f j) -> 0 < \sum_j f j.
  by move=> f0; rewrite big_ord_recl ltr_paddr ?sumr_ge0 // => j _; apply: ltW.
by apply: (pos) => j; apply: (pos) => k; rewrite mul1r mulr_gt0.
Qed.

Lemma ones_positive (F : realFieldType) n L t i : 0 < signal (ones F n.+1 L) (fun _ _ => 1) t i.
Proof.
elim: L t i => [|L IH] t i /=; first exact: ltr01.
elim: t i => [|t IHt] i /=; last by apply: bilinear_ones.
by apply: bilinear_ones => // j; apply: ltr01.
Qed.

(** So for every width and depth some network has no deeper one, of any width, that computes the same: adding a layer
    loses functions. *)
Theorem deeper_is_not_more (F : realFieldType) n L :
  (0 < L)%N -> exists (N : bilinear_stack F n.+1 n.+1) (w : 'I_n.+1 -> F), height N = L /\
    forall n' (N' : bilinear_stack F n.+1 n') w', (L < height N')%N ->
      ~ (forall x t, readout N w x t = readout N' w' x t).
Proof.
move=> L0; exists (ones F n.+1 L), (fun=> 1); split; first exact: ones_depth.
move=> n' N' w' LL same.
have := @depths_share_nothing F _ _ _ (ones F n.+1 L) N' _ w' (fun _ _ => 1) 1 _ isT same.
rewrite ones_depth L0 LL => /(_ isT) => zero.
have : 0 < readout (ones F n.+1 L) (fun=> 1) (fun _ _ => 1) 1.
  rewrite /readout big_ord_recl ltr_paddr ?sumr_ge0 // => [i _|]; rewrite mul1r ?ltW ?ones_positive //.
by rewrite zero ltxx.
Qed.

(** ** How large the degree is: the largest is attained, and depth adds to it *)

Section LargestDegree.

Variables (R : comRingType) (n d : nat).

(** Layers that multiply first components. *)
Definition first_times_first m (i j : 'I_n.+1) (k : 'I_m.+1) : R := ((i == 0) && (j == 0) && (k == 0))%:R.

Definition first_unit (i : 'I_n.+1) : R := (i == 0)%:R.

Fixpoint chain L : bilinear_stack R d.+1 n.+1 :=
  if L is L'.+1 then Above (chain L') (Bilinear (@first_times_first n) first_unit)
  else Above Input (Bilinear (@first_times_first d) first_unit).

Lemma chain_depth L : height (chain L) = L.+1.
Proof. by elim: L => //= L ->. Qed.

Lemma first_product m (h : 'I_n.+1 -> R) (u : 'I_m.+1 -> R) : bilinear (@first_times_first m) h u 0 = h 0 * u 0.
Proof.
rewrite /bilinear (bigD1 0) //= [X in _ + X]big1 ?addr0 => [|j j0]; last first.
  by rewrite big1 // => k _; rewrite /first_times_first (negbTE j0) !mul0r.
rewrite (bigD1 0) //= big1 ?addr0 => [|k k0]; first by rewrite /first_times_first !eqxx mul1r.
by rewrite /first_times_first (negbTE k0) andbF !mul0r.
Qed.

(** At the first two times. *)
Lemma chain_at_0 L x : signal (chain L) x 0%N 0 = x 0%N 0.
Proof. by elim: L => [|L IH] /=; rewrite first_product ?IH /first_unit eqxx mul1r. Qed.

Lemma chain_at_1 L x : signal (chain L) x 1%N 0 = x 0%N 0 ^+ L.+1 * x 1%N 0.
Proof.
elim: L => [|L IH]; first by rewrite /= !first_product /first_unit eqxx mul1r expr1.
have e0 := chain_at_0 L.+1 x; rewrite [LHS]/= first_product.
by rewrite [X in X * _]e0 IH mulrA -exprS.
Qed.

Lemma chain_of_ones L t : signal (chain L) (fun _ _ => 1) t 0 = 1.
Proof.
elim: L t => [|L IH] t /=; elim: t => [|t IHt] /=; rewrite first_product ?IHt ?IH /first_unit ?eqxx ?mulr1 //.
Qed.

End LargestDegree.

(** Time t is T - 1. Every state of L layers is 0 or homogeneous of degree C(T + L - 1, L), some state is not 0; that
    number grows strictly with L for T >= 2; for T = 2 it is L + 1, and some state is x_1^L x_2. *)
Theorem largest_degree (R : comRingType) n d L t (degree := fun l => 'C(t + l, l)) :
  (0 < L)%N ->
  [/\ forall (N : bilinear_stack R d.+1 n.+1) x c i, height N = L -> signal N (fun t i => c * x t i) t i =
    c ^+ degree L * signal N x t i,
      exists2 N : bilinear_stack R d.+1 n.+1, height N = L & exists x i, signal N x t i = 1,
      (0 < t)%N -> forall L', (L < L')%N -> (degree L < degree L')%N &
      'C(1 + L, L) = L.+1 /\ exists2 N : bilinear_stack R d.+1 n.+1, height N = L & forall x, signal N x 1%N 0 =
        x 0%N 0 ^+ L * x 1%N 0].
Proof.
case: L => // L _; split.
- by move=> N x c i <-; apply: homogeneous_in_all.
- by exists (chain R n d L); [apply: chain_depth | exists (fun _ _ => 1), 0; apply: chain_of_ones].
- move=> t0; suff : {homo degree : l l' / (l < l')%N} by move=> grows L' /grows.
  apply: homo_ltn => [b a c|k]; first exact: ltn_trans.
  by rewrite /degree addnS binS -[X in (X < _)%N]add0n ltn_add2r bin_gt0 -(addn1 k) addnC leq_add2r.
split; first by rewrite add1n binSn.
by exists (chain R n d L); [apply: chain_depth | apply: chain_at_1].
Qed.

(** ** Lemma 4: a layer that is linear in time must be as wide as the word is long *)

Section Kernel.

Variables (F : fieldType) (d k m T : nat).
Variables (A : {linear 'cV[F]_d -> 'M[F]_k}) (f0 : 'cV[F]_k) (V : 'M[F]_m) (U : 'M[F]_(m, d)) (b h0 : 'cV[F]_m).

(** f_t = A(x_t) f_(t-1), and h_t = V h_(t-1) + U x_t + b. *)
Definition products : (nat -> 'cV[F]_d) -> nat -> 'cV[F]_k := at_time (step A (fun=> 0)) f0.

Definition linear_state : (nat -> 'cV[F]_d) -> nat -> 'cV[F]_m := at_time (step (fun=> V) (fun y => U *m y + b)) h0.

Lemma productsS x t : products x t.+1 = A (x t) *m products x t.
Proof. exact: addr0. Qed.

Lemma linear_stateS x t : linear_state x t.+1 = V *m linear_state x t + (U *m x t + b).
Proof. by []. Qed.

Variable u : 'cV[F]_d.

(** On multiples of u the states are an affine, and the products a multilinear function of the factors. *)
Lemma states_on_a_line c t :
  linear_state (fun s => c s *: u) t - linear_state (fun=> 0) t =
    \sum_(s < t) c s *: iter (t - s.+1) (mulmx V) (U *m u).
Proof.
elim: t => [|t IH]; first by rewrite big_ord0 subrr.
rewrite big_ord_recr /= !linear_stateS subnn mulmx0 add0r opprD addrACA -mulmxBr IH addrK -scalemxAr; congr (_ + _).
by rewrite mulmx_sumr; apply: eq_bigr => s _; rewrite -scalemxAr subSn.
Qed.

Lemma products_on_a_line c t : products (fun s => c s *: u) t = (\prod_(s < t) c s) *: iter t (mulmx (A u)) f0.
Proof.
elim: t => [|t IH]; first by rewrite big_ord0 scale1r.
have E : A (c t *: u) = c t *: A u by rewrite linearZ.
by rewrite productsS IH E -scalemxAl -scalemxAr scalerA big_ord_recr /= mulrC.
Qed.

Theorem linear_layers_are_wide :
  (forall t, iter t (mulmx (A u)) f0 != 0) ->
  (forall x y, linear_state x T = linear_state y T -> products x T = products y T) -> (T <= m)%N.
Proof.
move=> alive determines; rewrite leqNgt; apply/negP=> narrow.
pose M : 'M[F]_(T, m) := \matrix_(s, j) iter (T - s.+1) (mulmx V) (U *m u) j 0.
have [v vM v0] : exists2 v : 'rV[F]_T, v *m M = 0 & v != 0.
  have : kermx M != 0 by rewrite kermx_eq0 /row_free neq_ltn (leq_ltn_trans (rank_leq_col M) narrow).
  by case/rowV0Pn=> v /sub_kermxP vM v0; exists v.
have [i vi] : exists i, v 0 i != 0.
  by apply/existsP; apply: contraNT v0 => /existsPn none; apply/eqP/rowP=> j; rewrite mxE; apply/eqP/negPn/none.
pose w (s : nat) : F := if insub s is Some j then v 0 (j : 'I_T) else 0.
have wE (j : 'I_T) : w j = v 0 j by rewrite /w valK.
pose c s := 1 - (v 0 i)^-1 * w s.
have same : linear_state (fun s => c s *: u) T = linear_state (fun=> 1 *: u) T.
  apply: (addIr (- linear_state (fun=> 0) T)); rewrite (states_on_a_line c) (states_on_a_line (fun=> 1)).
  under eq_bigr do rewrite scalerBl; rewrite sumrB -[RHS]subr0; congr (_ - _).
  apply/matrixP=> r j; rewrite ord1 mxE summxE; move/matrixP/(_ 0 r): vM; rewrite !mxE => vM.
  rewrite -[RHS](mulr0 (v 0 i)^-1) -[in RHS]vM mulr_sumr; apply: eq_bigr => s _.
  by rewrite !mxE wE mulrA.
have := determines _ _ same; rewrite (products_on_a_line c) (products_on_a_line (fun=> 1)).
rewrite big1_eq scale1r (bigD1 i) //= /c wE mulVf // subrr mul0r scale0r => /esym/eqP.
by rewrite (negbTE (alive T)).
Qed.

End Kernel.

(** A word longer by one is too long: T = m is possible, so that T < m does not follow. *)
Theorem not_linear_layers_are_wider (F : fieldType) :
  ~ (forall (m T : nat) (A : {linear 'cV[F]_1 -> 'M[F]_1}) f0 V U b h0 u,
       (forall t, iter t (mulmx (A u)) f0 != 0) ->
       (forall x y, linear_state V U b h0 x T = linear_state (m := m) V U b h0 y T -> products A f0 x T =
         products A f0 y T) -> (T < m)%N).
Proof.
move/(_ 1%N 1%N _ 1%:M 0 1%:M 0 0 1%:M) => /(_ [linear of idfun]) bad.
suff : (1 < 1)%N by [].
apply: bad => [t|x y]; first by elim: t => [|t IH] /=; rewrite ?mul1mx // matrix_nonzero1.
by rewrite !productsS !linear_stateS !mulmx0 !add0r !addr0 !mul1mx !mulmx1.
Qed.

(** * A layer more computes more: second-order networks, with residual connections, and of bounded rank

    lizaire26, Sec. 3.2, App. A.7 to A.9: Theorem 3 for 2RNNs and with residual connections, Corollary 1 as amended,
      Theorem 4.

    Two steps are enough. The states after the first letter are affine in it,
      and each layer multiplies by them once: the second state of L layers has
    degree at most L in the first letter, and L + 1 layers exceed it.

    - [degree_le k f]: f is a polynomial function of degree at most k;
    - [along x u c]: the word x with c u added to its first letter;
    - [second_like K]: the next state is A x_1 h x_2 y + V h + U y + b;
    - [simulates K K'], [hands_on K]: K' has the layers of K; K has a layer whose states are what it reads. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import models.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** Polynomial functions of bounded degree *)

Section Degree.

Variable F : realFieldType.
Implicit Types (f g : F -> F) (p q : {poly F}).

Definition degree_le k f : Prop := exists2 p : {poly F}, (size p <= k.+1)%N & forall c, f c = p.[c].

Lemma degree_ext k f g : (forall c, f c = g c) -> degree_le k g -> degree_le k f.
Proof. by move=> fg [p size_p pE]; exists p => // c; rewrite fg pE. Qed.

Lemma degree_mono k l f : (k <= l)%N -> degree_le k f -> degree_le l f.
Proof. by move=> kl [p size_p pE]; exists p => //; apply: leq_trans size_p _. Qed.

Lemma degree_const k a : degree_le k (fun=> a).
Proof. by exists a%:P => [|c]; rewrite ?hornerC // (leq_trans (size_polyC_leq1 _)). Qed.

Lemma degree_id : degree_le 1 id.
Proof. by exists 'X => [|c]; rewrite ?size_polyX ?hornerX. Qed.

Lemma degreeD k f g : degree_le k f -> degree_le k g -> degree_le k (fun c => f c + g c).
Proof.
move=> [p sp pE] [q sq qE]; exists (p + q) => [|c]; last by rewrite hornerD pE qE.
by rewrite (leq_trans (size_add _ _)) // geq_max sp.
Qed.

Lemma degreeM k l f g : degree_le k f -> degree_le l g -> degree_le (k + l) (fun c => f c * g c).
Proof.
move=> [p sp pE] [q sq qE]; exists (p * q) => [|c]; last by rewrite hornerM pE qE.
by apply: leq_trans (size_mul_leq _ _) _; lia.
Qed.

Lemma degree_sum k (I : finType) (f : I -> F -> F) : (forall i, degree_le k (f i)) ->
  degree_le k (fun c => \sum_i f i c).
Proof.
move=> all_k; elim: (index_enum I) => [|i r IH].
  by apply: degree_ext (degree_const k 0) => c; rewrite big_nil.
by apply: degree_ext (degreeD (all_k i) IH) => c; rewrite big_cons.
Qed.

(** Over an ordered field there is one polynomial at most. *)
Lemma same_polynomial p q : (forall c, p.[c] = q.[c]) -> p = q.
Proof.
move=> pq; apply/eqP; rewrite -subr_eq0; apply/eqP.
apply: (@roots_geq_poly_eq0 _ _ (mkseq (fun i => i%:R) (size (p - q)))); last by rewrite size_mkseq.
  by apply/allP=> c _; rewrite /root hornerD hornerN pq subrr.
by rewrite mkseq_uniq // => i j /eqP; rewrite eqr_nat => /eqP.
Qed.

Lemma not_degree_le k p : (k.+1 < size p)%N -> ~ degree_le k (fun c => p.[c]).
Proof. by move=> big [q sq /same_polynomial pq]; move: big; rewrite pq ltnNge sq. Qed.

End Degree.

(** ** Kinds of layers *)

Section Inclusion.

Variable F : fieldType.

(** A layer of the other kind with the same states. *)
Definition simulates n m (K K' : kind F n m) : Prop :=
  forall l : layer K, exists2 l' : layer K', start l' = start l & forall h y, next l' h y = next l h y.

Definition hands_on n (K : kind F n n) : Prop := exists l : layer K, forall h y, next l h y = y.

Lemma run_simulated n m (K K' : kind F n m) (l : layer K) (l' : layer K') x y t :
  start l' = start l -> (forall h y, next l' h y = next l h y) -> (forall s, x s = y s) -> run l' x t = run l y t.
Proof. by move=> s0 sn xy; elim: t => [|t IH] /=; rewrite sn xy ?s0 ?IH. Qed.

Lemma states_simulated n d (B B' : kind F n d) (K K' : kind F n n) (N : network B K) :
  simulates B B' -> simulates K K' -> exists2 N' : network B' K', depth N' = depth N & forall x t,
    states N' x t = states N x t.
Proof.
move=> sB sK; case: N => low; elim/last_ind=> [|ls l [[low' ls'] dN NE]].
  have [low' s0 sn] := sB low; exists (Network low' [::]) => // x t.
  exact: run_simulated.
have [l' s0 sn] := sK l; exists (Network low' (rcons ls' l')) => [|x t].
  by case: dN; rewrite /depth /= !size_rcons => ->.
rewrite (states_above (Network low' ls')) (states_above (Network low ls)).
exact: run_simulated.
Qed.

(** A larger class of layers, one of which hands on: so a layer more. *)
Lemma a_layer_more n d (B B' : kind F n d) (K K' : kind F n n) L f :
  simulates B B' -> simulates K K' -> hands_on K' -> computes B K L f -> computes B' K' L.+1 f.
Proof.
move=> sB sK [l on] [N dN NE]; have [[low ls] dN' NE'] := states_simulated N sB sK.
exists (Network low (rcons ls l)) => [|x t]; first by rewrite -dN -dN' /depth /= size_rcons.
rewrite (states_above (Network low ls)) -NE -NE'; case: t => [|t] /=; exact: on.
Qed.

Lemma simulates_refl n m (K : kind F n m) : simulates K K.
Proof. by move=> l; exists l. Qed.

End Inclusion.

(** ** The second state has degree at most L in the first letter *)

Section DegreeOfStates.

Variable F : realFieldType.

Definition second_like n m (K : kind F n m) : Prop :=
  forall l : layer K, exists (A : tensor F n m) V U b, forall h y, next l h y = product A h y + V *m h + U *m y + b.

Definition along d (x : nat -> 'cV[F]_d) (u : 'cV[F]_d) (c : F) : nat ->
  'cV[F]_d := fun s => if s is 0 then x 0%N + c *: u else x s.

(** A product of degrees. *)
Lemma next_degree n m (K : kind F n m) (l : layer K) k r (h : F -> 'cV[F]_n) (y : F -> 'cV[F]_m) i :
  second_like K -> (forall i, degree_le k (fun c => h c i 0)) -> (forall i, degree_le r (fun c => y c i 0)) ->
  degree_le (k + r) (fun c => next l (h c) (y c) i 0).
Proof.
move=> like hk yr; have [A [V [U [b E]]]] := like l.
have kr : (k <= k + r)%N by apply: leq_addr.
have rk : (r <= k + r)%N by apply: leq_addl.
apply: (@degree_ext F _ _ (fun c =>
  \sum_p (\sum_j A j p i * h c j 0) * y c p 0 + \sum_j V i j * h c j 0 + \sum_p U i p * y c p 0 + b i 0)).
  by move=> c; rewrite E !mxE; congr (_ + _ + _ + _); apply: eq_bigr => p _; rewrite !mxE.
apply: degreeD; last exact: degree_const.
apply: degreeD; last first.
  by apply: degree_sum => p; apply: degree_mono rk _; apply: (@degreeM F 0 r) => //; apply: degree_const.
apply: degreeD; last first.
  by apply: degree_sum => j; apply: degree_mono kr _; apply: (@degreeM F 0 k) => //; apply: degree_const.
apply: degree_sum => p; apply: degreeM => //; apply: degree_sum => j.
by apply: (@degreeM F 0 k) => //; apply: degree_const.
Qed.

Variables (n d : nat) (B : kind F n d) (K : kind F n n).
Hypotheses (likeB : second_like B) (likeK : second_like K).
Variables (x : nat -> 'cV[F]_d) (u : 'cV[F]_d).

Lemma states_degree (N : network B K) i :
  degree_le 1 (fun c => states N (along x u c) 0 i 0) /\ degree_le (depth N) (fun c => states N (along x u c) 1 i 0).
Proof.
case: N => low ls; elim/last_ind: ls i => [|ls l IH] i.
  have base j : degree_le 1 (fun c => run low (along x u c) 0 j 0).
    apply: (@next_degree _ _ _ low 0 1 (fun=> start low) (fun c => x 0%N + c *: u)) => // q; first exact: degree_const.
    apply: (@degree_ext F _ _ (fun c => x 0%N q 0 + c * u q 0)) => [c|]; first by rewrite !mxE.
    by apply: degreeD (degree_const _ _) _; apply: (@degreeM F 1 0); [apply: degree_id | apply: degree_const].
  split; first exact: base.
  by apply: (@next_degree _ _ _ low 1 0 (fun c => run low (along x u c) 0) (fun c => x 1%N)) => // q;
    apply: degree_const.
have E t c : states (Network low (rcons ls l)) (along x u c) t = run l (states (Network low ls) (along x u c)) t.
  by rewrite (states_above (Network low ls)).
have base j : degree_le 1 (fun c => run l (states (Network low ls) (along x u c)) 0 j 0).
  apply: (@next_degree _ _ _ l 0 1 (fun=> start l) (fun c => states (Network low ls) (along x u c) 0)) => // q;
    first exact: degree_const.
  by have [] := IH q.
split; first by apply: degree_ext (base i) => c; rewrite E.
apply: (@degree_ext F _ _ (fun c => run l (states (Network low ls) (along x u c)) 1 i 0)) => [c|]; first by rewrite E.
rewrite /depth /= size_rcons -add1n.
apply: (@next_degree _ _ _ l 1 _ (fun c => run l (states (Network low ls) (along x u c)) 0)
  (fun c => states (Network low ls) (along x u c) 1)) => // q.
by have [] := IH q.
Qed.

End DegreeOfStates.

(** ** A layer more exceeds that degree *)

Section Deeper.

Variables (F : realFieldType) (n d : nat).

(** The product of first components. *)
Definition first_times_first m : tensor F n.+1 m.+1 := fun j k i => ((j == 0) && (k == 0) && (i == 0))%:R.

Lemma product_of_first m (h : 'cV[F]_n.+1) (y : 'cV[F]_m.+1) : product (@first_times_first m) h y 0 0 = h 0 0 * y 0 0.
Proof.
rewrite mxE (bigD1 0) //= big1 ?addr0 => [|k k0]; rewrite !mxE; last first.
  by rewrite big1 ?mul0r // => j _; rewrite /first_times_first (negbTE k0) andbF mul0r.
rewrite (bigD1 0) //= big1 ?addr0 => [|j j0]; rewrite /first_times_first; last by rewrite (negbTE j0) mul0r.
by rewrite !eqxx mul1r.
Qed.

Variables (B : kind F n.+1 d.+1) (K : kind F n.+1 n.+1) (e : F) (low : layer B) (up : layer K).
Hypotheses (low0 : start low 0 0 = 1) (lowE : forall h y, next low h y 0 0 = h 0 0 * y 0 0).
Hypotheses (up0 : start up 0 0 = 1 - e) (upE : forall h y, next up h y 0 0 = h 0 0 * y 0 0 + e * y 0 0).

Definition powers L : network B K := Network low (nseq L up).

Lemma nseq_rcons L : nseq L.+1 up = rcons (nseq L up) up.
Proof. by rewrite -cats1 -[[:: up]]/(nseq 1 up) -nseqD addn1. Qed.

Lemma powersE L (x : nat -> 'cV[F]_d.+1) : x 1%N 0 0 = 1 ->
  states (powers L) x 0 0 0 = x 0%N 0 0 /\ states (powers L) x 1 0 0 = x 0%N 0 0 * (x 0%N 0 0 + e) ^+ L.
Proof.
move=> x1; elim: L => [|L [IH0 IH1]].
  by rewrite /states /= !lowE low0 x1 mul1r expr0 !mulr1.
rewrite /powers nseq_rcons !(states_above (powers L)) /= !upE IH0 IH1 up0.
have -> : (1 - e) * x 0%N 0 0 + e * x 0%N 0 0 = x 0%N 0 0 by rewrite -mulrDl subrK mul1r.
by split=> //; rewrite -mulrDl mulrCA -exprS.
Qed.

(** The word 0, e_1, e_1, ... and the direction e_1. *)
Definition units (s : nat) : 'cV[F]_d.+1 := if s is 0 then 0 else delta_mx 0 0.

Definition first_unit : 'cV[F]_d.+1 := delta_mx 0 0.

Lemma powers_exceed L : ~ degree_le L (fun c => states (powers L) (along units first_unit c) 1 0 0).
Proof.
have big : (L.+1 < size ('X * ('X - (- e)%:P) ^+ L : {poly F})%R)%N.
  by rewrite mulrC size_mulX ?size_exp_XsubC // monic_neq0 // monic_exp // monicXsubC.
move=> le; apply: (not_degree_le big); apply: degree_ext le => c.
have [|_ ->] := powersE L (x := along units first_unit c); first by rewrite /= mxE !eqxx.
by rewrite !hornerE horner_exp !hornerE /= !mxE !eqxx add0r mulr1 opprK.
Qed.

Lemma strictly_deeper (B' : kind F n.+1 d.+1) (K' : kind F n.+1 n.+1) L :
  second_like B' -> second_like K' -> simulates B' B -> simulates K' K -> hands_on K ->
    strictly_more (computes B' K' L) (computes B K L.+1).
Proof.
move=> likeB likeK sB sK on; split=> [f|]; first exact: a_layer_more.
exists (states (powers L)) => [|[N dN NE]]; first by exists (powers L); rewrite /depth /= ?size_nseq.
apply: (@powers_exceed L); have [_] := states_degree likeB likeK units first_unit N 0.
by rewrite dN => le; apply: degree_ext le => c; rewrite NE.
Qed.

End Deeper.

(** ** Theorem 3 for 2RNNs *)

Lemma second_is_second_like (F : realFieldType) n m : second_like (second_order F n m).
Proof. by move=> l; exists (A2 l), (V2 l), (U2 l), (bias2 l). Qed.

Definition first_layer (F : realFieldType) n m : second_layer F n.+1 m.+1 := Second (@first_times_first F n m) 0 0 0
  (delta_mx 0 0).

Definition handing_layer (F : realFieldType) n : second_layer F n n := Second (fun _ _ _ => 0) 0 1%:M 0 0.

Lemma product0 (F : fieldType) n m (h : 'cV[F]_n) (y : 'cV[F]_m) : product (fun _ _ _ => 0) h y = 0.
Proof. by apply/matrixP=> i j; rewrite !mxE big1 // => k _; rewrite !mxE big1 ?mul0r // => q _; rewrite mul0r. Qed.

Lemma handing_layer_hands_on (F : realFieldType) n h y : next (handing_layer F n : layer (second_order F n n)) h y = y.
Proof. by rewrite /= product0 mul0mx mul1mx !add0r addr0. Qed.

(** Strictly more; the layer U = I hands on; degree at most L, which L + 1 layers exceed. *)
Theorem second_order_networks (F : realFieldType) n d L
    (H := fun L => computes (second_order F n.+1 d.+1) (second_order F n.+1 n.+1) L) :
  [/\ strictly_more (H L) (H L.+1),
      forall h y, next (handing_layer F n.+1 : layer (second_order F n.+1 n.+1)) h y = y,
      forall f x u i, H L f -> degree_le L (fun c => f (along x u c) 1%N i 0) &
      exists2 f, H L.+1 f & exists x u i, ~ degree_le L (fun c => f (along x u c) 1%N i 0)].
Proof.
pose low : layer (second_order F n.+1 d.+1) := first_layer F n d.
pose up : layer (second_order F n.+1 n.+1) := first_layer F n n.
have lowE h y : next low h y 0 0 = h 0 0 * y 0 0 by rewrite /= !mul0mx !addr0 product_of_first.
have upE h y : next up h y 0 0 = h 0 0 * y 0 0 + 0 * y 0 0 by rewrite /= !mul0mx !addr0 product_of_first mul0r addr0.
have low0 : start low 0 0 = 1 by rewrite /= mxE !eqxx.
have up0 : start up 0 0 = 1 - 0 by rewrite /= mxE !eqxx subr0.
split.
- apply: (strictly_deeper low0 lowE up0 upE); try exact: second_is_second_like; try exact: simulates_refl.
  by exists (handing_layer F n.+1) => h y; apply: handing_layer_hands_on.
- exact: handing_layer_hands_on.
- move=> f x u i [N dN NE].
  have [_] := states_degree (@second_is_second_like F n.+1 d.+1) (@second_is_second_like F n.+1 n.+1) x u N i.
  by rewrite dN => le; apply: degree_ext le => c; rewrite NE.
exists (states (powers low up L)); first by exists (powers low up L); rewrite /depth /= ?size_nseq.
by exists (units F d), (first_unit F d), 0; apply: (powers_exceed low0 lowE up0 upE).
Qed.

(** ** Theorem 3 with residual connections *)

Lemma bilinear_is_second_like (F : realFieldType) n m : second_like (bilinear_rnn F n m).
Proof. by move=> l; exists l.1, 0, 0, 0 => h y; rewrite !mul0mx !addr0. Qed.

Lemma residual_is_second_like (F : realFieldType) n : second_like (residual F n).
Proof. by move=> l; exists l.1, 0, 1%:M, 0 => h y; rewrite mul0mx mul1mx !addr0. Qed.

Theorem residual_networks (F : realFieldType) n d L
  (H := fun L => computes (bilinear_rnn F n.+1 d.+1) (residual F n.+1) L) :
  strictly_more (H L) (H L.+1).
Proof.
pose low : layer (bilinear_rnn F n.+1 d.+1) := (@first_times_first F n d, delta_mx 0 0).
pose up : layer (residual F n.+1) := (@first_times_first F n n, 0).
have lowE h y : next low h y 0 0 = h 0 0 * y 0 0 by rewrite /= product_of_first.
have upE h y : next up h y 0 0 = h 0 0 * y 0 0 + 1 * y 0 0 by rewrite /= mxE product_of_first mul1r.
have low0 : start low 0 0 = 1 by rewrite /= mxE !eqxx.
have up0 : start up 0 0 = 1 - 1 by rewrite /= mxE subrr.
apply: (strictly_deeper low0 lowE up0 upE); try exact: simulates_refl.
- exact: bilinear_is_second_like.
- exact: residual_is_second_like.
by exists (fun _ _ _ => 0, 0) => h y; rewrite /= product0 add0r.
Qed.

(** ** What is false *)

(** L layers do not stay below degree L. *)
Theorem not_second_order_networks_of_less_degree (F : realFieldType) :
  ~ (forall n d L f x u i, computes (second_order F n.+1 d.+1) (second_order F n.+1 n.+1) L.+1 f ->
       degree_le L (fun c => f (along x u c) 1%N i 0)).
Proof.
move=> less; have [_ _ _ [f Hf [x [u [i]]]]] := second_order_networks F 0 0 0.
by apply; apply: less.
Qed.

(** Without residual connections two layers do not compute h_t = h_(t-1) x_t. *)
Theorem not_residual_networks_without_connections (F : realFieldType) :
  ~ (forall n d L (H := fun L => computes (bilinear_rnn F n.+1 d.+1) (bilinear_rnn F n.+1 n.+1) L), (0 < L)%N ->
    strictly_more (H L) (H L.+1)).
Proof.
pose low : layer (bilinear_rnn F 1 1) := (fun _ _ _ => 1, const_mx 1).
pose N : network (bilinear_rnn F 1 1) (bilinear_rnn F 1 1) := Network low [::].
move/(_ 0%N 0%N 1%N isT) => [/(_ (states N))[]]; first by exists N.
move=> [[A s] ls] dN NE; move: dN NE; case: ls => // [[A' s'] [|//]] _ NE.
pose x (c : F) (t : nat) : 'cV[F]_1 := if t is 0 then const_mx c else const_mx 1.
have E (l l' : layer (bilinear_rnn F 1 1)) c : states (Network l [:: l'] : network _ (bilinear_rnn F 1 1)) (x c) 1 0 0 =
    c * c * (l.1 0 0 0 ^+ 3 * l.2 0 0 ^+ 2 * l'.1 0 0 0 ^+ 2 * l'.2 0 0).
  by rewrite /states /= !(mxE, big_ord1) /=; ring.
have N1 c : states N (x c) 1 0 0 = c by rewrite /states /= !(mxE, big_ord1) /=; ring.
have := E (A, s) (A', s') 1; have := E (A, s) (A', s') 2%:R; rewrite !NE !N1 !mul1r => two one; move: two;
  rewrite -one mulr1 -natrM => /eqP.
by rewrite eqr_nat.
Qed.

(** * Classes of layers: diagonal, bistable, products of GH matrices, bilinear, fixed points

    grazzi25, Secs. 2 and 4.2, Eq. 3; degeeter26, Eq. 11; lizaire26, Sec. 2; movahedi25, Eqs. 1 to 4.
    A class is a property of an affine layer of models.v: it says what the transitions are. With [every] it is one of
    stacks. A layer of a class runs exactly or cast, as models.v has it.

    - [diagonal_layer l]: every transition is diagonal;
    - [bistable_layer l]: every transition is Diag(1 - z) with z in {0, 1}^n;
    - [unit_interval b]: -1 <= b <= 1;
    - [gh_class k Omega M]: M is a product of k matrices I - beta v v^T with unit vectors v and 1 - beta in Omega: the
          paper's M^n_k(Omega);
    - [contracting s], [gh_factors k M]: M^n_k([-1, 1]) without roots: k factors I - c v v^T at most, 0 <= c v^T v <= 2;
    - [gh_layer k l]: every transition is such a product of k factors;
    - [at_input A y]: A x_2 y, the transition that a tensor has for the input y;
    - [bilinear_layer l]: every transition is such, of one tensor, and nothing is added;
    - [has_step l A B], [as_affine l A B]: the layer l of some kind has the step h -> A(y) h + B(y); the affine layer
          with this step; [stack_of_network low up N]: a network of such layers as a stack;
    - [block G Q]: I - G (I - Q), what multiplies the state at a fixed point of a pass with the gate G and the mixer Q;
    - [dense_transition Lam G Q], [dense_input G Q u]: block^-1 Lambda and block^-1 G Q u;
    - [independent_columns A]: the columns of A other than 0 are linearly independent;
    - [fixed_point_layer l]: every transition and input is such, with invertible blocks and diagonal Lambda. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import models householder.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** Diagonal layers; bistable ones *)

Section Diagonal.

Variables (F : ringType) (X Y : Type).
Implicit Type l : affine_layer F X Y.

Definition diagonal_layer l : Prop := forall x, is_diag_mx (transition l x).

Definition bistable_layer l : Prop :=
  exists z : X -> 'I_(width l) -> bool, forall x, transition l x = diag_mx (\row_i (1 - (z x i)%:R)).

Lemma is_diagE n (A : 'M[F]_n) : is_diag_mx A -> A = diag_mx (\row_i A i i).
Proof.
move=> /is_diag_mxP off; apply/matrixP=> i j; rewrite !mxE.
by have [->|ij] := eqVneq i j; rewrite ?mulr1n // off ?mulr0n.
Qed.

Lemma bistable_diagonal l : bistable_layer l -> diagonal_layer l.
Proof. by case=> z zE x; rewrite zE diag_mx_is_diag. Qed.

(** One unit is diagonal, and so is none. *)
Lemma one_unit_diagonal l : (width l <= 1)%N -> diagonal_layer l.
Proof.
move=> one x; apply/is_diag_mxP => i j ij; suff e (k : 'I_(width l)) : k = 0%N :> nat by move: ij; rewrite !e.
by apply/eqP; rewrite -leqn0 -ltnS (leq_trans (ltn_ord k)).
Qed.

(** Diagonal transitions commute. *)
Lemma diagonal_commute (R : comRingType) n (A B : 'M[R]_n) : is_diag_mx A -> is_diag_mx B -> A *m B = B *m A.
Proof.
move=> /is_diag_mxP A0 /is_diag_mxP B0; apply/matrixP=> i j; rewrite !mxE; apply: eq_bigr => k _.
have [->|ik] := eqVneq i k; last by rewrite [A i k]A0 // [B i k]B0 // !mul0r.
by have [->|kj] := eqVneq k j; [rewrite mulrC | rewrite [A k j]A0 // [B k j]B0 // !mulr0].
Qed.

End Diagonal.

(** ** Products of GH matrices *)

Section Products.

Variables (F : fieldType) (n : nat).
Implicit Types (s : seq ('cV[F]_n * F)) (d : 'rV[F]_n).

Lemma gh_product_cat s s' : gh_product (s ++ s') = gh_product s *m gh_product s'.
Proof. by elim: s => [|vc s IH] /=; rewrite ?mul1mx // IH mulmxA. Qed.

Lemma gh_product_of_identities j (v : 'cV[F]_n) : gh_product (nseq j (v, 0)) = 1%:M.
Proof. by elim: j => //= j ->; rewrite /gh scale0r subr0 mul1mx. Qed.

(** A diagonal matrix has one factor for each coordinate. *)
Lemma gh_product_of_coordinates d : gh_product [seq (delta_mx i 0, 1 - d 0 i) | i <- enum 'I_n] = diag_mx d.
Proof.
have scaled (r : seq 'I_n) j : (delta_mx 0 j : 'rV[F]_n) *m gh_product [seq (delta_mx i 0, 1 - d 0 i) | i <- r] =
    d 0 j ^+ count_mem j r *: delta_mx 0 j.
  elim: r => [|i r IH] /=; first by rewrite mulmx1 expr0 scale1r.
  rewrite mulmxA /gh mulmxBr mulmx1 -scalemxAr trmx_delta mulmxA mul_delta_mx_cond.
  have [->|ji] := eqVneq i j; last by rewrite mulr0n mul0mx scaler0 subr0 IH add0n.
  rewrite mulr1n mul_delta_mx -[X in X - _]scale1r -scalerBl subKr -scalemxAl IH scalerA.
  by rewrite exprS.
apply/row_matrixP=> j; rewrite rowE scaled (count_uniq_mem j (enum_uniq _)) mem_enum expr1.
by rewrite row_diag_mx.
Qed.

End Products.

Section Class.

Variable F : realFieldType.

Definition unit_interval (b : F) : Prop := -1 <= b <= 1.

Lemma unit_intervalE (b : F) : (-1 <= 1 - b <= 1) = (0 <= b <= 2%:R).
Proof.
have two : 1 - -1 = 2%:R :> F by rewrite opprK -mulr2n.
by rewrite ler_subl_addr ler_addl andbC ler_subr_addr -ler_subr_addl two.
Qed.

Variable n : nat.
Implicit Types (M : 'M[F]_n) (s : seq ('cV[F]_n * F)).

Definition gh_class k (Omega : F -> Prop) M : Prop :=
  exists s : seq ('rV[F]_n * F),
    [/\ size s = k, forall v beta, (v, beta) \in s -> dot v v = 1 /\ Omega (1 - beta) &
        gh_product [seq (vb.1^T, vb.2) | vb <- s] = M].

(** 1 - beta in [-1, 1], where beta = c v^T v; v = 0 gives the identity. *)
Definition contracting s := all (fun vc : 'cV[F]_n * F => 0 <= vc.2 * dot vc.1^T vc.1^T <= 2%:R) s.

(** The paper's M^n_k([-1, 1]). *)
Definition gh_factors k M := exists2 s, contracting s & (size s <= k)%N /\ gh_product s = M.

Lemma gh_factorsM j k M M' : gh_factors j M -> gh_factors k M' -> gh_factors (j + k) (M *m M').
Proof.
move=> [s cs [js <-]] [s' cs' [ks <-]]; exists (s ++ s'); first by rewrite /contracting all_cat; apply/andP.
by rewrite size_cat leq_add // gh_product_cat.
Qed.

Lemma gh_factors_one v c : 0 <= c * dot v^T v^T <= 2%:R -> gh_factors 1 (gh v c).
Proof. by move=> beta; exists [:: (v, c)]; rewrite /contracting /= ?beta ?mulmx1. Qed.

Lemma gh_factors_le j k M : (j <= k)%N -> gh_factors j M -> gh_factors k M.
Proof. by move=> jk [s cs [js <-]]; exists s => //; split=> //; apply: leq_trans jk. Qed.

(** No factor makes the identity alone. *)
Lemma gh_factors0 M : gh_factors 0 M <-> M = 1%:M.
Proof. by split=> [[[|a s] _ [//= _ <-]]|->]; last by exists [::]. Qed.

(** Diagonal matrices with entries in [-1, 1]: n factors. *)
Lemma gh_factors_diagonal (d : 'rV[F]_n) : (forall i, -1 <= d 0 i <= 1) -> gh_factors n (diag_mx d).
Proof.
move=> d1; exists [seq (delta_mx i 0, 1 - d 0 i) | i <- enum 'I_n].
  rewrite /contracting all_map; apply/allP=> i _ /=; rewrite /dot trmxK trmx_delta mul_delta_mx mxE !eqxx mulr1.
  by have /andP[lo hi] := d1 i; rewrite subr_ge0 hi ler_subl_addr -ler_subl_addl (_ : 1 - 2%:R = -1) //; ring.
by split; [rewrite size_map size_enum_ord | apply: gh_product_of_coordinates].
Qed.

(** No row vector gets longer. *)
Lemma contracting_bound s x : contracting s -> dot (x *m gh_product s) (x *m gh_product s) <= dot x x.
Proof.
elim: s x => [|[v c] s IH] x /=; first by rewrite mulmx1.
case/andP=> beta cs; rewrite mulmxA; apply: le_trans (IH _ cs) _; have [v0|v0] := eqVneq v 0.
  by rewrite v0 /gh mul0mx scaler0 subr0 mulmx1.
have d0 : dot v^T v^T != 0 by rewrite dot_eq0 trmx_eq0.
by have := @gh_contracts F n x v^T _ beta; rewrite mulfK // trmxK.
Qed.

End Class.

Lemma gh_factors_of_one_unit (F : realFieldType) k (M : 'M[F]_1) : gh_factors k.+1 M <-> -1 <= M 0 0 <= 1.
Proof.
split=> [[s /contracting_bound short [_ <-]]|M1]; last first.
  apply: (@gh_factors_le _ _ 1); first by [].
  have -> : M = diag_mx (\row_i M 0 0) by apply/matrixP=> i j; rewrite !ord1 !mxE eqxx mulr1n.
  by apply: gh_factors_diagonal => i; rewrite mxE.
move: (gh_product s) short => N short; have := short 1%:M.
rewrite mul1mx {2}/dot trmx1 mulmx1 mxE eqxx /dot mxE big_ord1 mxE -expr2 => le.
by rewrite -ler_norml -(@ler_pexpn2r _ 2) ?nnegrE ?ler01 // expr1n real_normK ?num_real.
Qed.

(** No units: every product is the only matrix there is. *)
Lemma gh_factors_of_no_units (F : realFieldType) k (M : 'M[F]_0) : gh_factors k M.
Proof. by exists [::] => //; split=> //; rewrite [LHS]flatmx0 [RHS]flatmx0. Qed.

Section Grow.

Variables (F : realFieldType) (n : nat).

Lemma gh_class_grow k k' (Omega Omega' : F -> Prop) (M : 'M[F]_n.+1) :
  (forall b, Omega b -> Omega' b) -> k' = k \/ (k <= k')%N /\ Omega' 1 -> gh_class k Omega M -> gh_class k' Omega' M.
Proof.
move=> sub grows [s [size_s sE sM]]; have sE' v b : (v, b) \in s -> dot v v = 1 /\ Omega' (1 - b).
  by case/sE=> v1 /sub.
case: grows => [e|[kk one]]; first by exists s; split=> //; rewrite size_s e.
exists (s ++ nseq (k' - k) (delta_mx 0 0, 0)); split; first by rewrite size_cat size_nseq size_s subnKC.
  move=> v b; rewrite mem_cat => /orP[/sE' //|]; rewrite mem_nseq => /andP[_ /eqP[-> ->]]; rewrite subr0.
  by rewrite /dot trmx_delta mul_delta_mx mxE !eqxx.
by rewrite map_cat map_nseq gh_product_cat gh_product_of_identities mulmx1.
Qed.

End Grow.

(** With square roots the two are the same class; without units (n = 0) there is no unit vector. *)
Theorem gh_factors_are_the_class (F : rcfType) n k (M : 'M[F]_n.+1) :
  gh_factors k M <-> gh_class k (@unit_interval F) M.
Proof.
split=> [[s cs [size_s <-]]|[s [size_s sE <-]]]; last first.
  exists [seq (vb.1^T, vb.2) | vb <- s]; last by rewrite size_map size_s.
  rewrite /contracting all_map; apply/allP=> -[v b] /sE[/= v1 b1]; rewrite trmxK v1 mulr1 -unit_intervalE.
  exact: b1.
pose one (vc : 'cV[F]_n.+1 * F) : 'rV[F]_n.+1 * F :=
  if vc.1 == 0 then (delta_mx 0 0, 0)
  else ((Num.sqrt (dot vc.1^T vc.1^T))^-1 *: vc.1^T, vc.2 * dot vc.1^T vc.1^T).
have oneE vc : gh (one vc).1^T (one vc).2 = gh vc.1 vc.2 /\ dot (one vc).1 (one vc).1 = 1.
  case: vc => v c; rewrite /one /=; have [->|v0] := eqVneq v 0.
    rewrite /gh mul0mx scaler0 scale0r; split=> //.
    by rewrite /dot trmx_delta mul_delta_mx mxE !eqxx.
  have d0 : dot v^T v^T != 0 by rewrite dot_eq0 trmx_eq0.
  have q2 : Num.sqrt (dot v^T v^T) ^+ 2 = dot v^T v^T by rewrite sqr_sqrtr // dot_ge0.
  have dZ : (Num.sqrt (dot v^T v^T))^-1 * (Num.sqrt (dot v^T v^T))^-1 = (dot v^T v^T)^-1 by rewrite -invfM -expr2 q2.
  rewrite /= /gh trmxK [(_ *: _)^T]linearZ /= trmxK -scalemxAl -scalemxAr !scalerA -!mulrA dZ divff // mulr1.
  split=> //.
  by rewrite {1}/dot linearZ /= -scalemxAl -scalemxAr scalerA dZ mxE mulVf.
apply: (@gh_class_grow F n (size s) k (@unit_interval F)) => //.
  right; split=> //; rewrite /unit_interval lexx andbT.
  by rewrite (le_trans _ ler01) // oppr_le0 ler01.
exists [seq one vc | vc <- s]; split; first by rewrite size_map.
  move=> v b /mapP[vc vc_s e]; have [_] := oneE vc; rewrite -e /=; split=> //; rewrite /unit_interval unit_intervalE.
  have := allP cs _ vc_s; case: vc e {vc_s} => w c; rewrite /one /=; case: eqP => [_ [_ ->] _|_ [_ ->]] //.
  by rewrite lexx ler0n.
rewrite -map_comp; elim: s {cs size_s} => //= vc s ->.
by have [-> _] := oneE vc.
Qed.

Section GHLayers.

Variables (F : realFieldType) (X Y : Type).
Implicit Type l : affine_layer F X Y.

(** DeltaNet has k = 1, DeltaProduct any k. *)
Definition gh_layer k l : Prop := forall x, gh_factors k (transition l x).

Lemma gh_layer_le j k l : (j <= k)%N -> gh_layer j l -> gh_layer k l.
Proof. by move=> jk gl x; apply: gh_factors_le jk (gl x). Qed.

Lemma gh_layer0 l : gh_layer 0 l <-> forall x, transition l x = 1%:M.
Proof. by split=> gl x; apply/gh_factors0. Qed.

(** Diagonal layers with entries in [-1, 1] have as many factors as units ... *)
Lemma diagonal_gh l : diagonal_layer l -> (forall x i, -1 <= transition l x i i <= 1) -> gh_layer (width l) l.
Proof. by move=> dl l1 x; rewrite (is_diagE (dl x)); apply: gh_factors_diagonal => i; rewrite mxE. Qed.

(** ... and so have bistable ones. *)
Lemma bistable_gh l : bistable_layer l -> gh_layer (width l) l.
Proof.
move=> bl; apply: diagonal_gh; first exact: bistable_diagonal.
move=> x i; have [z ->] := bl; rewrite !mxE eqxx mulr1n.
by case: (z x i); rewrite ?subrr ?subr0 ?oppr_le0 ?ler01 ?lexx ?andbT // (le_trans _ ler01) // oppr_le0 ler01.
Qed.

End GHLayers.

(** ** Bilinear layers, and all kinds whose step is affine *)

Section Bilinear.

Variables (F : fieldType) (n m : nat).
Implicit Types (A : tensor F n m) (h : 'cV[F]_n) (y : 'cV[F]_m).

Definition at_input A y : 'M[F]_n := \matrix_(i, j) \sum_k A j k i * y k 0.

Lemma productE A h y : product A h y = at_input A y *m h.
Proof.
apply/colP=> i; rewrite !mxE.
under eq_bigr do rewrite !mxE mulr_suml.
rewrite exchange_big; apply: eq_bigr => j _; rewrite mxE mulr_suml; apply: eq_bigr => k _.
by rewrite mulrAC.
Qed.

End Bilinear.

Definition bilinear_layer (F : fieldType) m Y (l : affine_layer F 'cV[F]_m Y) : Prop :=
  (exists A : tensor F (width l) m, forall y, transition l y = at_input A y) /\ forall y, input l y = 0.

Section Kinds.

Variables (F : fieldType) (n m : nat) (K : kind F n m).

Definition has_step (l : layer K) (A : 'cV[F]_m -> 'M[F]_n) (B : 'cV[F]_m -> 'cV[F]_n) : Prop :=
  forall h y, next l h y = step A B h y.

(** It hands up its state. *)
Definition as_affine (l : layer K) (A : 'cV[F]_m -> 'M[F]_n) (B : 'cV[F]_m -> 'cV[F]_n) :
  affine_layer F 'cV[F]_m 'cV[F]_n := Affine A B (start l) (fun h _ => h).

Lemma run_as_affine (l : layer K) A B x t : has_step l A B -> transduce (exact (as_affine l A B)) x t = run l x t.
Proof.
move=> lE; rewrite -[LHS]/(at_time (step A B) (start l) x t.+1).
elim: t => [|t IH]; first by rewrite [RHS]lE.
by rewrite -[RHS]/(next l (run l x t) (x t.+1)) lE -IH.
Qed.

End Kinds.

Section Steps.

Variables (F : fieldType) (n m : nat).

Lemma linear_has_step (l : layer (linear_rnn F n m)) : has_step l (fun=> V l) (fun y => U l *m y + bias l).
Proof. by move=> h y; rewrite /step addrA. Qed.

Lemma second_order_has_step (l : layer (second_order F n m)) :
  has_step l (fun y => at_input (A2 l) y + V2 l) (fun y => U2 l *m y + bias2 l).
Proof. by move=> h y; rewrite /step mulmxDl -productE addrA. Qed.

Lemma bilinear_has_step (l : layer (bilinear_rnn F n m)) : has_step l (at_input l.1) (fun=> 0).
Proof. by move=> h y; rewrite /step addr0 -productE. Qed.

Lemma residual_has_step (l : layer (residual F n)) : has_step l (at_input l.1) id.
Proof. by move=> h y; rewrite /step -productE. Qed.

(** A layer of the bilinear kind is a bilinear layer. *)
Lemma bilinear_rnn_bilinear (l : layer (bilinear_rnn F n m)) : bilinear_layer (as_affine l (at_input l.1) (fun=> 0)).
Proof. by split=> //; exists l.1. Qed.

End Steps.

(** Deep networks whose layers have affine steps are stacks: what they compute is an exact run. *)
Section DeepNetworks.

Variables (F : fieldType) (n d : nat) (B : kind F n d) (K : kind F n n).
Variables (low : layer B -> affine_layer F 'cV[F]_d 'cV[F]_n) (up : layer K -> affine_layer F 'cV[F]_n 'cV[F]_n).

Definition stack_of_network (N : network B K) : affine_stack F 'cV[F]_d 'cV[F]_n :=
  foldl (fun s l => Above s (up l)) (Above Input (low (lowest N))) (others N).

Lemma stack_of_network_run (N : network B K) x t :
  (forall l x t, transduce (exact (low l)) x t = run l x t) ->
  (forall l x t, transduce (exact (up l)) x t = run l x t) ->
  exact_run (stack_of_network N) x t = states N x t.
Proof.
move=> lowE upE; case: N => l ls; elim/last_ind: ls t => [|ls l' IH] t; first exact: lowE.
rewrite (states_above (Network l ls)) -upE /stack_of_network /= -cats1 foldl_cat /=.
by apply: (@transduce_ext _ _ (exact (up l')) (exact_run (stack_of_network (Network l ls)) x)) => s; apply: IH.
Qed.

Lemma stack_of_network_height (N : network B K) : height (stack_of_network N) = depth N.
Proof.
case: N => l ls; rewrite /depth /stack_of_network /=; elim/last_ind: ls => // ls l' IH.
by rewrite -cats1 foldl_cat /= IH size_cat addn1.
Qed.

End DeepNetworks.

(** ** Fixed points of passes *)

Section FixedPoints.

Variables (F : fieldType) (n : nat).
Implicit Types (Lam G Q : 'M[F]_n).

Definition block G Q : 'M[F]_n := 1%:M - G *m (1%:M - Q).

Definition dense_transition Lam G Q : 'M[F]_n := invmx (block G Q) *m Lam.

Definition dense_input d G Q (u : 'M[F]_(n, d)) : 'M[F]_(n, d) := invmx (block G Q) *m (G *m (Q *m u)).

(** h = Lambda p + G (Q u + (I - Q) h) iff h is the dense step from p. *)
Lemma dense_stepP d Lam G Q (u p h : 'M[F]_(n, d)) : block G Q \in unitmx ->
  h = Lam *m p + G *m (Q *m u + (1%:M - Q) *m h) <-> h = dense_transition Lam G Q *m p + dense_input G Q u.
Proof.
move=> inv; rewrite /dense_transition /dense_input -mulmxA -mulmxDr.
have e k : k - (Lam *m p + G *m (Q *m u + (1%:M - Q) *m k)) = block G Q *m k - (Lam *m p + G *m (Q *m u)).
  by rewrite mulmxDr addrA opprD addrA /block mulmxBl mul1mx -mulmxA [RHS]addrAC.
split=> [h0|->]; last by apply/eqP; rewrite -subr_eq0 e mulKVmx // subrr.
by rewrite -[LHS](mulKmx inv); congr (_ *m _); apply/eqP; rewrite -subr_eq0 -e subr_eq0; apply/eqP.
Qed.

(** Without a gate: Eq. 2. *)
Lemma block_ungated Q : block 1%:M Q = Q.
Proof. by rewrite /block mul1mx opprB addrC subrK. Qed.

(** Without mixing. *)
Lemma block_unmixed G : block G 1%:M = 1%:M.
Proof. by rewrite /block subrr mulmx0 subr0. Qed.

(** The gate I - Lambda multiplies the mixer too. *)
Lemma block_gated Lam Q : block (1%:M - Lam) Q = Lam + (1%:M - Lam) *m Q.
Proof. by rewrite /block mulmxBr mulmx1 !opprB addrC addrA subrK addrC. Qed.

Lemma dense_transition_unmixed Lam G : dense_transition Lam G 1%:M = Lam.
Proof. by rewrite /dense_transition block_unmixed invmx1 mul1mx. Qed.

Lemma dense_transition_ungated Lam Q : dense_transition Lam 1%:M Q = invmx Q *m Lam.
Proof. by rewrite /dense_transition block_ungated. Qed.

Lemma dense_input_ungated d Q (u : 'M[F]_(n, d)) : Q \in unitmx -> dense_input 1%:M Q u = u.
Proof. by move=> inv; rewrite /dense_input block_ungated mul1mx mulKmx. Qed.

End FixedPoints.

(** ** Which transitions passes without a gate have *)

Section Transitions.

Variables (F : fieldType) (n : nat).
Implicit Types (A : 'M[F]_n) (v : 'cV[F]_n) (w : 'rV[F]_n).

(** The columns of A other than 0 are linearly independent. *)
Definition independent_columns A : Prop := forall v, (forall i, col i A = 0 -> v i 0 = 0) -> A *m v = 0 -> v = 0.

(** Rows that are 0 can be filled so that the matrix is invertible, if the others are independent. *)
Lemma fill_rows A (D := diag_mx (\row_i (row i A != 0)%:R)) :
  (forall w, (forall i, row i A = 0 -> w 0 i = 0) -> w *m A = 0 -> w = 0) -> exists2 B, B \in unitmx & A = D *m B.
Proof.
move=> ind; pose E := 1%:M - D; have DD : D *m D = D.
  by rewrite /D mulmx_diag; congr diag_mx; apply/rowP=> i; rewrite !mxE; case: (_ != _); rewrite ?mulr1 ?mulr0.
have DA : D *m A = A.
  apply/row_matrixP=> i; rewrite row_mul row_diag_mx -scalemxAl -rowE mxE.
  by have [->|_] := eqVneq (row i A) 0; rewrite ?scaler0 ?scale1r.
have DE : D *m E = 0 by rewrite mulmxBr mulmx1 DD subrr.
have ker0 w : w *m A = 0 -> w *m D = 0.
  move=> wA; apply: ind; last by rewrite -mulmxA DA.
  by move=> i i0; rewrite /D mul_mx_diag !mxE i0 eqxx mulr0.
have wE w : w *m D = 0 -> w *m E = w by move=> wD; rewrite mulmxBr mulmx1 wD subr0.
have rE : \rank E = \rank A^C%MS.
  rewrite mxrank_compl -mxrank_ker; apply/eqP; rewrite eqn_leq; apply/andP; split; apply: mxrankS.
    by apply/sub_kermxP; rewrite mulmxBl mul1mx DA subrr.
  apply/row_subP=> i; have /sub_kermxP/ker0/wE <- : (row i (kermx A) <= kermx A)%MS by apply: row_sub.
  exact: submxMl.
pose X := col_ebase E *m pid_mx (\rank E) *m row_ebase A^C%MS.
have XE : X = E *m invmx (row_ebase E) *m row_ebase A^C%MS.
  by rewrite -{1}(mulmx_ebase E) mulmxK ?row_ebase_unit.
have XC : X = col_ebase E *m invmx (col_ebase A^C%MS) *m A^C%MS.
  rewrite -[Y in _ = _ *m Y](mulmx_ebase A^C%MS) /X -!mulmxA; congr (_ *m _); by rewrite mulKmx ?col_ebase_unit // rE.
exists (A + X); last by rewrite mulmxDr DA XE !mulmxA DE !mul0mx addr0.
rewrite -row_free_unit -kermx_eq0; apply/rowV0P=> w /sub_kermxP; rewrite mulmxDr => /eqP; rewrite addr_eq0 => /eqP e.
have wA : w *m A = 0.
  apply/eqP; rewrite -submx0 -(capmx_compl A) sub_capmx submxMl /= e XC mulmxA -mulNmx.
  exact: submxMl.
have wD := ker0 _ wA; rewrite -(wE _ wD).
move/eqP: e; rewrite wA eq_sym oppr_eq0 XE !mulmxA => /eqP /(congr1 (mulmx^~ (invmx (row_ebase A^C%MS)))).
rewrite mulmxK ?row_ebase_unit // mul0mx => /(congr1 (mulmx^~ (row_ebase E))).
by rewrite mulmxKV ?row_ebase_unit // mul0mx.
Qed.

(** A = Q^-1 Lambda, Lambda diagonal: iff the columns other than 0 are independent. *)
Theorem transitions_of_passes A :
  (exists Q lam, Q \in unitmx /\ A = dense_transition (diag_mx lam) 1%:M Q) <-> independent_columns A.
Proof.
split=> [[Q [lam [inv ->]]] v|ind].
  rewrite dense_transition_ungated => supported; rewrite -mulmxA => /(congr1 (mulmx Q)).
  rewrite mulKVmx // mulmx0 => /colP v0; apply/colP=> i; rewrite mxE; have := v0 i; rewrite mul_diag_mx !mxE.
  have [l0 _|l0 /eqP] := eqVneq (lam 0 i) 0; last by rewrite mulf_eq0 (negbTE l0) => /eqP.
  apply: supported; rewrite colE -mulmxA -colE; suff -> : col i (diag_mx lam) = 0 by rewrite mulmx0.
  by apply/colP=> k; rewrite !mxE; case: eqP => [->|_]; rewrite ?mulr0n // l0 mul0rn.
have [w w0 wA|B inv AE] := @fill_rows A^T.
  apply: trmx_inj; rewrite trmx0; apply: ind => [i i0|]; last by rewrite -[A]trmxK -trmx_mul wA trmx0.
  by rewrite mxE; apply: w0; rewrite -tr_col i0 trmx0.
exists (invmx B^T), (\row_i (row i A^T != 0)%:R); rewrite unitmx_inv unitmx_tr; split=> //.
by rewrite dense_transition_ungated invmxK -[LHS]trmxK {1}AE trmx_mul tr_diag_mx.
Qed.

End Transitions.

Theorem all_ones_are_no_transition (F : fieldType) n (A := const_mx 1 : 'M[F]_n.+2) :
  ~ exists Q lam, Q \in unitmx /\ A = dense_transition (diag_mx lam) 1%:M Q.
Proof.
move=> /transitions_of_passes /(_ (delta_mx 0 0 - delta_mx 1 0)) => ind.
have /colP/(_ 0) : (delta_mx 0 0 - delta_mx 1 0 : 'cV[F]_n.+2) = 0.
  apply: ind => [i /colP/(_ 0)|]; first by rewrite !mxE => /eqP; rewrite oner_eq0.
  by rewrite mulmxBr -!colE !col_const subrr.
by rewrite !mxE /= subr0 => /eqP; rewrite oner_eq0.
Qed.

Section FixedPointLayers.

Variables (F : fieldType) (X Y : Type).
Implicit Type l : affine_layer F X Y.

Definition fixed_point_layer l : Prop :=
  exists (lam : X -> 'rV[F]_(width l)) (G Q : X -> 'M[F]_(width l)) (u : X -> 'M[F]_(width l, channels l)),
  forall x, [/\ block (G x) (Q x) \in unitmx, transition l x = dense_transition (diag_mx (lam x)) (G x) (Q x) &
    input l x = dense_input (G x) (Q x) (u x)].

(** Its state is the fixed point of a pass, letter by letter. *)
Lemma fixed_point_step l : fixed_point_layer l -> exists (lam : X -> 'rV[F]_(width l)) (G Q : X -> 'M[F]_(width l)) u,
  forall x p h, h = step (transition l) (input l) p x <->
    h = diag_mx (lam x) *m p + G x *m (Q x *m u x + (1%:M - Q x) *m h).
Proof.
move=> [lam [G [Q [u lE]]]]; exists lam, G, Q, u => x p h; have [inv tE iE] := lE x.
by rewrite /step tE iE; apply: iff_sym; apply: dense_stepP.
Qed.

(** Diagonal layers are such: without gate and mixing. *)
Lemma diagonal_fixed_point l : diagonal_layer l -> fixed_point_layer l.
Proof.
move=> dl; exists (fun x => \row_i transition l x i i), (fun=> 1%:M), (fun=> 1%:M), (input l) => x.
by rewrite block_ungated unitmx1 dense_transition_unmixed dense_input_ungated ?unitmx1 // -is_diagE.
Qed.

(** And invertible transitions: Q is the inverse, Lambda is I. *)
Lemma invertible_fixed_point l : (forall x, transition l x \in unitmx) -> fixed_point_layer l.
Proof.
move=> inv; exists (fun=> const_mx 1), (fun=> 1%:M), (fun x => invmx (transition l x)), (input l) => x.
by rewrite block_ungated dense_transition_ungated dense_input_ungated ?unitmx_inv // invmxK diag_const_mx mulmx1.
Qed.

(** With any gate: a transition's columns other than 0 are independent. *)
Lemma fixed_point_columns l x : fixed_point_layer l -> independent_columns (transition l x).
Proof.
move=> [lam [G [Q [u lE]]]]; have [inv -> _] := lE x; apply/transitions_of_passes.
by exists (block (G x) (Q x)), (lam x); rewrite dense_transition_ungated.
Qed.

End FixedPointLayers.

(** So not every layer is one: with two units, a transition whose entries are all 1. *)
Lemma not_every_layer_fixed_point (F : fieldType) : ~ forall l : affine_layer F unit unit, fixed_point_layer l.
Proof.
pose l : affine_layer F unit unit := Affine (fun=> const_mx 1 : 'M[F]_2) (fun=> 0 : 'cV[F]_2) 0 (fun _ _ => tt).
by move=> /(_ l) fl; have /transitions_of_passes/all_ones_are_no_transition := fixed_point_columns (x := tt) fl.
Qed.

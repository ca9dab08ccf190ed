(** * Fixed points of diagonal recurrences with a mixer, for every width and length

    movahedi25, Eqs. 1 to 4, Theorem 2.1, App. D.2 and F.1. One pass takes a sequence h_1, ..., h_T to
    f(h)_t = Lambda_t f(h)_(t-1) + G_t (Q_t u_t + (I - Q_t) h_t), f(h)_0 = h_0, where u_t = B_t x_t: the input does not
    matter here otherwise. G = I is the ungated layer, G = I - Lambda the gated one.

    - [pass Lam G Q u h0 h]: f(h); [fixed Lam G Q u h0 T h]: f(h) is h up to time T;
    - [dense Lam G Q u h0]: the recurrence with the transitions (I - G_t (I - Q_t))^-1 Lambda_t of classes.v;
    - [largest f], [top v], [row_sums M], [over T f]: the largest number, entry of a vector, row sum of a matrix,
      value up to time T.

    Gates in the Euclidean norm are in gates.v, mixers of GH factors in mixers.v. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import models householder classes.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** The fixed point *)

Section Pass.

Variables (F : fieldType) (d c : nat).
Variables (Lam G Q : nat -> 'M[F]_d) (u : nat -> 'M[F]_(d, c)) (h0 : 'M[F]_(d, c)).
Implicit Types (h : nat -> 'M[F]_(d, c)).

(** A linear recurrence over the times 1, 2, ..., driven by u and by the given sequence. *)
Definition pass h : nat -> 'M[F]_(d, c) := at_time (step Lam (fun t => G t *m (Q t *m u t + (1%:M - Q t) *m h t))) h0 S.

Lemma pass0 h : pass h 0 = h0.
Proof. by []. Qed.

Lemma passS h t : pass h t.+1 = Lam t.+1 *m pass h t + G t.+1 *m (Q t.+1 *m u t.+1 + (1%:M - Q t.+1) *m h t.+1).
Proof. by []. Qed.

Definition fixed T h := forall t, (t <= T)%N -> pass h t = h t.

(** The recurrence of a fixed-point layer of classes.v. *)
Definition dense : nat -> 'M[F]_(d, c) :=
  at_time (step (fun t => dense_transition (Lam t) (G t) (Q t)) (fun t => dense_input (G t) (Q t) (u t))) h0 S.

Lemma denseS t : dense t.+1 = dense_transition (Lam t.+1) (G t.+1) (Q t.+1) *m dense t +
  dense_input (G t.+1) (Q t.+1) (u t.+1).
Proof. by []. Qed.

(** A fixed point is a recurrence, step by step. *)
Lemma fixedP T h :
  fixed T h <-> h 0%N = h0 /\
  forall t, (t < T)%N -> block (G t.+1) (Q t.+1) *m h t.+1 = Lam t.+1 *m h t + G t.+1 *m Q t.+1 *m u t.+1.
Proof.
have side t (a : 'M_(d, c)) : Lam t *m a + G t *m (Q t *m u t + (1%:M - Q t) *m h t) = h t <->
    block (G t) (Q t) *m h t = Lam t *m a + G t *m Q t *m u t.
  rewrite /block (mulmxBl 1%:M) mul1mx mulmxDr !mulmxA addrA; move: (_ *m h t) (Lam t *m a + _) => b e.
  by split=> [<-|<-]; rewrite ?addrK ?subrK.
split=> [fix_h|[h00 rec] t].
  split=> [|t tT]; first by rewrite -fix_h.
  by apply/side; have := fix_h _ tT; rewrite passS (fix_h t (ltnW tT)).
by elim: t => [_|t IH tT]; [rewrite h00 | rewrite passS IH ?(ltnW tT) //; apply/side/rec].
Qed.

(** If the blocks are invertible the fixed points are the dense recurrence. *)
Lemma fixed_dense T h : (forall t, (0 < t <= T)%N -> block (G t) (Q t) \in unitmx) ->
  fixed T h <-> forall t, (t <= T)%N -> h t = dense t.
Proof.
move=> inv; split=> [fix_h|hE t].
  elim=> [_|t IH tT]; first by rewrite -fix_h.
  rewrite denseS -IH ?(ltnW tT) //; apply/(dense_stepP _ _ _ _ (inv t.+1 tT)).
  by rewrite -{1}fix_h // passS fix_h // ltnW.
elim: t => [|t IH] tT; first by rewrite hE.
rewrite passS IH ?(ltnW tT) //; apply/esym; apply/(dense_stepP _ _ _ _ (inv t.+1 tT)).
by rewrite hE // denseS -hE // ltnW.
Qed.

(** So there is exactly one fixed point, whatever the decays do: convergence is another matter. *)
Theorem one_fixed_point T :
  (forall t, (0 < t <= T)%N -> block (G t) (Q t) \in unitmx) ->
  exists2 h, fixed T h & forall h', fixed T h' -> forall t, (t <= T)%N -> h' t = h t.
Proof. by move=> inv; exists dense => [|h' /(fixed_dense _ inv)]; first by apply/(fixed_dense _ inv). Qed.

(** As long as the past is right, an error goes through G (I - Q) alone. *)
Lemma error_step h g t :
  pass h t = pass g t -> pass h t.+1 - pass g t.+1 = G t.+1 *m (1%:M - Q t.+1) *m (h t.+1 - g t.+1).
Proof.
move=> e; rewrite !passS e opprD addrACA subrr add0r -mulmxBr opprD addrACA subrr add0r -mulmxBr.
by rewrite mulmxA.
Qed.

(** The pass at time t sees h up to t only. *)
Lemma pass_causal h g t : (forall s, (0 < s <= t)%N -> h s = g s) -> pass h t = pass g t.
Proof.
elim: t => [//|t IH] hg; rewrite !passS IH ?hg ?leqnn // => s /andP[s0 st].
by rewrite hg // s0 leqW.
Qed.

(** With nilpotent G (I - Q) the iteration ends, exactly: after m passes for each time step. *)
Theorem nilpotent_passes_end T m (h g : nat -> 'M[F]_(d, c)) :
  (forall t, (0 < t <= T)%N -> iter m (mulmx (G t *m (1%:M - Q t))) (1%:M : 'M_d) = 0) -> fixed T g ->
  forall t k, (t <= T)%N -> (m * t < k)%N -> iter k pass h t = g t.
Proof.
move=> nil fix_g; elim=> [|t IH] k tT mk.
  by case: k mk => [|k _]; rewrite ?muln0 // -fix_g.
have past j : (m * t < j)%N -> pass (iter j pass h) t = pass g t.
  by move=> mj; rewrite fix_g ?(ltnW tT) // -(IH j.+1) ?(ltnW tT) // ltnW.
pose A := G t.+1 *m (1%:M - Q t.+1).
have small j : iter (j + (m * t).+1) pass h t.+1 - g t.+1
  = iter j (mulmx A) 1%:M *m (iter (m * t).+1 pass h t.+1 - g t.+1).
  elim: j => [|j IHj]; first by rewrite add0n /= mul1mx.
  rewrite addSn [in LHS]iterS [iter j.+1 _ _]iterS -mulmxA -IHj -{1}(fix_g _ tT).
  by apply: error_step; apply: past; rewrite addnS ltnS leq_addl.
have enough j : (m <= j)%N -> iter j (mulmx A) (1%:M : 'M_d) = 0.
  by move=> /subnKC <-; rewrite addnC iterD nil ?tT //; elim: (j - m)%N => //= i ->; rewrite mulmx0.
apply/eqP; rewrite -subr_eq0; apply/eqP.
have le1 : ((m * t).+1 <= k)%N by rewrite (leq_trans _ mk) // ltnS leq_mul2l leqnSn orbT.
by rewrite -(subnK le1) small enough ?mul0mx // leq_subRL // addSn -mulnSr.
Qed.

End Pass.

Arguments pass : simpl never.

(** The states of a fixed-point layer are the fixed point of passes whose parameters are functions of the letters: the
    letter number t acts at time t + 1. *)
Lemma fixed_point_layer_states (F : fieldType) X Y (l : affine_layer F X Y) : fixed_point_layer l ->
  exists (lam : X -> 'rV[F]_(width l)) (G Q : X -> 'M[F]_(width l)) (u : X -> 'M[F]_(width l, channels l)),
  forall x T h (y := fun t => x t.-1),
    fixed (fun t => diag_mx (lam (y t))) (G \o y) (Q \o y) (u \o y) (origin l) T h <->
    forall t, (t <= T)%N -> h t = at_time (step (transition l) (input l)) (origin l) x t.
Proof.
move=> [lam [G [Q [u lE]]]]; exists lam, G, Q, u => x T h y.
have runE t : dense (fun t => diag_mx (lam (y t))) (G \o y) (Q \o y) (u \o y) (origin l) t =
    at_time (step (transition l) (input l)) (origin l) x t.
  by elim: t => // t IH; rewrite denseS IH /step /=; have [_ -> ->] := lE (x t).
rewrite fixed_dense; first by split=> hE t tT; rewrite hE ?runE.
by move=> t _; have [] := lE (y t).
Qed.

(** Eq. 2: without a gate the fixed point is the dense recurrence with A = Q^-1 Lambda. *)
Theorem ungated_fixed_point (F : fieldType) d (Lam Q : nat -> 'M[F]_d) (u : nat -> 'cV[F]_d) h0 T h :
  (forall t, (0 < t <= T)%N -> Q t \in unitmx) ->
  fixed Lam (fun=> 1%:M) Q u h0 T h <->
  h 0%N = h0 /\ forall t, (t < T)%N -> h t.+1 = invmx (Q t.+1) *m Lam t.+1 *m h t + u t.+1.
Proof.
move=> inv; rewrite fixedP; split=> -[h00 rec]; split=> // t tT; have /inv q : (0 < t.+1 <= T)%N by [].
  have := rec t tT; rewrite block_ungated !mul1mx => /(congr1 (mulmx (invmx (Q t.+1)))).
  by rewrite mulKmx // mulmxDr mulKmx // mulmxA.
by rewrite rec // block_ungated !mul1mx mulmxDr -mulmxA mulKVmx.
Qed.

(** The gate multiplies the mixer too. *)
Theorem gated_fixed_point (F : fieldType) d (Lam Q : nat -> 'M[F]_d) (u : nat -> 'cV[F]_d) h0 T h :
  (forall t, (0 < t <= T)%N -> Lam t + (1%:M - Lam t) *m Q t \in unitmx) ->
  fixed Lam (fun t => 1%:M - Lam t) Q u h0 T h <->
  h 0%N = h0 /\ forall t, (t < T)%N ->
    h t.+1 = invmx (Lam t.+1 + (1%:M - Lam t.+1) *m Q t.+1) *m
      (Lam t.+1 *m h t + (1%:M - Lam t.+1) *m Q t.+1 *m u t.+1).
Proof.
move=> inv; rewrite fixedP; split=> -[h00 rec]; split=> // t tT; have /inv q : (0 < t.+1 <= T)%N by [].
  by rewrite -rec // block_gated mulKmx.
by rewrite rec // block_gated mulKVmx.
Qed.

(** The mixer that gives the gated layer the transition Q^-1 Lambda of Eq. 2. *)
Theorem gated_mixer (F : fieldType) d (Lam Q : 'M[F]_d) (Q' := invmx (1%:M - Lam) *m (Q - Lam)) :
  1%:M - Lam \in unitmx ->
  invmx (Lam + (1%:M - Lam) *m Q') *m Lam = invmx Q *m Lam /\ 1%:M - Q' = invmx (1%:M - Lam) *m (1%:M - Q).
Proof.
move=> inv; split; first by rewrite mulKVmx // addrC subrK.
by rewrite -{1}(mulVmx inv) -mulmxBr opprB addrA subrK.
Qed.

(** With the mixer unchanged it is another transition: already 2/3 for 1 with Lambda = Q = 1/2. *)
Theorem gate_changes_the_transition (F : numFieldType) (Lam := 2%:R^-1 : F) (Q := 2%:R^-1 : F) :
  [/\ 0 < Lam < 1, 0 < Q < 1 & (Lam + (1 - Lam) * Q)^-1 * Lam != Q^-1 * Lam].
Proof.
have h1 : 0 < (2%:R^-1 : F) < 1 by rewrite invr_gt0 ltr0n invf_lt1 ?ltr0n ?ltr1n.
split=> //; rewrite mulVf ?invr_eq0 ?pnatr_eq0 // -subr_eq0.
have -> : (Lam + (1 - Lam) * Q)^-1 * Lam - 1 = - (3%:R)^-1.
  by rewrite /Lam /Q; field.
by rewrite oppr_eq0 invr_eq0 pnatr_eq0.
Qed.

(** ** The largest entry: gates that depend on the input *)

Section LargestEntry.

Variable F : realFieldType.

(** The largest of finitely many numbers and 0. *)
Definition largest n (f : 'I_n -> F) : F := \big[Num.max/0]_i f i.

Lemma largest_le n (f : 'I_n -> F) c : (largest f <= c) = (0 <= c) && [forall i, f i <= c].
Proof.
rewrite /largest; elim: n f => [|n IH] f.
  by rewrite big_ord0; case: (0 <= c) => //=; symmetry; apply/forallP=> -[].
rewrite big_ord_recl le_maxl IH andbCA; congr (_ && _).
apply/andP/forallP=> [[f0 /forallP fi] i|fi]; last by split=> //; apply/forallP=> i.
by have [j ->|->] := unliftP ord0 i.
Qed.

Lemma largest_ge n (f : 'I_n -> F) i : f i <= largest f.
Proof. by have := lexx (largest f); rewrite {1}largest_le => /andP[_ /forallP]. Qed.

Lemma largest_ge0 n (f : 'I_n -> F) : 0 <= largest f.
Proof. by have := lexx (largest f); rewrite {1}largest_le => /andP[]. Qed.

Variable d : nat.

(** The norms of a vector, of a matrix acting on it, and of a sequence of length T. *)
Definition top (v : 'cV[F]_d) : F := largest (fun i => `|v i 0|).

Definition row_sums (M : 'M[F]_d) : F := largest (fun i => \sum_j `|M i j|).

Definition over T (f : nat -> F) : F := largest (fun t : 'I_T => f t.+1).

Lemma over_ge T f t : (0 < t <= T)%N -> f t <= over T f.
Proof. by case: t => // t /= tT; apply: (largest_ge (fun t : 'I_T => f t.+1) (Ordinal tT)). Qed.

Lemma top_mul (M : 'M[F]_d) v : top (M *m v) <= row_sums M * top v.
Proof.
rewrite largest_le mulr_ge0 ?largest_ge0 //=; apply/forallP=> i; rewrite mxE.
apply: le_trans (ler_norm_sum _ _ _) _.
apply: (@le_trans _ _ ((\sum_j `|M i j|) * top v)); last first.
  by rewrite ler_wpmul2r ?largest_ge0 //; apply: (largest_ge (fun i => \sum_j `|M i j|)).
rewrite mulr_suml; apply: ler_sum => j _; rewrite normrM ler_wpmul2l //.
exact: (largest_ge (fun i => `|v i 0|)).
Qed.

Variables (lam : nat -> 'rV[F]_d) (Q : nat -> 'M[F]_d) (u : nat -> 'cV[F]_d) (h0 : 'cV[F]_d).

(** A gated pass, channel by channel. *)
Notation gated := (pass (fun t => diag_mx (lam t)) (fun t => 1%:M - diag_mx (lam t)) Q u h0).

Lemma gated_difference h g t i :
  (gated h t.+1 - gated g t.+1) i 0 =
  lam t.+1 0 i * (gated h t - gated g t) i 0 + (1 - lam t.+1 0 i) * ((1%:M - Q t.+1) *m (h t.+1 - g t.+1)) i 0.
Proof.
rewrite !passS opprD addrACA -mulmxBr -mulmxBr opprD addrACA subrr add0r -mulmxBr.
rewrite mxE mul_diag_mx mxE mulmxBl mul1mx mul_diag_mx; move: (_ *m _) => g'.
by rewrite !mxE mulrBl mul1r.
Qed.

(** Every channel is a weighted mean of what comes in: the selective gate contracts by max ||I - Q_t||, at every
    length. *)
Theorem selective_gate_contracts T h g :
  (forall t i, 0 <= lam t 0 i < 1) ->
  over T (fun t => top (gated h t - gated g t)) <=
  over T (fun t => row_sums (1%:M - Q t)) * over T (fun t => top (h t - g t)).
Proof.
move=> lam01; set gamma := over T (fun t => row_sums _); set delta := over T (fun t => top (h t - g t)).
have gd0 : 0 <= gamma * delta by rewrite mulr_ge0 ?largest_ge0.
have entry t i : (t <= T)%N -> `|(gated h t - gated g t) i 0| <= gamma * delta.
  elim: t i => [|t IH] i tT; first by rewrite !pass0 subrr mxE normr0.
  rewrite gated_difference; have /andP[l0 l1] := lam01 t.+1 i; set l := lam _ _ _ in l0 l1 *.
  apply: le_trans (ler_norm_add _ _) _; rewrite !normrM (ger0_norm l0) (@ger0_norm _ (1 - l)) ?subr_ge0 ?(ltW l1) //.
  have -> : gamma * delta = l * (gamma * delta) + (1 - l) * (gamma * delta) by rewrite -mulrDl addrCA subrr addr0 mul1r.
  apply: ler_add; first by rewrite ler_wpmul2l // IH // ltnW.
  rewrite ler_wpmul2l ?subr_ge0 ?(ltW l1) //.
  apply: (@le_trans _ _ (top ((1%:M - Q t.+1) *m (h t.+1 - g t.+1)))).
    exact: (largest_ge (fun i => `|((1%:M - Q t.+1) *m (h t.+1 - g t.+1)) i 0|)).
  apply: le_trans (top_mul _ _) _; rewrite ler_pmul ?largest_ge0 //.
    by apply: (@over_ge T (fun t => row_sums (1%:M - Q t)) t.+1).
  by apply: (@over_ge T (fun t => top (h t - g t)) t.+1).
rewrite {1}/over largest_le gd0; apply/forallP=> t /=; rewrite largest_le gd0; apply/forallP=> i.
exact: (entry t.+1 i (ltn_ord t)).
Qed.

End LargestEntry.

(** ** Variants that are false *)

Section False.

Variable F : realFieldType.

(** With the input as it is, not mixed: d = T = 1, Q = 2, u = 1. *)
Theorem not_ungated_fixed_point_of_raw_inputs :
  ~ (forall (Lam Q : nat -> 'M[F]_1) (u : nat -> 'cV[F]_1) h0 T h, (forall t, (0 < t <= T)%N -> Q t \in unitmx) ->
     fixed Lam (fun=> 1%:M) Q u h0 T h ->
     h 0%N = h0 /\ forall t, (t < T)%N -> h t.+1 = invmx (Q t.+1) *m Lam t.+1 *m h t + invmx (Q t.+1) *m u t.+1).
Proof.
move/(_ (fun=> 0) (fun=> 2%:R%:M) (fun=> 1%:M) 0 1%N (fun t => if t is 0 then 0 else 1%:M)) => bad.
have inv : (2%:R%:M : 'M[F]_1) \in unitmx by rewrite unitmxE det_scalar1 unitfE pnatr_eq0.
have fix1 : fixed (fun=> 0) (fun=> 1%:M) (fun=> 2%:R%:M) (fun=> 1%:M) 0 1
    (fun t => if t is 0 then 0 else 1%:M : 'cV[F]_1).
  by case=> [|[|t]] //= _; rewrite passS mul0mx add0r mul1mx !mulmx1 addrC subrK.
have [_ /(_ 0%N isT)] := bad (fun _ _ => inv) fix1.
rewrite mulmx0 add0r mulmx1 => /(congr1 (mulmx (2%:R%:M : 'M[F]_1))); rewrite mulmxV // mulmx1 => /matrixP/(_ 0 0).
by rewrite !mxE /= !mulr1n => /eqP; rewrite -subr_eq0 mulr2n addrK oner_eq0.
Qed.

(** With the mixer unchanged the gate gives another transition. *)
Theorem not_gated_transition_is_dense :
  ~ (forall lam q : F, 0 < lam < 1 -> 0 < q < 1 -> (lam + (1 - lam) * q)^-1 * lam = q^-1 * lam).
Proof. by have [l q /eqP ne] := gate_changes_the_transition F; move/(_ _ _ l q). Qed.

(** A block that is not invertible: Q = 0 leaves every sequence fixed. *)
Theorem not_one_fixed_point_for_any_blocks :
  ~ (forall (Lam G Q : nat -> 'M[F]_1) (u : nat -> 'cV[F]_1) h0 h h' T,
       fixed Lam G Q u h0 T h -> fixed Lam G Q u h0 T h' -> forall t, (t <= T)%N -> h' t = h t).
Proof.
move/(_ (fun=> 0) (fun=> 1%:M) (fun=> 0) (fun=> 0) 0 (fun=> 0) (fun t => if t is 0 then 0 else 1%:M) 1%N) => bad.
suff : (1%:M : 'M[F]_1) = 0 by move/matrixP/(_ 0 0); rewrite !mxE => /eqP; rewrite oner_eq0.
by apply: (bad _ _ 1%N isT) => -[|[|t]] //= _; rewrite passS ?mulmx0 ?mul0mx !add0r ?subr0 ?mul1mx ?mulmx1 ?mulmx0.
Qed.

End False.

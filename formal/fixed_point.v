(** * Fixed points of diagonal recurrences with a mixer, for every width and length

    movahedi25, Eqs. 1 to 4, Theorem 2.1, App. D.2 and F.1. One pass takes a sequence h_1, ..., h_T to
    f(h)_t = Lambda_t f(h)_(t-1) + G_t (Q_t u_t + (I - Q_t) h_t), f(h)_0 = h_0, where u_t = B_t x_t: the input does not matter here otherwise.
    G = I is the ungated layer, G = I - Lambda the gated one. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import householder.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** The fixed point *)

Section Pass.

Variables (F : fieldType) (d : nat).
Variables (Lam G Q : nat -> 'M[F]_d) (u : nat -> 'cV[F]_d) (h0 : 'cV[F]_d).
Implicit Types (h : nat -> 'cV[F]_d).

Fixpoint pass h t : 'cV[F]_d :=
  if t is t'.+1 then Lam t *m pass h t' + G t *m (Q t *m u t + (1%:M - Q t) *m h t) else h0.

(** What multiplies h_t when everything is moved to one side. *)
Definition block t : 'M[F]_d := 1%:M - G t *m (1%:M - Q t).

Definition fixed T h := forall t, (t <= T)%N -> pass h t = h t.

(** A fixed point is a recurrence, step by step. *)
Lemma fixedP T h :
  fixed T h <-> h 0%N = h0 /\ forall t, (t < T)%N -> block t.+1 *m h t.+1 = Lam t.+1 *m h t + G t.+1 *m Q t.+1 *m u t.+1.
Proof.
have side t (a : 'cV_d) : Lam t *m a + G t *m (Q t *m u t + (1%:M - Q t) *m h t) = h t <->
    block t *m h t = Lam t *m a + G t *m Q t *m u t.
  rewrite /block (mulmxBl 1%:M) mul1mx mulmxDr !mulmxA addrA; move: (_ *m h t) (Lam t *m a + _) => b c.
  by split=> [e|e]; rewrite -e ?addrK ?subrK.
split=> [fix_h|[h00 rec] t].
  split=> [|t tT]; first by rewrite -fix_h.
  by apply/side; have := fix_h _ tT; rewrite /= (fix_h t (ltnW tT)).
by elim: t => [_|t IH tT] //=; rewrite IH ?(ltnW tT) //; apply/side/rec.
Qed.

(** If the blocks are invertible there is exactly one fixed point, whatever the decays do: convergence is another matter. *)
Theorem one_fixed_point T :
  (forall t, (0 < t <= T)%N -> block t \in unitmx) ->
  exists2 h, fixed T h & forall h', fixed T h' -> forall t, (t <= T)%N -> h' t = h t.
Proof.
move=> inv.
pose h := fix h t := if t is t'.+1 then invmx (block t) *m (Lam t *m h t' + G t *m Q t *m u t) else h0.
exists h => [|h' /fixedP[h'0 rec] t].
  by apply/fixedP; split=> // t tT; rewrite mulKVmx // inv.
elim: t => [//|t IH tT]; have /inv b : (0 < t.+1 <= T)%N by [].
by rewrite -[LHS](mulKmx b) rec // IH // ltnW.
Qed.

(** As long as the past is right, an error goes through G (I - Q) alone. *)
Lemma error_step h g t :
  pass h t = pass g t -> pass h t.+1 - pass g t.+1 = G t.+1 *m (1%:M - Q t.+1) *m (h t.+1 - g t.+1).
Proof.
move=> e; rewrite /= e opprD addrACA subrr add0r -mulmxBr opprD addrACA subrr add0r -mulmxBr.
by rewrite mulmxA.
Qed.

(** The pass at time t sees h up to t only. *)
Lemma pass_causal h g t : (forall s, (0 < s <= t)%N -> h s = g s) -> pass h t = pass g t.
Proof.
elim: t => [//|t IH] hg /=; rewrite IH ?hg ?leqnn // => s /andP[s0 st].
by rewrite hg // s0 leqW.
Qed.

(** With nilpotent G (I - Q) the iteration ends, exactly: after m passes for each time step. *)
Theorem nilpotent_passes_end T m (h g : nat -> 'cV[F]_d) :
  (forall t, (0 < t <= T)%N -> iter m (mulmx (G t *m (1%:M - Q t))) (1%:M : 'M_d) = 0) -> fixed T g ->
  forall t k, (t <= T)%N -> (m * t < k)%N -> iter k pass h t = g t.
Proof.
move=> nil fix_g; elim=> [|t IH] k tT mk.
  by case: k mk => [|k _]; rewrite ?muln0 // -fix_g.
have past j : (m * t < j)%N -> pass (iter j pass h) t = pass g t.
  by move=> mj; rewrite fix_g ?(ltnW tT) // -(IH j.+1) ?(ltnW tT) // ltnW.
pose A := G t.+1 *m (1%:M - Q t.+1).
have small j : iter (j + (m * t).+1) pass h t.+1 - g t.+1 = iter j (mulmx A) 1%:M *m (iter (m * t).+1 pass h t.+1 - g t.+1).
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

(** Eq. 2: without a gate the fixed point is the dense recurrence with A = Q^-1 Lambda. *)
Theorem ungated_fixed_point (F : fieldType) d (Lam Q : nat -> 'M[F]_d) u h0 T h :
  (forall t, (0 < t <= T)%N -> Q t \in unitmx) ->
  fixed Lam (fun=> 1%:M) Q u h0 T h <->
  h 0%N = h0 /\ forall t, (t < T)%N -> h t.+1 = invmx (Q t.+1) *m Lam t.+1 *m h t + u t.+1.
Proof.
move=> inv; rewrite fixedP; split=> -[h00 rec]; split=> // t tT; have /inv q : (0 < t.+1 <= T)%N by [].
  have := rec t tT; rewrite /block !mul1mx opprB addrC subrK => /(congr1 (mulmx (invmx (Q t.+1)))).
  by rewrite mulKmx // mulmxDr mulKmx // mulmxA.
by rewrite rec // /block !mul1mx opprB addrC subrK mulmxDr -mulmxA mulKVmx.
Qed.

(** The gate multiplies the mixer too. *)
Lemma gated_block (F : fieldType) d (Lam Q : 'M[F]_d) :
  1%:M - (1%:M - Lam) *m (1%:M - Q) = Lam + (1%:M - Lam) *m Q.
Proof. by rewrite mulmxBr mulmx1 !opprB addrC addrA subrK addrC. Qed.

Theorem gated_fixed_point (F : fieldType) d (Lam Q : nat -> 'M[F]_d) u h0 T h :
  (forall t, (0 < t <= T)%N -> Lam t + (1%:M - Lam t) *m Q t \in unitmx) ->
  fixed Lam (fun t => 1%:M - Lam t) Q u h0 T h <->
  h 0%N = h0 /\ forall t, (t < T)%N ->
    h t.+1 = invmx (Lam t.+1 + (1%:M - Lam t.+1) *m Q t.+1) *m (Lam t.+1 *m h t + (1%:M - Lam t.+1) *m Q t.+1 *m u t.+1).
Proof.
move=> inv; rewrite fixedP; split=> -[h00 rec]; split=> // t tT; have /inv q : (0 < t.+1 <= T)%N by [].
  by rewrite -rec // /block gated_block mulKmx.
by rewrite rec // /block gated_block mulKVmx.
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
rewrite /= opprD addrACA -mulmxBr -mulmxBr opprD addrACA subrr add0r -mulmxBr.
rewrite mxE mul_diag_mx mxE mulmxBl mul1mx mul_diag_mx; move: (_ *m _) => g'.
by rewrite !mxE mulrBl mul1r.
Qed.

(** Every channel is a weighted mean of what comes in: the selective gate contracts by max ||I - Q_t||, at every length. *)
Theorem selective_gate_contracts T h g :
  (forall t i, 0 <= lam t 0 i < 1) ->
  over T (fun t => top (gated h t - gated g t)) <=
  over T (fun t => row_sums (1%:M - Q t)) * over T (fun t => top (h t - g t)).
Proof.
move=> lam01; set gamma := over T (fun t => row_sums _); set delta := over T (fun t => top (h t - g t)).
have gd0 : 0 <= gamma * delta by rewrite mulr_ge0 ?largest_ge0.
have entry t i : (t <= T)%N -> `|(gated h t - gated g t) i 0| <= gamma * delta.
  elim: t i => [|t IH] i tT; first by rewrite /= subrr mxE normr0.
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

(** ** The Euclidean norm: one decay per channel, the same at all times *)

Section Euclid.

Variables (F : realFieldType) (d : nat).
Implicit Types (v : 'cV[F]_d) (M : 'M[F]_d).

(** Lengths are squared throughout, so that no root is needed. *)
Definition len2 v : F := \sum_i v i 0 ^+ 2.

(** [gain M c]: M lengthens no vector more than c times. *)
Definition gain M c := forall v, len2 (M *m v) <= c ^+ 2 * len2 v.

Lemma len2_ge0 v : 0 <= len2 v.
Proof. by rewrite sumr_ge0 // => i _; apply: sqr_ge0. Qed.

(** The square of a weighted mean is at most the mean of the squares; weights of any sign. *)
Lemma mean_square (l a b : F) : `|l| <= 1 -> (l * a + (1 - `|l|) * b) ^+ 2 <= `|l| * a ^+ 2 + (1 - `|l|) * b ^+ 2.
Proof.
move=> l1; rewrite -subr_ge0.
have [l0|l0] := ger0P l; rewrite ?(ger0_norm l0) ?(ltr0_norm l0) in l1 *.
  have -> : l * a ^+ 2 + (1 - l) * b ^+ 2 - (l * a + (1 - l) * b) ^+ 2 = l * (1 - l) * (a - b) ^+ 2 by ring.
  by rewrite mulr_ge0 ?sqr_ge0 // mulr_ge0 ?subr_ge0.
have -> : - l * a ^+ 2 + (1 - - l) * b ^+ 2 - (l * a + (1 - - l) * b) ^+ 2 = - l * (1 - - l) * (a + b) ^+ 2 by ring.
by rewrite mulr_ge0 ?sqr_ge0 // mulr_ge0 ?subr_ge0 // oppr_ge0 ltW.
Qed.

(** One channel: e_t = l e_(t-1) + (1 - |l|) g_t from 0 is no longer than g, at any length. *)
Lemma channel_contracts (l : F) (e g : nat -> F) T :
  `|l| < 1 -> e 0%N = 0 -> (forall t, (t < T)%N -> e t.+1 = l * e t + (1 - `|l|) * g t.+1) ->
  \sum_(t < T) e t.+1 ^+ 2 <= \sum_(t < T) g t.+1 ^+ 2.
Proof.
move=> l1 e0 rec.
suff : \sum_(t < T) e t.+1 ^+ 2 + `|l| / (1 - `|l|) * e T ^+ 2 <= \sum_(t < T) g t.+1 ^+ 2.
  by apply: le_trans; rewrite ler_addl mulr_ge0 ?sqr_ge0 // divr_ge0 ?subr_ge0 // ltW.
elim: T rec => [|T IH] rec; first by rewrite !big_ord0 e0 expr0n mulr0 addr0.
rewrite !big_ord_recr /=.
apply: le_trans (ler_add (IH (fun t tT => rec t (ltnW tT))) (lexx _)); rewrite -!addrA ler_add2l.
have := @mean_square l (e T) (g T.+1) (ltW l1); rewrite -rec //; set q := `|l| in l1 *.
have q1 : 0 < 1 - q by rewrite subr_gt0.
move: (e T.+1 ^+ 2) (e T ^+ 2) (g T.+1 ^+ 2) => x y z le.
have -> : x + q / (1 - q) * x = x / (1 - q) by field; rewrite gt_eqF.
have -> : q / (1 - q) * y + z = (q * y + (1 - q) * z) / (1 - q) by field; rewrite gt_eqF.
by rewrite ler_pmul2r ?invr_gt0.
Qed.

Variables (lam w : 'rV[F]_d) (Q : nat -> 'M[F]_d) (u : nat -> 'cV[F]_d) (h0 : 'cV[F]_d).

Notation weighted := (pass (fun=> diag_mx lam) (fun=> diag_mx w) Q u h0).

Lemma weighted_difference h g t i :
  (weighted h t.+1 - weighted g t.+1) i 0 =
  lam 0 i * (weighted h t - weighted g t) i 0 + w 0 i * ((1%:M - Q t.+1) *m (h t.+1 - g t.+1)) i 0.
Proof.
rewrite /= opprD addrACA -mulmxBr -mulmxBr opprD addrACA subrr add0r -mulmxBr.
by rewrite mxE mul_diag_mx mxE mul_diag_mx [X in _ + X]mxE.
Qed.

(** Any gate w with |w| <= K (1 - |lambda|): over any T the constant is at most K max ||I - Q_t||. *)
Theorem gate_bounds_the_gain K T c h g :
  (forall i, `|lam 0 i| < 1) -> (forall i, `|w 0 i| <= K * (1 - `|lam 0 i|)) ->
  (forall t, (0 < t <= T)%N -> gain (1%:M - Q t) c) ->
  \sum_(t < T) len2 (weighted h t.+1 - weighted g t.+1) <= (K * c) ^+ 2 * \sum_(t < T) len2 (h t.+1 - g t.+1).
Proof.
move=> lam1 wK gainQ; pose m t := (1%:M - Q t) *m (h t - g t).
apply: (@le_trans _ _ (K ^+ 2 * \sum_(t < T) len2 (m t.+1))); last first.
  rewrite exprMn -[X in _ <= X]mulrA ler_wpmul2l ?sqr_ge0 // mulr_sumr; apply: ler_sum => t _.
  by apply: gainQ; rewrite /= ltn_ord.
rewrite /len2 exchange_big [X in _ <= _ * X]exchange_big mulr_sumr /=; apply: ler_sum => i _.
have q0 : 0 < 1 - `|lam 0 i| by rewrite subr_gt0.
pose k := w 0 i / (1 - `|lam 0 i|).
apply: (@le_trans _ _ (\sum_(t < T) (k * m t.+1 i 0) ^+ 2)).
  apply: (@channel_contracts (lam 0 i) (fun t => (weighted h t - weighted g t) i 0) (fun t => k * m t i 0)) => //.
    by rewrite /= subrr mxE.
  by move=> t _; rewrite weighted_difference mulrA [_ * k]mulrC divfK // gt_eqF.
rewrite mulr_sumr; apply: ler_sum => t _; rewrite exprMn ler_wpmul2r ?sqr_ge0 //.
rewrite -[k ^+ 2]real_normK ?num_real // ler_sqr ?nnegrE //.
  by rewrite normrM normfV (gtr0_norm q0) ler_pdivr_mulr.
by rewrite -(pmulr_lge0 _ q0); apply: le_trans (wK i).
Qed.

End Euclid.

Section Gates.

Variables (F : realFieldType) (d : nat) (lam : 'rV[F]_d) (Q : nat -> 'M[F]_d) (u : nat -> 'cV[F]_d) (h0 : 'cV[F]_d).

(** The gate I - |Lambda| contracts for decays of any sign ... *)
Theorem modulus_gate_contracts T c h g (f := pass (fun=> diag_mx lam) (fun=> diag_mx (\row_i (1 - `|lam 0 i|))) Q u h0) :
  (forall i, `|lam 0 i| < 1) -> (forall t, (0 < t <= T)%N -> gain (1%:M - Q t) c) ->
  \sum_(t < T) len2 (f h t.+1 - f g t.+1) <= c ^+ 2 * \sum_(t < T) len2 (h t.+1 - g t.+1).
Proof.
move=> lam1 gainQ; rewrite -[c in X in _ <= X]mul1r; apply: gate_bounds_the_gain => // i.
by rewrite mxE mul1r ger0_norm // subr_ge0 ltW.
Qed.

(** ... and the gate I - Lambda amplifies (1 - lambda) / (1 - |lambda|) times at most. *)
Theorem signed_gate_bound T c h g (f := pass (fun=> diag_mx lam) (fun=> 1%:M - diag_mx lam) Q u h0) :
  (forall i, `|lam 0 i| < 1) -> (forall t, (0 < t <= T)%N -> gain (1%:M - Q t) c) ->
  \sum_(t < T) len2 (f h t.+1 - f g t.+1) <=
  (largest (fun i => (1 - lam 0 i) / (1 - `|lam 0 i|)) * c) ^+ 2 * \sum_(t < T) len2 (h t.+1 - g t.+1).
Proof.
move=> lam1 gainQ; have gateE : 1%:M - diag_mx lam = diag_mx (\row_i (1 - lam 0 i)).
  by apply/matrixP=> i j; rewrite !mxE; case: (i == j) => //; rewrite subrr.
rewrite /f gateE; apply: gate_bounds_the_gain => // i; have q0 : 0 < 1 - `|lam 0 i| by rewrite subr_gt0.
rewrite mxE ger0_norm ?subr_ge0 ?(le_trans (ler_norm _) (ltW (lam1 i))) // -ler_pdivr_mulr //.
exact: (largest_ge (fun i => (1 - lam 0 i) / (1 - `|lam 0 i|))).
Qed.

End Gates.

(** ** For 0 <= Lambda < 1 the gate I - Lambda has exactly the constant ||I - Q||, and passes converge at that rate *)

Section Gated.

Variables (F : realFieldType) (d : nat) (lam : 'rV[F]_d) (Q : 'M[F]_d) (u : nat -> 'cV[F]_d) (h0 : 'cV[F]_d).

Hypothesis lam01 : forall i, 0 <= lam 0 i < 1.

Notation gated := (pass (fun=> diag_mx lam) (fun=> 1%:M - diag_mx lam) (fun=> Q) u h0).

Lemma gate_of_modulus : 1%:M - diag_mx lam = diag_mx (\row_i (1 - `|lam 0 i|)).
Proof.
apply/matrixP=> i j; rewrite !mxE; have /andP[l0 _] := lam01 i.
by case: eqP => _; rewrite ?subrr // !mulr1n ger0_norm.
Qed.

Lemma gated_contracts T c h g :
  gain (1%:M - Q) c ->
  \sum_(t < T) len2 (gated h t.+1 - gated g t.+1) <= c ^+ 2 * \sum_(t < T) len2 (h t.+1 - g t.+1).
Proof.
move=> gainQ; rewrite gate_of_modulus; apply: modulus_gate_contracts => // i.
by have /andP[l0 l1] := lam01 i; rewrite ger0_norm.
Qed.

(** On a constant difference v the outputs approach (I - Q) v; the delay costs a fixed amount, whatever T is. *)
Lemma gated_constant v t i :
  (gated (fun=> v) t - gated (fun=> 0) t) i 0 = (1 - lam 0 i ^+ t) * ((1%:M - Q) *m v) i 0.
Proof.
elim: t => [|t IH]; first by rewrite /= subrr mxE expr0 subrr mul0r.
have := @weighted_difference _ _ lam (\row_i (1 - `|lam 0 i|)) (fun=> Q) u h0 (fun=> v) (fun=> 0) t i.
rewrite -gate_of_modulus => ->; rewrite IH subr0 [X in _ + X * _]mxE ger0_norm; last by case/andP: (lam01 i).
by rewrite mulrA -mulrDl exprS; congr (_ * _); move: (_ ^+ t) => x; ring.
Qed.

Lemma geometric (l : F) T : 0 <= l < 1 -> \sum_(t < T) l ^+ t.+1 <= (1 - l)^-1.
Proof.
case/andP=> l0 l1; have q0 : 0 < 1 - l by rewrite subr_gt0.
rewrite -[X in _ <= X]mul1r ler_pdivl_mulr //.
suff -> : (\sum_(t < T) l ^+ t.+1) * (1 - l) = l - l ^+ T.+1.
  by rewrite ler_subl_addr (le_trans (ltW l1)) // ler_addl exprn_ge0.
elim: T => [|T IH]; first by rewrite big_ord0 mul0r expr1 subrr.
by rewrite big_ord_recr /= mulrDl IH !exprS; move: (l ^+ T) => x; ring.
Qed.

Definition delay (v : 'cV[F]_d) : F := \sum_i 2%:R * (1 - lam 0 i)^-1 * ((1%:M - Q) *m v) i 0 ^+ 2.

Lemma gated_constant_sum T v :
  T%:R * len2 ((1%:M - Q) *m v) - delay v <= \sum_(t < T) len2 (gated (fun=> v) t.+1 - gated (fun=> 0) t.+1).
Proof.
rewrite /len2 exchange_big mulr_sumr /delay -sumrB; apply: ler_sum => i _.
under eq_bigr do rewrite gated_constant exprMn.
rewrite -mulr_suml -mulrBl ler_wpmul2r ?sqr_ge0 //.
apply: (@le_trans _ _ (\sum_(t < T) (1 - 2%:R * lam 0 i ^+ t.+1))).
  rewrite big_split /= sumr_const card_ord ler_add2l sumrN ler_opp2 -mulr_sumr ler_wpmul2l ?ler0n //.
  exact: geometric.
apply: ler_sum => t _; rewrite -subr_ge0.
have -> : (1 - lam 0 i ^+ t.+1) ^+ 2 - (1 - 2%:R * lam 0 i ^+ t.+1) = (lam 0 i ^+ t.+1) ^+ 2 by move: (_ ^+ t.+1) => x; ring.
exact: sqr_ge0.
Qed.

(** A bound on constant differences at every length is a bound on I - Q. *)
Lemma constants_tell (c : F) : Num.archimedean_axiom F ->
  (forall T v, \sum_(t < T) len2 (gated (fun=> v) t.+1 - gated (fun=> 0) t.+1) <= c ^+ 2 * (T%:R * len2 v)) -> gain (1%:M - Q) c.
Proof.
move=> archi all_T v; rewrite leNgt; apply/negP; rewrite -subr_gt0; set gap := _ - _ => gap0.
have [T big] : exists T : nat, delay v < T%:R * gap.
  have [T lt] := archi (delay v / gap); exists T; rewrite -ltr_pdivr_mulr //.
  by apply: le_lt_trans lt; apply: ler_norm.
have := le_trans (gated_constant_sum T v) (all_T T v).
rewrite mulrCA ler_subl_addl -ler_subl_addr.
by rewrite -mulrBr -/gap leNgt big.
Qed.

(** Theorem 2.1, as it is meant: a constant that serves every length is exactly a constant of I - Q. *)
Theorem gain_is_the_norm (c : F) :
  Num.archimedean_axiom F ->
  (forall T h g, \sum_(t < T) len2 (gated h t.+1 - gated g t.+1) <= c ^+ 2 * \sum_(t < T) len2 (h t.+1 - g t.+1)) <->
  gain (1%:M - Q) c.
Proof.
move=> archi; split=> [all_T|gainQ T h g]; last exact: gated_contracts.
apply: constants_tell archi _ => T v; apply: le_trans (all_T T (fun=> v) (fun=> 0)) _.
by rewrite sumr_const card_ord subr0 mulr_natl.
Qed.

(** After k passes from 0 the error is at most the k-th power of that constant times the first, at every length. *)
Theorem passes_converge T c k h :
  gain (1%:M - Q) c -> fixed (fun=> diag_mx lam) (fun=> 1%:M - diag_mx lam) (fun=> Q) u h0 T h ->
  \sum_(t < T) len2 (iter k gated (fun=> 0) t.+1 - h t.+1) <= (c ^+ k) ^+ 2 * \sum_(t < T) len2 (h t.+1).
Proof.
move=> gainQ fix_h; elim: k => [|k IH].
  rewrite expr0 expr1n mul1r; apply: ler_sum => t _ /=; rewrite sub0r.
  by apply: ler_sum => i _; rewrite mxE sqrrN.
apply: (@le_trans _ _ (c ^+ 2 * \sum_(t < T) len2 (iter k gated (fun=> 0) t.+1 - h t.+1))); last first.
  by rewrite [c ^+ k.+1]exprS exprMn -[X in _ <= X]mulrA ler_wpmul2l ?sqr_ge0.
apply: le_trans (gated_contracts T _ h gainQ); apply: ler_sum => t _.
by rewrite fix_h ?ltn_ord.
Qed.

End Gated.

(** ** The gate I - |Lambda| of one decay lambda attains ||I - Q||, whatever the sign of lambda *)

Section OneDecay.

Variables (F : realFieldType) (d : nat) (l : F) (Q : 'M[F]_d) (u : nat -> 'cV[F]_d) (h0 : 'cV[F]_d).

Hypothesis l1 : `|l| < 1.

Notation one a k := (pass (fun=> a%:M) (fun=> k%:M) (fun=> Q) u h0).
Notation gated := (pass (fun=> diag_mx (const_mx `|l|)) (fun=> 1%:M - diag_mx (const_mx `|l|)) (fun=> Q) u h0).

Lemma one_decay_step (a k : F) h g t :
  one a k h t.+1 - one a k g t.+1 = a *: (one a k h t - one a k g t) + k *: ((1%:M - Q) *m (h t.+1 - g t.+1)).
Proof. by rewrite /= !mul_scalar_mx opprD addrACA -!scalerBr opprD addrACA subrr add0r -mulmxBr. Qed.

Lemma gated_one : gated = one `|l| (1 - `|l|).
Proof. by rewrite diag_const_mx -raddfB. Qed.

Let sign : F := (-1) ^+ (l < 0)%R.

Lemma sign_turns t : (sign ^+ t) ^+ 2 = 1.
Proof. by rewrite -exprM mulnC exprM sqrr_sign expr1n. Qed.

(** On inputs whose difference turns with the sign of lambda the outputs differ as those of |lambda| do on constant inputs. *)
Lemma turning_difference v t :
  one l (1 - `|l|) (fun s => sign ^+ s *: v) t - one l (1 - `|l|) (fun=> 0) t = sign ^+ t *: (gated (fun=> v) t - gated (fun=> 0) t).
Proof.
rewrite gated_one; elim: t => [|t IH]; first by rewrite /= !subrr scaler0.
rewrite !one_decay_step IH !subr0 scalerDr !scalerA -scalemxAr scalerA; congr (_ *: _ + _ *: _); last exact: mulrC.
have lE : l = sign * `|l| by apply: numEsign.
by rewrite [X in X * _]lE exprS mulrAC.
Qed.

Theorem modulus_gate_attains (c : F) : Num.archimedean_axiom F ->
  (forall T h g, \sum_(t < T) len2 (one l (1 - `|l|) h t.+1 - one l (1 - `|l|) g t.+1) <= c ^+ 2 * \sum_(t < T) len2 (h t.+1 - g t.+1)) <->
  gain (1%:M - Q) c.
Proof.
move=> archi; split=> [all_T|gainQ T h g]; last first.
  have := @modulus_gate_contracts F d (const_mx l) (fun=> Q) u h0 T c h g; rewrite diag_const_mx.
  have -> : \row_i (1 - `|(const_mx l : 'rV[F]_d) 0 i|) = const_mx (1 - `|l|) by apply/rowP=> i; rewrite !mxE.
  by rewrite diag_const_mx; apply=> // i; rewrite mxE.
have l01 i : 0 <= (const_mx `|l| : 'rV[F]_d) 0 i < 1 by rewrite mxE normr_ge0 l1.
have turned t w : len2 (sign ^+ t *: w) = len2 w.
  by apply: eq_bigr => i _; rewrite mxE exprMn sign_turns mul1r.
apply: (constants_tell l01 archi (u := u) (h0 := h0)) => T v; have := all_T T (fun s => sign ^+ s *: v) (fun=> 0).
under eq_bigr do rewrite turning_difference turned.
by under [X in _ <= _ * X -> _]eq_bigr do rewrite subr0 turned; rewrite sumr_const card_ord mulr_natl.
Qed.

End OneDecay.

(** ** GH mixers: Eq. 10 *)

Section Mixers.

Variables (F : realFieldType) (d : nat).
Implicit Types (x u v : 'rV[F]_d) (A B : 'M[F]_d) (s : seq ('rV[F]_d * F)).

Lemma dotZl a u v : dot (a *: u) v = a * dot u v.
Proof. by rewrite /dot -scalemxAl mxE. Qed.

Lemma dotZ a u : dot (a *: u) (a *: u) = a ^+ 2 * dot u u.
Proof. by rewrite dotZl dotC dotZl mulrA. Qed.

(** Cauchy and Schwarz, from the square of (v.v) u - (u.v) v. *)
Lemma cauchy_schwarz u v : dot u v ^+ 2 <= dot u u * dot v v.
Proof.
have dot0 x : dot 0 x = 0 by rewrite /dot mul0mx mxE.
have [->|v0] := eqVneq v 0; first by rewrite dotC !dot0 mulr0 expr0n.
have vv : 0 < dot v v by rewrite lt_neqAle dot_ge0 andbT eq_sym dot_eq0.
have := dot_ge0 (dot v v *: u - dot u v *: v).
rewrite dotBl !dotBr !dotZl !(dotC _ (_ *: _)) !dotZl (dotC v u).
have expand (a b c : F) : a * (a * b) - a * (c * c) - (c * (a * c) - c * (c * a)) = a * (b * a - c ^+ 2) by ring.
rewrite expand.
by rewrite pmulr_rge0 // subr_ge0.
Qed.

(** [stretch A c]: no row vector gets longer than c times. *)
Definition stretch A c := forall x, dot (x *m A) (x *m A) <= c ^+ 2 * dot x x.

Lemma dot_add u v : dot (u + v) (u + v) = dot u u + 2%:R * dot u v + dot v v.
Proof.
have dotDl a b c : dot (a + b) c = dot a c + dot b c by rewrite /dot mulmxDl mxE.
by rewrite dotDl !(dotC _ (u + v)) !dotDl (dotC v u); ring.
Qed.

(** The triangle inequality, without roots. *)
Lemma stretch_add A B a b : 0 <= a -> 0 <= b -> stretch A a -> stretch B b -> stretch (A + B) (a + b).
Proof.
move=> a0 b0 sA sB x; rewrite mulmxDr dot_add; have := sA x; have := sB x.
have := cauchy_schwarz (x *m A) (x *m B); move: (dot_ge0 x) (dot_ge0 (x *m A)) (dot_ge0 (x *m B)).
move: (dot x x) (dot (x *m A) (x *m A)) (dot (x *m A) (x *m B)) (dot (x *m B) (x *m B)) => q AA AB BB q0 A0 B0 cs lB lA.
have AB_le : AB <= a * b * q.
  apply: (le_trans (ler_norm _)); rewrite -ler_sqr ?nnegrE ?mulr_ge0 // real_normK ?num_real //.
  apply: (le_trans cs); have -> : (a * b * q) ^+ 2 = (a ^+ 2 * q) * (b ^+ 2 * q) by ring.
  by rewrite ler_pmul.
have -> : (a + b) ^+ 2 * q = a ^+ 2 * q + 2%:R * (a * b * q) + b ^+ 2 * q by ring.
by rewrite !ler_add // ler_wpmul2l ?ler0n.
Qed.

(** A factor I - 2 alpha u u^T with |u| = 1. *)
Definition factor (ua : 'rV[F]_d * F) : 'M[F]_d := gh ua.1^T (2%:R * ua.2).

Definition mixer s : 'M[F]_d := foldr (fun ua Q => factor ua *m Q) 1%:M s.

Lemma factor_stretch u (a : F) : dot u u = 1 -> 0 <= a <= 1 -> stretch (factor (u, a)) 1.
Proof.
move=> u1 /andP[a0 a1] x; have := @gh_contracts F d x u (2%:R * a); rewrite u1 divr1 expr1n mul1r; apply.
by rewrite mulr_ge0 ?ler0n //= -[X in _ <= X]mulr1 ler_wpmul2l ?ler0n.
Qed.

Lemma factor_distance u (a : F) x : x *m (1%:M - factor (u, a)) = (2%:R * a * dot x u) *: u.
Proof. by rewrite /factor /gh trmxK opprB addrC subrK /= -scalemxAr mulmxA dotE mul_scalar_mx scalerA. Qed.

(** One factor is 2 alpha away from I, exactly: u itself is moved that far. *)
Lemma factor_near u (a : F) : dot u u = 1 -> stretch (1%:M - factor (u, a)) (2%:R * a).
Proof.
move=> u1 x; rewrite factor_distance; set c := 2%:R * a.
have -> : dot ((c * dot x u) *: u) ((c * dot x u) *: u) = c ^+ 2 * dot x u ^+ 2.
  by rewrite dotZ u1 mulr1 exprMn.
by rewrite ler_wpmul2l ?sqr_ge0 // -[dot x x]mulr1 -u1 cauchy_schwarz.
Qed.

Theorem factor_attains u (a : F) (w := u *m (1%:M - factor (u, a))) : dot u u = 1 -> dot w w = (2%:R * a) ^+ 2 * dot u u.
Proof. by move=> u1; rewrite /w factor_distance dotZ u1 !mulr1. Qed.

Definition unit_factors s := all (fun ua : 'rV[F]_d * F => (dot ua.1 ua.1 == 1) && (0 <= ua.2 <= 1)) s.

(** Eq. 10: |x (I - Q)| <= 2 sum alpha_i |x|, factor by factor. *)
Theorem mixer_near s : unit_factors s -> stretch (1%:M - mixer s) (2%:R * \sum_(ua <- s) ua.2).
Proof.
elim: s => [_|[u a] s IH] /=.
  by move=> x; rewrite subrr mulmx0 big_nil mulr0 expr0n mul0r /dot mul0mx mxE.
case/andP=> /andP[/eqP u1 /andP[a0 a1]] us; rewrite big_cons /= mulrDr.
have -> : 1%:M - factor (u, a) *m mixer s = (1%:M - factor (u, a)) + factor (u, a) *m (1%:M - mixer s).
  by rewrite mulmxBr mulmx1 addrA subrK.
apply: stretch_add; rewrite ?mulr_ge0 ?ler0n //; first by rewrite big_seq sumr_ge0 // => -[v b] /(allP us) /andP[_ /andP[]].
  exact: factor_near.
move=> x; rewrite mulmxA; apply: le_trans (IH us _) _; rewrite ler_wpmul2l ?sqr_ge0 //.
by have := @factor_stretch u a u1 _ x; rewrite a0 a1 expr1n mul1r; apply.
Qed.

(** sum alpha_i < 1/2 makes I - Q contractive ... *)
Theorem mixer_contracts s x :
  unit_factors s -> 2%:R * (\sum_(ua <- s) ua.2) < 1 -> x != 0 -> dot (x *m (1%:M - mixer s)) (x *m (1%:M - mixer s)) < dot x x.
Proof.
move=> us small x0; apply: le_lt_trans (mixer_near us x) _.
have xx : 0 < dot x x by rewrite lt_neqAle dot_ge0 andbT eq_sym dot_eq0.
rewrite gtr_pmull // expr_lt1 // mulr_ge0 ?ler0n // big_seq sumr_ge0 // => -[v b] /(allP us) /andP[_ /andP[]] //.
Qed.

(** A contractive I - Q leaves Q no eigenvalue in (-infinity, 0] ... *)
Theorem contractive_means_positive (Q : 'M[F]_d) x (mu : F) :
  dot (x *m (1%:M - Q)) (x *m (1%:M - Q)) < dot x x -> x *m Q = mu *: x -> 0 < mu.
Proof.
move=> less eig; rewrite ltNge; apply/negP=> mu0.
move: less; rewrite mulmxBr mulmx1 eig -{1 3}[x]scale1r -scalerBl.
rewrite dotZ ltNge => /negP[]; rewrite ler_pemull ?dot_ge0 // exprn_ege1 // ler_addl oppr_ge0 //.
Qed.

(** ... so sum alpha_i < 1/2 gives eigenvalues above 0 only, and an invertible Q. *)
Theorem mixer_eigenvalues s x (mu : F) :
  unit_factors s -> 2%:R * (\sum_(ua <- s) ua.2) < 1 -> x != 0 -> x *m mixer s = mu *: x -> 0 < mu.
Proof.
move=> us small x0; apply: contractive_means_positive; exact: mixer_contracts.
Qed.

Theorem mixer_invertible s : unit_factors s -> 2%:R * (\sum_(ua <- s) ua.2) < 1 -> mixer s \in unitmx.
Proof.
move=> us small; rewrite -row_free_unit -kermx_eq0; apply/rowV0P=> x /sub_kermxP xQ.
apply/eqP; apply: contraT => x0; have := @mixer_eigenvalues s x 0 us small x0.
by rewrite xQ scale0r ltxx => /(_ erefl).
Qed.

(** For one factor the condition is necessary: otherwise u does not get shorter. *)
Theorem one_factor_needs_it u (a : F) (w := u *m (1%:M - mixer [:: (u, a)])) :
  dot u u = 1 -> 1 <= 2%:R * a -> dot u u <= dot w w.
Proof.
move=> u1 big; rewrite /w /mixer /= mulmx1 factor_attains // u1 mulr1.
by rewrite exprn_ege1.
Qed.

End Mixers.

(** ** Variants that are false *)

Section False.

Variable F : realFieldType.

(** Decays below 0: with lambda = -1/2 the gate 1 - lambda is 3/2, and one step amplifies. *)
Theorem not_signed_gate_contracts :
  ~ (forall (lam : 'rV[F]_1) Q u h0 T c h g, (forall i, `|lam 0 i| < 1) -> (forall t, (0 < t <= T)%N -> gain (1%:M - Q t) c) ->
     let f := pass (fun=> diag_mx lam) (fun=> 1%:M - diag_mx lam) Q u h0 in
     \sum_(t < T) len2 (f h t.+1 - f g t.+1) <= c ^+ 2 * \sum_(t < T) len2 (h t.+1 - g t.+1)).
Proof.
have half : 0 < (2%:R^-1 : F) < 1 by rewrite invr_gt0 ltr0n invf_lt1 ?ltr0n ?ltr1n.
case/andP: half => h0 h1.
move/(_ (const_mx (- 2%:R^-1)) (fun=> 0) (fun=> 0) 0 1%N 1 (fun=> 1%:M) (fun=> 0)) => bad.
have lam1 i : `|(const_mx (- 2%:R^-1) : 'rV[F]_1) 0 i| < 1 by rewrite mxE normrN gtr0_norm.
have gain1 t : (0 < t <= 1)%N -> gain (1%:M - (0 : 'M[F]_1)) 1 by move=> _ v; rewrite subr0 mul1mx expr1n mul1r.
have := bad lam1 gain1; rewrite /= !big_ord1 /= !(mulmx0, mul0mx, add0r, addr0, subr0, mulmx1, mul1mx) /len2 !big_ord1 !mxE eqxx !mulr1n.
by rewrite opprK !expr1n mulr1 lt_geF // exprn_egt1 // ltr_addl.
Qed.

(** With the input as it is, not mixed: d = T = 1, Q = 2, u = 1. *)
Theorem not_ungated_fixed_point_of_raw_inputs :
  ~ (forall (Lam Q : nat -> 'M[F]_1) u h0 T h, (forall t, (0 < t <= T)%N -> Q t \in unitmx) ->
     fixed Lam (fun=> 1%:M) Q u h0 T h ->
     h 0%N = h0 /\ forall t, (t < T)%N -> h t.+1 = invmx (Q t.+1) *m Lam t.+1 *m h t + invmx (Q t.+1) *m u t.+1).
Proof.
move/(_ (fun=> 0) (fun=> 2%:R%:M) (fun=> 1%:M) 0 1%N (fun t => if t is 0 then 0 else 1%:M)) => bad.
have inv : (2%:R%:M : 'M[F]_1) \in unitmx by rewrite unitmxE det_scalar1 unitfE pnatr_eq0.
have fix1 : fixed (fun=> 0) (fun=> 1%:M) (fun=> 2%:R%:M) (fun=> 1%:M) 0 1 (fun t => if t is 0 then 0 else 1%:M : 'cV[F]_1).
  by case=> [|[|t]] //= _; rewrite mul0mx add0r mul1mx !mulmx1 addrC subrK.
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
  ~ (forall (Lam G Q : nat -> 'M[F]_1) u h0 h h' T, fixed Lam G Q u h0 T h -> fixed Lam G Q u h0 T h' -> forall t, (t <= T)%N -> h' t = h t).
Proof.
move/(_ (fun=> 0) (fun=> 1%:M) (fun=> 0) (fun=> 0) 0 (fun=> 0) (fun t => if t is 0 then 0 else 1%:M) 1%N) => bad.
suff : (1%:M : 'M[F]_1) = 0 by move/matrixP/(_ 0 0); rewrite !mxE => /eqP; rewrite oner_eq0.
by apply: (bad _ _ 1%N isT) => -[|[|t]] //= _; rewrite ?mulmx0 ?mul0mx !add0r ?subr0 ?mul1mx ?mulmx1 ?mulmx0.
Qed.

End False.

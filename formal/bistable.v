(** * Bistable memory: one unit, the layer, and its scan

    degeeter26, Sec. 3, App. B, Theorem 3.

    - [S], [H]: the sign with S(0) = 1 and the Heaviside step with H(0) = 1;
    - [unit], [unit8], [gated]: one unit by Eqs. 9, 8 and 10; [plus_minus alpha h]: h is alpha or -alpha;
    - [write], [last_written]: a unit driven by gates and values, and the value that was written last;
    - [bmru n m], [candidate], [threshold], [gate], [added], [transition], [bistable_step]: the layer of Eq. 11;
    - [bistable_rnn]: these layers as a kind of models.v; [bistable_affine l]: one of them as an affine layer;
    - [layer_states l h0 x], [layer_pairs l h0 x i]: the states h_0, h_1, ...; what the scan of unit i combines. *)

From mathcomp Require Import all_ssreflect all_algebra.
From lemmata Require models classes.
From lemmata Require Import scan.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.

(** ** One unit: Eqs. 8 to 10 *)

Section Unit.

Local Open Scope ring_scope.
Variable F : realFieldType.

(** S(0) = 1 and H(0) = 1. *)
Definition S (x : F) : F := if x < 0 then -1 else 1.

Definition H (x : F) : F := if x < 0 then 0 else 1.

(** Eq. 9: keep within the thresholds, else take the sign. *)
Definition unit (alpha beta h x : F) : F := if `|x| < beta then h else alpha * S x.

(** Eq. 8: the same with the sign of a sum. *)
Definition unit8 (alpha beta h x : F) : F := if `|x| < beta then alpha * S (h + x / beta) else alpha * S x.

(** Eq. 10: the same with a gate. *)
Definition gated (alpha beta h x : F) (z := H (`|x| - beta)) : F := z * S x * alpha + (1 - z) * h.

(** What is less than 1 does not turn the sign of a number that is at least 1. *)
Lemma S_far (a u : F) : `|u| < 1 -> 1 <= a -> S (a + u) = 1 /\ S (- a + u) = -1.
Proof.
rewrite ltr_norml /S => /andP[lo hi] a1.
have -> : - a + u < 0 by rewrite -(addNr 1) ler_lt_add // ler_opp2.
by rewrite ltNge (_ : 0 <= a + u) //= -(subrr 1) ltW // ler_lt_add.
Qed.

Lemma ratio_small (beta x : F) : `|x| < beta -> `|x / beta| < 1.
Proof.
move=> xb; have b0 : 0 < beta by apply: le_lt_trans xb.
by rewrite normrM normfV (gtr0_norm b0) ltr_pdivr_mulr // mul1r.
Qed.

Definition plus_minus (alpha h : F) := h = alpha \/ h = - alpha.

Theorem eq8_is_eq9 (alpha beta h x : F) :
  1 <= alpha -> 0 <= beta -> plus_minus alpha h -> unit8 alpha beta h x = unit alpha beta h x.
Proof.
move=> a1 _; rewrite /unit8 /unit; case: ifP => // /ratio_small/S_far/(_ a1)[up down].
by case=> ->; rewrite ?up ?down ?mulr1 ?mulrN1.
Qed.

(** Eq. 8 keeps the states +-alpha within the thresholds iff alpha >= 1 or alpha = 0, and with h / alpha for h it keeps
    them for every alpha other than 0. *)
Theorem eq8_keeps_iff (alpha beta : F) :
  0 < beta ->
  ((forall h x, plus_minus alpha h -> `|x| < beta -> alpha * S (h + x / beta) = h) <-> 1 <= alpha \/ alpha = 0) /\
  (alpha != 0 -> forall h x, plus_minus alpha h -> `|x| < beta -> alpha * S (h / alpha + x / beta) = h).
Proof.
move=> b0; split; last first.
  move=> a0 h x hh /ratio_small/S_far/(_ (lexx 1))[up down].
  by case: hh => ->; rewrite ?mulNr divff // ?up ?down ?mulr1 ?mulrN1.
split=> [keeps|[a1|->] h x]; last 2 first.
- move=> hh xb; have := @eq8_is_eq9 alpha beta h x a1 (ltW b0) hh.
  by rewrite /unit8 /unit xb.
- by case=> ->; rewrite ?oppr0 mul0r.
have [?|a1] := leP 1 alpha; [by left | right].
have zero : alpha = - alpha -> alpha = 0.
  by move/eqP; rewrite -subr_eq0 opprK -mulr2n mulrn_eq0 /= => /eqP.
have [a0|a0|//] := ltrgtP alpha 0.
  (* alpha < 0: at x = 0 the state alpha is turned round *)
  have := keeps alpha 0 (or_introl erefl); rewrite normr0 mul0r addr0 /S a0 mulrN1 => /(_ b0) e.
  by apply: zero.
(* 0 < alpha < 1: an input between alpha beta and beta turns -alpha round *)
pose x := (alpha + 1) / 2%:R * beta.
have m1 : alpha < (alpha + 1) / 2%:R by rewrite ltr_pdivl_mulr ?ltr0n // mulr_natr mulr2n ltr_add2l.
have m2 : (alpha + 1) / 2%:R < 1 by rewrite ltr_pdivr_mulr ?ltr0n // mul1r mulr2n ltr_add2r.
have m0 : 0 < (alpha + 1) / 2%:R by apply: lt_trans m1.
have := keeps (- alpha) x (or_intror erefl).
have -> : `|x| < beta by rewrite /x normrM (gtr0_norm m0) (gtr0_norm b0) gtr_pmull.
rewrite /x mulfK ?gt_eqF // /S ltNge (_ : 0 <= _) /=; last by rewrite addrC subr_ge0 ltW.
by rewrite mulr1 => /(_ isT) /zero.
Qed.

(** So "for every alpha" is false: alpha = 1/2. *)
Theorem not_eq8_keeps_for_every_alpha :
  ~ (forall alpha beta h x : F, 0 < beta -> plus_minus alpha h -> `|x| < beta -> alpha * S (h + x / beta) = h).
Proof.
move=> keeps; have [[iff _] _] := @eq8_keeps_iff 2%:R^-1 1 ltr01.
have [|/eqP] := iff (fun h x => keeps _ _ h x ltr01).
  by rewrite leNgt invf_lt1 ?ltr0n // ltr1n.
by rewrite invr_eq0 pnatr_eq0.
Qed.

Theorem eq10_is_eq9 (alpha beta h x : F) : gated alpha beta h x = unit alpha beta h x.
Proof.
rewrite /gated /unit /H subr_lt0; case: ifP => _; first by rewrite !mul0r add0r subr0 mul1r.
by rewrite subrr mul0r addr0 mul1r mulrC.
Qed.

(** With H(0) = 0 it fails at |x| = beta. *)
Theorem not_eq10_with_another_heaviside :
  ~ (forall alpha beta h x : F, (if 0 < `|x| - beta then S x * alpha else h) = unit alpha beta h x).
Proof.
move/(_ 1 1 0 1); rewrite /unit normr1 subrr !ltxx /S ltNge ler01 /= mulr1 => /eqP.
by rewrite eq_sym oner_eq0.
Qed.

(** Stationarity: one step is idempotent. *)
Theorem step_is_idempotent (z v h : F) : z = 0 \/ z = 1 -> let f h := z * v + (1 - z) * h in f (f h) = f h.
Proof. by case=> -> /=; rewrite ?(mul0r, add0r, subr0, mul1r, subrr, addr0). Qed.

Theorem not_every_gate_is_idempotent : ~ (forall z v h : F, let f h := z * v + (1 - z) * h in f (f h) = f h).
Proof.
move/(_ 2%:R 0 1) => /=; rewrite !mulr0 !add0r mulr1 (_ : 1 - 2%:R = -1) ?mulrNN ?mulr1 => [/eqP|].
  by rewrite -subr_eq0 opprK -mulr2n pnatr_eq0.
by rewrite mulr2n opprD addrA subrr add0r.
Qed.

(** Inputs within the thresholds keep the state for ever, so that both alpha and -alpha are held; and these differ. *)
Theorem kept_within_the_thresholds (alpha : F) (s : seq (F * F)) h :
  (all (fun xb => `|xb.1| < xb.2) s -> models.state (fun h xb => unit alpha xb.2 h xb.1) h s = h) /\
  (alpha != 0 -> alpha != - alpha).
Proof.
split; first by elim: s h => //= -[x b] s IH h /andP[/= xb quiet]; rewrite /unit xb IH.
by apply: contraNneq => /eqP; rewrite -subr_eq0 opprK -mulr2n mulrn_eq0.
Qed.

Theorem not_kept_beyond_the_thresholds :
  ~ (forall (alpha h : F) (s : seq (F * F)), models.state (fun h xb => unit alpha xb.2 h xb.1) h s = h).
Proof.
move/(_ 1 0 [:: (1, 1)]) => /=; rewrite /unit normr1 ltxx /S ltNge ler01 /= mulr1 => /eqP.
by rewrite oner_eq0.
Qed.

(** A unit driven by gates z in {0, 1} and values v holds what was written last. *)
Definition write (h : F) (zv : bool * F) : F := (zv.1%:R) * zv.2 + (1 - zv.1%:R) * h.

Fixpoint last_written (h : F) (s : seq (bool * F)) : F :=
  if s is (z, v) :: s' then last_written (if z then v else h) s' else h.

Theorem state_is_the_last_write (h : F) s : models.state write h s = last_written h s.
Proof.
elim: s h => [|[z v] s IH] h //=; rewrite IH; congr last_written.
by case: z; rewrite /write /= ?mul1r ?mul0r ?subrr ?mul0r ?addr0 ?subr0 ?mul1r ?add0r.
Qed.

(** What was written first is another thing. *)
Theorem not_state_is_the_first_write :
  ~ (forall (h : F) s, models.state write h s = if ohead [seq zv.2 | zv <- s & zv.1] is Some v then v else h).
Proof.
move/(_ 0 [:: (true, 0); (true, 1)]); rewrite state_is_the_last_write /= => /eqP.
by rewrite oner_eq0.
Qed.

(** ... so that without a write it is kept for ever, whatever the length: nothing fades and nothing explodes. *)
Lemma kept_without_writes (h : F) s : all (fun zv => ~~ zv.1) s -> models.state write h s = h.
Proof. by rewrite state_is_the_last_write; elim: s => [|[[] v] s IH] //= /IH. Qed.

End Unit.

(** ** The layer: Eq. 11 *)

Section Layer.

Local Open Scope ring_scope.
Variables (F : realFieldType) (n m : nat).

Record bmru := BMRU { W_x : 'M[F]_(n, m); b_x : 'cV[F]_n; W_beta : 'M[F]_(n, m); b_beta : 'cV[F]_n; alpha : 'cV[F]_n }.

Variable l : bmru.
Implicit Types (x : 'cV[F]_m) (h : 'cV[F]_n).

(** Eqs. 11a to c: candidates, thresholds and gates are functions of the input. *)
Definition candidate x : 'cV[F]_n := W_x l *m x + b_x l.

Definition threshold x : 'cV[F]_n := map_mx Num.norm (W_beta l *m x + b_beta l).

Definition gate x : 'cV[F]_n := \col_i H (`|candidate x i 0| - threshold x i 0).

(** What is added where the gate is 1. *)
Definition added x : 'cV[F]_n := \col_i (gate x i 0 * S (candidate x i 0) * alpha l i 0).

(** Eq. 11d. *)
Definition bistable_step h x : 'cV[F]_n :=
  \col_i (gate x i 0 * S (candidate x i 0) * alpha l i 0 + (1 - gate x i 0) * h i 0).

(** Sanity: unit by unit this is Eq. 10. *)
Lemma step_is_gated h x i : bistable_step h x i 0 = gated (alpha l i 0) (threshold x i 0) (h i 0) (candidate x i 0).
Proof. by rewrite !mxE. Qed.

Lemma gate01 x i : gate x i 0 = 0 \/ gate x i 0 = 1.
Proof. by rewrite mxE /H; case: ifP; [left | right]. Qed.

(** The layer is a linear recurrence with transitions Diag(1 - z), z in {0, 1}^n. *)
Definition transition x : 'M[F]_n := diag_mx (\row_i (1 - gate x i 0)).

Theorem layer_is_linear h x :
  bistable_step h x = transition x *m h + added x /\ forall i, gate x i 0 = 0 \/ gate x i 0 = 1.
Proof.
split=> [|i]; last exact: gate01.
by apply/matrixP=> i j; rewrite ord1 /transition mul_diag_mx !mxE addrC.
Qed.

End Layer.

(** The layer with its start, as one of the kinds of models.v. *)
Definition bistable_rnn (F : realFieldType) n m : models.kind F n m :=
  @models.Kind F n m (bmru F n m * 'cV[F]_n) snd (fun l => bistable_step l.1).

(** As an affine layer it is a bistable one of classes.v, and runs as before. *)
Definition bistable_affine (F : realFieldType) n m (l : models.layer (bistable_rnn F n m)) :=
  classes.as_affine l (transition l.1) (added l.1).

Lemma bistable_affine_run (F : realFieldType) n m (l : models.layer (bistable_rnn F n m)) x t :
  models.transduce (models.exact (bistable_affine l)) x t = models.run l x t.
Proof. by apply: classes.run_as_affine => h y; have [] := layer_is_linear l.1 h y. Qed.

Lemma bistable_affine_bistable (F : realFieldType) n m (l : models.layer (bistable_rnn F n m)) :
  classes.bistable_layer (bistable_affine l).
Proof.
exists (fun x i => gate l.1 x i 0 == 1)%R => x; congr diag_mx; apply/rowP=> i; rewrite [LHS]mxE [RHS]mxE.
by case: (gate01 l.1 x i) => ->; rewrite ?eqxx // eq_sym oner_eq0.
Qed.

Section Scanned.

Local Open Scope ring_scope.
Variables (F : realFieldType) (n m : nat) (l : bmru F n m).

(** The states h_0, h_1, ... under inputs x_1, x_2, ... *)
Definition layer_states (h0 : 'cV[F]_n) (x : nat -> 'cV[F]_m) t : 'cV[F]_n :=
  if t is t'.+1 then models.run (K := bistable_rnn F n m) (l, h0) (fun s => x s.+1) t' else h0.

Lemma layer_statesS h0 x t : layer_states h0 x t.+1 = bistable_step l (layer_states h0 x t) (x t.+1).
Proof. by case: t. Qed.

(** [1, h_0] and then [1 - z_t, z_t S alpha], of unit i. *)
Definition layer_pairs (h0 : 'cV[F]_n) (x : nat -> 'cV[F]_m) i t : F * F :=
  if t is _.+1 then (1 - gate l (x t) i 0, added l (x t) i 0) else (1, h0 i 0).

(** Theorem 3: the second parts of the scan, by the loop or in parallel, are the states. *)
Theorem layer_by_scan h0 (x : nat -> 'cV[F]_m) T i (pairs := mkseq (layer_pairs h0 x i) T.+1) :
  map snd (loop (@after_pair F) pairs) = mkseq (fun t => layer_states h0 x t i 0) T.+1 /\
  map snd (pairs_first (@after_pair F) T.+1 pairs).1 = mkseq (fun t => layer_states h0 x t i 0) T.+1.
Proof.
have [_ scanned _ _ ->] := scanned_pairs_are_states (layer_pairs h0 x i) T.+1.
suff -> : map snd (loop (@after_pair F) pairs) = mkseq (fun t => layer_states h0 x t i 0) T.+1 by [].
rewrite scanned -map_comp; apply: eq_map => t /=.
elim: t => [|t IH]; first exact: solution0.
by rewrite layer_statesS solutionS IH /= [added _ _ i 0]mxE [RHS]mxE addrC.
Qed.

End Scanned.

(** Without h_0 in front the scan does not give the states. *)
Theorem not_layer_by_scan_without_start (F : realFieldType) :
  ~ (forall (l : bmru F 1 1) h0 x T i, map snd (loop (@after_pair F) (mkseq (fun t => layer_pairs l h0 x i t.+1) T)) =
                                       mkseq (fun t => layer_states l h0 x t.+1 i 0%R) T).
Proof.
pose l : bmru F 1 1 := BMRU 0%R 0%R 0%R (const_mx 1%R) 0%R.
have gE : gate l 0%R ord0 0%R = 0%R.
  by rewrite mxE /candidate /threshold /= !mul0mx !add0r !mxE normr0 normr1 sub0r /H oppr_lt0 ltr01.
move/(_ l (const_mx 1%R) (fun=> 0%R) 1%N ord0) => /= -[].
rewrite [added _ _ _ _]mxE [bistable_step _ _ _ _ _]mxE gE !mul0r add0r subr0 mul1r mxE => /eqP.
by rewrite eq_sym oner_eq0.
Qed.

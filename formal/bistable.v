(** * Bistable memory: the unit, its scan, its gradients, the last write, and what stuttering hides

    degeeter26, Secs. 3 and 4, App. B, Theorem 3. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require models parity.
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

Theorem eq8_is_eq9 (alpha beta h x : F) : 1 <= alpha -> 0 <= beta -> plus_minus alpha h -> unit8 alpha beta h x = unit alpha beta h x.
Proof.
move=> a1 _; rewrite /unit8 /unit; case: ifP => // /ratio_small/S_far/(_ a1)[up down].
by case=> ->; rewrite ?up ?down ?mulr1 ?mulrN1.
Qed.

(** Eq. 8 keeps the states +-alpha within the thresholds iff alpha >= 1 or alpha = 0, and with h / alpha for h it keeps them for every alpha other than 0. *)
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
  (all (fun xb => `|xb.1| < xb.2) s -> foldl (fun h xb => unit alpha xb.2 h xb.1) h s = h) /\ (alpha != 0 -> alpha != - alpha).
Proof.
split; first by elim: s h => //= -[x b] s IH h /andP[/= xb quiet]; rewrite /unit xb IH.
by apply: contraNneq => /eqP; rewrite -subr_eq0 opprK -mulr2n mulrn_eq0.
Qed.

Theorem not_kept_beyond_the_thresholds :
  ~ (forall (alpha h : F) (s : seq (F * F)), foldl (fun h xb => unit alpha xb.2 h xb.1) h s = h).
Proof.
move/(_ 1 0 [:: (1, 1)]) => /=; rewrite /unit normr1 ltxx /S ltNge ler01 /= mulr1 => /eqP.
by rewrite oner_eq0.
Qed.

(** A unit driven by gates z in {0, 1} and values v holds what was written last. *)
Definition write (h : F) (zv : bool * F) : F := (zv.1%:R) * zv.2 + (1 - zv.1%:R) * h.

Fixpoint last_written (h : F) (s : seq (bool * F)) : F :=
  if s is (z, v) :: s' then last_written (if z then v else h) s' else h.

Theorem state_is_the_last_write (h : F) s : foldl write h s = last_written h s.
Proof.
elim: s h => [|[z v] s IH] h //=; rewrite IH; congr last_written.
by case: z; rewrite /write /= ?mul1r ?mul0r ?subrr ?mul0r ?addr0 ?subr0 ?mul1r ?add0r.
Qed.

(** What was written first is another thing. *)
Theorem not_state_is_the_first_write : ~ (forall (h : F) s, foldl write h s = if ohead [seq zv.2 | zv <- s & zv.1] is Some v then v else h).
Proof.
move/(_ 0 [:: (true, 0); (true, 1)]); rewrite state_is_the_last_write /= => /eqP.
by rewrite oner_eq0.
Qed.

(** ... so that without a write it is kept for ever, whatever the length: nothing fades and nothing explodes. *)
Lemma kept_without_writes (h : F) s : all (fun zv => ~~ zv.1) s -> foldl write h s = h.
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
Definition step h x : 'cV[F]_n := \col_i (gate x i 0 * S (candidate x i 0) * alpha l i 0 + (1 - gate x i 0) * h i 0).

(** Sanity: unit by unit this is Eq. 10. *)
Lemma step_is_gated h x i : step h x i 0 = gated (alpha l i 0) (threshold x i 0) (h i 0) (candidate x i 0).
Proof. by rewrite !mxE. Qed.

Lemma gate01 x i : gate x i 0 = 0 \/ gate x i 0 = 1.
Proof. by rewrite mxE /H; case: ifP; [left | right]. Qed.

(** The layer is a linear recurrence with transitions Diag(1 - z), z in {0, 1}^n. *)
Definition transition x : 'M[F]_n := diag_mx (\row_i (1 - gate x i 0)).

Theorem layer_is_linear h x : step h x = transition x *m h + added x /\ forall i, gate x i 0 = 0 \/ gate x i 0 = 1.
Proof.
split=> [|i]; last exact: gate01.
by apply/matrixP=> i j; rewrite ord1 /transition mul_diag_mx !mxE addrC.
Qed.

(** The states h_0, h_1, ... under inputs x_1, x_2, ... *)
Fixpoint layer_states (h0 : 'cV[F]_n) (x : nat -> 'cV[F]_m) t : 'cV[F]_n := if t is t'.+1 then step (layer_states h0 x t') (x t) else h0.

(** [1, h_0] and then [1 - z_t, z_t S alpha], of unit i. *)
Definition layer_pairs (h0 : 'cV[F]_n) (x : nat -> 'cV[F]_m) i t : F * F :=
  if t is _.+1 then (1 - gate (x t) i 0, added (x t) i 0) else (1, h0 i 0).

(** Theorem 3: the second parts of the scan, by the loop or in parallel, are the states. *)
Theorem layer_by_scan h0 (x : nat -> 'cV[F]_m) T i (pairs := mkseq (layer_pairs h0 x i) T.+1) :
  map snd (loop (@after_pair F) pairs) = mkseq (fun t => layer_states h0 x t i 0) T.+1 /\
  map snd (pairs_first (@after_pair F) T.+1 pairs).1 = mkseq (fun t => layer_states h0 x t i 0) T.+1.
Proof.
have [_ scanned _ _ ->] := scanned_pairs_are_states (layer_pairs h0 x i) T.+1.
suff -> : map snd (loop (@after_pair F) pairs) = mkseq (fun t => layer_states h0 x t i 0) T.+1 by [].
rewrite scanned -map_comp; apply: eq_map => t /=.
by elim: t => //= t ->; rewrite [added _ i 0]mxE [RHS]mxE addrC.
Qed.

End Layer.

(** Without h_0 in front the scan does not give the states. *)
Theorem not_layer_by_scan_without_start (F : realFieldType) :
  ~ (forall (l : bmru F 1 1) h0 x T i, map snd (loop (@after_pair F) (mkseq (fun t => layer_pairs l h0 x i t.+1) T)) =
                                       mkseq (fun t => layer_states l h0 x t.+1 i 0%R) T).
Proof.
pose l : bmru F 1 1 := BMRU 0%R 0%R 0%R (const_mx 1%R) 0%R.
have gE : gate l 0%R ord0 0%R = 0%R.
  by rewrite mxE /candidate /threshold /= !mul0mx !add0r !mxE normr0 normr1 sub0r /H oppr_lt0 ltr01.
move/(_ l (const_mx 1%R) (fun=> 0%R) 1%N ord0) => /= -[].
rewrite [added _ _ _ _]mxE [step _ _ _ _ _]mxE gE !mul0r add0r subr0 mul1r mxE => /eqP.
by rewrite eq_sym oner_eq0.
Qed.

(** ** Gradients: forward differentiation with surrogates *)

Section Gradient.

Local Open Scope ring_scope.
Variables (F : realFieldType) (slope : F -> F).

(** A number and its derivative. H has the derivative [slope], any function (Eq. 12, say), S twice that, |x| has S. *)
Definition dual := (F * F)%type.
Implicit Types (u v h : dual) (a g x b : F) (s : seq (F * F)).

Definition const a : dual := (a, 0).
Definition plus u v : dual := (u.1 + v.1, u.2 + v.2).
Definition minus u v : dual := (u.1 - v.1, u.2 - v.2).
Definition times u v : dual := (u.1 * v.1, u.1 * v.2 + u.2 * v.1).
Definition modulus u : dual := (`|u.1|, S u.1 * u.2).
Definition heaviside u : dual := (H u.1, slope u.1 * u.2).
Definition sign u : dual := (S u.1, 2%:R * slope u.1 * u.2).

(** Sanity: on polynomials this is the derivative. *)
Lemma dual_is_the_derivative (p : {poly F}) u : foldr (fun a q => plus (times q u) (const a)) (const 0) p = (p.[u.1], p^`().[u.1] * u.2).
Proof.
elim/poly_ind: p => [|p c IH]; first by rewrite polyseq0 /= horner0 deriv0 horner0 mul0r.
have [->|p0] := eqVneq p 0.
  rewrite mul0r add0r polyseqC derivC hornerC horner0 mul0r; case: eqP => [->|_] //=.
  by rewrite /plus /times /const /= !mul0r !addr0 add0r.
rewrite -cons_poly_def polyseq_cons nil_poly (negbTE p0) /= IH cons_poly_def !derivE !hornerE /plus /times /const /=.
by rewrite addr0 mulrDl [_ * u.2 * u.1]mulrAC.
Qed.

(** Eqs. 11c and d for a candidate and a threshold. *)
Definition dual_step a h (xb : dual * dual) : dual :=
  let z := heaviside (minus (modulus xb.1) xb.2) in plus (times (times z (sign xb.1)) (const a)) (times (minus (const 1) z) h).

Definition later s : seq (dual * dual) := [seq (const xb.1, const xb.2) | xb <- s].

Definition gradient a h (s : seq (dual * dual)) : F := (foldl (dual_step a) h s).2.

Definition kept (xb : F * F) : F := 1 - H (`|xb.1| - xb.2).

Lemma kept01 xb : kept xb = 0 \/ kept xb = 1.
Proof. by rewrite /kept /H; case: ifP => _; rewrite ?subr0 ?subrr; [right | left]. Qed.

(** Sanity: the values are those of Eq. 10. *)
Lemma dual_step_value a h xb : (dual_step a h xb).1 = gated a xb.2.1 h.1 xb.1.1.
Proof. by []. Qed.

Lemma dual_step_later a h xb : (dual_step a h (const xb.1, const xb.2)).2 = kept xb * h.2.
Proof. by rewrite /= !(mulr0, subr0, addr0, add0r, mul0r, oppr0). Qed.

Lemma gradient_later a h s : gradient a h (later s) = (\prod_(xb <- s) kept xb) * h.2.
Proof.
rewrite /gradient; elim: s h => [|xb s IH] h; first by rewrite big_nil mul1r.
by rewrite big_cons [later _]/= [foldl _ _ _]/= IH dual_step_later mulrA [_ * kept xb]mulrC.
Qed.

(** No vanishing nor exploding gradient: 1 - z_t for a step, their product over steps, and both are 0 or 1, whatever the surrogate. *)
Theorem jacobian_is_zero_or_one a (y : F) (xb : F * F) s :
  [/\ gradient a (y, 1) (later [:: xb]) = kept xb, kept xb = 0 \/ kept xb = 1,
      gradient a (y, 1) (later s) = \prod_(xb <- s) kept xb & \prod_(xb <- s) kept xb = 0 \/ \prod_(xb <- s) kept xb = 1].
Proof.
rewrite !gradient_later big_seq1 !mulr1; split=> //; first exact: kept01.
by elim: s => [|c s IH]; [right; rewrite big_nil | rewrite big_cons; case: (kept01 c) => ->; rewrite ?mul0r ?mul1r //; left].
Qed.

(** Fig. 7: the gradients of h_T in the first candidate and the first threshold. *)
Definition by_candidate a g x b s : F := gradient a (const g) (((x, 1), const b) :: later s).

Definition by_threshold a g x b s : F := gradient a (const g) ((const x, (b, 1)) :: later s).

Lemma kept_all s : all (fun xb => `|xb.1| < xb.2) s -> \prod_(xb <- s) kept xb = 1.
Proof.
elim: s => [|xb s IH] /=; first by rewrite big_nil.
by case/andP=> quiet /IH; rewrite big_cons /kept /H subr_lt0 quiet subr0 mul1r.
Qed.

Lemma kept_none s : has (fun xb => xb.2 <= `|xb.1|) s -> \prod_(xb <- s) kept xb = 0.
Proof.
elim: s => //= xb s IH; rewrite big_cons => /orP[loud|/IH ->]; last by rewrite mulr0.
by rewrite /kept /H subr_lt0 ltNge loud subrr mul0r.
Qed.

Theorem gradients_are_constant_in_time a g x b s :
  (all (fun xb => `|xb.1| < xb.2) s -> by_candidate a g x b s = by_candidate a g x b [::] /\ by_threshold a g x b s = by_threshold a g x b [::]) /\
  (has (fun xb => xb.2 <= `|xb.1|) s -> by_candidate a g x b s = 0 /\ by_threshold a g x b s = 0).
Proof.
have first h xb : gradient a h (xb :: later s) = (\prod_(y <- s) kept y) * gradient a h [:: xb].
  exact: (gradient_later a (dual_step a h xb) s).
rewrite /by_candidate /by_threshold; split=> [/kept_all|/kept_none] p; rewrite !first p ?mul0r //.
by rewrite !mul1r.
Qed.

End Gradient.

(** Written later, it does not stay. *)
Theorem not_gradients_are_constant_through_writes (F : realFieldType) :
  ~ (forall (slope : F -> F) (a h0 x b : F) s, by_candidate slope a h0 x b s = by_candidate slope a h0 x b [::])%R.
Proof.
move/(_ (fun=> 1) 1 0 0 1 [:: (1, 0)])%R.
have [_] := @gradients_are_constant_in_time F (fun=> 1%R) 1%R 0%R 0%R 1%R [:: (1%R, 0%R)].
rewrite /= normr1 ler01 => /(_ isT)[-> _]; rewrite /by_candidate /gradient /= normr0 !sub0r /H /S oppr_lt0 ltr01 ltxx.
by rewrite !(oppr0, subrr, mulr0, mul0r, mulr1, mul1r, addr0, add0r, subr0, sub0r, mulN1r) => /eqP; rewrite eq_sym oner_eq0.
Qed.

(** Without the surrogates the factor would not be 0 or 1 for a gate of 1/2; with a keeping part 2 - z it is not. *)
Theorem not_jacobian_of_another_keeping_part (F : realFieldType) : ~ (forall z : F, z = 0 \/ z = 1 -> 2%:R - z = 0 \/ 2%:R - z = 1)%R.
Proof.
move/(_ 0%R (or_introl erefl)); rewrite subr0 => -[|] /eqP; first by rewrite pnatr_eq0.
by rewrite pnatr_eq1.
Qed.

Section FigureSeven.

Local Open Scope ring_scope.
Variables (F : realFieldType) (k : F).

(** Eq. 12, with k for alpha_surr pi. *)
Definition eq12 (x : F) : F := (1 + (k * x) ^+ 2)^-1.

Lemma eq12_gt0 x : 0 < eq12 x.
Proof. by rewrite invr_gt0 ltr_paddr ?sqr_ge0 ?ltr01. Qed.

(** Fig. 7, as amended: a first step that writes, and later steps that keep. *)
Theorem gradients_of_a_kept_write (a h0 x b : F) (s : seq (F * F)) :
  b <= `|x| -> all (fun xb => `|xb.1| < xb.2) s ->
  [/\ by_candidate eq12 a h0 x b s = (a - S x * h0) * eq12 (`|x| - b) + 2%:R * a * eq12 x,
      by_threshold eq12 a h0 x b s = - (S x * a - h0) * eq12 (`|x| - b),
      forall y, 0 < eq12 y,
      a != 0 -> plus_minus a h0 -> by_candidate eq12 a h0 x b s != 0 &
      by_threshold eq12 a h0 x b s = 0 <-> h0 = S x * a].
Proof.
move=> writes quiet; have [/(_ quiet)[cE tE] _] := gradients_are_constant_in_time eq12 a h0 x b s.
have HE : H (`|x| - b) = 1 by rewrite /H subr_lt0 ltNge writes.
have SS : S x * S x = 1 by rewrite /S; case: ifP; rewrite ?mulrNN mulr1.
have candE : by_candidate eq12 a h0 x b s = (a - S x * h0) * eq12 (`|x| - b) + 2%:R * a * eq12 x.
  rewrite cE /by_candidate /gradient /= HE; move: SS; set g := eq12 (_ - b); set f := eq12 x; move: (S x) => e SS.
  rewrite !(mulr0, mul0r, mulr1, mul1r, addr0, add0r, subr0, sub0r, subrr).
  have -> : a - e * h0 = e * e * a - e * h0 by rewrite SS mul1r.
  by ring.
have thrE : by_threshold eq12 a h0 x b s = - (S x * a - h0) * eq12 (`|x| - b).
  rewrite tE /by_threshold /gradient /= HE; set g := eq12 (_ - b).
  rewrite !(mulr0, mul0r, mulr1, mul1r, addr0, add0r, subr0, sub0r, subrr, mulrN, mulNr, opprK).
  by rewrite mulrBl opprB addrC [g * h0]mulrC -[g * S x * a]mulrA [g * (S x * a)]mulrC.
split=> //.
- exact: eq12_gt0.
- move=> a0 hh; rewrite candE.
  have [c c0 cE'] : exists2 c, 0 <= c & a - S x * h0 = a * c.
    by case: hh => ->; rewrite /S; case: ifP => _; [exists 2%:R | exists 0 | exists 0 | exists 2%:R]; rewrite ?lexx ?ler0n // ?mulr0 ?mulrN ?mulrNN ?mul1r ?mulN1r ?mulr1 ?opprK ?subrr // mulr_natr mulr2n.
  rewrite cE'; set g := eq12 (_ - b); set f := eq12 x.
  have -> : a * c * g + 2%:R * a * f = a * (c * g + 2%:R * f) by ring.
  by rewrite mulf_neq0 // gt_eqF // ltr_paddl // ?mulr_ge0 ?mulr_gt0 ?ltr0n ?eq12_gt0 // ltW // eq12_gt0.
- rewrite thrE; split=> [/eqP|->]; last by rewrite subrr oppr0 mul0r.
  by rewrite mulf_eq0 (gt_eqF (eq12_gt0 _)) orbF oppr_eq0 subr_eq0 => /eqP.
Qed.

(** Neither is nonzero always: the threshold's vanishes where the write changes nothing. *)
Theorem not_threshold_gradient_is_nonzero :
  ~ (forall (a h0 x b : F) (s : seq (F * F)), a != 0 -> plus_minus a h0 -> b <= `|x| -> by_threshold eq12 a h0 x b s != 0).
Proof.
move/(_ 1 1 1 0 [::] (oner_neq0 _) (or_introl erefl)); rewrite normr1 ler01 => /(_ isT).
have [] := @gradients_of_a_kept_write 1 1 1 0 [::]; rewrite ?normr1 ?ler01 // => _ _ _ _ [_ ->]; first by rewrite eqxx.
by rewrite /S ltNge ler01 mulr1.
Qed.

End FigureSeven.

(** ** Stacks of units: a repeated letter changes nothing *)

Section Stutter.

Variable L : Type.

(** A layer whose letters act by idempotent maps, and what it hands up: any function of its new state and the letter. *)
Inductive stack : Type -> Type :=
| Bottom (Q S : Type) (act : L -> Q -> Q) (out : Q -> L -> S) : stack S
| Above (M Q S : Type) (below : stack M) (act : M -> Q -> Q) (out : Q -> M -> S) : stack S.

Fixpoint states S (s : stack S) : Type :=
  match s with Bottom Q _ _ _ => Q | Above _ Q _ s _ _ => (states s * Q)%type end.

(** One letter: the new states of all layers, and the output. *)
Fixpoint move S (s : stack S) (x : L) : states s -> states s * S :=
  match s return states s -> states s * _ with
  | Bottom Q S act out => fun q => (act x q, out (act x q) x)
  | Above M Q S s act out => fun q =>
      let (below, m) := move x q.1 in ((below, act m q.2), out (act m q.2) m)
  end.

Fixpoint idempotent_letters S (s : stack S) : Prop :=
  match s with
  | Bottom Q _ act _ => forall x q, act x (act x q) = act x q
  | Above M Q _ s act _ => idempotent_letters s /\ forall m q, act m (act m q) = act m q
  end.

Lemma move_twice S (s : stack S) x q : idempotent_letters s -> move x (move x q).1 = move x q :> states s * S.
Proof.
elim: s q => [Q U act out|M Q U s IH act out] q /=; first by move=> ->.
case=> idem act_idem; have := IH q.1 idem; case: (move x q.1) => [below m] /= ->.
by rewrite act_idem.
Qed.

(** The state after a word, and the output at its last letter. *)
Definition after_word S (s : stack S) (q : states s) (w : seq L) : states s := foldl (fun q x => (move x q).1) q w.

Definition output S (s : stack S) (q : states s) (w : seq L) (x : L) : S := (move x (after_word q w)).2.

(** What a stack of bistable units puts out does not see a letter repeated, at any place of any word. *)
Lemma stutter_invariant S (s : stack S) (q : states s) u x v y :
  idempotent_letters s -> output q (u ++ x :: x :: v) y = output q (u ++ x :: v) y.
Proof.
by move=> idem; rewrite /output /after_word !foldl_cat /= (move_twice _ _ idem).
Qed.

Lemma repeated_last_letter S (s : stack S) (q : states s) u x : idempotent_letters s -> output q (rcons u x) x = output q u x.
Proof. by move=> idem; rewrite /output /after_word foldl_rcons (move_twice _ _ idem). Qed.

End Stutter.

(** So no stack of bistable units, of any depth, width and precision, computes the parity of its input. *)
Lemma no_parity (s : stack bool bool) (q : states s) :
  idempotent_letters s -> ~ (forall w x, output q w x = odd (count id (rcons w x))).
Proof.
move=> idem parity; have := repeated_last_letter q [::] true idem.
by rewrite !parity.
Qed.

(** ** Stacks of bistable units: their letters act idempotently, exactly or rounded *)

Section Bistable.

Local Open Scope ring_scope.
Variables (F : realFieldType) (L : Type).

(** A layer of n units whose gates and candidates are any functions of what it reads (as Eqs. 11a to c compute them, exactly or not), every product and sum
    rounded by fl; it hands up any function of its new state and of what it reads. *)
Definition write_rounded (fl : F -> F) n (z : 'I_n -> bool) (v : 'I_n -> F) (h : 'cV[F]_n) : 'cV[F]_n :=
  \col_i fl (fl ((z i)%:R * v i) + fl ((1 - (z i)%:R) * h i 0)).

Inductive bistable : Type -> Type :=
| Lowest n (T : Type) (z : L -> 'I_n -> bool) (v : L -> 'I_n -> F) (out : 'cV[F]_n -> L -> T) : bistable T
| Higher M n (T : Type) (below : bistable M) (z : M -> 'I_n -> bool) (v : M -> 'I_n -> F) (out : 'cV[F]_n -> M -> T) : bistable T.

Fixpoint stack_of (fl : F -> F) T (b : bistable T) : stack L T :=
  match b with
  | Lowest _ _ z v out => Bottom (fun x => write_rounded fl (z x) (v x)) out
  | Higher _ _ _ below z v out => Above (stack_of fl below) (fun x => write_rounded fl (z x) (v x)) out
  end.

(** Sanity: the layer of Eq. 11 is such a layer, without rounding. *)
Lemma layer_is_bistable n m (l : bmru F n m) h x :
  step l h x = write_rounded id (fun i => gate l x i 0 == 1) (fun i => S (candidate l x i 0) * alpha l i 0) h.
Proof.
apply/matrixP=> i j; rewrite ord1 [LHS]mxE [RHS]mxE /=.
by case: (gate01 l x i) => ->; rewrite ?eqxx ?(eq_sym 0) ?oner_eq0 /= ?mul0r ?mul1r.
Qed.

(** Rounding that leaves 0 and rounded numbers alone. *)
Definition rounding (fl : F -> F) := fl 0 = 0 /\ forall x, fl (fl x) = fl x.

Lemma write_twice fl n (z : 'I_n -> bool) v h : rounding fl -> write_rounded fl z v (write_rounded fl z v h) = write_rounded fl z v h.
Proof.
case=> fl0 fl2; apply/matrixP=> i j; rewrite !mxE; case: (z i) => /=; first by rewrite subrr !mul0r.
by rewrite !mul0r subr0 !mul1r fl0 !add0r !fl2.
Qed.

Lemma bistable_idempotent fl T (b : bistable T) : rounding fl -> idempotent_letters (stack_of fl b).
Proof.
move=> r; elim: b => [n U z v out|M n U b IH z v out] /=; first by move=> x q; apply: write_twice.
by split=> // m q; apply: write_twice.
Qed.

(** Every letter of a stack acts as it does twice, and a letter repeated anywhere changes no later output. *)
Theorem bistable_stutter T (b : bistable T) (s := stack_of id b) (q : states s) u x v y :
  (forall p : states s, move x (move x p).1 = move x p) /\ output q (u ++ x :: x :: v) y = output q (u ++ x :: v) y /\
  output q (rcons u x) x = output q u x.
Proof.
have idem : idempotent_letters s by apply: bistable_idempotent.
by split=> [p|]; [apply: move_twice | split; [apply: stutter_invariant | apply: repeated_last_letter]].
Qed.

End Bistable.

(** A positional encoding, or mean pooling, sees the letter twice: a count is no output of a stack. *)
Theorem not_bistable_counts (F : realFieldType) :
  ~ (exists (b : bistable F bool nat) (q : states (stack_of id b)), forall w x, output q w x = size (rcons w x)).
Proof.
case=> b [q counts]; have [_ [_]] := bistable_stutter q [::] true [::] true.
by rewrite !counts.
Qed.

Section Cast.

Local Open Scope ring_scope.

(** Transitions have their spectrum in {0, 1}. *)
Lemma gates_spectrum (F : realFieldType) n (z : 'I_n -> bool) (A := diag_mx (\row_i (1 - (z i)%:R)) : 'M[F]_n) :
  parity.nonnegative_spectrum A /\ forall a, eigenvalue A a -> a = 0%R \/ a = 1%R.
Proof.
have charE : char_poly A = (\prod_i ('X - (1 - (z i)%:R)%:P))%R.
  by rewrite char_poly_trig ?diag_mx_is_trig //; apply: eq_bigr => i _; rewrite !mxE eqxx mulr1n.
split=> [|a].
  exists [seq (1 - (z i)%:R)%R | i <- enum 'I_n].
    by apply/allP=> _ /mapP[i _ ->]; case: (z i); rewrite /= ?subrr ?subr0 ?ler01.
  by rewrite charE big_map big_enum.
rewrite eigenvalue_root_char charE /root horner_prod prodf_seq_eq0 => /hasP[i _].
by rewrite hornerXsubC subr_eq0 => /eqP ->; case: (z i); rewrite /= ?subrr ?subr0; [left | right].
Qed.

(** Stacks in the cast model of grazzi25 whose transitions are Diag(1 - z). *)
Definition bistable_layer (F : realFieldType) T U (l : models.affine_layer F T U) :=
  exists z : T -> 'I_(models.width l) -> bool, forall x, models.transition l x = diag_mx (\row_i (1 - (z x i)%:R))%R.

Definition bistable_stack (F : realFieldType) T U (s : models.affine_stack F T U) : Prop :=
  models.every (@bistable_layer F) s.

Lemma bistable_nonnegative (F : realFieldType) T U (s : models.affine_stack F T U) :
  bistable_stack s -> parity.nonnegative s.
Proof.
by apply: models.every_implies => A B l [z e] a; rewrite e; case: (gates_spectrum F (z a)).
Qed.

(** No stack computes the parity: by Theorem 1 of grazzi25 in the cast model, and by idempotence in exact arithmetic and with any rounding. *)
Theorem bistable_no_parity (F : realFieldType) :
  [/\ forall n (z : 'I_n -> bool) a, eigenvalue (diag_mx (\row_i (1 - (z i)%:R)) : 'M[F]_n)%R a -> a = 0%R \/ a = 1%R,
      forall ys value (s : models.affine_stack F bool bool), bistable_stack s ->
        ~ (forall t, models.cast_run ys value s (fun=> true) t = odd t.+1) &
      forall fl (b : bistable F bool bool) (q : states (stack_of fl b)), rounding fl ->
        ~ (forall w x, output q w x = odd (count id (rcons w x)))].
Proof.
split=> [n z a|ys value s bist|fl b q r]; first by case: (gates_spectrum F z) => _; apply.
  by apply: parity.no_parity; apply: bistable_nonnegative.
by apply: no_parity; apply: bistable_idempotent.
Qed.

End Cast.

(** ** One layer: every word acts as it does twice *)

Section Band.

Variables (I : finType) (V L : Type) (writes : L -> I -> option V).
Implicit Type h : {ffun I -> V}.

(** A unit keeps its state or takes a candidate; both depend on the letter only. *)
Definition act (h : {ffun I -> V}) (x : L) : {ffun I -> V} := [ffun i => odflt (h i) (writes x i)].

(** A word writes the last candidate of each unit, if any. *)
Lemma word_writes (w : seq L) : exists last : I -> option V, forall h, foldl act h w = [ffun i => odflt (h i) (last i)].
Proof.
elim/last_ind: w => [|w x [last e]]; first by exists (fun=> None) => h; apply/ffunP=> i; rewrite ffunE.
exists (fun i => if writes x i is Some v then Some v else last i) => h.
by rewrite foldl_rcons e; apply/ffunP=> i; rewrite !ffunE; case: (writes x i).
Qed.

Theorem words_idempotent (w : seq L) h : foldl act (foldl act h w) w = foldl act h w.
Proof. by have [last e] := word_writes w; rewrite !e; apply/ffunP=> i; rewrite !ffunE; case: (last i). Qed.

(** So one layer does not compute the parity of a letter, with any decoder. *)
Theorem one_layer_no_parity (out : {ffun I -> V} -> bool) h (x : L) : ~ (forall k, out (foldl act h (nseq k x)) = odd k).
Proof.
move=> parity; have := parity 2%N; have := parity 1%N.
by rewrite -[nseq 2 x]/([:: x] ++ [:: x]) foldl_cat words_idempotent => -> .
Qed.

End Band.

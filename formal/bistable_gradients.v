(** * Gradients of bistable units, with a surrogate for the derivative of the step

    degeeter26, Sec. 4.3, Eq. 12, Fig. 7.

    - [dual]: a number and its derivative; [const], [plus], [minus], [times], [modulus], [heaviside], [sign]: on duals;
    - [dual_step slope a h xb]: Eqs. 11c and d on duals, for a candidate and a threshold;
    - [later s], [gradient a h s], [kept xb]: inputs that are not differentiated; the derivative of the last state;
          its factor 1 - z of one step;
    - [by_candidate], [by_threshold]: the derivatives by the first candidate and by the first threshold;
    - [eq12 k]: the surrogate of Eq. 12. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require models.
From lemmata Require Import bistable.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.

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
Lemma dual_is_the_derivative (p : {poly F}) u :
  foldr (fun a q => plus (times q u) (const a)) (const 0) p = (p.[u.1], p^`().[u.1] * u.2).
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
  let z := heaviside (minus (modulus xb.1) xb.2) in
  plus (times (times z (sign xb.1)) (const a)) (times (minus (const 1) z) h).

Definition later s : seq (dual * dual) := [seq (const xb.1, const xb.2) | xb <- s].

Definition gradient a h (s : seq (dual * dual)) : F := (models.state (dual_step a) h s).2.

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
by rewrite big_cons [later _]/= [models.state _ _ _]/= IH dual_step_later mulrA [_ * kept xb]mulrC.
Qed.

(** No vanishing nor exploding gradient: 1 - z_t for a step, their product over steps, and both are 0 or 1, whatever the
    surrogate. *)
Theorem jacobian_is_zero_or_one a (y : F) (xb : F * F) s :
  [/\ gradient a (y, 1) (later [:: xb]) = kept xb, kept xb = 0 \/ kept xb = 1,
      gradient a (y, 1) (later s) = \prod_(xb <- s) kept xb &
      \prod_(xb <- s) kept xb = 0 \/ \prod_(xb <- s) kept xb = 1].
Proof.
rewrite !gradient_later big_seq1 !mulr1; split=> //; first exact: kept01.
by elim: s => [|c s IH];
  [right; rewrite big_nil | rewrite big_cons; case: (kept01 c) => ->; rewrite ?mul0r ?mul1r //; left].
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
  (all (fun xb => `|xb.1| < xb.2) s ->
    by_candidate a g x b s = by_candidate a g x b [::] /\ by_threshold a g x b s = by_threshold a g x b [::]) /\
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
by rewrite !(oppr0, subrr, mulr0, mul0r, mulr1, mul1r, addr0, add0r, subr0, sub0r, mulN1r) => /eqP;
  rewrite eq_sym oner_eq0.
Qed.

(** Without the surrogates the factor would not be 0 or 1 for a gate of 1/2; with a keeping part 2 - z it is not. *)
Theorem not_jacobian_of_another_keeping_part (F : realFieldType) :
  ~ (forall z : F, z = 0 \/ z = 1 -> 2%:R - z = 0 \/ 2%:R - z = 1)%R.
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
    by case: hh => ->; rewrite /S; case: ifP => _; [exists 2%:R | exists 0 | exists 0 | exists 2%:R];
      rewrite ?lexx ?ler0n // ?mulr0 ?mulrN ?mulrNN ?mul1r ?mulN1r ?mulr1 ?opprK ?subrr // mulr_natr mulr2n.
  rewrite cE'; set g := eq12 (_ - b); set f := eq12 x.
  have -> : a * c * g + 2%:R * a * f = a * (c * g + 2%:R * f) by ring.
  by rewrite mulf_neq0 // gt_eqF // ltr_paddl // ?mulr_ge0 ?mulr_gt0 ?ltr0n ?eq12_gt0 // ltW // eq12_gt0.
- rewrite thrE; split=> [/eqP|->]; last by rewrite subrr oppr0 mul0r.
  by rewrite mulf_eq0 (gt_eqF (eq12_gt0 _)) orbF oppr_eq0 subr_eq0 => /eqP.
Qed.

(** Neither is nonzero always: the threshold's vanishes where the write changes nothing. *)
Theorem not_threshold_gradient_is_nonzero :
  ~ (forall (a h0 x b : F) (s : seq (F * F)), a != 0 -> plus_minus a h0 -> b <= `|x| ->
       by_threshold eq12 a h0 x b s != 0).
Proof.
move/(_ 1 1 1 0 [::] (oner_neq0 _) (or_introl erefl)); rewrite normr1 ler01 => /(_ isT).
have [] := @gradients_of_a_kept_write 1 1 1 0 [::]; rewrite ?normr1 ?ler01 // => _ _ _ _ [_ ->]; first by rewrite eqxx.
by rewrite /S ltNge ler01 mulr1.
Qed.

End FigureSeven.

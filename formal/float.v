(** * Stored networks and the real numbers, with Flocq: the operations are those of IEEE 754,
    and where none rounds the run is the exact one

    Definitions: [real], the value of a number; [rounded], rounding to nearest even in a format; [real_moved],
        a letter in exact arithmetic.
    The theorems rest on the axioms of the classical reals. *)

From Coq Require Import ZArith NArith Reals List Bool SpecFloat Lia Lra.
From Flocq Require Import Core BinarySingleNaN.
From lemmata Require Import checker checker_sound float_closure stored_network stored stored_sound.
Import ListNotations.

Local Open Scope R_scope.
Local Notation two := radix2.

Definition real (x : spec_float) : R := SF2R two x.

(** What the four formats have in common. *)
Definition is_format (F : format) : Prop := (0 < prec F < emax F)%Z.

Definition rounded (F : format) (x : R) : R := round two (FLT_exp (3 - emax F - prec F) (prec F)) ZnearestE x.

(** A number as the format writes it. *)
Definition in_form (F : format) (x : spec_float) : bool := is_finite_SF x && valid_binary (prec F) (emax F) x.

(** ** The operations are those of IEEE 754 *)

Section IEEE.

Variable F : format.
Hypothesis formatF : is_format F.

Let positive_precision : Prec_gt_0 (prec F). Proof. exact (proj1 formatF). Qed.
Let small_precision : Prec_lt_emax (prec F) (emax F). Proof. exact (proj2 formatF). Qed.
Local Existing Instance positive_precision.
Local Existing Instance small_precision.

Lemma round_aux_equiv s m e l : SpecFloat.binary_round_aux (prec F) (emax F) s m e l =
    BinarySingleNaN.binary_round_aux (prec F) (emax F) mode_NE s m e l.
Proof.
unfold SpecFloat.binary_round_aux, BinarySingleNaN.binary_round_aux.
destruct (shr_fexp (prec F) (emax F) m e l) as [mrs e']; cbv zeta beta iota.
assert (same : forall m' l', round_nearest_even m' l' = choice_mode mode_NE s m' l').
  intros m' [|[]]; simpl; try reflexivity; unfold Round.cond_incr; destruct (Z.even m'); reflexivity.
rewrite same; reflexivity.
Qed.

Lemma round_equiv s m e : SpecFloat.binary_round (prec F) (emax F) s m e = BinarySingleNaN.binary_round (prec F)
    (emax F) mode_NE s m e.
Proof.
unfold SpecFloat.binary_round, BinarySingleNaN.binary_round, shl_align_fexp.
destruct (shl_align _ _ _) as [mz ez]; apply round_aux_equiv.
Qed.

Lemma normalize_equiv m e z : SpecFloat.binary_normalize (prec F) (emax F) m e z =
  B2SF (BinarySingleNaN.binary_normalize (prec F) (emax F) positive_precision small_precision mode_NE m e z).
Proof. destruct m as [|p|p]; simpl; [reflexivity| |]; rewrite B2SF_SF2B; apply round_equiv. Qed.

Let float := binary_float (prec F) (emax F).

Lemma to_float x : in_form F x = true -> exists b : float, B2SF b = x /\ is_finite b = true.
Proof.
unfold in_form; rewrite andb_true_iff; intros [num val]; exists (SF2B x val); split; [apply B2SF_SF2B|].
rewrite is_finite_SF2B; destruct x; auto.
Qed.

Lemma of_float (b : float) : is_finite b = true -> in_form F (B2SF b) = true.
Proof. intros fin; unfold in_form; rewrite valid_binary_B2SF, andb_true_r; destruct b; auto. Qed.

Lemma real_float (b : float) : real (B2SF b) = B2R b.
Proof. apply SF2R_B2SF. Qed.

(** A sum is the exact sum rounded to nearest even, if that is below 2^emax. *)
Theorem sums_are_rounded x y : in_form F x = true -> in_form F y = true ->
    Rabs (rounded F (real x + real y)) < bpow two (emax F) ->
  in_form F (add F x y) = true /\ real (add F x y) = rounded F (real x + real y).
Proof.
intros fx fy small; destruct (to_float _ fx) as (a & <- & fa), (to_float _ fy) as (b & <- & fb).
assert (add F (B2SF a) (B2SF b) = B2SF (Bplus mode_NE a b)) as ->.
  destruct a as [sa|sa| |sa ma ea va], b as [sb|sb| |sb mb eb vb]; try discriminate; try reflexivity.
    simpl; destruct (Bool.eqb sa sb); reflexivity.
  apply normalize_equiv.
rewrite !real_float in *; generalize (Bplus_correct (prec F) (emax F) _ _ mode_NE a b fa fb).
rewrite Rlt_bool_true by exact small; intros (value & fin & _); split; [apply of_float, fin|exact value].
Qed.

Theorem differences_are_rounded x y : in_form F x = true -> in_form F y = true ->
    Rabs (rounded F (real x - real y)) < bpow two (emax F) ->
  in_form F (sub F x y) = true /\ real (sub F x y) = rounded F (real x - real y).
Proof.
intros fx fy small; destruct (to_float _ fx) as (a & <- & fa), (to_float _ fy) as (b & <- & fb).
assert (sub F (B2SF a) (B2SF b) = B2SF (Bminus mode_NE a b)) as ->.
  destruct a as [sa|sa| |sa ma ea va], b as [sb|sb| |sb mb eb vb]; try discriminate; try reflexivity.
    simpl; destruct (Bool.eqb sa (negb sb)); reflexivity.
  unfold sub, Bminus, B2SF at 1 2, SFsub; cbv zeta.
  rewrite normalize_equiv; f_equal; f_equal.
  unfold Fplus_naive; destruct sb; reflexivity.
rewrite !real_float in *; generalize (Bminus_correct (prec F) (emax F) _ _ mode_NE a b fa fb).
rewrite Rlt_bool_true by exact small; intros (value & fin & _); split; [apply of_float, fin|exact value].
Qed.

Theorem products_are_rounded x y : in_form F x = true -> in_form F y = true ->
    Rabs (rounded F (real x * real y)) < bpow two (emax F) ->
  in_form F (mul F x y) = true /\ real (mul F x y) = rounded F (real x * real y).
Proof.
intros fx fy small; destruct (to_float _ fx) as (a & <- & fa), (to_float _ fy) as (b & <- & fb).
assert (mul F (B2SF a) (B2SF b) = B2SF (Bmult mode_NE a b)) as ->.
  destruct a as [sa|sa| |sa ma ea va], b as [sb|sb| |sb mb eb vb]; try discriminate; try reflexivity.
  simpl; rewrite B2SF_SF2B; apply round_aux_equiv.
rewrite !real_float in *; generalize (Bmult_correct (prec F) (emax F) _ _ mode_NE a b).
rewrite Rlt_bool_true by exact small; rewrite fa, fb; intros (value & fin & _); split; [apply of_float,
    fin|exact value].
Qed.

End IEEE.

Example formats : Forall is_format [binary64; binary32; binary16; bfloat16].
Proof. repeat constructor. Qed.

(** ** Exact arithmetic *)

Definition dyadic_value (d : dyadic) : R := F2R (Float two (fst d) (snd d)).

Definition real_dot (u v : list R) : R := fold_right Rplus 0 (map (fun ab => fst ab * snd ab) (combine u v)).

Definition real_loop (m : transition spec_float) (h : list R) : list R :=
  map (fun rb => real_dot (fst rb) h + snd rb) (combine (map (map real) (weights m)) (map real (bias m))).

Definition real_micro (h : list R) (s : micro_step spec_float) : list R :=
  let w := real (strength s) * (real (value s) - real_dot (map real (key_vector s)) h) in
  map (fun kx => snd kx + fst kx * w) (combine (map real (key_vector s)) h).

Definition real_moved (p : path) (m : transition spec_float) (h : list R) : option (list R) :=
  match p with
  | Loop => Some (real_loop m h)
  | Delta => option_map (fun ss => fold_left real_micro ss h) (micro_steps m)
  end.

Definition real_distance (c h : list R) : R := fold_left (fun d ch => Rmax d (Rabs (fst ch - snd ch))) (combine c h) 0.

(** The code k is strictly nearer than all others. *)
Definition real_nearest (cs : list (list R)) (h : list R) (k : nat) : Prop :=
  exists c, nth_error cs k = Some c /\ forall j c', nth_error cs j = Some c' -> j <> k ->
      real_distance c h < real_distance c' h.

Definition real_codes (m : transition spec_float) : list (list R) := map (map (fun c =>
    IZR c * bpow two (unit_exponent m))) (codes m).

(** The stack in exact arithmetic reads y: its states before and after, and what it hands on. *)
Fixpoint real_stack_step (p : path) (Ls : list (stored_layer spec_float)) (hs : list (list R)) (y : N) (hs' : list
    (list R)) (z : N) : Prop :=
  match Ls, hs, hs' with
  | [], [], [] => y = z
  | L :: Ls', h :: below, h' :: below' => exists l m row k up,
      at_ (layer_letters L) y = Some l /\ at_ (transitions L) (uses l) = Some m /\ at_ (following L) y = Some row /\
      real_moved p m h = Some h' /\ real_nearest (real_codes m) h' (N.to_nat k) /\ at_ row k = Some (Some up) /\
      real_stack_step p Ls' below up below' z
  | _, _, _ => False
  end.

(** States and outputs after each letter of a word. *)
Fixpoint real_trace (p : path) (Ls : list (stored_layer spec_float)) (hs : list (list R)) (word : list N) (trace :
    list (list (list R) * N)) : Prop :=
  match word, trace with
  | [], [] => True
  | x :: word', (hs', q) :: trace' => real_stack_step p Ls hs x hs' q /\ real_trace p Ls hs' word' trace'
  | _, _ => False
  end.

Fixpoint float_trace (p : path) (F : format) (Ls : list (stored_layer spec_float)) (hs : list (list spec_float))
    (word : list N)
    : option (list (list (list spec_float) * N)) :=
  match word with
  | [] => Some []
  | x :: word' =>
    match float_stack_step p F Ls hs x with
    | None => None
    | Some (hs', q) => option_map (cons (hs', q)) (float_trace p F Ls hs' word')
    end
  end.

(** ** What does not round is exact *)

Lemma value_dyadic x d : dyadic_of x = Some d -> real x = dyadic_value d.
Proof. destruct x as [s|s| |s m e]; simpl; try discriminate; intros [= <-]; unfold real, dyadic_value; simpl;
    [rewrite F2R_0; reflexivity|reflexivity]. Qed.

Lemma value_over g d : (g <= snd d)%Z -> IZR (over g d) * bpow two g = dyadic_value d.
Proof.
intros le; unfold over, dyadic_value, F2R; simpl Fnum; simpl Fexp.
rewrite mult_IZR; replace (IZR (2 ^ (snd d - g))) with (bpow two (snd d - g)).
  rewrite Rmult_assoc, <- bpow_plus; f_equal; f_equal; lia.
rewrite <- IZR_Zpower by lia; reflexivity.
Qed.

Lemma value_eq a b : dyadic_eq a b = true -> dyadic_value a = dyadic_value b.
Proof.
unfold dyadic_eq; intros e; apply Z.eqb_eq in e.
rewrite <- (value_over (Z.min (snd a) (snd b)) a), <- (value_over (Z.min (snd a) (snd b)) b) by lia.
rewrite e; reflexivity.
Qed.

Lemma value_sum a b : dyadic_value (dyadic_sum a b) = dyadic_value a + dyadic_value b.
Proof.
unfold dyadic_sum; rewrite <- (value_over (Z.min (snd a) (snd b)) a), <- (value_over (Z.min (snd a) (snd b)) b) by lia.
unfold dyadic_value, F2R; simpl; rewrite plus_IZR; ring.
Qed.

Lemma value_product a b : dyadic_value (dyadic_product a b) = dyadic_value a * dyadic_value b.
Proof. unfold dyadic_product, dyadic_value, F2R; simpl; rewrite mult_IZR, bpow_plus; ring. Qed.

Lemma real_opp x : real (SFopp x) = - real x.
Proof.
destruct x as [s|s| |s m e]; unfold real; simpl; try ring.
rewrite <- F2R_Zopp; destruct s; reflexivity.
Qed.

Section Exact.

Variable F : format.

Lemma no_cause exactly r : cause_of F exactly r = None -> exists d, exactly = Some d /\ real r = dyadic_value d.
Proof.
unfold cause_of; destruct exactly as [d|]; [|discriminate]; destruct (dyadic_of r) as [d'|] eqn:e; [|discriminate].
destruct (dyadic_eq d d') eqn:same; [|destruct (_ || _)%bool; discriminate].
intros _; exists d; split; [reflexivity|]; rewrite (value_dyadic _ _ e); symmetry; apply value_eq, same.
Qed.

Lemma both_values f x y d : both f x y = Some d -> exists a b, d = f a b /\ real x = dyadic_value a /\
    real y = dyadic_value b.
Proof.
unfold both; destruct (dyadic_of x) as [a|] eqn:ex; [|discriminate]; destruct (dyadic_of y) as [b|] eqn:ey;
    [|discriminate].
intros [= <-]; exists a, b; rewrite (value_dyadic _ _ ex), (value_dyadic _ _ ey); auto.
Qed.

Lemma exact_sum x y : sum_cause F x y = None -> real (add F x y) = real x + real y.
Proof.
intros none; destruct (no_cause _ _ none) as (d & e & ->); destruct (both_values _ _ _ _ e) as (a & b & -> & -> & ->).
apply value_sum.
Qed.

Lemma exact_difference x y : difference_cause F x y = None -> real (sub F x y) = real x - real y.
Proof.
intros none; destruct (no_cause _ _ none) as (d & e & ->); destruct (both_values _ _ _ _ e) as (a & b & -> & -> & opp).
rewrite value_sum, <- opp, real_opp; reflexivity.
Qed.

Lemma exact_product x y : product_cause F x y = None -> real (mul F x y) = real x * real y.
Proof.
intros none; destruct (no_cause _ _ none) as (d & e & ->); destruct (both_values _ _ _ _ e) as (a & b & -> & -> & ->).
apply value_product.
Qed.

Lemma first_some_none (A B : Type) (f : N -> A -> option B) l : forall i, first_some f i l = None -> Forall (fun a =>
    exists j, f j a = None) l.
Proof.
induction l as [|a l IH]; intros i; simpl; [constructor|].
destruct (f i a) eqn:e; [discriminate|]; intros rest; constructor; [exists i; exact e|exact (IH _ rest)].
Qed.

Lemma exact_partial op terms : forall c total, partial_sums F op c total terms = None ->
  real (fold_left (add F) terms total) = real total + fold_right Rplus 0 (map real terms).
Proof.
induction terms as [|t terms IH]; intros c total; simpl; [intros _; ring|].
destruct (sum_cause F total t) eqn:e; [discriminate|]; intros rest.
rewrite (IH _ _ rest), (exact_sum _ _ e); ring.
Qed.

Lemma named_none (A : Type) (op : A) why : named op why = None -> why = None.
Proof. destruct why; [discriminate|reflexivity]. Qed.

Lemma exact_dot i u v : dot_rounding F i u v = None ->
    real (in_order F (products F u v)) = real_dot (map real u) (map real v).
Proof.
unfold dot_rounding; destruct (first_some _ _ _) eqn:e; [discriminate|]; intros sums.
assert (map real (products F u v) = map (fun ab => fst ab * snd ab) (combine (map real u) (map real v))) as prods.
  apply first_some_none in e; unfold products; clear sums; revert v e; induction u as [|a u IH]; intros [|b v] e;
      simpl in *; try reflexivity.
  inversion_clear e as [|? ? [j none] rest]; f_equal; [|apply IH, rest].
  exact (exact_product _ _ (named_none _ _ _ none)).
unfold real_dot; rewrite <- prods; destruct (products F u v) as [|t others]; [reflexivity|].
simpl; rewrite (exact_partial _ _ _ _ sums); reflexivity.
Qed.

Lemma exact_loop m h : loop_rounding F m h = None -> map real (loop_moved F m h) = real_loop m (map real h).
Proof.
unfold loop_rounding, loop_moved, real_loop; intros none; apply first_some_none in none.
revert none; generalize (weights m) (bias m); intros W b; revert b; induction W as [|row W IH]; intros [|x b] none;
    simpl in *; try reflexivity.
inversion_clear none as [|? ? [j this] rest]; f_equal; [|apply IH, rest]; simpl in this |- *.
destruct (dot_rounding F j row h) eqn:dots; [discriminate|].
rewrite (exact_sum _ _ (named_none _ _ _ this)), (exact_dot _ _ _ dots); reflexivity.
Qed.

Lemma exact_micro j h s : micro_rounding F j h s = None -> map real (micro_moved F h s) = real_micro (map real h) s.
Proof.
unfold micro_rounding, micro_moved, real_micro.
destruct (dot_rounding F j (key_vector s) h) eqn:dots; [discriminate|].
set (d := in_order F (products F (key_vector s) h)) in *.
destruct (difference_cause F (value s) d) eqn:diff; [discriminate|].
destruct (product_cause F (strength s) (sub F (value s) d)) eqn:prod; [discriminate|].
rewrite <- (exact_dot _ _ _ dots); fold d; rewrite <- (exact_difference _ _ diff), <- (exact_product _ _ prod).
set (w := mul F (strength s) _); intros none; apply first_some_none in none; clearbody w; clear dots diff prod;
    clearbody d.
revert h none; induction (key_vector s) as [|k ks IH]; intros [|x h] none; simpl in *; try reflexivity.
inversion_clear none as [|? ? [i this] rest]; f_equal; [|apply IH, rest]; simpl in this |- *.
destruct (product_cause F k w) eqn:change; [discriminate|].
rewrite (exact_sum _ _ (named_none _ _ _ this)), (exact_product _ _ change); reflexivity.
Qed.

Lemma exact_micros ss : forall j h, micros_rounding F j h ss = None ->
    map real (fold_left (micro_moved F) ss h) = fold_left real_micro ss (map real h).
Proof.
induction ss as [|s ss IH]; intros j h; simpl; [reflexivity|].
destruct (micro_rounding F j h s) eqn:this; [discriminate|]; intros rest.
rewrite (IH _ _ rest), (exact_micro _ _ _ this); reflexivity.
Qed.

(** A letter at which no operation rounds does what it does in exact arithmetic. *)
Theorem unrounded_letters_are_exact p m h : step_rounding F p m h = None ->
    option_map (map real) (moved p F m h) = real_moved p m (map real h).
Proof.
destruct p; simpl; intros none; [f_equal; apply exact_loop, none|].
unfold delta_moved; destruct (micro_steps m) as [ss|]; simpl; [|reflexivity].
f_equal; apply exact_micros with 0%N, none.
Qed.

End Exact.

(** ** The decoder is the nearest code *)

Lemma dyadics_values h : forall ds, dyadics_of h = Some ds -> map real h = map dyadic_value ds.
Proof.
induction h as [|x h IH]; simpl; intros ds; [intros [= <-]; reflexivity|].
destruct (dyadic_of x) as [d|] eqn:e; [|discriminate]; destruct (dyadics_of h) as [es|]; [|discriminate];
    intros [= <-]; simpl.
rewrite (value_dyadic _ _ e), (IH es eq_refl); reflexivity.
Qed.

Lemma distance_value g unit (ds : list dyadic) : (g <= unit)%Z -> Forall (fun d => (g <= snd d)%Z) ds -> forall c,
  IZR (distance (2 ^ (unit - g)) c (map (over g) ds)) * bpow two g = real_distance (map (fun x =>
      IZR x * bpow two unit) c) (map dyadic_value ds).
Proof.
intros gu all c; unfold distance, real_distance.
replace 0 with (IZR 0 * bpow two g) by ring; generalize 0%Z as start; revert ds all.
induction c as [|x c IH]; intros [|d ds] all start; simpl; try reflexivity.
inversion_clear all as [|? ? gd rest]; rewrite (IH _ rest); f_equal; simpl.
assert (b := bpow_gt_0 two g).
assert (IZR (Z.max start (Z.abs (x * 2 ^ (unit - g) - over g d))) * bpow two g = Rmax (IZR start * bpow two g) (IZR
    (Z.abs (x * 2 ^ (unit - g) - over g d)) * bpow two g)) as ->.
  unfold Rmax; destruct (Rle_dec _ _) as [le|le].
    apply Rmult_le_reg_r in le; [|exact b]; apply le_IZR in le; rewrite Z.max_r by exact le; reflexivity.
  rewrite Z.max_l; [reflexivity|]; apply Z.lt_le_incl, lt_IZR, Rmult_lt_reg_r with (bpow two g); [exact b|lra].
f_equal; rewrite abs_IZR, <- (Rabs_pos_eq (bpow two g)) at 1 by lra; rewrite <- Rabs_mult; f_equal.
rewrite minus_IZR, Rmult_minus_distr_r, value_over by exact gd; f_equal.
rewrite mult_IZR; replace (IZR (2 ^ (unit - g))) with (bpow two (unit - g)).
  rewrite Rmult_assoc, <- bpow_plus; f_equal; f_equal; lia.
rewrite <- IZR_Zpower by lia; reflexivity.
Qed.

Lemma in_combine_numbers (A : Type) (l : list A) : forall s k a,
  In (k, a) (combine (map N.of_nat (seq s (length l))) l) <-> (s <= N.to_nat k)%nat /\
      nth_error l (N.to_nat k - s) = Some a.
Proof.
induction l as [|b l IH]; intros s k a; simpl.
  split; [tauto|intros [_ e]; destruct (N.to_nat k - s)%nat; discriminate].
rewrite IH; split.
  intros [[= <- <-]|[le e]]; [rewrite Nat2N.id, Nat.sub_diag; auto|].
  split; [lia|]; replace (N.to_nat k - s)%nat with (S (N.to_nat k - S s)) by lia; exact e.
intros [le e]; destruct (Nat.eq_dec (N.to_nat k) s) as [same|].
  left; rewrite same, Nat.sub_diag in e; injection e; intros <-; f_equal; lia.
right; split; [lia|]; replace (N.to_nat k - s)%nat with (S (N.to_nat k - S s)) in e by lia; exact e.
Qed.

Lemma nonneg_distance finer c h : (0 <= distance finer c h)%Z.
Proof.
unfold distance; assert (forall l s, (0 <= s)%Z -> (0 <= fold_left (fun d ch =>
    Z.max d (Z.abs (fst ch * finer - snd ch))) l s)%Z) as grow.
  induction l as [|a l IH]; intros s le; simpl; [exact le|apply IH; lia].
apply grow; lia.
Qed.

Theorem decoders_are_nearest m h k : nearest (unit_exponent m) (codes m) h = Some k ->
    real_nearest (real_codes m) (map real h) (N.to_nat k).
Proof.
unfold nearest, real_codes; generalize (unit_exponent m) (codes m); intros unit cs.
destruct (dyadics_of h) as [ds|] eqn:dyadics; [|discriminate]; rewrite (dyadics_values _ _ dyadics).
set (g := fold_left Z.min (map snd ds) unit).
assert ((g <= unit)%Z /\ Forall (fun d => (g <= snd d)%Z) ds) as [gu gd].
  unfold g; clear g dyadics; revert unit; induction ds as [|d ds IH]; intros unit; simpl; [split; [lia|constructor]|].
  destruct (IH (Z.min unit (snd d))) as [le all]; split; [lia|constructor; [lia|exact all]].
set (D := fun c => distance (2 ^ (unit - g)) c (map (over g) ds)).
destruct (find _ _) as [[k' d]|] eqn:found; [|discriminate]; simpl; intros [= ->].
apply find_some in found as [isin all]; rewrite <- (map_length D cs) in isin, all.
apply in_combine_numbers in isin as [_ at_k]; rewrite Nat.sub_0_r, nth_error_map in at_k.
destruct (nth_error cs (N.to_nat k)) as [c|] eqn:ck; [|discriminate]; injection at_k; intros <-; clear at_k.
rewrite forallb_forall in all.
exists (map (fun x => IZR x * bpow two unit) c); rewrite nth_error_map, ck; split; [reflexivity|].
intros j c'; rewrite nth_error_map; destruct (nth_error cs j) as [c0|] eqn:cj; [|discriminate]; intros [= <-] ne.
specialize (all (N.of_nat j, D c0)); simpl in all; rewrite orb_true_iff in all; destruct all as [same|far].
- apply in_combine_numbers; rewrite Nat2N.id, Nat.sub_0_r, nth_error_map, cj; split; [lia|reflexivity].
- apply N.eqb_eq in same; subst k; rewrite Nat2N.id in ne; tauto.
- rewrite <- !(distance_value g unit ds gu gd); fold (D c) (D c0).
  apply Rmult_lt_compat_r; [apply bpow_gt_0|]; apply IZR_lt.
  unfold farther in far; apply Z.ltb_lt in far; assert (0 <= D c)%Z by apply nonneg_distance; lia.
Qed.

(** ** The rounded run is the exact one, at every length *)

Section Run.

Variables (p : path) (F : format).

Lemma exact_steps Ls : forall hs y hs' z, machines_step (map (exact_machine p F) Ls) hs y = Some (hs', z) ->
  float_stack_step p F Ls hs y = Some (hs', z) /\ real_stack_step p Ls (map (map real) hs) y (map (map real) hs') z.
Proof.
induction Ls as [|L Ls IH]; intros [|h hs] y hs' z; simpl; try discriminate.
  intros [= <- <-]; split; reflexivity.
unfold machine_step, float_layer_step, exact_machine, machine_by; simpl.
destruct (at_ (layer_letters L) y) as [l|] eqn:at_y; [|discriminate].
rewrite !get_array, at_map.
destruct (at_ (transitions L) (uses l)) as [m|] eqn:at_m; [|discriminate].
destruct (exactly_moved p F m h) as [h'|] eqn:go; [|discriminate].
destruct (nearest (unit_exponent m) (codes m) h') as [k|] eqn:near; [|discriminate].
destruct (at_ (following L) y) as [row|] eqn:at_row; [|discriminate]; simpl.
rewrite get_array; destruct (at_ row k) as [[up|]|] eqn:at_k; try discriminate; simpl.
unfold exactly_moved in go; destruct (step_rounding F p m h) eqn:none; [discriminate|]; rewrite go, near, at_k.
pose proof (unrounded_letters_are_exact _ _ _ _ none) as letter_exact; rewrite go in letter_exact;
    simpl in letter_exact.
destruct (machines_step _ hs up) as [[hs'' z']|] eqn:above; [|discriminate]; simpl; intros [= <- <-].
destruct (IH _ _ _ _ above) as [-> later]; split; [reflexivity|]; simpl.
exists l, m, row, k, up; repeat split; auto; apply decoders_are_nearest, near.
Qed.

Lemma exact_outputs Ls word : forall hs qs, machines_output (map (exact_machine p F) Ls) hs word = Some qs ->
  exists trace, float_trace p F Ls hs word = Some trace /\ map snd trace = qs /\
    real_trace p Ls (map (map real) hs) word (map (fun sq => (map (map real) (fst sq), snd sq)) trace).
Proof.
induction word as [|x word IH]; intros hs qs; simpl.
  intros [= <-]; exists []; repeat split.
destruct (machines_step _ hs x) as [[hs' q]|] eqn:step; [|discriminate].
destruct (machines_output _ hs' word) as [rest|] eqn:out; [|discriminate]; intros [= <-].
destruct (exact_steps _ _ _ _ _ step) as [-> exact_step]; destruct (IH _ _ out) as (trace & -> & <- & real_rest).
exists ((hs', q) :: trace); simpl; auto.
Qed.

End Run.

(** The outputs along a trace are those of the run. *)
Lemma outputs_of_trace p F Ls word : forall hs,
    float_outputs p F Ls hs word = option_map (map snd) (float_trace p F Ls hs word).
Proof.
induction word as [|x word IH]; intros hs; simpl; [reflexivity|].
destruct (float_stack_step p F Ls hs x) as [[hs' q]|]; [|reflexivity].
rewrite IH; destruct (float_trace p F Ls hs' word); reflexivity.
Qed.

(** Where no operation rounds: after every letter of every word the states in floating point are those of the same
    numbers in exact arithmetic, the
    outputs are those of the automaton, and each code that is decoded is strictly the nearest. *)
Theorem unrounded_networks_are_exact p F net found : never_rounds p F net found = true ->
  forall word, Forall (fun x => (x < input_letters net)%N) word ->
  let Ls := map (in_numbers F) (stored_layers net) in
  exists trace, float_trace p F Ls (map (@first_state _) Ls) word = Some trace /\
    real_trace p Ls (map (map real) (map (@first_state _) Ls)) word (map (fun sq => (map (map real) (fst sq),
        snd sq)) trace) /\
    visited (target net) (start (target net)) word = Some (map snd trace).
Proof.
intros all_closed word valid Ls; unfold never_rounds in all_closed.
destruct (closed_stacks_are_right _ same_numbers_eq _ _ _ all_closed valid) as (qs & out & seen).
rewrite <- map_map with (g := exact_machine p F) in out.
assert (map (@begins _) (map (exact_machine p F) Ls) = map (@first_state _) Ls) as starts by (rewrite
    map_map; reflexivity).
fold Ls in out; rewrite starts in out.
destruct (exact_outputs _ _ _ _ _ _ out) as (trace & run & <- & exact_run).
exists trace; auto.
Qed.

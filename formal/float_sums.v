(** * Sums in any order are exact where the criterion says so

    Definitions: [holds], the numbers of a format; [keeps], a rounding that changes none of them; [any_sum],
        what a sum of terms may come to: in any order and bracketing, each product and
    partial sum rounded in any way, any number of times, or not at all (fused multiply-adds, wider accumulation);
    [values], numbers as real numbers. The theorems rest on the axioms of the classical reals. *)

From Coq Require Import ZArith NArith Reals List Bool SpecFloat FMapPositive Lia Lra Permutation.
From Flocq Require Import Core.
From lemmata Require Import checker checker_sound float_closure stored_network stored stored_sound sums float.
Import ListNotations.

Local Open Scope R_scope.
Local Notation two := radix2.

Definition holds (F : format) (x : R) : Prop := generic_format two (FLT_exp (3 - emax F - prec F) (prec F)) x /\
    Rabs x < bpow two (emax F).

(** A rounding that changes no number of the format: to nearest, or up, or in a wider format. *)
Definition keeps (F : format) (f : R -> R) : Prop := forall x, holds F x -> f x = x.

Inductive any_sum (F : format) : list R -> R -> Prop :=
  | sum_none : any_sum F [] 0
  | sum_term x : any_sum F [x] x
  | sum_rounded l x f : keeps F f -> any_sum F l x -> any_sum F l (f x)
  | sum_added l l1 l2 x y : Permutation l (l1 ++ l2) -> any_sum F l1 x -> any_sum F l2 y -> any_sum F l (x + y).

(** ** The criterion *)

Definition Zsum (l : list Z) : Z := fold_right Z.add 0%Z l.
Definition Zsum_abs (l : list Z) : Z := fold_right (fun n s => (Z.abs n + s)%Z) 0%Z l.

Lemma Zsum_app l1 l2 : Zsum (l1 ++ l2) = (Zsum l1 + Zsum l2)%Z.
Proof. unfold Zsum; induction l1 as [|n l1 IH]; simpl; [reflexivity|rewrite IH; ring]. Qed.

Lemma Zsum_abs_app l1 l2 : Zsum_abs (l1 ++ l2) = (Zsum_abs l1 + Zsum_abs l2)%Z.
Proof. unfold Zsum_abs; induction l1 as [|n l1 IH]; simpl; [reflexivity|rewrite IH; ring]. Qed.

Lemma Zsum_perm l l' : Permutation l l' -> Zsum l = Zsum l' /\ Zsum_abs l = Zsum_abs l'.
Proof. unfold Zsum, Zsum_abs; induction 1; simpl; lia. Qed.

Lemma Zsum_le l : (Z.abs (Zsum l) <= Zsum_abs l)%Z.
Proof. unfold Zsum, Zsum_abs; induction l as [|n l IH]; simpl; lia. Qed.

Lemma Zsum_abs_ge0 l : (0 <= Zsum_abs l)%Z.
Proof. unfold Zsum_abs; induction l as [|n l IH]; simpl; lia. Qed.

Definition times (g : Z) (n : Z) : R := IZR n * bpow two g.

Section Criterion.

Variables (F : format) (g : Z).
Hypothesis formatF : is_format F.
Hypothesis fine : (emin (prec F) (emax F) <= g)%Z.

Lemma multiples_are_held n : (Z.abs n <= 2 ^ prec F)%Z -> (Z.abs n < 2 ^ (emax F - g))%Z -> holds F (times g n).
Proof.
destruct formatF as [p0 pe]; unfold emin in fine; intros small below; split.
  apply generic_format_FLT; destruct (Z.eq_dec (Z.abs n) (2 ^ prec F)) as [e|ne].
    { apply FLT_spec with (Float two (n / 2) (g + 1)); cbn [Fnum Fexp]; change (radix_val two) with 2%Z.
    - unfold times, F2R; simpl.
      assert (n = 2 * (n / 2))%Z as half.
        apply Z_div_exact_full_2; [lia|]; replace (prec F) with (1 + (prec F - 1))%Z in e by ring;
            rewrite Z.pow_add_r in e by lia.
        destruct (Z.abs_eq_or_opp n) as [a|a]; rewrite a in e;
            [rewrite e|replace n with (- (2 ^ 1 * 2 ^ (prec F - 1)))%Z by lia].
          rewrite Z.mul_comm; apply Z_mod_mult.
        rewrite <- Z.mul_opp_r, Z.mul_comm; apply Z_mod_mult.
      rewrite half at 1; rewrite mult_IZR, bpow_plus, bpow_1; simpl; ring.
    - assert (0 < 2 ^ prec F)%Z by (apply Z.pow_pos_nonneg; lia).
      assert (2 * Z.abs (n / 2) <= Z.abs n + 1)%Z.
        pose proof (Z.div_mod n 2 ltac:(lia)); pose proof (Z.mod_pos_bound n 2 ltac:(lia)); lia.
      assert (2 <= 2 ^ prec F)%Z by (replace 2%Z with (2 ^ 1)%Z at 1 by reflexivity; apply Z.pow_le_mono_r; lia).
      lia.
    - lia. }
  apply FLT_spec with (Float two n g); cbn [Fnum Fexp]; change (radix_val two) with 2%Z; [reflexivity|lia|lia].
unfold times; rewrite Rabs_mult, <- abs_IZR, (Rabs_pos_eq (bpow two g)) by apply bpow_ge_0.
destruct (Z_le_gt_dec 0 (emax F - g)) as [le|gt].
  replace (emax F) with ((emax F - g) + g)%Z by ring; rewrite bpow_plus; apply Rmult_lt_compat_r; [apply bpow_gt_0|].
  rewrite <- IZR_Zpower by exact le; apply IZR_lt, below.
rewrite Z.pow_neg_r in below by lia; lia.
Qed.

Lemma any_sum_exact l x : any_sum F l x -> forall ns, l = map (times g) ns ->
  (Zsum_abs ns <= 2 ^ prec F)%Z -> (Zsum_abs ns < 2 ^ (emax F - g))%Z -> x = times g (Zsum ns).
Proof.
induction 1 as [|x|l x f keep _ IH|l l1 l2 x y perm _ IH1 _ IH2]; intros ns e small below.
- destruct ns; [|discriminate]; unfold Zsum, times; simpl; ring.
- destruct ns as [|n [|? ?]]; try discriminate; injection e; intros ->; unfold Zsum; simpl; f_equal; ring.
- rewrite (IH _ e small below); apply keep; pose proof (Zsum_le ns); apply multiples_are_held; lia.
- subst l; apply Permutation_sym, Permutation_map_inv in perm as (ms & e & perm).
  symmetry in e; apply map_eq_app in e as (ns1 & ns2 & -> & <- & <-).
  destruct (Zsum_perm _ _ perm) as [es ea]; rewrite Zsum_app in es; rewrite Zsum_abs_app in ea.
  pose proof (Zsum_abs_ge0 ns1); pose proof (Zsum_abs_ge0 ns2).
  rewrite (IH1 ns1), (IH2 ns2), es by (try reflexivity; lia); unfold times; rewrite plus_IZR; ring.
Qed.

End Criterion.

Definition signed (g : Z) (d : dyadic) : Z := (Z.sgn (fst d) * magnitude g d)%Z.

Lemma magnitude_ge0 g d : (0 <= magnitude g d)%Z.
Proof.
unfold magnitude; destruct (Z.leb_spec g (snd d)); [lia|]; apply Z.div_pos; [lia|]; apply Z.pow_pos_nonneg; lia.
Qed.

Lemma multiple_value g d : is_multiple g d = true -> dyadic_value d = times g (signed g d).
Proof.
intros multiple; apply value_eq in multiple; unfold dyadic_value, F2R in *; simpl in multiple.
unfold times, signed; rewrite mult_IZR, Rmult_assoc, <- multiple, <- Rmult_assoc, <- mult_IZR; f_equal; f_equal; simpl.
destruct (fst d); reflexivity.
Qed.

Lemma value_total ds : dyadic_value (dyadic_total ds) = fold_right Rplus 0 (map dyadic_value ds).
Proof. unfold dyadic_total; induction ds as [|d ds IH]; simpl; [unfold dyadic_value; apply F2R_0|rewrite value_sum,
    IH; reflexivity]. Qed.

Lemma total_of_multiples g ds : forallb (is_multiple g) ds = true ->
  map dyadic_value ds = map (times g) (map (signed g) ds) /\
  fold_right Rplus 0 (map dyadic_value ds) = times g (Zsum (map (signed g) ds)) /\
      (Zsum_abs (map (signed g) ds) <= total_magnitude g ds)%Z.
Proof.
unfold Zsum, Zsum_abs, total_magnitude; induction ds as [|d ds IH]; simpl.
  intros _; repeat split; [unfold times; ring|lia].
rewrite andb_true_iff; intros [multiple rest]; destruct (IH rest) as (e & es & ea).
rewrite (multiple_value _ _ multiple); repeat split; [rewrite e; reflexivity|rewrite es; unfold times;
    rewrite plus_IZR; ring|].
pose proof (magnitude_ge0 g d).
assert (Z.abs (signed g d) <= magnitude g d)%Z by (unfold signed; destruct (fst d); cbn [Z.sgn]; lia); lia.
Qed.

(** The criterion: a sum comes to the exact one, in whatever order and however its parts are rounded. *)
Theorem sums_in_any_order_are_exact F terms : is_format F -> exact_in_any_order F terms = true ->
  forall x, any_sum F (map dyadic_value terms) x -> x = dyadic_value (dyadic_total terms).
Proof.
intros formatF ok x sum; rewrite value_total; unfold exact_in_any_order in ok.
destruct (coarsest None terms) as [g|].
  rewrite !andb_true_iff, !Z.leb_le, Z.ltb_lt in ok; destruct ok as [[[fine multiples] small] below].
  destruct (total_of_multiples _ _ multiples) as (e & -> & ea).
  apply any_sum_exact with F (map dyadic_value terms); auto; lia.
set (g := emin (prec F) (emax F)).
assert (Forall (fun d => dyadic_value d = 0) terms) as zeros.
  apply Forall_forall; intros d isin; rewrite forallb_forall in ok; specialize (ok d isin); apply Z.eqb_eq in ok.
  unfold dyadic_value; rewrite ok; apply F2R_0.
assert (map dyadic_value terms = map (times g) (map (fun _ => 0%Z) terms) /\
    fold_right Rplus 0 (map dyadic_value terms) = 0 /\
  Zsum (map (fun _ => 0%Z) terms) = 0%Z /\ Zsum_abs (map (fun _ => 0%Z) terms) = 0%Z) as (e & -> & es & ea).
  clear -zeros; unfold Zsum, Zsum_abs; induction zeros as [|d ds zero _ IH]; simpl; [repeat split|].
  destruct IH as (e & es & e0 & ea); rewrite zero, es, e0, ea; repeat split; [rewrite e; f_equal; unfold times|]; ring.
destruct formatF as [p0 pe].
rewrite (any_sum_exact F g (conj p0 pe) (Z.le_refl _) _ _ sum _ e); rewrite ?es, ?ea; unfold times.
- ring.
- apply Z.pow_nonneg; lia.
- apply Z.pow_pos_nonneg; unfold g, emin; lia.
Qed.

Definition values : list dyadic -> list R := map dyadic_value.

Definition real_products (u v : list R) : list R := map (fun ab => fst ab * snd ab) (combine u v).

(** ** Numbers and their values *)

Lemma format32 : is_format binary32. Proof. repeat constructor. Qed.

Lemma total_exact terms d x : total_in_any_order binary32 terms = Some d ->
    any_sum binary32 (map dyadic_value terms) x -> x = dyadic_value d.
Proof.
unfold total_in_any_order; destruct (exact_in_any_order binary32 terms) eqn:ok; [|discriminate]; intros [= <-].
apply (sums_in_any_order_are_exact _ _ format32 ok).
Qed.

Lemma total_value terms d : total_in_any_order binary32 terms = Some d ->
    dyadic_value d = fold_right Rplus 0 (map dyadic_value terms).
Proof. unfold total_in_any_order; destruct (exact_in_any_order _ _); [|discriminate]; intros [= <-];
    apply value_total. Qed.

Lemma value_opp d : dyadic_value (dyadic_opp d) = - dyadic_value d.
Proof. unfold dyadic_value, dyadic_opp, F2R; simpl; rewrite opp_IZR; ring. Qed.

Lemma all_some_forall (A : Type) (l : list (option A)) : forall r, all_some l = Some r -> l = map Some r.
Proof.
induction l as [|[a|] l IH]; simpl; intros r; [intros [= <-]; reflexivity| |discriminate].
destruct (all_some l) as [r'|]; [|discriminate]; intros [= <-]; simpl; rewrite (IH _ eq_refl); reflexivity.
Qed.

Lemma all_some_exact (A : Type) (f : A -> option dyadic) (P : A -> R -> Prop) l r rs :
  (forall a d x, f a = Some d -> P a x -> x = dyadic_value d) -> all_some (map f l) = Some r -> Forall2 P l rs ->
      rs = values r.
Proof.
intros exact e all; apply all_some_forall in e; revert r e; induction all as [|a x l rs Pax _ IH]; intros [|d r] e;
    try discriminate; [reflexivity|].
injection e; intros e' ed; unfold values; simpl; f_equal; [exact (exact _ _ _ ed Pax)|exact (IH _ e')].
Qed.

Lemma map_terms (u v : list dyadic) : map dyadic_value (terms_of u v) = real_products (values u) (values v).
Proof.
unfold terms_of, real_products, values; revert v; induction u as [|a u IH]; intros [|b v]; simpl; try reflexivity.
rewrite value_product, IH; reflexivity.
Qed.

Lemma Forall2_map_l (A B C : Type) (f : A -> B) (P : B -> C -> Prop) l : forall r, Forall2 P (map f l) r ->
    Forall2 (fun a c => P (f a) c) l r.
Proof. induction l as [|a l IH]; intros r; simpl; intros all; inversion_clear all; constructor; auto. Qed.

Lemma Forall2_weaken (A B : Type) (P Q : A -> B -> Prop) : (forall a b, P a b -> Q a b) -> forall l r,
    Forall2 P l r -> Forall2 Q l r.
Proof. intros weaker l r all; induction all; constructor; auto. Qed.

Lemma combine_values (u v : list dyadic) : combine (values u) (values v) = map (fun ab => (dyadic_value (fst ab),
    dyadic_value (snd ab))) (combine u v).
Proof. unfold values; revert v; induction u as [|a u IH]; intros [|b v]; simpl; try reflexivity; rewrite IH;
    reflexivity. Qed.

Lemma held_value F d : held F d = true -> real (in_format F d) = dyadic_value d.
Proof.
unfold held; destruct (dyadic_of (in_format F d)) as [d'|] eqn:e; [|discriminate]; intros same.
rewrite (value_dyadic _ _ e); symmetry; apply value_eq, same.
Qed.

Lemma held_holds F d : is_format F -> held F d = true -> holds F (dyadic_value d).
Proof.
intros formatF ok; rewrite <- (held_value _ _ ok); unfold in_format; rewrite (normalize_equiv F formatF), real_float;
    split.
  apply (BinarySingleNaN.generic_format_B2R (prec F) (emax F)).
apply BinarySingleNaN.abs_B2R_lt_emax.
Qed.

Lemma as_state_value F ds h : as_state F ds = Some h -> map real h = values ds /\ Forall (fun d => held F d = true) ds.
Proof.
unfold as_state; destruct (forallb _ ds) eqn:ok; [|discriminate]; intros [= <-].
rewrite forallb_forall in ok; unfold values; rewrite map_map; split.
  apply map_ext_in; intros d isin; specialize (ok d isin); rewrite andb_true_iff in ok; apply held_value; tauto.
apply Forall_forall; intros d isin; specialize (ok d isin); rewrite andb_true_iff in ok; tauto.
Qed.
Lemma canonical_value d : dyadic_value (canonical d) = dyadic_value d.
Proof.
unfold canonical, last_bit; destruct d as [m e]; simpl; destruct m as [|p|p]; simpl.
- unfold dyadic_value; simpl; rewrite !F2R_0; reflexivity.
- destruct (dyadic_eq _ _) eqn:same; [exact (value_eq _ _ same)|reflexivity].
- destruct (dyadic_eq _ _) eqn:same; [exact (value_eq _ _ same)|reflexivity].
Qed.

Lemma canonical_values l : values (map canonical l) = values l.
Proof. unfold values; rewrite map_map; apply map_ext, canonical_value. Qed.

Lemma sums_exist F l : exists x, any_sum F l x.
Proof.
induction l as [|x l [s sum]]; [exists 0; apply sum_none|].
exists (x + s); apply sum_added with [x] l; [reflexivity|apply sum_term|exact sum].
Qed.

Lemma Forall2_exists (A B : Type) (P : A -> B -> Prop) l : (forall a, exists b, P a b) -> exists r, Forall2 P l r.
Proof. intros some; induction l as [|a l [r all]]; [exists []; constructor|destruct (some a) as [b]; exists (b :: r);
    constructor; assumption]. Qed.

Lemma read_back F h out : Forall (holds F) h -> Forall2 (fun x o => exists f, keeps F f /\ o = f x) h out -> out = h.
Proof.
intros held all; revert held; induction all as [|x o h out (f & keep & ->) _ IH]; intros held; [reflexivity|].
inversion_clear held; f_equal; auto.
Qed.
(** ** A false variant: 1 - 1 + 2^-30 is exact from the left, and may come to 0 in another order. *)

Theorem not_sums_exact_from_the_left_are_exact : ~ forall op t others x, partial_sums binary32 op 1 t others = None ->
  any_sum binary32 (map real (t :: others)) x -> x = real (in_order binary32 (t :: others)).
Proof.
intros variant.
pose (one := in_format binary32 (1, 0)%Z); pose (minus := in_format binary32 (-1, 0)%Z); pose (tiny :=
    in_format binary32 (1, -30)%Z).
assert (real one = 1) as r1 by (vm_compute; lra).
assert (real minus = -1) as r2 by (vm_compute; lra).
assert (real tiny = bpow two (-30)) as r3 by (vm_compute; lra).
assert (0 < bpow two (-30) < 1) as small by (split; [apply bpow_gt_0|change 1 with (bpow two 0); apply bpow_lt; lia]).
assert (keeps binary32 (rounded binary32)) as keep.
  intros y [gen _]; apply round_generic; [apply valid_rnd_N|exact gen].
assert (rounded binary32 (real one + real tiny) = 1) as rounds.
  destruct (sums_are_rounded binary32 format32 one tiny eq_refl eq_refl) as [_ e].
    apply Rle_lt_trans with (bpow two 1); [|apply bpow_lt; reflexivity].
    apply abs_round_le_generic; [apply FLT_exp_valid; reflexivity|apply valid_rnd_N|apply generic_format_bpow;
        vm_compute; discriminate|].
    rewrite r1, r3, Rabs_pos_eq; change (bpow two 1) with 2; lra.
  rewrite <- e, <- r1; vm_compute; reflexivity.
assert (any_sum binary32 (map real [one; minus; tiny]) (1 + -1)) as wrong.
  apply sum_added with [real one; real tiny] [real minus]; [simpl; apply perm_skip, perm_swap| |rewrite <- r2;
      apply sum_term].
  rewrite <- rounds; apply sum_rounded with (1 := keep); apply sum_added with [real one] [real tiny];
      [reflexivity|apply sum_term|apply sum_term].
apply (variant (fun c => LastSum c) one [minus; tiny]) in wrong; [|vm_compute; reflexivity].
assert (real (in_order binary32 [one; minus; tiny]) = bpow two (-30)) as left by (rewrite <- r3; vm_compute;
    reflexivity).
rewrite left in wrong; lra.
Qed.

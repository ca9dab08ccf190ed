(** * Sums in any order are exact where the criterion says so,
    and stored networks are right at every length however float32 sums are taken

    Definitions: [holds], the numbers of a format; [any_sum],
        what a sum of terms may come to: in any order and bracketing, each product and
    partial sum rounded in any way, any number of times, or not at all (fused multiply-adds, wider accumulation);
        [any_letter], a letter on a
    path; [any_trace], a run of the stack. The theorems rest on the axioms of the classical reals. *)

From Coq Require Import ZArith NArith Reals List Bool SpecFloat FMapPositive Lia Lra Permutation.
From Flocq Require Import Core.
From lemmata Require Import checker checker_sound float_closure stored_network stored stored_sound orders float.
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

(** ** What a letter may do, in any order *)

Definition values : list dyadic -> list R := map dyadic_value.

Definition real_products (u v : list R) : list R := map (fun ab => fst ab * snd ab) (combine u v).

Definition any_micro (s : micro_step dyadic) (h h' : list R) : Prop := exists d w,
  any_sum binary32 (dyadic_value (value s) :: map (fun kx =>
      - (fst kx * snd kx)) (combine (values (key_vector s)) h)) d /\
  any_sum binary32 [dyadic_value (strength s) * d] w /\
  Forall2 (fun kx y => any_sum binary32 [snd kx; fst kx * w] y) (combine (values (key_vector s)) h) h'.

Fixpoint any_micros (ss : list (micro_step dyadic)) (h h' : list R) : Prop :=
  match ss with
  | [] => h' = h
  | s :: ss' => exists g, any_micro s h g /\ any_micros ss' g h'
  end.

(** The maps of a word, composed in some bracketing: the weights and the bias. *)
Inductive composed (L : stored_layer dyadic) : list N -> list (list R) -> list R -> Prop :=
  | one_map f m : at_ (transitions L) f = Some m -> composed L [f] (map values (weights m)) (values (bias m))
  | two_words w1 w2 A1 B1 A2 B2 A B : composed L w1 A1 B1 -> composed L w2 A2 B2 ->
      Forall2 (fun row2 row => Forall2 (fun k x => any_sum binary32 (real_products row2 (map (fun r =>
          nth k r 0) A1)) x)
        (seq 0 (length (first_state L))) row) A2 A ->
      Forall2 (fun rb b => any_sum binary32 (snd rb :: real_products (fst rb) B1) b) (combine A2 B2) B ->
      composed L (w1 ++ w2) A B.

(** After the maps [past], the state h becomes h' by the map f. *)
Definition any_letter (p : any_path) (L : stored_layer dyadic) (past : list N) (h : list R) (f : N) (h' : list R) :
    Prop :=
  match p with
  | Fused => exists m ss, at_ (transitions L) f = Some m /\ micro_steps m = Some ss /\ any_micros ss h h'
  | Scan => exists A B, composed L (past ++ [f]) A B /\
      Forall2 (fun rb x => any_sum binary32 (snd rb :: real_products (fst rb) (values (first_state L))) x) (combine A
          B) h'
  end.

(** The format in which a state is read: the kernel's output, and the scan's. *)
Definition read_in (p : any_path) (F : format) : format := match p with Fused => F | Scan => binary32 end.

Definition codes_of (m : transition dyadic) : list (list R) := map (map (fun c =>
    IZR c * bpow two (unit_exponent m))) (codes m).

(** The stack reads y: the maps of each layer so far, its state, and what it hands on. *)
Fixpoint any_step (p : any_path) (F : format) (Ls : list (stored_layer dyadic)) (past : list (list N)) (hs : list
    (list R)) (y : N)
    (past' : list (list N)) (hs' : list (list R)) (z : N) : Prop :=
  match Ls, past, hs, past', hs' with
  | [], [], [], [], [] => y = z
  | L :: Ls', w :: ws, h :: below, w' :: ws', h' :: below' => exists l m row out k up,
      at_ (layer_letters L) y = Some l /\ at_ (transitions L) (uses l) = Some m /\ at_ (following L) y = Some row /\
      w' = w ++ [uses l] /\ any_letter p L w h (uses l) h' /\
      Forall2 (fun x o => exists f, keeps (read_in p F) f /\ o = f x) h' out /\
          real_nearest (codes_of m) out (N.to_nat k) /\
      at_ row k = Some (Some up) /\ any_step p F Ls' ws below up ws' below' z
  | _, _, _, _, _ => False
  end.

Fixpoint any_outputs (p : any_path) (F : format) (Ls : list (stored_layer dyadic)) (past : list (list N)) (hs : list
    (list R))
    (word qs : list N) : Prop :=
  match word, qs with
  | [], [] => True
  | x :: word', q :: qs' => exists past' hs', any_step p F Ls past hs x past' hs' q /\
      any_outputs p F Ls past' hs' word' qs'
  | _, _ => False
  end.

(** However the sums are taken, after every letter of every word the output is the automaton's state;
    and there are such runs. *)
Definition right_in_any_order (p : any_path) (F : format) (net : stored_network) : Prop :=
  forall word, Forall (fun x => (x < input_letters net)%N) word ->
  let starts_with := any_outputs p F (stored_layers net) (map (fun _ => []) (stored_layers net))
    (map (fun L => values (first_state L)) (stored_layers net)) word in
  (exists qs, starts_with qs) /\ forall qs, starts_with qs -> visited (target net) (start (target net)) word = Some qs.

(** ** They do what exact arithmetic does *)

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

Lemma fused_micro_exact s h h' g : fused_micro s h = Some h' -> any_micro s (values h) g -> g = values h'.
Proof.
unfold fused_micro; intros done (d & w & sum_d & sum_w & entries).
rewrite combine_values, map_map in sum_d; rewrite combine_values in entries; apply Forall2_map_l in entries.
destruct (total_in_any_order binary32 _) as [d'|] eqn:first; [|discriminate].
assert (d = dyadic_value d') as ->.
  apply (total_exact _ _ _ first); simpl; rewrite map_map.
  erewrite map_ext; [exact sum_d|]; intros [k x]; simpl; rewrite value_opp, value_product; reflexivity.
destruct (total_in_any_order binary32 [_]) as [w'|] eqn:second; [|discriminate].
assert (w = dyadic_value w') as -> by (apply (total_exact _ _ _ second); simpl; rewrite value_product; exact sum_w).
apply (all_some_exact _ _ _ _ _ _ (fun kx d x e => total_exact _ _ x e) done); clear -entries.
revert entries; apply Forall2_weaken; intros [k x] y; simpl; rewrite value_product; auto.
Qed.

Lemma fused_micros_exact ss : forall h h' g, fused_micros ss h = Some h' -> any_micros ss (values h) g -> g = values h'.
Proof.
induction ss as [|s ss IH]; intros h h' g; simpl; [intros [= <-]; auto|].
destruct (fused_micro s h) as [h1|] eqn:this; [|discriminate]; intros rest (g1 & micro & micros).
rewrite (fused_micro_exact _ _ _ _ this micro) in micros; exact (IH _ _ _ rest micros).
Qed.

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

Lemma fused_exact F m ss h h' g : is_format F -> micro_steps m = Some ss -> fused_exactly F m h = Some h' ->
    any_micros ss (map real h) g ->
  g = map real h' /\ Forall (holds F) g.
Proof.
intros formatF steps; unfold fused_exactly; rewrite steps; destruct (dyadics_of h) as [ds|] eqn:dyadics;
    [|discriminate].
destruct (fused_micros ss ds) as [ds'|] eqn:micros; [|discriminate]; intros state letter.
rewrite (dyadics_values _ _ dyadics) in letter; rewrite (fused_micros_exact _ _ _ _ micros letter).
destruct (as_state_value _ _ _ state) as [-> all]; split; [reflexivity|].
unfold values; rewrite Forall_map; revert all; apply Forall_impl; intros d; apply held_holds, formatF.
Qed.

(** Compositions: a word's map is listed, and acts as its letters do one after the other. *)

Definition real_affine (A : list (list R)) (B h : list R) : list R := map (fun rb =>
    real_dot (fst rb) h + snd rb) (combine A B).

Definition real_run (L : stored_layer dyadic) (w : list N) (h : list R) : list R :=
  fold_left (fun h f => match at_ (transitions L) f with
    | Some m => real_affine (map values (weights m)) (values (bias m)) h
    | None => h
    end) w h.

Lemma real_dot_cons a b u v : real_dot (a :: u) (b :: v) = a * b + real_dot u v.
Proof. reflexivity. Qed.

Lemma dot_plus (f g : nat -> R) l : forall h, real_dot (map (fun k =>
    f k + g k) l) h = real_dot (map f l) h + real_dot (map g l) h.
Proof.
induction l as [|k l IH]; intros [|x h]; try (unfold real_dot; simpl; ring).
cbn [map]; rewrite !real_dot_cons, IH; ring.
Qed.

Lemma dot_scaled a (f : nat -> R) l : forall h, real_dot (map (fun k => a * f k) l) h = a * real_dot (map f l) h.
Proof.
induction l as [|k l IH]; intros [|x h]; try (unfold real_dot; simpl; ring).
cbn [map]; rewrite !real_dot_cons, IH; ring.
Qed.

Lemma dot_zero l : forall h, real_dot (map (fun _ : nat => 0) l) h = 0.
Proof.
induction l as [|k l IH]; intros [|x h]; try reflexivity.
cbn [map]; rewrite real_dot_cons, IH; ring.
Qed.

Lemma dot_exchange n h : forall row A B, length row = length A -> length B = length A -> Forall (fun r =>
    length r = n) A ->
  real_dot row (real_affine A B h) = real_dot (map (fun k => real_dot row (map (fun r =>
      nth k r 0) A)) (seq 0 n)) h + real_dot row B.
Proof.
induction row as [|a row IH]; intros [|r A] [|b B] la lb all; try discriminate.
  pose proof (dot_zero (seq 0 n) h) as zero.
  change (map (fun _ : nat => 0) (seq 0 n)) with (map (fun k => real_dot [] (map (fun r : list R =>
      nth k r 0) [])) (seq 0 n)) in zero.
  rewrite zero; unfold real_affine, real_dot; simpl; ring.
inversion_clear all as [|? ? lr rest]; injection la as la; injection lb as lb.
change (real_affine (r :: A) (b :: B) h) with ((real_dot r h + b) :: real_affine A B h).
rewrite real_dot_cons, (IH A B la lb rest).
rewrite (map_ext (fun k => real_dot (a :: row) (map (fun r0 => nth k r0 0) (r :: A)))
  (fun k => a * nth k r 0 + real_dot row (map (fun r0 => nth k r0 0) A))) by (intros k; apply real_dot_cons).
rewrite dot_plus, dot_scaled, (real_dot_cons a b row B).
replace (map (fun k => nth k r 0) (seq 0 n)) with r; [ring|].
rewrite <- lr; clear; induction r as [|x r IH]; simpl; [reflexivity|]; rewrite <- seq_shift, map_map; simpl; f_equal;
    exact IH.
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

Lemma listed_is_in c m : listed_map c m = true -> In m (all_maps c).
Proof.
unfold listed_map, all_maps; destruct (PositiveMap.find _ c) as [l|] eqn:found; [|discriminate].
rewrite existsb_exists; intros (m' & isin & same).
assert (m = m') as <-.
  assert (forall a b, same_dyadic a b = true -> a = b) as eq.
    intros [a a'] [b b']; unfold same_dyadic; simpl; rewrite andb_true_iff, !Z.eqb_eq; intros [-> ->]; reflexivity.
  unfold same_map in same; rewrite andb_true_iff in same; destruct same as [rows bias]; destruct m, m'; simpl in *;
      f_equal.
    revert rows; apply same_vector_eq; apply same_vector_eq, eq.
  revert bias; apply same_vector_eq, eq.
apply in_flat_map; exists (bucket_of_map m, l); split; [apply PositiveMap.elements_correct, found|exact isin].
Qed.

Lemma square_lengths n m : square n m = true ->
  length (map values (fst m)) = n /\ Forall (fun r => length r = n) (map values (fst m)) /\ length (values (snd m)) = n.
Proof.
unfold square, values; rewrite !andb_true_iff, !Nat.eqb_eq, !map_length; intros [[la rows] lb]; repeat split; auto.
apply Forall_forall; intros r isin; apply in_map_iff in isin as (r' & <- & isin).
rewrite forallb_forall in rows; specialize (rows _ isin); apply Nat.eqb_eq in rows; rewrite map_length; exact rows.
Qed.

Lemma column_values A k : map (fun r => nth k r 0) (map values A) = values (column A k).
Proof.
unfold column, values; rewrite !map_map; apply map_ext; intros r.
replace 0 with (dyadic_value (0, 0)%Z) by (unfold dyadic_value; apply F2R_0); apply map_nth.
Qed.

Lemma dot_value row v d : total_in_any_order binary32 (terms_of row v) = Some d ->
    dyadic_value d = real_dot (values row) (values v).
Proof. intros e; rewrite (total_value _ _ e), map_terms; reflexivity. Qed.

Lemma combine_rows (l : list (list dyadic)) : forall bs,
  combine (map values l) (values bs) = map (fun rb => (values (fst rb), dyadic_value (snd rb))) (combine l bs).
Proof. unfold values; induction l as [|r l IH]; intros [|b bs]; simpl; try reflexivity; rewrite IH; reflexivity. Qed.

Section Scan.

Variables (L : stored_layer dyadic) (c : catalogue_of_maps).
Hypothesis ok : scan_is_exact L c = true.

Let n := length (first_state L).

Lemma composed_exact m2 m1 m A B : square n m2 = true -> square n m1 = true -> composed_maps n m2 m1 = Some m ->
  Forall2 (fun row2 row => Forall2 (fun k x => any_sum binary32 (real_products row2 (map (fun r =>
      nth k r 0) (map values (fst m1)))) x)
    (seq 0 n) row) (map values (fst m2)) A ->
  Forall2 (fun rb b => any_sum binary32 (snd rb :: real_products (fst rb) (values (snd m1))) b) (combine (map values
      (fst m2)) (values (snd m2))) B ->
  A = map values (fst m) /\ B = values (snd m) /\
  forall h, real_affine A B h = real_affine (map values (fst m2)) (values (snd m2)) (real_affine (map values (fst
      m1)) (values (snd m1)) h).
Proof.
intros sq2 sq1 done rows shifts.
destruct (square_lengths _ _ sq1) as (la1 & rows1 & lb1), (square_lengths _ _ sq2) as (la2 & rows2 & lb2).
unfold composed_maps in done; destruct (all_some _) as [A'|] eqn:doneA in done; [|discriminate].
destruct (all_some _) as [B'|] eqn:doneB in done; [|discriminate]; injection done as <-; simpl.
rewrite canonical_values, map_map, (map_ext _ _ canonical_values).
apply all_some_forall in doneA.
assert (A = map values A' /\ A = map (fun row2 => map (fun k => real_dot row2 (map (fun r =>
    nth k r 0) (map values (fst m1)))) (seq 0 n))
    (map values (fst m2))) as [eA eA'].
  clear -rows doneA; revert A' A rows doneA; induction (fst m2) as [|row l IH]; intros [|a' A'] A rows e;
      try discriminate; inversion_clear rows as [|? a ? A0 this rest].
    split; reflexivity.
  injection e; intros e' this'; destruct (IH _ _ rest e') as [e1 e2]; simpl.
  assert (a = values a') as ea.
    refine (all_some_exact _ _ _ _ _ _ _ this' this); simpl; intros k d x ex sum.
    apply (total_exact _ _ _ ex); rewrite map_terms; rewrite column_values in sum; exact sum.
  split; [rewrite ea, <- e1; reflexivity|]; rewrite <- e2; f_equal; rewrite ea.
  apply all_some_forall in this'; clear -this'; revert a' this'; generalize (seq 0 n) as ks;
      induction ks as [|k ks IH]; intros [|d a'] e; try discriminate; [reflexivity|].
  injection e; intros e' ed; simpl; rewrite <- (IH _ e'); f_equal; rewrite (dot_value _ _ _ ed), column_values;
      reflexivity.
assert (B = values B' /\ B = map (fun rb =>
    snd rb + real_dot (fst rb) (values (snd m1))) (combine (map values (fst m2)) (values (snd m2)))) as [eB eB'].
  rewrite combine_rows in *; apply Forall2_map_l in shifts; clear -shifts doneB; split.
    refine (all_some_exact _ _ _ _ _ _ _ doneB shifts); simpl; intros rb d x ex sum.
    apply (total_exact _ _ _ ex); simpl; rewrite map_terms; exact sum.
  apply all_some_forall in doneB; rewrite map_map; revert B' B shifts doneB;
      induction (combine (fst m2) (snd m2)) as [|rb l IH]; intros [|d B'] B all e; try discriminate;
    inversion_clear all as [|? b ? B0 this rest]; [reflexivity|].
  injection e; intros e' ed; cbn [map]; f_equal; [|exact (IH _ _ rest e')]; simpl.
  assert (b = dyadic_value d) as -> by (apply (total_exact _ _ _ ed); simpl; rewrite map_terms; exact this).
  rewrite (total_value _ _ ed); simpl; rewrite map_terms; reflexivity.
split; [exact eA|]; split; [exact eB|]; intros h; rewrite eA', eB'; unfold real_affine at 1 2.
set (g := real_affine (map values (fst m1)) (values (snd m1)) h).
assert (Forall (fun r => length r = length (map values (fst m1))) (map values (fst m2))) as lens by (rewrite la1;
    exact rows2).
assert (length (map values (fst m2)) = length (values (snd m2))) as same by (rewrite la2, lb2; reflexivity).
revert lens same; clear -la1 lb1 rows1; generalize (values (snd m2));
    induction (map values (fst m2)) as [|row rows' IH]; intros [|b bs] lens same; try discriminate; [reflexivity|].
inversion_clear lens as [|? ? len lens']; injection same as same; simpl; f_equal; [|apply IH; assumption].
unfold g; rewrite (dot_exchange n h row _ (values (snd m1)) len); [ring|rewrite lb1, la1; reflexivity|exact rows1].
Qed.

Lemma affine_length (A : list (list R)) (B h : list R) k : length A = k -> length B = k ->
    length (real_affine A B h) = k.
Proof. intros la lb; unfold real_affine; rewrite map_length, combine_length, la, lb; apply Nat.min_id. Qed.

(** However a word's maps are composed, the result is a listed map, and acts as the letters do. *)
Lemma composed_is_exact w A B : composed L w A B -> exists m, In m (all_maps c) /\ A = map values (fst m) /\
    B = values (snd m) /\
  forall h, real_affine A B h = real_run L w h.
Proof.
unfold scan_is_exact in ok; fold n in ok; rewrite !andb_true_iff in ok;
    destruct ok as [[[squares generators] closed] _].
rewrite forallb_forall in squares; rewrite forallb_forall in generators; rewrite forallb_forall in closed.
induction 1 as [f m at_f|w1 w2 A1 B1 A2 B2 A B _ IH1 _ IH2 rows shifts].
  exists (canonical_map (map_of m)); split; [apply listed_is_in, generators; apply nth_error_In with (N.to_nat f),
      at_f|].
  unfold canonical_map, map_of; simpl; rewrite canonical_values, map_map, (map_ext _ _ canonical_values); repeat split.
  intros h; unfold real_run; simpl; rewrite at_f; reflexivity.
destruct IH1 as (m1 & in1 & -> & -> & run1), IH2 as (m2 & in2 & -> & -> & run2).
specialize (closed m2 in2); rewrite forallb_forall in closed; specialize (closed m1 in1).
destruct (composed_maps n m2 m1) as [m|] eqn:done; [|discriminate].
destruct (composed_exact _ _ _ _ _ (squares _ in2) (squares _ in1) done rows shifts) as (-> & -> & exact).
exists m; split; [apply listed_is_in, closed|]; repeat split.
intros h; rewrite exact, run1, run2; unfold real_run; rewrite fold_left_app; reflexivity.
Qed.

(** A state that the scan gives is that of the letters one after the other. *)
Lemma scan_state past f h g : any_letter Scan L past h f g -> g = real_run L (past ++ [f]) (values (first_state L)).
Proof.
intros (A & B & word & entries); destruct (composed_is_exact _ _ _ word) as (m & isin & -> & -> & run).
rewrite <- run; unfold scan_is_exact in ok; rewrite !andb_true_iff in ok; destruct ok as [_ starts].
rewrite forallb_forall in starts; specialize (starts m isin); unfold applied in starts.
destruct (all_some _) as [r|] eqn:done; [|discriminate]; clear -entries done.
rewrite combine_rows in entries; apply Forall2_map_l in entries; unfold real_affine; rewrite combine_rows, map_map.
apply all_some_forall in done; revert r g entries done.
induction (combine (fst m) (snd m)) as [|rb l IH]; intros [|d r] g all e; try discriminate;
    inversion_clear all as [|? x ? g0 this rest]; [reflexivity|].
injection e; intros e' ed; cbn [map]; f_equal; [|exact (IH _ _ rest e')]; simpl in this |- *.
assert (x = dyadic_value d) as -> by (apply (total_exact _ _ _ ed); simpl; rewrite map_terms; exact this).
rewrite (total_value _ _ ed); simpl; rewrite map_terms; unfold real_dot, real_products; ring.
Qed.

End Scan.

Lemma scan_exactly_value m h h' : scan_exactly m h = Some h' ->
  map real h' = real_affine (map values (weights m)) (values (bias m)) (map real h) /\
      Forall (holds binary32) (map real h').
Proof.
unfold scan_exactly; destruct (dyadics_of h) as [ds|] eqn:dyadics; [|discriminate]; intros state.
destruct (as_state_value _ _ _ state) as [-> all]; split.
  rewrite (dyadics_values _ _ dyadics); unfold real_affine; rewrite combine_rows, map_map; unfold values;
      rewrite map_map.
  apply map_ext; intros [row b]; simpl; rewrite value_sum, value_total, map_terms; reflexivity.
unfold values; rewrite Forall_map; revert all; apply Forall_impl; intros d; apply held_holds, format32.
Qed.

(** ** There are such runs *)

Lemma sums_exist F l : exists x, any_sum F l x.
Proof.
induction l as [|x l [s sum]]; [exists 0; apply sum_none|].
exists (x + s); apply sum_added with [x] l; [reflexivity|apply sum_term|exact sum].
Qed.

Lemma Forall2_exists (A B : Type) (P : A -> B -> Prop) l : (forall a, exists b, P a b) -> exists r, Forall2 P l r.
Proof. intros some; induction l as [|a l [r all]]; [exists []; constructor|destruct (some a) as [b]; exists (b :: r);
    constructor; assumption]. Qed.

Lemma micros_exist ss : forall h, exists h', any_micros ss h h'.
Proof.
induction ss as [|s ss IH]; intros h; [exists h; reflexivity|]; simpl.
destruct (sums_exist binary32 (dyadic_value (value s) :: map (fun kx =>
    - (fst kx * snd kx)) (combine (values (key_vector s)) h))) as [d sum_d].
destruct (sums_exist binary32 [dyadic_value (strength s) * d]) as [w sum_w].
destruct (Forall2_exists _ _ (fun kx y => any_sum binary32 [snd kx;
    fst kx * w] y) (combine (values (key_vector s)) h)) as [g entries].
  intros kx; apply sums_exist.
destruct (IH g) as [h' rest]; exists h', g; split; [exists d, w; auto|exact rest].
Qed.

Lemma compositions_exist L w f : Forall (fun g => at_ (transitions L) g <> None) (w ++ [f]) -> exists A B,
    composed L (w ++ [f]) A B.
Proof.
revert f; induction w as [|g w IH] using rev_ind; intros f valid; apply Forall_app in valid as [valid last];
  inversion_clear last as [|? ? at_f _]; destruct (at_ (transitions L) f) as [m|] eqn:e; try congruence;
      pose proof (one_map L f m e) as single.
  exists (map values (weights m)), (values (bias m)); exact single.
destruct (IH g valid) as (A1 & B1 & word).
destruct (Forall2_exists _ _ (fun row2 row => Forall2 (fun k x => any_sum binary32 (real_products row2 (map (fun r =>
    nth k r 0) A1)) x)
  (seq 0 (length (first_state L))) row) (map values (weights m))) as [A rows].
  intros row2; apply Forall2_exists; intros k; apply sums_exist.
destruct (Forall2_exists _ _ (fun rb b => any_sum binary32 (snd rb :: real_products (fst rb) B1) b)
  (combine (map values (weights m)) (values (bias m)))) as [B shifts].
  intros rb; apply sums_exist.
exists A, B; exact (two_words _ _ _ _ _ _ _ _ _ word single rows shifts).
Qed.

(** ** The stack *)

Lemma nearest_unique cs h j k : real_nearest cs h j -> real_nearest cs h k -> j = k.
Proof.
intros (c & at_j & near_j) (c' & at_k & near_k); destruct (Nat.eq_dec j k) as [|ne]; [assumption|].
pose proof (near_j k c' at_k (not_eq_sym ne)); pose proof (near_k j c at_j ne); lra.
Qed.

Lemma read_back F h out : Forall (holds F) h -> Forall2 (fun x o => exists f, keeps F f /\ o = f x) h out -> out = h.
Proof.
intros held all; revert held; induction all as [|x o h out (f & keep & ->) _ IH]; intros held; [reflexivity|].
inversion_clear held; f_equal; auto.
Qed.

Lemma decoders_are_nearest_dyadic (m : transition dyadic) h k : nearest (unit_exponent m) (codes m) h = Some k ->
  real_nearest (codes_of m) (map real h) (N.to_nat k).
Proof. exact (decoders_are_nearest (stored_transition binary32 m) h k). Qed.

Section Stack.

Variables (p : any_path) (F : format).
Hypothesis formatF : is_format F.

(** The layer scans exactly, if it is scanned. *)
Definition scanned (L : stored_layer dyadic) : Prop := match p with Fused => True | Scan => exists c,
    scan_is_exact L c = true end.

(** A layer's state is that of its maps so far, on the path by compositions. *)
Definition on_track (L : stored_layer dyadic) (past : list N) (h : list spec_float) : Prop :=
  Forall (fun g => at_ (transitions L) g <> None) past /\
  match p with Fused => True | Scan => map real h = real_run L past (values (first_state L)) end.

Lemma letters_are_exact L past h f m h' g : scanned L -> on_track L past h -> at_ (transitions L) f = Some m ->
    exactly p F m h = Some h' ->
  any_letter p L past (map real h) f g -> g = map real h' /\ Forall (holds (read_in p F)) g /\
      on_track L (past ++ [f]) h'.
Proof.
unfold scanned, on_track, exactly, read_in; intros can [valid track] at_f go letter.
assert (Forall (fun g => at_ (transitions L) g <> None) (past ++ [f])) as valid'.
  apply Forall_app; split; [exact valid|constructor; [congruence|constructor]].
destruct p.
  destruct letter as (m' & ss & at_f' & steps & micros); rewrite at_f in at_f'; injection at_f' as <-.
  destruct (fused_exact _ _ _ _ _ _ formatF steps go micros); auto.
destruct can as [c ok]; pose proof (scan_state _ _ ok _ _ _ _ letter) as e;
    destruct (scan_exactly_value _ _ _ go) as [value held].
assert (g = map real h') as ->.
  rewrite e, value, track; unfold real_run; rewrite fold_left_app; simpl; rewrite at_f; reflexivity.
auto.
Qed.

Fixpoint all_on_track (Ls : list (stored_layer dyadic)) (past : list (list N)) (hs : list (list spec_float)) : Prop :=
  match Ls, past, hs with
  | [], [], [] => True
  | L :: Ls', w :: ws, h :: hs' => on_track L w h /\ all_on_track Ls' ws hs'
  | _, _, _ => False
  end.

Lemma letters_exist L past h f m h' : on_track L past h -> at_ (transitions L) f = Some m ->
    exactly p F m h = Some h' ->
  exists g, any_letter p L past (map real h) f g.
Proof.
unfold on_track, exactly; intros [valid _] at_f go; destruct p; simpl.
  unfold fused_exactly in go; destruct (micro_steps m) as [ss|] eqn:steps; [|discriminate].
  destruct (micros_exist ss (map real h)) as [g micros]; exists g, m, ss; auto.
destruct (compositions_exist L past f) as (A & B & word).
  apply Forall_app; split; [exact valid|constructor; [congruence|constructor]].
destruct (Forall2_exists _ _ (fun rb x =>
    any_sum binary32 (snd rb :: real_products (fst rb) (values (first_state L))) x)
  (combine A B)) as [g entries].
  intros rb; apply sums_exist.
exists g, A, B; auto.
Qed.


Lemma steps_are_exact Ls : forall past hs y past' gs z hs' q, Forall scanned Ls -> all_on_track Ls past hs ->
  machines_step (map (orders_machine p F) Ls) hs y = Some (hs', q) ->
      any_step p F Ls past (map (map real) hs) y past' gs z ->
  gs = map (map real) hs' /\ z = q /\ all_on_track Ls past' hs'.
Proof.
induction Ls as [|L Ls IH]; intros [|w past] [|h hs] y [|w' past'] [|g gs] z hs' q can track; simpl; try tauto;
    try discriminate.
  intros [= <- <-] ->; auto.
unfold machine_step, orders_machine, machine_by; simpl;
    intros step (l & m & row & out & k & up & at_y & at_m & at_row & -> & letter & reads & near & at_k & later).
inversion_clear can as [|? ? canL canLs]; destruct track as [trackL trackLs].
rewrite at_y in step; rewrite !get_array, at_map, at_m, at_row in step; simpl in step.
destruct (exactly p F m h) as [h1|] eqn:go; [|discriminate].
destruct (letters_are_exact _ _ _ _ _ _ _ canL trackL at_m go letter) as (-> & held & track').
destruct (nearest _ _ h1) as [k'|] eqn:near'; [|discriminate].
apply decoders_are_nearest_dyadic in near'; rewrite (read_back _ _ _ held reads) in near.
assert (k' = k) as -> by (apply N2Nat.inj, (nearest_unique _ _ _ _ near' near)).
rewrite get_array, at_k in step; simpl in step.
destruct (machines_step _ hs up) as [[hs1 q1]|] eqn:above; [|discriminate]; injection step as <- <-.
destruct (IH _ _ _ _ _ _ _ _ canLs trackLs above later) as (-> & -> & tracks); simpl; auto.
Qed.

Lemma steps_exist Ls : forall past hs y hs' q, Forall scanned Ls -> all_on_track Ls past hs ->
  machines_step (map (orders_machine p F) Ls) hs y = Some (hs', q) ->
  exists past' gs, any_step p F Ls past (map (map real) hs) y past' gs q.
Proof.
induction Ls as [|L Ls IH]; intros [|w past] [|h hs] y hs' q can track; simpl; try tauto; try discriminate.
  intros [= <- <-]; exists [], []; reflexivity.
unfold machine_step, orders_machine, machine_by; simpl.
inversion_clear can as [|? ? canL canLs]; destruct track as [trackL trackLs].
destruct (at_ (layer_letters L) y) as [l|] eqn:at_y; [|discriminate]; rewrite !get_array, at_map.
destruct (at_ (transitions L) (uses l)) as [m|] eqn:at_m; [|discriminate].
destruct (exactly p F m h) as [h1|] eqn:go; [|discriminate].
destruct (letters_exist _ _ _ _ _ _ trackL at_m go) as [g letter].
destruct (letters_are_exact _ _ _ _ _ _ _ canL trackL at_m go letter) as (-> & _ & _).
destruct (nearest _ _ h1) as [k|] eqn:near; [|discriminate]; apply decoders_are_nearest_dyadic in near.
destruct (at_ (following L) y) as [row|] eqn:at_row; [|discriminate]; simpl; rewrite get_array.
destruct (at_ row k) as [[up|]|] eqn:at_k; try discriminate; simpl.
destruct (machines_step _ hs up) as [[hs1 q1]|] eqn:above; [|discriminate]; simpl; intros [= <- <-].
destruct (IH _ _ _ _ _ canLs trackLs above) as (past' & gs & later).
exists ((w ++ [uses l]) :: past'), (map real h1 :: gs), l, m, row, (map real h1), k, up; repeat split; auto.
clear; induction (map real h1); constructor; [exists (fun x => x); split; [intros x _;
    reflexivity|reflexivity]|assumption].
Qed.

Lemma runs_are_exact Ls word : forall past hs qs out, Forall scanned Ls -> all_on_track Ls past hs ->
  machines_output (map (orders_machine p F) Ls) hs word = Some out ->
      any_outputs p F Ls past (map (map real) hs) word qs -> qs = out.
Proof.
induction word as [|x word IH]; intros past hs [|q qs] out can track; simpl; try tauto; [intros [= <-]; reflexivity|].
destruct (machines_step _ hs x) as [[hs' q']|] eqn:step; [|discriminate].
destruct (machines_output _ hs' word) as [rest|] eqn:later; [|discriminate]; intros [= <-] (past' & gs & this & others).
destruct (steps_are_exact _ _ _ _ _ _ _ _ _ can track step this) as (-> & -> & track').
f_equal; exact (IH _ _ _ _ can track' later others).
Qed.

Lemma runs_exist Ls word : forall past hs out, Forall scanned Ls -> all_on_track Ls past hs ->
  machines_output (map (orders_machine p F) Ls) hs word = Some out ->
      any_outputs p F Ls past (map (map real) hs) word out.
Proof.
induction word as [|x word IH]; intros past hs out can track; simpl; [intros [= <-]; exact I|].
destruct (machines_step _ hs x) as [[hs' q']|] eqn:step; [|discriminate].
destruct (machines_output _ hs' word) as [rest|] eqn:later; [|discriminate]; intros [= <-].
destruct (steps_exist _ _ _ _ _ _ can track step) as (past' & gs & this).
exists past', gs; split; [exact this|].
destruct (steps_are_exact _ _ _ _ _ _ _ _ _ can track step this) as (-> & _ & track');
    exact (IH _ _ _ can track' later).
Qed.

End Stack.

(** What the checker accepts is right at every length,
    in whatever order its sums are taken and its maps are composed. *)
Theorem networks_are_right_in_any_order p F net found maps : is_format F ->
    any_order_is_right p F net found maps = true ->
  right_in_any_order p F net.
Proof.
intros formatF; unfold any_order_is_right; rewrite !andb_true_iff;
    intros [[[_ held] all_closed] can] word valid starts_with.
destruct (closed_stacks_are_right _ same_numbers_eq _ _ _ all_closed valid) as (out & output & seen).
set (starts := map (fun L => map (in_format binary32) (first_state L)) (stored_layers net)).
assert (map (@begins _) (map (orders_machine p F) (stored_layers net)) = starts) as begins_at by (rewrite map_map;
    reflexivity).
rewrite begins_at in output.
assert (map (fun L => values (first_state L)) (stored_layers net) = map (map real) starts) as real_starts.
  unfold starts; rewrite map_map; apply map_ext_in; intros L isin; unfold values; rewrite map_map; apply map_ext_in;
      intros d ind.
  rewrite forallb_forall in held; specialize (held L isin); unfold layer_is_stored in held;
      rewrite !andb_true_iff in held.
  destruct held as [[_ starts_held] _]; rewrite forallb_forall in starts_held; symmetry; apply held_value,
      starts_held, ind.
unfold starts_with; rewrite real_starts.
assert (Forall (scanned p) (stored_layers net)) as all_scanned.
  unfold scanned; destruct p; [apply Forall_forall; auto|]; apply andb_true_iff in can as [len scans];
      apply Nat.eqb_eq in len.
  clear -len scans; revert maps len scans; induction (stored_layers net) as [|L Ls IH]; intros [|c cs] len scans;
      try discriminate;
    constructor.
    simpl in scans; apply andb_true_iff in scans; exists c; tauto.
  simpl in scans; apply andb_true_iff in scans; apply (IH cs); [injection len; auto|tauto].
assert (all_on_track p (stored_layers net) (map (fun _ => []) (stored_layers net)) starts) as tracks.
  unfold starts in *; clear -real_starts; induction (stored_layers net) as [|L Ls IH]; simpl; [exact I|].
  injection real_starts as this rest; split; [|exact (IH rest)].
  unfold on_track; split; [constructor|]; destruct p; [exact I|]; simpl; symmetry; exact this.
split.
  exists out; apply (runs_exist p F formatF _ _ _ _ _ all_scanned tracks output).
intros qs run; rewrite seen; f_equal; symmetry;
    exact (runs_are_exact p F formatF _ _ _ _ _ _ all_scanned tracks output run).
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

(** * A chunk of micro-steps is exact, in any order of sums, where the criterion says so

    Definitions: [computed], the tensors of a chunk in the WY form; [inverted], the triangular inverse by merging
        blocks, of which forward substitution is an instance; [chunk], the state after it; [read], an entry of the state
    by a unit query; [entry], an entry of a vector; [walks], the places that micro-steps go through; [along], what they
        do one after the other in exact arithmetic.
    The theorems rest on the axioms of the classical reals. *)

From Coq Require Import ZArith NArith Reals List Bool SpecFloat FMapPositive Lia Lra Permutation.
From Flocq Require Import Core.
From lemmata Require Import checker checker_sound float_closure stored_network stored stored_sound sums chunk_sums.
From lemmata Require Import float float_sums float_bounds.
Import ListNotations.

Local Open Scope R_scope.
Local Notation two := radix2.

(** ** What a chunk computes *)

Section Definitions.

Variables (F : format) (n : nat) (ss : list (micro_step dyadic)).

Definition step_at (i : nat) : micro_step dyadic := nth i ss (idle n).
Definition key (i x : nat) : R := nth x (values (key_vector (step_at i))) 0.
Definition beta (i : nat) : R := dyadic_value (strength (step_at i)).
Definition val (i : nat) : R := dyadic_value (value (step_at i)).

(** The state as products take it, beta K, beta V, A = tril(beta K K^T, -1), T = (I + A)^-1, W = T beta K,
    U = T beta V, and the new values U - W h. *)
Record tensors := Tensors { copied : nat -> R; scaled_keys : nat -> nat -> R; scaled_values : nat -> R;
  gram : nat -> nat -> R; inverse : nat -> nat -> R; reading_keys : nat -> nat -> R; own_values : nat -> R;
  new_values : nat -> R }.

(** A, by keys scaled before or after the product. *)
Definition multiplied (t : tensors) (i j : nat) : Prop :=
  stored F (map (fun x => scaled_keys t i x * key j x) (seq 0 n)) (gram t i j) \/
  exists d, any_sum binary32 (map (fun x => key i x * key j x) (seq 0 n)) d /\ stored F [beta i * d] (gram t i j).

(** T21 = -T22 (A21 T11), or -(T22 A21) T11: row i of the second block, from micro-step mid on, and column j before. *)
Definition merged (A T : nat -> nat -> R) (mid i j : nat) : Prop :=
  (exists M, (forall l, (mid <= l <= i)%nat ->
      any_sum binary32 (map (fun r => A l r * T r j) (seq j (mid - j))) (M l)) /\
    stored F (map (fun l => - (T i l * M l)) (seq mid (S i - mid))) (T i j)) \/
  (exists M, (forall r, (j <= r < mid)%nat ->
      any_sum binary32 (map (fun l => T i l * A l r) (seq mid (S i - mid))) (M r)) /\
    stored F (map (fun r => - (M r * T r j)) (seq j (mid - j))) (T i j)).

(** The inverse on the rows and columns from lo to hi - 1, of blocks of any sizes: with mid = hi - 1 throughout this is
    forward substitution. *)
Inductive inverted (A T : nat -> nat -> R) : nat -> nat -> Prop :=
  | inverted_one i : T i i = 1 -> inverted A T i (S i)
  | inverted_blocks lo mid hi : inverted A T lo mid -> inverted A T mid hi ->
      (forall i j, (mid <= i < hi)%nat -> (lo <= j < mid)%nat -> merged A T mid i j) -> inverted A T lo hi.

Definition computed (h : list R) (t : tensors) : Prop :=
  let C := length ss in
  (forall x, (x < n)%nat -> exists f, keeps F f /\ copied t x = f (nth x h 0)) /\
  (forall i x, (i < C)%nat -> (x < n)%nat -> stored F [beta i * key i x] (scaled_keys t i x)) /\
  (forall i, (i < C)%nat -> stored F [beta i * val i] (scaled_values t i)) /\
  (forall i j, (j < i < C)%nat -> multiplied t i j) /\
  ((0 < C)%nat -> inverted (gram t) (inverse t) 0 C) /\
  (forall i x, (i < C)%nat -> (x < n)%nat ->
    stored F (map (fun j => inverse t i j * scaled_keys t j x) (seq 0 (S i))) (reading_keys t i x)) /\
  (forall i, (i < C)%nat ->
    stored F (map (fun j => inverse t i j * scaled_values t j) (seq 0 (S i))) (own_values t i)) /\
  (forall i, (i < C)%nat ->
    stored F (own_values t i :: map (fun x => - (reading_keys t i x * copied t x)) (seq 0 n)) (new_values t i)).

(** The state afterwards: h + K^T new values. *)
Definition chunk (h h' : list R) : Prop := exists t, computed h t /\ length h' = n /\
  forall x, (x < n)%nat ->
    stored F (nth x h 0 :: map (fun i => key i x * new_values t i) (seq 0 (length ss))) (nth x h' 0).

(** The last output of the chunk for the query e_y: q h + tril(q K^T) new values. *)
Definition read (h : list R) (y : nat) (o : R) : Prop := exists t attention, computed h t /\
  (forall j, (j < length ss)%nat -> stored F (map (fun x => query y x * key j x) (seq 0 n)) (attention j)) /\
  stored F (map (fun x => query y x * copied t x) (seq 0 n) ++
    map (fun j => attention j * new_values t j) (seq 0 (length ss))) o.

End Definitions.

(** ** Vectors *)

Definition entry (v : list dyadic) (x : nat) : R := nth x (values v) 0.

Lemma entry_value v x : entry v x = dyadic_value (nth x v (0, 0)%Z).
Proof. unfold entry, values; replace 0 with (dyadic_value (0, 0)%Z) by apply F2R_0; apply map_nth. Qed.

Lemma entry_is_in v x : (x < length v)%nat -> exists d, In d v /\ entry v x = dyadic_value d.
Proof. intros small; exists (nth x v (0, 0)%Z); split; [apply nth_In, small|apply entry_value]. Qed.

Lemma entry_canonical v x : entry (map canonical v) x = entry v x.
Proof. unfold entry; rewrite canonical_values; reflexivity. Qed.

Lemma total_first n f : total (seq 0 (S n)) f = f 0%nat + total (seq 0 n) (fun x => f (S x)).
Proof. unfold total; simpl; rewrite <- seq_shift, map_map; reflexivity. Qed.

Lemma products_total n : forall u v, length u = n -> length v = n ->
  Rsum (real_products (values u) (values v)) = total (seq 0 n) (fun x => entry u x * entry v x).
Proof.
induction n as [|n IH]; intros [|a u] [|b v] lu lv; try discriminate; [reflexivity|].
rewrite total_first; injection lu as lu; injection lv as lv; rewrite (total_ext _ _ (fun x => entry u x * entry v x)).
  rewrite <- (IH _ _ lu lv); reflexivity.
intros x _; reflexivity.
Qed.

Lemma answer_value n s x : length (key_vector s) = n -> length x = n -> dyadic_value (answer s x) =
  dyadic_value (strength s) * (dyadic_value (value s) - total (seq 0 n) (fun z => entry (key_vector s) z * entry x z)).
Proof.
intros lk lx; unfold answer; rewrite canonical_value, value_product, value_sum, value_opp, value_total, map_terms.
fold (Rsum (real_products (values (key_vector s)) (values x))); rewrite (products_total n) by assumption; ring.
Qed.

Lemma micro_length n s x : length (key_vector s) = n -> length x = n -> length (micro_by s x) = n.
Proof. intros lk lx; unfold micro_by; rewrite map_length, combine_length, lk, lx; apply Nat.min_id. Qed.

Lemma micro_entry n s x y : length (key_vector s) = n -> length x = n -> (y < n)%nat ->
  entry (micro_by s x) y = entry x y + entry (key_vector s) y * dyadic_value (answer s x).
Proof.
intros lk lx small; rewrite !entry_value.
pose (f := fun kx : dyadic * dyadic => canonical (dyadic_sum (snd kx) (dyadic_product (fst kx) (answer s x)))).
change (micro_by s x) with (map f (combine (key_vector s) x)).
rewrite (nth_indep _ _ (f ((0, 0)%Z, (0, 0)%Z))) by
  (rewrite map_length, combine_length, lk, lx, Nat.min_id; exact small).
rewrite map_nth, (combine_nth _ _ _ _ _ (eq_trans lk (eq_sym lx))); unfold f; simpl.
rewrite canonical_value, value_sum, value_product; ring.
Qed.

Lemma listed_located_in c x : listed_located c x = true -> In x (all_located c).
Proof.
unfold listed_located, all_located; destruct (PositiveMap.find _ c) as [l|] eqn:found; [|discriminate].
rewrite existsb_exists; intros (y & isin & same); assert (x = y) as <-.
  unfold same_located in same; rewrite andb_true_iff, N.eqb_eq in same; destruct same as [places vectors].
  destruct x, y; simpl in *; f_equal; [exact places|]; revert vectors; apply same_vector_eq.
  intros [a a'] [b b']; unfold same_dyadic; simpl; rewrite andb_true_iff, !Z.eqb_eq; intros [-> ->]; reflexivity.
apply in_flat_map; exists (bucket_of_located x, l); split; [apply PositiveMap.elements_correct, found|exact isin].
Qed.

(** The places that micro-steps go through. *)
Definition walks (arrows : list arrow) (s : nat -> micro_step dyadic) (C : nat) (pl : nat -> N) : Prop :=
  forall i, (i < C)%nat -> exists a, In a arrows /\ from a = pl i /\ step_of a = s i /\ to a = pl (S i).

Fixpoint along (s : nat -> micro_step dyadic) (x : list dyadic) (j m : nat) : list dyadic :=
  match m with
  | O => x
  | S m' => micro_by (s (j + m')%nat) (along s x j m')
  end.

Section Closed.

Variables (n : nat) (arrows : list arrow) (first : list located) (c : catalogue).
Hypothesis closed : closed_set n arrows first c = true.

Lemma closed_facts : (forall x, In x (all_located c) -> length (snd x) = n) /\
  (forall x, In x first -> In x (all_located c)) /\
  (forall x a, In x (all_located c) -> In a arrows -> from a = fst x ->
     In (to a, micro_by (step_of a) (snd x)) (all_located c)).
Proof.
unfold closed_set in closed; rewrite !andb_true_iff, !forallb_forall in closed; destruct closed as [[lens firsts] next].
repeat split.
- intros x isin; apply Nat.eqb_eq, lens, isin.
- intros x isin; apply listed_located_in, firsts, isin.
- intros x a isin ina e; apply listed_located_in; specialize (next x isin); rewrite forallb_forall in next.
  specialize (next a ina); rewrite e, N.eqb_refl in next; exact next.
Qed.

Variables (s : nat -> micro_step dyadic) (C : nat) (pl : nat -> N).
Hypothesis walk : walks arrows s C pl.

Lemma along_listed x j m : In (pl j, x) (all_located c) -> (j + m <= C)%nat ->
  In (pl (j + m)%nat, along s x j m) (all_located c).
Proof.
intros isin; induction m as [|m IH]; intros small; [rewrite Nat.add_0_r; exact isin|].
destruct (walk (j + m)%nat) as (a & ina & e & es & et); [lia|]; rewrite Nat.add_succ_r; simpl; rewrite <- es, <- et.
apply (proj2 (proj2 closed_facts)) with (x := (pl (j + m)%nat, along s x j m)); auto; apply IH; lia.
Qed.

Lemma answers_listed x i : (i < C)%nat -> In (pl i, x) (all_located c) -> In (answer (s i) x) (answers arrows c).
Proof.
intros small isin; destruct (walk i small) as (a & ina & e & es & _).
apply in_flat_map; exists (pl i, x); split; [exact isin|]; apply in_flat_map; exists a; split; [exact ina|].
simpl; rewrite e, N.eqb_refl, es; left; reflexivity.
Qed.

Hypothesis widths : forall i, (i < C)%nat -> length (key_vector (s i)) = n.

Lemma along_next x j m y : In (pl j, x) (all_located c) -> (j + m < C)%nat -> (y < n)%nat ->
  entry (along s x j (S m)) y = entry (along s x j m) y + entry (key_vector (s (j + m)%nat)) y *
    (dyadic_value (strength (s (j + m)%nat)) * (dyadic_value (value (s (j + m)%nat)) -
      total (seq 0 n) (fun z => entry (key_vector (s (j + m)%nat)) z * entry (along s x j m) z))).
Proof.
intros isin small inside; simpl; pose proof (widths (j + m)%nat small) as lk.
assert (length (along s x j m) = n) as lx.
  apply (proj1 closed_facts (pl (j + m)%nat, along s x j m)); apply along_listed; [exact isin|lia].
rewrite (micro_entry n) by assumption; rewrite (answer_value n) by assumption; reflexivity.
Qed.

End Closed.

Lemma stored_in_facts F ds d : is_format F -> stored_in F ds = true -> In d ds ->
  holds F (dyadic_value d) /\ box (bound_of ds) (dyadic_value d).
Proof.
unfold stored_in; rewrite andb_true_iff, !forallb_forall; intros formatF [held boxes] isin; split.
  apply held_holds; [exact formatF|apply held, isin].
apply in_bound_box, boxes, isin.
Qed.

(** ** A chunk *)

Section Chunk.

Variables (most : N) (F : format) (L : stored_layer dyadic) (arrows : list arrow) (sets : chunk_sets).
Hypothesis formatF : is_format F.
Hypothesis ok : forallb snd (chunk_checks most F L arrows sets) = true.

Let n := length (first_state L).

Variables (ss : list (micro_step dyadic)) (pl : nat -> N).
Let C := length ss.
Let s := step_at n ss.
Hypothesis short : (C <= N.to_nat most)%nat.
Hypothesis walk : walks arrows s C pl.

Let silent (i : nat) : micro_step dyadic := MicroStep (key_vector (s i)) (strength (s i)) (0, 0)%Z.

Lemma silent_walk : walks (map without_value arrows) silent C pl.
Proof.
intros i small; destruct (walk i small) as (a & ina & e & es & et); exists (without_value a).
split; [apply in_map, ina|]; unfold without_value, from, to, step_of in *; simpl.
rewrite e, et; unfold silent; rewrite <- es; repeat split.
Qed.

Lemma step_listed i : (i < C)%nat -> In (s i) (map step_of arrows).
Proof. intros small; destruct (walk i small) as (a & ina & _ & <- & _); apply in_map, ina. Qed.

Let steps := map step_of arrows.
Let keys := flat_map (@key_vector _) steps.
Let scaled := flat_map scaled_key steps.
Let values_scaled := map (fun t => dyadic_product (strength t) (value t)) steps.
Let grams := flat_map (fun t => map (fun r => dyadic_total (terms_of (scaled_key t) (key_vector r))) steps) steps.
Let blocks := all_answers (map without_value arrows) (of_keys sets) ++ answers (map without_value arrows)
  (of_any_keys sets).
Let inverses := (1, 0)%Z :: answers (map without_value arrows) (of_keys sets).
Let readings := answers (map without_value arrows) (of_units sets).
Let owns := answers arrows (of_zero sets).
Let news := answers arrows (of_start sets).
Let states := flat_map snd (all_located (of_start sets)).

Lemma checks :
  (forall t, In t steps -> length (key_vector t) = n) /\
  (closed_set n (map without_value arrows) (keys_at arrows) (of_keys sets) = true /\
   closed_set n (map without_value arrows) (units_at n arrows) (of_units sets) = true /\
   closed_set n arrows (zeros_at n arrows) (of_zero sets) = true /\
   closed_set n arrows [start_of L] (of_start sets) = true /\
   closed_set n (map without_value arrows) (any_keys_at arrows) (of_any_keys sets) = true) /\
  (stored_in F keys = true /\ stored_in F scaled = true /\ stored_in F values_scaled = true /\
   stored_in F grams = true /\ stored_in F inverses = true /\ stored_in F readings = true /\
   stored_in F owns = true /\ stored_in F news = true /\ stored_in F states = true /\
   forallb (in_bound (bound_of blocks)) blocks = true) /\
  (sums_fit 1 (bound_of scaled) 0 nothing = true /\
   sums_fit 1 (bound_of values_scaled) 0 nothing = true /\
   sums_fit (Z.of_nat n) (product_bound (bound_of scaled) (bound_of keys)) 0 nothing = true /\
   sums_fit (Z.of_N most) (product_bound (bound_of grams) (bound_of inverses)) 0 nothing = true /\
   sums_fit (Z.of_N most) (product_bound (bound_of inverses) (bound_of scaled)) 0 nothing = true /\
   sums_fit (Z.of_N most) (product_bound (bound_of inverses) (bound_of values_scaled)) 0 nothing = true /\
   sums_fit 1 (bound_of owns) (Z.of_nat n) (product_bound (bound_of readings) (bound_of states)) = true /\
   sums_fit (Z.of_nat n) (bound_of keys) 0 nothing = true /\
   sums_fit (Z.max 1 (Z.of_nat n)) (bound_of states) (Z.of_N most)
     (product_bound (bound_of keys) (bound_of news)) = true /\
   sums_fit (Z.of_nat n) (product_bound (bound_of keys) (bound_of keys)) 0 nothing = true /\
   sums_fit 1 (bound_of grams) 0 nothing = true /\
   sums_fit (Z.of_N most) (product_bound (bound_of inverses) (bound_of blocks)) 0 nothing = true).
Proof using ok.
clear -ok; revert ok; unfold chunk_checks; cbv zeta; fold n steps keys scaled values_scaled.
fold grams inverses blocks readings owns news states.
cbn [forallb snd]; rewrite !andb_true_iff; intros (shape & rest); split; [|tauto].
rewrite forallb_forall in shape; intros t isin; apply Nat.eqb_eq, shape, isin.
Qed.

Lemma widths i : (i < C)%nat -> length (key_vector (s i)) = n.
Proof. intros small; apply (proj1 checks), step_listed, small. Qed.

Lemma key_entry i x : key n ss i x = entry (key_vector (s i)) x.
Proof. reflexivity. Qed.

Lemma key_facts i x : (i < C)%nat -> (x < n)%nat ->
  holds F (key n ss i x) /\ box (bound_of keys) (key n ss i x).
Proof.
intros small inside; destruct (entry_is_in (key_vector (s i)) x) as (d & isin & e); [rewrite widths; assumption|].
rewrite key_entry, e; apply stored_in_facts; [exact formatF|apply checks|].
apply in_flat_map; exists (s i); split; [apply step_listed, small|exact isin].
Qed.

Variables (h : list R) (start : list dyadic) (t : tensors).
Hypothesis start_listed : In (pl 0%nat, start) (all_located (of_start sets)).
Hypothesis start_value : h = values start.
Hypothesis run : computed F n ss h t.

Let b := beta n ss.
Let k := key n ss.

Lemma scaled_exact i x : (i < C)%nat -> (x < n)%nat -> scaled_keys t i x = b i * k i x /\
  holds F (b i * k i x) /\ box (bound_of scaled) (b i * k i x).
Proof.
intros small inside; destruct run as (_ & st & _); specialize (st i x small inside).
destruct (entry_is_in (key_vector (s i)) x) as (d & isin & e); [rewrite widths; assumption|].
assert (b i * k i x = dyadic_value (dyadic_product (strength (s i)) d)) as value.
  rewrite value_product; unfold k; rewrite key_entry, e; reflexivity.
assert (In (dyadic_product (strength (s i)) d) scaled) as listed.
  apply in_flat_map; exists (s i); split; [apply step_listed, small|apply in_map, isin].
destruct (stored_in_facts F scaled _ formatF (proj1 (proj2 (proj1 (proj2 (proj2 checks))))) listed) as [held boxed].
rewrite <- value in held, boxed; split; [|auto].
rewrite (stored_fits_one F 1 (bound_of scaled) [b i * k i x] (scaled_keys t i x)).
- unfold Rsum; simpl; ring.
- apply checks.
- simpl; lia.
- constructor; [exact boxed|constructor].
- unfold Rsum; simpl; rewrite Rplus_0_r; exact held.
- exact st.
Qed.

Lemma values_exact i : (i < C)%nat -> scaled_values t i = b i * val n ss i /\
  box (bound_of values_scaled) (b i * val n ss i).
Proof.
intros small; destruct run as (_ & _ & st & _); specialize (st i small).
assert (b i * val n ss i = dyadic_value (dyadic_product (strength (s i)) (value (s i)))) as e.
  rewrite value_product; reflexivity.
assert (In (dyadic_product (strength (s i)) (value (s i))) values_scaled) as listed.
  apply in_map_iff; exists (s i); split; [reflexivity|apply step_listed, small].
destruct (stored_in_facts F values_scaled _ formatF (proj1 (proj2 (proj2 (proj1 (proj2 (proj2 checks)))))) listed)
  as [held boxed].
rewrite <- e in held, boxed; split; [|exact boxed].
rewrite (stored_fits_one F 1 (bound_of values_scaled) [b i * val n ss i] (scaled_values t i)).
- unfold Rsum; simpl; ring.
- apply checks.
- simpl; lia.
- constructor; [exact boxed|constructor].
- unfold Rsum; simpl; rewrite Rplus_0_r; exact held.
- exact st.
Qed.

Let dot (i : nat) (f : nat -> R) : R := total (seq 0 n) (fun x => k i x * f x).

Lemma gram_exact i j : (j < i < C)%nat -> gram t i j = b i * dot i (k j) /\ box (bound_of grams) (b i * dot i (k j)).
Proof.
intros small; destruct run as (_ & _ & _ & st & _); specialize (st i j small).
set (d := dyadic_total (terms_of (scaled_key (s i)) (key_vector (s j)))).
assert (length (key_vector (s i)) = n /\ length (key_vector (s j)) = n) as [li lj] by (split; apply widths; lia).
assert (Rsum (map (fun x => scaled_keys t i x * k j x) (seq 0 n)) = b i * dot i (k j)) as sum.
  fold (total (seq 0 n) (fun x => scaled_keys t i x * k j x)); unfold dot; rewrite <- total_scale.
  apply total_ext; intros x isin; apply in_seq in isin; destruct (scaled_exact i x) as [-> _]; [lia|lia|ring].
assert (b i * dot i (k j) = dyadic_value d) as e.
  unfold d; rewrite value_total, map_terms; fold (Rsum (real_products (values (scaled_key (s i))) (values (key_vector
    (s j))))); rewrite (products_total n); [|unfold scaled_key; rewrite map_length; exact li|exact lj].
  unfold dot; rewrite <- total_scale; apply total_ext; intros x isin; apply in_seq in isin.
  unfold k; rewrite !key_entry; unfold scaled_key; rewrite (entry_value (map _ _)).
  rewrite (nth_indep _ _ (dyadic_product (strength (s i)) (0, 0)%Z)) by (rewrite map_length, li; lia).
  rewrite map_nth, value_product, <- entry_value; unfold b, beta; fold s; change (step_at n ss i) with (s i); ring.
assert (In d grams) as listed.
  apply in_flat_map; exists (s i); split; [apply step_listed; lia|]; apply in_map_iff; exists (s j); split;
    [reflexivity|apply step_listed; lia].
destruct (stored_in_facts F grams _ formatF (proj1 (proj2 (proj2 (proj2 (proj1 (proj2 (proj2 checks))))))) listed)
  as [held boxed].
rewrite <- e in held, boxed; split; [|exact boxed]; destruct st as [st|(q & dots & st)].
  { rewrite <- sum; apply (stored_fits_one F (Z.of_nat n) (product_bound (bound_of scaled) (bound_of keys))).
  - apply checks.
  - rewrite map_length, seq_length; lia.
  - apply Forall_map, Forall_forall; intros x isin; apply in_seq in isin; apply box_product.
      destruct (scaled_exact i x) as (-> & _ & boxed'); [lia|lia|exact boxed'].
    apply key_facts; lia.
  - rewrite sum; exact held.
  - exact st. }
assert (q = dot i (k j)) as product.
  rewrite (sums_that_fit_one (Z.of_nat n) (product_bound (bound_of keys) (bound_of keys)) (map (fun x => k i x * k j x)
      (seq 0 n)) q); [reflexivity|apply checks|rewrite map_length, seq_length; lia| |exact dots].
  apply Forall_map, Forall_forall; intros x isin; apply in_seq in isin; apply box_product; apply key_facts; lia.
rewrite product in st.
rewrite (stored_fits_one F 1 (bound_of grams) [b i * dot i (k j)] (gram t i j));
  [unfold Rsum; simpl; ring|apply checks|simpl; lia|constructor; [exact boxed|constructor]| |exact st].
unfold Rsum; simpl; rewrite Rplus_0_r; exact held.
Qed.

(** The triangular inverse: what key j has become before micro-step i is read by key i. *)

Let T := inverse t.
Let moved (j m : nat) : list dyadic := along silent (map canonical (key_vector (s j))) (S j) m.
Let answered (j i : nat) : R := dyadic_value (answer (silent i) (moved j (i - S j))).

Lemma moved_listed j m : (S j + m <= C)%nat -> In (pl (S j + m)%nat, moved j m) (all_located (of_keys sets)).
Proof.
intros small; pose proof (proj1 (proj1 (proj2 checks))) as closed.
apply (along_listed _ _ _ _ closed _ _ _ silent_walk); [|exact small].
destruct (walk j) as (a & ina & _ & es & et); [lia|]; apply (proj1 (proj2 (closed_facts _ _ _ _ closed))).
apply in_map_iff; exists a; rewrite es, et; auto.
Qed.

Lemma silent_answer i x : (i < C)%nat -> length x = n ->
  dyadic_value (answer (silent i) x) = b i * (0 - dot i (entry x)).
Proof.
intros small lx; rewrite (answer_value n); [|apply widths, small|exact lx]; unfold silent; simpl.
replace (dyadic_value (0, 0)%Z) with 0 by (symmetry; apply F2R_0); reflexivity.
Qed.

Lemma moved_length j m : (S j + m <= C)%nat -> length (moved j m) = n.
Proof.
intros small; exact (proj1 (closed_facts _ _ _ _ (proj1 (proj1 (proj2 checks)))) _ (moved_listed j m small)).
Qed.

Lemma answered_facts j i : (j < i < C)%nat -> holds F (answered j i) /\ box (bound_of inverses) (answered j i).
Proof.
intros small; apply stored_in_facts; [exact formatF|apply checks|]; right.
apply (answers_listed _ _ _ _ _ silent_walk); [lia|].
replace (pl i) with (pl (S j + (i - S j))%nat) by (f_equal; lia); apply moved_listed; lia.
Qed.

Lemma inverse_of_one : box (bound_of inverses) 1.
Proof.
replace 1 with (dyadic_value (1, 0)%Z) by (unfold dyadic_value, F2R; simpl; ring).
apply (stored_in_facts F inverses (1, 0)%Z formatF); [apply checks|left; reflexivity].
Qed.

(** What the inverse is. *)
Let ideal (i j : nat) : R := if Nat.eqb i j then 1 else answered j i.

Lemma ideal_diagonal i : (i < C)%nat -> ideal i i = 1.
Proof. intros _; unfold ideal; rewrite Nat.eqb_refl; reflexivity. Qed.

Lemma ideal_sums j m : (S j + m <= C)%nat ->
  forall x, (x < n)%nat -> total (seq j (S m)) (fun l => ideal l j * k l x) = entry (moved j m) x.
Proof.
induction m as [|m IH]; intros small x inside.
  unfold total, Rsum, moved; simpl; rewrite ideal_diagonal, entry_canonical by lia; unfold k; rewrite key_entry; ring.
set (i := (S j + m)%nat) in *; rewrite total_last, IH by (try exact inside; lia).
replace (j + S m)%nat with i by (unfold i; lia).
assert (ideal i j = b i * (0 - dot i (entry (moved j m)))) as ->.
  unfold ideal; destruct (Nat.eqb_spec i j) as [e|_]; [unfold i in e; lia|].
  unfold answered; replace (i - S j)%nat with m by (unfold i; lia).
  apply silent_answer; [unfold i in *; lia|apply moved_length; unfold i in *; lia].
unfold moved; pose proof (moved_listed j 0) as first; rewrite Nat.add_0_r in first.
rewrite (along_next n _ _ _ (proj1 (proj1 (proj2 checks))) silent C pl silent_walk) with (m := m);
  [|intros l inl; apply widths, inl|apply first; lia|unfold i in *; lia|exact inside].
fold i (moved j m); unfold silent at 1 2 3 4; simpl strength; simpl value; simpl key_vector.
replace (dyadic_value (0, 0)%Z) with 0 by (symmetry; apply F2R_0); fold (b i).
unfold k at 1; rewrite (key_entry i x); unfold dot, b, beta; fold s; change (step_at n ss i) with (s i).
rewrite (Rmult_comm (dyadic_value _ * _)); reflexivity.
Qed.

Lemma moved_is_moved_key j i x : (j < i <= C)%nat -> (x < n)%nat ->
  entry (moved j (i - S j)) x = moved_key k ideal j i x.
Proof.
intros small inside; rewrite <- ideal_sums by (try exact inside; lia); unfold moved_key.
replace (S (i - S j)) with (i - j)%nat by lia; reflexivity.
Qed.

Lemma ideal_below i j : (j < i < C)%nat -> ideal i j = b i * (0 - dot i (moved_key k ideal j i)).
Proof.
intros small; unfold ideal at 1; destruct (Nat.eqb_spec i j) as [e|_]; [lia|].
unfold answered; rewrite silent_answer; [|lia|apply moved_length; lia].
do 2 f_equal; apply total_ext; intros x isin; apply in_seq in isin; rewrite moved_is_moved_key by lia; reflexivity.
Qed.

Lemma ideal_facts i j : (j <= i < C)%nat -> box (bound_of inverses) (ideal i j) /\ (j < i -> holds F (ideal i j))%nat.
Proof.
intros small; unfold ideal; destruct (Nat.eqb_spec i j) as [e|ne]; [split; [exact inverse_of_one|lia]|].
split; [|intros _]; apply answered_facts; lia.
Qed.

Lemma block_facts d : In d blocks -> box (bound_of blocks) (dyadic_value d).
Proof.
intros isin; apply in_bound_box; pose proof checks as all; destruct all as (_ & _ & (_ & _ & _ & _ & _ & _ & _ & _ & _ &
    bounded) & _); rewrite forallb_forall in bounded; apply bounded, isin.
Qed.

(** A21 T11. *)
Lemma lower_boxed l j mid : (j < mid <= l)%nat -> (l < C)%nat ->
  box (bound_of blocks) (b l * dot l (moved_key k ideal j mid)).
Proof.
intros between small; set (x := moved j (mid - S j)).
assert (length x = n) as lx by (apply moved_length; lia).
assert (dot l (moved_key k ideal j mid) = dot l (entry x)) as ->.
  apply total_ext; intros y isin; apply in_seq in isin; unfold x; rewrite moved_is_moved_key by lia; reflexivity.
assert (b l * dot l (entry x) = - dyadic_value (answer (silent l) x)) as ->.
  rewrite silent_answer by assumption; ring.
apply box_opp, block_facts, in_or_app; left; apply in_flat_map; exists (pl mid, x); split.
  replace (pl mid) with (pl (S j + (mid - S j))%nat) by (f_equal; lia); apply moved_listed; lia.
destruct (silent_walk l small) as (a & ina & _ & es & _); apply in_map_iff; exists a; simpl; rewrite es; auto.
Qed.

(** T22 A21: key r, put in front of micro-step mid. *)
Let dropped (r mid m : nat) : list dyadic := along silent (map canonical (key_vector (s r))) mid m.

Lemma upper_boxed i r mid : (r < mid <= i)%nat -> (i < C)%nat ->
  box (bound_of blocks) (total (seq mid (S i - mid)) (fun l => ideal i l * (b l * dot l (k r)))).
Proof.
intros between small; pose proof (proj2 (proj2 (proj2 (proj2 (proj1 (proj2 checks)))))) as closed.
assert (In (pl mid, map canonical (key_vector (s r))) (all_located (of_any_keys sets))) as listed.
  apply (proj1 (proj2 (closed_facts _ _ _ _ closed))).
  destruct (walk mid) as (a & ina & <- & _); [lia|]; destruct (walk r) as (a' & ina' & _ & es & _); [lia|].
  apply in_flat_map; exists a; split; [exact ina|]; apply in_map_iff; exists a'; rewrite es; auto.
assert (forall m, (mid + m <= C)%nat -> In (pl (mid + m)%nat, dropped r mid m) (all_located (of_any_keys sets))) as on.
  intros m le; apply (along_listed _ _ _ _ closed _ _ _ silent_walk); [exact listed|exact le].
rewrite <- (substituted_from n C k b ideal ideal_diagonal ideal_below mid (fun l => dot l (k r)) (fun t x => k r x -
    entry (dropped r mid (t - mid)) x)).
- set (x := dropped r mid (i - mid)).
  assert (In (pl i, x) (all_located (of_any_keys sets))) as here.
    replace (pl i) with (pl (mid + (i - mid))%nat) by (f_equal; lia); apply on; lia.
  replace (b i * (dot i (k r) - total (seq 0 n) (fun y => k i y * (k r y - entry x y)))) with
      (- dyadic_value (answer (silent i) x)).
    apply box_opp, block_facts, in_or_app; right; apply (answers_listed _ _ _ _ _ silent_walk); assumption.
  rewrite silent_answer; [|exact small|exact (proj1 (closed_facts _ _ _ _ closed) _ here)]; unfold dot.
  rewrite (total_ext _ (fun y => k i y * (k r y - entry x y)) (fun y => k i y * k r y + (-1) * (k i y * entry x y))) by
      (intros; ring).
  rewrite total_plus, total_scale; ring.
- intros x inside; rewrite Nat.sub_diag; unfold dropped; simpl; rewrite entry_canonical; unfold k; rewrite key_entry.
  ring.
- intros t' x le inside; rewrite Nat.sub_succ_l by lia; unfold dropped.
  rewrite (along_next n _ _ _ closed silent C pl silent_walk) with (m := (t' - mid)%nat) (j := mid);
    [|intros l inl; apply widths, inl|exact listed|lia|exact inside].
  fold (dropped r mid (t' - mid)); replace (mid + (t' - mid))%nat with t' by lia.
  unfold silent at 1 2 3 4; simpl strength; simpl value; simpl key_vector.
  replace (dyadic_value (0, 0)%Z) with 0 by (symmetry; apply F2R_0).
  rewrite (total_ext _ (fun y => k t' y * (k r y - entry (dropped r mid (t' - mid)) y)) (fun y => k t' y * k r y +
      (-1) * (k t' y * entry (dropped r mid (t' - mid)) y))) by (intros; ring).
  rewrite total_plus, total_scale; unfold dot, k, b, beta; rewrite (key_entry t' x); fold s.
  change (step_at n ss t') with (s t').
  change (fun z => entry (key_vector (s t')) z * entry (dropped r mid (t' - mid)) z) with
      (fun z => key n ss t' z * entry (dropped r mid (t' - mid)) z); ring.
- lia.
Qed.

Lemma gram_value l r : (r < l < C)%nat -> gram t l r = b l * dot l (k r).
Proof. intros small; apply gram_exact, small. Qed.

(** However blocks are merged, the inverse is what it should be. *)
Lemma merged_exact mid i j : (j < mid <= i)%nat -> (i < C)%nat -> merged F (gram t) T mid i j ->
    (forall r, (j <= r < mid)%nat -> T r j = ideal r j) -> (forall l, (mid <= l <= i)%nat -> T i l = ideal i l) ->
  T i j = ideal i j.
Proof.
intros between small [(M & firsts & st)|(M & firsts & st)] columns rows.
- assert (forall l, (mid <= l <= i)%nat -> M l = b l * dot l (moved_key k ideal j mid)) as product.
  { intros l inl; rewrite (sums_that_fit_one (Z.of_N most) (product_bound (bound_of grams) (bound_of inverses))
      (map (fun r => gram t l r * T r j) (seq j (mid - j))) (M l));
      [|apply checks|rewrite map_length, seq_length; lia| |apply firsts, inl].
    + fold (total (seq j (mid - j)) (fun r => gram t l r * T r j)).
      rewrite (total_ext _ _ (fun r => b l * (total (seq 0 n) (fun x => k l x * (ideal r j * k r x))))).
        rewrite total_scale, total_exchange; unfold dot; f_equal; apply total_ext; intros x _; apply total_scale.
      intros r isin; apply in_seq in isin; rewrite gram_value, columns by lia; unfold dot.
      rewrite (total_ext _ (fun x => k l x * (ideal r j * k r x)) (fun x => ideal r j * (k l x * k r x))) by
          (intros; ring).
      rewrite total_scale; ring.
    + apply Forall_map, Forall_forall; intros r isin; apply in_seq in isin; apply box_product.
        destruct (gram_exact l r) as [-> boxed]; [lia|exact boxed].
      rewrite columns by lia; apply ideal_facts; lia. }
  rewrite <- (merged_lower n C k b ideal ideal_diagonal ideal_below i j mid between small).
  assert (Rsum (map (fun l => - (T i l * M l)) (seq mid (S i - mid))) = total (seq mid (S i - mid)) (fun l =>
      - (ideal i l * (b l * dot l (moved_key k ideal j mid))))) as sum.
    apply total_ext; intros l isin; apply in_seq in isin; rewrite product, rows by lia; reflexivity.
  unfold dot in *; rewrite <- sum.
  apply (stored_fits_one F (Z.of_N most) (product_bound (bound_of inverses) (bound_of blocks))).
  + apply checks.
  + rewrite map_length, seq_length; lia.
  + apply Forall_map, Forall_forall; intros l isin; apply in_seq in isin; apply box_opp, box_product.
      rewrite rows by lia; apply ideal_facts; lia.
    rewrite product by lia; apply lower_boxed; lia.
  + rewrite sum, (merged_lower n C k b ideal ideal_diagonal ideal_below i j mid between small); apply ideal_facts; lia.
  + exact st.
- assert (forall r, (j <= r < mid)%nat -> M r = total (seq mid (S i - mid)) (fun l => ideal i l * (b l * dot l (k r))))
      as product.
  { intros r inr; rewrite (sums_that_fit_one (Z.of_N most) (product_bound (bound_of grams) (bound_of inverses))
      (map (fun l => T i l * gram t l r) (seq mid (S i - mid))) (M r));
      [|apply checks|rewrite map_length, seq_length; lia| |apply firsts, inr].
    + apply total_ext; intros l isin; apply in_seq in isin; rewrite gram_value, rows by lia; reflexivity.
    + apply Forall_map, Forall_forall; intros l isin; apply in_seq in isin; rewrite Rmult_comm; apply box_product.
        destruct (gram_exact l r) as [-> boxed]; [lia|exact boxed].
      rewrite rows by lia; apply ideal_facts; lia. }
  rewrite <- (merged_upper n C k b ideal ideal_diagonal ideal_below i j mid between small).
  assert (Rsum (map (fun r => - (M r * T r j)) (seq j (mid - j))) = total (seq j (mid - j)) (fun r =>
      - (total (seq mid (S i - mid)) (fun l => ideal i l * (b l * dot l (k r))) * ideal r j))) as sum.
    apply total_ext; intros r isin; apply in_seq in isin; rewrite product, columns by lia; reflexivity.
  unfold dot in *; rewrite <- sum.
  apply (stored_fits_one F (Z.of_N most) (product_bound (bound_of inverses) (bound_of blocks))).
  + apply checks.
  + rewrite map_length, seq_length; lia.
  + apply Forall_map, Forall_forall; intros r isin; apply in_seq in isin; rewrite Rmult_comm.
    apply box_opp, box_product; [rewrite columns by lia; apply ideal_facts; lia|].
    rewrite product by lia; apply upper_boxed; lia.
  + rewrite sum, (merged_upper n C k b ideal ideal_diagonal ideal_below i j mid between small); apply ideal_facts; lia.
  + exact st.
Qed.

Lemma inverted_exact lo hi : inverted F (gram t) T lo hi -> (hi <= C)%nat -> (lo < hi)%nat /\
  forall i j, (lo <= j <= i)%nat -> (i < hi)%nat -> T i j = ideal i j.
Proof.
induction 1 as [i one|lo mid hi _ IH1 _ IH2 merge]; intros small.
  split; [lia|]; intros i' j between inside; replace i' with i by lia; replace j with i by lia.
  rewrite one, ideal_diagonal by lia; reflexivity.
destruct (IH2 small) as [some2 later]; destruct (IH1 ltac:(lia)) as [some1 before]; split; [lia|].
assert (forall d i j, (i - j < d)%nat -> (lo <= j <= i)%nat -> (i < hi)%nat -> T i j = ideal i j) as all.
  induction d as [|d IH]; intros i j le between inside; [lia|].
  destruct (Nat.lt_ge_cases i mid) as [lt|ge]; [apply before; lia|].
  destruct (Nat.lt_ge_cases j mid) as [lt|ge']; [|apply later; lia].
  apply (merged_exact mid); [lia|lia|apply merge; lia|intros r inr; apply before; lia|intros l inl; apply later; lia].
intros i j between inside; apply (all (S (i - j))); lia.
Qed.

Lemma inverse_is_ideal i j : (j <= i < C)%nat -> T i j = ideal i j.
Proof.
intros small; destruct run as (_ & _ & _ & _ & inv & _); apply (inverted_exact 0 C); [apply inv; lia|lia|lia|lia].
Qed.

Lemma inverse_diagonal i : (i < C)%nat -> T i i = 1.
Proof. intros small; rewrite inverse_is_ideal by lia; apply ideal_diagonal, small. Qed.

Lemma inverse_below i j : (j < i < C)%nat -> T i j = b i * (0 - dot i (moved_key k T j i)).
Proof.
intros small; rewrite inverse_is_ideal, ideal_below by lia; do 2 f_equal; apply total_ext; intros x _; f_equal.
unfold moved_key; apply total_ext; intros l isin; apply in_seq in isin; rewrite inverse_is_ideal by lia; reflexivity.
Qed.

Lemma inverse_boxed i j : (j <= i < C)%nat -> box (bound_of inverses) (T i j).
Proof. intros small; rewrite inverse_is_ideal by exact small; apply ideal_facts; lia. Qed.

(** The keys that read the state, and the chunk's own values. *)

Lemma unit_entry x y : (y < n)%nat -> entry (unit_vector n x) y = query x y.
Proof.
intros small; rewrite entry_value; unfold unit_vector.
rewrite (nth_indep _ _ (if Nat.eqb x 0 then (1, 0)%Z else (0, 0)%Z)) by (rewrite map_length, seq_length; exact small).
rewrite (map_nth (fun y => if Nat.eqb x y then (1, 0)%Z else (0, 0)%Z)), seq_nth by exact small; simpl; unfold query.
destruct (Nat.eqb x y); [unfold dyadic_value, F2R; simpl; ring|apply F2R_0].
Qed.

Let unit_moved (x m : nat) : list dyadic := along silent (unit_vector n x) 0 m.

Lemma unit_listed x : (0 < C)%nat -> (x < n)%nat -> In (pl 0%nat, unit_vector n x) (all_located (of_units sets)).
Proof.
intros some inside; apply (proj1 (proj2 (closed_facts _ _ _ _ (proj1 (proj2 (proj1 (proj2 checks))))))).
destruct (walk 0%nat some) as (a & ina & <- & _); apply in_flat_map; exists a; split; [exact ina|].
apply in_map_iff; exists x; split; [reflexivity|apply in_seq; lia].
Qed.

Lemma reading_exact i x : (i < C)%nat -> (x < n)%nat ->
  reading_keys t i x = total (seq 0 (S i)) (fun j => T i j * (b j * k j x)) /\
  box (bound_of readings) (reading_keys t i x).
Proof.
intros small inside; pose proof (proj1 (proj2 (proj1 (proj2 checks)))) as closed.
pose proof (unit_listed x ltac:(lia) inside) as listed.
assert (forall m, (m <= C)%nat -> In (pl m, unit_moved x m) (all_located (of_units sets))) as on.
  intros m le; apply (along_listed _ _ _ _ closed _ _ _ silent_walk) with (j := 0%nat); [exact listed|exact le].
destruct (substituted n C k b T inverse_diagonal inverse_below (fun j => k j x) (fun m y => query x y -
    entry (unit_moved x m) y)) as [_ answered_by].
- intros y le; unfold unit_moved; simpl; rewrite unit_entry by exact le; ring.
- intros m y le le'; unfold unit_moved.
  rewrite (along_next n _ _ _ closed silent C pl silent_walk) with (m := m) (j := 0%nat);
    [|intros l inl; apply widths, inl|exact listed|exact le|exact le'].
  fold (unit_moved x m); simpl plus; unfold silent at 1 2 3 4; simpl strength; simpl value; simpl key_vector.
  replace (dyadic_value (0, 0)%Z) with 0 by (symmetry; apply F2R_0).
  rewrite (total_ext _ (fun x0 => k m x0 * (query x x0 - entry (unit_moved x m) x0)) (fun x0 => query x x0 * k m x0 +
      (-1) * (k m x0 * entry (unit_moved x m) x0))) by (intros; ring).
  rewrite total_plus, total_unit, total_scale by exact inside; unfold k, b, beta; rewrite key_entry; fold s.
  change (step_at n ss m) with (s m); change (fun z => entry (key_vector (s m)) z * entry (unit_moved x m) z) with
      (fun z => key n ss m z * entry (unit_moved x m) z); ring.
- specialize (answered_by i small).
  set (w := answer (silent i) (unit_moved x i)).
  assert (total (seq 0 (S i)) (fun j => T i j * (b j * k j x)) = - dyadic_value w) as told.
    rewrite <- answered_by; unfold w; rewrite silent_answer;
      [|exact small|exact (proj1 (closed_facts _ _ _ _ closed) _ (on i ltac:(lia)))].
    rewrite (total_ext _ (fun x0 => k i x0 * (query x x0 - entry (unit_moved x i) x0)) (fun x0 => query x x0 * k i x0 +
        (-1) * (k i x0 * entry (unit_moved x i) x0))) by (intros; ring).
    rewrite total_plus, total_unit, total_scale by exact inside; unfold dot; ring.
  destruct (stored_in_facts F readings w formatF) as [held boxed]; [apply checks| |].
    apply (answers_listed _ _ _ _ _ silent_walk); [exact small|apply on; lia].
  assert (reading_keys t i x = total (seq 0 (S i)) (fun j => T i j * (b j * k j x))) as e.
    { rewrite (stored_fits_one F (Z.of_N most) (product_bound (bound_of inverses) (bound_of scaled)) (map (fun j =>
        inverse t i j * scaled_keys t j x) (seq 0 (S i))) (reading_keys t i x)).
    + apply total_ext; intros j isin; apply in_seq in isin.
      destruct (scaled_exact j x) as [-> _]; [lia|lia|reflexivity].
    + apply checks.
    + rewrite map_length, seq_length; lia.
    + apply Forall_map, Forall_forall; intros j isin; apply in_seq in isin; apply box_product.
        apply inverse_boxed; lia.
      destruct (scaled_exact j x) as (-> & _ & boxed'); [lia|lia|exact boxed'].
    + fold (total (seq 0 (S i)) (fun j => inverse t i j * scaled_keys t j x)).
      rewrite (total_ext _ _ (fun j => T i j * (b j * k j x))); [rewrite told; apply holds_opp, held|].
      intros j isin; apply in_seq in isin; destruct (scaled_exact j x) as [-> _]; [lia|lia|reflexivity].
    + destruct run as (_ & _ & _ & _ & _ & st & _); apply st; assumption. }
  split; [exact e|]; rewrite e, told; apply box_opp, boxed.
Qed.

Let from_zero (m : nat) : list dyadic := along s (repeat (0, 0)%Z n) 0 m.

Lemma own_exact i : (i < C)%nat -> own_values t i = total (seq 0 (S i)) (fun j => T i j * (b j * val n ss j)) /\
  box (bound_of owns) (own_values t i).
Proof.
intros small; pose proof (proj1 (proj2 (proj2 (proj1 (proj2 checks))))) as closed.
assert (In (pl 0%nat, repeat (0, 0)%Z n) (all_located (of_zero sets))) as listed.
  apply (proj1 (proj2 (closed_facts _ _ _ _ closed))); destruct (walk 0%nat ltac:(lia)) as (a & ina & <- & _).
  apply in_map_iff; exists a; auto.
assert (forall m, (m <= C)%nat -> In (pl m, from_zero m) (all_located (of_zero sets))) as on.
  intros m le; apply (along_listed _ _ _ _ closed _ _ _ walk) with (j := 0%nat); [exact listed|exact le].
assert (forall m, (m < C)%nat -> dyadic_value (answer (s m) (from_zero m)) = b m * (val n ss m - dot m (entry
    (from_zero m)))) as says.
  intros m le; rewrite (answer_value n);
    [reflexivity|apply widths, le|exact (proj1 (closed_facts _ _ _ _ closed) _ (on m ltac:(lia)))].
destruct (substituted n C k b T inverse_diagonal inverse_below (val n ss) (fun m y => entry (from_zero m) y)) as
    [_ answered_by].
- intros y le; unfold from_zero; simpl; rewrite entry_value, nth_repeat; apply F2R_0.
- intros m y le le'; unfold from_zero.
  rewrite (along_next n _ _ _ closed s C pl walk) with (m := m) (j := 0%nat);
    [reflexivity|intros l inl; apply widths, inl|exact listed|exact le|exact le'].
- specialize (answered_by i small); rewrite <- says in answered_by by exact small.
  destruct (stored_in_facts F owns (answer (s i) (from_zero i)) formatF) as [held boxed]; [apply checks| |].
    apply (answers_listed _ _ _ _ _ walk); [exact small|apply on; lia].
  assert (own_values t i = total (seq 0 (S i)) (fun j => T i j * (b j * val n ss j))) as e.
    { rewrite (stored_fits_one F (Z.of_N most) (product_bound (bound_of inverses) (bound_of values_scaled)) (map
        (fun j => inverse t i j * scaled_values t j) (seq 0 (S i))) (own_values t i)).
    + apply total_ext; intros j isin; apply in_seq in isin; destruct (values_exact j) as [-> _]; [lia|reflexivity].
    + apply checks.
    + rewrite map_length, seq_length; lia.
    + apply Forall_map, Forall_forall; intros j isin; apply in_seq in isin; apply box_product.
        apply inverse_boxed; lia.
      destruct (values_exact j) as (-> & boxed'); [lia|exact boxed'].
    + fold (total (seq 0 (S i)) (fun j => inverse t i j * scaled_values t j)).
      rewrite (total_ext _ _ (fun j => T i j * (b j * val n ss j))); [rewrite <- answered_by; exact held|].
      intros j isin; apply in_seq in isin; destruct (values_exact j) as [-> _]; [lia|reflexivity].
    + destruct run as (_ & _ & _ & _ & _ & _ & st & _); apply st; assumption. }
  split; [exact e|]; rewrite e, <- answered_by; exact boxed.
Qed.

(** The states. *)

Let state_after (m : nat) : list dyadic := along s start 0 m.

Lemma state_listed m : (m <= C)%nat -> In (pl m, state_after m) (all_located (of_start sets)).
Proof.
intros le; pose proof (proj1 (proj2 (proj2 (proj2 (proj1 (proj2 checks)))))) as closed.
apply (along_listed _ _ _ _ closed _ _ _ walk) with (j := 0%nat); [exact start_listed|exact le].
Qed.

Lemma state_length m : (m <= C)%nat -> length (state_after m) = n.
Proof.
intros le; pose proof (proj1 (proj2 (proj2 (proj2 (proj1 (proj2 checks)))))) as closed.
exact (proj1 (closed_facts _ _ _ _ closed) _ (state_listed m le)).
Qed.

Lemma state_facts m x : (m <= C)%nat -> (x < n)%nat ->
  holds F (entry (state_after m) x) /\ box (bound_of states) (entry (state_after m) x).
Proof.
intros le inside; destruct (entry_is_in (state_after m) x) as (d & isin & ->); [rewrite state_length; assumption|].
apply stored_in_facts; [exact formatF|apply checks|].
apply in_flat_map; exists (pl m, state_after m); split; [apply state_listed, le|exact isin].
Qed.

Lemma state_next m x : (m < C)%nat -> (x < n)%nat -> entry (state_after (S m)) x = entry (state_after m) x +
  k m x * (b m * (val n ss m - dot m (entry (state_after m)))).
Proof.
intros le inside; pose proof (proj1 (proj2 (proj2 (proj2 (proj1 (proj2 checks)))))) as closed; unfold state_after.
rewrite (along_next n _ _ _ closed s C pl walk) with (m := m) (j := 0%nat);
  [reflexivity|intros l inl; apply widths, inl|exact start_listed|exact le|exact inside].
Qed.

Lemma copied_exact x : (x < n)%nat -> copied t x = entry start x.
Proof.
intros inside; destruct run as (copies & _); destruct (copies x inside) as (f & keep & ->); rewrite start_value.
apply keep; exact (proj1 (state_facts 0%nat x ltac:(lia) inside)).
Qed.

Lemma new_exact i : (i < C)%nat -> new_values t i = b i * (val n ss i - dot i (entry (state_after i))) /\
  box (bound_of news) (new_values t i).
Proof.
intros small.
destruct (substituted n C k b T inverse_diagonal inverse_below (fun j => val n ss j - dot j (entry start))
    (fun m y => entry (state_after m) y - entry start y)) as [_ answered_by].
- intros y le; unfold state_after; simpl; ring.
- intros m y le le'; rewrite state_next by assumption; unfold dot.
  rewrite (total_ext _ (fun x => k m x * (entry (state_after m) x - entry start x)) (fun x => k m x * entry
      (state_after m) x + (-1) * (k m x * entry start x))) by (intros; ring).
  rewrite total_plus, total_scale; ring.
- specialize (answered_by i small).
  set (w := answer (s i) (state_after i)).
  assert (dyadic_value w = b i * (val n ss i - dot i (entry (state_after i)))) as says.
    unfold w; rewrite (answer_value n); [reflexivity|apply widths, small|apply state_length; lia].
  assert (own_values t i + total (seq 0 n) (fun x => - (reading_keys t i x * copied t x)) = dyadic_value w) as sum.
    rewrite says, (proj1 (own_exact i small)).
    transitivity (b i * (val n ss i - dot i (entry start) - total (seq 0 n) (fun x => k i x * (entry (state_after i) x -
        entry start x)))).
      rewrite answered_by.
      rewrite (total_ext (seq 0 (S i)) (fun j => T i j * (b j * (val n ss j - dot j (entry start)))) (fun j =>
          T i j * (b j * val n ss j) + (-1) * total (seq 0 n) (fun x => T i j * (b j * k j x) * entry start x))).
        rewrite total_plus, total_scale; f_equal; rewrite total_exchange, <- total_scale.
        apply total_ext; intros x isin; apply in_seq in isin.
        rewrite copied_exact, (proj1 (reading_exact i x small ltac:(lia))) by lia.
        rewrite (total_ext (seq 0 (S i)) (fun j => T i j * (b j * k j x) * entry start x) (fun j => entry start x *
            (T i j * (b j * k j x)))) by (intros; ring).
        rewrite total_scale; ring.
      intros j _; unfold dot.
      rewrite (total_ext (seq 0 n) (fun x => T i j * (b j * k j x) * entry start x) (fun x => T i j * b j * (k j x *
          entry start x))) by (intros; ring).
      rewrite total_scale; ring.
    unfold dot; rewrite (total_ext _ (fun x => k i x * (entry (state_after i) x - entry start x)) (fun x => k i x *
        entry (state_after i) x + (-1) * (k i x * entry start x))) by (intros; ring).
    rewrite total_plus, total_scale; ring.
  destruct (stored_in_facts F news w formatF) as [held boxed]; [apply checks| |].
    apply (answers_listed _ _ _ _ _ walk); [exact small|apply state_listed; lia].
  assert (new_values t i = dyadic_value w) as e.
    { rewrite <- sum; change (own_values t i + total (seq 0 n) (fun x => - (reading_keys t i x * copied t x))) with
        (Rsum ([own_values t i] ++ map (fun x => - (reading_keys t i x * copied t x)) (seq 0 n))).
    apply (stored_fits F 1 (bound_of owns) (Z.of_nat n) (product_bound (bound_of readings) (bound_of states))).
    + apply checks.
    + simpl; lia.
    + rewrite map_length, seq_length; lia.
    + constructor; [apply own_exact, small|constructor].
    + apply Forall_map, Forall_forall; intros x isin; apply in_seq in isin; apply box_opp, box_product.
        apply reading_exact; lia.
      rewrite copied_exact by lia; exact (proj2 (state_facts 0%nat x ltac:(lia) ltac:(lia))).
    + change (Rsum ([own_values t i] ++ map (fun x => - (reading_keys t i x * copied t x)) (seq 0 n))) with
        (own_values t i + total (seq 0 n) (fun x => - (reading_keys t i x * copied t x))); rewrite sum; exact held.
    + destruct run as (_ & _ & _ & _ & _ & _ & _ & st); apply st; exact small. }
  rewrite e; split; [exact says|exact boxed].
Qed.

Lemma state_sum m x : (m <= C)%nat -> (x < n)%nat ->
  entry start x + total (seq 0 m) (fun i => k i x * new_values t i) = entry (state_after m) x.
Proof.
intros le inside; induction m as [|m IH]; [unfold total, Rsum, state_after; simpl; ring|].
rewrite total_last, state_next, <- IH by lia; simpl; rewrite (proj1 (new_exact m ltac:(lia))); ring.
Qed.

Lemma next_state_exact x x' : (x < n)%nat ->
  stored F (nth x h 0 :: map (fun i => k i x * new_values t i) (seq 0 C)) x' -> x' = entry (state_after C) x.
Proof.
intros inside st; rewrite <- (state_sum C x (le_n _) inside).
assert (nth x h 0 = entry start x) as hx by (rewrite start_value; reflexivity); rewrite hx in st.
change (entry start x + total (seq 0 C) (fun i => k i x * new_values t i)) with
    (Rsum ([entry start x] ++ map (fun i => k i x * new_values t i) (seq 0 C))).
apply (stored_fits F (Z.max 1 (Z.of_nat n)) (bound_of states) (Z.of_N most) (product_bound (bound_of keys)
    (bound_of news))).
- apply checks.
- simpl; lia.
- rewrite map_length, seq_length; lia.
- constructor; [exact (proj2 (state_facts 0%nat x ltac:(lia) inside))|constructor].
- apply Forall_map, Forall_forall; intros i isin; apply in_seq in isin; apply box_product; [apply key_facts; lia|].
  apply new_exact; lia.
- change (Rsum ([entry start x] ++ map (fun i => k i x * new_values t i) (seq 0 C))) with
    (entry start x + total (seq 0 C) (fun i => k i x * new_values t i)); rewrite state_sum by (try exact inside; lia).
  exact (proj1 (state_facts C x (le_n _) inside)).
- exact st.
Qed.

Lemma output_exact y attention o : (y < n)%nat ->
    (forall j, (j < C)%nat -> stored F (map (fun x => query y x * k j x) (seq 0 n)) (attention j)) ->
    stored F (map (fun x => query y x * copied t x) (seq 0 n) ++ map (fun j => attention j * new_values t j) (seq 0 C))
      o ->
  o = entry (state_after C) y.
Proof.
intros inside attends st.
assert (forall x, query y x = 0 \/ query y x = 1) as zero_or by (intros x; unfold query; destruct (Nat.eqb y x); auto).
assert (forall j, (j < C)%nat -> attention j = k j y) as attended.
  { intros j small; specialize (attends j small).
  assert (Rsum (map (fun x => query y x * k j x) (seq 0 n)) = k j y) as sum by (apply (total_unit n y (k j)), inside).
  rewrite <- sum; apply (stored_fits_one F (Z.of_nat n) (bound_of keys)).
  - apply checks.
  - rewrite map_length, seq_length; lia.
  - apply Forall_map, Forall_forall; intros x isin; apply in_seq in isin; apply box_zero_or; [|auto].
    apply key_facts; lia.
  - rewrite sum; apply key_facts; assumption.
  - exact attends. }
assert (Rsum (map (fun x => query y x * copied t x) (seq 0 n) ++ map (fun j => attention j * new_values t j) (seq 0 C))
    = entry (state_after C) y) as sum.
  rewrite <- (state_sum C y (le_n _) inside).
  assert (forall l l', Rsum (l ++ l') = Rsum l + Rsum l') as apart.
    intros l l'; unfold Rsum; induction l as [|x l IH]; simpl; [ring|rewrite IH; ring].
  rewrite apart; f_equal.
    change (total (seq 0 n) (fun x => query y x * copied t x) = entry start y).
    rewrite total_unit by exact inside; apply copied_exact, inside.
  apply total_ext; intros j isin; apply in_seq in isin; rewrite attended by lia; reflexivity.
rewrite <- sum; apply (stored_fits F (Z.max 1 (Z.of_nat n)) (bound_of states) (Z.of_N most) (product_bound (bound_of
    keys) (bound_of news))).
- apply checks.
- rewrite map_length, seq_length; lia.
- rewrite map_length, seq_length; lia.
- apply Forall_map, Forall_forall; intros x isin; apply in_seq in isin; apply box_zero_or; [|auto].
  rewrite copied_exact by lia; exact (proj2 (state_facts 0%nat x ltac:(lia) ltac:(lia))).
- apply Forall_map, Forall_forall; intros j isin; apply in_seq in isin; apply box_product; [|apply new_exact; lia].
  rewrite attended by lia; apply key_facts; lia.
- rewrite sum; exact (proj1 (state_facts C y (le_n _) inside)).
- exact st.
Qed.

End Chunk.

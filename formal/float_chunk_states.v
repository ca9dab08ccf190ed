(** * The states of a chunk are exact, in any order of sums

    The keys that read the state, the chunk's own values, its new values, the next state and the outputs are those of
    exact arithmetic: [reading_exact], [own_exact], [new_exact], [next_state_exact] and [output_exact].
    Local definitions: [unit_moved], [from_zero] and [state_after], what the micro-steps make of a unit vector, of 0 and
    of the start.
    The theorems rest on the axioms of the classical reals. *)

From Coq Require Import ZArith NArith Reals List Bool SpecFloat FMapPositive Lia Lra Permutation.
From Flocq Require Import Core.
From lemmata Require Import checker checker_sound float_closure stored_network stored stored_sound sums chunk_sums.
From lemmata Require Import float float_sums float_bounds float_chunks float_chunk_inverse.
Import ListNotations.

Local Open Scope R_scope.
Local Notation two := radix2.

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
Let steps := map step_of arrows.
Let keys := flat_map (@key_vector _) steps.
Let scaled := flat_map scaled_key steps.
Let values_scaled := map (fun t => dyadic_product (strength t) (value t)) steps.
Let inverses := (1, 0)%Z :: answers (map without_value arrows) (of_keys sets).
Let readings := answers (map without_value arrows) (of_units sets).
Let owns := answers arrows (of_zero sets).
Let news := answers arrows (of_start sets).
Let states := flat_map snd (all_located (of_start sets)).

Variables (h : list R) (start : list dyadic) (t : tensors).
Hypothesis start_listed : In (pl 0%nat, start) (all_located (of_start sets)).
Hypothesis start_value : h = values start.
Hypothesis run : computed F n ss h t.

Let b := beta n ss.
Let k := key n ss.
Let dot (i : nat) (f : nat -> R) : R := total (seq 0 n) (fun x => k i x * f x).
Let T := inverse t.
(** What float_chunk_inverse.v proves of this chunk. *)

Local Notation checks := (checks most F L arrows sets ok).

Let silent_walk : walks (map without_value arrows) silent C pl.
Proof. exact (silent_walk L arrows ss pl walk). Qed.

Let widths i : (i < C)%nat -> length (key_vector (s i)) = n.
Proof. exact (widths most F L arrows sets ok ss pl walk i). Qed.

Let key_entry i x : key n ss i x = entry (key_vector (s i)) x.
Proof. reflexivity. Qed.

Let key_facts i x : (i < C)%nat -> (x < n)%nat -> holds F (k i x) /\ box (bound_of keys) (k i x).
Proof. exact (key_facts most F L arrows sets formatF ok ss pl walk i x). Qed.

Let scaled_exact i x : (i < C)%nat -> (x < n)%nat -> scaled_keys t i x = b i * k i x /\
  holds F (b i * k i x) /\ box (bound_of scaled) (b i * k i x).
Proof. exact (scaled_exact most F L arrows sets formatF ok ss pl short walk h t run i x). Qed.

Let values_exact i : (i < C)%nat -> scaled_values t i = b i * val n ss i /\
  box (bound_of values_scaled) (b i * val n ss i).
Proof. exact (values_exact most F L arrows sets formatF ok ss pl short walk h t run i). Qed.

Let silent_answer i x : (i < C)%nat -> length x = n ->
  dyadic_value (answer (silent i) x) = b i * (0 - dot i (entry x)).
Proof. exact (silent_answer most F L arrows sets ok ss pl walk i x). Qed.

Let inverse_diagonal i : (i < C)%nat -> T i i = 1.
Proof. exact (inverse_diagonal most F L arrows sets formatF ok ss pl short walk h t run i). Qed.

Let inverse_below i j : (j < i < C)%nat -> T i j = b i * (0 - dot i (moved_key k T j i)).
Proof. exact (inverse_below most F L arrows sets formatF ok ss pl short walk h t run i j). Qed.

Let inverse_boxed i j : (j <= i < C)%nat -> box (bound_of inverses) (T i j).
Proof. exact (inverse_boxed most F L arrows sets formatF ok ss pl short walk h t run i j). Qed.

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

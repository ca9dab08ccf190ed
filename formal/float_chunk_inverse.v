(** * The triangular inverse of a chunk is exact, in any order of sums and however its blocks are merged

    [checks] says what the criterion asks of each tensor. By it the scaled keys and values, A and (I + A)^-1 are those
    of exact arithmetic: [scaled_exact], [values_exact], [gram_exact], [inverse_diagonal] and [inverse_below]. What key
    j has become before micro-step i is read by key i, so the entries are among the answers of finitely many vectors.
    Local definitions: [silent], micro-steps without values; [moved] and [dropped], keys after some of them; [answered]
    and [ideal], the entries.
    The theorems rest on the axioms of the classical reals. *)

From Coq Require Import ZArith NArith Reals List Bool SpecFloat FMapPositive Lia Lra Permutation.
From Flocq Require Import Core.
From lemmata Require Import checker checker_sound float_closure stored_network stored stored_sound sums chunk_sums.
From lemmata Require Import float float_sums float_bounds float_chunks.
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

End Chunk.

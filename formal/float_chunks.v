(** * A chunk of micro-steps: what it computes, and the vectors that bound it

    Definitions: [step_at], [key], [beta] and [val], the micro-steps of a chunk; [tensors], what it stores;
        [multiplied], A; [merged] and [inverted], the triangular inverse by merging blocks, of which forward
        substitution is an instance; [computed], the tensors in the WY form; [chunk], the state after it; [read], an
        entry of the state by a unit query; [entry], an entry of a vector; [walks], the places that micro-steps go
        through; [along], what they do one after the other in exact arithmetic.
    That a chunk is exact where the criterion says so is in float_chunk_inverse.v and float_chunk_states.v.
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

(** * Sums within bounds, and the recurrence that a triangular inverse solves

    Definitions: [stored], a sum taken in binary32 in any order and then rounded to a format in any way; [box], the real
        numbers within a bound; [total], a finite sum; [query], a unit vector; [moved_key], a key moved by micro-steps.
    The theorems rest on the axioms of the classical reals. *)

From Coq Require Import ZArith NArith Reals List Bool SpecFloat FMapPositive Lia Lra Permutation.
From Flocq Require Import Core.
From lemmata Require Import checker checker_sound float_closure stored_network stored stored_sound sums chunk_sums.
From lemmata Require Import float float_sums.
Import ListNotations.

Local Open Scope R_scope.
Local Notation two := radix2.

Definition stored (F : format) (l : list R) (x : R) : Prop :=
  exists y f, any_sum binary32 l y /\ keeps F f /\ x = f y.

(** ** Sums within bounds *)

Definition Rsum (l : list R) : R := fold_right Rplus 0 l.

Definition box (b : bound) (x : R) : Prop := exists m, x = times (fst b) m /\ (Z.abs m <= snd b)%Z.

Lemma in_bound_box b d : in_bound b d = true -> box b (dyadic_value d).
Proof.
unfold in_bound; rewrite andb_true_iff, Z.leb_le; intros [multiple small].
exists (signed (fst b) d); split; [apply multiple_value, multiple|].
pose proof (magnitude_ge0 (fst b) d); unfold signed; destruct (fst d); cbn [Z.sgn]; lia.
Qed.

Lemma box_product b b' x y : box b x -> box b' y -> box (product_bound b b') (x * y).
Proof.
intros (m & -> & small) (m' & -> & small'); exists (m * m')%Z; split.
  unfold times; simpl; rewrite mult_IZR, bpow_plus; ring.
simpl; rewrite Z.abs_mul; apply Z.mul_le_mono_nonneg; lia.
Qed.

Lemma box_opp b x : box b x -> box b (- x).
Proof. intros (m & -> & small); exists (- m)%Z; split; [unfold times; rewrite opp_IZR; ring|lia]. Qed.

Lemma box_zero_or b x a : box b x -> (a = 0 \/ a = 1) -> box b (a * x).
Proof.
intros (m & -> & small) [-> | ->]; [exists 0%Z|exists m]; unfold times; split; try ring; [lia|exact small].
Qed.

Lemma finer_ge0 g b : (0 <= finer g b)%Z.
Proof.
unfold finer; destruct (Z.eqb_spec (snd b) 0); [lia|]; apply Z.mul_nonneg_nonneg; [lia|apply Z.pow_nonneg; lia].
Qed.

Lemma cost_next a s f k : (a <= f)%Z -> (s <= Z.of_nat k * f)%Z -> (a + s <= Z.of_nat (S k) * f)%Z.
Proof. rewrite Nat2Z.inj_succ; lia. Qed.

Lemma boxes_cost g b l : (snd b = 0 \/ g <= fst b)%Z -> Forall (box b) l ->
  exists ns, l = map (times g) ns /\ (Zsum_abs ns <= Z.of_nat (length l) * finer g b)%Z.
Proof.
intros coarse; induction 1 as [|x l (m & -> & small) _ (ns & -> & cost)]; [exists []; split; [reflexivity|simpl; lia]|].
destruct (Z.eqb_spec (snd b) 0) as [zero|some].
  exists (0%Z :: ns); rewrite zero in small; replace m with 0%Z by lia; split; [simpl; f_equal; unfold times; ring|].
  apply cost_next; [apply (finer_ge0 g b)|exact cost].
destruct coarse as [|coarse]; [contradiction|].
exists ((m * 2 ^ (fst b - g))%Z :: ns); split.
  simpl; f_equal; unfold times; rewrite mult_IZR; replace (IZR (2 ^ (fst b - g))) with (bpow two (fst b - g)).
    rewrite Rmult_assoc, <- bpow_plus; f_equal; f_equal; ring.
  rewrite <- IZR_Zpower by lia; reflexivity.
assert (Z.abs (m * 2 ^ (fst b - g)) <= finer g b)%Z.
  unfold finer; destruct (Z.eqb_spec (snd b) 0); [lia|]; rewrite Z.abs_mul.
  assert (0 <= 2 ^ (fst b - g))%Z by (apply Z.pow_nonneg; lia).
  rewrite (Z.abs_eq (2 ^ _)) by assumption; apply Z.mul_le_mono_nonneg_r; lia.
apply cost_next; [assumption|exact cost].
Qed.

Lemma Rsum_times g ns : Rsum (map (times g) ns) = times g (Zsum ns).
Proof.
unfold Rsum, Zsum; induction ns as [|m ns IH]; simpl; [unfold times; ring|].
rewrite IH; unfold times; rewrite plus_IZR; ring.
Qed.

Lemma sums_that_fit many b others b' l l' x : sums_fit many b others b' = true ->
    (Z.of_nat (length l) <= many)%Z -> (Z.of_nat (length l') <= others)%Z -> Forall (box b) l -> Forall (box b') l' ->
  any_sum binary32 (l ++ l') x -> x = Rsum (l ++ l').
Proof.
unfold sums_fit; rewrite !andb_true_iff, !Z.leb_le, Z.ltb_lt; intros [[fine small] below] ll ll' boxes boxes' sum.
set (g := common b b') in *.
assert ((snd b = 0 \/ g <= fst b) /\ (snd b' = 0 \/ g <= fst b'))%Z as [coarse coarse'].
  unfold g, common; destruct (Z.eqb_spec (snd b) 0), (Z.eqb_spec (snd b') 0); lia.
destruct (boxes_cost _ _ _ coarse boxes) as (ns & -> & cost), (boxes_cost _ _ _ coarse' boxes') as (ns' & -> & cost').
rewrite map_length in ll, ll', cost, cost'; pose proof (finer_ge0 g b); pose proof (finer_ge0 g b').
assert (Zsum_abs (ns ++ ns') <= many * finer g b + others * finer g b')%Z by (rewrite Zsum_abs_app; nia).
rewrite <- map_app, Rsum_times in *.
apply (any_sum_exact binary32 g format32 fine _ _ sum _ eq_refl); lia.
Qed.

Lemma stored_fits F many b others b' l l' x : sums_fit many b others b' = true ->
    (Z.of_nat (length l) <= many)%Z -> (Z.of_nat (length l') <= others)%Z -> Forall (box b) l -> Forall (box b') l' ->
  holds F (Rsum (l ++ l')) -> stored F (l ++ l') x -> x = Rsum (l ++ l').
Proof.
intros fit ll ll' boxes boxes' held (y & f & sum & keep & ->).
rewrite (sums_that_fit _ _ _ _ _ _ _ fit ll ll' boxes boxes' sum); apply keep, held.
Qed.

Lemma stored_fits_one F many b l x : sums_fit many b 0 nothing = true -> (Z.of_nat (length l) <= many)%Z ->
    Forall (box b) l -> holds F (Rsum l) -> stored F l x -> x = Rsum l.
Proof.
intros fit ll boxes held st; rewrite <- (app_nil_r l) in *; apply (stored_fits F many b 0 nothing); auto.
  rewrite app_nil_r in ll; exact ll.
  simpl; lia.
rewrite app_nil_r in boxes; exact boxes.
Qed.

Lemma sums_that_fit_one many b l x : sums_fit many b 0 nothing = true -> (Z.of_nat (length l) <= many)%Z ->
    Forall (box b) l -> any_sum binary32 l x -> x = Rsum l.
Proof.
intros fit ll boxes sum; rewrite <- (app_nil_r l) in *; apply (sums_that_fit many b 0 nothing); auto.
  rewrite app_nil_r in ll; exact ll.
  simpl; lia.
rewrite app_nil_r in boxes; exact boxes.
Qed.

Lemma holds_opp F x : holds F x -> holds F (- x).
Proof. intros [gen small]; split; [apply generic_format_opp, gen|rewrite Rabs_Ropp; exact small]. Qed.

(** ** Finite sums *)

Definition total (l : list nat) (f : nat -> R) : R := Rsum (map f l).

Lemma total_ext l f g : (forall x, In x l -> f x = g x) -> total l f = total l g.
Proof. intros same; unfold total; f_equal; apply map_ext_in, same. Qed.

Lemma total_plus l f g : total l (fun x => f x + g x) = total l f + total l g.
Proof. unfold total, Rsum; induction l as [|x l IH]; simpl; [ring|rewrite IH; ring]. Qed.

Lemma total_scale l a f : total l (fun x => a * f x) = a * total l f.
Proof. unfold total, Rsum; induction l as [|x l IH]; simpl; [ring|rewrite IH; ring]. Qed.

Lemma total_zero l : total l (fun _ => 0) = 0.
Proof. unfold total, Rsum; induction l as [|x l IH]; simpl; [reflexivity|rewrite IH; ring]. Qed.

Lemma total_exchange l m f : total l (fun i => total m (f i)) = total m (fun j => total l (fun i => f i j)).
Proof.
induction l as [|i l IH]; [symmetry; apply total_zero|].
change (total (i :: l) (fun i => total m (f i))) with (total m (f i) + total l (fun i => total m (f i))).
rewrite IH, <- total_plus; reflexivity.
Qed.

Lemma total_last j m f : total (seq j (S m)) f = total (seq j m) f + f (j + m)%nat.
Proof.
rewrite seq_S; unfold total, Rsum; rewrite map_app; simpl; induction (map f (seq j m)) as [|x l IH]; simpl; [ring|].
rewrite IH; ring.
Qed.

Lemma total_shift a j m f : total (seq (a + j) m) f = total (seq j m) (fun l => f (a + l)%nat).
Proof.
induction m as [|m IH]; [reflexivity|]; rewrite !total_last, IH, Nat.add_assoc; reflexivity.
Qed.

(** The unit query e_y. *)
Definition query (y x : nat) : R := if Nat.eqb y x then 1 else 0.

Lemma total_unit n x f : (x < n)%nat -> total (seq 0 n) (fun y => query x y * f y) = f x.
Proof.
induction n as [|n IH]; intros small; [lia|]; rewrite total_last; simpl; unfold query at 2.
destruct (Nat.eqb_spec x n) as [e|ne].
  subst x; rewrite (total_ext _ _ (fun _ => 0)); [rewrite total_zero; ring|].
  intros y isin; apply in_seq in isin; unfold query; destruct (Nat.eqb_spec n y); [lia|ring].
rewrite IH by lia; ring.
Qed.

(** ** The triangular inverse solves the recurrence *)

Section Recurrence.

Variables (n C : nat) (k : nat -> nat -> R) (b : nat -> R) (T : nat -> nat -> R).

Let dot (i : nat) (f : nat -> R) : R := total (seq 0 n) (fun x => k i x * f x).

(** Key j, moved by the micro-steps from j + 1 to i - 1. *)
Definition moved_key (j i x : nat) : R := total (seq j (i - j)) (fun l => T l j * k l x).

Hypothesis diagonal : forall i, (i < C)%nat -> T i i = 1.
Hypothesis below : forall i j, (j < i < C)%nat -> T i j = b i * (0 - dot i (moved_key j i)).

Lemma moved_key_next j i x : (j <= i)%nat -> moved_key j (S i) x = moved_key j i x + T i j * k i x.
Proof.
intros le; unfold moved_key; rewrite Nat.sub_succ_l, total_last by exact le; repeat f_equal; lia.
Qed.

Lemma substituted (c : nat -> R) (z : nat -> nat -> R) : (forall x, (x < n)%nat -> z 0%nat x = 0) ->
    (forall i x, (i < C)%nat -> (x < n)%nat -> z (S i) x = z i x + k i x * (b i * (c i - dot i (z i)))) ->
  (forall i x, (i <= C)%nat -> (x < n)%nat -> z i x = total (seq 0 i) (fun j => b j * c j * moved_key j i x)) /\
  (forall i, (i < C)%nat -> b i * (c i - dot i (z i)) = total (seq 0 (S i)) (fun j => T i j * (b j * c j))).
Proof.
intros first next.
assert (forall i, (i < C)%nat -> (forall x, (x < n)%nat -> z i x = total (seq 0 i) (fun j =>
    b j * c j * moved_key j i x)) -> b i * (c i - dot i (z i)) = total (seq 0 (S i)) (fun j => T i j * (b j * c j)))
    as answered.
  intros i small sums; rewrite total_last, diagonal by lia; simpl.
  rewrite (total_ext _ (fun j => T i j * (b j * c j)) (fun j => b i * ((-1) * (b j * c j * dot i (moved_key j i))))).
    rewrite total_scale, total_scale.
    replace (total (seq 0 i) (fun j => b j * c j * dot i (moved_key j i))) with (dot i (z i)); [ring|].
    unfold dot at 1; rewrite (total_ext _ _ (fun x => total (seq 0 i) (fun j => b j * c j * (k i x *
        moved_key j i x)))).
      rewrite total_exchange; apply total_ext; intros j _; rewrite total_scale; reflexivity.
    intros x isin; apply in_seq in isin; rewrite sums, <- total_scale by lia; apply total_ext; intros; ring.
  intros j isin; apply in_seq in isin; rewrite below by lia; ring.
assert (forall i x, (i <= C)%nat -> (x < n)%nat -> z i x = total (seq 0 i) (fun j => b j * c j * moved_key j i x)) as
    sums.
  induction i as [|i IH]; intros x small inside; [rewrite first by exact inside; reflexivity|].
  rewrite next, answered by (try lia; intros; apply IH; lia); rewrite IH by lia; rewrite !total_last, diagonal by lia.
  simpl; rewrite (total_ext _ (fun j => b j * c j * moved_key j (S i) x) (fun j => b j * c j * moved_key j i x +
      k i x * (T i j * (b j * c j)))).
    rewrite total_plus, total_scale.
    assert (moved_key i (S i) x = k i x) as ->.
      rewrite moved_key_next by lia; unfold moved_key; rewrite Nat.sub_diag, diagonal by lia; unfold total, Rsum;
          simpl; ring.
    ring.
  intros j isin; apply in_seq in isin; rewrite moved_key_next by lia; ring.
split; [exact sums|]; intros i small; apply answered; [exact small|]; intros x inside; apply sums; lia.
Qed.

End Recurrence.

Section Blocks.

Variables (n C : nat) (k : nat -> nat -> R) (b : nat -> R) (T : nat -> nat -> R).

Let dot (i : nat) (f : nat -> R) : R := total (seq 0 n) (fun x => k i x * f x).

Hypothesis diagonal : forall i, (i < C)%nat -> T i i = 1.
Hypothesis below : forall i j, (j < i < C)%nat -> T i j = b i * (0 - dot i (moved_key k T j i)).

(** The recurrence from micro-step a on. *)
Lemma substituted_from a (c : nat -> R) (z : nat -> nat -> R) : (forall x, (x < n)%nat -> z a x = 0) ->
    (forall i x, (a <= i < C)%nat -> (x < n)%nat -> z (S i) x = z i x + k i x * (b i * (c i - dot i (z i)))) ->
  forall i, (a <= i < C)%nat -> b i * (c i - dot i (z i)) = total (seq a (S i - a)) (fun l => T i l * (b l * c l)).
Proof.
intros first next i small; pose (i' := (i - a)%nat).
assert (i = (a + i')%nat) as e by (unfold i'; lia).
destruct (substituted n (C - a) (fun t => k (a + t)%nat) (fun t => b (a + t)%nat) (fun t l =>
    T (a + t)%nat (a + l)%nat)) with (c := fun t => c (a + t)%nat) (z := fun t => z (a + t)%nat) as [_ answered].
- intros t le; apply diagonal; lia.
- intros t l le; rewrite below by lia; unfold dot; do 2 f_equal; apply total_ext; intros x _; f_equal.
  unfold moved_key; rewrite total_shift; do 2 f_equal; lia.
- intros x inside; rewrite Nat.add_0_r; apply first, inside.
- intros t x le inside; rewrite Nat.add_succ_r; apply next; [lia|exact inside].
- specialize (answered i' ltac:(lia)); cbv beta in answered; rewrite <- e in answered.
  unfold dot; rewrite answered; replace (S i - a)%nat with (S i') by lia.
  pose proof (total_shift a 0 (S i') (fun l => T i l * (b l * c l))) as shifted; rewrite Nat.add_0_r in shifted.
  rewrite shifted; reflexivity.
Qed.

(** Blocks of the inverse: T22 (A21 T11), and (T22 A21) T11. *)
Lemma merged_lower i j mid : (j < mid <= i)%nat -> (i < C)%nat ->
  total (seq mid (S i - mid)) (fun l => - (T i l * (b l * dot l (moved_key k T j mid)))) = T i j.
Proof.
intros between small.
pose proof (substituted_from mid (fun l => - dot l (moved_key k T j mid)) (fun t x => moved_key k T j t x -
    moved_key k T j mid x)) as rows.
assert (forall t, dot t (fun x => moved_key k T j t x - moved_key k T j mid x) = dot t (moved_key k T j t) -
    dot t (moved_key k T j mid)) as apart.
  intros t; unfold dot; rewrite (total_ext _ _ (fun x => k t x * moved_key k T j t x + (-1) * (k t x * moved_key k T j
      mid x))) by (intros; ring).
  rewrite total_plus, total_scale; ring.
rewrite below by lia.
rewrite (total_ext _ _ (fun l => T i l * (b l * - dot l (moved_key k T j mid)))) by (intros; ring).
rewrite <- rows; [rewrite apart; ring|intros; ring| |lia].
intros t x le inside; rewrite apart, moved_key_next by lia; rewrite (below t j) by lia; ring.
Qed.

Lemma merged_upper i j mid : (j < mid <= i)%nat -> (i < C)%nat ->
  total (seq j (mid - j)) (fun r => - (total (seq mid (S i - mid)) (fun l => T i l * (b l * dot l (k r))) * T r j)) =
    T i j.
Proof.
intros between small; rewrite <- (merged_lower i j mid between small).
rewrite (total_ext _ _ (fun r => total (seq mid (S i - mid)) (fun l => (- (T i l * b l)) * (dot l (k r) * T r j)))).
  rewrite total_exchange; apply total_ext; intros l _; rewrite total_scale.
  replace (total (seq j (mid - j)) (fun r => dot l (k r) * T r j)) with (dot l (moved_key k T j mid)); [ring|].
  unfold dot at 1, moved_key; rewrite (total_ext _ _ (fun x => total (seq j (mid - j)) (fun r => k l x *
      (T r j * k r x)))) by (intros x _; symmetry; apply total_scale).
  rewrite total_exchange; apply total_ext; intros r _; unfold dot.
  rewrite (total_ext _ _ (fun x => T r j * (k l x * k r x))) by (intros; ring); rewrite total_scale; ring.
intros r _; rewrite (total_ext (seq mid (S i - mid)) (fun l => - (T i l * b l) * (dot l (k r) * T r j)) (fun l =>
    (- T r j) * (T i l * (b l * dot l (k r))))) by (intros; ring).
rewrite total_scale; ring.
Qed.

End Blocks.

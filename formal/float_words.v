(** * Words in chunks: what is read after each letter is what the letters do one after the other

    Definitions: [written], the micro-steps of a word; [border], the states at the borders of chunks of any lengths;
        [output], what is read; [chunked_letter], the state after a letter; [exact_step], a micro-step on real numbers;
    [word_run], a word. The theorems rest on the axioms of the classical reals. *)

From Coq Require Import ZArith NArith Reals List Bool SpecFloat FMapPositive Lia Lra Permutation.
From Flocq Require Import Core.
From lemmata Require Import checker checker_sound float_closure stored_network stored stored_sound sums chunk_sums.
From lemmata Require Import float float_sums float_bounds float_chunks float_chunk_inverse float_chunk_states.
Import ListNotations.

Local Open Scope R_scope.
Local Notation two := radix2.

Section Words.

Variables (most : N) (F : format) (L : stored_layer dyadic).

Let n := length (first_state L).

(** The micro-steps of a word, with idle ones before and after each letter. *)
Inductive written : list N -> list (micro_step dyadic) -> Prop :=
  | written_first k : written [] (repeat (idle n) k)
  | written_letter w ss f m steps k : written w ss -> at_ (transitions L) f = Some m -> micro_steps m = Some steps ->
      written (w ++ [f]) ((ss ++ steps) ++ repeat (idle n) k).

(** The state at a border of chunks, after these micro-steps. *)
Inductive border : list (micro_step dyadic) -> list R -> Prop :=
  | border_first : border [] (values (first_state L))
  | border_next before ss h h' : border before h -> (length ss <= N.to_nat most)%nat -> chunk F n ss h h' ->
      border (before ++ ss) h'.

(** An entry of the state that is read after these micro-steps: what follows them in a chunk does not matter. *)
Definition output (ss : list (micro_step dyadic)) (y : nat) (o : R) : Prop := exists before last h,
  ss = before ++ last /\ border before h /\ (length last <= N.to_nat most)%nat /\ read F n last h y o.

(** The entries may be read one after the other, in idle micro-steps. *)
Definition chunked_letter (w : list N) (h : list R) : Prop := length h = n /\
  forall y, (y < n)%nat -> exists ss, written w ss /\ output ss y (nth y h 0).

End Words.

(** ** Micro-steps one after the other, on real numbers *)

Definition exact_step (n : nat) (h : list R) (s : micro_step dyadic) : list R :=
  map (fun x => nth x h 0 + entry (key_vector s) x * (dyadic_value (strength s) * (dyadic_value (value s) -
    total (seq 0 n) (fun z => entry (key_vector s) z * nth z h 0)))) (seq 0 n).

(** The state after a word, letter by letter. *)
Definition word_run (L : stored_layer dyadic) (w : list N) (h : list R) : list R :=
  fold_left (fun h f => match at_ (transitions L) f with
    | Some m => match micro_steps m with
      | Some ss => fold_left (exact_step (length (first_state L))) ss h
      | None => h
      end
    | None => h
    end) w h.

Lemma entries_equal n (u v : list R) : length u = n -> length v = n ->
  (forall x, (x < n)%nat -> nth x u 0 = nth x v 0) -> u = v.
Proof. intros lu lv same; apply (nth_ext u v 0 0); [congruence|]; rewrite lu; exact same. Qed.

Lemma nth_map_seq (f : nat -> R) n x : (x < n)%nat -> nth x (map f (seq 0 n)) 0 = f x.
Proof.
intros small; rewrite (nth_indep _ _ (f 0%nat)) by (rewrite map_length, seq_length; exact small).
rewrite map_nth, seq_nth by exact small; reflexivity.
Qed.

Lemma exact_step_length n h s : length (exact_step n h s) = n.
Proof. unfold exact_step; rewrite map_length, seq_length; reflexivity. Qed.

Lemma exact_steps_length n ss : forall h, length h = n -> length (fold_left (exact_step n) ss h) = n.
Proof. induction ss as [|s ss IH]; intros h lh; [exact lh|]; apply IH, exact_step_length. Qed.

Lemma micro_values n s x : length (key_vector s) = n -> length x = n ->
  values (micro_by s x) = exact_step n (values x) s.
Proof.
intros lk lx; apply (entries_equal n); [unfold values; rewrite map_length; apply micro_length; assumption|apply
    exact_step_length|].
intros y small; unfold exact_step; rewrite nth_map_seq by exact small; fold (entry (micro_by s x) y).
rewrite (micro_entry n), (answer_value n) by assumption; reflexivity.
Qed.

Lemma micros_values n ss : forall x, (forall s, In s ss -> length (key_vector s) = n) -> length x = n ->
  values (fold_left (fun x s => micro_by s x) ss x) = fold_left (exact_step n) ss (values x).
Proof.
induction ss as [|s ss IH]; intros x lens lx; [reflexivity|]; simpl.
assert (length (key_vector s) = n) as lk by (apply lens; left; reflexivity).
rewrite IH, (micro_values n); auto; [intros r isin; apply lens; right; exact isin|apply micro_length; assumption].
Qed.

Lemma idle_steps n k : forall h, length h = n -> fold_left (exact_step n) (repeat (idle n) k) h = h.
Proof.
induction k as [|k IH]; intros h lh; [reflexivity|]; simpl.
assert (exact_step n h (idle n) = h) as ->; [|apply IH, lh].
apply (entries_equal n); [apply exact_step_length|exact lh|]; intros x small; unfold exact_step.
rewrite nth_map_seq by exact small; unfold idle at 1; simpl; rewrite entry_value, nth_repeat.
replace (dyadic_value (0, 0)%Z) with 0 by (symmetry; apply F2R_0); ring.
Qed.

Lemma along_ext s s' x j j' m : (forall i, (i < m)%nat -> s (j + i)%nat = s' (j' + i)%nat) ->
  along s x j m = along s' x j' m.
Proof.
induction m as [|m IH]; intros same; [reflexivity|]; simpl; rewrite same, IH by (try lia; auto); reflexivity.
Qed.

Lemma along_further s x j m m' : along s x j (m + m') = along s (along s x j m) (j + m) m'.
Proof.
induction m' as [|m' IH]; [rewrite Nat.add_0_r; reflexivity|]; rewrite Nat.add_succ_r; simpl; rewrite IH, Nat.add_assoc;
    reflexivity.
Qed.

Lemma along_fold n ss x : along (step_at n ss) x 0 (length ss) = fold_left (fun x s => micro_by s x) ss x.
Proof.
induction ss as [|s ss IH] using rev_ind; [reflexivity|].
rewrite app_length, Nat.add_1_r, fold_left_app; simpl; rewrite <- IH.
unfold step_at at 1; rewrite app_nth2, Nat.sub_diag by lia; simpl; f_equal; apply along_ext; intros i small; simpl.
unfold step_at; rewrite app_nth1 by exact small; reflexivity.
Qed.

(** ** Words *)

Section Layers.

Variables (most : N) (F : format) (L : stored_layer dyadic) (arrows : list arrow) (sets : chunk_sets).
Hypothesis formatF : is_format F.
Hypothesis ok : forallb snd (chunk_checks most F L arrows sets) = true.
Hypothesis arrows_are : arrows_of L = Some arrows.

Let n := length (first_state L).

(** From place 0 back to place 0. *)
Definition round_trip (ss : list (micro_step dyadic)) : Prop := exists pl, pl 0%nat = 0%N /\ pl (length ss) = 0%N /\
  walks arrows (step_at n ss) (length ss) pl.

Lemma round_trips_add ss ss' : round_trip ss -> round_trip ss' -> round_trip (ss ++ ss').
Proof.
intros (pl & first & last & walk) (pl' & first' & last' & walk').
exists (fun i => if Nat.leb i (length ss) then pl i else pl' (i - length ss)%nat); repeat split.
- exact first.
- rewrite app_length; destruct (Nat.leb_spec (length ss + length ss') (length ss)) as [le|gt].
    replace (length ss + length ss')%nat with (length ss) by lia; exact last.
  replace (length ss + length ss' - length ss)%nat with (length ss') by lia; exact last'.
- intros i small; rewrite app_length in small; destruct (Nat.lt_ge_cases i (length ss)) as [lt|ge].
  { destruct (walk i lt) as (a & ina & e & es & et); exists a; repeat split; [exact ina| | |].
    + destruct (Nat.leb_spec i (length ss)); [exact e|lia].
    + rewrite es; unfold step_at; rewrite app_nth1 by exact lt; reflexivity.
    + destruct (Nat.leb_spec (S i) (length ss)); [exact et|lia]. }
  destruct (walk' (i - length ss)%nat) as (a & ina & e & es & et); [lia|]; exists a; repeat split; [exact ina| | |].
  + destruct (Nat.leb_spec i (length ss)) as [le|gt]; [|exact e].
    replace i with (length ss) in * by lia; rewrite Nat.sub_diag, first' in e; rewrite e, last; reflexivity.
  + rewrite es; unfold step_at; rewrite app_nth2 by exact ge; reflexivity.
  + destruct (Nat.leb_spec (S i) (length ss)) as [le|gt]; [lia|]; rewrite et; f_equal; lia.
Qed.

Lemma round_trip_none : round_trip [].
Proof. exists (fun _ => 0%N); repeat split; intros i small; simpl in small; lia. Qed.

Lemma round_trip_idle k : round_trip (repeat (idle n) k).
Proof.
induction k as [|k IH]; [exact round_trip_none|]; apply (round_trips_add [idle n]); [|exact IH].
exists (fun _ => 0%N); repeat split; intros i small; simpl in small; exists (0%N, idle n, 0%N).
unfold arrows_of in arrows_are; destruct (all_some _); [|discriminate]; injection arrows_are; intros <-.
repeat split; [left; reflexivity|]; unfold step_at, step_of; simpl; destruct i; [reflexivity|lia].
Qed.

Lemma arrows_along_walk ss : forall here new, ss <> [] -> exists pl, pl 0%nat = here /\ pl (length ss) = 0%N /\
  walks (arrows_along here new ss) (step_at n ss) (length ss) pl.
Proof.
induction ss as [|s ss IH]; intros here new some; [congruence|]; clear some.
destruct ss as [|s' ss].
  exists (fun i => match i with O => here | S _ => 0%N end); repeat split; intros i small; simpl in small.
  exists (here, s, 0%N); repeat split; [left; reflexivity|destruct i; [reflexivity|lia]..].
destruct (IH new (N.succ new)) as (pl & first & last & walk); [discriminate|].
exists (fun i => match i with O => here | S i' => pl i' end); repeat split; [exact last|].
intros [|i] small.
  exists (here, s, new); repeat split; [left; reflexivity|rewrite first; reflexivity].
destruct (walk i) as (a & ina & e & es & et); [simpl in *; lia|]; exists a.
repeat split; [right; exact ina|exact e| |exact et].
rewrite es; reflexivity.
Qed.

Lemma arrows_of_maps_include maps ss : In ss maps -> forall new, exists new', incl (arrows_along 0 new' ss)
    (arrows_of_maps new maps).
Proof.
induction maps as [|ss' maps IH]; intros isin new; [destruct isin|]; simpl; destruct isin as [->|isin].
  exists new; apply incl_appl, incl_refl.
destruct (IH isin (new + count ss')%N) as [new' sub]; exists new'; apply incl_appr, sub.
Qed.

Lemma round_trip_letter f m ss : at_ (transitions L) f = Some m -> micro_steps m = Some ss -> round_trip ss.
Proof.
intros at_f steps; destruct ss as [|s ss]; [exact round_trip_none|].
unfold arrows_of in arrows_are; destruct (all_some _) as [maps|] eqn:all; [|discriminate].
injection arrows_are as these.
assert (In (s :: ss) maps) as isin.
  apply all_some_forall in all; apply nth_error_In in at_f; apply (in_map (@micro_steps _)) in at_f.
  rewrite steps, all in at_f; apply in_map_iff in at_f as (ss' & e & isin); injection e; intros <-; exact isin.
destruct (arrows_of_maps_include _ _ isin 1) as [new sub].
destruct (arrows_along_walk (s :: ss) 0 new) as (pl & first & last & walk); [discriminate|].
exists pl; repeat split; [exact first|exact last|]; intros i small; destruct (walk i small) as (a & ina & rest).
exists a; split; [rewrite <- these; right; apply sub, ina|exact rest].
Qed.

Lemma written_trips w ss : written L w ss -> round_trip ss.
Proof.
induction 1 as [k|w ss f m steps k _ IH at_f are]; [apply round_trip_idle|].
apply round_trips_add; [|apply round_trip_idle]; apply round_trips_add; [exact IH|exact (round_trip_letter _ _ _ at_f
    are)].
Qed.

Let begin : list dyadic := map canonical (first_state L).

(** The state at a border is that of the micro-steps one after the other. *)
Lemma border_exact before h : border most F L before h -> forall all pl, (exists rest, all = before ++ rest) ->
    pl 0%nat = 0%N -> walks arrows (step_at n all) (length all) pl ->
  h = values (along (step_at n all) begin 0 (length before)) /\
  In (pl (length before), along (step_at n all) begin 0 (length before)) (all_located (of_start sets)).
Proof.
pose proof (proj1 (proj2 (proj2 (proj2 (proj1 (proj2 (checks most F L arrows sets ok))))))) as closed; fold n in closed.
induction 1 as [|before ss h h' _ IH short run]; intros all pl [rest e] zero walk.
  split; [symmetry; apply canonical_values|]; simpl; rewrite zero.
  apply (proj1 (proj2 (closed_facts _ _ _ _ closed))); left; reflexivity.
destruct (IH all pl) as [value listed]; [exists (ss ++ rest); rewrite e, app_assoc; reflexivity|exact zero|exact walk|].
assert (forall i, (i < length ss)%nat -> step_at n all (length before + i)%nat = step_at n ss i) as same.
  intros i small; unfold step_at; rewrite e, <- app_assoc, app_nth2, app_nth1 by lia; f_equal; lia.
assert (walks arrows (step_at n ss) (length ss) (fun i => pl (length before + i)%nat)) as walk'.
  intros i small; destruct (walk (length before + i)%nat) as (a & ina & ea & es & et).
    rewrite e, !app_length; lia.
  exists a; rewrite <- same, Nat.add_succ_r by exact small; auto.
assert (along (step_at n all) begin 0 (length (before ++ ss)) = along (step_at n ss) (along (step_at n all) begin 0
    (length before)) 0 (length ss)) as after_it.
  rewrite app_length, along_further; apply along_ext; intros i small; simpl; apply same, small.
destruct run as (t & done & lh & nexts).
assert (In (pl (length before + 0)%nat, along (step_at n all) begin 0 (length before)) (all_located (of_start sets))) as
    listed0 by (rewrite Nat.add_0_r; exact listed).
assert (In (pl (length (before ++ ss)), along (step_at n all) begin 0 (length (before ++ ss))) (all_located (of_start
    sets))) as listed'.
  rewrite after_it, app_length.
  exact (state_listed most F L arrows sets ok ss (fun i => pl (length before + i)%nat) walk' _ listed0 _ (le_n _)).
split; [|exact listed'].
apply (entries_equal n); [exact lh|unfold values; rewrite map_length; exact (proj1 (closed_facts _ _ _ _ closed) _
    listed')|].
intros x small; rewrite after_it.
apply (next_state_exact most F L arrows sets formatF ok ss (fun i => pl (length before + i)%nat) short walk' h _ t
  listed0 value done x _ small); apply nexts, small.
Qed.

Lemma output_is_exact ss y o : round_trip ss -> (y < n)%nat -> output most F L ss y o ->
  o = entry (along (step_at n ss) begin 0 (length ss)) y.
Proof.
intros (pl & zero & _ & walk) small (before & last & h & e & at_border & short & (t & attention & done & attends & st)).
destruct (border_exact before h at_border ss pl) as [value listed]; [exists last; exact e|exact zero|exact walk|].
assert (forall i, (i < length last)%nat -> step_at n ss (length before + i)%nat = step_at n last i) as same.
  intros i lt; unfold step_at; rewrite e, app_nth2 by lia; f_equal; lia.
assert (walks arrows (step_at n last) (length last) (fun i => pl (length before + i)%nat)) as walk'.
  intros i lt; destruct (walk (length before + i)%nat) as (a & ina & ea & es & et).
    rewrite e, app_length; lia.
  exists a; rewrite <- same, Nat.add_succ_r by exact lt; auto.
assert (along (step_at n ss) begin 0 (length ss) = along (step_at n last) (along (step_at n ss) begin 0
    (length before)) 0 (length last)) as ->.
  rewrite e at 2; rewrite app_length, along_further; apply along_ext; intros i lt; simpl; apply same, lt.
assert (In (pl (length before + 0)%nat, along (step_at n ss) begin 0 (length before)) (all_located (of_start sets))) as
    listed0 by (rewrite Nat.add_0_r; exact listed).
exact (output_exact most F L arrows sets formatF ok last (fun i => pl (length before + i)%nat) short walk' h _ t
  listed0 value done y attention o small attends st).
Qed.

Lemma steps_have_width f m steps s : at_ (transitions L) f = Some m -> micro_steps m = Some steps -> In s steps ->
  length (key_vector s) = n.
Proof.
intros at_f are isin; destruct (round_trip_letter f m steps at_f are) as (pl & _ & _ & walk).
apply In_nth with (d := idle n) in isin as (i & small & <-); destruct (walk i small) as (a & ina & _ & es & _).
unfold step_at in es; rewrite <- es; apply (proj1 (checks most F L arrows sets ok)), in_map, ina.
Qed.

Lemma written_width w ss : written L w ss -> forall s, In s ss -> length (key_vector s) = n.
Proof.
assert (forall k s, In s (repeat (idle n) k) -> length (key_vector s) = n) as idles.
  intros k s isin; apply repeat_spec in isin; subst s; simpl; apply repeat_length.
induction 1 as [k|w ss f m steps k _ IH at_f are]; intros s isin; [exact (idles k s isin)|].
rewrite !in_app_iff in isin; destruct isin as [[isin|isin]|isin];
    [exact (IH s isin)|exact (steps_have_width _ _ _ _ at_f are isin)|exact (idles k s isin)].
Qed.

Lemma begin_length : length (values begin) = n.
Proof. unfold values, begin; rewrite !map_length; reflexivity. Qed.

Lemma word_run_last w f m steps h : at_ (transitions L) f = Some m -> micro_steps m = Some steps ->
  word_run L (w ++ [f]) h = fold_left (exact_step n) steps (word_run L w h).
Proof. intros at_f are; unfold word_run; rewrite fold_left_app; simpl; rewrite at_f, are; reflexivity. Qed.

Lemma written_run w ss : written L w ss ->
  fold_left (exact_step n) ss (values begin) = word_run L w (values (first_state L)).
Proof.
assert (values begin = values (first_state L)) as same by apply canonical_values.
induction 1 as [k|w ss f m steps k _ IH at_f are]; [rewrite idle_steps by exact begin_length; exact same|].
rewrite fold_left_app, idle_steps by (apply exact_steps_length, begin_length).
rewrite fold_left_app, IH; symmetry; apply word_run_last with m; assumption.
Qed.

(** However a word is cut into chunks, what is read after it is what its letters do one after the other. *)
Lemma chunked_letter_exact w h : chunked_letter most F L w h -> h = word_run L w (values (first_state L)).
Proof.
intros (lh & entries); apply (entries_equal n); [exact lh| |].
  clear entries; induction w as [|f w IH] using rev_ind; [unfold word_run, values; simpl; apply map_length|].
  unfold word_run in *; rewrite fold_left_app; simpl; destruct (at_ (transitions L) f) as [m|]; [|exact IH].
  destruct (micro_steps m) as [steps|]; [apply exact_steps_length, IH|exact IH].
intros y small; destruct (entries y small) as (ss & wrote & out).
rewrite (output_is_exact ss y _ (written_trips _ _ wrote) small out), along_fold; unfold entry.
rewrite (micros_values n); [|exact (written_width _ _ wrote)|unfold begin; rewrite map_length; reflexivity].
rewrite (written_run _ _ wrote); reflexivity.
Qed.

End Layers.

Lemma word_run_length L w : length (word_run L w (values (first_state L))) = length (first_state L).
Proof.
induction w as [|f w IH] using rev_ind; [unfold word_run, values; simpl; apply map_length|].
unfold word_run in *; rewrite fold_left_app; simpl; destruct (at_ (transitions L) f) as [m|]; [|exact IH].
destruct (micro_steps m) as [steps|]; [apply exact_steps_length, IH|exact IH].
Qed.

Lemma chunk_exactly_value F m steps n h h' : is_format F -> micro_steps m = Some steps ->
    (forall s, In s steps -> length (key_vector s) = n) -> length h = n -> chunk_exactly F m h = Some h' ->
  map real h' = fold_left (exact_step n) steps (map real h) /\ Forall (holds F) (map real h').
Proof.
intros formatF are lens lh; unfold chunk_exactly; rewrite are; destruct (dyadics_of h) as [ds|] eqn:dyadics;
    [|discriminate].
intros state; destruct (as_state_value _ _ _ state) as [-> all]; rewrite (dyadics_values _ _ dyadics); split.
  apply micros_values; [exact lens|]; assert (length (map real h) = length (map dyadic_value ds)) as e by (rewrite
      (dyadics_values _ _ dyadics); reflexivity); rewrite !map_length in e; congruence.
unfold values; rewrite Forall_map; revert all; apply Forall_impl; intros d; apply held_holds, formatF.
Qed.

(** ** There are such runs: in chunks of one micro-step *)

Lemma any_sum_exists F l : any_sum F l (Rsum l).
Proof.
induction l as [|x l IH]; [apply sum_none|]; apply sum_added with [x] l; [reflexivity|apply sum_term|exact IH].
Qed.

Lemma stored_exists F l : stored F l (Rsum l).
Proof. exists (Rsum l), (fun x => x); split; [apply any_sum_exists|split; [intros x _|]; reflexivity]. Qed.

Lemma one_step_computed F n s h : exists t, computed F n [s] h t.
Proof.
pose (k := key n [s]); pose (b := beta n [s]); pose (v := val n [s]).
pose (kb := fun i x => Rsum [b i * k i x]); pose (vb := fun i => Rsum [b i * v i]).
pose (w := fun i x => Rsum (map (fun j => 1 * kb j x) (seq 0 (S i)))).
pose (u := fun i => Rsum (map (fun j => 1 * vb j) (seq 0 (S i)))).
pose (hb := fun x => nth x h 0).
exists (Tensors hb kb vb (fun _ _ => 0) (fun _ _ => 1) w u (fun i => Rsum (u i :: map (fun x =>
    - (w i x * hb x)) (seq 0 n)))).
unfold computed; simpl; split; [intros x _; exists (fun x => x); split; [intros y _; reflexivity|reflexivity]|].
split; [intros; apply stored_exists|]; split; [intros; apply stored_exists|]; split; [intros; exfalso; lia|].
split; [intros _; apply inverted_one; reflexivity|]; repeat split; intros; apply stored_exists.
Qed.

Lemma border_exists most F L ss : (0 < most)%N -> exists h, border most F L ss h.
Proof.
intros some; induction ss as [|s ss [h at_border]] using rev_ind.
  exists (values (first_state L)); apply border_first.
set (n := length (first_state L)); destruct (one_step_computed F n s h) as [t done].
exists (map (fun x => Rsum (nth x h 0 :: map (fun i => key n [s] i x * new_values t i) (seq 0 1))) (seq 0 n)).
apply border_next with h; [exact at_border|simpl; lia|]; exists t; split; [exact done|split].
  rewrite map_length, seq_length; reflexivity.
intros x small; rewrite nth_map_seq by exact small; apply stored_exists.
Qed.

Lemma chunked_letter_exists most F L w ss : (0 < most)%N -> written L w ss -> ss <> [] ->
  exists h, chunked_letter most F L w h.
Proof.
intros some wrote nonempty; set (n := length (first_state L)).
destruct (exists_last nonempty) as (before & s & e).
destruct (border_exists most F L before some) as [h at_border]; destruct (one_step_computed F n s h) as [t done].
pose (attention := fun y j => Rsum (map (fun x => query y x * key n [s] j x) (seq 0 n))).
exists (map (fun y => Rsum (map (fun x => query y x * copied t x) (seq 0 n) ++ map (fun j => attention y j *
    new_values t j) (seq 0 1))) (seq 0 n)).
split; [rewrite map_length, seq_length; reflexivity|]; intros y small; exists ss; split; [exact wrote|].
exists before, [s], h; split; [exact e|split; [exact at_border|split; [simpl; lia|]]].
exists t, (attention y); split; [exact done|split]; [intros j _; apply stored_exists|].
fold n; rewrite nth_map_seq by exact small; apply stored_exists.
Qed.

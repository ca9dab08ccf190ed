(** * Stored networks are right at every length however float32 sums are taken

    Definitions: [scanned], a layer that is exact on a path; [on_track] and [all_on_track], states that are those of the
        maps so far. What a run is stands in float_paths.v.
    The theorems rest on the axioms of the classical reals. *)

From Coq Require Import ZArith NArith Reals List Bool SpecFloat FMapPositive Lia Lra Permutation.
From Flocq Require Import Core.
From lemmata Require Import checker checker_sound float_closure stored_network stored stored_sound sums chunk_sums.
From lemmata Require Import orders float float_sums float_bounds float_chunks float_words float_paths.
Import ListNotations.

Local Open Scope R_scope.
Local Notation two := radix2.

(** ** The stack *)

Lemma nearest_unique cs h j k : real_nearest cs h j -> real_nearest cs h k -> j = k.
Proof.
intros (c & at_j & near_j) (c' & at_k & near_k); destruct (Nat.eq_dec j k) as [|ne]; [assumption|].
pose proof (near_j k c' at_k (not_eq_sym ne)); pose proof (near_k j c at_j ne); lra.
Qed.
Lemma decoders_are_nearest_dyadic (m : transition dyadic) h k : nearest (unit_exponent m) (codes m) h = Some k ->
  real_nearest (codes_of m) (map real h) (N.to_nat k).
Proof. exact (decoders_are_nearest (stored_transition binary32 m) h k). Qed.

Section Stack.

Variables (p : any_path) (F : format).
Hypothesis formatF : is_format F.

(** The layer scans exactly, if it is scanned. *)
Definition scanned (L : stored_layer dyadic) : Prop :=
  match p with
  | Fused => True
  | Scan => exists c, scan_is_exact L c = true
  | Chunk most => exists s, chunk_is_exact most F L s = true
  end.

(** A layer's state is that of its maps so far, on the path by compositions. *)
Definition on_track (L : stored_layer dyadic) (past : list N) (h : list spec_float) : Prop :=
  Forall (fun g => at_ (transitions L) g <> None) past /\
  match p with
  | Fused => True
  | Scan => map real h = real_run L past (values (first_state L))
  | Chunk _ => map real h = word_run L past (values (first_state L))
  end.

Lemma chunk_facts most L s : chunk_is_exact most F L s = true -> exists arrows, arrows_of L = Some arrows /\
  forallb snd (chunk_checks most F L arrows s) = true /\ (0 < most)%N /\
  forall f m, at_ (transitions L) f = Some m -> exists r steps, micro_steps m = Some (r :: steps).
Proof.
unfold chunk_is_exact; destruct (arrows_of L) as [arrows|]; [|discriminate].
rewrite !andb_true_iff, N.ltb_lt, forallb_forall; intros [[some steps] checked]; exists arrows; repeat split; auto.
intros f m at_f; specialize (steps m (nth_error_In _ _ at_f)).
destruct (micro_steps m) as [[|r rest]|]; try discriminate; exists r, rest; reflexivity.
Qed.

Lemma letters_are_exact L past h f m h' g : scanned L -> on_track L past h -> at_ (transitions L) f = Some m ->
    exactly p F m h = Some h' ->
  any_letter p F L past (map real h) f g -> g = map real h' /\ Forall (holds (read_in p F)) g /\
      on_track L (past ++ [f]) h'.
Proof.
unfold scanned, on_track, exactly, read_in; intros can [valid track] at_f go letter.
assert (Forall (fun g => at_ (transitions L) g <> None) (past ++ [f])) as valid'.
  apply Forall_app; split; [exact valid|constructor; [congruence|constructor]].
destruct p as [| |most].
- destruct letter as (m' & ss & at_f' & steps & micros); rewrite at_f in at_f'; injection at_f' as <-.
  destruct (fused_exact _ _ _ _ _ _ formatF steps go micros); auto.
- destruct can as [c ok]; pose proof (scan_state _ _ ok F _ _ _ _ letter) as e;
    destruct (scan_exactly_value _ _ _ go) as [value held].
  assert (g = map real h') as ->.
    rewrite e, value, track; unfold real_run; rewrite fold_left_app; simpl; rewrite at_f; reflexivity.
  auto.
- destruct can as [s ok]; destruct (chunk_facts _ _ _ ok) as (arrows & are & checked & _ & _).
  assert (exists steps, micro_steps m = Some steps) as [steps has].
    unfold chunk_exactly in go; destruct (micro_steps m) as [steps|]; [exists steps; reflexivity|discriminate].
  destruct (chunk_exactly_value F m steps (length (first_state L)) h h' formatF has) as [value held]; [|
    |exact go|].
  + intros r isin; exact (steps_have_width most F L arrows s checked are f m steps r at_f has isin).
  + rewrite <- (map_length real h), track; apply word_run_length.
  + assert (g = map real h') as ->.
      rewrite (chunked_letter_exact most F L arrows s formatF checked are _ _ letter), value, track.
      apply (word_run_last L _ _ m); assumption.
    split; [reflexivity|split; [exact held|split; [exact valid'|]]].
    rewrite value, track; symmetry; apply (word_run_last L _ _ m); assumption.
Qed.

Fixpoint all_on_track (Ls : list (stored_layer dyadic)) (past : list (list N)) (hs : list (list spec_float)) : Prop :=
  match Ls, past, hs with
  | [], [], [] => True
  | L :: Ls', w :: ws, h :: hs' => on_track L w h /\ all_on_track Ls' ws hs'
  | _, _, _ => False
  end.

Lemma words_are_written L w :
    (forall f m, at_ (transitions L) f = Some m -> exists r steps, micro_steps m = Some (r :: steps)) ->
    Forall (fun g => at_ (transitions L) g <> None) w -> exists ss, written L w ss /\ (w <> [] -> ss <> []).
Proof.
intros all; induction w as [|f w IH] using rev_ind; intros valid.
  exists (repeat (idle (length (first_state L))) 0); split; [apply written_first|congruence].
apply Forall_app in valid as [valid last]; inversion_clear last as [|? ? at_f _].
destruct (IH valid) as (ss & wrote & _).
destruct (at_ (transitions L) f) as [m|] eqn:e; [|congruence]; destruct (all f m e) as (r & steps & has).
exists ((ss ++ r :: steps) ++ repeat (idle (length (first_state L))) 0); split.
  apply written_letter with m; assumption.
intros _ none; destruct ss; discriminate.
Qed.

Lemma letters_exist L past h f m h' : scanned L -> on_track L past h -> at_ (transitions L) f = Some m ->
    exactly p F m h = Some h' ->
  exists g, any_letter p F L past (map real h) f g.
Proof.
unfold scanned, on_track, exactly; intros can [valid _] at_f go.
assert (Forall (fun g => at_ (transitions L) g <> None) (past ++ [f])) as valid'.
  apply Forall_app; split; [exact valid|constructor; [congruence|constructor]].
destruct p as [| |most]; simpl.
- unfold fused_exactly in go; destruct (micro_steps m) as [ss|] eqn:steps; [|discriminate].
  destruct (micros_exist ss (map real h)) as [g micros]; exists g, m, ss; auto.
- destruct (compositions_exist L past f valid') as (A & B & word).
  destruct (Forall2_exists _ _ (fun rb x =>
      any_sum binary32 (snd rb :: real_products (fst rb) (values (first_state L))) x)
    (combine A B)) as [g entries].
    intros rb; apply sums_exist.
  exists g, A, B; auto.
- destruct can as [s ok]; destruct (chunk_facts _ _ _ ok) as (_ & _ & _ & some & all).
  destruct (words_are_written L _ all valid') as (ss & wrote & nonempty).
  apply (chunked_letter_exists most F L _ ss some wrote), nonempty; intros none; destruct past; discriminate.
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
destruct (letters_exist _ _ _ _ _ _ canL trackL at_m go) as [g letter].
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

Lemma Forall_witnessed (A B : Type) (ok : A -> B -> bool) (l : list A) : forall ws : list B, length ws = length l ->
  forallb (fun ab => ok (fst ab) (snd ab)) (combine l ws) = true -> Forall (fun a => exists b, ok a b = true) l.
Proof.
induction l as [|a l IH]; intros [|b ws] len all; try discriminate; constructor; simpl in all;
    apply andb_true_iff in all as [this rest]; [exists b; exact this|].
apply (IH ws); [injection len; auto|exact rest].
Qed.

(** What the checker accepts is right at every length,
    in whatever order its sums are taken and its maps are composed. *)
Theorem networks_are_right_in_any_order p F net found maps sets : is_format F ->
    any_order_is_right p F net found maps sets = true ->
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
assert (Forall (scanned p F) (stored_layers net)) as all_scanned.
  unfold scanned; destruct p as [| |most]; [apply Forall_forall; auto| |]; apply andb_true_iff in can as [len scans];
      apply Nat.eqb_eq in len.
    exact (Forall_witnessed _ _ scan_is_exact _ maps len scans).
  exact (Forall_witnessed _ _ (chunk_is_exact most F) _ sets len scans).
assert (all_on_track p (stored_layers net) (map (fun _ => []) (stored_layers net)) starts) as tracks.
  unfold starts in *; clear -real_starts; induction (stored_layers net) as [|L Ls IH]; simpl; [exact I|].
  injection real_starts as this rest; split; [|exact (IH rest)].
  unfold on_track; split; [constructor|]; destruct p; [exact I|simpl; symmetry; exact this..].
split.
  exists out; apply (runs_exist p F formatF _ _ _ _ _ all_scanned tracks output).
intros qs run; rewrite seen; f_equal; symmetry;
    exact (runs_are_exact p F formatF _ _ _ _ _ _ all_scanned tracks output run).
Qed.

(** ** Chunks *)

(** However a word is cut into chunks, and in whatever order sums are taken, what is read after it is the state that its
    micro-steps lead to one after the other, in exact arithmetic. *)
Theorem chunked_words_are_exact most F L sets w h : is_format F -> chunk_is_exact most F L sets = true ->
  chunked_letter most F L w h -> h = word_run L w (values (first_state L)).
Proof.
intros formatF ok letter; destruct (chunk_facts _ _ _ _ ok) as (arrows & are & checked & _).
exact (chunked_letter_exact most F L arrows sets formatF checked are w h letter).
Qed.

(** What the checker accepts for chunks of up to so many micro-steps is right at every length. *)
Theorem networks_are_right_in_chunks most F net found sets : is_format F ->
  any_order_is_right (Chunk most) F net found [] sets = true -> right_in_any_order (Chunk most) F net.
Proof. apply networks_are_right_in_any_order. Qed.

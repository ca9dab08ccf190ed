(** * What the checker of stored networks accepts is right at every length, in floating point *)

From Coq Require Import ZArith NArith List Bool SpecFloat FMapPositive.
From lemmata Require Import checker checker_sound float_closure stored_network stored.
Import ListNotations.

Set Implicit Arguments.

Lemma same_number_eq x y : same_number x y = true -> x = y.
Proof.
destruct x as [s|s| |s m e], y as [s'|s'| |s' m' e']; simpl; try discriminate; try reflexivity;
    rewrite ?andb_true_iff, ?eqb_true_iff.
- intros ->; reflexivity.
- intros ->; reflexivity.
- intros [[-> em] ee]; apply Z.eqb_eq in ee; apply Pos.eqb_eq in em; subst; reflexivity.
Qed.

Lemma same_numbers_eq u : forall v, same_numbers u v = true -> u = v.
Proof.
induction u as [|x u IH]; intros [|y v]; simpl; try discriminate; [reflexivity|].
rewrite andb_true_iff; intros [e r]; apply same_number_eq in e; apply IH in r; subst; reflexivity.
Qed.

Lemma machine_of_step p F L h y : machine_step (machine_of p F L) h y = float_layer_step p F L h y.
Proof.
unfold machine_step, float_layer_step, machine_of, machine_by; simpl.
destruct (at_ (layer_letters L) y) as [l|]; [|reflexivity].
rewrite !get_array, at_map.
destruct (at_ (transitions L) (uses l)) as [m|]; [|reflexivity].
destruct (at_ (following L) y) as [row|]; simpl.
  destruct (moved p F m h) as [h'|]; [|reflexivity].
  destruct (nearest (unit_exponent m) (codes m) h') as [k|]; [|reflexivity].
  rewrite get_array; destruct (at_ row k) as [[z|]|]; reflexivity.
destruct (moved p F m h) as [h'|]; [|reflexivity].
destruct (nearest (unit_exponent m) (codes m) h'); reflexivity.
Qed.

Lemma machines_of_step p F Ls : forall hs y,
    machines_step (map (machine_of p F) Ls) hs y = float_stack_step p F Ls hs y.
Proof.
induction Ls as [|L Ls IH]; intros [|h hs] y; simpl; try reflexivity.
rewrite machine_of_step; destruct (float_layer_step p F L h y) as [[h' z]|]; [|reflexivity].
rewrite IH; reflexivity.
Qed.

Lemma machines_of_output p F Ls word : forall hs,
    machines_output (map (machine_of p F) Ls) hs word = float_outputs p F Ls hs word.
Proof.
induction word as [|x word IH]; intros hs; simpl; [reflexivity|].
rewrite machines_of_step; destruct (float_stack_step p F Ls hs x) as [[hs' q]|]; [|reflexivity].
rewrite IH; reflexivity.
Qed.

(** Every word: the stored numbers, run with every operation rounded, output the automaton's states. *)
Theorem stored_networks_are_right p F net found : stored_is_right p F net found = true -> right_at_every_length p F net.
Proof.
unfold stored_is_right; rewrite andb_true_iff; intros [_ all_closed]; intros word valid.
destruct (closed_stacks_are_right _ same_numbers_eq _ _ _ all_closed valid) as (qs & out & seen).
exists qs; split; [|exact seen].
unfold machines_of in out; rewrite <- map_map with (g := machine_of p F), machines_of_output in out; rewrite <- out.
unfold float_run; f_equal; rewrite !map_map; reflexivity.
Qed.

(** The format has every stored number, so that none is rounded when it is read. *)
Theorem stored_numbers_are_exact p F net found : stored_is_right p F net found = true ->
    forallb (layer_is_stored F) (stored_layers net) = true.
Proof. unfold stored_is_right; rewrite andb_true_iff; tauto. Qed.

(** * Machines whose letters act idempotently do not see a letter repeated

    Beside degeeter26, Sec. 4.3.

    - [idempotent_letters m]: each letter acts on all states of the machine m as it does twice. *)

From mathcomp Require Import all_ssreflect.
From lemmata Require Import models.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Stutter.

Variables (X Y : Type) (m : mealy X Y).

Definition idempotent_letters : Prop := forall q x, mmove m (mmove m q x) x = mmove m q x.

(** Where the letter x acts as it does twice, the output does not see it repeated, at that place of a word. *)
Lemma stutter_at (q : mstate m) u x v y (p := state (mmove m) q u) : mmove m (mmove m p x) x = mmove m p x ->
  output_after q (u ++ x :: x :: v) y = output_after q (u ++ x :: v) y /\
  output_after q (rcons u x) x = output_after q u x.
Proof.
move=> twice; rewrite /output_after -!cats1 !state_cat -/p /= twice.
by split.
Qed.

(** So it does not, at any place of any word, where all letters act idempotently. *)
Lemma stutter_invariant (q : mstate m) u x v y : idempotent_letters ->
  output_after q (u ++ x :: x :: v) y = output_after q (u ++ x :: v) y /\
  output_after q (rcons u x) x = output_after q u x.
Proof. by move=> idem; apply: stutter_at. Qed.

End Stutter.

(** A stack of such machines is one of them. *)
Lemma joint_idempotent layers (machine : forall X Y, layers X Y -> mealy X Y) X Y (s : stack layers X Y) :
  every (fun X Y l => idempotent_letters (machine X Y l)) s -> idempotent_letters (joint machine s).
Proof. by elim: s => [|U W s IH l] //= [/IH below top] q x /=; rewrite below top. Qed.

(** So no such stack, of any depth, computes the parity of its input. *)
Lemma no_parity (m : mealy bool bool) :
  idempotent_letters m -> ~ (forall x t, transduce m x t = odd (count id (mkseq x t.+1))).
Proof.
move=> idem parity; have [_] := stutter_invariant (mstart m) [::] true [::] true idem.
by rewrite -[LHS](transduceE m xpredT 1) -[RHS](transduceE m xpredT 0) !parity.
Qed.

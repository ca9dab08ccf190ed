(** * Stacks whose letters act idempotently do not see a letter repeated

    Beside degeeter26, Sec. 4.3.

    - [mealy_stack L Z]: Mealy machines, one above the other, on the letters of L, with outputs in Z;
    - [states s], [move x q]: the states of all machines; what a letter makes of them, with the output;
    - [after_word q w], [output q w x]: the states after a word; the output at one more letter;
    - [idempotent_letters s]: in every machine each letter acts as it does twice. *)

From mathcomp Require Import all_ssreflect.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Section Stutter.

Variable L : Type.

(** A machine whose letters act on its states by any maps; it hands up any function of its new state and the letter. *)
Inductive mealy_stack : Type -> Type :=
| Machine (Q Z : Type) (act : L -> Q -> Q) (out : Q -> L -> Z) : mealy_stack Z
| Over (M Q Z : Type) (below : mealy_stack M) (act : M -> Q -> Q) (out : Q -> M -> Z) : mealy_stack Z.

Fixpoint states Z (s : mealy_stack Z) : Type :=
  match s with Machine Q _ _ _ => Q | Over _ Q _ s _ _ => (states s * Q)%type end.

(** One letter: the new states of all machines, and the output. *)
Fixpoint move Z (s : mealy_stack Z) (x : L) : states s -> states s * Z :=
  match s return states s -> states s * _ with
  | Machine Q Z act out => fun q => (act x q, out (act x q) x)
  | Over M Q Z s act out => fun q =>
      let (below, m) := move x q.1 in ((below, act m q.2), out (act m q.2) m)
  end.

Fixpoint idempotent_letters Z (s : mealy_stack Z) : Prop :=
  match s with
  | Machine Q _ act _ => forall x q, act x (act x q) = act x q
  | Over M Q _ s act _ => idempotent_letters s /\ forall m q, act m (act m q) = act m q
  end.

Lemma move_twice Z (s : mealy_stack Z) x q : idempotent_letters s -> move x (move x q).1 = move x q :> states s * Z.
Proof.
elim: s q => [Q U act out|M Q U s IH act out] q /=; first by move=> ->.
case=> idem act_idem; have := IH q.1 idem; case: (move x q.1) => [below m] /= ->.
by rewrite act_idem.
Qed.

(** The state after a word, and the output at its last letter. *)
Definition after_word Z (s : mealy_stack Z) (q : states s) (w : seq L) : states s :=
  foldl (fun q x => (move x q).1) q w.

Definition output Z (s : mealy_stack Z) (q : states s) (w : seq L) (x : L) : Z := (move x (after_word q w)).2.

(** Where letters act idempotently, the output does not see a letter repeated, at any place of any word. *)
Lemma stutter_invariant Z (s : mealy_stack Z) (q : states s) u x v y :
  idempotent_letters s -> output q (u ++ x :: x :: v) y = output q (u ++ x :: v) y.
Proof.
by move=> idem; rewrite /output /after_word !foldl_cat /= (move_twice _ _ idem).
Qed.

Lemma repeated_last_letter Z (s : mealy_stack Z) (q : states s) u x :
  idempotent_letters s -> output q (rcons u x) x = output q u x.
Proof. by move=> idem; rewrite /output /after_word foldl_rcons (move_twice _ _ idem). Qed.

End Stutter.

(** So no such stack, of any depth, computes the parity of its input. *)
Lemma no_parity (s : mealy_stack bool bool) (q : states s) :
  idempotent_letters s -> ~ (forall w x, output q w x = odd (count id (rcons w x))).
Proof.
move=> idem parity; have := repeated_last_letter q [::] true idem.
by rewrite !parity.
Qed.

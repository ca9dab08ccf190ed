(** * Finite automata in stacks of linear layers

    grazzi25, Theorems 4 and 5, App. C.5; and two facts behind every check by closure.
    An automaton with n states is a cascade of n - 1 levels, each of which permutes its states or resets them; and any such cascade is
    a stack of as many linear layers, as wide as the levels have states, whose transitions are products of as many GH factors. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import householder.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.

(** ** What a closed set of pairs proves *)

Section Closure.

Variables (L : finType) (S Q O : eqType).
Variables (move : S -> L -> S) (out : S -> L -> O) (delta : Q -> L -> Q) (expected : Q -> L -> O).

(** The start is in it, no letter leads out of it, and the outputs agree on it: a finite check. *)
Definition closed (pairs : seq (S * Q)) (s : S) (q : Q) :=
  ((s, q) \in pairs) &&
  all (fun p => [forall x, ((move p.1 x, delta p.2 x) \in pairs) && (out p.1 x == expected p.2 x)]) pairs.

(** ... and the network is right after every word, of any length. *)
Theorem closed_is_right pairs s q : closed pairs s q ->
  forall (w : seq L) x, out (foldl move s w) x = expected (foldl delta q w) x.
Proof.
case/andP=> start /allP step w x.
suff /step/forallP/(_ x)/andP[_ /eqP] : (foldl move s w, foldl delta q w) \in pairs by [].
elim/last_ind: w => // w y /step/forallP/(_ y)/andP[next _].
by rewrite !foldl_rcons.
Qed.

End Closure.

(** ** A letter that acts aperiodically does not count *)

Section Aperiodic.

Variables (S : Type) (f : S -> S).

(** From some power on the letter does nothing more: then no decoder finds the parity of a word of that letter. *)
Theorem aperiodic_no_parity k (out : S -> bool) s :
  (forall q, iter k.+1 f q = iter k f q) -> ~ (forall j, out (iter j f s) = odd j).
Proof.
move=> stop parity; have := parity k.+1; rewrite stop parity /=.
by case: (odd k).
Qed.

End Aperiodic.

(** ** Cascades of permutation-reset automata (Definition 1: levels read the states below before the letter) *)

Inductive move (m : nat) := Permute of 'S_m | Reset of 'I_m.

Definition moved m (a : move m) (q : 'I_m) : 'I_m := match a with Permute p => p q | Reset r => r end.

(** A level reads x; the levels above it read x together with its state. *)
Inductive cascade (X : Type) : Type :=
| Done
| Level (m : nat) of X -> move m & 'I_m & cascade (X * 'I_m).

Fixpoint sizes X (c : cascade X) : seq nat := if c is Level m _ _ up then m :: sizes up else [::].

Fixpoint states X (c : cascade X) : Type := if c is Level m _ _ up then ('I_m * states up)%type else unit.

Fixpoint first X (c : cascade X) : states c :=
  match c with Done => tt | Level _ _ q up => (q, first up) end.

Fixpoint step X (c : cascade X) : X -> states c -> states c :=
  match c with
  | Done => fun _ r => r
  | Level _ act _ up => fun x r => (moved (act x) r.1, step (x, r.1) r.2)
  end.

(** ** Theorem 5: every automaton with n states is a cascade of n - 1 levels with n, n - 1, ..., 2 states

    A level remembers a state that the automaton is not in, among those that the levels before it left. A letter maps what is left to
    what is left afterwards: if one to one, the excluded state moves along, a permutation; if not, some state is hit by none, and
    excluding that one is a reset. *)

Section Excluded.

Variable m : nat.
Implicit Type phi : {ffun 'I_m -> 'I_m}.

Definition unhit phi (j : 'I_m) : bool := j \notin codom phi.

Definition move_of phi : move m :=
  match @idP (injectiveb phi) with
  | ReflectT inj => Permute (perm (injectiveP _ inj))
  | ReflectF _ => if [pick j | unhit phi j] is Some j then Reset j else Permute 1
  end.

(** Nothing that stays is mapped to what is excluded afterwards. *)
Lemma stays phi (i k : 'I_m) : k != i -> moved (move_of phi) i != phi k.
Proof.
rewrite /move_of; case: {-}_ / idP => [inj|not_inj] ki /=.
  by rewrite permE (inj_eq (injectiveP _ inj)) eq_sym.
case: pickP => [j hit|all_hit] /=; first by apply: contra hit => /eqP ->; apply: codom_f.
case: not_inj; apply/injectiveP=> a b; apply: (image_injP (A := predT)) => //.
rewrite -[X in X == _]/#|codom phi|; apply/eqP/eq_card => j.
by have := all_hit j; rewrite /unhit => /negbFE ->.
Qed.

End Excluded.

(** What the letter does among the states that are left after i is excluded. *)
Definition next m (phi : {ffun 'I_m.+1 -> 'I_m.+1}) (i : 'I_m.+1) : {ffun 'I_m -> 'I_m} :=
  [ffun k => odflt k (unlift (moved (move_of phi) i) (phi (lift i k)))].

Lemma nextE m (phi : {ffun 'I_m.+1 -> 'I_m.+1}) i k : lift (moved (move_of phi) i) (next phi i k) = phi (lift i k).
Proof.
rewrite ffunE; have [j e|e] := unliftP (moved (move_of phi) i) (phi (lift i k)); first by rewrite e.
have ki : lift i k != i by rewrite eq_sym neq_lift.
by have := stays phi ki; rewrite e eqxx.
Qed.

Fixpoint exclude m X : (X -> {ffun 'I_m.+1 -> 'I_m.+1}) -> 'I_m.+1 -> cascade X :=
  match m with
  | 0 => fun _ _ => Done X
  | m'.+1 => fun phi q =>
      let i : 'I_m'.+2 := if q == ord0 then ord_max else ord0 in
      Level (fun x => move_of (phi x)) i (exclude (fun xi : X * 'I_m'.+2 => next (phi xi.1) xi.2) (odflt ord0 (unlift i q)))
  end.

(** The state that no level excludes. *)
Fixpoint left_over m X (phi : X -> {ffun 'I_m.+1 -> 'I_m.+1}) q : states (exclude phi q) -> 'I_m.+1 :=
  match m return forall (phi : X -> {ffun 'I_m.+1 -> 'I_m.+1}) q, states (exclude phi q) -> 'I_m.+1 with
  | 0 => fun _ _ _ => ord0
  | m'.+1 => fun phi q r => lift r.1 (left_over (phi := _) r.2)
  end phi q.

Theorem excluded_states m X (phi : X -> {ffun 'I_m.+1 -> 'I_m.+1}) q x (r : states (exclude phi q)) :
  left_over (step x r) = phi x (left_over r).
Proof.
elim: m X phi q x r => [|m IH] X phi q x r /=; first by rewrite [RHS]ord1.
by rewrite (IH _ _ _ (x, r.1) r.2) /= nextE.
Qed.

(** n - 1 levels with n, n - 1, ..., 2 states, and it starts in the automaton's start. *)
Theorem excluded_sizes m X (phi : X -> {ffun 'I_m.+1 -> 'I_m.+1}) q : sizes (exclude phi q) = rev (iota 2 m).
Proof.
elim: m X phi q => [|m IH] X phi q //.
have iotaS k a : iota a k.+1 = rcons (iota a k) (a + k)%N by rewrite -addn1 iotaD cats1.
by rewrite iotaS rev_rcons /= IH add2n.
Qed.

Theorem excluded_start m X (phi : X -> {ffun 'I_m.+1 -> 'I_m.+1}) q : left_over (first (exclude phi q)) = q.
Proof.
elim: m X phi q => [|m IH] X phi q /=; first by rewrite [RHS]ord1.
rewrite IH; set i := if _ then _ else _; have iq : i != q.
  by rewrite /i; case: (q =P ord0) => [->|/eqP q0] //; rewrite eq_sym.
by have [j ->|e] := unliftP i q => //=; rewrite e eqxx in iq.
Qed.

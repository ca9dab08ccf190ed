(** * Exported networks (docs/reference/formats.md): what one is, what it does, what the automaton does

    All that the statements about the checker say is said by these definitions.

    - [step], [affine], [letter], [layer], [automaton], [network]: what a file holds, with entries of any type;
    - [at_ l i], [dot u v], [same_vector u v]: entry i of a list; the inner product; equality, entry by entry;
    - [step_entries f s], [affine_entries f m], [layer_entries f L], [network_entries f net]: all entries through f;
    - [act m h], [act_step minus s h]: an affine map, and one micro-step;
    - [decode], [layer_step], [stack_step], [outputs], [initial], [run]: what a layer and a stack do with letters;
    - [next M x q], [visited M q word]: what the automaton does. *)

From Coq Require Import NArith QArith List.
Import ListNotations.

Set Implicit Arguments.

(** ** Networks whose entries are of any type T *)

Record step (T : Type) := Step { direction : list T; beta : Q; scale : T; write : T }.
Record affine (T : Type) := Affine { matrix : list (list T); offset : list T; steps : option (list (step T)) }.
Record letter := Letter { reads : N; before : N; after : N; uses : N }.
Record layer (T : Type) := Layer
  { states : list (list T); maps : list (affine T); letters : list letter; decoder : list (N * N * N) }.
Record automaton := Automaton { size : N; table : list (list N); start : N; accepting : list N }.
Record network (T : Type) := Network { field : N; alphabet : N; machine : automaton; layers : list (layer T) }.

Definition at_ (A : Type) (l : list A) (i : N) : option A := nth_error l (N.to_nat i).

(** The same network with its entries replaced. *)
Section Entries.

Variables (S T : Type) (f : S -> T).

Definition step_entries (s : step S) : step T := Step (map f (direction s)) (beta s) (f (scale s)) (f (write s)).
Definition affine_entries (m : affine S) : affine T :=
  Affine (map (map f) (matrix m)) (map f (offset m)) (option_map (map step_entries) (steps m)).
Definition layer_entries (L : layer S) : layer T :=
  Layer (map (map f) (states L)) (map affine_entries (maps L)) (letters L) (decoder L).
Definition network_entries (net : network S) : network T :=
  Network (field net) (alphabet net) (machine net) (map layer_entries (layers net)).

End Entries.

(** ** What a network does, in any arithmetic *)

Section Meaning.

Variables (T : Type) (zero : T) (add mul : T -> T -> T) (same : T -> T -> bool).

Fixpoint dot (u v : list T) : T :=
  match u, v with
  | a :: u', b :: v' => add (mul a b) (dot u' v')
  | _, _ => zero
  end.

(** H -> A H + B *)
Definition act (m : affine T) (h : list T) : list T :=
  map (fun row => add (dot (fst row) h) (snd row)) (combine (matrix m) (offset m)).

(** H -> H + (write - scale (v^T H)) v, a micro-step of the delta rule; [minus] is the number -1 *)
Definition act_step (minus : T) (s : step T) (h : list T) : list T :=
  let c := add (write s) (mul minus (mul (scale s) (dot (direction s) h))) in
  map (fun vh => add (snd vh) (mul (fst vh) c)) (combine (direction s) h).

Fixpoint same_vector (u v : list T) : bool :=
  match u, v with
  | [], [] => true
  | a :: u', b :: v' => same a b && same_vector u' v'
  | _, _ => false
  end.

(** The decoder's entry for the state h after the letter y. *)
Definition decode (L : layer T) (h : list T) (y : N) : option N :=
  option_map snd (find (fun entry =>
    match at_ (states L) (fst (fst entry)) with
    | Some s => N.eqb (snd (fst entry)) y && same_vector s h
    | None => false
    end) (decoder L)).

(** A layer reads y: its state afterwards, and what it hands on. *)
Definition layer_step (L : layer T) (h : list T) (y : N) : option (list T * N) :=
  match at_ (letters L) y with
  | None => None
  | Some l =>
    match at_ (maps L) (uses l) with
    | None => None
    | Some m => option_map (fun z => (act m h, z)) (decode L (act m h) y)
    end
  end.

(** The stack reads y: the states afterwards, and the output of the last layer. *)
Fixpoint stack_step (Ls : list (layer T)) (hs : list (list T)) (y : N) : option (list (list T) * N) :=
  match Ls, hs with
  | [], [] => Some ([], y)
  | L :: Ls', h :: hs' =>
    match layer_step L h y with
    | None => None
    | Some (h', z) =>
      match stack_step Ls' hs' z with
      | None => None
      | Some (hs'', out) => Some (h' :: hs'', out)
      end
    end
  | _, _ => None
  end.

(** The outputs after every letter of a word; None if a letter or a state has no entry. *)
Fixpoint outputs (Ls : list (layer T)) (hs : list (list T)) (word : list N) : option (list N) :=
  match word with
  | [] => Some []
  | x :: word' =>
    match stack_step Ls hs x with
    | None => None
    | Some (hs', q) => option_map (cons q) (outputs Ls hs' word')
    end
  end.

(** Every layer starts in the first of its states. *)
Definition initial (L : layer T) : list T := hd [] (states L).

Definition run (net : network T) (word : list N) : option (list N) :=
  outputs (layers net) (map initial (layers net)) word.

End Meaning.

(** What the automaton does: its states after every letter of a word. *)
Definition next (M : automaton) (x q : N) : option N :=
  match at_ (table M) x with Some row => at_ row q | None => None end.

Fixpoint visited (M : automaton) (q : N) (word : list N) : option (list N) :=
  match word with
  | [] => Some []
  | x :: word' =>
    match next M x q with
    | None => None
    | Some q' => option_map (cons q') (visited M q' word')
    end
  end.

(** * A verified checker of exported networks

    It is plain Coq, so that it extracts to a program that runs by itself. That it is right, for every word, is proved
    in checker_sound.v for any ring in which the entries have values, and in checker_field.v for complex (algebraic)
    numbers.

    - [check net]: the stack of layers outputs the automaton's state after every word;
    - [array], [get], [row_of], [get2], [put2], [table_of], [for_all], [for_all2]: arrays and tables as binary trees;
    - [vector], [catalogue], [number_of], [numbered], [distinct]: states in normal form, found by their entries;
    - [move], [leaving], [search], [visit], [explore]: what a layer's states and letters do, searched from the start;
    - [move_is_right], [arrow_is_right], [closed], [nothing_idle], [layer_is_right]: one layer, checked;
    - [affine_has_shape], [layer_has_shape], [layers_have_shape], [automaton_is_total], [letters_differ],
          [letters_use_all], [reads_alphabet], [entries_pass]: sizes and ranges;
    - [composes], [step_rows], [step_is_contraction], [steps_are_right]: the micro-steps that a map lists;
    - [hand_to_machine], [hand_to_layer], [layers_are_right], [check_normal], [low_of]: the whole network. *)

From Coq Require Import ZArith NArith QArith Qreduction List Bool FMapPositive.
From lemmata Require Export checker_network checker_numbers.
Import ListNotations.

Set Implicit Arguments.

(** ** Tables *)

Notation map1 := PositiveMap.t.

Definition key (i : N) : positive := N.succ_pos i.

Fixpoint array_from (A : Type) (k : positive) (l : list A) : map1 A :=
  match l with
  | [] => PositiveMap.empty A
  | a :: l' => PositiveMap.add k a (array_from (Pos.succ k) l')
  end.

Definition array (A : Type) (l : list A) : map1 A := array_from 1 l.

Definition get (A : Type) (m : map1 A) (i : N) : option A := PositiveMap.find (key i) m.

Definition row_of (A : Type) (m : map1 (map1 A)) (i : N) : map1 A :=
  match get m i with Some row => row | None => PositiveMap.empty A end.

Definition get2 (A : Type) (m : map1 (map1 A)) (i j : N) : option A := get (row_of m i) j.

Definition put2 (A : Type) (m : map1 (map1 A)) (i j : N) (a : A) : map1 (map1 A) :=
  PositiveMap.add (key i) (PositiveMap.add (key j) a (row_of m i)) m.

Definition empty2 (A : Type) : map1 (map1 A) := PositiveMap.empty (map1 A).

(** A table (i, y) -> z; None if some (i, y) comes twice. *)
Fixpoint table_of (entries : list (N * N * N)) : option (map1 (map1 N)) :=
  match entries with
  | [] => Some (empty2 N)
  | (i, y, z) :: entries' =>
    match table_of entries' with
    | None => None
    | Some m => match get2 m i y with Some _ => None | None => Some (put2 m i y z) end
    end
  end.

(** All entries of a table of tables. *)
Definition for_all (A : Type) (f : N -> A -> bool) (m : map1 A) : bool :=
  forallb (fun ka => f (Pos.pred_N (fst ka)) (snd ka)) (PositiveMap.elements m).

Definition for_all2 (A : Type) (f : N -> N -> A -> bool) (m : map1 (map1 A)) : bool :=
  for_all (fun i row => for_all (fun j a => f i j a) row) m.

(** How many different numbers are in a list. *)
Definition how_many (l : list N) : N :=
  N.of_nat (PositiveMap.cardinal (fold_left (fun m i => PositiveMap.add (key i) tt m) l (PositiveMap.empty unit))).

(** ** One layer: closed under all walks through the graph of its places *)

Definition vector := list (list Q).

Definition same_vectors : vector -> vector -> bool := same_vector (same_vector Qsame).

(** Where a vector may be found; nothing depends on it but speed. *)
Definition bucket (h : vector) : positive :=
  N.succ_pos (Z.to_N
    (fold_left (fun a p =>
       fold_left (fun b c => Z.modulo (b * 31 + Qnum c + 7 * Zpos (Qden c)) 1073741824) p (a * 13 + 5)%Z) h 0%Z)).

Definition catalogue (hs : list vector) : PositiveMap.t (list (vector * N)) :=
  snd (fold_left (fun im h =>
    let b := bucket h in
    let others := match PositiveMap.find b (snd im) with Some l => l | None => [] end in
    (N.succ (fst im), PositiveMap.add b ((h, fst im) :: others) (snd im))) hs (0%N, PositiveMap.empty _)).

(** The number of a vector in the catalogue. *)
Definition number_of (c : PositiveMap.t (list (vector * N))) (h : vector) : option N :=
  match PositiveMap.find (bucket h) c with
  | None => None
  | Some l => option_map snd (find (fun hi => same_vectors (fst hi) h) l)
  end.

Fixpoint numbered (A : Type) (i : N) (l : list A) : list (N * A) :=
  match l with [] => [] | a :: l' => (i, a) :: numbered (N.succ i) l' end.

Definition distinct (c : PositiveMap.t (list (vector * N))) (hs : list vector) : bool :=
  forallb (fun ih => match number_of c (snd ih) with Some i => N.eqb i (fst ih) | None => false end) (numbered 0 hs).

Section OneLayer.

Variables (low : list Q) (L : layer (list Q)).

(** What is handed on from a place is a letter of the graph
    above, and leads to a place: [hand x p z] when x was read. *)
Variable hand : N -> N -> N -> option N.

Definition move : affine (list Q) -> vector -> vector := act (normal low []) (add_normal low) (mul_normal low).

(** The layer's states and maps by number, and the numbers of its states by value. *)
Variables (stateA : map1 vector) (mapA : map1 (affine (list Q))) (numbers : PositiveMap.t (list (vector * N))).

Definition leaving : map1 (list (N * letter)) :=
  fold_left (fun m yl =>
    let k := key (before (snd yl)) in
    PositiveMap.add k (yl :: match PositiveMap.find k m with Some l => l | None => [] end) m)
    (numbered 0 (letters L)) (PositiveMap.empty _).

(** Search, which nothing depends on: the place above of every (place, state) that
    is met, the moves between states, and the (state, letter) that are met. *)
Record search :=
  Search { waiting : list (N * N); places : map1 (map1 N); moves : map1 (map1 N); met : map1 (map1 unit) }.

Definition visit (decoding : map1 (map1 N)) (i t : N) (s : option search) (yl : N * letter) : option search :=
  match s with
  | None => None
  | Some s =>
    let '(y, l) := yl in
    let found :=
      match get2 (moves s) i (uses l) with
      | Some j => Some (j, moves s)
      | None =>
        match get mapA (uses l), get stateA i with
        | Some m, Some h => option_map (fun j => (j, put2 (moves s) i (uses l) j)) (number_of numbers (move m h))
        | _, _ => None
        end
      end in
    match found with
    | None => None
    | Some (j, moves') =>
      match get2 decoding j y with
      | None => None
      | Some z =>
        match hand (reads l) t z with
        | None => None
        | Some t' =>
          let met' := put2 (met s) j y tt in
          match get2 (places s) (after l) j with
          | Some _ => Some (Search (waiting s) (places s) moves' met')
          | None => Some (Search ((after l, j) :: waiting s) (put2 (places s) (after l) j t') moves' met')
          end
        end
      end
    end
  end.

Fixpoint explore (decoding : map1 (map1 N)) (out : map1 (list (N * letter))) (fuel : nat) (s : search)
  : option search :=
  match waiting s with
  | [] => Some s
  | (p, i) :: rest =>
    match fuel, get2 (places s) p i with
    | S fuel', Some t =>
      match fold_left (visit decoding i t) (match get out p with Some l => l | None => [] end)
        (Some (Search rest (places s) (moves s) (met s))) with
      | Some s' => explore decoding out fuel' s'
      | None => None
      end
    | _, _ => None
    end
  end.

(** What is checked of the result. *)
Definition move_is_right (i f j : N) : bool :=
  match get stateA i, get mapA f, get stateA j with
  | Some h, Some m, Some h' => same_vectors (move m h) h'
  | _, _, _ => false
  end.

Definition arrow_is_right (decoding places moves : map1 (map1 N)) (y : N) (l : letter) (i t : N) : bool :=
  match get2 moves i (uses l) with
  | None => false
  | Some j =>
    match get2 decoding j y with
    | None => false
    | Some z =>
      match hand (reads l) t z, get2 places (after l) j with
      | Some t', Some t'' => N.eqb t' t''
      | _, _ => false
      end
    end
  end.

Definition closed (decoding places moves : map1 (map1 N)) (root : N) : bool :=
  match get2 places 0 0 with Some t => N.eqb t root | None => false end &&
  for_all2 move_is_right moves &&
  forallb (fun yl => for_all (arrow_is_right decoding places moves (fst yl) (snd yl)) (row_of places (before (snd yl))))
    (numbered 0 (letters L)).

(** Every entry of the decoder is met, every letter read, every state but the first reached. *)
Definition nothing_idle (met : map1 (map1 unit)) : bool :=
  forallb (fun e => match get2 met (fst (fst e)) (snd (fst e)) with Some _ => true | None => false end) (decoder L) &&
  N.eqb (how_many (map (fun e => snd (fst e)) (decoder L))) (N.of_nat (length (letters L))) &&
  N.eqb (how_many (0%N :: map (fun e => fst (fst e)) (decoder L))) (N.of_nat (length (states L))).

End OneLayer.

Definition layer_is_right (low : list Q) (L : layer (list Q)) (hand : N -> N -> N -> option N) (root : N) : bool :=
  let stateA := array (states L) in
  let mapA := array (maps L) in
  let numbers := catalogue (states L) in
  distinct numbers (states L) &&
  match table_of (decoder L) with
  | None => false
  | Some decoding =>
    match explore low hand stateA mapA numbers decoding (leaving L) (S (length (decoder L)))
      (Search [(0, 0)%N] (put2 (empty2 N) 0 0 root) (empty2 N) (empty2 unit)) with
    | None => false
    | Some s => closed low L hand stateA mapA decoding (places s) (moves s) root && nothing_idle L (met s)
    end
  end.

(** ** Shapes and indices *)

Definition below (n : N) (i : N) : bool := N.ltb i n.
Definition long (A : Type) (n : N) (l : list A) : bool := N.eqb (N.of_nat (length l)) n.

Definition count (A : Type) (l : list A) : N := N.of_nat (length l).

Fixpoint increasing (l : list N) : bool :=
  match l with
  | i :: (j :: _) as l' => N.ltb i j && increasing l'
  | _ => true
  end.

Definition automaton_is_total (k : N) (M : automaton) : bool :=
  long k (table M) && forallb (fun row => long (size M) row && forallb (below (size M)) row) (table M) &&
  forallb (below (size M)) (start M :: accepting M) && increasing (accepting M).

Definition width (T : Type) (L : layer T) : N := count (hd [] (states L)).

(** (place before, input letter, place after) tell letters apart. *)
Definition letters_differ (ls : list letter) : bool :=
  match fold_left (fun seen l =>
    match seen with
    | None => None
    | Some m =>
      let row := match get m (before l) with Some row => row | None => empty2 unit end in
      match get2 row (reads l) (after l) with
      | Some _ => None
      | None => Some (PositiveMap.add (key (before l)) (put2 row (reads l) (after l) tt) m)
      end
    end) ls (Some (PositiveMap.empty (map1 (map1 unit)))) with
  | Some _ => true
  | None => false
  end.

Definition affine_has_shape (T : Type) (n : N) (m : affine T) : bool :=
  long n (matrix m) && forallb (long n) (matrix m) && long n (offset m) &&
  match steps m with None => true | Some ss => forallb (fun s => long n (direction s)) ss end.

(** Places 0, 1, ... without a gap, and a letter for every map. *)
Definition letters_use_all (T : Type) (L : layer T) : bool :=
  let places := flat_map (fun l => [before l; after l]) (letters L) in
  forallb (below (how_many places)) places && N.eqb (how_many (map uses (letters L))) (count (maps L)).

Definition layer_has_shape (T : Type) (alphabet following : N) (L : layer T) : bool :=
  let n := width L in
  N.ltb 0 n &&
  (forallb (long n) (states L) && forallb (affine_has_shape n) (maps L) &&
   N.ltb 0 (count (maps L)) && N.ltb 0 (count (letters L)) && N.ltb 0 (count (decoder L)) &&
   forallb (fun l => below alphabet (reads l) && below (count (maps L)) (uses l)) (letters L) &&
   letters_differ (letters L) && letters_use_all L &&
   forallb (fun e => below (count (states L)) (fst (fst e)) && below (count (letters L)) (snd (fst e)) &&
     below following (snd e)) (decoder L)).

Fixpoint layers_have_shape (T : Type) (alphabet states : N) (Ls : list (layer T)) : bool :=
  match Ls with
  | [] => true
  | L :: above =>
    layer_has_shape alphabet (match above with [] => states | L' :: _ => count (letters L') end) L &&
    layers_have_shape alphabet states above
  end.

(** All entries of a layer pass a test. *)
Definition entries_pass (T : Type) (f : T -> bool) (L : layer T) : bool :=
  forallb (forallb f) (states L) &&
  forallb (fun m => forallb (forallb f) (matrix m) && forallb f (offset m) &&
    match steps m with
    | None => true
    | Some ss => forallb (fun s => forallb f (direction s) && f (scale s) && f (write s)) ss
    end) (maps L).

(** ** Micro-steps compose to their map *)

Section Compose.

Variables (T : Type) (zero one minus : T) (add mul : T -> T -> T) (same : T -> T -> bool) (constant : Q -> T).

(** Rows of (A | B): an affine function of H each. *)
Definition unit_rows (n : nat) : list (list T) := map (fun i => repeat zero i ++ one :: repeat zero (n - i)) (seq 0 n).

Definition rows (m : affine T) : list (list T) := map (fun row => fst row ++ [snd row]) (combine (matrix m) (offset m)).

Definition combination (v : list T) (M : list (list T)) : list T :=
  fold_right (fun ar sum => plus add (map (mul (fst ar)) (snd ar)) sum) [] (combine v M).

Definition step_rows (n : nat) (M : list (list T)) (s : step T) : list (list T) :=
  let c := plus add (repeat zero n ++ [write s]) (map (mul (mul minus (scale s))) (combination (direction s) M)) in
  map (fun ar => plus add (snd ar) (map (mul (fst ar)) c)) (combine (direction s) M).

Definition step_is_contraction (s : step T) : bool :=
  same (mul (scale s) (dot zero add mul (direction s) (direction s))) (constant (beta s)) &&
  Qle_bool 0 (beta s) && Qle_bool (beta s) 2 &&
  negb (forallb (same zero) (direction s)) && (negb (Qle_bool (beta s) 0) || same zero (write s)).

Definition composes (n : nat) (m : affine T) : bool :=
  match steps m with
  | None => true
  | Some ss => forallb step_is_contraction ss &&
      same_vector (same_vector same) (fold_left (step_rows n) ss (unit_rows n)) (rows m)
  end.

End Compose.

(** ** The whole network *)

Definition hand_to_machine (M : automaton) (x q z : N) : option N :=
  match next M x q with
  | Some q' => if N.eqb q' z then Some z else None
  | None => None
  end.

Definition hand_to_layer (ls : map1 letter) (x p z : N) : option N :=
  match get ls z with
  | Some l => if N.eqb (reads l) x && N.eqb (before l) p then Some (after l) else None
  | None => None
  end.

Fixpoint layers_are_right (low : list Q) (M : automaton) (Ls : list (layer (list Q))) : bool :=
  match Ls with
  | [] => true
  | L :: above =>
    match above with
    | [] => layer_is_right low L (hand_to_machine M) (start M)
    | L' :: _ => layer_is_right low L (hand_to_layer (array (letters L'))) 0
    end && layers_are_right low M above
  end.

(** The first layer reads the alphabet, in order, and has one place. *)
Definition reads_alphabet (k : N) (ls : list letter) : bool :=
  long k ls &&
  forallb (fun yl => N.eqb (reads (snd yl)) (fst yl) && N.eqb (before (snd yl)) 0 && N.eqb (after (snd yl)) 0)
    (numbered 0 ls).

Definition steps_are_right (low : list Q) (L : layer (list Q)) : bool :=
  forallb (composes (normal low []) (normal low [1%Q]) (normal low [(-1)%Q]) (add_normal low) (mul_normal low)
    (same_vector Qsame)
                    (fun q => normal low [q]) (N.to_nat (width L))) (maps L).

Definition check_normal (low : list Q) (net : network (list Q)) : bool :=
  N.ltb 0 (alphabet net) && automaton_is_total (alphabet net) (machine net) &&
  match layers net with [] => false | L :: _ => reads_alphabet (alphabet net) (letters L) end &&
  layers_have_shape (alphabet net) (size (machine net)) (layers net) &&
  forallb (entries_pass (is_real low)) (layers net) &&
  forallb (steps_are_right low) (layers net) &&
  layers_are_right low (machine net) (layers net).

(** Coefficients below the leading 1 of the field's cyclotomic polynomial. *)
Definition low_of (n : N) : option (list Q) :=
  if (N.leb 1 n && N.leb n 10000)%bool
  then option_map (fun p => map inject_Z (removelast p)) (cyclotomic (N.to_nat n))
  else None.

(** An entry is written with at most as many coefficients as the field's degree. *)
Definition check (net : network (list Q)) : bool :=
  match low_of (field net) with
  | Some low =>
    forallb (entries_pass (fun p => Nat.leb (length p) (length low))) (layers net) &&
    check_normal low (network_entries (normal low) net)
  | None => false
  end.

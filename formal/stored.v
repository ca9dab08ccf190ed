(** * A checker of stored networks: right at every length in floating point

    Definitions: [machine_by] and [machine_of], a stored layer with its tables; [layer_is_stored],
        its shape and its numbers; [stored_is_right], the checker;
    [first_rounding], the first operation that rounds, on which nothing depends; [never_rounds],
        the same check where no operation may. *)

From Coq Require Import ZArith NArith List Bool SpecFloat FMapPositive.
From lemmata Require Import checker float_closure stored_network.
Import ListNotations.

Set Implicit Arguments.

(** ** Numbers *)

Definition same_number (x y : spec_float) : bool :=
  match x, y with
  | S754_zero s, S754_zero s' => Bool.eqb s s'
  | S754_infinity s, S754_infinity s' => Bool.eqb s s'
  | S754_nan, S754_nan => true
  | S754_finite s m e, S754_finite s' m' e' => Bool.eqb s s' && Z.eqb (Zpos m) (Zpos m') && Z.eqb e e'
  | _, _ => false
  end.

Fixpoint same_numbers (u v : list spec_float) : bool :=
  match u, v with
  | [], [] => true
  | x :: u', y :: v' => same_number x y && same_numbers u' v'
  | _, _ => false
  end.

Definition dyadic_eq (a b : dyadic) : bool := let e := Z.min (snd a) (snd b) in Z.eqb (over e a) (over e b).
Definition dyadic_sum (a b : dyadic) : dyadic := let e := Z.min (snd a) (snd b) in (over e a + over e b, e)%Z.
Definition dyadic_product (a b : dyadic) : dyadic := (fst a * fst b, snd a + snd b)%Z.

(** The format has the number. *)
Definition held (F : format) (d : dyadic) : bool :=
  match dyadic_of (in_format F d) with Some d' => dyadic_eq d d' | None => false end.

(** ** Layers *)

Definition bucket_of_floats (h : list spec_float) : positive :=
  N.succ_pos (Z.to_N (fold_left (fun a x =>
    match x with
    | S754_zero s => Z.modulo (a * 31 + (if s then 3 else 1)) 1073741824
    | S754_finite s m e => Z.modulo (a * 31 + (if s then 11 else 5) * Zpos m + 7 * e) 1073741824
    | _ => a
    end) h 17%Z)).

(** A stored layer that begins in a state and whose maps act by [move]. *)
Definition machine_by (T : Type) (move : transition T -> list spec_float ->
    option (list spec_float)) (state : list spec_float)
    (L : stored_layer T) : machine (list spec_float) :=
  let transitionA := array (transitions L) in
  let followingA := array (map (@array _) (following L)) in
  {| begins := state;
     go := fun f h => match get transitionA f with Some m => move m h | None => None end;
     tell := fun f h => match get transitionA f with Some m => nearest (unit_exponent m) (codes m) h | None => None end;
     reading := layer_letters L;
     hands_on := fun y k =>
       match get followingA y with
       | Some row => match get row k with Some (Some z) => Some z | _ => None end
       | None => None
       end |}.

Definition machine_of (p : path) (F : format) (L : stored_layer spec_float) : machine (list spec_float) :=
  machine_by (moved p F) (first_state L) L.

Definition micro_step_is_stored (F : format) (n : N) (s : micro_step dyadic) : bool :=
  long n (key_vector s) && forallb (held F) (key_vector s) && held F (strength s) && held F (value s).

Definition transition_is_stored (F : format) (n : N) (m : transition dyadic) : bool :=
  long n (weights m) && forallb (long n) (weights m) && long n (bias m) && forallb (long n) (codes m) &&
      Z.leb (Z.abs (unit_exponent m)) 5000 &&
  forallb (forallb (held F)) (weights m) && forallb (held F) (bias m) && forallb (forallb (fun c => held binary64 (c,
      unit_exponent m))) (codes m) &&
  match micro_steps m with None => true | Some ss => forallb (micro_step_is_stored F n) ss end.

(** Matrices are square, and the format has all numbers, binary64 those of the codes. *)
Definition layer_is_stored (F : format) (L : stored_layer dyadic) : bool :=
  let n := count (first_state L) in
  N.ltb 0 n && forallb (held F) (first_state L) && forallb (transition_is_stored F n) (transitions L).

Definition machines_of (p : path) (F : format) (net : stored_network) : list (machine (list spec_float)) :=
  map (fun L => machine_of p F (in_numbers F L)) (stored_layers net).

Definition stored_surveys (p : path) (F : format) (most : N) (net : stored_network) : list (survey (list spec_float)) :=
  surveys same_numbers bucket_of_floats most (target net) (machines_of p F net).

(** What was found by any search is checked here. *)
Definition stored_is_right (p : path) (F : format) (net : stored_network) (found : list (survey (list spec_float))) :
    bool :=
  forallb (layer_is_stored F) (stored_layers net) &&
      stack_is_closed same_numbers (input_letters net) (target net) (machines_of p F net) found.

(** ** The first operation that rounds *)

Inductive cause := Rounds | Underflows | Overflows.

(** In the row i or for the micro-step j: the product in column c, the sum up to column c, the sum with the bias;
    then the delta rule's
    difference from the value, its product with the strength, the change of entry i, and the new entry. *)
Inductive operation :=
  | Product (i c : N) | PartialSum (i c : N) | LastSum (i : N) | Difference (j : N) | Strength (j : N) | Change (j i
      : N) | NewEntry (j i : N).

Section Rounding.

Variable F : format.

Definition cause_of (exactly : option dyadic) (r : spec_float) : option cause :=
  match exactly, dyadic_of r with
  | Some d, Some d' =>
    if dyadic_eq d d' then None
    else let least := emin (prec F) (emax F) in
      if Z.leb least (snd d) || Z.eqb (Z.modulo (fst d) (2 ^ (least - snd d))) 0 then Some Rounds else Some Underflows
  | _, _ => Some Overflows
  end.

Definition both (f : dyadic -> dyadic -> dyadic) (x y : spec_float) : option dyadic :=
  match dyadic_of x, dyadic_of y with Some a, Some b => Some (f a b) | _, _ => None end.

Definition sum_cause (x y : spec_float) : option cause := cause_of (both dyadic_sum x y) (add F x y).
Definition product_cause (x y : spec_float) : option cause := cause_of (both dyadic_product x y) (mul F x y).
Definition difference_cause (x y : spec_float) : option cause := cause_of (both dyadic_sum x (SFopp y)) (sub F x y).

Definition named (A : Type) (op : A) (why : option cause) : option (A * cause) := option_map (pair op) why.

Fixpoint first_some (A B : Type) (f : N -> A -> option B) (i : N) (l : list A) : option B :=
  match l with
  | [] => None
  | a :: l' => match f i a with Some b => Some b | None => first_some f (N.succ i) l' end
  end.

(** The sum from the left of what is left of a row. *)
Fixpoint partial_sums (op : N -> operation) (c : N) (total : spec_float) (terms : list spec_float) : option
    (operation * cause) :=
  match terms with
  | [] => None
  | t :: others => match sum_cause total t with Some why => Some (op c, why) | None =>
      partial_sums op (N.succ c) (add F total t) others end
  end.

Definition dot_rounding (i : N) (u v : list spec_float) : option (operation * cause) :=
  match first_some (fun c ab => named (Product i c) (product_cause (fst ab) (snd ab))) 0 (combine u v) with
  | Some found => Some found
  | None => match products F u v with [] => None | t :: others => partial_sums (PartialSum i) 1 t others end
  end.

Definition loop_rounding (m : transition spec_float) (h : list spec_float) : option (operation * cause) :=
  first_some (fun i rb =>
    match dot_rounding i (fst rb) h with
    | Some found => Some found
    | None => named (LastSum i) (sum_cause (in_order F (products F (fst rb) h)) (snd rb))
    end) 0 (combine (weights m) (bias m)).

Definition micro_rounding (j : N) (h : list spec_float) (s : micro_step spec_float) : option (operation * cause) :=
  match dot_rounding j (key_vector s) h with
  | Some found => Some found
  | None =>
    let d := in_order F (products F (key_vector s) h) in
    let v := sub F (value s) d in
    let w := mul F (strength s) v in
    match difference_cause (value s) d with
    | Some why => Some (Difference j, why)
    | None =>
      match product_cause (strength s) v with
      | Some why => Some (Strength j, why)
      | None =>
        first_some (fun i kx =>
          match product_cause (fst kx) w with
          | Some why => Some (Change j i, why)
          | None => named (NewEntry j i) (sum_cause (snd kx) (mul F (fst kx) w))
          end) 0 (combine (key_vector s) h)
      end
    end
  end.

Fixpoint micros_rounding (j : N) (h : list spec_float) (ss : list (micro_step spec_float)) : option (operation *
    cause) :=
  match ss with
  | [] => None
  | s :: ss' => match micro_rounding j h s with Some found => Some found | None =>
      micros_rounding (N.succ j) (micro_moved F h s) ss' end
  end.

Definition step_rounding (p : path) (m : transition spec_float) (h : list spec_float) : option (operation * cause) :=
  match p with
  | Loop => loop_rounding m h
  | Delta => match micro_steps m with Some ss => micros_rounding 0 h ss | None => None end
  end.

(** The states of a layer by number, the first that was met first. *)
Definition states_met (s : survey (list spec_float)) : list (list spec_float) :=
  flat_map (fun i => match get (listed s) (N.of_nat i) with Some h => [h] | None =>
      [] end) (seq 0 (N.to_nat (known_states s))).

(** The first one met in a layer: the state's number, the map, the operation and why it is not exact. *)
Definition layer_rounding (p : path) (L : stored_layer spec_float) (s : survey (list spec_float))
    : option (N * N * (operation * cause)) :=
  first_some (fun i h =>
    first_some (fun f m => option_map (pair (i, f))
      match get2 (moved_to s) i f with Some _ => step_rounding p m h | None =>
          None end) 0 (transitions L)) 0 (states_met s).

End Rounding.

(** The same of the first layer that has one; layers from 0. *)
Definition first_rounding (p : path) (F : format) (net : stored_network) (found : list (survey (list spec_float))) :
    option (N * (N * N * (operation * cause))) :=
  first_some (fun i Ls => option_map (pair i) (layer_rounding F p (in_numbers F (fst Ls)) (snd Ls))) 0 (combine
      (stored_layers net) found).

(** ** No operation rounds *)

Definition exactly_moved (p : path) (F : format) (m : transition spec_float) (h : list spec_float) : option (list
    spec_float) :=
  match step_rounding F p m h with None => moved p F m h | Some _ => None end.

Definition exact_machine (p : path) (F : format) (L : stored_layer spec_float) : machine (list spec_float) :=
  machine_by (exactly_moved p F) (first_state L) L.

Definition never_rounds (p : path) (F : format) (net : stored_network) (found : list (survey (list spec_float))) :
    bool :=
  stack_is_closed same_numbers (input_letters net) (target net) (map (fun L =>
      exact_machine p F (in_numbers F L)) (stored_layers net))
    found.

(** * Networks as torch stores them, run in floating point

    Definitions: [format] (binary64, binary32, binary16, bfloat16), [dyadic], [stored_layer], [stored_network],
        and what such a network does:
    [moved] (one letter, on a [path]), [nearest] (the decoder), [float_outputs] (the outputs along a word),
        [float_run], [right_at_every_length].
    Each operation is that of the standard library's SpecFloat: IEEE 754, rounded to nearest,
        ties to even. Nothing here is approximate. *)

From Coq Require Import ZArith NArith List Bool SpecFloat.
From lemmata Require Import checker_network.
Import ListNotations.

Set Implicit Arguments.

(** ** Numbers *)

(** Bits of a significand, and the exponent of the infinities. *)
Record format := Format { prec : Z; emax : Z }.
Definition binary64 := Format 53 1024.
Definition binary32 := Format 24 128.
Definition binary16 := Format 11 16.
Definition bfloat16 := Format 8 128.

(** (m, e) is m 2^e. *)
Definition dyadic := (Z * Z)%type.

Definition in_format (F : format) (d : dyadic) : spec_float := binary_normalize (prec F) (emax F) (fst d) (snd d) false.

(** None for an infinity, and for what is not a number. *)
Definition dyadic_of (x : spec_float) : option dyadic :=
  match x with
  | S754_zero _ => Some (0, 0)%Z
  | S754_finite s m e => Some (cond_Zopp s (Zpos m), e)
  | _ => None
  end.

(** m 2^e as a multiple of 2^g, for g <= e. *)
Definition over (g : Z) (d : dyadic) : Z := (fst d * 2 ^ (snd d - g))%Z.

(** ** What is stored *)

(** H -> H + key_vector strength (value - key_vector^T H), a micro-step of the delta rule. *)
Record micro_step (T : Type) := MicroStep { key_vector : list T; strength : T; value : T }.

(** H -> weights H + bias; the states that it leads to as multiples of 2^unit; its micro-steps, if it has some. *)
Record transition (T : Type) := Transition
  { weights : list (list T); bias : list T; unit_exponent : Z; codes : list (list Z);
      micro_steps : option (list (micro_step T)) }.

(** [following] has for each letter what is handed on in each of the codes of its map. *)
Record stored_layer (T : Type) := StoredLayer
  { first_state : list T; transitions : list (transition T); layer_letters : list letter;
      following : list (list (option N)) }.

Record stored_network := StoredNetwork { input_letters : N; target : automaton;
    stored_layers : list (stored_layer dyadic) }.

Section Stored.

Variable F : format.

Definition stored_micro (s : micro_step dyadic) : micro_step spec_float :=
  MicroStep (map (in_format F) (key_vector s)) (in_format F (strength s)) (in_format F (value s)).
Definition stored_transition (m : transition dyadic) : transition spec_float :=
  Transition (map (map (in_format F)) (weights m)) (map (in_format F) (bias m)) (unit_exponent m) (codes m)
    (option_map (map stored_micro) (micro_steps m)).
Definition in_numbers (L : stored_layer dyadic) : stored_layer spec_float :=
  StoredLayer (map (in_format F) (first_state L)) (map stored_transition (transitions L)) (layer_letters L)
      (following L).

End Stored.

(** ** What a letter does *)

Section Arithmetic.

Variable F : format.

Definition add : spec_float -> spec_float -> spec_float := SFadd (prec F) (emax F).
Definition sub : spec_float -> spec_float -> spec_float := SFsub (prec F) (emax F).
Definition mul : spec_float -> spec_float -> spec_float := SFmul (prec F) (emax F).

(** The sum from the left, each partial sum rounded. *)
Definition in_order (terms : list spec_float) : spec_float :=
  match terms with
  | [] => S754_zero false
  | t :: others => fold_left add others t
  end.

Definition products (u v : list spec_float) : list spec_float := map (fun ab => mul (fst ab) (snd ab)) (combine u v).

(** The loop: products summed from the left, the bias last. *)
Definition loop_moved (m : transition spec_float) (h : list spec_float) : list spec_float :=
  map (fun rb => add (in_order (products (fst rb) h)) (snd rb)) (combine (weights m) (bias m)).

Definition micro_moved (h : list spec_float) (s : micro_step spec_float) : list spec_float :=
  let w := mul (strength s) (sub (value s) (in_order (products (key_vector s) h))) in
  map (fun kx => add (snd kx) (mul (fst kx) w)) (combine (key_vector s) h).

(** The delta rule, micro-step by micro-step; None for a map that has none. *)
Definition delta_moved (m : transition spec_float) (h : list spec_float) : option (list spec_float) :=
  option_map (fun steps => fold_left micro_moved steps h) (micro_steps m).

End Arithmetic.

Inductive path := Loop | Delta.

Definition moved (p : path) (F : format) (m : transition spec_float) (h : list spec_float) : option (list spec_float) :=
  match p with
  | Loop => Some (loop_moved F m h)
  | Delta => delta_moved F m h
  end.

(** ** The decoder: the nearest code, strictly, by the largest entry of the difference

    The distances are exact; a decoder that computes them in binary64 finds the same code,
        because the others are farther by more than a 2^-50th. *)

Fixpoint dyadics_of (h : list spec_float) : option (list dyadic) :=
  match h with
  | [] => Some []
  | x :: others => match dyadic_of x, dyadics_of others with Some d, Some ds => Some (d :: ds) | _, _ => None end
  end.

(** In units of 2^g: a code of multiples of 2^unit, a state of multiples of 2^g. *)
Definition distance (finer : Z) (code h : list Z) : Z :=
  fold_left (fun d ch => Z.max d (Z.abs (fst ch * finer - snd ch)))%Z (combine code h) 0%Z.

Definition farther (d d' : Z) : bool := Z.ltb (1125899906842625 * d) (1125899906842624 * d').

(** The number of the code that is nearer than all others; None if there is none,
    or if an entry is infinite or not a number. *)
Definition nearest (unit : Z) (cs : list (list Z)) (h : list spec_float) : option N :=
  match dyadics_of h with
  | None => None
  | Some ds =>
    let g := fold_left Z.min (map snd ds) unit in
    let state := map (over g) ds in
    let finer := (2 ^ (unit - g))%Z in
    let distances := combine (map N.of_nat (seq 0 (length cs))) (map (fun c => distance finer c state) cs) in
    option_map fst (find (fun d => forallb (fun other => N.eqb (fst d) (fst other) ||
        farther (snd d) (snd other)) distances) distances)
  end.

(** ** What a stack does *)

(** A layer reads y: its state afterwards, and what it hands on. *)
Definition float_layer_step (p : path) (F : format) (L : stored_layer spec_float) (h : list spec_float) (y : N) :
    option (list spec_float * N) :=
  match at_ (layer_letters L) y with
  | None => None
  | Some l =>
    match at_ (transitions L) (uses l), at_ (following L) y with
    | Some m, Some row =>
      match moved p F m h with
      | None => None
      | Some h' =>
        match nearest (unit_exponent m) (codes m) h' with
        | None => None
        | Some k => match at_ row k with Some (Some z) => Some (h', z) | _ => None end
        end
      end
    | _, _ => None
    end
  end.

(** The stack reads y: the states afterwards, and the output of the last layer. *)
Fixpoint float_stack_step (p : path) (F : format) (Ls : list (stored_layer spec_float)) (hs : list (list spec_float))
    (y : N)
    : option (list (list spec_float) * N) :=
  match Ls, hs with
  | [], [] => Some ([], y)
  | L :: Ls', h :: hs' =>
    match float_layer_step p F L h y with
    | None => None
    | Some (h', z) => option_map (fun up => (h' :: fst up, snd up)) (float_stack_step p F Ls' hs' z)
    end
  | _, _ => None
  end.

(** The outputs after every letter of a word; None if a letter, a map or a state has no entry. *)
Fixpoint float_outputs (p : path) (F : format) (Ls : list (stored_layer spec_float)) (hs : list (list spec_float))
    (word : list N) : option (list N) :=
  match word with
  | [] => Some []
  | x :: word' =>
    match float_stack_step p F Ls hs x with
    | None => None
    | Some (hs', q) => option_map (cons q) (float_outputs p F Ls hs' word')
    end
  end.

Definition float_run (p : path) (F : format) (net : stored_network) (word : list N) : option (list N) :=
  let Ls := map (in_numbers F) (stored_layers net) in
  float_outputs p F Ls (map (@first_state _) Ls) word.

(** After every letter of every word the output is the automaton's state. *)
Definition right_at_every_length (p : path) (F : format) (net : stored_network) : Prop :=
  forall word, Forall (fun x => (x < input_letters net)%N) word ->
  exists qs, float_run p F net word = Some qs /\ visited (target net) (start (target net)) word = Some qs.

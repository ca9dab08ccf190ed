(** * Chunks: the sums of the WY form, bounded by finitely many vectors

    A chunk carries out many micro-steps at once, by a triangular inverse T = (I + A)^-1, where A is the strictly lower
    part of diag(beta) K K^T. All its tensors are read off five kinds of orbits, each at every place of a letter: of the
    keys after their micro-steps, of the keys from any place, of the unit vectors, these without values; and of 0 and of
    the start with values. If these close, sums are bounded.

    Definitions: [arrow], a micro-step from place to place; [micro_by], what it does in exact arithmetic;
        [chunk_sets], the orbits; [bound], a power of two and how many times it; [chunk_checks],
    what is asked of each tensor;
    [chunk_is_exact], the criterion; [uncovered_chunk], the first tensor that it does not cover. *)

From Coq Require Import ZArith NArith List Bool SpecFloat FMapPositive.
From lemmata Require Import checker float_closure stored_network stored sums.
Import ListNotations.

Set Implicit Arguments.

(** ** Places: 0 is between letters *)

Definition arrow := (N * micro_step dyadic * N)%type.

Definition from (a : arrow) : N := fst (fst a).
Definition step_of (a : arrow) : micro_step dyadic := snd (fst a).
Definition to (a : arrow) : N := snd a.

(** A micro-step that changes nothing: words are filled up with it, and states are read in it. *)
Definition idle (n : nat) : micro_step dyadic := MicroStep (repeat (0, 0)%Z n) (0, 0)%Z (0, 0)%Z.

(** The micro-steps of a map, over new places back to 0. *)
Fixpoint arrows_along (here new : N) (ss : list (micro_step dyadic)) : list arrow :=
  match ss with
  | [] => []
  | [s] => [(here, s, 0%N)]
  | s :: ss' => (here, s, new) :: arrows_along new (N.succ new) ss'
  end.

Fixpoint arrows_of_maps (new : N) (maps : list (list (micro_step dyadic))) : list arrow :=
  match maps with
  | [] => []
  | ss :: others => arrows_along 0 new ss ++ arrows_of_maps (new + count ss) others
  end.

(** None for a map that has no micro-steps. *)
Definition arrows_of (L : stored_layer dyadic) : option (list arrow) :=
  option_map (fun maps => (0%N, idle (length (first_state L)), 0%N) :: arrows_of_maps 1 maps)
    (all_some (map (@micro_steps _) (transitions L))).

(** The same micro-steps with values 0. *)
Definition without_value (a : arrow) : arrow :=
  (from a, MicroStep (key_vector (step_of a)) (strength (step_of a)) (0, 0)%Z, to a).

(** ** What a micro-step does in exact arithmetic *)

(** beta (v - <k, x>). *)
Definition answer (s : micro_step dyadic) (x : list dyadic) : dyadic :=
  canonical (dyadic_product (strength s)
    (dyadic_sum (value s) (dyadic_opp (dyadic_total (terms_of (key_vector s) x))))).

Definition micro_by (s : micro_step dyadic) (x : list dyadic) : list dyadic :=
  let w := answer s x in
  map (fun kx => canonical (dyadic_sum (snd kx) (dyadic_product (fst kx) w))) (combine (key_vector s) x).

(** ** Vectors at places *)

Definition located := (N * list dyadic)%type.

Definition same_located (x y : located) : bool := N.eqb (fst x) (fst y) && same_vector same_dyadic (snd x) (snd y).

Definition bucket_of_located (x : located) : positive :=
  N.succ_pos (Z.to_N (fold_left (fun a d =>
      Z.modulo (a * 31 + 7 * fst d + snd d) 1073741824) (snd x) (17 + Z.of_N (fst x))%Z)).

Definition catalogue := PositiveMap.t (list located).

Definition all_located (c : catalogue) : list located := flat_map snd (PositiveMap.elements c).

Definition listed_located (c : catalogue) (x : located) : bool :=
  match PositiveMap.find (bucket_of_located x) c with Some l => existsb (same_located x) l | None => false end.

(** Search, on which nothing depends: numbers of more than 26 bits are left. *)
Fixpoint close_located (arrows : list arrow) (fuel : nat) (waiting : list located) (c : catalogue) : catalogue :=
  match fuel, waiting with
  | S fuel', x :: rest =>
    if listed_located c x || negb (forallb (fun d =>
      Z.ltb (Z.abs (fst d)) (2 ^ 26) && Z.leb (Z.abs (snd d)) 200) (snd x))
    then close_located arrows fuel' rest c
    else
      let b := bucket_of_located x in
      let c' := PositiveMap.add b (x :: match PositiveMap.find b c with Some l => l | None => [] end) c in
      let next := flat_map (fun a =>
        if N.eqb (from a) (fst x) then [(to a, micro_by (step_of a) (snd x))] else []) arrows in
      close_located arrows fuel' (next ++ rest) c'
  | _, _ => c
  end.

Record chunk_sets := ChunkSets
  { of_keys : catalogue; of_any_keys : catalogue; of_units : catalogue; of_zero : catalogue; of_start : catalogue }.

Definition unit_vector (n x : nat) : list dyadic :=
  map (fun y => if Nat.eqb x y then (1, 0)%Z else (0, 0)%Z) (seq 0 n).

Definition keys_at (arrows : list arrow) : list located :=
  map (fun a => (to a, map canonical (key_vector (step_of a)))) arrows.

Definition any_keys_at (arrows : list arrow) : list located :=
  flat_map (fun a => map (fun a' => (from a, map canonical (key_vector (step_of a')))) arrows) arrows.

Definition units_at (n : nat) (arrows : list arrow) : list located :=
  flat_map (fun a => map (fun x => (from a, unit_vector n x)) (seq 0 n)) arrows.

Definition zeros_at (n : nat) (arrows : list arrow) : list located :=
  map (fun a => (from a, repeat (0, 0)%Z n)) arrows.

Definition start_of (L : stored_layer dyadic) : located := (0%N, map canonical (first_state L)).

Definition no_sets : chunk_sets :=
  let none := PositiveMap.empty (list located) in ChunkSets none none none none none.

Definition sets_found (most : N) (L : stored_layer dyadic) : chunk_sets :=
  match arrows_of L with
  | None => no_sets
  | Some arrows =>
    let n := length (first_state L) in
    let fuel := N.to_nat (most * (2 + count (transitions L))) in
    let close := fun arrows found => close_located arrows fuel found (PositiveMap.empty _) in
    let silent := map without_value arrows in
    ChunkSets (close silent (keys_at arrows)) (close silent (any_keys_at arrows)) (close silent (units_at n arrows))
      (close arrows (zeros_at n arrows)) (close arrows [start_of L])
  end.

(** The vectors that are asked for are listed, and each arrow leads from listed to listed ones. *)
Definition closed_set (n : nat) (arrows : list arrow) (first : list located) (c : catalogue) : bool :=
  forallb (fun x => Nat.eqb (length (snd x)) n) (all_located c) && forallb (listed_located c) first &&
  forallb (fun x => forallb (fun a =>
    if N.eqb (from a) (fst x) then listed_located c (to a, micro_by (step_of a) (snd x)) else true) arrows)
    (all_located c).

(** beta (v - <k, x>) for all listed vectors and the arrows that leave their places. *)
Definition answers (arrows : list arrow) (c : catalogue) : list dyadic :=
  flat_map (fun x => flat_map (fun a => if N.eqb (from a) (fst x) then [answer (step_of a) (snd x)] else []) arrows)
    (all_located c).

(** The same for all listed vectors and all arrows. *)
Definition all_answers (arrows : list arrow) (c : catalogue) : list dyadic :=
  flat_map (fun x => map (fun a => answer (step_of a) (snd x)) arrows) (all_located c).

(** ** Bounds *)

(** (g, m): a multiple of 2^g, and at most m times it. *)
Definition bound := (Z * Z)%type.

Definition bound_of (ds : list dyadic) : bound :=
  let g := match coarsest None ds with Some g => g | None => 0%Z end in
  (g, fold_right (fun d m => Z.max (magnitude g d) m) 0%Z ds).

Definition in_bound (b : bound) (d : dyadic) : bool := is_multiple (fst b) d && Z.leb (magnitude (fst b) d) (snd b).

Definition product_bound (b b' : bound) : bound := (fst b + fst b', snd b * snd b')%Z.

Definition common (b b' : bound) : Z :=
  if Z.eqb (snd b) 0 then (if Z.eqb (snd b') 0 then 0%Z else fst b')
  else if Z.eqb (snd b') 0 then fst b else Z.min (fst b) (fst b').

Definition finer (g : Z) (b : bound) : Z := if Z.eqb (snd b) 0 then 0%Z else (Z.abs (snd b) * 2 ^ (fst b - g))%Z.

(** So many terms within one bound and so many within another: their sum is exact in binary32 in any order. *)
Definition sums_fit (many : Z) (b : bound) (others : Z) (b' : bound) : bool :=
  let g := common b b' in
  let total := (many * finer g b + others * finer g b')%Z in
  Z.leb (emin (prec binary32) (emax binary32)) g && Z.leb total (2 ^ prec binary32) &&
  Z.ltb total (2 ^ (emax binary32 - g)).

Definition nothing : bound := (0, 0)%Z.

(** ** The criterion *)

(** beta K, beta V, A, T, products by which blocks of T are merged, W = T beta K, U = T beta V, the new values U - W S,
    tril(Q K^T), and the states. *)
Inductive tensor :=
  | ScaledKeys | ScaledValues | Gram | Inverse | Blocks | FromStates | FromValues | NewValues | Attention | States.

(** An orbit does not close, a number is none of the format, or a sum may not be exact in any order. *)
Inductive uncovered_part := Shape | Orbit (of : tensor) | Number (of : tensor) | SumOf (of : tensor).

Definition stored_in (F : format) (ds : list dyadic) : bool :=
  forallb (held F) ds && forallb (in_bound (bound_of ds)) ds.

Definition scaled_key (s : micro_step dyadic) : list dyadic := map (dyadic_product (strength s)) (key_vector s).

(** In chunks of at most [most] micro-steps. *)
Definition chunk_checks (most : N) (F : format) (L : stored_layer dyadic) (arrows : list arrow) (s : chunk_sets)
    : list (uncovered_part * bool) :=
  let n := length (first_state L) in
  let silent := map without_value arrows in
  let steps := map step_of arrows in
  let keys := flat_map (@key_vector _) steps in
  let scaled := flat_map scaled_key steps in
  let values := map (fun t => dyadic_product (strength t) (value t)) steps in
  let gram := flat_map (fun t => map (fun r => dyadic_total (terms_of (scaled_key t) (key_vector r))) steps) steps in
  let inverse := (1, 0)%Z :: answers silent (of_keys s) in
  let blocks := all_answers silent (of_keys s) ++ answers silent (of_any_keys s) in
  let reads := answers silent (of_units s) in
  let own := answers arrows (of_zero s) in
  let new := answers arrows (of_start s) in
  let states := flat_map snd (all_located (of_start s)) in
  let b := bound_of in
  let chunk := Z.of_N most in
  let width := Z.of_nat n in
  [(Shape, forallb (fun t => Nat.eqb (length (key_vector t)) n) steps);
   (Orbit Inverse, closed_set n silent (keys_at arrows) (of_keys s));
   (Orbit Blocks, closed_set n silent (any_keys_at arrows) (of_any_keys s));
   (Orbit FromStates, closed_set n silent (units_at n arrows) (of_units s));
   (Orbit FromValues, closed_set n arrows (zeros_at n arrows) (of_zero s));
   (Orbit States, closed_set n arrows [start_of L] (of_start s));
   (Number Attention, stored_in F keys);
   (Number ScaledKeys, stored_in F scaled);
   (SumOf ScaledKeys, sums_fit 1 (b scaled) 0 nothing);
   (Number ScaledValues, stored_in F values);
   (SumOf ScaledValues, sums_fit 1 (b values) 0 nothing);
   (Number Gram, stored_in F gram);
   (SumOf Gram, sums_fit width (product_bound (b scaled) (b keys)) 0 nothing);
   (SumOf Gram, sums_fit width (product_bound (b keys) (b keys)) 0 nothing);
   (SumOf Gram, sums_fit 1 (b gram) 0 nothing);
   (Number Inverse, stored_in F inverse);
   (SumOf Inverse, sums_fit chunk (product_bound (b gram) (b inverse)) 0 nothing);
   (Number Blocks, forallb (in_bound (b blocks)) blocks);
   (SumOf Blocks, sums_fit chunk (product_bound (b inverse) (b blocks)) 0 nothing);
   (Number FromStates, stored_in F reads);
   (SumOf FromStates, sums_fit chunk (product_bound (b inverse) (b scaled)) 0 nothing);
   (Number FromValues, stored_in F own);
   (SumOf FromValues, sums_fit chunk (product_bound (b inverse) (b values)) 0 nothing);
   (Number States, stored_in F states);
   (Number NewValues, stored_in F new);
   (SumOf NewValues, sums_fit 1 (b own) width (product_bound (b reads) (b states)));
   (SumOf Attention, sums_fit width (b keys) 0 nothing);
   (SumOf States, sums_fit (Z.max 1 width) (b states) chunk (product_bound (b keys) (b new)))].

Definition chunk_is_exact (most : N) (F : format) (L : stored_layer dyadic) (s : chunk_sets) : bool :=
  match arrows_of L with
  | None => false
  | Some arrows =>
    N.ltb 0 most &&
    forallb (fun m => match micro_steps m with Some (_ :: _) => true | _ => false end) (transitions L) &&
    forallb snd (chunk_checks most F L arrows s)
  end.

(** The first check that fails, on which nothing depends. *)
Definition uncovered_chunk (most : N) (F : format) (L : stored_layer dyadic) (s : chunk_sets) : option uncovered_part :=
  match arrows_of L with
  | None => Some Shape
  | Some arrows => option_map fst (find (fun check => negb (snd check)) (chunk_checks most F L arrows s))
  end.

(** ** A letter in exact arithmetic *)

(** Of a state that binary32 and the format have before and after. *)
Definition chunk_exactly (F : format) (m : transition dyadic) (h : list spec_float) : option (list spec_float) :=
  match micro_steps m, dyadics_of h with
  | Some ss, Some ds => as_state F (fold_left (fun x s => micro_by s x) ss ds)
  | _, _ => None
  end.

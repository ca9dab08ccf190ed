(** * Sums in any order: stored networks whose float32 sums are exact however they are taken

    - [fused_micro], [fused_micros], [fused_exactly F m h]: a letter of the delta rule, state and sums in binary32;
    - [affine_map], [composed_maps], [applied], [close_maps], [maps_found]: maps, and their products in any bracketing;
    - [scan_is_exact L c], [scan_exactly m h]: all products of the layer's maps are listed, and exact; a letter by them;
    - [any_path], [orders_machine], [orders_surveys], [any_order_is_right]: the checker, which also knows chunks
          (chunk_sums.v);
    - [fused_uncovered], [uncovered_letter], [uncovered_pair], [uncovered_maps]: the first operation that is refused.

    The criterion on the terms of a sum is in sums.v. *)

From Coq Require Import ZArith NArith List Bool SpecFloat FMapPositive.
From lemmata Require Import checker float_closure stored_network stored sums chunk_sums.
Import ListNotations.

Set Implicit Arguments.

(** ** The delta rule with sums in any order *)

Definition fused_micro (s : micro_step dyadic) (h : list dyadic) : option (list dyadic) :=
  match total_in_any_order binary32 (value s :: map (fun kx =>
      dyadic_opp (dyadic_product (fst kx) (snd kx))) (combine (key_vector s) h)) with
  | None => None
  | Some d =>
    match total_in_any_order binary32 [dyadic_product (strength s) d] with
    | None => None
    | Some w => all_some (map (fun kx => total_in_any_order binary32 [snd kx;
        dyadic_product (fst kx) w]) (combine (key_vector s) h))
    end
  end.

Fixpoint fused_micros (ss : list (micro_step dyadic)) (h : list dyadic) : option (list dyadic) :=
  match ss with
  | [] => Some h
  | s :: ss' => match fused_micro s h with None => None | Some h' => fused_micros ss' h' end
  end.

(** Of a map with its stored numbers; None where the sums are not exact in any order. *)
Definition fused_exactly (F : format) (m : transition dyadic) (h : list spec_float) : option (list spec_float) :=
  match micro_steps m, dyadics_of h with
  | Some ss, Some ds => match fused_micros ss ds with Some ds' => as_state F ds' | None => None end
  | _, _ => None
  end.

(** ** Maps composed in any bracketing: a finite set that is closed under composition *)

Definition affine_map := (list (list dyadic) * list dyadic)%type.

Definition canonical_map (m : affine_map) : affine_map := (map (map canonical) (fst m), map canonical (snd m)).

Definition same_map (m m' : affine_map) : bool :=
  same_vector (same_vector same_dyadic) (fst m) (fst m') && same_vector same_dyadic (snd m) (snd m').

Definition column (A : list (list dyadic)) (k : nat) : list dyadic := map (fun row => nth k row (0, 0)%Z) A.

(** The second map after the first, both n x n, if each sum is exact in any order. *)
Definition composed_maps (n : nat) (m2 m1 : affine_map) : option affine_map :=
  match all_some (map (fun row => all_some (map (fun k =>
      total_in_any_order binary32 (terms_of row (column (fst m1) k))) (seq 0 n))) (fst m2)),
        all_some (map (fun rb => total_in_any_order binary32 (snd rb :: terms_of (fst rb) (snd m1)))
          (combine (fst m2) (snd m2))) with
  | Some A, Some B => Some (canonical_map (A, B))
  | _, _ => None
  end.

Definition applied (m : affine_map) (h : list dyadic) : option (list dyadic) :=
  all_some (map (fun rb => total_in_any_order binary32 (snd rb :: terms_of (fst rb) h)) (combine (fst m) (snd m))).

Definition bucket_of_map (m : affine_map) : positive :=
  N.succ_pos (Z.to_N (fold_left (fun a d =>
      Z.modulo (a * 31 + 7 * fst d + snd d) 1073741824) (concat (fst m) ++ snd m) 17%Z)).

Definition catalogue_of_maps := PositiveMap.t (list affine_map).

Definition all_maps (c : catalogue_of_maps) : list affine_map := flat_map snd (PositiveMap.elements c).

Definition listed_map (c : catalogue_of_maps) (m : affine_map) : bool :=
  match PositiveMap.find (bucket_of_map m) c with Some l => existsb (same_map m) l | None => false end.

(** Search: products of the maps, as many as the fuel allows. *)
Fixpoint close_maps (n : nat) (generators : list affine_map) (fuel : nat) (waiting : list affine_map)
    (c : catalogue_of_maps) : catalogue_of_maps :=
  match fuel, waiting with
  | S fuel', m :: rest =>
    if listed_map c m then close_maps n generators fuel' rest c
    else
      let b := bucket_of_map m in
      let c' := PositiveMap.add b (m :: match PositiveMap.find b c with Some l => l | None => [] end) c in
      let next := flat_map (fun g => match composed_maps n g m with Some m' => [m'] | None => [] end) generators in
      close_maps n generators fuel' (next ++ rest) c'
  | _, _ => c
  end.

Definition map_of (m : transition dyadic) : affine_map := (weights m, bias m).

Definition maps_found (most : N) (L : stored_layer dyadic) : catalogue_of_maps :=
  let generators := map (fun m => canonical_map (map_of m)) (transitions L) in
  close_maps (length (first_state L)) generators (N.to_nat (most * (1 + N.of_nat (length generators)))) generators
    (PositiveMap.empty _).

Definition square (n : nat) (m : affine_map) : bool :=
  Nat.eqb (length (fst m)) n && forallb (fun row => Nat.eqb (length row) n) (fst m) && Nat.eqb (length (snd m)) n.

(** Every map of the layer is listed; two listed maps compose to a listed one, exactly in any order;
    each acts so on the start. *)
Definition scan_is_exact (L : stored_layer dyadic) (c : catalogue_of_maps) : bool :=
  let n := length (first_state L) in
  let all := all_maps c in
  forallb (square n) all && forallb (fun m => listed_map c (canonical_map (map_of m))) (transitions L) &&
  forallb (fun m2 =>
    forallb (fun m1 => match composed_maps n m2 m1 with Some m => listed_map c m | None => false end) all) all &&
  forallb (fun m => match applied m (first_state L) with Some _ => true | None => false end) all.

(** A letter in exact arithmetic, of a state that binary32 has before and after. *)
Definition scan_exactly (m : transition dyadic) (h : list spec_float) : option (list spec_float) :=
  match dyadics_of h with
  | Some ds => as_state binary32 (map (fun rb =>
      dyadic_sum (dyadic_total (terms_of (fst rb) ds)) (snd rb)) (combine (weights m) (bias m)))
  | None => None
  end.

(** ** The checker *)

(** [Chunk most]: micro-steps in chunks of at most so many. *)
Inductive any_path := Fused | Scan | Chunk (most : N).

Definition exactly (p : any_path) (F : format) : transition dyadic -> list spec_float -> option (list spec_float) :=
  match p with Fused => fused_exactly F | Scan => scan_exactly | Chunk _ => chunk_exactly F end.

Definition orders_machine (p : any_path) (F : format) (L : stored_layer dyadic) : machine (list spec_float) :=
  machine_by (exactly p F) (map (in_format binary32) (first_state L)) L.

Definition orders_surveys (p : any_path) (F : format) (most : N) (net : stored_network)
  : list (survey (list spec_float)) :=
  surveys same_numbers bucket_of_floats most (target net) (map (orders_machine p F) (stored_layers net)).

Definition orders_maps (p : any_path) (most : N) (net : stored_network) : list catalogue_of_maps :=
  match p with Scan => map (maps_found most) (stored_layers net) | _ => [] end.

Definition orders_sets (p : any_path) (most : N) (net : stored_network) : list chunk_sets :=
  match p with Chunk _ => map (sets_found most) (stored_layers net) | _ => [] end.

Definition any_order_is_right (p : any_path) (F : format) (net : stored_network)
    (found : list (survey (list spec_float))) (maps : list catalogue_of_maps) (sets : list chunk_sets) : bool :=
  forallb (layer_is_stored F) (stored_layers net) && forallb (layer_is_stored binary32) (stored_layers net) &&
  stack_is_closed same_numbers (input_letters net) (target net) (map (orders_machine p F) (stored_layers net)) found &&
  match p with
  | Fused => true
  | Scan => Nat.eqb (length maps) (length (stored_layers net)) && forallb (fun Lc =>
      scan_is_exact (fst Lc) (snd Lc)) (combine (stored_layers net) maps)
  | Chunk most => Nat.eqb (length sets) (length (stored_layers net)) && forallb (fun Ls =>
      chunk_is_exact most F (fst Ls) (snd Ls)) (combine (stored_layers net) sets)
  end.

(** ** The first sum that the criterion does not cover, on which nothing depends *)

Definition covered (terms : list dyadic) : bool := exact_in_any_order binary32 terms.

Definition fused_uncovered (j : N) (s : micro_step dyadic) (h : list dyadic) : option operation :=
  let terms := value s :: map (fun kx => dyadic_opp (dyadic_product (fst kx) (snd kx))) (combine (key_vector s) h) in
  let w := dyadic_product (strength s) (dyadic_total terms) in
  if negb (covered terms) then Some (Difference j)
  else if negb (covered [w]) then Some (Strength j)
  else first_some (fun i kx => if covered [snd kx;
      dyadic_product (fst kx) w] then None else Some (NewEntry j i)) 0 (combine (key_vector s) h).

Fixpoint fused_uncovered_micros (j : N) (ss : list (micro_step dyadic)) (h : list dyadic) : option operation :=
  match ss with
  | [] => None
  | s :: ss' =>
    match fused_micro s h with
    | None => fused_uncovered j s h
    | Some h' => fused_uncovered_micros (N.succ j) ss' h'
    end
  end.

(** Of a map and a state: the sum; None where all are exact and a format lacks the state,
    or there are no micro-steps. *)
Definition uncovered_letter (m : transition dyadic) (h : list spec_float) : option operation :=
  match micro_steps m, dyadics_of h with
  | Some ss, Some ds => fused_uncovered_micros 0 ss ds
  | _, _ => None
  end.

(** Of two listed maps: the entry of the product, or of the bias. *)
Definition uncovered_pair (n : nat) (m2 m1 : affine_map) : option operation :=
  match first_some (fun i row => first_some (fun k column_of =>
      if covered (terms_of row column_of) then None else Some (Product i k)) 0
    (map (column (fst m1)) (seq 0 n))) 0 (fst m2) with
  | Some op => Some op
  | None =>
      first_some (fun i rb => if covered (snd rb :: terms_of (fst rb) (snd m1)) then None else Some (LastSum i)) 0
        (combine (fst m2) (snd m2))
  end.

Definition uncovered_maps (L : stored_layer dyadic) (c : catalogue_of_maps) : option operation :=
  let n := length (first_state L) in
  let generators := map (fun m => canonical_map (map_of m)) (transitions L) in
  first_some (fun _ m1 => first_some (fun _ m2 => uncovered_pair n m2 m1) 0 generators) 0 (all_maps c).

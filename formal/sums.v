(** * The criterion for sums in any order, and numbers compared by value

    Definitions: [exact_in_any_order], the criterion on the terms of a sum; [total_in_any_order],
        the sum where it holds; [canonical], a number with an odd significand. *)

From Coq Require Import ZArith NArith List Bool SpecFloat FMapPositive.
From lemmata Require Import checker float_closure stored_network stored.
Import ListNotations.

Set Implicit Arguments.

(** ** The criterion: all terms are multiples of 2^g, and their magnitudes add up to at most 2^p of it *)

Fixpoint odd_part (p : positive) (e : Z) : Z :=
  match p with
  | xO q => odd_part q (e + 1)
  | _ => e
  end.

(** The largest exponent of a power of two that divides the number; None for 0. *)
Definition last_bit (d : dyadic) : option Z :=
  match fst d with
  | Z0 => None
  | Zpos p | Zneg p => Some (odd_part p (snd d))
  end.

Definition coarsest (start : option Z) (ds : list dyadic) : option Z :=
  fold_left (fun g d =>
    match g, last_bit d with
    | None, x | x, None => x
    | Some a, Some b => Some (Z.min a b)
    end) ds start.

Definition magnitude (g : Z) (d : dyadic) : Z :=
  if Z.leb g (snd d) then Z.abs (over g d) else (Z.abs (fst d) / 2 ^ (g - snd d))%Z.

(** The number is a multiple of 2^g, and so many times it. *)
Definition is_multiple (g : Z) (d : dyadic) : bool := dyadic_eq (Z.abs (fst d), snd d) (magnitude g d, g).

Definition total_magnitude (g : Z) (ds : list dyadic) : Z := fold_right (fun d s => (magnitude g d + s)%Z) 0%Z ds.

Definition exact_in_any_order (F : format) (terms : list dyadic) : bool :=
  match coarsest None terms with
  | None => forallb (fun d => Z.eqb (fst d) 0) terms
  | Some g =>
    Z.leb (emin (prec F) (emax F)) g && forallb (is_multiple g) terms &&
    Z.leb (total_magnitude g terms) (2 ^ prec F) && Z.ltb (total_magnitude g terms) (2 ^ (emax F - g))
  end.

Definition dyadic_opp (d : dyadic) : dyadic := ((- fst d)%Z, snd d).
Definition dyadic_total (ds : list dyadic) : dyadic := fold_right dyadic_sum (0, 0)%Z ds.

(** The sum, if it is exact in any order. *)
Definition total_in_any_order (F : format) (terms : list dyadic) : option dyadic :=
  if exact_in_any_order F terms then Some (dyadic_total terms) else None.

Fixpoint all_some (A : Type) (l : list (option A)) : option (list A) :=
  match l with
  | [] => Some []
  | None :: _ => None
  | Some a :: others => option_map (cons a) (all_some others)
  end.

(** A state in binary32, if both formats have it. *)
Definition as_state (F : format) (ds : list dyadic) : option (list spec_float) :=
  if forallb (fun d => held binary32 d && held F d) ds then Some (map (in_format binary32) ds) else None.

(** With an odd significand, or 0; the value is the same, as is checked. *)
Definition canonical (d : dyadic) : dyadic :=
  match last_bit d with
  | None => (0, 0)%Z
  | Some e => let c := ((fst d / 2 ^ (e - snd d))%Z, e) in if dyadic_eq c d then c else d
  end.

Definition same_dyadic (a b : dyadic) : bool := Z.eqb (fst a) (fst b) && Z.eqb (snd a) (snd b).

Definition terms_of (row v : list dyadic) : list dyadic := map (fun ab =>
    dyadic_product (fst ab) (snd ab)) (combine row v).

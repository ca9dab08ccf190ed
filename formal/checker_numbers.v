(** * The checker's numbers: elements of Q(zeta_N), and the cyclotomic polynomial

    Polynomials are lists, the lowest coefficient first.

    - [plus], [scaled], [times]: polynomials over any numbers; [plusQ], [timesQ], [scaledQ], [timesZ]: over Q and Z;
    - [Qzero], [Qadd], [Qsame]: rational numbers in lowest terms;
    - [remainder low p], [trim p], [normal low p]: the normal form of p modulo x^d + low, where low has d coefficients;
          [shift], [shorter]: one step of the division;
    - [add_normal], [mul_normal], [unshift], [conjugate], [is_real]: numbers in normal form;
    - [quotient], [x_power_minus_1], [divides], [cyclotomics], [cyclotomic n]: the cyclotomic polynomial. *)

From Coq Require Import ZArith NArith QArith Qreduction List Bool.
From lemmata Require Import checker_network.
Import ListNotations.

Set Implicit Arguments.

(** ** Numbers: polynomials, lowest coefficient first *)

Section Polynomials.

Variables (C : Type) (zero : C) (add mul : C -> C -> C) (is_zero : C -> bool).

Fixpoint plus (p q : list C) : list C :=
  match p, q with
  | [], _ => q
  | _, [] => p
  | a :: p', b :: q' => add a b :: plus p' q'
  end.

Definition scaled (a : C) (p : list C) : list C := if is_zero a then [] else map (mul a) p.

Fixpoint times (p q : list C) : list C :=
  match p with
  | [] => []
  | a :: p' => plus (scaled a q) (zero :: times p' q)
  end.

End Polynomials.

(** Rational coefficients. *)
Definition Qzero (a : Q) : bool := Z.eqb (Qnum a) 0.
Definition Qadd (a b : Q) : Q := Qred (a + b).
Definition Qsame (a b : Q) : bool := Z.eqb (Qnum a) (Qnum b) && Z.eqb (Zpos (Qden a)) (Zpos (Qden b)).

Definition plusQ := plus Qadd.
Definition timesQ := times 0%Q Qadd Qmult Qzero.
Definition scaledQ := scaled Qmult Qzero.

(** x r modulo x^d + low, for r with at most d coefficients. *)
Fixpoint shorter (r low : list Q) : bool :=
  match r, low with
  | _, [] => false
  | [], _ :: _ => true
  | _ :: r', _ :: low' => shorter r' low'
  end.

Definition shift (low r : list Q) : list Q :=
  if shorter r low then 0%Q :: r else plusQ (0%Q :: removelast r) (scaledQ (- last r 0)%Q low).

Fixpoint remainder (low p : list Q) : list Q :=
  match p with
  | [] => []
  | a :: p' => plusQ [a] (shift low (remainder low p'))
  end.

(** Without zeros at the end. *)
Fixpoint trim (p : list Q) : list Q :=
  match p with
  | [] => []
  | a :: p' => match trim p' with [] => if Qzero a then [] else [a] | t => a :: t end
  end.

(** The one name of an element of Q[x] / (x^d + low): fractions in lowest terms, at most d, the last of them not 0. *)
Definition normal (low p : list Q) : list Q := trim (map Qred (remainder low p)).

Definition add_normal low a b := normal low (plusQ a b).
Definition mul_normal low a b := normal low (timesQ a b).

(** x^-1 r, and the number that x -> 1/x makes of p: p is real if that is p. *)
Definition unshift (low r : list Q) : list Q :=
  plusQ (tl r ++ [0%Q]) (scaledQ (- hd 0 r / hd 1 low)%Q (tl low ++ [1%Q])).

Definition conjugate (low p : list Q) : list Q :=
  trim (map Qred (fold_right (fun a r => plusQ [a] (unshift low r)) [] p)).

Definition is_real (low p : list Q) : bool := forallb Qzero (tl p) || same_vector Qsame (conjugate low p) p.

(** The cyclotomic polynomials of the divisors of N: x^d - 1 is the product of those of the
    divisors of d. A quotient is guessed by long division, and checked by multiplication. *)
Definition timesZ := times 0%Z Z.add Z.mul (Z.eqb 0).

Fixpoint quotient (count : nat) (p q : list Z) : list Z :=
  match count, p with
  | S k, c :: p' => c :: quotient k (plus Z.add p' (map (Z.mul (- c)) (tl q))) q
  | _, _ => []
  end.

Definition sameZ := same_vector Z.eqb.

Definition x_power_minus_1 (d : nat) : list Z := (-1)%Z :: repeat 0%Z (Nat.pred d) ++ [1%Z].

Definition divides (e d : nat) : bool := Nat.eqb (Nat.modulo d e) 0.

Fixpoint cyclotomics (ds : list nat) (known : list (nat * list Z)) : option (list (nat * list Z)) :=
  match ds with
  | [] => Some known
  | d :: ds' =>
    let below := fold_right timesZ [1%Z] (map snd (filter (fun e => divides (fst e) d) known)) in
    let p := rev' (quotient (d + 2 - length below) (rev' (x_power_minus_1 d)) (rev' below)) in
    if sameZ (timesZ p below) (x_power_minus_1 d) && Z.eqb (last p 0%Z) 1
    then cyclotomics ds' ((d, p) :: known)
    else None
  end.

Definition cyclotomic (n : nat) : option (list Z) :=
  match cyclotomics (filter (fun d => divides d n) (seq 1 n)) [] with
  | Some ((d, p) :: _) => if Nat.eqb d n then Some p else None
  | _ => None
  end.

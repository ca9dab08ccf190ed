(** * Two algebraic facts about the universality proofs

    orvieto24, Theorem 1 and Eq. 23. *)

From mathcomp Require Import all_ssreflect all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** A difference of two ReLUs is sigmoidal. *)
Section Relu.

Variable F : realFieldType.

Definition relu (x : F) : F := Num.max 0 x.

Theorem relu_difference x : (x <= 0 -> relu x - relu (x - 1) = 0) /\ (1 <= x -> relu x - relu (x - 1) = 1).
Proof.
rewrite /relu; split=> hx.
  rewrite !max_l ?subrr // subr_le0 (le_trans hx) // ler01.
by rewrite !max_r ?subr_ge0 // ?(le_trans ler01) // opprB addrC subrK.
Qed.

End Relu.

(** Eq. 23: the filter h interpolates every sequence of L functions iff h(i - j) is 1 for i = j and 0 otherwise. *)
Section Filter.

Variables (R : ringType) (X : Type) (L : nat) (h : int -> R).

Theorem interpolates_iff (x0 : X) :
  (forall (f : 'I_L -> X -> R) (k : 'I_L) x, \sum_j f j x * h (k%:Z - j%:Z) = f k x) <->
  (forall i j : 'I_L, h (i%:Z - j%:Z) = (i == j)%:R).
Proof.
split=> [all_f i j|hij f k x].
  have := all_f (fun l _ => (l == j)%:R) i x0; rewrite (bigD1 j) //= eqxx mul1r big1 ?addr0 // => l lj.
  by rewrite (negbTE lj) mul0r.
rewrite (bigD1 k) //= hij eqxx mulr1 big1 ?addr0 // => j jk.
by rewrite hij eq_sym (negbTE jk) mulr0.
Qed.

End Filter.

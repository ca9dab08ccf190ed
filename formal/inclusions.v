(** * The classes M_k(Omega) of products of GH matrices grow

    grazzi25, Eq. 3. The classes are those of classes.v. *)

From mathcomp Require Import all_ssreflect all_algebra.
From lemmata Require Import householder classes.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Classes.

Variables (F : realFieldType) (n : nat).

Theorem classes_grow k k' (Omega Omega' : F -> Prop) (M : 'M[F]_n.+1) :
  (forall b, Omega b -> Omega' b) -> k' = k \/ (k <= k')%N /\ Omega' 1 -> gh_class k Omega M -> gh_class k' Omega' M.
Proof. exact: gh_class_grow. Qed.

End Classes.

(** Without 1 in the larger set not: I is no product of one reflection. *)
Theorem not_classes_grow_without_one (F : realFieldType) :
  ~ (forall n k k' (Omega Omega' : F -> Prop) (M : 'M[F]_n.+1), (forall b, Omega b -> Omega' b) -> (k <= k')%N ->
       gh_class k Omega M -> gh_class k' Omega' M).
Proof.
move/(_ 0%N 0%N 1%N (fun b => b = -1) (fun b => b = -1) 1%:M (fun _ => id) isT) => bad.
have [|s [size_s sE sM]] := bad; first by exists [::].
case: s size_s sE sM => [|[v b] [|//]] //= _ sE sM.
have [v1 bE] := sE v b (mem_head _ _); move/matrixP/(_ 0 0): sM.
have {bE} bE : b = 2%:R by rewrite -[b](subKr 1) bE opprK mulr2n.
move: v1; rewrite /dot /gh trmxK mulmx1 !mxE !big_ord1 !mxE eqxx mulr1n bE => ->; rewrite mulr1 => /eqP.
by rewrite subr_eq addrC -subr_eq subrr eq_sym pnatr_eq0.
Qed.

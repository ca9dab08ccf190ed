(** * Theorems 1 and 2 of grazzi25 for complex layers

    Real and imaginary parts are cast one by one. A complex layer of width n is then a real one of width 2n, with the
    transition [[Re A, - Im A], [Im A, Re A]] and the state (Re H, Im H); real numbers that annihilate A annihilate that
    matrix too.

    - [re A], [im A], [doubled A], [stacked N], [unstacked M]: complex matrices as real ones, and back;
    - [complex_cast ys value]: the cast of both parts, with which complex stacks run as those of models.v do;
    - [nonnegative_real_spectrum], [all_real_spectrum], [complex_nonnegative], [complex_real_products]:
          the hypotheses of Theorems 1 and 2;
    - [real_layer l], [real_stack s]: the real layers that run as the complex ones do. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.real_closed Require Import complex.
From lemmata Require Import models parity period.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.
Local Open Scope complex_scope.

Section Parts.

Variable F : rcfType.
Notation C := F[i].

Definition re m n (A : 'M[C]_(m, n)) : 'M[F]_(m, n) := map_mx (@complex.Re F) A.
Definition im m n (A : 'M[C]_(m, n)) : 'M[F]_(m, n) := map_mx (@complex.Im F) A.

Lemma reD m n (A B : 'M[C]_(m, n)) : re (A + B) = re A + re B.
Proof. by apply/matrixP=> i j; rewrite !mxE raddfD. Qed.

Lemma imD m n (A B : 'M[C]_(m, n)) : im (A + B) = im A + im B.
Proof. by apply/matrixP=> i j; rewrite !mxE raddfD. Qed.

Lemma reN m n (A : 'M[C]_(m, n)) : re (- A) = - re A.
Proof. by apply/matrixP=> i j; rewrite !mxE raddfN. Qed.

Lemma imN m n (A : 'M[C]_(m, n)) : im (- A) = - im A.
Proof. by apply/matrixP=> i j; rewrite !mxE raddfN. Qed.

Lemma reM m n p (A : 'M[C]_(m, n)) (B : 'M[C]_(n, p)) : re (A *m B) = re A *m re B - im A *m im B.
Proof.
apply/matrixP=> i j; rewrite !mxE raddf_sum -sumrB; apply: eq_bigr => k _; rewrite !mxE.
by case: (A i k) (B k j) => [a b] [c d].
Qed.

Lemma imM m n p (A : 'M[C]_(m, n)) (B : 'M[C]_(n, p)) : im (A *m B) = re A *m im B + im A *m re B.
Proof.
apply/matrixP=> i j; rewrite !mxE raddf_sum -big_split; apply: eq_bigr => k _; rewrite !mxE.
by case: (A i k) (B k j) => [a b] [c d].
Qed.

(** The real matrix of twice the size, and the real state of twice the height. *)
Definition doubled n (A : 'M[C]_n) : 'M[F]_(n + n) := block_mx (re A) (- im A) (im A) (re A).

Definition stacked n d (N : 'M[C]_(n, d)) : 'M[F]_(n + n, d) := col_mx (re N) (im N).

Definition unstacked n d (M : 'M[F]_(n + n, d)) : 'M[C]_(n, d) := \matrix_(i, j) (usubmx M i j +i* dsubmx M i j).

Lemma stackedK n d : cancel (@stacked n d) (@unstacked n d).
Proof. by move=> N; apply/matrixP=> i j; rewrite mxE /stacked col_mxKu col_mxKd !mxE; case: (N i j). Qed.

Lemma stackedM n d (A : 'M[C]_n) (N : 'M[C]_(n, d)) : stacked (A *m N) = doubled A *m stacked N.
Proof. by rewrite /stacked /doubled mul_block_col reM imM mulNmx [re A *m im N + _]addrC. Qed.

Lemma doubledM n (A B : 'M[C]_n) : doubled (A *m B) = doubled A *m doubled B.
Proof.
by rewrite /doubled mulmx_block reM imM !mulNmx !mulmxN; congr block_mx; rewrite ?opprD 1?addrC.
Qed.

Lemma doubledB n (A B : 'M[C]_n) : doubled (A - B) = doubled A - doubled B.
Proof. by rewrite /doubled reD imD reN imN opp_block_mx add_block_mx opprD. Qed.

Lemma doubled_scalar n (l : F) : doubled (l%:C)%:M = l%:M :> 'M_(n + n).
Proof.
rewrite /doubled; have -> : re ((l%:C)%:M : 'M_n) = l%:M by apply/matrixP=> i j; rewrite !mxE; case: eqP.
have -> : im ((l%:C)%:M : 'M_n) = 0 by apply/matrixP=> i j; rewrite !mxE; case: eqP.
by rewrite oppr0 -scalar_mx_block.
Qed.

Lemma doubled1 n : doubled (1%:M : 'M[C]_n) = 1%:M.
Proof. by have := doubled_scalar n 1; rewrite rmorph1. Qed.

Lemma factors_doubled n (A : 'M[C]_n) ls : factors (doubled A) ls = doubled (factors A [seq l%:C | l <- ls]).
Proof.
elim: ls => [|l ls IH] /=; first by rewrite doubled1.
by rewrite IH doubledM doubledB doubled_scalar.
Qed.

(** Real numbers that are the roots of the characteristic polynomial annihilate the doubled matrix. *)
Lemma doubled_annihilated n (A : 'M[C]_n) (ls : seq F) :
  char_poly A = \prod_(l <- ls) ('X - (l%:C)%:P) -> factors (doubled A) ls = 0.
Proof.
move=> cA; rewrite factors_doubled factors_zero; last by rewrite big_map.
by rewrite -(subrr (0 : 'M[C]_n)) doubledB subrr.
Qed.

End Parts.

(** ** Finite precision *)

Section Model.

Variables (F : rcfType) (ys : seq F) (value : seq (bool * bool) -> F).
Notation C := F[i].
Notation complex_layer := (affine_layer [ringType of C]).
Notation complex_stack := (affine_stack [ringType of C]).

Definition complex_cast (z : C) : C := cast ys value (complex.Re z) +i* cast ys value (complex.Im z).

(** The characteristic polynomial splits, with roots that are nonnegative real numbers, or real numbers. *)
Definition nonnegative_real_spectrum n (A : 'M[C]_n) :=
  exists2 ls : seq F, all (fun l => 0 <= l) ls & char_poly A = \prod_(l <- ls) ('X - (l%:C)%:P).

Definition all_real_spectrum n (A : 'M[C]_n) := exists ls : seq F, char_poly A = \prod_(l <- ls) ('X - (l%:C)%:P).

Definition complex_nonnegative X Y (s : complex_stack X Y) : Prop :=
  every (fun X Y (l : complex_layer X Y) => forall a, nonnegative_real_spectrum (transition l a)) s.

Definition complex_real_products X Y (s : complex_stack X Y) : Prop := products all_real_spectrum s.

(** ** The real layer of twice the width *)

Definition real_layer X Y (l : complex_layer X Y) : affine_layer F X Y :=
  Affine (fun a => doubled (transition l a)) (fun a => stacked (input l a)) (stacked (origin l))
    (fun H a => decoder l (unstacked H) a).

Fixpoint real_stack X Y (s : complex_stack X Y) : affine_stack F X Y :=
  match s in stack _ _ Y return affine_stack F X Y with
  | Input => Input
  | Above _ _ s' l => Above (real_stack s') (real_layer l)
  end.

Lemma stacked_cast n d (M : 'M[C]_(n, d)) : map_mx (cast ys value) (stacked M) = stacked (map_mx complex_cast M).
Proof. by rewrite /stacked map_col_mx; congr col_mx; apply/matrixP=> i j; rewrite !mxE. Qed.

Lemma stacked_sum n d I (s : seq I) (f : I -> 'M[C]_(n, d)) : stacked (\sum_(k <- s) f k) = \sum_(k <- s) stacked (f k).
Proof.
elim: s => [|k s IH]; last by rewrite !big_cons -IH /stacked reD imD add_col_mx.
by rewrite !big_nil; apply/matrixP=> i j; rewrite !mxE; case: splitP => l _; rewrite !mxE.
Qed.

Lemma real_terms X n d (A : X -> 'M[C]_n) (B : X -> 'M[C]_(n, d)) H0 x t :
  terms (fun a => doubled (A a)) (fun a => stacked (B a)) (stacked H0) x t = [seq stacked M | M <- terms A B H0 x t].
Proof.
elim: t => //= t ->; rewrite map_rcons -!map_comp; congr rcons.
by apply: eq_map => M /=; rewrite stackedM.
Qed.

Lemma real_states X n d (A : X -> 'M[C]_n) (B : X -> 'M[C]_(n, d)) H0 x t :
  cast_state (cast ys value) (fun a => doubled (A a)) (fun a => stacked (B a)) (stacked H0) x t =
  stacked (cast_state complex_cast A B H0 x t).
Proof.
rewrite /cast_state real_terms big_map -stacked_cast; congr map_mx.
by rewrite stacked_sum; apply: eq_bigr => M _; rewrite stacked_cast.
Qed.

Lemma real_runs X Y (s : complex_stack X Y) x t :
  cast_run (cast ys value) (real_stack s) x t = cast_run complex_cast s x t.
Proof.
elim: s t => [|U W s IH l] t //; rewrite -[RHS](cast_layer_ext complex_cast l t IH) [LHS]/cast_run /=.
by rewrite -/(cast_run _ _ _) /cast_layer /= real_states stackedK.
Qed.

Lemma real_height X Y (s : complex_stack X Y) : height (real_stack s) = height s.
Proof. by elim: s => //= U W s ->. Qed.

Lemma real_annihilated X Y (s : complex_stack X Y) : complex_nonnegative s -> annihilated_stack (real_stack s).
Proof.
elim: s => [|U W s IH l] //= [/IH ns spec]; split=> // a.
by have [ls ls0 /doubled_annihilated A0] := spec a; exists ls.
Qed.

Lemma real_product n (X : Type) (A : X -> 'M[C]_n) x t p :
  product (fun a => doubled (A a)) x t p = doubled (product A x t p).
Proof. by elim: p => [|p IH] /=; [rewrite doubled1 | rewrite IH doubledM]. Qed.

Lemma real_products_are X Y (s : complex_stack X Y) : complex_real_products s -> annihilated_products (real_stack s).
Proof.
elim: s => [|U W s IH l] //= [/IH ns spec]; split=> // y t; rewrite real_height real_product.
by have [ls /doubled_annihilated A0] := spec y t; exists ls.
Qed.

(** ** The theorems *)

(** Theorem 1: on a constant input the outputs of complex layers with spectra in [0, inf) are eventually constant ... *)
Theorem complex_stacks_settle X Y (s : complex_stack X Y) (a : X) :
  complex_nonnegative s -> ~ ~ eventually_constant (cast_run complex_cast s (fun=> a)).
Proof.
move=> /real_annihilated ns never; have H := @annihilated_stacks_settle F ys value _ _ _ a ns; apply: H => -[K cK].
by apply: never; exists K => k; rewrite -!real_runs cK.
Qed.

(** ... so they are not the parity. *)
Theorem complex_no_parity (s : complex_stack bool bool) :
  complex_nonnegative s -> ~ (forall t, cast_run complex_cast s (fun=> true) t = odd t.+1).
Proof.
move=> ns is_parity; have H := @complex_stacks_settle _ _ s true ns; apply: H => -[K cK].
by have := cK 1%N; rewrite !is_parity addn1 /=; case: (odd K).
Qed.

(** Theorem 2: complex layers whose products of 2^i transitions
    have real spectra count modulo m only if m divides 2^L. *)
Theorem complex_counts_powers_of_two (s : complex_stack bool bool) m :
  (0 < m)%N -> complex_real_products s -> (forall t, cast_run complex_cast s (fun=> true) t = (m %| t.+1)%N) ->
  (m %| 2 ^ height s)%N.
Proof.
move=> m0 /real_products_are rs counts; apply/negPn/negP=> not_div.
have H := @annihilated_stacks_have_period F ys value _ _ _ true rs; apply: H => per.
move/negP: not_div; apply; rewrite -real_height; apply: counting_divides per => // t.
by rewrite real_runs.
Qed.

End Model.

(** * The micro-steps that a checked network lists are its maps

    Each is H -> H + (write - scale v^T H) v with scale v^T v = beta in [0, 2], so that I - scale v v^T has the
    eigenvalue 1 - beta, between -1 and 1, along v and 1 across it. In turn they are H -> A H + B, for every H, in exact
    complex numbers.

    - [makes h row]: what a row of coefficients makes of the state h and 1;
    - [step_of s h]: one micro-step; [is_square n m]: the map has n rows of n entries. *)

From Coq Require Import ZArith QArith Nnat Lia.
From mathcomp Require Import all_ssreflect all_algebra all_field.
From mathcomp Require Import ssrZ zify.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import checker checker_sound checker_field.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Notation dotC := (dot (0 : algC) +%R *%R).

Section Rows.

Variables (z : algC) (k : nat) (low : seq Q).
Hypothesis primitive : k.-primitive_root z.
Hypothesis cyclotomicE : map_poly intr 'Phi_k = Poly (rcons (map fraction low) 1) :> {poly rat}.

Notation ev := (element z).
Notation addN := (add_normal low).
Notation mulN := (mul_normal low).

Lemma ev_add a b : ev (addN a b) = ev a + ev b.
Proof. by rewrite /add_normal (element_normal primitive cyclotomicE) element_plus. Qed.

Lemma ev_mul a b : ev (mulN a b) = ev a * ev b.
Proof. by rewrite /mul_normal (element_normal primitive cyclotomicE) element_times. Qed.

Lemma ev_constant q : ev (normal low [:: q]) = number q.
Proof. by rewrite (element_normal primitive cyclotomicE) /element /= mulr0 addr0. Qed.

Lemma ev_one : ev (normal low [:: Qmake 1 1]) = 1.
Proof. by rewrite ev_constant /number /fraction divr1 rmorph1. Qed.

Lemma ev_minus : ev (normal low [:: Qmake (-1) 1]) = -1.
Proof. by rewrite ev_constant /number /fraction /= divr1 rmorphN1. Qed.

(** What a row of (A | B) makes of the column H. *)
Variable h : seq algC.
Notation n := (seq.size h).

Definition makes (row : seq (seq Q)) : algC := dotC (map ev row) (h ++ [:: 1]).

Lemma makes_plus r s : makes (plus addN r s) = makes r + makes s.
Proof.
rewrite /makes; elim: (h ++ [:: 1]) r s => [|x t IH] [|a r] [|b s] //=; rewrite ?addr0 ?add0r //.
by rewrite IH ev_add; ring.
Qed.

Lemma makes_scaled c r : makes (List.map (mulN c) r) = ev c * makes r.
Proof.
rewrite /makes; elim: (h ++ [:: 1]) r => [|x t IH] [|a r] //=; rewrite ?mulr0 //.
by rewrite IH ev_mul; ring.
Qed.

Lemma makes_combination v M : makes (combination addN mulN v M) = dotC (map ev v) (map makes M).
Proof.
rewrite /combination; elim: v M => [|a v IH] [|row M] //=.
by rewrite makes_plus makes_scaled IH.
Qed.

Lemma makes_append row b : seq.size row = n -> makes (row ++ [:: b]) = dotC (map ev row) h + ev b.
Proof.
rewrite /makes; elim: (h) row => [|x t IH] [|a row] //=; first by rewrite mulr1 addr0 add0r.
by case=> /IH ->; rewrite addrA.
Qed.

Lemma dot_zeros m t : dotC (map ev (nseq m (normal low [::]))) t = 0.
Proof. by elim: m t => [|m IH] [|x t] //=; rewrite IH mul0r addr0. Qed.

Lemma makes_written b : makes (List.repeat (normal low [::]) n ++ [:: b]) = ev b.
Proof. by rewrite repeatE makes_append ?size_nseq // dot_zeros add0r. Qed.

Lemma makes_unit : map makes (unit_rows (normal low [::]) (normal low [:: Qmake 1 1]) n) = h.
Proof.
have unit i m t : (i < seq.size t)%N -> (i + m = seq.size t)%N ->
    dotC (map ev (nseq i (normal low [::]) ++ normal low [:: Qmake 1 1] :: nseq m (normal low [::])))
      (t ++ [:: 1]) = nth 0 t i.
  elim: t i => [|x t IH] [|i] //= il e; first by rewrite ev_one mul1r dot_zeros addr0.
  by rewrite mul0r add0r IH //; case: e.
rewrite /unit_rows -[List.map _ _]/(map _ _) -map_comp seqE.
rewrite -[RHS](mkseq_nth 0) /mkseq; apply/eq_in_map => i; rewrite mem_iota add0n => /andP[_ il] /=.
by rewrite /makes !repeatE unit // subnKC // ltnW.
Qed.

Definition step_of (s : step algC) : seq algC -> seq algC := act_step 0 +%R *%R (-1) s.

Lemma makes_step M s :
  map makes (step_rows (normal low [::]) (normal low [:: Qmake (-1) 1]) addN mulN n M s) =
  step_of (step_entries ev s) (map makes M).
Proof.
rewrite /step_rows /step_of /act_step /=; set c := plus _ _ _; set c' := _ + _.
have cE : makes c = c'.
  by rewrite makes_plus makes_written makes_scaled makes_combination ev_mul ev_minus /c' mulrA.
move: c c' cE => c c' cE; elim: (direction s) M => [|a v IH] [|row M] //=.
by rewrite IH makes_plus makes_scaled cE.
Qed.

Lemma makes_steps ss M :
  map makes (List.fold_left (step_rows (normal low [::]) (normal low [:: Qmake (-1) 1]) addN mulN n) ss M) =
  foldl (fun t s => step_of s t) (map makes M) (map (step_entries ev) ss).
Proof. by elim: ss M => [|s ss IH] M //=; rewrite IH makes_step. Qed.

Lemma makes_rows m : all (fun row => seq.size row == n) (matrix m) ->
  map makes (rows m) = act 0 +%R *%R (affine_entries ev m) h.
Proof.
rewrite /rows /act; case: m => A B ss /=; elim: A B => [|row A IH] [|b B] //= /andP[/eqP rn An].
by rewrite makes_append // IH.
Qed.

End Rows.

Lemma same_rows_eq (M M' : seq (seq (seq Q))) : same_vector (same_vector (same_vector Qsame)) M M' -> M = M'.
Proof. by apply/same_vector_eq/same_vector_eq/same_vector_eq/Qsame_eq. Qed.

Definition is_square (T : Type) (n : nat) (m : affine T) : bool :=
  [&& seq.size (matrix m) == n, all (fun row => seq.size row == n) (matrix m) & seq.size (offset m) == n].

(** What [check] has looked at, for one map: A is n x n and B n x 1,
    for states n x 1, and its steps compose to it, in normal forms. *)
Lemma checked_map (net : network (list Q)) low L m : low_of (field net) = Some low -> check net ->
  List.In L (layers net) -> List.In m (maps L) ->
  let m' := affine_entries (normal low) m in
  is_square (N.to_nat (width L)) m' /\
  composes (normal low [::]) (normal low [:: Qmake 1 1]) (normal low [:: Qmake (-1) 1]) (add_normal low)
  (mul_normal low) (same_vector Qsame)
    (fun q => normal low [:: q]) (N.to_nat (width L)) m'.
Proof.
rewrite /check => -> /andP[_]; case: net => f k M Ls /=;
  rewrite /check_normal /= => /andP[/andP[/andP[/andP[_ shapes] _] steps_right] _] inL inm.
set L' := layer_entries (normal low) L; set m' := affine_entries (normal low) m.
have widthE : width L' = width L.
  by rewrite /width /L' /=; case: (states L) => //= h t; rewrite /count /= List.map_length.
have inm' : List.In m' (maps L') by apply: List.in_map.
split; last first.
  have /List.forallb_forall/(_ L') := steps_right; rewrite /steps_are_right widthE => right.
  by have /List.forallb_forall/(_ m' inm') := right (List.in_map _ _ _ inL).
have shape : exists following, layer_has_shape k following L'.
  elim: Ls inL shapes {steps_right} => //= L1 Ls IH [->|inL] /andP[now later]; [by eexists; apply: now|exact: IH].
case: shape => following /andP[_] /andP[/andP[/andP[/andP[/andP[/andP[/andP[/andP[_ all_maps] _] _] _] _] _] _] _].
have /List.forallb_forall/(_ m' inm') := all_maps.
rewrite /affine_has_shape /is_square widthE => /andP[/andP[/andP[/N.eqb_eq An rows_long] /N.eqb_eq Bn] _].
have lengths (A : seq (seq (seq Q))) :
  List.forallb (long (width L)) A -> all (fun row => seq.size row == N.to_nat (width L)) A.
  by elim: A => //= row A IH /andP[/N.eqb_eq e /IH all_A]; rewrite all_A -e Nat2N.id eqxx.
have to_nat (T : Type) (A : seq T) : N.of_nat (length A) = width L -> seq.size A == N.to_nat (width L).
  by move=> <-; rewrite Nat2N.id.
by rewrite lengths // !to_nat.
Qed.

(** In a checked network a map of a layer is H -> A H + B, with n x n matrices
    of complex numbers and columns of n, n the width of the layer. *)
Theorem checked_maps_are_affine (net : network (list Q)) (z : algC) : check net ->
  forall L m, List.In L (layers net) -> List.In m (maps L) ->
  let n := N.to_nat (width L) in
  let m' := affine_entries (element z) m in
  forall h : seq algC, seq.size h = n ->
  column n (act 0 +%R *%R m' h) = matrix_of n (matrix m') *m column n h + column n (offset m').
Proof.
move=> ok L m inL inm n m' h hn; case e: (low_of (field net)) => [low|]; last by rewrite /check e in ok.
have [/and3P[/eqP An rows_n /eqP Bn] _] := checked_map e ok inL inm.
apply: act_is_affine => //; rewrite /m' /= ?size_map -?[List.map _ _]/(map _ _) ?size_map.
- by rewrite /n -An /= -[List.map _ _]/(map _ _) size_map.
- rewrite all_map; move: rows_n; rewrite /= -[List.map _ _]/(map _ _) all_map; apply: sub_all => row /=.
  by rewrite -[List.map _ _]/(map _ _) -[X in _ -> seq.size X == _]/(map _ _) !size_map.
- by rewrite /n -Bn /= -[List.map _ _]/(map _ _) size_map.
Qed.

(** Every map of a checked network that lists steps: they compose to it. *)
Theorem checked_steps_are_the_map (net : network (list Q)) (z : algC) :
  check net -> (N.to_nat (field net)).-primitive_root z ->
  forall L m ss, List.In L (layers net) -> List.In m (maps L) -> steps m = Some ss ->
  forall h : seq algC, seq.size h = N.to_nat (width L) ->
  foldl (fun t s => act_step 0 +%R *%R (-1) (step_entries (element z) s) t) h ss =
  act 0 +%R *%R (affine_entries (element z) m) h.
Proof.
move=> ok prim L m ss inL inm stepsm h hn; case e: (low_of (field net)) => [low|]; last by rewrite /check e in ok.
have [_ cycl] := low_right e.
have normals v : map (element z) (map (normal low) v) = map (element z) v.
  by rewrite -map_comp; apply: eq_map => p; apply: (element_normal prim cycl).
have [/and3P[_ long_rows _]] := checked_map e ok inL inm; rewrite -hn in long_rows *.
rewrite /composes /= stepsm /= => /andP[_ /same_rows_eq /(congr1 (map (makes z h)))].
rewrite (makes_steps prim cycl) (makes_unit prim cycl) makes_rows //.
have -> : act 0 +%R *%R (affine_entries (element z) (affine_entries (normal low) m)) h =
  act 0 +%R *%R (affine_entries (element z) m) h.
  rewrite /act /=; congr (List.map _ (List.combine _ _)); last exact: normals.
  by rewrite -[LHS]map_comp; apply: eq_map => row; apply: normals.
move=> <-; elim: ss h {stepsm hn long_rows} => //= s ss IH h; rewrite -IH; congr foldl; rewrite /step_of;
  congr act_step.
by rewrite /step_entries /= !(element_normal prim cycl) -![List.map _ _]/(map _ _) normals.
Qed.

(** ... and each of them is a generalized Householder matrix with beta in [0, 2]. *)
Theorem checked_steps_are_gh (net : network (list Q)) (z : algC) :
  check net -> (N.to_nat (field net)).-primitive_root z ->
  forall L m ss s, List.In L (layers net) -> List.In m (maps L) -> steps m = Some ss -> List.In s ss ->
  let v := map (element z) (direction s) in
  element z (checker_network.scale s) * dotC v v = number (beta s) /\ 0 <= number (beta s) <= 2%:R.
Proof.
move=> ok prim L m ss s inL inm stepsm ins v; case e: (low_of (field net)) => [low|]; last by rewrite /check e in ok.
have [_ cycl] := low_right e.
have [_] := checked_map e ok inL inm.
rewrite /composes /= stepsm /= => /andP[/List.forallb_forall all_steps _].
have := all_steps _ (List.in_map (step_entries (normal low)) _ _ ins).
rewrite /step_is_contraction /= => /andP[/andP[/andP[/andP[same_beta /Qle_bool_iff low0] /Qle_bool_iff high2] _] _].
have fraction_le a b : Qle a b -> fraction a <= fraction b.
  rewrite /Qle /fraction => ab; rewrite ler_pdivr_mulr ?den_gt0 // mulrAC ler_pdivl_mulr ?den_gt0 //.
  by rewrite -!Z_mul ler_int; move: ab; set x := (_ * _)%Z; set y := (_ * _)%Z; lia.
have two : fraction (Qmake 2 1) = 2%:R by rewrite /fraction divr1.
split; last first.
  rewrite /number -[0](rmorph0 (ratr_rmorphism [numFieldType of algC])) -[2%:R](ratr_nat _ 2) !ler_rat.
  by rewrite -two -fraction0; apply/andP; split; apply: fraction_le.
have /(congr1 (element z)) :
  mul_normal low (normal low (checker_network.scale s)) (dot (normal low [::]) (add_normal low) (mul_normal low)
    (List.map (normal low) (direction s)) (List.map (normal low) (direction s))) = normal low [:: beta s].
  by apply: same_vector_eq same_beta; apply: Qsame_eq.
rewrite (ev_mul prim cycl) (ev_constant prim cycl) (element_normal prim cycl) => <-; congr (_ * _).
rewrite /v; elim: (direction s) => [|a t IH] /=; first by [].
by rewrite (ev_add prim cycl) (ev_mul prim cycl) !(element_normal prim cycl) -IH.
Qed.

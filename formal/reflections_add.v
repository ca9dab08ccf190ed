(** * Addition modulo m by two layers of reflections

    grazzi25, Theorem 6 and App. D. The plane is read off R[i]: z is a primitive root of unity of
    order 2m, as e^(i pi/m) is.

    - [point w]: the complex number w as a column;
    - [mirror w]: for |w| = 1 the reflection of the plane that takes u to w times the conjugate of u;
    - [adder z]: the two layers: h -> 1 - h, then a mirror for each letter and each parity of the time. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From mathcomp.real_closed Require Import complex.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import models conditioning householder classes automata.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Plane.

Variable R : rcfType.
Local Notation C := (R[i]).

Definition point (w : C) : 'cV[R]_2 := \col_i (if i == 0 then complex.Re w else complex.Im w).

Definition mirror (w : C) : 'M[R]_2 :=
  \matrix_(i, j) (if i == 0 then if j == 0 then complex.Re w else complex.Im w
                  else if j == 0 then complex.Im w else - complex.Re w).

Lemma point_inj : injective point.
Proof.
move=> [a b] [c d] /matrixP e; have := e 0 0; have := e 1 0; rewrite !mxE /= => -> ->.
by [].
Qed.

Lemma mirror_point w u : mirror w *m point u = point (w * u^*).
Proof.
case: w u => a b [c d]; apply/colP=> i; rewrite !mxE !big_ord_recl big_ord0 !mxE /= addr0.
by case: (i == 0); ring.
Qed.

(** A mirror is in M_1({-1}): its normal is orthogonal to a square root of w. *)
Lemma mirror_gh w : w * w^* = 1 -> gh_class 1 (fun b => b = -1) (mirror w).
Proof.
move=> w1; pose u := sqrtC w.
have uu : u ^+ 2 = w by rewrite sqrtCK.
have u1 : u * u^* = 1.
  apply/eqP; rewrite -(@eqr_expn2 _ 2) ?mul_conjC_ge0 ?ler01 // exprMn -rmorphX uu w1 expr1n //.
move: uu u1; case: u => c d; rewrite expr2 => wE [u1 _].
have cc : c * c = 1 - d * d by rewrite -u1 mulrN opprK addrK.
rewrite -wE; exists [:: (\row_(j < 2) (if j == 0 then d else - c), 2%:R)]; split=> // [v b|].
  rewrite inE => /eqP[-> ->]; split; last by rewrite mulr2n opprD addrA subrr add0r.
  by rewrite /dot !mxE !big_ord_recl big_ord0 !mxE /= -u1; ring.
rewrite /= mulmx1 /gh trmxK; apply/matrixP=> i j; rewrite !mxE big_ord1 !mxE /=.
case: i => [[|[|//]] ?]; case: j => [[|[|//]] ?]; rewrite !eqE /= ?mulr1n ?mulr0n ?mulrNN; ring: cc.
Qed.

End Plane.

(** ** The two layers *)

Section Adder.

Variables (R : rcfType) (n : nat).
Local Notation m := n.+1.
Local Notation C := (R[i]).
Variable z : C.
Hypothesis primitive : (2 * m).-primitive_root z.

(** The states of the second layer, and its mirrors: directions k pi / m. *)
Definition direction k : 'cV[R]_2 := point (z ^+ k).

Definition second_transition (y : 'I_m * 'cV[R]_1) : 'M[R]_2 :=
  mirror (z ^+ (if y.2 0 0 == 1 then (2 * m - 2 * y.1 + 1)%N else (1 + 2 * y.1)%N)).

(** After an odd number of letters with the sum y modulo m, and after an even number. *)
Definition code (odd_time : bool) (y : nat) : 'cV[R]_2 := direction (if odd_time then 2 * m - 2 * y + 1 else 2 * y)%N.

Definition decoder (h : 'cV[R]_2) : 'I_m := odflt 0 [pick i : 'I_m | (h == code true i) || (h == code false i)].

Definition first_layer : affine_layer R 'I_m ('I_m * 'cV[R]_1) :=
  Affine (fun=> - 1%:M) (fun=> const_mx 1) 0 (fun h x => (x, h)).

Definition second_layer : affine_layer R ('I_m * 'cV[R]_1) 'I_m :=
  Affine second_transition (fun=> 0) (point 1) (fun h _ => decoder h).

Definition adder : affine_stack R 'I_m 'I_m := Above (Above Input first_layer) second_layer.

Lemma unit_circle k : z ^+ k * (z ^+ k)^* = 1.
Proof.
have z1 : `|z| = 1.
  by apply/eqP; rewrite -(@pexpr_eq1 _ _ (2 * m)%N) // -normrX (prim_expr_order primitive) normr1.
by rewrite -normCK normrX z1 !expr1n.
Qed.

Lemma reflected k j l : k = (l + j)%N %[mod (2 * m)%N] -> mirror (z ^+ k) *m direction j = direction l.
Proof.
move/eqP; rewrite -(eq_prim_root_expr primitive) => /eqP e.
by rewrite mirror_point e exprD -mulrA unit_circle mulr1.
Qed.

Lemma reflected_once k j l : k = (l + j)%N \/ (k + 2 * m)%N = (l + j)%N -> mirror (z ^+ k) *m direction j = direction l.
Proof. by case=> e; apply: reflected; rewrite -e // modnDr. Qed.

Lemma direction_eq j k : (direction j == direction k) = (j == k %[mod (2 * m)%N]).
Proof. by rewrite (inj_eq (@point_inj R)) (eq_prim_root_expr primitive). Qed.

Lemma code_eq b c (i j : 'I_m) : (code b i == code c j) = (b == c) && (i == j).
Proof.
have small (a : bool) (y : nat) : (y < m)%N -> ((if a then 2 * m - 2 * y + 1 else 2 * y) %% (2 * m))%N =
    (if a then if y == 0 then 1 else 2 * m - 2 * y + 1 else 2 * y)%N.
  move=> lt; case: a; last by rewrite modn_small //; lia.
  by case: eqP => [->|?]; [rewrite muln0 subn0 modnDl modn_small //; lia | rewrite modn_small //; lia].
rewrite direction_eq !small // -val_eqE /=; move: (i : nat) (j : nat) (ltn_ord i) (ltn_ord j) => {i j} i j.
by case: b; case: c => /=; do ?case: eqP; lia.
Qed.

Lemma decoderK b (i : 'I_m) : decoder (code b i) = i.
Proof.
rewrite /decoder; case: pickP => [j|/(_ i)]; last by rewrite !code_eq eqxx !andbT; case: b.
by rewrite !code_eq => /orP[] /andP[_ /eqP].
Qed.

Definition sum (x : nat -> 'I_m) t : nat := ((\sum_(i < t) x i) %% m)%N.

Definition first_state : (nat -> 'I_m) -> nat -> 'cV[R]_1 :=
  at_time (step (fun=> - 1%:M) (fun=> const_mx 1)) 0.

Definition second_state (x : nat -> 'I_m) : nat -> 'cV[R]_2 :=
  at_time (step second_transition (fun=> 0)) (point 1) (fun t => (x t, first_state x t.+1)).

Lemma first_stateE x t : first_state x t = const_mx (odd t)%:R.
Proof.
elim: t => [|t IH]; first by apply/matrixP=> i j; rewrite !mxE.
rewrite /first_state /= /step -/(first_state x t) IH mulNmx mul1mx; apply/matrixP=> i j; rewrite !mxE.
by case: (odd t); rewrite ?addNr ?oppr0 ?add0r.
Qed.

Lemma second_stateE x t : second_state x t = code (odd t) (sum x t).
Proof.
elim: t => [|t IH]; first by rewrite /code /sum /= big_ord0 mod0n muln0 /direction expr0.
rewrite /second_state [LHS]/= /step -/(second_state x t) IH addr0 first_stateE /second_transition /code /=.
have sumS : sum x t.+1 = ((sum x t + x t) %% m)%N by rewrite /sum big_ord_recr /= modnDml.
have lt : (sum x t < m)%N by rewrite ltn_mod.
have le := ltn_ord (x t); rewrite mxE sumS; move: (sum x t) (x t : nat) lt le => s y lt le.
have wrap : ((s + y) %% m = s + y \/ (s + y) %% m + m = s + y)%N.
  case: (ltnP (s + y) m) => [small|big]; [by left; apply: modn_small | right].
  by rewrite -(subnK big) modnDr modn_small //; lia.
have := ltn_pmod (s + y) (ltn0Sn n); move: ((s + y) %% m)%N wrap => r wrap lr.
case: (odd t); rewrite /= ?eqxx ?[0 == 1]eq_sym ?oner_eq0; apply: reflected_once.
  by case: wrap; lia.
by case: wrap; lia.
Qed.

End Adder.

(** Theorem 6: for every m = n + 1 there is such a root of unity; the two layers have these transitions, add modulo m
    at every length, and have the states 0 and 1, and 2m vectors of the plane: no more, no fewer. *)
Theorem reflections_add (R : rcfType) n (m := n.+1) : exists z : R[i],
  [/\ forall y : 'I_m * 'cV[R]_1, gh_class 1 (fun b => b = -1) (second_transition z y),
      forall (x : nat -> 'I_m) t, exact_run (adder n z) x t = ((\sum_(i < t.+1) x i) %% m)%N :> nat,
      forall (h : 'cV[R]_1), (exists (x : nat -> 'I_m) t, first_state R x t = h) <-> h \in [:: 0; const_mx 1] &
      exists2 D : seq 'cV[R]_2, uniq D /\ size D = (2 * m)%N &
        forall h, (exists (x : nat -> 'I_m) t, second_state z x t = h) <-> h \in D].
Proof.
have [z primitive] : exists z : R[i], (2 * m)%N.-primitive_root z by apply: primitive_root_exists.
exists z; split.
- by move=> y; apply: mirror_gh; apply: (unit_circle primitive).
- move=> x t; rewrite (_ : exact_run _ x t = decoder n z (second_state z x t.+1)) // second_stateE //.
  by rewrite -[sum x _](@inordK n) ?ltn_mod // decoderK // inordK ?ltn_mod.
- move=> h; split=> [[x [t <-]]|].
    by rewrite first_stateE !inE; case: (odd t); rewrite eqxx ?orbT.
  rewrite !inE => /orP[]/eqP ->; exists (fun=> ord0); [exists 0%N => // | exists 1%N]; by rewrite first_stateE.
exists [seq code n z bi.1 (bi.2 : 'I_m) | bi <- enum {: bool * 'I_m}].
  split; last by rewrite size_map -cardE card_prod card_bool card_ord.
  rewrite map_inj_uniq ?enum_uniq // => -[b i] [c j] /eqP; rewrite code_eq //.
  by case/andP=> /eqP /= -> /eqP ->.
move=> h; split=> [[x [t <-]]|/mapP[[b i] _ ->]].
  rewrite second_stateE //; apply/mapP; exists (odd t, inord (sum x t)); rewrite ?mem_enum //=.
  by rewrite inordK ?ltn_mod.
case: b => /=.
  exists (fun=> i), 1%N; rewrite second_stateE //= /sum big_ord1 modn_small //.
exists (fun t => if t == 0%N then i else ord0), 2%N; rewrite second_stateE //= /sum !big_ord_recl big_ord0 /= !addn0.
by rewrite modn_small.
Qed.

(** m states are too few: at m = 1 there are two, 1 and -1. *)
Theorem not_reflections_add_in_m_states (R : rcfType) :
  ~ (forall n (z : R[i]), (2 * n.+1)%N.-primitive_root z ->
       exists2 D : seq 'cV[R]_2, size D = n.+1 & forall (x : nat -> 'I_n.+1) t, second_state z x t \in D).
Proof.
have [z primitive] : exists z : R[i], (2 * 1)%N.-primitive_root z by apply: primitive_root_exists.
move=> /(_ 0%N z primitive)[D size_D inD]; case: D size_D inD => [|h D] //= size_D inD.
have D0 : D = [::] by apply: size0nil; case: size_D.
rewrite D0 in inD.
have e0 := inD (fun=> ord0) 0%N; have e1 := inD (fun=> ord0) 1%N.
rewrite !second_stateE // !mem_seq1 in e0 e1; move/eqP: e0 => e0; move/eqP: e1 => e1.
have s0 t : sum (fun=> ord0 : 'I_1) t = 0%N by rewrite /sum modn1.
rewrite !s0 /= in e0 e1.
by have := code_eq primitive true false ord0 ord0; rewrite /= e1 e0 eqxx.
Qed.

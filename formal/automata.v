(** * Finite automata in stacks of linear layers

    grazzi25, Theorems 4 and 5, App. C.5; and two facts behind every check by closure.
    An automaton with n states is a cascade of n - 1 levels, each of which permutes its states or resets them; and any such cascade is
    a stack of as many linear layers, as wide as the levels have states, whose transitions are products of as many GH factors. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import householder.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.

(** ** What a closed set of pairs proves *)

Section Closure.

Variables (L : finType) (S Q O : eqType).
Variables (move : S -> L -> S) (out : S -> L -> O) (delta : Q -> L -> Q) (expected : Q -> L -> O).

(** The start is in it, no letter leads out of it, and the outputs agree on it: a finite check. *)
Definition closed (pairs : seq (S * Q)) (s : S) (q : Q) :=
  ((s, q) \in pairs) &&
  all (fun p => [forall x, ((move p.1 x, delta p.2 x) \in pairs) && (out p.1 x == expected p.2 x)]) pairs.

(** ... and the network is right after every word, of any length. *)
Theorem closed_is_right pairs s q : closed pairs s q ->
  forall (w : seq L) x, out (foldl move s w) x = expected (foldl delta q w) x.
Proof.
case/andP=> start /allP step w x.
suff /step/forallP/(_ x)/andP[_ /eqP] : (foldl move s w, foldl delta q w) \in pairs by [].
elim/last_ind: w => // w y /step/forallP/(_ y)/andP[next _].
by rewrite !foldl_rcons.
Qed.

End Closure.

(** ** A letter that acts aperiodically does not count *)

Section Aperiodic.

Variables (S : Type) (f : S -> S).

(** From some power on the letter does nothing more: then no decoder finds the parity of a word of that letter. *)
Theorem aperiodic_no_parity k (out : S -> bool) s :
  (forall q, iter k.+1 f q = iter k f q) -> ~ (forall j, out (iter j f s) = odd j).
Proof.
move=> stop parity; have := parity k.+1; rewrite stop parity /=.
by case: (odd k).
Qed.

End Aperiodic.

(** ** Cascades of permutation-reset automata (Definition 1: levels read the states below before the letter) *)

Inductive move (m : nat) := Permute of 'S_m | Reset of 'I_m.

Definition moved m (a : move m) (q : 'I_m) : 'I_m := match a with Permute p => p q | Reset r => r end.

(** A level reads x; the levels above it read x together with its state. *)
Inductive cascade (X : Type) : Type :=
| Done
| Level (m : nat) of X -> move m & 'I_m & cascade (X * 'I_m).

Fixpoint sizes X (c : cascade X) : seq nat := if c is Level m _ _ up then m :: sizes up else [::].

Fixpoint states X (c : cascade X) : Type := if c is Level m _ _ up then ('I_m * states up)%type else unit.

Fixpoint first X (c : cascade X) : states c :=
  match c with Done => tt | Level _ _ q up => (q, first up) end.

Fixpoint step X (c : cascade X) : X -> states c -> states c :=
  match c with
  | Done => fun _ r => r
  | Level _ act _ up => fun x r => (moved (act x) r.1, step (x, r.1) r.2)
  end.

(** ** Theorem 5: every automaton with n states is a cascade of n - 1 levels with n, n - 1, ..., 2 states

    A level remembers a state that the automaton is not in, among those that the levels before it left. A letter maps what is left to
    what is left afterwards: if one to one, the excluded state moves along, a permutation; if not, some state is hit by none, and
    excluding that one is a reset. *)

Section Excluded.

Variable m : nat.
Implicit Type phi : {ffun 'I_m -> 'I_m}.

Definition unhit phi (j : 'I_m) : bool := j \notin codom phi.

Definition move_of phi : move m :=
  match @idP (injectiveb phi) with
  | ReflectT inj => Permute (perm (injectiveP _ inj))
  | ReflectF _ => if [pick j | unhit phi j] is Some j then Reset j else Permute 1
  end.

(** Nothing that stays is mapped to what is excluded afterwards. *)
Lemma stays phi (i k : 'I_m) : k != i -> moved (move_of phi) i != phi k.
Proof.
rewrite /move_of; case: {-}_ / idP => [inj|not_inj] ki /=.
  by rewrite permE (inj_eq (injectiveP _ inj)) eq_sym.
case: pickP => [j hit|all_hit] /=; first by apply: contra hit => /eqP ->; apply: codom_f.
case: not_inj; apply/injectiveP=> a b; apply: (image_injP (A := predT)) => //.
rewrite -[X in X == _]/#|codom phi|; apply/eqP/eq_card => j.
by have := all_hit j; rewrite /unhit => /negbFE ->.
Qed.

End Excluded.

(** What the letter does among the states that are left after i is excluded. *)
Definition next m (phi : {ffun 'I_m.+1 -> 'I_m.+1}) (i : 'I_m.+1) : {ffun 'I_m -> 'I_m} :=
  [ffun k => odflt k (unlift (moved (move_of phi) i) (phi (lift i k)))].

Lemma nextE m (phi : {ffun 'I_m.+1 -> 'I_m.+1}) i k : lift (moved (move_of phi) i) (next phi i k) = phi (lift i k).
Proof.
rewrite ffunE; have [j e|e] := unliftP (moved (move_of phi) i) (phi (lift i k)); first by rewrite e.
have ki : lift i k != i by rewrite eq_sym neq_lift.
by have := stays phi ki; rewrite e eqxx.
Qed.

Fixpoint exclude m X : (X -> {ffun 'I_m.+1 -> 'I_m.+1}) -> 'I_m.+1 -> cascade X :=
  match m with
  | 0 => fun _ _ => Done X
  | m'.+1 => fun phi q =>
      let i : 'I_m'.+2 := if q == ord0 then ord_max else ord0 in
      Level (fun x => move_of (phi x)) i (exclude (fun xi : X * 'I_m'.+2 => next (phi xi.1) xi.2) (odflt ord0 (unlift i q)))
  end.

(** The state that no level excludes. *)
Fixpoint left_over m X (phi : X -> {ffun 'I_m.+1 -> 'I_m.+1}) q : states (exclude phi q) -> 'I_m.+1 :=
  match m return forall (phi : X -> {ffun 'I_m.+1 -> 'I_m.+1}) q, states (exclude phi q) -> 'I_m.+1 with
  | 0 => fun _ _ _ => ord0
  | m'.+1 => fun phi q r => lift r.1 (left_over (phi := _) r.2)
  end phi q.

Theorem excluded_states m X (phi : X -> {ffun 'I_m.+1 -> 'I_m.+1}) q x (r : states (exclude phi q)) :
  left_over (step x r) = phi x (left_over r).
Proof.
elim: m X phi q x r => [|m IH] X phi q x r /=; first by rewrite [RHS]ord1.
by rewrite (IH _ _ _ (x, r.1) r.2) /= nextE.
Qed.

(** n - 1 levels with n, n - 1, ..., 2 states, and it starts in the automaton's start. *)
Theorem excluded_sizes m X (phi : X -> {ffun 'I_m.+1 -> 'I_m.+1}) q : sizes (exclude phi q) = rev (iota 2 m).
Proof.
elim: m X phi q => [|m IH] X phi q //.
have iotaS k a : iota a k.+1 = rcons (iota a k) (a + k)%N by rewrite -addn1 iotaD cats1.
by rewrite iotaS rev_rcons /= IH add2n.
Qed.

Theorem excluded_start m X (phi : X -> {ffun 'I_m.+1 -> 'I_m.+1}) q : left_over (first (exclude phi q)) = q.
Proof.
elim: m X phi q => [|m IH] X phi q /=; first by rewrite [RHS]ord1.
rewrite IH; set i := if _ then _ else _; have iq : i != q.
  by rewrite /i; case: (q =P ord0) => [->|/eqP q0] //; rewrite eq_sym.
by have [j ->|e] := unliftP i q => //=; rewrite e eqxx in iq.
Qed.

Theorem every_automaton_is_a_cascade (Q : finType) (L : Type) (delta : Q -> L -> Q) (q0 : Q) :
  exists (c : cascade L) (W : states c -> Q),
    [/\ sizes c = rev (iota 2 #|Q|.-1), W (first c) = q0 & forall r x, W (step x r) = delta (W r) x].
Proof.
have n0 : #|Q|.-1.+1 = #|Q| by rewrite prednK //; apply/card_gt0P; exists q0.
move: #|Q|.-1 n0 => m e.
pose name (q : Q) : 'I_m.+1 := cast_ord (esym e) (enum_rank q).
pose named (i : 'I_m.+1) : Q := enum_val (cast_ord e i).
have nameK : cancel name named by move=> q; rewrite /named cast_ordKV enum_rankK.
pose phi x : {ffun 'I_m.+1 -> 'I_m.+1} := [ffun i => name (delta (named i) x)].
exists (exclude phi (name q0)), (fun r => named (left_over r)); split; first exact: excluded_sizes.
  by rewrite excluded_start nameK.
by move=> r x; rewrite excluded_states ffunE nameK.
Qed.

(** ** Theorem 4: one level is one linear layer

    The state e_q + s 1 names q across 1 and has a coordinate to spare along 1. A permutation is P (I - 11^T / m), a reset to r is
    1 w^T and writes e_r, with w across 1 and different entries. Both erase s; and both are one to one on the e_q, so that the new state and
    the letter tell the state before the letter: that is what the levels above read. *)

Section Layer.

Local Open Scope ring_scope.
Variables (F : realFieldType) (m : nat).
Implicit Types (a : move m) (q : 'I_m) (h : 'cV[F]_m).

Definition unit_vector q : 'cV[F]_m := \col_i (i == q)%:R.

Definition all_ones : 'cV[F]_m := const_mx 1.

(** Different weights that add up to 0. *)
Definition weight q : F := (2%:R * q%:R + 1 - m%:R) / m%:R ^+ 2.

Definition transition a : 'M[F]_m :=
  match a with
  | Permute p => \matrix_(i, j) ((i == p j)%:R - m%:R^-1)
  | Reset r => \matrix_(i, j) weight j
  end.

Definition written a : 'cV[F]_m := if a is Reset r then unit_vector r else 0.

Definition affine a h : 'cV[F]_m := transition a *m h + written a.

Definition names q h := exists s : F, h = unit_vector q + s *: all_ones.

Lemma m_gt0 q : 0 < m%:R :> F.
Proof. by rewrite ltr0n (leq_ltn_trans _ (ltn_ord q)). Qed.

Lemma weight_rev q : weight (rev_ord q) = - weight q.
Proof.
rewrite /weight -mulNr; congr (_ / _); rewrite natrB //= -[in q.+1%:R]addn1 natrD.
by move: (q%:R : F) (m%:R : F) => x y; ring.
Qed.

Lemma weight_sum : \sum_q weight q = 0.
Proof.
apply/eqP; rewrite -[X in X == _](mulfK (_ : 2%:R != 0)) ?pnatr_eq0 // mulf_eq0 invr_eq0 pnatr_eq0 orbF.
rewrite mulr_natr mulr2n {1}(reindex_inj rev_ord_inj) /= -big_split /= big1 // => q _.
by rewrite weight_rev addNr.
Qed.

Lemma weight_inj : injective weight.
Proof.
move=> p q; have m0 := m_gt0 p; rewrite /weight => /(mulIf _) H.
have {}H : 2%:R * p%:R + 1 - m%:R = 2%:R * q%:R + 1 - m%:R :> F by apply: H; rewrite invr_eq0 expf_eq0 /= gt_eqF.
have {H} : 2%:R * p%:R = 2%:R * q%:R :> F by apply: (addIr 1); apply: (addIr (- m%:R)).
by move=> /(mulfI _) H; apply/ord_inj/eqP; rewrite -(eqr_nat F) H // pnatr_eq0.
Qed.

(** Both kinds of transition erase the spare coordinate. *)
Lemma transition_ones a : transition a *m all_ones = 0.
Proof.
apply/colP=> i; rewrite !mxE; case: a => [p|r].
  under eq_bigr do rewrite !mxE mulr1.
  rewrite sumrB sumr_const card_ord -mulr_natr mulVf ?gt_eqF ?(m_gt0 i) //.
  rewrite (bigD1 (p^-1%g i)) //= permKV eqxx big1 ?addr0 ?subrr // => j ji.
  by case: eqP => // e; rewrite e permK eqxx in ji.
by under eq_bigr do rewrite !mxE mulr1; apply: weight_sum.
Qed.

Lemma transition_unit a q i : (transition a *m unit_vector q) i 0 = transition a i q.
Proof.
rewrite mxE (bigD1 q) //= mxE eqxx mulr1 big1 ?addr0 // => j jq.
by rewrite mxE (negbTE jq) mulr0.
Qed.

Lemma affine_names a q h : names q h -> affine a h = affine a (unit_vector q).
Proof. by case=> s ->; rewrite /affine mulmxDr -scalemxAr transition_ones scaler0 addr0. Qed.

Lemma affine_moves a q : names (moved a q) (affine a (unit_vector q)).
Proof.
case: a => [p|r].
  exists (- m%:R^-1); rewrite /affine addr0; apply/colP=> i; rewrite transition_unit !mxE mulr1.
  by [].
exists (weight q); rewrite /affine addrC; apply/colP=> i.
by rewrite mxE transition_unit !mxE mulr1.
Qed.

Lemma affine_inj a : injective (fun q => affine a (unit_vector q)).
Proof.
move=> p q /(congr1 (fun h => h - written a)); rewrite !addrK => /colP e.
case: a e => [s|r] e; last by have := e p; rewrite !transition_unit !mxE; apply: weight_inj.
have := e (s p); rewrite !transition_unit !mxE eqxx => /(addIr _) /eqP; rewrite eqr_nat eq_sym eqb1 => /eqP.
exact: perm_inj.
Qed.

(** The decoder: which state before the letter leads to this? *)
Definition before a q0 h : 'I_m := odflt q0 [pick q | affine a (unit_vector q) == h].

Lemma before_affine a q0 q h : names q h -> before a q0 (affine a h) = q.
Proof.
move=> nh; rewrite /before; case: pickP => [p /eqP|/(_ q)]; first by rewrite (affine_names a nh) => /affine_inj.
by rewrite (affine_names a nh) eqxx.
Qed.

End Layer.

(** * Finite automata in stacks of linear layers

    grazzi25, Theorems 4 and 5, App. C.5; and two facts behind every check by closure.
    An automaton with n states is a cascade of n - 1 levels, each of which permutes its states or resets them; and any
    such cascade is a stack of as many linear layers, as wide as the levels have states, whose transitions are products
    of as many GH factors.

    - [natural_layer l]: the states are columns, inputs and start have natural entries; [gh_stack s]: so it is with
          every layer, and a layer of width m is in [gh_layer m] of classes.v;
    - [finite_layer l], [finite_stack s]: every layer has finitely many states. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import models householder classes.

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
Lemma closed_is_right pairs s q : closed pairs s q ->
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
Lemma aperiodic_no_parity k (out : S -> bool) s :
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

Fixpoint cascade_step X (c : cascade X) : X -> states c -> states c :=
  match c with
  | Done => fun _ r => r
  | Level _ act _ up => fun x r => (moved (act x) r.1, cascade_step (x, r.1) r.2)
  end.

(** ** Theorem 5: every automaton with n states is a cascade of n - 1 levels with n, n - 1, ..., 2 states

    A level remembers a state that the automaton is not in, among those that the levels before it left. A letter maps
    what is left to what is left afterwards: if one to one, the excluded state moves along, a permutation; if not, some
    state is hit by none, and excluding that one is a reset. *)

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
      Level (fun x => move_of (phi x)) i
        (exclude (fun xi : X * 'I_m'.+2 => next (phi xi.1) xi.2) (odflt ord0 (unlift i q)))
  end.

(** The state that no level excludes. *)
Fixpoint left_over m X (phi : X -> {ffun 'I_m.+1 -> 'I_m.+1}) q : states (exclude phi q) -> 'I_m.+1 :=
  match m return forall (phi : X -> {ffun 'I_m.+1 -> 'I_m.+1}) q, states (exclude phi q) -> 'I_m.+1 with
  | 0 => fun _ _ _ => ord0
  | m'.+1 => fun phi q r => lift r.1 (left_over (phi := _) r.2)
  end phi q.

Lemma excluded_states m X (phi : X -> {ffun 'I_m.+1 -> 'I_m.+1}) q x (r : states (exclude phi q)) :
  left_over (cascade_step x r) = phi x (left_over r).
Proof.
elim: m X phi q x r => [|m IH] X phi q x r /=; first by rewrite [RHS]ord1.
by rewrite (IH _ _ _ (x, r.1) r.2) /= nextE.
Qed.

(** n - 1 levels with n, n - 1, ..., 2 states, and it starts in the automaton's start. *)
Lemma excluded_sizes m X (phi : X -> {ffun 'I_m.+1 -> 'I_m.+1}) q : sizes (exclude phi q) = rev (iota 2 m).
Proof.
elim: m X phi q => [|m IH] X phi q //.
have iotaS k a : iota a k.+1 = rcons (iota a k) (a + k)%N by rewrite -addn1 iotaD cats1.
by rewrite iotaS rev_rcons /= IH add2n.
Qed.

Lemma excluded_start m X (phi : X -> {ffun 'I_m.+1 -> 'I_m.+1}) q : left_over (first (exclude phi q)) = q.
Proof.
elim: m X phi q => [|m IH] X phi q /=; first by rewrite [RHS]ord1.
rewrite IH; set i := if _ then _ else _; have iq : i != q.
  by rewrite /i; case: (q =P ord0) => [->|/eqP q0] //; rewrite eq_sym.
by have [j ->|e] := unliftP i q => //=; rewrite e eqxx in iq.
Qed.

Theorem every_automaton_is_a_cascade (Q : finType) (L : Type) (delta : Q -> L -> Q) (q0 : Q) :
  exists (c : cascade L) (W : states c -> Q),
    [/\ sizes c = rev (iota 2 #|Q|.-1), W (first c) = q0 & forall r x, W (cascade_step x r) = delta (W r) x].
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

    The state e_q + s 1 names q across 1 and has a coordinate to spare along 1. A permutation is P (I - 11^T / m), a
    reset to r is 1 w^T and writes e_r, with w across 1 and different entries. Both erase s; and both are one to one on
    the e_q, so that the new state and the letter tell the state before the letter: that is what the levels above read.
    *)

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

(** ** ... and its transition is a product of m GH factors with eigenvalues in [-1, 1] *)

Section Factors.

Local Open Scope ring_scope.
Variables (F : realFieldType) (m : nat).
Implicit Types (E M : 'M[F]_m) (x y : 'rV[F]_m) (s : seq ('cV[F]_m * F)).

(** An orthogonal matrix: rank (Q - I) reflections. *)
Lemma gh_factors_orthogonal M : orthogonal M -> gh_factors (\rank (M - 1%:M)%R) M.
Proof.
move=> /orthogonal_is_a_product_of_reflections[vs vs0 [size_vs vsM]]; exists (reflections vs); last by rewrite size_map.
rewrite /contracting all_map; apply/allP=> v /(allP vs0) /= v0; rewrite trmxK divfK ?dot_eq0 //.
by rewrite ler0n lexx.
Qed.

(** An orthogonal projection: as many projections along one vector as dimensions that it loses. *)
Lemma gh_factors_projection E : E^T = E -> E *m E = E -> gh_factors (\rank (1%:M - E)%R) E.
Proof.
have [k] := ubnP (\rank (1%:M - E)%R); elim: k => // k IH in E *; rewrite ltnS => rE ET EE.
have [E1|E1] := eqVneq (1%:M - E) 0.
  by exists [::] => //=; move/eqP: E1; rewrite subr_eq0 => /eqP.
have [i xi] : exists i, row i (1%:M - E) != 0.
  by apply/existsP; apply: contraR E1; rewrite negb_exists => /forallP z; apply/eqP/row_matrixP=> i; have := z i;
    rewrite negbK row0 => /eqP.
set x := row i _ in xi; have xE : x *m E = 0 by rewrite -row_mul mulmxBl mul1mx EE subrr row0.
have Ex : E *m x^T = 0 by rewrite -ET -trmx_mul xE trmx0.
have xx : dot x x != 0 by rewrite dot_eq0.
pose P := (dot x x)^-1 *: (x^T *m x); pose E' := E + P.
have xP : x *m P = x by rewrite -scalemxAr mulmxA dotE mul_scalar_mx scalerA mulVf // scale1r.
have EP : E *m P = 0 by rewrite -scalemxAr mulmxA Ex mul0mx scaler0.
have PE : P *m E = 0 by rewrite -scalemxAl -mulmxA xE mulmx0 scaler0.
have PP : P *m P = P by rewrite -{1}/P -scalemxAl -mulmxA xP.
have PT : P^T = P by rewrite linearZ /= trmx_mul trmxK.
have E'E : E' *m gh x^T (dot x x)^-1 = E.
  by rewrite /gh trmxK -/P mulmxBr mulmx1 mulmxDl EP PP add0r addrK.
have ker (A : 'M[F]_m) y : (y <= kermx (1%:M - A))%MS = (y *m A == y).
  by rewrite (sameP sub_kermxP eqP) mulmxBr mulmx1 subr_eq0 eq_sym.
have less : (\rank (1%:M - E')%R < \rank (1%:M - E)%R)%N.
  have : (kermx (1%:M - E) < kermx (1%:M - E'))%MS.
    apply/andP; split; last first.
      apply/negP=> sub; have : (x <= kermx (1%:M - E'))%MS by rewrite ker mulmxDr xE xP add0r.
      by move=> /submx_trans/(_ sub); rewrite ker xE eq_sym (negbTE xi).
    apply/row_subP=> j; have : (row j (kermx (1%:M - E)) <= kermx (1%:M - E))%MS by apply: row_sub.
    move: (row j _) => y; rewrite !ker => /eqP yE; rewrite mulmxDr -{2}yE -mulmxA EP mulmx0 addr0.
    by rewrite yE.
  by rewrite ltmxErank !mxrank_ker => /andP[_]; apply: contraTltn => le; rewrite -leqNgt leq_sub2l.
have E'T : E'^T = E' by rewrite linearD /= ET PT.
have E'E' : E' *m E' = E' by rewrite mulmxDl !mulmxDr EE EP PE PP addr0 add0r.
apply: (gh_factors_le (j := \rank (1%:M - E')%R + 1)); first by rewrite addn1.
rewrite -[X in gh_factors _ X]E'E; apply: gh_factorsM; first by apply: IH => //; apply: leq_trans less rE.
by apply: gh_factors_one; rewrite trmxK mulVf // ler01 ler1n.
Qed.

End Factors.

Section Transitions.

Local Open Scope ring_scope.
Variables (F : realFieldType) (m : nat).

(** J / m, the projection onto 1. *)
Definition averaging : 'M[F]_m.+1 := const_mx (m.+1%:R^-1).

Lemma m1_neq0 : m.+1%:R != 0 :> F.
Proof. by rewrite pnatr_eq0. Qed.

Lemma averagingE : averaging = m.+1%:R^-1 *: (all_ones F m.+1 *m (all_ones F m.+1)^T).
Proof. by apply/matrixP=> i j; rewrite !mxE big_ord1 !mxE !mulr1. Qed.

Lemma ones_ones : (all_ones F m.+1)^T *m all_ones F m.+1 = (m.+1%:R)%:M.
Proof.
apply/matrixP=> i j; rewrite !ord1 !mxE eqxx; under eq_bigr do rewrite !mxE mulr1.
by rewrite sumr_const card_ord.
Qed.

Lemma averagingT : averaging^T = averaging.
Proof. by apply/matrixP=> i j; rewrite !mxE. Qed.

Lemma averaging_ones : averaging *m all_ones F m.+1 = all_ones F m.+1.
Proof. by rewrite averagingE -scalemxAl -mulmxA ones_ones mul_mx_scalar scalerA mulVf ?m1_neq0 // scale1r. Qed.

Lemma averaging_idem : averaging *m averaging = averaging.
Proof. by rewrite {2 3}averagingE -scalemxAr mulmxA averaging_ones. Qed.

(** What fixes 1 is at most m (of m + 1) dimensions away from I. *)
Lemma rank_fixing M : M *m all_ones F m.+1 = all_ones F m.+1 -> (\rank (M - 1%:M)%R <= m)%N.
Proof.
move=> M1; rewrite -ltnS ltn_neqAle rank_leq_row andbT; apply/negP=> full.
have unit : M - 1%:M \in unitmx by rewrite -row_free_unit.
have /colP/(_ ord0) : all_ones F m.+1 = 0.
  by rewrite -[LHS](mulKmx unit) mulmxBl M1 mul1mx subrr mulmx0.
by rewrite !mxE => /eqP; rewrite oner_eq0.
Qed.

Lemma averaging_factors : gh_factors m averaging.
Proof.
apply: (gh_factors_le _ (gh_factors_projection averagingT averaging_idem)).
by rewrite -mxrank_opp opprB; apply: rank_fixing averaging_ones.
Qed.

(** A permutation: n - 1 reflections at most, and one projection that erases the spare coordinate. *)
Lemma permute_factors (p : 'S_m.+1) : gh_factors m.+1 (transition F (Permute p)).
Proof.
pose M : 'M[F]_m.+1 := perm_mx p^-1%g.
have M1 : M *m all_ones F m.+1 = all_ones F m.+1.
  by rewrite -row_permE; apply/colP=> i; rewrite !mxE.
have -> : transition F (Permute p) = M *m gh (all_ones F m.+1) (m.+1%:R^-1).
  rewrite /gh -averagingE mulmxBr mulmx1 averagingE -scalemxAr mulmxA M1 -averagingE.
  by apply/matrixP=> i j; rewrite !mxE (canF_eq (permKV p)).
apply: (gh_factors_le (j := m + 1)); first by rewrite addn1.
apply: gh_factorsM.
  apply: (gh_factors_le (rank_fixing M1)); apply: gh_factors_orthogonal.
  by rewrite /orthogonal tr_perm_mx -perm_mxM invgK mulVg perm_mx1.
apply: gh_factors_one; rewrite /dot trmxK ones_ones mxE eqxx mulVf ?m1_neq0 //.
by rewrite ler01 ler1n.
Qed.

Lemma weight_small (q : 'I_m.+1) : `|weight F q| <= m.+1%:R^-1.
Proof.
have n0 : 0 < m.+1%:R :> F by rewrite ltr0n.
rewrite /weight normrM normfV (ger0_norm (sqr_ge0 _)) ler_pdivr_mulr ?exprn_gt0 // expr2 mulKf ?gt_eqF //.
have -> : 2%:R * q%:R + 1 = (q.*2.+1)%:R :> F by rewrite -natrM -(natrD _ _ 1) addn1 mul2n.
rewrite ler_norml ler_subr_addr addNr ler_subl_addr -natrD ler0n ler_nat /= addnn.
by rewrite ltn_double.
Qed.

(** A reset: n - 1 projections that keep 1, and one factor that turns 1 into a multiple of w. *)
Lemma reset_factors (r : 'I_m.+1) : gh_factors m.+1 (transition F (Reset r)).
Proof.
pose w : 'cV[F]_m.+1 := \col_q weight F q; pose n : F := m.+1%:R.
have n0 : n != 0 := m1_neq0.
have w1 : (all_ones F m.+1)^T *m w = 0.
  apply/matrixP=> i j; rewrite !mxE; under eq_bigr do rewrite !mxE mul1r.
  exact: weight_sum.
pose v := all_ones F m.+1 - n *: w.
have v1 : (all_ones F m.+1)^T *m v = n%:M by rewrite mulmxBr ones_ones -scalemxAr w1 scaler0 subr0.
have vT : v^T = (all_ones F m.+1)^T - n *: w^T by rewrite /v linearB /= linearZ.
have -> : transition F (Reset r) = averaging *m gh v n^-1.
  rewrite averagingE /gh -scalemxAl -mulmxA mulmxBr mulmx1 -scalemxAr (mulmxA _ v) v1 mul_scalar_mx scalerA mulVf //
    scale1r.
  rewrite vT opprB addrC subrK -scalemxAr scalerA mulVf // scale1r.
  by apply/matrixP=> i j; rewrite !mxE big_ord1 !mxE mul1r.
apply: (gh_factors_le (j := m + 1)); first by rewrite addn1.
apply: gh_factorsM; first exact: averaging_factors.
apply: gh_factors_one.
have ww : n * dot w^T w^T <= 1.
  rewrite /dot trmxK mxE; apply: (@le_trans _ _ (n * \sum_(q < m.+1) (n^-1) ^+ 2)).
    rewrite ler_wpmul2l ?ler0n //; apply: ler_sum => q _; rewrite !mxE -expr2.
    by rewrite -real_normK ?num_real // ler_sqr ?nnegrE ?invr_ge0 ?ler0n // weight_small.
  by rewrite sumr_const card_ord -mulr_natr -/n expr2 -mulrA mulVf // mulr1 mulfV.
have -> : n^-1 * dot v^T v^T = 1 + n * dot w^T w^T.
  rewrite /dot !trmxK vT mulmxBl v1 -scalemxAl mulmxBr.
  have -> : w^T *m all_ones F m.+1 = 0 by rewrite -[LHS]trmxK trmx_mul trmxK w1 trmx0.
  rewrite sub0r scalerN opprK -scalemxAr !mxE eqxx mulr1n; by field.
by rewrite addr_ge0 ?mulr_ge0 ?ler0n ?dot_ge0 ?ler01 //= -[2%:R]/(1 + 1) ler_add2l.
Qed.

End Transitions.

(** Every transition of a level with m states is in M^m_m([-1, 1]). *)
Lemma transition_factors (F : realFieldType) m (a : move m) : gh_factors m (transition F a).
Proof.
case: m a => [|m] [p|r]; last exact: reset_factors.
- by exists [::]; rewrite //= flatmx0 [RHS]flatmx0.
- by case: r.
exact: permute_factors.
Qed.

(** ** Stacks *)

Section Stacks.

Local Open Scope ring_scope.
Variable F : realFieldType.

(** Every transition of a layer of width m is in M^m_m([-1, 1]), the states are columns, and every input and start has
    natural entries. *)
Definition natural_layer X Y (l : affine_layer F X Y) : Prop :=
  [/\ channels l = 1%N, forall x i j, exists k : nat, input l x i j = k%:R &
      forall i j, exists k : nat, origin l i j = k%:R].

Definition gh_stack X Y (s : affine_stack F X Y) : Prop :=
  every (fun X Y (l : affine_layer F X Y) => gh_layer (width l) l /\ natural_layer l) s.

(** Every layer has finitely many states, whatever the word. *)
Definition finite_layer X Y (l : affine_layer F X Y) : Prop :=
  exists states : seq 'M[F]_(width l, channels l),
    forall x t, at_time (step (models.transition l) (input l)) (origin l) x t \in states.

Definition finite_stack X Y (s : affine_stack F X Y) : Prop := every finite_layer s.

(** The states of a cascade before the letter number t. *)
Definition visited X (c : cascade X) : (nat -> X) -> nat -> states c := at_time (fun r x => cascade_step x r) (first c).

(** A level as a layer, as wide as the level has states: it hands up the letter and its state before the letter. *)
Section Level.

Variables (X : Type) (m : nat) (act : X -> move m) (q : 'I_m).

Definition level_layer : affine_layer F X (X * 'I_m) :=
  Affine (fun x => transition F (act x)) (fun x => written F (act x)) (unit_vector F q)
    (fun h x => (x, before (act x) q h)).

Definition level_state : (nat -> X) -> nat -> 'cV[F]_m :=
  at_time (step (models.transition level_layer) (input level_layer)) (origin level_layer).

(** A state is the start, or what one of finitely many moves makes of one of finitely many unit vectors. *)
Lemma level_finite : finite_layer level_layer.
Proof.
pose after (r : 'I_m) := [seq affine (Permute p) (unit_vector F r) | p <- enum {: 'S_m}] ++
  [seq affine (Reset k) (unit_vector F r) | k <- enum 'I_m].
have named x t : exists r, names r (level_state x t).
  elim: t => [|t [r nr]]; first by exists q, 0; rewrite scale0r addr0.
  by exists (moved (act (x t)) r); rewrite [level_state _ _]/step -/(affine _ _) (affine_names _ nr);
    apply: affine_moves.
exists (unit_vector F q :: flatten [seq after r | r <- enum 'I_m]) => x [|t]; first by rewrite inE eqxx.
have [r nr] := named x t; rewrite [at_time _ _ _ _]/step -/(affine _ _) (affine_names _ nr) inE; apply/orP; right.
apply/flattenP; exists (after r); first by apply: map_f; rewrite mem_enum.
rewrite mem_cat; apply/orP; case: (act (x t)) => [p|k]; [left | right]; apply/mapP.
  by exists p; rewrite ?mem_enum.
by exists k; rewrite ?mem_enum.
Qed.

Lemma unit_vector_natural (r : 'I_m) i : exists k : nat, unit_vector F r i 0 = k%:R.
Proof. by exists (i == r); rewrite mxE. Qed.

Lemma level_gh : gh_layer (width level_layer) level_layer /\ natural_layer level_layer.
Proof.
split; [by move=> x; apply: transition_factors | split=> // [x i j|i j]].
  rewrite ord1 /=; case: (act x) => [p|r]; [exists 0%N; by rewrite mxE | exact: unit_vector_natural].
by rewrite ord1; apply: unit_vector_natural.
Qed.

End Level.

(** A cascade as a stack: a layer for each level. *)
Fixpoint top X (c : cascade X) : Type := if c is Level _ _ _ up then top up else X.

Fixpoint compiled X (c : cascade X) : affine_stack F X (top c) :=
  match c return affine_stack F X (top c) with
  | Done => Input
  | Level m act q up => under (level_layer act q) (compiled up)
  end.

(** What the highest layer hands up: the letter and the states of all levels. *)
Fixpoint handed X (c : cascade X) {struct c} : top c -> X * states c :=
  match c return top c -> X * states c with
  | Done => fun x => (x, tt)
  | Level _ _ _ up => fun y => let xr := @handed _ up y in (xr.1.1, (xr.1.2, xr.2))
  end.

Lemma compiled_widths X (c : cascade X) : widths (compiled c) = sizes c.
Proof. by elim: c => //= X' m act q up IH; rewrite widths_under IH. Qed.

Lemma compiled_gh X (c : cascade X) : gh_stack (compiled c).
Proof. by elim: c => //= X' m act q up IH; apply/every_under; split; first exact: level_gh. Qed.

Lemma compiled_finite X (c : cascade X) : finite_stack (compiled c).
Proof. by elim: c => //= X' m act q up IH; apply/every_under; split; first exact: level_finite. Qed.

(** Layer by layer: what is handed up is the letter and the states before it. *)
Lemma cascades_are_stacks X (c : cascade X) x t : handed (exact_run (compiled c) x t) = (x t, visited c x t).
Proof.
elim: c x t => [X' x t|X' m act q up IH x t] /=; first by case: (visited _ _ _).
pose r t := visited (Level act q up) x t; pose h := transduce (exact (level_layer act q)) x.
have hid t' : names (r t').1 (level_state act q x t').
  elim: t' => [|t' IHt]; first by exists 0; rewrite scale0r addr0.
  by rewrite [level_state _ _ _ _]/step -/(affine _ _) (affine_names _ IHt); apply: affine_moves.
have hE t' : h t' = (x t', (r t').1) by congr (_, _); apply: before_affine (hid t').
rewrite /exact_run output_under -/(exact_run _ _) -/h IH hE /=; congr (_, _).
have -> : visited up h t = (r t).2.
  by elim: t => // t IHt; rewrite (_ : visited up h t.+1 = cascade_step (h t) (visited up h t)) // IHt hE.
by rewrite -/(r t); case: (r t).
Qed.

End Stacks.

(** Theorem 4: every automaton with n states is a stack of n - 1 layers of widths n, ..., 2 whose transitions are in
    M^m_m([-1, 1]) at width m, with natural inputs and finitely many states, right after every letter of every word,
    read by some function of what the highest layer hands up. Over F = rat all that is rational. *)
Theorem every_automaton_is_a_stack (F : realFieldType) (Q : finType) (L : Type) (delta : Q -> L -> Q) (q0 : Q) :
  exists (Y : Type) (s : affine_stack F L Y) (answer : Y -> Q),
    [/\ widths s = rev (iota 2 #|Q|.-1), gh_stack s, finite_stack s &
        tracks delta q0 (fun x t => answer (exact_run s x t))].
Proof.
have [c [W [sz W0 Wstep]]] := every_automaton_is_a_cascade delta q0.
exists (top c), (compiled F c), (fun y => delta (W (@handed _ c y).2) (@handed _ c y).1); split;
  first by rewrite compiled_widths.
- exact: compiled_gh.
- exact: compiled_finite.
move=> x t; rewrite cascades_are_stacks mkseqS state_rcons; congr delta.
elim: t => [|t IH]; first by rewrite W0.
by rewrite mkseqS state_rcons -IH -Wstep.
Qed.

(** ** Appendix A.3: one layer with 0/1 transitions computes any automaton, but without the bound on the norm *)

Section OneHot.

Local Open Scope ring_scope.
Variables (R : ringType) (n : nat) (L : Type) (delta : 'I_n -> L -> 'I_n) (q0 : 'I_n).

Definition one_hot (q : 'I_n) : 'cV[R]_n := \col_i (i == q)%:R.

Definition boolean (x : L) : 'M[R]_n := \matrix_(i, q) (i == delta q x)%:R.

Lemma boolean_one_hot x q : boolean x *m one_hot q = one_hot (delta q x).
Proof.
apply/colP=> i; rewrite !mxE (bigD1 q) //= !mxE eqxx mulr1 big1 ?addr0 // => j jq.
by rewrite !mxE (negbTE jq) mulr0.
Qed.

Theorem one_layer_one_hot (w : seq L) : foldl (fun h x => boolean x *m h) (one_hot q0) w = one_hot (foldl delta q0 w).
Proof. by elim/last_ind: w => // w x IH; rewrite !foldl_rcons IH boolean_one_hot. Qed.

Theorem one_hot_tells_states : (1 : R) != 0 -> injective one_hot.
Proof. by move=> R1 p q /colP/(_ p); rewrite !mxE eqxx; case: eqP => // _ /eqP; rewrite (negbTE R1). Qed.

End OneHot.

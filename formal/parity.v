(** * Parity: what nonnegative spectra cannot compute, for every size and depth

    grazzi25, Theorem 1 and App. B, in the paper's model of finite precision (infinite-precision products, each term
    cast onto a finite set, and their sum cast again).

    The paper compares growth rates of exponential sums. Here no limit is taken: an entry of A^k N is annihilated by
    prod (E - lambda_i), E the shift and lambda_i >= 0 the eigenvalues (Cayley and Hamilton), and each factor E - lambda
    with lambda >= 0 costs at most one change of sign (a discrete Rolle). So an entry crosses a threshold at most n + 1
    times, ever. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From lemmata Require Import models.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** How often a sequence changes *)

Definition eventually_constant (S : Type) (u : nat -> S) := exists K, forall k, u (K + k)%N = u K.

Section Changes.

Variable T : eqType.
Implicit Types u : nat -> T.

Definition changes u K : nat := (\sum_(k < K) (u k != u k.+1))%N.

Definition bounded_changes u := exists C, forall K, (changes u K <= C)%N.

Lemma changesS u K : changes u K.+1 = (changes u K + (u K != u K.+1))%N.
Proof. by rewrite /changes big_ord_recr. Qed.

Lemma changes_const u c K : (forall k, u k = c) -> changes u K = 0%N.
Proof. by move=> uc; rewrite /changes big1 // => k _; rewrite !uc eqxx. Qed.

(** A sequence that changes boundedly often is eventually constant: not not, so that no axiom is needed. *)
Lemma settles u : bounded_changes u -> ~ ~ eventually_constant u.
Proof.
case=> C; elim: C u => [|C IH] u bound never.
  apply: (never); exists 0%N; elim=> // k; rewrite !add0n => <-.
  by have := bound k.+1; rewrite leqn0 changesS addn_eq0 => /andP[_]; rewrite eqb0 negbK => /eqP.
apply: (never); exists 0%N => k.
have [//|neq] := eqVneq (u (0 + k)%N) (u 0%N).
(* it changes before k: the rest changes less often *)
pose tail j := u (k + j)%N.
have : (0 < changes u k)%N.
  rewrite lt0n; apply: contra neq => /eqP none; apply/eqP; rewrite add0n.
  elim: k none {tail} => // k IHk; rewrite changesS => /eqP; rewrite addn_eq0 eqb0 negbK => /andP[/eqP /IHk <- /eqP <-].
  by [].
move=> pos; exfalso.
have tail_bound K : (changes tail K <= C)%N.
  have e : changes u (k + K)%N = (changes u k + changes tail K)%N.
    elim: K => [|K IHK]; first by rewrite addn0 /changes [X in (_ + X)%N]big_ord0 addn0.
    by rewrite addnS !changesS IHK -addnA /tail addnS.
  rewrite -(leq_add2l 1); apply: leq_trans (bound (k + K)%N).
  by rewrite e leq_add2r.
apply: (IH tail tail_bound) => -[K0 cK0]; apply: never; exists (k + K0)%N => j.
by rewrite -addnA; apply: cK0.
Qed.

End Changes.

(** Whatever is computed from sequences changes only when one of them does. *)
Lemma changes_map (T S : eqType) (g : T -> S) (u : nat -> T) K : (changes (g \o u) K <= changes u K)%N.
Proof.
rewrite /changes leq_sum // => k _ /=; have [->|_] := eqVneq (u k) (u k.+1); first by rewrite eqxx.
by rewrite leq_b1.
Qed.

Lemma changes_pair (T S : eqType) (u : nat -> T) (v : nat -> S) K :
  (changes (fun k => (u k, v k)) K <= changes u K + changes v K)%N.
Proof.
rewrite /changes -big_split /= leq_sum // => k _; rewrite xpair_eqE negb_and.
by case: (_ != _); case: (_ != _).
Qed.

Lemma bounded_map (T S : eqType) (g : T -> S) (u : nat -> T) : bounded_changes u -> bounded_changes (g \o u).
Proof. by case=> C uC; exists C => K; apply: leq_trans (changes_map g u K) (uC K). Qed.

Lemma bounded_ext (T : eqType) (u v : nat -> T) : u =1 v -> bounded_changes u -> bounded_changes v.
Proof. by move=> uv [C uC]; exists C => K; apply: leq_trans (uC K); rewrite /changes leq_sum // => k _; rewrite !uv.
  Qed.

Lemma eq_changes (T : eqType) (u v : nat -> T) K : u =1 v -> changes u K = changes v K.
Proof. by move=> uv; apply: eq_bigr => k _; rewrite !uv. Qed.

Lemma bounded_const (T : eqType) (c : T) : bounded_changes (fun=> c).
Proof. by exists 0%N => K; rewrite (@changes_const _ _ c). Qed.

Lemma bounded_pair (T S : eqType) (u : nat -> T) (v : nat -> S) :
  bounded_changes u -> bounded_changes v -> bounded_changes (fun k => (u k, v k)).
Proof.
move=> [C uC] [D vD]; exists (C + D)%N => K.
by apply: leq_trans (changes_pair u v K) _; apply: leq_add.
Qed.

Lemma bounded_seq (T : eqType) (I : Type) (s : seq I) (u : I -> nat -> T) :
  (forall i, bounded_changes (u i)) -> bounded_changes (fun k => [seq u i k | i <- s]).
Proof.
move=> bu; elim: s => [|i s IH] /=; first exact: bounded_const.
have := bounded_map (fun p => p.1 :: p.2) (bounded_pair (bu i) IH).
by apply: bounded_ext => k.
Qed.

(** ** The discrete Rolle *)

(** b rises only while r, and falls only while not r, except at the steps e: then it changes at most once more than r.
    *)
Lemma rolle (b r e : nat -> bool) K :
  (forall k, ~~ e k -> r k -> b k -> b k.+1) ->
  (forall k, ~~ e k -> ~~ r k -> b k.+1 -> b k) ->
  (changes b K <= changes r K + 1 + (\sum_(k < K) e k).*2)%N.
Proof.
move=> up down.
suff : (changes b K <= changes r K + (b K == r K) + (\sum_(k < K) e k).*2)%N.
  by move=> /leq_trans -> //; rewrite leq_add2r leq_add2l leq_b1.
elim: K => [|K IH]; first by rewrite /changes !big_ord0.
rewrite !changesS big_ord_recr /= doubleD.
have := up K; have := down K; move: IH.
move: (changes b K) (changes r K) (\sum_(i < K) e i)%N => x y z.
case: (e K); case: (r K); case: (r K.+1); case: (b K); case: (b K.+1) => /= IH dn u;
  try (by have := u isT isT isT); try (by have := dn isT isT isT); lia.
Qed.

Lemma rolle0 (b r : nat -> bool) K :
  (forall k, r k -> b k -> b k.+1) -> (forall k, ~~ r k -> b k.+1 -> b k) -> (changes b K <= changes r K + 1)%N.
Proof.
move=> up down; have := @rolle b r (fun=> false) K (fun k _ => up k) (fun k _ => down k).
by rewrite big1 // addn0.
Qed.

(** ** Entries of powers of a matrix with nonnegative spectrum *)

Section Powers.

Variables (F : comRingType) (n d : nat).
Implicit Types (A : 'M[F]_n) (N : 'M[F]_(n, d)) (ls : seq F).

Definition factors A ls : 'M[F]_n := foldr (fun l P => P *m (A - l%:M)) 1%:M ls.

Definition power A k N : 'M[F]_(n, d) := iter k (mulmx A) N.

Lemma powerS A k N : power A k.+1 N = power A k (A *m N).
Proof. by rewrite /power iterSr. Qed.

Lemma powerD A k N M : power A k (N + M) = power A k N + power A k M.
Proof. by elim: k => //= k; rewrite /power /= => ->; rewrite mulmxDr. Qed.

Lemma powerZ A k c N : power A k (c *: N) = c *: power A k N.
Proof. by elim: k => //= k; rewrite /power /= => ->; rewrite scalemxAr. Qed.

Lemma power0 A k : power A k 0 = 0.
Proof. by elim: k => //= k; rewrite /power /= => ->; rewrite mulmx0. Qed.

(** One step of E - l: what is left has one factor less. *)
Lemma power_step A k l N : power A k.+1 N = l *: power A k N + power A k ((A - l%:M) *m N).
Proof. by rewrite powerS mulmxBl mul_scalar_mx -powerZ -powerD addrC subrK. Qed.

End Powers.

Section Spectrum.

Variables (F : realFieldType) (n d : nat).
Implicit Types (A : 'M[F]_n) (N : 'M[F]_(n, d)) (ls : seq F).

Lemma entry_signs A ls N i j K :
  all (fun l => 0 <= l) ls -> factors A ls *m N = 0 ->
  (changes (fun k => 0 < power A k N i j)%R K <= size ls)%N.
Proof.
elim: ls N => [|l ls IH] N /=.
  by rewrite mul1mx => _ ->; rewrite (@changes_const _ _ false) // => k; rewrite power0 mxE ltxx.
case/andP=> l0 ls0; rewrite -mulmxA => /(IH _ ls0) bound; rewrite -addn1.
apply: (@leq_trans (changes (fun k => 0 < power A k ((A - l%:M) *m N) i j)%R K + 1)); last by rewrite leq_add2r.
apply: rolle0 => k.
  move=> r b; rewrite (power_step A k l) mxE [X in X + _]mxE.
  by rewrite ltr_paddl // mulr_ge0 // ltW.
rewrite -leNgt => r; rewrite (power_step A k l) mxE [X in X + _]mxE => pos.
have {r} : 0 < l * power A k N i j by apply: lt_le_trans pos _; rewrite ger_addl.
have [->|l1] := eqVneq l 0; first by rewrite mul0r ltxx.
by rewrite pmulr_rgt0 // lt_neqAle eq_sym l1.
Qed.

(** ... and any threshold y is crossed at most once more. *)
Lemma entry_crossings A ls N i j y K :
  all (fun l => 0 <= l) ls -> factors A ls = 0 ->
  (changes (fun k => y < power A k N i j)%R K <= (size ls).+1)%N.
Proof.
move=> ls0 A0; rewrite -addn1.
have bound : (changes (fun k => 0 < power A k ((A - 1%:M) *m N) i j)%R K <= size ls)%N.
  by apply: entry_signs => //; rewrite A0 mul0mx.
apply: (@leq_trans (changes (fun k => 0 < power A k ((A - 1%:M) *m N) i j)%R K + 1)); last by rewrite leq_add2r.
apply: rolle0 => k.
  by move=> r b; rewrite (power_step A k 1) mxE [X in X + _]mxE mul1r (lt_trans b) // ltr_addl.
rewrite -leNgt => r; rewrite (power_step A k 1) mxE [X in X + _]mxE mul1r => pos.
by apply: lt_le_trans pos _; rewrite ger_addl.
Qed.

(** What of Theorem 1's hypothesis is used: nonnegative numbers annihilate A ... *)
Definition annihilated A := exists2 ls : seq F, all (fun l => 0 <= l) ls & factors A ls = 0.

(** ... and the hypothesis: the characteristic polynomial splits, with nonnegative roots. *)
Definition nonnegative_spectrum A := exists2 ls : seq F, all (fun l => 0 <= l) ls &
  char_poly A = \prod_(l <- ls) ('X - l%:P).

End Spectrum.

Lemma factors_horner (F : comRingType) n (A : 'M[F]_n.+1) ls : factors A ls = horner_mx A (\prod_(l <- ls) ('X - l%:P)).
Proof.
elim: ls => [|l ls IH] /=; first by rewrite big_nil -[1 in RHS]polyC1 horner_mx_C.
by rewrite big_cons mulrC rmorphM /= IH rmorphB /= horner_mx_X horner_mx_C.
Qed.

Lemma factors_zero (F : comRingType) n (A : 'M[F]_n) ls : char_poly A = \prod_(l <- ls) ('X - l%:P) -> factors A ls = 0.
Proof.
case: n A => [|n] A cA; first by apply/matrixP=> -[].
by rewrite factors_horner -cA Cayley_Hamilton.
Qed.

Lemma spectrum_annihilates (F : realFieldType) n (A : 'M[F]_n) : nonnegative_spectrum A -> annihilated A.
Proof. by case=> ls ls0 /factors_zero A0; exists ls. Qed.

(** ** The recurrence H -> A(x) H + B(x), unrolled *)

Section Unrolled.

Variables (F : comRingType) (T : Type) (n d : nat) (A : T -> 'M[F]_n) (B : T -> 'M[F]_(n, d)) (H0 : 'M[F]_(n, d)).

Notation terms := (terms A B H0).

Lemma terms_constant (V : zmodType) (G : 'M[F]_(n, d) -> V) x a K k :
  (forall j, x (K + j)%N = a) ->
  \sum_(M <- terms x (K + k)) G M = \sum_(M <- terms x K) G (power (A a) k M) + \sum_(l < k) G (power (A a) l (B a)).
Proof.
move=> xa; elim: k G => [|k IH] G; first by rewrite addn0 big_ord0 addr0.
rewrite addnS /= xa -cats1 big_cat /= big_map big_seq1 (IH (fun M => G (A a *m M))) -addrA; congr (_ + _).
by rewrite big_ord_recl /= addrC; congr (_ + _).
Qed.

End Unrolled.

(** ** Finite precision *)

Section Model.

Variables (F : realFieldType) (ys : seq F) (value : seq (bool * bool) -> F).

Notation cast := (cast ys value).

Lemma cast_bounded (f : nat -> F) :
  (forall y, bounded_changes (fun k => y < f k)) -> (forall y, bounded_changes (fun k => y < - f k)) ->
    bounded_changes (fun k => cast (f k)).
Proof.
move=> fy gy; have both y : bounded_changes (fun k => (y < f k, y <= f k)).
  have := bounded_map (fun p => (p.1, ~~ p.2)) (bounded_pair (fy y) (gy (- y))).
  by apply: bounded_ext => k /=; rewrite ltr_opp2 leNgt.
have := bounded_map value (bounded_seq ys both).
by apply: bounded_ext.
Qed.

(** The cast of an entry of A^k N changes boundedly often ... *)
Lemma cast_entry n d (A : 'M[F]_n) ls (N : 'M[F]_(n, d)) i j :
  all (fun l => 0 <= l) ls -> factors A ls = 0 -> bounded_changes (fun k => cast (power A k N i j)).
Proof.
move=> ls0 A0; apply: cast_bounded => y; exists (size ls).+1 => K; first exact: entry_crossings.
by rewrite (eq_changes (v := fun k => y < power A k (- N) i j)) ?entry_crossings // => k;
  rewrite -scaleN1r powerZ scaleN1r mxE.
Qed.

(** A walk whose steps take finitely many turns crosses a threshold boundedly often, wherever it is shifted to finitely
    often. *)
Lemma walk_bounded (u w : nat -> F) y :
  bounded_changes u -> bounded_changes w -> bounded_changes (fun k => y < w k + \sum_(l < k) u l).
Proof.
move=> [C uC] [D wD]; exists (C + 1 + D.*2)%N => K.
apply: (@leq_trans (changes (fun k => (0 <= u k)%R) K + 1 + (\sum_(k < K) (w k != w k.+1)).*2)%N).
  apply: (@rolle _ (fun k => 0 <= u k) (fun k => w k != w k.+1)) => k; rewrite negbK => /eqP <-;
    rewrite big_ord_recr /= addrA.
    by move=> u0 b; rewrite (lt_le_trans b) // ler_addl.
  by rewrite -ltNge => u0 b; rewrite (lt_trans b) // ltr_snaddr.
rewrite !leq_add ?leq_double ?wD //.
by apply: leq_trans (uC K); apply: (changes_map (fun z : F => (0 <= z)%R) u).
Qed.

(** ... and so does that of such a walk. *)
Lemma cast_walk (u w : nat -> F) :
  bounded_changes u -> bounded_changes w -> bounded_changes (fun k => cast (w k + \sum_(l < k) u l)).
Proof.
move=> bu bw; apply: cast_bounded => y; first exact: walk_bounded.
have := walk_bounded y (bounded_map -%R bu) (bounded_map -%R bw).
by apply: bounded_ext => k /=; rewrite sumrN opprD.
Qed.

Section Layer.

Variables (T : Type) (n d : nat) (A : T -> 'M[F]_n) (B : T -> 'M[F]_(n, d)) (H0 : 'M[F]_(n, d)).

Notation terms := (terms A B H0).
Notation cast_state := (cast_state cast A B H0).

Lemma state_bounded x a K :
  annihilated (A a) -> (forall j, x (K + j)%N = a) -> bounded_changes (fun k => cast_state x (K + k)).
Proof.
move=> [ls ls0 A0] xa.
pose entry (p : 'I_n * 'I_d) k := cast_state x (K + k) p.1 p.2.
have entries p : bounded_changes (entry p).
  pose u l := cast (power (A a) l (B a) p.1 p.2).
  pose w k := \sum_(M <- terms x K) cast (power (A a) k M p.1 p.2).
  have bu : bounded_changes u by apply: cast_entry A0.
  have bw : bounded_changes w.
    have := bounded_map (fun s => \sum_(z <- s) z) (bounded_seq (terms x K) (fun M => cast_entry M p.1 p.2 ls0 A0)).
    by apply: bounded_ext => k /=; rewrite big_map.
  have := cast_walk bu bw.
  apply: bounded_ext => k; rewrite /entry /models.cast_state mxE summxE.
  under eq_bigr do rewrite mxE.
  by rewrite (terms_constant _ _ _ (fun M => cast (M p.1 p.2)) _ xa).
have := bounded_map (fun s : seq F => \matrix_(i < n, j < d) nth 0 s (index (i, j) (enum {: 'I_n * 'I_d})))
  (bounded_seq (enum {: 'I_n * 'I_d}) entries).
apply: bounded_ext => k; apply/matrixP=> i j; rewrite mxE.
by rewrite (nth_map (i, j)) ?index_mem ?mem_enum // nth_index ?mem_enum.
Qed.

End Layer.

(** ** Stacks of layers *)

Notation cast_layer := (cast_layer cast).
Notation cast_run := (cast_run cast).

Definition nonnegative T S (s : affine_stack F T S) : Prop :=
  every (fun T S (l : affine_layer F T S) => forall a, nonnegative_spectrum (transition l a)) s.

Definition annihilated_stack T S (s : affine_stack F T S) : Prop :=
  every (fun T S (l : affine_layer F T S) => forall a, annihilated (transition l a)) s.

Lemma nonnegative_annihilates T S (s : affine_stack F T S) : nonnegative s -> annihilated_stack s.
Proof. by apply: every_implies => U W l spec a; apply: spectrum_annihilates. Qed.

Lemma layer_settles T S (l : affine_layer F T S) x :
  (forall a, annihilated (transition l a)) -> eventually_constant x -> ~ ~ eventually_constant (cast_layer l x).
Proof.
move=> spec [K xK] never.
have [C bC] := state_bounded (input l) (origin l) (spec (x K)) xK.
apply: (settles (ex_intro _ C bC)) => -[K0 cK0]; apply: never; exists (K + K0)%N => k.
rewrite /models.cast_layer -!addnA !xK -!addnS; congr decoder.
have e j : cast_state cast (transition l) (input l) (origin l) x (K + (K0 + j)) =
  cast_state cast (transition l) (input l) (origin l) x (K + K0) := cK0 j.
by rewrite e -addn1 e.
Qed.

Lemma annihilated_stacks_settle T S (s : affine_stack F T S) (a : T) :
  annihilated_stack s -> ~ ~ eventually_constant (cast_run s (fun=> a)).
Proof.
elim: s => [|U W s IH l] /=; first by move=> _ never; apply: never; exists 0%N.
by case=> ns spec never; apply: (IH ns) => ev; apply: (layer_settles spec ev).
Qed.

(** Theorem 1: on a constant input the outputs of a finite-precision stack with nonnegative spectra are eventually
    constant. *)
Theorem nonnegative_stacks_settle T S (s : affine_stack F T S) (a : T) :
  nonnegative s -> ~ ~ eventually_constant (cast_run s (fun=> a)).
Proof. by move=> /nonnegative_annihilates; apply: annihilated_stacks_settle. Qed.

(** ... so they are not the parity. *)
Theorem no_parity (s : affine_stack F bool bool) :
  nonnegative s -> ~ (forall t, cast_run s (fun=> true) t = odd t.+1).
Proof.
move=> ns is_parity; have H := @nonnegative_stacks_settle _ _ s true ns; apply: H => -[K cK].
by have := cK 1%N; rewrite !is_parity addn1 /=; case: (odd K).
Qed.

End Model.

(** ** The other side: a negative eigenvalue is enough, an eigenvalue off the nonnegative axis is not *)

(** h -> 1 - h at ones, h -> h at zeros, from 0: the parity, at every length. *)
Theorem minus_one_computes_parity (R : ringType) (w : seq bool) :
  foldl (fun h x => (if x then -1 else 1) * h + (if x then 1 else 0)) (0 : R) w = (odd (count id w))%:R.
Proof.
elim/last_ind: w => // w x IH; rewrite foldl_rcons IH -cats1 count_cat oddD /= addn0.
by case: x; case: (odd _); rewrite /= ?mul1r ?addr0 ?mulN1r ?addNr ?oppr0 ?add0r.
Qed.

(** A turn by a third counts modulo 3 only. *)
Theorem third_turn_has_period_three (R : ringType) n d (A : 'M[R]_n) (B : 'M[R]_(n, d)) (H : 'M[R]_(n, d)) k :
  A *m A *m A = 1%:M -> 1%:M + A + A *m A = 0 ->
  iter (k + 3) (fun h => A *m h + B) H = iter k (fun h => A *m h + B) H.
Proof.
move=> A3 sum0; rewrite addnC iterD; move: (iter k _ H) => h /=.
rewrite !mulmxDr !mulmxA A3 mul1mx -!addrA -[RHS]addr0; congr (_ + _).
have := congr1 (fun M => M *m B) sum0; rewrite !mulmxDl mul1mx mul0mx => <-.
by rewrite addrC [A *m B + B]addrC.
Qed.

(** * Stacks of averaged layers over the reals, by epsilons: what they read with a margin is aperiodic

    New, after grazzi25, Theorem 1: new.automata.reals.star-free. While a word is read again and again, states one
    repetition apart come together, layer by layer: the layers below come to rest, so that the transitions change less
    and less. A layer may read the states of all layers below, before and after the letter, which is more than the
    stacks of models.v hand up.

    - [runs_as h A b]: layer l has the state h l w after the word w, by affine steps that depend on the word;
    - [near_below G h l e w w' x], [uniform_links G h A b]: the states below layer l are near; then so are its steps;
    - [rests]: states one repetition apart come together in the layers below. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import models householder layers_of_norm_one settling.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** One layer whose transitions and inputs are almost periodic in time *)

Section Drift.

Variables (F : realFieldType) (m : nat) (G : 'M[F]_m).
Hypothesis ip : inner_product G.

Local Notation sq := (squared G).

Variables (H e : nat -> 'cV[F]_m) (A : nat -> 'M[F]_m) (p : nat) (R c eta d : F).
Let g t := H (t + p)%N - H t.
Hypotheses (c0 : 0 < c) (eta0 : 0 < eta) (d0 : 0 <= d).
Hypothesis bounded : forall s t, sq (H s - H t) <= R.
Hypothesis av : forall t, averaged G c (A t).
Hypothesis gS : forall t, g t.+1 = A t *m g t + e t.
Hypothesis small : forall t, sq (e t) <= d.

Let q t := sq (g t).
Let theta := eta * R + d / eta + d.

Lemma lost t : c * sq (g t - A t *m g t) <= q t - q t.+1 + theta.
Proof.
rewrite /q gS [squared G (_ + e t)]squaredD //; set a := A t *m g t.
have young : form G a (e t) *+ 2 <= eta * sq a + sq (e t) / eta.
  have := squared_ge0 ip (eta *: a - e t); rewrite squaredD // squaredN squaredZ formNr formZl => le.
  rewrite -(ler_pmul2l eta0) -subr_ge0.
  by rewrite (_ : _ - _ = eta ^+ 2 * sq a + - (eta * form G a (e t)) *+ 2 + sq (e t)) //; field; rewrite gt_eqF.
have aR : sq a <= R.
  by apply: le_trans (averaged_contraction ip (ltW c0) (@av t) _) _; apply: bounded.
have := av t (g t); rewrite -/a => le.
have e1 : sq (e t) / eta <= d / eta by rewrite ler_pmul2r ?invr_gt0.
have a1 : eta * sq a <= eta * R by rewrite ler_pmul2l.
apply: le_trans le _; rewrite -subr_ge0 /theta.
rewrite (_ : _ - _ = (eta * R - eta * sq a) + (d / eta - sq (e t) / eta) + (d - sq (e t)) +
  (eta * sq a + sq (e t) / eta - form G a (e t) *+ 2)); last by ring.
by apply: (addr_ge0 (addr_ge0 (addr_ge0 _ _) _) _); rewrite subr_ge0.
Qed.

Lemma q_ge0 t : 0 <= q t. Proof. exact: squared_ge0. Qed.

Lemma turned (n s : nat) : c * (\sum_(i < n) sq (g (s + i)%N - g (s + i).+1%N)) <=
  (q s - q (s + n)%N + n%:R * theta) *+ 2 + c * (n%:R * d) *+ 2.
Proof.
elim: n => [|n IH]; first by rewrite big_ord0 addn0 !mul0r !mulr0 subrr addr0 mul0rn addr0.
rewrite big_ord_recr /= mulrDr; set t := (s + n)%N.
have step : c * sq (g t - g t.+1) <= (q t - q t.+1 + theta) *+ 2 + c * d *+ 2.
  apply: le_trans (_ : c * (sq (g t - A t *m g t) *+ 2 + sq (e t) *+ 2) <= _).
    rewrite ler_pmul2l // gS opprD addrA; apply: le_trans (squaredD_le ip _ _) _.
    by rewrite squaredN.
  rewrite mulrDr !mulrnAr; apply: ler_add; rewrite ler_muln2r /=; first exact: lost.
  by rewrite ler_pmul2l.
apply: le_trans (ler_add IH step) _; rewrite -/t addnS -/t.
by rewrite le_eqVlt !(mulrSr 1 n); apply/orP; left; apply/eqP; ring.
Qed.

(** K steps of p letters: T letters. *)
Lemma falls (K s : nat) (T := (K * p)%N) : K%:R ^+ 2 * (c * q s) <=
  c * R *+ 2 + K%:R ^+ 2 * T%:R ^+ 2 * ((q s - q (s + T)%N + T%:R * theta) *+ 2 + c * (T%:R * d) *+ 2) *+ 2.
Proof.
set D := \sum_(i < T) sq (g (s + i)%N - g (s + i).+1%N).
have D0 : 0 <= D by apply: sumr_ge0 => i _; apply: squared_ge0.
have one i : (i < T)%N -> sq (g (s + i)%N - g (s + i).+1%N) <= D.
  move=> iT; rewrite /D (bigD1 (Ordinal iT)) //= ler_addl; apply: sumr_ge0 => j _; exact: squared_ge0.
have far j : (j < K)%N -> sq (g s - g (s + j * p)%N) <= T%:R ^+ 2 * D.
  move=> jK; have jT : (j * p <= T)%N by rewrite leq_mul2r (ltnW jK) orbT.
  have -> : g s - g (s + j * p)%N = \sum_(i < j * p) (g (s + i)%N - g (s + i).+1%N).
    elim: (j * p)%N => [|k IH]; first by rewrite big_ord0 addn0 subrr.
    by rewrite big_ord_recr /= -IH addnS addrA subrK.
  apply: le_trans (@squared_sum _ _ _ ip (j * p)%N D (fun i => g (s + i)%N - g (s + i).+1%N) _) _.
    by move=> i ij; apply: one; apply: leq_trans jT.
  by apply: ler_wpmul2r => //; rewrite ler_expn2r ?nnegrE ?ler0n // ler_nat.
have walk : H (s + T)%N - H s = \sum_(j < K) g (s + j * p)%N.
  rewrite /T; elim: K {T D D0 one far} => [|K IH]; first by rewrite big_ord0 mul0n addn0 subrr.
  by rewrite big_ord_recr /= -IH /g mulSn [(p + _)%N]addnC addnA [RHS]addrC addrA subrK.
have sum : K%:R ^+ 2 * q s <= R *+ 2 + K%:R ^+ 2 * (T%:R ^+ 2 * D) *+ 2.
  rewrite /q -squaredZ (_ : K%:R *: g s = (H (s + T)%N - H s) + \sum_(j < K) (g s - g (s + j * p)%N)); last first.
    by rewrite walk -big_split /= (eq_bigr (fun=> g s)) ?sumr_const ?card_ord ?scaler_nat // => j _;
      rewrite addrC subrK.
  apply: le_trans (squaredD_le ip _ _) _; apply: ler_add; rewrite ler_muln2r /= ?bounded //.
  exact: (@squared_sum _ _ _ ip K _ (fun j => g s - g (s + j * p)%N) far).
rewrite mulrCA; apply: le_trans (ler_wpmul2l (ltW c0) sum) _; rewrite mulrDr mulrnAr ler_add2l mulrnAr ler_muln2r /=.
rewrite [X in X <= _](_ : _ = K%:R ^+ 2 * T%:R ^+ 2 * (c * D)); last by ring.
by apply: ler_wpmul2l (turned T s); rewrite mulr_ge0 // exprn_ge0 // ler0n.
Qed.

Hypotheses (c1 : c <= 1) (p0 : (0 < p)%N).

(** After n times T letters, T = (K + 1) p, what is left is (1 - kappa)^n of the first, and a rest. *)
Lemma decays K n s (T := (K.+1 * p)%N) (kappa := c / (4%:R * T%:R ^+ 2)) :
  q (s + n * T)%N <= (1 - kappa) ^+ n * R + (R *+ 2 / K.+1%:R ^+ 2 + 4%:R * T%:R ^+ 3 / c * (theta + c * d)).
Proof.
have T0 : 0 < T%:R :> F by rewrite ltr0n muln_gt0.
have T1 : 1 <= T%:R :> F by rewrite ler1n muln_gt0.
have K0 : 0 < K.+1%:R :> F by rewrite ltr0n.
have kappa0 : 0 < kappa by rewrite divr_gt0 // mulr_gt0 ?ltr0n // exprn_gt0.
have kappa1 : 0 <= 1 - kappa.
  rewrite subr_ge0 ler_pdivr_mulr; last by rewrite mulr_gt0 ?ltr0n // exprn_gt0.
  by rewrite mul1r; apply: le_trans c1 _; rewrite mulr_ege1 ?ler1n ?exprn_ege1.
set x := R *+ 2 / _ + _.
have x0 : 0 <= x.
  have R0 : 0 <= R by apply: le_trans (bounded 0 0); apply: squared_ge0.
  rewrite addr_ge0 ?divr_ge0 ?mulrn_wge0 ?exprn_ge0 ?ler0n //.
  rewrite mulr_ge0 ?divr_ge0 ?(ltW c0) // ?mulr_ge0 ?exprn_ge0 ?ler0n // addr_ge0 // ?mulr_ge0 ?(ltW c0) //.
  by apply: addr_ge0 (addr_ge0 _ _) d0; [exact: mulr_ge0 (ltW eta0) R0 | exact: divr_ge0 d0 (ltW eta0)].
have next t : q (t + T)%N <= (1 - kappa) * q t + kappa * x.
  have le := falls K.+1 t; cbv zeta in le; rewrite -/T -subr_ge0 in le.
  have k2 : 0 < K.+1%:R ^+ 2 * T%:R ^+ 2 *+ 4 :> F by rewrite pmulrn_rgt0 // mulr_gt0 // exprn_gt0.
  rewrite -(ler_pmul2l k2) -subr_ge0; apply: le_trans le _.
  rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /x /kappa.
  move: (q t) (q (t + T)%N) theta (T%:R : F) T0 (K.+1%:R : F) K0 => q1 q2 th T' T'0 K' K'0.
  by field; rewrite !gt_eqF.
elim: n => [|n IH].
  rewrite mul0n addn0 expr0 mul1r; apply: le_trans (_ : R <= _); first exact: bounded.
  by rewrite ler_addl.
rewrite mulSn [(T + _)%N]addnC addnA; apply: le_trans (next _) _.
apply: le_trans (_ : (1 - kappa) * ((1 - kappa) ^+ n * R + x) + kappa * x <= _).
  by rewrite ler_add2r ler_wpmul2l.
by rewrite le_eqVlt exprS; apply/orP; left; apply/eqP; ring.
Qed.

End Drift.

(** How small the changes must be, and how long they must have been so. *)
Lemma comes_to_rest (F : archiFieldType) m (G : 'M[F]_m) p R c eps :
  inner_product G -> (0 < p)%N -> 0 < c -> c <= 1 -> 0 <= R -> 0 < eps ->
  exists2 d : F, 0 < d & exists N : nat, forall (H e : nat -> 'cV[F]_m) (A : nat -> 'M[F]_m),
    (forall s t, squared G (H s - H t) <= R) -> (forall t, averaged G c (A t)) ->
    (forall t, H (t.+1 + p)%N - H t.+1 = A t *m (H (t + p)%N - H t) + e t) -> (forall t, squared G (e t) <= d) ->
    forall t, (N <= t)%N -> squared G (H (t + p)%N - H t) <= eps.
Proof.
move=> ip p0 c0 c1 R0 eps0.
pose K := Num.bound (R *+ 8 / eps); pose T := (K.+1 * p)%N; pose kappa := c / (4%:R * T%:R ^+ 2).
have T0 : 0 < T%:R :> F by rewrite ltr0n muln_gt0.
have T3 : 0 < T%:R ^+ 3 :> F by rewrite exprn_gt0.
pose y := c * eps / (64%:R * T%:R ^+ 3); have y0 : 0 < y by apply: divr_gt0; apply: mulr_gt0; rewrite ?ltr0n.
have R1 : 0 < R + 1 by rewrite ltr_paddl ?ltr01.
pose eta := y / (R + 1); have eta0 : 0 < eta by rewrite divr_gt0.
have eta1 : 0 < 1 + eta by rewrite addr_gt0 ?ltr01.
pose d := eta * y / (1 + eta); have d0 : 0 < d by rewrite divr_gt0 // mulr_gt0.
have kappa0 : 0 < kappa by rewrite divr_gt0 // mulr_gt0 ?ltr0n // exprn_gt0.
have kappa1 : 0 <= 1 - kappa.
  rewrite subr_ge0 ler_pdivr_mulr; last by rewrite mulr_gt0 ?ltr0n // exprn_gt0.
  by rewrite mul1r; apply: le_trans c1 _; rewrite mulr_ege1 ?ler1n ?exprn_ege1 // ler1n muln_gt0.
pose n := Num.bound (R *+ 4 / (kappa * eps)).
exists d => //; exists (n * T)%N => H e A bounded av gS small t Nt.
have := @decays F m G ip H e A p R c eta d c0 eta0 (ltW d0) bounded av gS small c1 p0 K n (t - n * T)%N.
cbv zeta; rewrite -/T -/kappa subnK // => le; apply: le_trans le _.
have quarter : (1 - kappa) ^+ n * R <= eps / 4%:R.
  have bern k : (1 - kappa) ^+ k * (1 + k%:R * kappa) <= 1.
    elim: k => [|k IH]; first by rewrite expr0 mul0r addr0 mulr1.
    apply: le_trans IH; rewrite exprSr -mulrA ler_wpmul2l ?exprn_ge0 //.
    rewrite -subr_ge0 (mulrSr 1 k) [X in 0 <= X](_ : _ = kappa ^+ 2 * (k%:R + 1)); last by ring.
    by rewrite mulr_ge0 ?exprn_ge0 ?(ltW kappa0) // addr_ge0 ?ler0n ?ler01.
  have nR : R *+ 4 <= eps * (1 + n%:R * kappa).
    have ke0 : 0 < kappa * eps := mulr_gt0 kappa0 eps0.
    have : R *+ 4 / (kappa * eps) < n%:R by apply: archi_boundP; apply: divr_ge0 (ltW ke0); rewrite mulrn_wge0.
    rewrite ltr_pdivr_mulr // => /ltW le4; apply: le_trans le4 _.
    by rewrite mulrDr mulr1 [eps * (_ * _)]mulrC mulrA ler_addr ltW.
  rewrite ler_pdivl_mulr ?ltr0n // -mulrA mulr_natr; apply: le_trans (ler_wpmul2l _ nR) _; first exact: exprn_ge0.
  by rewrite mulrCA ger_pmulr.
have rest : R *+ 2 / K.+1%:R ^+ 2 <= eps / 4%:R.
  have K0 : 0 < K.+1%:R :> F by rewrite ltr0n.
  rewrite ler_pdivr_mulr ?exprn_gt0 // mulrAC ler_pdivl_mulr ?ltr0n // mulr_natr -mulrnA.
  have : R *+ 8 / eps < K%:R by apply: archi_boundP; rewrite divr_ge0 ?mulrn_wge0 ?(ltW eps0).
  rewrite ltr_pdivr_mulr // => /ltW le8; apply: le_trans le8 _; rewrite [X in X <= _]mulrC ler_pmul2l //.
  apply: le_trans (_ : K.+1%:R <= _); first by rewrite ler_nat.
  by rewrite expr2 ler_pemulr ?ler1n // ltW.
have yR : eta * R <= y.
  by rewrite /eta mulrAC ler_pdivr_mulr // ler_pmul2l // ler_addl ler01.
have dE : d / eta <= y.
  rewrite /d [X in X <= _](_ : _ = y / (1 + eta)); last by field; rewrite !gt_eqF.
  by rewrite ler_pdivr_mulr // ler_pemulr ?(ltW y0) // ler_addl ltW.
have dy : d <= y.
  by rewrite /d ler_pdivr_mulr // mulrC ler_pmul2l // ler_addr ler01.
have third : 4%:R * T%:R ^+ 3 / c * (eta * R + d / eta + d + c * d) <= eps / 4%:R.
  have -> : eps / 4%:R = 4%:R * T%:R ^+ 3 / c * (y + y + y + y).
    by rewrite /y; move: (T%:R : F) T0 => T' T'0; field; rewrite !gt_eqF.
  apply: ler_wpmul2l; first by rewrite divr_ge0 ?(ltW c0) // mulr_ge0 ?ler0n // ltW.
  by apply: (ler_add (ler_add (ler_add yR dE) dy)); apply: le_trans dy; rewrite ger_pmull.
apply: le_trans (ler_add quarter (ler_add rest third)) _.
rewrite -subr_ge0 [X in 0 <= X](_ : _ = eps / 4%:R); last by field.
by rewrite divr_ge0 ?ler0n // ltW.
Qed.

(** ** Stacks *)

Lemma regroup (V : zmodType) (x y z b b' : V) : x + b' - (z + b) = x - y + (y - z + (b' - b)).
Proof. by rewrite opprD addrACA [RHS]addrA subrKA. Qed.

Section Stack.

Variables (F : archiFieldType) (m : nat) (G : 'M[F]_m) (X : Type).
Hypothesis ip : inner_product G.

Local Notation sq := (squared G).

(** The state of layer l after a word; what layer l does at a letter after a word. *)
Variables (h : nat -> seq X -> 'cV[F]_m) (A : nat -> seq X -> X -> 'M[F]_m) (b : nat -> seq X -> X -> 'cV[F]_m).

Definition runs_as := forall l w x, h l (rcons w x) = step (A l w) (b l w) (h l w) x.

Definition near_below l (e : F) w w' x := forall i, (i < l)%N ->
  sq (h i w - h i w') <= e /\ sq (h i (rcons w x) - h i (rcons w' x)) <= e.

(** Transitions and inputs are uniformly continuous in the states of the layers below, before and after the letter. *)
Definition uniform_links := forall l (e : F), 0 < e -> exists2 d : F, 0 < d & forall w w' x, near_below l d w w' x ->
  (forall g, sq ((A l w x - A l w' x) *m g) <= e * sq g) /\ sq (b l w x - b l w' x) <= e.

Variables (B c : F).
Hypotheses (runs : runs_as) (links : uniform_links) (c0 : 0 < c).
Hypothesis av : forall l w x, averaged G c (A l w x).
Hypothesis bounded : forall l w, sq (h l w) <= B.

Variables (w u : seq X) (x0 : X).

Let p := size u.
Let letter t := nth x0 u (t %% p).
Let pre t := w ++ mkseq letter t.

Let preS t : pre t.+1 = rcons (pre t) (letter t).
Proof. by rewrite /pre rcons_cat; congr (_ ++ _); rewrite /mkseq -addn1 iotaD map_cat cats1. Qed.

Let letter_p t : letter (t + p) = letter t. Proof. by rewrite /letter modnDr. Qed.

Definition rests k := forall e : F, 0 < e -> exists N : nat, forall l t, (l < k)%N -> (N <= t)%N ->
  sq (h l (pre (t + p)) - h l (pre t)) <= e.

Lemma all_rest k : (0 < p)%N -> rests k.
Proof.
move=> p0; have B0 : 0 <= B by apply: le_trans (bounded 0 [::]); apply: squared_ge0.
elim: k => [|k IH] e e0; first by exists 0%N.
pose c' := Num.min c 1; have c'0 : 0 < c' by rewrite lt_minr c0 ltr01.
have c'1 : c' <= 1 by rewrite le_minl lexx orbT.
have B4 : 0 <= B *+ 4 by apply: mulrn_wge0.
have [d d0 [N NP]] := comes_to_rest ip p0 c'0 c'1 B4 e0.
have B1 : 0 < (B + 1) *+ 2 by rewrite pmulrn_rgt0 // ltr_paddl ?ltr01.
have [d' d'0 near] := links k (divr_gt0 d0 B1).
have [N1 N1P] := IH d' d'0; have [N2 N2P] := IH e e0.
exists (N + N1 + N2)%N => l t; rewrite ltnS leq_eqVlt => /orP[/eqP ->|lk] Nt; last first.
  by apply: N2P => //; apply: leq_trans Nt; rewrite leq_addl.
have tE : (t - N1 + N1 = t)%N by rewrite subnK //; lia.
pose H s := h k (pre (s + N1)); pose As s := A k (pre (s + N1 + p)) (letter (s + N1)).
pose es s := (As s - A k (pre (s + N1)) (letter (s + N1))) *m H s +
  (b k (pre (s + N1 + p)) (letter (s + N1)) - b k (pre (s + N1)) (letter (s + N1))).
have sum2 (x y : 'cV[F]_m) r r' : sq x <= r -> sq y <= r' -> sq (x + y) <= r *+ 2 + r' *+ 2.
  by move=> xr yr; apply: le_trans (squaredD_le ip _ _) _; apply: ler_add; rewrite ler_muln2r.
have moves s : H s.+1 = A k (pre (s + N1)) (letter (s + N1)) *m H s + b k (pre (s + N1)) (letter (s + N1)).
  by rewrite /H addSn preS runs.
have : sq (H (t - N1 + p)%N - H (t - N1)%N) <= e; last by rewrite /H addnAC tE.
apply: (NP H es As).
- move=> s s'; have -> : B *+ 4 = B *+ 2 + B *+ 2 by rewrite -mulrnDr.
  by apply: sum2; rewrite ?squaredN; apply: bounded.
- by move=> s; apply: (averaged_le ip _ (av _ _ _)); rewrite le_minl lexx.
- move=> s; have -> : H (s.+1 + p)%N = As s *m H (s + p)%N + b k (pre (s + N1 + p)) (letter (s + N1)).
    by rewrite addSn moves /As /H addnAC letter_p.
  rewrite moves /es mulmxBl mulmxBr; exact: regroup.
- move=> s; have [|Ag bg] := near (pre (s + N1 + p)) (pre (s + N1)) (letter (s + N1)).
    move=> i ik; split; first by apply: N1P => //; rewrite leq_addl.
    rewrite -preS -{1}(letter_p (s + N1)) -preS -addSn; apply: N1P => //; lia.
  have -> : d = d / ((B + 1) *+ 2) * B *+ 2 + d / ((B + 1) *+ 2) *+ 2.
    by field; rewrite gt_eqF // ltr_paddl ?ltr01.
  apply: sum2 => //; apply: le_trans (Ag _) _.
  by apply: ler_wpmul2l; [exact: ltW (divr_gt0 d0 B1) | exact: bounded].
lia.
Qed.

Lemma pre_repeated k : pre (k * p) = w ++ repeated k u.
Proof.
rewrite /pre; congr (_ ++ _); elim: k => // k IH.
rewrite mulSn /mkseq iotaD map_cat (_ : [seq letter i | i <- iota 0 p] = u); last first.
  rewrite -[RHS](mkseq_nth x0) /mkseq; apply/eq_in_map => i; rewrite mem_iota /letter => /andP[_ lt].
  by rewrite modn_small.
rewrite -[repeated k.+1 u]/(u ++ repeated k u) -IH; congr (_ ++ _).
rewrite add0n -[X in iota X _]addn0 iotaDl -map_comp; apply: eq_map => i /=.
by rewrite addnC letter_p.
Qed.

End Stack.

(** However deep: while u is read again and again, the states of all layers one repetition apart come together. *)
Theorem stacks_come_to_rest (F : archiFieldType) m (G : 'M[F]_m) (X : Type) (h : nat -> seq X -> 'cV[F]_m)
    (A : nat -> seq X -> X -> 'M[F]_m) (b : nat -> seq X -> X -> 'cV[F]_m) (B c : F) :
  inner_product G -> runs_as h A b -> uniform_links G h A b -> 0 < c -> (forall l w x, averaged G c (A l w x)) ->
  (forall l w, squared G (h l w) <= B) ->
  forall w u (L : nat) (e : F), 0 < e -> exists K : nat, forall l k, (l < L)%N -> (K <= k)%N ->
    squared G (h l (w ++ repeated k.+1 u) - h l (w ++ repeated k u)) <= e.
Proof.
move=> ip runs links c0 av bounded w [|x u] L e e0.
  exists 0%N => l k _ _; have none j : repeated j [::] = [::] :> seq X by elim: j.
  by rewrite !none subrr /squared -(scale0r (0 : 'cV[F]_m)) formZl mul0r ltW.
have [N NP] := @all_rest F m G X ip h A b B c runs links c0 av bounded w (x :: u) x L isT e e0.
exists N => l k lL Nk; rewrite -!(pre_repeated w (x :: u) x) mulSn [(size _ + _)%N]addnC.
by apply: NP => //; apply: leq_trans Nk _; rewrite leq_pmulr.
Qed.

(** Without boundedness a step may stay as it is: the identity, and 1 added at each letter. *)
Theorem not_unbounded_stacks_come_to_rest (F : archiFieldType) :
  ~ (forall m (G : 'M[F]_m) (X : Type) (h : nat -> seq X -> 'cV[F]_m)
    (A : nat -> seq X -> X -> 'M[F]_m) (b : nat -> seq X -> X -> 'cV[F]_m) (c : F),
  inner_product G -> runs_as h A b -> uniform_links G h A b -> 0 < c -> (forall l w x, averaged G c (A l w x)) ->
  forall w u (L : nat) (e : F), 0 < e -> exists K : nat, forall l k, (l < L)%N -> (K <= k)%N ->
    squared G (h l (w ++ repeated k.+1 u) - h l (w ++ repeated k u)) <= e).
Proof.
pose h (_ : nat) (w : seq unit) : 'cV[F]_1 := const_mx (size w)%:R.
have s0 : squared 1%:M (0 : 'cV[F]_1) = 0 by rewrite /squared -(scale0r (0 : 'cV[F]_1)) formZl mul0r.
have half : 0 < 2%:R^-1 :> F by rewrite invr_gt0 ltr0n.
pose A (_ : nat) (_ : seq unit) (_ : unit) : 'M[F]_1 := 1%:M;
  pose b (_ : nat) (_ : seq unit) (_ : unit) : 'cV[F]_1 := const_mx 1.
have runs : runs_as h A b.
  by move=> l w x; rewrite /step /h /A /b mul1mx size_rcons; apply/matrixP => i j; rewrite !mxE mulrSr.
have links : uniform_links 1%:M h A b.
  move=> l e e0; exists 1; first exact: ltr01.
  move=> w w' x _; split=> [g|]; rewrite subrr ?mul0mx s0; last exact: ltW.
  by apply: mulr_ge0; [exact: ltW | exact: squared_ge0 (euclidean F 1) _].
have av (l : nat) (w : seq unit) (x : unit) : averaged 1%:M 1 (A l w x).
  by move=> y; rewrite /A mul1mx !subrr s0 mulr0.
move=> all; have [K /(_ 0%N K isT (leqnn _))] := all 1%N 1%:M unit h A b 1 (euclidean F 1) runs links ltr01 av [::]
  [:: tt] 1%N _ half.
have -> : h 0%N ([::] ++ repeated K.+1 [:: tt]) - h 0%N ([::] ++ repeated K [:: tt]) = const_mx 1.
  by apply/matrixP => i j; rewrite /h !mxE /= mulrSr addrC addKr.
rewrite /squared /form mulmx1 !mxE big_ord1 !mxE mulr1 => le.
have : 2%:R <= 1 :> F by rewrite -(ler_pmul2r half) mul1r mulfV ?pnatr_eq0.
by rewrite (ler_nat F 2 1).
Qed.

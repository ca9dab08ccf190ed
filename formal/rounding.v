(** * One nondecreasing rounding per entry and step saves Theorem 1 of grazzi25

    x -> rho (A x + b), every entry rounded by a nondecreasing function with finitely many values, diag(w) A symmetric
    positive semidefinite with w > 0: every orbit is eventually constant. Along a cycle a nondecreasing function turns
    one way (sum of rho(y_t) (y_t - y_{t+1}) >= 0) and a semidefinite matrix the other.

    - [form Q u v]: u^T Q v;
    - [weighted A w]: diag(w) A; [rounded_step A b rho x]: rho (A x + b), entry by entry. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import models.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** One entry: a nondecreasing function along a cycle of numbers *)

Section Entry.

Variable F : realFieldType.
Implicit Types (y : nat -> F) (D : seq F).

Lemma telescope y m : y m = y 0%N -> \sum_(t < m) (y t - y t.+1) = 0.
Proof.
move=> e; rewrite -(big_mkord xpredT (fun t => y t - y t.+1)).
rewrite (eq_bigr (fun t => - (y t.+1 - y t))); last by move=> t _; rewrite opprB.
by rewrite sumrN telescope_sumr // e subrr oppr0.
Qed.

(** The indicator of an up-set: with theta its least member in
    the cycle, the positive part of y - theta is a potential. *)
Lemma upset_turns (u : pred F) y m :
  (forall a c : F, a <= c -> u a -> u c) -> y m = y 0%N -> 0 <= \sum_(t < m) (u (y t))%:R * (y t - y t.+1).
Proof.
move=> up e; have [/existsP[t0 ut0]|none] := boolP [exists t : 'I_m, u (y t)]; last first.
  rewrite big1 // => t _; move/existsPn/(_ t): none => /negbTE ->; by rewrite mul0r.
case: (@arg_minP _ _ _ t0 (fun t : 'I_m => u (y t)) (fun t : 'I_m => y t) ut0) => s us least.
have uE (t : 'I_m) : u (y t) = (y s <= y t).
  by apply/idP/idP => [/least //|le]; apply: up le us.
pose part (a : F) := Num.max 0 (a - y s).
have sub (t : nat) : (t < m)%N -> part (y t) - part (y t.+1) <= (u (y t))%:R * (y t - y t.+1).
  move=> tm; have -> : u (y t) = (y s <= y t) by exact: (uE (Ordinal tm)).
  have ge : y t.+1 - y s <= part (y t.+1) by rewrite /part le_maxr lexx orbT.
  have pos : 0 <= part (y t.+1) by rewrite /part le_maxr lexx.
  have [le|lt] := leP (y s) (y t).
    rewrite mul1r {1}/part max_r ?subr_ge0 // -subr_ge0.
    have -> : y t - y t.+1 - (y t - y s - part (y t.+1)) = part (y t.+1) - (y t.+1 - y s) by ring.
    by rewrite subr_ge0.
  by rewrite mul0r {1}/part max_l ?sub0r ?oppr_le0 // subr_le0 ltW.
rewrite (le_trans _ (ler_sum _ (fun (t : 'I_m) _ => sub t (ltn_ord t)))) //.
by rewrite (telescope (y := part \o y)) //= e.
Qed.

(** A member of a strictly increasing list is its first element plus the gaps below it. *)
Lemma layers d0 D (x : F) : path <%R d0 D -> x \in d0 :: D ->
  x = d0 + \sum_(j < size D) (nth 0 D j - nth 0 (d0 :: D) j) * (nth 0 D j <= x)%R%:R.
Proof.
elim: D d0 => [|d D IH] d0 /=; first by rewrite inE big_ord0 addr0 => _ /eqP.
case/andP=> lt p; rewrite big_ord_recl /= inE => /orP[/eqP ->|xD].
  rewrite leNgt lt mulr0 add0r big1 ?addr0 // => j _.
  have : d < nth 0 D j by move/(order_path_min lt_trans)/allP: p; apply; apply: mem_nth.
  by move=> dj; rewrite leNgt (lt_trans lt dj) mulr0.
have dx : d <= x.
  move: xD; rewrite inE => /orP[/eqP -> //|xD].
  by apply: ltW; move/(order_path_min lt_trans)/allP: p; apply.
rewrite dx mulr1; set S := (\sum_(i < size D) _).
have eS : x = d + S by exact: IH.
by rewrite eS; ring.
Qed.

Lemma monotone_turns (rho : F -> F) D y m :
  {homo rho : a c / a <= c} -> (forall a, rho a \in D) -> y m = y 0%N -> 0 <= \sum_(t < m) rho (y t) * (y t - y t.+1).
Proof.
move=> up inD e; pose E := sort <=%R (undup D).
have : sorted <%R E by rewrite sort_lt_sorted undup_uniq.
have inE' a : rho a \in E by rewrite mem_sort mem_undup.
case eE : E => [|d0 D'] p; first by have := inE' 0; rewrite eE.
have rhoE a := layers p (eq_ind _ (fun s => rho a \in s) (inE' a) _ eE).
rewrite (eq_bigr (fun t : 'I_m => d0 * (y t - y t.+1) +
    \sum_(j < size D') (nth 0 D' j - nth 0 (d0 :: D') j) * ((nth 0 D' j <= rho (y t))%R%:R * (y t - y t.+1))));
  last first.
  move=> t _; rewrite {1}(rhoE (y t)) mulrDl mulr_suml; congr (_ + _).
  by apply: eq_bigr => j _; rewrite mulrA.
rewrite big_split /= -mulr_sumr telescope // mulr0 add0r exchange_big /=.
apply: sumr_ge0 => j _; rewrite -mulr_sumr; apply: mulr_ge0.
  rewrite subr_ge0; have /(_ j) := @sorted_ltn_nth _ _ (@lt_trans _ F) 0 (d0 :: D') p.
  by move=> /(_ j.+1) h; apply: ltW; apply: h; rewrite ?inE /= ?ltnS // ltnW.
apply: (@upset_turns [pred a | nth 0 D' j <= rho a]) => // a c ac /= /le_trans; apply; exact: up.
Qed.

End Entry.

(** ** The matrix turns the other way *)

Section Form.

Variables (F : realFieldType) (n : nat) (Q : 'M[F]_n).
Hypothesis symmetric : Q^T = Q.
Implicit Types u v : 'cV[F]_n.

Definition form u v : F := (u^T *m Q *m v) 0 0.

Lemma formDl u v z : form (u + v) z = form u z + form v z.
Proof. by rewrite /form linearD !mulmxDl mxE. Qed.

Lemma formDr u v z : form z (u + v) = form z u + form z v.
Proof. by rewrite /form mulmxDr mxE. Qed.

Lemma formZl c u v : form (c *: u) v = c * form u v.
Proof. by rewrite /form linearZ -!scalemxAl mxE. Qed.

Lemma formZr c u v : form u (c *: v) = c * form u v.
Proof. by rewrite /form -scalemxAr mxE. Qed.

Lemma formC u v : form u v = form v u.
Proof.
rewrite /form; have -> : (u^T *m Q *m v) 0 0 = ((u^T *m Q *m v)^T) 0 0 by rewrite [RHS]mxE.
by rewrite !trmx_mul trmxK symmetric mulmxA.
Qed.

Lemma formB u v : form (u - v) (u - v) = form u u - 2%:R * form u v + form v v.
Proof.
have -> : u - v = u + (-1) *: v by rewrite scaleN1r.
by rewrite !(formDl, formDr, formZl, formZr) (formC v u); ring.
Qed.

Hypothesis semidefinite : forall u, 0 <= form u u.

(** A null vector of a semidefinite form is in its kernel. *)
Lemma null_kernel u v : form u u = 0 -> form v u = 0.
Proof.
move=> null; apply/eqP; apply: contraT => nz.
pose s := - (form v v + 1) / (2%:R * form v u).
have := semidefinite (v + s *: u).
rewrite !(formDl, formDr, formZl, formZr) null (formC u v).
have -> : form v v + s * form v u + (s * form v u + s * (s * 0)) = form v v + s * (2%:R * form v u) by ring.
rewrite /s divfK ?mulf_neq0 ?pnatr_eq0 //.
have -> : form v v + - (form v v + 1) = -1 by ring.
by rewrite oppr_ge0 ler10.
Qed.

End Form.

(** ** Orbits *)

Section Orbits.

Variables (F : realFieldType) (n : nat) (A : 'M[F]_n) (w : 'I_n -> F) (b : 'cV[F]_n) (D : seq F) (rho : 'I_n -> F -> F).

(** diag(w) A, and one step: the affine one, then each entry rounded. *)
Definition weighted : 'M[F]_n := \matrix_(i, j) (w i * A i j).
Definition rounded_step (x : 'cV[F]_n) : 'cV[F]_n := \col_i rho i (step (fun=> A) (fun=> b) x tt i 0).

Hypothesis positive : forall i, 0 < w i.
Hypothesis symmetric : weighted^T = weighted.
Hypothesis semidefinite : forall u : 'cV[F]_n, 0 <= (u^T *m weighted *m u) 0 0.
Hypothesis monotone : forall i, {homo rho i : a c / a <= c}.
Hypothesis finite : forall i a, rho i a \in D.

Variable x : nat -> 'cV[F]_n.
Hypothesis orbit : forall t, x t.+1 = rounded_step (x t).

Let y t := A *m x t + b.

Lemma weightedE (u : 'cV[F]_n) i : (weighted *m u) i 0 = w i * (A *m u) i 0.
Proof. by rewrite !mxE mulr_sumr; apply: eq_bigr => j _; rewrite mxE mulrA. Qed.

Lemma pairing t : \sum_i w i * (x t.+1 i 0 * (y t i 0 - y t.+1 i 0)) = form weighted (x t.+1) (x t - x t.+1).
Proof.
rewrite /form -mulmxA mxE; apply: eq_bigr => i _.
have e : A *m (x t - x t.+1) = y t - y t.+1 by rewrite /y mulmxBr opprD addrACA subrr addr0.
have -> : y t i 0 - y t.+1 i 0 = (A *m (x t - x t.+1)) i 0 by rewrite e [RHS]mxE [X in _ = _ + X]mxE.
by rewrite weightedE [in RHS]mxE mulrCA.
Qed.

Lemma twice u v :
  2%:R * form weighted v (u - v) = form weighted u u - form weighted v v - form weighted (v - u) (v - u).
Proof.
rewrite (formB symmetric) -(scaleN1r v) (formDr, formZr) (formZr) (formC symmetric v u); ring.
Qed.

Lemma cycle_is_a_fixed_point m : x m.+1 = x 0%N -> x 1%N = x 0%N.
Proof.
move=> back; have yback : y m.+1 = y 0%N by rewrite /y back.
have turn : 0 <= \sum_(t < m.+1) form weighted (x t.+1) (x t - x t.+1).
  rewrite -(eq_bigr _ (fun (t : 'I_m.+1) _ => pairing t)) exchange_big /=.
  apply: sumr_ge0 => i _; rewrite -mulr_sumr; apply: mulr_ge0; first exact: ltW.
  rewrite (eq_bigr (fun t : 'I_m.+1 => rho i (y t i 0) * (y t i 0 - y t.+1 i 0))); last first.
    by move=> t _; rewrite orbit mxE.
  by apply: (@monotone_turns _ (rho i) D (fun t => y t i 0)) => //=; rewrite yback.
have sum : 2%:R * (\sum_(t < m.+1) form weighted (x t.+1) (x t - x t.+1)) =
    - \sum_(t < m.+1) form weighted (x t.+1 - x t) (x t.+1 - x t).
  rewrite mulr_sumr (eq_bigr _ (fun (t : 'I_m.+1) _ => twice (x t) (x t.+1))) sumrB.
  by rewrite (@telescope _ (fun t => form weighted (x t) (x t))) ?back // sub0r.
have null (t : 'I_m.+1) : form weighted (x t.+1 - x t) (x t.+1 - x t) = 0.
  have : \sum_(s < m.+1) form weighted (x s.+1 - x s) (x s.+1 - x s) = 0.
    apply/eqP; rewrite eq_le sumr_ge0 ?andbT => [|s _]; last exact: semidefinite.
    by rewrite -oppr_ge0 -sum mulr_ge0 ?ler0n.
  move/eqP; rewrite psumr_eq0 => [/allP/(_ t)|s _]; last exact: semidefinite.
  by rewrite mem_index_enum => /(_ isT) /eqP.
have still (t : 'I_m.+1) : y t.+1 = y t.
  have kernel : A *m (x t.+1 - x t) = 0.
    apply/matrixP => i j; rewrite ord1 [in RHS]mxE.
    have := null_kernel symmetric semidefinite (delta_mx i 0) (null t).
    rewrite /form -mulmxA trmx_delta -rowE mxE weightedE => /eqP.
    by rewrite mulf_eq0 gt_eqF //= => /eqP.
  move/eqP: kernel; rewrite mulmxBr subr_eq0 => /eqP e; by rewrite /y e.
have same t : (t <= m)%N -> x t.+2 = x t.+1.
  move=> tm; rewrite orbit [in RHS]orbit; have := still (Ordinal (tm : (t < m.+1)%N)).
  by rewrite /y /rounded_step /step /= => ->.
have first t : (t <= m.+1)%N -> x t.+1 = x 1%N.
  by elim: t => // t IH tm; rewrite same // IH // ltnW.
by rewrite -back -(first m).
Qed.

End Orbits.

(** So every orbit settles: its states are finite in number. *)
Theorem one_monotone_rounding_settles (F : realFieldType) n (A : 'M[F]_n) (w : 'I_n -> F) (b : 'cV[F]_n) (D : seq F)
    (rho : 'I_n -> F -> F) (x : nat -> 'cV[F]_n) :
  (forall i, 0 < w i) -> (weighted A w)^T = weighted A w ->
  (forall u : 'cV[F]_n, 0 <= (u^T *m weighted A w *m u) 0 0) ->
  (forall i, {homo rho i : a c / a <= c}) -> (forall i a, rho i a \in D) ->
  (forall t, x t.+1 = rounded_step A b rho (x t)) -> exists K, forall k, x (K + k)%N = x K.
Proof.
move=> positive symmetric semidefinite monotone finite orbit.
pose place (t : nat) : {ffun 'I_n -> seq_sub D} := [ffun i => SeqSub (finite i ((A *m x t + b) i 0))].
pose T := [finType of {ffun 'I_n -> seq_sub D}].
have : ~~ injectiveb (fun t : 'I_(#|T|.+1) => place t).
  apply/negP => /injectiveP /leq_card; by rewrite card_ord ltnn.
case/injectivePn => s [t ne same].
have {same} same : x s.+1 = x t.+1.
  apply/matrixP => i j; rewrite ord1 orbit [in RHS]orbit [LHS]mxE [RHS]mxE.
  by move/ffunP/(_ i): same; rewrite /place !ffunE => /(congr1 val).
wlog lt : s t ne same / (s < t)%N.
  move=> lemma; have := ne; rewrite -(inj_eq val_inj) neq_ltn => /orP[|] lt.
    exact: (lemma s t).
  by apply: (lemma t s) => //; rewrite eq_sym.
have next : x s.+2 = x s.+1.
  pose u k := x (s.+1 + k)%N.
  have uorbit k : u k.+1 = rounded_step A b rho (u k) by rewrite /u addnS.
  have back : u (t - s.+1).+1 = u 0%N by rewrite /u addn0 addnS subnKC.
  have := cycle_is_a_fixed_point positive symmetric semidefinite monotone finite uorbit back.
  by rewrite /u addn1 addn0.
exists s.+1; elim=> [|k IH]; first by rewrite addn0.
by rewrite addnS orbit IH -orbit.
Qed.

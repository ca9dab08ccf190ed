(** * Rounding once per step: pairs of states that a step exchanges, and blocks that settle one after the other

    New, beside grazzi25, Theorem 1: new.parity.stepwise.minors and new.parity.stepwise.triangular.

    - [principal A S], [minor A S]: A on the rows and columns of S, completed by the identity; its determinant;
    - [mixed A a d], [one_at f k c]: diag(a) A + diag(d); f with the value c at k;
    - [pure a d]: one of a and d is 1, and the other 0;
    - [crossed A b p q]: A x + b reverses the order of p and q in each entry where p is less;
    - [apart], [centre], [point], [points], [bias]: the numbers and the bias of a pair of states;
    - [only_nearest D x y]: y is the one number of D nearest to x;
    - [block L]: the entries of A between units of level L. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import models rounding.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** Principal minors *)

Section Minors.

Variables (R : comRingType) (n : nat) (A : 'M[R]_n).

(** A with the rows outside S replaced by those of the identity. *)
Definition principal (S : {set 'I_n}) : 'M[R]_n := \matrix_(i, j) (if i \in S then A i j else (i == j)%:R).
(** The principal minor of S. *)
Definition minor (S : {set 'I_n}) : R := \det (principal S).
(** Row i is a_i times that of A and d_i times that of the identity. *)
Definition mixed (a d : 'I_n -> R) : 'M[R]_n := \matrix_(i, j) (a i * A i j + d i * (i == j)%:R).
Definition one_at (f : 'I_n -> R) k (c : R) i := if i == k then c else f i.

Lemma det_mixed a d k :
  \det (mixed a d) =
  a k * \det (mixed (one_at a k 1) (one_at d k 0)) + d k * \det (mixed (one_at a k 0) (one_at d k 1)).
Proof.
apply: (@determinant_multilinear _ _ _ _ _ k).
- by apply/rowP => j; rewrite !mxE /one_at eqxx; ring.
- by apply/matrixP => i j; rewrite !mxE /one_at; have := neq_lift k i; rewrite eq_sym => /negPf ->.
- by apply/matrixP => i j; rewrite !mxE /one_at; have := neq_lift k i; rewrite eq_sym => /negPf ->.
Qed.

Lemma mixed_principal (S : {set 'I_n}) : mixed (fun i => (i \in S)%:R) (fun i => (i \notin S)%:R) = principal S.
Proof. by apply/matrixP => i j; rewrite !mxE; case: (i \in S); rewrite /= ?mul1r ?mul0r ?addr0 ?add0r. Qed.

Lemma mixed_mul a d (v : 'cV[R]_n) i : (mixed a d *m v) i 0 = a i * (A *m v) i 0 + d i * v i 0.
Proof.
rewrite !mxE mulr_sumr (bigD1 i) //= [\sum_(k < n) a i * _](bigD1 i) //= !mxE eqxx.
rewrite (eq_bigr (fun k => a i * (A i k * v k 0))); last first.
  by move=> k ki; rewrite !mxE (eq_sym i) (negPf ki) mulr0 addr0 mulrA.
by rewrite mulrDl mulr1 -mulrA addrAC.
Qed.

Lemma eq_mixed a d a' d' : a =1 a' -> d =1 d' -> mixed a d = mixed a' d'.
Proof. by move=> ea ed; apply/matrixP => i j; rewrite !mxE ea ed. Qed.

End Minors.

Section NoNegativeMinor.

Variables (F : realFieldType) (n : nat) (A : 'M[F]_n).
Hypothesis nonnegative : forall S, 0 <= minor A S.

(** Row i is that of A or that of the identity. *)
Definition pure (a d : F) := ((a == 1) && (d == 0)) || ((a == 0) && (d == 1)).

Lemma det_mixed_ge0 (s : seq 'I_n) a d : (forall i, 0 <= a i) -> (forall i, 0 <= d i) ->
  (forall i, i \notin s -> pure (a i) (d i)) -> 0 <= \det (mixed A a d).
Proof.
elim: s a d => [|k s IH] a d a0 d0 p.
  have {}p i : pure (a i) (d i) by apply: p.
  have -> : mixed A a d = principal A [set i | a i == 1].
    rewrite -mixed_principal; apply: eq_mixed => i;
      rewrite inE; move: (p i); rewrite /pure => /orP[] /andP[/eqP ai /eqP di].
    - by rewrite ai eqxx.
    - by rewrite ai eq_sym oner_eq0.
    - by rewrite ai di eqxx.
    - by rewrite ai di eq_sym oner_eq0.
  exact: nonnegative.
rewrite (det_mixed A a d k).
have step (x y : F) : 0 <= x -> 0 <= y -> pure x y -> 0 <= \det (mixed A (one_at a k x) (one_at d k y)).
  move=> x0 y0 pxy; apply: IH => i; rewrite /one_at; first by case: eqP.
    by case: eqP.
  move=> out; case: eqP => // /eqP ne; by apply: p; rewrite in_cons negb_or ne.
by apply: addr_ge0; apply: mulr_ge0 => //; apply: step; rewrite ?ler01 // /pure !eqxx ?orbT.
Qed.

Lemma det_mixed_gt0 (s : seq 'I_n) a d : (forall i, 0 <= a i) -> (forall i, 0 < d i) ->
  (forall i, i \notin s -> a i = 0 /\ d i = 1) -> 0 < \det (mixed A a d).
Proof.
elim: s a d => [|k s IH] a d a0 d0 p.
  have -> : mixed A a d = 1%:M.
    by apply/matrixP => i j; rewrite !mxE; have [-> ->] := p i isT; rewrite mul0r add0r mul1r.
  by rewrite det1 ltr01.
rewrite (det_mixed A a d k) ltr_paddl //.
  apply: mulr_ge0 => //; apply: (@det_mixed_ge0 (enum 'I_n)) => i; rewrite /one_at; last by rewrite mem_enum.
    by case: eqP => // _; rewrite ler01.
  by case: eqP => // _; rewrite ltW.
rewrite mulr_gt0 //; apply: IH => i; rewrite /one_at; first by case: eqP.
  by case: eqP => // _; rewrite ltr01.
move=> out; case: eqP => // /eqP ne; by apply: p; rewrite in_cons negb_or ne.
Qed.

(** No vector has all its signs reversed. *)
Lemma no_vector_is_reversed (v : 'cV[F]_n) : (forall i, v i 0 != 0 -> v i 0 * (A *m v) i 0 < 0) -> v = 0.
Proof.
move=> reversed; apply/eqP/negP => /negP v0.
pose a i : F := (v i 0 != 0)%:R.
pose d i : F := if v i 0 == 0 then 1 else - ((A *m v) i 0 / v i 0).
have null : mixed A a d *m v = 0.
  apply/matrixP => i j; rewrite ord1 [RHS]mxE.
  rewrite mixed_mul.
  rewrite /a /d; case: eqP => [-> | /eqP ne] /=; first by rewrite mul0r mul1r addr0.
  by rewrite mul1r mulNr divfK // subrr.
have : 0 < \det (mixed A a d).
  apply: (@det_mixed_gt0 (enum 'I_n)) => i; rewrite ?mem_enum //.
    by rewrite /a ler0n.
  rewrite /d; case: eqP => [_ | /eqP ne]; first exact: ltr01.
  rewrite oppr_gt0 -(pmulr_llt0 _ (_ : 0 < v i 0 ^+ 2)); last by rewrite exprn_even_gt0 //= ne.
  by rewrite expr2 mulrA divfK // mulrC; apply: reversed.
suff -> : \det (mixed A a d) = 0 by rewrite ltxx.
rewrite -det_tr; apply/eqP/det0P; exists v^T; first by rewrite -(inj_eq (@trmx_inj _ _ _)) trmxK trmx0.
by rewrite -trmx_mul null trmx0.
Qed.

End NoNegativeMinor.

(** ** Pairs *)

Section Pairs.

Variables (F : realFieldType) (n : nat) (A : 'M[F]_n).

(** Where p is smaller than q, its input is larger. *)
Definition crossed (b p q : 'cV[F]_n) := forall i, p i 0 < q i 0 -> (A *m q + b) i 0 < (A *m p + b) i 0.

Lemma crossed_minor b p q : p != q -> crossed b p q -> crossed b q p -> exists S, minor A S < 0.
Proof.
move=> ne pq qp; case: (pickP [pred S | minor A S < 0]) => [S /= neg|none]; first by exists S.
suff : p - q = 0 by move/eqP; rewrite subr_eq0 (negPf ne).
apply: (@no_vector_is_reversed _ _ A) => [S|i]; first by rewrite leNgt; have /= -> := none S.
rewrite [(p - q) i 0]mxE [(- q) i 0]mxE subr_eq0 => pqi.
have image : (A *m (p - q)) i 0 = (A *m p + b) i 0 - (A *m q + b) i 0.
  by rewrite mulmxBr [LHS]mxE [(- (A *m q)) i 0]mxE [(A *m p + b) i 0]mxE [(A *m q + b) i 0]mxE; ring.
rewrite image; case: (ltgtP (p i 0) (q i 0)) pqi => // less _.
  by rewrite nmulr_rlt0 ?subr_lt0 // subr_gt0; apply: pq.
by rewrite pmulr_rlt0 ?subr_gt0 // subr_lt0; apply: qp.
Qed.

End Pairs.

Section TwoCycles.

Variables (R : rcfType) (n : nat) (A : 'M[R]_n).

Lemma negative_minor_reverses (S : {set 'I_n}) : minor A S < 0 ->
  exists2 v : 'cV[R]_n, v != 0 & forall i, v i 0 != 0 -> v i 0 * (A *m v) i 0 < 0.
Proof.
move=> neg.
pose a t i : R := if i \in S then t else 0.
pose d t i : R := if i \in S then 1 - t else 1.
pose pm : 'M[{poly R}]_n :=
  \matrix_(i, j) (if i \in S then 'X * (A i j)%:P + (1 - 'X) * ((i == j)%:R)%:P else ((i == j)%:R)%:P).
have value t : (\det pm).[t] = \det (mixed A (a t) (d t)).
  rewrite -horner_evalE -det_map_mx; congr (\det _); apply/matrixP => i j.
  rewrite !mxE /a /d; case: (i \in S); rewrite /= /horner_eval !hornerE //; ring.
have at0 : (\det pm).[0] = 1.
  rewrite value -(det1 R n); congr (\det _); apply/matrixP => i j; rewrite !mxE /a /d.
  by case: (i \in S); rewrite ?subr0 mul0r add0r mul1r.
have at1 : (\det pm).[1] = minor A S.
  rewrite value /minor; congr (\det _); apply/matrixP => i j; rewrite !mxE /a /d.
  by case: (i \in S); rewrite ?subrr ?mul0r ?mul1r ?addr0 ?add0r.
have [||t /andP[t0 t1]] := @poly_ivt R (- \det pm) 0 1; first exact: ler01.
  by rewrite !hornerN at0 at1 oppr_le0 ler01 oppr_ge0 ltW.
rewrite rootN => /rootP root.
have tn0 : t != 0 by apply/eqP => e; move: at0; rewrite -e root => /eqP; rewrite eq_sym oner_eq0.
have tn1 : t != 1 by apply/eqP => e; move: at1; rewrite -e root => e0; rewrite -e0 ltxx in neg.
move: root; rewrite value -det_tr => /eqP /det0P [w w0 null].
have zero : mixed A (a t) (d t) *m w^T = 0 by apply: trmx_inj; rewrite trmx_mul trmxK null trmx0.
exists w^T; first by rewrite -(inj_eq (@trmx_inj _ _ _)) trmxK trmx0.
move=> i vi; have := mixed_mul A (a t) (d t) w^T i; rewrite zero [LHS]mxE /a /d.
case: (i \in S) => e; last first.
  by move: e; rewrite mul0r add0r mul1r => e; rewrite -e eqxx in vi.
have tp : 0 < t by rewrite lt_neqAle eq_sym tn0.
have tl : t < 1 by rewrite lt_neqAle tn1.
have et : t * (A *m w^T) i 0 = - ((1 - t) * w^T i 0).
  by apply/eqP; rewrite -addr_eq0; apply/eqP.
rewrite -(pmulr_rlt0 _ tp) mulrCA et mulrN oppr_lt0 mulrCA.
by rewrite mulr_gt0 ?subr_gt0 // -expr2 exprn_even_gt0.
Qed.

(** Two points for each entry, far from those of the others. *)
Variable v : 'cV[R]_n.

Let w := A *m v.
Definition apart : R := 1 + 2%:R * \sum_k (`|v k 0| + `|w k 0|).
Definition centre : 'cV[R]_n := \col_i (i%:R * apart).
Definition point (u : 'cV[R]_n) : 'cV[R]_n := centre + 2%:R^-1 *: u.
Definition points : seq R := [seq point v i 0 | i <- enum 'I_n] ++ [seq point (- v) i 0 | i <- enum 'I_n].
Definition bias : 'cV[R]_n := centre - A *m centre.

Lemma pointE u i : point u i 0 = i%:R * apart + u i 0 / 2%:R.
Proof. by rewrite !mxE [2%:R^-1 * _]mulrC. Qed.

Lemma inputE u : A *m point u + bias = point (A *m u).
Proof. by rewrite /point mulmxDr -scalemxAr /bias addrC addrA addrNK. Qed.

Lemma apart_gt (i j : 'I_n) : `|w i 0| + `|v i 0| + (`|w i 0| + `|v j 0|) < 2%:R * apart.
Proof.
have bound k : `|v k 0| + `|w k 0| <= \sum_k (`|v k 0| + `|w k 0|).
  by rewrite [leRHS](bigD1 k) //= ler_addl sumr_ge0 // => l _; rewrite addr_ge0.
have bj : `|v j 0| <= \sum_k (`|v k 0| + `|w k 0|) by apply: le_trans (bound j); rewrite ler_addl.
have bw : `|w i 0| <= \sum_k (`|v k 0| + `|w k 0|) by apply: le_trans (bound i); rewrite ler_addr.
have bi := bound i; have z : 0 <= \sum_k (`|v k 0| + `|w k 0|) by apply: sumr_ge0 => l _; rewrite addr_ge0.
rewrite /apart; set B := \sum_k _ in bi bj bw z *; move: bi bj bw z.
set a := `|w i 0|; set b := `|v i 0|; set c := `|v j 0| => bi bj bw z.
have -> : 2%:R * (1 + 2%:R * B) = 2%:R + (B + B + (B + B)) by ring.
have -> : a + b + (a + c) = (b + a) + (a + c) by ring.
apply: (@le_lt_trans _ _ (B + B + (B + B))); last by rewrite ltr_addr ltr0n.
by apply: ler_add; [apply: le_trans bi _; rewrite ler_addl | apply: ler_add].
Qed.

Lemma far (i j : 'I_n) : i != j -> apart <= `|i%:R * apart - j%:R * apart|.
Proof.
have p : 0 < apart.
  by rewrite /apart ltr_paddr ?ltr01 // mulr_ge0 ?ler0n // sumr_ge0 // => k _; rewrite addr_ge0.
move=> ne; rewrite -mulrBl normrM (gtr0_norm p) ler_pmull //.
have {ne} : (i : nat) <> j by move=> e; move/eqP: ne; apply; apply: val_inj.
case: (ltngtP i j) => // less _.
  by rewrite distrC -natrB 1?ltnW // normr_nat ler1n subn_gt0.
by rewrite -natrB 1?ltnW // normr_nat ler1n subn_gt0.
Qed.

(** y is in D and nearer to x than all other numbers of D. *)
Definition only_nearest (D : seq R) (x y : R) := y \in D /\ forall z, z \in D -> z != y -> `|x - y| < `|x - z|.

Lemma nearest (u : 'cV[R]_n) i : (u = v \/ u = - v) -> (forall i, u i 0 != 0 -> u i 0 * (A *m u) i 0 < 0) ->
  only_nearest points ((A *m point u + bias) i 0) (point (- u) i 0).
Proof.
move=> uv reversed.
have [norm_v norm_w] : (forall k, `|u k 0| = `|v k 0|) /\ (forall k, `|(A *m u) k 0| = `|w k 0|).
  case: uv => ->; split=> // k; first by rewrite mxE normrN.
  by rewrite mulmxN mxE normrN.
have known z : z \in points -> exists j, z = point u j 0 \/ z = point (- u) j 0.
  rewrite mem_cat => /orP[] /mapP[j _ ->]; exists j; case: uv => ->; rewrite ?opprK; by [left|right].
split.
  rewrite mem_cat; apply/orP; case: uv => ->; rewrite ?opprK; [right|left]; by apply: map_f; rewrite mem_enum.
move=> z /known[j zj] ne; rewrite inputE (pointE (A *m u)).
have y_near : `|i%:R * apart + (A *m u) i 0 / 2%:R - point (- u) i 0| <= (`|w i 0| + `|v i 0|) / 2%:R.
  rewrite pointE [(- u) i 0]mxE.
  have -> : i%:R * apart + (A *m u) i 0 / 2%:R - (i%:R * apart + - u i 0 / 2%:R) = ((A *m u) i 0 + u i 0) / 2%:R.
    by field.
  by rewrite normrM normfV normr_nat ler_wpmul2r ?invr_ge0 ?ler0n // -norm_v -norm_w ler_norm_add.
have [eij|nij] := eqVneq i j.
  subst j; case: zj ne => ->; last by rewrite eqxx.
  rewrite !pointE [(- u) i 0]mxE => ne.
  have ui : u i 0 != 0 by apply: contraNneq ne => ->; rewrite oppr0.
  set W := (A *m u) i 0; set U := u i 0.
  have -> : i%:R * apart + W / 2%:R - (i%:R * apart + - U / 2%:R) = (W + U) / 2%:R by field.
  have -> : i%:R * apart + W / 2%:R - (i%:R * apart + U / 2%:R) = (W - U) / 2%:R by field.
  rewrite !normrM ltr_pmul2r ?normr_gt0 ?invr_eq0 ?pnatr_eq0 //.
  rewrite -ltr_sqr ?nnegrE // !real_normK ?num_real // -subr_gt0.
  have -> : (W - U) ^+ 2 - (W + U) ^+ 2 = - (4%:R * (U * W)) by ring.
  by rewrite oppr_gt0 pmulr_rlt0 ?ltr0n //; apply: reversed.
have [t [-> tv]] : exists t, z = j%:R * apart + t / 2%:R /\ `|t| = `|v j 0|.
  case: zj => ->; [exists (u j 0) | exists ((- u) j 0)]; rewrite pointE; split=> //;
    by rewrite ?[(- u) j 0]mxE ?normrN norm_v.
set W := (A *m u) i 0 in y_near *.
have shift : `|W / 2%:R - t / 2%:R| <= (`|w i 0| + `|v j 0|) / 2%:R.
  by rewrite -mulrBl normrM normfV normr_nat ler_wpmul2r ?invr_ge0 ?ler0n // -tv -norm_w ler_norm_sub.
have away : apart <= `|i%:R * apart + W / 2%:R - (j%:R * apart + t / 2%:R)| + (`|w i 0| + `|v j 0|) / 2%:R.
  apply: le_trans (far nij) _.
  apply: (@le_trans _ _ (`|i%:R * apart + W / 2%:R - (j%:R * apart + t / 2%:R)| + `|W / 2%:R - t / 2%:R|)).
    have -> : i%:R * apart - j%:R * apart =
      (i%:R * apart + W / 2%:R - (j%:R * apart + t / 2%:R)) - (W / 2%:R - t / 2%:R) by ring.
    exact: ler_norm_sub.
  by rewrite ler_add2l.
rewrite pointE in y_near *.
apply: le_lt_trans y_near _; rewrite -(ltr_add2r ((`|w i 0| + `|v j 0|) / 2%:R)); apply: lt_le_trans away.
by rewrite -mulrDl ltr_pdivr_mulr ?ltr0n // mulrC apart_gt.
Qed.

End TwoCycles.

Lemma nearer (R : rcfType) (D : seq R) (p q x y : R) : p < q -> p \in D -> q \in D ->
  only_nearest D x q -> only_nearest D y p -> y < x.
Proof.
move=> less pD qD [_ /(_ p pD) xq] [_ /(_ q qD) yp].
have {}xq := xq (negbT (lt_eqF less)); have {}yp := yp (negbT (gt_eqF less)).
have square (a c : R) : `|a| < `|c| -> 0 < c ^+ 2 - a ^+ 2.
  by rewrite -ltr_sqr ?nnegrE // !real_normK ?num_real // subr_gt0.
move: (square _ _ xq) (square _ _ yp).
have -> : (x - p) ^+ 2 - (x - q) ^+ 2 = (q - p) * (2%:R * x - (p + q)) by ring.
have -> : (y - q) ^+ 2 - (y - p) ^+ 2 = (q - p) * (p + q - 2%:R * y) by ring.
rewrite !pmulr_rgt0 ?subr_gt0 // => above below.
by have := lt_trans below above; rewrite ltr_pmul2l ?ltr0n.
Qed.

(** A pair of states that one rounded step exchanges exists for some bias and some finite
    set of numbers, whatever is done with ties, iff a principal minor is negative. *)
Theorem two_cycles (R : rcfType) n (A : 'M[R]_n) :
  (exists S, minor A S < 0) <->
  exists (b : 'cV[R]_n) (D : seq R) (p q : 'cV[R]_n), p != q /\ (forall i, p i 0 \in D /\ q i 0 \in D) /\
    forall i, only_nearest D ((A *m p + b) i 0) (q i 0) /\ only_nearest D ((A *m q + b) i 0) (p i 0).
Proof.
split=> [[S /negative_minor_reverses[v v0 reversed]]|[b [D [p [q [ne [inD cast]]]]]]].
  exists (bias A v), (points A v), (point A v v), (point A v (- v)).
  have one i := @nearest _ _ A v v i (or_introl erefl) reversed.
  have other i := @nearest _ _ A v (- v) i (or_intror erefl).
  split.
    apply/eqP => /matrixP same; move/eqP: v0; apply; apply/matrixP => i j; rewrite ord1 [RHS]mxE.
    have := same i 0; rewrite !pointE [(- v) i 0]mxE => /addrI e.
    by rewrite [v i 0]splitr {1}e mulNr addNr.
  have swapped i : (- v) i 0 != 0 -> (- v) i 0 * (A *m - v) i 0 < 0.
    by rewrite mulmxN [(- v) i 0]mxE [(- (A *m v)) i 0]mxE oppr_eq0 mulrNN; apply: reversed.
  have back i := other i swapped; rewrite opprK in back.
  by split=> i; split=> //; [have [] := back i | have [] := one i].
have [] // := @crossed_minor _ _ A b p q ne.
- by move=> i less; have [pD qD] := inD i; have [one other] := cast i; apply: (nearer less pD qD).
- by move=> i less; have [pD qD] := inD i; have [one other] := cast i; apply: (nearer less qD pD).
- by move=> S neg; exists S.
Qed.

(** And where none is negative, no nondecreasing roundings have such a pair. *)
Theorem monotone_two_cycles (F : realFieldType) n (A : 'M[F]_n) (b : 'cV[F]_n) (rho : 'I_n -> F -> F) (p q : 'cV[F]_n) :
  (forall S, 0 <= minor A S) -> (forall i, {homo rho i : a c / a <= c}) ->
  rounded_step A b rho p = q -> rounded_step A b rho q = p -> p = q.
Proof.
move=> none monotone pq qp; apply/eqP/negP => /negP ne.
have side (x y : 'cV[F]_n) : rounded_step A b rho x = y -> rounded_step A b rho y = x -> crossed A b x y.
  move=> xy yx i.
  have -> : x i 0 = rho i ((A *m y + b) i 0) by rewrite -[in LHS]yx mxE.
  have -> : y i 0 = rho i ((A *m x + b) i 0) by rewrite -[in LHS]xy mxE.
  by move=> less; rewrite ltNge; apply/negP => le; move: less; rewrite ltNge monotone.
have [S] := crossed_minor ne (side p q pq qp) (side q p qp pq).
by rewrite ltNge none.
Qed.

(** Nonnegative diagonal entries alone do not exclude such pairs. *)
Theorem not_diagonals_decide :
  ~ (forall (A : 'M[rat]_2) (b : 'cV[rat]_2) (rho : 'I_2 -> rat -> rat) (p q : 'cV[rat]_2),
      (forall i, 0 <= A i i) -> (forall i, {homo rho i : a c / a <= c}) ->
      rounded_step A b rho p = q -> rounded_step A b rho q = p -> p = q).
Proof.
move=> all.
pose A : 'M[rat]_2 := \matrix_(i, j) (i != j)%:R.
pose p : 'cV[rat]_2 := \col_i (i == 0)%:R; pose q : 'cV[rat]_2 := \col_i (i != 0)%:R.
have pq : rounded_step A 0 (fun _ => id) p = q.
  by apply/matrixP => -[[|[|i]] //= ?] j; rewrite !mxE !big_ord_recl big_ord0 !mxE.
have qp : rounded_step A 0 (fun _ => id) q = p.
  by apply/matrixP => -[[|[|i]] //= ?] j; rewrite !mxE !big_ord_recl big_ord0 !mxE.
have diagonal (i : 'I_2) : 0 <= A i i by rewrite mxE eqxx.
by have /matrixP/(_ 0 0) := all A 0 _ p q diagonal (fun _ _ _ => id) pq qp; rewrite !mxE.
Qed.

(** ** Tests of the definition *)

Example minor_of_nothing (R : comRingType) n (A : 'M[R]_n) : minor A set0 = 1.
Proof. by rewrite -(det1 R n); congr (\det _); apply/matrixP => i j; rewrite !mxE inE. Qed.

Example minor_of_all (R : comRingType) n (A : 'M[R]_n) : minor A setT = \det A.
Proof. by congr (\det _); apply/matrixP => i j; rewrite !mxE inE. Qed.

(** Of the first indices: the determinant of the upper left block. *)
Example minor_of_the_first (R : comRingType) m k (A : 'M[R]_(m + k)) :
  minor A [set i : 'I_(m + k) | (i < m)%N] = \det (ulsubmx A).
Proof.
have -> : \det (ulsubmx A) = \det (block_mx (ulsubmx A) (ursubmx A) 0 1%:M) by rewrite det_ublock det1 mulr1.
congr (\det _); apply/matrixP => i j; rewrite [LHS]mxE inE.
case: (splitP i) => i' e.
  have -> : i = lshift k i' by apply: val_inj.
  case: (splitP j) => j' e'.
    by have -> : j = lshift k j' by [apply: val_inj]; rewrite block_mxEul !mxE.
  by have -> : j = rshift m j' by [apply: val_inj]; rewrite block_mxEur !mxE.
have -> : i = rshift m i' by apply: val_inj.
case: (splitP j) => j' e'.
  have -> : j = lshift k j' by apply: val_inj.
  by rewrite block_mxEdl mxE; case: eqP => // /(congr1 val) /= f; have := ltn_ord j'; rewrite -f ltnNge leq_addr.
have -> : j = rshift m j' by apply: val_inj.
by rewrite block_mxEdr mxE (inj_eq (@rshift_inj _ _)).
Qed.

(** ** Blocks that settle one after the other *)

Section Blocks.

Variables (F : realFieldType) (n : nat) (A : 'M[F]_n) (level : 'I_n -> nat).

(** The diagonal block of a level, with zeros around it. *)
Definition block L : 'M[F]_n := \matrix_(i, j) (if (level i == L) && (level j == L) then A i j else 0).

Variables (w : 'I_n -> F) (b : 'cV[F]_n) (D : seq F) (rho : 'I_n -> F -> F) (x : nat -> 'cV[F]_n).
Hypothesis triangular : forall i j, (level i < level j)%N -> A i j = 0.
Hypothesis positive : forall i, 0 < w i.
Hypothesis symmetric : forall L, (weighted (block L) w)^T = weighted (block L) w.
Hypothesis semidefinite : forall L (u : 'cV[F]_n), 0 <= (u^T *m weighted (block L) w *m u) 0 0.
Hypothesis monotone : forall i, {homo rho i : a c / a <= c}.
Hypothesis finite : forall i a, rho i a \in D.
Hypothesis orbit : forall t, x t.+1 = rounded_step A b rho (x t).

Lemma levels_settle L : exists K, forall k i, (level i < L)%N -> x (K + k)%N i 0 = x K i 0.
Proof.
elim: L => [|L [K settled]]; first by exists 0%N.
pose y t : 'cV[F]_n := \col_i (if level i == L then x (K + t)%N i 0 else 0).
pose b' : 'cV[F]_n := \col_i (if level i == L then b i 0 + \sum_(j < n | (level j < L)%N) A i j * x K j 0 else 0).
pose rho' i := if level i == L then rho i else fun _ => 0.
have step t : y t.+1 = rounded_step (block L) b' rho' (y t).
  apply/matrixP => i j; rewrite ord1 {j} [RHS]mxE [LHS]mxE /rho'; case: eqP => // li.
  rewrite addnS orbit [LHS]mxE; congr (rho i _).
  rewrite [LHS]mxE [RHS]mxE [b' i 0]mxE li eqxx addrCA -[LHS]addrC; congr (_ + _).
  rewrite mxE (bigID (fun j => (level j < L)%N)) /= addrC; congr (_ + _); last first.
    by apply: eq_bigr => j lj; rewrite settled.
  rewrite [RHS]mxE [RHS](bigID (fun j => (level j < L)%N)) /= [X in _ = X + _]big1 ?add0r; last first.
    by move=> j lj; rewrite !mxE (ltn_eqF lj) andbF mul0r.
  apply: eq_bigr => j lj; rewrite !mxE li eqxx /=; case: eqP => // /eqP ne.
  by rewrite triangular ?mul0r // li; move: lj; rewrite -leqNgt leq_eqVlt eq_sym (negPf ne).
have [] := @one_monotone_rounding_settles F n (block L) w b' (0 :: D) rho' y positive (symmetric L)
  (semidefinite L) _ _ step.
- by move=> i a c ac; rewrite /rho'; case: eqP => // _; apply: monotone.
- by move=> i a; rewrite /rho' in_cons; case: (level i == L); rewrite ?eqxx ?finite ?orbT.
move=> K' still; exists (K + K')%N => k i; rewrite ltnS leq_eqVlt => /orP[/eqP li|less].
  by have := still k => /matrixP /(_ i 0); rewrite !mxE li eqxx addnA.
by rewrite -addnA settled // settled.
Qed.

Theorem block_triangular_settles : exists K, forall k, x (K + k)%N = x K.
Proof.
have [K settled] := levels_settle (\max_i level i).+1.
exists K => k; apply/matrixP => i j; rewrite ord1; apply: settled.
by rewrite ltnS leq_bigmax.
Qed.

End Blocks.

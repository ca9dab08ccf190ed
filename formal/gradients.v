(** * The gradient of one pass at a fixed point, and when to stop, for every size

    movahedi25, Sec. 2.2, App. D.2 and F.2: Theorem 2.2 as amended, the stopping rule.

    - [norm], [cosine]: length, and cosine of the angle, of row vectors;
    - [has_gain J c]: |J v| <= c |v| for all v. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import householder.
From lemmata Require chunks.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Angle.

Variables (F : rcfType) (n : nat).
Implicit Types (u v g : 'rV[F]_n) (J : 'M[F]_n).

Definition norm v : F := Num.sqrt (dot v v).

Definition cosine u v : F := dot u v / (norm u * norm v).

(** |J v| <= c |v|; a vector is a row here, so that J v is v J^T. *)
Definition has_gain J c : Prop := forall v, norm (v *m J^T) <= c * norm v.

Lemma norm_ge0 v : 0 <= norm v.
Proof. exact: sqrtr_ge0. Qed.

Lemma sqr_norm v : norm v ^+ 2 = dot v v.
Proof. by rewrite sqr_sqrtr // dot_ge0. Qed.

Lemma norm_gt0 v : v != 0 -> 0 < norm v.
Proof. by move=> v0; rewrite sqrtr_gt0 lt_neqAle dot_ge0 andbT eq_sym dot_eq0. Qed.

Lemma gain_sqr J c v : 0 <= c -> has_gain J c -> dot (v *m J^T) (v *m J^T) <= c ^+ 2 * dot v v.
Proof.
move=> c0 gain; rewrite -!sqr_norm -exprMn ler_expn2r ?nnegrE ?norm_ge0 //.
by rewrite mulr_ge0 ?norm_ge0.
Qed.

Lemma dot_tr u v J : dot (u *m J) v = dot u (v *m J^T).
Proof. by rewrite /dot trmx_mul trmxK mulmxA. Qed.

(** A gain below 1: I - J is invertible. *)
Lemma strict_gain_invertible J c : 0 <= c < 1 -> has_gain J c -> 1%:M - J \in unitmx.
Proof.
move=> /andP[c0 c1] gain; rewrite -unitmx_tr -row_free_unit -kermx_eq0; apply/eqP/row_matrixP=> i; rewrite row0.
have : (row i (kermx (1%:M - J)^T) <= kermx (1%:M - J)^T)%MS by apply: row_sub.
move: (row i _) => v /sub_kermxP; rewrite linearB /= trmx1 mulmxBr mulmx1 => /eqP; rewrite subr_eq0 => /eqP fixed.
apply/eqP; apply: contraTT isT => v0; have := gain v; rewrite -fixed.
by rewrite -subr_le0 -{1}[norm v]mul1r -mulrBl pmulr_lle0 ?norm_gt0 // subr_le0 leNgt c1.
Qed.

(** J^T has the same gain. *)
Lemma transposed_gain w J c : 0 <= c -> has_gain J c -> dot (w *m J) (w *m J) <= c ^+ 2 * dot w w.
Proof.
move=> c0 gain; have [->|k0] := eqVneq (w *m J) 0; first by rewrite /dot mul0mx mxE mulr_ge0 ?sqr_ge0 ?dot_ge0.
have kpos : 0 < dot (w *m J) (w *m J) by rewrite lt_neqAle dot_ge0 andbT eq_sym dot_eq0.
rewrite -(ler_pmul2l kpos) -expr2 {1}dot_tr; apply: le_trans (chunks.cauchy_schwarz _ _) _.
by rewrite mulrC mulrCA mulrA ler_wpmul2r ?dot_ge0 // gain_sqr.
Qed.

Lemma dotDl u v w : dot (u + v) w = dot u w + dot v w.
Proof. by rewrite /dot mulmxDl mxE. Qed.

Lemma dot_sqr_bound (m s k c : F) : 0 <= m -> k <= c ^+ 2 * m -> c ^+ 2 <= 1 ->
  (1 - c ^+ 2) * (m - 2%:R * s + k) * m <= (m - s) ^+ 2.
Proof.
move=> m0 kc c1; rewrite -subr_ge0.
have -> : (m - s) ^+ 2 - (1 - c ^+ 2) * (m - 2%:R * s + k) * m = (s - c ^+ 2 * m) ^+ 2 + (1 - c ^+ 2) * m * (c ^+ 2 *
  m - k) by ring.
by rewrite addr_ge0 ?sqr_ge0 // !mulr_ge0 ?subr_ge0.
Qed.

Lemma angle_of_gradients J c g :
  0 <= c < 1 -> has_gain J c -> g != 0 -> Num.sqrt (1 - c ^+ 2) <= cosine g (g *m invmx (1%:M - J)).
Proof.
move=> c01 gain g0; have [c0 c1] := andP c01; set w := g *m _.
have inv := strict_gain_invertible c01 gain.
have gw : g = w - w *m J by rewrite -{1}[w]mulmx1 -mulmxBr /w mulmxKV.
have w0 : w != 0 by apply: contra_neq g0 => w0; rewrite gw w0 mul0mx subrr.
have c2 : c ^+ 2 <= 1 by rewrite expr_le1 // ltW.
have kc := transposed_gain w (andP c01).1 gain; have m0 : 0 < dot w w by rewrite lt_neqAle dot_ge0 andbT eq_sym dot_eq0.
have gg : dot g g = dot w w - 2%:R * dot w (w *m J) + dot (w *m J) (w *m J).
  by rewrite gw dotBl !dotBr (dotC (w *m J) w); ring.
have wg : dot g w = dot w w - dot w (w *m J) by rewrite dotC {1}gw dotBr.
have pos : 0 < dot g w.
  rewrite -(pmulr_rgt0 _ (ltr0Sn F 1)) wg.
  have -> : 2%:R * (dot w w - dot w (w *m J)) = dot g g + (dot w w - dot (w *m J) (w *m J)) by rewrite gg; ring.
  by rewrite ltr_paddl ?dot_ge0 // subr_gt0 (le_lt_trans kc) // gtr_pmull // expr_lt1.
rewrite /cosine ler_pdivl_mulr ?mulr_gt0 ?norm_gt0 // -ler_sqr ?nnegrE ?(ltW pos) ?mulr_ge0 ?sqrtr_ge0 ?norm_ge0 //.
rewrite !exprMn !sqr_norm sqr_sqrtr ?subr_ge0 // wg gg mulrA.
by apply: dot_sqr_bound => //; apply: dot_ge0.
Qed.

(** Theorem 2.2 for the gradient by x, as rows: with J_x = J_h = J one pass has delta J, the truth delta (I - J)^-1 J,
    which is the first times (I - J)^-1. *)
Theorem one_pass_gradient J c (delta : 'rV[F]_n) (g := delta *m J) (true_g := delta *m (invmx (1%:M - J) *m J)) :
  0 <= c < 1 -> has_gain J c ->
  true_g = g *m invmx (1%:M - J) /\ (g != 0 -> Num.sqrt (1 - c ^+ 2) <= cosine g true_g).
Proof.
move=> c01 gain; have inv := strict_gain_invertible c01 gain.
have commute : J *m invmx (1%:M - J) = invmx (1%:M - J) *m J.
  have swap : (1%:M - J) *m J = J *m (1%:M - J) by rewrite mulmxBl mulmxBr mul1mx mulmx1.
  by rewrite -{1}(mulKmx inv J) swap -!mulmxA mulmxV // mulmx1.
have trueE : true_g = g *m invmx (1%:M - J) by rewrite /true_g /g -mulmxA commute.
by split=> // g0; rewrite trueE; apply: angle_of_gradients.
Qed.

(** If J turns by arccos c and scales by c, all angles are attained. *)
Lemma attained J c g :
  0 <= c < 1 -> (forall v, dot (v *m J) v = c ^+ 2 * dot v v) -> (forall v, dot (v *m J) (v *m J) = c ^+ 2 * dot v v) ->
  1%:M - J \in unitmx -> g != 0 -> cosine g (g *m invmx (1%:M - J)) = Num.sqrt (1 - c ^+ 2).
Proof.
move=> /andP[c0 c1] turns scales inv g0; set w := g *m _.
have gw : g = w - w *m J by rewrite -{1}[w]mulmx1 -mulmxBr /w mulmxKV.
have w0 : w != 0 by apply: contra_neq g0 => w0; rewrite gw w0 mul0mx subrr.
have s0 : 0 < 1 - c ^+ 2 by rewrite subr_gt0 expr_lt1.
have gg : dot g g = (1 - c ^+ 2) * dot w w by rewrite gw dotBl !dotBr (dotC w (w *m J)) turns scales; ring.
have wg : dot g w = (1 - c ^+ 2) * dot w w by rewrite {1}gw dotBl turns; ring.
set s := Num.sqrt _; have ss : s ^+ 2 = 1 - c ^+ 2 by rewrite sqr_sqrtr ?(ltW s0).
have ng : norm g = s * norm w by rewrite /norm gg sqrtrM ?(ltW s0).
have sn0 : s != 0 by rewrite gt_eqF // sqrtr_gt0.
have nw0 : norm w != 0 by rewrite gt_eqF // norm_gt0.
by rewrite /cosine wg ng -ss -sqr_norm; field; rewrite sn0 nw0.
Qed.

End Angle.

(** J = c R with the rotation R of the plane by arccos c: |J v| = c |v|, and the bound is attained by every g. *)
Definition rotation (F : rcfType) (c : F) : 'M[F]_2 :=
  \matrix_(i, j) (if i == j then c else if i == 0 then - Num.sqrt (1 - c ^+ 2) else Num.sqrt (1 - c ^+ 2)).

Lemma turned (F : rcfType) (c s a b : F) : s ^+ 2 = 1 - c ^+ 2 ->
  c * (c * a - s * b) * (c * (c * a - s * b)) + c * (c * b + s * a) * (c * (c * b + s * a)) = c ^+ 2 * (a * a + b * b).
Proof.
move=> ss; transitivity (c ^+ 2 * (c ^+ 2 + s ^+ 2) * (a * a + b * b)); first by ring.
by rewrite ss addrCA subrr addr0 mulr1.
Qed.

Theorem one_pass_gradient_attained (F : rcfType) (c : F) (J := c *: rotation c) :
  0 <= c < 1 ->
  [/\ forall v, norm (v *m J^T) = c * norm v, (rotation c) *m (rotation c)^T = 1%:M &
      forall g, g != 0 -> cosine g (g *m invmx (1%:M - J)) = Num.sqrt (1 - c ^+ 2)].
Proof.
move=> c01; have [c0 c1] := andP c01; have s0 : 0 <= 1 - c ^+ 2 by rewrite subr_ge0 expr_le1 // ltW.
set s := Num.sqrt (1 - c ^+ 2); have ss : s ^+ 2 = 1 - c ^+ 2 by rewrite sqr_sqrtr.
have sum2 (f : 'I_2 -> F) : \sum_i f i = f 0 + f 1.
  by rewrite !big_ord_recl big_ord0 addr0; congr (_ + f _); apply: val_inj.
have dot2 (u v : 'rV[F]_2) : dot u v = u 0 0 * v 0 0 + u 0 1 * v 0 1.
  by rewrite /dot mxE sum2 !mxE.
have J0 (v : 'rV[F]_2) : (v *m J) 0 0 = c * (c * v 0 0 + s * v 0 1).
  by rewrite mxE sum2 !mxE /= -/s; ring.
have J1 (v : 'rV[F]_2) : (v *m J) 0 1 = c * (c * v 0 1 - s * v 0 0).
  by rewrite mxE sum2 !mxE /= -/s; ring.
have T0 (v : 'rV[F]_2) : (v *m J^T) 0 0 = c * (c * v 0 0 - s * v 0 1).
  by rewrite mxE sum2 !mxE /= -/s; ring.
have T1 (v : 'rV[F]_2) : (v *m J^T) 0 1 = c * (c * v 0 1 + s * v 0 0).
  by rewrite mxE sum2 !mxE /= -/s; ring.
have gain v : norm (v *m J^T) = c * norm v.
  have -> : norm (v *m J^T) = Num.sqrt (c ^+ 2 * dot v v).
    by congr (Num.sqrt _); rewrite !dot2 T0 T1 turned.
  by rewrite sqrtrM ?sqr_ge0 // sqrtr_sqr ger0_norm.
split=> // [|g g0].
  apply/matrixP=> i j; rewrite mxE sum2 !mxE -/s.
  have e1 : s * s = 1 - c * c by rewrite -!expr2.
  case: i j => [[|[|//]] lti] [[|[|//]] ltj] /=; rewrite ?mulrNN ?e1; ring.
apply: attained => // [v|v|].
- rewrite !dot2 J0 J1; ring.
- by rewrite !dot2 J0 J1 addrC turned // [X in _ * X]addrC.
by apply: (strict_gain_invertible c01) => v; rewrite gain.
Qed.

(** The angle need not be 0. *)
Theorem not_one_pass_gradient_is_parallel (F : rcfType) :
  ~ (forall n (J : 'M[F]_n) c g, 0 <= c < 1 -> has_gain J c -> g != 0 -> 1 <= cosine g (g *m invmx (1%:M - J))).
Proof.
pose c : F := 2%:R^-1; have c01 : 0 <= c < 1 by rewrite invr_ge0 ler0n invf_lt1 ?ltr0n // ltr1n.
have [gain _ attained] := one_pass_gradient_attained c01; pose g : 'rV[F]_2 := delta_mx 0 0.
have g0 : g != 0 by apply/eqP=> /matrixP/(_ 0 0); rewrite !mxE !eqxx => /eqP; rewrite oner_eq0.
have has : has_gain (c *: rotation c) c by move=> v; rewrite gain.
move/(_ 2%N (c *: rotation c) c g c01 has g0); rewrite attained // => le1.
have c2 : 0 < c ^+ 2 by rewrite exprn_gt0 // invr_gt0 ltr0n.
have [c0 c1] := andP c01; have c21 : 0 <= 1 - c ^+ 2 by rewrite subr_ge0 expr_le1 // ltW.
have : 1 <= 1 - c ^+ 2 by rewrite -[X in _ <= X](sqr_sqrtr c21) expr_ge1 // sqrtr_ge0.
by rewrite ler_subr_addr ger_addl leNgt c2.
Qed.

(** ** The stopping rule *)

(** A contraction by c in any norm is within c / (1 - c) times the last change of its fixed point. *)
Theorem last_change_bounds_the_error (F : realFieldType) (V : normedZmodType F) (f : V -> V) (c : F) h fixed :
  0 <= c < 1 -> (forall x y, `|f x - f y| <= c * `|x - y|) -> f fixed = fixed ->
    `|f h - fixed| <= c / (1 - c) * `|f h - h|.
Proof.
move=> /andP[c0 c1] contracts fE; have e := contracts h fixed; rewrite fE in e.
have tri : `|h - fixed| <= `|f h - h| + `|f h - fixed|.
  by rewrite -[h - fixed](subrKA (f h)) (le_trans (ler_norm_add _ _)) // distrC.
rewrite mulrAC ler_pdivl_mulr ?subr_gt0 // mulrBr mulr1 ler_subl_addr.
by apply: le_trans e _; rewrite [`|f h - fixed| * c]mulrC -mulrDr ler_wpmul2l.
Qed.

(** Equality, in the Euclidean norm, for h -> c h + b: that is I - Q = c I without decay. *)
Theorem last_change_attained (F : rcfType) n (c : F) (b h fixed : 'rV[F]_n) (f := fun x => c *: x + b) :
  0 <= c < 1 -> f fixed = fixed -> norm (f h - fixed) = c / (1 - c) * norm (f h - h).
Proof.
move=> /andP[c0 c1] fE; have normZ a (v : 'rV[F]_n) : norm (a *: v) = `|a| * norm v.
  by rewrite /norm /dot linearZ /= -scalemxAl -scalemxAr scalerA mxE -expr2 sqrtrM ?sqr_ge0 // sqrtr_sqr.
have E : f h - fixed = c *: (h - fixed) by rewrite -{1}fE /f opprD addrACA subrr addr0 -scalerBr.
have -> : f h - h = (c - 1) *: (h - fixed) by rewrite scalerBl scale1r -E opprB addrA subrK.
rewrite E !normZ ger0_norm // ltr0_norm ?subr_lt0 // opprB; field.
by rewrite subr_eq0 eq_sym lt_eqF.
Qed.

(** The last change alone does not bound the error: f = x / 2 + x / 4, from 1. *)
Theorem not_last_change_bounds_the_error_alone (F : realFieldType) :
  ~ (forall (f : F -> F) (c : F) h fixed,
       0 <= c < 1 -> (forall x y, `|f x - f y| <= c * `|x - y|) -> f fixed = fixed -> `|f h - fixed| <= c * `|f h - h|).
Proof.
have half : 0 < 2%:R^-1 :> F by rewrite invr_gt0 ltr0n.
move/(_ (fun x => 2%:R^-1 * x) 2%:R^-1 1 0); rewrite invf_lt1 ?ltr0n // ltr1n ltW // !mulr0 !mulr1 subr0.
have -> : 2%:R^-1 - 1 = - 2%:R^-1 :> F by rewrite {2}(splitr 1) mul1r opprD addrA subrr sub0r.
rewrite normrN ger0_norm ?(ltW half) // => bad; have := bad isT _ erefl.
have halves x y : `|2%:R^-1 * x - 2%:R^-1 * y| <= 2%:R^-1 * `|x - y| :> F by rewrite -mulrBr normrM ger0_norm // ltW.
by move/(_ halves); rewrite ler_pmulr // leNgt invf_lt1 ?ltr0n // ltr1n.
Qed.

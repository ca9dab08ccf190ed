(** * Matrices of finite order that move at most two dimensions

    New, beside grazzi25, Theorem 3: new.automata.fewest-reflections. Real fields, no root is taken.

    - [part E G]: G where the projection E is, and 1 elsewhere. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import one_factor.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Linear.

Variables (F : realFieldType) (n : nat).
Implicit Types (C E G H W X : 'M[F]_n) (v : 'rV[F]_n).

(** Sylvester's identity. *)
Lemma det_one_plus k (U : 'M[F]_(n, k)) (V : 'M[F]_(k, n)) : \det (1%:M + U *m V) = \det (1%:M + V *m U).
Proof.
pose B := block_mx (1%:M : 'M_k) (- V) U (1%:M : 'M_n).
have -> : \det (1%:M + U *m V) = \det B.
  have -> : B = block_mx (1%:M : 'M_k) 0 U 1%:M *m block_mx (1%:M : 'M_k) (- V) 0 (1%:M + U *m V).
    by rewrite mulmx_block !mul1mx !mulmx1 !mul0mx !addr0 mulmxN addrCA addNr addr0.
  by rewrite det_mulmx det_lblock det_ublock !det1 !mul1r.
have -> : B = block_mx (1%:M : 'M_k) (- V) 0 1%:M *m block_mx (1%:M + V *m U) 0 U (1%:M : 'M_n).
  by rewrite mulmx_block !mul1mx !mul0mx ?mulmx0 ?mulmx1 !add0r mulNmx addrK.
by rewrite det_mulmx det_ublock det_lblock !det1 !mul1r mulr1.
Qed.

Lemma reflection_det G : (\rank (G - 1%:M)%R <= 1)%N -> G *m G = 1%:M -> G != 1%:M -> \det G = -1.
Proof.
set M := G - 1%:M => small square moved.
have GE : G = 1%:M + M by rewrite /M addrC subrK.
have M0 : M != 0 by rewrite subr_eq0.
have MM : M *m M = (-2%:R) *: M.
  rewrite /M mulmxBr mulmx1 mulmxBl mul1mx square scaleNr scaler_nat mulr2n.
  by rewrite opprD !opprB addrC.
rewrite GE; move: MM M0; rewrite -(mulmx_base M); move: (col_base M) (row_base M); move: small.
case: (\rank M) => [|[|//]] _ c w; first by rewrite [c]thinmx0 mul0mx eqxx.
move=> MM M0; rewrite det_one_plus [w *m c]mx11_scalar -raddfD det_scalar1.
move: MM; rewrite mulmxA -(mulmxA c w c) [w *m c]mx11_scalar mul_mx_scalar -scalemxAl => /eqP.
rewrite -subr_eq0 -scalerBl scaler_eq0 (negPf M0) orbF subr_eq0 => /eqP ->; rewrite mxE eqxx mulr1n; ring.
Qed.

(** Rank 2, finite order and an eigenvalue -1: the square is 1. *)
Lemma no_minus_one G v : (\rank (G - 1%:M)%R <= 2)%N -> (exists k, iter k.+1 (mulmx (G *m G)) 1%:M = 1%:M) ->
  v != 0 -> v *m G = - v -> G *m G = 1%:M.
Proof.
move=> small [k order] v0 vG.
have factors : G *m G - 1%:M = (G - 1%:M) *m (G + 1%:M).
  by rewrite mulmxDr mulmx1 mulmxBl mul1mx addrA addrNK.
have two : (2%:R : F) != 0 by rewrite pnatr_eq0.
have vin : (v <= (G - 1%:M) :&: kermx (G + 1%:M))%MS.
  rewrite sub_capmx; apply/andP; split; last by apply/sub_kermxP; rewrite mulmxDr mulmx1 vG addNr.
  have -> : v = (- 2%:R^-1 *: v) *m (G - 1%:M).
    rewrite mulmxBr mulmx1 -scalemxAl vG -scalerBr -opprD -mulr2n -scaler_nat scalerN scaleNr opprK.
    by rewrite scalerA mulVf // scale1r.
  exact: submxMl.
have one : (\rank (G *m G - 1%:M)%R <= 1)%N.
  have := mxrank_mul_ker (G - 1%:M) (G + 1%:M); rewrite -factors.
  have := mxrankS vin; rewrite rank_rV v0; move: small; lia.
apply/eqP/negPn/negP => moved.
have := reflection_det one (rank_one_finite_order one order) moved; rewrite det_mulmx -expr2 => e.
by have := sqr_ge0 (\det G); rewrite e oppr_ge0 ler10.
Qed.

(** ** A projection that commutes with G splits it into two parts *)

Definition part E G : 'M[F]_n := 1%:M + E *m (G - 1%:M).

Lemma part_product E G X : E *m E = E -> E *m G = G *m E -> part E G *m part E X = part E (G *m X).
Proof.
move=> EE EG; rewrite /part mulmxDl mul1mx mulmxDr mulmx1.
have -> : E *m (G - 1%:M) *m (E *m (X - 1%:M)) = E *m (G - 1%:M) *m (X - 1%:M).
  have : (G - 1%:M) *m E = E *m (G - 1%:M) by rewrite mulmxBl mulmxBr mul1mx mulmx1 EG.
  by move=> e; rewrite mulmxA -(mulmxA E) e mulmxA EE.
rewrite -addrA -!mulmxA -!mulmxDr; congr (_ + E *m _).
by rewrite mulmxBr mulmx1 [G - 1%:M + _]addrC subrK mulmxBl mul1mx addrC addrA subrK.
Qed.

Lemma part_power E G k : E *m E = E -> E *m G = G *m E ->
  iter k (mulmx (part E G)) 1%:M = part E (iter k (mulmx G) 1%:M).
Proof.
move=> EE EG; elim: k => [|k IH]; first by rewrite /part subrr mulmx0 addr0.
by rewrite !iterS IH part_product.
Qed.

Lemma ranks_add E G : E *m E = E -> E *m G = G *m E -> (\rank (E *m G) + \rank ((1%:M - E)%R *m G) <= \rank G)%N.
Proof.
move=> EE EG; have E'G : (1%:M - E) *m G = G *m (1%:M - E) by rewrite mulmxBl mulmxBr mul1mx mulmx1 EG.
rewrite -mxrank_disjoint_sum; last first.
  apply/eqP/rowV0P => x; rewrite sub_capmx EG E'G => /andP[/submxP[y xy] /submxP[z xz]].
  have : x *m E = x by rewrite xy -!mulmxA EE.
  by rewrite {1}xz -!mulmxA mulmxBl mul1mx EE subrr !mulmx0.
by apply: mxrankS; rewrite addsmx_sub !submxMl.
Qed.

Lemma split_in_two E G : E *m E = E -> E *m G = G *m E -> (\rank (G - 1%:M)%R <= 2)%N ->
  (exists k, iter k.+1 (mulmx G) 1%:M = 1%:M) -> G *m G != 1%:M ->
    E *m (G - 1%:M) = 0 \/ (1%:M - E) *m (G - 1%:M) = 0.
Proof.
move=> EE EG small [k order] moved.
have EG1 : E *m (G - 1%:M) = (G - 1%:M) *m E by rewrite mulmxBl mulmxBr mul1mx mulmx1 EG.
have E'E' : (1%:M - E) *m (1%:M - E) = 1%:M - E by rewrite mulmxBr mulmx1 mulmxBl mul1mx EE subrr subr0.
have E'G : (1%:M - E) *m G = G *m (1%:M - E) by rewrite mulmxBl mulmxBr mul1mx mulmx1 EG.
have [|A0] := eqVneq (E *m (G - 1%:M)) 0; first by left.
have [|B0] := eqVneq ((1%:M - E) *m (G - 1%:M)) 0; first by right.
have sum := ranks_add EE EG1.
have square P : P *m P = P -> P *m G = G *m P -> (\rank (P *m (G - 1%:M)) <= 1)%N -> P *m (G *m G) = P.
  move=> PP PG one; have : part P G *m part P G = 1%:M.
    apply: (@rank_one_finite_order _ _ _ k); first by rewrite /part addrC addKr.
    by rewrite part_power // order /part subrr mulmx0 addr0.
  by rewrite part_product // /part => /(canRL (addKr _)); rewrite addNr mulmxBr mulmx1 => /eqP;
    rewrite subr_eq0 => /eqP.
have := square E EE EG; have := square (1%:M - E) E'E' E'G.
have a : (0 < \rank (E *m (G - 1%:M)))%N by rewrite lt0n mxrank_eq0.
have b : (0 < \rank ((1%:M - E) *m (G - 1%:M))%R)%N by rewrite lt0n mxrank_eq0.
move=> /(_ ltac:(lia)) e' /(_ ltac:(lia)) e.
case/negP: moved; apply/eqP; rewrite -[LHS]mul1mx -[1%:M in LHS](subrK E) mulmxDl e e'.
by rewrite subrK.
Qed.

End Linear.

(** ** At most two dimensions: anticommuting with an invertible matrix makes the square a number *)

Lemma trace_zero (F : realFieldType) k (A B : 'M[F]_k) : B \in unitmx -> A *m B = - (B *m A) -> \tr A = 0.
Proof.
move=> unit e; have : \tr A = - \tr A.
  by rewrite -{1}(mulmxK unit A) e mulNmx raddfN /= mxtrace_mulC mulKmx.
by move=> /eqP; rewrite -subr_eq0 opprK -mulr2n -mulr_natr mulf_eq0 pnatr_eq0 orbF => /eqP.
Qed.

Lemma square_is_a_number (F : realFieldType) k (A B : 'M[F]_k) : (k <= 2)%N -> B \in unitmx -> A *m B = - (B *m A) ->
  exists mu, A *m A = mu%:M.
Proof.
move=> small unit /(trace_zero unit); move: A {B unit}; case: k small => [|[|[|//]]] _ A.
- by exists 0; rewrite [LHS]thinmx0 [RHS]thinmx0.
- by exists ((A *m A) 0 0); apply: mx11_scalar.
rewrite /mxtrace !big_ord_recl big_ord0 addr0 => t.
exists (A 0 0 * A 0 0 + A 0 1 * A 1 0).
have one : lift (ord0 : 'I_2) (ord0 : 'I_1) = 1 by apply: val_inj.
rewrite one in t; have {}t : A 1 1 = - A 0 0 by apply/eqP; rewrite -addr_eq0 addrC t.
apply/matrixP=> i j; rewrite !mxE !big_ord_recl big_ord0 one addr0.
have : i = 0 \/ i = 1 by case: i => [[|[|//]] ?]; [left|right]; apply: val_inj.
have : j = 0 \/ j = 1 by case: j => [[|[|//]] ?]; [left|right]; apply: val_inj.
by case=> -> [] ->; rewrite -?[ord0]/(0 : 'I_2) ?t /=; ring.
Qed.

Section Planes.

Variables (F : realFieldType) (n : nat).
Implicit Types (C E G I J W X Z : 'M[F]_n) (v : 'rV[F]_n).

Lemma plane_square E G W : E *m E = E -> (\rank E <= 2)%N -> E *m G = G *m E -> E *m W = W *m E -> W \in unitmx ->
  E *m (G *m W) = - (E *m (W *m G)) -> exists mu, E *m (G *m G) = mu *: E.
Proof.
move=> EE small EG EW unit anti.
have [D free /andP[DleE EleD]] : exists2 D : 'M[F]_(\rank E, n), row_free D & (D == E)%MS.
  by exists (row_base E); [apply: row_base_free | apply/eqmxP; apply: eq_row_base].
have DE : D *m E = D by have /submxP[x e] := DleE; rewrite e -mulmxA EE.
have stable X : E *m X = X *m E -> (D *m X <= D)%MS.
  by move=> EX; apply: submx_trans EleD; rewrite -DE -mulmxA EX mulmxA; apply: submxMl.
have [A AE] : exists A : 'M[F]_n -> 'M[F]_(\rank E), forall X, E *m X = X *m E -> A X *m D = D *m X.
  by exists (fun X => D *m X *m pinvmx D) => X EX; apply: mulmxKpV; apply: stable.
have AA X Y : E *m X = X *m E -> E *m Y = Y *m E -> A X *m A Y *m D = D *m (X *m Y).
  by move=> EX EY; rewrite -mulmxA AE // mulmxA AE // mulmxA.
have cancel k (N N' : 'M_(k, \rank E)) : N *m D = N' *m D -> N = N'.
  by move=> e; apply: (row_free_inj free).
have [||mu e] := @square_is_a_number F (\rank E) (A G) (A W) small.
- rewrite -row_free_unit -kermx_eq0; apply/rowV0P => u /sub_kermxP uA.
  apply: cancel; rewrite mul0mx -[u *m D](mulmxK unit) -(mulmxA u) -(AE _ EW) mulmxA uA.
  by rewrite !mul0mx.
- by apply: cancel; rewrite mulNmx !AA // -{1}DE -!mulmxA anti mulmxN (mulmxA D) DE.
exists mu; have DGG : D *m (G *m G) = mu *: D.
  by rewrite -AA // e mul_scalar_mx.
by have /submxP[x ->] := EleD; rewrite -mulmxA DGG scalemxAr.
Qed.

Lemma number_of_finite_order E X mu k : E != 0 -> E *m X = mu *: E -> iter k.+1 (mulmx X) 1%:M = 1%:M ->
  mu = 1 \/ mu = -1.
Proof.
move=> E0 EX order.
have power j : E *m iter j (mulmx X) 1%:M = mu ^+ j *: E.
  elim: j => [|j IH]; first by rewrite mulmx1 expr0 scale1r.
  by rewrite iterS mulmxA EX -scalemxAl IH scalerA exprS.
have root : mu ^+ k.+1 = 1.
  have := power k.+1; rewrite order mulmx1 => /eqP.
  by rewrite -{1}[E]scale1r -subr_eq0 -scalerBl scaler_eq0 (negPf E0) orbF subr_eq0 => /eqP.
have norm : `|mu| = 1 by apply/eqP; rewrite -(@pexpr_eq1 _ _ k.+1) // -normrX root normr1.
by case: (lerP 0 mu) norm => sign e; [left; rewrite -e ger0_norm | right; rewrite -e ltr0_norm ?opprK].
Qed.

Lemma quaternion_rank I J Z : I *m I = Z -> J *m J = Z -> Z *m Z = 1%:M -> I *m J = Z *m (J *m I) -> Z != 1%:M ->
  (4 <= \rank (Z - 1%:M)%R)%N.
Proof.
move=> II JJ ZZ IJ Z1.
have ZI : Z *m I = I *m Z by rewrite -II mulmxA.
have ZJ : Z *m J = J *m Z by rewrite -JJ mulmxA.
have JI : J *m I = Z *m (I *m J) by rewrite IJ mulmxA ZZ mul1mx.
have two : (2%:R : F) != 0 by rewrite pnatr_eq0.
have /rowV0Pn[v vZ1 v0] : Z - 1%:M != 0 by rewrite subr_eq0.
have minus X : (v *m X <= Z - 1%:M)%MS -> v *m X *m Z = - (v *m X).
  by move=> /submxP[y ->]; rewrite -mulmxA mulmxBl mul1mx ZZ -opprB mulmxN.
have vZ : v *m Z = - v by have := minus 1%:M; rewrite mulmx1; apply.
pose e (i : 'I_4) := nth 0 [:: v; v *m I; v *m J; v *m (I *m J)] i.
have inside : (\matrix_i e i <= Z - 1%:M)%MS.
  have comm X : Z *m X = X *m Z -> (v *m X <= Z - 1%:M)%MS.
    move=> ZX; have /submxP[y ->] := vZ1; rewrite -mulmxA.
    have -> : (Z - 1%:M) *m X = X *m (Z - 1%:M) by rewrite mulmxBl mulmxBr mul1mx mulmx1 ZX.
    by rewrite mulmxA; apply: submxMl.
  apply/row_subP => i; rewrite rowK /e; case: i => [[|[|[|[|//]]]] ?] /=; rewrite ?comm //.
  by rewrite mulmxA ZI -!mulmxA ZJ.
have free : row_free (\matrix_i e i).
  rewrite -kermx_eq0; apply/rowV0P => u /sub_kermxP; rewrite mulmx_sum_row !big_ord_recl big_ord0 addr0 !rowK /e /=.
  set a := u 0 ord0; set b := u 0 (lift _ _); set c := u 0 (lift _ _); set d := u 0 (lift _ _).
  set p := v *m I; set q := v *m J; set r := v *m (I *m J) => e0.
  have pI : p *m I = - v by rewrite -mulmxA II.
  have qJ : q *m J = - v by rewrite -mulmxA JJ.
  have pJ : p *m J = r by rewrite -mulmxA.
  have qI : q *m I = - r by rewrite -mulmxA JI (mulmxA v Z) vZ mulNmx.
  have rJ : r *m J = - p by rewrite -!mulmxA JJ -ZI (mulmxA v Z) vZ mulNmx.
  have rI : r *m I = q by rewrite -!mulmxA JI (mulmxA I) -ZI -!mulmxA (mulmxA I) II !mulmxA -(mulmxA v) ZZ mulmx1.
  have eI : a *: p - b *: v - c *: r + d *: q = 0.
    have := congr1 (mulmx^~ I) e0; rewrite /= mul0mx !mulmxDl -!scalemxAl pI qI rI -/p !scalerN => <-.
    by rewrite !addrA.
  have eJ : a *: q + b *: r - c *: v - d *: p = 0.
    have := congr1 (mulmx^~ J) e0; rewrite /= mul0mx !mulmxDl -!scalemxAl pJ qJ rJ -/q !scalerN => <-.
    by rewrite !addrA.
  have eIJ : a *: r - b *: q + c *: p - d *: v = 0.
    have := congr1 (mulmx^~ J) eI; rewrite /= mul0mx !mulmxDl !mulNmx -!scalemxAl pJ qJ rJ -/q !scalerN opprK => <-.
    by [].
  clearbody p q r.
  have sum : a ^+ 2 + b ^+ 2 + c ^+ 2 + d ^+ 2 = 0.
    have /eqP : (a ^+ 2 + b ^+ 2 + c ^+ 2 + d ^+ 2) *: v = 0.
      apply/rowP => j; move: e0 eI eJ eIJ => /rowP/(_ j) + /rowP/(_ j) + /rowP/(_ j) + /rowP/(_ j).
      rewrite !mxE; move: (v 0 j) (p 0 j) (q 0 j) (r 0 j) => x y z t E0 E1 E2 E3.
      transitivity (a * (a * x + (b * y + (c * z + d * t))) - b * (a * y - b * x - c * t + d * z)
        - c * (a * z + b * t - c * x - d * y) - d * (a * t - b * z + c * y - d * x)); first by ring.
      by rewrite E0 E1 E2 E3 !mulr0 !subr0.
    by rewrite scaler_eq0 (negPf v0) orbF => /eqP.
  move: sum => /eqP; rewrite !paddr_eq0 ?addr_ge0 ?sqr_ge0 // !sqrf_eq0 -!andbA => /and4P[/eqP a0 /eqP b0 /eqP c0
    /eqP d0].
  apply/rowP => i; rewrite mxE; case: i => [[|[|[|[|//]]]] im].
  - by rewrite -a0; congr (u 0 _); apply: val_inj.
  - by rewrite -b0; congr (u 0 _); apply: val_inj.
  - by rewrite -c0; congr (u 0 _); apply: val_inj.
  by rewrite -d0; congr (u 0 _); apply: val_inj.
by move: free => /eqP <-; apply: mxrankS.
Qed.

End Planes.

(** * S_4 by (0 1), (1 2) and (0 1)(2 3): one factor in a cover, the group of the cube; two without

    New, beside grazzi25, Theorem 3: new.automata.fewest-reflections.

    - [letters]: the three letters; [p0] to [p3]: the four points;
    - [diagonal k]: the diagonals of the cube; [mirror x]: a reflection of the cube for each letter. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import zify.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import householder covers permutation one_factor planes lifts group_covers.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** The letters (0 1), (1 2) and (0 1)(2 3). *)
Definition point k (small : (k < 4)%N) : 'I_4 := Ordinal small.
Notation p0 := (@point 0 isT).
Notation p1 := (@point 1 isT).
Notation p2 := (@point 2 isT).
Notation p3 := (@point 3 isT).
Definition letters (x : 'I_3) : 'S_4 := nth 1%g [:: tperm p0 p1; tperm p1 p2; (tperm p0 p1 * tperm p2 p3)%g] x.

Section Four.

Variable F : realFieldType.

Lemma swap_conj : (tperm p0 p1 ^ (tperm p0 p2 * tperm p1 p3))%g = tperm p2 p3.
Proof. by rewrite tpermJ !permM tpermL (@tpermD _ p0 p2 p1) // tpermL tpermD. Qed.

Lemma tperm_moves (a b : 'I_4) : a != b -> tperm a b != 1%g.
Proof. by move=> ab; apply: contraNneq ab => /permP/(_ a); rewrite tpermL perm1 => ->. Qed.

Lemma four_alone_needs_two r : enough_in_itself F letters r -> (2 <= r)%N.
Proof.
move=> [n [rho [rho_faithful small]]]; rewrite leqNgt; apply/negP; rewrite ltnS => r1.
have [rho1 rhoM rho_inj] := rho_faithful.
have {}small x : (\rank (rho (letters x) - 1%:M)%R <= 1)%N by rewrite -rank_swap; exact: leq_trans (small x) r1.
pose t := tperm p0 p1; pose s := tperm p2 p3.
have small_t : (\rank (rho t - 1%:M)%R <= 1)%N := small (@Ordinal 3 0 isT).
have small_s : (\rank (rho s - 1%:M)%R <= 1)%N by rewrite /s -swap_conj (rank_conj rho_faithful).
have small_ts : (\rank (rho (t * s)%g - 1%:M)%R <= 1)%N := small (@Ordinal 3 2 isT).
have reflect (g : 'S_4) : (g * g)%g = 1%g -> g != 1%g -> (\rank (rho g - 1%:M)%R <= 1)%N -> \det (rho g) = -1.
  by move=> gg g1 one; apply: reflection_det; rewrite ?one // -?rhoM ?gg // -rho1 (inj_eq rho_inj).
have comm : (t * s)%g = (s * t)%g.
  by rewrite conjgC tpermJ !tpermD.
have tt : (t * t)%g = 1%g := tperm2 _ _.
have ss : (s * s)%g = 1%g := tperm2 _ _.
have : \det (rho (t * s)%g) = -1.
  apply: reflect => //; first by rewrite {2}comm mulgA -(mulgA t) ss mulg1.
  by apply/eqP => /permP/(_ p0); rewrite permM tpermL tpermD // perm1 => /eqP.
rewrite rhoM det_mulmx !reflect ?tperm_moves // mulrNN mulr1 => /eqP.
by rewrite -subr_eq0 opprK -mulr2n pnatr_eq0.
Qed.

Lemma four_alone_takes_two : enough_in_itself F letters 2.
Proof.
exists 4%N, (fun s : 'S_4 => perm_mx s : 'M[F]_4); split.
  split=> [|s t|s t e]; rewrite ?perm_mx1 ?perm_mxM //.
  apply/permP => a; have /matrixP/(_ a (s a)) := e; rewrite !mxE eqxx.
  by case: eqP => [-> //|_ /eqP]; rewrite oner_eq0.
have swap (a b : 'I_4) : (\rank (perm_mx (tperm a b) - 1%:M : 'M[F]_4)%R <= 1)%N.
  have [->|ab] := eqVneq a b; first by rewrite tperm1 perm_mx1 subrr mxrank0.
  by rewrite -/(tperm_mx a b) swap_is_a_reflection // gh_rank.
move=> x; rewrite rank_swap; case: x => [[|[|[|//]]] xm] /=; rewrite /letters /=.
- by apply: leq_trans (swap _ _) _.
- by apply: leq_trans (swap _ _) _.
rewrite perm_mxM.
have -> : perm_mx (tperm p0 p1) *m perm_mx (tperm p2 p3) - 1%:M =
  (perm_mx (tperm p0 p1) - 1%:M) *m perm_mx (tperm p2 p3) + (perm_mx (tperm p2 p3) - 1%:M) :> 'M[F]_4.
  by rewrite mulmxBl mul1mx addrA subrK.
apply: leq_trans (mxrank_add _ _) _; apply: (@leq_add _ _ 1 1); last exact: swap.
by apply: leq_trans (mxrankM_maxl _ _) (swap _ _).
Qed.

End Four.

Section Cube.

Variable F : realFieldType.

(** The four diagonals of the cube, and a reflection for each letter. *)
Definition vector (a b c : F) : 'cV[F]_3 := \col_i nth 0 [:: a; b; c] i.
Definition diagonal (k : 'I_4) : 'cV[F]_3 := nth 0 [:: vector 1 1 1; vector (-1) 1 1; vector 1 (-1) 1;
  vector 1 1 (-1)] k.
Definition mirror (x : 'I_3) : 'M[F]_3 :=
  nth 1%:M [:: gh (vector 0 1 1) 1; gh (vector 1 (-1) 0) 1; gh (vector 1 0 0) 2%:R] x.

Lemma gh_vector a b c r x y z : gh (vector a b c) r *m vector x y z =
  vector (x - r * (a * x + b * y + c * z) * a) (y - r * (a * x + b * y + c * z) * b) (z - r * (a * x + b * y + c *
    z) * c).
Proof.
rewrite /gh mulmxBl mul1mx -scalemxAl -mulmxA [_^T *m _]mx11_scalar mul_mx_scalar scalerA.
have -> : ((vector a b c)^T *m vector x y z) 0 0 = a * x + b * y + c * z.
  by rewrite !mxE !big_ord_recl big_ord0 !mxE /= addr0 addrA.
by apply/matrixP => [[[|[|[|//]]] ?] ?]; rewrite !mxE.
Qed.

Lemma vector_sign (s : bool) a b c : (-1) ^+ s *: vector a b c =
  vector ((-1) ^+ s * a) ((-1) ^+ s * b) ((-1) ^+ s * c).
Proof. by apply/matrixP => [[[|[|[|//]]] ?] ?]; rewrite !mxE. Qed.

Lemma points (k : 'I_4) : [\/ k = p0, k = p1, k = p2 | k = p3].
Proof.
case: k => [[|[|[|[|//]]]] ?]; [constructor 1|constructor 2|constructor 3|constructor 4]; exact: val_inj.
Qed.

Lemma mirror_diagonal x k : exists s : bool, mirror x *m diagonal k = (-1) ^+ s *: diagonal (letters x k).
Proof.
have flat (s : bool) a b c x' y' z' : (-1) ^+ s * a = x' -> (-1) ^+ s * b = y' -> (-1) ^+ s * c = z' ->
  vector x' y' z' = (-1) ^+ (s : bool) *: vector a b c by move=> <- <- <-; rewrite vector_sign.
case: x => [[|[|[|//]]] ?]; case: (points k) => ->; rewrite /mirror /letters /diagonal /= ?permM !permE /= gh_vector;
  by [exists false; apply: flat; rewrite expr0; ring | exists true; apply: flat; rewrite expr1; ring].
Qed.

Lemma letters2 x : ((letters x)^-1 = letters x)%g.
Proof.
case: x => [[|[|[|//]]] ?]; rewrite /letters /= ?tpermV // invMg !tpermV.
by rewrite conjgC tpermJ !tpermD.
Qed.

Lemma product_diagonal w k : exists s : bool,
  product mirror w *m diagonal k = (-1) ^+ s *: diagonal ((value letters w)^-1%g k).
Proof.
elim/last_ind: w => [|w x [s IH]].
  by exists false; rewrite /product /affine.transitions /value /= mul1mx invg1 perm1 expr0 scale1r.
have [s' e] := mirror_diagonal x ((value letters w)^-1%g k).
exists (s (+) s'); rewrite product_rcons -mulmxA IH -scalemxAr e scalerA -signr_addb.
by rewrite value_rcons invMg letters2 permM.
Qed.

Lemma diagonal_inj (s s' : bool) k k' : (-1) ^+ s *: diagonal k = (-1) ^+ s' *: diagonal k' -> k = k'.
Proof.
have square (t : bool) a b c i j : ((-1) ^+ t *: vector a b c) i 0 * ((-1) ^+ t *: vector a b c) j 0 =
  vector a b c i 0 * vector a b c j 0.
  by rewrite !mxE mulrACA -expr2 sqrr_sign mul1r.
have no : (1 : F) <> -1 by move=> /eqP; rewrite -subr_eq0 opprK -mulr2n pnatr_eq0.
pose z := @Ordinal 3 0 isT; pose y := @Ordinal 3 1 isT; pose t := @Ordinal 3 2 isT.
move=> e; have a : ((-1) ^+ s *: diagonal k) z 0 * ((-1) ^+ s *: diagonal k) y 0 =
  ((-1) ^+ s' *: diagonal k') z 0 * ((-1) ^+ s' *: diagonal k') y 0 by rewrite e.
have b : ((-1) ^+ s *: diagonal k) z 0 * ((-1) ^+ s *: diagonal k) t 0 =
  ((-1) ^+ s' *: diagonal k') z 0 * ((-1) ^+ s' *: diagonal k') t 0 by rewrite e.
move: a b {e}; case: (points k) => ->; case: (points k') => -> //; rewrite /diagonal /= !square !mxE /=;
  rewrite ?mulr1 ?mul1r => a b; by [case: no | case: (no (esym a)) | case: (no (esym b))].
Qed.

(** An entry of a product is half a difference of two signed diagonals. *)
Let entry (f : {ffun 'I_4 -> bool * 'I_4}) : 'M[F]_3 := \matrix_(i, j)
  (2%:R^-1 * (((-1) ^+ (f ord0).1 *: diagonal (f ord0).2) i 0 - ((-1) ^+ (f (lift ord0 j)).1 *: diagonal (f (lift
    ord0 j)).2) i 0)).

Lemma half_difference (j : 'I_3) : delta_mx j 0 = 2%:R^-1 *: (diagonal ord0 - diagonal (lift ord0 j)) :> 'cV[F]_3.
Proof.
have two : (2%:R : F) != 0 by rewrite pnatr_eq0.
have half : 1 = 2%:R^-1 * (1 - -1) :> F by rewrite opprK mulVf.
case: j => [[|[|[|//]]] ?]; apply/matrixP => [[[|[|[|//]]] ?] [[|//] ?]]; rewrite !mxE /= ?mxE /=;
  by rewrite ?subrr ?mulr0 -?half.
Qed.

Lemma product_entry w : exists f, product mirror w = entry f.
Proof.
have /fin_all_exists[s sE] := product_diagonal w.
exists [ffun k => (s k, (value letters w)^-1%g k)]; apply/matrixP => i j.
have -> : product mirror w i j = (product mirror w *m delta_mx j (0 : 'I_1)) i 0 by rewrite -colE [RHS]mxE.
rewrite half_difference -scalemxAr mulmxBr !sE /entry [RHS]mxE !ffunE /=.
by rewrite [LHS]mxE; congr (_ * _); rewrite [LHS]mxE [X in _ + X = _]mxE.
Qed.

Lemma letters_generate : <<[set letters x | x : 'I_3]>>%g = [set: 'S_4].
Proof.
set G := <<_>>%g; have inG x : letters x \in G by apply: mem_gen; apply: imset_f.
have t01 : tperm p0 p1 \in G := inG (@Ordinal 3 0 isT).
have t12 : tperm p1 p2 \in G := inG (@Ordinal 3 1 isT).
have t23 : tperm p2 p3 \in G.
  by have := groupM t01 (inG (@Ordinal 3 2 isT)); rewrite /letters /= mulgA tperm2 mul1g.
have t02 : tperm p0 p2 \in G by have := groupJ t01 t12; rewrite tpermJ tpermL tpermD.
have t13 : tperm p1 p3 \in G by have := groupJ t12 t23; rewrite tpermJ tpermL tpermD.
have t03 : tperm p0 p3 \in G by have := groupJ t02 t23; rewrite tpermJ tpermL tpermD.
apply/eqP; rewrite eqEsubset subsetT; apply/subsetP => s _; have [ts -> _] := prod_tpermP s.
elim/big_rec: _ => [|[a b] g _ gG]; first exact: group1.
apply: groupM => //=; case: (points a) => ->; case: (points b) => -> //; rewrite ?tperm1 ?group1 //;
  by rewrite tpermC.
Qed.

Lemma mirror_mirror x : mirror x *m mirror x = 1%:M.
Proof.
have twice a b c : mirror x *m (mirror x *m vector a b c) = vector a b c.
  by case: x => [[|[|[|//]]] ?]; rewrite /mirror /= !gh_vector; congr vector; ring.
have twice' k : mirror x *m (mirror x *m diagonal k) = diagonal k by case: (points k) => ->; apply: twice.
apply/matrixP => i j; have -> : (mirror x *m mirror x) i j = (mirror x *m (mirror x *m delta_mx j (0 : 'I_1))) i 0.
  by rewrite mulmxA -colE [RHS]mxE.
by rewrite half_difference -!scalemxAr !mulmxBr !twice' -half_difference !mxE eqxx andbT.
Qed.

Lemma four_takes_one : enough_in_a_cover F letters 1.
Proof.
apply: (@matrices_cover F _ _ _ _ mirror [seq entry f | f <- enum [finType of {ffun 'I_4 ->
  bool * 'I_4}]]) letters_generate _ _.
- by move=> x; have /mulmx1_unit[] := mirror_mirror x.
- by move=> w; have [f ->] := product_entry w; rewrite map_f // mem_enum.
- move=> w w' e; apply: invg_inj; apply/permP => k.
  have [s sE] := product_diagonal w k; have [s' sE'] := product_diagonal w' k.
  by apply: (@diagonal_inj s s'); rewrite -sE -sE' e.
by case=> [[|[|[|//]]] ?]; apply: gh_rank.
Qed.

End Cube.


Theorem four_letters (R : rcfType) :
  (forall r, enough_in_a_layer R letters r <-> (1 <= r)%N) /\ (forall r, enough_in_itself R letters r <-> (2 <= r)%N).
Proof.
split=> r; split.
- move=> /(fewest_factors _ _ letters_generate)[cT [down [lift [n [rho [[downM _ lifts _ [rho1 _ rho_inj]]
    small]]]]]].
  rewrite lt0n; apply/negP => /eqP r0; have := small (@Ordinal 3 0 isT);
    rewrite r0 leqn0 mxrank_eq0 subr_eq0 -rho1 => /eqP.
  move=> /rho_inj e; have := tperm_moves (isT : p0 != p1);
    rewrite -[tperm _ _]/(letters (@Ordinal 3 0 isT)) -lifts -e.
  by move/eqP; apply; apply: (mulgI (down 1%g)); rewrite -downM !mulg1.
- move=> r1; apply/(fewest_factors _ _ letters_generate).
  have [cT [down [lift [n [rho [c small]]]]]] := four_takes_one R.
  by exists cT, down, lift, n, rho; split=> // x; apply: leq_trans (small x) r1.
- exact: four_alone_needs_two.
move=> r2; have [n [rho [f small]]] := four_alone_takes_two R.
by exists n, rho; split=> // x; apply: leq_trans (small x) r2.
Qed.

(** The group's own representations are not enough: some layer has fewer factors than any of them. *)
Theorem not_the_group_itself_is_enough (R : rcfType) :
  ~ (forall (X : finType) (gT : finGroupType) (el : X -> gT) r, enough_in_a_layer R el r -> enough_in_itself R el r).
Proof.
move=> itself; have [layer own] := four_letters R.
by have /own := itself _ _ letters 1%N ((layer 1%N).2 isT).
Qed.

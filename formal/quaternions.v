(** * The quaternion group, all elements as letters: three factors in a cover, four without

    New, beside grazzi25, Theorem 3: new.automata.fewest-reflections.

    - [quaternion]: the group of order 8, (s, p, q) for (-1)^s i^p j^q; [qi], [qj], [minus]: i, j and -1;
    - [signed I J s p q]: (-1)^s I^p J^q;
    - [times16], [down16]: the group of order 16 with a^4 = b^4 = 1 and b a b^-1 = a^-1, and its map onto this one;
    - [planes]: its representation, by [first] and [second] plane; [axis p]: a unit vector;
    - [turn], [flip], [left_i], [left_j]: a quarter turn, a mirror, the quaternions i and j from the left. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra pgroup sylow.
From mathcomp Require Import zify.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import covers one_factor planes lifts group_covers.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** The quaternion group: (s, p, q) is (-1)^s i^p j^q *)

Definition quaternion := (bool * bool * bool)%type.
Canonical quaternion_eqType := Eval hnf in [eqType of quaternion].
Canonical quaternion_choiceType := Eval hnf in [choiceType of quaternion].
Canonical quaternion_countType := Eval hnf in [countType of quaternion].
Canonical quaternion_finType := Eval hnf in [finType of quaternion].

Definition times (x y : quaternion) : quaternion :=
  let: (s, p, q) := x in let: (s', p', q') := y in
  (s (+) s' (+) (q && p') (+) (p && p') (+) (q && q'), p (+) p', q (+) q').
Definition one : quaternion := (false, false, false).
Definition inverse (x : quaternion) : quaternion := let: (s, p, q) := x in (s (+) (p || q), p, q).

Lemma timesA : associative times.
Proof. by do 3![case=> [[[] []] []]]. Qed.
Lemma times1 : left_id one times.
Proof. by case=> [[[] []] []]. Qed.
Lemma timesV : left_inverse one inverse times.
Proof. by case=> [[[] []] []]. Qed.

Canonical quaternion_base := Eval hnf in BaseFinGroupType quaternion (FinGroup.Mixin timesA times1 timesV).
Canonical quaternion_group := @FinGroupType quaternion_base timesV.

Definition minus : quaternion := (true, false, false).
Definition qi : quaternion := (false, true, false).
Definition qj : quaternion := (false, false, true).

Example minus_one : [/\ (qi * qi)%g = minus, (qj * qj)%g = minus & (qj * qi)%g = (minus * (qi * qj))%g].
Proof. by []. Qed.

Lemma all_quaternions : <<[set x | x : quaternion]>>%g = [set: quaternion].
Proof. by apply/eqP; rewrite eqEsubset subsetT; apply/subsetP => x _; apply: mem_gen; apply/imsetP; exists x. Qed.

(** ** The quaternion group: a lower bound *)

Section Quaternions.

Variable F : realFieldType.

Lemma two_elements (cT : finGroupType) (down : cT -> quaternion) n (rho : cT -> 'M[F]_n) (P : {group cT}) g :
  {morph down : x y / (x * y)%g} -> faithful rho -> (2.-Sylow([set: cT]) P)%g -> (\rank (rho g - 1%:M)%R <= 2)%N ->
  exists h a, [/\ h \in P, down h = (down g ^ a)%g & (\rank (rho h - 1%:M)%R <= 2)%N].
Proof.
move=> downM rho_faithful sylow small.
have downM' : {in [set: cT] &, {morph down : x y / (x * y)%g}} by move=> x y _ _; apply: downM.
pose f := Morphism downM'.
pose x := (g.`_2)%g.
have ex : down x = down g.
  rewrite -[LHS]/(f x) /x morph_constt ?inE // constt_p_elt //.
  have eight : (2.-group [set: quaternion])%g by rewrite /pgroup cardsT !card_prod !card_bool.
  exact: (mem_p_elt eight (in_setT _)).
have two : (2.-group <[x]>)%g by apply: p_elt_constt.
have [b _ bP] := Sylow_Jsub sylow (subsetT _) two.
exists (x ^ b)%g, (down b); split.
- by apply: (subsetP bP); rewrite memJ_conjg cycle_id.
- have downV y : down y^-1%g = (down y)^-1%g by apply: (morphV f); rewrite inE.
  by rewrite !conjgE !downM downV ex.
by rewrite (rank_conj rho_faithful); apply: leq_trans (rank_power rho_faithful _ _) small.
Qed.

Lemma two_do_not_suffice (cT : finGroupType) (down : cT -> quaternion) n (rho : cT -> 'M[F]_n) g h :
  {morph down : x y / (x * y)%g} -> faithful rho -> down g = qi -> down h = qj ->
  (\rank (rho g - 1%:M)%R <= 2)%N -> (\rank (rho h - 1%:M)%R <= 2)%N -> False.
Proof.
move=> downM rho_faithful eg eh small_g small_h.
have [P sylow] := Sylow_exists 2 [set: cT].
have [x [a [xP ex small_x]]] := two_elements downM rho_faithful sylow small_g.
have [y [b [yP ey small_y]]] := two_elements downM rho_faithful sylow small_h.
have down1 : down 1%g = 1%g by apply: (mulgI (down 1%g)); rewrite -downM !mulg1.
have downV z : down z^-1%g = (down z)^-1%g by apply: (mulgI (down z)); rewrite -downM !mulgV down1.
have squares : down (x * x)%g = minus /\ down (y * y)%g = minus.
  by rewrite !downM ex ey eg eh; move: a b {ex ey} => [[[] []] []] [[[] []] []].
have moved z : down (z * z)%g = minus -> (z * z)%g != 1%g by move=> e; apply: contra_eqN e => /eqP ->; rewrite down1.
have [ex2 ey2] := squares.
have [e|[w [z [zxy ww wz]]]] := lifts_commute rho_faithful (pHall_pgroup sylow) xP yP small_x small_y (moved _ ex2)
  (moved _ ey2).
  have := congr1 down e; rewrite !downM ex ey eg eh.
  by move: a b {ex ey} => [[[] []] []] [[[] []] []].
have := congr1 down wz; have -> : down (z * z)%g = minus by case: zxy => ->.
have : (down w * down w)%g = 1%g by rewrite -downM ww down1.
rewrite /commg /conjg !downM !downV; move: (down w) (down z) => [[[] []] []] [[[] []] []] //.
Qed.

Lemma quaternions_need_three r : enough_in_a_cover F (fun x : quaternion => x) r -> (3 <= r)%N.
Proof.
move=> [cT [down [lift [n [rho [[downM _ lifts _ rho_faithful] small]]]]]].
rewrite leqNgt; apply/negP; rewrite ltnS => r2.
apply: (two_do_not_suffice downM rho_faithful (lifts qi) (lifts qj)); rewrite -rank_swap;
  exact: leq_trans (small _) r2.
Qed.

Lemma quaternions_alone_need_four r : enough_in_itself F (fun x : quaternion => x) r -> (4 <= r)%N.
Proof.
move=> [n [rho [[rho1 rhoM rho_inj] small]]].
apply: leq_trans (small minus); rewrite rank_swap; apply: (@quaternion_rank _ _ (rho qi) (rho qj)); rewrite -?rhoM //.
by rewrite -rho1 (inj_eq rho_inj).
Qed.

End Quaternions.

(** ** Two matrices that anticommute *)

Section Anticommuting.

Variables (A : ringType) (I J : A) (e : bool).
Hypotheses (II : I * I = -1) (JJ : J * J = (-1) ^+ e) (JI : J * I = - (I * J)).

Definition signed s p q : A := (-1) ^+ s * (I ^+ p * J ^+ q).

Lemma sign_out (x : A) (b : bool) (y : A) : x * ((-1) ^+ b * y) = (-1) ^+ b * (x * y).
Proof. by rewrite mulrA (commr_sign x b) mulrA. Qed.

Lemma signedM (s p q s' p' q' : bool) : signed s p q * signed s' p' q' =
  signed (s (+) s' (+) (q && p') (+) (p && p') (+) [&& e, q & q']) (p (+) p') (q (+) q').
Proof.
have JqI : J ^+ q * I ^+ p' = (-1) ^+ (q && p') * (I ^+ p' * J ^+ q).
  by case: (q) (p') => [] []; rewrite ?expr0 ?expr1 ?mul1r ?mulr1 //= mulN1r JI.
have II' : I ^+ p * I ^+ p' = (-1) ^+ (p && p') * I ^+ (p (+) p').
  by case: (p) (p') => [] []; rewrite ?expr0 ?expr1 ?mul1r ?mulr1.
have JJ' : J ^+ q * J ^+ q' = (-1) ^+ [&& e, q & q'] * J ^+ (q (+) q').
  by case: (q) (q') => [] []; rewrite ?andbT ?andbF ?expr0 ?expr1 ?mul1r ?mulr1.
rewrite /signed -[LHS]mulrA (sign_out _ s') !signr_addb -!mulrA; congr (_ * (_ * _)).
rewrite (mulrA (J ^+ q)) JqI -!mulrA (sign_out (I ^+ p)); congr (_ * _).
by rewrite JJ' (mulrA (I ^+ p)) II' -mulrA (sign_out (I ^+ (p (+) p'))).
Qed.

End Anticommuting.

(** ** Upper bounds for the quaternion group *)

Section Upper.

Variable F : realFieldType.

Definition turn : 'M[F]_(1 + 1) := block_mx (0 : 'M_1) (- 1%:M) 1%:M 0.
Definition flip : 'M[F]_(1 + 1) := block_mx (1%:M : 'M_1) 0 0 (- 1%:M).

Lemma turn_turn : turn *m turn = - 1%:M.
Proof.
rewrite /turn mulmx_block !(mulmx0, mul0mx, addr0, add0r) mulmxN mulNmx !mulmx1.
by rewrite -[0 : 'M_1]oppr0 -opp_block_mx -scalar_mx_block.
Qed.

Lemma flip_flip : flip *m flip = 1%:M.
Proof.
rewrite /flip mulmx_block !(mulmx0, mul0mx, addr0, add0r) mulmxN mulNmx opprK !mulmx1.
by rewrite -scalar_mx_block.
Qed.

Lemma flip_turn : flip *m turn = - (turn *m flip).
Proof.
rewrite /flip /turn !mulmx_block !(mulmx0, mul0mx, addr0, add0r, mulmx1, mul1mx, mulmxN, mulNmx, opprK).
by rewrite opp_block_mx !oppr0 ?opprK.
Qed.

Definition left_i : 'M[F]_(2 + 2) := block_mx turn 0 0 (- turn).
Definition left_j : 'M[F]_(2 + 2) := block_mx 0 (- 1%:M) 1%:M 0.

Lemma left_ii : left_i *m left_i = - 1%:M.
Proof.
rewrite /left_i mulmx_block !(mulmx0, mul0mx, addr0, add0r) mulmxN mulNmx opprK turn_turn.
by rewrite -[0 : 'M_2]oppr0 -opp_block_mx -scalar_mx_block.
Qed.

Lemma left_jj : left_j *m left_j = - 1%:M.
Proof.
rewrite /left_j mulmx_block !(mulmx0, mul0mx, addr0, add0r) mulmxN mulNmx !mulmx1.
by rewrite -[0 : 'M_2]oppr0 -opp_block_mx -scalar_mx_block.
Qed.

Lemma left_ji : left_j *m left_i = - (left_i *m left_j).
Proof.
rewrite /left_i /left_j !mulmx_block !(mulmx0, mul0mx, addr0, add0r, mulmx1, mul1mx, mulmxN, mulNmx, opprK).
by rewrite opp_block_mx !oppr0 ?opprK.
Qed.

Lemma quaternions_alone_take_four : enough_in_itself F (fun x : quaternion => x) 4.
Proof.
pose rho (x : quaternion) : 'M[F]_4 := let: (s, p, q) := x in signed left_i left_j s p q.
have rho1 : rho 1%g = 1%:M by rewrite /rho /signed /= !expr0 !mulr1.
have rhoM g h : rho (g * h)%g = rho g *m rho h.
  by case: g h => [[s p] q] [[s' p'] q'];
    rewrite -[RHS]/(rho _ * rho _) /rho (signedM (e := true) left_ii left_jj left_ji).
exists 4%N, rho; split=> [|x]; last exact: rank_leq_row.
split=> // g h same; apply/eqP; rewrite eq_mulgV1; apply/eqP.
have : rho (g * h^-1)%g = 1%:M by rewrite rhoM same -rhoM mulgV rho1.
move: (g * h^-1)%g => x e.
have minus1 : rho minus <> 1%:M.
  rewrite /rho /signed /= expr1 !expr0 !mulr1 -[LHS]/(- 1%:M : 'M[F]_4) => /matrixP/(_ 0 0);
    rewrite !mxE eqxx => /eqP.
  by rewrite -subr_eq0 -opprD oppr_eq0 -mulr2n pnatr_eq0.
have [//|xx|xx] : [\/ x = 1%g, x = minus | (x * x)%g = minus].
- by move: x {e} => [[[] []] []]; [constructor 3|constructor 3|constructor 3|constructor 2|constructor 3|constructor
    3|constructor 3|constructor 1].
- by case: minus1; rewrite -xx.
by case: minus1; rewrite -xx rhoM e mulmx1.
Qed.

End Upper.

(** (s, u, p, q) is a^(2 s + p) b^(2 u + q) in the group of order 16 with a^4 = b^4 = 1, b a b^-1 = a^-1. *)
Section Cover.

Variable F : realFieldType.

Let sixteen := (bool * bool * bool * bool)%type.

Definition times16 (x y : sixteen) : sixteen :=
  let: (s, u, p, q) := x in let: (s', u', p', q') := y in
  (s (+) s' (+) (q && p') (+) (p && p'), u (+) u' (+) (q && q'), p (+) p', q (+) q').

Definition down16 (x : sixteen) : quaternion := let: (s, u, p, q) := x in (s (+) u, p, q).

Lemma down16M x y : down16 (times16 x y) = (down16 x * down16 y)%g.
Proof. by case: x => [[[[] []] []] []]; case: y => [[[[] []] []] []]. Qed.

(** a turns the first plane, b reflects it and turns the second. *)
Definition first (x : sixteen) : 'M[F]_2 := let: (s, u, p, q) := x in signed (turn F) (flip F) s p q.
Definition second (x : sixteen) : 'M[F]_2 := let: (s, u, p, q) := x in signed 1 (turn F) u false q.
Definition planes (x : sixteen) : 'M[F]_(2 + 2) := block_mx (first x) 0 0 (second x).

Lemma firstM x y : first (times16 x y) = first x *m first y.
Proof.
case: x y => [[[s u] p] q] [[[s' u'] p'] q']; rewrite -[RHS]/(first _ * first _).
by rewrite /first (signedM (e := false) (turn_turn F) (flip_flip F) (flip_turn F)) addbF.
Qed.

Lemma secondM x y : second (times16 x y) = second x *m second y.
Proof.
case: x y => [[[s u] p] q] [[[s' u'] p'] q']; rewrite -[RHS]/(second _ * second _) /second /= /signed !expr0 !mul1r.
rewrite -mulrA (sign_out _ u') !signr_addb -!mulrA; congr (_ * (_ * _)).
have tt : turn F * turn F = -1 := turn_turn F.
by case: (q) (q') => [] []; rewrite ?expr0 ?expr1 ?mul1r ?mulr1 // mulN1r tt.
Qed.

Lemma planesM x y : planes (times16 x y) = planes x *m planes y.
Proof. by rewrite /planes mulmx_block !mulmx0 !mul0mx !addr0 !add0r firstM secondM. Qed.

Definition axis (p : bool) : 'cV[F]_(1 + 1) := col_mx ((~~ p)%:R%:M) (p%:R%:M).

Lemma axis_inj (s p s' p' : bool) : (-1) ^+ s *: axis p = (-1) ^+ s' *: axis p' -> s = s' /\ p = p'.
Proof.
rewrite /axis !scale_col_mx => /eq_col_mx[/matrixP/(_ 0 0) + /matrixP/(_ 0 0)]; rewrite !mxE eqxx !mulr1n.
case: p p' => [] []; rewrite ?mulr0 ?mulr1.
- by move=> _ /signr_inj.
- by move=> /esym/eqP; rewrite signr_eq0.
- by move=> /eqP; rewrite signr_eq0.
by move=> /signr_inj.
Qed.

Lemma turn_axis (p : bool) : turn F ^+ p *m axis false = axis p.
Proof.
case: p; last by rewrite expr0 -[1 *m _]/(1%:M *m _) mul1mx.
by rewrite expr1 /turn /axis (@mul_block_col _ 1 1 1 1 1) !mul0mx mulNmx !mul1mx add0r addr0 /= -raddfN /= oppr0.
Qed.

Lemma flip_axis (q : bool) : flip F ^+ q *m axis false = axis false.
Proof.
case: q; last by rewrite expr0 -[1 *m _]/(1%:M *m _) mul1mx.
by rewrite expr1 /flip /axis (@mul_block_col _ 1 1 1 1 1) !mul0mx mulNmx !mul1mx add0r addr0 /= -raddfN /= oppr0.
Qed.

Lemma sign_mulmx (s : bool) (A : 'M[F]_2) (v : 'cV[F]_2) : ((-1) ^+ s * A) *m v = (-1) ^+ s *: (A *m v).
Proof.
case: s; last by rewrite expr0 mul1r expr0 scale1r.
by rewrite !expr1 mulN1r mulNmx scaleN1r.
Qed.

Lemma first_axis s u p q : first (s, u, p, q) *m axis false = (-1) ^+ s *: axis p.
Proof. by rewrite /first /signed sign_mulmx -[turn F ^+ p * _]/(turn F ^+ p *m _) -mulmxA flip_axis turn_axis. Qed.

Lemma second_axis s u p q : second (s, u, p, q) *m axis false = (-1) ^+ u *: axis q.
Proof. by rewrite /second /signed sign_mulmx expr0 mul1r turn_axis. Qed.

Lemma planes_inj x y : planes x = planes y -> x = y.
Proof.
move=> /eq_block_mx[e _ _ e'].
have : first x *m axis false = first y *m axis false by rewrite e.
have : second x *m axis false = second y *m axis false by rewrite e'.
case: x y {e e'} => [[[s u] p] q] [[[s' u'] p'] q'].
by rewrite !first_axis !second_axis => /axis_inj[-> ->] /axis_inj[-> ->].
Qed.

Lemma planes_rank s p q : (\rank (planes (s, false, p, q) - 1%:M)%R <= 3)%N.
Proof.
have -> : planes (s, false, p, q) - 1%:M =
  block_mx (first (s, false, p, q) - 1%:M) 0 0 (second (s, false, p, q) - 1%:M).
  by rewrite /planes (scalar_mx_block 2 2) opp_block_mx add_block_mx !subr0.
rewrite rank_diag_block_mx; case: q; last first.
  have -> : second (s, false, p, false) = 1%:M by rewrite /second /signed !expr0 !mulr1.
  by rewrite subrr mxrank0 addn0; apply: leq_trans (rank_leq_row _) _.
apply: (@leq_add _ _ 1 2); last exact: rank_leq_row.
set x := (s, false, p, true); rewrite leqNgt; apply/negP => full.
have unit : first x - 1%:M \in unitmx by rewrite -row_full_unit -col_leq_rank.
have square : first x *m first x = 1%:M.
  by rewrite -firstM /x /=; case: (s) (p) => [] []; rewrite /first /signed /= !expr0 !mulr1.
have minus1 : first x = - 1%:M.
  apply/eqP; rewrite -addr_eq0; apply/eqP; rewrite -(mulKmx unit (first x + 1%:M)).
  by rewrite mulmxDr mulmx1 mulmxBl mul1mx square addrA subrK subrr mulmx0.
pose y : sixteen := (false, false, true, false).
have : first (times16 x y) *m axis false = first (times16 y x) *m axis false.
  by rewrite !firstM minus1 mulNmx mulmxN mul1mx mulmx1.
by rewrite /times16 /x /y !first_axis => /axis_inj[]; case: (s) (p) => [] [].
Qed.

Lemma quaternions_take_three : enough_in_a_cover F (fun x : quaternion => x) 3.
Proof.
pose lift (x : quaternion) : sixteen := let: (s, p, q) := x in (s, false, p, q).
pose R x := planes (lift x).
pose of_word w : sixteen := foldl (fun g x => times16 (lift x) g) (false, false, false, false) w.
have productE w : product R w = planes (of_word w).
  elim/last_ind: w => [|w x IH]; last by rewrite product_rcons IH /of_word foldl_rcons planesM.
  by rewrite /product /affine.transitions /of_word /planes /first /second /signed /= !expr0 !mulr1 -scalar_mx_block.
have downE w : down16 (of_word w) = value (fun x : quaternion => x) w.
  elim/last_ind: w => // w x IH; rewrite value_rcons /of_word foldl_rcons down16M -/(of_word w) IH; congr (_ * _)%g.
  by case: x => [[s p] q]; rewrite /= addbF.
apply: (@matrices_cover F _ _ _ _ R [seq planes g | g <- enum [finType of sixteen]]).
- move=> x; have [y xy] : exists y, times16 (lift x) y = (false, false, false, false).
    by move: x => [[[] []] []]; do ?[by exists (false, false, false, false) | by exists (true, false, false, false)
      | by exists (true, false, true, false) | by exists (false, false, true, false) | by exists (true, true, true,
        true)
      | by exists (false, true, true, true) | by exists (false, true, false, true) | by exists (true, true, false,
        true)].
  have /mulmx1_unit[] // : R x *m planes y = 1%:M.
  by rewrite -planesM xy /planes /first /second /signed /= !expr0 !mulr1 -scalar_mx_block.
- by move=> w; rewrite productE map_f // mem_enum.
- by move=> w w'; rewrite !productE => /planes_inj e; rewrite -!downE e.
- exact: all_quaternions.
by case=> [[s p] q]; apply: planes_rank.
Qed.

End Cover.


Theorem quaternion_letters (R : rcfType) (el := fun x : quaternion => x) :
  (forall r, enough_in_a_layer R el r <-> (3 <= r)%N) /\ (forall r, enough_in_itself R el r <-> (4 <= r)%N).
Proof.
split=> r; split.
- by move=> /(fewest_factors _ _ all_quaternions)/quaternions_need_three.
- move=> r3; apply/(fewest_factors _ _ all_quaternions).
  have [cT [down [lift [n [rho [c small]]]]]] := quaternions_take_three R.
  by exists cT, down, lift, n, rho; split=> // x; apply: leq_trans (small x) r3.
- exact: quaternions_alone_need_four.
move=> r4; have [n [rho [f small]]] := quaternions_alone_take_four R.
by exists n, rho; split=> // x; apply: leq_trans (small x) r4.
Qed.

(** Two factors, which do for the elements of order 2 and for each alone, do not do for all. *)
Theorem not_quaternions_in_two (R : rcfType) : ~ enough_in_a_layer R (fun x : quaternion => x) 2.
Proof. by move=> /(fewest_factors _ _ all_quaternions)/quaternions_need_three. Qed.

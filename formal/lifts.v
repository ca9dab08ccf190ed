(** * Two elements of a group of order a power of two, each of which moves two dimensions at most

    New, beside grazzi25, Theorem 3: new.automata.fewest-reflections. They commute, or w w = 1 and
    [w, x] = x x for one of them, x, and some w.

    - [faithful rho]: rho is a representation of the group by matrices, and injective. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra center commutator cyclic nilpotent pgroup sylow.
From mathcomp Require Import zify.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import one_factor planes.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Definition faithful (F : fieldType) (gT : finGroupType) n (rho : gT -> 'M[F]_n) : Prop :=
  [/\ rho 1%g = 1%:M, forall g h, rho (g * h)%g = rho g *m rho h & ssrfun.injective rho].

Section Representation.

Variables (F : realFieldType) (gT : finGroupType) (n : nat) (rho : gT -> 'M[F]_n).
Hypothesis rho_faithful : faithful rho.

Let rho1 : rho 1%g = 1%:M. Proof. by case: rho_faithful. Qed.
Let rhoM g h : rho (g * h)%g = rho g *m rho h. Proof. by case: rho_faithful => _ ->. Qed.
Let rho_inj : ssrfun.injective rho. Proof. by case: rho_faithful. Qed.

Lemma rho_unit g : rho g \in unitmx.
Proof.
have /mulmx1_unit[] // : rho g *m rho g^-1%g = 1%:M by rewrite -rhoM mulgV rho1.
Qed.

Lemma rho_power g k : rho (g ^+ k)%g = iter k (mulmx (rho g)) 1%:M.
Proof. by elim: k => [|k IH]; rewrite ?expg0 // expgS rhoM IH. Qed.

Lemma rho_order g : exists k, iter k.+1 (mulmx (rho g)) 1%:M = 1%:M.
Proof. by exists #[g]%g.-1; rewrite prednK ?order_gt0 // -rho_power expg_order. Qed.

Lemma rank_conj g h : \rank (rho (h ^ g)%g - 1%:M) = \rank (rho h - 1%:M).
Proof.
have -> : rho (h ^ g)%g - 1%:M = rho g^-1%g *m (rho h - 1%:M) *m rho g.
  by rewrite mulmxBr mulmx1 mulmxBl -!rhoM mulVg rho1 conjgE mulgA.
by rewrite mxrankMfree ?row_free_unit ?rho_unit // eqmxMfull ?row_full_unit ?rho_unit.
Qed.

Lemma rank_power g k : (\rank (rho (g ^+ k)%g - 1%:M)%R <= \rank (rho g - 1%:M)%R)%N.
Proof.
suff : (rho (g ^+ k)%g - 1%:M <= rho g - 1%:M)%MS by apply: mxrankS.
elim: k => [|k IH]; first by rewrite expg0 rho1 subrr sub0mx.
have -> : rho (g ^+ k.+1)%g - 1%:M = rho (g ^+ k)%g *m (rho g - 1%:M) + (rho (g ^+ k)%g - 1%:M).
  by rewrite expgSr rhoM mulmxBr mulmx1 addrA subrK.
by rewrite addmx_sub // submxMl.
Qed.

Lemma two_planes g h w c : c != 1%g -> (c * c)%g = 1%g -> commute c g -> commute c h -> commute c w ->
  (g * w)%g = (w * g * c)%g -> w \in (<<[set g; h]>>)%g ->
  (\rank (rho g - 1%:M)%R <= 2)%N -> (\rank (rho h - 1%:M)%R <= 2)%N -> (g * g)%g != 1%g -> (h * h)%g != 1%g ->
  (g * h)%g <> (h * g)%g -> (g * g)%g = c /\ (w * w)%g = 1%g.
Proof.
move=> c1 cc cg ch cw gw win small_g small_h gg hh gh.
have two : (2%:R : F) != 0 by rewrite pnatr_eq0.
set C := rho c; set G := rho g; set H := rho h; set W := rho w.
have CC : C *m C = 1%:M by rewrite -rhoM cc.
pose E := 2%:R^-1 *: (1%:M - C).
have EE : E *m E = E.
  rewrite /E -scalemxAl -scalemxAr scalerA mulmxBr mulmx1 mulmxBl mul1mx CC opprB addrA.
  rewrite -[1%:M - C + _ - C]addrA -mulr2n -scaler_nat scalerA -mulrA mulVf // mulr1.
  by [].
have EC : E *m C = - E by rewrite /E -scalemxAl mulmxBl mul1mx CC -opprB scalerN.
have CE : C *m E = - E by rewrite /E -scalemxAr mulmxBr mulmx1 CC -opprB scalerN.
have comm x : commute c x -> E *m rho x = rho x *m E.
  by move=> cx; rewrite /E -scalemxAl -scalemxAr mulmxBl mulmxBr mul1mx mulmx1 -!rhoM cx.
have [EG EH EW] := And3 (comm _ cg) (comm _ ch) (comm _ cw).
have EC2 : E + E = 1%:M - C by rewrite /E -scalerDr -mulr2n -scaler_nat scalerA mulVf // scale1r.
have E0 : E != 0.
  rewrite scaler_eq0 invr_eq0 (negPf two) /= subr_eq0; apply: contraNneq c1 => e.
  by apply/eqP/rho_inj; rewrite rho1 e.
have CG : C *m G = G *m C by rewrite -!rhoM cg.
have CW : C *m W = W *m C by rewrite -!rhoM cw.
have GW : G *m W = W *m G *m C by rewrite -!rhoM gw.
have WG : W *m G = G *m W *m C by rewrite GW -mulmxA CC mulmx1.
have square x : (x * x)%g != 1%g -> rho x *m rho x != 1%:M by rewrite -rhoM -rho1 (inj_eq rho_inj).
have unitW : W \in unitmx := rho_unit w.
have anti : E *m (G *m W) = - (E *m (W *m G)).
  by rewrite GW -mulmxA -CG !mulmxA -(mulmxA E) -CW !mulmxA EC !mulNmx.
have small_E : (\rank E <= 2)%N.
  apply: leq_trans (small_g); apply: leq_trans (mxrankM_maxr E _).
  have := mxrank_mul_ker E (G - 1%:M); have -> : (E :&: kermx (G - 1%:M))%MS = 0; last by rewrite mxrank0 addn0 => ->.
  apply/eqP/rowV0P => x; rewrite sub_capmx => /andP[/submxP[z xz] /sub_kermxP]; rewrite mulmxBr mulmx1 => /eqP.
  rewrite subr_eq0 => /eqP xG; apply/eqP/negPn/negP => x0.
  have xE : x *m E = x by rewrite xz -mulmxA EE.
  have y0 : x *m W != 0.
    by apply: contraNneq x0 => e; rewrite -(mulmxK unitW x) e mul0mx.
  have y : x *m W *m G = - (x *m W).
    by rewrite -mulmxA WG !mulmxA xG -mulmxA -CW mulmxA -{1}xE -(mulmxA x) EC mulmxN xE mulNmx.
  have [k order] := rho_order (g * g); rewrite rhoM in order.
  by have /eqP := no_minus_one small_g (ex_intro _ k order) y0 y; rewrite (negPf (square _ gg)).
have trivial_g : (1%:M - E) *m (G - 1%:M) = 0.
  have [eg|//] := split_in_two EE EG small_g (rho_order g) (square _ gg).
  have {}eg : E *m G = E by move/eqP: eg; rewrite mulmxBr mulmx1 subr_eq0 => /eqP.
  have /eqP : E *m W = - (E *m W) by rewrite -{1}eg -mulmxA anti mulmxA EW -mulmxA eg.
  rewrite -subr_eq0 opprK -mulr2n -scaler_nat scaler_eq0 (negPf two) /= => /eqP EW0.
  by case/eqP: E0; rewrite -(mulmxK unitW E) EW0 mul0mx.
have EG1 : E *m (G - 1%:M) = (G - 1%:M) *m E by rewrite mulmxBl mulmxBr mul1mx mulmx1 EG.
have EH1 : E *m (H - 1%:M) = (H - 1%:M) *m E by rewrite mulmxBl mulmxBr mul1mx mulmx1 EH.
have whole_g : E *m (G - 1%:M) = G - 1%:M.
  by move/eqP: trivial_g; rewrite mulmxBl mul1mx subr_eq0 => /eqP.
have trivial_h : (1%:M - E) *m (H - 1%:M) = 0.
  have [eh|//] := split_in_two EE EH small_h (rho_order h) (square _ hh).
  have GH0 : (G - 1%:M) *m (H - 1%:M) = 0 by rewrite -whole_g EG1 -mulmxA eh mulmx0.
  have HG0 : (H - 1%:M) *m (G - 1%:M) = 0 by rewrite -whole_g mulmxA -EH1 eh mul0mx.
  have expand (A B : 'M[F]_n) : A *m B = (A - 1%:M) *m (B - 1%:M) + (A + B - 1%:M).
    by rewrite [A + B - _]addrAC mulmxBr mulmx1 addrA subrK mulmxBl mul1mx subrK.
  by case: gh; apply: rho_inj; rewrite !rhoM -/G -/H expand GH0 [RHS]expand HG0 (addrC G).
have stays x : x \in (<<[set g; h]>>)%g -> (1%:M - E) *m rho x = 1%:M - E.
  pose K := [set x | (1%:M - E) *m rho x == 1%:M - E].
  have groupK : group_set K.
    apply/group_setP; split; first by rewrite inE rho1 mulmx1.
    by move=> y z; rewrite !inE rhoM mulmxA => /eqP ->.
  have gens : ((<<[set g; h]>>)%g \subset group groupK).
    rewrite gen_subG; apply/subsetP => y; rewrite !inE => /orP[] /eqP ->.
      by move/eqP: trivial_g; rewrite mulmxBr mulmx1 subr_eq0.
    by move/eqP: trivial_h; rewrite mulmxBr mulmx1 subr_eq0.
  by move=> /(subsetP gens); rewrite inE => /eqP.
have back x : x \in (<<[set g; h]>>)%g -> E *m rho (x * x)%g = E -> (x * x)%g = 1%g.
  move=> xin e; apply: rho_inj; rewrite rho1 -[LHS]mul1mx -[1%:M in LHS](subrK E) mulmxDl e.
  by rewrite stays ?groupM // subrK.
have forth x : x \in (<<[set g; h]>>)%g -> E *m rho (x * x)%g = - E -> (x * x)%g = c.
  move=> xin e; apply: rho_inj; rewrite -[LHS]mul1mx -[1%:M in LHS](subrK E) mulmxDl e stays ?groupM //.
  by rewrite -addrA -opprD -/C EC2 opprB addrC subrK.
have number x mu : E *m (rho x *m rho x) = mu *: E -> mu = 1 \/ mu = -1.
  move=> e; have [k order] := rho_order (x * x)%g; rewrite rhoM in order.
  exact: number_of_finite_order E0 e order.
have antiW : E *m (W *m G) = - (E *m (G *m W)) by rewrite anti opprK.
have gin : g \in (<<[set g; h]>>)%g by rewrite mem_gen // !inE eqxx.
have ggc : (g * g)%g = c.
  have [mu e] := plane_square EE small_E EG EW unitW anti.
  have [mu1|mu1] := number g mu e; rewrite mu1 ?scale1r ?scaleN1r -rhoM in e; last exact: forth.
  by case/eqP: gg; apply: back.
split=> //; have [mu e] := plane_square EE small_E EW EG (rho_unit g) antiW.
have [mu1|mu1] := number w mu e; rewrite mu1 ?scale1r ?scaleN1r -rhoM in e; first exact: back.
have wwc := forth w win e.
have four : (4 <= \rank (C - 1%:M)%R)%N.
  apply: (@quaternion_rank _ _ G W C); rewrite ?CC //.
  - by rewrite -rhoM ggc.
  - by rewrite -rhoM wwc.
  - by rewrite GW mulmxA CW -!mulmxA CG.
  by rewrite -rho1 (inj_eq rho_inj).
have : (\rank (C - 1%:M)%R <= \rank E)%N.
  by rewrite -mxrank_opp opprB -EC2 -mulr2n -scaler_nat; apply: mxrank_scale.
by move: four small_E; lia.
Qed.

End Representation.

(** ** Groups of order a power of two *)

Section TwoGroups.

Variables (gT : finGroupType).
Local Open Scope group_scope.

Lemma second_centre (D : {group gT}) : nilpotent D -> ~~ abelian D ->
  exists w, [/\ w \in D, w \notin 'Z(D) & forall x, x \in D -> [~ w, x] \in 'Z(D)].
Proof.
move=> nil nonabelian; have [sub|] := boolP ('Z_2(D) \subset 'Z(D)); last first.
  case/subsetPn => w; rewrite ucnSnR inE => /andP[wD comm] wZ; exists w; split=> // x xD.
  by rewrite -ucn1; apply: (subsetP comm); apply: mem_commg; rewrite ?set11.
case/negP: nonabelian; have [m Dm] := ucnP _ nil.
suff : 'Z_m.+1(D) \subset 'Z(D).
  by move=> small; rewrite abelianE -{1}Dm; apply: subset_trans (ucn_subS m D) (subset_trans small (subsetIr _ _)).
elim: m {Dm} => [|m IH]; first by rewrite ucn1.
apply/subsetP => x; rewrite ucnSnR inE => /andP[xD comm]; apply: (subsetP sub).
by rewrite ucnSnR inE xD ucn1 (subset_trans comm).
Qed.

Lemma even_involution (c : gT) : 2.-elt c -> c != 1 -> exists2 m, c ^+ m != 1 & c ^+ m * c ^+ m = 1.
Proof.
move=> /p_natP[[|k] order] c1; first by case/negP: c1; rewrite -order_eq1 order expn0.
exists (2 ^ k)%N; first by rewrite -order_dvdn order dvdn_Pexp2l // -ltnNge.
by rewrite -expgD addnn -mul2n -expnS -order expg_order.
Qed.

(** Two elements that do not commute: w with [w, x] a central involution, x one of the two. *)
Lemma central_involution (P : {group gT}) g h : 2.-group P -> g \in P -> h \in P -> g * h <> h * g ->
  exists w, w \in <<[set g; h]>> /\ exists2 x, x = g \/ x = h &
    [/\ [~ w, x] != 1, [~ w, x] * [~ w, x] = 1 & forall y, y \in <<[set g; h]>> -> commute [~ w, x] y].
Proof.
move=> two gP hP gh; set D := <<[set g; h]>>%G.
have DP : D \subset P by rewrite gen_subG; apply/subsetP => y; rewrite !inE => /orP[]/eqP->.
have twoD : 2.-group D := pgroupS DP two.
have gD : g \in D by rewrite mem_gen // !inE eqxx.
have hD : h \in D by rewrite mem_gen // !inE eqxx orbT.
have [||w0 [wD wZ central]] := @second_centre D; first exact: pgroup_nil twoD.
  by apply/negP => /centsP/(_ _ gD _ hD).
have [x xgh moved] : exists2 x, x = g \/ x = h & [~ w0, x] != 1.
  have [e|ng] := eqVneq [~ w0, g] 1; last by exists g; [left|].
  exists h; [by right|]; apply: contraNneq wZ => e'.
  have fixed y : [~ w0, y] = 1 -> y \in 'C[w0] by move=> /eqP/commgP cy; apply/cent1P/commute_sym.
  have sub : D \subset 'C[w0] by rewrite gen_subG; apply/subsetP => y /set2P[] ->; apply: fixed.
  by apply/centerP; split=> // y /(subsetP sub)/cent1P/commute_sym.
have xD : x \in D by case: xgh => ->.
have cZ : [~ w0, x] \in 'Z(D) by apply: central.
have comm y : y \in D -> commute [~ w0, x] y by case/centerP: cZ => _; apply.
have [|m c1 cc] := even_involution _ moved; first exact: mem_p_elt twoD (subsetP (center_sub D) _ cZ).
have e : [~ w0 ^+ m, x] = [~ w0, x] ^+ m by apply: commXg; apply/commute_sym/comm.
exists (w0 ^+ m); split; first exact: groupX.
by exists x; rewrite // e; split=> // y yD; apply/commute_sym/commuteX/commute_sym/comm.
Qed.

End TwoGroups.

Section Lifts.

Variables (F : realFieldType) (gT : finGroupType) (n : nat) (rho : gT -> 'M[F]_n).
Hypothesis rho_faithful : faithful rho.

Lemma lifts_commute (P : {group gT}) g h : (2.-group P)%g -> g \in P -> h \in P ->
  (\rank (rho g - 1%:M)%R <= 2)%N -> (\rank (rho h - 1%:M)%R <= 2)%N -> (g * g)%g != 1%g -> (h * h)%g != 1%g ->
  (g * h)%g = (h * g)%g \/ exists w x, [/\ x = g \/ x = h, (w * w)%g = 1%g & ([~ w, x])%g = (x * x)%g].
Proof.
move=> two gP hP small_g small_h gg hh; have [e|/eqP gh] := eqVneq (g * h)%g (h * g)%g; [by left | right].
have [w [win [x xgh [c1 cc comm]]]] := central_involution two gP hP gh.
have gin : g \in (<<[set g; h]>>)%g by rewrite mem_gen // !inE eqxx.
have hin : h \in (<<[set g; h]>>)%g by rewrite mem_gen // !inE eqxx orbT.
set c := ([~ w, x])%g in c1 cc comm.
have xw : (x * w)%g = (w * x * c)%g by rewrite (commgC w x) -/c -mulgA cc mulg1.
exists w, x; case: xgh xw => e xw.
  have [] := two_planes rho_faithful c1 cc (comm _ gin) (comm _ hin) (comm _ win) _ win small_g small_h gg hh gh;
    first by rewrite -e.
  by rewrite -e => xx ww; split=> //; left.
have [] := two_planes rho_faithful c1 cc (comm _ hin) (comm _ gin) (comm _ win) _ _ small_h small_g hh gg (fun e' =>
  gh (esym e')).
- by rewrite -e.
- by rewrite setUC.
by rewrite -e => xx ww; split=> //; right.
Qed.

End Lifts.

(** * The entries of a checked network are real numbers

    A polynomial in zeta is real if the conjugation zeta -> 1/zeta leaves its normal form. That is what [is_real] looks
    at; here it is proved of the algebraic numbers.

    - [real_element z p]: the value of p at z is a real number. *)

From Coq Require Import ZArith QArith Qreduction.
From mathcomp Require Import all_ssreflect all_algebra all_field.
From mathcomp Require Import ssrZ.
From lemmata Require Import checker checker_sound checker_field.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition real_element (z : algC) (p : list Q) : bool := element z p \is Num.real.

(** ** What [is_real] decides *)

Section Real.

Variables (z : algC) (n : nat) (low : list Q).
Hypothesis primitive : n.-primitive_root z.
Hypothesis cyclotomicE : map_poly intr 'Phi_n = Poly (rcons (map fraction low) 1) :> {poly rat}.

Lemma root_neq0 : z != 0.
Proof.
apply/eqP=> z0; have := prim_expr_order primitive.
by rewrite z0 expr0n gtn_eqF ?(prim_order_gt0 primitive) // => /eqP; rewrite eq_sym oner_eq0.
Qed.

Lemma conj_root : z^* = z^-1.
Proof.
have z1 : `|z| = 1.
  by apply/eqP; rewrite -(@pexpr_eq1 _ _ n) ?(prim_order_gt0 primitive) // -normrX (prim_expr_order primitive) normr1.
by rewrite invC_norm z1 expr1n invr1 mul1r.
Qed.

Lemma conj_number q : (number q)^* = number q.
Proof. exact: fmorph_rat. Qed.

Lemma conj_element p : (element z p)^* = value number z^-1 p.
Proof.
elim: p => [|a p IH]; first exact: rmorph0.
rewrite (_ : element z (a :: p) = number a + z * element z p) // rmorphD conj_number.
by rewrite [(z * _)^*]rmorphM conj_root IH.
Qed.

(** The polynomial's first coefficient. *)
Lemma first_coefficient a l : low = a :: l -> number a != 0.
Proof.
move=> lowE; have : (minCpoly z).[0] != 0.
  rewrite (minCpoly_cyclotomic primitive) /cyclotomic horner_prod prodf_seq_neq0; apply/allP=> i _; apply/implyP=> _.
  by rewrite hornerXsubC sub0r oppr_eq0 expf_neq0 // root_neq0.
by rewrite (minimalE primitive cyclotomicE) horner_coef0 coef_map coef_Poly lowE.
Qed.

Lemma number_div a b : number b != 0 -> number (Qdiv a b) = number a / number b.
Proof.
move=> b0; rewrite number_mul; congr (_ * _); apply: (mulfI b0); rewrite mulfV // -number_mul.
have nonzero : ~ Qeq b 0 by move=> /fraction_eq e; move: b0; rewrite /number e -/(number 0) number0 eqxx.
rewrite /number (_ : fraction _ = 1) ?rmorph1 //.
by rewrite (fraction_eq _ (Qmake 1 1)).1; [rewrite /fraction /= divr1 | apply: Qmult_inv_r].
Qed.

Lemma element_unshift r : element z (unshift low r) = z^-1 * element z r.
Proof.
case: low (low_size primitive cyclotomicE) first_coefficient (low_root primitive cyclotomicE) => // a l _ a0 root0.
have {}a0 := a0 a l erefl.
have tailE s b : element z (s ++ [:: b]) = element z s + number b * z ^+ seq.size s.
  by rewrite /element cats1 value_rcons.
have root1 : z * (element z l + z ^+ seq.size l) = - number a.
  have e : number a + z * element z l + z ^+ (seq.size l).+1 = 0 := root0.
  by rewrite mulrDr -exprS; apply/eqP; rewrite -addr_eq0 addrC addrA e.
have shifted : element z (l ++ [:: Qmake 1 1]) = - (z^-1 * number a).
  by rewrite tailE {1}/number /fraction divr1 rmorph1 mul1r -[LHS](mulKf root_neq0) root1 mulrN.
rewrite /unshift element_plus element_scaled tailE number0 mul0r addr0 [X in _ * element _ X]/= shifted number_div //=.
rewrite /number fraction_opp rmorphN -!/(number _) /= mulNr mulrN mulNr opprK mulrCA divfK //.
case: r => [|b r] /=; first by rewrite fraction0 rmorph0 !mulr0 addr0.
by rewrite mulrDr (mulKf root_neq0) addrC.
Qed.

Lemma element_reduced s : element z (List.map Qred s) = element z s.
Proof. by elim: s => //= a s IH; rewrite /element /= number_red -!/(element _ _) IH. Qed.

Lemma element_conjugate p : element z (conjugate low p) = value number z^-1 p.
Proof.
rewrite /conjugate element_trim element_reduced; elim: p => // a p IH; set r := List.fold_right _ _ p in IH.
rewrite -[List.fold_right _ _ _]/(plusQ [:: a] (unshift low r)) element_plus element_unshift IH.
by rewrite /element /= mulr0 addr0.
Qed.

Lemma is_real_correct p : is_real low p -> real_element z p.
Proof.
rewrite /real_element CrealE conj_element => /orP[constant|/(same_vector_eq _ Qsame_eq) same].
  suff zeros s x : List.forallb Qzero s -> value number x s = 0.
    case: p constant => [|a p] constant; first by rewrite eqxx.
    by rewrite /element /= !(zeros _ _ constant) !mulr0.
  by elim: s => //= b s IH /andP[/Qzero_number -> /IH ->]; rewrite mulr0 addr0.
by rewrite -[in X in _ == X]same element_conjugate.
Qed.

End Real.

(** ** Networks *)

Lemma forallb_mapped (T U : Type) (f : U -> bool) (g : T -> U) s :
  List.forallb f (List.map g s) = List.forallb (fun x => f (g x)) s.
Proof. by elim: s => //= x s ->. Qed.

Lemma forallb_implies (T : Type) (f g : T -> bool) s : (forall x, f x -> g x) -> List.forallb f s -> List.forallb g s.
Proof. by move=> fg; elim: s => //= x s IH /andP[/fg -> /IH]. Qed.

(** Every number of a checked network is real: of states, maps, offsets, and of the directions, scales and writes of
    steps. *)
Theorem checked_entries_are_real (net : network (list Q)) (z : algC) :
  check net -> (N.to_nat (field net)).-primitive_root z ->
  forall L, List.In L (layers net) -> entries_pass (real_element z) L.
Proof.
move=> ok prim L inL; case e: (low_of (field net)) => [low|]; last by rewrite /check e in ok.
have [_ cycl] := low_right e.
have real p : is_real low (normal low p) -> real_element z p.
  by move/(is_real_correct prim cycl); rewrite /real_element (element_normal prim cycl).
move: ok; rewrite /check e /check_normal => /andP[_] /andP[/andP[/andP[_ reals] _] _].
have /List.forallb_forall/(_ _ (List.in_map (layer_entries (normal low)) _ _ inL)) := reals.
rewrite /entries_pass /= !forallb_mapped => /andP[states maps]; apply/andP; split.
  apply: forallb_implies states => h; rewrite forallb_mapped; exact: forallb_implies.
apply: forallb_implies maps => m /=; rewrite !forallb_mapped => /andP[/andP[matrix offset] steps].
apply/andP; split; [apply/andP; split|].
- by apply: forallb_implies matrix => row; rewrite forallb_mapped; apply: forallb_implies.
- exact: forallb_implies offset.
case: (checker_network.steps m) steps => //= ss; rewrite forallb_mapped; apply: forallb_implies => s /=.
rewrite forallb_mapped => /andP[/andP[direction /real scale] /real write]; apply/andP; split=> //; apply/andP;
  split=> //.
exact: forallb_implies direction.
Qed.

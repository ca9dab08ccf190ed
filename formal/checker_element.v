(** * The checker's normal forms name algebraic numbers, each once

    Entries are polynomials in zeta over Q; here zeta is a primitive N-th root of unity among the algebraic numbers.

    - [value g x p]: the value at x of a list of coefficients, each through g;
    - [fraction q], [number q]: a rational number of Coq's library in MathComp's rat, and in algC;
    - [element z p]: the value of p at zeta = z. *)

From Coq Require Import ZArith QArith Qreduction Lia.
From mathcomp Require Import all_ssreflect all_algebra all_field.
From mathcomp Require Import ssrZ zify.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import checker.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** Lists of coefficients as polynomials *)

Section Value.

Variables (C : Type) (zero : C) (add mul : C -> C -> C) (is_zero : C -> bool) (R : comRingType) (g : C -> R) (x : R).
Hypotheses (g0 : g zero = 0) (gD : forall a b, g (add a b) = g a + g b) (gM : forall a b, g (mul a b) = g a * g b).
Hypothesis gz : forall a, is_zero a -> g a = 0.

Definition value (p : list C) : R := foldr (fun a s => g a + x * s) 0 p.

Lemma value_plus p q : value (plus add p q) = value p + value q.
Proof.
elim: p q => [|a p IH] [|b q] /=; rewrite ?add0r ?addr0 //.
by rewrite gD IH mulrDr addrACA.
Qed.

Lemma value_scaled a p : value (scaled mul is_zero a p) = g a * value p.
Proof.
rewrite /scaled; case: ifP => [/gz ->|_]; first by rewrite mul0r.
elim: p => [|b p IH] /=; first by rewrite mulr0.
by rewrite gM IH mulrDr mulrCA.
Qed.

Lemma value_times p q : value (times zero add mul is_zero p q) = value p * value q.
Proof.
elim: p => [|a p IH] /=; first by rewrite mul0r.
by rewrite value_plus value_scaled /= g0 add0r IH mulrDl mulrA.
Qed.

Lemma value_rcons p a : value (rcons p a) = value p + g a * x ^+ seq.size p.
Proof.
elim: p => [|b p IH] /=; first by rewrite mulr0 addr0 add0r mulr1.
by rewrite IH mulrDr addrA exprS mulrCA.
Qed.

End Value.

Lemma value_Poly (C : Type) (R : comRingType) (g : C -> R) p : value (fun a => (g a)%:P) 'X p = Poly (map g p).
Proof. by elim: p => //= a p ->; rewrite cons_poly_def addrC mulrC. Qed.

(** ** Fractions *)

Local Notation Q0 := (Qmake 0 1).
Local Notation Q1 := (Qmake 1 1).

Definition fraction (q : Q) : rat := (int_of_Z (Qnum q))%:~R / (int_of_Z (Zpos (Qden q)))%:~R.

Lemma den_gt0 (d : positive) : 0 < (int_of_Z (Zpos d))%:~R :> rat.
Proof. by rewrite ltr0z /=; have := Pos2Nat.is_pos d; case: Pos.to_nat => // /Nat.lt_irrefl. Qed.

Lemma den_neq0 (d : positive) : (int_of_Z (Zpos d))%:~R != 0 :> rat.
Proof. exact/lt0r_neq0/den_gt0. Qed.

Lemma fraction_eq a b : Qeq a b <-> fraction a = fraction b.
Proof.
rewrite /Qeq /fraction; have da := den_neq0 (Qden a); have db := den_neq0 (Qden b).
have iM (u v : Z) : int_of_Z (u * v)%Z = int_of_Z u * int_of_Z v by rewrite -rmorphM.
have iI : injective int_of_Z by apply: can_inj int_of_ZK.
split=> [e|/eqP]; last first.
  by rewrite eqr_div // -!intrM eqr_int -!iM => /eqP/iI.
by apply/eqP; rewrite eqr_div // -!intrM -!iM; apply/eqP; congr (int_of_Z _)%:~R.
Qed.

Lemma fraction0 : fraction 0 = 0.
Proof. by rewrite /fraction mul0r. Qed.

Lemma Z_mul u v : (int_of_Z (u * v)%Z)%:~R = (int_of_Z u)%:~R * (int_of_Z v)%:~R :> rat.
Proof. by rewrite -intrM -rmorphM. Qed.

Lemma Z_add u v : (int_of_Z (u + v)%Z)%:~R = (int_of_Z u)%:~R + (int_of_Z v)%:~R :> rat.
Proof. by rewrite -intrD -rmorphD. Qed.

Lemma fraction_add a b : fraction (Qadd a b) = fraction a + fraction b.
Proof.
have -> : fraction (Qadd a b) = fraction (Qplus a b) by apply/fraction_eq/Qred_correct.
by rewrite /fraction addf_div ?den_neq0 // -!Z_mul -Z_add.
Qed.

Lemma fraction_mul a b : fraction (Qmult a b) = fraction a * fraction b.
Proof. by rewrite /fraction mulf_div -!Z_mul. Qed.

Lemma fraction_opp a : fraction (Qopp a) = - fraction a.
Proof.
have iN (u : Z) : int_of_Z (- u)%Z = - int_of_Z u by rewrite -rmorphN.
by rewrite /fraction /= iN mulrNz mulNr.
Qed.

Lemma Qzero_fraction a : Qzero a -> fraction a = 0.
Proof. by rewrite /Qzero /fraction => /Z.eqb_eq ->; rewrite mul0r. Qed.

(** ** Elements of Q(zeta) *)

Section Element.

Variables (z : algC) (n : nat) (low : list Q).
Hypothesis primitive : n.-primitive_root z.
(** [low] and a leading 1 are the coefficients of the n-th cyclotomic polynomial. *)
Hypothesis cyclotomicE : map_poly intr 'Phi_n = Poly (rcons (map fraction low) 1) :> {poly rat}.

Definition number (q : Q) : algC := ratr (fraction q).

(** c_0 + c_1 z + c_2 z^2 + ... *)
Definition element (p : list Q) : algC := value number z p.

Lemma number0 : number 0 = 0. Proof. by rewrite /number fraction0 rmorph0. Qed.
Lemma number_add a b : number (Qadd a b) = number a + number b. Proof. by rewrite /number fraction_add rmorphD. Qed.
Lemma number_mul a b : number (Qmult a b) = number a * number b. Proof. by rewrite /number fraction_mul rmorphM. Qed.
Lemma Qzero_number a : Qzero a -> number a = 0. Proof. by rewrite /number => /Qzero_fraction ->; rewrite rmorph0. Qed.

Lemma element_plus p q : element (plusQ p q) = element p + element q.
Proof. exact/value_plus/number_add. Qed.

Lemma element_times p q : element (timesQ p q) = element p * element q.
Proof. by apply: value_times; [apply: number0|apply: number_add|apply: number_mul|apply: Qzero_number]. Qed.

Lemma element_scaled a p : element (scaledQ a p) = number a * element p.
Proof. by apply: value_scaled; [apply: number_mul|apply: Qzero_number]. Qed.

Lemma element_Poly p : element p = (map_poly ratr (Poly (map fraction p))).[z].
Proof.
elim: p => [|a p IH]; first by rewrite map_poly0 horner0.
by rewrite /= cons_poly_def rmorphD rmorphM /= map_polyX map_polyC hornerD hornerMX hornerC /= -IH addrC mulrC.
Qed.

Lemma minimalE : minCpoly z = map_poly ratr (Poly (rcons (map fraction low) 1)).
Proof.
rewrite (minCpoly_cyclotomic primitive) -(Cintr_Cyclotomic primitive) -cyclotomicE -map_poly_comp.
by apply: eq_map_poly => b; rewrite /= ratr_int.
Qed.

Lemma low_size : (0 < seq.size low)%N.
Proof.
have := size_minCpoly z; rewrite minimalE size_map_poly.
case: low => //=; rewrite cons_poly_def mul0r add0r.
by rewrite size_polyC; case: (_ != 0).
Qed.

(** z^d + c_(d-1) z^(d-1) + ... + c_0 = 0 *)
Lemma low_root : element low + z ^+ seq.size low = 0.
Proof.
have := root_minCpoly z; rewrite minimalE => /rootP.
have -> : rcons (map fraction low) 1 = map fraction (rcons low Q1) by rewrite map_rcons.
by rewrite -element_Poly /element value_rcons {2}/number /fraction divr1 rmorph1 mul1r.
Qed.

Lemma plus_size p q : seq.size (plusQ p q) = maxn (seq.size p) (seq.size q).
Proof.
elim: p q => [|a p IH] [|b q] //=; rewrite ?maxn0 ?max0n //.
by rewrite IH maxnSS.
Qed.

Lemma scaled_size a p : (seq.size (scaledQ a p) <= seq.size p)%N.
Proof. by rewrite /scaledQ /scaled; case: ifP => // _; rewrite size_map. Qed.

Lemma lastE (r : list Q) a s : r = rcons s a -> List.last r Q0 = a /\ List.removelast r = s.
Proof.
move=> ->; elim: s => //= b s [IH1 IH2]; rewrite {}IH1 {}IH2.
by case: s.
Qed.

Lemma shorterE r l : shorter r l = (seq.size r < seq.size l)%N.
Proof. by elim: r l => [|a r IH] [|b l] //=; rewrite IH. Qed.

Lemma shift_size r : (seq.size r <= seq.size low)%N -> (seq.size (shift low r) <= seq.size low)%N.
Proof.
rewrite /shift shorterE leq_eqVlt; case: ltngtP => // e _.
move: low_size => low_gt0; case/lastP: r e => [|s a] e; first by rewrite -e in low_gt0.
have [l r] := lastE (erefl (rcons s a)); rewrite l r plus_size /= geq_max -(size_rcons s a) e leqnn /=.
exact: scaled_size.
Qed.

Lemma element_shift r : (seq.size r <= seq.size low)%N -> element (shift low r) = z * element r.
Proof.
rewrite /shift shorterE leq_eqVlt; case: ltngtP => // e _.
  by rewrite /element /= number0 add0r.
move: low_size => low_gt0; case/lastP: r e => [|s a] e; first by rewrite -e in low_gt0.
have [l r] := lastE (erefl (rcons s a)); rewrite l r element_plus element_scaled.
rewrite /element value_rcons -/(element _) /= number0 add0r -/(element _) mulrDr; congr (_ + _).
rewrite mulrCA -exprS -(size_rcons s a) e.
have /eqP := low_root; rewrite addr_eq0 => /eqP; rewrite -/(element _) => ->.
by rewrite /number fraction_opp rmorphN /= mulrNN.
Qed.

Lemma remainder_size p : (seq.size (remainder low p) <= seq.size low)%N.
Proof.
elim: p => [|a p IH] //.
rewrite -[remainder _ _]/(plusQ [:: a] (shift low (remainder low p))) plus_size geq_max shift_size // andbT.
exact: low_size.
Qed.

Lemma element_remainder p : element (remainder low p) = element p.
Proof.
elim: p => [|a p IH] //.
rewrite -[remainder _ _]/(plusQ [:: a] (shift low (remainder low p))).
by rewrite element_plus element_shift ?remainder_size // IH /element /= mulr0 addr0.
Qed.

Lemma number_red a : number (Qred a) = number a.
Proof. by rewrite /number; congr ratr; apply/fraction_eq/Qred_correct. Qed.

Lemma element_trim p : element (trim p) = element p.
Proof.
elim: p => //= a p; rewrite /element /= -!/(element _) => <-.
case: (trim p) => [|b t] //; case: ifP => // /Qzero_number ->.
by rewrite /element /= mulr0 addr0.
Qed.

Lemma element_normal p : element (normal low p) = element p.
Proof.
rewrite -[RHS]element_remainder /normal element_trim; elim: (remainder low p) => //= a r IH.
by rewrite /element /= number_red -!/(element _) IH.
Qed.

(** Lists that differ by zeros at the end are trimmed alike. *)
Lemma trim_eq u v : (forall i, nth Q0 u i = nth Q0 v i) -> trim u = trim v.
Proof.
have zeros w : (forall i, nth Q0 w i = Q0) -> trim w = [::].
  by elim: w => //= a w IH all0; rewrite IH => [|i]; [have /= -> := all0 0%N|apply: (all0 i.+1)].
elim: u v => [|a u IH] v same; first by rewrite [RHS]zeros // => i; rewrite -same nth_nil.
case: v same => [|b v] same; first by rewrite [LHS]zeros // => i; rewrite same nth_nil.
by have /= -> := same 0%N; rewrite (IH v) // => i; apply: (same i.+1).
Qed.

(** Different normal forms are different numbers: the cyclotomic polynomial is minimal. *)
Lemma element_tells p q : element (normal low p) = element (normal low q) -> normal low p = normal low q.
Proof.
rewrite /normal !element_trim; move: (remainder_size p) (remainder_size q);
  move: (remainder low p) (remainder low q) => r s rn sn.
rewrite !element_Poly => /eqP; rewrite -subr_eq0 -hornerN -hornerD -rmorphN -rmorphD /= => /eqP rt.
set f := _ + _ in rt.
have f0 : f = 0.
  have [m [mE _] dv] := minCpolyP z; apply/eqP; apply/negPn/negP => f_neq0.
  have /dvdp_leq : m %| f by rewrite -dv; apply/rootP.
  move=> /(_ f_neq0); rewrite leqNgt => /negP; apply.
  have -> : seq.size m = (seq.size low).+1.
    rewrite -(size_map_poly (ratr_rmorphism [numFieldType of algC])) -mE minimalE size_map_poly (@PolyK _ 1)
      ?size_rcons ?size_map //.
    by rewrite last_rcons oner_neq0.
  rewrite ltnS; apply: (leq_trans (size_add _ _)); rewrite size_opp geq_max.
  have bound (u : seq Q) : (seq.size u <= seq.size low)%N ->
    (seq.size (Poly (map fraction (map Qred u))) <= seq.size low)%N.
    by apply: leq_trans; apply: (leq_trans (size_Poly _)); rewrite !size_map.
  by rewrite !bound.
apply: trim_eq => i; have lowest (u : seq Q) : nth Q0 (map Qred u) i = Qred (nth Q0 u i).
  by have [iu|ui] := ltnP i (seq.size u); [rewrite (nth_map Q0)|rewrite !nth_default ?size_map].
have entry (u : seq Q) : (Poly (map fraction (map Qred u)))`_i = fraction (nth Q0 u i).
  rewrite coef_Poly; have [iu|ui] := ltnP i (seq.size u).
    by rewrite (nth_map Q0) ?size_map // (nth_map Q0) //; apply/fraction_eq/Qred_correct.
  by rewrite !nth_default ?size_map // fraction0.
rewrite !lowest; apply: Qred_complete; apply/fraction_eq.
by rewrite -!entry; apply/eqP; rewrite -subr_eq0 -coefN -coefD -/f f0 coef0.
Qed.

End Element.

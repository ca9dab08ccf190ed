(** * Unitary matrices: one reflection and a phase for each vector, for every size

    movahedi25, App. D.2, Theorem D.2.

    - [adjoint A]: the conjugate transpose; [inner x y]: x^* y; [unitary U];
    - [mirror v]: the reflection I - 2 v v^* / v^* v;
    - [reflected y x]: x is a phase times a product of reflections of y. *)

From mathcomp Require Import all_ssreflect all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Phases.

Variables (C : numClosedFieldType) (n : nat).
Implicit Types (x y v : 'cV[C]_n) (U : 'M[C]_n).

Definition adjoint p q (A : 'M[C]_(p, q)) : 'M[C]_(q, p) := \matrix_(i, j) (A j i)^*.

Definition inner x y : C := (adjoint x *m y) 0 0.

Definition unitary U : Prop := adjoint U *m U = 1%:M.

Definition mirror v : 'M[C]_n := 1%:M - (2%:R / inner v v) *: (v *m adjoint v).

Lemma adjointM p q r (A : 'M[C]_(p, q)) (B : 'M[C]_(q, r)) : adjoint (A *m B) = adjoint B *m adjoint A.
Proof. by apply/matrixP=> i j; rewrite !mxE rmorph_sum; apply: eq_bigr => k _; rewrite !mxE rmorphM mulrC. Qed.

Lemma adjointK p q (A : 'M[C]_(p, q)) : adjoint (adjoint A) = A.
Proof. by apply/matrixP=> i j; rewrite !mxE conjCK. Qed.

Lemma innerE x y : adjoint x *m y = (inner x y)%:M.
Proof. exact: mx11_scalar. Qed.

Lemma innerC x y : inner y x = (inner x y)^*.
Proof. by rewrite /inner -[adjoint y *m x]adjointK adjointM adjointK mxE. Qed.

Lemma innerDr x y v : inner x (y + v) = inner x y + inner x v.
Proof. by rewrite /inner mulmxDr mxE. Qed.

Lemma innerZr x y a : inner x (a *: y) = a * inner x y.
Proof. by rewrite /inner -scalemxAr mxE. Qed.

Lemma innerDl x y v : inner (x + y) v = inner x v + inner y v.
Proof. by rewrite innerC innerDr rmorphD /= -!innerC. Qed.

Lemma innerZl x y a : inner (a *: x) y = a^* * inner x y.
Proof. by rewrite innerC innerZr rmorphM /= -innerC. Qed.

Lemma innerNl x y : inner (- x) y = - inner x y.
Proof. by rewrite -scaleN1r innerZl rmorphN1 mulN1r. Qed.

Lemma inner_ge0 x : 0 <= inner x x.
Proof. by rewrite /inner mxE sumr_ge0 // => i _; rewrite mxE mulrC mul_conjC_ge0. Qed.

Lemma inner_eq0 x : (inner x x == 0) = (x == 0).
Proof.
apply/eqP/eqP=> [|->]; last by rewrite /inner mulmx0 mxE.
rewrite /inner mxE => /eqP; rewrite psumr_eq0 => [/allP x0|i _]; last by rewrite mxE mulrC mul_conjC_ge0.
apply/colP=> i; have := x0 i (mem_index_enum _).
by rewrite /= !mxE mulrC mul_conjC_eq0 => /eqP ->.
Qed.

Lemma mirrorE v y : mirror v *m y = y - (2%:R / inner v v * inner v y) *: v.
Proof. by rewrite /mirror mulmxBl mul1mx -scalemxAl -mulmxA innerE mul_mx_scalar scalerA. Qed.

(** Reflections and phases keep lengths ... *)
Lemma mirror_keeps v y : inner (mirror v *m y) (mirror v *m y) = inner y y.
Proof.
have [->|vn0] := eqVneq v 0; first by rewrite mirrorE scaler0 subr0.
have v0 : inner v v != 0 by rewrite inner_eq0.
have real : (inner v v)^* = inner v v by apply/CrealP; rewrite ger0_real // inner_ge0.
rewrite mirrorE -scaleNr; set a := - _; rewrite !(innerDl, innerDr, innerZl, innerZr) (innerC v y).
have aE : a * inner v v = - (2%:R * inner v y) by rewrite /a mulNr mulrAC divfK.
have caE : a^* = - (2%:R / inner v v * (inner v y)^*) by rewrite /a rmorphN /= rmorphM fmorph_div /= rmorph_nat real.
have same : a * (inner v y)^* = a^* * inner v y by rewrite caE /a !mulNr -!mulrA [X in _ * (_ * X)]mulrC.
rewrite -addrA -[RHS]addr0; congr (_ + _).
by rewrite aE same mulrN [a^* * (2%:R * _)]mulrCA mulr_natl mulr2n addrA subrr.
Qed.

Lemma phase_keeps z y : `|z| = 1 -> inner (z *: y) (z *: y) = inner y y.
Proof. by move=> z1; rewrite innerZl innerZr mulrA [_ * z]mulrC -normCK z1 expr1n mul1r. Qed.

(** x is a phase times a product of reflections, each along a vector other than 0, applied to y. *)
Definition reflected y x : Prop :=
  exists z : C, exists2 vs : seq 'cV[C]_n,
    all (fun v => v != 0) vs & `|z| = 1 /\ x = z *: foldr (fun v u => mirror v *m u) y vs.

Lemma reflected_keeps y x : reflected y x -> inner x x = inner y y.
Proof.
case=> z [vs _ [z1 ->]]; rewrite phase_keeps //.
by elim: vs => //= v vs IH; rewrite mirror_keeps.
Qed.

(** ... and what keeps all lengths is unitary: look at e_i and at e_i + c e_j. *)
Lemma keeps_lengths_unitary U : (forall y, inner (U *m y) (U *m y) = inner y y) -> unitary U.
Proof.
move=> keeps; set G := adjoint U *m U.
have form x y : inner (U *m x) (U *m y) = inner x (G *m y) by rewrite /inner adjointM /G !mulmxA.
have polar x y : inner x (G *m y) = inner x y.
  have half c : c * inner x (G *m y) + c^* * inner y (G *m x) = c * inner x y + c^* * inner y x.
    have := keeps (x + c *: y); rewrite mulmxDr -scalemxAr !(innerDl, innerDr, innerZl, innerZr) !keeps !form => /eqP.
    rewrite !addrA (inj_eq (addIr _)) -!addrA (inj_eq (addrI _)) => /eqP; exact.
  have h1 := half 1; have hi := half 'i; rewrite conjC1 !mul1r in h1; rewrite conjCi !mulNr -!mulrBr in hi.
  have i0 : 'i != 0 :> C by rewrite neq0Ci.
  have {hi} hi := mulfI i0 hi.
  have two : 2%:R != 0 :> C by rewrite pnatr_eq0.
  apply: (mulfI two); rewrite !mulr_natl !mulr2n.
  have := congr2 +%R h1 hi; rewrite addrACA subrr addr0 [in RHS]addrACA subrr addr0; exact.
apply/matrixP=> i j; have := polar (delta_mx i 0) (delta_mx j 0).
have entry (A : 'M[C]_n) : inner (delta_mx i 0) (A *m delta_mx j 0) = A i j.
  have -> : A *m delta_mx j 0 = col j A by rewrite colE.
  rewrite /inner mxE (bigD1 i) //= big1 ?addr0 => [|k ki]; rewrite !mxE ?eqxx ?conjC1 ?mul1r //.
  by rewrite (negbTE ki) /= conjC0 mul0r.
by rewrite -{2}[delta_mx j 0]mul1mx !entry.
Qed.

(** A phase and one reflection for each y. *)
Lemma one_reflection U y : (0 < n)%N -> unitary U -> exists z : C, exists2 v,
  v != 0 & `|z| = 1 /\ U *m y = z *: (mirror v *m y).
Proof.
move=> n0 uU; have keeps x : inner (U *m x) (U *m x) = inner x x.
  by rewrite /inner adjointM -mulmxA (mulmxA (adjoint U)) uU mul1mx.
have [->|y0] := eqVneq y 0.
  exists 1, (delta_mx (Ordinal n0) 0); last by rewrite normr1 !mulmx0 scaler0.
  by apply/eqP=> /matrixP/(_ (Ordinal n0) 0); rewrite !mxE !eqxx => /eqP; rewrite oner_eq0.
pose w := inner y (U *m y); pose z : C := if w == 0 then 1 else w / `|w|.
have z1 : `|z| = 1 by rewrite /z; case: eqVneq => [_|w0]; rewrite ?normr1 // normrM normfV normr_id divff // normr_eq0.
have zz : z^* * z = 1 by rewrite mulrC -normCK z1 expr1n.
have wz : z^* * w = `|w|.
  rewrite /z; case: eqVneq => [->|w0]; first by rewrite mulr0 normr0.
  have norm0 : `|w| != 0 by rewrite normr_eq0.
  rewrite rmorphM fmorphV /= (conj_Creal (normr_real _)) mulrAC [w^* * w]mulrC -normCK expr2 mulfK //.
have [|v0] := eqVneq (y - z^* *: (U *m y)) 0.
  move=> /eqP; rewrite subr_eq0 => /eqP same; exists (- z), y => //; split; first by rewrite normrN.
  rewrite mirrorE divfK ?inner_eq0 // scaler_nat mulr2n opprD addrA subrr sub0r scaleNr scalerN opprK.
  by rewrite [in RHS]same scalerA mulrC zz scale1r.
set v := y - _ in v0; exists z, v => //; split=> //.
have yv : inner y v = inner y y - `|w| by rewrite /v -scaleNr innerDr innerZr mulNr wz.
have real : inner y v \is Num.real by rewrite yv rpredB ?normr_real // ger0_real ?inner_ge0.
have vy : inner v y = inner y v by rewrite innerC (conj_Creal real).
have zw : z * w^* = `|w| by rewrite -(conj_Creal (normr_real w)) -wz rmorphM /= conjCK.
have av : inner (z^* *: (U *m y)) v = - inner y v.
  by rewrite yv opprB /v -scaleNr innerDr innerZr !innerZl conjCK keeps (innerC y (U *m y)) -/w mulNr mulrA zz mul1r zw.
have vv : inner v v = 2%:R * inner v y by rewrite vy {1}/v innerDl innerNl av opprK mulr_natl mulr2n.
rewrite mirrorE (_ : 2%:R / inner v v * inner v y = 1) ?scale1r; last first.
  by rewrite mulrAC -vv divff // inner_eq0.
by rewrite /v opprB addrC subrK scalerA mulrC zz scale1r.
Qed.

(** Theorem D.2: for unitary U one reflection and a phase for each vector;
    conversely what takes each vector to phases and reflections of it is unitary. *)
Theorem unitary_iff_reflected U : (0 < n)%N ->
  (unitary U -> forall y, exists z : C, exists2 v, v != 0 & `|z| = 1 /\ U *m y = z *: (mirror v *m y)) /\
  ((forall y, reflected y (U *m y)) -> (forall y, inner (U *m y) (U *m y) = inner y y) /\ unitary U).
Proof.
move=> n0; split=> [uU y|all_reflected]; first exact: one_reflection.
have keeps y : inner (U *m y) (U *m y) = inner y y by apply: reflected_keeps.
by split=> //; apply: keeps_lengths_unitary.
Qed.

End Phases.

(** Without a phase no reflection will do: U = -i in dimension 1. *)
Theorem not_unitary_iff_reflected_without_phase (C : numClosedFieldType) :
  ~ (forall n (U : 'M[C]_n), (0 < n)%N -> unitary U -> forall y : 'cV[C]_n, exists2 v, v != 0 & U *m y = mirror v *m y).
Proof.
have unit1 : unitary ('i%:M : 'M[C]_1).
  apply/matrixP=> i j; rewrite !ord1 !mxE big_ord1 !mxE eqxx mulr1n conjCi mulNr -expr2 sqrCi opprK //.
move/(_ 1%N 'i%:M isT unit1 1%:M) => [v v0] /matrixP/(_ 0 0).
have entry (x : 'cV[C]_1) : inner v x = (v 0 0)^* * x 0 0 by rewrite /inner mxE big_ord1 mxE.
have vv : inner v v != 0 by rewrite inner_eq0.
rewrite mirrorE [in LHS]mxE big_ord1 !mxE eqxx !mulr1n mulr1 -mulrA (entry 1%:M) mxE mulr1 -entry divfK // => e.
have : 'i ^+ 2 = (1 - 2%:R) ^+ 2 :> C by rewrite e.
rewrite sqrCi mulr2n opprD addrA subrr sub0r sqrrN expr1n => /eqP.
by rewrite eq_sym -subr_eq0 opprK -mulr2n pnatr_eq0.
Qed.

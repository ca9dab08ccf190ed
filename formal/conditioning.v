(** * The pseudoinverse, and the condition number

    orvieto24, Sec. 4.1: the reconstruction (V^* V)^-1 V^*, roots of unity, real eigenvalues, eigenvalues inside the circle. *)

From mathcomp Require Import all_ssreflect all_algebra.
From lemmata Require Import vandermonde recall subspaces.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** Conjugate transposes and lengths *)
Section Adjoint.

Variable C : numClosedFieldType.

Definition adjoint m n (A : 'M[C]_(m, n)) : 'M[C]_(n, m) := (map_mx conjC A)^T.

Local Notation "A ^*m" := (adjoint A) (at level 8, format "A ^*m").

Lemma adjointM m n p (A : 'M[C]_(m, n)) (B : 'M[C]_(n, p)) : (A *m B)^*m = B^*m *m A^*m.
Proof. by rewrite /adjoint map_mxM trmx_mul. Qed.

Lemma adjointK m n (A : 'M[C]_(m, n)) : (A^*m)^*m = A.
Proof. by apply/matrixP=> i j; rewrite !mxE conjCK. Qed.

Lemma adjoint1 n : (1%:M : 'M[C]_n)^*m = 1%:M.
Proof. by rewrite /adjoint map_mx1 trmx1. Qed.

Lemma adjointV n (A : 'M[C]_n) : (invmx A)^*m = invmx A^*m.
Proof. by rewrite /adjoint map_invmx trmx_inv. Qed.

(** The square of the length of a column. *)
Definition norm2 n (x : 'cV[C]_n) : C := (x^*m *m x) 0 0.

Lemma norm2E n (x : 'cV[C]_n) : norm2 x = \sum_i `|x i 0| ^+ 2.
Proof. by rewrite /norm2 mxE; apply: eq_bigr => i _; rewrite !mxE normCK mulrC. Qed.

Lemma norm2_ge0 n (x : 'cV[C]_n) : 0 <= norm2 x.
Proof. by rewrite norm2E sumr_ge0 // => i _; rewrite exprn_ge0. Qed.

Lemma norm2_eq0 n (x : 'cV[C]_n) : (norm2 x == 0) = (x == 0).
Proof.
apply/idP/idP=> [|/eqP->]; last by rewrite norm2E big1 // => i _; rewrite mxE normr0 expr0n.
rewrite norm2E psumr_eq0 => [/allP zero|i _]; last by rewrite exprn_ge0.
apply/eqP/colP=> i; have := zero i (mem_index_enum i).
by rewrite expf_eq0 normr_eq0 => /andP[_ /eqP->]; rewrite mxE.
Qed.

(** V^* V is invertible where V is injective, since x^* V^* V x = |V x|^2. *)
Lemma gram_unit m n (A : 'M[C]_(m, n)) : row_full A -> A^*m *m A \in unitmx.
Proof.
move=> full; suff : row_full (A^*m *m A) by rewrite -row_free_unit.
apply/(full_on_columns (A^*m *m A)) => x Gx; apply: ((full_on_columns A).1 full); apply/eqP; rewrite -norm2_eq0 /norm2 adjointM.
by rewrite -mulmxA (mulmxA A^*m) Gx mulmx0 mxE.
Qed.

(** ** The pseudoinverse: Penrose's four conditions *)
Definition pseudoinverse m n (A : 'M[C]_(m, n)) (G : 'M[C]_(n, m)) : Prop :=
  [/\ A *m G *m A = A, G *m A *m G = G, (A *m G)^*m = A *m G & (G *m A)^*m = G *m A].

(** Sanity: there is at most one ... *)
Lemma pseudoinverse_unique m n (A : 'M[C]_(m, n)) G H : pseudoinverse A G -> pseudoinverse A H -> G = H.
Proof.
move=> [AGA GAG AG GA] [AHA HAH AH HA].
have -> : G = G *m A *m H.
  have e : A *m G = A *m H.
    rewrite -[LHS]AG -{1}AHA -!mulmxA !mulmxA -[A *m H *m A *m G]mulmxA adjointM AG AH.
    by rewrite mulmxA AGA.
  by rewrite -{1}GAG -!mulmxA e.
have e : G *m A = H *m A.
  rewrite -[LHS]GA -{1}AHA !mulmxA -[G *m A *m H *m A]mulmxA adjointM GA HA.
  by rewrite !mulmxA -(mulmxA H) -(mulmxA H) AGA.
by rewrite e HAH.
Qed.

(** ... and of full column rank it is (A^* A)^-1 A^*. *)
Lemma pseudoinverse_full m n (A : 'M[C]_(m, n)) : row_full A -> let W := invmx (A^*m *m A) *m A^*m in W *m A = 1%:M /\ pseudoinverse A W.
Proof.
move=> full W; have WA : W *m A = 1%:M by rewrite /W -mulmxA mulVmx // gram_unit.
split=> //; split; first by rewrite -mulmxA WA mulmx1.
- by rewrite WA mul1mx.
- by rewrite /W mulmxA !adjointM adjointV adjointM !adjointK mulmxA.
- by rewrite WA adjoint1.
Qed.

(** Sanity: every matrix has one. *)
Lemma pseudoinverse_exists m n (A : 'M[C]_(m, n)) : exists G, pseudoinverse A G.
Proof.
have [_ [L1 _ L3 _]] := pseudoinverse_full (col_base_full A).
have fullR : row_full (row_base A)^*m.
  by rewrite -[row_full _]/(_ == _) /adjoint mxrank_tr mxrank_map; exact: row_base_free.
have [RR [R1 _ R3 _]] := pseudoinverse_full fullR.
Abort.

End Adjoint.

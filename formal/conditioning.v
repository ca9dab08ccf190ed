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

(** Sanity: every matrix has one; it is made of those of a factor of full column rank and one of full row rank. *)
Lemma pseudoinverse_factors m r n (B : 'M[C]_(m, r)) (R : 'M[C]_(r, n)) :
  row_full B -> row_full R^*m -> exists G, pseudoinverse (B *m R) G.
Proof.
move=> /pseudoinverse_full[L1 [_ _ L3 _]] /pseudoinverse_full[R1 [_ _ R3 _]].
move: L1 L3 R1 R3; set L := invmx _ *m _; set T := invmx _ *m _ => L1 L3 R1 R3.
have RT : R *m T^*m = 1%:M by rewrite -[R]adjointK -adjointM R1 adjoint1.
have AG : B *m R *m (T^*m *m L) = B *m L by rewrite -mulmxA (mulmxA R) RT mul1mx.
have GA : T^*m *m L *m (B *m R) = T^*m *m R by rewrite mulmxA -(mulmxA _ L) L1 mulmx1.
exists (T^*m *m L); split.
- by rewrite AG mulmxA -(mulmxA _ L) L1 mulmx1.
- by rewrite GA -!mulmxA (mulmxA R) RT mul1mx.
- by rewrite AG.
- by rewrite GA -[R in LHS]adjointK -adjointM R3 adjointM adjointK.
Qed.

Lemma pseudoinverse_exists m n (A : 'M[C]_(m, n)) : exists G, pseudoinverse A G.
Proof.
have fullR : row_full (row_base A)^*m.
  by rewrite /row_full /adjoint mxrank_tr mxrank_map; exact: row_base_free.
by have := pseudoinverse_factors (col_base_full A) fullR; rewrite mulmx_base.
Qed.

End Adjoint.

Notation "A ^*m" := (adjoint A) (at level 8, format "A ^*m").

(** ** Sec. 4.1: where at least k nodes differ, (V^* V)^-1 V^* is the pseudoinverse of V and recovers the inputs *)
Section Reconstruction.

Variables (C : numClosedFieldType) (N : nat) (node : 'I_N -> C).

Theorem reconstruction k : (k <= size (distinct node))%N ->
  let V := vandermonde_matrix k node in let W := invmx (V^*m *m V) *m V^*m in
  [/\ V^*m *m V \in unitmx, pseudoinverse V W & W *m V = 1%:M].
Proof.
move=> enough V W; have full : row_full V by apply/injective_at_full/injective_iff.
by have [WV pW] := pseudoinverse_full full; split=> //; apply: gram_unit.
Qed.

End Reconstruction.

(** Plain transposes do not: with 1, i, -1, -i as nodes and two inputs V^T V has a row of zeros. *)
Theorem not_reconstruction_by_plain_transposes (C : numClosedFieldType) :
  exists node : 'I_4 -> C, (2 <= size (distinct node))%N /\ let V := vandermonde_matrix 2 node in V^T *m V \notin unitmx.
Proof.
exists (fun j => 'i ^+ j); split.
  apply: (uniq_leq_size (s1 := [:: 1; -1])) => [|x].
    by rewrite /= inE andbT eq_sym -subr_eq0 -opprD oppr_eq0 (_ : 1 + 1 = 2%:R) // pnatr_eq0.
  rewrite !inE mem_undup => /orP[] /eqP->.
    by rewrite -[X in X \in _](expr0 'i) (codom_f (fun j : 'I_4 => 'i ^+ j) 0).
  by rewrite -sqrCi (codom_f (fun j : 'I_4 => 'i ^+ j) (inord 2)) inordK.
move=> V; apply/negP=> VV; have : row 0 (V^T *m V) = 0.
  by apply/rowP=> j; rewrite !mxE !big_ord_recl big_ord0.
Abort.

(** ** Eq. 7, repaired *)
Section Equation7.

Variables (C : numClosedFieldType) (L P : nat) (Psi : 'M[C]_(L, P)).

(** Omega_k = Psi_k Gamma_k^+ recovers the first k tokens of every input from the space iff Gamma_k = V_k Psi_k has the rank of Psi_k ... *)
Theorem equation7 N (node : 'I_N -> C) k (kL : (k <= L)%N) (G : 'M[C]_(P, N)) :
  pseudoinverse (vandermonde_matrix k node *m first_rows kL Psi) G ->
  (forall v, (exists a : 'cV_P, v = first_rows kL Psi *m a) -> first_rows kL Psi *m G *m (vandermonde_matrix k node *m v) = v) <->
  \rank (vandermonde_matrix k node *m first_rows kL Psi) = \rank (first_rows kL Psi).
Proof. by case=> GGG _ _ _; exact: reconstruction_iff_rank_kept. Qed.

(** ... and for N >= P almost all eigenvalues have this at every k <= L. *)
Theorem equation7_almost_all N : (P <= N)%N -> almost_all N (fun s => ranks_kept Psi (nodes_of (N := N) s)).
Proof. exact: almost_all_keep_ranks. Qed.

End Equation7.

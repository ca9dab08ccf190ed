(** * The pseudoinverse, and the condition number

    orvieto24, Sec. 4.1: the reconstruction (V^* V)^-1 V^*, roots of unity, real eigenvalues, eigenvalues inside the
    circle.

    - [adjoint A], also written A ^*m; [norm2 x]: the square of the length of x;
    - [pseudoinverse A G]: G satisfies Penrose's four equations for A;
    - [kappa_le V c], [kappa_ge V c], [kappa V c]: the condition number of V is at most, at least, exactly c;
    - [roots z j]: the powers of a root of unity as nodes;
    - [chebyshev n], [values n x], [hidden k]: Chebyshev's polynomials, their values,
          the coefficients of T_(k-1) as an input. *)

From mathcomp Require Import all_ssreflect all_algebra all_solvable all_field ring.
From lemmata Require Import vandermonde recall almost_all subspaces.

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
apply/(full_on_columns (A^*m *m A)) => x Gx; apply: ((full_on_columns A).1 full); apply/eqP;
  rewrite -norm2_eq0 /norm2 adjointM.
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
Lemma pseudoinverse_full m n (A : 'M[C]_(m, n)) : row_full A -> let W := invmx (A^*m *m A) *m A^*m in
  W *m A = 1%:M /\ pseudoinverse A W.
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
  exists node : 'I_4 -> C, (2 <= size (distinct node))%N /\
    let V := vandermonde_matrix 2 node in V^T *m V \notin unitmx.
Proof.
exists (fun j => 'i ^+ j); split.
  apply: (uniq_leq_size (s1 := [:: 1; -1])) => [|x].
    by rewrite /= inE andbT eq_sym -subr_eq0 -opprD oppr_eq0 (_ : 1 + 1 = 2%:R) // pnatr_eq0.
  rewrite !inE mem_undup => /orP[] /eqP->.
    by rewrite -[X in X \in _](expr0 'i) (codom_f (fun j : 'I_4 => 'i ^+ j) 0).
  by have := codom_f (fun j : 'I_4 => 'i ^+ j : C) (inord 2); rewrite inordK // sqrCi.
move=> V; apply/negP=> VV; have : row 0 (V^T *m V) = 0.
  apply/rowP=> j; rewrite !mxE !big_ord_recl big_ord0 !mxE /=.
  have i3 : 'i ^+ 3 = - 'i :> C by rewrite exprSr sqrCi mulN1r.
  case: j => [[|[|//]]] /= _; rewrite /bump /= -?[(1 + (1 + 0))%N]/2%N -?[(1 + (1 + (1 + 0)))%N]/3%N !expr0 !expr1
    sqrCi i3.
    by rewrite !mulrNN !mulr1 -expr2 sqrCi addr0 subrr addr0 subrr.
  by rewrite !mulr1 addr0 [X in 1 + X]addrCA subrr addr0 subrr.
rewrite rowE => /(congr1 (mulmx^~ (invmx (V^T *m V)))); rewrite mulmxK // mul0mx => /rowP/(_ 0).
by rewrite !mxE => /eqP; rewrite oner_eq0.
Qed.

(** ** Eq. 7, repaired *)
Section Equation7.

Variables (C : numClosedFieldType) (L P : nat) (Psi : 'M[C]_(L, P)).

(** Omega_k = Psi_k Gamma_k^+ recovers the first k tokens of every input from the space iff Gamma_k = V_k Psi_k has the
    rank of Psi_k ... *)
Theorem equation7 N (node : 'I_N -> C) k (kL : (k <= L)%N) (G : 'M[C]_(P, N)) :
  pseudoinverse (vandermonde_matrix k node *m first_rows kL Psi) G ->
  (forall v, (exists a : 'cV_P, v = first_rows kL Psi *m a) ->
    first_rows kL Psi *m G *m (vandermonde_matrix k node *m v) = v) <->
  \rank (vandermonde_matrix k node *m first_rows kL Psi) = \rank (first_rows kL Psi).
Proof. by case=> GGG _ _ _; exact: reconstruction_iff_rank_kept. Qed.

(** ... and for N >= P almost all eigenvalues have this at every k <= L. *)
Theorem equation7_almost_all N : (P <= N)%N -> almost_all (P * 'C(L, 2)) (ranks_kept Psi (N := N)).
Proof. by apply: almost_all_keep_ranks; apply: numbers_are_infinite. Qed.

End Equation7.

(** ** Condition numbers

    The condition number of an injective V is the quotient of the largest and the smallest factor
    by which it stretches: kappa <= c says that
    |V x| / |x| <= c |V y| / |y| for all x, y; kappa >= c that for some x, y, not 0, the quotient is at least c. *)
Section Condition.

Variables (C : numClosedFieldType) (m n : nat) (V : 'M[C]_(m, n)).

Definition kappa_le (c : C) := forall x y, norm2 (V *m x) * norm2 y <= c ^+ 2 * (norm2 (V *m y) * norm2 x).
Definition kappa_ge (c : C) := exists x y,
  [/\ x != 0, y != 0 & c ^+ 2 * (norm2 (V *m y) * norm2 x) <= norm2 (V *m x) * norm2 y].

(** It is c, for an injective V with columns. *)
Definition kappa (c : C) := [/\ row_full V, kappa_le c & kappa_ge c].

(** Sanity: lower bounds are below upper ones, so there is one condition number at most. *)
Lemma kappa_between c d : row_full V -> 0 <= c -> 0 <= d -> kappa_ge c -> kappa_le d -> c <= d.
Proof.
move=> full c0 d0 [x [y [x0 y0 low]]] high.
have pos (z : 'cV[C]_n) : z != 0 -> 0 < norm2 z by move=> z0; rewrite lt_def norm2_ge0 norm2_eq0 z0.
have Vy : V *m y != 0 by apply: contraNneq y0 => /((full_on_columns V).1 full)->.
have := le_trans low (high x y); rewrite ler_pmul2r ?mulr_gt0 ?pos //; last by rewrite lt_def norm2_ge0 norm2_eq0 Vy.
by rewrite ler_pexpn2r // nnegrE.
Qed.

(** V^* V = s I with s > 0: all vectors are stretched alike. *)
Lemma kappa_isometry (s : C) : (0 < n)%N -> 0 < s -> V^*m *m V = s%:M -> kappa 1.
Proof.
move=> n0 s0 VV; have stretch x : norm2 (V *m x) = s * norm2 x.
  by rewrite /norm2 adjointM mulmxA -(mulmxA x^*m) VV -mulmxA mul_scalar_mx -scalemxAr mxE.
split; last 1 first.
- exists (const_mx 1), (const_mx 1); rewrite expr1n mul1r !stretch mulrAC; split=> //.
    by apply/eqP=> /colP/(_ (Ordinal n0))/eqP; rewrite !mxE oner_eq0.
  by apply/eqP=> /colP/(_ (Ordinal n0))/eqP; rewrite !mxE oner_eq0.
- apply/full_on_columns => x Vx; apply/eqP; rewrite -norm2_eq0.
  by have /eqP := stretch x; rewrite Vx {1}/norm2 mulmx0 mxE eq_sym mulf_eq0 gt_eqF.
by move=> x y; rewrite expr1n mul1r !stretch mulrAC.
Qed.

End Condition.

(** ** Roots of unity *)

(** There are primitive ones, since X^N - 1 splits and is separable. *)
Lemma primitive_root_exists (C : numClosedFieldType) N : (0 < N)%N -> exists z : C, N.-primitive_root z.
Proof.
move=> N0; have [r Dp] := closed_field_poly_normal ('X^N - 1 : {poly C}).
rewrite (monicP (monic_Xn_sub_1 _ N0)) scale1r in Dp.
have rn1 : all N.-unity_root r by apply/allP=> z; rewrite -root_prod_XsubC -Dp.
have sz : (N < (size r).+1)%N by rewrite -(size_prod_XsubC r id) -Dp size_Xn_sub_1.
have [|z] := hasP (has_prim_root N0 rn1 _ sz); last by exists z.
by rewrite -separable_prod_XsubC -Dp separable_Xn_sub_1 // pnatr_eq0 -lt0n.
Qed.

Section Roots.

Variables (C : numClosedFieldType) (N : nat) (z : C).
Hypothesis primitive : N.-primitive_root z.

Definition roots (j : 'I_N) : C := z ^+ j.

Let N0 : (0 < N)%N := prim_order_gt0 primitive.

(** The conjugate of a root of unity is its inverse. *)
Lemma conj_root : z * z^* = 1.
Proof.
have /eqP z1 : `|z| == 1 by rewrite -(pexpr_eq1 N0) // -normrX (prim_expr_order primitive) normr1.
by rewrite -normCK z1 expr1n.
Qed.

(** A geometric sum of powers of w, w^N = 1 and w other than 1. *)
Lemma geometric (w : C) : w ^+ N = 1 -> w != 1 -> \sum_(j < N) w ^+ j = 0.
Proof.
move=> wN w1; have /eqP := subrX1 w N; rewrite wN subrr eq_sym mulf_eq0 subr_eq0 (negbTE w1) /=.
by move/eqP.
Qed.

Theorem roots_are_orthogonal k : (k <= N)%N -> let V := vandermonde_matrix k roots in V^*m *m V = N%:R%:M.
Proof.
move=> kN V; apply/matrixP=> a b; rewrite mxE.
pose w := z^* ^+ (k.-1 - a) * z ^+ (k.-1 - b).
have -> : \sum_j V^*m a j * V j b = \sum_(j < N) w ^+ j.
  apply: eq_bigr => j _; rewrite !mxE /roots rmorphX rmorphX /= exprMn -!exprM.
  by rewrite ![(j * _)%N]mulnC.
have below (c : 'I_k) : (k.-1 - c < N)%N.
  by rewrite (leq_ltn_trans (leq_subr _ _)) // (leq_trans _ kN) // prednK // (leq_ltn_trans _ (ltn_ord c)).
have [ab|ab] := eqVneq a b.
  rewrite !mxE ab eqxx; have -> : w = 1 by rewrite /w ab -exprMn mulrC conj_root expr1n.
  by under eq_bigr do rewrite expr1n; rewrite sumr_const card_ord.
rewrite geometric ?[RHS]mxE ?(negbTE ab) //.
  rewrite exprMn -!exprM ![(_ * N)%N]mulnC !exprM -rmorphX (prim_expr_order primitive) rmorph1 !expr1n mulr1.
  by [].
apply: contraNneq ab => w1.
have : z ^+ (k.-1 - b) = z ^+ (k.-1 - a).
  by rewrite -[LHS]mul1r -(expr1n _ (k.-1 - a)) -conj_root exprMn -mulrA -/w w1 mulr1.
move/eqP; rewrite (eq_prim_root_expr primitive) !modn_small // => /eqP e.
have sub (c : 'I_k) : (c <= k.-1)%N by rewrite -ltnS prednK // (leq_ltn_trans _ (ltn_ord c)).
by apply/eqP/val_inj; rewrite /= -(subKn (sub a)) -e subKn.
Qed.

Theorem roots_condition k : (0 < k <= N)%N -> kappa (vandermonde_matrix k roots) 1.
Proof.
move=> /andP[k0 kN]; apply: (kappa_isometry (s := N%:R)) => //; last exact: roots_are_orthogonal.
by rewrite ltr0n.
Qed.

End Roots.

(** ** Eigenvalues inside the circle forget *)
Section Inside.

Variables (C : numClosedFieldType) (N k : nat) (node : 'I_N -> C).

Local Notation V := (vandermonde_matrix k node).

Lemma norm2_delta n (j : 'I_n) : norm2 (delta_mx j 0 : 'cV[C]_n) = 1.
Proof.
rewrite norm2E (bigD1 j) //= mxE !eqxx normr1 expr1n big1 ?addr0 // => i ij.
by rewrite mxE (negbTE ij) normr0 expr0n.
Qed.

Lemma delta_neq0 n (j : 'I_n) : (delta_mx j 0 : 'cV[C]_n) != 0.
Proof. by rewrite -norm2_eq0 norm2_delta oner_eq0. Qed.

(** The column for an input of age k - 1 - j. *)
Lemma norm2_column j : norm2 (V *m delta_mx j 0) = \sum_i (`|node i| ^+ (k.-1 - j)) ^+ 2.
Proof. by rewrite -colE norm2E; apply: eq_bigr => i _; rewrite !mxE normrX. Qed.

(** For nodes of modulus at most r the first column is short, the last one is all ones: kappa >= r^-(k-1). *)
Theorem inside_condition r : (0 < k)%N -> 0 < r -> (forall i, `|node i| <= r) -> kappa_ge V (r^-1 ^+ k.-1).
Proof.
move=> k0 r0 inside; have last : (k.-1 < k)%N by rewrite prednK.
exists (delta_mx (Ordinal last) 0), (delta_mx (Ordinal k0) 0); split; rewrite ?delta_neq0 //.
rewrite !norm2_delta !norm2_column !mulr1 /= subnn subn0 mulr_sumr; apply: ler_sum => i _.
rewrite expr0 expr1n -exprMn -exprMn; do 2!rewrite exprn_ile1 ?exprn_ge0 ?mulr_ge0 ?invr_ge0 ?(ltW r0) //.
by rewrite mulrC ler_pdivr_mulr // mul1r.
Qed.

End Inside.

(** ** Chebyshev's polynomials hide in real eigenvalues *)
Section Chebyshev.

Variable C : numClosedFieldType.

Fixpoint pair_of n : {poly C} * {poly C} :=
  if n is n'.+1 then ((pair_of n').2, 2%:R *: ('X * (pair_of n').2) - (pair_of n').1) else (1, 'X).

Definition chebyshev n : {poly C} := (pair_of n).1.

Lemma chebyshev2 n : chebyshev n.+2 = 2%:R *: ('X * chebyshev n.+1) - chebyshev n.
Proof. by []. Qed.

(** Degree n, and the leading coefficient doubles. *)
Lemma size_chebyshev n : (size (chebyshev n) <= n.+1)%N.
Proof.
suff [] : (size (chebyshev n) <= n.+1)%N /\ (size (chebyshev n.+1) <= n.+2)%N by [].
elim: n => [|n [IH IH1]]; first by rewrite /chebyshev /= size_poly1 size_polyX.
split=> //; rewrite chebyshev2 (leq_trans (size_add _ _)) // size_opp geq_max (leq_trans IH) ?andbT; last
  by rewrite ltnW.
rewrite (leq_trans (size_scale_leq _ _)) // (leq_trans (size_mul_leq _ _)) // size_polyX.
by rewrite addSn /= add1n ltnS.
Qed.

Lemma lead_chebyshev n : (chebyshev n.+1)`_n.+1 = 2%:R ^+ n.
Proof.
elim: n => [|n IH]; first by rewrite /chebyshev /= coefX.
by rewrite chebyshev2 coefB coefZ coefXM /= IH [X in _ - X]nth_default ?subr0 ?exprS // (leq_trans (size_chebyshev n)).
Qed.

(** With the values of the polynomials of the second kind, T_n^2 + (1 - x^2) U_(n-1)^2 = 1 ... *)
Fixpoint values n (x : C) : C * C :=
  if n is n'.+1 then (x * (values n' x).1 - (1 - x ^+ 2) * (values n' x).2, x * (values n' x).2 + (values n' x).1)
  else (1, 0).

Lemma chebyshev_value n x : (chebyshev n).[x] = (values n x).1.
Proof.
suff [] : (chebyshev n).[x] = (values n x).1 /\ (chebyshev n.+1).[x] = (values n.+1 x).1 by [].
elim: n => [|n [IH IH1]]; first by rewrite /chebyshev /= hornerC hornerX mulr1 mulr0 subr0.
split=> //; rewrite chebyshev2 hornerD hornerN hornerZ mulrC hornerM hornerX IH IH1 /=.
ring.
Qed.

Lemma values_circle n x : (values n x).1 ^+ 2 + (1 - x ^+ 2) * (values n x).2 ^+ 2 = 1.
Proof.
elim: n => [|n IH] /=; first by rewrite expr1n expr0n mulr0 addr0.
rewrite -[RHS]IH; ring.
Qed.

Lemma values_real n x : x \is Num.real -> (values n x).1 \is Num.real /\ (values n x).2 \is Num.real.
Proof.
move=> xr; elim: n => [|n [t u]] /=; first by rewrite rpred1 rpred0.
by rewrite rpredB ?rpredD ?rpredM ?rpredB ?rpred1 ?rpredX.
Qed.

(** ... so |T_n| <= 1 on [-1, 1]. *)
Lemma chebyshev_bounded n x : -1 <= x <= 1 -> `|(chebyshev n).[x]| <= 1.
Proof.
move=> /andP[x1 x1']; have xr : x \is Num.real by rewrite -(ler_real x1) rpredN rpred1.
have [t u] := values_real n xr; rewrite chebyshev_value -(@expr_le1 _ 2) // real_normK // -(values_circle n x).
rewrite ler_addl mulr_ge0 ?real_exprn_even_ge0 // (_ : 1 - x ^+ 2 = (1 - x) * (1 + x)); last by ring.
by rewrite mulr_ge0 ?subr_ge0 // addrC -[1]opprK subr_ge0.
Qed.

(** The coefficients of T_(k-1), the highest first: an input of length k whose state is small. *)
Definition hidden k : 'cV[C]_k := \col_j (chebyshev k.-1)`_(k.-1 - j).

Variables (N k : nat) (node : 'I_N -> C).

Local Notation V := (vandermonde_matrix k node).

Lemma state_of_hidden i : (0 < k)%N -> (V *m hidden k) i 0 = (chebyshev k.-1).[node i].
Proof.
move=> k0; rewrite (@horner_coef_wide _ k); last by rewrite (leq_trans (size_chebyshev _)) // prednK.
rewrite mxE (reindex_inj rev_ord_inj) /=; apply: eq_bigr => j _; rewrite !mxE mulrC.
have kj : (k - j.+1 = k.-1 - j)%N by rewrite -subn1 subnAC subn1 subnS.
by rewrite /= kj subKn // -ltnS prednK.
Qed.

Lemma hidden_from_ones c : (0 < k)%N -> (forall i, -1 <= node i <= 1) -> hidden k != 0 ->
  c ^+ 2 <= norm2 (hidden k) -> kappa_ge V c.
Proof.
move=> k0 inside h0 cc; have last : (k.-1 < k)%N by rewrite prednK.
exists (delta_mx (Ordinal last) 0), (hidden k); split; rewrite ?delta_neq0 //.
rewrite norm2_delta norm2_column mulr1 /= subnn; under eq_bigr do rewrite expr0 expr1n.
apply: le_trans (ler_wpmul2r (norm2_ge0 _) cc) _; rewrite mulrC; apply: ler_wpmul2r; first exact: norm2_ge0.
rewrite norm2E; apply: ler_sum => i _; rewrite state_of_hidden //.
by rewrite exprn_ile1 // chebyshev_bounded.
Qed.

Lemma real_condition : (0 < k)%N -> (forall i, -1 <= node i <= 1) -> kappa_ge V (sqrtC (norm2 (hidden k))).
Proof.
move=> k0 inside; apply: hidden_from_ones; rewrite ?sqrtCK //.
apply/eqP=> /colP/(_ (Ordinal k0)); rewrite !mxE subn0 /=.
case: (k.-1) => [|n]; first by rewrite /chebyshev /= coefC => /eqP; rewrite oner_eq0.
by rewrite lead_chebyshev => /eqP; rewrite expf_eq0 pnatr_eq0 andbF.
Qed.

(** At least the leading coefficient. *)
Lemma real_condition_exponential : (1 < k)%N -> (forall i, -1 <= node i <= 1) -> kappa_ge V (2%:R ^+ k.-2).
Proof.
move=> k1 inside; have k0 := ltnW k1.
have top : hidden k (Ordinal k0) 0 = 2%:R ^+ k.-2.
  by rewrite mxE subn0 /= -(prednK (_ : 0 < k.-1)%N) ?lead_chebyshev // -ltnS prednK.
apply: hidden_from_ones => //.
  by apply/eqP=> /colP/(_ (Ordinal k0))/eqP; rewrite top mxE expf_eq0 pnatr_eq0 andbF.
rewrite norm2E (bigD1 (Ordinal k0)) //= top normrX normr_nat ler_addl.
by apply: sumr_ge0 => i _; rewrite exprn_ge0.
Qed.

End Chebyshev.

(** ** Complex eigenvalues keep what stable real ones, or small ones, lose *)
Theorem complex_is_better (C : numClosedFieldType) k :
  [/\ forall N, (0 < k <= N)%N -> exists node : 'I_N -> C,
    (forall i, `|node i| = 1) /\ kappa (vandermonde_matrix k node) 1,
      (1 < k)%N -> forall N (node : 'I_N -> C), (forall i, -1 <= node i <= 1) -> kappa_ge (vandermonde_matrix k node)
        (2%:R ^+ k.-2) &
      (0 < k)%N -> forall N (node : 'I_N -> C) r, 0 < r ->
        (forall i, `|node i| <= r) -> kappa_ge (vandermonde_matrix k node) (r^-1 ^+ k.-1)].
Proof.
split=> [N kN|k1 N node|k0 N node r]; [|exact: real_condition_exponential|exact: inside_condition].
have N0 : (0 < N)%N by case/andP: kN => k0 /(leq_trans k0).
have [z pz] := primitive_root_exists C N0.
exists (roots z (N := N)); split=> [i|]; last exact: roots_condition.
by rewrite normrX (_ : `|z| = 1) ?expr1n //; apply/eqP; rewrite -(pexpr_eq1 N0) // -normrX (prim_expr_order pz) normr1.
Qed.

(** With one input more than there are roots the condition number is not 1 (V is not injective). *)
Theorem not_roots_condition_one_input_more (C : numClosedFieldType) N (z : C) :
  ~ kappa (vandermonde_matrix N.+1 (roots z (N := N))) 1.
Proof.
by case=> /eqP full _ _; have := rank_leq_row (vandermonde_matrix N.+1 (roots z (N := N))); rewrite full ltnn.
Qed.

(** No real eigenvalues in [-1, 1] do as well as complex ones: for three inputs the condition number is at least 2. *)
Theorem not_complex_is_better_nor_real (C : numClosedFieldType) N (node : 'I_N -> C) :
  (forall i, -1 <= node i <= 1) -> ~ kappa (vandermonde_matrix 3 node) 1.
Proof.
move=> inside [full le _]; have := kappa_between full (exprn_ge0 _ (ler0n C 2)) ler01
  (real_condition_exponential (isT : (1 < 3)%N) inside) le.
by rewrite expr1 lern1.
Qed.

(** Not every choice of eigenvalues keeps the ranks: the eigenvalue 0 forgets the first of two inputs. *)
Theorem not_equation7_every_choice (C : numClosedFieldType) : exists (Psi : 'M[C]_(2, 1)) (node : 'I_1 -> C),
  ~ ranks_kept Psi node.
Proof.
pose Psi : 'M[C]_(2, 1) := delta_mx 0 0; exists Psi, (fun=> 0) => /(_ 2%N (leqnn 2)).
have -> : first_rows (leqnn 2) Psi = Psi by apply/matrixP=> i j; rewrite mxE; congr (Psi _ _); apply: val_inj.
rewrite (_ : _ *m Psi = 0) ?mxrank0 ?mxrank_delta // -colE; apply/matrixP=> i j.
by rewrite !mxE expr1.
Qed.

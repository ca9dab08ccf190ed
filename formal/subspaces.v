(** * Inputs from a subspace: almost all choices of as many units as dimensions determine them, at every step

    orvieto24, Sec. 3.1.2: Theorem 3 and the repair of Eq. 7.

    - [first_rows kL Psi]: the first k rows of Psi, the inputs up to time k;
    - [ranks_kept Psi node]: V_k Psi_k has the rank of Psi_k, at every k;
    - [exceptions Psi node]: the product over k of a minor of V_k Psi_k, which is not 0 only where the ranks are kept;
    - [told_apart Psi node]: at every k the state determines the inputs up to time k;
    - [one_by_one n Q]: Q holds for all but finitely many first numbers, for all but finitely many second ones, which
      may depend on the first, and so on. *)

From mathcomp Require Import all_ssreflect all_algebra.
From lemmata Require Import vandermonde recall almost_all.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** One number after the other *)
Section OneByOne.

Variable F : fieldType.

Fixpoint one_by_one n (Q : seq F -> Prop) : Prop :=
  if n is n'.+1
  then exists2 p : {poly F}, p != 0 & forall x, ~~ root p x -> one_by_one n' (fun s => Q (x :: s)) else Q [::].

Lemma one_by_one_weaken n (Q Q' : seq F -> Prop) :
  (forall s, size s = n -> Q s -> Q' s) -> one_by_one n Q -> one_by_one n Q'.
Proof.
elim: n Q Q' => [|n IH] Q Q' QQ' /=; first exact: QQ'.
case=> p p0 ap; exists p => // x px; apply: IH (ap x px) => s ss; apply: QQ'; by rewrite /= ss.
Qed.

Lemma one_by_one_true n (Q : seq F -> Prop) : (forall s, size s = n -> Q s) -> one_by_one n Q.
Proof.
elim: n Q => [|n IH] Q QT /=; first exact: QT.
by exists 1 => [|x _]; [exact: oner_neq0 | apply: IH => s ss; apply: QT; rewrite /= ss].
Qed.

Lemma one_by_one_and n (Q Q' : seq F -> Prop) :
  one_by_one n Q -> one_by_one n Q' -> one_by_one n (fun s => Q s /\ Q' s).
Proof.
elim: n Q Q' => [|n IH] Q Q' //= [p p0 ap] [q q0 aq]; exists (p * q); first by rewrite mulf_neq0.
by move=> x; rewrite rootM => /norP[px qx]; apply: IH; [exact: ap | exact: aq].
Qed.

Lemma one_by_one_upto n L (Q : nat -> seq F -> Prop) :
  (forall k, one_by_one n (Q k)) -> one_by_one n (fun s => forall k, (k <= L)%N -> Q k s).
Proof.
move=> each; elim: L => [|L IH].
  by apply: one_by_one_weaken (each 0%N) => s _ Q0 k; rewrite leqn0 => /eqP->.
apply: one_by_one_weaken (one_by_one_and IH (each L.+1)) => s _ [below last] k.
by rewrite leq_eqVlt ltnS => /orP[/eqP->|/below].
Qed.

Lemma one_by_one_take r n (Q : seq F -> Prop) : (r <= n)%N -> one_by_one r Q -> one_by_one n (fun s => Q (take r s)).
Proof.
elim: r n Q => [|r IH] n Q; first by move=> _ Q0; apply: one_by_one_true => s _; rewrite take0.
by case: n => [//|n] rn [p p0 ap]; exists p => // x px; apply: IH (ap x px).
Qed.

Lemma one_by_one_some n (Q : seq F -> Prop) : infinite F -> one_by_one n Q -> exists2 s, size s = n & Q s.
Proof.
move=> inf; elim: n Q => [|n IH] Q /=; first by exists [::].
case=> p p0 most; have [s us sp] := infinite_uniq (size p) inf.
have /allPn[x _ px] : ~~ all (root p) s by apply/negP=> roots; have := max_poly_roots p0 roots us; rewrite sp ltnn.
by have [r rn Qr] := IH _ (most x px); exists (x :: r); rewrite //= rn.
Qed.

End OneByOne.

(** ** A unit more

    The rows of the nodes in a list, times a matrix M whose range the inputs come from. *)
Section OneMore.

Variables (F : fieldType) (k P : nat) (M : 'M[F]_(k, P)).

Definition V (s : seq F) : 'M[F]_(size s, k) := vandermonde_matrix k (fun i : 'I_(size s) => s`_i).

Definition rank_of (s : seq F) := \rank (V s *m M).

Lemma row_of s (i : 'I_(size s)) : row i (V s) = \row_j s`_i ^+ (k.-1 - j).
Proof. by apply/rowP=> j; rewrite !mxE. Qed.

(** More units see no less. *)
Lemma more_units s x : (V s *m M <= V (rcons s x) *m M)%MS.
Proof.
apply: submxMr; apply/row_subP=> i; rewrite row_of.
have lt : (i < size (rcons s x))%N by rewrite size_rcons ltnS ltnW.
suff -> : \row_(j < k) s`_i ^+ (k.-1 - j) = row (Ordinal lt) (V (rcons s x)) by exact: row_sub.
by rewrite row_of /= nth_rcons ltn_ord.
Qed.

(** If some input of the space is not seen, almost every further unit sees it: it would have to be a root of the
    input's polynomial. *)
Lemma one_more s : (rank_of s < \rank M)%N ->
  exists2 p : {poly F}, p != 0 & forall x, ~~ root p x -> (rank_of s < rank_of (rcons s x))%N.
Proof.
move=> short.
have /matrix0Pn[i [j Mij]] : M *m cokermx (V s *m M) != 0.
  by rewrite -submxE; apply: contraTN short => /mxrankS; rewrite -leqNgt.
pose a : 'cV[F]_P := col j (cokermx (V s *m M)); pose b := M *m a.
have Va : V s *m M *m a = 0 by rewrite /a colE mulmxA mulmx_coker mul0mx.
have bi : b i 0 != 0 by rewrite /b /a colE mulmxA -colE mxE.
pose p := \sum_(l < k) b l 0 *: 'X^(k.-1 - l).
have below (l : 'I_k) : (l <= k.-1)%N by rewrite -ltnS prednK // (leq_ltn_trans _ (ltn_ord l)).
exists p.
  apply: contraNneq bi => /polyP/(_ (k.-1 - i)%N).
  rewrite coef0 coef_sum (bigD1 i) //= coefZ coefXn eqxx mulr1 big1 ?addr0 => [->//|l li].
  rewrite coefZ coefXn; case: eqP => [e|_]; last by rewrite mulr0.
  by case/eqP: li; apply: val_inj; rewrite /= -(subKn (below l)) -e subKn.
move=> x; apply: contraNT; rewrite -leqNgt => no_more.
have : (V (rcons s x) *m M <= V s *m M)%MS.
  by rewrite -(geq_leqif (mxrank_leqif_sup (more_units s x))).
case/submxP=> D VD.
have lt : (size s < size (rcons s x))%N by rewrite size_rcons.
have : (V (rcons s x) *m b) (Ordinal lt) 0 = 0 by rewrite /b mulmxA VD -mulmxA Va mulmx0 mxE.
rewrite mxE /root horner_sum => {2}<-; apply/eqP/eq_bigr => l _.
by rewrite !mxE hornerZ hornerXn nth_rcons ltnn eqxx mulrC.
Qed.

End OneMore.

(** ** Theorem 3 and Eq. 7 *)
Section Theorem3.

Variables (F : fieldType) (k P : nat) (M : 'M[F]_(k, P)).

Lemma ranks_grow n s : one_by_one n (fun t => (minn (\rank M) (rank_of M s + n) <= rank_of M (s ++ t))%N).
Proof.
elim: n s => [|n IH] s /=; first by rewrite cats0 addn0 geq_minr.
have [short|enough] := ltnP (rank_of M s) (\rank M).
  have [p p0 more] := one_more short; exists p => // x px.
  apply: one_by_one_weaken (IH (rcons s x)) => t _; rewrite cat_rcons; apply: leq_trans.
  by rewrite leq_min geq_minl /= (leq_trans (geq_minr _ _)) // addnS -addSn leq_add2r more.
exists 1 => [|x _]; first exact: oner_neq0.
apply: one_by_one_weaken (IH (rcons s x)) => t _; rewrite cat_rcons; apply: leq_trans.
rewrite leq_min geq_minl /= (leq_trans (geq_minl _ _)) // (leq_trans enough) // (leq_trans _ (leq_addr _ _)) //.
exact: mxrankS (more_units M s x).
Qed.

(** V_k as a matrix of N rows, for N nodes in a list. *)
Definition nodes_of N (s : seq F) (i : 'I_N) : F := s`_i.

Lemma keep_rank_one_by_one N : (\rank M <= N)%N ->
  one_by_one N (fun s => \rank (vandermonde_matrix k (nodes_of (N := N) s) *m M) = \rank M).
Proof.
move=> enough; apply: one_by_one_weaken (ranks_grow N [::]) => s sN /=.
case: N / sN enough => enough; rewrite -[vandermonde_matrix _ _]/(V k s) -[\rank (_ *m _)]/(rank_of M s) => grown.
apply/eqP; rewrite eqn_leq mxrankM_maxr /=; apply: leq_trans grown.
by rewrite leq_min leqnn (leq_trans enough) ?leq_addl.
Qed.

(** A minor of V M, of the first rows and of as many columns as M has independent ones. *)
Definition minor N (rN : (\rank M <= N)%N) (node : 'I_N -> F) : F :=
  \det (rowsub (widen_ord rN) (vandermonde_matrix k node) *m col_base M).

Lemma polynomial_minor N (rN : (\rank M <= N)%N) : polynomial (\rank M * k.-1) (minor rN).
Proof.
apply: polynomial_det => i j.
have entry : polynomial k.-1 (fun x => \sum_(l < k) x (widen_ord rN i) ^+ (k.-1 - l) * col_base M l j).
  apply: polynomial_sum => l.
  have term := Product (polynomial_power F (widen_ord rN i) (k.-1 - l)) (@Constant F N (col_base M l j)).
  by apply: (Weaken _ (frefl _) term); rewrite addn0 leq_subr.
by apply: (Weaken (leqnn _) _ entry) => x; rewrite mxE; apply: eq_bigr => l _; rewrite !mxE.
Qed.

Lemma minor_keeps_rank N (rN : (\rank M <= N)%N) (node : 'I_N -> F) :
  minor rN node != 0 -> \rank (vandermonde_matrix k node *m M) = \rank M.
Proof.
rewrite /minor -unitfE -[_ \is a GRing.unit]/(_ \in unitmx) -row_full_unit => full.
apply/eqP; rewrite eqn_leq mxrankM_maxr /= -{1}(eqP full) -(mxrankMfree _ (row_base_free M)) -mulmxA mulmx_base.
by rewrite rowsubE -mulmxA mxrankM_maxr.
Qed.

Lemma minors_one_by_one N (rN : (\rank M <= N)%N) : one_by_one N (fun s => minor rN (nodes_of (N := N) s) != 0).
Proof.
apply: one_by_one_weaken (one_by_one_take rN (keep_rank_one_by_one (leqnn _))) => s sN kept.
have rows : rowsub (widen_ord rN) (vandermonde_matrix k (nodes_of (N := N) s)) =
            vandermonde_matrix k (nodes_of (N := \rank M) (take (\rank M) s)).
  by apply/matrixP=> i j; rewrite !mxE /nodes_of /= nth_take.
rewrite /minor rows -unitfE -[_ \is a GRing.unit]/(_ \in unitmx) -row_full_unit /row_full eqn_leq rank_leq_row /=.
by apply: leq_trans (mxrankM_maxl _ (row_base M)); rewrite -mulmxA mulmx_base kept.
Qed.

End Theorem3.

(** The first k rows of Psi: the inputs up to time k. *)
Definition first_rows (F : fieldType) k L P (kL : (k <= L)%N) (Psi : 'M[F]_(L, P)) : 'M[F]_(k, P) :=
  rowsub (widen_ord kL) Psi.

Section Prefixes.

Variables (F : fieldType) (L P : nat) (Psi : 'M[F]_(L, P)).

(** What Theorem 3 promises: at every step k <= L the matrix V_k Psi_k has the rank of Psi_k. *)
Definition ranks_kept N (node : 'I_N -> F) : Prop :=
  forall k (kL : (k <= L)%N), \rank (vandermonde_matrix k node *m first_rows kL Psi) = \rank (first_rows kL Psi).

Lemma rank_fits N k (kL : (k <= L)%N) : (P <= N)%N -> (\rank (first_rows kL Psi) <= N)%N.
Proof. exact: leq_trans (rank_leq_col _). Qed.

Definition upto (k : 'I_L.+1) : (k <= L)%N := ltn_ord k.

Definition exceptions N (PN : (P <= N)%N) (node : 'I_N -> F) : F :=
  \prod_(k < L.+1) minor (rank_fits (upto k) PN) node.

Lemma polynomial_exceptions N (PN : (P <= N)%N) : polynomial (P * 'C(L, 2)) (exceptions PN).
Proof.
have all_k := polynomial_prod (index_enum [finType of 'I_L.+1]) (fun k => polynomial_minor (rank_fits (upto k) PN)).
apply: (Weaken _ (frefl _) all_k); rewrite -triangular_sum big_mkord.
rewrite (big_ord_recl L) muln0 add0n big_distrr /=.
by apply: leq_sum => k _; rewrite leq_mul2r rank_leq_col orbT.
Qed.

Lemma exceptions_keep_ranks N (PN : (P <= N)%N) (node : 'I_N -> F) : exceptions PN node != 0 -> ranks_kept node.
Proof.
move/prodf_neq0=> no_zero k kL; have kL' : (k < L.+1)%N by [].
have := minor_keeps_rank (no_zero (Ordinal kL') isT).
by rewrite /= (bool_irrelevance (upto (Ordinal kL')) kL).
Qed.

(** Over an infinite field the exceptions are the zeros of a polynomial that is not 0, of degree at most
    P L (L - 1) / 2. *)
Lemma almost_all_keep_ranks N : infinite F -> (P <= N)%N -> almost_all (P * 'C(L, 2)) (ranks_kept (N := N)).
Proof.
move=> inf PN; exists (exceptions PN); split; [exact: polynomial_exceptions | | exact: exceptions_keep_ranks].
pose Q k s := forall kL : (k <= L)%N, minor (rank_fits kL PN) (nodes_of (N := N) s) != 0.
have each k : one_by_one N (Q k).
  have [kL|kL] := boolP (k <= L)%N; last by apply: one_by_one_true => s _ kL'; rewrite kL' in kL.
  by apply: one_by_one_weaken (minors_one_by_one (rank_fits kL PN)) => s _ e kL'; rewrite (bool_irrelevance kL' kL).
have [s _ all_k] := one_by_one_some inf (one_by_one_upto L each).
by exists (nodes_of s); apply/prodf_neq0 => k _; apply: all_k; apply: upto.
Qed.

End Prefixes.

Section Recovery.

Variables (F : fieldType) (k P N : nat) (Psi : 'M[F]_(k, P)) (W : 'M[F]_(N, k)).

(** Where the rank of W Psi is that of Psi, W tells the inputs of the space apart, and a linear map finds them; and
    only there. *)
Lemma recovered_iff_rank_kept :
  \rank (W *m Psi) = \rank Psi <-> exists Omega : 'M[F]_(k, N), Omega *m (W *m Psi) = Psi.
Proof.
split=> [e|[Omega e]]; last first.
  by apply/eqP; rewrite eqn_leq mxrankM_maxr -{1}e mxrankM_maxr.
have : (Psi <= W *m Psi)%MS by rewrite -(geq_leqif (mxrank_leqif_sup (submxMl W Psi))) e.
by case/submxP=> Omega e'; exists Omega.
Qed.

Lemma recovered_iff_told_apart :
  \rank (W *m Psi) = \rank Psi <-> (forall a b : 'cV[F]_P, W *m (Psi *m a) = W *m (Psi *m b) -> Psi *m a = Psi *m b).
Proof.
split=> [/recovered_iff_rank_kept[Omega e] a b same|apart].
  by rewrite -e -!mulmxA same.
apply/recovered_iff_rank_kept; suff /submxP[Omega e] : (Psi <= W *m Psi)%MS by exists Omega.
rewrite submxE; apply: contraT => /matrix0Pn[i [j]]; case/eqP.
pose a : 'cV[F]_P := col j (cokermx (W *m Psi)).
have Wa : W *m Psi *m a = 0 by rewrite /a colE mulmxA mulmx_coker mul0mx.
have unseen : W *m (Psi *m a) = W *m (Psi *m 0) by rewrite !mulmx0 mulmxA Wa.
by have := apart _ _ unseen; rewrite mulmx0 /a colE mulmxA -colE => /colP/(_ i); rewrite !mxE.
Qed.

(** Eq. 7, repaired: with any G such that Gamma G Gamma = Gamma, in particular with the pseudoinverse of
    Gamma = V_k Psi_k, the matrix
    Psi_k G recovers the inputs iff the rank of Gamma is that of Psi_k. *)
Lemma reconstruction_iff_rank_kept (G : 'M[F]_(P, N)) : (W *m Psi) *m G *m (W *m Psi) = W *m Psi ->
  (forall v, (exists a : 'cV[F]_P, v = Psi *m a) -> Psi *m G *m (W *m v) = v) <-> \rank (W *m Psi) = \rank Psi.
Proof.
move=> inverse; split=> [all_back|/recovered_iff_rank_kept[Omega e] v [a ->]].
  apply/recovered_iff_told_apart => a b same.
  by rewrite -(all_back _ (ex_intro _ a erefl)) -(all_back _ (ex_intro _ b erefl)) same.
have back : Psi *m G *m (W *m Psi) = Psi by rewrite -{1}e -!(mulmxA Omega) inverse e.
by rewrite (mulmxA W) mulmxA back.
Qed.

End Recovery.

(** ** Theorem 3, whole *)
Section Whole.

Variables (F : fieldType) (L : nat).

(** Any inputs: N >= L distinct eigenvalues determine u up to time k from x_k, at every k <= L: Proposition 1. *)
Theorem theorem3_any_inputs N (node : 'I_N -> F) : injective node -> (L <= N)%N ->
  forall k, (k <= L)%N -> injective_at node k.
Proof. by move=> inj LN k kL; have [] := proposition1 inj LN kL. Qed.

(** Inputs u = Psi a: at every step k <= L the state determines them up to time k. *)
Definition told_apart_at P (Psi : 'M[F]_(L, P)) N (node : 'I_N -> F) k (kL : (k <= L)%N) : Prop :=
  forall u v (a b : 'cV[F]_P), prefix k u = first_rows kL Psi *m a -> prefix k v = first_rows kL Psi *m b ->
  memory node u k = memory node v k -> forall t, (t < k)%N -> u t = v t.

Definition told_apart P (Psi : 'M[F]_(L, P)) N (node : 'I_N -> F) : Prop :=
  forall k (kL : (k <= L)%N), told_apart_at Psi node kL.

Lemma ranks_tell_apart P (Psi : 'M[F]_(L, P)) N (node : 'I_N -> F) : ranks_kept Psi node -> told_apart Psi node.
Proof.
move=> kept k kL u v a b ua vb; rewrite !states_are_vandermonde ua vb => same t tk.
have := (recovered_iff_told_apart _ _).1 (kept k kL) a b same.
by rewrite -ua -vb => /colP/(_ (Ordinal tk)); rewrite !mxE.
Qed.

(** Over an infinite field almost all choices of P eigenvalues do, since they keep all ranks ... *)
Theorem theorem3_subspace P (Psi : 'M[F]_(L, P)) : infinite F -> \rank Psi = P ->
  almost_all (P * 'C(L, 2)) (fun node : 'I_P -> F => ranks_kept Psi node /\ told_apart Psi node).
Proof.
move=> inf _; apply: almost_all_weaken (almost_all_keep_ranks Psi inf (leqnn P)) => [//|node kept].
by split=> //; apply: ranks_tell_apart.
Qed.

(** ... and for k = L no fewer units do. *)
Theorem theorem3_no_fewer P (Psi : 'M[F]_(L, P)) N (node : 'I_N -> F) : \rank Psi = P -> (N < P)%N ->
  ~ told_apart_at Psi node (leqnn L).
Proof.
move=> rP NP apart; have : \rank (vandermonde_matrix L node *m Psi) = \rank Psi.
  apply/recovered_iff_told_apart => a b same.
  have [u ua] := prefix_of (Psi *m a); have [v vb] := prefix_of (Psi *m b).
  have whole : first_rows (leqnn L) Psi = Psi by apply/matrixP=> i j; rewrite mxE; congr (Psi _ _); apply: val_inj.
  have := apart u v a b; rewrite whole !states_are_vandermonde ua vb => /(_ erefl erefl same) uv.
  by rewrite -ua -vb; apply/colP=> t; rewrite !mxE uv.
by rewrite rP => e; move: NP; rewrite ltnNge -e rank_leq_row.
Qed.

(** H input dimensions: H blocks of at least L units with distinct eigenvalues determine all of them, at every step. *)
Theorem theorem3_blocks H (n : 'I_H -> nat) (node : forall j, 'I_(n j) -> F) :
  (forall j, injective (@node j)) -> (forall j, (L <= n j)%N) -> forall k, (k <= L)%N -> block_injective node k.
Proof.
move=> inj Ln k kL; apply/blocks_injective_iff => j.
by apply/injective_iff; apply: theorem3_any_inputs (inj j) (Ln j) k kL.
Qed.

End Whole.

(** Not every choice of P distinct eigenvalues does: one unit with the eigenvalue 1/2 does not see the inputs
    (1, -1/2). *)
Theorem not_theorem3_every_choice : exists (Psi : 'M[rat]_(2, 1)) (node : 'I_1 -> rat),
  [/\ \rank Psi = 1%N, injective node & ~ told_apart Psi node].
Proof.
pose Psi : 'M[rat]_(2, 1) := \col_i (if i == 0 then 1 else - 2%:R^-1).
exists Psi, (fun=> 2%:R^-1); split; last 1 first.
- move=> apart; pose u (t : nat) : rat := if t is t'.+1 then - 2%:R^-1 else 1.
  have uP : prefix 2 u = first_rows (leqnn 2) Psi *m 1%:M.
    by rewrite mulmx1; apply/colP=> i; rewrite !mxE; case: i => [[|[|]]].
  have vP : prefix 2 (fun=> 0) = first_rows (leqnn 2) Psi *m 0 by rewrite mulmx0; apply/colP=> i; rewrite !mxE.
  have := apart 2%N (leqnn 2) u _ _ _ uP vP.
  suff -> : memory (fun _ : 'I_1 => 2%:R^-1) u 2 = memory (fun _ : 'I_1 => 2%:R^-1) (fun=> 0) 2
    by move/(_ erefl 0%N isT)/eqP; rewrite oner_eq0.
  apply/colP=> i; have z w : memory (fun _ : 'I_1 => 2%:R^-1 : rat) w 0 i 0 = 0 by rewrite /memory /= mxE.
  by rewrite !memoryS !z !(mulr0, add0r, addr0) mulr1 subrr.
- apply/eqP; rewrite eqn_leq rank_leq_col lt0n mxrank_eq0; apply/eqP=> /colP/(_ 0).
  by rewrite !mxE /= => /eqP; rewrite oner_eq0.
- by move=> i j _; rewrite !ord1.
Qed.

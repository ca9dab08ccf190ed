(** * Recall: the state of a diagonal recurrence as a Vandermonde matrix, its rank, and its determinant

    orvieto24, Sec. 3.1.1 and App. C: Eq. 3 and 4, Proposition 1 and what it should say, the clock, several input
    dimensions. Times count from 0.

    - [recurrence A B u k]: the state of x_k = A x_(k-1) + B u_k from x_0 = 0;
    - [memory node u k]: the state with A = Lambda, the diagonal matrix of the nodes, and B = 1;
    - [prefix k u]: the first k inputs as a column;
    - [injective_at node k], [onto_at node k]: the map from k inputs to the state is injective, onto;
    - [with_clock node], [split]: A and B with one more eigenvalue 1, which counts;
    - [block_Lambda], [block_B], [block_V], [component v j], [vec k v], [block_injective]: the same with a
          block for each input dimension. *)

From mathcomp Require Import all_ssreflect all_algebra.
From lemmata Require Import models vandermonde.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

(** x_k = A x_(k-1) + B u_k from x_0 = 0: the linear recurrence. *)
Section Recurrence.

Variables (R : ringType) (N m : nat) (A : 'M[R]_N) (B : 'M[R]_(N, m)) (u : nat -> 'cV[R]_m).

Definition recurrence (k : nat) : 'cV[R]_N := at_time (step (fun=> A) (mulmx B)) 0 u k.

Lemma recurrenceS k : recurrence k.+1 = A *m recurrence k + B *m u k.
Proof. by []. Qed.

(** Sanity: after one input the state is B u_1. *)
Lemma recurrence1 : recurrence 1 = B *m u 0%N.
Proof. by rewrite recurrenceS mulmx0 add0r. Qed.

End Recurrence.

(** ** Equations 3 and 4 *)
Section State.

Variables (F : fieldType) (N : nat) (node : 'I_N -> F).

Local Notation V k := (vandermonde_matrix k node).

Definition memory (u : nat -> F) : nat -> 'cV[F]_N := at_time (diagonal_step node) 0 u.

(** An input as a column of length 1. *)
Lemma memoryE u k : memory u k = recurrence (Lambda node) (const_mx 1) (fun t => (u t)%:M) k.
Proof.
elim: k => // k IH; rewrite recurrenceS -IH /memory /= {1}/diagonal_step /step; congr (_ + _).
by apply/matrixP=> i j; rewrite !mxE big_ord1 !mxE ord1 eqxx mul1r.
Qed.

(** The first k inputs, the oldest first. *)
Definition prefix k (u : nat -> F) : 'cV[F]_k := \col_j u j.

Lemma memoryS u k i : memory u k.+1 i 0 = node i * memory u k i 0 + u k.
Proof. exact: diagonal_stepE. Qed.

(** Eq. 4, by induction over k: a step multiplies the coefficients of
    old inputs by the node, and the new input has the coefficient 1. *)
Theorem states_are_vandermonde u k : memory u k = V k *m prefix k u.
Proof.
apply/colP=> i; elim: k => [|k IH]; first by rewrite /memory mxE mxE big_ord0.
rewrite memoryS IH !mxE big_ord_recr /= !mxE /= subnn expr0 mul1r big_distrr; congr (_ + _); apply: eq_bigr => j _.
have jk : (j <= k.-1)%N by rewrite -ltnS prednK // (leq_ltn_trans _ (ltn_ord j)).
by rewrite /= mulrA !mxE -exprS -subSn // prednK // (leq_ltn_trans _ (ltn_ord j)).
Qed.

(** It is the state that vandermonde.v speaks of. *)
Lemma memory_of_words u k i : memory u k i 0 = states node (mkseq u k) i.
Proof. by rewrite /memory at_timeE. Qed.

End State.

(** With the powers in the wrong order it is false. *)
Theorem not_states_are_ascending (F : fieldType) :
  exists (node : 'I_1 -> F) u, memory node u 2 != (\matrix_(i < 1, j < 2) node i ^+ j) *m prefix 2 u.
Proof.
exists (fun=> 0), (fun t => (t == 0%N)%:R); apply/eqP=> /colP/(_ 0).
rewrite memoryS mul0r add0r mxE big_ord_recl big_ord1 !mxE /= expr0 mulr1 mulr0 addr0 => /eqP.
by rewrite eq_sym oner_eq0.
Qed.

(** ** The determinant

    Nodes x_0, x_1, ... are a sequence here, so that the last one can be split off. *)
Section Determinant.

Variables (F : fieldType) (x : nat -> F).

Let V k := vandermonde_matrix k (fun i : 'I_k => x i).

(** From each column the multiple of the next one is subtracted, by the last node. *)
Let reduce k : 'M[F]_k.+1 := \matrix_(i, j) ((i == j)%:R - (i == j.+1 :> nat)%:R * x k).

Lemma det_reduce k : \det (reduce k) = 1.
Proof.
rewrite det_trig; last first.
  by apply/is_trig_mxP=> i j ij; rewrite mxE -val_eqE (ltn_eqF ij) ltn_eqF ?mul0r ?subr0 // (ltn_trans ij).
by apply: big1 => i _; rewrite mxE eqxx (ltn_eqF (ltnSn i)) mul0r subr0.
Qed.

(** The last column stays, in the others each entry gets the difference to the last node as a factor. *)
Lemma reduced_last k i : (V k.+1 *m reduce k) i ord_max = 1.
Proof.
rewrite mxE (bigD1 ord_max) //= !mxE eqxx (ltn_eqF (ltnSn _)) mul0r subr0 mulr1 subnn expr0 big1 ?addr0 // => j jk.
by rewrite !mxE (negbTE jk) (ltn_eqF (ltn_ord j)) mul0r subr0 mulr0.
Qed.

Lemma reduced_others k i (j : 'I_k) : (V k.+1 *m reduce k) i (widen_ord (leqnSn k) j) = (x i - x k) * x i ^+ (k.-1 - j).
Proof.
have jk := ltn_ord j; have Hj : (j.+1 < k.+1)%N by [].
rewrite mxE (bigD1 (widen_ord (leqnSn k) j)) //= (bigD1 (Ordinal Hj)) //=; last by rewrite -val_eqE /= gtn_eqF.
rewrite !mxE !eqxx -!val_eqE /= (ltn_eqF (ltnSn j)) (gtn_eqF (ltnSn j)) !mul1r mul0r subr0 mulr1 sub0r big1 ?addr0.
  have -> : (k.-1 - j = k - j.+1)%N by rewrite subnS -subn1 subnAC subn1.
  by rewrite mulrN [x i ^+ _ * x k]mulrC mulrBl -exprS subnSK.
move=> l; rewrite -!val_eqE /= => /andP[lj lj1].
by rewrite !mxE -val_eqE /= (negbTE lj) (negbTE lj1) mul0r subr0 mulr0.
Qed.

(** So the last row becomes (0, ..., 0, 1), and what is left is the
    smaller matrix with its rows multiplied by the differences. *)
Lemma det_step k : \det (V k.+1) = (\prod_(i < k) (x i - x k)) * \det (V k).
Proof.
transitivity (\det (V k.+1 *m reduce k)); first by rewrite det_mulmx det_reduce mulr1.
rewrite (expand_det_row _ ord_max) (bigD1 ord_max) //= big1 ?addr0; last first.
  move=> j jk; have jk' : (j < k)%N by rewrite ltn_neqAle -ltnS ltn_ord andbT -val_eqE in jk *.
  have -> : j = widen_ord (leqnSn k) (Ordinal jk') by apply: val_inj.
  by rewrite reduced_others subrr !mul0r.
rewrite reduced_last mul1r /cofactor -signr_odd /= addnn odd_double expr0 mul1r.
have -> : row' ord_max (col' ord_max (V k.+1 *m reduce k)) = diag_mx (\row_i (x i - x k)) *m V k.
  apply/matrixP=> i j; rewrite mul_diag_mx 2![LHS]mxE.
  have -> : lift ord_max j = widen_ord (leqnSn k) j by apply: val_inj; rewrite /= /bump leqNgt ltn_ord.
  by rewrite reduced_others !mxE /= /bump leqNgt ltn_ord.
by rewrite det_mulmx det_diag; congr (_ * _); apply: eq_bigr => i _; rewrite mxE.
Qed.

Lemma det_formula k : \det (V k) = \prod_(i < k) \prod_(j < k | (i < j)%N) (x i - x j).
Proof.
elim: k => [|k IH]; first by rewrite det_mx00 big_ord0.
rewrite det_step IH [RHS]big_ord_recr /= [X in _ = _ * X]big1 ?mulr1; last by move=> j; rewrite ltnNge -ltnS ltn_ord.
rewrite mulrC -big_split; apply: eq_bigr => i _ /=.
rewrite [RHS]big_mkcond big_ord_recr /= ltn_ord; congr (_ * _).
by rewrite [LHS]big_mkcond.
Qed.

End Determinant.

Section SquareMatrix.

Variables (F : fieldType) (k : nat) (node : 'I_k -> F).

(** orvieto24: det V_k is the product of the differences of the nodes, the earlier minus the later ... *)
Theorem determinant : \det (vandermonde_matrix k node) = \prod_(i < k) \prod_(j < k | (i < j)%N) (node i - node j).
Proof.
pose x n := if insub n is Some i then node i else 0.
have xE (i : 'I_k) : x i = node i by rewrite /x insubT // => p; congr node; apply: val_inj.
transitivity (\det (vandermonde_matrix k (fun i : 'I_k => x i))).
  by congr (\det _); apply/matrixP=> i j; rewrite !mxE xE.
by rewrite det_formula; apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite !xE.
Qed.

(** ... which is not 0 iff they are distinct. *)
Theorem determinant_nonzero : \det (vandermonde_matrix k node) != 0 <-> injective node.
Proof.
rewrite determinant; split=> [|inj]; last first.
  apply/prodf_neq0 => i _; apply/prodf_neq0 => j ij; rewrite subr_eq0; apply/eqP=> /inj ij'.
  by rewrite ij' ltnn in ij.
have less (i j : 'I_k) : (i < j)%N -> \prod_(i < k) \prod_(j < k | (i < j)%N) (node i - node j) != 0 ->
  node i != node j.
  by move=> ij /prodf_neq0 /(_ i isT) /prodf_neq0 /(_ j ij); rewrite subr_eq0.
move=> D i j ij; apply: val_inj; have [lt|lt|//] := ltngtP i j; last by have := less _ _ lt D; rewrite ij eqxx.
by have := less _ _ lt D; rewrite ij eqxx.
Qed.

End SquareMatrix.

(** With the differences reversed it is false: two nodes. *)
Theorem not_determinant_reversed :
  exists node : 'I_2 -> rat,
    \det (vandermonde_matrix 2 node) != \prod_(i < 2) \prod_(j < 2 | (i < j)%N) (node j - node i).
Proof.
exists (fun i => (i : nat)%:R).
rewrite determinant !big_ord_recl !big_ord0 !(big_mkcond (fun _ => _ < _)%N) /= !big_ord_recl !big_ord0 /=.
by [].
Qed.

(** ** Proposition 1, and what it should say *)
Section Rank.

Variables (F : fieldType) (N : nat) (node : 'I_N -> F).

Local Notation V k := (vandermonde_matrix k node).
Local Notation m := (size (distinct node)).

(** A unit for each of the different nodes. *)
Lemma distinct_unit (j : 'I_m) : exists i, node i == nth 0 (distinct node) j.
Proof.
have : nth 0 (distinct node) j \in codom node by rewrite -mem_undup mem_nth.
by case/codomP=> i e; exists i; rewrite e.
Qed.

Definition unit_of j : 'I_N := xchoose (distinct_unit j).

Lemma node_unit_of j : node (unit_of j) = nth 0 (distinct node) j.
Proof. exact/eqP/(xchooseP (distinct_unit j)). Qed.

(** Equal nodes have equal rows, so the rank is at most the number of different ones ... *)
Lemma rank_le_distinct k : (\rank (V k) <= m)%N.
Proof.
suff le : (V k <= rowsub unit_of (V k))%MS by apply: leq_trans (mxrankS le) (rank_leq_row _).
apply/row_subP=> i.
have mem : node i \in distinct node by rewrite mem_undup codom_f.
have lt : (index (node i) (distinct node) < m)%N by rewrite index_mem.
suff -> : row i (V k) = row (Ordinal lt) (rowsub unit_of (V k)) by exact: row_sub.
by apply/rowP=> j; rewrite !mxE node_unit_of /= nth_index.
Qed.

(** ... and r distinct nodes have an invertible block, the last r columns. *)
Lemma rank_ge_block k r : (r <= m)%N -> (r <= k)%N -> (r <= \rank (V k))%N.
Proof.
move=> rm rk; pose x (i : 'I_r) := node (unit_of (widen_ord rm i)).
have last (j : 'I_r) : (k - r + j < k)%N by rewrite -[X in (_ < X)%N](subnK rk) ltn_add2l.
have block : mxsub (fun i => unit_of (widen_ord rm i)) (fun j => Ordinal (last j)) (V k) = vandermonde_matrix r x.
  apply/matrixP=> i j; rewrite !mxE; congr (_ ^+ _); rewrite /=.
  by rewrite -(subnK rk) addnK -!subn1 -addnBA ?subnDl // (leq_trans _ (ltn_ord j)).
have inj : injective x.
  move=> i j; rewrite /x !node_unit_of /= => /eqP; rewrite nth_uniq ?undup_uniq //; last first.
  - exact: leq_trans (ltn_ord j) rm.
  - exact: leq_trans (ltn_ord i) rm.
  by move=> /eqP e; apply: val_inj.
have : vandermonde_matrix r x \in unitmx by rewrite unitmxE unitfE; apply/determinant_nonzero.
rewrite -row_free_unit -block => /eqP {1}<-.
rewrite mxsubrc; apply: leq_trans (mxrankS (rowsub_sub _ _)) _.
by rewrite -mxrank_tr trmx_mxsub -[X in (_ <= X)%N]mxrank_tr mxrankS // rowsub_sub.
Qed.

Theorem rank_vandermonde k : \rank (V k) = minn k m.
Proof.
apply/eqP; rewrite eqn_leq leq_min rank_leq_col rank_le_distinct /=.
by apply: rank_ge_block; [exact: geq_minr | exact: geq_minl].
Qed.

(** The map R^k from k inputs to the state. *)
Definition injective_at k := forall u v, memory node u k = memory node v k -> forall t, (t < k)%N -> u t = v t.
Definition onto_at k := forall x, exists u, memory node u k = x.

(** Any column is the first k inputs of something. *)
Lemma prefix_of k (c : 'cV[F]_k) : exists u, prefix k u = c.
Proof.
exists (fun t => if insub t is Some i then c i 0 else 0); apply/colP=> i; rewrite mxE insubT // => p.
by congr (c _ _); apply: val_inj.
Qed.

(** A matrix is injective on columns iff its rank is their length. *)
Lemma full_on_columns n k (A : 'M[F]_(n, k)) : row_full A <-> (forall c : 'cV[F]_k, A *m c = 0 -> c = 0).
Proof.
split=> [/row_fullP[B BA] c Ac|inj]; first by rewrite -[c]mul1mx -BA -mulmxA Ac mulmx0.
rewrite -cokermx_eq0; apply: contraT => /matrix0Pn[i [j]].
have /inj/colP/(_ i) : A *m col j (cokermx A) = 0 by rewrite colE mulmxA mulmx_coker mul0mx.
by rewrite !mxE => ->; rewrite eqxx.
Qed.

Lemma injective_at_full k : injective_at k <-> row_full (V k).
Proof.
split=> [inj|/row_fullP[W WV] u v same t tk].
  apply/full_on_columns=> c Vc; have [u uc] := prefix_of c.
  apply/colP=> i; rewrite -uc !mxE (inj u (fun=> 0)) // !states_are_vandermonde uc Vc.
  by rewrite (_ : prefix k _ = 0) ?mulmx0 //; apply/colP=> j; rewrite !mxE.
have : prefix k u = prefix k v by rewrite -[LHS]mul1mx -[RHS]mul1mx -WV -!mulmxA -!states_are_vandermonde same.
by move/colP/(_ (Ordinal tk)); rewrite !mxE.
Qed.

(** Proposition 1 as it should be: R^k is injective iff at least k nodes differ ... *)
Theorem injective_iff k : injective_at k <-> (k <= m)%N.
Proof. by rewrite injective_at_full /row_full rank_vandermonde eqn_leq geq_minl leq_min leqnn. Qed.

(** ... and onto iff all N do and N <= k. *)
Theorem onto_iff k : onto_at k <-> N = m /\ (N <= k)%N.
Proof.
have mN : (m <= N)%N by rewrite -[X in (_ <= X)%N]card_ord -(size_codom node) size_undup.
have free : row_free (V k) <-> N = m /\ (N <= k)%N.
  rewrite /row_free rank_vandermonde; split=> [/eqP e|[Nm Nk]]; last by rewrite -Nm; apply/eqP/minn_idPr.
  have Nk : (N <= k)%N := leq_trans (eq_leq (esym e)) (geq_minl _ _).
  have Nm : (N <= m)%N := leq_trans (eq_leq (esym e)) (geq_minr _ _).
  by split=> //; apply/eqP; rewrite eqn_leq mN Nm.
rewrite -free; split=> [onto|/row_freeP[B VB] x].
  apply: inj_row_free => w wV; apply/rowP=> i; have [u ui] := onto (delta_mx i 0).
  have : w *m (delta_mx i 0 : 'cV[F]_N) = 0 by rewrite -ui states_are_vandermonde mulmxA wV mul0mx.
  by rewrite -colE => /colP/(_ 0); rewrite !mxE.
have [u uB] := prefix_of (B *m x); exists u.
by rewrite states_are_vandermonde uB mulmxA VB mul1mx.
Qed.

(** Proposition 1: N >= L distinct nodes determine the first k <=
    L inputs, and a linear map W recovers them, at every step. *)
Theorem proposition1 L : injective node -> (L <= N)%N -> forall k, (k <= L)%N ->
  injective_at k /\ exists W : 'M[F]_(k, N), forall u, W *m memory node u k = prefix k u.
Proof.
move=> inj LN k kL.
have mN : m = N by rewrite /distinct undup_id ?size_codom ?card_ord // /codom map_inj_uniq ?enum_uniq.
have enough : (k <= m)%N by rewrite mN (leq_trans kL).
have /injective_iff full := enough; split=> //.
have /row_fullP[W WV] := (injective_at_full k).1 full; exists W => u.
by rewrite states_are_vandermonde mulmxA WV mul1mx.
Qed.

End Rank.

(** It is not onto in general, as printed: two units after one input. *)
Theorem not_proposition1_bijective :
  exists node : 'I_2 -> rat, injective node /\ ~ onto_at node 1.
Proof.
exists (fun i => (i : nat)%:R); split; last by case/onto_iff.
by move=> i j /eqP; rewrite Num.Theory.eqr_nat => /eqP e; apply: val_inj.
Qed.

(** Without different nodes it is false: a node twice. *)
Theorem not_proposition1_repeated : exists node : 'I_2 -> rat, ~ injective_at node 2.
Proof.
exists (fun=> 0) => /injective_iff; apply/negP; rewrite -ltnNge ltnS.
apply: (uniq_leq_size (s2 := [:: 0])); first exact: undup_uniq.
by move=> x; rewrite mem_undup => /codomP[_ ->]; rewrite inE.
Qed.

(** ** The clock *)
Section Clock.

Variables (F : fieldType) (N : nat) (node : 'I_N -> F).

(** One more eigenvalue 1, and a matrix B that splits the input (1, v): 1 to the clock, v to the other units. *)
Definition with_clock : 'M[F]_(1 + N) := block_mx 1%:M 0 0 (Lambda node).
Definition split : 'M[F]_(1 + N, 1 + 1) := block_mx 1%:M 0 0 (const_mx 1).

(** It is diagonal, with the eigenvalues 1 and those of the nodes. *)
Lemma with_clock_diagonal : with_clock = diag_mx (row_mx 1%:M (\row_i node i)).
Proof. by rewrite diag_mx_row /with_clock; congr block_mx; apply/matrixP=> i j; rewrite !ord1 !mxE. Qed.

Theorem clock (v : nat -> F) k :
  recurrence with_clock split (fun t => col_mx 1%:M (v t)%:M) k =
  col_mx k%:R%:M (vandermonde_matrix k node *m prefix k v).
Proof.
rewrite -states_are_vandermonde memoryE; elim: k => [|k IH]; first by rewrite raddf0 col_mx0.
rewrite !recurrenceS IH /with_clock /split !mul_block_col !mul0mx !addr0 !add0r add_col_mx !mul1mx; congr col_mx.
by rewrite -raddfD /= -mulrSr.
Qed.

End Clock.

(** With another eigenvalue in its place it does not count: 0 says 1 for ever. *)
Theorem not_clock_forgets :
  exists k : nat, recurrence (0 : 'M[rat]_1) 1%:M (fun=> 1%:M) k <> k%:R%:M.
Proof. by exists 2%N => /colP/(_ 0); rewrite recurrenceS mul0mx add0r mul1mx !mxE. Qed.

(** ** App. C: a block of units for each input dimension

    Block j has n_j units, reads v_j, and nothing else; vec(v) is v_1 up to time k, then v_2, ... *)
Section Blocks.

Variables (F : fieldType) (M : nat) (n : 'I_M -> nat) (node : forall j, 'I_(n j) -> F).

Definition block_Lambda : 'M[F]_(\sum_j n j) := \mxdiag_j Lambda (@node j).
Definition block_B : 'M[F]_(\sum_j n j, M) := \mxcol_j \matrix_(_, l) (l == j)%:R.

Definition block_V k : 'M[F]_(\sum_j n j, \sum_(j < M) k) :=
  \mxblock_(i, j) (if i == j then vandermonde_matrix k (@node i) else 0).

Definition component (v : nat -> 'cV[F]_M) j : nat -> F := fun t => v t j 0.

Definition vec k (v : nat -> 'cV[F]_M) : 'cV[F]_(\sum_(j < M) k) := \mxcol_j prefix k (component v j).

(** The blocks do not interact. *)
Lemma blockwise v k : recurrence block_Lambda block_B v k = \mxcol_j memory (@node j) (component v j) k.
Proof.
elim: k => [|k IH]; first by rewrite mxcol0.
rewrite recurrenceS IH /block_Lambda /block_B mul_mxdiag_mxcol mxcol_mul -mxcolD; apply: eq_mxcol => j.
congr (_ + _); apply/matrixP=> i l; rewrite !ord1 mxE (bigD1 j) //= big1 ?addr0.
  by rewrite !mxE eqxx mul1r.
by move=> l' lj; rewrite mxE (negbTE lj) mul0r.
Qed.

(** The state is diag(V_1, ..., V_M) vec(v) ... *)
Theorem blocks_are_vandermonde v k : recurrence block_Lambda block_B v k = block_V k *m vec k v.
Proof.
rewrite blockwise /block_V /vec mul_mxblock_mxrow; apply: eq_mxcol => j.
rewrite states_are_vandermonde (bigD1 j) //= eqxx big1 ?addr0 // => l lj.
by rewrite eq_sym (negbTE lj) mul0mx.
Qed.

(** ... and determines all inputs up to time k iff every block has k distinct nodes. *)
Definition block_injective k := forall v w,
  recurrence block_Lambda block_B v k = recurrence block_Lambda block_B w k -> forall t, (t < k)%N -> v t = w t.

Theorem blocks_injective_iff k : block_injective k <-> forall j, (k <= size (distinct (@node j)))%N.
Proof.
split=> [inj j|enough v w]; last first.
  rewrite !blockwise => /eq_mxcolP same t tk; apply/colP=> j.
  by have /injective_iff inj := enough j; exact: inj (same j) t tk.
apply/injective_iff => u v same t tk.
pose at_j (u : nat -> F) : nat -> 'cV[F]_M := fun t => \col_l (if l == j then u t else 0).
have zero_elsewhere w l : l != j -> memory (@node l) (component (at_j w) l) k = 0.
  move=> lj; rewrite states_are_vandermonde (_ : prefix _ _ = 0) ?mulmx0 //.
  by apply/colP=> i; rewrite mxE /component mxE (negbTE lj) mxE.
have unchanged w : memory (@node j) (component (at_j w) j) k = memory (@node j) w k.
  by rewrite !states_are_vandermonde; congr (_ *m _); apply/colP=> i; rewrite !mxE /component mxE eqxx.
have : at_j u t = at_j v t.
  apply: inj tk; rewrite !blockwise; apply/eq_mxcolP => l.
  by have [->{l}|lj] := eqVneq l j; rewrite ?unchanged // !zero_elsewhere.
by move/colP/(_ j); rewrite !mxE eqxx.
Qed.

End Blocks.

(** If all blocks read the first input the second is lost. *)
Theorem not_blocks_read_one_input n (A : 'M[rat]_n) : exists v w : nat -> 'cV[rat]_2,
  v 0%N <> w 0%N /\
  forall k, recurrence A (\matrix_(i, l) (l == 0)%:R) v k = recurrence A (\matrix_(i, l) (l == 0)%:R) w k.
Proof.
exists (fun=> delta_mx 1 0), (fun=> 0); split=> [/colP/(_ 1)|k]; first by rewrite !mxE.
elim: k => [//|k IH]; rewrite !recurrenceS IH; congr (_ + _); rewrite mulmx0 -colE.
by apply/matrixP=> i j; rewrite !mxE.
Qed.

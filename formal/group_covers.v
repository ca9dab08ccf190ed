(** * The fewest factors of one layer that tracks a group: the least rank over finite covers

    New, beside grazzi25, Theorem 3: new.automata.fewest-reflections. For words of matrices see covers.v.

    - [cover el down lift rho]: a group that maps onto the letters' group by down, lifts of the letters that generate
      it, and a faithful representation rho of it;
    - [enough_in_a_cover], [enough_in_itself]: rank r suffices for the lifts in some cover, for the letters in the
      group itself;
    - [enough_in_a_layer]: a layer whose transitions are products of r GH factors at most tracks the group. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import zify.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import models householder covers one_factor planes lifts.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** A finite group that maps onto G, lifts of the letters that generate it, and a faithful representation of it. *)
Definition cover (F : fieldType) (X : finType) (gT cT : finGroupType) (el : X -> gT) (down : cT -> gT) (lift : X ->
  cT)
  n (rho : cT -> 'M[F]_n) : Prop :=
  [/\ {morph down : g h / (g * h)%g}, forall g, exists y, down y = g, forall x, down (lift x) = el x,
    <<[set lift x | x : X]>>%g = [set: cT] & faithful rho].

Definition enough_in_a_cover (F : fieldType) (X : finType) (gT : finGroupType) (el : X -> gT) r : Prop :=
  exists (cT : finGroupType) (down : cT -> gT) (lift : X -> cT) n (rho : cT -> 'M[F]_n),
    cover el down lift rho /\ forall x, (\rank (1%:M - rho (lift x))%R <= r)%N.

Definition enough_in_itself (F : fieldType) (X : finType) (gT : finGroupType) (el : X -> gT) r : Prop :=
  exists n (rho : gT -> 'M[F]_n), faithful rho /\ forall x, (\rank (1%:M - rho (el x))%R <= r)%N.

Lemma rank_swap (F : fieldType) n (A : 'M[F]_n) : \rank (1%:M - A) = \rank (A - 1%:M).
Proof. by rewrite -mxrank_opp opprB. Qed.


(** ** Matrices that generate a finite group are a cover *)

Section Matrices.

Variables (F : realFieldType) (X : finType) (gT : finGroupType) (el : X -> gT) (n : nat) (R : X ->
  'M[F]_n) (T : seq 'M[F]_n).
Hypotheses (unit : forall x, R x \in unitmx) (closed : forall w, product R w \in T)
  (determined : forall w w', product R w = product R w' -> value el w = value el w')
  (generate : <<[set el x | x : X]>>%g = [set: gT]).

Let Y := [finType of seq_sub T].
Let y0 : Y := SeqSub (closed [::]).
Let act (y : Y) (x : X) : Y := insubd y (val y *m R x).

Lemma actE w : val (foldl act y0 w) = product R (rev w).
Proof.
elim/last_ind: w => // w x IH; rewrite foldl_rcons rev_rcons -cat1s val_insubd IH.
have -> : R x = product R [:: x] by rewrite /product /affine.transitions /= mulmx1.
by rewrite -product_cat closed.
Qed.

Let Q := [finType of {y : Y | reach act y0 y}].
Let mat (q : Q) : 'M[F]_n := val (val q).

Lemma mat_inj : ssrfun.injective mat.
Proof. by move=> q p e; do 2!apply: val_inj. Qed.

Lemma mat_word q : exists w, product R w == mat q.
Proof. by have /reachP[w e] := valP q; exists (rev w); rewrite /mat -e actE. Qed.

Let start : reach act y0 y0. Proof. by apply/reachP; exists [::]. Qed.
Let q0 : Q := Sub y0 start.

Lemma go_reach (q : Q) x : reach act y0 (act (val q) x).
Proof. by have /reachP[w e] := valP q; apply/reachP; exists (rcons w x); rewrite foldl_rcons e. Qed.

Let go x (q : Q) : Q := Sub (act (val q) x) (go_reach q x).

Lemma goE x q : mat (go x q) = mat q *m R x.
Proof.
rewrite /mat /= val_insubd; have /reachP[w e] := valP q; rewrite (_ : _ \in T) //.
have -> : R x = product R [:: x] by rewrite /product /affine.transitions /= mulmx1.
by rewrite -e actE -product_cat closed.
Qed.

Lemma go_inj x : ssrfun.injective (go x).
Proof.
by move=> q p /(congr1 mat); rewrite !goE => e; apply: mat_inj; rewrite -(mulmxK (unit x) (mat q)) e mulmxK.
Qed.

Let s x : {perm Q} := perm (@go_inj x).
Let G := <<[set s x | x : X]>>%G.

Lemma by_matrix (g : {perm Q}) q : g \in G -> mat (g q) = mat q *m mat (g q0).
Proof.
pose K := [set g : {perm Q} | [forall q, mat (g q) == mat q *m mat (g q0)]].
have inK (g' : {perm Q}) : reflect (forall q, mat (g' q) = mat q *m mat (g' q0)) (g' \in K).
  by rewrite inE; apply: (iffP forallP) => e p; apply/eqP.
have groupK : group_set K.
  apply/group_setP; split; first by apply/inK => p; rewrite !perm1 mulmx1.
  by move=> a b /inK aK /inK bK; apply/inK => p; rewrite !permM bK aK -mulmxA -bK.
have sub : G \subset group groupK.
  rewrite gen_subG; apply/subsetP => _ /imsetP[x _ ->]; apply/inK => p.
  by rewrite !permE !goE [mat q0]/= mul1mx.
by move=> /(subsetP sub)/inK.
Qed.

Let cT := [finGroupType of subg_of G].
Let rho (g : cT) : 'M[F]_n := mat (sgval g q0).
Let lift (x : X) : cT := subg G (s x).

Lemma lift_in x : s x \in G.
Proof. by apply: mem_gen; apply: imset_f. Qed.

Lemma rho_lift x : rho (lift x) = R x.
Proof. by rewrite /rho subgK ?lift_in // permE goE [mat q0]/= mul1mx. Qed.

Lemma rho_is_faithful : faithful rho.
Proof.
split=> [|g h|g h e].
- by rewrite /rho /= perm1.
- by rewrite /rho /= permM by_matrix ?subgP.
apply: val_inj; apply/permP => q; apply: mat_inj.
by rewrite (by_matrix q (subgP g)) (by_matrix q (subgP h)) -/(rho g) e.
Qed.

Let word (g : cT) := xchoose (mat_word (sgval g q0)).
Lemma wordE g : product R (word g) = rho g.
Proof. exact/eqP/(xchooseP (mat_word (sgval g q0))). Qed.

Let down (g : cT) : gT := value el (word g).

Lemma downM : {morph down : g h / (g * h)%g}.
Proof.
move=> g h; rewrite /down -value_cat; apply: determined; rewrite product_cat !wordE.
by case: rho_is_faithful.
Qed.

Lemma down_lift x : down (lift x) = el x.
Proof.
have -> : el x = value el [:: x] by rewrite /value /= mulg1.
by apply: determined; rewrite wordE rho_lift /product /affine.transitions /= mulmx1.
Qed.

Lemma lifts_generate : <<[set lift x | x : X]>>%g = [set: cT].
Proof.
have -> : [set lift x | x : X] = (subg G @* [set s x | x : X])%g.
  rewrite morphimEsub; last exact: subset_gen.
  apply/setP => y; apply/imsetP/imsetP => [[x _ ->]|[_ /imsetP[x _ ->] ->]]; last by exists x.
  by exists (s x) => //; apply: imset_f.
by rewrite -morphim_gen ?subset_gen // im_subg.
Qed.

Lemma down_onto g : exists y, down y = g.
Proof.
have down1 : down 1%g = 1%g by apply: (mulgI (down 1%g)); rewrite -downM !mulg1.
have groupK : group_set [set down y | y : cT].
  apply/group_setP; split; first by apply/imsetP; exists 1%g.
  by move=> _ _ /imsetP[a _ ->] /imsetP[b _ ->]; apply/imsetP; exists (a * b)%g; rewrite ?downM.
have : g \in group groupK.
  have : g \in <<[set el x | x : X]>>%g by rewrite generate inE.
  apply/subsetP; rewrite gen_subG; apply/subsetP => _ /imsetP[x _ ->].
  by apply/imsetP; exists (lift x); rewrite ?down_lift.
by case/imsetP => y _ ->; exists y.
Qed.

Lemma matrices_are_a_cover : cover el down lift rho.
Proof.
by split; [exact: downM | exact: down_onto | exact: down_lift | exact: lifts_generate | exact: rho_is_faithful].
Qed.

Lemma matrices_cover r : (forall x, (\rank (R x - 1%:M)%R <= r)%N) -> enough_in_a_cover F el r.
Proof.
move=> small; exists cT, down, lift, n, rho; split; first exact: matrices_are_a_cover.
by move=> x; rewrite rank_swap rho_lift.
Qed.

End Matrices.

(** ** Square roots: a finite group of matrices is orthogonal in some basis *)

Section Roots.

Variable F : rcfType.

Lemma cholesky n (P : 'M[F]_n) : P^T = P -> (forall v : 'rV_n, v != 0 -> 0 < (v *m P *m v^T) 0 0) ->
  exists2 L, L \in unitmx & P = L *m L^T.
Proof.
elim: n P => [|n IH] P symmetric positive.
  by exists 1%:M; rewrite ?unitmx1 // [LHS]thinmx0 [RHS]thinmx0.
pose P' : 'M_(1 + n) := P; have P'E : block_mx (ulsubmx P') (ursubmx P') (dlsubmx P') (drsubmx P') = P := submxK P'.
set a := ulsubmx P' 0 0; set b := dlsubmx P'; set D := drsubmx P'.
have PE : P = block_mx a%:M b^T b D :> 'M_(1 + n).
  by rewrite -[LHS]P'E -mx11_scalar /b -[ursubmx P']trmxK trmx_ursub symmetric.
have DT : D^T = D by rewrite /D trmx_drsub symmetric.
have value (t : F) (v : 'rV_n) (beta := (v *m b) 0 0) :
  (row_mx t%:M v : 'rV_(1 + n)) *m P *m (row_mx t%:M v : 'rV_(1 + n))^T =
    ((t * a + beta) * t + t * beta)%:M + v *m D *m v^T.
  have vb : v *m b = beta%:M by apply: mx11_scalar.
  have bv : b^T *m v^T = beta%:M by rewrite -trmx_mul vb tr_scalar_mx.
  rewrite PE (@mul_row_block _ 1 1 n 1 n) tr_row_mx (@mul_row_col _ 1 1 n 1) tr_scalar_mx vb -scalar_mxM -raddfD /=
    -scalar_mxM.
  by rewrite mulmxDl -mulmxA bv -scalar_mxM addrA -raddfD.
have a0 : 0 < a.
  have := positive (row_mx (1%:M : 'M_1) 0 : 'rV_(1 + n)); rewrite value !mul0mx addr0 !mxE !mulr0 !addr0 mul1r mulr1.
  rewrite eqxx mulr1n; apply; apply/eqP => /(congr1 (@lsubmx _ 1 1 n)); rewrite row_mxKl => /matrixP/(_ 0 0).
  by rewrite !mxE eqxx => /eqP; rewrite oner_eq0.
have an0 : a != 0 by rewrite lt0r_neq0.
have [|v v0|L unitL LE] := IH (D - a^-1 *: (b *m b^T)).
- by rewrite linearB linearZ /= trmx_mul trmxK DT.
- set beta := (v *m b) 0 0; have vb : v *m b = beta%:M by apply: mx11_scalar.
  have bv : b^T *m v^T = beta%:M by rewrite -trmx_mul vb tr_scalar_mx.
  have := positive (row_mx (- (beta / a))%:M v : 'rV_(1 + n)); rewrite value -/beta.
  have -> : (- (beta / a) * a + beta) * - (beta / a) + - (beta / a) * beta = - (a^-1 * (beta * beta)) by field.
  have -> : v *m (D - a^-1 *: (b *m b^T)) *m v^T = (- (a^-1 * (beta * beta)))%:M + v *m D *m v^T.
    rewrite mulmxBr mulmxBl addrC; congr (_ + _); rewrite -scalemxAr -scalemxAl mulmxA vb -mulmxA bv -scalar_mxM.
    by rewrite scale_scalar_mx -raddfN.
  apply; apply: contraNneq v0 => /(congr1 (@rsubmx _ 1 1 n)); rewrite row_mxKr => ->; exact/eqP/linear0.
pose s := Num.sqrt a; have ss : s * s = a by rewrite -expr2 sqr_sqrtr // ltW.
have s0 : s != 0 by rewrite sqrtr_eq0 -ltNge.
exists (block_mx s%:M 0 (s^-1 *: b) L : 'M_(1 + n)).
  by rewrite unitmxE (@det_lblock _ 1 n) det_scalar1 unitrM unitfE s0 -unitmxE.
rewrite PE (@tr_block_mx _ 1 n 1 n) (@mulmx_block _ 1 n 1 n 1 n) tr_scalar_mx trmx0 !mul0mx !mulmx0 !addr0 -LE
  linearZ /=.
rewrite -!scalemxAl -!scalemxAr -scalar_mxM ss mul_scalar_mx mul_mx_scalar !scalerA mulVf // !scale1r.
by rewrite -invfM ss addrC subrK.
Qed.

Section Orthogonal.

Variables (gT : finGroupType) (n : nat) (rho : gT -> 'M[F]_n).
Hypothesis rho_faithful : faithful rho.

Lemma in_an_orthogonal_basis : exists2 rho' : gT -> 'M[F]_n, faithful rho' & forall g,
  orthogonal (rho' g) /\ \rank (rho' g - 1%:M) = \rank (rho g - 1%:M).
Proof.
have [rho1 rhoM rho_inj] := rho_faithful.
pose P := \sum_g rho g *m (rho g)^T.
have PT : P^T = P by rewrite /P linear_sum; apply: eq_bigr => g _; rewrite /= trmx_mul trmxK.
have [|L unitL PE] := cholesky PT.
  move=> v v0; have -> : v *m P *m v^T = \sum_g (v *m rho g) *m (v *m rho g)^T.
    by rewrite mulmx_sumr mulmx_suml; apply: eq_bigr => g _; rewrite trmx_mul !mulmxA.
  rewrite summxE (bigD1 1%g) //= ltr_paddr //; last first.
    by rewrite rho1 mulmx1 lt_neqAle dot_ge0 andbT eq_sym -/(dot v v) dot_eq0.
  by apply: sumr_ge0 => g _; apply: dot_ge0.
have invariant h : rho h *m P *m (rho h)^T = P.
  rewrite mulmx_sumr mulmx_suml [RHS](reindex_inj (mulgI h)); apply: eq_bigr => g _.
  by rewrite rhoM trmx_mul !mulmxA.
exists (fun g => invmx L *m rho g *m L).
  split=> [|g h|g h e]; first by rewrite rho1 mulmx1 mulVmx.
    by rewrite rhoM !mulmxA mulmxK.
  by apply: rho_inj; rewrite -[rho g](mulKVmx unitL) -[rho h](mulKVmx unitL) -[_ *m rho g](mulmxK unitL) e mulmxK.
move=> g; split.
  apply/eqP; transitivity (invmx L *m (rho g *m (L *m L^T) *m (rho g)^T) *m (invmx L)^T);
    first by rewrite !trmx_mul !mulmxA.
  by rewrite -PE invariant PE mulmxA mulVmx // mul1mx -trmx_mul mulVmx // trmx1.
have -> : invmx L *m rho g *m L - 1%:M = invmx L *m (rho g - 1%:M) *m L.
  by rewrite mulmxBr mulmx1 mulmxBl mulVmx.
by rewrite mxrankMfree ?row_free_unit // eqmxMfull ?row_full_unit ?unitmx_inv.
Qed.

End Orthogonal.

(** ** The theorem *)

Definition enough_in_a_layer (X : finType) (gT : finGroupType) (el : X -> gT) r : Prop :=
  exists m d (A : X -> 'M[F]_m) (b : X -> 'M[F]_(m, d)) (h0 : 'M[F]_(m, d)), tracks_products A b h0 el /\
    forall x, exists2 s : seq ('cV[F]_m * F), (size s <= r)%N & A x = gh_product s.

Theorem fewest_factors (X : finType) (gT : finGroupType) (el : X -> gT) r : <<[set el x | x : X]>>%g = [set: gT] ->
  enough_in_a_layer el r <-> enough_in_a_cover F el r.
Proof.
move=> generate; split=> [[m [d [A [b [h0 [tracked short]]]]]]|[cT [down [lift [n [rho [[downM _ lifts _
  rho_faithful] small]]]]]]].
  have [|n [R [small unit [T closed] determined]]] := (covers F el r).1.
    exists m, d, A, b, h0; split=> // x; have [s ss ->] := short x; exact: leq_trans (gh_product_rank s) ss.
  exact: matrices_cover unit closed determined generate _ small.
have [sigma [sigma1 sigmaM sigma_inj] good] := in_an_orthogonal_basis rho_faithful.
pose R x := sigma (lift x).
have stateE w : state (step R (fun _ => 0)) (1%:M : 'M[F]_n) w = sigma (value lift w).
  elim/last_ind: w => [|w x IH]; first by rewrite /state /value /= sigma1.
  by rewrite state_rcons IH value_rcons /step addr0 sigmaM.
have downE w : down (value lift w) = value el w.
  elim/last_ind: w => [|w x IH]; last by rewrite !value_rcons downM lifts IH.
  by apply: (mulgI (down 1%g)); rewrite /value /= -downM !mulg1.
exists n, n, R, (fun _ => 0), 1%:M; split; first split.
- by exists [seq sigma g | g <- enum cT] => w; rewrite stateE map_f // mem_enum.
- by move=> u v x; rewrite !stateE => /sigma_inj e; rewrite -!downE e.
move=> x; have [orth e] := good (lift x); have [vs _ [size_vs vsE]] := orthogonal_is_a_product_of_reflections orth.
exists (reflections vs); last by rewrite vsE.
by rewrite size_map; apply: leq_trans size_vs _; rewrite e -rank_swap.
Qed.

End Roots.

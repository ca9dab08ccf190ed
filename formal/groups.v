(** * Group automata in one layer, for every group and every number of points

    grazzi25, Theorem 3 and App. C.3, as stated and as amended.

    - [word_product w]: the product of a word's letters, the last one leftmost; [reached delta q0 q]: words lead to q;
    - [displaced s]: the number of points that a permutation displaces;
    - [reflections_at_most k A]: A is a product of at most k reflections, that is of GH matrices with the eigenvalue -1;
    - [state_by A h w]: the state after a word, from h, of a layer with B = 0;
    - [points F n]: the column 1, ..., n; [carries F s]: the matrix that carries point i to s i. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From lemmata Require Import models householder classes permutation.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** The state after a word: H_t = A(w_t) H_(t-1), that is B = 0. *)
Notation state_by A := (state (step A (fun=> 0))).

(** ** How many swaps *)

Definition displaced n (s : 'S_n) : nat := #|[set i | s i != i]|.

(** Fixed points are cycles, and one more holds what is moved. *)
Lemma many_cycles n (s : 'S_n) : (n - cycles s <= (displaced s).-1)%N.
Proof.
set fixed := [set i | s i == i]; have total : (#|fixed| + displaced s)%N = n.
  rewrite /displaced (_ : [set i | s i != i] = ~: fixed) ?cardsC ?card_ord //.
  by apply/setP=> i; rewrite !inE.
have single i : i \in fixed -> porbit s i = [set i].
  rewrite inE => /eqP si; apply/setP=> j; rewrite !inE; apply/porbitP/eqP=> [[k ->]|->]; last by exists 0%N;
    rewrite expg0 perm1.
  by elim: k => [|k IH]; rewrite ?expg0 ?perm1 // expgSr permM IH.
have sub : ([set porbit s i | i in fixed] \subset porbits s) by apply/subsetP=> _ /imsetP[i _ ->]; apply: imset_f.
have inj : {in fixed &, injective (porbit s)} by move=> i j fi fj; rewrite !single // => /set1_inj.
have [none|[x xE]] := set_0Vmem (~: fixed).
  have : displaced s = 0%N.
    by apply/eqP; rewrite cards_eq0 -none; apply/eqP/setP=> i; rewrite !inE.
  by move=> d0; rewrite d0 leqn0 subn_eq0 -[X in (X <= _)%N]total d0 addn0 -(card_in_imset inj) subset_leq_card.
have more : (#|fixed| < cycles s)%N.
  rewrite -(card_in_imset inj) proper_card // properE sub; apply/subsetPn; exists (porbit s x); first exact: imset_f.
  apply/negP=> /imsetP[i fi e]; move: xE; rewrite !inE => /eqP; apply.
  have : x \in porbit s i by rewrite -e porbit_id.
  by rewrite single // => /set1P ->; move: fi; rewrite inE => /eqP.
rewrite -[X in (X - _)%N]total leq_subLR; case: (displaced s) total => [|d] total /=.
  by rewrite addn0; apply: leq_trans (ltnW more) _; rewrite leq_addr.
by rewrite addnS -addSn leq_add2r.
Qed.

(** ** Reflections *)

Section OneLayer.

Variables (F : realFieldType) (n : nat).

Definition reflections_at_most k (A : 'M[F]_n) : Prop :=
  exists2 vs : seq 'rV[F]_n, all (fun v => v != 0) vs & (size vs <= k)%N /\ gh_product (reflections vs) = A.

(** A swap is a reflection: permutation matrices take n minus the number of cycles. *)
Lemma permutation_reflections (s : 'S_n) : reflections_at_most (n - cycles s) (perm_mx s).
Proof.
have [vs size_vs [prod_vs vsE]] := permutation_is_reflections F s.
have two (i j : 'I_n) : i != j -> dot (delta_mx 0 i - delta_mx 0 j : 'rV[F]_n) (delta_mx 0 i - delta_mx 0 j) = 2%:R.
  move=> ij; rewrite dotBl !dotBr /dot !trmx_delta !mul_delta_mx_cond !eqxx (negbTE ij) eq_sym (negbTE ij).
  by rewrite mulr1n mulr0n !mxE !eqxx sub0r subr0 opprK.
exists [seq v^T | v <- vs].
  apply/allP=> _ /mapP[v /vsE[i [j [ij ->]]] ->]; rewrite -dot_eq0 linearB /= !trmx_delta two //.
  by rewrite pnatr_eq0.
split; first by rewrite size_map -(leq_add2r (cycles s)) subnK ?cycles_le // size_vs.
rewrite -prod_vs /reflections -map_comp; congr gh_product; apply/eq_in_map=> v /vsE[i [j [ij ->]]] /=.
by rewrite trmxK linearB /= !trmx_delta two // divff // pnatr_eq0.
Qed.

(** They are products of k factors of classes.v. *)
Lemma reflections_are_gh k A : reflections_at_most k A -> gh_factors k A.
Proof.
move=> [vs vs0 [size_vs <-]]; exists (reflections vs); last by rewrite size_map.
rewrite /contracting all_map; apply/allP=> v /(allP vs0) /= v0; rewrite trmxK divfK ?dot_eq0 //.
by rewrite ler0n Order.POrderTheory.lexx.
Qed.

Lemma reflections_mono k k' A : (k <= k')%N -> reflections_at_most k A -> reflections_at_most k' A.
Proof. by move=> kk [vs vs0 [size_vs vsA]]; exists vs => //; split=> //; apply: leq_trans kk. Qed.

End OneLayer.

(** ** Theorem 3 as amended: any faithful orthogonal representation *)

Section Representation.

Variables (F : realFieldType) (m : nat) (G : finGroupType) (rho : G -> 'M[F]_m) (h0 : 'cV[F]_m).
Hypotheses (rho1 : rho 1%g = 1%:M) (rhoM : forall g h, rho (g * h)%g = rho g *m rho h) (rhoO : forall g,
  orthogonal (rho g)).
Hypothesis trivial_stabiliser : forall g, rho g *m h0 = h0 -> g = 1%g.

(** The product of a word: the last letter is the leftmost factor. *)
Definition word_product (w : seq G) : G := state (fun g x => x * g)%g 1%g w.

Lemma state_of_word w : state_by rho h0 w = rho (word_product w) *m h0.
Proof.
rewrite -[h0 in LHS]mul1mx -rho1 /word_product /state /step.
by elim: w 1%g => //= x w IH g; rewrite addr0 mulmxA -rhoM IH.
Qed.

Lemma states_differ g h : rho g *m h0 = rho h *m h0 -> g = h.
Proof.
move=> e; apply/eqP; rewrite eq_mulVg1 eq_sym; apply/eqP/esym/trivial_stabiliser.
by rewrite rhoM -mulmxA -e mulmxA -rhoM mulVg rho1 mul1mx.
Qed.

End Representation.

Theorem faithful_representations (F : realFieldType) m (G : finGroupType) (rho : G -> 'M[F]_m) (h0 : 'cV[F]_m) :
  rho 1%g = 1%:M -> (forall g h, rho (g * h)%g = rho g *m rho h) -> (forall g, orthogonal (rho g)) ->
  (forall g, rho g *m h0 = h0 -> g = 1%g) ->
  [/\ exists out : 'cV[F]_m -> G, forall w, out (state_by rho h0 w) = word_product w,
      forall g, reflections_at_most (\rank (1%:M - rho g)%R) (rho g),
      forall g vs, gh_product vs = rho g -> (\rank (1%:M - rho g)%R <= size vs)%N &
      forall n (s : 'S_n), reflections_at_most (n - cycles s) (perm_mx s : 'M[F]_n)].
Proof.
move=> rho1 rhoM rhoO free; have swap (A : 'M[F]_m) : \rank (1%:M - A)%R = \rank (A - 1%:M)%R by rewrite -opprB
  mxrank_opp.
split.
- exists (fun h => odflt 1%g [pick g | rho g *m h0 == h]) => w; rewrite state_of_word //.
  by case: pickP => [g /eqP/(states_differ rho1 rhoM free) -> //|/(_ (word_product w))]; rewrite eqxx.
- by move=> g; rewrite swap; apply: orthogonal_is_a_product_of_reflections.
- by move=> g vs; rewrite swap; apply: fewest_reflections.
by move=> n s; apply: permutation_reflections.
Qed.

(** ** Theorem 3: permutation matrices on any faithful action *)

(** A state that words reach. *)
Definition reached (Q : Type) (L : Type) (delta : Q -> L -> Q) q0 q := exists w : seq L, q = state delta q0 w.

Definition points (F : realFieldType) n : 'cV[F]_n := \col_i i.+1%:R.

(** The matrix that carries point i to s i. *)
Definition carries (F : realFieldType) n (s : 'S_n) : 'M[F]_n := perm_mx s^-1.

Theorem permutations_in_one_layer (F : realFieldType) (Q : Type) (L : finType) (delta : Q -> L ->
  Q) (q0 : Q) n (rho : L -> 'S_n)
    (act := fun w => state (fun g x => g * rho x)%g 1%g w) (k := \max_x displaced (rho x)) :
  (forall u v, act u = act v <-> forall q, reached delta q0 q -> state delta q u = state delta q v) ->
  (exists out : 'cV[F]_n -> Q, forall w, out (state_by (fun x => carries F (rho x)) (points F n) w) = state delta q0 w)
    /\
  forall x, reflections_at_most k.-1 (carries F (rho x)).
Proof.
move=> faithful; split; last first.
  move=> x; apply: reflections_mono (permutation_reflections F _); apply: leq_trans (many_cycles _) _.
  have -> : displaced (rho x)^-1 = displaced (rho x).
    by apply: eq_card => i; rewrite !inE (canF_eq (permKV _)) eq_sym.
  have le : (displaced (rho x) <= k)%N by apply: (leq_bigmax x).
  by rewrite -!subn1 leq_sub2r.
have stateE w : state_by (fun x => carries F (rho x)) (points F n) w = perm_mx (act w)^-1 *m points F n.
  elim/last_ind: w => [|w x IH]; first by rewrite /act /= invg1 perm_mx1 mul1mx.
  by rewrite state_rcons IH /step addr0 mulmxA -perm_mxM /act state_rcons invMg.
have same (g h : 'S_n) : perm_mx g^-1 *m points F n = perm_mx h^-1 *m points F n -> g = h.
  move=> e; apply/invg_inj/permP=> i; apply: val_inj; move/matrixP/(_ i 0): e.
  rewrite -!row_permE !mxE => /eqP; rewrite eqr_nat => /eqP[]; exact.
pose A := [set rho x | x : L]; have inA w : act w \in <<A>>%g.
  elim/last_ind: w => [|w x IH]; first exact: group1.
  rewrite /act state_rcons -/(act w) groupM // mem_gen //; apply/imsetP; by exists x.
have word_of g : exists w, (g \in <<A>>%g) ==> (act w == g).
  case: (boolP (g \in _)) => [/gen_prodgP[l [c cA ->]]|_]; last by exists [::].
  suff [w e] : exists w, act w = (\prod_i c i)%g by exists w; apply/implyP=> _; apply/eqP.
  elim: l c cA => [|l IH] c cA; first by exists [::]; rewrite big_ord0.
  have [w wE] := IH (fun i => c (widen_ord (leqnSn l) i)) (fun i => cA _).
  have /imsetP[x _ xE] := cA ord_max; exists (rcons w x).
  by rewrite /act state_rcons -/(act w) wE big_ord_recr /= xE.
exists (fun h => if [pick g in <<A>>%g | perm_mx g^-1 *m points F n == h] is Some g then state delta q0 (xchoose
  (word_of g)) else q0) => w.
case: pickP => [g /andP[gA /eqP gE]|/(_ (act w))]; last by rewrite stateE inA eqxx.
have -> : g = act w by apply: same; rewrite gE stateE.
have /implyP/(_ (inA w))/eqP e := xchooseP (word_of (act w)).
by apply: ((faithful _ _).1 e); exists [::].
Qed.

(** One swap fewer is too few: a swap is no product of no reflections. *)
Theorem not_permutations_in_one_layer_with_fewer (F : realFieldType) :
  ~ (forall (L : finType) n (rho : L -> 'S_n) (k := \max_x displaced (rho x)) x,
    reflections_at_most k.-2 (carries F (rho x))).
Proof.
pose s := tperm (0 : 'I_2) 1; have d2 : displaced s = 2%N.
  rewrite /displaced (_ : [set i | _] = setT) ?cardsT ?card_ord //; apply/setP=> i; rewrite !inE.
  have [->|->] : i = 0 \/ i = 1 by case: i => [[|[|//]] lt]; [left | right]; apply: val_inj.
    by rewrite /s tpermL.
  by rewrite /s tpermR.
move/(_ [finType of 'I_1] 2%N (fun=> s) 0); rewrite big_ord1 d2 => -[vs _ [size_vs]].
case: vs size_vs => // _ /= /matrixP/(_ 0 0); rewrite /carries tpermV !mxE tpermL eqxx /= => /eqP.
by rewrite oner_eq0.
Qed.

(** Nor do representations with fewer than rank (I - rho) reflections. *)
Theorem not_faithful_representations_with_fewer (F : realFieldType) :
  ~ (forall m (A : 'M[F]_m), orthogonal A -> reflections_at_most (\rank (1%:M - A)%R).-1 A).
Proof.
pose A : 'M[F]_1 := (- 1)%:M; have oA : orthogonal A by rewrite /orthogonal tr_scalar_mx -scalar_mxM mulrNN mulr1.
move/(_ 1%N A oA) => [vs _ [size_vs vsA]]; have := fewest_reflections vsA.
have r0 : (0 < \rank (A - 1%:M)%R)%N.
  rewrite lt0n mxrank_eq0; apply/eqP=> /matrixP/(_ 0 0); rewrite !mxE eqxx => /eqP.
  by rewrite -opprD oppr_eq0 -mulr2n pnatr_eq0.
rewrite size_map leqNgt (leq_ltn_trans size_vs) // -opprB mxrank_opp.
by case: (\rank _) r0.
Qed.

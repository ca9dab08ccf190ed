(** * Permutation matrices: n minus the number of cycles swaps, and no fewer GH factors

    grazzi25, Proposition 1.2 and App. C.2.

    - [cycles s]: the number of cycles of a permutation, fixed points among them. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From lemmata Require Import householder.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.

Section Swaps.

Variable n : nat.
Implicit Type s : 'S_n.

(** Fixed points are cycles. *)
Definition cycles s := #|porbits s|.

Lemma cycles_le s : (cycles s <= n)%N.
Proof. by rewrite -[X in (_ <= X)%N]card_ord; apply: leq_imset_card. Qed.

Lemma cycles1 : cycles 1 = n.
Proof.
rewrite /cycles card_imset ?card_ord // => x y e.
have : y \in porbit 1 x by rewrite e porbit_id.
by case/porbitP=> i ->; rewrite expg1n perm1.
Qed.

(** Splitting s x off its cycle takes one swap and makes one cycle more; the identity has n. *)
Lemma permutation_is_swaps s :
  exists2 ts : seq ('I_n * 'I_n), all (fun t => t.1 != t.2) ts &
    (size ts + cycles s)%N = n /\ s = (\prod_(t <- ts) tperm t.1 t.2)%g.
Proof.
have [k] := ubnP (n - cycles s)%N; elim: k s => // k IH s; rewrite ltnS => bound.
have [->|s1] := eqVneq s 1%g; first by exists [::]; rewrite // big_nil cycles1.
have [x sx] : exists x, x != s x.
  apply/existsP; apply: contraR s1; rewrite negb_exists => /forallP fix_all.
  by apply/eqP/permP=> x; have := fix_all x; rewrite negbK perm1 => /eqP <-.
pose t := tperm x (s x).
have more : cycles (t * s) = (cycles s).+1.
  have := porbits_mul_tperm s x (s x); rewrite /= -/t sx addn1.
  have -> : x \in porbit s (s x) by rewrite porbit_sym; have := mem_porbit s 1 x; rewrite expg1.
  by rewrite addn0.
have less := cycles_le (t * s); rewrite more in less.
have [|ts ok [size_ts prod_ts]] := IH (t * s)%g.
  by apply: leq_trans bound; rewrite more ltn_sub2l.
exists ((x, s x) :: ts); first by rewrite /= sx.
split; first by rewrite /= addSn -addnS -more.
by rewrite big_cons -prod_ts /= -/t mulgA tperm2 mul1g.
Qed.

End Swaps.

Section Matrices.

Local Open Scope ring_scope.
Variables (F : fieldType) (n : nat).
Implicit Type s : 'S_n.

(** A swap is the reflection along e_i - e_j: beta = 2, v.v = 2. *)
Lemma swap_is_a_reflection (i j : 'I_n) : i != j ->
  tperm_mx i j = gh (delta_mx i 0 - delta_mx j 0) 1 :> 'M[F]_n.
Proof.
move=> ij; apply/matrixP=> a b; rewrite /gh scale1r !mxE big_ord1 !mxE !eqxx !andbT !(eq_sym b).
case: tpermP => [->|->|/eqP/negbTE -> /eqP/negbTE ->]; last by rewrite subrr mul0r subr0.
- by rewrite eqxx (negbTE ij) subr0 mul1r opprB addrC subrK.
by rewrite eqxx (eq_sym j i) (negbTE ij) sub0r mulN1r opprK addrC subrK.
Qed.

(** n minus the number of cycles swaps, each a reflection ... *)
Theorem permutation_is_reflections s :
  exists2 vs : seq 'cV[F]_n, (size vs + cycles s)%N = n &
    gh_product [seq (v, 1) | v <- vs] = perm_mx s :> 'M[F]_n /\
    forall v, v \in vs -> exists i j, i != j /\ v = delta_mx i 0 - delta_mx j 0.
Proof.
have [ts ok [size_ts prod_ts]] := permutation_is_swaps s.
exists [seq delta_mx t.1 0 - delta_mx t.2 0 | t <- ts]; first by rewrite size_map.
split; last by move=> v /mapP[t /(allP ok) ij ->]; exists t.1, t.2.
rewrite {size_ts}prod_ts {s}; elim: ts ok => [_|t ts IH /= /andP[ij /IH e]] /=; first by rewrite big_nil perm_mx1.
by rewrite big_cons perm_mxM e -/(tperm_mx _ _) swap_is_a_reflection.
Qed.

(** What a permutation fixes is constant along cycles, so it has at most as many dimensions as there are cycles. *)
Lemma fixed_rank s : (\rank (kermx (perm_mx s - 1%:M : 'M[F]_n)%R) <= cycles s)%N.
Proof.
pose rep (k : 'I_(cycles s)) := [pick i | enum_val k == porbit s i].
pose R : 'M[F]_(n, cycles s) := \matrix_(i, k) (Some i == rep k)%:R.
set K := kermx _; have fixed (y : 'rV[F]_n) : (y <= K)%MS -> forall i j, j \in porbit s i -> y 0 j = y 0 i.
  move=> /sub_kermxP; rewrite mulmxBr mulmx1 => /eqP; rewrite subr_eq0 => /eqP ys i j /porbitP[k ->].
  elim: k => [|k <-]; first by rewrite expg0 perm1.
  rewrite expgSr permM -{1}ys mxE (bigD1 ((s ^+ k)%g i)) //= !mxE eqxx mulr1 big1 ?addr0 // => l li.
  by rewrite !mxE (inj_eq perm_inj) (negbTE li) mulr0.
suff /mxrank_injP <- : (K :&: kermx R)%MS == 0 by apply: rank_leq_col.
apply/eqP/row_matrixP=> l; rewrite row0.
have : (row l (K :&: kermx R) <= K :&: kermx R)%MS by apply: row_sub.
move: (row l _) => y; rewrite sub_capmx => /andP[/fixed yK /sub_kermxP yR]; apply/rowP=> i; rewrite [RHS]mxE.
have mem : porbit s i \in porbits s by apply: imset_f.
have /rowP/(_ (enum_rank_in mem (porbit s i))) := yR; rewrite [RHS]mxE mxE.
have repE : enum_val (enum_rank_in mem (porbit s i)) = porbit s i by rewrite enum_rankK_in.
case e : (rep (enum_rank_in mem (porbit s i))) => [x|]; last first.
  by move: e; rewrite /rep; case: pickP => // /(_ i); rewrite repE eqxx.
rewrite (bigD1 x) //= mxE e eqxx mulr1 big1 ?addr0 => [yx|j jx]; last first.
  by rewrite mxE e; case: eqP => [[jx']|_]; [rewrite jx' eqxx in jx | rewrite mulr0].
rewrite -yx; symmetry; apply: yK; move: e; rewrite /rep; case: pickP => // x' /eqP xE [<-].
by rewrite -repE xE porbit_id.
Qed.

(** ... and no fewer GH factors make it: Proposition 1.2 for permutations. *)
Theorem permutation_needs s (vs : seq ('cV[F]_n * F)) :
  gh_product vs = perm_mx s :> 'M[F]_n -> (n <= size vs + cycles s)%N.
Proof.
move=> e; have := gh_product_rank vs; rewrite e => le; have := fixed_rank s.
rewrite mxrank_ker leq_subLR => /leq_trans -> //.
by rewrite leq_add2r.
Qed.

End Matrices.

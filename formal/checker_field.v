(** * The checker is right in exact complex numbers

    The entries of a network are polynomials in zeta over Q. Here zeta is any primitive N-th root of unity among the
    algebraic numbers, in particular exp(2 pi i / N): a stack that [check] accepts outputs the automaton's state after
    every word, in exact arithmetic.

    - [polynomial p]: a list of integers as a polynomial;
    - [done known]: the listed polynomials are the cyclotomic ones, and monic;
    - [column h], [matrix_of A]: lists as columns and matrices;
    - [exact z net]: the network with its entries at zeta = z. *)

From Coq Require Import ZArith QArith Qreduction Lia.
From mathcomp Require Import all_ssreflect all_algebra all_field.
From mathcomp Require Import ssrZ zify.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import checker checker_sound.
From lemmata Require Export checker_element.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** The cyclotomic polynomial that the checker finds *)

Section Cyclotomic.

Definition polynomial (p : list Z) : {poly int} := value (fun a => (int_of_Z a)%:P) 'X p.

Lemma polynomial_times p q : polynomial (timesZ p q) = polynomial p * polynomial q.
Proof.
apply: value_times => [||a b|a /Z.eqb_eq <-] //.
- by move=> a b; rewrite -polyCD -rmorphD.
- by rewrite -polyCM -rmorphM.
Qed.

Lemma repeatE (T : Type) (x : T) k : List.repeat x k = nseq k x.
Proof. by elim: k => //= k ->. Qed.

Lemma polynomial_power d : (0 < d)%N -> polynomial (x_power_minus_1 d) = 'X^d - 1.
Proof.
case: d => // d _; rewrite /x_power_minus_1 repeatE /polynomial.
set g := fun a => _; transitivity ((int_of_Z (Zneg 1))%:P + 'X * value g 'X (nseq d Z0 ++ [:: Zpos 1])) => //.
have -> : value g 'X (nseq d Z0 ++ [:: Zpos 1]) = 'X^d.
  by elim: d => [|d IH] /=; rewrite ?IH ?mulr0 ?addr0 ?add0r ?exprS.
by rewrite -exprS addrC (_ : int_of_Z (Zneg 1) = - 1) ?polyCN.
Qed.

Lemma dividesE e d : divides e d = (e %| d)%N.
Proof.
rewrite /divides; case: e => [|e]; first by rewrite dvd0n; case: d.
apply/idP/dvdnP => [/Nat.eqb_eq/(Nat.mod_divide _ _ (Nat.neq_succ_0 e))[k ->]|[k ->]]; first by exists k.
by apply/Nat.eqb_eq/Nat.mod_mul/Nat.neq_succ_0.
Qed.

(** What is known of each divisor that was done. *)
Definition done (known : seq (nat * list Z)) : Prop :=
  forall e, e \in known -> polynomial e.2 = 'Phi_e.1 /\ List.last e.2 Z0 = Zpos 1.

Lemma polynomial_below known d : done known ->
  polynomial (List.fold_right timesZ [:: Zpos 1] (List.map snd (List.filter (fun e => divides e.1 d) known))) =
  \prod_(e <- map fst known | (e %| d)%N) 'Phi_e.
Proof.
elim: known => [|[e p] known IH] right /=.
  by rewrite big_nil /polynomial /= mulr0 addr0.
have {IH}IH := IH (fun e' isin => right e' (@mem_behead _ ((e, p) :: known) e' isin)).
rewrite big_cons /= dividesE; case: ifP => // _.
by rewrite /= polynomial_times IH; have [/= ->] := right (e, p) (mem_head _ _).
Qed.

Lemma sameZ_eq p q : sameZ p q -> p = q.
Proof. by apply: same_vector_eq => a b /Z.eqb_eq. Qed.

Lemma proper_divisors n pre d post : (0 < n)%N -> [seq e <- iota 1 n | (e %| n)%N] = pre ++ d :: post ->
  perm_eq [seq e <- pre | (e %| d)%N] [seq e <- divisors d | e != d].
Proof.
move=> n0 D.
have inD e : (e \in pre ++ d :: post) = (e %| n)%N.
  rewrite -D mem_filter mem_iota; case: (boolP (e %| n)%N) => //= dv.
  by rewrite (dvdn_gt0 n0 dv) add1n ltnS dvdn_leq.
have dn : (d %| n)%N by rewrite -inD mem_cat mem_head orbT.
have d0 := dvdn_gt0 n0 dn.
have : sorted ltn (pre ++ d :: post) by rewrite -D; apply: sorted_filter (iota_ltn_sorted 1 n); apply: ltn_trans.
rewrite sorted_pairwise; last exact: ltn_trans.
rewrite pairwise_cat /= => /and3P[/allrelP before _ /andP[/allP after _]].
apply: uniq_perm; [|by rewrite filter_uniq // divisors_uniq|].
  have : uniq (pre ++ d :: post) by rewrite -D filter_uniq // iota_uniq.
  by rewrite cat_uniq => /andP[u _]; rewrite filter_uniq.
move=> e; rewrite !mem_filter -dvdn_divisors // andbC [RHS]andbC; apply/andP/andP=> [[ep ed]|[ed e_neq]]; split=> //.
  by have : (e < d)%N := before e d ep (mem_head _ _); rewrite ltn_neqAle => /andP[].
have : e \in pre ++ d :: post by rewrite inD (dvdn_trans ed dn).
rewrite mem_cat inE (negbTE e_neq) /= => /orP[//|/after].
by rewrite /= ltnNge dvdn_leq.
Qed.

Lemma cyclotomics_done n ds known result : (0 < n)%N -> done known ->
  [seq e <- iota 1 n | (e %| n)%N] = rev (map fst known) ++ ds -> cyclotomics ds known = Some result -> done result.
Proof.
move=> n0; elim: ds known => [|d ds IH] known right D /=; first by case=> <-.
set p := List.rev' _; case: ifP => // /andP[/sameZ_eq e /Z.eqb_eq monic].
apply: IH; last by rewrite D /= rev_cons cat_rcons.
move=> [e' p']; rewrite inE => /orP[/eqP[-> ->]|]; last exact: right.
split=> //=.
have d0 : (0 < d)%N.
  have : d \in [seq e <- iota 1 n | (e %| n)%N] by rewrite D mem_cat mem_head orbT.
  by rewrite mem_filter mem_iota => /and3P[].
have {e} := congr1 polynomial e; rewrite polynomial_times polynomial_below // polynomial_power //.
rewrite -prod_Cyclotomic // (bigD1_seq d) ?divisors_uniq ?divisors_id //=.
rewrite -[X in _ * X = _]big_filter -[X in _ = _ * X]big_filter.
have perm : perm_eq [seq e <- map fst known | (e %| d)%N] [seq e <- divisors d | e != d].
  apply: perm_trans (proper_divisors n0 D).
  by rewrite filter_rev perm_sym perm_rev.
rewrite (perm_big _ perm) /= => /mulIf; apply.
by apply: monic_neq0; rewrite monic_prod // => e _; apply: Cyclotomic_monic.
Qed.

Lemma filterE (T : Type) (a : T -> bool) s : List.filter a s = filter a s.
Proof. by elim: s => //= x s ->. Qed.

Lemma seqE i k : List.seq i k = iota i k.
Proof. by elim: k i => //= k IH i; rewrite IH. Qed.

Lemma cyclotomic_right n p : (0 < n)%N -> cyclotomic n = Some p -> polynomial p = 'Phi_n /\ List.last p Z0 = Zpos 1.
Proof.
move=> n0; rewrite /cyclotomic; case e: (cyclotomics _ _) => [[|[d q] result]|] //; case: ifP => // /Nat.eqb_eq dn [qp].
rewrite -dn -qp; apply: (cyclotomics_done n0 _ _ e) (d, q) (mem_head _ _) => //=.
by rewrite seqE filterE; apply: eq_filter => f; rewrite dividesE.
Qed.

Lemma low_right N low : low_of N = Some low ->
  (0 < N.to_nat N)%N /\ map_poly intr 'Phi_(N.to_nat N) = Poly (rcons (map fraction low) 1) :> {poly rat}.
Proof.
rewrite /low_of; case: ifP => // /andP[/N.leb_le N1 _].
have n0 : (0 < N.to_nat N)%N by lia.
case e: (cyclotomic _) => [p|] //= [<-]; split=> //.
have [<- monic] := cyclotomic_right n0 e.
have : p <> [::] by move=> p0; rewrite p0 in monic.
case/lastP: p monic {e} => // s a; have lastZ : List.last (rcons s a) Z0 = a /\ List.removelast (rcons s a) = s.
  by elim: s => //= b s [IH1 IH2]; rewrite {}IH1 {}IH2; case: s.
rewrite lastZ.1 lastZ.2 => -> _.
rewrite /polynomial value_Poly; apply/polyP=> i.
have -> : rcons (map fraction (List.map inject_Z s)) 1 = map (fun a => (int_of_Z a)%:~R) (rcons s (Zpos 1)).
  rewrite map_rcons; congr (rcons _ _); elim: (s) => //= b t ->.
  by rewrite /fraction /= divr1.
rewrite coef_map /= !coef_Poly; have [il|li] := ltnP i (seq.size (rcons s (Zpos 1))).
  by rewrite !(nth_map Z0).
by rewrite !nth_default ?size_map.
Qed.

End Cyclotomic.

(** ** [act] is the affine map H -> A H + B of matrices *)

Section Matrices.

Variables (R : comRingType) (n : nat).

Definition column (h : seq R) : 'cV[R]_n := \col_i nth 0 h i.
Definition matrix_of (A : seq (seq R)) : 'M[R]_n := \matrix_(i, j) nth 0 (nth [::] A i) j.

Lemma dot_sum (u v : seq R) :
  seq.size u = n -> seq.size v = n -> dot 0 +%R *%R u v = \sum_(i < n) nth 0 u i * nth 0 v i.
Proof.
elim: n u v => [|k IH] [|a u] [|b v] //=; first by rewrite big_ord0.
by case=> uk [vk]; rewrite big_ord_recl /= IH.
Qed.

Lemma act_is_affine (m : affine R) (h : seq R) :
  seq.size (matrix m) = n -> all (fun row => seq.size row == n) (matrix m) -> seq.size (offset m) = n ->
  seq.size h = n ->
  column (act 0 +%R *%R m h) = matrix_of (matrix m) *m column h + column (offset m).
Proof.
case: m => A B ss /= An rows Bn hn; apply/colP=> i; rewrite !mxE.
have -> : act 0 +%R *%R (Affine A B ss) h = [seq dot 0 +%R *%R p.1 h + p.2 | p <- zip A B].
  by rewrite /act /= ; elim: (A) (B) => [|r A' IH] [|b B'] //=; rewrite IH.
rewrite (nth_map ([::], 0)) ?size_zip ?An ?Bn ?minnn // nth_zip ?An ?Bn //=; congr (_ + _).
rewrite dot_sum //; first by apply: eq_bigr => j _; rewrite !mxE.
by apply/eqP/(allP rows)/mem_nth; rewrite An.
Qed.

End Matrices.

(** ** Every word *)

(** The network with its entries as numbers, zeta being z. *)
Definition exact (z : algC) (net : network (list Q)) : network algC := network_entries (element z) net.

(** The checker's arithmetic of a field that it takes, and zeta a primitive root of unity. *)
Theorem checked_networks_are_right (net : network (list Q)) (z : algC) :
  check net -> (N.to_nat (field net)).-primitive_root z ->
  forall word : seq N, all (fun x => N.ltb x (alphabet net)) word ->
  exists2 states, visited (machine net) (start (machine net)) word = Some states &
    run 0 +%R *%R (fun a b => a == b) (exact z net) word = Some states.
Proof.
move=> ok prim word letters; case e: (low_of (field net)) => [low|]; last by rewrite /check e in ok.
have [n0 cycl] := low_right e.
have sameP (a b : algC) : (a == b) = true <-> a = b by split=> /eqP.
have in_alphabet : List.Forall (fun x => N.lt x (alphabet net)) word.
  by elim: word letters => //= x word IH /andP[/N.ltb_lt xk /IH]; constructor.
have [states [v r]] := accepted_networks_are_right _ _ _ _ _ e sameP (element_normal prim cycl) (erefl (element z [::]))
  (element_plus z) (element_times z) (element_tells prim cycl) ok in_alphabet.
by exists states.
Qed.

(** * The checker is right in exact complex numbers

    The entries of a network are polynomials in zeta over Q. Here zeta is any primitive N-th root of unity among the algebraic numbers, in particular
    exp(2 pi i / N): a stack that [check] accepts outputs the automaton's state after every word, in exact arithmetic. *)

From Coq Require Import ZArith QArith Qreduction Lia.
From mathcomp Require Import all_ssreflect all_algebra all_field.
From mathcomp Require Import ssrZ zify.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import checker checker_sound.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** Lists of coefficients as polynomials *)

Section Value.

Variables (C : Type) (zero : C) (add mul : C -> C -> C) (is_zero : C -> bool) (R : comRingType) (g : C -> R) (x : R).
Hypotheses (g0 : g zero = 0) (gD : forall a b, g (add a b) = g a + g b) (gM : forall a b, g (mul a b) = g a * g b).
Hypothesis gz : forall a, is_zero a -> g a = 0.

Definition value (p : list C) : R := foldr (fun a s => g a + x * s) 0 p.

Lemma value_plus p q : value (plus add p q) = value p + value q.
Proof.
elim: p q => [|a p IH] [|b q] /=; rewrite ?add0r ?addr0 //.
by rewrite gD IH mulrDr addrACA.
Qed.

Lemma value_scaled a p : value (scaled mul is_zero a p) = g a * value p.
Proof.
rewrite /scaled; case: ifP => [/gz ->|_]; first by rewrite mul0r.
elim: p => [|b p IH] /=; first by rewrite mulr0.
by rewrite gM IH mulrDr mulrCA.
Qed.

Lemma value_times p q : value (times zero add mul is_zero p q) = value p * value q.
Proof.
elim: p => [|a p IH] /=; first by rewrite mul0r.
by rewrite value_plus value_scaled /= g0 add0r IH mulrDl mulrA.
Qed.

Lemma value_rcons p a : value (rcons p a) = value p + g a * x ^+ seq.size p.
Proof.
elim: p => [|b p IH] /=; first by rewrite mulr0 addr0 add0r mulr1.
by rewrite IH mulrDr addrA exprS mulrCA.
Qed.

End Value.

Lemma value_Poly (C : Type) (R : comRingType) (g : C -> R) p : value (fun a => (g a)%:P) 'X p = Poly (map g p).
Proof. by elim: p => //= a p ->; rewrite cons_poly_def addrC mulrC. Qed.

(** ** Fractions *)

Local Notation Q0 := (Qmake 0 1).
Local Notation Q1 := (Qmake 1 1).

Definition fraction (q : Q) : rat := (int_of_Z (Qnum q))%:~R / (int_of_Z (Zpos (Qden q)))%:~R.

Lemma den_gt0 (d : positive) : 0 < (int_of_Z (Zpos d))%:~R :> rat.
Proof. by rewrite ltr0z /=; have := Pos2Nat.is_pos d; case: Pos.to_nat => // /Nat.lt_irrefl. Qed.

Lemma den_neq0 (d : positive) : (int_of_Z (Zpos d))%:~R != 0 :> rat.
Proof. exact/lt0r_neq0/den_gt0. Qed.

Lemma fraction_eq a b : Qeq a b <-> fraction a = fraction b.
Proof.
rewrite /Qeq /fraction; have da := den_neq0 (Qden a); have db := den_neq0 (Qden b).
have iM (u v : Z) : int_of_Z (u * v)%Z = int_of_Z u * int_of_Z v by rewrite -rmorphM.
have iI : injective int_of_Z by apply: can_inj int_of_ZK.
split=> [e|/eqP]; last first.
  by rewrite eqr_div // -!intrM eqr_int -!iM => /eqP/iI.
by apply/eqP; rewrite eqr_div // -!intrM -!iM; apply/eqP; congr (int_of_Z _)%:~R.
Qed.

Lemma fraction0 : fraction 0 = 0.
Proof. by rewrite /fraction mul0r. Qed.

Lemma Z_mul u v : (int_of_Z (u * v)%Z)%:~R = (int_of_Z u)%:~R * (int_of_Z v)%:~R :> rat.
Proof. by rewrite -intrM -rmorphM. Qed.

Lemma Z_add u v : (int_of_Z (u + v)%Z)%:~R = (int_of_Z u)%:~R + (int_of_Z v)%:~R :> rat.
Proof. by rewrite -intrD -rmorphD. Qed.

Lemma fraction_add a b : fraction (Qadd a b) = fraction a + fraction b.
Proof.
have -> : fraction (Qadd a b) = fraction (Qplus a b) by apply/fraction_eq/Qred_correct.
by rewrite /fraction addf_div ?den_neq0 // -!Z_mul -Z_add.
Qed.

Lemma fraction_mul a b : fraction (Qmult a b) = fraction a * fraction b.
Proof. by rewrite /fraction mulf_div -!Z_mul. Qed.

Lemma fraction_opp a : fraction (Qopp a) = - fraction a.
Proof.
have iN (u : Z) : int_of_Z (- u)%Z = - int_of_Z u by rewrite -rmorphN.
by rewrite /fraction /= iN mulrNz mulNr.
Qed.

Lemma Qzero_fraction a : Qzero a -> fraction a = 0.
Proof. by rewrite /Qzero /fraction => /Z.eqb_eq ->; rewrite mul0r. Qed.

(** ** Elements of Q(zeta) *)

Section Element.

Variables (z : algC) (n : nat) (low : list Q).
Hypothesis primitive : n.-primitive_root z.
(** [low] and a leading 1 are the coefficients of the n-th cyclotomic polynomial. *)
Hypothesis cyclotomicE : map_poly intr 'Phi_n = Poly (rcons (map fraction low) 1) :> {poly rat}.

Definition number (q : Q) : algC := ratr (fraction q).

(** c_0 + c_1 z + c_2 z^2 + ... *)
Definition element (p : list Q) : algC := value number z p.

Lemma number0 : number 0 = 0. Proof. by rewrite /number fraction0 rmorph0. Qed.
Lemma number_add a b : number (Qadd a b) = number a + number b. Proof. by rewrite /number fraction_add rmorphD. Qed.
Lemma number_mul a b : number (Qmult a b) = number a * number b. Proof. by rewrite /number fraction_mul rmorphM. Qed.
Lemma Qzero_number a : Qzero a -> number a = 0. Proof. by rewrite /number => /Qzero_fraction ->; rewrite rmorph0. Qed.

Lemma element_plus p q : element (plusQ p q) = element p + element q.
Proof. exact/value_plus/number_add. Qed.

Lemma element_times p q : element (timesQ p q) = element p * element q.
Proof. by apply: value_times; [apply: number0|apply: number_add|apply: number_mul|apply: Qzero_number]. Qed.

Lemma element_scaled a p : element (scaledQ a p) = number a * element p.
Proof. by apply: value_scaled; [apply: number_mul|apply: Qzero_number]. Qed.

Lemma element_Poly p : element p = (map_poly ratr (Poly (map fraction p))).[z].
Proof.
elim: p => [|a p IH]; first by rewrite map_poly0 horner0.
by rewrite /= cons_poly_def rmorphD rmorphM /= map_polyX map_polyC hornerD hornerMX hornerC /= -IH addrC mulrC.
Qed.

Lemma minimalE : minCpoly z = map_poly ratr (Poly (rcons (map fraction low) 1)).
Proof.
rewrite (minCpoly_cyclotomic primitive) -(Cintr_Cyclotomic primitive) -cyclotomicE -map_poly_comp.
by apply: eq_map_poly => b; rewrite /= ratr_int.
Qed.

Lemma low_size : (0 < seq.size low)%N.
Proof.
have := size_minCpoly z; rewrite minimalE size_map_poly.
case: low => //=; rewrite cons_poly_def mul0r add0r.
by rewrite size_polyC; case: (_ != 0).
Qed.

(** z^d + c_(d-1) z^(d-1) + ... + c_0 = 0 *)
Lemma low_root : element low + z ^+ seq.size low = 0.
Proof.
have := root_minCpoly z; rewrite minimalE => /rootP.
have -> : rcons (map fraction low) 1 = map fraction (rcons low Q1) by rewrite map_rcons.
by rewrite -element_Poly /element value_rcons {2}/number /fraction divr1 rmorph1 mul1r.
Qed.

Lemma plus_size p q : seq.size (plusQ p q) = maxn (seq.size p) (seq.size q).
Proof.
elim: p q => [|a p IH] [|b q] //=; rewrite ?maxn0 ?max0n //.
by rewrite IH maxnSS.
Qed.

Lemma scaled_size a p : (seq.size (scaledQ a p) <= seq.size p)%N.
Proof. by rewrite /scaledQ /scaled; case: ifP => // _; rewrite size_map. Qed.

Lemma lastE (r : list Q) a s : r = rcons s a -> List.last r Q0 = a /\ List.removelast r = s.
Proof.
move=> ->; elim: s => //= b s [IH1 IH2]; rewrite {}IH1 {}IH2.
by case: s.
Qed.

Lemma shorterE r l : shorter r l = (seq.size r < seq.size l)%N.
Proof. by elim: r l => [|a r IH] [|b l] //=; rewrite IH. Qed.

Lemma shift_size r : (seq.size r <= seq.size low)%N -> (seq.size (shift low r) <= seq.size low)%N.
Proof.
rewrite /shift shorterE leq_eqVlt; case: ltngtP => // e _.
move: low_size => low_gt0; case/lastP: r e => [|s a] e; first by rewrite -e in low_gt0.
have [l r] := lastE (erefl (rcons s a)); rewrite l r plus_size /= geq_max -(size_rcons s a) e leqnn /=.
exact: scaled_size.
Qed.

Lemma element_shift r : (seq.size r <= seq.size low)%N -> element (shift low r) = z * element r.
Proof.
rewrite /shift shorterE leq_eqVlt; case: ltngtP => // e _.
  by rewrite /element /= number0 add0r.
move: low_size => low_gt0; case/lastP: r e => [|s a] e; first by rewrite -e in low_gt0.
have [l r] := lastE (erefl (rcons s a)); rewrite l r element_plus element_scaled.
rewrite /element value_rcons -/(element _) /= number0 add0r -/(element _) mulrDr; congr (_ + _).
rewrite mulrCA -exprS -(size_rcons s a) e.
have /eqP := low_root; rewrite addr_eq0 => /eqP; rewrite -/(element _) => ->.
by rewrite /number fraction_opp rmorphN /= mulrNN.
Qed.

Lemma remainder_size p : (seq.size (remainder low p) <= seq.size low)%N.
Proof.
elim: p => [|a p IH] //.
rewrite -[remainder _ _]/(plusQ [:: a] (shift low (remainder low p))) plus_size geq_max shift_size // andbT.
exact: low_size.
Qed.

Lemma element_remainder p : element (remainder low p) = element p.
Proof.
elim: p => [|a p IH] //.
rewrite -[remainder _ _]/(plusQ [:: a] (shift low (remainder low p))).
by rewrite element_plus element_shift ?remainder_size // IH /element /= mulr0 addr0.
Qed.

Lemma number_red a : number (Qred a) = number a.
Proof. by rewrite /number; congr ratr; apply/fraction_eq/Qred_correct. Qed.

Lemma element_trim p : element (trim p) = element p.
Proof.
elim: p => //= a p; rewrite /element /= -!/(element _) => <-.
case: (trim p) => [|b t] //; case: ifP => // /Qzero_number ->.
by rewrite /element /= mulr0 addr0.
Qed.

Lemma element_normal p : element (normal low p) = element p.
Proof.
rewrite -[RHS]element_remainder /normal element_trim; elim: (remainder low p) => //= a r IH.
by rewrite /element /= number_red -!/(element _) IH.
Qed.

(** Lists that differ by zeros at the end are trimmed alike. *)
Lemma trim_eq u v : (forall i, nth Q0 u i = nth Q0 v i) -> trim u = trim v.
Proof.
have zeros w : (forall i, nth Q0 w i = Q0) -> trim w = [::].
  by elim: w => //= a w IH all0; rewrite IH => [|i]; [have /= -> := all0 0%N|apply: (all0 i.+1)].
elim: u v => [|a u IH] v same; first by rewrite [RHS]zeros // => i; rewrite -same nth_nil.
case: v same => [|b v] same; first by rewrite [LHS]zeros // => i; rewrite same nth_nil.
by have /= -> := same 0%N; rewrite (IH v) // => i; apply: (same i.+1).
Qed.

(** Different normal forms are different numbers: the cyclotomic polynomial is minimal. *)
Lemma element_tells p q : element (normal low p) = element (normal low q) -> normal low p = normal low q.
Proof.
rewrite /normal !element_trim; move: (remainder_size p) (remainder_size q); move: (remainder low p) (remainder low q) => r s rn sn.
rewrite !element_Poly => /eqP; rewrite -subr_eq0 -hornerN -hornerD -rmorphN -rmorphD /= => /eqP rt.
set f := _ + _ in rt.
have f0 : f = 0.
  have [m [mE _] dv] := minCpolyP z; apply/eqP; apply/negPn/negP => f_neq0.
  have /dvdp_leq : m %| f by rewrite -dv; apply/rootP.
  move=> /(_ f_neq0); rewrite leqNgt => /negP; apply.
  have -> : seq.size m = (seq.size low).+1.
    rewrite -(size_map_poly (ratr_rmorphism [numFieldType of algC])) -mE minimalE size_map_poly (@PolyK _ 1) ?size_rcons ?size_map //.
    by rewrite last_rcons oner_neq0.
  rewrite ltnS; apply: (leq_trans (size_add _ _)); rewrite size_opp geq_max.
  have bound (u : seq Q) : (seq.size u <= seq.size low)%N -> (seq.size (Poly (map fraction (map Qred u))) <= seq.size low)%N.
    by apply: leq_trans; apply: (leq_trans (size_Poly _)); rewrite !size_map.
  by rewrite !bound.
apply: trim_eq => i; have lowest (u : seq Q) : nth Q0 (map Qred u) i = Qred (nth Q0 u i).
  by have [iu|ui] := ltnP i (seq.size u); [rewrite (nth_map Q0)|rewrite !nth_default ?size_map].
have entry (u : seq Q) : (Poly (map fraction (map Qred u)))`_i = fraction (nth Q0 u i).
  rewrite coef_Poly; have [iu|ui] := ltnP i (seq.size u).
    by rewrite (nth_map Q0) ?size_map // (nth_map Q0) //; apply/fraction_eq/Qred_correct.
  by rewrite !nth_default ?size_map // fraction0.
rewrite !lowest; apply: Qred_complete; apply/fraction_eq.
by rewrite -!entry; apply/eqP; rewrite -subr_eq0 -coefN -coefD -/f f0 coef0.
Qed.

End Element.

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

Lemma dot_sum (u v : seq R) : seq.size u = n -> seq.size v = n -> dot 0 +%R *%R u v = \sum_(i < n) nth 0 u i * nth 0 v i.
Proof.
elim: n u v => [|k IH] [|a u] [|b v] //=; first by rewrite big_ord0.
by case=> uk [vk]; rewrite big_ord_recl /= IH.
Qed.

Theorem act_is_affine (m : affine R) (h : seq R) :
  seq.size (matrix m) = n -> all (fun row => seq.size row == n) (matrix m) -> seq.size (offset m) = n -> seq.size h = n ->
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
Definition exact (z : algC) (net : checker.network (list Q)) : checker.network algC := network_entries (element z) net.

(** The checker's arithmetic of a field that it takes, and zeta a primitive root of unity. *)
Theorem checked_networks_are_right (net : checker.network (list Q)) (z : algC) :
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

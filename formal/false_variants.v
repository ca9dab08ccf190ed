(** * What the kernel refutes: theorems of this folder with a hypothesis less, or with a conclusion that says more

    A theorem [not_X] is the negation of a false variant X of a theorem; the sabotage of a claim asks for X.
    Each is the smallest case.

    - [even_layer], [even_stack]: in the model of parity.v, one unit with the eigenvalue -1;
    - [first_letter]: the automaton that remembers its first letter. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require rounding layers_of_norm_one layers_needed.
From lemmata Require Import models householder few_factors permutation parity parity_converse period automata
  fixed_point
    gates mixers.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** Householder products *)

Section OneDimension.

Variable F : fieldType.
Implicit Types (s : seq ('cV[F]_1 * F)) (a c : F).

Lemma gh1 c : gh (1%:M : 'cV[F]_1) c = (1 - c)%:M.
Proof. by rewrite /gh trmx1 mulmx1 scale_scalar_mx mulr1 -raddfB. Qed.

Lemma beta1 c : beta ((1%:M : 'cV[F]_1), c) = c.
Proof. by rewrite /beta /= trmx1 mulmx1 mxE mulr1. Qed.

Lemma one_factor c : gh_product [:: ((1%:M : 'cV[F]_1), c)] = (1 - c)%:M.
Proof. by rewrite /= mulmx1 gh1. Qed.

(** One factor does move the identity, by rank 1. *)
Theorem not_gh_product_rank_one_less : exists s : seq ('cV[F]_1 * F), (\rank (gh_product s - 1%:M)%R > (size s).-1)%N.
Proof. by exists [:: (1%:M, 1)]; rewrite one_factor subrr raddf0 sub0r mxrank_opp mxrank1. Qed.

(** The zero matrix is no product of n - 1 factors. *)
Theorem not_zero_is_fewer_factors : ~ exists2 s : seq ('cV[F]_1 * F), (size s).+1 = 1%N & gh_product s = 0.
Proof. by case=> s [s0] /zero_needs_n_factors; rewrite s0. Qed.

(** With s (2 - beta) = 1 the pencil's bound fails: the projection onto 0 is one factor. *)
Theorem not_pencil_rank_for_every_s : exists (s : seq ('cV[F]_1 * F)) (a : F), let M := gh_product s in
  [/\ proper s, 1%:M - M \in unitmx & (size s + \rank (1%:M - M - a *: (1%:M - M *m M^T))%R < 1 + 1)%N].
Proof.
exists [:: (1%:M, 1)], 1; have -> : gh_product [:: ((1%:M : 'cV[F]_1), 1)] = 0 by rewrite one_factor subrr raddf0.
rewrite /proper /= oner_neq0 trmx0 mul0mx !subr0 unitmx1 scale1r subrr mxrank0.
by [].
Qed.

End OneDimension.

Section OneRealDimension.

Variable F : realFieldType.
Implicit Types (s : seq ('cV[F]_1 * F)).

(** -1 takes a reflection. *)
Theorem not_orthogonal_is_a_product_of_fewer : exists2 Q : 'M[F]_1, orthogonal Q &
  ~ exists2 s, (size s < \rank (Q - 1%:M)%R)%N & gh_product s = Q.
Proof.
exists (-1); first by rewrite /orthogonal linearN /= mulmxN mulNmx opprK trmx1 mulmx1.
by case=> s lt /fewest_reflections; rewrite leqNgt lt.
Qed.

(** beta = 3 turns x into -2 x. *)
Theorem not_gh_product_contracts_for_any_beta : exists s (x : 'rV[F]_1),
  ~ dot (x *m gh_product s) (x *m gh_product s) <= dot x x.
Proof.
exists [:: (1%:M, 3%:R)], 1%:M;
  rewrite one_factor /dot -scalar_mxM mul1r tr_scalar_mx -scalar_mxM trmx1 mulmx1 !mxE !mulr1n.
apply/negP; rewrite -ltNge (_ : (1 - 3%:R) * (1 - 3%:R) = 4%:R :> F); last by ring.
by rewrite ltr1n.
Qed.

(** beta = 2 is a reflection: orthogonal, and not the identity. *)
Theorem not_orthogonal_products_are_trivial_with_two : exists s,
  [/\ all (fun vc => -1 <= 1 - beta vc <= 1) s, orthogonal (gh_product s) & gh_product s <> 1%:M].
Proof.
have e : 1 - 2%:R = -1 :> F by ring.
exists [:: (1%:M, 2%:R)]; rewrite one_factor e; split.
- by rewrite /= andbT beta1 e lexx /= ge0_cp // ler01.
- by rewrite /orthogonal tr_scalar_mx -scalar_mxM mulrNN mulr1.
move=> /matrixP/(_ 0 0); rewrite !mxE !mulr1n => /eqP; rewrite -subr_eq0 -opprD oppr_eq0 -mulr2n pnatr_eq0.
by [].
Qed.

(** One reflection is 2 away from I, not 1. *)
Theorem not_mixer_near_by_half : exists2 s : seq ('rV[F]_1 * F), unit_factors s
  & ~ stretch (1%:M - mixer s) (\sum_(ua <- s) ua.2).
Proof.
have one : dot (1%:M : 'rV[F]_1) 1%:M = 1 by rewrite /dot trmx1 mulmx1 mxE.
exists [:: (1%:M, 1)]; first by rewrite /unit_factors /= one eqxx ler01 lexx.
move=> /(_ 1%:M); rewrite /mixer /= mulmx1 (factor_attains 1 one) big_seq1 one !mulr1 expr1n.
by apply/negP; rewrite -ltNge -natrX ltr1n.
Qed.

(** Adding the letters does not count them modulo 2. *)
Theorem not_plus_one_computes_parity :
  ~ forall w : seq bool, foldl (fun (h : F) x => (if x then 1 else 1) * h + (if x then 1 else 0)) 0 w
    = (odd (count id w))%:R.
Proof.
move=> /(_ [:: true; true]) /=; rewrite mulr0 add0r mul1r => /eqP.
by rewrite -(natrD _ 1 1) pnatr_eq0.
Qed.

End OneRealDimension.

Section OneComplexDimension.

Variable C : numClosedFieldType.

Lemma real1 c : c \is Num.real -> real_factor (1%:M : 'cV[C]_1) c.
Proof. by split=> //; rewrite map_scalar_mx /= conjC1. Qed.

Lemma minus_one_fixes_no_line : (1%:M : 'rV[C]_1) *m (1 - 2%:R)%:M = (-1) *: 1%:M.
Proof. by rewrite mul1mx scale_scalar_mx mulr1; congr (_%:M); ring. Qed.

Lemma one_neq0 : (1%:M : 'rV[C]_1) != 0.
Proof. by apply/eqP=> /matrixP/(_ 0 0); rewrite !mxE => /eqP; rewrite oner_eq0. Qed.

(** beta = 2 in one of two factors gives the eigenvalue -1 ... *)
Theorem not_two_factors_up_to_two : exists (v : 'cV[C]_1) c w d (x : 'rV[C]_1) (lambda : C),
  [/\ real_factor v c /\ real_factor w d, 0 <= beta (v, c) <= 2%:R, 0 <= beta (w, d) <= 1, x != 0 &
      x *m (gh v c *m gh w d) = lambda *: x /\ ~ 0 <= lambda <= 1].
Proof.
exists 1%:M, 2%:R, 1%:M, 0, 1%:M, (-1); split; rewrite ?beta1 ?one_neq0 //.
- by split; apply: real1; rewrite ?realn ?real0.
- by rewrite ler0n lexx.
- by rewrite lexx ler01.
rewrite !gh1 subr0 mulmx1 minus_one_fixes_no_line; split=> // /andP[].
by rewrite oppr_ge0 => /le_lt_trans/(_ ltr01); rewrite ltxx.
Qed.

(** ... of modulus 1, and not 1. *)
Theorem not_product_eigenvalues_with_two : exists (s : seq ('cV[C]_1 * C)) (x : 'rV[C]_1) (lambda : C),
  [/\ forall vc, vc \in s -> real_factor vc.1 vc.2 /\ 0 <= beta vc <= 2%:R, x != 0, x *m gh_product s = lambda *: x &
      ~ (lambda = 1 \/ `|lambda| < 1)].
Proof.
exists [:: (1%:M, 2%:R)], 1%:M, (-1); split; rewrite ?one_neq0 //.
- move=> vc; rewrite inE => /eqP ->; split; first by apply: real1; rewrite realn.
  by rewrite beta1 ler0n lexx.
- by rewrite one_factor minus_one_fixes_no_line.
rewrite normrN1 ltxx; case=> // /eqP; rewrite -subr_eq0 -opprD oppr_eq0 -mulr2n pnatr_eq0.
by [].
Qed.

End OneComplexDimension.

(** The swap of two points is no product of n - c - 1 = 0 factors. *)
Theorem not_permutation_is_fewer_reflections (F : fieldType) (s : 'S_2) :
  ~ exists2 vs : seq ('cV[F]_2 * F), (size vs + cycles s).+1 = 2%N & gh_product vs = perm_mx s.
Proof. by case=> vs [e] /permutation_needs; rewrite e. Qed.

(** Lower times upper triangular is neither. *)
Theorem not_triangular_products_of_both_sorts (F : realFieldType) : exists A B : 'M[F]_2,
  [/\ is_trig_mx A, is_trig_mx B^T, ~ is_trig_mx (A *m B) & ~ is_trig_mx (A *m B)^T].
Proof.
pose A : 'M[F]_2 := \matrix_(i, j) (j <= i)%:R.
have trigA : is_trig_mx A by apply/is_trig_mxP=> i j ij; rewrite mxE leqNgt ij.
exists A, A^T; split; rewrite ?trmxK //; rewrite ?trmx_mul ?trmxK; apply/negP/is_trig_mxP => /(_ 0 1 isT).
  by rewrite mxE big_ord_recl big_ord1 !mxE /= mulr1 mul0r addr0 => /eqP; rewrite oner_eq0.
by rewrite mxE big_ord_recl big_ord1 !mxE /= mulr1 mul0r addr0 => /eqP; rewrite oner_eq0.
Qed.

(** ** Counting *)

Section Counting.

Variable F : realFieldType.

(** h -> -h + 1, and -1 where h is 0: the letters read so far are even. *)
Definition even_layer : affine_layer F bool bool :=
  @Affine F bool bool 1 1 (fun x => if x then -1 else 1) (fun x => if x then 1 else 0) 0
    (fun H _ => H 0 0 != 1).

Definition even_stack : affine_stack F bool bool := Above Input even_layer.

Lemma even_runs t : cast_run (cast (midpoints F) (@element F)) even_stack xpredT t = (2 %| t.+1)%N.
Proof.
rewrite dvdn2.
change ((cast_state (cast (midpoints F) (@element F)) (models.transition (flip F)) (input (flip F)) (origin (flip F))
  (fun=> true) t.+1 0 0 != 1) = ~~ odd t.+1).
by rewrite state_of_ones; case: (odd t.+1); rewrite ?eqxx // eq_sym oner_eq0.
Qed.

Lemma even_triangular : triangular_stack even_stack.
Proof. by split=> // a; apply/is_trig_mxP=> i j; rewrite !ord1 ltnn. Qed.

(** One layer counts modulo 2, which does not divide 2^0. *)
Theorem not_counts_powers_of_two_a_level_less : exists s : affine_stack F bool bool,
  [/\ real_products s, forall t, cast_run (cast (midpoints F) (@element F)) s xpredT t = (2 %| t.+1)%N
    & ~~ (2 %| 2 ^ (height s).-1)%N].
Proof.
by exists even_stack; split=> [||//]; [apply: triangular_stacks_real even_triangular | apply: even_runs].
Qed.

(** Triangular stacks do count modulo 2. *)
Theorem not_triangular_stacks_do_not_count_two : exists2 s : affine_stack F bool bool,
  triangular_stack s & forall t, cast_run (cast (midpoints F) (@element F)) s xpredT t = (2 %| t.+1)%N.
Proof. by exists even_stack; [apply: even_triangular | apply: even_runs]. Qed.

End Counting.

(** ** Cascades *)

(** Two states that a letter exchanges need a level ... *)
Theorem not_every_automaton_is_a_shorter_cascade : exists (delta : bool -> unit -> bool) (q0 : bool),
  ~ exists (c : cascade unit) (W : states c -> bool),
    [/\ sizes c = rev (iota 2 #|{: bool}|.-2), W (first c) = q0 & forall r x, W (cascade_step x r) = delta (W r) x].
Proof.
exists (fun q _ => ~~ q), true; case=> c; rewrite card_bool; case: c => [|m a q up] [W []] //= _ _ /(_ tt tt).
by case: (W tt).
Qed.

Lemma no_layers (F : realFieldType) X Y (s : affine_stack F X Y) : widths s = [::] ->
  exists f, forall x t, exact_run s x t = f (x t).
Proof. by case: s => [|U W s l] /=; [exists id | case: (widths s)]. Qed.

(** ... and a layer. *)
Theorem not_every_automaton_is_a_shorter_stack (F : realFieldType) : exists (delta : bool -> unit -> bool) (q0 : bool),
  ~ exists (Y : Type) (s : affine_stack F unit Y) (answer : Y -> bool), widths s = rev (iota 2 #|{: bool}|.-2) /\
    tracks delta q0 (fun x t => answer (exact_run s x t)).
Proof.
exists (fun q _ => ~~ q), true; case=> Y [s [answer []]]; rewrite card_bool => /no_layers[f runs] computes.
by have := computes (fun=> tt) 0%N; have := computes (fun=> tt) 1%N; rewrite !runs => ->.
Qed.

(** ** One rounding per step *)

(** The matrix -1 is symmetric, and rounding to 1 and -1 lets it alternate for ever. *)
Theorem not_symmetric_matrices_settle (F : realFieldType) :
  exists (A : 'M[F]_1) (w : 'I_1 -> F) (b : 'cV[F]_1) (D : seq F) (rho : 'I_1 -> F -> F) (x : nat -> 'cV[F]_1),
  [/\ forall i, 0 < w i, (rounding.weighted A w)^T = rounding.weighted A w, forall i, {homo rho i : a c / a <= c},
      forall i a, rho i a \in D & forall t, x t.+1 = rounding.rounded_step A b rho (x t)] /\
  ~ exists K, forall k, x (K + k)%N = x K.
Proof.
exists (- 1%:M), (fun=> 1), 0, [:: 1; -1], (fun _ a => if 0 <= a then 1 else -1), (fun t => const_mx ((-1) ^+ t)).
split; first split.
- by move=> i; exact: ltr01.
- by apply/matrixP => i j; rewrite !mxE !ord1.
- move=> i a c ac; case: ifP => [a0|_]; first by rewrite (le_trans a0 ac).
  by case: ifP => // _; rewrite -subr_ge0 opprK addr_ge0 ?ler01.
- by move=> i a; case: ifP => _; rewrite !inE eqxx ?orbT.
- move=> t; apply/matrixP => i j; rewrite /rounding.rounded_step /step [RHS]mxE addr0 mulNmx mul1mx !mxE exprS mulN1r.
  rewrite -signr_odd; case: (odd t); rewrite ?expr1 ?expr0 ?opprK ?ler01 // oppr_ge0 ler10 //.
case=> K /(_ 1%N) /matrixP /(_ 0 0); rewrite !mxE addn1 exprS mulN1r => /eqP.
by rewrite eq_sym -addr_eq0 -mulr2n mulrn_eq0 /= signr_eq0.
Qed.

(** ** Layers of norm at most 1 *)

Section AnyNorm.

Import layers_of_norm_one.

Variable F : realFieldType.

(** 0: nothing has come; else the first letter is kept. *)
Definition first_letter (q : 'I_3) (x : bool) : 'I_3 :=
  if nat_of_ord q is 0 then (if x then inord 1 else inord 2) else q.

(** One-hot columns, whose Euclidean norm can be above 1, know the first letter. *)
Theorem not_one_layer_no_first_letter_of_any_norm :
  ~ (forall m (l : normed_layer F m bool) h0 s, inner_product (gram l) -> finitely_many l h0 s ->
    ~ recognises (move l) h0 (head false)).
Proof.
pose l : normed_layer F 3 bool := Normed 1%:M (boolean F first_letter) (fun _ => 0).
have states w : after l (one_hot F ord0) w = one_hot F (foldl first_letter ord0 w).
  rewrite -one_layer_one_hot /after /state; elim: w (one_hot F _) => // x w IH h.
  by rewrite /= -IH /move /step addr0.
move/(_ 3%N l (one_hot F ord0) [seq one_hot F q | q <- enum 'I_3] (euclidean F 3)); apply.
  by move=> w; rewrite states map_f ?mem_enum.
exists (fun _ h _ => h == one_hot F (inord 1)) => w x; rewrite -/(after l _ _) states.
rewrite (inj_eq (one_hot_tells_states (oner_neq0 F))).
have keeps (q : 'I_3) v : (0 < q)%N -> foldl first_letter q v = q.
  move=> q0; elim: v => //= y v IH; rewrite (_ : first_letter q y = q) // /first_letter.
  by case: (nat_of_ord q) q0.
have first y v : foldl first_letter ord0 (y :: v) = inord (if y then 1 else 2)%N :> 'I_3.
  by rewrite /= /first_letter /=; case: y; rewrite keeps // inordK.
have two y : (inord (if y then 1 else 2)%N == inord 1 :> 'I_3) = y by case: y; rewrite -val_eqE /= !inordK.
by case: w => [|y w]; rewrite ?rcons_cons first two.
Qed.

End AnyNorm.

(** n layers for n points: the last one is not needed. *)
Theorem not_all_maps_need_one_more (F : realFieldType) n (q0 : 'I_n.+1) (X := {ffun 'I_n.+1 -> 'I_n.+1}) :
  ~ (forall ws (s : layers_needed.tower F ws X) r,
      layers_needed.contracting_tower s -> layers_needed.finite_tower s r ->
      recognises (layers_needed.tower_step s) r (foldl (fun q (g : X) => g q) q0) -> (n < size ws)%N).
Proof.
move=> more; have [[ws [s [r [n_layers _ cs fs ds]]]] _] := layers_needed.depth_of_all_maps F q0.
by have := more ws s r cs fs ds; rewrite n_layers ltnn.
Qed.

(** * The statements at the real and the complex numbers

    The other files speak of any ordered, real closed or archimedean field, and of any algebraically closed field with a
    norm. The real numbers of Coq's library, and the complex numbers built from them, are such fields
    (mathcomp-analysis, Rstruct): the hypotheses on the field can be met.
    Each theorem has the name of the one that it instantiates; [_algebraic] marks instances at the algebraic numbers.

    - [R], [R_closed], [R_archimedean], [R_num]: the real numbers as an ordered field, a real closed one, an archimedean
      one, a field with a norm;
    - [C]: the complex numbers R[i];
    - [algebraic]: the algebraic numbers, which need no axiom.

    What speaks of R or C rests on the axioms of Coq's classical reals and of Rstruct. *)

(* first, since what they say of numbers would hide names and notations *)
From Coq Require Import Rdefinitions.
From mathcomp Require Import Rstruct.
From mathcomp Require Import all_ssreflect all_algebra all_field complex.
From lemmata Require automata bilinear bistable_stacks chebyshev complex_layers conditioning fading few_factors
  fixed_point gates gradients householder layers_of_norm_one models parity period phases sentences settling
  stepwise subspaces symmetric_mixer universality vandermonde.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Notation R := [realFieldType of Rdefinitions.R].
Notation R_closed := [rcfType of Rdefinitions.R].
Notation R_archimedean := [archiFieldType of Rdefinitions.R].
Notation R_num := [numFieldType of Rdefinitions.R].
Notation C := [numClosedFieldType of Rdefinitions.R[i]].
Notation algebraic := [numClosedFieldType of algC].

(** ** grazzi25 *)

(** Theorem 1. *)
Theorem nonnegative_stacks_settle (ys : seq R) value (T S : Type) (s : models.affine_stack R T S) (a : T) :
  parity.nonnegative s -> ~ ~ parity.eventually_constant (models.cast_run (models.cast ys value) s (fun=> a)).
Proof. exact: parity.nonnegative_stacks_settle. Qed.

Theorem no_parity (ys : seq R) value (s : models.affine_stack R bool bool) :
  parity.nonnegative s -> ~ (forall t, models.cast_run (models.cast ys value) s xpredT t = odd t.+1).
Proof. exact: parity.no_parity. Qed.

Theorem complex_no_parity (ys : seq R_closed) value
    (s : models.affine_stack [ringType of Rdefinitions.R[i]] bool bool) : complex_layers.complex_nonnegative s ->
  ~ (forall t, models.cast_run (complex_layers.complex_cast ys value) s xpredT t = odd t.+1).
Proof. exact: complex_layers.complex_no_parity. Qed.

(** Theorem 2. *)
Theorem counts_powers_of_two (ys : seq R) value (s : models.affine_stack R bool bool) m : (0 < m)%N ->
  period.real_products s -> (forall t, models.cast_run (models.cast ys value) s xpredT t = (m %| t.+1)%N) ->
  (m %| 2 ^ models.height s)%N.
Proof. exact: (@period.counts_powers_of_two R). Qed.

(** Theorem 4. *)
Theorem every_automaton_is_a_stack (Q : finType) (L : Type) (delta : Q -> L -> Q) (q0 : Q) :
  exists (Y : Type) (s : models.affine_stack R L Y) (answer : Y -> Q),
    [/\ models.widths s = rev (iota 2 #|Q|.-1), automata.gh_stack s, automata.finite_stack s
      & models.tracks delta q0 (fun x t => answer (models.exact_run s x t))].
Proof. exact: automata.every_automaton_is_a_stack. Qed.

(** Proposition 1. *)
Theorem gh_product_contracts n (s : seq ('cV[R]_n * R)) (x : 'rV[R]_n) :
  all (fun vc => -1 <= 1 - few_factors.beta vc <= 1) s ->
  householder.dot (x *m householder.gh_product s) (x *m householder.gh_product s) <= householder.dot x x.
Proof. exact: few_factors.gh_product_contracts. Qed.

Theorem orthogonal_is_a_product_of_reflections n (Q : 'M[R]_n) : householder.orthogonal Q ->
  exists2 vs : seq 'rV[R]_n, all (fun v => v != 0) vs
    & (size vs <= \rank (Q - 1%:M)%R)%N /\ householder.gh_product (householder.reflections vs) = Q.
Proof. exact: householder.orthogonal_is_a_product_of_reflections. Qed.

Theorem product_eigenvalues n (s : seq ('cV[C]_n * C)) (x : 'rV[C]_n) lambda :
  (forall vc, vc \in s -> few_factors.short vc) -> x != 0 -> x *m householder.gh_product s = lambda *: x ->
  lambda = 1 \/ `|lambda| < 1.
Proof. exact: few_factors.product_eigenvalues. Qed.

Theorem product_eigenvalues_algebraic n (s : seq ('cV[algebraic]_n * algebraic)) (x : 'rV[algebraic]_n) lambda :
  (forall vc, vc \in s -> few_factors.short vc) -> x != 0 -> x *m householder.gh_product s = lambda *: x ->
  lambda = 1 \/ `|lambda| < 1.
Proof. exact: few_factors.product_eigenvalues. Qed.

(** The minors of a real matrix, and its cycles of length two. *)
Theorem two_cycles n (A : 'M[R_closed]_n) :
  (exists S : {set 'I_n}, stepwise.minor A S < 0) <->
  (exists (b : 'cV[R_closed]_n) (D : seq R_closed) (p q : 'cV[R_closed]_n), p != q /\
    (forall i, p i 0 \in D /\ q i 0 \in D) /\
    (forall i, stepwise.only_nearest D ((A *m p + b) i 0) (q i 0) /\
               stepwise.only_nearest D ((A *m q + b) i 0) (p i 0))).
Proof. exact: stepwise.two_cycles. Qed.

(** ** lizaire26 *)

Theorem depths_share_nothing d n n' (N : bilinear.bilinear_stack R d n)
    (N' : bilinear.bilinear_stack R d n') (w : 'I_n -> R)
    (w' : 'I_n' -> R) x t :
  (0 < models.height N < models.height N')%N -> (0 < t)%N ->
  (forall x t, bilinear.readout N w x t = bilinear.readout N' w' x t) -> bilinear.readout N w x t = 0.
Proof. exact: bilinear.depths_share_nothing. Qed.

(** ** movahedi25 *)

(** The real numbers are archimedean, so that hypothesis is gone. *)
Theorem gain_is_the_norm d (lam : 'rV[R]_d) (Q : 'M[R]_d) u h0 : (forall i, 0 <= lam 0 i < 1) -> forall c : R,
  (forall T h g,
    \sum_(t < T) gates.len2
        (fixed_point.pass (fun=> diag_mx lam) (fun=> 1%:M - diag_mx lam) (fun=> Q) u h0 h t.+1 -
         fixed_point.pass (fun=> diag_mx lam) (fun=> 1%:M - diag_mx lam) (fun=> Q) u h0 g t.+1)
      <= c ^+ 2 * \sum_(t < T) gates.len2 (h t.+1 - g t.+1)) <-> gates.gain (1%:M - Q) c.
Proof. by move=> lam1 c; apply: gates.gain_is_the_norm => //; apply: Rarchimedean_axiom. Qed.

Theorem last_change_attained n (c : R_closed) (b h fixed : 'rV[R_closed]_n) : let f x := c *: x + b in
  0 <= c < 1 -> f fixed = fixed -> gradients.norm (f h - fixed) = c / (1 - c) * gradients.norm (f h - h).
Proof. exact: gradients.last_change_attained. Qed.

Theorem unitary_iff_reflected n (U : 'M[C]_n) : (0 < n)%N ->
  (phases.unitary U -> forall y : 'cV[C]_n, exists z : C, exists2 v : 'cV[C]_n,
    v != 0 & `|z| = 1 /\ U *m y = z *: (phases.mirror v *m y)) /\
  ((forall y : 'cV[C]_n, phases.reflected y (U *m y)) ->
    (forall y : 'cV[C]_n, phases.inner (U *m y) (U *m y) = phases.inner y y) /\ phases.unitary U).
Proof. exact: phases.unitary_iff_reflected. Qed.

Theorem eigenvalues_are_nonnegative d (lam gate : 'I_d -> C) (F : 'M[C]_d) z v :
  (forall i, 0 <= lam i) -> (forall i, 0 < gate i) ->
  (forall x, symmetric_mixer.nonzero x -> 0 < symmetric_mixer.form gate F x) ->
  symmetric_mixer.nonzero v -> symmetric_mixer.eigenvector lam gate F z v -> 0 <= z.
Proof. exact: symmetric_mixer.eigenvalues_are_nonnegative. Qed.

Theorem invertible_is_not_enough : exists Q Lam b : 'cV[R_archimedean]_1,
  [/\ Q \in unitmx, `|Lam 0 0| < 1
    & forall bound, exists l,
        bound < `|iter l (fun h : 'cV[R_archimedean]_1 => Lam *m 0 + (Q *m b + (1%:M - Q) *m h)) 0 0 0|].
Proof. exact: sentences.invertible_is_not_enough. Qed.

(** ** degeeter26 *)

Theorem bistable_no_parity (ys : seq R) value (s : models.affine_stack R bool bool) :
  bistable_stacks.bistable_stack s -> ~ (forall t, models.cast_run (models.cast ys value) s xpredT t = odd t.+1).
Proof. by have [_ no _] := bistable_stacks.bistable_no_parity R; apply: no. Qed.

Theorem linear_memory_fades (lam : R_num) : `|lam| < 1 ->
  [/\ forall b h k t, fading.unit_state lam b h t - fading.unit_state lam b k t = lam ^+ t * (h - k),
      forall d eps : R_num, 0 < eps -> exists N, forall t, (N <= t)%N -> `|lam ^+ t * d| < eps
    & forall b h, lam * h + b = h <-> h = b / (1 - lam)].
Proof. by move=> lam1; apply: fading.linear_memory_fades => //; apply: Rarchimedean_axiom. Qed.

(** ** orvieto24 *)

Theorem hat_and_spline_interpolate (X : Type) : X -> forall L, (0 < L)%N ->
  universality.interpolates X L (fun j => universality.hat (j%:~R : R)) /\
  universality.interpolates X L (fun j => universality.cubic_spline (j%:~R : R)).
Proof. exact: universality.hat_and_spline_interpolate. Qed.

(** Roots of unity are best; real eigenvalues, and those inside a circle, are not. *)
Theorem complex_is_better k :
  [/\ forall N, (0 < k <= N)%N -> exists node : 'I_N -> C, (forall i, `|node i| = 1) /\
        conditioning.kappa (vandermonde.vandermonde_matrix k node) 1,
      (1 < k)%N -> forall N (node : 'I_N -> C), (forall i, -1 <= node i <= 1) ->
        conditioning.kappa_ge (vandermonde.vandermonde_matrix k node) (2 ^+ k.-2)
    & (0 < k)%N -> forall N (node : 'I_N -> C) r, 0 < r -> (forall i, `|node i| <= r) ->
        conditioning.kappa_ge (vandermonde.vandermonde_matrix k node) (r^-1 ^+ k.-1)].
Proof. exact: conditioning.complex_is_better. Qed.

Theorem roots_condition_algebraic N (z : algebraic) : N.-primitive_root z -> forall k, (0 < k <= N)%N ->
  conditioning.kappa (vandermonde.vandermonde_matrix k (@conditioning.roots algebraic N z)) 1.
Proof. exact: conditioning.roots_condition. Qed.

(** ** Averaged transitions *)

Theorem averaged_words_have_period_one m X (l : layers_of_norm_one.normed_layer R_archimedean m X) (c :
  R_archimedean) h0
    (bound margin : R_archimedean) O (out : 'cV_m -> O) (v w : seq X) :
  layers_of_norm_one.inner_product (layers_of_norm_one.gram l) -> 0 < c ->
  (forall x, settling.averaged (layers_of_norm_one.gram l) c (layers_of_norm_one.transition l x)) ->
  (forall u u', settling.squared (layers_of_norm_one.gram l)
    (layers_of_norm_one.after l h0 u - layers_of_norm_one.after l h0 u') <= bound) ->
  0 < margin ->
  (forall h h', settling.squared (layers_of_norm_one.gram l) (h - h') < margin -> out h = out h') ->
  exists K, forall k, (K <= k)%N ->
    out (layers_of_norm_one.after l h0 (v ++ layers_of_norm_one.repeated k.+1 w)) =
    out (layers_of_norm_one.after l h0 (v ++ layers_of_norm_one.repeated k w)).
Proof. exact: settling.averaged_words_have_period_one. Qed.

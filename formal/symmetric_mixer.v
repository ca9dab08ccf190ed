(** * Symmetric mixers: which eigenvalues the transition has, for every width

    movahedi25, Eq. 10 with one factor, App. D.2. With a gate Delta > 0 the transition is A = (I - Delta F)^-1 Lambda, F
    = I - Q: the transition of a fixed-point layer of classes.v.

    - [nonzero v], [hermitian F], [form gate F v]: v is not 0; F is Hermitian; the form of Delta^-1 - F at v;
    - [eigenvector lam gate F z v]: A v = z v, multiplied by I - Delta F;
    - [one_factor a u], [strength a gate u], [overlap u x]: a u u^H; a u^H Delta u; u^H x. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require classes.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Symmetric.

Variables (C : numClosedFieldType) (d : nat).
Implicit Types (lam gate : 'I_d -> C) (F : 'M[C]_d) (u v x : 'I_d -> C) (z a : C).

Definition nonzero v := exists i, v i != 0.

Definition hermitian F := forall i j, F j i = (F i j)^*.

(** The form of S = Delta^-1 - F at v. *)
Definition form gate F v : C := \sum_i (gate i)^-1 * `|v i| ^+ 2 - \sum_i (v i)^* * \sum_j F i j * v j.

(** A v = z v, both sides multiplied by I - Delta F. *)
Definition eigenvector lam gate F z v := forall i, lam i * v i = z * (v i - gate i * \sum_j F i j * v j).

Lemma transition_eigenvector (lam gate : 'rV[C]_d) Q z (v : 'cV[C]_d) : classes.block (diag_mx gate) Q \in unitmx ->
  classes.dense_transition (diag_mx lam) (diag_mx gate) Q *m v = z *: v <->
  eigenvector (lam 0) (gate 0) (1%:M - Q) z (v^~ 0).
Proof.
move=> inv; set B := classes.block (diag_mx gate) Q.
have blockE i : (B *m v) i 0 = v i 0 - gate 0 i * \sum_j (1%:M - Q) i j * v j 0.
  by rewrite /B /classes.block mulmxBl mul1mx -mulmxA mxE [X in _ + X]mxE mul_diag_mx !mxE.
transitivity (diag_mx lam *m v = z *: (B *m v)).
  rewrite /classes.dense_transition -mulmxA; split=> [e|->]; last by rewrite -scalemxAr mulKmx.
  by rewrite scalemxAr -e mulKVmx.
have lamE i : (diag_mx lam *m v) i 0 = lam 0 i * v i 0 by rewrite mul_diag_mx mxE.
have zE i (w : 'cV[C]_d) : (z *: w) i 0 = z * w i 0 by rewrite mxE.
by split=> [/colP e i|e]; [have := e i | apply/colP=> i]; rewrite lamE zE blockE.
Qed.

(** The equation multiplied by v* Delta^-1. *)
Lemma both_forms lam gate F z v :
  (forall i, 0 < gate i) -> eigenvector lam gate F z v ->
  \sum_i (gate i)^-1 * lam i * `|v i| ^+ 2 = z * form gate F v.
Proof.
move=> gate0 eig; rewrite /form -sumrB mulr_sumr; apply: eq_bigr => i _.
have gi : gate i != 0 by rewrite gt_eqF.
rewrite normCK; move: (eig i) gi.
move: (gate i) (lam i) (v i) (v i)^* (\sum_j _) => g l w w' s e g0.
have -> : g^-1 * l * (w * w') = g^-1 * w' * (l * w) by ring.
by rewrite e; field.
Qed.

(** A sum of terms at least 0, one of them above. *)
Lemma weighted_pos (c : 'I_d -> C) v : (forall i, 0 < c i) -> nonzero v -> 0 < \sum_i c i * `|v i| ^+ 2.
Proof.
move=> c0 [i vi]; rewrite (bigD1 i) //= ltr_paddr //.
  by apply: sumr_ge0 => j _; apply: mulr_ge0; [apply: ltW | apply: exprn_ge0; apply: normr_ge0].
by apply: mulr_gt0 => //; rewrite exprn_gt0 // normr_gt0.
Qed.

(** Decays at least 0 and S positive definite: no eigenvalue is negative, and none is complex. *)
Theorem eigenvalues_are_nonnegative lam gate F z v :
  (forall i, 0 <= lam i) -> (forall i, 0 < gate i) -> (forall x, nonzero x -> 0 < form gate F x) ->
  nonzero v -> eigenvector lam gate F z v -> 0 <= z.
Proof.
move=> lam0 gate0 pos v0 eig; have S0 := pos _ v0.
have e := both_forms gate0 eig.
have -> : z = (\sum_i (gate i)^-1 * lam i * `|v i| ^+ 2) / form gate F v by rewrite e mulfK ?gt_eqF.
apply: divr_ge0; last exact: ltW.
apply: sumr_ge0 => i _; apply: mulr_ge0; last by rewrite exprn_ge0.
by rewrite mulr_ge0 // invr_ge0; apply: ltW.
Qed.

Lemma form_real gate F v : (forall i, 0 < gate i) -> hermitian F -> form gate F v \is Num.real.
Proof.
move=> gate0 herm; rewrite /form rpredB //.
  apply: rpred_sum => i _; apply: rpredM; last by rewrite rpredX // normr_real.
  by rewrite rpredV; apply: gtr0_real.
rewrite CrealE rmorph_sum /=; apply/eqP.
transitivity (\sum_i \sum_j v i * ((F i j)^* * (v j)^*)).
  by apply: eq_bigr => i _; rewrite rmorphM /= conjCK rmorph_sum /= mulr_sumr; apply: eq_bigr => j _; rewrite rmorphM.
rewrite exchange_big /=; apply: eq_bigr => i _; rewrite mulr_sumr; apply: eq_bigr => j _.
by rewrite -herm mulrCA mulrC -!mulrA [v j * _]mulrC mulrA.
Qed.

(** Decays above 0: every eigenvalue is real, whatever the passes do. *)
Theorem eigenvalues_are_real lam gate F z v :
  (forall i, 0 < lam i) -> (forall i, 0 < gate i) -> hermitian F ->
  nonzero v -> eigenvector lam gate F z v -> z \is Num.real.
Proof.
move=> lam0 gate0 herm v0 eig; have e := both_forms gate0 eig.
have p0 : 0 < z * form gate F v.
  by rewrite -e; apply: weighted_pos => // i; rewrite mulr_gt0 ?invr_gt0.
have s0 : form gate F v != 0 by apply: contraTneq p0 => ->; rewrite mulr0 ltxx.
have -> : z = z * form gate F v / form gate F v by rewrite mulfK.
by rewrite rpredM ?rpredV ?form_real // gtr0_real.
Qed.

(** ** One reflection: F = a u u*, a = 2 alpha *)

Definition one_factor a u : 'M[C]_d := \matrix_(i, j) (a * u i * (u j)^*).

(** t = 2 alpha u . Delta u: besides 0 the eigenvalue of Delta F. *)
Definition strength a gate u : C := a * \sum_i gate i * `|u i| ^+ 2.

Lemma strength_is_eigenvalue a gate u i :
  gate i * (\sum_j one_factor a u i j * (gate j * u j)) = strength a gate u * (gate i * u i).
Proof.
rewrite /strength !mulr_sumr mulr_suml; apply: eq_bigr => j _.
by rewrite mxE normCK; move: (u j)^* => w; ring.
Qed.

Definition overlap u x : C := \sum_j (u j)^* * x j.

Lemma one_factor_form a gate u x :
  form gate (one_factor a u) x = (\sum_i (gate i)^-1 * `|x i| ^+ 2) - a * `|overlap u x| ^+ 2.
Proof.
rewrite /form normCK; congr (_ - _).
have -> : (overlap u x)^* = \sum_i (x i)^* * u i.
  by rewrite rmorph_sum; apply: eq_bigr => i _; rewrite rmorphM /= conjCK mulrC.
rewrite mulrA mulr_sumr; apply: eq_bigr => i _.
transitivity ((x i)^* * (a * u i * overlap u x)); last by move: (x i)^* => x'; ring.
congr (_ * _); rewrite mulr_sumr; apply: eq_bigr => j _.
by rewrite mxE !mulrA.
Qed.

Lemma no_vector u x : ~ nonzero u -> overlap u x = 0.
Proof.
move=> u0; rewrite /overlap big1 // => j _.
case: (eqVneq (u j) 0) => [->|uj]; first by rewrite rmorph0 mul0r.
by case: u0; exists j.
Qed.

(** Cauchy and Schwarz, with weights. *)
Lemma weighted_overlap gate u x :
  (forall i, 0 < gate i) -> nonzero u ->
  `|overlap u x| ^+ 2 <= (\sum_i gate i * `|u i| ^+ 2) * (\sum_i (gate i)^-1 * `|x i| ^+ 2).
Proof.
move=> gate0 u0; have s0 := weighted_pos gate0 u0.
set s := \sum_i _ in s0 *; set w := overlap u x.
have sr : s^* = s by apply/CrealP; apply: gtr0_real.
rewrite -subr_ge0 -(pmulr_rge0 _ s0).
have -> : s * (s * (\sum_i (gate i)^-1 * `|x i| ^+ 2) - `|w| ^+ 2) = \sum_i (gate i)^-1 * `|s * x i -
  w * gate i * u i| ^+ 2.
  have expand i : (gate i)^-1 * `|s * x i - w * gate i * u i| ^+ 2 =
      s ^+ 2 * ((gate i)^-1 * `|x i| ^+ 2) - s * w^* * ((u i)^* * x i) - s * w * (u i * (x i)^*) +
        `|w| ^+ 2 * (gate i * `|u i| ^+ 2).
    have g0 : gate i != 0 by rewrite gt_eqF.
    have gr : (gate i)^* = gate i by apply/CrealP; apply: gtr0_real.
    rewrite !normCK rmorphB !rmorphM /= sr gr.
    by move: (x i)^* (u i)^* w^* => x' u' w'; field.
  rewrite (eq_bigr _ (fun i _ => expand i)) big_split /= !sumrB -!mulr_sumr -/s -/(overlap u x) -/w.
  have -> : \sum_i u i * (x i)^* = w^*.
    by rewrite rmorph_sum; apply: eq_bigr => i _; rewrite rmorphM /= conjCK.
  by rewrite normCK; move: w^* (\sum_i _) => w' X; clear expand; move: s w {s0 sr} => s w; ring.
apply: sumr_ge0 => i _; apply: mulr_ge0; last by rewrite exprn_ge0.
by rewrite invr_ge0 ltW.
Qed.

(** With one factor S is positive definite iff t < 1, which is iff the passes settle. *)
Theorem one_factor_definite a gate u :
  0 <= a -> (forall i, 0 < gate i) ->
  (forall x, nonzero x -> 0 < form gate (one_factor a u) x) <-> strength a gate u < 1.
Proof.
move=> a0 gate0; have inv0 i : 0 < (gate i)^-1 by rewrite invr_gt0.
split=> [pos|small x x0].
  case: (boolP [exists i, u i != 0]) => [/existsP u0|/existsPn none]; last first.
    rewrite /strength big1 ?mulr0 ?ltr01 // => i _.
    by move: (none i); rewrite negbK => /eqP ->; rewrite normr0 expr0n mulr0.
  have s0 := weighted_pos gate0 u0; rewrite /strength; set s := \sum_i _ in s0 *.
  have /pos : nonzero (fun i => gate i * u i).
    by case: u0 => i ui; exists i; apply: mulf_neq0 => //; rewrite gt_eqF.
  have over : overlap u (fun i => gate i * u i) = s.
    by apply: eq_bigr => i _; rewrite normCK; move: (u i)^* => u'; ring.
  have size : \sum_i (gate i)^-1 * `|gate i * u i| ^+ 2 = s.
    apply: eq_bigr => i _; have g0 : gate i != 0 by rewrite gt_eqF.
    by rewrite normrM (gtr0_norm (gate0 i)) exprMn expr2 !mulrA mulVf // mul1r.
  rewrite one_factor_form over size (gtr0_norm s0).
  have -> : s - a * s ^+ 2 = s * (1 - a * s) by move: s {s0 over size} => s; ring.
  by rewrite pmulr_rgt0 // subr_gt0.
have X0 := weighted_pos inv0 x0; rewrite one_factor_form subr_gt0; set X := \sum_i _ in X0 *.
case: (boolP [exists i, u i != 0]) => [/existsP u0|/existsPn none]; last first.
  by rewrite no_vector ?normr0 ?expr0n ?mulr0 // => -[i]; apply/negP; apply: none.
apply: (le_lt_trans (ler_wpmul2l a0 (weighted_overlap x gate0 u0))).
by rewrite mulrA -/(strength a gate u) gtr_pmull.
Qed.

End Symmetric.

(** Where the passes diverge an eigenvalue may be negative: Lambda = Delta = 1, F = 2, A = -1. *)
Theorem not_eigenvalues_are_nonnegative_anyway (C : numClosedFieldType) :
  exists (lam gate u v : 'I_1 -> C) a z,
  [/\ forall i, 0 < lam i, forall i, 0 < gate i, 0 <= a, nonzero v & eigenvector lam gate (one_factor a u) z v] /\
    ~ 0 <= z.
Proof.
exists (fun=> 1), (fun=> 1), (fun=> 1), (fun=> 1), 2%:R, (-1); split; last first.
  by apply/negP; rewrite oppr_ge0 ler10.
split; [by move=> i; exact: ltr01 | by move=> i; exact: ltr01 | exact: ler0n | by exists ord0; rewrite oner_neq0 |].
by move=> i; rewrite big_ord1 mxE conjC1; ring.
Qed.

(** * A linear unit with an eigenvalue inside the unit circle has no persistent memory

    degeeter26, Abstract. Real and complex eigenvalues: any field with a norm in which some number of ones exceeds each
    norm.

    - [unit_state lam b h t]: h_t = lam h_(t-1) + b_t from h_0 = h. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import models affine.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Fading.

Variables (F : numFieldType) (archi : Num.archimedean_axiom F) (lam : F).

(** h_t = lambda h_(t-1) + b_t, with the inputs b_1, b_2, ... *)
Definition unit_state (b : nat -> F) (h : F) t : F := at_time (unit_step (fun=> lam) id) h (fun s => b s.+1) t.

Lemma bernoulli (q : F) t : 0 <= q -> 1 + t%:R * q <= (1 + q) ^+ t.
Proof.
move=> q0; elim: t => [|t IH]; first by rewrite mul0r addr0 expr0.
have q1 : 0 <= 1 + q by rewrite addr_ge0 ?ler01.
rewrite exprS; apply: le_trans (ler_wpmul2l q1 IH).
have -> : (1 + q) * (1 + t%:R * q) = 1 + t.+1%:R * q + q * (t%:R * q) by rewrite -addn1 natrD; ring.
rewrite ler_addl; apply: mulr_ge0 => //; apply: mulr_ge0 => //; exact: ler0n.
Qed.

Lemma powers_fade (c d eps : F) : 0 <= c < 1 -> 0 <= d -> 0 < eps -> exists N, forall t, (N <= t)%N -> c ^+ t * d < eps.
Proof.
move=> /andP[c0 c1] d0 eps0; have [->|cn0] := eqVneq c 0.
  by exists 1%N => -[|t] // _; rewrite exprS !mul0r.
have cp : 0 < c by rewrite lt_neqAle eq_sym cn0.
pose q := c^-1 - 1; have q0 : 0 < q by rewrite subr_gt0 invf_gt1.
have [N lt] := archi (d / (eps * q)); exists N => t Nt.
rewrite ger0_norm ?divr_ge0 ?mulr_ge0 // ?(ltW eps0) ?(ltW q0) // in lt.
apply: (@le_lt_trans _ _ (c ^+ N * d)).
  by rewrite ler_wpmul2r // -(subnK Nt) exprD ler_pimull ?exprn_ge0 // exprn_ile1 // ltW.
have cN : 0 < c ^+ N by rewrite exprn_gt0.
rewrite mulrC -ltr_pdivl_mulr // -exprVn.
have cE : c^-1 = 1 + q by rewrite /q addrC subrK.
rewrite cE; apply: lt_le_trans (_ : eps * (1 + N%:R * q) <= _); last by rewrite ler_pmul2l // bernoulli // ltW.
rewrite ltr_pdivr_mulr ?mulr_gt0 // in lt; apply: lt_le_trans lt _.
by rewrite mulrCA ler_pmul2l // ler_addr ler01.
Qed.

Theorem linear_memory_fades :
  `|lam| < 1 ->
  [/\ forall b h k t, unit_state b h t - unit_state b k t = lam ^+ t * (h - k),
      forall d eps, 0 < eps -> exists N, forall t, (N <= t)%N -> `|lam ^+ t * d| < eps &
      forall b h, lam * h + b = h <-> h = b / (1 - lam)].
Proof.
move=> l1; have l0 : 1 - lam != 0 by rewrite subr_eq0; apply: contraTneq l1 => <-; rewrite normr1 ltxx.
split=> [b h k t|d eps eps0|b h].
- elim: t => [|t IH] /=; first by rewrite mul1r.
  rewrite -![unit_state _ _ t.+1]/(lam * unit_state _ _ t + b t.+1) opprD addrACA subrr addr0 -mulrBr IH.
  by rewrite mulrA -exprS.
- have [|N lt] := @powers_fade `|lam| `|d| eps _ (normr_ge0 _) eps0; first by rewrite normr_ge0.
  by exists N => t /lt; rewrite normrM normrX.
split=> [e|->].
  by apply: (canRL (mulfK l0)); rewrite mulrBr mulr1 -{1}e addrAC mulrC subrr add0r.
apply: (mulIf l0); rewrite mulrDl mulfVK // -mulrA mulfVK // mulrC.
by rewrite mulrBr mulr1 mulrC addrC subrK.
Qed.

End Fading.

(** With an eigenvalue on the circle nothing fades: lambda = 1. *)
Theorem not_linear_memory_fades_on_the_circle (F : numFieldType) :
  ~ (forall lam : F, `|lam| <= 1 -> forall d eps, 0 < eps -> exists N, forall t, (N <= t)%N -> `|lam ^+ t * d| < eps).
Proof.
move/(_ 1); rewrite normr1 lexx => /(_ isT 1 1 ltr01) [N /(_ N (leqnn N))].
by rewrite expr1n mulr1 normr1 ltxx.
Qed.

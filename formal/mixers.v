(** * Mixers of GH factors

    movahedi25, Eq. 10: Q is a product of I - 2 a_i u_i^T u_i, for rows u_i of length 1 and 0 <= a_i <= 1.

    - [stretch A c]: A lengthens no row more than c times;
    - [factor (u, a)], [mixer s]: I - 2 a u^T u, and the product of several;
    - [unit_factors s]: every u has length 1, every a is in [0, 1]. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import models householder classes.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** GH mixers: Eq. 10 *)

Section Mixers.

Variables (F : realFieldType) (d : nat).
Implicit Types (x u v : 'rV[F]_d) (A B : 'M[F]_d) (s : seq ('rV[F]_d * F)).

Lemma dotZl a u v : dot (a *: u) v = a * dot u v.
Proof. by rewrite /dot -scalemxAl mxE. Qed.

Lemma dotZ a u : dot (a *: u) (a *: u) = a ^+ 2 * dot u u.
Proof. by rewrite dotZl dotC dotZl mulrA. Qed.

(** Cauchy and Schwarz, from the square of (v.v) u - (u.v) v. *)
Lemma cauchy_schwarz u v : dot u v ^+ 2 <= dot u u * dot v v.
Proof.
have dot0 x : dot 0 x = 0 by rewrite /dot mul0mx mxE.
have [->|v0] := eqVneq v 0; first by rewrite dotC !dot0 mulr0 expr0n.
have vv : 0 < dot v v by rewrite lt_neqAle dot_ge0 andbT eq_sym dot_eq0.
have := dot_ge0 (dot v v *: u - dot u v *: v).
rewrite dotBl !dotBr !dotZl !(dotC _ (_ *: _)) !dotZl (dotC v u).
have expand (a b c : F) : a * (a * b) - a * (c * c) - (c * (a * c) - c * (c * a)) = a * (b * a - c ^+ 2) by ring.
rewrite expand.
by rewrite pmulr_rge0 // subr_ge0.
Qed.

(** [stretch A c]: no row vector gets longer than c times. *)
Definition stretch A c := forall x, dot (x *m A) (x *m A) <= c ^+ 2 * dot x x.

Lemma dot_add u v : dot (u + v) (u + v) = dot u u + 2%:R * dot u v + dot v v.
Proof.
have dotDl a b c : dot (a + b) c = dot a c + dot b c by rewrite /dot mulmxDl mxE.
by rewrite dotDl !(dotC _ (u + v)) !dotDl (dotC v u); ring.
Qed.

(** The triangle inequality, without roots. *)
Lemma stretch_add A B a b : 0 <= a -> 0 <= b -> stretch A a -> stretch B b -> stretch (A + B) (a + b).
Proof.
move=> a0 b0 sA sB x; rewrite mulmxDr dot_add; have := sA x; have := sB x.
have := cauchy_schwarz (x *m A) (x *m B); move: (dot_ge0 x) (dot_ge0 (x *m A)) (dot_ge0 (x *m B)).
move: (dot x x) (dot (x *m A) (x *m A)) (dot (x *m A) (x *m B)) (dot (x *m B) (x *m B)) => q AA AB BB q0 A0 B0 cs lB lA.
have AB_le : AB <= a * b * q.
  apply: (le_trans (ler_norm _)); rewrite -ler_sqr ?nnegrE ?mulr_ge0 // real_normK ?num_real //.
  apply: (le_trans cs); have -> : (a * b * q) ^+ 2 = (a ^+ 2 * q) * (b ^+ 2 * q) by ring.
  by rewrite ler_pmul.
have -> : (a + b) ^+ 2 * q = a ^+ 2 * q + 2%:R * (a * b * q) + b ^+ 2 * q by ring.
by rewrite !ler_add // ler_wpmul2l ?ler0n.
Qed.

(** A factor I - 2 alpha u u^T with |u| = 1. *)
Definition factor (ua : 'rV[F]_d * F) : 'M[F]_d := gh ua.1^T (2%:R * ua.2).

Definition mixer s : 'M[F]_d := gh_product [seq (ua.1^T, 2%:R * ua.2) | ua <- s].

Lemma factor_stretch u (a : F) : dot u u = 1 -> 0 <= a <= 1 -> stretch (factor (u, a)) 1.
Proof.
move=> u1 /andP[a0 a1] x; have := @gh_contracts F d x u (2%:R * a); rewrite u1 divr1 expr1n mul1r; apply.
by rewrite mulr_ge0 ?ler0n //= -[X in _ <= X]mulr1 ler_wpmul2l ?ler0n.
Qed.

Lemma factor_distance u (a : F) x : x *m (1%:M - factor (u, a)) = (2%:R * a * dot x u) *: u.
Proof. by rewrite /factor /gh trmxK opprB addrC subrK /= -scalemxAr mulmxA dotE mul_scalar_mx scalerA. Qed.

(** One factor is 2 alpha away from I, exactly: u itself is moved that far. *)
Lemma factor_near u (a : F) : dot u u = 1 -> stretch (1%:M - factor (u, a)) (2%:R * a).
Proof.
move=> u1 x; rewrite factor_distance; set c := 2%:R * a.
have -> : dot ((c * dot x u) *: u) ((c * dot x u) *: u) = c ^+ 2 * dot x u ^+ 2.
  by rewrite dotZ u1 mulr1 exprMn.
by rewrite ler_wpmul2l ?sqr_ge0 // -[dot x x]mulr1 -u1 cauchy_schwarz.
Qed.

Theorem factor_attains u (a : F) (w := u *m (1%:M - factor (u, a))) : dot u u = 1 -> dot w w
  = (2%:R * a) ^+ 2 * dot u u.
Proof. by move=> u1; rewrite /w factor_distance dotZ u1 !mulr1. Qed.

Definition unit_factors s := all (fun ua : 'rV[F]_d * F => (dot ua.1 ua.1 == 1) && (0 <= ua.2 <= 1)) s.

(** They are the products of GH matrices with eigenvalues in [-1, 1] that grazzi25 has. *)
Theorem mixers_are_gh k (Q : 'M[F]_d) :
  gh_class k (@unit_interval F) Q <-> exists s, [/\ unit_factors s, size s = k & mixer s = Q].
Proof.
have two0 : 0 < 2%:R :> F by rewrite ltr0n.
have half (b : F) : unit_interval (1 - 2%:R * b) <-> 0 <= b <= 1.
  by rewrite /unit_interval unit_intervalE pmulr_rge0 // -[X in _ && (_ <= X)]mulr1 ler_pmul2l.
split=> [[s [size_s sE <-]]|[s [/allP us size_s <-]]].
  exists [seq (vb.1, vb.2 / 2%:R) | vb <- s]; rewrite size_map; split=> //.
    apply/allP=> _ /mapP[[v b] /sE[v1 b1] ->] /=; rewrite v1 eqxx; apply/half.
    by rewrite mulrC divfK ?gt_eqF.
  rewrite /mixer -map_comp; congr gh_product; apply: eq_map => -[v b] /=.
  by rewrite mulrC divfK ?gt_eqF.
exists [seq (ua.1, 2%:R * ua.2) | ua <- s]; rewrite size_map -map_comp; split=> // v b.
by move=> /mapP[ua /us /andP[/eqP u1 a1] [-> ->]]; split=> //; apply/half.
Qed.

(** Eq. 10: |x (I - Q)| <= 2 sum alpha_i |x|, factor by factor. *)
Theorem mixer_near s : unit_factors s -> stretch (1%:M - mixer s) (2%:R * \sum_(ua <- s) ua.2).
Proof.
elim: s => [_|[u a] s IH] /=.
  by move=> x; rewrite subrr mulmx0 big_nil mulr0 expr0n mul0r /dot mul0mx mxE.
case/andP=> /andP[/eqP u1 /andP[a0 a1]] us; rewrite big_cons /= mulrDr.
have -> : 1%:M - factor (u, a) *m mixer s = (1%:M - factor (u, a)) + factor (u, a) *m (1%:M - mixer s).
  by rewrite mulmxBr mulmx1 addrA subrK.
apply: stretch_add; rewrite ?mulr_ge0 ?ler0n //; first by rewrite big_seq sumr_ge0 // =>
  -[v b] /(allP us) /andP[_ /andP[]].
  exact: factor_near.
move=> x; rewrite mulmxA; apply: le_trans (IH us _) _; rewrite ler_wpmul2l ?sqr_ge0 //.
by have := @factor_stretch u a u1 _ x; rewrite a0 a1 expr1n mul1r; apply.
Qed.

(** sum alpha_i < 1/2 makes I - Q contractive ... *)
Theorem mixer_contracts s x :
  unit_factors s -> 2%:R * (\sum_(ua <- s) ua.2) < 1 ->
    x != 0 -> dot (x *m (1%:M - mixer s)) (x *m (1%:M - mixer s)) < dot x x.
Proof.
move=> us small x0; apply: le_lt_trans (mixer_near us x) _.
have xx : 0 < dot x x by rewrite lt_neqAle dot_ge0 andbT eq_sym dot_eq0.
rewrite gtr_pmull // expr_lt1 // mulr_ge0 ?ler0n // big_seq sumr_ge0 // => -[v b] /(allP us) /andP[_ /andP[]] //.
Qed.

(** A contractive I - Q leaves Q no eigenvalue in (-infinity, 0] ... *)
Theorem contractive_means_positive (Q : 'M[F]_d) x (mu : F) :
  dot (x *m (1%:M - Q)) (x *m (1%:M - Q)) < dot x x -> x *m Q = mu *: x -> 0 < mu.
Proof.
move=> less eig; rewrite ltNge; apply/negP=> mu0.
move: less; rewrite mulmxBr mulmx1 eig -{1 3}[x]scale1r -scalerBl.
rewrite dotZ ltNge => /negP[]; rewrite ler_pemull ?dot_ge0 // exprn_ege1 // ler_addl oppr_ge0 //.
Qed.

(** ... so sum alpha_i < 1/2 gives eigenvalues above 0 only, and an invertible Q. *)
Theorem mixer_eigenvalues s x (mu : F) :
  unit_factors s -> 2%:R * (\sum_(ua <- s) ua.2) < 1 -> x != 0 -> x *m mixer s = mu *: x -> 0 < mu.
Proof.
move=> us small x0; apply: contractive_means_positive; exact: mixer_contracts.
Qed.

Theorem mixer_invertible s : unit_factors s -> 2%:R * (\sum_(ua <- s) ua.2) < 1 -> mixer s \in unitmx.
Proof.
move=> us small; rewrite -row_free_unit -kermx_eq0; apply/rowV0P=> x /sub_kermxP xQ.
apply/eqP; apply: contraT => x0; have := @mixer_eigenvalues s x 0 us small x0.
by rewrite xQ scale0r ltxx => /(_ erefl).
Qed.

(** For one factor the condition is necessary: otherwise u does not get shorter. *)
Theorem one_factor_needs_it u (a : F) (w := u *m (1%:M - mixer [:: (u, a)])) :
  dot u u = 1 -> 1 <= 2%:R * a -> dot u u <= dot w w.
Proof.
move=> u1 big; rewrite /w /mixer /= mulmx1 factor_attains // u1 mulr1.
by rewrite exprn_ege1.
Qed.

End Mixers.

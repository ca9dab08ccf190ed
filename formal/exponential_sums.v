(** * The sign of a sum of C(k, m) lambda^(k - m) with lambda > 0 settles, and from where on is computed

    For grazzi25, Lemma 1: the leading pair (lambda, m) outgrows the others.

    - [value s k]: the sum of c C(k, m) lambda^(k - m) over the terms (c, lambda, m) of s;
    - [exponent t]: the pair (lambda, m) of a term. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import exponential_growth.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Sums.

Variable F : archiFieldType.
Implicit Types (x c eps : F) (m k : nat) (p q r : F * nat).

Definition term : Type := F * F * nat.

Definition value (s : seq term) k : F := \sum_(t <- s) t.1.1 * basis t.1.2 t.2 k.

Lemma below_trans q p r : below q p -> below p r -> below q r.
Proof.
case: q p r => x m [y n] [z l]; rewrite /below /= => /orP[xy|/andP[/eqP <- mn]] /orP[yz|/andP[/eqP <- nl]].
- by rewrite (lt_trans xy).
- by rewrite xy.
- by rewrite yz.
by rewrite eqxx (ltn_trans mn nl) orbT.
Qed.

Lemma below_total q p : q != p -> ~~ below q p -> below p q.
Proof.
case: q p => x m [y n]; rewrite /below xpair_eqE /= [y == x]eq_sym; case: (ltgtP x y) => //= _.
by rewrite -leqNgt leq_eqVlt eq_sym => /negPf ->.
Qed.

Definition exponent (t : term) : F * nat := (t.1.2, t.2).

(** The leading pair. *)
Lemma leading (t0 : term) s : {p | p \in map exponent (t0 :: s) &
  forall t, t \in t0 :: s -> exponent t != p -> below (exponent t) p}.
Proof.
elim: s t0 => [|t1 s IH] t0.
  by exists (exponent t0) => [|t]; rewrite !inE ?eqxx // => /eqP ->; rewrite eqxx.
have [p inp top] := IH t1; have [lt|ge] := boolP (below p (exponent t0)).
  exists (exponent t0); first by rewrite inE eqxx.
  move=> t; rewrite inE => /orP[/eqP ->|ts _]; first by rewrite eqxx.
  have [e|ne] := eqVneq (exponent t) p; first by rewrite e.
  by apply: below_trans lt; apply: top.
have [e|ne] := eqVneq p (exponent t0).
  exists p; first by rewrite e inE eqxx.
  by move=> t; rewrite inE => /orP[/eqP ->|ts]; [rewrite e eqxx | apply: top].
exists p; first by rewrite inE inp orbT.
by move=> t; rewrite inE => /orP[/eqP -> _|ts]; [apply: below_total | apply: top].
Qed.

Definition positive (s : seq term) : bool := all (fun t => 0 < t.1.2) s.

Lemma dominated s p eps : 0 < p.1 -> 0 < eps -> positive s -> (forall t, t \in s -> below (exponent t) p) ->
  eventually (fun k => `|value s k| <= eps * basis p.1 p.2 k).
Proof.
move=> p0; elim: s eps => [|t s IH] eps eps0 pos lower.
  by exists 0%N => k _; rewrite /value big_nil normr0 mulr_ge0 ?(ltW eps0) ?basis_ge0.
move: pos => /= /andP[t0 pos]; have half : 0 < eps / 2%:R by rewrite divr_gt0 ?ltr0Sn.
have c0 : 0 < `|t.1.1| + 1 by rewrite ltr_paddl ?normr_ge0 ?ltr01.
have below_t : below (exponent t) p by apply: lower; rewrite inE eqxx.
have [K1 le1] := @outgrows F _ (exponent t) p (divr_gt0 half c0) t0 below_t.
have [|K2 le2] := IH _ half pos; first by move=> u us; apply: lower; rewrite inE us orbT.
exists (maxn K1 K2) => k; rewrite geq_max => /andP[/le1 {}le1 /le2 {}le2].
rewrite /value big_cons (le_trans (ler_norm_add _ _)) // [X in _ <= X * _](splitr eps) mulrDl ler_add //.
have b0 := basis_ge0 t.2 k t0; rewrite normrM (ger0_norm b0).
apply: le_trans (ler_wpmul2l (normr_ge0 _) le1) _; rewrite mulrA ler_wpmul2r ?basis_ge0 //.
by rewrite mulrCA ler_pimulr ?(ltW half) // ler_pdivr_mulr // mul1r ler_addl ler01.
Qed.

Lemma value_split s p k : value s k =
  (\sum_(t <- s | exponent t == p) t.1.1) * basis p.1 p.2 k + value [seq t <- s | exponent t != p] k.
Proof.
rewrite /value (bigID (fun t => exponent t == p)) /= mulr_suml big_filter; congr (_ + _).
by apply: eq_bigr => t /eqP <-.
Qed.

Lemma sign_settles s : positive s -> {b : bool & eventually (fun k => (value s k <= 0) = b)}.
Proof.
have [n] := ubnP (size s); elim: n s => // n IH [|t0 s] size_s pos.
  by exists true; exists 0%N => k _; rewrite /value big_nil lexx.
have [p inp top] := leading t0 s; set S := t0 :: s in size_s pos inp top *.
have p0 : 0 < p.1 by case/mapP: inp => t /(allP pos) t0' ->.
set rest := [seq t <- S | exponent t != p]; pose c := \sum_(t <- S | exponent t == p) t.1.1.
have pos_rest : positive rest by apply/allP=> t; rewrite mem_filter => /andP[_ /(allP pos)].
have [c0|cn0] := eqVneq c 0.
  have [|b [K settled]] := IH rest _ pos_rest.
    rewrite size_filter -ltnS (leq_trans _ size_s) // ltnS -(count_predC (fun t => exponent t != p) S) -addn1 leq_add2l.
    rewrite -has_count; case/mapP: inp => t tS pE; apply/hasP; exists t => //=.
    by rewrite negbK pE.
  exists b; exists K => k /settled <-; by rewrite (value_split _ p) -/c c0 mul0r add0r.
have half : 0 < `|c| / 2%:R by rewrite divr_gt0 ?normr_gt0 ?ltr0Sn.
have [|K le] := dominated p0 half pos_rest.
  by move=> t; rewrite mem_filter => /andP[ne tS]; apply: top.
exists (c < 0); exists (maxn K p.2) => k; rewrite geq_max => /andP[/le {}le Mk].
rewrite (value_split _ p) -/c -/rest; have g0 := basis_gt0 p0 Mk; set g := basis _ _ _ in le g0 *.
move: le; rewrite ler_norml => /andP[low high].
set v := value rest k in low high *.
have [cneg|c_ge0] := ltP c 0.
  have half_neg : c / 2%:R * g < 0 by rewrite nmulr_rlt0 // nmulr_rlt0 ?invr_gt0 ?ltr0Sn.
  apply: le_trans (ltW half_neg); rewrite -ler_subr_addl; apply: (le_trans high).
  have e : `|c| / 2%:R * g = c / 2%:R * g - c * g by rewrite (ltr0_norm cneg); field.
  by rewrite e.
have cpos : 0 < c by rewrite lt_neqAle eq_sym cn0.
have half_pos : 0 < c / 2%:R * g by apply: mulr_gt0 => //; apply: divr_gt0 => //; apply: ltr0Sn.
apply/negbTE; rewrite -ltNge; apply: lt_le_trans half_pos _; rewrite -ler_subl_addl; apply: le_trans low.
have e : - (`|c| / 2%:R * g) = c / 2%:R * g - c * g by rewrite (gtr0_norm cpos); field.
by rewrite e.
Qed.

End Sums.

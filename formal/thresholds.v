(** * A sum of C(k, m) lambda^(k - m) under a cast: from a computed threshold on it has period 2

    grazzi25, Lemma 1. Over the rational numbers a program computes the threshold and the two values,
    over the real numbers they exist.

    - [closer x y z]: y is nearer to x than z, or as near and not larger;
    - [to_nearest D x]: the nearest element of D, the smaller one at a tie: Eq. 4; it is a cast of models.v;
    - [on_parity r s]: terms with positive lambda that make the same sum at even times, and at odd ones. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require models casts.
From lemmata Require Import exponential_growth exponential_sums.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** The cast *)

Section Cast.

Variable F : realFieldType.
Implicit Types (x y z : F) (D : seq F).

Definition closer x y z : bool := (`|x - y| < `|x - z|) || (`|x - y| == `|x - z|) && (y <= z).

Definition to_nearest D x : F := head 0 (sort (closer x) D).

Lemma closer_total x : total (closer x).
Proof. by move=> y z; rewrite /closer; case: (ltgtP `|x - y| `|x - z|) => //= _; apply: le_total. Qed.

Lemma closer_trans x : transitive (closer x).
Proof.
move=> z y w; rewrite /closer => /orP[yz|/andP[/eqP -> yz]] /orP[zw|/andP[/eqP e zw]].
- by rewrite (lt_trans yz).
- by rewrite -e yz.
- by rewrite zw.
by rewrite e eqxx (le_trans yz) ?orbT.
Qed.

Lemma closer_anti x y z : closer x y z -> closer x z y -> y = z.
Proof.
rewrite /closer; case: (ltgtP `|x - y| `|x - z|) => //= _ yz zy.
by apply/eqP; rewrite eq_le yz.
Qed.

Lemma to_nearest_is_nearest D x : D != [::] -> to_nearest D x \in D /\ forall z, z \in D -> closer x (to_nearest D x) z.
Proof.
move=> D0; have : sorted (closer x) (sort (closer x) D) by apply: sort_sorted; apply: closer_total.
have same : sort (closer x) D =i D by apply: mem_sort.
rewrite /to_nearest; case: (sort _ _) same => [|y s] same /=.
  by case: D D0 same => // z D _ /(_ z); rewrite inE eqxx.
move/(order_path_min (@closer_trans x)) => /allP least; split; first by rewrite -same inE eqxx.
move=> z; rewrite -same inE => /orP[/eqP ->|/least //].
by have := closer_total x y y; rewrite orbb.
Qed.

(** It is a cast of the model of finite precision, with ties broken downwards. *)
Theorem to_nearest_is_a_cast D x : D != [::] ->
  models.cast (casts.midpoints D) (casts.chosen D (to_nearest D)) x = to_nearest D x.
Proof.
move=> D0; apply: casts.nearest_is_a_cast => z; have [inD near] := to_nearest_is_nearest z D0; split=> // d /near.
by rewrite /closer => /orP[/ltW|/andP[/eqP ->]].
Qed.

(** It is known from the sides of the midpoints on which x lies. *)
Lemma closer_mid x y z : closer x y z = (y == z) || (if y < z then x <= (y + z) / 2%:R else (y + z) / 2%:R < x).
Proof.
set mid := (y + z) / 2%:R; have [->|ne] := eqVneq y z.
  by rewrite /closer eqxx lexx orbT.
have square (a b : F) : ((`|a| < `|b|) = (a ^+ 2 < b ^+ 2)) * ((`|a| == `|b|) = (a ^+ 2 == b ^+ 2)).
  rewrite -[a ^+ 2]real_normK ?num_real // -[b ^+ 2]real_normK ?num_real //; split.
    by rewrite ltr_pexpn2r // nnegrE normr_ge0.
  by rewrite eqr_expn2.
have e : (x - z) ^+ 2 = (x - y) ^+ 2 + 2%:R * ((z - y) * (mid - x)) by rewrite /mid; field.
have two : 0 < 2%:R :> F by apply: ltr0Sn.
rewrite /closer !square e ltr_addl pmulr_rgt0 // -subr_eq0 opprD addrA subrr sub0r oppr_eq0.
rewrite !mulf_eq0 (gt_eqF two) !subr_eq0 [z == y]eq_sym (negPf ne) /=.
have [yz|zy|yz] := ltgtP y z; last by rewrite yz eqxx in ne.
  by rewrite pmulr_rgt0 ?subr_gt0 // andbT orbC [mid == x]eq_sym -le_eqVlt.
by rewrite andbF orbF nmulr_rgt0 ?subr_lt0.
Qed.

Lemma to_nearest_agrees D x x' : D != [::] ->
  (forall y z, y \in D -> z \in D -> (x <= (y + z) / 2%:R) = (x' <= (y + z) / 2%:R)) ->
    to_nearest D x = to_nearest D x'.
Proof.
move=> D0 sides; have [inD near] := to_nearest_is_nearest x D0; have [inD' near'] := to_nearest_is_nearest x' D0.
apply: (@closer_anti x); first exact: near.
rewrite closer_mid !ltNge sides // -!ltNge -closer_mid; exact: near'.
Qed.

End Cast.

(** ** Both parities *)

Section Parity.

Variable F : archiFieldType.
Implicit Types (s : seq (term F)) (D : seq F) (k : nat).

Definition on_parity (r : bool) s : seq (term F) :=
  [seq ((if t.1.2 < 0 then t.1.1 * (-1) ^+ (r (+) odd t.2) else t.1.1), `|t.1.2|, t.2) | t <- s & t.1.2 != 0].

Lemma on_parity_positive r s : positive (on_parity r s).
Proof. by apply/allP=> u /mapP[t]; rewrite mem_filter => /andP[t0 _] -> /=; rewrite normr_gt0. Qed.

Lemma on_parityE r s k : all (fun t => (t.2 < k)%N) s -> odd k = r -> value (on_parity r s) k = value s k.
Proof.
move=> + kr; elim: s => [|[[c x] m] s IH] //= /andP[mk /IH {}IH].
rewrite /value big_cons -/(value s k) -IH /on_parity /=; have [->|x0] := eqVneq x 0.
  by rewrite /= /basis expr0n subn_eq0 leqNgt mk mulr0n !mulr0 add0r.
rewrite /= big_cons /=; congr (_ + _); rewrite /basis; have [xneg|xpos] := ltP x 0; last by rewrite ger0_norm.
have e : x = -1 * - x by rewrite mulN1r opprK.
rewrite ltr0_norm // [in RHS]e exprMn -[(-1) ^+ (k - m)]signr_odd oddB ?(ltnW mk) // kr.
by rewrite -!mulrA; congr (_ * _); rewrite mulrCA.
Qed.

(** Where positive terms make the sum, the side of each midpoint settles, and the cast with them. *)
Definition against s y : seq (term F) := (- y, 1, 0%N) :: s.

Lemma to_nearest_settles_where (P : nat -> Prop) (model : seq (term F) -> seq (term F)) s D : D != [::] ->
  (forall S, positive (model S)) ->
  (forall y k, P k -> all (fun t => (t.2 < k)%N) (against s y) ->
    value (model (against s y)) k = value (against s y) k) ->
  {K : nat | forall k k', (K <= k)%N -> (K <= k')%N -> P k -> P k' -> to_nearest D (value s k) =
    to_nearest D (value s k')}.
Proof.
move=> D0 pos same; pose mid (yz : F * F) := (yz.1 + yz.2) / 2%:R.
have [M above] := eventually_all ((0, 1, 0%N) :: s)
  (fun t : term F => exist (fun K => forall k, (K <= k)%N -> (t.2 < k)%N) t.2.+1 (fun k => id)).
have side y : {b : bool & eventually (fun k => P k -> (value s k <= y) = b)}.
  have [b [K settled]] := sign_settles (pos (against s y)).
  exists b; exists (maxn K M) => k; rewrite geq_max => /andP[/settled {}settled large] Pk.
  rewrite same // in settled; last first.
    apply/allP=> t; rewrite inE => /orP[/eqP ->|ts]; last by apply: (above k large); rewrite inE ts orbT.
    by apply: (above k large (0, 1, 0%N)); rewrite inE eqxx.
  by rewrite -settled /value big_cons /basis /= bin0 expr1n !mulr1 addrC subr_le0.
have [K settled] := eventually_all [seq (y, z) | y <- D, z <- D] (fun yz => projT2 (side (mid yz))).
exists K => k k' Kk Kk' Pk Pk'; apply: to_nearest_agrees => // y z yD zD.
have yz : (y, z) \in [seq (y, z) | y <- D, z <- D] by apply: allpairs_f.
by rewrite (settled k Kk _ yz Pk) (settled k' Kk' _ yz Pk').
Qed.

Lemma to_nearest_settles (r : bool) s D : D != [::] ->
  {K : nat | forall k k', (K <= k)%N -> (K <= k')%N -> odd k = r -> odd k' = r ->
    to_nearest D (value s k) = to_nearest D (value s k')}.
Proof.
move=> D0; apply: (@to_nearest_settles_where (fun k => odd k = r) (on_parity r)) => // [S|y k kr small].
  exact: on_parity_positive.
exact: on_parityE.
Qed.

(** With lambda >= 0 both parities have the same terms. *)
Lemma nonnegative_settles s D : D != [::] -> all (fun t => 0 <= t.1.2) s ->
  {K : nat | forall k k', (K <= k)%N -> (K <= k')%N -> to_nearest D (value s k) = to_nearest D (value s k')}.
Proof.
move=> D0 nonneg; have [||K settled] := @to_nearest_settles_where (fun=> True) (on_parity false) s D D0.
- exact: on_parity_positive.
- move=> y k _ small; rewrite -(on_parityE small erefl); congr (value _ k).
  have nonneg' : all (fun t => 0 <= t.1.2) (against s y) by rewrite /= ler01.
  rewrite /on_parity; apply/eq_in_map => t; rewrite mem_filter => /andP[_ /(allP nonneg')].
  by rewrite leNgt => /negPf ->.
by exists K => k k' Kk Kk'; apply: settled.
Qed.

End Parity.

(** Lemma 1: a program from the terms and the finite set to a threshold and two values. *)
Theorem threshold_is_computed (F : archiFieldType) (s : seq (term F)) (D : seq F) : D != [::] ->
  {K : nat & {a : F * F | [/\ a.1 \in D /\ a.2 \in D,
    forall k, (K <= k)%N -> to_nearest D (value s (2 * k)) = a.1 /\ to_nearest D (value s (2 * k + 1)) = a.2 &
    all (fun t => 0 <= t.1.2) s -> a.1 = a.2 /\ forall k, (K <= k)%N -> to_nearest D (value s k) = a.1]}}.
Proof.
move=> D0; have [K0 even] := to_nearest_settles false s D0; have [K1 odd_] := to_nearest_settles true s D0.
have double k : odd (2 * k) = false by rewrite mul2n odd_double.
have doubleS k : odd (2 * k + 1) = true by rewrite addn1 /= double.
have inD k : to_nearest D (value s k) \in D by have [] := to_nearest_is_nearest (value s k) D0.
have [K nonneg] : {K : nat | all (fun t => 0 <= t.1.2) s -> forall k k', (K <= k)%N -> (K <= k')%N ->
    to_nearest D (value s k) = to_nearest D (value s k')}.
  have [pos|_] := boolP (all (fun t : term F => 0 <= t.1.2) s); last by exists 0%N.
  by have [K same] := nonnegative_settles D0 pos; exists K.
set L := maxn K (maxn K0 K1); exists L; exists (to_nearest D (value s (2 * L)), to_nearest D (value s (2 * L + 1)));
  split=> //=.
  by move=> k Lk; split; [apply: even | apply: odd_] => //; move: Lk; rewrite /L; lia.
move=> /nonneg same; split; first by apply: same; rewrite /L; lia.
by move=> k Lk; apply: same; move: Lk; rewrite /L; lia.
Qed.

(** The values differ where some lambda is negative: (-1)^k onto -1 and 1. *)
Theorem not_threshold_of_one_value :
  ~ (forall (s : seq (term [archiFieldType of rat])) (D : seq rat), D != [::] ->
       exists K a, forall k, (K <= k)%N -> to_nearest D (value s k) = a).
Proof.
move/(_ [:: (1, -1, 0%N)] [:: -1; 1] isT) => [K [a const]].
have valueE k : value [:: (1, -1, 0%N)] k = (-1) ^+ k :> rat by rewrite /value big_seq1 /basis /= bin0 subn0 !mul1r.
have K2 : (K <= 2 * K)%N by rewrite leq_pmull.
have even := const (2 * K)%N K2; have odd_ := const (2 * K).+1 (leqW K2).
rewrite valueE exprM sqrrN !expr1n in even; rewrite valueE exprS exprM sqrrN !expr1n mulr1 in odd_.
by have : to_nearest [:: -1; 1] (1 : rat) = to_nearest [:: -1; 1] (-1 : rat) by rewrite even odd_.
Qed.

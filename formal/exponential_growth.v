(** * How fast C(k, m) lambda^(k - m) grows: which term outgrows which, and from where on

    For grazzi25, Lemma 1. No limit is taken: (1 + h)^k >= C(k, j) h^j, and an Archimedean field has an
    integer above each element.

    - [eventually P]: a number from which on P holds, given, not only shown to exist: the proof is a program;
    - [basis x m k]: C(k, m) x^(k - m); [below q p]: the lexicographic order of the pairs (x, m). *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From mathcomp.algebra_tactics Require Import ring.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** Eventually *)

Definition eventually (P : nat -> Prop) : Type := {K : nat | forall k, (K <= k)%N -> P k}.

Lemma eventually_and (P Q : nat -> Prop) : eventually P -> eventually Q -> eventually (fun k => P k /\ Q k).
Proof.
move=> [K PK] [L QL]; exists (maxn K L) => k; rewrite geq_max => /andP[Kk Lk]; split; [exact: PK | exact: QL].
Qed.

Lemma eventually_all (T : eqType) (s : seq T) (P : T -> nat -> Prop) :
  (forall x, eventually (P x)) -> eventually (fun k => forall x, x \in s -> P x k).
Proof.
move=> each; elim: s => [|y s IH]; first by exists 0%N.
have [K both] := eventually_and (each y) IH; exists K => k /both[Py Ps] x.
by rewrite inE => /orP[/eqP -> //|]; apply: Ps.
Qed.

Section Sums.

Variable F : archiFieldType.
Implicit Types (x c h eps : F) (m k : nat).


Definition basis x m k : F := 'C(k, m)%:R * x ^+ (k - m).

(** ** Which terms outgrow which *)

Lemma archimedes x : {n : nat | x <= n%:R}.
Proof.
exists (Num.bound x); have [x0|x0] := leP 0 x; first exact: ltW (archi_boundP x0).
by apply: le_trans (ltW x0) (ler0n _ _).
Qed.

Lemma basis_ge0 x m k : 0 < x -> 0 <= basis x m k.
Proof. by move=> x0; rewrite mulr_ge0 ?ler0n ?exprn_ge0 ?(ltW x0). Qed.

Lemma basis_gt0 x m k : 0 < x -> (m <= k)%N -> 0 < basis x m k.
Proof. by move=> x0 mk; rewrite mulr_gt0 ?exprn_gt0 // ltr0n bin_gt0. Qed.

Lemma power_above h j k : 0 <= h -> (j <= k)%N -> 'C(k, j)%:R * h ^+ j <= (1 + h) ^+ k.
Proof.
move=> h0 jk; have lt : (j < k.+1)%N by [].
rewrite exprDn (bigD1 (Ordinal lt)) //= expr1n mul1r -[h ^+ j *+ _]mulr_natl ler_addl.
by apply: sumr_ge0 => i _; rewrite mulrn_wge0 // expr1n mul1r exprn_ge0.
Qed.

(** The next binomial outgrows one. *)
Lemma next_binomial eps m : 0 < eps -> eventually (fun k => 'C(k, m)%:R <= eps * 'C(k, m.+1)%:R :> F).
Proof.
move=> eps0; have [n le] := archimedes (m.+1%:R / eps); exists (n + m)%N => k nk.
have e : ('C(k, m) * (k - m) = m.+1 * 'C(k, m.+1))%N by rewrite mulnC mul_bin_left.
have pos : 0 < m.+1%:R :> F by rewrite ltr0Sn.
rewrite -(ler_pmul2l pos) [X in _ <= X]mulrCA -[X in _ <= _ * X]natrM -e natrM [X in _ <= X]mulrCA [X in X <= _]mulrC.
rewrite ler_wpmul2l ?ler0n //.
rewrite -ler_pdivr_mull // mulrC (le_trans le) // ler_nat; lia.
Qed.

Lemma more_binomial eps m d : 0 < eps -> eventually (fun k => 'C(k, m)%:R <= eps * 'C(k, m + d.+1)%:R :> F).
Proof.
move=> eps0; elim: d => [|d IH]; first by rewrite addn1; apply: next_binomial.
have [K both] := eventually_and IH (@next_binomial 1 (m + d.+1)%N ltr01).
exists K => k /both[le next]; rewrite mul1r in next.
by apply: le_trans le _; rewrite ler_wpmul2l ?(ltW eps0) // [in X in _ <= X]addnS.
Qed.

(** Lexicographic order of the pairs (lambda, m). *)
Definition below (q p : F * nat) : bool := (q.1 < p.1) || (q.1 == p.1) && (q.2 < p.2)%N.

Lemma outgrows eps q p : 0 < eps -> 0 < q.1 -> below q p ->
  eventually (fun k => basis q.1 q.2 k <= eps * basis p.1 p.2 k).
Proof.
case: q p => x m [X M] eps0 /= x0 lt; have [xX|Xx] := ltP x X; last first.
  have [e mM] : X = x /\ (m < M)%N.
    by move: lt; rewrite /below /= ltNge Xx /= => /andP[/eqP].
  have pos : 0 < eps / x ^+ (M - m) by rewrite divr_gt0 ?exprn_gt0.
  have [K le] := @more_binomial _ m (M - m).-1 pos; exists (maxn K M) => k; rewrite geq_max => /andP[Kk Mk].
  have -> : X = x by []. have := le k Kk; rewrite prednK ?subn_gt0 // subnKC ?(ltnW mM) // => {}le.
  rewrite /basis (_ : (k - m)%N = (M - m + (k - M))%N); last by lia.
  rewrite exprD mulrA mulrA ler_wpmul2r ?exprn_ge0 ?(ltW x0) //.
  by rewrite -ler_pdivl_mulr ?exprn_gt0 // mulrAC.
pose h := X / x - 1; have X0 : 0 < X by apply: lt_trans xX.
have h0 : 0 < h by rewrite subr_gt0 ltr_pdivl_mulr // mul1r.
have XE : X = x * (1 + h) by rewrite /h addrC subrK mulrCA divff ?mulr1 ?gt_eqF.
pose a := eps * x ^+ m / X ^+ M * h ^+ m.+1 / m.+1%:R.
have a0 : 0 < a by rewrite !(mulr_gt0, divr_gt0, exprn_gt0, invr_gt0, ltr0Sn).
have [n le] := archimedes (1 / a); exists (n + m + M).+1 => k nk.
have large : 1 <= a * (k - m)%:R.
  rewrite -ler_pdivr_mull // mulr1 -div1r (le_trans le) // ler_nat; lia.
have mk : (m <= k)%N by lia. have Mk : (M <= k)%N by lia.
have binom : 'C(k, m)%:R * (k - m)%:R * h ^+ m.+1 / m.+1%:R <= (1 + h) ^+ k.
  apply: le_trans (@power_above h m.+1 k (ltW h0) _); last by lia.
  rewrite -natrM (_ : ('C(k, m) * (k - m) = m.+1 * 'C(k, m.+1))%N); last by rewrite mulnC mul_bin_left.
  have key (u v w : F) : u != 0 -> u * v * w / u = v * w by move=> u0; field.
  by rewrite natrM key ?pnatr_eq0.
have xm : 0 < x ^+ m by rewrite exprn_gt0.
have XM : 0 < X ^+ M by rewrite exprn_gt0.
rewrite /basis; apply: le_trans (_ : eps * X ^+ (k - M) <= _); last first.
  rewrite ler_wpmul2l ?(ltW eps0) // ler_pmull ?exprn_gt0 // ler1n bin_gt0 //.
rewrite -(ler_pmul2r xm) -mulrA -exprD subnK // -(ler_pmul2r XM).
have whole : X ^+ (k - M) * X ^+ M = x ^+ k * (1 + h) ^+ k by rewrite -exprD subnK // {1}XE exprMn.
have key (e u v w r t : F) : u * v = r * t -> e * u * w * v = e * w * t * r by move=> same; ring: same.
rewrite (key _ _ _ _ _ _ whole) [X in X <= _]mulrAC ler_wpmul2r ?exprn_ge0 ?(ltW x0) //.
have := ler_wpmul2l (_ : 0 <= eps * x ^+ m) binom.
rewrite mulr_ge0 ?(ltW eps0) ?(ltW xm) // => /(_ isT); apply: le_trans.
rewrite [X in _ <= X](_ : _ = ('C(k, m)%:R * X ^+ M) * (a * (k - m)%:R)); last first.
  have sides (e u v w r t y : F) : v != 0 -> t != 0 -> y * v * (e * u / v * w / t * r) = e * u * (y * r * w / t).
    by move=> v0 t0; field; rewrite v0 t0.
  by rewrite /a sides ?pnatr_eq0 ?(gt_eqF XM).
by rewrite -[X in X <= _]mulr1 ler_wpmul2l // mulr_ge0 ?ler0n // ltW.
Qed.

End Sums.

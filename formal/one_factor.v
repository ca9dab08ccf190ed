(** * One factor per letter: the cover's matrices are reflections or 1

    New, beside grazzi25, Theorem 3: new.automata.one-factor. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import zify.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import covers.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** Rank one: reflections *)

Section RankOne.

Variables (F : realFieldType) (n : nat).

Lemma rank_one_square (M : 'M[F]_n) : (\rank M <= 1)%N -> exists b, M *m M = b *: M.
Proof.
move=> small; rewrite -{1 2 3}(mulmx_base M); move: (col_base M) (row_base M); move: small.
case: (\rank M) => [|[|//]] _ c w.
  by exists 0; rewrite [c]thinmx0 !mul0mx scale0r.
exists ((w *m c) 0 0); rewrite mulmxA -(mulmxA c w c) [w *m c]mx11_scalar mul_mx_scalar -scalemxAl.
by rewrite [_%:M 0 0]mxE eqxx mulr1n.
Qed.

Lemma rank_one_finite_order (R : 'M[F]_n) k :
  (\rank (R - 1%:M)%R <= 1)%N -> iter k.+1 (mulmx R) 1%:M = 1%:M -> R *m R = 1%:M.
Proof.
set M := R - 1%:M => /rank_one_square[b MM] order.
have RE : R = 1%:M + M by rewrite /M addrC subrK.
pose s j := iter j (fun x => (1 + b) * x + 1) 0 : F.
have power j : iter j (mulmx R) 1%:M = 1%:M + s j *: M.
  elim: j => [|j IH]; first by rewrite /s scale0r addr0.
  rewrite iterS IH {1}RE mulmxDl mul1mx mulmxDr mulmx1 -scalemxAr MM scalerA /s iterS -/(s j).
  rewrite -addrA -{2}[M]scale1r -!scalerDl; congr (_ + _ *: _); ring.
have sM : s k.+1 *: M = 0 by apply: (addrI 1%:M); rewrite -power order addr0.
have [M0|Mn0] := eqVneq M 0; first by rewrite RE M0 addr0 mulmx1.
move/eqP: sM; rewrite scaler_eq0 (negPf Mn0) orbF => /eqP s0.
have t : 1 + b = -1.
  have geometric j : (1 + b - 1) * s j = (1 + b) ^+ j - 1.
    elim: j => [|j IH]; first by rewrite /s mulr0 expr0 subrr.
    rewrite {1}/s iterS -/(s j) mulrDr mulrCA IH exprS; ring.
  have root : (1 + b) ^+ k.+1 = 1 by apply/eqP; rewrite -subr_eq0 -geometric s0 mulr0.
  have norm : `|1 + b| = 1.
    by apply/eqP; rewrite -(@pexpr_eq1 _ _ k.+1) // -normrX root normr1.
  case: (lerP 0 (1 + b)) => sign; last by rewrite -[LHS]opprK -(ltr0_norm sign) norm.
  have pos j : 0 < s j.+1.
    elim: j => [|j IH]; first by rewrite /s /= mulr0 add0r ltr01.
    by rewrite /s iterS -/(s j.+1) ltr_paddl ?ltr01 // mulr_ge0 // ltW.
  by have := pos k; rewrite s0 ltxx.
have bE : b = -2%:R by apply: (addrI 1); rewrite t; ring.
rewrite RE mulmxDl mul1mx mulmxDr mulmx1 MM bE.
by rewrite -addrA scaleNr scaler_nat mulr2n [X in _ + X]addrA subrr addr0.
Qed.

(** An invertible matrix with finitely many powers comes back to 1. *)
Lemma powers_return (R : 'M[F]_n) (T : seq 'M[F]_n) : R \in unitmx -> (forall k, iter k (mulmx R) 1%:M \in T) ->
  exists k, iter k.+1 (mulmx R) 1%:M = 1%:M.
Proof.
move=> unit inT; pose place t : [finType of seq_sub T] := SeqSub (inT t).
have : ~~ injectiveb (fun t : 'I_(#|[finType of seq_sub T]|.+1) => place t).
  by apply/negP => /injectiveP /leq_card; rewrite card_ord ltnn.
case/injectivePn => s [t ne eq].
have {}eq : iter s (mulmx R) 1%:M = iter t (mulmx R) 1%:M by have := congr1 val eq.
have {}ne : (s : nat) != t by [].
have add i k : iter (i + k) (mulmx R) 1%:M = iter i (mulmx R) 1%:M *m iter k (mulmx R) 1%:M.
  by elim: i => [|i IH]; [rewrite mul1mx | rewrite addSn !iterS IH mulmxA].
have units i : iter i (mulmx R) 1%:M \in unitmx by elim: i => [|i IH]; rewrite ?unitmx1 // iterS unitmx_mul unit.
have back i k : iter (i + k) (mulmx R) 1%:M = iter i (mulmx R) 1%:M -> iter k (mulmx R) 1%:M = 1%:M.
  by rewrite add => e; rewrite -(mulKmx (units i) (iter k _ _)) e mulVmx.
case: (ltngtP s t) ne => // less _.
  by exists (t - s).-1; rewrite prednK ?subn_gt0 //; apply: (back s); rewrite subnKC ?eq // ltnW.
by exists (s - t).-1; rewrite prednK ?subn_gt0 //; apply: (back t); rewrite subnKC ?eq // ltnW.
Qed.

End RankOne.

(** With one factor for each letter the matrices are reflections or 1:
    their rank is at most 1 from the identity, and their square 1. *)
Theorem covers_by_reflections (F : realFieldType) (X : finType) (gT : finGroupType) (el : X -> gT) :
  (exists m d (A : X -> 'M[F]_m) (b : X -> 'M[F]_(m, d)) (h0 : 'M[F]_(m, d)),
    tracks_products A b h0 el /\ forall x, (\rank (A x - 1%:M)%R <= 1)%N) <->
  exists n (R : X -> 'M[F]_n), [/\ forall x, (\rank (R x - 1%:M)%R <= 1)%N, forall x, R x *m R x = 1%:M,
    exists T : seq 'M[F]_n, forall w, product R w \in T &
    forall w w', product R w = product R w' -> value el w = value el w'].
Proof.
split=> [/covers[n [R [small units [T closed] determined]]]|[n [R [small squares finite determined]]]].
  exists n, R; split=> //; last by exists T.
  move=> x; have [|k] := @powers_return _ _ (R x) T (units x).
    move=> k; have -> : iter k (mulmx (R x)) 1%:M = product R (nseq k x); last exact: closed.
    by elim: k => // k IH; rewrite iterS IH -(addn1 k) nseqD cats1 product_rcons.
  exact: rank_one_finite_order.
by apply/covers; exists n, R; split=> // x; have /mulmx1_unit[] := squares x.
Qed.

(** Without a factor, A = 1, nothing but the trivial group is tracked. *)
Theorem not_no_factor_is_needed :
  ~ (forall (X : finType) (gT : finGroupType) (el : X -> gT),
      exists m d (A : X -> 'M[rat]_m) (b : X -> 'M[rat]_(m, d)) (h0 : 'M[rat]_(m, d)),
        tracks_products A b h0 el /\ forall x, (\rank (A x - 1%:M)%R <= 0)%N).
Proof.
move=> /(_ [finType of unit] [finGroupType of 'S_2] (fun _ => tperm ord0 ord_max))
  /covers[n [R [small _ _ determined]]].
have R1 : R tt = 1%:M by apply/eqP; rewrite -subr_eq0 -mxrank_eq0 -leqn0 small.
have := determined [::] [:: tt]; rewrite /product /affine.transitions /= R1 mul1mx => /(_ erefl).
by rewrite /value /= mulg1 => /permP/(_ ord0); rewrite perm1 tpermL.
Qed.

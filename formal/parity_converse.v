(** * The hypothesis of Theorem 1 is needed: one scalar layer with the eigenvalue -1 finds the parity at every length

    grazzi25, Sec. 4.1, after Theorem 1.

    - [midpoints], [element]: rounding to -1, 0 and 1, in the terms of models.v;
    - [flip]: the layer whose state the letter 1 multiplies by -1. *)

From mathcomp Require Import all_ssreflect all_algebra.
From lemmata Require Import models parity.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Converse.

Variable F : realFieldType.

(** D = {-1, 0, 1}: the midpoints -1/2 and 1/2. *)
Definition midpoints : seq F := [:: - 2%:R^-1; 2%:R^-1].

Definition element (place : seq (bool * bool)) : F := (count fst place)%:R - 1.

Lemma half_gt0 : 0 < 2%:R^-1 :> F. Proof. by rewrite invr_gt0 ltr0n. Qed.

Lemma half_lt1 : 2%:R^-1 < 1 :> F. Proof. by rewrite invf_lt1 ?ltr0n // ltr1n. Qed.

Lemma cast0 : cast midpoints element 0 = 0.
Proof. by rewrite /cast /midpoints /element /= oppr_lt0 half_gt0 ltNge (ltW half_gt0) /= addn0 subrr. Qed.

Lemma cast1 : cast midpoints element 1 = 1.
Proof.
rewrite /cast /midpoints /element /= half_lt1 (lt_trans _ (@ltr01 F)) ?oppr_lt0 ?half_gt0 //=.
by rewrite addn0 addn1 mulr2n addrK.
Qed.

Lemma castN1 : cast midpoints element (- 1) = - 1.
Proof.
rewrite /cast /midpoints /element /= ltr_oppl opprK ltNge (ltW half_lt1) /=.
by rewrite ltNge (le_trans (_ : -1 <= 0) (ltW half_gt0)) ?oppr_le0 ?ler01 //= addn0 sub0r.
Qed.

(** h_t = -h_(t-1) + 1 on the letter 1, from 0. *)
Definition flip : affine_layer F bool bool :=
  @Affine F bool bool 1 1 (fun x => if x then -1 else 1) (fun x => if x then 1 else 0) 0
    (fun H _ => H 0 0 == 1).

Lemma state_of_ones t :
  cast_state (cast midpoints element) (transition flip) (input flip) (origin flip) (fun=> true) t 0 0 = (odd t)%:R.
Proof.
rewrite mxE summxE.
have -> : \sum_(M <- terms (transition flip) (input flip) (origin flip) (fun=> true) t)
    (map_mx (cast midpoints element) M) 0 0 = (odd t)%:R :> F.
  pose x (_ : nat) := true; rewrite -[t]add0n.
  under eq_bigr do rewrite mxE.
  rewrite (terms_constant _ _ _ (fun M : 'M[F]_1 => cast midpoints element (M 0 0)) (a := true)) //= big_seq1.
  have powers k (M : 'M[F]_1) : power (-1) k M 0 0 = (-1) ^+ k * M 0 0.
    elim: k => [|k IH]; first by rewrite expr0 mul1r.
    by rewrite /= mulNmx mul1mx mxE IH exprS mulN1r mulNr.
  rewrite powers mxE mulr0 cast0 add0r; under eq_bigr do rewrite powers mxE eqxx mulr1.
  elim: t => [|t IH]; first by rewrite big_ord0.
  rewrite big_ord_recr /= IH -signr_odd; case: (odd t) => /=; rewrite ?expr1 ?expr0 ?cast1 ?castN1 ?subrr ?add0r //.
by case: (odd t); rewrite ?cast0 ?cast1.
Qed.

(** So Theorem 1 without its hypothesis is false. *)
Theorem not_no_parity_for_any_spectrum :
  exists s : affine_stack F bool bool, forall t, cast_run (cast midpoints element) s (fun=> true) t = odd t.+1.
Proof.
exists (Above Input flip) => t.
change ((cast_state (cast midpoints element) (transition flip) (input flip) (origin flip) (fun=> true) t.+1 0 0 == 1) =
  odd t.+1).
by rewrite state_of_ones; case: (odd t.+1); rewrite ?eqxx // eq_sym oner_eq0.
Qed.

End Converse.

(** * Linear layers whose eigenvalues are N-th roots of unity stand still on words of a length divisible by N

    New, beside degeeter26, Fig. 10: new.bistable.hybrid.only-if.

    - [clocked A N]: every eigenvalue of A that is a root of unity is an N-th one;
    - [cycles n p]: the polynomial 1 + X^n + ... + X^(n (p - 1)). *)

From mathcomp Require Import all_ssreflect all_algebra.
From lemmata Require Import models affine.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Clocks.

Variables (F : numClosedFieldType) (m N n : nat) (A : 'M[F]_m.+1).

(** Every eigenvalue that is a root of unity is an N-th one. *)
Definition clocked := forall z, eigenvalue A z -> (exists2 k, (0 < k)%N & z ^+ k = 1) -> z ^+ N = 1.

Hypothesis eigenvalues : clocked.
Hypothesis divides : (N %| n)%N.

(** 1 + X^n + ... + X^(n (p - 1)). *)
Definition cycles (p : nat) : {poly F} := \sum_(j < p) 'X^(n * j).

Lemma cyclesE p : cycles p * ('X^n - 1) = 'X^(n * p) - 1.
Proof.
elim: p => [|p IH]; first by rewrite /cycles big_ord0 mul0r muln0 expr0 subrr.
rewrite /cycles big_ord_recr /= mulrDl -/(cycles p) IH mulrBr mulr1 -exprD mulnS addnC addrC addrA addrNK //.
Qed.

Lemma cycles_unit p : (0 < p)%N -> horner_mx A (cycles p) \in unitmx.
Proof.
move=> p0.
have ne0 : cycles p != 0.
  apply/eqP => e; have := congr1 (fun q => q.[1]) e.
  rewrite /cycles horner_sum horner0 (eq_bigr (fun _ => 1)) ?sumr_const ?card_ord.
    by move/eqP; rewrite pnatr_eq0 -leqn0 leqNgt p0.
  by move=> j _; rewrite hornerXn expr1n.
have [r e] := closed_field_poly_normal (cycles p).
rewrite e linearZ /= unitmxZ ?unitfE ?lead_coef_eq0 // rmorph_prod /=.
have : all (root (cycles p)) r by rewrite e; apply/allP => z zr; rewrite rootZ ?lead_coef_eq0 // root_prod_XsubC.
elim: (r) => [|z s IH] /=; first by rewrite big_nil unitmx1.
move=> /andP[/rootP rz /IH us]; rewrite big_cons unitmx_mul us andbT.
rewrite rmorphB /= horner_mx_X horner_mx_C -row_free_unit -kermx_eq0.
apply/negPn/negP => eigen.
have zp : z ^+ (n * p) = 1.
  have := congr1 (fun q => q.[z]) (cyclesE p); rewrite hornerM rz mul0r hornerD hornerXn hornerN hornerC => /eqP.
  by rewrite eq_sym subr_eq0 => /eqP.
case: (posnP n) => [n0|n0].
  move: rz; rewrite /cycles horner_sum (eq_bigr (fun _ => 1)) ?sumr_const ?card_ord.
    by move/eqP; rewrite pnatr_eq0 -leqn0 leqNgt p0.
  by move=> j _; rewrite n0 mul0n hornerXn.
have zN : z ^+ N = 1 by apply: eigenvalues => //; exists (n * p)%N; rewrite ?muln_gt0 ?n0.
have zn : z ^+ n = 1 by rewrite -(divnK divides) mulnC exprM zN expr1n.
move: rz; rewrite /cycles horner_sum (eq_bigr (fun _ => 1)) ?sumr_const ?card_ord.
  by move/eqP; rewrite pnatr_eq0 -leqn0 leqNgt p0.
by move=> j _; rewrite hornerXn exprM zn expr1n.
Qed.

Lemma returning_is_fixed p (d : 'cV[F]_m.+1) : (0 < p)%N -> A ^+ (n * p) *m d = d -> A ^+ n *m d = d.
Proof.
move=> p0 back; apply/eqP; rewrite -subr_eq0 -{2}[d]mul1mx -mulmxBl.
have e : horner_mx A (cycles p) *m ((A ^+ n - 1) *m d) = 0.
  have := congr1 (horner_mx A) (cyclesE p); rewrite rmorphM !rmorphB !rmorphX /= !horner_mx_X rmorph1 => e.
  by rewrite mulmxA mulmxE e mulmxBl back mul1mx subrr.
by have := mulKmx (cycles_unit p0) ((A ^+ n - 1) *m d); rewrite e mulmx0 => <-.
Qed.

(** h -> A^n h + c, again and again, with finitely many states, comes to rest. *)
Lemma orbits_come_to_rest (c : 'cV[F]_m.+1) (S : seq 'cV[F]_m.+1) (h : nat -> 'cV[F]_m.+1) :
  (forall t, h t.+1 = A ^+ n *m h t + c) -> (forall t, h t \in S) -> exists K, forall k, h (K + k)%N = h K.
Proof.
move=> step inS.
have [i [p [p0 same]]] : exists i p, (0 < p)%N /\ h (i + p)%N = h i.
  pose T := [finType of seq_sub S]; pose place t : T := SeqSub (inS t).
  have : ~~ injectiveb (fun t : 'I_(#|T|.+1) => place t).
    by apply/negP => /injectiveP /leq_card; rewrite card_ord ltnn.
  case/injectivePn => s [t ne eq].
  have {}eq : h s = h t by have := congr1 val eq.
  have {}ne : (s : nat) != t by [].
  case: (ltngtP s t) ne => // less _.
    by exists s, (t - s)%N; rewrite subn_gt0 less subnKC ?eq // ltnW.
  by exists t, (s - t)%N; rewrite subn_gt0 less subnKC ?eq // ltnW.
pose d t := h t.+1 - h t.
have dE k : d (i + k)%N = A ^+ (n * k) *m d i.
  elim: k => [|k IH]; first by rewrite addn0 muln0 expr0 mul1mx.
  rewrite addnS /d [h (i + k).+2]step [X in _ - X]step opprD addrACA subrr addr0 -mulmxBr -/(d (i + k)%N) IH mulmxA.
  by rewrite mulmxE mulnS exprD.
have fixed : A ^+ n *m d i = d i.
  by apply: (returning_is_fixed p0); rewrite -dE /d -addSn addSnnS addnS step same -step.
have still k : d (i + k)%N = d i.
  elim: k => [|k IH]; first by rewrite addn0.
  by rewrite dE mulnS exprD -mulmxE -mulmxA -dE IH.
have line k : h (i + k)%N = h i + d i *+ k.
  elim: k => [|k IH]; first by rewrite addn0 addr0.
  by rewrite mulrSr addrA -IH -(still k) /d addnS addrC subrK.
have zero : d i = 0.
  have := line p; rewrite same => /eqP; rewrite eq_sym addrC -subr_eq0 addrK => /eqP e.
  have pn0 : p%:R != 0 :> F by rewrite pnatr_eq0 -lt0n.
  by apply: (scalerI pn0); rewrite scaler0 scaler_nat.
by exists i => k; rewrite line zero mul0rn addr0.
Qed.

End Clocks.

(** A layer h -> A h + B(x) that reads a word v again and again, with finitely many states, comes to rest if N divides
    the length of v. *)
Theorem words_come_to_rest (F : numClosedFieldType) m N (A : 'M[F]_m.+1) X (B : X -> 'cV[F]_m.+1) h0 (v : seq X)
    (S : seq 'cV[F]_m.+1) (h := fun t => state (step (fun=> A) B) h0 (flatten (nseq t v))) :
  clocked N A -> (N %| size v)%N -> (forall t, h t \in S) -> exists K, forall k, h (K + k)%N = h K.
Proof.
move=> eigenvalues divides inS; apply: (orbits_come_to_rest eigenvalues divides _ inS) => t.
have -> : h t.+1 = state (step (fun=> A) B) (h t) v.
  rewrite /h -state_cat; congr state; elim: t => [|t IH]; first by rewrite /= cats0.
  by rewrite [LHS]/= -catA -IH.
by rewrite state_step transitions_power.
Qed.

(** * Remark 2: what sizes cannot be avoided

    orvieto24: fewer real entries of the state than inputs lose some; alternating constants need a neuron for each step
    but one. *)

From mathcomp Require Import all_ssreflect all_algebra ring.
From lemmata Require Import vandermonde recall universality sentences.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** Fewer real entries than inputs *)
Section Lost.

Variables (F : fieldType) (N : nat) (node : 'I_N -> F) (L : nat).

(** A polynomial with all nodes as roots is an input that leaves the state 0, its highest coefficient first. *)
Lemma lost_input (p : {poly F}) : p != 0 -> (size p <= L)%N -> (forall i, root p (node i)) ->
  let u t := p`_(L.-1 - t) in memory node u L = memory node (fun=> 0) L /\ exists2 t, (t < L)%N & u t != 0.
Proof.
move=> p0 pL zero u; have L0 : (0 < L)%N by apply: leq_trans pL; rewrite size_poly_gt0.
split; last first.
  have low : ((size p).-1 <= L.-1)%N by rewrite -ltnS !prednK // size_poly_gt0.
  exists (L.-1 - (size p).-1)%N; last by rewrite /u subKn // -/(lead_coef p) lead_coef_eq0.
  by rewrite -[X in (_ < X)%N](prednK L0) ltnS leq_subr.
rewrite !states_are_vandermonde; apply/colP=> i; transitivity p.[node i]; last first.
  by rewrite (eqP (zero i)) mxE big1 // => j _; rewrite !mxE mulr0.
rewrite (@horner_coef_wide _ L) // mxE (reindex_inj rev_ord_inj) /=; apply: eq_bigr => j _; rewrite !mxE mulrC /= /u.
have kj : (L - j.+1 = L.-1 - j)%N by rewrite -subn1 subnAC subn1 subnS.
by rewrite kj subKn // -ltnS prednK.
Qed.

(** Real units, or any units with inputs from their field: N < L. *)
Theorem few_units_lose : (N < L)%N -> exists u,
  (exists2 t, (t < L)%N & u t != 0) /\
  forall (Y : Type) (head : 'cV[F]_N -> Y), head (memory node u L) = head (memory node (fun=> 0) L).
Proof.
move=> NL; pose p := \prod_(x <- codom node) ('X - x%:P).
have [||i|same lost] := @lost_input p; last by exists (fun t => p`_(L.-1 - t)); split=> // Y head; rewrite same.
- by rewrite monic_neq0 ?monic_prod_XsubC.
- by rewrite size_prod_XsubC size_codom card_ord.
by rewrite root_prod_XsubC codom_f.
Qed.

End Lost.

(** Complex units and real inputs: 2 N < L; the polynomial has
    the conjugates as roots too, so its coefficients are real. *)
Theorem few_complex_units_lose (C : numClosedFieldType) N (node : 'I_N -> C) L : (N + N < L)%N -> exists u,
  [/\ forall t, u t \is Num.real, exists2 t, (t < L)%N & u t != 0 &
      forall (Y : Type) (head : 'cV[C]_N -> Y), head (memory node u L) = head (memory node (fun=> 0) L)].
Proof.
move=> NL; pose nodes := codom node ++ [seq x^* | x <- codom node].
pose p := \prod_(x <- nodes) ('X - x%:P).
have real_p : p \is a polyOver Num.real.
  have -> : p = \prod_(x <- codom node) (('X - x%:P) * ('X - (x^*)%:P)).
    by rewrite big_split -(big_map conjC xpredT (fun x => 'X - x%:P)) -big_cat.
  apply: rpred_prod => x _ /=.
  have -> : ('X - x%:P) * ('X - (x^*)%:P) = 'X^2 - (x + x^*)%:P * 'X + (x * x^*)%:P :> {poly C}.
    by rewrite polyCD polyCM; ring.
  rewrite rpredD ?rpredB ?rpredM ?polyOverX ?polyOverXn ?polyOverC //.
    by rewrite CrealE rmorphD conjCK addrC.
  by rewrite -normCK rpredX // normr_real.
have [||i|same lost] := @lost_input _ _ node L p; last first.
  exists (fun t => p`_(L.-1 - t)); split=> // [t|Y head]; last by rewrite same.
  by apply/polyOverP.
- by rewrite root_prod_XsubC mem_cat codom_f.
- by rewrite size_prod_XsubC size_cat (size_map conjC) size_codom card_ord.
by rewrite monic_neq0 ?monic_prod_XsubC.
Qed.

(** ** Alternating constants *)
Section Alternating.

Variables (F : realFieldType) (N L : nat) (node : 'I_N -> F).

Lemma heavisideE (x : F) : heaviside x = (0 <= x)%R%:R.
Proof. by rewrite /heaviside; case: ifP. Qed.

(** On the line of the clock a neuron changes its value at most once. *)
Lemma changes_once (a b : F) k l : (k < l)%N ->
  (0 <= a * k%:R + b) != (0 <= a * k.+1%:R + b) -> (0 <= a * l%:R + b) = (0 <= a * l.+1%:R + b).
Proof.
move=> kl; have mono (m n : nat) : (m <= n)%N -> (m%:R : F) <= n%:R by rewrite ler_nat.
have [a0|a0] := lerP 0 a.
  have up m n : (m <= n)%N -> 0 <= a * m%:R + b -> 0 <= a * n%:R + b.
    by move=> mn h; apply: le_trans h _; rewrite ler_add2r ler_wpmul2l ?mono.
  case h1: (0 <= a * k.+1%:R + b).
    by move=> _; rewrite (up _ _ kl h1) (up _ _ (leqW kl) h1).
  by case h: (0 <= a * k%:R + b) => //; rewrite (up _ _ (leqnSn k) h) in h1.
have down m n : (m <= n)%N -> 0 <= a * n%:R + b -> 0 <= a * m%:R + b.
  by move=> mn h; apply: le_trans h _; rewrite ler_add2r ler_wnmul2l ?mono // ltW.
case h1: (0 <= a * k.+1%:R + b); first by rewrite (down _ _ (leqnSn k) h1).
move=> _; case h: (0 <= a * l%:R + b); first by rewrite (down _ _ kl h) in h1.
by case h': (0 <= a * l.+1%:R + b) => //; rewrite (down _ _ (leqnSn l) h') in h.
Qed.

(** T_k = (-1)^k for k = 1, ..., L, within eps < 1, on the states
    (k, V_k v): a head of steps has at least L - 1 neurons. *)
Theorem alternating_needs_neurons (g : shallow_network F (1 + N) 1) eps : eps < 1 ->
  (forall k, (0 < k <= L)%N -> forall v,
    `|output (@heaviside F) g (col_mx k%:R%:M (memory node v k)) 0 0 - (-1) ^+ k| <= eps) ->
  (L.-1 <= width g)%N.
Proof.
move=> eps1 good; pose a l := inner g l (lshift N 0); pose b l := bias g l 0.
pose on l k := 0 <= a l * k%:R + b l.
pose out (k : nat) : F := \sum_l outer g 0 l * (on l k)%:R + offset g 0 0.
have outE k : output (@heaviside F) g (col_mx k%:R%:M (memory node (fun=> 0) k)) 0 0 = out k.
  rewrite /output /out !mxE; congr (_ + _); apply: eq_bigr => l _; rewrite !mxE heavisideE /on /a /b.
  congr (_ * (0 <= _ + _)%R%:R); rewrite big_split_ord /= big_ord1 col_mxEu mxE eqxx mulr1n big1 ?addr0 // => i _.
  rewrite col_mxEd states_are_vandermonde (_ : prefix _ _ = 0) ?mulmx0 ?mxE ?mulr0 //.
  by apply/colP=> j; rewrite !mxE.
have changes (k : 'I_L.-1) : exists l, on l k.+1 != on l k.+2.
  have kL : (k.+2 <= L)%N by rewrite -ltn_predRL.
  apply/existsP; apply: contraT => /existsPn same.
  have : out k.+1 = out k.+2 by congr (_ + _); apply: eq_bigr => l _; have /negPn/eqP-> := same l.
  have := good k.+1 _ (fun=> 0); rewrite outE (ltnW kL) => /(_ isT) h1.
  have := good k.+2 _ (fun=> 0); rewrite outE kL => /(_ isT) h2 e.
  have : `|(-1) ^+ k.+2 - (-1) ^+ k.+1 : F| < 1 + 1.
    rewrite -[X in `|X|](subrKA (out k.+1)); apply: le_lt_trans (ler_norm_add _ _) _.
    by rewrite {1}e distrC (le_lt_trans (ler_add h2 h1)) // ltr_add.
  by rewrite exprS mulN1r -opprD normrN -mulr2n normrMn normrX normrN1 expr1n ltxx.
pose f k := xchoose (changes k); have fP k := xchooseP (changes k).
have inj : injective f.
  move=> k l kl; apply: val_inj; have [lt|lt|//] := ltngtP k l.
    by have := fP l; rewrite -/(f l) -kl /on (changes_once (lt : (k.+1 < l.+1)%N) (fP k)) eqxx.
  by have := fP k; rewrite -/(f k) kl /on (changes_once (lt : (l.+1 < k.+1)%N) (fP l)) eqxx.
by have := leq_card f inj; rewrite !card_ord.
Qed.

End Alternating.

(** As many units as inputs lose none: one unit and one input. *)
Theorem not_as_many_units_lose : exists node : 'I_1 -> rat,
  forall u, memory node u 1 = memory node (fun=> 0) 1 -> forall t, (t < 1)%N -> u t = 0.
Proof.
exists (fun=> 0) => u same; have inj : injective (fun _ : 'I_1 => 0 : rat) by move=> i j _; rewrite !ord1.
by have [remembers _] := proposition1 inj (leqnn 1) (leqnn 1); apply: remembers same.
Qed.

(** * Gates of a fixed-point recurrence, and the exact constant of one pass

    movahedi25, App. D.2, in the Euclidean norm: one decay per channel, the same at all times.

    - [len2 v]: the square of the length of v;
    - [gain M c]: M lengthens no vector more than c times;
    - [delay v]: what bounds, at every length, by how much a pass on the constant sequence v stays below its limit.

    The gates are I - Lambda and I - |Lambda|; a pass is that of fixed_point.v. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import models householder classes fixed_point.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** The Euclidean norm: one decay per channel, the same at all times *)

Section Euclid.

Variables (F : realFieldType) (d : nat).
Implicit Types (v : 'cV[F]_d) (M : 'M[F]_d).

(** Lengths are squared throughout, so that no root is needed. *)
Definition len2 v : F := \sum_i v i 0 ^+ 2.

(** [gain M c]: M lengthens no vector more than c times. *)
Definition gain M c := forall v, len2 (M *m v) <= c ^+ 2 * len2 v.

Lemma len2_ge0 v : 0 <= len2 v.
Proof. by rewrite sumr_ge0 // => i _; apply: sqr_ge0. Qed.

(** The square of a weighted mean is at most the mean of the squares; weights of any sign. *)
Lemma mean_square (l a b : F) : `|l| <= 1 -> (l * a + (1 - `|l|) * b) ^+ 2 <= `|l| * a ^+ 2 + (1 - `|l|) * b ^+ 2.
Proof.
move=> l1; rewrite -subr_ge0.
have [l0|l0] := ger0P l; rewrite ?(ger0_norm l0) ?(ltr0_norm l0) in l1 *.
  have -> : l * a ^+ 2 + (1 - l) * b ^+ 2 - (l * a + (1 - l) * b) ^+ 2 = l * (1 - l) * (a - b) ^+ 2 by ring.
  by rewrite mulr_ge0 ?sqr_ge0 // mulr_ge0 ?subr_ge0.
have -> : - l * a ^+ 2 + (1 - - l) * b ^+ 2 - (l * a + (1 - - l) * b) ^+ 2 = - l * (1 - - l) * (a + b) ^+ 2 by ring.
by rewrite mulr_ge0 ?sqr_ge0 // mulr_ge0 ?subr_ge0 // oppr_ge0 ltW.
Qed.

(** One channel: e_t = l e_(t-1) + (1 - |l|) g_t from 0 is no longer than g, at any length. *)
Lemma channel_contracts (l : F) (e g : nat -> F) T :
  `|l| < 1 -> e 0%N = 0 -> (forall t, (t < T)%N -> e t.+1 = l * e t + (1 - `|l|) * g t.+1) ->
  \sum_(t < T) e t.+1 ^+ 2 <= \sum_(t < T) g t.+1 ^+ 2.
Proof.
move=> l1 e0 rec.
suff : \sum_(t < T) e t.+1 ^+ 2 + `|l| / (1 - `|l|) * e T ^+ 2 <= \sum_(t < T) g t.+1 ^+ 2.
  by apply: le_trans; rewrite ler_addl mulr_ge0 ?sqr_ge0 // divr_ge0 ?subr_ge0 // ltW.
elim: T rec => [|T IH] rec; first by rewrite !big_ord0 e0 expr0n mulr0 addr0.
rewrite !big_ord_recr /=.
apply: le_trans (ler_add (IH (fun t tT => rec t (ltnW tT))) (lexx _)); rewrite -!addrA ler_add2l.
have := @mean_square l (e T) (g T.+1) (ltW l1); rewrite -rec //; set q := `|l| in l1 *.
have q1 : 0 < 1 - q by rewrite subr_gt0.
move: (e T.+1 ^+ 2) (e T ^+ 2) (g T.+1 ^+ 2) => x y z le.
have -> : x + q / (1 - q) * x = x / (1 - q) by field; rewrite gt_eqF.
have -> : q / (1 - q) * y + z = (q * y + (1 - q) * z) / (1 - q) by field; rewrite gt_eqF.
by rewrite ler_pmul2r ?invr_gt0.
Qed.

Variables (lam w : 'rV[F]_d) (Q : nat -> 'M[F]_d) (u : nat -> 'cV[F]_d) (h0 : 'cV[F]_d).

Notation weighted := (pass (fun=> diag_mx lam) (fun=> diag_mx w) Q u h0).

Lemma weighted_difference h g t i :
  (weighted h t.+1 - weighted g t.+1) i 0 =
  lam 0 i * (weighted h t - weighted g t) i 0 + w 0 i * ((1%:M - Q t.+1) *m (h t.+1 - g t.+1)) i 0.
Proof.
rewrite !passS opprD addrACA -mulmxBr -mulmxBr opprD addrACA subrr add0r -mulmxBr.
by rewrite mxE mul_diag_mx mxE mul_diag_mx [X in _ + X]mxE.
Qed.

(** Any gate w with |w| <= K (1 - |lambda|): over any T the constant is at most K max ||I - Q_t||. *)
Theorem gate_bounds_the_gain K T c h g :
  (forall i, `|lam 0 i| < 1) -> (forall i, `|w 0 i| <= K * (1 - `|lam 0 i|)) ->
  (forall t, (0 < t <= T)%N -> gain (1%:M - Q t) c) ->
  \sum_(t < T) len2 (weighted h t.+1 - weighted g t.+1) <= (K * c) ^+ 2 * \sum_(t < T) len2 (h t.+1 - g t.+1).
Proof.
move=> lam1 wK gainQ; pose m t := (1%:M - Q t) *m (h t - g t).
apply: (@le_trans _ _ (K ^+ 2 * \sum_(t < T) len2 (m t.+1))); last first.
  rewrite exprMn -[X in _ <= X]mulrA ler_wpmul2l ?sqr_ge0 // mulr_sumr; apply: ler_sum => t _.
  by apply: gainQ; rewrite /= ltn_ord.
rewrite /len2 exchange_big [X in _ <= _ * X]exchange_big mulr_sumr /=; apply: ler_sum => i _.
have q0 : 0 < 1 - `|lam 0 i| by rewrite subr_gt0.
pose k := w 0 i / (1 - `|lam 0 i|).
apply: (@le_trans _ _ (\sum_(t < T) (k * m t.+1 i 0) ^+ 2)).
  apply: (@channel_contracts (lam 0 i) (fun t => (weighted h t - weighted g t) i 0) (fun t => k * m t i 0)) => //.
    by rewrite !pass0 subrr mxE.
  by move=> t _; rewrite weighted_difference mulrA [_ * k]mulrC divfK // gt_eqF.
rewrite mulr_sumr; apply: ler_sum => t _; rewrite exprMn ler_wpmul2r ?sqr_ge0 //.
rewrite -[k ^+ 2]real_normK ?num_real // ler_sqr ?nnegrE //.
  by rewrite normrM normfV (gtr0_norm q0) ler_pdivr_mulr.
by rewrite -(pmulr_lge0 _ q0); apply: le_trans (wK i).
Qed.

End Euclid.

Section Gates.

Variables (F : realFieldType) (d : nat) (lam : 'rV[F]_d) (Q : nat -> 'M[F]_d) (u : nat -> 'cV[F]_d) (h0 : 'cV[F]_d).

(** The gate I - |Lambda| contracts for decays of any sign ... *)
Theorem modulus_gate_contracts T c h g
    (f := pass (fun=> diag_mx lam) (fun=> diag_mx (\row_i (1 - `|lam 0 i|))) Q u h0) :
  (forall i, `|lam 0 i| < 1) -> (forall t, (0 < t <= T)%N -> gain (1%:M - Q t) c) ->
  \sum_(t < T) len2 (f h t.+1 - f g t.+1) <= c ^+ 2 * \sum_(t < T) len2 (h t.+1 - g t.+1).
Proof.
move=> lam1 gainQ; rewrite -[c in X in _ <= X]mul1r; apply: gate_bounds_the_gain => // i.
by rewrite mxE mul1r ger0_norm // subr_ge0 ltW.
Qed.

(** ... and the gate I - Lambda amplifies (1 - lambda) / (1 - |lambda|) times at most. *)
Theorem signed_gate_bound T c h g (f := pass (fun=> diag_mx lam) (fun=> 1%:M - diag_mx lam) Q u h0) :
  (forall i, `|lam 0 i| < 1) -> (forall t, (0 < t <= T)%N -> gain (1%:M - Q t) c) ->
  \sum_(t < T) len2 (f h t.+1 - f g t.+1) <=
  (largest (fun i => (1 - lam 0 i) / (1 - `|lam 0 i|)) * c) ^+ 2 * \sum_(t < T) len2 (h t.+1 - g t.+1).
Proof.
move=> lam1 gainQ; have gateE : 1%:M - diag_mx lam = diag_mx (\row_i (1 - lam 0 i)).
  by apply/matrixP=> i j; rewrite !mxE; case: (i == j) => //; rewrite subrr.
rewrite /f gateE; apply: gate_bounds_the_gain => // i; have q0 : 0 < 1 - `|lam 0 i| by rewrite subr_gt0.
rewrite mxE ger0_norm ?subr_ge0 ?(le_trans (ler_norm _) (ltW (lam1 i))) // -ler_pdivr_mulr //.
exact: (largest_ge (fun i => (1 - lam 0 i) / (1 - `|lam 0 i|))).
Qed.

End Gates.

(** ** For 0 <= Lambda < 1 the gate I - Lambda has exactly the constant ||I - Q||, and passes converge at that rate *)

Section Gated.

Variables (F : realFieldType) (d : nat) (lam : 'rV[F]_d) (Q : 'M[F]_d) (u : nat -> 'cV[F]_d) (h0 : 'cV[F]_d).

Hypothesis lam01 : forall i, 0 <= lam 0 i < 1.

Notation gated := (pass (fun=> diag_mx lam) (fun=> 1%:M - diag_mx lam) (fun=> Q) u h0).

Lemma gate_of_modulus : 1%:M - diag_mx lam = diag_mx (\row_i (1 - `|lam 0 i|)).
Proof.
apply/matrixP=> i j; rewrite !mxE; have /andP[l0 _] := lam01 i.
by case: eqP => _; rewrite ?subrr // !mulr1n ger0_norm.
Qed.

Lemma gated_contracts T c h g :
  gain (1%:M - Q) c ->
  \sum_(t < T) len2 (gated h t.+1 - gated g t.+1) <= c ^+ 2 * \sum_(t < T) len2 (h t.+1 - g t.+1).
Proof.
move=> gainQ; rewrite gate_of_modulus; apply: modulus_gate_contracts => // i.
by have /andP[l0 l1] := lam01 i; rewrite ger0_norm.
Qed.

(** On a constant difference v the outputs approach (I - Q) v; the delay costs a fixed amount, whatever T is. *)
Lemma gated_constant v t i :
  (gated (fun=> v) t - gated (fun=> 0) t) i 0 = (1 - lam 0 i ^+ t) * ((1%:M - Q) *m v) i 0.
Proof.
elim: t => [|t IH]; first by rewrite !pass0 subrr mxE expr0 subrr mul0r.
have := @weighted_difference _ _ lam (\row_i (1 - `|lam 0 i|)) (fun=> Q) u h0 (fun=> v) (fun=> 0) t i.
rewrite -gate_of_modulus => ->; rewrite IH subr0 [X in _ + X * _]mxE ger0_norm; last by case/andP: (lam01 i).
by rewrite mulrA -mulrDl exprS; congr (_ * _); move: (_ ^+ t) => x; ring.
Qed.

Lemma geometric (l : F) T : 0 <= l < 1 -> \sum_(t < T) l ^+ t.+1 <= (1 - l)^-1.
Proof.
case/andP=> l0 l1; have q0 : 0 < 1 - l by rewrite subr_gt0.
rewrite -[X in _ <= X]mul1r ler_pdivl_mulr //.
suff -> : (\sum_(t < T) l ^+ t.+1) * (1 - l) = l - l ^+ T.+1.
  by rewrite ler_subl_addr (le_trans (ltW l1)) // ler_addl exprn_ge0.
elim: T => [|T IH]; first by rewrite big_ord0 mul0r expr1 subrr.
by rewrite big_ord_recr /= mulrDl IH !exprS; move: (l ^+ T) => x; ring.
Qed.

Definition delay (v : 'cV[F]_d) : F := \sum_i 2%:R * (1 - lam 0 i)^-1 * ((1%:M - Q) *m v) i 0 ^+ 2.

Lemma gated_constant_sum T v :
  T%:R * len2 ((1%:M - Q) *m v) - delay v <= \sum_(t < T) len2 (gated (fun=> v) t.+1 - gated (fun=> 0) t.+1).
Proof.
rewrite /len2 exchange_big mulr_sumr /delay -sumrB; apply: ler_sum => i _.
under eq_bigr do rewrite gated_constant exprMn.
rewrite -mulr_suml -mulrBl ler_wpmul2r ?sqr_ge0 //.
apply: (@le_trans _ _ (\sum_(t < T) (1 - 2%:R * lam 0 i ^+ t.+1))).
  rewrite big_split /= sumr_const card_ord ler_add2l sumrN ler_opp2 -mulr_sumr ler_wpmul2l ?ler0n //.
  exact: geometric.
apply: ler_sum => t _; rewrite -subr_ge0.
have -> : (1 - lam 0 i ^+ t.+1) ^+ 2 - (1 - 2%:R * lam 0 i ^+ t.+1) = (lam 0 i ^+ t.+1) ^+ 2
  by move: (_ ^+ t.+1) => x; ring.
exact: sqr_ge0.
Qed.

(** A bound on constant differences at every length is a bound on I - Q. *)
Lemma constants_tell (c : F) : Num.archimedean_axiom F ->
  (forall T v, \sum_(t < T) len2 (gated (fun=> v) t.+1 - gated (fun=> 0) t.+1) <= c ^+ 2 * (T%:R * len2 v)) ->
  gain (1%:M - Q) c.
Proof.
move=> archi all_T v; rewrite leNgt; apply/negP; rewrite -subr_gt0; set gap := _ - _ => gap0.
have [T big] : exists T : nat, delay v < T%:R * gap.
  have [T lt] := archi (delay v / gap); exists T; rewrite -ltr_pdivr_mulr //.
  by apply: le_lt_trans lt; apply: ler_norm.
have := le_trans (gated_constant_sum T v) (all_T T v).
rewrite mulrCA ler_subl_addl -ler_subl_addr.
by rewrite -mulrBr -/gap leNgt big.
Qed.

(** Theorem 2.1, as it is meant: a constant that serves every length is exactly a constant of I - Q. *)
Theorem gain_is_the_norm (c : F) :
  Num.archimedean_axiom F ->
  (forall T h g, \sum_(t < T) len2 (gated h t.+1 - gated g t.+1) <= c ^+ 2 * \sum_(t < T) len2 (h t.+1 - g t.+1)) <->
  gain (1%:M - Q) c.
Proof.
move=> archi; split=> [all_T|gainQ T h g]; last exact: gated_contracts.
apply: constants_tell archi _ => T v; apply: le_trans (all_T T (fun=> v) (fun=> 0)) _.
by rewrite sumr_const card_ord subr0 mulr_natl.
Qed.

(** After k passes from 0 the error is at most the k-th power of that constant times the first, at every length. *)
Theorem passes_converge T c k h :
  gain (1%:M - Q) c -> fixed (fun=> diag_mx lam) (fun=> 1%:M - diag_mx lam) (fun=> Q) u h0 T h ->
  \sum_(t < T) len2 (iter k gated (fun=> 0) t.+1 - h t.+1) <= (c ^+ k) ^+ 2 * \sum_(t < T) len2 (h t.+1).
Proof.
move=> gainQ fix_h; elim: k => [|k IH].
  rewrite expr0 expr1n mul1r; apply: ler_sum => t _ /=; rewrite sub0r.
  by apply: ler_sum => i _; rewrite mxE sqrrN.
apply: (@le_trans _ _ (c ^+ 2 * \sum_(t < T) len2 (iter k gated (fun=> 0) t.+1 - h t.+1))); last first.
  by rewrite [c ^+ k.+1]exprS exprMn -[X in _ <= X]mulrA ler_wpmul2l ?sqr_ge0.
apply: le_trans (gated_contracts T _ h gainQ); apply: ler_sum => t _.
by rewrite fix_h ?ltn_ord.
Qed.

End Gated.

(** ** The gate I - |Lambda| of one decay lambda attains ||I - Q||, whatever the sign of lambda *)

Section OneDecay.

Variables (F : realFieldType) (d : nat) (l : F) (Q : 'M[F]_d) (u : nat -> 'cV[F]_d) (h0 : 'cV[F]_d).

Hypothesis l1 : `|l| < 1.

Notation one a k := (pass (fun=> a%:M) (fun=> k%:M) (fun=> Q) u h0).
Notation gated := (pass (fun=> diag_mx (const_mx `|l|)) (fun=> 1%:M - diag_mx (const_mx `|l|)) (fun=> Q) u h0).

Lemma one_decay_step (a k : F) h g t :
  one a k h t.+1 - one a k g t.+1 = a *: (one a k h t - one a k g t) + k *: ((1%:M - Q) *m (h t.+1 - g t.+1)).
Proof. by rewrite !passS !mul_scalar_mx opprD addrACA -!scalerBr opprD addrACA subrr add0r -mulmxBr. Qed.

Lemma gated_one : gated = one `|l| (1 - `|l|).
Proof. by rewrite diag_const_mx -raddfB. Qed.

Let sign : F := (-1) ^+ (l < 0)%R.

Lemma sign_turns t : (sign ^+ t) ^+ 2 = 1.
Proof. by rewrite -exprM mulnC exprM sqrr_sign expr1n. Qed.

(** On inputs whose difference turns with the sign of lambda the outputs differ as those of |lambda| do on constant
    inputs. *)
Lemma turning_difference v t :
  one l (1 - `|l|) (fun s => sign ^+ s *: v) t - one l (1 - `|l|) (fun=> 0) t
    = sign ^+ t *: (gated (fun=> v) t - gated (fun=> 0) t).
Proof.
rewrite gated_one; elim: t => [|t IH]; first by rewrite !pass0 !subrr scaler0.
rewrite !one_decay_step IH !subr0 scalerDr !scalerA -scalemxAr scalerA; congr (_ *: _ + _ *: _); last exact: mulrC.
have lE : l = sign * `|l| by apply: numEsign.
by rewrite [X in X * _]lE exprS mulrAC.
Qed.

Theorem modulus_gate_attains (c : F) : Num.archimedean_axiom F ->
  (forall T h g, \sum_(t < T) len2 (one l (1 - `|l|) h t.+1 - one l (1 - `|l|) g t.+1)
    <= c ^+ 2 * \sum_(t < T) len2 (h t.+1 - g t.+1)) <->
  gain (1%:M - Q) c.
Proof.
move=> archi; split=> [all_T|gainQ T h g]; last first.
  have := @modulus_gate_contracts F d (const_mx l) (fun=> Q) u h0 T c h g; rewrite diag_const_mx.
  have -> : \row_i (1 - `|(const_mx l : 'rV[F]_d) 0 i|) = const_mx (1 - `|l|) by apply/rowP=> i; rewrite !mxE.
  by rewrite diag_const_mx; apply=> // i; rewrite mxE.
have l01 i : 0 <= (const_mx `|l| : 'rV[F]_d) 0 i < 1 by rewrite mxE normr_ge0 l1.
have turned t w : len2 (sign ^+ t *: w) = len2 w.
  by apply: eq_bigr => i _; rewrite mxE exprMn sign_turns mul1r.
apply: (constants_tell l01 archi (u := u) (h0 := h0)) => T v; have := all_T T (fun s => sign ^+ s *: v) (fun=> 0).
under eq_bigr do rewrite turning_difference turned.
by under [X in _ <= _ * X -> _]eq_bigr do rewrite subr0 turned; rewrite sumr_const card_ord mulr_natl.
Qed.

End OneDecay.

(** ** A variant that is false *)

(** Decays below 0: with lambda = -1/2 the gate 1 - lambda is 3/2, and one step amplifies. *)
Theorem not_signed_gate_contracts (F : realFieldType) :
  ~ (forall (lam : 'rV[F]_1) Q u h0 T c h g, (forall i, `|lam 0 i| < 1) ->
    (forall t, (0 < t <= T)%N -> gain (1%:M - Q t) c) ->
     let f := pass (fun=> diag_mx lam) (fun=> 1%:M - diag_mx lam) Q u h0 in
     \sum_(t < T) len2 (f h t.+1 - f g t.+1) <= c ^+ 2 * \sum_(t < T) len2 (h t.+1 - g t.+1)).
Proof.
have half : 0 < (2%:R^-1 : F) < 1 by rewrite invr_gt0 ltr0n invf_lt1 ?ltr0n ?ltr1n.
case/andP: half => h0 h1.
move/(_ (const_mx (- 2%:R^-1)) (fun=> 0) (fun=> 0) 0 1%N 1 (fun=> 1%:M) (fun=> 0)) => bad.
have lam1 i : `|(const_mx (- 2%:R^-1) : 'rV[F]_1) 0 i| < 1 by rewrite mxE normrN gtr0_norm.
have gain1 t : (0 < t <= 1)%N -> gain (1%:M - (0 : 'M[F]_1)) 1 by move=> _ v; rewrite subr0 mul1mx expr1n mul1r.
have := bad lam1 gain1.
rewrite /= !big_ord1 !passS !pass0 !(mulmx0, mul0mx, add0r, addr0, subr0, mulmx1, mul1mx) /len2 !big_ord1.
rewrite !mxE eqxx !mulr1n.
by rewrite opprK !expr1n mulr1 lt_geF // exprn_egt1 // ltr_addl.
Qed.

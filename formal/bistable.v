(** * Bistable memory: the scan, the last write, and what stuttering hides

    degeeter26, Secs. 3 and 4, App. B. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.

(** ** The parallel scan is right for every associative operator, at every length (Theorem 1, "if") *)

Section Scan.

Variables (T : Type) (op : T -> T -> T).
Hypothesis opA : associative op.

(** The loop: all prefixes, from the left, after a first element. *)
Fixpoint prefixes (x : T) (s : seq T) : seq T := x :: (if s is y :: s' then prefixes (op x y) s' else [::]).

(** One level of the parallel algorithm: combine neighbours. *)
Fixpoint pairs (s : seq T) : seq T := if s is x :: y :: s' then op x y :: pairs s' else [::].


(** What came before, combined with x. *)
Definition after (before : option T) (x : T) : T := if before is Some b then op b x else x.

(** The scan of the pairs is every second prefix; the others are one operation away from the one before. *)
Fixpoint fill (before : option T) (s halves : seq T) : seq T :=
  match s, halves with
  | x :: y :: s', h :: halves' => after before x :: h :: fill (Some h) s' halves'
  | [:: x], _ => [:: after before x]
  | _, _ => [::]
  end.

(** The whole, in rounds, each on half the length; [fuel] bounds the rounds. *)
Fixpoint parallel_scan (fuel : nat) (s : seq T) : seq T :=
  match fuel, s with
  | _, [::] => [::]
  | _, [:: x] => [:: x]
  | 0, _ => s
  | fuel'.+1, _ => fill None s (parallel_scan fuel' (pairs s))
  end.

Definition loop (s : seq T) : seq T := if s is x :: s' then prefixes x s' else [::].

Definition loop_after (before : option T) (s : seq T) : seq T := if s is x :: s' then prefixes (after before x) s' else [::].

Lemma after_op before x y : op (after before x) y = after before (op x y).
Proof. by case: before => //= b; rewrite opA. Qed.

Lemma prefixes_after b s : prefixes b s = b :: loop_after (Some b) s.
Proof. by case: s. Qed.

Lemma fill_loop before s : fill before s (loop_after before (pairs s)) = loop_after before s.
Proof.
have [m] := ubnP (size s); elim: m before s => // m IH before [|x [|y s]] //= short.
rewrite !prefixes_after after_op; do 2 congr (_ :: _).
by apply: IH; lia.
Qed.

Lemma size_pairs s : (size (pairs s) <= (size s)./2)%N.
Proof.
have [m] := ubnP (size s); elim: m s => // m IH [|x [|y s]] //= short.
by rewrite ltnS IH //; lia.
Qed.

(** As many rounds as the length is more than enough; log2 of it would do. *)
Theorem parallel_scan_is_the_loop fuel s : (size s <= fuel)%N -> parallel_scan fuel s = loop s.
Proof.
elim: fuel s => [|fuel IH] [|x [|y s]] //= short.
rewrite -[op x y :: pairs s]/(pairs (x :: y :: s)) IH; first exact: (fill_loop None (x :: y :: s)).
by apply: leq_trans (size_pairs _) _ => /=; lia.
Qed.

End Scan.

(** ** First-order linear recurrences (Theorem 2) and the bistable unit (Theorem 3) *)

Section Linear.

Local Open Scope ring_scope.
Variable R : ringType.
Implicit Types (c : R * R) (h : R).

(** The paper's operator on pairs [a, b]. *)
Definition after_pair c c' : R * R := (c'.1 * c.1, c'.1 * c.2 + c'.2).

Theorem after_pair_associative : associative after_pair.
Proof. by move=> [a b] [a' b'] [a'' b'']; rewrite /after_pair /= !mulrA mulrDr !mulrA addrA. Qed.

Definition linear_step h c : R := c.1 * h + c.2.

(** The second components of the scanned pairs are the states, h_0 = b_0. *)
Theorem scanned_pairs_are_states c (s : seq (R * R)) :
  map snd (prefixes after_pair c s) = c.2 :: scanl linear_step c.2 s.
Proof. by elim: s c => [|d s IH] c //=; rewrite IH. Qed.

End Linear.

Section Unit.

Local Open Scope ring_scope.
Variable F : realFieldType.

Definition S (x : F) : F := if x < 0 then -1 else 1.

(** Eq. 9: keep within the thresholds, else take the sign. *)
Definition unit (alpha beta h x : F) : F := if `|x| < beta then h else alpha * S x.

(** Eq. 8: the same with the sign of a sum. *)
Definition unit8 (alpha beta h x : F) : F := if `|x| < beta then alpha * S (h + x / beta) else alpha * S x.

(** Eqs. 8 and 9 agree on the states +-alpha for all inputs if, and only if, alpha >= 1 (for alpha, beta > 0). *)
Theorem equations_8_and_9_agree (alpha beta : F) :
  0 < alpha -> 0 < beta ->
  (forall h x, h = alpha \/ h = - alpha -> unit8 alpha beta h x = unit alpha beta h x) <-> 1 <= alpha.
Proof.
move=> a0 b0; split=> [agree|a1 h x]; last first.
  rewrite /unit8 /unit; have [xb|//] := ltP `|x| beta.
  have : `|x / beta| < 1 by rewrite normrM normfV (gtr0_norm b0) ltr_pdivr_mulr // mul1r.
  rewrite ltr_norml => /andP[lo hi]; case=> ->; rewrite /S.
    by rewrite ltNge (_ : 0 <= _) ?mulr1 // -(subrr 1) ltW // ler_lt_add.
  by rewrite (_ : _ < 0) ?mulrN1 // -(addNr 1) ler_lt_add // ler_opp2.
rewrite leNgt; apply/negP=> a1.
(* an input between alpha beta and beta turns -alpha round *)
pose x := (alpha + 1) / 2%:R * beta.
have m1 : alpha < (alpha + 1) / 2%:R by rewrite ltr_pdivl_mulr ?ltr0n // mulr_natr mulr2n ltr_add2l.
have m2 : (alpha + 1) / 2%:R < 1 by rewrite ltr_pdivr_mulr ?ltr0n // mul1r mulr2n ltr_add2r.
have m0 : 0 < (alpha + 1) / 2%:R by apply: lt_trans m1.
have := agree (- alpha) x (or_intror erefl); rewrite /unit8 /unit.
have -> : `|x| < beta by rewrite /x normrM (gtr0_norm m0) (gtr0_norm b0) gtr_pmull.
rewrite /x mulfK ?gt_eqF // /S ltNge (_ : 0 <= _) /=; last by rewrite addrC subr_ge0 ltW.
by rewrite mulr1 => /eqP; rewrite -subr_eq0 opprK -mulr2n mulrn_eq0 /= gt_eqF.
Qed.

(** A unit driven by gates z in {0, 1} and values v holds what was written last. *)
Definition write (h : F) (zv : bool * F) : F := (zv.1%:R) * zv.2 + (1 - zv.1%:R) * h.

Fixpoint last_written (h : F) (s : seq (bool * F)) : F :=
  if s is (z, v) :: s' then last_written (if z then v else h) s' else h.

Theorem state_is_the_last_write (h : F) s : foldl write h s = last_written h s.
Proof.
elim: s h => [|[z v] s IH] h //=; rewrite IH; congr last_written.
by case: z; rewrite /write /= ?mul1r ?mul0r ?subrr ?mul0r ?addr0 ?subr0 ?mul1r ?add0r.
Qed.

(** ... so that without a write it is kept for ever, whatever the length: nothing fades and nothing explodes. *)
Theorem kept_without_writes (h : F) s : all (fun zv => ~~ zv.1) s -> foldl write h s = h.
Proof. by rewrite state_is_the_last_write; elim: s => [|[[] v] s IH] //= /IH. Qed.

End Unit.

(** ** Stacks of units: a repeated letter changes nothing *)

Section Stutter.

Variable L : Type.

(** A layer whose letters act by idempotent maps, and what it hands up: any function of its new state and the letter. *)
Inductive stack : Type -> Type :=
| Bottom (Q S : Type) (act : L -> Q -> Q) (out : Q -> L -> S) : stack S
| Above (M Q S : Type) (below : stack M) (act : M -> Q -> Q) (out : Q -> M -> S) : stack S.

Fixpoint states S (s : stack S) : Type :=
  match s with Bottom Q _ _ _ => Q | Above _ Q _ s _ _ => (states s * Q)%type end.

(** One letter: the new states of all layers, and the output. *)
Fixpoint move S (s : stack S) (x : L) : states s -> states s * S :=
  match s return states s -> states s * _ with
  | Bottom Q S act out => fun q => (act x q, out (act x q) x)
  | Above M Q S s act out => fun q =>
      let (below, m) := move x q.1 in ((below, act m q.2), out (act m q.2) m)
  end.

Fixpoint idempotent_letters S (s : stack S) : Prop :=
  match s with
  | Bottom Q _ act _ => forall x q, act x (act x q) = act x q
  | Above M Q _ s act _ => idempotent_letters s /\ forall m q, act m (act m q) = act m q
  end.

Lemma move_twice S (s : stack S) x q : idempotent_letters s -> move x (move x q).1 = move x q :> states s * S.
Proof.
elim: s q => [Q U act out|M Q U s IH act out] q /=; first by move=> ->.
case=> idem act_idem; have := IH q.1 idem; case: (move x q.1) => [below m] /= ->.
by rewrite act_idem.
Qed.

(** The state after a word, and the output at its last letter. *)
Definition after_word S (s : stack S) (q : states s) (w : seq L) : states s := foldl (fun q x => (move x q).1) q w.

Definition output S (s : stack S) (q : states s) (w : seq L) (x : L) : S := (move x (after_word q w)).2.

(** What a stack of bistable units puts out does not see a letter repeated, at any place of any word. *)
Theorem stutter_invariant S (s : stack S) (q : states s) u x v y :
  idempotent_letters s -> output q (u ++ x :: x :: v) y = output q (u ++ x :: v) y.
Proof.
by move=> idem; rewrite /output /after_word !foldl_cat /= (move_twice _ _ idem).
Qed.

Theorem repeated_last_letter S (s : stack S) (q : states s) u x : idempotent_letters s -> output q (rcons u x) x = output q u x.
Proof. by move=> idem; rewrite /output /after_word foldl_rcons (move_twice _ _ idem). Qed.

End Stutter.

(** So no stack of bistable units, of any depth, width and precision, computes the parity of its input. *)
Theorem no_parity (s : stack bool bool) (q : states s) :
  idempotent_letters s -> ~ (forall w x, output q w x = odd (count id (rcons w x))).
Proof.
move=> idem parity; have := repeated_last_letter q [::] true idem.
by rewrite !parity.
Qed.

(** ** One layer: every word acts as it does twice *)

Section Band.

Variables (I : finType) (V L : Type) (writes : L -> I -> option V).
Implicit Type h : {ffun I -> V}.

(** A unit keeps its state or takes a candidate; both depend on the letter only. *)
Definition act (h : {ffun I -> V}) (x : L) : {ffun I -> V} := [ffun i => odflt (h i) (writes x i)].

(** A word writes the last candidate of each unit, if any. *)
Lemma word_writes (w : seq L) : exists last : I -> option V, forall h, foldl act h w = [ffun i => odflt (h i) (last i)].
Proof.
elim/last_ind: w => [|w x [last e]]; first by exists (fun=> None) => h; apply/ffunP=> i; rewrite ffunE.
exists (fun i => if writes x i is Some v then Some v else last i) => h.
by rewrite foldl_rcons e; apply/ffunP=> i; rewrite !ffunE; case: (writes x i).
Qed.

Theorem words_idempotent (w : seq L) h : foldl act (foldl act h w) w = foldl act h w.
Proof. by have [last e] := word_writes w; rewrite !e; apply/ffunP=> i; rewrite !ffunE; case: (last i). Qed.

(** So one layer does not compute the parity of a letter, with any decoder. *)
Theorem one_layer_no_parity (out : {ffun I -> V} -> bool) h (x : L) : ~ (forall k, out (foldl act h (nseq k x)) = odd k).
Proof.
move=> parity; have := parity 2%N; have := parity 1%N.
by rewrite -[nseq 2 x]/([:: x] ++ [:: x]) foldl_cat words_idempotent => -> .
Qed.

End Band.

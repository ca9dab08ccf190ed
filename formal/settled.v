(** * Finitely many exact states: what nonnegative eigenvalues leave of a layer

    New, beside grazzi25, Theorem 1, and degeeter26, Eq. 11. If the states that words reach are finitely many and held exactly, a layer whose transitions are
    diagonalisable with eigenvalues >= 0 takes a repeated letter for one, as bistable units do. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From lemmata Require stutter.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Settled.

Variable F : realFieldType.

(** ** One coordinate *)

(** Orbits that grow at every step do not stay in a finite set. *)
Lemma orbit_does_not_grow (f : F -> F) x (s : seq F) : (forall k, iter k f x \in s) -> ~ (forall k, iter k f x < iter k.+1 f x).
Proof.
move=> stays grows; pose orbit := [seq iter k f x | k <- iota 0 (size s).+1].
have lt_orbit i j : (i < j)%N -> iter i f x < iter j f x.
  elim: j => // j IH; rewrite ltnS leq_eqVlt => /orP[/eqP ->|/IH lt]; first exact: grows.
  exact: lt_trans lt (grows j).
have /uniq_leq_size le : uniq orbit.
  rewrite map_inj_in_uniq ?iota_uniq // => i j _ _ eq_ij; apply/eqP; rewrite eqn_leq leqNgt [(j <= i)%N]leqNgt.
  by apply/andP; split; apply/negP => /lt_orbit; rewrite eq_ij ltxx.
have : (size orbit <= size s)%N by apply: le => _ /mapP[k _ ->].
by rewrite size_map size_iota ltnn.
Qed.

(** A scalar h -> a h + b with a >= 0 whose orbit stays in a finite set is at its fixed point after one step. *)
Lemma scalar_settles (a b x : F) (s : seq F) (f := fun h => a * h + b) : 0 <= a -> (forall k, iter k f x \in s) -> f (f x) = f x.
Proof.
rewrite le_eqVlt => /orP[/eqP a0|a0] stays; first by rewrite /f -a0 !mul0r.
have mono u v : u < v -> f u < f v by move=> uv; rewrite /f ltr_add2r ltr_pmul2l.
have [up|down|/esym fx] := ltgtP x (f x); last by rewrite !fx.
  by exfalso; apply: (orbit_does_not_grow stays) => k; elim: k => [|k IH] //=; apply: mono.
have stays' k : iter k (fun h => a * h - b) (- x) \in [seq - h | h <- s].
  rewrite (_ : iter k _ _ = - iter k f x) ?map_f //.
  by elim: k => //= k ->; rewrite /f mulrN opprD.
exfalso; apply: (orbit_does_not_grow stays') => k; elim: k => [|k IH] /=.
  by rewrite mulrN -opprD ltr_opp2.
by rewrite ltr_add2r ltr_pmul2l.
Qed.

(** ** One layer *)

(** Diagonalisable, with eigenvalues >= 0. *)
Definition nonnegative n (A : 'M[F]_n) :=
  exists2 P : 'M[F]_n, P \in unitmx & exists2 d : 'rV[F]_n, (forall i, 0 <= d 0 i) & P *m A = diag_mx d *m P.

Definition affine n (A : 'M[F]_n) (b h : 'cV[F]_n) : 'cV[F]_n := A *m h + b.

Lemma layer_settles n (A : 'M[F]_n) (b h : 'cV[F]_n) (s : seq 'cV[F]_n) :
  nonnegative A -> (forall k, iter k (affine A b) h \in s) -> affine A b (affine A b h) = affine A b h.
Proof.
case=> P uP [d d0 diag] stays.
have coordinate i g : (P *m affine A b g) i 0 = d 0 i * (P *m g) i 0 + (P *m b) i 0.
  by rewrite /affine mulmxDr mulmxA diag -mulmxA mxE mul_diag_mx mxE.
suff eqP_ : P *m affine A b (affine A b h) = P *m affine A b h by rewrite -[LHS](mulKmx uP) eqP_ mulKmx.
apply/matrixP=> i j; rewrite ord1 !coordinate.
apply: (@scalar_settles _ _ _ [seq (P *m g) i 0 | g <- s]) => // k.
rewrite (_ : iter k _ _ = (P *m iter k (affine A b) h) i 0); first exact: (map_f (fun g : 'cV_n => (P *m g) i 0)).
by elim: k => //= k ->; rewrite coordinate.
Qed.

(** ** Stacks *)

Variable L : Type.

(** Layers of any widths; each reads the letter, or what the layer below makes of its new state and of what it read. *)
Inductive stack : Type -> Type :=
| Lowest n (T : Type) (A : L -> 'M[F]_n) (b : L -> 'cV[F]_n) (out : 'cV[F]_n -> L -> T) : stack T
| Higher M n (T : Type) (below : stack M) (A : M -> 'M[F]_n) (b : M -> 'cV[F]_n) (out : 'cV[F]_n -> M -> T) : stack T.

Fixpoint stack_of T (s : stack T) : stutter.mealy_stack L T :=
  match s with
  | Lowest _ _ A b out => stutter.Machine (fun x => affine (A x) (b x)) out
  | Higher _ _ _ below A b out => stutter.Over (stack_of below) (fun x => affine (A x) (b x)) out
  end.

Fixpoint nonnegative_stack T (s : stack T) : Prop :=
  match s with
  | Lowest _ _ A _ _ => forall x, nonnegative (A x)
  | Higher _ _ _ below A _ _ => nonnegative_stack below /\ forall m, nonnegative (A m)
  end.

(** The states of every layer stay in a finite set, whatever the word. *)
Fixpoint within T (s : stack T) : stutter.states (stack_of s) -> Prop :=
  match s return stutter.states (stack_of s) -> Prop with
  | Lowest n _ A b out => fun q => exists S : seq 'cV[F]_n, forall w, stutter.after_word (s := stack_of (Lowest A b out)) q w \in S
  | Higher M n _ below A b out => fun q =>
      @within M below q.1 /\ exists S : seq 'cV[F]_n, forall w, (stutter.after_word (s := stack_of (Higher below A b out)) q w).2 \in S
  end.

Lemma after_append T (s : stutter.mealy_stack L T) q v w : stutter.after_word (stutter.after_word q v) w = stutter.after_word (s := s) q (v ++ w).
Proof. by rewrite /stutter.after_word foldl_cat. Qed.

Lemma after_repeated T (s : stutter.mealy_stack L T) q x k :
  stutter.after_word (s := s) q (nseq k x) = iter k (fun p => (stutter.move x p).1) q.
Proof. by rewrite /stutter.after_word; elim: k q => // k IH q; rewrite iterSr -IH. Qed.

Lemma after_below M Q U (s : stutter.mealy_stack L M) act (out : Q -> M -> U) q w :
  (stutter.after_word (s := stutter.Over s act out) q w).1 = stutter.after_word q.1 w.
Proof.
elim: w q => // x w IH q; rewrite /stutter.after_word /= -!/(stutter.after_word _ w) IH /=.
by case: (stutter.move x q.1).
Qed.

Lemma within_after T (s : stack T) q w : within q -> @within T s (stutter.after_word q w).
Proof.
elim: s q => [n U A b out|M n U below IH A b out] q /=; first by case=> S fin; exists S => v; rewrite after_append.
case=> fin_below [S fin]; split; first by rewrite after_below; apply: IH.
by exists S => v; rewrite after_append.
Qed.

(** A letter does to every layer what it does twice. *)
Theorem letters_act_idempotently T (s : stack T) q x :
  nonnegative_stack s -> within q -> stutter.move x (stutter.move x q).1 = stutter.move x q :> stutter.states (stack_of s) * T.
Proof.
elim: s q => [n U A b out|M n U below IH A b out] q /=.
  move=> nonneg [S fin]; suff -> : affine (A x) (b x) (affine (A x) (b x) q) = affine (A x) (b x) q by [].
  by apply: (@layer_settles _ _ _ _ S) => // k; have := fin (nseq k x); rewrite after_repeated.
case=> nonneg_below nonneg [fin_below [S fin]]; have := IH q.1 nonneg_below fin_below.
case E : (stutter.move x q.1) => [p m] /= twice; rewrite twice.
suff -> : affine (A m) (b m) (affine (A m) (b m) q.2) = affine (A m) (b m) q.2 by [].
apply: (@layer_settles _ _ _ _ S) => // k; have := fin (nseq k x); rewrite after_repeated /=.
set step := fun q => _.
suff [-> _] : (iter k step q).2 = iter k (affine (A m) (b m)) q.2 /\ stutter.move x (iter k step q).1 = (p, m) by [].
by elim: k => [|k [IHk moved]]; rewrite ?iterS //= {1 3}/step moved /= IHk.
Qed.

(** So a stack does not see a letter repeated, at any place of any word. *)
Theorem stutter_blind T (s : stack T) q u x v y :
  nonnegative_stack s -> @within T s q ->
  stutter.output q (u ++ x :: x :: v) y = stutter.output q (u ++ x :: v) y /\ stutter.output q (rcons u x) x = stutter.output q u x.
Proof.
move=> nonneg fin; have twice := letters_act_idempotently x nonneg (within_after u fin).
rewrite /stutter.output /stutter.after_word !foldl_cat /= foldl_rcons.
by move: twice; rewrite /stutter.after_word => ->.
Qed.

End Settled.

(** Two or more ones: no stack of such layers tells. *)
Theorem no_second_one (F : realFieldType) (s : stack F bool bool) q :
  nonnegative_stack s -> within q -> ~ (forall w x, stutter.output (s := stack_of s) q w x = (1 < count id (rcons w x))%N).
Proof.
move=> nonneg fin tells; have [_] := @stutter_blind _ _ _ s q [::] true [::] true nonneg fin.
by rewrite !tells.
Qed.

(** A sign loosens it: h -> 1 - h has the states 0 and 1. *)
Theorem not_signs_settle (F : realFieldType) :
  ~ (forall (a b x : F) (s : seq F), (forall k, iter k (fun h => a * h + b) x \in s) -> a * (a * x + b) + b = a * x + b).
Proof.
move/(_ (-1) 1 0 [:: 0; 1]) => settles; have : (0 : F) = 1.
  have := settles _; rewrite !mulr0 !add0r mulr1 addNr; apply=> k.
  rewrite !inE; elim: k => [|k] /=; first by rewrite eqxx.
  by case/orP=> /eqP ->; rewrite ?mulr0 ?add0r ?mulr1 ?addNr eqxx ?orbT.
by move/eqP; rewrite eq_sym oner_eq0.
Qed.

(** So do infinitely many states: h -> h / 2. *)
Theorem not_halves_settle (F : realFieldType) : ~ (forall a b x : F, 0 <= a -> a * (a * x + b) + b = a * x + b).
Proof.
have two0 : (2%:R : F) != 0 by rewrite pnatr_eq0.
move/(_ 2%:R^-1 0 1); rewrite invr_ge0 ler0n !addr0 !mulr1 => /(_ isT)/(congr1 ( *%R 2%:R)).
rewrite mulrA mulfV // mul1r => /eqP; rewrite invr_eq1 -subr_eq0 (_ : 2%:R - 1 = 1) ?oner_eq0 //.
by rewrite mulr2n addrK.
Qed.

(** * Finitely many exact states: what nonnegative eigenvalues leave of a layer

    New, beside grazzi25, Theorem 1, and degeeter26, Eq. 11. If the states that words reach are finitely many and held
    exactly, a layer whose transitions are diagonalisable with eigenvalues >= 0 takes a repeated letter for one, as
    bistable units do.

    - [nonnegative A]: A is diagonalisable, with eigenvalues >= 0; [nonnegative_stack s];
    - [within q]: from q every layer has finitely many states. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From lemmata Require Import models stutter classes.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Settled.

Variable F : realFieldType.

(** ** One coordinate *)

(** Orbits that grow at every step do not stay in a finite set. *)
Lemma orbit_does_not_grow (f : F -> F) x (s : seq F) : (forall k, iter k f x \in s) ->
  ~ (forall k, iter k f x < iter k.+1 f x).
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
Lemma scalar_settles (a b x : F) (s : seq F) (f := fun h => a * h + b) : 0 <= a -> (forall k, iter k f x \in s) ->
  f (f x) = f x.
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

Lemma layer_settles n d (A : 'M[F]_n) (b h : 'M[F]_(n, d)) (s : seq 'M[F]_(n, d)) (f := fun h => A *m h + b) :
  nonnegative A -> (forall k, iter k f h \in s) -> f (f h) = f h.
Proof.
case=> P uP [l l0 diag] stays.
have coordinate i j g : (P *m f g) i j = l 0 i * (P *m g) i j + (P *m b) i j.
  by rewrite /f mulmxDr mulmxA diag -mulmxA mxE mul_diag_mx mxE.
suff eqP_ : P *m f (f h) = P *m f h by rewrite -[LHS](mulKmx uP) eqP_ mulKmx.
apply/matrixP=> i j; rewrite !coordinate.
apply: (@scalar_settles _ _ _ [seq (P *m g) i j | g <- s]) => // k.
rewrite (_ : iter k _ _ = (P *m iter k f h) i j); first exact: (map_f (fun g : 'M_(n, d) => (P *m g) i j)).
by elim: k => //= k ->; rewrite coordinate.
Qed.

(** ** Stacks *)

(** Layers of any widths; each reads the letter, or what the layer below makes of its new state and of what it read. *)
Definition nonnegative_stack L T (s : affine_stack F L T) : Prop :=
  every (fun L T (l : affine_layer F L T) => forall x, nonnegative (transition l x)) s.

(** Diagonal layers without negative entries are such, and bistable ones. *)
Lemma diagonal_nonnegative L T (l : affine_layer F L T) :
  diagonal_layer l -> (forall x i, 0 <= transition l x i i) -> forall x, nonnegative (transition l x).
Proof.
move=> dl l0 x; exists 1%:M; first exact: unitmx1.
by exists (\row_i transition l x i i) => [i|]; [rewrite mxE | rewrite mul1mx mulmx1 -is_diagE].
Qed.

Lemma bistable_stacks_nonnegative L T (s : affine_stack F L T) : every (@bistable_layer F) s -> nonnegative_stack s.
Proof.
apply: every_implies => X Y l bl; apply: diagonal_nonnegative; first exact: bistable_diagonal.
by move=> x i; have [z ->] := bl; rewrite !mxE eqxx mulr1n; case: (z x i); rewrite ?subrr ?subr0 ?ler01.
Qed.

(** The states of all layers. *)
Notation states s := (mstate (joint_exact s)).

(** The states after a word. *)
Notation after s := (state (mmove (joint_exact s))).

(** The states of every layer stay in a finite set, whatever the word. *)
Fixpoint within L T (s : affine_stack F L T) : states s -> Prop :=
  match s return states s -> Prop with
  | Input => fun=> True
  | Above _ _ below l => fun q =>
      within (s := below) q.1 /\
      exists S : seq 'M[F]_(width l, channels l), forall w, (after (Above below l) q w).2 \in S
  end.

Lemma after_nseq L T (s : affine_stack F L T) q x k : after s q (nseq k x) = iter k ((mmove (joint_exact s))^~ x) q.
Proof. by elim: k q => // k IH q; rewrite iterSr -IH. Qed.

Lemma after_below L U T (s : affine_stack F L U) (l : affine_layer F U T) q w :
  (after (Above s l) q w).1 = after s q.1 w.
Proof. by elim/last_ind: w => // w x IH; rewrite !state_rcons -IH. Qed.

Lemma within_after L T (s : affine_stack F L T) q w : within (s := s) q -> within (s := s) (after s q w).
Proof.
elim: s q => [|U W s IH l] q //= [fin_below [S fin]]; split.
  by rewrite (after_below (l := l)); apply: IH.
by exists S => v; rewrite -state_cat.
Qed.

(** A letter does to every layer what it does twice. *)
Theorem letters_act_idempotently L T (s : affine_stack F L T) (q : states s) x :
  nonnegative_stack s -> within (s := s) q ->
  let act := mmove (joint_exact s) in act (act q x) x = act q x.
Proof.
elim: s q => [|U W s IH l] q //= [nonneg_below nonneg] [fin_below [S fin]].
have twice := IH q.1 nonneg_below fin_below; rewrite /joint_exact /= -/(joint_exact s) twice; congr (_, _).
set p := mmove (joint_exact s) q.1 x in twice *; set y := mout (joint_exact s) p x.
apply: (@layer_settles _ _ (transition l y) (input l y) q.2 S (nonneg y)) => k.
have := fin (nseq k x); rewrite (after_nseq (s := Above s l)).
suff -> : (iter k ((mmove (joint_exact (Above s l)))^~ x) q).2 = iter k (fun h => transition l y *m h + input l y) q.2.
  by [].
suff [-> _] : iter k ((mmove (joint_exact (Above s l)))^~ x) q =
    (iter k ((mmove (joint_exact s))^~ x) q.1, iter k (fun h => transition l y *m h + input l y) q.2) /\
    mmove (joint_exact s) (iter k ((mmove (joint_exact s))^~ x) q.1) x = p by [].
elim: k => [|k [IHk moved]]; first by split=> //; apply: surjective_pairing.
by rewrite !iterS IHk /= moved.
Qed.

(** So a stack does not see a letter repeated, at any place of any word. *)
Theorem stutter_blind L T (s : affine_stack F L T) (q : states s) u x v y :
  nonnegative_stack s -> within (s := s) q ->
  output_after q (u ++ x :: x :: v) y = output_after q (u ++ x :: v) y /\
  output_after q (rcons u x) x = output_after q u x.
Proof. by move=> nonneg fin; apply: stutter_at; apply: letters_act_idempotently (within_after u fin).
Qed.

End Settled.

Notation states s := (mstate (joint_exact s)).

(** Two or more ones: no stack of such layers tells. *)
Theorem no_second_one (F : realFieldType) (s : affine_stack F bool bool) (q : states s) :
  nonnegative_stack s -> within q -> ~ (forall w x, output_after q w x = (1 < count id (rcons w x))%N).
Proof.
move=> nonneg fin tells; have [_] := stutter_blind [::] true [::] true nonneg fin.
by rewrite !tells.
Qed.

(** A sign loosens it: h -> 1 - h has the states 0 and 1. *)
Theorem not_signs_settle (F : realFieldType) :
  ~ (forall (a b x : F) (s : seq F), (forall k, iter k (fun h => a * h + b) x \in s) -> a * (a * x + b) + b =
    a * x + b).
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

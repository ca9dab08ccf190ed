(** * Stacks of bistable units: a repeated letter changes nothing, exactly or rounded

    degeeter26, Sec. 4.3; new.bistable.stutter, new.bistable.parity, new.automata.bistable-band.

    - [write_rounded fl z v h]: units with gates z and values v, every product and sum rounded by fl;
    - [rounding fl]: fl leaves 0 and rounded numbers alone;
    - [bistable F L T], [stack_of fl b]: stacks of such layers, and what they are as stacks of machines;
    - [bistable_stack s]: every layer of the stack s of models.v is a bistable one of classes.v;
    - [act writes h x]: one layer whose units keep their states or take candidates. *)

From mathcomp Require Import all_ssreflect all_algebra.
From lemmata Require models classes parity.
From lemmata Require Import bistable stutter.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.

(** ** Stacks of bistable units: their letters act idempotently, exactly or rounded *)

Section Bistable.

Local Open Scope ring_scope.
Variables (F : realFieldType) (L : Type).

(** A layer of n units whose gates and candidates are any functions of what it reads (as Eqs. 11a to c compute them,
    exactly or not), every product and sum rounded by fl; it hands up any function of its new state and of what it
    reads. *)
Definition write_rounded (fl : F -> F) n (z : 'I_n -> bool) (v : 'I_n -> F) (h : 'cV[F]_n) : 'cV[F]_n :=
  \col_i fl (fl ((z i)%:R * v i) + fl ((1 - (z i)%:R) * h i 0)).

Inductive bistable : Type -> Type :=
| Lowest n (T : Type) (z : L -> 'I_n -> bool) (v : L -> 'I_n -> F) (out : 'cV[F]_n -> L -> T) : bistable T
| Higher M n (T : Type) (below : bistable M) (z : M -> 'I_n -> bool) (v : M -> 'I_n -> F) (out : 'cV[F]_n -> M -> T) :
    bistable T.

Fixpoint stack_of (fl : F -> F) T (b : bistable T) : mealy_stack L T :=
  match b with
  | Lowest _ _ z v out => Machine (fun x => write_rounded fl (z x) (v x)) out
  | Higher _ _ _ below z v out => Over (stack_of fl below) (fun x => write_rounded fl (z x) (v x)) out
  end.

(** Sanity: the layer of Eq. 11 is such a layer, without rounding. *)
Lemma layer_is_bistable n m (l : bmru F n m) h x :
  bistable_step l h x = write_rounded id (fun i => gate l x i 0 == 1) (fun i => S (candidate l x i 0) * alpha l i 0) h.
Proof.
apply/matrixP=> i j; rewrite ord1 [LHS]mxE [RHS]mxE /=.
by case: (gate01 l x i) => ->; rewrite ?eqxx ?(eq_sym 0) ?oner_eq0 /= ?mul0r ?mul1r.
Qed.

(** Rounding that leaves 0 and rounded numbers alone. *)
Definition rounding (fl : F -> F) := fl 0 = 0 /\ forall x, fl (fl x) = fl x.

Lemma write_twice fl n (z : 'I_n -> bool) v h :
  rounding fl -> write_rounded fl z v (write_rounded fl z v h) = write_rounded fl z v h.
Proof.
case=> fl0 fl2; apply/matrixP=> i j; rewrite !mxE; case: (z i) => /=; first by rewrite subrr !mul0r.
by rewrite !mul0r subr0 !mul1r fl0 !add0r !fl2.
Qed.

Lemma bistable_idempotent fl T (b : bistable T) : rounding fl -> idempotent_letters (stack_of fl b).
Proof.
move=> r; elim: b => [n U z v out|M n U b IH z v out] /=; first by move=> x q; apply: write_twice.
by split=> // m q; apply: write_twice.
Qed.

(** Every letter of a stack acts as it does twice, and a letter repeated anywhere changes no later output. *)
Theorem bistable_stutter T (b : bistable T) (s := stack_of id b) (q : states s) u x v y :
  (forall p : states s, move x (move x p).1 = move x p) /\ output q (u ++ x :: x :: v) y = output q (u ++ x :: v) y /\
  output q (rcons u x) x = output q u x.
Proof.
have idem : idempotent_letters s by apply: bistable_idempotent.
by split=> [p|]; [apply: move_twice | split; [apply: stutter_invariant | apply: repeated_last_letter]].
Qed.

End Bistable.

(** A positional encoding, or mean pooling, sees the letter twice: a count is no output of a stack. *)
Theorem not_bistable_counts (F : realFieldType) :
  ~ (exists (b : bistable F bool nat) (q : states (stack_of id b)), forall w x, output q w x = size (rcons w x)).
Proof.
case=> b [q counts]; have [_ [_]] := bistable_stutter q [::] true [::] true.
by rewrite !counts.
Qed.

Section Cast.

Local Open Scope ring_scope.

(** Transitions have their spectrum in {0, 1}. *)
Lemma gates_spectrum (F : realFieldType) n (z : 'I_n -> bool) (A := diag_mx (\row_i (1 - (z i)%:R)) : 'M[F]_n) :
  parity.nonnegative_spectrum A /\ forall a, eigenvalue A a -> a = 0%R \/ a = 1%R.
Proof.
have charE : char_poly A = (\prod_i ('X - (1 - (z i)%:R)%:P))%R.
  by rewrite char_poly_trig ?diag_mx_is_trig //; apply: eq_bigr => i _; rewrite !mxE eqxx mulr1n.
split=> [|a].
  exists [seq (1 - (z i)%:R)%R | i <- enum 'I_n].
    by apply/allP=> _ /mapP[i _ ->]; case: (z i); rewrite /= ?subrr ?subr0 ?ler01.
  by rewrite charE big_map big_enum.
rewrite eigenvalue_root_char charE /root horner_prod prodf_seq_eq0 => /hasP[i _].
by rewrite hornerXsubC subr_eq0 => /eqP ->; case: (z i); rewrite /= ?subrr ?subr0; [left | right].
Qed.

(** Stacks in the cast model of grazzi25 whose transitions are Diag(1 - z). *)
Definition bistable_stack (F : realFieldType) T U (s : models.affine_stack F T U) : Prop :=
  models.every (@classes.bistable_layer F) s.

Lemma bistable_nonnegative (F : realFieldType) T U (s : models.affine_stack F T U) :
  bistable_stack s -> parity.nonnegative s.
Proof.
by apply: models.every_implies => A B l [z e] a; rewrite e; case: (gates_spectrum F (z a)).
Qed.

(** No stack computes the parity: by Theorem 1 of grazzi25 in the cast model, and by idempotence in exact arithmetic and
    with any rounding. *)
Theorem bistable_no_parity (F : realFieldType) :
  [/\ forall n (z : 'I_n -> bool) a, eigenvalue (diag_mx (\row_i (1 - (z i)%:R)) : 'M[F]_n)%R a -> a = 0%R \/ a = 1%R,
      forall ys value (s : models.affine_stack F bool bool), bistable_stack s ->
        ~ (forall t, models.cast_run ys value s (fun=> true) t = odd t.+1) &
      forall fl (b : bistable F bool bool) (q : states (stack_of fl b)), rounding fl ->
        ~ (forall w x, output q w x = odd (count id (rcons w x)))].
Proof.
split=> [n z a|ys value s bist|fl b q r]; first by case: (gates_spectrum F z) => _; apply.
  by apply: parity.no_parity; apply: bistable_nonnegative.
by apply: no_parity; apply: bistable_idempotent.
Qed.

End Cast.

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
Theorem one_layer_no_parity (out : {ffun I -> V} -> bool) h (x : L) :
  ~ (forall k, out (foldl act h (nseq k x)) = odd k).
Proof.
move=> parity; have := parity 2%N; have := parity 1%N.
by rewrite -[nseq 2 x]/([:: x] ++ [:: x]) foldl_cat words_idempotent => -> .
Qed.

End Band.

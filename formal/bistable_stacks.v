(** * Stacks of bistable units: a repeated letter changes nothing, exactly or rounded

    degeeter26, Sec. 4.3; new.bistable.stutter, new.bistable.parity, new.automata.bistable-band.

    - [rounded fl l], [rounded_run fl s]: a layer and a stack of models.v with products, inputs and sums rounded by fl;
    - [rounding fl]: fl leaves 0 and rounded numbers alone;
    - [bistable_stack s]: every layer is a bistable one of classes.v;
    - [writing_layer l], [writing_stack s]: the inputs are z v, too; so units keep their states or take candidates v;
    - [keeper z v out]: such a layer that starts from 0; [unit_layer l h0 out]: that of Eq. 11;
    - [act writes h x]: one layer whose units keep their states or take candidates. *)

From mathcomp Require Import all_ssreflect all_algebra.
From lemmata Require parity.
From lemmata Require Import bistable stutter models classes.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.

(** ** Runs that are rounded step by step *)

Section Rounded.

Local Open Scope ring_scope.
Variables (F : ringType) (fl : F -> F).

(** A(x) H, B(x) and their sum are rounded; where A(x) is diagonal these are all products and sums. *)
Definition rounded X Y (l : affine_layer F X Y) : mealy X Y :=
  Mealy (origin l) (fun H x => map_mx fl (map_mx fl (transition l x *m H) + map_mx fl (input l x))) (decoder l).

Definition rounded_run X Y (s : affine_stack F X Y) : (nat -> X) -> nat -> Y :=
  output (signal := fun T => T) (fun X Y l => transduce (rounded l)) s.

(** Rounding that leaves 0 and rounded numbers alone. *)
Definition rounding := fl 0 = 0 /\ forall x, fl (fl x) = fl x.

End Rounded.

(** ** Stacks of bistable units: their letters act idempotently, exactly or rounded *)

Section Bistable.

Local Open Scope ring_scope.
Variable F : realFieldType.

(** Layers whose gates are any functions of what they read: transitions Diag(1 - z). *)
Definition bistable_stack X Y (s : affine_stack F X Y) : Prop := every (@bistable_layer F) s.

(** So are their candidates, as Eqs. 11a to c compute them, exactly or not: a unit keeps its state or takes its
    candidate. The layer starts anywhere, and hands up any function of its new state and of what it reads. *)
Definition writing_layer X Y (l : affine_layer F X Y) : Prop :=
  exists (z : X -> 'I_(width l) -> bool) (v : X -> 'M[F]_(width l, channels l)), forall x,
    transition l x = diag_mx (\row_i (1 - (z x i)%:R)) /\ input l x = diag_mx (\row_i (z x i)%:R) *m v x.

Definition writing_stack X Y (s : affine_stack F X Y) : Prop := every writing_layer s.

Lemma writing_bistable X Y (s : affine_stack F X Y) : writing_stack s -> bistable_stack s.
Proof. by apply: every_implies => U W l [z [v both]]; exists z => x; have [] := both x. Qed.

Definition keeper n X Y (z : X -> 'I_n -> bool) (v : X -> 'cV[F]_n) (out : 'cV[F]_n -> X -> Y) : affine_layer F X Y :=
  Affine (fun x => diag_mx (\row_i (1 - (z x i)%:R))) (fun x => diag_mx (\row_i (z x i)%:R) *m v x) 0 out.

Lemma keeper_writes n X Y z v out : writing_layer (@keeper n X Y z v out).
Proof. by exists z, v. Qed.

Lemma keeper_step n X Y z v out h x i :
  mmove (exact (@keeper n X Y z v out)) h x i 0 = if z x i then v x i 0 else h i 0.
Proof.
by rewrite /= /step !mul_diag_mx !mxE; case: (z x i); rewrite ?subrr ?subr0 ?mul0r ?mul1r ?add0r ?addr0.
Qed.

(** Sanity: the layer of Eq. 11 is such a layer. *)
Definition unit_layer n m Y (l : bmru F n m) (h0 : 'cV[F]_n) (out : 'cV[F]_n -> 'cV[F]_m -> Y) :
  affine_layer F 'cV[F]_m Y := Affine (bistable.transition l) (added l) h0 out.

Lemma layer_writes n m Y (l : bmru F n m) h0 (out : 'cV[F]_n -> 'cV[F]_m -> Y) :
  writing_layer (unit_layer l h0 out) /\ forall h x, mmove (exact (unit_layer l h0 out)) h x = bistable_step l h x.
Proof.
split=> [|h x]; last by have [] := layer_is_linear l h x.
have gateE x i : gate l x i 0 = (gate l x i 0 == 1)%:R.
  by case: (gate01 l x i) => ->; rewrite ?eqxx ?(eq_sym 0) ?oner_eq0.
exists (fun x i => gate l x i 0 == 1), (fun x => \col_i (S (candidate l x i 0) * alpha l i 0)) => x; split.
  by congr diag_mx; apply/rowP=> i; rewrite [LHS]mxE [RHS]mxE [in LHS]gateE.
apply/matrixP=> i j; rewrite ord1 mul_diag_mx [LHS]mxE [RHS]mxE -mulrA.
by congr (_ * _); rewrite [RHS]mxE // [LHS]gateE.
Qed.

Lemma rounded_entry fl X Y (l : affine_layer F X Y) (z : 'I_(width l) -> bool) v h x i j : rounding fl ->
  transition l x = diag_mx (\row_i (1 - (z i)%:R)) -> input l x = diag_mx (\row_i (z i)%:R) *m v ->
  mmove (rounded fl l) h x i j = fl (if z i then v i j else h i j).
Proof.
case=> fl0 fl2 /= -> ->; rewrite !mul_diag_mx !mxE.
by case: (z i); rewrite ?subrr ?subr0 ?mul0r ?mul1r fl0 ?add0r ?addr0 fl2.
Qed.

Lemma rounded_idempotent fl X Y (l : affine_layer F X Y) :
  rounding fl -> writing_layer l -> idempotent_letters (rounded fl l).
Proof.
move=> r [z [v both]] h x; have [eA eB] := both x; have [_ fl2] := r.
by apply/matrixP=> i j; rewrite !(rounded_entry _ _ _ r eA eB); case: (z x i); rewrite ?fl2.
Qed.

(** Exact arithmetic is a rounding. *)
Lemma rounding_id : rounding (id : F -> F).
Proof. by []. Qed.

Lemma rounded_id X Y (l : affine_layer F X Y) h x : mmove (rounded id l) h x = mmove (exact l) h x.
Proof. by rewrite /= !map_mx_id. Qed.

Lemma rounded_run_id X Y (s : affine_stack F X Y) x t : rounded_run id s x t = exact_run s x t.
Proof.
have one U W (l : affine_layer F U W) y u : transduce (rounded id l) y u = transduce (exact l) y u.
  rewrite /transduce; congr decoder; elim: u.+1 => // k IH.
  exact: etrans (rounded_id _ _) (congr1 (fun h => mmove (exact l) h (y k)) IH).
by elim: s t => [|U W s IH l] t //; rewrite -[RHS](transduce_ext (exact l) t IH) -one.
Qed.

Lemma writing_idempotent X Y (l : affine_layer F X Y) : writing_layer l -> idempotent_letters (exact l).
Proof. by move=> /(rounded_idempotent rounding_id) idem h x; rewrite -!rounded_id idem. Qed.

(** Every letter of a stack acts as it does twice, and a letter repeated anywhere changes no later output. *)
Theorem bistable_stutter X Y (s : affine_stack F X Y) (m := joint_exact s) (q : mstate m) u x v y :
  writing_stack s ->
  (forall p : mstate m, mmove m (mmove m p x) x = mmove m p x) /\
  output_after q (u ++ x :: x :: v) y = output_after q (u ++ x :: v) y /\
  output_after q (rcons u x) x = output_after q u x.
Proof.
move=> writes; have idem : idempotent_letters m.
  by apply: joint_idempotent; apply: every_implies writes => U W l; apply: writing_idempotent.
by split=> [p|]; [apply: idem | apply: stutter_invariant].
Qed.

(** A positional encoding, or mean pooling, sees the letter twice: a count is no output of a stack. *)
Theorem not_bistable_counts :
  ~ (exists2 s : affine_stack F bool nat, writing_stack s & forall x t, exact_run s x t = t.+1).
Proof.
case=> s writes counts; have [_ [_]] := bistable_stutter (mstart (joint_exact s)) [::] true [::] true writes.
by rewrite -[LHS](transduceE _ xpredT 1) -[RHS](transduceE _ xpredT 0) !joint_exact_run !counts.
Qed.

(** Transitions have their spectrum in {0, 1}. *)
Lemma gates_spectrum n (z : 'I_n -> bool) (A := diag_mx (\row_i (1 - (z i)%:R)) : 'M[F]_n) :
  parity.nonnegative_spectrum A /\ forall a, eigenvalue A a -> a = 0 \/ a = 1.
Proof.
have charE : char_poly A = \prod_i ('X - (1 - (z i)%:R)%:P).
  by rewrite char_poly_trig ?diag_mx_is_trig //; apply: eq_bigr => i _; rewrite !mxE eqxx mulr1n.
split=> [|a].
  exists [seq 1 - (z i)%:R | i <- enum 'I_n].
    by apply/allP=> _ /mapP[i _ ->]; case: (z i); rewrite /= ?subrr ?subr0 ?ler01.
  by rewrite charE big_map big_enum.
rewrite eigenvalue_root_char charE /root horner_prod prodf_seq_eq0 => /hasP[i _].
by rewrite hornerXsubC subr_eq0 => /eqP ->; case: (z i); rewrite /= ?subrr ?subr0; [left | right].
Qed.

Lemma bistable_nonnegative X Y (s : affine_stack F X Y) : bistable_stack s -> parity.nonnegative s.
Proof. by apply: every_implies => U W l [z e] a; rewrite e; case: (gates_spectrum (z a)). Qed.

(** No stack computes the parity: by Theorem 1 of grazzi25 in the cast model, and by idempotence in exact arithmetic and
    with any rounding. *)
Theorem bistable_no_parity :
  [/\ forall n (z : 'I_n -> bool) a, eigenvalue (diag_mx (\row_i (1 - (z i)%:R)) : 'M[F]_n) a -> a = 0 \/ a = 1,
      forall ys value (s : affine_stack F bool bool), bistable_stack s ->
        ~ (forall t, cast_run (cast ys value) s (fun=> true) t = odd t.+1) &
      forall fl (s : affine_stack F bool bool), rounding fl -> writing_stack s ->
        ~ (forall x t, rounded_run fl s x t = odd (count id (mkseq x t.+1)))].
Proof.
split=> [n z a|ys value s bist|fl s r writes par]; first by case: (gates_spectrum z) => _; apply.
  by apply: parity.no_parity; apply: bistable_nonnegative.
apply: (@no_parity (joint (@rounded F fl) s)) => [|x t]; last by rewrite joint_output; apply: par.
by apply: joint_idempotent; apply: every_implies writes => U W l; apply: (rounded_idempotent r).
Qed.

End Bistable.

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

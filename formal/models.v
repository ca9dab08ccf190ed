(** * One model: words and states, stacks of layers, runs that are exact or cast, deep networks

    The other files take their models from here. A stack is a path of layers of any family: each reads what the decoder
    of the one below hands up. A network of width n has a lowest layer of one kind below layers of another kind.

    - [state act s w], [at_time act s x t]: the state after the word w, and before the letter number t of x;
    - [recognises act s value]: the value of every word that is not empty is told by its last two states and letter;
          [tracks delta q0 f]: f is the automaton's state, at every time;
    - [step A B]: the affine step H -> A(x) H + B(x);
    - [stack layers i k]: paths of layers from i to k, [Input] or a layer [Above] a stack; [height s], [every P s],
          [under l s]: the stack s on the layer l;
    - [output out s x t]: what a stack hands up at time t if its layers hand up [out];
    - [mealy X Y], [transduce m]: machines that read X and hand up Y; [output_after q w x]: what one hands up at x after
          the word w, from the state q; [joint machine s]: a stack of them is one of them;
    - [affine_layer F X Y]: H_t = A(x_t) H_(t-1) + B(x_t), and a decoder that sees H_t and x_t; [affine_stack F X Y],
          [widths s]: stacks of them, and how wide the layers are, the lowest first;
    - [exact l], [exact_run s], [joint_exact s]: its run in exact arithmetic; all layers of a stack as one machine;
    - [terms A B H0 x t]: the terms of the unrolled state, the oldest first;
    - [cast_run c s]: the run in finite precision, where each term of the unrolled state and their sum are cast by c;
          [cast_state], [cast_layer]: so for a state, and for what a layer hands up;
    - [cast ys value]: a rounding onto a finite set, ties broken in any way;
    - [kind n m], [layer], [start], [next]: kinds of layers with n units that read m numbers;
    - [run l x t]: the state of a layer after x_0, ..., x_t;
    - [network B K], [depth], [level N k], [states N]: a lowest layer of kind B below layers of kind K;
          the states of layer k (from 0), and of the last one; [cut N k]: the network without the layers above layer k;
    - [computes B K L f]: some network of L layers has the states f;
          [strictly_more]: one class of functions contains another, and not conversely;
    - [tensor F n m], [at_state A h], [product A h y]: A, A x_1 h and A x_1 h x_2 y; [factors], [cp_tensor f]: a tensor
          of rank R;
    - [linear_rnn], [second_order], [bilinear_rnn], [residual], [cp_rnn R], [cp_bilinear R],
          [cp_residual R]: the kinds of lizaire26, Sec. 2; [deep F n d]: deep linear networks.

    Classes of layers are in classes.v: diagonal, bistable, products of GH matrices, bilinear, fixed points.

    Times count from 0, states are columns or matrices. *)

From mathcomp Require Import all_ssreflect all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** States after words *)

Section Words.

Variables (S X : Type) (act : S -> X -> S).
Implicit Types (s : S) (u v w : seq X) (x y : nat -> X).

Definition state s w : S := foldl act s w.

Lemma state_cat s u v : state s (u ++ v) = state (state s u) v.
Proof. exact: foldl_cat. Qed.

Lemma state_rcons s u (a : X) : state s (rcons u a) = act (state s u) a.
Proof. exact: foldl_rcons. Qed.

(** The state before the letter number t of a sequence. *)
Fixpoint at_time s x t : S := if t is t'.+1 then act (at_time s x t') (x t') else s.

Lemma at_timeE s x t : at_time s x t = state s (mkseq x t).
Proof. by elim: t => // t IH; rewrite mkseqS state_rcons -IH. Qed.

Lemma at_time_ext s x y t : x =1 y -> at_time s x t = at_time s y t.
Proof. by move=> xy; elim: t => //= t ->; rewrite xy. Qed.

End Words.

(** Some function of the states before and after the last letter, and of that letter, is the value of the word. *)
Definition recognises (S X O : Type) (act : S -> X -> S) (s : S) (value : seq X -> O) : Prop :=
  exists D : S -> S -> X -> O, forall w x, D (state act s w) (state act s (rcons w x)) x = value (rcons w x).

(** At every time: the automaton's state after the letters so far. *)
Definition tracks (Q X : Type) (delta : Q -> X -> Q) (q0 : Q) (f : (nat -> X) -> nat -> Q) : Prop :=
  forall x t, f x t = state delta q0 (mkseq x t.+1).

(** H -> A(x) H + B(x) *)
Definition step (R : ringType) (X : Type) n d (A : X -> 'M[R]_n) (B : X -> 'M[R]_(n, d)) (H : 'M[R]_(n, d)) (x : X) :
  'M[R]_(n, d) := A x *m H + B x.

(** ** Stacks of layers *)

Section Stacks.

(** The layers from i to j, for any i and j: what they read and hand up, or how many numbers. *)
Variables (I : Type) (layers : I -> I -> Type).

Inductive stack (i : I) : I -> Type :=
| Input : stack i i
| Above j k of stack i j & layers j k : stack i k.

Fixpoint height i k (s : stack i k) : nat := if s is Above _ _ s' _ then (height s').+1 else 0%N.

(** All layers have the property P. *)
Fixpoint every (P : forall i j, layers i j -> Prop) i k (s : stack i k) : Prop :=
  if s is Above _ _ s' l then every P s' /\ P _ _ l else True.

Lemma every_implies (P Q : forall i j, layers i j -> Prop) i k (s : stack i k) :
  (forall i j (l : layers i j), P _ _ l -> Q _ _ l) -> every P s -> every Q s.
Proof. by move=> PQ; elim: s => //= j k' s IH l [/IH Qs /PQ]. Qed.

(** The stack on top of the layer l. *)
Fixpoint under i j k (l : layers i j) (s : stack j k) : stack i k :=
  match s in stack _ k return stack i k with
  | Input => Above (Input i) l
  | Above _ _ s' l' => Above (under l s') l'
  end.

Lemma every_under P i j k (l : layers i j) (s : stack j k) : every P (under l s) <-> P _ _ l /\ every P s.
Proof. by elim: s => [|j' k' s IH l'] /=; [split=> -[] | rewrite IH; split=> [[[]]|[? []]]]. Qed.

(** What a layer hands up at each time, of what it reads. *)
Variables (signal : I -> Type) (out : forall i j, layers i j -> (nat -> signal i) -> nat -> signal j).

Fixpoint output i k (s : stack i k) : (nat -> signal i) -> nat -> signal k :=
  match s in stack _ k return (nat -> signal i) -> nat -> signal k with
  | Input => fun x => x
  | Above _ _ s' l => fun x => out l (output s' x)
  end.

Lemma output_under i j k (l : layers i j) (s : stack j k) x : output (under l s) x = output s (out l x).
Proof. by elim: s => //= j' k' s ->. Qed.

End Stacks.

Arguments Input {I layers i}.

(** ** Machines: a stack of machines is a machine *)

(** A machine moves first; then it hands up something of its new state and of the letter. *)
Record mealy (X Y : Type) := Mealy {
  mstate : Type; mstart : mstate; mmove : mstate -> X -> mstate; mout : mstate -> X -> Y }.

Arguments mmove {X Y} m q x.
Arguments mout {X Y} m q x.

Definition transduce X Y (m : mealy X Y) (x : nat -> X) (t : nat) : Y :=
  mout m (at_time (mmove m) (mstart m) x t.+1) (x t).

(** What it hands up at a letter after a word, from any state. *)
Definition output_after X Y (m : mealy X Y) (q : mstate m) (w : seq X) (x : X) : Y :=
  mout m (state (mmove m) q (rcons w x)) x.

Lemma transduceE X Y (m : mealy X Y) x t : transduce m x t = output_after (mstart m) (mkseq x t) (x t).
Proof. by rewrite /transduce /output_after at_timeE mkseqS. Qed.

Lemma transduce_ext X Y (m : mealy X Y) x y t : x =1 y -> transduce m x t = transduce m y t.
Proof. by move=> xy; rewrite /transduce xy (at_time_ext _ _ _ xy). Qed.

Section Joint.

Variables (layers : Type -> Type -> Type) (machine : forall X Y, layers X Y -> mealy X Y).

(** The joint states: a letter moves the lowest layer, and what that hands up moves the next one. *)
Fixpoint joint X Y (s : stack layers X Y) : mealy X Y :=
  match s in stack _ _ Y return mealy X Y with
  | Input => Mealy tt (fun q _ => q) (fun _ x => x)
  | Above _ _ s' l =>
      let m := joint s' in let n := machine l in
      Mealy (mstart m, mstart n)
        (fun q x => let p := mmove m q.1 x in (p, mmove n q.2 (mout m p x)))
        (fun q x => mout n q.2 (mout m q.1 x))
  end.

Lemma joint_output X Y (s : stack layers X Y) x t :
  transduce (joint s) x t = output (signal := fun T => T) (fun X Y l => transduce (machine l)) s x t.
Proof.
elim: s t => [|U W s IH l] t //=.
rewrite -(transduce_ext (machine l) t (y := output (signal := fun T => T) _ s x) IH) /transduce /=.
suff -> : at_time (mmove (joint (Above s l))) (mstart (joint s), mstart (machine l)) x t =
    (at_time (mmove (joint s)) (mstart (joint s)) x t,
     at_time (mmove (machine l)) (mstart (machine l)) (transduce (joint s) x) t) by [].
by elim: t => //= t ->.
Qed.

End Joint.

(** ** Affine layers with decoders, in exact arithmetic *)

Section Affine.

Variable F : ringType.

(** H_t = A(x_t) H_(t-1) + B(x_t); what is handed up is any function of H_t and x_t. *)
Record affine_layer (X Y : Type) := Affine {
  width : nat; channels : nat;
  transition : X -> 'M[F]_width;
  input : X -> 'M[F]_(width, channels);
  origin : 'M[F]_(width, channels);
  decoder : 'M[F]_(width, channels) -> X -> Y }.

Arguments width {X Y} _.
Arguments channels {X Y} _.
Arguments transition {X Y} _ _.
Arguments input {X Y} _.
Arguments origin {X Y} _.
Arguments decoder {X Y} _.

Definition exact X Y (l : affine_layer X Y) : mealy X Y :=
  Mealy (origin l) (step (transition l) (input l)) (decoder l).

Definition exact_run X Y (s : stack affine_layer X Y) : (nat -> X) -> nat -> Y :=
  output (signal := fun T => T) (fun X Y l => transduce (exact l)) s.

(** All layers as one machine. *)
Definition joint_exact X Y (s : stack affine_layer X Y) : mealy X Y := joint exact s.

Lemma joint_exact_run X Y (s : stack affine_layer X Y) x t : transduce (joint_exact s) x t = exact_run s x t.
Proof. exact: joint_output. Qed.

(** The widths of the layers, the lowest first. *)
Fixpoint widths X Y (s : stack affine_layer X Y) : seq nat :=
  if s is Above _ _ s' l then rcons (widths s') (width l) else [::].

Lemma widths_under X Y Z (l : affine_layer X Y) (s : stack affine_layer Y Z) : widths (under l s) = width l :: widths s.
Proof. by elim: s => //= U W s ->. Qed.

(** The terms of the unrolled recurrence after t letters, the oldest first. *)
Section Terms.

Variables (X : Type) (n d : nat) (A : X -> 'M[F]_n) (B : X -> 'M[F]_(n, d)) (H0 : 'M[F]_(n, d)).

Fixpoint terms (x : nat -> X) t : seq 'M[F]_(n, d) :=
  if t is t'.+1 then rcons [seq A (x t') *m M | M <- terms x t'] (B (x t')) else [:: H0].

Lemma sum_of_terms x t : at_time (step A B) H0 x t = \sum_(M <- terms x t) M.
Proof.
elim: t => [|t IH] /=; first by rewrite big_seq1.
by rewrite IH -cats1 big_cat big_map big_seq1 /step mulmx_sumr.
Qed.

Lemma terms_ext x y t : x =1 y -> terms x t = terms y t.
Proof. by move=> xy; elim: t => //= t ->; rewrite xy. Qed.

End Terms.

End Affine.

Arguments width {F X Y} _.
Arguments channels {F X Y} _.
Arguments transition {F X Y} _ _.
Arguments input {F X Y} _.
Arguments origin {F X Y} _.
Arguments decoder {F X Y} _.

Notation affine_stack F := (stack (affine_layer F)).

(** ** The same layers in finite precision *)

Section Precision.

(** Any function on numbers may stand for the rounding. *)
Variables (F : ringType) (c : F -> F).

(** Every term is cast, and so is their sum. *)
Definition cast_state (X : Type) n d (A : X -> 'M[F]_n) (B : X -> 'M[F]_(n, d)) (H0 : 'M[F]_(n, d)) (x : nat -> X) t :
  'M[F]_(n, d) := map_mx c (\sum_(M <- terms A B H0 x t) map_mx c M).

Definition cast_layer X Y (l : affine_layer F X Y) (x : nat -> X) (t : nat) : Y :=
  decoder l (cast_state (transition l) (input l) (origin l) x t.+1) (x t).

Definition cast_run X Y (s : affine_stack F X Y) : (nat -> X) -> nat -> Y :=
  output (signal := fun T => T) cast_layer s.

Lemma cast_layer_ext X Y (l : affine_layer F X Y) x y t : x =1 y -> cast_layer l x t = cast_layer l y t.
Proof. by move=> xy; rewrite /cast_layer /cast_state xy (terms_ext _ _ _ _ xy). Qed.

End Precision.

(** Onto any finite set: of a number it sees only which of the thresholds ys (the midpoints) lie below it, and which at
    it, so that ties may be broken in any way. *)
Definition cast (F : realFieldType) (ys : seq F) (value : seq (bool * bool) -> F) (z : F) : F :=
  value [seq (y < z, y <= z) | y <- ys].

(** ** Layers and networks of any kind *)

Record kind (F : fieldType) n m :=
  Kind { layer : Type; start : layer -> 'cV[F]_n; next : layer -> 'cV[F]_n -> 'cV[F]_m -> 'cV[F]_n }.

Fixpoint run (F : fieldType) n m (K : kind F n m) (l : layer K) (x : nat -> 'cV[F]_m) (t : nat) : 'cV[F]_n :=
  next l (if t is t'.+1 then run l x t' else start l) (x t).

Section Networks.

Variables (F : fieldType) (n d : nat) (B : kind F n d) (K : kind F n n).

Record network := Network { lowest : layer B; others : seq (layer K) }.

Definition depth (N : network) : nat := (size (others N)).+1.

Definition states (N : network) (x : nat -> 'cV[F]_d) : nat -> 'cV[F]_n :=
  foldl (fun h l => run l h) (run (lowest N) x) (others N).

(** The network without the layers above layer k, and the states of layer k. *)
Definition cut (N : network) k : network := Network (lowest N) (take k (others N)).

Definition level (N : network) k := states (cut N k).

Lemma level_top N x t : level N (size (others N)) x t = states N x t.
Proof. by rewrite /level /states /= take_size. Qed.

Lemma run_ext m (K' : kind F n m) (l : layer K') x y t : (forall s, x s = y s) -> run l x t = run l y t.
Proof. by move=> xy; elim: t => [|t IH] /=; rewrite ?IH xy. Qed.

Lemma states_above N l x t : states (Network (lowest N) (rcons (others N) l)) x t = run l (states N x) t.
Proof. by rewrite /states /= -cats1 foldl_cat. Qed.

Lemma levelS l0 N k x t : (k < size (others N))%N -> level N k.+1 x t = run (nth l0 (others N) k) (level N k x) t.
Proof. by move=> lt; rewrite /level {1}/cut (take_nth l0) // (states_above (cut N k)). Qed.

(** The functions of L layers. *)
Definition computes L (f : (nat -> 'cV[F]_d) -> nat -> 'cV[F]_n) : Prop :=
  exists2 N : network, depth N = L & forall x t, states N x t = f x t.

End Networks.

(** More functions: all of them, and one that was none before. *)
Definition strictly_more (I S : Type) (H H' : (I -> nat -> S) -> Prop) : Prop := (forall f, H f ->
  H' f) /\ exists2 f, H' f & ~ H f.

(** ** The kinds of lizaire26 *)

Section Kinds.

Variables (F : fieldType) (n m : nat).

(** h_t = V h_(t-1) + U x_t + b. *)
Record linear_layer := Linear { V : 'M[F]_n; U : 'M[F]_(n, m); bias : 'cV[F]_n; initial : 'cV[F]_n }.

Definition linear_rnn : kind F n m := Kind initial (fun l h y => V l *m h + U l *m y + bias l).

(** A tensor with the state as its first argument, what is read as its second, the next state as its third: A x_1 h. *)
Definition tensor := 'I_n -> 'I_m -> 'I_n -> F.

Definition at_state (A : tensor) (h : 'cV[F]_n) : 'M[F]_(m, n) := \matrix_(k, i) \sum_j A j k i * h j 0.

(** A x_1 h x_2 y *)
Definition product (A : tensor) (h : 'cV[F]_n) (y : 'cV[F]_m) : 'cV[F]_n := (at_state A h)^T *m y.

(** 2RNN: h_t = A x_1 h_(t-1) x_2 x_t + V h_(t-1) + U x_t + b. *)
Record second_layer := Second { A2 : tensor; V2 : 'M[F]_n; U2 : 'M[F]_(n, m); bias2 : 'cV[F]_n; initial2 : 'cV[F]_n }.

Definition second_order : kind F n m := Kind initial2 (fun l h y => product (A2 l) h y + V2 l *m h + U2 l *m y + bias2
  l).

(** BIRNN: the product alone. *)
Definition bilinear_rnn : kind F n m := @Kind F n m (tensor * 'cV[F]_n) snd (fun l h y => product l.1 h y).

(** A tensor of rank R. *)
Variable R : nat.

Definition factors : Type := 'M[F]_(n, R) * 'M[F]_(m, R) * 'M[F]_(n, R).

Definition cp_tensor (f : factors) : tensor := fun j k i => \sum_r f.1.1 j r * f.1.2 k r * f.2 i r.

Definition cp_bilinear : kind F n m := @Kind F n m (factors * 'cV[F]_n) snd (fun l h y => product (cp_tensor l.1) h y).

Record cp_layer := CP { cp_of : factors; cp_V : 'M[F]_n; cp_U : 'M[F]_(n, m); cp_bias : 'cV[F]_n;
  cp_initial : 'cV[F]_n }.

Definition cp_rnn : kind F n m :=
  Kind cp_initial (fun l h y => product (cp_tensor (cp_of l)) h y + cp_V l *m h + cp_U l *m y + cp_bias l).

End Kinds.

(** Layers that add what they read. *)
Definition residual (F : fieldType) n : kind F n n := @Kind F n n (tensor F n n * 'cV[F]_n) snd (fun l h y => product
  l.1 h y + y).

Definition cp_residual (F : fieldType) n R : kind F n n :=
  @Kind F n n (factors F n n R * 'cV[F]_n) snd (fun l h y => product (cp_tensor l.1) h y + y).

(** Deep linear networks. *)
Notation linear_run l := (@run _ _ _ (linear_rnn _ _ _) l).

Notation deep F n d := (network (linear_rnn F n d) (linear_rnn F n n)).

Notation deep_network low ls := (@Network _ _ _ (linear_rnn _ _ _) (linear_rnn _ _ _) low ls).

(** * One model of deep recurrent networks

    A kind of layers says what a layer is, where it starts, and how a state and what is read give the next state;
      a network is one layer above the other.

    - [kind n m], [layer], [start], [next]: kinds of layers with n units that read m numbers;
    - [run l x t]: the state of a layer after x_0, ..., x_t;
    - [network B K], [depth], [level N k], [states N]: a lowest layer of kind B below layers of kind K;
          the states of layer k (from 0), and of the last one;
    - [computes B K L f]: some network of L layers has the states f;
          [strictly_more]: one class of functions contains another, and not conversely;
    - [linear_rnn], [second_order], [bilinear_rnn], [residual], [cp_rnn R], [cp_bilinear R],
          [cp_residual R]: the kinds of lizaire26, Sec. 2.

    Times count from 0, states are columns. *)

From mathcomp Require Import all_ssreflect all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

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

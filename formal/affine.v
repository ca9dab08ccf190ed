(** * Affine recurrences H -> A(x) H + B(x): unrolled, cut in two, from two starts, with one transition

    What holds for every recurrence of models.v, and for every affine one. The other files take it from here.

    - [transitions A w]: the product of the transitions of a word, A(w_n) ... A(w_1);
    - [descending M j k]: M_k ... M_(j+1);
    - [unit_step a b]: one unit, h -> a(x) h + b(x); it is the affine step of width 1 ([unit_stepE]). *)

From mathcomp Require Import all_ssreflect all_algebra.
From lemmata Require Import models.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

(** ** Any recurrence *)

Section Acts.

Variables (S X : Type) (act : S -> X -> S).
Implicit Types (s : S) (w : seq X) (x : nat -> X).

Lemma state_nseq s k (a : X) : state act s (nseq k a) = iter k (act^~ a) s.
Proof. by elim: k s => // k IH s; rewrite iterSr -IH. Qed.

Lemma at_time_add s x t k : at_time act s x (t + k) = at_time act (at_time act s x t) (fun j => x (t + j)%N) k.
Proof. by elim: k => [|k IH]; rewrite ?addn0 // addnS /= IH. Qed.

(** A map that carries one recurrence into another carries its states. *)
Lemma state_map (S' : Type) (act' : S' -> X -> S') (f : S -> S') s w :
  (forall s a, f (act s a) = act' (f s) a) -> f (state act s w) = state act' (f s) w.
Proof. by move=> fE; elim: w s => //= a w IH s; rewrite -fE; apply: IH. Qed.

End Acts.

(** ** Products of transitions *)

Section Products.

Variables (R : ringType) (n : nat).

(** M_k M_(k-1) ... M_(j+1), the identity for j = k. *)
Definition descending (M : nat -> 'M[R]_n) (j k : nat) : 'M[R]_n :=
  foldl (fun P i => M i *m P) 1%:M (iota j.+1 (k - j)).

Lemma descendingS M j k : (j <= k)%N -> descending M j k.+1 = M k.+1 *m descending M j k.
Proof. by move=> jk; rewrite /descending subSn // -(addn1 (k - j)) iotaD foldl_cat /= addSn subnKC. Qed.

Lemma descending0 M k : descending M k k = 1%:M.
Proof. by rewrite /descending subnn. Qed.

(** What is affine step by step is affine. *)
Lemma unroll d (M : nat -> 'M[R]_n) (c h : nat -> 'M[R]_(n, d)) q k :
  h 0%N = q + c 0%N -> (forall i, (i < k)%N -> h i.+1 = M i.+1 *m h i + c i.+1) ->
  h k = descending M 0 k *m q + \sum_(j < k.+1) descending M j k *m c j.
Proof.
move=> h0; elim: k => [|k IH] hS; first by rewrite h0 big_ord1 !descending0 !mul1mx.
rewrite hS // IH => [|i ik]; last by apply: hS; apply: ltnW.
rewrite [in RHS]big_ord_recr /= descending0 mul1mx descendingS // mulmxDr -!mulmxA addrA mulmx_sumr.
by congr (_ + _ + _); apply: eq_bigr => j _; rewrite descendingS ?mulmxA // -ltnS.
Qed.

Variables (X : Type) (A : X -> 'M[R]_n).
Implicit Types (u v w : seq X).

(** A(w_n) ... A(w_1): the state of the recurrence without inputs, from the identity. *)
Definition transitions w : 'M[R]_n := state (fun P x => A x *m P) 1%:M w.

Lemma transitions_rcons w a : transitions (rcons w a) = A a *m transitions w.
Proof. exact: state_rcons. Qed.

Lemma transitions_cat u v : transitions (u ++ v) = transitions v *m transitions u.
Proof.
elim/last_ind: v => [|v a IH]; first by rewrite cats0 mul1mx.
by rewrite -rcons_cat !transitions_rcons IH mulmxA.
Qed.

End Products.

Lemma transitions_power (R : ringType) n X (A : 'M[R]_n.+1) (w : seq X) : transitions (fun=> A) w = A ^+ size w.
Proof. by elim/last_ind: w => // w a IH; rewrite transitions_rcons size_rcons exprS IH. Qed.

(** ** Affine recurrences *)

Section Affine.

Variables (R : ringType) (X : Type) (n d : nat) (A : X -> 'M[R]_n).
Implicit Types (B C : X -> 'M[R]_(n, d)) (h g : 'M[R]_(n, d)) (w : seq X) (x : nat -> X).

(** The start and the inputs. *)
Lemma state_step B h w : state (step A B) h w = transitions A w *m h + state (step A B) 0 w.
Proof.
elim/last_ind: w => [|w a IH]; first by rewrite /= mul1mx addr0.
by rewrite !state_rcons transitions_rcons /step IH mulmxDr mulmxA addrA.
Qed.

(** Two starts: their difference is moved by the transitions alone. *)
Lemma state_stepB B h g w : state (step A B) h w - state (step A B) g w = transitions A w *m (h - g).
Proof. by rewrite (state_step B h) (state_step B g) opprD addrACA subrr addr0 mulmxBr. Qed.

(** The closed form, with the letters x_1, x_2, ...: every input, moved by the later transitions, and the start. *)
Lemma at_time_unrolled B h x k :
  at_time (step A B) h (fun t => x t.+1) k =
  \sum_(i < k) descending (A \o x) i.+1 k *m B (x i.+1) + descending (A \o x) 0 k *m h.
Proof.
pose c i := if i is j.+1 then B (x j.+1) else 0.
rewrite (@unroll R n d (A \o x) c (at_time (step A B) h (fun t => x t.+1)) h k) ?addr0 //.
by rewrite big_ord_recl mulmx0 add0r addrC.
Qed.

End Affine.

(** With one transition for all letters: its powers. *)
Lemma at_time_powers (R : ringType) X n d (A : 'M[R]_n) (B : X -> 'M[R]_(n, d)) h (x : nat -> X) k :
  at_time (step (fun=> A) B) h x k = iter k (mulmx A) h + \sum_(i < k) iter (k - i.+1) (mulmx A) (B (x i)).
Proof.
elim: k => [|k IH]; first by rewrite big_ord0 addr0.
rewrite /= IH {1}/step mulmxDr -addrA big_ord_recr /= subnn; congr (_ + (_ + _)).
by rewrite mulmx_sumr; apply: eq_bigr => i _; rewrite subSn.
Qed.

(** ** One unit *)

Section Unit.

Variables (R : ringType) (X : Type) (a b : X -> R).

(** h -> a(x) h + b(x) *)
Definition unit_step (h : R) (x : X) : R := a x * h + b x.

Lemma unit_stepE h w :
  (state unit_step h w)%:M = state (step (fun x => (a x)%:M) (fun x => (b x)%:M)) h%:M w :> 'M[R]_1.
Proof. by apply: state_map => {}h x; rewrite /step -scalar_mxM -raddfD. Qed.

End Unit.

(** ** Linear layers of networks *)

Lemma linear_runE (F : fieldType) n m (l : linear_layer F n m) x t :
  linear_run l x t = at_time (step (fun=> V l) (fun y => U l *m y + bias l)) (initial l) x t.+1.
Proof. by elim: t => [|t IH]; rewrite /= /step ?IH addrA. Qed.

(** The layers above see what the lowest one hands up, and nothing else. *)
Lemma above_ext (F : fieldType) n (K : kind F n n) (ls : seq (layer K)) h g t :
  (forall s, h s = g s) -> foldl (fun h l => run l h) h ls t = foldl (fun h l => run l h) g ls t.
Proof. by elim: ls h g => //= l ls IH h g e; apply: IH => s; apply: run_ext. Qed.

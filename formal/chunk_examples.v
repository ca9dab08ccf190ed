(** * Stored networks in chunks that the kernel itself runs the checker on

    Definitions: [accepted_by], whether the checker accepts what the search finds;
        [beside_parity], a network whose second coordinate is always 0. *)

From Coq Require Import ZArith NArith List Bool.
From lemmata Require Import checker_network stored_network stored stored_examples sums chunk_sums orders float.
From lemmata Require Import float_sums float_words float_paths float_orders.
Import ListNotations.

Local Open Scope Z_scope.

Definition accepted_by (p : any_path) (F : format) (net : stored_network) : bool :=
  any_order_is_right p F net (orders_surveys p F 100 net) (orders_maps p 100 net) (orders_sets p 100 net).

(** Two networks in bfloat16, however their words are cut into chunks of up to 128 micro-steps. *)
Theorem named_networks_are_right_in_chunks net : In net [parity; permutations_of_three] ->
  right_in_any_order (Chunk 128) bfloat16 net.
Proof.
assert (forallb (accepted_by (Chunk 128) bfloat16) [parity; permutations_of_three] = true) as all by
    (vm_compute; reflexivity).
rewrite forallb_forall in all; intros isin; assert (is_format bfloat16) as form by (split; reflexivity).
specialize (all net isin); unfold accepted_by in all.
exact (networks_are_right_in_any_order _ _ _ _ _ _ form all).
Qed.

(** ** A false variant *)

(** Parity, with a second coordinate that is 0 and shrinks by 1/4 at each letter. *)
Definition beside_parity : stored_network := StoredNetwork 2
  (Automaton 2 [[1; 0]; [0; 1]] 0 [0])%N
  [StoredLayer [(1, 0); (0, 0)]
    [Transition [[(-1, 0); (0, 0)]; [(0, 0); (1, -2)]] [(0, 0); (0, 0)] 0 [[-1; 0]; [1; 0]]
      (Some [MicroStep [(1, 0); (0, 0)] (1, 1) (0, 0); MicroStep [(0, 0); (1, 0)] (3, -2) (0, 0)]);
     Transition [[(1, 0); (0, 0)]; [(0, 0); (1, 0)]] [(0, 0); (0, 0)] 0 [[1; 0]; [-1; 0]]
      (Some [MicroStep [(1, 0); (0, 0)] (0, 0) (0, 0)])]
    [Letter 0 0 0 0; Letter 1 0 0 1]%N
    [[Some 1%N; Some 0%N]; [Some 0%N; Some 1%N]]].

(** What is exact step by step may not be exact in chunks: the powers of 1/4 are in the triangular inverse. *)
Theorem not_what_is_exact_step_by_step_is_exact_in_chunks : ~ forall F net,
  accepted_by Fused F net = true -> accepted_by (Chunk 128) F net = true.
Proof.
intros variant; assert (accepted_by (Chunk 128) bfloat16 beside_parity = true) as wrong by (apply variant; vm_compute;
    reflexivity).
vm_compute in wrong; discriminate.
Qed.

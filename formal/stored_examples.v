(** * Stored networks that the kernel itself runs the checker on

    Four networks as lemmata compile --stored writes them: [parity], [permutations_of_three] (one layer each,
        entries 0 and 1 or -1), [ends_in_abb] (three layers),
    [turns_of_five] (a rotation, whose entries and products are rounded). *)

From Coq Require Import ZArith NArith List Bool SpecFloat Lia.
From lemmata Require Import checker_network float_closure stored_network stored stored_sound.
Import ListNotations.

Set Implicit Arguments.

Local Open Scope Z_scope.

Definition parity : stored_network := StoredNetwork 2
  (Automaton 2 [[1; 0]; [0; 1]] 0 [0])%N
  [StoredLayer [(1, 0)]
    [Transition [[((-1), 0)]] [(0, 0)] 0
      [[(-1)]; [1]] (Some [MicroStep [(1, 0)] (1, 1) (0, 0)]);
     Transition [[(1, 0)]] [(0, 0)] 0
      [[1]; [(-1)]] (Some [MicroStep [(1, 0)] (0, 0) (0, 0)])]
    [Letter 0 0 0 0; Letter 1 0 0 1]%N
    [[Some 1%N; Some 0%N]; [Some 0%N; Some 1%N]]].

Definition permutations_of_three : stored_network := StoredNetwork 2
  (Automaton 6 [[1; 0; 4; 5; 2; 3]; [2; 3; 5; 4; 1; 0]] 0 [0])%N
  [StoredLayer [(1, 0); (1, 1); (3, 0)]
    [Transition [[(0, 0); (1, 0); (0, 0)]; [(1, 0); (0, 0); (0, 0)]; [(0, 0); (0, 0); (1, 0)]] [(0, 0); (0, 0); (0,
        0)] 0
      [[2; 1; 3]; [1; 2; 3]; [1; 3; 2]; [2; 3; 1]; [3; 1; 2]; [3; 2; 1]] (Some [MicroStep [((-1), 0); (1, 0); (0,
          0)] (1, 0) (0, 0)]);
     Transition [[(0, 0); (0, 0); (1, 0)]; [(1, 0); (0, 0); (0, 0)]; [(0, 0); (1, 0); (0, 0)]] [(0, 0); (0, 0); (0,
         0)] 0
      [[3; 1; 2]; [3; 2; 1]; [2; 3; 1]; [1; 3; 2]; [2; 1; 3]; [1; 2; 3]] (Some [MicroStep [(0, 0); ((-1), 0); (1,
          0)] (1, 0) (0, 0); MicroStep [((-1), 0); (1, 0); (0, 0)] (1, 0) (0, 0)])]
    [Letter 0 0 0 0; Letter 1 0 0 1]%N
    [[Some 1%N; Some 0%N; Some 4%N; Some 5%N; Some 2%N; Some 3%N]; [Some 2%N; Some 3%N; Some 5%N; Some 4%N; Some 1%N;
        Some 0%N]]].

Definition ends_in_abb : stored_network := StoredNetwork 2
  (Automaton 4 [[1; 1; 1; 1]; [0; 2; 3; 0]] 0 [3])%N
  [StoredLayer [(0, 0); (1, 0)]
    [Transition [[((-3), (-3)); (3, (-3))]; [((-3), (-3)); (3, (-3))]] [(1, 0); (0, 0)] (-3)
      [[11; 3]; [5; (-3)]] (Some [MicroStep [((-7), (-3)); ((-1), (-3))] (1, 1) ((-1), (-1)); MicroStep [(1, 0);
          ((-1), 0)] (1, (-1)) (1, 0)]);
     Transition [[((-3), (-3)); (3, (-3))]; [((-3), (-3)); (3, (-3))]] [(0, 0); (1, 0)] (-3)
      [[3; 11]; [(-3); 5]] (Some [MicroStep [((-7), (-3)); ((-1), (-3))] (1, 1) ((-1), (-1)); MicroStep [((-1), 0);
          (1, 0)] (1, (-1)) (1, 0)])]
    [Letter 0 0 0 0; Letter 1 0 0 1]%N
    [[Some 0%N; Some 2%N]; [Some 1%N; Some 3%N]];
   StoredLayer [(0, 0); (1, 0)]
    [Transition [[(1, (-1)); ((-1), (-1))]; [((-1), (-1)); (1, (-1))]] [(0, 0); (0, 0)] (-1)
      [[(-1); 1]; [1; (-1)]] (Some [MicroStep [(1, 0); (1, 0)] (1, (-1)) (0, 0)]);
     Transition [[((-3), (-3)); (3, (-3))]; [((-3), (-3)); (3, (-3))]] [(0, 0); (1, 0)] (-3)
      [[3; 11]; [(-3); 5]] (Some [MicroStep [((-7), (-3)); ((-1), (-3))] (1, 1) ((-1), (-1)); MicroStep [((-1), 0);
          (1, 0)] (1, (-1)) (1, 0)]);
     Transition [[((-3), (-3)); (3, (-3))]; [((-3), (-3)); (3, (-3))]] [(1, 0); (0, 0)] (-3)
      [[11; 3]; [5; (-3)]] (Some [MicroStep [((-7), (-3)); ((-1), (-3))] (1, 1) ((-1), (-1)); MicroStep [(1, 0);
          ((-1), 0)] (1, (-1)) (1, 0)])]
    [Letter 0 0 1 0; Letter 1 0 0 1; Letter 0 1 1 0; Letter 1 1 0 2]%N
    [[Some 0%N; Some 4%N]; [Some 1%N; Some 5%N]; [Some 2%N; Some 2%N]; [Some 3%N; Some 3%N]];
   StoredLayer [(1, 0); (0, 0)]
    [Transition [[(1, (-1)); ((-1), (-1))]; [((-1), (-1)); (1, (-1))]] [(0, 0); (0, 0)] (-1)
      [[1; (-1)]; [(-1); 1]] (Some [MicroStep [(1, 0); (1, 0)] (1, (-1)) (0, 0)]);
     Transition [[((-3), (-3)); (3, (-3))]; [((-3), (-3)); (3, (-3))]] [(1, 0); (0, 0)] (-3)
      [[5; (-3)]; [11; 3]] (Some [MicroStep [((-7), (-3)); ((-1), (-3))] (1, 1) ((-1), (-1)); MicroStep [(1, 0);
          ((-1), 0)] (1, (-1)) (1, 0)]);
     Transition [[((-3), (-3)); (3, (-3))]; [((-3), (-3)); (3, (-3))]] [(0, 0); (1, 0)] (-3)
      [[(-3); 5]; [3; 11]] (Some [MicroStep [((-7), (-3)); ((-1), (-3))] (1, 1) ((-1), (-1)); MicroStep [((-1), 0);
          (1, 0)] (1, (-1)) (1, 0)])]
    [Letter 0 0 1 0; Letter 1 0 0 1; Letter 0 1 1 0; Letter 1 1 2 0; Letter 0 2 1 0; Letter 1 2 0 2]%N
    [[Some 1%N; Some 1%N]; [Some 0%N; Some 0%N]; [Some 1%N; Some 1%N]; [Some 2%N; Some 2%N]; [Some 1%N; Some 1%N];
        [Some 3%N; Some 3%N]]].

Definition turns_of_five : stored_network := StoredNetwork 1
  (Automaton 5 [[1; 2; 3; 4; 0]] 0 [0])%N
  [StoredLayer [(1, 0); (0, 0)]
    [Transition [[(79, (-8)); ((-243), (-8))]; [(243, (-8)); (79, (-8))]] [(0, 0); (0, 0)] (-53)
      [[2783377641436328; 8566355544790271]; [(-7286977268806824); 5294298886396510]; [(-7286977268806824);
          (-5294298886396510)]; [2783377641436328; (-8566355544790271)]; [9007199254740992; 0]] (Some [MicroStep [(0,
          0); ((-1), 0)] (1, 1) (0, 0); MicroStep [((-177), (-8)); (243, (-8))] (185, (-7)) (0, 0)])]
    [Letter 0 0 0 0]%N
    [[Some 1%N; Some 2%N; Some 3%N; Some 4%N; Some 0%N]]].

Definition is_accepted (p : path) (F : format) (net : stored_network) : bool :=
    stored_is_right p F net (stored_surveys p F 1000 net).

Lemma accepted_is_right p F net : is_accepted p F net = true -> right_at_every_length p F net.
Proof. apply stored_networks_are_right. Qed.

(** Three networks in three formats on two paths; the rotation in bfloat16, though it rounds. *)
Theorem named_networks_are_right :
  (forall p F net, In p [Loop; Delta] -> In F [binary32; binary16; bfloat16] -> In net [parity;
      permutations_of_three; ends_in_abb] ->
     right_at_every_length p F net) /\
  right_at_every_length Loop bfloat16 turns_of_five.
Proof.
split; [|apply accepted_is_right; vm_compute; reflexivity].
assert (forallb (fun p => forallb (fun F => forallb (is_accepted p F) [parity; permutations_of_three;
    ends_in_abb]) [binary32; binary16; bfloat16]) [Loop; Delta] = true)
  as all by (vm_compute; reflexivity).
intros p F net inp inF innet; apply accepted_is_right.
rewrite forallb_forall in all; specialize (all p inp).
rewrite forallb_forall in all; specialize (all F inF).
rewrite forallb_forall in all; exact (all net innet).
Qed.

(** ** False variants *)

(** (x, y) -> (y + 2^-9, y) from (1, 1): the sum is a number of binary32, and rounded to 1 in bfloat16. *)
Definition adds (codes : list (list Z)) (outputs : list (option N)) : stored_network :=
    StoredNetwork 1 (Automaton 2 [[1; 1]] 1 [])%N
  [StoredLayer [(1, 0); (1, 0)] [Transition [[(0, 0); (1, 0)]; [(0, 0); (1, 0)]] [(1, -9); (0,
      0)] (-9) codes None] [Letter 0 0 0 0]%N [outputs]].

(** The same stored numbers, right in a wider format, may be wrong in a narrower one that has them all. *)
Theorem not_right_whatever_is_stored : ~ forall p net,
  right_at_every_length p binary32 net -> forallb (layer_is_stored bfloat16) (stored_layers net) = true ->
      right_at_every_length p bfloat16 net.
Proof.
intros variant; pose (net := adds [[512; 512]; [513; 512]] [Some 0; Some 1]%N).
assert (right_at_every_length Loop bfloat16 net) as wrong.
  apply variant; [apply accepted_is_right; vm_compute; reflexivity|vm_compute; reflexivity].
destruct (wrong [0%N]) as (qs & run & seen); [repeat constructor|].
vm_compute in run, seen; congruence.
Qed.

(** What is right at every length may round. *)
Theorem not_right_networks_never_round : ~ forall p F net found, stored_is_right p F net found = true ->
    never_rounds p F net found = true.
Proof.
intros variant; pose (net := adds [[512; 512]] [Some 1%N]).
assert (never_rounds Loop bfloat16 net (stored_surveys Loop bfloat16 1000 net) = true) as never by (apply variant;
    vm_compute; reflexivity).
vm_compute in never; discriminate.
Qed.

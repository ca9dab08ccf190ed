(** * The checker on small networks, run by the kernel itself: what it takes, and what it refuses

    - [parity], of [keep] and [flip]: one unit that finds the parity;
    - [counter turning]: a complex unit that counts modulo 3 if it turns by a third of the circle;
          [turn], [half_root_3], [minus_half_root_3]: such a turn;
    - [plain q]: a rational number as an entry; [letters2], [unit_states], [decoder2], [parity_machine]:
          parts of these. *)

From Coq Require Import ZArith NArith QArith List.
From lemmata Require Import checker.
Import ListNotations.

Local Open Scope N_scope.

Definition plain (q : Q) : list Q := [q].

Notation "a # b" := (Qmake a b) (at level 55, no associativity).

(** ** Parity: one unit, 1 or -1; the letter 1 multiplies by -1, a reflection *)

Definition keep : affine (list Q) := Affine [[plain (1 # 1)]] [plain (0 # 1)] (Some []).
Definition flip : affine (list Q) :=
  Affine [[plain (-1 # 1)]] [plain (0 # 1)] (Some [Step [plain (1 # 1)] (2 # 1) (plain (2 # 1)) (plain (0 # 1))]).

Definition letters2 := [Letter 0 0 0 0; Letter 1 0 0 1].
Definition unit_states := [[plain (1 # 1)]; [plain (-1 # 1)]].
Definition decoder2 := [(0, 0, 0); (1, 0, 1); (0, 1, 0); (1, 1, 1)].
Definition parity_machine := Automaton 2 [[0; 1]; [1; 0]] 0 [1].

Definition parity := Network 1 2 parity_machine [Layer unit_states [keep; flip] letters2 decoder2].

Example parity_is_accepted : check parity = true.
Proof. vm_compute; reflexivity. Qed.

Example parity_runs :
  run 0%Q Qplus Qmult Qeq_bool (network_entries (fun p => hd 0%Q p) parity) [1; 0; 1; 1] = Some [1; 1; 0; 1].
Proof. vm_compute; reflexivity. Qed.

(** A wrong entry, a transition of another automaton, another start, a missing state, a
    missing entry of the decoder, a wrong output, two entries for one state and letter, a
    state that no word reaches, steps that are another map, another beta, an unknown state. *)
Example wrong_networks_are_rejected :
  map check
    [ Network 1 2 parity_machine
        [Layer unit_states [keep; Affine [[plain (1 # 2)]] [plain (0 # 1)] None] letters2 decoder2];
      Network 1 2 (Automaton 2 [[0; 1]; [1; 1]] 0 [1]) [Layer unit_states [keep; flip] letters2 decoder2];
      Network 1 2 (Automaton 2 [[0; 1]; [1; 0]] 1 [1]) [Layer unit_states [keep; flip] letters2 decoder2];
      Network 1 2 parity_machine [Layer [[plain (1 # 1)]] [keep; flip] letters2 decoder2];
      Network 1 2 parity_machine [Layer unit_states [keep; flip] letters2 (tl decoder2)];
      Network 1 2 parity_machine [Layer unit_states [keep; flip] letters2 [(0, 0, 0); (1, 0, 1); (0, 1, 0); (1, 1, 0)]];
      Network 1 2 parity_machine [Layer unit_states [keep; flip] letters2 ((0, 0, 0) :: decoder2)];
      Network 1 2 parity_machine [Layer (unit_states ++ [[plain (3 # 1)]]) [keep; flip] letters2 decoder2];
      Network 1 2 parity_machine
        [Layer unit_states [keep; Affine (matrix flip) (offset flip) (Some [])] letters2 decoder2];
      Network 1 2 parity_machine
        [Layer unit_states
          [keep; Affine (matrix flip) (offset flip)
                   (Some [Step [plain (1 # 1)] (1 # 1) (plain (2 # 1)) (plain (0 # 1))])] letters2 decoder2];
      Network 1 2 (Automaton 2 [[0; 1]; [1; 0]] 0 [2]) [Layer unit_states [keep; flip] letters2 decoder2] ]
  = repeat false 11.
Proof. vm_compute; reflexivity. Qed.

(** ** Counting modulo 3: the rotation by 120 degrees, in Q(zeta_12), where sqrt 3 / 2 = zeta - zeta^3 / 2 *)

Example cyclotomic_12 : cyclotomic 12 = Some [1%Z; 0%Z; (-1)%Z; 0%Z; 1%Z].
Proof. vm_compute; reflexivity. Qed.

Definition half_root_3 : list Q := [0 # 1; 1 # 1; 0 # 1; -1 # 2].
Definition minus_half_root_3 : list Q := [0 # 1; -1 # 1; 0 # 1; 1 # 2].

Definition turn (sine minus_sine : list Q) : affine (list Q) :=
  Affine [[plain (-1 # 2); minus_sine]; [sine; plain (-1 # 2)]] [[]; []] None.

Definition counter (turning : affine (list Q)) := Network 12 1 (Automaton 3 [[1; 2; 0]] 0 [0])
  [Layer
    [[plain (1 # 1); []]; [plain (-1 # 2); half_root_3]; [plain (-1 # 2); minus_half_root_3]] [turning] [Letter 0 0 0 0]
         [(1, 0, 1); (2, 0, 2); (0, 0, 0)]].

Example counter_is_accepted : check (counter (turn half_root_3 minus_half_root_3)) = true.
Proof. vm_compute; reflexivity. Qed.

(** Turning the other way, or not by a rotation, is rejected. *)
Example wrong_counters_are_rejected :
  check (counter (turn minus_half_root_3 half_root_3)) = false /\
  check (counter (turn half_root_3 half_root_3)) = false.
Proof. vm_compute; split; reflexivity. Qed.

(** * Stacks of layers whose states are numbers of any kind: closed under all walks, hence right at every length

    Definitions: [machine], a layer by its functions; [machines_output], what a stack does; [survey], [go_through],
        what is reached; [is_closed], what is
    checked of the result; [stack_is_closed]. Lemma [closed_stacks_are_right]: a closed stack outputs the automaton's
        states, after every word. *)

From Coq Require Import ZArith NArith List Bool FMapPositive Lia.
From lemmata Require Import checker checker_sound.
Import ListNotations.

Set Implicit Arguments.

Section Closure.

Variable S : Type.
Variables (same : S -> S -> bool) (bucket_of : S -> positive).

(** [go f h] is the state after the map f, [tell f h] the number of the code that is read there,
    [hands_on y k] what is handed on after the letter y. *)
Record machine := Machine
  { begins : S; go : N -> S -> option S; tell : N -> S -> option N; reading : list letter; hands_on : N -> N ->
      option N }.

(** ** What a stack does *)

Definition machine_step (M : machine) (h : S) (y : N) : option (S * N) :=
  match at_ (reading M) y with
  | None => None
  | Some l =>
    match go M (uses l) h with
    | None => None
    | Some h' =>
      match tell M (uses l) h' with
      | None => None
      | Some k => option_map (pair h') (hands_on M y k)
      end
    end
  end.

Fixpoint machines_step (Ms : list machine) (hs : list S) (y : N) : option (list S * N) :=
  match Ms, hs with
  | [], [] => Some ([], y)
  | M :: Ms', h :: hs' =>
    match machine_step M h y with
    | None => None
    | Some (h', z) => option_map (fun up => (h' :: fst up, snd up)) (machines_step Ms' hs' z)
    end
  | _, _ => None
  end.

Fixpoint machines_output (Ms : list machine) (hs : list S) (word : list N) : option (list N) :=
  match word with
  | [] => Some []
  | x :: word' =>
    match machines_step Ms hs x with
    | None => None
    | Some (hs', q) => option_map (cons q) (machines_output Ms hs' word')
    end
  end.

(** ** Search, on which nothing depends *)

(** Why a layer is not closed: a state has no successor, or no code that is strictly nearest;
    something else is handed on than the exact network
    does; or there are too many states. *)
Inductive trouble := NoSuccessor | NoNearest | WrongCode | TooMany.

(** Pairs (place, state) that wait; states by number, and their numbers by bucket; (state, map) -> state; (state,
    map) -> code;
    (place, state) -> place above; and (trouble, state, letter). *)
Record survey := Survey
  { pending : list (N * N); postponed : list (N * N); known_states : N; listed : map1 S;
      numbers : PositiveMap.t (list (S * N)); moved_to : map1 (map1 N);
    told : map1 (map1 N); placed_at : map1 (map1 N); troubled : option (trouble * N * N) }.

Definition survey_start (h : S) (root : N) : survey :=
  let b := bucket_of h in
  Survey [(0, 0)%N] [] 1 (PositiveMap.add (key 0) h (PositiveMap.empty S)) (PositiveMap.add b [(h,
      0%N)] (PositiveMap.empty _)) (empty2 N) (empty2 N)
    (put2 (empty2 N) 0 0 root) None.

Definition in_trouble (why : trouble) (i y : N) (s : survey) : survey :=
  Survey (pending s) (postponed s) (known_states s) (listed s) (numbers s) (moved_to s) (told s) (placed_at s) (Some
      (why, i, y)).

(** The state after a map, by number. *)
Definition moving (M : machine) (i f : N) (s : survey) : option (N * survey) :=
  match get2 (moved_to s) i f with
  | Some j => Some (j, s)
  | None =>
    match get (listed s) i with
    | None => None
    | Some h =>
      match go M f h with
      | None => None
      | Some h' =>
        let b := bucket_of h' in
        let others := match PositiveMap.find b (numbers s) with Some l => l | None => [] end in
        match find (fun gj => same (fst gj) h') others with
        | Some (_, j) =>
          Some (j, Survey (pending s) (postponed s) (known_states s) (listed s) (numbers s) (put2 (moved_to s) i f j)
              (told s) (placed_at s) (troubled s))
        | None =>
          let j := known_states s in
          Some (j, Survey (pending s) (postponed s) (N.succ j) (PositiveMap.add (key j) h' (listed s))
              (PositiveMap.add b ((h', j) :: others) (numbers s))
            (put2 (moved_to s) i f j) (told s) (placed_at s) (troubled s))
        end
      end
    end
  end.

Definition telling (M : machine) (j f : N) (s : survey) : option (N * survey) :=
  match get2 (told s) j f with
  | Some k => Some (k, s)
  | None =>
    match get (listed s) j with
    | None => None
    | Some h =>
      option_map (fun k =>
        (k, Survey (pending s) (postponed s) (known_states s) (listed s) (numbers s) (moved_to s) (put2 (told s) j f
            k) (placed_at s) (troubled s))) (tell M f h)
    end
  end.

Definition look (M : machine) (hand : N -> N -> N -> option N) (i t : N) (s : survey) (yl : N * letter) : survey :=
  let '(y, l) := yl in
  match troubled s with
  | Some _ => s
  | None =>
    match moving M i (uses l) s with
    | None => in_trouble NoSuccessor i y s
    | Some (j, s') =>
      match telling M j (uses l) s' with
      | None => in_trouble NoNearest i y s'
      | Some (k, s'') =>
        match match hands_on M y k with Some z => hand (reads l) t z | None => None end with
        | None => in_trouble WrongCode i y s''
        | Some t' =>
          match get2 (placed_at s'') (after l) j with
          | Some t'' => if N.eqb t' t'' then s'' else in_trouble WrongCode i y s''
          | None =>
            Survey (pending s'') ((after l, j) :: postponed s'') (known_states s'') (listed s'') (numbers s'')
                (moved_to s'') (told s'')
              (put2 (placed_at s'') (after l) j t') (troubled s'')
          end
        end
      end
    end
  end.

Definition leaving_from (ls : list letter) : map1 (list (N * letter)) :=
  fold_left (fun m yl =>
    let k := key (before (snd yl)) in
    PositiveMap.add k (yl :: match PositiveMap.find k m with Some l => l | None =>
        [] end) m) (rev (numbered 0 ls)) (PositiveMap.empty _).

(** The first come first; the fuel pays for pairs of a place and a state. *)
Fixpoint go_through (M : machine) (hand : N -> N -> N ->
    option N) (out : map1 (list (N * letter))) (most : N) (fuel : nat) (s : survey) : survey :=
  match troubled s, fuel with
  | Some _, _ => s
  | None, O => in_trouble TooMany 0 0 s
  | None, Datatypes.S fuel' =>
    match pending s with
    | [] =>
      match postponed s with
      | [] => s
      | again => go_through M hand out most fuel' (Survey (rev again) [] (known_states s) (listed s) (numbers s)
          (moved_to s) (told s) (placed_at s) None)
      end
    | (p, i) :: rest =>
      if N.ltb most (known_states s) then in_trouble TooMany i 0 s else
      let s' := Survey rest (postponed s) (known_states s) (listed s) (numbers s) (moved_to s) (told s) (placed_at s)
          None in
      match get2 (placed_at s) p i with
      | None => in_trouble TooMany i 0 s
      | Some t => go_through M hand out most fuel' (fold_left (look M hand i t) (match get out p with Some l =>
          l | None => [] end) s')
      end
    end
  end.

(** ** What is checked of the result *)

Definition move_right (M : machine) (s : survey) (i f j : N) : bool :=
  match get (listed s) i, get (listed s) j with
  | Some h, Some h' => match go M f h with Some g => same g h' | None => false end
  | _, _ => false
  end.

Definition telling_right (M : machine) (s : survey) (j f k : N) : bool :=
  match get (listed s) j with
  | Some h => match tell M f h with Some k' => N.eqb k' k | None => false end
  | None => false
  end.

Definition arrow_right (M : machine) (hand : N -> N -> N ->
    option N) (s : survey) (y : N) (l : letter) (i t : N) : bool :=
  match get2 (moved_to s) i (uses l) with
  | None => false
  | Some j =>
    match get2 (told s) j (uses l) with
    | None => false
    | Some k =>
      match hands_on M y k with
      | None => false
      | Some z =>
        match hand (reads l) t z, get2 (placed_at s) (after l) j with
        | Some t', Some t'' => N.eqb t' t''
        | _, _ => false
        end
      end
    end
  end.

Definition is_closed (M : machine) (hand : N -> N -> N -> option N) (root : N) (s : survey) : bool :=
  match get (listed s) 0 with Some h => same (begins M) h | None => false end &&
  match get2 (placed_at s) 0 0 with Some t => N.eqb t root | None => false end &&
  for_all2 (move_right M s) (moved_to s) &&
  for_all2 (telling_right M s) (told s) &&
  forallb (fun yl => for_all (arrow_right M hand s (fst yl) (snd yl)) (row_of (placed_at s) (before (snd yl))))
      (numbered 0 (reading M)).

Definition surveyed (most : N) (M : machine) (hand : N -> N -> N -> option N) (root : N) : survey :=
  go_through M hand (leaving_from (reading M)) most (N.to_nat (2 * most + 2)) (survey_start (begins M) root).

(** What is handed on is a letter of the layer above, or the automaton's state. *)
Definition hand_above (target : automaton) (above : list machine) : N -> N -> N -> option N :=
  match above with
  | [] => hand_to_machine target
  | M :: _ => hand_to_layer (array (reading M))
  end.

Definition root_above (target : automaton) (above : list machine) : N := match above with [] =>
    start target | _ :: _ => 0%N end.

(** For each layer what the survey found. *)
Fixpoint surveys (most : N) (target : automaton) (Ms : list machine) : list survey :=
  match Ms with
  | [] => []
  | M :: above => surveyed most M (hand_above target above) (root_above target above) :: surveys most target above
  end.

Fixpoint layers_are_closed (target : automaton) (Ms : list machine) (ss : list survey) : bool :=
  match Ms, ss with
  | [], [] => true
  | M :: above, s :: ss' => is_closed M (hand_above target above) (root_above target above) s &&
      layers_are_closed target above ss'
  | _, _ => false
  end.

(** The first layer reads the alphabet, and every state of the automaton has a successor for every letter. *)
Definition stack_is_closed (k : N) (target : automaton) (Ms : list machine) (ss : list survey) : bool :=
  automaton_is_total k target && match Ms with [] => false | M :: _ => reads_alphabet k (reading M) end &&
      layers_are_closed target Ms ss.

(** ** A closed stack is right *)

Hypothesis same_eq : forall g h, same g h = true -> g = h.

Variable target : automaton.

(** Each layer is in a listed state, at a place that tells the place of the layer above;
    above the last layer is the automaton's state. *)
Fixpoint in_step (Ms : list machine) (ss : list survey) (hs : list S) (p q : N) : Prop :=
  match Ms, ss, hs with
  | [], [], [] => p = q
  | _ :: Ms', s :: ss', h :: hs' => exists i t, get (listed s) i = Some h /\ get2 (placed_at s) p i = Some t /\
      in_step Ms' ss' hs' t q
  | _, _, _ => False
  end.

Lemma in_step_start Ms : forall ss, layers_are_closed target Ms ss = true ->
  in_step Ms ss (map begins Ms) (root_above target Ms) (start target).
Proof using same_eq.
clear bucket_of.
induction Ms as [|M Ms IH]; intros [|s ss]; simpl; try discriminate; [reflexivity|].
rewrite andb_true_iff; unfold is_closed; rewrite !andb_true_iff;
    intros [[[[[first_right root_right] _] _] _] later_right].
exists 0%N, (root_above target Ms); destruct (get (listed s) 0) as [h|]; [|discriminate].
apply same_eq in first_right; rewrite first_right; split; [reflexivity|]; split; [|apply IH, later_right].
destruct (get2 (placed_at s) 0 0) as [t|]; [|discriminate].
apply N.eqb_eq in root_right; rewrite root_right; reflexivity.
Qed.

(** What is handed on leads from place to place above as the letter says. *)
Lemma machines_in_step Ms : forall ss hs p q y x, layers_are_closed target Ms ss = true -> in_step Ms ss hs p q ->
  match Ms with
  | [] => next target x q = Some y
  | M :: _ => exists l, at_ (reading M) y = Some l /\ reads l = x /\ before l = p
  end ->
  exists hs' q', machines_step Ms hs y = Some (hs', q') /\ next target x q = Some q' /\
    in_step Ms ss hs' match Ms with [] => y | M :: _ => match at_ (reading M) y with Some l => after l | None =>
        0%N end end q'.
Proof using same_eq.
clear bucket_of.
induction Ms as [|M Ms IH]; intros [|s ss] [|h hs] p q y x; simpl; try discriminate; try tauto.
  intros _ <- e; exists [], y; rewrite e; repeat split; reflexivity.
rewrite andb_true_iff; unfold is_closed; rewrite !andb_true_iff;
    intros [[[[_ moves_right] told_right] arrows_right] later_right].
intros (i & t & listed_i & placed & up) (l & at_y & <- & <-); rewrite at_y.
rewrite forallb_forall in arrows_right; specialize (arrows_right _ (at_numbered _ _ at_y)); simpl in arrows_right.
pose proof (for_all_row _ _ _ _ arrows_right placed) as arrow; unfold arrow_right in arrow.
destruct (get2 (moved_to s) i (uses l)) as [j|] eqn:moved_j; [|discriminate].
destruct (get2 (told s) j (uses l)) as [k|] eqn:told_k; [|discriminate].
destruct (hands_on M y k) as [z|] eqn:handed_z; [|discriminate].
destruct (hand_above target Ms (reads l) t z) as [t'|] eqn:hand_t; [|discriminate].
destruct (get2 (placed_at s) (after l) j) as [t''|] eqn:placed'; [|discriminate].
apply N.eqb_eq in arrow; subst t''.
pose proof (for_all2_get _ _ _ _ moves_right moved_j) as move; unfold move_right in move; rewrite listed_i in move.
destruct (get (listed s) j) as [h'|] eqn:listed_j; [|discriminate].
destruct (go M (uses l) h) as [g|] eqn:gone; [|discriminate].
apply same_eq in move; subst g.
pose proof (for_all2_get _ _ _ _ told_right told_k) as tells; unfold telling_right in tells; rewrite listed_j in tells.
destruct (tell M (uses l) h') as [k'|] eqn:tell_k; [|discriminate].
apply N.eqb_eq in tells; subst k'.
unfold machine_step; rewrite at_y, gone, tell_k, handed_z; simpl.
destruct (IH ss hs t q z (reads l) later_right up) as (hs' & q' & step & is_next & up').
  destruct Ms as [|M' Ms']; simpl in hand_t.
    unfold hand_to_machine in hand_t; destruct ss, hs; simpl in up; try tauto; subst t.
    destruct (next target (reads l) q) as [q'|]; [|discriminate].
    destruct (N.eqb_spec q' z); [congruence|discriminate].
  unfold hand_to_layer in hand_t; rewrite get_array in hand_t; destruct (at_ (reading M') z) as [l'|]; [|discriminate].
  destruct (N.eqb_spec (reads l') (reads l)), (N.eqb_spec (before l') t); try discriminate; exists l'; auto.
exists (h' :: hs'), q'; rewrite step; simpl; repeat split; [assumption|].
exists j, t'; repeat split; [assumption|assumption|].
replace t' with (match Ms with [] => z | M' :: _ => match at_ (reading M') z with Some l' => after l' | None =>
    0%N end end); [exact up'|].
destruct Ms as [|M' Ms']; simpl in hand_t.
  unfold hand_to_machine in hand_t; destruct (next target (reads l) t); [|discriminate].
  destruct (N.eqb_spec n z); [congruence|discriminate].
unfold hand_to_layer in hand_t; rewrite get_array in hand_t; destruct (at_ (reading M') z) as [l'|]; [|discriminate].
destruct (N.eqb (reads l') (reads l) && N.eqb (before l') t)%bool; [congruence|discriminate].
Qed.

Lemma closed_stacks_are_right k Ms ss : stack_is_closed k target Ms ss = true ->
  forall word, Forall (fun x => (x < k)%N) word ->
  exists qs, machines_output Ms (map begins Ms) word = Some qs /\ visited target (start target) word = Some qs.
Proof using same_eq.
clear bucket_of.
unfold stack_is_closed; rewrite !andb_true_iff; intros [[_ alphabet] all_closed].
destruct Ms as [|M Ms]; [discriminate|].
unfold reads_alphabet in alphabet; rewrite andb_true_iff in alphabet; destruct alphabet as [how_long letters_right].
intros word valid; pose proof (in_step_start _ _ all_closed) as start_right;
    change (root_above target (M :: Ms)) with 0%N in start_right.
revert start_right; generalize (map begins (M :: Ms)) as hs; generalize (start target) as q;
    induction valid as [|x word small _ IH]; intros q hs inv.
  exists []; split; reflexivity.
assert (exists l, at_ (reading M) x = Some l /\ reads l = x /\ before l = 0%N /\
    after l = 0%N) as (l & at_x & reads_x & before_x & after_x).
  unfold long in how_long; apply N.eqb_eq in how_long.
  destruct (at_ (reading M) x) as [l|] eqn:at_x; [|unfold at_ in at_x; apply nth_error_None in at_x; lia].
  exists l; split; [reflexivity|].
  rewrite forallb_forall in letters_right; specialize (letters_right _ (at_numbered _ _ at_x)); simpl in letters_right.
  rewrite !andb_true_iff, !N.eqb_eq in letters_right; tauto.
destruct (@machines_in_step (M :: Ms) ss hs 0%N q x x all_closed inv) as (hs' & q' & step & is_next & inv').
  exists l; auto.
simpl in inv'; rewrite at_x, after_x in inv'.
destruct (IH q' hs' inv') as (qs & out & seen).
exists (q' :: qs); change (machines_output (M :: Ms) hs (x :: word)) with
  (match machines_step (M :: Ms) hs x with None => None | Some (hs'', q'') =>
      option_map (cons q'') (machines_output (M :: Ms) hs'' word) end).
rewrite step, out; simpl; rewrite is_next, seen; split; reflexivity.
Qed.

End Closure.

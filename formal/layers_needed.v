(** * How many layers of norm at most 1 an automaton needs: n - 1 for all maps of n points

    New, beside grazzi25, Sec. 4.3. Stacks of layers with finitely many exact states, each of norm at most 1 in an
    inner product of its own. After a product z of words that are idempotent in the syntactic monoid, the lowest layer
    does not tell apart the words u z, u any product of the same words: what is left for the layers above is the
    automaton with the letters u z. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import zify.
From lemmata Require Import models householder classes automata layers_of_norm_one.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** Stacks *)

Section Tower.

Variable F : realFieldType.

(** Layers of the given widths, the lowest first. A layer reads the letter and the states before the letter of all
    layers below it: with the letter these give the states after it, too. *)
Fixpoint tower (ws : seq nat) (X : Type) : Type :=
  if ws is m :: ws' then (normed_layer F m X * tower ws' ('cV[F]_m * X))%type else unit.

Fixpoint states (ws : seq nat) : Type := if ws is m :: ws' then ('cV[F]_m * states ws')%type else unit.

Fixpoint tower_step ws X : tower ws X -> states ws -> X -> states ws :=
  match ws with
  | [::] => fun _ r _ => r
  | m :: ws' => fun s r x => (move s.1 r.1 x, tower_step s.2 r.2 (r.1, x))
  end.

(** The states after a word. *)
Notation tower_after s := (state (tower_step s)).

Fixpoint contracting_tower ws X : tower ws X -> Prop :=
  match ws with
  | [::] => fun _ => True
  | m :: ws' => fun s => norm_at_most_one s.1 /\ contracting_tower s.2
  end.

(** Each layer's state stays in a finite set. *)
Fixpoint stay ws I : (I -> states ws) -> Prop :=
  match ws with
  | [::] => fun _ => True
  | m :: ws' => fun r => (exists s : seq 'cV[F]_m, forall i, (r i).1 \in s) /\ stay (fun i => (r i).2)
  end.

Definition finite_tower ws X (s : tower ws X) r := stay (tower_after s r).

Lemma stay_reindexed ws I J (r : I -> states ws) (r' : J -> states ws) (g : J -> I) : (forall j, r' j = r (g j)) ->
  stay r -> stay r'.
Proof.
elim: ws I J r r' g => // m ws IH I J r r' g e /= [[s fin] up]; split; first by exists s => j; rewrite e.
by apply: IH up => j; rewrite e.
Qed.

(** What the layers above the lowest one read of a word. *)
Fixpoint trace m X (l : normed_layer F m X) h (w : seq X) : seq ('cV[F]_m * X) :=
  if w is x :: w' then (h, x) :: trace l (move l h x) w' else [::].

Lemma trace_cat m X (l : normed_layer F m X) h v w : trace l h (v ++ w) = trace l h v ++ trace l (after l h v) w.
Proof. by elim: v h => //= x v IH h; rewrite IH. Qed.

Lemma tower_after_layers m ws X (l : normed_layer F m X) (up : tower ws ('cV[F]_m * X)) h r w :
  tower_after ((l, up) : tower (m :: ws) X) (h, r) w = (after l h w, tower_after up r (trace l h w)).
Proof. by elim: w h r => // x w IH h r; apply: IH. Qed.

(** The stack that reads a word at once for each of its letters. *)
Fixpoint by_words ws X I (f : I -> seq X) : tower ws X -> tower ws I :=
  match ws with
  | [::] => fun _ => tt
  | m :: ws' => fun s => (layer_by_words s.1 f, by_words (fun hi => trace s.1 hi.1 (f hi.2)) s.2)
  end.

Lemma step_by_words ws X I (f : I -> seq X) (s : tower ws X) r i :
  tower_step (by_words f s) r i = tower_after s r (f i).
Proof.
elim: ws X I f s r i => [|m ws IH] X I f s r i; first by case: r; case: (tower_after _ _ _).
case: s r => l up [h r]; rewrite tower_after_layers /= move_by_words; congr (_, _).
exact: IH.
Qed.

Lemma tower_after_by_words ws X I (f : I -> seq X) (s : tower ws X) r v :
  tower_after (by_words f s) r v = tower_after s r (flatten (map f v)).
Proof. by elim: v r => // i v IH r; rewrite [flatten _]/= state_cat -(step_by_words f) -IH. Qed.

Lemma contracting_by_words ws X I (f : I -> seq X) (s : tower ws X) : contracting_tower s ->
  contracting_tower (by_words f s).
Proof. by elim: ws X I f s => // m ws IH X I f [l up] /= [norm1 cup]; split; [apply: norm_by_words | apply: IH]. Qed.

Lemma finite_by_words ws X I (f : I -> seq X) (s : tower ws X) r : finite_tower s r -> finite_tower (by_words f s) r.
Proof. by apply: stay_reindexed => v; rewrite tower_after_by_words. Qed.

(** What it decodes, if no word is empty. *)
Definition read ws X O (s : tower ws X) (D : states ws -> states ws -> X -> O) (o : O) r (w : seq X) : O :=
  if w is x :: w' then D (tower_after s r (belast x w')) (tower_after s r w) (last x w') else o.

Lemma readE ws X O (s : tower ws X) D r0 (value : seq X -> O) o v w :
  (forall w x, D (tower_after s r0 w) (tower_after s r0 (rcons w x)) x = value (rcons w x)) -> ~~ nilp w ->
    read s D o (tower_after s r0 v) w = value (v ++ w).
Proof. by case: w => // x w DE _; rewrite /read lastI -!state_cat -rcons_cat DE. Qed.

Lemma decodes_by_words ws X O I (f : I -> seq X) (s : tower ws X) r (value : seq X -> O) :
  (forall i, ~~ nilp (f i)) -> recognises (tower_step s) r value ->
    recognises (tower_step (by_words f s)) r (fun v => value (flatten (map f v))).
Proof.
move=> f0 [D DE]; exists (fun q _ i => read s D (value [::]) q (f i)) => v i.
by rewrite tower_after_by_words (readE _ _ DE) // map_rcons flatten_rcons.
Qed.

(** ** One step *)

(** The lowest layer stays where z has led it, and the layers above it decode what u z does. *)
Theorem one_step m ws X O (s : tower (m :: ws) X) r (value : seq X -> O)
    (J : eqType) (f : J -> seq X) (z : seq J) I (g : I -> seq J) :
  contracting_tower s -> finite_tower s r -> recognises (tower_step s) r value ->
  (forall j, j \in z -> syntactically_idempotent value (f j)) -> ~~ nilp (spelled f z) ->
  (forall i, {subset g i <= z}) ->
  exists (t : tower ws I) (r' : states ws),
    [/\ contracting_tower t, finite_tower t r' &
        recognises (tower_step t) r' (fun v => value (spelled f z ++ flatten [seq spelled f (g i ++ z) | i <- v]))].
Proof.
case: s r => l up [h0 r0] cs finite [D DE] iz z0 sub; have [/= norm1 cup] := cs.
have [[S finS] _] := finite; have {}finS w : after l h0 w \in S by have := finS w; rewrite tower_after_layers.
have [n nE] : exists n, (size S)`! = n.+1 by case: (size S)`! (fact_gt0 (size S)) => // n _; exists n.
pose f' j := repeated n.+1 (f j); pose W := spelled f'.
have W0 : ~~ nilp (W z).
  apply: contra z0; rewrite /W /spelled; elim: z {iz sub} => //= j z IH; rewrite !cat_nilp.
  by case/andP=> /andP[-> _] /IH.
(* where z leads the lowest layer, and that it does not leave it *)
pose p := after l h0 (W z); pose word i := W (g i) ++ W z.
have absorbs u w : {subset u <= z} -> after l (after l h0 w) (W u ++ W z) = after l (after l h0 w) (W z).
  by move=> uz; apply: (products_of_idempotent_words norm1 finS uz) => j v _; rewrite /f' -nE;
    apply: repeated_idempotent.
have stays i : after l p (word i) = p.
  by rewrite absorbs // -after_cat; apply: (absorbs z [::]).
have stays_all v : after l p (flatten (map word v)) = p by elim: v => // i v IH; rewrite [flatten _]/= after_cat stays.
have traces v : trace l p (flatten (map word v)) = flatten [seq trace l p (word i) | i <- v].
  by elim: v => // i v IH; rewrite [flatten _]/= trace_cat stays IH.
pose t := by_words (fun i => trace l p (word i)) up; pose r' := tower_after up r0 (trace l h0 (W z)).
have runs v :
    tower_after ((l, up) : tower (m :: ws) X) (h0, r0) (W z ++ flatten (map word v)) = (p, tower_after t r' v).
  by rewrite tower_after_layers after_cat -/p stays_all trace_cat traces state_cat -/r' tower_after_by_words.
have cat_z i : spelled f (g i ++ z) = spelled f (g i) ++ spelled f z by rewrite /spelled map_cat flatten_cat.
have powers u q r : {subset u <= z} -> value (q ++ W u ++ r) = value (q ++ spelled f u ++ r).
  by move=> uz; apply: value_spelled => j /uz; apply: iz.
have same v q : value (q ++ flatten (map word v)) = value (q ++ flatten [seq spelled f (g i ++ z) | i <- v]).
  elim: v q => // i v IH q; rewrite !map_cons [flatten _]/= [flatten (_ :: _)]/= cat_z /word.
  rewrite -(catA (W (g i))) powers // (catA q) powers // (catA _ (spelled f z)) IH -!catA.
  by [].
exists t, r'; split; first exact: contracting_by_words.
  by apply: (stay_reindexed (g := fun v => W z ++ flatten (map word v))) finite.2 => v; rewrite runs.
exists (fun q _ i => read ((l, up) : tower (m :: ws) X) D (value [::]) (p, q) (word i)) => v i.
rewrite -runs (readE _ _ DE); last by move: W0; rewrite /word /nilp size_cat; case: (size (W z)) => // k _;
  rewrite addnS.
by rewrite -catA -flatten_rcons -map_rcons (powers z [::]) //=; apply: same.
Qed.

Lemma decodes_after ws X O O' (s : tower ws X) r (value : seq X -> O) (h : O -> O') (value' : seq X -> O') :
  (forall w, value' w = h (value w)) -> recognises (tower_step s) r value -> recognises (tower_step s) r value'.
Proof. by move=> e [D DE]; exists (fun p q x => h (D p q x)) => w x; rewrite DE e. Qed.

(** ** All maps of n + 1 points, and the order-preserving ones, need n layers

    The ladder has the points 0, ..., n; a letter lifts the point j to j + 1, or lowers j + 1 to j, or moves nothing. *)

Definition rung n := option ('I_n * bool).

Definition moved_to (b : bool) (j i : nat) : nat :=
  if b then (if i == j then j.+1 else i) else (if i == j.+1 then j else i).

Definition climb n (i : nat) (x : rung n) : nat := if x is Some (j, b) then moved_to b j i else i.

Lemma climb_twice n i (x : rung n) : climb (climb i x) x = climb i x.
Proof. by case: x => [[j []]|] //=; case: (i =P _) => [_|/eqP/negPf ->] //;
  rewrite ?eqxx // ?(gtn_eqF (ltnSn _)) ?(ltn_eqF (ltnSn _)). Qed.

Lemma climb_le n i (x : rung n) : (i <= n)%N -> (climb i x <= n)%N.
Proof. by case: x => [[j b]|] //= i_n; rewrite /moved_to; case: b; case: eqP => // _; rewrite ltnW. Qed.

Lemma climbs_le n i (w : seq (rung n)) : (i <= n)%N -> (state (@climb n) i w <= n)%N.
Proof. by elim: w i => // x w IH i i_n; apply: IH; apply: climb_le. Qed.

(** Lift the points from the top on, then lower them from the bottom on: the highest point meets the one below it, the
    others come back. *)
Definition topple n : seq (rung n) :=
  [seq Some (j, true) | j <- rev (enum 'I_n)] ++ [seq Some (j, false) | j <- enum 'I_n].

Lemma lifts k i : state (fun i j => moved_to true j i) i (rev (iota 0 k)) = if (i < k)%N then i.+1 else i.
Proof.
elim: k i => // k IH i; rewrite -addn1 iotaD cats1 rev_rcons /= add0n IH /moved_to.
by case: eqP => ?; case: ifP => ?; case: ifP => ?; lia.
Qed.

Lemma lowers k i : state (fun i j => moved_to false j i) i (iota 0 k) = if (0 < i <= k)%N then i.-1 else i.
Proof.
elim: k i => [|k IH] i; first by case: i.
rewrite -addn1 iotaD cats1 state_rcons IH /= add0n /moved_to.
by case: (boolP (0 < i <= k)%N) => ?; case: ifP => ?; case: ifP => ?; lia.
Qed.

Lemma climb_all n b i (js : seq 'I_n) :
  state (@climb n) i [seq Some (j, b) | j <- js] = state (fun i j => moved_to b j i) i (map val js).
Proof. by elim: js i => //= j js IH i; rewrite IH. Qed.

Lemma toppleE n i : (i <= n.+1)%N -> state (@climb n.+1) i (topple n.+1) = if i == n.+1 then n else i.
Proof.
move=> i_n; rewrite state_cat !climb_all map_rev val_enum_ord lifts lowers.
by case: (ltnP i n.+1) => ?; case: ifP => ?; case: eqP => ?; lia.
Qed.

Lemma topple_complete n j b : Some (j, b) \in topple n.
Proof. by rewrite mem_cat; case: b; [rewrite map_f // mem_rev mem_enum | rewrite orbC map_f // mem_enum]. Qed.

(** Without a layer the last letter is all that is known. *)
Lemma ladder_needs_a_layer n (s : tower [::] (rung n.+1)) r q0 : (q0 <= n.+1)%N ->
  ~ recognises (tower_step s) r (state (@climb n.+1) q0).
Proof.
move=> q0n; case: r => -[D DE].
have [x xq] : exists x, climb q0 (x : rung n.+1) != q0.
  case: q0 q0n {DE} => [|q] qn; first by exists (Some (ord0, true)).
  by exists (Some (Ordinal qn, false)); rewrite /= eqxx ltn_eqF.
have := DE [:: x] None; have := DE [:: None] None; rewrite /state /= => -> /eqP.
by rewrite eq_sym (negPf xq).
Qed.

Lemma ladders_need_layers n ws (s : tower ws (rung n)) r q0 :
  (q0 <= n)%N -> contracting_tower s -> finite_tower s r -> recognises (tower_step s) r (state (@climb n) q0) ->
    (n <= size ws)%N.
Proof.
elim: n ws s r q0 => // n IH [|m ws] s r q0 q0n cs fs ds; first by case: (ladder_needs_a_layer q0n ds).
pose up (i : rung n) : seq (rung n.+1) := if i is Some (j, b) then [:: Some (widen_ord (leqnSn n) j, b)] else [::].
have spell (w : seq (rung n.+1)) : spelled (fun x => [:: x]) w = w by elim: w => // x w IHw;
  rewrite /spelled /= -/(spelled _ w) IHw.
have [||i|t [r' [ct ft dt]]] := @one_step _ _ _ _ s r _ _ (fun x => [:: x]) (topple n.+1) _ up cs fs ds.
- by move=> x _ p q; rewrite !state_cat /= climb_twice.
- by rewrite spell /topple /nilp size_cat !size_map size_rev size_enum_ord.
- by case: i => [[j b]|] // x; rewrite inE => /eqP ->; apply: topple_complete.
pose q1 := state (@climb n.+1) q0 (topple n.+1).
have q1n : (q1 <= n)%N by rewrite /q1 toppleE //; case: (ltngtP q0 n.+1) q0n.
apply: (IH ws t r' q1) => //; apply: (decodes_after (h := id)) dt => v.
rewrite spell state_cat -/q1; elim: v q1 q1n => // i v IHv q qn; rewrite [flatten _]/= state_cat spell state_cat /=.
have climb_up : state (@climb n.+1) q (up i) = climb q i by case: i => [[j b]|].
have le := climb_le i qn; rewrite climb_up toppleE; last exact: leqW.
by rewrite ltn_eqF ?ltnS // IHv.
Qed.

End Tower.

Notation tower_after s := (state (tower_step s)).

Section Exactly.

Variable F : realFieldType.

(** The maps i -> i + 1 and i -> i - 1 of one point that fix the rest, and the identity: they generate the
    order-preserving maps. *)
Definition climber n (q : 'I_n.+1) (x : rung n) : 'I_n.+1 := inord (climb q x).

Lemma climberE n (q : 'I_n.+1) (w : seq (rung n)) : state (@climber n) q w = state (@climb n) q w :> nat.
Proof.
elim: w q => // x w IH q; rewrite /= IH inordK // ltnS climb_le //.
by rewrite -ltnS.
Qed.

Lemma order_preserving_maps_need_layers n ws (s : tower F ws (rung n)) r (q0 : 'I_n.+1) :
  contracting_tower s -> finite_tower s r -> recognises (tower_step s) r (state (@climber n) q0) -> (n <= size ws)%N.
Proof.
move=> cs fs ds; apply: (@ladders_need_layers F n ws s r q0) => //; first by rewrite -ltnS.
by apply: (decodes_after (h := val)) ds => w; rewrite -climberE.
Qed.

(** They are aperiodic: every word does n times what it does n + 1 times. *)
Theorem order_preserving_maps_are_aperiodic n (w : seq (rung n)) (q : 'I_n.+1) (f := fun q => state (@climber n) q w) :
  iter n.+1 f q = iter n f q.
Proof.
have mono (i j : 'I_n.+1) : (i <= j)%N -> (f i <= f j)%N.
  rewrite /f !climberE; elim: w (val i) (val j) {f} => //= x w IH {}i {}j ij; apply: IH.
  by case: x => [[k b]|] //=; rewrite /moved_to; case: b; case: eqP => ?; case: eqP => ?; lia.
apply/eqP/negPn/negP=> moves.
have strict k : (k <= n)%N -> iter k.+1 f q != iter k f q.
  move=> kn; apply: contra moves => /eqP e; have splits d : iter (n - k) f (iter (k + d) f q) = iter (n + d) f q.
    by rewrite -iterD addnA subnK.
  by have := splits 1%N; have := splits 0%N; rewrite !addn0 !addn1 e => -> ->.
have [up|down|/val_inj fq] := ltngtP q (f q); last by have := strict 0%N isT; rewrite /= -fq eqxx.
- suff far k : (k <= n.+1)%N -> (k <= iter k f q)%N by have := far n.+1 (leqnn _); rewrite leqNgt ltn_ord.
  have rises j : (iter j f q <= iter j.+1 f q)%N by elim: j => [|j IH]; [apply: ltnW | apply: mono].
  elim: k => // k IH kn; apply: leq_ltn_trans (IH (ltnW kn)) _.
  by rewrite ltn_neqAle rises andbT eq_sym; apply: strict.
suff far k : (k <= n.+1)%N -> (k + iter k f q <= n)%N.
  by have := far n.+1 (leqnn _); rewrite leqNgt addSn ltnS leq_addr.
have falls j : (iter j.+1 f q <= iter j f q)%N by elim: j => [|j IH]; [apply: ltnW | apply: mono].
elim: k => [_|k IH kn]; first by rewrite add0n -ltnS ltn_ord.
apply: leq_trans (IH (ltnW kn)); rewrite addSn ltn_add2l ltn_neqAle falls andbT; exact: strict.
Qed.

Lemma all_maps_need_layers n ws (s : tower F ws {ffun 'I_n.+1 -> 'I_n.+1}) r (q0 : 'I_n.+1) :
  contracting_tower s -> finite_tower s r ->
  recognises (tower_step s) r (state (fun q (g : {ffun 'I_n.+1 -> 'I_n.+1}) => g q) q0) -> (n <= size ws)%N.
Proof.
move=> cs fs ds; pose letter (x : rung n) := [:: [ffun q : 'I_n.+1 => climber q x]].
apply: (@order_preserving_maps_need_layers n ws (by_words letter s) r q0).
- exact: contracting_by_words.
- exact: finite_by_words.
apply: (decodes_after (h := id)) (decodes_by_words (f := letter) _ ds) => // w.
by elim: w q0 {ds} => // x w IH q0; rewrite /= IH ffunE.
Qed.

(** ** The upper half: the stacks of Theorem 4 *)

(** A stack that reads a function of the letter. *)
Fixpoint pulled ws X Y (g : X -> Y) : tower F ws Y -> tower F ws X :=
  match ws with
  | [::] => fun _ => tt
  | m :: ws' => fun s =>
      (Normed (gram s.1) (fun x => transition s.1 (g x)) (fun x => written s.1 (g x)),
       pulled (fun hx : 'cV[F]_m * X => (hx.1, g hx.2)) s.2)
  end.

Lemma step_pulled ws X Y (g : X -> Y) (s : tower F ws Y) r x : tower_step (pulled g s) r x = tower_step s r (g x).
Proof. by elim: ws X Y g s r x => // m ws IH X Y g [l up] [h r] x; rewrite /= IH. Qed.

Lemma tower_after_pulled ws X Y (g : X -> Y) (s : tower F ws Y) r w :
  tower_after (pulled g s) r w = tower_after s r (map g w).
Proof. by elim: w r => // x w IH r; rewrite [LHS]IH step_pulled. Qed.

Lemma contracting_pulled ws X Y (g : X -> Y) (s : tower F ws Y) : contracting_tower s -> contracting_tower (pulled g s).
Proof.
elim: ws X Y g s => // m ws IH X Y g [l up] /= [[ip cA] cup].
by split; [split=> // x; apply: cA | apply: IH].
Qed.

(** Every transition of a layer of width m is a product of m GH factors with eigenvalues in [-1, 1]. *)
Fixpoint gh_tower ws X : tower F ws X -> Prop :=
  match ws with
  | [::] => fun _ => True
  | m :: ws' => fun s => (forall x, gh_factors m (transition s.1 x)) /\ gh_tower s.2
  end.

Lemma gh_pulled ws X Y (g : X -> Y) (s : tower F ws Y) : gh_tower s -> gh_tower (pulled g s).
Proof. by elim: ws X Y g s => // m ws IH X Y g [l up] /= [gl gup]; split; [move=> x; apply: gl | apply: IH]. Qed.

Section Compiled.

Lemma gh_factors_contract m k (M : 'M[F]_m) : gh_factors k M -> contraction 1%:M M.
Proof. by case=> s cs [_ <-]; rewrite -[gh_product s]scale1r; apply: gated_products_are_contractions;
  rewrite ?normr1. Qed.

(** The layer of a level, and what the layers above it read. *)
Section Level.

Variables (X : Type) (m : nat) (act : X -> automata.move m) (q : 'I_m) (up : cascade (X * 'I_m)).

Definition normed_level : normed_layer F m X :=
  Normed 1%:M (fun x => automata.transition F (act x)) (fun x => automata.written F (act x)).

Definition read_above (hx : 'cV[F]_m * X) : X * 'I_m := (hx.2, before (act hx.2) q (move normed_level hx.1 hx.2)).

Notation level_states := (state (fun r x => cascade_step x r) (first (Level act q up))).
Notation h := (after normed_level (unit_vector F q)).

Lemma level_names w : names (level_states w).1 (h w).
Proof.
elim/last_ind: w => [|w x IH]; first by exists 0; rewrite scale0r addr0.
rewrite /after !state_rcons [move _ _ _]/step -/(h w) -/(automata.affine (act x) (h w)).
by rewrite (affine_names _ IH); apply: affine_moves.
Qed.

Lemma read_aboveE w x : read_above (h w, x) = (x, (level_states w).1).
Proof. by congr (_, _); apply: before_affine (level_names w). Qed.

Lemma states_above w :
  state (fun r x => cascade_step x r) (first up) (map read_above (trace normed_level (unit_vector F q) w)) =
  (level_states w).2.
Proof.
by elim/last_ind: w => // w x IH; rewrite -cats1 trace_cat map_cat state_cat IH /= read_aboveE state_cat.
Qed.

End Level.

Fixpoint tower_of X (c : cascade X) : tower F (sizes c) X :=
  match c return tower F (sizes c) X with
  | Done => tt
  | Level m act q up => (normed_level act, pulled (read_above act q) (tower_of up))
  end.

Fixpoint start X (c : cascade X) : states F (sizes c) :=
  match c return states F (sizes c) with
  | Done => tt
  | Level m act q up => (unit_vector F q, start up)
  end.

(** The last letter, and the states of all levels before it. *)
Fixpoint answer X (c : cascade X) : states F (sizes c) -> X -> X * automata.states c :=
  match c return states F (sizes c) -> X -> X * automata.states c with
  | Done => fun _ x => (x, tt)
  | Level m act q up => fun r x =>
      let y := answer r.2 (read_above act q (r.1, x)) in (y.1.1, (y.1.2, y.2))
  end.

Lemma answerE X (c : cascade X) w x :
  answer (tower_after (tower_of c) (start c) w) x = (x, state (fun r x => cascade_step x r) (first c) w).
Proof.
elim: c w x => [X' w x|X' m act q up IH w x]; first by case: (state _ _ w).
rewrite [tower_of _]/= [start _]/= tower_after_layers tower_after_pulled /= (read_aboveE _ _ up) IH states_above.
by case: (state _ _ w).
Qed.

Lemma compiled_contracts X (c : cascade X) : contracting_tower (tower_of c) /\ gh_tower (tower_of c).
Proof.
elim: c => // X' m act q up [cup gup]; split; split.
- by split=> [|x]; [apply: euclidean | apply: gh_factors_contract (transition_factors F (act x))].
- exact: contracting_pulled.
- by move=> x; apply: transition_factors.
exact: gh_pulled.
Qed.

Lemma finite_compiled X (c : cascade X) : finite_tower (tower_of c) (start c).
Proof.
elim: c => // X' m act q up fup; have [S fin] := level_finite F act q; split.
  exists (unit_vector F q :: S) => w; rewrite [tower_of _]/= tower_after_layers.
  case: w => [|x w]; first exact: mem_head.
  have -> : x :: w = mkseq (nth x (x :: w)) (size (x :: w)) by rewrite mkseq_nth.
  by rewrite inE; apply/orP; right; have := fin (nth x (x :: w)) (size (x :: w)); rewrite at_timeE.
apply: (stay_reindexed (g := fun w => map (read_above act q) (trace (normed_level act) (unit_vector F q) w))) fup => w.
by rewrite tower_after_layers tower_after_pulled.
Qed.

End Compiled.

(** n - 1 layers are enough for every automaton of n states, with finitely many exact states. *)
Theorem layers_enough (Q : finType) (L : Type) (delta : Q -> L -> Q) (q0 : Q) :
  exists ws (s : tower F ws L) r,
    [/\ ws = rev (iota 2 #|Q|.-1), gh_tower s, contracting_tower s, finite_tower s r &
      recognises (tower_step s) r (state delta q0)].
Proof.
have [c [W [sz W0 Wstep]]] := every_automaton_is_a_cascade delta q0; have [cs gt] := compiled_contracts c.
exists (sizes c), (tower_of c), (start c); split=> //; first exact: finite_compiled.
exists (fun r _ x => let y := answer r x in delta (W y.2) y.1) => w x; rewrite answerE state_rcons /=; congr delta.
by elim/last_ind: w => [|w y IH]; rewrite ?W0 // state_rcons Wstep IH state_rcons.
Qed.

(** Exactly n layers for all maps of n + 1 points ... *)
Theorem depth_of_all_maps n (q0 : 'I_n.+1) (maps := state (fun q (g : {ffun 'I_n.+1 -> 'I_n.+1}) => g q) q0) :
  (exists ws (s : tower F ws _) r,
    [/\ size ws = n, gh_tower s, contracting_tower s, finite_tower s r & recognises (tower_step s) r maps]) /\
  (forall ws (s : tower F ws _) r, contracting_tower s -> finite_tower s r -> recognises (tower_step s) r maps ->
    (n <= size ws)%N).
Proof.
split; last by move=> ws s r; apply: all_maps_need_layers.
have [ws [s [r [wsE gs cs fs ds]]]] := layers_enough (fun q (g : {ffun 'I_n.+1 -> 'I_n.+1}) => g q) q0.
by exists ws, s, r; split; rewrite // wsE card_ord size_rev size_iota.
Qed.

(** ... and for the order-preserving ones. *)
Theorem depth_of_order_preserving_maps n (q0 : 'I_n.+1) (maps := state (@climber n) q0) :
  (exists ws (s : tower F ws _) r,
    [/\ size ws = n, gh_tower s, contracting_tower s, finite_tower s r & recognises (tower_step s) r maps]) /\
  (forall ws (s : tower F ws _) r, contracting_tower s -> finite_tower s r -> recognises (tower_step s) r maps ->
    (n <= size ws)%N).
Proof.
split; last by move=> ws s r; apply: order_preserving_maps_need_layers.
have [ws [s [r [wsE gs cs fs ds]]]] := layers_enough (@climber n) q0.
by exists ws, s, r; split; rewrite // wsE card_ord size_rev size_iota.
Qed.

End Exactly.

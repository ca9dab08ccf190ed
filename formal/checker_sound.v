(** * The checker is right, in every arithmetic that its numbers stand for

    [ev] maps the entries, polynomials over Q, into some R and respects sum and product; elements with different normal
    forms have different values. Then a stack that [check] accepts outputs, run in R, the automaton's states, after
    every word.

    - [walks places]: every listed place and state has, for each letter, a next one that is listed;
    - [hand_of Ls]: what the layer below hands on;
    - [stands Ls hs p q]: the stack is in the states hs, at place p, and stands for the automaton's state q. *)

From Coq Require Import ZArith NArith QArith List Bool FMapPositive Lia.
From lemmata Require Import checker.
Import ListNotations.

Set Implicit Arguments.

(** ** Tables *)

Lemma at_map (A B : Type) (f : A -> B) l i : at_ (map f l) i = option_map f (at_ l i).
Proof. apply nth_error_map. Qed.

Lemma find_array_from (A : Type) (l : list A) k p :
  PositiveMap.find p (array_from k l) = if Pos.ltb p k then None else nth_error l (Pos.to_nat p - Pos.to_nat k).
Proof.
revert k; induction l as [|a l IH]; intros k; simpl.
  rewrite PositiveMap.gempty; destruct (Pos.ltb p k); [|destruct (_ - _)%nat]; reflexivity.
destruct (Pos.eq_dec p k) as [->|e].
  rewrite PositiveMap.gss, Pos.ltb_irrefl, Nat.sub_diag; reflexivity.
rewrite PositiveMap.gso, IH by assumption.
destruct (Pos.ltb_spec p k), (Pos.ltb_spec p (Pos.succ k)); try lia; [reflexivity|].
replace (Pos.to_nat p - Pos.to_nat k)%nat with (S (Pos.to_nat p - Pos.to_nat (Pos.succ k))) by lia.
reflexivity.
Qed.

Lemma get_array (A : Type) (l : list A) i : get (array l) i = at_ l i.
Proof.
unfold get, array, at_, key; rewrite find_array_from.
destruct (Pos.ltb_spec (N.succ_pos i) 1); [lia|].
f_equal; pose proof (N.succ_pos_spec i); lia.
Qed.

Lemma key_inj i j : key i = key j -> i = j.
Proof. unfold key; intros e; pose proof (N.succ_pos_spec i); pose proof (N.succ_pos_spec j); lia. Qed.

Lemma for_all_get (A : Type) (f : N -> A -> bool) m i a : for_all f m = true -> get m i = Some a -> f i a = true.
Proof.
unfold for_all, get; rewrite forallb_forall; intros all found.
apply PositiveMap.elements_correct, all in found; simpl in found.
unfold key in found; rewrite N.pos_pred_succ in found; exact found.
Qed.

Lemma for_all_row (A : Type) (f : N -> A -> bool) m i j a :
  for_all f (row_of m i) = true -> get2 m i j = Some a -> f j a = true.
Proof. unfold get2; intros all; apply for_all_get, all. Qed.

Lemma for_all2_get (A : Type) (f : N -> N -> A -> bool) m i j a :
  for_all2 f m = true -> get2 m i j = Some a -> f i j a = true.
Proof.
unfold for_all2, get2, row_of; intros all; destruct (get m i) as [row|] eqn:e.
  intros g; apply (for_all_get _ _ _ (for_all_get _ _ _ all e) g).
unfold get; rewrite PositiveMap.gempty; discriminate.
Qed.

Lemma get2_put2 (A : Type) m i j (a : A) i' j' :
  get2 (put2 m i j a) i' j' = if N.eqb i i' && N.eqb j j' then Some a else get2 m i' j'.
Proof.
unfold get2, put2; unfold row_of at 1; unfold get at 2.
destruct (N.eqb_spec i i') as [<-|e]; simpl.
  rewrite PositiveMap.gss; unfold get; destruct (N.eqb_spec j j') as [<-|e].
    apply PositiveMap.gss.
  apply PositiveMap.gso; intros k; apply e, key_inj; auto.
rewrite PositiveMap.gso by (intros k; apply e, key_inj; auto); reflexivity.
Qed.

(** A table that was made holds what was entered: i and y tell z. *)
Lemma table_of_get entries m i y z : table_of entries = Some m -> In (i, y, z) entries -> get2 m i y = Some z.
Proof.
revert m; induction entries as [|[[i' y'] z'] entries IH]; simpl; [tauto|].
intros m; destruct (table_of entries) as [m'|]; [|discriminate].
destruct (get2 m' i' y') eqn:fresh; [discriminate|]; intros [= <-] [e|isin]; rewrite get2_put2.
  injection e; intros -> -> ->; rewrite !N.eqb_refl; reflexivity.
pose proof (IH m' eq_refl isin) as old.
destruct (N.eqb_spec i' i) as [->|]; [destruct (N.eqb_spec y' y) as [->|]|]; simpl; auto; congruence.
Qed.

Lemma get_table_of entries m i y z : table_of entries = Some m -> get2 m i y = Some z -> In (i, y, z) entries.
Proof.
revert m; induction entries as [|[[i' y'] z'] entries IH]; simpl.
  intros m [= <-]; unfold get2, row_of, empty2, get; rewrite !PositiveMap.gempty; discriminate.
intros m; destruct (table_of entries) as [m'|]; [|discriminate].
destruct (get2 m' i' y') eqn:fresh; [discriminate|]; intros [= <-]; rewrite get2_put2.
destruct (N.eqb_spec i' i) as [->|]; [destruct (N.eqb_spec y' y) as [->|]|]; simpl; eauto.
intros [= ->]; auto.
Qed.

Lemma in_numbered (A : Type) (l : list A) k i a : nth_error l i = Some a -> In ((k + N.of_nat i)%N, a) (numbered k l).
Proof.
revert k i; induction l as [|b l IH]; intros k i; [destruct i; discriminate|].
destruct i as [|i]; simpl.
  intros [= ->]; left; f_equal; lia.
intros found; right; replace (k + N.pos (Pos.of_succ_nat i))%N with (N.succ k + N.of_nat i)%N by lia; auto.
Qed.

Lemma at_numbered (A : Type) (l : list A) i a : at_ l i = Some a -> In (i, a) (numbered 0 l).
Proof.
intros found; replace i with (0 + N.of_nat (N.to_nat i))%N at 1 by lia; apply in_numbered, found.
Qed.

(** ** Vectors *)

Lemma same_vector_eq (T : Type) (same : T -> T -> bool) :
  (forall a b, same a b = true -> a = b) -> forall u v, same_vector same u v = true -> u = v.
Proof.
intros eq; induction u as [|a u IH]; destruct v as [|b v]; simpl; try discriminate; [reflexivity|].
rewrite andb_true_iff; intros [e f]; f_equal; auto.
Qed.

Lemma same_vector_refl (T : Type) (same : T -> T -> bool) :
  (forall a, same a a = true) -> forall u, same_vector same u u = true.
Proof. intros refl; induction u as [|a u IH]; simpl; [reflexivity|]; rewrite refl; exact IH. Qed.

Lemma Qsame_eq a b : Qsame a b = true -> a = b.
Proof.
unfold Qsame; rewrite andb_true_iff, !Z.eqb_eq; destruct a, b; simpl; intros [-> [= ->]]; reflexivity.
Qed.

Lemma same_vectors_eq u v : same_vectors u v = true -> u = v.
Proof. apply same_vector_eq, same_vector_eq, Qsame_eq. Qed.

Lemma distinct_number c hs i h : distinct c hs = true -> at_ hs i = Some h -> number_of c h = Some i.
Proof.
unfold distinct; rewrite forallb_forall; intros all found.
apply at_numbered, all in found; simpl in found.
destruct (number_of c h) as [j|]; [|discriminate]; apply N.eqb_eq in found; congruence.
Qed.

(** ** Soundness *)

Section Sound.

Variables (R : Type) (zero : R) (add mul : R -> R -> R) (same : R -> R -> bool).
Hypothesis sameP : forall a b, same a b = true <-> a = b.

Variables (low : list Q) (ev : list Q -> R).
Hypothesis ev_normal : forall p, ev (normal low p) = ev p.
Hypothesis ev_zero : ev [] = zero.
Hypothesis ev_plus : forall p q, ev (plusQ p q) = add (ev p) (ev q).
Hypothesis ev_times : forall p q, ev (timesQ p q) = mul (ev p) (ev q).
Hypothesis ev_tells : forall p q, ev (normal low p) = ev (normal low q) -> normal low p = normal low q.

Lemma ev_dot u v :
  ev (dot (normal low []) (add_normal low) (mul_normal low) u v) = dot zero add mul (map ev u) (map ev v).
Proof.
revert v; induction u as [|a u IH]; destruct v as [|b v]; simpl; try (rewrite ev_normal; exact ev_zero).
unfold add_normal, mul_normal; rewrite ev_normal, ev_plus, ev_normal, ev_times; f_equal; apply IH.
Qed.

(** A move of normal forms stands for the move in R. *)
Lemma ev_move m h : map ev (move low m h) = act zero add mul (affine_entries ev m) (map ev h).
Proof.
unfold move, act; destruct m as [A B ss]; simpl; rewrite !map_map.
revert B; induction A as [|row A IH]; destruct B as [|b B]; simpl; try reflexivity.
f_equal; [|apply IH].
unfold add_normal at 1; rewrite ev_normal, ev_plus, ev_dot; reflexivity.
Qed.

Lemma ev_tells_vectors u v :
  map ev (map (normal low) u) = map ev (map (normal low) v) -> map (normal low) u = map (normal low) v.
Proof.
revert v; induction u as [|a u IH]; destruct v as [|b v]; simpl; try discriminate; [reflexivity|].
intros [= e f]; f_equal; [apply ev_tells, e|apply IH, f].
Qed.

Lemma entries_ev_normal net : network_entries ev (network_entries (normal low) net) = network_entries ev net.
Proof.
assert (vectors : forall v, map ev (map (normal low) v) = map ev v)
  by (intros v; rewrite map_map; apply map_ext, ev_normal).
destruct net as [f k M Ls]; unfold network_entries; simpl; f_equal; rewrite map_map; apply map_ext; intros [ss ms ls d].
unfold layer_entries; simpl; f_equal.
  rewrite map_map; apply map_ext, vectors.
rewrite map_map; apply map_ext; intros [A B st]; unfold affine_entries; simpl; rewrite vectors; f_equal.
  rewrite map_map; apply map_ext, vectors.
destruct st as [st|]; simpl; [|reflexivity]; f_equal; rewrite map_map; apply map_ext; intros [v b s w].
unfold step_entries; simpl; rewrite vectors, !ev_normal; reflexivity.
Qed.

(** *** One layer *)

Section Layer.

Variables (L0 : layer (list Q)) (hand : N -> N -> N -> option N) (root : N).
Let L := layer_entries (normal low) L0.
Let LR := layer_entries ev L.

Lemma states_differ i j s t : distinct (catalogue (states L)) (states L) = true ->
  at_ (states L) i = Some s -> at_ (states L) j = Some t -> map ev s = map ev t -> i = j.
Proof.
intros differ si tj e; assert (s = t).
  revert si tj; unfold L, layer_entries; simpl; rewrite !at_map.
  destruct (at_ (states L0) i) as [u|]; [|discriminate]; destruct (at_ (states L0) j) as [v|]; [|discriminate].
  simpl; intros [= <-] [= <-]; apply ev_tells_vectors, e.
subst t; pose proof (distinct_number _ _ _ differ si); pose proof (distinct_number _ _ _ differ tj); congruence.
Qed.

(** In R, the decoder finds the entry of the table. *)
Lemma decodeR decoding j s y z :
  distinct (catalogue (states L)) (states L) = true -> table_of (decoder L) = Some decoding ->
  at_ (states L) j = Some s -> get2 decoding j y = Some z -> decode same LR (map ev s) y = Some z.
Proof.
intros differ made sj got; unfold decode.
destruct (find _ (decoder LR)) as [[[i y'] z']|] eqn:found; simpl.
  apply find_some in found; simpl in found; destruct found as [isin ok].
  unfold LR, layer_entries in ok; simpl in ok; fold L in ok;
    change (map (map ev) (map (map (normal low)) (states L0))) with (map (map ev) (states L)) in ok.
  rewrite at_map in ok; destruct (at_ (states L) i) as [t|] eqn:ti; [|discriminate]; simpl in ok.
  apply andb_true_iff in ok; destruct ok as [ey et]; apply N.eqb_eq in ey; subst y'.
  apply same_vector_eq in et; [|intros a b; apply sameP].
  assert (i = j) by (eapply states_differ; eauto); subst i.
  change (decoder LR) with (decoder L) in isin; rewrite (table_of_get _ _ _ _ made isin) in got; exact got.
exfalso; apply (get_table_of _ _ _ made) in got.
apply (find_none _ _ found) in got; simpl in got.
unfold LR, layer_entries in got; simpl in got;
  change (map (map ev) (map (map (normal low)) (states L0))) with (map (map ev) (states L)) in got.
rewrite at_map, sj in got; simpl in got; rewrite N.eqb_refl, same_vector_refl in got; [discriminate|].
intros a; apply sameP; reflexivity.
Qed.

(** Every place and state that is listed with a place above: each letter from
    there leads to another such, and hands on a letter from the place above. *)
Definition walks (places : PositiveMap.t (PositiveMap.t N)) : Prop :=
  forall i s y l t, at_ (states L) i = Some s -> at_ (letters L) y = Some l -> get2 places (before l) i = Some t ->
  exists j s' z t', at_ (states L) j = Some s' /\ layer_step zero add mul same LR (map ev s) y = Some (map ev s', z) /\
    hand (reads l) t z = Some t' /\ get2 places (after l) j = Some t'.

Lemma right_layer_walks :
  layer_is_right low L hand root = true -> exists places, get2 places 0 0 = Some root /\ walks places.
Proof.
unfold layer_is_right; rewrite andb_true_iff; intros [differ right].
destruct (table_of (decoder L)) as [decoding|] eqn:made; [|discriminate].
destruct (explore _ _ _ _ _ _ _ _ _) as [s|]; [|discriminate].
exists (places s); apply andb_prop in right; destruct right as [right _]; unfold closed in right.
rewrite !andb_true_iff in right; destruct right as [[start moved] arrows].
split.
  destruct (get2 (places s) 0 0) as [t|]; [|discriminate]; apply N.eqb_eq in start; congruence.
intros i h y l t hi ly pt.
rewrite forallb_forall in arrows; pose proof (arrows _ (at_numbered _ _ ly)) as arrow; simpl in arrow.
apply (for_all_row _ _ _ _ arrow) in pt; clear arrow arrows; unfold arrow_is_right in pt.
destruct (get2 (moves s) i (uses l)) as [j|] eqn:ij; [|discriminate].
destruct (get2 decoding j y) as [z|] eqn:jz; [|discriminate].
destruct (hand (reads l) t z) as [t'|] eqn:ht; [|discriminate].
destruct (get2 (places s) (after l) j) as [t''|] eqn:pt''; [|discriminate].
apply N.eqb_eq in pt; subst t''.
apply (for_all2_get _ _ _ _ moved) in ij; unfold move_is_right in ij; rewrite !get_array, hi in ij.
destruct (at_ (maps L) (uses l)) as [m|] eqn:mf; [|discriminate].
destruct (at_ (states L) j) as [h'|] eqn:hj; [|discriminate].
apply same_vectors_eq in ij.
exists j, h', z, t'; repeat split; auto.
unfold layer_step; change (letters LR) with (letters L); rewrite ly.
change (maps LR) with (map (affine_entries ev) (maps L)); rewrite at_map, mf; simpl.
rewrite <- ev_move, ij, (decodeR _ _ differ made hj jz); reflexivity.
Qed.

End Layer.

(** *** The stack *)

Variable M : automaton.

Definition hand_of (Ls : list (layer (list Q))) : N -> N -> N -> option N :=
  match Ls with [] => hand_to_machine M | L :: _ => hand_to_layer (array (letters L)) end.

Notation normal_layers := (map (layer_entries (normal low))).
Notation real_layers := (map (fun L => layer_entries ev (layer_entries (normal low) L))).

(** The layers' states hs, from the place p of the first layer on, stand for the automaton's state q. *)
Fixpoint stands (Ls : list (layer (list Q))) (hs : list (list R)) (p q : N) : Prop :=
  match Ls, hs with
  | [], [] => p = q
  | L :: Ls', h :: hs' => exists places, walks L (hand_of Ls') places /\
      exists i s t, at_ (states (layer_entries (normal low) L)) i = Some s /\ h = map ev s /\
        get2 places p i = Some t /\ stands Ls' hs' t q
  | _, _ => False
  end.

Lemma stack_step_cons L Ls h hs y : stack_step zero add mul same (L :: Ls) (h :: hs) y =
  match layer_step zero add mul same L h y with
  | None => None
  | Some (h', z) => option_map (fun step => (h' :: fst step, snd step)) (stack_step zero add mul same Ls hs z)
  end.
Proof.
simpl; destruct (layer_step _ _ _ _ _ _ _) as [[h' z]|];
  [destruct (stack_step _ _ _ _ _ _ _) as [[hs' o]|]|]; reflexivity.
Qed.

Lemma stack_follows Ls hs p q y l x : stands Ls hs p q -> Ls <> [] ->
  at_ (letters (hd (Layer [] [] [] []) Ls)) y = Some l -> before l = p -> reads l = x ->
  exists hs' q', stack_step zero add mul same (real_layers Ls) hs y = Some (hs', q') /\ next M x q = Some q' /\
    stands Ls hs' (after l) q'.
Proof.
revert hs p y l; induction Ls as [|L Ls IH]; [congruence|]; intros hs p y l st _ ly bp rx.
destruct hs as [|h hs]; simpl in st; [contradiction|].
destruct st as (places & right & i & s & t & si & -> & pt & st); simpl in ly.
pose proof right as walk; specialize (walk i s y l t si ly); rewrite bp in walk; specialize (walk pt).
destruct walk as (j & s' & z & t' & sj & moved & handed & pt').
change (real_layers (L :: Ls)) with (layer_entries ev (layer_entries (normal low) L) :: real_layers Ls).
rewrite stack_step_cons, moved; rewrite rx in handed.
destruct Ls as [|L' Ls].
  destruct hs as [|h' hs]; simpl in st; [subst t|contradiction].
  simpl in handed; unfold hand_to_machine in handed; destruct (next M x q) as [q'|] eqn:nx; [|discriminate].
  destruct (N.eqb_spec q' z) as [->|]; [|discriminate]; injection handed as <-.
  exists [map ev s'], z; simpl; repeat split; auto.
  exists places; split; auto; exists j, s', z; auto.
simpl in handed; unfold hand_to_layer in handed; rewrite get_array in handed.
destruct (at_ (letters L') z) as [l'|] eqn:lz; [|discriminate].
destruct (N.eqb_spec (reads l') x) as [rx'|]; [|discriminate].
destruct (N.eqb_spec (before l') t) as [bt|]; [|discriminate].
injection handed as <-.
destruct (IH hs t z l' st ltac:(discriminate) lz bt rx') as (hs' & q' & stepped & nx & st').
exists (map ev s' :: hs'), q'; split; [rewrite stepped; reflexivity|split; auto].
simpl; exists places; split; [exact right|]; exists j, s', (after l'); repeat split; auto.
Qed.

Lemma stack_runs Ls hs q k :
  stands Ls hs 0 q -> Ls <> [] -> reads_alphabet k (letters (hd (Layer [] [] [] []) Ls)) = true ->
  forall word, Forall (fun x => (x < k)%N) word ->
  exists qs, visited M q word = Some qs /\ outputs zero add mul same (real_layers Ls) hs word = Some qs.
Proof.
intros st some alphabet word; revert hs q st; induction word as [|x word IH]; intros hs q st letters_of; simpl.
  exists []; auto.
inversion letters_of as [|? ? xk rest]; subst.
unfold reads_alphabet in alphabet; apply andb_true_iff in alphabet; destruct alphabet as [many first].
apply N.eqb_eq in many.
destruct (at_ (letters (hd (Layer [] [] [] []) Ls)) x) as [l|] eqn:lx.
2: { apply nth_error_None in lx; lia. }
rewrite forallb_forall in first; pose proof (first _ (at_numbered _ _ lx)) as ok; simpl in ok.
rewrite !andb_true_iff, !N.eqb_eq in ok; destruct ok as [[rx b0] a0].
destruct (stack_follows _ _ _ st some lx b0 rx) as (hs' & q' & stepped & nx & st'); rewrite a0 in st'.
rewrite stepped, nx; destruct (IH hs' q' st' rest) as (qs & v & o); rewrite v, o; exists (q' :: qs); auto.
Qed.

Lemma stack_starts Ls p k :
  layers_are_right low M (normal_layers Ls) = true -> layers_have_shape p k (normal_layers Ls) = true ->
  stands Ls (map (@initial R) (real_layers Ls)) (match Ls with [] => start M | _ => 0%N end) (start M).
Proof.
induction Ls as [|L Ls IH]; simpl; [reflexivity|]; rewrite !andb_true_iff; intros [right rights] [shape shapes].
specialize (IH rights shapes).
set (root := match Ls with [] => start M | _ => 0%N end) in *.
assert (ok : layer_is_right low (layer_entries (normal low) L) (hand_of Ls) root = true) by (destruct Ls; exact right).
apply right_layer_walks in ok; destruct ok as (places & begin & walk).
exists places; split; [exact walk|].
apply andb_prop in shape; destruct shape as [wide _].
unfold width, count in wide; apply N.ltb_lt in wide.
destruct (states (layer_entries (normal low) L)) as [|s ss] eqn:e; simpl in wide; [lia|].
exists 0%N, s, root; repeat split; auto.
  change (at_ (states (layer_entries (normal low) L)) 0 = Some s); rewrite e; reflexivity.
change (hd [] (map (map ev) (states (layer_entries (normal low) L))) = map ev s); rewrite e; reflexivity.
Qed.

End Sound.

(** What is proved of a network that the checker accepts, for every word over its
    alphabet: after each letter the stack, run in R, outputs the automaton's state. *)
Lemma accepted_networks_are_right (R : Type) (zero : R) (add mul : R -> R -> R) (same : R -> R -> bool)
  (ev : list Q -> R) net low :
  low_of (field net) = Some low ->
  (forall a b, same a b = true <-> a = b) ->
  (forall p, ev (normal low p) = ev p) -> ev [] = zero ->
  (forall p q, ev (plusQ p q) = add (ev p) (ev q)) -> (forall p q, ev (timesQ p q) = mul (ev p) (ev q)) ->
  (forall p q, ev (normal low p) = ev (normal low q) -> normal low p = normal low q) ->
  check net = true -> forall word, Forall (fun x => (x < alphabet net)%N) word ->
  exists qs, visited (machine net) (start (machine net)) word = Some qs /\
    run zero add mul same (network_entries ev net) word = Some qs.
Proof.
intros lows sameP ev_normal ev_zero ev_plus ev_times ev_tells; unfold check; rewrite lows; intros ok word letters_of.
rewrite <- (entries_ev_normal _ _ ev_normal net).
destruct net as [f k M Ls]; simpl in *.
apply andb_prop in ok; destruct ok as [_ ok]; unfold check_normal in ok; simpl in ok; rewrite !andb_true_iff in ok.
destruct ok as [[[[[[_ _] first] shapes] _] _] rights].
destruct Ls as [|L Ls]; [discriminate|].
pose proof (stack_starts add mul same sameP low ev ev_normal ev_zero ev_plus ev_times ev_tells M (L :: Ls) _ _
  rights shapes) as st.
destruct (stack_runs _ _ _ _ _ _ _ _ _ st ltac:(discriminate) first letters_of) as (qs & v & o).
exists qs; split; [exact v|]; unfold run; simpl; simpl in o; rewrite map_map; exact o.
Qed.

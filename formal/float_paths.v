(** * Stored networks in any order of sums: what a letter may do, and that it does what exact arithmetic does

    Definitions: [any_micro] and [any_micros], micro-steps; [composed], maps composed in some bracketing;
        [any_letter], a letter on a path; [read_in], the format of what is read; [codes_of], the codes of a map;
        [any_step] and [any_outputs], the stack; [right_in_any_order]; [real_affine] and [real_run], maps on real
        numbers.
    The theorems rest on the axioms of the classical reals. *)

From Coq Require Import ZArith NArith Reals List Bool SpecFloat FMapPositive Lia Lra Permutation.
From Flocq Require Import Core.
From lemmata Require Import checker checker_sound float_closure stored_network stored stored_sound sums chunk_sums.
From lemmata Require Import orders float float_sums float_bounds float_chunks float_words.
Import ListNotations.

Local Open Scope R_scope.
Local Notation two := radix2.

(** ** What a letter may do, in any order *)
Definition any_micro (s : micro_step dyadic) (h h' : list R) : Prop := exists d w,
  any_sum binary32 (dyadic_value (value s) :: map (fun kx =>
      - (fst kx * snd kx)) (combine (values (key_vector s)) h)) d /\
  any_sum binary32 [dyadic_value (strength s) * d] w /\
  Forall2 (fun kx y => any_sum binary32 [snd kx; fst kx * w] y) (combine (values (key_vector s)) h) h'.

Fixpoint any_micros (ss : list (micro_step dyadic)) (h h' : list R) : Prop :=
  match ss with
  | [] => h' = h
  | s :: ss' => exists g, any_micro s h g /\ any_micros ss' g h'
  end.

(** The maps of a word, composed in some bracketing: the weights and the bias. *)
Inductive composed (L : stored_layer dyadic) : list N -> list (list R) -> list R -> Prop :=
  | one_map f m : at_ (transitions L) f = Some m -> composed L [f] (map values (weights m)) (values (bias m))
  | two_words w1 w2 A1 B1 A2 B2 A B : composed L w1 A1 B1 -> composed L w2 A2 B2 ->
      Forall2 (fun row2 row => Forall2 (fun k x => any_sum binary32 (real_products row2 (map (fun r =>
          nth k r 0) A1)) x)
        (seq 0 (length (first_state L))) row) A2 A ->
      Forall2 (fun rb b => any_sum binary32 (snd rb :: real_products (fst rb) B1) b) (combine A2 B2) B ->
      composed L (w1 ++ w2) A B.

(** After the maps [past], the state h becomes h' by the map f. *)
Definition any_letter (p : any_path) (F : format) (L : stored_layer dyadic) (past : list N) (h : list R) (f : N)
    (h' : list R) : Prop :=
  match p with
  | Fused => exists m ss, at_ (transitions L) f = Some m /\ micro_steps m = Some ss /\ any_micros ss h h'
  | Scan => exists A B, composed L (past ++ [f]) A B /\
      Forall2 (fun rb x => any_sum binary32 (snd rb :: real_products (fst rb) (values (first_state L))) x) (combine A
          B) h'
  | Chunk most => chunked_letter most F L (past ++ [f]) h'
  end.

(** The format in which a state is read: the kernel's output, and the scan's. *)
Definition read_in (p : any_path) (F : format) : format := match p with Scan => binary32 | _ => F end.

Definition codes_of (m : transition dyadic) : list (list R) := map (map (fun c =>
    IZR c * bpow two (unit_exponent m))) (codes m).

(** The stack reads y: the maps of each layer so far, its state, and what it hands on. *)
Fixpoint any_step (p : any_path) (F : format) (Ls : list (stored_layer dyadic)) (past : list (list N)) (hs : list
    (list R)) (y : N)
    (past' : list (list N)) (hs' : list (list R)) (z : N) : Prop :=
  match Ls, past, hs, past', hs' with
  | [], [], [], [], [] => y = z
  | L :: Ls', w :: ws, h :: below, w' :: ws', h' :: below' => exists l m row out k up,
      at_ (layer_letters L) y = Some l /\ at_ (transitions L) (uses l) = Some m /\ at_ (following L) y = Some row /\
      w' = w ++ [uses l] /\ any_letter p F L w h (uses l) h' /\
      Forall2 (fun x o => exists f, keeps (read_in p F) f /\ o = f x) h' out /\
          real_nearest (codes_of m) out (N.to_nat k) /\
      at_ row k = Some (Some up) /\ any_step p F Ls' ws below up ws' below' z
  | _, _, _, _, _ => False
  end.

Fixpoint any_outputs (p : any_path) (F : format) (Ls : list (stored_layer dyadic)) (past : list (list N)) (hs : list
    (list R))
    (word qs : list N) : Prop :=
  match word, qs with
  | [], [] => True
  | x :: word', q :: qs' => exists past' hs', any_step p F Ls past hs x past' hs' q /\
      any_outputs p F Ls past' hs' word' qs'
  | _, _ => False
  end.

(** However the sums are taken, after every letter of every word the output is the automaton's state;
    and there are such runs. *)
Definition right_in_any_order (p : any_path) (F : format) (net : stored_network) : Prop :=
  forall word, Forall (fun x => (x < input_letters net)%N) word ->
  let starts_with := any_outputs p F (stored_layers net) (map (fun _ => []) (stored_layers net))
    (map (fun L => values (first_state L)) (stored_layers net)) word in
  (exists qs, starts_with qs) /\ forall qs, starts_with qs -> visited (target net) (start (target net)) word = Some qs.

(** ** They do what exact arithmetic does *)

Lemma fused_micro_exact s h h' g : fused_micro s h = Some h' -> any_micro s (values h) g -> g = values h'.
Proof.
unfold fused_micro; intros done (d & w & sum_d & sum_w & entries).
rewrite combine_values, map_map in sum_d; rewrite combine_values in entries; apply Forall2_map_l in entries.
destruct (total_in_any_order binary32 _) as [d'|] eqn:first; [|discriminate].
assert (d = dyadic_value d') as ->.
  apply (total_exact _ _ _ first); simpl; rewrite map_map.
  erewrite map_ext; [exact sum_d|]; intros [k x]; simpl; rewrite value_opp, value_product; reflexivity.
destruct (total_in_any_order binary32 [_]) as [w'|] eqn:second; [|discriminate].
assert (w = dyadic_value w') as -> by (apply (total_exact _ _ _ second); simpl; rewrite value_product; exact sum_w).
apply (all_some_exact _ _ _ _ _ _ (fun kx d x e => total_exact _ _ x e) done); clear -entries.
revert entries; apply Forall2_weaken; intros [k x] y; simpl; rewrite value_product; auto.
Qed.

Lemma fused_micros_exact ss : forall h h' g, fused_micros ss h = Some h' -> any_micros ss (values h) g -> g = values h'.
Proof.
induction ss as [|s ss IH]; intros h h' g; simpl; [intros [= <-]; auto|].
destruct (fused_micro s h) as [h1|] eqn:this; [|discriminate]; intros rest (g1 & micro & micros).
rewrite (fused_micro_exact _ _ _ _ this micro) in micros; exact (IH _ _ _ rest micros).
Qed.
Lemma fused_exact F m ss h h' g : is_format F -> micro_steps m = Some ss -> fused_exactly F m h = Some h' ->
    any_micros ss (map real h) g ->
  g = map real h' /\ Forall (holds F) g.
Proof.
intros formatF steps; unfold fused_exactly; rewrite steps; destruct (dyadics_of h) as [ds|] eqn:dyadics;
    [|discriminate].
destruct (fused_micros ss ds) as [ds'|] eqn:micros; [|discriminate]; intros state letter.
rewrite (dyadics_values _ _ dyadics) in letter; rewrite (fused_micros_exact _ _ _ _ micros letter).
destruct (as_state_value _ _ _ state) as [-> all]; split; [reflexivity|].
unfold values; rewrite Forall_map; revert all; apply Forall_impl; intros d; apply held_holds, formatF.
Qed.

(** Compositions: a word's map is listed, and acts as its letters do one after the other. *)

Definition real_affine (A : list (list R)) (B h : list R) : list R := map (fun rb =>
    real_dot (fst rb) h + snd rb) (combine A B).

Definition real_run (L : stored_layer dyadic) (w : list N) (h : list R) : list R :=
  fold_left (fun h f => match at_ (transitions L) f with
    | Some m => real_affine (map values (weights m)) (values (bias m)) h
    | None => h
    end) w h.

Lemma real_dot_cons a b u v : real_dot (a :: u) (b :: v) = a * b + real_dot u v.
Proof. reflexivity. Qed.

Lemma dot_plus (f g : nat -> R) l : forall h, real_dot (map (fun k =>
    f k + g k) l) h = real_dot (map f l) h + real_dot (map g l) h.
Proof.
induction l as [|k l IH]; intros [|x h]; try (unfold real_dot; simpl; ring).
cbn [map]; rewrite !real_dot_cons, IH; ring.
Qed.

Lemma dot_scaled a (f : nat -> R) l : forall h, real_dot (map (fun k => a * f k) l) h = a * real_dot (map f l) h.
Proof.
induction l as [|k l IH]; intros [|x h]; try (unfold real_dot; simpl; ring).
cbn [map]; rewrite !real_dot_cons, IH; ring.
Qed.

Lemma dot_zero l : forall h, real_dot (map (fun _ : nat => 0) l) h = 0.
Proof.
induction l as [|k l IH]; intros [|x h]; try reflexivity.
cbn [map]; rewrite real_dot_cons, IH; ring.
Qed.

Lemma dot_exchange n h : forall row A B, length row = length A -> length B = length A -> Forall (fun r =>
    length r = n) A ->
  real_dot row (real_affine A B h) = real_dot (map (fun k => real_dot row (map (fun r =>
      nth k r 0) A)) (seq 0 n)) h + real_dot row B.
Proof.
induction row as [|a row IH]; intros [|r A] [|b B] la lb all; try discriminate.
  pose proof (dot_zero (seq 0 n) h) as zero.
  change (map (fun _ : nat => 0) (seq 0 n)) with (map (fun k => real_dot [] (map (fun r : list R =>
      nth k r 0) [])) (seq 0 n)) in zero.
  rewrite zero; unfold real_affine, real_dot; simpl; ring.
inversion_clear all as [|? ? lr rest]; injection la as la; injection lb as lb.
change (real_affine (r :: A) (b :: B) h) with ((real_dot r h + b) :: real_affine A B h).
rewrite real_dot_cons, (IH A B la lb rest).
rewrite (map_ext (fun k => real_dot (a :: row) (map (fun r0 => nth k r0 0) (r :: A)))
  (fun k => a * nth k r 0 + real_dot row (map (fun r0 => nth k r0 0) A))) by (intros k; apply real_dot_cons).
rewrite dot_plus, dot_scaled, (real_dot_cons a b row B).
replace (map (fun k => nth k r 0) (seq 0 n)) with r; [ring|].
rewrite <- lr; clear; induction r as [|x r IH]; simpl; [reflexivity|]; rewrite <- seq_shift, map_map; simpl; f_equal;
    exact IH.
Qed.
Lemma listed_is_in c m : listed_map c m = true -> In m (all_maps c).
Proof.
unfold listed_map, all_maps; destruct (PositiveMap.find _ c) as [l|] eqn:found; [|discriminate].
rewrite existsb_exists; intros (m' & isin & same).
assert (m = m') as <-.
  assert (forall a b, same_dyadic a b = true -> a = b) as eq.
    intros [a a'] [b b']; unfold same_dyadic; simpl; rewrite andb_true_iff, !Z.eqb_eq; intros [-> ->]; reflexivity.
  unfold same_map in same; rewrite andb_true_iff in same; destruct same as [rows bias]; destruct m, m'; simpl in *;
      f_equal.
    revert rows; apply same_vector_eq; apply same_vector_eq, eq.
  revert bias; apply same_vector_eq, eq.
apply in_flat_map; exists (bucket_of_map m, l); split; [apply PositiveMap.elements_correct, found|exact isin].
Qed.

Lemma square_lengths n m : square n m = true ->
  length (map values (fst m)) = n /\ Forall (fun r => length r = n) (map values (fst m)) /\ length (values (snd m)) = n.
Proof.
unfold square, values; rewrite !andb_true_iff, !Nat.eqb_eq, !map_length; intros [[la rows] lb]; repeat split; auto.
apply Forall_forall; intros r isin; apply in_map_iff in isin as (r' & <- & isin).
rewrite forallb_forall in rows; specialize (rows _ isin); apply Nat.eqb_eq in rows; rewrite map_length; exact rows.
Qed.

Lemma column_values A k : map (fun r => nth k r 0) (map values A) = values (column A k).
Proof.
unfold column, values; rewrite !map_map; apply map_ext; intros r.
replace 0 with (dyadic_value (0, 0)%Z) by (unfold dyadic_value; apply F2R_0); apply map_nth.
Qed.

Lemma dot_value row v d : total_in_any_order binary32 (terms_of row v) = Some d ->
    dyadic_value d = real_dot (values row) (values v).
Proof. intros e; rewrite (total_value _ _ e), map_terms; reflexivity. Qed.

Lemma combine_rows (l : list (list dyadic)) : forall bs,
  combine (map values l) (values bs) = map (fun rb => (values (fst rb), dyadic_value (snd rb))) (combine l bs).
Proof. unfold values; induction l as [|r l IH]; intros [|b bs]; simpl; try reflexivity; rewrite IH; reflexivity. Qed.

Section Scan.

Variables (L : stored_layer dyadic) (c : catalogue_of_maps).
Hypothesis ok : scan_is_exact L c = true.

Let n := length (first_state L).

Lemma composed_exact m2 m1 m A B : square n m2 = true -> square n m1 = true -> composed_maps n m2 m1 = Some m ->
  Forall2 (fun row2 row => Forall2 (fun k x => any_sum binary32 (real_products row2 (map (fun r =>
      nth k r 0) (map values (fst m1)))) x)
    (seq 0 n) row) (map values (fst m2)) A ->
  Forall2 (fun rb b => any_sum binary32 (snd rb :: real_products (fst rb) (values (snd m1))) b) (combine (map values
      (fst m2)) (values (snd m2))) B ->
  A = map values (fst m) /\ B = values (snd m) /\
  forall h, real_affine A B h = real_affine (map values (fst m2)) (values (snd m2)) (real_affine (map values (fst
      m1)) (values (snd m1)) h).
Proof.
intros sq2 sq1 done rows shifts.
destruct (square_lengths _ _ sq1) as (la1 & rows1 & lb1), (square_lengths _ _ sq2) as (la2 & rows2 & lb2).
unfold composed_maps in done; destruct (all_some _) as [A'|] eqn:doneA in done; [|discriminate].
destruct (all_some _) as [B'|] eqn:doneB in done; [|discriminate]; injection done as <-; simpl.
rewrite canonical_values, map_map, (map_ext _ _ canonical_values).
apply all_some_forall in doneA.
assert (A = map values A' /\ A = map (fun row2 => map (fun k => real_dot row2 (map (fun r =>
    nth k r 0) (map values (fst m1)))) (seq 0 n))
    (map values (fst m2))) as [eA eA'].
  clear -rows doneA; revert A' A rows doneA; induction (fst m2) as [|row l IH]; intros [|a' A'] A rows e;
      try discriminate; inversion_clear rows as [|? a ? A0 this rest].
    split; reflexivity.
  injection e; intros e' this'; destruct (IH _ _ rest e') as [e1 e2]; simpl.
  assert (a = values a') as ea.
    refine (all_some_exact _ _ _ _ _ _ _ this' this); simpl; intros k d x ex sum.
    apply (total_exact _ _ _ ex); rewrite map_terms; rewrite column_values in sum; exact sum.
  split; [rewrite ea, <- e1; reflexivity|]; rewrite <- e2; f_equal; rewrite ea.
  apply all_some_forall in this'; clear -this'; revert a' this'; generalize (seq 0 n) as ks;
      induction ks as [|k ks IH]; intros [|d a'] e; try discriminate; [reflexivity|].
  injection e; intros e' ed; simpl; rewrite <- (IH _ e'); f_equal; rewrite (dot_value _ _ _ ed), column_values;
      reflexivity.
assert (B = values B' /\ B = map (fun rb =>
    snd rb + real_dot (fst rb) (values (snd m1))) (combine (map values (fst m2)) (values (snd m2)))) as [eB eB'].
  rewrite combine_rows in *; apply Forall2_map_l in shifts; clear -shifts doneB; split.
    refine (all_some_exact _ _ _ _ _ _ _ doneB shifts); simpl; intros rb d x ex sum.
    apply (total_exact _ _ _ ex); simpl; rewrite map_terms; exact sum.
  apply all_some_forall in doneB; rewrite map_map; revert B' B shifts doneB;
      induction (combine (fst m2) (snd m2)) as [|rb l IH]; intros [|d B'] B all e; try discriminate;
    inversion_clear all as [|? b ? B0 this rest]; [reflexivity|].
  injection e; intros e' ed; cbn [map]; f_equal; [|exact (IH _ _ rest e')]; simpl.
  assert (b = dyadic_value d) as -> by (apply (total_exact _ _ _ ed); simpl; rewrite map_terms; exact this).
  rewrite (total_value _ _ ed); simpl; rewrite map_terms; reflexivity.
split; [exact eA|]; split; [exact eB|]; intros h; rewrite eA', eB'; unfold real_affine at 1 2.
set (g := real_affine (map values (fst m1)) (values (snd m1)) h).
assert (Forall (fun r => length r = length (map values (fst m1))) (map values (fst m2))) as lens by (rewrite la1;
    exact rows2).
assert (length (map values (fst m2)) = length (values (snd m2))) as same by (rewrite la2, lb2; reflexivity).
revert lens same; clear -la1 lb1 rows1; generalize (values (snd m2));
    induction (map values (fst m2)) as [|row rows' IH]; intros [|b bs] lens same; try discriminate; [reflexivity|].
inversion_clear lens as [|? ? len lens']; injection same as same; simpl; f_equal; [|apply IH; assumption].
unfold g; rewrite (dot_exchange n h row _ (values (snd m1)) len); [ring|rewrite lb1, la1; reflexivity|exact rows1].
Qed.

Lemma affine_length (A : list (list R)) (B h : list R) k : length A = k -> length B = k ->
    length (real_affine A B h) = k.
Proof. intros la lb; unfold real_affine; rewrite map_length, combine_length, la, lb; apply Nat.min_id. Qed.

(** However a word's maps are composed, the result is a listed map, and acts as the letters do. *)
Lemma composed_is_exact w A B : composed L w A B -> exists m, In m (all_maps c) /\ A = map values (fst m) /\
    B = values (snd m) /\
  forall h, real_affine A B h = real_run L w h.
Proof.
unfold scan_is_exact in ok; fold n in ok; rewrite !andb_true_iff in ok;
    destruct ok as [[[squares generators] closed] _].
rewrite forallb_forall in squares; rewrite forallb_forall in generators; rewrite forallb_forall in closed.
induction 1 as [f m at_f|w1 w2 A1 B1 A2 B2 A B _ IH1 _ IH2 rows shifts].
  exists (canonical_map (map_of m)); split; [apply listed_is_in, generators; apply nth_error_In with (N.to_nat f),
      at_f|].
  unfold canonical_map, map_of; simpl; rewrite canonical_values, map_map, (map_ext _ _ canonical_values); repeat split.
  intros h; unfold real_run; simpl; rewrite at_f; reflexivity.
destruct IH1 as (m1 & in1 & -> & -> & run1), IH2 as (m2 & in2 & -> & -> & run2).
specialize (closed m2 in2); rewrite forallb_forall in closed; specialize (closed m1 in1).
destruct (composed_maps n m2 m1) as [m|] eqn:done; [|discriminate].
destruct (composed_exact _ _ _ _ _ (squares _ in2) (squares _ in1) done rows shifts) as (-> & -> & exact).
exists m; split; [apply listed_is_in, closed|]; repeat split.
intros h; rewrite exact, run1, run2; unfold real_run; rewrite fold_left_app; reflexivity.
Qed.

(** A state that the scan gives is that of the letters one after the other. *)
Lemma scan_state F past f h g : any_letter Scan F L past h f g -> g = real_run L (past ++ [f]) (values (first_state L)).
Proof.
intros (A & B & word & entries); destruct (composed_is_exact _ _ _ word) as (m & isin & -> & -> & run).
rewrite <- run; unfold scan_is_exact in ok; rewrite !andb_true_iff in ok; destruct ok as [_ starts].
rewrite forallb_forall in starts; specialize (starts m isin); unfold applied in starts.
destruct (all_some _) as [r|] eqn:done; [|discriminate]; clear -entries done.
rewrite combine_rows in entries; apply Forall2_map_l in entries; unfold real_affine; rewrite combine_rows, map_map.
apply all_some_forall in done; revert r g entries done.
induction (combine (fst m) (snd m)) as [|rb l IH]; intros [|d r] g all e; try discriminate;
    inversion_clear all as [|? x ? g0 this rest]; [reflexivity|].
injection e; intros e' ed; cbn [map]; f_equal; [|exact (IH _ _ rest e')]; simpl in this |- *.
assert (x = dyadic_value d) as -> by (apply (total_exact _ _ _ ed); simpl; rewrite map_terms; exact this).
rewrite (total_value _ _ ed); simpl; rewrite map_terms; unfold real_dot, real_products; ring.
Qed.

End Scan.

Lemma scan_exactly_value m h h' : scan_exactly m h = Some h' ->
  map real h' = real_affine (map values (weights m)) (values (bias m)) (map real h) /\
      Forall (holds binary32) (map real h').
Proof.
unfold scan_exactly; destruct (dyadics_of h) as [ds|] eqn:dyadics; [|discriminate]; intros state.
destruct (as_state_value _ _ _ state) as [-> all]; split.
  rewrite (dyadics_values _ _ dyadics); unfold real_affine; rewrite combine_rows, map_map; unfold values;
      rewrite map_map.
  apply map_ext; intros [row b]; simpl; rewrite value_sum, value_total, map_terms; reflexivity.
unfold values; rewrite Forall_map; revert all; apply Forall_impl; intros d; apply held_holds, format32.
Qed.

(** ** There are such runs *)
Lemma micros_exist ss : forall h, exists h', any_micros ss h h'.
Proof.
induction ss as [|s ss IH]; intros h; [exists h; reflexivity|]; simpl.
destruct (sums_exist binary32 (dyadic_value (value s) :: map (fun kx =>
    - (fst kx * snd kx)) (combine (values (key_vector s)) h))) as [d sum_d].
destruct (sums_exist binary32 [dyadic_value (strength s) * d]) as [w sum_w].
destruct (Forall2_exists _ _ (fun kx y => any_sum binary32 [snd kx;
    fst kx * w] y) (combine (values (key_vector s)) h)) as [g entries].
  intros kx; apply sums_exist.
destruct (IH g) as [h' rest]; exists h', g; split; [exists d, w; auto|exact rest].
Qed.

Lemma compositions_exist L w f : Forall (fun g => at_ (transitions L) g <> None) (w ++ [f]) -> exists A B,
    composed L (w ++ [f]) A B.
Proof.
revert f; induction w as [|g w IH] using rev_ind; intros f valid; apply Forall_app in valid as [valid last];
  inversion_clear last as [|? ? at_f _]; destruct (at_ (transitions L) f) as [m|] eqn:e; try congruence;
      pose proof (one_map L f m e) as single.
  exists (map values (weights m)), (values (bias m)); exact single.
destruct (IH g valid) as (A1 & B1 & word).
destruct (Forall2_exists _ _ (fun row2 row => Forall2 (fun k x => any_sum binary32 (real_products row2 (map (fun r =>
    nth k r 0) A1)) x)
  (seq 0 (length (first_state L))) row) (map values (weights m))) as [A rows].
  intros row2; apply Forall2_exists; intros k; apply sums_exist.
destruct (Forall2_exists _ _ (fun rb b => any_sum binary32 (snd rb :: real_products (fst rb) B1) b)
  (combine (map values (weights m)) (values (bias m)))) as [B shifts].
  intros rb; apply sums_exist.
exists A, B; exact (two_words _ _ _ _ _ _ _ _ _ word single rows shifts).
Qed.

(** * What depth adds to bistable units: L layers count blocks of equal letters up to L + 1

    After degeeter26, Sec. 4.3.

    - [reads act q w], [state_at act q m t]: one layer after a word, and after t letters of a stream;
    - [words_act_once act], [layers_act_once s]: every word acts as it does twice, in every layer;
    - [depth s], [all_width n b], [output_at q x t]: layers, their widths, the output at letter t;
    - [changes x w], [blocks w], [seen w b]: blocks of equal letters, and those up to the last letter b;
    - [counter k f], [unset k f]: k + 1 layers that count blocks, and their start; [sets], [unit_of], [more]: one layer;
    - [relay k f], [idle k f], [relays]: layers of one unit that settle as late as they can. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From lemmata Require Import stutter bistable_stacks.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.

(** ** Periodic words: a layer settles after p - 1 letters *)

Section Layer.

Variables (M Q : Type) (act : M -> Q -> Q).

Definition reads (q : Q) (w : seq M) : Q := foldl (fun q m => act m q) q w.

(** Every word acts as it does twice. *)
Definition words_act_once := forall w q, reads (reads q w) w = reads q w.

(** The state after t letters of a stream. *)
Definition state_at (q : Q) (m : nat -> M) t := reads q (mkseq m t).

Lemma state_atS q m t : state_at q m t.+1 = act (m t) (state_at q m t).
Proof. by rewrite /state_at mkseqS /reads foldl_rcons. Qed.

(** If the stream has period p from time s on, so has the state once p letters of it were read. *)
Lemma layer_settles q m s p : words_act_once -> (forall t, s <= t -> m (t + p) = m t) ->
  forall t, s + p <= t -> state_at q m (t + p) = state_at q m t.
Proof.
move=> once per t st; pose w := mkseq (fun i => m (t - p + i)) p.
have cut r i : mkseq m (r + i) = mkseq m r ++ mkseq (fun j => m (r + j)) i.
  by rewrite /mkseq iotaD map_cat add0n -[X in iota X i]addn0 iotaDl -map_comp.
have -> : state_at q m t = reads (state_at q m (t - p)) w.
  by rewrite /state_at -{1}(subnK (leq_trans (leq_addl s p) st)) cut /reads foldl_cat.
rewrite -[RHS]once /state_at cut /reads foldl_cat -/(reads _ _); congr foldl.
  by rewrite -{1}(subnK (leq_trans (leq_addl s p) st)) cut /reads foldl_cat.
apply/eq_in_map => i _; rewrite -(per (t - p + i)); first by congr m; lia.
by lia.
Qed.

End Layer.

Section Stack.

Variable L : Type.

Fixpoint depth S (s : mealy_stack L S) : nat :=
  match s with Machine _ _ _ _ => 1 | Over _ _ _ s _ _ => (depth s).+1 end.

Fixpoint layers_act_once S (s : mealy_stack L S) : Prop :=
  match s with
  | Machine _ _ act _ => words_act_once act
  | Over _ _ _ s act _ => layers_act_once s /\ words_act_once act
  end.

(** The output at letter t of a stream, counted from 0. *)
Definition output_at S (s : mealy_stack L S) (q : states s) (x : nat -> L) t : S := output q (mkseq x t) (x t).

(** The top layer reads the outputs below it. *)
Lemma output_above M Q S (s : mealy_stack L M) act (out : Q -> M -> S) (q : states (Over s act out)) x t
  (m := output_at q.1 x) :
  output_at q x t = out (state_at act q.2 m t.+1) (m t).
Proof.
have both u : after_word q (mkseq x u) = (after_word q.1 (mkseq x u), state_at act q.2 m u) :> states (Over s act out).
  elim: u => [|u IH]; first by case: (q).
  rewrite mkseqS /after_word !foldl_rcons -!/(after_word _ _) IH state_atS /m /output_at /output /=.
  by case: (move (x u) _).
rewrite /output_at /output both state_atS /m /output_at /output /=; by case: (move (x t) _).
Qed.

Lemma output_bottom Q S act (out : Q -> L -> S) (q : states (Machine act out)) x t :
  output_at q x t = out (state_at act q x t.+1) (x t).
Proof. by rewrite state_atS. Qed.

Lemma stack_settles S (s : mealy_stack L S) (q : states s) x p :
  layers_act_once s -> (forall t, x (t + p) = x t) ->
  forall t, depth s * p.-1 <= t -> output_at q x (t + p) = output_at q x t.
Proof.
case: p => [|p] once per; first by move=> t _; rewrite addn0.
elim: s q once => [Q T act out|M Q T s IH act out] q /=.
  move=> once t; rewrite mul1n => pt; rewrite !output_bottom per -addSn.
  by rewrite (@layer_settles _ _ act q x 0) // add0n.
case=> below once t; rewrite mulSn => pt; rewrite !output_above -addSn.
have settled u : depth s * p <= u -> output_at q.1 x (u + p.+1) = output_at q.1 x u by apply: IH.
rewrite settled ?(leq_trans (leq_addl _ _) pt) //.
by rewrite (@layer_settles _ _ act q.2 _ (depth s * p)) // addnC addSn ltnS.
Qed.

End Stack.

Section Bistable.

Local Open Scope ring_scope.
Variables (F : realFieldType) (L : Type).

(** All layers have n units. *)
Fixpoint all_width n T (b : bistable F L T) : Prop :=
  match b with Lowest m _ _ _ _ => m = n | Higher _ m _ below _ _ _ => all_width n below /\ m = n end.

Lemma bistable_acts_once fl T (b : bistable F L T) : rounding fl -> layers_act_once (stack_of fl b).
Proof.
case=> fl0 fl2; have once (M : Type) n (z : M -> 'I_n -> bool) v :
  words_act_once (fun x : M => write_rounded fl (z x) (v x)).
  have writes (w : seq M) : w <> [::] -> exists last : 'I_n -> option F,
    forall h, reads (fun x => write_rounded fl (z x) (v x)) h w = \col_i fl (odflt (h i 0) (last i)).
    have one x h i : write_rounded fl (z x) (v x) h i 0 = fl (odflt (h i 0) (if z x i then Some (v x i) else None)).
      by rewrite mxE; case: (z x i); rewrite /= ?subrr ?subr0 ?mul1r ?mul0r fl0 ?addr0 ?add0r fl2.
    elim/last_ind: w => // [[|y w]] x IH _.
      by exists (fun i => if z x i then Some (v x i) else None) => h; apply/matrixP=> i j;
        rewrite ord1 /reads /= one mxE.
    have [//|last e] := IH; exists (fun i => if z x i then Some (v x i) else last i) => h.
    rewrite /reads foldl_rcons -/(reads _ _ _) e; apply/matrixP=> i j; rewrite ord1 one !mxE.
    by case: (z x i) => //=.
  case=> // x w q; have [//|last e] := writes (x :: w); rewrite !e; apply/matrixP=> i j; rewrite !mxE.
  by case: (last i) => //=.
by elim: b => [n U z v out|M n U b IH z v out] /=; [apply: once | split=> //; apply: once].
Qed.

(** On a word of period p the outputs of L layers have period p from letter L (p - 1) on, counted from 0; with rounding
    too. *)
Theorem periodic_words_settle fl T (b : bistable F L T) (s := stack_of fl b) (q : states s) (x : nat -> L) p :
  rounding fl -> (forall t, x (t + p)%N = x t) ->
  forall t, (depth s * p.-1 <= t)%N -> output_at q x (t + p) = output_at q x t.
Proof. by move=> r; apply: stack_settles; apply: bistable_acts_once. Qed.

End Bistable.

(** ** Blocks of equal letters *)

Fixpoint changes (x : bool) (w : seq bool) : nat := if w is y :: v then (x != y) + changes y v else 0.

Definition blocks (w : seq bool) : nat := if w is x :: v then (changes x v).+1 else 0.

Lemma blocks_rcons w y x : blocks (rcons (rcons w y) x) = (y != x) + blocks (rcons w y).
Proof.
have many a v : changes a (rcons (rcons v y) x) = (y != x) + changes a (rcons v y).
  by elim: v a => [|b v IH] a /=; [rewrite !addn0 addnC | rewrite IH addnCA].
by case: w => [|a w] /=; rewrite ?many; lia.
Qed.

Lemma blocks_alternating t : blocks (mkseq odd t) = t.
Proof. by elim: t => [|[|t] IH] //; rewrite !mkseqS blocks_rcons -mkseqS IH /=; case: (odd t). Qed.

(** Where the word last held the letter b, it had so many blocks. *)
Definition seen (w : seq bool) (b : bool) : nat :=
  foldl (fun c x y => if y == x then (c (~~ x)).+1 else c y) (fun=> 0) w b.

Lemma seen_rcons w x y : seen (rcons w x) y = if y == x then (seen w (~~ x)).+1 else seen w y.
Proof. by rewrite /seen foldl_rcons. Qed.

Lemma seen_now w x : seen (rcons w x) x = blocks (rcons w x).
Proof.
elim/last_ind: w x => [|w y IH] x; first by case: x.
rewrite blocks_rcons -IH seen_rcons eqxx; case: eqP => [->|]; 
  first by rewrite seen_rcons; case: (x); rewrite //= seen_rcons.
by case: x; case: y.
Qed.

Lemma seen_other w x : (seen (rcons w x) (~~ x)).+1 = blocks (rcons w x).
Proof. by rewrite -seen_now !seen_rcons eqxx; case: x. Qed.

Lemma seen_close w x : seen w x <= (seen w (~~ x)).+1.
Proof.
elim/last_ind: w => [|w y _]; first by [].
have := seen_other w y; have := seen_now w y; case: (x =P y) => [->|]; first by lia.
by case: x; case: y => // _; rewrite /=; lia.
Qed.

Lemma same_states M M' Q (act : M -> Q -> Q) (act' : M' -> Q -> Q) q m m' t :
  (forall u h, act (m u) h = act' (m' u) h) -> state_at act q m t = state_at act' q m' t.
Proof. by move=> same; elim: t => // t IH; rewrite !state_atS IH same. Qed.

Section Counter.

Local Open Scope ring_scope.
Variable F : realFieldType.

(** Layer k (from 0) has a unit for each letter; on reading a letter and a count it sets the letter's unit if the count
    is above k. *)
Definition sets k (m : bool * nat) (i : 'I_2) : bool := ((i == 1%N :> nat) == m.1) && (k < m.2)%N.

Definition unit_of (b : bool) : 'I_2 := inord b.

(** It hands up the letter, and one more than it read if that is k + 1 and the other letter's unit is set. *)
Definition more k (h : 'cV[F]_2) (m : bool * nat) : bool * nat :=
  (m.1, (m.2 + ((m.2 == k.+1) && (h (unit_of (~~ m.1)) 0%R == 1%R)))%N).

Fixpoint counter k T (f : bool * nat -> T) : bistable F bool T :=
  match k with
  | 0%N => Lowest (fun x => sets 0 (x, 1%N)) (fun _ _ => 1) (fun h x => f (more 0 h (x, 1%N)))
  | j.+1 => Higher (counter j id) (sets k) (fun _ _ => 1) (fun h m => f (more k h m))
  end.

(** All units start at 0. *)
Fixpoint unset k T (f : bool * nat -> T) : states (stack_of id (counter k f)) :=
  match k return states (stack_of id (counter k f)) with 0%N => 0 | j.+1 => (unset j id, 0) end.

Lemma depth_counter k T (f : bool * nat -> T) : depth (stack_of id (counter k f)) = k.+1.
Proof. by elim: k T f => //= k IH T f; rewrite IH. Qed.

Lemma width_counter k T (f : bool * nat -> T) : all_width 2 (counter k f).
Proof. by elim: k T f => //= k IH T f; split. Qed.

(** One layer, on the counts capped at k + 1: its units say in how many blocks their letter was seen. *)
Lemma layer_counts k (x : nat -> bool) (m := fun t => (x t, minn (blocks (mkseq x t.+1)) k.+1)) t i :
  state_at (fun m => write_rounded id (sets k m) (fun=> 1)) 0 m t i 0 =
  ((k < seen (mkseq x t) (i == 1%N :> nat))%N)%:R :> F.
Proof.
elim: t => [|t IH]; first by rewrite mxE.
rewrite state_atS mxE IH /sets /m mkseqS -seen_now /= leq_min ltnSn andbT [in RHS]seen_rcons.
case: eqP => [e|_] /=; last by rewrite mul0r add0r subr0 mul1r.
rewrite e seen_rcons eqxx; set c := seen _ _; set d := seen _ _.
rewrite mulr1; case: (boolP (k < c.+1)%N) => kc; first by rewrite subrr mul0r addr0.
rewrite subr0 mul1r add0r; suff -> : (k < d)%N = false by [].
apply/negP=> kd; move/negP: kc; apply.
exact: leq_trans kd (seen_close _ _).
Qed.

Lemma more_counts k (h : 'cV[F]_2) x d :
  h (unit_of (~~ x)) 0 = (k < d)%N%:R -> more k h (x, minn d.+1 k.+1) = (x, minn d.+1 k.+2).
Proof.
rewrite /more /= => ->; congr pair; case: (ltnP k d) => kd;
  rewrite ?eqxx ?(eq_sym 0) ?oner_eq0 ?andbT ?andbF /=; last by lia.
have -> : minn d.+1 k.+1 == k.+1 by lia.
by rewrite /=; lia.
Qed.

Lemma counter_counts k (x : nat -> bool) t T (f : bool * nat -> T) :
  output_at (unset k f) x t = f (x t, minn (blocks (mkseq x t.+1)) k.+2).
Proof.
have one j u :
  more j (state_at (fun m => write_rounded id (sets j m) (fun=> 1)) 0
      (fun v => (x v, minn (blocks (mkseq x v.+1)) j.+1)) u.+1)
    (x u, minn (blocks (mkseq x u.+1)) j.+1) = (x u, minn (blocks (mkseq x u.+1)) j.+2).
  rewrite [X in minn (blocks X)]mkseqS -seen_other -mkseqS; apply: more_counts.
  rewrite layer_counts inordK ?ltnS ?leq_b1 //; congr (_ < seen _ _)%N%:R.
  by case: (x u).
elim: k t T f => [|k IH] t T f.
  have cap u : minn (blocks (mkseq x u.+1)) 1 = 1%N by rewrite /=; lia.
  rewrite output_bottom -one cap; congr (f (more 0 _ _)).
  by apply: same_states => u h; rewrite cap.
rewrite output_above -one IH; congr (f (more _ _ _)).
by apply: same_states => u h; rewrite IH.
Qed.

End Counter.

Lemma output_word L S (s : mealy_stack L S) (q : states s) w x :
  output q w x = output_at q (nth x (rcons w x)) (size w).
Proof.
rewrite /output_at nth_rcons ltnn eqxx; congr output.
by apply: (@eq_from_nth _ x) => [|i iw]; rewrite ?size_mkseq // nth_mkseq // nth_rcons iw.
Qed.

Lemma word_letters (x : bool) w : mkseq (nth x (rcons w x)) (size w).+1 = rcons w x.
Proof. by rewrite -(size_rcons w x) mkseq_nth. Qed.

Lemma counter_word (F : realFieldType) k T (f : bool * nat -> T) w x :
  output (unset F k f) w x = f (x, minn (blocks (rcons w x)) k.+2).
Proof. by rewrite output_word counter_counts word_letters nth_rcons ltnn eqxx. Qed.

(** L layers of two units count the blocks up to L + 1. *)
Theorem two_units_count (F : realFieldType) L : 0 < L ->
  exists (b : bistable F bool nat) (q : states (stack_of id b)),
    [/\ depth (stack_of id b) = L, all_width 2 b & forall w x, output q w x = minn (blocks (rcons w x)) L.+1].
Proof.
case: L => // L _; exists (counter F L snd), (unset F L snd); split=> [||w x]; first exact: depth_counter.
  exact: width_counter.
exact: counter_word.
Qed.

(** L layers recognise "at least m blocks" iff m <= L + 1. *)
Theorem counting_takes_depth (F : realFieldType) L m : 0 < L ->
  (exists (b : bistable F bool bool) (q : states (stack_of id b)),
     depth (stack_of id b) = L /\ forall w x, output q w x = (m <= blocks (rcons w x))) <->
  m <= L.+1.
Proof.
move=> L0; split=> [[b [q [dL counts]]]|mL].
  rewrite leqNgt; apply/negP=> Lm; have at_ t : output_at q odd t = (m <= t.+1).
    by rewrite /output_at counts -mkseqS blocks_alternating.
  have := @periodic_words_settle F bool id bool b q odd 2 (conj erefl (fun=> erefl)).
  have per t : odd (t + 2) = odd t by rewrite oddD addbF.
  move/(_ per m.-2); rewrite dL muln1 !at_.
  have -> : L <= m.-2 by lia.
  have -> : m <= (m.-2 + 2).+1 by lia.
  have -> : (m <= m.-2.+1) = false by lia.
  by move/(_ isT).
case: L L0 mL => // L _ mL; pose f (xc : bool * nat) := m <= xc.2.
exists (counter F L f), (unset F L f); rewrite depth_counter; split=> // w x.
by rewrite counter_word /f leq_min mL andbT.
Qed.

(** One block more is too many. *)
Theorem not_counting_one_more (F : realFieldType) :
  ~ (forall L, 0 < L -> exists (b : bistable F bool bool) (q : states (stack_of id b)),
       depth (stack_of id b) = L /\ forall w x, output q w x = (L.+2 <= blocks (rcons w x))).
Proof. by move/(_ 1 isT)/counting_takes_depth => /(_ isT). Qed.

(** What L layers say of the number of blocks, on words that begin with the letter false: anything that has period 2
    beyond L. *)
Theorem counted_functions (F : realFieldType) L T (g : nat -> T) : 0 < L ->
  (exists (b : bistable F bool T) (q : states (stack_of id b)),
     depth (stack_of id b) = L /\ forall w x, head x w = false -> output q w x = g (blocks (rcons w x))) <->
  (forall n, L < n -> g (n + 2) = g n).
Proof.
case: L => // L _; split=> [[b [q [dL counts]]] [|n] // Ln|per].
  have at_ t : output_at q odd t = g t.+1.
    by rewrite /output_at counts -?mkseqS ?blocks_alternating //; case: t.
  have per t : odd (t + 2) = odd t by rewrite oddD addbF.
  rewrite addSn -!at_; apply: periodic_words_settle => //.
  by rewrite dL muln1.
pose f (xc : bool * nat) := if xc.2 <= L.+1 then g xc.2 else g (if xc.1 == odd L then L.+3 else L.+2).
exists (counter F L f), (unset F L f); rewrite depth_counter; split=> // w x w0.
have parity : odd (blocks (rcons w x)) = ~~ x.
  elim/last_ind: w x w0 => [|w y IH] x; first by move=> /= ->.
  rewrite blocks_rcons oddD => h; have -> : odd (blocks (rcons w y)) = ~~ y by apply: IH; case: (w) h.
  by case: (x); case: (y).
rewrite counter_word /f; set N := blocks _ in parity *; case: (leqP N L.+1) => NL.
  have -> : minn N L.+2 = N by lia.
  by rewrite /= NL.
have -> : minn N L.+2 = L.+2 by lia.
rewrite /= ltnn; have -> : x = ~~ odd N by rewrite parity negbK.
elim/ltn_ind: {parity} N NL => n IH Ln; case: (ltnP n L.+4) => small.
  have [->|->] : n = L.+2 \/ n = L.+3 by lia.
    by rewrite /= !negbK; case: (odd L).
  by rewrite /= !negbK; case: (odd L).
have -> : n = (n - 2) + 2 by lia.
have few : L.+1 < n - 2 by lia.
by rewrite per // -(IH (n - 2)) ?oddD ?addbF //; lia.
Qed.

(** ** The letters it takes to settle are attained *)

Section Relay.

Local Open Scope ring_scope.
Variables (F : realFieldType) (p : nat).

(** Layer k (from 0) has one unit, set at the letter (k + 1)(p - 1) mod p if the one below is set. *)
Definition relays k (m : nat * bool) : bool := m.2 && (m.1 == k.+1 * p.-1 %% p)%N.

Fixpoint relay k T (f : nat * bool -> T) : bistable F nat T :=
  match k with
  | 0%N => Lowest (fun x (_ : 'I_1) => relays 0 (x, true)) (fun _ _ => 1) (fun h x => f (x, h 0 0 == 1))
  | j.+1 => Higher (relay j id) (fun m (_ : 'I_1) => relays k m) (fun _ _ => 1) (fun h m => f (m.1, h 0 0 == 1))
  end.

Fixpoint idle k T (f : nat * bool -> T) : states (stack_of id (relay k f)) :=
  match k return states (stack_of id (relay k f)) with 0%N => 0 | j.+1 => (idle j id, 0) end.

Lemma depth_relay k T (f : nat * bool -> T) : depth (stack_of id (relay k f)) = k.+1.
Proof. by elim: k T f => //= k IH T f; rewrite IH. Qed.

Lemma width_relay k T (f : nat * bool -> T) : all_width 1 (relay k f).
Proof. by elim: k T f => //= k IH T f; split. Qed.

Lemma relay_layer k t : (0 < p)%N ->
  state_at (fun m => write_rounded id (fun _ : 'I_1 => relays k m) (fun=> 1)) 0
    (fun u => (u %% p, k * p.-1 <= u))%N t 0 0 = (k.+1 * p.-1 < t)%N%:R :> F.
Proof.
move=> p0; elim: t => [|t IH]; first by rewrite mxE.
rewrite state_atS mxE IH /relays /= mulSn ltnS; set A := (k * _)%N.
have -> : (p.-1 + A = A + p.-1)%N by rewrite addnC.
case: (ltngtP t (A + p.-1)%N) => [few|many|->].
- have -> : ((A <= t) && (t %% p == (A + p.-1) %% p))%N = false.
    case: (leqP A t) => //= At; apply/negbTE/negP; have e : t = (A + (t - A))%N by lia.
    by rewrite e eqn_modDl !modn_small; lia.
  by rewrite mul0r add0r subr0 mul1r.
- by case: (_ && _); rewrite /= ?mul0r ?mul1r ?subrr ?subr0 ?mul0r ?mul1r ?addr0 ?add0r.
- by rewrite leq_addr eqxx /= subrr mul0r mulr1 addr0.
Qed.

Lemma relay_says k t T (f : nat * bool -> T) :
  (0 < p)%N -> output_at (idle k f) (fun u => u %% p)%N t = f (t %% p, k.+1 * p.-1 <= t)%N.
Proof.
move=> p0; have bit (b : bool) : (b%:R == 1 :> F) = b by case: b; rewrite ?eqxx // eq_sym oner_eq0.
elim: k t T f => [|k IH] t T f.
  rewrite output_bottom /=; congr (f (_, _)); rewrite -[RHS]bit -ltnS -relay_layer //.
  by congr (fun_of_matrix _ _ _ == _); apply: same_states => u h.
rewrite output_above IH /=; congr (f (_, _)); rewrite -[RHS]bit -ltnS -relay_layer //.
by congr (fun_of_matrix _ _ _ == _); apply: same_states => u h; rewrite IH.
Qed.

End Relay.

(** L layers of one unit that first change at letter L (p - 1), counted from 0, on a word of period p. *)
Theorem settling_is_attained (F : realFieldType) L p : 0 < L -> 0 < p ->
  exists (b : bistable F nat bool) (q : states (stack_of id b)),
    [/\ depth (stack_of id b) = L, all_width 1 b & forall t, output_at q (fun u => u %% p) t = (L * p.-1 <= t)].
Proof.
case: L => // L _ p0; exists (relay F p L snd), (idle F p L snd); split=> [||t]; first exact: depth_relay.
  exact: width_relay.
exact: relay_says.
Qed.

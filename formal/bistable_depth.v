(** * What depth adds to bistable units: L layers count blocks of equal letters up to L + 1

    After degeeter26, Sec. 4.3.

    - [words_act_once m]: every word acts on the states of the machine m as it does twice;
    - [units n l]: the layer l has n units, with one state each;
    - [changes x w], [blocks w], [seen w b]: blocks of equal letters, and those up to the last letter b;
    - [counter k f]: k + 1 layers that count blocks; [sets], [unit_of], [more], [counting k g f]: one of them;
    - [relay k f]: k + 1 layers of one unit that settle as late as they can; [relays], [relaying k g f]: one of them. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From lemmata Require Import models bistable_stacks.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.

(** ** Periodic words: a layer settles after p - 1 letters *)

Section Machine.

Variables (X Y : Type) (m : mealy X Y).

Definition words_act_once : Prop := forall w q, state (mmove m) (state (mmove m) q w) w = state (mmove m) q w.

(** If what it reads has period p from time s on, so has its state once p letters of it were read. *)
Lemma machine_settles q x s p : words_act_once -> (forall t, s <= t -> x (t + p) = x t) ->
  forall t, s + p <= t -> at_time (mmove m) q x (t + p) = at_time (mmove m) q x t.
Proof.
move=> once per t st; pose w := mkseq (fun i => x (t - p + i)) p.
have cut r i : mkseq x (r + i) = mkseq x r ++ mkseq (fun j => x (r + j)) i.
  by rewrite /mkseq iotaD map_cat add0n -[X in iota X i]addn0 iotaDl -map_comp.
have ends : state (mmove m) q (mkseq x t) = state (mmove m) (state (mmove m) q (mkseq x (t - p))) w.
  by rewrite -state_cat -cut subnK // (leq_trans (leq_addl s p)).
rewrite !at_timeE ends -[RHS]once -ends cut state_cat; congr (state _ _ _).
apply/eq_in_map => i _; rewrite -(per (t - p + i)); first by congr x; lia.
by lia.
Qed.

End Machine.

(** L layers, one above the other, settle after L (p - 1) letters. *)
Lemma stack_settles layers (machine : forall X Y, layers X Y -> mealy X Y) X Y (s : stack layers X Y)
    (run := output (signal := fun T => T) (fun X Y l => transduce (machine X Y l)) s) x p :
  every (fun X Y l => words_act_once (machine X Y l)) s -> (forall t, x (t + p) = x t) ->
  forall t, height s * p.-1 <= t -> run x (t + p) = run x t.
Proof.
rewrite {}/run; case: p => [|p] once per; first by move=> t _; rewrite addn0.
elim: s once => [|U W s IH l] //= [/IH below once] t; rewrite mulSn => pt.
have settled u : height s * p <= u -> _ := below u; rewrite /transduce settled ?(leq_trans (leq_addl _ _) pt) //.
congr (mout _ _ _); rewrite -addSn; apply: (machine_settles _ once settled).
by rewrite addnC addSn ltnS.
Qed.

Section Bistable.

Local Open Scope ring_scope.
Variable F : realFieldType.

Lemma writing_acts_once fl X Y (l : affine_layer F X Y) :
  rounding fl -> writing_layer l -> words_act_once (rounded fl l).
Proof.
move=> r [z [v both]]; set act := mmove (rounded fl l).
have one x h i j : act h x i j = fl (if z x i then v x i j else h i j).
  by have [eA eB] := both x; apply: rounded_entry.
have [_ fl2] := r; have last_of w : w <> [::] -> exists last : 'I_(width l) -> 'I_(channels l) -> option F,
    forall h i j, state act h w i j = fl (odflt (h i j) (last i j)).
  elim/last_ind: w => // [[|y w]] x IH _.
    by exists (fun i j => if z x i then Some (v x i j) else None) => h i j; rewrite one; case: (z x i).
  have [//|last e] := IH; exists (fun i j => if z x i then Some (v x i j) else last i j) => h i j.
  by rewrite state_rcons one e; case: (z x i) => //; rewrite fl2.
case=> // x w q; have [//|last e] := last_of (x :: w); apply/matrixP=> i j; rewrite !e.
by case: (last i j) => //=; rewrite fl2.
Qed.

(** On a word of period p the outputs of L layers have period p from letter L (p - 1) on, counted from 0; with rounding
    too. *)
Theorem periodic_words_settle fl X Y (s : affine_stack F X Y) x p :
  rounding fl -> writing_stack s -> (forall t, x (t + p)%N = x t) ->
  forall t, (height s * p.-1 <= t)%N -> rounded_run fl s x (t + p) = rounded_run fl s x t.
Proof.
by move=> r writes; apply: stack_settles; apply: every_implies writes => U W l; apply: (writing_acts_once r).
Qed.

Definition units n X Y (l : affine_layer F X Y) : Prop := width l = n /\ channels l = 1%N.

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

(** All units start at 0; g and f are maps before and after the layer. *)
Definition counting k X Y (g : X -> bool * nat) (f : bool * nat -> Y) : affine_layer F X Y :=
  keeper (fun x => sets k (g x)) (fun=> const_mx 1) (fun h x => f (more k h (g x))).

Fixpoint counter k Y (f : bool * nat -> Y) : affine_stack F bool Y :=
  if k is j.+1 then Above (counter j id) (counting k id f) else Above Input (counting 0 (pair^~ 1%N) f).

Lemma counter_height k Y (f : bool * nat -> Y) : height (counter k f) = k.+1.
Proof. by elim: k Y f => //= k IH Y f; rewrite IH. Qed.

Lemma counter_units k Y (f : bool * nat -> Y) : writing_stack (counter k f) /\ every (@units F 2) (counter k f).
Proof.
elim: k Y f => [|k IH] Y f /=; first by split; split=> //; apply: keeper_writes.
by have [writes two] := IH _ id; split; split=> //; apply: keeper_writes.
Qed.

(** One layer, on the counts capped at k + 1: its units say in how many blocks their letter was seen. *)
Lemma layer_counts k X Y (g : X -> bool * nat) (f : bool * nat -> Y) (y : nat -> X) (x : nat -> bool) t i :
  (forall u, g (y u) = (x u, minn (blocks (mkseq x u.+1)) k.+1)) ->
  at_time (mmove (exact (counting k g f))) 0 y t i 0 = ((k < seen (mkseq x t) (i == 1%N :> nat))%N)%:R :> F.
Proof.
move=> gy; elim: t => [|t IH]; first by rewrite mxE.
rewrite [at_time _ _ _ _]/= [LHS]keeper_step IH /sets gy mkseqS -seen_now /= leq_min ltnSn andbT [in RHS]seen_rcons.
case: eqP => [e|_] //=; rewrite e seen_rcons eqxx mxE; case: ltnP => // kc; congr (nat_of_bool _)%:R.
by apply/negP=> kd; have := leq_trans kd (seen_close _ _); rewrite ltnNge kc.
Qed.

Lemma more_counts k (h : 'cV[F]_2) x d :
  h (unit_of (~~ x)) 0 = (k < d)%N%:R -> more k h (x, minn d.+1 k.+1) = (x, minn d.+1 k.+2).
Proof.
rewrite /more /= => ->; congr pair; case: (ltnP k d) => kd;
  rewrite ?eqxx ?(eq_sym 0) ?oner_eq0 ?andbT ?andbF /=; last by lia.
have -> : minn d.+1 k.+1 == k.+1 by lia.
by rewrite /=; lia.
Qed.

Lemma layer_says k X Y (g : X -> bool * nat) (f : bool * nat -> Y) (y : nat -> X) (x : nat -> bool) t :
  (forall u, g (y u) = (x u, minn (blocks (mkseq x u.+1)) k.+1)) ->
  transduce (exact (counting k g f)) y t = f (x t, minn (blocks (mkseq x t.+1)) k.+2).
Proof.
move=> gy; rewrite /transduce; set h := at_time _ _ _ _; have hE i : h i 0 = _ := @layer_counts k _ _ g f y x t.+1 i gy.
rewrite -[LHS]/(f (more k h (g (y t)))) gy mkseqS -seen_other -mkseqS; congr f; apply: more_counts.
by rewrite hE inordK ?ltnS ?leq_b1 //; case: (x t).
Qed.

Lemma counter_counts k (x : nat -> bool) t Y (f : bool * nat -> Y) :
  exact_run (counter k f) x t = f (x t, minn (blocks (mkseq x t.+1)) k.+2).
Proof.
elim: k t Y f => [|k IH] t Y f; apply: layer_says => u; last exact: IH.
by congr pair; rewrite /=; lia.
Qed.

End Counter.

(** L layers of two units count the blocks up to L + 1. *)
Theorem two_units_count (F : realFieldType) L : 0 < L ->
  exists s : affine_stack F bool nat, [/\ writing_stack s, height s = L, every (@units F 2) s &
    forall x t, exact_run s x t = minn (blocks (mkseq x t.+1)) L.+1].
Proof.
case: L => // L _; have [writes two] := counter_units F L snd; exists (counter F L snd); split=> // [|x t].
  exact: counter_height.
exact: counter_counts.
Qed.

(** L layers recognise "at least m blocks" iff m <= L + 1. *)
Theorem counting_takes_depth (F : realFieldType) L m : 0 < L ->
  (exists s : affine_stack F bool bool, [/\ writing_stack s, height s = L &
     forall x t, exact_run s x t = (m <= blocks (mkseq x t.+1))]) <->
  m <= L.+1.
Proof.
move=> L0; split=> [[s [writes sL counts]]|mL].
  rewrite leqNgt; apply/negP=> Lm; have at_ t : rounded_run id s odd t = (m <= t.+1).
    by rewrite rounded_run_id counts blocks_alternating.
  have per t : odd (t + 2) = odd t by rewrite oddD addbF.
  have := periodic_words_settle (rounding_id F) writes per (t := m.-2); rewrite sL muln1 !at_.
  have -> : L <= m.-2 by lia.
  have -> : m <= (m.-2 + 2).+1 by lia.
  have -> : (m <= m.-2.+1) = false by lia.
  by move/(_ isT).
case: L L0 mL => // L _ mL; pose f (xc : bool * nat) := m <= xc.2; have [writes _] := counter_units F L f.
exists (counter F L f); split=> // [|x t]; first exact: counter_height.
by rewrite counter_counts /f leq_min mL andbT.
Qed.

(** One block more is too many. *)
Theorem not_counting_one_more (F : realFieldType) :
  ~ (forall L, 0 < L -> exists s : affine_stack F bool bool, [/\ writing_stack s, height s = L &
       forall x t, exact_run s x t = (L.+2 <= blocks (mkseq x t.+1))]).
Proof. by move/(_ 1 isT)/counting_takes_depth => /(_ isT). Qed.

(** What L layers say of the number of blocks, on words that begin with the letter false: anything that has period 2
    beyond L. *)
Theorem counted_functions (F : realFieldType) L Y (g : nat -> Y) : 0 < L ->
  (exists s : affine_stack F bool Y, [/\ writing_stack s, height s = L &
     forall x t, x 0 = false -> exact_run s x t = g (blocks (mkseq x t.+1))]) <->
  (forall n, L < n -> g (n + 2) = g n).
Proof.
case: L => // L _; split=> [[s [writes sL counts]] [|n] // Ln|per].
  have at_ t : rounded_run id s odd t = g t.+1 by rewrite rounded_run_id counts ?blocks_alternating.
  have per t : odd (t + 2) = odd t by rewrite oddD addbF.
  rewrite addSn -!at_; apply: (periodic_words_settle (rounding_id F) writes per).
  by rewrite sL muln1.
pose f (xc : bool * nat) := if xc.2 <= L.+1 then g xc.2 else g (if xc.1 == odd L then L.+3 else L.+2).
have [writes _] := counter_units F L f; exists (counter F L f); split=> // [|x t x0]; first exact: counter_height.
have parity : odd (blocks (mkseq x t.+1)) = ~~ x t.
  elim: t => [|t IH]; first by rewrite /= x0.
  by rewrite mkseqS mkseqS blocks_rcons -mkseqS oddD IH; case: (x t); case: (x t.+1).
rewrite counter_counts /f; set N := blocks _ in parity *; case: (leqP N L.+1) => NL.
  have -> : minn N L.+2 = N by lia.
  by rewrite /= NL.
have -> : minn N L.+2 = L.+2 by lia.
rewrite /= ltnn; have -> : x t = ~~ odd N by rewrite parity negbK.
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

Definition relaying k X Y (g : X -> nat * bool) (f : nat * bool -> Y) : affine_layer F X Y :=
  keeper (fun x (_ : 'I_1) => relays k (g x)) (fun=> const_mx 1) (fun h x => f ((g x).1, h 0 0 == 1)).

Fixpoint relay k Y (f : nat * bool -> Y) : affine_stack F nat Y :=
  if k is j.+1 then Above (relay j id) (relaying k id f) else Above Input (relaying 0 (pair^~ true) f).

Lemma relay_height k Y (f : nat * bool -> Y) : height (relay k f) = k.+1.
Proof. by elim: k Y f => //= k IH Y f; rewrite IH. Qed.

Lemma relay_units k Y (f : nat * bool -> Y) : writing_stack (relay k f) /\ every (@units F 1) (relay k f).
Proof.
elim: k Y f => [|k IH] Y f /=; first by split; split=> //; apply: keeper_writes.
by have [writes one] := IH _ id; split; split=> //; apply: keeper_writes.
Qed.

Lemma relay_layer k X Y (g : X -> nat * bool) (f : nat * bool -> Y) (y : nat -> X) t : (0 < p)%N ->
  (forall u, g (y u) = (u %% p, k * p.-1 <= u)%N) ->
  at_time (mmove (exact (relaying k g f))) 0 y t 0 0 = (k.+1 * p.-1 < t)%N%:R :> F.
Proof.
move=> p0 gy; elim: t => [|t IH]; first by rewrite mxE.
rewrite [at_time _ _ _ _]/= [LHS]keeper_step IH /relays gy mxE /= mulSn ltnS; set A := (k * _)%N.
have -> : (p.-1 + A = A + p.-1)%N by rewrite addnC.
case: (ltngtP t (A + p.-1)%N) => [few|many|->].
- have -> // : ((A <= t) && (t %% p == (A + p.-1) %% p))%N = false.
  case: (leqP A t) => //= At; apply/negbTE/negP; have e : t = (A + (t - A))%N by lia.
  by rewrite e eqn_modDl !modn_small; lia.
- by case: ifP.
- by rewrite leq_addr eqxx.
Qed.

Lemma relay_says k t Y (f : nat * bool -> Y) :
  (0 < p)%N -> exact_run (relay k f) (fun u => u %% p)%N t = f (t %% p, k.+1 * p.-1 <= t)%N.
Proof.
move=> p0; have bit (b : bool) : (b%:R == 1 :> F) = b by case: b; rewrite ?eqxx // eq_sym oner_eq0.
have says j X Z (g : X -> nat * bool) (e : nat * bool -> Z) (y : nat -> X) u :
  (forall u, g (y u) = (u %% p, j * p.-1 <= u)%N) ->
  transduce (exact (relaying j g e)) y u = e (u %% p, j.+1 * p.-1 <= u)%N.
  move=> gy; rewrite /transduce; set h := at_time _ _ _ _; have hE : h 0 0 = _ := @relay_layer j _ _ g e y u.+1 p0 gy.
  by rewrite -[LHS]/(e ((g (y u)).1, h 0 0 == 1)) gy hE bit.
elim: k t Y f => [|k IH] t Y f; first exact: says.
by apply: says => u; apply: IH.
Qed.

End Relay.

(** L layers of one unit that first change at letter L (p - 1), counted from 0, on a word of period p. *)
Theorem settling_is_attained (F : realFieldType) L p : 0 < L -> 0 < p ->
  exists s : affine_stack F nat bool, [/\ writing_stack s, height s = L, every (@units F 1) s &
    forall t, exact_run s (fun u => u %% p) t = (L * p.-1 <= t)].
Proof.
case: L => // L _ p0; have [writes one] := relay_units F p L snd; exists (relay F p L snd); split=> // [|t].
  exact: relay_height.
exact: relay_says.
Qed.

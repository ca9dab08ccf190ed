(** * Parallel scans: which operators they serve, at every length, and what they cost

    degeeter26, App. B, Theorems 1 and 2.

    - [prefixes op x s], [loop op s]: all prefixes, from the left;
    - [tree], [leaves t], [value op t]: a bracketing of an array, its elements, its value;
    - [batch op a b]: one batched call;
    - [hillis_steele], [two_sweeps], [pairs_first]: the three scans; [pass], [passes], [up], [down], [evens], [odds],
          [weave]: their parts; [segment op x0 s a m]: the product of m + 1 elements from the a-th on;
    - [loop_calls], [calls], [rounds p]: the sizes of the calls, and the time that they take on p processors;
    - [after_pair], [product ab t], [solution ab t]: the operator on pairs [a, b] of a linear recurrence;
          the product of the a, and the recurrence's t-th value. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From lemmata Require Import models affine.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.

(** ** Three parallel scans, and the loop that they stand for *)

Section Scans.

Variables (T : Type) (op : T -> T -> T).
Implicit Types (x y : T) (s : seq T).

(** The loop: all prefixes, from the left, after a first element. *)
Fixpoint prefixes x s : seq T := x :: (if s is y :: s' then prefixes (op x y) s' else [::]).

Definition loop s : seq T := if s is x :: s' then prefixes x s' else [::].

(** A bracketing of an array: a binary tree with its elements as leaves, in order. *)
Inductive tree := Leaf of T | Node of tree & tree.

Fixpoint leaves t : seq T := match t with Leaf x => [:: x] | Node l r => leaves l ++ leaves r end.

Fixpoint value t : T := match t with Leaf x => x | Node l r => op (value l) (value r) end.

(** One batched call: the operator, entry by entry. *)
Definition batch (a b : seq T) : seq T := [seq op p.1 p.2 | p <- zip a b].

(** Hillis and Steele: full passes, with offsets 1, 2, 4, ... below the length. *)
Definition pass k s : seq T := take k s ++ batch s (drop k s).

Fixpoint passes rounds k s : seq T :=
  if rounds is r.+1 then (if k < size s then passes r k.*2 (pass k s) else s) else s.

Definition hillis_steele s : seq T := passes (size s) 1 s.

(** Blelloch: the array is filled up to 2^k entries with the identity e; sums of aligned blocks
    going up, the prefix before each block going down, then each prefix with its own element. *)
Fixpoint up k s : option T :=
  match k, s with
  | 0, x :: _ => Some x
  | k'.+1, _ => if (up k' (take (2 ^ k') s), up k' (drop (2 ^ k') s)) is (Some a, Some b) then Some (op a b) else None
  | _, _ => None
  end.

Definition after before (a : option T) : T := if a is Some y then op before y else before.

Fixpoint down k before s : seq T :=
  if k is k'.+1
  then down k' before (take (2 ^ k') s) ++ down k' (after before (up k' (take (2 ^ k') s))) (drop (2 ^ k') s)
  else [:: before].

Definition two_sweeps e s : seq T :=
  let k := up_log 2 (size s) in batch (down k e (s ++ nseq (2 ^ k - size s) e)) s.

(** Pairs first (Ladner and Fischer): combine neighbours, scan the pairs, which gives every second prefix, and
    fill in the rest. With the states it returns the sizes of its batched calls; [fuel] bounds the rounds. *)
Fixpoint evens s : seq T := match s with x :: _ :: s' => x :: evens s' | _ => s end.

Definition odds s : seq T := evens (behead s).

Fixpoint weave a b : seq T := match a, b with x :: a', y :: b' => x :: y :: weave a' b' | _, _ => a end.

Fixpoint pairs_first fuel s : seq T * seq nat :=
  if fuel is fuel'.+1 then
    if size s < 2 then (s, [::]) else
    let sums := batch (evens s) (odds s) in
    let: (at_odds, calls) := pairs_first fuel' sums in
    let rest := batch at_odds (behead (evens s)) in
    (weave (take 1 s ++ rest) at_odds, size sums :: calls ++ [seq m <- [:: size rest] | 0 < m])
  else (s, [::]).

(** ... and the loop, one application a call. *)
Fixpoint loop_calls x s : seq T * seq nat :=
  if s is y :: s' then let: (states, calls) := loop_calls (op x y) s' in (x :: states, 1 :: calls) else ([:: x], [::]).

(** ** Products of consecutive elements *)

Lemma size_prefixes x s : size (prefixes x s) = (size s).+1.
Proof. by elim: s x => [|y s IH] x //=; rewrite IH. Qed.

Lemma size_loop s : size (loop s) = size s.
Proof. by case: s => // x s; rewrite /= size_prefixes. Qed.

Lemma nth_prefixesS x0 x s i : i < size s -> nth x0 (prefixes x s) i.+1 = op (nth x0 (prefixes x s) i) (nth x0 s i).
Proof. by elim: s x i => [|y s IH] x [|i] //= le; [case: s {IH le} | rewrite -IH]. Qed.

Lemma size_batch a b : size (batch a b) = minn (size a) (size b).
Proof. by rewrite size_map size_zip. Qed.

Lemma nth_batch x0 a b i : i < size a -> i < size b -> nth x0 (batch a b) i = op (nth x0 a i) (nth x0 b i).
Proof.
move=> ia ib; rewrite (nth_map (x0, x0)); last by rewrite size_zip leq_min ia ib.
by rewrite nth_zip_cond size_zip leq_min ia ib.
Qed.

(** [run s a m]: the product of the m + 1 elements of s from the a-th on. *)
Fixpoint segment x0 s a m : T := if m is m'.+1 then op (segment x0 s a m') (nth x0 s (a + m)) else nth x0 s a.

Lemma nth_loop x0 s i : i < size s -> nth x0 (loop s) i = segment x0 s 0 i.
Proof.
elim: i => [|i IH] lt; first by case: s lt => [|x [|y s]].
by rewrite /= -IH ?add0n 1?ltnW //; case: s lt {IH} => // x s lt; apply: nth_prefixesS.
Qed.

(** An array is the loop's if its entries are these products. *)
Lemma is_loop s p : size p = size s -> (forall x0 i, i < size s -> nth x0 p i = segment x0 s 0 i) -> p = loop s.
Proof.
case: s => [|x s] sp segments; first by move/size0nil: sp.
apply: (@eq_from_nth _ x) => [|i lt]; first by rewrite size_loop.
by rewrite sp in lt; rewrite segments // nth_loop.
Qed.

Section If.

Hypothesis opA : associative op.

Lemma foldl_op x y s : op x (foldl op y s) = foldl op (op x y) s.
Proof. by elim: s y => //= z s IH y; rewrite IH opA. Qed.

(** Every bracketing has the loop's value, by induction on its right factor. *)
Lemma value_is_the_fold t x s : leaves t = x :: s -> value t = foldl op x s.
Proof.
have full u : exists y s', leaves u = y :: s'.
  by elim: u => [y|l [y [s' e]] r _] /=; [exists y, [::] | exists y, (s' ++ leaves r); rewrite e].
elim: t x s => [y|l IHl r IHr] x s /=; first by case=> -> <-.
have [y [sl el]] := full l; have [z [sr er]] := full r.
by rewrite el er (IHl _ _ el) (IHr _ _ er) => -[<- <-]; rewrite foldl_op foldl_cat.
Qed.

Lemma segment_cat x0 s a m k : op (segment x0 s a m) (segment x0 s (a + m.+1) k) = segment x0 s a (m + k.+1).
Proof.
elim: k => [|k IH]; first by rewrite addn1 /= .
by rewrite [in RHS]addnS /= opA IH; congr (op _ (nth _ _ _)); lia.
Qed.

(** *** Hillis and Steele: before the pass with offset k, entry
    i is the product of the last k elements up to the i-th *)

Definition window x0 s k i : T := segment x0 s (i.+1 - k) (i - (i.+1 - k)).

Lemma pass_windows x0 s cur k :
  0 < k -> size cur = size s -> (forall i, i < size s -> nth x0 cur i = window x0 s k i) ->
  forall i, i < size s -> nth x0 (pass k cur) i = window x0 s k.*2 i.
Proof.
move=> k0 sc wins i lt; have take_size : size (take k cur) = minn k (size s) by rewrite size_take sc /minn.
rewrite nth_cat take_size; case: ltnP => ik.
  rewrite nth_take ?wins //; last by lia.
  by rewrite /window (_ : i.+1 - k = i.+1 - k.*2) //; lia.
have -> : i - minn k (size s) = i - k by lia.
rewrite nth_batch ?size_drop ?sc; try lia.
rewrite nth_drop subnKC ?wins; try lia.
rewrite /window; set a := (i - k).+1 - k; have -> : i.+1 - k = a + (i - k - a).+1 by rewrite /a; lia.
have -> : i.+1 - k.*2 = a by rewrite /a; lia.
by rewrite segment_cat (_ : _ + _ = i - a) // /a; lia.
Qed.

Lemma passes_loop s rounds cur k :
  0 < k -> size cur = size s -> (forall x0 i, i < size s -> nth x0 cur i = window x0 s k i) ->
  size s <= k * 2 ^ rounds ->
  passes rounds k cur = loop s.
Proof.
have done k' c : size c = size s -> (forall x0 i, i < size s -> nth x0 c i = window x0 s k' i) ->
  size s <= k' -> c = loop s.
  move=> sc wins big; apply: is_loop => // x0 i lt; rewrite wins // /window.
  by rewrite (_ : i.+1 - k' = 0) ?subn0 //; lia.
elim: rounds cur k => [|r IH] cur k k0 sc wins enough /=; first by apply: (done k) => //; rewrite muln1 in enough.
rewrite sc; case: ltnP => [_|big]; last exact: (done k).
apply: IH; first by rewrite double_gt0.
- by rewrite size_cat size_take size_batch size_drop sc; case: ltnP; lia.
- by move=> x0; apply: pass_windows k0 sc (wins x0).
by rewrite -mul2n -mulnA mulnCA -expnS.
Qed.

Lemma hillis_steele_is_the_loop s : hillis_steele s = loop s.
Proof.
apply: passes_loop => //; first by move=> x0 i _; rewrite /window subSS subn0 subnn.
by rewrite mul1n ltnW // ltn_expl.
Qed.

(** *** Two sweeps: the down-sweep hands each block the product of all that comes before it *)

Lemma after_up k before s : size s = 2 ^ k -> after before (up k s) = foldl op before s /\ up k s <> None.
Proof.
elim: k before s => [|k IH] before s size_s /=; first by case: s size_s => [|x [|]].
have halves : size (take (2 ^ k) s) = 2 ^ k /\ size (drop (2 ^ k) s) = 2 ^ k.
  by rewrite size_take size_drop size_s expnS; split; [case: ltnP|]; lia.
case: halves => /(IH before) [fl nl] /(IH (foldl op before (take (2 ^ k) s))) [fr nr].
case: (up k (take _ s)) fl nl => // a fl _; case: (up k (drop _ s)) fr nr => // b fr _; split=> //.
by rewrite -[in RHS](cat_take_drop (2 ^ k) s) foldl_cat -fr -fl /= opA.
Qed.

Lemma down_is_before x0 k before s :
  size s = 2 ^ k -> size (down k before s) = 2 ^ k /\
  forall i, i < 2 ^ k -> nth x0 (down k before s) i = foldl op before (take i s).
Proof.
elim: k before s => [|k IH] before s size_s /=; first by split=> // -[|] // _; rewrite take0.
have halves : size (take (2 ^ k) s) = 2 ^ k /\ size (drop (2 ^ k) s) = 2 ^ k.
  by rewrite size_take size_drop size_s expnS; split; [case: ltnP|]; lia.
case: halves => sl sr; have [-> _] := after_up before sl.
have [dl nl] := IH before _ sl; have [dr nr] := IH (foldl op before (take (2 ^ k) s)) _ sr.
split=> [|i lt]; first by rewrite size_cat dl dr expnS mul2n addnn.
rewrite nth_cat dl; case: ltnP => il; first by rewrite nl // take_take // ltnW.
rewrite nr; last by move: lt; rewrite expnS; lia.
rewrite -foldl_cat; congr foldl; rewrite -[in RHS](cat_take_drop (2 ^ k) s) take_cat sl ltnNge il /=.
by [].
Qed.

Lemma two_sweeps_is_the_loop e s : left_id e op -> two_sweeps e s = loop s.
Proof.
move=> e1; pose k := up_log 2 (size s); have le : size s <= 2 ^ k by apply: up_logP.
have size_padded : size (s ++ nseq (2 ^ k - size s) e) = 2 ^ k by rewrite size_cat size_nseq subnKC.
apply: is_loop => [|x0 i lt].
  by rewrite size_batch; have [-> _] := down_is_before e e size_padded; rewrite -/k; lia.
have [sd nd] := down_is_before x0 e size_padded.
rewrite nth_batch ?sd -?/k //; last exact: leq_trans le.
rewrite nd; last exact: leq_trans le.
rewrite takel_cat; last exact: ltnW.
elim: i lt => [|i IH] lt; first by rewrite take0 /= e1.
by rewrite (take_nth x0) 1?ltnW // foldl_rcons IH 1?ltnW.
Qed.

(** *** Pairs first: the prefixes of the pairs are every second prefix *)

Lemma size_evens s : size (evens s) = (size s).+1./2.
Proof. by have [m] := ubnP (size s); elim: m s => // m IH [|x [|y s]] //= short; rewrite IH //; lia. Qed.

Lemma nth_evens x0 s i : nth x0 (evens s) i = nth x0 s i.*2.
Proof.
have [m] := ubnP (size s); elim: m s i => // m IH [|x [|y s]] [|i] //= short; rewrite ?nth_nil //.
by rewrite IH //; lia.
Qed.

Lemma size_odds s : size (odds s) = (size s)./2.
Proof. by case: s => // x s; rewrite size_evens. Qed.

Lemma nth_odds x0 s i : nth x0 (odds s) i = nth x0 s i.*2.+1.
Proof. by rewrite nth_evens nth_behead. Qed.

Lemma size_weave a b : size b <= size a <= (size b).+1 -> size (weave a b) = size a + size b.
Proof. by elim: a b => [|x a IH] [|y b] //= le; rewrite ?IH ?addn0 //; lia. Qed.

Lemma nth_weave x0 a b i :
  size b <= size a <= (size b).+1 -> i < size a + size b ->
  nth x0 (weave a b) i = if odd i then nth x0 b i./2 else nth x0 a i./2.
Proof.
elim: a b i => [|x a IH] [|y b] [|[|i]] //=; try by lia.
by rewrite negbK => le lt; rewrite IH //; lia.
Qed.

Lemma segment_pairs x0 s j : j < (size s)./2 -> segment x0 (batch (evens s) (odds s)) 0 j = segment x0 s 0 j.*2.+1.
Proof.
have entry i : i < (size s)./2 -> nth x0 (batch (evens s) (odds s)) i = op (nth x0 s i.*2) (nth x0 s i.*2.+1).
  by move=> lt; rewrite nth_batch ?size_odds ?size_evens ?nth_odds ?nth_evens //; lia.
elim: j => [|j IH] lt; first exact: entry.
by rewrite doubleS [LHS]/= IH 1?ltnW // entry // opA.
Qed.

End If.

(** Numbers of calls, by the length alone. *)
Fixpoint calls fuel n : seq nat :=
  if fuel is f.+1 then if n < 2 then [::] else n./2 :: calls f n./2 ++ [seq m <- [:: n.-1./2] | 0 < m] else [::].

Lemma size_states fuel s : size (pairs_first fuel s).1 = size s /\ (pairs_first fuel s).2 = calls fuel (size s).
Proof.
elim: fuel s => [|fuel IH] s //=; case: ltnP => // two.
have sp : size (batch (evens s) (odds s)) = (size s)./2 by rewrite size_batch size_odds size_evens; lia.
case: (pairs_first fuel _) (IH (batch (evens s) (odds s))) => at_odds c [/= size_odd ->]; rewrite sp in size_odd *.
have sr : size (batch at_odds (behead (evens s))) = (size s).-1./2.
  by rewrite size_batch size_odd size_behead size_evens; lia.
split; last by rewrite sr.
have s1 : size (take 1 s ++ batch at_odds (behead (evens s))) = (size s).-1./2.+1.
  by rewrite size_cat sr size_take two; lia.
by rewrite size_weave s1 size_odd; lia.
Qed.

Lemma pairs_first_is_the_loop fuel s : associative op -> size s <= fuel -> (pairs_first fuel s).1 = loop s.
Proof.
move=> opA; elim: fuel s => [|fuel IH] s short; first by case: s short.
apply: is_loop; first by case: (size_states fuel.+1 s).
move=> x0 i lt; rewrite /=; case: ltnP => [one|two].
  by case: s i one lt {short} => [|x [|]] // [].
have sp : size (batch (evens s) (odds s)) = (size s)./2 by rewrite size_batch size_odds size_evens; lia.
have [size_odd _] := size_states fuel (batch (evens s) (odds s)).
have := IH (batch (evens s) (odds s)); case: (pairs_first fuel _) size_odd => at_odds c /= size_odd -> {c IH};
  last by rewrite sp; lia.
rewrite sp in size_odd; set rest := batch _ (behead (evens s)).
have sr : size rest = (size s).-1./2 by rewrite size_batch size_loop sp size_behead size_evens; lia.
have s1 : size (take 1 s ++ rest) = (size s).-1./2.+1 by rewrite size_cat sr size_take two; lia.
rewrite nth_weave ?s1 ?size_loop ?sp; try lia.
have at_odd j : j < (size s)./2 -> nth x0 (loop (batch (evens s) (odds s))) j = segment x0 s 0 j.*2.+1.
  by move=> lj; rewrite nth_loop ?sp // segment_pairs.
case: ifP => [odd_i|even_i]; first by rewrite at_odd; [congr segment; lia | lia].
have [e|[j e]] : i = 0 \/ exists j, i = j.+1.*2.
  by case: (i./2) (odd_double_half i) => [|j]; rewrite even_i add0n => <-; [left | right; exists j].
  by rewrite e nth_cat size_take; case: (s) two => // x [].
rewrite e doubleK nth_cat size_take two subn1 /= nth_batch ?size_loop ?sp ?size_behead ?size_evens; try lia.
rewrite nth_behead nth_evens at_odd; last lia.
by rewrite doubleS.
Qed.

Lemma loop_calls_are_the_loop x s : loop_calls x s = (prefixes x s, nseq (size s) 1).
Proof. by elim: s x => //= y s IH x; rewrite IH. Qed.

End Scans.

(** ** Theorem 1 *)

Section TheoremOne.

Variables (T : Type) (op : T -> T -> T).

Theorem bracketings_agree_iff_associative :
  (forall t u : tree T, leaves t = leaves u -> value op t = value op u) <-> associative op.
Proof.
split=> [agree a b c|opA t u e].
  exact: (agree (Node (Leaf a) (Node (Leaf b) (Leaf c))) (Node (Node (Leaf a) (Leaf b)) (Leaf c))).
case lt : (leaves t) => [|x s]; last by rewrite (value_is_the_fold opA lt) (value_is_the_fold opA (etrans (esym e) lt)).
suff full (v : tree T) : leaves v <> [::] by case: (full t).
by elim: v => //= l IHl r _; case: (leaves l) IHl.
Qed.

(** Hillis and Steele, only if: at length 3 the last prefix is a (b c). *)
Theorem hillis_steele_iff_associative : (forall s, hillis_steele op s = loop op s) <-> associative op.
Proof.
split=> [right a b c|opA s]; last exact: hillis_steele_is_the_loop.
by case: (right [:: a; b; c]).
Qed.

(** Two sweeps, only if: at length 5 the last prefix is ((a_0 a_1) (a_2 a_3)) a_4; put the identity for a_0 and a_4. *)
Theorem two_sweeps_iff_associative e :
  left_id e op -> right_id e op -> (forall s, two_sweeps op e s = loop op s) <-> associative op.
Proof.
move=> e1 e2; split=> [right a b c|opA s]; last exact: two_sweeps_is_the_loop.
by case: (right [:: e; a; b; c; e]); rewrite !(e1, e2).
Qed.

(** The scan of this library, which pairs neighbours, serves every associative operator. *)
Theorem pairs_first_serves_associative s : associative op -> (pairs_first op (size s) s).1 = loop op s.
Proof. by move=> opA; apply: pairs_first_is_the_loop. Qed.

End TheoremOne.

(** An identity alone is not enough: truncated subtraction, made to have the identity 0. *)
Theorem not_two_sweeps_serve_every_operator :
  ~ (forall (T : Type) (op : T -> T -> T) e, left_id e op -> right_id e op -> forall s, two_sweeps op e s = loop op s).
Proof.
pose op a b := if a == 0 then b else if b == 0 then a else a - b.
by move/(_ _ op 0) => /(_ _ _ [:: 0; 9; 3; 1; 0]) h; have := h (fun _ => erefl) (fun a => ltac:(by case: a)).
Qed.

(** ** How much it costs *)

Section Cost.

Variable T : Type.
Implicit Types (op : T -> T -> T) (s : seq T).

(** On p processors a call of m applications takes the next integer above m / p rounds. *)
Definition rounds p (calls : seq nat) : nat := sumn [seq (m + p.-1) %/ p | m <- calls].

Lemma sumn_calls fuel n : 0 < n -> sumn (calls fuel n) < n.*2.
Proof.
elim: fuel n => [|f IH] n n0 /=; first by lia.
case: (ltnP n 2) => [|two] /=; first by lia.
have half : n./2 + n.-1./2 = n.-1 by lia.
rewrite sumn_cat; have := IH n./2; case: (n.-1./2) half => [|k] /=; lia.
Qed.

Lemma size_calls fuel n : 0 < n -> size (calls fuel n) <= (trunc_log 2 n).*2.
Proof.
elim: fuel n => [|f IH] n n0 //=; case: (ltnP n 2) => // two.
rewrite /= size_cat (trunc_log2S two) doubleS; have := IH n./2.
by case: (n.-1./2) => [|k] /=; lia.
Qed.

Lemma small_calls fuel n m : m \in calls fuel n -> 0 < m <= n./2.
Proof.
elim: fuel n => [|f IH] n //=; case: (ltnP n 2) => // two.
rewrite inE mem_cat => /or3P[/eqP->|/IH|]; try lia.
by case: (ltnP 0 n.-1./2) => // k0; rewrite inE => /eqP->; lia.
Qed.

Lemma ceil_le p m : 0 < p -> p * ((m + p.-1) %/ p) <= m + p.-1.
Proof. by move=> p0; rewrite mulnC leq_trunc_div. Qed.

(** Brent's argument: calls of at most p applications take one round each, the longer ones hardly more than m / p. *)
Lemma rounds_calls fuel n p : 0 < n -> 0 < p -> p * rounds p (calls fuel n) <= 4 * n + 2 * p * (trunc_log 2 p).+1.
Proof.
move=> n0 p0; elim: fuel n n0 => [|f IH] n n0; first by rewrite /rounds /= muln0.
have [few|many] := leqP n p.*2.
  have one k : rounds p (calls k n) <= size (calls k n).
    rewrite /rounds; have : forall m, m \in calls k n -> (m + p.-1) %/ p <= 1.
      by move=> m /small_calls small; rewrite -ltnS ltn_divLR //; lia.
    elim: (calls k n) => //= m c IHc all1; rewrite -add1n leq_add ?all1 ?mem_head // IHc // => m' c'.
    by apply: all1; rewrite inE c' orbT.
  have logs : trunc_log 2 n <= (trunc_log 2 p).+1.
    have two : 1 < p.*2 by lia.
    by have := trunc_log2S two; rewrite doubleK => <-; apply: leq_trunc_log.
  by have := leq_trans (one f.+1) (size_calls f.+1 n0); move: (rounds _ _) => r le; nia.
have two : 1 < n by lia.
have -> : calls f.+1 n = n./2 :: calls f n./2 ++ [seq m <- [:: n.-1./2] | 0 < m] by rewrite /= ltnNge two.
rewrite /rounds [map _ _]/= map_cat [sumn _]/= sumn_cat !mulnDr -/(rounds p (calls f n./2)).
have half : n./2 + n.-1./2 = n.-1 by lia.
have := IH n./2; have := ceil_le n./2 p0; have := ceil_le n.-1./2 p0.
move: (rounds p (calls f n./2)) => r.
by case: (n.-1./2) half => [|k] half /=; rewrite ?addn0 ?muln0; nia.
Qed.

(** All that App. B says of the cost: work, depth, rounds on p processors; and the loop's calls. *)
Theorem cost_of_pairs_first op s p (scan := pairs_first op (size s) s) :
  0 < size s -> 0 < p ->
  [/\ sumn scan.2 < 2 * size s, size scan.2 <= 2 * trunc_log 2 (size s) &
      p * rounds p scan.2 <= 4 * size s + 2 * p * (trunc_log 2 p).+1].
Proof.
move=> s0 p0; have [_ ->] := size_states op (size s) s.
by rewrite !mul2n sumn_calls ?size_calls // -mul2n rounds_calls.
Qed.

Theorem cost_of_the_loop op x s : loop_calls op x s = (loop op (x :: s), nseq (size (x :: s)).-1 1).
Proof. exact: loop_calls_are_the_loop. Qed.

End Cost.

(** The work is not below the number of elements: 4 elements take 4 applications. *)
Theorem not_fewer_applications_than_elements :
  ~ (forall (s : seq nat), 0 < size s -> sumn (pairs_first addn (size s) s).2 < size s).
Proof. by move/(_ [:: 0; 0; 0; 0] isT). Qed.

(** ** First-order linear recurrences: Theorem 2 *)

Section Linear.

Local Open Scope ring_scope.
Variable R : ringType.
Implicit Types (c : R * R) (ab : nat -> R * R).

(** The paper's operator on pairs [a, b]. *)
Definition after_pair c c' : R * R := (c'.1 * c.1, c'.1 * c.2 + c'.2).

Lemma after_pair_associative : associative after_pair.
Proof. by move=> [a b] [a' b'] [a'' b'']; rewrite /after_pair /= !mulrA mulrDr !mulrA addrA. Qed.

(** y_0 = a_0, y_t = a_t y_(t-1), and h_0 = b_0, h_t = a_t h_(t-1) + b_t. *)
Definition product ab t : R := at_time (fun y c => c.1 * y) 1 ab t.+1.

Definition solution ab t : R := at_time (unit_step fst snd) 0 ab t.+1.

Lemma product0 ab : product ab 0 = (ab 0%N).1. Proof. exact: mulr1. Qed.

Lemma solution0 ab : solution ab 0 = (ab 0%N).2. Proof. by rewrite /solution /= /unit_step mulr0 add0r. Qed.

Lemma productS ab t : product ab t.+1 = (ab t.+1).1 * product ab t. Proof. by []. Qed.

Lemma solutionS ab t : solution ab t.+1 = (ab t.+1).1 * solution ab t + (ab t.+1).2. Proof. by []. Qed.

(** Theorem 2: the operator is associative, and the scan of the first T pairs
    holds products and states; and so it is with each parallel scan. *)
Theorem scanned_pairs_are_states ab T :
  let pairs := mkseq ab T in
  [/\ associative after_pair,
      loop after_pair pairs = mkseq (fun t => (product ab t, solution ab t)) T,
      hillis_steele after_pair pairs = loop after_pair pairs,
      two_sweeps after_pair (1, 0) pairs = loop after_pair pairs &
      (pairs_first after_pair T pairs).1 = loop after_pair pairs].
Proof.
move=> pairs; split.
- exact: after_pair_associative.
- apply: (@eq_from_nth _ (1, 0)) => [|t]; rewrite size_loop !size_mkseq // => lt.
  rewrite nth_loop ?size_mkseq // nth_mkseq //; elim: t lt => [|t IH] lt.
    by rewrite [segment _ _ _ _ _]/= nth_mkseq // product0 solution0; case: (ab 0%N).
  rewrite [segment _ _ _ _ _]/= add0n nth_mkseq //.
  by rewrite IH 1?ltnW.
- exact: hillis_steele_is_the_loop after_pair_associative _.
- by apply: (two_sweeps_is_the_loop after_pair_associative) => -[a b]; rewrite /after_pair /= !mulr1 mulr0 add0r.
- by apply: (pairs_first_is_the_loop after_pair_associative); rewrite size_mkseq.
Qed.

(** [a, b] after [a', b'] with a in place of a' in the sum is not associative. *)
Theorem not_other_pairing_is_associative : ~ associative (fun c d : R * R => (c.1 * d.1, c.1 * c.2 + d.2)).
Proof.
move/(_ (0, 0) (1, 1) (0, 0)) => /= -[] _; rewrite !(mul0r, mul1r, addr0, add0r) => /eqP.
by rewrite oner_eq0.
Qed.

End Linear.

(** * The convergent RNN is a scan

    After each step the state is an equilibrium, and a step maps equilibria to equilibria.

    degeeter26, Sec. 3, Eq. 7.

    - [converges u l], [continuous_at f l], [nondecreasing f]: as usual;
    - [settles f h l]: the internal clock, started in h, converges to l;
    - [then_ r s]: maps of {0, 1, ...} as rows of values, r applied first;
    - [after R start t], [row R E t], [first R E start]: the states; a step as places in the lists of equilibria. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From lemmata Require Import models.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.

Section Convergent.

Local Open Scope ring_scope.
Variable F : realFieldType.
Implicit Types (f : F -> F) (h l e : F).

Definition converges (u : nat -> F) l := forall eps, 0 < eps -> exists N, forall n, (N <= n)%N -> `|u n - l| < eps.

Definition continuous_at f l := forall eps, 0 < eps -> exists2 d, 0 < d & forall h, `|h - l| < d -> `|f h - f l| < eps.

Definition nondecreasing f := forall h k, h <= k -> f h <= f k.

(** The internal clock, started in h, converges to l (Eq. 4 with N to infinity). *)
Definition settles f h l := converges (fun n => iter n f h) l.

Lemma close_is_equal l m : (forall eps, 0 < eps -> `|l - m| < eps) -> l = m.
Proof.
move=> close; apply/eqP; rewrite -subr_eq0 -normr_eq0; apply/negPn/negP=> n0.
by have := close `|l - m|; rewrite lt_def n0 normr_ge0 ltxx => /(_ isT).
Qed.

Lemma limit_below u l m : converges u l -> (forall n, u n <= m) -> l <= m.
Proof.
move=> cv below; rewrite leNgt; apply/negP=> ml; have [|N close] := cv (l - m); first by rewrite subr_gt0.
have := close N (leqnn N); rewrite distrC ltr_norml => /andP[_]; rewrite ltr_add2l ltr_opp2 => lt.
by have := below N; rewrite leNgt lt.
Qed.

Lemma limit_above u l m : converges u l -> (forall n, m <= u n) -> m <= l.
Proof.
move=> cv above; rewrite -ler_opp2; apply: (@limit_below (fun n => - u n)) => [eps e0|n]; last by rewrite ler_opp2.
by have [N close] := cv eps e0; exists N => n /close; rewrite -opprD normrN.
Qed.

Lemma limits_ordered u v l m : converges u l -> converges v m -> (forall n, u n <= v n) -> l <= m.
Proof.
move=> cu cv uv; rewrite -subr_ge0; apply: (@limit_above (fun n => v n - u n)) => [eps e0|n]; last by rewrite subr_ge0.
have e2 : 0 < eps / 2%:R by rewrite divr_gt0 ?ltr0n.
have [N Nu] := cu _ e2; have [M Mv] := cv _ e2; exists (maxn N M) => n; rewrite geq_max => /andP[/Nu un /Mv vn].
have -> : v n - u n - (m - l) = (v n - m) - (u n - l).
  by rewrite !opprB addrACA [in RHS]addrC [RHS]addrACA; congr (_ + _); rewrite addrC.
by rewrite (splitr eps) (le_lt_trans (ler_norm_sub _ _)) // ltr_add.
Qed.

Lemma settles_once f h l m : settles f h l -> settles f h m -> l = m.
Proof. by move=> a b; apply/eqP; rewrite eq_le !(limits_ordered a b) ?(limits_ordered b a). Qed.

(** Where the clock ends it stands. *)
Lemma settles_fixed f h l : continuous_at f l -> settles f h l -> f l = l.
Proof.
move=> cont cv; apply: (settles_once (f := f) (h := h)) => // eps e0.
have [d d0 near] := cont _ e0; have [N close] := cv _ d0.
exists N.+1 => -[|n] // Nn; rewrite iterS; apply: near; exact: close.
Qed.

Lemma iter_fixed f e n : f e = e -> iter n f e = e.
Proof. by move=> fe; elim: n => //= n ->. Qed.

Lemma settles_at f e l : f e = e -> settles f e l -> l = e.
Proof.
move=> fe cv; apply: (settles_once cv) => eps e0; exists 0%N => n _.
by rewrite iter_fixed // subrr normr0.
Qed.

Lemma iter_nondecreasing f n : nondecreasing f -> nondecreasing (iter n f).
Proof. by move=> inc h k hk; elim: n => //= n IH; apply: inc. Qed.

Lemma iter_up f h n : nondecreasing f -> h <= f h -> h <= iter n f h.
Proof. by move=> inc up; elim: n => //= n IH; apply: le_trans up (inc _ _ IH). Qed.

Lemma iter_down f h n : nondecreasing f -> f h <= h -> iter n f h <= h.
Proof. by move=> inc down; elim: n => //= n IH; apply: le_trans (inc _ _ IH) down. Qed.

(** For a nondecreasing update the limit is the next equilibrium in the direction of f h - h, and limits keep the order
    of the states. *)
Theorem next_equilibrium f h l : nondecreasing f -> continuous_at f l -> settles f h l ->
  [/\ f l = l,
      h <= f h -> h <= l /\ forall e, f e = e -> h <= e -> l <= e,
      f h <= h -> l <= h /\ forall e, f e = e -> e <= h -> e <= l &
      forall k m, h <= k -> settles f k m -> l <= m].
Proof.
move=> inc cont cv; split=> [|up|down|k m hk kv]; first exact: settles_fixed cont cv.
- split=> [|e fe he]; first by apply: (limit_above cv) => n; apply: iter_up.
  by apply: (limit_below cv) => n; rewrite -(iter_fixed n fe); apply: iter_nondecreasing.
- split=> [|e fe he]; first by apply: (limit_below cv) => n; apply: iter_down.
  by apply: (limit_above cv) => n; rewrite -(iter_fixed n fe); apply: iter_nondecreasing.
by apply: (limits_ordered cv kv) => n; apply: iter_nondecreasing.
Qed.

End Convergent.

(** ** The scan *)

Section Scan.

Local Open Scope ring_scope.
Variable F : realFieldType.

(** A map of {0, 1, ..} as the row of its values, [r] applied first. *)
Definition then_ (r s : seq nat) : seq nat := [seq nth 0%N s i | i <- r].

Lemma then_assoc r s u : all (ltn^~ (size s)) r -> then_ (then_ r s) u = then_ r (then_ s u).
Proof. by move=> /allP inside; rewrite /then_ -map_comp; apply/eq_in_map => i /inside ?; rewrite /= (nth_map 0%N). Qed.

Variables (f R : nat -> F -> F) (E : nat -> seq F) (start : F).

(** h_0 and the states after it: R t is the limit of the clock at step t + 1, E t its equilibria. *)
Definition after t : F := at_time (fun h u => R u h) start id t.

(** The step from E t to E (t + 1), as places in these lists; the first one from the start. *)
Definition row t : seq nat := [seq index (R t.+1 e) (E t.+1) | e <- E t].

Definition first : seq nat := [:: index (R 0 start) (E 0)].

Theorem convergent_rnn_is_a_scan :
  (forall t l, continuous_at (f t) l) -> (forall t h, settles (f t) h (R t h)) ->
  (forall t e, e \in E t <-> f t e = e) ->
  [/\ forall t h, R t h \in E t, forall T, after T.+1 = nth 0 (E T) (nth 0%N (foldl then_ first (mkseq row T)) 0) &
  forall t u, then_ (then_ first (row 0)) u = then_ first (then_ (row 0) u) /\
    then_ (then_ (row t) (row t.+1)) u = then_ (row t) (then_ (row t.+1) u)].
Proof.
move=> cont lim eqs; have inE t h : R t h \in E t by apply/eqs; apply: settles_fixed (lim t h).
have inside t : all (ltn^~ (size (E t.+1))) (row t).
  rewrite all_map; apply/allP => e _; change (index (R t.+1 e) (E t.+1) < size (E t.+1))%N.
  by rewrite index_mem inE.
have sizes t : size (row t) = size (E t) by rewrite size_map.
split=> // [T|t u]; last by split; apply: then_assoc; rewrite sizes ?inside // /first /= index_mem inE.
have [i [iE is_i ->]] :
  exists i, [/\ (i < size (E T))%N, foldl then_ first (mkseq row T) = [:: i] & after T.+1 = nth 0 (E T) i].
  elim: T => [|T [i [iE is_i IH]]].
    by exists (index (R 0 start) (E 0)); rewrite index_mem nth_index inE.
  exists (nth 0%N (row T) i); rewrite mkseqS foldl_rcons is_i; split=> //.
    by have /allP/(_ _ (mem_nth 0%N _)) := inside T; apply; rewrite sizes.
  by rewrite /row (nth_map 0) // nth_index ?inE // -IH.
by rewrite is_i.
Qed.

End Scan.


(** The clock does not always go up: a constant map takes 1 to 0. *)
Theorem not_clock_goes_up (F : realFieldType) :
  ~ (forall (f : F -> F) h l, nondecreasing f -> (forall k, continuous_at f k) -> settles f h l -> h <= l)%R.
Proof.
move=> up; have := up (fun=> 0)%R 1%R 0%R; rewrite ler10 => bad; suff : false by []; apply: bad => //.
- by move=> k eps e0; exists 1%R => [|h _]; rewrite ?ltr01 // subrr normr0.
by move=> eps e0; exists 1%N => -[|n] // _; rewrite iterS subrr normr0.
Qed.

(** * One layer tracks a group through a cover: a finite group of matrices that maps onto it

    New, beside grazzi25, Theorem 3: new.automata.fewest-reflections.covers. Suschkewitsch's idempotent of smallest
    image; the linear parts of the letters on the differences of the states between which they permute.

    - [reach y]: words lead to y; [of_word w], [then_letter f x], [image w]: what a word does to all states, and what
          it leaves of them;
    - [product R w]: the matrices of a word's letters, multiplied, the last letter's first; [value w]: so their
          elements;
    - [span], [dim], [base]: the space of the differences of the states that words permute, its dimension and a base;
          [rowed x], [carried x]: the letter's linear part in that base, on rows and on columns;
    - [tracks_products]: finitely many states, and the state and the last letter determine the product of letters. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import zify.
From lemmata Require Import models affine.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** Finite automata: what words reach *)

Section Reach.

Variables (X Y : finType) (act : Y -> X -> Y) (y0 : Y).

Definition reach (y : Y) : bool := connect [rel a c | [exists x, act a x == c]] y0 y.

Lemma reachP y : reflect (exists w, foldl act y0 w = y) (reach y).
Proof.
apply: (iffP connectP) => [[p pth ->]|[w <-]].
  elim/last_ind: p pth => [|p z IH]; first by exists [::].
  rewrite rcons_path last_rcons => /andP[/IH[w e] /existsP[x /eqP <-]].
  by exists (rcons w x); rewrite foldl_rcons e.
elim/last_ind: w => [|w x [p pth e]]; first by exists [::].
exists (rcons p (act (last y0 p) x)); last by rewrite last_rcons foldl_rcons e.
by rewrite rcons_path pth; apply/existsP; exists x.
Qed.

End Reach.

Section Automaton.

Variables (X Q : finType) (delta : Q -> X -> Q).

Local Notation runs := (state delta).

Definition of_word (w : seq X) : {ffun Q -> Q} := [ffun q => runs q w].
Definition then_letter (f : {ffun Q -> Q}) (x : X) : {ffun Q -> Q} := [ffun q => delta (f q) x].

Lemma of_wordE w : of_word w = foldl then_letter [ffun q => q] w.
Proof.
elim/last_ind: w => [|w x IH]; first by apply/ffunP => q; rewrite !ffunE.
by rewrite foldl_rcons -IH; apply/ffunP => q; rewrite !ffunE state_rcons.
Qed.

Definition image (w : seq X) : {set Q} := [set runs q w | q : Q].

Lemma smallest_image : exists w, forall v, (#|image w| <= #|image v|)%N.
Proof.
pose size (f : {ffun Q -> Q}) := #|[set f q | q : Q]|.
have sizeE w : size (of_word w) = #|image w|.
  by congr #|pred_of_set _|; apply: eq_imset => q; rewrite ffunE.
have start : reach then_letter [ffun q => q] [ffun q => q] by apply/reachP; exists [::].
case: (arg_minnP size start) => f /reachP[w ef] least.
exists w => v; rewrite -!sizeE of_wordE ef; apply: least.
by apply/reachP; exists v; rewrite of_wordE.
Qed.

Lemma returns (T : finType) (J : {set T}) (f : T -> T) : (forall q, q \in J -> f q \in J) ->
  {in J &, ssrfun.injective f} ->
  exists N, forall q, q \in J -> iter N.+1 f q = q.
Proof.
move=> stays inj; pose g q := if q \in J then f q else q.
have gJ q : (g q \in J) = (q \in J) by rewrite /g; case: ifP => // qJ; rewrite ?qJ ?stays.
have g_inj : ssrfun.injective g.
  move=> p q e; have := gJ p; rewrite e gJ => pq; move: e; rewrite /g -pq; case: ifP => // qJ.
  by apply: inj; rewrite -?pq.
have pos : (0 < #[perm g_inj]%g)%N by apply: order_gt0.
exists #[perm g_inj]%g.-1 => q qJ; rewrite prednK //.
have : (perm g_inj ^+ #[perm g_inj])%g q = q by rewrite expg_order perm1.
rewrite permX => fixed; rewrite -{2}fixed.
elim: (#[_]%g) q qJ {fixed pos} => // k IH q qJ; rewrite !iterSr permE {2}/g qJ; apply: IH; exact: stays.
Qed.

(** A word that acts as an idempotent of smallest image: between its images all words permute. *)
Lemma idempotent_word : exists e, (forall q, runs (runs q e) e = runs q e) /\
  forall v q q', q \in image e -> q' \in image e -> runs q (v ++ e) = runs q' (v ++ e) -> q = q'.
Proof.
have [w least] := smallest_image.
have injective v : {in image w &, injective (fun q => runs q (v ++ w))}.
  apply/imset_injP; rewrite eqn_leq leq_imset_card /=.
  apply: leq_trans (least (w ++ v ++ w)) _; apply: subset_leq_card; apply/subsetP => _ /imsetP[q _ ->].
  by rewrite state_cat; apply: imset_f; apply: imset_f.
have inside v q : runs q (v ++ w) \in image w by rewrite state_cat; apply: imset_f.
pose g q := if q \in image w then runs q w else q.
have gI q : (g q \in image w) = (q \in image w).
  by rewrite /g; case: ifP => // _; have := inside [::] q.
have g_inj : ssrfun.injective g.
  move=> p q e; have := gI p; rewrite e gI => pq; move: e; rewrite /g -pq; case: ifP => // qI.
  by apply: (injective [::]); rewrite -?pq.
pose N := #[perm g_inj]%g.
pose e := flatten (nseq N w).
have eI q : q \in image w -> runs q e = q.
  move=> qI; have : (perm g_inj ^+ N)%g q = q by rewrite expg_order perm1.
  rewrite permX => fixed; rewrite -{2}fixed /e.
  elim: (N) q qI {fixed} => // k IH q qI; rewrite iterSr /= state_cat permE {2}/g qI; apply: IH.
  by have := inside [::] q.
have eE q : runs q e \in image w.
  have : (0 < N)%N by apply: order_gt0.
  rewrite /e; case: (N) => // k _; elim: k q => [|k IH] q; first by rewrite /= cats0; have := inside [::] q;
    rewrite /= => ->.
  by rewrite [nseq _ _]/= [flatten _]/= state_cat; apply: IH.
have same : image e = image w.
  apply/setP => q; apply/imsetP/idP => [[p _ ->]|qI]; first exact: eE.
  by exists q => //; rewrite eI.
exists e; split=> [q|v q q']; first by rewrite eI.
rewrite same => qI q'I; rewrite !state_cat => eq.
have pos : (0 < N)%N by apply: order_gt0.
have [u eu] : exists u, e = u ++ w.
  rewrite /e; case: (N) pos => // k _; exists (flatten (nseq k w)).
  by rewrite -addn1 nseqD flatten_cat /= cats0.
by apply: (injective (v ++ u)) => //; rewrite -catA -eu !state_cat.
Qed.

End Automaton.
(** ** The linear parts on the differences of states *)

Section Differences.

Variables (F : realFieldType) (m d : nat) (X Q : finType) (delta : Q -> X -> Q) (st : Q -> 'M[F]_(m, d)).
Variables (M : X -> 'M[F]_m) (I : {set Q}) (q1 : Q).
Hypothesis st_injective : ssrfun.injective st.
Hypothesis q1I : q1 \in I.
Hypothesis inside : forall q x, q \in I -> delta q x \in I.
Hypothesis separate : forall x, {in I &, ssrfun.injective (fun q => delta q x)}.
Hypothesis linear_part : forall q p x, q \in I -> p \in I -> st (delta q x) - st (delta p x) = M x *m (st q - st p).

Local Notation after := (state delta).

Definition product n (R : X -> 'M[F]_n) (w : seq X) : 'M[F]_n := transitions R w.

Lemma product_rcons n (R : X -> 'M[F]_n) w x : product R (rcons w x) = R x *m product R w.
Proof. exact: transitions_rcons. Qed.

Lemma run_inside w q : q \in I -> after q w \in I.
Proof. by move=> qI; elim/last_ind: w => // w x IH; rewrite state_rcons inside. Qed.

Lemma run_separate w : {in I &, ssrfun.injective (fun q => after q w)}.
Proof.
move=> q p qI pI; elim/last_ind: w => // w x IH; rewrite !state_rcons => e.
by apply: IH; apply: separate e; apply: run_inside.
Qed.

Lemma run_linear w q p : q \in I -> p \in I -> st (after q w) - st (after p w) = product M w *m (st q - st p).
Proof.
move=> qI pI; elim/last_ind: w => [|w x IH]; first by rewrite mul1mx.
by rewrite product_rcons -mulmxA -IH !state_rcons linear_part //; apply: run_inside.
Qed.

Lemma run_sum w : \sum_(q in I) st (after q w) = \sum_(q in I) st q.
Proof.
have back : (fun q => after q w) @: I = I.
  apply/eqP; rewrite eqEcard (card_in_imset (@run_separate w)) leqnn andbT.
  by apply/subsetP => _ /imsetP[q qI ->]; apply: run_inside.
by rewrite -{2}back big_imset //; apply: run_separate.
Qed.

(** The span of the differences, as rows. *)
Definition span : 'M[F]_m := (\sum_(q in I) <<(st q - st q1)^T>>)%MS.

Lemma in_span q : q \in I -> ((st q - st q1)^T <= span)%MS.
Proof. by move=> qI; rewrite -(genmxE (st q - st q1)^T); apply: (sumsmx_sup q). Qed.

Lemma kills_span (N : 'M[F]_m) : (forall q, q \in I -> (st q - st q1)^T *m N = 0) -> span *m N = 0.
Proof.
move=> kills; apply/eqP; rewrite -sub_kermx; apply/sumsmx_subP => q qI.
by rewrite genmxE sub_kermx kills.
Qed.

Definition dim := \rank span.
Definition base : 'M[F]_(dim, m) := row_base span.

Lemma base_free : row_free base. Proof. exact: row_base_free. Qed.
Lemma base_span : (base :=: span)%MS. Proof. exact: eq_row_base. Qed.

Lemma kills_base (N : 'M[F]_m) : (forall q, q \in I -> (st q - st q1)^T *m N = 0) -> base *m N = 0.
Proof. by move=> kills; apply/eqP; rewrite -sub_kermx base_span sub_kermx kills_span. Qed.

Definition rowed (x : X) : 'M[F]_dim := base *m (M x)^T *m pinvmx base.
Definition carried (x : X) : 'M[F]_dim := (rowed x)^T.

Lemma span_stable x : (base *m (M x)^T <= base)%MS.
Proof.
rewrite base_span (eqmxMr _ base_span).
rewrite sumsmxMr; apply/sumsmx_subP => q qI.
have near : (<<(st q - st q1)^T>> *m (M x)^T <= (st q - st q1)^T *m (M x)^T)%MS by rewrite submxMr // genmxE.
apply: submx_trans near _.
rewrite -trmx_mul -linear_part //.
have -> : st (delta q x) - st (delta q1 x) = (st (delta q x) - st q1) -
  (st (delta q1 x) - st q1) by rewrite opprB addrA subrK.
by rewrite linearB /= addmx_sub ?eqmx_opp ?in_span ?inside.
Qed.

Lemma rowedE x : rowed x *m base = base *m (M x)^T.
Proof. exact: (mulmxKpV (span_stable x)). Qed.

Lemma carriedE w : (product carried w)^T *m base = base *m (product M w)^T.
Proof.
elim/last_ind: w => [|w x IH]; first by rewrite /= !trmx1 mul1mx mulmx1.
by rewrite !product_rcons !trmx_mul trmxK -mulmxA rowedE mulmxA IH -mulmxA.
Qed.

Lemma base_cancel k (N N' : 'M[F]_(k, dim)) : N *m base = N' *m base -> N = N'.
Proof. by move/(row_free_inj base_free). Qed.

(** Equal products of linear parts come from equal maps. *)
Lemma carried_runs w w' : product carried w = product carried w' -> after q1 w = after q1 w'.
Proof.
move=> same; apply: st_injective.
have null : base *m (product M w - product M w')^T = 0.
  by rewrite linearB /= mulmxBr -!carriedE same subrr.
have equal q : q \in I -> product M w *m (st q - st q1) = product M w' *m (st q - st q1).
  move=> qI; apply/eqP; rewrite -subr_eq0 -mulmxBl -(inj_eq (@trmx_inj _ _ _)) trmx0 trmx_mul.
  have /submxP[C ->] : ((st q - st q1)^T <= base)%MS by rewrite base_span in_span.
  by rewrite -mulmxA null mulmx0.
have shift q : q \in I -> st (after q w) - st (after q w') = st (after q1 w) - st (after q1 w').
  move=> qI; have := equal q qI; rewrite -!run_linear // => e.
  move/eqP: e; rewrite subr_eq => /eqP ->.
  by rewrite -[X in X - _]addrA [X in X - _]addrC addrK addrC.
have : \sum_(q in I) (st (after q w) - st (after q w')) = 0 by rewrite sumrB !run_sum subrr.
rewrite (eq_bigr _ shift) sumr_const => /eqP; rewrite -scaler_nat scaler_eq0 pnatr_eq0.
have /negPf -> : #|I| != 0%N by rewrite -lt0n; apply/card_gt0P; exists q1.
by rewrite /= subr_eq0 => /eqP.
Qed.

(** Equal maps have equal products of linear parts. *)
Lemma runs_carried w w' : {in I, forall q, after q w = after q w'} -> product carried w = product carried w'.
Proof.
move=> same; apply: trmx_inj; apply: base_cancel; rewrite !carriedE; apply/eqP; rewrite -subr_eq0 -mulmxBr -linearB /=.
apply/eqP; apply: kills_base => q qI; rewrite -trmx_mul mulmxBl -!run_linear // !same // subrr trmx0 //.
Qed.

(** Each letter comes back, so its linear part is invertible. *)
Lemma carried_unit x : carried x \in unitmx.
Proof.
have [N fixed] := returns (fun q qI => inside x qI) (@separate x).
have runE k q : after q (nseq k x) = iter k (fun q => delta q x) q.
  by elim: k q => // k IH q; rewrite iterSr -IH.
have same : product carried (nseq N.+1 x) = product carried [::].
  by apply: runs_carried => q qI; rewrite runE fixed.
have e : nseq N.+1 x = rcons (nseq N x) x by rewrite -cats1 -(addn1 N) nseqD.
by move: same; rewrite e product_rcons => /mulmx1_unit[].
Qed.

Lemma carried_finite : exists T : seq 'M[F]_dim, forall w, product carried w \in T.
Proof.
suff [T known] : exists T : seq 'M[F]_dim, forall w, of_word delta w \in enum {ffun Q -> Q} -> product carried w \in T.
  by exists T => w; apply: known; rewrite mem_enum.
elim: (enum _) => [|f fs [T known]]; first by exists [::].
have [/reachP[v ev]|none] := boolP (reach (then_letter delta) [ffun q => q] f).
  exists (product carried v :: T) => w; rewrite !in_cons => /orP[/eqP ew|/known ->]; last by rewrite orbT.
  rewrite (@runs_carried w v) ?eqxx // => q _.
  by have := congr1 (fun g : {ffun Q -> Q} => g q) ew; rewrite -ev -of_wordE !ffunE.
exists T => w; rewrite in_cons => /orP[/eqP ew|]; last exact: known.
by case/negP: none; apply/reachP; exists w; rewrite -of_wordE.
Qed.

(** A letter that is A after what is the identity here differs from the identity by no more than A does. *)
Lemma carried_rank (E A : 'M[F]_m) x : M x = E *m A -> (forall q, q \in I -> E *m (st q - st q1) = st q - st q1) ->
  (\rank (carried x - 1%:M)%R <= \rank (A - 1%:M)%R)%N.
Proof.
move=> ME fixes.
have Eb : base *m E^T = base.
  apply/eqP; rewrite -subr_eq0 -{2}[base]mulmx1 -mulmxBr; apply/eqP; apply: kills_base => q qI.
  by rewrite mulmxBr mulmx1 -trmx_mul fixes // subrr.
have -> : carried x - 1%:M = (rowed x - 1%:M)^T by rewrite linearB /= trmx1.
rewrite mxrank_tr -(mxrankMfree _ base_free) mulmxBl rowedE mul1mx ME trmx_mul mulmxA.
rewrite -{2}Eb -mulmxBl; apply: leq_trans (mxrankM_maxl _ _) _.
rewrite -{2}[base]mulmx1 -mulmxBr; apply: leq_trans (mxrankM_maxr _ _) _.
by rewrite -mxrank_tr linearB /= trmxK trmx1.
Qed.

End Differences.

(** ** The theorem *)

Section Layer.

Variables (F : realFieldType) (m d : nat) (X : finType) (A : X -> 'M[F]_m) (b : X -> 'M[F]_(m, d)) (h0 : 'M[F]_(m, d)).

Local Notation after := (state (step A b) h0).

Variables (gT : finGroupType) (el : X -> gT).

(** The product of the letters, the last one outermost. *)
Definition value (w : seq X) : gT := state (fun g x => (el x * g)%g) 1%g w.

(** The state has finitely many values, and the state and the last letter determine the product of the letters. *)
Definition tracks_products := (exists S : seq 'M[F]_(m, d), forall w, after w \in S) /\
  forall u v x, after (rcons u x) = after (rcons v x) -> value (rcons u x) = value (rcons v x).

Lemma value_rcons w x : value (rcons w x) = (el x * value w)%g.
Proof. exact: state_rcons. Qed.

Lemma value_cat u v : value (u ++ v) = (value v * value u)%g.
Proof.
elim/last_ind: v => [|v x IH]; first by rewrite cats0 mul1g.
by rewrite -rcons_cat !value_rcons IH mulgA.
Qed.

Lemma state_value : tracks_products -> forall u v, after u = after v -> value u = value v.
Proof.
move=> [_ decodes] u v same.
have next (x : X) : value u = value v.
  have : value (rcons u x) = value (rcons v x) by apply: decodes; rewrite !state_rcons same.
  by rewrite !value_rcons => /mulgI.
by case: u v same next => [|x u] [|y v] // _ next; [apply: (next y)|apply: (next x)..].
Qed.

Lemma product_cat n (R : X -> 'M[F]_n) u v : product R (u ++ v) = product R v *m product R u.
Proof. exact: transitions_cat. Qed.

Lemma one_layer_carries_a_cover r : tracks_products -> (forall x, (\rank (A x - 1%:M)%R <= r)%N) ->
  exists n (R : X -> 'M[F]_n), [/\ forall x, (\rank (R x - 1%:M)%R <= r)%N, forall x, R x \in unitmx,
    exists T : seq 'M[F]_n, forall w, product R w \in T & forall w w', product R w = product R w' ->
      value w = value w'].
Proof.
move=> tracked small; have determined := state_value tracked; case: tracked => [[S closed] _].
pose y0 : seq_sub S := SeqSub (closed [::]).
pose act (y : seq_sub S) (x : X) : seq_sub S := insubd y (step A b (val y) x).
have actE w : val (foldl act y0 w) = after w.
  elim/last_ind: w => // w x IH; rewrite foldl_rcons state_rcons.
  rewrite val_insubd -IH (_ : step A b _ x \in S) //.
  by rewrite IH -(state_rcons (step A b) h0 w x); apply: closed.
pose Q := {y : seq_sub S | reach act y0 y}.
have go (q : Q) x : reach act y0 (act (val q) x).
  by have /reachP[w e] := valP q; apply/reachP; exists (rcons w x); rewrite foldl_rcons e.
pose delta (q : Q) x : Q := Sub (act (val q) x) (go q x).
have start : reach act y0 y0 by apply/reachP; exists [::].
pose q0 : Q := Sub y0 start.
pose st (q : Q) : 'M[F]_(m, d) := val (val q).
have runE w : val (state delta q0 w) = foldl act y0 w.
  by elim/last_ind: w => // w x IH; rewrite state_rcons foldl_rcons /= IH.
have stE w : st (state delta q0 w) = after w by rewrite /st runE actE.
have st_inj : ssrfun.injective st by move=> q q' e; do 2!apply: val_inj.
have deltaE q x : st (delta q x) = step A b (st q) x.
  have /reachP[w e] := valP q.
  have -> : q = state delta q0 w by apply: val_inj; rewrite runE.
  by rewrite stE -[delta _ x](state_rcons delta q0 w x) stE state_rcons.
have linear w q p : st (state delta q w) - st (state delta p w) = product A w *m (st q - st p).
  by rewrite !(state_map _ _ deltaE) state_stepB.
have [e [twice separate]] := idempotent_word delta.
pose I := image delta e; pose q1 := state delta q0 e.
have q1I : q1 \in I by apply: imset_f.
pose delta' q x := state delta q (x :: e).
have inside q x : q \in I -> delta' q x \in I.
  by move=> _; rewrite /delta' -cat1s state_cat; apply: imset_f.
have separate' x : {in I &, ssrfun.injective (fun q => delta' q x)}.
  by move=> q p qI pI; apply: (separate [:: x]).
pose M x := product A (x :: e).
have linear' q p x : q \in I -> p \in I -> st (delta' q x) - st (delta' p x) = M x *m (st q - st p) by move=> _ _;
  apply: linear.
pose R := carried st M I q1.
have runs' w : state delta' q1 w = state delta q1 (flatten [seq x :: e | x <- w]).
  elim/last_ind: w => // w x IH.
  by rewrite map_rcons -[rcons (map _ _) _]cats1 flatten_cat state_cat -IH /= cats0 state_rcons.
have e1 : value e = 1%g.
  have : value (e ++ e) = value e by apply: determined; rewrite -!stE state_cat twice.
  by rewrite value_cat => /eqP; rewrite -{3}[value e]mulg1 (inj_eq (mulgI _)) => /eqP.
have lifted w : value (e ++ flatten [seq x :: e | x <- w]) = value w.
  elim/last_ind: w => [|w x IH]; first by rewrite cats0.
  rewrite map_rcons -[rcons (map _ _) _]cats1 flatten_cat catA value_cat IH /= cats0 value_rcons -cat1s value_cat e1
    mul1g.
  by rewrite /value /= mulg1.
exists (dim st I q1), R; split.
- move=> x; apply: leq_trans (small x);
    apply: (@carried_rank _ _ _ _ _ delta' st M I q1 q1I inside linear' (product A e)).
    by rewrite /M -cat1s product_cat /product /transitions /= mulmx1.
  move=> q /imsetP[p _ ->]; rewrite -linear /q1 !twice //.
- by move=> x; apply: (@carried_unit _ _ _ _ _ delta' st M I q1 q1I inside separate' linear').
- exact: (@carried_finite _ _ _ _ _ delta' st M I q1 q1I inside linear').
move=> w w' same; rewrite -(lifted w) -(lifted w'); apply: determined.
rewrite -!stE !state_cat -!runs'; congr (st _).
exact: (@carried_runs _ _ _ _ _ delta' st M I q1 st_inj q1I inside separate' linear' w w' same).
Qed.

End Layer.

(** A layer whose transitions differ from the identity by rank r at most tracks the letters iff invertible matrices that
    generate a finite group, which maps onto that of the letters, do. *)
Theorem covers (F : realFieldType) (X : finType) (gT : finGroupType) (el : X -> gT) r :
  (exists m d (A : X -> 'M[F]_m) (b : X -> 'M[F]_(m, d)) (h0 : 'M[F]_(m, d)),
    tracks_products A b h0 el /\ forall x, (\rank (A x - 1%:M)%R <= r)%N) <->
  exists n (R : X -> 'M[F]_n), [/\ forall x, (\rank (R x - 1%:M)%R <= r)%N, forall x, R x \in unitmx,
    exists T : seq 'M[F]_n, forall w, product R w \in T &
    forall w w', product R w = product R w' -> value el w = value el w'].
Proof.
split=> [[m [d [A [b [h0 [tracked small]]]]]]|[n [R [small _ [T closed] determined]]]].
  exact: (one_layer_carries_a_cover tracked small).
exists n, n, R, (fun _ => 0), 1%:M; split=> //.
have stateE w : state (step R (fun _ => 0)) (1%:M : 'M[F]_n) w = product R w.
  elim/last_ind: w => // w x IH; rewrite state_rcons IH product_rcons /step.
  by rewrite addr0.
split; first by exists T => w; rewrite stateE.
by move=> u v x; rewrite !stateE => /determined.
Qed.

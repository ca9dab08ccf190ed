(** * Layers of norm at most 1 with finitely many exact states: what one of them tells apart

    New, beside grazzi25, Theorem 4. The linear parts of words that act idempotently are orthogonal projections, and
    these commute. So a product z of such words does to a state what it does after any product of the same words;
    in particular e f e acts as f e. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import models householder classes automata.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** Sequences in a finite set *)

Section Finite.

Variable T : eqType.
Implicit Types (s : seq T) (g : nat -> T) (f : T -> T).

Lemma sequence_repeats g s : (forall k, g k \in s) -> exists i j, [/\ (i < j)%N, (j <= size s)%N & g i = g j].
Proof.
move=> stays; pose values := [seq g k | k <- iota 0 (size s).+1].
have size_values : size values = (size s).+1 by rewrite size_map size_iota.
have : ~~ uniq values.
  apply/negP=> /uniq_leq_size le; have : (size values <= size s)%N by apply: le => _ /mapP[k _ ->].
  by rewrite size_values ltnn.
case/(uniqPn (g 0%N)) => i [j [ij]]; rewrite size_values ltnS => js.
have nth_values k : (k <= size s)%N -> nth (g 0%N) values k = g k.
  by move=> ks; rewrite (nth_map 0%N) ?size_iota // nth_iota.
rewrite !nth_values // ?(leq_trans (ltnW ij)) // => e.
by exists i, j.
Qed.

(** On what stays among N states, the power number N! of every map is idempotent. *)
Lemma factorial_power_idempotent f x s (n := (size s)`!) : (forall k, iter k f x \in s) ->
  iter (n + n) f x = iter n f x.
Proof.
move=> stays; have [i [j [ij js e]]] := sequence_repeats stays.
have later k : (i <= k)%N -> iter (k + (j - i)) f x = iter k f x.
  move=> ik; rewrite -(subnK ik) -addnA (subnKC (ltnW ij)) !iterD e.
  by [].
have again c k : (i <= k)%N -> iter (k + c * (j - i)) f x = iter k f x.
  move=> ik; elim: c => [|c IH]; first by rewrite mul0n addn0.
  by rewrite mulSnr addnA later ?IH // (leq_trans ik) // leq_addr.
have n_ge : (i <= n)%N by apply: leq_trans (fact_geq _); apply: leq_trans js; apply: ltnW.
have /dvdnP[c nc] : (j - i %| n)%N by apply: dvdn_fact; rewrite subn_gt0 ij (leq_trans (leq_subr _ _)).
by rewrite {2}nc again.
Qed.

End Finite.

(** A word n times. *)
Fixpoint repeated X n (w : seq X) : seq X := if n is n'.+1 then w ++ repeated n' w else [::].

(** ** Orthogonal projections *)

Section Form.

Variables (F : realFieldType) (m : nat) (G : 'M[F]_m).
Implicit Types (x y : 'cV[F]_m) (A P Q : 'M[F]_m).

Definition form x y : F := (x^T *m G *m y) 0 0.

(** One inner product. *)
Definition inner_product := G^T = G /\ forall x, x != 0 -> 0 < form x x.

Definition contraction A := forall x, form (A *m x) (A *m x) <= form x x.

Lemma formDl x x' y : form (x + x') y = form x y + form x' y.
Proof. by rewrite /form linearD /= !mulmxDl mxE. Qed.

Lemma formDr x y y' : form x (y + y') = form x y + form x y'.
Proof. by rewrite /form mulmxDr mxE. Qed.

Lemma formZl a x y : form (a *: x) y = a * form x y.
Proof. by rewrite /form linearZ /= -!scalemxAl mxE. Qed.

Lemma formZr a x y : form x (a *: y) = a * form x y.
Proof. by rewrite /form -scalemxAr mxE. Qed.

Lemma formNl x y : form (- x) y = - form x y.
Proof. by rewrite -scaleN1r formZl mulN1r. Qed.

Lemma formNr x y : form x (- y) = - form x y.
Proof. by rewrite -scaleN1r formZr mulN1r. Qed.

Lemma contraction1 : contraction 1%:M.
Proof. by move=> x; rewrite mul1mx. Qed.

Lemma contractionM A B : contraction A -> contraction B -> contraction (A *m B).
Proof. by move=> cA cB x; rewrite -mulmxA; apply: le_trans (cA _) (cB _). Qed.

Hypothesis ip : inner_product.

Lemma formC x y : form x y = form y x.
Proof.
have [GT _] := ip; rewrite /form -[in LHS](trmxK (x^T *m G *m y)) mxE.
by rewrite trmx_mul trmx_mul trmxK GT mulmxA.
Qed.

Lemma form_eq0 x : (form x x == 0) = (x == 0).
Proof.
have [_ pos] := ip; apply/idP/eqP => [|->]; last by rewrite /form mulmx0 mxE.
by apply: contraTeq => /pos /gt_eqF ->.
Qed.

Lemma form_ge0 x : 0 <= form x x.
Proof. by have [->|x0] := eqVneq x 0; [rewrite /form mulmx0 mxE | case: ip => _ pos; apply: ltW; apply: pos]. Qed.

(** |i|^2 <= |i + t k|^2 for all t only if i and k are orthogonal. *)
Lemma shortest_is_orthogonal x y : (forall t, form x x <= form (x + t *: y) (x + t *: y)) -> form y x = 0.
Proof.
move=> shortest; apply/eqP; apply/negPn/negP=> c0.
have y0 : y != 0 by apply: contraNneq c0 => ->; rewrite -(scale0r (0 : 'cV[F]_m)) formZl mul0r.
have yy : 0 < form y y by case: ip => _; apply.
have := shortest (- (form y x / form y y)); apply/negP; rewrite -ltNge.
rewrite !(formDl, formDr, formZl, formZr) (formC x y).
have square (a b c : F) : 0 < c -> a + - (b / c) * b + (- (b / c) * b + - (b / c) * (- (b / c) * c)) = a - b ^+ 2 / c.
  by move=> c_gt0; field; rewrite gt_eqF.
rewrite square //.
by rewrite gtr_addl oppr_lt0 divr_gt0 // lt_def sqr_ge0 andbT sqrf_eq0.
Qed.

(** *** On a subspace *)

Variable U : 'cV[F]_m -> Prop.
Hypotheses (UB : forall x y, U x -> U y -> U (x - y)).

Definition idempotent_on P := forall x, U x -> U (P *m x) /\ P *m (P *m x) = P *m x.

Section Projection.

Variable P : 'M[F]_m.
Hypotheses (cP : contraction P) (iP : idempotent_on P).

(** An idempotent contraction is symmetric: what it erases is orthogonal to what it keeps. *)
Lemma erased_is_orthogonal x y : U x -> U y -> form (x - P *m x) (P *m y) = 0.
Proof.
move=> Ux Uy; have [UPx PPx] := iP Ux; have [UPy PPy] := iP Uy.
apply: shortest_is_orthogonal => t; apply: le_trans (cP _).
by rewrite mulmxDr -scalemxAr mulmxBr PPx subrr scaler0 addr0 PPy.
Qed.

Lemma projection_symmetric x y : U x -> U y -> form (P *m x) y = form x (P *m y).
Proof.
move=> Ux Uy; have ex : form x (P *m y) = form (P *m x) (P *m y).
  by apply/eqP; rewrite -subr_eq0 -formNl -formDl erased_is_orthogonal.
have ey : form y (P *m x) = form (P *m y) (P *m x).
  by apply/eqP; rewrite -subr_eq0 -formNl -formDl erased_is_orthogonal.
by rewrite ex formC ey formC.
Qed.

(** It shortens what it moves. *)
Lemma projection_moves x : U x -> form x x <= form (P *m x) (P *m x) -> P *m x = x.
Proof.
move=> Ux le; apply/eqP; rewrite eq_sym -subr_eq0 -form_eq0 eq_le form_ge0 andbT.
have orth := erased_is_orthogonal Ux Ux.
have -> : form (x - P *m x) (x - P *m x) = form x x - form (P *m x) (P *m x).
  rewrite formDr formNr orth subr0 formDl formNl; congr (_ - _).
  by move: orth; rewrite formDl formNl [form x _]formC => /eqP; rewrite subr_eq0 => /eqP.
by rewrite subr_le0.
Qed.

End Projection.

(** Two of them whose products have finite orbits commute. *)
Section Two.

Variables P Q : 'M[F]_m.
Hypotheses (cP : contraction P) (cQ : contraction Q) (iP : idempotent_on P) (iQ : idempotent_on Q).

Let T x := P *m (Q *m (P *m x)).

Let UT x : U x -> U (T x).
Proof. by move=> Ux; case: (iP Ux) => UPx _; case: (iQ UPx) => UQPx _; case: (iP UQPx). Qed.

Let UTk x k : U x -> U (iter k T x).
Proof. by move=> Ux; elim: k => //= k; apply: UT. Qed.

Let T_symmetric x y : U x -> U y -> form (T x) y = form x (T y).
Proof.
move=> Ux Uy; have [UPx _] := iP Ux; have [UQPx _] := iQ UPx.
have [UPy _] := iP Uy; have [UQPy _] := iQ UPy.
by rewrite /T (projection_symmetric cP iP) // (projection_symmetric cQ iQ) // (projection_symmetric cP iP).
Qed.

Let TB x y : T (x - y) = T x - T y.
Proof. by rewrite /T !mulmxBr. Qed.

(** P Q P is idempotent where its orbits are finite. *)
Lemma pqp_idempotent x (s : seq 'cV[F]_m) : U x -> (forall k, iter k T x \in s) -> T (T x) = T x.
Proof.
move=> Ux stays; have [i [j [ij _ e]]] := sequence_repeats stays.
have shrinks y : form (T y) (T y) <= form y y.
  by rewrite /T; apply: le_trans (cP _) _; apply: le_trans (cQ _) (cP _).
have later d y : form (iter d T y) (iter d T y) <= form y y.
  by elim: d => //= d; apply: le_trans (shrinks _).
have fixed : T (iter i T x) = iter i T x.
  set y := iter i T x; have Uy : U y := UTk i Ux.
  have yTy : form y y <= form (T y) (T y).
    have := later (j - i.+1)%N (T y); rewrite -[T y]/(iter i.+1 T x) -iterD subnK // -e.
    by [].
  have Py : P *m y = y.
    by apply: (projection_moves cP iP Uy); apply: le_trans yTy _; apply: le_trans (cP _) (cQ _).
  have Qy : Q *m y = y.
    apply: (projection_moves cQ iQ Uy); apply: le_trans yTy _; rewrite /T Py.
    exact: cP.
  by rewrite /T Py Qy Py.
elim: i fixed {ij e} => [|i IH] fixed; first by rewrite /= in fixed; rewrite !fixed.
case: i IH fixed => [|i] IH fixed; first by [].
apply: IH; set y := iter i T x in fixed *; have Uy : U y := UTk i Ux; rewrite /= -/y in fixed *.
apply/eqP; rewrite -subr_eq0 -form_eq0 -TB T_symmetric ?TB ?fixed ?subrr //; last 2 first.
- by apply: UB => //; apply: UT.
- by apply: UB; do ?apply: UT.
by rewrite -(scale0r (0 : 'cV[F]_m)) formZr mul0r.
Qed.

Lemma qp_stays x (s : seq 'cV[F]_m) : U x -> (forall k, iter k T x \in s) -> P *m (Q *m (P *m x)) = Q *m (P *m x).
Proof.
move=> Ux stays; have TT := pqp_idempotent Ux stays.
have [UPx PPx] := iP Ux; have [UQPx QQPx] := iQ UPx.
apply: (projection_moves cP iP UQPx); rewrite -/(T x).
rewrite T_symmetric ?TT //; last exact: UT.
by rewrite (projection_symmetric cQ iQ) // QQPx (projection_symmetric cP iP).
Qed.

End Two.

(** They commute. *)
Lemma projections_commute P Q :
    contraction P -> contraction Q -> idempotent_on P -> idempotent_on Q ->
    (forall x, U x -> P *m (Q *m (P *m x)) = Q *m (P *m x)) -> forall x, U x -> P *m (Q *m x) = Q *m (P *m x).
Proof.
move=> cP cQ iP iQ stays x Ux.
have UP y : U y -> U (P *m y) by move=> Uy; case: (iP y Uy).
have UQ y : U y -> U (Q *m y) by move=> Uy; case: (iQ y Uy).
have adjoint y : U y -> form (P *m (Q *m x)) y = form (Q *m (P *m x)) y.
  move=> Uy; have sP := projection_symmetric cP iP; have sQ := projection_symmetric cQ iQ.
  by rewrite -(stays x Ux) !sP ?sQ ?sP ?stays //; do ?[apply: UP | apply: UQ].
apply/eqP; rewrite -subr_eq0 -form_eq0 {1}formDl formNl adjoint ?subrr //.
by apply: UB; do ?[apply: UP | apply: UQ].
Qed.

End Form.

(** ** A layer and its words *)

Section Layer.

Variables (F : realFieldType) (m : nat).

(** h -> A(x) h + b(x), and the inner product in which it is measured. *)
Record normed_layer (X : Type) :=
  Normed { gram : 'M[F]_m; transition : X -> 'M[F]_m; written : X -> 'cV[F]_m }.

Definition norm_at_most_one X (l : normed_layer X) :=
  inner_product (gram l) /\ forall x, contraction (gram l) (transition l x).

Definition move X (l : normed_layer X) (h : 'cV[F]_m) (x : X) : 'cV[F]_m :=
  step (transition l) (written l) h x.

(** The state after a word. *)
Definition after X (l : normed_layer X) h (w : seq X) : 'cV[F]_m := state (move l) h w.

Lemma after_cat X (l : normed_layer X) h v w : after l h (v ++ w) = after l (after l h v) w.
Proof. exact: foldl_cat. Qed.

Section Span.

Variables (X : eqType) (l : normed_layer X) (states : 'cV[F]_m -> Prop) (s : seq 'cV[F]_m).
Hypothesis norm1 : norm_at_most_one l.
Hypotheses (stays : forall h x, states h -> states (move l h x)) (finite : forall h, states h -> h \in s).

Notation A := (transition l).
Implicit Types (d x y : 'cV[F]_m) (u w z : seq X).

Inductive span : 'cV[F]_m -> Prop :=
| Span0 : span 0
| SpanD a h k x : states h -> states k -> span x -> span (a *: (h - k) + x).

Lemma spanD x y : span x -> span y -> span (x + y).
Proof. by move=> sx sy; elim: sx => [|a h k z Sh Sk _ IH]; rewrite ?add0r // -addrA; apply: SpanD. Qed.

Lemma spanN x : span x -> span (- x).
Proof.
elim=> [|a h k z Sh Sk _ IH]; first by rewrite oppr0; apply: Span0.
by rewrite opprD -scaleNr; apply: SpanD.
Qed.

Lemma spanB x y : span x -> span y -> span (x - y).
Proof. by move=> sx sy; apply: spanD => //; apply: spanN. Qed.

Lemma span_difference h k : states h -> states k -> span (h - k).
Proof. by move=> Sh Sk; rewrite -[h - k]scale1r -[_ *: _]addr0; apply: SpanD => //; apply: Span0. Qed.

Lemma move_difference h k a : move l h a - move l k a = A a *m (h - k).
Proof. by rewrite /move opprD addrACA subrr addr0 mulmxBr. Qed.

Lemma span_move a x : span x -> span (A a *m x).
Proof.
elim=> [|c h k y Sh Sk _ IH]; first by rewrite mulmx0; apply: Span0.
by rewrite mulmxDr -scalemxAr -move_difference; apply: SpanD => //; apply: stays.
Qed.

(** What is linear and holds of differences holds of the span. *)
Lemma on_span (B C : 'M[F]_m) : (forall h k, states h -> states k -> B *m (h - k) = C *m (h - k)) ->
  forall x, span x -> B *m x = C *m x.
Proof.
move=> BC x; elim=> [|a h k y Sh Sk _ IH]; first by rewrite !mulmx0.
by rewrite !mulmxDr -!scalemxAr BC // IH.
Qed.

Definition idempotent a := forall h, states h -> move l (move l h a) a = move l h a.

Lemma idempotent_linear a : idempotent a -> idempotent_on span (A a).
Proof.
move=> ix y sy; split; first exact: span_move.
rewrite mulmxA; apply: on_span sy => h k Sh Sk.
by rewrite -mulmxA -!move_difference !ix.
Qed.

(** The linear parts of idempotent letters commute. *)
Lemma idempotent_letters_commute a c : idempotent a -> idempotent c ->
  forall x, span x -> A a *m (A c *m x) = A c *m (A a *m x).
Proof.
move=> ia ic; have [ip cA] := norm1; have la := idempotent_linear ia; have lc := idempotent_linear ic.
apply: (projections_commute ip spanB (cA a) (cA c) la lc) => x sx.
rewrite [A c *m _]mulmxA [A a *m _]mulmxA; apply: on_span sx => h k Sh Sk; rewrite -!mulmxA.
apply: (qp_stays ip spanB (cA a) (cA c) la lc (s := [seq p - q | p <- s, q <- s])); first exact: span_difference.
pose aca x := A a *m (A c *m (A a *m x)).
move=> n; suff [p [q [Sp Sq ->]]] : exists p q, [/\ states p, states q & iter n aca (h - k) = p - q].
  by apply: allpairs_f; apply: finite.
elim: n => [|n [p [q [Sp Sq e]]]]; first by exists h, k.
rewrite iterS e /aca -!move_difference.
exists (move l (move l (move l p a) c) a), (move l (move l (move l q a) c) a); split=> //; do 3!apply: stays => //.
Qed.

(** The linear part of a word. *)
Definition linear w x := foldl (fun y a => A a *m y) x w.

Lemma linear_cat u w x : linear (u ++ w) x = linear w (linear u x).
Proof. exact: foldl_cat. Qed.

Lemma span_linear w x : span x -> span (linear w x).
Proof. by elim: w x => //= a w IH x sx; apply: IH; apply: span_move. Qed.

Lemma linearB w x y : linear w (x - y) = linear w x - linear w y.
Proof. by elim: w x y => //= a w IH x y; rewrite mulmxBr IH. Qed.

Lemma after_difference w h k : after l h w - after l k w = linear w (h - k).
Proof. by elim: w h k => //= a w IH h k; rewrite IH move_difference. Qed.

Lemma states_after w h : states h -> states (after l h w).
Proof. by elim: w h => //= a w IH h Sh; apply: IH; apply: stays. Qed.

Section Content.

Variable z : seq X.
Hypothesis iz : forall a, a \in z -> idempotent a.

Lemma linear_commutes w a x : {subset w <= z} -> a \in z -> span x -> linear w (A a *m x) = A a *m linear w x.
Proof.
elim: w x => //= c w IH x sub az sx.
have cz : c \in z by apply: sub; rewrite mem_head.
rewrite (idempotent_letters_commute (iz cz) (iz az)) //.
by apply: IH => //; [move=> e ew; apply: sub; rewrite inE ew orbT | apply: span_move].
Qed.

(** A word projects on what all its letters keep: a letter of it before the word changes nothing. *)
Lemma linear_absorbs_letter a x : a \in z -> span x -> linear z (A a *m x) = linear z x.
Proof.
move=> az sx; have [z1 [z2 ez]] : exists z1 z2, z = z1 ++ a :: z2.
  by case/splitPr: az => z1 z2; exists z1, z2.
rewrite [in LHS]ez [in RHS]ez !linear_cat /= (@linear_commutes z1) //; last by move=> c cz1; rewrite ez mem_cat cz1.
by have [_ ->] := idempotent_linear (iz az) (span_linear z1 sx).
Qed.

Lemma linear_absorbs u x : {subset u <= z} -> span x -> linear z (linear u x) = linear z x.
Proof.
elim: u x => //= a u IH x sub sx; have az : a \in z by apply: sub; rewrite mem_head.
rewrite IH ?linear_absorbs_letter //; first by move=> e eu; apply: sub; rewrite inE eu orbT.
exact: span_move.
Qed.

Lemma steps_agree u h : {subset u <= z} -> states h ->
  after l (after l (after l h u) u) z - after l (after l h u) z = after l (after l h u) z - after l h z.
Proof.
move=> sub Sh; rewrite (after_difference z (after l (after l h u) u)) (after_difference z (after l h u) h).
rewrite (after_difference u (after l h u) h) linear_absorbs //.
by apply: span_difference => //; apply: states_after.
Qed.

(** Neither does it move what is left: finitely many states leave no translation. *)
Lemma after_absorbs u h : {subset u <= z} -> states h -> after l (after l h u) z = after l h z.
Proof.
move=> sub Sh; pose g k := after l (iter k (fun h => after l h u) h) z.
pose t := g 1%N - g 0%N.
have Siter k : states (iter k (fun h => after l h u) h) by elim: k => //= k; apply: states_after.
have step k : g k.+1 - g k = t by elim: k => // k <-; apply: (steps_agree sub (Siter k)).
have gS k : g k = g 0%N + t *+ k.
  elim: k => [|k IH]; first by rewrite mulr0n addr0.
  by rewrite mulrSr addrA -IH -(step k) addrC subrK.
have [i [j [ij _ e]]] := sequence_repeats (fun k => finite (states_after z (Siter k)) : g k \in s).
suff t0 : t = 0 by have := gS 1%N; rewrite t0 mul0rn addr0.
move: e; rewrite (gS i) (gS j) => /addrI e.
have : t *+ (j - i) == 0 by rewrite -(inj_eq (addrI (t *+ i))) -mulrnDr addr0 subnKC ?e // ltnW.
by rewrite -scaler_nat scaler_eq0 pnatr_eq0 subn_eq0 leqNgt ij => /eqP.
Qed.

End Content.

End Span.

(** Words that act idempotently on finitely many states, letters here: a product z of them does to a state what it
    does after any product of those in z. *)
Theorem products_of_idempotents (X : eqType) (l : normed_layer X) (states : 'cV[F]_m -> Prop) (s : seq 'cV[F]_m) :
  norm_at_most_one l -> (forall h x, states h -> states (move l h x)) -> (forall h, states h -> h \in s) ->
  forall u z : seq X, {subset u <= z} -> (forall x h, x \in z -> states h -> move l (move l h x) x = move l h x) ->
  forall h, states h -> after l (after l h u) z = after l h z.
Proof.
move=> norm1 stays finite u z sub iz h Sh; apply: (after_absorbs norm1 stays finite _ sub Sh) => a az k Sk.
exact: iz.
Qed.

(** ** Words in place of letters *)

Section Words.

Variables (X : Type) (l : normed_layer X).

Definition matrix_of (w : seq X) : 'M[F]_m := foldl (fun M x => transition l x *m M) 1%:M w.

Lemma afterE h w : after l h w = matrix_of w *m h + after l 0 w.
Proof.
elim/last_ind: w => [|w x IH]; first by rewrite /= mul1mx addr0.
rewrite /after !state_rcons /matrix_of foldl_rcons -/(after l h w) -/(after l 0 w) -/(matrix_of w) IH /move /step.
by rewrite mulmxDr mulmxA addrA.
Qed.

(** The layer that reads a word at once for each of its letters. *)
Definition layer_by_words I (f : I -> seq X) : normed_layer I :=
  Normed (gram l) (fun i => matrix_of (f i)) (fun i => after l 0 (f i)).

Lemma move_by_words I (f : I -> seq X) h i : move (layer_by_words f) h i = after l h (f i).
Proof. by rewrite [RHS]afterE. Qed.

Lemma after_by_words I (f : I -> seq X) h v : after (layer_by_words f) h v = after l h (flatten [seq f i | i <- v]).
Proof. by elim: v h => // i v IH h; rewrite [flatten _]/= after_cat -IH -move_by_words. Qed.

Lemma norm_by_words I (f : I -> seq X) : norm_at_most_one l -> norm_at_most_one (layer_by_words f).
Proof.
move=> [ip cA]; split=> // i /=; elim/last_ind: (f i) => [|w x IH]; first exact: contraction1.
by rewrite /matrix_of foldl_rcons; apply: contractionM.
Qed.

End Words.

Lemma after_repeated X (l : normed_layer X) h n w : after l h (repeated n w) = iter n (fun h => after l h w) h.
Proof. by elim: n h => // n IH h; rewrite iterSr -IH -after_cat. Qed.

Definition finitely_many X (l : normed_layer X) h0 (s : seq 'cV[F]_m) := forall w : seq X, after l h0 w \in s.

(** Words that act idempotently on the states that are reached. *)
Lemma products_of_idempotent_words X (l : normed_layer X) h0 s (J : eqType) (f : J -> seq X) (u z : seq J) :
  norm_at_most_one l -> finitely_many l h0 s -> {subset u <= z} ->
  (forall j w, j \in z -> after l (after l h0 w) (f j ++ f j) = after l (after l h0 w) (f j)) ->
  forall w, let h := after l h0 w in
    after l h (flatten (map f u) ++ flatten (map f z)) = after l h (flatten (map f z)).
Proof.
move=> norm1 finite sub iz w hw; rewrite /hw after_cat -!after_by_words.
apply: (@products_of_idempotents _ _ (fun h => exists w, h = after l h0 w) s) => //.
- exact: norm_by_words.
- by move=> h j [v ->]; exists (v ++ f j); rewrite move_by_words after_cat.
- by move=> h [v ->].
- by move=> j h jz [v ->]; rewrite !move_by_words -after_cat iz.
by exists w.
Qed.

(** The power of a word that is idempotent on all states. *)
Lemma repeated_idempotent X (l : normed_layer X) h0 s (n := (size s)`!) w v : finitely_many l h0 s ->
  after l (after l h0 v) (repeated n w ++ repeated n w) = after l (after l h0 v) (repeated n w).
Proof.
move=> finite; rewrite after_cat !after_repeated -iterD; apply: factorial_power_idempotent => k.
by rewrite -after_repeated -after_cat.
Qed.

End Layer.

(** ** What is recognised *)

Section Value.

Variables (X O : Type) (value : seq X -> O) (J : eqType) (f : J -> seq X).

Definition spelled (u : seq J) := flatten (map f u).

(** In the syntactic monoid of [value]. *)
Definition syntactically_idempotent (e : seq X) := forall p q, value (p ++ e ++ e ++ q) = value (p ++ e ++ q).

Lemma value_repeated e n p q : syntactically_idempotent e -> value (p ++ repeated n.+1 e ++ q) = value (p ++ e ++ q).
Proof.
move=> ie; elim: n p => [|n IH] p; first by rewrite /= cats0.
by rewrite [repeated _ _]/= -[e ++ repeated n e]/(repeated n.+1 e) -catA catA IH -catA ie.
Qed.

Lemma value_spelled n u p q : (forall j, j \in u -> syntactically_idempotent (f j)) ->
  value (p ++ flatten [seq repeated n.+1 (f j) | j <- u] ++ q) = value (p ++ spelled u ++ q).
Proof.
have flat T (a : seq T) b : flatten (a :: b) = a ++ flatten b by [].
elim: u p => // j u IH p iu; rewrite /spelled !map_cons !flat -(catA (repeated _ _)) -(catA (f j)) value_repeated.
  by rewrite catA IH -?catA // => k ku; apply: iu; rewrite inE ku orbT.
by apply: iu; rewrite mem_head.
Qed.

Lemma spelled_nonempty u : spelled u = spelled [seq j <- u | ~~ nilp (f j)].
Proof.
rewrite /spelled; elim: u => // j u IH; rewrite /= IH.
by case e: (f j) => [|x w] //=; rewrite e.
Qed.

End Value.

Section OneLayer.

Variables (F : realFieldType) (m : nat) (X O : Type).

Lemma same_state_same_value (l : normed_layer F m X) h0 (value : seq X -> O) v v' r : ~~ nilp r ->
  recognises (move l) h0 value -> after l h0 v = after l h0 v' -> value (v ++ r) = value (v' ++ r).
Proof.
case: r => // x r _ [D DE] e; rewrite lastI -!rcons_cat -!DE !rcons_cat -lastI.
by rewrite !state_cat -!/(after l h0 _) e.
Qed.

(** What one layer recognises: a product z of words that are idempotent in the syntactic monoid absorbs, from the
    left, every product u of the same words. *)
Theorem one_layer_absorbs (l : normed_layer F m X) h0 s (value : seq X -> O)
    (J : eqType) (f : J -> seq X) (u z : seq J) :
  norm_at_most_one l -> finitely_many l h0 s -> recognises (move l) h0 value ->
  (forall j, j \in z -> syntactically_idempotent value (f j)) -> {subset u <= z} ->
  forall p q, value (p ++ spelled f u ++ spelled f z ++ q) = value (p ++ spelled f z ++ q).
Proof.
move=> norm1 finite rec iz sub p q; rewrite [spelled f u]spelled_nonempty [spelled f z]spelled_nonempty.
have {sub} : {subset [seq j <- u | ~~ nilp (f j)] <= [seq j <- z | ~~ nilp (f j)]}.
  by move=> j; rewrite !mem_filter => /andP[-> /sub].
have {iz} : forall j, j \in [seq j <- z | ~~ nilp (f j)] -> syntactically_idempotent value (f j) /\ ~~ nilp (f j).
  by move=> j; rewrite mem_filter => /andP[n0 /iz].
move: [seq j <- u | _] [seq j <- z | _] => {u z} u z; case/lastP: z => [|z j] iz sub.
  by case: u sub => // k u /(_ k); rewrite mem_head => /(_ isT).
have iu k : k \in u -> syntactically_idempotent value (f k) by move=> /sub /iz[].
have iz1 k : k \in rcons z j -> syntactically_idempotent value (f k) by move=> /iz[].
have [ij fj] : syntactically_idempotent value (f j) /\ ~~ nilp (f j) by apply: iz; rewrite mem_rcons mem_head.
have [n nE] : exists n, (size s)`! = n.+1 by case: (size s)`! (fact_gt0 (size s)) => // n _; exists n.
pose g k := repeated n.+1 (f k).
have powers v : value (v ++ spelled f (rcons z j) ++ q) = value ((v ++ spelled g (rcons z j)) ++ g j ++ q).
  have zj h : spelled h (rcons z j) = spelled h z ++ h j by rewrite /spelled map_rcons flatten_rcons.
  rewrite !zj -(catA (spelled f z)) -(value_spelled n v); last by move=> k kz; apply: iz1;
    rewrite mem_rcons inE kz orbT.
  rewrite -[flatten _]/(spelled g z) (catA v) -[LHS]ij -[LHS](value_repeated n (v ++ spelled g z)) //.
  by rewrite -[repeated _ _]/(g j) (catA _ (g j) (f j ++ q)) -[LHS](value_repeated n) // (catA v).
rewrite -(value_spelled n p _ iu) -[flatten _]/(spelled g u) (catA p) !powers.
apply: same_state_same_value rec _; first by rewrite /nilp size_cat /g /= size_cat; case: (f j) fj.
rewrite -catA !after_cat -[in LHS]after_cat; apply: (products_of_idempotent_words norm1 finite sub) => k w _.
by rewrite /g -nE; apply: repeated_idempotent.
Qed.

(** The case of two words: e f e acts as f e. *)
Theorem one_sided_idempotents (l : normed_layer F m X) h0 s (value : seq X -> O) (e f : seq X) :
  norm_at_most_one l -> finitely_many l h0 s -> recognises (move l) h0 value ->
  syntactically_idempotent value e -> syntactically_idempotent value f ->
  forall p q, value (p ++ e ++ f ++ e ++ q) = value (p ++ f ++ e ++ q).
Proof.
move=> norm1 finite rec ie if_ p q.
pose word b := if b then e else f.
have iw b : b \in [:: false; true] -> syntactically_idempotent value (word b) by case: b.
have sub : {subset [:: true] <= [:: false; true]} by move=> b; rewrite !inE; case: b.
by have := one_layer_absorbs norm1 finite rec iw sub p q; rewrite /spelled /= !cats0 -!catA.
Qed.

(** The same for the layer's own states. *)
Theorem one_sided_actions (l : normed_layer F m X) h0 s (e f : seq X) :
  norm_at_most_one l -> finitely_many l h0 s ->
  (forall w, after l h0 (w ++ e ++ e) = after l h0 (w ++ e)) ->
  (forall w, after l h0 (w ++ f ++ f) = after l h0 (w ++ f)) ->
  forall w, after l h0 (w ++ e ++ f ++ e) = after l h0 (w ++ f ++ e).
Proof.
move=> norm1 finite ie if_ w.
pose word b := if b then e else f.
have iw b v : b \in [:: false; true] -> after l (after l h0 v) (word b ++ word b) = after l (after l h0 v) (word b).
  by rewrite -!after_cat; case: b.
have sub : {subset [:: true] <= [:: false; true]} by move=> b; rewrite !inE; case: b.
by have := products_of_idempotent_words norm1 finite sub iw w; rewrite /= !cats0 -!after_cat.
Qed.

End OneLayer.

(** Neither a*b* (false before true) nor the first letter. *)
Theorem one_layer_no_sorted_words (F : realFieldType) m (l : normed_layer F m bool) h0 s :
  norm_at_most_one l -> finitely_many l h0 s -> ~ recognises (move l) h0 (sorted implb).
Proof.
move=> norm1 finite rec.
have twice x : syntactically_idempotent (sorted implb) [:: x].
  have pathE y p q : path implb y (p ++ x :: x :: q) = path implb y (p ++ x :: q).
    by elim: p y => [|z p IH] y /=; [rewrite implybb | rewrite IH].
  by case=> [|y p] q /=; [rewrite implybb | apply: pathE].
by have := one_sided_idempotents norm1 finite rec (twice true) (twice false) [::] [::].
Qed.

Theorem one_layer_no_first_letter (F : realFieldType) m (l : normed_layer F m bool) h0 s :
  norm_at_most_one l -> finitely_many l h0 s -> ~ recognises (move l) h0 (head false).
Proof.
move=> norm1 finite rec; have twice x : syntactically_idempotent (head false) [:: x] by case.
by have := one_sided_idempotents norm1 finite rec (twice true) (twice false) [::] [::].
Qed.

(** ** DeltaNet, Gated DeltaNet, DeltaProduct: gates in [-1, 1] before products of any number of factors with
    eigenvalues in [-1, 1] *)

Lemma euclidean (F : realFieldType) m : inner_product (1%:M : 'M[F]_m).
Proof.
split=> [|x x0]; first exact: trmx1.
have formE (y : 'cV[F]_m) : form 1%:M y y = dot y^T y^T by rewrite /form /dot mulmx1 trmxK.
by rewrite formE lt_def dot_eq0 trmx_eq0 x0 dot_ge0.
Qed.

Theorem gated_products_are_contractions (F : realFieldType) m (g : F) (s : seq ('cV[F]_m * F)) :
  `|g| <= 1 -> contracting s -> contraction 1%:M (g *: gh_product s).
Proof.
move=> g1 cs; have ip := euclidean F m.
have gated : contraction 1%:M (g%:M : 'M[F]_m).
  move=> x; rewrite mul_scalar_mx formZl formZr mulrA -expr2 ler_pimull ?form_ge0 //.
  by rewrite -real_normK ?num_real // exprn_ile1 ?normr_ge0.
rewrite -mul_scalar_mx; apply: contractionM gated _; elim: s cs => [_|[v c] s IH /andP[/= beta cs]];
  first exact: contraction1.
apply: contractionM (IH cs) => x {s IH cs}.
have -> : gh v c *m x = x + (- (c * form 1%:M v x)) *: v.
  rewrite /gh mulmxBl mul1mx -scalemxAl -mulmxA scaleNr -scalerA; congr (_ - _ *: _).
  by rewrite /form mulmx1 {1}[v^T *m x]mx11_scalar mul_mx_scalar.
rewrite !(formDl, formDr, formZl, formZr) (formC ip x v).
have vv : form 1%:M v v = dot v^T v^T by rewrite /form /dot mulmx1 trmxK.
have [->|v0] := eqVneq v 0; first by rewrite -(scale0r (0 : 'cV[F]_m)) !formZl !mul0r !(mulr0, addr0).
have pos : 0 < form 1%:M v v by case: ip => _; apply.
move: beta; rewrite -vv; move: (form _ v v) pos (form _ v x) (form _ x x) => V V0 a X /andP[cV0 cV2].
have c0 : 0 <= c by move: cV0; rewrite pmulr_lge0.
rewrite -subr_ge0 (_ : _ - _ = c * a ^+ 2 * (2%:R - c * V)); last by ring.
by rewrite mulr_ge0 ?subr_ge0 // mulr_ge0 ?sqr_ge0.
Qed.

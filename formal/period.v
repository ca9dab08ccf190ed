(** * Periods: what real spectra can count, for every size and depth

    grazzi25, Theorem 2 and App. B.2, in the paper's model of finite precision (see parity.v): if the products of 2^i
    transitions of layer i, from 0 on, have real spectra, then on a constant input L layers have an output of eventual
    period dividing 2^L. So they do not count modulo 3.

    - [real_spectrum A], [really_annihilated A]: A has a real spectrum; real numbers annihilate A;
    - [product A x t p], [fresh A B x t p]: the product of p transitions from time t on; the terms that these steps add;
    - [eventually_periodic p u]: u has period p from some time on;
    - [products P s]: in layer i, from 0 on, every product of 2^i transitions has the property P;
    - [real_products s], [annihilated_products s], [triangular_stack s]: what the layers of a stack have. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From lemmata Require Import models parity.
From lemmata Require classes.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Definition real_spectrum (F : realFieldType) n (A : 'M[F]_n) :=
  exists ls : seq F, char_poly A = \prod_(l <- ls) ('X - l%:P).

(** What of it is used: real numbers annihilate A. *)
Definition really_annihilated (F : realFieldType) n (A : 'M[F]_n) := exists ls : seq F, factors A ls = 0.

(** Then nonnegative numbers annihilate its square. *)
Lemma factors_square (F : realFieldType) n (A : 'M[F]_n) ls :
  factors A ls = 0 -> factors (A *m A) [seq l ^+ 2 | l <- ls] = 0.
Proof.
case: n A => [|n] A A0; first by apply/matrixP=> -[].
have -> : factors (A *m A) [seq l ^+ 2 | l <- ls] = horner_mx A (\prod_(l <- ls) ('X ^+ 2 - (l ^+ 2)%:P)).
  elim: ls {A0} => [|l ls IH] /=; first by rewrite big_nil -[1 in RHS]polyC1 horner_mx_C.
  rewrite big_cons mulrC [horner_mx A (_ * _)]rmorphM /= IH [horner_mx A (_ - _)]rmorphB /=.
  by rewrite [horner_mx A (_ ^+ 2)]rmorphX /= horner_mx_X horner_mx_C [X in _ = _ * (X - _)]expr2.
have -> : \prod_(l <- ls) ('X ^+ 2 - (l ^+ 2)%:P) = \prod_(l <- ls) ('X - l%:P) * \prod_(l <- ls) ('X + l%:P).
  by rewrite -big_split /=; apply: eq_bigr => l _; rewrite polyC_exp subr_sqr.
by rewrite rmorphM /= -factors_horner A0 mul0r.
Qed.

(** The product of p transitions from the letter number t on. *)
Fixpoint product (F : ringType) (T : Type) n (A : T -> 'M[F]_n) (x : nat -> T) t p : 'M[F]_n :=
  if p is p'.+1 then A (x (t + p')%N) *m product A x t p' else 1%:M.

(** In layer i, from 0 on, all products of 2^i transitions have the property P. *)
Fixpoint products (F : ringType) (P : forall n, 'M[F]_n -> Prop) (T S : Type) (s : affine_stack F T S) : Prop :=
  if s is Above _ _ s' l then products P s' /\ forall y t, P _ (product (transition l) y t (2 ^ height s')) else True.

Lemma products_imply (F : ringType) (P Q : forall n, 'M[F]_n -> Prop) (T S : Type) (s : affine_stack F T S) :
  (forall n (A : 'M[F]_n), P n A -> Q n A) -> products P s -> products Q s.
Proof. by move=> PQ; elim: s => [|U W s IH l] //= [/IH below top]; split=> // y t; apply: PQ. Qed.

(** ** One layer, from block to block *)

Section Blocks.

Variables (F : realFieldType) (ys : seq F) (value : seq (bool * bool) -> F).
Variables (T : Type) (n d : nat) (A : T -> 'M[F]_n) (B : T -> 'M[F]_(n, d)) (H0 : 'M[F]_(n, d)).
Implicit Type x : nat -> T.

Notation cast := (cast ys value).
Notation cast_state := (cast_state cast A B H0).
Notation terms := (terms A B H0).

Notation product := (product A).

(** The terms that p letters bring from the letter number t on. *)
Fixpoint fresh x t p : seq 'M[F]_(n, d) :=
  if p is p'.+1 then rcons [seq A (x (t + p')%N) *m M | M <- fresh x t p'] (B (x (t + p')%N)) else [::].

Lemma terms_block x t p : terms x (t + p) = [seq product x t p *m M | M <- terms x t] ++ fresh x t p.
Proof.
elim: p => [|p IH] /=; first by rewrite addn0 cats0 (eq_map (mul1mx (n := d))) map_id.
rewrite addnS /= IH map_cat -rcons_cat -map_comp; congr (rcons (_ ++ _) _).
by apply: eq_map => M /=; rewrite mulmxA.
Qed.

Lemma product_ext x s t p : (forall j, x (s + j)%N = x (t + j)%N) -> product x s p = product x t p.
Proof. by move=> st; elim: p => //= p ->; rewrite st. Qed.

Lemma fresh_ext x s t p : (forall j, x (s + j)%N = x (t + j)%N) -> fresh x s p = fresh x t p.
Proof. by move=> st; elim: p => //= p ->; rewrite st. Qed.

Lemma product_add x t p q : product x t (p + q) = product x (t + p) q *m product x t p.
Proof. by elim: q => [|q IH]; rewrite ?addn0 ?mul1mx // addnS /= IH mulmxA addnA. Qed.

Variables (x : nat -> T) (K p : nat).
Hypothesis periodic : forall j, x (K + p + j)%N = x (K + j)%N.

Lemma periods k j : x (K + k * p + j)%N = x (K + j)%N.
Proof.
elim: k => [|k IH]; first by rewrite mul0n addn0.
by rewrite mulSn addnA -addnA periodic addnA IH.
Qed.

(** The terms after k periods are the old ones and the fresh ones, each moved on by powers of one product. *)
Lemma terms_periods (V : zmodType) (G : 'M[F]_(n, d) -> V) k :
  \sum_(M <- terms x (K + k * p)) G M =
  \sum_(M <- terms x K) G (power (product x K p) k M) +
  \sum_(l < k) \sum_(M <- fresh x K p) G (power (product x K p) l M).
Proof.
elim: k G => [|k IH] G; first by rewrite mul0n addn0 big_ord0 addr0.
rewrite mulSn [(p + _)%N]addnC addnA terms_block big_cat /= big_map (IH (fun M => G (_ *m M))).
have shift j : x (K + k * p + j)%N = x (K + j)%N := periods k j.
rewrite (product_ext _ shift) (fresh_ext _ shift) -addrA; congr (_ + _).
by rewrite big_ord_recl /= addrC; congr (_ + _).
Qed.

(** So the states at these times change boundedly often, if nonnegative numbers annihilate that product. *)
Lemma state_periods ls :
  all (fun l => 0 <= l) ls -> factors (product x K p) ls = 0 -> bounded_changes (fun k => cast_state x (K + k * p)).
Proof.
move=> ls0 P0; set P := product x K p in P0.
pose entry (q : 'I_n * 'I_d) k := cast_state x (K + k * p) q.1 q.2.
have entries q : bounded_changes (entry q).
  have sums (s : seq 'M[F]_(n, d)) : bounded_changes (fun k => \sum_(M <- s) cast (power P k M q.1 q.2)).
    have := bounded_map (fun s => \sum_(z <- s) z) (bounded_seq s (fun M => cast_entry ys value M q.1 q.2 ls0 P0)).
    by apply: bounded_ext => k /=; rewrite big_map.
  have := cast_walk ys value (sums (fresh x K p)) (sums (terms x K)).
  apply: bounded_ext => k; rewrite /entry /models.cast_state mxE summxE.
  congr cast; rewrite -(terms_periods (fun M => cast (M q.1 q.2))).
  by apply: eq_bigr => M _; rewrite mxE.
have := bounded_map (fun s : seq F => \matrix_(i < n, j < d) nth 0 s (index (i, j) (enum [finType of 'I_n * 'I_d])))
  (bounded_seq (enum [finType of 'I_n * 'I_d]) entries).
apply: bounded_ext => k; apply/matrixP=> i j; rewrite mxE.
by rewrite (nth_map (i, j)) ?index_mem ?mem_enum // nth_index ?mem_enum.
Qed.

End Blocks.

(** ** Eventual periods *)

Definition eventually_periodic (T : Type) p (u : nat -> T) := exists K, forall j, u (K + p + j)%N = u (K + j)%N.

Lemma not_not_all (R : nat -> Prop) P : (forall r, (r < P)%N -> ~ ~ R r) -> ~ ~ (forall r, (r < P)%N -> R r).
Proof.
elim: P => [|P IH] each none; first by apply: none.
apply: (IH (fun r rP => each r (ltnW rP))) => below; apply: (each P (leqnn _)) => RP; apply: none => r.
by rewrite ltnS leq_eqVlt => /orP[/eqP ->|/below].
Qed.

(** If what is seen every P steps settles, from each of P starts, then all is periodic in the end. *)
Lemma residues_settle (T : Type) (u : nat -> T) K P :
  (0 < P)%N -> (forall r, (r < P)%N -> eventually_constant (fun k => u (K + r + k * P)%N)) -> eventually_periodic P u.
Proof.
move=> P0 settle.
have [N cN] : exists N, forall r, (r < P)%N -> forall k, u (K + r + (N + k) * P)%N = u (K + r + N * P)%N.
  have below Q : (Q <= P)%N -> exists N, forall r, (r < Q)%N -> forall k, (N <= k)%N ->
    u (K + r + k * P)%N = u (K + r + N * P)%N.
    elim: Q => [|Q IH] QP; first by exists 0%N.
    have [N cN] := IH (ltnW QP); have [M cM'] := settle Q QP; exists (maxn N M) => r.
    have cM k : u (K + Q + (M + k) * P)%N = u (K + Q + M * P)%N := cM' k.
    rewrite ltnS leq_eqVlt => /orP[/eqP ->|rQ] k; rewrite geq_max => /andP[Nk Mk].
      by rewrite -(subnKC Mk) cM -(subnKC (leq_maxr N M)) cM.
    by rewrite (cN r rQ k) // (cN r rQ (maxn N M)) // leq_maxl.
  by have [N cN] := below P (leqnn P); exists N => r rP k; apply: cN => //; rewrite leq_addr.
exists (K + N * P)%N => j; rewrite (divn_eq j P); have rP : (j %% P < P)%N by rewrite ltn_mod.
have -> : (K + N * P + P + (j %/ P * P + j %% P) = K + j %% P + (N + (j %/ P).+1) * P)%N.
  by rewrite mulnDl mulSn; move: (j %/ P * P)%N (N * P)%N (j %% P)%N => a b c; lia.
have -> : (K + N * P + (j %/ P * P + j %% P) = K + j %% P + (N + j %/ P) * P)%N.
  by rewrite mulnDl; move: (j %/ P * P)%N (N * P)%N (j %% P)%N => a b c; lia.
by rewrite !cN.
Qed.

(** ** Stacks *)

Section Stacks.

Variables (F : realFieldType) (ys : seq F) (value : seq (bool * bool) -> F).

Notation cast_layer := (cast_layer (cast ys value)).
Notation cast_run := (cast_run (cast ys value)).

(** A layer at most doubles the period of its input. *)
Lemma layer_periods (T S : Type) (l : affine_layer F T S) (x : nat -> T) p :
  (0 < p)%N -> (forall y t, really_annihilated (product (transition l) y t p)) ->
  eventually_periodic p x -> ~ ~ eventually_periodic (p + p) (cast_layer l x).
Proof.
move=> p0 spec [K xK] never; pose st := cast_state (cast ys value) (transition l) (input l) (origin l) x.
have bounded r : bounded_changes (fun k => st (K + r + k * (p + p))%N).
  have per j : x (K + r + p + j)%N = x (K + r + j)%N.
    by rewrite (_ : K + r + p + j = K + p + (r + j))%N ?xK ?addnA //; lia.
  have [ls cls] := spec x (K + r)%N.
  apply: (@state_periods _ ys value _ _ _ _ _ _ x (K + r)%N (p + p)%N _ [seq l ^+ 2 | l <- ls]).
  - by move=> j; rewrite (_ : K + r + (p + p) + j = K + r + p + (p + j))%N ?per ?addnA ?per //; lia.
  - by apply/allP=> _ /mapP[z _ ->]; apply: sqr_ge0.
  by rewrite product_add (product_ext _ _ per) factors_square.
have each r : (r < p + p)%N -> ~ ~ eventually_constant (fun k => st (K + r + k * (p + p))%N).
  by move=> _; apply: settles.
apply: (not_not_all each) => all_settle; apply: never.
have [|K' cK'] := residues_settle _ all_settle; first by rewrite addn_gt0 p0.
have shifted (W : Type) (v : nat -> W) a P k j :
  (forall j, v (a + P + j)%N = v (a + j)%N) -> v (a + k + P + j)%N = v (a + k + j)%N.
  by move=> per; rewrite (_ : a + k + P + j = a + P + (k + j))%N ?per ?addnA //; lia.
have xK2 j : x (K + (p + p) + j)%N = x (K + j)%N.
  by rewrite (_ : K + (p + p) + j = K + p + (p + j))%N ?xK ?addnA ?xK //; lia.
exists (K + K')%N => j; rewrite /models.cast_layer (shifted _ x K (p + p)%N K' j xK2); congr decoder.
have := shifted _ st K' (p + p)%N K j.+1 cK'; rewrite /st !addnS => e.
by rewrite [(K + K')%N]addnC e.
Qed.

(** They have real spectra; real numbers annihilate them. *)
Definition real_products (T S : Type) (s : affine_stack F T S) : Prop := products (@real_spectrum F) s.

Definition annihilated_products (T S : Type) (s : affine_stack F T S) : Prop := products (@really_annihilated F) s.

Lemma real_products_annihilated (T S : Type) (s : affine_stack F T S) : real_products s -> annihilated_products s.
Proof. by apply: products_imply => n A [ls /factors_zero A0]; exists ls. Qed.

Lemma annihilated_stacks_have_period (T S : Type) (s : affine_stack F T S) (a : T) :
  annihilated_products s -> ~ ~ eventually_periodic (2 ^ height s) (cast_run s (fun=> a)).
Proof.
elim: s => [|U W s IH l] /=; first by move=> _ never; apply: never; exists 0%N.
case=> rs spec never; apply: (IH rs) => per.
have doubled : (2 ^ height s + 2 ^ height s = 2 ^ (height s).+1)%N by rewrite addnn -mul2n expnS.
by move: never; rewrite -doubled; apply: layer_periods; rewrite // expn_gt0.
Qed.

(** Theorem 2: on a constant input the output has an eventual period that divides 2^L. *)
Theorem real_stacks_have_period (T S : Type) (s : affine_stack F T S) (a : T) :
  real_products s -> ~ ~ eventually_periodic (2 ^ height s) (cast_run s (fun=> a)).
Proof. by move=> /real_products_annihilated; apply: annihilated_stacks_have_period. Qed.

(** A sequence of that period which is 1 at the multiples of m ... *)
Lemma counting_divides (u : nat -> bool) m P :
  (0 < m)%N -> (forall t, u t = (m %| t.+1)%N) -> eventually_periodic P u -> (m %| P)%N.
Proof.
move=> m0 counts [K cK]; apply/negPn/negP=> not_div.
have := cK (K * m.-1 + m.-1)%N; rewrite !counts.
have -> : ((K + (K * m.-1 + m.-1)).+1 = K.+1 * m)%N by case: m m0 {counts not_div} => // m _ /=; nia.
have -> : ((K + P + (K * m.-1 + m.-1)).+1 = K.+1 * m + P)%N by case: m m0 {counts not_div} => // m _ /=; nia.
by rewrite dvdn_mull // dvdn_addr ?dvdn_mull // (negbTE not_div).
Qed.

(** ... so (1^m)* is recognised only if m divides 2^L: never m = 3, whatever the depth. *)
Theorem counts_powers_of_two (s : affine_stack F bool bool) m :
  (0 < m)%N -> real_products s -> (forall t, cast_run s (fun=> true) t = (m %| t.+1)%N) -> (m %| 2 ^ height s)%N.
Proof.
move=> m0 rs counts; apply/negPn/negP=> not_div; have H := @real_stacks_have_period _ _ s true rs; apply: H => per.
by move/negP: not_div; apply; apply: counting_divides per.
Qed.

End Stacks.

(** ** Triangular layers: no number of them counts modulo anything but powers of two *)

Section Triangular.

Variable F : realFieldType.

Lemma triangular_product n (A B : 'M[F]_n) (i j : 'I_n) :
  is_trig_mx A -> is_trig_mx B -> (i <= j)%N -> (A *m B) i j = (i == j)%:R * (A i i * B i i).
Proof.
move=> /is_trig_mxP tA /is_trig_mxP tB ij; rewrite mxE (bigD1 i) //= big1 ?addr0 => [|k ki]; last first.
  have [ik|ki'] := ltnP i k; first by rewrite tA // mul0r.
  by rewrite tB ?mulr0 // (leq_trans _ ij) // ltn_neqAle ki' andbT.
by case: eqP => [<-|/eqP ne]; rewrite ?mul1r // mul0r tB ?mulr0 // ltn_neqAle ij andbT.
Qed.

(** Products of triangular matrices are triangular, with the products of the diagonals ... *)
Theorem triangular_products n (A B : 'M[F]_n) : is_trig_mx A -> is_trig_mx B ->
  is_trig_mx (A *m B) /\ forall i, (A *m B) i i = A i i * B i i.
Proof.
move=> tA tB; split=> [|i]; last by rewrite triangular_product // eqxx mul1r.
apply/is_trig_mxP=> i j ij; rewrite triangular_product ?(ltnW ij) //.
by rewrite (_ : i == j = false) ?mul0r // -val_eqE ltn_eqF.
Qed.

(** ... so that diagonals in [-1, 1] stay there. *)
Theorem triangular_contracting n (A B : 'M[F]_n) : is_trig_mx A -> is_trig_mx B ->
  (forall i, -1 <= A i i <= 1) -> (forall i, -1 <= B i i <= 1) -> forall i, -1 <= (A *m B) i i <= 1.
Proof.
move=> tA tB a1 b1 i; have [_ ->] := triangular_products tA tB.
by move: (a1 i) (b1 i); rewrite -!ler_norml normrM => a b; rewrite mulr_ile1.
Qed.

Lemma triangular_real n (A : 'M[F]_n) : is_trig_mx A -> real_spectrum A.
Proof. by move=> tA; exists [seq A i i | i <- enum 'I_n]; rewrite big_map enumT char_poly_trig. Qed.

Lemma triangular_transitions (T : Type) n (A : T -> 'M[F]_n) x t p :
  (forall a, is_trig_mx (A a)) -> is_trig_mx (product A x t p).
Proof.
move=> tA; elim: p => [|p IH] /=; last by have [] := triangular_products (tA (x (t + p)%N)) IH.
by apply/is_trig_mxP=> i j ij; rewrite mxE -val_eqE ltn_eqF.
Qed.

Definition triangular_stack (T S : Type) (s : affine_stack F T S) : Prop :=
  every (fun T S (l : affine_layer F T S) => forall a, is_trig_mx (transition l a)) s.

(** Diagonal layers, in particular. *)
Lemma diagonal_stacks_triangular (T S : Type) (s : affine_stack F T S) :
  every (@classes.diagonal_layer F) s -> triangular_stack s.
Proof. by apply: every_implies => X Y l dl a; apply: is_diag_mx_is_trig. Qed.

Lemma triangular_stacks_real (T S : Type) (s : affine_stack F T S) : triangular_stack s -> real_products s.
Proof.
elim: s => [|U W s IH l] //= [/IH rs tl]; split=> // y t; apply: triangular_real.
exact: (triangular_transitions y t (2 ^ height s) tl).
Qed.

(** Real triangular (diagonal) layers, any number of them, in any finite precision: (1^m)* only for powers of two m. *)
Lemma triangular_stacks_count_powers_of_two ys value (s : affine_stack F bool bool) m :
  (0 < m)%N -> triangular_stack s -> (forall t, cast_run (cast ys value) s (fun=> true) t = (m %| t.+1)%N) ->
  (m %| 2 ^ height s)%N.
Proof. by move=> m0 /triangular_stacks_real; apply: counts_powers_of_two. Qed.

(** Counting modulo 3, for instance. *)
Theorem triangular_stacks_do_not_count_three ys value (s : affine_stack F bool bool) :
  triangular_stack s -> ~ (forall t, cast_run (cast ys value) s (fun=> true) t = (3 %| t.+1)%N).
Proof.
move=> ts counts; have := triangular_stacks_count_powers_of_two (isT : 0 < 3)%N ts counts.
by rewrite Euclid_dvdX //.
Qed.

End Triangular.

(** * The surrogate gradient through a stack that keeps is a binomial coefficient

    After degeeter26, Sec. 4.3.

    - [above]: a layer above, with its weight, other input, threshold and held state;
    - [layer_above k], [stack_above ks below]: it as a machine of models.v that hands up its state, with the derivative;
          what the last of several layers hands up;
    - [candidate_of k v], [term k v], [terms v ks], [quiet v ks]: the candidate over a layer that holds v;
          what the layer adds at each step; the product of these; all layers keep;
    - [layer_one h0 x b rest]: layer 1, differentiated by its first candidate. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import models bistable bistable_gradients.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.

Section Growth.

Local Open Scope ring_scope.
Variables (F : realFieldType) (slope : F -> F) (a : F).

(** A layer above: the weight of what it reads, its other input, its threshold, and the state that it holds. *)
Record above := LayerAbove { weight : F; other : F; level : F; held : F }.

(** It reads the states, with derivatives, of the layer below; the candidate is weight times what it reads plus the
    other input. *)
Definition reads_below (k : above) (d : dual F) : dual F := plus (times (const (weight k)) d) (const (other k)).

Definition layer_above (k : above) : mealy (dual F) (dual F) :=
  Mealy (const (held k)) (fun h d => dual_step slope a h (reads_below k d, const (level k))) (fun h _ => h).

(** Times count from 0. *)
Definition stack_above (ks : seq above) (below : nat -> dual F) : nat -> dual F :=
  foldl (fun d k => transduce (layer_above k) d) below ks.

(** The candidate of a layer over one that holds v, and the term that it adds at each step. *)
Definition candidate_of k v : F := weight k * v + other k.

Definition term k v : F :=
  weight k * slope (`|candidate_of k v| - level k) * S (candidate_of k v) * (S (candidate_of k v) * a - held k).

(** The product of the terms, and that all layers keep. *)
Fixpoint terms v ks : F := if ks is k :: rest then term k v * terms (held k) rest else 1.

Fixpoint quiet v ks : bool := if ks is k :: rest then (`|candidate_of k v| < level k) && quiet (held k) rest else true.

Lemma keeps k v e (h : dual F) : `|candidate_of k v| < level k -> h.1 = held k ->
  dual_step slope a h (reads_below k (v, e), const (level k)) = (held k, h.2 + term k v * e).
Proof.
case: h => h1 h2 /= lt ->; have HE : H (`|candidate_of k v| - level k) = 0 by rewrite /H subr_lt0 lt.
rewrite /dual_step /reads_below /plus /times /heaviside /minus /modulus /sign /const /term /= -/(candidate_of k v) HE.
by move: (slope _) (slope (candidate_of k v)) (S _) => g q s; congr pair; ring.
Qed.

(** What a stream of a constant value and of derivatives 'C(t + n, n) c becomes in a layer that keeps. *)
Lemma layer_sums k v (below : nat -> dual F) n c :
  `|candidate_of k v| < level k -> (forall t, below t = (v, 'C(t + n, n)%:R * c)) ->
  forall t, transduce (layer_above k) below t = (held k, 'C(t + n.+1, n.+1)%:R * (term k v * c)).
Proof.
pose step h d := dual_step slope a h (reads_below k d, const (level k)).
move=> lt below_is; elim=> [|t IH].
  rewrite -[LHS]/(step (const (held k)) (below 0%N)) below_is [LHS]keeps //; congr pair.
  by rewrite !add0n !binn /= add0r !mul1r.
rewrite -[LHS]/(step (transduce (layer_above k) below t) (below t.+1)) below_is IH [LHS]keeps //; congr pair.
by rewrite /= [in RHS]addSn binS -addSnnS natrD mulrDl; congr (_ + _); rewrite mulrCA.
Qed.

(** Layer 1 hands up a state with a derivative that do not change; L - 1 layers that keep make of it a binomial
    coefficient. *)
Lemma derivative_is_binomial v c (ks : seq above) (L := (size ks).+1) t :
  quiet v ks -> (stack_above ks (fun=> (v, c)) t).2 = 'C(t + L.-1, L.-1)%:R * (terms v ks * c).
Proof.
rewrite {}/L /=; have many n d (below : nat -> dual F) :
  (forall t, below t = (d.1, 'C(t + n, n)%:R * d.2)) -> quiet d.1 ks ->
    (stack_above ks below t).2 = 'C(t + (n + size ks), n + size ks)%:R * (terms d.1 ks * d.2).
  elim: ks n d below => [|k ks IH] n d below below_is /=; first by rewrite addn0 mul1r below_is.
  case/andP=> lt q; rewrite /stack_above /= -/(stack_above _ _) (IH n.+1 (held k, term k d.1 * d.2)) //=;
    last exact: layer_sums.
  by rewrite addSnnS; congr (_ * _); rewrite mulrA; congr (_ * _); apply: mulrC.
by move=> q; rewrite -[size ks]add0n; apply: (many 0%N (v, c)) => // u; rewrite addn0 bin0 mul1r.
Qed.

Lemma stays y b (h : dual F) : `|y| < b -> dual_step slope a h (const y, const b) = h.
Proof.
case: h => h1 h2 lt; have HE : H (`|y| - b) = 0 by rewrite /H subr_lt0 lt.
rewrite /dual_step /plus /times /heaviside /minus /modulus /sign /const /= HE.
by move: (slope _) (slope y) (S y) => g q s; congr pair; ring.
Qed.

(** Layer 1 from h0: a first step with candidate x and threshold b, differentiated by x, and then steps with other
    candidates and thresholds. *)
Fixpoint layer_one h0 x b (rest : nat -> F * F) t : dual F :=
  if t is u.+1 then dual_step slope a (layer_one h0 x b rest u) (const (rest u).1, const (rest u).2)
  else dual_step slope a (const h0) ((x, 1), const b).

Theorem stack_gradient_is_binomial h0 x b rest (ks : seq above) t :
  (forall u, `|(rest u).1| < (rest u).2) -> quiet (layer_one h0 x b rest 0).1 ks ->
  (stack_above ks (layer_one h0 x b rest) t).2 =
  'C(t + size ks, size ks)%:R * (terms (layer_one h0 x b rest 0).1 ks * by_candidate slope a h0 x b [::]).
Proof.
move=> kept_ q; have constant u :
  layer_one h0 x b rest u = ((layer_one h0 x b rest 0).1, by_candidate slope a h0 x b [::]).
  elim: u => [|u IH]; first exact: surjective_pairing.
  have -> : layer_one h0 x b rest u.+1 = layer_one h0 x b rest u by apply: stays.
  exact: IH.
have same ls (d e : nat -> dual F) : (forall u, d u = e u) -> forall u, stack_above ls d u = stack_above ls e u.
  by elim: ls d e => //= k ls IH d e de u; apply: IH => {}u; apply: transduce_ext.
by rewrite (same _ _ _ constant) derivative_is_binomial.
Qed.

End Growth.

(** With T = t + 1 steps and n = L - 1: it grows like the n-th power of T. *)
Theorem binomial_grows t n : (t.+1 ^ n <= n`! * 'C(t + n, n) <= (t + n) ^ n)%N.
Proof.
have -> : (n`! * 'C(t + n, n) = (t + n) ^_ n)%N by rewrite mulnC bin_ffact.
elim: n => [|n /andP[lo hi]] //; rewrite addnS ffactnS !expnS /=; apply/andP; split.
  by rewrite leq_mul // ltnS leq_addr.
by rewrite leq_mul // (leq_trans hi) //; case: (n) => // m; rewrite leq_exp2r.
Qed.

(** No other power: with one term as in a single sum, T, it fails at T = 2 with three layers. *)
Theorem not_derivative_is_a_power : ~ (forall t n, 'C(t + n, n) = t.+1 ^ n).
Proof. by move/(_ 1 2). Qed.

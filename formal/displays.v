(** * The settled states of a constant input, as sums

    grazzi25, the displays of App. B.1 and B.2 as amended. C_i is the cast of A(1)^i B, D_k that of A(1)^k H_0.

    - [settled_state cast C D k]: the cast of C_0 + ... + C_(k-1) + D_k; it is the state in finite precision of a layer
          that has read one letter k times ([terms_under_one_letter]). *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From lemmata Require Import models.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section Displays.

Variables (V : zmodType) (T : Type) (cast : V -> T) (C D : nat -> V).

Definition settled_state k : T := cast (\sum_(i < k) C i + D k).

Lemma sum_from tau d : \sum_(i < tau + d) C i = \sum_(i < tau) C i + \sum_(i < d) C (tau + i)%N.
Proof. by rewrite big_split_ord /=. Qed.

(** App. B.1: from tau on the terms are one and the same. *)
Theorem settled_display tau (c d : V) :
  (forall i, (tau <= i)%N -> C i = c) -> (forall k, (tau <= k)%N -> D k = d) ->
  forall k, (tau <= k)%N -> settled_state k = cast (\sum_(i < tau) C i + d + c *+ (k - tau)).
Proof.
move=> Cc Dd k le; have [e ->] : exists e, k = (tau + e)%N by exists (k - tau)%N; rewrite subnKC.
rewrite /settled_state Dd ?leq_addr // sum_from addKn addrAC; congr (cast (_ + _)).
by rewrite (eq_bigr (fun=> c)) => [|i _]; [rewrite sumr_const card_ord | rewrite Cc // leq_addr].
Qed.

(** App. B.2: from an even tau on they alternate, odd ones c1, even ones c2. *)
Theorem alternating_display tau (c1 c2 d1 d2 : V) : ~~ odd tau ->
  (forall i, (tau <= i)%N -> C i = if odd i then c1 else c2) ->
  (forall k, (tau <= k)%N -> D k = if odd k then d1 else d2) ->
  forall k, (tau <= 2 * k)%N ->
    settled_state (2 * k) = cast (\sum_(i < tau) C i + (c1 + c2) *+ (k - tau %/ 2) + d2) /\
    settled_state (2 * k + 1) = cast (\sum_(i < tau) C i + (c1 + c2) *+ (k - tau %/ 2) + c2 + d1).
Proof.
move=> even Cc Dd k le; set s := (tau %/ 2)%N.
have tauE : tau = (2 * s)%N by rewrite /s divn2 mul2n -[LHS]odd_double_half (negPf even).
have pairs e : \sum_(i < 2 * e) C (tau + i)%N = (c1 + c2) *+ e.
  elim: e => [|e IH]; first by rewrite muln0 big_ord0 mulr0n.
  rewrite mulnS add2n !big_ord_recr /= IH !Cc ?leq_addr // !oddD (negPf even) /= !mul2n !odd_double /=.
  by rewrite addbF addbb mulrSr -addrA [c2 + c1]addrC.
have sum2k : \sum_(i < 2 * k) C i = \sum_(i < tau) C i + (c1 + c2) *+ (k - s).
  by rewrite -pairs -sum_from (_ : (tau + 2 * (k - s) = 2 * k)%N) //; lia.
rewrite /settled_state addn1 big_ord_recr /= sum2k Dd // (Cc (2 * k)%N) // (Dd (2 * k).+1) ?(leqW le) //.
by rewrite /= mul2n odd_double.
Qed.

End Displays.

(** The terms of a layer that reads one letter y again and again: A(y)^i B(y) for i < k, and A(y)^k H_0. *)
Lemma terms_under_one_letter (F : ringType) X n d (A : X -> 'M[F]_n) (B : X -> 'M[F]_(n, d)) H0 y T
    (c : 'M[F]_(n, d) -> 'M[F]_(n, d)) (cast : 'M[F]_(n, d) -> T) k (power := fun i => iter i (mulmx (A y))) :
  cast (\sum_(M <- terms A B H0 (fun=> y) k) c M) =
  settled_state cast (fun i => c (power i (B y))) (fun i => c (power i H0)) k.
Proof.
have -> : terms A B H0 (fun=> y) k = power k H0 :: rev (mkseq (fun i => power i (B y)) k).
  elim: k => //= k ->; rewrite /= map_rev -rev_cons -map_comp /mkseq /= (iotaDl 1 0) -map_comp.
  by congr (_ :: rev (_ :: _)); apply: eq_map.
rewrite big_cons addrC (perm_big (mkseq (fun i => power i (B y)) k)) ?perm_rev // big_map.
by rewrite -[iota 0 k]/(iota 0 k) -{1}[k]subn0 -/(index_iota 0 k) big_mkord.
Qed.

(** With one term more it is false: C_i = 1 and D_k = 0 from the start. *)
Theorem not_settled_display_with_one_more : ~ (forall (C D : nat -> int) tau (c d : int),
  (forall i, (tau <= i)%N -> C i = c) -> (forall k, (tau <= k)%N -> D k = d) ->
  forall k, (tau <= k)%N -> settled_state id C D k = \sum_(i < tau) C i + d + c *+ (k - tau + 1)).
Proof.
move/(_ (fun=> 1) (fun=> 0) 0%N 1 0 (fun _ _ => erefl) (fun _ _ => erefl) 0%N isT).
by rewrite /settled_state !big_ord0.
Qed.

Theorem not_alternating_display_with_one_more : ~ (forall (C D : nat -> int) tau (c1 c2 d1 d2 : int), ~~ odd tau ->
  (forall i, (tau <= i)%N -> C i = if odd i then c1 else c2) ->
  (forall k, (tau <= k)%N -> D k = if odd k then d1 else d2) ->
  forall k, (tau <= 2 * k)%N ->
    settled_state id C D (2 * k) = \sum_(i < tau) C i + (c1 + c2) *+ (k - tau %/ 2 + 1) + d2).
Proof.
move=> bad; have same (u : int) i : (0 <= i)%N -> u = if odd i then u else u by case: (odd i).
have := bad (fun=> 1) (fun=> 0) 0%N 1 1 0 0 isT (same 1) (same 0) 0%N isT.
by rewrite /settled_state !big_ord0.
Qed.

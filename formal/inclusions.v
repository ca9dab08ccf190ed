(** * The classes M_k(Omega) of products of GH matrices grow

    grazzi25, Eq. 3.

    - [gh_class k Omega]: products of k matrices I - beta v v^T with unit vectors v and eigenvalues 1 - beta
          in Omega. *)

From mathcomp Require Import all_ssreflect all_algebra.
From lemmata Require Import householder.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Classes.

Variables (F : realFieldType) (n : nat).

Definition gh_class k (Omega : F -> Prop) (M : 'M[F]_n.+1) : Prop :=
  exists s : seq ('rV[F]_n.+1 * F),
    [/\ size s = k, forall v beta, (v, beta) \in s -> dot v v = 1 /\ Omega (1 - beta) &
        gh_product [seq (vb.1^T, vb.2) | vb <- s] = M].

Lemma gh_product_cat (s r : seq ('cV[F]_n.+1 * F)) : gh_product (s ++ r) = gh_product s *m gh_product r.
Proof. by elim: s => [|a s IH] /=; rewrite ?mul1mx // IH mulmxA. Qed.

Lemma gh_product_of_identities j (v : 'cV[F]_n.+1) : gh_product (nseq j (v, 0)) = 1%:M.
Proof. by elim: j => //= j ->; rewrite /gh scale0r subr0 mul1mx. Qed.

Theorem classes_grow k k' (Omega Omega' : F -> Prop) M :
  (forall b, Omega b -> Omega' b) -> k' = k \/ (k <= k')%N /\ Omega' 1 -> gh_class k Omega M -> gh_class k' Omega' M.
Proof.
move=> sub grows [s [size_s sE sM]]; have sE' v b : (v, b) \in s -> dot v v = 1 /\ Omega' (1 - b).
  by case/sE=> v1 /sub.
case: grows => [e|[kk one]]; first by exists s; split=> //; rewrite size_s e.
exists (s ++ nseq (k' - k) (delta_mx 0 0, 0)); split; first by rewrite size_cat size_nseq size_s subnKC.
  move=> v b; rewrite mem_cat => /orP[/sE' //|]; rewrite mem_nseq => /andP[_ /eqP[-> ->]]; rewrite subr0.
  by rewrite /dot trmx_delta mul_delta_mx mxE !eqxx.
by rewrite map_cat map_nseq gh_product_cat gh_product_of_identities mulmx1.
Qed.

End Classes.

(** Without 1 in the larger set not: I is no product of one reflection. *)
Theorem not_classes_grow_without_one (F : realFieldType) :
  ~ (forall n k k' (Omega Omega' : F -> Prop) (M : 'M[F]_n.+1), (forall b, Omega b -> Omega' b) -> (k <= k')%N ->
       gh_class k Omega M -> gh_class k' Omega' M).
Proof.
move/(_ 0%N 0%N 1%N (fun b => b = -1) (fun b => b = -1) 1%:M (fun _ => id) isT) => bad.
have [|s [size_s sE sM]] := bad; first by exists [::].
case: s size_s sE sM => [|[v b] [|//]] //= _ sE sM.
have [v1 bE] := sE v b (mem_head _ _); move/matrixP/(_ 0 0): sM.
have {bE} bE : b = 2%:R by rewrite -[b](subKr 1) bE opprK mulr2n.
move: v1; rewrite /dot /gh trmxK mulmx1 !mxE !big_ord1 !mxE eqxx mulr1n bE => ->; rewrite mulr1 => /eqP.
by rewrite subr_eq addrC -subr_eq subrr eq_sym pnatr_eq0.
Qed.

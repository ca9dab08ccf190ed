(** * Recurrences, unrolled and repeated

    grazzi25, Sec. 3.2 and App. B.1; degeeter26, Sec. 2; movahedi25, App. C.1; orvieto24, Sec. 1.

    - [tick A B]: the step h -> A h + B x, and [ticks A B N]: N of them with one input;
    - [solves]: h is a fixed point of the pass, token after token;
    - [token], [found]: the one state that a token can have, and these states from the first token on. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From lemmata Require Import models affine.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** The closed form of a state *)

Section ClosedForm.

Variables (F : fieldType) (n : nat) (L : Type) (A : L -> 'M[F]_n) (B : L -> 'cV[F]_n) (h0 : 'cV[F]_n) (x : nat -> L).

(** H_k = A(x_k) H_(k-1) + B(x_k), with the letters x_1, x_2, ... *)
Theorem closed_form k :
  at_time (step A B) h0 (fun t => x t.+1) k =
  \sum_(i < k) descending (A \o x) i.+1 k *m B (x i.+1) + descending (A \o x) 0 k *m h0.
Proof. exact: at_time_unrolled. Qed.

End ClosedForm.

(** The last letter counts. *)
Theorem not_closed_form_without_the_last (F : fieldType) :
  ~ (forall n (A : bool -> 'M[F]_n) (B : bool -> 'cV[F]_n) h0 x k,
       at_time (step A B) h0 (fun t => x t.+1) k =
       \sum_(i < k.-1) descending (A \o x) i.+1 k *m B (x i.+1) + descending (A \o x) 0 k *m h0).
Proof.
move/(_ 1%N (fun=> 0) (fun=> const_mx 1) 0 (fun=> true) 1%N) => /matrixP/(_ 0 0).
by rewrite /= /step big_ord0 !mulmx0 !add0r !mxE => /eqP; rewrite oner_eq0.
Qed.

(** ** Ticks of an affine step *)

Section Ticks.

Variables (F : fieldType) (n m : nat) (A : 'M[F]_n.+1) (B : 'M[F]_(n.+1, m)).

Definition tick : 'cV[F]_n.+1 -> 'cV[F]_m -> 'cV[F]_n.+1 := step (fun=> A) (mulmx B).

(** One input, N times. *)
Definition ticks N (h : 'cV[F]_n.+1) (x : 'cV[F]_m) : 'cV[F]_n.+1 := state tick h (nseq N x).

(** N ticks at once, a geometric sum; one by one, T inputs take N T steps. *)
Theorem ticks_in_closed_form N (S := \sum_(k < N) A ^+ k) :
  [/\ forall x h, ticks N h x = A ^+ N *m h + S *m (B *m x), (1%:M - A) *m S = 1%:M - A ^+ N &
      forall (w : seq 'cV[F]_m) h (steps := flatten [seq nseq N x | x <- w]),
        state (ticks N) h w = state tick h steps /\ size steps = (N * size w)%N].
Proof.
split=> [x h||w h /=].
- have sumS k : \sum_(i < k.+1) A ^+ i = 1%:M + A *m \sum_(i < k) A ^+ i.
    by rewrite big_ord_recl expr0 mulmx_sumr; congr (_ + _); apply: eq_bigr => i _; apply: exprS.
  rewrite {}/S /ticks state_nseq; elim: N => [|N IH]; first by rewrite big_ord0 mul0mx addr0 mul1mx.
  rewrite iterS IH /tick /step mulmxDr mulmxA -[A *m A ^+ N]/(A * A ^+ N) -exprS -addrA sumS mulmxDl mul1mx mulmxA.
  by rewrite [B *m x + _]addrC.
- rewrite {}/S -[LHS]/((1 - A) * _) -[RHS]/(1 - A ^+ N) -[in RHS](expr1n _ N) subrXX_comm; last exact/commr_sym/commr1.
  by congr (_ * _); apply: eq_bigr => k _; rewrite expr1n mul1r.
clear S; elim: w h => [|x w IH] h /=; first by rewrite muln0.
have [e1 e2] := IH (ticks N h x); split; last by rewrite size_cat size_nseq e2 mulnS.
by rewrite state_cat -e1.
Qed.

End Ticks.

(** The input enters at every tick. *)
Theorem not_ticks_in_closed_form_once (F : fieldType) :
  ~ (forall n (A : 'M[F]_n.+1) (x h : 'cV[F]_n.+1) N, ticks A 1%:M N h x = A ^+ N *m h + x).
Proof.
move/(_ 0%N 0 (const_mx 1) 0 0%N) => /matrixP/(_ 0 0); rewrite /= mulmx0 add0r !mxE => /esym/eqP.
by rewrite oner_eq0.
Qed.

(** ** Word problems *)

Theorem products_of_letters (M : finType) (e : M) (op : Monoid.law e) (w : seq M) :
  state op e w = \big[op/e]_(m <- w) m.
Proof.
suff key p : state op p w = op p (\big[op/e]_(m <- w) m) by rewrite key Monoid.mul1m.
elim: w p => [|m w IH] p /=; first by rewrite big_nil Monoid.mulm1.
by rewrite IH big_cons Monoid.mulmA.
Qed.

(** Multiplied from the left, the letters come in the other order. *)
Theorem not_products_of_letters_from_the_left :
  ~ (forall (M : finType) (e : M) (op : Monoid.law e) (w : seq M),
    state (fun p m => op m p) e w = \big[op/e]_(m <- w) m).
Proof.
pose a := tperm (0 : 'I_3) 1; pose b := tperm (1 : 'I_3) 2%:R.
move/(_ _ _ (finGroup_law [finGroupType of 'S_3]) [:: a; b]).
rewrite /= !big_cons big_nil /= !mulg1 => /permP/(_ 0); rewrite !permM !permE /= => e.
by move/(congr1 val): e.
Qed.

(** ** Dependence on the state just before *)

Section TokenAfterToken.

Variables (F : fieldType) (n : nat) (Lam G Q : nat -> 'cV[F]_n -> 'M[F]_n) (u : nat -> 'cV[F]_n ->
  'cV[F]_n) (h0 : 'cV[F]_n).

Definition just_before (h : nat -> 'cV[F]_n) t : 'cV[F]_n := if t is t'.+1 then h t' else h0.

(** h_t = Lambda_t h_(t-1) + G_t (Q_t u_t + (I - Q_t) h_t), the parameters functions of the token and of h_(t-1). *)
Definition solves (h : nat -> 'cV[F]_n) t : Prop :=
  let p := just_before h t in h t = Lam t p *m p + G t p *m (Q t p *m u t p + (1%:M - Q t p) *m h t).

Definition block t p : 'M[F]_n := 1%:M - G t p *m (1%:M - Q t p).

Definition token t p : 'cV[F]_n := invmx (block t p) *m (Lam t p *m p + G t p *m (Q t p *m u t p)).

(** Token after token: the letters are the times. *)
Definition found t : 'cV[F]_n := at_time (fun p s => token s p) h0 id t.+1.

Theorem one_solution_token_after_token :
  (forall t p, block t p \in unitmx) ->
  (forall t, solves found t) /\ forall h T, (forall t, (t < T)%N -> solves h t) -> forall t, (t < T)%N -> h t = found t.
Proof.
move=> inv; have key h t : solves h t <-> h t = token t (just_before h t).
  rewrite /solves /token; set p := just_before h t; set s := Lam t p *m p; set r := G t p *m (Q t p *m u t p).
  have E : h t - (s + G t p *m (Q t p *m u t p + (1%:M - Q t p) *m h t)) = block t p *m h t - (s + r).
    by rewrite mulmxDr addrA -/r opprD addrA /block mulmxBl mul1mx -mulmxA [RHS]addrAC.
  split=> [e|e]; last by apply/eqP; rewrite -subr_eq0 E e /token mulmxA mulmxV // mul1mx -/s -/r subrr.
  by rewrite -[LHS](mulKmx (inv t p)); congr (_ *m _); apply/eqP; rewrite -subr_eq0 -E -e subrr.
split=> [t|h T all_t t]; first by apply/key; case: t.
elim: t => [|t IH] tT; have /key := all_t _ tT; first by [].
by rewrite /= (IH (ltnW tT)).
Qed.

End TokenAfterToken.

(** Without invertible blocks there may be several: G = I, Q = 0. *)
Theorem not_one_solution_token_after_token_always (F : fieldType) :
  ~ (forall n (Lam G Q : nat -> 'cV[F]_n -> 'M[F]_n) u h0 h g,
       (forall t, solves Lam G Q u h0 h t) -> (forall t, solves Lam G Q u h0 g t) -> forall t, h t = g t).
Proof.
move/(_ 1%N (fun _ _ => 0) (fun _ _ => 1%:M) (fun _ _ => 0) (fun _ _ => 0) 0 (fun=> 0) (fun=> const_mx 1)) => same.
suff /matrixP/(_ 0 0) : (0 : 'cV[F]_1) = const_mx 1 by rewrite !mxE => /eqP; rewrite eq_sym oner_eq0.
by apply: (same _ _ 0%N) => t; rewrite /solves /= !mul0mx !mul1mx subr0 mul1mx !add0r.
Qed.

(** ** Even maps and linear filters *)

Theorem filters_on_even_maps (F : realFieldType) (V : zmodType) (T f : V -> F) :
  (forall v, T (- v) = T v) -> (forall v, f (- v) = - f v) ->
  [/\ forall v, `|T v| <= Num.max `|T v - f v| `|T (- v) - f (- v)|,
      forall (S : V -> Prop) c, (forall v, S v -> S (- v)) -> (forall v, S v -> `|T v - f v| <= c) -> forall v, S v ->
        `|T v| <= c &
      forall n (k : 'I_n) (v : 'rV[F]_n), (- v) 0 k ^+ 2 = v 0 k ^+ 2].
Proof.
move=> even odd; have key v c : `|T v - f v| <= c -> `|T (- v) - f (- v)| <= c -> `|T v| <= c.
  rewrite even odd opprK => le le'; have two : 0 < 2%:R :> F by rewrite ltr0n.
  rewrite -(ler_pmul2l two) -{1}[2%:R](ger0_norm (ltW two)) -normrM mulr_natl mulr2n mulr_natl mulr2n.
  rewrite (_ : T v + T v = T v - f v + (T v + f v)); last by rewrite addrACA [- _ + _]addrC subrr addr0.
  by apply: le_trans (ler_norm_add _ _) _; apply: ler_add.
split=> [v|S c sym small v Sv|n k v]; first by apply: key; rewrite le_maxr lexx ?orbT.
- by apply: key; apply: small => //; apply: sym.
by rewrite mxE sqrrN.
Qed.

(** With a bias a filter can be better than 0. *)
Theorem not_filters_on_even_maps_with_a_bias (F : realFieldType) :
  ~ (forall (T f : F -> F) (b v : F), (forall v, T (- v) = T v) -> (forall v, f (- v) = - f v) ->
       `|T v| <= Num.max `|T v - (f v + b)| `|T (- v) - (f (- v) + b)|).
Proof.
move/(_ (fun=> 1) (fun=> 0) 1 0 (fun=> erefl) (fun=> esym (oppr0 _))).
by rewrite add0r subrr normr0 maxxx normr1 ler10.
Qed.

(** * What is counted: degrees over all times, letters for a permutation, parameters of a mixer

    lizaire26, App. A.6; grazzi25, Sec. 5.2; movahedi25, App. D.3.2.

    - [swap_letter (i, j)]: the letter of S_5 that exchanges i and j. *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import zify.
From lemmata Require Import models second_order permutation groups.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** Degrees *)

Section Degrees.

Variables (F : realFieldType) (n d : nat) (B : kind F n d) (K : kind F n n).
Hypotheses (likeB : second_like B) (likeK : second_like K).
Variables (x u : nat -> 'cV[F]_d).

Let word (c : F) (s : nat) : 'cV[F]_d := x s + c *: u s.

(** A layer adds the degree of its state before to that of what it reads. *)
Lemma run_degree m (K' : kind F n m) (l : layer K') (y : F -> nat -> 'cV[F]_m) (D : nat -> nat) E t i :
  second_like K' -> (forall s j, degree_le (E s) (fun c => y c s j 0)) -> D 0%N = E 0%N ->
    (forall s, D s.+1 = (D s + E s.+1)%N) ->
  degree_le (D t) (fun c => run l (y c) t i 0).
Proof.
move=> like yE D0 DS; elim: t i => [|t IH] i.
  rewrite D0; apply: (@next_degree F _ _ _ l 0 _ (fun=> start l) (fun c => y c 0%N)) => // j; exact: degree_const.
by rewrite DS; apply: (@next_degree F _ _ _ l _ _ (fun c => run l (y c) t) (fun c => y c t.+1)).
Qed.

Lemma states_binomial (N : network B K) t i : degree_le 'C(t + depth N, depth N) (fun c => states N (word c) t i 0).
Proof.
have pascal k s : 'C(s.+1 + k.+1, k.+1) = ('C(s + k.+1, k.+1) + 'C(s.+1 + k, k))%N.
  by rewrite [in LHS]addSn binS; congr (_ + 'C(_, _))%N; rewrite addSnnS.
case: N => low ls; elim/last_ind: ls t i => [|ls l IH] t i.
  apply: (@run_degree _ _ low word (fun t => 'C(t + 1, 1)) (fun=> 1%N)) => // [s j|s]; last by rewrite !bin1; lia.
  apply: (@degree_ext F _ _ (fun c => x s j 0 + c * u s j 0)) => [c|]; first by rewrite !mxE.
  by apply: degreeD (degree_const _ _) _; apply: (@degreeM F 1 0); [apply: degree_id | apply: degree_const].
apply: (@degree_ext F _ _ (fun c => run l (states (Network low ls) (word c)) t i 0)) => [c|].
  by rewrite (states_above (Network low ls)).
rewrite /depth /= size_rcons; set k := (size ls).+1.
apply: (@run_degree _ _ l (fun c => states (Network low ls) (word c)) (fun t => 'C(t + k.+1,
  k.+1)) (fun t => 'C(t + k, k))); last by move=> s; apply: pascal.
- exact: likeK.
- by move=> s j; apply: IH.
by rewrite !add0n !binn.
Qed.

End Degrees.

(** Fewer than T^L, but for T = 1 and L = 1; T = t + 1. *)
Lemma binomial_power t L : (0 < L)%N -> ('C(t + L, L) <= t.+1 ^ L)%N /\ ('C(t + L, L) = (t.+1 ^ L)%N ->
  t = 0%N \/ L = 1%N).
Proof.
case: L => // L _; elim: L => [|L [le eq]]; first by rewrite bin1 expn1 addn1; split=> //; right.
have step : (L.+2 * 'C(t + L.+2, L.+2) = (t + L.+2) * 'C(t + L.+1, L.+1))%N by rewrite -mul_bin_diag addnS.
have factor : (t + L.+2 <= t.+1 * L.+2)%N by nia.
have pos : (0 < t.+1 ^ L.+1)%N by rewrite expn_gt0.
set a := 'C(t + L.+1, L.+1) in step le *; set b := 'C(t + L.+2, L.+2) in step *; rewrite [(t.+1 ^ L.+2)%N]expnS.
move: (t.+1 ^ L.+1)%N pos le {eq} => c pos le; split.
  by rewrite -(@leq_pmul2l L.+2) // step mulnA [(L.+2 * _)%N]mulnC; apply: leq_mul.
move=> e; left; rewrite e in step; have le2 : (L.+2 * (t.+1 * c) <= (t + L.+2) * c)%N by rewrite step leq_mul2l le orbT.
by move: le2; rewrite mulnA leq_pmul2r //; nia.
Qed.

Theorem powers_bound_the_degree (F : realFieldType) n d (B : kind F n d) (K : kind F n n) (N : network B K) x u t i
    (T := t.+1) (L := depth N) :
  second_like B -> second_like K ->
  [/\ degree_le (T ^ L) (fun c => states N (fun s => x s + c *: u s) t i 0),
      degree_le 'C(T + L - 1, L) (fun c => states N (fun s => x s + c *: u s) t i 0) &
      'C(T + L - 1, L) = (T ^ L)%N -> T = 1%N \/ L = 1%N].
Proof.
move=> likeB likeK; have TL : (T + L - 1 = t + L)%N by rewrite /T addSn subn1.
have [le eq] := @binomial_power t L isT; have binom := states_binomial likeB likeK x u N t i.
rewrite TL; split=> //; first exact: degree_mono le binom.
by move/eq=> [t0|L1]; [left; rewrite /T t0 | right].
Qed.

(** L + 1 layers do not stay below degree L + 1, in the first letter alone. *)
Theorem not_powers_bound_the_degree_strictly (F : realFieldType) :
  ~ (forall n d L f x u i, computes (second_order F n.+1 d.+1) (second_order F n.+1 n.+1) L.+1 f ->
       degree_le L (fun c => f (along x u c) 1%N i 0)).
Proof. exact: not_second_order_networks_of_less_degree. Qed.

(** ** Four letters for each element of S_5 *)

Definition swap_letter (x : 'I_5 * 'I_5) : 'S_5 := tperm x.1 x.2.

Lemma displaced_swap (x : 'I_5 * 'I_5) : (displaced (swap_letter x) <= 2)%N.
Proof.
apply: leq_trans (_ : #|[set x.1; x.2]| <= 2)%N; last by rewrite cards2; case: eqP.
apply/subset_leq_card/subsetP=> i; rewrite !inE; apply: contraR; rewrite negb_or => /andP[i1 i2].
by apply/eqP; rewrite /swap_letter tpermD // eq_sym.
Qed.

Theorem four_letters (F : realFieldType) (A := fun x => carries F (swap_letter x)) :
  [/\ exists out : 'cV[F]_5 -> 'S_5,
        forall w, out (state_by A (points F 5) w) = state (fun g x => g * swap_letter x)%g 1%g w,
      forall x, reflections_at_most 1 (A x), #|{: 'S_5}| = 120%N &
      forall s : 'S_5, exists2 w : seq ('I_5 * 'I_5), size w = 4%N & state (fun g x => g * swap_letter x)%g 1%g w = s].
Proof.
have shift (g : 'S_5) w : state (fun g x => g * swap_letter x)%g g w = (g * state (fun g x => g * swap_letter x) 1 w)%g.
  by elim: w g => [|x w IH] g /=; rewrite ?mulg1 // IH [in RHS]IH mul1g mulgA.
split.
- have [|[out outE] _] :=
    @permutations_in_one_layer F 'S_5 [finType of 'I_5 * 'I_5] (fun g x => g * swap_letter x)%g 1%g 5 swap_letter.
    move=> u v; split=> [e q _|e]; first by rewrite shift [RHS]shift e.
    by apply: e; exists [::].
  by exists out.
- move=> x; apply: reflections_mono (permutation_reflections F _); apply: leq_trans (many_cycles _) _.
  have -> : displaced (swap_letter x)^-1 = displaced (swap_letter x) by rewrite /swap_letter tpermV.
  by have := displaced_swap x; case: (displaced _) => [|[|[|]]].
- by rewrite card_Sn.
move=> s; have [ts ok [size_ts ->]] := permutation_is_swaps s.
have short : (size ts <= 4)%N.
  have : (0 < cycles s)%N by rewrite /cycles (cardD1 (porbit s 0)) imset_f.
  by move: size_ts; lia.
exists (ts ++ nseq (4 - size ts) (0, 0)); first by rewrite size_cat size_nseq subnKC.
have none k : state (fun g x => g * swap_letter x)%g 1%g (nseq k (0, 0)) = 1%g.
  by elim: k => //= k IH; rewrite mul1g /swap_letter tperm1 IH.
rewrite state_cat shift none mulg1; elim: ts {ok size_ts short} => [|x ts IH] /=; first by rewrite big_nil.
by rewrite mul1g shift IH big_cons.
Qed.

(** One letter is not enough: there are 25 letters, and 120 elements. *)
Theorem not_four_letters_but_one :
  ~ (forall s : 'S_5, exists2 w : seq ('I_5 * 'I_5), size w = 1%N & state (fun g x => g * swap_letter x)%g 1%g w = s).
Proof.
move=> one; have : ([set: 'S_5] \subset [set swap_letter x | x : 'I_5 * 'I_5]).
  apply/subsetP=> s _; have [[|x [|//]] //= _ <-] := one s.
  by rewrite mul1g imset_f.
move/subset_leq_card; rewrite cardsT card_Sn => /leq_trans/(_ (leq_imset_card _ _)).
by rewrite card_prod card_ord.
Qed.

(** ** Parameters of the map to a mixer *)

(** r vectors of d numbers, and a coefficient for each, are linear functions of d inputs. *)
Theorem counted_parameters (F : fieldType) d r : \dim (fullv : {vspace matrix_vectType F (r * d.+1) d}) = (d * r *
  d.+1)%N.
Proof. by rewrite dimvf /Vector.dim /= mulnC mulnA. Qed.

(** The coefficients count. *)
Theorem not_counted_parameters_without_coefficients (F : fieldType) :
  ~ (forall d r, \dim (fullv : {vspace matrix_vectType F (r * d.+1) d}) = (d * r * d)%N).
Proof. by move/(_ 1%N 1%N); rewrite counted_parameters. Qed.

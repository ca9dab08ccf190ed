(** * Networks with activations in depth only whose states stay bounded track neither parity nor a latch

    New, after lizaire26, Secs. 3.3 and 4.2: new.bilinear.bounded. Over the reals: a smallest closed set of states that
    words keep, by Zorn's lemma and compactness; on it the layers forget a letter, one after the other. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.real_closed Require Import complex.
From mathcomp.classical Require Import boolp classical_sets mathcomp_extra.
From mathcomp.analysis Require Import reals topology normedtype.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import models forgetting.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Num.Def Order.Theory numFieldNormedType.Exports.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.

(** ** Matrices by their entries *)

Section Entries.

Variables (R : realType) (m n : nat).
Implicit Types M N : 'M[R]_(m.+1, n.+1).

Lemma entry_le M i j : `|M i j| <= `|M|.
Proof.
rewrite [X in _ <= X]/normr /= mx_normrE.
by apply/bigmax_geP; right => /=; exists (i, j).
Qed.

Lemma norm_le M e : 0 <= e -> (forall i j, `|M i j| <= e) -> `|M| <= e.
Proof.
move=> e0 le; rewrite [X in X <= _]/normr /= mx_normrE.
by apply/bigmax_leP; split=> // [[i j]] _; apply: le.
Qed.

Lemma closureM (A : set 'M[R]_(m.+1, n.+1)) M :
  closure A M <-> forall e, 0 < e -> exists2 N, A N & `|M - N| < e.
Proof.
split=> [cl e e0|cl B /nbhs_ballP[e e0 ball]].
  have [|N [AN]] := cl (ball M e); first by apply/nbhs_ballP; exists e.
  by rewrite -ball_normE => MN; exists N.
have [N AN MN] := cl e e0; exists N; split=> //.
by apply: ball; rewrite -ball_normE.
Qed.

End Entries.

(** Bounded closed sets are compact. *)
Lemma compactM (R : realType) m n (A : set 'M[R]_(m.+1, n.+1)) B : closed A -> (forall M, A M -> `|M| <= B) ->
  compact A.
Proof.
move=> clA bA; pose N := (n + m * n.+1)%N.
pose f (M : 'M[R]_(m.+1, n.+1)) : 'rV[R]_N.+1 := @mxvec R m.+1 n.+1 M.
pose f' (v : 'rV[R]_N.+1) : 'M[R]_(m.+1, n.+1) := @vec_mx R m.+1 n.+1 v.
have fK M : f' (f M) = M by apply: mxvecK.
have f'K v : f (f' v) = v by exact: (@vec_mxK R m.+1 n.+1 v).
have f'B u v : f' u - f' v = f' (u - v) by rewrite /f' [in RHS]linearB.
have f'_le v : `|f' v| <= `|v|.
  by apply: norm_le => // i j; rewrite /f' mxE; exact: (@entry_le R 0 N v ord0 (mxvec_index i j)).
have f_le M : `|f M| <= `|M|.
  apply: (@norm_le R 0 N) => // i j; rewrite ord1 /f; case/(@mxvec_indexP m.+1 n.+1): j => k l.
  rewrite [X in `|X|](_ : _ = M k l); last exact: mxvecE.
  exact: entry_le.
have : compact [set v | A (f' v)].
  apply: bounded_closed_compact.
    exists B; split=> [|x Bx v /bA le]; first exact: num_real.
    by rewrite -[v]f'K; apply: le_trans (f_le _) _; apply: le_trans le (ltW Bx).
  move=> v /(@closureM R 0 N) cl; apply: clA; apply/closureM => e e0.
  have [u Au uv] := cl e e0; exists (f' u) => //.
  by rewrite f'B; apply: le_lt_trans (f'_le _) uv.
move=> co F FF FA; have FfA : F (f @^-1` [set v | A (f' v)]).
  by apply: filterS FA => M AM; suff : A (f' (f M)) by []; rewrite fK.
have [v [Av clv]] := co (f @ F) (fmap_proper_filter f FF) FfA.
exists (f' v); split=> // C D FC /nbhs_ballP[e e0 De].
have FfC : F (f @^-1` (f' @^-1` C)).
  by apply: filterS FC => M CM; suff : C (f' (f M)) by []; rewrite fK.
have vD : nbhs v (f' @^-1` D).
  apply/nbhs_ballP; exists e => // u; rewrite -ball_normE /= => vu.
  by apply: De; rewrite -ball_normE /= f'B; apply: le_lt_trans (f'_le _) vu.
have [u [Cu Du]] := clv _ _ FfC vD.
by exists (f' u).
Qed.

(** ** Smallest closed sets of states that words keep *)

Section Smallest.

Variables (R : realType) (m n : nat) (X : Type).
Local Notation joint_state := 'M[R]_(m.+1, n.+1).
Variables (act : joint_state -> X -> joint_state) (K : set joint_state) (B : R).
Hypotheses (K_closed : closed K) (K_bounded : forall M, K M -> `|M| <= B) (K_some : K !=set0).
Hypothesis K_stays : forall s x, K s -> K (act s x).
Hypothesis continuous_at : forall s x e, 0 < e -> exists2 d, 0 < d & forall s', `|s - s'| < d ->
  `|act s x - act s' x| < e.

Definition kept (A : set joint_state) := [/\ A !=set0, closed A, A `<=` K & forall s x, A s -> A (act s x)].

Lemma smallest : exists2 Om, kept Om & forall A, kept A -> A `<=` Om -> A = Om.
Proof.
pose T := {A : set joint_state | kept A}; pose le (A A' : T) := sval A' `<=` sval A.
have [||||Om most] := @Zorn T le.
- by move=> A.
- by move=> A A' A'' AA' A'A''; apply: subset_trans A'A'' AA'.
- by move=> [A kA] [A' kA'] AA' A'A; apply: eq_exist; apply/seteqP; split.
- move=> F total; have [[A0 FA0]|none] := pselect (exists A, F A); last first.
    have kK : kept K by split.
    by exists (exist _ K kK) => A FA; case: none; exists A.
  pose I := \bigcap_(A in F) sval A.
  suff kI : kept I by exists (exist _ I kI) => A FA M IM; apply: IM.
  have sub A : F A -> I `<=` sval A by move=> FA M; apply.
  have Fp : ProperFilter (filter_from F (fun A => sval A)).
    apply: filter_from_proper => [|A FA]; last by have [] := svalP A.
    apply: filter_from_filter; first by exists A0.
    move=> A A' FA FA'; have [AA'|A'A] := total _ _ FA FA'; [exists A'|exists A] => // M ?; split=> //.
      exact: AA'.
    exact: A'A.
  split.
  - have [|p [Kp clp]] := compactM K_closed K_bounded Fp.
      by exists A0 => //; have [] := svalP A0.
    exists p => A FA; have [_ clA _ _] := svalP A; apply: clA => D pD.
    by apply: clp pD; exists A.
  - by apply: closed_bigI => A FA; have [] := svalP A.
  - by apply: subset_trans (sub _ FA0) _; have [] := svalP A0.
  by move=> s x Is A FA; have [_ _ _ stays] := svalP A; apply: stays; apply: Is.
exists (sval Om); first exact: svalP.
move=> A kA AOm; by have := most (exist _ A kA) AOm => /(congr1 sval).
Qed.

(** Words lead from each state of it near to each other. *)
Lemma smallest_returns Om : kept Om -> (forall A, kept A -> A `<=` Om -> A = Om) ->
  forall s0 s e, Om s0 -> Om s -> 0 < e -> exists v, `|s0 - state act s v| < e.
Proof.
move=> [_ clOm OmK stays] least s0 s e Os0 Os e0.
pose A := closure [set state act s v | v in [set: seq X]].
have AOm : A `<=` Om.
  move=> M AM; apply: clOm; apply: closure_subset AM => _ [v _ <-].
  exact: state_stays.
have kA : kept A.
  split.
  - by exists s; apply: subset_closure; exists [::].
  - exact: closed_closure.
  - exact: subset_trans OmK.
  move=> M x /closureM AM; apply/closureM => e' e'0; have [d d0 near] := continuous_at M x e'0.
  have [_ [v _ <-] close] := AM d d0; exists (state act s (rcons v x)); first by exists (rcons v x).
  by rewrite state_rcons; apply: near.
have : A s0 by rewrite (least A).
by move=> /closureM/(_ e e0)[_ [v _ <-] close]; exists v.
Qed.

End Smallest.

(** ** Networks *)

Section Network.

Variables (R : realType) (L n : nat) (X : Type).

(** L + 1 layers of width n + 1: h^l = h^l V_l + phi_(l-1)(h^(l-1)) U_l + b_l, rows for columns; the lowest layer reads
    what any function says of the letter. *)
Record activated_network := Activated { V : nat -> 'M[R]_n.+1; U : nat -> 'M[R]_n.+1; bias : nat -> 'rV[R]_n.+1;
  phi : nat -> 'rV[R]_n.+1 -> 'rV[R]_n.+1; letter : X -> 'rV[R]_n.+1; start : 'M[R]_(L.+1, n.+1) }.

(** The joint state has a row for each layer. *)
Definition layer_of (s : 'M[R]_(L.+1, n.+1)) (l : nat) : 'rV[R]_n.+1 := row (inord l) s.

Fixpoint next (N : activated_network) (s : 'M[R]_(L.+1, n.+1)) (x : X) (l : nat) : 'rV[R]_n.+1 :=
  layer_of s l *m V N l + (if l is l'.+1 then phi N l' (next N s x l') *m U N l else letter N x) + bias N l.

Definition joint_step (N : activated_network) s x : 'M[R]_(L.+1, n.+1) := \matrix_(l < L.+1) next N s x l.

Definition after (N : activated_network) s (w : seq X) : 'M[R]_(L.+1, n.+1) := state (joint_step N) s w.

Definition lipschitz_on_bounded_sets (f : 'rV[R]_n.+1 -> 'rV[R]_n.+1) :=
  forall B, exists c, forall h h', `|h| <= B -> `|h'| <= B -> `|f h - f h'| <= c * `|h - h'|.

Definition bounded_states (N : activated_network) := exists B, forall w, `|after N (start N) w| <= B.

Variable N : activated_network.
Hypothesis lip : forall l, lipschitz_on_bounded_sets (phi N l).

Definition weight (M : 'M[R]_n.+1) : R := \sum_i \sum_j `|M i j|.

Lemma weight_ge0 M : 0 <= weight M.
Proof. by apply: sumr_ge0 => i _; apply: sumr_ge0 => j _; apply: normr_ge0. Qed.

Lemma mul_le (h : 'rV[R]_n.+1) M : `|h *m M| <= weight M * `|h|.
Proof.
apply: norm_le => [|i j]; first by rewrite mulr_ge0 ?weight_ge0 ?normr_ge0.
rewrite mxE /weight mulr_suml; apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => k _.
rewrite normrM mulrC; apply: ler_pmul; rewrite ?normr_ge0 ?entry_le //.
by rewrite (bigD1 j) //= ler_addl; apply: sumr_ge0 => l _; apply: normr_ge0.
Qed.

Lemma layer_le s l : `|layer_of s l| <= `|s|.
Proof. by apply: norm_le => [|i j]; rewrite ?normr_ge0 // mxE entry_le. Qed.

Lemma next_lipschitz x l B : exists2 c, 0 <= c & forall s s', `|s| <= B -> `|s'| <= B ->
  `|next N s x l - next N s' x l| <= c * `|s - s'|.
Proof.
have first s s' l' : `|layer_of s l' *m V N l' - layer_of s' l' *m V N l'| <= weight (V N l') * `|s - s'|.
  rewrite -mulmxBl; apply: le_trans (mul_le _ _) _; apply: ler_wpmul2l; first exact: weight_ge0.
  by rewrite (_ : _ - _ = layer_of (s - s') l') ?layer_le // /layer_of linearB.
elim: l B => [|l IH] B.
  exists (weight (V N 0)); first exact: weight_ge0.
  move=> s s' _ _ /=; rewrite opprD addrACA subrr addr0 opprD addrACA subrr addr0; exact: first.
have [c c0 cP] := IH `|B|; have [c' c'P] := lip l (`|next N 0 x l| + c * `|B|).
exists (weight (V N l.+1) + weight (U N l.+1) * (`|c'| * c)).
  by rewrite addr_ge0 ?weight_ge0 // mulr_ge0 ?weight_ge0 // mulr_ge0.
have small (s : 'M[R]_(L.+1, n.+1)) : `|s| <= B -> `|s| <= `|B| by move=> sB; apply: le_trans sB (ler_norm B).
have bound s : `|s| <= B -> `|next N s x l| <= `|next N 0 x l| + c * `|B|.
  move=> sB; rewrite -[next N s x l](subrK (next N 0 x l)) addrC; apply: le_trans (ler_norm_add _ _) _.
  rewrite ler_add2l; apply: le_trans (cP _ _ (small _ sB) _) _; first by rewrite normr0 normr_ge0.
  by rewrite subr0 ler_wpmul2l // small.
move=> s s' sB s'B; rewrite [next N s x _]/= [next N s' x _]/= opprD addrACA subrr addr0 opprD addrACA.
apply: le_trans (ler_norm_add _ _) _; rewrite mulrDl; apply: ler_add; first exact: first.
rewrite -mulmxBl; apply: le_trans (mul_le _ _) _; rewrite -!mulrA ler_wpmul2l ?weight_ge0 //.
apply: le_trans (c'P _ _ (bound _ sB) (bound _ s'B)) _.
apply: le_trans (ler_wpmul2r (normr_ge0 _) (ler_norm c')) _.
by rewrite ler_wpmul2l ?normr_ge0 // cP ?small.
Qed.

Lemma step_layer s x l : (l <= L)%N -> layer_of (joint_step N s x) l = next N s x l.
Proof. by move=> lL; rewrite /layer_of /joint_step rowK inordK. Qed.

Lemma step_continuous s x e : 0 < e -> exists2 d, 0 < d & forall s', `|s - s'| < d ->
  `|joint_step N s x - joint_step N s' x| < e.
Proof.
move=> e0; pose B := `|s| + 1.
have all k : exists2 c, 0 <= c & forall l s', (l <= k)%N -> `|s'| <= B -> `|next N s x l - next N s' x l| <= c * `|s -
  s'|.
  elim: k => [|k [c c0 cP]].
    have [c c0 cP] := next_lipschitz x 0 B; exists c => // [[|//]] s' _ s'B.
    by apply: cP => //; rewrite ler_addl ler01.
  have [c' c'0 c'P] := next_lipschitz x k.+1 B; exists (c + c'); first exact: addr_ge0.
  move=> l s'; rewrite leq_eqVlt => /orP[/eqP ->|lk] s'B; rewrite mulrDl.
    apply: le_trans (c'P _ _ _ s'B) _; first by rewrite ler_addl ler01.
    by rewrite ler_addr mulr_ge0.
  by apply: le_trans (cP _ _ lk s'B) _; rewrite ler_addl mulr_ge0.
have [c c0 cP] := all L; have c1 : 0 < c + 1 by rewrite ltr_paddl ?ltr01.
exists (Num.min 1 (e / (c + 1))) => [|s']; first by rewrite lt_minr ltr01 divr_gt0.
rewrite lt_minr => /andP[d1 de].
have s'B : `|s'| <= B.
  rewrite -[s'](subKr s) /B; apply: le_trans (ler_norm_sub _ _) _.
  by rewrite ler_add2l ltW.
apply: le_lt_trans (_ : c * `|s - s'| < e).
  apply: norm_le => [|i j]; first by rewrite mulr_ge0.
  have := cP i s' _ s'B; rewrite -ltnS => /(_ (ltn_ord i)); apply: le_trans.
  by apply: le_trans (entry_le _ 0 j); rewrite !mxE.
apply: le_lt_trans (_ : (c + 1) * `|s - s'| < e); first by rewrite ler_wpmul2r // ler_addl ler01.
by rewrite mulrC -ltr_pdivl_mulr.
Qed.

End Network.

(** ** On the smallest set each layer forgets *)

Section Forgetting.

Local Open Scope complex_scope.

Variables (R : realType) (L n : nat) (X : Type) (N : activated_network R L n X).
Hypothesis lip : forall l, lipschitz_on_bounded_sets (phi N l).
Hypothesis bounded : bounded_states N.

Local Notation joint_state := 'M[R]_(L.+1, n.+1).

Definition reached : set joint_state := [set after N (start N) w | w in [set: seq X]].

Lemma normRC (x : R) : `|x%:C| = (`|x|)%:C.
Proof. by rewrite normc_def /= expr0n addr0 sqrtr_sqr. Qed.

Lemma posC (K : R[i]) : 0 < K -> exists2 k : R, 0 < k & K = k%:C.
Proof. by case: K => a b; rewrite ltcE /= => /andP[/eqP -> a0]; exists a. Qed.

Lemma archC (x : R[i]) : exists k : nat, `|x| <= k%:R.
Proof.
rewrite normc_def; exists (Num.bound (Num.sqrt (complex.Re x ^+ 2 + complex.Im x ^+ 2))).
by rewrite -(rmorph_nat (ComplexField.real_complex_rmorphism R)) lecR ltW // archi_boundP // sqrtr_ge0.
Qed.

Lemma run_continuous s w e : 0 < e ->
  exists2 d, 0 < d & forall s', `|s - s'| < d -> `|after N s w - after N s' w| < e.
Proof.
elim: w s e => [|x w IH] s e e0; first by exists e.
have [d d0 near] := IH (joint_step N s x) e e0; have [d' d'0 near'] := step_continuous lip s x d0.
by exists d' => // s' /near' /near.
Qed.

Lemma closed_invariant : exists2 Om : set joint_state, kept (joint_step N) (closure reached) Om &
  forall A, kept (joint_step N) (closure reached) A -> A `<=` Om -> A = Om.
Proof.
have [B BP] := bounded; apply: (@smallest R L n X (joint_step N) (closure reached) (B + 1)).
- exact: closed_closure.
- move=> M /closureM/(_ 1 ltr01)[_ [w _ <-] near]; rewrite -[M](subrK (after N (start N) w)) addrC.
  by apply: le_trans (ler_norm_add _ _) _; apply: ler_add (ltW near); apply: BP.
- by exists (start N); apply: subset_closure; exists [::].
move=> s x /closureM cl; apply/closureM => e e0; have [d d0 near] := step_continuous lip s x e0.
have [_ [w _ <-] close] := cl d d0; exists (after N (start N) (rcons w x)); first by exists (rcons w x).
by rewrite /after state_rcons; apply: near.
Qed.

Section Kept.

Variable Om : set joint_state.
Hypothesis OmP : kept (joint_step N) (closure reached) Om.
Hypothesis least : forall A, kept (joint_step N) (closure reached) A -> A `<=` Om -> A = Om.

Definition entry l j (s : joint_state) : R[i] := (layer_of s l 0 j)%:C.

Let stays s x : Om s -> Om (joint_step N s x). Proof. by have [_ _ _] := OmP; apply. Qed.

Let Om_bounded : exists B, forall s, Om s -> `|s| <= B.
Proof.
have [B BP] := bounded; exists (B + 1) => M OM; have [_ _ sub _] := OmP.
have /closureM/(_ 1 ltr01)[_ [w _ <-] near] := sub _ OM; rewrite -[M](subrK (after N (start N) w)) addrC.
by apply: le_trans (ler_norm_add _ _) _; apply: ler_add (ltW near); apply: BP.
Qed.

Let entry_near l j s s' (e : R) : `|s - s'| < e -> `|entry l j s - entry l j s'| <= e%:C.
Proof.
move=> near; rewrite /entry -rmorphB normRC lecR; apply: le_trans (ltW near).
apply: le_trans (layer_le _ l); apply: le_trans (entry_le _ 0 j); by rewrite !mxE.
Qed.

Let back s0 s u u' (e : R[i]) : Om s0 -> Om s -> 0 < e -> exists v, forall l j,
  `|entry l j (state (joint_step N) s (v ++ u)) - entry l j (state (joint_step N) s0 u)| <= e /\
  `|entry l j (state (joint_step N) s (v ++ u')) - entry l j (state (joint_step N) s0 u')| <= e.
Proof.
move=> Os0 Os /posC[k k0 ->].
have [d d0 near] := run_continuous s0 u k0; have [d' d'0 near'] := run_continuous s0 u' k0.
have min0 : 0 < Num.min d d' by rewrite lt_minr d0.
have [v] := smallest_returns (step_continuous lip) OmP least Os0 Os min0.
rewrite lt_minr => /andP[/near close /near' close']; exists v => l j.
by split; rewrite distrC state_cat; apply: entry_near.
Qed.

Let entry_bounded : exists B : R[i], forall l j s, Om s -> `|entry l j s| <= B.
Proof.
have [B BP] := Om_bounded; exists B%:C => l j s Os; rewrite normRC lecR.
by apply: le_trans (BP s Os); apply: le_trans (layer_le _ l); apply: entry_le.
Qed.

Let next_entry_le l s s' x (e : R) : `|next N s x l - next N s' x l| <= e ->
  forall j, `|next N s x l 0 j - next N s' x l 0 j| <= e.
Proof. by move=> le j; apply: le_trans le; apply: le_trans (entry_le _ 0 j); rewrite !mxE. Qed.

Lemma recurrence_of_layer l (G : joint_state -> X -> 'rV[R]_n.+1) :
  (forall s x, Om s -> layer_of (joint_step N s x) l = layer_of s l *m V N l + G s x) ->
  (forall j, fades (joint_step N) Om (fun s x => (G s x 0 j)%:C)) -> forall j, forgets (joint_step N) Om (entry l j).
Proof.
move=> eqn fG j; pose C := ComplexField.real_complex_rmorphism R; have [B BP] := entry_bounded.
have entryE i s : map_mx C (layer_of s l) 0 i = entry l i s by rewrite mxE.
have [] := @recurrence_forgets _ _ _ (joint_step N) Om archC stays n (fun s => map_mx C (layer_of s l))
  (map_mx C (V N l))
  (fun s x => map_mx C (G s x)) B _ _ _ _ j.
- by move=> s x Os; rewrite eqn // map_mxD map_mxM.
- by move=> s k Os; rewrite entryE; apply: BP.
- move=> s0 s u u' e Os0 Os e0; have [v vP] := back u u' Os0 Os e0; exists v => k.
  by rewrite !entryE; apply: vP.
- move=> k; have [K [r [K0 r0 r1 le]]] := fG k; exists K, r; split=> // s a b z i Os.
  by rewrite ![map_mx _ _ _ _]mxE; apply: le.
move=> K [r [K0 r0 r1 le]]; exists K, r; split=> // s a b z Os.
by have := le s a b z Os; rewrite !entryE.
Qed.

Lemma layer_forgets l : (l <= L)%N -> forall j, forgets (joint_step N) Om (entry l j).
Proof.
elim: l => [|l IH] lL.
  apply: (@recurrence_of_layer 0 (fun _ x => letter N x + bias N 0)) => [s x Os|j].
    by rewrite step_layer //= -addrA.
  exists 1, (2%:R^-1); split; rewrite ?ltr01 ?invr_gt0 ?invf_lt1 ?ltr0n ?ltr1n //.
  by move=> s a b z i _; rewrite subrr normr0 mul1r exprn_ge0 // invr_ge0 ler0n.
apply: (@recurrence_of_layer l.+1 (fun s x => phi N l (layer_of (joint_step N s x) l) *m U N l.+1 + bias N l.+1)) =>
  [s x Os|j].
  by rewrite step_layer //= step_layer ?(ltnW lL) // -addrA.
have [B BP] := Om_bounded; have [c cP] := lip l B.
have c0 : 0 <= weight (U N l.+1) * `|c| by rewrite mulr_ge0 ?weight_ge0.
apply: (@fades_by _ _ _ (joint_step N) Om stays n.+1 X (fun i s x => entry l i (joint_step N s x)) _
  (weight (U N l.+1) * `|c|)%:C).
- by rewrite lecR.
- by move=> k; apply: forgets_next; apply: IH; apply: ltnW.
move=> s s' x Os Os'; rewrite -rmorphB normRC.
set h := layer_of (joint_step N s x) l; set h' := layer_of (joint_step N s' x) l.
have -> : \sum_k `|entry l k (joint_step N s x) - entry l k (joint_step N s' x)| = (\sum_k `|h 0 k - h' 0 k|)%:C.
  by rewrite rmorph_sum; apply: eq_bigr => k _; rewrite -rmorphB normRC.
rewrite -rmorphM lecR.
have hB t : Om t -> `|layer_of (joint_step N t x) l| <= B.
  by move=> Ot; apply: le_trans (layer_le _ l) _; apply: BP; apply: stays.
apply: le_trans (_ : `|phi N l h *m U N l.+1 - phi N l h' *m U N l.+1| <= _).
  by apply: le_trans (entry_le _ 0 j); rewrite !mxE opprD addrACA subrr addr0.
rewrite -mulmxBl; apply: le_trans (mul_le _ _) _; rewrite -mulrA ler_wpmul2l ?weight_ge0 //.
apply: le_trans (cP _ _ (hB _ Os) (hB _ Os')) _; apply: le_trans (ler_wpmul2r (normr_ge0 _) (ler_norm c)) _.
rewrite ler_wpmul2l ?normr_ge0 //; apply: norm_le => [|i k]; first by apply: sumr_ge0 => k _; apply: normr_ge0.
have -> : (h - h') i k = h 0 k - h' 0 k by rewrite ord1 !mxE.
by rewrite (bigD1 k) //= ler_addl; apply: sumr_ge0 => k' _; apply: normr_ge0.
Qed.

(** All layers at once, in real numbers. *)
Lemma states_forget : exists C r : R, [/\ 0 < C, 0 < r, r < 1 & forall s a b z, Om s ->
  `|after N s (a :: z) - after N s (b :: z)| <= C * r ^+ size z].
Proof.
have fg (k : 'I_(L.+1 * n.+1)) : fades (joint_step N) Om (fun s (_ : unit) => (mxvec s 0 k)%:C).
  case/mxvec_indexP: k => l j; have [|K [r [K0 r0 r1 le]]] := @layer_forgets l _ j; first by rewrite -ltnS.
  exists K, r; split=> // s a b z _ Os; have := le s a b z Os.
  by rewrite !mxvecE /entry /layer_of !mxE inord_val.
have [K [r [K0 r0 r1 le]]] := fades_together fg.
have [k k0 KE] := posC K0; have [q q0 rE] := posC r0; exists k, q; split=> //.
  by move: r1; rewrite rE (_ : 1 = 1%:C) // ltcR.
move=> s a b z Os; apply: norm_le => [|l j]; first by rewrite mulr_ge0 ?exprn_ge0 // ltW.
have := le (mxvec_index l j) s a b z tt Os; rewrite !mxvecE -rmorphB normRC KE rE -rmorphX -rmorphM lecR.
by rewrite !mxE.
Qed.

End Kept.

(** ** Automata *)

Lemma small_powers (r d : R) : 0 < r -> r < 1 -> 0 < d -> exists k, forall j, (k <= j)%N -> r ^+ j < d.
Proof.
move=> r0 r1 d0; have t0 : 0 < r^-1 - 1 by rewrite subr_gt0 invf_gt1.
have bern k : k%:R * (r^-1 - 1) <= r^-1 ^+ k.
  elim: k => [|k IH]; first by rewrite mul0r ler01.
  have rk : 1 <= r^-1 ^+ k by rewrite exprn_ege1 // ltW // invf_gt1.
  rewrite -natr1 mulrDl mul1r exprS (_ : r^-1 * r^-1 ^+ k = r^-1 ^+ k + (r^-1 - 1) * r^-1 ^+ k); last by ring.
  by apply: ler_add => //; rewrite ler_pemulr // ltW.
pose k := Num.bound (d^-1 / (r^-1 - 1)); exists k => j kj.
rewrite -[d]invrK -[r ^+ j]invrK ltf_pinv; rewrite ?posrE ?invr_gt0 ?exprn_gt0 //.
rewrite -exprVn.
apply: lt_le_trans (bern j); rewrite -ltr_pdivr_mulr //; apply: lt_le_trans (_ : k%:R <= _); last by rewrite ler_nat.
by apply: archi_boundP; rewrite divr_ge0 ?invr_ge0 ?(ltW d0) ?(ltW t0).
Qed.

Lemma bounded_closure : exists B, forall M, closure reached M -> `|M| <= B.
Proof.
have [B BP] := bounded; exists (B + 1) => M /closureM/(_ 1 ltr01)[_ [w _ <-] near].
rewrite -[M](subrK (after N (start N) w)) addrC.
by apply: le_trans (ler_norm_add _ _) _; apply: ler_add (ltW near); apply: BP.
Qed.

(** A continuous function on a compact set of states. *)
Lemma uniformly (K : set joint_state) B (f : joint_state -> R) e : closed K -> (forall M, K M -> `|M| <= B) ->
  continuous f -> 0 < e ->
  exists2 d, 0 < d & forall s s', K s -> K s' -> `|s - s'| < d -> `|f s - f s'| < e.
Proof.
move=> clK BK cf e0; apply: contrapT => none.
pose far d s := K s /\ exists s', [/\ K s', `|s - s'| < d & e <= `|f s - f s'|].
have far_some d : 0 < d -> exists s, far d s.
  move=> d0; apply: contrapT => no; apply: none; exists d => // s s' Ks Ks' near; rewrite ltNge; apply/negP => le.
  by apply: no; exists s; split=> //; exists s'.
have Fp : ProperFilter (filter_from [set d : R | 0 < d] far).
  apply: filter_from_proper => [|d d0]; last by have [s sP] := far_some d d0; exists s.
  apply: filter_from_filter => [|d d' d0 d'0]; first by exists 1; apply: ltr01.
  exists (Num.min d d') => [|s [Ks [s' [Ks' near le]]]]; first by rewrite /= lt_minr d0.
  by move: near; rewrite lt_minr => /andP[near near']; split; split=> //; exists s'.
have FK : filter_from [set d : R | 0 < d] far K by exists 1; [exact: ltr01 | move=> s []].
have [p [Kp clp]] := compactM clK BK Fp FK.
have e2 : 0 < e / 2%:R by rewrite divr_gt0 ?ltr0n.
have : nbhs p (f @^-1` ball (f p) (e / 2%:R)) by apply: cf; apply/nbhs_ballP; exists (e / 2%:R).
move=> /nbhs_ballP[d d0 near]; have d2 : 0 < d / 2%:R by rewrite divr_gt0 ?ltr0n.
have F2 : filter_from [set d : R | 0 < d] far (far (d / 2%:R)) by exists (d / 2%:R).
have p2 : nbhs p (ball p (d / 2%:R)) by apply/nbhs_ballP; exists (d / 2%:R).
have [s [[Ks [s' [Ks' close le]]] ps]] := clp _ _ F2 p2.
move: ps; rewrite -ball_normE /= => ps.
have at_s : `|f p - f s| < e / 2%:R.
  have := near s; rewrite -ball_normE /= => /(_ _); rewrite /preimage /= -ball_normE /=; apply.
  by apply: lt_le_trans ps _; rewrite ler_pdivr_mulr ?ltr0n // ler_pemulr ?ler1n // ltW.
have at_s' : `|f p - f s'| < e / 2%:R.
  have := near s'; rewrite -ball_normE /= => /(_ _); rewrite /preimage /= -ball_normE /=; apply.
  rewrite -[p - s'](subrKA s); apply: le_lt_trans (ler_norm_add _ _) _.
  rewrite (splitr d); exact: (ltr_add ps close).
have : `|f s - f s'| < e; last by rewrite ltNge le.
rewrite -[f s - f s'](subrKA (f p)); apply: le_lt_trans (ler_norm_add _ _) _.
by rewrite (splitr e); apply: ltr_add => //; rewrite distrC.
Qed.

End Forgetting.

Section Automata.

Variables (R : realType) (L n : nat) (X : Type) (N : activated_network R L n X).
Hypothesis lip : forall l, lipschitz_on_bounded_sets (phi N l).
Hypothesis bounded : bounded_states N.

Local Notation joint_state := 'M[R]_(L.+1, n.+1).

Variables (Q : finType) (delta : Q -> X -> Q) (q0 : Q) (number : Q -> int) (readout : joint_state -> R).
Hypothesis connected : forall q q', exists w, state delta q w = q'.
Hypothesis numbered : ssrfun.injective number.
Hypothesis continuous_readout : continuous readout.
Hypothesis reads : forall w, `|readout (after N (start N) w) - (number (state delta q0 w))%:~R| <= 3%:R^-1.

(** A limit of states that occur with one state of the automaton. *)
Lemma limit_of_one s : closure (reached N) s ->
  exists q, forall e, 0 < e -> exists2 w, state delta q0 w = q & `|s - after N (start N) w| < e.
Proof.
move=> /closureM cl; apply: contrapT => none.
have off q : exists e, 0 < e /\ forall w, state delta q0 w = q -> e <= `|s - after N (start N) w|.
  apply: contrapT => no; apply: none; exists q => e e0; apply: contrapT => no'; apply: no; exists e; split=> // w wq.
  by rewrite leNgt; apply/negP => lt; apply: no'; exists w.
have [f fP] := choice off; have [e e0 eP] : exists2 e, 0 < e & forall q, e <= f q.
  suff [e e0 eP] : exists2 e, 0 < e & forall q, q \in enum Q -> e <= f q.
    by exists e => // q; apply: eP; rewrite mem_enum.
  elim: (enum Q) => [|q qs [e e0 eP]]; first by exists 1; rewrite ?ltr01.
  have [fq _] := fP q; exists (Num.min (f q) e) => [|p]; first by rewrite lt_minr fq.
  by rewrite in_cons le_minl => /orP[/eqP ->|/eP ->]; rewrite ?lexx ?orbT.
have [_ [w _ <-]] := cl e e0; have [_ /(_ w erefl)] := fP (state delta q0 w).
by move=> le; rewrite ltNge (le_trans (eP _) le).
Qed.

Lemma automaton_forgets Om : kept (joint_step N) (closure (reached N)) Om ->
  (forall A, kept (joint_step N) (closure (reached N)) A -> A `<=` Om -> A = Om) ->
  exists k, forall q a b z, (k <= size z)%N -> state delta q (a :: z) = state delta q (b :: z).
Proof.
move=> kOm least; have [C [r [C0 r0 r1 forget]]] := states_forget lip bounded kOm least.
have [[s Os] clOm sub stays] := kOm; have [q1 near] := limit_of_one (sub _ Os).
have [B BP] := bounded_closure bounded.
have third : 0 < 3%:R^-1 :> R by rewrite invr_gt0 ltr0n.
have [d d0 close] := uniformly (@closed_closure _ (reached N)) BP continuous_readout third.
have [k kP] := small_powers r0 r1 (divr_gt0 d0 C0).
have at_limits w : `|readout (after N s w) - (number (state delta q1 w))%:~R| <= 3%:R^-1.
  apply/ler_addgt0Pr => e e0.
  have : nbhs (after N s w) (readout @^-1` ball (readout (after N s w)) e).
    by apply: continuous_readout; apply/nbhs_ballP; exists e.
  move=> /nbhs_ballP[d' d'0 ball']; have [d'' d''0 nearw] := run_continuous lip s w d'0.
  have [v vq sv] := near d'' d''0; have := nearw _ sv => close'.
  have := ball' (after N (after N (start N) v) w); rewrite -ball_normE /= => /(_ close').
  rewrite /preimage /= -ball_normE /= => close''.
  have le : `|readout (after N (after N (start N) v) w) - (number (state delta q1 w))%:~R| <= 3%:R^-1.
    by have := reads (v ++ w); rewrite /after !state_cat vq.
  rewrite -[X in `|X|](subrKA (readout (after N (after N (start N) v) w))) addrC.
  apply: le_trans (ler_norm_add _ _) _; apply: ler_add; first exact: le.
  exact: ltW.
exists k => q a b z kz; have [u uq] := connected q1 q.
pose at_ c := after N (after N s u) (c :: z).
have Ou : Om (after N s u) by apply: (state_stays (act := joint_step N)).
have lim c : `|readout (at_ c) - (number (state delta q (c :: z)))%:~R| <= 3%:R^-1.
  by rewrite -uq; have := at_limits (u ++ c :: z); rewrite /at_ /after !state_cat.
have in_ c : closure (reached N) (at_ c) by apply: sub; apply: (state_stays (act := joint_step N)).
have gap : `|readout (at_ a) - readout (at_ b)| < 3%:R^-1.
  apply: close => //; apply: le_lt_trans (forget _ a b z Ou) _.
  by rewrite mulrC -ltr_pdivl_mulr // kP.
apply: numbered; apply/eqP; rewrite -subr_eq0 -normr_le0 -ltz_addr1 add0r -(ltr_int R) intr_norm rmorphB /=.
rewrite -[X in `|X|](subrKA (readout (at_ b))) -[X in `|X + _|](subrKA (readout (at_ a))).
have -> : 1%:~R = 3%:R^-1 + 3%:R^-1 + 3%:R^-1 :> R by field.
apply: le_lt_trans (ler_norm_add _ _) _; apply: ltr_le_add; last exact: lim.
apply: le_lt_trans (ler_norm_add _ _) _; apply: ler_lt_add => //.
by rewrite distrC lim.
Qed.

End Automata.

(** ** The theorems, by epsilons *)

Section Statements.

Variables (R : realType) (m n : nat).

Definition limit_of (A : 'M[R]_(m.+1, n.+1) -> Prop) (s : 'M[R]_(m.+1, n.+1)) : Prop :=
  forall e : R, 0 < e -> exists2 s', A s' & `|s - s'| < e.

Definition closed_set (A : 'M[R]_(m.+1, n.+1) -> Prop) : Prop := forall s, limit_of A s -> A s.

Definition continuous_function (f : 'M[R]_(m.+1, n.+1) -> R) : Prop :=
  forall (s : 'M[R]_(m.+1, n.+1)) (e : R), 0 < e -> exists2 d, 0 < d & forall s', `|s - s'| < d -> `|f s - f s'| < e.

End Statements.

(** Networks of any depth and width that read any letters: on a closed set of limits of states, which the letters keep,
    what a letter did fades. *)
Theorem bounded_states_forget (R : realType) L n X (N : activated_network R L n X) :
  (forall l, lipschitz_on_bounded_sets (phi N l)) -> bounded_states N ->
  exists (Om : 'M[R]_(L.+1, n.+1) -> Prop) (C r : R),
    [/\ exists s, Om s, closed_set Om /\ forall s, Om s -> limit_of (fun s' => exists w, after N (start N) w = s') s,
        forall s x, Om s -> Om (joint_step N s x), 0 < r < 1 &
        forall s a b z, Om s -> `|after N s (a :: z) - after N s (b :: z)| <= C * r ^+ size z].
Proof.
move=> lip bounded; have [Om kOm least] := closed_invariant lip bounded.
have [C [r [C0 r0 r1 forget]]] := states_forget lip bounded kOm least.
exists Om, C, r; have [some clOm sub stays] := kOm; split; rewrite ?r0 //; split=> s.
  by move=> lim; apply: clOm; apply/closureM.
by move=> /sub/closureM lim e /lim[_ [w _ <-] near]; exists (after N (start N) w) => //; exists w.
Qed.

(** So a strongly connected automaton, whose states are numbered and read with an error of at most 1/3, forgets each
    letter. *)
Theorem bounded_states_track_no_latch (R : realType) L n X (N : activated_network R L n X) (Q : finType)
    (delta : Q -> X -> Q) q0
    (number : Q -> int) (readout : 'M[R]_(L.+1, n.+1) -> R) :
  (forall l, lipschitz_on_bounded_sets (phi N l)) -> bounded_states N ->
  (forall q q', exists w, state delta q w = q') -> ssrfun.injective number -> continuous_function readout ->
  (forall w, `|readout (after N (start N) w) - (number (state delta q0 w))%:~R| <= 3%:R^-1) ->
  exists k, forall q a b z, (k <= size z)%N -> state delta q (a :: z) = state delta q (b :: z).
Proof.
move=> lip bounded connected numbered cont reads; have [Om kOm least] := closed_invariant lip bounded.
apply: (automaton_forgets lip bounded connected numbered _ reads kOm least) => s B /nbhs_ballP[e e0 ball_e].
have [d d0 near] := cont s e e0; apply/nbhs_ballP; exists d => // s'; rewrite -ball_normE /= => ss'.
by apply: ball_e; rewrite -ball_normE /=; apply: near.
Qed.

(** A sum of what is read has Lipschitz activations, and forgets nothing: its states are not bounded. *)
Theorem not_unbounded_states_forget (R : realType) :
  ~ (forall L n X (N : activated_network R L n X), (forall l, lipschitz_on_bounded_sets (phi N l)) ->
  exists (Om : 'M[R]_(L.+1, n.+1) -> Prop) (C r : R),
    [/\ exists s, Om s, closed_set Om /\ forall s, Om s -> limit_of (fun s' => exists w, after N (start N) w = s') s,
        forall s x, Om s -> Om (joint_step N s x), 0 < r < 1 &
        forall s a b z, Om s -> `|after N s (a :: z) - after N s (b :: z)| <= C * r ^+ size z]).
Proof.
pose N := @Activated R 0 0 bool (fun=> 1%:M) (fun=> 0) (fun=> 0) (fun=> id) (fun x => const_mx x%:R) 0.
move=> /(_ _ _ _ N) [|Om [C [r [[s Os] _ _ /andP[r0 r1] forget]]]].
  by move=> l B; exists 1 => h h' _ _; rewrite mul1r.
have stepE t x : joint_step N t x = t + const_mx x%:R.
  have nextE : next N t x 0 = layer_of t 0 + const_mx x%:R by rewrite /= mulmx1 addr0.
  by apply/matrixP => i j; rewrite ord1 [LHS]mxE nextE !mxE [inord 0]ord1.
have far z : after N s (true :: z) - after N s (false :: z) = const_mx 1.
  elim/last_ind: z => [|z x IH]; first by rewrite /after /= !stepE opprD addrACA subrr add0r; apply/matrixP => i j;
    rewrite !mxE subr0.
  by rewrite /after -!rcons_cons !state_rcons !stepE opprD addrACA subrr addr0.
have one : 1 <= `|const_mx 1 : 'M[R]_(1, 1)|.
  by apply: le_trans (entry_le _ 0 0); rewrite mxE normr1.
have C0 : 0 < C by have := forget s true false [::] Os; rewrite far expr0 mulr1; apply: lt_le_trans;
  apply: lt_le_trans one.
have [k kP] := small_powers r0 r1 (etrans (invr_gt0 C) C0).
have := forget s true false (nseq k true) Os; rewrite far size_nseq => le.
have := kP k (leqnn _); rewrite -(ltr_pmul2l C0) divff ?gt_eqF //.
by rewrite ltNge (le_trans one le).
Qed.

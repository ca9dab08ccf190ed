(** * Bounded states forget a letter: the modes of a recurrence, one after the other

    New, after lizaire26, Secs. 3.3 and 4.2. On a set of states that words lead back to, as near as one likes: a bounded
    mode y(s.x) = lambda y(s) + g(s, x) forgets a letter geometrically if g does. A letter that it did not forget could
    be exchanged again and again, each time with the same effect. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import models.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Lemma natr1 (R : ringType) n : n%:R + 1 = n.+1%:R :> R. Proof. by rewrite mulrSr. Qed.

Section System.

Variables (C : numClosedFieldType) (S X : Type) (act : S -> X -> S) (Om : S -> Prop).
Hypothesis arch : forall x : C, exists n : nat, `|x| <= n%:R.
Hypothesis stays : forall s x, Om s -> Om (act s x).

Local Notation after := (state act).

Lemma state_stays s w : Om s -> Om (after s w).
Proof. by elim: w s => //= x w IH s Os; apply: IH; apply: stays. Qed.

(** What is read from the state after a letter and a word depends on the letter less and less. *)
Definition forgets (f : S -> C) := exists K r : C, [/\ 0 < K, 0 < r, r < 1 &
  forall s a b z, Om s -> `|f (after s (a :: z)) - f (after s (b :: z))| <= K * r ^+ size z].

Definition forgets_at (g : S -> X -> C) := exists K r : C, [/\ 0 < K, 0 < r, r < 1 &
  forall s a b z x, Om s -> `|g (after s (a :: z)) x - g (after s (b :: z)) x| <= K * r ^+ size z].

(** Words lead from each state near to each other, so far as f tells after two words. *)
Definition comes_back (f : S -> C) := forall s0 s u u' e, Om s0 -> Om s -> 0 < e ->
  exists v, `|f (after s (v ++ u)) - f (after s0 u)| <= e /\ `|f (after s (v ++ u')) - f (after s0 u')| <= e.

Section Mode.

Variables (y : S -> C) (g : S -> X -> C) (lam B K r : C).
Hypothesis eqn : forall s x, Om s -> y (act s x) = lam * y s + g s x.
Hypothesis bounded : forall s, Om s -> `|y s| <= B.
Hypothesis back : comes_back y.
Hypotheses (K0 : 0 < K) (r0 : 0 < r) (r1 : r < 1).
Hypothesis gK : forall s a b z x, Om s -> `|g (after s (a :: z)) x - g (after s (b :: z)) x| <= K * r ^+ size z.

Let r1' : 0 < 1 - r := etrans (subr_gt0 r 1) r1.
Let rge0 : 0 <= r := ltW r0.
Let rle1 : r <= 1 := ltW r1.

Definition dif s a b z := y (after s (a :: z)) - y (after s (b :: z)).

Lemma dif_bounded s a b z : Om s -> `|dif s a b z| <= B *+ 2.
Proof.
move=> Os; apply: le_trans (ler_norm_sub _ _) _; rewrite mulr2n.
by apply: ler_add; apply: bounded; apply: state_stays.
Qed.

(** What the word adds to the mode. *)
Let G t u := y (after t u) - lam ^+ size u * y t.

Lemma G_rcons t u x : Om t -> G t (rcons u x) = lam * G t u + g (after t u) x.
Proof. by move=> Ot; rewrite /G state_rcons eqn ?size_rcons ?exprS; [ring | apply: state_stays]. Qed.

Lemma G_close L e t t' u : 1 <= L -> `|lam| <= L -> 0 <= e -> Om t -> Om t' ->
  (forall u x, `|g (after t u) x - g (after t' u) x| <= e * r ^+ size u) ->
  `|G t u - G t' u| <= L ^+ size u * (e / (1 - r)).
Proof.
move=> L1 lamL e0 Ot Ot' close; have L0 : 0 <= L by apply: le_trans L1; apply: ler01.
rewrite mulrA ler_pdivl_mulr //.
suff : `|G t u - G t' u| * (1 - r) <= L ^+ size u * e * (1 - r ^+ size u).
  move=> le; apply: le_trans le _; rewrite ler_pimulr ?mulr_ge0 ?exprn_ge0 //.
  by rewrite ler_subl_addr ler_addl exprn_ge0.
elim/last_ind: u => [|u x IH]; first by rewrite /G /= !expr0 !mul1r !subrr normr0 mul0r mulr0.
rewrite !G_rcons // size_rcons opprD addrACA -mulrBr.
apply: le_trans (_ : (`|lam| * `|G t u - G t' u| + e * r ^+ size u) * (1 - r) <= _).
  rewrite ler_pmul2r //; apply: le_trans (ler_norm_add _ _) _; rewrite normrM.
  by rewrite ler_add2l close.
rewrite mulrDl -mulrA; apply: le_trans (_ : L * (L ^+ size u * e * (1 - r ^+ size u)) + L ^+ (size u).+1 *
  (e * r ^+ size u * (1 - r)) <= _).
  apply: ler_add; first by apply: ler_pmul => //; rewrite mulr_ge0 // ltW.
  rewrite ler_pemull ?exprn_ege1 // mulr_ge0 ?(ltW r1') // mulr_ge0 ?exprn_ge0 //.
by rewrite exprS [r ^+ _.+1]exprS le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

Definition e0 (z : seq X) := K * r ^+ size z / (1 - r).

Lemma e0_gt0 z : 0 < e0 z.
Proof. by rewrite divr_gt0 // mulr_gt0 // exprn_gt0. Qed.

Lemma dif_cat L s a b z v : 1 <= L -> `|lam| <= L -> Om s ->
  `|dif s a b (z ++ v) - lam ^+ size v * dif s a b z| <= L ^+ size v * e0 z.
Proof.
move=> L1 lamL Os; rewrite /dif -!cat_cons !state_cat.
rewrite [X in `|X|](_ : _ = G (after s (a :: z)) v - G (after s (b :: z)) v); last by rewrite /G; ring.
apply: G_close => //; rewrite ?mulr_ge0 ?exprn_ge0 ?(ltW K0) //; try exact: state_stays.
by move=> u x; rewrite -!state_cat !cat_cons -mulrA -exprD -size_cat; apply: gK.
Qed.

(** A mode that decays. *)
Lemma decays : `|lam| < 1 -> exists K' r', [/\ 0 < K', 0 < r', r' < 1 &
  forall s a b z, Om s -> `|dif s a b z| <= K' * r' ^+ size z].
Proof.
set l := `|lam| => l1; have l0 : 0 <= l by apply: normr_ge0.
have l1' : 0 < 1 - l by rewrite subr_gt0.
pose r' := 1 - (1 - r) * (1 - l); pose K' := `|B| *+ 2 + K / (r * (1 - l)).
have rr' : r <= r'.
  by rewrite -subr_ge0 (_ : _ - _ = (1 - r) * l); [rewrite mulr_ge0 // ltW | rewrite /r'; ring].
have q0 : 0 < r * (1 - l) by rewrite mulr_gt0.
have K'0 : 0 < K' by rewrite ltr_paddl ?mulrn_wge0 // divr_gt0.
exists K', r'; split=> //; first exact: lt_le_trans rr'.
  by rewrite /r' ltr_subl_addr ltr_addl mulr_gt0.
move=> s a b z Os; elim/last_ind: z => [|z x IH].
  rewrite expr0 mulr1; apply: le_trans (dif_bounded a b [::] Os) _; apply: le_trans (_ : `|B| *+ 2 <= _).
    rewrite ler_muln2r /= real_ler_norm //; apply: ger0_real; apply: le_trans (bounded Os); apply: normr_ge0.
  by rewrite ler_addl ltW // divr_gt0.
rewrite /dif -!rcons_cons !state_rcons !eqn; try exact: state_stays.
rewrite opprD addrACA -mulrBr; apply: le_trans (ler_norm_add _ _) _; rewrite normrM size_rcons.
apply: le_trans (ler_add (ler_wpmul2l l0 IH) (gK a b z x Os)) _.
apply: le_trans (_ : l * (K' * r' ^+ size z) + K * r' ^+ size z <= _).
  rewrite ler_add2l ler_pmul2l // ler_expn2r ?nnegrE //; exact: le_trans rr'.
rewrite exprS mulrA -mulrDl [r' * _]mulrC mulrA [K' * _ * _]mulrAC.
apply: ler_wpmul2r; first by rewrite exprn_ge0 // (le_trans _ rr').
rewrite -subr_ge0 (_ : _ - _ = K' * (r * (1 - l)) - K); last by rewrite /r'; ring.
by rewrite subr_ge0 -ler_pdivr_mulr // /K' ler_addr mulrn_wge0.
Qed.

(** A mode that grows would leave the bounds. *)
Lemma grows : 1 < `|lam| -> exists K' r', [/\ 0 < K', 0 < r', r' < 1 &
  forall s a b z, Om s -> `|dif s a b z| <= K' * r' ^+ size z].
Proof.
set l := `|lam| => l1; have l1' : 0 < l - 1 by rewrite subr_gt0.
exists (K + K / (1 - r)), r; split=> //; first by rewrite addr_gt0 // divr_gt0.
move=> s a b z Os; have Kz : 0 < K * r ^+ size z by rewrite mulr_gt0 // exprn_gt0.
have bern k : k%:R * (l - 1) <= l ^+ k.
  elim: k => [|k IH]; first by rewrite mul0r ler01.
  have lk : 1 <= l ^+ k by rewrite exprn_ege1 // ltW.
  rewrite -natr1 mulrDl mul1r exprS (_ : l * l ^+ k = l ^+ k + (l - 1) * l ^+ k); last by ring.
  apply: ler_add => //.
  by rewrite ler_pemulr // ltW.
have [k kP] := arch (B *+ 2 / (K * r ^+ size z * (l - 1))).
have B0 : 0 <= B *+ 2 by apply: le_trans (dif_bounded a b z Os); apply: normr_ge0.
have lk0 : 0 < l ^+ k by rewrite exprn_gt0 // (lt_trans ltr01).
have small : B *+ 2 <= K * r ^+ size z * l ^+ k.
  rewrite ger0_norm in kP; last by rewrite divr_ge0 // mulr_ge0 // ltW.
  rewrite ler_pdivr_mulr in kP; last exact: mulr_gt0.
  by apply: le_trans kP _; rewrite mulrCA ler_pmul2l.
have : l ^+ k * `|dif s a b z| <= l ^+ k * (K * r ^+ size z + e0 z).
  have -> : l ^+ k * `|dif s a b z| = `|lam ^+ k * dif s a b z| by rewrite normrM normrX.
  rewrite -[_ * dif _ _ _ _](subKr (dif s a b (z ++ nseq k a))).
  apply: le_trans (ler_norm_sub _ _) _; rewrite [X in _ <= X]mulrDr; apply: ler_add; last first.
    by have := @dif_cat l s a b z (nseq k a) (ltW l1) (lexx _) Os; rewrite size_nseq.
  by apply: le_trans (dif_bounded a b _ Os) _; rewrite mulrC.
by rewrite ler_pmul2l // /e0 mulrDl [K / _ * _]mulrAC.
Qed.

(** ** A mode that keeps its size *)

Section Exchange.

Variables (a b : X) (z : seq X) (s0 : S).
Hypothesis Os0 : Om s0.
Hypothesis lam1 : `|lam| = 1.

Let D := dif s0 a b z.
Let e := e0 z.
Let e1 := e / (1 - r).

Let e_gt0 : 0 < e := e0_gt0 z.
Let e1_gt0 : 0 < e1 := divr_gt0 e_gt0 r1'.

Lemma ee1 : e <= e1.
Proof. by rewrite ler_pdivl_mulr // ler_pimulr ?(ltW e_gt0) // ler_subl_addr ler_addl. Qed.

Definition block (c : bool) v := (if c then a else b) :: z ++ v.
Definition blocks (bs : seq (bool * seq X)) := flatten [seq block p.1 p.2 | p <- bs].
Definition unchanged (vs : seq (seq X)) := [seq (true, v) | v <- vs].

Lemma blocks_cons c v bs : blocks ((c, v) :: bs) = block c v ++ blocks bs. Proof. by []. Qed.
Lemma blocks_rcons bs c v : blocks (rcons bs (c, v)) = blocks bs ++ block c v.
Proof. by rewrite /blocks map_rcons -cats1 flatten_cat /= cats0. Qed.

Lemma size_blocks bs : (size bs <= size (blocks bs))%N.
Proof. by elim: bs => // [[c v] bs IH]; rewrite blocks_cons size_cat /= -add1n leq_add. Qed.

(** Letters exchanged before change little of what words add. *)
Lemma exchanged p bs bs' u x : Om p -> map snd bs = map snd bs' ->
  `|g (after (after p (blocks bs)) u) x - g (after (after p (blocks bs')) u) x| <= e * r ^+ size u.
Proof.
move=> Op same; suff : `|g (after (after p (blocks bs)) u) x - g (after (after p (blocks bs')) u) x| * (1 - r) <=
    (1 - r ^+ size bs) * (K * r ^+ size z * r ^+ size u).
  move=> le; rewrite /e /e0 mulrAC ler_pdivl_mulr //; apply: le_trans le _.
  rewrite ler_pimull ?mulr_ge0 ?exprn_ge0 ?(ltW K0) // ler_subl_addr ler_addl exprn_ge0 //.
elim: bs bs' p Op same => [|[c v] bs IH] [|[c' v'] bs'] p Op //.
  by move=> _; rewrite subrr normr0 mul0r expr0 subrr mul0r.
case=> <- {v'} same; rewrite [size _]/= !blocks_cons !(state_cat _ p).
set p' := after p (block c' v); have Op' : Om p' by apply: state_stays.
set q := g (after (after p' (blocks bs)) u) x.
apply: le_trans (_ : (`|g (after (after (after p (block c v)) (blocks bs)) u) x - q| +
   `|q - g (after (after p' (blocks bs')) u) x|) * (1 - r) <= _).
  by rewrite ler_pmul2r // ler_dist_add.
have := IH bs' p' Op' same; rewrite -/q => le; rewrite [X in X <= _]mulrDl.
have first : `|g (after (after (after p (block c v)) (blocks bs)) u) x - q| <= r ^+ size bs *
  (K * r ^+ size z * r ^+ size u).
  rewrite /q /p' -!state_cat /block !cat_cons -!catA; apply: le_trans (gK _ _ _ _ Op) _.
  rewrite (_ : r ^+ size bs * _ = K * r ^+ (size bs + size z + size u)); last by rewrite !exprD; ring.
  rewrite ler_pmul2l // ler_wiexpn2l // !size_cat.
  by have := size_blocks bs; lia.
apply: le_trans (ler_add (ler_wpmul2r (ltW r1') first) le) _.
by rewrite le_eqVlt exprS; apply/orP; left; apply/eqP; ring.
Qed.

Lemma difE s : dif s a b z = G s (a :: z) - G s (b :: z).
Proof. by rewrite /dif /G /=; ring. Qed.

Lemma dif_close p bs bs' : Om p -> map snd bs = map snd bs' ->
  `|dif (after p (blocks bs)) a b z - dif (after p (blocks bs')) a b z| <= e1 *+ 2.
Proof.
move=> Op same; rewrite !difE opprD addrACA mulr2n.
have close u : `|G (after p (blocks bs)) u - G (after p (blocks bs')) u| <= e1.
  rewrite /e1 -[X in _ <= X]mul1r -{1}(expr1n _ (size u)); apply: G_close; rewrite ?lam1 ?(ltW e_gt0) //;
    try exact: state_stays.
  by move=> u' x; apply: exchanged.
by apply: le_trans (ler_norm_add _ _) _; apply: ler_add; rewrite ?close // -opprD normrN close.
Qed.

Let near p := `|dif p a b z - D| <= e1 *+ 2 + e.

Fixpoint near_all p (vs : seq (seq X)) : Prop :=
  near p /\ (if vs is v :: vs' then forall c, near_all (after p (block c v)) vs' else True).

Lemma returns M us : `|dif (after s0 (blocks (unchanged us))) a b z - D| <= e ->
  exists2 vs, size vs = M & forall bs, map snd bs = us -> near_all (after s0 (blocks bs)) vs.
Proof.
have sndE vs : map snd (unchanged vs) = vs by elim: vs => //= v vs ->.
have nearP vs bs : map snd bs = vs -> `|dif (after s0 (blocks (unchanged vs))) a b z - D| <= e ->
  near (after s0 (blocks bs)).
  move=> same le; rewrite /near -[X in `|X|](subrKA (dif (after s0 (blocks (unchanged vs))) a b z)).
  by apply: le_trans (ler_norm_add _ _) _; apply: ler_add => //; apply: dif_close; rewrite ?sndE.
elim: M us => [|M IH] us le; first by exists [::] => // bs same; split=> //; apply: nearP same le.
set t := after s0 _ in le; have Ot : Om t by apply: state_stays.
have e2 : 0 < e / 2%:R by rewrite divr_gt0 ?ltr0n.
have [v [va vb]] := back (a :: z) (b :: z) Os0 (state_stays (a :: z) Ot) e2.
have [] := IH (rcons us v).
  have -> : after s0 (blocks (unchanged (rcons us v))) = after (after t (a :: z)) v.
    by rewrite /unchanged map_rcons -/(unchanged us) blocks_rcons state_cat -/t /block -cat_cons state_cat.
  rewrite /D /dif; rewrite -!(state_cat _ (after t (a :: z)) v) opprD opprK addrACA;
    apply: le_trans (ler_norm_add _ _) _; rewrite -[e](@divfK _ 2%:R) ?pnatr_eq0 // mulr_natr mulr2n.
  by apply: ler_add => //; rewrite addrC distrC.
move=> vs size_vs all; exists (v :: vs); first by rewrite /= size_vs.
move=> bs same; split; first exact: nearP same le.
move=> c; rewrite -state_cat -blocks_rcons; apply: all.
by rewrite map_rcons same.
Qed.

Let pos (x : C) := (x + `|x|) / 2%:R.

(** What may be gained in a direction by exchanges. *)
Fixpoint gains d (vs : seq (seq X)) : C :=
  if vs is v :: vs' then pos ('Re (d * (lam ^+ size (v ++ blocks (unchanged vs')) * D))) + gains d vs' else 0.

Lemma gain d vs p : `|d| = 1 -> Om p -> near_all p vs ->
  exists w, gains d vs - (size vs)%:R * (e1 *+ 4) <= 'Re (d * (y (after p (blocks (unchanged vs))) - y (after p w))).
Proof.
move=> d1; elim: vs p => [|v vs IH] p Op.
  by exists [::]; rewrite /= subrr mulr0 raddf0 mul0r subr0.
case=> [np all]; set rest := v ++ blocks (unchanged vs); set c := 'Re (d * (lam ^+ size rest * D)).
have Rc : c \is Num.real by apply: Creal_Re.
have reE (x : C) : 'Re x <= `|x|.
  by apply: le_trans (real_ler_norm (Creal_Re x)) _; have [] := leif_normC_Re_Creal x.
have step : c - e1 *+ 4 <= 'Re (d * dif p a b (z ++ rest)).
  have := @dif_cat 1 p a b z rest (lexx _); rewrite lam1 expr1n mul1r -/e => /(_ (lexx _) Op) cat.
  rewrite ler_subl_addl -ler_subl_addr /c -raddfB /=; apply: le_trans (reE _) _; rewrite -mulrBr normrM d1 mul1r.
  rewrite -normrN opprB -[X in `|X|](subrKA (lam ^+ size rest * dif p a b z)); apply: le_trans (ler_norm_add _ _) _.
  rewrite -mulrBr normrM normrX lam1 expr1n mul1r; apply: le_trans (ler_add cat np) _.
  rewrite addrA -addrA addrC -addrA; apply: le_trans (ler_add (lexx _) (ler_add ee1 ee1)) _.
  by rewrite -mulr2n -mulrnDr.
have fin q : Om q -> near_all q vs ->
  pos c - e1 *+ 4 <= 'Re (d * (y (after p (blocks (unchanged (v :: vs)))) - y (after q (blocks (unchanged vs))))) ->
  exists w, gains d (v :: vs) - (size (v :: vs))%:R *
    (e1 *+ 4) <= 'Re (d * (y (after p (blocks (unchanged (v :: vs)))) - y (after q w))).
  move=> Oq nq le; have [w wP] := IH q Oq nq; exists w.
  have -> : gains d (v :: vs) = pos c + gains d vs by [].
  set Y := y (after p _) in le *; set Q := y (after q _) in le wP *.
  have -> : d * (Y - y (after q w)) = d * (Y - Q) + d * (Q - y (after q w)) by rewrite -mulrDr subrKA.
  rewrite raddfD (_ : _ - _ = (pos c - e1 *+ 4) + (gains d vs - (size vs)%:R * (e1 *+ 4))); first exact: ler_add.
  by rewrite [size _]/= -natr1; ring.
have [c0|c0] := real_leP Rc (@real0 C); last first.
  have [] := fin (after p (block false v)); [exact: state_stays | exact: all | |].
    rewrite (_ : pos c = c); last by rewrite /pos (gtr0_norm c0); field.
    have -> : blocks (unchanged (v :: vs)) = a :: z ++ rest by rewrite /rest catA.
    by have -> : after (after p (block false v)) (blocks (unchanged vs)) =
      after p (b :: z ++ rest) by rewrite -state_cat /rest catA.
  by move=> w le; exists (block false v ++ w); rewrite state_cat.
have [] := fin (after p (block true v)); [exact: state_stays | exact: all | |].
  rewrite (_ : pos c = 0) ?sub0r; last by rewrite /pos (ler0_norm c0) subrr mul0r.
  rewrite -state_cat (_ : block true v ++ _ = blocks (unchanged (v :: vs))) // subrr mulr0 raddf0 oppr_le0.
  by rewrite mulrn_wge0 // ltW.
by move=> w le; exists (block true v ++ w); rewrite state_cat.
Qed.

Lemma directions vs : (size vs)%:R * `|D| <= gains 1 vs + gains (-1) vs + (gains 'i vs + gains (- 'i) vs).
Proof.
elim: vs => [|v vs IH]; first by rewrite /= mul0r !addr0.
set w := lam ^+ size (v ++ blocks (unchanged vs)) * D.
have wD : `|w| = `|D| by rewrite normrM normrX lam1 expr1n mul1r.
have posN x : pos x + pos (- x) = `|x|.
  by rewrite /pos normrN; field.
have four : `|w| <= pos ('Re (1 * w)) + pos ('Re (-1 * w)) + (pos ('Re ('i * w)) + pos ('Re (- 'i * w))).
  rewrite !mulNr !raddfN /= !posN mul1r ReMil normrN {1}[w]Crect.
  by apply: le_trans (ler_norm_add _ _) _; rewrite normrM normCi mul1r.
rewrite [size _]/= -natr1 mulrDl mul1r addrC -{1}wD; apply: le_trans (ler_add four IH) _.
rewrite le_eqVlt /= -/w; apply/orP; left; apply/eqP; ring.
Qed.

Lemma kept : `|D| <= K *+ 17 / (1 - r) ^+ 2 * r ^+ size z.
Proof.
have B0 : 0 <= B by apply: le_trans (bounded Os0); apply: normr_ge0.
have [M MP] := arch (B *+ 8 / e1).
have [] := @returns M.+1 [::]; first by rewrite /= subrr normr0 ltW.
move=> vs size_vs /(_ [::] (erefl _)) all.
have reE (x : C) : 'Re x <= `|x|.
  by apply: le_trans (real_ler_norm (Creal_Re x)) _; have [] := leif_normC_Re_Creal x.
have g2 d : `|d| = 1 -> gains d vs <= B *+ 2 + M.+1%:R * (e1 *+ 4).
  move=> d1; have [w] := gain d1 Os0 all; rewrite size_vs ler_subl_addr => le.
  apply: le_trans le _; rewrite ler_add2r; apply: le_trans (reE _) _; rewrite normrM d1 mul1r.
  by apply: le_trans (ler_norm_sub _ _) _; rewrite mulr2n; apply: ler_add; apply: bounded; apply: state_stays.
have := directions vs; rewrite size_vs => le.
have M0 : 0 < M.+1%:R :> C by rewrite ltr0n.
have e8 : B *+ 8 <= M.+1%:R * e1.
  rewrite -ler_pdivr_mulr //; apply: le_trans (_ : M%:R <= _); last by rewrite ler_nat.
  by apply: le_trans MP; apply: real_ler_norm; apply: ger0_real; rewrite divr_ge0 ?mulrn_wge0 // ltW.
have -> : K *+ 17 / (1 - r) ^+ 2 * r ^+ size z = e1 *+ 17.
  by rewrite /e1 /e /e0 -mulrnAl; field; rewrite gt_eqF.
rewrite -(ler_pmul2l M0); apply: le_trans le _.
apply: le_trans (_ : (B *+ 2 + M.+1%:R * (e1 *+ 4)) *+ 4 <= _).
  rewrite [X in _ <= X](_ : _ = (B *+ 2 + M.+1%:R * (e1 *+ 4)) *+ 2 + (B *+ 2 + M.+1%:R * (e1 *+ 4)) *+ 2);
    last by ring.
  by rewrite -mulr2n mulr2n; apply: ler_add; rewrite mulr2n; apply: ler_add; apply: g2; rewrite ?normrN ?normr1 ?normCi.
rewrite [X in X <= _](_ : _ = B *+ 8 + M.+1%:R * e1 *+ 16); last by ring.
rewrite [X in _ <= X](_ : _ = M.+1%:R * e1 + M.+1%:R * e1 *+ 16); last by ring.
by rewrite ler_add2r.
Qed.

Lemma kept_size : `|dif s0 a b z| <= K *+ 17 / (1 - r) ^+ 2 * r ^+ size z. Proof. exact: kept. Qed.

End Exchange.

Theorem mode_forgets : forgets y.
Proof.
have [lt|gt|eq] := real_ltgtP (normr_real lam) (@real1 C); [exact: decays | exact: grows |].
exists (K *+ 17 / (1 - r) ^+ 2), r; split=> //; first by rewrite divr_gt0 ?exprn_gt0 // pmulrn_rgt0.
by move=> s a b z Os; apply: kept_size.
Qed.

End Mode.

(** ** Several modes at once *)

(** The same with an index, which is the letter that is read or nothing. *)
Definition fades (I : Type) (g : S -> I -> C) := exists K r : C, [/\ 0 < K, 0 < r, r < 1 &
  forall s a b z i, Om s -> `|g (after s (a :: z)) i - g (after s (b :: z)) i| <= K * r ^+ size z].

Lemma fades_together n (I : Type) (g : 'I_n -> S -> I -> C) : (forall k, fades (g k)) ->
  exists K r : C, [/\ 0 < K, 0 < r, r < 1 &
    forall k s a b z i, Om s -> `|g k (after s (a :: z)) i - g k (after s (b :: z)) i| <= K * r ^+ size z].
Proof.
move=> fg; suff [K [r [K0 r0 r1 le]]] : exists K r : C, [/\ 0 < K, 0 < r, r < 1 & forall k s a b z i, k \in enum 'I_n ->
    Om s -> `|g k (after s (a :: z)) i - g k (after s (b :: z)) i| <= K * r ^+ size z].
  by exists K, r; split=> // k s a b z i; apply: le; rewrite mem_enum.
elim: (enum _) => [|k ks [K [r [K0 r0 r1 le]]]].
  by exists 1, (2%:R^-1); split=> //; rewrite ?ltr01 ?invr_gt0 ?invf_lt1 ?ltr0n ?ltr1n.
have [K' [r' [K'0 r'0 r'1 le']]] := fg k; pose q := 1 - (1 - r) * (1 - r').
have rq : r <= q by rewrite -subr_ge0 (_ : _ - _ = (1 - r) * r'); [rewrite mulr_ge0 ?subr_ge0 ?ltW | rewrite /q; ring].
have r'q : r' <= q by rewrite -subr_ge0 (_ : _ - _ = (1 - r') * r);
  [rewrite mulr_ge0 ?subr_ge0 ?ltW | rewrite /q; ring].
exists (K + K'), q; split.
- exact: addr_gt0.
- exact: lt_le_trans rq.
- by rewrite /q ltr_subl_addr ltr_addl mulr_gt0 ?subr_gt0.
have q0 : 0 <= q by apply: le_trans rq; apply: ltW.
move=> j s a b z i; rewrite in_cons => /orP[/eqP -> Os|jks Os].
  apply: le_trans (le' _ _ _ _ _ Os) _; apply: ler_pmul; rewrite ?exprn_ge0 ?(ltW r'0) ?(ltW K'0) //;
    first by rewrite ler_addr ltW.
  by rewrite ler_expn2r ?nnegrE // ltW.
apply: le_trans (le _ _ _ _ _ _ jks Os) _; apply: ler_pmul; rewrite ?exprn_ge0 ?(ltW r0) ?(ltW K0) //;
  first by rewrite ler_addl ltW.
by rewrite ler_expn2r ?nnegrE // ltW.
Qed.

(** What depends on them as a Lipschitz function does. *)
Lemma fades_by n (I : Type) (g : 'I_n -> S -> I -> C) (p : S -> I -> C) c : 0 <= c -> (forall k, fades (g k)) ->
  (forall s s' i, Om s -> Om s' -> `|p s i - p s' i| <= c * \sum_k `|g k s i - g k s' i|) -> fades p.
Proof.
move=> c0 /fades_together[K [r [K0 r0 r1 le]]] lip; exists ((c * n%:R + 1) * K), r; split=> //.
  by rewrite mulr_gt0 // ltr_paddl ?mulr_ge0 ?ler0n // ltr01.
move=> s a b z i Os; apply: le_trans (lip _ _ _ (state_stays _ Os) (state_stays _ Os)) _.
have Kr : 0 <= K * r ^+ size z by rewrite mulr_ge0 ?exprn_ge0 // ltW.
apply: le_trans (_ : c * (n%:R * (K * r ^+ size z)) <= _).
  apply: ler_wpmul2l => //; rewrite mulr_natl -[n in _ *+ n]card_ord -sumr_const.
  by apply: ler_sum => k _; apply: le.
by rewrite [X in _ <= X](_ : _ = c * (n%:R * (K * r ^+ size z)) + K * r ^+ size z) ?ler_addl //; ring.
Qed.

Lemma fadesD (I : Type) (g g' : S -> I -> C) : fades g -> fades g' -> fades (fun s i => g s i + g' s i).
Proof.
move=> fg fg'; apply: (@fades_by 2 _ (fun k => if k == 0 then g else g') _ 1) => [|k|s s' i _ _]; first exact: ler01.
  by case: (k == 0).
by rewrite mul1r !big_ord_recl big_ord0 addr0 /= opprD addrACA ler_norm_add.
Qed.

Lemma forgets_fades f (I : Type) : forgets f -> fades (fun s (_ : I) => f s).
Proof. by move=> [K [r [K0 r0 r1 le]]]; exists K, r; split=> // s a b z _; apply: le. Qed.

(** ... and after one more letter. *)
Lemma forgets_next f : forgets f -> fades (fun s x => f (act s x)).
Proof.
move=> [K [r [K0 r0 r1 le]]]; exists K, r; split=> // s a b z x Os.
rewrite -!state_rcons !rcons_cons; apply: le_trans (le _ _ _ _ Os) _.
by rewrite ler_pmul2l // size_rcons exprS ler_pimull ?exprn_ge0 // ltW.
Qed.

Section Recurrence.

Variables (n : nat) (h : S -> 'rV[C]_n.+1) (V : 'M[C]_n.+1) (G : S -> X -> 'rV[C]_n.+1) (B : C).
Hypothesis eqn : forall s x, Om s -> h (act s x) = h s *m V + G s x.
Hypothesis bounded : forall s k, Om s -> `|h s 0 k| <= B.
Hypothesis back : forall s0 s u u' e, Om s0 -> Om s -> 0 < e -> exists v, forall k,
  `|h (after s (v ++ u)) 0 k - h (after s0 u) 0 k| <= e /\ `|h (after s (v ++ u')) 0 k - h (after s0 u') 0 k| <= e.
Hypothesis fading : forall k, fades (fun s x => G s x 0 k).

Lemma row_mul_le (x : 'rV[C]_n.+1) (M : 'M[C]_n.+1) k e : (forall j, `|x 0 j| <= e) ->
  `|(x *m M) 0 k| <= e * \sum_j `|M j k|.
Proof.
move=> le; rewrite mxE mulr_sumr; apply: le_trans (ler_norm_sum _ _ _) _.
by apply: ler_sum => j _; rewrite normrM ler_wpmul2r.
Qed.

(** The modes that factors of the characteristic polynomial leave, the last of them 0. *)
Lemma recurrence_forgets k : forgets (fun s => h s 0 k).
Proof.
have [zs charE] := closed_field_poly_normal (char_poly V).
move: charE; rewrite (monicP (char_poly_monic V)) scale1r => charE.
suff main : forall p k, horner_mx V (p * \prod_(z <- zs) ('X - z%:P)) = 0 ->
  forgets (fun s => (h s *m horner_mx V p) 0 k).
  have := main 1 k; rewrite mul1r -charE Cayley_Hamilton => /(_ erefl) [K [r [K0 r0 r1 le]]].
  exists K, r; split=> // s a b z Os; have := le s a b z Os.
  by rewrite rmorph1 !mulmx1.
elim: zs {charE} => [|z zs IH] p j; first rewrite big_nil mulr1 => ->.
  exists 1, (2%:R^-1); split=> //; rewrite ?ltr01 ?invr_gt0 ?invf_lt1 ?ltr0n ?ltr1n //.
  by move=> s a b z _; rewrite !mulmx0 subrr normr0 mul1r exprn_ge0 // invr_ge0 ler0n.
rewrite big_cons mulrA => /IH {}IH; pose Q := horner_mx V p; pose q := \sum_i `|Q i j|.
have q0 : 0 <= q by apply: sumr_ge0 => i _; apply: normr_ge0.
pose g s x := (h s *m horner_mx V (p * ('X - z%:P))) 0 j + (G s x *m Q) 0 j.
have [K [r [K0 r0 r1 gK]]] : fades g.
  apply: fadesD; first by apply: (@forgets_fades (fun s => (h s *m horner_mx V (p * ('X - z%:P))) 0 j)); apply: IH.
  apply: (@fades_by n.+1 _ (fun i s x => G s x 0 i) _ q) => // s s' x _ _.
  rewrite !mxE -sumrB mulr_sumr; apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => i _.
  rewrite -mulrBl normrM mulrC ler_wpmul2r // /q (bigD1 i) //= ler_addl.
  by apply: sumr_ge0 => i' _; apply: normr_ge0.
apply: (@mode_forgets (fun s => (h s *m Q) 0 j) g z (B * q) K r) => //.
- move=> s x Os; rewrite /g eqn // mulmxDl mxE addrA; congr (_ + _).
  rewrite -mulmxA (_ : V *m Q = horner_mx V (p * ('X - z%:P)) + z *: Q).
    by rewrite mulmxDr -scalemxAr [in LHS]mxE [X in _ + X = _]mxE addrC.
  rewrite mulrBr raddfB /= [p * z%:P]mulrC mul_polyC linearZ /= subrK [p * 'X]mulrC rmorphM /=.
  by rewrite horner_mx_X.
- by move=> s Os; apply: row_mul_le => i; apply: bounded.
move=> s0 s u u' e Os0 Os e0; have q1 : 0 < q + 1 by rewrite ltr_paddl ?ltr01.
have [v close] := back u u' Os0 Os (divr_gt0 e0 q1); exists v.
have le w : (forall i, `|h (after s (v ++ w)) 0 i - h (after s0 w) 0 i| <= e / (q + 1)) ->
    `|(h (after s (v ++ w)) *m Q) 0 j - (h (after s0 w) *m Q) 0 j| <= e.
  move=> lew; rewrite (_ : _ - _ = ((h (after s (v ++ w)) - h (after s0 w)) *m Q) 0 j); last by rewrite mulmxBl !mxE.
  apply: le_trans (_ : e / (q + 1) * q <= _); first by apply: row_mul_le => i; rewrite !mxE; apply: lew.
  by rewrite mulrAC ler_pdivr_mulr // ler_pmul2l // ler_addl ler01.
by split; apply: le => i; have [] := close i.
Qed.

End Recurrence.

End System.

(** * Algebraic facts about the universality proofs

    orvieto24, Theorem 1, Remarks 1 and 2, Proposition 2, Eq. 23. *)

From mathcomp Require Import all_ssreflect all_algebra ring.
From lemmata Require Import vandermonde.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** Networks with one hidden layer of D neurons, and S outputs *)
Section Networks.

Variable F : realFieldType.

Record shallow_network n S := Shallow {
  width : nat;
  inner : 'M[F]_(width, n);
  bias : 'cV[F]_width;
  outer : 'M[F]_(S, width);
  offset : 'cV[F]_S
}.

Definition output n S (sigma : F -> F) (g : shallow_network n S) (x : 'cV[F]_n) : 'cV[F]_S :=
  outer g *m map_mx sigma (inner g *m x + bias g) + offset g.

(** A linear map in front goes into the inner weights. *)
Definition after n m S (g : shallow_network n S) (A : 'M[F]_(n, m)) : shallow_network m S :=
  Shallow (inner g *m A) (bias g) (outer g) (offset g).

Theorem output_after n m S sigma (g : shallow_network n S) (A : 'M[F]_(n, m)) :
  width (after g A) = width g /\ forall x, output sigma (after g A) x = output sigma g (A *m x).
Proof. by split=> // x; rewrite /output /= mulmxA. Qed.

(** *** A difference of two ReLUs is sigmoidal *)

Definition relu (x : F) : F := Num.max 0 x.

Definition ramp (x : F) : F := relu x - relu (x - 1).

Theorem relu_difference x : [/\ x <= 0 -> ramp x = 0, 0 <= x <= 1 -> ramp x = x & 1 <= x -> ramp x = 1].
Proof.
rewrite /ramp /relu; split=> [hx|/andP[x0 x1]|hx].
- by rewrite !max_l ?subrr // subr_le0 (le_trans hx) // ler01.
- by rewrite max_r // max_l ?subr0 // subr_le0.
- by rewrite !max_r ?subr_ge0 // ?(le_trans ler01) // opprB addrC subrK.
Qed.

(** The limits 0 and 1. *)
Definition sigmoidal (sigma : F -> F) : Prop :=
  forall eps, 0 < eps -> exists B, (forall x, x <= - B -> `|sigma x| < eps) /\
    (forall x, B <= x -> `|sigma x - 1| < eps).

Theorem ramp_sigmoidal : sigmoidal ramp.
Proof.
move=> eps eps0; exists 1; split=> x hx.
  have [-> //] := relu_difference x; first by rewrite normr0.
  by rewrite (le_trans hx) // oppr_le0 ler01.
by have [_ _ ->] := relu_difference x; rewrite ?subrr ?normr0.
Qed.

(** A neuron with the ramp is two ReLU neurons, so a network of D is one of 2 D ReLUs. *)
Theorem ramp_is_two_relus n S (g : shallow_network n S) :
  exists g' : shallow_network n S, width g' = (width g + width g)%N /\ forall x, output relu g' x = output ramp g x.
Proof.
exists (Shallow (col_mx (inner g) (inner g)) (col_mx (bias g) (bias g - const_mx 1)) (row_mx (outer g) (- outer g))
  (offset g)).
split=> // x; rewrite /output /= mul_col_mx add_col_mx map_col_mx mul_row_col mulNmx -mulmxBr; congr (_ *m _ + _).
by apply/matrixP=> i j; rewrite !mxE /ramp addrA.
Qed.

(** *** Remark 1: S stacked networks *)

Definition side_by_side n S (g : 'I_S -> shallow_network n 1) : shallow_network n S :=
  Shallow (\mxcol_j inner (g j)) (\mxcol_j bias (g j)) (\mxrow_j (delta_mx j 0 *m outer (g j)))
    (\col_j offset (g j) 0 0).

Lemma map_mxcol m k (p : 'I_k -> nat) (sigma : F -> F) (B : forall j, 'M[F]_(p j, m)) :
  map_mx sigma (\mxcol_j B j) = \mxcol_j map_mx sigma (B j).
Proof. by apply/matrixP=> i j; rewrite !mxE. Qed.

Lemma output_side_by_side n S sigma (g : 'I_S -> shallow_network n 1) x j : output sigma (side_by_side g) x j 0 =
  output sigma (g j) x 0 0.
Proof.
rewrite /output /= mxcol_mul -mxcolD map_mxcol mul_mxrow_mxcol mxE summxE [X in _ + X]mxE [RHS]mxE; congr (_ + _).
rewrite (bigD1 j) //= big1 ?addr0 => [|l lj].
  by rewrite -mulmxA mxE big_ord1 !mxE !eqxx mul1r.
by rewrite -mulmxA mxE big_ord1 !mxE eq_sym (negbTE lj) mul0r.
Qed.

(** 2 r^2 C^2 / eps^2 neurons for each output with error eps make 2 r^2 C^2 S^3 / eps^2 for S outputs with error eps in
    the 1-norm. *)
Definition enough (r C eps : F) : F := 2%:R * r ^+ 2 * C ^+ 2 * eps ^- 2.

Theorem stacked_outputs n S sigma (f : 'I_S -> 'cV[F]_n -> F) (X : pred 'cV[F]_n) r C : (0 < S)%N ->
  (forall j eps, 0 < eps -> exists g : shallow_network n 1, (width g)%:R <= enough r C eps /\
     forall x, X x -> `|f j x - output sigma g x 0 0| <= eps) ->
  forall eps, 0 < eps -> S%:R * enough r C (eps / S%:R) = 2%:R * r ^+ 2 * C ^+ 2 * S%:R ^+ 3 * eps ^- 2 /\
  exists G : shallow_network n S, (width G)%:R <= S%:R * enough r C (eps / S%:R) /\
     forall x, X x -> \sum_j `|f j x - output sigma G x j 0| <= eps.
Proof.
move=> S0 each eps eps0; have S1 : S%:R != 0 :> F by rewrite pnatr_eq0 -lt0n.
have e0 : 0 < eps / S%:R by rewrite divr_gt0 // ltr0n.
split; first by rewrite /enough; field; rewrite S1 gt_eqF.
have [g gP] : exists g : 'I_S -> shallow_network n 1, forall j, (width (g j))%:R <= enough r C (eps / S%:R) /\
    forall x, X x -> `|f j x - output sigma (g j) x 0 0| <= eps / S%:R.
  have one j := each j _ e0; clear each.
  pose Q j (h : shallow_network n 1) := (width h)%:R <= enough r C (eps / S%:R) /\ forall x, X x ->
    `|f j x - output sigma h x 0 0| <= eps / S%:R.
  have choice k : (k <= S)%N -> exists g : 'I_S -> shallow_network n 1, forall j : 'I_S, (j < k)%N -> Q j (g j).
    elim: k => [|k IH] kS; first by exists (fun=> Shallow (0 : 'M_(0, n)) 0 0 0).
    have [g gQ] := IH (ltnW kS); have [h hQ] := one (Ordinal kS).
    exists (fun j : 'I_S => if j == k :> nat then h else g j) => j; rewrite ltnS leq_eqVlt.
    case: eqP => [jk _|_ /gQ //]; by have -> : j = Ordinal kS by apply: val_inj.
  by have [g gQ] := choice S (leqnn S); exists g => j; apply: gQ.
exists (side_by_side g); split=> [|x Xx].
  have -> : S%:R * enough r C (eps / S%:R) =
    \sum_(j < S) enough r C (eps / S%:R) by rewrite sumr_const card_ord mulr_natl.
  by rewrite /= natr_sum; apply: ler_sum => j _; exact: (gP j).1.
have -> : eps = \sum_(j < S) (eps / S%:R) by rewrite sumr_const card_ord -[RHS]mulr_natr divfK.
by apply: ler_sum => j _; rewrite output_side_by_side; exact: (gP j).2.
Qed.

End Networks.

(** *** Proposition 2, as it should be: a reconstruction costs no neurons *)
Section SameWidth.

Variables (F : realFieldType) (N k : nat) (Omega : 'M[F]_(k, N)) (V : 'M[F]_(N, k)) (sigma : F -> F).

(** A function of the tokens is had with D neurons on the states x = V v, or on the tokens themselves. *)
Definition on_states D (f : 'cV[F]_k -> F) := exists g : shallow_network F N 1, width g = D /\ forall v,
  output sigma g (V *m v) 0 0 = f v.
Definition on_tokens D (f : 'cV[F]_k -> F) := exists g : shallow_network F k 1, width g = D /\ forall v,
  output sigma g v 0 0 = f v.

(** g o V_k has the neurons of g; and g o Omega_k too, which serves the states if Omega_k is a left inverse. *)
Lemma widths_agree : Omega *m V = 1%:M -> forall D f, on_states D f <-> on_tokens D f.
Proof.
move=> left D f; split=> [] [g [gD gf]].
  by exists (after g V); split=> // v; have [_ ->] := output_after sigma g V.
exists (after g Omega); split=> // v; have [_ ->] := output_after sigma g Omega.
by rewrite mulmxA left mul1mx.
Qed.

(** So the least widths agree, whatever is asked of the function ("within eps of T", in any sense). *)
Definition least (P : nat -> Prop) D := P D /\ forall D', P D' -> (D <= D')%N.

Theorem least_widths_agree (good : ('cV[F]_k -> F) -> Prop) : Omega *m V = 1%:M ->
  forall D, least (fun D => exists2 f, on_states D f & good f) D <->
    least (fun D => exists2 f, on_tokens D f & good f) D.
Proof.
move=> left D; have same D' : (exists2 f, on_states D' f & good f) <-> (exists2 f, on_tokens D' f & good f).
  by split=> [] [f] /(widths_agree left) *; exists f.
by split=> [] [/same PD low]; split=> // D' /same /low.
Qed.

End SameWidth.

(** Without a left inverse it is false: a state that is always 0. *)
Theorem not_widths_agree_for_all_states :
  exists (sigma : rat -> rat) (V : 'M[rat]_1) (D : nat) f, on_tokens sigma D f /\ ~ on_states V sigma D f.
Proof.
exists id, 0, 1%N, (fun v => v 0 0); split.
  exists (@Shallow [realFieldType of rat] 1 1 1 1%:M 0 1%:M 0); split=> // v.
  by rewrite /output /= !mul1mx !addr0 mxE.
move=> [g [_ gf]]; have := gf 0; have := gf 1%:M; rewrite !mul0mx => ->.
by rewrite !mxE => /eqP; rewrite oner_eq0.
Qed.

(** Without the shift by 1 it is false, and a network of D neurons does not serve as one of D + 1 more. *)
Theorem not_relu_difference_unshifted : exists x : rat, 1 <= x /\ relu x - relu x <> 1.
Proof. by exists 1; split=> //; rewrite subrr => /eqP; rewrite eq_sym oner_eq0. Qed.

(** Errors accumulate: two outputs with error 1 each have an error of 2 in the 1-norm. *)
Theorem not_stacked_outputs_without_accumulation : exists (f g : 'I_2 -> rat),
  (forall j, `|f j - g j| <= 1) /\ ~ (\sum_j `|f j - g j| <= 1).
Proof.
by exists (fun=> 1), (fun=> 0); split=> [j|]; rewrite ?subr0 ?normr1 // !big_ord_recl big_ord0.
Qed.

(** *** One head for all steps of a time-invariant map *)
Theorem one_head_for_all_steps (F : realFieldType) (N L : nat) (node : 'I_N -> F) (Omega : 'M[F]_(L, N))
    (sigma : F -> F) (g : shallow_network F L 1) :
  Omega *m vandermonde_matrix L node = 1%:M ->
  width (after g Omega) = width g /\
  forall (w : seq F) (x : 'cV[F]_N), (size w <= L)%N -> (forall i, x i 0 = states node w i) ->
  output sigma (after g Omega) x = output sigma g (\col_j nth 0 (nseq (L - size w) 0 ++ w) j).
Proof.
move=> left; have [-> out] := output_after sigma g Omega; split=> // w x short xw.
by rewrite out (one_decoder_serves_every_prefix left short xw).
Qed.

(** ** Eq. 23: the filter h interpolates every sequence of L functions iff h(0) = 1 and h(j) = 0 for 0 < |j| < L *)
Section Filter.

Variables (R : ringType) (X : Type) (L : nat) (h : int -> R).

(** The values at the times k of the sum over j <= L of f_j(x) h(t - j) are those of f_k. *)
Definition interpolates := forall (f : 'I_L -> X -> R) (k : 'I_L) x, \sum_j f j x * h (k%:Z - j%:Z) = f k x.

Lemma interpolates_at (x0 : X) : interpolates <-> (forall i j : 'I_L, h (i%:Z - j%:Z) = (i == j)%:R).
Proof.
split=> [all_f i j|hij f k x].
  have := all_f (fun l _ => (l == j)%:R) i x0; rewrite (bigD1 j) //= eqxx mul1r big1 ?addr0 // => l lj.
  by rewrite (negbTE lj) mul0r.
rewrite (bigD1 k) //= hij eqxx mulr1 big1 ?addr0 // => j jk.
by rewrite hij eq_sym (negbTE jk) mulr0.
Qed.

Theorem interpolates_iff (x0 : X) : (0 < L)%N ->
  interpolates <-> h 0 = 1 /\ forall j : int, (0 < `|j| < L)%N -> h j = 0.
Proof.
move=> L0; rewrite (interpolates_at x0); split=> [hij|[h0 hj] i j]; last first.
  case: eqP => [->|/eqP ij]; first by rewrite subrr h0.
  apply: hj; rewrite absz_gt0 subr_eq0 eqz_nat ij /=.
  by case: (leqP i j) => [le|/ltnW le]; [rewrite distnEr | rewrite distnEl] => //;
    rewrite (leq_ltn_trans (leq_subr _ _)).
split=> [|j /andP[j0 jL]]; first by have := hij (Ordinal L0) (Ordinal L0); rewrite subrr eqxx.
case: j j0 jL => [n n0 nL|n _ nL]; first by have := hij (Ordinal nL) (Ordinal L0); rewrite subr0 -val_eqE /= gtn_eqF.
by have := hij (Ordinal L0) (Ordinal nL); rewrite sub0r -val_eqE /= NegzE.
Qed.

End Filter.

(** The hat and the cubic spline on [-1, 1] have this for every L. *)
Section Examples.

Variable F : realFieldType.

Definition hat (t : F) : F := Num.max 0 (1 - `|t|).

Definition cubic_spline (t : F) : F :=
  if 2%:R * `|t| <= 1 then 1 - 6%:R * `|t| ^+ 2 + 6%:R * `|t| ^+ 3 else if `|t| <= 1 then 2%:R * (1 - `|t|) ^+ 3 else 0.

Lemma norm_int_ge1 (j : int) : (0 < `|j|)%N -> 1 <= `|j%:~R : F|.
Proof. by move=> j0; rewrite -intr_norm -natr_absz ler1n. Qed.

Theorem hat_and_spline_interpolate (X : Type) (x0 : X) L : (0 < L)%N ->
  interpolates X L (fun j => hat j%:~R) /\ interpolates X L (fun j => cubic_spline j%:~R).
Proof.
move=> L0; split; apply/(interpolates_iff _ x0 L0); (split=> [|j /andP[/norm_int_ge1 j1 _]]).
- by rewrite /hat normr0 subr0 max_r // ler01.
- by rewrite /hat max_l // subr_le0.
- by rewrite /cubic_spline normr0 mulr0 ler01 !expr0n !mulr0 subr0 addr0.
rewrite /cubic_spline ifF; last first.
  by apply/negbTE; rewrite -ltNge (lt_le_trans (_ : 1 < 2%:R)) ?ltr1n // ler_pmulr ?ltr0n.
by case: ifP => // j1'; rewrite (le_anti (_ : `|j%:~R| <= 1 <= `|j%:~R|)) ?j1' ?subrr ?expr0n ?mulr0.
Qed.

End Examples.

(** A filter twice as wide does not: the hat of t / 2 is 1/2 at 1. *)
Theorem not_wide_hat_interpolates : ~ interpolates unit 2 (fun j => hat (j%:~R / 2%:R : rat)).
Proof. by move/(interpolates_iff _ tt (isT : (0 < 2)%N)) => [_ /(_ 1 isT)]. Qed.

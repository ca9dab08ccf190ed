(** * Deep linear networks with biases and initial states: what a layer more can copy, and what it costs

    lizaire26, Secs. 2 and 3.1, App. A.2 to A.5: Lemmas 2 and 3, Theorems 1 and 2, Proposition 2.

    - [delayed y p t], [copies N w p]: y, p steps later; the readout w of the network N is its first channel so;
    - [parameters N], [parameters_with_starts N]: how many numbers it has, without and with its initial states;
    - [unbiased l]: no bias, from the state 0;
    - [register m], [registers L]: shift registers; [handing]: a layer that hands on what it reads;
          [one_more N]: N with such a layer on top;
    - [excess a r s c]: what a shallower network has more, as a polynomial. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From lemmata Require Import models affine.
From lemmata Require depth.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** Definition 1 *)

Section Networks.

Variables (F : fieldType) (n : nat).

(** The first channel, p steps later; 0 before. *)
Definition delayed (y : nat -> F) p t : F := if (p <= t)%N then y (t - p)%N else 0.

(** f_p is computed with the readout w. *)
Definition copies d (N : deep F n d.+1) (w : 'rV[F]_n) p := forall x t, (w *m states N x t) 0 0 =
  delayed (fun s => x s 0 0) p t.

(** Parameters: the entries of all V, U and biases; and of the initial states, if they count. *)
Definition parameters d (N : deep F n d) : nat := (n * n + n * d + n + sumn [seq n * n + n * n + n | _ <- others N])%N.

Definition parameters_with_starts d (N : deep F n d) : nat := (parameters N + depth N * n)%N.

Lemma parametersE d (N : deep F n d) : (parameters N + n * n = 2 * depth N * n * n + (depth N + d) * n)%N.
Proof.
rewrite /parameters /depth.
have -> : sumn [seq (n * n + n * n + n)%N | _ <- others N] = (size (others N) * (n * n + n * n + n))%N.
  by elim: (others N) => //= l s ->; rewrite mulSn.
by move: (size _) => s; nia.
Qed.

(** ** Proposition 2: states are affine in the input words *)

Lemma run_affine m (l : linear_layer F n m) (a : F) x y z t :
  (forall s, z s = a *: x s + (1 - a) *: y s) -> linear_run l z t = a *: linear_run l x t + (1 - a) *: linear_run l y t.
Proof.
move=> zE;
have mix (h : 'cV[F]_n) : a *: h + (1 - a) *: h = h by rewrite -scalerDl addrC subrK scale1r.
have combine (p q r s g : 'cV[F]_n) : (a *: p + (1 - a) *: q) + (a *: r + (1 - a) *: s) + g = a *: (p + r + g) +
  (1 - a) *: (q + s + g).
  by rewrite -{1}(mix g) !scalerDr (addrACA (a *: p)) addrACA.
elim: t => [|t IH] /=; rewrite zE; last by rewrite IH !mulmxDr -!scalemxAr combine.
by rewrite -{1}(mix (initial l)) !mulmxDr -!scalemxAr combine.
Qed.

Lemma run_linear m (l : linear_layer F n m) (a c : F) x y z t :
  bias l = 0 -> initial l = 0 -> (forall s, z s = a *: x s + c *: y s) -> linear_run l z t = a *: linear_run l x t +
    c *: linear_run l y t.
Proof.
move=> b0 s0 zE; elim: t => [|t IH] /=; rewrite zE b0 ?s0 ?mulmx0 ?add0r !addr0.
  by rewrite mulmxDr -!scalemxAr.
by rewrite IH !mulmxDr -!scalemxAr !scalerDr addrACA.
Qed.

Definition unbiased m (l : linear_layer F n m) := bias l = 0 /\ initial l = 0.

Theorem states_are_affine d (N : deep F n d) k (a c : F) x y t :
  level N k (fun s => a *: x s + (1 - a) *: y s) t = a *: level N k x t + (1 - a) *: level N k y t /\
  (unbiased (lowest N) -> (forall l, List.In l (others N) -> unbiased l) ->
   level N k (fun s => a *: x s + c *: y s) t = a *: level N k x t + c *: level N k y t).
Proof.
split.
  rewrite /level /states /=; have base s := @run_affine _ (lowest N) a x y _ s (fun=> erefl).
  elim: (take k (others N)) (linear_run _ _) (linear_run _ x) (linear_run _ y) base => [|l ls IH] h f g e //=.
  by apply: IH => s; apply: run_affine.
move=> [b0 s0] all0; have {}all0 l : List.In l (take k (others N)) -> unbiased l.
  by move=> i; apply: all0; elim: (others N) k i => [|l' ls IH] [|k] //= [->|/IH]; [left | right].
rewrite /level /states /=; have base s := @run_linear _ (lowest N) a c x y _ s b0 s0 (fun=> erefl).
elim: (take k (others N)) all0 (linear_run _ _) (linear_run _ x) (linear_run _ y) base => [|l ls IH] all0 h f g e //=.
have [bl sl] := all0 l (or_introl erefl).
by apply: IH => [l' i|s]; [apply: all0; right | apply: run_linear].
Qed.

(** ** Lemma 3 *)

(** With any biases, starts, channels and readout, L layers of width n copy at most L (n - 1) steps. *)
Theorem copies_at_most d (N : deep F n d.+1) w p : copies N w p -> (p <= depth N * n.-1)%N.
Proof.
move=> copy; pose e1 : 'cV[F]_d.+1 := delta_mx 0 0.
pose N1 : deep F n 1 := deep_network (Linear (V (lowest N)) (U (lowest N) *m e1) 0 0) (others N).
apply: (@depth.copying_is_bounded F n N1 w) => x t.
all: pose X s : 'cV[F]_d.+1 := x s 0 0 *: e1.
all: have E s : states (depth.bare_network N1) x s = states N X s - states N (fun=> 0) s.
1,3: rewrite depth.states_difference; apply: above_ext => r.
1,2: have reads q : U (lowest N) *m e1 *m x q = U (lowest N) *m (X q - 0).
1,3: by rewrite subr0 /X -scalemxAr {1}[x q]mx11_scalar mul_mx_scalar.
1,2: by elim: r => [|r IH] /=; rewrite ?IH reads.
all: have out : (w *m (states N X (t + p) - states N (fun=> 0) (t + p))) 0 0 = X t 0 0.
1,3: by rewrite mulmxBr mxE [X in _ + X]mxE !copy /delayed leq_addl addnK [(0 : 'cV[F]_d.+1) _ _]mxE subr0.
all: have XE s : X s 0 0 = x s 0 0 by rewrite !mxE !eqxx mulr1.
- by apply/matrixP=> i j; rewrite !ord1 E out XE.
- move=> tp; apply/matrixP=> i j; rewrite !ord1 E mulmxBr mxE [X in _ + X]mxE !copy /delayed.
  by rewrite [in LHS]leqNgt tp /= subrr mxE.
Qed.

End Networks.

(** With a bias the states are not linear. *)
Theorem not_states_are_linear (F : fieldType) :
  ~ (forall (N : deep F 1 1) (a c : F) x y t, states N (fun s => a *: x s + c *: y s) t = a *: states N x t +
    c *: states N y t).
Proof.
move/(_ (deep_network (Linear 0 0 (const_mx 1) 0) [::]) 0 0 (fun=> 0) (fun=> 0) 0%N).
rewrite /states /= !mul0mx !add0r !scale0r addr0 => /matrixP/(_ 0 0); rewrite !mxE => /eqP.
by rewrite oner_eq0.
Qed.

(** ** Lemma 2: shift registers *)

Section Registers.

Variables (F : fieldType) (n d : nat).

(** A layer of n + 1 units: the shift h -> (h_2, ..., h_n, 0), and the first number read goes to the last unit. *)
Definition register m : linear_layer F n.+1 m.+1 :=
  Linear (\matrix_(i, j) (j == i.+1 :> nat)%:R) (delta_mx ord_max 0) 0 0.

Definition registers L : deep F n.+1 d.+1 := deep_network (register d) (nseq L.-1 (register n)).

Lemma registers_depth L : (0 < L)%N -> depth (registers L) = L.
Proof. by rewrite /depth size_nseq => /prednK. Qed.

(** Unit i of a register is n - i steps late. *)
Lemma register_delays m (x : nat -> 'cV[F]_m.+1) t (i : 'I_n.+1) : linear_run (register m) x t i 0 =
  delayed (fun s => x s 0 0) (n - i) t.
Proof.
have reads s : (delta_mx ord_max 0 *m x s : 'cV[F]_n.+1) i 0 = if (n - i == 0)%N then x s 0 0 else 0.
  rewrite mxE (bigD1 0) //= big1 => [|j j0]; rewrite !mxE; last by rewrite (negbTE j0) andbF mul0r.
  by rewrite eqxx andbT addr0 -val_eqE /=; case: eqP => e; case: eqP => e'; rewrite ?mul1r ?mul0r //; have := ltn_ord i;
    lia.
elim: t i reads => [|t IH] i reads /=; rewrite addr0 mxE reads; first by rewrite mulmx0 mxE add0r /delayed leqn0 sub0n;
  case: eqP.
have [last|inner] := eqVneq (n - i)%N 0%N.
  rewrite mxE big1 => [|j _]; first by rewrite add0r /delayed last /= subn0.
  by rewrite mxE; case: eqP => [e|_]; rewrite ?mul0r //; have := ltn_ord j; lia.
have lt : (i.+1 < n.+1)%N by lia.
rewrite addr0 mxE (bigD1 (Ordinal lt)) //= big1 => [|j j0]; last first.
  by rewrite mxE (_ : _ == _ = false) ?mul0r //; apply: contraNF j0 => e; rewrite -val_eqE.
rewrite mxE eqxx mul1r addr0 IH => [|s]; last first.
  rewrite mxE (bigD1 0) //= big1 => [|j j0]; rewrite !mxE; last by rewrite (negbTE j0) andbF mul0r.
  by rewrite eqxx andbT addr0 -val_eqE /=; case: eqP => e; case: eqP => e'; rewrite ?mul1r ?mul0r //; lia.
by rewrite /delayed (_ : n - i = (n - Ordinal lt).+1)%N ?ltnS ?subSS //=; lia.
Qed.

Lemma delayed_twice (y z : nat -> F) p q t : (forall s, z s = delayed y p s) -> delayed z q t = delayed y (p + q) t.
Proof.
move=> zE; rewrite /delayed; case: leqP => qt; last by rewrite ifN // -ltnNge; lia.
by rewrite zE /delayed (_ : (p <= t - q) = (p + q <= t))%N; [case: ifP => // _; congr (y _); lia | lia].
Qed.

Lemma stacked_registers (y : nat -> F) k L (h : nat -> 'cV[F]_n.+1) t (i : 'I_n.+1) :
  (0 < k)%N -> (forall s (j : 'I_n.+1), h s j 0 = delayed y (k * n - j) s) ->
  foldl (fun h l => linear_run l h) h (nseq L (register n)) t i 0 = delayed y ((k + L) * n - i) t.
Proof.
elim: L k h => [|L IH] k h k0 e /=; first by rewrite addn0.
rewrite addnS -addSn; apply: IH => // s j; rewrite register_delays (@delayed_twice _ _ _ _ _ (fun r => e r 0)) subn0.
by congr delayed; have := ltn_ord j; rewrite mulSn; nia.
Qed.

(** Component i + 1 of layer L is x_(t - (L n - i)). *)
Lemma registers_delay L x t (i : 'I_n.+1) : (0 < L)%N -> states (registers L) x t i 0 =
  delayed (fun s => x s 0 0) (L * n - i) t.
Proof.
case: L => // L _; apply: (@stacked_registers (fun s => x s 0 0) 1 L) => // s j.
by rewrite register_delays mul1n.
Qed.

End Registers.

(** Lemma 2: for (L - 1)(n - 1) < p <= L (n - 1), that is L = ceil(p / (n - 1)), component 1 + L (n - 1) - p of the last
    layer is the first channel p steps ago. *)
Theorem registers_copy (F : fieldType) n d p (L := ((p + n.-2) %/ n.-1)%N) :
  (1 < n)%N -> (0 < p)%N ->
  exists N : deep F n d.+1, exists i : 'I_n,
    [/\ depth N = L, i.+1 = (1 + L * n.-1 - p)%N, forall x t, states N x t i 0 = delayed (fun s => x s 0 0) p t &
      copies N (delta_mx 0 i) p].
Proof.
rewrite {}/L; case: n => [|[|n]] //= _ p0; set L := ((p + n) %/ n.+1)%N.
have [lo hi] : (p <= L * n.+1 /\ L * n.+1 < p + n.+1)%N.
  by have := divn_eq (p + n) n.+1; have := ltn_pmod (p + n) (ltn0Sn n); rewrite /L; lia.
have L0 : (0 < L)%N by rewrite lt0n; apply/eqP=> e; rewrite e in lo; lia.
have lt : (L * n.+1 - p < n.+2)%N by lia.
exists (registers F n.+1 d L), (Ordinal lt).
have reads x t : states (registers F n.+1 d L) x t (Ordinal lt) 0 = delayed (fun s => x s 0 0) p t.
  by rewrite registers_delay //=; congr delayed; lia.
split=> //; [exact: registers_depth | by rewrite /=; lia|].
move=> x t; rewrite -reads mxE (bigD1 (Ordinal lt)) //= mxE !eqxx mul1r big1 ?addr0 // => j ne.
by rewrite mxE (negbTE ne) andbF mul0r.
Qed.

(** Read at the first component, the network copies L (n - 1) steps: n = 3, p = 1. *)
Theorem not_first_component_copies (F : fieldType) :
  ~ (forall n p, (1 < n)%N -> (0 < p)%N -> forall x t, states (registers F n.-1 0 ((p + n.-2) %/ n.-1)) x t ord0 0 =
    delayed (fun s => x s 0 0) p t).
Proof.
move/(_ 3%N 1%N isT isT (fun=> const_mx 1) 1%N); rewrite registers_delay // /delayed /= !mxE => /eqP.
by rewrite eq_sym oner_eq0.
Qed.

(** As many steps as there are: L (n - 1). *)
Lemma copies_exactly (F : fieldType) n d L :
  (1 < n)%N -> (0 < L)%N -> exists N : deep F n d.+1, exists w, depth N = L /\ copies N w (L * n.-1)%N.
Proof.
move=> n1 L0; have p0 : (0 < L * n.-1)%N by rewrite muln_gt0 L0 /=; lia.
have [N [i [dN _ _ cN]]] := @registers_copy F n d (L * n.-1) n1 p0.
exists N, (delta_mx 0 i); split=> //; rewrite dN divnMDl; last by lia.
by rewrite divn_small ?addn0 //; lia.
Qed.

(** ** Theorem 1 *)

Section TheoremOne.

Variables (F : fieldType) (n d : nat).

(** A layer with U = I, and all else 0, hands the states on. *)
Definition handing : linear_layer F n n := Linear 0 1%:M 0 0.

Lemma handing_on x t : linear_run handing x t = x t.
Proof. by case: t => [|t] /=; rewrite mul0mx mul1mx add0r addr0. Qed.

Definition one_more (N : deep F n d) : deep F n d := deep_network (lowest N) (rcons (others N) handing).

Lemma one_more_states N x t : states (one_more N) x t = states N x t /\ depth (one_more N) = (depth N).+1.
Proof. by rewrite /states /depth /= size_rcons -cats1 foldl_cat /= handing_on. Qed.

End TheoremOne.

(** The functions of L layers are functions of L + 1 layers, and some function of L + 1 layers is none of L layers. *)
Theorem deeper_computes_more (F : fieldType) n d L :
  (1 < n)%N -> (0 < L)%N ->
  (forall N : deep F n d.+1, depth N = L -> exists2 N' : deep F n d.+1, depth N' = L.+1 & forall x t,
    states N' x t = states N x t) /\
  (exists2 N' : deep F n d.+1, depth N' = L.+1 & forall N : deep F n d.+1, depth N = L ->
    ~ (forall x t, states N x t = states N' x t)).
Proof.
move=> n1 L0; split=> [N dN|].
  by exists (one_more N) => [|x t]; have [e f] := one_more_states N (fun=> 0) 0;
    [rewrite f dN | have [] := one_more_states N x t].
have [N' [w [dN' cN']]] := @copies_exactly F n d L.+1 n1 isT.
exists N' => // N dN same; have : copies N w (L.+1 * n.-1) by move=> x t; rewrite same; apply: cN'.
by move/copies_at_most; rewrite dN mulSn; lia.
Qed.

(** Not so that L layers copy L (n - 1) + 1 steps. *)
Theorem not_copies_one_step_more (F : fieldType) :
  ~ (forall n L, (1 < n)%N -> (0 < L)%N -> exists N : deep F n 1, exists w, depth N = L /\ copies N w (L * n.-1).+1).
Proof. by move/(_ 2%N 1%N isT isT) => [N [w [dN /copies_at_most]]]; rewrite dN. Qed.

(** ** Theorem 2: what a shallower copy costs *)

Section Costs.

Local Open Scope nat_scope.

(** The polynomial behind it: n = 4 + a, L' = 1 + r, L = L' + 1 + s; no coefficient of the excess is negative. *)
Definition excess (a r s c : nat) : nat :=
  2*a*a*r*r + 2*a*a*r*s + 4*a*a*r + a*a*s + a*a + 12*a*r*r + 12*a*r*s + 23*a*r + 6*a*s + 5*a + 14*r*r + 18*r*s + 25*r +
    9*s + 2
  + (1 - c) * (r * r + 2 * r + 1).

Lemma excessE a r s c (k := r.+1) (L := (r + s).+2) (n := a.+4) (Y := L * a.+3 + k) :
  c <= 1 ->
  (r + k) * Y * Y + k * (k + 1 + c * k) * Y = k * k * ((L + (r + s).+1) * n * n + (L + 1 + c * L) * n) +
    s.+1 * excess a r s c.
Proof.
rewrite /k /L /n /Y /excess; case: c => [|[|c]] // _; lia.
Qed.

(** For n >= 4, L' < L and L' (n' - 1) >= L (n - 1), without initial states (c = false) and with them. *)
Lemma shallower_costs_more n L n' L' (c : bool) :
  3 < n -> 0 < L' < L -> L * n.-1 <= L' * n'.-1 ->
  2 * L * n * n + (L + 1 + c * L) * n + n' * n' < 2 * L' * n' * n' + (L' + 1 + c * L') * n' + n * n.
Proof.
case: n => // -[|[|[|a]]] //; case: L' => // r _ /andP[_ lt].
have [s ->] : exists s, L = (r + s).+2 by exists (L - r.+2); lia.
case: n' => [|m]; first by rewrite muln0 => e; lia.
rewrite [_.-1]/= [m.+1.-1]/= => enough; set k := r.+1 in enough *; set K := (r + s).+2 in enough *; set X := k * m.+1.
have YX : K * a.+3 + k <= X by rewrite /X [k * m.+1]mulnS addnC leq_add2l.
suff : (K + (r + s).+1) * a.+4 * a.+4 + (K + 1 + c * K) * a.+4 < (r + k) * m.+1 * m.+1 + (k + 1 + c * k) * m.+1.
  by rewrite /K /k; lia.
rewrite -(@ltn_pmul2l (k * k)) //.
have -> : k * k * ((r + k) * m.+1 * m.+1 + (k + 1 + c * k) * m.+1) = (r + k) * X * X + k * (k + 1 + c * k) *
  X by rewrite /X; lia.
apply: (@leq_trans ((r + k) * (K * a.+3 + k) * (K * a.+3 + k) + k * (k + 1 + c * k) * (K * a.+3 + k))).
  rewrite excessE ?leq_b1 // -addn1 leq_add2l muln_gt0 /=.
  by rewrite /excess !addnS.
by rewrite leq_add // ?leq_mul.
Qed.

End Costs.

(** Numbers of parameters: (2L - 1) n^2 + (L + d) n, and L n more with initial states. *)
Theorem number_of_parameters (F : fieldType) n d (N : deep F n d) (L := depth N) :
  parameters N = ((2 * L - 1) * n * n + (L + d) * n)%N /\ parameters_with_starts N =
    ((2 * L - 1) * n * n + (2 * L + d) * n)%N.
Proof.
rewrite /parameters_with_starts /L; have := parametersE N; have : (0 < depth N)%N by [].
by case: (depth N) => // k _; rewrite (_ : 2 * k.+1 - 1 = k + k.+1)%N; lia.
Qed.

(** Without the bias it is less. *)
Theorem not_number_of_parameters_without_biases (F : fieldType) :
  ~ (forall n d (N : deep F n d), parameters N = (2 * depth N - 1) * n * n + d * n)%N.
Proof. by move/(_ 1%N 1%N (deep_network (Linear 0 0 0 0) [::])). Qed.

(** What a shallower network needs for copying as far. *)
Lemma shallower_copies_cost_more (F : fieldType) n n' d d' p (N : deep F n 1) (N' : deep F n' d.+1) w' :
  d' = 1%N -> (3 < n)%N -> (depth N * n.-1 <= p)%N -> copies N' w' p -> (depth N' < depth N)%N ->
  (parameters N < (2 * depth N' - 1) * n' * n' + (depth N' + d') * n' /\
   parameters_with_starts N < (2 * depth N' - 1) * n' * n' + (2 * depth N' + d') * n')%N.
Proof.
move=> -> n3 far /copies_at_most/(leq_trans far) enough lt; have [-> ->] := number_of_parameters N.
have L'0 : (0 < depth N')%N by [].
have lts : (0 < depth N' < depth N)%N by rewrite L'0.
have := shallower_costs_more false n3 lts enough; have := shallower_costs_more true n3 lts enough.
move: (depth N) (depth N') lt L'0 {enough lts far} => [|L] [|L'] // _ _.
have twice k : (2 * k.+1 - 1 = k + k.+1)%N by lia.
by rewrite !twice => *; split; lia.
Qed.

(** Theorem 2: L layers of width n >= 4 copy p = L (n - 1) steps; fewer layers, of any width, that copy p steps have
    more parameters. *)
Theorem deep_copies_are_cheap (F : fieldType) n L (p := (L * n.-1)%N) :
  (3 < n)%N -> (0 < L)%N ->
  exists2 N : deep F n 1, depth N = L /\ (exists w, copies N w p) &
    forall n' (N' : deep F n' 1) w', copies N' w' p -> (depth N' < L)%N -> (parameters N < parameters N')%N.
Proof.
move=> n3 L0; have [N [w [dN cN]]] := @copies_exactly F n 0 L (ltnW (ltnW n3)) L0.
exists N => [|n' N' w' copy lt]; first by split=> //; exists w.
have [] := @shallower_copies_cost_more F n n' 0 1 p N N' w' erefl n3 _ copy; rewrite ?dN //.
by have [-> _] := number_of_parameters N'.
Qed.

(** ... and initial states do not matter. *)
Theorem deep_copies_are_cheap_with_starts (F : fieldType) n L (p := (L * n.-1)%N) :
  (3 < n)%N -> (0 < L)%N ->
  exists2 N : deep F n 1, depth N = L /\ (exists w, copies N w p) &
    forall n' (N' : deep F n' 1) w', copies N' w' p -> (depth N' < L)%N ->
      (parameters_with_starts N < parameters_with_starts N')%N.
Proof.
move=> n3 L0; have [N [w [dN cN]]] := @copies_exactly F n 0 L (ltnW (ltnW n3)) L0.
exists N => [|n' N' w' copy lt]; first by split=> //; exists w.
have [] := @shallower_copies_cost_more F n n' 0 1 p N N' w' erefl n3 _ copy; rewrite ?dN //.
by have [_ ->] := number_of_parameters N'.
Qed.

(** Depth adds memory: L (n - 1) is the largest number of steps, a layer adds n - 1 > 0, and for n >= 4 all that
    remember as much with fewer layers have more parameters. *)
Theorem memory_of_depth (F : fieldType) n L :
  (1 < n)%N -> (0 < L)%N ->
  [/\ exists N : deep F n 1, exists w, depth N = L /\ copies N w (L * n.-1),
      forall (N : deep F n 1) w p, depth N = L -> copies N w p -> (p <= L * n.-1)%N,
      (L.+1 * n.-1 = L * n.-1 + n.-1 /\ 0 < n.-1)%N &
      (3 < n)%N -> forall (N : deep F n 1) n' (N' : deep F n' 1) w' p',
        depth N = L -> copies N' w' p' -> (L * n.-1 <= p')%N -> (depth N' < L)%N -> (parameters N < parameters N')%N].
Proof.
move=> n1 L0; split.
- exact: copies_exactly.
- by move=> N w p <- /copies_at_most.
- by split; [rewrite mulSn addnC | lia].
move=> n3 N n' N' w' p' dN copy far lt.
have [] := @shallower_copies_cost_more F n n' 0 1 p' N N' w' erefl n3 _ copy; rewrite ?dN //.
by have [-> _] := number_of_parameters N'.
Qed.

(** For n = 3 one layer of width 5 copies as far as two of width 3, with 35 parameters against 36. *)
Theorem not_deep_copies_are_cheap_for_three (F : fieldType) :
  ~ (forall (N : deep F 3 1) n' (N' : deep F n' 1) w' p,
       copies N' w' p -> (depth N * 2 <= p)%N -> (depth N' < depth N)%N -> (parameters N < parameters N')%N).
Proof.
have [N [_ [dN _]]] := @copies_exactly F 3 0 2 isT isT; have [N' [w' [dN' cN']]] := @copies_exactly F 5 0 1 isT isT.
move/(_ N 5%N N' w' 4%N cN'); rewrite dN dN' => /(_ isT isT).
by have [-> _] := number_of_parameters N; have [-> _] := number_of_parameters N'; rewrite dN dN'.
Qed.

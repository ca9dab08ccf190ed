(** * The heads of the single steps combine into one head, exactly

    orvieto24, Theorem 2, second half, as amended: a diagonal recurrence with a clock, and one head that
    is head k at step k.

    - [saturates sigma]: sigma is 0 up to -1, and 1 from 1 on, as the Heaviside step and the ramp are;
    - [join f g]: the neurons of two networks side by side; the outputs add up;
    - [waits], [shift], [head]: the neurons of head i with W (clock - i) added; one more neuron; all of them;
    - [real_parts h]: the clock, and the real and the imaginary parts of the other units. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.real_closed Require Import complex.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import vandermonde recall universality sentences.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Definition saturates (F : realFieldType) (sigma : F -> F) : Prop :=
  (forall u, u <= - 1 -> sigma u = 0) /\ (forall u, 1 <= u -> sigma u = 1).

Lemma heaviside_saturates (F : realFieldType) : saturates (@heaviside F).
Proof.
split=> u le; rewrite /heaviside; last by rewrite (le_trans ler01 le).
by rewrite leNgt (le_lt_trans le) // oppr_lt0 ltr01.
Qed.

Lemma ramp_saturates (F : realFieldType) : saturates (@ramp F).
Proof.
split=> u le; have [low _ high] := relu_difference u; last exact: high.
by apply/low/(le_trans le); rewrite oppr_le0 ler01.
Qed.

(** ** Networks side by side *)

Section Join.

Variables (F : realFieldType) (n : nat) (sigma : F -> F).
Implicit Types (f g : shallow_network F n 1).

Definition join f g : shallow_network F n 1 :=
  Shallow (col_mx (inner f) (inner g)) (col_mx (bias f) (bias g)) (row_mx (outer f) (outer g)) (offset f + offset g).

Lemma output_join f g x : output sigma (join f g) x 0 0 = output sigma f x 0 0 + output sigma g x 0 0.
Proof. by rewrite /output /= mul_col_mx add_col_mx map_col_mx mul_row_col addrACA [LHS]mxE. Qed.

End Join.

(** ** One head for all steps, on any memory that determines the tokens *)

Section Memory.

Variables (F : realFieldType) (sigma : F -> F) (n L : nat) (M : forall k, 'M[F]_(n, k)).
Variables (b : F) (g : forall k, shallow_network F k.+1 1).
Hypothesis sigma01 : saturates sigma.
Hypothesis full : forall k, (k <= L)%N -> row_full (M k).

(** What is read after the letter number k: the clock, and the memory. *)
Definition seen (v : nat -> F) k : 'cV[F]_(1 + n) := col_mx k.+1%:R%:M (M k.+1 *m prefix k.+1 v).

Definition on_memory k : shallow_network F n 1 := after (g k) (pinvmx (M k.+1)).

Definition argument i k v : 'cV[F]_(width (g i)) := inner (on_memory i) *m (M k.+1 *m prefix k.+1 v) + bias (g i).

(** No argument is larger. *)
Definition reach i : F :=
  \sum_(k < L) \sum_p (\sum_t `|(inner (on_memory i) *m M k.+1) p t| * `|b| + `|bias (g i) p 0|).

Lemma within i k v p : (k < L)%N -> (forall t, `|v t| <= b) -> `|argument i k v p 0| <= reach i.
Proof.
move=> kL vb; pose size k p := \sum_t `|(inner (on_memory i) *m M k.+1) p t| * `|b| + `|bias (g i) p 0|.
have size0 j q : 0 <= size j q by rewrite addr_ge0 ?sumr_ge0 // => t _; rewrite mulr_ge0.
apply: le_trans (_ : size k p <= _); last first.
  rewrite /reach (bigD1 (Ordinal kL)) //= (bigD1 p) //= -addrA ler_addl.
  by apply: addr_ge0; apply: sumr_ge0 => j _; [exact: size0 | apply: sumr_ge0 => q _; exact: size0].
rewrite /argument mulmxA mxE (le_trans (ler_norm_add _ _)) // ler_add2r mxE (le_trans (ler_norm_sum _ _ _)) //.
apply: ler_sum => t _; rewrite normrM ler_wpmul2l // mxE; exact: le_trans (vb _) (ler_norm _).
Qed.

Definition waits i : shallow_network F (1 + n) 1 :=
  Shallow (row_mx (const_mx (reach i + 1)) (inner (on_memory i))) (bias (g i) - const_mx ((reach i + 1) * i.+1%:R))
    (outer (g i)) 0.

Definition total i : F := (outer (g i) *m (const_mx 1 : 'cV[F]_(width (g i)))) 0 0.

Lemma waitsE i k v : (k < L)%N -> (forall t, `|v t| <= b) ->
  output sigma (waits i) (seen v k) 0 0 =
    if (k < i)%N then 0 else if k == i then output sigma (g i) (prefix i.+1 v) 0 0 - offset (g i) 0 0 else total i.
Proof.
move=> kL vb; rewrite /output /= addr0 mul_row_col.
set u := (X in map_mx sigma X); have uE p : u p 0 = argument i k v p 0 + (reach i + 1) * (k%:R - i%:R).
  have key (R K I s t : F) : R * (1 + K) + s + (t - R * (1 + I)) = s + t + R * (K - I) by ring.
  by rewrite /u /argument /= !mxE !big_ord1 !mxE eqxx mulr1n [k.+1%:R]mulrS [i.+1%:R]mulrS; apply: key.
have reach0 (p : 'I_(width (g i))) : 0 <= reach i by apply: le_trans (normr_ge0 _) (@within i k v p kL vb).
case: (ltngtP k i) => [ki|ik|ki].
- rewrite (_ : map_mx sigma u = 0) ?mulmx0 ?mxE //; apply/colP=> p; rewrite [LHS]mxE [RHS]mxE; apply: sigma01.1.
  rewrite uE; have := ler_norml (argument i k v p 0) (reach i); rewrite within // => /esym/andP[_ le].
  apply: (le_trans (ler_add le (_ : _ <= - (reach i + 1)))); last by rewrite opprD addrA subrr add0r.
  rewrite -[X in _ <= X]mulrN1 ler_wpmul2l ?addr_ge0 ?(reach0 p) ?ler01 //.
  by rewrite -[_ - _]opprB ler_opp2 -natrB ?(ltnW ki) // ler1n subn_gt0.
- congr ((_ *m _) 0 0); apply/colP=> p; rewrite [LHS]mxE [RHS]mxE; apply: sigma01.2.
  rewrite uE; have := ler_norml (argument i k v p 0) (reach i); rewrite within // => /esym/andP[le _].
  apply: (le_trans (_ : 1 <= - reach i + (reach i + 1))); first by rewrite addrA addNr add0r.
  apply: ler_add => //; rewrite -[X in X <= _]mulr1 ler_wpmul2l ?addr_ge0 ?(reach0 p) ?ler01 //.
  by rewrite -natrB ?(ltnW ik) // ler1n subn_gt0.
rewrite ki in kL uE *; have -> : u = inner (g i) *m prefix i.+1 v + bias (g i).
  apply/colP=> p; rewrite uE subrr mulr0 addr0 /argument.
  rewrite (_ : inner (on_memory i) *m (M i.+1 *m _) = inner (g i) *m prefix i.+1 v) //=.
  by rewrite -mulmxA (mulmxA (pinvmx _)) mulVpmx ?full // mul1mx.
by rewrite /output [X in _ = X - _]mxE addrK.
Qed.

Definition shift i (c : F) : shallow_network F (1 + n) 1 :=
  Shallow (row_mx (2%:R%:M : 'M_1) 0) (1 - i.+1%:R *+ 2)%:M (c%:M) 0.

Lemma shiftE i c k v : output sigma (shift i c) (seen v k) 0 0 = if (k < i)%N then 0 else c.
Proof.
have -> : output sigma (shift i c) (seen v k) 0 0 = c * sigma (2%:R * (k%:R - i%:R) + 1).
  rewrite /output /= addr0 mul_row_col mul0mx addr0 -scalar_mxM -raddfD /= mul_scalar_mx !mxE eqxx !mulr1n.
  by congr (_ * sigma _); rewrite [k.+1%:R]mulrS [i.+1%:R]mulrS; ring.
case: ltnP => ki; last first.
  by rewrite sigma01.2 ?mulr1 // ler_addr pmulr_rge0 ?ltr0Sn // subr_ge0 ler_nat.
rewrite sigma01.1 ?mulr0 // -ler_subr_addr (_ : - 1 - 1 = 2%:R * - 1 :> F); last by ring.
by rewrite ler_wpmul2l ?ler0n // -[_ - _]opprB ler_opp2 -natrB ?(ltnW ki) // ler1n subn_gt0.
Qed.

Fixpoint head l : shallow_network F (1 + n) 1 :=
  if l is l'.+1 then
    join (join (head l') (waits l)) (shift l (offset (g l) 0 0 - offset (g l') 0 0 - total l'))
  else Shallow (inner (waits 0)) (bias (waits 0)) (outer (waits 0)) (offset (g 0%N)).

Lemma head_width l : width (head l) = (\sum_(k < l.+1) (width (g k)).+1).-1.
Proof.
elim: l => [|l IH]; first by rewrite big_ord1.
rewrite big_ord_recr /= IH; have : (0 < \sum_(k < l.+1) (width (g k)).+1)%N by rewrite big_ord_recr /= addnS.
by case: (\sum_(k < l.+1) _)%N => // s _; rewrite addn1 addSn /= addnS.
Qed.

Lemma headE l k v : (k < L)%N -> (forall t, `|v t| <= b) ->
  output sigma (head l) (seen v k) 0 0 =
    if (k <= l)%N then output sigma (g k) (prefix k.+1 v) 0 0 else offset (g l) 0 0 + total l.
Proof.
move=> kL vb; elim: l => [|l IH].
  have -> : output sigma (head 0) (seen v k) 0 0 = output sigma (waits 0) (seen v k) 0 0 + offset (g 0%N) 0 0.
    by rewrite /output /= addr0 [LHS]mxE.
  by rewrite waitsE // ltn0 leqn0; case: eqP => [->|_]; rewrite ?subrK // addrC.
rewrite [head _]/= !output_join IH waitsE // shiftE -[(k <= l)%N]ltnS.
case: (ltngtP k l.+1) => [_|_|->] /=; first by rewrite !addr0.
  by ring.
by ring.
Qed.

End Memory.

(** ** The recurrence with a clock *)

Definition tokens (F : ringType) (v : nat -> F) : nat -> 'cV[F]_(1 + 1) := fun t => col_mx 1%:M (v t)%:M.

(** Real nodes: the head reads the states. *)
Lemma real_heads (F : realFieldType) (sigma : F -> F) N L (node : 'I_N -> F) b (g : forall k,
  shallow_network F k.+1 1) :
  saturates sigma -> injective node -> (L.+1 <= N)%N ->
  exists2 h : shallow_network F (1 + N) 1, width h = (\sum_(k < L.+1) (width (g k)).+1).-1 &
    forall v, (forall t, `|v t| <= b) -> forall k, (k <= L)%N ->
      output sigma h (recurrence (with_clock node) (split F N) (tokens v) k.+1) 0 0 =
        output sigma (g k) (prefix k.+1 v) 0 0.
Proof.
move=> sigma01 inj LN; pose M k := vandermonde_matrix k node.
have full k : (k <= L.+1)%N -> row_full (M k).
  by move=> kL; have [known _] := proposition1 inj LN kL; apply/injective_at_full.
exists (head L.+1 M b g L); first exact: head_width.
by move=> v vb k kL; rewrite clock -/(M k.+1) -/(seen M v k) headE ?kL.
Qed.

(** Complex nodes: it reads their real and imaginary parts. *)
Section Complex.

Variables (R : rcfType) (N : nat).

Definition real_parts (h : 'cV[R[i]]_(1 + N)) : 'cV[R]_(1 + (N + N)) :=
  col_mx (map_mx (@complex.Re R) (usubmx h))
    (col_mx (map_mx (@complex.Re R) (dsubmx h)) (map_mx (@complex.Im R) (dsubmx h))).

Definition both_parts k (A : 'M[R[i]]_(N, k)) : 'M[R]_(N + N, k) :=
  col_mx (map_mx (@complex.Re R) A) (map_mx (@complex.Im R) A).

Lemma real_input k (A : 'M[R[i]]_(N, k)) (v : nat -> R) :
  both_parts A *m prefix k v =
    col_mx (map_mx (@complex.Re R) (A *m prefix k (fun t => (v t)%:C%C)))
      (map_mx (@complex.Im R) (A *m prefix k (fun t => (v t)%:C%C))).
Proof.
rewrite mul_col_mx; congr col_mx; apply/colP=> i; rewrite !mxE.
  rewrite (big_morph (@complex.Re R) (id1 := 0) (op1 := +%R)) => // [|[? ?] [? ?] //]; apply: eq_bigr => j _.
  by rewrite !mxE; case: (A i j) => c d /=; rewrite mulr0 subr0.
rewrite (big_morph (@complex.Im R) (id1 := 0) (op1 := +%R)) => // [|[? ?] [? ?] //]; apply: eq_bigr => j _.
by rewrite !mxE; case: (A i j) => c d /=; rewrite mulr0 add0r.
Qed.

End Complex.

Lemma complex_heads (R : rcfType) (sigma : R -> R) N L (node : 'I_N -> R[i]) b (g : forall k,
  shallow_network R k.+1 1) :
  saturates sigma -> injective node -> (L.+1 <= N)%N ->
  exists2 h : shallow_network R (1 + (N + N)) 1, width h = (\sum_(k < L.+1) (width (g k)).+1).-1 &
    forall v, (forall t, `|v t| <= b) -> forall k, (k <= L)%N ->
      output sigma h (real_parts (recurrence (with_clock node) (split _ N) (tokens (fun t => (v t)%:C%C)) k.+1)) 0 0 =
      output sigma (g k) (prefix k.+1 v) 0 0.
Proof.
move=> sigma01 inj LN; pose M k := both_parts (vandermonde_matrix k node).
have full k : (k <= L.+1)%N -> row_full (M k).
  move=> kL; have [known _] := proposition1 inj LN kL; apply/full_on_columns=> c Mc.
  have [v vE] := prefix_of c; move: Mc; rewrite -vE /M real_input => Mc.
  have zero : vandermonde_matrix k node *m prefix k (fun t => (v t)%:C%C) = 0.
    apply/colP=> i; rewrite [RHS]mxE; move/colP: Mc => Mc; have := Mc (lshift N i); have := Mc (rshift N i).
    rewrite col_mxEu col_mxEd !mxE; case: (\sum_j _) => x y /= -> ->.
    by [].
  have V0 : vandermonde_matrix k node *m prefix k (fun _ : nat => 0 : R[i]) = 0.
    by rewrite (_ : prefix k _ = 0) ?mulmx0 //; apply/colP=> j; rewrite !mxE.
  apply/colP=> j; rewrite !mxE; have := known (fun t => (v t)%:C%C) (fun=> 0) _ j (ltn_ord j).
  by rewrite !states_are_vandermonde zero V0 => /(_ erefl) [].
exists (head L.+1 M b g L); first exact: head_width.
move=> v vb k kL.
have -> : real_parts (recurrence (with_clock node) (split _ N) (tokens (fun t => (v t)%:C%C)) k.+1) = seen M v k.
  rewrite clock /real_parts col_mxKu col_mxKd /seen /M real_input; congr col_mx.
  apply/matrixP=> i j; rewrite !ord1 !mxE eqxx !mulr1n.
  by rewrite (_ : k.+1%:R = k.+1%:R%:C%C) //= rmorph_nat.
by rewrite headE ?kL.
Qed.

(** Theorem 2's heads: one neuron more for each step after the first, for steps and for ramps.
    Real and complex nodes. *)
Theorem heads_combine (R : rcfType) (sigma : R -> R) N L (b : R) (g : forall k, shallow_network R k.+1 1) :
  sigma = @heaviside R \/ sigma = @ramp R -> (L.+1 <= N)%N ->
  (forall node : 'I_N -> R, injective node ->
     exists2 h : shallow_network R (1 + N) 1, width h = (\sum_(k < L.+1) (width (g k)).+1 - 1)%N &
       forall v, (forall t, `|v t| <= b) -> forall k, (k <= L)%N ->
         output sigma h (recurrence (with_clock node) (split R N) (tokens v) k.+1) 0 0 =
           output sigma (g k) (prefix k.+1 v) 0 0) /\
  (forall node : 'I_N -> R[i], injective node ->
     exists2 h : shallow_network R (1 + (N + N)) 1, width h = (\sum_(k < L.+1) (width (g k)).+1 - 1)%N &
       forall v, (forall t, `|v t| <= b) -> forall k, (k <= L)%N ->
         output sigma h
             (real_parts (recurrence (with_clock node) (split _ N) (tokens (fun t => (v t)%:C%C)) k.+1)) 0 0 =
           output sigma (g k) (prefix k.+1 v) 0 0).
Proof.
move=> steps LN; have sigma01 : saturates sigma.
  by case: steps => ->; [apply: heaviside_saturates | apply: ramp_saturates].
by rewrite subn1; split=> node inj; [apply: real_heads | apply: complex_heads].
Qed.

(** Without the neurons that correct the constants it is false: a step, then the constant 0. *)
Theorem not_heads_combine_without_shifts (R : rcfType) :
  ~ (forall (sigma : R -> R) N L (b : R) (g : forall k, shallow_network R k.+1 1), sigma = @heaviside R ->
    (L.+1 <= N)%N ->
       forall node : 'I_N -> R, injective node ->
       exists2 h : shallow_network R (1 + N) 1, width h = (\sum_(k < L.+1) width (g k))%N &
         forall v, (forall t, `|v t| <= b) -> forall k, (k <= L)%N ->
           output sigma h (recurrence (with_clock node) (split R N) (tokens v) k.+1) 0 0 =
             output sigma (g k) (prefix k.+1 v) 0 0).
Proof.
pose g k : shallow_network R k.+1 1 := Shallow (0 : 'M_(0, k.+1)) 0 0 (k%:R%:M).
move/(_ (@heaviside R) 2%N 1%N 0 g erefl isT (fun i => (i : nat)%:R)) => [i j /eqP|h].
  by rewrite eqr_nat => /eqP e; apply: val_inj.
rewrite big1 => [|k _ //]; case: h => w A c O o /= w0 all_k; subst w.
have constant x : output (@heaviside R) (Shallow A c O o) x 0 0 = o 0 0.
  by rewrite /output [O]thinmx0 mul0mx add0r.
have := all_k (fun=> 0) _ 0%N isT; have := all_k (fun=> 0) _ 1%N isT.
rewrite !constant /output /= !mul0mx !add0r !mxE !mulr1n normr0 => -> // /(_ (fun=> lexx _)) /eqP.
by rewrite oner_eq0.
Qed.

(** * Rounded and exact runs of one stack, and every rule for ties

    grazzi25, App. A.4: in the model of finite precision each term of the unrolled state is cast, and so is their sum.

    - [exact_states l x t]: the state of a layer before the letter number t, in exact arithmetic;
    - [unrounded c s x]: in every layer the cast c leaves each term and each state as it is;
    - [numbers D s x]: in every layer the entries of all terms and states are in D;
    - [nearest D r]: r rounds to a nearest number of D, ties broken in any way. *)

From mathcomp Require Import all_ssreflect all_algebra.
From lemmata Require Import models.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

(** ** Exact runs *)

Section Exact.

Variables (F : ringType) (c : F -> F).

(** H_t = A(x_t) H_(t-1) + B(x_t), from H_0. *)
Definition exact_states (X Y : Type) (l : affine_layer F X Y) : (nat -> X) -> nat -> 'M[F]_(width l, channels l) :=
  at_time (step (transition l) (input l)) (origin l).

Notation terms_of l := (terms (transition l) (input l) (origin l)).

(** It is the sum of the terms that the model of finite precision casts. *)
Lemma exact_states_are_sums (X Y : Type) (l : affine_layer F X Y) x t :
  exact_states l x t = \sum_(M <- terms_of l x t) M.
Proof. exact: sum_of_terms. Qed.

Definition unrounded_layer (X Y : Type) (l : affine_layer F X Y) (x : nat -> X) : Prop := forall t,
  (forall M, M \in terms_of l x t.+1 -> map_mx c M = M) /\
  let H := exact_states l x t.+1 in map_mx c H = H.

Fixpoint unrounded (X Y : Type) (s : affine_stack F X Y) : (nat -> X) -> Prop :=
  if s is Above _ _ s' l then fun x => unrounded s' x /\ unrounded_layer l (exact_run s' x) else fun=> True.

Lemma unrounded_layers_are_exact (X Y : Type) (l : affine_layer F X Y) x t :
  unrounded_layer l x -> cast_layer c l x t = transduce (exact l) x t.
Proof.
move=> fixed; have [terms_fixed sum_fixed] := fixed t; rewrite /cast_layer /transduce; congr decoder.
rewrite -[RHS]sum_fixed /cast_state exact_states_are_sums; congr map_mx.
by rewrite big_seq [RHS]big_seq; apply: eq_bigr => M; apply: terms_fixed.
Qed.

(** Where nothing is rounded, the run of finite precision is the exact one. *)
Lemma unrounded_runs_are_exact (X Y : Type) (s : affine_stack F X Y) x t :
  unrounded s x -> cast_run c s x t = exact_run s x t.
Proof.
elim: s x t => [|U W s IH l] x t //= [/IH below fixed].
by rewrite -[RHS](unrounded_layers_are_exact t fixed); apply: cast_layer_ext.
Qed.

End Exact.

(** ** Rounding to nearest *)

Section Nearest.

Variables (F : realFieldType) (D : seq F) (r : F -> F).

Definition nearest : Prop := forall z, r z \in D /\ forall d, d \in D -> `|z - r z| <= `|z - d|.

Definition midpoints : seq F := [seq (d + e) / 2%:R | d <- D, e <- D].

Definition bits (s : seq (bool * bool)) y : bool * bool := nth (false, false) s (index y midpoints).

(** What the bits say: z is the midpoint y, or z is nearer to d than to e. *)
Definition tie s y : bool := bits s y == (false, true).

Definition nearer s d e : bool :=
  (e == d) || (if d < e then ~~ (bits s ((d + e) / 2%:R)).2 else (bits s ((d + e) / 2%:R)).1).

Definition chosen (s : seq (bool * bool)) : F :=
  if [seq y <- midpoints | tie s y] is y :: _ then r y else head 0 [seq d <- D | all (nearer s d) D].

Lemma half_lt (a b z : F) : ((a + b) / 2%:R < z) = (a - z < z - b).
Proof. by rewrite ltr_pdivr_mulr ?ltr0n // mulr_natr mulr2n ltr_subl_addr addrAC ltr_subr_addr. Qed.

Lemma below_half (z a b : F) : `|z - a| <= `|z - b| -> a < b -> z <= (a + b) / 2%:R.
Proof.
move=> near ab; rewrite leNgt half_lt; apply: contraL near => far; rewrite -ltNge.
apply: lt_le_trans (ler_norm _); rewrite ltr_norml ltr_add2l ltr_opp2 ab andbT.
by rewrite opprB; move: far; rewrite ltr_subl_addr addrAC ltr_subr_addr addrC.
Qed.

Lemma above_half (z a b : F) : `|z - a| <= `|z - b| -> b < a -> (a + b) / 2%:R <= z.
Proof.
move=> near ba; have := @below_half (- z) (- a) (- b); rewrite -!opprD !normrN ltr_opp2 mulNr ler_opp2; exact.
Qed.

(** Every rounding to nearest is a cast, however it breaks ties: downwards as in Eq. 4, to an even last digit, or
    otherwise. *)
Theorem nearest_is_a_cast : nearest -> forall z, cast midpoints chosen z = r z.
Proof.
move=> near z; rewrite /cast; set s := map _ _.
have look y : y \in midpoints -> bits s y = (y < z, y <= z).
  by move=> My; rewrite /bits (nth_map 0) ?index_mem // nth_index.
have mid d e : d \in D -> e \in D -> (d + e) / 2%:R \in midpoints by move=> Dd De; apply: allpairs_f.
have [rD rnear] := near z; rewrite /chosen; case ties : [seq y <- midpoints | tie s y] => [|y l]; last first.
  have : y \in y :: l by rewrite mem_head.
  rewrite -ties mem_filter /tie => /andP[/eqP bits_y My]; move: bits_y; rewrite look // => -[yz zy].
  by congr r; apply/eqP; rewrite eq_le zy leNgt yz.
have no_tie y : y \in midpoints -> y != z.
  move=> My; apply/negP=> /eqP yz; have : y \in [seq y <- midpoints | tie s y].
    by rewrite mem_filter My /tie look // yz ltxx lexx.
  by rewrite ties.
have is_candidate : all (nearer s (r z)) D.
  apply/allP=> e De; rewrite /nearer; case: eqP => //= /eqP e_r; rewrite !look ?mid //=.
  have [re|er|/eqP] := ltgtP (r z) e; last by rewrite eq_sym (negbTE e_r).
    by rewrite -ltNge lt_neqAle eq_sym no_tie ?mid //= below_half ?rnear.
  by rewrite lt_neqAle no_tie ?mid //= above_half ?rnear.
have only_candidate d : d \in D -> nearer s d (r z) -> d = r z.
  move=> Dd; rewrite /nearer; case: eqP => [-> //|_] /=; rewrite !look ?mid //=.
  have [dr|rd|//] := ltgtP d (r z); first by rewrite addrC above_half ?rnear.
  by rewrite addrC ltNge below_half ?rnear.
have : r z \in [seq d <- D | all (nearer s d) D] by rewrite mem_filter is_candidate.
case candidates : [seq d <- D | all (nearer s d) D] => [//|d ds] _ /=.
have : d \in d :: ds by rewrite mem_head.
by rewrite -candidates mem_filter => /andP[/allP/(_ _ rD) near_d /only_candidate]; apply.
Qed.

(** A number of D is not rounded ... *)
Lemma nearest_fixes d : nearest -> d \in D -> r d = d.
Proof. by move=> near Dd; have [_ /(_ d Dd)] := near d; rewrite subrr normr0 normr_le0 subr_eq0 => /eqP/esym.
Qed.

End Nearest.

(** ** One model: a stack whose numbers are in D runs in finite precision as it does exactly *)

Section OneModel.

Variables (F : realFieldType) (D : seq F) (r : F -> F).

Definition layer_numbers (X Y : Type) (l : affine_layer F X Y) (x : nat -> X) : Prop := forall t,
  (forall M, M \in terms (transition l) (input l) (origin l) x t.+1 -> forall i j, M i j \in D) /\
  forall i j, exact_states l x t.+1 i j \in D.

Fixpoint numbers (X Y : Type) (s : affine_stack F X Y) : (nat -> X) -> Prop :=
  if s is Above _ _ s' l then fun x => numbers s' x /\ layer_numbers l (exact_run s' x) else fun=> True.

(** ... so Theorems 1 and 4 of grazzi25 speak of one model: of rounded runs, and of exact ones with finitely many
    numbers. *)
Theorem runs_on_finitely_many_numbers_are_exact (X Y : Type) (s : affine_stack F X Y) x t :
  nearest D r -> numbers s x -> cast_run (cast (midpoints D) (chosen D r)) s x t = exact_run s x t.
Proof.
move=> near in_D; apply: unrounded_runs_are_exact.
have fixed n d (M : 'M[F]_(n, d)) : (forall i j, M i j \in D) -> map_mx (cast (midpoints D) (chosen D r)) M = M.
  by move=> MD; apply/matrixP=> i j; rewrite mxE nearest_is_a_cast // (nearest_fixes near (MD i j)).
elim: s x {t} in_D => [|U W s IH l] x //= [/IH below lD]; split=> // u.
by have [terms_D sum_D] := lD u; split=> [M /terms_D/fixed //|]; apply: fixed.
Qed.

End OneModel.

(** * How few GH factors make a matrix: determinants, and the lower bound of floor(3n/2) factors

    grazzi25, Proposition 1.3; new.householder.minimum.sharp. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import models householder classes.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Bound.

Variables (F : fieldType) (n : nat).
Implicit Types (v : 'cV[F]_n) (c : F) (s : seq ('cV[F]_n * F)).

(** beta = c v.v, so that 1 - beta is the eigenvalue along v. *)
Definition beta (vc : 'cV[F]_n * F) : F := vc.2 * (vc.1^T *m vc.1) 0 0.

Lemma betaE v c : c *: (v^T *m v) = (beta (v, c))%:M.
Proof. by rewrite [v^T *m v]mx11_scalar scale_scalar_mx. Qed.

(** Sylvester: the determinant of one factor. *)
Lemma det_gh v c : \det (gh v c) = 1 - beta (v, c).
Proof.
pose B := block_mx (1%:M : 'M_1) (c *: v^T) v (1%:M : 'M_n).
have -> : \det (gh v c) = \det B.
  have -> : B = block_mx (1%:M : 'M_1) 0 v 1%:M *m block_mx (1%:M : 'M_1) (c *: v^T) 0 (gh v c).
    rewrite mulmx_block !mul1mx !mulmx1 !mul0mx ?mulmx0 !addr0.
    by rewrite -scalemxAr /gh addrC subrK.
  by rewrite det_mulmx det_lblock det_ublock !det1 !mul1r.
have -> : B = block_mx (1%:M : 'M_1) (c *: v^T) 0 1%:M *m block_mx (1%:M - c *: (v^T *m v)) 0 v (1%:M : 'M_n).
  by rewrite mulmx_block !mul1mx !mul0mx ?mulmx0 !mulmx1 !add0r -scalemxAl subrK.
by rewrite det_mulmx det_ublock det_lblock !det1 !mul1r mulr1 betaE -raddfB /= det_scalar1.
Qed.

Lemma det_gh_product s : \det (gh_product s) = \prod_(vc <- s) (1 - beta vc).
Proof.
elim: s => [|[v c] s IH] /=; first by rewrite det1 big_nil.
by rewrite det_mulmx IH big_cons det_gh.
Qed.

(** ** I - M and I - M M^T in terms of the factors *)

(** The columns c_i C_1 ... C_(i-1) v_i. *)
Fixpoint columns s : 'M[F]_(n, size s) :=
  match s with
  | [::] => 0
  | vc :: s' => row_mx (vc.2 *: vc.1) (gh vc.1 vc.2 *m columns s') : 'M_(n, 1 + size s')
  end.

Fixpoint vectors s : 'M[F]_(n, size s) :=
  match s with [::] => 0 | vc :: s' => row_mx vc.1 (vectors s') : 'M_(n, 1 + size s') end.

Fixpoint weights s : 'M[F]_(size s) :=
  match s with
  | [::] => 0
  | vc :: s' => block_mx (((2%:R - beta vc) / vc.2)%:M : 'M_1) 0 0 (weights s') : 'M_(1 + size s')
  end.

(** vectors = columns times an upper triangular matrix; this is its transpose. *)
Fixpoint triangle s : 'M[F]_(size s) :=
  match s with
  | [::] => 0
  | vc :: s' => block_mx ((vc.2^-1)%:M : 'M_1) 0 ((vectors s')^T *m vc.1) (triangle s') : 'M_(1 + size s')
  end.

Definition proper s := all (fun vc : 'cV[F]_n * F => vc.2 != 0) s.

Lemma ghT v c : (gh v c)^T = gh v c.
Proof. by rewrite /gh linearB /= trmx1 linearZ /= trmx_mul trmxK. Qed.

(** Each of the three by adding a factor in front. *)
Lemma telescope_step k (Z V : 'M[F]_(n, k)) (M : 'M[F]_n) v c :
  1%:M - M = Z *m V^T -> 1%:M - gh v c *m M = row_mx (c *: v) (gh v c *m Z) *m (row_mx v V)^T.
Proof.
move=> e; rewrite tr_row_mx mul_row_col -scalemxAl -mulmxA -e mulmxBr mulmx1 addrA; congr (_ - _).
by rewrite /gh addrC subrK.
Qed.

Lemma telescope s : 1%:M - gh_product s = columns s *m (vectors s)^T.
Proof. by elim: s => [|[v c] s IH] /=; [rewrite subrr mul0mx | apply: telescope_step]. Qed.

Lemma vectors_step k (Z V : 'M[F]_(n, k)) (T : 'M[F]_k) v c :
  c != 0 -> V^T = T *m Z^T ->
  (row_mx v V)^T = block_mx ((c^-1)%:M : 'M_1) 0 (V^T *m v) T *m (row_mx (c *: v) (gh v c *m Z))^T.
Proof.
move=> c0 e; rewrite !tr_row_mx mul_block_col mul0mx addr0 mul_scalar_mx linearZ /= scalerA mulVf // scale1r.
congr col_mx; rewrite trmx_mul ghT mulmxA -e /gh mulmxBr mulmx1 -!scalemxAr mulmxA.
by rewrite addrC subrK.
Qed.

Lemma vectorsE s : proper s -> (vectors s)^T = triangle s *m (columns s)^T.
Proof.
elim: s => [|[v c] s IH] /=; first by rewrite trmx0 mul0mx.
by case/andP=> c0 /IH e; apply: vectors_step.
Qed.

Lemma gh_square v c : 1%:M - gh v c *m gh v c = (c * (2%:R - beta (v, c))) *: (v *m v^T).
Proof.
have PP : v *m v^T *m (v *m v^T) = (v^T *m v) 0 0 *: (v *m v^T).
  by rewrite mulmxA -(mulmxA v) {1}[v^T *m v]mx11_scalar mul_mx_scalar -scalemxAl.
have -> : (c * (2%:R - beta (v, c))) *: (v *m v^T) =
  c *: (v *m v^T) + c *: (v *m v^T) - (c *: (v *m v^T)) *m (c *: (v *m v^T)).
  rewrite -scalemxAl -scalemxAr PP !scalerA -scalerDl -scalerBl /beta /=; congr (_ *: _).
  by move: ((v^T *m v) 0 0) => b; ring.
rewrite /gh mulmxBr mulmx1 mulmxBl mul1mx; set X := c *: _; move: (X *m X) => Y.
by rewrite !opprB addrCA -addrA [RHS]addrAC [1%:M + _]addrC subrK addrA.
Qed.

Lemma gram_step k (Z : 'M[F]_(n, k)) (D : 'M[F]_k) (M : 'M[F]_n) v c :
  c != 0 -> 1%:M - M *m M^T = Z *m D *m Z^T ->
  1%:M - gh v c *m M *m (gh v c *m M)^T =
  row_mx (c *: v) (gh v c *m Z) *m block_mx (((2%:R - beta (v, c)) / c)%:M : 'M_1) 0 0 D *m
    (row_mx (c *: v) (gh v c *m Z))^T.
Proof.
move=> c0 e; rewrite mul_row_block !mulmx0 addr0 add0r tr_row_mx mul_row_col mul_mx_scalar.
set C := gh v c; rewrite !trmx_mul ghT -/C.
have -> : C *m M *m (M^T *m C) = C *m C - C *m (1%:M - M *m M^T) *m C
  by rewrite mulmxBr mulmx1 mulmxBl opprB addrC subrK !mulmxA.
have -> : C *m Z *m D *m (Z^T *m C) = C *m (Z *m D *m Z^T) *m C by rewrite !mulmxA.
rewrite -e; move: (C *m (1%:M - M *m M^T) *m C) => X; rewrite opprB addrCA addrC; congr (_ + _).
have -> : (c *: v)^T = c *: v^T by rewrite linearZ.
rewrite gh_square -!scalemxAl -scalemxAr !scalerA; congr (_ *: _); field.
by [].
Qed.

Lemma gram s : proper s -> 1%:M - gh_product s *m (gh_product s)^T = columns s *m weights s *m (columns s)^T.
Proof.
elim: s => [|[v c] s IH] /=; first by rewrite trmx1 mulmx1 subrr !mul0mx.
by case/andP=> c0 /IH e; apply: gram_step.
Qed.

(** With a (2 - beta) != 1 for every factor, the triangular middle of the pencil is invertible ... *)
Lemma unit_step k (T D : 'M[F]_k) (V : 'M[F]_(n, k)) v c (a : F) :
  c != 0 -> a * (2%:R - beta (v, c)) != 1 -> T - a *: D \in unitmx ->
  block_mx ((c^-1)%:M : 'M_1) 0 (V^T *m v) T - a *: block_mx (((2%:R - beta (v, c)) / c)%:M : 'M_1) 0 0 D \in unitmx.
Proof.
move=> c0 b0; rewrite scale_block_mx opp_block_mx add_block_mx !scaler0 !subr0 scale_scalar_mx -raddfB.
rewrite !unitmxE !unitfE det_lblock det_scalar1 => u; rewrite mulf_neq0 //.
by rewrite mulrA -{1}[c^-1]mul1r -mulrBl mulf_neq0 ?invr_eq0 // subr_eq0 eq_sym.
Qed.

Lemma triangle_unit s (a : F) :
  proper s -> all (fun vc => a * (2%:R - beta vc) != 1) s -> triangle s - a *: weights s \in unitmx.
Proof.
elim: s => [|[v c] s IH] /=; first by move=> _ _; rewrite unitmxE det_mx00 unitr1.
by case/andP=> c0 ps /andP[b0 bs]; apply: unit_step (IH ps bs).
Qed.

(** ... so that I - M invertible leaves the pencil a kernel of at most k - n dimensions. *)
Lemma pencil_rank s (a : F) (M := gh_product s) :
  proper s -> all (fun vc => a * (2%:R - beta vc) != 1) s -> 1%:M - M \in unitmx ->
  (n + n <= size s + \rank ((1%:M - M) - a *: (1%:M - M *m M^T))%R)%N.
Proof.
move=> ps bs inv; have e1 := telescope s; rewrite vectorsE // mulmxA in e1.
have rankZ : \rank (columns s) = n.
  apply/eqP; rewrite eqn_leq rank_leq_row /=; have := inv; rewrite -row_full_unit => /eqP {1}<-.
  by rewrite /M telescope mxrankM_maxl.
have -> : (1%:M - M) - a *: (1%:M - M *m M^T) = columns s *m (triangle s - a *: weights s) *m (columns s)^T.
  by rewrite /M e1 gram // mulmxBr mulmxBl -scalemxAr -scalemxAl.
have := mxrank_mul_min (columns s *m (triangle s - a *: weights s)) (columns s)^T.
rewrite mxrank_tr rankZ mxrankMfree ?row_free_unit ?triangle_unit // rankZ.
by rewrite leq_subLR.
Qed.

End Bound.

(** Factors with beta = 0 along c = 0 are the identity and may be dropped. *)
Lemma drop_trivial (F : fieldType) n (s : seq ('cV[F]_n * F)) :
  gh_product [seq vc <- s | vc.2 != 0] = gh_product s.
Proof.
elim: s => [//|[v c] s IH] /=; have [->|c0] := eqVneq c 0; last by rewrite /= IH.
by rewrite IH /gh scale0r subr0 mul1mx.
Qed.

(** If I - M is invertible, k factors leave any number a with a (2 - beta) != 1
    as an eigenvalue of the pencil at most k - n times. *)
Theorem pencil_eigenvalue (F : fieldType) n (s : seq ('cV[F]_n * F)) (a : F) (M := gh_product s) p (X : 'M[F]_(p, n)) :
  all (fun vc => a * (2%:R - beta vc) != 1) s -> 1%:M - M \in unitmx ->
  row_free X -> X *m ((1%:M - M) - a *: (1%:M - M *m M^T)) = 0 -> (n + p <= size s)%N.
Proof.
rewrite /M -(drop_trivial s) => bs inv /eqP rankX /mulmx0_rank_max; rewrite rankX => small.
have large := pencil_rank (filter_all _ s) _ inv;
  have {large}/large : all (fun vc => a * (2%:R - beta vc) != 1) [seq vc <- s | vc.2 != 0].
  by apply/allP=> vc; rewrite mem_filter => /andP[_ /(allP bs)].
have := count_size (fun vc : 'cV[F]_n * F => vc.2 != 0) s; rewrite -size_filter.
by move: (\rank _) small => r; lia.
Qed.

(** ** c times a quarter turn in p planes (and c on r more axes) needs n + p factors *)

Section QuarterTurns.

Variables (C : numClosedFieldType) (c : C) (p r : nat).
Hypothesis c01 : 0 < c < 1.

Definition turns : 'M[C]_(p + p + r) := block_mx (block_mx 0 (- c%:M) c%:M 0) 0 0 c%:M.

Lemma turns_gram : turns *m turns^T = (c ^+ 2)%:M.
Proof.
rewrite /turns !tr_block_mx !trmx0 linearN /= !tr_scalar_mx !mulmx_block !(mulmx0, mul0mx, addr0, add0r).
by rewrite mulNmx mulmxN opprK -!scalar_mxM -expr2 -!scalar_mx_block.
Qed.

Lemma turns_unit : 1%:M - turns \in unitmx.
Proof.
have [c0 c1] : 0 <= c /\ c < 1 by case/andP: c01 => /ltW.
have sq : turns *m turns = block_mx (- (c ^+ 2)%:M) 0 0 (c ^+ 2)%:M.
  rewrite /turns !mulmx_block !(mulmx0, mul0mx, addr0, add0r).
  by rewrite mulNmx mulmxN -!scalar_mxM -expr2 -[0 : 'M_p]oppr0 -opp_block_mx -scalar_mx_block.
have four : (turns *m turns) *m (turns *m turns) = (c ^+ 4)%:M.
  rewrite sq mulmx_block !(mulmx0, mul0mx, addr0, add0r) mulNmx mulmxN opprK -!scalar_mxM -exprD.
  by rewrite -scalar_mx_block.
have squares (A : 'M[C]_(p + p + r)) : (1%:M - A) *m (1%:M + A) = 1%:M - A *m A.
  by rewrite mulmxDr mulmx1 mulmxBl mul1mx addrA subrK.
have : (1%:M - turns) *m ((1%:M + turns) *m (1%:M + turns *m turns)) = (1 - c ^+ 4)%:M.
  by rewrite mulmxA squares squares four raddfB.
move=> e; have : ((1 - c ^+ 4)%:M : 'M[C]_(p + p + r)) \in unitmx.
  by rewrite unitmxE det_scalar unitrX // unitfE subr_eq0 eq_sym lt_eqF // exprn_ilt1.
by rewrite -e unitmx_mul => /andP[].
Qed.

(** Its i-eigenvectors. *)
Definition eigenvectors : 'M[C]_(p, p + p + r) := row_mx (row_mx 1%:M ('i)%:M) 0.

Lemma eigenvectors_turn : eigenvectors *m turns = ('i * c) *: eigenvectors.
Proof.
rewrite /eigenvectors /turns !mul_row_block !(mulmx0, mul0mx, addr0, add0r) mul1mx -scalar_mxM.
rewrite !scale_row_mx scaler0 !scale_scalar_mx mulr1; congr (row_mx (row_mx _ _) _).
by rewrite mulrAC -expr2 sqrCi mulN1r raddfN.
Qed.

Lemma eigenvectors_free : row_free eigenvectors.
Proof.
apply/row_freeP; exists (col_mx (col_mx 1%:M 0) 0).
by rewrite /eigenvectors !mul_row_col mulmx0 mul0mx !addr0 mulmx1.
Qed.

(** A real beta never makes a (2 - beta) = 1 for their number a of the pencil. *)
Lemma not_real_number (t : C) : t \is Num.real -> (1 - 'i * c) / (1 - c ^+ 2) * t != 1.
Proof.
have /andP[c0 c1] := c01; have q0 : 0 < 1 - c ^+ 2 by rewrite subr_gt0 exprn_ilt1 // ltW.
move=> tR; apply/eqP=> e; have cR : c \is Num.real by rewrite ger0_real // ltW.
have {}e : 'i * (c * t) = t - (1 - c ^+ 2).
  by move: e; rewrite mulrAC => /(canRL (mulfVK (lt0r_neq0 q0))); rewrite mul1r mulrBl mul1r mulrA => <-;
    rewrite opprB addrC subrK.
have im : 'i * (c * t) \is Num.real by rewrite e realB // ger0_real // ltW.
have zero : c * t = 0.
  have := CrealP im; rewrite rmorphM /= conjCi (CrealP (realM cR tR)) mulNr => /eqP.
  rewrite eq_sym -subr_eq0 opprK -mulr2n mulrn_eq0 /= mulf_eq0 (negbTE (neq0Ci C)) /= => /eqP.
  by [].
move: e; rewrite zero mulr0; have /eqP := zero; rewrite mulf_eq0 gt_eqF //= => /eqP ->.
by rewrite sub0r => /eqP; rewrite eq_sym oppr_eq0 gt_eqF.
Qed.

(** n + p factors, n = 2 p + r; that is floor(3n/2) for r = 0 or 1. *)
Theorem quarter_turns_need (s : seq ('cV[C]_(p + p + r) * C)) :
  (forall vc, vc \in s -> beta vc \is Num.real) -> gh_product s = turns -> (p + p + r + p <= size s)%N.
Proof.
move=> real_s e; apply: (@pencil_eigenvalue _ _ s ((1 - 'i * c) / (1 - c ^+ 2)) p eigenvectors); rewrite ?e.
- by apply/allP=> vc /real_s bR; rewrite not_real_number // realB // realn.
- exact: turns_unit.
- exact: eigenvectors_free.
have q0 : 1 - c ^+ 2 != 0 by case/andP: c01 => c0 c1; rewrite subr_eq0 eq_sym lt_eqF // exprn_ilt1 // ltW.
rewrite turns_gram -[1%:M in X in _ *: X]/(1%:M) -raddfB /= scale_scalar_mx divfK // mulmxBr mulmxBr mulmx1
  eigenvectors_turn.
by rewrite mul_mx_scalar scalerBl scale1r subrr.
Qed.

End QuarterTurns.

(** ** Eigenvalues in (-1, 1]: orthogonal products are trivial *)

Section Orthogonal.

Variables (F : realFieldType) (n : nat).
Implicit Types (s : seq ('cV[F]_n * F)).

(** |det N| is the product of the |1 - beta|. *)
Lemma det_abs s : `|\det (gh_product s)| = \prod_(vc <- s) `|1 - beta vc|.
Proof. by rewrite det_gh_product normr_prod. Qed.

(** Numbers in [0, 1] multiply to 1 only if all are 1. *)
Lemma product_one (T : Type) (f : T -> F) (r : seq T) :
  all (fun x => 0 <= f x <= 1) r -> \prod_(x <- r) f x = 1 -> all (fun x => f x == 1) r.
Proof.
have small r' : all (fun x => 0 <= f x <= 1) r' -> 0 <= \prod_(x <- r') f x <= 1.
  elim: r' => [|x r' IH] /=; first by rewrite big_nil ler01 lexx.
  by case/andP=> /andP[x0 x1] /IH /andP[p0 p1]; rewrite big_cons mulr_ge0 // mulr_ile1.
elim: r => //= x r IH /andP[/andP[x0 x1] fr]; rewrite big_cons => one; have /andP[p0 p1] := small r fr.
have fx : f x = 1 by apply/eqP; rewrite eq_le x1 -one ler_pimulr.
by rewrite fx eqxx /=; apply: IH => //; move: one; rewrite fx mul1r.
Qed.

(** Proposition 1.3: with every 1 - beta in (-1, 1] an orthogonal product has all beta = 0, and is the identity. *)
Theorem orthogonal_products_are_trivial s :
  all (fun vc => -1 < 1 - beta vc <= 1) s -> orthogonal (gh_product s) ->
  all (fun vc => beta vc == 0) s /\ gh_product s = 1%:M.
Proof.
move=> spec /eqP orth.
have dets : \prod_(vc <- s) (1 - beta vc) ^+ 2 = 1.
  by rewrite prodrXl -det_gh_product expr2 -{2}det_tr -det_mulmx orth det1.
have betas : all (fun vc => beta vc == 0) s.
  have /(product_one (f := fun vc => (1 - beta vc) ^+ 2))/(_ dets)/allP ones :
    all (fun vc => 0 <= (1 - beta vc) ^+ 2 <= 1) s.
    apply/allP=> vc /(allP spec) /andP[lo hi]; rewrite sqr_ge0 /= -real_normK ?num_real // expr_le1 // ler_norml hi
      andbT.
    exact: ltW.
  apply/allP=> vc vcs; have := ones _ vcs; have /andP[lo _] := allP spec _ vcs.
  rewrite sqrf_eq1 => /orP[/eqP e|/eqP e]; last by rewrite e ltxx in lo.
  by rewrite -[beta vc]opprK -[- beta vc](addKr 1) e addNr oppr0.
split=> //; elim: s betas {spec orth dets} => //= -[v c] s IH /andP[b0 /IH ->]; rewrite mulmx1.
have : c * dot v^T v^T == 0 by rewrite /dot trmxK.
rewrite mulf_eq0 dot_eq0 => /orP[/eqP -> | /eqP vT]; first by rewrite /gh scale0r subr0.
by rewrite /gh vT mulmx0 scaler0 subr0.
Qed.

End Orthogonal.

(** Proposition 1.1: products with every 1 - beta in [-1, 1] lengthen no vector. *)
Theorem gh_product_contracts (F : realFieldType) n (s : seq ('cV[F]_n * F)) (x : 'rV[F]_n) :
  all (fun vc => -1 <= 1 - beta vc <= 1) s -> dot (x *m gh_product s) (x *m gh_product s) <= dot x x.
Proof.
move=> /allP s1; apply: contracting_bound; apply/allP=> -[v c] /s1 /=.
by rewrite unit_intervalE /beta /dot trmxK.
Qed.

(** App. C.5: the zero matrix is the product of the n projections I - e_i e_i^T. *)
Theorem zero_is_n_factors (F : fieldType) n :
  gh_product [seq (delta_mx i 0 : 'cV[F]_n, 1) | i <- enum 'I_n] = 0.
Proof.
have -> : [seq (delta_mx i 0 : 'cV[F]_n, 1) | i <- enum 'I_n]
    = [seq (delta_mx i 0, 1 - (0 : 'rV[F]_n) 0 i) | i <- enum 'I_n] by apply: eq_map => i; rewrite mxE subr0.
by rewrite gh_product_of_coordinates; apply/matrixP=> i j; rewrite !mxE mul0rn.
Qed.

(** ** Two factors with eigenvalues in [0, 1]: all eigenvalues of their product are in [0, 1], complex ones included *)

Section TwoFactors.

Variables (C : numClosedFieldType) (n : nat).
Implicit Types (x y : 'rV[C]_n) (v : 'cV[C]_n) (c : C).

Definition adjoint x : 'cV[C]_n := (map_mx conjC x)^T.

Definition norm2 x : C := (x *m adjoint x) 0 0.

Lemma norm2_sum x : norm2 x = \sum_i `|x 0 i| ^+ 2.
Proof. by rewrite /norm2 mxE; apply: eq_bigr => i _; rewrite !mxE normCK. Qed.

Lemma norm2_ge0 x : 0 <= norm2 x.
Proof. by rewrite norm2_sum sumr_ge0 // => i _; rewrite exprn_ge0. Qed.

Lemma norm2_gt0 x : x != 0 -> 0 < norm2 x.
Proof.
move=> x0; rewrite lt_neqAle norm2_ge0 andbT eq_sym; apply: contra x0; rewrite norm2_sum.
rewrite psumr_eq0 => [/allP z|i _]; last by rewrite exprn_ge0.
apply/eqP/rowP=> i; rewrite mxE; apply/eqP; have := z i (mem_index_enum _).
by rewrite /= expf_eq0 /= normr_eq0.
Qed.

(** A real symmetric matrix moves from one side to the other. *)
Lemma norm2_sym (G : 'M[C]_n) x : G^T = G -> map_mx conjC G = G -> norm2 (x *m G) = (x *m (G *m G) *m adjoint x) 0 0.
Proof. by move=> GT GR; rewrite /norm2 /adjoint map_mxM GR trmx_mul GT !mulmxA. Qed.

Definition real_factor v c := map_mx conjC v = v /\ c \is Num.real.

Lemma gh_real v c : real_factor v c -> map_mx conjC (gh v c) = gh v c.
Proof. by case=> vR cR; rewrite /gh map_mxB map_mx1 map_mxZ map_mxM -map_trmx vR /= (CrealP cR). Qed.

Lemma norm2_gh v c x : real_factor v c -> 0 <= c * (2%:R - beta (v, c)) -> norm2 (x *m gh v c) <= norm2 x.
Proof.
move=> real_vc pos; rewrite (norm2_sym _ (ghT v c) (gh_real real_vc)).
have -> : gh v c *m gh v c = 1%:M - (c * (2%:R - beta (v, c))) *: (v *m v^T) by rewrite -gh_square subKr.
rewrite mulmxBr mulmx1 mulmxBl mxE -/(norm2 x) ger_addl mxE oppr_le0 -scalemxAr -scalemxAl mxE mulr_ge0 //.
have -> : x *m (v *m v^T) *m adjoint x = (x *m v) *m (map_mx conjC (x *m v))^T.
  by rewrite map_mxM (proj1 real_vc) trmx_mul /adjoint !mulmxA.
by rewrite mxE big_ord1 [X in _ * X]mxE [X in _ * X]mxE -normCK exprn_ge0.
Qed.

(** A factor with beta in [0, 1] is the square of one with beta in [0, 1]. *)
Lemma gh_root v c : real_factor v c -> 0 <= beta (v, c) <= 1 ->
  exists c', [/\ real_factor v c', 0 <= c' * (2%:R - beta (v, c')) & gh v c = gh v c' *m gh v c'].
Proof.
move=> [vR cR] /andP[b0 b1]; pose b := (v^T *m v) 0 0.
have [v0|v0] := eqVneq v 0.
  exists 0; rewrite mul0r; split=> //; first by split=> //; apply: real0.
  by rewrite v0 /gh mul0mx !scaler0 subr0 mulmx1.
have bE : b = norm2 v^T by rewrite /norm2 /adjoint /b map_trmx trmxK vR.
have bpos : 0 < b by rewrite bE norm2_gt0 // trmx_eq0.
have b_neq0 := lt0r_neq0 bpos.
pose g := sqrtC (1 - beta (v, c)).
have g0 : 0 <= g by rewrite sqrtC_ge0 subr_ge0.
have g1 : g <= 1 by rewrite -(expr_le1 (n := 2)) // sqrtCK ger_addl oppr_le0.
have betaE' : beta (v, (1 - g) / b) = 1 - g by rewrite /beta /= -/b divfK.
have cE : (1 - g) / b * (2%:R - (1 - g)) = c.
  have -> : (1 - g) / b * (2%:R - (1 - g)) = (1 - g ^+ 2) / b by rewrite mulrAC; congr (_ / _); ring.
  by rewrite sqrtCK opprB addrC subrK /beta /= -/b mulfK.
exists ((1 - g) / b); split.
- by split=> //; rewrite ger0_real // divr_ge0 ?subr_ge0 // ltW.
- by rewrite betaE' cE -(pmulr_lge0 _ bpos).
by rewrite -[RHS](subKr 1%:M) gh_square betaE' cE.
Qed.

(** Proposition 1.3 for k = 2: y G H H G = lambda y, so lambda is a quotient of squared lengths. *)
Theorem two_factors v c w d x (lambda : C) :
  real_factor v c -> real_factor w d -> 0 <= beta (v, c) <= 1 -> 0 <= beta (w, d) <= 1 ->
  x != 0 -> x *m (gh v c *m gh w d) = lambda *: x -> 0 <= lambda <= 1.
Proof.
move=> rv rw bv bw x0; have [c' [rc' pc' ->]] := gh_root rv bv; have [d' [rd' pd' ->]] := gh_root rw bw.
set G := gh v c'; set H := gh w d' => eig; pose y := x *m G.
have yE : y *m G *m (H *m H) = lambda *: x by rewrite -eig /y !mulmxA.
have [y0|y0] := eqVneq y 0.
  by move: yE; rewrite y0 !mul0mx => /esym/eqP; rewrite scaler_eq0 (negbTE x0) orbF => /eqP ->; rewrite lexx ler01.
have key : norm2 (y *m G *m H) = lambda * norm2 y.
  rewrite (norm2_sym _ (ghT w d') (gh_real rd')) yE -scalemxAl mxE; congr (_ * _).
  by rewrite /adjoint /norm2 map_mxM (gh_real rc') trmx_mul ghT /y mulmxA.
have ypos := norm2_gt0 y0.
rewrite -(pmulr_lge0 _ ypos) -key norm2_ge0 /= -(ler_pmul2r ypos) -key mul1r.
by apply: le_trans (norm2_gh _ rd' pd') _; apply: norm2_gh.
Qed.

End TwoFactors.

(** ** Proposition 1.3: with every 1 - beta in (-1, 1], an eigenvalue of a product, complex or not, is 1 or less than
    1 in modulus *)

Section Eigenvalues.

Variables (C : numClosedFieldType) (n : nat).
Implicit Types (x : 'rV[C]_n) (s : seq ('cV[C]_n * C)).

Definition short (vc : 'cV[C]_n * C) := real_factor vc.1 vc.2 /\ 0 <= beta vc < 2%:R.

(** A factor that keeps a vector's length keeps the vector. *)
Lemma kept_length vc x : short vc -> norm2 (x *m gh vc.1 vc.2) <= norm2 x ?= iff (x *m gh vc.1 vc.2 == x).
Proof.
case: vc => v c [rvc /andP[b0 b2]]; rewrite /=.
have drop : norm2 (x *m gh v c) = norm2 x - c * (2%:R - beta (v, c)) * `|(x *m v) 0 0| ^+ 2.
  rewrite (norm2_sym _ (ghT v c) (gh_real rvc)).
  have -> : gh v c *m gh v c = 1%:M - (c * (2%:R - beta (v, c))) *: (v *m v^T) by rewrite -gh_square subKr.
  rewrite mulmxBr mulmx1 mulmxBl mxE -/(norm2 x) mxE -scalemxAr -scalemxAl mxE; congr (_ - _ * _).
  have -> : x *m (v *m v^T) *m adjoint x = (x *m v) *m (map_mx conjC (x *m v))^T.
    by rewrite map_mxM (proj1 rvc) trmx_mul /adjoint !mulmxA.
  by rewrite mxE big_ord1 [X in _ * X]mxE [X in _ * X]mxE -normCK.
have [v0|v0] := eqVneq v 0.
  by rewrite v0 /gh mul0mx scaler0 subr0 mulmx1 eqxx; apply/leifP.
have bE : (v^T *m v) 0 0 = norm2 v^T by rewrite /norm2 /adjoint map_trmx trmxK (proj1 rvc).
have bpos : 0 < (v^T *m v) 0 0 by rewrite bE norm2_gt0 // trmx_eq0.
have c0 : 0 <= c by rewrite -(pmulr_lge0 _ bpos).
have [->|cn0] := eqVneq c 0; first by rewrite /gh scale0r subr0 mulmx1 eqxx; apply/leifP.
have q0 : 0 < c * (2%:R - beta (v, c)) by rewrite mulr_gt0 ?subr_gt0 // lt_neqAle eq_sym cn0.
split; first by rewrite drop ger_addl oppr_le0 mulr_ge0 ?exprn_ge0 // ltW.
apply/eqP/eqP=> [|-> //]; rewrite drop => /eqP; rewrite -subr_eq0 addrAC subrr add0r oppr_eq0.
rewrite mulf_eq0 (gt_eqF q0) expf_eq0 normr_eq0 /= => /eqP z0.
by rewrite /gh mulmxBr mulmx1 -scalemxAr mulmxA [x *m v]mx11_scalar z0 mul_scalar_mx scale0r scaler0 subr0.
Qed.

Lemma short_product s x : (forall vc, vc \in s -> short vc) ->
  norm2 (x *m gh_product s) <= norm2 x ?= iff (x *m gh_product s == x).
Proof.
elim: s x => [|vc s IH] x sh /=; first by rewrite mulmx1 eqxx; apply/leifP.
have h1 := kept_length x (sh vc (mem_head _ _)).
have sh' a : a \in s -> short a by move=> sa; apply: sh; rewrite inE sa orbT.
have h2 := IH (x *m gh vc.1 vc.2) sh'.
rewrite mulmxA; have [le eq] := leif_trans h2 h1; split=> //; rewrite eq.
apply/andP/eqP=> [[/eqP -> /eqP ->] //|e].
have /eqP : norm2 (x *m gh vc.1 vc.2 *m gh_product s) = norm2 x by rewrite e.
by rewrite eq => /andP.
Qed.

Theorem product_eigenvalues s x (lambda : C) :
  (forall vc, vc \in s -> short vc) -> x != 0 -> x *m gh_product s = lambda *: x -> lambda = 1 \/ `|lambda| < 1.
Proof.
move=> sh x0 eig; have := short_product x sh; rewrite eig.
have -> : norm2 (lambda *: x) = `|lambda| ^+ 2 * norm2 x.
  by rewrite !norm2_sum mulr_sumr; apply: eq_bigr => i _; rewrite mxE normrM exprMn.
have pos := norm2_gt0 x0; case; rewrite -[X in _ <= X]mul1r ler_pmul2r // expr_le1 // => le.
rewrite -[X in _ == X]mul1r (inj_eq (mulIf (lt0r_neq0 pos))) => eq.
move: le; rewrite le_eqVlt => /orP[/eqP one|]; last by right.
left; move: eq; rewrite one expr1n eqxx -{2}[x]scale1r -subr_eq0 -scalerBl scaler_eq0 (negbTE x0) orbF subr_eq0.
by move=> /esym/eqP.
Qed.

End Eigenvalues.

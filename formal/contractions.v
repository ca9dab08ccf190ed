(** * Contractions are products of 2n - 1 GH matrices

    grazzi25, Proposition 1.2, last part. Size by size: an eigenvector u of M M^T, a reflection that turns its image
    back to its line, and one factor for its length. No polar form is needed.

    - [contracts M]: no row gets longer.

    The classes of products are those of classes.v. *)

From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From mathcomp.real_closed Require Import complex.
From mathcomp.algebra_tactics Require Import ring.
From lemmata Require Import householder classes.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.Theory.
Local Open Scope ring_scope.

Section Contractions.

Variable R : rcfType.

Definition contracts n (M : 'M[R]_n) : Prop := forall x : 'rV[R]_n, dot (x *m M) (x *m M) <= dot x x.

(** ** A real symmetric matrix has a real eigenvector *)

Lemma eigenvector n (S : 'M[R]_n.+1) : S^T = S -> exists u a, dot u u = 1 /\ u *m S = a *: u.
Proof.
move=> sym; pose SC : 'M[R[i]]_n.+1 := map_mx (fun x => x%:C%C) S.
have [l] : exists l, root (char_poly SC) l by apply/closed_rootP; rewrite size_char_poly.
rewrite -eigenvalue_root_char => /eigenvalueP[v vS v0].
pose p : 'rV[R]_n.+1 := map_mx (@complex.Re R) v; pose q : 'rV[R]_n.+1 := map_mx (@complex.Im R) v.
pose a := complex.Re l; pose b := complex.Im l.
have pS : p *m S = a *: p - b *: q.
  apply/rowP=> j; have /(congr1 (@complex.Re R)) := congr1 (fun A : 'rV_n.+1 => A 0 j) vS; rewrite !mxE.
  rewrite (big_morph (@complex.Re R) (id1 := 0) (op1 := +%R)) => // [|[? ?] [? ?] //].
  rewrite /a /b; case: (l) (v 0 j) => ? ? [? ?] /= <-; apply: eq_bigr => k _.
  by rewrite !mxE; case: (v 0 k) => ? ? /=; rewrite mulr0 subr0.
have qS : q *m S = a *: q + b *: p.
  apply/rowP=> j; have /(congr1 (@complex.Im R)) := congr1 (fun A : 'rV_n.+1 => A 0 j) vS; rewrite !mxE.
  rewrite (big_morph (@complex.Im R) (id1 := 0) (op1 := +%R)) => // [|[? ?] [? ?] //].
  rewrite /a /b; case: (l) (v 0 j) => ? ? [? ?] /= <-; apply: eq_bigr => k _.
  by rewrite !mxE; case: (v 0 k) => ? ? /=; rewrite mulr0 add0r.
have dotZl c (x y : 'rV[R]_n.+1) : dot (c *: x) y = c * dot x y by rewrite /dot -scalemxAl mxE.
have dotDl (x y z : 'rV[R]_n.+1) : dot (x + y) z = dot x z + dot y z by rewrite /dot mulmxDl mxE.
have swap (x y : 'rV[R]_n.+1) : dot (x *m S) y = dot (y *m S) x.
  by rewrite dotC /dot trmx_mul sym mulmxA.
have b0 : b * (dot p p + dot q q) = 0.
  have := swap p q; rewrite pS qS dotBl dotDl !dotZl [dot q p]dotC => /eqP.
  by rewrite -subr_eq0 => /eqP e; apply: oppr_inj; rewrite oppr0 -e; ring.
have nonzero : dot p p + dot q q != 0.
  apply: contra v0; rewrite paddr_eq0 ?dot_ge0 // !dot_eq0 => /andP[/eqP p0 /eqP q0].
  apply/eqP/rowP=> j; have := congr1 (fun A : 'rV_n.+1 => A 0 j) p0; have := congr1 (fun A : 'rV_n.+1 => A 0 j) q0.
  by rewrite !mxE; case: (v 0 j) => ? ? /= -> ->.
move: b0 => /eqP; rewrite mulf_eq0 (negPf nonzero) orbF => /eqP b0.
rewrite b0 scale0r subr0 in pS; rewrite b0 scale0r addr0 in qS.
have normed (x : 'rV[R]_n.+1) : x != 0 -> x *m S = a *: x -> exists u c, dot u u = 1 /\ u *m S = c *: u.
  move=> x0 xS; exists ((Num.sqrt (dot x x))^-1 *: x), a; split; last by rewrite -scalemxAl xS !scalerA mulrC.
  rewrite dotZl dotC dotZl mulrA -expr2 exprVn sqr_sqrtr ?dot_ge0 // mulVf // dot_eq0.
  by [].
have [p0|p0] := eqVneq p 0; last exact: normed pS.
have [q0|q0] := eqVneq q 0; last exact: normed qS.
by case/eqP: nonzero; rewrite p0 q0 /dot mul0mx !mxE addr0.
Qed.

(** ** One size less *)

Definition first n : 'rV[R]_(1 + n) := row_mx 1%:M 0.

Lemma dot_first n : dot (first n) (first n) = 1.
Proof. by rewrite /dot /first tr_row_mx mul_row_col mul0mx addr0 trmx1 mulmx1 mxE. Qed.

(** An orthogonal matrix whose first row is u. *)
Lemma first_row n (u : 'rV[R]_(1 + n)) : dot u u = 1 -> exists2 Q : 'M[R]_(1 + n), orthogonal Q & first n *m Q = u.
Proof.
move=> u1; have [<-|ne] := eqVneq (first n) u; first by exists 1%:M; rewrite ?mulmx1 // /orthogonal trmx1 mulmx1.
exists (reflection (first n - u)); last by apply: reflection_exchanges; rewrite u1 dot_first.
by rewrite /orthogonal reflectionT reflectionK // subr_eq0.
Qed.

(** One factor along the first axis. *)
Lemma gh_first n b : gh (first n)^T b = block_mx (1 - b)%:M 0 0 1%:M.
Proof.
rewrite /gh /first trmxK tr_row_mx trmx1 trmx0 mul_col_row !mul0mx !mulmx0 mulmx1 scale_block_mx !scaler0.
rewrite (scalar_mx_block 1 n) opp_block_mx add_block_mx !oppr0 !addr0; congr block_mx.
by apply/matrixP=> i j; rewrite !ord1 !mxE eqxx; ring.
Qed.

Local Notation class k M := (gh_class k (@unit_interval R) M).

Lemma class_mul n j k (A B : 'M[R]_n.+1) : class j A -> class k B -> class (j + k) (A *m B).
Proof.
move=> [s [<- sE <-]] [r [<- rE <-]]; exists (s ++ r); rewrite size_cat map_cat gh_product_cat; split=> // v b.
by rewrite mem_cat => /orP[/sE|/rE].
Qed.

Lemma class_one n (u : 'rV[R]_n.+1) b : dot u u = 1 -> unit_interval (1 - b) -> class 1 (gh u^T b).
Proof.
move=> u1 b1; exists [:: (u, b)]; split=> //= [v c|]; last by rewrite mulmx1.
by rewrite inE => /eqP[-> ->].
Qed.

Lemma class_identity n : class 1 (1%:M : 'M[R]_n.+1).
Proof.
have -> : 1%:M = gh (delta_mx 0 0 : 'rV[R]_n.+1)^T 0 by rewrite /gh scale0r subr0.
apply: class_one; first by rewrite /dot trmx_delta mul_delta_mx mxE !eqxx.
by rewrite /unit_interval subr0 lexx andbT ler_oppl (le_trans _ ler01) // oppr_le0 ler01.
Qed.

Lemma trZ p q c (A : 'M[R]_(p, q)) : (c *: A)^T = c *: A^T.
Proof. by apply/matrixP=> i j; rewrite !mxE. Qed.

Lemma class_reflection n (v : 'rV[R]_n.+1) : v != 0 -> class 1 (reflection v).
Proof.
move=> v0; have pos : 0 < dot v v by rewrite lt_neqAle eq_sym dot_eq0 v0 dot_ge0.
have sq : Num.sqrt (dot v v) ^+ 2 = dot v v by rewrite sqr_sqrtr ?dot_ge0.
have s0 : Num.sqrt (dot v v) != 0 by rewrite gt_eqF // sqrtr_gt0.
have -> : reflection v = gh ((Num.sqrt (dot v v))^-1 *: v)^T 2%:R.
  rewrite /reflection /gh !trZ !trmxK -scalemxAl -scalemxAr !scalerA -[X in 2%:R / X]sq; congr (_ - _ *: _).
  by rewrite -mulrA -invfM -expr2.
apply: class_one; last first.
  rewrite /unit_interval mulr2n opprD addrA subrr add0r lexx.
  by rewrite ler_oppl (le_trans _ ler01) // oppr_le0 ler01.
by rewrite /dot trZ -scalemxAl -scalemxAr scalerA mxE -/(dot v v) -invfM -expr2 sq mulVf // gt_eqF.
Qed.

Lemma class_conjugate n k (Q A : 'M[R]_n.+1) : orthogonal Q -> class k A -> class k (Q^T *m A *m Q).
Proof.
move=> oQ [s [<- sE <-]]; have /eqP QQ := oQ; have QtQ : Q^T *m Q = 1%:M by apply: mulmx1C.
exists [seq (vb.1 *m Q, vb.2) | vb <- s]; split; first by rewrite size_map.
  by move=> v b /mapP[[w c] /sE[w1 c1] [-> ->]]; rewrite orthogonal_dot.
elim: s {sE} => [|[v b] s IH] /=; first by rewrite mulmx1.
have -> : gh (v *m Q)^T b = Q^T *m gh v^T b *m Q.
  by rewrite /gh !trmxK mulmxBr mulmxBl mulmx1 QtQ trmx_mul -scalemxAr -scalemxAl !mulmxA.
by rewrite IH !mulmxA; congr (_ *m _); rewrite -!mulmxA (mulmxA Q) QQ mul1mx.
Qed.

Lemma dot_row n (x w : 'rV[R]_n) : dot (row_mx (0 : 'rV_1) x) (row_mx 0 w) = dot x w.
Proof. by rewrite /dot tr_row_mx mul_row_col trmx0 mulmx0 add0r. Qed.

Definition beside n (A : 'M[R]_n) : 'M[R]_(1 + n) := block_mx 1%:M 0 0 A.

Lemma gh_row n (v : 'rV[R]_n) b : gh (row_mx (0 : 'rV_1) v)^T b = beside (gh v^T b).
Proof.
rewrite /gh tr_row_mx trmx0 trmxK tr_col_mx trmx0 trmxK mul_col_row !mul0mx mulmx0 scale_block_mx !scaler0.
by rewrite (scalar_mx_block 1 n) opp_block_mx add_block_mx !oppr0 !addr0.
Qed.

Lemma besideM n (A B : 'M[R]_n) : beside A *m beside B = beside (A *m B).
Proof. by rewrite /beside mulmx_block !mul1mx !mul0mx !mulmx0 !addr0 add0r. Qed.

Lemma class_block n k (A : 'M[R]_n.+1) : class k A -> class k (beside A).
Proof.
move=> [s [<- sE <-]]; exists [seq (row_mx (0 : 'rV_1) vb.1, vb.2) | vb <- s]; split; first by rewrite size_map.
  move=> v b /mapP[[w c] /sE[w1 c1] [-> ->]]; split=> //.
  by rewrite -w1; apply: dot_row.
elim: s {sE} => [|[v b] s IH] /=; first by rewrite /beside -scalar_mx_block.
by rewrite -besideM -gh_row -IH.
Qed.

(** ** Induction over the size *)

(** A unit vector that is turned into a multiple of itself, from both sides, after a reflection. *)
Lemma turned_back n (M : 'M[R]_n.+1) : contracts M -> exists (H : 'M[R]_n.+1) (u : 'rV[R]_n.+1) s,
  [/\ class 1 H, orthogonal H /\ H^T = H, dot u u = 1 /\ 0 <= s <= 1,
    u *m (M *m H) = s *: u & M *m H *m u^T = s *: u^T].
Proof.
move=> short; have sym : (M *m M^T)^T = M *m M^T by rewrite trmx_mul trmxK.
have [u [a [u1 uS]]] := eigenvector sym.
have aE : a = dot (u *m M) (u *m M).
  by rewrite /dot trmx_mul mulmxA -(mulmxA u) uS -scalemxAl mxE -/(dot u u) u1 mulr1.
have a0 : 0 <= a by rewrite aE dot_ge0.
have a1 : a <= 1 by rewrite aE -u1.
pose s := Num.sqrt a; have ss : s ^+ 2 = a by rewrite sqr_sqrtr.
have s01 : 0 <= s <= 1 by rewrite sqrtr_ge0 -(sqrtr1 R) ler_wsqrtr.
have [w [w1 uM Mw]] : exists w : 'rV[R]_n.+1, [/\ dot w w = 1, u *m M = s *: w & M *m w^T = s *: u^T].
  have [s0|s0] := eqVneq s 0; last first.
    exists (s^-1 *: (u *m M)); split; last 1 first.
    - rewrite trZ trmx_mul -scalemxAr mulmxA -[M *m M^T]trmxK trmx_mul trmxK -trmx_mul uS trZ scalerA -ss expr2.
      by rewrite mulKf.
    - by rewrite /dot trZ -scalemxAl -scalemxAr scalerA mxE -/(dot _ _) -aE -ss expr2 mulrACA mulVf // mulr1.
    by rewrite scalerA divff // scale1r.
  have uM : u *m M = 0 by apply/eqP; rewrite -dot_eq0 -aE -ss s0 expr0n.
  have u0 : u != 0 by rewrite -dot_eq0 u1 oner_eq0.
  have : \det M^T == 0 by rewrite det_tr; apply/det0P; exists u.
  case/det0P=> w w0 wM; have pos : 0 < dot w w by rewrite lt_neqAle eq_sym dot_eq0 w0 dot_ge0.
  exists ((Num.sqrt (dot w w))^-1 *: w); rewrite uM s0 !scale0r; split=> //.
    rewrite /dot trZ -scalemxAl -scalemxAr scalerA mxE -/(dot w w) -invfM -expr2 sqr_sqrtr ?dot_ge0 //.
    by rewrite mulVf // gt_eqF.
  by rewrite trZ -scalemxAr -[M]trmxK -trmx_mul wM trmx0 scaler0.
have [H [cH oH tH wH]] : exists H : 'M[R]_n.+1, [/\ class 1 H, orthogonal H, H^T = H & w *m H = u].
  have [<-|ne] := eqVneq w u.
    by exists 1%:M; rewrite mulmx1 trmx1 /orthogonal trmx1 mulmx1; split=> //; apply: class_identity.
  have d0 : w - u != 0 by rewrite subr_eq0.
  exists (reflection (w - u)); split; [exact: class_reflection | | exact: reflectionT |].
    by rewrite /orthogonal reflectionT reflectionK.
  by apply: reflection_exchanges; rewrite u1.
have uH : u *m H = w by move/eqP: oH; rewrite tH -wH -mulmxA => ->; rewrite mulmx1.
exists H, u, s; split=> //; first by rewrite mulmxA uM -scalemxAl wH.
by rewrite -mulmxA -[H *m _]trmxK trmx_mul trmxK tH uH.
Qed.

Lemma contraction_factors n (M : 'M[R]_n.+1) : contracts M -> class (2 * n).+1 M.
Proof.
elim: n M => [|n IH] M short.
  have -> : M = gh (1%:M : 'rV[R]_1)^T (1 - M 0 0).
    by apply/matrixP=> i j; rewrite !ord1 /gh trmxK trmx1 mulmx1 !mxE eqxx !mulr1n; ring.
  apply: class_one; first by rewrite /dot trmx1 mulmx1 mxE.
  have le := short 1%:M; rewrite mul1mx {2}/dot trmx1 mulmx1 [1%:M 0 0]mxE eqxx mulr1n in le.
  rewrite /unit_interval opprB addrC subrK -ler_norml.
  rewrite -(@ler_pexpn2r _ 2) ?nnegrE ?ler01 // expr1n real_normK ?num_real //.
  by rewrite expr2; apply: le_trans le; rewrite /dot mxE big_ord1 mxE.
have [H [u [s [cH [oH tH] [u1 s01] uN Nu]]]] := turned_back short; set N := M *m H in uN Nu.
have [Q oQ eQ] := @first_row n.+1 u u1; have /eqP QQ := oQ.
pose e := first n.+1; pose K : 'M[R]_(1 + n.+1) := Q *m N *m Q^T.
have eK : e *m K = s *: e by rewrite /K mulmxA [e *m (Q *m N)]mulmxA eQ uN -scalemxAl -eQ -mulmxA QQ mulmx1.
have Ke : K *m e^T = s *: e^T.
  rewrite /K -(mulmxA _ Q^T) -trmx_mul eQ -(mulmxA Q) Nu -scalemxAr; congr (_ *: _).
  by rewrite -eQ trmx_mul mulmxA QQ mul1mx.
have oQt : orthogonal Q^T by rewrite /orthogonal trmxK; apply/eqP; apply: mulmx1C.
have Kshort : contracts K.
  move=> x; rewrite /K /N !mulmxA orthogonal_dot // orthogonal_dot //.
  by apply: le_trans (short _) _; rewrite orthogonal_dot.
have e1 : dot e e = 1 by apply: dot_first.
pose K2 := drsubmx K; have Kblock : K = block_mx s%:M 0 0 K2.
  move: eK Ke; rewrite /K2 -{1 2 3}[K]submxK /e /first tr_row_mx trmx1 trmx0 mul_row_block mul_block_col.
  rewrite !mul0mx !mulmx0 !mul1mx !mulmx1 !addr0 scale_row_mx scale_col_mx !scaler0 !scalemx1.
  by move=> /eq_row_mx[-> ->] /eq_col_mx[_ ->].
have KE : K = gh e^T (1 - s) *m beside K2.
  rewrite /e gh_first opprB addrC subrK Kblock.
  by rewrite /beside mulmx_block !mulmx1 !mul1mx !mul0mx !mulmx0 !addr0 !add0r.
have K2short : contracts K2.
  move=> x; have := Kshort (row_mx 0 x); rewrite Kblock mul_row_block !mul0mx mulmx0 !add0r.
  by move=> le; rewrite -(dot_row x x) -(dot_row (x *m K2)).
have cK : class (1 + (2 * n).+1) K.
  rewrite KE; apply: class_mul; last by apply: class_block; apply: IH.
  apply: class_one => //; rewrite /unit_interval opprB addrC subrK; case/andP: s01 => s0 ->.
  by rewrite andbT (le_trans _ s0) // oppr_le0 ler01.
have -> : M = Q^T *m K *m Q *m H.
  have /eqP HH := oH; rewrite tH in HH; have QtQ : Q^T *m Q = 1%:M by apply: mulmx1C.
  by rewrite /K !mulmxA QtQ mul1mx -(mulmxA N) QtQ mulmx1 /N -mulmxA HH mulmx1.
rewrite (_ : (2 * n.+1).+1 = 1 + (2 * n).+1 + 1)%N; last by lia.
by apply: class_mul cH; apply: class_conjugate.
Qed.

(** Proposition 1.2: 2n - 1 factors, so 3n. *)
Theorem contractions_are_products n (M : 'M[R]_n.+1) : contracts M ->
  class (3 * n.+1) M /\ class (2 * n.+1 - 1) M.
Proof.
move=> short; have fewer := contraction_factors short.
rewrite (_ : 2 * n.+1 - 1 = (2 * n).+1)%N; last by lia.
split=> //; apply: gh_class_grow fewer => //; right; split; first by lia.
by rewrite /unit_interval lexx andbT (le_trans _ ler01) // oppr_le0 ler01.
Qed.

End Contractions.

(** 2n - 2 are too few: at n = 1 there is none, and 0 is a contraction. *)
Theorem not_contractions_are_fewer (R : rcfType) :
  ~ (forall n (M : 'M[R]_n.+1), contracts M -> gh_class (2 * n.+1 - 2) (@unit_interval R) M).
Proof.
move/(_ 0%N 0) => bad; have [|s [size_s _ sM]] := bad.
  by move=> x; rewrite mulmx0 [X in X <= _]/dot mul0mx mxE dot_ge0.
by move: sM; rewrite (size0nil size_s) /= => /matrixP/(_ 0 0); rewrite !mxE => /eqP; rewrite oner_eq0.
Qed.

(** * Memory of diagonal recurrences: what the state after k inputs determines

    orvieto24, Sec. 3.1: the state of x_t = Lambda x_(t-1) + 1 v_t after k inputs is V_k v, the Vandermonde matrix of
    the nodes with the newest input at power 0. Inputs are polynomials, v = sum v_j X^j with j steps of age, so V_k v is
    evaluation at the nodes.

    - [distinct node]: the nodes, each once;
    - [Lambda node], [diagonal_step node]: the diagonal matrix of the nodes; the step x -> Lambda x + 1 v;
    - [states node word]: the state after a word, oldest first;
    - [vandermonde_matrix L node]: V_L, with a row for each node. *)

From mathcomp Require Import all_ssreflect all_algebra.
From lemmata Require Import models.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section Memory.

Variables (F : fieldType) (N : nat) (node : 'I_N -> F).

(** The nodes, each once. *)
Definition distinct : seq F := undup (codom node).

Definition Lambda : 'M[F]_N := diag_mx (\row_i node i).

(** The recurrence itself, fed with a word, oldest letter first. *)
Definition diagonal_step : 'cV[F]_N -> F -> 'cV[F]_N := step (fun=> Lambda) const_mx.

Lemma diagonal_stepE x v i : diagonal_step x v i 0 = node i * x i 0 + v.
Proof. by rewrite mxE mul_diag_mx !mxE. Qed.

Definition states (word : seq F) (i : 'I_N) : F := state diagonal_step 0 word i 0.

(** The state is the value of the input's polynomial, newest letter first, at the nodes. *)
Lemma statesE word i : states word i = (Poly (rev word)).[node i].
Proof.
rewrite /states -(revK word); move: (rev word) => w; rewrite revK.
elim: w => [|v w IH] /=; first by rewrite horner0 mxE.
by rewrite rev_cons state_rcons diagonal_stepE IH horner_cons mulrC.
Qed.

(** Proposition 1, as it is meant: inputs of length k can be told apart if at least k nodes differ ... *)
Lemma enough_nodes_remember (w w' : seq F) :
  size w = size w' -> (size w <= size distinct)%N -> states w =1 states w' -> w = w'.
Proof.
move=> ww' enough same; apply: (can_inj revK); apply: (@eq_from_nth _ 0); first by rewrite !size_rev.
pose P := Poly (rev w) - Poly (rev w').
have P0 : P = 0.
  apply: (@roots_geq_poly_eq0 _ P (distinct)).
  - apply/allP=> x; rewrite mem_undup => /codomP[i ->].
    by rewrite /root hornerD hornerN -!statesE same subrr.
  - exact: undup_uniq.
  apply: leq_trans enough.
  apply: leq_trans (size_add _ _) _; rewrite size_opp geq_max.
  by rewrite !(leq_trans (size_Poly _)) ?size_rev // ww'.
move=> i _; move/polyP: P0 => /(_ i); rewrite coefD coefN !coef_Poly coef0 => /eqP.
by rewrite subr_eq0 => /eqP.
Qed.

(** ... and only then: with fewer than k there is an input of length k, not zero, that leaves the state 0. *)
Lemma few_nodes_forget k :
  (size distinct < k)%N ->
  exists w : seq F, [/\ size w = k, w != nseq k 0 & states w =1 states (nseq k 0)].
Proof.
move=> few; pose P := \prod_(x <- distinct) ('X - x%:P).
have sP : (size P <= k)%N by rewrite size_prod_XsubC.
exists (rev (mkseq (nth 0 P) k)); split; first by rewrite size_rev size_mkseq.
  apply/eqP=> /(congr1 rev); rewrite revK rev_nseq => /(congr1 (fun s => nth 0 s (size P).-1)).
  have P1 : P \is monic by apply: monic_prod_XsubC.
  have lt : ((size P).-1 < k)%N by rewrite prednK // size_poly_gt0 monic_neq0.
  rewrite nth_mkseq // nth_nseq lt -/(lead_coef P) (monicP P1) => /eqP.
  by rewrite oner_eq0.
move=> i; rewrite !statesE revK rev_nseq.
have -> : Poly (mkseq (nth 0 P) k) = P.
  apply/polyP=> j; rewrite coef_Poly; have [jk|kj] := ltnP j k; first by rewrite nth_mkseq.
  by rewrite nth_default ?size_mkseq // nth_default // (leq_trans sP).
have -> : Poly (nseq k 0) = 0 :> {poly F}.
  by apply/polyP=> j; rewrite coef_Poly nth_nseq coef0 if_same.
rewrite horner0; apply/eqP; rewrite -[_ == 0]/(root P (node i)) root_prod_XsubC mem_undup.
exact: codom_f.
Qed.

End Memory.

(** One left inverse serves every prefix: zeros in front are what was not there yet (orvieto24, Theorem 2). *)
Section OneDecoder.

Variables (F : fieldType) (N L : nat) (node : 'I_N -> F).

Definition vandermonde_matrix : 'M[F]_(N, L) := \matrix_(i, j) node i ^+ (L.-1 - j).

(** The state after a word of length L as a matrix times the word. *)
Lemma states_matrix (v : 'cV[F]_L) i :
  states node [seq v j 0 | j <- enum 'I_L] i = (vandermonde_matrix *m v) i 0.
Proof.
rewrite statesE (@horner_coef_wide _ L); last first.
  by apply: leq_trans (size_Poly _) _; rewrite size_rev size_map size_enum_ord.
rewrite mxE (reindex_inj rev_ord_inj) /=; apply: eq_bigr => j _; rewrite mxE coef_Poly mulrC.
have Lj : (L - j.+1 = L.-1 - j)%N by rewrite -subn1 subnAC subn1 subnS.
congr (_ ^+ _ * _) => //.
rewrite nth_rev size_map size_enum_ord; last by rewrite -subSn // subSS leq_subr.
rewrite (nth_map j); last by rewrite size_enum_ord ltn_subrL (leq_ltn_trans _ (ltn_ord j)).
congr (v _ _); apply: val_inj; rewrite /= nth_enum_ord; last by rewrite ltn_subrL (leq_ltn_trans _ (ltn_ord j)).
by rewrite -subSn // subSS subKn // ltnW.
Qed.

(** Theorem 2's decoder without a clock: a left inverse for length L, applied
    to the state of a shorter word, gives that word with zeros in front. *)
Theorem one_decoder_serves_every_prefix (Omega : 'M[F]_(L, N)) (w : seq F) (x : 'cV[F]_N) :
  Omega *m vandermonde_matrix = 1%:M -> (size w <= L)%N -> (forall i, x i 0 = states node w i) ->
  Omega *m x = \col_j nth 0 (nseq (L - size w) 0 ++ w) j.
Proof.
move=> left short xw; set v := \col_j _.
have -> : x = vandermonde_matrix *m v.
  apply/colP=> i; rewrite xw -states_matrix !statesE.
  have -> : [seq v j 0 | j <- enum 'I_L] = nseq (L - size w) 0 ++ w.
    have size_v : size (nseq (L - size w) 0 ++ w) = L by rewrite size_cat size_nseq subnK.
    apply: (@eq_from_nth _ 0); first by rewrite size_map size_enum_ord size_v.
    move=> j; rewrite size_map size_enum_ord => jL.
    by rewrite (nth_map (Ordinal jL)) ?size_enum_ord // mxE nth_enum_ord.
  rewrite rev_cat rev_nseq; congr (_.[_]); apply/polyP=> j.
  rewrite !coef_Poly nth_cat size_rev; case: ltnP => // wj.
  by rewrite nth_default ?size_rev // nth_nseq if_same.
by rewrite mulmxA left mul1mx.
Qed.

(** ... and a state that is read by a linear map needs at least as many units as there are dimensions in the inputs. *)
Lemma enough_units P (Psi : 'M[F]_(L, P)) (Omega : 'M[F]_(P, N)) :
  Omega *m (vandermonde_matrix *m Psi) = 1%:M -> (P <= N)%N.
Proof.
move=> left; rewrite -(mxrank1 F P) -left; apply: leq_trans (mxrankM_maxl _ _) _.
exact: rank_leq_col.
Qed.

End OneDecoder.

(** The zeros are in front: for one token and L = 2 it does not give the token, then 0. *)
Theorem not_one_decoder_gives_zeros_last : exists (node : 'I_2 -> rat) (Omega : 'M[rat]_2) (x : 'cV[rat]_2),
  [/\ Omega *m vandermonde_matrix 2 node = 1%:M, forall i, x i 0 = states node [:: 1] i &
      Omega *m x <> \col_j nth 0 ([:: 1] ++ nseq 1 0) j].
Proof.
pose node (i : 'I_2) : rat := (i : nat)%:R.
pose Omega : 'M[rat]_2 := \matrix_(i < 2, j < 2) nth 0 (nth [::] [:: [:: -1; 1]; [:: 1; 0]] i) j.
have left : Omega *m vandermonde_matrix 2 node = 1%:M.
  by apply/matrixP=> [[[|[|//]] ?] [[|[|//]] ?]]; rewrite !mxE !big_ord_recl big_ord0 !mxE.
exists node, Omega, (\col_i states node [:: 1] i); split=> // [i|]; first by rewrite mxE.
rewrite (one_decoder_serves_every_prefix left (w := [:: 1])) // => [|i]; last by rewrite mxE.
by move=> /colP/(_ 0); rewrite !mxE.
Qed.

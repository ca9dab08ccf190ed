(** * Almost all choices of numbers: all but the zeros of a polynomial of a stated degree

    - [polynomial n d f]: f is a polynomial of total degree at most d in n numbers, built from constants, numbers, sums
      and products;
    - [almost_all n d Q]: Q holds wherever a polynomial of degree at most d, which is not 0 everywhere, is not 0;
    - [infinite T]: no list holds all of T.

    Over the real or complex numbers the exceptions have measure 0. Over any field a grid with more than d numbers a
    side has a choice with Q ([good_on_grids]). *)

From mathcomp Require Import all_ssreflect all_fingroup all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section AlmostAll.

Variables (F : fieldType) (n : nat).

Inductive polynomial : nat -> (('I_n -> F) -> F) -> Prop :=
  | Constant c : polynomial 0 (fun=> c)
  | Number i : polynomial 1 (fun x => x i)
  | Sum d f g : polynomial d f -> polynomial d g -> polynomial d (fun x => f x + g x)
  | Product d e f g : polynomial d f -> polynomial e g -> polynomial (d + e) (fun x => f x * g x)
  | Weaken d e f g : (d <= e)%N -> f =1 g -> polynomial d f -> polynomial e g.

Definition almost_all d (Q : ('I_n -> F) -> Prop) : Prop :=
  exists f, [/\ polynomial d f, exists x, f x != 0 & forall x, f x != 0 -> Q x].

Lemma almost_all_weaken d e (Q Q' : ('I_n -> F) -> Prop) :
  (d <= e)%N -> (forall x, Q x -> Q' x) -> almost_all d Q -> almost_all e Q'.
Proof.
move=> de QQ' [f [fd some most]]; exists f; split=> [||x /most/QQ' //]; last exact: some.
exact: Weaken de (frefl f) fd.
Qed.

(** ** Sums, products, powers and determinants *)

Lemma polynomial_sum (I : Type) (r : seq I) d (f : I -> ('I_n -> F) -> F) :
  (forall i, polynomial d (f i)) -> polynomial d (fun x => \sum_(i <- r) f i x).
Proof.
move=> fd; elim: r => [|i r IH].
  by apply: Weaken (Constant 0) => // x; rewrite big_nil.
by apply: Weaken (Sum (fd i) IH) => // x; rewrite big_cons.
Qed.

Lemma polynomial_prod (I : Type) (r : seq I) (d : I -> nat) (f : I -> ('I_n -> F) -> F) :
  (forall i, polynomial (d i) (f i)) -> polynomial (\sum_(i <- r) d i) (fun x => \prod_(i <- r) f i x).
Proof.
move=> fd; elim: r => [|i r IH].
  by apply: Weaken (Constant 1) => // x; rewrite big_nil.
by apply: Weaken (Product (fd i) IH) => [|x]; rewrite big_cons.
Qed.

Lemma polynomial_power i d : polynomial d (fun x => x i ^+ d).
Proof.
elim: d => [|d IH]; first by apply: Weaken (Constant 1) => // x; rewrite expr0.
by apply: Weaken (Product (Number i) IH) => // x; rewrite exprS.
Qed.

Lemma polynomial_det m d (A : ('I_n -> F) -> 'M[F]_m) :
  (forall i j, polynomial d (fun x => A x i j)) -> polynomial (m * d) (fun x => \det (A x)).
Proof.
move=> Ad; apply: polynomial_sum => s.
have all_rows := polynomial_prod (index_enum _) (fun i => Ad i (s i)).
have signed := Product (Constant ((-1) ^+ s)) all_rows.
by apply: (Weaken _ (frefl _) signed); rewrite add0n sum_nat_const card_ord.
Qed.

(** ** A grid with more than d numbers a side has a place where a polynomial of degree d is not 0 *)

Definition with_number (x : 'I_n -> F) i c : 'I_n -> F := fun j => if j == i then c else x j.

Lemma same_numbers d f x y : polynomial d f -> x =1 y -> f x = f y.
Proof.
move=> fd xy; elim: fd => {d f} [c|i|d f g _ fx _ gx|d e f g _ fx _ gx|d e f g _ fg _ fx] //.
- by rewrite fx gx.
- by rewrite fx gx.
- by rewrite -!fg.
Qed.

Lemma one_number d f : polynomial d f ->
  forall x i, exists2 p : {poly F}, (size p <= d.+1)%N & forall c, f (with_number x i c) = p.[c].
Proof.
elim=> {d f} [c|j|d f g _ IHf _ IHg|d e f g _ IHf _ IHg|d e f g de fg _ IH] x i.
- by exists c%:P => [|a]; rewrite ?hornerC // size_polyC; case: (c != 0).
- rewrite /with_number; case: eqP => _; first by exists 'X => [|a]; rewrite ?hornerX // size_polyX.
  by exists (x j)%:P => [|a]; rewrite ?hornerC // size_polyC; case: (x j != 0).
- have [p ps fp] := IHf x i; have [q qs gq] := IHg x i; exists (p + q) => [|c]; last by rewrite fp gq hornerD.
  by rewrite (leq_trans (size_add p q)) // geq_max ps.
- have [p ps fp] := IHf x i; have [q qs gq] := IHg x i; exists (p * q) => [|c]; last by rewrite fp gq hornerM.
  apply: leq_trans (size_mul_leq p q) _; have := leq_add ps qs; rewrite addnS addSn => le.
  by case: (size p + size q)%N le.
- have [p ps fp] := IH x i; exists p => [|c]; last by rewrite -fg fp.
  exact: leq_trans ps _.
Qed.

Lemma move_number d f (S : seq F) x i : polynomial d f -> uniq S -> (d < size S)%N -> f x != 0 ->
  exists2 c, c \in S & f (with_number x i c) != 0.
Proof.
move=> fd uS dS fx; have [p ps fp] := one_number fd x i.
have fx' : f (with_number x i (x i)) = f x.
  by apply: (same_numbers fd) => j; rewrite /with_number; case: eqP => // ->.
have p0 : p != 0 by apply: contraNneq fx => p0; rewrite -fx' fp p0 horner0.
have /allPn[c cS pc] : ~~ all (root p) S.
  by apply/negP=> roots; have := max_poly_roots p0 roots uS; rewrite ltnNge (leq_trans ps).
by exists c => //; rewrite fp.
Qed.

Theorem good_on_grids d (Q : ('I_n -> F) -> Prop) (S : seq F) : almost_all d Q -> uniq S -> (d < size S)%N ->
  exists2 x, forall i, x i \in S & Q x.
Proof.
case=> f [fd [x0 fx0] most] uS dS.
have [x xS fx] : exists2 x, forall i, i \in enum 'I_n -> x i \in S & f x != 0.
  elim: (enum 'I_n) (enum_uniq 'I_n) => [|i r IH] /=; first by exists x0.
  case/andP=> ir /IH[x xS fx]; have [c cS fc] := move_number i fd uS dS fx.
  exists (with_number x i c) => // j; rewrite inE /with_number; case: eqP => //= _; exact: xS.
by exists x => [i|]; [apply: xS; rewrite mem_enum | apply: most].
Qed.

End AlmostAll.

(** ** Infinite fields *)

Definition infinite (T : eqType) := forall s : seq T, exists x, x \notin s.

Lemma infinite_uniq (T : eqType) n : infinite T -> exists2 s : seq T, uniq s & size s = n.
Proof.
move=> inf; elim: n => [|n [s us sn]]; first by exists [::].
by have [x xs] := inf s; exists (x :: s); rewrite /= ?xs ?sn.
Qed.

Lemma numbers_are_infinite (F : numFieldType) : infinite F.
Proof.
move=> s; pose rs := [seq i%:R : F | i <- iota 0 (size s).+1].
have /allPn[x _ xs] : ~~ all (mem s) rs; last by exists x.
have u : uniq rs by rewrite map_inj_uniq ?iota_uniq // => a b /eqP; rewrite eqr_nat => /eqP.
by apply/negP=> /allP sub; have := uniq_leq_size u sub; rewrite size_map size_iota ltnn.
Qed.

(** Sanity: that a number is not 0 is true for almost all, and that it is 0 is not. *)
Example almost_all_nonzero (F : fieldType) : almost_all (F := F) (n := 1) 1 (fun x => x ord0 != 0).
Proof. by exists (fun x => x ord0); split=> //; [exact: Number | exists (fun=> 1); exact: oner_neq0]. Qed.

Example not_almost_all_zero (F : numFieldType) d : ~ almost_all (F := F) (n := 1) d (fun x => x ord0 == 0).
Proof.
move=> most; pose S := [seq i.+1%:R : F | i <- iota 0 d.+1].
have uS : uniq S by rewrite map_inj_uniq ?iota_uniq // => a b /eqP; rewrite eqr_nat => /eqP[].
have [|x xS] := good_on_grids most uS; first by rewrite size_map size_iota.
by have /mapP[i _ ->] := xS ord0; rewrite pnatr_eq0.
Qed.

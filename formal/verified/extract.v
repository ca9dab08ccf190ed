(** The checker as an OCaml program: numbers of Coq become those of zarith, nothing else is replaced. *)

From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlZBigInt.
From lemmata Require Import checker.

Extraction Language OCaml.
Set Extraction Output Directory ".".
Extraction "checker.ml" check.

(** The checkers as an OCaml program: numbers of Coq become those of zarith, nothing else is replaced. *)

From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlZBigInt.
From lemmata Require Import checker stored_network stored.

Extraction Language OCaml.
Set Extraction Output Directory ".".
Extraction "checker.ml" check stored_surveys stored_is_right first_rounding layer_is_stored never_rounds binary64 binary32 binary16 bfloat16.

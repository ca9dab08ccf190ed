(** The checkers as an OCaml program: numbers of Coq become those of zarith, nothing else is replaced. *)

From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlZBigInt.
From lemmata Require Import checker stored_network stored sums chunk_sums orders.

Extraction Language OCaml.
Set Extraction Output Directory ".".
Extraction "checker.ml" check stored_surveys stored_is_right first_rounding layer_is_stored never_rounds any_order_is_right orders_surveys orders_maps orders_sets uncovered_letter uncovered_maps uncovered_chunk states_met binary64 binary32 binary16 bfloat16.

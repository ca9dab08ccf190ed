(* A file of stored numbers (docs/reference/formats.md) as the checker's data: [m, e] is m 2^e. *)

open Json
open Network_file

(* far beyond what binary64 has *)
let largest_exponent = 5000

let dyadic = function
  | List [ Int m; Int e ] when Z.numbits m <= 64 && Z.leq (Z.abs e) (Z.of_int largest_exponent) -> (m, e)
  | _ -> fail "expected a number m 2^e as [m, e], of at most 64 bits and with |e| <= %d" largest_exponent

let exponent = function Int e when Z.leq (Z.abs e) (Z.of_int largest_exponent) -> e | _ -> fail "expected an exponent e with |e| <= %d" largest_exponent

let entry = function Int m when Z.numbits m <= 2 * largest_exponent -> m | _ -> fail "expected an integer of a code"

let vector what l = List.map dyadic (items what l)

let vectors what l = List.map (vector what) (items what l)

let micro x =
  match fields "a micro-step" [ "key"; "strength"; "value" ] x with
  | [ key; strength; value ] -> { Checker.key_vector = vector "key" key; strength = dyadic strength; value = dyadic value }
  | _ -> assert false

let transition x =
  match fields "a map" [ "A"; "B"; "unit"; "codes"; "steps" ] x with
  | [ a; b; unit; codes; steps ] ->
    { Checker.weights = vectors "A" a; bias = vector "B" b; unit_exponent = exponent unit; codes = List.map (List.map entry) (List.map (items "a code") (items "codes" codes));
      micro_steps = (match steps with Null -> None | l -> Some (List.map micro (items "steps" l))) }
  | _ -> assert false

let followed = function Int n when Z.equal n Z.minus_one -> None | x -> Some (natural "what is handed on" x)

let layer x =
  match fields "a layer" [ "start"; "maps"; "letters"; "following" ] x with
  | [ start; maps; letters; following ] ->
    { Checker.first_state = vector "start" start;
      transitions = List.map transition (items "maps" maps);
      layer_letters = List.map letter (items "letters" letters);
      following = List.map (fun row -> List.map followed (items "following" row)) (items "following" following) }
  | _ -> assert false

(* the name of the data type, and the network *)
let network x =
  (match x with
   | Object o when List.assoc_opt "format" o = Some (Text "lemmata-stored") ->
     if List.assoc_opt "version" o <> Some (Int Z.one) then fail "is of another version than 1"
   | _ -> fail "is no file of stored numbers: lemmata compile --stored DTYPE writes one");
  match fields "the file" [ "format"; "version"; "dtype"; "letters"; "automaton"; "layers" ] x with
  | [ _; _; dtype; letters; machine; layers ] ->
    let k = names "letters" letters in
    (text "dtype" dtype,
     { Checker.input_letters = Z.of_int k; target = automaton machine; stored_layers = List.map layer (items "layers" layers) })
  | _ -> assert false

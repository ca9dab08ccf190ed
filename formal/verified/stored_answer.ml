(* The answer on stored numbers: "holds STATES WORDS" or "rejected WORDS". What is proved is [stored_is_right]; the words come from the search. *)

(* before Checker's Z hides zarith's *)
let n = Z.to_string
let natural = Z.of_int
let to_int = Z.to_int

open Checker

(* pairs of a place and a state of a layer *)
let most_places = 100_000

let formats = [ ("float32", binary32); ("float16", binary16); ("bfloat16", bfloat16) ]

type way = Ordered of path | Any of any_path

(* vectors at places of a layer *)
let most_vectors = 1_000

let paths chunk = [ ("loop", Ordered Loop); ("delta", Ordered Delta); ("fused", Any Fused); ("scan", Any Scan); ("chunk", Any (Chunk (natural chunk))) ]

(* maps of a layer whose compositions are listed *)
let most_maps = 400

let find what name among = match List.assoc_opt name among with Some x -> x | None -> Json.fail "expected a %s among %s, got %s" what (String.concat ", " (List.map fst among)) name

let operation = function
  | Product (i, c) -> Printf.sprintf "the product in row %s, column %s" (n i) (n c)
  | PartialSum (i, c) -> Printf.sprintf "the partial sum in row %s up to column %s" (n i) (n c)
  | LastSum i -> Printf.sprintf "the sum with B in row %s" (n i)
  | Difference j -> Printf.sprintf "the difference in micro-step %s" (n j)
  | Strength j -> Printf.sprintf "the product with beta in micro-step %s" (n j)
  | Change (j, i) -> Printf.sprintf "the product in micro-step %s, entry %s" (n j) (n i)
  | NewEntry (j, i) -> Printf.sprintf "the sum in micro-step %s, entry %s" (n j) (n i)

let tensor = function
  | ScaledKeys -> "beta K"
  | ScaledValues -> "beta V"
  | Gram -> "A = tril(beta K K^T, -1)"
  | Inverse -> "T = (I + A)^-1"
  | Blocks -> "A T, T A within T = (I + A)^-1"
  | FromStates -> "W = T beta K"
  | FromValues -> "U = T beta V"
  | NewValues -> "the new values U - W S"
  | Attention -> "tril(Q K^T)"
  | States -> "S + K^T (U - W S)"

let part dtype = function
  | Shape -> "a map has no micro-steps, or some of another width"
  | Orbit t -> Printf.sprintf "%s: the vectors that bound it do not close, or are too many" (tensor t)
  | Number t -> Printf.sprintf "%s: a number that %s lacks" (tensor t) dtype
  | SumOf t -> Printf.sprintf "%s: its terms may add up to more than 2^24 multiples" (tensor t)

let because = function
  | Rounds -> "is rounded"
  | Underflows -> "is finer than the least subnormal number"
  | Overflows -> "is infinite or not a number"

let rounding exact = function
  | None -> if exact then "no operation rounds" else "no operation that was met rounds"
  | Some (layer, ((state, map), (op, why))) ->
    Printf.sprintf "the first operation that rounds: layer %s, map %s, state %s: %s %s" (n layer) (n map) (n state) (operation op) (because why)

let in_chunks_of most = Printf.sprintf "in chunks of up to %s micro-step%s" (n most) (if n most = "1" then "" else "s")

let counts found = String.concat " + " (List.map (fun s -> n s.known_states) found)

let trouble found =
  let rec first i = function
    | [] -> "the search found no fault, but the check did"
    | s :: others ->
      (match s.troubled with
       | None -> first (i + 1) others
       | Some ((why, state), letter) ->
         let what = match why with
           | NoSuccessor -> "has no successor on this path"
           | NoNearest -> "leads to a state that is strictly nearest to no code"
           | WrongCode -> "is decoded wrong"
           | TooMany -> "is one of too many" in
         Printf.sprintf "layer %d: state %s after letter %s %s" i (n state) (n letter) what) in
  first 0 found

let in_order ~most path format network =
  let found = stored_surveys path format (natural most) network in
  let first = first_rounding path format network found in
  let first = rounding (first = None && never_rounds path format network found) first in
  if stored_is_right path format network found then
    Printf.sprintf "holds %s %s states are met; %s" (n network.target.size) (counts found) first
  else Printf.sprintf "rejected %s; %s" (trouble found) first

(* the first sum that the criterion does not cover: of a state that has no successor, or of two maps *)
let uncovered path dtype format network found maps sets =
  let layers = List.mapi (fun i (layer, s) -> (i, layer, s)) (List.combine network.stored_layers found) in
  let stuck (i, layer, s) =
    match s.troubled with
    | Some ((NoSuccessor, state), y) ->
      let m = List.nth layer.transitions (to_int (List.nth layer.layer_letters (to_int y)).uses) in
      let h = List.nth (states_met s) (to_int state) in
      Option.map (fun op -> Printf.sprintf "layer %d, state %s, letter %s: %s" i (n state) (n y) (operation op)) (uncovered_letter m h)
    | _ -> None in
  let composed (i, layer, c) = Option.map (fun op -> Printf.sprintf "layer %d, a composition of maps: %s" i (operation op)) (uncovered_maps layer c) in
  let in_chunks most (i, layer, s) = Option.map (fun p -> Printf.sprintf "layer %d, %s: %s" i (in_chunks_of most) (part dtype p)) (uncovered_chunk most format layer s) in
  let beside witnesses = List.map2 (fun (i, layer, _) c -> (i, layer, c)) layers witnesses in
  match path with
  | Fused -> List.find_map stuck layers
  | Scan -> List.find_map composed (beside maps)
  | Chunk most -> List.find_map (in_chunks most) (beside sets)

let in_any_order ~most path dtype format network =
  let found = orders_surveys path format (natural most) network in
  let maps = orders_maps path (natural most_maps) network in
  let sets = orders_sets path (natural most_vectors) network in
  if any_order_is_right path format network found maps sets then
    let cut = match path with Chunk most -> ", " ^ in_chunks_of most | _ -> "" in
    Printf.sprintf "holds %s %s states are met; every sum is exact in any order%s" (n network.target.size) (counts found) cut
  else
    let settled = List.for_all (fun s -> s.troubled = None) found in
    let why = match path with
      | Chunk _ when settled -> "the states close, but not every sum of a chunk is known to be exact"
      | _ when settled -> "the maps have too many compositions, or some are not exact"
      | _ -> trouble found in
    match uncovered path dtype format network found maps sets with
    | Some sum -> Printf.sprintf "rejected %s; the first sum that is not exact in every order: %s" why sum
    | None -> Printf.sprintf "rejected %s" why

(* [chunk]: micro-steps of a chunk, at most *)
let verdict ~most ~chunk dtype way (stored, network) =
  let format = find "data type" dtype formats and path = find "path" way (paths chunk) in
  if stored <> dtype then Json.fail "holds numbers of %s, not of %s" stored dtype;
  if not (List.for_all (layer_is_stored format) network.stored_layers) then Json.fail "has a number that %s or float64 lacks, or matrices that are not square" dtype;
  match path with Ordered path -> in_order ~most path format network | Any path -> in_any_order ~most path dtype format network

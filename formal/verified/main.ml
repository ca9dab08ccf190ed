(* lemmata-verified FILE...: a line for each network file; exit code 0 if all hold, 2 otherwise. *)

let largest = 32 * 1024 * 1024

let most_values = 4_000_000

let read path =
  let channel = open_in_bin path in
  Fun.protect ~finally:(fun () -> close_in channel) @@ fun () ->
  let n = in_channel_length channel in
  if n > largest then Json.fail "is larger than %d bytes" largest;
  let text = really_input_string channel n in
  let values = ref 0 in
  String.iter (function ',' | '[' | '{' -> incr values | _ -> ()) text;
  if !values > most_values then Json.fail "has more than %d values (commas and opening brackets)" most_values;
  text

let verdict path =
  match Network_file.network (Json.parse (read path)) with
  | network -> if Checker.check network then "holds" else "rejected"
  | exception Json.Malformed why -> "malformed " ^ why
  | exception (Sys_error _ | End_of_file) -> "malformed cannot be read"

let () =
  let verdicts = List.map verdict (List.tl (Array.to_list Sys.argv)) in
  List.iter print_endline verdicts;
  exit (if verdicts <> [] && List.for_all (( = ) "holds") verdicts then 0 else 2)

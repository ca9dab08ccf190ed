(* lemmata-verified FILE...: a line for each network file; exit code 0 if all hold, 2 otherwise. *)

let largest = 64 * 1024 * 1024

let read path =
  let channel = open_in_bin path in
  Fun.protect ~finally:(fun () -> close_in channel) @@ fun () ->
  let n = in_channel_length channel in
  if n > largest then Json.fail "is larger than %d bytes" largest;
  really_input_string channel n

let verdict path =
  match Network_file.network (Json.parse (read path)) with
  | network -> if Checker.check network then "holds" else "rejected"
  | exception Json.Malformed why -> "malformed " ^ why
  | exception (Sys_error _ | End_of_file) -> "malformed cannot be read"

let () =
  let verdicts = List.map verdict (List.tl (Array.to_list Sys.argv)) in
  List.iter print_endline verdicts;
  exit (if verdicts <> [] && List.for_all (( = ) "holds") verdicts then 0 else 2)

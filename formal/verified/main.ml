(* lemmata-verified FILE: one line, "holds STATES", "rejected" or "malformed WHY"; exit code 0 if it holds, 2 otherwise. *)

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
  | network -> if Checker.check network then "holds " ^ Z.to_string network.Checker.machine.Checker.size else "rejected"
  | exception Json.Malformed why -> "malformed " ^ why
  | exception Sys_error _ -> "malformed cannot be read"
  | exception (Stack_overflow | Out_of_memory) -> "malformed is too large for this checker"

let () =
  match Sys.argv with
  | [| _; path |] ->
    let answer = verdict path in
    print_endline answer;
    exit (if String.length answer > 5 && String.sub answer 0 5 = "holds" then 0 else 2)
  | _ -> prerr_endline "usage: lemmata-verified FILE"; exit 2

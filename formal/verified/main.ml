(* lemmata-verified FILE [TIMES]: one line, "holds STATES", "rejected" or "malformed WHY"; exit code 0 if it holds, 2 otherwise.
   lemmata-verified --stored DTYPE PATH FILE TIMES CHUNK: the same of a file of stored numbers, on the path chunk in chunks of up to CHUNK micro-steps; after the states, or after "rejected", what was met (stored_answer.ml).

   The limits are those of theorems/recheck/limits.py, times TIMES. They are kept here and in big_int_Z.ml, outside of what is proved: a network beyond them is
   refused, and what the proved function says of the others is passed on as it is. *)

let times = ref 1

let bound n = !times * n

(* bytes, values (commas and opening brackets), elementary operations of about a nanosecond *)
let bytes = 32 * 1024 * 1024
let values = 3_000_000
let work = 6_000_000_000

(* 6,000,000,000 *)
let rec grouped n = if n < 1000 then string_of_int n else Printf.sprintf "%s,%03d" (grouped (n / 1000)) (n mod 1000)

let refusal asks what most = Printf.sprintf "%s: %s, more than %s; recheck --limits %d doubles every limit" asks what most (2 * !times)

let within found most unit =
  if found > bound most then raise (Json.Malformed (refusal "is beyond a limit" "the file" (grouped (bound most) ^ " " ^ unit)))

let read path =
  let channel = open_in_bin path in
  Fun.protect ~finally:(fun () -> close_in channel) @@ fun () ->
  let n = in_channel_length channel in
  within n bytes "bytes of a network";
  let text = really_input_string channel n in
  let found = ref 0 in
  String.iter (function ',' | '[' | '{' -> incr found | _ -> ()) text;
  within !found values "values of a network (commas and opening brackets)";
  text

(* What arithmetic does not pay for by itself: walks along lists of coefficients. A product of elements of length l walks at most l times along a list of
   length at most twice the field's degree, and an element is compared with its conjugate likewise. *)
let pay_for_lists (net : Checker.q list Checker.network) =
  let field = float_of_int (Z.to_int (Z.min net.Checker.field (Z.of_int 1_000_000))) in
  let open Checker in
  let pay work = Big_int_Z.pay (if work < 0. || work > 1e18 then max_int else int_of_float work) in
  let length l = float_of_int (List.length l) in
  let longest rows = List.fold_left (fun a row -> List.fold_left (fun a x -> max a (List.length x)) a row) 1 rows in
  let walk l = if l <= 1. then 20. else 10. *. l *. l in
  let read rows = List.iter (List.iter (fun x -> pay (walk (length x)))) rows in
  List.iter (fun layer ->
    let n = match layer.states with h :: _ -> length h | [] -> 0. in
    let rows_of m = m.offset :: m.matrix in
    let steps m = match m.steps with Some l -> l | None -> [] in
    let rows_of_step s = [ s.direction; [ s.scale; s.write ] ] in
    read layer.states;
    List.iter (fun m -> read (rows_of m); List.iter (fun s -> read (rows_of_step s)) (steps m)) layer.maps;
    let in_maps = List.fold_left (fun a m -> max a (longest (rows_of m))) 1 layer.maps in
    let moves = Float.min (length layer.states *. length layer.maps) (length layer.states *. length layer.letters) in
    pay (moves *. 2. *. n *. n *. walk (float_of_int (longest layer.states + in_maps - 1)));
    List.iter (fun m ->
      let l = List.fold_left (fun a s -> max a (longest (rows_of_step s))) 1 (steps m) in
      (* products of products are as long as the field's degree *)
      let l = if l = 1 then 1. else 2. *. field in
      pay (length (steps m) *. 2. *. (n +. 1.) *. (n +. 2.) *. walk l)) layer.maps) net.layers

(* the answer of a checker on what [reader] makes of a file *)
let answered reader checker path =
  match
    let network = reader (Json.parse (read path)) in
    Big_int_Z.left := bound work;
    checker network
  with
  | answer -> answer
  | exception Json.Malformed why -> "malformed " ^ why
  | exception Sys_error _ -> "malformed cannot be read"
  | exception Big_int_Z.Beyond -> "malformed " ^ refusal "asks for too much work" "arithmetic" (grouped (bound work) ^ " elementary operations")
  | exception (Stack_overflow | Out_of_memory) -> "malformed is too large for this checker"

let exact network =
  pay_for_lists network;
  if Checker.check network then "holds " ^ Z.to_string network.Checker.machine.Checker.size else "rejected"

let answer verdict path =
  (* the stack is read whole at each collection of young values: few of them *)
  Gc.set { (Gc.get ()) with Gc.minor_heap_size = 4 * 1024 * 1024 };
  let answer = verdict path in
  print_endline answer;
  exit (if String.length answer > 5 && String.sub answer 0 5 = "holds" then 0 else 2)

(* What is extracted walks along lists recursively, so it runs in a process of its own with a larger stack: kilobytes, or as many as are allowed. *)
let stack = 768 * 1024

let with_a_larger_stack arguments =
  let again = String.concat " " (List.map Filename.quote (Sys.executable_name :: "--deep" :: arguments)) in
  exit (Sys.command (Printf.sprintf "ulimit -S -s %d 2>/dev/null || ulimit -S -s \"$(ulimit -H -s)\"; exec %s" stack again))

let number most s = match int_of_string_opt s with Some k when 1 <= k && k <= most -> k | _ -> Printf.eprintf "expected a number from 1 to %d\n" most; exit 2

(* micro-steps: more terms of size 1 than 2^24 fit no sum *)
let longest_chunk = 16_777_216

let () =
  match Sys.argv with
  | [| _; path |] -> with_a_larger_stack [ path; "1" ]
  | [| _; path; k |] -> with_a_larger_stack [ path; k ]
  | [| _; "--deep"; path; k |] -> times := number 9999 k; answer (answered Network_file.network exact) path
  | [| _; "--stored"; dtype; way; path; k; chunk |] -> with_a_larger_stack [ "--stored"; dtype; way; path; k; chunk ]
  | [| _; "--deep"; "--stored"; dtype; way; path; k; chunk |] ->
    times := number 9999 k;
    let chunk = number longest_chunk chunk in
    answer (answered Stored_file.network (Stored_answer.verdict ~most:(bound Stored_answer.most_places) ~chunk dtype way)) path
  | _ -> prerr_endline "usage: lemmata-verified FILE [TIMES], or --stored DTYPE PATH FILE TIMES CHUNK"; exit 2

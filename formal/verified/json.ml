(* JSON as RFC 8259 has it, strictly: valid UTF-8, no key twice, no floats, no -0, no lone surrogates. *)

type t = Null | Bool of bool | Int of Z.t | Text of string | List of t list | Object of (string * t) list

exception Malformed of string

let fail fmt = Printf.ksprintf (fun s -> raise (Malformed s)) fmt

(* a short text for a message, however long s is *)
let shown s = Printf.sprintf "%S" (if String.length s <= 40 then s else String.sub s 0 40 ^ "...")

let deepest = 50

let most_digits = 1000

(* bytes of the UTF-8 character at i, 0 if there is none: shortest form, no surrogates, at most U+10FFFF *)
let utf8_length s i =
  let n = String.length s in
  let byte k = if k < n then Char.code s.[k] else -1 in
  let tail k = byte k land 0xC0 = 0x80 && byte k >= 0 in
  let b = byte i and c = byte (i + 1) in
  if b < 0x80 then 1
  else if b < 0xC2 then 0
  else if b < 0xE0 then if tail (i + 1) then 2 else 0
  else if b < 0xF0 then
    if tail (i + 1) && tail (i + 2) && (b <> 0xE0 || c >= 0xA0) && (b <> 0xED || c < 0xA0) then 3 else 0
  else if b < 0xF5 then
    if tail (i + 1) && tail (i + 2) && tail (i + 3) && (b <> 0xF0 || c >= 0x90) && (b <> 0xF4 || c < 0x90) then 4 else 0
  else 0

let add_code buffer u =
  let add c = Buffer.add_char buffer (Char.chr c) in
  let tail shift = add (0x80 lor ((u lsr shift) land 0x3F)) in
  if u < 0x80 then add u
  else if u < 0x800 then (add (0xC0 lor (u lsr 6)); tail 0)
  else if u < 0x10000 then (add (0xE0 lor (u lsr 12)); tail 6; tail 0)
  else (add (0xF0 lor (u lsr 18)); tail 12; tail 6; tail 0)

let parse s =
  let n = String.length s and i = ref 0 in
  let peek () = if !i < n then s.[!i] else '\000' in
  let rec blank () = match peek () with ' ' | '\t' | '\n' | '\r' -> incr i; blank () | _ -> () in
  let expect c = if !i < n && s.[!i] = c then incr i else fail "expected %C at byte %d" c !i in
  let word w v =
    let k = String.length w in
    if !i + k <= n && String.sub s !i k = w then (i := !i + k; v) else fail "expected a JSON value at byte %d" !i in
  let hex4 () =
    let digit c = match c with
      | '0' .. '9' -> Char.code c - 48
      | 'a' .. 'f' -> Char.code c - 87
      | 'A' .. 'F' -> Char.code c - 55
      | _ -> fail "expected four hexadecimal digits at byte %d" !i in
    if !i + 4 > n then fail "expected four hexadecimal digits at byte %d" !i;
    let u = ref 0 in
    for _ = 1 to 4 do u := (!u * 16) + digit s.[!i]; incr i done;
    !u in
  let text () =
    expect '"';
    let buffer = Buffer.create 16 in
    let rec go () =
      if !i >= n then fail "a string without end";
      match s.[!i] with
      | '"' -> incr i
      | '\000' .. '\031' -> fail "a control character in a string, at byte %d" !i
      | '\\' ->
        incr i;
        let c = peek () in
        incr i;
        (match c with
         | '"' | '\\' | '/' -> Buffer.add_char buffer c
         | 'b' -> Buffer.add_char buffer '\b'
         | 'f' -> Buffer.add_char buffer '\012'
         | 'n' -> Buffer.add_char buffer '\n'
         | 'r' -> Buffer.add_char buffer '\r'
         | 't' -> Buffer.add_char buffer '\t'
         | 'u' ->
           let u = hex4 () in
           if u < 0xD800 || u >= 0xE000 then add_code buffer u
           else begin
             let lone () = fail "a lone surrogate at byte %d" !i in
             if u >= 0xDC00 || not (!i + 1 < n && s.[!i] = '\\' && s.[!i + 1] = 'u') then lone ();
             i := !i + 2;
             let v = hex4 () in
             if v < 0xDC00 || v >= 0xE000 then lone ();
             add_code buffer (0x10000 + ((u - 0xD800) lsl 10) + (v - 0xDC00))
           end
         | _ -> fail "an unknown escape at byte %d" !i);
        go ()
      | _ ->
        let k = utf8_length s !i in
        if k = 0 then fail "no UTF-8 at byte %d" !i;
        Buffer.add_string buffer (String.sub s !i k);
        i := !i + k;
        go () in
    go ();
    Buffer.contents buffer in
  let number () =
    let first = !i in
    if peek () = '-' then incr i;
    (match peek () with
     | '0' -> incr i
     | '1' .. '9' -> while (match peek () with '0' .. '9' -> true | _ -> false) do incr i done
     | _ -> fail "expected a JSON value at byte %d" first);
    (match peek () with '.' | 'e' | 'E' -> fail "a float at byte %d: floats are refused" first | _ -> ());
    if !i - first - (if s.[first] = '-' then 1 else 0) > most_digits then fail "an integer of more than %d digits" most_digits;
    let digits = String.sub s first (!i - first) in
    if digits = "-0" then fail "-0 at byte %d" first;
    Int (Z.of_string_base 10 digits) in
  let rec value depth =
    if depth > deepest then fail "nested deeper than %d" deepest;
    blank ();
    let v =
      match peek () with
      | '{' -> incr i; blank (); Object (if peek () = '}' then (incr i; []) else members depth)
      | '[' -> incr i; blank (); List (if peek () = ']' then (incr i; []) else items depth)
      | '"' -> Text (text ())
      | 't' -> word "true" (Bool true)
      | 'f' -> word "false" (Bool false)
      | 'n' -> word "null" Null
      | _ -> number () in
    blank ();
    v
  (* loops, so that long lists need no stack *)
  and items depth =
    let rec go seen =
      let seen = value (depth + 1) :: seen in
      if peek () = ',' then (incr i; go seen) else (expect ']'; List.rev seen) in
    go []
  and members depth =
    let keys = Hashtbl.create 8 in
    let rec go seen =
      blank ();
      let k = text () in
      if Hashtbl.mem keys k then fail "the key %s twice in an object" (shown k);
      Hashtbl.add keys k ();
      blank ();
      expect ':';
      let seen = (k, value (depth + 1)) :: seen in
      if peek () = ',' then (incr i; go seen) else (expect '}'; List.rev seen) in
    go [] in
  let v = value 0 in
  if !i < n then fail "something after the end, at byte %d" !i;
  v

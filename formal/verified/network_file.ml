(* A network file (docs/reference/formats.md) as the checker's data: reading only, no arithmetic beyond writing -3/4 as (-3, 4). *)

open Json

let longest_number = 1000

let items what = function List l -> l | _ -> fail "expected a list: %s" what

let text what = function Text s -> s | _ -> fail "expected a text: %s" what

let natural what = function Int n when Z.sign n >= 0 -> n | _ -> fail "expected a natural number: %s" what

(* the fields of an object in this order, and no others *)
let fields what names = function
  | Object o ->
    List.iter (fun (k, _) -> if not (List.mem k names) then fail "%s has an unknown key %s" what (shown k)) o;
    List.map (fun k -> match List.assoc_opt k o with Some v -> v | None -> fail "%s lacks %S" what k) names
  | _ -> fail "expected an object: %s" what

(* digits that do not begin with 0 *)
let is_positive s = s <> "" && s.[0] <> '0' && String.for_all (fun c -> '0' <= c && c <= '9') s

(* text such as 0 or -3/4 *)
let rational = function
  | Text "0" -> { Checker.qnum = Z.zero; qden = Z.one }
  | Text s when String.length s <= longest_number ->
    let above, under = match String.index_opt s '/' with
      | None -> (s, "1")
      | Some k -> (String.sub s 0 k, String.sub s (k + 1) (String.length s - k - 1)) in
    let negative = above <> "" && above.[0] = '-' in
    let digits = if negative then String.sub above 1 (String.length above - 1) else above in
    if not (is_positive digits && is_positive under) then fail "expected an exact number such as -3/4, got %s" (shown s);
    let n = Z.of_string_base 10 digits in
    { Checker.qnum = (if negative then Z.neg n else n); qden = Z.of_string_base 10 under }
  | _ -> fail "expected an exact number such as \"-3/4\", as text of at most %d characters" longest_number

(* coefficients in 1, zeta, zeta^2, ..., or a rational number *)
let number = function List l -> List.map rational l | x -> [ rational x ]

let column what rows =
  List.map (fun row -> match items what row with [ x ] -> number x | _ -> fail "expected one column: %s" what) (items what rows)

let step x =
  match fields "a step" [ "v"; "beta"; "scale"; "write" ] x with
  | [ v; beta; scale; write ] ->
    { Checker.direction = List.map number (items "v" v); beta = rational beta; scale = number scale; write = number write }
  | _ -> assert false

let affine x =
  match fields "a map" [ "A"; "B"; "steps" ] x with
  | [ a; b; steps ] ->
    { Checker.matrix = List.map (fun row -> List.map number (items "a row of A" row)) (items "A" a);
      offset = column "B" b;
      steps = (match steps with Null -> None | l -> Some (List.map step (items "steps" l))) }
  | _ -> assert false

let letter x =
  match List.map (natural "a letter of a layer") (items "a letter of a layer" x) with
  | [ reads; before; after; uses ] -> { Checker.reads; before; after; uses }
  | _ -> fail "expected [input letter, place before, place after, map]"

let decoded x =
  match List.map (natural "an entry of a decoder") (items "an entry of a decoder" x) with
  | [ i; y; z ] -> ((i, y), z)
  | _ -> fail "expected [state, letter, next]"

let layer x =
  match fields "a layer" [ "states"; "maps"; "letters"; "decoder" ] x with
  | [ states; maps; letters; decoder ] ->
    { Checker.states = List.map (column "a state") (items "states" states);
      maps = List.map affine (items "maps" maps);
      letters = List.map letter (items "letters" letters);
      decoder = List.map decoded (items "decoder" decoder) }
  | _ -> assert false

let names what l =
  let seen = Hashtbl.create 64 in
  let name x =
    let s = text what x in
    if Hashtbl.mem seen s then fail "%s: %s twice" what (shown s);
    Hashtbl.add seen s () in
  let l = items what l in
  List.iter name l;
  List.length l

let naturals what l = List.map (natural what) (items what l)

let automaton x =
  match fields "automaton" [ "states"; "table"; "start"; "accepting"; "outputs" ] x with
  | [ states; table; start; accepting; outputs ] ->
    let size = names "the automaton's states" states in
    (match outputs with
     | Null -> ()
     | l ->
       let said = List.map (text "outputs") (items "outputs" l) in
       if List.length said <> size then fail "expected one output for each state");
    { Checker.size = Z.of_int size;
      table = List.map (naturals "the table") (items "table" table);
      start = natural "start" start;
      accepting = naturals "accepting" accepting }
  | _ -> assert false

let network x =
  (match x with
   | Object o when List.assoc_opt "format" o = Some (Text "lemmata-network") ->
     if List.assoc_opt "version" o <> Some (Int (Z.of_int 3)) then fail "is of another version than 3"
   | _ -> fail "is no exported network (docs/reference/formats.md), and the verified checker knows nothing else: leave out --verified");
  match fields "the file" [ "format"; "version"; "field"; "letters"; "automaton"; "layers" ] x with
  | [ _; _; field; letters; machine; layers ] ->
    { Checker.field = natural "field" field;
      alphabet = Z.of_int (names "letters" letters);
      machine = automaton machine;
      layers = List.map layer (items "layers" layers) }
  | _ -> assert false

(* What extraction calls of zarith's Big_int_Z, each operation paid for before it begins: an operation costs its digits of 64 bits, and what the program
   around it takes. *)

type big_int = Z.t

exception Beyond

(* what is left to spend *)
let left = ref max_int

let pay work =
  left := !left - work;
  if !left < 0 then raise Beyond

(* elementary operations of one call and of what comes with it *)
let call = 15

let digits x = if Obj.is_int (Obj.repr x) then 1 else Z.size x

let linear f x y = pay (call + digits x + digits y); f x y

let zero_big_int = Z.zero
let unit_big_int = Z.one
let big_int_of_int = Z.of_int
let sign_big_int = Z.sign

let abs_big_int x = pay (call + digits x); Z.abs x
let minus_big_int x = pay (call + digits x); Z.neg x
let succ_big_int x = pay (call + digits x); Z.succ x
let add_big_int x y = linear Z.add x y
let sub_big_int x y = linear Z.sub x y
let eq_big_int x y = linear Z.equal x y
let le_big_int x y = linear Z.leq x y
let compare_big_int x y = linear Z.compare x y
let max_big_int x y = linear Z.max x y
let min_big_int x y = linear Z.min x y
let add_int_big_int k x = pay (call + digits x); Z.add (Z.of_int k) x
let mult_int_big_int k x = pay (call + digits x); Z.mul (Z.of_int k) x
let mult_big_int x y = pay (call + (3 * digits x * digits y)); Z.mul x y
let div_big_int x y = pay (call + (5 * digits x * digits y)); Z.ediv x y
let mod_big_int x y = pay (call + (5 * digits x * digits y)); Z.erem x y
let quomod_big_int x y = pay (2 * call + (5 * digits x * digits y)); Z.ediv_rem x y

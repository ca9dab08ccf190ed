// regular expressions (docs/reference/inputs.md) and their automata by partial derivatives: Antimirov 1996, an intersection part by part as Brzozowski does
"use strict";
const Regex = (function () {
  const LARGEST = { text: 2000, depth: 100, count: 1000, letters: 60, states: 2000, work: 400000 };
  const OPERATORS = new Set("|&*+?(){}[].\\^$"), CLASS_OPERATORS = new Set("[]^-\\");
  const order = (x, y) => x.codePointAt(0) - y.codePointAt(0);
  const isSpace = (x) => /^\s$/u.test(x);

  // expressions, equal ones one object, and what is left of each after a letter
  function Terms() {
    const known = new Map(), derived = new Map();
    let work = 0;
    const spend = (steps) => {
      work += steps;
      if (work > LARGEST.work) throw new Error(`The automaton of this expression takes more than ${LARGEST.work.toLocaleString("en")} steps; the command line has larger bounds.`);
    };
    function make(kind, nullable, key, content) {
      const name = `${kind} ${key}`;
      if (!known.has(name)) known.set(name, { id: known.size, kind, nullable, ...content });
      return known.get(name);
    }
    const ids = (parts) => parts.map((p) => p.id).join(" ");
    const unique = (parts) => [...new Set(parts)];
    const empty = () => make("empty", true, "", {});
    const letter = (letters, negated) => make("letter", false, `${negated} ${[...letters].sort(order).join("")}`, { letters: new Set(letters), negated });
    function cat(head, tail) {
      if (head.kind === "empty") return tail;
      return tail.kind === "empty" ? head : make("cat", head.nullable && tail.nullable, ids([head, tail]), { head, tail });
    }
    function repeat(body, low, high) {
      if (high === 0 || body.kind === "empty") return empty();
      if ((low === 1 && high === 1) || (body.kind === "repeat" && body.low === 0 && body.high === null)) return body;
      if (body.nullable) low = 0;
      return make("repeat", low === 0, `${body.id} ${low} ${high}`, { body, low, high });
    }
    function either(parts) {
      parts = unique(parts);
      return parts.length === 1 ? parts[0] : make("any", parts.some((p) => p.nullable), ids(parts), { parts });
    }
    function both(parts) {
      parts = unique(parts);
      return parts.length === 1 ? parts[0] : make("all", parts.every((p) => p.nullable), ids(parts), { parts });
    }
    function derive(term, x) {
      const key = `${term.id} ${x}`;
      if (!derived.has(key)) derived.set(key, unique(step(term, x)));
      return derived.get(key);
    }
    const followed = (terms, tail) => { spend(terms.length); return terms.map((t) => cat(t, tail)); };
    function step(term, x) {
      switch (term.kind) {
        case "letter":
          return term.letters.has(x) !== term.negated ? [empty()] : [];
        case "cat":
          return [...followed(derive(term.head, x), term.tail), ...(term.head.nullable ? derive(term.tail, x) : [])];
        case "repeat":
          return followed(derive(term.body, x), repeat(term.body, Math.max(term.low - 1, 0), term.high === null ? null : term.high - 1));
        case "any":
          spend(term.parts.length);
          return term.parts.flatMap((p) => derive(p, x));
        case "all": {
          const sets = term.parts.map((p) => derive(p, x));
          return sets.every((s) => s.length) ? [both(sets.map(either))] : [];
        }
        default:
          return [];
      }
    }
    return { empty, letter, cat, repeat, either, both, derive, spend };
  }

  // recursive descent: a union of intersections of sequences of repetitions
  function parse(text, alphabet, terms) {
    const chars = Array.from(text), mentioned = new Set();
    let at = 0, depth = 0;
    const here = () => (at < chars.length ? chars[at] : "");
    const among = (signs) => at < chars.length && signs.includes(chars[at]);
    const took = (x) => (here() === x ? (at++, true) : false);
    function fail(what, place = at) {
      const error = new Error(`Not a regular expression: ${what} at position ${place + 1}.`);
      error.position = place + 1;
      throw error;
    }
    function list(sign, part, join) {
      const parts = [part()];
      while (took(sign)) parts.push(part());
      return join(parts);
    }
    const union = () => list("|", intersection, terms.either);
    const intersection = () => list("&", sequence, terms.both);
    function sequence() {
      const factors = [];
      while (at < chars.length && !among("|&)")) factors.push(repetition());
      if (!factors.length) fail(here() ? `no expression before '${here()}'` : "no expression (the empty word is written ())");
      return factors.reduceRight((rest, factor) => terms.cat(factor, rest), terms.empty());
    }
    function repetition() {
      const body = atom();
      if (!among("*+?{")) return body;
      const [low, high] = counts();
      if (among("*+?{")) fail("a second repetition (put the first into brackets)");
      return terms.repeat(body, low, high);
    }
    function counts() {
      for (const [sign, low, high] of [["*", 0, null], ["+", 1, null], ["?", 0, 1]]) if (took(sign)) return [low, high];
      const opened = at++, low = count();
      let high = low;
      if (took(",")) high = here() === "}" ? null : count();
      if (!took("}")) fail("a count that is not {m}, {m,} or {m,n}", opened);
      if (high !== null && high < low) fail(`a count of at least ${low} and at most ${high}`, opened);
      return [low, high];
    }
    function count() {
      const start = at;
      while (among("0123456789")) at++;
      const digits = chars.slice(start, at).join("");
      if (!digits) fail("no number", start);
      if (digits.replace(/^0+/, "").length > 4 || Number(digits) > LARGEST.count) fail(`a count above ${LARGEST.count}`, start);
      return Number(digits);
    }
    function atom() {
      if (here() === "(") return bracket();
      if (here() === "[") return letterClass();
      if (took(".")) return terms.letter([], true);
      if (among("*+?{")) fail(`nothing to repeat before '${here()}'`);
      return terms.letter([one(OPERATORS)], false);
    }
    function bracket() {
      const opened = at++;
      if (++depth > LARGEST.depth) fail(`more than ${LARGEST.depth} brackets within each other`, opened);
      const inner = here() === ")" ? terms.empty() : union();
      if (!took(")")) fail("a '(' that is not closed", opened);
      depth--;
      return inner;
    }
    function one(operators) {
      const start = at, escaped = took("\\"), x = here();
      if (!x) fail(escaped ? "a \\ with nothing after it" : "no letter", start);
      if (escaped && !(OPERATORS.has(x) || CLASS_OPERATORS.has(x) || isSpace(x))) fail(`a \\ before '${x}', which is no operator and no white space,`, start);
      if (!escaped && (operators.has(x) || isSpace(x) || x === "ε")) fail(`an unexpected '${x}' (${x === "ε" ? "the empty word is ()" : "as a letter it has a \\ before it"})`, start);
      if (/[\ud800-\udfff]/.test(x) && x.length === 1) fail("half a surrogate pair, which is no character,", start);
      if (alphabet && !alphabet.has(x)) fail(`the letter '${x}', which is not in the alphabet,`, start);
      at++;
      mentioned.add(x);
      return x;
    }
    function letterClass() {
      const opened = at++, negated = took("^"), letters = new Set();
      if (negated && !alphabet) fail("letters that a [^...] leaves, and no alphabet to take them from,", opened);
      while (here() && here() !== "]") for (const x of range()) letters.add(x);
      if (!took("]")) fail("a '[' that is not closed", opened);
      if (!letters.size || (negated && letters.size === alphabet.size)) fail("a class without letters", opened);
      return terms.letter(letters, negated);
    }
    function range() {
      const start = at, first = one(CLASS_OPERATORS);
      if (!took("-")) return [first];
      const last = one(CLASS_OPERATORS), from = first.codePointAt(0), to = last.codePointAt(0);
      if (to < from || to - from >= LARGEST.letters) fail(`a range from '${first}' to '${last}' (expected at most ${LARGEST.letters} letters, in order)`, start);
      const letters = Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i));
      const unknown = alphabet && letters.find((x) => !alphabet.has(x));
      if (unknown) fail(`a range with '${unknown}', which is not in the alphabet,`, start);
      letters.forEach((x) => mentioned.add(x));
      return letters;
    }
    const expression = text ? union() : terms.empty();
    if (here()) fail(`an unexpected '${here()}'`);
    return { expression, mentioned };
  }

  // {letters, table, start, accepting}: total, not yet minimal; letters in the order of their code points
  function automaton(text, alphabet) {
    if (Array.from(text).length > LARGEST.text) throw new Error(`This page reads expressions of at most ${LARGEST.text.toLocaleString("en")} characters.`);
    let given = null;
    if (alphabet) {
      given = new Set(Array.from(alphabet));
      if (given.size !== Array.from(alphabet).length) throw new Error("The alphabet has a letter twice.");
      if ([...given].some(isSpace)) throw new Error("The alphabet has white space in it: write its letters side by side.");
    }
    const terms = Terms(), { expression, mentioned } = parse(text, given, terms), letters = [...(given || mentioned)].sort(order);
    if (!letters.length) throw new Error("The expression has no letter: type one, or give an alphabet.");
    if (letters.length > LARGEST.letters) throw new Error(`This page reads at most ${LARGEST.letters} letters, and the expression has ${letters.length}.`);
    const states = [[expression]], number = new Map([[String(expression.id), 0]]), table = letters.map(() => []);
    for (let q = 0; q < states.length; q++) {
      letters.forEach((x, a) => {
        spendAll(states[q]);
        const next = [...new Set(states[q].flatMap((t) => terms.derive(t, x)))].sort((s, t) => s.id - t.id), key = next.map((t) => t.id).join(" ");
        if (!number.has(key)) {
          if (states.length >= LARGEST.states) throw new Error(`The automaton has more than ${LARGEST.states.toLocaleString("en")} states before it is minimised; the command line has larger bounds.`);
          number.set(key, states.length);
          states.push(next);
        }
        table[a].push(number.get(key));
      });
    }
    function spendAll(state) { terms.spend(state.length + 1); }
    return { letters, table, start: 0, accepting: states.map((s) => s.some((t) => t.nullable)) };
  }

  return { automaton, LARGEST };
})();

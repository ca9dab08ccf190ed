// Can the states on 1, 11, 111, ... tell an even number of ones from an odd one, for ever? Decided exactly.
// A unit is {a, b, h0}: h -> a h + b on every 1, from h0. D is a list of fractions in increasing order.
"use strict";
const Parity = (function () {
  const MOST_STEPS = 5000;

  function midpoints(D) {
    return D.slice(1).map((y, i) => Q.mul(Q.add(D[i], y), Q.of(1n, 2n)));
  }

  // the nearest element of D; at a tie the smaller one (grazzi25, Eq. 4)
  function cast(x, D, middles) {
    let i = 0;
    while (i < middles.length && Q.cmp(middles[i], x) < 0) i++;
    return D[i];
  }

  // casts of c, a c, a^2 c, ... up to T + 1, such that they have period 2 from T on; null beyond MOST_STEPS
  function powers(a, c, D, middles) {
    const nonzero = middles.map(Q.abs).filter((m) => m.n), size = Q.cmp(Q.abs(a), Q.one);
    // a smaller and smaller term stays on its side of 0, a larger and larger one beyond all midpoints
    function settled(x, i) {
      if (!c.n || !size) return true;
      if (!a.n) return i > 0;
      return size < 0 ? nonzero.every((m) => Q.cmp(x, m) < 0) : middles.every((m) => Q.cmp(x, Q.abs(m)) > 0);
    }
    const casts = [];
    let x = c;
    for (let i = 0; i <= MOST_STEPS; i++) {
      casts.push(cast(x, D, middles));
      const done = settled(Q.abs(x), i);
      x = { n: x.n * a.n, d: x.d * a.d }; // not reduced: gcds of long numbers are slow
      if (done) return { from: i, casts: [...casts, cast(x, D, middles)] };
    }
    return null;
  }

  const at = (sequence, k) => sequence.casts[k <= sequence.from ? k : sequence.from + (k - sequence.from) % 2];

  // the cast model: cast(cast(a^k h0) + cast(b) + cast(a b) + ... + cast(a^(k-1) b)) for k = 0, 1, ...
  function castModel(unit, D) {
    const middles = midpoints(D), start = powers(unit.a, unit.h0, D, middles), input = powers(unit.a, unit.b, D, middles);
    if (!start || !input) return null;
    const T = Math.max(start.from, input.from), drift = Q.add(at(input, T), at(input, T + 1)), casts = [], inner = [];
    let sum = Q.zero;
    // from T on two steps add the drift: each of the two interleaved sequences is at rest or leaves all midpoints behind
    const rests = (x) => !drift.n || !middles.length || (drift.n > 0n ? Q.cmp(x, middles[middles.length - 1]) > 0 : Q.cmp(x, middles[0]) <= 0);
    for (let k = 0; k <= T + MOST_STEPS; k++) {
      inner.push(Q.add(at(start, k), sum));
      casts.push(cast(inner[k], D, middles));
      if (k > T && rests(inner[k - 1]) && rests(inner[k])) return { from: k - 1, casts };
      sum = Q.add(sum, at(input, k));
    }
    return null;
  }

  // rounded at every step: h -> cast(a h + b), a monotone map of a finite chain, so its orbits end in a point or a pair
  function rounded(unit, D) {
    const middles = midpoints(D), casts = [cast(unit.h0, D, middles)];
    for (let k = 1; ; k++) {
      casts.push(cast(Q.add(Q.mul(unit.a, casts[k - 1]), unit.b), D, middles));
      if (k > 1 && Q.cmp(casts[k], casts[k - 2]) === 0) return { from: k - 2, casts: casts.slice(0, k) };
    }
  }

  // exact states for k = 0, ..., count
  function exact(unit, count) {
    const states = [unit.h0];
    for (let k = 1; k <= count; k++) states.push(Q.add(Q.mul(unit.a, states[k - 1]), unit.b));
    return states;
  }

  // of exact states: "rests" from k = 1 on, "alternates", or "never comes back"
  function kind(unit) {
    const [, h1, h2, h3] = exact(unit, 3);
    if (Q.cmp(h1, h2) === 0) return "rests";
    return Q.cmp(h1, h3) === 0 ? "alternates" : "never comes back";
  }

  // {apart, from, collision: [k, l] or null, later, states(k)}; null if MOST_STEPS do not settle it
  function verdict(units, D, model) {
    if (model === "exact") {
      const kinds = units.map(kind), apart = kinds.some((x) => x !== "rests");
      return { apart, kinds, collision: apart ? null : [1, 2], states: null };
    }
    const sequences = units.map((u) => (model === "cast" ? castModel : rounded)(u, D));
    if (sequences.includes(null)) return null;
    const from = Math.max(1, ...sequences.map((s) => s.from));
    const states = (k) => sequences.map((s) => at(s, k));
    const key = (k) => states(k).map(Q.text).join(", ");
    const first = [new Map(), new Map()];
    let collision = null;
    for (let k = 1; k <= from + 1 && !collision; k++) {
      const other = first[(k + 1) % 2].get(key(k));
      if (other !== undefined) collision = [other, k];
      if (!first[k % 2].has(key(k))) first[k % 2].set(key(k), k);
    }
    return { apart: !collision, from, collision, later: key(from) !== key(from + 1), states, key };
  }

  return { verdict, exact, cast, midpoints };
})();

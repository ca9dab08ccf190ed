// the one-hot network of an automaton, built and closed in the page; and for cyclic machines the rotation of width 2 in a rounded format
"use strict";
const OneHot = (function () {
  const MOST_STATES = 50;

  // h <- A h for each letter, A of zeros and ones, from the unit vector of the start; the state is read as the place of the one
  function build({ table }) {
    const n = table[0].length, unit = (q) => Array.from({ length: n }, (_, p) => (p === q ? 1 : 0));
    return { start: unit(0), maps: table.map((row) => unit(0).map((_, p) => row.map((to) => (to === p ? 1 : 0)))) };
  }

  const apply = (A, h) => A.map((row) => row.reduce((sum, x, q) => sum + x * h[q], 0));
  const place = (h) => (h.every((x) => x === 0 || x === 1) && h.filter((x) => x === 1).length === 1 ? h.indexOf(1) : -1);

  // every vector that words lead to, beside the automaton's state: {holds, vectors, products, word}, the word one after which they differ
  function close(network, { table }) {
    const met = [{ h: network.start, q: 0, word: [] }], seen = new Set([`${network.start} 0`]);
    let products = 0;
    for (const { h, q, word } of met) {
      if (place(h) !== q) return { holds: false, vectors: met.length, products, word };
      network.maps.forEach((A, a) => {
        const next = { h: apply(A, h), q: table[a][q], word: [...word, a] }, name = `${next.h} ${next.q}`;
        products++;
        if (!seen.has(name)) { seen.add(name); met.push(next); }
      });
    }
    return { holds: true, vectors: met.length, products, word: null };
  }

  return { build, apply, place, close, MOST_STATES };
})();

const Rotation = (function () {
  const MOST_LETTERS = 1000000, bits = new DataView(new ArrayBuffer(8));

  // to the nearest number with p bits, ties to even; `least` is the smallest positive number. Exact for what a double holds
  function nearest(p, least) {
    return (x) => {
      if (x === 0) return 0;
      bits.setFloat64(0, x);
      const exponent = ((bits.getUint32(0) >>> 20) & 0x7ff) - 1023, unit = Math.max(2 ** (exponent - p + 1), least), shift = 1.5 * 2 ** 52 * unit;
      return x + shift - shift;
    };
  }

  // products of two numbers and sums of two products, first in double precision and then rounded, are rounded once: 53 >= 2 p + 2 bits
  const FORMATS = [["bfloat16", nearest(8, 2 ** -133)], ["float16", nearest(11, 2 ** -24)], ["float32", Math.fround], ["float64", (x) => x]];

  // cos and sin of 2 pi k / m, exact where they are 0, 1 or -1
  function turn(k, m) {
    const quarter = (4 * k) / m, exact = { 0: [1, 0], 1: [0, 1], 2: [-1, 0], 3: [0, -1] };
    return exact[quarter] || [Math.cos((2 * Math.PI * k) / m), Math.sin((2 * Math.PI * k) / m)];
  }

  const after = (f, g) => f.map((q) => g[q]);

  // {order, steps}: all letters are powers steps[a] of one cycle through all states; null if they are not
  function cycleOf({ delta, n }) {
    if (n < 2) return null;
    const one = Array.from({ length: n }, (_, q) => q), known = new Map([[String(one), one]]);
    for (const f of known.values()) for (const row of delta) {
      const g = after(f, row);
      known.set(String(g), g);
      if (known.size > n) return null;
    }
    const cycle = [...known.values()].find((g) => { let q = g[0], i = 1; for (; q !== 0 && i <= n; i++) q = g[q]; return q === 0 && i === n; });
    if (!cycle || known.size !== n) return null;
    const powers = [one];
    while (powers.length < n) powers.push(after(powers[powers.length - 1], cycle));
    const steps = delta.map((row) => powers.findIndex((g) => String(g) === String(row)));
    return steps.includes(-1) ? null : { order: n, steps };
  }

  // the letter k again and again: {wrong} the first letter after which the nearest direction is another state's, {back} the period with
  // which rounded states come back in the end, without an error; or neither up to the bound
  function first(k, m, round, most = MOST_LETTERS) {
    const [c, s] = turn(k, m).map(round), points = Array.from({ length: m }, (_, j) => turn(j, m));
    let x = 1, y = 0, mark = null, lap = 1, since = 0;
    for (let t = 1; t <= most; t++) {
      [x, y] = [round(round(c * x) - round(s * y)), round(round(s * x) + round(c * y))];
      const wanted = (t * k) % m, near = (j) => x * points[j][0] + y * points[j][1], best = near(wanted);
      // beside its neighbours alone: the directions stand in a circle
      if (!(best > near((wanted + 1) % m)) || !(m === 2 || best > near((wanted + m - 1) % m)) || !(best > 0)) return { wrong: t };
      // Brent: the state and the letter's place in the cycle are those of the mark
      since++;
      if (mark && mark[0] === x && mark[1] === y && mark[2] === wanted) return { back: since };
      if (since === lap) { mark = [x, y, wanted]; lap *= 2; since = 0; }
    }
    return {};
  }

  return { FORMATS, MOST_LETTERS, cycleOf, first, turn };
})();

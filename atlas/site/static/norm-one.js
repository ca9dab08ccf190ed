// a lower bound on layers of norm at most 1, with the words that force it: as constructions/languages/layers_of_norm_one.py, with bounds of the page's own.
// tests/atlas/test_language_page.py holds it against Python's
"use strict";
const NormOne = (function () {
  const MOST = { elements: 600, products: 3000000 };
  class Undecided extends Error {}
  const after = (f, g) => f.map((q) => g[q]), key = (f) => String.fromCharCode(...f), same = (f, g) => f.every((x, i) => x === g[i]);
  const spend = (budget, products) => { budget.left -= products; if (budget.left < 0) throw new Undecided(`bound not computed: it takes more than ${MOST.products.toLocaleString("en")} products`); };
  // a search that may end early leaves a third of the budget to others
  const affords = (budget, products) => budget.left - products > MOST.products / 3 || !(budget.ended = true);

  // the products of idempotents, with multiplication by idempotents on both sides
  function productsOf(E, budget) {
    const maps = [...E], number = new Map(E.map((e, i) => [key(e), i])), right = [], left = [], back = [];
    const meet = (f) => { const name = key(f); if (!number.has(name)) { number.set(name, maps.length); maps.push(f); } return number.get(name); };
    for (let i = 0; i < maps.length; i++) {
      spend(budget, 2 * E.length);
      right.push(E.map((e) => meet(after(maps[i], e))));
      left.push(E.map((e) => meet(after(e, maps[i]))));
    }
    maps.forEach(() => back.push([]));
    maps.forEach((_, i) => { for (const j of new Set([...right[i], ...left[i]])) back[j].push(i); });
    const part = Properties.components(2 * E.length, maps.length, (a, i) => (a < E.length ? right[i][a] : left[i][a - E.length]));
    const idempotent = maps.map((f) => same(after(f, f), f)), rank = maps.map((f) => new Set(f).size);
    const byRank = (numbers) => numbers.sort((i, j) => rank[j] - rank[i] || i - j);

    // the idempotents that some product to z has as a factor
    function above(z) {
      const seen = new Set([z]);
      for (const i of seen) for (const j of back[i]) seen.add(j);
      return [...seen].filter((i) => i < E.length);
    }

    // the numbers of all products of these idempotents
    function generated(chosen) {
      const seen = new Set(chosen);
      for (const i of seen) for (const e of chosen) seen.add(right[i][e]);
      return [...seen];
    }

    // an idempotent z of each class of products that divide one another: a conjugate acts alike
    function* classes() {
      const seen = new Set();
      for (const z of byRank([...maps.keys()].filter((i) => idempotent[i]))) if (!seen.has(part[z])) { seen.add(part[z]); yield [z, above(z)]; }
    }

    // each product that is not idempotent, with its largest contents, sets as bits
    function* contents() {
      const own = E.map((_, z) => above(z).reduce((bits, f) => bits | (1n << BigInt(f)), 0n)), largest = new Map(), queue = [];
      const meetWith = (z, content) => {
        const known = largest.get(z) || [];
        if (known.some((other) => (content | other) === other)) return;
        largest.set(z, [...known.filter((other) => (content | other) !== content), content]);
        queue.push([z, content]);
      };
      E.forEach((_, z) => meetWith(z, own[z]));
      for (const [z, content] of queue) {
        if (!largest.get(z).includes(content)) continue;
        if (!affords(budget, E.length)) break;
        spend(budget, E.length);
        right[z].forEach((to, g) => meetWith(to, content | own[g]));
      }
      for (const z of byRank([...largest.keys()].filter((i) => !idempotent[i]))) {
        for (const content of largest.get(z)) {
          if (!affords(budget, maps.length)) return;
          yield [z, [...E.keys()].filter((f) => (content >> BigInt(f)) & 1n)];
        }
      }
    }

    return { maps, generated, classes, contents };
  }

  const oneSided = (E, budget) => (spend(budget, E.length ** 2), E.every((e) => E.every((f) => same(after(after(e, f), e), after(f, e)))));

  // of maps of points with words; `names` are the states that the points stand for
  function need(maps, words, names, exact, budget) {
    const E = maps.filter((f) => same(after(f, f), f)), products = productsOf(E, budget), word = new Map(maps.map((f, i) => [key(f), words[i]])), seen = new Set();
    let best = { layers: 1, levels: [], idempotents: false };
    if (exact && !oneSided(E, budget)) best = { layers: 2, levels: [], idempotents: true };
    function* chosen() { yield* products.classes(); if (exact) yield* products.contents(); }
    for (const [z, above] of chosen()) {
      const acting = products.maps[z], points = [...new Set(acting)].sort((x, y) => x - y);
      // layers for all maps of these points are enough above the first
      if (points.length <= best.layers) continue;
      const u = products.generated(above), place = new Map(points.map((q, i) => [q, i]));
      spend(budget, u.length);
      const moved = [acting, ...u.map((i) => after(products.maps[i], acting))], small = new Map();
      for (const f of moved) { const g = points.map((q) => place.get(f[q])), name = key(g); if (!small.has(name)) small.set(name, [g, f]); }
      const other = u.findIndex((_, i) => !same(moved[i + 1], acting)), name = `${points.join(",")} ${[...small.keys()].sort().join(" ")}`;
      if (seen.has(name) && (small.size > 1 || other < 0)) continue;
      seen.add(name);
      const level = { z: word.get(key(acting)), points: points.map((q) => names[q]), u: null };
      let deeper = { layers: other < 0 ? 0 : 1, levels: [], idempotents: false };
      if (small.size > 1) deeper = need([...small.values()].map(([g]) => g), [...small.values()].map(([, f]) => word.get(key(f))), points.map((q) => names[q]), exact, budget);
      else if (other >= 0) level.u = word.get(key(products.maps[u[other]]));
      if (1 + deeper.layers > best.layers) best = { layers: 1 + deeper.layers, levels: [level, ...deeper.levels], idempotents: deeper.idempotents };
    }
    return best;
  }

  // {layers, levels, idempotents, whole, why}: with `whole` false a search ended early, and with layers null nothing was found, as `why` says
  function bound(L, exact) {
    const { m } = L, monoid = L.monoid(), budget = { left: MOST.products, ended: false };
    if (m.delta.every((row) => row.every((p) => p === row[0]))) return { layers: 0, levels: [], idempotents: false, whole: true, why: null };
    try {
      if (!monoid.complete || monoid.maps.length > MOST.elements) throw new Undecided(`bound not computed: the transition monoid has more than ${MOST.elements.toLocaleString("en")} elements`);
      const found = need(monoid.maps, monoid.maps.map((_, i) => monoid.word(i)), Array.from({ length: m.n }, (_, q) => q), exact, budget);
      return { ...found, whole: !budget.ended, why: null };
    } catch (error) {
      if (!(error instanceof Undecided)) throw error;
      return { layers: null, levels: [], idempotents: false, whole: false, why: error.message };
    }
  }

  return { bound, MOST };
})();

// the properties of constructions/languages, decided in the page; a no comes with words. tests/atlas/test_language_page.py holds each against Python's
"use strict";
const Properties = (function () {
  const MOST = { states: 128, elements: 20000, sets: 10000, group: 20000, component: 60, products: 20000000, looks: 20000000 };
  class Undecided extends Error {}
  const many = (x) => x.toLocaleString("en");
  const unequal = (f, g) => f.some((x, i) => x !== g[i]);
  const after = (f, g) => f.map((q) => g[q]); // f, then g
  const gcd = (a, b) => { while (b) [a, b] = [b, a % b]; return a; };
  const lcm = (a, b) => (a / gcd(a, b)) * b;
  const key = (f) => String.fromCharCode(...f);

  // -- searching -----------------------------------------------------------------------------------------------------------------

  // breadth first along next(a, node) from `seeds`, not into nodes that are `closed`
  function search(k, size, next, seeds, closed) {
    const seen = Uint8Array.from({ length: size }, (_, i) => (closed && closed(i) ? 1 : 0)), before = new Int32Array(size).fill(-1), letter = new Int32Array(size), met = [];
    const meet = (node, from, a) => { if (!seen[node]) { seen[node] = 1; before[node] = from; letter[node] = a; met.push(node); } };
    seeds.forEach((s) => meet(s, -1, -1));
    for (let i = 0; i < met.length; i++) for (let a = 0; a < k; a++) meet(next(a, met[i]), met[i], a);
    // [the seed that the search came from, the letters from there]
    function word(node) {
      const letters = [];
      for (; before[node] >= 0; node = before[node]) letters.push(letter[node]);
      return [node, letters.reverse()];
    }
    return { met, seen, word };
  }

  // a shortest nonempty word from one node to another
  function way(k, size, next, from, goal, closed) {
    const steps = Array.from({ length: k }, (_, a) => next(a, from)), [seed, word] = search(k, size, next, steps, closed).word(goal);
    return [steps.indexOf(seed), ...word];
  }

  // the number of each node's strongly connected component (Tarjan, without recursion); next gives -1 where an edge leads out
  function components(k, size, next) {
    const index = new Int32Array(size).fill(-1), low = new Int32Array(size), part = new Int32Array(size).fill(-1), stack = [];
    let count = 0, parts = 0;
    for (let root = 0; root < size; root++) {
      if (index[root] >= 0) continue;
      const work = [[root, 0]];
      while (work.length) {
        const top = work[work.length - 1], v = top[0];
        if (top[1] === 0 && index[v] < 0) { index[v] = low[v] = count++; stack.push(v); }
        if (top[1] < k) {
          const w = next(top[1]++, v);
          if (w < 0) continue;
          if (index[w] < 0) work.push([w, 0]);
          else if (part[w] < 0) low[v] = Math.min(low[v], index[w]);
          continue;
        }
        work.pop();
        if (work.length) { const u = work[work.length - 1][0]; low[u] = Math.min(low[u], low[v]); }
        if (low[v] === index[v]) {
          for (let w = -1; w !== v; ) { w = stack.pop(); part[w] = parts; }
          parts++;
        }
      }
    }
    return part;
  }

  // the graph of pairs of states; pair (p, q) has the number p n + q
  function pairsOf(m) {
    const { n, k, delta } = m, equal = (pair) => Math.floor(pair / n) === pair % n, states = (pair) => [Math.floor(pair / n), pair % n];
    const next = (a, pair) => delta[a][Math.floor(pair / n)] * n + delta[a][pair % n];
    const from = (seeds) => search(k, n * n, next, seeds, equal);
    // [pair, word]: the first pair met that a word leads back to itself; null if all become equal
    function returning(met) {
      const inside = new Map(met.map((pair) => [pair, 0])), before = new Map(met.map((pair) => [pair, []]));
      for (const pair of met) {
        for (let a = 0; a < k; a++) {
          const to = next(a, pair);
          if (inside.has(to)) { inside.set(pair, inside.get(pair) + 1); before.get(to).push(pair); }
        }
      }
      const ended = met.filter((pair) => !inside.get(pair));
      for (const pair of ended) {
        inside.delete(pair);
        for (const p of before.get(pair)) { inside.set(p, inside.get(p) - 1); if (!inside.get(p)) ended.push(p); }
      }
      if (!inside.size) return null;
      let [pair] = inside.keys();
      for (const path = new Set(); !path.has(pair); ) {
        path.add(pair);
        for (let a = 0; a < k; a++) if (inside.has(next(a, pair))) { pair = next(a, pair); break; }
      }
      return [pair, way(k, n * n, next, pair, pair, equal)];
    }
    return { next, equal, states, from, returning };
  }

  // -- the transition monoid, the images of words and the groups by which words permute them ------------------------------------------

  function monoidOf(m) {
    const one = Array.from({ length: m.n }, (_, q) => q), maps = [one], before = [-1], letter = [-1], right = [], number = new Map([[key(one), 0]]);
    let complete = true;
    for (let i = 0; i < maps.length && complete; i++) {
      for (let a = 0; a < m.k; a++) {
        const f = after(maps[i], m.delta[a]), name = key(f);
        if (!number.has(name)) {
          if (maps.length >= MOST.elements) { complete = false; break; }
          number.set(name, maps.length);
          maps.push(f);
          before.push(i);
          letter.push(a);
        }
        right.push(number.get(name));
      }
    }
    function word(i) {
      const letters = [];
      for (; i; i = before[i]) letters.push(letter[i]);
      return letters.reverse();
    }
    return { maps, right, complete, word, idempotents: maps.flatMap((f, i) => (unequal(after(f, f), f) ? [] : [i])) };
  }

  // a power 2^j >= n: on its image the map permutes
  function settled(f) {
    for (let exponent = 1; exponent < f.length; exponent *= 2) f = after(f, f);
    return f;
  }

  function imagesOf(m) {
    const all = Array.from({ length: m.n }, (_, q) => q), sets = [all], before = [-1], letter = [-1], next = [], number = new Map([[key(all), 0]]);
    let complete = true;
    for (let i = 0; i < sets.length; i++) {
      next.push([]);
      for (let a = 0; a < m.k; a++) {
        const set = [...new Set(sets[i].map((q) => m.delta[a][q]))].sort((x, y) => x - y), name = key(set);
        if (!number.has(name)) {
          if (sets.length >= MOST.sets) { complete = false; next[i].push(-1); continue; }
          number.set(name, sets.length);
          sets.push(set);
          before.push(i);
          letter.push(a);
        }
        next[i].push(number.get(name));
      }
    }
    function word(i) {
      const letters = [];
      for (; i > 0; i = before[i]) letters.push(letter[i]);
      return letters.reverse();
    }
    return { sets, next, complete, word };
  }

  // {image, points, generators}: of one set in each strongly connected part all permutations by words; a generator is [places, word]
  function groupsOf(m, images) {
    const part = components(m.k, images.sets.length, (a, i) => images.next[i][a]), members = new Map();
    part.forEach((label, i) => { if (images.sets[i].length > 1) members.set(label, [...(members.get(label) || []), i]); });
    const found = [];
    for (const [label, inside] of members) {
      const home = inside[0], points = images.sets[home], there = new Map([[home, [points, []]]]), back = new Map([[home, [Array.from({ length: m.n }, (_, q) => q), []]]]);
      const edges = inside.flatMap((i) => images.next[i].flatMap((j, a) => (j >= 0 && part[j] === label ? [[i, a, j]] : [])));
      const out = new Map(inside.map((i) => [i, []])), into = new Map(inside.map((i) => [i, []]));
      for (const [i, a, j] of edges) { out.get(i).push([a, j]); into.get(j).push([a, i]); }
      for (const [i, [at, word]] of there) for (const [a, j] of out.get(i)) if (!there.has(j)) there.set(j, [after(at, m.delta[a]), [...word, a]]);
      for (const [j, [map, word]] of back) for (const [a, i] of into.get(j)) if (!back.has(i)) back.set(i, [after(m.delta[a], map), [a, ...word]]);
      const place = new Map(points.map((q, i) => [q, i])), loops = new Map();
      const add = (at, word) => {
        const permutation = at.map((q) => place.get(q)), name = key(permutation);
        if (permutation.some((j, i) => j !== i) && !(loops.has(name) && loops.get(name)[1].length <= word.length)) loops.set(name, [permutation, word]);
      };
      for (const [i, a, j] of edges) add(after(after(there.get(i)[0], m.delta[a]), back.get(j)[0]), [...there.get(i)[1], a, ...back.get(j)[1]]);
      for (const [i, [at, word]] of there) add(after(at, back.get(i)[0]), [...word, ...back.get(i)[1]]);
      if (loops.size) found.push({ image: images.word(home), points, generators: [...loops.values()].sort((x, y) => x[1].length - y[1].length) });
    }
    return found;
  }

  // the elements that permutations generate, as [permutation, number of the element before, number of the generator]; the first ones if there are too many
  function generated(generators, degree) {
    const one = Array.from({ length: degree }, (_, i) => i), chosen = [];
    let elements = [[one, -1, -1]], number = new Map([[key(one), 0]]), complete = true;
    // a generator that those before it generate would only cost time
    generators.forEach((f, j) => { if (complete && !number.has(key(f))) { chosen.push(j); enumerate(); } });
    function enumerate() {
      elements = [[one, -1, -1]];
      number = new Map([[key(one), 0]]);
      for (let i = 0; i < elements.length; i++) {
        for (const j of chosen) {
          const f = after(elements[i][0], generators[j]), name = key(f);
          if (number.has(name)) continue;
          if (elements.length >= MOST.group) { complete = false; return; }
          number.set(name, elements.length);
          elements.push([f, i, j]);
        }
      }
    }
    return { elements, complete, generators: chosen.map((j) => generators[j]), has: (f) => number.has(key(f)) };
  }

  function elementsOf(group) {
    group.all = group.all || generated(group.generators.map((g) => g[0]), group.points.length);
    return group.all.elements;
  }

  function wordOf(group, i) {
    const all = elementsOf(group), parts = [];
    for (; i > 0; i = all[i][1]) parts.push(group.generators[all[i][2]][1]);
    return parts.reverse().flat();
  }

  function cycles(f) {
    const found = [], seen = new Set();
    for (let i = 0; i < f.length; i++) {
      if (seen.has(i)) continue;
      const cycle = [];
      for (let j = i; !seen.has(j); j = f[j]) { seen.add(j); cycle.push(j); }
      found.push(cycle);
    }
    return found;
  }

  const tooLarge = () => new Undecided(`words permute states by a group of more than ${many(MOST.group)} elements`);
  const order = (f) => cycles(f).reduce((x, c) => lcm(x, c.length), 1);
  const inverse = (f) => { const g = []; f.forEach((j, i) => { g[j] = i; }); return g; };

  // the derived series; orders not divisible by 4 (Feit and Thompson; Burnside) and below 60 are solvable
  function isSolvable(group) {
    let size = elementsOf(group).length, generators = group.all.generators;
    while (size % 4 === 0 && size >= 60) {
      const first = generators, commutators = [];
      for (const f of first) for (const g of first) commutators.push(after(after(inverse(f), inverse(g)), after(f, g)));
      let inner = commutators, closed;
      // the normal closure of the commutators
      for (;;) {
        closed = generated(inner, group.points.length);
        inner = closed.generators;
        const conjugates = inner.flatMap((h) => first.map((f) => after(after(inverse(f), h), f))), missing = conjugates.find((g) => !closed.has(g));
        if (missing === undefined) break;
        inner = [...inner, missing];
      }
      if (closed.elements.length === size) return false;
      size = closed.elements.length;
      generators = inner;
    }
    return true;
  }

  // numbers of two elements whose orders, and that of their product, are coprime in pairs and above 1: a group that is not solvable has them (Thompson 1968)
  function coprime(group) {
    const all = elementsOf(group);
    let seed = 1;
    const choose = (size) => { seed = (seed * 48271) % 2147483647; return seed % size; };
    for (let most = 256; ; most *= 2) {
      const size = Math.min(most, all.length);
      for (let tries = 0; tries < 32 * size; tries++) {
        const i = choose(size), j = choose(size), a = order(all[i][0]), b = order(all[j][0]), c = order(after(all[i][0], all[j][0]));
        if (Math.min(a, b, c) > 1 && gcd(a, b) === 1 && gcd(a, c) === 1 && gcd(b, c) === 1) return [i, j, a, b, c];
      }
      if (!group.all.complete && most > all.length) throw tooLarge();
    }
  }

  // -- one language ------------------------------------------------------------------------------------------------------------------

  function Language(m) {
    const kept = {}, once = (name, make) => () => (name in kept ? kept[name] : (kept[name] = make()));
    const L = { m };
    L.pairs = once("pairs", () => {
      if (m.n > MOST.states) throw new Undecided(`the machine has more than ${MOST.states} states`);
      return pairsOf(m);
    });
    L.monoid = once("monoid", () => monoidOf(m));
    L.images = once("images", () => imagesOf(m));
    L.groups = once("groups", () => groupsOf(m, L.images()));
    L.exhausted = () => { if (!L.images().complete) throw new Undecided(`words have more than ${many(MOST.sets)} different images`); };
    L.whole = () => { if (!L.monoid().complete) throw new Undecided(`the transition monoid has more than ${many(MOST.elements)} elements`); };
    return L;
  }

  // null for yes; for no {form, words, numbers}: the words are numbers of letters, the form names the sentence that says what they show
  const no = (form, words, numbers = {}) => ({ form, words, numbers });
  const range = (n) => Array.from({ length: n }, (_, i) => i);

  function lastLetter({ m }) {
    for (let a = 0; a < m.k; a++) {
      const q = m.delta[a].findIndex((p) => p !== m.delta[a][0]);
      if (q >= 0) return no("SAYS", { u: m.reaching[0], t: m.reaching[q], a: [a], v: m.telling(m.delta[a][0], m.delta[a][q]) });
    }
    return null;
  }

  function lengthAndLastLetter({ m }) {
    for (let x = 0; x < m.k; x++) {
      for (let q = 0; q < m.n; q++) {
        for (let b = 1; b < m.k; b++) {
          const one = m.end(q, [0, x]), two = m.end(q, [b, x]);
          if (one !== two) return no("SAYS", { u: m.reaching[q], a: [0], b: [b], x: [x], v: m.telling(one, two) });
        }
      }
    }
    // the states by last letter after words of length 1, 2, ...: the first must come back
    const rows = [], times = new Map();
    let row = range(m.k).map((a) => m.delta[a][0]);
    while (!times.has(key(row))) {
      times.set(key(row), rows.length);
      rows.push(row);
      const [q] = row;
      row = range(m.k).map((a) => m.delta[a][q]);
    }
    const again = times.get(key(row));
    if (!again) return null;
    const early = rows[again - 1], late = rows[rows.length - 1], x = early.findIndex((q, i) => q !== late[i]);
    return no("TRANSIENT", { u: Array(again - 1).fill(0), z: Array(rows.length - again).fill(0), x: [x], v: m.telling(early[x], late[x]) });
  }

  function definite(L) {
    const { m } = L, pairs = L.pairs(), cycle = pairs.returning(pairs.from(range(m.n * m.n)).met);
    if (!cycle) return null;
    const [p, q] = pairs.states(cycle[0]);
    return no("SAYS", { u: m.reaching[p], t: m.reaching[q], z: cycle[1], v: m.telling(p, q) });
  }

  // [q, a, b, pair, x, z]: in state q the letters a and b lead, after x, to a pair that z leads back to itself
  function exchanged(L, states) {
    const { m } = L, pairs = L.pairs(), seeds = new Map();
    for (const q of states) for (let a = 0; a < m.k; a++) for (let b = a + 1; b < m.k; b++) {
      const pair = m.delta[a][q] * m.n + m.delta[b][q];
      if (!seeds.has(pair)) seeds.set(pair, [q, a, b]);
    }
    const found = pairs.from([...seeds.keys()]), cycle = pairs.returning(found.met);
    if (!cycle) return null;
    const [seed, x] = found.word(cycle[0]);
    return [...seeds.get(seed), cycle[0], x, cycle[1]];
  }

  function quasiDefinite(L) {
    const { m } = L, found = exchanged(L, range(m.n));
    if (!found) return null;
    const [q, a, b, pair, x, z] = found;
    return no("SAYS", { u: m.reaching[q], a: [a], b: [b], x, z, v: m.telling(...L.pairs().states(pair)) });
  }

  function late(L) {
    const { m } = L;
    let states = range(m.n);
    for (let i = 0; i < m.n; i++) states = [...new Set(m.delta.flatMap((row) => states.map((q) => row[q])))];
    states.sort((p, q) => p - q);
    const found = exchanged(L, states);
    if (!found) return null;
    const [q, a, b, pair, x, z] = found, next = (c, p) => m.delta[c][p];
    for (const r of states) {
      const met = new Set(search(m.k, m.n, next, m.delta.map((row) => row[r])).met);
      if (!met.has(r) || !(met.has(q) || q === r)) continue;
      const t = q === r ? [] : way(m.k, m.n, next, r, q);
      return no("SAYS", { s: m.reaching[r], l: way(m.k, m.n, next, r, r), t, a: [a], b: [b], x, z, v: m.telling(...L.pairs().states(pair)) });
    }
    throw new Error("a late state is reached from a cycle");
  }

  function stutterInvariant({ m }) {
    for (let x = 0; x < m.k; x++) for (let q = 0; q < m.n; q++) {
      const one = m.delta[x][q], two = m.delta[x][one];
      if (one !== two) return no("SAYS", { u: m.reaching[q], x: [x], v: m.telling(one, two) });
    }
    return null;
  }

  function orderOfLastOccurrences(L) {
    const { m } = L, pairs = L.pairs();
    for (let a = 0; a < m.k; a++) {
      const found = pairs.from(range(m.n).map((q) => m.delta[a][q] * m.n + q)), wrong = found.met.find((pair) => !pairs.equal(pairs.next(a, pair)));
      if (wrong === undefined) continue;
      const [seed, u] = found.word(wrong);
      return no("SAYS", { w: m.reaching[seed % m.n], a: [a], u, v: m.telling(...pairs.states(pairs.next(a, wrong))) });
    }
    return null;
  }

  function cubedLetters({ m }) {
    for (let x = 0; x < m.k; x++) for (let q = 0; q < m.n; q++) {
      const one = m.delta[x][q], three = m.end(one, [x, x]);
      if (one !== three) return no("SAYS", { u: m.reaching[q], x: [x], v: m.telling(one, three) });
    }
    return null;
  }

  function group({ m }) {
    for (let x = 0; x < m.k; x++) for (let q = 0; q < m.n; q++) {
      const p = m.delta[x].indexOf(m.delta[x][q]);
      if (p !== q) return no("SAYS", { u: m.arriving(p), t: m.arriving(q), x: [x], v: m.telling(p, q) });
    }
    return null;
  }

  // the length of the cycle that state q is on
  function cycleLength(row, q) {
    let length = 1;
    for (let at = row[q]; at !== q; at = row[at]) length++;
    return length;
  }

  function constantPowers({ m }) {
    for (let c = 0; c < m.k; c++) {
      let kept = range(m.n);
      for (let i = 0; i < m.n; i++) kept = [...new Set(kept.map((q) => m.delta[c][q]))];
      if (kept.length > 1) {
        const [p, q] = kept.sort((x, y) => x - y);
        return no("SAYS", { u: m.reaching[p], t: m.reaching[q], c: [c], v: m.telling(p, q) }, { p: lcm(cycleLength(m.delta[c], p), cycleLength(m.delta[c], q)) });
      }
    }
    return null;
  }

  function power(row, exponent) {
    let result = row.map((_, q) => q);
    for (let square = row; exponent; exponent = Math.floor(exponent / 2), square = after(square, square)) if (exponent % 2) result = after(result, square);
    return result;
  }

  function countsModulo(L, modulus) {
    const { m } = L;
    for (let x = 0; x < m.k; x++) {
      const found = confused(L, power(m.delta[x], modulus), range(m.n), [x]);
      if (found) return no("COUNT", { u: m.reaching[found[0]], x: [x], w: found[1], v: found[2] }, { m: modulus });
    }
    for (let x = 0; x < m.k; x++) for (let y = 0; y < x; y++) {
      const found = confused(L, after(m.delta[x], m.delta[y]), after(m.delta[y], m.delta[x]), [x, y]);
      if (found) return no("ORDER", { u: m.reaching[found[0]], x: [x], y: [y], w: found[1], v: found[2] });
    }
    return null;
  }

  // [q, w, v]: one[q] and two[q] still differ after w, which has all the letters; nodes are pairs with the set of letters that have come
  function confused(L, one, two, letters) {
    const { m } = L, pairs = L.pairs(), size = m.n * m.n, full = (1 << letters.length) - 1, seeds = range(m.n).map((q) => one[q] * m.n + two[q]);
    const next = (a, node) => {
      const seen = Math.floor(node / size), place = letters.indexOf(a);
      return seen === full ? node : pairs.next(a, node % size) + size * (place < 0 ? seen : seen | (1 << place));
    };
    const found = search(m.k, size * (full + 1), next, seeds, (node) => pairs.equal(node % size)), goal = found.met.find((node) => node >= size * full);
    if (goal === undefined) return null;
    const [seed, w] = found.word(goal);
    return [seeds.indexOf(seed), w, m.telling(...pairs.states(goal - size * full))];
  }

  const countsModuloTwo = (L) => countsModulo(L, 2);

  function countsModuloSome(L) {
    const { m } = L;
    let modulus = 1;
    for (let x = 0; x < m.k; x++) for (let q = 0; q < m.n; q++) {
      const first = m.delta[x][q], path = [first];
      let at = m.delta[x][first];
      for (; !path.includes(at); at = m.delta[x][at]) path.push(at);
      modulus = lcm(modulus, path.length - path.indexOf(at));
      if (modulus > 1e12) throw new Undecided("the periods of the letters have a common multiple above 10^12");
      if (at !== first) {
        // as many steps as lead to the cycle, in whole periods
        const tail = path.indexOf(at), period = (path.length - tail) * Math.ceil(tail / (path.length - tail));
        return no("NO_PERIOD", { u: m.reaching[q], x: [x], v: m.telling(first, m.end(first, Array(period).fill(x))) }, { p: period });
      }
    }
    return countsModulo(L, modulus);
  }

  const componentsOf = (m) => components(m.k, m.n, (a, q) => m.delta[a][q]);
  const between = (m, p, q) => search(m.k, m.n, (a, r) => m.delta[a][r], [p]).word(q)[1];

  function rTrivial({ m }) {
    const part = componentsOf(m), p = range(m.n).find((q) => range(m.n).some((r) => r !== q && part[r] === part[q]));
    if (p === undefined) return null;
    const q = range(m.n).find((r) => r !== p && part[r] === part[p]);
    return no("SAYS", { u: m.reaching[p], x: between(m, p, q), y: between(m, q, p), v: m.telling(p, q) });
  }

  // potentials of the states of a component: edges of one label (a letter, and the class that it leaves) all climb alike; over the rationals
  function cRasp({ m }) {
    const part = componentsOf(m), parts = new Map();
    part.forEach((label, q) => parts.set(label, [...(parts.get(label) || []), q]));
    for (const states of parts.values()) {
      if (states.length < 2) continue;
      if (states.length > MOST.component) throw new Undecided(`a strongly connected component has more than ${MOST.component} states`);
      const place = new Map(states.map((q, i) => [q, i])), edges = [];
      for (let a = 0; a < m.k; a++) for (const q of states) if (place.has(m.delta[a][q])) edges.push([a, place.get(q), place.get(m.delta[a][q])]);
      let classes = states.map(() => 0);
      for (;;) {
        const finer = refined(edges, classes);
        if (new Set(finer).size === new Set(classes).size) break;
        classes = finer;
      }
      for (let j = 0; j < states.length; j++) {
        const i = classes.indexOf(classes[j]);
        if (i !== j) return no("SAYS", { u: m.reaching[states[i]], x: between(m, states[i], states[j]), y: between(m, states[j], states[i]) });
      }
    }
    return null;
  }

  function refined(edges, classes) {
    const n = classes.length, first = new Map(), basis = new Map();
    for (const [a, tail, head] of edges) {
      const label = `${a} ${classes[tail]}`;
      if (!first.has(label)) { first.set(label, [tail, head]); continue; }
      const row = Array(n).fill(0n), [t, h] = first.get(label);
      row[head]++; row[tail]--; row[h]--; row[t]++;
      insert(basis, row.map((x) => Q.of(x, 1n)));
    }
    // a potential is free where no row leads; where one does, it is what the free ones make it
    const potentials = range(n).map((i) => (basis.has(i) ? basis.get(i).map((x, j) => (j === i ? "0" : Q.text(Q.neg(x)))) : range(n).map((j) => (j === i ? "1" : "0"))).join(" "));
    const number = new Map();
    return potentials.map((p, i) => {
      const name = `${classes[i]} ${p}`;
      if (!number.has(name)) number.set(name, number.size);
      return number.get(name);
    });
  }

  // a row into a basis by leading places, each 1 in its own row and 0 in all others
  function insert(basis, row) {
    for (const [lead, known] of basis) if (row[lead].n) { const factor = Q.neg(row[lead]); row = row.map((x, j) => (known[j].n ? Q.add(x, Q.mul(factor, known[j])) : x)); }
    const lead = row.findIndex((x) => x.n);
    if (lead < 0) return;
    const inverted = Q.of(row[lead].d, row[lead].n);
    row = row.map((x) => Q.mul(x, inverted));
    for (const [other, known] of basis) if (known[lead].n) { const factor = Q.neg(known[lead]); basis.set(other, known.map((x, j) => (row[j].n ? Q.add(x, Q.mul(factor, row[j])) : x))); }
    basis.set(lead, row);
  }

  // the first state with the same image, for each state
  const kernel = (f) => f.map((x) => f.indexOf(x));

  function idempotentsAlike(L) {
    const { m } = L, monoid = L.monoid(), seen = new Map();
    for (const j of monoid.idempotents) {
      const f = monoid.maps[j], name = key(kernel(f));
      if (!seen.has(name)) { seen.set(name, j); continue; }
      const i = seen.get(name), e = monoid.maps[i], q = f.findIndex((x, p) => x !== e[p]);
      return no("SAYS", { e: monoid.word(i), f: monoid.word(j), u: m.reaching[q], v: m.telling(e[q], f[q]) });
    }
    L.whole();
    return null;
  }

  const rInfinity = (L) => { const counts = aperiodic(L); return counts ? { ...counts, of: "aperiodic" } : idempotentsAlike(L); };

  // the words of a permutation that moves state q along a cycle
  function counting(m, q, word) {
    const cycle = [q];
    for (let at = m.end(q, word); at !== q; at = m.end(at, word)) cycle.push(at);
    const tail = m.telling(q, cycle[1]), said = cycle.map((p) => m.answers[m.end(p, tail)]);
    const p = range(said.length).map((i) => i + 1).find((i) => said.length % i === 0 && said.every((x, j) => x === said[(j + i) % said.length]));
    return no("SAYS", { u: m.reaching[q], w: word, v: tail }, { p });
  }

  function aperiodic(L) {
    for (const found of L.groups()) {
      const [permutation, word] = found.generators[0];
      return counting(L.m, found.points[permutation.findIndex((j, i) => j !== i)], word);
    }
    L.exhausted();
    return null;
  }

  function periodsPowersOfTwo(L) {
    for (const found of L.groups()) {
      // Cauchy: if the order of the group is no power of 2, an element has an odd prime as its order; a generator has the shorter word
      const counts = (f) => { const x = order(f); return x & (x - 1); };
      let [f, word] = found.generators.find((g) => counts(g[0])) || [null, null];
      if (!f) {
        const all = elementsOf(found), i = all.findIndex((e) => counts(e[0]));
        if (i < 0 && !found.all.complete) throw tooLarge();
        if (i < 0) continue;
        [f, word] = [all[i][0], wordOf(found, i)];
      }
      const size = order(f), two = size & -size, odd = power(f, two);
      return { ...counting(L.m, found.points[odd.findIndex((j, p) => j !== p)], Array(two).fill(word).flat()), of: "aperiodic" };
    }
    L.exhausted();
    return null;
  }

  function solvable(L) {
    for (const found of L.groups()) {
      if (elementsOf(found) && found.all.complete && isSolvable(found)) continue;
      const [x, y, i, j, k] = coprime(found);
      return no("SAYS", { x: wordOf(found, x), y: wordOf(found, y), s: found.image }, { n: found.points.length, i, j, k });
    }
    L.exhausted();
    return null;
  }

  // what words of each length do, as marks on the elements, until that repeats
  function lengthsOf(L) {
    L.whole();
    const { maps, right } = L.monoid(), k = L.m.k, layers = [], seen = new Map();
    let layer = new Uint8Array(maps.length);
    layer[0] = 1;
    for (let name; !seen.has((name = layer.join(""))); ) {
      if (layers.length * maps.length > MOST.looks) throw new Undecided(`words of more than ${many(layers.length)} lengths act differently`);
      seen.set(name, layers.length);
      layers.push(layer);
      const longer = new Uint8Array(maps.length);
      layer.forEach((on, i) => { if (on) for (let a = 0; a < k; a++) longer[right[i * k + a]] = 1; });
      layer = longer;
    }
    const moving = maps.map((f) => { const y = settled(f); return unequal(after(y, f), y); });
    return { layers, again: seen.get(layer.join("")), moving };
  }

  function clocked(L) {
    const { m } = L, { layers, again, moving } = lengthsOf(L), monoid = L.monoid(), last = layers.length, period = last - again;
    const permutes = layers.map((layer) => layer.some((on, i) => on && moving[i]));
    const bad = (N) => {
      for (let t = N; t < last + period * N + 1; t += N) if (permutes[t < last ? t : again + ((t - again) % period)]) return true;
      return false;
    };
    for (let N = 1; N <= 2 * last; N++) if (!bad(N)) return null;
    // a word of length t of an element of its layer
    function word(element, t) {
      const letters = [];
      for (; t; t--) {
        const i = layers[t - 1].findIndex((on, j) => on && range(m.k).some((a) => monoid.right[j * m.k + a] === element));
        letters.push(range(m.k).find((a) => monoid.right[i * m.k + a] === element));
        element = i;
      }
      return letters.reverse();
    }
    for (let t = 0; t < last; t++) {
      const elements = range(monoid.maps.length).filter((i) => layers[t][i]), done = new Set();
      for (const i of elements) {
        if (!moving[i]) continue;
        for (const cycle of turning(monoid.maps[i])) {
          const name = [...cycle].sort((p, q) => p - q).join(" ");
          if (done.has(name)) continue;
          done.add(name);
          const still = elements.find((j) => cycle.every((q) => monoid.maps[j][q] === q));
          if (still !== undefined) return no("SAYS", { w: word(i, t), o: word(still, t), u: m.reaching[cycle[0]] });
        }
      }
    }
    throw new Error("without such words there is a clock (new.bistable.hybrid)");
  }

  // the cycles of two states or more of a map
  function turning(f) {
    const found = [], seen = new Set();
    for (let start = 0; start < f.length; start++) {
      const path = [];
      let q = start;
      for (; !seen.has(q); q = f[q]) { seen.add(q); path.push(q); }
      const at = path.indexOf(q);
      if (at >= 0 && path.length - at > 1) found.push(path.slice(at));
    }
    return found;
  }

  function oneSidedIdempotents(L) {
    const { m } = L, monoid = L.monoid(), kernels = new Map();
    for (const i of monoid.idempotents) { const name = key(kernel(monoid.maps[i])); if (!kernels.has(name)) kernels.set(name, i); }
    if (kernels.size * monoid.idempotents.length * m.n > MOST.products) throw new Undecided(`the transition monoid has ${many(monoid.idempotents.length)} idempotents`);
    for (const i of kernels.values()) {
      const e = monoid.maps[i];
      for (const j of monoid.idempotents) {
        const f = monoid.maps[j], q = f.findIndex((x, p) => e[x] !== e[f[e[p]]]);
        if (q >= 0) return no("SAYS", { e: monoid.word(i), f: monoid.word(j), u: m.reaching[q], v: m.telling(e[f[q]], e[f[e[q]]]) });
      }
    }
    L.whole();
    return null;
  }

  function absorbedIdempotents(L) {
    const { m } = L, monoid = L.monoid(), E = monoid.idempotents;
    if (E.length * E.length * m.n > MOST.products) throw new Undecided(`the transition monoid has ${many(E.length)} idempotents`);
    for (const i of E) for (const j of E) {
      const f = monoid.maps[j], both = after(monoid.maps[i], f), z = settled(both), q = f.findIndex((x, p) => z[x] !== z[p]);
      if (q < 0) continue;
      let unit = both, p = 1;
      for (; unequal(after(unit, unit), unit); p++) unit = after(both, unit);
      return no("SAYS", { e: monoid.word(i), f: monoid.word(j), u: m.reaching[q], v: m.telling(unit[f[q]], unit[q]) }, { p });
    }
    L.whole();
    return null;
  }

  const DECIDE = {
    "last-letter": lastLetter, "length-and-last-letter": lengthAndLastLetter, "definite": definite, "quasi-definite": quasiDefinite, "late": late,
    "stutter-invariant": stutterInvariant, "order-of-last-occurrences": orderOfLastOccurrences, "cubed-letters": cubedLetters, "group": group,
    "constant-powers": constantPowers, "counts-mod-2": countsModuloTwo, "counts-mod-m": countsModuloSome, "r-trivial": rTrivial, "c-rasp": cRasp,
    "r-infinity": rInfinity, "r-and-groups": idempotentsAlike, "aperiodic": aperiodic, "clocked": clocked, "periods-powers-of-2": periodsPowersOfTwo,
    "solvable": solvable, "efe-is-fe": oneSidedIdempotents, "absorbed-idempotents": absorbedIdempotents,
  };

  // {has: true | false | null, witness, why}: null, with the bound that was met, if it was not decided
  function decide(L, id) {
    try {
      const witness = DECIDE[id](L);
      return { has: witness === null, witness, why: null };
    } catch (error) {
      if (!(error instanceof Undecided)) throw error;
      return { has: null, witness: null, why: error.message };
    }
  }

  return { Language, decide, components, DECIDE, MOST };
})();

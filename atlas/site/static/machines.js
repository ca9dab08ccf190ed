// automata {letters, table, start, accepting}, table[a][q] the state after letter number a, and the machine of a language on nonempty words
"use strict";
const Machines = (function () {
  const ANY = -1;

  // numbers of blocks: the coarsest partition that refines `observed` and that the letters respect
  function blocks(table, observed) {
    const renumber = (keys) => {
      const number = new Map();
      return keys.map((key) => (number.has(key) || number.set(key, number.size), number.get(key)));
    };
    let block = renumber(observed), count = 0;
    while (new Set(block).size > count) {
      count = new Set(block).size;
      block = renumber(block.map((b, q) => `${b} ${table.map((row) => block[row[q]]).join(" ")}`));
    }
    return block;
  }

  // the states that words reach from `start`, in order of discovery
  function reached(table, start) {
    const order = [start], seen = new Set(order);
    for (const q of order) for (const row of table) if (!seen.has(row[q])) { seen.add(row[q]); order.push(row[q]); }
    return order;
  }

  // minimal by what is observed: {table, names}, names[q] an old state that q stands for; state 0 is the start
  function minimal(table, start, observed) {
    const order = reached(table, start), place = new Map(order.map((q, i) => [q, i]));
    const small = table.map((row) => order.map((q) => place.get(row[q]))), block = blocks(small, order.map((q) => observed[q]));
    const first = [];
    block.forEach((b, q) => { if (first[b] === undefined) first[b] = q; });
    return { table: small.map((row) => first.map((q) => block[row[q]])), names: first.map((q) => order[q]) };
  }

  // without states that no word reaches, and with equal ones merged
  function minimise(automaton) {
    const { table, names } = minimal(automaton.table, automaton.start, automaton.accepting.map(String)), order = reached(table, 0);
    const place = new Map(order.map((q, i) => [q, i]));
    return {
      letters: automaton.letters, start: 0, accepting: order.map((q) => automaton.accepting[names[q]]),
      table: table.map((row) => order.map((q) => place.get(row[q]))), names: order.map((q) => names[q]),
    };
  }

  // the start is made a state of its own whose answer does not matter, and then merged with one that has the same successors: see constructions/languages/machine.py
  function machine(automaton, tracked) {
    const n = automaton.table[0].length, said = automaton.table[0].map((_, q) => (tracked ? q : Number(automaton.accepting[q])));
    const table = automaton.table.map((row) => [...row, row[automaton.start]]), small = minimal(table, n, [...said, ANY]);
    const answers = small.names.map((q) => (q === n ? ANY : said[q]));
    const alike = answers.findIndex((_, q) => q > 0 && small.table.every((row) => row[q] === row[0])), order = reached(small.table, alike > 0 ? alike : 0);
    const place = new Map(order.map((q, i) => [q, i])), delta = small.table.map((row) => order.map((q) => place.get(row[q])));
    return language(automaton.letters, delta, order.map((q) => answers[q]));
  }

  function language(letters, delta, answers) {
    const n = answers.length, k = letters.length;
    const reaching = [[]];
    reached(delta, 0).forEach((q) => delta.forEach((row, a) => { if (reaching[row[q]] === undefined) reaching[row[q]] = [...reaching[q], a]; }));
    const end = (q, word) => word.reduce((p, a) => delta[a][p], q);

    // a shortest nonempty word to a state; the empty one to a start that no word leads back to
    function arriving(q) {
      if (q) return reaching[q];
      const back = delta.flatMap((row, a) => row.flatMap((r, p) => (r === 0 ? [[...reaching[p], a]] : [])));
      return back.length ? back.reduce((x, y) => (y.length < x.length ? y : x)) : [];
    }

    // a shortest word after which two different states answer differently
    function telling(p, q) {
      const words = new Map([[p * n + q, []]]);
      for (const [pair, word] of words) {
        const one = Math.floor(pair / n), two = pair % n;
        if (answers[one] !== answers[two] && answers[one] !== ANY && answers[two] !== ANY) return word;
        delta.forEach((row, a) => {
          const next = row[one] * n + row[two];
          if (row[one] !== row[two] && !words.has(next)) words.set(next, [...word, a]);
        });
      }
      throw new Error(`two states that should differ are alike: ${p} and ${q}`);
    }

    return { letters, delta, answers, n, k, reaching, end, arriving, telling };
  }

  return { minimise, machine, reached, ANY };
})();

// what the rows of knowledge/languages.toml (KNOWN, generated) say of a language: as atlas/languages.py. `bounds` are the lower bounds of norm-one.js by arithmetic; what a compiler builds is not known here
"use strict";
const Verdicts = (function () {
  // whether a yes in one arithmetic is one in the other
  function leads(here, there) {
    if (here === KNOWN.own || there === KNOWN.own) return true;
    while (here !== there && here in KNOWN.kinder) here = KNOWN.kinder[here];
    return here === there;
  }

  const all = (values) => (values.includes(false) ? false : values.includes(null) ? null : true);

  // whether all properties of one alternative hold; null if that was not decided
  function holds(has, alternatives) {
    const values = alternatives.map((properties) => all(properties.map((id) => has[id])));
    return values.includes(true) ? true : values.includes(null) ? null : false;
  }

  // a property that fails in each alternative
  const against = (has, alternatives) => alternatives.map((properties) => properties.find((id) => has[id] === false));

  const better = (keys) => (rows) => rows.reduce((best, row) => {
    if (!best) return row;
    const [one, two] = [keys(row), keys(best)], i = one.findIndex((x, j) => x !== two[j]);
    return i >= 0 && one[i] < two[i] ? row : best;
  }, null);
  const grade = (row) => KNOWN.grades.indexOf(row.grade);
  const firstYes = better((row) => [row.most === null ? 1 : 0, row.build === null ? 1 : 0, grade(row)]), firstNo = better((row) => [grade(row)]);

  // what rows ask of a machine beside properties: its number of states, and the most swaps that a letter takes; null if a letter is no permutation
  function sizes({ delta, n }) {
    const cycles = (row) => {
      const seen = new Set();
      let count = 0;
      for (let q = 0; q < n; q++) { if (!seen.has(q)) count++; for (let p = q; !seen.has(p); p = row[p]) seen.add(p); }
      return count;
    };
    return { states: n, swaps: delta.every((row) => new Set(row).size === n) ? Math.max(...delta.map((row) => n - cycles(row))) : null };
  }

  // {says, row, against, least, most, one, oneRow, oneAgainst, built}; `size` as above
  function verdict(has, size, model, arithmetic, bounds = {}) {
    const rows = KNOWN.rows.filter((row) => row.models.includes(model)), serves = (row) => row.swaps === null || (size.swaps !== null && size.swaps <= row.swaps);
    const yes = rows.filter((row) => serves(row) && row.relation !== "within" && leads(row.arithmetic, arithmetic) && holds(has, row.properties) === true);
    const nay = rows.filter((row) => row.relation !== "holds" && leads(arithmetic, row.arithmetic) && holds(has, row.properties) === false);
    const of = (list, layers) => list.filter((row) => row.layers === layers);
    const anyYes = firstYes(of(yes, "any")), anyNo = firstNo(of(nay, "any")), oneNo = firstNo(of(nay, "1"));
    const oneYes = firstYes(of(yes, "1")) || (anyYes && anyYes.most === 1 ? anyYes : null);
    if (anyNo) {
      const words = against(has, anyNo.properties);
      return { says: "no", row: anyNo, against: words, least: null, most: null, one: "no", oneRow: anyNo, oneAgainst: words, built: null };
    }
    const one = oneYes ? "yes" : oneNo ? "no" : "open", oneAgainst = oneNo ? against(has, oneNo.properties) : [], known = KNOWN.norm.models.includes(model) ? bounds[arithmetic] || 1 : 1, least = oneYes ? 1 : Math.max(oneNo ? 2 : 1, known);
    if (!anyYes && !oneYes) return { says: "open", row: null, against: [], least, most: null, one, oneRow: oneNo, oneAgainst, built: null };
    const most = oneYes ? 1 : anyYes.most === "states - 1" ? Math.max(1, size.states - 1) : anyYes.most;
    const built = yes.find((row) => row.build !== null) || null;
    return { says: "yes", row: oneYes || anyYes, against: [], least, most, one, oneRow: oneYes || oneNo, oneAgainst, built };
  }

  function layers(v) {
    if (v.says !== "yes") return "";
    if (v.least === v.most) return String(v.least);
    return v.most === null ? `${v.least} or more` : `${v.least} to ${v.most}`;
  }

  // all models: yes first, fewest layers first, those without a known number last; within these as the table has them
  function sorted(has, m, arithmetic, bounds = {}) {
    const size = sizes(m), rank = { yes: 0, open: 1, no: 2 };
    return KNOWN.models.map((model) => ({ model, v: verdict(has, size, model.id, arithmetic, bounds) })).map((x, i) => ({ ...x, i })).sort((x, y) =>
      rank[x.v.says] - rank[y.v.says] || (x.v.most === null ? 1 : 0) - (y.v.most === null ? 1 : 0) || x.v.most - y.v.most || x.v.least - y.v.least || x.i - y.i);
  }

  return { verdict, sizes, holds, sorted, layers };
})();

// the words of a witness as a sentence: as constructions/languages/witness.py
const Words = (function () {
  const spelt = (word) => (word.length ? `'${word.join(word.every((x) => Array.from(x).length === 1) ? "" : " ")}'` : "ε");

  // {form, of, words, numbers} with letters by their numbers
  function sentence(id, witness, letters) {
    const says = KNOWN.properties[witness.of || id].says[witness.form];
    const written = says.replace(/(?:\{\w+\})+/g, (group) => {
      const names = group.match(/\w+/g);
      if (names[0] in witness.numbers) return String(witness.numbers[names[0]]);
      return spelt(names.flatMap((name) => witness.words[name].map((a) => letters[a])));
    });
    // words that stand together are one word; an empty one beside a power says nothing
    return written.replace(/ε (?=['(]\S*\^|\('|'\S+'\^)/g, "").replace(/(?<=[ij)\d]) ε(?= |$)/g, "");
  }

  return { sentence, spelt };
})();

// The search: MiniSearch over DOCUMENTS, with words as people write them. Search.find(text) gives records, the best first.
const Search = (function () {
  var greek = DOCUMENTS.greek, kinds = Object.keys(DOCUMENTS.kinds), index = null;
  // words that say nothing about what is looked for
  var EMPTY = new Set("a an and are as at be by can do does for from how in is it of on or than that the to what when which who why with".split(" "));
  // what counts for how much: claims are many, and modules say everything
  var WEIGHT = {task: 2, model: 2, paper: 2, word: 1.4, question: 2, command: 1.4, topic: 1.2, claim: 1, errata: 0.8, page: 1.2, document: 0.7, notebook: 0.7, module: 0.4, rocq: 0.4};

  // S₅ and S_5 are s5, β is beta, Muça is muca
  function folded(text) {
    return text.replace(/[\u0370-\u03ff]/g, function (x) { return greek[x] ? " " + greek[x] + " " : x; }).normalize("NFKD").replace(/[\u0300-\u036f_^{}]/g, "").toLowerCase();
  }
  function compact(text) { return folded(text).replace(/[^a-z0-9]/g, ""); }
  function words(text) { return folded(text).match(/[a-z0-9]+(?:[.'’\u2010-\u2015-][a-z0-9]+)*/g) || []; }
  function parts(word) { return word.split(/[^a-z0-9]+/); }
  // a word with hyphens or dots is found whole and in parts; grazzi25 is found by grazzi
  function terms(word) {
    var pieces = parts(word), all = [word.replace(/[^a-z0-9.]/g, "")].concat(pieces.length > 1 ? pieces : []);
    pieces.forEach(function (p) { var name = /^([a-z]{5,})\d+$/.exec(p); if (name) all.push(name[1]); });
    return all.filter(function (x, i) { return x && all.indexOf(x) === i; });
  }
  function made() {
    if (index) return index;
    index = new MiniSearch({
      fields: ["names", "title", "text"],
      idField: "number",
      tokenize: function (text) { return [].concat.apply([], words(text).map(terms)); },
      processTerm: function (term) { return term; },
      extractField: function (record, field) { return field === "names" ? record.names.join(" ") : record[field]; },
    });
    index.addAll(DOCUMENTS.records.map(function (r, number) { r.number = number; r.called = new Set(r.names.map(compact)); return r; }));
    return index;
  }
  function query(text) {
    var all = words(text), said = all.filter(function (w) { return !EMPTY.has(w); });
    return (said.length ? said : all).map(function (word) {
      var whole = word.replace(/[^a-z0-9.]/g, ""), pieces = parts(word);
      return pieces.length > 1 ? {combineWith: "OR", queries: [whole, {combineWith: "AND", queries: pieces}]} : whole;
    });
  }
  function find(text) {
    var queries = query(text), exact = compact(text);
    if (!queries.length) return [];
    var options = {
      boost: {names: 6, title: 4, text: 1},
      prefix: function (term) { return term.length > 2; },
      fuzzy: function (term) { return term.length > 5 && !/\d/.test(term) ? 0.15 : false; },
      boostDocument: function (id) { return WEIGHT[DOCUMENTS.records[id].kind]; },
      tokenize: function (x) { return [x]; },
    };
    var hits = made().search({combineWith: "AND", queries: queries}, options);
    if (!hits.length) hits = made().search({combineWith: "OR", queries: queries}, options);
    var found = hits.map(function (hit) {
      var record = DOCUMENTS.records[hit.id];
      return {record: record, named: record.called.has(exact), score: hit.score};
    });
    // what is called so comes first, of that the kinds in order; then what fits best
    found.sort(function (a, b) {
      if (a.named !== b.named) return a.named ? -1 : 1;
      if (a.named) return kinds.indexOf(a.record.kind) - kinds.indexOf(b.record.kind) || a.record.number - b.record.number;
      return b.score - a.score || a.record.number - b.record.number;
    });
    return found.map(function (x) { return x.record; });
  }
  return {find: find, kinds: DOCUMENTS.kinds};
})();

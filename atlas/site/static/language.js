// "Type a language": what is typed or entered, its minimal automaton, the ladder of classes, the models. The fragment of the address holds everything
"use strict";
(function () {
  const box = (id) => document.getElementById(id), { escape } = Drawing, LETTERS = "abcdefghij", MOST = { states: 20, letters: 10 };
  const empty = () => ({ letters: ["a", "b"], table: [[0, 0], [0, 1]], accepting: [0] });
  const plural = (n, what) => `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;
  const state = { way: "regex", regex: "a*b*", alphabet: "", editor: empty(), precision: "exact" };
  const parts = [];
  let found = null;

  // -- the address ---------------------------------------------------------------------------------------------------------------

  function read() {
    const given = {};
    for (const pair of location.hash.slice(1).split("&")) {
      const at = pair.indexOf("=");
      try { if (at > 0) given[pair.slice(0, at)] = decodeURIComponent(pair.slice(at + 1)); } catch (error) { /* a broken escape names nothing */ }
    }
    if ("regex" in given) Object.assign(state, { way: "regex", regex: given.regex, alphabet: given.alphabet || "" });
    if ("letters" in given && "table" in given) {
      const letters = given.letters.split(","), rows = given.table.split("-").map((row) => row.split(".").map(Number)), n = rows[0].length;
      const accepting = (given.accepting || "").split(".").filter(Boolean).map(Number), state_ = (q) => Number.isInteger(q) && q >= 0 && q < n;
      const whole = rows.length === letters.length && letters.length <= MOST.letters && n <= MOST.states && rows.every((row) => row.length === n && row.every(state_));
      const places = (given.places || "").split("-").map((p) => p.split(".").map(Number)), drawn = places.length === n && places.every((p) => p.length === 2 && p.every((x) => Number.isInteger(x) && x >= 0 && x <= 600));
      if (whole && accepting.every(state_)) Object.assign(state, { way: "automaton", editor: { letters, table: rows, accepting, ...(drawn ? { places, drawn } : {}) } });
    }
    if (Object.hasOwn(KNOWN.precisions, given.precision || "")) state.precision = given.precision;
    parts.forEach((part) => part.read(given));
  }

  function write() {
    const { letters, table, accepting, places, drawn } = state.editor;
    const entries = state.way === "regex" ? [["regex", state.regex], ["alphabet", state.alphabet]]
      : [["letters", letters.join(",")], ["table", table.map((row) => row.join(".")).join("-")], ["accepting", accepting.join(".")], ["places", drawn ? places.map((p) => p.join(".")).join("-") : ""]];
    if (state.precision !== "exact") entries.push(["precision", state.precision]);
    parts.forEach((part) => entries.push(...part.entries()));
    const hash = entries.filter(([name, value]) => value !== "" || name === "regex" || name === "accepting").map(([name, value]) => `${name}=${encodeURIComponent(value).replace(/%2C/g, ",")}`).join("&");
    try { history.replaceState(null, "", `#${hash}`); } catch (error) { location.replace(`#${hash}`); }
  }

  // -- the input -----------------------------------------------------------------------------------------------------------------

  function showInput() {
    box(`way-${state.way}`).checked = true;
    box("by-regex").hidden = state.way !== "regex";
    box("by-automaton").hidden = state.way !== "automaton";
    if (box("regex").value !== state.regex) box("regex").value = state.regex;
    if (box("alphabet").value !== state.alphabet) box("alphabet").value = state.alphabet;
    box(`p-${state.precision}`).checked = true;
    if (state.way === "automaton") showEditor();
  }

  function showEditor() {
    const { letters, table, accepting } = state.editor, n = table[0].length, states = Array.from({ length: n }, (_, q) => q);
    const head = letters.map((x, a) => `<th scope="col"><input type="text" size="2" value="${escape(x)}" data-name="${a}" aria-label="Name of letter ${a + 1}" autocapitalize="off" autocomplete="off" spellcheck="false"></th>`).join("");
    const rows = states.map((q) => `<tr><th scope="row">${q}${q ? "" : " (start)"}</th>${letters.map((x, a) => `<td><select data-letter="${a}" data-state="${q}" aria-label="State after ${escape(x)} in state ${q}">${states.map((p) => `<option${p === table[a][q] ? " selected" : ""}>${p}</option>`).join("")}</select></td>`).join("")}<td><input type="checkbox" data-accepting="${q}" aria-label="State ${q} accepts"${accepting.includes(q) ? " checked" : ""}></td></tr>`).join("");
    box("editor").innerHTML = `<caption>Where each letter leads</caption><thead><tr><th scope="col">state</th>${head}<th scope="col">accepts</th></tr></thead><tbody>${rows}</tbody>`;
    box("add-state").disabled = n >= MOST.states;
    box("drop-state").disabled = n < 2;
    box("add-letter").disabled = letters.length >= MOST.letters;
    box("drop-letter").disabled = letters.length < 2;
    Canvas.show(state.editor);
  }

  const edit = {
    "add-state": (e) => e.table.forEach((row) => row.push(row.length)),
    "drop-state": (e) => {
      const last = e.table[0].length - 1;
      e.table = e.table.map((row) => row.slice(0, -1).map((p, q) => (p === last ? q : p)));
      e.accepting = e.accepting.filter((q) => q < last);
      e.places = e.places.slice(0, last);
    },
    "add-letter": (e) => {
      e.letters.push([...LETTERS].find((x) => !e.letters.includes(x)) || `x${e.letters.length}`);
      e.table.push(e.table[0].map((_, q) => q));
    },
    "drop-letter": (e) => { e.letters.pop(); e.table.pop(); },
  };

  // the automaton that is asked about, and whether its states are to be tracked: where none accepts
  function asked() {
    if (state.way === "regex") return { automaton: Regex.automaton(state.regex, state.alphabet), tracked: false };
    const { letters, table, accepting } = state.editor;
    if (letters.some((x) => !x || /[\s,]/.test(x))) throw new Error("Every letter needs a name, without spaces and commas.");
    if (new Set(letters).size < letters.length) throw new Error("Two letters have the same name.");
    return { automaton: { letters, table, start: 0, accepting: table[0].map((_, q) => accepting.includes(q)) }, tracked: accepting.length === 0 };
  }

  // -- the answer ----------------------------------------------------------------------------------------------------------------

  function answer() {
    const field = state.way === "regex" ? box("regex") : null;
    try {
      const { automaton, tracked } = asked(), m = Machines.machine(automaton, tracked), L = Properties.Language(m), known = {};
      for (const id of Object.keys(KNOWN.properties)) known[id] = Properties.decide(L, id);
      const has = Object.fromEntries(Object.entries(known).map(([id, x]) => [id, x.has]));
      const drawn = tracked ? reachable(automaton) : Machines.minimise(automaton);
      const bounds = {}, bound = (arithmetic) => bounds[arithmetic] || (bounds[arithmetic] = NormOne.bound(L, arithmetic === "exact"));
      found = { automaton: drawn, tracked, m, L, known, has, bound };
      box("answers").hidden = false;
      if (field) field.setAttribute("aria-invalid", "false");
    } catch (error) {
      found = null;
      box("answers").hidden = true;
      if (field) field.setAttribute("aria-invalid", "true");
      box("answer").className = "answer no";
      box("answer").textContent = error.message;
      write();
      return;
    }
    showAnswer();
    showMachine();
    showLadder();
    showModels();
    parts.forEach((part) => part.show(found));
    write();
  }

  // an automaton of which the states are to be tracked is not minimised
  function reachable(automaton) {
    const order = Machines.reached(automaton.table, 0), place = new Map(order.map((q, i) => [q, i]));
    return { letters: automaton.letters, start: 0, accepting: order.map(() => false), table: automaton.table.map((row) => order.map((q) => place.get(row[q]))) };
  }

  const nameOf = (rung) => (rung.properties.length ? rung.properties.map((id) => KNOWN.properties[id].name).join(" and ") : "regular");
  const holds = (rung) => Verdicts.holds(found.has, [rung.properties]);
  // the smallest rungs that hold: what a rung below one of these would have is missing
  const lit = () => KNOWN.ladder.flat().filter((rung) => holds(rung) === true && !rung.below.some((small) => holds({ properties: small }) === true));

  function showAnswer() {
    const { L, m, automaton, tracked } = found, monoid = L.monoid(), elements = monoid.complete ? plural(monoid.maps.length, "element") : `more than ${plural(Properties.MOST.elements, "element")}`;
    const what = tracked ? "the states of this automaton" : state.way === "regex" ? state.regex || "()" : "the language of this automaton";
    box("answer").className = "answer yes";
    box("answer").textContent = `The smallest classes that contain ${what}: ${lit().map(nameOf).join("; ")}. ${plural(automaton.accepting.length, "state")}, ${plural(m.k, "letter")}, ${elements} in the transition monoid.`;
    box("command").textContent = `lemmata can ${source()}`;
  }

  const quoted = (text) => (text && /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, `'"'"'`)}'`);
  const source = () => (state.way === "automaton" ? "--automaton FILE" : `--regex ${quoted(state.regex)}${state.alphabet ? ` --alphabet ${quoted(state.alphabet)}` : ""}`);

  function showMachine() {
    const { automaton, tracked } = found, { letters, table, accepting } = automaton, drawing = Drawing.svg(automaton);
    box("drawing").innerHTML = drawing || `<p>It has more than ${Drawing.MOST_STATES} states: the table below shows them.</p>`;
    box("machine-says").textContent = tracked ? "No state accepts, so the question is which model knows the state after every word." : "The minimal automaton; a double circle accepts. The answer to the empty word does not count for what follows.";
    box("transitions").innerHTML = `<caption>The state after each letter</caption><thead><tr><th scope="col">state</th>${letters.map((x) => `<th scope="col">${escape(x)}</th>`).join("")}<th scope="col">accepts</th></tr></thead><tbody>${accepting.map((ends, q) => `<tr><th scope="row">${q}</th>${table.map((row) => `<td>${row[q]}</td>`).join("")}<td>${ends ? "yes" : "no"}</td></tr>`).join("")}</tbody>`;
    box("file").textContent = JSON.stringify({ table: Object.fromEntries(letters.map((x, a) => [x, table[a]])), start: 0, accepting: accepting.flatMap((ends, q) => (ends ? [q] : [])) });
  }

  // why a property fails: the words
  const because = (id) => `not ${KNOWN.properties[id].name}: ${Words.sentence(id, found.known[id].witness, found.m.letters)}`;
  const modelNames = (ids) => ids.map((id) => { const m = KNOWN.models.find((x) => x.id === id); return `<a href="../can/${id}.html">${escape(m.names[0])}</a>`; }).join(", ");

  function showLadder() {
    const shining = lit();
    box("ladder").innerHTML = KNOWN.ladder.map((level) => `<li>${level.map((rung) => {
      const says = holds(rung), wrong = rung.properties.find((id) => found.has[id] === false), open = rung.properties.find((id) => found.has[id] === null), here = shining.includes(rung);
      const word = says === true ? (here ? "here" : "yes") : says === false ? "no" : "not decided";
      const why = says === false ? `<p class="why">${escape(because(wrong))}.</p>` : says === null ? `<p class="why">not decided: ${escape(found.known[open].why)}</p>` : "";
      const who = rung.any.length ? `exactly these languages, with any number of layers: ${modelNames(rung.any)}` : `exactly these languages, with one layer: ${modelNames(rung.one)}`;
      const means = rung.properties.map((id) => KNOWN.properties[id].means).join("; and ") || "every language of a finite automaton";
      return `<div class="rung ${here ? "here" : says === true ? "holds" : says === false ? "fails" : "unknown"}"${here ? ' aria-current="true"' : ""}><p class="name"><b>${escape(nameOf(rung))}</b> <span class="mark">${word}</span></p>${why}<p class="means">${escape(means)}</p><p class="who">${who}</p></div>`;
    }).join("")}</li>`).join("");
    const count = (says) => Object.values(found.has).filter((x) => x === says).length;
    box("properties-count").textContent = `All ${Object.keys(found.has).length} properties: ${count(true)} hold, ${count(false)} fail, ${count(null)} not decided`;
    box("properties").innerHTML = `<caption>Every property that a row of the table asks for</caption><thead><tr><th scope="col">property</th><th scope="col">has it</th><th scope="col">words that forbid it</th></tr></thead><tbody>${Object.entries(KNOWN.properties).map(([id, p]) => {
      const x = found.known[id];
      return `<tr><th scope="row"><abbr title="${escape(p.means)}">${escape(p.name)}</abbr></th><td>${x.has === true ? "yes" : x.has === false ? "no" : "not decided"}</td><td>${escape(x.has === false ? Words.sentence(id, x.witness, found.m.letters) : x.why || "")}</td></tr>`;
    }).join("")}</tbody>`;
  }

  function rests(row) {
    if (!row) return "";
    const claims = row.claims.map((id) => `<a href="../claims/${id}.html"><code>${id}</code></a>`), more = [...row.cites.map(escape), ...(row.argument ? ["an argument"] : [])];
    return `${[...claims, ...more].join(", ")}; ${row.grade}${row.needs ? `; with ${escape(row.needs)}` : ""}${row.unless ? `; unless ${escape(row.unless)}` : ""}`;
  }

  // the bound on layers of norm at most 1 with its chain of words
  function said({ layers, levels, idempotents, why }) {
    if (layers === null) return `<p>Layers of norm at most 1, without a convolution: ${escape(why)}.</p>`;
    const { m } = found, claim = KNOWN.norm.claims[state.precision], spelt = (word) => escape(Words.spelt(word.map((a) => m.letters[a])));
    const lines = levels.flatMap(({ z, points, u }) => [`after ${spelt(z)} a layer stands still, and the states after ${points.map((q) => spelt(m.reaching[q])).join(", ")} must still be told apart`, ...(u ? [`${spelt(u)} before it still counts`] : [])]);
    if (idempotents) lines.push("two idempotents have e f e other than f e");
    return `<p>Layers of norm at most 1, without a convolution, such as DeltaNet’s and DeltaProduct’s: at least ${Math.max(1, layers)} (<a href="../claims/${claim}.html"><code>${claim}</code></a>).</p>${lines.length ? `<ul>${lines.map((x) => `<li>${x}</li>`).join("")}</ul>` : ""}`;
  }

  function showModels() {
    const { precision } = state, bound = precision in KNOWN.norm.claims ? found.bound(precision) : null;
    const rows = Verdicts.sorted(found.has, found.m, precision, bound ? { [precision]: bound.layers } : {}), count = (says) => rows.filter((x) => x.v.says === says).length;
    box("meaning").textContent = `${KNOWN.precisions[state.precision]}.`.replace(/^./, (x) => x.toUpperCase());
    box("models-count").textContent = `${count("yes")} yes, ${count("no")} no, ${count("open")} not decided.`;
    box("bound").innerHTML = bound ? said(bound) : "";
    const cell = { yes: ["yes", "yes"], no: ["no", "no"], open: ["open", "not decided"] };
    box("models").innerHTML = `<caption>Fewest layers first; then as the table orders the models</caption><thead><tr><th scope="col">model</th><th scope="col">answer</th><th scope="col">layers</th><th scope="col">one layer</th><th scope="col">why</th></tr></thead><tbody>${rows.map(({ model, v }) => {
      const words = [...new Set(v.says === "no" ? v.against : v.oneAgainst)].map((id) => `<br>${v.says === "no" ? "" : "one layer: "}${escape(because(id))}`).join("");
      const built = v.built && v.built.build !== null ? `<br>build it: <code>lemmata compile ${escape(source())}${v.built.build ? ` ${v.built.build}` : ""}</code>` : "";
      return `<tr><th scope="row"><a href="../can/${model.id}.html">${escape(model.names.join(", "))}</a> <small>${escape(model.name)}</small></th><td><span class="cell ${cell[v.says][0]}">${cell[v.says][1]}</span></td><td>${Verdicts.layers(v)}</td><td>${v.one === "open" ? "?" : v.one}</td><td>${rests(v.row || v.oneRow)}${words}${built}</td></tr>`;
    }).join("")}</tbody>`;
  }

  // -- what the reader does --------------------------------------------------------------------------------------------------------

  let waiting = 0;
  // typing is answered when it pauses
  function soon() { clearTimeout(waiting); waiting = setTimeout(answer, 150); }
  function changed() { showInput(); answer(); }

  for (const way of ["regex", "automaton"]) box(`way-${way}`).addEventListener("change", () => { state.way = way; changed(); });
  for (const name of ["regex", "alphabet"]) box(name).addEventListener("input", () => { state[name] = box(name).value; soon(); });
  for (const name of Object.keys(KNOWN.precisions)) box(`p-${name}`).addEventListener("change", () => { state.precision = name; write(); if (found) showModels(); });
  for (const [id, change] of Object.entries(edit)) box(id).addEventListener("click", () => { change(state.editor); changed(); });
  box("editor").addEventListener("change", ({ target }) => {
    const { editor } = state;
    if (target.dataset.name !== undefined) editor.letters[target.dataset.name] = target.value.trim();
    if (target.dataset.state !== undefined) editor.table[target.dataset.letter][target.dataset.state] = Number(target.value);
    if (target.dataset.accepting !== undefined) {
      const q = Number(target.dataset.accepting);
      editor.accepting = target.checked ? [...editor.accepting, q].sort((x, y) => x - y) : editor.accepting.filter((p) => p !== q);
    }
    Canvas.show(editor);
    answer();
  });
  // places are kept in the address once something was drawn
  Canvas.onchange(() => { state.editor.drawn = true; changed(); });
  box("take").addEventListener("click", () => {
    const { letters, table, accepting } = found.automaton;
    if (accepting.length > MOST.states || letters.length > MOST.letters) { box("take-says").textContent = `The table takes at most ${MOST.states} states and ${MOST.letters} letters.`; return; }
    state.editor = { letters: [...letters], table: table.map((row) => [...row]), accepting: accepting.flatMap((ends, q) => (ends ? [q] : [])) };
    state.way = "automaton";
    changed();
    box("way-automaton").focus();
  });
  document.querySelectorAll("[data-address]").forEach((button) => button.addEventListener("click", () => { location.hash = button.dataset.address; }));
  box("most-elements").textContent = Properties.MOST.elements.toLocaleString("en");
  box("most-bound").textContent = NormOne.MOST.elements.toLocaleString("en");
  // a link to a heading of this page is no language: the address goes back to what is shown
  window.addEventListener("hashchange", () => { if (/[#&](regex|letters)=/.test(location.hash)) { read(); changed(); } else write(); });

  // another part of the page: it reads from the address, gives what it writes there, and shows what was found
  window.TypeALanguage = { add: (part) => parts.push(part), changed: write, begin: () => { read(); changed(); } };
})();

// the parts of the page "Type a language" that run: the one-hot network letter by letter, and the rotation of width 2 in a format
"use strict";
(function () {
  const box = (id) => document.getElementById(id), { escape } = Drawing, LONGEST = 200;
  let found = null, network = null, word = "", at = 0, trace = [], given = false;

  // -- the network ---------------------------------------------------------------------------------------------------------------

  const letters = () => found.automaton.letters;
  const short = () => letters().every((x) => Array.from(x).length === 1);
  const example = () => [...letters().flatMap((x) => [x, x]).slice(0, 8), letters()[0]].join(short() ? "" : " ");

  function split(text) {
    const names = short() ? Array.from(text.replace(/\s/g, "")) : text.split(/\s+/).filter(Boolean), numbers = names.map((x) => letters().indexOf(x));
    if (numbers.includes(-1)) throw new Error(`“${names[numbers.indexOf(-1)]}” is no letter of this language; it has ${letters().join(" ")}`);
    if (numbers.length > LONGEST) throw new Error(`This page steps through at most ${LONGEST} letters; the network reads words of every length.`);
    return numbers;
  }

  const matrix = (rows) => `<table class="matrix"><tbody>${rows.map((row) => `<tr>${row.map((x) => `<td>${x}</td>`).join("")}</tr>`).join("")}</tbody></table>`;
  const column = (h) => matrix(h.map((x) => [x]));
  const says = (q) => (found.tracked ? `state ${q}` : found.automaton.accepting[q] ? "accepted" : "not accepted");

  function showNetwork() {
    const n = found.automaton.accepting.length, small = n <= OneHot.MOST_STATES;
    box("stepping").hidden = !small;
    if (!small) {
      network = null;
      box("network-check").className = "answer open";
      box("network-check").textContent = `This page builds networks of at most ${OneHot.MOST_STATES} states, and the automaton has ${n}. lemmata compile --construction one-hot builds larger ones.`;
      return;
    }
    network = OneHot.build(found.automaton);
    const closed = OneHot.close(network, found.automaton), plural = (x, what) => `${x.toLocaleString("en")} ${what}${x === 1 ? "" : "s"}`;
    box("network-check").className = `answer ${closed.holds ? "yes" : "no"}`;
    box("network-check").textContent = closed.holds
      ? `Re-checked in this page: ${plural(closed.products, "product")} lead to ${plural(closed.vectors, "vector")} and to no other, and each stands for the automaton’s state. So the network is right after every word of every length.`
      : `Wrong after ${Words.spelt(closed.word.map((a) => letters()[a]))}: the vector does not stand for the automaton’s state.`;
    box("letters").innerHTML = letters().map((x) => `<button type="button" data-letter="${escape(x)}">${escape(x)}</button>`).join(" ");
    try { split(word); } catch (error) { given = false; }
    if (!given || !word.trim()) { word = example(); at = 0; }
    box("word").value = word;
    showWord();
  }

  function showWord() {
    try {
      let h = network.start;
      trace = split(word).map((a) => { const before = h; h = OneHot.apply(network.maps[a], h); return { a, before, h, q: OneHot.place(h) }; });
      box("word").setAttribute("aria-invalid", "false");
      box("word-says").textContent = trace.length ? `After ${trace.length} letter${trace.length > 1 ? "s" : ""}: ${says(trace[trace.length - 1].q)}.` : "Type a word, or press letters.";
    } catch (error) {
      trace = [];
      box("word").setAttribute("aria-invalid", "true");
      box("word-says").textContent = error.message;
    }
    const position = box("position");
    position.max = String(Math.max(1, trace.length));
    position.disabled = trace.length < 2;
    at = Math.min(at || trace.length, trace.length);
    position.value = String(Math.max(1, at));
    showStep();
  }

  function showStep() {
    const step = trace[at - 1], { automaton } = found;
    box("position-is").textContent = step ? `${at} of ${trace.length}: ${letters()[step.a]}` : "";
    box("step-drawing").innerHTML = Drawing.svg(automaton, step ? step.q : 0) || "";
    box("step").innerHTML = step ? `<p>Letter ${escape(letters()[step.a])}: the vector before is multiplied by the letter’s matrix. The one stands at place ${step.q}: state ${step.q}, ${says(step.q)}.</p>
<div class="scroll formula" role="group" aria-label="h = A h"><span>${column(step.h)}</span> = <span>${matrix(network.maps[step.a])}</span> <span>${column(step.before)}</span></div>` : "";
    box("trace").innerHTML = trace.length ? `<caption>All letters of the word</caption><thead><tr><th scope="col">k</th><th scope="col">letter</th><th scope="col">h</th><th scope="col">state</th><th scope="col">says</th></tr></thead><tbody>${trace.map((t, k) => `<tr${k + 1 === at ? ' aria-current="step"' : ""}><th scope="row">${k + 1}</th><td>${escape(letters()[t.a])}</td><td>(${t.h.join(", ")})</td><td>${t.q}</td><td>${says(t.q)}</td></tr>`).join("")}</tbody>` : "";
  }

  function typed() { word = box("word").value; given = true; at = 0; showWord(); TypeALanguage.changed(); }
  box("word").addEventListener("input", typed);
  box("letters").addEventListener("click", ({ target }) => {
    if (target.dataset.letter === undefined) return;
    box("word").value += (short() || !box("word").value ? "" : " ") + target.dataset.letter;
    typed();
  });
  box("position").addEventListener("input", () => { at = Number(box("position").value); given = true; showStep(); TypeALanguage.changed(); });

  TypeALanguage.add({
    read: (fields) => { given = "word" in fields; word = fields.word || ""; at = Number(fields.at) || 0; },
    entries: () => (given ? [["word", word], ["at", at && at < trace.length ? String(at) : ""]] : []),
    show: (x) => { found = x; showNetwork(); },
  });

  // -- the rotation --------------------------------------------------------------------------------------------------------------

  const slider = box("format");
  let cyclic = null;

  function showRotation() {
    const i = Number(slider.value), [name, round] = Rotation.FORMATS[i];
    box("format-is").textContent = name;
    slider.setAttribute("aria-valuetext", name);
    if (!cyclic) return;
    const { order, steps } = cyclic, coprime = (k) => { let [a, b] = [k, order]; while (b) [a, b] = [b, a % b]; return a === 1; };
    const a = steps.findIndex(coprime) >= 0 ? steps.findIndex(coprime) : steps.findIndex((k) => k), k = steps[a], letter = found.m.letters[a];
    const { wrong, back } = Rotation.first(k, order, round), many = (x) => x.toLocaleString("en");
    const turn = `The rotation by ${k === 1 ? "" : `${k} · `}360°/${order}, width 2, in ${name}, on ${Words.spelt([letter])} again and again`;
    box("rotation").className = `answer ${wrong ? "no" : back ? "yes" : "open"}`;
    box("rotation").textContent = wrong ? `${turn}: letter ${many(wrong)} is the first that it gets wrong.`
      : back ? `${turn}: never wrong. Its rounded states come back after every ${many(back)} letters.`
      : `${turn}: no wrong letter among the first ${many(Rotation.MOST_LETTERS)}; this page looks no further.`;
  }

  slider.addEventListener("input", () => { showRotation(); TypeALanguage.changed(); });

  TypeALanguage.add({
    read: (fields) => { const i = Rotation.FORMATS.findIndex(([name]) => name === fields.format); slider.value = String(i < 0 ? 0 : i); },
    entries: () => (slider.value === "0" ? [] : [["format", Rotation.FORMATS[slider.value][0]]]),
    show: (x) => {
      found = x;
      cyclic = Rotation.cycleOf(x.m);
      box("rotating").hidden = !cyclic;
      box("not-cyclic").hidden = Boolean(cyclic);
      showRotation();
    },
  });
})();

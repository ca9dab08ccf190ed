// the gallery: an exported network (docs/reference/formats.md) reads a word, exactly
"use strict";
const Network = (function () {
  const read = (matrix) => matrix.map((row) => row.map(Q.read));
  const key = (H) => H.map((row) => Q.text(row[0])).join(" ");

  // numbers read once; a layer's states and decoder as tables
  function load(document) {
    const layers = document.layers.map((layer) => {
      const states = layer.states.map(read), next = new Map(layer.decoder.map(([state, letter, following]) => [`${state} ${letter}`, following]));
      return { states, next, letters: layer.letters, maps: layer.maps.map(({ A, B }) => ({ A: read(A), B: read(B) })), index: new Map(states.map((H, i) => [key(H), i])) };
    });
    return { automaton: document.automaton, letters: document.letters, layers };
  }

  function apply({ A, B }, H) {
    return A.map((row, i) => [row.reduce((sum, a, j) => (a.n ? Q.add(sum, Q.mul(a, H[j][0])) : sum), B[i][0])]);
  }

  // for each letter of the word what each layer reads, does and holds, and the automaton's state
  function run(network, word) {
    let states = network.layers.map((layer) => layer.states[0]);
    return word.map((letter) => {
      let y = letter;
      const steps = network.layers.map((layer, i) => {
        const reads = y, before = states[i], map = layer.maps[layer.letters[y][3]], after = apply(map, before);
        y = layer.next.get(`${layer.index.get(key(after))} ${reads}`);
        if (y === undefined) throw new Error(`layer ${i + 1} came to a state that its decoder lacks`);
        return { reads, map, before, after, on: y };
      });
      states = steps.map((s) => s.after);
      return { letter, steps, state: y };
    });
  }

  return { load, run };
})();

(function () {
  const box = (id) => document.getElementById(id), LONGEST = 200;
  const choice = box("network"), input = box("word"), position = box("position"), answer = box("network-answer");
  const loaded = NETWORKS.map(() => null);
  const escape = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
  let network, trace = [];

  // letters of one character stand side by side; longer ones have spaces between them
  function split(text) {
    const names = network.letters, parts = names.every((x) => x.length === 1) ? [...text.replace(/\s/g, "")] : text.split(/\s+/).filter(Boolean);
    const word = parts.map((x) => names.indexOf(x)), unknown = parts[word.indexOf(-1)];
    if (unknown !== undefined) throw new Error(`“${unknown}” is no letter of this network; it reads ${names.join(" ")}`);
    if (word.length > LONGEST) throw new Error(`expected at most ${LONGEST} letters on this page, got ${word.length}; the network itself reads words of every length`);
    return word;
  }

  const matrix = (rows) => `<table class="matrix"><tbody>${rows.map((row) => `<tr>${row.map((x) => `<td>${Q.text(x)}</td>`).join("")}</tr>`).join("")}</tbody></table>`;
  const vector = (H) => `(${H.map((row) => Q.text(row[0])).join(", ")})`;

  function said(state) {
    const { outputs, accepting } = network.automaton;
    return outputs ? `output ${outputs[state]}${accepting.includes(state) ? ", accepted" : ""}` : accepting.includes(state) ? "accepted" : "not accepted";
  }

  function showStep() {
    const k = Number(position.value), step = trace[k - 1];
    box("layers").innerHTML = box("position-is").textContent = "";
    box("trace").querySelectorAll("tr[aria-current]").forEach((row) => row.removeAttribute("aria-current"));
    if (!step) return;
    box("position-is").textContent = `${k} of ${trace.length}: ${network.letters[step.letter]}`;
    box("layers").innerHTML = step.steps.map((s, i) => `<div class="layer"><b>Layer ${i + 1}</b> reads ${i ? `letter ${s.reads} of its own` : escape(network.letters[s.reads])}
<div class="scroll formula" role="group" aria-label="H = A H + B"><span>${matrix(s.after)}</span> = <span>${matrix(s.map.A)}</span> <span>${matrix(s.before)}</span> + <span>${matrix(s.map.B)}</span></div>
hands on ${i + 1 < step.steps.length ? `letter ${s.on} of layer ${i + 2}` : `the automaton’s state ${escape(network.automaton.states[s.on])}`}</div>`).join("");
    const row = box("trace").querySelectorAll("tbody tr")[k - 1];
    if (row) row.setAttribute("aria-current", "step");
  }

  function showWord() {
    try {
      trace = Network.run(network, split(input.value));
      input.setAttribute("aria-invalid", "false");
      const last = trace.length ? trace[trace.length - 1].state : network.automaton.start;
      answer.className = `answer ${network.automaton.accepting.includes(last) ? "yes" : "open"}`;
      answer.textContent = trace.length ? `After ${trace.length} letter${trace.length > 1 ? "s" : ""}: ${said(last)} (the automaton’s state ${network.automaton.states[last]}).` : "No letter yet: type a word.";
    } catch (error) {
      trace = [];
      input.setAttribute("aria-invalid", "true");
      answer.className = "answer open";
      answer.textContent = error.message;
    }
    position.max = String(Math.max(1, trace.length));
    position.value = position.max;
    position.disabled = trace.length < 2;
    box("trace").innerHTML = trace.length ? `<thead><tr><th scope="col">k</th><th scope="col">letter</th>${network.layers.map((_, i) => `<th scope="col">layer ${i + 1}</th>`).join("")}<th scope="col">state</th><th scope="col">says</th></tr></thead><tbody>${trace.map((t, k) => `<tr><th scope="row">${k + 1}</th><td>${escape(network.letters[t.letter])}</td>${t.steps.map((s) => `<td>${vector(s.after)}</td>`).join("")}<td>${escape(network.automaton.states[t.state])}</td><td>${escape(said(t.state))}</td></tr>`).join("")}</tbody>` : "";
    showStep();
  }

  function showNetwork() {
    const i = choice.selectedIndex, item = NETWORKS[i], { layers, automaton, letters } = item.network;
    network = loaded[i] = loaded[i] || Network.load(item.network);
    const widths = layers.map((x) => x.states[0].length);
    box("network-says").textContent = `${layers.length} layer${layers.length > 1 ? "s" : ""} of width ${widths.join(", ")}, with ${layers.map((x) => x.states.length).join(", ")} states that can be met; the automaton has ${automaton.states.length}.`;
    box("network-command").textContent = item.command;
    box("alphabet").innerHTML = letters.map((x) => `<button type="button" data-letter="${escape(x)}">${escape(x)}</button>`).join(" ");
    input.value = item.word;
    showWord();
  }

  choice.innerHTML = NETWORKS.map((x) => `<option>${escape(x.says)}</option>`).join("");
  choice.addEventListener("change", showNetwork);
  input.addEventListener("input", showWord);
  position.addEventListener("input", showStep);
  box("alphabet").addEventListener("click", (event) => {
    const letter = event.target.dataset.letter;
    if (letter === undefined) return;
    input.value += (network.letters.every((x) => x.length === 1) ? "" : " ") + letter;
    showWord();
  });
  showNetwork();
})();

// an automaton drawn with a mouse or a finger: states are put down and joined by arrows. The table beside it does the same with the keyboard
"use strict";
(function () {
  const { NODE, parts } = Drawing, WIDTH = 600, HEIGHT = 320, STILL = 8, MOST = { states: 20 };
  const box = document.getElementById("canvas"), says = document.getElementById("canvas-says");
  let editor = null, changed = () => {}, letter = 0, held = null;

  // on a grid, which keeps pictures straight and addresses short
  const GRID = 10, within = (x, most) => Math.min(most - 30, Math.max(30, GRID * Math.round(x / GRID)));
  // places that nothing gave: on an ellipse, the start on the left
  function placed(e) {
    const n = e.table[0].length, known = e.places || [];
    e.places = Array.from({ length: n }, (_, q) => known[q] || [within(WIDTH / 2 - 200 * Math.cos((2 * Math.PI * q) / n), WIDTH), within(HEIGHT / 2 - 100 * Math.sin((2 * Math.PI * q) / n), HEIGHT)]);
    return e.places;
  }
  const at = (event) => { const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(box.getScreenCTM().inverse()); return [p.x, p.y]; };
  // fingers are wide
  const hit = ([x, y]) => editor.places.findIndex(([u, v]) => Math.hypot(u - x, v - y) <= NODE + 8);
  const tool = () => document.querySelector("input[name=tool]:checked").value;

  function show(line = "") {
    const { letters, table, accepting } = editor, places = placed(editor), n = places.length, mean = [0, 1].map((i) => places.reduce((sum, p) => sum + p[i], 0) / n);
    const loop = (q) => (n === 1 ? -Math.PI / 2 : q === 0 ? -0.67 * Math.PI : Math.atan2(places[q][1] - mean[1], places[q][0] - mean[0]));
    box.innerHTML = parts({ letters, table, accepting: table[0].map((_, q) => accepting.includes(q)) }, (q) => places[q], loop, held && held.q >= 0 ? held.q : -1, 0, WIDTH, "canvas-head").inner + line;
  }

  function begin(event) {
    if (held || !event.isPrimary || event.button > 0) return;
    const from = at(event), q = hit(from);
    held = { id: event.pointerId, from, q, moved: false };
    box.setPointerCapture(event.pointerId);
    event.preventDefault();
    show();
  }

  function move(event) {
    if (!held || event.pointerId !== held.id) return;
    const [x, y] = at(event), [u, v] = held.from;
    held.moved = held.moved || Math.hypot(x - u, y - v) > STILL;
    if (!held.moved || held.q < 0) return;
    if (tool() === "move") { editor.places[held.q] = [within(x, WIDTH), within(y, HEIGHT)]; show(); return; }
    const [p, r] = editor.places[held.q];
    show(`<g class="arrows"><path d="M${p} ${r}L${Math.round(x)} ${Math.round(y)}"/></g>`);
  }

  function end(event) {
    if (!held || event.pointerId !== held.id) return;
    const { q, moved } = held, [x, y] = at(event), to = hit([x, y]), name = editor.letters[letter];
    held = null;
    if (q < 0 && !moved) add(x, y);
    else if (q >= 0 && !moved) accept(q);
    else if (q >= 0 && tool() === "move") says.textContent = `State ${q} moved.`;
    else if (q >= 0 && to >= 0) { editor.table[letter][q] = to; says.textContent = `${name} leads from state ${q} to state ${to}.`; }
    else says.textContent = "An arrow ends at a state.";
    changed();
  }

  function add(x, y) {
    const n = editor.table[0].length;
    if (n >= MOST.states) { says.textContent = `At most ${MOST.states} states.`; return; }
    editor.table.forEach((row) => row.push(n));
    editor.places.push([within(x, WIDTH), within(y, HEIGHT)]);
    says.textContent = `State ${n}: all letters stay in it.`;
  }

  function accept(q) {
    const ends = editor.accepting.includes(q);
    editor.accepting = ends ? editor.accepting.filter((p) => p !== q) : [...editor.accepting, q].sort((x, y) => x - y);
    says.textContent = `State ${q} ${ends ? "does not accept" : "accepts"}.`;
  }

  box.addEventListener("pointerdown", begin);
  box.addEventListener("pointermove", move);
  box.addEventListener("pointerup", end);
  box.addEventListener("pointercancel", () => { held = null; show(); });
  document.getElementById("canvas-letters").addEventListener("change", ({ target }) => { letter = Number(target.value); });

  window.Canvas = {
    onchange: (f) => { changed = f; },
    // an automaton as the page edits it: what is drawn changes it
    show(e) {
      editor = e;
      letter = Math.min(letter, e.letters.length - 1);
      document.getElementById("canvas-letters").innerHTML = `<legend>Arrows for</legend>${e.letters.map((x, a) => `<input type="radio" name="canvas-letter" id="canvas-letter-${a}" value="${a}"${a === letter ? " checked" : ""}><label for="canvas-letter-${a}">${Drawing.escape(x)}</label>`).join("")}`;
      show();
    },
  };
})();

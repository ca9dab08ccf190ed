// the bistable unit (degeeter26, Eq. 9, alpha = 1) beside the neuron that it simplifies (Eqs. 4b and 5), on one input
"use strict";
(function () {
  const box = (id) => document.getElementById(id), plot = box("hysteresis-plot");
  const SCALE = 72, EDGE = 4.1, X = (x) => 336 + x * SCALE, Y = (h) => 145 - h * 115;
  let unit = -1, neuron = -1, trail = [], running = 0;

  const foldState = (beta) => Math.sqrt(beta / (beta + 1));
  const foldInput = (beta) => Math.sqrt(beta * (beta + 1)) - Math.asinh(Math.sqrt(beta));
  // Eq. 5 solved for x, at h = tanh(u)
  const steadyInput = (u, beta) => u - (beta + 1) * Math.tanh(u);

  // Eq. 4b with c = 1/2 until it rests: on a fixed input h moves one way only, to the next equilibrium
  function settle(h, x, beta) {
    for (let i = 0; i < 4000; i++) {
      const next = (h + Math.tanh(x + (beta + 1) * h)) / 2;
      if (Math.abs(next - h) < 1e-9) return next;
      h = next;
    }
    return h;
  }

  const path = (points) => points.map(([x, h], i) => `${i ? "L" : "M"}${X(x).toFixed(1)} ${Y(h).toFixed(1)}`).join("");

  function curve(low, high, beta) {
    const points = [];
    for (let i = 0; i <= 160; i++) {
      const u = low + ((high - low) * i) / 160, x = steadyInput(u, beta);
      if (Math.abs(x) <= EDGE) points.push([x, Math.tanh(u)]);
    }
    return path(points);
  }

  function band(kind, width) {
    return `<rect class="${kind}" x="${X(-Math.min(width, EDGE))}" y="15" width="${2 * SCALE * Math.min(width, EDGE)}" height="260"/>`;
  }

  function draw(x, beta) {
    const f = foldInput(beta), u = Math.atanh(foldState(beta)), end = 9;
    let out = band("band", beta) + band("fold", f);
    for (let k = -4; k <= 4; k++) out += `<text x="${X(k)}" y="293" text-anchor="middle">${String(k).replace("-", "−")}</text>`;
    for (const k of [-1, 0, 1]) out += `<text x="14" y="${Y(k) + 4}" text-anchor="middle">${String(k).replace("-", "−")}</text>`;
    out += `<line class="level" x1="${X(-EDGE)}" x2="${X(EDGE)}" y1="${Y(0)}" y2="${Y(0)}"/>`;
    out += `<path class="curve" d="${curve(-end, -u, beta)}"/><path class="curve unstable" d="${curve(-u, u, beta)}"/><path class="curve" d="${curve(u, end, beta)}"/>`;
    out += `<path class="steps" d="${path([[-EDGE, -1], [beta, -1]])}${path([[-beta, 1], [EDGE, 1]])}"/>`;
    if (trail.length > 1) out += `<path class="trail" d="${path(trail)}"/>`;
    out += `<line class="input" x1="${X(x)}" x2="${X(x)}" y1="15" y2="275"/><rect class="unit" x="${X(x) - 6}" y="${Y(unit) - 6}" width="12" height="12"/><circle class="neuron" cx="${X(x)}" cy="${Y(neuron)}" r="6"/>`;
    plot.innerHTML = out;
  }

  function show() {
    const x = Number(box("x").value), beta = Number(box("beta").value), writes = Math.abs(x) >= beta;
    if (writes) unit = x >= 0 ? 1 : -1;
    neuron = settle(neuron, x, beta);
    trail.push([x, neuron]);
    trail = trail.slice(-400);
    box("x-is").textContent = x.toFixed(2).replace("-", "−");
    box("beta-is").textContent = `${beta.toFixed(1)} (x_f ≈ ${foldInput(beta).toFixed(2)})`;
    const sign = unit > 0 ? "+1" : "−1";
    box("hysteresis-answer").textContent = `The unit ${writes ? "writes" : "keeps"} ${sign}; the neuron is at ${neuron.toFixed(2).replace("-", "−")}${Math.sign(neuron) === unit ? "" : ": they differ, because x lies between x_f and β"}.`;
    draw(x, beta);
  }

  // 0, up to 4, down to -4, back to 0; at once for readers who want no motion
  function sweep() {
    const inputs = [];
    for (let i = 0; i <= 320; i++) inputs.push(i < 80 ? i / 20 : i < 240 ? (160 - i) / 20 : (i - 320) / 20);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches, mine = ++running;
    const next = () => {
      if (mine !== running) return;
      for (let n = 0; inputs.length && (n < 2 || still); n++) { box("x").value = String(inputs.shift()); show(); }
      if (inputs.length) requestAnimationFrame(next);
    };
    trail = [];
    next();
  }

  box("hysteresis").addEventListener("input", (event) => { running++; if (event.target.id === "beta") trail = []; show(); });
  box("sweep").addEventListener("click", sweep);
  box("forget").addEventListener("click", () => { running++; unit = neuron = -1; trail = []; box("x").value = "0"; show(); });
  show();
})();

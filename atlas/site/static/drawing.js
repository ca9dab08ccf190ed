// an automaton as SVG: states on a circle, so that no arrow runs through a state; letters on the arrows
"use strict";
const Drawing = (function () {
  const MOST_STATES = 12, NODE = 17;
  const round = (x) => Math.round(x * 10) / 10;
  const escape = (text) => String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

  function listed(letters) {
    return letters.length > 5 ? `${letters.slice(0, 4).join(", ")}, … (${letters.length})` : letters.join(", ");
  }

  // arrows, states and letters for states at place(q), with arrows that stay leaving in the direction loop(q); left and right are how far letters reach beyond
  // `from` and `to`
  function parts({ table, letters, accepting }, place, loop, current = -1, from = 0, to = 0, mark = "head") {
    const arrows = new Map();
    let left = from, right = to;
    table.forEach((row, a) => row.forEach((p, q) => arrows.set(`${q} ${p}`, [...(arrows.get(`${q} ${p}`) || []), letters[a]])));
    // a letter takes eight units; what is written beyond the border widens the picture
    function label(x, y, names, turn = "middle") {
      const long = 8 * listed(names).length, begin = turn === "start" ? x : turn === "end" ? x - long : x - long / 2;
      [left, right] = [Math.min(left, begin), Math.max(right, begin + long)];
      return `<text x="${round(x)}" y="${round(y + 4)}" text-anchor="${turn}">${escape(listed(names))}</text>`;
    }
    let lines = "", labels = "";
    for (const [key, names] of arrows) {
      const [q, p] = key.split(" ").map(Number), [x, y] = place(q);
      if (q === p) {
        const out = loop(q), at = (turn, r) => [x + r * Math.cos(out + turn), y + r * Math.sin(out + turn)];
        const [x1, y1] = at(-0.5, NODE), [x2, y2] = at(-0.45, NODE + 32), [x3, y3] = at(0.45, NODE + 32), [x4, y4] = at(0.5, NODE + 5), [lx, ly] = at(0, NODE + 34);
        lines += `<path d="M${round(x1)} ${round(y1)}C${round(x2)} ${round(y2)} ${round(x3)} ${round(y3)} ${round(x4)} ${round(y4)}"/>`;
        labels += label(lx, ly, names, Math.cos(out) > 0.5 ? "start" : Math.cos(out) < -0.5 ? "end" : "middle");
        continue;
      }
      const [u, v] = place(p), length = Math.hypot(u - x, v - y), ux = (u - x) / length, uy = (v - y) / length, bend = arrows.has(`${p} ${q}`) ? 26 : 0;
      const cx = (x + u) / 2 + uy * bend, cy = (y + v) / 2 - ux * bend, turn = Math.atan2(bend, length / 2);
      const start = [x + NODE * Math.cos(Math.atan2(uy, ux) - turn), y + NODE * Math.sin(Math.atan2(uy, ux) - turn)];
      const back = Math.atan2(-uy, -ux) + turn, end = [u + (NODE + 5) * Math.cos(back), v + (NODE + 5) * Math.sin(back)];
      lines += `<path d="M${round(start[0])} ${round(start[1])}Q${round(cx)} ${round(cy)} ${round(end[0])} ${round(end[1])}"/>`;
      // a third of the way, beside the arrow: labels of arrows that cross in the middle stay apart
      const t = 0.36, px = (1 - t) ** 2 * start[0] + 2 * t * (1 - t) * cx + t * t * end[0], py = (1 - t) ** 2 * start[1] + 2 * t * (1 - t) * cy + t * t * end[1];
      labels += label(px + uy * 9, py - ux * 11, names, uy > 0.4 ? "start" : uy < -0.4 ? "end" : "middle");
    }
    const [sx, sy] = place(0);
    lines += `<path d="M${round(sx - NODE - 32)} ${round(sy)}L${round(sx - NODE - 5)} ${round(sy)}"/>`;
    const nodes = accepting.map((ends, q) => {
      const [x, y] = place(q).map(round);
      return `<g${q === current ? ' class="current"' : ""}><circle cx="${x}" cy="${y}" r="${NODE}"/>${ends ? `<circle cx="${x}" cy="${y}" r="${NODE - 4}"/>` : ""}<text x="${x}" y="${y + 4}" text-anchor="middle">${q}</text></g>`;
    }).join("");
    return { left, right, inner: `<defs><marker id="${mark}" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs><g class="arrows">${lines}</g>${nodes}<g class="letters">${labels}</g>` };
  }

  // {table, letters, accepting}; `current` is a state to mark; null if there are too many states
  function svg(automaton, current = -1) {
    const n = automaton.accepting.length;
    if (n > MOST_STATES) return null;
    const radius = n === 1 ? 0 : Math.max(62, 16 * n), half = radius + NODE + 48, width = 2 * half + 30, height = n === 2 ? 170 : 2 * half;
    const centre = [half + 22, height / 2], angle = (q) => Math.PI + (2 * Math.PI * q) / n;
    const place = (q) => (n === 1 ? centre : [centre[0] + radius * Math.cos(angle(q)), centre[1] + radius * Math.sin(angle(q))]);
    // outwards; at the start between the arrow that comes in and those that leave
    const loop = (q) => (n === 1 ? -Math.PI / 2 : q === 0 ? -0.67 * Math.PI : angle(q)), { left, right, inner } = parts(automaton, place, loop, current, 0, width);
    return `<svg class="machine" viewBox="${round(left)} 0 ${round(right - left)} ${round(height)}" style="max-width:${round(right - left)}px" role="img" aria-label="The automaton: ${n} state${n > 1 ? "s" : ""}, state 0 is the start; the table below has the same arrows">${inner}</svg>`;
  }

  return { svg, parts, MOST_STATES, NODE, escape };
})();

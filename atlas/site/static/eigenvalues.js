// the widget of parity.js: sliders and fields for one or two units, the answer in words, the states drawn
"use strict";
(function () {
  const LONGEST = 24, box = (id) => document.getElementById(id);
  const answer = box("eigenvalues-answer"), plots = box("eigenvalues-plots"), table = box("eigenvalues-table");

  // a short fraction: others would take the page long
  function fraction(id, name) {
    const q = box(id).value.length <= 9 ? Q.read(box(id).value) : null;
    box(id).setAttribute("aria-invalid", String(!q));
    if (!q) throw new Error(`${name}: expected a fraction such as -3/4 or 0.25, of at most 9 characters, got “${box(id).value}”`);
    return q;
  }
  function set() {
    const values = box("D").value.split(/[,;\s]+/).filter(Boolean).map((x) => (x.length <= 9 ? Q.read(x) : null));
    const good = values.length > 0 && values.length <= 64 && !values.includes(null);
    box("D").setAttribute("aria-invalid", String(!good));
    if (!good) throw new Error("D: expected 1 to 64 fractions between commas, such as -1, 0, 1/2");
    return values.sort(Q.cmp).filter((x, i, all) => i === 0 || Q.cmp(x, all[i - 1]) !== 0);
  }

  const state = (v, k) => { const s = v.states(k).map(Q.text); return s.length > 1 ? `(${s.join(", ")})` : s[0]; };

  function words(units, model, v) {
    if (!v) return ["open", "5000 letters do not settle it, and this page gives up there: a coarser D or an eigenvalue further from 1 and −1 does."];
    const blind = model === "cast" && units.every((u) => u.a.n >= 0n) ? " No eigenvalue is negative: Theorem 1 says so for every width, depth and finite D." : "";
    if (model === "exact") {
      if (!v.apart) return ["no", "Missed: the exact state is the same from the first 1 on."];
      return v.kinds.includes("alternates") ? ["yes", "Found: a state takes two values in turn, for ever."]
        : ["some", "Not one state occurs twice, so some decoder of exact numbers tells even from odd, as it could anything else about k. This is why the question is put with a finite set D."];
    }
    if (v.apart) return ["yes", `Found: from k = ${v.from} on the state is ${state(v, v.from)} and ${state(v, v.from + 1)} in turn, for ever, and no even number of ones leaves a state that an odd number leaves.`];
    const [k, l] = v.collision;
    const same = `k = ${k} and k = ${l} ones leave the same state, ${state(v, k)}`;
    if (v.later) return ["some", `Missed at first: ${same}. From k = ${v.from} on it is ${state(v, v.from)} and ${state(v, v.from + 1)} in turn, which tells even from odd.`];
    return ["no", `Missed: ${same}, and from k = ${v.from} on the state is ${state(v, v.from)} for ever.${blind}`];
  }

  function plot(unit, index, D, model, v) {
    const exact = Parity.exact(unit, LONGEST).map(Q.number), held = (k) => Q.number(v.states(k)[index]), values = D.map(Q.number);
    const reach = model === "exact" ? 8 : 2 * Math.max(1, ...values.map(Math.abs)), near = exact.filter((x) => Math.abs(x) <= reach);
    const shown = model === "exact" ? near : [...near, ...values];
    let low = Math.min(...shown, 0), high = Math.max(...shown, 0);
    const pad = (high - low || 1) * 0.18;
    low -= pad; high += pad;
    const X = (k) => 40 + (k * 590) / LONGEST, Y = (y) => 170 - ((y - low) / (high - low)) * 160, fit = (y) => y >= low && y <= high;
    let out = "";
    if (model !== "exact") values.forEach((y) => { out += `<line class="level" x1="36" x2="634" y1="${Y(y)}" y2="${Y(y)}"/><text x="30" y="${Y(y) + 4}" text-anchor="end">${values.length < 12 ? Q.text(D[values.indexOf(y)]) : ""}</text>`; });
    for (let k = 0; k <= LONGEST; k += 4) out += `<text x="${X(k)}" y="192" text-anchor="middle">${k}</text>`;
    exact.forEach((y, k) => {
      const parity = k % 2 ? "odd" : "even";
      if (model !== "exact" && v && k) out += `<circle class="${parity}" cx="${X(k)}" cy="${Y(held(k))}" r="5.5"/>`;
      if (fit(y)) out += `<circle class="${model === "exact" ? parity : "exact"}" cx="${X(k)}" cy="${Y(y)}" r="${model === "exact" ? 5 : 2}"/>`;
    });
    return `<figure><svg viewBox="0 0 640 200" role="img" aria-label="The state of unit ${index + 1} after k ones">${out}</svg><figcaption>unit ${index + 1}, after k ones</figcaption></figure>`;
  }

  function rows(units, model, v) {
    const exact = units.map((u) => Parity.exact(u, 12)), short = (q) => (Q.text(q).length < 16 ? Q.text(q) : `≈ ${Q.number(q).toPrecision(6)}`);
    let out = `<thead><tr><th scope="col">k</th>${units.map((_, i) => `<th scope="col">exact, unit ${i + 1}</th>${v && v.states ? `<th scope="col">held, unit ${i + 1}</th>` : ""}`).join("")}</tr></thead><tbody>`;
    for (let k = 1; k <= 12; k++) out += `<tr><th scope="row">${k}</th>${units.map((_, i) => `<td>${short(exact[i][k])}</td>${v && v.states ? `<td>${Q.text(v.states(k)[i])}</td>` : ""}`).join("")}</tr>`;
    return `${out}</tbody>`;
  }

  function show() {
    const count = Number(box("count").value), model = box("model").value;
    box("unit2").hidden = count < 2;
    box("D").disabled = model === "exact";
    try {
      const D = set(), units = [];
      for (let i = 1; i <= count; i++) {
        units.push({ a: fraction(`a${i}`, `λ of unit ${i}`), b: fraction(`b${i}`, `b of unit ${i}`), h0: fraction(`h${i}`, `h₀ of unit ${i}`) });
        box(`slide${i}`).value = String(Q.number(units[i - 1].a));
      }
      const v = Parity.verdict(units, D, model), [kind, said] = words(units, model, v);
      answer.className = `answer ${kind}`;
      answer.textContent = said;
      plots.innerHTML = units.map((u, i) => plot(u, i, D, model, v)).join("");
      table.innerHTML = rows(units, model, v);
    } catch (error) {
      answer.className = "answer open";
      answer.textContent = error.message;
      plots.innerHTML = table.innerHTML = "";
    }
  }

  const widget = box("eigenvalues");
  widget.addEventListener("input", (event) => {
    const slide = /^slide(\d)$/.exec(event.target.id);
    if (slide) {
      const q = Q.read(event.target.value);
      box(`a${slide[1]}`).value = Q.text(q).replace("−", "-");
    }
    show();
  });
  widget.addEventListener("click", (event) => {
    if (!event.target.dataset.preset) return;
    const { units, D, model } = JSON.parse(event.target.dataset.preset);
    box("count").value = String(units.length);
    box("model").value = model;
    box("D").value = D;
    units.forEach((unit, i) => ["a", "b", "h"].forEach((name, j) => { box(name + (i + 1)).value = unit[j]; }));
    show();
  });
  show();
})();

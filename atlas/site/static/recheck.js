// the page's side of the re-check: what was chosen goes to the worker, what the checker prints comes back
"use strict";
(function () {
  const box = (id) => document.getElementById(id), state = box("state"), results = box("results"), stop = box("stop"), choice = box("certificate");
  const buttons = [...document.querySelectorAll("#chosen, #all, #file")];
  let worker = null, began = 0, last = 0, holds = 0, fails = 0;

  const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(2)} s`;

  function add(line, held) {
    const item = document.createElement("li"), mark = document.createElement("b");
    item.className = held ? "holds" : "fails";
    mark.textContent = held ? "holds" : "fails";
    item.append(mark, `${line} (${seconds(last)})`);
    results.append(item);
    last = performance.now();
    if (held) holds++; else fails++;
  }

  function finish(words) {
    state.textContent = words;
    buttons.forEach((b) => { b.disabled = false; });
    stop.hidden = true;
  }

  function hear({ data }) {
    if (data.ready) {
      state.textContent = `Python ${data.ready} came up in ${seconds(began)}; checking …`;
      began = last = performance.now();
    } else if (data.line !== undefined) add(data.line, data.holds);
    else if (data.failed) end(`It could not be checked: ${data.failed}`);
    else finish(`${data.status === 0 ? "All of it holds" : "Not all of it holds"}: ${holds} passed, ${fails} failed, in ${seconds(began)}.`);
  }

  function end(words) {
    if (worker) worker.terminate();
    worker = null;
    finish(words);
  }

  function check(files, all) {
    results.textContent = "";
    holds = fails = 0;
    buttons.forEach((b) => { b.disabled = true; });
    stop.hidden = false;
    began = last = performance.now();
    state.textContent = worker ? "Checking …" : "Loading Python (14 MB, once) …";
    if (!worker) {
      worker = new Worker("../static/recheck-worker.js", { type: "module" });
      worker.onmessage = hear;
      worker.onerror = (event) => end(`Python could not be loaded: ${event.message || "a file of Pyodide is missing"}`);
    }
    worker.postMessage({ files, all });
  }

  async function dropped(files) {
    const chosen = await Promise.all([...files].map(async (file) => ({ name: file.name.replace(/(\.json)?$/i, ".json"), bytes: await file.arrayBuffer() })));
    if (chosen.length) check(chosen, false);
  }

  const here = (id) => ({ name: `${id}.json`, url: new URL(`../certificates/${encodeURIComponent(id)}.json`, location.href).href });

  if (location.protocol === "file:") {
    box("from-file").hidden = false;
    buttons.forEach((b) => { b.disabled = true; });
    return;
  }
  if (choice) {
    box("chosen").addEventListener("click", () => check([here(choice.value)], false));
    box("all").addEventListener("click", () => check([...choice.options].map((o) => here(o.value)), box("all").dataset.complete === "true"));
  }
  box("file").addEventListener("change", (event) => dropped(event.target.files).then(() => { event.target.value = ""; }));
  stop.addEventListener("click", () => end("Stopped."));
  const drop = box("drop");
  drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => { event.preventDefault(); drop.classList.remove("over"); if (!stop.hidden) return; dropped(event.dataTransfer.files); });
  // from a claim's page: its certificate, at once
  const wanted = decodeURIComponent(location.hash.slice(1));
  if (choice && [...choice.options].some((o) => o.value === wanted)) { choice.value = wanted; check([here(wanted)], false); }
})();

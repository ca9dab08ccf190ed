// Python in a thread of its own: the stand-alone checker, as it is, on the files that the page sends
import { loadPyodide } from "../pyodide/pyodide.mjs";

const say = (line, holds) => self.postMessage({ line, holds });

const ready = (async () => {
  const [python, response] = await Promise.all([loadPyodide(), fetch("../recheck/checker.json")]);
  for (const [path, text] of Object.entries(await response.json())) {
    python.FS.mkdirTree(`/lemmata/${path.slice(0, path.lastIndexOf("/"))}`);
    python.FS.writeFile(`/lemmata/${path}`, text);
  }
  python.setStdout({ batched: (line) => say(line, true) });
  python.setStderr({ batched: (line) => say(line, false) });
  python.runPython("import sys; sys.path.insert(0, '/lemmata/theorems'); from recheck import main");
  return python;
})();

ready.then((python) => self.postMessage({ ready: python.runPython("sys.version.split()[0]") }), (error) => self.postMessage({ failed: String(error) }));

let folders = 0;

// files: [{name, url} or {name, bytes}]; all: every claim that has certificates must be there
self.onmessage = async ({ data: { files, all } }) => {
  try {
    const python = await ready, folder = `/certificates/${folders++}`;
    python.FS.mkdirTree(folder);
    for (const { name, url, bytes } of files) {
      let data = bytes;
      if (url) {
        const response = await fetch(url);
        if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
        data = await response.arrayBuffer();
      }
      python.FS.writeFile(`${folder}/${name}`, new Uint8Array(data));
    }
    const main = python.globals.get("main"), paths = python.toPy([folder, ...(all ? ["--all"] : [])]);
    self.postMessage({ status: main(paths) });
  } catch (error) {
    self.postMessage({ failed: String(error) });
  }
};

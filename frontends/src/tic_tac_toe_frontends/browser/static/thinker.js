// Starts a Python of its own for long thoughts; what it does is page/thinker.py.
import { loadPyodide } from "./pyodide/pyodide.mjs";

// On one stack, as in the page: see start.js.
Reflect.deleteProperty(WebAssembly, "Suspending");

const start = async () => {
  const [python, engine] = await Promise.all([
    loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href }),
    fetch(new URL("./app.zip", import.meta.url)).then((response) => response.arrayBuffer()),
  ]);
  python.FS.writeFile("app.zip", new Uint8Array(engine));
  python.runPython('import sys; sys.path.insert(0, "app.zip")');
  return python.pyimport("tic_tac_toe_frontends.browser.page.thinker").answer;
};

const answer = start();
self.onmessage = async ({ data }) => self.postMessage((await answer)(data));
// A failure, in starting or in thinking, becomes an error event of the worker.
self.addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  setTimeout(() => { throw event.reason; });
});

// Starts a Python of its own for long thoughts; what it does is page/thinker.py.
import { loadEngine } from "./engine.js";

// On one stack, as in the page: see start.js.
Reflect.deleteProperty(WebAssembly, "Suspending");

const start = async () =>
  (await loadEngine()).pyimport("tic_tac_toe_frontends.browser.page.thinker").answer;

const answer = start();
self.onmessage = async ({ data }) => self.postMessage((await answer)(data));
// A failure, in starting or in thinking, becomes an error event of the worker.
self.addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  setTimeout(() => { throw event.reason; });
});

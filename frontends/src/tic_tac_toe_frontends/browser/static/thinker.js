// Starts a second Python for long searches, which runs page/thinker.py.
import { fetchBytes, loadEngine } from "./engine.js";

// On one stack, as in the page: see start.js.
Reflect.deleteProperty(WebAssembly, "Suspending");

const start = async () => {
  const thinker = (await loadEngine()).pyimport("tic_tac_toe_frontends.browser.page.thinker");
  return async (text) => {
    await thinker.prepare(text, fetchBytes);
    return thinker.answer(text, post);
  };
};

const answer = start();
const post = (text) => self.postMessage(text);
self.onmessage = async ({ data }) => post(await (await answer)(data));
// A failure of the start or of a search becomes an error event of the worker.
self.addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  setTimeout(() => { throw event.reason; });
});

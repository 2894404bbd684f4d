// Loads Python, shows the progress, and hands the page over to it. The page has all its elements by
// then, and first-board.js has run: it would go on over Python's board if it ran later.
import { loadEngine } from "./engine.js";

const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));

// Counts the received bytes of large files, until the returned function is called.
const countBytes = (sizes) => {
  const plain = globalThis.fetch;
  const total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  let loaded = 0;
  const counter = () =>
    new TransformStream({
      transform(chunk, controller) {
        loaded += chunk.byteLength;
        tell("loading", (100 * loaded) / total);
        controller.enqueue(chunk);
      },
    });
  globalThis.fetch = async (...request) => {
    const response = await plain(...request);
    const isCounted = Object.keys(sizes).some((path) => response.url.endsWith(`/${path}`));
    if (!isCounted || !response.body) return response;
    return new Response(response.body.pipeThrough(counter()), response);
  };
  tell("loading", 0);
  return () => {
    globalThis.fetch = plain;
  };
};

const start = async () => {
  // With a full cache of the service worker there is no wait to show, and browsers do not cache the
  // compiled code of files that pass through a counter.
  const isKept = Boolean(navigator.serviceWorker?.controller);
  const { sizes } = JSON.parse(document.getElementById("facts").textContent);
  const stopCounting = isKept ? () => {} : countBytes(sizes);
  const python = await loadEngine();
  stopCounting();
  tell("starting");
  await python.pyimport("tic_tac_toe_frontends.browser.page.app").start_page();
};

// Otherwise start.js has said why the engine cannot start.
if (!document.documentElement.dataset.failed) await start();

// Loads Python, tells how far that is, and hands the page over to it.
import { loadEngine } from "./engine.js";

const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));

// Counts the bytes of large files as they come, until the function that it returns is called.
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

// Once the service worker has everything there is nothing to wait for, and of files that pass through
// a counter browsers do not keep what they have compiled.
const isKept = Boolean(navigator.serviceWorker?.controller);
const { sizes } = JSON.parse(document.getElementById("facts").textContent);
const stopCounting = isKept ? () => {} : countBytes(sizes);
const python = await loadEngine();
stopCounting();
tell("starting");
await python.pyimport("tic_tac_toe_frontends.browser.page.app").start_page();

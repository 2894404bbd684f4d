// Runs the blocks of a page in Python: see docs/_ext/session.py. The page posts jobs, and gets news.
const HERE = new URL("../python/", import.meta.url).href;

// On one stack, as in the page of the game: see start.js there.
Reflect.deleteProperty(WebAssembly, "Suspending");

const post = (text) => self.postMessage(text);
const tell = (news) => post(JSON.stringify(news));

// Counts what has come, and unpacks it.
let loaded = 0;
let arriving = 3;
const counter = () =>
  new TransformStream({
    transform(chunk, controller) {
      loaded += chunk.byteLength;
      tell({ loaded });
      controller.enqueue(chunk);
    },
    flush() {
      arriving -= 1;
      if (!arriving) tell({ starting: true });
    },
  });

const plain = self.fetch.bind(self);
const fetchPacked = async (url) => {
  const response = await plain(`${url}.packed`);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const stream = response.body.pipeThrough(counter()).pipeThrough(new DecompressionStream("gzip"));
  const type = url.endsWith(".wasm") ? "application/wasm" : "application/zip";
  return new Response(stream, { headers: { "Content-Type": type } });
};
// Pyodide asks for its files by their own names.
self.fetch = (request, ...options) => {
  const url = String(request.url ?? request);
  return /\.(wasm|zip)$/.test(url) ? fetchPacked(url) : plain(request, ...options);
};

const start = async () => {
  const { loadPyodide } = await import(`${HERE}pyodide.mjs`);
  const [python, files] = await Promise.all([
    loadPyodide({ indexURL: HERE, env: { TICTACTOE_CODE: "plain" } }),
    fetchPacked(`${HERE}app.zip`).then((response) => response.arrayBuffer()),
  ]);
  python.unpackArchive(files, "zip", { extractDir: "/app" });
  python.globals.set("post", post);
  return python.runPython(`
import json, os, sys
sys.path[:0] = ["/app"]
os.makedirs("/work")
os.chdir("/work")
from session import NoKeyboard, Session
sys.stdin = NoKeyboard()
session = Session(lambda news: post(json.dumps(news)))
def run(text):
    session.run(**json.loads(text))
run
`);
};

const run = start();
self.onmessage = async ({ data }) => {
  try {
    const begin = await run;
    tell({ ready: true });
    begin(data);
    tell({ done: true });
  } catch (error) {
    tell({ failed: String(error.message ?? error).trim().split("\n").at(-1) });
  }
};

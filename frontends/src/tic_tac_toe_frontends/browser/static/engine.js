// Loads Python with the engine in it: for the page, and for the worker that thinks.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const HERE = new URL("./", import.meta.url).href;
// Where Python finds the engine.
const ENGINE = "/app.zip";

export const fetchBytes = async (name) => {
  const response = await fetch(`${HERE}${name}`);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
};

export const loadEngine = async () => {
  const [python, engine] = await Promise.all([
    loadPyodide({ indexURL: `${HERE}pyodide/` }),
    fetchBytes("app.zip"),
  ]);
  python.FS.writeFile(ENGINE, engine);
  python.runPython(`import sys; sys.path.insert(0, "${ENGINE}")`);
  return python;
};

// Loads Python with the engine, for the page and for its worker.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const HERE = new URL("./", import.meta.url).href;
// The folder of the engine for Python.
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

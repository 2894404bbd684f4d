// Runs a Python script in Pyodide under Node.js: its compiler is the one whose bytecode the page reads.
// node compile.mjs FOLDER_OF_PYODIDE SCRIPT FOLDER: the script sees the folder as /job.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, script, folder] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
// A fixed seed: otherwise the order of sets, and so the bytecode, would differ each time.
const python = await loadPyodide({ indexURL: `${pyodide}/`, env: { PYTHONHASHSEED: "0" } });
python.FS.mkdir("/job");
python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, "/job");
try {
  python.runPython(readFileSync(script, "utf8"));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

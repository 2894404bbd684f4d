// Compresses each FILE with Brotli into FILE.br: node pack.mjs QUALITY FILE ...
import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const [quality, ...paths] = process.argv.slice(2);
const compress = promisify(brotliCompress);
await Promise.all(
  paths.map(async (path) => {
    const content = await readFile(path);
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: Number(quality),
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    };
    await writeFile(`${path}.br`, await compress(content, { params }));
  }),
);

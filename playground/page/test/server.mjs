// A plain web server on the loopback, which counts what it sends, compressed.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

const TYPES = {
  ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".json": "application/json",
  ".svg": "image/svg+xml", ".toml": "text/plain", ".csv": "text/plain", ".txt": "text/plain",
};

const PARAMETERS = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_LGWIN]: 24 };
/** Compresses a file as servers do beforehand. */
const compress = (content) => brotliCompressSync(content, { params: PARAMETERS });

/** Compressed files by their paths. */
const packed = new Map();

/** Serves a folder, with other `libraries` in place of its own; returns the address, the bytes sent so far, and how to end it. */
export async function serve(folder, libraries = join(folder, "libraries")) {
  const file = async (address) => {
    const [, library] = address.match(/^\/libraries\/(.*)/) ?? [];
    const path = library ? join(libraries, library) : join(folder, address);
    if (!packed.has(path)) packed.set(path, compress(await readFile(path)));
    return packed.get(path);
  };
  // The large ones take time that is none of the page's.
  for (const path of ["/mechanical_fmus.wasm", "/page.js"]) await file(path);
  const state = { sent: 0 };
  const server = createServer(async (request, answer) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname)).replace(/\/$/, "/index.html");
    let body;
    try {
      body = await file(path);
    } catch {
      answer.writeHead(404).end();
      return;
    }
    // As on other servers, what the browser has is not sent again.
    const etag = `"${createHash("sha256").update(body).digest("hex")}"`;
    if (request.headers["if-none-match"] === etag) {
      answer.writeHead(304, { etag }).end();
      return;
    }
    state.sent += body.length;
    const type = TYPES[extname(path)] ?? "application/octet-stream";
    answer.writeHead(200, { "content-type": type, "content-encoding": "br", "content-length": body.length, etag }).end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  state.address = `http://127.0.0.1:${server.address().port}/`;
  state.end = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return state;
}

/** Serves a folder by Python's web server, which does not compress, with a script before it; returns the same but the bytes. */
export async function serveByPython(folder, script = "") {
  const run = `${script}\nimport runpy; runpy.run_module("http.server", run_name="__main__")`;
  const options = ["--bind", "127.0.0.1", "--directory", folder, "0"];
  const python = spawn("python3", ["-u", "-c", run, ...options], { stdio: ["ignore", "pipe", "ignore"] });
  const address = await new Promise((resolve, reject) => {
    let said = "";
    python.stdout.on("data", (text) => {
      said += text;
      const [found] = said.match(/http:[^)]*/) ?? [];
      if (found) resolve(found);
    });
    python.on("error", reject);
    python.on("exit", () => reject(new Error(`no web server: ${said}`)));
  });
  const end = () => new Promise((resolve) => {
    python.on("exit", resolve);
    python.kill();
  });
  return { address, end };
}

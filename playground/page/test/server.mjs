// A plain web server on the loopback, which counts what it sends, compressed.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";

const TYPES = {
  ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".json": "application/json",
  ".svg": "image/svg+xml", ".toml": "text/plain", ".csv": "text/plain", ".txt": "text/plain",
};

/** Serves a folder; returns the address, the bytes sent so far, and how to end it. */
export async function serve(folder) {
  const packed = new Map();
  const state = { sent: 0 };
  const server = createServer(async (request, answer) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname)).replace(/\/$/, "/index.html");
    try {
      if (!packed.has(path)) packed.set(path, gzipSync(await readFile(join(folder, path))));
    } catch {
      answer.writeHead(404).end();
      return;
    }
    const body = packed.get(path);
    // As on other servers, what the browser has is not sent again.
    const etag = `"${createHash("sha256").update(body).digest("hex")}"`;
    if (request.headers["if-none-match"] === etag) {
      answer.writeHead(304, { etag }).end();
      return;
    }
    state.sent += body.length;
    const type = TYPES[extname(path)] ?? "application/octet-stream";
    answer.writeHead(200, { "content-type": type, "content-encoding": "gzip", "content-length": body.length, etag }).end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  state.address = `http://127.0.0.1:${server.address().port}/`;
  state.end = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return state;
}

// A link that holds files and settings: JSON, compressed, in base64 for URLs, behind the #.

async function through(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** Returns the text behind the # for a state. */
export async function pack(state) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream("deflate-raw"));
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return "c=" + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Returns the state of a text behind the #, or nothing if it holds none. */
export async function unpack(hash) {
  const text = new URLSearchParams(hash.replace(/^#/, "")).get("c");
  if (!text) return undefined;
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
}

/** Returns bytes as text for JSON, and back. */
export const toText = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
export const toBytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

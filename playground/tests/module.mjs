// Runs the module in Node as the page does.
//
//     node module.mjs FOLDER < jobs.json > results.json
//
// FOLDER is what `cargo xtask playground` makes. Each job has `files` (names in `folder`, by default FOLDER/examples, or
// texts by their names), `main`, and, if they are wanted, `simulate` (a request), `packs` (requests, each with `to`, the file to write),
// `complete` (an offset in the main file). Its result has the replies, the columns of the run, and the user time of the run in s.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
const bytes = readFileSync(join(folder, "mechanical_fmus.wasm"));
const compiled = new WebAssembly.Module(bytes);
const imports = WebAssembly.Module.imports(compiled);
const absent = {};
for (const { module, name } of imports) {
  (absent[module] ??= {})[name] = () => { throw new Error(`${name} of ${module} is called`); };
}
const instance = new WebAssembly.Instance(compiled, absent);
const module = instance.exports;

const encoded = (content) => (typeof content === "string" ? new TextEncoder().encode(content) : content);
const reply = () => new Uint8Array(module.memory.buffer, module.reply_pointer(), module.reply_length()).slice();
const text = () => new TextDecoder().decode(reply());

/** Calls a function with texts or bytes; returns its reply as JSON. */
function call(name, ...contents) {
  const passed = contents.map((content) => {
    const array = encoded(content);
    const pointer = module.allocate(array.length);
    new Uint8Array(module.memory.buffer).set(array, pointer);
    return [pointer, array.length];
  });
  let refused;
  try {
    refused = module[name](...passed.flat());
  } catch (error) {
    throw new Error(`${name}: ${error.message}: ${text()}`);
  }
  passed.forEach((place) => module.release(...place));
  const said = reply();
  return { refused: refused !== 0, said };
}

const json = ({ said }) => (said.length ? JSON.parse(new TextDecoder().decode(said)) : null);

/** Runs in slices of 100 steps; returns the columns. */
function run(request) {
  const begin = process.cpuUsage();
  const started = call("simulate", JSON.stringify(request));
  const { columns, steps, notes, error } = json(started);
  if (started.refused) return { error };
  let progress;
  do {
    const refused = module.advance(100);
    progress = JSON.parse(text());
    if (refused) return { error: progress.error };
  } while (!progress.done);
  const values = columns.map(({ name }, index) => {
    const place = module.column(index);
    return [name, Array.from(new Float64Array(module.memory.buffer, place, progress.rows))];
  });
  const seconds = process.cpuUsage(begin).user / 1e6;
  const drawn = module.scene() === 0;
  const scene = drawn ? JSON.parse(text()) : null;
  const size = scene ? scene.time.length * (scene.bodies.length * 12 + scene.labels.length * 3) : 0;
  const places = scene ? Array.from(new Float64Array(module.memory.buffer, module.places(), size)) : [];
  return { steps, notes, columns: Object.fromEntries(values), seconds, scene, places };
}

const listed = new Set();

function pack({ to, ...request }) {
  if (listed.size === 0) call("list_libraries", readFileSync(join(folder, "libraries", "index.json")));
  for (const platform of request.platforms.filter((platform) => !listed.has(platform))) {
    call("add_libraries", platform, readFileSync(join(folder, "libraries", `${platform}.xz`)));
    listed.add(platform);
  }
  const packed = call("pack", JSON.stringify(request));
  if (packed.refused) return json(packed).error;
  writeFileSync(to, packed.said);
  return null;
}

const results = JSON.parse(readFileSync(0, "utf8")).map((job) => {
  module.remove_files();
  const files = Array.isArray(job.files)
    ? Object.fromEntries(job.files.map((name) => [name, readFileSync(join(job.folder ?? join(folder, "examples"), name))]))
    : job.files;
  for (const [name, content] of Object.entries(files)) call("put_file", name, content);
  const result = { build: json(call("build", JSON.stringify({ main: job.main, set: job.set ?? [] }))) };
  if (job.simulate && !result.build.error) result.run = run(job.simulate);
  if (job.packs && !result.build.error) result.packs = job.packs.map(pack).find(Boolean) ?? null;
  if (job.complete !== undefined) {
    const content = files[job.main];
    const request = { text: typeof content === "string" ? content : content.toString(), offset: job.complete };
    result.complete = json(call("complete", JSON.stringify(request)));
  }
  return result;
});
process.stdout.write(JSON.stringify({ results, imports }));

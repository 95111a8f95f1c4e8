// The module in a worker: files and requests go in, descriptions, runs and archives come out.

const encoder = new TextEncoder(), decoder = new TextDecoder();

/** Time in ms between looks whether something newer is wanted. */
const SLICE = 40;

let exports, ready;
onmessage = ({ data: { binary } }) => {
  ready = WebAssembly.instantiate(binary, absent(binary)).then((instance) => { ({ exports } = instance); });
  let before = ready;
  onmessage = ({ data }) => {
    // What does not disturb a run may be asked in between.
    if (data.name in meanwhile) answer(data);
    else before = before.then(() => answer(data));
  };
};

/** Functions in place of those of JavaScript that packages in the module can call: legends of diagrams do, and fail. */
function absent(binary) {
  const all = {};
  for (const { module, name } of WebAssembly.Module.imports(binary)) {
    (all[module] ??= {})[name] = () => { throw new Error(`${name} of ${module} is called`); };
  }
  return all;
}

async function answer({ id, name, argument }) {
  try {
    await ready;
    const result = await (calls[name] ?? meanwhile[name])(argument);
    postMessage({ id, result });
  } catch (error) {
    // A trap ends the module, whose last words are in the reply.
    const trap = error instanceof WebAssembly.RuntimeError;
    postMessage({ id, error: trap ? words() ?? error.message : error.message, trap });
  }
}

function words() {
  try { return JSON.parse(decoder.decode(reply())).error; } catch { return undefined; }
}

function reply() {
  return new Uint8Array(exports.memory.buffer, exports.reply_pointer(), exports.reply_length());
}

/** Passes bytes to a function; returns what it returns. */
function pass(call, ...contents) {
  const passed = contents.map((content) => {
    const bytes = typeof content === "string" ? encoder.encode(content) : content;
    const pointer = exports.allocate(bytes.length);
    new Uint8Array(exports.memory.buffer).set(bytes, pointer);
    return [pointer, bytes.length];
  });
  const status = call(...passed.flat());
  passed.forEach((place) => exports.release(...place));
  return status;
}

/** A refusal, with its problems. */
class Refused extends Error {
  constructor({ error, problems }) {
    super(error);
    this.problems = problems;
  }
}

/** Fails with the reply if a function refused. */
function expect(status) {
  if (status) throw new Refused(JSON.parse(decoder.decode(reply())));
}

function ask(name, request) {
  expect(pass(exports[name], JSON.stringify(request)));
  return JSON.parse(decoder.decode(reply()));
}

const settings = (set) => Object.entries(set).map(([name, value]) => `${name}=${value}`);

function putFiles(files) {
  exports.remove_files();
  for (const [name, content] of Object.entries(files)) pass(exports.put_file, name, content);
}

const calls = {
  build({ files, main, set }) {
    putFiles(files);
    try {
      return { model: ask("build", { main }), problems: [] };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { message, problems } = error;
      return { problems: problems?.length ? problems : [{ message }] };
    }
  },

  schematic() {
    expect(exports.schematic());
    return decoder.decode(reply());
  },

  /** Runs what is built, in slices, until it is done or `stop` is called. */
  async run({ set, stop, step, input, show }) {
    const begin = performance.now();
    const { columns, steps, notes } = ask("simulate", { stop, step, set: settings(set), input, record: show });
    limit = Infinity;
    let slice = 20, progress = { done: steps === 0, rows: 1 };
    while (!progress.done && performance.now() - begin < limit) {
      const before = performance.now();
      expect(exports.advance(slice));
      progress = JSON.parse(decoder.decode(reply()));
      slice = Math.max(1, Math.round(slice * Math.min(4, SLICE / Math.max(1, performance.now() - before))));
      if (performance.now() - begin > 4 * SLICE) postMessage({ fraction: progress.rows / (steps + 1) });
      await breath();
    }
    return { ...recorded(columns, progress.rows), notes, cut: !progress.done, milliseconds: performance.now() - begin };
  },

  /** Returns the platforms in a list of libraries. */
  platforms(index) {
    expect(pass(exports.list_libraries, index));
    return JSON.parse(decoder.decode(reply())).platforms;
  },

  /** Packs files and settings with the libraries of platforms. */
  pack({ files, main, set, fmi, libraries }) {
    putFiles(files);
    const { fmu, standards } = ask("build", { main, set: settings(set) });
    const { index, archives } = libraries;
    expect(pass(exports.list_libraries, index));
    for (const [platform, archive] of Object.entries(archives)) expect(pass(exports.add_libraries, platform, archive));
    const standard = fmi || standards[0];
    expect(pass(exports.pack, JSON.stringify({ fmi: Number(standard), platforms: Object.keys(archives) })));
    return { name: fmu[standard], bytes: reply().slice() };
  },
};

const meanwhile = {
  complete: (request) => ask("complete", request),
  /** Ends the run that is under way after a time in ms since its begin. */
  limit(milliseconds) { limit = milliseconds; },
};

let limit = Infinity;
const turns = new MessageChannel();

/** Lets messages in; a timeout of 0 would take 4 ms. */
function breath() {
  return new Promise((resolve) => {
    turns.port1.onmessage = resolve;
    turns.port2.postMessage(0);
  });
}

/** Copies what a run has recorded so far. */
function recorded(columns, rows) {
  const numbers = (pointer, count) => new Float64Array(exports.memory.buffer, pointer, count).slice();
  const signals = columns.map((column, i) => ({ ...column, values: numbers(exports.column(i), rows) }));
  const [{ values: time }] = signals;
  const result = { time, signals: signals.slice(1).filter(({ shown }) => shown !== false) };
  if (exports.scene() !== 0) return result;
  const scene = JSON.parse(decoder.decode(reply()));
  const size = scene.time.length * (scene.bodies.length * 12 + scene.labels.length * 3);
  return { ...result, scene: { ...scene, places: numbers(exports.places(), size) } };
}

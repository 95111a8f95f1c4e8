// Calls of the module in its worker.

/** Loads and compiles a module. */
export async function load(address) {
  const answer = await fetch(address);
  // Some servers do not know the type, without which browsers do not compile while they load.
  const known = answer.headers.get("content-type") === "application/wasm";
  return known ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}

/** The worker with the module. */
export class Module {
  constructor(binary) {
    this.binary = binary;
    this.calls = new Map();
    this.count = 0;
    this.start();
  }

  start() {
    this.worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    this.generation = (this.generation ?? 0) + 1;
    this.worker.onmessage = ({ data: { id, result, error, trap, fraction } }) => {
      if (fraction !== undefined) return this.progress?.(fraction);
      const call = this.calls.get(id);
      this.calls.delete(id);
      if (error !== undefined) call?.reject(new Error(error));
      else call?.resolve(result);
      if (trap) this.stop(error);
    };
    this.worker.onerror = (event) => this.stop(event.message);
    this.ready = this.binary.then((binary) => this.worker.postMessage({ binary }));
  }

  /** Calls a function of the worker. */
  async call(name, argument) {
    await this.ready;
    return new Promise((resolve, reject) => {
      const id = ++this.count;
      this.calls.set(id, { resolve, reject });
      this.worker.postMessage({ id, name, argument });
    });
  }

  /** Ends what the worker does, whatever that is, and starts another one. */
  stop(why = "stopped") {
    this.worker.terminate();
    this.calls.forEach(({ reject }) => reject(new Error(why)));
    this.calls.clear();
    this.start();
  }
}

// Runs the component of an FMU for WebAssembly in Node, which knows modules only: the module is taken out of the component
// and gets its imports in the form of the canonical ABI.
//
//     node simulate.mjs COMPONENT < request.json > values.json
//
// The request has the token, the files of the resources (base64), the value references to get, the inputs with one list of
// values for each step, and the step size. Node's part of compare.py.

import { readFileSync } from "node:fs";

const INTERFACE = "fmi:fmi3/co-simulation@3.0.0";
const CORE_MODULE = 1;

/** Returns the module of a component: the content of the first section that is one. */
function moduleOf(component) {
  let at = 8;
  while (at < component.length) {
    const id = component[at++];
    let [size, shift] = [0, 0];
    do {
      size |= (component[at] & 0x7f) << shift;
      shift += 7;
    } while (component[at++] & 0x80);
    if (id === CORE_MODULE) return component.subarray(at, at + size);
    at += size;
  }
  throw new Error("there is no module in the component");
}

const request = JSON.parse(readFileSync(0, "utf8"));
const log = [];
let core;

const bytes = () => new Uint8Array(core.memory.buffer);
const view = () => new DataView(core.memory.buffer);
const text = (at, length) => new TextDecoder().decode(bytes().subarray(at, at + length));

/** Copies bytes into the module; returns their place and number. */
function put(content, alignment = 1) {
  const at = core.cabi_realloc(0, 0, alignment, content.length);
  bytes().set(content, at);
  return [at, content.length];
}
const putText = (string) => put(new TextEncoder().encode(string));
const putArray = (array) => [put(new Uint8Array(array.buffer), array.BYTES_PER_ELEMENT)[0], array.length];

const imports = {
  "fmi:fmi3/callbacks@3.0.0": {
    "log-message": (name, nameLength, status, category, categoryLength, message, length) =>
      log.push(`${status} ${text(category, categoryLength)} ${text(message, length)}`),
  },
  "fmi:fmi3/intermediate-update-callbacks@3.0.0": {
    "intermediate-update": () => {
      throw new Error("not asked for");
    },
  },
  "fmi:fmi3/resource-dir-callbacks@3.0.0": {
    "read-file": (path, length, result) => {
      const name = text(path, length);
      const found = request.resources[name];
      const [at, size] = found === undefined ? putText(`there is no ${name}`) : put(Buffer.from(found, "base64"));
      view().setUint8(result, found === undefined ? 1 : 0);
      view().setUint32(result + 4, at, true);
      view().setUint32(result + 8, size, true);
    },
  },
};
// The handle of an instance is its place in the module.
for (const kind of ["co-simulation", "model-exchange"]) {
  imports[`[export]fmi:fmi3/${kind}@3.0.0`] = {
    [`[resource-new]${kind}-instance`]: (place) => place,
    [`[resource-drop]${kind}-instance`]: () => {},
  };
}

const module = new WebAssembly.Module(moduleOf(readFileSync(process.argv[2])));
for (const { module: from } of WebAssembly.Module.imports(module)) {
  if (!(from in imports)) throw new Error(`the module needs ${from}`);
}
core = new WebAssembly.Instance(module, imports).exports;

const method = (name) => core[`${INTERFACE}#[method]co-simulation-instance.${name}`];
function done(name, ...values) {
  const status = method(name)(...values);
  if (status !== 0) throw new Error(`${name}: status ${status}, ${log}`);
}

const made = core[`${INTERFACE}#[static]co-simulation-instance.instantiate-co-simulation`](
  ...putText("instance"), ...putText(request.token), 0, 1, 0, 0, ...putArray(new Uint32Array(0)),
);
if (view().getUint8(made) === 0) throw new Error(`no instance: ${log}`);
const instance = view().getUint32(made + 4, true);
done("enter-initialization-mode", instance, 0, 0, 0, 0, 0);
done("exit-initialization-mode", instance);
const values = [];
request.steps.forEach((inputs, step) => {
  if (inputs.length > 0) {
    const references = putArray(new Uint32Array(request.inputs));
    done("set-float64", instance, ...references, ...putArray(new Float64Array(inputs)));
  }
  const stepped = method("do-step")(instance, step * request.h, request.h, 1);
  if (view().getUint8(stepped) !== 0) throw new Error(`do-step: ${log}`);
  const got = method("get-float64")(instance, ...putArray(new Uint32Array(request.references)));
  if (view().getUint8(got) !== 0) throw new Error(`get-float64: ${log}`);
  const [at, count] = [view().getUint32(got + 4, true), view().getUint32(got + 8, true)];
  values.push(...new Float64Array(core.memory.buffer.slice(at, at + 8 * count)));
  core[`cabi_post_${INTERFACE}#[method]co-simulation-instance.get-float64`](got);
});
console.log(JSON.stringify(values));

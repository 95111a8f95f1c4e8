// The page: what the user opens, edits and moves; the module does the rest.
import { download } from "./download.js";
import { Editor } from "./editor.js";
import { isText, takeFiles } from "./files.js";
import { gallery, markOpen } from "./gallery.js";
import { pack, toBytes, toText, unpack } from "./link.js";
import { load, Module } from "./module.js";
import { Player } from "./player.js";
import { Plots, short } from "./plots.js";
import { Runs } from "./runs.js";
import { chooser } from "./signals.js";
import { Sliders } from "./sliders.js";
import { tabs } from "./tabs.js";
import { view } from "./view.js";

const element = (id) => document.getElementById(id);
const say = (text) => { element("status").textContent = text; };

const module = new Module(load("mechanical_fmus.wasm"));
const stage = view(element("motion"));
const plots = new Plots(element("plots"), (moment) => player.seek(moment));
const player = new Player((moment) => {
  stage.draw(moment);
  plots.point(moment);
}, () => runs.active);

/** What is open: a link holds all of it. */
let state;
/** The built model. */
let model;

const runs = new Runs(module, {
  async built({ problems, model: next }, fresh) {
    showMessages([...problems, ...(next?.warnings ?? [])]);
    if (!next) return say("The configuration has an error");
    model = next;
    document.title = `${model.name} – Mechanical components as FMUs`;
    if (fresh || !sliders.fits(model.variables)) sliders.show(model.variables, state.set);
    signals(model.variables.map(({ name }) => name), state.show);
    drawSchematic(Boolean(model.parts?.length));
  },
  ran(result, fresh) {
    stage.show(result.scene, fresh);
    plots.show(result.time, result.signals.filter(isShown));
    player.load(result.time, fresh);
    // What the file or the table of inputs says.
    element("stop").placeholder = short(player.last);
    element("step").placeholder = short(model.experiment.step ?? 0.01);
    performance.mark("run");
    const cut = result.cut ? ", cut short" : "";
    say(`${model.name}: ${result.time.length} points in ${Math.round(result.milliseconds)} ms${cut}`);
  },
  busy(busy) { element("cancel").disabled = !busy; },
  progress(fraction) { say(`${model.name}: ${Math.round(100 * fraction)} % …`); },
  failed(message) { say(message); },
});

/** True for the signals that are chosen, of vectors all elements; without a choice for all. */
function isShown({ name }) {
  return !state.show.length || state.show.some((shown) => name === shown || name.startsWith(`${shown}[`));
}

async function drawSchematic(exists) {
  schematicTab(exists);
  if (!exists) return;
  element("schematic").innerHTML = await module.call("schematic");
  element("schematic").firstElementChild?.setAttribute("aria-label", `Parts of ${model.name}, with their connections`);
}

const sliders = new Sliders(element("sliders"), (values) => {
  state.set = values;
  runs.run(state);
});

const editor = new Editor(element("editor"), {
  changed(text) {
    state.files[editor.name] = text;
    runs.build(state);
  },
  complete: (text, offset) => module.call("complete", { main: editor.name, text, offset }),
});

const signals = chooser(element("signals"), (names) => {
  state.show = names;
  runs.run(state);
});
const schematicTab = tabs(document.querySelector("#view [role=tablist]"));

element("run").onsubmit = (event) => {
  event.preventDefault();
  for (const name of ["stop", "step"]) state[name] = element(name).valueAsNumber || undefined;
  runs.run(state);
};
element("examples").onclick = () => {
  element("list").scrollIntoView();
  element("search").focus({ preventScroll: true });
};
element("cancel").onclick = () => runs.stop();
document.querySelector(".skip").onclick = (event) => {
  // The address keeps what is open.
  event.preventDefault();
  editor.focus();
};

function showMessages(problems) {
  editor.mark(problems.filter(({ file }) => !file || file === editor.name));
  element("messages").replaceChildren(...problems.map(({ file, line, message }) => {
    const item = document.createElement("li");
    if (!line) {
      item.textContent = message;
      return item;
    }
    const button = item.appendChild(document.createElement("button"));
    button.textContent = `${file ?? state.main}:${line}: ${message}`;
    button.onclick = () => {
      if (file && file in state.files) showFile(file);
      editor.go(line);
    };
    return item;
  }));
}

/** Shows a file in the editor, and the list of files. */
function showFile(name) {
  editor.open(name, state.files[name]);
  element("files").replaceChildren(...Object.keys(state.files).map((file) => {
    const button = document.createElement("button");
    Object.assign(button, { textContent: file, role: "tab", disabled: typeof state.files[file] !== "string" });
    button.setAttribute("aria-selected", String(file === name));
    button.onclick = () => showFile(file);
    return button;
  }));
}

/** Opens files with their settings. */
function open(wanted) {
  state = { files: wanted.files, main: wanted.main, set: wanted.set ?? {}, stop: wanted.stop, step: wanted.step,
    show: wanted.show ?? [], input: wanted.input };
  for (const name of ["stop", "step"]) element(name).value = state[name] ?? "";
  editor.clear();
  showFile(state.main);
  runs.build(state, true);
}

async function openEntry(entry) {
  markOpen(entries, entry);
  say(`Opening ${entry.title} …`);
  const named = async (file) => [file, await content(`examples/${file}`)];
  const files = Object.fromEntries(await Promise.all([...new Set([entry.main, ...entry.files])].map(named)));
  const { stop, step, show, input, set } = entry.simulate ?? {};
  open({ files, main: entry.main, stop, step, show, input, set: Object.fromEntries((set ?? []).map((text) => text.split(/=(.*)/s))) });
  history.replaceState(null, "", `#${new URLSearchParams({ e: entry.main })}`);
}

async function content(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} is not there`);
  return isText(address) ? answer.text() : new Uint8Array(await answer.arrayBuffer());
}

takeFiles(document.body, element("add"), (name, content) => {
  state.files[name] = content;
  const configuration = name.endsWith(".toml");
  if (configuration) open({ ...state, main: name, show: [], set: {} });
  else {
    showFile(editor.name);
    runs.build(state);
  }
  say(configuration ? `${name} is open` : `${name} is there: name it in the configuration, file = "${name}"`);
});

element("share").onclick = async () => {
  const coded = ([name, content]) => [name, typeof content === "string" ? content : { base64: toText(content) }];
  const files = Object.fromEntries(Object.entries(state.files).map(coded));
  history.replaceState(null, "", `#${await pack({ ...state, files })}`);
  await navigator.clipboard?.writeText(location.href).then(() => say("The link is copied"), () => say("The link is in the address bar"));
};

const libraries = () => content("libraries/index.json");

async function make(platforms, fmi) {
  say("Loading the libraries of platforms …");
  const index = await libraries();
  const named = async (platform) => [platform, await content(`libraries/${platform}.xz`)];
  const archives = Object.fromEntries(await Promise.all(platforms.map(named)));
  say("Packing …");
  return module.call("pack", { ...state, fmi, libraries: { index, archives } });
}

download({ available: async () => module.call("platforms", await libraries()), make, say });

/** Opens what the address says: a state, an entry of the gallery, or else the first mechanism. */
async function follow() {
  const linked = await unpack(location.hash).catch(() => say("The link is damaged"));
  if (!linked) {
    const file = new URLSearchParams(location.hash.slice(1)).get("e") ?? "slider-crank.toml";
    return openEntry(entries.find(({ main }) => main === file) ?? entries[0]);
  }
  const plain = ([name, content]) => [name, typeof content === "string" ? content : toBytes(content.base64)];
  open({ ...linked, files: Object.fromEntries(Object.entries(linked.files).map(plain)) });
}

/** Examples and components. */
let entries = [];

async function begin() {
  entries = await (await fetch("examples/index.json")).json();
  gallery(entries, openEntry);
  addEventListener("hashchange", follow);
  await follow();
}

begin().catch((error) => say(`The page cannot start: ${error.message}`));
if ("serviceWorker" in navigator && location.protocol.startsWith("http")) {
  addEventListener("load", () => navigator.serviceWorker.register("service.js", { type: "module" }).catch(() => {}));
}

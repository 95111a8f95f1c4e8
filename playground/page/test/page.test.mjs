// The page in a browser: node --test, with PAGE, the folder of the page, FMUS, a folder with FMUs that the command line built,
// DOWNLOADS, what is chosen for the same FMUs here, OUT, a folder for pictures and downloads, and BUSHING, a configuration, its
// workbook, and the same table as text, with commas.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { browser } from "./browser.mjs";
import { serve, serveByPython } from "./server.mjs";

const { PAGE, FMUS, OUT } = process.env;
const DOWNLOADS = JSON.parse(process.env.DOWNLOADS);
/** A configuration, the workbook with its data, and these as text. */
const BUSHING = process.env.BUSHING.split(",");
const RUN = /: \d+ points in \d+ ms/;

/** Time in ms after which a wait has failed. */
const TIMEOUT = 120_000;

/** Longest times in ms: from the address to the first motion, from an edit to the new one, and of a run of an engine over 1 s. */
const MAX_TIMES = { first: 2000, edited: 300, engine: 500 };

let site, chromium, page;
before(async () => {
  site = await serve(PAGE);
  chromium = await browser(1440, 900);
});
after(async () => {
  await chromium.close();
  await site.end();
});
beforeEach(async () => {
  await page?.close();
  page = await chromium.context.newPage();
  page.setDefaultTimeout(TIMEOUT);
  // Without a graphics card, pictures of a motion take more of the processor than the run.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.addInitScript(() => addEventListener("input", () => performance.mark("input"), { capture: true }));
  chromium.errors.length = 0;
});

const status = () => page.locator("#status");
const example = async (file, { address } = site) => {
  await page.goto("about:blank");
  await page.goto(`${address}#e=${file}`);
  await ran();
};
const ran = () => page.waitForFunction((text) => new RegExp(text).test(document.getElementById("status").textContent), RUN.source);
/** Waits for the next run after an action. */
const again = async (action) => {
  const count = () => performance.getEntriesByName("run").length;
  const before = await page.evaluate(count);
  await action();
  await page.waitForFunction((before) => performance.getEntriesByName("run").length > before, before);
};
/** Time in ms of the last mark of this name: "run", a motion is shown; "input", the user has changed something. */
const last = (name) => page.evaluate((name) => performance.getEntriesByName(name).at(-1).startTime, name);
const clean = () => assert.deepEqual(chromium.errors, []);
/** Expects one of a few attempts to take no more than a time in ms: whatever else the computer does delays some. */
const within = async (limit, what, t, attempt) => {
  const times = [];
  while (times.length < 5 && !(Math.min(...times) <= limit)) times.push(await attempt());
  const told = `${what}: ${times.map(Math.round).join(", ")} ms`;
  t.diagnostic(told);
  assert.ok(Math.min(...times) <= limit, told);
};
/** Replaces the first line of the editor with this text. */
const replace = async (old, text) => {
  const line = page.locator(".cm-line", { hasText: old }).first();
  await line.click();
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+End");
  await page.keyboard.insertText(text);
};

test("it loads and moves", async (t) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  site.sent = 0;
  await page.goto(site.address);
  await ran();
  const time = await last("run");
  t.diagnostic(`first motion after ${Math.round(time)} ms`);
  assert.ok(time <= MAX_TIMES.first, `${time} ms`);
  // In the plots, a line follows.
  const places = () => page.evaluate(() => {
    const { min, max, valueAsNumber: moment } = document.getElementById("moment");
    const line = document.querySelector(".moment"), plot = line.parentElement.getBoundingClientRect();
    return { moment, of: (moment - min) / (max - min), line: (line.getBoundingClientRect().left - plot.left) / plot.width };
  });
  let { moment } = await places();
  for (let i = 0; i < 3; i++) {
    await page.waitForFunction((moment) => document.getElementById("moment").valueAsNumber !== moment, moment);
    const now = await places();
    assert.ok(Math.abs(now.of - now.line) < 0.01, JSON.stringify(now));
    ({ moment } = now);
  }
  assert.equal(await page.locator("#manual").count(), 0);
  // The service worker loads the rest of the examples.
  await page.evaluate(() => navigator.serviceWorker.ready);
  t.diagnostic(`${(site.sent / 1e6).toFixed(2)} MB sent, compressed`);
  assert.ok(site.sent < 2.5e6, `${site.sent} bytes`);
  await page.screenshot({ path: join(OUT, "wide.png") });
  clean();
});

test("an edit moves it anew, and a wrong line has our message", async (t) => {
  await example("slider-crank.toml");
  let value = 30;
  await within(MAX_TIMES.edited, "edited to new motion", t, async () => {
    await again(() => replace(`w_start = ${value}.0`, `w_start = ${value += 10}.0`));
    return await last("run") - await last("input");
  });
  await replace("w_start", "w_strat = 60.0");
  const message = page.locator("#messages li");
  await message.filter({ hasText: "w_strat" }).waitFor();
  const marked = await page.locator(".cm-lintRange-error").first().textContent();
  assert.match(marked, /w_strat/);
  assert.match(await message.first().textContent(), /slider-crank\.toml:\d+.*w_strat/);
  await page.screenshot({ path: join(OUT, "message.png") });
  clean();
});

test("an engine runs as fast as it turns", async (t) => {
  await example("engine-v6.toml");
  await page.locator("#stop").fill("1");
  // The step of its description.
  const step = await page.locator("#step").getAttribute("placeholder");
  await page.locator("#step").fill(step);
  await within(MAX_TIMES.engine, `EngineV6, 1 s in steps of ${step} s`, t, async () => {
    await again(() => page.locator("#run .primary").click());
    return Number((await status().textContent()).match(/in (\d+) ms/)[1]);
  });
  clean();
});

const slider = (name) => page.locator(".slider", { hasText: name }).locator("input[type=range]");
const legend = () => page.locator(".u-legend").first().textContent();

test("a slider runs it again", async () => {
  await example("slider-crank.toml");
  await page.locator("#moment").fill("0.5");
  // An input, and a parameter.
  for (const [name, value] of [["motor.tau", "10"], ["flywheel.J", "0.08"]]) {
    const before = await legend();
    await again(() => slider(name).fill(value));
    assert.notEqual(await legend(), before);
  }
  clean();
});

test("while a slider moves, runs give way to the newest one", async () => {
  const values = [-700, -750, -800, -850, -900, -950, -1000, -1050, -1100, -1150];
  const name = "load.tau_nominal", moment = "0.2";
  await example("engine-v6.toml");
  await again(() => slider(name).fill(String(values.at(-1))));
  await page.locator("#moment").fill(moment);
  const expected = await legend();
  await example("engine-v6.toml");
  const count = () => page.evaluate(() => performance.getEntriesByName("run").length);
  const before = await count();
  await slider(name).evaluate(async (slider, values) => {
    for (const value of values) {
      slider.value = value;
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }, values);
  await page.waitForFunction(([moment, expected]) => {
    const place = document.getElementById("moment");
    place.value = moment;
    place.dispatchEvent(new Event("input"));
    return document.querySelector(".u-legend").textContent === expected;
  }, [moment, expected]);
  assert.ok(await count() - before < values.length);
  clean();
});

test("a link holds the configuration", async () => {
  await example("slider-crank.toml");
  await again(() => replace("m = 1.2", "m = 1.25"));
  await page.locator("#share").click();
  await page.waitForFunction(() => location.hash.startsWith("#c="));
  const address = page.url();
  await page.goto("about:blank");
  await page.goto(address);
  await ran();
  await page.locator(".cm-line", { hasText: "m = 1.25" }).waitFor();
  clean();
});

test("a run can be stopped", async () => {
  await example("slider-crank.toml");
  await page.locator("#stop").fill("500");
  await page.locator("#run .primary").click();
  await page.locator("#cancel:enabled").click();
  await page.locator("#cancel:disabled").waitFor();
  await page.locator("#stop").fill("1");
  await again(() => page.locator("#run .primary").click());
  clean();
});

/** Drops a file on the page. */
const drop = (name, content) => page.evaluate(([name, content]) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([Uint8Array.from(content)], name));
  document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
}, [name, [...content]]);

test("files come by drag and drop", async () => {
  await example("slider-crank.toml");
  const content = await readFile(join(PAGE, "examples", "four-bar.toml"));
  await again(() => drop("mine.toml", content));
  await page.locator("#files [role=tab][aria-selected=true]", { hasText: "mine.toml" }).waitFor();
  clean();
});

test("a configuration and its workbook or table come by drag and drop", async () => {
  await example("slider-crank.toml");
  const configuration = await readFile(BUSHING[0], "utf8");
  const [workbook, text] = BUSHING.slice(1).map((file) => basename(file));
  for (const [i, table] of [workbook, text].entries()) {
    await drop(basename(BUSHING[0]), Buffer.from(configuration.replace(workbook, table)));
    const message = page.locator("#messages li", { hasText: table });
    await message.waitFor();
    const content = await readFile(BUSHING[1 + i]);
    await again(() => drop(table, content));
    await message.waitFor({ state: "detached" });
    await page.locator("#status", { hasText: RUN }).waitFor();
  }
  clean();
});

/** Downloads an FMU of an example. */
async function downloaded(place, { main, fmi = "", set = {}, platforms }) {
  await example(main, place);
  for (const [name, value] of Object.entries(set)) await again(() => slider(name).fill(String(value)));
  await page.locator("#download summary").click();
  await page.locator(`#platforms input[value=${platforms[0]}]:enabled`).waitFor();
  if (platforms.length > 1) await page.getByRole("button", { name: "All", exact: true }).click();
  else for (const box of await page.locator("#platforms input:enabled").all()) {
    await box.setChecked(await box.inputValue() === platforms[0]);
  }
  assert.equal(await page.locator("#platforms input:checked").count(), platforms.length);
  await page.locator(`#download input[name=fmi][value="${fmi}"]`).check();
  const download = page.waitForEvent("download");
  await page.locator("#download form .primary").click();
  return download;
}

test("downloads have the bytes of the command line", async () => {
  assert.ok(DOWNLOADS.length > 0);
  const places = new Map([[undefined, site]]);
  try {
    for (const wanted of DOWNLOADS) {
      const { fmu, libraries } = wanted;
      if (!places.has(libraries)) places.set(libraries, await serve(PAGE, libraries));
      const path = join(OUT, fmu);
      await (await downloaded(places.get(libraries), wanted)).saveAs(path);
      assert.ok((await readFile(path)).equals(await readFile(join(FMUS, fmu))), `${fmu} differs`);
    }
  } finally {
    places.delete(undefined);
    for (const { end } of places.values()) await end();
  }
  clean();
});

test("every example runs", async (t) => {
  const examples = JSON.parse(await readFile(join(PAGE, "examples", "index.json"), "utf8"));
  assert.ok(examples.length > 10);
  // One page for all of them: each loading compiles the module again.
  await page.goto(site.address);
  await ran();
  for (const { main } of examples) {
    const opened = () => page.evaluate((main) => { location.hash = `#e=${main}&again`; }, main);
    await again(opened).catch(async (error) => {
      throw new Error(`${main}: ${await status().textContent()} ${await page.locator("#messages").textContent()}`, { cause: error });
    });
    t.diagnostic(await status().textContent());
    const { min, max } = await page.locator("#moment").evaluate(({ min, max }) => ({ min: Number(min), max: Number(max) }));
    await page.locator("#moment").fill(String((min + max) / 2));
  }
  clean();
});

test("all can be done by the keyboard", async () => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await example("four-bar.toml");
  const { keyboard } = page;
  const has = (selector) => page.waitForFunction((selector) => document.activeElement.matches(selector), selector);
  await keyboard.press("Tab");
  await has(".skip");
  await keyboard.press("Enter");
  await has(".cm-content");
  await again(() => keyboard.insertText("# mine\n"));
  await keyboard.press("Tab");
  await page.waitForFunction(() => !document.activeElement.closest("#editor"));
  assert.match(page.url(), /#e=four-bar\.toml$/);
  await page.locator("#tab-motion").focus();
  await keyboard.press("ArrowRight");
  await has("#tab-schematic");
  await page.locator("#schematic svg").waitFor();
  await page.locator("#play").focus();
  await keyboard.press("Space");
  await page.locator("#play", { hasText: "Play" }).waitFor();
  await page.locator("#download summary").focus();
  await keyboard.press("Enter");
  await page.locator("#platforms input:enabled").first().waitFor();
  await keyboard.press("Escape");
  await page.locator("#download:not([open])").waitFor();
  await has("#download summary");
  await page.locator("#search").focus();
  await keyboard.insertText("slider");
  await keyboard.press("Tab");
  await has("#gallery button");
  await again(() => keyboard.press("Enter"));
  assert.match(page.url(), /#e=slider-crank\.toml$/);
  const before = await slider("motor.tau").inputValue();
  await slider("motor.tau").focus();
  await again(() => keyboard.press("ArrowRight"));
  assert.ok(Number(await slider("motor.tau").inputValue()) > Number(before));
  clean();
});

test("the editor completes what one types", async () => {
  await example("slider-crank.toml");
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type('\n\n[parts.more]\ntype = "Spri');
  await page.locator(".cm-tooltip-autocomplete li").getByText("Spring", { exact: true }).click();
  await page.locator(".cm-line", { hasText: /^type = "Spring"$/ }).waitFor();
  clean();
});

test("it works without a network", async () => {
  await page.goto(site.address);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await site.end();
  try {
    await page.reload();
    await ran();
    await page.getByRole("button", { name: "V engine" }).first().click();
    await page.locator("#status", { hasText: "EngineV6: " }).waitFor();
  } finally {
    site = await serve(PAGE);
  }
});

test("it works with servers that neither compress nor know the type of the module", async () => {
  for (const script of ["", 'import mimetypes; mimetypes.init(); mimetypes.types_map.pop(".wasm")']) {
    const server = await serveByPython(PAGE, script);
    try {
      const answer = page.waitForResponse(/\.wasm$/);
      await example("slider-crank.toml", server);
      assert.equal((await answer).headers()["content-type"] === "application/wasm", !script);
    } finally {
      await server.end();
    }
    clean();
  }
});

test("it fits a phone, and assistive technology can read it", async () => {
  const axe = await readFile(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
  const isReadable = async () => {
    const found = await page.evaluate(() => globalThis.axe.run());
    const problems = found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ").slice(0, 300)}`);
    assert.deepEqual(problems, []);
  };
  for (const [width, height] of [[390, 844], [1440, 900]]) {
    await page.setViewportSize({ width, height });
    const fits = async () => assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    await example("slider-crank.toml");
    await fits();
    await page.screenshot({ path: join(OUT, `${width}.png`), fullPage: width < 500 });
    await page.evaluate(axe);
    await isReadable();
    await page.locator("#signals summary").click();
    await page.locator("#tab-schematic").click();
    await page.locator("#schematic svg").waitFor();
    await replace("w_start = 30.0", "w_strat = 60.0");
    await page.locator("#messages li").waitFor();
    await page.locator("#download summary").click();
    await fits();
    await page.screenshot({ path: join(OUT, `${width}-open.png`), fullPage: width < 500 });
    await isReadable();
  }
  clean();
});

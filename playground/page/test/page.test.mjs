// The page in a browser: node --test, with PAGE, the folder of the page, FMUS, a folder with FMUs of examples that the
// command line built, OUT, a folder for pictures and downloads, and BUSHING, a configuration and its workbook, with a comma.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { browser } from "./browser.mjs";
import { serve } from "./server.mjs";

const { PAGE, FMUS, OUT } = process.env;
/** A configuration, and the workbook with its data. */
const BUSHING = process.env.BUSHING.split(",");
const RUN = /: \d+ points in \d+ ms/;

/** Time in ms after which a wait has failed. */
const TIMEOUT = 120_000;

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
const example = async (file) => {
  await page.goto("about:blank");
  await page.goto(`${site.address}#e=${file}`);
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
  t.diagnostic(`first motion after ${Math.round(await last("run"))} ms`);
  const moment = () => page.locator("#moment").inputValue();
  const first = await moment();
  await page.waitForFunction((first) => document.getElementById("moment").value !== first, first);
  // The service worker loads the rest of the examples.
  await page.evaluate(() => navigator.serviceWorker.ready);
  t.diagnostic(`${(site.sent / 1e6).toFixed(2)} MB sent, compressed`);
  assert.ok(site.sent < 2.5e6, `${site.sent} bytes`);
  await page.screenshot({ path: join(OUT, "wide.png") });
  clean();
});

test("an edit moves it anew, and a wrong line has our message", async (t) => {
  await example("slider-crank.toml");
  await again(() => replace("w_start = 30.0", "w_start = 60.0"));
  t.diagnostic(`edited to new motion: ${Math.round(await last("run") - await last("input"))} ms`);
  await replace("w_start = 60.0", "w_strat = 60.0");
  const message = page.locator("#messages li");
  await message.filter({ hasText: "w_strat" }).waitFor();
  const marked = await page.locator(".cm-lintRange-error").first().textContent();
  assert.match(marked, /w_strat/);
  assert.match(await message.first().textContent(), /slider-crank\.toml:\d+.*w_strat/);
  await page.screenshot({ path: join(OUT, "message.png") });
  clean();
});

test("a slider runs it again", async () => {
  await example("slider-crank.toml");
  const slider = page.locator(".slider", { hasText: "motor.tau" }).locator("input[type=range]");
  await page.locator("#moment").fill("0.5");
  const before = await page.locator(".u-legend").first().textContent();
  await again(() => slider.fill("10"));
  assert.notEqual(await page.locator(".u-legend").first().textContent(), before);
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

test("a configuration and its workbook come by drag and drop", async () => {
  await example("slider-crank.toml");
  const [configuration, workbook] = await Promise.all(BUSHING.map((file) => readFile(file)));
  await drop(basename(BUSHING[0]), configuration);
  const message = page.locator("#messages li", { hasText: basename(BUSHING[1]) });
  await message.waitFor();
  await again(() => drop(basename(BUSHING[1]), workbook));
  await message.waitFor({ state: "detached" });
  await page.locator("#status", { hasText: RUN }).waitFor();
  clean();
});

test("the download has the bytes of the command line", async () => {
  const files = (await readdir(FMUS)).filter((file) => file.endsWith(".fmu"));
  assert.ok(files.length > 0);
  const examples = JSON.parse(await readFile(join(PAGE, "examples", "index.json"), "utf8"));
  for (const file of files) {
    await example(examples.find(({ name }) => `${name}.fmu` === file).main);
    await page.locator("#download summary").click();
    await page.locator("#platforms input[value=linux64]:enabled").check();
    const download = page.waitForEvent("download");
    await page.locator("#download form .primary").click();
    const path = join(OUT, file);
    await (await download).saveAs(path);
    assert.ok((await readFile(path)).equals(await readFile(join(FMUS, file))), `${file} differs`);
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

test("it fits a phone, and assistive technology can read it", async () => {
  const axe = await readFile(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
  for (const [width, height] of [[390, 844], [1440, 900]]) {
    await page.setViewportSize({ width, height });
    await example("slider-crank.toml");
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    await page.screenshot({ path: join(OUT, `${width}.png`), fullPage: width < 500 });
    await page.evaluate(axe);
    const found = await page.evaluate(() => globalThis.axe.run());
    const problems = found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ").slice(0, 300)}`);
    assert.deepEqual(problems, []);
  }
  clean();
});

// Bundles the page into a folder: node build.mjs FOLDER [--in-site], for a folder of the site.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";

const [folder, place] = process.argv.slice(2);
if (!folder) throw new Error("the folder for the page is missing");
await mkdir(folder, { recursive: true });

const settings = { bundle: true, minify: true, format: "esm", target: "es2022", legalComments: "none", outdir: folder, entryNames: "[name]" };
const { metafile } = await build({ ...settings, entryPoints: ["src/page.js", "src/worker.js", "page.css"], metafile: true });
await cp("icon.svg", join(folder, "icon.svg"));
const html = await readFile("index.html", "utf8");
// Alone, the page has no manual beside it.
await writeFile(join(folder, "index.html"), place === "--in-site" ? html : html.replace(/^.* id="manual".*\n/m, ""));

// The licences of all that is in the bundle.
const packages = new Set();
for (const file of Object.keys(metafile.inputs)) {
  const name = file.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1];
  if (name) packages.add(name);
}
const licences = await Promise.all([...packages].sort().map(async (name) => {
  const place = join("node_modules", name);
  const { version } = JSON.parse(await readFile(join(place, "package.json"), "utf8"));
  return `${name} ${version}\n\n${await readFile(join(place, "LICENSE"), "utf8")}`;
}));
await writeFile(join(folder, "licences.txt"), licences.join("\n---\n\n"));

// What the page keeps for the time without a network: all files, but for the libraries of platforms.
const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
  .filter((name) => name !== "service.js" && !name.startsWith("libraries/"))
  .sort();
const digest = createHash("sha256");
for (const name of names) digest.update(name).update(await readFile(join(folder, name)));
const define = { FILES: JSON.stringify(["./", ...names]), VERSION: JSON.stringify(digest.digest("hex").slice(0, 16)) };
await build({ ...settings, entryPoints: ["src/service.js"], define });

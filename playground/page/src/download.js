// The form that makes an FMU for platforms.

export const PLATFORMS = [
  ["linux64", "Linux, 64 bit"], ["win64", "Windows, 64 bit"], ["darwin64", "macOS"], ["aarch64-linux", "Linux on ARM, 64 bit"],
];

/**
 * Prepares the form; `available` returns the platforms that there are, `make` gets some of them and the version of FMI and
 * returns `{ name, bytes }`.
 */
export function download({ available, make, say }) {
  const place = document.getElementById("platforms"), details = document.getElementById("download");
  const form = details.querySelector("form"), button = form.querySelector("button");
  const own = here();
  const boxes = PLATFORMS.map(([id, label]) => {
    const row = place.appendChild(document.createElement("label"));
    const box = row.appendChild(document.createElement("input"));
    // Until it is known which there are.
    Object.assign(box, { type: "checkbox", value: id, checked: id === own, disabled: true });
    row.append(` ${label}`);
    return box;
  });
  const all = place.appendChild(document.createElement("button"));
  Object.assign(all, { type: "button", textContent: "All" });
  all.onclick = () => boxes.forEach((box) => { box.checked = !box.disabled; });
  details.ontoggle = async () => {
    if (!details.open) return;
    const there = await available().catch(({ message }) => say(message)) ?? [];
    boxes.forEach((box) => { box.disabled = !there.includes(box.value); });
    boxes.forEach((box) => { box.checked &&= !box.disabled; });
  };
  form.onsubmit = async (event) => {
    event.preventDefault();
    const platforms = boxes.filter((box) => box.checked).map((box) => box.value);
    if (!platforms.length) return say("Choose at least one platform");
    button.disabled = true;
    try {
      const { name, bytes } = await make(platforms, form.elements.fmi.value);
      save(name, bytes);
      details.open = false;
      say(`${name}: ${Math.round(bytes.length / 1024)} kB`);
    } catch (error) {
      say(error.message);
    } finally {
      button.disabled = false;
    }
  };
  details.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    details.open = false;
    details.querySelector("summary").focus();
  });
}

/** Guesses the platform on which the page is shown. */
function here() {
  const { userAgent } = navigator;
  if (/Windows/.test(userAgent)) return "win64";
  if (/Mac OS|Macintosh/.test(userAgent)) return "darwin64";
  return /Linux (aarch64|arm64)/.test(userAgent) && !/Android/.test(userAgent) ? "aarch64-linux" : "linux64";
}

function save(name, bytes) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

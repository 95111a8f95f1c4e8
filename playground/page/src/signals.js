// The list of signals, of which some are plotted.

/** Number of signals that the list shows at once. */
const LISTED = 200;

/** Prepares the list; returns a function that shows names, of which some are chosen. */
export function chooser(place, changed) {
  const search = place.querySelector("input"), list = place.querySelector("div");
  let names = [], chosen = [];
  const fill = () => {
    const words = search.value.toLowerCase().split(/\s+/);
    const found = names.filter((name) => words.every((word) => name.toLowerCase().includes(word)));
    const first = found.filter((name) => chosen.includes(name));
    const rest = found.filter((name) => !chosen.includes(name));
    list.replaceChildren(...[...first, ...rest].slice(0, LISTED).map((name) => {
      const label = document.createElement("label");
      const box = label.appendChild(document.createElement("input"));
      Object.assign(box, { type: "checkbox", checked: chosen.includes(name) });
      label.append(` ${name}`);
      box.onchange = () => {
        chosen = box.checked ? [...chosen, name] : chosen.filter((other) => other !== name);
        changed(chosen);
      };
      return label;
    }));
    if (found.length > LISTED) list.append(`and ${found.length - LISTED} more: search for them`);
  };
  search.oninput = fill;
  place.ontoggle = () => { if (place.open) fill(); };
  return (all, shown) => {
    [names, chosen] = [all, shown];
    if (place.open) fill();
  };
}

// Sliders for start values of parameters and inputs.
import { short } from "./plots.js";

/** Number of steps of a slider. */
const STEPS = 200;

/** The sliders of a model. */
export class Sliders {
  /** `changed` is called with the values that differ, `{ name: value }`, while the user drags. */
  constructor(place, changed) {
    this.place = place;
    this.changed = changed;
    this.values = {};
  }

  /** Shows the numbers among the variables of a model that can be set; first inputs and what the configuration gives. */
  show(variables, values) {
    const settable = variables.filter(({ causality, start }) =>
      ["parameter", "input"].includes(causality) && typeof start === "number");
    this.key = key(variables);
    this.values = { ...values };
    // Elements of a vector that are 0 are seldom what one turns.
    const isGiven = ({ name, line, start }) => line && !(start === 0 && name.endsWith("]"));
    const isShown = (variable) => isInput(variable) || variable.name in this.values || isGiven(variable);
    const shown = settable.filter(isShown).sort((one, other) => isInput(other) - isInput(one));
    const further = settable.filter((variable) => !shown.includes(variable));
    this.place.replaceChildren(...shown.map((variable) => this.row(variable)));
    if (further.length) this.place.append(this.menu(further));
  }

  /** True if the sliders are those of these variables. */
  fits(variables) {
    return this.key === key(variables);
  }

  row({ name, unit, min, max, start, causality, description }) {
    const row = document.createElement("div");
    row.className = "slider";
    const value = () => this.values[name] ?? start;
    const [low, high] = range(start, min, max);
    const label = row.appendChild(document.createElement("label"));
    label.textContent = name;
    label.title = description ?? "";
    const slider = label.appendChild(document.createElement("input"));
    Object.assign(slider, { type: "range", min: low, max: high, step: (high - low) / STEPS, value: value() });
    const number = row.appendChild(document.createElement("input"));
    Object.assign(number, { type: "number", step: "any", value: short(value()) });
    number.setAttribute("aria-label", `${name}${unit ? ` in ${unit}` : ""}`);
    const shown = row.appendChild(document.createElement("span"));
    shown.textContent = unit ?? "";
    const reset = row.appendChild(document.createElement("button"));
    Object.assign(reset, { type: "button", textContent: "↺", title: `Back to ${start}`, hidden: !(name in this.values) });
    reset.setAttribute("aria-label", `${name} back to ${start}`);
    const set = (wanted) => {
      if (wanted === undefined) delete this.values[name];
      else this.values[name] = wanted;
      reset.hidden = wanted === undefined;
      this.changed({ ...this.values });
    };
    slider.addEventListener("input", () => {
      const rounded = Number(Number(slider.value).toPrecision(4));
      number.value = rounded;
      set(rounded);
    });
    number.addEventListener("change", () => {
      if (number.value === "" || !Number.isFinite(number.valueAsNumber)) return;
      slider.value = number.valueAsNumber;
      set(number.valueAsNumber);
    });
    reset.addEventListener("click", () => {
      slider.value = start;
      number.value = short(start);
      set(undefined);
      slider.focus();
    });
    row.classList.toggle("input", causality === "input");
    return row;
  }

  /** A field that adds a slider for one of the further variables. */
  menu(variables) {
    const label = document.createElement("label");
    label.className = "further";
    label.textContent = "Further parameters ";
    const select = label.appendChild(document.createElement("select"));
    select.append(new Option("choose …", ""), ...variables.map(({ name }) => new Option(name, name)));
    select.addEventListener("change", () => {
      const variable = variables.find(({ name }) => name === select.value);
      if (!variable) return;
      label.before(this.row(variable));
      select.selectedOptions[0].remove();
      select.value = "";
    });
    return label;
  }
}

const isInput = ({ causality }) => causality === "input";

const key = (variables) => JSON.stringify(variables.map(({ name, start }) => [name, start]));

/** Returns the ends of a slider around a start value, within bounds. */
function range(start, min, max) {
  const reach = start === 0 ? 1 : 2 * Math.abs(start);
  const low = start > 0 ? 0 : -reach, high = start < 0 ? 0 : reach;
  return [Math.max(low, min ?? -Infinity), Math.min(high, max ?? Infinity)];
}

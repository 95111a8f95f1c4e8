// Plots of signals over time, with a line at the moment that the mechanism shows.
import uPlot from "uplot";
import { rowAt } from "./time.js";

const COLORS = ["#1f5fa8", "#c2571a", "#2c7a3f", "#8c3a8c", "#a02c2c", "#5a5a5a"];
const HEIGHT = 170;

/** The plots: one for each unit. */
export class Plots {
  /** `seek` is called with the time to which the user points. */
  constructor(place, seek) {
    this.place = place;
    this.seek = seek;
    this.plots = [];
    new ResizeObserver(() => this.fit()).observe(place);
  }

  /** Shows signals, each `{ name, unit, values }`, over time in s; plots of the same signals are kept. */
  show(time, signals) {
    const groups = grouped(signals);
    const key = JSON.stringify([...groups].map(([unit, group]) => [unit, group.map(({ name }) => name)]));
    const data = [...groups.values()].map((group) => [time, ...group.map(({ values }) => values)]);
    if (key === this.key) {
      this.plots.forEach((plot, i) => plot.setData(data[i]));
    } else {
      this.key = key;
      this.plots.forEach((plot) => plot.destroy());
      this.plots = [...groups].map(([unit, group], i) => this.plot(unit, group, data[i]));
    }
    this.point();
  }

  plot(unit, group, data) {
    const names = group.map(({ name }) => name).join(", ");
    const axis = { stroke: "#444", grid: { stroke: "#e4e7ea" }, ticks: { stroke: "#e4e7ea" }, font: "12px sans-serif" };
    const plot = new uPlot({
      width: this.place.clientWidth, height: HEIGHT,
      scales: { x: { time: false } },
      legend: { live: true, markers: { width: 3 } },
      cursor: { drag: { x: false, y: false }, sync: { key: "time" } },
      axes: [
        { ...axis, values: (_, splits) => splits.map((value) => short(value) + " s") },
        { ...axis, size: 62, label: unit, labelSize: 18, labelFont: "12px sans-serif", values: (_, splits) => splits.map(short) },
      ],
      series: [
        { label: "time", value: (_, value) => (value == null ? "" : short(value) + " s") },
        ...group.map(({ name }, i) => ({
          label: name, stroke: COLORS[i % COLORS.length], width: 1.5, points: { show: false },
          value: (_, value) => (value == null ? "" : value.toPrecision(5)),
        })),
      ],
    }, data, this.place);
    plot.root.setAttribute("role", "img");
    plot.root.setAttribute("aria-label", `${names} over time${unit ? `, in ${unit}` : ""}`);
    plot.line = plot.over.appendChild(document.createElement("div"));
    plot.line.className = "moment";
    const seek = (event) => {
      if (event.buttons !== 1) return;
      this.seek(plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, "x"));
    };
    plot.over.addEventListener("pointerdown", seek);
    plot.over.addEventListener("pointermove", seek);
    return plot;
  }

  /** Moves the line to a time. */
  point(time = this.time ?? 0) {
    this.time = time;
    this.plots.forEach((plot) => {
      plot.line.style.transform = `translateX(${plot.valToPos(time, "x")}px)`;
      // The legend shows the values there, unless the user points elsewhere.
      if (plot.cursor.left < 0) plot.setLegend({ idx: rowAt(plot.data[0], time) }, false);
    });
  }

  fit() {
    this.plots.forEach((plot) => plot.setSize({ width: this.place.clientWidth, height: HEIGHT }));
    this.point();
  }
}

function grouped(signals) {
  const groups = new Map();
  signals.forEach((signal) => groups.set(signal.unit, [...(groups.get(signal.unit) ?? []), signal]));
  return groups;
}

/** Returns a number with at most four digits. */
export function short(value) {
  return String(Number(value.toPrecision(4)));
}

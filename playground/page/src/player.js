// Plays a run: the time that the mechanism and the plots show.

const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

/** Time in ms between pictures while a run is under way, which needs the processor more. */
const PICTURE = 100;

export class Player {
  /** `draw` is called with a time; `runs` says whether a run is under way. */
  constructor(draw, runs) {
    this.draw = draw;
    this.drawn = 0;
    [this.button, this.place, this.clock, this.speed] =
      ["play", "moment", "clock", "speed"].map((id) => document.getElementById(id));
    this.speed.append(...SPEEDS.map((speed) => new Option(`× ${speed}`, speed, speed === 1, speed === 1)));
    this.button.onclick = () => this.set(!this.playing);
    this.place.oninput = () => this.seek(this.place.valueAsNumber);
    this.time = [0];
    this.moment = 0;
    // Motion that nobody wants to see is not begun by itself.
    this.set(!matchMedia("(prefers-reduced-motion: reduce)").matches);
    const tick = (now) => {
      if (this.playing && this.before !== undefined && this.time.length > 1) {
        const { first, last } = this;
        this.moment += (now - this.before) / 1000 * Number(this.speed.value);
        if (this.moment > last) this.moment = first;
        if (!runs() || now - this.drawn >= PICTURE) {
          this.drawn = now;
          this.show();
        }
      }
      this.before = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  get first() { return this.time[0]; }
  get last() { return this.time[this.time.length - 1]; }

  /** Plays or pauses. */
  set(playing) {
    this.playing = playing;
    this.button.textContent = playing ? "Pause" : "Play";
  }

  /** Shows a moment and pauses. */
  seek(moment) {
    this.set(false);
    this.moment = Math.min(Math.max(moment, this.first), this.last);
    this.show();
  }

  /** Takes the times of a new run. */
  load(time, reset) {
    this.time = time;
    this.place.min = this.first;
    this.place.max = this.last;
    if (reset || this.moment > this.last || this.moment < this.first) this.moment = this.first;
    if (reset) {
      // A run is shown in one to ten seconds.
      const fits = SPEEDS.findLast((speed) => speed <= 1 && (this.last - this.first) / speed >= 1);
      this.speed.value = fits ?? SPEEDS[0];
    }
    this.show();
  }

  show() {
    this.place.value = this.moment;
    this.clock.textContent = `${this.moment.toFixed(3)} s`;
    this.place.setAttribute("aria-valuetext", this.clock.textContent);
    this.draw(this.moment);
  }
}

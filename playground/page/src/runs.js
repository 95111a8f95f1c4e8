// Builds and runs in turn: while one is under way, only the newest wish waits.

/** Time in ms without an edit before the text is built. */
const PAUSE = 30;

/** Time in ms after which a run makes room for a newer one: what there is of it is shown. */
const TURN = 300;

/** Time in ms after which what cannot be stopped is ended with its worker. */
const PATIENCE = 500;

export class Runs {
  constructor(module, { built, ran, busy, progress, failed }) {
    Object.assign(this, { module, built, ran, busy, failed });
    module.progress = progress;
  }

  /** Builds a state and runs it; `fresh` if it is another model, not another version of the same. */
  build(state, fresh = false) {
    clearTimeout(this.timer);
    this.fresh ||= fresh;
    this.timer = setTimeout(() => this.want(state, true), fresh ? 0 : PAUSE);
  }

  /** Runs the model that is built with the values of the state. */
  run(state) {
    this.want(state, false);
  }

  want(state, build) {
    this.waiting = { state, build: build || Boolean(this.waiting?.build) };
    if (this.active) this.module.call("limit", TURN).catch(() => {});
    else this.work();
  }

  /** Stops the run that is under way; what there is of it is shown. */
  stop() {
    this.waiting = undefined;
    this.module.call("limit", 0).catch(() => {});
    this.impatient = setTimeout(() => this.module.stop(), PATIENCE);
  }

  async work() {
    this.active = true;
    const slow = setTimeout(() => this.busy(true), 100);
    while (this.waiting) {
      const { state, build } = this.waiting;
      this.waiting = undefined;
      await this.once(state, build).catch(({ message }) => this.failed(message));
    }
    clearTimeout(slow);
    clearTimeout(this.impatient);
    this.busy(false);
    this.active = false;
  }

  async once(state, build) {
    const { fresh, module } = this;
    if (build || this.generation !== module.generation) {
      const answer = await module.call("build", state);
      this.generation = answer.model && module.generation;
      this.built(answer, fresh);
      if (!answer.model) return;
    }
    const result = await module.call("run", state);
    this.fresh = false;
    this.ran(result, fresh);
  }
}

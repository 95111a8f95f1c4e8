// Names of parts beside the moving shapes.

/** Largest number of names that are shown, as in pictures. */
const MOST = 16;

/** Room in pixels between names. */
const GAP = 2;

export class Names {
  constructor(place) {
    this.place = place.appendChild(document.createElement("div"));
    this.place.className = "names";
    // The list of parameters and the configuration tell the names to others.
    this.place.setAttribute("aria-hidden", "true");
    this.names = [];
  }

  /** Takes the names of a scene. */
  show(labels) {
    this.place.replaceChildren();
    this.names = (labels.length > MOST ? [] : labels).map((label) => {
      const text = this.place.appendChild(document.createElement("span"));
      text.textContent = label;
      return { text };
    });
  }

  /** Puts each name to its place in pixels, which `at` returns; one that would meet another one is left out. */
  draw(at) {
    const taken = [];
    this.names.forEach((name, i) => {
      const { text } = name;
      // Measured once, when they can be seen.
      const width = name.width ||= text.offsetWidth, height = name.height ||= text.offsetHeight;
      const [x, y] = at(i);
      const own = { left: x + 4, top: y - height / 2, right: x + 4 + width, bottom: y + height / 2 };
      const meets = taken.some((other) => own.left < other.right + GAP && other.left < own.right + GAP
        && own.top < other.bottom + GAP && other.top < own.bottom + GAP);
      text.style.visibility = meets ? "hidden" : "visible";
      if (meets) return;
      taken.push(own);
      text.style.transform = `translate(${own.left}px, ${own.top}px)`;
    });
  }
}

// The place of the moving mechanism: without shapes, or without WebGL, it says so.
import { Stage } from "./scene.js";

export function view(place) {
  const canvas = place.querySelector("canvas");
  const note = place.appendChild(document.createElement("p"));
  let stage, scene;
  // The first drawing takes long: the stage is made while the module is loaded.
  setTimeout(() => {
    try {
      stage ??= new Stage(canvas);
    } catch { /* It is tried again where there is something to show. */ }
  });
  const tell = (text) => {
    note.textContent = text;
    note.hidden = !text;
    canvas.hidden = Boolean(text);
  };
  return {
    show(next, reset) {
      scene = next;
      place.classList.toggle("empty", !scene);
      if (!scene) return tell("Nothing here moves in space: the plots show the motion.");
      try {
        stage ??= new Stage(canvas);
      } catch {
        scene = undefined;
        return tell("This browser draws no WebGL: the plots show the motion.");
      }
      tell("");
      stage.show(scene, reset);
      canvas.setAttribute("aria-label", `${scene.bodies.length} shapes in motion; the arrow keys move the view`);
    },
    draw(moment) { if (scene) stage.draw(moment); },
  };
}

// Files that the user drops on the page or chooses.

/** True for the name of a file with text. */
export const isText = (name) => /\.(toml|csv|txt|tsv|dat|asc|urdf|json)$/i.test(name);

/** Calls `take` with the name and the content of each file: text, or bytes. */
export function takeFiles(place, field, take) {
  const all = async (files) => {
    for (const file of files) {
      take(file.name, isText(file.name) ? await file.text() : new Uint8Array(await file.arrayBuffer()));
    }
  };
  const holdsFiles = (event) => event.dataTransfer?.types.includes("Files");
  place.addEventListener("dragover", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    place.classList.add("dropping");
  });
  place.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) place.classList.remove("dropping");
  });
  place.addEventListener("drop", (event) => {
    place.classList.remove("dropping");
    if (!holdsFiles(event)) return;
    event.preventDefault();
    all(event.dataTransfer.files);
  }, { capture: true });
  field.addEventListener("change", () => all(field.files));
}

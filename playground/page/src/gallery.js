// The list of examples and components.

/** Shows the lists and calls `open` with an entry that the user chooses. */
export function gallery(entries, open) {
  const place = document.getElementById("gallery"), search = document.getElementById("search");
  const lists = [["Examples", "example"], ["Components", "component"]].map(([title, kind]) => {
    const section = place.appendChild(document.createElement("section"));
    section.appendChild(document.createElement("h2")).textContent = title;
    const list = section.appendChild(document.createElement("ul"));
    for (const entry of entries.filter((entry) => entry.kind === kind)) {
      const button = list.appendChild(document.createElement("li")).appendChild(document.createElement("button"));
      button.appendChild(document.createElement("strong")).textContent = entry.title;
      button.appendChild(document.createElement("span")).textContent = entry.description;
      button.onclick = () => open(entry);
      entry.button = button;
    }
    section.hidden = !list.children.length;
    return section;
  });
  search.oninput = () => {
    const words = search.value.toLowerCase().split(/\s+/);
    for (const section of lists) {
      const items = [...section.querySelectorAll("li")];
      items.forEach((item) => {
        const text = item.textContent.toLowerCase();
        item.hidden = !words.every((word) => text.includes(word));
      });
      section.hidden = items.every((item) => item.hidden);
    }
  };
}

/** Marks the entry that is open. */
export function markOpen(entries, open) {
  for (const entry of entries) entry.button.toggleAttribute("aria-current", entry === open);
}

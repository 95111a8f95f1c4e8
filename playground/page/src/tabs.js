// Tabs as the ARIA practices describe them.

/** Prepares a list of tabs; returns a function that shows or hides all but the first one. */
export function tabs(list) {
  const all = [...list.querySelectorAll("[role=tab]")];
  const choose = (chosen) => all.forEach((tab) => {
    tab.setAttribute("aria-selected", String(tab === chosen));
    tab.tabIndex = tab === chosen ? 0 : -1;
    document.getElementById(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
  });
  all.forEach((tab) => { tab.onclick = () => choose(tab); });
  list.addEventListener("keydown", ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (!step) return;
    const shown = all.filter(({ hidden }) => !hidden);
    const tab = shown[(shown.indexOf(document.activeElement) + step + shown.length) % shown.length];
    choose(tab);
    tab.focus();
  });
  return (shown) => {
    all.slice(1).forEach((tab) => { tab.hidden = !shown; });
    if (!shown) choose(all[0]);
  };
}

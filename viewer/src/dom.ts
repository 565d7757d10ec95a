// Elements of the page. Text is never interpreted as HTML: names come from files.

export function make<K extends keyof HTMLElementTagNameMap>(tag: K, name = "", text = ""): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (name !== "") made.className = name;
  if (text !== "") made.textContent = text;
  return made;
}

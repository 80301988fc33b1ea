// Keeps the cards of the page in the order of the state without ever moving the one that holds the keyboard
// focus: an element that is moved loses its focus, and with it the character that is just being typed.

/** Makes `wanted` the children of `list`, in that order. */
export function arrangeCards(list: HTMLElement, wanted: readonly HTMLElement[]): void {
  const keep = new Set<Element>(wanted);
  for (const child of [...list.children]) {
    if (!keep.has(child)) {
      child.remove();
    }
  }
  // From the end on, each element goes in front of the one that follows it. So the others are placed around
  // the focused one.
  for (let index = wanted.length - 1; index >= 0; index--) {
    const element = wanted[index];
    const next = wanted[index + 1] ?? null;
    const inPlace = element?.parentElement === list && element.nextElementSibling === next;
    if (element !== undefined && !inPlace && !element.contains(document.activeElement)) {
      list.insertBefore(element, next);
    }
  }
}

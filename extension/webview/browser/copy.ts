// Puts a text into the clipboard.

/** Copies a text. Without a certificate a page of another machine has no clipboard, but it may copy what is selected. */
export async function copyText(text: string, failed: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    return;
  } catch {
    // it is not there, or not allowed
  }
  const focused = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) {
    focused.focus();
  }
  if (!copied) {
    throw new Error(failed);
  }
}

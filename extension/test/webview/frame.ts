// The editor's frame around a webview, as far as it affects a page (VS Code,
// src/vs/workbench/contrib/webview/browser/pre/index.html and webviewElement.ts): it gets every key at the
// window before the page's listeners, keeps some from the browser, and makes the editor run commands instead.

/** Where the editor runs: in a browser, or as a separate program. */
export type Platform = "browser" | "desktop" | "mac";

declare global {
  interface Window {
    /** The keys that the frame has passed to the editor, as "Control+Shift+z". */
    editorKeys: string[];
    /** The drag events that the frame got. Without Shift, the editor then takes the drag away from the page. */
    editorDrags: string[];
    /** Settles when the editor has finished its last command. */
    editorDone: Promise<void>;
  }
}

/** Runs in the page before its script; the page's address has the platform. */
export function editorFrame(): void {
  const platform = new URL(location.href).searchParams.get("platform") as Platform;
  if (platform === "mac") {
    Object.defineProperty(navigator, "platform", { value: "MacIntel" });
  }
  const forget = () => {
    window.editorKeys = [];
    window.editorDrags = [];
    window.editorDone = Promise.resolve();
  };
  forget();
  window.forgetCase.push(forget);

  window.addEventListener("keydown", (event) => {
    const { keyCode } = event;
    const withMeta = event.ctrlKey || event.metaKey;
    const has = (keys: string) => withMeta && keys.includes(String.fromCharCode(keyCode));
    if (has("ZYPFS")) {
      event.preventDefault();
    } else if (has("CVX") || (event.shiftKey && keyCode === 45)) {
      if (platform === "browser") {
        return;
      }
      event.preventDefault();
    } else if (platform === "browser" && (has("WN") || keyCode === 112 || keyCode === 116)) {
      event.preventDefault();
    }
    tellEditor(event);
  });

  for (const type of ["dragenter", "dragover"] as const) {
    window.addEventListener(type, (event) => {
      if (!(type === "dragenter" && event.defaultPrevented)) {
        window.editorDrags.push(type);
      }
      event.preventDefault();
    });
  }
  window.addEventListener("drop", (event) => event.preventDefault());

  /** The editor's keybindings for webviews. */
  function tellEditor(event: KeyboardEvent): void {
    const names = (["Control", "Meta", "Alt", "Shift"] as const).filter((name) =>
      event.getModifierState(name),
    );
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    window.editorKeys.push([...names, key].join("+"));
    const chord = [
      ...names.map((name) => (name === (platform === "mac" ? "Meta" : "Control") ? "Mod" : name)),
      key,
    ];
    switch (chord.join("+")) {
      case "Mod+z":
        document.execCommand("undo");
        break;
      case "Mod+y":
        document.execCommand(platform === "mac" ? "" : "redo");
        break;
      case "Mod+Shift+z":
        document.execCommand("redo");
        break;
      case "Mod+a":
        document.execCommand("selectAll");
        break;
      case "Mod+c":
        document.execCommand("copy");
        break;
      case "Mod+x":
        document.execCommand("cut");
        break;
      case "Mod+v":
        window.editorDone = paste();
        break;
    }
  }

  /** The effect of execCommand("paste"), which a page must not use. */
  async function paste(): Promise<void> {
    const data = new DataTransfer();
    for (const item of await navigator.clipboard.read()) {
      for (const type of item.types) {
        const content = await item.getType(type);
        type.startsWith("text/")
          ? data.setData(type, await content.text())
          : data.items.add(new File([content], "image.png", { type }));
      }
    }
    const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
    if (document.activeElement?.dispatchEvent(event) && data.types.includes("text/plain")) {
      insert(data.getData("text/plain"));
    }
  }

  function insert(text: string): void {
    const box = document.activeElement;
    // Pasting is fast; insertText takes minutes for a megabyte.
    if (text.length > 5000 && box instanceof HTMLTextAreaElement) {
      box.setRangeText(text, box.selectionStart, box.selectionEnd, "end");
      box.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertFromPaste" }));
    } else {
      document.execCommand("insertText", false, text);
    }
  }
}

// The host's style variables under the stylesheet's names; in VS Code the editor's own are there already.

import { hostNames, type ThemeName, wearTheme } from "../browser/themes";
import type { HostContext } from "./bridge";

const contrast = matchMedia("(prefers-contrast: more)");

/** Wears what the host says; called whenever that changes. */
export function wear({ theme, styles }: HostContext): void {
  const { style } = document.documentElement;
  const known = theme === "dark" || theme === "light" ? theme : undefined;
  if (known !== undefined) {
    style.colorScheme = known;
  }
  if (
    getComputedStyle(document.documentElement).getPropertyValue("--vscode-editor-background") !== "" &&
    !worn
  ) {
    return;
  }
  worn = true;
  const name: ThemeName = contrast.matches ? "high-contrast" : (known ?? "light");
  wearTheme(name);
  if (contrast.matches) {
    return; // its own colors are those that contrast
  }
  for (const [from, to] of Object.entries(hostNames)) {
    const value = styles?.variables?.[from];
    for (const each of typeof value === "string" && value !== "" ? to : []) {
      style.setProperty(`--vscode-${each}`, value as string);
    }
  }
}

/** The variables are this page's own. */
let worn = false;

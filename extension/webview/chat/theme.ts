// The look of the conversation around the page: the host's style variables under the names that the stylesheet has for them. In VS Code
// the editor's own variables are there already, in every theme.

import { type ThemeName, wearTheme } from "../browser/themes";
import type { HostContext } from "./bridge";

const names: Readonly<Record<string, readonly string[]>> = {
  "--color-background-primary": ["editor-background", "input-background"],
  "--color-background-secondary": [
    "list-hoverBackground",
    "textBlockQuote-background",
    "textCodeBlock-background",
  ],
  "--color-background-danger": ["inputValidation-errorBackground"],
  "--color-background-warning": ["inputValidation-warningBackground"],
  "--color-text-primary": ["foreground", "editor-foreground", "input-foreground", "icon-foreground"],
  "--color-text-secondary": ["descriptionForeground", "input-placeholderForeground"],
  "--color-text-disabled": ["disabledForeground"],
  "--color-text-danger": ["errorForeground"],
  "--color-text-success": ["testing-iconPassed", "charts-green"],
  "--color-text-warning": ["editorWarning-foreground"],
  "--color-text-info": ["textLink-foreground", "textLink-activeForeground"],
  "--color-border-primary": ["widget-border", "panel-border", "input-border"],
  "--color-border-danger": ["inputValidation-errorBorder"],
  "--color-border-warning": ["inputValidation-warningBorder"],
  "--color-ring-primary": ["focusBorder"],
  "--font-sans": ["font-family"],
  "--font-mono": ["editor-font-family"],
  "--font-text-md-size": ["font-size"],
};

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
  for (const [from, to] of Object.entries(names)) {
    const value = styles?.variables?.[from];
    if (typeof value === "string" && value !== "") {
      for (const each of to) {
        style.setProperty(`--vscode-${each}`, value);
      }
    }
  }
}

/** The variables are this page's own. */
let worn = false;

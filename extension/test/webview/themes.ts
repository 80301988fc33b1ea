// The editor's themes, for the tests.

import { readFileSync } from "node:fs";

/** The class of the editor's body in each theme. */
export const bodyClasses = {
  dark: "vscode-dark",
  light: "vscode-light",
  "high-contrast": "vscode-high-contrast",
} as const;

export type ThemeName = keyof typeof bodyClasses;

declare global {
  interface Window {
    /** Changes the page's theme; settles when no colour is fading any more. */
    wearTheme(name: ThemeName): Promise<void>;
  }
}

/** The themes for axe: all, unless FOLLOWUP_THEMES names some, as a check of one change does. */
export const checkedThemes = (Object.keys(bodyClasses) as ThemeName[]).filter(
  (name) => process.env.FOLLOWUP_THEMES?.split(",").includes(name) ?? true,
);

const stylesheet = readFileSync(new URL("../../webview/browser/themes.css", import.meta.url), "utf8");

/** The theme as a stylesheet: the editor's variables on the page's root, and the side bar behind the page. */
export function themeStyles(name: ThemeName): string {
  const [plain = "", contrast = ""] = stylesheet.split("@media (prefers-contrast: more)");
  const variables = [plain, ...(name === "high-contrast" ? [contrast] : [])].flatMap(
    (part) => part.match(/--vscode-[^:]+:.*;/g) ?? [],
  );
  return `:root {
${variables.join("\n").replace(/light-dark\(([^,]+), ([^)]+)\)/g, name === "light" ? "$1" : "$2")}
  background: var(--vscode-sideBar-background);
}
`;
}

/**
 * Runs in the page before its script.
 * @param classes the body's class for each theme
 */
export function installThemes(classes: Record<string, string>): void {
  window.wearTheme = async (name) => {
    const link = document.querySelector<HTMLLinkElement>('link[href*="theme.css"]');
    if (link === null) throw new Error("the page has no theme");
    const href = link.href.replace(/theme=[\w-]+$/, `theme=${name}`);
    if (href === link.href) return;
    const loaded = new Promise((resolve) => link.addEventListener("load", resolve, { once: true }));
    link.href = href;
    document.body.classList.remove(...Object.values(classes));
    document.body.classList.add(classes[name] ?? "");
    await loaded;
    const fading = document.getAnimations().filter((each) => each instanceof CSSTransition);
    await Promise.allSettled(fading.map((each) => each.finished));
  };
}

// The editor's themes, for the tests.

import { type ThemeName, themes, themeVariables } from "../../webview/browser/themes";

export { type ThemeName, themes };

declare global {
  interface Window {
    /** Gives the page another theme; settles when nothing fades any more. */
    wearTheme(name: ThemeName): Promise<void>;
  }
}

/** The themes that are looked at with axe: all, unless FOLLOWUP_THEMES names some, as a check of one change does. */
export const checkedThemes = (Object.keys(themes) as ThemeName[]).filter(
  (name) => process.env.FOLLOWUP_THEMES?.split(",").includes(name) ?? true,
);

/** The theme as a stylesheet: the editor's variables on the page's root, and the side bar behind the page. */
export function themeStyles(name: ThemeName): string {
  const variables = themeVariables(name).map(([id, value]) => `  ${id}: ${value};`);
  return `:root {
${variables.join("\n")}
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

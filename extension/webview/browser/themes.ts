// The variables of the editor's default themes, of which a page in a browser wears the one that the system's settings ask for.

import known from "./themes.json";

export type ThemeName = keyof typeof known.themes;

interface Theme {
  bodyClass: string;
  /** Colors by the name the editor registers them under; those that a theme leaves undefined are left out, as the editor does. */
  colors: Readonly<Record<string, string>>;
}

/** The themes by the names the tests use. */
export const themes: Readonly<Record<ThemeName, Theme>> = known.themes;

/** The editor's names of the style variables that a host of MCP Apps has. */
export const hostNames: Readonly<Record<string, readonly string[]>> = known.hostNames;

/** Wears a theme. */
export function wearTheme(name: ThemeName): void {
  const { body, documentElement } = document;
  for (const [property, value] of themeVariables(name)) {
    documentElement.style.setProperty(property, value);
  }
  body.classList.remove(...Object.values(themes).map(({ bodyClass }) => bodyClass));
  body.classList.add(themes[name].bodyClass);
}

/** Wears the theme that the system's settings ask for, and another one when these change. */
export function followTheme(): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const contrast = matchMedia("(prefers-contrast: more)");
  const wear = () => {
    const name: ThemeName = contrast.matches ? "high-contrast" : dark.matches ? "dark" : "light";
    document.documentElement.style.cssText = "";
    wearTheme(name);
    document.documentElement.style.colorScheme = name === "light" ? "light" : "dark";
  };
  for (const query of [dark, contrast]) {
    query.addEventListener("change", wear);
  }
  wear();
}

/** A theme's variables, as the editor names them; it names the fonts, too, which are the same in all themes. */
export function themeVariables(name: ThemeName): [name: string, value: string][] {
  const colors = Object.entries(themes[name].colors).map(
    ([id, color]) => [id.replaceAll(".", "-"), color] as const,
  );
  return [...colors, ...Object.entries(known.fonts)].map(([id, value]) => [`--vscode-${id}`, value]);
}

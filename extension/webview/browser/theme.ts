// Gives the page the theme that the system's settings ask for, as the editor gives it the user's.

import { type ThemeName, themes, themeVariables } from "./themes";

const dark = matchMedia("(prefers-color-scheme: dark)");
const contrast = matchMedia("(prefers-contrast: more)");

/** Wears the theme, and another one when the settings change. */
export function followTheme(): void {
  const wear = () => {
    const name: ThemeName = contrast.matches ? "high-contrast" : dark.matches ? "dark" : "light";
    const { style } = document.documentElement;
    for (const property of [...style]) {
      style.removeProperty(property);
    }
    for (const [property, value] of themeVariables(name)) {
      style.setProperty(property, value);
    }
    style.colorScheme = name === "light" ? "light" : "dark";
    document.body.classList.remove(...Object.values(themes).map((theme) => theme.bodyClass));
    document.body.classList.add(themes[name].bodyClass);
  };
  for (const query of [dark, contrast]) {
    query.addEventListener("change", wear);
  }
  wear();
}

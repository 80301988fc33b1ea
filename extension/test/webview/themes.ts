// The editor's themes, for the tests.

import { type ThemeName, themes, themeVariables } from "../../webview/browser/themes";

export { type ThemeName, themes };

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

// The colors that the editor's default themes give a webview, as its variables: Dark Modern, Light Modern and
// Dark High Contrast. Where a theme names no color, the editor's own default for its kind stands here.

/** A theme of the editor's. */
export interface Theme {
  /** The class that the editor puts on a webview's body. */
  bodyClass: string;
  /** Colors by the name the editor registers them under; undefined ones are left out, as the editor does. */
  colors: Record<string, string>;
}

const darkModern: Theme = {
  bodyClass: "vscode-dark",
  colors: {
    "badge.background": "#616161",
    "badge.foreground": "#f8f8f8",
    "button.background": "#0078d4",
    "button.border": "#ffffff1a",
    "button.foreground": "#ffffff",
    "button.hoverBackground": "#026ec1",
    "button.secondaryBackground": "#00000000",
    "button.secondaryForeground": "#cccccc",
    "button.secondaryHoverBackground": "#2b2b2b",
    "charts.green": "#89d185",
    descriptionForeground: "#9d9d9d",
    disabledForeground: "#cccccc80",
    "editor.background": "#1f1f1f",
    "editor.findMatchHighlightBackground": "#ea5c0055",
    "editor.foreground": "#cccccc",
    "editorWarning.foreground": "#cca700",
    "editorWidget.background": "#202020",
    errorForeground: "#f85149",
    focusBorder: "#0078d4",
    foreground: "#cccccc",
    "icon.foreground": "#cccccc",
    "input.background": "#313131",
    "input.border": "#3c3c3c",
    "input.foreground": "#cccccc",
    "input.placeholderForeground": "#989898",
    "inputValidation.errorBackground": "#5a1d1d",
    "inputValidation.errorBorder": "#be1100",
    "inputValidation.warningBackground": "#352a05",
    "inputValidation.warningBorder": "#b89500",
    "list.activeSelectionBackground": "#04395e",
    "list.activeSelectionForeground": "#ffffff",
    "list.hoverBackground": "#2a2d2e",
    "list.inactiveSelectionBackground": "#37373d",
    "panel.border": "#2b2b2b",
    "sideBar.background": "#181818",
    "testing.iconPassed": "#73c991",
    "textBlockQuote.background": "#2b2b2b",
    "textLink.foreground": "#4daafc",
    "toolbar.hoverBackground": "#5a5d5e50",
    "widget.border": "#313131",
    "checkbox.background": "#313131",
    "checkbox.border": "#3c3c3c",
    "checkbox.foreground": "#cccccc",
    "inputOption.activeBackground": "#2489db82",
    "inputOption.activeBorder": "#2488db",
    "panelTitle.activeBorder": "#0078d4",
    "panelTitle.activeForeground": "#cccccc",
    "panelTitle.inactiveForeground": "#9d9d9d",
    "textBlockQuote.border": "#616161",
    "textCodeBlock.background": "#2b2b2b",
    "textLink.activeForeground": "#4daafc",
    "textPreformat.background": "#3c3c3c",
    "textPreformat.foreground": "#d0d0d0",
  },
};

const lightModern: Theme = {
  bodyClass: "vscode-light",
  colors: {
    "badge.background": "#cccccc",
    "badge.foreground": "#3b3b3b",
    "button.background": "#005fb8",
    "button.border": "#0000001a",
    "button.foreground": "#ffffff",
    "button.hoverBackground": "#0258a8",
    "button.secondaryBackground": "#e5e5e5",
    "button.secondaryForeground": "#3b3b3b",
    "button.secondaryHoverBackground": "#cccccc",
    "charts.green": "#388a34",
    descriptionForeground: "#3b3b3b",
    disabledForeground: "#61616180",
    "editor.background": "#ffffff",
    "editor.findMatchHighlightBackground": "#ea5c0055",
    "editor.foreground": "#3b3b3b",
    "editorWarning.foreground": "#bf8803",
    "editorWidget.background": "#f8f8f8",
    errorForeground: "#f85149",
    focusBorder: "#005fb8",
    foreground: "#3b3b3b",
    "icon.foreground": "#3b3b3b",
    "input.background": "#ffffff",
    "input.border": "#cecece",
    "input.foreground": "#3b3b3b",
    "input.placeholderForeground": "#767676",
    "inputValidation.errorBackground": "#f2dede",
    "inputValidation.errorBorder": "#be1100",
    "inputValidation.warningBackground": "#f6f5d2",
    "inputValidation.warningBorder": "#b89500",
    "list.activeSelectionBackground": "#e8e8e8",
    "list.activeSelectionForeground": "#000000",
    "list.hoverBackground": "#f2f2f2",
    "list.inactiveSelectionBackground": "#e4e6f1",
    "panel.border": "#e5e5e5",
    "sideBar.background": "#f8f8f8",
    "testing.iconPassed": "#73c991",
    "textBlockQuote.background": "#f8f8f8",
    "textLink.foreground": "#005fb8",
    "toolbar.hoverBackground": "#b8b8b850",
    "widget.border": "#e5e5e5",
    "checkbox.background": "#f8f8f8",
    "checkbox.border": "#cecece",
    "checkbox.foreground": "#3b3b3b",
    "inputOption.activeBackground": "#bed6ed",
    "inputOption.activeBorder": "#005fb8",
    "panelTitle.activeBorder": "#005fb8",
    "panelTitle.activeForeground": "#3b3b3b",
    "panelTitle.inactiveForeground": "#3b3b3b",
    "textBlockQuote.border": "#e5e5e5",
    "textCodeBlock.background": "#f8f8f8",
    "textLink.activeForeground": "#005fb8",
    "textPreformat.background": "#0000001f",
    "textPreformat.foreground": "#3b3b3b",
  },
};

const highContrast: Theme = {
  bodyClass: "vscode-high-contrast",
  colors: {
    "badge.background": "#000000",
    "badge.foreground": "#ffffff",
    "button.background": "#000000",
    "button.border": "#6fc3df",
    "button.foreground": "#ffffff",
    "button.hoverBackground": "#000000",
    "button.secondaryForeground": "#ffffff",
    "button.secondaryBackground": "#000000",
    "charts.green": "#89d185",
    contrastActiveBorder: "#f38518",
    contrastBorder: "#6fc3df",
    descriptionForeground: "#ffffffb3",
    disabledForeground: "#a5a5a5",
    "editor.background": "#000000",
    "editor.findMatchHighlightBackground": "#00000000",
    "editor.findMatchHighlightBorder": "#f38518",
    "editor.foreground": "#ffffff",
    "editorWarning.foreground": "#ffd370",
    "editorWidget.background": "#0c141f",
    errorForeground: "#f48771",
    focusBorder: "#f38518",
    foreground: "#ffffff",
    "icon.foreground": "#ffffff",
    "input.background": "#000000",
    "input.border": "#6fc3df",
    "input.foreground": "#ffffff",
    "input.placeholderForeground": "#ffffffb3",
    "inputValidation.errorBackground": "#000000",
    "inputValidation.errorBorder": "#6fc3df",
    "inputValidation.warningBackground": "#000000",
    "inputValidation.warningBorder": "#6fc3df",
    "list.hoverBackground": "#ffffff1a",
    "panel.border": "#6fc3df",
    "sideBar.background": "#000000",
    "testing.iconPassed": "#73c991",
    "textLink.foreground": "#21a6ff",
    "widget.border": "#6fc3df",
    "checkbox.background": "#000000",
    "checkbox.border": "#6fc3df",
    "checkbox.foreground": "#ffffff",
    "inputOption.activeBackground": "#00000000",
    "inputOption.activeBorder": "#6fc3df",
    "panelTitle.activeBorder": "#6fc3df",
    "panelTitle.activeForeground": "#ffffff",
    "panelTitle.inactiveForeground": "#ffffff",
    "textBlockQuote.border": "#ffffff",
    "textCodeBlock.background": "#000000",
    "textLink.activeForeground": "#21a6ff",
    "textPreformat.background": "#ffffff",
    "textPreformat.foreground": "#000000",
  },
};

/** The themes by the names the tests use. */
export const themes = { dark: darkModern, light: lightModern, "high-contrast": highContrast };

export type ThemeName = keyof typeof themes;

/** The themes that are looked at with axe: all, unless FOLLOWUP_THEMES names some, as a check of one change does. */
export const checkedThemes = (Object.keys(themes) as ThemeName[]).filter(
  (name) => process.env.FOLLOWUP_THEMES?.split(",").includes(name) ?? true,
);

/** The theme as a stylesheet: the editor's variables on the page's root, and the side bar behind the page. */
export function themeStyles(name: ThemeName): string {
  const { colors } = themes[name];
  const variables = Object.entries(colors).map(
    ([id, color]) => `  --vscode-${id.replaceAll(".", "-")}: ${color};`,
  );
  return `:root {
${variables.join("\n")}
  --vscode-font-family: system-ui, "Ubuntu", "Droid Sans", sans-serif;
  --vscode-font-size: 13px;
  --vscode-font-weight: normal;
  --vscode-editor-font-family: "Droid Sans Mono", "monospace", monospace;
  --vscode-editor-font-size: 14px;
  background: var(--vscode-sideBar-background);
}
`;
}

// The icons of @vscode/codicons. They say nothing that the text beside them or the button's name does not
// say.

import { html } from "lit";

/**
 * An icon by its name in @vscode/codicons; `spin` turns it, where the user has not asked for reduced motion.
 */
export function icon(name: string, spin = false) {
  const classes = `codicon codicon-${name}${spin ? " codicon-modifier-spin" : ""}`;
  return html`<span class=${classes} aria-hidden="true"></span>`;
}

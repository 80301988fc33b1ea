// The icons of @vscode/codicons, inline. They say nothing that the text beside them or the button's name does not say.

import { html, nothing } from "lit";
import { unsafeSVG } from "lit/directives/unsafe-svg.js";

/** What stands in the SVG of each icon that is used, by its name; `build.mjs` puts them here. */
declare const codicons: Readonly<Record<string, { box: string; inside: string }>>;

/**
 * An icon by its name in @vscode/codicons; `spin` turns it, where the user has not asked for reduced motion.
 */
export function icon(name: string, spin = false) {
  const { box = "0 0 16 16", inside } = codicons[name] ?? {};
  return html`<svg class="codicon codicon-${name}${spin ? " codicon-spin" : ""}" viewBox=${box} aria-hidden="true">
    ${inside ? unsafeSVG(inside) : nothing}
  </svg>`;
}

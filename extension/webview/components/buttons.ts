// The quiet buttons of the interface: an icon, or words like a link.

import { html, nothing } from "lit";
import { icon } from "./icon";

/** A button without a border. */
export interface QuietButton {
  name?: string;
  /** Its icon in @vscode/codicons. */
  sign?: string;
  /** Its name for a screen reader. */
  label?: string;
  /** What the pointer shows; on an icon its name where nothing else is said. */
  title?: string;
  run?(): void;
  /** It does nothing at the moment, but keeps the keyboard focus. */
  locked?: boolean;
  disabled?: boolean;
  tabindex?: "0" | "-1";
}

/** A button that is an icon. */
export function iconButton(button: QuietButton & { sign: string; label: string }) {
  return quietButton("icon-button", { title: button.label, ...button }, icon(button.sign));
}

/** A button that looks like a link, with an icon before its text where it has one. */
export function linkButton(button: QuietButton, text: unknown) {
  return quietButton("link-button", button, button.sign ? html`${icon(button.sign)} ${text}` : text);
}

function quietButton(kind: string, button: QuietButton, content: unknown) {
  const { name = "", label, title, run, locked = false, disabled = false, tabindex } = button;
  return html`<button
    type="button"
    class="${kind} ${name}"
    tabindex=${tabindex ?? nothing}
    aria-label=${label ?? nothing}
    title=${title ?? nothing}
    ?disabled=${disabled}
    aria-disabled=${locked ? "true" : nothing}
    @click=${run ?? nothing}
  >
    ${content}
  </button>`;
}

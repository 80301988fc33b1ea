// The text boxes of a form, and what belongs to them.

import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import { t } from "../strings";
import { icon, iconButton, linkButton } from "./buttons";
import type { FollowupForm } from "./form";

interface Box {
  name: "text" | "other" | "notes";
  value: string;
  label: string;
  placeholder: string;
  locked: boolean;
}

/** A text box that grows with its text. */
export function textBox({ name, value, label, placeholder, locked }: Box) {
  return html`<textarea
    name=${name}
    rows="1"
    dir="auto"
    aria-autocomplete="list"
    aria-label=${label}
    placeholder=${placeholder}
    .value=${live(value)}
    ?readonly=${locked}
  ></textarea>`;
}

/** The user's words beside a choice: a button that opens a text box for them, or the box. */
export function note(form: FollowupForm, notes: string | undefined) {
  const { locked } = form;
  if (notes === undefined) {
    // Without a note a click on an option answers at once.
    const title = t(form.instant ? "questions.addNoteInstantHint" : "questions.addNoteHint");
    const run = () => form.changeNotes("");
    return linkButton({ name: "add-note", sign: "note", title, locked, run }, t("questions.addNote"));
  }
  const label = t("questions.note");
  return html`<div class="note">
    ${icon("note")} ${textBox({ name: "notes", value: notes, label, placeholder: t("questions.notePlaceholder"), locked })}
    ${iconButton({ sign: "close", label: t("questions.removeNote"), locked, run: () => form.changeNotes(undefined) })}
  </div>`;
}

/** Which suggestion the text came from, and the mode that goes with it. */
export function origin(form: FollowupForm) {
  const { locked } = form;
  const { suggestion, mode } = form.draft;
  if (suggestion === undefined) {
    return nothing;
  }
  const label = t("composer.removeMode", { mode: mode ?? "" });
  return html`<div class="origin">
    ${icon("edit")} <span>${t("composer.editing", { number: suggestion + 1 })}</span>
    ${
      mode
        ? html`<span class="chip"
            ><span class="visually-hidden">${t("suggestions.mode")} </span><span class="chip-text">${mode}</span
            >${iconButton({ sign: "close", label, locked, run: () => form.removeMode() })}</span
          >`
        : nothing
    }
  </div>`;
}

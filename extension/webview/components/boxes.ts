// The text boxes of a form, and what belongs to them.

import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import type { Draft } from "../answer";
import type { Translate } from "../strings";
import { iconButton, linkButton } from "./buttons";
import { icon } from "./icon";

export interface Box {
  name: "text" | "other" | "notes";
  value: string;
  label: string;
  placeholder: string;
  /** Nothing can be changed at the moment. */
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

export interface Note {
  t: Translate;
  /** What was written so far; undefined while the box is closed. */
  notes: string | undefined;
  /** Without a note a click on an option answers at once. */
  instant: boolean;
  locked: boolean;
  /** Opens the box with a text, or closes it. */
  change(notes: string | undefined): void;
}

/** The user's words beside a choice: a button that opens a text box for them, or the box. */
export function note({ t, notes, instant, locked, change }: Note) {
  if (notes === undefined) {
    const title = t(instant ? "questions.addNoteInstantHint" : "questions.addNoteHint");
    const run = () => change("");
    return linkButton({ name: "add-note", sign: "note", title, locked, run }, t("questions.addNote"));
  }
  const label = t("questions.note");
  return html`<div class="note">
    ${icon("note")} ${textBox({ name: "notes", value: notes, label, placeholder: t("questions.notePlaceholder"), locked })}
    ${iconButton({ sign: "close", label: t("questions.removeNote"), locked, run: () => change(undefined) })}
  </div>`;
}

/** Which suggestion the text came from, and the mode that goes with it. */
export function origin({ suggestion, mode }: Draft, t: Translate, locked: boolean, removeMode: () => void) {
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
            >${iconButton({ sign: "close", label, locked, run: removeMode })}</span
          >`
        : nothing
    }
  </div>`;
}

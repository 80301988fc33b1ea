// The text boxes of a form, and their controls.

import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import { type Draft, isSendable } from "../answer";
import type { Controller } from "../controller";
import { pickAt } from "../picks";
import { t } from "../strings";
import { icon, iconButton, linkButton, primaryButton } from "./buttons";
import { buttonMark, type Choices, shownDigit } from "./choices";
import { insertWords } from "./insert";
import type { ImageIntake } from "./intake";
import type { Mentions } from "./mentions";
import "./phrases";

/** The form of the boxes. */
interface Form {
  readonly controller: Controller;
  readonly draft: Draft;
  readonly step: number;
  readonly phrases: readonly string[];
  readonly intake: ImageIntake;
  readonly mentions: Mentions;
  readonly textBox: HTMLTextAreaElement | null;
  /** Its answer is being sent. */
  readonly locked: boolean;
  /** Its answer cannot be sent at the moment. */
  readonly blocked: boolean;
  /** A click on an option sends the answer. */
  readonly instant: boolean;
  readonly replying: boolean;
  /** The attachments that a click sends too. */
  along(): unknown;
  changeNotes(notes: string | undefined): void;
  removeMode(): void;
}

function textBox({ locked, mentions }: Form, name: string, value: string, label: string, hint: string) {
  const { listId, currentId } = mentions.at(name);
  return html`<textarea
    name=${name}
    rows="1"
    dir="auto"
    aria-autocomplete="list"
    aria-controls=${listId ?? nothing}
    aria-activedescendant=${currentId ?? nothing}
    aria-label=${label}
    placeholder=${hint}
    .value=${live(value)}
    ?readonly=${locked}
  ></textarea>`;
}

/** The box for the user's own answer or reply, for editing a suggestion, and for adding images. */
export function composer(form: Form) {
  const { draft, intake, locked, replying } = form;
  const kind = replying ? "reply" : "composer";
  const hint = t("composer.sendHint");
  const send = { name: "send", title: hint, disabled: !isSendable(draft), locked: form.blocked };
  return html`
    ${replying ? html`<p class="hint reply-hint">${t("reply.hint")}</p>` : nothing} ${form.along()}
    <div class="composer">
      ${origin(form)} ${intake.thumbnails()}
      ${textBox(form, "text", draft.text, t(`${kind}.label`), t(`${kind}.placeholder`))}
      ${form.mentions.list("text")} ${intake.quotes()}
      <div class="composer-bar">${intake.chooser()} ${primaryButton(send, t(`${kind}.send`))}</div>
    </div>
    <followup-phrases
      .controller=${form.controller}
      .phrases=${form.phrases}
      .locked=${locked}
      .insert=${(words: string) => insertWords(form.textBox, words)}
    ></followup-phrases>
    ${intake.notices()}
  `;
}

/** The user's own words, as the last choice. */
export function ownWords(form: Form, choices: Choices) {
  const { locked, draft, step } = form;
  const { kind, part } = choices;
  const { other = "", otherChosen = false } = pickAt(draft, step);
  const at = part.options.length;
  const marker =
    kind === "button"
      ? buttonMark(choices, at)
      : html`<input
          type=${kind}
          name="option"
          value="other"
          aria-label=${t("questions.own")}
          .checked=${live(otherChosen)}
          aria-disabled=${locked ? "true" : nothing}
        />`;
  // Clicking beside the box, or choosing it, moves the focus into it. Arrow keys only choose it.
  const enter = ({ target, detail, currentTarget }: MouseEvent) => {
    if (!(target instanceof HTMLInputElement) || (detail > 0 && target.checked)) {
      (currentTarget as Element).querySelector("textarea")?.focus();
    }
  };
  return html`<div class="option other" data-index=${at} ?data-chosen=${otherChosen} @click=${enter}>
      <span class="marker">${marker}</span>
      ${textBox(form, "other", other, t("questions.ownLabel"), t("questions.ownPlaceholder"))}
      ${kind === "button" ? nothing : shownDigit(choices, at)}
    </div>
    ${form.mentions.list("other")}`;
}

/** The user's note on a choice: a button that opens a text box, or the box. */
export function note(form: Form, notes: string | undefined) {
  const { locked } = form;
  if (notes === undefined) {
    // Without a note, a click on an option sends the answer.
    const title = t(form.instant ? "questions.addNoteInstantHint" : "questions.addNoteHint");
    const run = () => form.changeNotes("");
    return linkButton({ name: "add-note", sign: "note", title, locked, run }, t("questions.addNote"));
  }
  return html`<div class="note">
    ${icon("note")} ${textBox(form, "notes", notes, t("questions.note"), t("questions.notePlaceholder"))}
    ${iconButton({ sign: "close", label: t("questions.removeNote"), locked, run: () => form.changeNotes(undefined) })}
  </div>`;
}

function origin(form: Form) {
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

// The text boxes of a form, and what belongs to them.

import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import { isSendable } from "../answer";
import { pickAt } from "../parts";
import { t } from "../strings";
import { icon, iconButton, linkButton, primaryButton } from "./buttons";
import { buttonMark, type Choices, shownDigit } from "./choices";
import type { FollowupForm } from "./form";
import { insertText } from "./intake";
import "./phrases";

function textBox(
  { locked, mentions }: FollowupForm,
  name: string,
  value: string,
  label: string,
  hint: string,
) {
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

/** Where the user writes an answer of their own or a reply, edits a suggestion, and adds images. */
export function composer(form: FollowupForm) {
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
      .insert=${(words: string) => insertWords(form, words)}
    ></followup-phrases>
    ${intake.notices()}
  `;
}

/** Puts words into the text box at its cursor, apart from those before and behind, and gives it the keyboard focus. */
function insertWords(form: FollowupForm, words: string): void {
  const { textBox: box } = form;
  if (box !== null) {
    const { value, selectionStart, selectionEnd } = box;
    const before = selectionStart > 0 && !/\s$/.test(value.slice(0, selectionStart)) ? " " : "";
    const behind = selectionEnd < value.length && !/^\s/.test(value.slice(selectionEnd)) ? " " : "";
    box.focus();
    insertText(box, before + words + behind);
  }
}

/** The user's own words, as the last choice. */
export function ownWords(form: FollowupForm, choices: Choices) {
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
  // A click beside the box leads into it, and so does one that chooses it; the arrow keys only choose.
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

/** The user's words beside a choice: a button that opens a text box for them, or the box. */
export function note(form: FollowupForm, notes: string | undefined) {
  const { locked } = form;
  if (notes === undefined) {
    // Without a note a click on an option answers at once.
    const title = t(form.instant ? "questions.addNoteInstantHint" : "questions.addNoteHint");
    const run = () => form.changeNotes("");
    return linkButton({ name: "add-note", sign: "note", title, locked, run }, t("questions.addNote"));
  }
  return html`<div class="note">
    ${icon("note")} ${textBox(form, "notes", notes, t("questions.note"), t("questions.notePlaceholder"))}
    ${iconButton({ sign: "close", label: t("questions.removeNote"), locked, run: () => form.changeNotes(undefined) })}
  </div>`;
}

function origin(form: FollowupForm) {
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

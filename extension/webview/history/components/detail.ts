// An opened row: the question with all that was offered, the answer, its images, facts and actions.

import { html, nothing } from "lit";
import type { Image } from "../../../src/protocol.gen";
import { imageTypes } from "../../answer";
import { closedCard, isFollowup } from "../../cards";
import { actionButton, icon } from "../../components/buttons";
import { contextBefore, followupText, record } from "../../components/record";
import { words } from "../../components/text";
import { dateFormat, type StringKey, t } from "../../strings";
import { answerText, waits, workspacePath } from "../words";
import type { FollowupEntry } from "./entry";

/** The opened row's content. */
export function detail(row: FollowupEntry) {
  const { entry } = row;
  const { payload } = entry;
  const card = closedCard(entry);
  return html`${entry.guidance ? html`<p class="hint">${t("entry.guidance", { count: entry.guidance.consecutiveMistakes })}</p>` : nothing}
    ${faults(row)} ${contextBefore(card, "words")}
    ${payload && isFollowup(card) ? followupText(card, "words") : nothing}
    ${record(card, "full")} ${thumbnails(row)} ${facts(row)} ${actions(row)}`;
}

function faults({ entry }: FollowupEntry) {
  const error = entry.error ?? entry.guidance?.error;
  return error === undefined
    ? nothing
    : html`<section class="fault">
        <h2>${t("entry.error")}</h2>
        ${words({ text: error.message, label: t("entry.error") })}
        <code data-plain>${error.code}</code>
      </section>`;
}

function facts({ entry }: FollowupEntry) {
  const { askedAt, outcome, workspace, source } = entry;
  const format = dateFormat({ dateStyle: "medium", timeStyle: "short" });
  const time = (at?: number) =>
    at !== undefined && html`<time datetime=${new Date(at).toISOString()}>${format.format(at)}</time>`;
  const text = (value?: string) => value && html`<span dir="auto">${value}</span>`;
  const rows = [
    [t("entry.asked"), time(askedAt)],
    [t("entry.closed"), time(outcome.at)],
    [t("entry.workspace"), text(workspace && workspacePath(workspace))],
    [t("entry.source"), text(source)],
  ].filter(([, value]) => value);
  return html`${waits(entry) ? html`<p class="uncollected" data-plain>${icon("info")}<span>${t("entry.uncollectedHint")}</span></p>` : nothing}
    <dl class="facts" data-plain>
      ${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
    </dl>`;
}

function actions({ entry, controller }: FollowupEntry) {
  const id = entry.questionId;
  const answer = answerText(entry);
  const action = (name: string, label: StringKey, run: () => void) => actionButton({ name, run }, t(label));
  return html`<div class="actions" data-plain>
    ${answer === "" ? nothing : action("copy-answer", "action.copyAnswer", () => controller.copy(answer))}
    ${action("copy-entry", "action.copyEntry", () => controller.copyEntries([id]))}
    ${action("export", "action.export", () => controller.export({ questionIds: [id] }))}
    ${controller.deletes ? action("delete", "action.delete", () => controller.delete({ questionIds: [id] })) : nothing}
  </div>`;
}

/** The images that went with an answer, which come with the row's opening; or why they are not there yet. */
function thumbnails({ entry, detail }: FollowupEntry) {
  if (typeof detail !== "object") {
    const hint =
      detail === undefined ? t("entry.imagesLoading") : t("entry.imagesFailed", { message: detail });
    return entry.outcome.images ? html`<p class="hint" data-plain>${hint}</p>` : nothing;
  }
  const { images = [] } = detail;
  return images.length === 0
    ? nothing
    : html`<ul class="history-images" aria-label=${t("images.label")}>
        ${images.map((image, index) => html`<li>${thumbnail(image, index + 1)}</li>`)}
      </ul>`;
}

/** An image, which a click shows larger, and smaller again. */
function thumbnail({ mimeType, data }: Image, number: number) {
  return html`<details class="history-image">
    <summary title=${t("entry.enlarge", { number })}>
      ${
        imageTypes.includes(mimeType)
          ? html`<img src=${`data:${mimeType};base64,${data}`} alt=${t("entry.image", { number })} />`
          : mimeType
      }
    </summary>
  </details>`;
}

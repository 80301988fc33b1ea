// What an opened row shows: the question, everything that was offered with what was chosen, the user's words and images, how
// and when it ended, and what can be done with it.

import { html, nothing, type TemplateResult } from "lit";
import type { Followup, HistoryEntry, Question, Questionnaire } from "../../../src/protocol.gen";
import { icon } from "../../components/icon";
import { outcomeLine } from "../../outcome";
import type { Translate } from "../../strings";
import type { HistoryController } from "../controller";
import type { Images } from "../state";
import { answerText, fullTime, workspacePath } from "../words";
import { thumbnails } from "./thumbnails";
import { words } from "./words";

/** What is shown, and who acts on it. */
export interface Detail {
  entry: HistoryEntry;
  t: Translate;
  locale: string;
  controller: HistoryController;
  images: Images | undefined;
  /** The images that are shown large. */
  large: ReadonlySet<number>;
  enlarge(number: number): void;
}

/** The opened row's content. */
export function detail(shown: Detail): TemplateResult {
  const { entry, t } = shown;
  const { payload } = entry;
  return html`${entry.guidance ? html`<p class="hint">${t("entry.guidance", { count: entry.guidance.consecutiveMistakes })}</p>` : nothing}
    ${faults(shown)}
    ${payload === undefined ? nothing : "questions" in payload ? questions(payload, shown) : followup(payload, shown)}
    ${ownWords(shown)} ${thumbnails(shown)} ${facts(shown)} ${actions(shown)}`;
}

function faults({ entry, t }: Detail) {
  const error = entry.error ?? entry.guidance?.error;
  return error === undefined
    ? nothing
    : html`<section class="fault">
        <h2>${t("entry.error")}</h2>
        ${words(error.message, t("entry.error"), t)}
        <code data-plain>${error.code}</code>
      </section>`;
}

function followup({ question, suggest }: Followup, { entry, t }: Detail) {
  const { suggestion, provenance } = entry.outcome;
  return html`${words(question, t("entry.question"), t, entry.rendered?.question)}
  ${
    suggest.length === 0
      ? nothing
      : html`<ol class="offered" aria-label=${t("entry.suggestions")}>
          ${suggest.map(({ answer, mode }, index) =>
            offer({
              t,
              chosen: index !== suggestion ? undefined : provenance === "edited" ? "edited" : "chosen",
              content: html`${words(answer, t("entry.suggestions"), t)}${mode ? html`<span class="badge"><span class="visually-hidden">${t("suggestions.mode")} </span>${mode}</span>` : nothing}`,
            }),
          )}
        </ol>`
  }`;
}

function questions(payload: Questionnaire, shown: Detail) {
  return payload.questions.map(
    (question, index) => html`<section class="part">${part(question, index, shown)}</section>`,
  );
}

function part({ question, header, options, multiSelect }: Question, index: number, { entry, t }: Detail) {
  const pick = entry.outcome.picks?.[index];
  const rendered = entry.rendered?.questions?.[index];
  const closed = entry.outcome.outcome === "answered" || entry.outcome.outcome === "replied";
  const empty = !pick?.options?.length && !pick?.other;
  return html`<h2 class="part-header" dir="auto">${header || t("entry.questionNumber", { number: index + 1 })}</h2>
    ${words(question, t("entry.question"), t, rendered?.question)}
    ${multiSelect ? html`<p class="hint" data-plain>${t("entry.multiSelect")}</p>` : nothing}
    <ol class="offered" aria-label=${t("entry.suggestions")}>
      ${options.map(({ label, description, preview }, option) =>
        offer({
          t,
          chosen: pick?.options?.includes(option) ? "chosen" : undefined,
          content: html`<p class="label" dir="auto">${label}</p>
            ${description ? html`<div class="description">${words(description, label, t, rendered?.options[option]?.description)}</div>` : nothing}
            ${
              preview
                ? html`<details>
                    <summary data-plain>${t("entry.preview")}</summary>
                    <div class="preview">${words(preview, t("entry.preview"), t, rendered?.options[option]?.preview)}</div>
                  </details>`
                : nothing
            }`,
        }),
      )}
    </ol>
    ${said("entry.ownWords", pick?.other, t)} ${said("entry.notes", pick?.notes, t)}
    ${closed && empty ? html`<p class="hint" data-plain>${t("entry.leftOut")}</p>` : nothing}`;
}

function offer({
  t,
  chosen,
  content,
}: {
  t: Translate;
  chosen?: "chosen" | "edited";
  content: TemplateResult;
}) {
  return html`<li class="offer" ?data-chosen=${chosen !== undefined}>
    <span class="offer-mark" title=${chosen ? t(`entry.${chosen}`) : nothing}
      >${chosen ? html`${icon(chosen === "edited" ? "edit" : "check")}<span class="visually-hidden" data-plain>${t(`entry.${chosen}`)}</span>` : nothing}</span
    >
    <div class="offer-text">${content}</div>
  </li>`;
}

/** The user's own words, where they are not a suggestion as it stood. */
function ownWords({ entry, t }: Detail) {
  const { outcome, text, provenance } = entry.outcome;
  if (outcome === "replied") {
    return said("entry.reply", text, t);
  }
  return outcome === "answered" && provenance !== "clicked" && provenance !== "timer"
    ? said("entry.own", text, t)
    : nothing;
}

function said(
  key: "entry.own" | "entry.reply" | "entry.ownWords" | "entry.notes",
  text: string | undefined,
  t: Translate,
) {
  return text
    ? html`<section class="said">
        <h2>${t(key)}</h2>
        ${words(text, t(key), t)}
      </section>`
    : nothing;
}

function facts({ entry, t, locale }: Detail) {
  const { askedAt, outcome, workspace, source, collected } = entry;
  const waits = !collected && !source && (outcome.outcome === "answered" || outcome.outcome === "replied");
  const time = (at: number) =>
    html`<time datetime=${new Date(at).toISOString()}>${fullTime(at, locale)}</time>`;
  const when = (name: string, at?: number): [string, unknown][] =>
    at === undefined ? [] : [[name, time(at)]];
  const rows: [string, unknown][] = [
    [
      t("entry.outcome"),
      html`${outcomeLine(entry, t)}${outcome.mode ? html` <span class="badge"><span class="visually-hidden">${t("suggestions.mode")} </span>${outcome.mode}</span>` : nothing}`,
    ],
    ...when(t("entry.asked"), askedAt),
    ...when(t("entry.closed"), outcome.at),
    ...(workspace
      ? [
          [t("entry.workspace"), html`<span dir="auto">${workspacePath(workspace)}</span>`] as [
            string,
            unknown,
          ],
        ]
      : []),
    ...(source ? [[t("entry.source"), html`<span dir="auto">${source}</span>`] as [string, unknown]] : []),
  ];
  return html`${waits ? html`<p class="uncollected" data-plain>${icon("info")}<span>${t("entry.uncollectedHint")}</span></p>` : nothing}
    <dl class="facts" data-plain>
      ${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
    </dl>`;
}

function actions({ entry, t, controller }: Detail) {
  const id = entry.questionId;
  const answer = answerText(entry);
  const action = (name: string, label: string, run: () => void) =>
    html`<button type="button" class="action" data-action=${name} @click=${run}>${label}</button>`;
  return html`<div class="actions" data-plain>
    ${answer === "" ? nothing : action("copy-answer", t("action.copyAnswer"), () => void controller.copy(answer))}
    ${action("copy-entry", t("action.copyEntry"), () => void controller.copyEntries([id]))}
    ${action("export", t("action.export"), () => controller.export({ ids: [id] }))}
    ${action("delete", t("action.delete"), () => void controller.delete({ ids: [id] }))}
  </div>`;
}

// The bars of the history: what is selected, what can be undone, and what is wrong.

import { html, nothing } from "lit";
import type { HostCommand } from "../../boundary";
import { icon } from "../../components/icon";
import type { ViewState } from "../../state";
import type { Translate } from "../../strings";
import type { HistoryController } from "../controller";
import { isEmpty, noSelection } from "../selection";
import { isWhole } from "../state";

/** What a bar is drawn from. */
export interface Bar {
  view: ViewState;
  t: Translate;
  controller: HistoryController;
}

/** What can be done with what is selected; nothing while nothing is. */
export function selectionBar({ view, t, controller }: Bar) {
  const { selection } = view.history;
  if (isEmpty(selection)) {
    return nothing;
  }
  const onPage = view.history.stretch.entries.length;
  const partial = !selection.everything && selection.ids.size >= onPage && !isWhole(view.history);
  return html`<div class="selection-bar" role="toolbar" aria-label=${t("selection.label")}>
    <button
      type="button"
      class="icon-button clear-selection"
      aria-label=${t("selection.clear")}
      title=${t("selection.clear")}
      @click=${() => controller.select(noSelection)}
    >
      ${icon("close")}
    </button>
    <span class="selection-count">${
      selection.everything ? t("selection.everything") : t("selection.count", { count: selection.ids.size })
    }</span>
    ${
      partial
        ? html`<button
            type="button"
            class="link-button select-everything"
            @click=${() => controller.select({ ...selection, everything: true })}
          >
            ${t("selection.selectEverything")}
          </button>`
        : nothing
    }
    <span class="spring"></span>
    ${
      selection.everything
        ? nothing
        : tool(
            "copy-entry",
            "copy",
            t("action.copyEntry"),
            () => void controller.copyEntries([...selection.ids]),
          )
    }
    ${tool("export", "save-as", t("action.export"), () => controller.export(controller.selected()))}
    ${tool("delete", "trash", t("action.delete"), () => void controller.delete(controller.selected()))}
  </div>`;
}

function tool(name: string, picture: string, label: string, run: () => void) {
  return html`<button
    type="button"
    class="icon-button"
    data-action=${name}
    aria-label=${label}
    title=${label}
    @click=${run}
  >
    ${icon(picture)}
  </button>`;
}

/** What was deleted a moment ago, with the way back. */
export function undoBars({ view, t, controller }: Bar) {
  return view.history.undos.length === 0
    ? nothing
    : html`<div class="undo-bars">
        ${view.history.undos.map(
          ({ undo, count }) => html`<div class="undo-bar">
            <span>${t("undo.deleted", { count })}</span>
            <button type="button" class="link-button undo" @click=${() => controller.undo(undo)}>
              ${t("undo.undo")}
            </button>
          </div>`,
        )}
      </div>`;
}

/** What is wrong: the history is not saved, is off, could not be read, or something did not succeed. */
export function problemBars({ view, t, controller }: Bar) {
  const { keep, history } = view;
  const { problem, failure, notice } = history;
  return html`${
    problem === null
      ? nothing
      : bar(
          "warning",
          html`<strong>${t("problem.title")}</strong> ${problem}`,
          commandButton("openLog", t("trouble.openLog"), controller),
        )
  }
  ${
    failure === null
      ? nothing
      : bar(
          "error",
          html`<strong>${t("problem.failed")}</strong> ${failure}`,
          html`<button type="button" class="action" data-action="retry" @click=${() => controller.retry()}>${t("problem.retry")}</button>`,
        )
  }
  ${
    notice === null
      ? nothing
      : bar(
          "error",
          notice,
          html`<button type="button" class="action" data-action="close-notice" @click=${() => controller.store.dispatch({ type: "notice", message: null })}>${t("notice.close")}</button>`,
        )
  }
  ${
    keep || view.history.stretch.entries.length === 0
      ? nothing
      : bar("info", t("off.note"), commandButton("openSettings", t("off.settings"), controller))
  }`;
}

/** The button of a command, where the host can do it. */
export function commandButton(command: HostCommand, text: string, controller: HistoryController) {
  return controller.can(command)
    ? html`<button type="button" class="action" data-action=${command} @click=${() => controller.run(command)}>${text}</button>`
    : nothing;
}

function bar(kind: "warning" | "error" | "info", text: unknown, button: unknown) {
  return html`<section class="history-bar" data-kind=${kind}>
    <p class="bar-text" role=${kind === "info" ? "note" : "alert"} dir="auto">${icon(kind)}<span>${text}</span></p>
    ${button}
  </section>`;
}

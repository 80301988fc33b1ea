// <followup-history-toolbar>: the search box and the filters.

import { html, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { FollowupElement } from "../../components/element";
import { icon } from "../../components/icon";
import type { ViewState } from "../../state";
import type { HistoryController } from "../controller";
import {
  type FilterChoice,
  narrows,
  narrowsTime,
  noFilter,
  outcomes,
  type TimeChoice,
  toggled,
} from "../filter";
import { dayName, workspaceName, workspacePath } from "../words";
import { checkbox, menu, radio } from "./menu";

const times = ["any", "today", "days7", "days30"] as const;

@customElement("followup-history-toolbar")
export class FollowupHistoryToolbar extends FollowupElement {
  @property({ attribute: false }) controller!: HistoryController;
  @property({ attribute: false }) view!: ViewState;
  @query("input[type=search]") private box!: HTMLInputElement;

  /** Gives the keyboard focus to the search box. */
  focusSearch(): void {
    this.box.focus();
    this.box.select();
  }

  protected override render() {
    const { t, view, controller } = this;
    const { text, filter } = view.history.query;
    return html`<search class="toolbar" aria-label=${t("search.label")}>
      <div class="search">
        ${icon("search")}
        <input
          type="search"
          dir="auto"
          autocomplete="off"
          spellcheck="false"
          aria-label=${t("search.label")}
          placeholder=${t("search.placeholder")}
          .value=${text}
          @input=${this.input}
          @compositionend=${this.input}
        />
        ${
          text === ""
            ? nothing
            : html`<button
                type="button"
                class="icon-button clear-search"
                title=${t("search.clear")}
                aria-label=${t("search.clear")}
                @click=${() => {
                  controller.type("");
                  this.box.focus();
                }}
              >
                ${icon("close")}
              </button>`
        }
      </div>
      <div class="filters">
        ${this.listMenu("agents", "filter.agent", view.history.facets.agents, (agent) => agent)}
        ${this.listMenu("workspaces", "filter.workspace", view.history.facets.workspaces, workspaceName, workspacePath)}
        ${this.listMenu("outcomes", "filter.outcome", outcomes, (outcome) => t(`kind.${outcome}`))}
        ${this.timeMenu()}
        ${
          narrows(filter)
            ? html`<button
                type="button"
                class="link-button clear-filters"
                @click=${() => {
                  controller.filter(noFilter);
                  this.box.focus();
                }}
              >
                ${t("filter.clear")}
              </button>`
            : nothing
        }
      </div>
    </search>`;
  }

  private readonly input = (event: Event): void => {
    // What an input method is composing is not the user's text yet.
    if (!(event instanceof InputEvent && event.isComposing)) {
      this.controller.type(this.box.value);
    }
  };

  private listMenu<List extends "agents" | "workspaces" | "outcomes">(
    list: List,
    key: "filter.agent" | "filter.workspace" | "filter.outcome",
    offered: readonly FilterChoice[List][number][],
    name: (value: FilterChoice[List][number]) => string,
    title?: (value: string) => string,
  ) {
    const { t, controller, view } = this;
    const { filter } = view.history.query;
    const chosen = filter[list] as readonly FilterChoice[List][number][];
    // What is chosen can be taken back, though nothing of it should be left.
    const all = [...new Set([...offered, ...chosen])];
    const change = (values: readonly FilterChoice[List][number][]) =>
      controller.filter({ ...filter, [list]: values });
    return menu({
      id: `filter-${list}`,
      name: t(key),
      label:
        chosen.length === 0
          ? t(key)
          : t("filter.chosen", { filter: t(key), value: summary(chosen.map(name)) }),
      active: chosen.length > 0,
      opened: () => void controller.readFacets(),
      panel: html`${
        all.length === 0
          ? html`<p class="hint" tabindex="-1">${t("filter.none")}</p>`
          : all.map((value) =>
              checkbox(
                name(value),
                chosen.includes(value),
                () => change(toggled(this.chosen(list), value)),
                title?.(value),
              ),
            )
      }${chosen.length === 0 ? nothing : html`<button type="button" class="link-button" @click=${() => change([])}>${t("filter.reset")}</button>`}`,
    });
  }

  private chosen<List extends "agents" | "workspaces" | "outcomes">(list: List) {
    return this.controller.store.state.history.query.filter[list] as readonly FilterChoice[List][number][];
  }

  private timeMenu() {
    const { t, view } = this;
    const { time } = view.history.query.filter;
    const range = time.kind === "range" ? time : { kind: "range" as const, from: "", to: "" };
    return menu({
      id: "filter-time",
      name: t("filter.time"),
      label: narrowsTime(time) ? this.timeLabel(time) : t("filter.time"),
      active: narrowsTime(time),
      panel: html`${times.map((kind) =>
        radio("time", t(`filter.time.${kind}`), time.kind === kind, () => this.chooseTime({ kind })),
      )}
      ${radio("time", t("filter.time.range"), time.kind === "range", () => this.chooseTime(range))}
      ${
        time.kind === "range"
          ? html`<div class="range">${this.dayBox("from", range)}${this.dayBox("to", range)}</div>`
          : nothing
      }`,
    });
  }

  private dayBox(end: "from" | "to", range: Extract<TimeChoice, { kind: "range" }>) {
    return html`<label
      ><span>${this.t(`filter.time.${end}`)}</span
      ><input
        type="date"
        .value=${range[end]}
        max=${end === "from" && range.to !== "" ? range.to : nothing}
        min=${end === "to" && range.from !== "" ? range.from : nothing}
        @change=${(event: Event) =>
          this.chooseTime({ ...range, [end]: (event.currentTarget as HTMLInputElement).value })}
    /></label>`;
  }

  private chooseTime(time: TimeChoice): void {
    this.controller.filter({ ...this.controller.store.state.history.query.filter, time });
  }

  private timeLabel(time: TimeChoice): string {
    const { t } = this;
    if (time.kind !== "range") {
      return t(`filter.time.${time.kind}`);
    }
    const [from, to] = [time.from, time.to].map((day) => day && dayName(day, this.view.locale));
    if (!from || !to) {
      return from ? t("filter.time.since", { from }) : t("filter.time.until", { to: to ?? "" });
    }
    return from === to ? from : `${from} – ${to}`;
  }
}

/** The first of some names, and how many more there are. */
function summary(names: readonly string[]): string {
  const [first = "", ...more] = names;
  return more.length === 0 ? first : `${first} +${more.length}`;
}

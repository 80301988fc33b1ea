// <followup-history-toolbar>: the search box and the filters.

import { html, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import type { Outcome } from "../../../src/protocol.gen";
import { icon, iconButton, linkButton } from "../../components/buttons";
import { FollowupElement } from "../../components/element";
import type { ViewState } from "../../state";
import { type StringKey, t } from "../../strings";
import type { HistoryController } from "../controller";
import { emptyQuery, isFiltered, type Query, queryOf, type TimeChoice } from "../filter";
import { workspaceName, workspacePath } from "../words";

const times: readonly TimeChoice[] = ["any", "today", "days7", "days30", "range"];

const outcomes: readonly Outcome[] = [
  "answered",
  "replied",
  "allowed",
  "denied",
  "dismissed",
  "withdrawn",
  "notShown",
  "invalid",
];

@customElement("followup-history-toolbar")
export class FollowupHistoryToolbar extends FollowupElement {
  @property({ attribute: false }) controller!: HistoryController;
  @property({ attribute: false }) view!: ViewState;
  @query("input[type=search]") private box!: HTMLInputElement;

  focusSearch(): void {
    this.box.focus();
    this.box.select();
  }

  protected override render() {
    const { view, controller } = this;
    const { query, facets } = view.history;
    const clear = (narrowed: Partial<Query>) => () => {
      controller.narrow(narrowed);
      this.box.focus();
    };
    const clearSearch = {
      name: "clear-search",
      sign: "close",
      label: t("search.clear"),
      run: clear({ text: "" }),
    };
    const clearFilters = { name: "clear-filters", run: clear({ ...emptyQuery, text: query.text }) };
    return html`<search aria-label=${t("search.label")}>
      <form class="toolbar" novalidate @submit=${(event: Event) => event.preventDefault()} @input=${this.narrow} @compositionend=${this.narrow}>
        <div class="search">
          ${icon("search")}
          <input
            type="search"
            name="text"
            dir="auto"
            autocomplete="off"
            spellcheck="false"
            aria-label=${t("search.label")}
            placeholder=${t("search.placeholder")}
            .value=${query.text}
          />
          ${query.text === "" ? nothing : iconButton(clearSearch)}
        </div>
        <div class="filters">
          ${this.menu("agents", "filter.agent", facets.agents)}
          ${this.menu("workspaces", "filter.workspace", facets.workspaces, workspaceName, workspacePath)}
          ${this.menu("outcomes", "filter.outcome", outcomes, (outcome) => t(`kind.${outcome as Outcome}`))}
          ${this.time()}
          ${isFiltered(query) ? linkButton(clearFilters, t("filter.clear")) : nothing}
        </div>
      </form>
    </search>`;
  }

  private readonly narrow = (event: Event): void => {
    const before = this.controller.peer.store.state.history.query;
    const query = queryOf(new FormData(event.currentTarget as HTMLFormElement), before);
    // What an input method is composing is not the user's text yet.
    if (
      !(event instanceof InputEvent && event.isComposing) &&
      JSON.stringify(query) !== JSON.stringify(before)
    ) {
      this.controller.narrow(query);
    }
  };

  /** A button with a panel of checkboxes. The browser opens it, places it, closes it, and gives back the focus. */
  private menu(
    list: "agents" | "workspaces" | "outcomes",
    key: StringKey,
    offered: readonly string[],
    name = (value: string) => value,
    title = name,
  ) {
    const { controller, view } = this;
    const label = t(key);
    const chosen: readonly string[] = view.history.query[list];
    const [first, ...others] = chosen;
    const more = others.length > 0 ? ` +${others.length}` : "";
    const value = first && `${name(first)}${more}`;
    const text = value ? t("filter.chosen", { filter: label, value }) : label;
    // What is chosen can be taken back, though nothing of it should be left.
    const all = [...new Set([...offered, ...chosen])];
    const id = `filter-${list}`;
    const choice = (each: string, index: number) => html`<label class="choice" title=${title(each)}>
      <input
        type="checkbox"
        name=${list}
        value=${each}
        ?autofocus=${index === 0}
        .checked=${live(chosen.includes(each))}
      />
      <span dir="auto">${name(each)}</span>
    </label>`;
    return html`<div class="menu">
      <button
        type="button"
        class="filter"
        id=${`${id}-button`}
        popovertarget=${id}
        ?data-active=${chosen.length > 0}
        title=${text}
      >
        <span class="filter-text" dir="auto">${text}</span>${icon("chevron-down")}
      </button>
      <div
        class="menu-panel"
        id=${id}
        popover
        role="group"
        aria-label=${label}
        @beforetoggle=${({ newState }: ToggleEvent) => newState === "open" && void controller.readFacets()}
      >
        ${all.length === 0 ? html`<p class="hint">${t("filter.none")}</p>` : all.map(choice)}
        ${value ? linkButton({ run: () => controller.narrow({ [list]: [] }) }, t("filter.reset")) : nothing}
      </div>
    </div>`;
  }

  private time() {
    const { time, from, to } = this.view.history.query;
    const day = (name: "from" | "to", value: string, min: string, max: string) => html`<label class="filter">
      <span>${t(`filter.time.${name}`)}</span>
      <input type="date" name=${name} .value=${value} min=${min || nothing} max=${max || nothing} />
    </label>`;
    // Like the other filters it says what it is for until something is chosen.
    const text = (kind: TimeChoice) =>
      t(kind === "any" && time === "any" ? "filter.time" : `filter.time.${kind}`);
    return html`<div class="filter" ?data-active=${time !== "any"}>
        <select name="time" aria-label=${t("filter.time")}>
          ${times.map((kind) => html`<option value=${kind} .selected=${kind === time}>${text(kind)}</option>`)}
        </select>
        ${icon("chevron-down")}
      </div>
      ${time === "range" ? [day("from", from, "", to), day("to", to, from, "")] : nothing}`;
  }
}

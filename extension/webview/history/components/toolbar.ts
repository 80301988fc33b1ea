// The search box and the filters, as a form with the fields of the query.

import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import type { HistoryKind, Outcome } from "../../../src/protocol.gen";
import { icon, iconButton, linkButton } from "../../components/buttons";
import type { ViewState } from "../../state";
import { type StringKey, t } from "../../strings";
import type { HistoryController } from "../controller";
import { emptyQuery, isFiltered, type Query, queryOf, type TimeChoice } from "../filter";
import { workspaceName, workspacePath } from "../words";

const times: readonly TimeChoice[] = ["any", "today", "days7", "days30", "range"];

const kinds: readonly HistoryKind[] = ["question", "approval", "plan", "guidance"];

const outcomes: readonly Outcome[] = [
  "answered",
  "replied",
  "allowed",
  "denied",
  "dismissed",
  "withdrawn",
  "expired",
  "disconnected",
  "notShown",
  "invalid",
];

/** The list that a toolbar narrows. */
interface List {
  readonly view: ViewState;
  readonly controller: HistoryController;
  focusSearch(): void;
}

/** The toolbar. Every change in it narrows the list. */
export function toolbar(list: List) {
  const { controller } = list;
  const { query, facets } = list.view.history;
  const narrow = (event: Event) => {
    // Text that an input method is still composing does not count.
    if (!(event instanceof InputEvent && event.isComposing)) {
      const before = controller.peer.state.history.query;
      controller.narrow(queryOf(new FormData(event.currentTarget as HTMLFormElement), before));
    }
  };
  const clear = (narrowed: Partial<Query>) => () => {
    controller.narrow(narrowed);
    list.focusSearch();
  };
  const clearText = clear({ text: "" });
  const clearSearch = { name: "clear-search", sign: "close", label: t("search.clear"), run: clearText };
  const clearFilters = { name: "clear-filters", run: clear({ ...emptyQuery, text: query.text }) };
  return html`<search aria-label=${t("search.label")}>
    <form novalidate @submit=${(event: Event) => event.preventDefault()} @input=${narrow} @compositionend=${narrow}>
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
        ${menu(list, "agents", "filter.agent", facets.agents)}
        ${menu(list, "workspaces", "filter.workspace", facets.workspaces, workspaceName, workspacePath)}
        ${menu(list, "kinds", "filter.kind", kinds, (kind) => t(`filter.kind.${kind as HistoryKind}`))}
        ${menu(list, "outcomes", "filter.outcome", outcomes, (outcome) => t(`kind.${outcome as Outcome}`))}
        ${time(query)} ${isFiltered(query) ? linkButton(clearFilters, t("filter.clear")) : nothing}
      </div>
    </form>
  </search>`;
}

/**
 * A button with a panel of checkboxes. The browser opens, places and closes the panel, and restores the
 * focus.
 */
function menu(
  { controller, view }: List,
  field: "agents" | "workspaces" | "kinds" | "outcomes",
  key: StringKey,
  offered: readonly string[],
  name = (value: string) => value,
  title = name,
) {
  const label = t(key);
  const chosen: readonly string[] = view.history.query[field];
  const [first, ...others] = chosen;
  const more = others.length > 0 ? ` +${others.length}` : "";
  const value = first && `${name(first)}${more}`;
  const text = value ? t("filter.chosen", { filter: label, value }) : label;
  // A chosen value can be removed, even if no entry has it any more.
  const all = [...new Set([...offered, ...chosen])];
  const id = `filter-${field}`;
  const choice = (each: string, index: number) => html`<label class="choice" title=${title(each)}>
    <input
      type="checkbox"
      name=${field}
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
      ${value ? linkButton({ run: () => controller.narrow({ [field]: [] }) }, t("filter.reset")) : nothing}
    </div>
  </div>`;
}

function time({ time, from, to }: Query) {
  const day = (name: "from" | "to", value: string, min: string, max: string) => html`<label class="filter">
    <span>${t(`filter.time.${name}`)}</span>
    <input type="date" name=${name} .value=${value} min=${min || nothing} max=${max || nothing} />
  </label>`;
  // Like the other filters, it shows its label until something is chosen.
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

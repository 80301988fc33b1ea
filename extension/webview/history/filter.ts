// What the user narrows the history by, and how the sidecar is asked for it.

import type { HistoryFilter, Outcome } from "../../src/protocol.gen";

/** A time that the history is narrowed to; a range is from one day to another. */
export type TimeChoice = "any" | "today" | "days7" | "days30" | "range";

/** What the list shows. A change makes a new object, which tells answers to an older query apart. An empty list narrows nothing. */
export interface Query {
  readonly text: string;
  readonly agents: readonly string[];
  readonly workspaces: readonly string[];
  readonly outcomes: readonly Outcome[];
  readonly time: TimeChoice;
  /** The days of a range as YYYY-MM-DD in the user's time zone, both inclusive; an empty one is open. */
  readonly from: string;
  readonly to: string;
}

export const noFilters: Omit<Query, "text"> = {
  agents: [],
  workspaces: [],
  outcomes: [],
  time: "any",
  from: "",
  to: "",
};

export const emptyQuery: Query = { text: "", ...noFilters };

/** Whether a query has filters. */
export function isFiltered({ agents, workspaces, outcomes, time, from, to }: Query): boolean {
  const timed = time === "range" ? from !== "" || to !== "" : time !== "any";
  return timed || agents.length + workspaces.length + outcomes.length > 0;
}

/** How many days back a time reaches, today included. */
const reach: Record<string, number> = { today: 0, days7: 6, days30: 29 };

/** A query's filters as the sidecar takes them; "today" and the like are counted from `now`, in milliseconds since 1970. */
export function toFilter(query: Query, now: number): HistoryFilter {
  const { agents, workspaces, outcomes, time } = query;
  const [from, to] =
    time === "range" ? [dayStart(query.from, 0), dayStart(query.to, 1)] : [daysBack(reach[time], now)];
  return {
    ...(agents.length > 0 && { agents: [...agents] }),
    ...(workspaces.length > 0 && { workspaces: [...workspaces] }),
    ...(outcomes.length > 0 && { outcomes: [...outcomes] }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

/** When the day began so many days before now; undefined without a number. */
function daysBack(days: number | undefined, now: number): number | undefined {
  const today = new Date(now);
  return days === undefined
    ? undefined
    : new Date(today.getFullYear(), today.getMonth(), today.getDate() - days).getTime();
}

/** When the day begins that is so many days after the one written as YYYY-MM-DD; undefined where none is written. */
function dayStart(day: string, later: number): number | undefined {
  const parts = /^(\d{4,6})-(\d{2})-(\d{2})$/.exec(day)?.slice(1).map(Number);
  const [year = 0, month = 1, date = 1] = parts ?? [];
  return parts && new Date(year, month - 1, date + later).getTime();
}

/** A query that was kept over a reload, without what another build may have kept in another form. */
export function restoredQuery(kept: unknown): Query {
  const known: Record<string, unknown> = { ...emptyQuery };
  const form = (value: unknown) => (Array.isArray(value) ? "list" : typeof value);
  const same = Object.entries(kept ?? {}).filter(([key, value]) => form(value) === form(known[key]));
  return { ...emptyQuery, ...Object.fromEntries(same) };
}

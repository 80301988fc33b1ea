// The history's query, and the sidecar's filter for it.

import type { HistoryFilter, HistoryKind, Outcome } from "../../src/protocol.gen";

/** The time that a query selects. A range has a first and a last day. */
export type TimeChoice = "any" | "today" | "days7" | "days30" | "range";

/** The query that matches everything. */
export const emptyQuery = {
  text: "",
  agents: [] as string[],
  workspaces: [] as string[],
  kinds: [] as HistoryKind[],
  outcomes: [] as Outcome[],
  time: "any" as TimeChoice,
  /** The days of a range as YYYY-MM-DD in the user's time zone, both inclusive; an empty one is open. */
  from: "",
  to: "",
};

/** The query of the list. A change makes a new object, which identifies answers to older queries. An empty list matches everything. */
export type Query = Readonly<typeof emptyQuery>;

/** The query of a form, whose fields have the query's names. A missing field keeps its value. */
export function queryOf(form: FormData, before: Query): Query {
  const fields = Object.entries(before).map(([name, value]) => [
    name,
    Array.isArray(value) ? form.getAll(name) : (form.get(name) ?? value),
  ]);
  return Object.fromEntries(fields);
}

/** Whether a query has filters. */
export function isFiltered(query: Query): boolean {
  return Object.values(toFilter(query, 0)).some((value) => value !== undefined);
}

/** How many days before today a choice begins. */
const reach: Partial<Record<TimeChoice, number>> = { today: 0, days7: 6, days30: 29 };

/**
 * A query's filters in the sidecar's form. "today" and the like are relative to `now`, in milliseconds since
 * 1970.
 */
export function toFilter(
  { agents, workspaces, kinds, outcomes, time, ...days }: Query,
  now: number,
): HistoryFilter {
  const some = <T>(list: T[]) => (list.length > 0 ? list : undefined);
  const [from, to] =
    time === "range"
      ? [dayStart(`${days.from}T00:00`, 0), dayStart(`${days.to}T00:00`, 1)]
      : [dayStart(now, -(reach[time] ?? Number.NaN))];
  return {
    agents: some(agents),
    workspaces: some(workspaces),
    kinds: some(kinds),
    outcomes: some(outcomes),
    from,
    to,
  };
}

/**
 * The start of the day that is `later` days after a time, in the user's time zone; undefined if the time is
 * invalid.
 */
function dayStart(time: string | number, later: number): number | undefined {
  const day = new Date(time);
  const start = new Date(day.getFullYear(), day.getMonth(), day.getDate() + later).getTime();
  return Number.isNaN(start) ? undefined : start;
}

/** The query that was stored before a reload, if it is valid. */
export function restoredQuery(kept: unknown): Query {
  return { ...emptyQuery, ...(kept as Partial<Query> | undefined) };
}

// What the user narrows the history by, and how the sidecar is asked for it.

import type { HistoryFilter, Outcome } from "../../src/protocol.gen";

/** A time that the history is narrowed to. */
export type TimeChoice =
  | { kind: "any" | "today" | "days7" | "days30" }
  /** Days as YYYY-MM-DD in the user's time zone, both inclusive; an empty one is open. */
  | { kind: "range"; from: string; to: string };

/** The choices of the filter menus; an empty list narrows nothing. */
export interface FilterChoice {
  readonly agents: readonly string[];
  readonly workspaces: readonly string[];
  readonly outcomes: readonly Outcome[];
  readonly time: TimeChoice;
}

/** A text and filters: what the list shows. A change makes a new object, so that answers to an older one are told apart. */
export interface Query {
  readonly text: string;
  readonly filter: FilterChoice;
}

export const noFilter: FilterChoice = { agents: [], workspaces: [], outcomes: [], time: { kind: "any" } };

export const emptyQuery: Query = { text: "", filter: noFilter };

/** The outcomes in the order of the menu. */
export const outcomes: readonly Outcome[] = [
  "answered",
  "replied",
  "dismissed",
  "withdrawn",
  "notShown",
  "invalid",
];

/** Whether the filters narrow anything. */
export function narrows({ agents, workspaces, outcomes, time }: FilterChoice): boolean {
  return agents.length + workspaces.length + outcomes.length > 0 || narrowsTime(time);
}

/** Whether a choice of time narrows anything. */
export function narrowsTime(time: TimeChoice): boolean {
  return time.kind === "range" ? time.from !== "" || time.to !== "" : time.kind !== "any";
}

/** A filter as the sidecar takes it; "today" and the like are counted from `now`, in milliseconds since 1970. */
export function toFilter(choice: FilterChoice, now: number): HistoryFilter {
  const { agents, workspaces, outcomes, time } = choice;
  return {
    ...(agents.length > 0 && { agents: [...agents] }),
    ...(workspaces.length > 0 && { workspaces: [...workspaces] }),
    ...(outcomes.length > 0 && { outcomes: [...outcomes] }),
    ...bounds(time, now),
  };
}

/** How many days back a choice reaches, today included. */
const reach = { today: 0, days7: 6, days30: 29 } as const;

function bounds(time: TimeChoice, now: number): Pick<HistoryFilter, "from" | "to"> {
  switch (time.kind) {
    case "any":
      return {};
    case "range": {
      const [from, to] = [dayStart(time.from, 0), dayStart(time.to, 1)];
      return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    }
    default: {
      const today = new Date(now);
      return {
        from: new Date(today.getFullYear(), today.getMonth(), today.getDate() - reach[time.kind]).getTime(),
      };
    }
  }
}

/** When the day begins that is so many days after the one written as YYYY-MM-DD; undefined where none is written. */
function dayStart(day: string, later: number): number | undefined {
  const parts = /^(\d{4,6})-(\d{2})-(\d{2})$/.exec(day)?.slice(1).map(Number);
  const [year = 0, month = 1, date = 1] = parts ?? [];
  return parts && new Date(year, month - 1, date + later).getTime();
}

/** A choice with one value of a list put in or taken out. */
export function toggled<Value>(values: readonly Value[], value: Value): readonly Value[] {
  return values.includes(value) ? values.filter((each) => each !== value) : [...values, value];
}

/** A query that was kept over a reload, if it still is one. */
export function restoredQuery(kept: unknown): Query {
  const { text, filter } = (kept ?? {}) as Partial<Query>;
  const { agents, workspaces, outcomes: kinds, time } = (filter ?? {}) as Partial<FilterChoice>;
  const strings = (list: unknown) =>
    Array.isArray(list) ? list.filter((each): each is string => typeof each === "string") : [];
  return {
    text: typeof text === "string" ? text : "",
    filter: {
      agents: strings(agents),
      workspaces: strings(workspaces),
      outcomes: outcomes.filter((each) => strings(kinds).includes(each)),
      time: restoredTime(time),
    },
  };
}

function restoredTime(time: TimeChoice | undefined): TimeChoice {
  if (time?.kind === "range") {
    return { kind: "range", from: String(time.from ?? ""), to: String(time.to ?? "") };
  }
  return time !== undefined && Object.hasOwn(reach, time.kind) ? { kind: time.kind } : noFilter.time;
}

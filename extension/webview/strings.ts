// The interface's texts by key: the English ones from english.json, replaced by the host's translations.
// {name} is filled in. A text with a count has a key for each plural category of the language (".one",
// ".other"…); ".other" is the fallback.

import english from "./english.json";

/** The English texts by key. */
export { english };

/** The key of a text; without the plural category if the text has a count. */
export type StringKey = Exclude<keyof typeof english, `${string}.one` | `${string}.other`> | PluralKey;
type PluralKey = keyof typeof english extends infer K
  ? K extends `${infer Stem}.other`
    ? Stem
    : never
  : never;

/** Returns a text in the user's language; `count` selects the plural form. */
export type Translate = (key: StringKey, values?: Record<string, string | number>) => string;

/** The language of the page; English until it is set. */
let locale = "en";
let shown: Readonly<Record<string, string>> | undefined;
let translate = translator({}, locale);

/** A text in the language of the page. */
export const t: Translate = (key, values) => translate(key, values);

/** Sets the page's language and the texts that the host sent. Returns false if they have not changed. */
export function setLanguage(texts: Readonly<Record<string, string>>, tag: string): boolean {
  const changes = texts !== shown || known(tag) !== locale;
  if (changes) {
    shown = texts;
    locale = known(tag);
    translate = translator(texts, tag);
    formats.clear();
  }
  return changes;
}

/** Makes the translation for a language from the texts the host sent. */
export function translator(texts: Readonly<Record<string, string>>, locale: string): Translate {
  const plurals = new Intl.PluralRules(known(locale));
  const numbers = new Intl.NumberFormat(plurals.resolvedOptions().locale);
  const all: Record<string, string> = { ...english, ...texts };
  return (key, values = {}) => {
    const { count } = values;
    const form = typeof count === "number" ? plurals.select(count) : "";
    const text = all[`${key}.${form}`] ?? all[`${key}.other`] ?? all[key] ?? key;
    return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
      const value = values[name];
      return value === undefined ? placeholder : typeof value === "number" ? numbers.format(value) : value;
    });
  };
}

/** All texts in a language, from a bundle with English keys; English if a translation is missing. */
export function inLanguage(bundle: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(english).map(([key, text]) => [key, bundle[text] ?? text]));
}

/** The language's tag; English if it is invalid. */
function known(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? "en";
  } catch {
    return "en";
  }
}

/** The time of day, with the date if it was not today, and the year if it was not this one. */
export function moment(time: number, now = Date.now()): string {
  const [date, today] = [new Date(time), new Date(now)];
  const options: Intl.DateTimeFormatOptions = {
    hour: "numeric",
    minute: "2-digit",
    ...(date.toDateString() !== today.toDateString() && { month: "short", day: "numeric" }),
    ...(date.getFullYear() !== today.getFullYear() && { year: "numeric" }),
  };
  return dateFormat(options).format(date);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** A format of dates in the page's language. */
export function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format;
}

/** A remaining time, in minutes and seconds. */
export function countdown(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** A text, shortened to a length in UTF-16 code units. */
export function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).replace(/[\ud800-\udbff]$/, "")}…` : text;
}

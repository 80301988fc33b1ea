// What a page and its host share besides the protocol's methods: functions that both apply to the values.

/** The schemes of an agent's links that may be opened. The page makes no other links, and the host opens no others. */
export const linkSchemes: readonly string[] = ["http:", "https:", "mailto:"];

/** The limits of the user's phrases: their number, and the length of each in UTF-16 code units. */
const phraseLimits = { count: 50, length: 500 } as const;

/** The user's phrases from a setting or storage, without duplicates, blank ones and ones that are too long. */
export function readPhrases(from: unknown): string[] {
  const texts = (Array.isArray(from) ? from : []).filter((each) => typeof each === "string");
  const words = texts.map((text) => text.trim());
  const phrases = words.filter((text) => text !== "" && text.length <= phraseLimits.length);
  return [...new Set(phrases)].slice(0, phraseLimits.count);
}

/** The setting with new phrases in place of the valid ones. Invalid entries are kept after them. */
export function writePhrases(setting: unknown, wanted: unknown): unknown[] {
  const all: unknown[] = Array.isArray(setting) ? setting : [];
  const shown = readPhrases(all);
  const others = all.filter((each) => typeof each !== "string" || !shown.includes(each.trim()));
  return [...readPhrases(wanted), ...others];
}

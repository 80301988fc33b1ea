// The interface's translated texts, as the editor passes them to the host.

import { readdirSync, readFileSync } from "node:fs";
import { english } from "../../webview/strings";

const folder = new URL("../../../l10n/", import.meta.url);

/** The texts by language and key. English needs none. */
export const languages: Record<string, Record<string, string>> = Object.fromEntries(
  readdirSync(folder).flatMap((name) => {
    const locale = /^bundle\.l10n\.(.+)\.json$/.exec(name)?.[1];
    return locale === undefined ? [] : [[locale, translated(name)]];
  }),
);

function translated(name: string): Record<string, string> {
  const bundle: Record<string, string> = JSON.parse(readFileSync(new URL(name, folder), "utf8"));
  const all = english;
  return Object.fromEntries(Object.entries(all).map(([key, text]) => [key, bundle[text] ?? text]));
}

// The page's entry outside the editor: in a browser, or, where the page holds a key, inside a conversation. Both have the same script, so
// that the program carries it once.

import { startChat } from "../chat/main";
import { FollowupApp } from "../components/app";
import { FollowupHistory } from "../history/components/app";
import type { HistoryController } from "../history/controller";
import { english } from "../strings";
import { startHistory, startQuestions } from "../views";
import { followAddress } from "./address";
import { BrowserHost } from "./host";
import { drawBar, tellWaiting } from "./surroundings";
import { followTheme } from "./theme";

/** The languages that there are texts in besides English, by how their tags begin. */
const languages = [
  ["fr", /^fr\b/i],
  ["pt-br", /^pt\b/i],
  ["zh-cn", /^zh\b(?!-(hant|tw|hk|mo))/i],
] as const;

/** The browser's first language that there are texts in, and the texts. */
async function texts(): Promise<{ locale: string; strings: Record<string, string> }> {
  for (const tag of navigator.languages) {
    if (/^en\b/i.test(tag)) {
      break;
    }
    const found = languages.find(([, pattern]) => pattern.test(tag));
    if (found) {
      try {
        const bundle = (await (await fetch(`l10n/${found[0]}.json`)).json()) as Record<string, string>;
        const translated = Object.entries(english).map(([key, text]) => [key, bundle[text] ?? text]);
        return { locale: tag, strings: here(Object.fromEntries(translated)) };
      } catch {
        break; // better a page in English than none
      }
    }
  }
  return { locale: "en", strings: here({ ...english }) };
}

/** The texts, where nothing is started again. */
function here(strings: Record<string, string>): Record<string, string> {
  return {
    ...strings,
    "trouble.restart": strings["problem.retry"] ?? "",
  };
}

async function main(): Promise<void> {
  followTheme();
  const { locale, strings } = await texts();
  document.documentElement.lang = locale;
  const host = new BrowserHost(locale, strings);
  const views = { questions: new FollowupApp(), history: new FollowupHistory() };
  const controller = startQuestions(views.questions, host.link);
  let browsing: HistoryController | undefined;
  followAddress(
    drawBar((key) => host.t(key)),
    views,
    (view) => {
      if (view === "history") {
        controller.leave();
        // Answers may have been collected meanwhile, which nobody tells of.
        browsing?.refresh();
        browsing ??= startHistory(views.history, controller);
      }
      host.showed();
    },
  );
  tellWaiting(controller);
}

const key = document.querySelector<HTMLMetaElement>('meta[name="followup-key"]')?.content;
key === undefined ? void main() : startChat(key);

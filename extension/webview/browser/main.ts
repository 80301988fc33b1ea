// The page's entry in a browser or, where it holds a key, inside a conversation: one script, which the program carries once.

import { ChatHost } from "../chat/host";
import { FollowupApp } from "../components/app";
import { FollowupHistory } from "../history/components/app";
import type { HistoryController } from "../history/controller";
import { inLanguage } from "../strings";
import { startHistory, startQuestions, startView } from "../views";
import { BrowserHost } from "./host";
import { credentials } from "./socket";
import { followAddress, showWaiting } from "./surroundings";

/** The texts in the user's language, which the server chooses, and whether it is a hub; English where they do not come. */
async function texts(): Promise<{ locale: string; strings: Record<string, string>; hub: boolean }> {
  try {
    const { locale, texts, hub } = await (await fetch("l10n/texts")).json();
    const own = navigator.languages.find((tag) => tag.toLowerCase().startsWith(locale.toLowerCase()));
    return { locale: own ?? locale, strings: here(texts ?? {}), hub };
  } catch {
    return { locale: "en", strings: here({}), hub: credentials().account !== undefined };
  }
}

/** The texts, where nothing is started again. */
function here(bundle: Record<string, string>): Record<string, string> {
  const strings = inLanguage(bundle);
  return { ...strings, "trouble.restart": strings["problem.retry"] ?? "" };
}

async function main(): Promise<void> {
  const { locale, strings, hub } = await texts();
  document.documentElement.lang = locale;
  const host = new BrowserHost(locale, strings, hub);
  const views = { questions: new FollowupApp(), history: new FollowupHistory() };
  const controller = startQuestions(views.questions, host.link);
  let browsing: HistoryController | undefined;
  followAddress(host.drawBar(), views, (view) => {
    if (view === "history") {
      controller.leave();
      // Answers may have been collected meanwhile, and nobody says so.
      browsing?.refresh();
      browsing ??= startHistory(views.history, controller);
    }
    host.showed();
  });
  showWaiting(controller);
}

const key = document.querySelector<HTMLMetaElement>('meta[name="followup-key"]')?.content;
if (key === undefined) {
  void main();
} else {
  document.documentElement.classList.add("chat");
  startView(new ChatHost(key).link);
}

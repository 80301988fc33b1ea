// Followup: Ask a Sample Question

import * as vscode from "vscode";
import type { FollowupApi, FollowupStream } from "../agents/api";
import type { Answer } from "../protocol.gen";
import type { Log } from "../sidecar/log";
import { execute, offer } from "./messages";

/** How much of the sample arrives at once, in characters, and how often, in milliseconds: about as fast as a model writes. */
const pieceLength = 8;
const pieceInterval = 25;

/**
 * Asks a question as an agent would, through the exported API, and tells what an agent would have been given. While one is being asked,
 * it leads to that.
 */
export function askSample(api: FollowupApi, log: Log): () => Promise<void> {
  let asking = false;
  return async () => {
    if (asking) {
      await execute("followup.focus");
      return;
    }
    asking = true;
    try {
      await run(api, log);
    } finally {
      asking = false;
    }
  };
}

async function run(api: FollowupApi, log: Log): Promise<void> {
  const session = await api.openSession({ agent: "Followup", key: "sample" });
  const stream = session.stream();
  await type(stream, sampleCall());
  const { calls } = await stream.end();
  for (const call of calls) {
    // The message stays until it is closed; another sample can be asked meanwhile.
    void tell(await call.answer, log);
  }
}

async function type(stream: FollowupStream, text: string): Promise<void> {
  for (let at = 0; at < text.length; at += pieceLength) {
    stream.appendToolInput("sample", "ask_followup_question", text.slice(at, at + pieceLength));
    await new Promise((resolve) => setTimeout(resolve, pieceInterval));
  }
}

async function tell({ text, images, structured }: Answer, log: Log): Promise<void> {
  const received = [text, ...images.map(({ mimeType }) => `[${mimeType}]`)];
  if (structured) {
    received.push(JSON.stringify(structured));
  }
  log.info(`The sample question was answered; an agent would have received:\n${received.join("\n")}`);
  const told = vscode.l10n.t(
    "An agent would now have received: {0}",
    received.join(" ").replace(/\s+/g, " "),
  );
  await offer("Information", told, { [vscode.l10n.t("Open Log")]: () => execute("followup.showLog") });
}

/** The sample as an agent's model writes a call's arguments. */
function sampleCall(): string {
  return JSON.stringify({
    question: vscode.l10n.t(
      "Hello! This is how an agent asks you something. Which way of answering would you like to try?",
    ),
    follow_up: [
      { text: vscode.l10n.t("Choose this one: it is sent exactly as it stands") },
      { text: vscode.l10n.t("Press 2 on the keyboard to choose this one") },
      { text: vscode.l10n.t("Edit this one before it is sent") },
      { text: vscode.l10n.t("Choose this one to switch the agent to another mode, too"), mode: "code" },
    ],
  });
}

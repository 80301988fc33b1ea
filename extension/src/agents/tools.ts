// The language-model tools, for agents in the editor's chat.

import * as vscode from "vscode";
import { showCommand } from "../page/notices";
import type { Answer } from "../protocol.gen";
import { reading } from "../settings";
import { FollowupError, messageOf } from "../sidecar/errors";
import { type Log, parseJson } from "../sidecar/log";
import { type FollowupApi, type SessionOptions, uuidv7 } from "./api";

/** The tools' names, as package.json contributes them. */
export const toolNames = ["ask_followup_question", "AskUserQuestion"] as const;

/** The session key if the chat is unknown. */
const windowKey = `window:${uuidv7()}`;

/** Registers the tools. */
export function registerTools(agents: FollowupApi, log: Log): vscode.Disposable {
  const tools = toolNames.map((name) => vscode.lm.registerTool(name, askTool(name, agents, log)));
  return vscode.Disposable.from(...tools);
}

/** Asks with the arguments as the model wrote them. Errors in them are part of the result and never thrown. */
export function askTool(name: string, agents: FollowupApi, log: Log) {
  const announced = new Announced();
  return {
    prepareInvocation({ input }) {
      const id = uuidv7();
      announced.put(input, id);
      return { invocationMessage: chatLine(questionIn(input), id) };
    },
    async invoke(options, token) {
      try {
        const session = await agents.openSession({ ...conversation(options), ...reading() });
        const questionId = announced.take(options.input);
        const answer = await session.ask(name, options.input, { token, questionId, isNew: true });
        return new vscode.LanguageModelToolResult(resultParts(answer));
      } catch (error) {
        log.warn(`A call of ${name} failed: ${messageOf(error)}`);
        const isWithdrawn = error instanceof FollowupError && error.code === "withdrawn";
        const why = isWithdrawn
          ? vscode.l10n.t("The question was withdrawn before it was answered.")
          : vscode.l10n.t("The question could not be asked: {0}", messageOf(error));
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(why)]);
      }
    },
  } satisfies vscode.LanguageModelTool<unknown>;
}

/** The parts of a result: text, images, and JSON on its own line, since an agent may join adjacent texts. */
export function resultParts({ text, images, structured }: Answer) {
  const parts: (vscode.LanguageModelTextPart | vscode.LanguageModelDataPart)[] = [
    new vscode.LanguageModelTextPart(text),
    ...images.map(({ data, mimeType }) =>
      vscode.LanguageModelDataPart.image(Buffer.from(data, "base64"), mimeType),
    ),
  ];
  if (structured) {
    // Log viewers search a result for "question"="answer", so a text that is an equals sign must not look like one.
    const json = JSON.stringify(structured).replaceAll('"="', '"\\u003d"');
    parts.push(new vscode.LanguageModelTextPart(`\n${json}`));
  }
  return parts;
}

/** Options that the editor passes besides the typed API; each may be missing. */
interface UntypedOptions {
  chatSessionResource?: unknown;
  toolInvocationToken?: { sessionResource?: unknown; sessionId?: unknown };
}

const chatName = "Chat";

/** The conversation of a call. The editor identifies the chat, and its kind if an extension contributes it, but not the agent. */
export function conversation(options: vscode.LanguageModelToolInvocationOptions<unknown>): SessionOptions {
  const { chatSessionResource, toolInvocationToken: token } = options as UntypedOptions;
  const key = [chatSessionResource, token?.sessionResource, token?.sessionId].map(asKey).find((each) => each);
  return {
    agent: key || token ? (contributedName(key) ?? chatName) : vscode.l10n.t("An extension"),
    key: key ?? windowKey,
  };
}

/** The display name of a chat's kind, as an extension contributes it. The kind is the scheme of the chat's URI. */
function contributedName(key = ""): string | undefined {
  const kind = /^([\w.+-]+):/.exec(key)?.[1];
  const kinds: unknown[] = vscode.extensions.all.flatMap(
    (each) => each.packageJSON?.contributes?.chatSessions,
  );
  const ours = kinds.find((each) => (each as { type?: unknown } | undefined)?.type === kind);
  const { displayName: name } = (ours ?? {}) as { displayName?: unknown };
  return typeof name === "string" && name.trim() !== "" ? name : undefined;
}

/** A chat's identity as a string. The editor passes a string, a URI, or the parts of one. */
function asKey(identity: unknown): string | undefined {
  if (typeof identity === "string") {
    return identity;
  }
  const uri = identity as vscode.Uri | null | undefined;
  return typeof uri?.scheme === "string" ? vscode.Uri.from(uri).toString() : undefined;
}

/** The maximum length of a question that the chat shows, in UTF-16 code units. */
const shownLength = 200;

/** The first paragraph of a call's question on one line, or undefined if the call has no question. Tables and code are only on the card. */
export function questionIn(input: unknown): string | undefined {
  const given = typeof input === "string" ? parseJson(input) : input;
  const { question, questions } = (given ?? {}) as { question?: unknown; questions?: unknown };
  const [first] = Array.isArray(questions) ? questions : [];
  const text = question ?? (first as { question?: unknown } | undefined)?.question;
  if (typeof text !== "string" || text.trim() === "") {
    return undefined;
  }
  const [paragraph = "", ...more] = text.trim().split(/\n\s*\n/);
  const line = paragraph.replace(/\s+/g, " ");
  const whole = line.length <= shownLength && more.length === 0;
  return whole ? line : `${line.slice(0, shownLength - 1)}…`;
}

/** The line in the chat. An agent's text in it is not Markdown. */
export function chatLine(question: string | undefined, questionId: string): vscode.MarkdownString {
  const line = new vscode.MarkdownString();
  line.isTrusted = { enabledCommands: [showCommand] };
  const target = `command:${showCommand}?${encodeURIComponent(JSON.stringify([questionId]))}`;
  line.appendText(`${vscode.l10n.t("Asking you in Followup:")} `);
  line.appendMarkdown("[");
  line.appendText(question ?? vscode.l10n.t("a question"));
  line.appendMarkdown(`](${target})`);
  return line;
}

/** The ids of announced calls until they are made: the typed API identifies no call in both steps. */
export class Announced {
  private calls: { input: string; id: string }[] = [];

  put(input: unknown, id: string): void {
    this.calls = [...this.calls.slice(-63), { input: JSON.stringify(input), id }]; // an announced call may never be made
  }

  take(input: unknown): string | undefined {
    const call = this.calls.find((each) => each.input === JSON.stringify(input));
    this.calls = this.calls.filter((each) => each !== call);
    return call?.id;
  }
}

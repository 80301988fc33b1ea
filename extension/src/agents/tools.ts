// The language-model tools: how an agent that lives in the editor's chat asks.

import * as vscode from "vscode";
import type { Answer } from "../protocol.gen";
import { reading } from "../settings";
import { FollowupError, messageOf } from "../sidecar/errors";
import type { Log } from "../sidecar/log";
import { type FollowupApi, type SessionOptions, uuidv7 } from "./api";
import { Announced, askedIn, chatLine } from "./chatLine";

/** The tools' names, as package.json contributes them. */
export const toolNames = ["ask_followup_question", "AskUserQuestion"] as const;

/** Who asks where no chat is known. */
const windowKey = `window:${uuidv7()}`;

/** Registers the tools. */
export function registerTools(agents: FollowupApi, log: Log): vscode.Disposable {
  const tools = toolNames.map((name) => vscode.lm.registerTool(name, askTool(name, agents, log)));
  return vscode.Disposable.from(...tools);
}

/** Asks with the arguments as the model wrote them; what is wrong with them is told in the result, never thrown. */
export function askTool(name: string, agents: FollowupApi, log: Log) {
  const announced = new Announced();
  return {
    prepareInvocation({ input }) {
      const id = uuidv7();
      announced.put(input, id);
      return { invocationMessage: chatLine(askedIn(input), id) };
    },
    async invoke(options, token) {
      try {
        const session = await agents.openSession({ ...conversation(options), ...reading() });
        const questionId = announced.take(options.input);
        const answer = await session.ask(name, options.input, { token, questionId });
        return new vscode.LanguageModelToolResult(resultParts(answer));
      } catch (error) {
        log.warn(`A call of ${name} failed: ${messageOf(error)}`);
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(failure(error))]);
      }
    },
  } satisfies vscode.LanguageModelTool<unknown>;
}

function failure(error: unknown): string {
  return error instanceof FollowupError && error.code === "withdrawn"
    ? vscode.l10n.t("The question was withdrawn before it was answered.")
    : vscode.l10n.t("The question could not be put to the user: {0}", messageOf(error));
}

/** The parts of a result: text, images, and JSON on a line of its own, since an agent may join neighbouring texts. */
export function resultParts({ text, images, structured }: Answer) {
  const parts: (vscode.LanguageModelTextPart | vscode.LanguageModelDataPart)[] = [
    new vscode.LanguageModelTextPart(text),
    ...images.map(({ data, mimeType }) =>
      vscode.LanguageModelDataPart.image(Buffer.from(data, "base64"), mimeType),
    ),
  ];
  if (structured) {
    // Viewers of logs look for "question"="answer" in a result: a text that is an equals sign must not look like one.
    const json = JSON.stringify(structured).replaceAll('"="', '"\\u003d"');
    parts.push(new vscode.LanguageModelTextPart(`\n${json}`));
  }
  return parts;
}

/** What the editor passes besides the typed API; each may be missing. */
interface UntypedOptions {
  chatSessionResource?: unknown;
  toolInvocationToken?: { sessionResource?: unknown; sessionId?: unknown };
}

const chatName = "Chat";

/** The conversation of a call. The editor names the chat, and its kind where an extension contributes that, but not who speaks. */
export function conversation(options: vscode.LanguageModelToolInvocationOptions<unknown>): SessionOptions {
  const { chatSessionResource, toolInvocationToken: token } = options as UntypedOptions;
  const key = [chatSessionResource, token?.sessionResource, token?.sessionId].map(asKey).find((each) => each);
  return {
    agent: key || token ? (contributedName(key) ?? chatName) : vscode.l10n.t("An extension"),
    key: key ?? windowKey,
  };
}

/** The name of the kind of chat that a chat's URI belongs to, as an extension contributes it; its scheme is the kind. */
function contributedName(key = ""): string | undefined {
  const kind = /^([\w.+-]+):/.exec(key)?.[1];
  const kinds: unknown[] = vscode.extensions.all.flatMap(
    (each) => each.packageJSON?.contributes?.chatSessions,
  );
  const ours = kinds.find((each) => (each as { type?: unknown } | undefined)?.type === kind);
  const { displayName: name } = (ours ?? {}) as { displayName?: unknown };
  return typeof name === "string" && name.trim() !== "" ? name : undefined;
}

/** A chat's identity as a string: it comes as a string, a URI, or the parts of one. */
function asKey(identity: unknown): string | undefined {
  if (typeof identity === "string") {
    return identity;
  }
  const uri = identity as vscode.Uri | null | undefined;
  return typeof uri?.scheme === "string" ? vscode.Uri.from(uri).toString() : undefined;
}

// The scripted model: a language model for the editor's chat, whose replies the test has written.

import * as vscode from "vscode";
import type { ModelRequest, Part, ScriptReply } from "./control";

/** The typed API does not have `isUserSelectable` yet; without it, the chat's model picker omits the model. */
type ModelInformation = vscode.LanguageModelChatInformation & { isUserSelectable: boolean };

const information: ModelInformation = {
  id: "scripted",
  name: "Scripted",
  family: "scripted",
  version: "1",
  maxInputTokens: 4_000_000,
  maxOutputTokens: 100_000,
  capabilities: { toolCalling: true, imageInput: true },
  isUserSelectable: true,
};

/** Responds to requests that offer tools from the script, in order. The chat's own small requests (titles) get a fixed word. */
export class ScriptedModel implements vscode.LanguageModelChatProvider {
  private replies: ScriptReply[] = [];

  constructor(private readonly onAsked: (request: ModelRequest) => void) {}

  setScript(replies: ScriptReply[]): null {
    this.replies = replies;
    return null;
  }

  provideLanguageModelChatInformation(): ModelInformation[] {
    return [information];
  }

  async provideLanguageModelChatResponse(
    _model: vscode.LanguageModelChatInformation,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    options: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
  ): Promise<void> {
    if (!options.tools?.length) {
      progress.report(new vscode.LanguageModelTextPart("Scripted"));
      return;
    }
    const request = record(messages, options);
    const reply = this.replies.shift() ?? [{ text: "The script has ended." }];
    for (const part of reply) {
      progress.report(
        "text" in part
          ? new vscode.LanguageModelTextPart(part.text)
          : new vscode.LanguageModelToolCallPart(part.callId, part.tool, part.input),
      );
    }
    this.onAsked(request);
  }

  async provideTokenCount(
    _model: vscode.LanguageModelChatInformation,
    text: string | vscode.LanguageModelChatRequestMessage,
  ): Promise<number> {
    return typeof text === "string" ? Math.ceil(text.length / 4) : 100;
  }
}

function record(
  messages: readonly vscode.LanguageModelChatRequestMessage[],
  options: vscode.ProvideLanguageModelChatResponseOptions,
): ModelRequest {
  const roles = new Map<number, "user" | "assistant">([
    [vscode.LanguageModelChatMessageRole.User, "user"],
    [vscode.LanguageModelChatMessageRole.Assistant, "assistant"],
  ]);
  return {
    messages: messages.map((message) => ({
      role: roles.get(message.role) ?? "other",
      parts: message.content.map(toPart),
    })),
    tools: (options.tools ?? []).map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    })),
  };
}

function toPart(part: unknown): Part {
  if (part instanceof vscode.LanguageModelTextPart) return { kind: "text", value: part.value };
  if (part instanceof vscode.LanguageModelDataPart) {
    return { kind: "data", mimeType: part.mimeType, data: Buffer.from(part.data).toString("base64") };
  }
  if (part instanceof vscode.LanguageModelToolCallPart) {
    return { kind: "toolCall", callId: part.callId, name: part.name, input: part.input };
  }
  if (part instanceof vscode.LanguageModelToolResultPart) {
    return { kind: "toolResult", callId: part.callId, content: part.content.map(toPart) };
  }
  return { kind: "other", constructorName: (part as object | null)?.constructor?.name ?? String(part) };
}

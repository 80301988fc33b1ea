// A scripted model with the agents' four protocols: Anthropic's Messages, OpenAI's Chat Completions and Responses, and
// Gemini's generateContent. It calls tools in the order of its script, and keeps their results.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/** One call by the model; the next call follows its result. */
export interface Step {
  /** The name of the tool without its server's; the complete name if the agent does not offer the tool. */
  tool: string;
  /** The arguments, which may depend on the results of earlier calls, and on the whole request as JSON. */
  args: object | ((results: string[], request: string) => object);
}

/** The result of a call. */
export interface CallResult {
  /** Its complete text. */
  text: string;
  /** The images in it or directly after it, in base64. */
  images: string[];
}

type Json = Record<string, unknown>;

/** A tool that the agent offers to the model. */
interface Offered {
  name: string;
  namespace?: string;
}

/** What the model outputs in one turn. */
interface Turn {
  text: string;
  call?: { tool: Offered; args: object; id: string };
}

/** The format of one protocol. */
interface Dialect {
  path: RegExp;
  /** The conversation so far, item by item. */
  items(body: Json): Json[];
  /** Whether an item is, or contains, the result of a call. */
  isResult(item: Json): boolean;
  tools(body: Json): Offered[];
  /** The complete response, and its pieces. */
  answer(turn: Turn, body: Json): { whole: Json; events: Json[]; named: boolean; last?: string };
}

const list = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);

const messages: Dialect = {
  path: /\/messages$/,
  items: (body) => list(body.messages).flatMap((message) => list(message.content)),
  isResult: (item) => item.type === "tool_result",
  tools: (body) => list(body.tools).map(({ name }) => ({ name: String(name) })),
  answer({ text, call }, { model }) {
    const block = call
      ? { type: "tool_use", id: `toolu_${call.id}`, name: call.tool.name, input: call.args }
      : { type: "text", text };
    const message = {
      id: `msg_${text.length}`,
      type: "message",
      role: "assistant",
      model,
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    const stop = { stop_reason: call ? "tool_use" : "end_turn", stop_sequence: null };
    const delta = call
      ? { type: "input_json_delta", partial_json: JSON.stringify(call.args) }
      : { type: "text_delta", text };
    return {
      whole: { ...message, ...stop, content: [block] },
      named: true,
      events: [
        {
          type: "message_start",
          message: { ...message, content: [], stop_reason: null, stop_sequence: null },
        },
        {
          type: "content_block_start",
          index: 0,
          content_block: call ? { ...block, input: {} } : { ...block, text: "" },
        },
        { type: "content_block_delta", index: 0, delta },
        { type: "content_block_stop", index: 0 },
        { type: "message_delta", delta: stop, usage: { output_tokens: 1 } },
        { type: "message_stop" },
      ],
    };
  },
};

const completions: Dialect = {
  path: /\/chat\/completions$/,
  items: (body) => list(body.messages),
  isResult: (item) => item.role === "tool",
  tools: (body) => list(body.tools).map((tool) => ({ name: String((tool.function as Json)?.name) })),
  answer({ text, call }, { model }) {
    const base = { id: "completion", created: 1, model };
    const said = call
      ? [
          {
            index: 0,
            id: call.id,
            type: "function",
            function: { name: call.tool.name, arguments: JSON.stringify(call.args) },
          },
        ]
      : undefined;
    const message = call
      ? { role: "assistant", content: null, tool_calls: said }
      : { role: "assistant", content: text };
    const finish_reason = call ? "tool_calls" : "stop";
    const chunk = (delta: Json, finish: string | null) => ({
      ...base,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    return {
      whole: { ...base, object: "chat.completion", usage, choices: [{ index: 0, message, finish_reason }] },
      named: false,
      events: [
        chunk(message, null),
        chunk({}, finish_reason),
        { ...base, object: "chat.completion.chunk", choices: [], usage },
      ],
      last: "[DONE]",
    };
  },
};

const responses: Dialect = {
  path: /\/responses$/,
  items: (body) => list(body.input),
  isResult: (item) => /_call_output$/.test(String(item.type)),
  tools: (body) =>
    list(body.tools).flatMap((tool) =>
      tool.type === "namespace"
        ? list(tool.tools).map(({ name }) => ({ name: String(name), namespace: String(tool.name) }))
        : [{ name: String(tool.name ?? tool.type) }],
    ),
  answer({ text, call }, { model }) {
    const content = [{ type: "output_text", text, annotations: [] }];
    const item = call
      ? {
          type: "function_call",
          id: `fc_${call.id}`,
          call_id: call.id,
          ...call.tool,
          arguments: JSON.stringify(call.args),
          status: "completed",
        }
      : { type: "message", id: "message", role: "assistant", status: "completed", content };
    const usage = {
      input_tokens: 1,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 1,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 2,
    };
    const whole = {
      id: `resp_${call?.id ?? "end"}`,
      object: "response",
      created_at: 1,
      model,
      status: "completed",
      output: [item],
      usage,
    };
    const pieces: Json[] = call
      ? [
          {
            type: "response.function_call_arguments.done",
            item_id: item.id,
            output_index: 0,
            arguments: JSON.stringify(call.args),
          },
        ]
      : [
          {
            type: "response.output_text.delta",
            item_id: item.id,
            output_index: 0,
            content_index: 0,
            delta: text,
          },
        ];
    return {
      whole,
      named: true,
      events: [
        { type: "response.created", response: { ...whole, status: "in_progress", output: [], usage: null } },
        {
          type: "response.output_item.added",
          output_index: 0,
          item: call ? { ...item, arguments: "" } : { ...item, content: [] },
        },
        ...pieces,
        { type: "response.output_item.done", output_index: 0, item },
        { type: "response.completed", response: whole },
      ].map((event, sequence_number) => ({ ...event, sequence_number })),
    };
  },
};

const gemini: Dialect = {
  path: /[gG]enerateContent$/,
  items: (body) => list(body.contents).flatMap((content) => list(content.parts)),
  isResult: (item) => item.functionResponse !== undefined,
  tools: (body) =>
    list(body.tools).flatMap((tool) =>
      list(tool.functionDeclarations).map(({ name }) => ({ name: String(name) })),
    ),
  answer({ text, call }) {
    const parts = [call ? { functionCall: { name: call.tool.name, args: call.args } } : { text }];
    const whole = {
      candidates: [{ index: 0, finishReason: "STOP", content: { role: "model", parts } }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    };
    return { whole, events: [whole], named: false };
  },
};

const dialects = [messages, completions, responses, gemini];

export class Model {
  private steps: Step[] = [];
  private readonly callResults: CallResult[] = [];
  private readonly waiting = new Set<() => void>();
  /** The names of the tools that were last offered. */
  offered: string[] = [];
  /** All requests, for the report of a failed test. */
  readonly requests: string[] = [];

  private constructor(
    private readonly server: Server,
    readonly socket: string,
  ) {}

  /** Starts a model that listens on a socket, to which confine.mjs connects. */
  static async start(socket: string): Promise<Model> {
    const server = createServer();
    const model = new Model(server, socket);
    server.on("request", (request, response) => model.take(request, response));
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    return model;
  }

  async end(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Makes the model call these tools in its next conversation. */
  play(...steps: Step[]): void {
    this.steps = steps;
    this.callResults.length = 0;
  }

  /** Waits for the results of a number of calls, and returns the last one. */
  async result(count = 1): Promise<CallResult> {
    while (this.callResults.length < count) {
      await new Promise<void>((resolve) => this.waiting.add(resolve));
    }
    return this.callResults[count - 1] as CallResult;
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
      chunks.push(chunk as Buffer);
    }
    const path = (request.url ?? "").split("?")[0] as string;
    this.requests.push(`${request.method} ${path}`);
    const dialect = dialects.find((each) => each.path.test(path));
    if (!dialect || request.method !== "POST") {
      answerOther(path, response);
      return;
    }
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Json;
    const { whole, events, named, last } = dialect.answer(this.turn(dialect, body), body);
    if (dialect === gemini ? !path.endsWith("streamGenerateContent") : body.stream !== true) {
      response.setHeader("content-type", "application/json").end(JSON.stringify(whole));
      return;
    }
    response.setHeader("content-type", "text/event-stream");
    for (const event of events) {
      response.write(`${named ? `event: ${event.type}\n` : ""}data: ${JSON.stringify(event)}\n\n`);
    }
    response.end(last && `data: ${last}\n\n`);
  }

  private turn(dialect: Dialect, body: Json): Turn {
    const tools = dialect.tools(body);
    const items = dialect.items(body);
    const results = items.flatMap((item, at) => (dialect.isResult(item) ? [at] : []));
    if (tools.length === 0) {
      return { text: "Colours" }; // a title
    }
    this.offered = tools.map(({ name }) => name);
    results.forEach((at, n) => {
      this.callResults[n] ??= collect(items.slice(at, results[n + 1]));
    });
    for (const wake of this.waiting) {
      wake();
    }
    this.waiting.clear();
    const step = this.steps[results.length];
    const tool =
      step &&
      (tools.find(({ name }) => name === step.tool) ?? tools.find(({ name }) => named(name, step.tool)));
    if (!step) {
      return { text: "All done." };
    }
    const texts = this.callResults.map(({ text }) => text);
    const args = typeof step.args === "function" ? step.args(texts, JSON.stringify(body)) : step.args;
    return { text: "", call: { tool: tool ?? { name: step.tool }, args, id: `call${results.length}` } };
  }
}

/** Matches the name of a tool; each agent adds the server's name in its own way. */
const named = (name: string, tool: string) => new RegExp(`^(.*followup\\W?_{0,2})?${tool}$`).test(name);

/** Responds to an agent's other requests to a provider. */
function answerOther(path: string, response: ServerResponse): void {
  const answers: [RegExp, Json][] = [
    [
      /\/models$/,
      {
        object: "list",
        data: [{ id: "scripted", object: "model", created: 1, owned_by: "test" }],
        models: [],
      },
    ],
    [/countTokens$/, { totalTokens: 1 }],
    [/count_tokens$/, { input_tokens: 1 }],
  ];
  const found = answers.find(([pattern]) => pattern.test(path));
  response.statusCode = found ? 200 : 404;
  response
    .setHeader("content-type", "application/json")
    .end(JSON.stringify(found?.[1] ?? { error: { message: "not found" } }));
}

/** The texts and images in any value. */
function collect(value: unknown, into: CallResult = { text: "", images: [] }): CallResult {
  if (typeof value === "string") {
    const image = /^data:image\/\w+;base64,(.*)$/s.exec(value);
    if (image) {
      into.images.push(image[1] as string);
    } else {
      into.text += `${value}\n`;
    }
  } else if (Array.isArray(value)) {
    for (const each of value) {
      collect(each, into);
    }
  } else if (value && typeof value === "object") {
    const { data, ...rest } = value as Json;
    if (typeof data === "string") {
      into.images.push(data);
    } else {
      collect(data, into);
    }
    for (const each of Object.values(rest)) {
      collect(each, into);
    }
  }
  return into;
}

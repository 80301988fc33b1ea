// An agent in miniature: it streams one question through Followup's exported API, a few characters at a time as a model
// writes, waits for the answer, and tells the terminal of `make run` what it got.

const { readFileSync } = require("node:fs");
const net = require("node:net");
const path = require("node:path");
const { setTimeout: delay } = require("node:timers/promises");
const vscode = require("vscode");

/** How a model's text arrives: this many characters, every so many milliseconds. */
const pieceLength = 5;
const pieceInterval = 40;

/** Called by the editor when it has started. */
exports.activate = (context) => {
  const output = vscode.window.createOutputChannel("Followup Sample Agent", { log: true });
  const terminal = connectTerminal(output);
  let round = 0;
  const ask = async () => {
    try {
      await askOnce(++round, terminal, ask);
    } catch (error) {
      output.error(error);
      terminal.tell({ event: "failed", message: String(error?.message ?? error) });
      vscode.window.showErrorMessage(`The sample agent could not ask: ${error?.message ?? error}`);
    }
  };
  context.subscriptions.push(
    output,
    terminal,
    vscode.commands.registerCommand("followupSampleAgent.askAgain", ask),
  );
  void ask();
};

/** Streams the example, waits for the answer and reports each step. */
async function askOnce(round, terminal, again) {
  const followup = vscode.extensions.getExtension("followup.followup");
  const api = await followup.activate();
  const session = await api.openSession({
    agent: "Sample agent",
    key: `${process.pid}-${Date.now()}-${round}`,
  });
  try {
    const text = readFileSync(path.join(__dirname, "question.txt"), "utf8");
    terminal.tell({ event: "asking" });
    const stream = session.stream();
    for (let start = 0; start < text.length; start += pieceLength) {
      stream.append(text.slice(start, start + pieceLength));
      await delay(pieceInterval);
    }
    const { calls } = await stream.end();
    for (const call of calls) {
      terminal.tell({ event: "waiting", question: call.payload?.question });
      const answer = await call.answer;
      terminal.tell({
        event: "received",
        outcome: answer.outcome,
        provenance: answer.provenance,
        text: answer.text,
        images: answer.images.map(({ mimeType, data }) => ({
          mimeType,
          bytes: Buffer.byteLength(data, "base64"),
        })),
        structured: answer.structured,
      });
      offerAgain(answer, again);
    }
  } finally {
    await session.close();
  }
}

/** Shows what the agent received, with a button that asks again. */
function offerAgain(answer, again) {
  const short = answer.text.length > 200 ? `${answer.text.slice(0, 200)}…` : answer.text;
  const button = "Ask Again";
  vscode.window.showInformationMessage(`The sample agent received: ${short}`, button).then((chosen) => {
    if (chosen === button) void again();
  });
}

/** A line of JSON for every event, to the port that the workspace's settings name; into the log alone if there is none. */
function connectTerminal(output) {
  const port = vscode.workspace.getConfiguration("followupSampleAgent").get("port", 0);
  const socket = port ? net.connect(port, "127.0.0.1") : undefined;
  socket?.on("error", (error) => output.warn(`no terminal listens: ${error.message}`));
  return {
    tell(event) {
      const line = JSON.stringify(event);
      output.info(line);
      if (socket?.writable) socket.write(`${line}\n`);
    },
    dispose: () => socket?.end(),
  };
}

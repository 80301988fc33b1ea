// The terminal's side of the sample agent: receives its events on loopback and prints them.

import { createServer } from "node:net";
import { createInterface } from "node:readline";

/**
 * @typedef {object} AgentEvent an event of the sample agent, printed as one line of JSON
 * @property {"asking" | "waiting" | "received" | "failed"} event
 * @property {string} [question]
 * @property {string} [outcome]
 * @property {string} [provenance]
 * @property {string} [text]
 * @property {{mimeType: string, bytes: number}[]} [images]
 * @property {string} [message]
 */

/** Listens on a free port and prints every event that arrives. */
export async function listenForAgent(
  print = (/** @type {string} */ text) => process.stdout.write(`${text}\n`),
) {
  /** @type {Set<import("node:net").Socket>} */
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket);
    // A closing editor window may cut a line short, which is not a failure.
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    createInterface({ input: socket }).on("line", (line) => print(describe(line)));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    port: address.port,
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** @param {string} line */
function describe(line) {
  /** @type {AgentEvent} */
  const event = JSON.parse(line);
  switch (event.event) {
    case "asking":
      return "The sample agent is writing its question …";
    case "waiting":
      return `The sample agent waits for an answer to: ${event.question ?? "(an invalid call)"}`;
    case "received":
      return describeAnswer(event);
    case "failed":
      return `The sample agent failed: ${event.message}`;
  }
}

/**
 * What the agent got, in words; also of the document that `followup ask --json` prints.
 * @param {Pick<AgentEvent, "text" | "images" | "outcome" | "provenance">} event
 */
export function describeAnswer({ text = "", images = [], outcome, provenance }) {
  const how = provenance ? `${outcome}, ${provenance}` : outcome;
  const lines = text.split("\n").map((line) => `  ${line}`);
  for (const image of images) lines.push(`  + image ${image.mimeType}, ${image.bytes} bytes`);
  return `The sample agent received (${how}):\n${lines.join("\n")}\n`;
}

// Followup's plugin for opencode and Kilo Code, which load it in their own process (https://opencode.ai/docs/plugins). A question of
// theirs is asked in Followup's inbox as well, by the program beside this file. The first answer wins, there or in the terminal.
// Under a name that ends in -approvals, it asks for permission there, too.
// Without the program, or while nobody shows an inbox, it does nothing. "followup connect" writes this file, and renews it.

import { spawn } from "node:child_process";
import { parse } from "node:path";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(
  new URL(process.platform === "win32" ? "followup.exe" : "followup", import.meta.url),
);
/** The file is named for the agent that it was installed for. */
const { name } = parse(fileURLToPath(import.meta.url));
const agent = name.replace(/-approvals$/, "");
const approves = name !== agent;

/** The most that the program may say: an answer, with room. */
const maxAnswer = 16 * 1024 * 1024;

export const Followup = async ({ client, directory }) => {
  /** The programs that ask, by the ids of their questions and requests. */
  const asking = new Map();

  const post = async (kind, id, verb, body) => {
    try {
      await client._client.post({
        url: `/${kind}/${encodeURIComponent(id)}/${verb}`,
        headers: { "content-type": "application/json" },
        body,
      });
    } catch {
      // It was answered in the terminal at the same moment.
    }
  };

  const ask = (question) => {
    let child;
    try {
      child = spawn(program, approves ? ["hook", agent, "--approvals"] : ["hook", agent], {
        cwd: directory,
        stdio: ["pipe", "pipe", "ignore"],
        windowsHide: true,
      });
    } catch {
      return; // as a process that may have no more files or memory
    }
    let said = "";
    let sent = false;
    const decide = async () => {
      let answer;
      try {
        answer = JSON.parse(said || "{}");
      } catch {
        return;
      }
      if (Array.isArray(answer.answers)) {
        await post("question", question.id, "reply", { answers: answer.answers });
      } else if (answer.rejected === true) {
        await post("question", question.id, "reject", {});
      } else if (typeof answer.reply === "string") {
        await post("permission", question.id, "reply", answer);
      }
    };
    child.on("error", () => asking.delete(question.id)); // there is no program
    if (!child.stdin || !child.stdout) {
      return; // there could be no pipes to it, and it was not started
    }
    child.stdin.on("error", () => {}); // it has ended
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (text) => {
      said += text;
      if (said.length > maxAnswer) {
        child.kill();
      } else if (approves && said.endsWith("\n") && asking.get(question.id) === child && !sent) {
        // The program waits for permission.replied, which says whether this decision or the terminal's took effect.
        sent = true;
        void decide();
      }
    });
    child.on("close", async (status) => {
      // One that was closed here was answered in the terminal, whatever the program still says.
      if (asking.delete(question.id) && status === 0 && !sent) {
        await decide();
      }
    });
    asking.set(question.id, child);
    // The program reads until there is no more: that is when the question is over here, also where this process dies.
    child.stdin.write(`${JSON.stringify({ ...question, directory })}\n`);
  };

  /** Reports to the program how its question or request was closed, here or in the terminal. */
  const close = (id, closed, answers, effective) => {
    const child = asking.get(id);
    asking.delete(id);
    child?.stdin.end(`${JSON.stringify({ closed, answers, effective })}\n`);
  };

  /** The decision that took effect. */
  const effectOf = (reply) =>
    reply === "reject" ? "denied" : reply === "once" || reply === "always" ? "allowed" : undefined;

  return {
    event: async ({ event }) => {
      const { type, properties } = event;
      const asked = type === "question.asked" || (approves && type === "permission.asked");
      if (asked && typeof properties?.id === "string") {
        ask(properties);
      } else if (
        type === "question.replied" ||
        type === "question.rejected" ||
        type === "permission.replied"
      ) {
        const { requestID, id, answers, reply } = properties ?? {};
        close(requestID ?? id, type.split(".")[1], answers, effectOf(reply));
      }
    },
  };
};

// The team's hub that the user has named. The sidecar keeps the link to it, and gets the address and the user's token from here.

import type { SecretStorage } from "vscode";
import { type HubConnectParams, hubConnect } from "../protocol.gen";
import type { Connection } from "./connection";
import type { Log } from "./log";
import type { Sidecar } from "./sidecar";

/** What a hub needs of its surroundings. */
export interface HubSurroundings {
  sidecar: Pick<Sidecar, "addParticipant" | "request">;
  secrets: Pick<SecretStorage, "get" | "store" | "delete">;
  /** The settings: the hub's address, and a file of certificates; each may be empty. */
  setting(): { url: string; certificates: string };
  save(url: string): PromiseLike<void>;
  /** The kind of remote machine that the window works on; empty for the local one. */
  remote: string;
  log: Log;
}

/** The name of a hub's token. Each kind of remote machine has its own, so that a container's configuration gets no other's token. */
export function secretName(url: string, remote: string): string {
  return `hub ${remote} ${url}`;
}

export class Hub {
  private sent = "{}";

  constructor(private readonly surroundings: HubSurroundings) {
    surroundings.sidecar.addParticipant(async (connection) => {
      this.sent = "{}"; // a new process knows of none
      await this.send(connection);
    });
  }

  async changed(): Promise<void> {
    await this.send(this.surroundings.sidecar);
  }

  /** Keeps a hub that has taken the user, and their token for it; without an address, there is none any more. */
  async keep({ url = "", token = "" }: HubConnectParams): Promise<void> {
    const { secrets, setting, save } = this.surroundings;
    const { url: before } = setting();
    if (url !== "") {
      await secrets.store(this.secret(url), token);
    }
    await save(url);
    if (before !== "" && before !== url) {
      await secrets.delete(this.secret(before));
    }
  }

  private secret(url: string): string {
    return secretName(url, this.surroundings.remote);
  }

  private async send(to: Pick<Connection, "request">): Promise<void> {
    const { secrets, setting, log } = this.surroundings;
    const { url, certificates } = setting();
    // An address may have been set with a token in it, which the log does not get.
    const host = URL.canParse(url) ? new URL(url).host : "";
    try {
      const token = url && ((await secrets.get(this.secret(url))) ?? "");
      const params = url && { url, token, ...(certificates !== "" && { certificates }) };
      const now = JSON.stringify(params || {});
      if (now !== this.sent) {
        this.sent = now;
        const { state, problem } = await to.request(hubConnect, params || {});
        log.info(`The hub ${host}: ${state}${problem ? ` (${problem})` : ""}`);
      }
    } catch (error) {
      log.warn(`The sidecar did not take the hub ${host}: ${error}`);
    }
  }
}

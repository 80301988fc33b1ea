// The team's hub that the user has named. The sidecar keeps the link to it, and gets the address and the user's token from here.

import type { SecretStorage } from "vscode";
import { type HubConnectParams, hubConnect } from "../protocol.gen";
import { hubSetting, setHub } from "../settings";
import type { Connection } from "./connection";
import type { Log } from "./log";
import type { Sidecar } from "./sidecar";

/** The name of a hub's token. Each kind of remote machine has its own, so that a container's configuration gets no other token. */
export function secretName(url: string, remote: string): string {
  return `hub ${remote} ${url}`;
}

export class Hub {
  private sent = "{}";

  /** Remote is the kind of remote machine of the window; empty for the local one. */
  constructor(
    private readonly sidecar: Pick<Sidecar, "addParticipant" | "request">,
    private readonly secrets: Pick<SecretStorage, "get" | "store" | "delete">,
    private readonly remote: string,
    private readonly log: Log,
  ) {
    sidecar.addParticipant(async (connection) => {
      this.sent = "{}"; // a new process does not know it
      await this.send(connection);
    });
  }

  async changed(): Promise<void> {
    await this.send(this.sidecar);
  }

  /** Saves a hub that has accepted the user, with their token. Without an address, removes the hub. */
  async keep({ url = "", token = "" }: HubConnectParams): Promise<void> {
    const { url: before } = hubSetting();
    if (url !== "") {
      await this.secrets.store(secretName(url, this.remote), token);
    }
    await setHub(url);
    if (before !== "" && before !== url) {
      await this.secrets.delete(secretName(before, this.remote));
    }
  }

  private async send(to: Pick<Connection, "request">): Promise<void> {
    const { url, certificates } = hubSetting();
    // The address may contain a token, which must not be logged.
    const host = URL.canParse(url) ? new URL(url).host : "";
    try {
      const token = url && ((await this.secrets.get(secretName(url, this.remote))) ?? "");
      const params = url && { url, token, ...(certificates !== "" && { certificates }) };
      const now = JSON.stringify(params || {});
      if (now !== this.sent) {
        this.sent = now;
        const { state, problem } = await to.request(hubConnect, params || {});
        this.log.info(`The hub ${host}: ${state}${problem ? ` (${problem})` : ""}`);
      }
    } catch (error) {
      this.log.warn(`The sidecar rejected the hub ${host}: ${error}`);
    }
  }
}

// The team's hub that the user has named: the sidecar keeps the link to it, and is told here which it is, with the user's token.

import { type HubConnectParams, type HubState, hubConnect, type Request } from "../protocol.gen";
import type { Log } from "./log";

/** What a hub needs of its surroundings. */
export interface HubSurroundings {
  sidecar: {
    addParticipant(participant: (connection: Requests) => Promise<void>): void;
    request: Requests["request"];
  };
  /** Keeps tokens, by names. */
  secrets: {
    get(name: string): PromiseLike<string | undefined>;
    store(name: string, secret: string): PromiseLike<void>;
    delete(name: string): PromiseLike<void>;
  };
  /** The settings: the hub's address, and a file of certificates; each may be empty. */
  setting(): { url: string; certificates: string };
  /** Changes the setting that holds the address. */
  save(url: string): PromiseLike<void>;
  /** The kind of remote machine that the window works on; empty for the local one. */
  remote: string;
  log: Log;
}

interface Requests {
  request<P, R>(type: Request<P, R>, params: P): Promise<R>;
}

/**
 * Under which name the token for a hub is kept. The editor's secrets are one for the local machine and all remote ones, whose own
 * configuration can name a hub: each kind has its own, so that no container gets a token that was given elsewhere.
 */
export function secretName(url: string, remote: string): string {
  return `hub ${remote} ${url}`;
}

export class Hub {
  /** What the sidecar was told last. */
  private told = "{}";
  /** How many hubs are being tried; what is saved for them is told when that is over. */
  private trying = 0;

  constructor(private readonly surroundings: HubSurroundings) {
    surroundings.sidecar.addParticipant(async (connection) => {
      this.told = "{}"; // a new process knows of none
      void this.tell(connection); // which may take as long as the network does
    });
  }

  /** The address that is set; empty for none. */
  get url(): string {
    return this.surroundings.setting().url;
  }

  /** The settings, or the token, may have changed. */
  async changed(): Promise<void> {
    if (this.trying > 0) {
      return;
    }
    await this.tell(this.surroundings.sidecar);
  }

  /**
   * Tries a hub, and keeps it unless that refuses the user; an empty address takes the hub away.
   *
   * @throws ResponseError, FollowupError unavailable
   */
  async connect(url: string, token: string): Promise<HubState> {
    const { sidecar, secrets, save, setting } = this.surroundings;
    const params: HubConnectParams = url === "" ? {} : { url, token, ...certificatesOf(setting()) };
    const before = { told: this.told, url: this.url };
    this.told = JSON.stringify(params);
    this.trying++;
    try {
      const state = await sidecar.request(hubConnect, params);
      if (state.state !== "refused") {
        if (url !== "") {
          await secrets.store(this.secretName(url), token);
        }
        await save(url);
        if (before.url !== "" && before.url !== url) {
          await secrets.delete(this.secretName(before.url));
        }
        return state;
      }
      this.told = ""; // the one before is to be there again
      return state;
    } catch (error) {
      this.told = before.told;
      throw error;
    } finally {
      this.trying--;
      void this.tell(sidecar); // nothing, where it is what was told
    }
  }

  private secretName(url: string): string {
    return secretName(url, this.surroundings.remote);
  }

  private async tell(to: Requests): Promise<void> {
    const { secrets, setting, log } = this.surroundings;
    const { url, certificates } = setting();
    try {
      const token = url === "" ? "" : ((await secrets.get(this.secretName(url))) ?? "");
      const params: HubConnectParams = url === "" ? {} : { url, token, ...certificatesOf({ certificates }) };
      const now = JSON.stringify(params);
      if (now === this.told) {
        return;
      }
      this.told = now;
      const { state, problem } = await to.request(hubConnect, params);
      log.info(`The hub ${hostOf(url)}: ${state}${problem ? ` (${problem})` : ""}`);
    } catch (error) {
      log.warn(`The hub ${hostOf(url)} is not known to the sidecar: ${error}`);
    }
  }
}

/** What the log is told of an address, which may have been set with a token in it. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}

function certificatesOf({ certificates }: { certificates: string }): Pick<HubConnectParams, "certificates"> {
  return certificates === "" ? {} : { certificates };
}

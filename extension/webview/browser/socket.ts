// The page's WebSocket to `followup web`, which reconnects while the page is allowed to. The server writes every 30 s, since a page sees
// no pings and a lost network is silent.

import { readStored } from "../kept";
import { Backoff } from "../link";

/**
 * Why the server does not admit this browser: its link was used, is wrong or an agent's; it has none; it was signed out by the user, or
 * is not known any more; or it keeps no site data.
 */
export type Refusal = "used" | "wrong" | "agent" | "none" | "signedOut" | "unknown" | "blocked";

/** The state: open; lost, and reconnecting; or refused, so that only another link helps. */
export type Connection = "open" | "lost" | Refusal;

/**
 * The page's folder: an editor that forwards ports may have several pages in folders of one origin. A page inside a conversation has
 * none.
 */
const folder = location.protocol.startsWith("http") ? new URL(".", location.href).pathname : "";

/** The storage key of this browser's credentials. Unlike a cookie without a path, storage belongs to this origin alone. */
const credentialsKey = `followup.credentials ${folder}`;

/**
 * This browser's credentials: the socket's path, a key for the time after the server's restart, and the user at a hub; or that the user
 * has signed out.
 */
interface Credentials {
  path?: string;
  device?: string;
  account?: string;
  team?: string;
  signedOut?: true;
}

/** This browser's credentials. */
export const credentials = (): Credentials => readStored(() => localStorage, credentialsKey) ?? {};

/** Whether this browser keeps what admits it: a cookie, and its credentials. */
function keepsData(): boolean {
  try {
    localStorage.setItem("followup.probe", "");
    localStorage.removeItem("followup.probe");
    return navigator.cookieEnabled;
  } catch {
    return false;
  }
}

/** Signs out at a hub, in all pages of this browser. */
export async function signOut(): Promise<void> {
  await fetch("logout", { method: "POST" });
  localStorage.setItem(credentialsKey, JSON.stringify({ signedOut: true } satisfies Credentials));
  await globalThis.caches?.open("credentials").then((shelf) => shelf.delete("credentials"));
  location.reload();
}

/** How long a connection may be silent, and how often that is looked at, in milliseconds. */
const silence = { most: 75_000, look: 10_000 };

/** How long the check why there is no connection may take, in milliseconds. */
const lookTime = 5_000;

export class Socket {
  /** The connection that counts: open, or on the way. */
  private socket: WebSocket | undefined;
  /** The secret of the address, until the server has accepted or refused it. */
  private secret = location.hash.slice(1);
  /** Why the server refused the last secret. */
  private refusal: Refusal | undefined;
  /** The browser has just got a cookie. */
  private loggedIn = false;
  /** The time of the last message, in milliseconds since 1970: that clock continues while a phone sleeps. */
  private heard = 0;
  /** The reason for the missing connection is being checked. */
  private looking = false;
  private readonly backoff = new Backoff();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly message: (message: unknown) => void,
    private readonly changed: (connection: Connection) => void,
  ) {
    // A phone that wakes up, or finds its network again, does not wait.
    window.addEventListener("online", () => this.wake());
    document.addEventListener("visibilitychange", () => document.hidden || this.wake());
    // The user has opened a link in this very page, which does not load it again.
    window.addEventListener("hashchange", () => location.hash.length > 1 && location.reload());
    // Another page of the same address has logged in, so this one can, too; or it was signed out.
    window.addEventListener("storage", ({ key }) => {
      if (key === credentialsKey) {
        credentials().signedOut ? location.reload() : this.retry();
      }
    });
    setInterval(() => this.look(), silence.look);
  }

  send(message: string): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) {
      return false;
    }
    this.socket.send(message);
    return true;
  }

  /** Tries again, with a secret that the user has given. */
  enter(secret: string): void {
    this.secret = secret;
    this.retry();
  }

  /** Connects at once, if it would be later or not at all. */
  retry(): void {
    if (this.socket === undefined && !this.looking) {
      clearTimeout(this.timer);
      this.timer = undefined;
      this.connect();
    }
  }

  private wake(): void {
    this.timer === undefined ? this.look() : this.retry();
  }

  /** Gives up a connection that has been silent for too long, also where the clock was set back. */
  private look(): void {
    const { socket } = this;
    if (socket !== undefined && Math.abs(Date.now() - this.heard) > silence.most) {
      Object.assign(socket, { onopen: null, onmessage: null, onclose: null });
      socket.close();
      void this.closed(new URL(socket.url).pathname);
    }
  }

  private connect(): void {
    const { path } = credentials();
    if (this.secret !== "" || path === undefined) {
      void this.logIn();
      return;
    }
    const socket = new WebSocket(new URL(path, location.origin.replace(/^http/, "ws")));
    this.socket = socket;
    this.heard = Date.now();
    socket.onopen = () => {
      this.heard = Date.now();
      this.loggedIn = false;
      this.refusal = undefined;
      this.backoff.reset();
      this.changed("open");
    };
    socket.onmessage = ({ data }) => {
      this.heard = Date.now();
      this.message(JSON.parse(String(data)));
    };
    socket.onclose = () => void this.closed(path);
  }

  /** Logs in with the secret or, if the path or the cookie is of another start, with this browser's own key. */
  private async logIn(): Promise<void> {
    const { path, device, signedOut } = credentials();
    const { secret } = this;
    if (!keepsData()) {
      this.changed("blocked"); // the secret would be used in vain: it stays in the address
      return;
    }
    if (secret === "" && device === undefined) {
      this.changed(this.refusal ?? (signedOut ? "signedOut" : path === undefined ? "none" : "unknown"));
      return;
    }
    // Nobody who looks at the address, or at where the browser has been, sees it.
    history.replaceState(null, "", location.pathname + location.search);
    this.looking = true;
    const result = await login(secret, device);
    this.looking = false;
    if (result === "lost") {
      this.changed("lost");
      this.connectLater();
      return;
    }
    this.secret = "";
    this.loggedIn = result === "open";
    if (result !== "open") {
      this.refusal = secret === "" ? (this.refusal ?? "unknown") : result;
    }
    if (result === "open" || (secret !== "" && path !== undefined)) {
      this.connect(); // the cookie of an earlier login may still be valid
    } else {
      this.changed(this.refusal ?? result);
    }
  }

  /** Open requests fail at once; then the page checks whether retrying helps. */
  private async closed(path: string): Promise<void> {
    this.socket = undefined;
    this.looking = true;
    this.changed("lost");
    const status = await statusOf(path);
    this.looking = false;
    const { loggedIn } = this;
    this.loggedIn = false;
    if (loggedIn && status === 401) {
      this.changed("blocked"); // the browser has not kept the cookie
    } else if (!loggedIn && (status === 401 || status === 404)) {
      await this.logIn();
    } else {
      this.connectLater();
    }
  }

  private connectLater(): void {
    this.timer = setTimeout(() => this.retry(), this.backoff.next());
  }
}

/** Why a login was refused, by the status. */
const refusals: Readonly<Record<number, Refusal>> = { 403: "agent", 410: "used" };

/** Exchanges a secret, or this browser's own key, for a cookie and the path of the socket. */
async function login(secret: string, device = ""): Promise<"open" | "lost" | Refusal> {
  try {
    const shown = [secret, device].filter((part) => part !== "").join("\n");
    const answer = await fetch("login", { method: "POST", body: shown });
    if (answer.status === 429 || answer.status === 503) {
      const seconds = Number(answer.headers.get("Retry-After") ?? 1);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      return await login(secret, device);
    } else if (!answer.ok) {
      return answer.status >= 500 ? "lost" : (refusals[answer.status] ?? "wrong");
    }
    const { signedOut: _, ...before } = credentials();
    const own = JSON.stringify({ ...before, ...(await answer.json()) });
    localStorage.setItem(credentialsKey, own);
    // The service worker answers by it; it has no other storage, and none where the page is not encrypted.
    await globalThis.caches
      ?.open("credentials")
      .then((shelf) => shelf.put("credentials", new Response(own)))
      .catch(console.warn);
    return "open";
  } catch {
    return "lost";
  }
}

/** A browser does not report why a socket did not open; a request for the same path does. 0 without an answer. */
async function statusOf(path: string): Promise<number> {
  try {
    return (await fetch(path, { signal: AbortSignal.timeout(lookTime) })).status;
  } catch {
    return 0;
  }
}

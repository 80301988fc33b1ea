// The page's WebSocket to `followup web`, which reconnects while the page is allowed to. The server writes every 30 s, since a page sees
// no pings and a lost network is silent.

import { readStored } from "../kept";
import { Backoff } from "../link";

/** The state: open; lost, and reconnecting; or refused, so that only a new address helps. */
export type Connection = "open" | "lost" | "refused";

/**
 * The page's folder: an editor that forwards ports may have several pages in folders of one origin. A page inside a conversation has
 * none.
 */
const folder = location.protocol.startsWith("http") ? new URL(".", location.href).pathname : "";

/** The storage key of this browser's credentials. Unlike a cookie without a path, storage belongs to this origin alone. */
const credentialsKey = `followup.credentials ${folder}`;

/** This browser's credentials: the socket's path, a key for the time after the server's restart, and the user at a hub. */
interface Credentials {
  path?: string;
  device?: string;
  account?: string;
  team?: string;
}

/** This browser's credentials. */
export const credentials = (): Credentials => readStored(() => localStorage, credentialsKey) ?? {};

/** Signs out at a hub, in all pages of this browser. */
export async function signOut(): Promise<void> {
  await fetch("logout", { method: "POST" });
  localStorage.removeItem(credentialsKey);
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
    // Another page of the same address has logged in, so this one can, too; or it was signed out.
    window.addEventListener("storage", ({ key, newValue }) => {
      if (key === credentialsKey) {
        newValue === null ? location.reload() : this.retry();
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

  /** Opens the connection, with the secret of the page's address where it has one. */
  async open(): Promise<void> {
    const secret = location.hash.slice(1);
    if (secret !== "") {
      // Nobody who looks at the address, or at where the browser has been, sees it.
      history.replaceState(null, "", location.pathname + location.search);
      await login(secret);
    }
    this.connect();
  }

  /** Tries again, with a secret that the user has given. */
  async enter(secret: string): Promise<void> {
    await (secret && login(secret));
    this.retry();
  }

  /** Tries at once what would be tried later, or not any more. */
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
    if (path === undefined) {
      void this.comeAgain();
      return;
    }
    const socket = new WebSocket(new URL(path, location.origin.replace(/^http/, "ws")));
    this.socket = socket;
    this.heard = Date.now();
    socket.onopen = () => {
      this.heard = Date.now();
      this.backoff.reset();
      this.changed("open");
    };
    socket.onmessage = ({ data }) => {
      this.heard = Date.now();
      this.message(JSON.parse(String(data)));
    };
    socket.onclose = () => void this.closed(path);
  }

  /** The path or the cookie is of another start: this browser's own key may still let it in. */
  private async comeAgain(): Promise<void> {
    const { device } = credentials();
    this.looking = true;
    const taken = device !== undefined && (await login(device));
    this.looking = false;
    taken ? this.connect() : this.changed("refused");
  }

  /** Open requests fail at once; then the page checks whether retrying helps. */
  private async closed(path: string): Promise<void> {
    this.socket = undefined;
    this.looking = true;
    this.changed("lost");
    const refused = await isRefused(path);
    this.looking = false;
    if (refused) {
      await this.comeAgain();
      return;
    }
    this.timer = setTimeout(() => this.retry(), this.backoff.next());
  }
}

/** Exchanges a secret, or this browser's own key, for a cookie and the path of the socket; reports whether it was taken. */
async function login(secret: string): Promise<boolean> {
  try {
    const answer = await fetch("login", { method: "POST", body: secret });
    if (answer.ok) {
      const own = JSON.stringify({ ...credentials(), ...(await answer.json()) });
      localStorage.setItem(credentialsKey, own);
      // The service worker answers by it; it has no other storage, and none where the page is not encrypted.
      await globalThis.caches
        ?.open("credentials")
        .then((shelf) => shelf.put("credentials", new Response(own)));
      return true;
    } else if (answer.status === 429 || answer.status === 503) {
      const seconds = Number(answer.headers.get("Retry-After") ?? 1);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      return await login(secret);
    }
  } catch {
    // There is no connection; the secret is still in the printed address.
  }
  return false;
}

/** A browser does not report why a socket did not open; a request for the same path does. */
async function isRefused(path: string): Promise<boolean> {
  try {
    const { status } = await fetch(path, { signal: AbortSignal.timeout(lookTime) });
    return status === 401 || status === 404;
  } catch {
    return false;
  }
}

// The page's connection to `followup web`: a WebSocket, one message in each frame. It is opened again by itself for as long as the
// page is let in.

/** How it stands: open; lost, and being opened again; or refused, so that only a new address helps. */
export type Connection = "open" | "lost" | "refused";

/** Where the path of the socket is kept: the storage is this origin's alone, other than a cookie without a path. */
const pathKey = "followup.socket";

/** How long it takes until the connection is tried again, in milliseconds: first, and at most. */
const retries = { first: 500, most: 10_000 };

export class Socket {
  private socket: WebSocket | undefined;
  private wait = retries.first;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly message: (message: unknown) => void,
    private readonly changed: (connection: Connection) => void,
  ) {
    // A phone that wakes up, or finds its network again, does not wait.
    window.addEventListener("online", () => this.retry());
    document.addEventListener("visibilitychange", () => document.hidden || this.retry());
  }

  /** Sends a message; false where there is no connection. */
  send(message: unknown): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) {
      return false;
    }
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Opens the connection, with the secret of the page's address where it has one. */
  async open(): Promise<void> {
    const secret = location.hash.slice(1);
    if (secret !== "") {
      // Nobody who looks at the address, or at where the browser has been, sees it.
      history.replaceState(null, "", location.pathname);
      await login(secret);
    }
    this.connect();
  }

  /** Tries at once what would be tried later. */
  retry(): void {
    if (this.timer !== undefined) {
      clearTimeout(this.timer);
      this.timer = undefined;
      this.connect();
    }
  }

  private connect(): void {
    const path = keptPath();
    if (path === null) {
      this.changed("refused");
      return;
    }
    const socket = new WebSocket(new URL(path, location.origin.replace(/^http/, "ws")));
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.wait = retries.first;
      this.changed("open");
    });
    socket.addEventListener("message", ({ data }) => this.message(JSON.parse(String(data))));
    socket.addEventListener("close", () => void this.closed(path));
  }

  private async closed(path: string): Promise<void> {
    if (await isRefused(path)) {
      this.changed("refused");
      return;
    }
    this.changed("lost");
    this.timer = setTimeout(() => this.retry(), this.wait);
    this.wait = Math.min(this.wait * 2, retries.most);
  }
}

/** Exchanges the secret for a cookie and the path of the socket. Where it is taken no more, this browser may have them already. */
async function login(secret: string): Promise<void> {
  try {
    const answer = await fetch("/login", { method: "POST", body: secret });
    if (answer.ok) {
      const { path } = (await answer.json()) as { path: string };
      localStorage.setItem(pathKey, path);
    } else if (answer.status === 429) {
      const seconds = Number(answer.headers.get("Retry-After") ?? 1);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      await login(secret);
    }
  } catch {
    // There is no connection; the secret is still in the address that was printed.
  }
}

function keptPath(): string | null {
  try {
    return localStorage.getItem(pathKey);
  } catch {
    return null;
  }
}

/** A browser does not tell why a socket did not open; the same path without one does. */
async function isRefused(path: string): Promise<boolean> {
  try {
    const { status } = await fetch(path);
    return status === 401 || status === 404;
  } catch {
    return false;
  }
}

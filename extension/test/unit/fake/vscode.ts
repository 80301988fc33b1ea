// The parts of the editor's API that the tested modules use.

import { CancellationTokenSource, Emitter } from "vscode-jsonrpc";

export { CancellationTokenSource, Emitter as EventEmitter };

export class CancellationError extends Error {
  constructor() {
    super("Canceled");
    this.name = "Canceled";
  }
}

export class Uri {
  private constructor(
    readonly scheme: string,
    readonly authority: string,
    readonly path: string,
    readonly fragment = "",
  ) {}

  with(change: { scheme?: string; authority?: string }): Uri {
    return new Uri(change.scheme ?? this.scheme, change.authority ?? this.authority, this.path);
  }

  static from({
    scheme,
    authority = "",
    path = "",
  }: {
    scheme: string;
    authority?: string;
    path?: string;
  }): Uri {
    return new Uri(scheme, authority, path);
  }

  static parse(written: string): Uri {
    const { protocol, host, pathname, hash } = new URL(written);
    return new Uri(protocol.slice(0, -1), host, decodeURIComponent(pathname), hash.slice(1));
  }

  static file(path: string): Uri {
    return new Uri("file", "", path);
  }

  static joinPath(base: Uri, ...names: string[]): Uri {
    return new Uri(base.scheme, base.authority, [base.path, ...names].join("/"));
  }

  get fsPath(): string {
    return this.path;
  }

  toString(): string {
    return `${this.scheme}://${this.authority}${this.path}${this.fragment && `#${this.fragment}`}`;
  }
}

export class LanguageModelTextPart {
  constructor(readonly value: string) {}
}

export class LanguageModelDataPart {
  constructor(
    readonly data: Uint8Array,
    readonly mimeType: string,
  ) {}

  static image(data: Uint8Array, mime: string): LanguageModelDataPart {
    return new LanguageModelDataPart(data, mime);
  }
}

export class LanguageModelToolResult {
  constructor(readonly content: unknown[]) {}
}

export class McpStdioServerDefinition {
  cwd?: Uri;

  constructor(
    readonly label: string,
    readonly command: string,
    readonly args: string[],
    readonly env: Record<string, string>,
    readonly version: string,
  ) {}
}

/** Registered MCP providers, by id. An editor may lack the method. */
export const lm: {
  providers: Map<string, unknown>;
  registerMcpServerDefinitionProvider?(id: string, provider: unknown): { dispose(): void };
} = {
  providers: new Map(),
  registerMcpServerDefinitionProvider: (id, provider) => {
    lm.providers.set(id, provider);
    return { dispose: () => lm.providers.delete(id) };
  },
};

export const l10n = {
  t: (message: string, ...args: (string | number)[]): string =>
    message.replace(/\{(\d+)\}/g, (placeholder, index: string) => String(args[Number(index)] ?? placeholder)),
};

/** The arguments of showErrorMessage calls, and the button to press next. */
export const dialogs = { shown: [] as unknown[][], press: undefined as string | undefined };

/** The messages and prompts shown to the user, and their next choices, by method. */
export const user = {
  prompts: [] as [method: string, ...args: unknown[]][],
  choices: {} as Record<string, ((...args: never[]) => unknown)[]>,
  /** The list that is currently shown. */
  list: { items: [] as unknown[] },
};

function ask(method: string) {
  return async (...args: unknown[]): Promise<unknown> => {
    user.prompts.push([method, ...args]);
    return user.choices[method]?.shift()?.(...(args as never[]));
  };
}

/** The reported progress. */
export const progressed: unknown[] = [];

/** Cancels the task of a progress notification. */
export const cancellation = { fire: (): void => {} };

const windowState = new Emitter<void>();

export const window = {
  state: { focused: true },
  onDidChangeWindowState: windowState.event,
  /** The user switches to another window, or returns. */
  focus: (focused: boolean): void => {
    window.state.focused = focused;
    windowState.fire();
  },
  showErrorMessage: async (...args: unknown[]): Promise<string | undefined> => {
    dialogs.shown.push(args);
    return dialogs.press;
  },
  showInformationMessage: ask("information"),
  showWarningMessage: ask("warning"),
  showQuickPick: ask("pick"),
  createQuickPick: () => {
    const listeners: Record<"accept" | "hide", () => void> = { accept: () => {}, hide: () => {} };
    const pick = {
      items: [] as unknown[],
      activeItems: [] as unknown[],
      selectedItems: [] as unknown[],
      onDidAccept: (listener: () => void) => {
        listeners.accept = listener;
      },
      onDidHide: (listener: () => void) => {
        listeners.hide = listener;
      },
      show: () => {
        user.list = pick;
        void choose();
      },
      dispose: () => {},
    };
    const choose = async () => {
      const choice = await ask("pick")(pick.items);
      pick.selectedItems = pick.activeItems = choice === undefined ? [] : [choice].flat();
      listeners[choice === undefined ? "hide" : "accept"]();
    };
    return pick;
  },
  showInputBox: ask("input"),
  registerWebviewViewProvider: (_id: string, provider: unknown) => {
    shown.views = provider as typeof shown.views;
    return { dispose: () => {} };
  },
  registerWebviewPanelSerializer: () => ({ dispose: () => {} }),
  createWebviewPanel: (type: string, title: string, where: unknown) => {
    const panel = Object.assign(
      makeWebview(() => shown.panels.delete(panel)),
      { type, title, where },
    );
    shown.panels.add(panel);
    return panel;
  },
  createStatusBarItem: () => Object.assign(shown.status, { show: () => {}, dispose: () => {} }),
  showSaveDialog: ask("save"),
  showOpenDialog: ask("open"),
  withProgress: async (
    _options: unknown,
    run: (progress: { report(value: unknown): void }, token: unknown) => Promise<unknown>,
  ): Promise<unknown> => {
    const source = new CancellationTokenSource();
    cancellation.fire = () => source.cancel();
    return run({ report: (value) => progressed.push(value) }, source.token);
  },
};

/** The visible parts: the status bar's item, the tabs, and the view's provider. */
export const shown = {
  status: { text: "", tooltip: "", command: "" },
  panels: new Set<FakeWebview & { title: string; where: unknown }>(),
  views: { resolveWebviewView: (_view: FakeWebview): void => {} },
};

/** A view or a tab. */
export type FakeWebview = ReturnType<typeof makeWebview>;

export function makeWebview(closed = () => {}) {
  const [messages, visibility, disposal] = [new Emitter<unknown>(), new Emitter<void>(), new Emitter<void>()];
  return {
    visible: true,
    active: false,
    badge: undefined as { value: number; tooltip: string } | undefined,
    revealed: 0,
    webview: {
      postMessage: (_message: unknown) => {},
      onDidReceiveMessage: messages.event,
      asWebviewUri: (uri: Uri) => uri,
      cspSource: "",
    },
    say: (message: unknown) => messages.fire(message),
    show(_preserveFocus: boolean): void {
      this.revealed += 1;
    },
    hide(): void {
      this.visible = false;
      visibility.fire();
    },
    reveal: () => {},
    onDidChangeVisibility: visibility.event,
    onDidChangeViewState: visibility.event,
    onDidDispose: disposal.event,
    dispose: () => {
      closed();
      disposal.fire();
    },
  };
}

/** The executed commands. */
export const executed: unknown[][] = [];

/** The registered commands, by name. */
const registered = new Map<string, (...args: never[]) => unknown>();

export const commands = {
  registerCommand: (name: string, run: (...args: never[]) => unknown) => {
    registered.set(name, run);
    return { dispose: () => registered.delete(name) };
  },
  executeCommand: async (name: string, ...args: unknown[]): Promise<unknown> => {
    executed.push([name, ...args]);
    return registered.get(name)?.(...(args as never[]));
  },
};

export const Disposable = {
  from: (...parts: { dispose(): unknown }[]) => ({
    dispose: () => {
      for (const part of parts) {
        part.dispose();
      }
    },
  }),
};

/** Writes Markdown like the editor, as far as the tests check it. */
export class MarkdownString {
  value = "";
  isTrusted: unknown;

  appendText(text: string): this {
    this.value += text.replace(/[\\`*_{}[\]()#+\-!~]/g, "\\$&");
    return this;
  }

  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }
}

export const ViewColumn = { Active: -1, Beside: -2 };

export const StatusBarAlignment = { Right: 2 };

export const ConfigurationTarget = { Global: 1 };

export const UIKind = { Desktop: 1, Web: 2 };

export const ProgressLocation = { Notification: 15 };

export class ThemeIcon {
  constructor(readonly id: string) {}
}

/** What was opened outside the editor. */
export const opened: unknown[] = [];

export const env = {
  language: "en",
  remoteName: undefined as string | undefined,
  uiKind: UIKind.Desktop,
  appHost: "desktop",
  asExternalUri: async (uri: Uri): Promise<Uri> => uri,
  openExternal: async (target: unknown): Promise<boolean> => {
    opened.push(target);
    return true;
  },
};

/** The extensions that are installed. */
export const extensions = { all: [] as { packageJSON: unknown }[] };

/** The files that the editor can read, by URI: their bytes, only their size, or "folder". */
export const files = new Map<string, Uint8Array | number | "folder">();

export const FileType = { File: 1, Directory: 2 };

/** The files written through the editor. */
export const written: [uri: string, text: string][] = [];

type ConfigurationChange = { affectsConfiguration(section: string): boolean };
const followers = new Set<(event: ConfigurationChange) => void>();

/** Reports a changed setting. */
export const configuration = {
  change: (name: string): void => {
    for (const follow of followers) {
      follow({ affectsConfiguration: (section) => name === section || name.startsWith(`${section}.`) });
    }
  },
};

/** The user's settings, by complete name. */
export const set: Record<string, unknown> = {};

const folderChanges = new Emitter<void>();

export const workspace = {
  getConfiguration: (section: string) => ({
    get: (name: string, otherwise: unknown) => set[`${section}.${name}`] ?? otherwise,
    update: async (name: string, value: unknown) => {
      set[`${section}.${name}`] = value;
      configuration.change(`${section}.${name}`);
    },
    inspect: (name: string) => ({ globalValue: set[`${section}.${name}`] }),
  }),
  onDidChangeWorkspaceFolders: folderChanges.event,
  onDidCloseTextDocument: new Emitter<void>().event,
  registerTextDocumentContentProvider: () => ({ dispose: () => {} }),
  openFolders: (...uris: string[]): void => {
    workspace.workspaceFolders = uris.map((uri) => ({ uri: Uri.parse(uri), name: uri }));
    folderChanges.fire();
  },
  workspaceFolders: undefined as { uri: Uri; name: string }[] | undefined,
  onDidChangeConfiguration: (follow: (event: ConfigurationChange) => void) => {
    followers.add(follow);
    return { dispose: () => followers.delete(follow) };
  },
  asRelativePath: (uri: Uri): string => uri.path.replace(/^\/workspace\//, ""),
  fs: {
    stat: async (uri: Uri): Promise<{ type: number; size: number }> => {
      const file = files.get(uri.toString());
      if (file === undefined) {
        throw new Error("no such file");
      }
      const size = typeof file === "number" ? file : file.length;
      return { type: file === "folder" ? FileType.Directory : FileType.File, size };
    },
    readFile: async (uri: Uri): Promise<Uint8Array> => {
      const file = files.get(uri.toString());
      if (!(file instanceof Uint8Array)) {
        throw new Error("not to be read");
      }
      return file;
    },
    writeFile: async (uri: Uri, content: Uint8Array): Promise<void> => {
      written.push([uri.toString(), new TextDecoder().decode(content)]);
    },
  },
};

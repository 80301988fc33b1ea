// The types of code-server.mjs.

/** An editor's storage; new folders make a new editor. */
export interface EditorFolders {
  userData: string;
  extensions: string;
}

export interface ServerOptions {
  folders: EditorFolders;
  /** The folder or workspace file that opens. */
  workspace: string;
  /** More variables for the server and so for the extension host. */
  env?: Record<string, string>;
  /** Whether the window's address may name extensions that run from their source folders. */
  development?: boolean;
  /** The port to listen on; 0 or none: a free one. */
  port?: number;
}

export interface Server {
  /** The address, without a slash at its end. */
  url: string;
  pid: number;
  /** Settled when the server has ended, for whatever reason. */
  exited: Promise<unknown>;
  /** Ends the server and everything it has started. */
  stop(): Promise<void>;
}

export function prepareFolders(parent: string, settings: Record<string, unknown>): EditorFolders;
export function storageFolder(parent: string): string;
export function installExtensions(folders: EditorFolders, files: string[]): Promise<void>;
export function startCodeServer(options: ServerOptions): Promise<Server>;

// The types of code-server.mjs.

/** An editor's storage. New folders make a new editor. */
export interface EditorFolders {
  userData: string;
  extensions: string;
}

export interface ServerOptions {
  folders: EditorFolders;
  /** The folder or workspace file to open. */
  workspace: string;
  /** Additional variables for the server, and thereby for the extension host. */
  env?: Record<string, string>;
  /** Whether the window's address may name extensions that run from their source folders. */
  development?: boolean;
  /** The port to listen on; a free one if it is 0 or absent. */
  port?: number;
}

export interface Server {
  /** The address, without a trailing slash. */
  url: string;
  pid: number;
  /** Settles when the server has exited, for any reason. */
  exited: Promise<unknown>;
  /** Ends the server and all its child processes. */
  stop(): Promise<void>;
}

export function prepareFolders(parent: string, settings: Record<string, unknown>): EditorFolders;
export function storageFolder(parent: string): string;
export function installExtensions(folders: EditorFolders, files: string[]): Promise<void>;
export function startCodeServer(options: ServerOptions): Promise<Server>;

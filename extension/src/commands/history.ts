// The history as the sidecar keeps it, for the commands.

import { type CancellationToken, Emitter } from "vscode-jsonrpc";
import type { HistoryTarget } from "../../webview/boundary";
import { uuidv7 } from "../agents/uuid";
import {
  type HistoryConfigureParams,
  type HistoryDeleteResult,
  type HistoryExportResult,
  type HistoryFormat,
  type HistoryImportProgress,
  type HistoryImportResult,
  type HistoryTextResult,
  historyConfigure,
  historyCountLogs,
  historyDelete,
  historyDidChange,
  historyDidImport,
  historyExport,
  historyFindLogs,
  historyImport,
  historyRestore,
  historyText,
  type LogPlace,
} from "../protocol.gen";
import { ConnectionLostError, messageOf } from "../sidecar/errors";
import type { Log } from "../sidecar/log";
import type { Sidecar } from "../sidecar/sidecar";

/** Asks the sidecar. Requests that a crash cut off are asked again: all of them may safely be asked twice. */
export class History {
  private readonly changes = new Emitter<void>();
  private readonly imports = new Map<string, (progress: HistoryImportProgress) => void>();

  /** Tells that entries came or went otherwise than by a question's closing. */
  readonly onDidChange = this.changes.event;

  /** @param settings what is to be kept, as the user has set it */
  constructor(
    private readonly sidecar: Sidecar,
    private readonly settings: () => HistoryConfigureParams,
    private readonly log: Log,
  ) {
    sidecar.addParticipant(async (connection) => {
      connection.on(historyDidImport, (progress) => this.imports.get(progress.token)?.(progress));
      connection.on(historyDidChange, () => this.changes.fire());
      // Nobody waits for it: the questions come first.
      void this.configure(connection);
    });
  }

  /** Tells the sidecar what is to be kept. */
  async configure(connection = this.sidecar.connection): Promise<void> {
    try {
      await connection?.request(historyConfigure, this.settings());
    } catch (error) {
      // The next process is told when it starts.
      if (!(error instanceof ConnectionLostError)) {
        this.log.error(`The sidecar did not take the history's settings: ${messageOf(error)}`);
      }
    }
    this.changes.fire();
  }

  /** Deletes entries; for a while they can be restored. */
  delete(target: HistoryTarget): Promise<HistoryDeleteResult> {
    return this.sidecar.request(historyDelete, "questionIds" in target ? target : { all: true, ...target });
  }

  /** Undoes a deletion; the count is 0 when it was too late. */
  restore(undo: string): Promise<HistoryDeleteResult> {
    return this.sidecar.request(historyRestore, { undo });
  }

  /**
   * Writes entries to a file; without a path the result holds the text, of 4 MiB at most.
   *
   * @param path absolute
   */
  export(
    target: HistoryTarget,
    format: HistoryFormat,
    path?: string,
    token?: CancellationToken,
  ): Promise<HistoryExportResult & Partial<HistoryTextResult>> {
    return path === undefined
      ? this.sidecar.request(historyText, { ...target, format }, token)
      : this.sidecar.request(historyExport, { ...target, format, path }, token);
  }

  /** Reads other tools' logs. A cancelled token ends it; what was read until then stays. */
  async import(
    paths: string[],
    progress: (progress: HistoryImportProgress) => void,
    cancellation?: CancellationToken,
  ): Promise<HistoryImportResult> {
    const token = uuidv7();
    this.imports.set(token, progress);
    try {
      return await this.sidecar.request(historyImport, { paths, token }, cancellation);
    } finally {
      this.imports.delete(token);
      this.changes.fire();
    }
  }

  /** Where other tools keep logs on this machine. */
  async findLogs(): Promise<LogPlace[]> {
    return (await this.sidecar.request(historyFindLogs, {})).places;
  }

  /** How many questions an import would add. */
  async countNew(paths: string[], token?: CancellationToken): Promise<number> {
    return (await this.sidecar.request(historyCountLogs, { paths }, token)).added;
  }

  /** Tells that entries were deleted or restored behind the view's back. */
  changed(): void {
    this.changes.fire();
  }
}

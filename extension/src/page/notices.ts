// Tells the user of questions that they do not see, as the sidecar says: it decides which window tells, when, and when that ends. A
// notification never takes the keyboard focus.

import * as vscode from "vscode";
import {
  type CloseResult,
  type Notice,
  type NoticeAttendParams,
  type NoticeConfigureParams,
  noticeAttend,
  noticeConfigure,
  noticeDidChange,
  questionAnswer,
} from "../protocol.gen";
import { messageOf } from "../sidecar/errors";
import type { Log } from "../sidecar/log";
import type { Sidecar } from "../sidecar/sidecar";
import { type NoticeChoice, noticeCommands, noticeText } from "./noticeText";

/** How long a notification takes no click, in milliseconds: what has just appeared under the pointer answers nothing. */
const restTime = 500;

/** What notices need of their surroundings. */
export interface NoticesOptions {
  sidecar: Pick<Sidecar, "addParticipant" | "connection" | "onDidChangeState" | "request">;
  /** How the user wants to be told. */
  settings(): NoticeConfigureParams;
  /** Whether the questions are on the screen; else those that are there by themselves, by their ids. */
  visible(): boolean;
  visibleAlone(): string[];
  /** Shows a question, with the keyboard focus on it. */
  show(questionId: string): void;
  log: Log;
}

/** A notification that is on the screen. */
interface Shown {
  notice: Notice;
  since: number;
  end(): void;
}

/** The notifications of this window. */
export class Notices {
  private readonly shown = new Map<string, Shown>();
  private readonly registered: vscode.Disposable;
  private attended = "";

  constructor(private readonly options: NoticesOptions) {
    const { sidecar, show } = options;
    sidecar.addParticipant(async (connection) => {
      connection.on(noticeDidChange, ({ ended = [], told = [] }) => {
        for (const id of ended) {
          this.end(id);
        }
        for (const notice of told) {
          this.tell(notice);
        }
      });
      await connection.notify(noticeConfigure, options.settings());
      // What is shown stays over a restart, and is the new process's to end.
      await connection.notify(noticeAttend, { ...this.state(), telling: [...this.shown.keys()] });
    });
    sidecar.onDidChangeState(({ kind }) => {
      if (kind === "failed" || kind === "stopped") {
        this.endAll(); // nothing can be answered, and nobody says when it is over
      }
    });
    this.registered = vscode.Disposable.from(
      vscode.window.onDidChangeWindowState(() => this.attend()),
      vscode.commands.registerCommand(noticeCommands.answer, (...choice: NoticeChoice) =>
        this.answer(...choice),
      ),
      vscode.commands.registerCommand(noticeCommands.show, (questionId: string) => {
        this.end(questionId);
        show(questionId);
      }),
    );
  }

  /** Tells the sidecar how it stands with the window, where that has changed. */
  attend(): void {
    const state = this.state();
    if (JSON.stringify(state) !== this.attended) {
      this.attended = JSON.stringify(state);
      void this.options.sidecar.connection?.notify(noticeAttend, state);
    }
  }

  /** Tells the sidecar how the user wants to be told. */
  configure(): void {
    void this.options.sidecar.connection?.notify(noticeConfigure, this.options.settings());
  }

  dispose(): void {
    this.endAll();
    this.registered.dispose();
  }

  private state(): NoticeAttendParams {
    const questions = this.options.visibleAlone();
    return {
      tells: true,
      focused: vscode.window.state.focused,
      visible: this.options.visible(),
      ...(questions.length > 0 && { questions }),
    };
  }

  private tell(notice: Notice): void {
    this.end(notice.questionId);
    // It stays until the promise is kept. With its button to cancel, which only takes it away, it is shown at its full height.
    void vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: noticeText(notice, vscode.l10n.t("Show")),
        cancellable: true,
      },
      (_progress, token) =>
        new Promise<void>((end) => {
          this.shown.set(notice.questionId, { notice, since: Date.now(), end });
          token.onCancellationRequested(() => this.end(notice.questionId));
        }),
    );
  }

  private end(questionId: string): void {
    this.shown.get(questionId)?.end();
    this.shown.delete(questionId);
  }

  private endAll(): void {
    for (const id of [...this.shown.keys()]) {
      this.end(id);
    }
  }

  /** Answers as a click on the card does. A question that has its outcome keeps it. */
  private async answer(questionId: string, choice: number): Promise<void> {
    const shown = this.shown.get(questionId);
    if (shown && Date.now() - shown.since < restTime) {
      return;
    }
    this.end(questionId);
    if (shown?.notice.choices?.[choice] === undefined) {
      tellOver();
      return;
    }
    const chosen =
      shown.notice.ask === "questions" ? { picks: [{ options: [choice] }] } : { suggestion: choice };
    try {
      const { accepted }: CloseResult = await this.options.sidecar.request(questionAnswer, {
        questionId,
        provenance: "clicked",
        ...chosen,
      });
      if (!accepted) {
        tellOver();
      }
    } catch (error) {
      this.options.log.warn(`An answer from a notification was not taken: ${messageOf(error)}`);
      const show = vscode.l10n.t("Show");
      const message = vscode.l10n.t("The answer was not sent: {0}", messageOf(error));
      if ((await vscode.window.showWarningMessage(message, show)) === show) {
        this.options.show(questionId);
      }
    }
  }
}

function tellOver(): void {
  void vscode.window.showInformationMessage(
    vscode.l10n.t(
      "That question was over already. Your click has changed nothing; the history has its answer.",
    ),
  );
}

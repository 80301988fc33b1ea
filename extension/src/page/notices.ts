// Notifies the user of unseen questions when the sidecar requests it: a plain message with the first suggestions as
// buttons. The editor cannot withdraw a message, so a late click reports that the question is closed.

import * as vscode from "vscode";
import { offer } from "../commands/messages";
import * as protocol from "../protocol.gen";
import { workspaceFolders } from "../settings";
import { messageOf } from "../sidecar/errors";
import type { Log } from "../sidecar/log";
import type { Sidecar } from "../sidecar/sidecar";

/** The command that shows a question. The command palette does not have it. */
export const showCommand = "followup.notice.show";

/** How long a new notification ignores clicks, in milliseconds, since it may appear under the pointer. */
const restTime = 500;

/** What notices depend on. */
export interface NoticesOptions {
  sidecar: Pick<Sidecar, "addParticipant" | "connection" | "onDidChangeState" | "request">;
  settings(): protocol.NoticeConfigureParams;
  /** Whether the view shows the questions; otherwise the ids of those in tabs. */
  visible(): boolean;
  visibleAlone(): string[];
  show(questionId: string): Promise<void>;
  /** Called with the changes of what the window shows outside its pages. */
  changed(change: protocol.NoticeChange): void;
  log: Log;
}

/** The notifications of this window. */
export class Notices {
  /** The notifications whose questions are open, by question id. */
  private readonly shown = new Map<string, protocol.Notice>();
  private readonly registered: vscode.Disposable;

  constructor(private readonly options: NoticesOptions) {
    const { sidecar } = options;
    sidecar.addParticipant(async (connection) => {
      connection.on(protocol.noticeDidChange, (change) => {
        const { ended = [], notices = [] } = change;
        for (const id of ended) {
          this.shown.delete(id);
        }
        for (const notice of notices) {
          void this.notify(notice);
        }
        options.changed(change);
      });
      void connection.notify(protocol.noticeConfigure, options.settings());
      // Notifications survive a restart, and the new process ends them.
      await connection.notify(protocol.noticeAttend, { ...this.state(), shown: [...this.shown.keys()] });
    });
    sidecar.onDidChangeState(({ kind }) => {
      if (kind === "failed" || kind === "stopped") {
        this.shown.clear(); // nobody will report their end
      }
    });
    this.registered = vscode.Disposable.from(
      vscode.window.onDidChangeWindowState(() => this.attend()),
      vscode.commands.registerCommand(showCommand, (questionId: string) => {
        this.shown.delete(questionId);
        return options.show(questionId);
      }),
    );
  }

  attend(): void {
    void this.options.sidecar.connection?.notify(protocol.noticeAttend, this.state());
  }

  configure(): void {
    void this.options.sidecar.connection?.notify(protocol.noticeConfigure, this.options.settings());
  }

  dispose(): void {
    this.shown.clear();
    this.registered.dispose();
  }

  private state(): protocol.NoticeAttendParams {
    const { visible, visibleAlone } = this.options;
    const { focused } = vscode.window.state;
    const about = { questions: visibleAlone(), workspaceFolders: workspaceFolders() };
    return { canNotify: true, focused, visible: visible(), ...about };
  }

  private async notify(notice: protocol.Notice): Promise<void> {
    const { questionId: id, title, text, choices = [] } = notice;
    this.shown.set(id, notice);
    const since = Date.now();
    const message = `${plain(title)}: ${plain(text)}`;
    const buttons = [...choices, vscode.l10n.t("Show")].map((title, index) => ({ title, index }));
    const button = await vscode.window.showInformationMessage(message, ...buttons);
    const answers = button !== undefined && button.index < choices.length;
    const isOpen = this.shown.get(id) === notice;
    const left = since + restTime - Date.now();
    if (isOpen && answers && left > 0) {
      // The editor limits a notification that reappears at once to three within 800 ms: after a few clicks it would be gone.
      setTimeout(() => this.shown.get(id) === notice && void this.notify(notice), left);
      return;
    }
    if (isOpen) {
      this.shown.delete(id);
    }
    if (answers) {
      await (isOpen ? this.answer(notice, button.index) : showOver());
    } else {
      await (button && this.options.show(id)); // otherwise the user has closed it
    }
  }

  /** Answers like a click on the card. An existing outcome stays. */
  private async answer({ questionId, ask }: protocol.Notice, choice: number): Promise<void> {
    const chosen = ask === "questions" ? { picks: [{ options: [choice] }] } : { suggestion: choice };
    try {
      const params = { questionId, provenance: "clicked", ...chosen } as const;
      const { accepted } = await this.options.sidecar.request(protocol.questionAnswer, params);
      if (!accepted) {
        await showOver();
      }
    } catch (error) {
      this.options.log.warn(`An answer from a notification was rejected: ${messageOf(error)}`);
      const message = vscode.l10n.t("The answer was not sent: {0}", messageOf(error));
      const show = () => this.options.show(questionId);
      await offer("Warning", message, { [vscode.l10n.t("Show")]: show });
    }
  }
}

/** Escapes a text so that the editor finds no links in it: an agent cannot inject a command. */
function plain(text: string): string {
  return text.replaceAll("[", "［").replaceAll("]", "］");
}

function showOver(): Promise<void> {
  return offer(
    "Information",
    vscode.l10n.t(
      "That question was already closed. Your click changed nothing; the history has its answer.",
    ),
  );
}

// What the editor's notification of a question says: the question, and links that answer it. Links, since a notification with buttons
// could not be taken back when the question is over. Pure.

import type { Notice } from "../protocol.gen";

/** The commands behind the links; they are in no palette. */
export const noticeCommands = { answer: "followup.notice.answer", show: "followup.notice.show" } as const;

/** What the command behind a choice is given. */
export type NoticeChoice = [questionId: string, choice: number];

/** The notification's text; `show` is the words of the link that leads to the question. */
export function noticeText({ questionId, title, text, choices = [] }: Notice, show: string): string {
  const links = choices.map((choice, index) =>
    link(`${index + 1}. ${choice}`, noticeCommands.answer, [questionId, index] satisfies NoticeChoice),
  );
  links.push(link(show, noticeCommands.show, [questionId]));
  return `${plain(title)}: ${plain(text)} ${links.join(" · ")}`;
}

function link(label: string, command: string, args: readonly unknown[]): string {
  return `[${plain(label)}](command:${command}?${encodeURIComponent(JSON.stringify(args))})`;
}

/** A text in which the editor finds no links: what an agent writes runs no command, and stretches no link of ours. */
function plain(text: string): string {
  return text.replaceAll("[", "［").replaceAll("]", "］");
}

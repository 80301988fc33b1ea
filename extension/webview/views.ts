// Connects a view, the questions or the history, to the host.

import { FollowupApp } from "./components/app";
import { Controller } from "./controller";
import { FollowupHistory } from "./history/components/app";
import { HistoryController } from "./history/controller";
import { Link } from "./link";
import { Peer } from "./peer";

declare function acquireVsCodeApi(): { postMessage(message: unknown): void };

/** Connects a page in the editor to the extension host; called once. */
export function editorLink(): Link {
  const api = acquireVsCodeApi();
  const link = new Link((message) => {
    api.postMessage(message);
    return true;
  });
  window.addEventListener("message", ({ data }) => link.receive(data));
  return link;
}

/** Starts the view that the page contains. */
export function startView(link: Link): void {
  const view = document.querySelector("followup-app, followup-history");
  if (view instanceof FollowupApp) {
    startQuestions(view, link);
  } else if (view instanceof FollowupHistory) {
    const peer = new Peer(link);
    startHistory(view, peer);
    void peer.start();
  }
}

/** Shows the questions. */
export function startQuestions(view: FollowupApp, link: Link): Controller {
  const controller = new Controller(link);
  view.start(controller);
  // A page that is hidden gets several events; blur is the first.
  for (const type of ["pagehide", "blur"]) {
    window.addEventListener(type, () => controller.drafts.flush());
  }
  document.addEventListener("visibilitychange", () => document.hidden && controller.leave());
  void controller.start();
  return controller;
}

/** Shows the history. */
export function startHistory(view: FollowupHistory, peer: Peer): HistoryController {
  const controller = new HistoryController(peer);
  view.start(controller);
  // Agents may have collected answers meanwhile, which no event reports.
  document.addEventListener("visibilitychange", () => document.hidden || controller.refresh());
  controller.start();
  return controller;
}

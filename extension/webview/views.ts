// Connects the page's view, the questions or the history, to the host.

import { FollowupApp } from "./components/app";
import { Controller } from "./controller";
import { FollowupHistory } from "./history/components/app";
import { HistoryController } from "./history/controller";
import type { Link } from "./link";
import type { Peer } from "./peer";

/** Starts the view that the page holds. */
export function startView(link: Link): Peer | undefined {
  const view = document.querySelector("followup-app, followup-history");
  if (view instanceof FollowupApp) {
    const controller = new Controller(link);
    view.start(controller);
    // The editor tells a page that is hidden in several ways, of which the blur is the first.
    for (const type of ["pagehide", "blur"]) {
      window.addEventListener(type, () => controller.flush());
    }
    document.addEventListener("visibilitychange", () => document.hidden && controller.leave());
    void controller.start();
    return controller;
  }
  if (view instanceof FollowupHistory) {
    const controller = new HistoryController(link);
    view.start(controller);
    // Answers may have been collected meanwhile, which nobody tells of.
    document.addEventListener("visibilitychange", () => document.hidden || controller.refresh());
    void controller.start();
    return controller;
  }
  return undefined;
}

// The interface's entry: connects the page to the extension host.

import "./styles/index.css";
import { attentionOf } from "./attention";
import type { HostMessage } from "./boundary";
import { FollowupApp } from "./components/app";
import { Controller } from "./controller";
import type { VsCodeApi } from "./drafts";

declare function acquireVsCodeApi(): VsCodeApi;

const controller = new Controller(acquireVsCodeApi(), () => attentionOf(document.activeElement));
const app = document.querySelector("followup-app");
if (!(app instanceof FollowupApp)) {
  throw new Error("the page has no <followup-app>");
}
app.start(controller);
window.addEventListener("message", (event: MessageEvent<HostMessage>) => controller.receive(event.data));
// The editor tells a page that is hidden in several ways, of which the blur is the first.
for (const type of ["pagehide", "blur"]) {
  window.addEventListener(type, () => controller.flush());
}
document.addEventListener("visibilitychange", () => controller.flush());
controller.start();

// The history's entry: connects its page to the extension host.

import "./styles/index.css";
import type { HistoryHostMessage } from "./boundary";
import { FollowupHistory } from "./components/app";
import { type HistoryApi, HistoryController } from "./controller";

declare function acquireVsCodeApi(): HistoryApi;

const controller = new HistoryController(acquireVsCodeApi());
const app = document.querySelector("followup-history");
if (!(app instanceof FollowupHistory)) {
  throw new Error("the page has no <followup-history>");
}
app.start(controller);
window.addEventListener("message", (event: MessageEvent<HistoryHostMessage>) => app.receive(event.data));
controller.start();

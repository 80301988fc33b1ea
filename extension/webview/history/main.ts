// The history's entry: connects its page to the extension host.

import "./styles/index.css";
import { editorLink } from "../editorLink";
import { FollowupHistory } from "./components/app";
import { HistoryController } from "./controller";

const controller = new HistoryController(editorLink());
const app = document.querySelector("followup-history");
if (!(app instanceof FollowupHistory)) {
  throw new Error("the page has no <followup-history>");
}
app.start(controller);
document.addEventListener("visibilitychange", () => controller.refresh());
void controller.start();

// The interface's entry: connects the page to the extension host.

import "./styles/index.css";
import { attentionOf } from "./attention";
import { FollowupApp } from "./components/app";
import { Controller } from "./controller";
import { editorLink } from "./editorLink";

const controller = new Controller(editorLink(), () => attentionOf(document.activeElement));
const app = document.querySelector("followup-app");
if (!(app instanceof FollowupApp)) {
  throw new Error("the page has no <followup-app>");
}
app.start(controller);
// The editor tells a page that is hidden in several ways, of which the blur is the first.
for (const type of ["pagehide", "blur"]) {
  window.addEventListener(type, () => controller.flush());
}
document.addEventListener("visibilitychange", () => controller.flush());
void controller.start();

// <followup-empty>: what stands in the view while no agent has asked anything.

import "@vscode-elements/elements/dist/vscode-button/index.js";
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Controller } from "../controller";
import { FollowupElement } from "./element";
import { icon } from "./icon";

@customElement("followup-empty")
export class FollowupEmpty extends FollowupElement {
  @property({ attribute: false }) controller!: Controller;
  /** There is trouble with the sidecar: nothing can be asked. */
  @property({ attribute: false }) trouble = false;

  protected override render() {
    const { t, trouble, controller } = this;
    return html`<section class="empty">
      ${icon("comment-discussion")}
      <h2>${t("empty.title")}</h2>
      <p>${t("empty.text")}</p>
      ${
        controller.can("askSample")
          ? html`<vscode-button
              class="sample"
              ?disabled=${trouble}
              aria-disabled=${String(trouble)}
              @click=${() => trouble || controller.run("askSample")}
              >${t("empty.sample")}</vscode-button
            >`
          : nothing
      }
    </section>`;
  }
}

// <followup-banner>: says that there is trouble with the sidecar, with the ways out of it.

import "@vscode-elements/elements/dist/vscode-button/index.js";
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Trouble } from "../boundary";
import type { Controller } from "../controller";
import { FollowupElement } from "./element";
import { icon } from "./icon";

@customElement("followup-banner")
export class FollowupBanner extends FollowupElement {
  @property({ attribute: false }) trouble: Trouble | null = null;
  /** Why nothing can be saved at the moment. */
  @property({ attribute: false }) storage: string | null = null;
  @property({ attribute: false }) controller!: Controller;

  protected override render() {
    const { t, trouble, storage, controller } = this;
    if (trouble === null) {
      return storage === null
        ? nothing
        : html`<section class="banner" aria-label=${t("storage.title")}>
            <div class="banner-text" role="alert">${icon("warning")}<p>${storage}</p></div>
          </section>`;
    }
    const { restarting } = trouble;
    return html`<section class="banner" aria-label=${t("trouble.title")}>
      <div class="banner-text" role="alert">${icon("warning")}<p>${trouble.message}</p></div>
      <div class="banner-buttons">
        ${
          controller.can("restart")
            ? html`<vscode-button
                class="restart"
                ?disabled=${restarting}
                aria-disabled=${String(restarting)}
                @click=${() => restarting || controller.run("restart")}
                >${restarting ? html`<span slot="content-before">${icon("loading", true)}</span>` : nothing}${t(
                  restarting ? "trouble.restarting" : "trouble.restart",
                )}</vscode-button
              >`
            : nothing
        }
        ${
          controller.can("openLog")
            ? html`<vscode-button secondary class="open-log" @click=${() => controller.run("openLog")}
                >${t("trouble.openLog")}</vscode-button
              >`
            : nothing
        }
      </div>
    </section>`;
  }
}

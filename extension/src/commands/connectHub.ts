// Followup: Connect to a Hub…

import * as vscode from "vscode";
import type { HubState } from "../protocol.gen";
import { messageOf } from "../sidecar/errors";
import type { Hub } from "../sidecar/hub";
import { failed } from "./messages";

/** Asks for a hub's address and the user's token, tries them, and tells what came of it. */
export function connectHub(hub: Pick<Hub, "url" | "connect">): () => Promise<void> {
  return async () => {
    let url: string | undefined = hub.url;
    for (;;) {
      url = await askAddress(url);
      if (url === undefined) {
        return;
      }
      const token = url === "" ? "" : await askToken(url);
      if (token === undefined) {
        return;
      }
      try {
        const state = await connect(hub, url, token);
        if (!(await isToBeTriedAgain(state))) {
          return;
        }
      } catch (error) {
        await failed(vscode.l10n.t("The hub could not be connected to: {0}", messageOf(error)));
        return;
      }
    }
  };
}

/** The address without what does not belong to it; undefined where the user leaves. */
async function askAddress(value: string): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    value,
    prompt: vscode.l10n.t("The address of your team's hub; leave it empty to disconnect"),
    placeHolder: "https://hub.example",
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === "" || isAddress(text)
        ? undefined
        : vscode.l10n.t("That is no address: https://hub.example"),
  });
  return typed?.trim().replace(/\/+$/, "");
}

/** Whether it may be a hub's address; whether it is encrypted well enough is the sidecar's to say. */
function isAddress(text: string): boolean {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed)) {
    return false;
  }
  const { protocol, username, password, search, hash } = new URL(trimmed);
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === "";
}

async function askToken(url: string): Promise<string | undefined> {
  const token = await vscode.window.showInputBox({
    password: true,
    prompt: vscode.l10n.t(
      "Your token for {0}, as “followup hub invite” has printed it. It is kept in the editor's secret storage.",
      url,
    ),
    ignoreFocusOut: true,
  });
  return token?.trim();
}

function connect(hub: Pick<Hub, "connect">, url: string, token: string): Thenable<HubState> {
  const title = vscode.l10n.t("Connecting to {0}…", url);
  return url === ""
    ? hub.connect(url, token)
    : vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, () =>
        hub.connect(url, token),
      );
}

/** Tells what came of it. */
async function isToBeTriedAgain({ state, name, url, account, problem }: HubState): Promise<boolean> {
  switch (state) {
    case "connected":
      void vscode.window.showInformationMessage(
        vscode.l10n.t("Connected to the hub {0} as {1}.", name ?? url ?? "", account ?? ""),
      );
      return false;
    case "off":
      void vscode.window.showInformationMessage(vscode.l10n.t("Disconnected from the hub."));
      return false;
    case "connecting":
      // It goes on being tried, which the view shows.
      void vscode.window.showWarningMessage(
        vscode.l10n.t("The hub could not be connected to: {0}", problem ?? ""),
      );
      return false;
    default: {
      const again = vscode.l10n.t("Try Again");
      return (await vscode.window.showErrorMessage(problem ?? state, again)) === again;
    }
  }
}

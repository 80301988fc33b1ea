// Followup: Connect to a Hub…

import * as vscode from "vscode";
import { messageOf } from "../sidecar/errors";
import type { Hub } from "../sidecar/hub";
import { during, failed, offer } from "./messages";

/** Asks for a hub's address and the user's token, tries them, and says what came of it. */
export function connectHub(hub: Pick<Hub, "url" | "connect">): () => Promise<void> {
  const ask = async (value: string): Promise<void> => {
    const url = await askAddress(value);
    const token = url && (await askToken(url));
    if (url === undefined || token === undefined) {
      return;
    }
    const connecting = vscode.l10n.t("Connecting to {0}…", url);
    const connect = () => hub.connect(url, token);
    try {
      const {
        state,
        name,
        account,
        problem = "",
      } = await (url ? during(connecting, connect, false) : connect());
      switch (state) {
        case "connected":
          return offer("Information", connected(name ?? url, account));
        case "off":
          return offer("Information", vscode.l10n.t("Disconnected from the hub."));
        case "connecting": // it goes on being tried, which the view shows
          return offer("Warning", notConnected(problem));
        default:
          return offer("Error", problem || state, { [vscode.l10n.t("Try Again")]: () => ask(url) });
      }
    } catch (error) {
      await failed(notConnected(messageOf(error)));
    }
  };
  return () => ask(hub.url);
}

function connected(hub: string, account = ""): string {
  return vscode.l10n.t("Connected to the hub {0} as {1}.", hub, account);
}

function notConnected(why: string): string {
  return vscode.l10n.t("The hub could not be connected to: {0}", why);
}

/** The address without what does not belong to it; undefined where the user leaves. */
async function askAddress(value: string): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    value,
    prompt: vscode.l10n.t("The address of your team's hub; leave it empty to disconnect"),
    placeHolder: "https://hub.example",
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === "" || isAddress(text.trim())
        ? undefined
        : vscode.l10n.t("That is no address: https://hub.example"),
  });
  return typed?.trim().replace(/\/+$/, "");
}

/** Whether it may be a hub's address; whether it is encrypted well enough is the sidecar's to say. */
function isAddress(text: string): boolean {
  const { protocol, username, password, search, hash } = new URL(URL.canParse(text) ? text : "none:");
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

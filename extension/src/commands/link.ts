// Offers, once, the link by which terminals outside the editor find the program.

import type { Disposable, Memento } from "vscode";
import type { Sidecar } from "../sidecar/sidecar";
import type { Guides } from "./guides";

/** Where the extension remembers that it has offered the link. */
export const linkOffered = "linkOffered";

/** Offers the link when the program first runs. The guide shows nothing if terminals find the program already. */
export function offerLinkOnce(
  sidecar: Pick<Sidecar, "state" | "onDidChangeState">,
  guides: Pick<Guides, "start">,
  memory: Pick<Memento, "get" | "update">,
): Disposable {
  return sidecar.onDidChangeState(async () => {
    if (sidecar.state.kind === "running" && !memory.get(linkOffered)) {
      await memory.update(linkOffered, true);
      await guides.start("link");
    }
  });
}

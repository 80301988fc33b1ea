// The team's hub: what the sidecar gets, and what is saved.

import { expect, onTestFinished, test } from "vitest";
import type { HubConnectParams, HubState, Request } from "../../src/protocol.gen";
import { followSettings } from "../../src/settings";
import { Hub, secretName } from "../../src/sidecar/hub";
import type { Participant } from "../../src/sidecar/sidecar";
import { passes } from "../wait";
import { FakeLog } from "./fake/log";
import { set } from "./fake/vscode";

const team = "https://hub.example";

/** A hub's surroundings. The sidecar records its requests, and responds in order, by default with a connected state. */
function surroundings(url = "", secrets: Record<string, string> = {}, remote = "") {
  const posted: HubConnectParams[] = [];
  const answers: (HubState | Error)[] = [];
  /** The settings as the user sees them. */
  const setting = {
    get url() {
      return String(set["followup.hub"] ?? "");
    },
    set url(to: string) {
      set["followup.hub"] = to;
    },
    set certificates(file: string) {
      set["followup.hubCertificates"] = file;
    },
  };
  Object.assign(setting, { url, certificates: "" });
  const kept = new Map(Object.entries(secrets));
  let started: () => Promise<void> = async () => {};
  const request = async <P, R>(_type: Request<P, R>, params: P): Promise<R> => {
    posted.push(params as HubConnectParams);
    const { url: to } = params as HubConnectParams;
    const answer = answers.shift() ?? {
      state: to ? "connected" : "off",
      url: to,
      name: "Team",
      account: "Ann",
    };
    if (answer instanceof Error) {
      throw answer;
    }
    return answer as R;
  };
  const log = new FakeLog();
  const sidecar = {
    request,
    addParticipant: (participant: Participant) => {
      started = () => participant({ request } as never);
    },
  };
  const hub: Hub = new Hub(
    sidecar,
    {
      get: async (name) => kept.get(name),
      store: async (name, secret) => {
        kept.set(name, secret);
        await hub.changed(); // as the editor does when a secret changes
      },
      delete: async (name) => void kept.delete(name),
    },
    remote,
    log,
  );
  const following = followSettings({ "followup.hub": () => hub.changed() });
  onTestFinished(() => {
    following.dispose();
    delete set["followup.hub"];
    delete set["followup.hubCertificates"];
  });
  return { hub, posted, answers, setting, kept, log, start: () => started() };
}

test("sends the hub and its token to every process, if there is a hub", async () => {
  const none = surroundings();
  await none.start();
  expect(none.posted).toEqual([]);
  const { start, posted, setting, hub, log } = surroundings(team, { [secretName(team, "")]: "followup_A" });
  await start();
  await expect.poll(() => posted).toEqual([{ url: team, token: "followup_A" }]);
  await hub.changed();
  expect(posted.length).toBe(1);
  setting.certificates = "/ca.pem";
  await hub.changed();
  expect(posted[1]).toEqual({ url: team, token: "followup_A", certificates: "/ca.pem" });
  await start();
  await expect.poll(() => posted.length).toBe(3);
  setting.url = "https://other.example"; // without a token
  await hub.changed();
  expect(posted[3]).toMatchObject({ url: "https://other.example", token: "" });
  setting.url = "";
  await hub.changed();
  expect(posted[4]).toEqual({});
  expect(JSON.stringify(log)).not.toContain("followup_A");
});

test("saves an accepted hub with its token in secret storage, and keeps the old one if refused", async () => {
  const { hub, posted, setting, kept } = surroundings("https://old.example", {
    [secretName("https://old.example", "")]: "followup_O",
  });
  await hub.keep({ url: team, token: "followup_A" });
  await passes(() => expect(posted.at(-1)).toEqual({ url: team, token: "followup_A" }));
  expect([setting.url, ...kept]).toEqual([team, [secretName(team, ""), "followup_A"]]);
  await hub.keep({});
  await passes(() => expect(posted.at(-1)).toEqual({}));
  expect([setting.url, kept.size]).toEqual(["", 0]);
});

test("does not send a saved token to a hub that a container's configuration names", async () => {
  const { start, posted, kept } = surroundings(
    team,
    { [secretName(team, "")]: "followup_A" },
    "dev-container",
  );
  await start();
  await passes(() => expect(posted).toEqual([{ url: team, token: "" }]));
  expect([...kept.keys()]).toEqual([secretName(team, "")]);
});

// The team's hub: what the sidecar is told of it, and the command that names it.

import { beforeEach, expect, test } from "vitest";
import { connectHub } from "../../src/commands/connectHub";
import type { HubConnectParams, HubState, Request } from "../../src/protocol.gen";
import { Hub, secretName } from "../../src/sidecar/hub";
import { passes } from "../wait";
import { FakeLog } from "./fake/log";
import { dialogs, user } from "./fake/vscode";

beforeEach(() => {
  user.asked.length = 0;
  user.choices = {};
  dialogs.shown.length = 0;
  dialogs.press = undefined;
});

const team = "https://hub.example";

/** A hub's surroundings; the sidecar notes what it is told, and answers in order, by default that there is a link. */
function surroundings(url = "", secrets: Record<string, string> = {}, remote = "") {
  const told: HubConnectParams[] = [];
  const answers: (HubState | Error)[] = [];
  const setting = { url, certificates: "" };
  const kept = new Map(Object.entries(secrets));
  let started: () => Promise<void> = async () => {};
  const request = async <P, R>(_type: Request<P, R>, params: P): Promise<R> => {
    told.push(params as HubConnectParams);
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
  const hub = new Hub({
    sidecar: {
      request,
      addParticipant: (participant) => {
        started = () => participant({ request } as never);
      },
    },
    secrets: {
      get: async (name) => kept.get(name),
      store: async (name, secret) => {
        kept.set(name, secret);
        await hub.changed(); // as the editor tells of its secrets
      },
      delete: async (name) => void kept.delete(name),
    },
    setting: () => setting,
    save: async (to) => {
      setting.url = to;
      await hub.changed(); // as the editor tells of the setting
    },
    remote,
    log,
  });
  return { hub, told, answers, setting, kept, log, start: () => started() };
}

test("every process is told the hub and its token, and only where there is one", async () => {
  const none = surroundings();
  await none.start();
  expect(none.told).toEqual([]);
  const { start, told, setting, hub, log } = surroundings(team, { [secretName(team, "")]: "followup_A" });
  await start();
  await expect.poll(() => told).toEqual([{ url: team, token: "followup_A" }]);
  await hub.changed();
  expect(told.length).toBe(1);
  setting.certificates = "/ca.pem";
  await hub.changed();
  expect(told[1]).toEqual({ url: team, token: "followup_A", certificates: "/ca.pem" });
  await start();
  await expect.poll(() => told.length).toBe(3);
  setting.url = "https://other.example"; // whose token is not known
  await hub.changed();
  expect(told[3]).toMatchObject({ url: "https://other.example", token: "" });
  setting.url = "";
  await hub.changed();
  expect(told[4]).toEqual({});
  expect(JSON.stringify(log)).not.toContain("followup_A");
});

test("a hub that was tried is kept, its token in the secret storage, and told once", async () => {
  const { hub, told, setting, kept } = surroundings();
  user.choices.input = [() => `${team}/`, () => " followup_A\n"];
  await connectHub(hub)();
  expect(told).toEqual([{ url: team, token: "followup_A" }]);
  expect([setting.url, ...kept]).toEqual([team, [secretName(team, ""), "followup_A"]]);
  expect(user.asked.at(-1)).toEqual(["information", "Connected to the hub Team as Ann."]);
  const [, token] = user.asked.filter(([method]) => method === "input").map(([, options]) => options);
  expect(token).toMatchObject({ password: true });
});

test("a hub that refuses is not kept, and the one before is there again", async () => {
  const { hub, told, answers, setting, kept } = surroundings(team, { [secretName(team, "")]: "followup_A" });
  answers.push({ state: "refused", problem: "The hub does not accept the token." });
  user.choices.input = [() => "https://other.example", () => "followup_B"];
  await connectHub(hub)();
  expect(dialogs.shown).toEqual([["The hub does not accept the token.", "Try Again"]]);
  await expect.poll(() => told.at(-1)).toEqual({ url: team, token: "followup_A" });
  expect([setting.url, kept.size]).toEqual([team, 1]);
});

test("one that is not there yet is kept and tried again; an empty address takes it away", async () => {
  const { hub, answers, setting, told, kept } = surroundings();
  answers.push({ state: "connecting", problem: "There is no connection." });
  user.choices.input = [() => team, () => "followup_A", () => ""];
  await connectHub(hub)();
  expect(setting.url).toBe(team);
  expect(user.asked.at(-1)).toEqual([
    "warning",
    "The hub could not be connected to: There is no connection.",
  ]);
  await connectHub(hub)();
  expect([setting.url, told.at(-1)]).toEqual(["", {}]);
  expect(kept.size).toBe(0);
  expect(user.asked.at(-1)).toEqual(["information", "Disconnected from the hub."]);
});

test("who leaves changes nothing; a sidecar that cannot be asked is told of", async () => {
  const { hub, answers, setting, told } = surroundings();
  await connectHub(hub)();
  user.choices.input = [() => team];
  await connectHub(hub)();
  expect([told, setting.url]).toEqual([[], ""]);
  answers.push(new Error("gone"));
  user.choices.input = [() => team, () => "followup_A"];
  await connectHub(hub)();
  expect(dialogs.shown[0]?.[0]).toBe("The hub could not be connected to: gone");
  expect(setting.url).toBe("");
});

test("an address is https or http, and holds nothing that is not for a hub", async () => {
  const { hub } = surroundings();
  await connectHub(hub)();
  const [, options] = user.asked[0] as [string, { validateInput(text: string): string | undefined }];
  for (const good of ["", "https://hub.example", " https://hub.example:8443/team/ ", "http://localhost:1"]) {
    expect([good, options.validateInput(good)]).toEqual([good, undefined]);
  }
  for (const bad of ["hub", "ftp://hub", "https://a:b@hub", "https://hub/?a", "https://hub/#followup_A"]) {
    expect([bad, typeof options.validateInput(bad)]).toEqual([bad, "string"]);
  }
});

test("a container whose configuration names the hub is not given the token that was kept elsewhere", async () => {
  const { start, told, kept } = surroundings(team, { [secretName(team, "")]: "followup_A" }, "dev-container");
  await start();
  await passes(() => expect(told).toEqual([{ url: team, token: "" }]));
  expect([...kept.keys()]).toEqual([secretName(team, "")]);
});

// The pure parts: growing text, answers, texts by key, the page.

import { describe, expect, it } from "vitest";
import { page } from "../../src/page/html";
import { composed, isEmpty, retyped } from "../../webview/answer";
import { type Part, partsOf, recommendation, shortHeader } from "../../webview/parts";
import { filledIn, isInstant, isSubmittable, leftOut, toPick } from "../../webview/picks";
import { english, moment, setLanguage, translator } from "../../webview/strings";
import { checks, database, layout, onePixel, sentPixel, styling } from "./questions";

describe("the answer to send", () => {
  const [{ options: suggest = [] } = {}] = partsOf(styling, undefined);
  const images = [onePixel];

  it("is the typed text unchanged", () => {
    const text = " \ta `tick`\n<b>&amp;\n";
    expect(composed({ text, images: [] }, suggest)).toEqual({ provenance: "typed", text });
    expect(composed({ text, images }, suggest)).toEqual({ provenance: "typed", text, images: [sentPixel] });
  });

  it("does not exist for blank text without an image", () => {
    expect(composed({ text: " \n", images: [] }, suggest)).toBeNull();
    expect(composed({ text: "", images }, suggest)).toEqual({
      provenance: "typed",
      text: "",
      images: [sentPixel],
    });
  });

  it("is edited, with the suggestion and its mode", () => {
    const draft = { text: "Use vanilla CSS", images: [], suggestion: 2, mode: "architect" };
    expect(composed(draft, suggest)).toEqual({
      provenance: "edited",
      suggestion: 2,
      text: "Use vanilla CSS",
      mode: "architect",
    });
  });

  it("is a click if the suggestion is unchanged", () => {
    const text = suggest[2]?.label ?? "";
    const draft = { text, images, suggestion: 2, mode: "architect" };
    expect(composed(draft, suggest)).toEqual({
      provenance: "clicked",
      suggestion: 2,
      images: [sentPixel],
    });
  });

  it("is edited if only the mode was removed", () => {
    const text = suggest[2]?.label ?? "";
    expect(composed({ text, images: [], suggestion: 2 }, suggest)).toEqual({
      provenance: "edited",
      suggestion: 2,
      text,
    });
  });

  it("forgets the suggestion once the box was empty", () => {
    const draft = { text: "Use", images, suggestion: 2, mode: "architect" };
    expect(retyped(draft, "")).toEqual({ text: "", images });
    expect(retyped(draft, "U")).toEqual({ ...draft, text: "U" });
  });
});

describe("a pick", () => {
  const [single, several, previews] = partsOf({ questions: [database, checks, layout] }, undefined) as [
    Part,
    Part,
    Part,
  ];

  const form = (options: (number | "other")[], fields: Record<string, string> = {}) => {
    const data = new FormData();
    for (const option of options) {
      data.append("option", `${option}`);
    }
    for (const [name, value] of Object.entries(fields)) {
      data.append(name, value);
    }
    return data;
  };

  it("of a single choice is the last one, and typed text replaces it", () => {
    const pick = filledIn({}, form([2], { other: "" }), false, false);
    expect(toPick(pick, single)).toEqual({ options: [2] });
    const typed = filledIn(pick, form([2], { other: "MariaDB" }), true, false);
    expect(toPick(typed, single)).toEqual({ other: "MariaDB" });
    const back = filledIn(typed, form([1], { other: "MariaDB" }), false, false);
    expect([toPick(back, single), back.other]).toEqual([{ options: [1] }, "MariaDB"]);
    const again = filledIn(back, form(["other"], { other: "MariaDB" }), false, false);
    expect(toPick(again, single)).toEqual({ other: "MariaDB" });
    expect(toPick(filledIn(again, form(["other"], { other: "" }), true, false), single)).toEqual({});
  });

  it("of several choices has all in the options' order, with typed text", () => {
    const pick = filledIn({}, form([0, 3], { other: "Size" }), true, true);
    expect(toPick(pick, several)).toEqual({ options: [0, 3], other: "Size" });
    expect(toPick(filledIn(pick, form([0, 1, 3], { other: "Size" }), false, true), several)).toEqual({
      options: [0, 1, 3],
    });
  });

  it("takes the note from the form, and keeps one without a field", () => {
    const pick = filledIn({ notes: "a" }, form([1], { notes: "b" }), false, false);
    expect(toPick(pick, single)).toEqual({ options: [1], notes: "b" });
    expect(toPick(filledIn(pick, form([0]), false, false), single)).toEqual({ options: [0], notes: "b" });
  });

  it("is empty when skipped, and keeps the text", () => {
    const pick = leftOut({ options: [1], other: "x", otherChosen: true, notes: "n" });
    expect(toPick(pick, single)).toEqual({ notes: "n" });
    expect(pick.other).toBe("x");
    expect(toPick({ other: " ", otherChosen: true, notes: "\n" }, single)).toEqual({});
  });

  it("contains only offered options", () => {
    expect(toPick({ options: [9, 1, -1, 0] }, several)).toEqual({ options: [0, 1] });
    expect(toPick({ options: [2, 1] }, single)).toEqual({ options: [1] });
  });

  it("makes an answer, and so does a note or an image alone", () => {
    const draft = { text: "", images: [] };
    expect(isSubmittable(draft, [single])).toBe(false);
    expect(isSubmittable({ ...draft, picks: [{ other: "x" }] }, [single])).toBe(false);
    expect(isSubmittable({ ...draft, picks: [{}, { options: [1] }] }, [single, several])).toBe(true);
    expect(isSubmittable({ ...draft, picks: [{ notes: "n" }] }, [single])).toBe(true);
    expect(isSubmittable({ ...draft, images: [onePixel] }, [single])).toBe(true);
    expect(isEmpty({ ...draft, picks: [{ options: [], notes: "" }], step: 2, replying: true })).toBe(true);
    expect(isEmpty({ ...draft, picks: [{}, { other: "x" }] })).toBe(false);
  });

  it("is sent by a click only if nothing else belongs to the answer", () => {
    const draft = { text: "", images: [] };
    expect(isInstant(undefined, [single])).toBe(true);
    expect(isInstant(draft, [several])).toBe(false);
    expect(isInstant(draft, [previews])).toBe(false);
    expect(isInstant(draft, [single, single])).toBe(false);
    expect(isInstant({ ...draft, picks: [{ notes: "" }] }, [single])).toBe(false);
    expect(isInstant({ ...draft, picks: [{ other: "x" }] }, [single])).toBe(false);
    expect(isInstant({ ...draft, replying: true }, [single])).toBe(false);
  });
});

describe("labels", () => {
  it.each([
    ["PostgreSQL (Recommended)", "PostgreSQL", true],
    ["Go (recommended) ", "Go", true],
    ["甲（Recommended）", "甲", true],
    ["(Recommended) first", "(Recommended) first", false],
    ["(Recommended)", "(Recommended)", false],
  ])("%s", (label, text, recommended) => {
    expect(recommendation(label)).toEqual({ text, recommended });
  });

  it("are shortened on a chip only beyond twelve characters, never within one", () => {
    expect(shortHeader("Twelve chars")).toBe("Twelve chars");
    expect(shortHeader("Thirteen char")).toBe("Thirteen ch…");
    expect(shortHeader("🙂".repeat(13))).toBe(`${"🙂".repeat(11)}…`);
  });
});

describe("texts", () => {
  it("come from the host, with English as the fallback", () => {
    const t = translator({ "composer.send": "Envoyer" }, "fr");
    expect(t("composer.send")).toBe("Envoyer");
    expect(t("card.label", { agent: "Roo" })).toBe("Question from Roo");
  });

  it("use the language's plural forms", () => {
    const forms = { "outcome.images.one": "{count} obraz", "outcome.images.few": "{count} obrazy" };
    const t = translator({ ...forms, "outcome.images.other": "{count} obrazów" }, "pl");
    expect([1, 3, 5].map((count) => t("outcome.images", { count }))).toEqual([
      "1 obraz",
      "3 obrazy",
      "5 obrazów",
    ]);
    expect(translator({}, "en")("outcome.images", { count: 1 })).toBe("with 1 image");
    expect(translator({}, "pl")("outcome.images", { count: 3 })).toBe("with 3 images");
  });

  it("never read an inserted value as a placeholder, and accept an unknown language", () => {
    expect(translator({}, "not a language")("card.label", { agent: "{agent} $& {name}" })).toBe(
      "Question from {agent} $& {name}",
    );
  });

  it("have both plural forms if they count", () => {
    const keys = Object.keys(english);
    for (const key of keys.filter((each) => each.endsWith(".one"))) {
      expect(keys).toContain(key.replace(/\.one$/, ".other"));
    }
  });

  it("include the day only if it differs", () => {
    const now = new Date(2026, 2, 14, 20).getTime();
    setLanguage({}, "en-GB");
    expect(moment(new Date(2026, 2, 14, 15, 9).getTime(), now)).toBe("15:09");
    expect(moment(new Date(2026, 2, 13, 15, 9).getTime(), now)).toBe("13 Mar, 15:09");
    expect(moment(new Date(2025, 2, 14, 15, 9).getTime(), now)).toBe("14 Mar 2025, 15:09");
    setLanguage({}, "en");
  });
});

describe("the page", () => {
  const options = {
    view: "questions" as const,
    scriptUri: "https://x/webview.js",
    styleUri: 'https://x/webview.css?a="b"&c',
    cspSource: "https://x",
    nonce: "abc",
    locale: '"><script>',
  };

  it("allows its own files, the user's images and one script", () => {
    expect(page(options)).toContain(
      `content="default-src 'none'; img-src blob: data: https://x; style-src https://x; script-src 'nonce-abc'; form-action 'none'; base-uri 'none'"`,
    );
  });

  it("escapes its parameters", () => {
    const html = page(options);
    expect(html).toContain('<html lang="&quot;&gt;&lt;script&gt;">');
    expect(html).toContain('href="https://x/webview.css?a=&quot;b&quot;&amp;c"');
    expect(html.match(/<script/g)).toHaveLength(1);
  });
});

// The pure parts: text that grows, answers, texts by key, the page.

import { describe, expect, it } from "vitest";
import { composed, retyped } from "../../webview/answer";
import { grow, grownSince, growTo, whole } from "../../webview/growing";
import { contentSecurityPolicy, page } from "../../webview/page";
import { english, moment, translator } from "../../webview/strings";
import { onePixel, styling } from "./questions";

describe("growing text", () => {
  it("tells what was put behind an earlier state of it", () => {
    const earlier = grow(null, "Which ");
    const text = grow(grow(earlier, "port"), "?");
    expect(grownSince(text, earlier)).toEqual(["port", "?"]);
    expect(grownSince(text, null)).toEqual(["Which ", "port", "?"]);
    expect(grownSince(text, grow(null, "Which "))).toBeNull();
  });

  it("stays itself when nothing is new", () => {
    const text = grow(null, "Which port?");
    expect(grow(text, "")).toBe(text);
    expect(growTo(text, "Which port?")).toBe(text);
    expect(whole(growTo(text, "What?"))).toBe("What?");
  });
});

describe("an answer", () => {
  const { suggest } = styling;
  const images = [onePixel];

  it("is the user's text exactly as it is", () => {
    const text = " \ta `tick`\n<b>&amp;\n";
    expect(composed({ text, images: [] }, suggest)).toEqual({ provenance: "typed", text });
    expect(composed({ text, images }, suggest)).toEqual({ provenance: "typed", text, images });
  });

  it("is none when it is blank without an image", () => {
    expect(composed({ text: " \n", images: [] }, suggest)).toBeNull();
    expect(composed({ text: "", images }, suggest)).toEqual({ provenance: "typed", text: "", images });
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

  it("is a click when the suggestion was not changed", () => {
    const text = suggest[2]?.answer ?? "";
    const draft = { text, images, suggestion: 2, mode: "architect" };
    expect(composed(draft, suggest)).toEqual({ provenance: "clicked", suggestion: 2, images });
  });

  it("is edited when only the mode was taken off", () => {
    const text = suggest[2]?.answer ?? "";
    expect(composed({ text, images: [], suggestion: 2 }, suggest)).toEqual({
      provenance: "edited",
      suggestion: 2,
      text,
    });
  });

  it("has forgotten the suggestion once the box was empty", () => {
    const draft = { text: "Use", images, suggestion: 2, mode: "architect" };
    expect(retyped(draft, "")).toEqual({ text: "", images });
    expect(retyped(draft, "U")).toEqual({ ...draft, text: "U" });
  });
});

describe("texts", () => {
  it("are the host's, and English where one is missing", () => {
    const t = translator({ "composer.send": "Envoyer" }, "fr");
    expect(t("composer.send")).toBe("Envoyer");
    expect(t("card.label", { agent: "Roo" })).toBe("Question from Roo");
  });

  it("count in the plural forms of the language", () => {
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

  it("never read a filled-in value as a placeholder, nor fail on a strange language", () => {
    expect(translator({}, "not a language")("card.label", { agent: "{agent} $& {name}" })).toBe(
      "Question from {agent} $& {name}",
    );
  });

  it("have both plural forms for whatever counts", () => {
    const keys = Object.keys(english);
    for (const key of keys.filter((each) => each.endsWith(".one"))) {
      expect(keys).toContain(key.replace(/\.one$/, ".other"));
    }
  });

  it("give the day only where it was another one", () => {
    const now = new Date(2026, 2, 14, 20).getTime();
    expect(moment(new Date(2026, 2, 14, 15, 9).getTime(), "en-GB", now)).toBe("15:09");
    expect(moment(new Date(2026, 2, 13, 15, 9).getTime(), "en-GB", now)).toBe("13 Mar, 15:09");
    expect(moment(new Date(2025, 2, 14, 15, 9).getTime(), "en-GB", now)).toBe("14 Mar 2025, 15:09");
  });
});

describe("the page", () => {
  const options = {
    scriptUri: "https://x/webview.js",
    styleUri: 'https://x/webview.css?a="b"&c',
    codiconUri: "https://x/codicon.css",
    cspSource: "https://x",
    nonce: "abc",
    locale: '"><script>',
  };

  it("allows its own files, the user's pictures and one script", () => {
    expect(contentSecurityPolicy("https://x", "abc")).toBe(
      "default-src 'none'; img-src blob: data: https://x; font-src https://x; style-src https://x; script-src 'nonce-abc'; form-action 'none'; base-uri 'none'",
    );
    expect(page(options)).toContain(`content="${contentSecurityPolicy("https://x", "abc")}"`);
  });

  it("escapes what it is given", () => {
    const html = page(options);
    expect(html).toContain('<html lang="&quot;&gt;&lt;script&gt;">');
    expect(html).toContain('href="https://x/webview.css?a=&quot;b&quot;&amp;c"');
    expect(html.match(/<script/g)).toHaveLength(1);
  });
});

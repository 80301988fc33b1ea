// The previews of options: position, updates, scrolling and accessibility; and Markdown.

import { describe, expect, it } from "vitest";
import type { MarkdownKind, MarkdownNode, Question } from "../../src/protocol.gen";
import { openView, useBrowser, type View } from "./harness";
import { code as codeBlock, link, node } from "./nodes";
import { ask, askAll, layout } from "./questions";

useBrowser();

const wideLine = "0123456789".repeat(40);
const several: Question = { ...layout, multiSelect: true };
const code: Question = {
  ...layout,
  options: [
    { label: "Short", description: "", preview: "a  b\n  c" },
    { label: "Long", description: "", preview: `${wideLine}\n`.repeat(60) },
  ],
};

async function open(question: Question, width: number): Promise<View> {
  const view = await openView({ width });
  await view.post(askAll("a", [question]));
  return view;
}

const shown = (view: View) => view.card("a").getByRole("region");
const focus = (view: View, index: number) => view.option("a", index).focus();

describe("in a wide view", () => {
  it("is beside the options, whose descriptions, text and note stay visible", async () => {
    const view = await open(layout, 900);
    await focus(view, 0);
    const region = await shown(view).boundingBox();
    for (const part of [view.card("a").locator(".option[data-index='2']"), view.own("a")]) {
      const box = await part.boundingBox();
      expect(box && region && box.x + box.width <= region.x).toBe(true);
    }
    expect(await view.card("a").locator(".description").allInnerTexts()).toHaveLength(3);
    expect(await view.control("a", "add-note").isVisible()).toBe(true);
  });

  it("appears once the user looks at an option, follows the arrows, keeps its size, and names its option", async () => {
    const view = await open(layout, 900);
    expect(await shown(view).count()).toBe(0);
    await view.card("a").getByText("Choose an option to see its preview.").waitFor();
    await focus(view, 0);
    expect(await shown(view).locator(".preview-caption").textContent()).toBe("Side by side");
    expect(await shown(view).getAttribute("aria-label")).toBe("Preview: Side by side");
    const size = await shown(view).boundingBox();
    await view.page.keyboard.press("ArrowDown");
    expect(await shown(view).getAttribute("aria-label")).toBe("Preview: One column");
    expect(await shown(view).boundingBox()).toEqual(size);
    await view.page.keyboard.press("ArrowDown");
    expect(await shown(view).count()).toBe(0);
    expect(await view.card("a").locator(".preview-none").isVisible()).toBe(true);
    expect(await view.card("a").locator(".preview-none").textContent()).toBe(
      "No preview for “Leave it as it is”",
    );
  });
});

describe("in a narrow view", () => {
  it("is below its option, and no wider than the card", async () => {
    const view = await open(layout, 320);
    const order = () =>
      view
        .card("a")
        .evaluate((card) =>
          [...card.querySelectorAll(".option, .preview-below")].map((each) => each.className.split(" ")[0]),
        );
    expect(await order()).toEqual(["option", "option", "option", "option"]);
    await focus(view, 0);
    expect(await order()).toEqual(["option", "preview-below", "option", "option", "option"]);
    await view.page.keyboard.press("ArrowDown");
    expect(await order()).toEqual(["option", "option", "preview-below", "option", "option"]);
    const card = await view.card("a").boundingBox();
    const region = await shown(view).boundingBox();
    expect(region && card && region.x + region.width <= card.x + card.width).toBe(true);
    expect(await view.page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });

  it("does not move the option under a pressed pointer", async () => {
    const view = await open(several, 320);
    await focus(view, 0);
    await view.page.keyboard.press("Tab");
    const before = await view.option("a", 2).boundingBox();
    await view.option("a", 2).hover();
    await view.page.mouse.down();
    expect(await view.option("a", 2).boundingBox()).toEqual(before);
    await view.page.mouse.up();
    expect(await view.option("a", 2).isChecked()).toBe(true);
    expect(await shown(view).count()).toBe(0);
  });
});

it("is shown for multiple choice, too, and moving with the arrows chooses nothing", async () => {
  const view = await open(several, 900);
  await focus(view, 0);
  await view.page.keyboard.press("ArrowDown");
  expect(await shown(view).getAttribute("aria-label")).toBe("Preview: One column");
  await view.page.keyboard.press("ArrowUp");
  expect(await shown(view).getAttribute("aria-label")).toBe("Preview: Side by side");
  expect(await view.card("a").locator("input:checked").count()).toBe(0);
});

describe("a preview", () => {
  it("keeps spaces and lines in the editor's font, without wrapping", async () => {
    const view = await open(code, 320);
    await focus(view, 0);
    const pre = view.card("a").locator(".preview-below pre");
    expect(await pre.textContent()).toBe("a  b\n  c");
    const style = await pre.evaluate((element) => {
      const { whiteSpace, fontFamily, fontSize } = getComputedStyle(element);
      return { whiteSpace, fontFamily, fontSize };
    });
    expect(style).toEqual({
      whiteSpace: "pre",
      fontFamily: '"Droid Sans Mono", "monospace", monospace',
      fontSize: "14px",
    });
  });

  it.each([320, 900])("scrolls with the keyboard in both directions at %i px", async (width) => {
    const view = await open(code, width);
    await view.option("a", 1).click();
    await shown(view).focus();
    const scrolled = () =>
      shown(view).evaluate(({ scrollLeft, scrollTop }) => [scrollLeft > 0, scrollTop > 0]);
    expect(await scrolled()).toEqual([false, false]);
    await view.page.keyboard.press("ArrowRight");
    await view.page.keyboard.press("PageDown");
    await expect.poll(scrolled).toEqual([true, true]);
    const lines = await shown(view)
      .locator("pre")
      .evaluate(
        (pre) => pre.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(pre).lineHeight),
      );
    expect(Math.round(lines)).toBeLessThanOrEqual(61);
  });

  it("is announced with its option, and is a named region", async () => {
    const view = await open(layout, 900);
    await focus(view, 0);
    const described = view.card("a").getByRole("radio", { name: "Side by side" });
    const ids = (await described.getAttribute("aria-describedby"))?.split(" ") ?? [];
    const texts = await view.page.evaluate(
      (all) => all.map((id) => document.getElementById(id)?.textContent),
      ids,
    );
    expect(texts).toEqual(["The list stays in sight", "Has a preview."]);
    expect(await view.card("a").getByRole("region", { name: "Preview: Side by side" }).count()).toBe(1);
  });

  it("shows the sidecar's Markdown if there is some", async () => {
    const view = await openView({ width: 900 });
    const rendered = {
      questions: [
        {
          options: [
            {
              preview: [node("paragraph", "As ", node("emphasis", "code"), ":"), codeBlock("x := 1\n", "go")],
            },
          ],
        },
      ],
    };
    await view.post(askAll("a", [layout], "pending", { rendered }));
    await focus(view, 0);
    expect(await shown(view).locator("pre.md-code[data-language='go'] code").textContent()).toBe("x := 1\n");
    expect(await shown(view).locator("em").textContent()).toBe("code");
  });
});

describe("a link", () => {
  const rendered = {
    question: [
      node(
        "paragraph",
        "See ",
        { ...link("https://example.com/a?b=c", "the page"), title: "forged" },
        ", ",
        link("mailto:a@b.example", "write"),
        ", ",
        link("javascript:document.title=1", "run"),
        " or ",
        link("/relative", "go"),
        ".",
      ),
    ],
  };

  it("asks the host to open it, by click or Enter, and never navigates", async () => {
    const view = await openView();
    await view.post(ask("a", "pending", { rendered }));
    const links = view.card("a").getByRole("link");
    expect(await links.allTextContents()).toEqual(["the page", "write"]);
    expect(await links.first().getAttribute("title")).toBe("https://example.com/a?b=c");
    const address = view.page.url();
    await links.first().click();
    await links.first().click({ button: "middle" });
    await links.first().click({ modifiers: ["ControlOrMeta"] });
    await links.last().focus();
    await view.page.keyboard.press("Enter");
    expect(await view.sentOf("openLink")).toEqual([
      { type: "openLink", href: "https://example.com/a?b=c" },
      { type: "openLink", href: "https://example.com/a?b=c" },
      { type: "openLink", href: "mailto:a@b.example" },
    ]);
    expect(view.page.url()).toBe(address);
    expect(view.page.context().pages()).toHaveLength(1);
    // A link with a forbidden target shows only its words.
    expect(await view.card("a").locator(".question").textContent()).toBe("See the page, write, run or go.");
  });

  it("in an option's description does not choose the option", async () => {
    const view = await openView();
    const description = [node("paragraph", "See ", link("https://example.com/", "it"))];
    const question = {
      ...layout,
      options: [
        { label: "One", description: "See it" },
        { label: "Two", description: "" },
      ],
    };
    await view.post(
      askAll("a", [question], "pending", { rendered: { questions: [{ options: [{ description }] }] } }),
    );
    await view.card("a").getByRole("link").click();
    expect(await view.sentOf("openLink")).toHaveLength(1);
    expect(await view.sentOf("answerQuestions")).toEqual([]);
  });
});

describe("each kind of node", () => {
  it("is one element, and an unknown kind shows its content", async () => {
    const view = await openView();
    const question: MarkdownNode[] = [
      { kind: "heading", text: "a" },
      {
        kind: "paragraph",
        text: "<b>",
        nodes: [{ kind: "break" }, { text: "&amp;" }, { kind: "deleted", text: "c" }],
      },
      { kind: "rule" },
      { kind: "quote", nodes: [node("list", node("item", "d"))] },
      { kind: "orderedList", nodes: [node("item", "e")] },
      { kind: "orderedList", marked: true, nodes: [node("item", node("marker", "2."), " f")] },
      { kind: "info", text: "g" },
      { kind: "layout", text: "  h\n" },
      {
        kind: "table",
        nodes: [
          node("tableHead", node("row", { ...node("headerCell", "i"), align: "center" })),
          node("tableBody", node("row", { ...node("cell", "j"), align: "right" })),
        ],
      },
      node("image", "k"),
      { ...node("isolate", "l"), direction: "rtl" },
      node("control", "U+202E"),
      node("newer" as MarkdownKind, "m", node("strong", "n")),
    ];
    await view.post(ask("a", "pending", { rendered: { question } }));
    const inner = await view
      .card("a")
      .locator(".question")
      .evaluate((element) => element.innerHTML);
    expect(inner).toBe(
      '<p class="md-heading">a</p><p>&lt;b&gt;<br>&amp;amp;<del>c</del></p><hr><blockquote><ul><li>d</li></ul></blockquote>' +
        '<ol><li>e</li></ol><ol class="md-numbered"><li><span class="md-marker">2.</span> f</li></ol>' +
        '<p class="md-info">g</p><pre class="md-layout">  h\n</pre>' +
        '<div class="md-table"><table><thead><tr><th class="md-center">i</th></tr></thead><tbody><tr><td class="md-right">j</td></tr></tbody></table></div>' +
        '<span class="md-image">k</span><bdi dir="rtl">l</bdi><span class="md-control">U+202E</span><span class="md-newer">m<strong>n</strong></span>',
    );
  });

  it("is kept when the same question comes again", async () => {
    const view = await openView();
    const rendered = () => ({ question: [node("paragraph", node("strong", "Which"), " one?")] });
    await view.post(ask("a", "pending", { rendered: rendered() }));
    const strong = await view.card("a").locator(".question strong").elementHandle();
    await view.post(ask("a", "pending", { rendered: rendered(), elsewhere: "harbour" }));
    await view.card("a").getByText("harbour").waitFor();
    expect(await strong?.evaluate((element) => element.isConnected)).toBe(true);
  });
});

describe("the question's Markdown", () => {
  it("replaces the text once it arrives", async () => {
    const view = await openView();
    const payload = { question: "**Which** one?", suggest: [] };
    await view.post(ask("a", "streaming", { payload }));
    expect(await view.card("a").locator(".question").textContent()).toBe("**Which** one?");
    const markdown = [node("paragraph", node("strong", "Which"), " one?")];
    await view.post(ask("a", "pending", { payload, rendered: { question: markdown } }));
    expect(await view.card("a").locator(".question strong").textContent()).toBe("Which");
    await view.post(ask("a", "pending", { payload, rendered: { question: [] } }));
    expect(await view.card("a").locator(".question").textContent()).toBe("**Which** one?");
  });

  it("scrolls wide code with the keyboard", async () => {
    const view = await openView();
    const question = [codeBlock(wideLine), codeBlock("short")];
    await view.post(ask("a", "pending", { rendered: { question } }));
    const wide = view.card("a").getByRole("group", { name: "Code" });
    expect(await wide.count()).toBe(1);
    await wide.focus();
    await view.page.keyboard.press("ArrowRight");
    await expect.poll(() => wide.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0);
  });
});

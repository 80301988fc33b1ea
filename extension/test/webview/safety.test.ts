// Agents' texts are shown and never run. Whatever their length, the page stays usable and the cost linear.

import { describe, expect, it } from "vitest";
import { openView, useBrowser, type View } from "./harness";
import { hostileMarkdown, node } from "./nodes";
import { ask, askAll } from "./questions";
import type { Posted } from "./script";
import vectors from "./vectors.json";

useBrowser();

const nasty = `<img src=x onerror="document.title='run'"><script>document.title='run'</script>&lt;b&gt; \${1} </followup-card>\u202e\u0000`;

it("shows HTML as text everywhere", async () => {
  const view = await openView();
  const payload = { question: nasty, suggest: [{ answer: nasty, mode: nasty }] };
  const meta = { agent: nasty, payload };
  await view.post(ask("a", "pending", meta), ask("b", "streaming", meta), ask("c", "queued", meta));
  const outcome = { outcome: "answered", provenance: "typed", text: nasty, mode: nasty, at: 1 } as const;
  await view.post(ask("d", "closed", { ...meta, outcome }), {
    type: "trouble",
    message: nasty,
    restarting: false,
  });
  await view.post({ type: "trouble", message: null, restarting: false });
  await view.refuse("a", nasty);
  for (const part of [".question", ".answer", ".agent", ".refused"]) {
    expect(await view.card("a").locator(part).textContent()).toContain(nasty);
  }
  await view.suggestion("a", 0).click({ modifiers: ["Shift"] });
  expect(await view.card("a").locator(".chip-text").textContent()).toBe(nasty);
  expect(await view.card("d").locator(".closed-answer").textContent()).toContain(nasty);
  await view.unfold("d");
  expect(await view.card("d").locator(".offers .words").textContent()).toBe(nasty);
  expect(await view.page.title()).toBe("Followup");
  expect(await view.page.locator("followup-app img, followup-app script").count()).toBe(0);
});

describe("known attacks", () => {
  /** Opens a page that fails the test if it loads, runs or navigates anything. */
  async function watched() {
    const view = await openView();
    const address = view.page.url();
    const requests: string[] = [];
    view.page.on("request", (request) => requests.push(request.url()));
    view.page.on("dialog", (dialog) => {
      requests.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await view.page.evaluate(() => {
      for (const name of ["alert", "prompt", "confirm", "print", "open"] as const) {
        Object.assign(window, { [name]: () => window.policyViolations.push(`${name} was called`) });
      }
    });
    const harmless = async () => {
      expect(requests).toEqual([]);
      expect(view.page.url()).toBe(address);
      expect(view.page.context().pages()).toHaveLength(1);
      expect(await view.page.title()).toBe("Followup");
      const strange = await view.page.locator("followup-card").evaluateAll((cards) =>
        cards.flatMap((card) =>
          [...card.querySelectorAll("*:not(svg.codicon, svg.codicon *, followup-form > form)")].flatMap(
            (element) => {
              const forbidden =
                "script style iframe object embed svg math form meta base link video audio template";
              const handlers = element
                .getAttributeNames()
                .filter((name) => /^(on|style$|srcdoc$|href$|action$)/.test(name));
              const isForbidden = forbidden.split(" ").includes(element.localName);
              return isForbidden || handlers.length > 0 ? [element.outerHTML] : [];
            },
          ),
        ),
      );
      expect(strange).toEqual([]);
    };
    return { view, harmless };
  }

  it("are many", () => {
    expect(vectors.length).toBeGreaterThan(60);
  });

  it("do nothing in any field, as text and as Markdown, at any width", async () => {
    const { view, harmless } = await watched();
    const count = 5; // few enough that all their cards are drawn in full
    for (let at = 0; at < vectors.length; at += count) {
      const some = vectors.slice(at, at + count);
      const order = (index: number) => ({ order: at + index });
      const shown = some.flatMap((vector, index): Posted[] => {
        const option = { label: vector, description: vector, preview: vector };
        const question = {
          question: vector,
          header: vector,
          multiSelect: index % 2 === 0,
          options: [option, option],
        };
        const questions = [question, question];
        const rendered = hostileMarkdown(vector, questions);
        const payload = { question: vector, suggest: [{ answer: vector, mode: vector }] };
        return [
          askAll(`text-${at + index}`, questions, "pending", { agent: vector, ...order(index) }),
          askAll(`nodes-${at + index}`, questions, "pending", { rendered, agent: vector, ...order(index) }),
          ask(`one-${at + index}`, "pending", {
            payload,
            rendered,
            agent: vector,
            ...order(index),
          }),
          askAll(`over-${at + index}`, questions, "closed", {
            rendered,
            outcome: {
              outcome: "answered",
              at: 1,
              picks: [{ options: [0], other: vector, notes: vector }, {}],
            },
          }),
        ];
      });
      await view.post(...shown);
      await view.page.locator(".closed-line .folded-title").evaluateAll((lines: HTMLElement[]) => {
        for (const line of lines) {
          line.click();
        }
      });
      for (const [index, vector] of some.entries()) {
        const label = view
          .card(`text-${at + index}`)
          .locator(".option-label")
          .first();
        expect(await label.textContent()).toBe(vector);
      }
      // Everything that reacts to touch is touched.
      await view.page.evaluate(() => {
        for (const element of document.querySelectorAll("followup-card [data-markdown] *")) {
          for (const type of ["mouseover", "pointerenter", "focus", "auxclick", "toggle", "animationend"]) {
            element.dispatchEvent(new Event(type, { bubbles: true }));
          }
        }
      });
      await harmless();
      const narrow = view.page.viewportSize() ?? { width: 320, height: 700 };
      await view.page.setViewportSize({ ...narrow, width: 900 });
      await view.post(); // draws the new width
      await harmless();
      await view.page.setViewportSize(narrow);
      const gone = shown.flatMap((message) => ("meta" in message ? [message.meta.id] : []));
      await view.post(...gone.map((id): Posted => ({ type: "remove", id })), { type: "clearClosed" });
    }
  });

  it("would be noticed", async () => {
    const { view, harmless } = await watched();
    await view.post(ask("a"));
    await view
      .card("a")
      .evaluate((card) => card.insertAdjacentHTML("beforeend", "<svg onload=alert(1)></svg>"));
    await expect(harmless()).rejects.toThrow();
    await view.page.evaluate(() => window.policyViolations.splice(0));
    view.forgive(/Content Security Policy/);
  });
});

it.each([300, 420])(
  "breaks no word in a table at %i px, which scrolls sideways, by keyboard too",
  async (width) => {
    const view = await openView({ width });
    const row = (...texts: string[]) => node("row", ...texts.map((text) => node("cell", text)));
    const head = ["Service", "Owner", "Risk", "Environment", "Downtime", "Responsible"];
    const table = node("table", row(...head), row(...head.map((word) => `${word} here`)));
    await view.post(ask("a", "pending", { rendered: { question: [table] } }));
    const box = view.card("a").locator(".md-table");
    const broken = await box.locator("th, td").evaluateAll((cells) =>
      cells.flatMap((cell) => {
        const words = document.createRange();
        const text = cell.firstChild as Text;
        return text.data.split(" ").flatMap((word) => {
          words.setStart(text, text.data.indexOf(word));
          words.setEnd(text, text.data.indexOf(word) + word.length);
          return words.getClientRects().length > 1 ? word : [];
        });
      }),
    );
    expect(broken).toEqual([]);
    await view.page.locator('.md-table[tabindex="0"][aria-label="Table"]').waitFor();
    expect(await view.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  },
);

it("shows the mode of a right-to-left answer at the answer's side", async () => {
  const view = await openView({ width: 300 });
  const payload = { question: "?", suggest: [{ answer: "قاعدة SQLite", mode: "code" }] };
  await view.post(ask("a", "pending", { payload }));
  const [answer, mode] = await Promise.all(
    [".answer", ".mode"].map((part) => view.card("a").locator(part).boundingBox()),
  );
  const end = (box: typeof answer) => Math.round((box?.x ?? 0) + (box?.width ?? 0));
  expect(end(mode)).toBe(end(answer));
});

it("keeps white space, line breaks and text direction", async () => {
  const view = await openView();
  const question = "  two\n\n\tthree   words";
  await view.post(
    ask("a", "pending", { payload: { question, suggest: [{ answer: "نعم" }, { answer: "yes" }] } }),
  );
  const selected = await view
    .card("a")
    .locator(".question")
    .evaluate((text) => {
      getSelection()?.selectAllChildren(text);
      return String(getSelection());
    });
  expect(selected).toBe(question);
  const direction = (index: number) =>
    view
      .suggestion("a", index)
      .locator(".answer")
      .evaluate((answer) => getComputedStyle(answer).direction);
  expect([await direction(0), await direction(1)]).toEqual(["rtl", "ltr"]);
});

describe.each([250, 320, 1000])("at %i px", (width) => {
  it("nothing is wider than the view", async () => {
    const view = await openView({ width });
    const word = "W".repeat(5000);
    const payload = { question: word, suggest: [{ answer: word, mode: word.slice(0, 200) }] };
    await view.post(ask("a", "pending", { agent: word, payload }), ask("b", "queued", { payload }));
    await view.suggestion("a", 0).click({ modifiers: ["Shift"] });
    const outcome = { outcome: "answered", provenance: "typed", text: word, mode: word, at: 1 } as const;
    await view.post(ask("c", "closed", { payload, outcome }));
    await view.refuse("a", word);
    await view.post({ type: "trouble", message: word, restarting: false });
    const widest = await view.page.evaluate(() => document.documentElement.scrollWidth);
    expect(widest).toBeLessThanOrEqual(width);
    const right = await view
      .card("a")
      .locator(".choose, .edit, .send, textarea, .chip")
      .evaluateAll((all) => Math.max(...all.map((element) => element.getBoundingClientRect().right)));
    expect(right).toBeLessThanOrEqual(width);
  });
});

/** Counts characters written into the document's text from now on. */
async function countWrites(view: View): Promise<void> {
  view.spoil();
  await view.page.evaluate(() => {
    window.written = { characters: 0, removed: 0 };
    const lengths = new WeakMap<Node, number>();
    const length = (node: Node) => node.textContent?.length ?? 0;
    new MutationObserver((records) => {
      for (const { type, target, oldValue, addedNodes, removedNodes } of records) {
        if (type === "characterData") {
          // Several changes of one node arrive as several records, which all see its last text.
          const before = lengths.get(target) ?? oldValue?.length ?? 0;
          window.written.characters += Math.max(0, length(target) - before);
          lengths.set(target, length(target));
        }
        for (const node of addedNodes) {
          if (!node.parentElement?.closest("[aria-live]")) {
            window.written.characters += length(node);
            lengths.set(node, length(node));
          }
        }
        for (const node of removedNodes) {
          window.written.removed += length(node);
        }
      }
    }).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
      characterDataOldValue: true,
    });
  });
}

describe("a megabyte of text", () => {
  const line = "A line of the question, with an emoji 🙂 in it.\n";
  const text = line.repeat(Math.ceil((1024 * 1024) / line.length));

  it.each([
    ["in lines", text],
    ["in one line", text.replaceAll("\n", " ")],
  ])("%s is written once, in short nodes, in any number of pieces", async (_, whole) => {
    const view = await openView();
    await view.post(ask("a", "streaming", { payload: { question: "", suggest: [] } }));
    await countWrites(view);
    await view.page.evaluate(async (whole) => {
      const pieces = 2000;
      const size = Math.ceil(whole.length / pieces);
      for (let at = 0; at < whole.length; at += size) {
        const data = { type: "append", id: "a", text: whole.slice(at, at + size) };
        window.dispatchEvent(new MessageEvent("message", { data }));
        // A frame is drawn at intervals.
        if ((at / size) % 50 === 0) {
          await new Promise((resolve) => requestAnimationFrame(resolve));
        }
      }
    }, whole);
    await view.post(ask("a", "pending", { payload: { question: whole, suggest: [] } }));
    const question = view.card("a").locator(".question");
    expect((await question.textContent()) === whole).toBe(true);
    const written = await view.page.evaluate(() => window.written);
    expect(written.characters).toBeGreaterThanOrEqual(whole.length);
    expect(written.characters).toBeLessThan(whole.length + 5000);
    expect(written.removed).toBeLessThan(5000);
    const nodes = await question.evaluate((element) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const texts: string[] = [];
      while (walker.nextNode()) {
        texts.push((walker.currentNode as Text).data);
      }
      return {
        longest: Math.max(...texts.map((each) => each.length)),
        split: texts.filter((each) => /^[\udc00-\udfff]|[\ud800-\udbff]$/.test(each)).length,
      };
    });
    expect(nodes.longest).toBeLessThanOrEqual(4097);
    expect(nodes.split).toBe(0);
    expect((await question.boundingBox())?.height).toBeLessThanOrEqual(700 * 0.6 + 1);
    expect(await question.getAttribute("tabindex")).toBe("0");
  });

  it("returns whole as an answer", async () => {
    const view = await openView();
    await view.post(ask("a", "pending", { payload: { question: "Which?", suggest: [{ answer: text }] } }));
    await view.box("a").focus();
    await view.paste(text);
    await view.page.keyboard.press("Enter");
    const { answer } = await view.waitFor("answer");
    expect(answer.text === text).toBe(true);
    const outcome = { outcome: "answered", provenance: "typed", text, at: 1 } as const;
    await view.post(ask("a", "closed", { outcome }));
    await view.unfold("a");
    // The card shows the beginning: laying out the whole text would block the browser.
    const shown = (await view.card("a").locator(".offers .words").textContent()) ?? "";
    expect(shown.length).toBe(20_000);
    expect(text.startsWith(shown)).toBe(true);
    expect(await view.card("a").textContent()).toContain("The agent got everything.");
  });
});

it("a chosen suggestion of a megabyte shows a scrollable beginning", async () => {
  const text = "A word of the suggestion ".repeat(42_000);
  const view = await openView();
  const payload = { question: "Which?", suggest: [{ answer: text }] };
  const outcome = { outcome: "answered", provenance: "clicked", suggestion: 0, at: 1 } as const;
  await view.post(ask("a", "closed", { payload, outcome }));
  await view.unfold("a");
  const shown = view.card("a").locator(".offers .words");
  const beginning = (await shown.textContent()) ?? "";
  expect(beginning.length).toBe(20_000);
  expect(text.startsWith(beginning)).toBe(true);
  expect((await shown.boundingBox())?.height).toBeLessThan(300);
  await expect.poll(() => shown.getAttribute("tabindex"), { timeout: 60_000 }).toBe("0");
  expect(await view.card("a").textContent()).toContain("The agent got everything.");
});

it("has no motion if the user prefers reduced motion", async () => {
  const view = await openView({ reducedMotion: "reduce" });
  await view.post(ask("a", "streaming"));
  const spin = view.card("a").locator(".codicon-loading");
  expect(await spin.evaluate((element) => getComputedStyle(element).animationName)).toBe("none");
});

it("reports a deliberate violation of its content security policy", async () => {
  const view = await openView();
  const blocked = await view.page.evaluate(async () => {
    const reported = new Promise((resolve) => document.addEventListener("securitypolicyviolation", resolve));
    document.body.insertAdjacentHTML("beforeend", '<img src="http://127.0.0.1:1/x.png" alt="">');
    await reported;
    return window.policyViolations.splice(0);
  });
  expect(blocked).toHaveLength(1);
  expect(blocked[0]).toContain("img-src");
  view.forgive(/violates the following Content Security Policy directive/);
});

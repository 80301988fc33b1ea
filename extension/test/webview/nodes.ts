// Markdown from the sidecar for tests, and Markdown that it would never send.

import type { MarkdownKind, MarkdownNode, Question, Rendered } from "../../src/protocol.gen";

/** An element with its content. */
export function node(kind: MarkdownKind, ...inside: (string | MarkdownNode)[]): MarkdownNode {
  return { kind, nodes: inside.map((each) => (typeof each === "string" ? { text: each } : each)) };
}

/** A link. */
export function link(href: string, ...inside: (string | MarkdownNode)[]): MarkdownNode {
  return { ...node("link", ...inside), href };
}

/** A block of code. */
export function code(text: string, language?: string): MarkdownNode {
  return { ...node("codeBlock", node("code", text)), ...(language !== undefined && { language }) };
}

/** A block of code with highlighted tokens. */
export function highlighted(language: string, ...inside: (string | MarkdownNode)[]): MarkdownNode {
  return { ...node("codeBlock", node("code", ...inside)), language };
}

/** Nodes with a text in every field. */
export function hostileNodes(text: string): MarkdownNode[] {
  return [
    { text },
    {
      kind: "paragraph",
      text,
      nodes: [
        { kind: text as MarkdownKind, text },
        { kind: "constructor" as MarkdownKind, text },
        { kind: "link", href: text, title: text, text },
        { kind: "link", href: `https://example.com/${text}`, title: text, text },
        { kind: "image", title: text, text },
        { kind: "isolate", direction: text as "ltr", text },
        { kind: "table", nodes: [{ kind: "row", nodes: [{ kind: "cell", align: text as "right", text }] }] },
      ],
    },
    { kind: "codeBlock", language: text, nodes: [{ kind: "code", text }] },
    { kind: "layout", text },
  ];
}

/** A payload's Markdown of such nodes. */
export function hostileMarkdown(text: string, questions: readonly Question[] = []): Rendered {
  const nodes = hostileNodes(text);
  const options = questions[0]?.options.map(() => ({ description: nodes, preview: nodes })) ?? [];
  return { question: nodes, questions: questions.map(() => ({ question: nodes, options })) };
}

// The README for a package. The editor and the marketplaces show it outside the repository, to users, so it must have no relative links
// and nothing for contributors.

import { StepError } from "../lib/step.mjs";

/** A relative target is neither an address nor a heading on the same page. */
const relative = String.raw`(?![a-z][a-z+.-]*:|#|\/\/)[^)"\s]+`;

/** Markdown's links and images, and HTML's attributes, with a relative target. */
const markdown = new RegExp(String.raw`(!?)\[((?:[^[\]]|\\.)*)\]\((${relative})\)`, "gi");
const attributes = new RegExp(String.raw`\b(src|srcset|href)="(${relative})"`, "gi");
const pictures = /<p>\s*(?:<picture>.*?<\/picture>\s*)+<\/p>|<picture>.*?<\/picture>|<img[^>]*>/gs;

/** What the README has for readers of the repository, such as how to build it. */
const inRepository = /^<!-- only in the repository -->\n.*?^<!-- end -->\n/gms;

/**
 * Returns the README for users outside the repository: the extension's details page, and the file in the archives.
 * @param {string} readme
 * @param {string} [repository] its address on GitHub
 * @param {string} [tag] of the release
 */
export function detailsPage(readme, repository, tag) {
  return withoutRelativeLinks(readme.replace(inRepository, ""), repository, tag);
}

/**
 * Returns a Markdown text without relative links. With the repository's address they are absolute; without one, links become their
 * text, and pictures are left out.
 * @param {string} text
 * @param {string} [repository] its address on GitHub
 * @param {string} [tag] of the release
 */
export function withoutRelativeLinks(text, repository, tag = "HEAD") {
  if (!repository) {
    return text
      .replace(pictures, (html) => (relativeLinks(html).length > 0 ? "" : html))
      .replace(markdown, (_, image, words) => (image ? "" : words))
      .replaceAll(/\n{3,}/g, "\n\n");
  }
  const at = (/** @type {string} */ kind, /** @type {string} */ target) =>
    new URL(target, `${repository}/${kind}/${tag}/`).href;
  return text
    .replace(markdown, (_, image, words, to) => `${image}[${words}](${at(image ? "raw" : "blob", to)})`)
    .replace(attributes, (_, name, to) => `${name}="${at(name === "href" ? "blob" : "raw", to)}"`);
}

/**
 * Returns the relative targets of a Markdown text.
 * @param {string} text
 */
export function relativeLinks(text) {
  const patterns = [String.raw`\]\((${relative})[)\s]`, String.raw`^\[[^\]]*\]: *(${relative})`];
  const found = patterns.flatMap((pattern) => [...text.matchAll(new RegExp(pattern, "gim"))]);
  return [
    ...found.map(([, target = ""]) => target),
    ...[...text.matchAll(attributes)].map(([, , target = ""]) => target),
  ];
}

/**
 * Returns the addresses that follow from the repository's, as package.json has them.
 * @param {{repository?: {url: string}}} manifest
 */
export function addresses({ repository }) {
  if (!repository) return {};
  const url = repository.url.replace(/^git\+|\.git$/g, "");
  if (!/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+$/.test(url)) {
    throw new StepError(`package.json: repository is https://github.com/OWNER/NAME, not ${repository.url}`);
  }
  return { repository: { type: "git", url }, bugs: { url: `${url}/issues` }, homepage: `${url}#readme` };
}

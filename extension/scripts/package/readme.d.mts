// The types of readme.mjs.

export function detailsPage(readme: string, repository?: string, tag?: string): string;
export function withoutRelativeLinks(text: string, repository?: string, tag?: string): string;
export function relativeLinks(text: string): string[];
export function addresses(manifest: { repository?: { url: string } }): {
  repository?: { type: string; url: string };
  bugs?: { url: string };
  homepage?: string;
};

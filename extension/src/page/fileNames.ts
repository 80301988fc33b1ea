// Which files fit what was typed. Pure.

/** How many files are told. */
export const mostFiles = 20;

/**
 * A glob for the files whose names hold the text, in whatever case, in folders whose names hold what stands before its slashes. What
 * means something else in a glob stands for any one character.
 */
export function globFor(text: string): string {
  const parts = text
    .split(/[\\/]/)
    .map((part) => `*${[...part].map(letter).join("")}${part === "" ? "" : "*"}`);
  return `**/${parts.join("/")}`;
}

function letter(character: string): string {
  if (/[*?[\]{}!,]/.test(character)) {
    return "?";
  }
  const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
  return lower === upper || lower.length !== 1 || upper.length !== 1 ? character : `[${lower}${upper}]`;
}

/** The paths with the best first: a name that is the text, that begins with it, that holds it; then the shorter. */
export function bestFiles(paths: readonly string[], text: string): string[] {
  const wanted = text.toLowerCase().replaceAll("\\", "/");
  const last = wanted.slice(wanted.lastIndexOf("/") + 1);
  const rank = (path: string) => {
    const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
    return name === last ? 0 : name.startsWith(last) ? 1 : 2;
  };
  return [...paths].sort((a, b) => rank(a) - rank(b) || a.length - b.length || (a < b ? -1 : 1));
}

// The HTML of a page, for the editor and the tests, with one content security policy.

/** The addresses in the page, as seen from its own origin. */
export interface PageOptions {
  view: "questions" | "history";
  scriptUri: string;
  /** The view's stylesheet: questions.css or history.css. */
  styleUri: string;
  /** The source of the page's own files: `webview.cspSource` in the editor. */
  cspSource: string;
  /** Random for every page. Only scripts with it run. */
  nonce: string;
  locale: string;
}

const elements = { questions: "followup-app", history: "followup-history" };

/** Returns the page's HTML. Its policy permits only its own files and pictures that the user added. */
export function page(options: PageOptions): string {
  const { view, scriptUri, styleUri, cspSource, nonce, locale } = options;
  const sources = `img-src blob: data: ${cspSource}; style-src ${cspSource}; script-src 'nonce-${nonce}'`;
  const policy = `default-src 'none'; ${sources}; form-action 'none'; base-uri 'none'`;
  return `<!DOCTYPE html>
<html lang="${attribute(locale)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Followup</title>
<link rel="stylesheet" href="${attribute(styleUri)}">
</head>
<body>
<${elements[view]}></${elements[view]}>
<script nonce="${attribute(nonce)}" src="${attribute(scriptUri)}"></script>
</body>
</html>
`;
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function attribute(value: string): string {
  return value.replace(/[&<>"]/g, (character) => escapes[character] ?? character);
}

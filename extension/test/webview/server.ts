// Serves the built interface on 127.0.0.1 in the editor's page, with the editor's content security policy.

import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { page } from "../../src/page/html";
import { bundleFolder } from "./bundle";
import { bodyClasses, type ThemeName, themeStyles } from "./themes";

const types: Record<string, string> = {
  "webview.js": "text/javascript",
  "questions.css": "text/css",
  "history.css": "text/css",
};

/** What a page shows. */
export type AppName = "questions" | "history";

/** A running server. */
export interface Server {
  /** The address of an interface's page in a theme. */
  url(theme: ThemeName, app?: AppName): string;
  close(): Promise<void>;
}

export async function serve(): Promise<Server> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    answer(url).then(
      ({ type, body }) => {
        // Files that the pages share are loaded, and compiled, once.
        const lasts = url.pathname === "/" ? "no-store" : "max-age=3600";
        response.writeHead(200, { "content-type": type, "cache-control": lasts }).end(body);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(url: URL): Promise<{ type: string; body: string | Buffer }> {
    const name = url.pathname.slice(1);
    const theme = (url.searchParams.get("theme") ?? "dark") as ThemeName;
    const app: AppName = url.searchParams.get("app") === "history" ? "history" : "questions";
    if (name === "") {
      return { type: "text/html; charset=utf-8", body: html(origin, theme, app) };
    }
    if (name === "theme.css") {
      return { type: "text/css", body: themeStyles(theme) };
    }
    if (name === "favicon.ico") {
      return { type: "image/x-icon", body: "" };
    }
    const type = types[name];
    if (type === undefined) {
      throw new Error(`no such file: ${name}`);
    }
    return { type, body: await readFile(join(bundleFolder, name)) };
  }

  return {
    url: (theme, app = "questions") => `${origin}/?theme=${theme}&app=${app}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The page as in the editor, with the theme that the editor adds. */
function html(origin: string, theme: ThemeName, app: AppName): string {
  return page({
    view: app,
    scriptUri: `${origin}/webview.js`,
    styleUri: `${origin}/${app}.css`,
    cspSource: origin,
    nonce: randomUUID(),
    locale: "en",
  })
    .replace("<head>", `<head><link rel="stylesheet" href="${origin}/theme.css?theme=${theme}">`)
    .replace("<body>", `<body class="${bodyClasses[theme]}">`);
}

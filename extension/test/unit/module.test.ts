// The module's path in a release's commit.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "../../scripts/lib/paths.mjs";
import { modulePath, withModulePath } from "../../scripts/package/module.mjs";

const to = "github.com/o/n";

test("renames the module's path in imports and rules only", () => {
  const go =
    'import "followup/internal/a"\n\nimport (\n\t"os"\n\n\tb "followup/internal/b"\n)\n\nvar c = "followup/internal/c"\nvar d = []string{\n\t"followup/internal/d",\n}\n';
  expect(withModulePath("x.go", go, to, "followup")).toBe(
    go.replace('import "followup', `import "${to}`).replace('b "followup', `b "${to}`),
  );
  expect(withModulePath("go.mod", "module followup\n\nrequire followup.x/y v1\n", to, "followup")).toBe(
    `module ${to}\n\nrequire followup.x/y v1\n`,
  );
  const rule = '- { pkg: followup/internal, desc: "followup/internal" }';
  expect(withModulePath(".golangci.yml", rule, to, "followup")).toBe(
    rule.replace("pkg: followup", `pkg: ${to}`),
  );
  expect(withModulePath("x.go", withModulePath("x.go", go, to, "followup"), "followup", to)).toBe(go);
});

test("finds every import of the module's own packages", () => {
  const files = ["cmd", "internal"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".go"))
      .map((name) => path.join(folder, name)),
  );
  expect(files.length).toBeGreaterThan(500);
  const left = files.filter((name) => {
    const text = withModulePath(name, readFileSync(path.join(root, name), "utf8"), to);
    return new RegExp(`"${modulePath()}/(internal|cmd)/`).test(text);
  });
  expect(left).toEqual([]);
});

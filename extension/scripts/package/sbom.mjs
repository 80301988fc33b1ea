// The bill of materials of the packages: what npm tells of the bundles, and what Go tells of the sidecar, in one file of CycloneDX 1.5
// (https://cyclonedx.org/docs/1.5/json/).

import { execFileSync } from "node:child_process";
import { root } from "../lib/paths.mjs";

/**
 * @param {import("./bundled.mjs").Bundled[]} modules Go's
 * @param {Date} time that of the source
 * @returns {string} JSON
 */
export function billOfMaterials(modules, time) {
  const npm = ["sbom", "--sbom-format=cyclonedx", "--omit=dev", "--package-lock-only"];
  const bill = JSON.parse(execFileSync("npm", npm, { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 }));
  const components = modules.map(({ name, version, licences }) => {
    const purl = `pkg:golang/${name}@${name === "std" ? version : encodeURIComponent(version)}`;
    return {
      type: "library",
      "bom-ref": purl,
      name,
      version,
      purl,
      licenses: licences.map((id) => ({ license: { id } })),
    };
  });
  const own = bill.metadata.component["bom-ref"];
  const of = bill.dependencies.find((/** @type {{ref: string}} */ { ref }) => ref === own);
  of.dependsOn.push(...components.map((component) => component["bom-ref"]));
  bill.components.push(...components);
  bill.dependencies.push(...components.map((component) => ({ ref: component["bom-ref"], dependsOn: [] })));
  // npm calls it by its folder, and its description is a key of the texts.
  bill.metadata.component.name = bill.metadata.component.purl.replace(/^pkg:npm\/|@.*$/g, "");
  delete bill.metadata.component.description;
  // The compressed bytes are those of this Node.
  bill.metadata.tools.push({ vendor: "Node.js", name: "node", version: process.versions.node });
  // Both are new in every run, and the file is to be the same.
  delete bill.serialNumber;
  bill.metadata.timestamp = time.toISOString();
  return `${JSON.stringify(bill, null, 2)}\n`;
}

// The bill of materials of the packages: the contents of the bundles and the sidecar, in one CycloneDX 1.5 file
// (https://cyclonedx.org/docs/1.5/json/).

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../lib/paths.mjs";

const json = (/** @type {string} */ file) => JSON.parse(readFileSync(path.join(root, file), "utf8"));

/**
 * @param {import("./bundled.mjs").Bundled[]} bundled
 * @param {Date} time that of the source
 * @returns {string} JSON
 */
export function billOfMaterials(bundled, time) {
  const { name, version, license } = json("package.json");
  const locked = json("package-lock.json").packages;
  const components = bundled.map((part) => {
    const purl = purlOf(part);
    const licenses = part.licences.map((id) => ({ license: { id } }));
    const integrity = part.type === "npm" ? locked[`node_modules/${part.name}`].integrity : "";
    const hashes = [...integrity.matchAll(/sha512-(\S+)/g)].map(([, base64]) => ({
      alg: "SHA-512",
      content: Buffer.from(base64, "base64").toString("hex"),
    }));
    const { name, version } = part;
    return { type: "library", "bom-ref": purl, name, version, hashes, licenses, purl };
  });
  const own = purlOf({ type: "npm", name, version });
  const content = {
    metadata: {
      timestamp: time.toISOString(),
      // The compressed bytes depend on this version of Node.
      tools: [{ vendor: "Node.js", name: "node", version: process.versions.node }],
      component: {
        type: "application",
        "bom-ref": own,
        name,
        version,
        licenses: [{ license: { id: license } }],
        purl: own,
      },
    },
    components,
    dependencies: [
      { ref: own, dependsOn: components.map((component) => component["bom-ref"]) },
      ...components.map((component) => ({ ref: component["bom-ref"], dependsOn: [] })),
    ],
  };
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    serialNumber: serialOf(content),
    version: 1,
    ...content,
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

/**
 * A UUID of version 8 from a bill's content: the same commit gives the same one.
 * @param {object} content
 */
function serialOf(content) {
  const hash = createHash("sha256").update(JSON.stringify(content)).digest();
  hash[6] = (hash.readUInt8(6) & 0x0f) | 0x80;
  hash[8] = (hash.readUInt8(8) & 0x3f) | 0x80;
  const digits = hash.toString("hex", 0, 16);
  return `urn:uuid:${digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")}`;
}

/**
 * https://github.com/package-url/purl-spec
 * @param {Pick<import("./bundled.mjs").Bundled, "type" | "name" | "version">} part
 */
function purlOf({ type, name, version }) {
  return `pkg:${type}/${name.replace(/^@/, "%40")}@${encodeURIComponent(version)}`;
}

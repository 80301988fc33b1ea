// The types of sbom.mjs.

import type { Bundled } from "./bundled.mjs";

export function billOfMaterials(bundled: Bundled[], time: Date): string;

// The types of bundled.mjs.

export interface Bundled {
  type: "golang" | "npm";
  name: string;
  version: string;
  licences: string[];
  text: string;
}
export function goModules(binary: string): Bundled[];
export const platforms: string[];
export function programModules(): Bundled[];
export function missingNotices(notices: string, bundled: Bundled[]): Bundled[];
export function npmPackages(): Promise<Bundled[]>;
export function licencesOf(text: string): string[];
export function noticesText(bundled: Bundled[]): string;

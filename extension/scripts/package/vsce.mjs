// vsce, from the packages of this folder, which only `make package` installs: a third of what all others take.

export { createVSIX, listFiles, PackageManager } from "@vscode/vsce";

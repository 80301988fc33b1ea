// The platforms with a package.

/**
 * @typedef {object} Target
 * @property {string} name as the Marketplace calls it
 * @property {string} goos
 * @property {string} goarch
 * @property {string} [goarm]
 */

/** Alpine uses Linux's binaries, which need no library. @type {Target[]} */
export const targets = [
  { name: "linux-x64", goos: "linux", goarch: "amd64" },
  { name: "linux-arm64", goos: "linux", goarch: "arm64" },
  { name: "linux-armhf", goos: "linux", goarch: "arm", goarm: "7" },
  { name: "alpine-x64", goos: "linux", goarch: "amd64" },
  { name: "alpine-arm64", goos: "linux", goarch: "arm64" },
  { name: "darwin-x64", goos: "darwin", goarch: "amd64" },
  { name: "darwin-arm64", goos: "darwin", goarch: "arm64" },
  { name: "win32-x64", goos: "windows", goarch: "amd64" },
  { name: "win32-arm64", goos: "windows", goarch: "arm64" },
];

/** The name of the target's binary. @param {Target} target */
export const binaryName = (target) => (target.goos === "windows" ? "followup.exe" : "followup");

/** Targets with the same key share a binary. @param {Target} target */
export const binaryKey = ({ goos, goarch }) => `${goos}-${goarch}`;

/** Whether the target's binary has x86 calls. @param {Target} target */
export const isX86 = ({ goarch }) => goarch === "amd64";

/** The magic bytes of each executable format, with their offset. @type {Record<string, (file: Buffer) => boolean>} */
const formats = {
  // ELF: e_ident of 64 or 32 bits, little-endian; e_machine at 18.
  "linux-amd64": (file) => elf(file, 2, 62),
  "linux-arm64": (file) => elf(file, 2, 183),
  "linux-arm": (file) => elf(file, 1, 40),
  // Mach-O of 64 bits; cputype at 4.
  "darwin-amd64": (file) => file.readUInt32LE(0) === 0xfeedfacf && file.readUInt32LE(4) === 0x01000007,
  "darwin-arm64": (file) => file.readUInt32LE(0) === 0xfeedfacf && file.readUInt32LE(4) === 0x0100000c,
  // PE: the header's offset is at 0x3c; Machine follows its signature.
  "windows-amd64": (file) => pe(file, 0x8664),
  "windows-arm64": (file) => pe(file, 0xaa64),
};

const elf = (/** @type {Buffer} */ file, /** @type {number} */ bits, /** @type {number} */ machine) =>
  file.readUInt32BE(0) === 0x7f454c46 &&
  file[4] === bits &&
  file[5] === 1 &&
  file.readUInt16LE(18) === machine;

const pe = (/** @type {Buffer} */ file, /** @type {number} */ machine) => {
  const header = file.readUInt32LE(0x3c);
  return (
    file.toString("latin1", 0, 2) === "MZ" &&
    file.toString("latin1", header, header + 4) === "PE\0\0" &&
    file.readUInt16LE(header + 4) === machine
  );
};

/**
 * Whether a program is one for the target, as its own system sees it.
 * @param {Target} target
 * @param {Buffer} file
 */
export function isFor(target, file) {
  try {
    return formats[binaryKey(target)]?.(file) ?? false;
  } catch {
    return false; // too short
  }
}

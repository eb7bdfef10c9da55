// A Chromium to drive the workbench with.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { announce, runLogged, SetupError, machineEnvironment } from "./child.mjs";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Chromium, fonts so that screenshots are readable, and what tests use to set a file's access list and attributes. */
const debianPackages = ["chromium", "fonts-liberation", "fonts-dejavu-core", "acl", "attr"];

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} name @returns {string | undefined} */
function onPath(name) {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

/** @returns {string | undefined} the browser's executable: TOOLHOST_CHROMIUM, else the first found on PATH */
export function findChromium() {
  const chosen = process.env.TOOLHOST_CHROMIUM;
  if (chosen !== undefined && chosen !== "") {
    if (isExecutable(chosen)) return chosen;
    throw new SetupError(`TOOLHOST_CHROMIUM names ${chosen}, which is not an executable file.`);
  }
  return names.map(onPath).find((file) => file !== undefined);
}

/**
 * Installs Chromium from Debian's packages when there is none and we may.
 * @throws {SetupError} that says what to install, where we may not
 */
export async function ensureChromium() {
  if (findChromium() !== undefined) return;
  if (process.getuid?.() !== 0 || onPath("apt-get") === undefined) {
    throw new SetupError(
      "The tests need a Chromium or Chrome browser. Install one (Debian, Ubuntu: `sudo apt-get install chromium`), or set TOOLHOST_CHROMIUM to its executable.",
    );
  }
  announce(`installing ${debianPackages.join(", ")} with apt-get, since this machine has no Chromium`);
  const env = { ...machineEnvironment(), DEBIAN_FRONTEND: "noninteractive" };
  await runLogged("apt-update", "apt-get", ["update"], { env });
  await runLogged("apt-install", "apt-get", ["install", "-y", "--no-install-recommends", ...debianPackages], { env });
  if (findChromium() === undefined)
    throw new SetupError(
      "apt-get installed chromium, but no chromium is on PATH. Set TOOLHOST_CHROMIUM to its executable.",
    );
}

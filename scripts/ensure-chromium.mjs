// A Chromium to drive the workbench with, and other programs that tests use.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { announce, runLogged, SetupError, machineEnvironment } from "./child.mjs";

/** Chromium as a program that has no window: a tenth less processor time for the same tests. */
const WINDOWLESS = "chromium-headless-shell";

/** In the order of preference. */
const names = [WINDOWLESS, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** So that screenshots are readable. */
const fonts = ["fonts-liberation", "fonts-dejavu-core"];

/** What some tests use, by the Debian package that has it. Without it these tests are left out, or fail. */
const others = { setfacl: "acl", setfattr: "attr", bwrap: "bubblewrap", sshd: "openssh-server", ssh: "openssh-client" };

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
 * Installs Chromium, and what some tests use, from Debian's packages where they are missing and we may.
 * @throws {SetupError} that says what to install, where there is no Chromium and we may not
 */
export async function ensureChromium() {
  const hasBrowser = findChromium() !== undefined;
  const missing = Object.entries(others).flatMap(([program, name]) => (onPath(program) === undefined ? [name] : []));
  if (process.getuid?.() !== 0 || onPath("apt-get") === undefined) {
    if (!hasBrowser) {
      throw new SetupError(
        "The tests need a Chromium or Chrome browser. Install one (Debian, Ubuntu: `sudo apt-get install chromium`), or set TOOLHOST_CHROMIUM to its executable.",
      );
    }
    if (missing.length > 0)
      announce(`install ${missing.join(", ")}: without it some tests are left out, and others fail`);
    return;
  }
  const isChosen = (process.env.TOOLHOST_CHROMIUM ?? "") !== "";
  const browser = isChosen || onPath(WINDOWLESS) !== undefined ? [] : [WINDOWLESS];
  const packages = [...browser, ...(hasBrowser ? [] : fonts), ...missing];
  if (packages.length === 0) return;
  announce(`installing ${packages.join(", ")} with apt-get, since this machine has none`);
  const env = { ...machineEnvironment(), DEBIAN_FRONTEND: "noninteractive" };
  /** @param {string[]} some @returns {Promise<void>} */
  const install = (some) =>
    runLogged("apt-install", "apt-get", ["install", "-y", "--no-install-recommends", ...some], { env });
  try {
    await runLogged("apt-update", "apt-get", ["update"], { env });
    // Older systems do not have the program without a window.
    await install(packages).catch(() => install([...(hasBrowser ? [] : ["chromium", ...fonts]), ...missing]));
  } catch (error) {
    if (!hasBrowser) throw error;
    if (missing.length > 0) announce(`tests that need ${missing.join(", ")} are left out: it could not be installed`);
  }
  if (findChromium() === undefined)
    throw new SetupError(
      "apt-get installed chromium, but no chromium is on PATH. Set TOOLHOST_CHROMIUM to its executable.",
    );
}

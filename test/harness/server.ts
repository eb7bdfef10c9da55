// One VS Code server for tests, in its own temp folders, which are deleted when it stops or this process dies.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findNode } from "../../scripts/ensure-node.mjs";
import { findVSCode } from "../../scripts/ensure-vscode.mjs";
import { cache, repository } from "../../scripts/paths.mjs";
import { startVSCodeServer } from "../../scripts/vscode-server.mjs";
import { buildRig } from "./rig-build";
import { SCRIPTED_MODEL } from "./rig/protocol";

/** The folder that most tests open a copy of. */
export const sampleFixture = join(repository, "test", "fixtures", "sample");
/** A small repository of which one test fails. */
export const failingFixture = join(repository, "test", "fixtures", "failing");

/** Seconds: a connection on this machine is never lost for a while. */
const RECONNECTION_GRACE = 5;

/** Quiet and the same everywhere; a test's own settings win. */
const quietSettings = {
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "update.mode": "none",
  "git.autofetch": false,
  "git.openRepositoryInParentFolders": "never",
  // Else a notice about "utility models" covers part of the chat.
  "chat.byokUtilityModelDefault": "mainAgent",
  // Tests of questions ask them on a machine that could contain the command, too.
  "toolhost.sandbox.commands": "read",
  // One process knows TypeScript, and none fetches types for what a sample imports.
  "js/ts.tsserver.useSyntaxServer": "never",
  "js/ts.tsserver.automaticTypeAcquisition.enabled": false,
  // Terminal text is then in the page, where a test can read it.
  "terminal.integrated.gpuAcceleration": "off",
  // What moves is drawn again and again, by a processor that the tests need.
  "workbench.reduceMotion": "on",
  "editor.cursorBlinking": "solid",
};

export interface ServerOptions {
  /** Whether folders open trusted without a question (default true). False: they open in Restricted Mode. */
  trust?: boolean;
  /**
   * The smoke-test driver: makes the address's `payload` count, hides toasts (default false, as users have it).
   * Modals and confirmations appear with it too.
   */
  driver?: boolean;
  /** User settings, over the quiet defaults. */
  settings?: Record<string, unknown>;
  /** Machine settings (where `chat.tools.global.autoApprove` must be). */
  machineSettings?: Record<string, unknown>;
  /**
   * Folders of extensions to load as installed (default: the product, from this checkout). The rig always comes along.
   */
  extensions?: string[];
  /** Packages (.vsix) to install as a user does, in addition to `extensions`. */
  packages?: string[];
  /** Fixed port, for what VS Code derives from it (storageUri, browser state); default: a free one. */
  port?: number;
  /** Added to the environment of the extension host. */
  env?: Record<string, string>;
  /** A command, with its arguments, that runs the server's. */
  through?: string[];
  /** Further folders to delete when the server stops, however this process ends. */
  cleanUp?: string[];
  /** Whether the scripted model exists, as a model of the user's own (default true). False: no model at all. */
  model?: boolean;
}

/** A running VS Code server and the temp folders of the tests on it. */
export interface Server {
  readonly port: number;
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** VS Code's server data: `data/User/settings.json`, `data/logs`, … */
  readonly dataDir: string;
  /** HOME of the server and everything it starts: empty at first. */
  readonly home: string;
  /** Where extension hosts put their rig sockets. */
  readonly sockets: string;
  /** A fresh temp folder, with symlinks resolved; a copy of `from` when given. */
  temporaryFolder(name: string, from?: string): string;
  /** What the server process printed so far. */
  logs(): string;
  /** Ends the server with everything it started and deletes its folders. */
  stop(): Promise<void>;
}

/** Starts a VS Code server with the product and the rig. Takes about 1 s. */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "toolhost-test-")));
  const dataDir = join(base, "data");
  const home = join(base, "home");
  const sockets = join(base, "rig");
  for (const folder of [home, sockets]) mkdirSync(folder);
  writeJson(join(dataDir, "data", "User"), "settings.json", { ...quietSettings, ...options.settings });
  if (options.machineSettings) writeJson(join(dataDir, "data", "Machine"), "settings.json", options.machineSettings);
  const model = options.model ?? true;
  if (model) {
    // This makes Copilot Chat see a bring-your-own model.
    writeJson(join(dataDir, "data", "User"), "chatLanguageModels.json", [
      { name: "Test", vendor: SCRIPTED_MODEL.vendor },
    ]);
  }
  const rig = await buildRig(join(base, "rig-extension"), model);
  installPackages(dataDir, options.packages ?? []);
  const server = await startVSCodeServer({
    dataDir,
    extensions: [...(options.extensions ?? [repository]), rig],
    port: options.port ?? 0,
    trust: options.trust ?? true,
    driver: options.driver ?? false,
    through: options.through ?? [],
    // A page that is closed on a busy machine does not always get its goodbye out.
    grace: RECONNECTION_GRACE,
    env: {
      HOME: home,
      TOOLHOST_RIG_SOCKETS: sockets,
      TOOLHOST_RIG_LOGS: join(dataDir, "data", "logs"),
      // VS Code's server and extension hosts load the same megabytes of JavaScript each time.
      NODE_COMPILE_CACHE: join(cache, "compiled"),
      ...withoutUserFolders,
      ...(model ? {} : { TOOLHOST_RIG_NO_MODEL: "1" }),
      ...options.env,
    },
    cleanUp: [base, ...(options.cleanUp ?? [])],
  });
  let folders = 0;
  const running: Server = {
    port: server.port,
    origin: server.origin,
    dataDir,
    home,
    sockets,
    temporaryFolder(name, from) {
      const folder = join(base, "folders", String(++folders), name);
      mkdirSync(folder, { recursive: true });
      if (from !== undefined) cpSync(from, folder, { recursive: true });
      return folder;
    },
    logs: server.output,
    async stop() {
      servers.delete(running);
      await server.stop();
    },
  };
  servers.add(running);
  return running;
}

const servers = new Set<Server>();

/** Stops every server that a test file left running. */
export async function stopServers(): Promise<void> {
  await Promise.all([...servers].map((server) => server.stop()));
}

/** VS Code's own installation, before the first start. */
function installPackages(dataDir: string, packages: readonly string[]): void {
  if (packages.length === 0) return;
  execFileSync(
    findNode(),
    [
      ...[join(findVSCode(), "out", "server-main.js"), "--accept-server-license-terms", "--server-data-dir", dataDir],
      ...packages.flatMap((path) => ["--install-extension", path]),
    ],
    { stdio: "pipe" },
  );
}

/** The user's own folders and git configuration stay out of tests; unset, these follow HOME. */
const withoutUserFolders = {
  XDG_CONFIG_HOME: undefined,
  XDG_CACHE_HOME: undefined,
  XDG_DATA_HOME: undefined,
  XDG_STATE_HOME: undefined,
  GIT_CONFIG_GLOBAL: undefined,
};

function writeJson(folder: string, name: string, value: unknown): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), JSON.stringify(value, undefined, 2));
}

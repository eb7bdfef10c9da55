import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import type { Containment } from "../../../ports/processes.js";
import { oneLine, shorten } from "../../../text/clip.js";
import { messageOf } from "../../../text/words.js";
import { placeOf, topAbove } from "../gitTree.js";
import type { SpecialPlaces } from "../secrets/secretFiles.js";
import type { ShellCall } from "./shell.js";

/** What a sandbox needs to know of its workspace. */
export interface SandboxHost {
  /** Whether the user wants it. */
  isOn: () => boolean;
  /** The absolute paths of the workspace's folders. */
  folders: () => readonly string[];
  /** Those of further folders, which contained commands see and do not change. */
  others: () => readonly string[];
  /** Returns where secrets and protected files of the workspace are. @param anew whether to look now */
  specialPlaces: (anew: boolean) => Promise<SpecialPlaces>;
  /** The absolute path of the folder of Toolhost's state. */
  stateFolder: () => string;
  /** Called once with the reason why this machine has none, as a sentence. */
  onMissing: (why: string) => void;
}

/** Where a contained command runs. */
interface Place {
  /** Its working directory. */
  folder: string;
  /** Absolute path of the folder of our pipes, where its shell reports; undefined if there is none. */
  pipes: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
}

/** Where bubblewrap may be. PATH is not searched, since a workspace's folder in it may have a program of that name. */
const PROGRAMS = ["/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap"];

/** Signals that end a command. Its group gets them, and bubblewrap, which is in the group, must outlive the command. */
const SIGNALS = "HUP,INT,QUIT,PIPE,ALRM,TERM,USR1,USR2";

/** How long the test whether bubblewrap works may take, in ms. */
const PROBE_TIME = 10_000;

/** Maximum characters of the reason why bubblewrap does not work. */
const MAX_REASON = 200;

/** Folders of which programs get empty ones: sockets of services, files of other programs, other people's homes. */
const EMPTY = ["/tmp", "/var/tmp", "/run", "/home", "/root"];

/**
 * The parts of the user's home that contained commands see, if they exist: where version managers and package managers
 * put programs, and Git's settings. They see nothing else of it, since it holds keys and passwords.
 */
const OF_HOME = (
  ".asdf .bun .cargo .conda .config/git .config/mise .deno .dotnet .fnm .gitconfig .goenv .jenv .juliaup .local/bin " +
  ".local/lib .local/pipx .local/share/fnm .local/share/mise .local/share/pipx .local/share/pnpm .local/share/uv " +
  ".local/share/virtualenvs .nodenv .npm-global .nvm .opam .pyenv .rbenv .rustup .rvm .sdkman .tool-versions .volta " +
  "anaconda3 bin go miniconda3"
).split(" ");

/** Folders of a home in which contained commands that change files keep what they make for the next ones. */
const CACHES = [".cache", ".npm"];

/** What of a home's caches others have put there and contained commands need: browsers for tests. */
const OF_CACHE = [".cache/ms-playwright", ".cache/puppeteer", ".cache/Cypress", ".cache/electron"];

/** Files with credentials below these. */
const CREDENTIALS = [".cargo/credentials", ".cargo/credentials.toml", ".config/git/credentials"];

/**
 * Runs commands contained, by bubblewrap (https://github.com/containers/bubblewrap): in namespaces of their own, where
 * they reach neither the network nor other processes, services, and the user's home. They change nothing, or only the workspace's
 * ordinary files.
 */
export class Sandbox {
  readonly #host: SandboxHost;
  #missing: Promise<string | undefined> | undefined;

  constructor(host: SandboxHost) {
    this.#host = host;
  }

  /** Whether commands that change files can be contained: not if a folder has the home or the state in it. */
  async contains(): Promise<boolean> {
    const { folders, stateFolder } = this.#host;
    const isApart = folders().every((folder) => [homedir(), stateFolder()].every((path) => !isIn(path, folder)));
    return isApart && (await this.#works());
  }

  async #works(): Promise<boolean> {
    return this.#host.isOn() && !(await this.#isMissing());
  }

  /**
   * Returns the call that runs another contained.
   *
   * @returns undefined if the user does not want that, or the machine has no sandbox
   */
  async contained(
    call: ShellCall,
    { hidesSecrets, writes = false }: Containment,
    place: Place,
  ): Promise<ShellCall | undefined> {
    if (!(await (writes ? this.contains() : this.#works()))) {
      return undefined;
    }
    const { folders, others, specialPlaces, stateFolder } = this.#host;
    const { secrets, guarded } = await specialPlaces(writes);
    const reach = {
      ...{ folders: folders(), others: others(), state: stateFolder() },
      ...{ hidden: hidesSecrets ? secrets : [], guarded: writes ? guarded : undefined },
    };
    return { ...call, file: "/usr/bin/env", args: words(call, place, reach) };
  }

  async #isMissing(): Promise<boolean> {
    this.#missing ??= whyMissing().then((why) => {
      if (why !== undefined) {
        this.#host.onMissing(why);
      }
      return why;
    });
    return (await this.#missing) !== undefined;
  }
}

/** Returns why commands cannot be contained on this machine, as a sentence; undefined if they can. */
async function whyMissing(): Promise<string | undefined> {
  if (process.platform !== "linux") {
    return "Commands are contained on Linux only.";
  }
  if (!PROGRAMS.some((path) => existsSync(path))) {
    return "Commands are contained once bubblewrap is installed (package bubblewrap).";
  }
  const call: ShellCall = { file: "/bin/sh", isBash: false, args: ["-c", "exit 0"], script: undefined };
  try {
    const place = { folder: "/", pipes: undefined, env: {} };
    await promisify(execFile)("/usr/bin/env", words(call, place, NOTHING), { timeout: PROBE_TIME });
    return undefined;
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim() ?? "";
    return `bubblewrap does not work here: ${shorten(oneLine(said === "" ? messageOf(error) : said), MAX_REASON)}`;
  }
}

/** What a contained command reaches. */
interface Reach {
  folders: readonly string[];
  others: readonly string[];
  state: string | undefined;
  /** Files that it cannot read. */
  hidden: readonly string[];
  /** What it cannot change in the folders; undefined if it changes nothing there. */
  guarded: readonly string[] | undefined;
}

const NOTHING: Reach = { folders: [], others: [], state: undefined, hidden: [], guarded: undefined };

/** Returns the arguments of env(1) that start a call contained. What comes later in them covers what came before. */
function words(call: ShellCall, place: Place, { folders, others, state, hidden, guarded }: Reach): string[] {
  const { folder, pipes, env } = place;
  const home = env["HOME"] ?? homedir();
  const repositories = repositoriesOf([...folders, folder]);
  const seen = [...others, ...repositories.flat(), ...folders, ...ofHome(home, env["PATH"] ?? "")];
  const empty = [...EMPTY, home, env["TMPDIR"] ?? "/tmp"];
  const unreadable = pipes === undefined ? "/dev/null" : unreadableIn(pipes);
  return [
    `--ignore-signal=${SIGNALS}`,
    PROGRAMS.find((path) => existsSync(path)) ?? "bwrap",
    ...["--unshare-user", "--unshare-ipc", "--unshare-net", "--unshare-pid", "--unshare-uts"],
    // What the command leaves running ends with it: bubblewrap ends when the command does, and ends the rest.
    "--die-with-parent",
    ...["--cap-drop", "ALL", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...[...new Set(empty)].filter(isEmptied).flatMap((path) => ["--tmpfs", path]),
    ...seen.filter((path) => existsSync(path)).flatMap((path) => ["--ro-bind", path, path]),
    ...(guarded === undefined || state === undefined
      ? []
      : [
          ...[...folders, ...pinned(folders, guarded)].flatMap((path) => ["--bind", path, path]),
          ...[...repositories.flatMap(([, ...git]) => git), ...guarded]
            .filter((path) => existsSync(path))
            .flatMap((path) => ["--ro-bind", path, path]),
          ...CACHES.flatMap((name) => ["--bind", cacheIn(state, name), join(home, name)]),
          ...OF_CACHE.map((name) => join(home, name))
            .filter((path) => existsSync(path))
            .flatMap((path) => ["--ro-bind", path, path]),
        ]),
    ...(state !== undefined && existsSync(state) ? ["--tmpfs", state] : []),
    ...[...CREDENTIALS.map((name) => join(home, name)), ...hidden]
      .filter((path) => existsSync(path))
      .flatMap((path) => ["--ro-bind", unreadable, path]),
    // The command's shell reports there how the parts of a pipe ended.
    ...(pipes === undefined ? [] : ["--bind", pipes, pipes]),
    ...["--chdir", folder, "--", "/usr/bin/env", `--default-signal=${SIGNALS}`, call.file, ...call.args],
  ];
}

/**
 * Returns the folders in which what is guarded is, outermost first. As mounts of their own they cannot be renamed, which
 * would make room for another folder with something else in it.
 */
function pinned(folders: readonly string[], guarded: readonly string[]): string[] {
  const found = new Set<string>();
  for (const path of guarded) {
    const root = folders.find((folder) => path.startsWith(`${folder}/`));
    for (let at = dirname(path); root !== undefined && at.length > root.length; at = dirname(at)) {
      found.add(at);
    }
  }
  return [...found].sort((one, other) => one.length - other.length);
}

/** Returns a folder for what contained commands keep for the next ones, apart from what others keep. */
function cacheIn(state: string, name: string): string {
  const path = join(state, "sandbox", name);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}

/** Whether a path is a folder or in it. */
function isIn(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || !(way === ".." || way.startsWith("../"));
}

/** Whether a folder may be hidden: it exists, and is not the root. */
function isEmptied(path: string): boolean {
  return resolve(path) !== "/" && path.startsWith("/") && existsSync(path);
}

/** Returns the working trees around folders, each followed by its `.git` and where its repository is. */
function repositoriesOf(folders: readonly string[]): string[][] {
  return [...new Set(folders)].flatMap((folder) => {
    const top = topAbove(folder);
    const git = top === undefined ? undefined : placeOf(join(top, ".git"));
    return top === undefined ? [] : [[top, join(top, ".git"), ...(git === undefined ? [] : [git.own, git.common])]];
  });
}

/** Returns what is seen of a home: places of programs, and what PATH leads to. */
function ofHome(home: string, path: string): string[] {
  const programs = path
    .split(":")
    .filter((folder) => folder.startsWith("/") && !relative(home, folder).startsWith("..") && folder !== home);
  return [...OF_HOME.map((name) => join(home, name)), ...programs];
}

/** Returns a file that nobody may read. */
function unreadableIn(folder: string): string {
  const path = join(folder, "unreadable");
  if (!readdirSync(folder).includes("unreadable")) {
    writeFileSync(path, "", { mode: 0 });
  }
  return path;
}

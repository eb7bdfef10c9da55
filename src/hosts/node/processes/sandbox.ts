import { execFile } from "node:child_process";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import type { MountedView } from "../../../ports/effects.js";
import type { Containment, ReachableHosts } from "../../../ports/processes.js";
import { oneLine, shorten } from "../../../text/clip.js";
import { messageOf } from "../../../text/words.js";
import { placeOf, topAbove } from "../gitTree.js";
import {
  CREDENTIALS,
  EMPTY,
  FILTER,
  isEmptied,
  OF_KERNEL,
  OF_THE_MOMENT,
  ofHome,
  PROGRAMS,
  SIGNALS,
  SYSTEM_SECRETS,
} from "./bubblewrap.js";
import type { Outside } from "./hosts/dial.js";
import type { Gateway } from "./hosts/gateway.js";
import { dividedEnvironment } from "./innerEnvironment.js";
import { namedSockets } from "./namedSockets.js";
import { isPlainGitConfig } from "./plainGitConfig.js";
import { filterFd, type ShellCall } from "./shell.js";

/** What a sandbox needs to know of its workspace. */
export interface SandboxHost {
  /** Whether the user wants it. */
  isOn: () => boolean;
  /** The absolute paths of the workspace's folders. */
  folders: () => readonly string[];
  /** Returns the absolute paths of the workspace's files that may hold secrets. */
  secretFiles: () => Promise<readonly string[]>;
  /** The absolute path of the folder of Toolhost's state. */
  stateFolder: () => string;
  /** The folder with `hosts-bridge.js`, the bundle's; if absent, no command has a way to any host. */
  bundles?: string;
  /** The network outside; if absent, that of this machine. */
  outside?: Outside;
  /** Other folders that contained commands see, and never change. */
  shown?: () => readonly string[];
  /** Called once with the reason why this machine has none, as a sentence. */
  onMissing: (why: string) => void;
}

/** Where a contained command runs. */
interface Place {
  /** Its working directory. */
  folder: string;
  /** A file that nobody may read, in a folder that it does not see. */
  unreadable: string;
  /** The script that its shell reads first, and the file that it writes to; undefined if it does not report. */
  report: { script: string; file: string } | undefined;
  env: Environment;
  /** The same without what the call of the command chose. */
  own: Environment;
  /** Its way to hosts. */
  gateway?: Gateway | undefined;
}

type WritingContainment = NonNullable<Containment["writes"]>;

type Environment = Readonly<Record<string, string>>;

/** For a command that reaches none. */
const NO_HOSTS: ReachableHosts = { allows: () => false };

/** How long the test whether bubblewrap works may take, in ms. */
const PROBE_TIME = 10_000;

/** Maximum characters of the reason why bubblewrap does not work. */
const MAX_REASON = 200;

/** Files in a repository that may hold tokens of remotes; they are seen where they hold nothing of the kind. */
const GIT_CONFIG = ["config", "config.worktree"];

/** Settings of repositories in the workspace, and of their submodules. */
const OF_GIT = /\/\.git\/(?:config(?:\.worktree)?|modules\/.+\/config)$/;

/**
 * Maximum number of files that are hidden, those at the top first, and of sockets: bubblewrap takes 9,000 arguments,
 * three for each.
 */
const MAX_HIDDEN = 1_000;

/**
 * Runs commands contained, by bubblewrap (https://github.com/containers/bubblewrap): in namespaces of their own, where
 * they can change nothing and reach neither the network nor other processes, services, and the user's home. On macOS by
 * its Seatbelt (`seatbelt/`), where that proves to work.
 */
export class Sandbox {
  readonly #host: SandboxHost;
  #missing: Promise<string | undefined> | undefined;

  constructor(host: SandboxHost) {
    this.#host = host;
  }

  /**
   * Returns the call that runs another contained.
   *
   * @param view the view of the workspace in which it may change files; if absent, it can change none
   * @returns undefined if the user does not want that, the machine has no sandbox, or the command would see other files
   *   there than it does without
   */
  async contained(
    call: ShellCall,
    { hidesSecrets }: Containment,
    place: Place,
    view?: MountedView,
  ): Promise<ShellCall | undefined> {
    // Of a view, which only Linux has, a command is never without.
    if (!(await this.isThere()) || (view !== undefined && process.platform !== "linux")) {
      return undefined;
    }
    const folders = this.#host.folders();
    const trees = treesAbove([...folders, place.folder]);
    // A tree that begins above the workspace has files that nobody looked at for secrets.
    const isInside = trees.every(({ top }) => folders.some((folder) => isIn(top, folder)));
    if (!hidesSecrets && !isInside) {
      return undefined;
    }
    const repositories = trees.flatMap(({ git }) => git).filter((path) => this.#isRepository(path, place));
    const secrets = hidesSecrets ? [...(await this.#secrets(repositories)), ...SYSTEM_SECRETS] : SYSTEM_SECRETS;
    const hidden = new Set(secrets.flatMap((path) => namesOf(path, folders)));
    const seen = [...(view === undefined ? folders : []), ...repositories, ...(this.#host.shown?.() ?? [])];
    const divided = dividedEnvironment(place.env, place.own);
    if (process.platform === "darwin") {
      const { underSeatbelt } = await import("./seatbelt/seatbelt.js");
      const homes = homesOf(place);
      const programs = homes.flatMap((home) => ofHome(home, place.own["PATH"] ?? ""));
      const credentials = homes.flatMap((home) => CREDENTIALS.map((name) => join(home, name)));
      return underSeatbelt(call, {
        ...{ environment: divided, homes, report: place.report, state: this.#host.stateFolder() },
        seen: [...seen, ...programs],
        hidden: [...credentials, ...[...hidden].slice(0, MAX_HIDDEN)],
      });
    }
    return {
      ...call,
      isInNamespace: true,
      env: divided.outer,
      ...(FILTER !== undefined && { filter: FILTER }),
      file: "/usr/bin/env",
      args: words(call, place, {
        variables: divided.words,
        seen,
        hidden: [...hidden].slice(0, MAX_HIDDEN),
        sockets: [...new Set(namedSockets({ ...process.env, ...place.env }).flatMap((path) => namesOf(path, folders)))],
        state: this.#host.stateFolder(),
        ...(view !== undefined && { view, kept: trees.map(({ top }) => join(top, ".git")) }),
      }),
    };
  }

  /** Opens a command's way to the hosts that it may reach; undefined if it has none. */
  async gateway({ isRehearsal = false, hosts }: WritingContainment): Promise<Gateway | undefined> {
    const { bundles, outside, stateFolder } = this.#host;
    // One that is tried reaches nothing, but the question tells what it asked for.
    const reached = isRehearsal ? NO_HOSTS : hosts;
    if (bundles === undefined || reached === undefined) {
      return undefined;
    }
    const { openGateway } = await import("./hosts/gateway.js");
    return openGateway(reached, stateFolder(), join(bundles, "hosts-bridge.js"), outside);
  }

  /** Whether the user wants commands contained, and the machine can. */
  async isThere(): Promise<boolean> {
    return this.#host.isOn() && !(await this.#isMissing());
  }

  /** Returns the files that may hold secrets; of Git's settings, those that do not prove to hold none. */
  async #secrets(repositories: readonly string[]): Promise<string[]> {
    const files = await this.#host.secretFiles();
    const settings = [
      ...files.filter((path) => OF_GIT.test(path)),
      ...repositories.flatMap((path) => GIT_CONFIG.map((name) => join(path, name))),
    ];
    const isPlain = await Promise.all(settings.map(isPlainGitConfig));
    return [
      ...files.filter((path) => !OF_GIT.test(path)),
      ...settings.filter((_path, index) => isPlain[index] !== true),
    ];
  }

  /** Whether a path is a repository of Git, and shows nothing else: a file of the workspace may name any folder. */
  #isRepository(path: string, place: Place): boolean {
    const kept = [...homesOf(place), homedir(), this.#host.stateFolder(), ...this.#host.folders()];
    const has = (name: string): boolean => existsSync(join(path, name));
    return has("HEAD") && (has("config") || has("commondir")) && kept.every((each) => !isIn(each, path));
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
  if (process.platform === "darwin") {
    const { whyNoSeatbelt } = await import("./seatbelt/seatbelt.js");
    return whyNoSeatbelt();
  }
  if (process.platform !== "linux") {
    return "Commands are contained on Linux and macOS only.";
  }
  if (!PROGRAMS.some((path) => existsSync(path))) {
    return "Commands are contained once bubblewrap is installed (package bubblewrap).";
  }
  const call: ShellCall = { file: "/bin/sh", isBash: false, args: ["-c", "exit 0"], script: undefined };
  try {
    const place = { folder: "/", unreadable: "/dev/null", report: undefined, env: {}, own: {} };
    const reach = { variables: [], seen: [], hidden: [], sockets: [], state: "/" };
    const run = promisify(execFile)("/usr/bin/env", words(call, place, reach, 0), { timeout: PROBE_TIME });
    run.child.stdin?.on("error", () => undefined).end(FILTER);
    await run;
    return undefined;
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim() ?? "";
    return `bubblewrap does not work here: ${shorten(oneLine(said === "" ? messageOf(error) : said), MAX_REASON)}.`;
  }
}

/** What a contained command sees apart from the system and programs. */
interface Reach {
  /** Words for env(1) with the variables that it alone has. */
  variables: readonly string[];
  seen: readonly string[];
  /** Files that it cannot open. */
  hidden: readonly string[];
  /** Sockets that have a name: it cannot reach those that it sees. */
  sockets: readonly string[];
  /** The folder of Toolhost's state, which it does not see. */
  state: string;
  /** The view in which it may change files. */
  view?: MountedView;
  /** What it may not change in the view. */
  kept?: readonly string[];
}

/** Returns the arguments of env(1) that start a call contained. What comes later in them covers what came before. */
function words(call: ShellCall, place: Place, reach: Reach, filterAt = filterFd(call.script)): string[] {
  const { variables, seen, hidden, sockets: named, state, view, kept = [] } = reach;
  const { folder, unreadable, report, env, own, gateway } = place;
  const homes = homesOf(place);
  const [home] = homes;
  // The call does not choose which folders of the user's are seen.
  const shown = [...seen, ...homes.flatMap((each) => ofHome(each, own["PATH"] ?? ""))];
  const credentials = homes.flatMap((each) => CREDENTIALS.map((name) => join(each, name)));
  const emptied = [...new Set([...EMPTY, ...homes, env["TMPDIR"] ?? "/tmp"])].filter(isEmptied);
  const packages = (view?.isRehearsal !== true && emptied.includes(home) ? (view?.cachesOfHome ?? []) : []).map(
    (each) => ({ ...each, path: join(home, each.path) }),
  );
  const isBelow = (path: string, folders: readonly string[]): boolean =>
    folders.some((each) => path.startsWith(`${each}/`));
  // Parts of folders that are emptied are shown again.
  const reached = named
    .filter((path) => path !== gateway?.socket && (!isBelow(path, emptied) || isBelow(path, shown)))
    .slice(0, MAX_HIDDEN);
  return [
    `--ignore-signal=${SIGNALS}`,
    ...(view?.before ?? []),
    PROGRAMS.find((path) => existsSync(path)) ?? "bwrap",
    ...["--unshare-user", "--unshare-ipc", "--unshare-net", "--unshare-pid", "--unshare-uts"],
    ...(FILTER === undefined ? [] : ["--seccomp", String(filterAt)]),
    // What the command leaves running ends with it: bubblewrap ends when the command does, and ends the rest.
    "--die-with-parent",
    // In a view it would be the root of the namespace that mounts it.
    ...(view === undefined ? [] : ["--uid", String(process.getuid?.() ?? 0), "--gid", String(process.getgid?.() ?? 0)]),
    ...["--cap-drop", "ALL", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    // The kernel asks whose user it is, and not what it may do: root would change the machine's settings.
    ...OF_KERNEL.flatMap((path) => ["--ro-bind", path, path]),
    ...emptied.flatMap((path) =>
      path === "/tmp" && view !== undefined ? ["--bind", view.tmp, path] : ["--tmpfs", path],
    ),
    // Before the workspace and programs, which may be in it.
    ...(view?.isRehearsal === true || view?.cacheOfHome === undefined || !emptied.includes(home)
      ? []
      : ["--bind", view.cacheOfHome, join(home, ".cache")]),
    ...(view?.folders ?? []).flatMap((path) => ["--bind", path, path]),
    ...(view?.isRehearsal === true ? [] : (view?.caches ?? [])).flatMap((each) => ["--bind", each.kept, each.path]),
    ...kept.filter((path) => existsSync(path)).flatMap((path) => ["--ro-bind", path, path]),
    ...shown
      .flatMap((path) => around(path, packages))
      .filter((path) => existsSync(path))
      .flatMap((path) => ["--ro-bind", path, path]),
    ...packages.flatMap(({ path, kept: own }) => ["--bind", own, path]),
    ...[state].filter(isEmptied).flatMap((path) => ["--tmpfs", path]),
    ...(gateway?.needs ?? []).flatMap((path) => ["--ro-bind", path, path]),
    // What it keeps in the home would be gone: it shall fail instead. Files for the time being go to /tmp.
    ...(view?.isRehearsal === true
      ? emptied.filter((path) => !OF_THE_MOMENT.includes(path) && path !== env["TMPDIR"])
      : []
    ).flatMap((path) => ["--remount-ro", path]),
    ...[...credentials, ...hidden, ...reached]
      .filter((path) => existsSync(path))
      .flatMap((path) => ["--ro-bind", unreadable, path]),
    // Nothing else of that folder: commands that are not contained trust what is in it.
    ...(report === undefined ? [] : ["--ro-bind", report.script, report.script, "--bind", report.file, report.file]),
    ...["--chdir", folder, "--", "/usr/bin/env", `--default-signal=${SIGNALS}`, ...variables],
    ...[...(gateway?.variables ?? []), ...(gateway?.words ?? []), call.file, ...call.args],
  ];
}

/** Returns what the command takes for the user's home, and that home if it is another. */
function homesOf({ env, own }: Pick<Place, "env" | "own">): [home: string, ...others: string[]] {
  const users = own["HOME"] ?? homedir();
  const home = env["HOME"] ?? users;
  return home === users ? [home] : [home, users];
}

/** Whether a path is a folder or in it, also by its real name. */
function isIn(path: string, folder: string): boolean {
  return [path, real(path)].some((each) =>
    [folder, real(folder)].some((place) => {
      const way = relative(place, each);
      return way === "" || !(way === ".." || way.startsWith("../"));
    }),
  );
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/**
 * Returns the paths at which a file is seen: a folder that is opened by a link is seen by both its names. There are none
 * for a link out of the folders, whose target is hidden anyway.
 */
function namesOf(path: string, folders: readonly string[]): string[] {
  const target = real(path);
  const within = folders
    .filter((folder) => isIn(target, folder))
    .map((folder) => join(folder, relative(real(folder), target)));
  return target === path || within.length > 0 ? [target, ...within] : [];
}

/** Returns the working trees around folders, and where their repositories say that they are. */
function treesAbove(folders: readonly string[]): { top: string; git: string[] }[] {
  return [...new Set(folders)].flatMap((folder) => {
    try {
      const top = topAbove(folder);
      const git = top === undefined ? undefined : placeOf(join(top, ".git"));
      return top === undefined ? [] : [{ top, git: git === undefined ? [] : [...new Set([git.own, git.common])] }];
    } catch {
      // Such as a link that leads to itself: no repository for Git either.
      return [];
    }
  });
}

/**
 * Returns a folder that is shown, or what else is in it if something is to be mounted in it where there is no folder yet,
 * or one behind a link: in a folder that is read-only, no place can be made for that.
 */
function around(path: string, mounts: readonly { path: string }[]): string[] {
  const isFolder = (mount: string): boolean =>
    existsSync(`${mount}/.`) && real(mount) === join(real(path), relative(path, mount));
  if (mounts.every((each) => !each.path.startsWith(`${path}/`) || isFolder(each.path))) {
    return [path];
  }
  return namesIn(path)
    .map((name) => join(path, name))
    .filter((within) => mounts.every((each) => each.path !== within))
    .flatMap((within) => around(within, mounts));
}

/** Returns none for what is no folder, or cannot be listed. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

import { RecentActivity } from "../../../../src/core/pipeline/activity.js";
import { CallJudge, type Decided } from "../../../../src/core/pipeline/callJudge.js";
import { parseInput } from "../../../../src/core/pipeline/input.js";
import type { Decision } from "../../../../src/core/permission/decide.js";
import type { Explanation } from "../../../../src/core/permission/explain.js";
import type { PermissionMode } from "../../../../src/core/permission/modes.js";
import { readRules } from "../../../../src/core/permission/rules/readRules.js";
import { isRehearsable } from "../../../../src/core/permission/commands/rehearsable.js";
import { Rules } from "../../../../src/core/permission/rules/book.js";
import { Pipeline, type PipelineHost } from "../../../../src/core/pipeline/pipeline.js";
import { Registry } from "../../../../src/core/registry.js";
import { MemoryDisk } from "../../../memory/disk.js";
import { MemoryFiles } from "../../../memory/files.js";
import { readHosts } from "../../../../src/text/hosts/allowedHosts.js";
import { analysePowerShell, type PowerShellReader } from "../../../../src/shell/powershell/analyse.js";
import { tools } from "../../../../src/tools/index.js";
import { gitIndexOf } from "./gitIndexOf.js";
import { grammar } from "../../../system/shell/grammar.js";

/** Names with the signs of globs, which a rule for one of them must not take for such. */
export const GLOB_NAMES = ["*.txt", "?.txt", "[ab].txt", "{a,b}.txt", "{1..3}.txt", "!(a).txt", "\\*.txt", "**"];

export interface World {
  mode?: PermissionMode;
  trusted?: boolean;
  /** As a user would write them in the settings, right or wrong. */
  rules?: unknown;
  /** Whether changes are in the undo journal. Default true. */
  undoable?: boolean;
  /** Whether the agent has read every file as it is. Default true. */
  hasSeen?: boolean;
  /** Variables that commands have. */
  exported?: readonly string[];
  /** Whether a person typed the calls in full view. */
  typed?: boolean;
  /** Whether commands can be read. Default true. */
  hasGrammar?: boolean;
  /** Whether PowerShell runs commands, as on Windows without bash. Default false: bash does. */
  inPowerShell?: boolean;
  /** Whether the workspace is `C:/work` of Windows instead of `/work`. Default false. */
  onWindows?: boolean;
  /** Whether names that differ in case, or in how accents are composed, are one file. Default false. */
  onMac?: boolean;
  /** Finds the programs of a name. None is looked up if absent. */
  programs?: PipelineHost["programs"];
  /** Whether the system contains commands. Default false. */
  contains?: boolean;
  /** The user's list of hosts that contained commands may reach. */
  hosts?: readonly string[];
  /** Files of the workspace in place of the usual ones. */
  files?: readonly string[];
  /** Further files and what is in them; none beside files of one's own. */
  texts?: Readonly<Record<string, string>>;
  /** Files that Git tracks, sorted; only in the usual workspace. Default: it has no index. */
  tracked?: readonly string[];
  /** Links of the workspace and where they lead; none beside files of one's own. */
  links?: Readonly<Record<string, string>>;
}

const FILES = [
  "a.txt",
  "src/a.ts",
  "src/deep/b.ts",
  ".env",
  "package.json",
  ".git/config",
  ".git/hooks/pre-commit",
  ".vscode/settings.json",
  "keys/server.pem",
  "docs/x.md",
  "bare/HEAD",
  "bare/config",
  "bare/objects/x",
  "bare/refs/x",
  "bare/deep/x",
  "linked/x",
  "dashes/-r",
  "dashes/--output=.git/config",
  "dashes/a.txt",
  "node_modules/.bin/tsc",
  "node_modules/.bin/vitest",
  "node_modules/.bin/prettier",
];
/** Ignore files that bring hidden files back, and one that does not. */
const TEXTS: Readonly<Record<string, string>> = {
  "back/.ignore": "*.log\n!.env\n",
  "back/a.txt": "x\n",
  "back/.env": "x\n",
  "above/.rgignore": "!**/.E*\n",
  "above/sub/.env": "x\n",
  "hidden/.gitignore": ".env*\n!.env.example\n!.vscode/\n",
  "hidden/.env": "x\n",
  "hidden/.env.local": "x\n",
  "hidden/a.ts": "x\n",
};
const LINKS: Readonly<Record<string, string>> = {
  outlink: "/etc/passwd",
  dirlink: "/etc",
  envlink: "/work/.env",
  inlink: "/work/src/deep",
  "linked/out": "/etc",
  "docs/in": "/work/src",
};

const powershell: PowerShellReader = async (...line) => analysePowerShell(...line);

/** The real tools, parser, table and engine on files in memory. */
export function world({
  mode = "default",
  trusted = true,
  rules,
  undoable = true,
  hasSeen = true,
  hasGrammar = true,
  inPowerShell = false,
  onWindows = false,
  onMac = false,
  programs,
  files = FILES,
  links = files === FILES ? LINKS : {},
  texts = files === FILES ? TEXTS : {},
  tracked,
  exported = [],
  typed = false,
  contains = false,
  hosts,
}: World = {}): {
  explain: (tool: string, input: unknown, session?: string) => Promise<Explanation>;
  /**
   * The same with who may answer what asks; for an agent that is asked before it replaces a file which it has not read.
   */
  decide: (tool: string, input: unknown) => Promise<Decision>;
  /** Whether a call that asks may be tried first. */
  isRehearsable: (tool: string, input: unknown) => Promise<boolean>;
  rules: Rules;
} {
  const disk = new MemoryDisk({ windows: onWindows, mac: onMac });
  const drive = onWindows ? "C:" : "";
  for (const path of files) {
    disk.write(`${drive}/work/${path}`, Buffer.from(path === ".git/config" ? "[core]\n\tbare = false\n" : "x\n"));
  }
  if ([...files, ...Object.keys(texts)].some((path) => /^\.git\/(?:HEAD|config)$/.test(path))) {
    // What git takes for a repository.
    const valid = {
      ".git/HEAD": "ref: refs/heads/main\n",
      ".git/refs/heads/main": `${"0".repeat(40)}\n`,
      ".git/objects/info/commit-graph": "x",
    };
    Object.entries(valid).forEach(([path, text]) => disk.write(`${drive}/work/${path}`, Buffer.from(text)));
  }
  for (const [path, text] of Object.entries(texts)) {
    disk.write(`${drive}/work/${path}`, Buffer.from(text));
  }
  disk.write(`${drive}/etc/passwd`, Buffer.from("x\n"));
  disk.write(`${drive}/usr/include/stdio.h`, Buffer.from("x\n"));
  GLOB_NAMES.filter((name) => !onWindows || /^[\w.]+$/.test(name)).forEach((name) =>
    disk.write(`${drive}/home/u/${name}`, Buffer.from("x\n")),
  );
  if (tracked !== undefined) {
    disk.write(`${drive}/work/.git/index`, gitIndexOf(tracked));
  }
  for (const [link, target] of Object.entries(links)) {
    disk.link(`${drive}/work/${link}`, `${target.startsWith("/") ? drive : ""}${target}`);
  }
  const registry = new Registry();
  tools.forEach((tool) => registry.register(tool));
  const placed = readRules(rules, "settings", "rules", tools);
  const book = new Rules({ rules: () => placed, add: async () => undefined }, Date.now);
  const host: PipelineHost = {
    registry,
    capabilities: { files: new MemoryFiles(disk, [{ name: "work", path: `${drive}/work`, scheme: "memory" }]) },
    changes: { undoable: async () => undoable, hasSeen: async () => hasSeen, forCall: () => ({}) as never },
    settings: () => ({
      ...{ mode, trusted, defaultTimeout: 30_000, timeoutSetBy: "a test", isGroupEnabled: () => true },
      hosts: readHosts(hosts).hosts,
    }),
    rules: book,
    ...(hasGrammar ? { grammar } : {}),
    ...(inPowerShell ? { powershell } : {}),
    ...(programs === undefined ? {} : { programs }),
    exported: () => exported,
    contains: async () => contains,
    activity: new RecentActivity(),
    now: Date.now,
  };
  const pipeline = new Pipeline(host);
  const judge = new CallJudge(host);
  return {
    explain: (tool, input, session = "s") =>
      pipeline.explain(tool, input, {
        door: "api",
        session,
        signal: new AbortController().signal,
        authority: "model",
        typed,
      }),
    decide: async (name, input) => (await decided(name, input)).decision,
    isRehearsable: async (name, input) => isRehearsable((await decided(name, input)).touches),
    rules: book,
  };

  async function decided(name: string, input: unknown): Promise<Decided> {
    const tool = registry.get(name);
    if (tool === undefined) {
      throw new Error(`There is no tool ${name}.`);
    }
    const signal = new AbortController().signal;
    return judge.decide(
      tool,
      parseInput(tool, input),
      { door: "api", session: "s", signal, authority: "model", reads: "ask" },
      (work) => work(signal),
    );
  }
}

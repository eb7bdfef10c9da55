import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { ThreadSnapshots } from "../../../src/hosts/node/effects/threadSnapshots.js";
import { effectsFolder, PATIENT } from "../features/effects/worker.js";
import { openWorkspace, result, type FileTree, type TestWorkspace } from "../../unit/tools/workspace.js";
import { gitIn } from "./realGit.js";

export const snapshots = new ThreadSnapshots(effectsFolder, () => undefined, PATIENT);
/** The caller of every command: its turn is what is undone. */
export const MODEL = { as: "model", answer: true, session: "s", turn: "t" } as const;
const BINARY = Buffer.from([0, 1, 2, 255, 254, 0, 10, 13]);

const TRACKED: FileTree = {
  ".gitignore": "dist/\nnode_modules/\n*.log\n.env*\n",
  "package.json": "{}\n",
  "src/a.ts": "one\ntwo\nthree\nfour\nfive\n",
  "src/deep/b.ts": "b\n",
  "src/crlf.txt": "one\r\ntwo\r\n",
  "docs/guide.md": "guide\n",
  "bin/run.sh": "#!/bin/sh\necho run\n",
  "logo.png": BINARY,
};

/** Files that Git does not have: untracked and ignored ones. */
const UNTRACKED: Record<string, string> = {
  "notes.md": "untracked\n",
  "new/deep/c.ts": "c\n",
  ".env.local": "KEY=value\n",
  "debug.log": "log\n",
  ...Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`dist/out${at}.js`, `built ${at}\n`])),
};

export interface GitProject extends TestWorkspace {
  git: ReturnType<typeof gitIn>;
  /** Runs a command as a model, and returns the result's text and data. */
  run: (command: string, input?: object) => Promise<{ text: string; data: CommandData }>;
  /** All files but Git's own and links, with modes, and folders that are empty or have another mode. */
  state: () => Record<string, string>;
  /** Starts a command that waits for `go`, which lets it run and returns its result. */
  held: (command: string) => Promise<{ go: () => Promise<{ text: string; data: CommandData }> }>;
  /** The same with a command that is started in the background, and so has company from the first moment. */
  inBackground: GitProject["held"];
  undo: (turn?: string, by?: string) => ReturnType<TestWorkspace["changes"]["undo"]>;
  /** Undoes each call of the turn, newest first, so that what others may have made is undone, too. */
  undoCalls: (turn?: string, by?: string) => Promise<unknown>;
}

interface CommandData {
  process_id?: string;
  changed?: { not_undone?: string[]; files?: { path: string; change: string }[]; ignored?: number; git?: string[] };
}

/** A real repository: tracked files, one of them changed since, untracked and ignored ones. */
export async function gitProject(options: Parameters<typeof openWorkspace>[1] = {}): Promise<GitProject> {
  const workspace = await openWorkspace(TRACKED, { snapshots, ...options });
  const { folder, changes, files, call } = workspace;
  const git = gitIn(folder);
  chmodSync(join(folder, "bin/run.sh"), 0o755);
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-qm", "first");
  // The index is written later than the files, as after any real checkout: what is younger is copied instead.
  git("update-index", "--refresh");
  for (const [path, text] of Object.entries(UNTRACKED)) {
    put(folder, path, text);
  }
  put(folder, "package.json", '{ "dirty": true }\n');
  return {
    ...workspace,
    git,
    run: async (command, input = {}) => result<CommandData>(await call("exec", { command, ...input }, MODEL)),
    held: async (command) => {
      // Pipes outside of the workspace: what runs in the background is recorded in another way.
      const gate = mkdtempSync(join(tmpdir(), "toolhost-gate-"));
      onTestFinished(() => rmSync(gate, { recursive: true }));
      execFileSync("mkfifo", [join(gate, "runs"), join(gate, "go")]);
      const running = call("exec", { command: `: > '${gate}/runs'; : < '${gate}/go'; ${command}` }, MODEL);
      await readFile(join(gate, "runs"));
      return {
        go: async () => {
          await writeFile(join(gate, "go"), "");
          return result<CommandData>(await running);
        },
      };
    },
    inBackground: async (command) => {
      const started = result<CommandData>(await call("exec", { command: `read; ${command}`, background: true }, MODEL));
      const input = { action: "input", process_id: started.data.process_id, input: "\n", wait_for: "exit" };
      return {
        go: async () => {
          const ended = result<{ process: CommandData }>(await call("process", input, MODEL));
          return { text: ended.text, data: ended.data.process };
        },
      };
    },
    state: () => stateOf(folder),
    undo: (turn = "t", by = "u") =>
      changes.undo(
        { session: "s", turn: by, callId: by, door: "api", summary: "Undo" },
        { session: "s", turn },
        files,
        new AbortController().signal,
      ),
    undoCalls: async (turn = "t", by = "u") => {
      const calls = (await changes.journal()).calls({ session: "s", turn });
      for (const { id } of calls.toReversed()) {
        const call = { session: "s", turn: by, callId: `${by}${id}`, door: "api", summary: "Undo" } as const;
        await changes.undo(call, { calls: [id] }, files, new AbortController().signal);
      }
    },
  };
}

/** Writes a file as a person does outside of Toolhost. */
export function put(folder: string, path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

/** All files of a folder but Git's own and links, with modes; of folders those that are empty or have another mode. */
export function stateOf(folder: string, below = ""): Record<string, string> {
  const found: Record<string, string> = {};
  const names = readdirSync(join(folder, below));
  for (const name of names) {
    const path = below === "" ? name : `${below}/${name}`;
    const info = lstatSync(join(folder, path));
    if (name === ".git") {
      continue;
    }
    if (info.isDirectory()) {
      Object.assign(found, stateOf(folder, path));
    } else if (info.isFile()) {
      found[path] = `${(info.mode & 0o777).toString(8)} ${readFileSync(join(folder, path)).toString("hex")}`;
    } else if (info.isSymbolicLink()) {
      found[path] = `-> ${readlinkSync(join(folder, path))}`;
    }
  }
  const mode = lstatSync(join(folder, below)).mode & 0o7777;
  if (below !== "" && (names.length === 0 || mode !== 0o755)) {
    found[`${below}/`] = mode.toString(8);
  }
  return found;
}

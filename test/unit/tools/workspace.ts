import { randomUUID } from "node:crypto";
import { chmod, copyFile, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { RecentActivity } from "../../../src/core/activity.js";
import type { Outcome, OutcomeError } from "../../../src/core/outcome.js";
import { Pipeline } from "../../../src/core/pipeline.js";
import { Registry } from "../../../src/core/registry.js";
import { NodeDisk } from "../../../src/hosts/node/disk.js";
import { NodeFiles } from "../../../src/hosts/node/files.js";
import { createRipgrep, ripgrepOfPackage, ripgrepOnPath } from "../../../src/hosts/node/ripgrep.js";
import { RipgrepSearch } from "../../../src/hosts/ripgrepSearch.js";
import type { Disk } from "../../../src/hosts/disk.js";
import type { Question } from "../../../src/ports/confirm.js";
import type { Root } from "../../../src/ports/files.js";
import { tools } from "../../../src/tools/index.js";

/** Files by path: text, bytes, or undefined for an empty folder. */
export type FileTree = Readonly<Record<string, string | Uint8Array | undefined>>;

export interface CallOptions {
  /** `model` is asked about changes and gets `answer`; `owner` is a person's own command line. */
  as?: "owner" | "model";
  /** What the person says; nobody can be asked when absent. */
  answer?: boolean | ((question: Question) => Promise<boolean>);
  signal?: AbortSignal;
}

/** The hosts whose tools behave alike, whatever the files lie on. */
export const hosts = ["node"] as const;
export type Host = (typeof hosts)[number];

export interface WorkspaceOptions {
  /** More roots: `beside` as the command line's --root gives them, else a workspace of several folders. */
  roots?: readonly { path: string; name: string; beside?: boolean }[];
  /** Name of the first folder in a workspace of several. */
  name?: string;
  disk?: Disk;
  /** The ripgrep to run. */
  ripgrep?: string | undefined;
}

/** A real folder with the real tools on it, through the real pipeline. */
export interface TestWorkspace {
  folder: string;
  /** Every question a person was asked. */
  asked: Question[];
  call: (tool: string, input: unknown, options?: CallOptions) => Promise<Outcome>;
}

export const ripgrepPath = ripgrepOfPackage(dirname(fileURLToPath(import.meta.url))) ?? ripgrepOnPath();

/** A temporary folder, its links followed, gone when the test is. */
export async function tempFolder(files: FileTree = {}): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "toolhost-unit-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  // As mkdir would make it: mkdtemp keeps everybody else out.
  await chmod(folder, 0o755);
  await plant(folder, files);
  return folder;
}

export async function plant(folder: string, files: FileTree): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    if (content === undefined) {
      await mkdir(join(folder, path), { recursive: true });
      continue;
    }
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

export async function openWorkspace(files: FileTree = {}, options: WorkspaceOptions = {}): Promise<TestWorkspace> {
  const folder = await tempFolder(files);
  const roots: Root[] = [
    { name: options.name ?? "ws", path: folder, scheme: "file" },
    ...(options.roots ?? []).map((root) => ({ scheme: "file", ...root })),
  ];
  const asked: Question[] = [];
  const pipeline = createPipeline(roots, options);
  return {
    folder,
    asked,
    call: (tool, input, { as = "owner", answer, signal = new AbortController().signal } = {}) =>
      pipeline.invoke(tool, input, {
        door: "api",
        session: randomUUID(),
        signal,
        authority: as,
        ...(answer === undefined
          ? {}
          : {
              confirm: {
                ask: async (question: Question) => {
                  asked.push(question);
                  return typeof answer === "boolean" ? answer : answer(question);
                },
              },
            }),
      }),
  };
}

function createPipeline(roots: readonly Root[], { disk = new NodeDisk(), ripgrep = ripgrepPath }: WorkspaceOptions): Pipeline {
  const registry = new Registry();
  for (const tool of tools) {
    registry.register(tool);
  }
  const files = new NodeFiles(disk, roots);
  const search = new RipgrepSearch({
    run: createRipgrep(ripgrep),
    roots: () => files.roots(),
    resolve: (path) => files.resolve(path),
    kindOf: async (at) => (await files.stat(at)).kind,
    unsaved: async () => [],
  });
  return new Pipeline({
    registry,
    capabilities: { files, search },
    settings: () => ({ mode: "default", trusted: true, defaultTimeout: 30_000, isGroupEnabled: () => true }),
    activity: new RecentActivity(),
    now: Date.now,
  });
}

/** The text and data of a call that worked. */
export function result<Data>(outcome: Outcome): { text: string; data: Data } {
  if (!outcome.ok) {
    throw new Error(`the call failed: ${JSON.stringify(outcome.error)}`);
  }
  return { text: outcome.text, data: outcome.data as Data };
}

/** The error of a call that failed. */
export function failed(outcome: Outcome): OutcomeError {
  if (outcome.ok) {
    throw new Error(`the call worked: ${outcome.text.slice(0, 500)}`);
  }
  return outcome.error;
}

export function contentOf(folder: string, path: string): Promise<string> {
  return readFile(join(folder, path), "utf8");
}

/**
 * Runs work without the right to read everything: tests may run as root, which no permission stops. Files the
 * work must reach have to be open to everybody.
 */
export async function asOrdinaryUser<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) {
    return work();
  }
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

/** A ripgrep that everybody may run, wherever the clone lies. */
export async function openRipgrep(): Promise<string> {
  const path = join(await tempFolder(), "rg");
  await copyFile(ripgrepPath ?? "", path);
  await chmod(path, 0o755);
  return path;
}

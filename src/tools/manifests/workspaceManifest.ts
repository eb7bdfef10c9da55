import * as z from "zod";
import { defineTool } from "../../core/defineTool.js";
import type { Tool, Touch } from "../../core/contract.js";
import { ToolError, unlessMissing } from "../../core/errors.js";
import { secretReason } from "../../core/paths/protectedFiles.js";
import { joinPath } from "../../core/paths/pathShape.js";
import { sourceName, sourceNames, SourceReader, walkFolder } from "../../features/manifests/localSources.js";
import { readManifest, unsupported, type EntryResult, type Manifest } from "../../features/manifests/manifest.js";
import type { LocalSources } from "../../features/manifests/sandbox.js";
import type { Changes } from "../../ports/changes.js";
import type { Files } from "../../ports/files.js";
import { count } from "../../text/words.js";
import { shownName } from "../../text/shownName.js";
import { showDiffs } from "../fs/shownDiffs.js";
import { checkClone, clone, cloneCommand, commandFolder, type Cloned, type Repository } from "./clone.js";
import {
  changesOf,
  MANY,
  mountsOf,
  planAll,
  refuseLed,
  split,
  targetName,
  wantedOf,
  type Planned,
  type Wanted,
} from "./plan.js";
import { told } from "./told.js";

/** How long an apply may take, in milliseconds: repositories may be large. */
const TIMEOUT = 1_800_000;
/** How long one that is stopped may take to put everything back. */
const GRACE = 60_000;

/** How many files take so long to write that it is said. */
const LONG = 100;

interface Input {
  action: "apply" | "diff";
  manifest: Record<string, unknown>;
  host_root?: string | undefined;
}

interface Given {
  files: Files;
  changes: Changes;
  signal: AbortSignal;
  report: (progress: { message: string }) => void;
}

/** What is to be done, worked out on what is there now. */
interface Plan {
  manifest: Manifest;
  planned: Planned[];
  /** In the folders of repositories: planned once these are there. */
  inClones: Wanted[];
  leftOut: readonly string[];
}

/** The name of the tool, which no list has: doors call it with the manifest that a person or program gives them. */
export const MANIFEST_TOOL = "workspace_manifest";

/**
 * Creates the tool that applies manifests to the workspace.
 *
 * @param elsewhere has the local sources, where the workspace is on another machine
 */
export function manifestTool(elsewhere?: LocalSources): Tool {
  return defineTool({
    name: MANIFEST_TOOL,
    group: "fs",
    title: "Apply workspace manifest",
    description: "Make the workspace what a manifest says: files, folders, copies of local ones, and repositories.",
    input: () =>
      z.object({
        action: z.enum(["apply", "diff"]).describe("Whether to apply it, or to show what that would change."),
        manifest: z.record(z.string(), z.unknown()).describe("The manifest: {entries, environment, permissions}."),
        host_root: z
          .string()
          .optional()
          .describe("The folder that local sources are relative to. Default: the workspace."),
      }),
    output: () =>
      z.object({
        entries: z
          .array(
            z.object({
              path: z.string().describe("Its path in the workspace."),
              type: z.string().describe("Its type."),
              status: z.enum(["applied", "planned", "unsupported"]).describe("What became of it."),
              message: z.string().optional().describe("Why it is unsupported."),
            }),
          )
          .describe("The manifest's entries, in order."),
        files: z
          .array(
            z.object({
              path: z.string().describe("A file, a folder (with / at its end) or a repository."),
              change: z.enum(["created", "changed", "same", "cloned"]).describe("What applying it does there."),
            }),
          )
          .describe("All that the entries make."),
        left_out: z.array(z.string()).describe("Links and special files of local folders, which are not copied."),
        environment: z.record(z.string(), z.string()).describe("Variables that the manifest gives; none is set."),
      }),
    needs: ["files", "changes", "processes"],
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    touches: (input) => namedTouches(input, elsewhere !== undefined),
    reaches: (input, given) => reached(input, given, elsewhere),
    summary: ({ action, manifest }) =>
      `${action === "apply" ? "Apply" : "Compare with"} a workspace manifest with ${count(entryCount(manifest), "entry", "entries")}`,
    preview: async (input, given) => {
      const plan = await makePlan(input, given, elsewhere);
      const commands = repositories(plan.manifest).map(cloneCommand);
      const shown = plan.planned.flatMap(({ shown }) => shown ?? []);
      return {
        language: "diff",
        text: [...commands, ...(shown.length > 0 ? [showDiffs(shown)] : [])].join("\n"),
        plan,
      };
    },
    expose: "never",
    timeout: TIMEOUT,
    grace: GRACE,
    execute: async (input, given, shown: Plan | undefined) => {
      const plan = shown ?? (await makePlan(input, given, elsewhere));
      if (input.action === "diff") {
        await Promise.all(repositories(plan.manifest).map((each) => checkClone(each, given.files)));
        const later = plan.inClones.map(({ path, content }): Planned => ({
          path,
          change: "created",
          isFolder: content === undefined,
        }));
        return told("diff", resultsOf(plan.manifest, "planned"), [...plan.planned, ...later], plan);
      }
      const made = await apply(plan, given);
      return told("apply", resultsOf(plan.manifest, "applied"), [...plan.planned, ...made], plan);
    },
  });
}

/**
 * Creates the tool that reads the local sources of a manifest for a place that is not this machine.
 *
 * @param sink gets them
 */
export function sourcesTool(sink: (sources: LocalSources) => void): Tool {
  return defineTool({
    name: MANIFEST_TOOL,
    group: "fs",
    title: "Read what a manifest copies",
    description: "Read the local files and folders that a workspace manifest copies to another place.",
    input: () =>
      z.object({
        manifest: z.record(z.string(), z.unknown()).describe("The manifest: {entries, environment, permissions}."),
        host_root: z
          .string()
          .optional()
          .describe("The folder that local sources are relative to. Default: the workspace."),
      }),
    output: () => z.object({ files: z.int().describe("Files and folders read.") }),
    needs: ["files"],
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    touches: ({ manifest, host_root: hostRoot }) => readTouches(readManifest(manifest, false), hostRoot),
    reaches: ({ manifest, host_root: hostRoot }, { files, signal }) =>
      secretSources(readManifest(manifest, false), hostRoot, files, signal),
    summary: ({ manifest }) =>
      `Read the local files of a workspace manifest with ${count(entryCount(manifest), "entry", "entries")}`,
    expose: "never",
    timeout: TIMEOUT,
    execute: async ({ manifest, host_root: hostRoot }, { files, signal, report }) => {
      const reader = new SourceReader(files, { signal, hostRoot, report: (message) => report({ message }) });
      const kept = new Map<string, unknown>();
      for (const { type, ...entry } of readManifest(manifest, false).entries) {
        if (type === "localFile" || type === "localDir") {
          const { src } = entry as { src: string };
          kept.set(`${type} ${src}`, await (type === "localFile" ? reader.readFile(src) : reader.readFolder(src)));
        }
      }
      sink({
        readFile: async (src) => kept.get(`localFile ${src}`) as Awaited<ReturnType<LocalSources["readFile"]>>,
        readFolder: async (src) => kept.get(`localDir ${src}`) as Awaited<ReturnType<LocalSources["readFolder"]>>,
        leftOut: reader.leftOut,
      });
      return { text: `Read ${count(kept.size, "source")}.`, data: { files: kept.size } };
    },
  });
}

function entryCount({ entries }: Record<string, unknown>): number {
  return typeof entries === "object" && entries !== null ? Object.keys(entries).length : 0;
}

function repositories({ entries }: Manifest): Repository[] {
  return entries.filter((entry): entry is Repository => entry.type === "gitRepo");
}

function readTouches(manifest: Manifest, hostRoot: string | undefined): Touch[] {
  return sourceNames(manifest, hostRoot).map(({ name, isFolder }) => ({
    kind: "read",
    path: name,
    ...(isFolder && { deep: true }),
  }));
}

/** @param isElsewhere whether local sources are not in the workspace's place, and were read already */
function namedTouches({ action, manifest: given, host_root: hostRoot }: Input, isElsewhere: boolean): Touch[] {
  const manifest = readManifest(given, true);
  const targets = manifest.entries.flatMap(({ path, type }) => (type.endsWith("Mount") ? [] : [targetName(path)]));
  return [
    ...(isElsewhere ? [] : readTouches(manifest, hostRoot)),
    ...targets.map((path): Touch => ({ kind: action === "apply" ? "write" : "read", path })),
  ];
}

/** Returns the files of local folders that may hold secrets: only named ones are read. */
async function secretSources(
  manifest: Manifest,
  hostRoot: string | undefined,
  files: Files,
  signal: AbortSignal,
): Promise<Touch[]> {
  const touches: Touch[] = [];
  for (const { name, isFolder } of sourceNames(manifest, hostRoot)) {
    const walked = isFolder ? await walkFolder(files, name, signal) : { found: [] };
    for (const each of walked.found) {
      const at = each.isFolder ? undefined : await files.resolve(each.name);
      if (at !== undefined && (secretReason(at.path) ?? secretReason(at.realPath)) !== undefined) {
        touches.push({ kind: "read", path: each.name });
      }
    }
  }
  return touches;
}

/** Returns what a call reaches beyond what the manifest names: what is in local folders, what is replaced, commands. */
async function reached(
  { action, manifest: given, host_root: hostRoot }: Input,
  { files, signal }: Given,
  elsewhere: LocalSources | undefined,
): Promise<Touch[]> {
  const manifest = readManifest(given, true);
  const touches = elsewhere === undefined ? await secretSources(manifest, hostRoot, files, signal) : [];
  const below: string[] = [];
  for (const entry of manifest.entries) {
    if (entry.type === "localDir") {
      const parts =
        elsewhere === undefined
          ? (await walkFolder(files, sourceName(entry.src, hostRoot), signal)).found
          : await elsewhere.readFolder(entry.src);
      below.push(...parts.map(({ path }) => `${entry.path}/${path}`));
    }
  }
  touches.push(
    ...below.map((path): Touch => ({ kind: action === "apply" ? "write" : "read", path: targetName(path) })),
  );
  if (action === "diff") {
    return touches;
  }
  const inFiles = manifest.entries.flatMap(({ path, type }) => (/^(?:file|localFile)$/.test(type) ? [path] : []));
  for (const path of [...inFiles, ...below]) {
    signal.throwIfAborted();
    const at = await files.resolve(targetName(path));
    if ((await unlessMissing(() => files.stat(at)))?.kind === "file") {
      touches.push({ kind: "write", path: targetName(path), overwrites: true });
    }
  }
  return [
    ...touches,
    ...repositories(manifest).map((entry): Touch => ({
      kind: "command",
      command: cloneCommand(entry),
      workdir: commandFolder(files, entry.path),
      outside: true,
    })),
  ];
}

async function makePlan(
  { manifest: given, host_root: hostRoot }: Input,
  call: Given,
  elsewhere?: LocalSources,
): Promise<Plan> {
  const { files, signal, report } = call;
  const manifest = readManifest(given, true);
  const reader = new SourceReader(files, { signal, hostRoot, report: (message) => report({ message }) });
  for (const { name, path } of elsewhere === undefined ? sourceNames(manifest, hostRoot) : []) {
    await refuseItself(files, name, path);
  }
  const wanted = await wantedOf(manifest, elsewhere ?? reader, (name, content) => reader.take(name, content));
  const { first, inClones } = split(manifest, wanted);
  return { manifest, planned: await planAll(first, call), inClones, leftOut: elsewhere?.leftOut ?? reader.leftOut };
}

/** @throws Error if a local folder would be copied into itself */
async function refuseItself(files: Files, name: string, path: string): Promise<void> {
  const [from, to] = [await files.resolve(name), await files.resolve(targetName(path))];
  if (to.absolute === from.absolute || to.absolute.startsWith(joinPath(from.absolute, ""))) {
    throw new ToolError(
      "invalid_input",
      `workspace manifest: entries[${JSON.stringify(path)}]: would copy ${shownName(from.path)} into itself. Nothing was done.`,
      "Name the parts of it that are needed.",
    );
  }
}

/** Clones, then makes all other changes at once. What was cloned goes if anything fails. */
async function apply(
  { manifest, planned, inClones }: Plan,
  call: Given & Omit<Parameters<typeof clone>[1], "files" | "signal">,
): Promise<Planned[]> {
  const { changes, signal, report } = call;
  const cloned: Cloned[] = [];
  const all = repositories(manifest);
  try {
    for (const [index, entry] of all.entries()) {
      report({ message: `Cloning ${index + 1} of ${all.length}: ${entry.url}` });
      cloned.push(await clone(entry, call));
    }
    // Where names differ in case alone, a place may be in a repository although its name is not.
    for (const { path, make } of all.length > 0 ? planned : []) {
      if (make !== undefined) {
        await refuseLed(call.files, make.at, path);
      }
    }
    const late = await planAll(inClones, call, true);
    const made = changesOf([...planned, ...late]);
    if (made.length > 0) {
      if (made.length >= LONG) {
        report({ message: `Writing ${count(made.length, "file")}` });
      }
      await changes.apply(made, signal, (ready) => {
        if (ready % MANY === 0) {
          report({ message: `${ready} of ${made.length} files prepared` });
        }
      });
    }
    return late;
  } catch (error) {
    const left: string[] = [];
    for (const { takeBack } of cloned.toReversed()) {
      left.push(...[await takeBack()].filter((each) => each !== undefined));
    }
    if (left.length > 0 && error instanceof ToolError) {
      throw new ToolError(error.type, [error.message, ...left].join("\n"), error.hint);
    }
    throw error;
  }
}

function resultsOf(manifest: Manifest, status: "applied" | "planned"): EntryResult[] {
  const mounts = new Set(mountsOf(manifest));
  return manifest.entries.map((entry) =>
    mounts.has(entry) ? unsupported(entry) : { path: entry.path, type: entry.type, status },
  );
}

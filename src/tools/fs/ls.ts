import * as z from "zod";
import { atMost, ignoredIf, onePath, withoutEffect, type AliasRule } from "../../core/aliases.js";
import { defineTool } from "../../core/defineTool.js";
import { ToolError } from "../../core/errors.js";
import { addIgnoreRules, belowRoot, loadIgnoreRules, type IgnoreRules } from "../../core/paths/ignoreRules.js";
import { baseName, joinPath, parentPath } from "../../core/paths/pathShape.js";
import { resolveFrom } from "../../core/paths/resolveFrom.js";
import type { DirectoryEntry, FileInfo, Files, GatedPath } from "../../ports/files.js";
import { statExisting } from "./existing.js";
import { shownName } from "../../text/shownName.js";
import { count } from "../../text/words.js";

/** Maximum number of entries per answer: about 10,000 tokens of names. */
const MAX_ENTRIES = 1_000;
const MAX_DEPTH = 5;
/** Folders that are listed but not opened: they hold thousands of entries that are not source. */
const NOT_OPENED = new Set([".git", "node_modules"]);

interface Listed {
  path: string;
  entry: DirectoryEntry;
  level: number;
  unreadable: boolean;
  /** Whether .gitignore or a similar file excludes it. */
  ignored: boolean;
  /** Whether to mark it as ignored; not needed if its folder is. */
  markIgnored: boolean;
  children: Listed[];
}

/** Cline: list everything below. */
const allLevels: AliasRule = {
  says: `true for \`depth=${MAX_DEPTH}\``,
  read: (value, { depth }) =>
    value === true || value === "true"
      ? depth === undefined
        ? { fields: { depth: MAX_DEPTH }, note: `recursive was taken as depth=${MAX_DEPTH}.` }
        : { fields: {} }
      : value === false || value === "false"
        ? { fields: {} }
        : undefined,
};

export const ls = defineTool({
  name: "ls",
  group: "fs",
  title: "List folder",
  description:
    `List a folder: folders end in /, files show their size in bytes, links are marked, entries ignored by .gitignore show (ignored). Includes hidden entries. ` +
    `At most ${MAX_ENTRIES} entries, upper levels first. ` +
    `With depth > 1, .git and node_modules are listed but not opened (list them by path).`,
  input: () =>
    z.object({
      path: z.string().optional().describe("Folder to list, relative to the workspace. Default: the workspace."),
      depth: z
        .int()
        .min(1)
        .max(MAX_DEPTH)
        .optional()
        .describe(`Number of levels to list, 1 to ${MAX_DEPTH}. Default: 1.`),
    }),
  aliases: {
    dir: "path",
    directory: "path",
    dirPath: "path",
    dir_path: "path",
    folder: "path",
    relative_workspace_path: "path",
    target_directory: "path",
    command: ignoredIf("view"),
    path: onePath,
    paths: onePath,
    recursive: allLevels,
    depth: atMost("depth", MAX_DEPTH),
    ignore: withoutEffect("ignore"),
  },
  output: () =>
    z.object({
      path: z.string().describe("The folder."),
      entries: z
        .array(
          z.object({
            path: z.string().describe("As tools take it."),
            kind: z.enum(["file", "directory", "other"]).describe("Of a link: what it leads to."),
            link: z.boolean().describe("It is a symbolic link."),
            size: z.int().nullable().describe("Bytes; null for anything but a file."),
            ignored: z.boolean().describe("Ignored by .gitignore or a similar file, so grep and glob skip it."),
          }),
        )
        .describe("The entries listed."),
      omitted: z.int().describe("Entries found but not listed."),
    }),
  needs: ["files"],
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  positional: ["path"],
  touches: ({ path = "." }) => [{ kind: "read", path }],
  summary: ({ path = "." }) => `List ${path}`,
  expose: "default",
  execute: async ({ path = ".", depth = 1 }, { files, signal }) => {
    const at = await files.resolve(path);
    const info = await statExisting(files, at);
    if (info.kind === "other") {
      throw new ToolError("unsupported", `${shownName(at.path)} is a pipe, socket or device, not a folder.`);
    }
    const { top, listed, omitted, isMore, isIgnored } =
      info.kind === "file" ? await single(files, at, info) : await walk(files, at, depth, signal);
    const lines = render(top);
    if (info.kind === "file") {
      lines.push(`[${shownName(at.path)} is a file: read shows what is in it.]`);
    }
    if (listed.length === 0) {
      lines.push(`[${at.path === "." ? "The workspace" : shownName(at.path)} is empty.]`);
    }
    if (isIgnored) {
      lines.push(`[${shownName(at.path)} and everything in it is ignored by .gitignore or a similar file.]`);
    }
    if (omitted > 0) {
      lines.push(
        `[${count(listed.length, "entry", "entries")} listed, ${isMore ? "at least " : ""}${omitted} omitted. List a subfolder${depth > 1 ? " or use a smaller depth" : ""}, or find files with glob.]`,
      );
    }
    return {
      text: lines.join("\n"),
      data: {
        path: at.path,
        entries: listed.map((item) => ({
          path: item.path,
          kind: item.entry.kind,
          link: item.entry.link,
          size: item.entry.size ?? null,
          ignored: item.ignored,
        })),
        omitted,
      },
    };
  },
});

/** Lists a file by itself. */
async function single(files: Files, at: GatedPath, { size }: FileInfo): Promise<Walked> {
  const parent = await resolveFrom(files, at, parentPath(at.path)).catch(() => undefined);
  const rules = parent?.root === undefined ? undefined : await loadIgnoreRules(files, parent, await files.list(parent));
  const ignored = rules?.ignores(belowRoot(at).replace(/^\.\//, ""), false) ?? false;
  const entry: DirectoryEntry = { name: baseName(at.path), kind: "file", link: at.lexical !== at.absolute, size };
  const item = { path: at.path, entry, level: 1, unreadable: false, ignored, markIgnored: ignored, children: [] };
  return { top: [item], listed: [item], omitted: 0, isMore: false, isIgnored: false };
}

/** What a listing found. */
interface Walked {
  top: Listed[];
  listed: Listed[];
  omitted: number;
  /** Whether folders that were not opened hold more. */
  isMore: boolean;
  /** Whether the start and everything in it is ignored. */
  isIgnored: boolean;
}

/**
 * Lists breadth first, so that the limit cuts the deepest levels and never the start's own entries.
 */
async function walk(files: Files, start: GatedPath, depth: number, signal: AbortSignal): Promise<Walked> {
  const listed: Listed[] = [];
  const top: Listed[] = [];
  let omitted = 0;
  let isMore = false;
  let isIgnored = false;
  let level: { at: GatedPath; parent: Listed | undefined; above: IgnoreRules | undefined }[] = [
    { at: start, parent: undefined, above: undefined },
  ];
  for (let number = 1; number <= depth && level.length > 0; number++) {
    const next: typeof level = [];
    for (const { at, parent, above } of level) {
      signal.throwIfAborted();
      const entries = (await orMark(parent, () => files.list(at, MAX_ENTRIES - listed.length))) ?? [];
      const rules = await (above === undefined
        ? loadIgnoreRules(files, at, entries)
        : addIgnoreRules(above, files, at, entries));
      isIgnored ||= parent === undefined && rules.everything;
      for (const entry of entries) {
        // Links to folders are not followed: they may form a cycle.
        const opened = number < depth && entry.kind === "directory" && !entry.link && !NOT_OPENED.has(entry.name);
        if (listed.length >= MAX_ENTRIES) {
          omitted++;
          isMore ||= opened;
          continue;
        }
        const path = at.path === "." ? entry.name : joinPath(at.path, entry.name);
        const ignored =
          at.root !== undefined &&
          rules.ignores(
            joinPath(belowRoot(at), entry.name).replace(/^\.\//, ""),
            entry.kind === "directory" && !entry.link,
          );
        const item: Listed = {
          path,
          entry,
          level: number,
          unreadable: false,
          ignored,
          markIgnored: ignored && !rules.everything,
          children: [],
        };
        listed.push(item);
        (parent?.children ?? top).push(item);
        const below = opened ? await orMark(item, () => resolveFrom(files, at, path)) : undefined;
        if (below !== undefined) {
          // In a workspace with several folders, each starts with its own rules.
          next.push({ at: below, parent: item, above: at.root && rules });
        }
      }
    }
    level = next;
  }
  return { top, listed, omitted, isMore, isIgnored };
}

/**
 * Runs work on a subfolder. If it cannot be read, marks it as such and continues with the rest; throws if it is the
 * start itself.
 */
async function orMark<T>(item: Listed | undefined, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (item === undefined || !(error instanceof ToolError)) {
      throw error;
    }
    item.unreadable = true;
    return undefined;
  }
}

function render(items: readonly Listed[]): string[] {
  return items.flatMap((item) => [
    `${"  ".repeat(item.level - 1)}${shownName(item.entry.name)}${item.entry.kind === "directory" ? "/" : ""}${remark(item)}`,
    ...render(item.children),
  ]);
}

function remark({ entry: { kind, link, size }, unreadable, markIgnored }: Listed): string {
  const facts = [
    ...(link
      ? [kind === "other" ? "link, broken or leading outside" : "link"]
      : kind === "other"
        ? ["not a file"]
        : []),
    ...(unreadable ? ["cannot be read"] : []),
    ...(kind === "file" && size !== undefined ? [`${size} byte${size === 1 ? "" : "s"}`] : []),
    ...(markIgnored ? ["ignored"] : []),
  ];
  return facts.length > 0 ? `  (${facts.join(", ")})` : "";
}

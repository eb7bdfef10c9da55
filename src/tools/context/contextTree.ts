import * as z from "zod";
import { CONTEXT_IGNORE_FILE, contextFile, contextFolder } from "../../features/context/path.js";
import { defineTool } from "../../core/defineTool.js";
import { ToolError } from "../../core/errors.js";
import type { DirectoryEntry, Files } from "../../ports/files.js";
import { shownName } from "../../text/shownName.js";
import { contextInfo, contextPlace, existingInfo, namedAsContext, type ContextPlace } from "./contextStore.js";
import { count } from "../../text/words.js";

const DEFAULT_DEPTH = 6;
const MAX_DEPTH = 20;
/** Maximum number of entries shown of the requested folder. */
const MAX_TOP = 500;
/**
 * Maximum number of entries shown of each folder below it: enough for an overview, since each can be listed by its own
 * path.
 */
const MAX_BELOW = 20;
/** Maximum number of entries per answer: about 10,000 tokens of names. */
const MAX_ENTRIES = 1_000;

/** A folder with its shown entries. */
interface Branch {
  items: { path: string; entry: DirectoryEntry; branch: Branch | undefined }[];
  /** Number of entries not shown. */
  more: number;
  unreadable: boolean;
}

export const contextTree = defineTool({
  name: "context_tree",
  group: "context",
  title: "List context store",
  description:
    `List the context store as a tree: folders end in /, files show their size in bytes. Subfolders show at most ` +
    `${MAX_BELOW} entries, then +N more: list them by path to see the rest.`,
  input: () =>
    z.object({
      path: z.string().optional().describe("Folder in the context store to list. Default: the whole store."),
      max_depth: z
        .int()
        .min(1)
        .max(MAX_DEPTH)
        .optional()
        .describe(`Number of levels to list, 1 to ${MAX_DEPTH}. Default: ${DEFAULT_DEPTH}.`),
    }),
  aliases: { logical_path: "path", prefix: "path", depth: "max_depth" },
  output: () =>
    z.object({
      path: z.string(),
      entries: z.array(
        z.object({
          path: z.string(),
          kind: z.enum(["file", "directory", "other"]),
          size: z.int().nullable().describe("Size of a file."),
        }),
      ),
      omitted: z.int().describe("Entries found but not listed."),
    }),
  needs: ["files"],
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  positional: ["path"],
  touches: ({ path }) => [{ kind: "read", path: contextFile(contextFolder(path)) }],
  summary: ({ path }) => (path === undefined ? "List the context store" : `List ${path} in the context store`),
  expose: "optional",
  execute: async ({ path, max_depth = DEFAULT_DEPTH }, { files, signal }) => {
    const place = await contextPlace(files, contextFolder(path));
    return namedAsContext(place, async () => {
      if (!(await isFolder(files, place))) {
        return { text: "[The context store is empty.]", data: { path: place.logical, entries: [], omitted: 0 } };
      }
      const top = await walk(files, place, max_depth, signal);
      const entries = flatten(top).map(({ path: name, entry: { kind, size } }) => ({
        path: name,
        kind,
        size: size ?? null,
      }));
      const text =
        entries.length === 0
          ? `[${place.logical === "." ? "The context store" : place.logical} is empty.]`
          : render(top, "").join("\n");
      return { text, data: { path: place.logical, entries, omitted: countOmitted(top) } };
    });
  },
});

/**
 * Returns false for a store that does not exist yet, which counts as empty; throws for a missing subfolder or a file.
 */
async function isFolder(files: Files, place: ContextPlace): Promise<boolean> {
  const info = place.logical === "." ? await contextInfo(files, place) : await existingInfo(files, place);
  if (info !== undefined && info.kind !== "directory") {
    throw new ToolError(
      "invalid_input",
      `${place.logical} is a file, not a folder.`,
      "Use context_read to see what is in it.",
    );
  }
  return info !== undefined;
}

/** Lists breadth first, so that the limit cuts the deepest levels. */
async function walk(files: Files, start: ContextPlace, depth: number, signal: AbortSignal): Promise<Branch> {
  const top = emptyBranch();
  let left = MAX_ENTRIES;
  let level: { path: string; branch: Branch }[] = [{ path: start.logical, branch: top }];
  for (let number = 1; number <= depth && level.length > 0; number++) {
    const next: typeof level = [];
    for (const { path, branch } of level) {
      signal.throwIfAborted();
      const most = Math.min(left, number === 1 ? MAX_TOP : MAX_BELOW);
      const entries = await entriesOf(files, path, most, number === 1 ? undefined : branch);
      branch.more = Math.max(0, entries.length - most);
      for (const entry of entries.slice(0, most)) {
        const below = path === "." ? entry.name : `${path}/${entry.name}`;
        // Links are listed but not followed.
        const opened = entry.kind === "directory" && !entry.link && number < depth ? emptyBranch() : undefined;
        branch.items.push({ path: below, entry, branch: opened });
        left--;
        if (opened !== undefined) {
          next.push({ path: below, branch: opened });
        }
      }
    }
    level = next;
  }
  return top;
}

/**
 * Returns a folder's entries, except for the store's own .gitignore.
 *
 * @param branch set for a subfolder: if it cannot be read, it is marked as such and the rest is still listed
 */
async function entriesOf(
  files: Files,
  path: string,
  most: number,
  branch: Branch | undefined,
): Promise<DirectoryEntry[]> {
  try {
    // People may have created names that the tools do not accept as paths: list them all the same.
    const entries = await files.list(await files.resolve(contextFile(path)), most + 1);
    return entries.filter(({ name }) => path !== "." || name !== CONTEXT_IGNORE_FILE);
  } catch (error) {
    if (branch === undefined || !(error instanceof ToolError)) {
      throw error;
    }
    branch.unreadable = true;
    return [];
  }
}

function emptyBranch(): Branch {
  return { items: [], more: 0, unreadable: false };
}

function flatten(branch: Branch): { path: string; entry: DirectoryEntry }[] {
  return branch.items.flatMap(({ path, entry, branch: below }) => [
    { path, entry },
    ...(below === undefined ? [] : flatten(below)),
  ]);
}

function countOmitted({ items, more }: Branch): number {
  return items.reduce((sum, { branch }) => sum + (branch === undefined ? 0 : countOmitted(branch)), more);
}

function render({ items, more }: Branch, indent: string): string[] {
  return [
    ...items.flatMap(({ entry, branch }) => [
      `${indent}${shownName(entry.name)}${entry.kind === "directory" ? "/" : ""}${remark(entry, branch)}`,
      ...(branch === undefined ? [] : render(branch, `${indent}  `)),
    ]),
    ...(more > 0 ? [`${indent}+${more} more`] : []),
  ];
}

function remark({ kind, link, size }: DirectoryEntry, branch: Branch | undefined): string {
  const facts = [
    ...(link ? ["link, not followed"] : kind === "other" ? ["not a file"] : []),
    ...(branch?.unreadable === true ? ["cannot be read"] : []),
    ...(kind === "file" && !link && size !== undefined ? [`${count(size, "byte")}`] : []),
  ];
  return facts.length > 0 ? `  (${facts.join(", ")})` : "";
}

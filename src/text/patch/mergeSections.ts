import type { FilePatch, Hunk, UpdateFile } from "./filePatch.js";
import { PatchSyntaxError } from "./filePatch.js";

/** A patch's section about one file. */
export interface Section {
  /** 1-based line of the patch. */
  line: number;
  file: FilePatch;
}

/**
 * Merges a patch's sections about the same file: the hunks of all its updates match against the original.
 *
 * @throws PatchSyntaxError if a patch's sections on one path contradict each other, in any order
 */
export function mergeSections(sections: readonly Section[]): FilePatch[] {
  const merged = new Map<string, Section>();
  const hunks = new Map<string, Hunk[]>();
  const glued = new Map<string, Hunk[]>();
  for (const { line, file } of sections) {
    const key = samePath(file.path);
    const earlier = merged.get(key);
    if (!earlier) {
      merged.set(key, { line, file });
      hunks.set(key, file.kind === "add" ? [] : [...file.hunks]);
      glued.set(key, file.kind === "update" ? [...(file.gluedHunks ?? file.hunks)] : []);
    } else if (earlier.file.kind === "update" && file.kind === "update") {
      const joined = hunks.get(key) ?? [];
      for (const hunk of file.hunks) {
        joined.push(hunk);
      }
      const joinedGlued = glued.get(key) ?? [];
      for (const hunk of file.gluedHunks ?? file.hunks) {
        joinedGlued.push(hunk);
      }
      merged.set(key, { line: earlier.line, file: joinUpdates(earlier.file, file, joined, joinedGlued, line) });
    } else {
      throw new PatchSyntaxError(
        line,
        `${file.path} is named a second time: ${NAMES[earlier.file.kind]} on line ${earlier.line}, ${NAMES[file.kind]} here.`,
        "Use one section per file.",
      );
    }
  }
  refuseTakenTargets(merged);
  return [...merged.values()].map(({ file }) => withoutIdleMove(file));
}

const NAMES: Record<FilePatch["kind"], string> = { add: "added", delete: "deleted", update: "updated" };

function joinUpdates(
  first: UpdateFile,
  second: UpdateFile,
  hunks: readonly Hunk[],
  gluedHunks: readonly Hunk[],
  line: number,
): UpdateFile {
  const moveTo = first.moveTo ?? second.moveTo;
  if (second.moveTo !== undefined && second.moveTo !== moveTo) {
    throw new PatchSyntaxError(line, `${first.path} is moved to two paths.`, "Give one path to move it to.");
  }
  const hasGlued = first.gluedHunks !== undefined || second.gluedHunks !== undefined;
  return {
    kind: "update",
    path: first.path,
    ...(moveTo === undefined ? {} : { moveTo }),
    hunks,
    ...(hasGlued ? { gluedHunks } : {}),
  };
}

/** Refuses a move to a path where another file of the patch is or will be. */
function refuseTakenTargets(merged: ReadonlyMap<string, Section>): void {
  const targets = new Set<string>();
  for (const [key, { line, file }] of merged) {
    if (file.kind !== "update" || file.moveTo === undefined || samePath(file.moveTo) === key) {
      continue;
    }
    const target = samePath(file.moveTo);
    if (merged.has(target) || targets.has(target)) {
      throw new PatchSyntaxError(
        line,
        `${file.path} moves to ${file.moveTo}, which another section of the patch uses.`,
        "Use two patches.",
      );
    }
    targets.add(target);
  }
}

function withoutIdleMove(file: FilePatch): FilePatch {
  if (file.kind !== "update" || file.moveTo === undefined || samePath(file.moveTo) !== samePath(file.path)) {
    return file;
  }
  return {
    kind: "update",
    path: file.path,
    hunks: file.hunks,
    ...(file.gluedHunks === undefined ? {} : { gluedHunks: file.gluedHunks }),
  };
}

/**
 * Normalizes spellings of a path that can be recognized without a file system; real paths are checked when the patch is
 * applied.
 */
export function samePath(path: string): string {
  const parts = path.replaceAll("\\", "/").split("/");
  return parts.filter((part, at) => part !== "." && (part !== "" || at === 0)).join("/");
}

import { resolveFrom } from "../../core/paths/resolveFrom.js";
import { ToolError } from "../../core/errors.js";
import type { Files, GatedPath } from "../../ports/files.js";
import type { Search } from "../../ports/search.js";
import { aliasCandidates, exactAliases, type PathAliases } from "../../text/imports/aliases.js";
import { importCandidates } from "../../text/imports/resolve.js";
import { findImports, IMPORTING_EXTENSIONS } from "../../text/imports/scan.js";
import { importPattern, namesImport } from "./importPattern.js";
import { packageAliases } from "./packageAliases.js";
import { ProjectAliases } from "./pathAliases.js";

/** Maximum bytes of a file whose imports are read, and files that are read. */
const MAX_BYTES = 1_000_000;
const MAX_READ = 300;

/** A quoted name of a module that is not relative. */
const QUOTED_NAME = /(["'])(?!\.{1,2}(?:\/|\1))([^"'\\\r\n]{1,200})\1/g;

/**
 * Finds the workspace's files that import one of some files, by a relative path, by a name of their project's
 * tsconfig.json or jsconfig.json, or by the name of a package of the workspace, sorted by path, without those files.
 *
 * @param limit milliseconds for the search
 * @param most how many are wanted
 *
 * @returns also how many there are, at least, and whether that is all of them
 */
export async function importersOf(
  targets: readonly GatedPath[],
  { files, search }: { files: Files; search: Search },
  { limit, most, signal }: { limit: number; most: number; signal: AbortSignal },
): Promise<{ importers: GatedPath[]; total: number; isWhole: boolean }> {
  const wanted = new Set(targets.map(({ absolute }) => absolute));
  const projects = new ProjectAliases(files);
  const ofTargets = await Promise.all(targets.map((at) => projects.of(at)));
  const packages = (await Promise.all(targets.map((at) => packageAliases(files, at)))).flat();
  const pattern = importPattern(
    [...wanted],
    [...ofTargets.flat(), ...packages].flatMap((aliases) => exactAliases(wanted, aliases)),
  );
  const isImport = new RegExp(pattern.source);
  const top = await files.resolve(".");
  const found = await search.search(
    {
      ...{ pattern: pattern.literal ?? pattern.source, at: top, literal: pattern.literal !== undefined },
      ...{ ignoreCase: false, multiline: false, context: 0, includeIgnored: false, timeLimit: limit },
      ...{ include: [`*.{${IMPORTING_EXTENSIONS.join(",")}}`], exclude: ["**/node_modules/**"] },
    },
    signal,
  );
  const likely = found.files.filter((file) => namesImport(file, isImport)).map(({ path }) => path);
  const importers: GatedPath[] = [];
  let total = 0;
  for (const path of likely.sort().slice(0, MAX_READ)) {
    signal.throwIfAborted();
    const at = await resolveFrom(files, top, path);
    if (wanted.has(at.absolute)) {
      continue;
    }
    const text = await files.readSnapshot(at, MAX_BYTES).then(({ text: known }) => known, unreadable);
    const isRelative = findImports(at.absolute, text ?? "").places.some(({ specifier }) =>
      importCandidates(at.absolute, specifier).some((candidate) => wanted.has(candidate.path)),
    );
    if (isRelative || namesOne(text ?? "", wanted, [...(await projects.of(at)), ...packages])) {
      total++;
      importers.push(...(importers.length < most ? [at] : []));
    }
  }
  const isWhole = found.partial === undefined && likely.length <= MAX_READ;
  return { importers, total, isWhole };
}

/** Whether a text has a name that may mean one of some files. */
function namesOne(text: string, wanted: ReadonlySet<string>, projects: readonly PathAliases[]): boolean {
  return (
    projects.length > 0 &&
    [...text.matchAll(QUOTED_NAME)].some(([, , name = ""]) =>
      projects.some((aliases) => aliasCandidates(name, aliases).some(({ path }) => wanted.has(path))),
    )
  );
}

/** A file that went away or is too large is not asked about. */
function unreadable(error: unknown): undefined {
  if (!(error instanceof ToolError)) {
    throw error;
  }
}

import type { Files, GatedPath, TextSnapshot } from "../../ports/files.js";
import type { ImportPlan, Imports, ImportUpdate, PlannedFile, UpdatedText } from "../../ports/imports.js";
import type { Search } from "../../ports/search.js";
import {
  findImports,
  IMPORTING_EXTENSIONS,
  mayImport,
  rewriteImports,
  type ImportPlace,
} from "../../text/imports/scan.js";
import { importCandidates, resolveImport, specifiersFor, type ImportTarget } from "../../text/imports/resolve.js";
import { compareCodeUnits } from "../../text/nearest.js";
import { ToolError } from "../../core/errors.js";
import { fileKey } from "../../core/paths/fileKey.js";
import { importPattern, namesImport } from "./importPattern.js";
import type { Ledger } from "./ledger.js";
import { baseName, parentPath } from "../../core/paths/pathShape.js";
import { pinFiles } from "../../core/paths/pinnedFiles.js";
import { protectedReason } from "../../core/paths/protectedFiles.js";
import { resolveFrom } from "../../core/paths/resolveFrom.js";
import { namedLines } from "../../text/words.js";

/** Maximum number of files whose imports are checked for one patch: for more, a script is the better tool. */
const MAX_IMPORTERS = 500;
/** Time limit of the search, in ms: a whole call has 30 s. */
const SEARCH_LIMIT = 10_000;
/** Maximum size, in bytes, of a file whose imports are updated: a larger one is usually generated. */
const MAX_IMPORTER_BYTES = 2_000_000;
/** Maximum number of notes about imports that were left alone. */
const MAX_NOTES = 20;

export interface ImportUpdaterHost {
  files: Files;
  search: Search;
  /** Whether the user wants imports to be updated when files move. */
  isOn(): boolean;
  ledger(): Promise<Ledger>;
  /** Throws `ToolError` when a file is marked read-only. */
  checkWritable(at: GatedPath): Promise<void>;
}

/**
 * Plans how to update imports of files that move. Language servers could do this, but VS Code does not say in advance
 * what they would change: their edits could be neither previewed nor undone with the move (docs/rooms/changes.md,
 * "Moves and imports").
 */
export class ImportUpdater implements Imports {
  readonly #host: ImportUpdaterHost;

  constructor(host: ImportUpdaterHost) {
    // The call did not name the files that import a moved file, so no secrets are read.
    this.#host = { ...host, files: pinFiles(host.files, new Map()) };
  }

  async plan(planned: readonly PlannedFile[], signal: AbortSignal): Promise<ImportPlan | undefined> {
    const world = new PlannedWorld(this.#host.files, planned);
    if (!this.#host.isOn() || world.moved.size === 0) {
      return undefined;
    }
    const notes: string[] = [];
    const updated: ImportPlan["planned"] = [];
    for (const { from, to, text, written } of planned) {
      const isOpen =
        from !== undefined && to !== undefined && text !== undefined && mayImport(to.path) && !crossesOut(from, to);
      updated.push(
        isOpen
          ? await updateImports(
              { shown: to.path, from: from.absolute, to: to.absolute, text, written },
              world,
              notes,
            ).catch(notUpdated(to.path, notes))
          : undefined,
      );
    }
    const others = await this.#others(planned, world, notes, signal);
    const rest = notes.length - MAX_NOTES;
    return {
      planned: updated,
      others,
      notes: [...notes.slice(0, MAX_NOTES), ...(rest > 0 ? [`and ${rest} more imports to check`] : [])],
    };
  }

  async keepUnread(session: string, others: readonly ImportUpdate[]): Promise<() => Promise<void>> {
    const ledger = await this.#host.ledger();
    const unread = others.filter(({ at, before }) => ledger.check(session, fileKey(at), before) !== "same");
    return async () => unread.forEach(({ at }) => ledger.forget(session, fileKey(at)));
  }

  /** Plans updates of files that import a moved file and are not part of the patch themselves. */
  async #others(
    planned: readonly PlannedFile[],
    world: PlannedWorld,
    notes: string[],
    signal: AbortSignal,
  ): Promise<ImportUpdate[]> {
    const own = new Set(
      planned.flatMap(({ from, to }) => [from, to].flatMap((at) => (at === undefined ? [] : [fileKey(at)]))),
    );
    const updates = new Map<string, ImportUpdate>();
    for (const { path, place } of await this.#importers(planned, notes, signal)) {
      signal.throwIfAborted();
      try {
        const at = await resolveFrom(this.#host.files, place, path);
        const key = fileKey(at);
        if (own.has(key) || updates.has(key) || at.root === undefined || at.root.scheme === "untitled") {
          continue;
        }
        const before = await this.#host.files.readSnapshot(at, MAX_IMPORTER_BYTES);
        const update = await this.#updateOther(at, before, world, notes);
        if (update !== undefined) {
          updates.set(key, update);
        }
      } catch (error) {
        notUpdated(path, notes)(error);
      }
    }
    return [...updates.values()].sort((a, b) => compareCodeUnits(a.at.path, b.at.path));
  }

  async #updateOther(
    at: GatedPath,
    before: TextSnapshot,
    world: PlannedWorld,
    notes: string[],
  ): Promise<ImportUpdate | undefined> {
    const told: string[] = [];
    const update = await updateImports(
      { shown: at.path, from: at.absolute, to: at.absolute, text: before.text, written: [] },
      world,
      told,
    );
    if (update === undefined) {
      notes.push(...told);
      return undefined;
    }
    // The patch does not name the file: a protected file needs a question that names it, or no change at all.
    const reason = protectedReason(at.path) ?? protectedReason(at.realPath);
    if (reason !== undefined) {
      notes.push(`Imports in ${at.path} (${namedLines(update.lines)}) were not updated: it is protected: ${reason}.`);
      return undefined;
    }
    await this.#host.checkWritable(at).catch((error: unknown) => {
      throw error instanceof ToolError ? new ToolError(error.type, error.message.replace(at.absolute, at.path)) : error;
    });
    notes.push(...told);
    return { at, before, ...update };
  }

  /**
   * Finds files that may import a moved file: those that name it in a quoted path. Also returns where it found them.
   */
  async #importers(
    planned: readonly PlannedFile[],
    notes: string[],
    signal: AbortSignal,
  ): Promise<{ path: string; place: GatedPath }[]> {
    const { files, search } = this.#host;
    const moves = planned.flatMap(({ from, to }) =>
      from !== undefined && to !== undefined && from.absolute !== to.absolute && !crossesOut(from, to) ? [from] : [],
    );
    const pattern = importPattern(moves.map(({ absolute }) => absolute));
    const isImport = new RegExp(pattern.source);
    const places = new Set(moves.map(({ root }) => (root?.beside ? root.path : ".")));
    const found: { path: string; place: GatedPath }[] = [];
    for (const named of places) {
      const place = await files.resolve(named);
      const request = {
        pattern: pattern.literal ?? pattern.source,
        at: place,
        literal: pattern.literal !== undefined,
        ignoreCase: false,
        multiline: false,
        context: 0,
        include: [`*.{${IMPORTING_EXTENSIONS.join(",")}}`],
        exclude: ["**/node_modules/**"],
        includeIgnored: false,
        timeLimit: SEARCH_LIMIT,
      };
      const { files: matches, partial } = await search.search(request, signal);
      if (partial !== undefined) {
        notes.push(
          `Not all importing files may have been found: the search was stopped ${partial === "time" ? `after ${SEARCH_LIMIT / 1000} s` : partial === "size" ? "at too many matches" : "because of its memory use"}.`,
        );
      }
      found.push(...matches.filter((file) => namesImport(file, isImport)).map(({ path }) => ({ path, place })));
    }
    if (found.length > MAX_IMPORTERS) {
      notes.push(
        `${found.length - MAX_IMPORTERS} of ${found.length} files that may import a moved file were not checked: the limit is ${MAX_IMPORTERS}.`,
      );
    }
    return found.slice(0, MAX_IMPORTERS);
  }
}

/** Notes why a file's imports stay unchanged; rethrows anything but a `ToolError`. */
function notUpdated(path: string, notes: string[]): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof ToolError)) {
      throw error;
    }
    notes.push(`Imports in ${path} were not updated: ${error.message.replace(/ Nothing was changed\.$/, "")}`);
    return undefined;
  };
}

/** Whether a move starts or ends outside the workspace: no imports are searched for there. */
function crossesOut(from: GatedPath, to: GatedPath): boolean {
  return from.outside === true || to.outside === true;
}

/** A file whose imports are updated; its paths are absolute, links resolved. */
interface ImportingFile {
  /** Its name, as shown to people. */
  shown: string;
  from: string;
  to: string;
  text: string;
  written: PlannedFile["written"];
}

/**
 * Rewrites imports so that each leads where it led before. Returns undefined if nothing changes.
 *
 * @param notes receives what was left alone
 */
async function updateImports(
  { shown, from, to, text, written }: ImportingFile,
  world: PlannedWorld,
  notes: string[],
): Promise<UpdatedText | undefined> {
  const { places, complete } = findImports(to, text);
  const changes: { place: ImportPlace; specifier: string }[] = [];
  for (const place of places) {
    const { specifier, line } = place;
    const isWritten = written.some(({ start, end }) => start <= line && line <= end);
    if (from === to && !importCandidates(from, specifier).some(({ path }) => world.moved.has(path))) {
      continue;
    }
    const now = await resolveImport(to, specifier, (path) => world.kindAfter(path));
    if (isWritten && now !== undefined) {
      continue;
    }
    const target = await resolveImport(from, specifier, (path) => world.kindBefore(path));
    if (target === undefined || isGone(target, world)) {
      if (from !== to && now === undefined) {
        notes.push(`${shown}: line ${line}: ${specifier} does not resolve to a file; left unchanged.`);
      }
      continue;
    }
    const wanted = world.moved.get(target.path) ?? target.path;
    // A new file that the patch puts in a moved file's place replaces it: a.ts becomes a/impl.ts, and a/index.ts is
    // new.
    const isReplaced = now !== undefined && world.moved.has(target.path) && world.added.has(now.path);
    if (now?.path === wanted || isReplaced) {
      continue;
    }
    const better = await firstLeadingTo(
      wanted,
      specifiersFor(to, wanted, specifier, target.form),
      to,
      text.slice(place.start - 1, place.start),
      world,
    );
    if (better === undefined) {
      notes.push(
        `${shown}: line ${line}: ${specifier} was left unchanged: the new path cannot be written in its quotes.`,
      );
    } else {
      changes.push({ place, specifier: better });
    }
  }
  if (!complete) {
    notes.push(`${shown} is too long to search for imports; check them yourself.`);
  }
  return changes.length === 0
    ? undefined
    : { text: rewriteImports(text, changes), lines: [...new Set(changes.map(({ place }) => place.line))] };
}

/** Whether the patch deletes the import's target without moving it. */
function isGone({ path }: ImportTarget, world: PlannedWorld): boolean {
  return world.gone.has(path) && !world.moved.has(path);
}

async function firstLeadingTo(
  wanted: string,
  specifiers: readonly string[],
  from: string,
  quote: string,
  world: PlannedWorld,
): Promise<string | undefined> {
  for (const specifier of specifiers) {
    const isSafe = !specifier.includes(quote) && !/[\\\p{Cc}\u2028\u2029]/u.test(specifier);
    if (isSafe && (await resolveImport(from, specifier, (path) => world.kindAfter(path)))?.path === wanted) {
      return specifier;
    }
  }
  return undefined;
}

type Kind = "file" | "directory" | "other" | undefined;

/** Which files exist before and after a patch. Paths are absolute, links resolved. */
class PlannedWorld {
  readonly #files: Files;
  readonly #folders = new Map<string, Promise<ReadonlyMap<string, Kind>>>();
  /** The new path of each moved file. */
  readonly moved = new Map<string, string>();
  /** Paths that had a file before the patch and have none after it. */
  readonly gone = new Set<string>();
  /** New files. */
  readonly added = new Set<string>();
  readonly #placed = new Set<string>();

  constructor(files: Files, planned: readonly PlannedFile[]) {
    this.#files = files;
    for (const { from, to } of planned) {
      if (from !== undefined && to !== undefined && from.absolute !== to.absolute) {
        this.moved.set(from.absolute, to.absolute);
      }
      if (from === undefined && to !== undefined) {
        this.added.add(to.absolute);
      }
      if (from !== undefined && from.absolute !== to?.absolute) {
        this.gone.add(from.absolute);
      }
      if (to !== undefined) {
        this.#placed.add(to.absolute);
      }
    }
  }

  /** Lists each folder only once: a specifier may mean two dozen files. */
  async kindBefore(path: string): Promise<Kind> {
    const folder = parentPath(path);
    const entries = this.#folders.get(folder) ?? this.#list(folder);
    this.#folders.set(folder, entries);
    return (await entries).get(baseName(path));
  }

  async kindAfter(path: string): Promise<Kind> {
    return this.#placed.has(path) ? "file" : this.gone.has(path) ? undefined : this.kindBefore(path);
  }

  /**
   * Returns a folder's entries; none if it does not exist or is outside the workspace.
   *
   * @throws ToolError if it cannot be listed: imports into it cannot be resolved then
   */
  async #list(folder: string): Promise<ReadonlyMap<string, Kind>> {
    try {
      const entries = await this.#files.list(await this.#files.resolve(folder));
      return new Map(entries.map(({ name, kind }) => [name, kind]));
    } catch (error) {
      if (error instanceof ToolError && error.type !== "io_error") {
        return new Map();
      }
      throw error;
    }
  }
}

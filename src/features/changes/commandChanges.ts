import type { JournalCall } from "../../core/pipeline/changeOrigin.js";
import { fileKey } from "../../core/paths/fileKey.js";
import type { DecodedContent } from "../../ports/changes.js";
import type { EntryState, Files, GatedPath } from "../../ports/files.js";
import { changedLines } from "./journal/changedLines.js";
import { sameImage } from "./journal/images.js";
import type { Journal } from "./journal/journal.js";
import type { JournalQueries } from "./journal/queries.js";
import type { Image, ImageRef, JournalChange } from "./journal/types.js";
import { undoFiles } from "./journal/undoFiles.js";

/** A file that a command changed, with its bytes before and after; or a link, a folder or a mode. */
export interface CommandChange {
  /** As people write it. */
  path: string;
  /** For a move: where it was. */
  from?: string;
  /** Its real path, where it is now. */
  absolute: string;
  /** Undefined where there was no file, or is none. */
  before?: Uint8Array | EntryState;
  after?: Uint8Array | EntryState;
  /** Permission bits of the file before. */
  mode?: number;
  foldersMade: number;
  /** Whether others may have made it: it is recorded as a call of its own, which undo of the turn leaves. */
  perhapsOthers?: boolean;
}

/** What others did while a command ran. */
export interface Meanwhile {
  /** When it started, in milliseconds since 1970. */
  since: number;
  /** When the roots had been looked at before it ran: what was changed until then may have been seen or not. */
  looked?: number;
  /** Calls that were changing files when it started. */
  unfinished?: readonly number[];
  /** The roots that were compared, by their real paths, with what people write before paths in them. */
  roots: readonly { real: string; prefix: string }[];
  /** Files that the user saved since, by their real paths; without bytes if those were not kept. */
  saved: ReadonlyMap<string, { at: number; bytes: Uint8Array | undefined }>;
  /** Whether its process was killed while it ran, perhaps long ago: what tools have changed since is not looked at. */
  isLeft?: boolean;
  /** Whether others may have changed files outside of Toolhost. */
  perhapsOthers?: boolean;
  /** Whether its notes are kept even if no file is recorded. */
  isNoted?: boolean;
}

/** What was recorded of a command's changes. */
export interface RecordedCommand {
  /** Number of lines of the texts among them, by path. */
  lines: Map<string, { added: number; removed: number }>;
  /** Those that were not recorded, each with the reason. */
  left: { path: string; why: string }[];
  /** The paths of files that only others have changed. */
  others: Set<string>;
  /** The paths of files whose changes others may have made. */
  perhapsOthers: Set<string>;
  /** Number of changes that were recorded. */
  made: number;
  /** The texts that the command alone has changed, by real paths. */
  texts: Map<string, ChangedText>;
}

/** A text before and after a command. */
export interface ChangedText {
  before: string;
  after: string;
}

/** Files, as the host of a command sees them. */
export interface CommandFiles {
  files: Files;
  decode: (at: GatedPath, bytes: Uint8Array) => Promise<DecodedContent>;
}

/** What others made of a file while a command ran: the command changed it before the first of them, or after the last. */
interface Company {
  /** What the first of them found; `unknown` if that was not recorded. */
  found: Image | undefined | "unknown";
  /** What the last of them left. */
  left: Image | undefined | "unknown";
  /** What those left that may have been done before the file was looked at. */
  early: readonly (Image | undefined)[];
}

/**
 * Records changes that a command has already made, as one call of the journal, which undo then takes back like an edit.
 * Where others changed a file meanwhile, only what came before and after them is recorded: so each undo leads to what
 * was there just before.
 *
 * @param notes given what could not be recorded, returns the call's notes
 * @throws what `Journal.begin` throws
 */
export async function recordCommand(
  journal: Journal,
  call: JournalCall,
  changes: readonly CommandChange[],
  meanwhile: Meanwhile,
  { files, decode }: CommandFiles,
  notes: (left: RecordedCommand["left"]) => string[],
): Promise<RecordedCommand> {
  const recorded: RecordedCommand = {
    lines: new Map(),
    left: [],
    others: new Set(),
    perhapsOthers: new Set(),
    made: 0,
    texts: new Map(),
  };
  const certain: JournalChange[] = [];
  const perhaps: JournalChange[] = [];
  const company = await companyOf(journal.queries, meanwhile, files, decode);
  const touched = meanwhile.isLeft === true ? touchedSince(journal.queries, meanwhile.since) : new Set<string>();
  const alone = changes.flatMap((change) => split(change, company, meanwhile));
  for (const { path, from, absolute, before, after, mode, foldersMade, perhapsOthers = false } of alone) {
    const planned = perhapsOthers ? perhaps : certain;
    const count = planned.length;
    try {
      // What is gone may have been in a folder whose place a link has now: that leads elsewhere.
      const gone = (name: string): Promise<GatedPath> => files.resolvePlace?.(name) ?? entryPlace(files, name);
      const at = await (after === undefined ? gone(path) : entryPlace(files, path));
      const old = from === undefined ? undefined : await gone(from);
      // The path must still lead to the file that was seen.
      if (fileKey(at) !== absolute) {
        recorded.left.push({ path, why: "its path leads elsewhere now" });
        continue;
      }
      // It may have been recorded before the kill, or a tool changed the file later.
      if (touched.has(absolute) || (old !== undefined && touched.has(fileKey(old)))) {
        recorded.others.add(path);
        continue;
      }
      if (isEntry(before) || isEntry(after)) {
        // A large file may have been, or be, a small one.
        const image = async (state: typeof before): Promise<Image | undefined> =>
          isEntry(state) ? { entry: state } : state && (await decode(at, state));
        const [was, is] = await Promise.all([image(before), image(after)]);
        planned.push({ ...placed(at, old), ...images(was, is, false), ...modeOf(mode), foldersMade });
        continue;
      }
      const [was, is] = await Promise.all([before && decode(old ?? at, before), after && decode(at, after)]);
      const others = company.get(absolute);
      company.delete(absolute);
      const parts = others === undefined ? [[was, is] as const] : partsOf(was, is, others);
      if (parts === undefined) {
        recorded.left.push({ path, why: "what it was before others changed it meanwhile" });
      }
      if (others !== undefined && parts?.length === 0) {
        recorded.others.add(path);
      }
      for (const [first, last] of parts ?? []) {
        planned.push({ ...placed(at, old), ...images(first, last, old !== undefined), ...modeOf(mode), foldersMade });
      }
      if (parts !== undefined && parts.length > 0 && isText(was) && isText(is)) {
        recorded.lines.set(path, changedLines(was?.text ?? "", is?.text ?? ""));
        if (was !== undefined && is !== undefined && others === undefined && !perhapsOthers) {
          recorded.texts.set(absolute, { before: was.text, after: is.text });
        }
      }
    } catch (error) {
      recorded.left.push({ path, why: error instanceof Error ? error.message : String(error) });
    }
    if (perhapsOthers && planned.length > count) {
      recorded.perhapsOthers.add(path);
    }
  }
  if (meanwhile.isLeft !== true) {
    const back = await changedBack(company, meanwhile, files, recorded);
    const planned = meanwhile.perhapsOthers === true ? perhaps : certain;
    planned.push(...back);
    if (planned === perhaps) {
      back.forEach(({ path }) => recorded.perhapsOthers.add(path));
    }
  }
  recorded.made = certain.length + perhaps.length;
  const told = notes(recorded.left);
  const noted = told.length > 0 && { notes: told };
  if (certain.length > 0) {
    await record(journal, { ...call, ...noted }, certain);
  }
  if (perhaps.length > 0) {
    await record(journal, { ...call, ...(certain.length === 0 && noted), perhapsOthers: true }, perhaps);
  }
  if (recorded.made === 0 && told.length > 0 && (meanwhile.isNoted === true || recorded.left.length > 0)) {
    await record(journal, { ...call, ...noted }, []);
  }
  return recorded;
}

/** Records changes that are made already. */
async function record(journal: Journal, call: JournalCall, planned: readonly JournalChange[]): Promise<void> {
  const pending = await journal.begin(call, planned);
  await pending.settle(planned.map(({ foldersMade = 0 }) => ({ saved: true, text: undefined, foldersMade })));
}

/**
 * Returns what a command changed in a file that others changed, too: the content before the first of them, and what the
 * command made of what the last of them left. Undefined if that cannot be determined or recorded.
 */
function partsOf(
  was: Image | undefined,
  is: Image | undefined,
  { found, left, early }: Company,
): (readonly [Image | undefined, Image | undefined])[] | undefined {
  if (left === "unknown") {
    return [];
  }
  const later = sameImage(left, is) ? [] : [[left, is] as const];
  if (found === "unknown" || sameImage(was, found) || early.some((image) => sameImage(was, image))) {
    return later;
  }
  // In the journal it comes after what it came before. Texts can be merged, so their order does not matter.
  return isText(was) && isText(found) && was !== undefined && found !== undefined
    ? [[was, found], ...later]
    : later.length > 0
      ? later
      : undefined;
}

/** Returns the real paths of all that calls have changed since a moment. */
function touchedSince(journal: JournalQueries, since: number): Set<string> {
  return new Set(
    journal
      .changesSince(since)
      .flatMap(({ absolute, toAbsolute }) => [absolute, ...(toAbsolute === undefined ? [] : [toAbsolute])]),
  );
}

/** Follows what tools and the user made of files meanwhile, by real paths. */
async function companyOf(
  journal: JournalQueries,
  { since, looked = since, unfinished, saved, roots }: Meanwhile,
  files: Files,
  decode: CommandFiles["decode"],
): Promise<Map<string, Company>> {
  const company = new Map<string, Company & { at: number }>();
  const image = (ref: ImageRef | undefined): Company["left"] => ref && (journal.image(ref) ?? "unknown");
  const note = (absolute: string, at: number, found: Company["found"], left: Company["left"]): void => {
    const earlier = company.get(absolute);
    const early = earlier?.early ?? [];
    company.set(absolute, {
      at,
      found: earlier === undefined ? found : earlier.found,
      left,
      early: at <= looked && left !== "unknown" ? [...early, left] : early,
    });
  };
  for (const change of journal.changesSince(since, unfinished)) {
    const { at, absolute, toAbsolute, before, after, state } = change;
    if (state === "not_applied" || before?.form === "mode") {
      continue;
    }
    const left = state === "applied" ? image(after) : "unknown";
    if (toAbsolute === undefined) {
      note(absolute, at, image(before), left);
    } else {
      note(absolute, at, image(before), undefined);
      note(toAbsolute, at, undefined, left);
    }
  }
  for (const [absolute, { at, bytes }] of saved) {
    if (at >= (company.get(absolute)?.at ?? 0)) {
      const path = pathIn(roots, absolute);
      const place = path === undefined ? undefined : await files.resolve(path).catch(() => undefined);
      note(
        absolute,
        at,
        "unknown",
        bytes === undefined || place === undefined ? "unknown" : await decode(place, bytes),
      );
    }
  }
  return company;
}

/**
 * Returns what a command did to files that others changed meanwhile, where only that shows it: it deleted what they had
 * made, or brought back what had been there before.
 */
async function changedBack(
  company: ReadonlyMap<string, Company>,
  { roots }: Meanwhile,
  files: Files,
  recorded: RecordedCommand,
): Promise<JournalChange[]> {
  const planned: JournalChange[] = [];
  for (const [absolute, { left }] of company) {
    const path = pathIn(roots, absolute);
    if (left === "unknown" || path === undefined) {
      continue;
    }
    try {
      const at = await files.resolve(path);
      const now = await undoFiles(files).current(at);
      const isEdited = now !== undefined && "unsaved" in now && now.unsaved;
      if (fileKey(at) === absolute && !isEdited && !sameImage(left, now)) {
        planned.push({ ...placed(at, undefined), ...images(left, now, false), foldersMade: 0 });
        if (isText(left) && isText(now)) {
          recorded.lines.set(path, changedLines(left?.text ?? "", now?.text ?? ""));
        }
      }
    } catch {
      // The file cannot be read now, so its changed lines are unknown.
    }
  }
  return planned;
}

/** Makes a deletion and a creation of a move where others had to do with the file meanwhile. */
function split(
  change: CommandChange,
  company: ReadonlyMap<string, Company>,
  { roots }: Meanwhile,
): readonly CommandChange[] {
  const { path, from, absolute, before, after, foldersMade, perhapsOthers = false } = change;
  const root = roots.find(({ prefix, real }) => absolute === `${real}/${path.slice(prefix.length)}`);
  if (from === undefined || root === undefined) {
    return [change];
  }
  const old = `${root.real}/${from.slice(root.prefix.length)}`;
  if (!company.has(absolute) && !company.has(old)) {
    return [change];
  }
  return [
    { path: from, absolute: old, ...(before && { before }), foldersMade: 0, perhapsOthers },
    { path, absolute, ...(after && { after }), foldersMade, perhapsOthers },
  ];
}

/** Returns the path, as people write it, of a file below the roots. */
function pathIn(roots: Meanwhile["roots"], absolute: string): string | undefined {
  const root = roots.find(({ real }) => absolute.startsWith(`${real}/`));
  return root && root.prefix + absolute.slice(root.real.length + 1);
}

function isEntry(state: CommandChange["before"]): state is EntryState {
  return state !== undefined && !(state instanceof Uint8Array);
}

/** Resolves a path whose last part may be a link by now. */
export function entryPlace(files: Files, path: string): Promise<GatedPath> {
  return files.resolveEntry?.(path) ?? files.resolve(path);
}

function isText(image: Image | undefined): image is { text: string } | undefined {
  return image === undefined || "text" in image;
}

function images(
  before: Image | undefined,
  after: Image | undefined,
  isMove: boolean,
): Pick<JournalChange, "kind" | "before" | "after"> {
  return {
    kind: isMove ? "move" : before === undefined ? "create" : after === undefined ? "delete" : "replace",
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  };
}

function modeOf(mode: number | undefined): { mode?: number } {
  return mode === undefined ? {} : { mode };
}

function placed(at: GatedPath, old: GatedPath | undefined): Omit<JournalChange, "kind"> {
  return old === undefined
    ? { path: at.path, absolute: fileKey(at) }
    : { path: old.path, absolute: fileKey(old), to: at.path, toAbsolute: fileKey(at) };
}

import type { CommandCall, Effect, Effects, EffectWatch, FileEffect, UnknownEffect } from "../../ports/effects.js";
import { folderOf, type Uncovered } from "./snapshot.js";
import type { FileContents, Snapshots, WatchedRoot } from "./snapshots.js";

/** Maximum number of changes that an effect lists; the rest is counted. */
const MAX_CHANGES = 200;
/** Maximum number of folders named that were not looked at. */
const MAX_NOT_COVERED = 3;
/** Maximum number of commands watched at once: each keeps a snapshot. */
const MAX_WATCHES = 16;
/** Maximum number of changes named that cannot be undone. */
const MAX_NOT_UNDONE = 5;
/** Maximum number of saves remembered. */
const MAX_SAVES = 1_000;

/** A file that a command changed, to be recorded for undo. */
interface ChangedFile extends Omit<FileContents, "why"> {
  /** The real paths of its root and of where it is now; `path` and `from` are as people write them. */
  absolute: string;
}

/** What was recorded of a command's changes. */
export interface Recorded {
  /** By path. */
  lines: ReadonlyMap<string, { added: number; removed: number }>;
  /** Those that are not in the undo journal, each with the reason. */
  left: { path: string; why: string }[];
}

export interface CommandEffectsHost {
  snapshots: Snapshots;
  /** The roots on this machine's disk. */
  roots(): readonly WatchedRoot[];
  /** Returns the real paths of files that tools changed since a moment, in milliseconds since 1970. */
  changedByTools(since: number): Promise<ReadonlySet<string>>;
  /** Whether a file's name is one that tools give the files of a change while they make it. */
  isOfChange(name: string): boolean;
  /** Records what a command has changed, so that it can be undone. */
  record(call: CommandCall, files: readonly ChangedFile[]): Promise<Recorded>;
  /** Milliseconds since 1970. */
  now(): number;
}

/** A command that runs. */
interface Running {
  isShared: boolean;
}

/** Tells what commands changed from snapshots of the workspace at their starts and ends. */
export class CommandEffects implements Effects {
  readonly #host: CommandEffectsHost;
  readonly #running = new Set<Running>();
  /** When the user saved files, oldest first. */
  readonly #saves = new Map<string, number>();

  constructor(host: CommandEffectsHost) {
    this.#host = host;
  }

  /** Notes that the user saved a file, by its absolute path. */
  saved(absolute: string): void {
    this.#saves.delete(absolute);
    this.#saves.set(absolute, this.#host.now());
    const [oldest] = this.#saves.keys();
    if (oldest !== undefined && this.#saves.size > MAX_SAVES) {
      this.#saves.delete(oldest);
    }
  }

  async start(call: CommandCall): Promise<EffectWatch> {
    const roots = this.#host.roots();
    if (this.#running.size >= MAX_WATCHES) {
      return known({ unknown: `${MAX_WATCHES} other commands are running` });
    }
    // Two that run at once share what changes, from the first one's snapshot on.
    const running: Running = { isShared: this.#running.size > 0 };
    this.#running.forEach((other) => (other.isShared = true));
    this.#running.add(running);
    const started = this.#host.now();
    const taken = await this.#host.snapshots
      .take(roots.map(({ folder }) => folder))
      .catch(() => ({ unknown: "the folder could not be looked at" }));
    if (typeof taken !== "number") {
      this.#running.delete(running);
      return known(taken);
    }
    return {
      end: async () => {
        try {
          const found = await this.#host.snapshots.compare(taken);
          return "unknown" in found ? found : await this.#effect(found, taken, roots, started, running, call);
        } catch {
          return { unknown: "the folder could not be compared" };
        } finally {
          this.#running.delete(running);
        }
      },
    };
  }

  async #effect(
    found: Exclude<Awaited<ReturnType<Snapshots["compare"]>>, { unknown: string }>,
    snapshot: number,
    roots: readonly WatchedRoot[],
    started: number,
    { isShared }: Running,
    call: CommandCall,
  ): Promise<Effect> {
    const hasChanges = found.some(({ changes }) => changes.length > 0);
    const byTools = hasChanges ? await this.#host.changedByTools(started).catch(() => new Set<string>()) : undefined;
    const isByOthers = (at: number, path: string): boolean =>
      byTools?.has(`${found[at]?.real}/${path}`) === true ||
      this.#host.isOfChange(path.slice(folderOf(path).length).replace("/", "")) ||
      [found[at]?.real, roots[at]?.folder].some((base) => (this.#saves.get(`${base}/${path}`) ?? -1) >= started);
    const { lines, left } = await this.#record(snapshot, found, roots, isByOthers, hasChanges, call);
    const changes: FileEffect[] = [];
    const parts: Uncovered[] = [];
    found.forEach(({ changes: own, uncovered }, at) => {
      const { prefix = "" } = roots[at] ?? {};
      for (const change of own) {
        const others = isByOthers(at, change.path);
        const counted = lines.get(prefix + change.path);
        changes.push({
          ...change,
          path: prefix + change.path,
          ...(change.from !== undefined && { from: prefix + change.from }),
          ...(counted !== undefined && { lines: counted }),
          ...(others && { meanwhile: true }),
        });
      }
      parts.push(...topmost(uncovered).map((part) => ({ ...part, path: `${prefix}${part.path}` })));
    });
    // Those that matter most are named.
    parts.sort((a, b) => Number(a.isIgnored) - Number(b.isIgnored));
    return {
      changes: changes.slice(0, MAX_CHANGES),
      more: Math.max(0, changes.length - MAX_CHANGES),
      ignored: found.reduce((sum, { ignored }) => sum + ignored, 0),
      notCovered: parts.slice(0, MAX_NOT_COVERED).map(({ path, why }) => `${path === "" ? "." : path} (${why})`),
      moreNotCovered: Math.max(0, parts.length - MAX_NOT_COVERED),
      isPartial: parts.some(({ isIgnored }) => !isIgnored),
      isShared,
      notUndone: left.slice(0, MAX_NOT_UNDONE).map(({ path, why }) => `${path} (${why})`),
      moreNotUndone: Math.max(0, left.length - MAX_NOT_UNDONE),
    };
  }

  /** Records what the command changed, except what others changed meanwhile: that is theirs. */
  async #record(
    snapshot: number,
    found: readonly { real: string }[],
    roots: readonly WatchedRoot[],
    isByOthers: (at: number, path: string) => boolean,
    hasChanges: boolean,
    call: CommandCall,
  ): Promise<Recorded> {
    if (!hasChanges) {
      return { lines: new Map(), left: [] };
    }
    const contents = await this.#host.snapshots.contents(snapshot).catch(() => undefined);
    if (contents === undefined) {
      return { lines: new Map(), left: [{ path: ".", why: "what it changed could not be read" }] };
    }
    const all = contents.flatMap((files, at) => {
      const { real = "" } = found[at] ?? {};
      const { prefix = "" } = roots[at] ?? {};
      return files
        .filter(({ path }) => !isByOthers(at, path))
        .map(({ path, from, ...file }) => ({
          ...file,
          path: prefix + path,
          absolute: `${real}/${path}`,
          ...(from !== undefined && { from: prefix + from }),
        }));
    });
    const unread = all.flatMap(({ path, why }) => (why === undefined ? [] : [{ path, why }]));
    const files = all.filter(({ why }) => why === undefined);
    try {
      const recorded = await this.#host.record(call, files);
      return { ...recorded, left: [...recorded.left, ...unread] };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { lines: new Map(), left: files.length === 0 ? unread : [{ path: ".", why }] };
    }
  }
}

/** Returns the folders at the top that hold what was not covered, each once: thousands may be below one. */
function topmost(uncovered: readonly Uncovered[]): Uncovered[] {
  const tops = new Map<string, Uncovered>();
  for (const part of uncovered) {
    const path = part.path.split("/")[0] ?? "";
    const earlier = tops.get(path);
    tops.set(path, { ...part, path, isIgnored: part.isIgnored && earlier?.isIgnored !== false });
  }
  return [...tops.values()];
}

function known(effect: UnknownEffect): EffectWatch {
  return { end: () => Promise.resolve(effect) };
}

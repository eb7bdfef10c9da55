import type { Effect, Effects, EffectWatch, FileEffect, UnknownEffect } from "../../ports/effects.js";
import { folderOf, type Uncovered } from "./snapshot.js";
import type { Snapshots, WatchedRoot } from "./snapshots.js";

/** Maximum number of changes that an effect lists; the rest is counted. */
const MAX_CHANGES = 200;
/** Maximum number of folders named that were not looked at. */
const MAX_NOT_COVERED = 3;
/** Maximum number of commands watched at once: each keeps a snapshot. */
const MAX_WATCHES = 16;
/** Maximum number of saves remembered. */
const MAX_SAVES = 1_000;

export interface CommandEffectsHost {
  snapshots: Snapshots;
  /** The roots on this machine's disk. */
  roots(): readonly WatchedRoot[];
  /** Returns the real paths of files that tools changed since a moment, in milliseconds since 1970. */
  changedByTools(since: number): Promise<ReadonlySet<string>>;
  /** Whether a file's name is one that tools give the files of a change while they make it. */
  isOfChange(name: string): boolean;
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

  async start(): Promise<EffectWatch> {
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
          return "unknown" in found ? found : await this.#effect(found, roots, started, running);
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
    roots: readonly WatchedRoot[],
    started: number,
    { isShared }: Running,
  ): Promise<Effect> {
    const hasChanges = found.some(({ changes }) => changes.length > 0);
    const byTools = hasChanges ? await this.#host.changedByTools(started).catch(() => new Set<string>()) : undefined;
    const changes: FileEffect[] = [];
    const parts: Uncovered[] = [];
    found.forEach(({ changes: own, uncovered, real }, at) => {
      const { folder = "", prefix = "" } = roots[at] ?? {};
      for (const change of own) {
        const others =
          byTools?.has(`${real}/${change.path}`) === true ||
          this.#host.isOfChange(change.path.slice(folderOf(change.path).length).replace("/", "")) ||
          [real, folder].some((base) => (this.#saves.get(`${base}/${change.path}`) ?? -1) >= started);
        changes.push({
          ...change,
          path: prefix + change.path,
          ...(change.from !== undefined && { from: prefix + change.from }),
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
    };
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

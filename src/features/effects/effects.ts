import type { CommandCall, Effect, Effects, EffectWatch, UnknownEffect } from "../../ports/effects.js";
import { ALONE, hadCompany, mayBeOthers, type Period } from "./authorship.js";
import { folderOf } from "./snapshot.js";
import { toldEffect } from "./toldEffect.js";
import { undoNotes, type RootMove } from "./undoNotes.js";
import { notCovered } from "./uncovered.js";
import { UserSaves, type SavedFile } from "./userSaves.js";
import type { FileContents, LeftChange, LeftSnapshot, RootContents, Snapshots, WatchedRoot } from "./snapshots.js";

/** Maximum number of commands watched at once: each keeps a snapshot. */
const MAX_WATCHES = 16;
/** How long after its process was last known to run a killed command may have run, in ms: it is killed with that. */
const DYING = 2_000;
const KILLED = "Toolhost was killed while the command ran.";

/** A file that a command changed, to be recorded for undo. */
interface ChangedFile extends FileContents {
  /** The real paths of its root and of where it is now; `path` and `from` are as people write them. */
  absolute: string;
  /** Whether others may have made the change. */
  perhapsOthers: boolean;
}

/** What others did while a command ran. */
interface Meanwhile {
  /** When it started, in milliseconds since 1970. */
  since: number;
  /** When the roots had been looked at before it ran. */
  looked?: number;
  /** Calls that were changing files when it started, by the journal's ids. */
  unfinished?: readonly number[];
  /** The roots that were compared, by their real paths, with what people write before paths in them. */
  roots: readonly { real: string; prefix: string }[];
  /** Files that the user saved since, by their real paths. */
  saved: ReadonlyMap<string, SavedFile>;
  /** Whether its process was killed while it ran, perhaps long ago. */
  isLeft?: boolean;
  /** Whether others may have changed files outside of Toolhost. */
  perhapsOthers?: boolean;
  /** Whether its notes are kept even if no file is recorded. */
  isNoted?: boolean;
}

/** What was recorded of a command's changes. */
export interface Recorded {
  /** By path. */
  lines: ReadonlyMap<string, { added: number; removed: number }>;
  /** Those that are not in the undo journal, each with the reason. */
  left: LeftChange[];
  /** The paths of files that only others have changed meanwhile. */
  others: ReadonlySet<string>;
  /** The paths of files whose changes others may have made. */
  perhapsOthers?: ReadonlySet<string>;
  /** The paths of files that were written again with the contents that they had. */
  same?: ReadonlySet<string>;
  /** Number of changes that were recorded. */
  made?: number;
}

export interface CommandEffectsHost {
  snapshots: Snapshots;
  /** The roots on this machine's disk. */
  roots(): readonly WatchedRoot[];
  /** Whether tools changed files since a moment, in milliseconds since 1970. */
  hasChanged(since: number): Promise<boolean>;
  /** Returns the journal's ids of the calls that are changing files now. */
  unfinished(): Promise<readonly number[]>;
  /** Whether a file's name is one that tools give the files of a change while they make it. */
  isOfChange(name: string): boolean;
  /**
   * Records what a command has changed, so that it can be undone: not what others did meanwhile.
   *
   * @param notes what people should know who undo it
   */
  record(
    call: CommandCall,
    files: readonly ChangedFile[],
    meanwhile: Meanwhile,
    notes: (left: readonly LeftChange[]) => string[],
  ): Promise<Recorded>;
  /** Gets a sentence for people about each command that a killed process left. */
  onLeft(message: string): void;
  /** Returns why what commands change cannot be recorded now, as far as that is known before; undefined otherwise. */
  whyLost?(): string | undefined;
  /** Returns a file's bytes; undefined if it is large or cannot be read immediately. */
  read(absolute: string): Uint8Array | undefined;
  /** Milliseconds since 1970. */
  now(): number;
  /** See `ALONE`, its default. */
  alone?: number;
}

/** A command that runs. */
interface Running {
  call: CommandCall;
  /** When the command started, and when what is compared now did: it may have been looked at in between. */
  begun: number;
  started: number;
  /** When the roots had been looked at. */
  looked: number;
  unfinished: readonly number[];
  isShared: boolean;
}

/** Tells what commands changed from snapshots of the workspace at their starts and ends. */
export class CommandEffects implements Effects {
  readonly #host: CommandEffectsHost;
  readonly #running = new Set<Running>();
  #recovered: Promise<void> | undefined;
  readonly #saves = new UserSaves();

  constructor(host: CommandEffectsHost) {
    this.#host = host;
  }

  /** Notes that the user saved a file, by its absolute path. */
  saved(absolute: string): void {
    // If somebody undoes a command that changed the file, they get back what was saved.
    const bytes = this.#running.size > 0 ? this.#host.read(absolute) : undefined;
    this.#saves.note(absolute, { at: this.#host.now(), bytes });
  }

  /**
   * Records what commands changed whose processes were killed while they ran. A file that has changed since is left alone:
   * its text is somebody else's by now. Never throws.
   */
  recover(): Promise<void> {
    // Those that are left are taken over once, so there is nothing to find for a second call.
    const recovered = (this.#recovered ?? Promise.resolve()).then(async () => {
      await this.#recoverLeft();
      // Another process may have taken over the rest, or may have been killed as well while it did.
      await this.#host.snapshots.elsewhere?.();
      await this.#recoverLeft();
    });
    return (this.#recovered = recovered.catch(() => undefined));
  }

  async #recoverLeft(): Promise<void> {
    for (const left of await this.#host.snapshots.left()) {
      const message =
        "unreadable" in left
          ? `${KILLED} What it had changed is not known: the note about it cannot be read.`
          : await this.#recoverOne(left);
      if ("unreadable" in left) {
        this.#host.snapshots.done(left.id);
      }
      if (message !== undefined) {
        this.#host.onLeft(message);
      }
    }
  }

  /** Returns what to say about a command whose process was killed; undefined if all of it was recorded before. */
  async #recoverOne({ id, call, started, roots, seen }: LeftSnapshot): Promise<string | undefined> {
    const said = `Toolhost was killed while a command ran (${call.summary}).`;
    const { snapshots } = this.#host;
    const found = await snapshots
      .compare(id, seen + DYING, true)
      .catch(() => ({ unknown: "the folder could not be compared" }));
    if ("unknown" in found) {
      snapshots.done(id);
      return `${said} What it had changed is not known: ${found.unknown}.`;
    }
    const places = roots.map(({ folder, prefix }, at) => ({ folder, prefix, real: found[at]?.real ?? folder }));
    const contents = (await snapshots.contents(id).catch(() => undefined)) ?? [];
    const late = found.flatMap((root, at) =>
      (root.late ?? []).map((path) => ({
        path: `${roots[at]?.prefix ?? ""}${path}`,
        why: "it may have changed since",
      })),
    );
    const unread = [...late, ...this.#unread(contents, places)];
    const period = this.#period({ call, begun: started }, seen);
    const meanwhile = { since: started, roots: places, saved: new Map<string, never>(), isLeft: true };
    let recorded: Recorded;
    try {
      recorded = await this.#host.record(call, this.#changed(contents, places, period), meanwhile, (left) => [
        KILLED,
        ...notCovered([...left, ...unread]),
      ]);
    } catch (error) {
      // The next process tries it again.
      return `${said} What it had changed cannot be recorded now: ${error instanceof Error ? error.message : String(error)}`;
    }
    snapshots.done(id);
    const left = [...recorded.left, ...unread];
    const made = recorded.made ?? 0;
    if (made === 0 && left.length === 0) {
      return recorded.others.size > 0 ? undefined : `${said} It had changed nothing.`;
    }
    return [
      said,
      ...(made === 0 ? [] : ["What it had changed is in the list of changes, and can be undone."]),
      ...notCovered(left),
    ].join(" ");
  }

  /**
   * Returns the same watcher for callers that see a single folder, with paths relative to it. Changes that their commands
   * make in other folders are reported by absolute paths; what others change there is not reported.
   *
   * @param folder its absolute path
   */
  seenIn(folder: string): Effects {
    return { start: (call, keeps) => this.start(call, keeps, folder), whyLost: () => this.whyLost() };
  }

  whyLost(): string | undefined {
    return this.#host.whyLost?.();
  }

  /** @param seen the folder that the caller sees; all roots if absent */
  async start(call: CommandCall, keeps: readonly string[] = [], seen?: string): Promise<EffectWatch> {
    await (this.#recovered ?? this.recover());
    const roots = this.#host.roots();
    const lost = keeps.length > 0 ? this.whyLost() : undefined;
    if (lost !== undefined) {
      return known({ unknown: lost }, keeps);
    }
    if (this.#running.size >= MAX_WATCHES) {
      return known({ unknown: `${MAX_WATCHES} other commands are running` }, keeps);
    }
    // Two that run at the same time share what changes, from the first one's snapshot on.
    const started = this.#host.now();
    const running: Running = {
      ...{ call, begun: started, started, looked: started, unfinished: [] },
      isShared: this.#running.size > 0,
    };
    this.#running.forEach((other) => (other.isShared = true));
    this.#running.add(running);
    const taken = await this.#take(running, roots, keeps);
    if ("unknown" in taken) {
      this.#running.delete(running);
      return known(taken, keeps);
    }
    const { unkept } = taken;
    let { id } = taken;
    // One after the other: a step may be under way when the command ends.
    let latest: Promise<unknown> = Promise.resolve();
    const next = (compare: () => Promise<Effect | UnknownEffect>): Promise<Effect | UnknownEffect> => {
      const done = latest.then(compare);
      latest = done;
      return done;
    };
    return {
      ...(unkept !== undefined && { unkept }),
      step: () =>
        next(async () => {
          const now: Running = { ...running, started: this.#host.now() };
          // What nobody was asked about, since it can be undone, must stay so.
          const later = await this.#take(now, roots, keeps);
          if ("unknown" in later) {
            return later;
          }
          if (later.unkept !== undefined) {
            this.#host.snapshots.done(later.id);
            return { unknown: `what it may still change could not be kept: ${later.unkept}` };
          }
          const effect = await this.#compare(id, roots, running, now.looked, seen, later.id);
          id = later.id;
          Object.assign(running, now, { isShared: running.isShared });
          return effect;
        }),
      end: () =>
        next(async () => {
          const effect = await this.#compare(id, roots, running, this.#host.now(), seen);
          this.#running.delete(running);
          return effect;
        }),
    };
  }

  /** Looks at the roots before a command or its next step. */
  async #take(
    running: Running,
    roots: readonly WatchedRoot[],
    keeps: readonly string[],
  ): Promise<{ id: number; unkept?: string } | UnknownEffect> {
    const { call, started } = running;
    // What they change is not the command's, also if it is in the files only after they have been looked at.
    running.unfinished = await this.#host.unfinished().catch(() => []);
    const taken = await this.#host.snapshots
      .take({ call, started, roots }, keeps)
      .catch(() => ({ unknown: "the folder could not be looked at" }));
    running.looked = this.#host.now();
    return taken;
  }

  async #compare(
    snapshot: number,
    roots: readonly WatchedRoot[],
    running: Running,
    ended: number,
    seen: string | undefined,
    later?: number,
  ): Promise<Effect | UnknownEffect> {
    try {
      const found = await this.#host.snapshots.compare(snapshot, ended, false, later);
      return "unknown" in found ? found : await this.#effect(found, snapshot, roots, running, ended, seen);
    } catch {
      return { unknown: "the folder could not be compared" };
    } finally {
      this.#host.snapshots.done(snapshot);
    }
  }

  async #effect(
    found: Exclude<Awaited<ReturnType<Snapshots["compare"]>>, { unknown: string }>,
    snapshot: number,
    roots: readonly WatchedRoot[],
    running: Running,
    ended: number,
    seen: string | undefined,
  ): Promise<Effect> {
    const { started, unfinished, isShared } = running;
    const period = this.#period(running, ended);
    const places = roots.map(({ folder, prefix }, at) => ({ folder, prefix, real: found[at]?.real ?? folder }));
    const hasChanges = found.some(({ changes, ignored }) => changes.length > 0 || ignored > 0);
    const hasCompany =
      hasChanges ||
      !this.#saves.isEmpty ||
      unfinished.length > 0 ||
      (await this.#host.hasChanged(started).catch(() => false));
    const moves = found.flatMap(({ git }, at) => git.map((move) => ({ ...move, root: roots[at] })));
    const recorded: Recorded =
      hasCompany || moves.length > 0
        ? await this.#record(snapshot, places, this.#saves.since(started, places), running, {
            hasChanges,
            period,
            moves,
          })
        : { lines: new Map(), left: [], others: new Set() };
    return toldEffect(found, { roots, moves, recorded, seen, isShared, isOfChange: (path) => this.#isOfChange(path) });
  }

  /** Records what the command changed. What others changed meanwhile is theirs, as far as the two can be told apart. */
  async #record(
    snapshot: number,
    places: readonly Place[],
    saved: ReadonlyMap<string, SavedFile>,
    { call, started, looked, unfinished }: Running,
    { hasChanges, period, moves }: { hasChanges: boolean; period: Period; moves: readonly RootMove[] },
  ): Promise<Recorded> {
    const contents = hasChanges ? await this.#host.snapshots.contents(snapshot).catch(() => undefined) : [];
    const savedPaths = places.flatMap(({ real, prefix }) =>
      [...saved.keys()].flatMap((path) => (path.startsWith(`${real}/`) ? [prefix + path.slice(real.length + 1)] : [])),
    );
    if (contents === undefined) {
      return {
        lines: new Map(),
        left: [{ path: ".", why: "what it changed could not be read" }],
        others: new Set(savedPaths),
      };
    }
    const files = this.#changed(contents, places, period);
    const unread = this.#unread(contents, places);
    const notes = (left: readonly LeftChange[]): string[] =>
      undoNotes({ left: [...left, ...unread], files, moves, period });
    try {
      const recorded = await this.#host.record(
        call,
        files,
        {
          ...{ since: started, looked, unfinished, roots: places, saved, perhapsOthers: hadCompany(period) },
          isNoted: moves.length > 0 || contents.some(({ left }) => left.length > 0),
        },
        notes,
      );
      const same = new Set(contents.flatMap((each, at) => each.same.map((path) => (places[at]?.prefix ?? "") + path)));
      return { ...recorded, left: [...recorded.left, ...unread], same };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return {
        lines: new Map(),
        left: files.length === 0 ? unread : [{ path: ".", why }],
        others: new Set(savedPaths),
      };
    }
  }

  /** Returns changed files as they are recorded. */
  #changed(contents: readonly RootContents[], places: readonly Place[], period: Period): ChangedFile[] {
    return contents.flatMap(({ files: changed }, at) => {
      const { real = "", prefix = "" } = places[at] ?? {};
      return changed
        .filter(({ path }) => !this.#isOfChange(path))
        .map(({ path, from, ...file }) => ({
          ...file,
          perhapsOthers: mayBeOthers({ path, ...file }, period),
          path: prefix + path,
          absolute: `${real}/${path}`,
          ...(from !== undefined && { from: prefix + from }),
        }));
    });
  }

  /** Returns changes whose contents are not known, with the reasons. */
  #unread(contents: readonly RootContents[], places: readonly Place[]): LeftChange[] {
    return contents.flatMap(({ left, newIgnored }, at) => [
      ...left.map(({ path, why }) => ({ path: `${places[at]?.prefix ?? ""}${path}`, why })),
      ...(newIgnored === 0
        ? []
        : [{ path: newIgnored === 1 ? "1 new ignored file" : `${newIgnored} new ignored files`, why: "kept" }]),
    ]);
  }

  #period({ call, begun }: Pick<Running, "call" | "begun">, ended: number): Period {
    const { alone = ALONE } = this.#host;
    return { started: begun, ended, inBackground: call.inBackground === true, alone };
  }

  #isOfChange(path: string): boolean {
    return this.#host.isOfChange(path.slice(folderOf(path).length).replace("/", ""));
  }
}

/** A root as the host has it, and its real path. */
interface Place extends WatchedRoot {
  real: string;
}

function known(effect: UnknownEffect, keeps: readonly string[]): EffectWatch {
  return { end: () => Promise.resolve(effect), ...(keeps.length > 0 && { unkept: effect.unknown }) };
}

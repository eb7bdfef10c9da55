import type { JournalCall } from "../../../../../src/core/pipeline/changeOrigin.js";
import { openMemoryStore } from "../../../../../src/hosts/node/state/store.js";
import { journalChange } from "../../../../../src/features/changes/journal/images.js";
import { Journal } from "../../../../../src/features/changes/journal/journal.js";
import type { Bounds } from "../../../../../src/features/changes/journal/prune.js";
import type { Image, JournalHost, UndoTarget } from "../../../../../src/features/changes/journal/types.js";
import { planUndo, type UndoFiles, type UndoWhat } from "../../../../../src/features/changes/journal/undo.js";
import type { UndoPlan } from "../../../../../src/features/changes/journal/undoPlan.js";
import { ToolError } from "../../../../../src/core/errors.js";
import type { ChangeReport, FileChange, Snapshot } from "../../../../../src/ports/changes.js";
import type { GatedPath } from "../../../../../src/ports/files.js";
import type { Store } from "../../../../../src/ports/store.js";

/** A text of the world as one string, or bytes as an array. */
export type Plain = string | number[];

/** Files by their path, with a writer as strict as a host's: whatever is not as a change says is an error. */
export class World implements UndoFiles {
  readonly files = new Map<string, Image>();
  /** What saving makes of a text. */
  format: (text: string) => string = (text) => text;

  constructor(files: Record<string, Plain> = {}) {
    for (const [path, content] of Object.entries(files)) {
      this.files.set(
        path,
        typeof content === "string" ? { text: content, encoding: "utf8" } : { bytes: Uint8Array.from(content) },
      );
    }
  }

  at(path: string): GatedPath {
    return {
      path,
      realPath: path,
      lexical: `/w/${path}`,
      absolute: `/w/${path}`,
      root: undefined,
    } as unknown as GatedPath;
  }

  async resolve(path: string): Promise<GatedPath> {
    if (path.startsWith("../")) {
      throw new ToolError("outside_workspace", `${path}: it leads out of the workspace.`);
    }
    return this.at(path.replace(/^\/w\//, ""));
  }

  async current(at: GatedPath): Promise<Snapshot | undefined> {
    return this.now(at.path);
  }

  now(path: string): Snapshot | undefined {
    const image = this.files.get(path);
    if (image === undefined || "entry" in image) {
      return undefined;
    }
    return "text" in image
      ? { text: image.text, encoding: image.encoding ?? "utf8", unsaved: image.unsaved ?? false, version: image.text }
      : { bytes: image.bytes, version: image.bytes.join() };
  }

  look = async (absolute: string): Promise<Image | undefined> => this.now(absolute.replace(/^\/w\//, ""));

  text(path: string): string {
    const now = this.now(path);
    if (now === undefined || !("text" in now)) {
      throw new Error(`${path} holds no text`);
    }
    return now.text;
  }

  /** What a tool does. */
  replace(path: string, text: string): FileChange {
    const before = this.now(path);
    if (before === undefined || !("text" in before)) {
      throw new Error(`${path} holds no text`);
    }
    return { kind: "replace", at: this.at(path), before, text };
  }

  create(path: string, content: Plain, encoding?: string): FileChange {
    const text = (text: string): { text: string; encoding?: string } =>
      encoding === undefined ? { text } : { text, encoding };
    return {
      kind: "create",
      at: this.at(path),
      content: typeof content === "string" ? text(content) : { bytes: Uint8Array.from(content) },
    };
  }

  remove(path: string): FileChange {
    return { kind: "delete", at: this.at(path), before: this.snapshot(path) };
  }

  move(path: string, to: string, text?: string): FileChange {
    return {
      kind: "move",
      at: this.at(path),
      to: this.at(to),
      before: this.snapshot(path),
      ...(text !== undefined && { text }),
    };
  }

  apply(changes: readonly FileChange[]): ChangeReport[] {
    for (const change of changes) {
      if (change.kind === "entry") {
        throw new ToolError("unsupported", "This world has only files.");
      }
      const { kind, at } = change;
      const now = this.now(at.path);
      if (kind === "create" ? now !== undefined : now?.version !== change.before.version) {
        throw new ToolError("stale", `${at.path}: ${kind} finds something else.`);
      }
      if (kind === "move" && this.files.has(change.to.path)) {
        throw new ToolError("path_conflict", `${change.to.path}: is there.`);
      }
    }
    return changes.map((change) => this.#applyOne(change as Exclude<FileChange, { kind: "entry" }>));
  }

  plain(): Record<string, Plain> {
    return Object.fromEntries(
      [...this.files]
        .flatMap(([path, image]): [string, Plain][] =>
          "entry" in image ? [] : [[path, "text" in image ? image.text : [...image.bytes]]],
        )
        .sort(),
    );
  }

  snapshot(path: string): Snapshot {
    const now = this.now(path);
    if (now === undefined) {
      throw new Error(`${path} is not there`);
    }
    return now;
  }

  #applyOne(change: Exclude<FileChange, { kind: "entry" }>): ChangeReport {
    const { path } = change.at;
    switch (change.kind) {
      case "create": {
        const content = change.content;
        const image =
          "text" in content ? { text: this.format(content.text), encoding: content.encoding ?? "utf8" } : content;
        this.files.set(path, image);
        return { saved: true, text: "text" in image ? image.text : undefined, foldersMade: 0 };
      }
      case "overwrite": {
        const image = "text" in change.content ? { encoding: "utf8", ...change.content } : change.content;
        this.files.set(path, image);
        return { saved: true, text: "text" in image ? image.text : undefined, foldersMade: 0 };
      }
      case "replace": {
        const text = this.format(change.text);
        this.files.set(path, { text, encoding: change.before.encoding, unsaved: change.before.unsaved });
        return { saved: !change.before.unsaved, text, foldersMade: 0 };
      }
      case "delete":
        this.files.delete(path);
        return { saved: true, text: undefined, foldersMade: 0 };
      case "move": {
        const image =
          change.text !== undefined && "text" in change.before
            ? { ...change.before, text: change.text }
            : change.before;
        this.files.delete(path);
        this.files.set(change.to.path, image);
        return { saved: true, text: "text" in image ? image.text : undefined, foldersMade: 0 };
      }
    }
  }
}

export function memoryStore(): Store {
  const store = openMemoryStore();
  if (store === undefined) {
    throw new Error("this Node has no SQLite");
  }
  return store;
}

/** A journal on a world, and calls as the pipeline makes them. */
export class Session {
  readonly journal: Journal;
  readonly store: Store;
  #calls = 0;

  constructor(
    readonly world: World,
    host: Partial<JournalHost> = {},
    bounds?: Bounds,
  ) {
    this.store = host.store ?? memoryStore();
    this.journal = new Journal(
      {
        store: this.store,
        owner: { pid: 1, started: "a" },
        isAlive: () => true,
        look: world.look,
        now: () => 1_000 + this.#calls,
        ...host,
      },
      bounds,
    );
  }

  call(turn: string, tool = "edit"): JournalCall {
    this.#calls += 1;
    return { session: "s", turn, callId: `c${this.#calls}`, tool, door: "lm", summary: `${tool} ${this.#calls}` };
  }

  /** A call that changes files; its id in the journal. */
  async change(
    turn: string,
    changes: readonly FileChange[],
    tool = "edit",
    undoes: readonly UndoTarget[] = [],
  ): Promise<number> {
    const pending = await this.journal.begin(this.call(turn, tool), changes.map(journalChange), undefined, undoes);
    await pending.settle(this.world.apply(changes));
    return pending.id;
  }

  plan(what: UndoWhat): Promise<UndoPlan> {
    return planUndo(this.journal.queries, what, this.world);
  }

  /** Undoes, as the tool does; the plan, and the call's id unless there was a conflict. */
  async undo(what: UndoWhat, turn = "undoing"): Promise<UndoPlan & { id: number | undefined }> {
    const plan = await this.plan(what);
    return {
      ...plan,
      id: plan.conflicts.length > 0 ? undefined : await this.change(turn, plan.changes, "undo", plan.undoes),
    };
  }
}

/** The references that `blobs` counts and those that there are. */
export function references(store: Store): { counted: Record<string, number>; real: Record<string, number> } {
  const group = (sql: string): Record<string, number> =>
    Object.fromEntries(store.all<{ hash: string; refs: number }>(sql).map(({ hash, refs }) => [hash, refs]));
  return {
    counted: group("SELECT hash, refs FROM blobs ORDER BY hash"),
    real: group(
      `SELECT hash, count(*) AS refs FROM (SELECT before_hash AS hash FROM changes UNION ALL SELECT after_hash FROM changes UNION ALL SELECT hash FROM reads)
       WHERE hash IS NOT NULL GROUP BY hash ORDER BY hash`,
    ),
  };
}

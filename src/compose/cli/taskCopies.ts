import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CopiedTask, TaskCopies, TaskCopy } from "../../agent/work/taskCopies.js";
import type { ToolCaller } from "../../agent/turn.js";
import type { Tool } from "../../core/contract.js";
import type { Door } from "../../core/pipeline/activity.js";
import type { Pipeline } from "../../core/pipeline/pipeline.js";
import { KeyedLock } from "../../features/changes/keyedLock.js";
import { bringBack, type BroughtBack, type LeftChange } from "../../hosts/node/copies/bringBack.js";
import { FolderCopy, removeLeftCopies, type CopyChange } from "../../hosts/node/copies/folderCopy.js";
import { diffOf, keepChanges } from "../../hosts/node/copies/keepChanges.js";
import { stateRoot } from "../../hosts/node/state/stateFolder.js";
import type { Confirm } from "../../ports/confirm.js";
import { shownName } from "../../text/shownName.js";
import { count, listed, messageOf } from "../../text/words.js";
import type { CliAgents } from "./agents.js";
import type { TaskMerge } from "./mergeTool.js";
import type { CliPlace, CliWorkspace } from "./workspace.js";

/** The folder of a workspace's state with changes of tasks that were not merged. */
const KEPT = "kept";
/** Maximum number of changes of a task that are merged. */
const MAX_CHANGES = 2_000;
/** Maximum number of files that are named. */
const MAX_NAMED = 5;
/** How questions begin. */
const KIND = { task: "Task", schedule: "Schedule", subagent: "Subagent" } as const;
/** What is to be done about changes that were not merged, for who reads the result: of a subagent, a model that cannot look where they are kept. */
const BY_HAND = {
  task: "",
  schedule: " Merge by hand.",
  subagent: " Make these changes in the folder yourself, or tell the user where they are.",
} as const;
/** Groups of tools that work on what all tasks share, which is in the folder itself. */
const SHARED: readonly string[] = ["context", "memory", "documents", "automation"];

/** What copies for tasks take from the command line, which has it in a bundle of its own. */
export interface TaskCopiesHost {
  /** The folder's workspace, and the calls of its tools. */
  workspace: CliWorkspace;
  pipeline: Pick<Pipeline, "invoke" | "explain" | "meant">;
  callTool: ToolCaller;
  confirm: Confirm;
  /** Whether the calls in the folder may only read: nothing is merged then either. */
  planOnly: boolean;
  toolOf: (name: string) => Tool | undefined;
  /** Opens a workspace on a copy. */
  open: (folder: string, of: NonNullable<CliPlace["copyOf"]>) => CliAgents & { workspace: CliWorkspace };
  mergeTool: (merge: TaskMerge) => Tool;
}

/** Returns the folder of all copies: next to the state, in which no command of an agent may look. */
export function copiesFolder(): string {
  return `${stateRoot()}-copies`;
}

/** Creates what gives each task a copy of a command line's folder, and removes copies that killed processes left. */
export async function openTaskCopies(host: TaskCopiesHost): Promise<Pick<TaskCopies, "open">> {
  await removeLeftCopies(copiesFolder());
  const { files, state } = host.workspace;
  const [root, ...others] = files.roots();
  if (root === undefined || others.length > 0) {
    throw new Error("--sandbox worktree copies one folder: leave --root out.");
  }
  const copies = new Set<FolderCopy>();
  // Two merges at once would change files under each other, and begin again.
  const merges = new KeyedLock();
  // Those of the folder, and their copies.
  const secretFiles = async (): Promise<string[]> => {
    const own = await state.secretFiles();
    const copied = own.filter((path) => path.startsWith(`${root.path}/`)).map((path) => path.slice(root.path.length));
    return [...own, ...[...copies].flatMap(({ folder }) => copied.map((path) => folder + path))];
  };
  return {
    open: async (task, signal) => {
      const copy = await FolderCopy.make(root.path, copiesFolder(), signal);
      try {
        const opened = host.open(copy.folder, {
          ...{ ...state, secretFiles },
          ...(copy.repository.objects !== undefined && { borrows: copy.repository.objects }),
        });
        copies.add(copy);
        return new Opened(host, task, copy, opened, {
          signal,
          alone: (work) => merges.run("merge", work),
          onRemoved: () => copies.delete(copy),
        });
      } catch (error) {
        await copy.remove();
        throw error;
      }
    },
  };
}

/** What the copies of one command line share, for one of them. */
interface Turn {
  signal: AbortSignal;
  /** Runs work while no other copy is merged. */
  alone: <T>(work: () => Promise<T>) => Promise<T>;
  onRemoved: () => void;
}

class Opened implements TaskCopy {
  readonly agents: CliAgents["agents"];
  readonly #host: TaskCopiesHost;
  readonly #task: CopiedTask;
  readonly #copy: FolderCopy;
  readonly #opened: CliAgents & { workspace: CliWorkspace };
  readonly #turn: Turn;
  #brought: Promise<BroughtBack> | undefined;
  #kept: Promise<string | undefined> | undefined;
  #closed: Promise<string> | undefined;
  /** What was merged before the agent went on. */
  #earlier: string[] = [];
  /** Whether changes could not be kept apart: then the copy stays. */
  #isUnkept = false;

  constructor(
    host: TaskCopiesHost,
    task: CopiedTask,
    copy: FolderCopy,
    opened: CliAgents & { workspace: CliWorkspace },
    turn: Turn,
  ) {
    this.agents = opened.agents;
    this.#host = host;
    this.#task = task;
    this.#copy = copy;
    this.#opened = opened;
    this.#turn = turn;
  }

  get instructions(): string {
    const { folder, left, repository } = this.#copy;
    return [
      `You work in a copy of the user's folder that was made for this ${this.#task.kind}: ${folder}. Nothing that you do there changes the folder itself, where the user and other tasks go on. When you ${this.#task.kind === "task" ? "complete the task or wait" : "are done"}, the files that you changed are merged into the folder, except ignored ones; commits and branches that you make stay behind.`,
      "What earlier turns of this session changed and was not merged is not there.",
      ...(left.length === 0 ? [] : [`Not in the copy: ${left.join(", ")}.`]),
      ...(repository.missing === undefined ? [] : [repository.missing]),
    ].join(" ");
  }

  readonly callTool: ToolCaller = async (call) => {
    const { pipeline, toolOf, callTool } = this.#host;
    const tool = toolOf(pipeline.meant(call.tool, call.input, {}));
    if (tool === undefined || (!tool.terminal && !SHARED.includes(tool.group))) {
      await this.#goOn();
      return this.#opened.callTool(call);
    }
    const parsed = tool.terminal && tool.parse({ ...call.input }).ok;
    if (!parsed || tool.name === "fail_task") {
      return callTool(call);
    }
    const left = await this.bringBack();
    if (left === undefined) {
      return callTool(call);
    }
    const said = Object.values(call.input).find((value) => typeof value === "string") ?? "";
    return callTool({
      ...call,
      tool: "wait_task",
      input: { reason: `${left}\n\nThe agent said: ${said}`.slice(0, 10_000) },
    });
  };

  /** The end of the task failed, and the agent goes on: the next end brings back what it changes from now on, too. */
  async #goOn(): Promise<void> {
    const brought = this.#brought;
    if (brought !== undefined) {
      [this.#brought, this.#kept, this.#isUnkept] = [undefined, undefined, false];
      this.#earlier.push(...((await brought.catch(() => undefined))?.made ?? []));
    }
  }

  async bringBack(): Promise<string | undefined> {
    const { left } = await (this.#brought ??= this.#bringBack());
    if (left.length === 0) {
      return undefined;
    }
    return `${named(left)} Merge by hand, or send this session a message: it then continues in a new copy.${await this.#keptIn()}`;
  }

  close(): Promise<string> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<string> {
    const { workspace } = this.#opened;
    await workspace.processes.closeAll();
    const told: string[] = [];
    try {
      const { changes, large, unread, left: inCopy } = this.#copy.changes();
      let why = "";
      const brought = await this.#brought?.catch((error: unknown) => {
        why = `: ${messageOf(error).replace(/\.$/, "")}`;
      });
      if (!brought) {
        told.push(
          ...(changes.length + large.length + unread.length === 0
            ? []
            : [
                `${this.#earlier.length === 0 ? "Nothing was merged" : "What it changed last was not merged"}${why}.${await this.#keptIn(changes)}`,
              ]),
        );
      } else {
        const { left } = brought;
        const made = [...new Set([...this.#earlier, ...brought.made])];
        told.push(
          ...(made.length === 0
            ? ["No file was merged."]
            : [
                `Merged: ${listed(
                  made.map((path) => shownName(path)),
                  MAX_NAMED,
                )} (toolhost undo --list has it).`,
              ]),
          ...(left.length === 0 ? [] : [`${named(left)}${BY_HAND[this.#task.kind]}${await this.#keptIn()}`]),
        );
      }
      if (inCopy.length > 0) {
        told.push(`Stayed in the copy, which is gone: ${reasons(inCopy)}.`);
      }
      if (existsSync(join(this.#copy.folder, ".git", "logs", "HEAD"))) {
        told.push("Commits of the copy are not in the folder's repository.");
      }
    } finally {
      await workspace.close();
      if (this.#isUnkept) {
        told.push(`The copy is kept for 30 days: ${this.#copy.setAside()}.`);
      } else {
        await this.#copy.remove();
      }
      this.#turn.onRemoved();
    }
    return told.join(" ");
  }

  /** Keeps what was not merged, once, and returns a sentence that says where, after a space. */
  async #keptIn(all?: readonly CopyChange[]): Promise<string> {
    this.#kept ??= this.#keep(all);
    let folder: string | undefined;
    try {
      folder = await this.#kept;
    } catch (error) {
      this.#isUnkept = true;
      return ` The ${this.#task.kind}'s changes cannot be kept apart: ${messageOf(error).replace(/\.$/, "")}. Its copy is kept when it ends.`;
    }
    return [
      ...(folder === undefined ? [] : [` The ${this.#task.kind}'s changes are kept for 30 days in ${folder}.`]),
      ...(this.#isUnkept ? [" Files that cannot be read are only in its copy, which is kept when it ends."] : []),
    ].join("");
  }

  async #keep(all?: readonly CopyChange[]): Promise<string | undefined> {
    const left = new Set((await this.#brought?.catch(() => undefined))?.left.map(({ path }) => path));
    const { folder } = this.#copy;
    const { changes: made, large, unread } = this.#copy.changes();
    this.#isUnkept = unread.length > 0;
    const changes = all ?? made.filter(({ path }) => left.has(path));
    return changes.length + large.length === 0
      ? undefined
      : keepChanges(join(this.#host.workspace.state.folder(), KEPT), this.#task.name, changes, {
          folder,
          paths: large,
        });
  }

  async #bringBack(): Promise<BroughtBack> {
    // Nothing may change the copy meanwhile.
    await this.#opened.workspace.processes.closeAll();
    const { changes, large, unread } = this.#copy.changes();
    const { made, left } = await this.#bring(changes);
    return {
      made,
      left: [
        ...left,
        ...large.map((path) => ({ path, why: "larger than 16 MB" })),
        ...unread.map((path) => ({ path, why: "it cannot be read" })),
      ],
    };
  }

  async #bring(changes: readonly CopyChange[]): Promise<BroughtBack> {
    if (changes.length > MAX_CHANGES) {
      const why = `the ${this.#task.kind} changed more than ${MAX_CHANGES} files`;
      return { made: [], left: changes.map(({ path }) => ({ path, why })) };
    }
    if (changes.length === 0) {
      return { made: [], left: [] };
    }
    const all = changes.map(({ path }) => path);
    const first = await this.#merge(changes, all);
    if ("merged" in first) {
      return first.merged;
    }
    // What may not be changed must not hold up the rest.
    const refused = new Map<string, string>();
    for (const path of all) {
      const why = await this.#whyRefused(path, changes);
      if (why !== undefined) {
        refused.set(path, why);
      }
    }
    const rest = all.filter((path) => !refused.has(path));
    const left = [...refused].map(([path, why]): LeftChange => ({ path, why }));
    if (rest.length === 0 || rest.length === all.length) {
      return { made: [], left: all.map((path) => ({ path, why: refused.get(path) ?? first.denied })) };
    }
    const second = await this.#merge(changes, rest);
    return "merged" in second
      ? { made: second.merged.made, left: [...left, ...second.merged.left] }
      : { made: [], left: [...left, ...rest.map((path) => ({ path, why: second.denied }))] };
  }

  #tool(changes: readonly CopyChange[]): Tool {
    const { workspace, mergeTool } = this.#host;
    return mergeTool({
      work: `${this.#task.kind} ${this.#task.name}`,
      diff: () => diffOf(changes),
      merge: (paths, origin, signal) =>
        bringBack(
          this.#copy,
          changes.filter(({ path }) => paths.includes(path)),
          workspace.files,
          (views, newFolder, untouched) =>
            workspace.changes.publish(
              { ...origin, door: origin.door as Door },
              views,
              workspace.files,
              newFolder,
              untouched,
            ),
          signal,
        ),
    });
  }

  async #merge(
    changes: readonly CopyChange[],
    paths: readonly string[],
  ): Promise<{ merged: BroughtBack } | { denied: string }> {
    const tool = this.#tool(changes);
    const outcome = await this.#turn.alone(() => this.#host.pipeline.invoke(tool.name, { paths }, this.#caller(tool)));
    return outcome.ok ? { merged: outcome.data as BroughtBack } : { denied: outcome.error.message };
  }

  async #whyRefused(path: string, changes: readonly CopyChange[]): Promise<string | undefined> {
    const tool = this.#tool(changes);
    try {
      const { decision, reasons: why } = await this.#host.pipeline.explain(
        tool.name,
        { paths: [path] },
        this.#caller(tool),
      );
      return decision === "allow" ? undefined : `not allowed: ${why.join(" ")}`.replace(/\.$/, "");
    } catch (error) {
      return (error as Error).message.replace(/\.$/, "");
    }
  }

  #caller(tool: Tool): Parameters<Pipeline["invoke"]>[2] {
    const { kind, session, turn, name } = this.#task;
    const { confirm, planOnly } = this.#host;
    return {
      ...({ door: "cli", authority: "model", reads: "free", session, turn, parentId: turn } as const),
      ...{ root: { session, turn }, signal: this.#turn.signal, tools: [tool], planOnly },
      confirm: {
        ...(confirm.isAttended === true && { isAttended: true }),
        ask: (question, stop) => confirm.ask({ ...question, title: `${KIND[kind]} ${name}: ${question.title}` }, stop),
      },
    };
  }
}

/** Says what was not merged, as a sentence. */
function named(left: readonly LeftChange[]): string {
  return `Not merged: ${reasons(left)}.`;
}

function reasons(left: readonly LeftChange[]): string {
  const shown = left.slice(0, MAX_NAMED).map(({ path, why }) => `${shownName(path)} (${why})`);
  const more = left.length - shown.length;
  return [...shown, ...(more > 0 ? [count(more, "more file")] : [])].join("; ");
}

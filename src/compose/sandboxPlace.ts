import { isRecord } from "../core/jsonSchema.js";
import { newId } from "../core/pipeline/newId.js";
import type { Pipeline } from "../core/pipeline/pipeline.js";
import { turnOf } from "../core/pipeline/callContext.js";
import type { Caller } from "../core/caller.js";
import { ToolError } from "../core/errors.js";
import { SandboxRules } from "../core/permission/rules/sandboxRules.js";
import { joinPath, baseName } from "../core/paths/pathShape.js";
import { describeValue } from "../core/pipeline/issues.js";
import type { UndoHost } from "../views/undo/undo.js";
import { undoFromCommandLine } from "../doors/cli/undo.js";
import type { Outcome } from "../core/outcome.js";
import type { Spawner } from "../features/processes/spawner.js";
import { ClientSpawner } from "../hosts/node/sandbox/clientSpawner.js";
import { ClientDisk } from "../hosts/sandbox/clientDisk.js";
import { E2BSandboxClient, type E2BSandboxOptions } from "../hosts/sandbox/e2bClient.js";
import { SnapshotDisk, type KeepingClient } from "../hosts/sandbox/snapshotDisk.js";
import type { Disk } from "../hosts/shared/disk.js";
import { DiskFiles } from "../hosts/shared/diskFiles.js";
import type { ChangeKeeper } from "../features/changes/changes.js";
import type { Question } from "../ports/confirm.js";
import { SANDBOX_SCHEME, type Files } from "../ports/files.js";
import type { RuleBook } from "../ports/rules.js";
import type { SandboxClient } from "../ports/sandbox.js";
import { excerpt } from "../text/clip.js";
import { openSandbox } from "./cli/sandbox.js";
import { namedQuestion, over, placedCaller } from "./placed.js";
import { openPlaceParts, type PlaceMaker } from "./placeParts.js";
import { TurnSnapshots } from "./turnSnapshots.js";

/** What tools work with in a sandbox, made by the window or the library that has it. */
export interface PlaceParts {
  pipeline: Pipeline;
  changes: ChangeKeeper;
  /** Ends the commands that run there. */
  endCommands: () => Promise<void>;
  close: () => Promise<void>;
}

/** A sandbox, before anything works in it. */
export interface NewPlace {
  name: string;
  /** Of its state. */
  key: string;
  files: DiskFiles;
  /** The same files, with what only undo may reach. */
  writer: DiskFiles;
  spawner: Spawner;
  rules: RuleBook;
}

/** Where a sandbox is used. */
export interface PlaceHost {
  maker: PlaceMaker;
  rules: RuleBook;
  /** Starts programs of this machine, which reach a sandbox by its address. */
  localSpawner: () => Spawner;
  undo: Pick<UndoHost, "activity" | "isTrusted">;
  /** A remark for each session's first result, as a sentence; none if absent. */
  remark?: (where: string) => string;
  onNotice: (message: string) => void;
}

/** A sandbox in use. */
export interface Place {
  name: string;
  files: Files;
  pipeline: Pipeline;
  changes: ChangeKeeper;
  /** Undoes the last turn there, or lists what can be undone. */
  undo: (what: "last" | "list", signal: AbortSignal) => Promise<Outcome>;
  close: () => Promise<void>;
}

const OPTIONS = ["folder", "name", "snapshots"];
const METHODS = ["run", "readFile", "writeFile"] as const;
/** Sessions that are remembered as told where they are. */
const MAX_TOLD = 1_000;
/** The name of the whole sandbox in lists of changes. */
const WHOLE = "[the whole sandbox]";

/**
 * Opens a sandbox for the tools. Nothing is reached before the first call.
 *
 * @param given a client, what `E2BSandboxClient` takes, or an address as of `--sandbox`
 * @throws TypeError that names what is wrong
 */
export function openPlace(given: unknown, options: unknown, host: PlaceHost): Place {
  const { name, key, folder, disk, spawner, client, snapshots } = read(given, options, host);
  const roots = [{ name: baseName(folder) || "root", path: folder, scheme: SANDBOX_SCHEME }];
  const hints = {
    outside: `Tools work inside the folder ${folder} of ${name}. Give a path relative to it.`,
    noRoot: "Name a folder.",
  };
  const files = new DiskFiles(disk, roots, hints);
  const kept =
    snapshots && client?.snapshot !== undefined && client.restore !== undefined
      ? new SnapshotDisk(disk, joinPath(folder, WHOLE), client as KeepingClient, name)
      : undefined;
  const writer = kept === undefined ? files : new WholeLast(kept, roots, hints);
  const rules = new SandboxRules(host.rules, name);
  const parts = openPlaceParts({ name, key, files, writer, spawner, rules }, host.maker);
  const turns = kept && new TurnSnapshots(kept, parts.changes, writer, WHOLE, host.onNotice);
  const listed = asListed(writer, name);
  const changes = undoneBy(parts.changes, listed, turns);
  const calls = new Set<Promise<unknown>>();
  const pipeline = told(parts.pipeline, name, rules, turns, calls, host.remark?.(`${name}:${folder}`));
  return {
    ...{ name, files, pipeline, changes },
    undo: (what, signal) =>
      undoFromCommandLine(
        { ...host.undo, changes, files: listed, now: Date.now },
        { kind: what },
        "undo()",
        signal,
        false,
      ),
    close: async () => {
      // What is half written would stay so.
      await parts.endCommands();
      await Promise.allSettled(calls);
      await turns?.settle();
      await parts.close();
    },
  };
}

interface Read {
  name: string;
  key: string;
  folder: string;
  disk: Disk;
  spawner: Spawner;
  /** Absent for an address, which has no snapshots. */
  client?: SandboxClient;
  snapshots: boolean;
}

function read(given: unknown, options: unknown, host: PlaceHost): Read {
  if (options !== undefined && !isRecord(options)) {
    throw wrong("options", `expected an object {folder, name}, got ${describeValue(options)}`);
  }
  const { folder, name, snapshots = true } = options ?? {};
  const unknown = Object.keys(options ?? {}).find((option) => !OPTIONS.includes(option));
  if (unknown !== undefined) {
    throw wrong(excerpt(unknown), `there is no such option; the options are ${OPTIONS.join(", ")}`);
  }
  if (typeof given === "string") {
    return { ...readAddress(given, host), snapshots: false };
  }
  if (!isRecord(given)) {
    throw wrong("client", `expected a sandbox's client or an address, got ${describeValue(given)}`);
  }
  const isE2B = isRecord(given["sandbox"]) && isRecord(given["sandbox"]["commands"]);
  const client: SandboxClient = isE2B
    ? new E2BSandboxClient(given as unknown as E2BSandboxOptions)
    : (given as unknown as SandboxClient);
  const absent = METHODS.find((method) => typeof client[method] !== "function");
  if (absent !== undefined) {
    throw wrong("client", `it has no method ${absent}`);
  }
  if (typeof folder !== "string" || !/^\/[^\0]*$/.test(folder) || /\/\.{1,2}(\/|$)|\/\//.test(folder)) {
    throw wrong("folder", `expected an absolute path in the sandbox, got ${describeValue(folder)}`);
  }
  if (typeof name !== "string" || !/^[\w.:@-]{1,60}$/.test(name)) {
    throw wrong("name", `expected 1 to 60 letters, digits and . _ : @ -, got ${describeValue(name)}`);
  }
  if (typeof snapshots !== "boolean") {
    throw wrong("snapshots", `expected true or false, got ${describeValue(snapshots)}`);
  }
  const root = folder.replace(/(?<=.)\/+$/, "");
  return {
    ...{ name, folder: root, client, snapshots },
    // A client belongs to its program: what another one of the same name did before is not undone in this one.
    key: `sandbox:${name}${root}#${newId()}`,
    disk: new ClientDisk(client, name, undefined, root),
    spawner: new ClientSpawner(client, name, client.list === undefined || client.remove === undefined),
  };
}

function readAddress(address: string, host: PlaceHost): Omit<Read, "snapshots"> {
  try {
    const { name, root, disk, ...place } = openSandbox(address);
    return { name, key: address, folder: root.path, disk, spawner: place.spawner(host.localSpawner()) };
  } catch (error) {
    throw error instanceof ToolError ? wrong("client", error.message.replace(/\.$/, "")) : error;
  }
}

function wrong(what: string, problem: string): TypeError {
  return new TypeError(`Toolhost useSandbox: ${what}: ${problem}.`);
}

/** The files of a sandbox. A change of the whole sandbox is made after all others. */
class WholeLast extends DiskFiles {
  override async apply(...[changes, ...rest]: Parameters<DiskFiles["apply"]>): ReturnType<DiskFiles["apply"]> {
    const order = changes.map((_, index) => index);
    const isWhole = (index: number): number => (changes[index]?.at.absolute.endsWith(`/${WHOLE}`) === true ? 1 : 0);
    order.sort((a, b) => isWhole(a) - isWhole(b));
    const reports = await super.apply(
      order.flatMap((index) => changes[index] ?? []),
      ...rest,
    );
    return changes.flatMap((_, index) => reports[order.indexOf(index)] ?? []);
  }
}

/** Returns files whose paths may be as lists of changes have them: with the sandbox's name. */
function asListed(files: DiskFiles, name: string): Files {
  const own = (path: string): string => (path.startsWith(`${name}: `) ? path.slice(name.length + 2) : path);
  return over<Files>(files, {
    resolve: (path) => files.resolve(own(path)),
    resolveEntry: (path) => files.resolveEntry(own(path)),
    resolvePlace: (path) => files.resolvePlace(own(path)),
    outside: (path, within) => files.outside(own(path), within),
  });
}

/** Returns changes that are undone in the sandbox, whatever files a door has. */
function undoneBy(changes: ChangeKeeper, files: Files, turns: TurnSnapshots | undefined): ChangeKeeper {
  const own: Pick<ChangeKeeper, "undo" | "planUndo" | "journal"> = {
    journal: async () => {
      await turns?.settle();
      return changes.journal();
    },
    planUndo: async (what) => {
      await turns?.settle();
      return changes.planUndo(what, files);
    },
    undo: async (call, what, _, signal) => {
      await turns?.settle();
      return changes.undo(call, what, files, signal);
    },
  };
  return over(changes, own);
}

/** Returns a pipeline whose questions and first results say where calls run. */
function told(
  pipeline: Pipeline,
  name: string,
  rules: SandboxRules,
  turns: TurnSnapshots | undefined,
  calls: Set<Promise<unknown>>,
  remark: string | undefined,
): Pipeline {
  const sessions = new Set<string>();
  // What a person then allows for longer is allowed here alone, whoever grants it.
  const seen = (question: Question): Question => ({
    ...namedQuestion(question, name),
    derived: question.derived.map((rule) => rules.granted(rule)),
    ...(question.exact && { exact: question.exact.map((rule) => rules.granted(rule)) }),
  });
  const placed = (caller: Caller): Caller => placedCaller(caller, seen);
  return over(pipeline, {
    prepare: async (tool, raw, caller) => {
      const { summary, question } = await pipeline.prepare(tool, raw, placed(caller));
      return { summary: `${name}: ${summary}`, question: question && seen(question) };
    },
    invoke: async (tool, raw, caller) => {
      const callId = caller.callId ?? newId();
      const meant = pipeline.meant(tool, raw, caller);
      if (pipeline.available().find((each) => each.name === meant)?.annotations.readOnly !== true) {
        const session = caller.root?.session ?? caller.session;
        await turns?.before({ session, turn: turnOf(caller, callId), door: caller.door });
      }
      const call = pipeline.invoke(tool, raw, placed({ ...caller, callId }));
      calls.add(call);
      const outcome = await call.finally(() => calls.delete(call));
      if (!outcome.ok || remark === undefined || sessions.has(caller.session)) {
        return outcome;
      }
      if (sessions.size >= MAX_TOLD) {
        sessions.clear();
      }
      sessions.add(caller.session);
      return { ...outcome, text: `[${remark}]\n${outcome.text}` };
    },
  } satisfies Partial<Pipeline>);
}

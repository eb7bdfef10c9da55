// A process that keeps a journal on a real folder, for tests with several of them and for those that kill it.
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Journal } from "../../../../../src/features/changes/journal/journal.js";
import type { Image, JournalChange } from "../../../../../src/features/changes/journal/types.js";
import { livenessOf, thisProcess } from "../../../../../src/hosts/node/state/owner.js";
import { openStore } from "../../../../../src/hosts/node/state/store.js";
import type { Store } from "../../../../../src/ports/store.js";

/** Files that `change` changes, as they are before it. */
export const BEFORE: Readonly<Record<string, string>> = { edited: "before", removed: "before", moved: "before" };

export async function lookOnDisk(path: string): Promise<Image | undefined> {
  try {
    return { text: readFileSync(path, "utf8") };
  } catch {
    return undefined;
  }
}

export function journalOn(store: Store): Journal {
  return new Journal({
    store,
    owner: thisProcess(),
    isAlive: (owner) => livenessOf(owner) !== "gone",
    look: lookOnDisk,
    now: Date.now,
  });
}

/** The whole of what `change` does, by what each file is before and after. */
export function changesIn(folder: string): JournalChange[] {
  const at = (path: string): { path: string; absolute: string } => ({ path, absolute: join(folder, path) });
  return [
    { kind: "replace", ...at("edited"), before: { text: "before" }, after: { text: "after" } },
    { kind: "create", ...at("made"), after: { text: "after" } },
    { kind: "delete", ...at("removed"), before: { text: "before" } },
    {
      kind: "move",
      ...at("moved"),
      to: "there",
      toAbsolute: join(folder, "there"),
      before: { text: "before" },
      after: { text: "before" },
    },
  ];
}

/** A file has its new text in one step. */
function put(path: string, text: string): void {
  writeFileSync(`${path}.tmp`, text);
  renameSync(`${path}.tmp`, path);
}

async function open(folder: string): Promise<Store> {
  const { store, ...rest } = await openStore({
    folders: [folder],
    onNotice: (message) => process.stdout.write(`${message}\n`),
  });
  if (store === undefined) {
    throw "reason" in rest ? rest.reason : new Error("no reason");
  }
  return store;
}

/** Makes the changes and is killed before step `killAt`: a statement that writes, or a step with a file. */
async function change(folder: string, killAt: number): Promise<void> {
  const store = await open(folder);
  let step = 0;
  const next = (): void => {
    step += 1;
    if (step === killAt) {
      process.kill(process.pid, "SIGKILL");
      for (;;);
    }
  };
  const journal = journalOn({
    run: (sql, ...values) => {
      next();
      return store.run(sql, ...values);
    },
    all: store.all.bind(store),
    get: store.get.bind(store),
    transaction: (work) => {
      const result = store.transaction(() => {
        const done = work();
        next();
        return done;
      });
      next();
      return result;
    },
    close: store.close.bind(store),
  });
  const changes = changesIn(folder);
  const pending = await journal.begin(
    { session: "s", turn: "t", callId: "c", tool: "edit", door: "cli", summary: "" },
    changes,
  );
  for (const { kind, absolute, toAbsolute = "" } of changes) {
    next();
    switch (kind) {
      case "delete":
        rmSync(absolute);
        break;
      case "move":
        renameSync(absolute, toAbsolute);
        break;
      default:
        put(absolute, "after");
    }
  }
  await pending.settle(
    changes.map(({ kind, after }) => ({
      saved: true,
      text: kind === "delete" || after === undefined || !("text" in after) ? undefined : after.text,
      foldersMade: 0,
    })),
  );
  next();
}

/** Adds one to the numbers in some files, many times, beside other processes that do the same. */
async function count(folder: string, times: number): Promise<void> {
  const journal = journalOn(await open(folder));
  for (let time = 0; time < times; time++) {
    const path = `n${time % 3}`;
    const absolute = join(folder, path);
    const pending = await journal.begin(
      { session: String(process.pid), turn: String(time), callId: "c", tool: "edit", door: "cli", summary: "" },
      [{ kind: "replace", path, absolute, before: { text: "" }, after: { text: "" } }],
    );
    const text = String(Number(readFileSync(absolute, "utf8")) + 1);
    put(absolute, text);
    await pending.settle([{ saved: true, text, foldersMade: 0 }]);
  }
}

/** What the process can be told to do; the test file imports the rest. */
const COMMANDS: Record<string, (folder: string, number: number) => Promise<unknown>> = { open, change, count };

const command = COMMANDS[process.env["JOURNAL_COMMAND"] ?? ""];
if (command !== undefined) {
  command(process.argv[2] ?? "", Number(process.argv[3])).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
}

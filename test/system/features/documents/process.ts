// A worker in a process of its own, on real files and the real state: takes tasks until there are none, and notes each
// that it did.
import { appendFileSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Claims } from "../../../../src/features/documents/claims.js";
import { parseDocument } from "../../../../src/features/documents/document.js";
import { setFields } from "../../../../src/features/documents/frontMatter.js";
import { TASK } from "../../../../src/features/documents/task.js";
import { endTask, type Task, type TaskChanges } from "../../../../src/features/documents/tasks.js";
import { takeNextTask, taskClaim, type TaskBoard } from "../../../../src/features/documents/takeTask.js";
import { livenessOf, thisProcess } from "../../../../src/hosts/node/state/owner.js";
import { openStore } from "../../../../src/hosts/node/state/store.js";
import type { Store } from "../../../../src/ports/store.js";

export async function openTestStore(folder: string): Promise<Store> {
  const opened = await openStore({ folders: [folder] });
  if (opened.store === undefined) {
    throw opened.reason;
  }
  return opened.store;
}

export function claimsOn(store: Store): Claims {
  return new Claims({ store, owner: thisProcess(), liveness: livenessOf, now: Date.now });
}

/** The tasks of a folder. A change is one step, as the product's are. */
export function boardOn(folder: string): TaskBoard {
  const read = (name: string): Task[] => {
    const parsed = parseDocument(TASK, name, readFileSync(join(folder, `${name}.md`), "utf8"));
    return parsed.ok ? [parsed.document] : [];
  };
  return {
    list: async () => readdirSync(folder).flatMap((file) => (file.endsWith(".md") ? read(file.slice(0, -3)) : [])),
    change: async ({ name }, changes: TaskChanges) => {
      const path = join(folder, `${name}.md`);
      const temporary = join(folder, `${name}.${process.pid}.tmp`);
      writeFileSync(temporary, setFields(readFileSync(path, "utf8"), changes));
      renameSync(temporary, path);
    },
  };
}

async function work(folder: string, dieAt: string): Promise<void> {
  const store = await openTestStore(folder);
  const [claims, board, worker] = [claimsOn(store), boardOn(folder), `worker ${process.pid}`];
  for (;;) {
    const taken = await takeNextTask(board, claims, { worker, now: Date.now });
    if (taken === undefined) {
      return store.close();
    }
    const { task } = taken;
    if (taken.from === "spent") {
      claims.release(taskClaim(task.name), worker);
      continue;
    }
    if (task.name === dieAt) {
      process.kill(process.pid, "SIGKILL");
      for (;;);
    }
    appendFileSync(join(folder, "log"), `${task.name}\n`);
    await board.change(task, endTask(task, "complete", worker, Date.now()));
    claims.release(taskClaim(task.name), worker);
  }
}

if (process.env["TASKS_FOLDER"] !== undefined) {
  work(process.env["TASKS_FOLDER"], process.argv[2] ?? "").catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  });
}

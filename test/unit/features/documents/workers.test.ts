import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { Claims } from "../../../../src/features/documents/claims.js";
import { ToolError } from "../../../../src/core/errors.js";
import { livenessOf, thisProcess } from "../../../../src/hosts/node/state/owner.js";
import type { Store } from "../../../../src/ports/store.js";
import { takeNextTask } from "../../../../src/features/documents/takeTask.js";
import { finish, type Finished } from "../../../system/cli/built.js";
import { temporaryFolders } from "../changes/journal/built.js";
import { boardOn, claimsOn, openTestStore } from "./process.js";

let script = "";
let folder = "";

beforeAll(async () => {
  const built = await mkdtemp(join(tmpdir(), "toolhost-workers-"));
  script = join(built, "process.cjs");
  await build({
    entryPoints: [fileURLToPath(new URL("process.ts", import.meta.url))],
    outfile: script,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    mainFields: ["module", "main"],
  });
  return () => rm(built, { recursive: true, force: true });
});

beforeEach(async () => {
  const { files, remove } = await temporaryFolders();
  folder = join(files, "tasks");
  mkdirSync(folder);
  return remove;
});

const start = (dieAt = ""): Promise<Finished> =>
  finish(
    spawn(process.execPath, [script, dieAt], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, TASKS_FOLDER: folder },
    }),
  );
const done = (): string[] => readFileSync(join(folder, "log"), "utf8").trim().split("\n");
const put = (name: string, fields = ""): void =>
  writeFileSync(join(folder, `${name}.md`), `---\ntitle: ${name}\n${fields}---\n`);

test("16 processes on 16 tasks: each is done once, by one of them", async () => {
  const names = Array.from({ length: 16 }, (_, index) => `task-${String(index).padStart(2, "0")}`);
  names.forEach((name) => put(name));
  const ended = await Promise.all(names.map(() => start()));
  expect(ended.map(({ code, err }) => [code, err])).toEqual(names.map(() => [0, ""]));
  expect(done().sort()).toEqual(names);
  const tasks = await boardOn(folder).list();
  expect(tasks.map(({ fields }) => fields.status)).toEqual(names.map(() => "complete"));
  expect(tasks.every(({ fields }) => fields.output === fields.claimed_by)).toBe(true);
});

test("a task whose worker was killed is done by the next one; one that nobody here claimed is left alone", async () => {
  put("a", "priority: high\n");
  put("b");
  put("elsewhere", "status: in_progress\nclaimed_by: another machine\n");
  expect((await start("a")).signal).toBe("SIGKILL");
  expect((await boardOn(folder).list()).find(({ name }) => name === "a")?.fields.status).toBe("in_progress");
  expect(await start()).toMatchObject({ code: 0, err: "" });
  expect(done()).toEqual(["a", "b"]);
  expect(readFileSync(join(folder, "elsewhere.md"), "utf8")).toContain("status: in_progress");
});

test("tasks wait for their blockers, whoever does those", async () => {
  put("first", "priority: low\n");
  put("second", "priority: high\nblocked_by: [first]\n");
  put("third", "priority: high\nblocked_by: [second, first]\n");
  put("never", "blocked_by: [gone]\n");
  expect(await start()).toMatchObject({ code: 0, err: "" });
  expect(done()).toEqual(["first", "second", "third"]);
});

test("a task that somebody elsewhere begins just then stays theirs", async () => {
  const store = await openTestStore(folder);
  const claims = claimsOn(store);
  put("a");
  const board = boardOn(folder);
  let looks = 0;
  const list = (): ReturnType<typeof board.list> => {
    if (++looks === 2) {
      put("a", "status: in_progress\nclaimed_by: another machine\n");
    }
    return board.list();
  };
  const take = (): ReturnType<typeof takeNextTask> =>
    takeNextTask({ ...board, list, change: (...given) => board.change(...given) }, claims, {
      worker: "w",
      now: Date.now,
    });
  expect(await take()).toBeUndefined();
  expect(await take()).toBeUndefined();
  expect(readFileSync(join(folder, "a.md"), "utf8")).toContain("claimed_by: another machine");
  store.close();
});

test("a task that kills each worker is begun three times, then failed, and keeps no other waiting", async () => {
  put("a", "priority: high\n");
  put("b");
  for (let death = 1; death <= 3; death++) {
    expect((await start("a")).signal).toBe("SIGKILL");
  }
  expect(await start("a")).toMatchObject({ code: 0, err: "" });
  expect(done()).toEqual(["b"]);
  const [a] = await boardOn(folder).list();
  expect(a?.fields).toMatchObject({
    status: "failed",
    output: expect.stringContaining("started 3 times in a row and never finished") as string,
  });
  expect(a?.fields.tries).toBeUndefined();
});

test.each([
  { process: "be told from a later one", started: "", liveness: "alive" as const },
  { process: "be seen from here", started: "elsewhere", liveness: "unknown" as const },
])("a claim whose process cannot $process counts for a day", async ({ started, liveness }) => {
  const store = await openTestStore(folder);
  let now = Date.now();
  const claims = new Claims({ store, owner: { pid: process.pid, started }, liveness: () => liveness, now: () => now });
  claims.claim("x", "w");
  now += 23 * 3_600_000;
  expect(claims.standing("x")).toBe("held");
  now += 2 * 3_600_000;
  expect(claims.standing("x")).toBe("abandoned");
  store.close();
});

test("a claim that cannot be given up on a full disk is given up with the next one", async () => {
  const store = await openTestStore(folder);
  let isFull = false;
  const run: Store["run"] = (sql, ...values) => {
    if (isFull) {
      throw new ToolError("io_error", "The disk is full.");
    }
    return store.run(sql, ...values);
  };
  const claims = new Claims({
    store: {
      run,
      get: (...given) => store.get(...given),
      all: (...given) => store.all(...given),
      transaction: (work) => store.transaction(work),
      close: () => store.close(),
    },
    owner: thisProcess(),
    liveness: livenessOf,
    now: Date.now,
  });
  claims.claim("over", "w");
  claims.claim("not over", "w");
  isFull = true;
  expect(() => claims.release("over", "w")).toThrow("The disk is full.");
  expect(() => claims.abandon("not over", "w")).toThrow("The disk is full.");
  expect(() => claims.claim("other", "w")).toThrow("The disk is full.");
  isFull = false;
  expect(claims.claim("other", "w")).toBe("free");
  expect([claims.standing("over"), claims.standing("not over")]).toEqual(["free", "abandoned"]);
  store.close();
});

test("of 16 claims one wins; a release lets the next one in; nobody gives up another's claim", async () => {
  const store = await openTestStore(folder);
  const claims = claimsOn(store);
  const won = Array.from({ length: 16 }, (_, index) => claims.claim("x", `w${index}`));
  expect(won.filter((before) => before !== undefined)).toEqual(["free"]);
  expect(claims.held()).toMatchObject([{ document: "x", worker: "w0", pid: process.pid }]);
  claims.release("x", "w1");
  expect(claims.standing("x")).toBe("held");
  claims.release("x", "w0");
  expect(claims.claim("x", "w1")).toBe("free");
  claims.abandon("x", "w1");
  expect([claims.standing("x"), claims.held(), claims.claim("x", "w2")]).toEqual(["abandoned", [], "abandoned"]);
  store.close();
});

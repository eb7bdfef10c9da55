import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { beforeEach, describe, expect, it } from "vitest";
import { livenessOf, thisProcess } from "../../../src/hosts/node/state/owner.js";
import { loadSqlite } from "../../../src/hosts/node/state/sqlite.js";
import { stateRoot, workspaceStateFolder } from "../../../src/hosts/node/state/stateFolder.js";
import { openStore, type StoreOptions } from "../../../src/hosts/node/state/store.js";
import type { Store } from "../../../src/ports/store.js";
import { builtProcess, temporaryFolders } from "../../unit/features/changes/journal/built.js";

const run = builtProcess();
let folder: string;
let state: string;

beforeEach(async () => {
  const folders = await temporaryFolders();
  folder = folders.files;
  state = folders.state;
  return folders.remove;
});

async function opened(options: Partial<StoreOptions> = {}): Promise<{ store: Store; path: string }> {
  const result = await openStore({ folders: [folder], ...options });
  if (result.store === undefined) {
    throw result.reason;
  }
  return result;
}

const damagedFiles = (path: string): string[] =>
  readdirSync(join(path, "..")).filter((name) => /corrupt-[^.]*$/.test(name));

describe("the store", () => {
  it("keeps rows of every kind, and takes a failed transaction back", async () => {
    const { store } = await opened();
    store.run("CREATE TABLE t (id INTEGER PRIMARY KEY, value)");
    const values = ["text 🙂", 1.5, null, Uint8Array.of(0, 255), new TextEncoder().encode("")];
    expect(values.map((value) => store.run("INSERT INTO t (value) VALUES (?)", value))).toEqual(
      [1, 2, 3, 4, 5].map((id) => ({ changes: 1, id })),
    );
    const fail = (): never => {
      throw new Error("no");
    };
    expect(() => store.transaction(() => [store.run("DELETE FROM t"), fail()])).toThrow("no");
    store.transaction(() => {
      expect(() => store.transaction(() => [store.run("DELETE FROM t"), fail()])).toThrow("no");
      store.run("UPDATE t SET value = 'changed' WHERE id = 1");
    });
    expect(store.all<{ value: unknown }>("SELECT value FROM t ORDER BY id").map(({ value }) => value)).toEqual([
      "changed",
      ...values.slice(1),
    ]);
    expect(store.get("SELECT * FROM t WHERE id = 9")).toBeUndefined();
    store.close();
    for (const late of [
      () => store.run("DELETE FROM t"),
      () => store.all("SELECT * FROM calls"),
      () => store.transaction(() => undefined),
    ]) {
      expect(late).toThrow(expect.objectContaining({ type: "unavailable" }));
    }
    store.close();
    const again = await opened();
    expect(again.store.get("SELECT count(*) AS n FROM t")).toMatchObject({ n: 5 });
    again.store.run("INSERT INTO t (value) VALUES (?)", new Uint8Array(1_000_000));
    const size = (): number => statSync(again.path).size;
    again.store.get("PRAGMA wal_checkpoint(TRUNCATE)");
    const large = size();
    again.store.run("DELETE FROM t");
    again.store.close();
    (await opened()).store.close();
    expect(size()).toBeLessThan(large - 900_000);
  });

  it("is for its user alone, and tells people whose it is", async () => {
    const { store, path } = await opened();
    store.run("CREATE TABLE t (x)");
    const modes = Object.fromEntries(
      readdirSync(join(path, "..")).map((name) => [name, statSync(join(path, "..", name)).mode & 0o777]),
    );
    if (process.platform !== "win32") {
      expect(statSync(join(path, "..")).mode & 0o777).toBe(0o700);
      expect(Object.values(modes)).toEqual(Object.values(modes).map(() => 0o600));
    }
    expect(JSON.parse(readFileSync(join(path, "..", "workspace.json"), "utf8"))).toEqual({ folders: [folder] });
  });

  it("is one for a workspace, however it is written", () => {
    const [a, b, link] = ["a", "b", "link"].map((name) => join(folder, name)) as [string, string, string];
    mkdirSync(a);
    mkdirSync(b);
    symlinkSync(a, link);
    expect(workspaceStateFolder([a, b])).toBe(workspaceStateFolder([b, `${link}/`, a]));
    expect(workspaceStateFolder([a])).not.toBe(workspaceStateFolder([b]));
    expect(workspaceStateFolder(["vscode-vfs://github/a"])).not.toBe(workspaceStateFolder(["vscode-vfs://github/b"]));
  });

  it.each([
    ["linux", {}, "/home/u/.local/state/toolhost"],
    ["linux", { XDG_STATE_HOME: "/x" }, "/x/toolhost"],
    ["linux", { XDG_STATE_HOME: "relative" }, "/home/u/.local/state/toolhost"],
    ["darwin", { XDG_STATE_HOME: "/x" }, "/home/u/Library/Application Support/toolhost"],
    ["win32", { LOCALAPPDATA: "/local" }, "/local/toolhost"],
    ["win32", {}, "/home/u/AppData/Local/toolhost"],
    ["win32", { TOOLHOST_STATE: "/own" }, "/own"],
  ] as const)("lies on %s with %j in %s", (platform, env, expected) => {
    expect(stateRoot({ platform, env, home: "/home/u" })).toBe(expected);
  });
});

describe("opening the store", () => {
  it("says which Node is wanted where there is none with SQLite", async () => {
    expect(await openStore({ folders: [folder], sqlite: () => undefined })).toMatchObject({
      store: undefined,
      reason: { type: "unavailable", hint: "Use Node.js 22.13 or later." },
    });
    expect(existsSync(state)).toBe(false);
  });

  it("prints nothing, and silences nobody else's warnings", async () => {
    expect(await run("open", folder)).toMatchObject({ code: 0, out: "", err: "" });
    const emitter = (): unknown => Object.getOwnPropertyDescriptor(process, "emitWarning")?.value;
    const before = emitter();
    loadSqlite();
    expect(emitter()).toBe(before);
  });

  it("works from many processes at once", async () => {
    const ended = await Promise.all(Array.from({ length: 6 }, () => run("open", folder)));
    expect(ended.map(({ code, err }) => [code, err])).toEqual(ended.map(() => [0, ""]));
  });

  it("brings older tables to their new shape, wholly or not at all", async () => {
    const first = ["CREATE TABLE t (a);"];
    const { store, path } = await opened({ migrations: first });
    store.run("INSERT INTO t VALUES (1)");
    store.close();
    await expect(opened({ migrations: [...first, "ALTER TABLE t ADD COLUMN b; nonsense"] })).rejects.toThrow(
      "nonsense",
    );
    const again = await opened({ migrations: [...first, "ALTER TABLE t ADD COLUMN b DEFAULT 2;"] });
    expect(again.store.all("SELECT * FROM t")).toMatchObject([{ a: 1, b: 2 }]);
    again.store.close();
    const bytes = readFileSync(path);
    expect(await openStore({ folders: [folder], migrations: first })).toMatchObject({
      store: undefined,
      reason: { type: "unsupported", message: expect.stringContaining("newer Toolhost") as string },
    });
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it("moves a damaged file aside, once, and says so", async () => {
    const { store, path } = await opened();
    store.close();
    writeFileSync(path, "this is no database ".repeat(1_000));
    const ended = await Promise.all(Array.from({ length: 4 }, () => run("open", folder)));
    expect(ended.map(({ code, err }) => [code, err])).toEqual(ended.map(() => [0, ""]));
    expect(ended.map(({ out }) => out).join("")).toMatch(
      /^Toolhost's state was damaged and has been replaced; .*corrupt-.*\n$/,
    );
    const [damaged = "", ...others] = damagedFiles(path);
    expect(others).toEqual([]);
    expect(readFileSync(join(path, "..", damaged), "utf8")).toMatch(/^this is no database/);
  });

  it("moves a file aside in which a statement found damage", async () => {
    const { store, path } = await opened();
    store.run("CREATE TABLE t (x)");
    store.transaction(() => {
      for (let row = 0; row < 2_000; row++) {
        store.run("INSERT INTO t VALUES (?)", `row ${row} `.repeat(20));
      }
    });
    store.close();
    const bytes = readFileSync(path);
    bytes.fill(0xff, bytes.length / 2);
    writeFileSync(path, bytes);
    const damaged = await opened();
    expect(() => damaged.store.all("SELECT * FROM t")).toThrow(
      expect.objectContaining({ type: "io_error", message: expect.stringContaining("damaged") as string }),
    );
    damaged.store.close();
    const notices: string[] = [];
    const anew = await opened({ onNotice: (message) => notices.push(message) });
    expect(anew.store.all("SELECT * FROM calls")).toEqual([]);
    anew.store.close();
    expect(notices).toHaveLength(1);
    await opened({ onNotice: (message) => notices.push(message) });
    expect(notices).toHaveLength(1);
    expect(damagedFiles(path)).toHaveLength(1);
  });

  it("gives the reason when the folder cannot be made", async () => {
    writeFileSync(state, "a file");
    expect(await openStore({ folders: [folder] })).toMatchObject({ store: undefined, reason: { type: "io_error" } });
  });

  it("gives the reason when the folder cannot be written", async () => {
    const { store, path } = await opened();
    store.close();
    [folder, join(path, "..", "..")].forEach((name) => chmodSync(name, 0o755));
    chmodSync(state, 0o755);
    chmodSync(join(path, ".."), 0o555);
    // Nothing is read-only for root.
    const { code, err } = await run("open", folder, 0, process.getuid?.() === 0 ? { uid: 65_534 } : {});
    expect(code).toBe(1);
    expect(err).toMatch(/cannot be (kept|written)/);
    chmodSync(join(path, ".."), 0o700);
  });
});

describe("a full disk", () => {
  it("is an error that leaves all as it was", async () => {
    const { store } = await opened();
    store.run("CREATE TABLE t (x)");
    store.run("INSERT INTO t VALUES (1)");
    const pages = store.get<{ page_count: number }>("PRAGMA page_count")?.page_count ?? 0;
    store.get(`PRAGMA max_page_count = ${pages + 1}`);
    expect(() =>
      store.transaction(() => [
        store.run("DELETE FROM t"),
        store.run("INSERT INTO t VALUES (?)", new Uint8Array(1_000_000)),
      ]),
    ).toThrow(
      expect.objectContaining({ type: "io_error", message: expect.stringContaining("no space is left") as string }),
    );
    expect(store.all("SELECT * FROM t")).toMatchObject([{ x: 1 }]);
    store.transaction(() => store.run("UPDATE t SET x = 2"));
    expect(store.all("SELECT * FROM t")).toMatchObject([{ x: 2 }]);
  });
});

describe("a process of the journal", () => {
  it("lives until it ends, and is not a later one of its number", async () => {
    const me = thisProcess();
    expect(livenessOf(me)).toBe("alive");
    if (process.platform === "linux") {
      expect(livenessOf({ ...me, started: `${me.started}1` })).toBe("gone");
    }
    // No system gives this number to a process.
    expect(livenessOf({ pid: 2 ** 30, started: "" })).toBe("gone");
  });

  // Only root can be two users.
  if (process.platform === "linux" && process.getuid?.() === 0) {
    it("is told from a later one of its number that is another user's, too", async () => {
      const { outputFiles } = await build({
        entryPoints: [fileURLToPath(new URL("../../../src/hosts/node/state/owner.ts", import.meta.url))],
        bundle: true,
        platform: "node",
        format: "iife",
        globalName: "owner",
        write: false,
      });
      const as = (uid: number, code: string): ChildProcess =>
        spawn(process.execPath, ["-e", `${outputFiles[0]?.text ?? ""}\n${code}`], {
          uid,
          gid: uid,
          stdio: ["pipe", "pipe", "inherit"],
        });
      const said = async (child: ChildProcess): Promise<string> =>
        String((await once(child.stdout ?? child, "data"))[0]).trim();
      const theirs = as(12_345, "console.log(JSON.stringify(owner.thisProcess())); process.stdin.resume();");
      const me = await said(theirs);
      expect(
        await said(
          as(
            65_534,
            `console.log(owner.livenessOf(${me}), owner.livenessOf({ ...${me}, started: ${me}.started + "1" }))`,
          ),
        ),
      ).toBe("alive gone");
      theirs.kill();
    });
  }
});

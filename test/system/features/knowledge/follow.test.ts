import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { KnowledgeBase } from "../../../../src/features/knowledge/knowledgeBase.js";
import { KnowledgeStores } from "../../../../src/hosts/node/state/knowledgeStore.js";
import { workspaceStateFolder } from "../../../../src/hosts/node/state/stateFolder.js";
import { hosts, tempFolder } from "../../../unit/tools/workspace.js";
import { openKnowledge, type Rig } from "../../../unit/features/knowledge/rig.js";

const CONTEXT = ".toolhost/context";
const pathsOf = async ({ search }: Rig, query: string): Promise<string[]> =>
  (await search({ query, minScore: 0 })).hits.map(({ path }) => path);

describe.each(hosts)("the index on %s", (host) => {
  it("follows files that are made, changed and removed", async () => {
    const rig = await openKnowledge({ "a.md": "walrus" }, { host });
    const { workspace } = rig;
    expect(await pathsOf(rig, "walrus")).toEqual(["a.md"]);
    await workspace.put(`${CONTEXT}/deep/er/b.txt`, "walrus");
    expect((await pathsOf(rig, "walrus")).sort()).toEqual(["a.md", "deep/er/b.txt"]);
    await workspace.put(`${CONTEXT}/a.md`, "gazelle");
    expect(await pathsOf(rig, "walrus")).toEqual(["deep/er/b.txt"]);
    expect(await pathsOf(rig, "gazelle")).toEqual(["a.md"]);
    await workspace.remove(`${CONTEXT}/deep/er/b.txt`);
    expect(await pathsOf(rig, "walrus")).toEqual([]);
  });

  it("sees a change that leaves size and time as they were", async () => {
    const rig = await openKnowledge({ "a.md": "walrus" }, { host });
    const time = Date.now();
    await rig.workspace.date(`${CONTEXT}/a.md`, time);
    expect(await pathsOf(rig, "walrus")).toEqual(["a.md"]);
    await rig.workspace.put(`${CONTEXT}/a.md`, "turtle");
    await rig.workspace.date(`${CONTEXT}/a.md`, time);
    expect(await pathsOf(rig, "turtle")).toEqual(["a.md"]);
  });

  it("keeps the areas apart, and what is neither out", async () => {
    const rig = await openKnowledge({ "a.md": "walrus", ".gitignore": "walrus" }, { host });
    for (const path of ["MEMORY.md", "memory/b.md", "memory/c.txt", "memory/sub/d.md", "tasks/e.md"]) {
      await rig.workspace.put(`.toolhost/${path}`, "walrus");
    }
    expect(await pathsOf(rig, "walrus")).toEqual(["a.md"]);
    expect(
      (await rig.search({ area: "memory", query: "walrus", minScore: 0 })).hits.map(({ path }) => path).sort(),
    ).toEqual(["MEMORY.md", "memory/b.md"]);
  });

  // A repository can bring folders without end: each level is looked up from the top, so a listing of 1,000 took half a
  // minute.
  it("names a folder that lies too deep, and finds the rest, in both areas", async () => {
    const deep = (levels: number): string => "d/".repeat(levels);
    const rig = await openKnowledge(
      { "a.md": "walrus", [`${deep(99)}lowest.md`]: "walrus", [`${deep(150)}hidden.md`]: "walrus" },
      { host },
    );
    await rig.workspace.put(`.toolhost/memory/${deep(150)}c.md`, "walrus");
    await rig.workspace.put(".toolhost/memory/b.md", "walrus");
    const { hits, unsearched } = await rig.search({ query: "walrus", minScore: 0 });
    expect(hits.map(({ path }) => path).sort()).toEqual(["a.md", `${deep(99)}lowest.md`]);
    expect(unsearched).toMatch(
      /^Not searched: [d/]+… is a folder at level 100, and nothing below it is searched\. Move it higher up\.$/,
    );
    expect((await rig.refresh()).failed).toEqual([
      { path: deep(100).slice(0, -1), why: expect.stringContaining("nothing below it is searched") as string },
    ]);
    const memory = await rig.search({ area: "memory", query: "walrus", minScore: 0 });
    expect([memory.hits.map(({ path }) => path), memory.unsearched]).toEqual([["memory/b.md"], undefined]);
    await rig.workspace.remove(`${CONTEXT}/d`);
    expect((await rig.search({ query: "walrus", minScore: 0 })).unsearched).toBeUndefined();
  });

  it("names a folder that it cannot list, and finds the rest", async () => {
    const names = Array.from({ length: 20 }, () => "n".repeat(250)).join("/");
    const rig = await openKnowledge({ "a.md": "walrus" }, { host: "memory" });
    await rig.workspace.put(`${CONTEXT}/${names}/b.md`, "walrus");
    const { hits, unsearched } = await rig.search({ query: "walrus", minScore: 0 });
    expect(hits.map(({ path }) => path)).toEqual(["a.md"]);
    expect(unsearched).toMatch(/^Not searched: n+… cannot be listed \(.*a path of \d+ characters; 4096 at most\)\.$/);
  });

  it("leaves links out", async () => {
    const rig = await openKnowledge({ "a.md": "walrus" }, { host });
    await rig.workspace.put("secret.md", "walrus");
    await rig.workspace.link(`${CONTEXT}/link.md`, "../../secret.md");
    expect(await pathsOf(rig, "walrus")).toEqual(["a.md"]);
  });
});

describe("a refresh", () => {
  it("tells what became of every file, and why one is not searched", async () => {
    const { refresh, workspace, search } = await openKnowledge({
      "good.md": "walrus",
      "binary.bin": Uint8Array.of(0, 1, 2, 3),
      "latin1.txt": Uint8Array.of(0x77, 0x61, 0x6c, 0xe9, 0x21),
      "huge.txt": "walrus ".repeat(7_200_000),
    });
    const failed = [
      { path: "binary.bin", why: expect.stringContaining("binary") as string },
      { path: "huge.txt", why: expect.stringContaining("the limit is 50000000") as string },
      { path: "latin1.txt", why: expect.stringContaining("UTF-8") as string },
    ];
    const sorted = async (path?: string): Promise<unknown> => {
      const { failed, ...rest } = await refresh(path);
      return { ...rest, failed: failed.sort((a, b) => (a.path < b.path ? -1 : 1)) };
    };
    expect(await sorted()).toEqual({ indexed: 1, unchanged: 0, removed: 0, failed });
    expect(await sorted()).toEqual({ indexed: 0, unchanged: 1, removed: 0, failed });
    await workspace.remove(`${CONTEXT}/good.md`);
    await workspace.put(`${CONTEXT}/binary.bin`, "walrus text now");
    expect(await sorted()).toEqual({ indexed: 1, unchanged: 0, removed: 1, failed: failed.slice(1) });
    const found = await search({ query: "walrus" });
    expect(found.hits.map(({ path }) => path)).toEqual(["binary.bin"]);
    // A search says what it did not look into.
    expect(found.unsearched).toMatch(
      /^Not searched: huge\.txt is too large to search \(\d+ bytes; the limit is 50000000\)\. .*; latin1\.txt is not valid UTF-8/,
    );
    expect((await search({ pattern: "walrus", path: "latin1.txt" })).unsearched).toMatch(
      /^Not searched: latin1\.txt is not valid UTF-8\. Save it as UTF-8\.$/,
    );
  });

  it("keeps to a path, tells how far it is, and stops when it is cancelled", async () => {
    const { base, refresh } = await openKnowledge({ "a/x.md": "one", "a/y.md": "two", "b.md": "three" });
    expect(await refresh("a")).toMatchObject({ indexed: 2 });
    expect(await refresh("b.md")).toMatchObject({ indexed: 1 });
    const told: (number | undefined)[] = [];
    await base.refresh("context", undefined, new AbortController().signal, ({ fraction }) => told.push(fraction));
    expect(told).toEqual([0, 1 / 3, 2 / 3]);
    await expect(base.refresh("context", undefined, AbortSignal.abort(), () => undefined)).rejects.toMatchObject({
      name: "AbortError",
    });
    expect(await refresh()).toMatchObject({ unchanged: 3 });
  });
});

describe("the index on disk", () => {
  async function onDisk(
    kept: Record<string, string>,
  ): Promise<Rig & { path: string; stores: KnowledgeStores; folder: string }> {
    const folder = await tempFolder();
    const stores = new KnowledgeStores(() => [folder]);
    onTestFinished(() => stores.close());
    const rig = await openKnowledge(kept, { stores });
    await rig.search({ query: "walrus" });
    return { ...rig, stores, folder, path: join(workspaceStateFolder([folder]), "knowledge-2.db") };
  }

  /** Another window of the same folder. */
  function windowOf({ folder, workspace: { files } }: Rig & { folder: string }): {
    base: KnowledgeBase;
    stores: KnowledgeStores;
  } {
    const stores = new KnowledgeStores(() => [folder]);
    onTestFinished(() => stores.close());
    return { stores, base: new KnowledgeBase({ files, stores, embeddings: () => undefined, now: Date.now }) };
  }

  it("outlives its window: nothing is read again", async () => {
    const first = await onDisk({ "a.md": "walrus" });
    await first.workspace.date(`${CONTEXT}/a.md`, Date.now() - 60_000);
    await first.search({ query: "walrus" });
    first.stores.close();
    const again = new KnowledgeStores(() => [first.folder]);
    onTestFinished(() => again.close());
    expect(await (await again.current()).get("SELECT path, chunks FROM files")).toMatchObject({
      path: "a.md",
      chunks: 1,
    });
  });

  it("is made anew from the files when it is damaged", async () => {
    const rig = await onDisk(
      Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`${i}.md`, `walrus number ${i}\n`.repeat(50)])),
    );
    rig.stores.close();
    await new Promise((resolve) => setTimeout(resolve, 0));
    for (const damage of [
      () => writeFileSync(rig.path, "no database at all".repeat(1_000)),
      () => writeFileSync(rig.path, Buffer.alloc(300_000, 7), { flag: "r+" }),
    ]) {
      damage();
      const { base, stores } = windowOf(rig);
      const request = { area: "context", query: "walrus number 7", limit: 6, minScore: 0 } as const;
      expect((await base.search(request, new AbortController().signal)).hits[0]?.path).toBe("7.md");
      stores.close();
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    expect(readdirSync(join(rig.path, "..")).filter((name) => name.includes("corrupt"))).toEqual([]);
  });

  it("is begun anew when a statement finds it damaged, and the search answers", async () => {
    const rig = await onDisk({ "a.md": "walrus" });
    const raw = new DatabaseSync(rig.path, { defensive: false } as object);
    raw.exec("UPDATE terms_context_data SET block = x'00ff00ff00ff00ff' WHERE id > 1");
    raw.close();
    await rig.workspace.put(`${CONTEXT}/b.md`, "walrus");
    expect((await pathsOf(rig, "walrus")).sort()).toEqual(["a.md", "b.md"]);
  });

  it("is right after three windows filled it at once", async () => {
    const rig = await onDisk({ "a.md": "walrus" });
    for (let i = 0; i < 150; i += 1) {
      await rig.workspace.put(`${CONTEXT}/n${i}.md`, `walrus ${i} ${"word ".repeat(300)}`);
    }
    const bases = [rig.base, windowOf(rig).base, windowOf(rig).base];
    const { signal } = new AbortController();
    await Promise.all(
      bases.map((base) => base.search({ area: "context", query: "walrus", limit: 6, minScore: 0 }, signal)),
    );
    const store = await rig.stores.current();
    expect(store.get("SELECT count(*) AS files, sum(chunks) AS chunks FROM files")).toMatchObject({ files: 151 });
    expect(
      store.get(
        "SELECT (SELECT count(*) FROM chunks) = (SELECT sum(chunks) FROM files) AS same, (SELECT doc FROM vocabulary_context WHERE term = 'walrus') AS found",
      ),
    ).toMatchObject({ same: 1, found: 151 });
  });
});

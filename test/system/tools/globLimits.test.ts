// What glob does with many files, odd names and hostile patterns.
import { execFileSync } from "node:child_process";
import { chmod, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  asOrdinaryUser,
  failed,
  hosts,
  openRipgrep,
  openWorkspace,
  result,
  tempFolder,
} from "../../unit/tools/workspace.js";
import { empty, pathsOf, tree, type GlobData } from "../../unit/tools/globTree.js";

describe("order and caps", () => {
  test("newest first, those of one time by path", async () => {
    const { folder, call } = await openWorkspace(empty("a.ts", "b.ts", "sub/c.ts", "d.ts"));
    for (const [path, time] of [
      ["a.ts", 1000],
      ["b.ts", 3000],
      ["sub/c.ts", 2000],
      ["d.ts", 3000],
    ] as const) {
      await utimes(join(folder, path), time, time);
    }
    const { text, data } = result<GlobData>(await call("glob", { pattern: "*.ts", sort: "modified" }));
    expect(text).toBe("b.ts\nd.ts\nsub/c.ts\na.ts\n[4 files.]");
    expect(data.sorted_by).toBe("modified");
    expect(
      pathsOf(result<GlobData>(await call("glob", { pattern: "*.ts", sort: "modified", max_results: 1 })).data),
    ).toEqual(["b.ts"]);
  });

  test.each(hosts)(
    "in a workspace of several folders a glob counts from each, or begins with one: %s",
    async (host) => {
      const { call, put, makeFolder } = await openWorkspace(empty("src/a.ts", "x.ts"), {
        host,
        name: "one",
        roots: [{ name: "two", path: host === "memory" ? "/work/second" : await tempFolder(empty("src/b.ts")) }],
      });
      if (host === "memory") {
        await makeFolder("/work/second");
        await put("/work/second/src/b.ts", "");
      }
      for (const [pattern, found] of [
        ["src/*.ts", ["one/src/a.ts", "two/src/b.ts"]],
        ["two/src/*.ts", ["two/src/b.ts"]],
        ["two/**", ["two/src/b.ts"]],
        ["*/src/*.ts", ["one/src/a.ts", "two/src/b.ts"]],
        ["*.ts", ["one/src/a.ts", "one/x.ts", "two/src/b.ts"]],
      ] as const) {
        expect(pathsOf(result<GlobData>(await call("glob", { pattern })).data), pattern).toEqual(found);
      }
    },
  );

  test("newest first in a workspace of several folders and beside it", async () => {
    const [second, beside] = [await tempFolder(empty("~/b.ts")), await tempFolder(empty("c.ts"))];
    await utimes(join(second, "~/b.ts"), 9_999_999_999, 9_999_999_999);
    const { call } = await openWorkspace(empty("a.ts"), {
      name: "one",
      roots: [
        { name: "two", path: second },
        { name: "x", path: beside, beside: true },
      ],
    });
    expect(result(await call("glob", { pattern: "*.ts", sort: "modified" })).text).toBe(
      "two/~/b.ts\none/a.ts\n[2 files.]",
    );
    expect(result(await call("glob", { pattern: "two/**" })).text).toBe("two/~/b.ts\n[1 file.]");
    expect(result(await call("glob", { pattern: "*.ts", path: beside, sort: "modified" })).text).toBe(
      `${join(beside, "c.ts")}\n[1 file.]`,
    );
  });

  const many = empty(...Array.from({ length: 213 }, (_, index) => `f${String(index).padStart(3, "0")}`));
  const capped: { name: string; input: object; given: number; last: string }[] = [
    {
      name: "200 without max_results",
      input: {},
      given: 200,
      last: "[Files 1-200 of 213. Set max_results up to 5000, or narrow the pattern or path to see the others.]",
    },
    {
      name: "as many as asked for",
      input: { max_results: 3 },
      given: 3,
      last: "[Files 1-3 of 213. Set max_results up to 5000, or narrow the pattern or path to see the others.]",
    },
    { name: "all where asked for", input: { max_results: 5000 }, given: 213, last: "[213 files.]" },
  ];
  test.each(capped)("$name", async ({ input, given, last }) => {
    const { call } = await openWorkspace(many);
    const { text, data } = result<GlobData>(await call("glob", { pattern: "f*", ...input }));
    expect([data.files.length, data.total]).toEqual([given, 213]);
    expect(text.split("\n").at(-1)).toBe(last);
  });

  test("an answer of long paths is cut where a model would lose it, and says so", async () => {
    const folders = Array.from({ length: 8 }, (_, index) => `${index}`.repeat(250)).join("/");
    const { call } = await openWorkspace(empty(...Array.from({ length: 300 }, (_, index) => `${folders}/f${index}`)));
    const { text, data } = result<GlobData>(await call("glob", { pattern: "f*", max_results: 5000 }));
    expect(text.length).toBeLessThan(401_000);
    expect(data.total).toBe(300);
    expect(text.split("\n").at(-1)).toBe(
      `[Files 1-${data.files.length} of 300. Narrow the pattern or path to see the others.]`,
    );
  });

  test("of a folder of more files than are sorted by time the first are given and all are counted", async () => {
    const { folder, call } = await openWorkspace();
    execFileSync("sh", ["-c", "seq -f 'n%06g' 20001 | xargs touch"], { cwd: folder });
    const { text, data } = result<GlobData>(await call("glob", { pattern: "n*", sort: "modified" }));
    expect([data.files.length, data.total, data.sorted_by]).toEqual([200, 20_001, "path"]);
    expect(text.split("\n").slice(-2)).toEqual([
      "[Files 1-200 of 20001. Set max_results up to 5000, or narrow the pattern or path to see the others.]",
      "[Sorted by path: more than 20000 files cannot be sorted by time. Narrow the pattern.]",
    ]);
    expect(
      result(await call("ls", {}))
        .text.split("\n")
        .at(-1),
    ).toMatch(/^\[1000 entries listed, 19001 omitted\./);
  });
});

describe("odd names and files", () => {
  const names = [
    "new\nline.ts",
    "two\n\nlines.ts",
    "tab\t.ts",
    "😀.ts",
    "-dash.ts",
    "[id].ts",
    "back\\slash.ts",
    "é.ts",
    " blank.ts",
    'quote".ts',
    "C:.ts",
    "~.ts",
  ];

  test("every name is found and told as one line", async () => {
    const { call } = await openWorkspace(empty(...names.map((name) => `d\n/${name}`)));
    const { text, data } = result<GlobData>(await call("glob", { pattern: "*.ts", sort: "modified" }));
    expect(pathsOf(data).sort()).toEqual(names.map((name) => `d\n/${name}`).sort());
    expect(text.split("\n").length).toBe(names.length + 1);
  });

  test("links, circles, pipes and what lies outside are not followed", async () => {
    const outside = await tempFolder(empty("secret.ts"));
    const { folder, call } = await openWorkspace(empty("real/a.ts"));
    execFileSync("mkfifo", [join(folder, "pipe.ts")]);
    for (const [name, target] of [
      ["circle", "."],
      ["out", outside],
      ["out.ts", join(outside, "secret.ts")],
      ["loop.ts", "loop.ts"],
      ["link.ts", "real/a.ts"],
    ] as const) {
      await symlink(target, join(folder, name));
    }
    const { data } = result<GlobData>(await call("glob", { pattern: "*.ts", include_ignored: true }));
    expect(pathsOf(data)).toEqual(["real/a.ts"]);
    expect(failed(await call("glob", { pattern: "*", path: "out" })).type).toBe("outside_workspace");
    await symlink("real", join(folder, "inside"));
    expect(
      pathsOf(result<GlobData>(await call("glob", { pattern: "*", path: "inside", sort: "modified" })).data),
    ).toEqual(["inside/a.ts"]);
  });

  test("a folder that may not be read is told", async () => {
    const { folder, call } = await openWorkspace(empty("ok/a.ts", "locked/b.ts"), { ripgrep: await openRipgrep() });
    await chmod(join(folder, "locked"), 0);
    const { text } = await asOrdinaryUser(async () => result(await call("glob", { pattern: "*.ts" })));
    await chmod(join(folder, "locked"), 0o755);
    expect(text).toBe("ok/a.ts\n[1 file.]\n[Not searched: locked: Permission denied (os error 13)]");
  });

  test("a folder that may not be opened fails by its own path, whatever ripgrep makes of it", async () => {
    const { folder, call } = await openWorkspace({ "locked/b.ts": "needle\n" }, { ripgrep: await openRipgrep() });
    for (const mode of [0, 0o444]) {
      await chmod(join(folder, "locked"), mode);
      const outcome = await asOrdinaryUser(() => call("glob", { pattern: "*.ts", path: "locked" }));
      await chmod(join(folder, "locked"), 0o755);
      expect(failed(outcome)).toEqual({
        type: "io_error",
        message: "The folder to search may not be opened: the system does not permit it.",
        hint: "Check the permissions of the folder.",
      });
    }
  });

  test("a folder removed while it is searched gives an answer or says that it is gone", async () => {
    const { folder, call } = await openWorkspace();
    for (let round = 0; round < 5; round++) {
      await Promise.all(Array.from({ length: 50 }, (_, index) => writeFile(join(folder, `f${index}.ts`), "needle\n")));
      const running = Promise.all([
        call("glob", { pattern: "*.ts", sort: "modified" }),
        call("grep", { pattern: "needle" }),
        call("ls", { depth: 2 }),
      ]);
      await rm(folder, { recursive: true });
      for (const outcome of await running) {
        expect(outcome.ok || ["not_found", "io_error"].includes(outcome.error.type), JSON.stringify(outcome)).toBe(
          true,
        );
      }
      execFileSync("mkdir", [folder]);
    }
  });

  test("without ripgrep the answer says so", async () => {
    const { call } = await openWorkspace(tree, { ripgrep: "/nonexistent/rg" });
    expect(failed(await call("glob", { pattern: "*" })).message).toMatch(/^ripgrep could not be started: /);
  });

  test("cancelled", async () => {
    const { call } = await openWorkspace(tree);
    await expect(call("glob", { pattern: "*" }, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      type: "cancelled",
    });
  });
});

test.each(hosts)("a hostile glob ends at once, on the %s host", async (host) => {
  const { call } = await openWorkspace(empty(`${"a".repeat(200)}bc`, `${"ab/".repeat(60)}c`), { host });
  for (const pattern of [
    `${"*a".repeat(60)}*b`,
    "**/a*b/".repeat(40) + "x",
    "{a,b}".repeat(12),
    `${"?".repeat(9000)}`,
  ]) {
    expect(pathsOf(result<GlobData>(await call("glob", { pattern })).data)).toEqual([]);
  }
});

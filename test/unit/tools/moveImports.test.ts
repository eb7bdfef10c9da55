import { randomUUID } from "node:crypto";
import { chmod } from "node:fs/promises";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import {
  asOrdinaryUser,
  failed,
  hosts,
  isInMemory,
  openRipgrep,
  openWorkspace,
  result,
  tempFolder,
  type FileTree,
} from "./workspace.js";

interface PatchData {
  files: {
    path: string;
    action: string;
    from?: string;
    ranges: { start: number; end: number }[];
    added: number;
    removed: number;
    saved: boolean;
    imports?: boolean;
  }[];
}

const patch = (...lines: string[]): string => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const move = (from: string, to: string, ...hunks: string[]): string =>
  [`*** Update File: ${from}`, `*** Move to: ${to}`, ...hunks].join("\n");

describe.each(hosts)("a patch that moves files, on the %s host", (host) => {
  const cases: { name: string; files: FileTree; patch: string; after: FileTree; text?: RegExp; data?: object[] }[] = [
    {
      name: "updates who imports one, in every style, and nothing else of it",
      files: {
        "src/a.ts": "export const a = 1;\n",
        "src/x.ts":
          "// ./a\r\nimport { a } from './a';\r\nconst b = require(\"./a.js\"); // './a'\r\nexport * from \"../src/a.ts\"\r\nimport 'a';\r\n",
        "app/y.vue": "<script setup>import '../src/a'</script><p>../src/a</p>",
        "other/src/a.ts": "",
        "other/z.ts": "import './src/a'\n",
      },
      patch: patch(move("src/a.ts", "lib/b.ts")),
      after: {
        "lib/b.ts": "export const a = 1;\n",
        "src/x.ts":
          "// ./a\r\nimport { a } from '../lib/b';\r\nconst b = require(\"../lib/b.js\"); // './a'\r\nexport * from \"../lib/b.ts\"\r\nimport 'a';\r\n",
        "app/y.vue": "<script setup>import '../lib/b'</script><p>../src/a</p>",
        "other/z.ts": "import './src/a'\n",
      },
      text: /^Applied the patch to 1 file:\n- moved src\/a\.ts to lib\/b\.ts\n- updated imports in app\/y\.vue: line 1\n- updated imports in src\/x\.ts: lines 2, 3, 4$/,
      data: [
        { path: "lib/b.ts", action: "moved", from: "src/a.ts" },
        {
          path: "app/y.vue",
          action: "updated",
          imports: true,
          ranges: [{ start: 1, end: 1 }],
          added: 1,
          removed: 1,
          saved: true,
        },
        {
          path: "src/x.ts",
          action: "updated",
          imports: true,
          ranges: [
            { start: 2, end: 2 },
            { start: 3, end: 3 },
            { start: 4, end: 4 },
          ],
          added: 3,
          removed: 3,
        },
      ],
    },
    {
      name: "updates what the moved file imports itself, beside what the patch changes in it",
      files: {
        "src/a.ts": "import './b';\nimport '../c';\nimport './gone';\nlet x = 1;\n",
        "src/b.ts": "",
        "c.ts": "",
      },
      patch: patch(move("src/a.ts", "src/deep/a.ts", "@@", "-let x = 1;", "+let x = 2;")),
      after: { "src/deep/a.ts": "import '../b';\nimport '../../c';\nimport './gone';\nlet x = 2;\n", "src/b.ts": "" },
      text: /- moved src\/a\.ts to src\/deep\/a\.ts: lines 1, 2, 4 \(\+3 −3\)\n {2}Imports updated: lines 1, 2\.\nsrc\/deep\/a\.ts: line 3: \.\/gone does not resolve to a file; left unchanged\.$/,
      data: [{ action: "moved", imports: true, added: 3, removed: 3 }],
    },
    {
      name: "counts all moves together",
      files: {
        "src/a.ts": "import './b';\nimport './c';\n",
        "src/b.ts": "import './a';\n",
        "src/c.ts": "import { a } from './a';\n",
      },
      patch: patch(move("src/a.ts", "lib/a.ts"), move("src/b.ts", "lib/b.ts")),
      after: {
        "lib/a.ts": "import './b';\nimport '../src/c';\n",
        "lib/b.ts": "import './a';\n",
        "src/c.ts": "import { a } from '../lib/a';\n",
      },
    },
    {
      name: "leaves what the patch wrote itself, where it leads somewhere",
      files: {
        "src/a.ts": "import './b';\n",
        "src/b.ts": "",
        "src/x.ts": "import './a';\nlet x;\n",
        "src/y.ts": "import './a'; let y;\n",
        "src/lib/b.ts": "",
      },
      patch: patch(
        move("src/a.ts", "src/lib/a.ts", "@@", "-import './b';", "+import './b'; // new"),
        "*** Update File: src/x.ts",
        "@@",
        "-import './a';",
        "+import './lib/a';",
        "*** Update File: src/y.ts",
        "@@",
        "-import './a'; let y;",
        "+import './a'; let z;",
      ),
      after: {
        "src/lib/a.ts": "import './b'; // new\n",
        "src/x.ts": "import './lib/a';\nlet x;\n",
        "src/y.ts": "import './lib/a'; let z;\n",
      },
    },
    {
      name: "leaves a name that the patch gives to a new file",
      files: { "src/a.ts": "", "src/x.ts": "import './a';\n" },
      patch: patch(move("src/a.ts", "src/a/impl.ts"), "*** Add File: src/a/index.ts", "+export * from './impl';"),
      after: { "src/a/index.ts": "export * from './impl';\n", "src/x.ts": "import './a';\n" },
    },
    {
      name: "follows index files, by the folder's name and by dots",
      files: {
        "src/ui/index.ts": "",
        "src/ui/button.ts": "import '.';\n",
        "src/ui/deep/x.ts": "import '..';\n",
        "src/y.ts": "import './ui';\nimport './ui/index';\n",
      },
      patch: patch(move("src/ui/index.ts", "src/view/index.ts")),
      after: {
        "src/ui/button.ts": "import '../view';\n",
        "src/ui/deep/x.ts": "import '../../view';\n",
        "src/y.ts": "import './view';\nimport './view/index';\n",
      },
    },
    {
      name: "names an index file where its folder's name means another file",
      files: { "src/ui/index.ts": "", "src/view.ts": "", "src/y.ts": "import './ui';\n" },
      patch: patch(move("src/ui/index.ts", "src/view/index.ts")),
      after: { "src/y.ts": "import './view/index';\n" },
    },
    {
      name: "follows what is no source, and names with characters of patterns",
      files: {
        "src/a (1)+[b].svg": "<svg/>",
        "bin.png": new Uint8Array([0, 1]),
        "src/x.ts": "import './a (1)+[b].svg?raw';\nimport '../bin.png';\n",
      },
      patch: patch(move("src/a (1)+[b].svg", "img/a.svg"), move("bin.png", "img/bin.png")),
      after: {
        "src/x.ts": "import '../img/a.svg?raw';\nimport '../img/bin.png';\n",
        "img/bin.png": new Uint8Array([0, 1]),
      },
    },
    {
      name: "updates files in a folder whose name reads as a home folder",
      files: { "~/a.ts": "", "~/x.ts": "import './a';\n" },
      patch: patch(move("./~/a.ts", "b.ts")),
      after: { "~/x.ts": "import '../b';\n" },
    },
    {
      name: "keeps a byte order mark and an encoding",
      files: { "a.ts": "", "x.ts": Buffer.from("\uFEFFimport './a';\n", "utf16le") },
      patch: patch(move("a.ts", "b.ts")),
      after: { "x.ts": Buffer.from("\uFEFFimport './b';\n", "utf16le") },
    },
    {
      name: "leaves what would not fit between its quotes, and says so",
      files: { "a.ts": "", "x.ts": "import './a';\nimport \"./a\";\n" },
      patch: patch(move("a.ts", "it's.ts")),
      after: { "x.ts": "import './a';\nimport \"./it's\";\n" },
      text: /\nx\.ts: line 1: \.\/a was left unchanged: the new path cannot be written in its quotes\.$/,
    },
    {
      name: "leaves protected files, and says so",
      files: { "a.ts": "", ".husky/check.js": "require('../a');\n" },
      patch: patch(move("a.ts", "b.ts")),
      after: { ".husky/check.js": "require('../a');\n" },
      text: /\nImports in \.husky\/check\.js \(line 1\) were not updated: it is protected: Git runs hooks and filters from it\.$/,
    },
    {
      name: "does not look into ignored files and packages, or at secrets",
      files: {
        ".gitignore": "out/\n",
        "a.ts": "",
        "out/x.js": "require('../a')\n",
        "node_modules/p/x.js": "require('../../a')\n",
        ".env.js": "require('./a')\n",
      },
      patch: patch(move("a.ts", "b.ts")),
      after: {
        "out/x.js": "require('../a')\n",
        "node_modules/p/x.js": "require('../../a')\n",
        ".env.js": "require('./a')\n",
      },
      text: /^Applied the patch to 1 file:\n- moved a\.ts to b\.ts$/,
    },
    {
      name: "leaves aliases, comments and what is worked out",
      files: {
        "src/a.ts": "",
        "src/x.ts": "import '@/a';\nimport 'src/a';\n// import './a'\nimport(`./a`);\nimport('./a' + '');\n",
      },
      patch: patch(move("src/a.ts", "src/b.ts")),
      after: { "src/x.ts": "import '@/a';\nimport 'src/a';\n// import './a'\nimport(`./a`);\nimport('./a' + '');\n" },
    },
    {
      name: "says which file is too long to search for imports",
      files: { "a.ts": `import './x';\n${" ".repeat(2_000_000)}`, "x.ts": "" },
      patch: patch(move("a.ts", "d/a.ts")),
      after: {},
      text: /\nd\/a\.ts is too long to search for imports; check them yourself\.$/,
    },
    {
      name: "leaves imports of what it deletes",
      files: { "a.ts": "import './b';\n", "b.ts": "", "x.ts": "import './a'; import './b';\n" },
      patch: patch(move("a.ts", "d/a.ts"), "*** Delete File: b.ts"),
      after: { "d/a.ts": "import './b';\n", "x.ts": "import './d/a'; import './b';\n" },
      text: /d\/a\.ts: line 1: \.\/b does not resolve to a file; left unchanged\.$/,
    },
  ];
  test.each(cases)("$name", async ({ files, patch: input, after, text, data }) => {
    const { call, bytes } = await openWorkspace(files, { host, updatesImports: true });
    const answer = result<PatchData>(await call("apply_patch", { patch: input }));
    for (const [path, content] of Object.entries(after)) {
      expect([path, String(await bytes(path))]).toEqual([path, String(Buffer.from(content as string))]);
    }
    if (text !== undefined) {
      expect(answer.text).toMatch(text);
    }
    if (data !== undefined) {
      expect(answer.data.files).toMatchObject(data);
    }
  });

  const FILES: FileTree = {
    "src/a.ts": "import './b';\n",
    "src/b.ts": "",
    "src/x.ts": "import './a';\n",
    "src/y.ts": "import './a';\n",
  };
  const MOVE = patch(move("src/a.ts", "lib/a.ts"));

  test("changes nothing else and says nothing while the setting is off", async () => {
    const { call, bytes } = await openWorkspace(FILES, { host });
    expect(result(await call("apply_patch", { patch: MOVE })).text).toBe(
      "Applied the patch to 1 file:\n- moved src/a.ts to lib/a.ts",
    );
    expect(String(await bytes("src/x.ts"))).toBe("import './a';\n");
    expect(String(await bytes("lib/a.ts"))).toBe("import './b';\n");
  });

  test("shows a person every import it changes, and does what was shown", async () => {
    const { call, asked, bytes } = await openWorkspace(FILES, { host, updatesImports: true });
    result(await call("apply_patch", { patch: MOVE }, { as: "model", answer: true }));
    expect(asked).toHaveLength(1);
    expect(asked[0]?.detail.text).toContain(
      "--- a/src/x.ts\n+++ b/src/x.ts\n@@ -1,1 +1,1 @@\n-import './a';\n+import '../lib/a';",
    );
    expect(asked[0]?.detail.text).toContain("-import './b';\n+import '../src/b';");
    expect(asked[0]?.detail.text).toContain("src/y.ts");
    expect(String(await bytes("src/y.ts"))).toBe("import '../lib/a';\n");
  });

  test("changes nothing at all when the person says no, or a shown file changes meanwhile", async () => {
    const { call, put, bytes } = await openWorkspace(FILES, { host, updatesImports: true });
    failed(await call("apply_patch", { patch: MOVE }, { as: "model", answer: false }));
    const answer = async (): Promise<boolean> => {
      await put("src/y.ts", "import './a'; // typed\n");
      return true;
    };
    expect(failed(await call("apply_patch", { patch: MOVE }, { as: "model", answer }))).toMatchObject({
      type: "stale",
      message: expect.stringMatching(/^src\/y\.ts has changed since/) as string,
    });
    expect(String(await bytes("src/a.ts"))).toBe("import './b';\n");
    expect(String(await bytes("src/x.ts"))).toBe("import './a';\n");
    expect(String(await bytes("src/y.ts"))).toBe("import './a'; // typed\n");
  });

  test("is taken back with all its imports in one step", async () => {
    const { call, changes, files, bytes, names } = await openWorkspace(FILES, { host, updatesImports: true });
    const session = randomUUID();
    result(await call("apply_patch", { patch: MOVE }, { session, turn: "moving" }));
    await changes.undo(
      { session, turn: "undoing", callId: randomUUID(), door: "api", summary: "Undo" },
      { turn: "moving", session },
      files,
      new AbortController().signal,
    );
    for (const [path, content] of Object.entries(FILES)) {
      expect(String(await bytes(path))).toBe(content);
    }
    expect(await names()).not.toContain("lib");
  });

  test("needs no reading of the files that import, and counts none as read that was not", async () => {
    const { call } = await openWorkspace(
      { ...FILES, "src/y.ts": "import './a';\nlet y = 1;\n" },
      { host, updatesImports: true },
    );
    const session = randomUUID();
    const must = { as: "model", session, reads: "must" } as const;
    result(await call("read", { path: "src/a.ts" }, must));
    result(await call("read", { path: "src/x.ts" }, must));
    result(await call("apply_patch", { patch: MOVE }, must));
    // Known before, and told what changed: the next edit needs no reading again.
    result(
      await call("edit", { path: "src/x.ts", old_text: "import '../lib/a';", new_text: "import '../lib/a.js';" }, must),
    );
    result(await call("edit", { path: "lib/a.ts", old_text: "'../src/b'", new_text: "'../src/b.js'" }, must));
    expect(failed(await call("write", { path: "src/y.ts", content: "let y = 2;\n" }, must)).type).toBe("must_read");
  });

  test("updates imports across the folders of a workspace", async () => {
    const second = isInMemory(host) ? "/work/outside" : await tempFolder({ "y.ts": "" });
    const { call, bytes, folder } = await openWorkspace(
      { "a.ts": "", "x.ts": "import './a';\n" },
      { host, updatesImports: true, name: "one", outside: { "y.ts": "" }, roots: [{ name: "two", path: second }] },
    );
    const there = relative(second, folder);
    result(
      await call("apply_patch", {
        patch: patch(move("one/a.ts", "one/b/a.ts"), "*** Add File: two/z.ts", `+import '${there}/b/a';`),
      }),
    );
    expect(String(await bytes("x.ts"))).toBe("import './b/a';\n");
    result(await call("apply_patch", { patch: patch(move("one/b/a.ts", "one/c.ts")) }));
    expect(String(await bytes(join(second, "z.ts")))).toBe(`import '${there}/c';\n`);
    expect(String(await bytes("x.ts"))).toBe("import './c';\n");
  });
});

test("a file that may not be written is left out and told, and the move goes on", async () => {
  const ripgrep = await openRipgrep();
  const { folder, call, bytes } = await openWorkspace(
    { "a.ts": "", "x.ts": "import './a';\n", "y.ts": "import './a';\n" },
    { updatesImports: true, ripgrep },
  );
  await chmod(folder, 0o777);
  await chmod(join(folder, "a.ts"), 0o666);
  await chmod(join(folder, "y.ts"), 0o666);
  await chmod(join(folder, "x.ts"), 0o444);
  const { text } = result(await asOrdinaryUser(() => call("apply_patch", { patch: patch(move("a.ts", "b.ts")) })));
  expect(text).toMatch(/\n- updated imports in y\.ts: line 1\nImports in x\.ts were not updated: x\.ts: /);
  expect(String(await bytes("x.ts"))).toBe("import './a';\n");
  expect(String(await bytes("y.ts"))).toBe("import './b';\n");
});

test("says of a folder that cannot be listed that imports into it were not updated", async () => {
  const { folder, call, bytes } = await openWorkspace(
    { "a.ts": "import './closed/b';\n", "closed/b.ts": "", "x.ts": "import './a';\nimport './closed/b';\n" },
    { updatesImports: true, ripgrep: await openRipgrep() },
  );
  for (const path of [".", "a.ts", "x.ts"]) {
    await chmod(join(folder, path), 0o777);
  }
  await chmod(join(folder, "closed"), 0o311);
  const { text } = result(await asOrdinaryUser(() => call("apply_patch", { patch: patch(move("a.ts", "deep/a.ts")) })));
  await chmod(join(folder, "closed"), 0o755);
  expect(text).toContain("Imports in deep/a.ts were not updated: closed: the system does not permit it.");
  expect(String(await bytes("deep/a.ts"))).toBe("import './closed/b';\n");
});

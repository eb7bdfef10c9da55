import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { joinPath } from "../../../src/core/paths/pathShape.js";
import { resolveFrom } from "../../../src/core/paths/resolveFrom.js";
import { MemoryDisk } from "../../memory/disk.js";
import { MemoryFiles } from "../../memory/files.js";
import { memorySearch } from "../../memory/search.js";
import { NodeDisk } from "../../../src/hosts/node/disk/disk.js";
import { NodeFiles } from "../../../src/hosts/node/disk/files.js";
import { createRipgrep } from "../../../src/hosts/node/ripgrep/run.js";
import { RipgrepSearch } from "../../../src/hosts/ripgrep/search.js";
import { WorkspaceScan } from "../../../src/hosts/search/workspaceScan.js";
import { WorkspaceSearch } from "../../../src/hosts/search/workspaceSearch.js";
import type { Files, Root } from "../../../src/ports/files.js";
import type { Search } from "../../../src/ports/search.js";
import { ripgrepPath, tempFolder } from "../../unit/tools/workspace.js";

const run = createRipgrep(ripgrepPath);

interface Opened {
  files: Files;
  search: Search;
}

/** Every way in which a host searches: `window` as the extension puts the two together. */
const HOSTS = {
  node: async (names: readonly string[], more: readonly Root[] = []) => onDisk(await tempFolder(empty(names)), more),
  memory: async (names: readonly string[]) => {
    const disk = new MemoryDisk();
    names.forEach((name) => disk.write(`/ws/${name}`, ""));
    const files = new MemoryFiles(disk, [{ name: "ws", path: "/ws", scheme: "memory" }]);
    return { files, search: memorySearch(files, run) };
  },
  window: async (names: readonly string[], more: readonly Root[] = []) => {
    const { files, search } = onDisk(await tempFolder(empty(names)), more);
    return {
      files,
      search: new WorkspaceSearch({
        files,
        local: search,
        scan: new WorkspaceScan({ files, run }),
        run,
        untitled: () => [],
      }),
    };
  },
} satisfies Record<string, (names: readonly string[], more?: readonly Root[]) => Promise<Opened>>;

function onDisk(folder: string, more: readonly Root[]): Opened {
  const files = new NodeFiles(new NodeDisk(), [{ name: "ws", path: folder, scheme: "file" }, ...more]);
  const search = new RipgrepSearch({
    run,
    roots: () => files.roots(),
    resolve: (path) => files.resolve(path),
    kindOf: async (at) => (await files.stat(at)).kind,
    unsaved: async () => [],
    files,
  });
  return { files, search };
}

const empty = (names: readonly string[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, ""]));

async function found({ files, search }: Opened, at: string, pattern: string): Promise<string[]> {
  const { paths } = await search.find(
    { pattern, at: await files.resolve(at), includeIgnored: false, timeLimit: 10_000 },
    new AbortController().signal,
  );
  return paths;
}

describe.each(["node", "memory", "window"] as const)("find, on the %s host", (host) => {
  const open = HOSTS[host];

  const AT_A_FILE = [
    { pattern: "*.ts", paths: ["src/a.ts"] },
    { pattern: "**", paths: ["src/a.ts"] },
    { pattern: "a.ts", paths: ["src/a.ts"] },
    { pattern: "b.ts", paths: [] },
    { pattern: "src/*.ts", paths: [] },
  ];
  test.each(AT_A_FILE)("of a file is the file alone, by its name: $pattern", async ({ pattern, paths }) => {
    expect(await found(await open(["src/a.ts", "src/b.ts", ".gitignore"]), "src/a.ts", pattern)).toEqual(paths);
  });

  test("of a file that is not there fails", async () => {
    await expect(found(await open(["a.ts"]), "b.ts", "**")).rejects.toMatchObject({ type: "not_found" });
  });

  const ODD = [
    "~",
    "~x",
    "~root/x",
    "C:",
    "C:x",
    "untitled:Untitled-1",
    "file:",
    "- dash",
    "#x",
    "a b",
    "ok/~",
    "ok/C:/~/x",
  ];
  test("what it gives, and what a listing gives, can be opened whatever it is called", async () => {
    const opened = await open(ODD);
    const { files } = opened;
    const top = await files.resolve(".");
    const paths = await found(opened, ".", "**");
    expect(paths).toEqual([...ODD].sort());
    for (const path of paths) {
      expect(await files.stat(await resolveFrom(files, top, path)), path).toMatchObject({ kind: "file" });
    }
    for (const { name, kind } of await files.list(top)) {
      expect(await files.stat(await resolveFrom(files, top, joinPath(top.path, name))), name).toMatchObject({ kind });
    }
  });
});

test.each(["node", "window"] as const)(
  "what is found in one of several folders, and in one beside the workspace, can be opened on the %s host",
  async (host) => {
    const [second, beside] = [await tempFolder(empty(["~", "C:"])), await tempFolder(empty(["~", "C:"]))];
    const opened = await HOSTS[host](
      ["~"],
      [
        { name: "~two", path: second, scheme: "file" },
        { name: "x", path: beside, scheme: "file", beside: true },
      ],
    );
    const { files } = opened;
    const expected = {
      ".": ["ws/~", "~two/C:", "~two/~"],
      "./~two": ["~two/C:", "~two/~"],
      [beside]: [join(beside, "C:"), join(beside, "~")],
    };
    for (const [at, paths] of Object.entries(expected)) {
      expect(await found(opened, at, "**")).toEqual(paths);
      for (const path of paths) {
        expect(await files.stat(await resolveFrom(files, await files.resolve(at), path)), path).toMatchObject({
          kind: "file",
        });
      }
    }
  },
);

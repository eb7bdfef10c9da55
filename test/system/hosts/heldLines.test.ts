// How many lines a search holds: a file of nothing but matches must not take all memory, wherever it is.
import { expect, it } from "vitest";
import { WorkspaceScan } from "../../../src/hosts/search/workspaceScan.js";
import { WorkspaceSearch } from "../../../src/hosts/search/workspaceSearch.js";
import { RipgrepSearch } from "../../../src/hosts/ripgrep/search.js";
import { createRipgrep } from "../../../src/hosts/node/ripgrep/run.js";
import { NodeDisk } from "../../../src/hosts/node/disk/disk.js";
import { NodeFiles } from "../../../src/hosts/node/disk/files.js";
import type { Search, SearchRequest } from "../../../src/ports/search.js";
import { MemoryDisk } from "../../memory/disk.js";
import { MemoryFiles } from "../../memory/files.js";
import { ripgrepPath, tempFolder } from "../../unit/tools/workspace.js";

/** Each line is a match. */
const LINES = 300_000;
const TEXT = "x\n".repeat(LINES);
/** What a search holds at most, with the line that shows that there are more. */
const MOST = 100_001;

const run = createRipgrep(ripgrepPath);
const { signal } = new AbortController();
const unsearched: Search = {
  search: async () => ({ files: [], partial: undefined, problems: [] }),
  find: () => expect.fail("nothing is to be found by name"),
};

const memory = new MemoryDisk();
memory.write("/ws/a.txt", TEXT);
memory.write("/ws/b.txt", TEXT);
const virtual = new MemoryFiles(memory, [{ name: "ws", path: "/ws", scheme: "memory" }]);

async function onDisk(): Promise<{ files: NodeFiles; search: Search }> {
  const folder = await tempFolder({ "a.txt": TEXT, "b.txt": "saved\n" });
  const files = new NodeFiles(new NodeDisk(), [{ name: "ws", path: folder, scheme: "file" }]);
  const search = new RipgrepSearch({
    ...{ run, files, roots: () => files.roots(), resolve: (path) => files.resolve(path) },
    kindOf: async (at) => (await files.stat(at)).kind,
    unsaved: async () => [{ path: "b.txt", absolute: (await files.resolve("b.txt")).absolute, text: TEXT }],
  });
  return { files, search };
}

it.each([
  ["a file on disk", async () => ({ ...(await onDisk()), path: "a.txt" })],
  ["an unsaved text", async () => ({ ...(await onDisk()), path: "b.txt" })],
  [
    "a folder in memory",
    async () => ({ files: virtual, search: new WorkspaceScan({ files: virtual, run }), path: "." }),
  ],
  [
    "a document that was never saved",
    async () => ({
      files: virtual,
      search: new WorkspaceSearch({
        ...{ files: virtual, run, local: unsearched, scan: unsearched },
        untitled: () => [{ path: "untitled:Untitled-1", text: TEXT }],
      }),
      path: ".",
    }),
  ],
])("a search of %s holds a bounded number of lines, and says that there are more", async (_, make) => {
  const { files, search, path } = await make();
  const request: SearchRequest = {
    ...{ pattern: "x", literal: false, ignoreCase: false, multiline: false, context: 0, include: [], exclude: [] },
    ...{ at: await files.resolve(path), includeIgnored: false, timeLimit: 60_000 },
  };
  const found = await search.search(request, signal);
  expect(found.partial).toBe("size");
  const held = found.files.reduce((sum, { lines }) => sum + lines.length, 0);
  expect(held).toBeGreaterThan(99_000);
  expect(held).toBeLessThanOrEqual(MOST);
});

// Paths longer than the 260 characters that Windows' older calls take, through the tools.
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { failed, openWorkspace, result } from "./workspace.js";

const FOLDER = Array.from({ length: 8 }, (_, index) => `${index}${"d".repeat(44)}`).join("/");
const NAME = `${"n".repeat(200)}.txt`;

test.each([
  { what: "the folder is too long", path: `${FOLDER}/a.txt` },
  { what: "the name is, too", path: `${FOLDER}/${NAME}` },
  { what: "only with the workspace's own path", path: `${"e".repeat(120)}/${"f".repeat(120)}/a.txt` },
])("a file is found, changed and undone where $what", async ({ path }) => {
  const ws = await openWorkspace();
  const session = randomUUID();
  const folder = path.slice(0, path.lastIndexOf("/"));
  const name = path.slice(folder.length + 1);
  result(await ws.call("write", { path, content: "one\ntwo\n" }, { session, turn: "write" }));
  expect(result(await ws.call("read", { path }, { session })).text).toContain("\tone\n");
  result(await ws.call("edit", { path, old_text: "one", new_text: "eins" }, { session, turn: "edit" }));
  const patch = `*** Begin Patch\n*** Update File: ${path}\n@@\n-two\n+zwei\n*** End Patch`;
  result(await ws.call("apply_patch", { patch }, { session, turn: "patch" }));
  expect(String(await ws.bytes(path))).toBe("eins\nzwei\n");
  expect(result(await ws.call("ls", { path: folder })).text).toContain(name);
  expect(result(await ws.call("glob", { pattern: "**/*.txt" })).text).toContain(path);
  expect(result(await ws.call("grep", { pattern: "zwei" })).text).toContain(path);
  for (const turn of ["patch", "edit", "write"]) {
    const undone = await ws.changes.undo(
      { session, turn: "undo", callId: randomUUID(), door: "palette", summary: "undo" },
      { session, turn },
      ws.files,
      new AbortController().signal,
    );
    expect(undone.conflicts).toEqual([]);
  }
  expect(failed(await ws.call("read", { path })).type).toBe("not_found");
  expect(await ws.names(".")).toEqual([]);
});

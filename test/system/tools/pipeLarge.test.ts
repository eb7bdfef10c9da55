import { expect, test } from "vitest";
import { mostHeld } from "../../harness/heldMemory.js";
import { openWorkspace, result } from "../../unit/tools/workspace.js";

const store = ".toolhost/context";

test("a pipe of 200 MB goes through in bounded memory, every byte of it", async () => {
  const workspace = await openWorkspace();
  const pipe = (bytes: number, path: string) =>
    workspace.call("pipe", {
      tool_name: "exec",
      tool_input: { command: `yes 'a line of thirty-two characters' | head -c ${bytes}` },
      path,
    });
  result(await pipe(30_000_000, "small.log"));
  const held = await mostHeld(() => pipe(200_000_000, "large.log"));
  const { text, data } = result(held.value);
  expect(data).toMatchObject({ bytes_written: 200_000_000, stored: "text", undoable: false });
  expect(text).toContain("not in the undo journal");
  expect(text).not.toContain("missing");
  expect((await workspace.names(store)).sort()).toEqual([".gitignore", "large.log", "small.log"]);
  const check = result(
    await workspace.call("exec", { command: `stat -c %s ${store}/large.log; sort -u ${store}/large.log | head -3` }),
  );
  expect(check.text).toContain("200000000\na line of thirty-two characters");
  expect(held.samples).toBeGreaterThan(1);
  expect(Math.round(held.bytes / 1e6)).toBeLessThan(20);
});

test("standard output of megabytes is whole, and so is standard error", async () => {
  const workspace = await openWorkspace();
  const command = "seq 1 300000 & seq 1 200000 >&2; wait";
  const { data, text } = result<{ bytes_written: number }>(
    await workspace.call("pipe", { tool_name: "exec", tool_input: { command }, path: "n.txt" }),
  );
  expect(data.bytes_written).toBe(1_988_895);
  const id = /read_result (r[0-9a-f]+)/.exec(text)?.[1];
  const page = result<{ content: string }>(await workspace.call("read_result", { id, page: -1 })).data;
  expect(page.content.endsWith("199999\n200000\n")).toBe(true);
});

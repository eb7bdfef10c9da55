import { expect, test } from "vitest";
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
  // What the engine takes for any result of more than a few megabytes is not what is measured.
  result(await pipe(30_000_000, "small.log"));
  let most = 0;
  const before = process.memoryUsage().rss;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
  const { text, data } = result(await pipe(200_000_000, "large.log"));
  clearInterval(timer);
  expect(data).toMatchObject({ bytes_written: 200_000_000, stored: "text", undoable: false });
  expect(text).toContain("not in the undo journal");
  expect(text).not.toContain("missing");
  expect((await workspace.names(store)).sort()).toEqual([".gitignore", "large.log", "small.log"]);
  const check = result(
    await workspace.call("exec", { command: `stat -c %s ${store}/large.log; sort -u ${store}/large.log | head -3` }),
  );
  expect(check.text).toContain("200000000\na line of thirty-two characters");
  expect(Math.round((most - before) / 1e6)).toBeLessThan(150);
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

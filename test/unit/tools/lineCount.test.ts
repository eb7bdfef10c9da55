import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { lineCount } from "./lineCount.js";
import { failed, openWorkspace, result } from "./workspace.js";

it("is the example of docs/architecture.md, and works", async () => {
  const source = readFileSync(new URL("lineCount.ts", import.meta.url), "utf8");
  const page = readFileSync(new URL("../../../docs/architecture.md", import.meta.url), "utf8");
  expect(page).toContain(source.slice(source.indexOf("export const")));

  const files = { "d/a.txt": "a\nb\n", "d/.env": "KEY=1\n", "top.txt": "a\n" };
  const { call } = await openWorkspace(files, { moreTools: [lineCount] });
  expect(result(await call("line_count", { path: "d" })).text).toBe("d/a.txt: 2\nd/.env: not counted");
  expect(result(await call("line_count", { path: "." })).text).toBe("top.txt: 1");
  expect(failed(await call("line_count", { path: "nope" })).type).toBe("not_found");
  expect(failed(await call("line_count", { path: "top.txt" })).message).toBe("top.txt is not a folder.");
});

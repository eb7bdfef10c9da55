import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { lineCount } from "./lineCount.js";
import { failed, openWorkspace, result } from "./workspace.js";

it("counts the lines of files, secrets excepted", async () => {
  const { call } = await openWorkspace(
    { "d/a.txt": "a\nb\n", "d/.env": "KEY=1\n", "top.txt": "a" },
    { moreTools: [lineCount] },
  );
  expect(result(await call("line_count", { path: "d" })).text).toBe("d/a.txt: 2\nd/.env: not counted");
  expect(result(await call("line_count", { path: "." })).data).toEqual({
    files: [{ path: "top.txt", lines: 1 }],
    refused: [],
  });
  expect(failed(await call("line_count", { path: "nope" })).type).toBe("not_found");
  expect(failed(await call("line_count", { path: "top.txt" })).message).toBe("top.txt is not a folder.");
});

it("is the example of docs/architecture.md", () => {
  const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
  const page = read("../../../docs/architecture.md");
  const source = read("lineCount.ts");
  expect(page).toContain(source.slice(source.indexOf("export const")));
  const expectations = read("lineCount.test.ts").match(
    /^ {2}expect\(.*nope.*$|^ {2}expect\(.*call\("line_count", \{ path: "[d.]" \}.*$/gm,
  );
  expect(expectations).toHaveLength(3);
  for (const line of expectations ?? []) {
    expect(page).toContain(line);
  }
});

import { expect, it } from "vitest";
import type { ReportedProblem } from "../../../src/ports/languageServers.js";
import { servers } from "./serverTools.js";
import { openWorkspace, result, type TestWorkspace } from "./workspace.js";

const problem = (line: number, severity: ReportedProblem["severity"], message: string): ReportedProblem => ({
  ...{ path: "a.ts", severity, message, source: "ts", code: "1", related: [] },
  range: { start: { line, column: 2 }, end: { line, column: 3 } },
});

function open(problems: ReportedProblem[], isChecked: boolean): Promise<TestWorkspace> {
  const languageServers = servers({ problems: async () => ({ problems, isChecked }) });
  return openWorkspace({ "a.ts": "" }, { capabilities: { languageServers } });
}

it("lists errors first, with related places, and pages", async () => {
  const related = [{ path: "b.ts", line: 3, message: "declared here" }];
  const { call } = await open(
    [problem(1, "warning", "odd\nthing"), problem(5, "hint", "unused"), { ...problem(9, "error", "wrong"), related }],
    true,
  );
  expect(result(await call("diagnostics", { path: "a.ts" })).text).toBe(
    "a.ts:9:2 error: wrong (ts 1)\n  b.ts:3: declared here\na.ts:1:2 warning: odd thing (ts 1)\n[2 problems.]",
  );
  expect(result(await call("diagnostics", { path: "a.ts", severity: "hint", limit: 1, offset: 1 })).text).toBe(
    "a.ts:1:2 warning: odd thing (ts 1)\n[Problems 2-2 of 3. Continue with offset=2.]",
  );
  expect(result(await call("diagnostics", { path: "a.ts", severity: "error" })).data).toMatchObject({
    total: 1,
    checked: true,
  });
});

it("tells none from not checked", async () => {
  const checked = await open([], true);
  expect(result(await checked.call("diagnostics", { path: "a.ts" })).text).toBe("[No problem in a.ts.]");
  const unchecked = await open([], false);
  expect(result(await unchecked.call("diagnostics", { path: "a.ts" })).text).toBe(
    "[No problem reported in a.ts, but no server was seen to check it.]",
  );
  expect(result(await unchecked.call("diagnostics", {})).text).toBe(
    "[No problem reported.]\n[Most servers check only files that are open. Give a file to have it checked.]",
  );
});

// What another agent in VS Code gets of a result of any size: an excerpt within the budget, and how to reach the rest.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { inWorkspace, toolText, writeFile } from "../tool";

/** Maximum characters of a result: more would take the place of the conversation. Only `read` may give more. */
const BUDGET = 24_000;
const READ_BUDGET = 55_000;
/** What the last lines of an excerpt take, which say how to go on. */
const NOTE = 500;

const ROWS = Array.from({ length: 1_500 }, (_, id) => ({ id, name: `row ${id}` }));

const CASES: readonly { tool: string; input: object; budget?: number; last: string }[] = [
  { tool: "exec", input: { command: "seq 1 30000" }, last: "30000" },
  { tool: "exec", input: { command: "seq 1 30000 | tr '\\n' ' '" }, last: "30000" },
  { tool: "query", input: { path: "big/rows.json", expression: "$" }, last: '"row 1499"' },
];

describe("a result of any size, in VS Code", () => {
  before(() => {
    writeFile("big/rows.json", JSON.stringify(ROWS));
    writeFile("big/lines.txt", Array.from({ length: 30_000 }, (_, line) => `line ${line}\n`).join(""));
    writeFile("big/long.txt", `${"a needle in a long line ".repeat(20_000)}\n`);
  });
  after(() => rmSync(inWorkspace("big"), { recursive: true }));

  for (const { tool, input, last } of CASES) {
    it(`${tool} ${JSON.stringify(input)} stays within its budget, and read_result has the rest`, async () => {
      const text = await toolText(tool, input);
      assert.ok(text.length <= BUDGET + NOTE, `${text.length} characters`);
      const [, id] = /read_result (?:\{"id": ")?([\w-]+)/.exec(text) ?? /of ([\w-]+)\. Continue with/.exec(text) ?? [];
      assert.ok(id !== undefined, text.slice(-NOTE));
      const end = await toolText("read_result", { id, page: -1 });
      assert.ok(end.includes(last), end.slice(-NOTE));
      assert.ok(end.length <= BUDGET + NOTE);
    });
  }

  for (const { tool, input, budget = BUDGET } of [
    { tool: "grep", input: { pattern: "line", path: "big/lines.txt", max_results: 1_000, context: 20 } },
    { tool: "grep", input: { pattern: "needle", path: "big/long.txt" } },
    { tool: "read", input: { path: "big/lines.txt" }, budget: READ_BUDGET },
    { tool: "read", input: { path: "big/lines.txt", limit: 30_000 }, budget: READ_BUDGET },
    { tool: "read", input: { path: "big/long.txt" }, budget: READ_BUDGET },
  ]) {
    it(`${tool} ${JSON.stringify(input)} stays within its budget, and says how to go on`, async () => {
      const text = await toolText(tool, input);
      assert.ok(text.length <= budget + NOTE, `${text.length} characters`);
      assert.match(text.slice(-NOTE), /offset=\d+|column/);
    });
  }
});

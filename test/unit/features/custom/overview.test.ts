import { expect, it } from "vitest";
import { overviewOf } from "../../../../src/features/custom/overview.js";
import { readTools } from "../../../../src/features/custom/readTools.js";
import { tools } from "../../../../src/tools/index.js";

it("tells what a file of tools uses: each name once, hidden characters shown", () => {
  const text = JSON.stringify({
    tools: [
      { name: "a", description: "d", command: "wc", readOnly: true, env: { K: { secret: "ONE" }, L: "plain" } },
      { name: "b", description: "d", command: "wc", env: { M: { secret: "ONE" } } },
      { name: "c", description: "d", command: "./r\u202eun.sh" },
      { name: "e", use: "grep", with: { pattern: "x" } },
    ],
    openapi: [{ spec: "api.json", server: "https://x.example", auth: { type: "bearer", secret: "TWO" } }],
  });
  const read = readTools(text, { reserved: () => false, ours: (name) => tools.find((tool) => tool.name === name) });
  expect(read.problems).toEqual([]);
  const services = read.services.map((service) => ({ ...service, source: "", address: undefined, text: undefined }));
  expect(
    overviewOf({
      entries: read.entries,
      services: services.map((service) => ({ ...service, isApproved: false, lastApproved: undefined, version: "" })),
    }),
  ).toEqual([
    "4 tools: a, b, c, e",
    "2 commands: wc, ./r\\u202eun.sh",
    "1 tool of Toolhost: grep",
    "1 service: api.json at https://x.example",
    "2 secrets: ONE, TWO",
    "Without a question, as read-only: a",
  ]);
});

it("counts the names that it leaves out", () => {
  const entries = Array.from({ length: 20 }, (_, index) => ({
    ...{ line: 1, column: 1 },
    entry: { name: `t${index}`, description: "d", command: "wc" },
  }));
  expect(overviewOf({ entries, services: [] })[0]).toMatch(/^20 tools: t0, .*, t11, and 8 more$/);
});

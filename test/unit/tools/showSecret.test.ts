import { expect, test } from "vitest";
import { MADE } from "../text/secrets/samples.js";
import { openWorkspace, type CallOptions, type TestWorkspace } from "./workspace.js";

const FILES = { ".env": `API_TOKEN=${MADE}\n` };

const yes: CallOptions = { as: "model", answer: async () => true, mode: "default" };
const no: CallOptions = { as: "model", answer: async () => false, mode: "default" };

async function textOf(ws: TestWorkspace, tool: string, input: unknown, options: CallOptions = yes): Promise<string> {
  const outcome = await ws.call(tool, input, options);
  return outcome.ok ? outcome.text : `${outcome.error.type}: ${outcome.error.message}`;
}

async function handleIn(ws: TestWorkspace): Promise<string> {
  return /⟦secret API_TOKEN #[0-9a-f]+⟧/.exec(await textOf(ws, "read", { path: ".env" }))?.[0] ?? "";
}

test("show_secret shows a value after a question, every time, and never without one", async () => {
  const ws = await openWorkspace(FILES, { masks: true });
  const handle = await handleIn(ws);
  ws.asked.length = 0;
  expect(await textOf(ws, "show_secret", { handle }, no)).toMatch(/^denied: /);
  expect(await textOf(ws, "show_secret", { handle }, { as: "model", mode: "bypass" })).toMatch(/^denied: /);
  expect(await textOf(ws, "show_secret", { handle })).toBe(MADE);
  expect(await textOf(ws, "show_secret", { handle })).toBe(MADE);
  expect(ws.asked).toHaveLength(3);
  expect(ws.asked[0]).toMatchObject({ reasons: [`Shows the value of ${handle} to the model.`], derived: [] });
  expect(JSON.stringify(ws.asked)).not.toContain(MADE);
  expect(await textOf(ws, "show_secret", { handle: "API_TOKEN" })).toMatch(/^invalid_input: .*not a handle/);
  // A rule does not open it.
  const ruled = await openWorkspace(FILES, {
    masks: true,
    rules: [
      { tool: "show_secret", decision: "allow" },
      { tool: "*", params: { path: "**" }, decision: "allow" },
    ],
  });
  const again = await handleIn(ruled);
  expect(await textOf(ruled, "show_secret", { handle: again }, { as: "model" })).toMatch(/^denied: /);
});

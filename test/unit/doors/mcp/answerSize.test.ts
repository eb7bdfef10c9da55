// How long answers are: what a client shows whole, of failures, too.
import { expect, test } from "vitest";
import type { Outcome } from "../../../../src/core/outcome.js";
import { Registry } from "../../../../src/core/registry.js";
import { answerSizeFor, CLIENT_LIMITS, MAX_ANSWER, readAnswerSize } from "../../../../src/doors/mcp/clientLimits.js";
import { PipelineTools } from "../../../../src/doors/mcp/pipelineTools.js";
import { RESULT_PAGE } from "../../../../src/ports/results.js";

const LONG = "x".repeat(100_000);

test.each<[what: string, outcome: Outcome]>([
  ["a text", { ok: true, text: LONG }],
  ["a failure", { ok: false, error: { type: "not_found", message: LONG, hint: LONG } }],
])("%s is cut to the size of the answer", async (_, outcome) => {
  const tools = new PipelineTools({
    ...{ folder: "/folder", session: "s", results: undefined, planOnly: false, sendsData: false },
    pipeline: { available: () => [], invoke: async () => outcome, meant: (name) => name },
    registry: new Registry([]),
    shipped: [],
    isServed: () => true,
    confirm: { ask: async () => "no" },
  });
  const options = { client: "A", report: () => undefined, turn: 1, signal: new AbortController().signal };
  for (const answerSize of [7_800, 20_000]) {
    const { text } = await tools.call("t", {}, { ...options, answerSize });
    expect(text.length).toBeLessThanOrEqual(answerSize);
    expect(text.length).toBeGreaterThan(answerSize * 0.9);
  }
  if (!outcome.ok) {
    await expect(tools.offer({ kind: "resources" }, options)).rejects.toSatisfy(
      ({ message }: Error) => message.length <= 7_800,
    );
  }
});

test("the size is the client's, and the smaller one for a client that is not known", () => {
  const sizes = ["claude-code", "codex-mcp-client", "copilot-cli", "gemini-cli-mcp-client", "opencode", "qwen-code"];
  expect(sizes.map(answerSizeFor)).toEqual(sizes.map(() => MAX_ANSWER));
  expect(["Cline", "Visual Studio Code", "unknown", ""].map(answerSizeFor)).toEqual(Array(4).fill(7_800));
  // No client is sent more than it shows, and a page of a stored result fits every one.
  expect(CLIENT_LIMITS.every(({ shows }) => shows > 7_800)).toBe(true);
  expect(RESULT_PAGE).toBeLessThan(7_800 - 200);
  expect([undefined, "x", -1, 1e9, Number.NaN, 12_000.5].map(readAnswerSize)).toEqual([
    ...Array<number>(5).fill(7_800),
    12_000,
  ]);
});

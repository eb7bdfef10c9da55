import { expect, test } from "vitest";
import type { AgentEvent } from "../../../src/agent/events.js";
import { AgentView } from "../../../src/doors/cli/agentView.js";

/** Clears the screen, renames the window, turns the direction of the rest, and an 8-bit control sequence. */
const HOSTILE = "\x1b[2J\x1b]0;root\x07\u202etxt.exe\x9b2J";
const EVENTS: readonly AgentEvent[] = [
  { type: "text", session: "s", text: `a ${HOSTILE}\r\n` },
  { type: "call", session: "s", id: "1", tool: HOSTILE, input: { path: HOSTILE }, summary: HOSTILE },
  { type: "progress", session: "s", id: "1", message: HOSTILE },
  { type: "result", session: "s", id: "1", tool: HOSTILE, ok: true, text: HOSTILE },
  { type: "result", session: "s", id: "2", tool: HOSTILE, ok: false, text: HOSTILE },
  { type: "todos", session: "s", todos: [{ content: HOSTILE, status: "pending" }] },
  { type: "notice", session: "s", kind: "retry", message: HOSTILE },
  { type: "end", session: "child", turn: "t", reason: "failed", message: HOSTILE },
];

test.each([
  { what: "words", json: false },
  { what: "lines of JSON", json: true },
])("nothing that a model, a tool or a server says commands the terminal, in $what", ({ json }) => {
  let shown = "";
  const write = (text: string): void => void (shown += text);
  const view = new AgentView({
    json,
    out: write,
    err: write,
    isTerminal: true,
    sharesTerminal: true,
    session: "s",
    workspace: undefined,
    toolOf: () => undefined,
  });
  EVENTS.forEach((event) => view.onEvent(event));
  view.finish({ reason: "failed", message: HOSTILE, iterations: 1 });
  expect(shown).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
  const lines = shown
    .trim()
    .split("\n")
    .filter((line) => line.startsWith("{"));
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual(json ? EVENTS : []);
});

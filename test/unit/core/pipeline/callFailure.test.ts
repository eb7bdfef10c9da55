import { expect, test } from "vitest";
import { failureWords } from "../../../../src/core/pipeline/callFailure.js";
import { ERROR_TYPES } from "../../../../src/core/errors.js";
import type { Outcome } from "../../../../src/core/outcome.js";

const command = (status: string, exit_code: number | null = null, signal: string | null = null): Outcome => ({
  ok: true,
  text: "",
  data: { status, exit_code, signal },
});
const error = (type: (typeof ERROR_TYPES)[number], message: string): Outcome => ({
  ok: false,
  error: { type, message },
});

test.each<[string, Outcome, string | undefined]>([
  ["a result", { ok: true, text: "done" }, undefined],
  ["a result with data", { ok: true, text: "done", data: { path: "a" } }, undefined],
  ["a command that ended well", command("exited", 0), undefined],
  ["a command that goes on", command("background"), undefined],
  ["a command that failed", command("exited", 3), "exit 3"],
  ["a command that was killed", command("signaled", null, "SIGKILL"), "ended by SIGKILL"],
  ["a command that took too long", command("timeout", null, "SIGTERM"), "timed out"],
  ["a command that was stopped", command("cancelled"), "stopped"],
  ["a command whose end nobody saw", command("unobserved"), "its end was not observed"],
  [
    "a task of which a step failed",
    {
      ok: true,
      text: "",
      data: {
        label: "all",
        steps: [
          { status: "exited", exit_code: 0 },
          { status: "exited", exit_code: 2 },
        ],
      },
    },
    "exit 2",
  ],
  ["a no", error("denied", "exec: the user said no. Nothing was done."), "not run: you said no"],
  [
    "a rule",
    error("denied", "exec: refused: a rule denies rm **; nothing may leave."),
    "not run: a rule denies rm **; nothing may leave",
  ],
  [
    "nobody to ask",
    error("denied", "exec needs the user's permission, and no one can be asked here."),
    "not run: not allowed",
  ],
  ["Restricted Mode", error("untrusted", "edit: refused."), "not run: Restricted Mode"],
  ["no match", error("no_match", "a: old_text was not found"), "no match"],
])("%s", (_, outcome, words) => {
  expect(failureWords(outcome)).toBe(words);
});

test.each(ERROR_TYPES)("%s has words of one line", (type) => {
  expect(failureWords(error(type, `x: refused: ${"long\n".repeat(1_000)}`))).toMatch(/^.{4,130}$/);
});

import { expect, test } from "vitest";
import { exitCodeOf } from "../../../src/doors/cli/exitCode.js";
import { commandData } from "../../../src/features/processes/commandData.js";

test.each<{ what: string; data: Record<string, unknown>; code: number }>([
  { what: "a command that fails has its own", data: { status: "exited", exit_code: 7 }, code: 7 },
  {
    what: "one that a signal ends has the shell's",
    data: { status: "signaled", exit_code: null, signal: "SIGTERM" },
    code: 143,
  },
  {
    what: "one whose time was up has that of timeout(1)",
    data: { status: "timeout", exit_code: 0, signal: "SIGTERM" },
    code: 124,
  },
  {
    what: "one that was cancelled has that of Ctrl+C",
    data: { status: "cancelled", exit_code: 0, signal: "SIGTERM" },
    code: 130,
  },
  { what: "one that took too much failed", data: { status: "limited", exit_code: 0, signal: "SIGTERM" }, code: 1 },
])("$what: $code", ({ data, code }) => {
  const whole = { signal: null, duration_ms: 1, omitted: 0, left_running: false, ...data };
  expect(commandData().safeParse(whole).error).toBeUndefined();
  expect(exitCodeOf({ ok: true, text: "", data: whole })).toBe(code);
});

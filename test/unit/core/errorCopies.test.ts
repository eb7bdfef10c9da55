import { expect, test, vi } from "vitest";
import { Cancelled, NotTakenBack, ToolError } from "../../../src/core/errors.js";

test("an error of another copy of the module, as bundles have, is one of ours", async () => {
  vi.resetModules();
  const other = await import("../../../src/core/errors.js");
  expect(other.ToolError).not.toBe(ToolError);
  expect(new other.ToolError("denied", "no") instanceof ToolError).toBe(true);
  expect(new other.Cancelled("read") instanceof ToolError).toBe(true);
});

test("other errors are none, and a special one is not each of them", () => {
  expect([new Error("x"), undefined, null, "x", {}].some((value) => value instanceof ToolError)).toBe(false);
  expect(new ToolError("io_error", "x") instanceof NotTakenBack).toBe(false);
  expect(new Cancelled("read") instanceof NotTakenBack).toBe(false);
  expect(new NotTakenBack("x", "y") instanceof NotTakenBack).toBe(true);
});

import { expect, it } from "vitest";
import { isOurs } from "../../../../src/doors/mcp/window/ours.js";

it("takes a file for ours by its user and by what others may do with it", () => {
  const uid = process.getuid?.() ?? 0;
  expect(isOurs({ uid, mode: 0o100_644 }, 0o022)).toBe(true);
  expect(isOurs({ uid, mode: 0o100_664 }, 0o022)).toBe(false);
  expect(isOurs({ uid: uid + 1, mode: 0o100_600 }, 0o022)).toBe(false);
});

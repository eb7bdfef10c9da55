import { describe, expect, test } from "vitest";
import { withoutName } from "../../../src/text/withoutName.js";

describe("a message without the name at its head", () => {
  test.each([
    { message: "a.ts is a folder.", name: "a.ts", rest: "is a folder." },
    { message: "a.ts: the disk is full.", name: "a.ts", rest: "the disk is full." },
    { message: '" a" is a folder.', name: " a", rest: "is a folder." },
    { message: "a.tsx is a folder.", name: "a.ts", rest: "a.tsx is a folder." },
    { message: "The disk is full.", name: "a.ts", rest: "The disk is full." },
  ])("$message", ({ message, name, rest }) => {
    expect(withoutName(message, name)).toBe(rest);
  });
});

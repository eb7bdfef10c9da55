import { describe, expect, it } from "vitest";
import { shownName } from "../../../src/text/shownName.js";

describe("a name in a list", () => {
  it.each([
    ["plain name.txt", "plain name.txt"],
    ["Ünïcode 日本.txt", "Ünïcode 日本.txt"],
    ["👩\u200d💻.txt", "👩\u200d💻.txt"],
    ["می\u200cخواهم", "می\u200cخواهم"],
    ["a\u200bb", '"a\\u200bb"'],
    ["a\u200e\u200fb", '"a\\u200e\\u200fb"'],
    ["a\u00adb", '"a\\u00adb"'],
    ["a\u2060b\ufeff", '"a\\u2060b\\ufeff"'],
    ["a\u202eb", '"a\\u202eb"'],
    ["a\u{e0041}b", '"a\\udb40\\udc41b"'],
    ["a\nb\x1b\u009b", '"a\\nb\\u001b\\u009b"'],
    [" leading", '" leading"'],
  ])("%j", (name, shown) => {
    expect(shownName(name)).toBe(shown);
    if (shown !== name) {
      expect(JSON.parse(shown)).toBe(name);
    }
  });
});

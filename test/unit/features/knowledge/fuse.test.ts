import { describe, expect, it } from "vitest";
import { fuseRankings, OF_CODE, OF_TEXTS } from "../../../../src/features/knowledge/fuse.js";

const list = (name: string, count: number): string[] => Array.from({ length: count }, (_, index) => `${name}${index}`);

describe("two rankings in one order", () => {
  it.each([
    ["texts", OF_TEXTS],
    ["code", OF_CODE],
  ])("keep what words find at the top, whatever a weak model finds: %s", (_, fusion) => {
    const words = list("w", 60);
    // In the middle of both lists: reciprocal ranks alone put all of these before the first.
    const fused = fuseRankings(words, words.slice(10, 60), fusion);
    words.slice(0, 10).forEach((word, index) => expect(fused.indexOf(word) + 1).toBeLessThanOrEqual(2 * (index + 1)));
    expect([...fused].sort()).toEqual([...words].sort());
  });

  it("put first what both find first, and what words alone do not find among the first ten", () => {
    for (const fusion of [OF_TEXTS, OF_CODE]) {
      const fused = fuseRankings(list("w", 50), ["w0", ...list("n", 20)], fusion);
      expect(fused[0]).toBe("w0");
      expect(fused.slice(0, 10)).toContain("n0");
    }
  });

  it("are one if only one finds anything", () => {
    expect(fuseRankings([], ["a", "b"], OF_CODE)).toEqual(["a", "b"]);
    expect(fuseRankings(["a", "b"], [], OF_CODE)).toEqual(["a", "b"]);
    expect(fuseRankings([], [], OF_TEXTS)).toEqual([]);
  });
});

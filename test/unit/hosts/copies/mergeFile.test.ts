import { expect, test } from "vitest";
import type { Content, CopyChange } from "../../../../src/hosts/node/copies/folderCopy.js";
import { mergeFile } from "../../../../src/hosts/node/copies/mergeFile.js";

const bytes = (text: string): Uint8Array => Buffer.from(text, "latin1");
const shown = (merged: ReturnType<typeof mergeFile>): unknown =>
  typeof merged === "object" && "content" in merged && merged.content instanceof Uint8Array
    ? { ...merged, content: Buffer.from(merged.content).toString("latin1") }
    : merged;
const merge = (
  before: Content,
  after: Content,
  now: Content,
  { modes = {}, mode, isLarge = false, isUntouched = false }: MergeOptions = {},
): unknown =>
  shown(
    mergeFile(
      { path: "x", before, after, modes, isLarge },
      { content: now, ...(mode !== undefined && { mode }) },
      () => isUntouched,
    ),
  );
interface MergeOptions extends Partial<Pick<CopyChange, "modes" | "isLarge">> {
  mode?: number;
  isUntouched?: boolean;
}

const [base, task, user] = [bytes("a\nb\nc\n"), bytes("a\nb\nT\n"), bytes("U\nb\nc\n")];

test("takes what nobody else changed, and merges lines of both", () => {
  expect(merge(base, task, base)).toEqual({ content: "a\nb\nT\n" });
  expect(merge(base, task, user)).toEqual({ content: "U\nb\nT\n" });
  expect(merge(undefined, task, undefined)).toEqual({ content: "a\nb\nT\n" });
  expect(merge(base, undefined, base)).toEqual({ content: undefined });
  expect(merge({ link: "x" }, { link: "y" }, { link: "x" })).toEqual({ content: { link: "y" } });
});

test("does nothing where both did the same", () => {
  expect(merge(base, task, task)).toBe("nothing");
  expect(merge(base, undefined, undefined)).toBe("nothing");
  expect(merge(undefined, { folder: 0o755 }, { folder: 0o755 })).toBe("nothing");
});

test("keeps bytes that are no UTF-8 as they are", () => {
  expect(merge(bytes("\xe9\nb\n\xff\n"), bytes("\xe9\nb\nT\n"), bytes("\xe8\nb\n\xff\n"))).toEqual({
    content: "\xe8\nb\nT\n",
  });
});

test.each<[string, Content, Content, Content, string]>([
  ["the same line", base, task, bytes("a\nb\nU\n"), "line 3 was changed meanwhile in another way"],
  ["a deleted file", base, undefined, user, "it was changed meanwhile, and the task deleted it"],
  ["a file that the user deleted", base, task, undefined, "it was deleted meanwhile"],
  ["two new files", undefined, task, user, "it was created meanwhile, too, with other contents"],
  ["bytes", bytes("\0a"), bytes("\0b"), bytes("\0c"), "it was changed meanwhile, and is not text that can be merged"],
  [
    "a link",
    { link: "a" },
    { link: "b" },
    { link: "c" },
    "it was changed meanwhile, and is not text that can be merged",
  ],
  ["a link in its place", base, task, { link: "c" }, "it was changed meanwhile, and is not text that can be merged"],
])("says why not: %s", (_, before, after, now, conflict) => {
  expect(merge(before, after, now)).toEqual({ conflict });
});

test("sets the task's mode where nobody else changed the mode", () => {
  const modes = { before: 0o644, after: 0o755 };
  expect(merge(base, base, user, { modes, mode: 0o644 })).toEqual({ content: "U\nb\nc\n", mode: 0o755 });
  expect(merge(base, task, user, { modes, mode: 0o600 })).toEqual({ content: "U\nb\nT\n" });
  expect(merge(base, task, user, { modes: { before: 0o644, after: 0o644 }, mode: 0o600 })).toEqual({
    content: "U\nb\nT\n",
  });
  expect(merge(undefined, task, undefined, { modes: { after: 0o600 } })).toEqual({
    content: "a\nb\nT\n",
    mode: 0o600,
  });
  expect(merge(base, base, undefined, { modes })).toEqual({ conflict: "it was deleted meanwhile" });
});

test("takes a large file, whose contents were not kept, only if it is as it was", () => {
  expect(merge(undefined, task, user, { isLarge: true, isUntouched: true })).toEqual({ content: "a\nb\nT\n" });
  expect(merge(undefined, task, user, { isLarge: true })).toEqual({
    conflict: "it was changed meanwhile, and is not text that can be merged",
  });
  expect(merge(undefined, undefined, user, { isLarge: true })).toEqual({
    conflict: "it was changed meanwhile, and the task deleted it",
  });
});

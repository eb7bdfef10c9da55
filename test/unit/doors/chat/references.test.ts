import { describe, expect, test } from "vitest";
import type { Attachment } from "../../../../src/doors/chat/attachments.js";
import { describeAttachments } from "../../../../src/doors/chat/references.js";
import { describeToolWishes } from "../../../../src/doors/chat/toolWishes.js";
import { MemoryDisk } from "../../../memory/disk.js";
import { MemoryFiles } from "../../../memory/files.js";
import type { ModelContent } from "../../../../src/ports/models.js";

const LINES = Array.from({ length: 2_000 }, (_, index) => `line ${index + 1}`);
const PNG = new Uint8Array([137, 80, 78, 71]);

function filesOf(entries: Record<string, string | Uint8Array>): MemoryFiles {
  const disk = new MemoryDisk();
  disk.makeFolder("/ws");
  for (const [path, content] of Object.entries(entries)) {
    disk.write(`/ws/${path}`, content);
  }
  return new MemoryFiles(disk, [{ name: "ws", path: "/ws", scheme: "memory" }]);
}

const files = (): MemoryFiles =>
  filesOf({
    "src/a.ts": "one\ntwo\r\nthree",
    "long.txt": `${LINES.join("\n")}\n`,
    "wide.txt": "x".repeat(50_000),
    "empty.txt": "",
    "picture.PNG": PNG,
    "big.png": new Uint8Array(5_000_001),
  });

async function told(attachment: Attachment, seesImages = true): Promise<ModelContent[]> {
  return describeAttachments([attachment], { files: files(), seesImages }, new AbortController().signal);
}

const text = (contents: readonly ModelContent[]): string =>
  contents.map((part) => (part.type === "text" ? part.text : `<${part.type}>`)).join("\n");

describe("what is attached", () => {
  test("keeps its order", async () => {
    const all = await describeAttachments(
      [
        { kind: "text", text: "first" },
        { kind: "file", path: "src/a.ts", isOutside: false },
        { kind: "text", text: "last" },
      ],
      { files: files(), seesImages: false },
      new AbortController().signal,
    );
    expect(text(all)).toBe("Attached text:\nfirst\nAttached: src/a.ts\nAttached text:\nlast");
  });

  test.each<{ what: string; attachment: Attachment; words: string }>([
    {
      what: "lines, numbered",
      attachment: { kind: "lines", path: "src/a.ts", isOutside: false, start: 2, end: 3 },
      words: "Attached: src/a.ts, lines 2-3, from the editor:\n2\ttwo\n3\tthree",
    },
    {
      what: "one line",
      attachment: { kind: "lines", path: "src/a.ts", isOutside: false, start: 1, end: 1 },
      words: "Attached: src/a.ts, line 1, from the editor:\n1\tone",
    },
    {
      what: "lines past the end",
      attachment: { kind: "lines", path: "src/a.ts", isOutside: false, start: 3, end: 9 },
      words: "3\tthree",
    },
    {
      what: "lines of a file that is gone",
      attachment: { kind: "lines", path: "src/b.ts", isOutside: false, start: 1, end: 2 },
      words: "It could not be read: ",
    },
    {
      what: "lines outside",
      attachment: { kind: "lines", path: "/etc/hosts", isOutside: true, start: 1, end: 2 },
      words: "Attached: /etc/hosts, lines 1-2 (outside the workspace).",
    },
    {
      what: "a file outside",
      attachment: { kind: "file", path: "/etc/hosts", isOutside: true },
      words: "Attached: /etc/hosts (outside the workspace).",
    },
    {
      what: "a file that is gone",
      attachment: { kind: "file", path: "src/b.ts", isOutside: false },
      words: "It could not be read: ",
    },
    {
      what: "a folder",
      attachment: { kind: "file", path: ".", isOutside: false },
      words: "Attached: the folder ., which contains big.png, empty.txt, long.txt, picture.PNG, src/, wide.txt.",
    },
    {
      what: "problems",
      attachment: { kind: "problems", problems: [{ path: "src/a.ts", line: 3, message: "Wrong\n\u202Etype" }] },
      words: "Attached problems:\n- src/a.ts:3: Wrong type",
    },
    {
      what: "many problems",
      attachment: {
        kind: "problems",
        problems: Array.from({ length: 40 }, () => ({ path: "a", line: 1, message: "x" })),
      },
      words: "- and 10 more",
    },
    {
      what: "what nobody knows",
      attachment: { kind: "unknown", description: "a\ncommit" },
      words: "Attached: something that Toolhost cannot read (a commit).",
    },
    {
      what: "an image of another kind",
      attachment: { kind: "image", mimeType: "image/tiff", bytes: PNG },
      words: "has a type (image/tiff) that models cannot see",
    },
    {
      what: "an image that is too large",
      attachment: { kind: "file", path: "big.png", isOutside: false },
      words: "big.png",
    },
    {
      what: "a long text, cut",
      attachment: { kind: "text", text: "x".repeat(20_000) },
      words: "[… 12000 characters omitted …]",
    },
  ])("$what", async ({ attachment, words }) => {
    const contents = await told(attachment);
    expect(text(contents)).toContain(words);
    expect(contents.some(({ type }) => type === "media")).toBe(false);
  });

  test("a long selection is cut, and how to read on is said", async () => {
    const shown = text(await told({ kind: "lines", path: "long.txt", isOutside: false, start: 1, end: 2_000 }));
    expect(shown.length).toBeLessThan(20_000);
    const [, from = ""] =
      /\[… lines (\d+)-2000 are omitted; read \{"path": "long.txt", "offset": \1\} shows them\.\]/.exec(shown) ?? [];
    expect(shown).toContain(`line ${Number(from) - 1}\n[…`);
    expect(text(await told({ kind: "lines", path: "wide.txt", isOutside: false, start: 1, end: 1 }))).toContain(
      "[… 42000 characters omitted …]",
    );
  });

  test("images go to a model that sees them, and are named to one that does not", async () => {
    for (const attachment of [
      { kind: "file", path: "picture.PNG", isOutside: false },
      { kind: "image", mimeType: "image/png", bytes: PNG },
    ] satisfies Attachment[]) {
      expect((await told(attachment)).at(-1)).toEqual({ type: "media", mimeType: "image/png", bytes: PNG });
    }
    expect(text(await told({ kind: "image", mimeType: "image/png", bytes: PNG }, false))).toContain(
      "this model does not accept images",
    );
    expect(text(await told({ kind: "file", path: "picture.PNG", isOutside: false }, false))).toBe(
      "Attached: picture.PNG",
    );
  });
});

test.each([
  { wanted: [], words: undefined },
  { wanted: ["toolhost_grep"], words: "The user wants you to use grep." },
  { wanted: ["toolhost_ls", "toolhost_grep", "toolhost_ls"], words: "The user wants you to use ls and grep." },
  {
    wanted: ["copilot_codebase", "toolhost_grep"],
    words:
      "The user wants you to use grep. The user also named #copilot_codebase, which you do not have: do it with your own tools if you can, and say so.",
  },
  {
    wanted: ["toolhost_edit"],
    words:
      "The user also named #toolhost_edit, which you do not have: do it with your own tools if you can, and say so.",
  },
])("tools named with #: $wanted", ({ wanted, words }) => {
  expect(describeToolWishes(wanted, ["grep", "ls"])).toBe(words);
});

test("a named tool that the model reaches through another is named with the way to it", () => {
  expect(describeToolWishes(["toolhost_cron", "toolhost_grep"], ["grep", "cron"], ["grep"])).toBe(
    "The user wants you to use grep and cron. find_tool finds cron, which your list does not have.",
  );
});

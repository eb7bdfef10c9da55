import { describe, expect, test } from "vitest";
import { TASK } from "../../../../src/features/documents/task.js";
import type { Files } from "../../../../src/ports/files.js";
import { listDocuments } from "../../../../src/tools/documents/documentFiles.js";
import { failed, result, type TestWorkspace } from "../../tools/workspace.js";
import { INPUT, nouns, open, PATHS, text, WELL, type Noun, onDocument } from "./kinds.js";

// What seeds.md §2.0 says of every kind of documents, on the in-memory host: tools.test.ts shows that both hosts are
// alike.
const inMemory = (files: Parameters<typeof open>[0] = {}): Promise<TestWorkspace> => open(files, "memory");
const patch = (start_line: unknown, end_line: unknown, content: unknown = "x"): object => ({
  start_line,
  end_line,
  content,
});

const REQUIRED: readonly (readonly [Noun, string])[] = [
  ["skill", "name"],
  ["skill", "description"],
  ["skill", "body"],
  ["prompt", "name"],
  ["prompt", "body"],
  ["task", "name"],
  ["schedule", "name"],
  ["schedule", "schedule"],
  ["schedule", "prompt"],
];

test.each(REQUIRED)("a %s is not written without its %s", async (noun, field) => {
  const workspace = await inMemory();
  const { [field]: _left, ...input } = { name: "one", ...INPUT[noun] } as Record<string, unknown>;
  expect(failed(await onDocument(workspace, noun, "write", input))).toMatchObject({
    type: "invalid_input",
    message: expect.stringContaining(`${field}: required`) as string,
  });
  expect(await workspace.names(".")).toEqual([]);
});

test("where no folder is open, that is said without a path that nobody typed", async () => {
  const files = { roots: () => [] } as unknown as Files;
  await expect(listDocuments(files, TASK, new AbortController().signal)).rejects.toMatchObject({
    type: "unavailable",
    message: "tasks: no folder is open.",
  });
});

describe.each(nouns)("a %s", (noun) => {
  const path = PATHS[noun]("one");

  test("that is not there is not read, edited or deleted, and near names are told", async () => {
    const calls = [
      ["read", {}],
      ["edit", { patches: [patch(1, 0)] }],
      ["delete", {}],
    ] as const;
    const [empty, full] = [
      await inMemory(),
      await inMemory({ [path]: WELL[noun]("one"), [PATHS[noun]("other")]: WELL[noun]("other") }),
    ];
    for (const [tool, input] of calls) {
      expect(failed(await onDocument(empty, noun, tool, { name: "one", ...input }))).toMatchObject({
        type: "not_found",
        message: `${noun} one: not found.`,
        hint: `There is no ${noun} yet; document {"action": "write", "kind": "${noun}"} creates one.`,
      });
      expect(failed(await onDocument(full, noun, tool, { name: "othr", ...input })).hint).toBe("Did you mean other?");
      expect(failed(await onDocument(full, noun, tool, { name: "nothing-like-it", ...input })).hint).toBe(
        "There are one, other.",
      );
    }
    expect(await text(full, path)).toBe(WELL[noun]("one"));
  });

  test("is not found where there are none, and a search says so", async () => {
    expect(result(await onDocument(await inMemory(), noun, "list", { query: "one" })).text).toBe(
      `[There are no ${noun}s yet. document {"action": "write", "kind": "${noun}"} creates one.]`,
    );
  });

  test("is read by its name in any case, and by the words it was made of", async () => {
    const workspace = await inMemory();
    result(await onDocument(workspace, noun, "write", { name: "Fix the Login", ...INPUT[noun] }));
    for (const name of ["fix-the-login", "FIX-THE-LOGIN", "Fix the Login"]) {
      expect(result(await onDocument(workspace, noun, "read", { name })).data).toMatchObject({
        name: "fix-the-login",
        body: "New text.",
      });
    }
  });

  test("has a name of at most 64 characters, by which it is found again", async () => {
    const workspace = await inMemory();
    const words = Array(30).fill("word").join(" ");
    const { name } = result<{ name: string }>(
      await onDocument(workspace, noun, "write", { name: words, ...INPUT[noun] }),
    ).data;
    expect(name).toMatch(/^word(-word)+$/);
    expect(name.length).toBeLessThanOrEqual(64);
    expect(result(await onDocument(workspace, noun, "read", { name: words })).data).toMatchObject({ name });
    expect(failed(await onDocument(workspace, noun, "write", { name: `${words} more`, ...INPUT[noun] })).type).toBe(
      "path_conflict",
    );
  });

  const isSaid = noun === "skill" || noun === "prompt";
  test.each(["help", "skills", "clear", "exit", "Exit!"])(`${isSaid ? "is not" : "may be"} called %j`, async (name) => {
    const outcome = await onDocument(await inMemory(), noun, "write", { name, ...INPUT[noun] });
    expect(outcome.ok ? "written" : outcome.error).toEqual(
      isSaid
        ? expect.objectContaining({
            type: "invalid_input",
            message: expect.stringMatching(/ is reserved: it is a chat command\. Nothing was written\.$/) as string,
          })
        : "written",
    );
  });

  // The table of seeds.md §2.0, "patches", through each tool.
  test.each<{ what: string; before: string; patches: [number, number, string][]; after: string }>([
    { what: "a line replaced", before: "a\nb\nc", patches: [[2, 2, "B"]], after: "a\nB\nc" },
    { what: "a line put in", before: "a\nb\nc", patches: [[2, 0, "X"]], after: "a\nX\nb\nc" },
    { what: "lines deleted", before: "a\nb\nc\nd", patches: [[2, 3, ""]], after: "a\nd" },
    {
      what: "two, by the numbers of before",
      before: "1\n2\n3\n4\n5",
      patches: [
        [1, 1, "ONE"],
        [5, 5, "FIVE"],
      ],
      after: "ONE\n2\n3\n4\nFIVE",
    },
    {
      what: "two that change the count, in any order",
      before: "1\n2\n3\n4\n5",
      patches: [
        [4, 5, "last"],
        [1, 0, "first\nsecond"],
      ],
      after: "first\nsecond\n1\n2\n3\nlast",
    },
    { what: "a line by several", before: "a\nb\nc", patches: [[2, 2, "B1\nB2\nB3"]], after: "a\nB1\nB2\nB3\nc" },
    { what: "past the end, which appends", before: "a\nb", patches: [[99, 0, "Z"]], after: "a\nb\nZ" },
  ])("is patched: $what", async ({ before, patches, after }) => {
    const head = /^---\n[^]*?\n---\n\n/.exec(WELL[noun]("one"))?.[0] ?? "";
    const above = head.split("\n").length - 1;
    const workspace = await inMemory({ [path]: `${head}${before}\n` });
    result(
      await onDocument(workspace, noun, "edit", {
        name: "one",
        patches: patches.map(([from, to, content]) => patch(above + from, to === 0 ? 0 : above + to, content)),
      }),
    );
    expect(result(await onDocument(workspace, noun, "read", { name: "one" })).data).toMatchObject({
      body: after,
      problem: null,
    });
    expect(await text(workspace, path)).toMatch(/[^\n]\n$/);
  });

  test.each<{ what: string; patches: unknown; says: RegExp }>([
    { what: "words for numbers", patches: [patch("one", "two")], says: /patches\[0\]\.start_line/ },
    { what: "no end", patches: [{ start_line: 1, content: "x" }], says: /patches\[0\]\.end_line: required/ },
    { what: "no patches", patches: [], says: /patches/ },
    { what: "line 0", patches: [patch(0, 0)], says: /patches\[0\]\.start_line/ },
    { what: "half a line", patches: [patch(1.5, 2)], says: /patches\[0\]\.start_line/ },
    { what: "an end before the start", patches: [patch(3, 2)], says: /end_line 2 is before start_line 3/ },
    {
      what: "two that overlap",
      patches: [patch(1, 3), patch(3, 4)],
      says: /patches\[0\] \(lines 1–3\) and patches\[1\] \(lines 3–4\) overlap/,
    },
    {
      what: "one good and one past the end",
      patches: [patch(7, 0), patch(99, 99, "")],
      says: /line 99 cannot be deleted/,
    },
  ])("is not patched by $what", async ({ patches, says }) => {
    const workspace = await inMemory({ [path]: WELL[noun]("one") });
    expect(failed(await onDocument(workspace, noun, "edit", { name: "one", patches }))).toMatchObject({
      type: "invalid_input",
      message: expect.stringMatching(says) as string,
    });
    expect(await text(workspace, path)).toBe(WELL[noun]("one"));
  });

  // A skill's name has letters without marks alone.
  if (noun !== "skill") {
    test("whose file's name is spelled with combining marks is found as the list gives it", async () => {
      const path = PATHS[noun]("cafe\u0301");
      const workspace = await open({ [path]: WELL[noun]("cafe\u0301") }, "node");
      const { data } = result<Record<string, { name: string }[]>>(await onDocument(workspace, noun, "list", {}));
      const name = data[`${noun}s`]?.[0]?.name ?? "";
      expect(result(await onDocument(workspace, noun, "read", { name })).data).toMatchObject({
        name,
        path,
        problem: null,
      });
      expect(result(await onDocument(workspace, noun, "delete", { name })).data).toMatchObject({ path });
    });
  }

  test("whose file has any name is told in a line of its own, which commands no terminal", async () => {
    const name = "a\u001b[2J\nb";
    const workspace = await open(
      {
        [PATHS[noun](name)]: noun === "skill" ? "no skill" : WELL[noun]("x").replace("id: x\n", ""),
        [PATHS[noun]("other")]: WELL[noun]("other"),
      },
      "node",
    );
    const told = [
      result(await onDocument(workspace, noun, "list", {})).text,
      failed(await onDocument(workspace, noun, "read", { name: "zzz" })).hint,
      failed(await onDocument(workspace, noun, "read", { name: "a[2Jb" })).hint,
    ];
    for (const text of told) {
      expect(text).toContain('"a\\u001b[2J\\nb"');
      expect(text).not.toContain("\u001b");
    }
  });

  test("whose front matter is broken is deleted", async () => {
    const workspace = await inMemory({ [path]: "---\na: [\n---\nx\n" });
    result(await onDocument(workspace, noun, "delete", { name: "one" }));
    expect(result(await onDocument(workspace, noun, "list", {})).data).toMatchObject({ total: 0 });
  });
});

test.each(nouns.filter((noun) => noun !== "prompt"))("a %s keeps its name in an edit", async (noun) => {
  const workspace = await inMemory({ [PATHS[noun]("one")]: WELL[noun]("one") });
  const line = noun === "skill" ? "name: two" : "id: two";
  expect(
    failed(
      await onDocument(workspace, noun, "edit", { name: "one", patches: [patch(2, 2, line), patch(99, 0, "more")] }),
    ),
  ).toMatchObject({
    type: "invalid_input",
    message: expect.stringContaining('is "two" but must be "one"') as string,
  });
  expect(await text(workspace, PATHS[noun]("one"))).toBe(WELL[noun]("one"));
});

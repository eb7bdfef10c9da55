import { describe, expect, test } from "vitest";
import { failed, result } from "../../tools/workspace.js";
import { open, PATHS, text, onDocument } from "./kinds.js";

const skill = (name: string, front: string, body = "Do it."): Record<string, string> => ({
  [PATHS.skill(name)]: `---\nname: ${name}\n${front}\n---\n\n${body}\n`,
});

interface ListedSkill {
  name: string;
  description: string;
  arguments: object[];
}

/** The skills that `skill_list` gives. */
async function listed(workspace: Awaited<ReturnType<typeof open>>, input: object = {}): Promise<ListedSkill[]> {
  return result<{ skills: ListedSkill[] }>(await onDocument(workspace, "skill", "list", input)).data.skills;
}

describe("a description is what was given, whatever YAML takes it for", () => {
  test.each([
    "a: b",
    "# not a comment",
    "a # b",
    "- x",
    "? x",
    "{x}",
    "[x]",
    '"quoted"',
    "it's",
    "yes",
    "null",
    "~",
    "12",
    "0x1F",
    "2026-01-01",
    "*star",
    "&and",
    "!tag",
    "%x",
    "@x",
    "`x`",
    "---",
    "...",
    "|",
    ">",
    "=",
    "\\n",
    "a\tb",
    "two\nlines",
    "- a\n- b\n",
    "日本 🙂",
    "x".repeat(1024),
    "<b>&amp;</b>",
  ])("%j", async (description) => {
    const workspace = await open({}, "memory");
    result(
      await onDocument(workspace, "skill", "write", { name: "one", description, body: "---\nnot: front matter\n---" }),
    );
    expect(await listed(workspace)).toMatchObject([{ description, problem: null }]);
    expect(result(await onDocument(workspace, "skill", "read", { name: "one" })).data).toMatchObject({
      fields: { description },
      body: "---\nnot: front matter\n---",
    });
  });
});

describe("arguments", () => {
  const SHAPES = [
    { name: "plain" },
    { name: "required", required: true },
    { name: "described", description: "With = and (required): in it" },
    { name: "number", default: "1" },
    { name: "words", default: "two words" },
    { name: "odd", default: 'a"b\\c: d', description: "All: of it", required: true },
    { name: "with-hyphen", default: "(required)" },
    { name: "日本", default: "=" },
  ];

  test("are listed as they were written, in their order", async () => {
    const workspace = await open({}, "memory");
    result(
      await onDocument(workspace, "skill", "write", { name: "one", description: "d", body: "b", arguments: SHAPES }),
    );
    expect((await listed(workspace))[0]?.arguments).toEqual(SHAPES.map((shape) => ({ required: false, ...shape })));
  });

  test("that are not given again stay when a skill is replaced; an empty list takes them out, and nothing else of metadata", async () => {
    const workspace = await open(
      skill(
        "one",
        "description: d\nmetadata:\n  author: me # mine\n  toolhost-arguments: 'where (required): Where to'",
      ),
      "memory",
    );
    const replace = async (input: object): Promise<unknown> =>
      result(
        await onDocument(workspace, "skill", "write", {
          name: "one",
          description: "new",
          body: "To $where.",
          on_conflict: "overwrite",
          ...input,
        }),
      );
    await replace({});
    expect(await listed(workspace)).toMatchObject([
      { description: "new", arguments: [{ name: "where", required: true, description: "Where to" }] },
    ]);
    await replace({ arguments: [] });
    expect(await listed(workspace)).toMatchObject([{ arguments: [] }]);
    expect(await text(workspace, PATHS.skill("one"))).toContain("author: me");
    expect(result(await onDocument(workspace, "skill", "read", { name: "one", arguments: "prod" })).text).toMatch(
      /\nTo \$where\.$/,
    );
  });

  test.each<{ what: string; front: string; args: object[] }>([
    { what: "names", front: "arguments: [a, b]", args: [{ name: "a" }, { name: "b" }] },
    {
      what: "all about one",
      front: "arguments:\n  - name: a\n    description: What\n    required: true\n    default: x",
      args: [{ name: "a", description: "What", required: true, default: "x" }],
    },
    {
      what: "defaults that are no texts",
      front: "arguments:\n  - {name: a, default: 3}\n  - {name: b, default: true}\n  - {name: c, default: [x]}",
      args: [
        { name: "a", required: false, default: "3" },
        { name: "b", required: false, default: "true" },
        { name: "c", required: false },
      ],
    },
    {
      what: "entries that name nothing",
      front: "arguments: [7, {description: x}, [a], null, b]",
      args: [{ name: "b" }],
    },
    { what: "names in a line", front: "arguments: ' a  b '", args: [{ name: "a" }, { name: "b" }] },
    { what: "no names", front: "arguments: 7", args: [] },
    { what: "a hint for people", front: "argument-hint: '[where]'", args: [] },
    {
      what: "ours beside theirs: ours",
      front: "arguments: [theirs]\nmetadata:\n  toolhost-arguments: ours",
      args: [{ name: "ours", required: false }],
    },
    { what: "metadata of others", front: "metadata: {author: me, version: 1}", args: [] },
  ])("of other agents: $what", async ({ front, args }) => {
    expect(await listed(await open(skill("one", `description: d\n${front}`), "memory"))).toEqual([
      expect.objectContaining({ problem: null, arguments: args }),
    ]);
  });

  test("that are missing are named, all of them, with how to give them", async () => {
    const workspace = await open(
      skill(
        "one",
        "description: d\narguments:\n  - {name: from, required: true}\n  - {name: to, required: true}\n  - how",
        "$from → $to ($how) [$ARGUMENTS]",
      ),
      "memory",
    );
    const use = (line: string): ReturnType<typeof workspace.call> =>
      onDocument(workspace, "skill", "read", { name: "one", arguments: line });
    expect(failed(await use(""))).toMatchObject({
      message: "skill one needs the arguments from, to.",
      hint: "Give them in this order: <from> <to> [how]",
    });
    expect(failed(await use("a")).message).toBe("skill one needs the argument to.");
    expect(result(await use(`"a b" c 'very fast' indeed`)).text).toMatch(
      /\na b → c \(very fast indeed\) \["a b" c 'very fast' indeed\]$/,
    );
  });
});

describe("front matter that is none of a skill", () => {
  test.each<{ what: string; file: string; problem: RegExp }>([
    { what: "no name", file: "---\ndescription: d\n---\nx\n", problem: /^name: required/ },
    { what: "no description", file: "---\nname: one\n---\nx\n", problem: /^description: required/ },
    {
      what: "a blank description",
      file: "---\nname: one\ndescription: ' '\n---\nx\n",
      problem: /^description: must not be blank/,
    },
    {
      what: "a description that is a list",
      file: "---\nname: one\ndescription: [a]\n---\nx\n",
      problem: /^description: /,
    },
    { what: "both wrong, told at once", file: "---\ndescription: 7\n---\nx\n", problem: /name: [^]*description: / },
    {
      what: "no text",
      file: "---\nname: one\ndescription: d\n---\n\n",
      problem: /there is no text below the front matter/,
    },
    { what: "no end", file: "---\nname: one\ndescription: d\nx\n", problem: /the front matter is not closed/ },
    { what: "nothing at all", file: "", problem: /^name: required/ },
  ])("$what: is told, and the skill is not used", async ({ file, problem }) => {
    const workspace = await open({ [PATHS.skill("one")]: file, ...skill("two", "description: d") }, "memory");
    expect(await listed(workspace)).toMatchObject([
      { name: "two", problem: null },
      { name: "one", problem: expect.stringMatching(problem) as string },
    ]);
    expect(result(await onDocument(workspace, "skill", "read", { name: "one" })).data).toMatchObject({
      problem: expect.stringMatching(problem) as string,
    });
    expect(failed(await onDocument(workspace, "skill", "read", { name: "one", arguments: "" })).type).toBe(
      "unsupported",
    );
  });
});

test("a search looks into names, descriptions, arguments and texts, in any case, best first", async () => {
  const workspace = await open(
    {
      ...skill("release", "description: Tag it."),
      ...skill("b", "description: Before a RELEASE."),
      ...skill("c", "description: d\nmetadata:\n  toolhost-arguments: 'release: Which one'"),
      ...skill("d", "description: d", "Then release it."),
      ...skill("e", "description: d"),
    },
    "memory",
  );
  const found = async (query: string): Promise<string[]> =>
    (await listed(workspace, { query })).map(({ name }) => name);
  expect(await found("Release")).toEqual(["release", "b", "c", "d"]);
  expect(await found("tag the release")).toEqual(["release", "b", "c", "d"]);
  expect(await found("?!")).toEqual([]);
});

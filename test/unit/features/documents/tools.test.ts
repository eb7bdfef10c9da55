import { describe, expect, test } from "vitest";
import { failed, hosts, openWorkspace, result, type TestWorkspace } from "../../tools/workspace.js";
import { INPUT, nouns, open, PATHS, STAMP, text, WELL, onDocument } from "./kinds.js";

describe.each(hosts)("on the %s host", (host) => {
  describe.each(nouns)("a %s", (noun) => {
    const path = PATHS[noun]("one");

    test("is written, listed, read, edited, deleted and brought back by undo", async () => {
      const workspace = await open({}, host);
      const call = (tool: string, input: object = {}, turn = tool): ReturnType<TestWorkspace["call"]> =>
        onDocument(workspace, noun, tool, input, { session: "s", turn });
      expect(result(await call("list")).text).toBe(
        `[There are no ${noun}s yet. document {"action": "write", "kind": "${noun}"} creates one.]`,
      );
      expect(result(await call("write", { name: "one", ...INPUT[noun] }))).toMatchObject({
        text: `Wrote the ${noun} one (new): ${path}`,
        data: { name: "one", path, created: true, changed: true },
      });
      expect(result(await call("list"))).toMatchObject({
        text: expect.stringMatching(/^one {2}/) as string,
        data: { [`${noun}s`]: [{ name: "one", path, problem: null }], total: 1 },
      });
      const read = result<{ body: string; total_lines: number; problem: null }>(await call("read", { name: "one" }));
      expect(read.data).toMatchObject({ body: "New text.", problem: null });
      expect(read.text).toContain(`${read.data.total_lines}\tNew text.`);
      expect(
        result(
          await call("edit", {
            name: "one",
            patches: [{ start_line: read.data.total_lines, end_line: read.data.total_lines, content: "Other text." }],
          }),
        ).data,
      ).toMatchObject({ changed: true });
      const edited = await text(workspace, path);
      expect(edited).toMatch(/\n\nOther text\.\n$/);
      expect(result(await call("delete", { name: "one" })).text).toMatch(new RegExp(`^Deleted the ${noun} one`));
      expect(failed(await call("read", { name: "one" }))).toMatchObject({ type: "not_found" });
      await workspace.changes.undo(
        { session: "s", turn: "undo", callId: "u", door: "api", summary: "" },
        { session: "s", turn: "delete" },
        workspace.files,
        new AbortController().signal,
      );
      expect(await text(workspace, path)).toBe(edited);
    });

    test("that is there is not written over unless that is wanted; then fields that are not ours stay", async () => {
      const workspace = await open({ [path]: WELL[noun]("one") }, host);
      expect(failed(await onDocument(workspace, noun, "write", { name: "one", ...INPUT[noun] }))).toMatchObject({
        type: "path_conflict",
        hint: expect.stringMatching(
          new RegExp(`"read", "kind": "${noun}", "name": "one"}.*on_conflict='overwrite'`),
        ) as string,
      });
      expect(await text(workspace, path)).toBe(WELL[noun]("one"));
      expect(
        result(await onDocument(workspace, noun, "write", { name: "one", ...INPUT[noun], on_conflict: "overwrite" }))
          .text,
      ).toMatch(/\(overwritten\)/);
      const after = await text(workspace, path);
      expect(after).toMatch(/\nNew text\.\n$/);
      for (const kept of {
        skill: ["license: MIT # ours"],
        prompt: ["mode: agent", "model: some-model", "tools: [a, b]"],
        task: ["# by hand", "priority: low"],
        schedule: ["id: one"],
      }[noun]) {
        expect(after).toContain(kept);
      }
      if (noun === "task" || noun === "schedule") {
        expect(after).toContain(`updated: ${STAMP}`);
      }
    });

    test("of @toolhost's model is changed only as it was read", async () => {
      const workspace = await open({ [path]: WELL[noun]("one") }, host);
      const caller = { as: "model", reads: "must", session: "s", answer: true } as const;
      const patches = [{ start_line: 99, end_line: 0, content: "more" }];
      expect(failed(await onDocument(workspace, noun, "edit", { name: "one", patches }, caller)).type).toBe(
        "must_read",
      );
      expect(
        failed(
          await onDocument(workspace, noun, "write", { name: "one", ...INPUT[noun], on_conflict: "overwrite" }, caller),
        ).type,
      ).toBe("must_read");
      result(await onDocument(workspace, noun, "read", { name: "one" }, caller));
      await workspace.put(path, `${WELL[noun]("one")}by hand\n`);
      expect(failed(await onDocument(workspace, noun, "edit", { name: "one", patches }, caller))).toMatchObject({
        type: "stale",
        message: expect.stringContaining("+by hand") as string,
      });
      result(await onDocument(workspace, noun, "edit", { name: "one", patches }, caller));
      expect(await text(workspace, path)).toContain("by hand\nmore\n");
    });

    test("keeps its line ends and its byte order mark", async () => {
      const crlf = `\uFEFF${WELL[noun]("one").replaceAll("\n", "\r\n")}`;
      const workspace = await open({ [path]: Buffer.from(crlf) }, host);
      result(
        await onDocument(workspace, noun, "edit", {
          name: "one",
          patches: [{ start_line: 99, end_line: 0, content: "more\nlines" }],
        }),
      );
      result(await onDocument(workspace, noun, "write", { name: "one", ...INPUT[noun], on_conflict: "overwrite" }));
      const after = await text(workspace, path);
      expect(after.startsWith("\uFEFF---\r\n")).toBe(true);
      expect(after.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
      expect(after).toMatch(/\r\nNew text\.\r\n$/);
    });

    test("is not broken by an edit", async () => {
      const workspace = await open({ [path]: WELL[noun]("one") }, host);
      for (const patches of [
        [
          { start_line: 1, end_line: 1, content: "" },
          { start_line: 3, end_line: 3, content: "a: [" },
        ],
        [{ start_line: 2, end_line: 2, content: "a: [" }],
        [{ start_line: 2, end_line: 2, content: "description: 7\nschedule: 7\ntitle: 7" }],
        [{ start_line: 1, end_line: 0, content: "---" }],
        [{ start_line: 2, end_line: 99, content: "" }],
      ]) {
        const outcome = await onDocument(workspace, noun, "edit", { name: "one", patches });
        // A prompt without front matter is one.
        if (!outcome.ok) {
          expect(outcome.error).toMatchObject({
            type: "invalid_input",
            message: expect.stringMatching(
              /^(prompt|skill|task|schedule) one would be malformed: .*Nothing was changed\.$/s,
            ) as string,
          });
        } else {
          expect(noun).toBe("prompt");
          await workspace.put(path, WELL[noun]("one"));
        }
        expect(await text(workspace, path)).toBe(WELL[noun]("one"));
      }
    });

    test("that is malformed is listed and read with what is wrong, mended by an edit, and deleted", async () => {
      const workspace = await open(
        {
          [path]: "---\na: [\n---\nbody\n",
          [PATHS[noun]("two")]: Buffer.from([0, 1, 2]),
          [PATHS[noun]("well")]: WELL[noun]("well"),
        },
        host,
      );
      const listed = result<Record<string, { name: string; problem: string | null }[]>>(
        await onDocument(workspace, noun, "list", {}),
      );
      expect(listed.data[`${noun}s`]).toMatchObject([
        { name: "well", problem: null },
        { name: "one", problem: expect.stringMatching(/not valid YAML/) as string },
        { name: "two", problem: expect.stringMatching(/binary/) as string },
      ]);
      expect(listed.text).toMatch(/\none {2}\[malformed: .*not valid YAML/);
      const read = result<{ problem: string; fields: null }>(
        await onDocument(workspace, noun, "read", { name: "one" }),
      );
      expect(read.data).toMatchObject({ problem: expect.stringMatching(/not valid YAML/) as string, fields: null });
      expect(read.text).toMatch(new RegExp(`^1\\t---\n2\\ta: \\[[^]*\\[This ${noun} is malformed: `));
      const mended = WELL[noun]("one").split("\n").slice(1, -4).join("\n");
      result(
        await onDocument(workspace, noun, "edit", {
          name: "one",
          patches: [{ start_line: 2, end_line: 2, content: mended }],
        }),
      );
      expect(result(await onDocument(workspace, noun, "read", { name: "one" })).data).toMatchObject({
        problem: null,
        body: "body",
      });
      result(await onDocument(workspace, noun, "delete", { name: "two" }));
      expect(result(await onDocument(workspace, noun, "list", {})).data).toMatchObject({ total: 2 });
    });

    test("two writers at once: one makes it, the other is told", async () => {
      const workspace = await open({}, host);
      const outcomes = await Promise.all(
        ["A", "B"].map((body) =>
          onDocument(workspace, noun, "write", {
            name: "one",
            ...INPUT[noun],
            [{ skill: "body", prompt: "body", task: "description", schedule: "prompt" }[noun]]: body,
          }),
        ),
      );
      expect(outcomes.map((outcome) => (outcome.ok ? "made" : outcome.error.type)).sort()).toEqual([
        "made",
        "path_conflict",
      ]);
      expect(await text(workspace, path)).toMatch(/\n[AB]\n$/);
    });

    test.each<[string, RegExp]>([
      ["../x", /path|not_found|none/],
      ["a/b", /contains a \//],
      ["a\\b", /contains a \//],
      ["..", /dot or whitespace/],
      ["", /is empty/],
      ["x\0", /an invisible character/],
      ["x\u202e", /an invisible character/],
      ["\ud800", /an invisible character/],
      ["con", /device/],
      ["a:b", /contains :/],
      ["x".repeat(300), /300 bytes/],
      ["/etc/passwd", /contains a \//],
    ])("of the name %j is not read, edited or deleted", async (name) => {
      const workspace = await open({ "a.md": "x" }, host);
      for (const [tool, input] of [
        ["read", {}],
        ["edit", { patches: [{ start_line: 1, end_line: 0, content: "x" }] }],
        ["delete", {}],
      ] as const) {
        expect(failed(await onDocument(workspace, noun, tool, { name, ...input }))).toMatchObject({
          type: "invalid_input",
          message: expect.stringContaining(noun) as string,
        });
      }
    });

    test.each([
      "",
      "???",
      "\0",
      "con",
      "CON",
      "nul",
      ...(noun === "task" ? [] : ["a/b", "../x", "a\\b", "x\ny", "x\0y"]),
    ])("is not written as %j", async (name) => {
      const workspace = await open({}, host);
      expect(failed(await onDocument(workspace, noun, "write", { name, ...INPUT[noun] }))).toMatchObject({
        type: "invalid_input",
        message: expect.stringMatching(/Nothing was written\.$/) as string,
      });
      expect(await workspace.names(".")).toEqual([]);
    });

    test("with half a character, NUL or too much in it is refused", async () => {
      const workspace = await open({}, host);
      const field = { skill: "body", prompt: "body", task: "description", schedule: "prompt" }[noun];
      for (const [bad, type] of [
        ["\ud83d", "invalid_input"],
        ["\0", "invalid_input"],
        ["x".repeat(1_000_001), "too_large"],
      ] as const) {
        expect(
          failed(await onDocument(workspace, noun, "write", { name: "one", ...INPUT[noun], [field]: bad })).type,
        ).toBe(type);
      }
      expect(await workspace.names(".")).toEqual([]);
    });

    test("differs from another in more than case", async () => {
      const workspace = await open({ [PATHS[noun]("One")]: WELL[noun]("One") }, host);
      expect(failed(await onDocument(workspace, noun, "write", { name: "one", ...INPUT[noun] }))).toMatchObject({
        type: "path_conflict",
      });
    });
  });
});

test("in a workspace of several folders documents are the first one's, wherever they lie", async () => {
  const second = await open({ ".agents/skills/other/SKILL.md": WELL.skill("other") });
  const workspace = await openWorkspace({}, { name: "first", roots: [{ path: second.folder, name: "second" }] });
  for (const noun of nouns) {
    expect(result(await onDocument(workspace, noun, "write", { name: "one", ...INPUT[noun] })).data).toMatchObject({
      path: `first/${PATHS[noun]("one")}`,
    });
    expect(result(await onDocument(workspace, noun, "list", {})).data).toMatchObject({
      total: 1,
      [`${noun}s`]: [{ path: `first/${PATHS[noun]("one")}` }],
    });
    result(await onDocument(workspace, noun, "delete", { name: "one" }));
  }
  expect(failed(await workspace.call("ls", { path: ".github" })).type).toBe("not_found");
});

test("a document that is a link leads only to what lies in the workspace", async () => {
  const workspace = await openWorkspace(
    { "shared.md": WELL.task("one"), ".toolhost/tasks/x.md": WELL.task("x") },
    { outside: { "secret.md": WELL.task("out") } },
  );
  await workspace.link(PATHS.task("one"), "../../shared.md");
  await workspace.link(PATHS.task("out"), `${workspace.outside}/secret.md`);
  await workspace.link(PATHS.task("gone"), "nowhere.md");
  await workspace.makePipe(PATHS.task("pipe"));
  const { tasks } = result<{ tasks: { name: string; problem: string | null }[] }>(
    await onDocument(workspace, "task", "list", {}),
  ).data;
  expect(tasks.map(({ name, problem }) => [name, problem === null])).toEqual([
    ["one", true],
    ["x", true],
    ["out", false],
    ["pipe", false],
  ]);
  expect(failed(await onDocument(workspace, "task", "read", { name: "out" })).type).toBe("outside_workspace");
  expect(failed(await onDocument(workspace, "task", "delete", { name: "one" }))).toMatchObject({
    type: "unsupported",
    message: "task one is a link to shared.md, which is not deleted. Nothing was changed.",
  });
  result(
    await onDocument(workspace, "task", "edit", {
      name: "one",
      patches: [{ start_line: 99, end_line: 0, content: "more" }],
    }),
  );
  expect(await text(workspace, "shared.md")).toMatch(/\nmore\n$/);
});

describe("lists", () => {
  test("of more than are looked at says how many are not", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 2_002 }, (_, index) => [`.github/prompts/p${index}.prompt.md`, "Say it.\n"]),
    );
    const workspace = await openWorkspace(files, { host: "memory" });
    for (const input of [{ limit: 1 }, { query: "walrus" }]) {
      expect(result(await onDocument(workspace, "prompt", "list", input)).text).toMatch(
        /\n\[Skipped 2 more prompts: at most 2000 per folder are read\.\]$/,
      );
    }
  });

  test("are sorted, paged, and searched: a name counts more than a description, that more than a text", async () => {
    const skill = (name: string, description: string, body: string): string =>
      `---\nname: ${name}\ndescription: ${description}\nmetadata:\n  toolhost-arguments: "where: Target of ${name === "c" ? "deployments" : "it"}"\n---\n${body}\n`;
    const workspace = await open({
      [PATHS.skill("deploy")]: skill("deploy", "Ship it.", "x"),
      [PATHS.skill("b")]: skill("b", "Nothing.", "How to deploy."),
      [PATHS.skill("a")]: skill("a", "Before you deploy.", "x"),
      [PATHS.skill("c")]: skill("c", "Other.", "x"),
      ".agents/skills/no-skill/x.md": "x",
      ".agents/skills/file.md": "x",
    });
    const names = async (input: object): Promise<string[]> =>
      result<{ skills: { name: string }[] }>(await onDocument(workspace, "skill", "list", input)).data.skills.map(
        ({ name }) => name,
      );
    expect(await names({})).toEqual(["a", "b", "c", "deploy"]);
    expect(await names({ limit: 2, offset: 1 })).toEqual(["b", "c"]);
    expect(await names({ query: "deploy" })).toEqual(["deploy", "a", "c", "b"]);
    expect(await names({ query: "deploy", top_k: 1 })).toEqual(["deploy"]);
    expect(result(await onDocument(workspace, "skill", "list", { limit: 1 })).text).toBe(
      "a  [where] Before you deploy.\n[3 more. Continue with offset=1.]",
    );
    expect(result(await onDocument(workspace, "skill", "list", { query: "walrus" })).text).toBe(
      "[No skill matches these words. Without query all 4 are listed.]",
    );
    expect(result(await onDocument(workspace, "skill", "list", { offset: 9 })).text).toBe(
      "[offset=9 is past the end: only 4 skills found.]",
    );
  });
});

describe("skills", () => {
  test("are written in the Agent Skills format, under a name that fits it", async () => {
    const workspace = await open();
    const args = [
      { name: "where", description: "Where to: prod or dev", required: true },
      { name: "branch", default: "a: b" },
      { name: "n", default: "1" },
    ];
    expect(
      result(
        await onDocument(workspace, "skill", "write", {
          name: "  Déploy to PROD! ",
          description: 'Use it: "always" # not a comment',
          body: "To $where from $branch.",
          arguments: args,
        }),
      ).data,
    ).toMatchObject({ name: "deploy-to-prod" });
    expect(await text(workspace, PATHS.skill("deploy-to-prod"))).toBe(
      `---\nname: deploy-to-prod\ndescription: 'Use it: "always" # not a comment'\nmetadata:\n  toolhost-arguments: |-\n    where (required): Where to: prod or dev\n    branch = "a: b"\n    n = 1\n---\n\nTo $where from $branch.\n`,
    );
    expect(result(await onDocument(workspace, "skill", "list", {})).data).toMatchObject({
      skills: [
        {
          arguments: [
            { name: "where", description: "Where to: prod or dev", required: true },
            { name: "branch", required: false, default: "a: b" },
            { name: "n", required: false, default: "1" },
          ],
        },
      ],
    });
    expect(
      result(await onDocument(workspace, "skill", "read", { name: "Deploy to prod", arguments: "dev" })).text,
    ).toBe("[Skill deploy-to-prod; paths in it are relative to .agents/skills/deploy-to-prod.]\nTo dev from a: b.");
    expect(
      failed(await onDocument(workspace, "skill", "read", { name: "deploy-to-prod", arguments: "" })),
    ).toMatchObject({
      type: "invalid_input",
      message: "skill deploy-to-prod needs the argument where.",
      hint: "Give them in this order: <where> [branch] [n]",
    });
  });

  test.each<{ name: string; input: object; type: string; message: RegExp }>([
    { name: "a reserved name", input: { name: "Help" }, type: "invalid_input", message: /help is reserved/ },
    {
      name: "a name of no letters",
      input: { name: "日本" },
      type: "invalid_input",
      message: /nothing in it is allowed in a name/,
    },
    { name: "no text", input: { body: " \n " }, type: "invalid_input", message: /there is no text/ },
    { name: "no description", input: { description: " " }, type: "invalid_input", message: /description/ },
    {
      name: "a long description",
      input: { description: "x".repeat(1025) },
      type: "invalid_input",
      message: /description: must be at most 1024/,
    },
    {
      name: "an argument that could not be read back",
      input: { arguments: [{ name: "a b" }] },
      type: "invalid_input",
      message: /arguments\[0\]\.name/,
    },
  ])("are not written with $name", async ({ input, type, message }) => {
    const workspace = await open();
    expect(
      failed(await onDocument(workspace, "skill", "write", { name: "x", description: "d", body: "b", ...input })),
    ).toMatchObject({ type, message: expect.stringMatching(message) as string });
  });

  test("of other agents are read, whatever else they say; those whose name is another are malformed", async () => {
    const workspace = await open({
      [PATHS.skill("theirs")]:
        "---\nname: theirs\ndescription: >\n  Two\n  lines\nlicense: MIT\nallowed-tools: Read Bash\nversion: 2\narguments:\n  - name: a\n    required: true\n  - b\n---\n$a $b\n",
      [PATHS.skill("Bad_Name")]: "---\nname: Bad_Name\ndescription: x\n---\nx\n",
      [PATHS.skill("moved")]: "---\nname: elsewhere\ndescription: x\n---\nx\n",
      [PATHS.skill("bare")]: "no front matter\n",
    });
    expect(result(await onDocument(workspace, "skill", "list", {})).text.split("\n")).toEqual([
      "theirs  <a> [b] Two lines",
      expect.stringMatching(/^Bad_Name {2}\[malformed: name: must be lowercase letters/) as string,
      expect.stringMatching(/^bare {2}\[malformed: name: required \(string\), got nothing; description: /) as string,
      'moved  [malformed: name is "elsewhere" but must be "moved", the name of its folder]',
    ]);
    expect(result(await onDocument(workspace, "skill", "read", { name: "theirs", arguments: "1 2 3" })).text).toMatch(
      /\n1 2 3$/,
    );
    expect(failed(await onDocument(workspace, "skill", "read", { name: "bare", arguments: "" }))).toMatchObject({
      type: "unsupported",
    });
    expect(failed(await onDocument(workspace, "skill", "read", { name: "thiers" })).hint).toBe("Did you mean theirs?");
    expect(failed(await onDocument(workspace, "skill", "read", { name: "nothing-like-it" })).hint).toBe(
      "There are Bad_Name, bare, moved, theirs.",
    );
  });

  test("leave the other files of their folder when they are deleted", async () => {
    const workspace = await open({
      [PATHS.skill("one")]: WELL.skill("one"),
      ".agents/skills/one/run.sh": "x",
      [PATHS.skill("two")]: WELL.skill("two"),
    });
    expect(result(await onDocument(workspace, "skill", "delete", { name: "one" })).text).toMatch(
      /\nLeft in \.agents\/skills\/one: run\.sh\.$/,
    );
    result(await onDocument(workspace, "skill", "delete", { name: "two" }));
    expect(await workspace.names(".agents/skills")).toEqual(["one"]);
  });
});

describe("prompts", () => {
  const fixed = "---\nagent-modification: false\n---\nFixed.\n";

  test("that say so are not changed by agents", async () => {
    const workspace = await open({ [PATHS.prompt("one")]: fixed, [PATHS.prompt("two")]: WELL.prompt("two") });
    for (const [tool, input] of [
      ["edit", { patches: [{ start_line: 4, end_line: 4, content: "x" }] }],
      ["edit", { patches: [{ start_line: 2, end_line: 2, content: "agent-modification: true" }] }],
      ["write", { body: "x", on_conflict: "overwrite" }],
      ["delete", {}],
    ] as const) {
      expect(failed(await workspace.call(`prompt_${tool}`, { name: "one", ...input }))).toMatchObject({
        type: "protected",
      });
    }
    expect(
      failed(
        await onDocument(workspace, "prompt", "edit", {
          name: "two",
          patches: [{ start_line: 2, end_line: 0, content: "agent-modification: false" }],
        }),
      ),
    ).toMatchObject({ type: "protected" });
    expect(await text(workspace, PATHS.prompt("one"))).toBe(fixed);
    expect(result(await onDocument(workspace, "prompt", "list", {})).data).toMatchObject({
      prompts: [
        { name: "one", agent_modification: false },
        { name: "two", agent_modification: true },
      ],
    });
  });

  test("need no front matter, and get none without a description", async () => {
    const workspace = await open();
    result(await onDocument(workspace, "prompt", "write", { name: "Plain words", body: "Say it." }));
    expect(await text(workspace, PATHS.prompt("plain-words"))).toBe("Say it.\n");
    result(
      await onDocument(workspace, "prompt", "write", {
        name: "plain-words",
        description: "d",
        body: "Say more.",
        on_conflict: "overwrite",
      }),
    );
    expect(await text(workspace, PATHS.prompt("plain-words"))).toBe("---\ndescription: d\n---\n\nSay more.\n");
    expect(failed(await onDocument(workspace, "prompt", "write", { name: "clear", body: "x" })).message).toMatch(
      /reserved/,
    );
  });
});

describe("tasks", () => {
  const task = (fields: string): string => `---\ntitle: T\n${fields}\n---\nDo it.\n`;

  test("are made of a title, pending, with the time", async () => {
    const workspace = await open();
    expect(
      result(
        await onDocument(workspace, "task", "write", {
          name: "Fix the login / now",
          description: "Do it.",
          priority: "high",
        }),
      ).data,
    ).toMatchObject({ name: "fix-the-login-now" });
    expect(await text(workspace, PATHS.task("fix-the-login-now"))).toBe(
      `---\nid: fix-the-login-now\ntitle: Fix the login / now\nstatus: pending\npriority: high\nblocked_by: []\ncreated: ${STAMP}\nupdated: ${STAMP}\n---\n\nDo it.\n`,
    );
    result(await onDocument(workspace, "task", "write", { name: "ログイン修正", blocked_by: ["fix-the-login-now"] }));
    expect(result(await onDocument(workspace, "task", "list", {})).text).toBe(
      "fix-the-login-now  [pending, high] Fix the login / now\nログイン修正  [pending, medium] ログイン修正 (after fix-the-login-now)",
    );
  });

  test("are listed newest first, by status and priority", async () => {
    const workspace = await open({
      [PATHS.task("old")]: task("created: 2026-01-01"),
      [PATHS.task("new")]: task("created: 2026-02-01T00:00:00Z\nstatus: complete\noutput: Done."),
      [PATHS.task("odd")]: task("prioritty: high"),
      [PATHS.task("wrong-id")]: task("id: other"),
    });
    const listed = result<{ tasks: { name: string; problem: string | null }[] }>(
      await onDocument(workspace, "task", "list", {}),
    ).data.tasks;
    expect(listed.map(({ name, problem }) => [name, problem])).toEqual([
      ["new", null],
      ["old", null],
      ["odd", 'prioritty: unknown field; did you mean "priority"?'],
      ["wrong-id", 'id is "other" but must be "wrong-id", the name of its file'],
    ]);
    expect(result(await onDocument(workspace, "task", "list", { status: "complete" })).data).toMatchObject({
      total: 1,
      tasks: [{ name: "new", output: "Done." }],
    });
    expect(result(await onDocument(workspace, "task", "list", { priority: "high" })).text).toBe(
      "[No task matches. There are 4 in all.]",
    );
  });

  test("do not wait for themselves, nor for what is not there", async () => {
    const workspace = await open({
      [PATHS.task("a")]: task("blocked_by: [b]"),
      [PATHS.task("b")]: task("blocked_by: [c]"),
      [PATHS.task("c")]: task("priority: low"),
    });
    const edit = (name: string, content: string): ReturnType<TestWorkspace["call"]> =>
      onDocument(workspace, "task", "edit", { name, patches: [{ start_line: 3, end_line: 3, content }] });
    expect(failed(await edit("c", "blocked_by: [a]"))).toMatchObject({
      type: "invalid_input",
      message: "task c would block itself: c → a → b → c. Nothing was changed.",
    });
    expect(failed(await edit("c", "blocked_by: [c]")).message).toMatch(/blocked_by names the task itself/);
    expect(failed(await edit("c", "blocked_by: [bb]"))).toMatchObject({
      type: "not_found",
      hint: expect.stringContaining("Did you mean") as string,
    });
    expect(failed(await onDocument(workspace, "task", "write", { name: "d", blocked_by: ["d"] })).message).toMatch(
      /names the task itself/,
    );
    expect(
      failed(await onDocument(workspace, "task", "write", { name: "c", blocked_by: ["b"], on_conflict: "overwrite" }))
        .message,
    ).toMatch(/c → b → c/);
    expect(await text(workspace, PATHS.task("c"))).toBe(task("priority: low"));
    expect(result(await onDocument(workspace, "task", "delete", { name: "c" })).text).toMatch(
      /this task waits for a task that does not exist: b\./,
    );
  });

  test.each([
    "status: complete",
    "claimed_by: me",
    "claimed_at: 2026-01-01",
    "output: Done.",
    "waiting_reason: x",
    "tries: 1",
  ])("keep %s for their worker", async (line) => {
    const workspace = await open({
      [PATHS.task("a")]: task("priority: low"),
      [PATHS.task("broken")]: "---\na: [\n---\n",
    });
    expect(
      failed(
        await onDocument(workspace, "task", "edit", {
          name: "a",
          patches: [{ start_line: 2, end_line: 0, content: line }],
        }),
      ),
    ).toMatchObject({ type: "protected" });
    expect(
      failed(
        await onDocument(workspace, "task", "edit", {
          name: "broken",
          patches: [{ start_line: 2, end_line: 2, content: `title: T\n${line}` }],
        }),
      ),
    ).toMatchObject({ type: "protected" });
    expect(await text(workspace, PATHS.task("a"))).toBe(task("priority: low"));
  });

  test.each<{ status: string; refused: string[] }>([
    { status: "in_progress", refused: ["edit", "write", "delete"] },
    { status: "waiting", refused: ["edit", "write"] },
    { status: "complete", refused: ["edit", "write"] },
    { status: "failed", refused: ["edit", "write"] },
    { status: "pending", refused: [] },
  ])("that are $status refuse $refused", async ({ status, refused }) => {
    for (const [tool, input] of [
      ["edit", { patches: [{ start_line: 99, end_line: 0, content: "x" }] }],
      ["write", { on_conflict: "overwrite" }],
      ["delete", {}],
    ] as const) {
      const workspace = await open({ [PATHS.task("a")]: task(`status: ${status}\nclaimed_by: worker 7`) });
      const outcome = await onDocument(workspace, "task", tool, { name: "a", ...input });
      expect(outcome.ok ? "done" : outcome.error.type).toBe(refused.includes(tool) ? "conflict" : "done");
      if (!outcome.ok && tool === "delete") {
        expect(outcome.error.message).toContain("worker 7");
      }
    }
  });

  test.each([
    ["edit", { patches: [{ start_line: 6, end_line: 6, content: "Do more." }] }],
    ["write", { description: "Do more.", on_conflict: "overwrite" }],
  ])("count as never tried once %s says something else", async (tool, input) => {
    const workspace = await open({ [PATHS.task("a")]: task("status: pending\ntries: 2") });
    result(await onDocument(workspace, "task", tool, { name: "a", ...input }));
    expect(await text(workspace, PATHS.task("a"))).toMatch(/^---\ntitle: T\nstatus: pending\n[^]*---\n+Do more\.\n$/);
    expect(await text(workspace, PATHS.task("a"))).not.toContain("tries");
  });

  test("get the time of their last change", async () => {
    const workspace = await open({ [PATHS.task("a")]: task("updated: 2026-01-01 # then") });
    result(
      await onDocument(workspace, "task", "edit", {
        name: "a",
        patches: [{ start_line: 5, end_line: 5, content: "Do more." }],
      }),
    );
    expect(await text(workspace, PATHS.task("a"))).toBe(`---\ntitle: T\nupdated: ${STAMP} # then\n---\nDo more.\n`);
  });
});

describe("schedules", () => {
  test.each<{ name: string; input: object; message: RegExp }>([
    { name: "no time", input: { prompt: "x" }, message: /schedule: required/ },
    {
      name: "a wrong time",
      input: { schedule: "60 * * * *", prompt: "x" },
      message: /schedule: the expression minute: "60"/,
    },
    { name: "no prompt", input: { schedule: "* * * * *", prompt: " " }, message: /there is no prompt/ },
    {
      name: "a zone that is none",
      input: { schedule: "* * * * *", prompt: "x", time_zone: "Mars/Olympus" },
      message: /time_zone: must be a time zone/,
    },
    {
      name: "an offset as a zone",
      input: { schedule: "* * * * *", prompt: "x", time_zone: "+02:00" },
      message: /time_zone/,
    },
    {
      name: "lines in a session",
      input: { schedule: "* * * * *", prompt: "x", session: "a\nb" },
      message: /session: must be one line/,
    },
  ])("are not written with $name", async ({ input, message }) => {
    const workspace = await open();
    expect(failed(await onDocument(workspace, "schedule", "write", { name: "x", ...input }))).toMatchObject({
      type: "invalid_input",
      message: expect.stringMatching(message) as string,
    });
  });

  test("are written with all they say, listed by whether they are on, and keep what is not given again", async () => {
    const workspace = await open();
    result(
      await onDocument(workspace, "schedule", "write", {
        name: "Morning",
        expression: "0 9 * * 1-5",
        prompt: "Look.",
        time_zone: "Europe/Berlin",
        session: "daily",
        model: "m",
        enabled: false,
      }),
    );
    result(
      await onDocument(workspace, "schedule", "write", { name: "Night", schedule: "0 2 * * *", prompt: "Sweep." }),
    );
    expect(result(await onDocument(workspace, "schedule", "list", { enabled: false })).text).toBe(
      "morning  0 9 * * 1-5 Europe/Berlin [off] Look.",
    );
    result(
      await onDocument(workspace, "schedule", "write", {
        name: "morning",
        schedule: "30 8 * * *",
        prompt: "Look.",
        on_conflict: "overwrite",
      }),
    );
    expect(result(await onDocument(workspace, "schedule", "list", { enabled: false })).data).toMatchObject({
      schedules: [{ schedule: "30 8 * * *", time_zone: "Europe/Berlin", session: "daily", model: "m", enabled: false }],
    });
    expect(
      failed(
        await onDocument(workspace, "schedule", "edit", {
          name: "morning",
          patches: [{ start_line: 2, end_line: 2, content: "id: other" }],
        }),
      ).message,
    ).toMatch(/must be "morning"/);
  });

  test("ask a person when a model writes one: its file is protected", async () => {
    const workspace = await open();
    const outcome = await onDocument(
      workspace,
      "schedule",
      "write",
      { name: "x", schedule: "* * * * *", prompt: "Run." },
      { as: "model", mode: "default", answer: false },
    );
    expect(failed(outcome).type).toBe("denied");
    expect(workspace.asked).toMatchObject([
      { title: "Write the schedule x", detail: { text: expect.stringContaining("Run.") as string } },
    ]);
  });
});

import { describe, expect, test } from "vitest";
import { PathGate } from "../../../../src/core/paths/pathGate.js";
import type { Tool } from "../../../../src/core/contract.js";
import { decide as decideCall, type Decision } from "../../../../src/core/permission/decide.js";
import { PERMISSION_MODES, type PermissionMode, type Policy } from "../../../../src/core/permission/modes.js";
import type { FileTouch, GatedTouch } from "../../../../src/core/permission/touches.js";
import { FakeDisk, rootAt } from "../../features/changes/fakeDisk.js";
import { sample, toolLike } from "../someTool.js";

const disk = new FakeDisk({
  roots: [rootAt("/work")],
  paths: ["/work/src/a.ts", "/work/.git/hooks/pre-commit", "/work/.env", "/work/.env.example"],
  links: {
    "/work/harmless": "/work/.git/hooks",
    "/work/notes.txt": "/work/.env",
    "/work/sample": "/work/.env.example",
  },
});

function decide(tool: Tool, touches: readonly GatedTouch[] | undefined, policy: Policy): Decision {
  return decideCall({ tool, input: {}, touches }, policy);
}

async function touch(kind: "read" | "write", path: string): Promise<FileTouch> {
  return { kind, at: await new PathGate(disk).resolve(path) };
}

async function decision(
  touches: readonly Promise<GatedTouch>[] | undefined,
  mode: PermissionMode,
  trusted: boolean,
  undoable = false,
): Promise<Decision> {
  return decide(sample, touches && (await Promise.all(touches)), { mode, trusted, undoable });
}

const outcomeOf = (result: Decision): string => (result.decision === "deny" ? result.error : result.decision);

describe("what is decided, by what a call touches, by mode and trust", () => {
  const reads = [touch("read", "src/a.ts")];
  const writes = [touch("write", "src/a.ts")];
  const secret = [touch("read", ".env")];
  const guarded = [touch("write", ".git/hooks/pre-commit")];
  const mixed = [touch("read", "src/a.ts"), touch("write", "src/a.ts")];
  test.each<{
    what: string;
    touches: readonly Promise<GatedTouch>[] | undefined;
    trusted: Record<PermissionMode, string>;
    untrusted: Record<PermissionMode, string>;
  }>([
    {
      what: "nothing",
      touches: [],
      trusted: { default: "allow", ask: "allow", plan: "allow", bypass: "allow" },
      untrusted: { default: "allow", ask: "allow", plan: "allow", bypass: "allow" },
    },
    {
      what: "a read",
      touches: reads,
      trusted: { default: "allow", ask: "allow", plan: "allow", bypass: "allow" },
      untrusted: { default: "allow", ask: "allow", plan: "allow", bypass: "allow" },
    },
    {
      what: "a read of a secret",
      touches: secret,
      trusted: { default: "ask", ask: "ask", plan: "ask", bypass: "allow" },
      untrusted: { default: "ask", ask: "ask", plan: "ask", bypass: "allow" },
    },
    {
      what: "a write",
      touches: writes,
      trusted: { default: "ask", ask: "ask", plan: "denied", bypass: "allow" },
      untrusted: { default: "untrusted", ask: "untrusted", plan: "untrusted", bypass: "untrusted" },
    },
    {
      what: "a write of a protected file",
      touches: guarded,
      trusted: { default: "ask", ask: "ask", plan: "denied", bypass: "allow" },
      untrusted: { default: "untrusted", ask: "untrusted", plan: "untrusted", bypass: "untrusted" },
    },
    {
      what: "a read and a write",
      touches: mixed,
      trusted: { default: "ask", ask: "ask", plan: "denied", bypass: "allow" },
      untrusted: { default: "untrusted", ask: "untrusted", plan: "untrusted", bypass: "untrusted" },
    },
    {
      what: "who knows what",
      touches: undefined,
      trusted: { default: "ask", ask: "ask", plan: "denied", bypass: "allow" },
      untrusted: { default: "untrusted", ask: "untrusted", plan: "untrusted", bypass: "untrusted" },
    },
  ])("$what", async ({ touches, trusted, untrusted }) => {
    for (const mode of PERMISSION_MODES) {
      expect({ mode, trusted: outcomeOf(await decision(touches, mode, true)) }).toEqual({
        mode,
        trusted: trusted[mode],
      });
      expect({ mode, untrusted: outcomeOf(await decision(touches, mode, false)) }).toEqual({
        mode,
        untrusted: untrusted[mode],
      });
    }
  });
});

describe("the reasons name what is reached", () => {
  test.each<{ kind: "read" | "write"; path: string; reasons: string[] }>([
    { kind: "read", path: "src/a.ts", reasons: [] },
    { kind: "read", path: ".env.example", reasons: [] },
    { kind: "read", path: "sample", reasons: [] },
    { kind: "read", path: ".git/hooks/pre-commit", reasons: [] },
    { kind: "read", path: ".env", reasons: ["Reads .env: it may hold passwords or keys."] },
    { kind: "read", path: "notes.txt", reasons: ["Reads notes.txt (really .env): it may hold passwords or keys."] },
    { kind: "write", path: "src/a.ts", reasons: ["Changes src/a.ts."] },
    {
      kind: "write",
      path: ".GIT/hooks/x",
      reasons: ["Changes .GIT/hooks/x, which is protected: Git runs hooks and filters from it."],
    },
    {
      kind: "write",
      path: "harmless/pre-commit",
      reasons: [
        "Changes harmless/pre-commit (really .git/hooks/pre-commit), which is protected: Git runs hooks and filters from it.",
      ],
    },
    {
      kind: "write",
      path: "server.pem",
      reasons: ["Changes server.pem, which is protected: it may hold a private key."],
    },
  ])("$kind $path", async ({ kind, path, reasons }) => {
    expect((await decision([touch(kind, path)], "default", true)).reasons).toEqual(reasons);
  });

  test("each of several", async () => {
    expect(
      (await decision([touch("read", ".env"), touch("write", "src/a.ts"), touch("read", "src/a.ts")], "default", true))
        .reasons,
    ).toHaveLength(2);
  });

  test.each([
    { paths: ["a", "b"], reason: "Changes a and b." },
    { paths: ["a", "./a", "b"], reason: "Changes a and b." },
    { paths: ["a", "b", "c", "d", "e"], reason: "Changes a, b, c, d and e." },
    { paths: ["a", "b", "c", "d", "e", "f"], reason: "Changes a, b, c, d and 2 more files." },
  ])("ordinary changes as one: $paths", async ({ paths, reason }) => {
    expect(
      (
        await decision(
          paths.map((path) => touch("write", path)),
          "default",
          true,
        )
      ).reasons,
    ).toEqual([reason]);
  });

  test("what needs an eye on it first, and by itself", async () => {
    const { reasons } = await decision(
      [...["a", "b", "c", "d", "e", "f", ".env"].map((path) => touch("write", path)), touch("write", ".git/config")],
      "ask",
      true,
      true,
    );
    expect(reasons).toEqual([
      "Changes .env, which is protected: programs read settings from it.",
      "Changes .git/config, which is protected: Git runs hooks and filters from it.",
      "Changes a, b, c, d and 2 more files.",
    ]);
  });

  test("of a tool that cannot tell", () => {
    const tool = toolLike({ name: "x", touches: undefined });
    expect(decide(tool, undefined, { mode: "default", trusted: true, undoable: false })).toMatchObject({
      decision: "ask",
      reasons: ["What x reaches is unknown."],
      everyTime: false,
    });
  });
});

test("a yes to an ordinary change may stand for others; to a secret or a protected file it never does", async () => {
  for (const [touches, everyTime] of [
    [[touch("write", "src/a.ts")], false],
    [[touch("read", ".env")], true],
    [[touch("read", "notes.txt")], true],
    [[touch("write", ".git/hooks/pre-commit")], true],
    [[touch("write", "harmless/pre-commit")], true],
    [[touch("write", "src/a.ts"), touch("write", ".env")], true],
  ] as const) {
    expect(await decision(touches, "default", true)).toMatchObject({ decision: "ask", everyTime });
  }
});

describe("with the undo journal", () => {
  test.each<{ path: string; mode: PermissionMode; unread?: boolean; outcome: string; reasons?: string[] }>([
    { path: "src/a.ts", mode: "default", outcome: "allow" },
    { path: "src/new.ts", mode: "default", outcome: "allow" },
    { path: "src/a.ts", mode: "ask", outcome: "ask", reasons: ["Changes src/a.ts."] },
    { path: "src/a.ts", mode: "plan", outcome: "denied" },
    { path: ".env", mode: "default", outcome: "ask" },
    { path: ".git/hooks/pre-commit", mode: "default", outcome: "ask" },
    {
      path: "src/a.ts",
      mode: "default",
      unread: true,
      outcome: "ask",
      reasons: ["Overwrites src/a.ts, whose current content was not read."],
    },
  ])(
    "a change of $path, mode $mode, unread $unread: $outcome",
    async ({ path, mode, unread = false, outcome, reasons }) => {
      const found = decide(sample, [{ ...(await touch("write", path)), unread }], {
        mode,
        trusted: true,
        undoable: true,
      });
      expect(outcomeOf(found)).toBe(outcome);
      if (reasons !== undefined) {
        expect(found.reasons).toEqual(reasons);
      }
    },
  );

  test("no trust, no change", async () => {
    expect(outcomeOf(await decision([touch("write", "src/a.ts")], "default", false, true))).toBe("untrusted");
  });
});

test("a workspace that lies in a folder of secrets has nothing else in it", async () => {
  const inside = new FakeDisk({ roots: [rootAt("/home/me/.aws")], paths: ["/home/me/.aws/config"], links: {} });
  const at = await new PathGate(inside).resolve("config");
  expect(decide(sample, [{ kind: "read", at }], { mode: "default", trusted: true, undoable: false })).toMatchObject({
    decision: "ask",
    reasons: ["Reads config: it holds credentials."],
  });
});

test("a refusal says what a person can do", async () => {
  expect(await decision([touch("write", "a")], "default", false)).toMatchObject({
    decision: "deny",
    error: "untrusted",
    reasons: ["the workspace is not trusted, so only tools that just read inside it run"],
    hint: "The user can trust the workspace (command “Workspaces: Manage Workspace Trust”).",
  });
  expect(await decision([touch("write", "a")], "plan", true)).toMatchObject({
    error: "denied",
    reasons: ["the permission mode is plan, which is read-only"],
    hint: "Describe the change instead of making it. Only the user can leave plan mode.",
  });
});

test("a tool's own hints decide nothing", async () => {
  const harmless = toolLike({
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  });
  expect(
    decide(harmless, [await touch("write", "src/a.ts")], { mode: "plan", trusted: true, undoable: false }).decision,
  ).toBe("deny");
  const dangerous = toolLike({
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  });
  expect(
    decide(dangerous, [await touch("read", "src/a.ts")], { mode: "plan", trusted: true, undoable: false }).decision,
  ).toBe("allow");
});

import { describe, expect, test } from "vitest";
import { ToolError } from "../../../../src/core/errors.js";
import type { JournalTurn, TurnFile } from "../../../../src/features/changes/journal/types.js";
import { changesOf, tellChanges, type SummaryHost } from "../../../../src/doors/chat/changesSummary.js";
import { Unrecorded } from "../../../../src/doors/chat/unrecorded.js";
import type { ChatOutput } from "../../../../src/doors/chat/output.js";
import { remember, type RememberHost } from "../../../../src/doors/chat/remember.js";
import { noteInSession } from "../../../../src/doors/chat/sessionNotes.js";
import type { ModelMessage } from "../../../../src/ports/models.js";
import { sessionLog } from "../../agent/rig.js";

const file = (path: string, more: Partial<TurnFile> = {}): TurnFile => ({
  path,
  from: undefined,
  kind: "replace",
  before: undefined,
  after: undefined,
  added: 3,
  removed: 1,
  changes: [],
  ...more,
});
const turn = (files: TurnFile[], more: Partial<JournalTurn> = {}): JournalTurn => ({
  session: "s",
  turn: "t",
  door: "chat",
  at: 0,
  calls: [],
  files,
  undone: "no",
  isUndo: false,
  dropped: 0,
  ...more,
});

interface Told {
  text: string;
  buttons: unknown[];
}

async function tell(changed: JournalTurn, unrecorded: string[] = []): Promise<Told> {
  const told: Told = { text: "", buttons: [] };
  const output = {
    own: (text: string) => (told.text += text),
    button: (button: unknown) => told.buttons.push(button),
  } as unknown as ChatOutput;
  const host = {
    addressOf: (path: string) => Promise.resolve({ toString: () => `file:///ws/${path}` }),
  } as unknown as SummaryHost;
  await tellChanges(host, changed, unrecorded, output);
  return told;
}

describe("the end of a turn that changed files", () => {
  test("lists the files with their counts, and its buttons name the turn", async () => {
    const { text, buttons } = await tell(
      turn([
        file("src/a.ts"),
        file("new.ts", { kind: "create", removed: 0 }),
        file("gone.ts", { kind: "delete", added: 0, removed: 9 }),
        file("b.ts", { kind: "move", from: "a*b.ts", added: 0, removed: 0 }),
      ]),
    );
    expect(text.replaceAll("\\", "")).toContain(
      [
        "**Changed 4 files** (+6 −10)",
        "",
        "- [src/a.ts](file:///ws/src/a.ts): +3 −1",
        "- [new.ts](file:///ws/new.ts): new, +3",
        "- gone.ts: deleted, −9",
        "- [b.ts](file:///ws/b.ts): moved from a*b.ts",
      ].join("\n"),
    );
    expect(text).toContain("a\\*b");
    expect(buttons).toEqual([
      { command: "toolhost.reviewChanges", title: "Review", arguments: [{ session: "s", turn: "t" }] },
      { command: "toolhost.undoTurn", title: "Undo", arguments: [{ session: "s", turn: "t" }] },
    ]);
  });

  test.each<[what: string, data: unknown, said: string | undefined]>([
    ["a file that was read", { content: "x" }, undefined],
    ["a command that only reads", { status: "exited" }, undefined],
    [
      "one whose changes are all recorded",
      { status: "exited", changed: { not_undone: [], not_covered: [] } },
      undefined,
    ],
    ["one that goes on", { status: "background" }, "what a command that goes on, or was not observed, changes"],
    [
      "one in the user's own shell",
      { status: "unobserved" },
      "what a command that goes on, or was not observed, changes",
    ],
    ["one whose changes are unknown", { changed: { unknown: "too slow" } }, "what a command changed (too slow)"],
    [
      "one that changed large files",
      { changed: { not_undone: ["big (too large)"], more_not_undone: 2, not_covered: ["dist (too many files)"] } },
      "big (too large), 2 more changes, dist (too many files)",
    ],
    ["a process that is polled", { process: { changed: { unknown: "gone" } } }, "what a command changed (gone)"],
    ["a task", { steps: [{}, { changed: { unknown: "gone" } }] }, "what a command changed (gone)"],
  ])("says what undo does not cover of %s", async (_what, data, said) => {
    const unrecorded = new Unrecorded();
    unrecorded.note("1", data);
    const { text } = await tell(turn([file("a")]), unrecorded.phrases);
    const line = text.split("\n").find((each) => each.includes("Undo does not cover"));
    expect(line?.replaceAll("\\", "")).toBe(said && `*Undo does not cover: ${said}.*`);
  });

  test("no longer says so of a process that has ended", () => {
    const unrecorded = new Unrecorded();
    unrecorded.note("1", { status: "background", process_id: "p1" });
    unrecorded.note("2", { process: { status: "exited", process_id: "p1", changed: { not_undone: [] } } });
    expect(unrecorded.phrases).toEqual([]);
  });

  test("says how many files it does not list, and what is no longer kept", async () => {
    const { text } = await tell(
      turn(
        Array.from({ length: 25 }, (_, index) => file(`f${index}`)),
        { dropped: 2 },
      ),
    );
    expect(text.match(/^- \[/gm)).toHaveLength(20);
    expect(text).toContain("- and 5 more");
    expect(text).toContain("2 earlier calls of this turn are no longer in the undo journal");
  });

  test.each<{ what: string; journal: () => Promise<unknown>; there: boolean }>([
    {
      what: "a turn that changed files",
      journal: () => Promise.resolve({ turn: () => turn([file("a")]) }),
      there: true,
    },
    {
      what: "one that is undone already",
      journal: () => Promise.resolve({ turn: () => turn([file("a")], { undone: "yes" }) }),
      there: false,
    },
    {
      what: "one whose changes came to nothing",
      journal: () => Promise.resolve({ turn: () => turn([]) }),
      there: false,
    },
    { what: "one that changed nothing", journal: () => Promise.resolve({ turn: () => undefined }), there: false },
    {
      what: "a workspace without a journal",
      journal: () => Promise.reject(new ToolError("unavailable", "no journal")),
      there: false,
    },
  ])("is told of $what: $there", async ({ journal, there }) => {
    expect(
      (await changesOf({ changes: { journal } } as unknown as SummaryHost, { session: "s", turn: "t" })) !== undefined,
    ).toBe(there);
  });
});

describe("what is noted in a session", () => {
  const message = (role: ModelMessage["role"], text: string): ModelMessage => ({
    role,
    content: [{ type: "text", text }],
  });
  const NOTE = [message("user", "/undo"), message("assistant", "(taken back)")];
  const begin = (session: string, turnId: string, keepUpTo?: number) => ({
    session,
    turn: turnId,
    kind: "chat" as const,
    title: "A chat",
    model: "m",
    ...(keepUpTo === undefined ? {} : { keepUpTo }),
  });

  test("stays when the chat takes back the message that noted it, and the session waits again", async () => {
    const log = sessionLog();
    await log.beginTurn(begin("s", "1"));
    const first = await log.append("s", "1", message("user", "do it"));
    await log.append("s", "1", message("assistant", "done"));
    await log.endTurn("s", "1");
    expect(await noteInSession(() => Promise.resolve(log), "s", NOTE)).toBeGreaterThan(first);
    expect((await log.status("s")).state).toBe("idle");
    await log.beginTurn(begin("s", "2", first));
    const told = JSON.stringify(await log.context("s"));
    expect(told).toContain("(taken back)");
    expect(told).not.toContain("done");
  });

  test("a turn that is under way is told before its next request", async () => {
    const log = sessionLog();
    await log.beginTurn(begin("s", "1"));
    expect(await noteInSession(() => Promise.resolve(log), "s", NOTE)).toBeUndefined();
    expect(await log.takeLeft("s")).toEqual([{ content: "/undo\n(taken back)", from: "the user" }]);
  });

  test("no session is made for it, and a log that fails does not matter", async () => {
    const log = sessionLog();
    expect(await noteInSession(() => Promise.resolve(log), "never-begun", NOTE)).toBeUndefined();
    expect((await log.list(5)).total).toBe(0);
    expect(await noteInSession(() => Promise.reject(new Error("locked")), "s", NOTE)).toBeUndefined();
  });
});

test.each([
  { what: "an untrusted workspace", host: { isTrusted: () => false }, words: "x", type: "untrusted" },
  { what: "a memory that is off", host: { hasMemory: () => false }, words: "x", type: "unavailable" },
  { what: "no folder", host: { files: { roots: () => [] } }, words: "x", type: "unavailable" },
  { what: "a note of 3,000 characters", host: {}, words: "x".repeat(3_000), type: "too_large" },
])("nothing is remembered with $what", async ({ host, words, type }) => {
  const there = {
    isTrusted: () => true,
    hasMemory: () => true,
    files: { roots: () => [{ name: "ws" }] },
    now: () => 0,
    ...host,
  } as unknown as RememberHost;
  await expect(remember(there, words, { session: "s", turn: "t" }, new AbortController().signal)).rejects.toMatchObject(
    { type, message: expect.stringContaining("Nothing was noted") as string },
  );
});

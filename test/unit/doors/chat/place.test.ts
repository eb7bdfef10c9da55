import { describe, expect, test } from "vitest";
import type { SessionLog } from "../../../../src/features/sessions/sessionLog.js";
import type { TurnMetadata } from "../../../../src/doors/chat/history.js";
import { LostTurns } from "../../../../src/doors/chat/lostTurns.js";
import { chatPlace, type ChatTurn } from "../../../../src/doors/chat/place.js";
import type { ModelMessage } from "../../../../src/ports/models.js";

function keeper(): { get(key: string): unknown; update(key: string, value: unknown): Promise<void> } {
  const kept = new Map<string, string>();
  return {
    get: (key) => JSON.parse(kept.get(key) ?? "null") as unknown,
    update: (key, value) => Promise.resolve(void kept.set(key, JSON.stringify(value))),
  };
}

const said = (text: string): ModelMessage[] => [
  { role: "user", content: [{ type: "text", text }] },
  { role: "assistant", content: [{ type: "text", text: `Answer to ${text}` }] },
];
const turn = (prompt: string, metadata?: Partial<TurnMetadata>): ChatTurn => ({
  prompt,
  command: undefined,
  metadata: metadata && { session: "s", turn: `turn of ${prompt}`, messages: said(prompt), ...metadata },
});
type Log = Pick<SessionLog, "findInterrupted">;
const none: Log = { findInterrupted: () => Promise.resolve(undefined) };
const interrupted = (session: string, words: string): Log => ({
  findInterrupted: (prompt) => Promise.resolve(prompt === words ? session : undefined),
});
const place = (turns: ChatTurn[], log = none, lost = new LostTurns(keeper())) =>
  chatPlace(turns, lost, () => Promise.resolve(log));

describe("where a chat goes on", () => {
  test("a new chat begins a session of its own", async () => {
    const [one, other] = [await place([]), await place([])];
    expect(one).toMatchObject({ isNew: true, keepUpTo: undefined, earlier: [] });
    expect(one.session).not.toBe(other.session);
    expect(one.chat).not.toBe(other.chat);
  });

  test("the session of the turns it shows, up to the last message of theirs", async () => {
    expect(await place([turn("a", { seq: 2 }), turn("b", { seq: 7 })])).toMatchObject({
      session: "s",
      isNew: false,
      keepUpTo: 7,
      earlier: [...said("a"), ...said("b")],
    });
  });

  test("a turn that the user took back is no longer shown, and so not kept", async () => {
    expect(await place([turn("a", { seq: 2 })])).toMatchObject({ session: "s", keepUpTo: 2 });
    // Nothing that is shown was written down: all the rest was taken back.
    expect(await place([turn("/tools", { messages: [] })])).toMatchObject({ session: "s", keepUpTo: 0 });
  });

  test("the session that was opened last, and its turns alone", async () => {
    const opened = await place([
      turn("a", { seq: 90 }),
      turn("/sessions 2", { session: "other", seq: 40, messages: [] }),
    ]);
    expect(opened).toMatchObject({ session: "other", keepUpTo: 40, earlier: [] });
  });

  test("a chat keeps its name, whatever session it goes on with", async () => {
    expect(
      await place([
        turn("a", { chat: "c" }),
        turn("/sessions 2", { session: "other", chat: "c" }),
        turn("b", { session: "other" }),
      ]),
    ).toMatchObject({ session: "other", chat: "c" });
  });

  test("a chat that shows no turn any more is known by VS Code's name of it, where the token has one", async () => {
    const named = (turns: ChatTurn[], token: unknown) =>
      chatPlace(turns, new LostTurns(keeper()), () => Promise.resolve(none), token);
    const token = { sessionResource: { scheme: "vscode-chat-session", authority: "local", path: "/YTE=" } };
    expect(await named([], token)).toMatchObject({ isNew: true, chat: "vscode-chat-session://local/YTE=" });
    expect(await named([turn("a", { chat: "c" })], token)).toMatchObject({ chat: "c" });
    for (const other of [
      undefined,
      {},
      { sessionResource: {} },
      { sessionResource: { scheme: "vscode-chat-session", authority: "local", path: "/" } },
      "x",
    ]) {
      const [one, another] = [await named([], other), await named([], other)];
      expect(one.chat).not.toBe(another.chat);
    }
  });

  test("the sessions that were listed last", async () => {
    expect((await place([turn("/sessions", { listed: ["x", "y"] }), turn("a", { seq: 1 })])).listed).toEqual([
      "x",
      "y",
    ]);
  });

  test("a turn that was cut off by a reload is found by its words, and nothing of it is taken back", async () => {
    expect(await place([turn("lost")], interrupted("found", "lost"))).toMatchObject({
      session: "found",
      keepUpTo: undefined,
      isNew: false,
    });
    expect(await place([turn("a", { seq: 2 }), turn("lost")], interrupted("s", "lost"))).toMatchObject({
      session: "s",
      keepUpTo: undefined,
    });
  });

  test("another chat's turn that was cut off with the same words is not taken for its own", async () => {
    expect(await place([turn("a", { seq: 2 }), turn("lost")], interrupted("another", "lost"))).toMatchObject({
      session: "s",
      keepUpTo: 2,
    });
  });

  test("a log that cannot be asked does not keep the chat from going on", async () => {
    const broken = chatPlace([turn("a", { seq: 2 }), turn("lost")], new LostTurns(keeper()), () =>
      Promise.reject(new Error("locked")),
    );
    expect(await broken).toMatchObject({ session: "s", keepUpTo: 2 });
  });

  test("calls without a result are not sent again without one", async () => {
    const messages: ModelMessage[] = [
      { role: "user", content: [{ type: "text", text: "a" }] },
      { role: "assistant", content: [{ type: "call", id: "1", name: "read", input: {} }] },
    ];
    const { earlier } = await place([turn("a", { messages })]);
    expect(earlier.at(-1)).toEqual({
      role: "user",
      content: [{ type: "result", id: "1", text: expect.any(String) as string }],
    });
  });
});

describe("turns that were stopped", () => {
  test("are found by their words and the turn before them, also after a reload", async () => {
    const kept = keeper();
    new LostTurns(kept).keep({ prompt: "stopped", command: undefined }, "", {
      session: "s",
      chat: "c",
      turn: "t",
      seq: 5,
    });
    const lost = new LostTurns(kept);
    expect(await place([turn("stopped")], none, lost)).toMatchObject({ session: "s", keepUpTo: 5, after: "t" });
    expect(await place([turn("other")], none, lost)).toMatchObject({ isNew: true });
    expect(await place([turn("a", { session: "z" }), turn("stopped")], none, lost)).toMatchObject({ session: "z" });
  });

  test("the newest of several with the same words counts", () => {
    const lost = new LostTurns(keeper());
    lost.keep({ prompt: "x", command: "plan" }, "", { session: "old", chat: "c", turn: "1", seq: 1 });
    lost.keep({ prompt: "x", command: "plan" }, "", { session: "new", chat: "c", turn: "2", seq: undefined });
    expect(lost.find({ prompt: "x", command: "plan" }, "")).toEqual({
      session: "new",
      chat: "c",
      turn: "2",
      messages: [],
    });
    expect(lost.find({ prompt: "x", command: undefined }, "")).toBeUndefined();
  });

  test.each([undefined, null, 5, "x", [null], [{ prompt: 1 }], { prompt: "x" }])(
    "what is no list of them counts for nothing: %j",
    (value) => {
      const lost = new LostTurns({ get: () => value, update: () => Promise.resolve() });
      expect(lost.find({ prompt: "x", command: undefined }, "")).toBeUndefined();
    },
  );

  test("no more than 30 are kept", () => {
    const kept = keeper();
    const lost = new LostTurns(kept);
    for (let number = 0; number < 40; number++) {
      lost.keep({ prompt: `${number}`, command: undefined }, "", {
        session: "s",
        chat: "c",
        turn: `${number}`,
        seq: number,
      });
    }
    expect(kept.get("toolhost.chat.stoppedTurns")).toHaveLength(30);
    expect(lost.find({ prompt: "39", command: undefined }, "")).toMatchObject({ seq: 39 });
    expect(lost.find({ prompt: "9", command: undefined }, "")).toBeUndefined();
  });
});

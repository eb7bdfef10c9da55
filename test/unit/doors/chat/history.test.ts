import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fitHistory, keptMessages, readMetadata } from "../../../../src/doors/chat/history.js";
import type { ModelMessage } from "../../../../src/ports/models.js";

const said = (text: string, role: ModelMessage["role"] = "user"): ModelMessage => ({
  role,
  content: [{ type: "text", text }],
});

const TURN: ModelMessage[] = [
  said("Why?"),
  {
    role: "assistant",
    content: [
      { type: "text", text: "Look." },
      { type: "call", id: "1", name: "toolhost_read", input: { path: "a" } },
    ],
  },
  { role: "user", content: [{ type: "result", id: "1", text: "a" }] },
  said("Because.", "assistant"),
];

describe("what a turn leaves", () => {
  test("is read again as it was written", () => {
    const metadata = { session: "s", messages: keptMessages(TURN) };
    expect(readMetadata(JSON.parse(JSON.stringify(metadata)))).toEqual({ session: "s", messages: TURN });
  });

  test("has long results cut, and no media", () => {
    const bytes = new Uint8Array(1_000_000);
    const long: ModelMessage = {
      role: "user",
      content: [{ type: "result", id: "1", text: "x".repeat(100_000), media: [{ mimeType: "image/png", bytes }] }],
    };
    const [kept] = keptMessages([long]);
    expect(JSON.stringify(kept).length).toBeLessThan(4_200);
    expect(kept?.content[0]).toMatchObject({
      id: "1",
      text: expect.stringContaining("[… 96000 characters omitted …]") as string,
    });
    expect(kept?.content[0]).not.toHaveProperty("media");
  });

  test("has long call inputs cut: the whole file of an edit is not kept in VS Code's chat store", () => {
    const input = { path: "a.ts", new_text: "x".repeat(1_000_000), edits: [{ old_text: "y".repeat(1_000_000) }] };
    const [kept] = keptMessages([
      { role: "assistant", content: [{ type: "call", id: "1", name: "toolhost_edit", input }] },
    ]);
    expect(JSON.stringify(kept).length).toBeLessThan(12_000);
    expect(kept?.content[0]).toMatchObject({ type: "call", id: "1", name: "toolhost_edit", input: { path: "a.ts" } });
  });

  test("has very deep inputs cut", () => {
    let input: Record<string, unknown> = {};
    for (let level = 0; level < 100_000; level++) {
      input = { a: input };
    }
    expect(
      JSON.stringify(keptMessages([{ role: "assistant", content: [{ type: "call", id: "1", name: "x", input }] }]))
        .length,
    ).toBeLessThan(300);
  });
});

describe("foreign metadata is refused", () => {
  test.each<{ what: string; metadata: unknown }>([
    { what: "nothing", metadata: undefined },
    { what: "null", metadata: null },
    { what: "a text", metadata: "s" },
    { what: "a list", metadata: [] },
    { what: "another extension's", metadata: { command: "explain" } },
    { what: "no session", metadata: { messages: [] } },
    { what: "a session that is none", metadata: { session: 5, messages: [] } },
    { what: "no messages", metadata: { session: "s" } },
    { what: "messages that are none", metadata: { session: "s", messages: "x" } },
    { what: "a message that is none", metadata: { session: "s", messages: [null] } },
    { what: "another role", metadata: { session: "s", messages: [{ role: "system", content: [] }] } },
    { what: "no content", metadata: { session: "s", messages: [{ role: "user" }] } },
    { what: "content that is none", metadata: { session: "s", messages: [{ role: "user", content: ["x"] }] } },
    {
      what: "another kind of content",
      metadata: { session: "s", messages: [{ role: "user", content: [{ type: "image" }] }] },
    },
    {
      what: "a text without text",
      metadata: { session: "s", messages: [{ role: "user", content: [{ type: "text" }] }] },
    },
    {
      what: "a call without input",
      metadata: { session: "s", messages: [{ role: "assistant", content: [{ type: "call", id: "1", name: "x" }] }] },
    },
    {
      what: "a result without text",
      metadata: { session: "s", messages: [{ role: "user", content: [{ type: "result", id: "1" }] }] },
    },
  ])("$what", ({ metadata }) => {
    expect(readMetadata(metadata)).toBeUndefined();
  });
});

describe("fitHistory", () => {
  test("keeps all turns in their order when they fit", () => {
    expect(fitHistory([[said("1")], [said("2"), said("3", "assistant")]])).toEqual([
      said("1"),
      said("2"),
      said("3", "assistant"),
    ]);
    expect(fitHistory([])).toEqual([]);
  });

  test("leaves out the oldest, and never a part of a turn", () => {
    const turn = (mark: string): ModelMessage[] => [said(mark), said("x".repeat(50_000), "assistant")];
    const kept = fitHistory([turn("1"), turn("2"), turn("3")]);
    expect(kept).toEqual([...turn("2"), ...turn("3")]);
  });

  test("does not jump over a turn that is too long to one before it", () => {
    expect(fitHistory([[said("old")], [said("x".repeat(200_000))], [said("new")]])).toEqual([said("new")]);
  });

  test("gives whole turns from the end, within the limit", () => {
    const turns = fc.array(fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 3 }), { maxLength: 6 });
    fc.assert(
      fc.property(turns, (lengths) => {
        const all = lengths.map((turn) => turn.map((length) => said("x".repeat(length))));
        const kept = fitHistory(all);
        expect(JSON.stringify(kept).length).toBeLessThanOrEqual(120_100);
        const tails = all.map((_, from) => all.slice(from).flat());
        expect(
          [[], ...tails].some((tail) => tail.length === kept.length && JSON.stringify(tail) === JSON.stringify(kept)),
        ).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});

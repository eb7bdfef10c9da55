import { expect, test } from "vitest";
import { ChangedTurns } from "../../../../src/doors/chat/changedTurns.js";

function keeper(): { get(key: string): unknown; update(key: string, value: unknown): Promise<void> } {
  const values = new Map<string, unknown>();
  return {
    get: (key) => values.get(key),
    update: (key, value) => Promise.resolve(void values.set(key, JSON.parse(JSON.stringify(value)))),
  };
}

const turn = (id: string, chat = "c"): { chat: string; session: string; turn: string; prompt: string } => ({
  chat,
  session: "s",
  turn: id,
  prompt: `do ${id}`,
});

test("turns that their chat no longer shows are told once, newest first, after a restart too", () => {
  const memory = keeper();
  const turns = new ChangedTurns(memory);
  ["1", "2", "3"].forEach((id) => turns.keep(turn(id)));
  turns.keep(turn("4", "other"));
  expect(turns.takenBack("c", ["1", "2", "3"], [])).toEqual([]);
  expect(new ChangedTurns(memory).takenBack("c", ["1"], []).map(({ turn: id }) => id)).toEqual(["3", "2"]);
  expect(turns.takenBack("c", ["1"], [])).toEqual([]);
  expect(turns.takenBack("c", [], []).map(({ turn: id }) => id)).toEqual(["1"]);
});

test("a message whose turn VS Code lost is not taken for one that was taken back", () => {
  const turns = new ChangedTurns(keeper());
  turns.keep(turn("1"));
  expect(turns.takenBack("c", [], ["do 1"])).toEqual([]);
  expect(turns.takenBack("c", [], ["do 2"])).toHaveLength(1);
});

test.each([undefined, "text", [1], [{ chat: "c" }]])("what is kept is checked: %j", (kept) => {
  const memory = keeper();
  void memory.update("toolhost.chat.changedTurns", kept ?? null);
  expect(new ChangedTurns(memory).takenBack("c", [], [])).toEqual([]);
});

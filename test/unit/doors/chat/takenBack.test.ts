import { expect, test } from "vitest";
import { ToolError } from "../../../../src/core/errors.js";
import { ChangedTurns } from "../../../../src/doors/chat/changedTurns.js";
import type { ChatPlace } from "../../../../src/doors/chat/place.js";
import { findTakenBack, type TakenBackHost } from "../../../../src/doors/chat/takenBack.js";

const place: ChatPlace = {
  session: "s",
  chat: "c",
  isNew: false,
  keepUpTo: undefined,
  earlier: [],
  after: "",
  turns: [],
  listed: [],
};

test("where the journal cannot be opened, it is said that what taken-back turns left is not known, until it can be", async () => {
  const values = new Map<string, unknown>();
  const changedTurns = new ChangedTurns({
    get: (key) => values.get(key),
    update: (key, value) => Promise.resolve(void values.set(key, value)),
  });
  const host: TakenBackHost = {
    changes: { journal: () => Promise.reject(new ToolError("unavailable", "The state is busy.")) },
    changedTurns,
    standing: { add: () => Promise.reject(new Error("nothing is known to stand")) },
  };
  expect(await findTakenBack(host, place, [])).toBeUndefined();
  for (const turn of ["1", "2"]) {
    changedTurns.keep({ chat: "c", session: "s", turn, prompt: `do ${turn}` });
  }
  for (const _message of ["first", "second"]) {
    const found = await findTakenBack(host, place, []);
    expect(found?.forModel).toContain("some of these changes may remain: the undo journal cannot be opened now");
    const said: string[] = [];
    found?.show({
      own: (text) => void said.push(text),
      button: () => expect.unreachable("there is nothing to undo that is known"),
    });
    expect(said.join("")).toMatch(
      /Their changes may still be in the files\*\*; the undo journal cannot be opened now: “do 2”, “do 1”/,
    );
  }
});

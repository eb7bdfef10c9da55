import { expect, test } from "vitest";
import { WorkView } from "../../../src/doors/cli/workView.js";

test("names of files command no terminal, wherever they are shown", () => {
  let shown = "";
  const view = new WorkView({ json: false, out: (text) => (shown += text), err: (text) => (shown += text) });
  const running = { name: "a\u001b[2Jb", title: "T\u001b[2J", session: "s", from: "pending" } as const;
  view.beginTask(running);
  view.onEvent({ type: "call", session: "s", id: "1", tool: "read", input: {}, summary: "Reading" });
  view.endTask({ ...running, status: "complete", note: "Done.\u001b[2J", reason: "terminal" });
  view.beginSchedule("c\u202ed", "t", 0);
  view.tell("The schedule c\u202ed was missed.");
  expect(shown.split("\n")).toEqual([
    "[task a\\u001b[2Jb] starts: T\\u001b[2J  (session s)",
    "[task a\\u001b[2Jb] • Reading",
    "task a\\u001b[2Jb: complete: Done. [2J",
    "[schedule c\\u202ed] starts  (session t)",
    "! The schedule c\\u202ed was missed.",
    "",
  ]);
});

test("neither do the name of a tool that a model makes up, nor lines of JSON, which say the same to a program", () => {
  const event = {
    type: "result",
    session: "s",
    id: "1",
    tool: "no\u001b]0;x\u0007\u009b2J\u202ename",
    ok: false,
    text: "There is no\u009b2J such tool.",
  } as const;
  for (const json of [false, true]) {
    let shown = "";
    const view = new WorkView({ json, out: (text) => (shown += text), err: (text) => (shown += text) });
    view.onEvent(event);
    expect(shown).toContain("name");
    expect(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/.exec(shown)).toBeNull();
    if (json) {
      expect(JSON.parse(shown)).toEqual(event);
    }
  }
});

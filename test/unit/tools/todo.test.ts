import { expect, test } from "vitest";
import { stepsOf } from "../../../src/tools/sessions/todo.js";
import { checklist } from "../../../src/tools/sessions/todoSteps.js";
import { failed, openWorkspace, result } from "./workspace.js";

const step = (content: string, status: string) => ({ content, status });
const A = step("Read", "completed");
const B = step("Write\ntests", "in_progress");
const C = step("Run", "pending");

test.each([
  { todos: [A, B, C], text: "Kept: 1 of 3 steps done.", data: { total: 3, completed: 1 } },
  { todos: [A], text: "Kept: 1 of 1 step done.", data: { total: 1, completed: 1 } },
  { todos: [C, C], text: "Kept: 0 of 2 steps done.", data: { total: 2, completed: 0 } },
  {
    todos: [B, B],
    text: "Kept: 0 of 2 steps done. Have one step in_progress at a time.",
    data: { total: 2, completed: 0 },
  },
  { todos: [], text: "The list is cleared.", data: { total: 0, completed: 0 } },
])("a list is kept without a question: $text", async ({ todos, text, data }) => {
  const { call, asked } = await openWorkspace();
  expect(result(await call("todo", { todos }, { mode: "ask", answer: false }))).toMatchObject({ text, data });
  expect(asked).toEqual([]);
});

test.each([
  { input: {}, message: "todos: required" },
  { input: { todos: "Read, then write" }, message: "todos: expected array" },
  { input: { todos: [{ status: "pending" }] }, message: "todos[0].content: required" },
  { input: { todos: [step("Read", "someday")] }, message: "todos[0].status: must be one of" },
  { input: { todos: [A], merge: true }, message: "merge: unknown field" },
])("$input is refused", async ({ input, message }) => {
  const { call } = await openWorkspace();
  expect(failed(await call("todo", input)).message).toContain(message);
  expect(stepsOf(input)).toBeUndefined();
});

test("a list is shown in lines with marks", () => {
  expect(checklist(stepsOf({ todos: [A, B, C] }) ?? [])).toEqual(["[x] Read", "[>] Write tests", "[ ] Run"]);
});

test("a list written as lines of whitespace is read in time in proportion to it", () => {
  const blank = " \t".repeat(100_000);
  expect(stepsOf({ todos: `${blank}[x]${blank}Read${blank}` })).toEqual([{ content: "Read", status: "completed" }]);
  expect(stepsOf({ todos: `${blank}*${blank}[x` })).toBeUndefined();
});

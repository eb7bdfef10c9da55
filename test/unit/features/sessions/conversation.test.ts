import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { asConversation } from "../../../../src/features/sessions/conversation.js";
import type { ModelMessage } from "../../../../src/ports/models.js";
import { call, logOn, model, openTestStore, result, start, text, unended, user } from "./rig.js";
import { expectValid } from "./validConversation.js";

const conversation = (messages: readonly ModelMessage[]): { seq: number; message: ModelMessage }[] =>
  asConversation(messages.map((message, index) => ({ seq: index + 1, message })));

describe("a conversation is told as model APIs take it", () => {
  test.each<{ what: string; messages: ModelMessage[]; told: ModelMessage[] }>([
    { what: "nothing", messages: [], told: [] },
    {
      what: "as it was",
      messages: [user("a"), model("b", call("1")), user(result("1")), model("c")],
      told: [user("a"), model("b", call("1")), user(result("1")), model("c")],
    },
    {
      what: "results one by one as one message, in the order of the calls",
      messages: [model(call("1"), call("2")), user(result("2")), user(result("1"))],
      told: [model(call("1"), call("2")), user(result("1"), result("2"))],
    },
    {
      what: "calls that had not ended",
      messages: [user("a"), model(call("1"), call("2")), user(result("2"))],
      told: [user("a"), model(call("1"), call("2")), user(unended("1"), result("2"))],
    },
    {
      what: "calls before the next question",
      messages: [model(call("1")), user("go on"), model("b")],
      told: [model(call("1")), user(unended("1"), "go on"), model("b")],
    },
    {
      what: "a message that came among the results",
      messages: [model(call("1"), call("2")), user(result("1")), user("hurry"), user(result("2"))],
      told: [model(call("1"), call("2")), user(result("1"), result("2"), "hurry")],
    },
    {
      what: "results whose call is gone",
      messages: [user(result("0"), "a"), user(result("9")), model("b"), user(result("8"))],
      told: [user("a"), model("b")],
    },
    {
      what: "a result of an earlier answer's call",
      messages: [model(call("1")), user(result("1")), model("b"), user(result("1"), "c")],
      told: [model(call("1")), user(result("1")), model("b"), user("c")],
    },
    {
      what: "the first of two results",
      messages: [model(call("1")), user(result("1", "first")), user(result("1", "second"))],
      told: [model(call("1")), user(result("1", "first"))],
    },
    {
      what: "ids that a server uses again",
      messages: [model(call("1")), user(result("1", "a")), model(call("1")), user(result("1", "b"))],
      told: [model(call("1")), user(result("1", "a")), model(call("1")), user(result("1", "b"))],
    },
    {
      what: "two calls of one id in one answer",
      messages: [model(call("1"), call("1")), user(result("1"))],
      told: [model(call("1")), user(result("1"))],
    },
    {
      what: "nothing empty",
      messages: [user(""), model(" \n"), user("a", ""), model(), user("b"), model("c")],
      told: [user("a", "b"), model("c")],
    },
    {
      what: "a question that got no answer",
      messages: [user("a"), user("b"), model("c"), model("d")],
      told: [user("a", "b"), model("c", "d")],
    },
  ])("$what", ({ messages, told }) => {
    const given = structuredClone(messages);
    expect(conversation(messages).map(({ message }) => message)).toEqual(told);
    expect(messages).toEqual(given);
  });

  it("names the last message that is in each", () => {
    expect(
      conversation([user("a"), user("b"), model(call("1")), user(result("1")), user("c")]).map(({ seq }) => seq),
    ).toEqual([2, 3, 5]);
  });
});

const ids = fc.constantFrom("1", "2", "3");
const parts = fc.oneof(
  fc.constantFrom("", " ", "words").map(text),
  ids.map(call),
  ids.map((id) => result(id)),
);
const messages = fc
  .record({ role: fc.constantFrom("user" as const, "assistant" as const), content: fc.array(parts, { maxLength: 4 }) })
  .map(({ role, content }): ModelMessage => ({
    role,
    content: content.filter(({ type }) => type === "text" || (type === "call") === (role === "assistant")),
  }));
/** What can happen to a session: places are taken from those there are. */
const events = fc.oneof(
  { weight: 6, arbitrary: messages.map((message) => ({ kind: "append" as const, message })) },
  { weight: 1, arbitrary: fc.constant({ kind: "crash" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "end" as const }) },
  { weight: 1, arbitrary: fc.nat(30).map((place) => ({ kind: "takeBack" as const, place })) },
  { weight: 1, arbitrary: fc.nat(30).map((place) => ({ kind: "compact" as const, place })) },
);

it("is valid whatever happened to the session, and tells all that was said and still counts", async () => {
  const store = await openTestStore("memory");
  let sessions = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(events, { maxLength: 40 }), async (happened) => {
      const session = `session ${sessions++}`;
      let log = logOn(store);
      let turns = 0;
      const begin = async (keepUpTo?: number): Promise<void> =>
        void (await log.beginTurn(start(session, `${session} ${++turns}`, keepUpTo === undefined ? {} : { keepUpTo })));
      await begin();
      const places: number[] = [];
      const placeOf = (number: number): number => places[number % Math.max(1, places.length)] ?? 0;
      // What the model is to be told, by the rules in words: each summary with what it stands for, which taking back
      // brings back.
      let said: { seq: number; words: string }[] = [];
      let summaries: { upTo: number; words: string }[] = [];
      for (const event of happened) {
        switch (event.kind) {
          case "append": {
            const seq = await log.append(session, `${session} ${turns}`, event.message);
            places.push(seq);
            said.push(
              ...event.message.content.flatMap((part) =>
                part.type === "text" && part.text.trim() !== "" ? [{ seq, words: part.text }] : [],
              ),
            );
            break;
          }
          case "crash":
            // The process is gone: another one opens the state.
            log = logOn(store);
            await begin();
            break;
          case "end":
            await log.endTurn(session, `${session} ${turns}`);
            await begin();
            break;
          case "takeBack": {
            const keepUpTo = placeOf(event.place);
            await log.endTurn(session, `${session} ${turns}`);
            await begin(keepUpTo);
            said = said.filter(({ seq }) => seq <= keepUpTo);
            summaries = summaries.filter(({ upTo }) => upTo <= keepUpTo);
            // What is taken back is not shown any more: no summary ends there.
            places.splice(0, places.length, ...places.filter((seq) => seq <= keepUpTo));
            break;
          }
          case "compact": {
            const upTo = placeOf(event.place);
            await log.compact(session, `${session} ${turns}`, user(`summary ${summaries.length}`), upTo);
            summaries.push({ upTo, words: `summary ${summaries.length}` });
            break;
          }
        }
      }
      const told = (await log.context(session)).map(({ message }) => message);
      expectValid(told);
      const last = summaries.at(-1);
      const words = told.flatMap(({ content }) => content.flatMap((part) => (part.type === "text" ? [part.text] : [])));
      expect(words).toEqual([
        ...(last === undefined ? [] : [last.words]),
        ...said.filter(({ seq }) => seq > (last?.upTo ?? -1)).map((each) => each.words),
      ]);
    }),
    { numRuns: 300 },
  );
});

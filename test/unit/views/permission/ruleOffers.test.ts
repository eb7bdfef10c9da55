import { beforeEach, describe, expect, test } from "vitest";
import { RuleOffers, type OfferAnswer } from "../../../../src/views/permission/offers.js";
import type { PlacedRule, Rule } from "../../../../src/ports/rules.js";

const rule = (command: string): Rule => ({ tool: "exec", params: { command }, decision: "allow" });
const placed = (command: string): PlacedRule => ({
  rule: rule(command),
  source: "settings",
  place: "toolhost.permissions.rules[0]",
});
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

let on: boolean;
let inForce: PlacedRule[];
/** Commands of each offer shown, in order. */
let shown: string[][];
let acted: string[];
let answers: ((answer: OfferAnswer | undefined) => void)[];
let offers: RuleOffers;

const commandsOf = (rules: readonly Rule[]): string[] => rules.map(({ params }) => params?.["command"] ?? "");
const answer = async (given: OfferAnswer | undefined): Promise<void> => {
  answers.shift()?.(given);
  await settle();
};

beforeEach(() => {
  [on, inForce, shown, acted, answers] = [true, [], [], [], []];
  offers = new RuleOffers({
    isOn: () => on,
    rules: () => inForce,
    show: (rules, onAnswer) => {
      shown.push(commandsOf(rules));
      return new Promise((resolve) =>
        answers.push((given) => {
          if (given !== undefined) {
            onAnswer(given);
          }
          resolve();
        }),
      );
    },
    act: async (given, session, rules) => void acted.push(`${given} ${session} ${commandsOf(rules).join()}`),
  });
});

test.each(["always", "session", "never"] as const)("an offer's answer is acted on: %s", async (given) => {
  offers.offer("s", [rule("npm test **"), rule("git add **")]);
  await answer(given);
  expect({ shown, acted }).toEqual({
    shown: [["npm test **", "git add **"]],
    acted: [`${given} s npm test **,git add **`],
  });
});

describe("nothing is offered", () => {
  test.each([
    { what: "when no rule is narrow enough", offer: () => offers.offer("s", []) },
    {
      what: "when the user turned offers off",
      offer: () => {
        on = false;
        offers.offer("s", [rule("a **")]);
      },
    },
    {
      what: "that is a rule already",
      offer: () => {
        inForce = [placed("a **")];
        offers.offer("s", [rule("a **")]);
      },
    },
  ])("$what", async ({ offer }) => {
    offer();
    await settle();
    expect(shown).toEqual([]);
  });
});

test("a rule is offered once a session, closed or not; another session may be offered it", async () => {
  offers.offer("s", [rule("a **")]);
  await answer(undefined);
  offers.offer("s", [rule("a **")]);
  offers.offer("t", [rule("a **")]);
  await settle();
  expect({ shown, acted }).toEqual({ shown: [["a **"], ["a **"]], acted: [] });
});

test("offers do not pile up: one is shown, the newest is next, and it is not shown when it became a rule meanwhile", async () => {
  offers.offer("s", [rule("a **")]);
  offers.offer("s", [rule("b **")]);
  offers.offer("s", [rule("c **")]);
  await settle();
  expect(shown).toEqual([["a **"]]);
  await answer(undefined);
  expect(shown).toEqual([["a **"], ["c **"]]);
  offers.offer("s", [rule("d **")]);
  inForce = [placed("d **")];
  await answer("always");
  expect(shown).toHaveLength(2);
  // One that was dropped unseen may come again.
  offers.offer("s", [rule("b **")]);
  await settle();
  expect(shown.at(-1)).toEqual(["b **"]);
});

test("an answer that cannot be acted on stops no later offer", async () => {
  const failing = new RuleOffers({
    isOn: () => true,
    rules: () => [],
    show: async (rules, onAnswer) => (shown.push(commandsOf(rules)), onAnswer("always")),
    act: () => Promise.reject(new Error("read-only settings")),
  });
  failing.offer("s", [rule("a **")]);
  await settle();
  failing.offer("s", [rule("b **")]);
  await settle();
  expect(shown).toEqual([["a **"], ["b **"]]);
});

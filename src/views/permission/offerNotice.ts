import * as vscode from "vscode";
import { ruleWords } from "../../core/permission/rules/words.js";
import type { Rule, RuleBook } from "../../ports/rules.js";
import { shorten } from "../../text/clip.js";
import { visibleLine } from "../../text/showHidden.js";
import { plain } from "../../text/plainText.js";
import { RuleOffers, type OfferAnswer } from "./offers.js";

const ALWAYS = "Always Allow";
const SESSION = "In This Session";
const NEVER = "Don't Offer Again";

/**
 * How long to wait until the next offer, in ms: VS Code hides a notification after 10 s. Its buttons keep working in the
 * notification center.
 */
const IN_SIGHT = 12_000;
const MAX_RULE = 80;
const MAX_NAMED = 3;

/** What offers need from the window. */
export interface OffersWindow {
  rules: RuleBook;
  /** Whether the user wants offers. */
  isOn(): boolean;
  /** Turns offers off in the settings. */
  turnOff(): Promise<void>;
}

/** Creates offers that are shown as notifications. */
export function createOffers(window: OffersWindow): RuleOffers {
  const book = window.rules;
  return new RuleOffers({
    isOn: () => window.isOn(),
    rules: (session) => book.rules(session),
    show: showOffer,
    act: async (answer, session, rules) => {
      switch (answer) {
        case "always":
          return book.grantAlways(rules);
        case "session":
          return book.grantForSession(session, rules);
        case "never":
          return window.turnOff();
      }
    },
  });
}

/** Shows an offer without taking the focus. Resolves when it is answered, closed or hidden. */
async function showOffer(rules: readonly Rule[], onAnswer: (answer: OfferAnswer) => void): Promise<void> {
  const answered = ask(rules).then((answer) => {
    if (answer !== undefined) {
      onAnswer(answer);
    }
  });
  await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, IN_SIGHT))]);
}

async function ask(rules: readonly Rule[]): Promise<OfferAnswer | undefined> {
  const named = rules.slice(0, MAX_NAMED).map((rule) => `“${shorten(visibleLine(ruleWords(rule)), MAX_RULE)}”`);
  const rest = rules.length - named.length;
  const names = [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
  const pressed = await vscode.window.showInformationMessage(
    plain(`Always allow ${names} without asking? “Always” applies to every workspace.`),
    ALWAYS,
    SESSION,
    NEVER,
  );
  return pressed === ALWAYS ? "always" : pressed === SESSION ? "session" : pressed === NEVER ? "never" : undefined;
}

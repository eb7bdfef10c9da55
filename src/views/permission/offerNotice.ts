import * as vscode from "vscode";
import { LINK_COMMAND } from "../../names/contributed.js";
import { ruleWords } from "../../core/permission/rules/words.js";
import type { Rule, RuleBook } from "../../ports/rules.js";
import { shorten } from "../../text/clip.js";
import { visibleLine } from "../../text/showHidden.js";
import { plain } from "../../text/plainText.js";
import { RuleOffers, type OfferAnswer } from "./offers.js";

/** What can be answered, the narrowest first. */
const ANSWERS: readonly { label: string; description: string; answer: OfferAnswer }[] = [
  { label: vscode.l10n.t("In This Session"), description: vscode.l10n.t("Until the session ends"), answer: "session" },
  {
    label: vscode.l10n.t("Always Allow"),
    description: vscode.l10n.t("In every workspace: adds to your settings"),
    answer: "always",
  },
  {
    label: vscode.l10n.t("Don't Offer Again"),
    description: vscode.l10n.t("Rules can still be added in the Toolhost view"),
    answer: "never",
  },
];

/** How long an offer is in the status bar, in ms, unless it is answered or followed by another. */
const IN_SIGHT = 60_000;
const MAX_RULE = 80;
/** Maximum characters in the status bar. */
const MAX_SHOWN = 60;
const MAX_NAMED = 3;

/** What offers need from the window. */
export interface OffersWindow {
  rules: RuleBook;
  /** Whether the user wants offers. */
  isOn(): boolean;
  /** Turns offers off in the settings. */
  turnOff(): Promise<void>;
}

/** Creates offers that are shown in the status bar. */
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

/**
 * Shows an offer in the status bar: the call is done, so it must neither cover the chat nor take the focus. Resolves when
 * it is answered or hidden.
 */
async function showOffer(rules: readonly Rule[], onAnswer: (answer: OfferAnswer) => void): Promise<void> {
  const named = rules.slice(0, MAX_NAMED).map((rule) => `“${shorten(visibleLine(ruleWords(rule)), MAX_RULE)}”`);
  const rest = rules.length - named.length;
  const question = vscode.l10n.t(
    "Allow {0} from now on?",
    [...named, ...(rest > 0 ? [vscode.l10n.t("{0} more", rest)] : [])].join(", "),
  );
  const item = vscode.window.createStatusBarItem("toolhost.offer", vscode.StatusBarAlignment.Left);
  item.name = vscode.l10n.t("Toolhost: Offered Rule");
  item.text = `$(shield) ${plain(shorten(question, MAX_SHOWN))}`;
  item.tooltip = vscode.l10n.t("{0}\nClick to choose for how long.", question);
  item.accessibilityInformation = { label: vscode.l10n.t("Toolhost: {0}", question), role: "button" };
  item.command = LINK_COMMAND.answerOffer;
  let timer: NodeJS.Timeout | undefined;
  let command: vscode.Disposable | undefined;
  await new Promise<void>((resolve) => {
    timer = setTimeout(resolve, IN_SIGHT);
    command = vscode.commands.registerCommand(LINK_COMMAND.answerOffer, async () => {
      const picked = await vscode.window.showQuickPick(ANSWERS, { title: plain(question) });
      if (picked !== undefined) {
        onAnswer(picked.answer);
        resolve();
      }
    });
    item.show();
  });
  clearTimeout(timer);
  command?.dispose();
  item.dispose();
}

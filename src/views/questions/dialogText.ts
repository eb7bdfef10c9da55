import { ruleWords } from "../../core/permission/rules/words.js";
import { tellsMore } from "../../core/pipeline/question.js";
import type { Question } from "../../ports/confirm.js";
import type { Rule } from "../../ports/rules.js";
import { shorten } from "../../text/clip.js";
import { cutDetails, type Room } from "../../text/cutDetails.js";
import { showHidden, visibleLine } from "../../text/showHidden.js";
import { visibleDetails, wholeText } from "../../text/visibleDetails.js";
import { l10n } from "../shared/l10n.js";

/**
 * Maximum rows of a dialog, 20 pixels each. A dialog grows with its text, even off the screen: with this limit its
 * buttons stay visible in a window 720 pixels high.
 */
const ROWS = 21;
/** Minimum rows for the detail. */
const LEAST_ROWS = 8;
/** Characters per row, as VS Code wraps them. */
const COLUMNS = 55;
/** Maximum code units of the detail. */
const MAX_DETAIL = 2_000;
const MAX_REASONS = 5;
/** Maximum characters of a reason: three rows. */
const MAX_REASON = 150;
/** Maximum characters of who asks, and of where. */
const MAX_NAME = 100;
const MAX_LISTED_RULE = 100;
const MAX_LISTED_RULES = 3;

/** The button that opens the question in an editor. */
export const SHOW = (): string => l10n.t("Show in Editor…");

/** The texts of a modal dialog. */
export interface DialogText {
  /** What is asked, in one question. */
  headline: string;
  /** What the question is about, as a name. */
  title: string;
  detail: string;
  /** What will happen, for an editor. */
  shown: string;
  /** The full text for an editor, if something is omitted; undefined if everything is shown. */
  whole: string | undefined;
}

/**
 * Formats a question as plain text for a dialog: a command, why it is asked, who asks, and where. Omissions are listed
 * first: nobody scrolls a dialog to find out that something is missing.
 */
export function dialogText(question: Question): DialogText {
  const { derived } = question;
  const bare = withoutAsker(question);
  const title = titleOf(bare);
  const isCommand = isRun(bare);
  const reasons = question.reasons.map(inPlainText);
  const details = visibleDetails(question);
  const hidden = details.flatMap((each) => each.hidden ?? []);
  const hides =
    hidden.length > 0 || [question.title, ...reasons].some((text) => showHidden(text, true).notice !== undefined);
  const why = shownReasons(reasons);
  const below = [whoAndWhere(question), ...(derived.length === 0 ? [] : [rulesNote(derived)])];
  const cut = cutDetails(details, roomBeside([...hidden, why, ...below]));
  const notices = cut.flatMap(({ notice }) => notice ?? []);
  const isCut =
    notices.length > 0 ||
    reasons.length > MAX_REASONS ||
    reasons.some((reason) => visibleLine(reason).length > MAX_REASON);
  const texts = cut.map(({ title: of, shown, end }) =>
    [...(of === undefined ? [] : [`${of}:`]), shown, ...(end === undefined ? [] : [end])].join("\n"),
  );
  const isSaid = !tellsMore(question) || isTitle(title, question.detail);
  const parts = [
    ...(notices.length === 0 ? [] : [`${notices.join("\n")} ${l10n.t("“{0}” opens the full text.", SHOW())}`]),
    ...hidden,
    ...(isCommand ? [...texts.slice(0, 1), why, ...texts.slice(1)] : [why, ...texts.slice(isSaid ? 1 : 0)]),
    ...below,
  ];
  return {
    headline: headlineOf(bare, isCommand ? undefined : title, hides),
    title,
    detail: parts.filter((part) => part !== "").join("\n\n"),
    shown: wholeText(details),
    whole: isCut ? withReasons(notices.length === 0 ? reasons : [], wholeText(details)) : undefined,
  };
}

/** Returns a question whose title does not begin with who asks and where: these have a line of their own. */
function withoutAsker(question: Question): Question {
  const prefixes = [question.asker, question.place].flatMap((name) => (name === undefined ? [] : [`${name}: `]));
  const prefix = prefixes.find((each) => question.title.startsWith(each));
  return prefix === undefined ? question : withoutAsker({ ...question, title: question.title.slice(prefix.length) });
}

function whoAndWhere({ asker, place }: Question): string {
  return [
    ...(asker === undefined ? [] : [l10n.t("Asked by {0}.", shorten(visibleLine(asker), MAX_NAME))]),
    ...(place === undefined ? [] : [l10n.t("Where: {0}.", shorten(visibleLine(place), MAX_NAME))]),
  ].join("\n");
}

/** Whether the title says no more than that the command below is run. */
function isRun({ accept, title, detail: { language, text } }: Question): boolean {
  const [, what] = /^(?:Run|Start) (.+)$/s.exec(title) ?? [];
  return (
    accept === undefined &&
    language === "bash" &&
    what !== undefined &&
    visibleLine(text).includes(visibleLine(what).replace(/…$/, ""))
  );
}

/** @param title undefined for a command, which follows below */
function headlineOf({ accept, title: given }: Question, title: string | undefined, hides: boolean): string {
  const asked =
    title === undefined
      ? /^Start /.test(given)
        ? l10n.t("Start this command?")
        : l10n.t("Run this command?")
      : accept === undefined
        ? l10n.t("{0}?", title.replace(/[.?!]+$/, ""))
        : title;
  return hides ? `${asked} ${l10n.t("It contains invisible characters.")}` : asked;
}

/** Returns the title: of a command of several lines, which follow below, only the first. */
function titleOf({ title, detail: { language, text } }: Question): string {
  const line = visibleLine(title);
  const [first = "", ...more] = text.trim().split("\n");
  const shown = visibleLine(first);
  const at = language === "bash" && more.length > 0 && shown !== "" ? line.indexOf(shown) : -1;
  return at < 0 ? line : `${line.slice(0, at + shown.length)} …`;
}

/** Whether the title has all of a command. */
function isTitle(title: string, { language, text }: Question["detail"]): boolean {
  return language === "bash" && title.includes(text);
}

/** Quotes what Markdown would show as code: a dialog shows no Markdown. */
function inPlainText(reason: string): string {
  return reason.replaceAll(/`([^`]+)`/g, "“$1”");
}

/** Returns the room left for the detail. */
function roomBeside(parts: readonly string[]): Room {
  const taken = parts
    .filter((part) => part !== "")
    .flatMap((part) => [...part.split("\n").map((line) => Math.ceil(line.length / COLUMNS)), 1]);
  return {
    characters: MAX_DETAIL,
    rows: Math.max(LEAST_ROWS, ROWS - taken.reduce((sum, rows) => sum + rows, 0)),
    columns: COLUMNS,
  };
}

function shownReasons(reasons: readonly string[]): string {
  const listed = reasons.length > MAX_REASONS ? reasons.slice(0, MAX_REASONS - 1) : reasons;
  const rest = reasons.length - listed.length;
  return [
    ...listed.map((reason) => shorten(visibleLine(reason), MAX_REASON)),
    ...(rest > 0 ? [l10n.t("… and {0} more reasons: “{1}”.", rest, SHOW())] : []),
  ].join("\n");
}

/** Returns the text for the editor. @param reasons shown above it, if only they are omitted in the dialog */
function withReasons(reasons: readonly string[], text: string): string {
  return reasons.length === 0 ? text : [...reasons.map(visibleLine), "", text].join("\n");
}

/** Lists the rules that “always” writes. They go to the user's own settings, so they apply in all workspaces. */
function rulesNote(derived: readonly Rule[]): string {
  const listed = derived
    .slice(0, MAX_LISTED_RULES)
    .map((rule) => `“${shorten(visibleLine(ruleWords(rule)), MAX_LISTED_RULE)}”`);
  const rest = derived.length - listed.length;
  const names = [...listed, ...(rest > 0 ? [l10n.t("{0} more", rest)] : [])].join(", ");
  return l10n.t("“Always Allow” adds to your settings, for every workspace: {0}.", names);
}

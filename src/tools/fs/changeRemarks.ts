import type { ChangeOutcome, ChangeReport } from "../../ports/changes.js";
import { shorten } from "../../text/clip.js";
import { shownFormatting } from "../../text/formatting.js";
import type { Asked } from "../../ports/problems.js";
import { shownName } from "../../text/shownName.js";
import { count } from "../../text/words.js";
import { lostTabs } from "../../text/lostTabs.js";

/** Maximum characters of one problem's message. */
const MAX_MESSAGE = 300;

/**
 * Returns remarks on a changed file, one line each: tabs that its new text lacks, and the side effects of
 * `savingRemarks`.
 *
 * @param path the file's new path
 * @param before its text until now; undefined for a new file
 * @param asked the text the change meant to write
 */
export function fileRemarks(path: string, before: string | undefined, asked: string, report: ChangeReport): string[] {
  const tabs = lostTabs(path, before, asked);
  return [...(tabs === undefined ? [] : [tabs]), ...savingRemarks(asked, report)];
}

/**
 * Returns a change's side effects, one line each: text left unsaved, and what saving changed further.
 *
 * @param asked the text the change meant to write
 */
export function savingRemarks(asked: string, report: ChangeReport): string[] {
  const remarks = report.saved
    ? []
    : ["The file has unsaved changes in the editor: the change was made there and is not saved."];
  if (report.text === undefined || report.text === asked) {
    return remarks;
  }
  const diff = shownFormatting(asked, report.text);
  const shown = diff === undefined ? "Read it before the next change." : `It changed:\n${diff}`;
  return [...remarks, `Saving changed the text further (format on save). ${shown}`];
}

/** Returns remarks on a whole call: the problems that it introduced, and what a language server was asked about. */
export function callRemarks({ files, problems, asked }: ChangeOutcome): string[] {
  const told = toldProblems(problems);
  return asked === undefined ? told : [...told, ...remarkOnAsked(asked, files.length, problems.length > 0)];
}

/** @param all how many files were changed, also in languages whose servers cannot be asked */
function remarkOnAsked(asked: Asked, all: number, isNews: boolean): string[] {
  if (!asked.isAnswered) {
    return [asked.why];
  }
  const { changed, importers, allImporters, isWhole } = asked;
  const isPart = importers < allImporters;
  const them = changed.length === 1 ? "it" : "them";
  const own =
    changed.length < all
      ? changed.map(shownName).join(", ")
      : changed.length === 1
        ? "this file"
        : `these ${changed.length} files`;
  const others =
    importers === 0
      ? ""
      : isPart
        ? ` and ${importers} of the ${allImporters} files that import ${them}`
        : ` and ${count(importers, "file")} that import${importers === 1 ? "s" : ""} ${them}`;
  const unchecked =
    importers === 0 && isPart
      ? [
          `${count(allImporters, "file")} that import${allImporters === 1 ? "s" : ""} ${them} ${allImporters === 1 ? "was" : "were"} not checked.`,
        ]
      : [];
  const missing = isWhole
    ? []
    : [`There may be ${allImporters === 0 ? "" : "more "}files that import ${them}, which were not checked.`];
  return isNews
    ? [...(isPart && importers > 0 ? [`Only ${own}${others} were checked.`] : unchecked), ...missing]
    : [`TypeScript reports no new problem in ${own}${others}.`, ...unchecked, ...missing];
}

function toldProblems(problems: ChangeOutcome["problems"]): string[] {
  const lines = problems.map(({ path, problem: { line, column, severity, message, source, code } }) => {
    const origin = [source, code].filter((part) => part !== undefined).join(" ");
    return `${path}:${line}:${column} ${severity}: ${shorten(message.replace(/\s+/g, " "), MAX_MESSAGE)}${origin === "" ? "" : ` (${origin})`}`;
  });
  return lines.length > 0 ? [`New ${lines.length === 1 ? "problem" : "problems"} after this change:`, ...lines] : [];
}

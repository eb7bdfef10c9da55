import * as vscode from "vscode";
import { LARGEST_CHANGED_FILE } from "../../../core/largestFile.js";
import { sourceText } from "../../../features/code/sourceText.js";
import { importersOf } from "../../../features/changes/importers.js";
import type { ReportedProblem } from "../../../ports/languageServers.js";
import type { Files, GatedPath } from "../../../ports/files.js";
import type { Problem, ProblemCheck } from "../../../ports/problems.js";
import type { Search } from "../../../ports/search.js";
import type { VscodeFiles } from "../files/files.js";
import { caughtUp } from "./caughtUp.js";
import { within } from "./patience.js";
import { isTypescript, typescriptProblems } from "./typescriptProblems.js";

/** Maximum number of changed files, and of files that import them, that the server is asked about. */
const MAX_CHANGED = 10;
const MAX_IMPORTERS = 10;
/** Time limits for finding these, and for the server's answers before and after a change, in ms. */
const SEARCH_LIMIT = 1_000;
const BEFORE_LIMIT = 3_000;
const AFTER_LIMIT = 3_000;

const UNCHECKED = "Problems were not checked: TypeScript's server";

interface Given {
  files: VscodeFiles;
  /** The same files and their search, without those that may hold secrets. */
  unnamed: { files: Files; search: Search };
}

/** What is known before a change, as far as there was time. */
interface Before {
  /** Of the files that the server has answered about. */
  problems: Map<string, readonly Problem[]>;
  importers: readonly GatedPath[];
  /** How many files import the changed ones, and whether these are all. */
  total: number;
  isWhole: boolean;
}

/** Questions that the server did not answer in time. Until it has, no change waits for it again. */
const overdue = new Set<Promise<unknown>>();

/**
 * Asks TypeScript's server about files that will change and the files that import them: by itself it checks only what is
 * in tabs. A file is opened, without a tab, only if the server does not know it otherwise: an open file is changed in
 * the editor.
 *
 * @returns undefined if none of the files is TypeScript's or JavaScript's, or there is no server
 */
export async function checkTypescript(
  changing: readonly GatedPath[],
  given: Given,
  signal: AbortSignal,
): Promise<ProblemCheck | undefined> {
  const own = changing.filter(canBeAsked);
  if (own.length === 0 || own.length > MAX_CHANGED) {
    return undefined;
  }
  if (overdue.size > 0) {
    return unchecked(`${UNCHECKED} is not ready yet.`);
  }
  const before: Before = { problems: new Map(), importers: [], total: 0, isWhole: false };
  const isLate = await isOverdue((ending) => askBefore(own, before, given, ending), BEFORE_LIMIT, signal);
  if (own.every(({ path }) => before.problems.has(path))) {
    return {
      before: before.problems,
      after: (changed, ending) => askAfter(changed.filter(canBeAsked), before, given, ending),
    };
  }
  return isLate ? unchecked(`${UNCHECKED} was not ready within ${BEFORE_LIMIT / 1_000} s.`) : undefined;
}

function unchecked(why: string): ProblemCheck {
  return {
    before: new Map(),
    after: () => Promise.resolve({ problems: new Map(), asked: { isAnswered: false, why } }),
  };
}

/** Waits for answers, for a time. Those that come later are not waited for. @returns whether some are */
async function isOverdue(
  ask: (ending: AbortSignal) => Promise<void>,
  limit: number,
  signal: AbortSignal,
): Promise<boolean> {
  const end = new AbortController();
  // A file that cannot be opened, or a server that has ended, has no answer.
  const asking = ask(AbortSignal.any([signal, end.signal])).catch(() => undefined);
  const isLate = (await within(asking, limit, signal)) === "late";
  if (isLate) {
    overdue.add(asking);
    void asking.then(() => overdue.delete(asking));
    end.abort();
  }
  return isLate;
}

/** Asks about files that will change, then about those that import them. */
async function askBefore(own: readonly GatedPath[], before: Before, given: Given, signal: AbortSignal): Promise<void> {
  const { problems } = before;
  // The call did not name the files that import another one: what a server says of secrets in them is not told.
  const [found] = await Promise.all([
    importersOf(own, given.unnamed, { limit: SEARCH_LIMIT, most: MAX_IMPORTERS, signal }),
    askAll(own, problems, byPath, given, signal),
  ]);
  Object.assign(before, found);
  const unknown = own.filter(({ path }) => !problems.has(path));
  // One that imports it may open the project of both.
  const first = unknown.length > 0 ? found.importers.slice(0, 1) : [];
  await askAll([...first, ...unknown], problems, knownProblems, given, signal);
  if (own.every(({ path }) => problems.has(path))) {
    await askAll(found.importers.slice(first.length), problems, knownProblems, given, signal);
  }
}

/** @param changed the files as they are called after the change */
async function askAfter(
  changed: readonly GatedPath[],
  { problems: old, importers, total, isWhole }: Before,
  given: Given,
  signal: AbortSignal,
): ReturnType<ProblemCheck["after"]> {
  const problems = new Map<string, readonly Problem[]>();
  const others = importers.filter(({ path }) => old.has(path));
  const ask = async (ending: AbortSignal): Promise<void> => {
    // The server sees the new text of these when they are open.
    await askAll(changed, problems, openProblems, given, ending);
    await askAll(others, problems, knownProblems, given, ending);
  };
  // The files are changed: that the call is ended now is not its failure.
  const isLate = await isOverdue(ask, AFTER_LIMIT, signal).catch(() => false);
  if (!changed.every(({ path }) => problems.has(path))) {
    const why = `${UNCHECKED} did not answer${isLate ? ` within ${AFTER_LIMIT / 1_000} s` : ""}.`;
    return { problems: new Map(), asked: { isAnswered: false, why } };
  }
  const checked = others.filter(({ path }) => problems.has(path)).length;
  const names = changed.map(({ path }) => path);
  return {
    problems,
    asked: { isAnswered: true, changed: names, importers: checked, allImporters: total, isWhole },
  };
}

type AskFile = (at: GatedPath, given: Given, signal: AbortSignal) => Promise<Problem[] | undefined>;

/** Adds what a server answers of files, one after the other: it works on one at a time. */
async function askAll(
  files: readonly GatedPath[],
  problems: Map<string, readonly Problem[]>,
  ask: AskFile,
  given: Given,
  signal: AbortSignal,
): Promise<void> {
  for (const at of files) {
    signal.throwIfAborted();
    const isThere = await given.files.stat(at).then(
      () => true,
      () => false,
    );
    const found = isThere ? await ask(at, given, signal) : [];
    if (found !== undefined) {
      problems.set(at.path, found);
    }
  }
}

async function knownProblems(at: GatedPath, given: Given, signal: AbortSignal): Promise<Problem[] | undefined> {
  return (await byPath(at, given)) ?? openProblems(at, given, signal);
}

/** Asks about a file that is closed; undefined if the server has not read its project. */
async function byPath(at: GatedPath, given: Given): Promise<Problem[] | undefined> {
  return isOpen(at, given) ? undefined : told(await typescriptProblems(at.absolute, at.path));
}

/** Asks about a file in the editor, where the server sees its text at once. */
async function openProblems(at: GatedPath, { files }: Given, signal: AbortSignal): Promise<Problem[] | undefined> {
  const document = await vscode.workspace.openTextDocument(files.uriOf(at));
  const read = (): Promise<string | undefined> => sourceText(files, at, LARGEST_CHANGED_FILE, signal);
  const isSame = await caughtUp(document, read, AFTER_LIMIT, signal);
  return isSame ? told(await typescriptProblems(document.uri, at.path)) : undefined;
}

/** Whether the server can be asked about a file: one of the workspace's folders on disk. */
function canBeAsked(at: GatedPath): boolean {
  return isTypescript(at.path) && at.outside !== true && at.root?.scheme === "file";
}

function isOpen(at: GatedPath, { files }: Given): boolean {
  const uri = files.uriOf(at).toString();
  return vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri);
}

/** Returns errors and warnings, as a change's answer tells them. */
function told(found: readonly ReportedProblem[] | undefined): Problem[] | undefined {
  return found?.flatMap(({ range: { start }, severity, message, source, code }) =>
    severity === "error" || severity === "warning" ? [{ ...start, severity, message, source, code }] : [],
  );
}

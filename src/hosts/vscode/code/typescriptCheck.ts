import * as vscode from "vscode";
import { LARGEST_CHANGED_FILE } from "../../../core/largestFile.js";
import { sourceText } from "../../../features/code/sourceText.js";
import { importersOf } from "../../../features/changes/importers.js";
import type { ReportedProblem } from "../../../ports/languageServers.js";
import type { Files, GatedPath } from "../../../ports/files.js";
import type { Problem, ProblemCheck, ProblemsByFile } from "../../../ports/problems.js";
import type { Search } from "../../../ports/search.js";
import type { VscodeFiles } from "../files/files.js";
import { caughtUp } from "./caughtUp.js";
import { within } from "./patience.js";
import { isTypescript, typescriptProblems } from "./typescriptProblems.js";

/** Maximum number of changed files, and of files that import them, that the server is asked about. */
const MAX_CHANGED = 10;
const MAX_IMPORTERS = 10;
/** Time limits for finding these, and for the server's answers before and after a change, in ms. */
const SEARCH_LIMIT = 2_000;
const BEFORE_LIMIT = 3_000;
const AFTER_LIMIT = 3_000;

interface Given {
  files: VscodeFiles;
  /** The same files and their search, without those that may hold secrets. */
  unnamed: { files: Files; search: Search };
}

/**
 * Asks TypeScript's server about files that will change and the files that import them: by itself it checks only what is
 * in tabs. A file is opened, without a tab, only if the server does not know it otherwise: an open file is changed in
 * the editor.
 *
 * @returns undefined if none of the files is TypeScript's or JavaScript's
 */
export async function checkTypescript(
  changing: readonly GatedPath[],
  given: Given,
  signal: AbortSignal,
): Promise<ProblemCheck | undefined> {
  const own = changing.filter((at) => isTypescript(at.path) && at.outside !== true && at.root?.scheme === "file");
  if (own.length === 0 || own.length > MAX_CHANGED) {
    return undefined;
  }
  const found = await within(
    asked(own, given, signal).catch(() => undefined),
    BEFORE_LIMIT,
    signal,
  );
  const late = `Problems were not checked: TypeScript's server was not ready within ${BEFORE_LIMIT / 1_000} s.`;
  if (found === undefined) {
    return undefined;
  }
  return {
    before: found === "late" ? new Map() : found.problems,
    after: async (changed) => {
      if (found === "late") {
        return { problems: new Map(), asked: { isAnswered: false, why: late } };
      }
      const { importers, total, isWhole } = found;
      const now = changed.filter((at) => isTypescript(at.path));
      // The files are changed: what a server then does is not a failure of the call.
      const problems = await within(problemsNow(now, importers, given, signal), AFTER_LIMIT, signal).catch(
        () => undefined,
      );
      if (problems === "late" || problems === undefined) {
        const why = `Problems were not checked: TypeScript's server did not answer within ${AFTER_LIMIT / 1_000} s.`;
        return { problems: found.problems, asked: { isAnswered: false, why } };
      }
      const names = now.map(({ path }) => path);
      return {
        problems,
        asked: { isAnswered: true, changed: names, importers: importers.length, allImporters: total, isWhole },
      };
    },
  };
}

/** Asks about files as they are; undefined if there is no server. */
async function asked(
  own: readonly GatedPath[],
  given: Given,
  signal: AbortSignal,
): Promise<{ problems: ProblemsByFile; importers: readonly GatedPath[]; total: number; isWhole: boolean } | undefined> {
  // The call did not name the files that import another one: what a server says of secrets in them is not told.
  const { importers, total, isWhole } = await importersOf(own, given.unnamed, {
    limit: SEARCH_LIMIT,
    most: MAX_IMPORTERS,
    signal,
  });
  const problems = new Map<string, readonly Problem[]>();
  for (const at of [...importers, ...own]) {
    signal.throwIfAborted();
    const isThere = await given.files.stat(at).then(
      () => true,
      () => false,
    );
    const known = isThere ? await knownProblems(at, given, signal) : [];
    if (known === undefined) {
      return undefined;
    }
    problems.set(at.path, known);
  }
  return { problems, importers, total, isWhole };
}

async function knownProblems(at: GatedPath, given: Given, signal: AbortSignal): Promise<Problem[] | undefined> {
  const closed = isOpen(at, given) ? undefined : await typescriptProblems(at.absolute, at.path);
  return closed === undefined ? openProblems(at, given, signal) : told(closed);
}

/** Asks about a file in the editor, where the server sees its text at once. */
async function openProblems(at: GatedPath, { files }: Given, signal: AbortSignal): Promise<Problem[] | undefined> {
  const document = await vscode.workspace.openTextDocument(files.uriOf(at));
  const read = (): Promise<string | undefined> => sourceText(files, at, LARGEST_CHANGED_FILE, signal);
  const isSame = await caughtUp(document, read, AFTER_LIMIT, signal);
  const found = isSame ? await typescriptProblems(document.uri, at.path) : undefined;
  return found === undefined ? undefined : told(found);
}

async function problemsNow(
  changed: readonly GatedPath[],
  importers: readonly GatedPath[],
  given: Given,
  signal: AbortSignal,
): Promise<ProblemsByFile | undefined> {
  const problems = new Map<string, readonly Problem[]>();
  // The changed ones come first: the server sees their new text when they are open.
  for (const at of changed) {
    const found = await openProblems(at, given, signal);
    if (found === undefined) {
      return undefined;
    }
    problems.set(at.path, found);
  }
  for (const at of importers) {
    signal.throwIfAborted();
    const found = await knownProblems(at, given, signal);
    if (found === undefined) {
      return undefined;
    }
    problems.set(at.path, found);
  }
  return problems;
}

function isOpen(at: GatedPath, { files }: Given): boolean {
  const uri = files.uriOf(at).toString();
  return vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri);
}

/** Errors and warnings, as a change's answer tells them. */
function told(found: readonly ReportedProblem[]): Problem[] {
  return found.flatMap(({ range: { start }, severity, message, source, code }) =>
    severity === "error" || severity === "warning" ? [{ ...start, severity, message, source, code }] : [],
  );
}

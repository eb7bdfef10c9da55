import { ToolError } from "../../../core/errors.js";
import type { Changes } from "../../../ports/changes.js";
import type { CodeRange } from "../../../ports/code.js";
import type { Files, GatedPath } from "../../../ports/files.js";
import type { CodeAction, FileEdits, LanguageServers } from "../../../ports/languageServers.js";
import { nearestNames } from "../../../text/nearest.js";
import { shownName } from "../../../text/shownName.js";
import { placesInLine } from "../../../text/symbolNames.js";
import { TextPlaces } from "../../../text/textPlaces.js";
import { applyPlanned } from "../../fs/applyPlanned.js";
import { statFile } from "../../fs/existing.js";
import { theAnswer } from "../answers.js";
import { changesOf, describeEdits, planFileEdits, shownEdits, writesOf, type EditedFile } from "./plannedEdits.js";
import { textOf } from "./sourceLines.js";

/** Actions in an answer at most. */
const MAX_LISTED = 50;

/** Actions for a whole file, by names that need no list. */
const WHOLE_FILE: Readonly<Record<string, string>> = {
  organize_imports: "source.organizeImports",
  fix_all: "source.fixAll",
};
const FORMAT = "format";

interface ActionsInput {
  path: string;
  line?: number | undefined;
  text?: string | undefined;
  kind?: string | undefined;
  apply?: string | undefined;
}

interface Given {
  files: Files;
  languageServers: LanguageServers;
  signal: AbortSignal;
}

export interface ActionPlan {
  title: string;
  files: EditedFile[];
}

interface ActionsAnswer {
  text: string;
  data: { actions: { title: string; kind: string; preferred: boolean }[]; applied: string | null; files: string[] };
}

/** Returns the files that an action changes, as permission decides on them; none for a list. */
export async function actionWrites(input: ActionsInput, given: Given): Promise<ReturnType<typeof writesOf>> {
  return input.apply === undefined ? [] : writesOf((await chosen(input, input.apply, given)).edits);
}

/** Plans an action, and shows it as a diff. */
export async function previewAction(
  input: ActionsInput,
  title: string,
  given: Given & { changes: Changes },
): Promise<{ text: string; plan: ActionPlan }> {
  const plan = await planAction(input, title, given);
  return { text: shownEdits(plan.files), plan };
}

/** Lists what the language server offers, or applies one of it. @param shown the plan that a person was shown */
export async function listOrApply(
  input: ActionsInput,
  given: Given & { changes: Changes },
  shown: ActionPlan | undefined,
): Promise<ActionsAnswer> {
  const { changes, signal } = given;
  const title = input.apply;
  if (title === undefined) {
    return listed(await offered(input, false, given));
  }
  const { plan, outcome } = await applyPlanned({
    shown,
    plan: () => planAction(input, title, given),
    apply: async ({ files }) =>
      files.length === 0 ? { files: [], problems: [] } : changes.apply(changesOf(files), signal),
  });
  return {
    text: [
      plan.files.length === 0 ? `${plan.title}: there was nothing to change.` : `Applied: ${plan.title}.`,
      ...describeEdits(plan.files, outcome),
    ].join("\n"),
    data: { actions: [], applied: plan.title, files: plan.files.map(({ at }) => at.path) },
  };
}

function listed(actions: readonly CodeAction[]): {
  text: string;
  data: { actions: { title: string; kind: string; preferred: boolean }[]; applied: null; files: string[] };
} {
  const shown = actions.slice(0, MAX_LISTED);
  const rest = actions.length - shown.length;
  return {
    text: [
      ...shown.map(
        ({ title, kind, isPreferred }) =>
          `- ${title}${kind === "" ? "" : ` (${kind}${isPreferred ? ", preferred" : ""})`}`,
      ),
      actions.length === 0
        ? "[The language server offers nothing there. Most offer fixes of problems only in files that are open in the editor.]"
        : rest > 0
          ? `[and ${rest} more: narrow them with kind]`
          : "[Apply one by its title.]",
    ].join("\n"),
    data: {
      actions: shown.map(({ title, kind, isPreferred }) => ({ title, kind, preferred: isPreferred })),
      applied: null,
      files: [],
    },
  };
}

async function planAction(
  input: ActionsInput,
  title: string,
  given: Given & { changes: Changes },
): Promise<ActionPlan> {
  const { edits, title: full } = await chosen(input, title, given);
  return { title: full, files: await planFileEdits(edits, given) };
}

/** Returns what an action changes. @throws ToolError `not_found` with near titles, `unsupported` if it does something else */
async function chosen(
  input: ActionsInput,
  wanted: string,
  given: Given,
): Promise<{ title: string; edits: readonly FileEdits[] }> {
  const { files, languageServers, signal } = given;
  if (wanted === FORMAT) {
    const at = await opened(input.path, files);
    const { value } = theAnswer(await languageServers.format(at, signal));
    return { title: "Format", edits: [{ path: at.path, edits: value }] };
  }
  const kind = Object.hasOwn(WHOLE_FILE, wanted) ? WHOLE_FILE[wanted] : undefined;
  const all = await offered(kind === undefined ? input : { path: input.path, kind }, true, given);
  const named = kind === undefined ? all.filter(({ title }) => title === wanted) : all.slice(0, 1);
  const action = named[0] ?? all.find(({ title }) => title.toLowerCase() === wanted.toLowerCase());
  if (action === undefined) {
    if (kind !== undefined) {
      return { title: wanted, edits: [] };
    }
    const near = nearestNames(
      wanted,
      all.map(({ title }) => title),
    );
    throw new ToolError(
      "not_found",
      `The language server does not offer "${wanted}" there. Nothing was changed.`,
      near.length > 0
        ? `Did you mean "${near.join('" or "')}"?`
        : "Call code_actions without apply to list what it offers.",
    );
  }
  if (action.edits === undefined) {
    throw new ToolError(
      "unsupported",
      `"${action.title}" ${action.refused ?? "changes no text by itself"}. Nothing was changed.`,
      "Make the change with edit, or ask the user to apply it in the editor.",
    );
  }
  return { title: action.title, edits: action.edits };
}

async function offered(
  { path, line, text, kind }: ActionsInput,
  withEdits: boolean,
  { files, languageServers, signal }: Given,
): Promise<CodeAction[]> {
  const at = await opened(path, files);
  const range = await rangeIn(at, line, text, files, signal);
  const options = { withEdits, ...(kind !== undefined && { only: kind }) };
  return theAnswer(await languageServers.actions(at, range, options, signal)).value;
}

async function opened(path: string, files: Files): Promise<GatedPath> {
  const at = await files.resolve(path);
  await statFile(files, at);
  return at;
}

async function rangeIn(
  at: GatedPath,
  line: number | undefined,
  text: string | undefined,
  files: Files,
  signal: AbortSignal,
): Promise<CodeRange> {
  const places = new TextPlaces(await textOf(files, at, signal));
  if (line === undefined) {
    const last = places.lineCount;
    return { start: { line: 1, column: 1 }, end: { line: last, column: (places.line(last)?.length ?? 0) + 1 } };
  }
  const shown = places.line(line);
  if (shown === undefined) {
    throw new ToolError("invalid_input", `${shownName(at.path)} has ${places.lineCount} lines, not ${line}.`);
  }
  const indent = shown.length - shown.trimStart().length;
  if (text === undefined) {
    return { start: { line, column: indent + 1 }, end: { line, column: shown.length + 1 } };
  }
  const from = shown.indexOf(text);
  if (from < 0) {
    throw new ToolError(
      "no_match",
      `${shownName(at.path)}: line ${line} does not have ${text}.`,
      "Read the line again.",
    );
  }
  const [name = from + 1] = placesInLine(shown, text);
  // The whole piece is selected; a refactoring of a single name looks at its place.
  return /^[\p{L}\p{N}_$]+$/u.test(text)
    ? { start: { line, column: name }, end: { line, column: name } }
    : { start: { line, column: from + 1 }, end: { line, column: from + text.length + 1 } };
}

import { ToolError } from "../../../core/errors.js";
import { LARGEST_CHANGED_FILE } from "../../../core/largestFile.js";
import { contains, isBefore } from "../../../features/code/ranges.js";
import type { Changes } from "../../../ports/changes.js";
import type { Code, CodePosition, CodeSource, CodeSymbol } from "../../../ports/code.js";
import type { Files } from "../../../ports/files.js";
import { unifiedDiff } from "../../../text/diff/diff.js";
import { shownName } from "../../../text/shownName.js";
import {
  declarationLines,
  editDeclaration,
  type DeclarationLines,
  type SymbolEdit,
} from "../../../text/symbolEdits.js";
import { shownText } from "../../../text/symbolNames.js";
import { count } from "../../../text/words.js";
import { applyPlanned } from "../../fs/applyPlanned.js";
import { statFile, withChangeHint } from "../../fs/existing.js";
import { sourceRemarks } from "../answers.js";
import { declaredIn } from "./locate.js";
import { changesOf, describeEdits, type EditedFile } from "./plannedEdits.js";
import { SourceLines, textOf } from "./sourceLines.js";

const BYTE_ORDER_MARK = /^\uFEFF/;

/** Uses that are shown before a symbol is deleted, and names on the same lines. */
const MAX_USES = 10;
const MAX_NEIGHBOURS = 5;

interface EditSymbolInput {
  symbol: string;
  path: string;
  line?: number | undefined;
  action: SymbolEdit;
  text?: string | undefined;
  even_if_used?: boolean | undefined;
}

interface Given {
  files: Files;
  code: Code;
  changes: Changes;
  signal: AbortSignal;
}

interface SymbolPlan extends EditedFile {
  /** `method Router.match`. */
  what: string;
  lines: string;
  remarks: readonly string[];
}

export interface PlannedSymbolEdit extends SymbolPlan {
  data: { path: string; symbol: string; start_line: number; end_line: number; by: "server" | "syntax" };
}

const DONE: Record<SymbolEdit, string> = {
  replace: "Replaced",
  insert_before: "Inserted before",
  insert_after: "Inserted after",
  delete: "Deleted",
};

/** Plans an edit of a declaration, and shows it as a diff. */
export async function previewSymbolEdit(
  input: EditSymbolInput,
  given: Given,
): Promise<{ text: string; plan: PlannedSymbolEdit }> {
  const plan = await planEdit(input, given);
  return { text: unifiedDiff(plan.before.text, plan.after), plan };
}

/** Edits a declaration. @param shown the plan that a person was shown */
export async function applySymbolEdit(
  input: EditSymbolInput,
  given: Given,
  shown: PlannedSymbolEdit | undefined,
): Promise<{ text: string; data: PlannedSymbolEdit["data"] & { saved: boolean } }> {
  const { changes, signal } = given;
  const { plan, outcome } = await applyPlanned({
    shown,
    plan: () => planEdit(input, given),
    apply: (planned) => changes.apply(changesOf([planned]), signal),
  });
  return {
    text: [
      `${DONE[input.action]} ${plan.what} (${plan.lines}).`,
      ...describeEdits([plan], outcome),
      ...plan.remarks,
    ].join("\n"),
    data: { ...plan.data, saved: outcome.files[0]?.saved ?? true },
  };
}

async function planEdit(input: EditSymbolInput, given: Given): Promise<PlannedSymbolEdit> {
  const { action, text } = input;
  const { files, changes } = given;
  if ((text === undefined || text.trim() === "") !== (action === "delete")) {
    throw new ToolError(
      "invalid_input",
      action === "delete" ? "delete takes no text." : `${action} needs text.`,
      action === "delete" ? "Use replace to put something in its place." : "Give the whole declaration as text.",
    );
  }
  const at = await files.resolve(input.path);
  await statFile(files, at);
  const known = await textOf(files, at, given.signal);
  const found = await declaredIn(input, at, given, false);
  const { declared } = found;
  const parts = await withChangeHint(changes.beforeParts(at, LARGEST_CHANGED_FILE));
  const { before } = parts;
  if (known.replace(BYTE_ORDER_MARK, "") !== before.text.replace(BYTE_ORDER_MARK, "")) {
    throw new ToolError("stale", `${shownName(at.path)} was changed meanwhile. Nothing was changed.`, "Call again.");
  }
  const lines = declarationLines(before.text, declared.range, declared.nameAt.line, at.path);
  const full = [...declared.container, declared.name].join(".");
  const name = shownText(full);
  if (action === "replace" || action === "delete") {
    refuseIfShared(name, found, lines, action);
  }
  if (action === "delete" && input.even_if_used !== true) {
    await refuseIfUsed(name, found, given);
  }
  const isRemoved = action === "replace" || action === "delete";
  const since = isRemoved
    ? parts.check([{ startLine: action === "delete" ? lines.top : lines.first, endLine: lines.last, quoted: false }])
    : undefined;
  const after = editDeclaration(before.text, lines, action, text ?? "", at.path);
  if (after === before.text) {
    throw new ToolError("invalid_input", `${name} is already so: there is nothing to change.`);
  }
  const shown = action === "delete" ? lines.top : lines.first;
  return {
    ...{ at, before, after, places: 1 },
    what: `${declared.kind} ${name}`,
    lines: shown === lines.last ? `line ${shown}` : `lines ${shown}-${lines.last}`,
    remarks: [...(since === undefined ? [] : [since]), ...sourceRemarks(found.by)],
    data: { path: at.path, symbol: full, start_line: shown, end_line: lines.last, by: found.by },
  };
}

/** @throws ToolError `unsupported` if the lines that would go have a part of something else, too */
function refuseIfShared(
  name: string,
  { declared, outline, by }: Awaited<ReturnType<typeof declaredIn>>,
  { top, first, last, isWhole }: DeclarationLines,
  action: "replace" | "delete",
): void {
  const from = action === "delete" ? top : first;
  const neighbours = outline.filter(
    (other) =>
      other.nameAt.line <= last &&
      other.range.end.line >= from &&
      (other.nameAt.line >= from || other.range.start.line >= from) &&
      !isPart(other, declared, by) &&
      !isPart(declared, other, by) &&
      !isSamePlace(other.nameAt, declared.nameAt),
  );
  if (isWhole && neighbours.length === 0) {
    return;
  }
  const others = neighbours.slice(0, MAX_NEIGHBOURS).map((other) => shownText(other.name));
  const rest = neighbours.length > others.length ? ` and ${neighbours.length - others.length} more` : "";
  throw new ToolError(
    "unsupported",
    `${name} shares its lines (${first}-${last}) with ${others.length > 0 ? `${others.join(", ")}${rest}` : "other code"}. Nothing was changed.`,
    "Use edit, with the exact text to change.",
  );
}

/** Whether a symbol is a part of another one. In `a = b = 1`, neither is, though a parser finds one in the other. */
function isPart(inner: CodeSymbol, outer: CodeSymbol, by: CodeSource): boolean {
  const isInside = contains(outer.range, inner.range.start) && contains(outer.range, inner.range.end);
  return (
    isInside &&
    inner.container.length > outer.container.length &&
    (by === "server" || !isVariable(inner) || !isVariable(outer))
  );
}

function isVariable({ kind }: CodeSymbol): boolean {
  return kind === "variable" || kind === "constant";
}

function isSamePlace(one: CodePosition, other: CodePosition): boolean {
  return one.line === other.line && one.column === other.column;
}

/** @throws ToolError `conflict` with uses outside of the declaration, or if it is not known whether there are any */
async function refuseIfUsed(
  name: string,
  { at, position, declared, name: own }: Awaited<ReturnType<typeof declaredIn>>,
  { code, files, signal }: Given,
): Promise<void> {
  const answer = await code.places("references", at, position, own, signal);
  if (answer.state !== "answered") {
    throw new ToolError(
      "conflict",
      `${answer.why} So it is not known whether ${name} is used. Nothing was changed.`,
      "even_if_used deletes it all the same.",
    );
  }
  const uses = answer.value.filter(
    ({ path, range: { start } }) =>
      path !== at.path || isBefore(start, declared.range.start) || isBefore(declared.range.end, start),
  );
  const others = uses.filter(
    ({ path, range: { start } }) =>
      path !== at.path || start.line !== position.line || start.column !== position.column,
  );
  if (others.length === 0 && answer.partial === undefined) {
    return;
  }
  if (others.length === 0) {
    throw new ToolError(
      "conflict",
      `No use of ${name} was found, but there may be some: ${answer.partial} Nothing was changed.`,
      "Search for it with grep, or set even_if_used.",
    );
  }
  const lines = new SourceLines(files, signal);
  const shown = await Promise.all(
    others
      .slice(0, MAX_USES)
      .map(
        async ({ path, range: { start } }) =>
          `  ${shownName(path)}:${start.line}: ${await lines.shown(path, start.line)}`,
      ),
  );
  const rest = others.length - shown.length;
  throw new ToolError(
    "conflict",
    [
      `${name} has ${count(others.length, "use")}${answer.by === "syntax" ? ", by its name alone" : ""}. Nothing was changed.`,
      ...shown,
      ...(rest > 0 ? [`  and ${rest} more`] : []),
      ...(answer.partial === undefined ? [] : [answer.partial]),
    ].join("\n"),
    "Change these first, or set even_if_used.",
  );
}

import { resolveFrom } from "../../../core/paths/resolveFrom.js";
import type { Code, CodePosition, CodeSource, FoundSymbol } from "../../../ports/code.js";
import type { Files, GatedPath } from "../../../ports/files.js";
import { theAnswer } from "../answers.js";

/** Maximum number of calls in one answer, and of functions whose callers are looked for. */
const MAX_CALLS = 1_000;
const MAX_ASKED = 60;
/** After this time no more functions are looked at, in ms: what was found is worth more than a time-out. */
const TIME_LIMIT = 45_000;

/** A call, after the call that it leads to. */
export interface CallerRow {
  path: string;
  line: number;
  column: number;
  caller: string;
  depth: number;
}

interface Callee {
  at: GatedPath;
  position: CodePosition;
  name: string;
}

/** Finds the callers of a function, and theirs, each function once. */
export async function findCallers(
  callee: Callee,
  depth: number,
  { code, files, signal }: { code: Code; files: Files; signal: AbortSignal },
): Promise<{ rows: CallerRow[]; by: CodeSource; partial?: string }> {
  const rows: CallerRow[] = [];
  const seen = new Set<string>();
  let by: CodeSource = "server";
  let partial: string | undefined;
  const end = performance.now() + TIME_LIMIT;
  const visit = async ({ at, position, name }: Callee, level: number): Promise<void> => {
    signal.throwIfAborted();
    const key = `${at.path}:${position.line}:${position.column}`;
    if (seen.has(key)) {
      return;
    }
    if (seen.size >= MAX_ASKED || rows.length >= MAX_CALLS || (level > 1 && performance.now() > end)) {
      partial = `Callers of only ${seen.size} functions were looked for.`;
      return;
    }
    seen.add(key);
    const answer = theAnswer(await code.callers(at, position, name, signal));
    by = answer.by === "syntax" ? "syntax" : by;
    partial ??= answer.partial;
    for (const { caller, calls } of answer.value) {
      for (const { line, column } of calls) {
        rows.push({ path: caller.path, line, column, caller: nameOf(caller), depth: level });
      }
      if (level < depth && caller.kind !== "file" && !caller.path.startsWith("/")) {
        const place = await resolveFrom(files, callee.at, caller.path);
        await visit({ at: place, position: caller.nameAt, name: caller.name }, level + 1);
      }
    }
  };
  await visit(callee, 1);
  return { rows: rows.slice(0, MAX_CALLS), by, ...(partial !== undefined && { partial }) };
}

function nameOf({ kind, container, name }: FoundSymbol): string {
  return kind === "file" ? "top level" : [...container, name].join(".");
}

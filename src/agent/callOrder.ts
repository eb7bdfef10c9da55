import type { Tool, Touch } from "../core/contract.js";
import { parseInput } from "../core/pipeline/input.js";
import { stableJson } from "./repeats.js";

/** A call with the tool it names; undefined where there is no such tool. */
export interface OrderedCall {
  tool: Tool | undefined;
  input: object;
}

/**
 * Tools that start something of their own, whose changes are kept apart by the locks on files: several may run at once.
 */
const CONCURRENT = new Set(["sessions_spawn"]);

/** Whether a call has to wait for all before it, and those behind it for it. */
export function runsAlone({ tool }: OrderedCall): boolean {
  // A call of no tool is an answer and nothing else.
  return tool !== undefined && !tool.annotations.readOnly && !CONCURRENT.has(tool.name);
}

/**
 * Whether the user can be asked about a call while those before it have not ended. A question about files shows what
 * the call makes of them, so nothing before it may change the same ones; a command, or an input, is shown as it is.
 */
export function canAskEarly(call: OrderedCall, earlier: readonly OrderedCall[]): boolean {
  // Of two equal calls that are asked about at once, a yes could count for the other, and one would be asked about
  // again.
  if (earlier.some((other) => other.tool === call.tool && stableJson(other.input) === stableJson(call.input))) {
    return false;
  }
  const writes = writtenPaths(touchesOf(call) ?? []);
  if (writes.length === 0) {
    return true;
  }
  return earlier.filter(runsAlone).every((other) => {
    const touches = touchesOf(other);
    const writesAnything = touches === undefined || touches.some(({ kind }) => kind === "command");
    return !writesAnything && writtenPaths(touches).every((path) => writes.every((own) => areApart(path, own)));
  });
}

function writtenPaths(touches: readonly Touch[]): string[] {
  return touches.flatMap((touch) => (touch.kind === "write" ? [touch.path] : []));
}

/** What a call reaches; undefined when its tool cannot say, nothing when it will fail before it reaches anything. */
export function touchesOf({ tool, input }: OrderedCall): Touch[] | undefined {
  if (tool === undefined) {
    return [];
  }
  try {
    const parsed = parseInput(tool, input);
    return tool.touches?.(parsed);
  } catch {
    return [];
  }
}

/**
 * Whether two paths, as callers write them, name different places whatever the file system; one above the other counts
 * as the same.
 */
function areApart(one: string, other: string): boolean {
  const [a, b] = [placeOf(one), placeOf(other)];
  return !`${a}/`.startsWith(`${b}/`) && !`${b}/`.startsWith(`${a}/`);
}

function placeOf(path: string): string {
  return path
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("\\", "/")
    .replace(/^(?:\.\/)+/, "")
    .replace(/\/+$/, "");
}

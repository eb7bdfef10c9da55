import type { Tool, Touch } from "../core/contract.js";
import { parseInput } from "../core/pipeline/input.js";
import { actingTool } from "../core/toolParts.js";
import { stableJson } from "./repeats.js";

/** A call and its tool. */
export interface OrderedCall {
  /** Undefined if there is no such tool. */
  tool: Tool | undefined;
  input: object;
}

/** Tools that may run concurrently although they can change files: file locks keep their changes apart. */
const CONCURRENT = new Set(["sessions_spawn"]);

/** Whether a call may change something, by what its tool says that it touches; every command counts. */
export function mayChange(call: OrderedCall): boolean {
  const touches = touchesOf(call);
  return (
    call.tool !== undefined &&
    !call.tool.annotations.readOnly &&
    (touches === undefined || touches.some(({ kind }) => kind !== "read"))
  );
}

/** A call with its place among the others of an answer. */
export interface PlacedCall extends OrderedCall {
  /** Whether it must wait for all calls before it, and all calls after it must wait for it. */
  isAlone: boolean;
}

/** Whether calls of a tool keep their place among the others, unless more is known about them. */
export function keepsPlace({ tool, input }: OrderedCall): boolean {
  // A call of an unknown tool only returns an error.
  return (
    tool !== undefined &&
    (needsAnswer(tool) || (!actingTool(tool, input).annotations.readOnly && !CONCURRENT.has(tool.name)))
  );
}

/** Whether a call waits for a person's answer: what follows it may depend on that. */
function needsAnswer(tool: Tool | undefined): boolean {
  return tool?.needs.includes("person") === true;
}

/**
 * Whether the user can be asked about a call before the calls before it have ended. A question about files shows their
 * new contents, so no earlier call may change the same files. A command or an input is shown unchanged, so it can always
 * be asked about. After a question of the model, nothing can: its answer comes first.
 */
export function canAskEarly(call: OrderedCall, earlier: readonly PlacedCall[]): boolean {
  // If two equal calls were asked about at the same time, a yes could count for the wrong one, and the other would be
  // asked about again.
  if (
    earlier.some(
      (other) => needsAnswer(other.tool) || (other.tool === call.tool && isSameInput(other.input, call.input)),
    )
  ) {
    return false;
  }
  const writes = writtenPaths(touchesOf(call) ?? []);
  if (writes.length === 0) {
    return true;
  }
  return earlier
    .filter(({ isAlone }) => isAlone)
    .every((other) => {
      const touches = touchesOf(other);
      const writesAnything = touches === undefined || touches.some(({ kind }) => kind === "command");
      return !writesAnything && writtenPaths(touches).every((path) => writes.every((own) => areApart(path, own)));
    });
}

/** Whether two inputs are equal, in whatever order their fields are. */
export function isSameInput(one: object, other: object): boolean {
  return stableJson(one) === stableJson(other);
}

function writtenPaths(touches: readonly Touch[]): string[] {
  return touches.flatMap((touch) => (touch.kind === "write" ? [touch.path] : []));
}

/** Returns what a call reaches; undefined if its tool does not say, empty if the call fails before reaching anything. */
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
 * Whether two paths, as written by callers, name different places on any file system. A path and its parent folder count
 * as the same place.
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
    .replace(/(?<!\/)\/+$/, "");
}

import { isRecord } from "../../core/jsonSchema.js";
import type { CallOptions, ToolAnswer, ToolSource } from "./toolSource.js";

/** The tool that follows and controls commands in the background. */
const PROCESS = "process";
/** What the ids of commands begin with that run in the process of `toolhost mcp`: those of a window begin with p. */
export const OWN_PREFIX = "m";
const OWN_ID = /^m[1-9]\d{0,8}$/;

/**
 * Answers calls that are about the commands which this process started in the background, while a window answers the
 * others: they cannot move to it.
 *
 * @param own the tools of this process
 * @returns undefined if the call is not about them
 */
export async function callOwnProcess(
  { own, window }: Record<"own" | "window", ToolSource>,
  name: string,
  input: unknown,
  options: CallOptions,
): Promise<ToolAnswer | undefined> {
  if (name !== PROCESS || !isRecord(input)) {
    return undefined;
  }
  if (input["action"] === "list") {
    const [there, here] = [await window.call(name, input, options), await own.call(name, input, options)];
    return OWN_LINE.test(here.text)
      ? { ok: there.ok, text: `${there.text}\nOf this server, started without the window:\n${here.text}` }
      : there;
  }
  // Also by its other names: session_id, shell_id, pid.
  const isOwn = Object.entries(input).some(
    ([key, value]) => /id$/i.test(key) && typeof value === "string" && OWN_ID.test(value),
  );
  if (!isOwn) {
    return undefined;
  }
  const answer = await own.call(name, input, options);
  return { ...answer, text: `[It runs in this server, not in the window.]\n${answer.text}` };
}

const OWN_LINE = /^m[1-9]/m;

import { codeSpan } from "../../text/fence.js";
import { readJson } from "../../text/repairJson.js";
import { messageOf } from "../../text/words.js";

/** A parsed `/run` request. */
export type RunRequest =
  // `note` says what was repaired in the input.
  { ok: true; tool: string; input: object; note?: string } | { ok: false; problem: string };

const USAGE = 'Write `/run <tool> {json}`, for example `/run grep {"pattern": "TODO"}`.';

/**
 * Parses the text after `/run`: a tool's name and its input as a JSON object, `{}` if absent.
 *
 * @param tools all names
 * @param hintFor says what to do about a name that is not among them
 */
export function parseRunCommand(
  prompt: string,
  tools: readonly string[],
  hintFor: (name: string) => string,
): RunRequest {
  const [, tool = "", rest = ""] = /^\s*#?(?:toolhost_)?([^\s{]*)\s*([\s\S]*)$/.exec(prompt) ?? [];
  if (tool === "") {
    return { ok: false, problem: `Which tool? ${USAGE} \`/tools\` lists them.` };
  }
  if (!tools.includes(tool)) {
    return { ok: false, problem: `There is no tool with that name. ${hintFor(tool)}` };
  }
  try {
    const { value: input, note } = rest.trim() === "" ? { value: {} } : readJson(rest);
    if (typeof input === "object" && input !== null && !Array.isArray(input)) {
      return { ok: true, tool, input, ...(note === undefined ? {} : { note }) };
    }
    return { ok: false, problem: `The input must be a JSON object. ${USAGE}` };
  } catch (error) {
    const reason = messageOf(error);
    return { ok: false, problem: `The input is not JSON (${codeSpan(reason)}). ${USAGE}` };
  }
}

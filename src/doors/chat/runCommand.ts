import { codeSpan } from "../../text/fence.js";
import { nearestNames } from "../../text/nearest.js";
import { messageOf } from "../../text/words.js";

/** What `/run` was asked to do. */
export type RunRequest = { ok: true; tool: string; input: object } | { ok: false; problem: string };

const USAGE = 'Write `/run <tool> {json}`, for example `/run grep {"pattern": "TODO"}`.';

/**
 * Reads the words after `/run`: a tool's name and its input as a JSON object, `{}` when there is none.
 *
 * @param tools names there are, for the hint about a wrong one
 */
export function parseRunCommand(prompt: string, tools: readonly string[]): RunRequest {
  const [, tool = "", rest = ""] = /^\s*#?(?:toolhost_)?([^\s{]*)\s*([\s\S]*)$/.exec(prompt) ?? [];
  if (tool === "") {
    return { ok: false, problem: `Which tool? ${USAGE} \`/tools\` lists them.` };
  }
  if (!tools.includes(tool)) {
    const near = nearestNames(tool, tools);
    const hint = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "`/tools` lists them.";
    return { ok: false, problem: `There is no tool of that name. ${hint}` };
  }
  try {
    const input: unknown = rest.trim() === "" ? {} : JSON.parse(rest);
    if (typeof input === "object" && input !== null && !Array.isArray(input)) {
      return { ok: true, tool, input };
    }
    return { ok: false, problem: `The input must be a JSON object. ${USAGE}` };
  } catch (error) {
    const reason = messageOf(error);
    return { ok: false, problem: `The input is no JSON (${codeSpan(reason)}). ${USAGE}` };
  }
}

import { oneLine, shorten } from "../../text/clip.js";
import { nearestNames } from "../../text/nearest.js";
import type { Tool } from "../contract.js";
import { ToolError } from "../errors.js";
import { wholeCall, withParts } from "../toolParts.js";
import { understandInput } from "./input.js";
import { peerAdvice } from "./peerAdvice.js";
import { asksPerson, isPeerTool, ourToolFor, ourToolsFor, plainName, withSaidByName } from "./peerTools.js";

/** Maximum length of an unknown tool's name that is reported or recorded, in characters. */
export const MAX_NAME = 80;

/** Maximum number of tools that an error names: of more, the caller has a list. */
const MAX_LISTED = 8;

/** The hint where no tool asks a person. */
const NOBODY_ASKED =
  "Nobody can be asked here. Decide yourself if that is safe; otherwise end your turn with the question.";

/** What a caller's tools are not, for the answer to a name that none of them has. */
export interface Lacking {
  /** Toolhost's tools that the caller lacks, by name: why, and what to do instead. */
  absent?: ReadonlyMap<string, string> | undefined;
  /** Where the caller finds the names of its tools, as a sentence. Default: for a model, which was sent a list. */
  toolList?: string | undefined;
}

/** A call as one of our tools takes it. */
export interface MeantCall {
  tool: Tool;
  input: unknown;
}

/**
 * Returns the call that is meant by a call under the name of another system's tool, or of a part of a tool; undefined if
 * there is none, or if its tool does not take the input.
 *
 * @param offered the tools that the caller may use: no name leads to any other
 */
export function meantCall(name: string, input: unknown, offered: readonly Tool[]): MeantCall | undefined {
  const meant = counterpart(name, input, offered);
  return meant !== undefined && misfit(meant.tool, meant.input) === undefined ? meant : undefined;
}

/**
 * Returns the error of a call by a name that no tool has, and that `meantCall` does not understand: if it is another
 * system's name, what is wrong with the input.
 *
 * @param ifNone the hint if no tools are offered
 */
export function unknownTool(
  name: string,
  input: unknown,
  offered: readonly Tool[],
  { ifNone, ...lacking }: Lacking & { ifNone: string },
): ToolError {
  const shown = shorten(oneLine(name), MAX_NAME);
  const own = ownAbsent(name, lacking);
  if (own !== undefined) {
    return new ToolError("unknown_tool", `${shown}: there is no such tool here.`, own);
  }
  const meant = counterpart(name, input, offered);
  const why = meant && misfit(meant.tool, meant.input);
  if (meant !== undefined && why !== undefined) {
    // The name would do: what is wrong are its fields.
    return new ToolError(why.type, `${meant.use} does here what ${shown} does. ${why.message}`, why.hint);
  }
  const hint =
    meant !== undefined ? `Use ${meant.use}.` : offered.length === 0 ? ifNone : nameHint(name, offered, lacking);
  return new ToolError("unknown_tool", `${shown}: there is no such tool.`, hint);
}

/** Returns what to do about a name that no tool has, as a sentence. @param offered the tools that the caller may use */
export function nameHint(name: string, offered: readonly Tool[], lacking: Lacking): string {
  const { absent, toolList = "The names of the tools are in your list." } = lacking;
  const names = offered.map((tool) => tool.name);
  const near = nearestNames(name, names);
  const [nearAbsent] = near.length > 0 ? [] : nearestNames(name, absent?.keys() ?? []);
  return (
    otherSystems(name, offered, lacking) ??
    (near.length > 0
      ? `Did you mean ${near.join(" or ")}?`
      : ((nearAbsent === undefined ? undefined : absent?.get(nearAbsent)) ??
        (names.length <= MAX_LISTED ? `Tools: ${names.join(", ")}.` : toolList)))
  );
}

/**
 * Returns what to use in place of another system's tool, or of one of Toolhost's that the caller lacks, as a sentence;
 * undefined if no system is known to have one of this name, or nothing can be said.
 *
 * @param offered the tools that the caller may use
 */
export function otherSystems(name: string, offered: readonly Tool[], lacking: Lacking = {}): string | undefined {
  const own = ownAbsent(name, lacking);
  if (own !== undefined) {
    return own;
  }
  const names = withParts(offered).map((tool) => tool.name);
  const ours = [...new Set(ourToolsFor(name, names).map((own) => wholeName(own, offered)))];
  const [last, ...others] = ours.toReversed();
  if (last !== undefined) {
    return `Use ${others.length === 0 ? last : `${others.toReversed().join(", ")} or ${last}`}.`;
  }
  const [counterpartAbsent = ""] = ourToolsFor(name, [...(lacking.absent?.keys() ?? [])]);
  const why = lacking.absent?.get(counterpartAbsent);
  if (why !== undefined) {
    return why;
  }
  return asksPerson(name)
    ? NOBODY_ASKED
    : (peerAdvice(name, names) ?? (isPeerTool(name) ? "No tool here does that." : undefined));
}

/** Returns why the caller lacks a tool of Toolhost that a name is, whatever its case. */
function ownAbsent(name: string, { absent = new Map() }: Lacking): string | undefined {
  const own = [...absent.keys()].find((each) => plainName(each) === plainName(name));
  return own === undefined ? undefined : absent.get(own);
}

/** Names a tool that may be a part of another: `document {"action":"read","kind":"skill"}`. */
function wholeName(name: string, offered: readonly Tool[]): string {
  const whole = offered.some((tool) => tool.name === name) ? undefined : wholeCall(name, {}, offered);
  return whole === undefined ? name : `${whole.tool.name} ${JSON.stringify(whole.part.chosenBy)}`;
}

/** Returns the call that was meant, and what to use for it, in words. */
function counterpart(
  name: string,
  input: unknown,
  offered: readonly Tool[],
): (MeantCall & { use: string }) | undefined {
  const ours = ourToolFor(
    name,
    input,
    withParts(offered).map((tool) => tool.name),
  );
  const tool = offered.find((each) => each.name === ours);
  if (tool !== undefined || ours === undefined) {
    return tool && { tool, input: withSaidByName(name, input, tool.name), use: tool.name };
  }
  const whole = wholeCall(ours, input, offered);
  return whole && { ...whole, use: `${whole.tool.name} ${JSON.stringify(whole.part.chosenBy)}` };
}

/** Returns why a tool does not take an input; undefined if it does. */
function misfit(tool: Tool, input: unknown): ToolError | undefined {
  try {
    understandInput(tool, input);
    return undefined;
  } catch (error) {
    if (error instanceof ToolError) {
      return error;
    }
    throw error;
  }
}

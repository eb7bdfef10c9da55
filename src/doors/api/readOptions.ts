import { bareName } from "../../names/tools.js";
import type { Tool } from "../../core/contract.js";
import { describeValue } from "../../core/pipeline/issues.js";
import { isRecord } from "../../core/jsonSchema.js";
import type { ModelMessage } from "../../ports/models.js";
import { excerpt } from "../../text/clip.js";
import { nearestNames } from "../../text/nearest.js";
import type { Registry } from "../../core/registry.js";
import { messageOf } from "../../text/words.js";
import { asTool } from "../shared/toolApi.js";
import type { AgentMessage, RunAgentOptions } from "./types.js";

const KNOWN = ["model", "messages", "tools", "signal", "onEvent", "session", "maxIterations"];
const ROLES = ["system", "user", "assistant"];
const MOST_ITERATIONS = 1_000;

/** Checked options. */
export interface ReadOptions {
  /** Instructions before the conversation. */
  instructions: string[];
  earlier: ModelMessage[];
  /** The user's message. */
  said: string;
  tools: Tool[];
  /** Those of them that only this run has. */
  own: Tool[];
  /** Whether changes are forbidden. */
  planOnly: boolean;
}

/**
 * Checks the options of another extension, which may be written in JavaScript.
 *
 * @param available tools that can be used now
 * @param registry says which names tools of the caller's own may have
 * @throws TypeError that names the problem
 */
export function readOptions(
  options: unknown,
  available: readonly Tool[],
  registry: Pick<Registry, "check">,
): ReadOptions {
  if (!isRecord(options)) {
    throw wrong("options", `expected an object {model, messages, tools, …}, got ${describeValue(options)}`);
  }
  const unknown = Object.keys(options).find((name) => !KNOWN.includes(name));
  if (unknown !== undefined) {
    const [near] = nearestNames(unknown, KNOWN, 1);
    throw wrong(
      excerpt(unknown),
      `there is no such option${near === undefined ? `; the options are ${KNOWN.join(", ")}` : ` (did you mean ${near}?)`}`,
    );
  }
  checkModel(options["model"]);
  check(
    options,
    "signal",
    (value) =>
      isRecord(value) && typeof value["aborted"] === "boolean" && typeof value["addEventListener"] === "function",
    "an AbortSignal",
  );
  check(options, "onEvent", (value) => typeof value === "function", "a function");
  check(options, "session", (value) => typeof value === "string" && value !== "", "a session's id");
  check(
    options,
    "maxIterations",
    (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MOST_ITERATIONS,
    `a whole number from 1 to ${MOST_ITERATIONS}`,
  );
  return { ...readMessages(options["messages"]), ...readTools(options["tools"], available, registry) };
}

function checkModel(model: unknown): void {
  const isModel =
    isRecord(model) &&
    typeof model["id"] === "string" &&
    typeof model["vendor"] === "string" &&
    typeof model["sendRequest"] === "function";
  if (model !== undefined && !isModel && (typeof model !== "string" || model.trim() === "")) {
    throw wrong("model", `expected a vscode.LanguageModelChat or a model's id, got ${describeValue(model)}`);
  }
}

function check(
  options: Record<string, unknown>,
  name: keyof RunAgentOptions,
  isRight: (value: unknown) => boolean,
  expected: string,
): void {
  const value = options[name];
  if (value !== undefined && !isRight(value)) {
    throw wrong(name, `expected ${expected}, got ${describeValue(value)}`);
  }
}

function readMessages(value: unknown): Pick<ReadOptions, "instructions" | "earlier" | "said"> {
  if (typeof value === "string") {
    if (value.trim() === "") {
      throw wrong("messages", "the text is empty; say what to do");
    }
    return { instructions: [], earlier: [], said: value };
  }
  if (!Array.isArray(value) || value.length === 0) {
    throw wrong(
      "messages",
      `expected a string or a non-empty list of {role, content}, got ${Array.isArray(value) ? "an empty list" : describeValue(value)}`,
    );
  }
  const messages = value.map((message: unknown, index) => readMessage(message, `messages[${index}]`));
  const talk = messages.filter(({ role }) => role !== "system");
  const last = talk.at(-1);
  if (last?.role !== "user" || messages.at(-1) !== last) {
    throw wrong(`messages[${messages.length - 1}].role`, "the last message must be the user's");
  }
  return {
    instructions: messages.flatMap(({ role, content }) => (role === "system" ? [content] : [])),
    earlier: talk
      .slice(0, -1)
      .map(({ role, content }): ModelMessage => ({ role, content: [{ type: "text", text: content }] })),
    said: last.content,
  };
}

function readMessage(message: unknown, place: string): AgentMessage {
  if (!isRecord(message)) {
    throw wrong(place, `expected {role, content}, got ${describeValue(message)}`);
  }
  const { role, content } = message;
  if (typeof role !== "string" || !ROLES.includes(role)) {
    throw wrong(`${place}.role`, `expected one of ${ROLES.join(", ")}, got ${describeValue(role)}`);
  }
  if (typeof content !== "string" || content.trim() === "") {
    throw wrong(`${place}.content`, `expected a non-empty string, got ${describeValue(content)}`);
  }
  return { role: role as AgentMessage["role"], content };
}

/** Whether a run with all tools has one. Tools of others are offered, although they are not VS Code's. */
function isOffered({ terminal, expose, external }: Tool): boolean {
  return !terminal && (expose !== "never" || external !== undefined);
}

function readTools(
  value: unknown,
  available: readonly Tool[],
  registry: Pick<Registry, "check">,
): Pick<ReadOptions, "tools" | "own" | "planOnly"> {
  if (value === undefined) {
    return { tools: [], own: [], planOnly: true };
  }
  if (value === "all") {
    return { tools: available.filter(isOffered), own: [], planOnly: false };
  }
  if (value === "read_only") {
    return {
      tools: available.filter((tool) => isOffered(tool) && tool.annotations.readOnly),
      own: [],
      planOnly: true,
    };
  }
  if (!Array.isArray(value)) {
    throw wrong("tools", `expected "all", "read_only" or a list of names and tools, got ${describeValue(value)}`);
  }
  const names = available.map(({ name }) => name);
  const own: Tool[] = [];
  const tools = value.map((name: unknown, index) => {
    if (isRecord(name)) {
      const made = ownTool(name, `tools[${index}]`, own, registry);
      own.push(made);
      return made;
    }
    const tool = typeof name === "string" ? available.find((each) => each.name === bareName(name)) : undefined;
    if (tool === undefined) {
      const near = typeof name === "string" ? nearestNames(name, names, 1) : [];
      throw wrong(
        `tools[${index}]`,
        typeof name === "string"
          ? `there is no tool ${excerpt(name)} here${near.length > 0 ? ` (did you mean ${near[0]}?)` : `; the tools are ${names.join(", ")}`}`
          : `expected a tool or its name, got ${describeValue(name)}`,
      );
    }
    return tool;
  });
  return { tools: [...new Set(tools)], own, planOnly: false };
}

function ownTool(given: unknown, place: string, others: readonly Tool[], registry: Pick<Registry, "check">): Tool {
  const tool = asTool(given, `runAgent: ${place}`);
  if (others.some(({ name }) => name === tool.name)) {
    throw wrong(place, `another tool of this run is called ${tool.name}, too`);
  }
  try {
    registry.check(tool);
    return tool;
  } catch (error) {
    throw wrong(place, messageOf(error).replace(/\.$/, ""));
  }
}

function wrong(name: string, problem: string): TypeError {
  return new TypeError(`Toolhost runAgent: ${name}: ${problem}.`);
}

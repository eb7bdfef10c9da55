// The tools of a turn: those sent with every request, and those behind `find_tool`. Why calls go through it instead of
// adding what was found to the list: docs/rooms/agent.md, "Tools".
import type { Tool } from "../core/contract.js";
import { isRecord, type JsonSchema } from "../core/jsonSchema.js";
import { peerSentences } from "../core/pipeline/peerAdvice.js";
import { ourToolsFor, searchesTools } from "../core/pipeline/peerTools.js";
import { withParts } from "../core/toolParts.js";
import { wireSchema } from "../core/wireSchema.js";
import { rankTexts } from "../features/knowledge/rankTexts.js";
import { bareName, FIND_TOOL } from "../names/tools.js";
import type { ModelTool } from "../ports/models.js";
import { oneLine, shorten } from "../text/clip.js";
import { nearestNames } from "../text/nearest.js";
import { firstSentence } from "../text/sentence.js";
import { FUNCTION_WORDS } from "../text/search/functionWords.js";
import { tokensOf } from "../text/search/tokens.js";
import { listed } from "../text/words.js";
import { readJson } from "../text/repairJson.js";
import type { ModelCall } from "./runCalls.js";

/** Maximum number of tools that a search describes: about 250 tokens each. */
const MAX_FOUND = 2;
/** Maximum number of tools that are described because the model named them. */
const MAX_NAMED = 10;
/** Share of the best tool's score that another one needs: below, it has only one of several words. */
const LEAST_SHARE = 0.5;
/** Maximum number of a search's words that an answer names. */
const MAX_UNKNOWN = 5;
/** Number of tools behind search that are named as examples. */
const MAX_EXAMPLES = 2;
/** Maximum characters of a search that are read, and named in an answer. */
const MAX_QUERY = 200;

/** Names that models give the fields of `find_tool`: those of Qwen's, Claude's and our own `pipe`. */
const [TOOL_FIELDS, INPUT_FIELDS, QUERY_FIELDS] = [
  ["tool", "tool_name", "name"],
  ["input", "tool_input", "arguments", "args", "parameters"],
  ["query", "q", "words", "names"],
] as const;

/** The tools of a turn. */
export class ToolDesk {
  /** What is sent with every request of the turn, always the same. */
  readonly list: readonly ModelTool[];
  /** The tool of the list that finds the others; undefined if there are none. */
  readonly finder: FindTool | undefined;
  readonly #tools: readonly Tool[];
  readonly #hidden: readonly Tool[];

  /**
   * @param tools all tools that the model may call
   * @param sent those sent with every request. Default: all, and no `find_tool`
   */
  constructor(tools: readonly Tool[], sent: readonly Tool[] = tools) {
    this.#tools = tools;
    this.#hidden = tools.filter((tool) => !sent.includes(tool));
    this.finder = this.#hidden.length > 0 ? findTool(this.#hidden) : undefined;
    this.list = [
      ...tools.filter((tool) => sent.includes(tool)).map(asModelTool),
      ...(this.finder === undefined ? [] : [this.finder]),
    ];
  }

  /** Finds a tool by name, also one that is not in the list: a model may know it from its instructions. */
  find(name: string): Tool | undefined {
    return this.#tools.find((tool) => tool.name === name);
  }

  /** Returns the call that a call of `find_tool` asks for; any other call, and a search, as it is. */
  unwrapped(call: ModelCall): ModelCall {
    if (!this.isSearch(call.name) || call.problem !== undefined || !isRecord(call.input)) {
      return call;
    }
    const { name, input, note, rest } = readCall(call.input);
    if (name === undefined) {
      return call;
    }
    const tool = this.find(name);
    const given = input ?? (Object.keys(rest).length > 0 ? rest : undefined);
    if (given === undefined && tool !== undefined && (tool.inputSchema.required ?? []).length > 0) {
      // Only a name: the model wants to know the input.
      return call;
    }
    return isRecord(given ?? {})
      ? { ...call, name, input: given ?? {}, ...(note === undefined ? {} : { note }) }
      : { ...call, name, input: {}, problem: "input is not a JSON object." };
  }

  /** Whether a call, once `unwrapped`, searches for tools. */
  isSearch(name: string): boolean {
    return (name === FIND_TOOL || searchesTools(name)) && this.#hidden.length > 0 && this.find(name) === undefined;
  }

  /** Answers a search for tools, for the model. */
  search(input: object): { ok: boolean; text: string; summary: string } {
    const fields = isRecord(input) ? input : {};
    const wanted = [...QUERY_FIELDS, ...TOOL_FIELDS].map((field) => fields[field]).find((value) => value !== undefined);
    const query = [wanted]
      .flat()
      .filter((word) => typeof word === "string")
      .join(" ")
      // Claude's form of names.
      .replace(/^select:/, "")
      .trim();
    const summary = `Find a tool: ${shorten(oneLine(query), MAX_QUERY)}`;
    if (query === "") {
      return {
        ok: false,
        text: `Give query: what you want to do, or names of these tools: ${this.#names()}.`,
        summary,
      };
    }
    const words = query.split(/[\s,;|]+/).map(bareName);
    // The words may be one name: `rename symbol`.
    const whole = this.#ofNames([words.join("_")]);
    // What nothing here does, such as `undo the last edit`, is said even if a word of it is a tool's name.
    const plain = words.filter((word) => !/^(?:the|my|last)$/.test(word)).join("_");
    const hasOne = whole.length > 0 || ourToolsFor(plain, this.#allNames()).length > 0;
    const lacking = hasOne ? [] : peerSentences(plain, this.#allNames());
    if (lacking.length > 0) {
      return { ok: true, text: `[${lacking.join(" ")}]`, summary };
    }
    const named = whole.length > 0 ? whole : this.#ofNames(words);
    const theirs = named.length > 0 ? { tools: [], says: [] } : this.#otherSystems(words);
    if (theirs.tools.length === 0 && theirs.says.length > 0) {
      return { ok: true, text: `[${theirs.says.join(" ")}]`, summary };
    }
    // A word that no tool has does not make the query unclear if it names another system's tool.
    const isNames = named.length > 0 || theirs.tools.length > 0;
    const { ranked, unknown } = isNames ? { ranked: [], unknown: [] } : this.#rank(query);
    const found = isNames ? [...named, ...theirs.tools].slice(0, MAX_NAMED) : ranked.slice(0, MAX_FOUND);
    if (found.length === 0) {
      const near = nearestNames(
        query,
        this.#hidden.map(({ name }) => name),
      );
      const hint = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : `The tools are: ${this.#names()}.`;
      return { ok: true, text: `[No tool fits ${shorten(oneLine(query), MAX_QUERY)}. ${hint}]`, summary };
    }
    if (unknown.length > 0) {
      // Nobody needs the inputs of tools that may not fit, and a call line would be taken for advice.
      const doubt = `[No tool mentions ${listed(unknown.slice(0, MAX_UNKNOWN))}; ${found.length > 1 ? "these come" : "this comes"} nearest. With its name as query, ${FIND_TOOL} describes one.]`;
      const names = found.map(({ name, description }) => `${name}: ${firstSentence(description)}`);
      return { ok: true, text: [doubt, ...names].join("\n\n"), summary };
    }
    const [first] = found.filter((tool) => this.#hidden.includes(tool));
    const how = first === undefined ? [] : [`[Call one with {"tool": "${first.name}", "input": {…}} of ${FIND_TOOL}.]`];
    return { ok: true, text: [...found.map((tool) => this.#describe(tool)), ...how].join("\n\n"), summary };
  }

  /**
   * Ranks the tools that are not in the list by a search's words.
   *
   * @returns none if they share only words such as `the` with it; and the search's words that no tool has
   */
  #rank(query: string): { ranked: Tool[]; unknown: string[] } {
    // The name says most, so it counts three times.
    const texts = this.#hidden.map(
      ({ name, title, description }) => `${Array(3).fill(name.replaceAll("_", " ")).join(" ")} ${title} ${description}`,
    );
    const known = new Set(texts.flatMap(tokensOf));
    const words = (query.slice(0, MAX_QUERY).match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) =>
      tokensOf(word).some((token) => !FUNCTION_WORDS.has(token)),
    );
    const unknown = [...new Set(words.filter((word) => !tokensOf(word).some((token) => known.has(token))))];
    if (words.length > 0 && words.every((word) => unknown.includes(word))) {
      return { ranked: [], unknown };
    }
    const ranked = rankTexts(query, texts);
    const least = (ranked[0]?.score ?? 0) * LEAST_SHARE;
    return {
      ranked: ranked.flatMap(({ index, score }) => (score < least ? [] : (this.#hidden[index] ?? []))),
      unknown,
    };
  }

  /** Returns the tools for other systems' names, and what to say where there is none; nothing if a word is no such name. */
  #otherSystems(words: readonly string[]): { tools: Tool[]; says: string[] } {
    const all = this.#allNames();
    const meantBy = (word: string): { names: string[]; says: string[] } => ({
      names: ourToolsFor(word, all),
      says: peerSentences(word, all),
    });
    const isKnown = ({ names, says }: ReturnType<typeof meantBy>): boolean => names.length > 0 || says.length > 0;
    // The words may be one name: `find references`.
    const whole = meantBy(words.join("_"));
    const meant = isKnown(whole) ? [whole] : words.map(meantBy);
    if (!meant.every(isKnown)) {
      return { tools: [], says: [] };
    }
    const names = meant.flatMap((each) => each.names);
    return {
      tools: this.#ofNames(names),
      says: [...new Set(meant.flatMap(({ says }) => says))],
    };
  }

  #allNames(): string[] {
    return withParts(this.#tools).map(({ name }) => name);
  }

  /** Returns the tools with these names, or with a part that has one. */
  #ofNames(names: readonly string[]): Tool[] {
    return this.#tools.filter((tool) => withParts([tool]).some(({ name }) => names.includes(name)));
  }

  #describe(tool: Tool): string {
    return this.#hidden.includes(tool)
      ? `${tool.name}: ${tool.description}\nInput: ${JSON.stringify(wireSchema(tool.inputSchema))}`
      : `${tool.name}: in your list; call it by its name.`;
  }

  #names(): string {
    return namesOf(this.#hidden);
  }
}

function asModelTool({ name, description, inputSchema }: Tool): ModelTool {
  return { name, description, inputSchema: wireSchema(inputSchema) };
}

interface FindTool extends ModelTool {
  inputSchema: JsonSchema;
}

function findTool(hidden: readonly Tool[]): FindTool {
  return {
    name: FIND_TOOL,
    description:
      `Find and call tools that are not in your list: ${namesOf(hidden)}. ` +
      "With query it returns what matching tools do and their inputs. With tool and input it calls one: do that where a text names it.",
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string", description: "What you want to do, in a few words, or names of tools." },
        tool: { type: "string", description: "Name of the tool to call." },
        input: { type: "object", description: "Its input." },
      },
    },
  };
}

/** Lists names; those with the same first word share it: `memory_get/list, cron`. Of tools behind search, only some. */
function namesOf(tools: readonly Tool[]): string {
  const families = new Map<string, string[]>();
  const behindSearch = tools.filter(({ expose }) => expose === "search");
  for (const { name } of tools.filter(({ expose }) => expose !== "search")) {
    const [first = name] = name.split("_");
    families.set(first, [...(families.get(first) ?? []), name]);
  }
  const names = [...families.values()].map((family) =>
    family.map((name, index) => (index === 0 ? name : name.slice(name.indexOf("_") + 1))).join("/"),
  );
  if (behindSearch.length > 0) {
    const examples = behindSearch.slice(0, MAX_EXAMPLES).map(({ name }) => name);
    names.push(`and ${behindSearch.length} more that query finds, such as ${examples.join(" and ")}`);
  }
  return names.join(", ");
}

interface WrappedCall {
  name?: string;
  input?: unknown;
  /** What was repaired in the input. */
  note?: string;
  /** The other fields, in case the input was not wrapped. */
  rest: Record<string, unknown>;
}

/** Reads the name and input of the tool to call. */
function readCall(fields: Record<string, unknown>): WrappedCall {
  const nameField = TOOL_FIELDS.find((field) => typeof fields[field] === "string" && fields[field] !== "");
  const inputField = INPUT_FIELDS.find((field) => fields[field] !== undefined && fields[field] !== null);
  const rest = Object.fromEntries(
    Object.entries(fields).filter(
      ([field]) => field !== nameField && field !== inputField && !(QUERY_FIELDS as readonly string[]).includes(field),
    ),
  );
  return {
    rest,
    ...(nameField === undefined ? {} : { name: bareName(String(fields[nameField])) }),
    ...(inputField === undefined ? {} : parsed(fields[inputField])),
  };
}

/** Some models write an object within an object as JSON in a string. */
function parsed(input: unknown): { input: unknown; note?: string } {
  try {
    const { value, note } = typeof input === "string" ? readJson(input) : { value: input };
    return { input: value, ...(note === undefined ? {} : { note }) };
  } catch {
    return { input };
  }
}

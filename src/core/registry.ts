import type { Tool } from "./contract.js";

/** With the prefix `toolhost_` a name stays within the 64 characters that model APIs allow. */
const MAX_NAME_LENGTH = 55;
/** Maximum length of a description: some model families cut it here (copilot.md §0.10). */
const MAX_DESCRIPTION_LENGTH = 1024;

export interface Disposable {
  dispose(): void;
}

/** The existing tools, each under one name. */
export class Registry {
  readonly #tools = new Map<string, Tool>();

  /**
   * @param shipped the tools that ship with Toolhost; tests check their definitions, which would build all schemas if
   * done here
   */
  constructor(shipped: readonly Tool[] = []) {
    shipped.forEach((tool) => this.#tools.set(tool.name, tool));
  }

  /**
   * Adds a tool. Disposing the result removes it.
   * @throws Error if the name is taken or the definition is malformed, with the problem
   */
  register(tool: Tool): Disposable {
    const problem = this.#tools.has(tool.name) ? `is already registered` : findProblem(tool);
    if (problem !== undefined) {
      throw new Error(`Tool "${tool.name}" ${problem}.`);
    }
    this.#tools.set(tool.name, tool);
    return {
      dispose: () => {
        if (this.#tools.get(tool.name) === tool) {
          this.#tools.delete(tool.name);
        }
      },
    };
  }

  get(name: string): Tool | undefined {
    return this.#tools.get(name);
  }

  /** Returns all tools in order of registration. */
  list(): Tool[] {
    return [...this.#tools.values()];
  }
}

/** Returns what is wrong with a definition, as the rest of a sentence about the tool; undefined if nothing is. */
function findProblem(tool: Tool): string | undefined {
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(tool.name)) {
    return "must be named in snake_case";
  }
  if (tool.name.length > MAX_NAME_LENGTH) {
    return `has a name longer than ${MAX_NAME_LENGTH} characters`;
  }
  if (tool.description.trim() === "") {
    return "needs a description";
  }
  if (tool.description.length > MAX_DESCRIPTION_LENGTH) {
    return `has a description of ${tool.description.length} characters; ${MAX_DESCRIPTION_LENGTH} at most`;
  }
  const { properties, required } = tool.inputSchema;
  for (const [field, property] of Object.entries(properties)) {
    if (!property.description) {
      return `has a field "${field}" without a description`;
    }
  }
  for (const field of required ?? []) {
    if (!Object.hasOwn(properties, field)) {
      return `requires a field "${field}" that its schema does not define`;
    }
  }
  for (const field of tool.positional) {
    if (!Object.hasOwn(properties, field)) {
      return `has a positional "${field}" that is not a field`;
    }
  }
  for (const field of tool.texts ?? []) {
    if (!Object.hasOwn(properties, field)) {
      return `has a text "${field}" that is not a field`;
    }
  }
  for (const [alias, field] of Object.entries(tool.aliases)) {
    if (typeof field !== "string" || alias.includes("[].")) {
      continue;
    }
    if (Object.hasOwn(properties, alias)) {
      return `has an alias "${alias}" that is also a field`;
    }
    if (!Object.hasOwn(properties, field)) {
      return `has an alias "${alias}" for "${field}", which is not a field`;
    }
  }
  return undefined;
}

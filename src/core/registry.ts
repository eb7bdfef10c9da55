import { FIND_TOOL, lmName, toolName } from "../names/tools.js";
import { shorten } from "../text/clip.js";
import { showHidden } from "../text/showHidden.js";
import type { Tool } from "./contract.js";
import { withParts } from "./toolParts.js";

/** With the prefix `toolhost_` a name stays within the 64 characters that model APIs allow. */
const MAX_NAME_LENGTH = 55;
/** Maximum length of a description: some model families cut it here (copilot.md §0.10). */
const MAX_DESCRIPTION_LENGTH = 1024;

/** Maximum characters of a refused name in an error. */
const MAX_SHOWN = 80;
/** Number of removed names that are remembered, so that a call learns that its tool is gone. */
const MAX_REMOVED = 1_000;

export interface Disposable {
  dispose(): void;
}

/** The existing tools, each under one name. */
export class Registry {
  /** Tools that cannot be called before the user has approved them, by name: why, and how the user approves. */
  waiting: ReadonlyMap<string, { why: string; approveBy: string }> = new Map();
  readonly #tools = new Map<string, Tool>();
  readonly #removed = new Set<string>();
  readonly #listeners = new Set<() => void>();
  #list: readonly Tool[] | undefined;
  /** Tools by their bare names, and those of their parts. Made with the first name that is checked. */
  #names: Map<string, Tool> | undefined;
  /** Whether listeners are called once `batch` ends; undefined outside of it. */
  #pending: boolean | undefined;

  /**
   * @param shipped the tools that ship with Toolhost; tests check their definitions, which would build all schemas if
   * done here
   */
  constructor(shipped: readonly Tool[] = []) {
    shipped.forEach((tool) => this.#tools.set(tool.name, tool));
  }

  /**
   * Adds a tool. Disposing the result removes it; a call that is running then ends as if it were still there.
   * @throws Error if the name is taken or reserved, or the definition is malformed, with the problem
   */
  register(tool: Tool): Disposable {
    this.check(tool);
    this.#tools.set(tool.name, tool);
    addNames(this.#namesOf(), tool);
    this.#removed.delete(tool.name);
    this.#changed();
    return {
      dispose: () => {
        if (this.#tools.get(tool.name) === tool) {
          this.#tools.delete(tool.name);
          withParts([tool]).forEach(({ name }) => this.#forget(bareName(name), tool));
          this.#remember(tool.name);
          this.#changed();
        }
      },
    };
  }

  /** @throws Error if `register` would */
  check(tool: Tool): void {
    const problem = this.nameProblem(tool.name) ?? findProblem(tool);
    if (problem !== undefined) {
      throw new Error(`Tool "${shown(tool.name)}" ${problem}.`);
    }
  }

  /** Calls a listener after each tool that was added or removed, until the result is disposed. It must not throw. */
  onDidChange(listener: () => void): Disposable {
    // A listener that is added twice is called twice, and removed one at a time.
    const own = (): void => listener();
    this.#listeners.add(own);
    return { dispose: () => void this.#listeners.delete(own) };
  }

  /** Adds or removes many tools; listeners are called once, at the end. */
  batch(change: () => void): void {
    if (this.#pending !== undefined) {
      change();
      return;
    }
    this.#pending = false;
    try {
      change();
    } finally {
      const hasChanged = this.#pending;
      this.#pending = undefined;
      if (hasChanged) {
        this.#changed();
      }
    }
  }

  /** Whether a tool of this name was removed, and none has it now. */
  wasRemoved(name: string): boolean {
    return this.#removed.has(name);
  }

  get(name: string): Tool | undefined {
    return this.#tools.get(name);
  }

  /** Returns all tools in order of registration; the same list until one is added or removed. */
  list(): readonly Tool[] {
    return (this.#list ??= [...this.#tools.values()]);
  }

  /** Returns why no tool may get a name, as the rest of a sentence about the tool. */
  nameProblem(name: string): string | undefined {
    if (this.#tools.has(name)) {
      return "is already registered";
    }
    if (name === FIND_TOOL || toolName(name) !== undefined) {
      return `has a name that is reserved: it begins with ${lmName({ name: "" })} or is ${FIND_TOOL}`;
    }
    // Parts have names of their own in rules and calls. Names that differ in underscores alone are mistaken for each other.
    const like = this.#namesOf().get(bareName(name));
    const taken = like && withParts([like]).find((tool) => bareName(tool.name) === bareName(name))?.name;
    return taken === undefined ? undefined : `has a name that is too much like ${taken}; choose another`;
  }

  #namesOf(): Map<string, Tool> {
    if (this.#names === undefined) {
      this.#names = new Map();
      for (const tool of this.#tools.values()) {
        addNames(this.#names, tool);
      }
    }
    return this.#names;
  }

  #forget(name: string, tool: Tool): void {
    if (this.#names?.get(name) === tool) {
      this.#names.delete(name);
    }
  }

  #remember(name: string): void {
    this.#removed.add(name);
    const [oldest] = this.#removed;
    if (this.#removed.size > MAX_REMOVED && oldest !== undefined) {
      this.#removed.delete(oldest);
    }
  }

  #changed(): void {
    this.#list = undefined;
    if (this.#pending !== undefined) {
      this.#pending = true;
      return;
    }
    [...this.#listeners].forEach((listener) => listener());
  }
}

/** Shows a name that may be made to deceive. */
function shown(name: string): string {
  return showHidden(shorten(name, MAX_SHOWN), false).text.replaceAll("\n", "\\n");
}

/** Adds the names of a tool and its parts, unless another tool has them. */
function addNames(names: Map<string, Tool>, tool: Tool): void {
  for (const { name } of withParts([tool])) {
    const key = bareName(name);
    if (!names.has(key)) {
      names.set(key, tool);
    }
  }
}

/** Returns a name as it is compared with others: those that differ in underscores alone are mistaken for each other. */
export function bareName(name: string): string {
  return name.replaceAll("_", "");
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

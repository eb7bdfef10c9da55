// Questions about a real project (scripts/ensure-project.mjs) with what TypeScript's compiler answers; they are made by
// scripts/code-questions.mjs.
import given from "../fixtures/code/questions.json";

interface Question {
  tool: string;
  input: Readonly<Record<string, unknown>>;
  /** `path:line`, sorted, each once. */
  expected: readonly string[];
}

export const questions: readonly Question[] = given;

/** Takes the places out of an answer's data. */
export function answeredPlaces(data: unknown): string[] {
  const { places, symbols } = data as Record<"places" | "symbols", { path: string; line: number }[] | undefined>;
  return [...new Set((places ?? symbols ?? []).map(({ path, line }) => `${path}:${line}`))].sort();
}

/** Whether an answer is the compiler's. An outline may have more: the compiler's list has no properties. */
export function isRight({ tool, expected }: Question, places: readonly string[]): boolean {
  return tool === "symbols"
    ? expected.every((place) => places.includes(place))
    : expected.join() === [...places].join();
}

interface Call {
  tool: string;
  input: Readonly<Record<string, unknown>>;
}

/** Something to find out about the project, with its symbols and with text alone. */
interface NavigationTask {
  title: string;
  ours: readonly Call[];
  theirs: readonly Call[];
}

/** Who knows no symbols searches for the name, then reads the file that declares it to tell which lines are meant. */
function task(title: string, name: string, path: string, ours: Call): NavigationTask {
  const theirs = [
    { tool: "grep", input: { pattern: `\\b${name}\\b`, path: "src" } },
    { tool: "read", input: { path } },
  ];
  return { title, ours: [ours], theirs };
}

const EVENT = "src/common/event.ts";
const SHELL = "src/browser/shell/application-shell.ts";
const COMMAND = "src/common/command.ts";

export const navigationTasks: readonly NavigationTask[] = [
  task("where a class is declared", "CommandRegistry", COMMAND, {
    tool: "symbols",
    input: { query: "CommandRegistry" },
  }),
  task("what a file has", "EventListener", EVENT, { tool: "symbols", input: { path: EVENT } }),
  task("a method's text", "getInsertionOptions", SHELL, {
    ...{ tool: "read", input: { path: SHELL, symbol: "ApplicationShell.getInsertionOptions" } },
  }),
  task("a method's text, of a common name", "fire", EVENT, {
    tool: "read",
    input: { path: EVENT, symbol: "Emitter.fire" },
  }),
  task("references of a method", "getActiveHandler", COMMAND, {
    ...{ tool: "references", input: { symbol: "CommandRegistry.getActiveHandler" } },
  }),
  task("references of a class", "WsRequestValidator", "src/node/ws-request-validators.ts", {
    ...{ tool: "references", input: { symbol: "WsRequestValidator" } },
  }),
  task("callers of a method", "requestHover", "src/browser/hover-service.ts", {
    ...{ tool: "references", input: { symbol: "HoverService.requestHover", kind: "callers" } },
  }),
  task("implementations of an interface", "QuickAccessProvider", "src/browser/quick-input/quick-access.ts", {
    ...{ tool: "references", input: { symbol: "QuickAccessProvider", kind: "implementations" } },
  }),
  task("the definition behind a call", "updateTitle", "src/browser/view-container.ts", {
    tool: "references",
    input: { symbol: "updateTitle", path: "src/browser/view-container.ts", line: 736, kind: "definition" },
  }),
  task("the members of a class", "DisposableCollection", "src/common/disposable.ts", {
    ...{ tool: "symbols", input: { path: "src/common/disposable.ts", query: "DisposableCollection" } },
  }),
];

/** Returns about how many tokens the answers of calls take. @throws Error if one fails */
export async function tokensOf(
  calls: readonly Call[],
  invoke: (tool: string, input: object) => PromiseLike<{ ok: boolean; text?: string; error?: { message: string } }>,
): Promise<number> {
  let characters = 0;
  for (const { tool, input } of calls) {
    const outcome = await invoke(tool, input);
    if (!outcome.ok) {
      throw new Error(`${tool} ${JSON.stringify(input)}: ${outcome.error?.message}`);
    }
    characters += outcome.text?.length ?? 0;
  }
  return Math.ceil(characters / 4);
}

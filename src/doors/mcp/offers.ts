import type { Outcome } from "../../core/outcome.js";
import { ToolError } from "../../core/errors.js";
import { isRecord } from "../../core/jsonSchema.js";
import { fillIn, inputsOf } from "./promptInputs.js";
import type { ListedPrompt, ListedResource, OfferAnswer, OfferRequest, ReadText } from "./offerTypes.js";

/** Maximum characters of a resource: what is longer says how to read the rest. */
const MAX_TEXT = 1_000_000;
/** Maximum completions of an answer, by MCP's specification. */
export const MAX_VALUES = 100;

/** Maximum files of the context store, and folders, that are listed. */
const [MAX_FILES, MAX_FOLDERS] = [1_000, 200];

const MEMORY = "toolhost://memory/";
const CONTEXT = "toolhost://context/";
const RESULT = "toolhost://result/";

/** Templates of the addresses, with what each leads to. */
export const TEMPLATES = [
  { uriTemplate: `${MEMORY}{key}`, name: "memory", title: "Memory note", mimeType: "text/markdown" },
  { uriTemplate: `${CONTEXT}{+path}`, name: "context", title: "File of the context store" },
  {
    ...{ uriTemplate: `${RESULT}{id}`, name: "result", title: "Stored result" },
    ...{ description: "All of an answer that was too large; the answer has the id.", mimeType: "text/plain" },
  },
];

/** Returns what the argument of a template is. */
export function placeOf(template: string): "memory" | "context" | "other" {
  return template.startsWith(MEMORY) ? "memory" : template.startsWith(CONTEXT) ? "context" : "other";
}

/** The tools that resources and prompts are read with. */
export const OFFER_TOOLS = [
  "memory_list",
  "memory_read",
  "context_tree",
  "context_read",
  "read_result",
  "document",
  "ls",
];

/** Calls a tool as the client's model would: with its permission, its masking and its record. */
export type Invoke = (tool: string, input: object) => Promise<Outcome>;

/**
 * What a client can read and use in addition to tools: memory notes, files of the context store and stored results as resources,
 * prompt documents as prompts. Everything comes from a call of a tool, so nothing is here that a tool would refuse.
 *
 * @throws ToolError as the tool fails, and `not_found` for what has another address
 */
export async function answerOffer(request: OfferRequest, invoke: Invoke): Promise<OfferAnswer> {
  switch (request.kind) {
    case "resources": {
      const [notes, files] = [await memoryNotes(invoke), await contextFiles(invoke)];
      return { resources: [...notes.resources, ...files.resources], isWhole: notes.isWhole && files.isWhole };
    }
    case "resource":
      return { resource: await read(request.uri, invoke) };
    case "prompts":
      return { prompts: await prompts(invoke) };
    case "prompt":
      return { prompt: await prompt(request, invoke) };
    case "completion":
      return {
        values: (await candidates(request, invoke))
          .filter((each) => each.startsWith(request.value))
          .slice(0, MAX_VALUES + 1),
      };
  }
}

interface Listed {
  resources: ListedResource[];
  /** Whether nothing is left out. */
  isWhole: boolean;
}

/** @throws ToolError as the tool fails */
async function succeeded(invoke: Invoke, tool: string, input: object): Promise<Extract<Outcome, { ok: true }>> {
  const outcome = await invoke(tool, input);
  if (!outcome.ok) {
    const { type, message, hint } = outcome.error;
    throw new ToolError(type, message, hint);
  }
  return outcome;
}

/** @throws ToolError as the tool fails */
async function dataOf(invoke: Invoke, tool: string, input: object): Promise<Record<string, unknown>> {
  const { data } = await succeeded(invoke, tool, input);
  return isRecord(data) ? data : {};
}

/** Returns the data of a tool that lists; none where its user has turned the tool off. */
async function listed(invoke: Invoke, tool: string, input: object): Promise<Record<string, unknown>> {
  try {
    return await dataOf(invoke, tool, input);
  } catch (error) {
    if (error instanceof ToolError && error.type === "unavailable") {
      return {};
    }
    throw error;
  }
}

function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

async function memoryNotes(invoke: Invoke): Promise<Listed> {
  const { keys, omitted = 0 } = await listed(invoke, "memory_list", {});
  const resources = records(keys)
    .filter(({ unreadable }) => unreadable === undefined)
    .map(({ key, bytes }) => ({
      ...{ uri: MEMORY + encodeURIComponent(String(key)), name: String(key), title: `Memory: ${String(key)}` },
      ...{ mimeType: "text/markdown", ...(typeof bytes === "number" && { size: bytes }) },
    }));
  return { resources, isWhole: omitted === 0 };
}

/** Lists the store's files, folder by folder: a tree of it would leave out what is in large folders. */
async function contextFiles(invoke: Invoke): Promise<Listed> {
  const resources: ListedResource[] = [];
  const folders: (string | undefined)[] = [undefined];
  let omitted = 0;
  for (let at = 0; at < folders.length && at < MAX_FOLDERS && resources.length < MAX_FILES; at++) {
    const path = folders[at];
    const found = await listed(invoke, "context_tree", { max_depth: 1, ...(path !== undefined && { path }) });
    omitted += typeof found["omitted"] === "number" ? found["omitted"] : 0;
    for (const { path: name, kind, size } of records(found["entries"])) {
      if (kind === "directory") {
        folders.push(String(name));
      } else if (kind === "file") {
        resources.push({
          ...{ uri: CONTEXT + String(name).split("/").map(encodeURIComponent).join("/") },
          ...{ name: String(name), title: `Context: ${String(name)}` },
          ...(typeof size === "number" && { size }),
        });
      }
    }
  }
  return {
    resources: resources.slice(0, MAX_FILES),
    isWhole: omitted === 0 && folders.length <= MAX_FOLDERS && resources.length < MAX_FILES,
  };
}

async function read(uri: string, invoke: Invoke): Promise<ReadText> {
  const [prefix, name] = [MEMORY, CONTEXT, RESULT].flatMap((each): [string, string][] =>
    uri.startsWith(each) ? [[each, decoded(uri, uri.slice(each.length))]] : [],
  )[0] ?? ["", ""];
  switch (prefix) {
    case MEMORY: {
      const { value } = await dataOf(invoke, "memory_read", { key: name });
      return { uri, mimeType: "text/markdown", text: String(value) };
    }
    case CONTEXT:
      return { uri, text: await contextText(name, invoke) };
    case RESULT:
      return { uri, mimeType: "text/plain", text: await resultText(name, invoke) };
    default:
      throw new ToolError(
        "not_found",
        `${uri}: there is no such resource.`,
        `Addresses begin with ${MEMORY}, ${CONTEXT} or ${RESULT}.`,
      );
  }
}

function decoded(uri: string, name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw new ToolError(
      "invalid_input",
      `${uri} is not an address: a % in it is not followed by two hexadecimal digits.`,
    );
  }
}

/** Returns a file's lines as `context_read` shows them, without their numbers: a long line says what it lacks. */
async function contextText(path: string, invoke: Invoke): Promise<string> {
  const lines: string[] = [];
  let length = 0;
  for (let offset = 1; ;) {
    const outcome = await succeeded(invoke, "context_read", { path, offset });
    const { start_line, end_line, next_offset } = isRecord(outcome.data) ? outcome.data : {};
    const shown = outcome.text.split("\n").slice(0, start_line === 0 ? 0 : Number(end_line) - Number(start_line) + 1);
    lines.push(...shown.map((line) => line.slice(line.indexOf("\t") + 1)));
    length += outcome.text.length;
    if (typeof next_offset !== "number") {
      return lines.join("\n");
    }
    if (length > MAX_TEXT) {
      return `${lines.join("\n")}\n${rest("context_read", { path, offset: next_offset })}`;
    }
    offset = next_offset;
  }
}

async function resultText(id: string, invoke: Invoke): Promise<string> {
  let text = "";
  for (let page = 1; ; page++) {
    const { content, total_pages } = await dataOf(invoke, "read_result", { id, page });
    text += String(content);
    if (!(page < Number(total_pages))) {
      return text;
    }
    if (text.length > MAX_TEXT) {
      return `${text}\n${rest("read_result", { id, page: page + 1 })}`;
    }
  }
}

function rest(tool: string, input: object): string {
  return `[There is more. Read it with ${tool} ${JSON.stringify(input)}.]`;
}

async function prompts(invoke: Invoke): Promise<ListedPrompt[]> {
  const found: ListedPrompt[] = [];
  const all = await listed(invoke, "document", { action: "list", kind: "prompt" });
  for (const { name, description } of records(all["prompts"]).filter(({ problem }) => problem === null)) {
    const { body } = await dataOf(invoke, "document", { action: "read", kind: "prompt", name });
    const args = inputsOf(typeof body === "string" ? body : "").map(({ name: argument, hint }) => ({
      ...{ name: argument, required: true },
      ...(hint !== undefined && { description: hint }),
    }));
    found.push({
      name: String(name),
      ...(typeof description === "string" && { description }),
      ...(args.length > 0 && { arguments: args }),
    });
  }
  return found;
}

async function prompt({ name, values }: Extract<OfferRequest, { kind: "prompt" }>, invoke: Invoke): Promise<string> {
  const { body } = await dataOf(invoke, "document", { action: "read", kind: "prompt", name });
  if (typeof body !== "string") {
    throw new ToolError("unsupported", `The prompt ${name} is malformed and cannot be used.`, "Correct its file.");
  }
  const missing = inputsOf(body).filter((input) => !Object.hasOwn(values, input.name));
  if (missing.length > 0) {
    const names = missing.map((input) => input.name).join(", ");
    throw new ToolError("invalid_input", `The prompt ${name} needs ${names}.`, "Give each as an argument.");
  }
  return fillIn(body, values);
}

/** Returns what a value may become. */
async function candidates(
  { of, argument, value }: Extract<OfferRequest, { kind: "completion" }>,
  invoke: Invoke,
): Promise<string[]> {
  switch (of) {
    case "memory":
      return (await memoryNotes(invoke)).resources.map(({ name }) => name);
    case "context":
      return (await contextFiles(invoke)).resources.map(({ name }) => name);
    case "prompt": {
      if (!/path|file|folder|dir/i.test(argument)) {
        return [];
      }
      const folder = value.slice(0, value.lastIndexOf("/") + 1);
      const { entries } = await listed(invoke, "ls", { path: folder === "" ? "." : folder }).catch(() => ({
        entries: [],
      }));
      return records(entries).map(({ path, kind }) => {
        const name = String(path).split("/").at(-1) ?? "";
        return `${folder}${name}${kind === "directory" ? "/" : ""}`;
      });
    }
    case "other":
      return [];
  }
}

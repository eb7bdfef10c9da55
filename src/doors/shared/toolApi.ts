import type { Caller } from "../../core/caller.js";
import type { Tool } from "../../core/contract.js";
import { Cancelled } from "../../core/errors.js";
import { defineExternalTool } from "../../core/externalTool.js";
import { isRecord } from "../../core/jsonSchema.js";
import { failure } from "../../core/outcome.js";
import { describeValue } from "../../core/pipeline/issues.js";
import { newId, type Pipeline } from "../../core/pipeline/pipeline.js";
import type { Registry } from "../../core/registry.js";
import { bareName } from "../../names/tools.js";
import type { RuleBook } from "../../ports/rules.js";
import { excerpt } from "../../text/clip.js";
import { messageOf } from "../../text/words.js";
import { openApiToolsOf, type OpenApiEngine } from "./openApiTools.js";
import type { DefinedTool, InvokeOptions, SandboxUse, ToolApi, ToolInfo } from "./toolTypes.js";

/** Maximum length of a session's id, in characters. */
const MAX_SESSION = 200;
const OPTIONS = ["signal", "session", "onProgress"];

/** What `defineTool` returned, and the tools made of it. */
const defined = new WeakMap<object, Tool>();

export interface ToolApiHost {
  registry: Registry;
  pipeline: Pick<Pipeline, "available" | "invoke">;
  /** Returns what makes tools of OpenAPI descriptions; called with each description. */
  openApi: () => OpenApiEngine;
  /** Has tools work in a sandbox. */
  useSandbox: (client: unknown, options?: unknown) => SandboxUse;
  /** What every call has, in addition to its signal and session. */
  caller: Omit<Caller, "signal" | "session" | "report">;
  /** Takes rules for a session. */
  rules?: Pick<RuleBook, "grantForSession">;
}

/** Makes the part of the API about tools, which other extensions and programs share (`toolTypes.ts`). */
export function createToolApi({ registry, pipeline, openApi, useSandbox, caller, rules }: ToolApiHost): ToolApi {
  const ownSession = newId();
  return {
    defineTool: (definition) => describe(asTool(definition, "defineTool")),
    registerTool: (given) => {
      const tool = asTool(given, "registerTool");
      try {
        return registry.register(tool);
      } catch (error) {
        throw new TypeError(`Toolhost registerTool: ${messageOf(error)}`);
      }
    },
    createOpenApiTools: (description, options = {}) => {
      const taken = (name: string): boolean => registry.nameProblem(name) !== undefined;
      const { tools, problems, leftOut } = openApiToolsOf(description, options, { openApi, taken });
      return { tools: tools.map(describe), problems, leftOut };
    },
    tools: () => pipeline.available().map(infoOf),
    describe: (name) => {
      const tool = pipeline.available().find((each) => each.name === bareName(name));
      return tool && { ...infoOf(tool), ...(tool.outputSchema && { outputSchema: tool.outputSchema }) };
    },
    onDidChangeTools: (listener) => {
      if (typeof listener !== "function") {
        throw new TypeError(`Toolhost onDidChangeTools: expected a function, got ${describeValue(listener)}.`);
      }
      return registry.onDidChange(() => unharmed(listener));
    },
    useSandbox,
    invoke: async (name, input, options = {}) => {
      const { signal, session = ownSession, onProgress } = readInvokeOptions(name, options);
      try {
        const outcome = await pipeline.invoke(bareName(name), input, {
          ...caller,
          toolList: "tools() lists them.",
          session,
          signal: signal ?? new AbortController().signal,
          report: ({ message }) => unharmed(() => onProgress?.(message)),
        });
        return outcome;
      } catch (error) {
        return failure(name, error instanceof Cancelled ? error : new Cancelled(name));
      }
    },
    applyWorkspaceManifest: async (target, manifest, options) =>
      (await import("./manifests.js")).applyForProgram(
        { pipeline, caller, rules, session: ownSession },
        target,
        manifest,
        options,
      ),
  };
}

/**
 * Returns the tool of a definition, or of what `defineTool` returned.
 *
 * @param doing the function's name, for errors
 * @throws TypeError that names the problem
 */
export function asTool(given: unknown, doing: string): Tool {
  const known = typeof given === "object" && given !== null ? defined.get(given) : undefined;
  if (known !== undefined) {
    return known;
  }
  try {
    return defineExternalTool(given);
  } catch (error) {
    throw new TypeError(`Toolhost ${doing}: ${messageOf(error)}.`);
  }
}

function describe(tool: Tool): DefinedTool {
  const { name, title, description } = tool;
  const shown: DefinedTool = Object.freeze({
    ...{ name, title, description },
    // Made on first use: a service may have a thousand operations.
    get inputSchema() {
      return tool.inputSchema;
    },
  });
  defined.set(shown, tool);
  return shown;
}

function infoOf({ name, title, description, inputSchema, group, annotations }: Tool): ToolInfo {
  return { name, title, description, inputSchema, group, annotations: { ...annotations } };
}

/** Calls another's listener. Its errors, synchronous or not, must not stop anything here. */
function unharmed(listener: () => unknown): void {
  new Promise<unknown>((resolve) => resolve(listener())).catch(() => undefined);
}

function readInvokeOptions(name: unknown, options: unknown): InvokeOptions {
  if (typeof name !== "string") {
    throw new TypeError(`Toolhost invoke: expected a tool's name, got ${describeValue(name)}.`);
  }
  if (!isRecord(options)) {
    throw new TypeError(`Toolhost invoke: options: expected an object, got ${describeValue(options)}.`);
  }
  const unknown = Object.keys(options).find((option) => !OPTIONS.includes(option));
  const { signal, session, onProgress } = options;
  const problem =
    unknown !== undefined
      ? `${excerpt(unknown)}: there is no such option; the options are ${OPTIONS.join(", ")}`
      : signal !== undefined && !(signal instanceof AbortSignal)
        ? `signal: expected an AbortSignal, got ${describeValue(signal)}`
        : session !== undefined && (typeof session !== "string" || session === "" || session.length > MAX_SESSION)
          ? `session: expected a text of at most ${MAX_SESSION} characters, got ${describeValue(session)}`
          : onProgress !== undefined && typeof onProgress !== "function"
            ? `onProgress: expected a function, got ${describeValue(onProgress)}`
            : undefined;
  if (problem !== undefined) {
    throw new TypeError(`Toolhost invoke: ${problem}.`);
  }
  return options;
}

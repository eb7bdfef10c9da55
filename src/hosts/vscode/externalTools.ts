import * as vscode from "vscode";
import { isRecord } from "../../core/jsonSchema.js";
import { ToolError } from "../../core/errors.js";
import type {
  ExternalCaller,
  ExternalListing,
  ExternalResult,
  ExternalTool,
  ExternalTools,
} from "../../ports/externalTools.js";
import type { ModelMedia } from "../../ports/models.js";
import { promptText } from "../shared/promptText.js";

/**
 * VS Code names the tools of MCP servers `mcp_<server>_<tool>`, with the server's name shortened, and gives them this
 * tag (observed in 1.139).
 */
const MCP_NAME = /^mcp_([^_]+)_(.+)$/;
const MCP_TAG = "mcp";
/** The text that VS Code returns instead of a result if the user pressed “Skip” in the chat (observed in 1.139). */
const SKIPPED = /^The user chose to skip the tool call\b/;
/** The server name of VS Code's own tools, which no extension contributes. */
const EDITOR = "vscode";

export interface VscodeExternalToolsOptions {
  /** Whether a language model tool is ours. */
  isOurs: (name: string) => boolean;
  /**
   * Returns the token of the chat request that a call comes from, so that VS Code shows the call and asks there.
   * Without one, VS Code asks in its own dialog if the tool needs confirmation.
   */
  tokenOf: (caller: ExternalCaller) => vscode.ChatParticipantToolToken | undefined;
}

/** The tools that VS Code knows from other providers: MCP servers, extensions and VS Code itself. */
export class VscodeExternalTools implements ExternalTools {
  readonly #options: VscodeExternalToolsOptions;

  constructor(options: VscodeExternalToolsOptions) {
    this.#options = options;
  }

  readonly none = {
    message: "VS Code has no tools of MCP servers or other extensions.",
    hint: "The user can add servers with the command “MCP: Add Server…”.",
  };

  async list(): Promise<ExternalListing> {
    return { tools: this.tools(), missing: [], others: [], remarks: [] };
  }

  /** Returns all tools that can be called. */
  tools(): ExternalTool[] {
    const owners = contributors();
    return this.#known().map(({ name, description, inputSchema, tags }) => ({
      ...placeOf(name, tags, owners),
      description,
      inputSchema,
    }));
  }

  async call(
    { server, tool }: ExternalTool,
    args: object,
    caller: ExternalCaller,
    signal: AbortSignal,
  ): Promise<ExternalResult> {
    const owners = contributors();
    const found = this.#known().find(({ name, tags }) => {
      const place = placeOf(name, tags, owners);
      return place.server === server && place.tool === tool;
    });
    if (found === undefined) {
      throw new ToolError("not_found", `${server}: ${tool} is no longer there.`, "mcp_list_tools lists what is.");
    }
    const source = new vscode.CancellationTokenSource();
    const cancel = (): void => source.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      signal.throwIfAborted();
      const { content } = await vscode.lm.invokeTool(
        found.name,
        { input: args, toolInvocationToken: this.#options.tokenOf(caller) },
        source.token,
      );
      const result = read(content);
      if (SKIPPED.test(result.text)) {
        throw refused(server, tool);
      }
      return result;
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof vscode.CancellationError || (error instanceof Error && error.name === "Canceled")
        ? refused(server, tool)
        : error;
    } finally {
      signal.removeEventListener("abort", cancel);
      source.dispose();
    }
  }

  #known(): vscode.LanguageModelToolInformation[] {
    return vscode.lm.tools.filter(({ name }) => !this.#options.isOurs(name));
  }
}

function refused(server: string, tool: string): ToolError {
  return new ToolError(
    "denied",
    `${tool} of ${server}: the user said no when VS Code asked. It did not run.`,
    "Do not try the same thing again. Ask the user how to continue.",
  );
}

/** Returns a tool's server and its name there. Together they are unique, since VS Code's names are. */
function placeOf(
  name: string,
  tags: readonly string[],
  owners: ReadonlyMap<string, string>,
): Pick<ExternalTool, "server" | "tool" | "isMcp"> {
  const owner = owners.get(name);
  const [, server, tool] = (owner === undefined && MCP_NAME.exec(name)) || [];
  if (server !== undefined && tool !== undefined) {
    return { server, tool, isMcp: true };
  }
  return { server: owner ?? EDITOR, tool: name, isMcp: tags.includes(MCP_TAG) };
}

/** Maps each tool's name to the extension that contributes it. */
function contributors(): Map<string, string> {
  return new Map(
    vscode.extensions.all.flatMap(({ id, packageJSON }) => {
      const contributes: unknown = isRecord(packageJSON) ? packageJSON["contributes"] : undefined;
      const tools: unknown = isRecord(contributes) ? contributes["languageModelTools"] : undefined;
      return Array.isArray(tools)
        ? tools.flatMap((tool: unknown): [string, string][] =>
            isRecord(tool) && typeof tool["name"] === "string" ? [[tool["name"], id]] : [],
          )
        : [];
    }),
  );
}

function read(content: readonly unknown[]): ExternalResult {
  const texts: string[] = [];
  const media: ModelMedia[] = [];
  for (const part of content) {
    if (part instanceof vscode.LanguageModelTextPart) {
      texts.push(part.value);
    } else if (part instanceof vscode.LanguageModelDataPart) {
      if (/^text\/|[/+]json\b/.test(part.mimeType)) {
        texts.push(new TextDecoder().decode(part.data));
      } else {
        media.push({ mimeType: part.mimeType, bytes: part.data });
      }
    } else if (part instanceof vscode.LanguageModelPromptTsxPart) {
      texts.push(promptText(part.value));
    }
  }
  return { text: texts.join("\n"), media };
}

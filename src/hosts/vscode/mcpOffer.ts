import { createHash } from "node:crypto";
import * as vscode from "vscode";
import type { Tool } from "../../core/contract.js";
import type { Registry } from "../../core/registry.js";
import { MCP_PROVIDER } from "../../names/contributed.js";
import { SETTING } from "../../names/settings.js";
import { userValue } from "./userSettings.js";

/** What VS Code is offered: tools that it does not have from package.json, all, or none. */
type Offer = "auto" | "all" | "off";

export interface McpOfferHost {
  registry: Registry;
  /** The tools that package.json contributes. */
  shipped: readonly Tool[];
  /** This window's number: another one may have the folder open, too. */
  window: string;
  /** The script of the command line. */
  script: string;
  version: string;
  /** Returns a folder in which `toolhost mcp` can start; undefined if it cannot reach this window. */
  place: () => string | undefined;
  /** Resolves when the calls that run in the server have been answered. */
  answered: () => Promise<void>;
}

/**
 * Offers this window's tools to VS Code's agents as an MCP server, `toolhost mcp`, whose calls come back to this window.
 * That is how tools that are registered at run time reach Copilot's agent: only package.json can contribute others.
 */
export function offerMcpServer(host: McpOfferHost): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  let changes = 0;
  const tell = async (): Promise<void> => {
    // Half a second after a change VS Code stops the server, whatever runs in it: no model would hear what became of that.
    await host.answered();
    changes++;
    changed.fire();
  };
  return vscode.Disposable.from(
    changed,
    host.registry.onDidChange(() => void tell()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(SETTING.offerInVsCode)) {
        changed.fire();
      }
    }),
    vscode.lm.registerMcpServerDefinitionProvider(MCP_PROVIDER.id, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: () => definitions(host, changes),
    }),
  );
}

/** @param changes how often the list of tools has changed in this window */
function definitions(
  { registry, shipped, window, script, version, place }: McpOfferHost,
  changes: number,
): vscode.McpStdioServerDefinition[] {
  const at = place();
  const offer = readOffer();
  const names = new Set(shipped.map(({ name }) => name));
  const added = registry.list().filter(({ name }) => !names.has(name));
  if (at === undefined || offer === "off" || (offer === "auto" && added.length === 0)) {
    return [];
  }
  const state = process.env["TOOLHOST_STATE"];
  const environment = { ELECTRON_RUN_AS_NODE: "1", ...(state === undefined ? {} : { TOOLHOST_STATE: state }) };
  // The window decides on each call and asks: VS Code's card before it and its question about the result would be two more.
  const words = [
    ...["--no-warnings", script, "--workspace", at, "mcp", "--asks-alone", "--window", window],
    ...(offer === "auto" ? ["--tools", "own"] : []),
  ];
  // VS Code keeps a server's list of tools until its version changes, also to one that it has had before.
  const list = JSON.stringify(added.map(({ name, description, inputSchema }) => [name, description, inputSchema]));
  const digest = createHash("sha256").update(list).digest("hex").slice(0, 16);
  return [
    new vscode.McpStdioServerDefinition(
      MCP_PROVIDER.label,
      process.execPath,
      words,
      environment,
      `${version}-${offer}-${digest}-${changes}`,
    ),
  ];
}

function readOffer(): Offer {
  const value = userValue(SETTING.offerInVsCode);
  return value === "all" || value === "off" ? value : "auto";
}

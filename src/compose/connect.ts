import { homedir } from "node:os";
import { realpathSync } from "node:fs";
import { ToolError } from "../core/errors.js";
import type { AgentClient, ServerStart } from "../features/connect/clients.js";
import { readConfig, writeConfig } from "../hosts/node/configFile.js";
import { fileDiff } from "../text/diff/fileDiff.js";

/** A change of an agent's configuration that a person can look at before it is made. */
export interface Connection {
  /** The file, with all links resolved. */
  path: string;
  /** The change as a diff; empty if nothing changes. */
  diff: string;
  /** Makes exactly this change. @throws ToolError if the file has changed since, with nothing done */
  write(): Promise<void>;
}

/**
 * Works out how an agent's configuration gets the entry that starts `toolhost mcp`, or loses it.
 *
 * @param start undefined to remove the entry
 * @throws ToolError if its file cannot be read or changed, with the line
 */
export async function planConnection(
  client: AgentClient,
  { folder, start }: { folder: string; start: ServerStart | undefined },
): Promise<Connection> {
  const { changeEntry } = await import("./configText.js");
  const files = client.files({
    folder: realFolder(folder),
    home: homedir(),
    variable: (name) => process.env[name] || undefined,
  });
  const file = await readConfig(files);
  const changed =
    file.text === undefined && start === undefined
      ? undefined
      : changeEntry(client, file.path, file.text, start && client.entry(start));
  const isChanged = changed !== undefined && changed !== file.text;
  return {
    path: file.path,
    diff: isChanged ? fileDiff(file.path, file.text, changed) : "",
    write: async () => (isChanged ? writeConfig(file, changed) : undefined),
  };
}

/** Returns the text of the entry alone, as a file without any other would have it. */
export async function entryText(client: AgentClient, start: ServerStart): Promise<string> {
  const { changeEntry } = await import("./configText.js");
  return changeEntry(client, client.where, undefined, client.entry(start)).trimEnd();
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    throw new ToolError("not_found", `${folder}: there is no such folder.`, "Name an existing one with --workspace.");
  }
}

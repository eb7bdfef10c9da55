import { ToolError, unlessMissing } from "../../core/errors.js";
import type { Files } from "../../ports/files.js";
import { messageOf } from "../../text/words.js";
import { definitionText } from "./definition.js";
import { SERVER_FILES } from "./serverFiles.js";
import { MAX_FILE, readServers, type ServerEntry, type ServerFile } from "./serverEntry.js";

/** The user's approvals, each by a key and the exact text. */
export interface Approvals {
  isApproved(key: string, text: string): Promise<boolean>;
  lastApproved(key: string): string | undefined;
  approve(key: string, text: string): Promise<void>;
}

/** What reading the definitions of servers needs from a host. */
export interface ServerFilesHost {
  files: Files;
  /** Opens the user's approvals. Throws `ToolError` if the state cannot be stored. */
  approvals: () => Promise<Approvals>;
  /** The user's own file; undefined if there is none. Throws `ToolError` if it cannot be read. */
  users: () => { path: string; text: string } | undefined;
  /** Whether a variable's name says that its value is a secret. */
  isSecret: (name: string) => boolean;
}

/** A server, and whether the user approved exactly this definition of it. */
export interface ConfiguredServer extends ServerEntry {
  /** Its exact definition, as it is approved. */
  text: string;
  isApproved: boolean;
  /** The definition that the user approved last, if any. */
  lastApproved: string | undefined;
  /** Why it is not known whether it is approved. */
  unknown?: string;
}

export interface ConfiguredServers {
  servers: ConfiguredServer[];
  /** The entries that mean Toolhost itself, each with its file. */
  own: string[];
  /** What is wrong with the files, as sentences. */
  problems: string[];
}

/** The key under which a server's approval is kept. */
export function approvalKey({ file, name }: Pick<ServerEntry, "file" | "name">): string {
  return `mcp server: ${file}: ${name}`;
}

/**
 * Reads the definitions of all servers: the user's own first, so that no workspace takes over a name that the user's
 * rules mean.
 */
export async function readConfiguredServers(host: ServerFilesHost): Promise<ConfiguredServers> {
  const roots = host.files.roots().filter(({ beside }) => beside !== true);
  const read: ServerFile[] = [usersFile(host)];
  for (const root of roots) {
    const folder = roots.length === 1 ? "" : `${root.name}/`;
    for (const name of SERVER_FILES) {
      read.push(await workspaceFile(host.files, `${folder}${name}`));
    }
  }
  const problems = read.flatMap((file) => file.problems);
  const servers: ConfiguredServer[] = [];
  for (const entry of read.flatMap((file) => file.servers)) {
    const other = servers.find(({ name }) => name === entry.name);
    if (other !== undefined) {
      problems.push(`${entry.file}: ${entry.name} is left out, since ${other.file} has a server of this name.`);
      continue;
    }
    const text = await definitionText(entry, host.isSecret);
    servers.push({ ...entry, text, ...(await approvalOf(host, entry, text)) });
  }
  return { servers, own: read.flatMap((file) => file.own), problems };
}

function usersFile({ users }: ServerFilesHost): ServerFile {
  try {
    const file = users();
    return file === undefined ? { servers: [], own: [], problems: [] } : readServers(file.text, file.path);
  } catch (error) {
    return { servers: [], own: [], problems: [messageOf(error)] };
  }
}

async function workspaceFile(files: Files, path: string): Promise<ServerFile> {
  try {
    const bytes = await unlessMissing(async () => files.readBytes(await files.resolve(path), MAX_FILE));
    return bytes === undefined
      ? { servers: [], own: [], problems: [] }
      : readServers(new TextDecoder().decode(bytes), path);
  } catch (error) {
    return { servers: [], own: [], problems: [`${path} cannot be read: ${messageOf(error)}`] };
  }
}

async function approvalOf(
  { approvals }: ServerFilesHost,
  entry: ServerEntry,
  text: string,
): Promise<Pick<ConfiguredServer, "isApproved" | "lastApproved" | "unknown">> {
  try {
    const kept = await approvals();
    const key = approvalKey(entry);
    return { isApproved: await kept.isApproved(key, text), lastApproved: kept.lastApproved(key) };
  } catch (error) {
    if (!(error instanceof ToolError)) {
      throw error;
    }
    return { isApproved: false, lastApproved: undefined, unknown: `${error.message} ${error.hint ?? ""}`.trim() };
  }
}

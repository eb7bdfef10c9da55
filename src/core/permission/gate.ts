import type { Files, GatedPath } from "../../ports/files.js";
import type { Touch } from "../contract.js";
import { ToolError } from "../errors.js";
import { gateCommand, type CommandFacts } from "./commands/gate.js";
import type { GitFolders } from "./git/folders.js";
import { resolveAnywhere } from "./commands/resolveAnywhere.js";
import type { FileTouch, GatedTouch } from "./touches.js";

/** What the gate needs from a host, and which paths it lets through. */
export interface GateHost extends CommandFacts {
  /** The tool's name, for messages. */
  tool: string;
  files: Files | undefined;
  /** The folders from which Git runs programs. */
  gitFolders: GitFolders | undefined;
  /** Returns how the definition of a tool made by others differs from the one that was called before, as a sentence. */
  changeOfExternal: (server: string, tool: string) => Promise<string | undefined>;
  /** Returns the machine that messages to an address go to. @throws ToolError if there is no such address */
  originOf: (address: string) => string;
  /** @throws ToolError `denied` for an address that names this machine or a private network */
  checkPublic: (url: string) => Promise<void>;
  /** Returns the address of the service that searches the web. */
  searchUrl: () => string;
  /** Whether permission decides: then paths outside are passed on to it, and commands are analyzed. */
  decides: boolean;
  /** Whether a whole file that is to be replaced was not read in its current state. */
  isUnread: (files: Files, at: GatedPath) => Promise<boolean>;
}

/**
 * Makes a touch canonical.
 * @throws ToolError `invalid_input`, `outside_workspace`, `not_found`, `unavailable`, like `Files.resolve`
 */
export async function gateTouch(touch: Touch, host: GateHost): Promise<GatedTouch> {
  if (touch.kind === "network" || touch.kind === "program") {
    if (touch.kind === "network" && touch.isPublic === true) {
      await host.checkPublic(touch.url);
    }
    return touch;
  }
  if (touch.kind === "search") {
    // To choose the service is to approve it.
    return { kind: "network", url: host.searchUrl(), by: [] };
  }
  if (touch.kind === "external") {
    const { kind, by, server, tool } = touch;
    const changed = host.decides ? await host.changeOfExternal(server, tool) : undefined;
    return { kind, by, ...(changed === undefined ? {} : { changed }) };
  }
  if (touch.kind === "message") {
    const { to, by } = touch;
    return { kind: "network", url: host.originOf(to), to, by };
  }
  if (touch.kind === "command" && (touch.as !== undefined || !host.decides)) {
    return {
      kind: "command",
      command: touch.command,
      ...(touch.as === undefined ? {} : { as: touch.as }),
      doubts: [],
      commands: [],
      redirections: [],
    };
  }
  const { files } = host;
  if (files === undefined) {
    throw new ToolError("unavailable", `${host.tool} needs files, which are not available here.`);
  }
  return touch.kind === "command" ? gateCommand(touch, files, host, host.gitFolders) : gateFile(touch, files, host);
}

async function gateFile(
  touch: Extract<Touch, { path: string }>,
  files: Files,
  { decides, isUnread, gitFolders }: GateHost,
): Promise<FileTouch> {
  const at = await (decides ? resolveAnywhere(files, touch.path) : files.resolve(touch.path));
  const guarded =
    decides && touch.kind === "write"
      ? ((await gitFolders?.reasonFor(at.absolute)) ?? (await gitFolders?.reasonFor(at.lexical)))
      : undefined;
  return {
    kind: touch.kind,
    at,
    ...(touch.kind === "write" && touch.overwrites === true ? { unread: await isUnread(files, at) } : {}),
    ...(guarded === undefined ? {} : { guarded }),
    ...(touch.kind === "read" && touch.deep === true ? { deep: true } : {}),
    ...(at.outside === true ? { folder: await isFolder(files, at) } : {}),
  };
}

async function isFolder(files: Files, at: GatedPath): Promise<boolean> {
  try {
    return (await files.stat(at)).kind === "directory";
  } catch {
    return false;
  }
}

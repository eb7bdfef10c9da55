import { ToolError } from "../../core/errors.js";
import { notTheUsersServers } from "../../doors/cli/agentsCommand.js";
import { EXIT } from "../../doors/cli/exitCode.js";
import type { McpServersRequest } from "../../doors/cli/mcpServers.js";
import { tellFailure } from "../../doors/cli/tellFailure.js";
import type { ConfiguredServer, ConfiguredServers } from "../../features/mcp/configuredServers.js";
import { SERVER_FILES } from "../../features/mcp/serverFiles.js";
import { isAgentsCommand } from "../../hosts/node/environment.js";
import { openLineTerminal } from "../../hosts/node/lineTerminal.js";
import { NodeSpawner } from "../../hosts/node/processes/spawner.js";
import { fileDiff } from "../../text/diff/fileDiff.js";
import { visibleLine } from "../../text/showHidden.js";
import { listed } from "../../text/words.js";
import { loadMcpClient } from "../loadMcpClient.js";
import { isYes, type Asker } from "./askApproval.js";
import { CliMcpServers, serverFilesHost, usersServersFile } from "./mcpServers.js";
import { openFolder, type CliFolder, type CliPlace } from "./workspace.js";

/**
 * Shows or approves the MCP servers of a command line's folder. To see whether tools that were called have changed,
 * approving starts the servers that were approved before.
 *
 * @returns the exit code
 * @throws Error if the folder does not exist
 */
export async function manageMcpServers(
  place: CliPlace,
  request: McpServersRequest,
  signal: AbortSignal,
): Promise<number> {
  const folder = openFolder(place);
  // Definitions may have secrets in arguments and addresses.
  const out = (line: string): void => void process.stdout.write(`${masked(folder, line)}\n`);
  try {
    const { readConfiguredServers } = await loadMcpClient();
    const configured = await readConfiguredServers(serverFilesHost(folder));
    return request.kind === "list"
      ? list(configured, request.json, out)
      : await approve(configured, request.server, folder, {
          yes: request.yes,
          out,
          signal,
          terminal: openLineTerminal(),
        });
  } catch (error) {
    if (signal.aborted) {
      return EXIT.cancelled;
    }
    place.warn(tellFailure(error));
    return EXIT.toolError;
  } finally {
    await folder.state.close();
  }
}

function masked({ state }: CliFolder, text: string): string {
  return state.secrets()?.now().mask(text) ?? text;
}

function list({ servers, own, problems }: ConfiguredServers, json: boolean, out: (line: string) => void): number {
  for (const server of servers) {
    const { name, file, isApproved, ignored, text } = server;
    if (json) {
      out(
        JSON.stringify({
          server: name,
          file,
          approved: isApproved,
          state: stateOf(server),
          definition: JSON.parse(text) as unknown,
        }),
      );
      continue;
    }
    out(`${name} (${file}): ${stateOf(server)}`);
    out(`  ${visibleLine(startOf(server))}`);
    if (ignored.length > 0) {
      out(`  Without effect here: ${listed(ignored)}.`);
    }
  }
  if (!json) {
    own.forEach((each) => out(`${each}: passed over, since it means Toolhost itself, whose tools are here.`));
  }
  problems.forEach((problem) => out(json ? JSON.stringify({ problem }) : problem));
  if (servers.length + own.length + problems.length === 0 && !json) {
    out(`No MCP server is configured in ${listed([...SERVER_FILES, usersServersFile()])}.`);
  }
  return EXIT.ok;
}

function stateOf({ isApproved, lastApproved, unknown, start, problem }: ConfiguredServer): string {
  if (start === undefined) {
    return `cannot be used. ${problem ?? ""}`.trim();
  }
  if (unknown !== undefined) {
    return `inert: it is not known whether you approved it: ${unknown}`;
  }
  return isApproved
    ? "approved"
    : `inert: ${lastApproved === undefined ? "not approved" : "changed since it was approved"}. Approve it: toolhost mcp approve`;
}

function startOf({ start, text }: ConfiguredServer): string {
  return start?.kind === "stdio"
    ? [start.entry.command, ...(start.entry.args ?? [])]
        .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)))
        .join(" ")
    : (start?.entry.url ?? text.replaceAll(/\s+/g, " ").slice(0, 200));
}

async function approve(
  { servers, problems }: ConfiguredServers,
  name: string | undefined,
  folder: CliFolder,
  asker: Asker,
): Promise<number> {
  const { out } = asker;
  problems.forEach((problem) => out(problem));
  const wanted = servers.filter((server) => name === undefined || server.name === name);
  if (wanted.length === 0) {
    throw new ToolError(
      "not_found",
      name === undefined ? "No MCP server is configured here." : `There is no server ${visibleLine(name)} here.`,
      name === undefined
        ? `Servers are configured in ${listed([...SERVER_FILES, usersServersFile()])}.`
        : `toolhost mcp servers lists all.`,
    );
  }
  let isDone = true;
  for (const server of wanted) {
    isDone = (await approveServer(server, folder, asker)) && isDone;
  }
  for (const server of wanted.filter(({ isApproved, start }) => isApproved && start !== undefined)) {
    isDone = (await approveTools(server, folder, asker)) && isDone;
  }
  return isDone ? EXIT.ok : EXIT.toolError;
}

/**
 * Shows what a server has changed in the definitions of tools that were called, and asks. Returns whether all are
 * approved.
 */
async function approveTools({ name }: ConfiguredServer, folder: CliFolder, asker: Asker): Promise<boolean> {
  const spawner = new NodeSpawner();
  const servers = new CliMcpServers({ ...folder, spawner });
  try {
    const { changed, missing } = await servers.changes(asker.signal, name);
    missing.forEach(({ why, hint }) => asker.out([why, hint].filter((text) => text !== undefined).join(" ")));
    let isDone = missing.length === 0;
    for (const each of changed) {
      if (isAgentsCommand(process.env)) {
        throw notTheUsersServers(name);
      }
      const what = `${each.tool.tool} of ${name}`;
      const detail = { language: "diff", text: masked(folder, each.change.diff) };
      if (await isYes(what, "Its definition has changed since it was listed first or called last.", detail, asker)) {
        await servers.accept(each);
        asker.out(`${what} is approved: exactly this definition.`);
      } else {
        isDone = false;
      }
    }
    return isDone;
  } finally {
    await servers.close();
    spawner.dispose();
  }
}

/** Shows a server's definition, or what has changed in it, and asks. Returns whether it is approved. */
async function approveServer(server: ConfiguredServer, folder: CliFolder, asker: Asker): Promise<boolean> {
  const { name, file, text, isApproved, lastApproved, start, unknown } = server;
  const { out } = asker;
  if (start === undefined) {
    out(`${name} (${file}) ${stateOf(server)}`);
    return false;
  }
  if (isApproved) {
    out(`${name} (${file}) is approved already.`);
    return true;
  }
  if (isAgentsCommand(process.env)) {
    throw notTheUsersServers(name);
  }
  if (unknown !== undefined) {
    throw new ToolError("unavailable", `${name} cannot be approved: ${unknown}`);
  }
  const { approvalKey, PASSED_ON } = await loadMcpClient();
  const does =
    start.kind === "stdio"
      ? `It is a program that runs on this machine, with your rights. Of your variables it gets those that env names, and ${listed(PASSED_ON)}.`
      : "It is a server that is sent what models give its tools.";
  const reason = lastApproved === undefined ? does : `It has changed since you approved it. ${does}`;
  const diff = fileDiff(`${name} (${file})`, lastApproved, text);
  const detail = { language: "diff", text: masked(folder, diff) };
  if (!(await isYes(name, reason, detail, asker))) {
    return false;
  }
  await (await folder.state.states.toolFiles()).approve(approvalKey(server), text);
  out(`${name} (${file}) is approved: exactly this definition.`);
  return true;
}

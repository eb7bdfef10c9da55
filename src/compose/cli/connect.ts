import { agentsMayNotConnect } from "../../doors/cli/agentsCommand.js";
import type { ConnectRequest } from "../../doors/cli/connect.js";
import { EXIT } from "../../doors/cli/exitCode.js";
import { tellFailure } from "../../doors/cli/tellFailure.js";
import { TerminalQuestion } from "../../doors/cli/terminalQuestion.js";
import { ToolError } from "../../core/errors.js";
import { isAgentsCommand } from "../../hosts/node/environment.js";
import { openLineTerminal } from "../../hosts/node/lineTerminal.js";
import { showHidden } from "../../text/showHidden.js";
import { planConnection, type Connection } from "../connect.js";
import type { CliPlace } from "./workspace.js";

/**
 * Writes or removes the entry of `toolhost mcp` in an agent's configuration, once the user has seen the change and said
 * yes.
 *
 * @returns the exit code
 */
export async function connectAgent(
  { target, warn }: CliPlace,
  request: ConnectRequest,
  out: (text: string) => void,
  signal: AbortSignal,
): Promise<number> {
  const { client, start, yes } = request;
  try {
    if (isAgentsCommand(process.env)) {
      throw agentsMayNotConnect(client.title);
    }
    const connection = await planConnection(client, { folder: target.workspace ?? ".", start });
    const { path, diff } = connection;
    if (diff === "") {
      out(start === undefined ? `${path} has no entry for Toolhost.` : `${path} has this entry already.`);
      return EXIT.ok;
    }
    if (!(await isYes(connection, request, { yes, out, signal }))) {
      out(`${path} was not changed.`);
      return EXIT.toolError;
    }
    await connection.write();
    out(
      start === undefined
        ? `${path}: the entry is removed. ${client.title} ends the server when it restarts.`
        : `${path} is written. ${client.title} has the tools when it restarts. toolhost connect ${client.id} --remove takes the entry away.`,
    );
    return EXIT.ok;
  } catch (error) {
    if (signal.aborted) {
      return EXIT.cancelled;
    }
    warn(tellFailure(error));
    return EXIT.toolError;
  }
}

/** Shows the change and asks. @throws ToolError `denied` if there is no terminal to ask on */
async function isYes(
  { path, diff }: Connection,
  { client, start }: ConnectRequest,
  { yes, out, signal }: { yes: boolean; out: (text: string) => void; signal: AbortSignal },
): Promise<boolean> {
  const terminal = yes ? undefined : openLineTerminal();
  if (terminal === undefined) {
    out(showHidden(diff, true).text);
  }
  if (yes) {
    return true;
  }
  if (terminal === undefined) {
    throw new ToolError(
      "denied",
      `${path} was not changed: there is no terminal to ask on.`,
      "Run it in a terminal, or with --yes.",
    );
  }
  const question = {
    tool: "connect",
    title:
      start === undefined ? `Take Toolhost's entry out of ${path}?` : `Write this into ${path}, for ${client.title}?`,
    reasons: [],
    detail: { language: "diff", text: diff },
    derived: [],
    accept: "Write",
  };
  return (await new TerminalQuestion(terminal).ask(question, signal)) !== "no";
}

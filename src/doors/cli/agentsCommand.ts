import { ToolError } from "../../core/errors.js";
import type { ApprovedDocuments } from "../../ports/approvals.js";
import type { Answer, Confirm, Question } from "../../ports/confirm.js";
import { quoted } from "./allow.js";

const WHO = "an agent started this command line (TOOLHOST_AGENT is set)";

/** Denies every question: an agent started the command line, and there is no terminal. */
export class AgentsCommand implements Confirm {
  async ask({ tool, reasons }: Question): Promise<Answer> {
    throw new ToolError(
      "denied",
      `${tool} needs the user's permission: ${WHO}, and there is no terminal to ask on. Nothing was done. ${reasons.join(" ")}`.trim(),
      "Call the tool itself where the user can be asked, or let them run this command in their own terminal.",
    );
  }
}

/**
 * Approvals for a command line that an agent started: it can list and revoke them but approve nothing, whoever says yes.
 */
export function closedApprovals(approvals: ApprovedDocuments): ApprovedDocuments {
  return { ...approvals, approve: (document) => Promise.reject(notTheUser(document)), byOwner: false, isClosed: true };
}

/** Builds the error for an agent's command line that tries to approve a document. @param name of the schedule */
export function notTheUser(document: string, name?: string): ToolError {
  const command = `toolhost work --approve${name === undefined ? "" : ` ${quoted(name)}`}`;
  return new ToolError(
    "denied",
    `${document} was not approved: ${WHO}, and only the user can approve.`,
    `Ask the user to run “Toolhost: Approve Schedules…” in VS Code, or ${command} in their own terminal.`,
  );
}

/** Builds the error for an agent's command line that tries to approve a file of tools. */
export function notTheUsersTools(file: string): ToolError {
  return new ToolError(
    "denied",
    `${file} was not approved: ${WHO}, and only the user can approve.`,
    "Ask the user to run toolhost tools approve in their own terminal.",
  );
}

/** Builds the error for an agent's command line that tries to approve an MCP server. */
export function notTheUsersServers(server: string): ToolError {
  return new ToolError(
    "denied",
    `${server} was not approved: ${WHO}, and only the user can approve.`,
    "Ask the user to run toolhost mcp approve in their own terminal.",
  );
}

/** Builds the error for an agent's command line that tries to undo changes. */
export function notTheUsersUndo(): ToolError {
  return new ToolError(
    "denied",
    `undo: nothing was undone: ${WHO}, and only the user can undo.`,
    "Ask the user to run “Toolhost: Undo Last Turn” in VS Code, or toolhost undo in their own terminal.",
  );
}

/** Builds the error for an agent's command line that tries to change another agent's configuration. */
export function agentsMayNotConnect(title: string): ToolError {
  return new ToolError(
    "denied",
    `connect: the configuration of ${title} was not changed: ${WHO}, and only the user can change it.`,
    "Ask the user to run “Toolhost: Connect an Outside Agent…” in VS Code, or toolhost connect in their own terminal.",
  );
}

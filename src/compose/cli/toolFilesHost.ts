import { readFileSync } from "node:fs";
import { ToolError } from "../../core/errors.js";
import { Registry } from "../../core/registry.js";
import { notTheUsersTools } from "../../doors/cli/agentsCommand.js";
import type { OtherTools } from "../../features/custom/readTools.js";
import type { ApiLoader } from "../../features/custom/services.js";
import type { Problem } from "../../features/custom/source.js";
import { readToolFiles, type ToolFile, type ToolFilesHost } from "../../features/custom/toolFiles.js";
import { DEFAULT_MAX_TOOLS, MAX_TOOLS, readMaxTools } from "../../features/openapi/entry.js";
import { isAgentsCommand } from "../../hosts/node/environment.js";
import { NodePrograms } from "../../hosts/node/programs.js";
import { SECRET_VARIABLE } from "../../hosts/node/secrets/hostSecrets.js";
import { keptUsersTools } from "../../hosts/node/state/usersTools.js";
import { SETTING } from "../../names/settings.js";
import { messageOf } from "../../text/words.js";
import { tools } from "../../tools/index.js";
import { openApiTools } from "../openApiTools.js";
import type { CliFolder } from "./workspace.js";

/** The variable with the number of tools of an OpenAPI entry that are listed. */
const MAX_TOOLS_VARIABLE = "TOOLHOST_OPENAPI_MAX_TOOLS";

const shipped = new Registry(tools);
export const programs = new NodePrograms(() => process.env["PATH"] ?? "");
const secrets = {
  secret: async (name: string) => process.env[SECRET_VARIABLE + name],
  secretAdvice: (name: string) => `Set the variable ${SECRET_VARIABLE}${name}.`,
};
export const api = openApiTools({ ...secrets, maxTools });

/** @throws ToolError `invalid_input` if the variable is not such a number */
function maxTools(): number {
  const given = process.env[MAX_TOOLS_VARIABLE]?.trim();
  if (given === undefined || given === "") {
    return DEFAULT_MAX_TOOLS;
  }
  const number = readMaxTools(Number(given));
  if (number === undefined) {
    throw new ToolError("invalid_input", `${MAX_TOOLS_VARIABLE} must be a whole number from 0 to ${MAX_TOOLS}.`);
  }
  return number;
}

/** Returns what reads the files of tools of a command line's folder. */
export function toolFilesHost({
  files,
  state,
}: Pick<CliFolder, "files" | "state">): ToolFilesHost & { api: ApiLoader } {
  return {
    ...{ files, programs },
    approved: () => state.states.toolFiles(),
    ...others,
    users: usersTools,
    api,
    approveBy: "toolhost tools approve",
    ...secrets,
    secret: async (name) => {
      const value = await secrets.secret(name);
      state.addSecret(SECRET_VARIABLE + name, value ?? "");
      return value;
    },
  };
}

/** Reads the files of tools of a command line's folder. */
export function cliToolFiles(folder: Pick<CliFolder, "files" | "state">): Promise<ToolFile[]> {
  return readToolFiles(toolFilesHost(folder));
}

/** The user's own file of tools for every folder. */
export function usersFile(): string | undefined {
  return process.env["TOOLHOST_TOOLS"] || undefined;
}

/**
 * Returns the tools that the user has in every folder: those of their own file, or else of VS Code's settings. A command
 * line that an agent started has none.
 */
export function usersTools(): { path: string; text: string } | undefined {
  if (isAgentsCommand(process.env)) {
    return undefined;
  }
  const path = usersFile();
  try {
    const text = path === undefined ? keptUsersTools() : readFileSync(path, "utf8");
    return text === undefined ? undefined : { path: path ?? SETTING.tools, text };
  } catch (error) {
    const whose = path === undefined ? `the setting ${SETTING.tools}` : "TOOLHOST_TOOLS";
    throw new ToolError("io_error", `${whose}: the file cannot be read: ${messageOf(error)}`);
  }
}

export const others: OtherTools = {
  reserved: (name) => shipped.nameProblem(name) !== undefined,
  ours: (name) => shipped.get(name),
};

/** @throws ToolError `denied` if an agent started this command line */
export function refuseAgents(path: string): void {
  if (isAgentsCommand(process.env)) {
    throw notTheUsersTools(path);
  }
}

/** Returns a problem of a file with its place, as editors and terminals link it. */
export function placed(path: string, { line, column, message }: Problem): string {
  return `${path}:${line}:${column}: ${message}`;
}

import { readFileSync } from "node:fs";
import type { Tool } from "../../core/contract.js";
import { ToolError } from "../../core/errors.js";
import { toDescribedTool } from "../../core/formats.js";
import { Registry } from "../../core/registry.js";
import { notTheUsersTools } from "../../doors/cli/agentsCommand.js";
import { EXIT } from "../../doors/cli/exitCode.js";
import { tellFailure } from "../../doors/cli/tellFailure.js";
import type { ToolsRequest } from "../../doors/cli/tools.js";
import { TOOLS_FILE } from "../../features/custom/entry.js";
import type { OtherTools } from "../../features/custom/readTools.js";
import { overviewOf, secretsOf } from "../../features/custom/overview.js";
import type { Problem } from "../../features/custom/source.js";
import {
  approveService,
  describeService,
  loadService,
  whyApprove,
  type ApiLoader,
  type Service,
} from "../../features/custom/services.js";
import { RegisteredTools } from "../../features/custom/registeredTools.js";
import {
  readToolFiles,
  versionOfToolFiles,
  waitingTools,
  whyInert,
  type ToolFile,
  type ToolFilesHost,
} from "../../features/custom/toolFiles.js";
import { isAgentsCommand } from "../../hosts/node/environment.js";
import { SECRET_VARIABLE } from "../../hosts/node/secrets/hostSecrets.js";
import { keptUsersTools } from "../../hosts/node/state/usersTools.js";
import { openLineTerminal } from "../../hosts/node/lineTerminal.js";
import { NodePrograms } from "../../hosts/node/programs.js";
import { SETTING } from "../../names/settings.js";
import { fileDiff } from "../../text/diff/fileDiff.js";
import { MIN_NAMED } from "../../text/secrets/named.js";
import { visibleLine } from "../../text/showHidden.js";
import { messageOf } from "../../text/words.js";
import { tools } from "../../tools/index.js";
import { DEFAULT_MAX_TOOLS, MAX_TOOLS, readMaxTools } from "../../features/openapi/entry.js";
import { lookEvery } from "../lookEvery.js";
import { openApiTools } from "../openApiTools.js";
import { isYes, type Asker } from "./askApproval.js";
import { FetchProgress } from "./fetchProgress.js";
import { validateTools } from "./validateTools.js";
import { openFolder, type CliFolder, type CliPlace } from "./workspace.js";

/** The variable with the number of tools of an OpenAPI entry that are listed. */
const MAX_TOOLS_VARIABLE = "TOOLHOST_OPENAPI_MAX_TOOLS";

/** How often a process that runs on looks for changes of the files, in ms. */
const LOOK_EVERY = 1_000;

const shipped = new Registry(tools);
const programs = new NodePrograms(() => process.env["PATH"] ?? "");
const secrets = {
  secret: async (name: string) => process.env[SECRET_VARIABLE + name],
  secretAdvice: (name: string) => `Set the variable ${SECRET_VARIABLE}${name}.`,
};
const api = openApiTools({ ...secrets, maxTools });

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
function cliToolFiles(folder: Pick<CliFolder, "files" | "state">): Promise<ToolFile[]> {
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
function usersTools(): { path: string; text: string } | undefined {
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

const others: OtherTools = {
  reserved: (name) => shipped.nameProblem(name) !== undefined,
  ours: (name) => shipped.get(name),
};

/**
 * Returns the user's tool of a name, for a call.
 *
 * @returns undefined if no file has such a tool
 * @throws ToolError `denied` if the user has not approved its file, `invalid_input` if its entry cannot be used
 */
export async function customTool(
  folder: Pick<CliFolder, "files" | "state">,
  name: string,
  warn: (message: string) => void,
): Promise<Tool | undefined> {
  for (const file of await cliToolFiles(folder)) {
    const waits = waitingTools(file).find((each) => each.tool.name === name);
    if (waits !== undefined) {
      throw new ToolError(
        "denied",
        `${name}: ${waits.why}. Nothing was run.`,
        "Read and approve it: toolhost tools approve.",
      );
    }
    const tool = file.tools.find((each) => each.name === name);
    if (tool !== undefined) {
      warnOfShortSecrets(file, warn);
      return tool;
    }
    const problem = file.problems.find((each) => each.tool === name);
    if (problem !== undefined) {
      throw new ToolError(
        "invalid_input",
        `${name} cannot be used: ${placed(file.path, problem)}`,
        "Correct the file.",
      );
    }
  }
  return undefined;
}

/**
 * Reads the tools of a folder's files.
 *
 * @param approved whether only those that can be called; all are known, for rules that name them
 */
export async function ownTools(place: CliPlace, approved = false): Promise<readonly Tool[]> {
  const folder = openFolder(place);
  try {
    const files = await cliToolFiles(folder);
    return files.flatMap((file) => [
      ...(file.isApproved ? file.tools : []),
      ...(approved ? [] : waitingTools(file).map(({ tool }) => tool)),
    ]);
  } finally {
    folder.state.close();
  }
}

/** The user's own tools in a registry, for as long as a process runs. */
export interface OwnTools {
  /** Reads the files again if they or their approvals have changed. */
  refresh: () => Promise<void>;
  dispose: () => void;
}

/**
 * Keeps the user's own tools in a registry as their files and approvals are, and says which files are inert or have
 * problems, each once.
 */
export async function followOwnTools(
  registry: Registry,
  folder: Pick<CliFolder, "files" | "state">,
  warn: (message: string) => void,
): Promise<OwnTools> {
  const host = toolFilesHost(folder);
  const own = new RegisteredTools(registry, () => readToolFiles(host), host.approveBy);
  const said = new Set<string>();
  const say = (message: string): void => {
    if (!said.has(message)) {
      said.add(message);
      warn(message);
    }
  };
  let version: string | undefined;
  const refresh = async (): Promise<void> => {
    const now = await versionOfToolFiles(host, own.files);
    if (now === version) {
      return;
    }
    for (const file of await own.refresh()) {
      file.problems.forEach((problem) => say(placed(file.path, problem)));
      warnOfShortSecrets(file, say);
      if (!file.isApproved && file.tools.length > 0) {
        say(`${whyInert(file)}, so no agent has its tools. Read and approve it: toolhost tools approve`);
      }
    }
    version = now;
  };
  await refresh();
  // Clients learn of a change before their next call.
  const dispose = lookEvery(LOOK_EVERY, refresh, (error) => say(messageOf(error)));
  return { refresh, dispose };
}

/** Says which secrets of a file's tools are too short to be hidden in what those print. */
function warnOfShortSecrets(file: ToolFile, warn: (message: string) => void): void {
  const names = new Set([...file.entries, ...file.services].flatMap(({ entry }) => secretsOf(entry)));
  for (const name of names) {
    const length = process.env[SECRET_VARIABLE + name]?.trim().length ?? 0;
    if (length > 0 && length < MIN_NAMED) {
      warn(`${SECRET_VARIABLE}${visibleLine(name)} has fewer than ${MIN_NAMED} characters, so results do not hide it.`);
    }
  }
}

function placed(path: string, { line, column, message }: Problem): string {
  return `${path}:${line}:${column}: ${message}`;
}

/**
 * Shows, checks or approves the tools of a command line's folder.
 *
 * @returns the exit code
 * @throws Error if the folder does not exist
 */
export async function manageTools(
  place: CliPlace,
  request: Exclude<ToolsRequest, { kind: "add" }>,
  signal: AbortSignal,
): Promise<number> {
  const folder = openFolder(place);
  const out = (line: string): void => void process.stdout.write(`${line}\n`);
  try {
    switch (request.kind) {
      case "list":
        return list(await cliToolFiles(folder), request.json, out);
      case "describe":
        return describe(await cliToolFiles(folder), request.tool, out);
      case "validate":
        return await validateTools(
          { ...request, users: request.file === undefined ? usersTools()?.text : undefined },
          { files: folder.files, programs, others, api },
          out,
        );
      case "approve":
        return await approve(folder, request.yes, out, signal);
    }
  } catch (error) {
    if (signal.aborted) {
      return EXIT.cancelled;
    }
    place.warn(tellFailure(error));
    return EXIT.toolError;
  } finally {
    folder.state.close();
  }
}

function list(files: readonly ToolFile[], json: boolean, out: (line: string) => void): number {
  for (const file of files) {
    const { path, isApproved, tools: found, problems } = file;
    const described = found.map(({ name, description, annotations }) => ({ name, description, ...annotations }));
    if (json) {
      out(JSON.stringify({ file: path, approved: isApproved, tools: described, problems }));
      continue;
    }
    out(
      isApproved
        ? `${path} (approved)`
        : file.text === undefined
          ? `${path}: inert: it cannot be read`
          : `${path}: inert: ${whyInert(file)}. Approve it: toolhost tools approve`,
    );
    found.forEach(({ name, description }) => out(`  ${name}  ${visibleLine(description)}`));
    problems.forEach((problem) => out(`  ${placed(path, problem)}`));
  }
  if (files.length === 0 && !json) {
    out(`There is no ${TOOLS_FILE} here.`);
  }
  return EXIT.ok;
}

function describe(files: readonly ToolFile[], name: string | undefined, out: (line: string) => void): number {
  const all = files.flatMap(({ tools: found }) => found);
  const wanted = name === undefined ? all : all.filter((tool) => tool.name === name);
  if (name !== undefined && wanted.length === 0) {
    throw new ToolError(
      "not_found",
      `${visibleLine(name)}: no file of tools has it.`,
      "toolhost tools list shows all.",
    );
  }
  const described = wanted.map(toDescribedTool);
  out(JSON.stringify(name === undefined ? described : described[0], undefined, 2));
  return EXIT.ok;
}

async function approve(
  folder: CliFolder,
  yes: boolean,
  out: (line: string) => void,
  signal: AbortSignal,
): Promise<number> {
  const files = await cliToolFiles(folder);
  if (files.length === 0) {
    throw new ToolError("not_found", `There is no ${TOOLS_FILE} here.`, "Write one first: docs/custom-tools.md.");
  }
  const asker = { yes, out, signal, terminal: openLineTerminal() };
  let isDone = true;
  for (const file of files) {
    // Do not report that entries wait for this approval.
    file.problems.filter(({ isWaiting }) => isWaiting !== true).forEach((problem) => out(placed(file.path, problem)));
    isDone = (await approveFile(file, folder, asker)) && isDone;
  }
  return isDone ? EXIT.ok : EXIT.toolError;
}

/** Approves a file of tools, then the descriptions that it names. Returns whether all of it is approved. */
async function approveFile(file: ToolFile, folder: CliFolder, asker: Asker): Promise<boolean> {
  const { path, text, isApproved, lastApproved, unknown } = file;
  const { out } = asker;
  if (isApproved) {
    out(`${path} is approved already.`);
    return approveServices(file, folder, asker);
  }
  refuseAgents(path);
  if (unknown !== undefined) {
    throw new ToolError("unavailable", `${path} cannot be approved: ${unknown}`);
  }
  if (text === undefined) {
    return false;
  }
  const reason =
    lastApproved === undefined
      ? "Its tools run commands on this machine, and models can call them."
      : "It has changed since you approved it.";
  const shown = [...overviewOf(file), "", fileDiff(path, lastApproved, text)].join("\n");
  const detail = { language: "diff", text: shown };
  if (!(await isYes(path, reason, detail, asker))) {
    return false;
  }
  await (await folder.state.states.toolFiles()).approve(path, text);
  out(`${path} is approved: exactly this text.`);
  return approveServices(file, folder, asker);
}

/** Approves the descriptions of a file's services. Those at an address are fetched again. */
async function approveServices({ path, services }: ToolFile, folder: CliFolder, asker: Asker): Promise<boolean> {
  let isDone = true;
  for (const service of services) {
    const { source, address, lastApproved, isApproved } = service;
    const text = address === undefined ? service.text : await fetched(service, asker);
    if (text === undefined) {
      isDone = false;
      continue;
    }
    if (address === undefined ? isApproved : text === lastApproved) {
      asker.out(`${visibleLine(source)} is approved already.`);
      continue;
    }
    refuseAgents(path);
    const now: Service = { ...service, text };
    const detail = { language: "diff", text: await describeService(now, await loadService(api, now, others.reserved)) };
    if (!(await isYes(visibleLine(source), whyApprove(service), detail, asker))) {
      isDone = false;
      continue;
    }
    await approveService(await folder.state.states.toolFiles(), service, text);
    asker.out(`${visibleLine(source)} is approved: exactly this text.`);
  }
  return isDone;
}

/** Fetches a description. One that cannot be fetched now stays as it was approved. */
async function fetched({ entry, source, lastApproved }: Service, { out, signal }: Asker): Promise<string | undefined> {
  refuseAgents(source);
  const progress = new FetchProgress(visibleLine(source));
  try {
    return await api.fetchText(entry, signal, (bytes) => progress.show(bytes));
  } catch (error) {
    signal.throwIfAborted();
    progress.end();
    out(`${visibleLine(source)}: ${tellFailure(error)}`);
    return lastApproved;
  } finally {
    progress.end();
  }
}

/** @throws ToolError `denied` if an agent started this command line */
export function refuseAgents(path: string): void {
  if (isAgentsCommand(process.env)) {
    throw notTheUsersTools(path);
  }
}

// `toolhost tools approve`: the user reads a folder's files of tools and approves them.
import { ToolError } from "../../core/errors.js";
import { EXIT } from "../../doors/cli/exitCode.js";
import { tellFailure } from "../../doors/cli/tellFailure.js";
import { TOOLS_FILE } from "../../features/custom/entry.js";
import { overviewOf } from "../../features/custom/overview.js";
import {
  approveService,
  describeService,
  loadService,
  whyApprove,
  type Service,
} from "../../features/custom/services.js";
import type { ToolFile } from "../../features/custom/toolFiles.js";
import { openLineTerminal } from "../../hosts/node/lineTerminal.js";
import { fileDiff } from "../../text/diff/fileDiff.js";
import { visibleLine } from "../../text/showHidden.js";
import { isYes, type Asker } from "./askApproval.js";
import { FetchProgress } from "./fetchProgress.js";
import { api, cliToolFiles, others, placed, refuseAgents } from "./toolFilesHost.js";
import type { CliFolder } from "./workspace.js";

/**
 * Approves all files of tools of a folder, and the descriptions that they name.
 *
 * @param yes whether the user has agreed already
 * @returns the exit code
 * @throws ToolError `not_found` if there is none, `denied` if nobody can be asked
 */
export async function approveTools(
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

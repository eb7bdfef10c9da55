// `toolhost tools`: shows, checks or approves a folder's files of tools.
import { ToolError } from "../../core/errors.js";
import { toDescribedTool } from "../../core/formats.js";
import { EXIT } from "../../doors/cli/exitCode.js";
import { tellFailure } from "../../doors/cli/tellFailure.js";
import type { ToolsRequest } from "../../doors/cli/tools.js";
import { TOOLS_FILE } from "../../features/custom/entry.js";
import { whyInert, type ToolFile } from "../../features/custom/toolFiles.js";
import { visibleLine } from "../../text/showHidden.js";
import { approveTools } from "./approveTools.js";
import { api, cliToolFiles, others, placed, programs, usersTools } from "./toolFilesHost.js";
import { validateTools } from "./validateTools.js";
import { openFolder, type CliPlace } from "./workspace.js";

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
        return await approveTools(folder, request.yes, out, signal);
    }
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

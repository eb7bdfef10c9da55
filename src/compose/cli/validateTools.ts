// `toolhost tools validate`: what is wrong with a file of tools.
import { ToolError } from "../../core/errors.js";
import { bareName } from "../../core/registry.js";
import { EXIT } from "../../doors/cli/exitCode.js";
import { TOOLS_FILE } from "../../features/custom/entry.js";
import { missingParts } from "../../features/custom/missingParts.js";
import { openFile } from "../../features/custom/openFile.js";
import { MAX_FILE, readTools, type OtherTools } from "../../features/custom/readTools.js";
import { problemsOf, type ApiLoader } from "../../features/custom/services.js";
import { decoded } from "../../features/custom/toolFiles.js";
import type { OpenApiEntry } from "../../features/openapi/entry.js";
import type { Files } from "../../ports/files.js";
import type { Programs } from "../../ports/programs.js";
import { visibleLine } from "../../text/showHidden.js";
import { count, messageOf } from "../../text/words.js";

interface ValidateRequest {
  /** The folder's own file if undefined. */
  file: string | undefined;
  /** The names of Toolhost's own commands. */
  commands: readonly string[];
  /** The text of the user's tools for every folder, which have their names already. */
  users: string | undefined;
}

interface ValidateHost {
  files: Files;
  programs: Programs;
  others: OtherTools;
  api: ApiLoader;
}

/**
 * Checks the tools of a file: prints a line with PASS, WARN or FAIL for each.
 *
 * @returns the exit code
 * @throws ToolError `not_found` if there is no such file
 */
export async function validateTools(
  { file, commands, users }: ValidateRequest,
  host: ValidateHost,
  out: (line: string) => void,
): Promise<number> {
  const { files, programs, others } = host;
  const path = file ?? TOOLS_FILE;
  let text: string;
  try {
    text = await readText(files, path, MAX_FILE);
  } catch (error) {
    if (error instanceof ToolError && error.type === "not_found") {
      throw error;
    }
    out(`FAIL the file (${path}:1:1): ${messageOf(error)}`);
    return EXIT.toolError;
  }
  const taken = new Set(users && readTools(users, others).entries.map(({ entry }) => bareName(entry.name)));
  const { entries, services, problems } = readTools(text, { ...others, taken: (name) => taken.has(bareName(name)) });
  const [root] = files.roots();
  const missing = await missingParts(entries, { programs, files }, root?.path ?? ".", ".");
  problems.push(...missing.filter(({ isWarning }) => isWarning !== true));
  const lines = problems.map((problem) => ({
    ...problem,
    text: `FAIL ${problem.tool ?? problem.list ?? "the file"} (${path}:${problem.line}:${problem.column}): ${problem.message}`,
  }));
  for (const { entry, line, column } of entries) {
    if (problems.some(({ tool }) => tool === entry.name)) {
      continue;
    }
    const at = `${entry.name} (${path}:${line}:${column})`;
    const warnings = missing.filter(({ tool }) => tool === entry.name).map(({ message }) => message);
    if (commands.includes(entry.name)) {
      warnings.push(`toolhost ${entry.name} is another command: call it with toolhost run ${entry.name}.`);
    }
    const text = warnings.length === 0 ? `PASS ${at}` : `WARN ${at}: ${warnings.join(" ")}`;
    lines.push({ ...{ line, column, message: "" }, text });
  }
  const names = new Set(entries.map(({ entry }) => entry.name));
  for (const { entry, line, column } of services) {
    const verdict = await checkService(entry, host, names);
    problems.push(...(verdict.startsWith("FAIL") ? [{ line, column, message: verdict }] : []));
    lines.push({ line, column, message: "", text: verdict.replace(" ", ` openapi (${path}:${line}:${column}) `) });
  }
  lines.sort((one, other) => one.line - other.line || one.column - other.column).forEach(({ text }) => out(text));
  if (lines.length === 0) {
    out(`PASS ${path} has no tools`);
  }
  return problems.length > 0 ? EXIT.toolError : EXIT.ok;
}

/** Reads a file as it is read when its tools are used: no link, UTF-8. */
async function readText(files: Files, path: string, limit: number): Promise<string> {
  return decoded(await files.readBytes(await openFile(files, path), limit));
}

/**
 * Returns the verdict on a service: PASS with the number of tools, or what is wrong or left out.
 *
 * @param names of the file's tools so far; those of the service are added
 */
async function checkService(
  entry: OpenApiEntry,
  { files, others, api }: ValidateHost,
  names: Set<string>,
): Promise<string> {
  if (/^https:/i.test(entry.spec)) {
    return `WARN ${visibleLine(entry.spec)} is fetched when you approve it.`;
  }
  try {
    const text = await readText(files, entry.spec, api.maxBytes);
    const isTaken = (name: string): boolean => names.has(name) || others.reserved(name);
    const loaded = await api.load(entry, { text, address: undefined }, isTaken);
    loaded.tools.forEach(({ name }) => names.add(name));
    const problems = problemsOf(loaded);
    const verdict = loaded.tools.length === 0 ? "FAIL" : problems.length > 0 ? "WARN" : "PASS";
    return `${verdict} ${visibleLine(entry.spec)}: ${[count(loaded.tools.length, "tool"), ...problems].join(". ")}`;
  } catch (error) {
    return `FAIL ${messageOf(error)}`;
  }
}

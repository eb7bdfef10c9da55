// The files of tools of a workspace's folders, and the tools of those that the user approved.
import type { Tool } from "../../core/contract.js";
import { bareName } from "../../core/registry.js";
import { ToolError, unlessMissing } from "../../core/errors.js";
import { MAX_FILE, readTools, type OtherTools, type ReadEntry } from "./readTools.js";
import type { Files, Root } from "../../ports/files.js";
import type { Programs } from "../../ports/programs.js";
import { messageOf } from "../../text/words.js";
import type { ApprovedFiles } from "./approvedFiles.js";
import { commandTool, type CommandToolParts } from "./commandTool.js";
import { TOOLS_FILE } from "./entry.js";
import type { Problem } from "./source.js";
import { missingParts } from "./missingParts.js";
import { openFile } from "./openFile.js";
import { readServices, type Service, type ServicesHost, type WaitingTool } from "./services.js";
import { useTool } from "./useTool.js";
import { programOf } from "./programOf.js";
import { whyAsks } from "./whyAsks.js";

/** What reading files of tools needs from a host. */
export interface ToolFilesHost extends OtherTools, Pick<CommandToolParts, "secret" | "secretAdvice">, ServicesHost {
  files: Files;
  /** Finds the programs of commands. If absent, a missing one is only reported when it is called. */
  programs?: Programs;
  /** Opens the user's approvals. Throws `ToolError` if the state cannot be stored. */
  approved: () => Promise<ApprovedFiles>;
  /** Returns the tools that the user has in every workspace, which need no approval; undefined if none. */
  users?: () => { path: string; text: string } | undefined;
}

/** A file of tools. */
export interface ToolFile {
  /** In the workspace, as people write it. */
  path: string;
  /** Undefined if it cannot be read. */
  text: string | undefined;
  /** Whether the user approved exactly this text. */
  isApproved: boolean;
  /** The text that the user approved last, if any. */
  lastApproved: string | undefined;
  /** Why it is not known whether it is approved. */
  unknown?: string;
  entries: readonly ReadEntry[];
  services: readonly Service[];
  /** The tools of its good entries, those of `entries` first. They may run only if it is approved. */
  tools: readonly Tool[];
  /** Tools that can be called once the user has approved what has changed. They have no names of `tools`. */
  waiting: readonly WaitingTool[];
  problems: readonly Problem[];
}

/** Returns why the tools of a file that is not approved cannot be called, as a sentence without its full stop. */
export function whyInert({ path, lastApproved, unknown }: ToolFile): string {
  return unknown !== undefined
    ? `it is not known whether you approved ${path}: ${unknown}`
    : lastApproved === undefined
      ? `${path} is not approved`
      : `${path} has changed since it was approved`;
}

/** Returns all tools of a file that cannot be called before the user has approved something. */
export function waitingTools(file: ToolFile): readonly WaitingTool[] {
  return file.isApproved
    ? file.waiting
    : [...file.tools.map((tool) => ({ tool, why: whyInert(file) })), ...file.waiting];
}

/** Reads the user's own tools, then the files of tools of all folders; folders without one are left out. */
export async function readToolFiles(host: ToolFilesHost): Promise<ToolFile[]> {
  const roots = host.files.roots().filter(({ beside }) => beside !== true);
  const found: ToolFile[] = [];
  const taken = new Set<string>();
  const [first] = roots;
  const users = first && host.users?.();
  if (first !== undefined && users !== undefined) {
    const folder = roots.length === 1 ? "." : first.name;
    const own = await parseToolFile(host, users, first, folder);
    found.push({ ...own, isApproved: true, lastApproved: undefined });
    own.tools.forEach(({ name }) => taken.add(bareName(name)));
  }
  for (const root of roots) {
    const folder = roots.length === 1 ? "." : root.name;
    const file = await readToolFile(host, root, folder, (name) => taken.has(bareName(name)));
    if (file !== undefined) {
      found.push(file);
      file.tools.forEach(({ name }) => taken.add(bareName(name)));
    }
  }
  return found;
}

/**
 * Returns a text that changes when `readToolFiles` may give something else than these files, without reading what they
 * describe. A change that keeps a file's size and time is missed: then what was approved stays in use.
 */
export async function versionOfToolFiles(host: ToolFilesHost, read: readonly ToolFile[]): Promise<string> {
  const roots = host.files.roots().filter(({ beside }) => beside !== true);
  const places = roots.map(({ name }) => (roots.length === 1 ? TOOLS_FILE : `${name}/${TOOLS_FILE}`));
  const described = read.flatMap(({ services }) =>
    services.flatMap(({ source, address }) => (address === undefined ? [source] : [])),
  );
  const users = host.users?.();
  const states = await Promise.all([...places, ...described].map((path) => stateOf(host.files, path)));
  const isThere = users !== undefined || states.some((state) => state !== undefined);
  return JSON.stringify([users, states, isThere ? await approvalsOf(host) : ""]);
}

async function stateOf(files: Files, path: string): Promise<string | undefined> {
  try {
    return await unlessMissing(async () => {
      const { kind, size, modified, state = "" } = await files.stat(await files.resolve(path));
      return `${kind} ${size} ${modified} ${state}`;
    });
  } catch (error) {
    return messageOf(error);
  }
}

async function approvalsOf({ approved }: ToolFilesHost): Promise<string> {
  try {
    return (await approved()).version();
  } catch (error) {
    return messageOf(error);
  }
}

async function readToolFile(
  host: ToolFilesHost,
  root: Root,
  folder: string,
  taken: (name: string) => boolean,
): Promise<ToolFile | undefined> {
  const path = folder === "." ? TOOLS_FILE : `${folder}/${TOOLS_FILE}`;
  let text: string;
  try {
    const at = await unlessMissing(() => openFile(host.files, path));
    if (at === undefined) {
      return undefined;
    }
    text = decoded(await host.files.readBytes(at, MAX_FILE));
  } catch (error) {
    const problems = [{ line: 1, column: 1, message: messageOf(error) }];
    const { lastApproved } = await approvalOf(host, path, "");
    const file = { path, text: undefined, lastApproved, problems, isApproved: false };
    const none = { ...file, entries: [], services: [], tools: [], waiting: [] };
    const why = messageOf(error).replace(/\.$/, "");
    return { ...none, waiting: await formerTools(host, none, root, folder, taken, why) };
  }
  const file = {
    ...(await parseToolFile(host, { path, text }, root, folder, taken)),
    ...(await approvalOf(host, path, text)),
  };
  return file.isApproved
    ? file
    : {
        ...file,
        waiting: [...file.waiting, ...(await formerTools(host, file, root, folder, taken, whyInert(file)))],
      };
}

/** Returns the tools that a file had when it was approved and has no more: rules of the user may name them. */
async function formerTools(
  host: ToolFilesHost,
  { path, lastApproved, tools, waiting }: ToolFile,
  root: Root,
  folder: string,
  taken: (name: string) => boolean,
  why: string,
): Promise<WaitingTool[]> {
  if (lastApproved === undefined) {
    return [];
  }
  const former = await parseToolFile(host, { path, text: lastApproved }, root, folder, taken);
  const known = new Set([...tools, ...waiting.map(({ tool }) => tool)].map(({ name }) => name));
  return [...former.tools, ...former.waiting.map(({ tool }) => tool)]
    .filter(({ name }) => !known.has(name))
    .map((tool) => ({ tool, why }));
}

/**
 * Reads a text as a file of tools, whether or not it is approved.
 *
 * @param folder the folder that its paths are relative to: `.`, or a folder's name in a workspace of several
 * @param taken whether another file has a tool of a name
 */
export async function parseToolFile(
  host: ToolFilesHost,
  { path, text }: { path: string; text: string },
  root: Root,
  folder: string,
  taken: (name: string) => boolean = () => false,
): Promise<Omit<ToolFile, "isApproved" | "lastApproved" | "unknown">> {
  const {
    entries,
    services: described,
    problems,
  } = readTools(text, { reserved: host.reserved, taken, ours: host.ours });
  const tools = await Promise.all(
    entries.map(async ({ entry }) => {
      if ("use" in entry) {
        const base = host.ours(entry.use);
        return base && useTool(entry, base);
      }
      return commandTool(entry, {
        ...{ folder, place: path, secret: host.secret, secretAdvice: host.secretAdvice },
        program: programOf(entry.command, root),
        asks: await whyAsks(entry, host.files, folder),
        whyAsks: (files) => whyAsks(entry, files, folder),
      });
    }),
  );
  const own = tools.filter((tool) => tool !== undefined);
  const names = new Set(own.map(({ name }) => name));
  const api = await readServices(
    host,
    described,
    folder,
    (name) => names.has(name) || taken(name) || host.reserved(name),
  );
  return {
    ...{ path, text, entries, services: api.services },
    tools: [...own, ...api.tools],
    waiting: api.waiting.filter(
      ({ tool: { name } }) => !names.has(name) && !api.tools.some((each) => each.name === name),
    ),
    problems: [
      ...problems,
      ...(host.programs === undefined
        ? []
        : await missingParts(entries, { programs: host.programs, files: host.files }, root.path, folder)),
      ...api.problems,
    ],
  };
}

async function approvalOf(
  { approved }: ToolFilesHost,
  path: string,
  text: string,
): Promise<Pick<ToolFile, "isApproved" | "lastApproved" | "unknown">> {
  try {
    const files = await approved();
    return { isApproved: await files.isApproved(path, text), lastApproved: files.lastApproved(path) };
  } catch (error) {
    if (!(error instanceof ToolError)) {
      throw error;
    }
    return { isApproved: false, lastApproved: undefined, unknown: `${error.message} ${error.hint ?? ""}`.trim() };
  }
}

/** @throws ToolError `unsupported` for bytes that are not UTF-8 */
export function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ToolError("unsupported", "The file is not UTF-8. Save it as UTF-8.");
  }
}

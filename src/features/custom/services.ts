// The services of a file of tools: OpenAPI descriptions, each approved by its exact text like the file itself. One at an
// address is fetched when the user approves it, and used as it was then.
import type { Tool } from "../../core/contract.js";
import { ToolError } from "../../core/errors.js";
import type { Files } from "../../ports/files.js";
import { shorten } from "../../text/clip.js";
import { textVersion } from "../../text/contentVersion.js";
import { fileDiff } from "../../text/diff/fileDiff.js";
import { visibleLine } from "../../text/showHidden.js";
import { count, messageOf } from "../../text/words.js";
import type { OpenApiEntry } from "../openapi/entry.js";
import type { OpenApiTools } from "../openapi/load.js";
import type { Survey } from "../openapi/survey.js";
import type { ApprovedFiles } from "./approvedFiles.js";
import { openFile } from "./openFile.js";
import type { ReadService } from "./readTools.js";
import type { Place, Problem } from "./source.js";

/** Larger descriptions are not shown as what has changed. */
const MAX_DIFF = 200_000;
/** Tools that are listed one by one when a description is approved. */
const MAX_LISTED = 40;
const MAX_LEFT_OUT = 5;
/** Begins the names under which descriptions are approved: as files of tools they would not be. */
const DESCRIPTION = "openapi ";
const ADDRESS = /^[a-z][a-z\d+.-]*:\/\//i;
const MAX_LINE = 200;

/** Makes tools of descriptions. */
export interface ApiLoader {
  /** Maximum size of a description. */
  maxBytes: number;
  /**
   * @param source `address`: where the text was fetched; undefined for a file
   * @param taken whether another tool has a name
   */
  load(
    entry: OpenApiEntry,
    source: { text: string; address: string | undefined },
    taken: (name: string) => boolean,
  ): Promise<OpenApiTools>;
  /**
   * Fetches the description from its address.
   *
   * @param onProgress called with the bytes so far
   * @throws ToolError, or the signal's reason
   */
  fetchText(
    entry: Pick<OpenApiEntry, "spec" | "allowPrivate">,
    signal: AbortSignal,
    onProgress?: (bytes: number) => void,
  ): Promise<string>;
  /** Surveys a description, before there is an entry for it. @returns what is wrong with it, as a sentence */
  survey(text: string, address: string | undefined): Promise<Survey | string>;
}

/** A service of a file. */
export interface Service extends Place {
  entry: OpenApiEntry;
  /** The description's path in the workspace, as people write it, or its address. */
  source: string;
  address: string | undefined;
  /** Undefined if it cannot be read, or was never fetched. */
  text: string | undefined;
  /** Whether the user approved exactly this text. */
  isApproved: boolean;
  lastApproved: string | undefined;
  /** Changes with each approved text. */
  version: string;
}

/** What reading services needs from a host. */
export interface ServicesHost {
  files: Files;
  approved: () => Promise<ApprovedFiles>;
  /** How a person approves here, as they read it. */
  approveBy: string;
  api?: ApiLoader | undefined;
}

export interface ReadServices {
  services: Service[];
  /** The tools of approved descriptions. */
  tools: Tool[];
  /** The tools of descriptions that are not approved as they are now. */
  waiting: WaitingTool[];
  problems: Problem[];
}

/** A tool that cannot be called before the user has approved something. */
export interface WaitingTool {
  tool: Tool;
  /** Why it cannot be called, as a sentence without its full stop. */
  why: string;
}

/**
 * Reads the descriptions of a file's services, and makes tools of those that are approved.
 *
 * @param folder the folder that their paths are relative to
 * @param taken whether another tool has a name
 */
export async function readServices(
  host: ServicesHost,
  entries: readonly ReadService[],
  folder: string,
  taken: (name: string) => boolean,
): Promise<ReadServices> {
  const services: Service[] = [];
  const tools: Tool[] = [];
  const waiting: WaitingTool[] = [];
  const problems: Problem[] = [];
  const names = new Set<string>();
  for (const { entry, line, column } of entries) {
    const add = (message: string): void => void problems.push({ line, column, message: `openapi: ${message}` });
    try {
      const service = { ...(await readService(host, entry, folder)), line, column };
      services.push(service);
      if (host.api === undefined || service.text === undefined || !service.isApproved) {
        problems.push({ line, column, message: `openapi: ${whyNoTools(service, host)}`, isWaiting: true });
        waiting.push(...(await waitingTools(host.api, service, taken)));
        continue;
      }
      const loaded = await loadService(host.api, service, (name) => names.has(name) || taken(name));
      loaded.tools.forEach((tool) => names.add(tool.name));
      tools.push(...loaded.tools);
      problemsOf(loaded).forEach((message) => add(`${service.source}: ${message}`));
    } catch (error) {
      add(messageOf(error));
      waiting.push(...(await unreadable(host, entry, folder, taken, messageOf(error))));
    }
  }
  return { services, tools, waiting, problems };
}

/** Returns the tools that a description had when it was approved: rules may name them. */
async function waitingTools(
  api: ApiLoader | undefined,
  { entry, source, address, lastApproved }: Pick<Service, "entry" | "source" | "address" | "lastApproved">,
  taken: (name: string) => boolean,
  why = `${visibleLine(source)} has changed since it was approved`,
): Promise<WaitingTool[]> {
  // A text that nobody has approved may be one that takes long to read.
  if (api === undefined || lastApproved === undefined) {
    return [];
  }
  const { tools } = await api.load(entry, { text: lastApproved, address }, taken);
  return tools.map((tool) => ({ tool, why }));
}

/** Returns the tools that a description had when it was approved, if its file cannot be read now. */
async function unreadable(
  { approved, api }: ServicesHost,
  entry: OpenApiEntry,
  folder: string,
  taken: (name: string) => boolean,
  why: string,
): Promise<WaitingTool[]> {
  try {
    const { source, isAddress } = sourceOf(entry, folder);
    const lastApproved = (await approved()).lastApproved(keyOf(source));
    const service = { entry, source, address: isAddress ? source : undefined, lastApproved };
    return await waitingTools(api, service, taken, why.replace(/\.$/, ""));
  } catch {
    return [];
  }
}

/** Makes the tools of a service, approved or not. @throws ToolError if it has no text */
export async function loadService(
  api: ApiLoader,
  { entry, text, address, source }: Service,
  taken: (name: string) => boolean,
): Promise<OpenApiTools> {
  if (text === undefined) {
    throw new ToolError("unavailable", `${source} has not been fetched.`);
  }
  return api.load(entry, { text, address }, taken);
}

/** Returns what is wrong with a description and what is left out of it, as sentences. */
export function problemsOf({ problems, leftOut }: OpenApiTools): string[] {
  const told = problems.map(({ message, pointer, line }) => {
    const where = line === undefined ? pointer : `line ${line}`;
    return `${where === undefined ? "" : `${visibleLine(where)}: `}${visibleLine(message)}`;
  });
  const some = leftOut.slice(0, MAX_LEFT_OUT).map(({ operation, reason }) => `${visibleLine(operation)}: ${reason}`);
  const rest = leftOut.length - some.length;
  const more = rest > 0 ? ` And ${rest} more.` : "";
  return leftOut.length === 0
    ? told
    : [...told, `${count(leftOut.length, "operation has", "operations have")} no tool. ${some.join(" ")}${more}`];
}

/** Returns what a person approves: the tools, where calls go, and what has changed. */
export async function describeService(service: Service, loaded: OpenApiTools): Promise<string> {
  const { source, text = "", lastApproved, entry } = service;
  const secrets = [entry.auth ?? []].flat().map((auth) => {
    // Whoever issues tokens gets the secret itself.
    const issuer = auth.type === "oauth2" ? `, which goes to ${visibleLine(new URL(auth.tokenUrl).origin)}` : "";
    return auth.secret + issuer;
  });
  const listed = loaded.tools.slice(0, MAX_LISTED).map(({ name, description }) => {
    return `  ${name}  ${shorten(visibleLine(description), MAX_LINE)}`;
  });
  const rest = loaded.tools.length - listed.length;
  const canCompare = lastApproved !== undefined && text.length + lastApproved.length <= MAX_DIFF;
  return [
    `${source}: ${count(loaded.tools.length, "tool")}, from ${text.length} characters with the hash ${await textVersion(text)}`,
    ...listed,
    ...(rest > 0 ? [`  and ${rest} more`] : []),
    ...loaded.cautions,
    ...(secrets.length > 0 ? [`Calls authenticate with ${secrets.join(" and ")}.`] : []),
    ...problemsOf(loaded),
    ...(canCompare ? ["", fileDiff(source, lastApproved, text)] : []),
  ].join("\n");
}

/** Returns why a person is asked about a description, in a sentence. */
export function whyApprove({ entry, lastApproved }: Service): string {
  const isTrusted = entry.auth === undefined ? "" : " with your credentials";
  return lastApproved === undefined
    ? `Its tools send requests to the server${isTrusted}, and models can call them.`
    : "It has changed since you approved it.";
}

/** Returns how much of a description has arrived, for people. */
export function sizeWords(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Records that the user approved this text of a description. */
export async function approveService(approved: ApprovedFiles, { source }: Service, text: string): Promise<void> {
  await approved.approve(keyOf(source), text);
}

async function readService(
  { files, approved, api }: ServicesHost,
  entry: OpenApiEntry,
  folder: string,
): Promise<Omit<Service, keyof Place>> {
  const { source, isAddress } = sourceOf(entry, folder);
  const approvals = await approved();
  const lastApproved = approvals.lastApproved(keyOf(source));
  const text = isAddress ? lastApproved : await readSource(files, source, api?.maxBytes ?? 0);
  return {
    entry,
    ...{ source, address: isAddress ? source : undefined, text, lastApproved },
    isApproved: text !== undefined && (await approvals.isApproved(keyOf(source), text)),
    version: lastApproved === undefined ? "" : await textVersion(lastApproved),
  };
}

/**
 * Returns where an entry's description is: its path in the workspace, or its address.
 *
 * @throws ToolError `invalid_input` if it is neither
 */
export function sourceOf({ spec }: Pick<OpenApiEntry, "spec">, folder: string): { source: string; isAddress: boolean } {
  const isAddress = ADDRESS.test(spec);
  if (isAddress && !(URL.canParse(spec) && new URL(spec).protocol === "https:")) {
    throw new ToolError("invalid_input", `${visibleLine(spec)} is neither a file nor an https address.`);
  }
  const path = spec.replace(/^(?:\.\/)+/, "");
  return { source: isAddress ? new URL(spec).href : folder === "." ? path : `${folder}/${path}`, isAddress };
}

/** Reads a description from its file. @throws ToolError */
export async function readSource(files: Files, source: string, maxBytes: number): Promise<string> {
  return new TextDecoder().decode(await files.readBytes(await openFile(files, source), maxBytes));
}

function keyOf(source: string): string {
  return DESCRIPTION + source;
}

/** Returns approvals for a caller that sees one folder of a workspace with several as if it were the only one. */
export function approvalsIn(approved: ApprovedFiles, folder: string): ApprovedFiles {
  return approved.named((file) =>
    !file.startsWith(DESCRIPTION)
      ? `${folder}/${file}`
      : ADDRESS.test(file.slice(DESCRIPTION.length))
        ? file
        : `${DESCRIPTION}${folder}/${file.slice(DESCRIPTION.length)}`,
  );
}

function whyNoTools(
  { source, text, lastApproved }: Service,
  { api, approveBy }: Pick<ServicesHost, "api" | "approveBy">,
): string {
  return api === undefined
    ? `${source}: descriptions are not read here.`
    : text === undefined
      ? `${source} has not been fetched: that happens when you approve it (${approveBy}).`
      : lastApproved === undefined
        ? `${source} is not approved. Read and approve it: ${approveBy}`
        : `${source} has changed since it was approved. Read and approve it: ${approveBy}`;
}

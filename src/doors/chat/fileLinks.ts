import type * as vscode from "vscode";
import type { Files } from "../../ports/files.js";
import { escapeMarkdown, literalCode } from "../../text/fence.js";
import { plain } from "../../text/plainText.js";
import { shownPath } from "../../views/shared/words.js";
import { namesIn, type NamedFile } from "./namedFiles.js";

/** Maximum number of links in a line. */
const MAX_LINKS = 12;

export interface FileLinksHost {
  files: Pick<Files, "resolve" | "stat">;
  /** Returns the URI of a workspace path; undefined if it does not exist. */
  addressOf(path: string): Promise<vscode.Uri | undefined>;
}

/**
 * Formats a file as a Markdown link, or as code if it does not exist.
 *
 * @param line 1-based
 * @param label default: the path and the line
 */
export async function fileLink(
  host: Pick<FileLinksHost, "addressOf">,
  path: string,
  line?: number,
  label?: string,
): Promise<string> {
  const name = label ?? `${shownPath(path)}${line === undefined ? "" : `:${line}`}`;
  const address = await host.addressOf(path).catch(() => undefined);
  if (address === undefined) {
    return literalCode(name);
  }
  const target = line === undefined ? address : address.with({ fragment: `L${line}` });
  return `[${escapeMarkdown(plain(name))}](${target.toString()})`;
}

/**
 * Returns links to the workspace files that an answer names, each with the first line named for it.
 *
 * @param besides files that are linked elsewhere
 */
export async function linksIn(host: FileLinksHost, answer: string, besides: readonly string[]): Promise<string[]> {
  const there = new Map<string, NamedFile>();
  for (const named of namesIn(answer)) {
    const path = await existing(host, named.path);
    const known = path === undefined ? undefined : there.get(path);
    if (path !== undefined && !besides.includes(path) && (known === undefined || known.line === undefined)) {
      there.set(path, { path, line: known?.line ?? named.line });
    }
  }
  return Promise.all([...there.values()].slice(0, MAX_LINKS).map(({ path, line }) => fileLink(host, path, line)));
}

async function existing({ files }: FileLinksHost, path: string): Promise<string | undefined> {
  try {
    const at = await files.resolve(path);
    return (await files.stat(at)).kind === "file" ? at.path : undefined;
  } catch {
    return undefined;
  }
}

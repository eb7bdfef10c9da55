import { isRecord } from "../../core/jsonSchema.js";

/** A link in a result to a file. */
export interface ResultLink {
  /** 0-based line of the result. */
  row: number;
  /** 0-based, end exclusive. */
  start: number;
  end: number;
  /** Relative to the workspace. */
  path: string;
  /** 1-based line of the file, if the link names one. */
  line: number | undefined;
}

/** Maximum number of links: more would slow down the editor. */
const MAX_LINKS = 5_000;

/**
 * Finds the files and lines that a tool's text names. Only paths in its `data` count, so that no file contents become a
 * link by chance.
 */
export function findLinks(text: string, data: unknown): ResultLink[] {
  const paths = new Set(pathsIn(data));
  const top = isRecord(data) && typeof data["path"] === "string" ? data["path"] : ".";
  // A page of a file has that file's line numbers; a tree starts at its folder.
  const own = isRecord(data) && data["content"] !== undefined ? top : undefined;
  const links: ResultLink[] = [];
  const folders: string[] = [];
  let file = own;
  for (const [row, line] of text.split("\n").entries()) {
    if (links.length >= MAX_LINKS) {
      break;
    }
    const numbered = /^( *)(\d+)(?:[:-] |\t)/.exec(line);
    if (numbered && file !== undefined) {
      const [, blanks = "", digits = ""] = numbered;
      links.push({ row, start: blanks.length, end: blanks.length + digits.length, path: file, line: Number(digits) });
      continue;
    }
    const found = nested(line, folders, top, paths) ?? headed(line, paths);
    if (found !== undefined) {
      links.push({ row, ...found, line: undefined });
      file = own ?? found.path;
    }
  }
  return links;
}

/** Matches a line that starts with a whole path: `src/a.ts`, `src/a.ts: 3`, `src/a.ts (unsaved)`. */
function headed(line: string, paths: ReadonlySet<string>): Pick<ResultLink, "start" | "end" | "path"> | undefined {
  for (const candidate of [line, ...line.split(/(?=: \d+$| \(unsaved\)$| {2}\()/).slice(0, 1)]) {
    const path = candidate.replace(/\/$/, "");
    if (paths.has(path)) {
      return { start: 0, end: path.length, path };
    }
  }
  return undefined;
}

/** Matches a line of a tree: a name below the less indented names before it. */
function nested(
  line: string,
  folders: string[],
  top: string,
  paths: ReadonlySet<string>,
): Pick<ResultLink, "start" | "end" | "path"> | undefined {
  const [, blanks = "", name = ""] = /^((?: {2})*)(\S.*?)\/?(?: {2}\(.*\))?$/.exec(line) ?? [];
  if (name === "") {
    return undefined;
  }
  const level = blanks.length / 2;
  folders.length = Math.min(folders.length, level);
  folders.push(name);
  const path = [...(top === "." ? [] : [top]), ...folders].join("/");
  return paths.has(path) ? { start: blanks.length, end: blanks.length + name.length, path } : undefined;
}

/** Collects every `path` in a result's data at any depth, except folders: editors only show files. */
function pathsIn(data: unknown): string[] {
  if (Array.isArray(data)) {
    return data.flatMap(pathsIn);
  }
  if (!isRecord(data) || data["kind"] === "directory") {
    return [];
  }
  return Object.entries(data).flatMap(([key, value]) =>
    key === "path" && typeof value === "string" ? [value] : pathsIn(value),
  );
}

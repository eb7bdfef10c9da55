import { isRecord } from "../../core/jsonSchema.js";

/** A place in a result that leads to a file. */
export interface ResultLink {
  /** 0-based line of the result. */
  row: number;
  /** 0-based, end exclusive. */
  start: number;
  end: number;
  /** Relative to the workspace. */
  path: string;
  /** 1-based line of the file, when the place names one. */
  line: number | undefined;
}

/** A result is drawn in an editor's thread: links past this many are not made. */
const MAX_LINKS = 5_000;

/**
 * The files and lines that a tool's text names. Only paths that its `data` holds count, so no text of a file
 * becomes a link by chance.
 */
export function findLinks(text: string, data: unknown): ResultLink[] {
  const paths = new Set(pathsIn(data));
  const top = isRecord(data) && typeof data["path"] === "string" ? data["path"] : ".";
  // A page of a file numbers the file's own lines; a tree is of the folder.
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

/** A line that begins with a whole path: `src/a.ts`, `src/a.ts: 3`, `src/a.ts (unsaved)`. */
function headed(line: string, paths: ReadonlySet<string>): Pick<ResultLink, "start" | "end" | "path"> | undefined {
  for (const candidate of [line, ...line.split(/(?=: \d+$| \(unsaved\)$| {2}\()/).slice(0, 1)]) {
    const path = candidate.replace(/\/$/, "");
    if (paths.has(path)) {
      return { start: 0, end: path.length, path };
    }
  }
  return undefined;
}

/** A line of a tree: its name below the names of the lines that are indented less. */
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

/** Every `path` in a result's data, however deep, but for folders: an editor shows files. */
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

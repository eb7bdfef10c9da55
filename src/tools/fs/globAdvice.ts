import { globMatcher } from "../../core/paths/globMatcher.js";
import { ToolError } from "../../core/errors.js";
import type { GatedPath } from "../../ports/files.js";
import type { Search } from "../../ports/search.js";
import { shownName } from "../../text/shownName.js";

/** Time limit, in ms, for finding out why a glob matches nothing. */
const TIME_LIMIT = 3_000;
/** Maximum number of files named as examples. */
const MAX_NAMED = 3;

interface Guess {
  pattern: string;
  why: string;
  ignoreCase?: boolean;
}

/**
 * Explains why a glob matches nothing, if another form of it would match something. Lists all names once.
 *
 * @returns a sentence; undefined when no guess fits
 */
export async function adviseGlob(
  search: Search,
  at: GatedPath,
  glob: string,
  includeIgnored: boolean,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { paths } = await search.find({ pattern: "**", at, includeIgnored, timeLimit: TIME_LIMIT }, signal);
  const prefix = at.path === "." ? "" : `${at.path}/`;
  const names = paths.map((path) => (path.startsWith(prefix) ? path.slice(prefix.length) : path));
  const folder = glob.replace(/^(?:\.\/|\*\*\/)+/, "").replace(/\/$/, "");
  const below = names.filter((name) => name.startsWith(`${folder}/`)).length;
  if (below > 0) {
    return `${shownName(folder)} is a folder: ${shownName(folder)}/** finds the ${files(below)} below it.`;
  }
  const within = names.find((name) => name.includes(`/${folder}/`));
  if (within !== undefined && folder !== "") {
    const at = shownName(within.slice(0, within.indexOf(`/${folder}/`) + folder.length + 1));
    return `${at} is a folder: ${at}/** finds what is below it.`;
  }
  for (const { pattern, why, ignoreCase = false } of guesses(glob, at)) {
    const found = matching(names, pattern, ignoreCase);
    if (found.length > 0) {
      const named = found
        .slice(0, MAX_NAMED)
        .map((name) => shownName(prefix + name))
        .join(", ");
      return `${why}: ${ignoreCase ? "" : `${pattern} would find `}${files(found.length)}, such as ${named}.`;
    }
  }
  return undefined;
}

/** Remarks on a glob that matches less than it seems to. */
export function remarkOnGlob(glob: string): string | undefined {
  const name = glob.split(/[/{},]/).find((part) => part !== "**" && part.includes("**"));
  return name === undefined
    ? undefined
    : `** inside a name means the same as *: ${glob.replace(name, name.replace(/\*\*+/, "**/*"))} also searches folders.`;
}

function guesses(glob: string, at: GatedPath): Guess[] {
  const plain = glob.replace(/^\.\//, "");
  const options = plain.split(/[|,;]|(?<![|,;\s])\s+/).map((part) => part.trim());
  const isPlainList = /[|,;\s]/.test(plain) && !/[{}()[\]]/.test(plain) && options.every((part) => part !== "");
  const unescaped = plain
    .replace(/^\^|\$$/g, "")
    .replace(/(?:\.|\\[dws]|\[[^\]/]*\])[*+]/g, "*")
    .replaceAll("\\.", ".")
    .replaceAll("\\/", "/");
  const regex =
    unescaped === plain
      ? plain
      : unescaped.replace(/\(([^()/]*\|[^()/]*)\)/g, (_, names: string) => `{${names.replaceAll("|", ",")}}`);
  const [first = "", ...rest] = plain.split("/");
  const base = plain.slice(plain.lastIndexOf("/") + 1);
  const isName = !/[*?[\]{}()|,\\/]/.test(plain);
  const bare = plain.replace(/^["'`@]{1,3}|["'`]{1,3}$/g, "");
  return [
    { pattern: glob, why: "Case matters", ignoreCase: true },
    ...(bare === plain ? [] : [{ pattern: bare, why: "Quotes and @ are part of the name" }]),
    ...(plain.includes("\\") && !/\\[.wdsb]/.test(plain)
      ? ["", "**/"].map((above) => ({
          pattern: above + plain.replaceAll("\\", "/"),
          why: "Folders are separated by /, and \\ escapes the next character",
        }))
      : []),
    ...(isPlainList ? [{ pattern: `{${options.join(",")}}`, why: "Alternatives are written {a,b}" }] : []),
    ...(isPlainList
      ? [
          {
            pattern: `{${options.map((each) => each.replace(/\/$/, "")).join(",")}}/**`,
            why: "Alternatives are written {a,b}",
          },
        ]
      : []),
    ...(regex === plain
      ? []
      : ["", "**/"].map((above) => ({ pattern: above + regex, why: "A glob is not a regular expression" }))),
    ...(rest.length > 0 && (first === at.root?.name || first === "")
      ? [{ pattern: rest.join("/"), why: "Globs start inside the searched folder, without its name" }]
      : []),
    ...(at.path !== "." && plain.startsWith(`${at.path}/`)
      ? [{ pattern: plain.slice(at.path.length + 1), why: "Globs are relative to path" }]
      : []),
    ...(plain.includes("/") ? [{ pattern: `**/${plain}`, why: "It is in another folder" }] : []),
    // A name of wildcards alone matches every file.
    ...(plain.includes("/") && /[^*?]/.test(base)
      ? [
          {
            pattern: `**/${base}`,
            why: /[*?]/.test(base)
              ? "Files with such names are in other folders"
              : "A file with that name is in another folder",
          },
        ]
      : []),
    ...(/^\.?[a-z\d]{1,5}$/i.test(plain)
      ? [{ pattern: `*.${plain.replace(/^\./, "")}`, why: "A glob must match the whole name" }]
      : []),
    ...(/^[^*?[\]{}()|,\\]*\/[^*?[\]{}()|,\\/]+$/.test(plain)
      ? [{ pattern: `${plain}.*`, why: "A glob must match the whole name" }]
      : []),
    ...(/[^}]\}$/.test(plain) ? [{ pattern: `${plain}.*`, why: "A glob must match the whole name" }] : []),
    ...(/^\([^()|]*\|[^()]*\)/.test(base)
      ? [
          {
            pattern: plain.replace(/\(([^()]*)\)/g, (_, names: string) => `{${names.replaceAll("|", ",")}}`),
            why: "Alternatives are written {a,b}",
          },
        ]
      : []),
    ...(isName ? [{ pattern: `*${plain}*`, why: "A glob must match the whole name" }] : []),
  ];
}

function matching(names: readonly string[], pattern: string, ignoreCase: boolean): string[] {
  try {
    const matches = globMatcher(pattern, { ignoreCase });
    return names.filter((name) => matches(name));
  } catch (error) {
    if (error instanceof ToolError) {
      return [];
    }
    throw error;
  }
}

function files(count: number): string {
  return `${count} file${count === 1 ? "" : "s"}`;
}

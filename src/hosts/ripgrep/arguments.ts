import { ToolError } from "../../core/errors.js";
import { globForms } from "../../core/paths/globForms.js";
import { baseName } from "../../core/paths/pathShape.js";
import type { SearchRequest } from "../../ports/search.js";
import type { RuleScope } from "./target.js";
import { TEMPORARY_FILES } from "../shared/temporaryNames.js";
import { CONTEXT_FOLDER, STATE_FOLDER } from "../../names/stateFolder.js";

/** Rejects arguments that cannot be passed to a process at all. */
export function checkArguments(request: SearchRequest): void {
  for (const [field, value] of [
    ["pattern", request.pattern],
    ...request.include.map((glob) => ["include", glob] as const),
    ...request.exclude.map((glob) => ["exclude", glob] as const),
  ] as const) {
    if (value.includes("\0")) {
      throw new ToolError(
        "invalid_input",
        `grep: ${field} contains a NUL character.`,
        "Use \\x00 in a regular expression.",
      );
    }
  }
}

/**
 * Memory limits for a regular expression, compiled and while matching. ripgrep's own limits allow `(a{1000}){1000}` 800
 * MB; `\w{500}` takes 50 MB.
 */
const REGEX_LIMITS = ["--regex-size-limit=50M", "--dfa-size-limit=100M"];

/** Flags for how lines match. Every value is attached to its flag with =, so none is parsed as a flag. */
export function matchFlags(request: SearchRequest): string[] {
  return [
    "--no-config",
    "--json",
    // With `--crlf`, `$` matches before \r\n.
    "--crlf",
    ...(request.literal ? ["--fixed-strings"] : request.engine === "pcre2" ? ["--pcre2"] : []),
    ...REGEX_LIMITS,
    request.ignoreCase ? "--ignore-case" : "--case-sensitive",
    ...(request.multiline ? ["--multiline", "--multiline-dotall"] : []),
    ...contextFlags(request.context),
    `--regexp=${request.pattern}`,
  ];
}

function contextFlags(context: SearchRequest["context"]): string[] {
  const { before, after } = typeof context === "number" ? { before: context, after: context } : context;
  return [...(before > 0 ? [`--before-context=${before}`] : []), ...(after > 0 ? [`--after-context=${after}`] : [])];
}

/**
 * Flags for which files are searched. If several globs match, ripgrep uses the last one, so the fixed ones win.
 *
 * @param folder the folder ripgrep runs in, an absolute path
 * @param scope where .gitignore rules come from
 */
export function fileFlags(
  request: Pick<SearchRequest, "include" | "exclude" | "includeIgnored">,
  folder: string,
  scope: RuleScope,
): string[] {
  return [
    "--hidden",
    ...(request.includeIgnored ? ["--no-ignore"] : ["--no-ignore-global", ...ruleFlags(scope)]),
    ...includeFlags(request.include.flatMap(globForms)),
    ...request.exclude.flatMap(globForms).map((glob) => `--glob=!${plainGlob(glob)}`),
    "--glob=!.git",
    `--glob=!**/${TEMPORARY_FILES}`,
    `--glob=!**/${CONTEXT_FOLDER}`,
    // Globs are relative to the searched folder.
    ...(baseName(folder) === STATE_FOLDER ? ["--glob=!/context"] : []),
  ];
}

/**
 * Returns the flags for .gitignore rules. In a repository, rules reach as far as Git's own. Elsewhere they apply too,
 * but that needs a flag with which ripgrep, in a repository, would also use the rules above the repository, such as the
 * `*` in the home folder of people who keep that in Git.
 */
function ruleFlags({ inRepository, fromAbove }: RuleScope): string[] {
  return inRepository ? [] : ["--no-require-git", ...(fromAbove ? ["--no-ignore-parent"] : [])];
}

/**
 * Returns globs for names that every match of a glob has, or none if they cannot be determined: ripgrep then prints a
 * few names instead of all, which saves a quarter of the time. Only uses what ripgrep and minimatch read alike.
 */
export function namesIn(glob: string): string[] {
  const name = glob.slice(glob.lastIndexOf("/") + 1);
  const isPlain = /^[\w.*-]*(\{[\w.*-]+(,[\w.*-]+)+\}[\w.*-]*)?$/.test(name) && !/\*\*|\{[^}]*\.\./.test(name);
  return isPlain && /[^*]/.test(name) && !/[{}]/.test(glob.slice(0, -name.length)) ? [name] : [];
}

/** Passes name globs as a custom file type, since that leaves .gitignore in force. */
function includeFlags(globs: readonly string[]): string[] {
  // With both kinds of flag, files would have to match both.
  return globs.length > 0 && globs.every(isNameGlob)
    ? [...globs.map((glob) => `--type-add=included:${glob}`), "--type=included"]
    : globs.map((glob) => `--glob=${plainGlob(glob)}`);
}

/**
 * Whether an include overrides .gitignore, as `--glob` does: its results are then checked against a list without it.
 */
export function bringsBackIgnored({ include, includeIgnored }: SearchRequest): boolean {
  return !includeIgnored && !include.every(isNameGlob);
}

/** Whether a glob can be a file type: with a colon, ripgrep reads it as another type definition and rejects it. */
function isNameGlob(glob: string): boolean {
  return !/[/:]/.test(glob);
}

/**
 * Escapes a glob for ripgrep, which reads it as a line of .gitignore: a leading ! would negate it, # would make it a
 * comment, trailing spaces would be dropped, a leading ./ would match nothing, and a folder would not include its
 * files.
 */
function plainGlob(glob: string): string {
  return glob.replace(/^\.\//, "/").replace(/^[!#]/, "\\$&").replace(/ $/, "\\ ").replace(/\/$/, "/**");
}

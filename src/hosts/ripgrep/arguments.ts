import { ToolError } from "../../core/errors.js";
import { globForms } from "../../core/paths/globForms.js";
import { baseName } from "../../core/paths/pathShape.js";
import type { SearchRequest } from "../../ports/search.js";
import type { RuleScope } from "./target.js";
import { TEMPORARY_FILES } from "../shared/temporaryNames.js";

/** Arguments a process cannot be given at all. */
export function checkArguments(request: SearchRequest): void {
  for (const [field, value] of [
    ["pattern", request.pattern],
    ...request.include.map((glob) => ["include", glob] as const),
    ...request.exclude.map((glob) => ["exclude", glob] as const),
  ] as const) {
    if (value.includes("\0")) {
      throw new ToolError(
        "invalid_input",
        `grep: ${field}: holds a NUL character.`,
        "Use \\x00 in a regular expression.",
      );
    }
  }
}

/**
 * Memory that an expression may take, compiled and while it matches. ripgrep's own limits let `(a{1000}){1000}` have
 * 800 MB; `\w{500}` takes 50.
 */
const REGEX_LIMITS = ["--regex-size-limit=50M", "--dfa-size-limit=100M"];

/** How lines match. Every value rides on its flag with =, so none is ever parsed as a flag. */
export function matchFlags(request: SearchRequest): string[] {
  return [
    "--no-config",
    "--json",
    // `$` matches before \r\n.
    "--crlf",
    ...(request.literal ? ["--fixed-strings"] : request.engine === "pcre2" ? ["--pcre2"] : []),
    ...REGEX_LIMITS,
    request.ignoreCase ? "--ignore-case" : "--case-sensitive",
    ...(request.multiline ? ["--multiline", "--multiline-dotall"] : []),
    ...(request.context > 0 ? [`--context=${request.context}`] : []),
    `--regexp=${request.pattern}`,
  ];
}

/**
 * Which files are searched. Of several globs that match, ripgrep takes the last: the fixed ones win.
 *
 * @param folder the folder ripgrep runs in, an absolute path
 * @param scope where rules of .gitignore come from
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
    "--glob=!**/.toolhost/context",
    // Globs count from the folder that is searched.
    ...(baseName(folder) === ".toolhost" ? ["--glob=!/context"] : []),
  ];
}

/**
 * In a repository rules reach as far as Git's own. Elsewhere they hold, too; with that flag ripgrep would take those
 * above the repository as well, such as the `*` in the home folder of who keeps that in Git.
 */
function ruleFlags({ inRepository, fromAbove }: RuleScope): string[] {
  return inRepository ? [] : ["--no-require-git", ...(fromAbove ? ["--no-ignore-parent"] : [])];
}

/**
 * Globs of names that every match of a glob has, none when they cannot be told: ripgrep then prints a few names
 * instead of all, which takes a quarter of the time away. Only what ripgrep and minimatch read alike.
 */
export function namesIn(glob: string): string[] {
  const name = glob.slice(glob.lastIndexOf("/") + 1);
  const isPlain = /^[\w.*-]*(\{[\w.*-]+(,[\w.*-]+)+\}[\w.*-]*)?$/.test(name) && !/\*\*|\{[^}]*\.\./.test(name);
  return isPlain && /[^*]/.test(name) && !/[{}]/.test(glob.slice(0, -name.length)) ? [name] : [];
}

/** Globs of names are a file type of our own, since that leaves .gitignore in force. */
function includeFlags(globs: readonly string[]): string[] {
  // Of both kinds together, files would have to fit both.
  return globs.length > 0 && globs.every(isNameGlob)
    ? [...globs.map((glob) => `--type-add=included:${glob}`), "--type=included"]
    : globs.map((glob) => `--glob=${plainGlob(glob)}`);
}

/** `--glob` overrules .gitignore: what such an include finds is checked against the files searched without it. */
export function bringsBackIgnored({ include, includeIgnored }: SearchRequest): boolean {
  return !includeIgnored && !include.every(isNameGlob);
}

/** With a colon, ripgrep takes it for another definition of a type, and refuses it. */
function isNameGlob(glob: string): boolean {
  return !/[/:]/.test(glob);
}

/**
 * A glob as ripgrep takes it, which reads it as a line of .gitignore: a leading ! would turn it around, # make
 * it a comment, trailing blanks fall off, ./ in front match nothing, and a folder not hold its files.
 */
function plainGlob(glob: string): string {
  return glob.replace(/^\.\//, "/").replace(/^[!#]/, "\\$&").replace(/ $/, "\\ ").replace(/\/$/, "/**");
}

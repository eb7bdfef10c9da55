const PROGRAM = /^apply_?patch$/;
const SHELL = /^(?:\/bin\/|\/usr\/bin\/)?(?:ba|z)?sh$/;
/** A here-document for the program, in a folder or in the current one, and nothing else. */
const HEREDOC = /^\s*(?:cd\s+(\w[\w./-]*)\s*(?:&&|;)\s*)?apply_?patch\s*<<\s*(['"]?)(\w+)\2[ \t]*\n([^]*)\n\3\s*$/;
/** The lines of a patch that name files. */
const FILE_LINE = /^(\*\*\* (?:(?:Update|Add|Delete) File|Move to): )(?=\S)/gm;

/**
 * Returns the patch that a shell command hands to `apply_patch`, as Codex's models write it: a here-document, or a list
 * of words. Undefined if the command does more, or if a shell would change the text.
 */
export function patchInCommand(command: unknown): string | undefined {
  if (typeof command === "string") {
    const [, folder, quote, , body = ""] = HEREDOC.exec(command) ?? [];
    const isLiteral = quote !== "" || !/[$`\\]/.test(body);
    // Paths of other kinds of patches would stay relative to the workspace, and absolute ones would not.
    const isBelow =
      folder === undefined ||
      (!folder.split("/").includes("..") && !/^(?:---|\+\+\+|diff) |^\*\*\* [A-Z][A-Za-z ]+: [/~]/m.test(body));
    return isLiteral && isBelow && isPatch(body)
      ? body.replace(FILE_LINE, folder === undefined ? "$1" : `$1${folder.replace(/\/+$/, "")}/`)
      : undefined;
  }
  const words: unknown[] = Array.isArray(command) ? command : [];
  const [program, second, third] = words;
  if (typeof program !== "string" || typeof second !== "string") {
    return undefined;
  }
  if (words.length === 2) {
    return PROGRAM.test(program) && isPatch(second) ? second : undefined;
  }
  const isScript = words.length === 3 && SHELL.test(program) && /^-l?c$/.test(second) && typeof third === "string";
  return isScript ? patchInCommand(third) : undefined;
}

function isPatch(text: string): boolean {
  return /^\s*\*\*\* Begin Patch\r?\n/.test(text);
}

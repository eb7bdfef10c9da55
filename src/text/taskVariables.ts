/** Anything that looks like a tasks.json variable: `${name}` or `${name:argument}`. */
const VARIABLE = /\$\{([^{}:]*)(?::([^{}]*))?\}/g;

/**
 * Replaces the variables in a text with their values, as VS Code does in tasks.json
 * (https://code.visualstudio.com/docs/reference/variables-reference). Unknown ones stay unchanged: `${HOME}` is the
 * shell's.
 *
 * @param value returns the value of `${name}` or `${name:argument}`; undefined if that is not one of the editor's
 * variables. Its errors are passed through
 */
export function expandVariables(
  text: string,
  value: (name: string, argument: string | undefined) => string | undefined,
): string {
  // One pass, so that a value that looks like a variable is not expanded.
  return text.replaceAll(
    VARIABLE,
    (whole, name: string, argument: string | undefined) => value(name, argument) ?? whole,
  );
}

/** The open file, for its variables. All paths use `/`, or all use `\`. */
export interface OpenFile {
  /** Absolute. */
  path: string;
  /** Its workspace folder, absolute; undefined if it is not in one. */
  folder: string | undefined;
  /** 1-based. */
  line: number;
  column: number;
  selectedText: string;
}

/** The names of variables that need the open file. */
export const FILE_VARIABLES = [
  "file",
  "fileWorkspaceFolder",
  "fileWorkspaceFolderBasename",
  "relativeFile",
  "relativeFileDirname",
  "fileBasename",
  "fileBasenameNoExtension",
  "fileExtname",
  "fileDirname",
  "fileDirnameBasename",
  "lineNumber",
  "columnNumber",
  "selectedText",
] as const;

export type FileVariable = (typeof FILE_VARIABLES)[number];

export function isFileVariable(name: string): name is FileVariable {
  return (FILE_VARIABLES as readonly string[]).includes(name);
}

/**
 * Returns the value of a variable of the open file; undefined if the variable needs a workspace folder and the file is
 * not in one.
 */
export function fileVariable(
  name: FileVariable,
  { path, folder, line, column, selectedText }: OpenFile,
): string | undefined {
  const directory = parentOf(path);
  const base = baseOf(path);
  const dot = base.lastIndexOf(".");
  const extension = dot > 0 ? base.slice(dot) : "";
  const relative = (target: string): string =>
    folder === undefined ? target : target === folder ? "." : target.slice(folder.length + 1);
  switch (name) {
    case "file":
      return path;
    case "fileWorkspaceFolder":
      return folder;
    case "fileWorkspaceFolderBasename":
      return folder === undefined ? undefined : baseOf(folder);
    case "relativeFile":
      return relative(path);
    case "relativeFileDirname":
      return relative(directory);
    case "fileBasename":
      return base;
    case "fileBasenameNoExtension":
      return extension === "" ? base : base.slice(0, -extension.length);
    case "fileExtname":
      return extension;
    case "fileDirname":
      return directory;
    case "fileDirnameBasename":
      return baseOf(directory);
    case "lineNumber":
      return String(line);
    case "columnNumber":
      return String(column);
    case "selectedText":
      return selectedText;
  }
}

function parentOf(path: string): string {
  const at = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return at > 0 ? path.slice(0, at) : path.slice(0, at + 1);
}

function baseOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

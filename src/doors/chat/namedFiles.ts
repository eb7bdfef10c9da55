/** A file that an answer names. */
export interface NamedFile {
  path: string;
  /** 1-based; undefined if no line is named. */
  line: number | undefined;
}

/** Maximum number of names: each is looked up on disk. */
const MAX_NAMES = 40;
/** Maximum length of a path, in characters: longer text is not a file name. */
const MAX_PATH = 300;

/**
 * Finds texts in an answer that may name a workspace file: texts in backticks, and words with a `/` or a `:line`. Each
 * once, in order; they may not exist.
 */
export function namesIn(answer: string): NamedFile[] {
  const found = new Map<string, NamedFile>();
  for (const line of linesOutsideFences(answer)) {
    for (const [, code, word = ""] of line.matchAll(/`([^`]+)`|([^\s`()[\]{}<>"'*|,;]+)/g)) {
      const isName = code === undefined ? /\/|\.\w+:\d/.test(word) : /[.:/]/.test(code);
      const named = isName ? readName(code ?? word) : undefined;
      if (named !== undefined && found.size < MAX_NAMES) {
        const key = `${named.path}:${named.line ?? ""}`;
        found.set(key, found.get(key) ?? named);
      }
    }
  }
  return [...found.values()];
}

function linesOutsideFences(answer: string): string[] {
  let fence: string | undefined;
  return answer.split("\n").filter((line) => {
    const [, run = ""] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === undefined) {
      fence = run === "" ? undefined : run;
      return fence === undefined;
    }
    // A fence ends with one of the same kind that is at least as long.
    fence = run.startsWith(fence) ? undefined : fence;
    return false;
  });
}

function readName(word: string): NamedFile | undefined {
  // A longer text is not a file name, and the expression below would search for its end at every position.
  if (word.length > MAX_PATH) {
    return undefined;
  }
  const [, path = "", line] = /^(.*?)(?::(\d{1,7})(?:[-–:]\d+)?)?[.,:;!?]*$/.exec(word.trim()) ?? [];
  // A URL is not a file, and a folder cannot be opened.
  const isFile = path !== "" && !path.includes("://") && !path.endsWith("/");
  return isFile ? { path: path.replace(/^\.\//, ""), line: line === undefined ? undefined : Number(line) } : undefined;
}

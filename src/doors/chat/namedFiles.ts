/** A file that an answer names. */
export interface NamedFile {
  path: string;
  /** 1-based; undefined when no line is named. */
  line: number | undefined;
}

/** Names that are looked up: each takes a look at the disk. */
const MAX_NAMES = 40;
/** Characters of a path; what is longer is none that a person would read. */
const MAX_PATH = 300;

/**
 * What in an answer may be a file of the workspace: the texts in backticks, and words with a `/` or a `:line`. Each
 * once, in order; whether it is there is not known.
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
    // A fence is closed by one of its kind that is no shorter.
    fence = run.startsWith(fence) ? undefined : fence;
    return false;
  });
}

function readName(word: string): NamedFile | undefined {
  // What is longer names no file, and its end would be looked for at every place.
  if (word.length > MAX_PATH) {
    return undefined;
  }
  const [, path = "", line] = /^(.*?)(?::(\d{1,7})(?:[-–:]\d+)?)?[.,:;!?]*$/.exec(word.trim()) ?? [];
  // An address is no file, and a folder no place to go to.
  const isFile = path !== "" && !path.includes("://") && !path.endsWith("/");
  return isFile ? { path: path.replace(/^\.\//, ""), line: line === undefined ? undefined : Number(line) } : undefined;
}

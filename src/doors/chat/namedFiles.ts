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
 * What in an answer may be a file of the workspace: the texts in backticks, and words with a `/` or a `:line`. Each once, in order; whether it
 * is there is not known.
 */
export function namesIn(answer: string): NamedFile[] {
  const outside = answer.replaceAll(/^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|(?![\s\S]))/gm, "\n");
  const words = [...outside.matchAll(/`([^`\n]+)`|([^\s`()[\]{}<>"'*|,;]+)/g)].flatMap(([, code, word]) => {
    const isName = code !== undefined ? /[.:/]/.test(code) : /\/|\.\w+:\d/.test(word ?? "");
    return isName ? [code ?? word ?? ""] : [];
  });
  const found = new Map<string, NamedFile>();
  for (const word of words) {
    const named = readName(word);
    if (named !== undefined && found.size < MAX_NAMES) {
      const key = `${named.path}:${named.line ?? ""}`;
      found.set(key, found.get(key) ?? named);
    }
  }
  return [...found.values()];
}

function readName(word: string): NamedFile | undefined {
  const [, path = "", line] = /^(.*?)(?::(\d{1,7})(?:[-–:]\d+)?)?[.,:;!?]*$/.exec(word.trim()) ?? [];
  // An address is no file, and a folder no place to go to.
  const isFile = path !== "" && path.length <= MAX_PATH && !path.includes("://") && !path.endsWith("/");
  return isFile ? { path: path.replace(/^\.\//, ""), line: line === undefined ? undefined : Number(line) } : undefined;
}

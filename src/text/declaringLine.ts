/** Words that declare the name behind them, in the languages that models work with. */
const DECLARES =
  "class|interface|enum|struct|trait|record|type|function\\*?|func|fn|def|module|namespace|mod|object|protocol|union|macro_rules!";
/** Words that may stand before these. */
const BEFORE =
  "export|default|declare|abstract|async|public|private|protected|internal|static|final|sealed|partial|data|open|pub(?:\\([\\w\\s]+\\))?|unsafe|extern|virtual|override|inline|const|case";
const VARIABLES = "const|let|var|val|static|final";

/** Whether a text is a name and nothing else, such as a search for it may have. */
export function isPlainName(text: string): boolean {
  return /^[A-Za-z_$][\w$]{2,99}$/.test(text);
}

/**
 * Returns what a line declares under a name: `class`, `function`; undefined if it only uses it. It goes by the line alone.
 *
 * @param name a plain name
 */
export function declaredBy(line: string, name: string): string | undefined {
  if (line.length > 1_000) {
    return undefined;
  }
  const quoted = name.replaceAll("$", "\\$");
  const [, kind, variable] =
    new RegExp(
      `^\\s*(?:(?:${BEFORE})\\s+)*(?:(${DECLARES})\\s+(?:\\([^)]*\\)\\s*)?|(?:export\\s+)?(${VARIABLES})\\s+(?:mut\\s+)?)${quoted}(?![\\w$])`,
    ).exec(line) ?? [];
  return kind?.replace("*", "") ?? variable;
}

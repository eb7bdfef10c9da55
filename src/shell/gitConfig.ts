/** Finds what a repository's own configuration makes git run during read-only commands. */

/** One setting: its name, in lower case except for the quoted part, and its value. */
export interface GitSetting {
  /** `core.fsmonitor`, `diff.x.textconv`. */
  name: string;
  value: string;
}

/** Values of filters and drivers that run nothing from the repository. */
const HARMLESS_PROGRAMS =
  /^(?:git-lfs (?:clean -- %f|smudge -- %f|filter-process|clean|smudge)(?: --skip)?|true|cat)?$/;

/** A value that git reads as a boolean. */
const TRUTH = /^(?:true|false|yes|no|on|off|0|1|)$/i;

/** Git hooks that may run during read-only commands (githooks(5)). */
export const HOOKS_OF_READING: readonly string[] = ["post-index-change", "fsmonitor-watchman"];

/** Settings that make a read-only subcommand run something, or look elsewhere, each with its reason (git-config(1)). */
const RUNNING: readonly { name: RegExp; isHarmless?: RegExp; why: string }[] = [
  { name: /^core\.fsmonitor$/, isHarmless: TRUTH, why: "names a program that status and diff run" },
  { name: /^diff\.external$|^diff\..+\.(?:command|textconv)$/, why: "names a program that diffs run" },
  {
    name: /^filter\..+\.(?:clean|smudge|process)$/,
    isHarmless: HARMLESS_PROGRAMS,
    why: "names a program that filters files",
  },
  {
    name: /^lfs\.(?:extension|customtransfer)\.|^lfs\.(?:.+\.)?standalonetransferagent$/,
    why: "names a program that Git LFS runs for files",
  },
  { name: /^merge\..+\.driver$/, isHarmless: /^true$/, why: "names a program that merges run" },
  { name: /^log\.showsignature$/, isHarmless: /^(?:false|no|off|0)$/i, why: "runs gpg for each commit" },
  { name: /^gpg\.(?:.+\.)?program$/, why: "names a program that checks signatures" },
  {
    name: /^(?:format\.pretty|pretty\..+)$/,
    isHarmless: /^(?!.*%(?:[ +-]?G|\(\*?signature))/s,
    why: "has a signature in its format, which runs gpg",
  },
  { name: /^(?:tag|branch)\.sort$/, isHarmless: /^(?!.*signature)/s, why: "sorts by signatures, which runs gpg" },
  {
    name: /^remote\..+\.promisor$|^extensions\.partialclone$/,
    isHarmless: /^(?:false|no|off|0)$/i,
    why: "lets git fetch missing objects, over the network or by a program",
  },
  { name: /^man\.|^help\.(?:format|browser)$|^browser\.|^web\.browser$/, why: "names a program that shows help" },
  { name: /^alias\.(?:whatchanged|annotate)$/, why: "may redefine a subcommand" },
];

/**
 * Whether a format makes git verify signatures. A plus, minus or space before the letter adds or removes a line
 * (git-log(1), "PRETTY FORMATS").
 */
export function checksSignatures(format: string): boolean {
  return /%(?:[ +-]?G|\(\*?signature)/.test(format);
}

/**
 * Parses a git configuration file (git-config(1), "Syntax").
 * @returns undefined if it is not understood; git would fail with most such files
 */
export function parseGitConfig(text: string): readonly GitSetting[] | undefined {
  const settings: GitSetting[] = [];
  let section = "";
  const lines = text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n/g, "\n")
    .replace(/\\\n/g, "\\\u0000")
    .split("\n");
  for (const line of lines) {
    let rest = line.trim();
    const head = /^\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*/.exec(rest);
    if (head !== null) {
      section = `${(head[1] ?? "").toLowerCase()}${head[2] === undefined ? "" : `.${head[2].replace(/\\(.)/g, "$1")}`}`;
      rest = rest.slice(head[0].length);
    }
    if (rest === "" || /^[#;]/.test(rest)) {
      continue;
    }
    const [all, key] = /^([A-Za-z][\w-]*)\s*(?:=\s*)?/.exec(rest) ?? [];
    if (all === undefined || key === undefined || section === "") {
      return undefined;
    }
    settings.push({
      name: `${section}.${key.toLowerCase()}`,
      value: all.includes("=") ? plainValue(rest.slice(all.length)) : "true",
    });
  }
  return settings;
}

/** Returns a value without its quotes, escapes and comment. */
function plainValue(text: string): string {
  let value = "";
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if (letter === "\\") {
      at += 1;
      const next = text.charAt(at);
      value += next === "\u0000" ? "" : next === "n" ? "\n" : next === "t" ? "\t" : next;
    } else if (letter === '"') {
      isQuoted = !isQuoted;
    } else if (!isQuoted && (letter === "#" || letter === ";")) {
      break;
    } else {
      value += letter;
    }
  }
  return value.trim();
}

/**
 * Returns why a repository's own settings may make git run a program or look elsewhere; undefined if they do not.
 * Completes «its configuration …».
 */
export function runningSetting(settings: readonly GitSetting[]): string | undefined {
  for (const { name, value } of settings) {
    const found = RUNNING.find((each) => each.name.test(name.toLowerCase()));
    if (found !== undefined && found.isHarmless?.test(value) !== true) {
      return `has ${name}, which ${found.why}`;
    }
  }
  return undefined;
}

/** Settings with repository addresses, in their values or names. */
const ADDRESSES =
  /^(?:remote\..+\.(?:push)?url|branch\..+\.(?:push)?remote|url\..+\.(?:push)?insteadof|remote\.pushdefault|submodule\..+\.url)$/i;

/**
 * A password in an address, a token in place of a user name, or one after the path. User names are shorter than tokens,
 * and ssh has no tokens.
 */
const CREDENTIALS =
  /:\/\/[^/\s:@]*:[^/\s@]+@|\bhttps?:\/\/(?:[^/\s@]{20,}|(?:gh[oprsu]|glpat|github_pat)[_-][^/\s@]*)@|[?&][\w-]*(?:token|key|secret|password|auth)=[^&\s]/i;

/** Returns the setting whose address contains a password or token; undefined if none does. */
export function addressWithCredentials(settings: readonly GitSetting[]): string | undefined {
  return settings
    .find(
      ({ name, value }) =>
        ADDRESSES.test(name) && CREDENTIALS.test(`${name.toLowerCase().startsWith("url.") ? name : ""} ${value}`),
    )
    ?.name.replace(/^url\..*(?=\.)/i, "url.…");
}

/** Returns a setting's last value. */
export function settingOf(settings: readonly GitSetting[], name: string): string | undefined {
  return settings.findLast((setting) => setting.name === name)?.value;
}

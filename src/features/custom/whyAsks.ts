import type { Files } from "../../ports/files.js";
import { variableDoubt } from "../../shell/words/variables.js";
import type { CommandEntry } from "./entry.js";
import { ABSOLUTE } from "./programOf.js";
import { usedParameters } from "./template.js";

/** Programs that run code: a file that their first operand names, or an argument itself. */
const INTERPRETER =
  /^(?:node|nodejs|deno|bun|tsx|ts-node|python[\d.]*|pypy\d?|ruby|perl|php|lua[\d.]*|R|Rscript|julia|java|tclsh|osascript|(?:ba|da|z|k|fi)?sh)$/;
/** Programs that start others: an operand names the program, or is one in a language of its own. */
const STARTS_OTHERS = /^(?:[gmn]?awk|env|xargs|parallel|timeout|nice|nohup|setsid|stdbuf|time|watch)$/;
/** The same, behind one of these of its words. */
const FIND = "find";
const EXEC = /^-(?:exec|ok)(?:dir)?$/;
/** Programs that run what files of the workspace say. */
const RUNNER = /^(?:npx|bunx|pnpx|npm|pnpm|yarn|[gd]?make|just|rake|gulp|grunt|tox|nox|gradlew?|mvnw?|ant|sbt|lein)$/;
/** A part of inline code that may be the path of a file, or the name of a module. */
const PATH = /[\w./@~+-]*\w[\w./@~+-]*/g;

/**
 * Returns why a tool asks although it is declared to only read: it runs with a file of the workspace, which an agent may
 * change after the approval.
 *
 * @param folder the folder that the entry's paths are relative to: `.`, or a folder's name in a workspace of several
 */
export async function whyAsks(
  { command, args = [], env = {}, cwd = ".", readOnly }: CommandEntry,
  files: Files,
  folder: string,
): Promise<string | undefined> {
  if (readOnly !== true) {
    return undefined;
  }
  const base = cwd === "." ? folder : folder === "." ? cwd : `${folder}/${cwd}`;
  const inFolder = (text: string, from: string): string =>
    ABSOLUTE.test(text) || from === "." ? text : `${from}/${text}`;
  const fixed = args.flat().filter((text) => usedParameters([text]).length === 0);
  const plain = Object.entries(env).flatMap(([name, value]) => (typeof value === "string" ? [{ name, value }] : []));
  const doubt = plain.map(({ name }) => variableDoubt(name)).find((each) => each !== undefined);
  if (doubt !== undefined) {
    return `It sets a variable: ${doubt}. What it runs may then be a file of the workspace.`;
  }
  const named = [
    ...(/[\\/]/.test(command) ? [inFolder(command, folder)] : []),
    ...[...fixed, ...plain.map(({ value }) => value)].map((text) => inFolder(text.replace(/^-[^=]*=/, ""), base)),
  ];
  for (const place of named) {
    if (await isInside(files, place, "file")) {
      return `It runs with ${place}, a file of the workspace that may have changed since its tool was approved.`;
    }
  }
  const words = [command, ...fixed].flatMap((text) => text.match(PATH) ?? []);
  const runs = (program: RegExp): boolean => words.some((word) => program.test(nameOf(word)));
  if ([command, ...fixed].some((text) => RUNNER.test(nameOf(text)))) {
    return "It runs what files of the workspace say, which may have changed since its tool was approved.";
  }
  if (isProgramGiven([command, ...args.flat()])) {
    return "A value decides which program or script it runs.";
  }
  // An interpreter finds code in a folder, by a name without its extension, and among the packages above it.
  const parts =
    runs(INTERPRETER) || runs(STARTS_OTHERS) || nameOf(command) === FIND
      ? fixed.flatMap((text) => text.match(PATH) ?? [])
      : [];
  const places = parts.flatMap((text) => [text, text.replace(/^--?\w/, "")]).filter((text) => text !== "");
  for (const place of new Set(places.map((text) => inFolder(text, base)))) {
    if ((await isInside(files, place)) || (await isBeginning(files, place))) {
      return mayRun(place);
    }
  }
  for (const text of new Set(places)) {
    const [first = "", second = ""] = text.split("/");
    const name = first.startsWith("@") ? `${first}/${second}` : first;
    for (let at = base; runs(INTERPRETER); at = at.includes("/") ? at.slice(0, at.lastIndexOf("/")) : ".") {
      const place = inFolder(`node_modules/${name}`, at);
      if (await isInside(files, place)) {
        return mayRun(place);
      }
      if (at === ".") {
        break;
      }
    }
  }
  return undefined;
}

function mayRun(place: string): string {
  return `It may run ${place} of the workspace, which may have changed since its tool was approved.`;
}

/** Returns a program's name, from its path. */
function nameOf(path: string): string {
  return path.replace(/^.*[\\/]|\.exe$/g, "");
}

/**
 * Whether a value of the call decides what a program starts: it is in the first operand of an interpreter or of a program
 * that starts others, or in an option or a variable before it.
 */
function isProgramGiven(words: readonly string[]): boolean {
  const isValue = (word: string): boolean => usedParameters([word]).length > 0;
  return words.some((word, index) => {
    const name = nameOf(word);
    const next = words[index + 1];
    if (nameOf(words[0] ?? "") === FIND && EXEC.test(word)) {
      return next !== undefined && isValue(next);
    }
    if (!INTERPRETER.test(name) && !STARTS_OTHERS.test(name)) {
      return false;
    }
    const isAwk = name.endsWith("awk");
    for (const each of words.slice(index + 1)) {
      // A duration, a number of programs and a variable come before the program; those of awk are data.
      const isBefore = /^(?:-|\d+(?:\.\d+)?[smhd]?$|[A-Za-z_]\w*=)/.test(each);
      const isData = isAwk && /^[A-Za-z_]\w*=/.test(each);
      if (!isData && isValue(each)) {
        return true;
      }
      if (!isBefore) {
        return false;
      }
    }
    return false;
  });
}

/** Whether a path exists in the workspace. */
async function isInside(files: Files, path: string, kind?: "file"): Promise<boolean> {
  try {
    const found = (await files.stat(await files.resolve(path))).kind;
    return kind === undefined || found === kind;
  } catch {
    return false;
  }
}

/** Whether a path with an extension added to it exists in the workspace. */
async function isBeginning(files: Files, path: string): Promise<boolean> {
  const [, parent, name] = /^(?:(.*)\/)?([^/]*)$/.exec(path) ?? [];
  try {
    const entries = await files.list(await files.resolve(parent === undefined || parent === "" ? "." : parent));
    return entries.some((entry) => entry.name.startsWith(`${name}.`));
  } catch {
    return false;
  }
}

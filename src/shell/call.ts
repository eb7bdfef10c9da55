/** A command to analyze, and how it is reported. */
import type { SimpleCommand } from "./analysis.js";
import type { Folders } from "./folders.js";
import type { Heredoc } from "./words/heredocs.js";
import type { Printed } from "./known.js";
import { judge, type ArgWord, type Judgement } from "./judge.js";
import type { Program } from "./program.js";

/** A command to analyze. */
export interface Call {
  /** Its words, the name first. */
  words: readonly CallWord[];
  /** As written. */
  text: string;
  /** Names of the commands that run it, outermost first. */
  wrappers: readonly string[];
  folders: Folders;
  /** The text that the shell passes as its input. */
  input?: Heredoc | undefined;
  /** The output of the previous command in a pipe, if known. */
  stdin?: Printed | undefined;
}

/** A word; `raw` is the word as written, which distinguishes keywords from quoted words. */
export interface CallWord extends ArgWord {
  raw: string;
  /** Whether it may expand to no word, or several; assumed true if absent. */
  splits?: boolean;
  /** The offset after it in its program's text; absent for a word that is not in the text. */
  end?: number;
}

/** Longest command text that is reported. */
const MAX_TEXT = 200;

/** System program folders: a program in one of them, given by path, is the one its name means. */
const SYSTEM_FOLDER = /^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$/;

export const NOTHING: Judgement = { effect: "reads", why: "", beyondPrefix: false, prefix: 0, paths: [] };

/** Returns a command's plain name: `env` for `/usr/bin/env` and `\env.exe`. */
export function commandName(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1).replace(/\.exe$/i, "");
}

/** Returns a call of the command whose name is at `at` among a wrapper's words. */
export function innerCall(call: Call, at: number, extra: readonly CallWord[] = []): Call {
  const wrapper = commandName(call.words[0]?.value ?? "");
  return {
    ...call,
    words: [...call.words.slice(at), ...extra],
    wrappers: [...call.wrappers, wrapper],
    text: call.words
      .slice(at)
      .map((word) => word.raw)
      .join(" "),
    input: undefined,
    stdin: undefined,
  };
}

/** Reports a command with its judgement. */
export function report(program: Program, call: Call, judgement: Judgement): void {
  const { findings } = program;
  if (call.folders === undefined) {
    findings.doubt("the folder it runs in is not known");
  }
  const bases = call.folders ?? ["."];
  const command: SimpleCommand = {
    text: shownText(call.text),
    words: call.words.map((word) => word.value),
    wrappers: call.wrappers,
    effect: judgement.effect,
    why: judgement.why,
    beyondPrefix: judgement.beyondPrefix,
    prefix: judgement.prefix,
    ...(judgement.closed === true ? { closed: true } : {}),
    bases,
    paths: judgement.paths.map(({ kind, path, ...more }) => ({ ...more, kind, path, bases })),
    ...(judgement.steeredBy === undefined ? {} : { steeredBy: judgement.steeredBy }),
    ...(judgement.tracked === undefined ? {} : { tracked: judgement.tracked }),
    ...(judgement.changesNamed === true ? { changesNamed: true } : {}),
    ...(judgement.local === true ? { local: true } : {}),
    ...(judgement.fetches === undefined ? {} : { fetches: judgement.fetches }),
    ...(judgement.installedAs === undefined ? {} : { installedAs: judgement.installedAs }),
    // Only the line itself shows where a word ends.
    ...(judgement.narrowedBy === undefined || call.words[0]?.end === undefined || program.level > 0
      ? {}
      : { narrowable: { at: call.words[0].end, by: judgement.narrowedBy } }),
  };
  findings.command(program.place, command);
}

/** Reports a wrapper itself: apart from running the command, it does nothing or gains privileges. */
export function reportWrapper(program: Program, call: Call, rights?: string): void {
  const name = call.words[0]?.value ?? "";
  if (name.includes("/") && !SYSTEM_FOLDER.test(name)) {
    // This is a custom program with that name.
    report(program, call, judge(call.words));
    return;
  }
  report(program, call, rights === undefined ? NOTHING : { ...NOTHING, effect: "destroys", why: rights });
}

export function shownText(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT - 1)}…` : line;
}

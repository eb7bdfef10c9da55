/** What a line for PowerShell would run, read and write, as far as its text proves it. */
import type { CommandAnalysis, PathUse, SimpleCommand, TrackedUse } from "../analysis.js";
import { entering, either, type Folders } from "../folders.js";
import { variableDoubt } from "../words/variables.js";
import { meantBy } from "./aliases.js";
import { characterDoubt } from "./characters.js";
import { judgeCmdlet, NO_STREAM, type FoundPath, type Stream } from "./cmdletCall.js";
import { CHANGES_ITEMS, CHANGES_NAMES, CMDLETS, DESTROYS } from "./cmdlets.js";
import { NotRead } from "./cursor.js";
import { isOnlyRevision, nativeName, nativeWords, type JudgeNative } from "./natives.js";
import { isFromDrive, namesMachine, pathDoubt, slashed } from "./paths.js";
import { readLine } from "./read.js";
import type { Command, Expression, Statement, Value } from "./tree.js";

/** Longest text of a command that is shown. */
const MAX_TEXT = 200;

const ENTERING: ReadonlySet<string> = new Set(["set-location", "push-location"]);

/**
 * Returns what a line would do. Runs nothing, and never throws: what is not understood is in `doubts`.
 *
 * @param line as PowerShell gets it
 * @param variables names of variables set for this call
 * @param judge judges programs by the table of commands
 */
export function analysePowerShell(line: string, variables: readonly string[], judge: JudgeNative): CommandAnalysis {
  const walk = new Walk(judge);
  for (const name of variables) {
    walk.doubt(
      /^psmodulepath$/i.test(name)
        ? "`PSModulePath` decides which code a name means"
        : variableDoubt(name.toUpperCase(), true),
    );
  }
  const doubt = characterDoubt(line);
  if (doubt !== undefined) {
    walk.doubt(doubt);
    return walk.found();
  }
  try {
    walk.top(readLine(line));
    walk.end();
  } catch (error) {
    if (!(error instanceof NotRead)) {
      throw error;
    }
    walk.doubt(error.message);
  }
  return walk.found();
}

/** Reads a line as `analysePowerShell` does. */
export type PowerShellReader = (
  line: string,
  variables: readonly string[],
  judge: JudgeNative,
) => Promise<CommandAnalysis>;

class Walk {
  readonly #doubts = new Set<string>();
  readonly #commands: SimpleCommand[] = [];
  readonly #redirections: PathUse[] = [];
  readonly #judge: JudgeNative;
  readonly #cmdlets = new Set<string>();
  #folders: Folders = ["."];
  /** Whether the command at hand writes its output into a file. */
  #writes = false;

  constructor(judge: JudgeNative) {
    this.#judge = judge;
  }

  found(): CommandAnalysis {
    return { commands: this.#commands, redirections: this.#redirections, doubts: [...this.#doubts] };
  }

  doubt(sentence: string | undefined): void {
    if (sentence !== undefined) {
      this.#doubts.add(sentence);
    }
  }

  /** Walks the line's own statements, of which the folder may be changed by each. */
  top(statements: readonly Statement[]): void {
    for (const statement of statements) {
      const [only, ...others] = statement.kind === "pipe" ? statement.elements : [];
      if (only?.kind === "command" && others.length === 0 && ENTERING.has(meantBy(only.name).toLowerCase())) {
        this.#enter(only);
      } else {
        this.#statement(statement);
      }
    }
  }

  /** Judges what only the line as a whole tells. */
  end(): void {
    // Windows PowerShell keeps its own environment in the `StartInfo` of each process, and this shows all that is in an object.
    if (this.#cmdlets.has("get-process") && this.#cmdlets.has("convertto-json")) {
      this.doubt("a process as JSON may show every variable of the environment");
    }
  }

  #enter(command: Command): void {
    this.#writes = false;
    const [target, ...others] = command.args.filter(
      (arg) => arg.kind !== "word" || !/^-(?:literal)?path$/i.test(arg.text),
    );
    const path = target !== undefined && "text" in target ? target.text : undefined;
    const why =
      path === undefined || others.length > 0 || /[*?[\]]|^[+-]/.test(path) || command.redirections.length > 0
        ? "the folder it enters is only known at run time"
        : pathDoubt(path);
    if (path === undefined || why !== undefined) {
      this.#values(command.args);
      this.#report(command, { effect: "unknown", why: why ?? "" });
      return;
    }
    this.#report(command, { effect: "reads", paths: [{ kind: "read", path: slashed(path) }] });
    // Without an error it is there, and with one still here; what comes next runs either way.
    this.#folders = either(this.#folders, entered(this.#folders, slashed(path)));
  }

  #statement(statement: Statement): void {
    switch (statement.kind) {
      case "assignment":
        this.#statements(statement.value);
        break;
      case "if":
        statement.parts.forEach((part) => this.#statements(part));
        break;
      case "pipe": {
        let stream = NO_STREAM;
        for (const element of statement.elements) {
          stream = element.kind === "command" ? this.#command(element, stream) : this.#expression(element);
        }
      }
    }
  }

  #statements(statements: readonly Statement[]): void {
    statements.forEach((statement) => this.#statement(statement));
  }

  #expression({ values }: Expression): Stream {
    this.#values(values);
    return { kind: values.every(({ kind }) => kind === "quoted") ? "text" : "other", paths: [] };
  }

  /** Walks what values contain and run. */
  #values(values: readonly Value[]): void {
    for (const value of values) {
      switch (value.kind) {
        case "word":
          this.#text(value.text);
          break;
        case "quoted":
          this.#text(value.text ?? "");
          this.#statements(value.runs);
          break;
        case "list":
          this.#values(value.items);
          break;
        case "block":
        case "computed":
          this.#statements(value.runs);
          break;
        case "table":
          this.#values(value.entries.map((entry) => entry.value));
          break;
        case "variable":
      }
    }
  }

  #text(text: string): void {
    if (namesMachine(text)) {
      this.doubt(`\`${text.slice(0, 60)}\` may name another machine, which gets the user's credentials`);
    }
  }

  #command(command: Command, before: Stream): Stream {
    this.#values(command.args);
    this.#text(command.name);
    command.redirections.forEach(({ target }) => this.#redirection(target));
    this.#writes = command.redirections.length > 0;
    const name = meantBy(command.name);
    const lower = name.toLowerCase();
    const cmdlet = CMDLETS.get(lower);
    if (cmdlet !== undefined) {
      this.#cmdlets.add(lower);
      const { why, paths, stream } = judgeCmdlet(cmdlet, command.args, before);
      this.#report(command, why === undefined ? { effect: "reads", paths } : { effect: "unknown", why, paths });
      return stream;
    }
    const native = name === command.name ? nativeName(name) : undefined;
    if (native !== undefined) {
      this.#native(command, native);
      return { kind: "text", paths: [] };
    }
    if (CHANGES_NAMES.has(lower) || (CHANGES_ITEMS.test(lower) && command.args.some(mayBeNoFile))) {
      this.doubt(`\`${command.name}\` may change what other names mean`);
    }
    const destroys = DESTROYS.get(lower);
    this.#report(command, {
      effect: destroys === undefined ? "unknown" : "destroys",
      why: destroys ?? `\`${command.name.slice(0, 60)}\` is not known to only read`,
      paths: command.args.flatMap((arg) => possiblePaths(arg)),
    });
    return { kind: "other", paths: [] };
  }

  #native(command: Command, name: string): void {
    const words = nativeWords(name, command.args);
    const { paths, tracked, ...rest } = this.#judge(words);
    // Git's words may be read as revisions or relative paths, which its rules for them do not expect of a drive.
    const doubtOf = (path: string): string | undefined =>
      name === "git" && isFromDrive(path)
        ? `\`${path.slice(0, 60)}\` begins at a drive: give Git a path below the folder it runs in`
        : pathDoubt(path);
    const files = paths.filter(({ path }) => pathDoubt(path) === undefined || !isOnlyRevision(words, path));
    const doubt = files.map(({ path }) => (path === "." ? undefined : doubtOf(path))).find((why) => why !== undefined);
    this.#push({
      ...rest,
      ...(tracked === undefined ? {} : { tracked: slashedUse(tracked) }),
      ...(doubt === undefined ? {} : { effect: "unknown", why: doubt, beyondPrefix: true, prefix: 0 }),
      text: shown(command.text),
      words: words.map(({ value }) => value),
      paths: this.#uses(
        files.filter(({ path }) => doubtOf(path) === undefined).map((use) => ({ ...use, path: slashed(use.path) })),
      ),
    });
  }

  #redirection(target: Value): void {
    this.#values([target]);
    const path = "text" in target ? target.text : undefined;
    const why =
      path === undefined || /[*?[\]]/.test(path)
        ? "the file of a redirection is only known at run time"
        : pathDoubt(path);
    if (path === undefined || why !== undefined) {
      this.doubt(why);
    } else {
      this.#redirections.push(...this.#uses([{ kind: "write", path: slashed(path) }]));
    }
  }

  /** Reports a command that is no program, under its own name and under that which an alias stands for. */
  #report(
    command: Command,
    { effect, why = "", paths = [] }: { effect: SimpleCommand["effect"]; why?: string; paths?: readonly FoundPath[] },
  ): void {
    const meant = meantBy(command.name);
    const rest = command.args.map((arg) => ("text" in arg ? arg.text : undefined));
    const names = [...new Set([CMDLETS.get(meant.toLowerCase())?.name ?? meant, command.name.toLowerCase()])];
    const isOne = names.length === 1 || names[0]?.toLowerCase() === names[1];
    for (const name of isOne ? names.slice(0, 1) : names) {
      this.#push({
        ...{ text: shown(command.text), words: [name, ...rest], effect, why, paths: this.#uses(paths) },
        ...{ beyondPrefix: effect !== "reads", prefix: 0 },
      });
    }
  }

  #push(command: Omit<SimpleCommand, "wrappers" | "bases">): void {
    if (this.#folders === undefined) {
      this.doubt("the folder it runs in is not known");
    }
    const written: Partial<SimpleCommand> =
      this.#writes && command.effect === "reads"
        ? { effect: "changes", why: "it writes a file", beyondPrefix: true, prefix: 0 }
        : {};
    this.#commands.push({ ...command, ...written, wrappers: [], bases: this.#folders ?? ["."] });
  }

  #uses(paths: readonly FoundPath[]): readonly PathUse[] {
    return paths.map((path) => ({ ...path, bases: this.#folders ?? ["."] }));
  }
}

/** Returns the folders after `cd target`, whatever drives they are on. */
function entered(folders: Folders, target: string): Folders {
  if (isFromDrive(target)) {
    const drive = target.slice(0, 2);
    return folders === undefined ? undefined : entering(["."], target.slice(2))?.map((folder) => drive + folder);
  }
  const all = folders?.map((folder) => {
    const drive = isFromDrive(folder) ? folder.slice(0, 2) : "";
    return entering([folder.slice(drive.length)], target)?.map((each) => drive + each);
  });
  return all === undefined ? undefined : either(...all);
}

/** Returns what Git makes of paths on Windows, where it takes a backslash for a slash. */
function slashedUse({ words, paths, atTop, except, ...rest }: TrackedUse): TrackedUse {
  const all = (each: readonly string[]): readonly string[] => each.map((path) => slashed(path));
  return { ...rest, words: all(words), paths: all(paths), atTop: all(atTop), except };
}

/** Returns the files that a value of an unknown command may name: it may write each. */
function possiblePaths(value: Value): readonly FoundPath[] {
  if (value.kind === "list") {
    return value.items.flatMap((item) => possiblePaths(item));
  }
  const text = "text" in value ? value.text : undefined;
  return text === undefined || /^-|[*?[\]]/.test(text) || pathDoubt(text) !== undefined
    ? []
    : [{ kind: "write", path: slashed(text) }];
}

function shown(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT - 1)}…` : line;
}

/** Whether a value may name a function, an alias or a variable: `function:gc`. */
function mayBeNoFile(value: Value): boolean {
  return value.kind === "list"
    ? value.items.some(mayBeNoFile)
    : !("text" in value) || value.text === undefined || value.text.includes(":");
}

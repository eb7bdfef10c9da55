/** Judges one call of a cmdlet by the table of those that only read. */
import type { PathUse } from "../analysis.js";
import { isOrdinaryEnding } from "../ordinaryEndings.js";
import type { Cmdlet, Output, ParameterKind } from "./cmdlets.js";
import { folderOfPattern, pathDoubt } from "./paths.js";
import type { Value } from "./tree.js";

/** Files that a cmdlet passes on, without the folders it may run in. */
export type FoundPath = Omit<PathUse, "bases">;

/** What comes from the command before in a pipe. */
export interface Stream {
  kind: "none" | "files" | "text" | "other";
  /** For files: where they are. */
  paths: readonly FoundPath[];
}

export const NO_STREAM: Stream = { kind: "none", paths: [] };

interface CmdletJudgement {
  /** Why it is not proven to only read. */
  why: string | undefined;
  paths: readonly FoundPath[];
  stream: Stream;
}

/** Cmdlets that take all their input from a pipe; the others may take any of their parameters from it by name. */
const FILTERS =
  /^(?:Where|ForEach|Select|Sort|Group|Measure|Compare)-Object$|^(?:Format|Out|Write|ConvertTo|ConvertFrom)-|^Get-(?:Unique|Member)$/;

/** Properties that are no methods of anything that comes out of the cmdlets of the table. */
const MEMBERS =
  /^(?:Name|FullName|BaseName|Extension|Length|DirectoryName|Directory|LastWriteTime|CreationTime|Count|Line|LineNumber|Filename|Path|Id|ProcessName|CPU|Status|DisplayName|Key|Value|Hash|Mode|Matches|Version|Source)$/i;

const KEYS = /^(?:n|name|l|label|e|expression|f|formatstring|width|alignment|ascending|descending)$/;

/** Judges a call with these arguments, after what came before in a pipe. */
export function judgeCmdlet(cmdlet: Cmdlet, args: readonly Value[], before: Stream): CmdletJudgement {
  const call = new CmdletCall(cmdlet);
  args.forEach((arg) => call.take(arg));
  return call.finish(before);
}

class CmdletCall {
  readonly #cmdlet: Cmdlet;
  readonly #given = new Set<string>();
  readonly #paths: string[] = [];
  readonly #names: string[] = [];
  #waiting: { name: string; kind: ParameterKind } | undefined;
  #why: string | undefined;

  constructor(cmdlet: Cmdlet) {
    this.#cmdlet = cmdlet;
  }

  take(value: Value): void {
    if (value.kind === "word" && /^-[A-Za-z_?]/.test(value.text)) {
      this.#parameter(value.text);
      return;
    }
    if (value.kind === "word" && value.text.startsWith("--")) {
      this.#doubt(`\`${value.text}\` is not a parameter`);
      return;
    }
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) {
      this.#value(waiting, value);
      return;
    }
    const { positional, takesRest, parameters } = this.#cmdlet;
    const name = positional.find((each) => !this.#given.has(each)) ?? (takesRest ? positional.at(-1) : undefined);
    const parameter = name === undefined ? undefined : parameters.get(name.toLowerCase());
    if (parameter === undefined) {
      this.#doubt("it has a value too many");
      return;
    }
    this.#given.add(parameter.name);
    this.#value(parameter, value);
  }

  finish(before: Stream): CmdletJudgement {
    if (this.#waiting !== undefined) {
      this.#doubt(`\`-${this.#waiting.name}\` has no value`);
    }
    const { name, readsContents, takesPaths, worksHere } = this.#cmdlet;
    const paths: FoundPath[] = this.#paths.map((path) => this.#found(path));
    if (before.kind !== "none" && !FILTERS.test(name)) {
      if (takesPaths && before.kind === "files" && paths.length === 0) {
        paths.push(...before.paths.map((path) => (readsContents ? { ...path, deep: true, links: true } : path)));
      } else if (name !== "Select-String" || before.kind !== "text" || paths.length > 0) {
        this.#doubt("what it gets from the pipe is only known at run time");
      }
    } else if (paths.length === 0 && worksHere) {
      paths.push({ kind: "read", path: ".", ...this.#ordinary(this.#names) });
    }
    return { why: this.#why, paths, stream: { kind: this.#output(before), paths: this.#passedOn(before, paths) } };
  }

  #parameter(text: string): void {
    if (this.#waiting !== undefined) {
      this.#doubt(`\`-${this.#waiting.name}\` has no value`);
    }
    this.#waiting = undefined;
    const [, name = "", colon, rest = ""] = /^-(\w+)(:)?(.*)$/s.exec(text) ?? [];
    const parameter = this.#cmdlet.parameters.get(name.toLowerCase());
    if (parameter === undefined || (colon === undefined && rest !== "")) {
      this.#doubt(`its parameter \`${text.slice(0, 40)}\` is not known to be harmless`);
      return;
    }
    if (this.#given.has(parameter.name) && parameter.kind !== "switch") {
      this.#doubt(`\`-${parameter.name}\` is given twice`);
    }
    this.#given.add(parameter.name);
    if (colon === undefined) {
      this.#waiting = parameter.kind === "switch" ? undefined : parameter;
    } else if (parameter.kind === "switch" || rest === "") {
      this.#doubt(`\`${text.slice(0, 40)}\` is not followed`);
    } else {
      this.#value(parameter, { kind: "word", text: rest });
    }
  }

  #value({ name, kind }: { name: string; kind: ParameterKind }, value: Value): void {
    for (const item of value.kind === "list" ? value.items : [value]) {
      const text = item.kind === "word" || item.kind === "quoted" ? item.text : undefined;
      switch (kind) {
        case "path":
          this.#path(name, item.kind === "word" && isNumber(item.text) ? undefined : text);
          break;
        case "name":
          if (text === undefined || /[\\/:]/.test(text)) {
            this.#doubt(`the names of \`-${name}\` are not followed`);
          }
          if (name !== "Exclude") {
            this.#names.push(text ?? "*");
          }
          break;
        case "action":
          if (!/^(?:SilentlyContinue|Ignore|Stop|Continue)$/i.test(text ?? "")) {
            this.#doubt(`\`-${name}\` has an unknown value`);
          }
          break;
        case "member":
          if (item.kind !== "block" && !MEMBERS.test(text ?? "")) {
            this.#doubt(`\`${text ?? "…"}\` may be a method, which is then called`);
          }
          break;
        default:
          if (item.kind === "table" && item.entries.some(({ key }) => !KEYS.test(key))) {
            this.#doubt("a table in it is not understood");
          }
      }
    }
  }

  #path(parameter: string, text: string | undefined): void {
    const doubt = text === undefined ? "a path is only known at run time" : pathDoubt(text);
    const { folder, pattern } = folderOfPattern(text ?? "");
    if (doubt !== undefined) {
      this.#doubt(doubt);
    } else if (pattern !== undefined && (parameter === "LiteralPath" || pattern.split("/").includes(".."))) {
      this.#doubt(`\`${text ?? ""}\` is not followed`);
    } else {
      this.#paths.push(pattern === undefined ? folder : `${folder}/${pattern}`);
    }
  }

  /** Returns a path as it is checked: for a pattern, all that is below the folder where it begins. */
  #found(path: string): FoundPath {
    const { folder, pattern } = folderOfPattern(path);
    const last = pattern?.split("/").at(-1);
    const names = this.#names.length > 0 || last === undefined ? this.#names : [last];
    const isDeep = pattern !== undefined && this.#cmdlet.readsContents;
    return { kind: "read", path: folder, ...(isDeep ? { deep: true, links: true } : {}), ...this.#ordinary(names) };
  }

  /** Says so if only sources and documents have such names. */
  #ordinary(names: readonly string[]): Pick<FoundPath, "ordinaryOnly"> {
    const isOrdinary =
      names.length > 0 && names.every((each) => /^\*\.\w+$/.test(each) && isOrdinaryEnding(each.slice("*.".length)));
    return isOrdinary ? { ordinaryOnly: true } : {};
  }

  #output(before: Stream): Stream["kind"] {
    const { name, output } = this.#cmdlet;
    const picks = name === "Select-Object" && !this.#given.has("Property") && !this.#given.has("ExpandProperty");
    const passed: Output = picks ? "same" : name === "Get-ChildItem" && this.#given.has("Name") ? "other" : output;
    return passed !== "same" ? passed : before.kind === "none" ? "other" : before.kind;
  }

  #passedOn(before: Stream, paths: readonly FoundPath[]): readonly FoundPath[] {
    return this.#cmdlet.output === "files" ? paths : before.paths;
  }

  #doubt(why: string): void {
    this.#why ??= why;
  }
}

/** Whether PowerShell reads a word as a number, which may not become the same text again. */
function isNumber(word: string): boolean {
  return (
    /^[+-]?(?:0x|\.?\d)/i.test(word) && !/^(?:0|[1-9]\d{0,8})$/.test(word) && /^[+-]?[\da-fx.]+[a-z]{0,3}$/i.test(word)
  );
}

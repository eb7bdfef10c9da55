/** Judges one call of a cmdlet by the table of those that only read. */
import type { PathUse } from "../analysis.js";
import { isOrdinaryEnding } from "../ordinaryEndings.js";
import type { Cmdlet, Output, ParameterKind } from "./cmdlets.js";
import { isPlainMember, mayHoldCode } from "./members.js";
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
  /** Whether a parameter got a value that may be a block. */
  #mayRunValue = false;

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
    const paths: FoundPath[] = this.#paths.flatMap((path) => this.#reached(path));
    const passed: FoundPath[] = this.#paths.flatMap((path) => this.#named(path));
    if (before.kind !== "none" && !FILTERS.test(name)) {
      if (takesPaths && before.kind === "files" && paths.length === 0) {
        const taken = before.paths.map((path) => this.#taken(path));
        paths.push(...taken.map((path) => (readsContents ? { ...path, deep: true, links: true } : path)));
        passed.push(...taken);
      } else if (name !== "Select-String" || before.kind !== "text" || paths.length > 0) {
        this.#doubt("what it gets from the pipe is only known at run time");
      }
      if (this.#mayRunValue) {
        this.#doubt("a value may be a block, which then runs for each object from the pipe");
      }
    } else if (paths.length === 0 && worksHere) {
      const here: FoundPath = { kind: "read", path: ".", ...this.#ordinary(this.#names) };
      paths.push(here);
      passed.push(here);
    }
    return { why: this.#why, paths, stream: { kind: this.#output(before), paths: this.#passedOn(before, passed) } };
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
          if (text === undefined || /[\\/:]|^\.+$/.test(text)) {
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
          if (item.kind !== "block" && !isPlainMember(text ?? "")) {
            this.#doubt(`\`${text ?? "…"}\` may be a method, which is then called`);
          }
          break;
        case "property":
          this.#property(name, item);
          break;
        default:
          this.#mayRunValue ||= item.kind === "variable" || item.kind === "computed";
          if (item.kind === "table" && item.entries.some(({ key }) => !KEYS.test(key))) {
            this.#doubt("a table in it is not understood");
          }
      }
    }
  }

  /** A value that is only known at run time may be a block, which is then run. */
  #property(parameter: string, item: Value): void {
    const isShown = parameter === "Property" && /^(?:Select-Object|Format-\w+)$/.test(this.#cmdlet.name);
    const doubtOf = (value: Value, mayBePattern: boolean): string | undefined => {
      if (value.kind === "block") {
        return undefined;
      }
      if ((value.kind !== "word" && value.kind !== "quoted") || value.text === undefined) {
        return "a property is only known at run time, and may be a block, which is then run";
      }
      return mayHoldCode(value.text) || (!mayBePattern && /[*?[\]]/.test(value.text))
        ? `the property \`${value.text.slice(0, 40)}\` may hold code or secrets`
        : undefined;
    };
    const doubts =
      item.kind !== "table"
        ? [doubtOf(item, isShown)]
        : item.entries.map(({ key, value }) =>
            KEYS.test(key) ? (/^e/.test(key) ? doubtOf(value, false) : undefined) : "a table in it is not understood",
          );
    const doubt = doubts.find((each) => each !== undefined);
    if (doubt !== undefined) {
      this.#doubt(doubt);
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

  /** Returns what the call itself looks at through a path: a pattern leads to all that it matches. */
  #reached(path: string): readonly FoundPath[] {
    const { folder, pattern } = folderOfPattern(path);
    const ordinary = this.#ordinary(this.#names);
    if (pattern === undefined) {
      return [{ kind: "read", path: folder, ...ordinary }];
    }
    return this.#cmdlet.readsContents && ordinary.ordinaryOnly === true
      ? [{ kind: "read", path: folder, deep: true, links: true, ...ordinary }]
      : [matching(path)];
  }

  /** Returns what may come out of the call for a path, all of whose contents the next command may read. */
  #named(path: string): readonly FoundPath[] {
    const { folder, pattern } = folderOfPattern(path);
    const ordinary = this.#ordinary(this.#names);
    const inFolder: FoundPath = { kind: "read", path: folder, ...ordinary };
    if (pattern === undefined) {
      return [inFolder];
    }
    const isOrdinary = ordinary.ordinaryOnly === true;
    if (this.#cmdlet.name !== "Get-ChildItem") {
      return isOrdinary ? [inFolder] : [matching(path)];
    }
    const last = pattern.split("/").at(-1) ?? "";
    if (this.#given.has("Recurse") || this.#given.has("Depth")) {
      // The last part chooses names at any depth.
      return this.#names.length > 0
        ? [inFolder]
        : [{ kind: "read", path: folder, ...this.#ordinary([last]) }, matching(path)];
    }
    // A folder that matches comes out as what is in it, whatever the names there are.
    const above = path.slice(0, path.length - last.length);
    return isOrdinary ? [inFolder, ...this.#names.map((name) => matching(`${above}${name}`))] : [matching(path)];
  }

  /** Returns a path from the pipe as this call takes it. */
  #taken({ ordinaryOnly, ...path }: FoundPath): FoundPath {
    // A folder with an ordinary name (`x.ts`) may hold anything, and this lists it.
    const keeps = ordinaryOnly === true && this.#cmdlet.name !== "Get-ChildItem";
    return keeps ? { ...path, ordinaryOnly } : path;
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

/** Returns the use of all that a pattern matches, as PowerShell does it. */
function matching(path: string): FoundPath {
  return { kind: "read", path, anyCase: true };
}

/** Whether PowerShell reads a word as a number, which may not become the same text again. */
function isNumber(word: string): boolean {
  return (
    /^[+-]?(?:0x|\.?\d)/i.test(word) && !/^(?:0|[1-9]\d{0,8})$/.test(word) && /^[+-]?[\da-fx.]+[a-z]{0,3}$/i.test(word)
  );
}

/** Decides whether a sed script only edits what it prints. */
import { given, valuesOf, type Call } from "./options.js";
import { beyond, type Finding } from "./spec.js";

/** Commands without arguments that touch only sed's own buffers. */
const PLAIN = "pPdDqQ=nNgGhHxlFz{}";

/** Common delimiters of regular expressions. Others are not parsed. */
const DELIMITERS = "/|,#@!:%~;_^.+";

/** Returns what is not proven about a call's scripts. */
export function sedFindings(call: Call): readonly Finding[] {
  const isGiven = given(call, "-e --expression -f --file");
  const first = call.operands[0];
  const scripts = isGiven ? valuesOf(call, "-e --expression") : first?.value === undefined ? [] : [first.value];
  const isPlain = scripts.length > 0 && isPlainScript(scripts.join("\n"));
  const isFromFile = isGiven && scripts.length === 0;
  return isPlain || isFromFile
    ? []
    : [beyond("unknown", "its script may do more than print (`w`, `r`, `e` and unusual forms do)")];
}

/**
 * Whether every command of a script is known to touch no file and to run nothing. Not known are `w`, `W`, `r`, `R`,
 * `e`, the flags `w` and `e` of `s`, and anything on which GNU's and BSD's sed differ.
 */
export function isPlainScript(script: string): boolean {
  const reader = new ScriptReader(script);
  return reader.isPlain();
}

class ScriptReader {
  private at = 0;

  constructor(private readonly text: string) {}

  isPlain(): boolean {
    for (;;) {
      this.skip(/[\s;]*/uy);
      if (this.at >= this.text.length) {
        return true;
      }
      if (this.skip(/#[^\n]*/uy)) {
        continue;
      }
      if (!this.address() || !this.command()) {
        return false;
      }
    }
  }

  /** Parses `3`, `$`, `/re/I`, `\|re|`, `1~2`, and a second one after a comma; then any `!`. */
  private address(): boolean {
    if (!this.oneAddress()) {
      return false;
    }
    this.skip(/[ \t]*/uy);
    if (this.skip(/,[ \t]*/uy) && !(this.skip(/[+~]\d+/uy) || this.oneAddress())) {
      return false;
    }
    this.skip(/[ \t!]*/uy);
    return true;
  }

  /** @returns whether there is an address here, or none at all */
  private oneAddress(): boolean {
    if (this.skip(/\d+(?:~\d+)?|\$/uy)) {
      return true;
    }
    if (this.text[this.at] === "\\") {
      this.at += 1;
    } else if (this.text[this.at] !== "/") {
      return true;
    }
    const delimiter = this.delimiter();
    if (delimiter === undefined || !this.enclosed(delimiter, true)) {
      return false;
    }
    this.skip(/[IM]*/uy);
    return true;
  }

  private command(): boolean {
    const name = this.text[this.at] ?? "";
    this.at += 1;
    if (name !== "" && PLAIN.includes(name)) {
      return this.skip(/[ \t]*\d*[ \t]*(?=[;\n}#]|$)/uy) || name === "{" || name === "}";
    }
    switch (name) {
      case "s":
        return this.substitution();
      case "y":
        return this.transliteration();
      case "b":
      case "t":
      case "T":
      case ":":
        return this.skip(/[ \t]*\w*[ \t]*(?=[;\n}]|$)/uy);
      case "a":
      case "i":
      case "c":
        return this.skip(/(?:\\[^]|[^\\\n])*(?:\n|$)/uy);
      default:
        return false;
    }
  }

  private substitution(): boolean {
    const delimiter = this.delimiter();
    const isWhole = delimiter !== undefined && this.enclosed(delimiter, true) && this.enclosed(delimiter, false);
    return isWhole && this.skip(/[gpiIMm\d]*[ \t]*(?=[;\n}#]|$)/uy);
  }

  private transliteration(): boolean {
    const delimiter = this.delimiter();
    return (
      delimiter !== undefined &&
      this.enclosed(delimiter, false) &&
      this.enclosed(delimiter, false) &&
      this.skip(/[ \t]*(?=[;\n}#]|$)/uy)
    );
  }

  private delimiter(): string | undefined {
    const delimiter = this.text[this.at] ?? "";
    this.at += 1;
    return delimiter !== "" && DELIMITERS.includes(delimiter) ? delimiter : undefined;
  }

  /**
   * Skips past the next delimiter. Inside brackets GNU ends a regular expression there and BSD does not, so that is
   * refused.
   */
  private enclosed(delimiter: string, isExpression: boolean): boolean {
    const start = this.at;
    for (; this.at < this.text.length; this.at += 1) {
      const character = this.text[this.at];
      if (character === "\\") {
        this.at += 1;
      } else if (character === delimiter) {
        const inside = this.text.slice(start, this.at).replace(/\\[^]/gu, "");
        this.at += 1;
        return !isExpression || inside.lastIndexOf("[") <= inside.lastIndexOf("]");
      } else if (character === "\n") {
        return false;
      }
    }
    return false;
  }

  private skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found !== undefined;
  }
}

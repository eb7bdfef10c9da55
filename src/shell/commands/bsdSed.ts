/**
 * What the sed of macOS makes of `sed -i x y`: `-i` takes the next word as an ending for copies (sed(1), FreeBSD), so
 * that the script is a word that GNU's sed takes for a file.
 */
import type { JudgedPath } from "../judge.js";
import { given, type Call } from "./options.js";

/** Addresses before a command: numbers, `$` and regular expressions between slashes. */
const ADDRESSES = /^[\s;{}]*(?:(?:\d+|\$|\/(?:\\.|[^/\\\n])*\/)[\s,]*){0,2}[\s!]*/;

/** Returns the files that macOS's sed would write and read besides those that GNU's sed edits. */
export function bsdSedPaths(call: Call): readonly JudgedPath[] {
  const isBare = call.flags.some(({ name, values }) => /^(?:-i|--in-place)$/.test(name) && values.length === 0);
  const word = call.operands[1];
  const script = word?.value ?? word?.glob;
  return isBare && script !== undefined && !given(call, "-e --expression -f --file") ? filesOf(script) : [];
}

/** Returns the files of the commands and flags `w` and `r` of a script, up to what is no script. */
function filesOf(script: string): readonly JudgedPath[] {
  const found: JudgedPath[] = [];
  let rest = script;
  while (rest !== "") {
    rest = rest.slice(ADDRESSES.exec(rest)?.[0].length ?? 0);
    const command = rest[0] ?? "";
    const [line = ""] = rest.split("\n", 1);
    if (/[wr]/i.test(command)) {
      add(found, command, line.slice(1));
      rest = rest.slice(line.length);
    } else if (command === "s" || command === "y") {
      const substitution = endOfSubstitution(rest);
      if (substitution === undefined) {
        return found;
      }
      const { end, isOpen } = substitution;
      if (isOpen) {
        // Whatever may be a command or flag from there on.
        for (const { 0: letter, index } of rest.slice(end).matchAll(/[wr]/gi)) {
          const [name = ""] = rest.slice(end + index + 1).split("\n", 1);
          add(found, letter, name);
        }
        return found;
      }
      const flags = /^[gpiIMm\d]*/.exec(rest.slice(end))?.[0].length ?? 0;
      const [after = ""] = rest.slice(end + flags).split("\n", 1);
      if (command === "s" && after.startsWith("w")) {
        add(found, "w", after.slice(1));
        rest = rest.slice(end + flags + after.length);
      } else {
        rest = rest.slice(end + flags);
      }
    } else if (/^[acibt:]$/.test(command)) {
      rest = rest.slice(line.length);
    } else if (/^[dDgGhHlnNpPqx=]$/.test(command)) {
      rest = rest.slice(1);
    } else {
      return found;
    }
    if (!/^[ \t]*(?:$|[;\n}#])/.test(rest)) {
      return found;
    }
    rest = rest.replace(/^[ \t]*#[^\n]*/, "");
  }
  return found;
}

function add(found: JudgedPath[], command: string, rest: string): void {
  const path = rest.trim();
  if (path !== "") {
    found.push({ kind: command === "w" || command === "W" ? "write" : "read", path });
  }
}

/**
 * Returns where `s/x/y/` ends, whatever its delimiter, and whether brackets leave open which delimiter ends it: that is
 * the first place then.
 */
function endOfSubstitution(text: string): { end: number; isOpen: boolean } | undefined {
  const delimiter = text[1];
  if (delimiter === undefined || /[\\\n]/.test(delimiter)) {
    return undefined;
  }
  const ends: number[] = [];
  for (let at = 2; at < text.length && text[at] !== "\n" && ends.length < 2; at += 1) {
    if (text[at] === "\\") {
      at += 1;
    } else if (text[at] === delimiter) {
      ends.push(at + 1);
    }
  }
  const end = ends[1];
  return end === undefined ? undefined : { end, isOpen: text.slice(2, ends[0]).includes("[") };
}

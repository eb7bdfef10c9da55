import { LIBRARY_ENCODINGS } from "../../text/encoding.js";
import type { Target } from "./target.js";

/** Names of the Encoding Standard, which ripgrep takes, for those of VS Code that differ in more than their dashes. */
const LABELS: Readonly<Record<string, string>> = {
  cp866: "ibm866",
  cp950: "big5",
  macroman: "macintosh",
  shiftjis: "shift_jis",
};
/** What VS Code knows and the Encoding Standard does not. */
const UNKNOWN = new Set(["cp1125", "cp437", "cp850", "cp852", "cp865", "koi8ru", "koi8t"]);

/** Returns the flag for files that are not UTF-8; none if ripgrep needs none, or cannot search the encoding. */
export function encodingFlags({ encoding }: Target): string[] {
  return LIBRARY_ENCODINGS.has(encoding) && !UNKNOWN.has(encoding) ? [`--encoding=${labelOf(encoding)}`] : [];
}

/** Says what a search may have missed because of the encoding. */
export function describeEncoding({ encoding, prefix }: Target): string[] {
  return UNKNOWN.has(encoding)
    ? [`${prefix}: files.encoding is ${encoding}, in which only ASCII can be searched: other characters are not found`]
    : [];
}

function labelOf(encoding: string): string {
  return (
    LABELS[encoding] ??
    encoding
      .replace(/^iso8859(\d+)$/, "iso-8859-$1")
      .replace(/^windows(\d+)$/, "windows-$1")
      .replace(/^(koi8|euc|big5)(?=[a-z])/, "$1-")
  );
}

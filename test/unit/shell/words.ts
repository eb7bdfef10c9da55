/** Words of a command line for the tables: quotes group, `$…` depends on the run, an unquoted `*` or `?` is a glob. */
import type { ArgWord } from "../../../src/shell/judge.js";

/** Splits a line of the tables, not of a shell: there is no escaping in it. */
export function argWords(line: string): readonly ArgWord[] {
  const parts = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/gu) ?? [];
  return parts.map((part) => {
    const text = part.replaceAll(
      /'([^']*)'|"([^"]*)"/gu,
      (_, single: string | undefined, double: string | undefined) => single ?? double ?? "",
    );
    const isQuoted = /['"]/u.test(part);
    if (!isQuoted && part.startsWith("$")) {
      return { value: undefined };
    }
    return !isQuoted && /[*?]/u.test(part) ? { value: undefined, glob: text } : { value: text };
  });
}

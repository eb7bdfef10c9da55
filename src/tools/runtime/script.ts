import { oneLine } from "../../text/clip.js";

/** Needs no quotes in bash. */
const PLAIN = /^[\w./:@%+,-]+$/;
const VARIABLE = /^[A-Za-z_]\w*$/;

/**
 * A command as a person is asked about it: exactly as it runs, and above it what else decides on what it does.
 * Variables do: bash runs the file that `BASH_ENV` names.
 *
 * @param notes become comments, a line each
 */
export function shownScript(
  command: string,
  env: Readonly<Record<string, string | null>>,
  notes: readonly string[],
): string {
  return [
    ...notes.map((note) => `# ${oneLine(note)}`),
    ...Object.entries(env).map(([name, value]) =>
      value === null
        ? `unset ${quoted(name)}`
        : `export ${VARIABLE.test(name) ? `${name}=${quoted(value)}` : quoted(`${name}=${value}`)}`,
    ),
    command,
  ].join("\n");
}

/** A text as one word of bash. */
function quoted(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

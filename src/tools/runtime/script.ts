import { oneLine } from "../../text/clip.js";

/** Text that needs no quotes in bash. */
const PLAIN = /^[\w./:@%+,-]+$/;
const VARIABLE = /^[A-Za-z_]\w*$/;

/**
 * Returns a command as shown to a person for approval: exactly as it runs, preceded by everything else that affects
 * what it does. Variables do: bash runs the file that `BASH_ENV` names.
 *
 * @param notes become comments, one line each
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

/** Quotes a text as one bash word. */
function quoted(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

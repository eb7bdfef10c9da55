/** Maximum lines of a command shown before its output. */
const MAX_LINES = 20;

/**
 * Formats a command and its folder for a terminal, before the output: dim, and without anything that could control the
 * terminal.
 */
export function commandHeader({ command, workdir }: { command: string; workdir: string }): string {
  const lines = visible(command.trimEnd()).split("\n");
  const shown = lines.slice(0, MAX_LINES);
  const more = lines.length > shown.length ? [`[${lines.length - shown.length} more lines]`] : [];
  const folder = workdir === "." ? "" : `  (in ${visible(workdir)})`;
  return `\x1b[2m$ ${[...shown, ...more].join("\n  ")}${folder}\x1b[0m`;
}

/** Replaces control characters with their pictures. */
function visible(text: string): string {
  return text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/[\0-\x08\x0b-\x1f]/g, (control) => String.fromCharCode(0x2400 + control.charCodeAt(0)))
    .replaceAll(/[\x7f-\x9f\p{Bidi_Control}]/gu, "\uFFFD");
}

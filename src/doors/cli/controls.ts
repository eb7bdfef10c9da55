/**
 * Control characters that a terminal would obey, and marks that change the text direction. Output of models, files and
 * servers is only text.
 */
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/** Escapes control characters as \uXXXX, as in JSON. Line feeds and tabs stay. */
export function withoutControls(text: string): string {
  return text.replaceAll(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Formats a value as a line of JSON that is safe to print on a terminal and parses to the same value. */
export function jsonLine(value: object): string {
  return `${withoutControls(JSON.stringify(value))}\n`;
}

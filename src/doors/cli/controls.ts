/**
 * Controls that a terminal would obey, and marks that turn the direction of what follows: what a model, a file or a
 * server says is text.
 */
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/** A text whose controls are escaped as JSON and people write them. Line feeds and tabs stay. */
export function withoutControls(text: string): string {
  return text.replaceAll(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A value as a line of JSON that a terminal may be given, too: the same value to whoever reads it as JSON. */
export function jsonLine(value: object): string {
  return `${withoutControls(JSON.stringify(value))}\n`;
}

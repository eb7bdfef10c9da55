/** JSON whose strings may contain the placeholders `{{content}}` and `${secret:name}`. */
export type JsonTemplate = { [key: string]: unknown } | unknown[];

const SECRET = /\$\{secret:([\w.-]{1,50})\}/g;
const PLACE = /\{\{\s*content\s*\}\}|\$\{secret:([\w.-]{1,50})\}/g;
/** Text that looks like a placeholder but is not a known one. */
const ODD = /\{\{(?!\s*content\s*\}\})[^{}]*\}\}|\$\{secret:(?![\w.-]{1,50}\})[^}]*\}?/;
/** Maximum depth of a template: people write them, and nobody needs more. */
const MAX_DEPTH = 20;

/** Returns what is wrong with a template, as the rest of a sentence; undefined if it is valid. */
export function templateProblem(template: JsonTemplate): string | undefined {
  const texts = textsOf(template, 0);
  if (texts === undefined) {
    return `it is nested more than ${MAX_DEPTH} deep`;
  }
  const odd = texts.map((text) => ODD.exec(text)?.[0]).find((found) => found !== undefined);
  if (odd !== undefined) {
    return `${odd.slice(0, 60)} is not a placeholder; use {{content}} or \${secret:name}`;
  }
  return texts.some((text) => /\{\{\s*content\s*\}\}/.test(text))
    ? undefined
    : "none of its strings contains {{content}}, so the message would not be sent";
}

/**
 * Fills a template. Inserted text is not expanded again: a message that contains `${secret:name}` is sent as it is.
 *
 * @returns JSON
 */
export function fillTemplate(template: JsonTemplate, content: string, secrets: ReadonlyMap<string, string>): string {
  return JSON.stringify(template, (_key, value: unknown) =>
    typeof value === "string"
      ? value.replace(PLACE, (_place, secret: string | undefined) =>
          secret === undefined ? content : (secrets.get(secret) ?? ""),
        )
      : value,
  );
}

/** Returns the secrets that a text names, and the text with their values filled in. */
export function findSecrets(text: string, valueOf: (name: string) => string): { names: string[]; text: string } {
  const names: string[] = [];
  const filled = text.replace(SECRET, (_place, name: string) => {
    names.push(name);
    return valueOf(name);
  });
  return { names, text: filled };
}

/** Returns all strings of a template except its keys; undefined if it is nested too deep. */
function textsOf(value: unknown, depth: number): string[] | undefined {
  if (typeof value === "string") {
    return [value];
  }
  if (typeof value !== "object" || value === null) {
    return [];
  }
  if (depth >= MAX_DEPTH) {
    return undefined;
  }
  const inner = Object.values(value).map((each) => textsOf(each, depth + 1));
  return inner.includes(undefined) ? undefined : inner.flatMap((texts) => texts ?? []);
}

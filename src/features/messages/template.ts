/** JSON in whose texts `{{content}}` and `${secret:name}` stand for something. */
export type JsonTemplate = { [key: string]: unknown } | unknown[];

const SECRET = /\$\{secret:([\w.-]{1,50})\}/g;
const PLACE = /\{\{\s*content\s*\}\}|\$\{secret:([\w.-]{1,50})\}/g;
/** What looks like a placeholder and is none that is known. */
const ODD = /\{\{(?!\s*content\s*\}\})[^{}]*\}\}|\$\{secret:(?![\w.-]{1,50}\})[^}]*\}?/;
/** Templates are written by people: no deeper one is meant. */
const MAX_DEPTH = 20;

/** What is wrong with a template, as the rest of a sentence; undefined for nothing. */
export function templateProblem(template: JsonTemplate): string | undefined {
  const texts = textsOf(template, 0);
  if (texts === undefined) {
    return `it is nested more than ${MAX_DEPTH} deep`;
  }
  const odd = texts.map((text) => ODD.exec(text)?.[0]).find((found) => found !== undefined);
  if (odd !== undefined) {
    return `${odd.slice(0, 60)} stands for nothing; there are {{content}} and \${secret:name}`;
  }
  return texts.some((text) => /\{\{\s*content\s*\}\}/.test(text))
    ? undefined
    : "no text of it holds {{content}}, so the message would not be sent";
}

/**
 * Fills a template. What is put in is not looked at again: a message that holds `${secret:name}` is sent as it is.
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

/** The secrets that a text names, and the text with what each stands for. */
export function findSecrets(text: string, valueOf: (name: string) => string): { names: string[]; text: string } {
  const names: string[] = [];
  const filled = text.replace(SECRET, (_place, name: string) => {
    names.push(name);
    return valueOf(name);
  });
  return { names, text: filled };
}

/** All texts of a template, not its keys; undefined when it is too deep. */
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

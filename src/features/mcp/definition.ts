import { textVersion } from "../../text/contentVersion.js";
import type { ServerEntry } from "./serverEntry.js";

/** A value that is a variable, of which nothing is secret. */
const IS_VARIABLE = /^(?:Bearer |Basic )?\$\{[^{}]*\}$/i;

/**
 * Returns a server's exact definition as the user approves it: all of it, with a digest in place of a header's value and
 * of a variable's whose name says that it is a secret, so that another value is another definition and none is shown. Other
 * values are shown whatever they look like: some variables make a program run others (`NODE_OPTIONS`).
 */
export async function definitionText(
  { definition }: Pick<ServerEntry, "definition">,
  isSecret: (name: string) => boolean,
): Promise<string> {
  const shown: Record<string, unknown> = { ...definition };
  for (const field of ["env", "headers"]) {
    const values = shown[field];
    if (typeof values === "object" && values !== null) {
      const entries = await Promise.all(
        Object.entries(values).map(async ([name, value]: [string, unknown]) => {
          const isHidden =
            typeof value === "string" && !IS_VARIABLE.test(value) && (field === "headers" || isSecret(name));
          return [name, isHidden ? `(hidden, digest ${(await textVersion(value)).slice(0, 12)})` : value] as const;
        }),
      );
      shown[field] = Object.fromEntries(entries);
    }
  }
  return `${JSON.stringify(shown, undefined, 2)}\n`;
}

// package.json as VS Code reads it: with its texts.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../../scripts/paths.mjs";

/** Returns package.json with the texts of package.nls.json in place of their keys. Throws if one is missing. */
export function readManifest(): unknown {
  const texts = JSON.parse(readFileSync(join(repository, "package.nls.json"), "utf8")) as Record<string, string>;
  return JSON.parse(readFileSync(join(repository, "package.json"), "utf8"), (_field, value: unknown) => {
    const [, key] = typeof value === "string" ? (/^%(.+)%$/.exec(value) ?? []) : [];
    if (key === undefined) {
      return value;
    }
    const text = texts[key];
    if (text === undefined) {
      throw new Error(`package.nls.json has no ${key}.`);
    }
    return text;
  });
}

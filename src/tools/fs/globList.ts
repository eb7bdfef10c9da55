import type { AliasRule } from "../../core/aliases.js";

/**
 * Several globs become one, `{a,b}`; the list may be written as a JSON string. Names without a folder are found at any
 * depth, also next to globs with one.
 */
export function globList(field: string): AliasRule {
  return {
    read: (value) => {
      const globs = listOf(value);
      const [only, ...more] = globs ?? [];
      if (globs === undefined || only === undefined || more.length === 0) {
        return only === undefined ? undefined : { fields: { [field]: only } };
      }
      const anchored = globs.some((glob) => glob.includes("/"));
      return globs.every((glob) => /^[^{},!][^{},]*$/.test(glob))
        ? {
            fields: {
              [field]: `{${globs.map((glob) => (anchored && !glob.includes("/") ? `**/${glob}` : glob)).join(",")}}`,
            },
          }
        : undefined;
    },
  };
}

/** Returns the globs of a list, also of one in a JSON string; undefined for anything else. */
function listOf(value: unknown): string[] | undefined {
  if (typeof value === "string") {
    return /^\s*\[\s*"/.test(value) ? listOf(parsed(value)) : undefined;
  }
  if (!Array.isArray(value)) {
    return undefined;
  }
  const globs = (value as unknown[]).flatMap((entry) => (typeof entry === "string" ? (listOf(entry) ?? [entry]) : []));
  return globs.length >= value.length ? globs : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns a glob of absolute paths in the searched folder as one relative to it. */
export function withinFolder(glob: string, folder: string): string {
  const start = `${folder}/`;
  return glob.startsWith(start) && glob.length > start.length ? glob.slice(start.length) : glob;
}

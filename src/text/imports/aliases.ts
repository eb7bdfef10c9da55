import { importCandidates, type ImportTarget } from "./resolve.js";

/** Names of modules, with the folders that they count from: absolute, with `/`. */
export interface PathAliases {
  /** Undefined if plain names are packages alone. */
  baseUrl: string | undefined;
  /** The folder from which `paths` count. */
  folder: string;
  paths: Readonly<Record<string, readonly string[]>>;
}

/**
 * Returns the files that a name of a module may mean by a project's own names (TypeScript's handbook, "Path mapping"): of
 * the patterns that fit, the one with the longest beginning counts.
 */
export function aliasCandidates(name: string, { baseUrl, folder, paths }: PathAliases): ImportTarget[] {
  const fitting = Object.keys(paths)
    .map((pattern) => ({ pattern, filled: fill(pattern, name) }))
    .filter(({ filled }) => filled !== undefined)
    .sort(
      (a, b) => Number(a.pattern.includes("*")) - Number(b.pattern.includes("*")) || head(b.pattern) - head(a.pattern),
    );
  const [best] = fitting;
  if (best !== undefined) {
    const { pattern, filled = "" } = best;
    return (paths[pattern] ?? []).flatMap((target) =>
      below(
        folder,
        target.replace("*", () => filled),
      ),
    );
  }
  return baseUrl === undefined ? [] : below(baseUrl, name);
}

/** Returns what `*` stands for in a name, or "" for a pattern without one; undefined if the name does not fit. */
function fill(pattern: string, name: string): string | undefined {
  const cut = pattern.indexOf("*");
  if (cut < 0) {
    return pattern === name ? "" : undefined;
  }
  const [before, after] = [pattern.slice(0, cut), pattern.slice(cut + 1)];
  const fits = name.length >= before.length + after.length && name.startsWith(before) && name.endsWith(after);
  return fits ? name.slice(before.length, name.length - after.length) : undefined;
}

function head(pattern: string): number {
  return `${pattern}*`.indexOf("*");
}

function below(folder: string, path: string): ImportTarget[] {
  return path.startsWith("/") ? importCandidates("/any", `.${path}`) : importCandidates(`${folder}/any`, `./${path}`);
}

/** Returns the names without `*` that may mean one of some files. */
export function exactAliases(files: ReadonlySet<string>, aliases: PathAliases): string[] {
  return Object.keys(aliases.paths).filter(
    (name) => !name.includes("*") && aliasCandidates(name, aliases).some(({ path }) => files.has(path)),
  );
}

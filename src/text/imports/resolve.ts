/** How a specifier names a file. */
export type SpecifierForm =
  /** By its full name. */
  | "exact"
  /** Without its extension. */
  | "bare"
  /** By the name of its compiled file: `./a.js` for a.ts. */
  | "compiled"
  /** By the folder of an index file. */
  | "index"
  /** By a folder whose own rules decide (a package.json). */
  | "folder";

export interface ImportTarget {
  path: string;
  form: SpecifierForm;
}

/** Extensions that a specifier may omit, in the order they are tried. */
const LEFT_OUT = [
  ".ts",
  ".tsx",
  ".mts",
  ".cts",
  ".d.ts",
  ".d.mts",
  ".d.cts",
  ".js",
  ".jsx",
  ".mjs",
  ".cjs",
  ".json",
  ".vue",
  ".svelte",
];

/** The source extensions for a compiled extension in a specifier (TypeScript's NodeNext resolution). */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx", ".d.ts"],
  ".jsx": [".tsx"],
  ".mjs": [".mts", ".d.mts"],
  ".cjs": [".cts", ".d.cts"],
};

/** The compiled extension for each source extension. */
const COMPILED: Readonly<Record<string, string>> = {
  ".ts": ".js",
  ".tsx": ".js",
  ".mts": ".mjs",
  ".cts": ".cjs",
  ".d.ts": ".js",
  ".d.mts": ".mjs",
  ".d.cts": ".cjs",
};

/**
 * Returns the files a relative specifier may mean; the first that exists is the one meant: the file itself, with an
 * extension, its source, an index file in it. Path aliases and packages are not supported.
 *
 * @param from the importing file, an absolute path with `/`
 */
export function importCandidates(from: string, specifier: string): ImportTarget[] {
  const { path, isFolder } = splitSpecifier(specifier);
  const base = joined(folderOf(from), path);
  const files: ImportTarget[] = isFolder
    ? []
    : [
        { path: base, form: "exact" },
        ...LEFT_OUT.map((extension) => ({ path: base + extension, form: "bare" as const })),
        ...Object.entries(SOURCES).flatMap(([compiled, sources]) =>
          base.endsWith(compiled)
            ? sources.map((source) => ({ path: base.slice(0, -compiled.length) + source, form: "compiled" as const }))
            : [],
        ),
      ];
  return [
    ...files,
    ...LEFT_OUT.map((extension) => ({ path: `${base === "/" ? "" : base}/index${extension}`, form: "index" as const })),
  ];
}

/**
 * Resolves a relative specifier to an existing file or folder; undefined if there is none.
 *
 * @param kindOf returns what is at an absolute path
 */
export async function resolveImport(
  from: string,
  specifier: string,
  kindOf: (path: string) => Promise<"file" | "directory" | "other" | undefined>,
): Promise<ImportTarget | undefined> {
  for (const candidate of importCandidates(from, specifier)) {
    if ((await kindOf(candidate.path)) === "file") {
      return candidate;
    }
  }
  const folder = joined(folderOf(from), splitSpecifier(specifier).path);
  return (await kindOf(folder)) === "directory" ? { path: folder, form: "folder" } : undefined;
}

/**
 * Returns specifiers for a file from another one, in the style of a previous specifier, most similar first: the same
 * extension or none, the folder of an index file, the same `?raw` suffix. Try each: a shorter one may resolve to
 * another file there.
 *
 * @param from the importing file, and
 * @param to the imported one, absolute paths with `/`
 */
export function specifiersFor(from: string, to: string, specifier: string, form: SpecifierForm): string[] {
  const { path, query, isFolder } = splitSpecifier(specifier);
  const folder = folderOf(from);
  // A reference may name a file in its own folder without `./`.
  const here = /^\.\.?(\/|$)/.test(path) ? "./" : "";
  const relative = (target: string): string => {
    const name = relativePath(folder, target);
    return name.startsWith("../") || name === ".." || name === "." ? name : here + name;
  };
  const full = relative(to);
  const names: string[] = [];
  if (form === "index" && /\/index\.[^/]+$/.test(to) && withoutExtension(to).endsWith("/index")) {
    names.push(relative(folderOf(to)) + (isFolder && /\/$/.test(path) ? "/" : ""));
  }
  if (form === "bare" || form === "index") {
    names.push(withoutExtension(full));
  }
  if (form === "compiled") {
    const [extension = ""] = extensionsOf(to);
    const compiled = path.endsWith(".jsx") && extension === ".tsx" ? ".jsx" : COMPILED[extension];
    names.push(...(compiled === undefined ? [] : [full.slice(0, -extension.length) + compiled]));
  }
  return [...new Set([...names, full])].map((name) => name + query);
}

/**
 * Returns the part of a file's name that every style of specifier contains; for an index file, its folder's name
 * counts, too.
 */
export function importedNames(path: string): { name: string; isIndex: boolean; folder: string } {
  const base = path.slice(path.lastIndexOf("/") + 1);
  const plain = withoutExtension(base);
  const name = plain === base ? base.replace(/(?<=.)\.[^.]*$/, "") : plain;
  const folder = folderOf(path);
  return { name, isIndex: name === "index", folder: folder.slice(folder.lastIndexOf("/") + 1) };
}

/** Splits a specifier: `./a?raw` is `./a`, with a suffix for the bundler. */
function splitSpecifier(specifier: string): { path: string; query: string; isFolder: boolean } {
  const cut = specifier.indexOf("?");
  const path = cut < 0 ? specifier : specifier.slice(0, cut);
  return { path, query: cut < 0 ? "" : specifier.slice(cut), isFolder: /(^|\/)\.{0,2}$/.test(path) };
}

/** Returns the extensions of a path that may be omitted, longest first. */
function extensionsOf(path: string): string[] {
  return LEFT_OUT.filter((extension) => path.endsWith(extension) && !path.endsWith(`/${extension}`)).sort(
    (a, b) => b.length - a.length,
  );
}

function withoutExtension(path: string): string {
  const [extension] = extensionsOf(path);
  return extension === undefined || extension.length === path.length ? path : path.slice(0, -extension.length);
}

function folderOf(path: string): string {
  const cut = path.lastIndexOf("/");
  return cut <= 0 ? "/" : path.slice(0, cut);
}

function joined(folder: string, relative: string): string {
  const kept = folder.split("/").filter((segment) => segment !== "");
  for (const segment of relative.split("/")) {
    if (segment === "..") {
      kept.pop();
    } else if (segment !== "" && segment !== ".") {
      kept.push(segment);
    }
  }
  return (folder.startsWith("/") ? "/" : "") + kept.join("/");
}

function relativePath(folder: string, path: string): string {
  const from = folder.split("/").filter((segment) => segment !== "");
  const to = path.split("/").filter((segment) => segment !== "");
  let same = 0;
  while (same < from.length && same < to.length && from[same] === to[same]) {
    same++;
  }
  return [...from.slice(same).map(() => ".."), ...to.slice(same)].join("/") || ".";
}

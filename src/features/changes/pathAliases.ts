import { ToolError } from "../../core/errors.js";
import { isRecord } from "../../core/jsonSchema.js";
import { joinPath, normalisePath, parentPath } from "../../core/paths/pathShape.js";
import { resolveFrom } from "../../core/paths/resolveFrom.js";
import type { Files, GatedPath } from "../../ports/files.js";
import type { PathAliases } from "../../text/imports/aliases.js";
import { parseJsonc } from "../../text/jsonc.js";

/** Maximum bytes of a configuration, and how many are read for one folder. */
const MAX_BYTES = 200_000;
const MAX_CONFIGS = 20;
/** Names of the file that says how a folder's modules are named, as TypeScript looks for them. */
const CONFIGS = ["tsconfig.json", "jsconfig.json"];

/** The names that projects of TypeScript and JavaScript have for their own modules. */
export class ProjectAliases {
  readonly #files: Files;
  readonly #byFolder = new Map<string, Promise<readonly PathAliases[]>>();

  constructor(files: Files) {
    this.#files = files;
  }

  /** Returns the aliases that count in a file: those of the next configuration above it in the workspace. */
  of(at: GatedPath): Promise<readonly PathAliases[]> {
    return this.#above(at, parentPath(at.path));
  }

  #above(at: GatedPath, folder: string): Promise<readonly PathAliases[]> {
    const known = this.#byFolder.get(folder) ?? this.#find(at, folder);
    this.#byFolder.set(folder, known);
    return known;
  }

  async #find(at: GatedPath, folder: string): Promise<readonly PathAliases[]> {
    for (const name of CONFIGS) {
      const config = await this.#read(at, joinPath(folder, name));
      if (config !== undefined) {
        return this.#aliasesOf(config, { left: MAX_CONFIGS });
      }
    }
    const above = parentPath(folder);
    return above === folder ? [] : this.#above(at, above);
  }

  /** Returns a configuration's own aliases, or those that it takes from others, and those of its parts. */
  async #aliasesOf(config: Config, reads: { left: number }): Promise<PathAliases[]> {
    const { at, names } = config;
    const own = await this.#inherited(config, reads);
    const parts: PathAliases[] = [];
    for (const part of names.parts) {
      const path = /\.json$/i.test(part) ? part : `${part.replace(/\/$/, "")}/tsconfig.json`;
      const other = reads.left-- > 0 ? await this.#read(at, beside(at.path, path)) : undefined;
      parts.push(...(other === undefined ? [] : await this.#inherited(other, reads)));
    }
    return [...own, ...parts];
  }

  async #inherited({ at, names }: Config, reads: { left: number }): Promise<PathAliases[]> {
    const folder = at.absolute.slice(0, at.absolute.lastIndexOf("/"));
    const baseUrl = names.baseUrl === undefined ? undefined : normalisePath(joinPath(folder, names.baseUrl));
    if (names.paths !== undefined) {
      return [{ baseUrl, folder: baseUrl ?? folder, paths: names.paths }];
    }
    // Of several, the last one counts. What packages have is for the projects of others.
    for (const base of names.bases.filter((each) => each.startsWith(".")).reverse()) {
      const path = /\.json$/i.test(base) ? base : `${base}.json`;
      const other = reads.left-- > 0 ? await this.#read(at, beside(at.path, path)) : undefined;
      const found = other === undefined ? [] : await this.#inherited(other, reads);
      if (found.length > 0) {
        return found.map((each) => ({ ...each, ...(baseUrl !== undefined && { baseUrl }) }));
      }
    }
    return baseUrl === undefined ? [] : [{ baseUrl, folder, paths: {} }];
  }

  /** Reads a configuration; undefined if there is none, or it cannot be read or is malformed. */
  async #read(near: GatedPath, path: string): Promise<Config | undefined> {
    try {
      const at = await resolveFrom(this.#files, near, path);
      const names = readModuleNames((await this.#files.readSnapshot(at, MAX_BYTES)).text);
      return names && { at, names };
    } catch (error) {
      if (error instanceof ToolError) {
        return undefined;
      }
      throw error;
    }
  }
}

interface Config {
  at: GatedPath;
  names: ModuleNames;
}

/** What a tsconfig.json or jsconfig.json says of names of modules that are not relative. */
interface ModuleNames {
  /** Configurations that this one builds on, and those that it consists of, as it names them. */
  bases: string[];
  parts: string[];
  /** The folder in which names are looked for, as the file names it. */
  baseUrl: string | undefined;
  /** By a name with at most one `*`: paths with at most one. */
  paths: Readonly<Record<string, readonly string[]>> | undefined;
}

function beside(path: string, other: string): string {
  return normalisePath(joinPath(parentPath(path), other));
}

/** Reads a configuration; undefined if it is malformed. */
function readModuleNames(text: string): ModuleNames | undefined {
  let config: unknown;
  try {
    config = parseJsonc(text);
  } catch {
    return undefined;
  }
  const { extends: base, references, compilerOptions } = isRecord(config) ? config : {};
  const { baseUrl, paths } = isRecord(compilerOptions) ? compilerOptions : {};
  return {
    bases: strings(Array.isArray(base) ? base : [base]),
    parts: strings(Array.isArray(references) ? references.map((each) => (isRecord(each) ? each["path"] : "")) : []),
    baseUrl: typeof baseUrl === "string" ? baseUrl : undefined,
    paths: isRecord(paths)
      ? Object.fromEntries(
          Object.entries(paths).map(([name, targets]) => [name, strings(Array.isArray(targets) ? targets : [])]),
        )
      : undefined,
  };
}

function strings(values: readonly unknown[]): string[] {
  return values.filter((value): value is string => typeof value === "string");
}

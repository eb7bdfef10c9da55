import type { Dirent } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { secretReason } from "../../../core/paths/protectedFiles.js";
import { privateKeys, secretsOfFile, type KnownSecret } from "../../../text/secrets/known.js";

/** Number of folders looked into, and how far down; files with secrets are near the top of a project. */
const MAX_FOLDERS = 400;
const MAX_DEPTH = 4;
/** Number of files read. */
const MAX_FILES = 100;
/** Maximum bytes of a file: settings are not longer. */
const MAX_BYTES = 256_000;
/** How long a list of files is good, in ms. */
const MAX_AGE = 10_000;

/** Folders of what others made, and of what is generated. */
const LEFT_OUT =
  /^(?:node_modules|bower_components|vendor|venv|\.venv|site-packages|\.git|\.hg|\.svn|dist|build|out|target|coverage|__pycache__|\.(?:cache|tox|mypy_cache|pytest_cache|gradle|next|nuxt|turbo|yarn|pnpm-store))$/;

interface ReadFile {
  modified: number;
  size: number;
  secrets: readonly KnownSecret[];
}

interface Listed {
  /** Absolute paths of files that hold secrets by their names. */
  files: readonly string[];
  /** Names of all files and folders at the top. */
  names: ReadonlySet<string>;
}

/** The values in a workspace's files with secrets, as they are now. */
export class SecretFiles {
  readonly #folders: () => readonly string[];
  readonly #now: () => number;
  /** Files with secrets that calls named, wherever they are, and others that they named. */
  readonly #noted = new Set<string>();
  readonly #others = new Set<string>();
  #read = new Map<string, ReadFile>();
  #listed: (Listed & { at: number }) | undefined;
  #looking: Promise<readonly KnownSecret[]> | undefined;

  /** @param folders the workspace's, absolute, on the local disk */
  constructor(folders: () => readonly string[], now: () => number) {
    this.#folders = folders;
    this.#now = now;
  }

  /** @param isSecret whether its name suggests secrets; of any other file, only private keys are masked */
  note(path: string, isSecret: boolean): void {
    const noted = isSecret ? this.#noted : this.#others;
    // The latest last, so that the one a call names is not forgotten.
    noted.delete(path);
    noted.add(path);
    if (noted.size > MAX_FILES) {
      for (const oldest of noted) {
        noted.delete(oldest);
        break;
      }
    }
  }

  /** Returns the values; a file that has not changed is not read again. One that cannot be read has none. */
  values(): Promise<readonly KnownSecret[]> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Returns the absolute paths of the workspace's files that may hold secrets, as far as they were looked for. */
  async paths(): Promise<readonly string[]> {
    return (await this.#list()).files;
  }

  async #list(): Promise<Listed> {
    if (this.#listed === undefined || this.#now() - this.#listed.at > MAX_AGE) {
      const at = this.#now();
      const listed = await Promise.all(this.#folders().map(secretFilesIn));
      this.#listed = {
        files: listed.flatMap(({ files }) => files),
        names: new Set(listed.flatMap(({ names }) => [...names])),
        at,
      };
    }
    return this.#listed;
  }

  async #look(): Promise<readonly KnownSecret[]> {
    const { files, names } = await this.#list();
    const paths = [...new Set([...this.#noted, ...files])].slice(0, MAX_FILES);
    const others = [...this.#others].filter((path) => !paths.includes(path));
    const read = await Promise.all([
      ...paths.map(async (path) => [path, await this.#readFile(path, secretsOfFile)] as const),
      ...others.map(async (path) => [path, await this.#readFile(path, privateKeys)] as const),
    ]);
    this.#read = new Map(read.flatMap(([path, file]) => (file === undefined ? [] : [[path, file] as const])));
    const secrets = [...this.#read.values()].flatMap((file) => file.secrets);
    return secrets.map((secret) => (names.has(secret.value) ? { ...secret, isFileName: true } : secret));
  }

  async #readFile(path: string, secretsOf: (text: string) => readonly KnownSecret[]): Promise<ReadFile | undefined> {
    try {
      const { mtimeMs: modified, size, ...found } = await stat(path);
      const known = this.#read.get(path);
      if (known?.modified === modified && known.size === size) {
        return known;
      }
      // A pipe is not opened: that would wait for its other end.
      if (!isFile(found.mode) || size > MAX_BYTES) {
        return undefined;
      }
      const text = await readText(path);
      return { modified, size, secrets: text === undefined ? [] : secretsOf(text) };
    } catch {
      return undefined;
    }
  }
}

function isFile(mode: number): boolean {
  return (mode & 0o170_000) === 0o100_000;
}

/** Reads a text; undefined if it is binary. */
async function readText(path: string): Promise<string | undefined> {
  const file = await open(path, "r");
  try {
    const bytes = new Uint8Array(MAX_BYTES);
    const { bytesRead } = await file.read(bytes);
    const read = bytes.subarray(0, bytesRead);
    return read.includes(0) ? undefined : new TextDecoder().decode(read);
  } finally {
    await file.close();
  }
}

/** Returns the files of a folder and of those below it that hold secrets by their names, those at the top first. */
async function secretFilesIn(root: string): Promise<Listed> {
  const found: string[] = [];
  const names = new Set<string>();
  let level = [{ path: root, name: "" }];
  let folders = 0;
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const here = level.slice(0, MAX_FOLDERS - folders);
    folders += here.length;
    const lists = await Promise.all(
      here.map(({ path }) => readdir(path, { withFileTypes: true }).catch((): Dirent[] => [])),
    );
    level = [];
    for (const [index, list] of lists.entries()) {
      const { path: folder, name: above } = here[index] ?? { path: root, name: "" };
      for (const entry of list) {
        const name = above === "" ? entry.name : `${above}/${entry.name}`;
        if (depth === 0) {
          names.add(entry.name);
        }
        if (entry.isDirectory()) {
          if (!LEFT_OUT.test(entry.name)) {
            level.push({ path: join(folder, entry.name), name });
          }
        } else if (secretReason(name) !== undefined) {
          found.push(join(folder, entry.name));
        }
      }
    }
  }
  return { files: found, names };
}

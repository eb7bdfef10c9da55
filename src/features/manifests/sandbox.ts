import { cloneWords } from "./repository.js";
import { contentBytes, type Content } from "./content.js";
import { isMount, readManifest, unsupported, type EntryResult } from "./manifest.js";

/** What became of a manifest's entries. */
export interface Applied {
  readonly entries: readonly EntryResult[];
}

/** What a manifest needs of a sandbox (`SandboxClient`). */
export interface ManifestClient {
  run(command: string): Promise<{ stdout: string; stderr?: string; exitCode: number }>;
  writeFile(path: string, content: string | Uint8Array): Promise<unknown>;
  /** Applies a manifest in a way of its own. */
  applyManifest?(manifest: object, options: { targetRoot: string }): Promise<Applied>;
}

/** A part of a local folder: files have a content. */
export interface SourcePart {
  /** Relative to the folder, with `/`. */
  path: string;
  content?: Content;
}

/** Where local files and folders are read. */
export interface LocalSources {
  readFile(src: string): Promise<Content>;
  /** Returns the folders and files below a folder, each folder before what is in it. */
  readFolder(src: string): Promise<SourcePart[]>;
  /** Links and special files of the folders read so far, which are not copied. */
  readonly leftOut?: readonly string[];
}

export interface SandboxOptions {
  /** The absolute folder in the sandbox. Default: /workspace. */
  targetRoot?: string | undefined;
  sources: LocalSources;
  report?: (message: string) => void;
  signal?: AbortSignal;
}

/**
 * Applies a manifest in a sandbox, entry by entry.
 *
 * @throws ToolError `invalid_input` for a manifest with a problem, before anything is done; Error for a command that fails
 */
export async function applyToSandbox(
  client: ManifestClient,
  manifest: object,
  { targetRoot = "/workspace", sources, report, signal }: SandboxOptions,
): Promise<Applied> {
  const { entries } = readManifest(manifest, false);
  const root = absoluteRoot(targetRoot);
  if (client.applyManifest !== undefined) {
    return client.applyManifest(manifest, { targetRoot: root === "" ? "/" : root });
  }
  const results: EntryResult[] = [];
  for (const [index, entry] of entries.entries()) {
    signal?.throwIfAborted();
    report?.(`Entry ${index + 1} of ${entries.length}: ${entry.path}`);
    const target = `${root}/${entry.path}`;
    switch (entry.type) {
      case "file":
        await writeWithFolder(client, root, target, contentBytes(entry));
        break;
      case "dir":
        await makeFolder(client, target);
        break;
      case "localFile":
        await writeWithFolder(client, root, target, await sources.readFile(entry.src));
        break;
      case "localDir":
        await makeFolder(client, target);
        for (const { path, content } of await sources.readFolder(entry.src)) {
          await (content === undefined
            ? makeFolder(client, `${target}/${path}`)
            : client.writeFile(`${target}/${path}`, content));
        }
        break;
      case "gitRepo":
        await run(client, ["git", ...cloneWords(entry, target, quoted)].join(" "));
        break;
      default:
        // Mounts: told below.
        break;
    }
    const { path, type } = entry;
    results.push(isMount(entry) ? unsupported(entry) : { path, type, status: "applied" });
  }
  return { entries: results };
}

function absoluteRoot(root: string): string {
  const plain = root.replaceAll("\\", "/").replace(/\/+$/, "");
  if (!root.startsWith("/") && !plain.startsWith("/")) {
    throw new Error("workspace manifest targetRoot must be an absolute sandbox path");
  }
  return plain;
}

async function writeWithFolder(client: ManifestClient, root: string, target: string, content: Content): Promise<void> {
  const folder = target.slice(0, target.lastIndexOf("/"));
  if (folder !== root) {
    await makeFolder(client, folder);
  }
  await client.writeFile(target, content);
}

function makeFolder(client: ManifestClient, path: string): Promise<void> {
  return run(client, `mkdir -p ${quoted(path)}`);
}

async function run(client: ManifestClient, command: string): Promise<void> {
  const { exitCode, stdout, stderr } = await client.run(command);
  if (exitCode !== 0) {
    throw new Error(`workspace manifest command failed: ${command}\n${(stderr ?? stdout).slice(-4_000)}`);
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

export const repository = fileURLToPath(new URL("../../..", import.meta.url));

let packed: Promise<string> | undefined;

/**
 * Builds and packs the npm package as `npm pack` does, once for the test files of a process, and puts it where `npm
 * install` would. ripgrep, the only package that it needs beside it, is the repository's.
 *
 * @returns a folder with it in `node_modules`
 */
export function packedFolder(): Promise<string> {
  return (packed ??= pack());
}

async function pack(): Promise<string> {
  const folder = await mkdtemp(join(process.env["TOOLHOST_STATE"] ?? tmpdir(), "packed-"));
  await run(process.execPath, ["esbuild.mjs"], { cwd: repository });
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: repository });
  const [tarball = ""] = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
  const modules = join(folder, "node_modules");
  await mkdir(modules);
  await run("tar", ["-xzf", join(folder, tarball), "-C", modules]);
  await cp(join(modules, "package"), join(modules, "toolhost"), { recursive: true });
  await symlink(join(repository, "node_modules", "@vscode"), join(modules, "@vscode"));
  return folder;
}

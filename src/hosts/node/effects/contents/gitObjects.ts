import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** How long Git may take to return objects, in ms. */
const LIMIT = 4_000;

/**
 * Reads objects of a repository. Git gets a folder of our own as repository, which only names the folder of objects, so
 * it reads no configuration and runs no hook or filter of the repository. Each object is checked against its name.
 *
 * @param git absolute path of the program
 * @param maxBytes of all of them: those beyond are not returned
 */
export function readObjects(
  git: string,
  objects: string,
  names: readonly string[],
  maxBytes: number,
): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  // A file of alternates has a path a line, and comments and quotes of its own.
  if (names.length === 0 || !objects.startsWith("/") || objects.includes("\n")) {
    return found;
  }
  const folder = mkdtempSync(join(tmpdir(), "toolhost-git-"));
  try {
    mkdirSync(join(folder, "objects/info"), { recursive: true });
    mkdirSync(join(folder, "refs"));
    writeFileSync(join(folder, "HEAD"), "ref: refs/heads/none\n");
    writeFileSync(join(folder, "objects/info/alternates"), `${objects}\n`);
    const { stdout } = spawnSync(git, ["cat-file", "--batch"], {
      cwd: folder,
      env: {
        GIT_DIR: folder,
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_NO_REPLACE_OBJECTS: "1",
        GIT_NO_LAZY_FETCH: "1",
        GIT_ALLOW_PROTOCOL: "none",
        HOME: folder,
        LC_ALL: "C",
      },
      input: names.map((name) => `${name}\n`).join(""),
      stdio: ["pipe", "pipe", "ignore"],
      maxBuffer: maxBytes + names.length * 100,
      timeout: LIMIT,
      killSignal: "SIGKILL",
    });
    // What came before a limit is whole and checked.
    collect(stdout, found);
  } catch {
    // Without Git, nothing of what it keeps can be read.
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return found;
}

/** Reads the answer of `git cat-file --batch`: `<name> blob <size>`, the bytes and a newline for each object. */
function collect(answer: Buffer, found: Map<string, Buffer>): void {
  let at = 0;
  while (at < answer.length) {
    const end = answer.indexOf(10, at);
    if (end < 0) {
      return;
    }
    const [, name = "", type, size] = /^(\S+) (\w+)(?: (\d+))?$/.exec(answer.toString("latin1", at, end)) ?? [];
    at = end + 1;
    if (size === undefined) {
      continue;
    }
    const bytes = answer.subarray(at, at + Number(size));
    at += Number(size) + 1;
    const isWhole = bytes.length === Number(size);
    if (type === "blob" && isWhole && nameOf(bytes) === name) {
      found.set(name, bytes);
    }
  }
}

function nameOf(bytes: Buffer): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

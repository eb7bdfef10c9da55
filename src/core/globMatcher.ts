import { Minimatch } from "minimatch";
import { ToolError } from "./errors.js";

/**
 * A test of paths relative to a folder against a glob: `*`, `**`, `?`, `[a-z]`, `{a,b}`. Without a `/` the glob
 * matches names at any depth. Dot files match like others; a final `/` stands for everything below.
 *
 * @throws ToolError `invalid_input` for a glob that cannot match anything
 */
export function globMatcher(glob: string): (path: string) => boolean {
  const plain = glob.replace(/^\.\//, "").replace(/\/$/, "/**");
  if (plain.trim() === "" || plain.includes("\0")) {
    throw new ToolError("invalid_input", "Invalid glob: it is empty or holds a NUL character.", "For example *.ts or src/**/*.{ts,tsx}.");
  }
  if (plain.startsWith("/") || plain.split("/").includes("..")) {
    throw new ToolError("invalid_input", `Invalid glob: ${plain.slice(0, 80)} is not relative to the folder that is searched.`, "Name the folder with path, and the files below it with the glob.");
  }
  const matcher = new Minimatch(plain, {
    dot: true,
    matchBase: !plain.includes("/"),
    nocomment: true,
    nonegate: true,
    // Extended globs can take exponential time.
    noext: true,
  });
  return (path) => matcher.match(path);
}

// The package that users install, made by the script of `npm run package`.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { repository } from "../../scripts/paths.mjs";

/** A package, and the checkout that it was built in. */
export interface BuiltPackage {
  /** Absolute path of the .vsix. */
  path: string;
  /** To delete when the package is no longer needed. */
  checkout: string;
}

/** Builds in a checkout of its own: windows of other tests load what lies in this one's `dist`. */
export function buildPackage(): BuiltPackage {
  const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { version: string };
  const checkout = copyOfCheckout();
  execFileSync(process.execPath, [join(checkout, "scripts", "package.mjs")], { cwd: checkout, stdio: "pipe" });
  return { path: join(checkout, `toolhost-${version}.vsix`), checkout };
}

function copyOfCheckout(): string {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), "toolhost-package-")));
  const leftOut = new Set(["node_modules", ".git", ".vscode-test", "dist", "test", "test-results"]);
  try {
    cpSync(repository, copy, {
      recursive: true,
      filter: (path) => !leftOut.has(relative(repository, path)) && !path.endsWith(".vsix"),
    });
    symlinkSync(join(repository, "node_modules"), join(copy, "node_modules"));
  } catch (error) {
    rmSync(copy, { recursive: true, force: true });
    throw error;
  }
  return copy;
}

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { rgPath } from "@vscode/ripgrep";

/**
 * Gives the unit and system tests, and the command lines they run, a folder of their own for Toolhost's state: never the user's.
 */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "toolhost-state-"));
  process.env["TOOLHOST_STATE"] = folder;
  // A megabyte of code is compiled by the first command line, and not by the hundreds after it.
  process.env["NODE_COMPILE_CACHE"] = join(folder, "compiled");
  // Commands run `rg`, which few machines have: the package's, unless there is one.
  process.env["PATH"] = [process.env["PATH"], dirname(rgPath)].join(delimiter);
  // A version manager's shim for it runs forty programs before the one that is meant, hundreds of times.
  const python = interpreter();
  if (python !== undefined) {
    process.env["PATH"] = [dirname(python), process.env["PATH"]].join(delimiter);
  }
  // A busy machine takes long for snapshots before commands, and a command whose changes nobody saw cannot be undone.
  process.env["TOOLHOST_SNAPSHOT_PATIENCE"] = "50";
  // Where an agent runs the tests: their command lines are a person's all the same.
  delete process.env["TOOLHOST_AGENT"];
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Where `python3` really is, if what PATH leads to is a script that starts it. */
function interpreter(): string | undefined {
  try {
    const script = `case "$(head -c 2 "$(command -v python3)")" in "#!") python3 -c "import sys; print(sys.executable)" ;; esac`;
    const path = execFileSync("/bin/sh", ["-c", script], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
    return path === "" ? undefined : path;
  } catch {
    return undefined;
  }
}

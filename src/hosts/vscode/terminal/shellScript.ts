import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandRequest } from "../../../ports/processes.js";
import { AGENT_MARK } from "../../node/environment.js";
import { commandHeader } from "./commandHeader.js";
import { bashWord } from "../tasks/shell.js";

/** Interval between two checks for the files that a script leaves, in ms. */
const LOOK = 100;

/**
 * A command as a script that the user's shell sources, in its own folder. The shell's reports through VS Code may be
 * lost on a busy machine, so the script leaves a file when it begins and its exit code in another one when it ends.
 */
export class ShellScript {
  readonly folder = mkdtempSync(join(tmpdir(), "toolhost-shell-"));
  readonly path = join(this.folder, "run");
  /** Identifies the marks around its output. */
  readonly mark = randomUUID();
  readonly #begun = join(this.folder, "begun");
  readonly #code = join(this.folder, "code");

  constructor(request: CommandRequest) {
    const command = join(this.folder, "command");
    writeFileSync(command, `${request.command}\n`, { mode: 0o600 });
    writeFileSync(this.path, this.#text(request, command), { mode: 0o600 });
  }

  get hasBegun(): boolean {
    return statSync(this.#begun, { throwIfNoEntry: false }) !== undefined;
  }

  /** Returns the exit code; undefined if the script has not ended by itself. */
  get exitCode(): number | undefined {
    try {
      const text = readFileSync(this.#code, "utf8");
      return text.endsWith("\n") ? Number(text) : undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * Makes the script do nothing from now on. Returns false if it has begun: only one of the two can create the file.
   */
  prevent(): boolean {
    try {
      closeSync(openSync(this.#begun, "wx"));
      return true;
    } catch {
      return false;
    }
  }

  /** Resolves to true as soon as a condition holds, to false once the signal is aborted. */
  async until(isSo: () => boolean, signal: AbortSignal): Promise<boolean> {
    while (!isSo()) {
      if (signal.aborted) {
        return false;
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK));
    }
    return true;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /**
   * Builds the script from subshells: neither `exit` nor `cd` nor a variable affects the user's shell. However the
   * inner one ends, by Ctrl+C too, the mark and the code are still written. `set -C` creates a file only if there is
   * none, `>|` always writes it; nothing here is a program that the user may have replaced.
   */
  #text({ command, workdir, env }: CommandRequest, file: string): string {
    return [
      "(",
      `(set -C; : > ${bashWord(this.#begun)}) 2>/dev/null || exit`,
      "trap : INT",
      "(",
      `printf '%s\\n' ${bashWord(commandHeader({ command, workdir: workdir.path }))}`,
      `printf '\\033]7777;${this.mark};start\\007'`,
      `builtin cd -- ${bashWord(workdir.absolute)} || exit`,
      ...Object.entries({ ...env, ...AGENT_MARK }).map(([name, value]) =>
        value === null ? `unset ${name}` : `export ${name}=${bashWord(value)}`,
      ),
      `. ${bashWord(file)}`,
      ")",
      "toolhost_code=$?",
      `printf '\\033]7777;${this.mark};%d\\007' "$toolhost_code"`,
      `printf '%d\\n' "$toolhost_code" >| ${bashWord(this.#code)}`,
      'exit "$toolhost_code"',
      ")",
      "",
    ].join("\n");
  }
}

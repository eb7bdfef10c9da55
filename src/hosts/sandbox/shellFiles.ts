import { randomUUID } from "node:crypto";
import { ToolError } from "../../core/errors.js";
import { joinPath, parentPath } from "../../core/paths/pathShape.js";
import type { EntryState } from "../../ports/files.js";
import type { SandboxRunResult } from "../../ports/sandbox.js";
import {
  alreadyThere,
  brokenLink,
  linkCircle,
  missing,
  movedFolder,
  nameTooLong,
  notAFile,
} from "../shared/fileAnswers.js";
import type { ClientCalls } from "./clientCalls.js";
import { quoted } from "./quoted.js";
import type { ListedEntry, SandboxFiles, SandboxInfo } from "./sandboxFiles.js";

/** Exit codes by which the scripts say what they found. No program that they call has these. */
const MISSING = 63;
const BROKEN = 64;
const TAKEN = 65;
const FOLDER = 66;
const NOT_EMPTY = 67;
const MOVED = 68;
const CIRCLE = 69;
const TOO_LONG = 70;

/**
 * Ends with `MOVED` unless the folder of `$p` is where the gate saw it: all its links followed. Another program may have
 * replaced it with a link since.
 */
const PLACED = `d=\${p%/*}; d=\${d:-/}; if [ -e "$d" ] && [ "$(readlink -f -- "$d")" != "$d" ]; then exit ${MOVED}; fi`;

/** The same for `$p` itself. */
const UNMOVED = `if [ "$(readlink -f -- "$p")" != "$p" ]; then exit ${MOVED}; fi`;

/** Ends with `MISSING`, or with `BROKEN` for a link without a target, unless something is at `$p`. */
const CHECK = `if [ ! -e "$p" ]; then
  case "$(ls -Ld -- "$p" 2>&1)" in *"oo long"*) exit ${TOO_LONG};; *"ymbolic links"*) exit ${CIRCLE};; esac
  if [ -L "$p" ]; then exit ${BROKEN}; fi; exit ${MISSING}
fi`;

/** What a listing prints for each entry: its kind, that of its target, its size, its time and its name, ended by `/`. */
const BY_FIND = `find -- . -mindepth 1 -maxdepth 1 -printf '%y %Y %s %T@ %f/'`;

/** The same without GNU's find. */
const BY_STAT = `for f in * .[!.]* ..?*; do
  if [ ! -e "$f" ] && [ ! -L "$f" ]; then continue; fi
  t=o; if [ -f "$f" ]; then t=f; elif [ -d "$f" ]; then t=d; fi
  l=$t; if [ -L "$f" ]; then l=l; fi
  printf '%s %s %s %s/' "$l" "$t" "$(stat -L -c '%s %Y' -- "$f" 2>/dev/null || echo '0 0')" "$f"
done`;

/** The files of a sandbox by its shell: POSIX, with GNU's or BusyBox's tools. */
export class ShellFiles implements SandboxFiles {
  readonly #calls: ClientCalls;

  constructor(calls: ClientCalls) {
    this.#calls = calls;
  }

  async stat(path: string): Promise<SandboxInfo | undefined> {
    const result = await this.#run(
      path,
      `${CHECK}
${UNMOVED}
t=other; if [ -f "$p" ]; then t=file; elif [ -d "$p" ]; then t=directory; fi
echo "$t $(stat -c '%s %Y' -- "$p")"`,
      [MISSING, BROKEN],
    );
    if (result.exitCode !== 0) {
      return undefined;
    }
    const [, kind, size, seconds] = /^(file|directory|other) (\d+) (-?\d+)\n$/.exec(result.stdout) ?? [];
    if (kind === undefined) {
      throw this.#unclear(path, result);
    }
    return { kind: kind as SandboxInfo["kind"], size: Number(size), modified: Number(seconds) * 1_000 };
  }

  async realPath(path: string): Promise<string | undefined> {
    const result = await this.#run(path, `${CHECK}\nreadlink -f -- "$p"; printf /`, [MISSING, BROKEN]);
    if (result.exitCode === BROKEN) {
      throw brokenLink(path);
    }
    if (result.exitCode === MISSING) {
      return undefined;
    }
    if (!/^\/[^]*\n\/$/.test(result.stdout)) {
      throw this.#unclear(path, result);
    }
    return result.stdout.slice(0, -2);
  }

  async entry(path: string): Promise<EntryState | undefined> {
    const result = await this.#run(
      path,
      `if [ -L "$p" ]; then printf 'link '; readlink -- "$p"; printf /
elif [ -d "$p" ]; then echo "folder $(stat -c %a -- "$p")/"
elif [ -f "$p" ]; then echo "mode $(stat -c %a -- "$p")/"
else exit ${MISSING}; fi`,
      [MISSING],
    );
    const [, kind, value = ""] = /^(link|folder|mode) ([^]*?)\n?\/\n?$/.exec(result.stdout) ?? [];
    switch (kind) {
      case "link":
        return { link: value };
      case "folder":
        return { folder: Number.parseInt(value, 8) };
      case "mode":
        return { mode: Number.parseInt(value, 8) };
      default:
        return undefined;
    }
  }

  async list(path: string): Promise<ListedEntry[]> {
    const result = await this.#run(
      path,
      `${CHECK}
if [ ! -d "$p" ]; then exit ${MISSING}; fi
cd -- "$p" || exit
if [ "$(pwd -P)" != "$p" ]; then exit ${MOVED}; fi
if find -- . -maxdepth 0 -printf '' 2>/dev/null; then ${BY_FIND}; else ${BY_STAT}; fi`,
      [MISSING, BROKEN],
    );
    if (result.exitCode !== 0) {
      throw missing(path);
    }
    const lines = result.stdout.split("/");
    if (lines.pop() !== "") {
      throw this.#unclear(path, result);
    }
    return lines.map((line) => {
      const [, own, target, size, seconds, name] = /^(.) (.) (\d+) (-?[\d.]+) ([^]+)$/.exec(line) ?? [];
      if (name === undefined) {
        throw this.#unclear(path, result);
      }
      const kind = target === "f" ? "file" : target === "d" ? "directory" : "other";
      return { name, kind, link: own === "l", size: Number(size), modified: Math.floor(Number(seconds) * 1_000) };
    });
  }

  read(path: string, size: number): Promise<Uint8Array> {
    return this.#calls.read(path, size);
  }

  async replace(path: string, bytes: Uint8Array): Promise<void> {
    // A file that is written in place would be half of one if the sandbox ended in the middle.
    const temporary = temporaryFor(path);
    await this.#calls.write(temporary, bytes);
    await this.#named(
      path,
      temporary,
      `${this.#whole(bytes)}
${UNMOVED}
m=$(stat -c %a -- "$p") && chmod "$m" "$t" && mv -f -- "$t" "$p"`,
    );
  }

  async create(path: string, bytes: Uint8Array, mode?: number): Promise<void> {
    const temporary = temporaryFor(path);
    await this.#calls.write(temporary, bytes);
    await this.#named(
      path,
      temporary,
      `${this.#whole(bytes)}
${mode === undefined ? "" : `chmod ${mode.toString(8)} "$t" || exit`}
ln -- "$t" "$p" 2>/dev/null || { if [ -e "$p" ] || [ -L "$p" ]; then exit ${TAKEN}; fi; mv -n -- "$t" "$p"; [ ! -e "$t" ] || exit ${TAKEN}; }`,
    );
  }

  async remove(path: string): Promise<void> {
    const script = `${PLACED}
if [ ! -e "$p" ] && [ ! -L "$p" ]; then exit ${MISSING}; fi
if [ -d "$p" ] && [ ! -L "$p" ]; then exit ${FOLDER}; fi
rm -f -- "$p"`;
    const { exitCode } = await this.#run(path, script, [MISSING, FOLDER]);
    if (exitCode !== 0) {
      throw exitCode === MISSING ? missing(path) : notAFile(path);
    }
  }

  async rename(from: string, to: string): Promise<void> {
    const script = `${CHECK}
${UNMOVED}
t=${quoted(to)}
if [ -e "$t" ] || [ -L "$t" ]; then exit ${TAKEN}; fi
mv -n -- "$p" "$t"; if [ -e "$p" ] || [ -L "$p" ]; then exit ${TAKEN}; fi`;
    const { exitCode } = await this.#run(from, script, [MISSING, BROKEN, TAKEN]);
    if (exitCode !== 0) {
      throw exitCode === TAKEN ? alreadyThere(to) : missing(from);
    }
  }

  async makeFolder(path: string): Promise<void> {
    await this.#run(path, `${PLACED}\n[ -d "$p" ] || mkdir -- "$p"`);
  }

  async removeEmpty(path: string): Promise<boolean> {
    const { exitCode } = await this.#run(path, `rmdir -- "$p" 2>/dev/null || exit ${NOT_EMPTY}`, [NOT_EMPTY]);
    return exitCode === 0;
  }

  async setEntry(path: string, state: Exclude<EntryState, { folder: number } | { large: unknown }>): Promise<void> {
    await this.#run(
      path,
      `${PLACED}\n${"link" in state ? `ln -s -- ${quoted(state.link)} "$p"` : `chmod ${state.mode.toString(8)} -- "$p"`}`,
    );
  }

  /** Ends unless the temporary file has all bytes: a client may answer before it has written, or write a part. */
  #whole(bytes: Uint8Array): string {
    return `n=$(wc -c < "$t") || exit; if [ "$n" -ne ${bytes.length} ]; then echo "it kept $n of ${bytes.length} bytes" >&2; exit 1; fi`;
  }

  /** Gives a temporary file `$t` its name `$p`; it is gone afterwards, whatever happens. */
  async #named(path: string, temporary: string, script: string): Promise<void> {
    const whole = `t=${quoted(temporary)}; trap 'rm -f -- "$t"' EXIT\n${PLACED}\n${script}`;
    const { exitCode } = await this.#run(path, whole, [TAKEN]);
    if (exitCode === TAKEN) {
      throw alreadyThere(path);
    }
  }

  /** Runs a script that has the path in `$p`. @param known the exit codes that are answers */
  async #run(path: string, script: string, known: readonly number[] = []): Promise<SandboxRunResult> {
    const result = await this.#calls.run(path, `p=${quoted(path)}; LC_ALL=C; export LC_ALL\n${script}`);
    switch (result.exitCode) {
      case MOVED:
        throw movedFolder(path);
      case CIRCLE:
        throw linkCircle(path);
      case TOO_LONG:
        throw nameTooLong(path);
    }
    if (result.exitCode !== 0 && !known.includes(result.exitCode)) {
      throw this.#calls.failed(path, result);
    }
    return result;
  }

  #unclear(path: string, { stdout }: SandboxRunResult): ToolError {
    return new ToolError(
      "io_error",
      `${path}: the sandbox gave an answer that cannot be read: ${JSON.stringify(stdout.slice(0, 80))}.`,
      "Its shell must be a POSIX shell with GNU's or BusyBox's tools, and its profile must print nothing.",
    );
  }
}

function temporaryFor(path: string): string {
  return joinPath(parentPath(path), `.toolhost-${randomUUID()}.tmp`);
}

/** Runs command lines with real bash in a folder that is thrown away, and tells which of them left a trace there. */
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { MARKER } from "./effectPrograms.js";

/** What no command that is allowed may print: the contents of files that hold secrets. */
const CANARY = "CANARY-OF-A-SECRET";

const GIT_SETTINGS = `[core]\n\tfsmonitor = "${MARKER}; false"\n`;

/** The workspace that the lines run in. */
export const WORKSPACE_FILES: Readonly<Record<string, string>> = {
  in: "l1\nl2\n",
  "a.txt": "a\n",
  "-r": "x\n",
  "--output=out.md": "x\n",
  ".env": `KEY=${CANARY}\n`,
  ".env.local": `KEY=${CANARY}\n`,
  "sub/.env": `KEY=${CANARY}\n`,
  "sub/b.txt": "b\n",
  ".env.md": `KEY=${CANARY}\n`,
  "sub/x.pem": `KEY=${CANARY}\n`,
  "evil/.gitconfig": GIT_SETTINGS,
  "3/.gitconfig": GIT_SETTINGS,
  "evil/env.sh": `${MARKER}\n`,
  "evil/hook.bash": `${MARKER}\n`,
};

/** Programs that are run in place of the real ones when `PATH` leads there. */
const FAKES = ["evil/ls", "evil/git", "evil/cat", "3/ls", "3/git", "3/cat"];

/** Names of the variables that the lines have. */
export const ENVIRONMENT = ["HOME", "PATH", "LANG", "HISTFILE", "GIT_OPTIONAL_LOCKS", "GIT_CONFIG_NOSYSTEM"] as const;

/** @returns what of each line's trace was seen, undefined where there was none */
export async function runEffects(programs: readonly string[]): Promise<readonly (string | undefined)[]> {
  const folder = mkdtempSync(join(tmpdir(), "toolhost-effects-"));
  try {
    mkdirSync(join(folder, "programs"));
    programs.forEach((program, index) => writeFileSync(join(folder, "programs", String(index)), program));
    const half = Math.ceil(programs.length / 2);
    await Promise.all([drive(folder, "one", 0, half), drive(folder, "two", half, programs.length)]);
    return programs.map((_, index) =>
      existsSync(join(folder, "programs", `${index}.trace`))
        ? readFileSync(join(folder, "programs", `${index}.trace`), "utf8")
        : undefined,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A workspace, a home and a folder of programs, from which each line gets its own. */
function prepare(base: string): void {
  const write = (path: string, text: string, mode = 0o644): void => {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text);
    chmodSync(join(base, path), mode);
  };
  Object.entries(WORKSPACE_FILES).forEach(([path, text]) => write(`start/work/${path}`, text));
  FAKES.forEach((path) => write(`start/work/${path}`, `#!/bin/sh\n${MARKER}\n`, 0o755));
  write("start/home/.bash_history", "one\ntwo\nthree\n");
  write(`bin/${MARKER}`, `#!/bin/sh\necho ran >> ${base}/mark\n`, 0o755);
  // A shim as pyenv has one: it runs what a variable names before it starts the real program.
  write(
    "bin/python3",
    `#!/bin/bash\nfor hook in "$PYENV_HOOK_PATH"/*.bash; do [ -e "$hook" ] && . "$hook"; done\necho Python 3\n`,
    0o755,
  );
  const git = (...args: string[]): Buffer =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      cwd: join(base, "start/work"),
      env: { PATH: "/usr/bin:/bin", HOME: base, GIT_CONFIG_NOSYSTEM: "1" },
    });
  git("init", "-q", "-b", "main");
  git("add", "in", "a.txt", "sub/b.txt");
  git("commit", "-q", "-m", "start");
  write("mark", "");
}

/**
 * In a name space of its own, where the system has one to give: then nothing but the folder can be written, and there
 * is no network.
 */
function boxed(base: string): readonly string[] {
  const box = [
    "bwrap",
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--bind",
    base,
    base,
    "--unshare-net",
    "--die-with-parent",
  ];
  return spawnSync(box[0] ?? "", [...box.slice(1), "true"]).status === 0 ? box : [];
}

async function drive(folder: string, name: string, from: number, to: number): Promise<void> {
  const base = join(folder, name);
  mkdirSync(base);
  prepare(base);
  const script = `
    # No more programs than it needs: there are thousands of lines. What is not written is listed in the same order.
    seen() { exec /usr/bin/find "$1/work" "$1/home" -printf '%P %s %T@ %y %m\\n'; }
    # git writes down what it looked up of files that were copied: before the line runs, not by it.
    fresh() {
      /bin/rm -rf "$1/work" "$1/home"
      /bin/cp -a "$1/start/work" "$1/start/home" "$1"
      HOME=/ /usr/bin/git -C "$1/work" update-index -q --refresh
      : > "$1/mark"
      before=$(seen "$1")
    }
    fresh "$1"
    for ((i = $3; i < $4; i++)); do
      IFS= read -r -d '' program < "$2/programs/$i"
      cd "$1/work" || exit 1
      /usr/bin/env -i HOME="$1/home" PATH="$1/bin:/usr/bin:/bin" LANG=C.UTF-8 HISTFILE="$1/home/.bash_history" GIT_OPTIONAL_LOCKS=0 GIT_CONFIG_NOSYSTEM=1 \\
        /usr/bin/timeout -k 1 3 /bin/bash -c -- "$program" < /dev/null > "$1/out" 2> /dev/null
      cd "$1"
      trace=
      [[ -s $1/mark ]] && trace='the marker ran'
      [[ -s $1/out ]] && /bin/grep -q ${CANARY} "$1/out" && trace='a secret was printed'
      after=$(seen "$1")
      [[ $after != "$before" ]] && trace="files changed: $(/usr/bin/diff <(echo "$before") <(echo "$after") | /usr/bin/tail -n +2 | /usr/bin/head -3)"
      [[ -n $trace ]] && { printf '%s' "$trace" > "$2/programs/$i.trace"; fresh "$1"; }
    done
    :`;
  const [command = "/bin/bash", ...args] = [
    ...boxed(folder),
    "/bin/bash",
    "-c",
    script,
    "drive",
    base,
    folder,
    String(from),
    String(to),
  ];
  await promisify(execFile)(command, args, { env: { PATH: "/usr/bin:/bin" } });
}

/** Runs shell programs with real bash and tells which commands they executed. */
import { execFile } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { STUBS } from "./programs.js";

/** Programs of the system that run what they wrap. */
const REAL = ["env", "timeout", "nohup", "nice", "xargs", "find", "bash", "sh", "cat"];

/** A command that was executed, with its words. */
export interface Executed {
  name: string;
  args: string[];
}

/** Notes its name and words in one write, prints two words, and ends as its name says. */
function stub(name: string): string {
  return `#!/bin/sh\nprintf '%s\\0' "\${0##*/}" "$#" "$@" >> "$TH_LOG"\necho w1 w2\nexit ${name.startsWith("f") ? 1 : 0}\n`;
}

/** sudo, without its powers. */
const SUDO = `#!/bin/sh\nwhile :; do case $1 in -u) shift 2;; -n) shift;; *) break;; esac; done\nexec "$@"\n`;

/** Each program in an empty folder of its own with a time limit; two lines of them side by side. */
export async function runPrograms(programs: readonly string[]): Promise<readonly (readonly Executed[])[]> {
  const folder = mkdtempSync(join(tmpdir(), "toolhost-fuzz-"));
  try {
    prepare(folder, programs);
    const half = Math.ceil(programs.length / 2);
    await Promise.all([drive(folder, 0, half), drive(folder, half, programs.length)]);
    // What a program left running behind it.
    await new Promise((resolve) => setTimeout(resolve, 300));
    return programs.map((_, index) => readLog(join(folder, "logs", String(index))));
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function prepare(folder: string, programs: readonly string[]): void {
  for (const name of ["bin", "logs", "programs", "runs"]) {
    mkdirSync(join(folder, name));
  }
  for (const name of STUBS) {
    writeFileSync(join(folder, "bin", name), stub(name));
    chmodSync(join(folder, "bin", name), 0o755);
  }
  writeFileSync(join(folder, "bin", "sudo"), SUDO);
  chmodSync(join(folder, "bin", "sudo"), 0o755);
  for (const name of REAL) {
    const real = [`/usr/bin/${name}`, `/bin/${name}`].find((path) => existsSync(path));
    if (real !== undefined) {
      symlinkSync(real, join(folder, "bin", name));
    }
  }
  programs.forEach((program, index) => {
    writeFileSync(join(folder, "programs", String(index)), program);
    mkdirSync(join(folder, "runs", String(index), "sub"), { recursive: true });
    writeFileSync(join(folder, "runs", String(index), "in"), "l1\nl2\n");
  });
}

/** Runs the programs from one number to below another. */
async function drive(folder: string, from: number, to: number): Promise<void> {
  // What a program leaves in the background, an endless loop even, is in the group of its timeout: it ends some
  // programs later.
  const script = `
    for ((i = $2; i < $3; i++)); do
      cd "$1/runs/$i" || exit 1
      IFS= read -r -d '' program < "$1/programs/$i"
      TH_LOG="$1/logs/$i" /usr/bin/timeout -k 1 1 /bin/bash -c -- "$program" < /dev/null > /dev/null 2>&1 &
      groups[i]=$!
      wait $!
      if ((i - 20 >= $2)); then kill -KILL -- -\${groups[i - 20]}; fi
    done 2> /dev/null
    /bin/sleep 0.3
    for ((i = $3 - 20; i < $3; i++)); do kill -KILL -- -\${groups[i]}; done 2> /dev/null`;
  // In a home named `~`, a leading `~` stays what it is, as the analysis has it.
  const env = { PATH: join(folder, "bin"), HOME: "~", LANG: "C.UTF-8" };
  // The status is the last program's, which says nothing.
  await new Promise<void>((resolve) => {
    execFile("/bin/bash", ["-c", script, "drive", folder, String(from), String(to)], { env }, () => resolve());
  });
}

function readLog(path: string): Executed[] {
  const fields = existsSync(path) ? readFileSync(path, "utf8").split("\0") : [];
  const executed: Executed[] = [];
  for (let at = 0; at + 1 < fields.length;) {
    const count = Number(fields[at + 1]);
    executed.push({ name: fields[at] ?? "", args: fields.slice(at + 2, at + 2 + count) });
    at += 2 + count;
  }
  return executed;
}

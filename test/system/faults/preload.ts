// Loaded before the command line: writes down its steps, ends or holds it before one, or makes the system answer
// otherwise.
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { installSteps, watchSteps } from "./steps.js";

const killAt = Number(process.env["FAULT_KILL_AT"]);
/** A step as `rename f.txt`: the first call of that name on a path that ends so. */
const killBefore = process.env["FAULT_KILL_BEFORE"];
const holdBefore = process.env["FAULT_HOLD_BEFORE"];
/** Told by a file with `.held` behind this name; goes on when there is one with `.go`. */
const hold = process.env["FAULT_HOLD"] ?? "";
/** The end of a path whose file is a mount point. */
const mounted = process.env["FAULT_MOUNTED"];
const log = process.env["FAULT_LOG"];
let step = 0;
let hasHeld = false;

function isStep(wanted: string | undefined, call: string, path: string): boolean {
  const [name, end = ""] = wanted?.split(" ") ?? [];
  return name === call && path.endsWith(end);
}

function die(): never {
  process.kill(process.pid, "SIGKILL");
  // The signal comes when the system gets to it.
  for (;;);
}

watchSteps((call, path, from) => {
  step += 1;
  if (log !== undefined) {
    appendFileSync(log, `${step} ${call} ${path}\n`);
  }
  if (step === killAt || isStep(killBefore, call, path)) {
    die();
  }
  if (!hasHeld && isStep(holdBefore, call, path)) {
    hasHeld = true;
    writeFileSync(`${hold}.held`, "");
    while (!existsSync(`${hold}.go`)) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
  if (mounted !== undefined && call === "rename" && (path.endsWith(mounted) || from?.endsWith(mounted) === true)) {
    throw Object.assign(new Error("EBUSY: made by the test"), { code: "EBUSY" });
  }
});
if (process.env["FAULT_NO_SQLITE"] === undefined) {
  installSteps();
} else {
  // As Node 20.
  Object.assign(process, { getBuiltinModule: undefined });
}

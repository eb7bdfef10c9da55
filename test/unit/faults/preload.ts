// Loaded before the command line: kills its process before the step that FAULT_KILL_AT names.
import { appendFileSync } from "node:fs";
import { installSteps, watchSteps } from "./steps.js";

const killAt = Number(process.env["FAULT_KILL_AT"]);
const log = process.env["FAULT_LOG"];
let step = 0;

watchSteps((call, path) => {
  step += 1;
  if (log !== undefined) {
    appendFileSync(log, `${step} ${call} ${path}\n`);
  }
  if (step === killAt) {
    process.kill(process.pid, "SIGKILL");
    // The signal comes when the system gets to it.
    for (;;);
  }
});
void installSteps();

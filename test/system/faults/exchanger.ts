// Puts new files in place of one, again and again, and takes its time between the two steps: `node exchanger.cjs <file>
// <times>`.
import { writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { exchange } from "../../../src/hosts/node/disk/names.js";
import { oldBeside, removeAll, temporaryBeside } from "../../../src/hosts/node/disk/temporaries.js";

/** Milliseconds without a file: a busy machine stops a process for as long. */
const GAP = 30;
/** Milliseconds with one. */
const REST = 60;

async function main([file = "", times]: string[]): Promise<void> {
  process.stdout.write("begun\n");
  for (let round = 0; round < Number(times); round++) {
    const [ready, aside] = [temporaryBeside(file), oldBeside(file)];
    writeFileSync(ready, `text ${round}\n`);
    await exchange(file, ready, aside, () => {
      for (const until = performance.now() + GAP; performance.now() < until;);
      return true;
    });
    await removeAll([ready, aside]);
    await setTimeout(REST);
  }
}

if (process.env["FAULT_EXCHANGER"] !== undefined) {
  main(process.argv.slice(2)).catch((error: unknown) => {
    process.stderr.write(String(error));
    process.exitCode = 1;
  });
}

import { Worker } from "node:worker_threads";
import { openPage } from "./content.js";
import type { PageReport, PageWork } from "./messages.js";

/**
 * Reads one page in a process that its host kills if it takes too long; bundled to its own file, dist/page-worker.js.
 */

/** Time until the worker kills itself, in ms. Its host would kill it long before, but may have been killed itself. */
const LAST = 120_000;

// A page may keep the thread busy, so the timer is on another one.
new Worker(`setTimeout(() => process.kill(process.pid, "SIGKILL"), ${LAST})`, { eval: true }).unref();

process.once("message", (work: PageWork) => {
  void run(work).then((last) => send(last).then(() => process.disconnect?.()));
});

async function run({ html, address }: PageWork): Promise<PageReport> {
  try {
    const { text, markdown } = openPage(html, address);
    await send({ kind: "text", content: text });
    return { kind: "done", content: markdown() };
  } catch {
    return { kind: "failed" };
  }
}

function send(report: PageReport): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(report, () => resolve());
  });
}

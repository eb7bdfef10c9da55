import { Worker } from "node:worker_threads";
import { getDocument, PasswordException } from "unpdf/pdfjs";
import type { PdfReport, PdfWork } from "./messages.js";

/**
 * Reads one PDF in a process that its host kills if it takes too long; bundled to its own file, dist/pdf-worker.js.
 */

/** Time until the worker kills itself, in ms. Its host would kill it long before, but may have been killed itself. */
const LAST = 120_000;

// A damaged document may keep the thread busy, so the timer is on another one.
new Worker(`setTimeout(() => process.kill(process.pid, "SIGKILL"), ${LAST})`, { eval: true }).unref();

process.once("message", (work: PdfWork) => {
  void run(work).then((last) => send(last).then(() => process.disconnect?.()));
});

async function run({ bytes, maxLength }: PdfWork): Promise<PdfReport> {
  try {
    const pdf = await getDocument({
      data: new Uint8Array(bytes),
      disableFontFace: true,
      verbosity: 0,
    }).promise;
    let length = 0;
    for (let number = 1; number <= pdf.numPages && length <= maxLength; number++) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      const text = items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join("");
      page.cleanup();
      length += text.length;
      await send({ kind: "page", text });
    }
    return { kind: "done", total: pdf.numPages };
  } catch (error) {
    return {
      kind: "failed",
      message: error instanceof PasswordException ? "it is protected by a password" : reasonOf(error),
    };
  }
}

function send(report: PdfReport): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(report, () => resolve());
  });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

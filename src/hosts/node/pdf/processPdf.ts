import { join } from "node:path";
import { ToolError } from "../../../core/errors.js";
import type { Pdf, PdfText } from "../../../ports/pdf.js";
import { oneLine, shorten } from "../../../text/clip.js";
import { runOwnProgram, type Deadline } from "../ownProcess.js";
import type { PdfReport, PdfWork } from "./messages.js";

/** Limits of reading one document; tests use their own. */
export interface PdfLimits {
  /** Time for a page, in ms: a dense one takes 50. */
  page: number;
  /** Megabytes of heap. */
  memory: number;
}

const LIMITS: PdfLimits = { page: 20_000, memory: 1_024 };
/** Maximum characters of a message of the library. */
const MAX_MESSAGE = 200;
const OTHERWISE = "Convert it with a program of the system, such as pdftotext, if there is one.";

/** Reads each PDF in its own process: a damaged one may take any time and memory. */
export class ProcessPdf implements Pdf {
  readonly #script: string;
  readonly #limits: PdfLimits;

  /** @param folder that contains `pdf-worker.js`: the bundle's folder */
  constructor(folder: string, limits: Partial<PdfLimits> = {}) {
    this.#script = join(folder, "pdf-worker.js");
    this.#limits = { ...LIMITS, ...limits };
  }

  text(bytes: Uint8Array, maxLength: number, signal: AbortSignal): Promise<PdfText> {
    const pages: string[] = [];
    const { page, memory } = this.#limits;
    const next = (): Deadline => ({
      milliseconds: page,
      error: unreadable(`page ${pages.length + 1} takes longer than ${page / 1_000} s`),
    });
    return runOwnProgram<PdfReport, PdfText>(
      {
        script: this.#script,
        memory,
        task: "Reading the PDF",
        first: next(),
        onReport: (report) => {
          switch (report.kind) {
            case "page":
              pages.push(report.text);
              return { next: next() };
            case "done":
              return { result: { pages, total: report.total } };
            case "failed":
              return { error: unreadable(shorten(oneLine(report.message), MAX_MESSAGE)) };
          }
        },
        onEnd: (how) =>
          unreadable(
            how === "out-of-memory" ? `it takes more than ${memory} MB of memory` : `the reading process ended ${how}`,
          ),
      },
      { bytes, maxLength } satisfies PdfWork,
      signal,
    );
  }
}

function unreadable(why: string): ToolError {
  return new ToolError("unsupported", `The PDF cannot be read: ${why}.`, OTHERWISE);
}

import { join } from "node:path";
import { ToolError } from "../../../core/errors.js";
import type { PageContent, Pages } from "../../../ports/pages.js";
import { runOwnProgram } from "../ownProcess.js";
import type { PageReport, PageWork } from "./messages.js";

/** Limits of reading one page; tests use their own. */
export interface PageLimits {
  /** Time for its text and for its Markdown, each in ms. */
  time: number;
  /** Megabytes of heap. */
  memory: number;
}

const LIMITS: PageLimits = { time: 20_000, memory: 1_024 };

/** Reads each page in its own process: one that is made to harm may take any time and memory. */
export class ProcessPages implements Pages {
  readonly #script: string;
  readonly #limits: PageLimits;

  /** @param folder that contains `page-worker.js`: the bundle's folder */
  constructor(folder: string, limits: Partial<PageLimits> = {}) {
    this.#script = join(folder, "page-worker.js");
    this.#limits = { ...LIMITS, ...limits };
  }

  async read(html: string, address: string, signal: AbortSignal): Promise<PageContent> {
    const { time, memory } = this.#limits;
    let text: PageContent | undefined;
    const late = unreadable(`it takes longer than ${time / 1_000} s`);
    try {
      return await runOwnProgram<PageReport, PageContent>(
        {
          script: this.#script,
          memory,
          task: "Reading the page",
          first: { milliseconds: time, error: late },
          onReport: (report) => {
            switch (report.kind) {
              case "text":
                text = report.content;
                return { next: { milliseconds: time, error: late } };
              case "done":
                return { result: report.content };
              case "failed":
                return { error: unreadable("it is nested too deeply") };
            }
          },
          onEnd: (how) =>
            unreadable(
              how === "out-of-memory"
                ? `it takes more than ${memory} MB of memory`
                : `the reading process ended ${how}`,
            ),
        },
        { html, address } satisfies PageWork,
        signal,
      );
    } catch (error) {
      if (text !== undefined && error instanceof ToolError && error.type === "unsupported") {
        return { ...text, plain: error.message.replace(/^The page cannot be read: |\.$/g, "") };
      }
      throw error;
    }
  }
}

function unreadable(why: string): ToolError {
  return new ToolError("unsupported", `The page cannot be read: ${why}.`, "Look for another page about it.");
}

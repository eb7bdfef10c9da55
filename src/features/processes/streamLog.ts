import type { ProcessOutput } from "../../ports/processes.js";
import type { StoredResult } from "../../ports/results.js";
import type { Omitted } from "../../text/terminal/ends.js";
import type { OutputLog } from "./outputLog.js";

/** One stream of a process, as others see it. */
export class StreamLog implements ProcessOutput {
  readonly #log: OutputLog;
  #isSealed = false;
  #stored: StoredResult | undefined;

  constructor(log: OutputLog) {
    this.#log = log;
  }

  get resultId(): string | undefined {
    return this.#isSealed ? this.#stored?.id : this.#log.resultId;
  }

  get stored(): StoredResult | undefined {
    return this.#stored;
  }

  caughtUp(): Promise<void> {
    return this.#log.caughtUp();
  }

  summary(maxCharacters: number): { text: string; omitted: Omitted | undefined } {
    return this.#log.summary(maxCharacters);
  }

  /** @returns the log that took them */
  push(bytes: Uint8Array): OutputLog {
    this.#log.push(bytes);
    return this.#log;
  }

  async seal(): Promise<void> {
    this.#isSealed = true;
    this.#stored = await this.#log.seal();
  }
}

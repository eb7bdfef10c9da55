import { sizeWords } from "../../features/custom/services.js";

/** Says on standard error that a description is being fetched; on a terminal, also how much of it there is. */
export class FetchProgress {
  readonly #what: string;
  /** Whether its line can still change. */
  #isLive = process.stderr.isTTY;

  /** @param source the address, as it can be shown */
  constructor(source: string) {
    this.#what = `Fetching the description of ${source}`;
    process.stderr.write(this.#isLive ? this.#what : `${this.#what}\n`);
  }

  show(bytes: number): void {
    if (this.#isLive) {
      process.stderr.write(`\r${this.#what} (${sizeWords(bytes)})\x1b[K`);
    }
  }

  /** Ends its line. */
  end(): void {
    if (this.#isLive) {
      process.stderr.write("\n");
      this.#isLive = false;
    }
  }
}

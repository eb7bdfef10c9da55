/** The entry to write, or undefined to remove it. */
export type Entry = Readonly<Record<string, unknown>> | undefined;

/** A text that cannot be changed. */
export class Unchangeable extends Error {
  /** @param line from 1, if the reason is on a line */
  constructor(
    message: string,
    readonly line?: number,
  ) {
    super(message);
  }
}

/** Walks through the characters of a line for PowerShell: blanks, comments, and what is refused. */

/** What of a line is not understood. */
export class NotRead extends Error {}

/** The place in a line, and what comes next there. */
export abstract class Cursor {
  protected readonly text: string;
  protected at = 0;
  /** Whether it reads what a quoted text contains: there quotes have rules of their own. */
  protected isQuoted = false;

  constructor(text: string) {
    this.text = text;
  }

  /** Skips blanks and comments. @param lines whether the ends of lines are blanks, too */
  protected blanks(lines: boolean): void {
    for (;;) {
      const blank = /^(?:[ \t]+|#[^\r\n]*)/.exec(this.text.slice(this.at))?.[0] ?? "";
      // In quoted text, PowerShell looks for the closing bracket before it reads comments.
      if (/^#requires/i.test(blank) || (this.isQuoted && blank.startsWith("#"))) {
        this.refuse();
      }
      if (blank !== "") {
        this.at += blank.length;
      } else if (lines && /^[\r\n]/.test(this.peek())) {
        this.at += 1;
      } else {
        return;
      }
    }
  }

  protected peek(): string {
    return this.text.charAt(this.at);
  }

  protected rest(length: number): string {
    return this.text.slice(this.at, this.at + length);
  }

  protected take(text: string): boolean {
    const isNext = this.text.startsWith(text, this.at);
    this.at += isNext ? text.length : 0;
    return isNext;
  }

  protected takeAny(texts: readonly string[]): string | undefined {
    return texts.find((text) => this.take(text));
  }

  protected shown(): string {
    return this.text.slice(this.at, this.at + 40).split(/[\r\n]/)[0] ?? "";
  }

  protected refuse(): never {
    throw new NotRead(this.shown() === "" ? "it ends where more is expected" : `\`${this.shown()}\` is not understood`);
  }
}

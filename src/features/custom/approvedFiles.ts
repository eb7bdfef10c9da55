import type { Store } from "../../ports/store.js";
import { textVersion } from "../../text/contentVersion.js";

/**
 * Records the user's approvals of files of tools, each by its path and its exact text. They are kept in the user's state,
 * so that nothing in a repository can approve itself.
 *
 * All methods throw `ToolError` as `Store` does.
 */
export class ApprovedFiles {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #nameOf: (file: string) => string;

  /** @param nameOf returns the name under which a file is kept */
  constructor(store: Store, now: () => number, nameOf = (file: string): string => file) {
    this.#store = store;
    this.#now = now;
    this.#nameOf = nameOf;
  }

  /** Returns the same approvals for a caller that gives files other names. */
  named(nameOf: (file: string) => string): ApprovedFiles {
    return new ApprovedFiles(this.#store, this.#now, nameOf);
  }

  /** Whether the user approved exactly this text. @param file its path in the workspace */
  async isApproved(file: string, text: string): Promise<boolean> {
    const row = this.#store.get<{ hash: string }>("SELECT hash FROM tool_files WHERE file = ?", this.#nameOf(file));
    return row !== undefined && row.hash === (await textVersion(text));
  }

  /** Returns the text of a file that the user approved last; undefined if none. */
  lastApproved(file: string): string | undefined {
    return this.#store.get<{ text: string }>("SELECT text FROM tool_files WHERE file = ?", this.#nameOf(file))?.text;
  }

  /** Returns a text that changes with each approval, by whichever process. */
  version(): string {
    return JSON.stringify(
      this.#store.get("SELECT COUNT(*) AS files, MAX(rowid) AS last, MAX(at) AS at FROM tool_files"),
    );
  }

  /** Records that the user approved this text, and no other text of the file any more. */
  async approve(file: string, text: string): Promise<void> {
    this.#store.run(
      "INSERT OR REPLACE INTO tool_files (file, hash, text, at) VALUES (?, ?, ?, ?)",
      ...[this.#nameOf(file), await textVersion(text), text, this.#now()],
    );
  }
}

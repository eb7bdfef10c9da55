import type { Store } from "../../ports/store.js";
import { textVersion } from "../../text/contentVersion.js";

/** Maximum approved contents kept per document: going back to an earlier one needs no new approval. */
const MAX_KEPT = 20;

/**
 * Records the user's approvals of documents that make the agent act, each by its path and its exact text. Approvals are
 * kept in the user's state and in no file of the workspace, so that nothing in a repository can approve itself. A text
 * that differs in one character is not approved.
 *
 * All methods throw `ToolError` as `Store` does.
 */
export class Approvals {
  readonly #store: Store;
  readonly #now: () => number;

  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** @param document its path in the workspace */
  async isApproved(document: string, text: string): Promise<boolean> {
    return (
      this.#store.get("SELECT 1 FROM approvals WHERE document = ? AND hash = ?", document, await textVersion(text)) !==
      undefined
    );
  }

  /** Records that the user approved this text. */
  async approve(document: string, text: string): Promise<void> {
    const hash = await textVersion(text);
    this.#store.transaction(() => {
      this.#store.run(
        "INSERT OR REPLACE INTO approvals (document, hash, at) VALUES (?, ?, ?)",
        document,
        hash,
        this.#now(),
      );
      this.#store.run(
        "DELETE FROM approvals WHERE document = ? AND rowid NOT IN (SELECT rowid FROM approvals WHERE document = ? ORDER BY rowid DESC LIMIT ?)",
        document,
        document,
        MAX_KEPT,
      );
    });
  }

  /** Withdraws approval: no text of the document is approved any more. @returns whether any was */
  revoke(document: string): boolean {
    return this.#store.run("DELETE FROM approvals WHERE document = ?", document).changes > 0;
  }
}

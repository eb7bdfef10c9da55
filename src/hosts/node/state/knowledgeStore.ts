import { knowledgeSchema } from "../../../features/knowledge/schema.js";
import type { IndexStores } from "../../../features/knowledge/knowledgeBase.js";
import { ToolError } from "../../../core/errors.js";
import type { Store } from "../../../ports/store.js";
import { loadSqlite } from "./sqlite.js";
import { openStore } from "./store.js";

/** The file of an index, and its tables. */
interface IndexFile {
  file: string;
  schema: string;
}

/**
 * The index of what agents keep. The file's number increases with every change to the tables or to the terms in them: a
 * different schema gets a new file, which is filled from scratch. `FORMER_INDEX` in stateSweep.ts names the older ones.
 */
const KEPT: IndexFile = { file: "knowledge-2.db", schema: knowledgeSchema(["context", "memory"]) };
/** That of the workspace's code, which is larger and changes with every edit. */
export const CODE_INDEX: IndexFile = { file: "code-2.db", schema: knowledgeSchema(["code"]) };

/**
 * A workspace's search index, in a file next to its state, shared by every window and the command line. Separate from
 * the undo journal, so that indexing does not delay file changes, and a damaged index only costs reading the files
 * again.
 */
export class KnowledgeStores implements IndexStores {
  readonly #folders: () => readonly string[];
  readonly #index: IndexFile;
  #opened: { key: string; store: Promise<Store> } | undefined;
  #isDamaged = false;
  #isClosed = false;

  /** @param folders the workspace's current folders */
  constructor(folders: () => readonly string[], index = KEPT) {
    this.#folders = folders;
    this.#index = index;
  }

  /** @throws ToolError `unavailable` once it is closed: a search that is still running would open the file again */
  async current(): Promise<Store> {
    if (this.#isClosed) {
      throw new ToolError("unavailable", "The search index is closed: its window or program is ending.");
    }
    const folders = this.#folders();
    const key = JSON.stringify(folders);
    if (this.#opened?.key !== key) {
      this.#letGo();
      const store = this.#open(folders);
      this.#opened = { key, store };
      // Try again after a failure (a full disk, an open in another window).
      store.catch(() => {
        if (this.#opened?.store === store) {
          this.#opened = undefined;
        }
      });
    }
    return this.#opened.store;
  }

  async renew(): Promise<boolean> {
    if (!this.#isDamaged) {
      return false;
    }
    this.#isDamaged = false;
    this.#letGo();
    await this.current();
    return true;
  }

  close(): void {
    this.#isClosed = true;
    this.#letGo();
  }

  #letGo(): void {
    void this.#opened?.store.then(
      (store) => store.close(),
      () => undefined,
    );
    this.#opened = undefined;
  }

  async #open(folders: readonly string[]): Promise<Store> {
    const opened = await openStore({
      folders,
      file: this.#index.file,
      migrations: [this.#index.schema],
      isDisposable: true,
      onDamage: () => {
        this.#isDamaged = true;
      },
    });
    if (opened.store === undefined) {
      throw withoutSqlite() ?? opened.reason;
    }
    return opened.store;
  }
}

function withoutSqlite(): ToolError | undefined {
  return loadSqlite() === undefined
    ? new ToolError(
        "unavailable",
        "There is no search index here: Node.js has no SQLite.",
        "Use Node.js 22.13 or later.",
      )
    : undefined;
}

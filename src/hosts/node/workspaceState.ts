import type { ChangeState } from "../../core/changes.js";
import { Journal } from "../../core/journal/journal.js";
import { JournalQueries } from "../../core/journal/queries.js";
import type { Look, Recovered } from "../../core/journal/types.js";
import { Ledger } from "../../core/ledger.js";
import { isAlive, thisProcess } from "./owner.js";
import { openStore } from "./store.js";

/** What Toolhost keeps of a workspace on this machine. */
export interface WorkspaceState extends ChangeState {
  close(): void;
}

export interface WorkspaceStateHost {
  /** The workspace's folders, as they are now: absolute paths, or addresses of folders that are on no disk. */
  folders(): readonly string[];
  look: Look;
  foldCase: boolean;
  /** Told in words for people: a damaged state was moved aside. */
  onNotice: (message: string) => void;
  /** Told of changes whose process ended in the middle. */
  onRecovered: (recovered: readonly Recovered[]) => void;
}

/** Opens the state of a workspace when it is first needed, and another one when the workspace's folders change. */
export class WorkspaceStates {
  readonly #host: WorkspaceStateHost;
  #opened: { key: string; state: Promise<WorkspaceState> } | undefined;

  constructor(host: WorkspaceStateHost) {
    this.#host = host;
  }

  current(): Promise<WorkspaceState> {
    const folders = this.#host.folders();
    const key = JSON.stringify(folders);
    if (this.#opened?.key !== key) {
      this.close();
      this.#opened = { key, state: this.#open(folders) };
    }
    return this.#opened.state;
  }

  close(): void {
    void this.#opened?.state.then((state) => state.close());
    this.#opened = undefined;
  }

  async #open(folders: readonly string[]): Promise<WorkspaceState> {
    const { look, foldCase, onNotice, onRecovered } = this.#host;
    const opened = await openStore({ folders, onNotice });
    if (opened.store === undefined) {
      return { journal: undefined, ledger: new Ledger(), reason: opened.reason, close: () => undefined };
    }
    const { store } = opened;
    const journal = new Journal({ store, owner: thisProcess(), isAlive, look, now: Date.now, foldCase });
    const ledger = new Ledger(store);
    const recovered = await journal.recover();
    if (recovered.length > 0) {
      onRecovered(recovered);
    }
    return { journal: { entries: journal, queries: new JournalQueries(store) }, ledger, reason: undefined, close: () => void ledger.flush().finally(() => store.close()) };
  }
}

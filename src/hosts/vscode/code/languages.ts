import * as vscode from "vscode";
import { ToolError } from "../../../core/errors.js";
import type { GatedPath } from "../../../ports/files.js";
import { LARGEST_CHANGED_FILE } from "../../../core/largestFile.js";
import { sourceText } from "../../../features/code/sourceText.js";
import { shownName } from "../../../text/shownName.js";
import { count, messageOf } from "../../../text/words.js";
import type { VscodeFiles } from "../files/files.js";
import { caughtUp } from "./caughtUp.js";
import { flatSymbols } from "./convert.js";
import { OPEN_LIMIT, within } from "./patience.js";
import type { CodeSymbol } from "../../../ports/code.js";

/** How long a server may take to be ready, in ms: it may have to read a whole project first. */
const READY_LIMIT = 45_000;
/** How long it may take to answer then, in ms. */
const ANSWER_LIMIT = 20_000;
/** How long to wait for an extension that has started to offer what it knows, in ms. */
const OFFER_LIMIT = 5_000;
/** How long to wait for a server that has answered before and may be starting again, in ms. */
const AGAIN_LIMIT = 1_500;
/** How long after the first question a server's "none" is asked again, in ms: it may still be reading the project. */
const WARM_UP = 10_000;
const PAUSE = 250;
/** How long to wait for VS Code to see what a file has on disk, in ms: it watches files, and hears of changes later. */
const CATCH_UP_LIMIT = 5_000;

/** A server that knows a file, ready to be asked about it. */
export interface Served {
  state: "served";
  document: vscode.TextDocument;
  outline: CodeSymbol[];
}

export interface Unserved {
  state: "not_ready" | "no_server";
  why: string;
}

/** Which languages have servers, and whether they are ready. */
export class Languages {
  readonly #files: VscodeFiles;
  /** When each language was asked about first, in ms of the process. */
  readonly #asked = new Map<string, number>();
  /** Languages whose servers have told symbols, and those for which none came in time. */
  readonly #known = new Set<string>();
  readonly #silent = new Set<string>();

  constructor(files: VscodeFiles) {
    this.#files = files;
  }

  /** Opens a file's document and waits until its server has read the project that the file is in. */
  async served(at: GatedPath, signal: AbortSignal): Promise<Served | Unserved> {
    const document = await within(this.#open(at), OPEN_LIMIT, signal);
    if (document === "late") {
      return {
        state: "not_ready",
        why: `VS Code has not opened ${shownName(at.path)} within ${OPEN_LIMIT / 1_000} s.`,
      };
    }
    const id = document.languageId;
    const read = (): Promise<string | undefined> => sourceText(this.#files, at, LARGEST_CHANGED_FILE, signal);
    if (!(await caughtUp(document, read, CATCH_UP_LIMIT, signal))) {
      return {
        state: "not_ready",
        why: `VS Code has not seen the latest change of ${shownName(at.path)} on disk within ${CATCH_UP_LIMIT / 1_000} s.`,
      };
    }
    const started = performance.now();
    this.#asked.set(id, this.#asked.get(id) ?? started);
    const servers = serversOf(id);
    const active = await within(Promise.all(servers.map((each) => activated(each))), READY_LIMIT, signal);
    if (active === "late") {
      return late(id, READY_LIMIT);
    }
    // A server that knows only syntax answers while the one that knows types reads the project: its list of references
    // has those of one file (TypeScript). A question that it leaves to the other is answered when that one is ready.
    const ready = await within(
      vscode.commands.executeCommand("vscode.prepareCallHierarchy", document.uri, new vscode.Position(0, 0)),
      READY_LIMIT,
      signal,
    ).catch(unlessAborted(signal));
    if (ready === "late") {
      return late(id, READY_LIMIT);
    }
    for (;;) {
      const symbols = await within(symbolsOf(document), ANSWER_LIMIT, signal);
      if (symbols === "late") {
        return late(id, ANSWER_LIMIT);
      }
      if (symbols !== undefined) {
        this.#known.add(id);
        this.#silent.delete(id);
        return { state: "served", document, outline: flatSymbols(symbols) };
      }
      // VS Code does not tell "no symbols" from "nobody knows".
      if (this.#known.has(id) && document.getText().trim() === "") {
        return { state: "served", document, outline: [] };
      }
      const limit = this.#known.has(id) ? AGAIN_LIMIT : OFFER_LIMIT;
      if (servers.length === 0 || this.#silent.has(id) || performance.now() - started > limit) {
        if (!this.#known.has(id)) {
          this.#silent.add(id);
        }
        return {
          state: "no_server",
          why: `No language server here knows ${id}, the language of ${shownName(at.path)}.`,
        };
      }
      await pause(signal);
    }
  }

  /** Asks a server, again while it may still be reading the project if it has nothing. */
  async ask<T>(
    { languageId }: vscode.TextDocument,
    question: () => Thenable<T[] | undefined>,
    signal: AbortSignal,
  ): Promise<T[] | Unserved> {
    const asked = this.#asked.get(languageId) ?? 0;
    for (;;) {
      const answer = await within(question(), ANSWER_LIMIT, signal);
      if (answer === "late") {
        return late(languageId, ANSWER_LIMIT);
      }
      if ((answer ?? []).length > 0 || performance.now() - asked > WARM_UP) {
        return answer ?? [];
      }
      await pause(signal);
    }
  }

  /** @throws ToolError `too_large`; `unsupported` if VS Code does not open it */
  async #open(at: GatedPath): Promise<vscode.TextDocument> {
    // VS Code reads all of a file before it says that it is too large for extensions.
    const { size } = await this.#files.stat(at);
    if (size > LARGEST_CHANGED_FILE) {
      throw new ToolError(
        "too_large",
        `${shownName(at.path)} has ${count(size, "byte")}; language servers are asked about files of up to ${count(LARGEST_CHANGED_FILE, "byte")}.`,
        "Use grep and read.",
      );
    }
    try {
      return await vscode.workspace.openTextDocument(this.#files.uriOf(at));
    } catch (error) {
      throw new ToolError(
        "unsupported",
        `VS Code cannot open ${shownName(at.path)}: ${messageOf(error)}`,
        "Use grep and read.",
      );
    }
  }
}

function symbolsOf({
  uri,
}: vscode.TextDocument): Thenable<(vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined> {
  return vscode.commands.executeCommand("vscode.executeDocumentSymbolProvider", uri);
}

/** Returns the extensions that start with a language. */
function serversOf(languageId: string): vscode.Extension<unknown>[] {
  return vscode.extensions.all.filter(({ packageJSON }) =>
    ((packageJSON as { activationEvents?: string[] }).activationEvents ?? []).includes(`onLanguage:${languageId}`),
  );
}

function activated(extension: vscode.Extension<unknown>): Thenable<unknown> {
  return extension.activate().then(
    () => undefined,
    () => undefined,
  );
}

function late(languageId: string, limit: number): Unserved {
  const names = serversOf(languageId).map(({ id }) => id);
  const who = names.length === 0 ? "" : ` (${names.join(", ")})`;
  return {
    state: "not_ready",
    why: `The language server for ${languageId}${who} has not answered within ${limit / 1_000} s.`,
  };
}

function unlessAborted(signal: AbortSignal): (error: unknown) => undefined {
  return () => void signal.throwIfAborted();
}

async function pause(signal: AbortSignal): Promise<void> {
  await within(new Promise(() => undefined), PAUSE, signal);
}

import type { Touch } from "../core/contract.js";
import type { ModelMessage } from "../ports/models.js";
import type { FolderGuides } from "./folderGuides.js";
import { describeNote, noteTag } from "./prompt.js";
import type { WorkspaceNote } from "./workspaceNotes.js";

/** The guides of the workspace on files that a turn's calls reach, each told to the model once. */
export class ToldGuides {
  readonly #guides: FolderGuides | undefined;
  readonly #messages: () => readonly ModelMessage[];
  readonly #signal: AbortSignal;
  /** Paths of workspace files that this turn gave the model. */
  readonly #given = new Set<string>();

  /** @param messages those that the model gets with the next request */
  constructor(guides: FolderGuides | undefined, messages: () => readonly ModelMessage[], signal: AbortSignal) {
    this.#guides = guides;
    this.#messages = messages;
    this.#signal = signal;
  }

  /** Returns the guides of the workspace on the files of a call. */
  async about(touches: readonly Touch[]): Promise<WorkspaceNote[]> {
    const found: WorkspaceNote[] = [];
    for (const touch of touches) {
      if (this.#guides !== undefined && (touch.kind === "read" || touch.kind === "write")) {
        const isGiven = (path: string): boolean => this.#isGiven(path) || found.some((note) => note.path === path);
        found.push(...(await this.#guides.of(touch.path, isGiven, this.#signal)));
      }
    }
    return found;
  }

  /** Returns notes in words, as far as the model does not have them. */
  tell(notes: readonly WorkspaceNote[]): string {
    let told = "";
    for (const note of notes.filter(({ path }) => !this.#isGiven(path))) {
      this.#given.add(note.path);
      told += `\n${describeNote(note)}`;
    }
    return told;
  }

  #isGiven(path: string): boolean {
    const tag = noteTag(path);
    return (
      this.#given.has(path) ||
      this.#messages().some(({ content }) => content.some((part) => "text" in part && part.text.includes(tag)))
    );
  }
}

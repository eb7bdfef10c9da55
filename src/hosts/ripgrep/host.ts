import type { FileKind, Files, GatedPath, Root } from "../../ports/files.js";
import type { Ripgrep } from "./ripgrep.js";
import type { RuleScope } from "./target.js";

/** A document whose text in the editor differs from the disk. */
export interface UnsavedText {
  /** Relative to the workspace. */
  path: string;
  /** The host's absolute path, links resolved. */
  absolute: string;
  text: string;
}

/** What the search needs from its host. */
export interface RipgrepSearchHost {
  run: Ripgrep;
  roots(): readonly Root[];
  resolve(path: string): Promise<GatedPath>;
  kindOf(at: GatedPath): Promise<FileKind>;
  /** The editor's documents with unsaved text; none on the command line. */
  unsaved(): Promise<readonly UnsavedText[]>;
  /** Where .gitignore rules come from for a folder below a root; both paths are absolute, links resolved. */
  ruleScope?(folder: string, root: string): Promise<RuleScope>;
  /** The encoding of a root's files without a byte order mark, as VS Code spells it. Default UTF-8. */
  encodingOf?(root: Root): Promise<string>;
  /** Reads the rules between a root and a folder when ripgrep must not. */
  files?: Files;
}

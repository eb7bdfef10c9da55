import type { FileKind, Files, GatedPath, Root } from "../../ports/files.js";
import type { Ripgrep } from "./ripgrep.js";
import type { RuleScope } from "./target.js";

/** A document whose text in the editor is not what lies on disk. */
export interface UnsavedText {
  /** Relative to the workspace. */
  path: string;
  /** Host's absolute path, links followed. */
  absolute: string;
  text: string;
}

/** What the search needs of its host. */
export interface RipgrepSearchHost {
  run: Ripgrep;
  roots(): readonly Root[];
  resolve(path: string): Promise<GatedPath>;
  kindOf(at: GatedPath): Promise<FileKind>;
  /** Documents of the editor with unsaved text; none on the command line. */
  unsaved(): Promise<readonly UnsavedText[]>;
  /** Where rules of .gitignore come from for a folder below a root; both are absolute, links followed. */
  ruleScope?(folder: string, root: string): Promise<RuleScope>;
  /** Reads the rules between a root and a folder where ripgrep must not. */
  files?: Files;
}

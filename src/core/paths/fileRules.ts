/** File names that matter to permission: globs of paths in any case, with the reason. */
export interface FileRule {
  /** Why a person should check. Completes «src/x is protected: …». */
  why: string;
  globs: readonly string[];
  /** Exceptions to this rule only. */
  but?: readonly string[];
}

/** Names of files that mean something to permission: globs of paths in any case, with why. */
export interface FileRule {
  /** Why a person should look. Completes «src/x is protected: …». */
  why: string;
  globs: readonly string[];
  /** What this rule, and no other, leaves out. */
  but?: readonly string[];
}

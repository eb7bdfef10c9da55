/** A rule about file names that matter to permission: globs of paths, ignoring case, and the reason. */
export interface FileRule {
  /** Why a person should check. Completes «src/x is protected: …». */
  why: string;
  globs: readonly string[];
  /** Globs of exceptions to this rule only. */
  but?: readonly string[];
}

import type { FileTree } from "./workspace.js";

/** What glob returns to programs. */
export interface GlobData {
  files: { path: string }[];
  total: number;
  sorted_by: "path" | "modified";
  partial: boolean;
}

export const pathsOf = ({ files }: GlobData): string[] => files.map(({ path }) => path);
/** Returns empty files. */
export const empty = (...paths: string[]): FileTree => Object.fromEntries(paths.map((path) => [path, ""]));

/** Names of all kinds, at all depths. */
export const tree: FileTree = {
  ...empty(
    "a.ts",
    "b.js",
    "src/a.ts",
    "src/b.jsx",
    "src/deep/a.ts",
    "src/deep/a.test.ts",
    ".hidden/x.ts",
    "docs/read me.md",
    "[id].ts",
    "-dash.ts",
    "!bang.ts",
    "#hash.ts",
    "{x}.ts",
  ),
  ".git/config": "",
  empty: undefined,
};

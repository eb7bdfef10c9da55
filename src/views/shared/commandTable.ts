/** What commands do, by their ids. `extension.ts` registers them with VS Code before this is loaded. */
export type Commands = Readonly<Record<string, (argument?: unknown) => unknown>>;

/** Command handlers by id. `extension.ts` registers the ids with VS Code before this is loaded. */
export type Commands = Readonly<Record<string, (argument?: unknown) => unknown>>;

/** What a window tells its worker: first the program, then one run of it at a time. */
export type ToWorker = { module: WebAssembly.Module } | { args: readonly string[]; input: string };

/** What the worker answers while a run writes, and at its end. */
export type FromWorker = { output: string } | { exitCode: number; errors: string };

import { ConsoleStdout, File, OpenFile, WASI } from "@bjorn3/browser_wasi_shim";

/** Maximum bytes kept of what a run says went wrong. */
const MAX_ERRORS = 100_000;

/**
 * Runs ripgrep, compiled to WebAssembly, on a text. It sees no files: only its arguments and its standard input. It
 * cannot be interrupted: whoever runs it ends its thread.
 *
 * @param module ripgrep for WASI (preview 1)
 * @param onOutput called with each part of the output, in order
 * @returns its exit code, and what it wrote to standard error
 * @throws Error if it crashes, as out of memory
 */
export function runModule(
  module: WebAssembly.Module,
  args: readonly string[],
  input: string,
  onOutput: (text: string) => void,
): { exitCode: number; errors: string } {
  const decoder = new TextDecoder();
  const errorDecoder = new TextDecoder();
  let errors = "";
  const wasi = new WASI(
    ["rg", ...args],
    [],
    [
      new OpenFile(new File(new TextEncoder().encode(input))),
      new ConsoleStdout((bytes) => onOutput(decoder.decode(bytes, { stream: true }))),
      new ConsoleStdout((bytes) => {
        errors = (errors + errorDecoder.decode(bytes, { stream: true })).slice(0, MAX_ERRORS);
      }),
    ],
    { debug: false },
  );
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi.wasiImport });
  const exitCode = wasi.start(instance as Parameters<WASI["start"]>[0]);
  return { exitCode, errors };
}

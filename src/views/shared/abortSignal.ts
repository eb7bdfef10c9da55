import type * as vscode from "vscode";

/** Converts a cancellation token to an AbortSignal. Call `dispose` when the work is done. */
export function toAbortSignal(token: vscode.CancellationToken): { signal: AbortSignal; dispose: () => void } {
  const controller = new AbortController();
  if (token.isCancellationRequested) {
    controller.abort();
  }
  const listener = token.onCancellationRequested(() => controller.abort());
  return { signal: controller.signal, dispose: () => void listener.dispose() };
}

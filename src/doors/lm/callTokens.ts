import type * as vscode from "vscode";

/** The chat that a call comes from; undefined for none. VS Code keeps from extensions what it is. */
type Token = vscode.LanguageModelToolInvocationOptions<unknown>["toolInvocationToken"];

/** A call, which its id names within its session. */
interface Call {
  session: string;
  callId: string;
}

/**
 * The chats that running calls come from: a call of somebody else's tool hands its chat on, so that VS Code shows and
 * asks there.
 */
export class CallTokens {
  readonly #tokens = new Map<string, Token>();

  /** Knows the chat of a call while `work` goes on. */
  async during<T>(call: Call, token: Token, work: () => Promise<T>): Promise<T> {
    if (token === undefined) {
      return work();
    }
    this.#tokens.set(keyOf(call), token);
    try {
      return await work();
    } finally {
      this.#tokens.delete(keyOf(call));
    }
  }

  /** The chat of a call, or of the one that made it. */
  of({ session, callId, parentId }: Call & { parentId: string | undefined }): Token {
    return (
      this.#tokens.get(keyOf({ session, callId })) ??
      (parentId === undefined ? undefined : this.#tokens.get(keyOf({ session, callId: parentId })))
    );
  }
}

/** Models number their calls, so that two sessions may have the same. */
function keyOf({ session, callId }: Call): string {
  return `${session} ${callId}`;
}

import type * as vscode from "vscode";

/** The chat that a call comes from, opaque to extensions; undefined for none. */
type Token = vscode.LanguageModelToolInvocationOptions<unknown>["toolInvocationToken"];

/** A call. Its id is unique only within its session. */
interface Call {
  session: string;
  callId: string;
}

/**
 * The chats of running calls. A call of a third-party tool passes its chat on, so that VS Code shows the call and asks
 * there.
 */
export class CallTokens {
  readonly #tokens = new Map<string, Token>();

  /** Remembers the chat of a call while `work` runs. */
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

  /** Returns the chat of a call or of its parent. */
  of({ session, callId, parentId }: Call & { parentId: string | undefined }): Token {
    return (
      this.#tokens.get(keyOf({ session, callId })) ??
      (parentId === undefined ? undefined : this.#tokens.get(keyOf({ session, callId: parentId })))
    );
  }
}

/** Models number their calls, so two sessions may use the same ids. */
function keyOf({ session, callId }: Call): string {
  return `${session} ${callId}`;
}

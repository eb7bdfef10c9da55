/** What a client can ask for in addition to tools. */
export type OfferRequest =
  | { kind: "resources" }
  | { kind: "resource"; uri: string }
  | { kind: "prompts" }
  | { kind: "prompt"; name: string; values: Readonly<Record<string, string>> }
  /** @property of where the argument is; `other` has no completions */
  | { kind: "completion"; of: "memory" | "context" | "prompt" | "other"; argument: string; value: string };

export interface ListedResource {
  uri: string;
  name: string;
  title: string;
  mimeType?: string;
  /** Bytes. */
  size?: number;
}

export interface ReadText {
  uri: string;
  mimeType?: string;
  text: string;
}

export interface ListedPrompt {
  name: string;
  description?: string;
  arguments?: { name: string; required: boolean; description?: string }[];
}

/** The answer to each kind of request. */
export interface OfferAnswer {
  resources?: ListedResource[];
  /** Whether the list has all resources. */
  isWhole?: boolean;
  resource?: ReadText;
  prompts?: ListedPrompt[];
  /** The prompt's text with its arguments. */
  prompt?: string;
  /** Completions; one more than are shown if there are more. */
  values?: string[];
}

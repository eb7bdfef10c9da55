// Types of tools for other extensions and programs. This file has no dependencies.

/** The kinds of failure of a call. */
export type ErrorType =
  | "unknown_tool"
  | "invalid_input"
  | "not_found"
  | "not_unique"
  | "no_match"
  | "conflict"
  | "stale"
  | "must_read"
  | "path_conflict"
  | "outside_workspace"
  | "protected"
  | "denied"
  | "untrusted"
  | "too_large"
  | "binary"
  | "is_directory"
  | "unsupported"
  | "unavailable"
  | "timeout"
  | "cancelled"
  | "io_error"
  | "forbidden_tool"
  | "inner_tool_error"
  | "source_not_found"
  | "source_too_large"
  | "invalid_json"
  | "invalid_expression"
  | "evaluation_error"
  | "unknown_id"
  | "page_out_of_range"
  | "internal_error";

export interface Disposable {
  dispose(): void;
}

/** A schema of a library with the Standard Schema interface that gives a JSON Schema of itself, such as Zod since 4.2. */
export interface SchemaLike<Output = unknown> {
  readonly "~standard": {
    readonly validate: (value: unknown) => unknown;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/** A tool of your own. */
export interface ToolDefinition<Input = Record<string, unknown>> {
  /** snake_case, at most 55 characters. No other tool may have it. */
  name: string;
  /** For people. Default: from the name. */
  title?: string;
  /** For models, at most 1,024 characters: what the tool does, and when to use it. */
  description: string;
  /**
   * The input: a JSON Schema (2020-12; `format` is not checked) with an object at its root, or a Zod schema. Each field needs a
   * description.
   */
  inputSchema: SchemaLike<Input> | { readonly [keyword: string]: unknown };
  /** The shape of the result's `data`, in the same forms. */
  outputSchema?: SchemaLike | { readonly [keyword: string]: unknown };
  /**
   * What you say about the tool. It decides nothing: every call asks, unless a rule or mode of the user's allows it.
   * The question mentions `readOnly`.
   */
  annotations?: { readOnly?: boolean; destructive?: boolean; idempotent?: boolean; openWorld?: boolean };
  /** Time limit of a call, in milliseconds. Default: the setting `toolhost.toolTimeout`. */
  timeout?: number;
  /**
   * Makes a call. A throw is a failed call: the message is for the model and should say what to do next; `type` (an
   * `ErrorType`) and `hint` are passed on if the error has them.
   */
  execute(input: Input, context: ToolCall): ToolAnswer | Promise<ToolAnswer>;
}

/** What `execute` gets with the input. */
export interface ToolCall {
  /** Aborted when the caller cancels or the time is up. */
  signal: AbortSignal;
  session: string;
  callId: string;
  /** Tells the next step, one line, while the call runs. */
  readonly report: (message: string) => void;
}

/** A result: text for the model, and perhaps data for programs. */
export type ToolAnswer = string | { text: string; data?: unknown; media?: { mimeType: string; bytes: Uint8Array }[] };

/** A checked tool. */
export interface DefinedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: object;
}

/** A tool that can be called now. */
export interface ToolInfo extends DefinedTool {
  readonly group: string;
  /** Hints with MCP's meaning. Of a registered tool they are always the most careful ones. */
  readonly annotations: {
    readonly readOnly: boolean;
    readonly destructive: boolean;
    readonly idempotent: boolean;
    readonly openWorld: boolean;
  };
}

export interface ToolDescription extends ToolInfo {
  /** JSON Schema of the result's `data`. */
  readonly outputSchema?: object;
}

/** How calls of a service authenticate. `secret` names a value that `OpenApiOptions.secret` gives. */
export type OpenApiAuth =
  | { type: "bearer"; secret: string }
  | { type: "basic"; username: string; secret: string }
  | { type: "apiKey"; in?: "header" | "query" | "cookie"; name?: string; secret: string }
  | {
      type: "oauth2";
      tokenUrl: string;
      clientId: string;
      secret: string;
      scopes?: string[];
      clientAuth?: "basic" | "body";
    };

/** Which operations of a service become tools, and how they are called. */
export interface OpenApiOptions {
  /** An id, a glob of ids (`pets*`), `tag:pets`, or `GET /pets/*`; `!` excludes. Default: all. */
  operations?: string[];
  /** Put before the name of each tool. */
  prefix?: string;
  /** Address of the server, instead of the description's. */
  server?: string;
  /** Values of variables in the server's address. */
  variables?: Record<string, string>;
  auth?: OpenApiAuth | OpenApiAuth[];
  /** Returns the value of a secret; undefined if it is not set. Models see none of them. */
  secret?: (name: string) => string | undefined | Promise<string | undefined>;
  /** Headers of every request. No secrets: use `auth`. */
  headers?: Record<string, string>;
  /** Seconds that a call may take. Default: 30. */
  timeout?: number;
  /** Maximum bytes of an answer. Default: 10 MB. */
  maxBytes?: number;
  /** Whether the server may be on this machine or in a private network. Default: false. */
  allowPrivate?: boolean;
}

export interface OpenApiToolSet {
  readonly tools: DefinedTool[];
  /** What is wrong with the description, and what a person should know, such as that calls go to another origin. */
  readonly problems: { message: string; pointer?: string }[];
  /** The operations that do not become tools, and why. */
  readonly leftOut: { operation: string; reason: string }[];
}

export interface InvokeOptions {
  /** Cancels the call: its outcome is then an error of type `cancelled`, unless it finished anyway. */
  signal?: AbortSignal;
  /** Calls of one session share what was read, and what the user allowed for it. Default: one session for all your calls. */
  session?: string;
  /** Called with each step that the call reports. */
  onProgress?: (message: string) => void;
}

/** How a call ended. */
export type Outcome =
  | {
      ok: true;
      /** For a model. */
      text: string;
      /** For programs, in the tool's own shape (docs/tools.md). */
      data?: unknown;
      media?: { mimeType: string; bytes: Uint8Array }[];
    }
  | { ok: false; error: { type: ErrorType; message: string; hint?: string } };

/** Tools: those of Toolhost, and your own. */
export interface ToolApi {
  /** Checks a tool's definition. @throws TypeError that names the problem */
  readonly defineTool: <Input = Record<string, unknown>>(definition: ToolDefinition<Input>) => DefinedTool;
  /**
   * Adds a tool, from `defineTool` or by its definition, until the result is disposed. A call that is running then ends
   * as usual. @throws TypeError that names the problem, such as a name that is taken
   */
  readonly registerTool: <Input = Record<string, unknown>>(tool: DefinedTool | ToolDefinition<Input>) => Disposable;
  /**
   * Makes a tool of each operation that an OpenAPI description (3.0 or 3.1, as JSON, YAML or an object) has. Nothing is
   * sent before a tool is called, and no tool is registered yet. @throws TypeError that names a wrong option
   */
  readonly createOpenApiTools: (description: string | object, options?: OpenApiOptions) => OpenApiToolSet;
  /** Lists the tools that can be called now. */
  readonly tools: () => ToolInfo[];
  /** Describes a tool that can be called now, with the shape of its `data` if it is known; undefined if there is none. */
  readonly describe: (name: string) => ToolDescription | undefined;
  /** Calls a listener after `tools()` has changed by tools that were added or removed. */
  readonly onDidChangeTools: (listener: () => void) => Disposable;
  /**
   * Calls a tool, as a model would: what needs permission asks the user. Rejects only with a TypeError that names a wrong
   * option; every failure of the call is in the outcome.
   */
  readonly invoke: (name: string, input: object, options?: InvokeOptions) => Promise<Outcome>;
}

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

/** An entry of a workspace manifest (docs/manifests.md). */
export type ManifestEntry =
  | { type: "file"; content: string; encoding?: "utf8" | "utf-8" | "utf16le" | "latin1" | "base64" }
  | { type: "dir" }
  | { type: "localFile" | "localDir"; src: string }
  | { type: "gitRepo"; url: string; ref?: string; shallow?: boolean }
  | { type: "s3Mount"; bucket: string; prefix?: string; region: string }
  | { type: "gcsMount"; bucket: string; prefix?: string }
  | { type: "r2Mount"; bucket: string; accountId: string; prefix?: string }
  | { type: "azureBlobMount"; container: string; account: string; prefix?: string };

/** What a workspace starts with, by path. */
export interface WorkspaceManifest {
  entries: Record<string, ManifestEntry>;
  /** Variables; none is set. */
  environment?: Record<string, string>;
  /** Globs of the only files that later calls of the session may read, or change, in the workspace. */
  permissions?: { read?: string[]; write?: string[] };
}

/** A sandbox in which a manifest is applied. */
export interface ManifestTarget {
  run(command: string): Promise<{ stdout: string; stderr?: string; exitCode: number }>;
  writeFile(path: string, content: string | Uint8Array): Promise<unknown>;
  /** Applies a manifest in a way of its own. */
  applyManifest?(manifest: WorkspaceManifest, options: { targetRoot: string }): Promise<ManifestResult>;
}

export interface ManifestOptions {
  /** Absolute folder in the sandbox. Default: `/workspace`. */
  targetRoot?: string;
  /** The folder that local sources are relative to. Default: the workspace. */
  hostRoot?: string;
  /** As in `InvokeOptions`. */
  session?: string;
  signal?: AbortSignal;
  onProgress?: (message: string) => void;
}

/** What became of a manifest. */
export interface ManifestResult {
  readonly entries: readonly {
    readonly path: string;
    readonly type: string;
    readonly status: "applied" | "unsupported";
    readonly message?: string;
  }[];
  /** In the workspace: all that the entries make. */
  readonly files?: readonly { readonly path: string; readonly change: "created" | "changed" | "same" | "cloned" }[];
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

/**
 * A place where tools work that is not this machine's disk. All paths are absolute, with `/`.
 *
 * Files need `list` and `remove`, or else a `run` that has a POSIX shell with GNU's or BusyBox's tools. With `snapshot` and
 * `restore`, undo covers what commands change.
 */
export interface SandboxClient {
  /** Runs a command to its end. `signal` is aborted when nobody waits for it any more. */
  run(
    command: string,
    options?: { timeoutMs?: number; workingDirectory?: string; signal?: AbortSignal },
  ): Promise<{ stdout: string; stderr?: string; exitCode: number }>;
  /** Returns a file's bytes, or its text if it is UTF-8. */
  readFile(path: string): Promise<string | Uint8Array>;
  /** Creates a file or replaces it. */
  writeFile(path: string, content: string | Uint8Array): Promise<void>;
  /** Returns a folder's entries; `size` in bytes, `modified` in milliseconds since 1970. */
  list?(
    path: string,
  ): Promise<readonly { name: string; kind: "file" | "directory" | "other"; size?: number; modified?: number }[]>;
  /** Removes a file. */
  remove?(path: string): Promise<void>;
  /** Keeps the state of the place, and returns its id. */
  snapshot?(): Promise<string>;
  /** Returns to the state that an id names. */
  restore?(id: string): Promise<void>;
}

/** A sandbox of E2B's (the package `e2b`), by its shape. */
export interface E2BClient {
  sandbox: {
    readonly sandboxId?: string;
    readonly commands: {
      run(
        command: string,
        options: { background: false; timeoutMs?: number; cwd?: string },
      ): Promise<{ stdout: string; stderr?: string; exitCode?: number; exit_code?: number }>;
    };
    readonly files: {
      read(path: string, options: { format: "bytes" }): Promise<string | Uint8Array>;
      write(path: string, content: string | ArrayBuffer): Promise<unknown>;
    };
    createSnapshot?(): Promise<{ snapshotId?: string; id?: string }>;
    pause?(): Promise<unknown>;
    connect?(): Promise<unknown>;
  };
  /** Starts a sandbox from a snapshot. */
  createSandboxFromSnapshot?: (id: string) => Promise<E2BClient["sandbox"]>;
  /** Returns a paused sandbox, running again. */
  connectSandbox?: (id: string) => Promise<E2BClient["sandbox"]>;
}

export interface UseSandboxOptions {
  /** The folder where tools work; absolute, in the sandbox. It exists. */
  folder: string;
  /** What people and rules call the sandbox: 1 to 60 letters, digits and `. _ : @ -`. */
  name: string;
  /** Whether a snapshot is taken before and after each turn that may change something, where the client can. Default: true. */
  snapshots?: boolean;
}

/** A sandbox in which tools work until it is disposed. */
export interface SandboxUse extends Disposable {
  readonly name: string;
  /** Undoes the last turn in the sandbox; with `list`, only lists what can be undone. */
  readonly undo: (options?: { list?: boolean; signal?: AbortSignal }) => Promise<Outcome>;
}

/** Chooses where tools work. */
export interface UseSandbox {
  /** A client of yours, or a sandbox of E2B's. @throws TypeError that names what is wrong */
  (client: SandboxClient | E2BClient, options: UseSandboxOptions): SandboxUse;
  /** An address as of `toolhost --sandbox`: `ssh://[user@]host[:port]/folder`, `docker://container/folder`, `podman://…`, `local:///folder`. */
  (address: string): SandboxUse;
}

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
   * Has tools work in a sandbox instead of the folders that are open, until the result is disposed: their files, search and
   * commands. Calls that are running go on where they are.
   */
  readonly useSandbox: UseSandbox;
  /**
   * Calls a tool, as a model would: what needs permission asks the user. Rejects only with a TypeError that names a wrong
   * option; every failure of the call is in the outcome.
   */
  readonly invoke: (name: string, input: object, options?: InvokeOptions) => Promise<Outcome>;
  /**
   * Makes the workspace, or a sandbox of yours, what a manifest says. What it reaches of this machine is decided on as in
   * `invoke`. In the workspace it does all or nothing.
   *
   * @throws TypeError that names a wrong argument; Error that names the entry with a problem, before anything is done, or
   * says what failed, with the `type` and `hint` of an outcome
   */
  readonly applyWorkspaceManifest: (
    target: ManifestTarget | "workspace",
    manifest: WorkspaceManifest,
    options?: ManifestOptions,
  ) => Promise<ManifestResult>;
}

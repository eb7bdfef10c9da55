// The nine agents: which version, how each is led to the scripted model and allowed everything, and what it calls its tools.
import type { Call } from "./protocols.js";
import { CHECK } from "./workspace.js";

/** Where an agent runs. */
interface Place {
  /** The model server, up to the port. */
  url: string;
  /** The agent's own home folder. */
  home: string;
  /** The workspace. */
  folder: string;
  prompt: string;
}

export interface Start {
  args: string[];
  env?: Record<string, string>;
  /** Configuration, by its path below the home folder: a text, or an object as JSON. */
  config?: Record<string, string | object>;
}

/** One step of the work, as the agent's model asks for it. `path` is absolute. */
export interface Calls {
  read: (path: string) => Call;
  search: (word: string) => Call;
  run: (command: string) => Call;
  edit: (path: string, before: string, after: string) => Call;
}

export interface Agent {
  name: string;
  /** The package in the npm registry; undefined for Toolhost itself, which is this checkout's. */
  from?: { package: string; version: string; bin: string };
  start: (place: Place) => Start;
  /** A tool that all requests of the loop offer, and no other request of the agent. */
  loopTool: string;
  calls: Calls;
}

const KEY = "dummy";
const MODEL = "scripted";

/** A call whose input is an object. */
const call = (name: string, input: Record<string, unknown>): Call => ({ name, input });

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export const agents: readonly Agent[] = [
  {
    name: "Toolhost",
    start: ({ url, home, folder, prompt }) => ({
      // The check's script is not known to be harmless; all else that is asked for needs no permission.
      args: ["--workspace", folder, "agent", prompt, "--max-iterations", "900", "--allow", `exec(command: ${CHECK})`],
      env: {
        OPENAI_BASE_URL: `${url}/v1`,
        OPENAI_API_KEY: KEY,
        OPENAI_MODEL: MODEL,
        TOOLHOST_STATE: `${home}/state`,
      },
    }),
    loopTool: "exec",
    calls: {
      read: (path) => call("read", { path }),
      search: (pattern) => call("grep", { pattern }),
      run: (command) => call("exec", { command }),
      edit: (path, before, after) => call("edit", { path, old_text: before, new_text: after }),
    },
  },
  {
    name: "Codex",
    from: { package: "@openai/codex", version: "0.169.0", bin: "codex" },
    start: ({ url, home, prompt }) => ({
      args: ["exec", "--dangerously-bypass-approvals-and-sandbox", "--skip-git-repo-check", prompt],
      env: { CODEX_HOME: `${home}/.codex`, LOCAL_KEY: KEY },
      config: {
        ".codex/config.toml": [
          'model = "gpt-5.5"',
          'model_provider = "local"',
          "check_for_update_on_startup = false",
          "[analytics]",
          "enabled = false",
          "[model_providers.local]",
          'name = "local"',
          `base_url = "${url}/v1"`,
          'env_key = "LOCAL_KEY"',
          'wire_api = "responses"',
          "supports_websockets = false",
          "",
        ].join("\n"),
      },
    }),
    loopTool: "exec_command",
    calls: {
      read: (path) => call("exec_command", { cmd: `cat ${quoted(path)}` }),
      search: (word) => call("exec_command", { cmd: `rg -n ${quoted(word)} .` }),
      run: (command) => call("exec_command", { cmd: command }),
      edit: (path, before, after) => ({
        name: "apply_patch",
        input: `*** Begin Patch\n*** Update File: ${path}\n@@\n-${before}\n+${after}\n*** End Patch\n`,
      }),
    },
  },
  {
    name: "opencode",
    from: { package: "opencode-ai", version: "1.18.33", bin: "opencode" },
    start: ({ url, prompt }) => ({
      args: ["run", "--auto", prompt],
      env: {
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
        OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      },
      config: {
        ".config/opencode/opencode.json": {
          autoupdate: false,
          share: "disabled",
          model: `local/${MODEL}`,
          small_model: `local/${MODEL}`,
          permission: { "*": "allow" },
          provider: {
            local: {
              npm: "@ai-sdk/openai-compatible",
              name: "local",
              options: { baseURL: `${url}/v1`, apiKey: KEY },
              models: { [MODEL]: { name: MODEL, tool_call: true, limit: { context: 200_000, output: 8_000 } } },
            },
          },
        },
      },
    }),
    loopTool: "bash",
    calls: {
      read: (path) => call("read", { filePath: path }),
      search: (pattern) => call("grep", { pattern }),
      run: (command) => call("bash", { command, description: "Run it" }),
      edit: (path, before, after) => call("edit", { filePath: path, oldString: before, newString: after }),
    },
  },
  {
    name: "Claude Code",
    from: { package: "@anthropic-ai/claude-code", version: "2.1.330", bin: "claude" },
    start: ({ url, home, prompt }) => ({
      args: ["-p", prompt, "--dangerously-skip-permissions", "--model", "sonnet"],
      env: {
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: KEY,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        CLAUDE_CONFIG_DIR: `${home}/.claude`,
        DISABLE_AUTOUPDATER: "1",
        // Else it refuses to run as root with all tools allowed.
        IS_SANDBOX: "1",
      },
    }),
    loopTool: "Bash",
    calls: {
      read: (path) => call("Read", { file_path: path }),
      // It has no tool for searches.
      search: (word) => call("Bash", { command: `grep -rn ${quoted(word)} .`, description: "Search" }),
      run: (command) => call("Bash", { command, description: "Run it" }),
      edit: (path, before, after) => call("Edit", { file_path: path, old_string: before, new_string: after }),
    },
  },
  {
    name: "Gemini CLI",
    from: { package: "@google/gemini-cli", version: "0.61.0", bin: "gemini" },
    start: ({ url, prompt }) => ({
      args: ["--yolo", "--skip-trust", "-m", "gemini-3.1-pro-preview", "-p", prompt],
      env: { GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: url },
      config: {
        ".gemini/settings.json": {
          security: { auth: { selectedType: "gemini-api-key" } },
          privacy: { usageStatisticsEnabled: false },
          telemetry: { enabled: false },
          general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
        },
      },
    }),
    loopTool: "run_shell_command",
    calls: {
      read: (path) => call("read_file", { file_path: path }),
      search: (pattern) => call("grep_search", { pattern }),
      run: (command) => call("run_shell_command", { command, description: "Run it" }),
      edit: (path, before, after) =>
        call("replace", { file_path: path, instruction: "Count on", old_string: before, new_string: after }),
    },
  },
  {
    name: "Copilot CLI",
    from: { package: "@github/copilot", version: "1.0.102", bin: "copilot" },
    start: ({ url, home, prompt }) => ({
      args: ["-p", prompt, "--allow-all", "--no-color", "--no-auto-update"],
      env: {
        COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
        COPILOT_PROVIDER_TYPE: "openai",
        COPILOT_PROVIDER_WIRE_API: "completions",
        COPILOT_PROVIDER_API_KEY: KEY,
        COPILOT_MODEL: "claude-sonnet-4.5",
        COPILOT_OFFLINE: "true",
        COPILOT_HOME: `${home}/.copilot`,
      },
    }),
    loopTool: "bash",
    calls: {
      read: (path) => call("view", { path }),
      search: (pattern) => call("grep", { pattern, output_mode: "content" }),
      run: (command) => call("bash", { command, description: "Run it" }),
      edit: (path, before, after) => call("edit", { path, old_str: before, new_str: after }),
    },
  },
  {
    name: "pi",
    from: { package: "@mariozechner/pi-coding-agent", version: "0.73.1", bin: "pi" },
    start: ({ url, home, prompt }) => ({
      args: [
        "--offline",
        "--provider",
        "local",
        "--model",
        MODEL,
        "--tools",
        "read,bash,edit,write,grep,find,ls",
      ].concat(...["-p", prompt]),
      env: { PI_CODING_AGENT_DIR: `${home}/.pi/agent`, PI_OFFLINE: "1" },
      config: {
        ".pi/agent/models.json": {
          providers: {
            local: {
              baseUrl: `${url}/v1`,
              api: "openai-completions",
              apiKey: KEY,
              models: [
                {
                  ...{ id: MODEL, name: MODEL, reasoning: false, input: ["text"] },
                  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
                  ...{ contextWindow: 200_000, maxTokens: 8_000 },
                },
              ],
            },
          },
        },
      },
    }),
    loopTool: "bash",
    calls: {
      read: (path) => call("read", { path }),
      search: (pattern) => call("grep", { pattern }),
      run: (command) => call("bash", { command }),
      edit: (path, before, after) => call("edit", { path, edits: [{ oldText: before, newText: after }] }),
    },
  },
  {
    name: "Cline CLI",
    from: { package: "cline", version: "3.0.65", bin: "cline" },
    start: ({ url, folder, prompt }) => ({
      args: ["-P", "openai-compatible", "-m", MODEL, "--auto-approve", "true", "-c", folder, prompt],
      config: {
        ".cline/data/settings/providers.json": {
          version: 1,
          lastUsedProvider: "openai-compatible",
          modes: {},
          providers: {
            "openai-compatible": {
              settings: { provider: "openai-compatible", apiKey: KEY, model: MODEL, baseUrl: `${url}/v1` },
              updatedAt: "2026-01-01T00:00:00.000Z",
              tokenSource: "manual",
            },
          },
        },
      },
    }),
    loopTool: "run_commands",
    calls: {
      read: (path) => call("read_files", { files: [{ path }] }),
      search: (word) => call("search_codebase", { queries: [word] }),
      run: (command) => call("run_commands", { commands: [command] }),
      edit: (path, before, after) => call("editor", { path, old_text: before, new_text: after }),
    },
  },
  {
    name: "Qwen Code",
    from: { package: "@qwen-code/qwen-code", version: "0.24.4", bin: "qwen" },
    start: ({ url, prompt }) => ({
      args: ["--auth-type", "openai", "--openai-api-key", KEY, "--openai-base-url", `${url}/v1`].concat(
        ...["-m", MODEL, "--yolo", prompt],
      ),
      config: {
        ".qwen/settings.json": {
          security: { auth: { selectedType: "openai" } },
          privacy: { usageStatisticsEnabled: false },
          telemetry: { enabled: false },
          general: { enableAutoUpdate: false },
        },
      },
    }),
    loopTool: "tool_search",
    calls: {
      read: (path) => call("read_file", { file_path: path }),
      search: (pattern) => call("grep_search", { pattern }),
      run: (command) => call("run_shell_command", { command, description: "Run it", is_background: false }),
      edit: (path, before, after) => call("edit", { file_path: path, old_string: before, new_string: after }),
    },
  },
];

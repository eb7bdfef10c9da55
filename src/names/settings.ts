/** Names of the settings, for code, manifest and messages. */
export const SETTING = {
  /** Whether models see handles in place of secrets. */
  maskSecrets: "toolhost.secrets.mask",
  /** Which commands are contained. */
  sandboxCommands: "toolhost.sandbox.commands",
  /** Whether commands that ask are tried first. */
  sandboxRehearse: "toolhost.sandbox.rehearse",
  /** The hosts that contained commands may reach. */
  sandboxHosts: "toolhost.sandbox.hosts",
  /** The address of the sandbox where tools work. */
  sandboxClient: "toolhost.sandbox.client",
  /** Which shell runs commands on Windows. */
  windowsShell: "toolhost.windows.shell",
  /** Seconds. */
  toolTimeout: "toolhost.toolTimeout",
  permissionMode: "toolhost.permissionMode",
  rules: "toolhost.permissions.rules",
  /** Whether to offer a rule after a call that the user allowed. */
  offerRules: "toolhost.permissions.offerRules",
  /** Whether to save a document after a change even if it had unsaved text before. */
  saveUnsaved: "toolhost.saveUnsavedAfterChange",
  /** Whether editors have buttons above each change of an agent. */
  changesInEditor: "toolhost.showChangesInEditor",
  /** Whether to update imports of the files that a patch moves. */
  updateImports: "toolhost.updateImportsOnMove",
  newProblems: "toolhost.reportNewProblems",
  /** Whether agents have a memory; if not, no door offers its tools. */
  memoryEnabled: "toolhost.memory.enabled",
  memoryLimits: "toolhost.memory.limits",
  /** The embeddings server for searches of what agents keep. */
  embeddings: "toolhost.embeddings",
  /** How the workspace's code is searched by words, and whether at all. */
  codeSearch: "toolhost.codeSearch",
  /** OpenAI-compatible model servers. */
  modelServers: "toolhost.models.servers",
  /** The model for agents without a chosen one. */
  agentModel: "toolhost.agent.model",
  /** Where messages may go. */
  messageChannels: "toolhost.message.channels",
  /** The service that searches the web, and its address. */
  searchProvider: "toolhost.web.searchProvider",
  searchUrl: "toolhost.web.searchUrl",
  /** The user's own tools, for every workspace. */
  tools: "toolhost.tools",
  /** Services described by OpenAPI whose operations are tools in every workspace. */
  openApiServices: "toolhost.openapi.services",
  /** How many tools of an OpenAPI description are listed. */
  openApiMaxTools: "toolhost.openapi.maxTools",
  /** Which tools VS Code is offered as an MCP server. */
  offerInVsCode: "toolhost.mcp.offerInVsCode",
  group: (group: string): string => `toolhost.groups.${group}`,
} as const;

/** The group of tools that other extensions and programs register. */
export const EXTENSIONS_GROUP = "extensions";

/** `off`: no index is made. `words`: by words alone. `embeddings`: code is also sent to the embeddings server. */
export const CODE_SEARCHES = ["off", "words", "embeddings"] as const;
export type CodeSearch = (typeof CODE_SEARCHES)[number];

/** `auto`: Git's bash, otherwise PowerShell. */
export const WINDOWS_SHELLS = ["auto", "bash", "powershell"] as const;
export type WindowsShell = (typeof WINDOWS_SHELLS)[number];

/** `off`: no door offers the group's tools. `default`: Copilot gets its default tools. `all`: Copilot gets all of them. */
export const GROUP_STATES = ["off", "default", "all"] as const;
export type GroupState = (typeof GROUP_STATES)[number];

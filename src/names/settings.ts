/** The names of the settings, in one place for the code, the manifest and the messages. */
export const SETTING = {
  /** Seconds. */
  toolTimeout: "toolhost.toolTimeout",
  permissionMode: "toolhost.permissionMode",
  rules: "toolhost.permissions.rules",
  /** Whether a rule is offered after a call that the user allowed. */
  offerRules: "toolhost.permissions.offerRules",
  /** Whether a document that held unsaved text before a change is saved after it. */
  saveUnsaved: "toolhost.saveUnsavedAfterChange",
  /** Whether imports follow the files that a patch moves. */
  updateImports: "toolhost.updateImportsOnMove",
  newProblems: "toolhost.reportNewProblems",
  /** Whether there is a memory: off, its tools are nowhere. */
  memoryEnabled: "toolhost.memory.enabled",
  memoryLimits: "toolhost.memory.limits",
  /** The embeddings server that searches of what agents keep may use. */
  embeddings: "toolhost.embeddings",
  /** The OpenAI-compatible servers whose models can be used. */
  modelServers: "toolhost.models.servers",
  /** The model of agents that nobody chose one for. */
  agentModel: "toolhost.agent.model",
  /** Where messages may go. */
  messageChannels: "toolhost.message.channels",
  group: (group: string): string => `toolhost.groups.${group}`,
} as const;

/**
 * `off`: the group's tools are nowhere. `default`: its default tools are offered to Copilot. `all`: its other tools, too.
 */
export const GROUP_STATES = ["off", "default", "all"] as const;
export type GroupState = (typeof GROUP_STATES)[number];

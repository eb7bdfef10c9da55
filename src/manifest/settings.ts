import type { Tool } from "../core/contract.js";
import { withParts } from "../core/toolParts.js";
import { MEMORY_LIMITS } from "../features/memory/limits.js";
import { DEFAULT_MAX_TOOLS, MAX_TOOLS } from "../features/openapi/entry.js";
import { commandSettings } from "./commandSettings.js";
import { labelOf } from "./enumLabel.js";
import { embeddingsSetting, modelServersSetting } from "./serverSettings.js";
import { entrySchema } from "./toolsSchema.js";
import { PERMISSION_MODES } from "../core/permission/modes.js";
import { GROUP_WORDS } from "../names/groups.js";
import { CODE_SEARCHES, EXTENSIONS_GROUP, SETTING, type GroupState } from "../names/settings.js";
import { SEARCH_PROVIDERS } from "../ports/webSearch.js";

/** Returns the settings that package.json contributes, by name. */
export function settingsProperties(tools: readonly Tool[]): Record<string, object> {
  const groups = [...new Set(tools.map(({ group }) => group))];
  return {
    [SETTING.permissionMode]: {
      type: "string",
      enum: PERMISSION_MODES,
      enumItemLabels: PERMISSION_MODES.map(labelOf),
      enumDescriptions: [
        "Allow reading in the workspace, changes to it that can be undone, and commands proven to only read. Ask about files that may hold secrets, files that make something run, other commands, and everything outside the workspace.",
        "Ask about every change and every command.",
        "Change nothing: refuse tools and commands that would change something.",
        "Ask only where a rule asks: every command runs, and protected files and secrets are open. Rules that deny and Restricted Mode still apply, and file tools stay inside the workspace. For machines that hold nothing of value.",
      ],
      default: "default",
      // A repository must not be able to grant itself permissions.
      scope: "application",
      markdownDescription: "How much Toolhost's tools may do without asking.",
    },
    [SETTING.rules]: rulesSetting(tools),
    [SETTING.offerRules]: {
      type: "boolean",
      default: true,
      scope: "application",
      markdownDescription:
        "After a call that you allowed, offer a rule that allows similar calls. Each rule is offered once per session.",
    },
    [SETTING.maskSecrets]: {
      type: "boolean",
      default: true,
      // A repository must not be able to have secrets shown.
      scope: "application",
      markdownDescription:
        "In everything that tools return, replace keys, and values of files and variables that hold secrets, by handles such as `⟦secret NAME #1a2b3c⟧`. A handle in an edit, or in a command's environment, stands for its value.",
    },
    ...commandSettings(),
    [SETTING.toolTimeout]: {
      type: "number",
      default: 30,
      minimum: 1,
      scope: "application",
      markdownDescription:
        "Time limit of a tool call, in seconds. Tools with their own limit, such as `grep`, ignore it. A call that runs out of time is stopped and reports it.",
    },
    [SETTING.offerInVsCode]: {
      type: "string",
      enum: ["auto", "all", "off"],
      enumItemLabels: ["auto", "all", "off"].map(labelOf),
      enumDescriptions: [
        "Tools that VS Code does not have from this extension already: your own, and those that other extensions register with Toolhost.",
        "These and the usual tools.",
        "None.",
      ],
      default: "auto",
      scope: "application",
      markdownDescription: "Which tools VS Code's agents are offered through an MCP server of this window.",
    },
    [SETTING.changesInEditor]: {
      type: "boolean",
      default: true,
      scope: "application",
      markdownDescription:
        "In the editor of a file, mark each change of an agent that you have neither kept nor undone, and show *Undo*, *Keep* and *Review* above it. The commands *Undo Change at Cursor* and *Keep Change at Cursor* also work without.",
    },
    [SETTING.saveUnsaved]: {
      type: "boolean",
      default: false,
      scope: "application",
      markdownDescription:
        "Save a document after a change even if it had unsaved text before. Otherwise the change stays unsaved, along with what you typed.",
    },
    [SETTING.updateImports]: {
      type: "boolean",
      default: false,
      scope: "application",
      markdownDescription:
        "When a patch moves files, update the relative imports of JavaScript, TypeScript, Vue, Svelte and Astro files that point to them. The updates are part of the change: they are shown and undone with it.",
    },
    [SETTING.newProblems]: {
      type: "boolean",
      default: true,
      scope: "application",
      markdownDescription:
        "After a change, wait up to a second for language servers and report new errors and warnings.",
    },
    [SETTING.memoryEnabled]: {
      type: "boolean",
      default: true,
      scope: "application",
      markdownDescription:
        "Give agents a memory: notes in `.toolhost/MEMORY.md` and `.toolhost/memory/`. If disabled, the memory tools are off everywhere; the files stay.",
    },
    [SETTING.memoryLimits]: memoryLimitsSetting(),
    [SETTING.embeddings]: embeddingsSetting(),
    [SETTING.codeSearch]: {
      type: "string",
      enum: CODE_SEARCHES,
      enumItemLabels: CODE_SEARCHES.map(labelOf),
      enumDescriptions: [
        "No index is made, and code_search says that it is turned off.",
        "By the words in names, comments and code. The index stays on this machine.",
        "Also by meaning: the code is sent to the server of toolhost.embeddings, if that is set.",
      ],
      default: "words",
      // A repository must not decide that the user's code is sent somewhere.
      scope: "application",
      markdownDescription:
        "How `code_search` finds code. The workspace's source files are read into an index, at most 10,000 of them: in the background once an agent has called a tool, and before each search those that have changed. Ignored files and files that may hold secrets are left out.",
    },
    [SETTING.modelServers]: modelServersSetting(),
    [SETTING.agentModel]: {
      type: "string",
      default: "",
      // Requests to it may hold the user's texts and cost the user money.
      scope: "application",
      markdownDescription:
        "The model for agents for which none was chosen, such as those that schedules start: `<server>/<model>` from `#toolhost.models.servers#`, or `<vendor>/<id>` of a VS Code model. If empty, the first available model.",
    },
    [SETTING.messageChannels]: messageChannelsSetting(),
    [SETTING.searchProvider]: {
      type: "string",
      enum: ["off", ...SEARCH_PROVIDERS],
      default: "off",
      // A repository must not decide where the user's searches go.
      scope: "application",
      enumItemLabels: ["Off", "Brave", "Tavily", "SearXNG"],
      markdownDescription:
        "The service with which `web_search` searches the web. **Queries are sent there.** Brave and Tavily need a key: *Toolhost: Set Web Search Key…*. SearXNG needs `#toolhost.web.searchUrl#`, and `json` among its `search.formats`.",
    },
    [SETTING.searchUrl]: {
      type: "string",
      default: "",
      scope: "application",
      markdownDescription:
        "The address of your SearXNG instance, such as `http://localhost:8080`. For Brave and Tavily: the address of a server of yours that passes requests on to them; if empty, they are asked directly.",
    },
    [SETTING.tools]: {
      type: "array",
      default: [],
      // A repository must not decide which commands run: its own tools need an approval.
      scope: "application",
      items: entrySchema("tools"),
      markdownDescription:
        'Your own tools, for every workspace: entries as in `.toolhost/tools.json`. For example `{ "name": "count_lines", "description": "Count the lines of a file.", "command": "wc", "args": ["-l", "--", "{path}"], "parameters": { "properties": { "path": { "type": "string", "description": "The file." } } } }`. See docs/custom-tools.md.',
    },
    [SETTING.openApiServices]: {
      type: "array",
      default: [],
      // As of tools: a repository must not decide where calls go.
      scope: "application",
      items: entrySchema("openapi"),
      markdownDescription:
        "Services described by OpenAPI whose operations are your tools in every workspace: entries as of `openapi` in `.toolhost/tools.json`. *Toolhost: Approve Tools…* fetches a description, shows what it allows, and asks, once in each workspace. See docs/custom-tools.md.",
    },
    [SETTING.openApiMaxTools]: {
      type: "integer",
      default: DEFAULT_MAX_TOOLS,
      minimum: 0,
      maximum: MAX_TOOLS,
      scope: "application",
      markdownDescription:
        "How many tools of an OpenAPI description are listed for agents. They find the others by searching, since each tool in a list costs tokens with every request.",
    },
    ...Object.fromEntries(groups.map((group) => [SETTING.group(group), groupSetting(group, tools)])),
    [SETTING.group(EXTENSIONS_GROUP)]: {
      ...groupSetting(EXTENSIONS_GROUP, tools),
      markdownDescription: "The tools that other extensions register with Toolhost.",
    },
  };
}

function memoryLimitsSetting(): object {
  const limit = (type: string, value: number, description: string): object => ({
    type,
    minimum: 0,
    default: value,
    description,
  });
  return {
    type: "object",
    default: MEMORY_LIMITS,
    scope: "application",
    additionalProperties: false,
    properties: {
      keys: limit("integer", MEMORY_LIMITS.keys, "Number of notes with a key."),
      valueBytes: limit("integer", MEMORY_LIMITS.valueBytes, "Size of one value, in bytes."),
      totalBytes: limit("integer", MEMORY_LIMITS.totalBytes, "Total size of all notes, in bytes."),
      days: limit(
        "number",
        MEMORY_LIMITS.days,
        "Days after its last change until a note expires, unless it was written with its own expiry.",
      ),
    },
    markdownDescription: "Limits on the notes that `memory_write` keeps. 0 means no limit.",
  };
}

function messageChannelsSetting(): object {
  return {
    type: "object",
    default: {},
    // A repository must not decide where messages go.
    scope: "application",
    markdownDescription:
      'Where `message` can send, by address: `webhook:<name>` for chat services, `signal:<number>` for a signal-cli REST server. Do not write secrets here: name them as `${secret:name}` and set them with *Toolhost: Set Message Secret…*. For example `{ "webhook:team": { "url": "https://hooks.slack.com/services/${secret:team}", "escape": "html" } }`. See docs/messages.md.',
    additionalProperties: {
      type: "object",
      required: ["url"],
      additionalProperties: false,
      properties: {
        url: {
          type: "string",
          description: "Where to send. For signal, the address of the server itself: http://localhost:8080.",
        },
        method: { type: "string", enum: ["POST", "PUT", "PATCH"], default: "POST", description: "Webhooks only." },
        headers: {
          type: "object",
          additionalProperties: { type: "string" },
          description: 'Headers to send: { "Authorization": "Bearer ${secret:name}" }.',
        },
        body: {
          type: ["object", "array", "string"],
          description:
            'Webhooks only: JSON with {{content}} in a string. Default: { "text": "{{content}}" }; Discord needs "content" instead of "text".',
        },
        escape: {
          type: "string",
          enum: ["none", "html"],
          default: "none",
          description: "Webhooks only: html writes & < > as entities, as Slack requires.",
        },
        maxLength: {
          type: "integer",
          minimum: 1,
          description: "Maximum characters per message: Discord accepts 2000.",
        },
        number: { type: "string", description: "signal only: the number to send from." },
      },
    },
  };
}

function rulesSetting(tools: readonly Tool[]): object {
  const rule = (tool: string, params: Record<string, string>, decision: string): object => ({ tool, params, decision });
  return {
    type: "array",
    default: [],
    // A repository must not be able to grant itself permissions or remove a rule.
    scope: "application",
    markdownDescription:
      'What tools may do, in addition to the defaults: `deny` wins over `ask`, and `ask` over `allow`. For example `{ "tool": "exec", "params": { "command": "npm test **" }, "decision": "allow" }`. A rule that cannot be understood allows nothing. [Permissions…](command:toolhost.permissions) lists all rules, and adds and removes yours.',
    items: {
      type: "object",
      required: ["tool", "decision"],
      additionalProperties: false,
      defaultSnippets: [
        { label: "Allow a command", body: rule("exec", { command: "${1:npm test} **" }, "allow") },
        { label: "Deny a command", body: rule("exec", { command: "${1:git push} **" }, "deny") },
        {
          label: "Allow changes in a folder",
          body: rule("${1|edit,write,apply_patch,*|}", { path: "${2:src}/**" }, "allow"),
        },
        { label: "Ask about files", body: rule("*", { path: "${1:migrations}/**" }, "ask") },
      ],
      properties: {
        tool: {
          type: "string",
          description: "A tool's name, or a glob over names: exec, edit, *.",
          examples: withParts<Tool>(tools).map(({ name }) => name),
        },
        params: {
          type: "object",
          additionalProperties: { type: "string" },
          properties: {
            command: {
              type: "string",
              description:
                "The words of a command. * matches any characters within a word, a final ** any further words: npm test **.",
            },
            path: {
              type: "string",
              description:
                "A glob that every file the call reaches must match: relative to the workspace (src/**), absolute outside it (/usr/include/**).",
            },
            url: { type: "string", description: "The origin of a URL: https://*.example.com." },
          },
          description:
            "Patterns that the call's values must match, by field of the tool's input; all of them must match. * matches any characters.",
        },
        decision: {
          type: "string",
          enum: ["allow", "ask", "deny"],
          enumDescriptions: [
            "Run without asking. Never covers what cannot be proven, sudo, secrets, or commands that leave the workspace.",
            "Ask every time, in Toolhost's own dialog.",
            "Never run.",
          ],
        },
      },
    },
  };
}

function groupSetting(group: string, tools: readonly Tool[]): object {
  const members = tools.filter((tool) => tool.group === group);
  const isOwn = members.every(({ expose }) => expose === "never");
  const names = members.map(({ name }) => `\`${name}\``);
  return {
    type: "string",
    enum: GROUP_STATE_WORDS.map(({ state }) => state),
    enumItemLabels: GROUP_STATE_WORDS.map(({ state }) => labelOf(state)),
    enumDescriptions: GROUP_STATE_WORDS.map(({ words, own = words }) => (isOwn ? own : words)),
    default: "default",
    scope: "application",
    markdownDescription: `${GROUP_WORDS[group] ?? group}: ${names.join(", ")}.`,
  };
}

/** Descriptions of a group's states. `own`: of a group that only Toolhost's own agent has. */
const GROUP_STATE_WORDS: readonly { state: GroupState; words: string; own?: string }[] = [
  { state: "off", words: "The tools of this group are turned off everywhere." },
  {
    state: "default",
    words:
      "Copilot's agent is offered the usual tools of this group; @toolhost has all of them, and looks for the unusual ones when it needs them.",
    own: "Only Toolhost's own agent has the tools of this group, and looks for them when it needs them; Copilot's agent is not offered them.",
  },
  {
    state: "all",
    words: "All tools of this group are sent to Copilot's agent and to @toolhost with every request.",
    own: "All tools of this group are sent to @toolhost with every request.",
  },
];

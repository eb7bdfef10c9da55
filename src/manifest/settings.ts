import type { Tool } from "../core/contract.js";
import { MEMORY_LIMITS } from "../features/memory/limits.js";
import { PERMISSION_MODES } from "../core/permission/modes.js";
import { SETTING, type GroupState } from "../names/settings.js";

/** The settings that package.json contributes, by name. */
export function settingsProperties(tools: readonly Tool[]): object {
  const groups = [...new Set(tools.map(({ group }) => group))];
  return {
    [SETTING.permissionMode]: {
      type: "string",
      enum: PERMISSION_MODES,
      enumDescriptions: [
        "Reading in the workspace is allowed, and changing it where the change can be undone, and commands that are proven to only read. Files that may hold secrets, files that make something run, other commands and what lies outside are asked about.",
        "Every change and every command is asked about.",
        "Nothing may change: tools and commands that would are refused.",
        "Nothing is asked about but what a rule asks about: every command runs, and protected files and secrets are open. Rules that deny and Restricted Mode still hold, and file tools do not leave the workspace. For a machine that holds nothing of value.",
      ],
      default: "default",
      // A repository must not be able to grant itself power.
      scope: "application",
      markdownDescription: "How much Toolhost's tools may do without asking.",
    },
    [SETTING.rules]: rulesSetting(tools),
    [SETTING.offerRules]: {
      type: "boolean",
      default: true,
      scope: "application",
      markdownDescription:
        "After a call that you allowed, offer to allow its like from now on. Each rule is offered once a session.",
    },
    [SETTING.toolTimeout]: {
      type: "number",
      default: 30,
      minimum: 1,
      scope: "application",
      markdownDescription:
        "Seconds a tool may take, unless it has a time of its own (as `grep` does). It is then stopped and says so.",
    },
    [SETTING.saveUnsaved]: {
      type: "boolean",
      default: false,
      scope: "application",
      markdownDescription:
        "Save a document after a change even if it held unsaved text before. Otherwise the change waits, unsaved, beside what you typed.",
    },
    [SETTING.updateImports]: {
      type: "boolean",
      default: false,
      scope: "application",
      markdownDescription:
        "When a patch moves files, update the relative imports of JavaScript, TypeScript, Vue, Svelte and Astro files that lead to them. The updates are part of the change: shown with it and undone with it.",
    },
    [SETTING.newProblems]: {
      type: "boolean",
      default: true,
      scope: "application",
      markdownDescription:
        "After a change, wait up to a second for language servers and tell the errors and warnings that were not there before.",
    },
    [SETTING.memoryEnabled]: {
      type: "boolean",
      default: true,
      scope: "application",
      markdownDescription:
        "Whether agents have a memory: notes in `.toolhost/MEMORY.md` and `.toolhost/memory/`. Off, its tools are turned off everywhere; the files stay.",
    },
    [SETTING.memoryLimits]: memoryLimitsSetting(),
    [SETTING.embeddings]: embeddingsSetting(),
    [SETTING.modelServers]: modelServersSetting(),
    [SETTING.agentModel]: {
      type: "string",
      default: "",
      // What is asked of it may hold texts of the user's, and costs their money.
      scope: "application",
      markdownDescription:
        "The model of agents that nobody chose one for, such as those of schedules: `<server>/<model>` of `#toolhost.models.servers#`, or `<vendor>/<id>` of VS Code's models. Empty, the first that there is.",
    },
    [SETTING.messageChannels]: messageChannelsSetting(),
    ...Object.fromEntries(groups.map((group) => [SETTING.group(group), groupSetting(group, tools)])),
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
      keys: limit("integer", MEMORY_LIMITS.keys, "Notes with a key."),
      valueBytes: limit("integer", MEMORY_LIMITS.valueBytes, "Bytes of one value."),
      totalBytes: limit("integer", MEMORY_LIMITS.totalBytes, "Bytes of all notes together."),
      days: limit(
        "number",
        MEMORY_LIMITS.days,
        "Days after its last change when a note counts as gone, unless it was written with a time of its own.",
      ),
    },
    markdownDescription: "What the notes that `memory_write` keeps may take. 0 is no limit.",
  };
}

function embeddingsSetting(): object {
  return {
    type: "object",
    default: {},
    // A repository must not say where the user's texts are sent.
    scope: "application",
    additionalProperties: false,
    properties: {
      url: { type: "string", description: "Where it is, up to /v1: http://localhost:11434/v1." },
      model: { type: "string", description: "The name of an embeddings model that it has." },
      apiKeyName: {
        type: "string",
        description: "Name of the environment variable that holds its key, if it wants one.",
      },
    },
    markdownDescription:
      'An OpenAI-compatible embeddings server, so that `memory_search` and `context_search` find what is said in other words, too. **What agents keep is sent there.** Without one, searches go by words. For example `{ "url": "http://localhost:11434/v1", "model": "nomic-embed-text" }`.',
  };
}

function modelServersSetting(): object {
  const price = (what: string): object => ({
    type: "number",
    minimum: 0,
    description: `What a million tokens of ${what} cost.`,
  });
  return {
    type: "object",
    default: {},
    // A repository must not say where the user's texts and keys are sent.
    scope: "application",
    markdownDescription:
      'OpenAI-compatible servers by their names, for `@toolhost` and for every chat of VS Code. **Conversations with their models are sent there.** *Toolhost: Add Model Server…* adds one; keys are kept in VS Code\'s secret storage (*Toolhost: Set Key of Model Server…*). For example `{ "ollama": { "baseUrl": "http://localhost:11434/v1" } }`.',
    additionalProperties: {
      type: "object",
      required: ["baseUrl"],
      additionalProperties: false,
      properties: {
        baseUrl: { type: "string", description: "Where it is, mostly up to /v1: http://localhost:11434/v1." },
        models: {
          type: "array",
          description: "The models to offer; all that the server lists when absent.",
          items: {
            anyOf: [
              { type: "string" },
              {
                type: "object",
                required: ["id"],
                additionalProperties: false,
                properties: {
                  id: { type: "string", description: "As the server names it." },
                  name: { type: "string", description: "For people." },
                  maxInputTokens: {
                    type: "integer",
                    minimum: 1,
                    description: "Tokens that a request may hold. When absent, what the server tells.",
                  },
                  images: {
                    type: "boolean",
                    description: "Whether it can look at images. When absent, what the server tells, else not.",
                  },
                  prices: {
                    type: "object",
                    required: ["input", "output"],
                    additionalProperties: false,
                    properties: { input: price("the request"), output: price("the answer") },
                    description: "For the cost that is shown, in whatever currency.",
                  },
                },
              },
            ],
          },
        },
        headers: {
          type: "object",
          additionalProperties: { type: "string" },
          description: "Headers to send with every request.",
        },
      },
    },
  };
}

function messageChannelsSetting(): object {
  return {
    type: "object",
    default: {},
    // A repository must not say where messages go.
    scope: "application",
    markdownDescription:
      'Where `message` can send to, by address: `webhook:<name>` for chat services, `signal:<number>` for a signal-cli REST server. Secrets are not written here but named, `${secret:name}`, and set with *Toolhost: Set Message Secret…*. For example `{ "webhook:team": { "url": "https://hooks.slack.com/services/${secret:team}", "escape": "html" } }`. docs/messages.md has more.',
    additionalProperties: {
      type: "object",
      required: ["url"],
      additionalProperties: false,
      properties: {
        url: {
          type: "string",
          description: "Where to send; for signal the server's own address: http://localhost:8080.",
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
            'Webhooks only: JSON with {{content}} in a text. Default { "text": "{{content}}" }; Discord wants content.',
        },
        escape: {
          type: "string",
          enum: ["none", "html"],
          default: "none",
          description: "Webhooks only: html writes & < > as entities, as Slack wants it.",
        },
        maxLength: { type: "integer", minimum: 1, description: "Characters of a message at most: Discord takes 2000." },
        number: { type: "string", description: "signal only: the number that sends." },
      },
    },
  };
}

function rulesSetting(tools: readonly Tool[]): object {
  const rule = (tool: string, params: Record<string, string>, decision: string): object => ({ tool, params, decision });
  return {
    type: "array",
    default: [],
    // A repository must not be able to grant itself power, nor take a rule away.
    scope: "application",
    markdownDescription:
      'What tools may do, beside the defaults: `deny` wins over `ask`, `ask` over `allow`. For example `{ "tool": "exec", "params": { "command": "npm test **" }, "decision": "allow" }`. A rule that is not understood allows nothing.',
    items: {
      type: "object",
      required: ["tool", "decision"],
      additionalProperties: false,
      defaultSnippets: [
        { label: "Allow a command", body: rule("exec", { command: "${1:npm test} **" }, "allow") },
        { label: "Deny a command", body: rule("exec", { command: "${1:git push} **" }, "deny") },
        {
          label: "Allow changes of a folder",
          body: rule("${1|edit,write,apply_patch,*|}", { path: "${2:src}/**" }, "allow"),
        },
        { label: "Ask about files", body: rule("*", { path: "${1:migrations}/**" }, "ask") },
      ],
      properties: {
        tool: {
          type: "string",
          description: "A tool's name, or a glob over names: exec, edit, *.",
          examples: tools.map(({ name }) => name),
        },
        params: {
          type: "object",
          additionalProperties: { type: "string" },
          properties: {
            command: {
              type: "string",
              description:
                "The words of a command. * stands for any characters in a word, a final ** for any more words: npm test **.",
            },
            path: {
              type: "string",
              description:
                "A glob over every file that a call reaches: relative to the workspace (src/**), absolute outside it (/usr/include/**).",
            },
            url: { type: "string", description: "The origin of an address: https://*.example.com." },
          },
          description:
            "What the call's values must be, all of them. Other fields of a tool's input: * stands for any characters.",
        },
        decision: {
          type: "string",
          enum: ["allow", "ask", "deny"],
          enumDescriptions: [
            "Runs unasked. Never covers what cannot be proven, sudo, secrets, or commands that leave the workspace.",
            "Asks every time, in a question of our own.",
            "Never runs.",
          ],
        },
      },
    },
  };
}

function groupSetting(group: string, tools: readonly Tool[]): object {
  const members = tools.filter((tool) => tool.group === group);
  const states = GROUP_STATE_WORDS.filter(
    ({ state }) => state !== "all" || members.some(({ expose }) => expose !== "never"),
  );
  const names = members.map(({ name }) => `\`${name}\``);
  return {
    type: "string",
    enum: states.map(({ state }) => state),
    enumDescriptions: states.map(({ state, words }) =>
      state === "default" && states.length < GROUP_STATE_WORDS.length
        ? "Toolhost's own agent has the tools of this group; they are not offered to Copilot's."
        : words,
    ),
    default: "default",
    scope: "application",
    markdownDescription: `The ${group} tools: ${names.join(", ")}.`,
  };
}

/** What the states of a group mean. One whose tools are no language model tools has no `all`. */
const GROUP_STATE_WORDS: readonly { state: GroupState; words: string }[] = [
  { state: "off", words: "The tools of this group are turned off everywhere." },
  {
    state: "default",
    words: "The usual tools of this group are offered to Copilot's agent; @toolhost has all of them.",
  },
  { state: "all", words: "All tools of this group are offered to Copilot's agent, too." },
];

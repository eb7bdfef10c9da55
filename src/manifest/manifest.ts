import type { Tool } from "../core/contract.js";
import { wireSchema } from "../core/wireSchema.js";
import { TOOLS_FILE } from "../features/custom/entry.js";
import { SETTING } from "../names/settings.js";
import { firstSentence } from "../text/sentence.js";
import { settingSections } from "./settingSections.js";
import { settingsProperties } from "./settings.js";
import {
  LINK_COMMAND,
  ACTIVITY_COMMAND,
  AGENT,
  ASK_ABOUT_SELECTION,
  CHORD,
  CONNECT_AGENT,
  PARTICIPANT,
  PERMISSION_COMMAND,
  RUN_TOOL_COMMAND,
  SEARCH_HERE,
  SERVERS_VENDOR,
  SERVER_COMMAND,
  SET_SERVER_KEY,
  SET_MESSAGE_SECRET,
  SET_SEARCH_KEY,
  STAND_IN_VENDOR,
  TOOLS_COMMAND,
  UNDO_COMMAND,
  WHOLE_QUESTION,
  WORK_COMMAND,
  toolCommand,
  MCP_PROVIDER,
  IN_BROWSER,
  CHANGE_AT_CURSOR,
  OPEN_CHANGES,
  OPEN_REVIEW,
  SCHEME,
} from "../names/contributed.js";
import { NOT_IN_BROWSER } from "../ports/capabilities.js";
import { lmName } from "../names/tools.js";
import { toolIcon } from "../core/toolIcon.js";
import { viewContributions } from "./views.js";
import { walkthrough } from "./walkthrough.js";

/** VS Code attaches lines of files alone: neither of unsaved documents nor of output. */
const HAS_FILE = "editorHasSelection && resourceScheme != untitled && resourceScheme != output";
/** An editor with changes to undo or keep. */
const HAS_OPEN_CHANGE = `(resource in ${OPEN_CHANGES} || inMultiDiffEditor && ${OPEN_REVIEW})`;
/** A review with changes to undo or keep. The editor of several files has no menu of its own that extensions may add to. */
const IN_OPEN_REVIEW = `resourceScheme == ${SCHEME.change} && resource in ${OPEN_CHANGES} || activeEditor == multiDiffEditor && ${OPEN_REVIEW}`;
/** Without a folder there are no changes. */
const HAS_FOLDER = "workbenchState != empty";

/**
 * Returns the contributions of package.json, generated from the registry so that the two cannot differ (`npm run
 * manifest`).
 */
export function contributions(tools: readonly Tool[]): object {
  const paletteTools = tools.filter(({ expose }) => expose === "default");
  const own = viewContributions();
  return {
    languageModelTools: tools.filter(({ expose }) => expose !== "never").map(languageModelTool),
    chatParticipants: [
      {
        id: PARTICIPANT.id,
        name: PARTICIPANT.name,
        fullName: PARTICIPANT.fullName,
        description: PARTICIPANT.description,
        isSticky: true,
        commands: PARTICIPANT.commands,
      },
    ],
    chatAgents: [{ path: `./${AGENT.file}` }],
    walkthroughs: [walkthrough()],
    viewsContainers: own.containers,
    views: own.views,
    viewsWelcome: own.welcomes,
    mcpServerDefinitionProviders: [{ id: MCP_PROVIDER.id, label: MCP_PROVIDER.label }],
    languageModelChatProviders: [
      { vendor: STAND_IN_VENDOR, displayName: "Toolhost" },
      { vendor: SERVERS_VENDOR, displayName: "Toolhost Servers", managementCommand: SERVER_COMMAND.add },
    ],
    commands: [
      { command: RUN_TOOL_COMMAND, title: "Run Tool…", category: "Toolhost" },
      { command: UNDO_COMMAND.lastTurn, title: "Undo Last Turn", category: "Toolhost" },
      { command: UNDO_COMMAND.change, title: "Undo Change…", category: "Toolhost" },
      { command: UNDO_COMMAND.review, title: "Review Changes", category: "Toolhost" },
      ...Object.values(CHANGE_AT_CURSOR).map((each) => ({ ...each, category: "Toolhost" })),
      { command: ACTIVITY_COMMAND.show, title: "Show Activity", category: "Toolhost", icon: "$(pulse)" },
      { command: PERMISSION_COMMAND.rules, title: "Permissions…", category: "Toolhost" },
      { command: PERMISSION_COMMAND.explain, title: "Explain Permission…", category: "Toolhost" },
      { command: SERVER_COMMAND.add, title: "Add Model Server…", category: "Toolhost" },
      { command: SERVER_COMMAND.setKey, title: SET_SERVER_KEY, category: "Toolhost" },
      { command: SERVER_COMMAND.remove, title: "Remove Model Server…", category: "Toolhost" },
      { command: WORK_COMMAND.runTask, title: "Run Next Task", category: "Toolhost" },
      { command: WORK_COMMAND.approve, title: "Approve Schedules…", category: "Toolhost" },
      { command: LINK_COMMAND.showProcesses, title: "Running Processes…", category: "Toolhost" },
      { ...SET_MESSAGE_SECRET, category: "Toolhost" },
      { ...SET_SEARCH_KEY, category: "Toolhost" },
      { command: TOOLS_COMMAND.add, title: "Add Tool…", category: "Toolhost" },
      { command: TOOLS_COMMAND.approve, title: "Approve Tools…", category: "Toolhost" },
      { command: TOOLS_COMMAND.setSecret, title: "Set Tool Secret…", category: "Toolhost" },
      { ...CONNECT_AGENT, category: "Toolhost" },
      ASK_ABOUT_SELECTION,
      SEARCH_HERE,
      { command: WHOLE_QUESTION.command, title: "Answer…" },
      ...own.commands,
      ...paletteTools.map((tool) => ({
        command: toolCommand(tool),
        title: `${titleCase(tool.title)}…`,
        category: "Toolhost",
      })),
    ],
    menus: {
      commandPalette: [
        ...paletteTools.map((tool) => ({ command: toolCommand(tool), when: isOffered(tool) })),
        ...NEEDS_COMPUTER.map((command) => ({ command, when: `!${IN_BROWSER}` })),
        { command: ASK_ABOUT_SELECTION.command, when: HAS_FILE },
        ...Object.values(CHANGE_AT_CURSOR).map(({ command }) => ({
          ...{ command, when: `resource in ${OPEN_CHANGES} || ${OPEN_REVIEW}` },
        })),
        { command: SEARCH_HERE.command, when: "false" },
        { command: WHOLE_QUESTION.command, when: "false" },
        ...own.menus.hidden,
      ],
      // Below VS Code's own "Find in Folder…".
      "explorer/context": [
        {
          command: SEARCH_HERE.command,
          when: `explorerResourceIsFolder && config.${SETTING.group("fs")} != off`,
          group: "4_search@20",
        },
      ],
      "view/title": own.menus.titles,
      "view/item/context": own.menus.rows,
      "editor/context": [
        { command: ASK_ABOUT_SELECTION.command, when: HAS_FILE, group: "1_chat@9" },
        ...Object.values(CHANGE_AT_CURSOR).map(({ command }, index) => ({
          ...{ command, when: HAS_OPEN_CHANGE, group: `1_toolhost@${index}` },
        })),
      ],
      // It has no icon, so its title is shown above the editor.
      "editor/title": [
        { command: WHOLE_QUESTION.command, when: `resourceScheme == ${WHOLE_QUESTION.scheme}`, group: "navigation" },
        // Lenses stand above the lines in a normal editor; reviews have none, so these are their buttons.
        ...Object.values(CHANGE_AT_CURSOR).map(({ command }, index) => ({
          ...{ command, when: IN_OPEN_REVIEW },
          // Before the arrows of an editor of several files.
          group: `navigation@${index - 2}`,
        })),
      ],
    },
    keybindings: [
      { command: UNDO_COMMAND.lastTurn, key: `${CHORD} u`, when: HAS_FOLDER },
      { command: UNDO_COMMAND.review, key: `${CHORD} r`, when: HAS_FOLDER },
      { command: CHANGE_AT_CURSOR.undo.command, key: `${CHORD} z`, when: `editorTextFocus && ${HAS_OPEN_CHANGE}` },
      { command: CHANGE_AT_CURSOR.keep.command, key: `${CHORD} k`, when: `editorTextFocus && ${HAS_OPEN_CHANGE}` },
      { command: RUN_TOOL_COMMAND, key: `${CHORD} t` },
    ],
    languages: [{ id: "jsonc", filenamePatterns: [`**/${TOOLS_FILE}`] }],
    jsonValidation: [{ fileMatch: [`**/${TOOLS_FILE}`], url: "./media/tools.schema.json" }],
    configuration: settingSections(settingsProperties(tools)),
  };
}

/** Commands that a browser does not have. */
const NEEDS_COMPUTER: readonly string[] = [
  ...[SET_MESSAGE_SECRET.command, SET_SEARCH_KEY.command, CONNECT_AGENT.command],
  ...[TOOLS_COMMAND.add, TOOLS_COMMAND.approve, TOOLS_COMMAND.setSecret],
];

/**
 * Words that stay lower case inside a title: articles, conjunctions, and prepositions of up to four letters, as VS Code's
 * coding guidelines say (microsoft/vscode wiki, Coding Guidelines, "UI labels").
 */
const SMALL_WORDS = new Set(
  "a an and as at but by for from in into nor of off on onto or out over per the to up via with".split(" "),
);

/** Returns a tool's title as a palette command: VS Code's guidelines ask for title case. */
function titleCase(title: string): string {
  const words = title.split(" ");
  return words
    .map((word, index) => (index > 0 && SMALL_WORDS.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join(" ");
}

function languageModelTool(tool: Tool): object {
  const name = lmName(tool);
  return {
    name,
    displayName: tool.title,
    modelDescription: tool.description,
    userDescription: firstSentence(tool.description),
    // Only tools with a reference name that can be used in prompts are in the picker and sent to models. Agent hosts
    // use the reference name as the tool's name, so nobody else may have it.
    canBeReferencedInPrompt: true,
    toolReferenceName: name,
    tags: ["toolhost", `toolhost_${tool.group}`],
    icon: `$(${toolIcon(tool)})`,
    when: isOffered(tool),
    inputSchema: wireSchema(tool.inputSchema),
  };
}

/** Returns the when clause of a tool: its group is on, or set to `all` for an optional tool. */
function isOffered(tool: Tool): string {
  const setting = `config.${SETTING.group(tool.group)}`;
  const isOn = tool.expose === "default" ? `${setting} != off` : `${setting} == all`;
  // Without a service there is nothing to search with.
  const isUsable = tool.name === "web_search" ? `config.${SETTING.searchProvider} != off && ${isOn}` : isOn;
  const isThere = tool.needs.some((name) => NOT_IN_BROWSER.includes(name) && tool.canLack?.includes(name) !== true)
    ? `!${IN_BROWSER} && ${isUsable}`
    : isUsable;
  return tool.group === "memory" ? `config.${SETTING.memoryEnabled} && ${isOn}` : isThere;
}

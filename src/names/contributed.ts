// Every id that package.json contributes and code registers: participant, vendors, commands and schemes.

/** The context key that is true where the extension runs in a browser. */
export const IN_BROWSER = "toolhost.inBrowser";

/** The chat participant. */
export const PARTICIPANT = {
  id: "toolhost.participant",
  /** What a user types after @. */
  name: "toolhost",
  fullName: "Toolhost",
  /** Also what the chat's input says behind the name, where a narrow chat has room for no more. */
  description: "Ask, edit, run, undo",
  commands: [
    { name: "plan", description: "Look around and make a plan, without changing anything" },
    { name: "sessions", description: "List earlier sessions, or continue one: /sessions 2" },
    { name: "remember", description: "Keep a note for all later sessions: /remember we use pnpm" },
    { name: "capabilities", description: "Refresh the system prompt's list of what can be done here" },
    { name: "undo", description: "Undo the last turn of this chat that changed files" },
    { name: "tools", description: "List the tools and what they do" },
    { name: "run", description: 'Run one tool without a model: /run grep {"pattern": "TODO"}' },
  ],
} as const;

/** The agent in VS Code's agent menu, and its file. */
export const AGENT = {
  name: "Toolhost",
  description: "Works with Toolhost's tools, so that every change can be reviewed and undone",
  /** What the chat's empty input says. */
  hint: "Ask, or say what to change",
  file: "media/toolhost.agent.md",
} as const;

/** Opens the chat with the participant's name in its input and the editor's selection attached. */
export const ASK_ABOUT_SELECTION = {
  command: "toolhost.askAboutSelection",
  title: "Ask Toolhost About Selection",
} as const;

/** Opens the form of the text search with a folder of the explorer filled in. Argument: the folder's URI. */
export const SEARCH_HERE = { command: "toolhost.searchHere", title: "Search Here with Toolhost…" } as const;

/** The walkthrough of the first steps. */
export const WALKTHROUGH = { id: "start", title: "Get Started with Toolhost" } as const;

/** What offers the tools to VS Code as an MCP server. */
export const MCP_PROVIDER = { id: "toolhost.mcp", label: "Toolhost" } as const;

/** The vendor of the stand-in model, which answers if there is no other model. */
export const STAND_IN_VENDOR = "toolhost";
export const STAND_IN_ID = "none";

/** The vendor of the models on the user's servers. */
export const SERVERS_VENDOR = "toolhost-servers";

/** The palette command that first asks for the tool. */
export const RUN_TOOL_COMMAND = "toolhost.runTool";

/** Returns the palette command of one tool. */
export function toolCommand(tool: { name: string }): string {
  return `toolhost.run.${tool.name}`;
}

export const UNDO_COMMAND = {
  lastTurn: "toolhost.undoLastTurn",
  change: "toolhost.undoChange",
  review: "toolhost.reviewChanges",
} as const;

export const PERMISSION_COMMAND = {
  rules: "toolhost.permissions",
  explain: "toolhost.explainPermission",
} as const;

export const SERVER_COMMAND = {
  add: "toolhost.models.addServer",
  setKey: "toolhost.models.setKey",
  remove: "toolhost.models.removeServer",
} as const;

/** What the palette calls `SERVER_COMMAND.setKey`, for texts that name it. */
export const SET_SERVER_KEY = "Set Key of Model Server…";

export const WORK_COMMAND = {
  runTask: "toolhost.runNextTask",
  approve: "toolhost.approveSchedules",
} as const;

/** Sets a secret that message channels name as `${secret:name}`. */
export const SET_MESSAGE_SECRET = { command: "toolhost.message.setSecret", title: "Set Message Secret…" } as const;

/** Sets the key of a service that searches the web. */
export const SET_SEARCH_KEY = { command: "toolhost.web.setSearchKey", title: "Set Web Search Key…" } as const;

/** Connects an agent of another system. */
export const CONNECT_AGENT = { command: "toolhost.connectAgent", title: "Connect an Outside Agent…" } as const;

/** Commands of the user's own tools. */
export const TOOLS_COMMAND = {
  add: "toolhost.tools.add",
  approve: "toolhost.approveTools",
  setSecret: "toolhost.tools.setSecret",
} as const;

/** The container of Toolhost's views in the activity bar. */
export const VIEW_CONTAINER = { id: "toolhost", title: "Toolhost", icon: "media/view.svg" } as const;

/** The views in it. */
export const VIEW = {
  changes: "toolhost.changesView",
  running: "toolhost.runningView",
  sessions: "toolhost.sessionsView",
  work: "toolhost.workView",
  tools: "toolhost.toolsView",
  permissions: "toolhost.permissionsView",
} as const;

/** Commands on rows of the view *Changes*, and above them. */
export const CHANGES_COMMAND = {
  review: { command: "toolhost.changes.review", title: "Review", icon: "$(diff)" },
  undo: { command: "toolhost.changes.undo", title: "Undo", icon: "$(discard)" },
  redo: { command: "toolhost.changes.redo", title: "Redo", icon: "$(redo)" },
  keep: { command: "toolhost.changes.keep", title: "Keep", icon: "$(check)" },
  /** What is undone has nothing to keep. */
  dismiss: { command: "toolhost.changes.dismiss", title: "Remove from List", icon: "$(close)" },
  open: { command: "toolhost.changes.openFile", title: "Open File", icon: "$(go-to-file)" },
  keepAll: { command: "toolhost.changes.keepAll", title: "Keep All", icon: "$(check-all)" },
  refresh: { command: "toolhost.changes.refresh", title: "Refresh", icon: "$(refresh)" },
} as const;

/** Commands on a change where it is, in an editor. */
export const CHANGE_AT_CURSOR = {
  undo: { command: "toolhost.changes.undoAtCursor", title: "Undo Change at Cursor", icon: "$(discard)" },
  keep: { command: "toolhost.changes.keepAtCursor", title: "Keep Change at Cursor", icon: "$(check)" },
} as const;

/** The context key that lists the URIs of documents in view with changes to undo or keep. */
export const OPEN_CHANGES = "toolhost.openChanges";

/** The context key that is set while a document of a review is among them: in an editor of several files, none is the resource. */
export const OPEN_REVIEW = "toolhost.openReview";

/** Commands on rows of the view *Running*. */
export const RUNNING_COMMAND = {
  showTerminal: { command: "toolhost.running.showTerminal", title: "Show Terminal", icon: "$(terminal)" },
  openSession: { command: "toolhost.running.openSession", title: "Open Session", icon: "$(comment-discussion)" },
  stop: { command: "toolhost.running.stop", title: "Stop", icon: "$(debug-stop)" },
} as const;

/** Shows what agents do and did, as a timeline. */
export const ACTIVITY_COMMAND = { show: "toolhost.showActivity" } as const;

/** Commands on rows of the view *Sessions*, and above them. */
export const SESSIONS_COMMAND = {
  activity: { command: "toolhost.sessions.showActivity", title: "Show Activity", icon: "$(pulse)" },
  open: { command: "toolhost.sessions.open", title: "Open in New Chat", icon: "$(comment-discussion)" },
  review: { command: "toolhost.sessions.review", title: "Review Its Changes", icon: "$(diff-multiple)" },
  refresh: { command: "toolhost.sessions.refresh", title: "Refresh", icon: "$(refresh)" },
} as const;

/** Commands on rows of the view *Tasks & Schedules*, and above them. */
export const WORK_VIEW_COMMAND = {
  newTask: { command: "toolhost.work.newTask", title: "New Task…", icon: "$(add)" },
  newSchedule: { command: "toolhost.work.newSchedule", title: "New Schedule…", icon: "$(calendar)" },
  run: { command: "toolhost.work.run", title: "Run Task", icon: "$(play)" },
  runSchedule: { command: "toolhost.work.runSchedule", title: "Run Now", icon: "$(play)" },
  approve: { command: "toolhost.work.approve", title: "Approve…", icon: "$(verified)" },
  open: { command: "toolhost.work.open", title: "Open File", icon: "$(go-to-file)" },
  openSession: { command: "toolhost.work.openSession", title: "Open Session", icon: "$(comment-discussion)" },
  refresh: { command: "toolhost.work.refresh", title: "Refresh", icon: "$(refresh)" },
} as const;

/** Commands on rows of the view *Tools*. */
export const TOOLS_VIEW_COMMAND = {
  run: { command: "toolhost.toolsView.run", title: "Run Tool…", icon: "$(play)" },
} as const;

/** Commands on rows of the view *Permissions*, and above them. */
export const PERMISSIONS_VIEW_COMMAND = {
  add: { command: "toolhost.permissions.add", title: "Add Rule…", icon: "$(add)" },
  settings: { command: "toolhost.permissions.openSettings", title: "Open Settings", icon: "$(gear)" },
  mode: { command: "toolhost.permissions.mode", title: "Choose Mode…", icon: "$(shield)" },
  edit: { command: "toolhost.permissions.edit", title: "Edit Rule…", icon: "$(edit)" },
  remove: { command: "toolhost.permissions.remove", title: "Remove Rule", icon: "$(trash)" },
} as const;

/** Commands behind links, buttons and status bar items; not in the palette. */
export const LINK_COMMAND = {
  /** Continues a session in the chat. Argument: the session's id. */
  openSession: "toolhost.openSession",
  /** Opens the chat with the participant's name in its input. */
  ask: "toolhost.ask",
  /** Opens the chat with our agent. */
  useAgent: "toolhost.useAgent",
  /** Undoes a given turn. */
  undoTurn: "toolhost.undoTurn",
  /** Reverts a given undo. */
  bringBack: "toolhost.bringBack",
  /** Reverts the undo of parts that the status bar tells of. */
  redoParts: "toolhost.redoParts",
  /** Hides the notice that changes made by removed messages are still in files. */
  hideTakenBack: "toolhost.hideTakenBack",
  /** Shows the changes that nobody has looked at, side by side. */
  reviewNew: "toolhost.reviewNewChanges",
  /** Counts them as looked at. */
  keepNew: "toolhost.keepNewChanges",
  /** Answers a question in the chat. Argument: which, and what. */
  answer: "toolhost.answerInChat",
  /** Shows the question that waits in the chat as a dialog. */
  showQuestion: "toolhost.showQuestion",
  /** Opens all of a result of which the chat shows a part. */
  openOutput: "toolhost.openWholeOutput",
  /** Shows the terminal of a command. Argument: its process's id. */
  showTerminal: "toolhost.showTerminal",
  /** Answers the rule that is offered in the status bar. */
  answerOffer: "toolhost.answerOffer",
  /** Lists running work. */
  showWork: "toolhost.showWork",
  /** Lists running commands. */
  showProcesses: "toolhost.showProcesses",
} as const;

/**
 * What all key bindings begin with; a letter follows. Neither VS Code (default keys of 1.139) nor macOS, which hides windows
 * by Cmd+Alt+H, has it.
 */
export const CHORD = "ctrl+alt+h";

/** Schemes of read-only documents. */
export const SCHEME = {
  change: "toolhost-change",
  explanation: "toolhost-explanation",
  result: "toolhost-result",
  /** The tool that somebody is about to add, and its trial. */
  newTool: "toolhost-new-tool",
} as const;

/** Read-only documents that show a whole question, and the command above them that returns to it. */
export const WHOLE_QUESTION = { scheme: "toolhost-question", command: "toolhost.answerQuestion" } as const;

/** The entry of the extension host's performance timeline that has the time that opening the window took. */
export const OPENED = "toolhost/opened";

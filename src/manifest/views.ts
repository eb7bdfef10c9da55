import {
  ACTIVITY_COMMAND,
  CHANGES_COMMAND,
  CONNECT_AGENT,
  IN_BROWSER,
  LINK_COMMAND,
  PERMISSIONS_VIEW_COMMAND,
  PERMISSION_COMMAND,
  RUNNING_COMMAND,
  SESSIONS_COMMAND,
  TOOLS_COMMAND,
  TOOLS_VIEW_COMMAND,
  VIEW,
  VIEW_CONTAINER,
  WORK_COMMAND,
  WORK_VIEW_COMMAND,
} from "../names/contributed.js";

/** A command that is not in the palette: it acts on a row of a view, or on the view. */
interface ViewCommand {
  command: string;
  title: string;
  icon: string;
}

const commands: readonly ViewCommand[] = [
  ...Object.values(CHANGES_COMMAND),
  ...Object.values(RUNNING_COMMAND),
  ...Object.values(SESSIONS_COMMAND),
  ...Object.values(WORK_VIEW_COMMAND),
  ...Object.values(TOOLS_VIEW_COMMAND),
  ...Object.values(PERMISSIONS_VIEW_COMMAND),
];

/** All but the first are folded until the user opens them. */
const VIEWS: readonly { id: string; name: string; visibility?: string }[] = [
  { id: VIEW.changes, name: "Changes" },
  { id: VIEW.running, name: "Running", visibility: "collapsed" },
  { id: VIEW.sessions, name: "Sessions", visibility: "collapsed" },
  { id: VIEW.work, name: "Tasks & Schedules", visibility: "collapsed" },
  { id: VIEW.tools, name: "Tools", visibility: "collapsed" },
  { id: VIEW.permissions, name: "Permissions", visibility: "collapsed" },
];

/** Text of a view without rows. A link alone on its line is a button. */
interface Welcome {
  view: string;
  contents: string;
  when?: string;
}

const NO_FOLDER = "workspaceFolderCount == 0";
const HAS_FOLDER = "workspaceFolderCount != 0";
/** Where tasks and schedules can be made and run. */
const CAN_WORK = `${HAS_FOLDER} && isWorkspaceTrusted`;
const NO_CHANGES =
  "No changes to review.\nWhat agents change with Toolhost's tools is listed here, by turn: review it, undo it or keep it.";
const OPEN_FOLDER = "[Open Folder](command:workbench.action.files.openFolder)";

const NOTHING_RUNS =
  "Nothing is running. Background commands, subagents, tasks and schedules of this window are listed here while they run, each with a button to stop it.";

const WELCOMES: readonly Welcome[] = [
  {
    view: VIEW.changes,
    contents: `${NO_CHANGES}\n[Ask Toolhost](command:${LINK_COMMAND.ask})\n[Connect an Outside Agent](command:${CONNECT_AGENT.command})`,
    when: `${CAN_WORK} && !${IN_BROWSER}`,
  },
  {
    view: VIEW.changes,
    contents: `${NO_CHANGES}\n[Ask Toolhost](command:${LINK_COMMAND.ask})`,
    when: `${CAN_WORK} && ${IN_BROWSER}`,
  },
  {
    view: VIEW.changes,
    contents:
      "No changes to review. In Restricted Mode, Toolhost changes no files.\n[Manage Workspace Trust](command:workbench.trust.manage)",
    when: `${HAS_FOLDER} && !isWorkspaceTrusted`,
  },
  {
    view: VIEW.changes,
    contents: `No folder is open, so there is nothing for agents to change.\n${OPEN_FOLDER}`,
    when: NO_FOLDER,
  },
  {
    view: VIEW.running,
    contents: `${NOTHING_RUNS}\n[Run Next Task](command:${WORK_COMMAND.runTask})`,
    when: CAN_WORK,
  },
  {
    view: VIEW.running,
    contents: NOTHING_RUNS,
    when: `${NO_FOLDER} || !isWorkspaceTrusted`,
  },
  {
    view: VIEW.sessions,
    contents: `No sessions yet. Conversations with @toolhost, tasks and schedules of this workspace are listed here, to be continued in a chat.\n[Ask Toolhost](command:${LINK_COMMAND.ask})`,
  },
  {
    view: VIEW.work,
    contents: `No tasks or schedules. A task is work for an agent, done when you run it. A schedule sends a prompt to an agent at set times, once you have approved it.\n[New Task…](command:${WORK_VIEW_COMMAND.newTask.command})\n[New Schedule…](command:${WORK_VIEW_COMMAND.newSchedule.command})`,
    when: CAN_WORK,
  },
  {
    view: VIEW.work,
    contents:
      "No tasks or schedules. In Restricted Mode, none can be made or run.\n[Manage Workspace Trust](command:workbench.trust.manage)",
    when: `${HAS_FOLDER} && !isWorkspaceTrusted`,
  },
  {
    view: VIEW.work,
    contents: `Tasks and schedules are files of a folder, and no folder is open.\n${OPEN_FOLDER}`,
    when: NO_FOLDER,
  },
];

/** Buttons of rows; `inline` ones in this order. A row says in its context value what it is and what can be done with it. */
const ROW_MENU: readonly { of: ViewCommand; when: string }[] = [
  { of: CHANGES_COMMAND.open, when: row(VIEW.changes, "openable") },
  { of: CHANGES_COMMAND.review, when: row(VIEW.changes, "^turn") },
  { of: CHANGES_COMMAND.redo, when: row(VIEW.changes, "undone") },
  { of: CHANGES_COMMAND.undo, when: row(VIEW.changes, "standing") },
  { of: CHANGES_COMMAND.keep, when: row(VIEW.changes, "standing") },
  { of: CHANGES_COMMAND.dismiss, when: row(VIEW.changes, "^\\w+ undone") },
  { of: RUNNING_COMMAND.showTerminal, when: row(VIEW.running, "process") },
  { of: RUNNING_COMMAND.openSession, when: row(VIEW.running, "work") },
  { of: RUNNING_COMMAND.stop, when: row(VIEW.running, ".") },
  { of: SESSIONS_COMMAND.review, when: row(VIEW.sessions, "changed") },
  { of: SESSIONS_COMMAND.activity, when: row(VIEW.sessions, "session") },
  { of: SESSIONS_COMMAND.open, when: row(VIEW.sessions, "session") },
  { of: WORK_VIEW_COMMAND.openSession, when: row(VIEW.work, "session") },
  { of: WORK_VIEW_COMMAND.run, when: row(VIEW.work, "pending") },
  { of: WORK_VIEW_COMMAND.runSchedule, when: row(VIEW.work, "\\brunnable") },
  { of: WORK_VIEW_COMMAND.approve, when: row(VIEW.work, "inert") },
  { of: WORK_VIEW_COMMAND.open, when: row(VIEW.work, "file") },
  { of: TOOLS_VIEW_COMMAND.run, when: row(VIEW.tools, "tool") },
  { of: PERMISSIONS_VIEW_COMMAND.mode, when: row(VIEW.permissions, "mode") },
  { of: PERMISSIONS_VIEW_COMMAND.edit, when: row(VIEW.permissions, "own") },
  { of: PERMISSIONS_VIEW_COMMAND.remove, when: row(VIEW.permissions, "rule") },
];

/** Returns what package.json contributes for Toolhost's own views. */
export function viewContributions(): {
  containers: object;
  views: object;
  welcomes: readonly object[];
  commands: readonly object[];
  menus: { hidden: readonly object[]; rows: readonly object[]; titles: readonly object[] };
} {
  return {
    containers: { activitybar: [VIEW_CONTAINER] },
    views: {
      [VIEW_CONTAINER.id]: VIEWS.map((view) => ({ ...view, contextualTitle: `Toolhost: ${view.name}` })),
    },
    welcomes: WELCOMES,
    commands: commands.map((each) => ({ ...each, category: "Toolhost" })),
    menus: {
      hidden: commands.map(({ command }) => ({ command, when: "false" })),
      rows: ROW_MENU.flatMap(({ of: { command }, when }, index) => [
        { command, when, group: `inline@${index}` },
        { command, when, group: `1_row@${index}` },
      ]),
      titles: [
        { command: CHANGES_COMMAND.keepAll.command, when: `view == ${VIEW.changes}`, group: "navigation@1" },
        { command: CHANGES_COMMAND.refresh.command, when: `view == ${VIEW.changes}`, group: "navigation@2" },
        {
          command: WORK_VIEW_COMMAND.newTask.command,
          when: `view == ${VIEW.work} && ${CAN_WORK}`,
          group: "navigation@1",
        },
        {
          command: WORK_VIEW_COMMAND.newSchedule.command,
          when: `view == ${VIEW.work} && ${CAN_WORK}`,
          group: "navigation@2",
        },
        { command: WORK_VIEW_COMMAND.refresh.command, when: `view == ${VIEW.work}`, group: "navigation@3" },
        { command: TOOLS_COMMAND.add, when: `view == ${VIEW.tools}`, group: "1_tools@1" },
        { command: TOOLS_COMMAND.approve, when: `view == ${VIEW.tools}`, group: "1_tools@2" },
        { command: PERMISSIONS_VIEW_COMMAND.add.command, when: `view == ${VIEW.permissions}`, group: "navigation@1" },
        {
          command: PERMISSIONS_VIEW_COMMAND.settings.command,
          when: `view == ${VIEW.permissions}`,
          group: "navigation@2",
        },
        { command: PERMISSION_COMMAND.explain, when: `view == ${VIEW.permissions}`, group: "1_permissions" },
        { command: ACTIVITY_COMMAND.show, when: `view == ${VIEW.sessions}`, group: "navigation@1" },
        { command: SESSIONS_COMMAND.refresh.command, when: `view == ${VIEW.sessions}`, group: "navigation@2" },
      ],
    },
  };
}

function row(view: string, pattern: string): string {
  return `view == ${view} && viewItem =~ /${pattern}/`;
}

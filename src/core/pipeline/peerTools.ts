import { asRecords } from "../aliases.js";
import { isRecord } from "../jsonSchema.js";
import { patchInCommand } from "../../text/patch/patchInCommand.js";

/** The name of our tool; names, the first that is there; or a choice by the value of one of the call's fields. */
type Ours = string | readonly string[] | { by: string; tools: Readonly<Record<string, string>> };

/** In a session that nobody watches, a question waits for its answer. */
const ASK: Ours = ["ask_user", "wait_task"];

const BY_COMMAND: Ours = { by: "command", tools: { view: "read", create: "write", str_replace: "edit" } };

/**
 * What the tools of Claude Code, Copilot and its CLI, Codex, Gemini CLI, Qwen Code, Cline, Roo Code, Cursor, Windsurf,
 * opencode, pi, serena, MCP's file system server, Anthropic's own and the five systems that Toolhost unites are called here,
 * by their names in lower case without separators. Those that nothing here does: `peerAdvice.ts`.
 */
const OURS: Readonly<Record<string, Ours>> = {
  // Read
  readfile: "read",
  cat: "read",
  view: "read",
  viewfile: "read",
  viewimage: "read",
  openfile: "read",
  readfiles: "read",
  readmanyfiles: "read",
  readmultiplefiles: "read",
  readtextfile: "read",
  readmediafile: "read",
  readlines: "read",
  readfilecontent: "read",
  getfilecontents: "read",
  viewfileoutline: "read",
  // Change
  createfile: "write",
  writefile: "write",
  writetofile: "write",
  createnewfile: "write",
  createtextfile: "write",
  savefile: "write",
  overwritefile: "write",
  create: "write",
  strreplace: "edit",
  replace: "edit",
  replacestring: "edit",
  replacestringinfile: "edit",
  replaceinfile: "edit",
  searchreplace: "edit",
  searchandreplace: "edit",
  replacefilecontent: "edit",
  replaceregex: "edit",
  replacecontent: "edit",
  replacelines: "edit",
  deletelines: "edit",
  insertatline: "edit",
  insert: "edit",
  insertcontent: "edit",
  insertedit: "edit",
  applydiff: "edit",
  editor: "edit",
  proposecode: "edit",
  editfile: "edit",
  multiedit: "multi_edit",
  multireplacestring: "multi_edit",
  multireplacestringinfile: "multi_edit",
  patch: "apply_patch",
  strreplaceeditor: BY_COMMAND,
  strreplacebasededittool: BY_COMMAND,
  // Search
  grepsearch: "grep",
  searchfilecontent: "grep",
  searchfiles: "grep",
  findtextinfiles: "grep",
  grepfiles: "grep",
  searchcodebase: "grep",
  searchforpattern: "grep",
  searchtext: "grep",
  searchcode: "grep",
  textsearch: "grep",
  ripgrep: "grep",
  rg: "grep",
  filesearch: "glob",
  findfiles: "glob",
  globfilesearch: "glob",
  globfiles: "glob",
  findfile: "glob",
  findbyname: "glob",
  find: "glob",
  listdir: "ls",
  listdirectory: "ls",
  listfiles: "ls",
  tree: "ls",
  directorytree: "ls",
  listdirectorywithsizes: "ls",
  readprojectstructure: "ls",
  getfileinfo: "ls",
  list: "ls",
  // Search
  codebasesearch: "code_search",
  semanticsearch: "code_search",
  codesearch: "code_search",
  // Web
  webfetch: "web_fetch",
  fetch: "web_fetch",
  fetchurl: "web_fetch",
  fetchwebpage: "web_fetch",
  fetchwebcontent: "web_fetch",
  readurlcontent: "web_fetch",
  githubrepo: "web_fetch",
  browseraction: "web_fetch",
  opensimplebrowser: "web_fetch",
  websearch: "web_search",
  googlewebsearch: "web_search",
  searchweb: "web_search",
  // Run
  bash: "exec",
  shell: "exec",
  localshell: "exec",
  containerexec: "exec",
  execcommand: "exec",
  shellcommand: "exec",
  runinterminal: "exec",
  runterminalcmd: "exec",
  runterminalcommand: "exec",
  runshellcommand: "exec",
  runcommand: "exec",
  executecommand: "exec",
  runcommands: "exec",
  runshell: "exec",
  runbash: "exec",
  executebash: "exec",
  executeshellcommand: "exec",
  sh: "exec",
  zsh: "exec",
  powershell: "exec",
  python: "exec",
  codeinterpreter: "exec",
  jsrepl: "exec",
  launchprocess: "exec",
  startprocess: "exec",
  terminal: "exec",
  bashoutput: "process",
  killshell: "process",
  killbash: "process",
  writestdin: "process",
  getterminaloutput: "process",
  awaitterminal: "process",
  sendtoterminal: "process",
  readbash: "process",
  writebash: "process",
  stopbash: "process",
  listbash: "process",
  readbackgroundoutput: "process",
  listbackgroundprocesses: "process",
  commandstatus: "process",
  taskoutput: "process",
  taskstop: "process",
  gettaskoutput: "process",
  killterminal: "process",
  createandruntask: "run_task",
  // Delegate
  task: "sessions_spawn",
  agent: "sessions_spawn",
  runsubagent: "sessions_spawn",
  subagent: "sessions_spawn",
  searchsubagent: "sessions_spawn",
  executionsubagent: "sessions_spawn",
  invokeagent: "sessions_spawn",
  codebaseinvestigator: "sessions_spawn",
  spawnagent: "sessions_spawn",
  delegatetoagent: "sessions_spawn",
  spawnworker: "sessions_spawn",
  newtask: "sessions_spawn",
  delegatetask: "sessions_spawn",
  sendmessage: "sessions_send",
  sendinput: "sessions_send",
  listthreads: "sessions_list",
  viewthread: "sessions_history",
  // Plan
  todowrite: "todo",
  todolist: "todo",
  updateplan: "todo",
  writetodos: "todo",
  managetodolist: "todo",
  updatetodolist: "todo",
  settodolist: "todo",
  todoread: "todo",
  taskcreate: "todo",
  taskupdate: "todo",
  // Keep
  readlargeresult: "read_result",
  readcommandoutput: "read_result",
  savememory: "memory_write",
  storememory: "memory_write",
  writememory: "memory_write",
  readmemory: "memory_read",
  listmemories: "memory_list",
  deletememory: "memory_delete",
  memory: { by: "command", tools: { view: "memory_read", create: "memory_write", delete: "memory_delete" } },
  membotwrite: "context_write",
  membotread: "context_read",
  membotedit: "context_edit",
  membotremove: "context_delete",
  membotlist: "context_tree",
  membottree: "context_tree",
  membotinfo: "context_tree",
  membotstats: "context_tree",
  membotexists: "context_tree",
  membotcountlines: "context_read",
  membotsearch: "context_search",
  membotrefresh: "context_refresh",
  membotpipe: "pipe",
  membotquery: "query",
  // Documents
  skill: "skill_read",
  skills: "skill_list",
  useskill: "skill_read",
  activateskill: "skill_read",
  createtask: "task_write",
  listtasks: "task_list",
  viewtask: "task_read",
  updatetask: "task_edit",
  deletetask: "task_delete",
  createschedule: "schedule_write",
  listschedules: "schedule_list",
  croncreate: "cron",
  crondelete: "cron",
  cronlist: "cron",
  // Tools of others
  usemcptool: "mcp_exec",
  listmcptools: "mcp_list_tools",
  // Ask
  askuser: ASK,
  askuserquestion: ASK,
  askquestion: ASK,
  askquestions: ASK,
  vscodeaskquestions: ASK,
  askfollowupquestion: ASK,
  requestuserinput: ASK,
  question: ASK,
};

/** What the names of other systems' tools say that is a field of ours. */
const SAID_BY_NAME: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  croncreate: { action: "add" },
  crondelete: { action: "remove" },
  cronlist: { action: "list" },
  bashoutput: { action: "poll" },
  getterminaloutput: { action: "poll" },
  killshell: { action: "signal" },
  killbash: { action: "signal" },
  killterminal: { action: "signal" },
  writestdin: { action: "input" },
  awaitterminal: { action: "poll" },
  sendtoterminal: { action: "input" },
  readbash: { action: "poll" },
  writebash: { action: "input" },
  stopbash: { action: "signal" },
  listbash: { action: "list" },
  readbackgroundoutput: { action: "poll" },
  listbackgroundprocesses: { action: "list" },
  commandstatus: { action: "status" },
  taskoutput: { action: "poll" },
  taskstop: { action: "signal" },
  gettaskoutput: { action: "poll" },
};

/** Returns a call's input with what the name of another system's tool says. @param ours the tool that takes it */
export function withSaidByName(name: string, input: unknown, ours: string): unknown {
  const plain = plainName(name);
  const patch = ours === PATCHES ? typedPatch(plain, input) : undefined;
  if (patch !== undefined) {
    return { patch };
  }
  if (ours === "write" && writesAll(plain, input)) {
    const { new_text: content, ...rest } = input;
    return { ...rest, content };
  }
  const created = ours === "write" ? fileCreatedBy(plain, input) : undefined;
  if (created !== undefined) {
    const kept = Object.entries(created).filter(([field]) => !OF_EDITS_ALONE.includes(field));
    const fields = kept.map(([field, value]) => [NEW_TEXT.includes(field) ? "content" : field, value] as const);
    return { ...Object.fromEntries(fields), on_conflict: "error" };
  }
  return isRecord(input) && Object.hasOwn(SAID_BY_NAME, plain) ? { ...SAID_BY_NAME[plain], ...input } : input;
}

/**
 * Returns the name of our tool that does what another system's tool of this name does; undefined if none does. One of our
 * names with other case or separators is ours, too.
 */
export function ourToolFor(name: string, input: unknown, ours: readonly string[]): string | undefined {
  const plain = plainName(name);
  const other = otherThanEdit(name, input);
  if (other !== undefined && ours.includes(other)) {
    return other;
  }
  const same = ours.find((own) => plainName(own) === plain);
  if (same !== undefined) {
    return same;
  }
  if (writesAll(plain, input)) {
    return ours.find((own) => own === "write");
  }
  const found = (Object.hasOwn(OURS, plain) ? OURS[plain] : undefined) ?? [];
  if (typeof found === "string" || !("by" in found)) {
    return [found].flat().find((own) => ours.includes(own));
  }
  const value = isRecord(input) ? input[found.by] : undefined;
  const chosen = typeof value === "string" && Object.hasOwn(found.tools, value) ? found.tools[value] : undefined;
  return chosen !== undefined && ours.includes(chosen) ? chosen : undefined;
}

/** The tool that inserts text behind a line, and takes blocks of lines to replace. */
const PATCHES = "apply_patch";
/** Tools that replace text, and insert it if they are given a line: Anthropic's text editor, by its names, and ours. */
const EDITORS = ["edit", "strreplace", "insert", "editor"];
/** Tools that replace blocks of lines, given as one text: those of Cline and Roo Code, and ours. */
const BLOCK_EDITORS = ["edit", "editfile", "replaceinfile", "applydiff"];

/**
 * Whether a call of a tool that replaces text has something else that a patch does: a line to insert text behind, as in
 * Anthropic's text editor, or a text of blocks, as in Cline's. Also a call of a shell that only hands a patch to
 * `apply_patch`, as in Codex.
 */
function changesByPatch(name: string, input: unknown): boolean {
  const plain = plainName(name);
  const has = (field: string): boolean => isRecord(input) && Object.hasOwn(input, field);
  return (
    ((EDITORS.includes(plain) || OURS[plain] === BY_COMMAND) && has("insert_line")) ||
    (BLOCK_EDITORS.includes(plain) && has("diff")) ||
    typedPatch(plain, input) !== undefined
  );
}

/**
 * Returns the tool that does what a call of a tool for edits, or of a shell, asks for, if that is not the tool itself: a
 * patch (`changesByPatch`), several edits, or a new file. It may not be there.
 */
export function otherThanEdit(name: string, input: unknown): string | undefined {
  if (changesByPatch(name, input)) {
    return PATCHES;
  }
  const plain = plainName(name);
  if (isEdit(plain) && isRecord(input) && Array.isArray(input["edits"]) && input["edits"].length > 1) {
    return "multi_edit";
  }
  return fileCreatedBy(plain, input) === undefined ? undefined : "write";
}

function isEdit(plain: string): boolean {
  return plain === "edit" || (Object.hasOwn(OURS, plain) && (OURS[plain] === "edit" || OURS[plain] === BY_COMMAND));
}

/** Names of an edit's two texts. */
const OLD_TEXT = ["old_text", "old_string", "oldString", "old_str", "oldText"];
const NEW_TEXT = ["new_text", "new_string", "newString", "new_str", "newText"];

/** Names of the switch for all places. */
const REPLACE_ALL = ["replace_all", "replaceAll", "allow_multiple"];
/** Fields of edits that `write` does not have. */
const OF_EDITS_ALONE = [
  ...OLD_TEXT,
  ...REPLACE_ALL,
  ...["command", "expected_count", "expected_replacements", "instruction"],
];

/**
 * Returns the fields of an edit that replaces nothing, also of one in a list: so Claude Code makes a file. If there is
 * one, `write` refuses it. Undefined if it is another call.
 */
function fileCreatedBy(plain: string, input: unknown): Record<string, unknown> | undefined {
  if (!isEdit(plain) || !isRecord(input)) {
    return undefined;
  }
  const fields = withOnlyEdit(input);
  const given = (names: readonly string[]): unknown =>
    names.map((name) => fields[name]).find((value) => value !== undefined);
  const isNew =
    given(OLD_TEXT) === "" &&
    typeof given(NEW_TEXT) === "string" &&
    !REPLACE_ALL.some((name) => [true, "true"].includes(fields[name] as boolean | string)) &&
    given(["insert_line", "edits", "diff"]) === undefined;
  return isNew ? fields : undefined;
}

/** Returns a call with the fields of its only edit in place of its list; the same call if it has none, or texts of its own. */
function withOnlyEdit(input: Record<string, unknown>): Record<string, unknown> {
  const { edits, ...rest } = input;
  const [only, ...more] = asRecords(edits) ?? [];
  const hasTexts = [...OLD_TEXT, ...NEW_TEXT].some((field) => Object.hasOwn(rest, field));
  return isRecord(only) && more.length === 0 && !hasTexts ? { ...rest, ...only } : input;
}

/** Whether Cline's `editor` is given a file's whole text: no old text, and no line. */
function writesAll(plain: string, input: unknown): input is Record<string, unknown> {
  return (
    plain === "editor" &&
    isRecord(input) &&
    typeof input["new_text"] === "string" &&
    !["old_text", "insert_line", "edits"].some((field) => Object.hasOwn(input, field))
  );
}

/** Fields of shells that say in which folder to work. */
const FOLDERS = ["workdir", "cwd", "working_dir", "workingDirectory", "working_directory", "directory", "dir_path"];

/** Returns the patch that a call of a shell hands to `apply_patch`, in the workspace's own folder. */
function typedPatch(plain: string, input: unknown): string | undefined {
  const isShell = plain === "exec" || (Object.hasOwn(OURS, plain) && OURS[plain] === "exec");
  return isShell && isRecord(input) && FOLDERS.every((field) => ["", ".", undefined].includes(input[field] as string))
    ? patchInCommand(input["command"] ?? input["cmd"])
    : undefined;
}

/** Returns the names of our tools of which one does what another system's tool of this name does, whatever its input. */
export function ourToolsFor(name: string, ours: readonly string[]): string[] {
  const plain = plainName(name);
  const found = (Object.hasOwn(OURS, plain) ? OURS[plain] : undefined) ?? [];
  const all = typeof found === "string" || !("by" in found) ? [found].flat() : Object.values(found.tools);
  return all.filter((own) => ours.includes(own));
}

/** Whether another system has a tool of this name that one of ours could stand for. */
export function isPeerTool(name: string): boolean {
  return Object.hasOwn(OURS, plainName(name));
}

/** Whether another system's tool of this name finds tools. */
export function searchesTools(name: string): boolean {
  return ["toolsearch", "searchtools", "findtools"].includes(plainName(name));
}

/** Whether a tool of this name asks a person. */
export function asksPerson(name: string): boolean {
  const plain = plainName(name);
  return Object.hasOwn(OURS, plain) && OURS[plain] === ASK;
}

/** `functions.Read_File` is `readfile`: some models write the namespace of their training in front. */
export function plainName(name: string): string {
  return name
    .slice(0, 200)
    .replace(/^(functions|default_api|tools)[.:]/, "")
    .replaceAll(/[_\-.]/g, "")
    .toLowerCase();
}

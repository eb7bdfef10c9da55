import { isRecord } from "../jsonSchema.js";

/** The name of our tool; names, the first that is there; or a choice by the value of one of the call's fields. */
type Ours = string | readonly string[] | { by: string; tools: Readonly<Record<string, string>> };

/** In a session that nobody watches, a question waits for its answer. */
const ASK: Ours = ["ask_user", "wait_task"];

const BY_COMMAND: Ours = { by: "command", tools: { view: "read", create: "write", str_replace: "edit" } };

/**
 * What the tools of Claude Code, Copilot, Codex, Gemini CLI, Cline, Cursor, opencode and Anthropic's own are called here,
 * by their names in lower case without separators.
 */
const OURS: Readonly<Record<string, Ours>> = {
  // Read
  readfile: "read",
  cat: "read",
  view: "read",
  viewfile: "read",
  viewimage: "read",
  openfile: "read",
  // Change
  createfile: "write",
  writefile: "write",
  writetofile: "write",
  create: "write",
  strreplace: "edit",
  replace: "edit",
  replacestring: "edit",
  replacestringinfile: "edit",
  replaceinfile: "edit",
  searchreplace: "edit",
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
  textsearch: "grep",
  ripgrep: "grep",
  rg: "grep",
  filesearch: "glob",
  findfiles: "glob",
  globfilesearch: "glob",
  find: "glob",
  listdir: "ls",
  listdirectory: "ls",
  listfiles: "ls",
  list: "ls",
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
  terminal: "exec",
  bashoutput: "process",
  killshell: "process",
  killbash: "process",
  writestdin: "process",
  getterminaloutput: "process",
  killterminal: "process",
  createandruntask: "run_task",
  // Delegate
  task: "sessions_spawn",
  agent: "sessions_spawn",
  runsubagent: "sessions_spawn",
  // Plan
  todowrite: "todo",
  todolist: "todo",
  updateplan: "todo",
  writetodos: "todo",
  managetodolist: "todo",
  updatetodolist: "todo",
  settodolist: "todo",
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
  bashoutput: { action: "poll" },
  getterminaloutput: { action: "poll" },
  killshell: { action: "signal" },
  killbash: { action: "signal" },
  killterminal: { action: "signal" },
  writestdin: { action: "input" },
};

/** Returns a call's input with what the name of another system's tool says. */
export function withSaidByName(name: string, input: unknown): unknown {
  const plain = plainName(name);
  return isRecord(input) && Object.hasOwn(SAID_BY_NAME, plain) ? { ...SAID_BY_NAME[plain], ...input } : input;
}

/**
 * Returns the name of our tool that does what another system's tool of this name does; undefined if none does. One of our
 * names with other case or separators is ours, too.
 */
export function ourToolFor(name: string, input: unknown, ours: readonly string[]): string | undefined {
  const plain = plainName(name);
  const same = ours.find((own) => plainName(own) === plain);
  if (same !== undefined) {
    return same;
  }
  const found = (Object.hasOwn(OURS, plain) ? OURS[plain] : undefined) ?? [];
  if (typeof found === "string" || !("by" in found)) {
    return [found].flat().find((own) => ours.includes(own));
  }
  const value = isRecord(input) ? input[found.by] : undefined;
  const chosen = typeof value === "string" && Object.hasOwn(found.tools, value) ? found.tools[value] : undefined;
  return chosen !== undefined && ours.includes(chosen) ? chosen : undefined;
}

/** Whether a tool of this name asks a person. */
export function asksPerson(name: string): boolean {
  const plain = plainName(name);
  return Object.hasOwn(OURS, plain) && OURS[plain] === ASK;
}

/** `functions.Read_File` is `readfile`: some models write the namespace of their training in front. */
function plainName(name: string): string {
  return name
    .slice(0, 200)
    .replace(/^(functions|default_api|tools)[.:]/, "")
    .replaceAll(/[_\-.]/g, "")
    .toLowerCase();
}

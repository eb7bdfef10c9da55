import { plainName } from "./peerTools.js";

/** What to answer to names of other systems' tools that nothing here does as they do. */
interface Advice {
  /** In lower case without separators. */
  names: string;
  /** The tool of ours that does it, if it is there. */
  unless?: string;
  says?: string;
  /** What does most of it; the first whose tool is there is named. */
  instead?: readonly { tool: string; says: string }[];
}

const IN_EXEC = (command: string): { tool: string; says: string } => ({
  tool: "exec",
  says: `Use exec with ${command}.`,
});

const CURL = { tool: "exec", says: "exec can run curl, if the user allows it." };

const ADVICE: readonly Advice[] = [
  {
    names:
      "webfetch fetch fetchurl fetchwebpage fetchwebcontent readurlcontent githubrepo browseraction opensimplebrowser",
    unless: "web_fetch",
    says: "No tool here reaches the web.",
    instead: [CURL],
  },
  {
    names: "websearch googlewebsearch searchweb",
    unless: "web_search",
    says: "No tool here searches the web.",
    instead: [{ tool: "web_fetch", says: "web_fetch gets a page whose address you know." }, CURL],
  },
  {
    names: "geterrors readlints getdiagnostics problems",
    instead: [
      { tool: "diagnostics", says: "Use diagnostics." },
      { tool: "exec", says: "No tool here asks a language server. Run the project's compiler or linter with exec." },
    ],
  },
  {
    names:
      "lsp symbol symbols documentsymbols workspacesymbols findsymbol findsymbols getsymbolsoverview searchworkspacesymbols listcodedefinitionnames",
    instead: [
      { tool: "symbols", says: "Use symbols." },
      { tool: "grep", says: "No tool here asks a language server. Find names with grep." },
    ],
  },
  {
    names:
      "findreferencingsymbols references findusages usages listcodeusages vscodelistcodeusages findreferences definition definitions finddefinition gotodefinition hover viewcodeitem implementations findimplementations callers callhierarchy incomingcalls",
    instead: [
      { tool: "references", says: "Use references; its kind says what to find, such as definition or callers." },
      { tool: "grep", says: "No tool here asks a language server. Find names with grep." },
    ],
  },
  {
    names: "replacesymbolbody insertaftersymbol insertbeforesymbol safedeletesymbol",
    instead: [
      { tool: "edit_symbol", says: "Use edit_symbol, whose action says what to do." },
      { tool: "edit", says: "No tool here knows symbols. Use edit." },
    ],
  },
  {
    names: "rename vscoderenamesymbol",
    instead: [
      { tool: "rename_symbol", says: "Use rename_symbol." },
      {
        tool: "multi_edit",
        says: "No tool here asks a language server. Find the places with grep and change them with multi_edit.",
      },
    ],
  },
  {
    names: "restartlanguageserver",
    says: "No tool here restarts language servers; each call waits until its server is ready.",
  },
  {
    names: "codebasesearch semanticsearch codesearch",
    unless: "code_search",
    says: "No tool here searches by meaning.",
    instead: [{ tool: "grep", says: "grep finds words and names." }],
  },
  {
    names: "searchthreads",
    says: "No tool here searches by meaning.",
    instead: [{ tool: "grep", says: "grep finds words and names." }],
  },
  {
    names: "deletefile removefile deletepath rm",
    instead: [{ tool: "apply_patch", says: "Use apply_patch with the line *** Delete File: <path>." }, IN_EXEC("rm")],
  },
  {
    names: "movefile renamefile mv",
    instead: [
      { tool: "apply_patch", says: "Use apply_patch with *** Update File: <path> and the line *** Move to: <path>." },
      IN_EXEC("mv"),
    ],
  },
  { names: "copyfile cp", instead: [IN_EXEC("cp")] },
  {
    names: "inserteditintofile",
    says: "No tool here guesses where code belongs.",
    instead: [{ tool: "edit", says: "Give edit the exact old_text and its new_text." }],
  },
  {
    names: "runtests runtest testfailure gotest",
    instead: [{ tool: "exec", says: "Run the project's tests with exec." }],
  },
  { names: "getchangedfiles gitstatus", instead: [IN_EXEC("git status")] },
  { names: "gitdiff", instead: [IN_EXEC("git diff")] },
  { names: "gitlog", instead: [IN_EXEC("git log")] },
  { names: "gitcommit", instead: [IN_EXEC("git commit")] },
  {
    names: "createdirectory createfolder mkdir",
    instead: [{ tool: "write", says: "write makes the folders of the file that it writes." }, IN_EXEC("mkdir")],
  },
  {
    names:
      "notebookedit notebookread editnotebook editnotebookfile runnotebookcell readnotebookcelloutput copilotgetnotebooksummary createnewjupyternotebook",
    says: "No tool here knows the cells of notebooks.",
    instead: [{ tool: "edit", says: "An .ipynb file is JSON, which read and edit take as text." }],
  },
  {
    names: "enterplanmode exitplanmode switchmode switchmodes switchagent planmoderespond planexit",
    says: "There are no modes to change. Write a plan as your answer.",
  },
  {
    names: "attemptcompletion submitandexit finish done taskcomplete completetask",
    says: "Answer without a call: that ends the turn.",
    instead: [{ tool: "complete_task", says: "In a task, complete_task does." }],
  },
  { names: "reportintent updatetopic", says: "No call is needed: say it in your answer." },
  {
    names: "think sequentialthinking thinkaboutcollectedinformation thinkabouttaskadherence",
    says: "No call is needed.",
  },
  {
    names: "activateproject onboarding checkonboardingperformed initialinstructions",
    says: "Nothing has to be set up.",
  },
  { names: "batch parallel multitooluseparallel", says: "Make the calls one by one, several in one answer." },
  {
    names: "waitagent closeagent resumeagent",
    instead: [{ tool: "sessions_spawn", says: "sessions_spawn itself returns the subagent's answer." }],
  },
  {
    names:
      "listmcpresources listmcpresourcestool readmcpresource readmcpresourcetool accessmcpresource listmcpresourcetemplates",
    says: "No tool here reads resources of MCP servers.",
    instead: [{ tool: "mcp_list_tools", says: "mcp_list_tools lists their tools." }],
  },
  { names: "slashcommand runslashcommand", says: "Only the user types slash commands." },
  { names: "requestpermissions requestpermission", says: "A call that needs permission asks for it by itself." },
  {
    names:
      "undoedit undoedits undochange undochanges undo revert revertedit revertchange revertchanges revertfile rollback diffhistory",
    says: "Only the user can undo with Toolhost.",
    instead: [{ tool: "edit", says: "Make the opposite change with edit, or ask them." }],
  },
  {
    names: "membotmove membotcopy membotadd",
    instead: [{ tool: "context_write", says: "Use context_write with the text." }],
  },
  { names: "membotversions membotdiff membotprune", says: "The context store keeps no versions." },
  {
    names: "runvscodecommand installextension getvscodeapi createnewworkspace getprojectsetupinfo vscodeapi",
    says: "No tool here works VS Code itself. Tell the user what to do there.",
  },
  { names: "generateimage creatediagram imagegen", says: "No tool here makes pictures." },
];

const BY_NAME = new Map(ADVICE.flatMap((advice) => advice.names.split(" ").map((name) => [name, advice])));

/**
 * Returns what to do in place of a call of another system's tool that nothing here does; undefined if the name is not
 * known, or nothing can be said.
 *
 * @param ours the names of the tools that can be used
 */
export function peerAdvice(name: string, ours: readonly string[]): string | undefined {
  const words = peerSentences(name, ours).join(" ");
  return words === "" ? undefined : words;
}

/** Returns the sentences of `peerAdvice`; none in place of undefined. */
export function peerSentences(name: string, ours: readonly string[]): string[] {
  const { unless = "", says, instead = [] } = BY_NAME.get(plainName(name)) ?? {};
  if (ours.includes(unless)) {
    return [];
  }
  const found = instead.find(({ tool }) => ours.includes(tool));
  return [says, found?.says].filter((each) => each !== undefined);
}

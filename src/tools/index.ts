import type { Tool } from "../core/contract.js";
import { message } from "./automation/message.js";
import { contextDelete } from "./context/contextDelete.js";
import { contextEdit } from "./context/contextEdit.js";
import { contextRead } from "./context/contextRead.js";
import { contextRefresh } from "./context/contextRefresh.js";
import { contextSearch } from "./context/contextSearch.js";
import { contextTree } from "./context/contextTree.js";
import { contextWrite } from "./context/contextWrite.js";
import { pipe } from "./context/pipe.js";
import { query } from "./context/query.js";
import { codeSearch } from "./code/codeSearch.js";
import { codeActions } from "./code/codeActions.js";
import { diagnostics } from "./code/diagnostics.js";
import { renameSymbol } from "./code/renameSymbol.js";
import { editSymbol } from "./code/editSymbol.js";
import { references } from "./code/references.js";
import { symbols } from "./code/symbols.js";
import { document } from "./documents/document.js";
import { applyPatch } from "./fs/applyPatch.js";
import { edit } from "./fs/edit.js";
import { glob } from "./fs/glob.js";
import { grep } from "./fs/grep.js";
import { ls } from "./fs/ls.js";
import { multiEdit } from "./fs/multiEdit.js";
import { read } from "./fs/read.js";
import { write } from "./fs/write.js";
import { memoryDelete } from "./memory/memoryDelete.js";
import { memoryGet } from "./memory/memoryGet.js";
import { memoryList } from "./memory/memoryList.js";
import { memoryRead } from "./memory/memoryRead.js";
import { memorySearch } from "./memory/memorySearch.js";
import { memoryWrite } from "./memory/memoryWrite.js";
import { cron } from "./automation/cron.js";
import { exec } from "./runtime/exec.js";
import { process } from "./runtime/process.js";
import { readResult } from "./runtime/readResult.js";
import { runTask } from "./runtime/runTask.js";
import { showSecret } from "./runtime/showSecret.js";
import { agentsList } from "./sessions/agentsList.js";
import { askUser } from "./sessions/askUser.js";
import { sessionsHistory } from "./sessions/sessionsHistory.js";
import { sessionsList } from "./sessions/sessionsList.js";
import { sessionsSend } from "./sessions/sessionsSend.js";
import { sessionsSpawn } from "./sessions/sessionsSpawn.js";
import { sessionsStatus } from "./sessions/sessionsStatus.js";
import { subagents } from "./sessions/subagents.js";
import { todo } from "./sessions/todo.js";
import { completeTask, failTask, waitTask } from "./task/endTask.js";
import { capabilitiesRefresh } from "./tools/capabilitiesRefresh.js";
import { mcpExec } from "./tools/mcpExec.js";
import { mcpInfo } from "./tools/mcpInfo.js";
import { mcpListTools } from "./tools/mcpListTools.js";
import { mcpSearch } from "./tools/mcpSearch.js";
import { webFetch } from "./web/webFetch.js";
import { webSearch } from "./web/webSearch.js";

/** Every tool, in the order of lists. To add one, write a file and its test, and add a line here. */
export const tools: readonly Tool[] = [
  ...[read, write, edit, multiEdit, applyPatch, grep, glob, ls],
  ...[symbols, codeSearch, references, editSymbol, renameSymbol, diagnostics, codeActions],
  ...[exec, process, runTask, readResult, showSecret],
  ...[contextWrite, contextRead, contextEdit, contextTree, contextSearch, contextRefresh, contextDelete, pipe, query],
  ...[memorySearch, memoryGet, memoryRead, memoryWrite, memoryList, memoryDelete],
  ...[sessionsSpawn, sessionsList, sessionsHistory, sessionsSend, sessionsStatus, subagents, agentsList],
  ...[todo, askUser],
  cron,
  ...[completeTask, failTask, waitTask],
  message,
  ...[capabilitiesRefresh, mcpListTools, mcpSearch, mcpInfo, mcpExec],
  document,
  webFetch,
  webSearch,
];

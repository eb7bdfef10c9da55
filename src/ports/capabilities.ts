import type { ApprovedDocuments } from "./approvals.js";
import type { Changes } from "./changes.js";
import type { Code } from "./code.js";
import type { Clock } from "./clock.js";
import type { Expressions } from "./expressions.js";
import type { ExternalTools } from "./externalTools.js";
import type { Files } from "./files.js";
import type { Http } from "./http.js";
import type { Imports } from "./imports.js";
import type { Inventory } from "./inventory.js";
import type { LanguageServers } from "./languageServers.js";
import type { Knowledge } from "./knowledge.js";
import type { Memory } from "./memory.js";
import type { Messages } from "./messages.js";
import type { Pages } from "./pages.js";
import type { Patterns } from "./patterns.js";
import type { Pdf } from "./pdf.js";
import type { Person } from "./person.js";
import type { Processes } from "./processes.js";
import type { Reads } from "./reads.js";
import type { Results } from "./results.js";
import type { Search } from "./search.js";
import type { Sessions } from "./sessions.js";
import type { Spool } from "./spool.js";
import type { Tasks } from "./tasks.js";
import type { Tools } from "./tools.js";
import type { WebSearch } from "./webSearch.js";

/** Everything a tool can be given, by the name it uses in `needs`. A host provides what it has. */
export interface Capabilities {
  approvals: ApprovedDocuments;
  files: Files;
  search: Search;
  changes: Changes;
  clock: Clock;
  code: Code;
  /** The workspace's code by what it says. */
  codeIndex: Pick<Knowledge, "search">;
  expressions: Expressions;
  externalTools: ExternalTools;
  http: Http;
  reads: Reads;
  imports: Imports;
  inventory: Inventory;
  knowledge: Knowledge;
  languageServers: LanguageServers;
  memory: Memory;
  messages: Messages;
  pages: Pages;
  patterns: Patterns;
  pdf: Pdf;
  person: Person;
  processes: Processes;
  results: Results;
  sessions: Sessions;
  spool: Spool;
  tasks: Tasks;
  tools: Tools;
  webSearch: WebSearch;
}

export type CapabilityName = keyof Capabilities;

/** What a browser's tab cannot give: it has no programs, and reaches no site that does not allow it. */
export const NOT_IN_BROWSER: readonly CapabilityName[] = [
  ...(["expressions", "http", "messages", "pages", "pdf", "processes", "spool", "tasks", "webSearch"] as const),
];

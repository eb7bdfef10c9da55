// A workspace whose user has allowed much: what still asks does so for what a call carries, or for what came before it.
import type { LookupAddress } from "node:dns";
import { fileURLToPath } from "node:url";
import { ChannelMessages } from "../../../src/hosts/node/messages/channels.js";
import { nodeHttp } from "../../../src/hosts/node/http/nodeHttp.js";
import { lookupOf } from "../../../src/hosts/node/http/publicLookup.js";
import { ProcessPages } from "../../../src/hosts/node/pages/processPages.js";
import { ProcessPdf } from "../../../src/hosts/node/pdf/processPdf.js";
import type { ExternalTools } from "../../../src/ports/externalTools.js";
import { isPrivateAddress, isPrivateHost } from "../../../src/text/privateAddress.js";
import { openWorkspace, type FileTree, type TestWorkspace, type WorkspaceOptions } from "../../unit/tools/workspace.js";

const dist = fileURLToPath(new URL("../../../dist", import.meta.url));

export interface OutflowWorld extends TestWorkspace {
  /** Calls a tool as a model in the session, whose turn is the first. Nobody says yes. */
  model: (
    tool: string,
    input: object,
    options?: Parameters<TestWorkspace["call"]>[2],
  ) => ReturnType<TestWorkspace["call"]>;
  /** Whether a call would be allowed, and why not. */
  decides: (tool: string, input: object, turn?: string) => Promise<{ decision: string; reasons: readonly string[] }>;
}

export const SESSION = "aaaaaa11-1111-4111-8111-111111111111";

/** @param answers what the tools of others return, by `server tool` */
export async function openOutflow(
  files: FileTree,
  rules: readonly object[],
  answers: Readonly<Record<string, string>> = {},
  options: WorkspaceOptions = {},
): Promise<OutflowWorld> {
  const externalTools: ExternalTools = {
    none: { message: "There are no servers.", hint: "Add some." },
    list: async () => ({
      tools: Object.keys(answers).map((name) => {
        const [server = "", tool = ""] = name.split(" ");
        return { server, tool, description: "A tool.", inputSchema: { type: "object" }, isMcp: true };
      }),
      ...{ missing: [], others: [], remarks: [] },
    }),
    call: async ({ server, tool }) => ({ text: answers[`${server} ${tool}`] ?? "done", media: [] }),
  };
  const isAddress = (address: string): boolean => address !== "127.0.0.1" && isPrivateAddress(address);
  const lookup = lookupOf((_host, _options, callback) => {
    callback(null, [{ address: "127.0.0.1", family: 4 } satisfies LookupAddress]);
  }, isAddress);
  const isHost = (host: string): boolean => host !== "127.0.0.1" && isPrivateHost(host);
  const messages = new ChannelMessages({
    setting: () => ({ "webhook:team": { url: "https://hooks.chat.example/services/1" } }),
    ...{ place: "a test", secret: async () => undefined, secretAdvice: () => "", show: () => undefined },
  });
  const workspace = await openWorkspace(files, {
    capabilities: {
      ...{ externalTools, messages },
      http: nodeHttp("Toolhost/test", { network: { isHost, isAddress, lookup } }),
      ...{ pages: new ProcessPages(dist), pdf: new ProcessPdf(dist) },
    },
    rules,
    ...options,
  });
  const caller = { as: "model", mode: "default", session: SESSION, turn: "first", answer: false } as const;
  return {
    ...workspace,
    model: (tool, input, more = {}) => workspace.call(tool, input, { ...caller, ...more }),
    decides: async (tool, input, turn = "first") => {
      const { decision, reasons } = await workspace.pipeline.explain(tool, input, {
        ...{ door: "api", session: SESSION, turn, authority: "model", signal: new AbortController().signal },
      });
      return { decision, reasons };
    },
  };
}

/** Allows sites, a channel, tools of others and commands in general. */
export const GENEROUS: readonly object[] = [
  ...["https://docs.example", "https://paste.example", "https://registry.npmjs.example", "https://github.example"].map(
    (url) => ({ tool: "web_fetch", params: { url }, decision: "allow" }),
  ),
  { tool: "message", params: { to: "webhook:team" }, decision: "allow" },
  ...["notes add", "tracker get_issue", "tracker create_issue", "tracker search", "docs lookup", "browser open"].map(
    (name) => {
      const [server, tool] = name.split(" ");
      return { tool: "mcp_exec", params: { server, tool }, decision: "allow" };
    },
  ),
  ...["curl **", "git push **", "git commit **", "git log **", "gh **", "npm install **", "npm test **"].map(
    (command) => ({
      ...{ tool: "exec", params: { command }, decision: "allow" },
    }),
  ),
];

import { unwatchedTools } from "../../agent/toolSets.js";
import type * as vscode from "vscode";
import type { Agents } from "../../agent/agents.js";
import { directCaller } from "../../agent/directCaller.js";
import type { TurnResult } from "../../agent/turn.js";
import { newId, type Pipeline } from "../../core/pipeline/pipeline.js";
import type { Registry } from "../../core/registry.js";
import type { Confirm } from "../../ports/confirm.js";
import type { RuleBook } from "../../ports/rules.js";
import type { ChatModel, Models } from "../../ports/models.js";
import { createToolApi, type ToolApiHost } from "../shared/toolApi.js";
import { EventStream } from "./eventStream.js";
import { readOptions, type ReadOptions } from "./readOptions.js";
import type { AgentEvent, AgentResult, AgentRun, RunAgentOptions, ToolhostApi } from "./types.js";
import { messageOf } from "../../text/words.js";

export interface ApiHost {
  registry: Registry;
  pipeline: Pick<Pipeline, "available" | "invoke">;
  openApi: ToolApiHost["openApi"];
  useSandbox: ToolApiHost["useSandbox"];
  agents: Pick<Agents, "run" | "status">;
  models: Pick<Models, "find">;
  confirm: Confirm;
  rules: Pick<RuleBook, "grantForSession">;
  asModel: (model: vscode.LanguageModelChat) => ChatModel;
}

/** Creates Toolhost's API for other extensions (`types.ts`). */
export function createApi(host: ApiHost): ToolhostApi {
  const { registry, pipeline, openApi, useSandbox, confirm, rules } = host;
  return {
    version: 1,
    runAgent: (options) => runAgent(host, options),
    // Other extensions' calls come from models as often as not.
    ...createToolApi({
      ...{ registry, pipeline, openApi, useSandbox, rules },
      caller: { door: "api", authority: "model", reads: "ask", confirm },
    }),
  };
}

function runAgent(host: ApiHost, options: RunAgentOptions): AgentRun {
  const read = readOptions(options, unwatchedTools(host.pipeline.available()), host.registry);
  const events = new EventStream<AgentEvent>();
  const session = options.session ?? newId();
  const onEvent = (event: AgentEvent): void => {
    events.push(event);
    // Errors of another extension's listener, synchronous or not, must not stop anything here.
    new Promise<void>((resolve) => resolve(options.onEvent?.(event))).catch(() => undefined);
  };
  const result = run(host, options, read, session, onEvent).finally(() => events.end());
  return { session, result, [Symbol.asyncIterator]: () => events[Symbol.asyncIterator]() };
}

async function run(
  { pipeline, agents, models, confirm, asModel }: ApiHost,
  { model, session: known, maxIterations, signal = new AbortController().signal }: RunAgentOptions,
  { instructions, earlier, said, tools, own, planOnly }: ReadOptions,
  session: string,
  onEvent: (event: AgentEvent) => void,
): Promise<AgentResult> {
  try {
    // An unknown id must fail instead of starting a session under that id.
    const id = known === undefined ? session : (await agents.status(known)).id;
    const chatModel =
      model === undefined || typeof model === "string" ? await models.find(model, signal) : asModel(model);
    const callTool = directCaller({ pipeline, door: "api", confirm, planOnly, tools: own });
    return resultOf(
      await agents.run({
        ...{
          session: id,
          kind: "agent",
          content: [{ type: "text", text: said }],
          model: chatModel,
          tools,
          callTool,
          instructions,
          earlier,
          signal,
          onEvent,
        },
        ...(maxIterations === undefined ? {} : { maxIterations }),
      }),
    );
  } catch (error) {
    const reason = signal.aborted ? "cancelled" : "failed";
    const message = signal.aborted ? undefined : messageOf(error);
    onEvent({ type: "end", session, turn: newId(), reason, ...(message === undefined ? {} : { message }) });
    return { session, reason, message, text: "", iterations: 0, tokens: { input: 0, output: 0, estimated: false } };
  }
}

function resultOf({ session, reason, message, text, iterations, tokens }: TurnResult): AgentResult {
  return { session, reason, message, text, iterations, tokens };
}

import { fitResult } from "../../agent/bigResults.js";
import type { Tool } from "../../core/contract.js";
import { toMcpTool } from "../../core/formats.js";
import { errorText, failure } from "../../core/outcome.js";
import { newId, type Pipeline } from "../../core/pipeline/pipeline.js";
import type { Registry } from "../../core/registry.js";
import type { Confirm } from "../../ports/confirm.js";
import type { Person } from "../../ports/person.js";
import type { Results } from "../../ports/results.js";
import { dataSchema } from "./dataSchema.js";
import type { CallOptions, ListedTool, ToolAnswer, ToolSource } from "./toolSource.js";

/** Maximum characters of an answer: of longer ones, clients show their models as little as 850 characters. */
const MAX_ANSWER = 20_000;
/** After this time without a call, in ms, the next one belongs to another turn; a turn is undone in one step. */
const TURN_PAUSE = 60_000;

export interface PipelineToolsHost {
  pipeline: Pick<Pipeline, "available" | "invoke">;
  /** Tells when tools come or go. */
  registry: Pick<Registry, "onDidChange">;
  /** Whether a tool is served. */
  isServed(tool: Tool): boolean;
  /** Stores what does not fit into an answer. */
  results: Results | undefined;
  /** Decides on calls that must ask. */
  confirm: Confirm;
  /** Answers questions of the client's model. Nobody does if absent. */
  person?: Person;
  /** Whether calls may only read. */
  planOnly: boolean;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The tools of this process's pipeline, for one client: its calls are a session of their own. */
export class PipelineTools implements ToolSource {
  readonly #host: PipelineToolsHost;
  readonly #session = newId();
  #turn = newId();
  #calls = 0;
  #lastEnd = 0;

  constructor(host: PipelineToolsHost) {
    this.#host = host;
  }

  async list(): Promise<ListedTool[]> {
    return this.#tools().map((tool) => {
      const outputSchema = dataSchema(tool);
      return { ...toMcpTool(tool), ...(outputSchema === undefined ? {} : { outputSchema }) };
    });
  }

  onDidChange(listener: () => void): { dispose(): void } {
    return this.#host.registry.onDidChange(listener);
  }

  async call(name: string, input: unknown, { client, signal, report }: CallOptions): Promise<ToolAnswer> {
    const { pipeline, planOnly, results, person } = this.#host;
    const turn = this.#turnNow();
    this.#calls++;
    try {
      const outcome = await pipeline.invoke(name, input, {
        ...{ door: `mcp:${client}`, session: this.#session, turn, signal, report, planOnly },
        confirm: naming(client, this.#host.confirm),
        ...(person && { person }),
        ...{ authority: "model", reads: "must", answerSize: MAX_ANSWER },
      });
      if (!outcome.ok) {
        return { ok: false, text: errorText(outcome.error) };
      }
      const { data, media = [] } = outcome;
      const text = await fitResult(outcome.text, false, `${name} for ${client}`, results, MAX_ANSWER);
      return { ok: true, text, ...(data === undefined ? {} : { data }), ...(media.length > 0 && { media }) };
    } catch (error) {
      const outcome = failure(name, error);
      return { ok: false, text: outcome.ok ? "" : errorText(outcome.error) };
    } finally {
      this.#calls--;
      this.#lastEnd = this.#host.now();
    }
  }

  /** Returns the tools that mean something to an outside agent: only our own tasks can be ended. */
  #tools(): Tool[] {
    return this.#host.pipeline.available().filter((tool) => !tool.terminal && this.#host.isServed(tool));
  }

  #turnNow(): string {
    if (this.#calls === 0 && this.#host.now() - this.#lastEnd > TURN_PAUSE) {
      this.#turn = newId();
    }
    return this.#turn;
  }
}

/** Returns a Confirm that says who asks: several clients may use one window. */
function naming(client: string, confirm: Confirm): Confirm {
  return { ask: (question, signal) => confirm.ask({ ...question, title: `${client}: ${question.title}` }, signal) };
}

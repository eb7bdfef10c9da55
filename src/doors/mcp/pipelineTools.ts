import { fitResult } from "../../agent/bigResults.js";
import type { Tool } from "../../core/contract.js";
import { toMcpTool } from "../../core/formats.js";
import { errorText, failure } from "../../core/outcome.js";
import { newId, type Pipeline } from "../../core/pipeline/pipeline.js";
import type { Confirm } from "../../ports/confirm.js";
import type { Results } from "../../ports/results.js";
import { dataSchema } from "./dataSchema.js";
import type { CallOptions, ListedTool, ToolAnswer, ToolSource } from "./toolSource.js";

/** Maximum characters of an answer: of longer ones, clients show their models as little as 850 characters. */
const MAX_ANSWER = 20_000;
/** After this time without a call, in ms, the next one belongs to another turn; a turn is undone in one step. */
const TURN_PAUSE = 60_000;

export interface PipelineToolsHost {
  pipeline: Pick<Pipeline, "available" | "invoke">;
  /** Stores what does not fit into an answer. */
  results: Results | undefined;
  /** Decides on calls that must ask. */
  confirm: Confirm;
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

  async call(name: string, input: unknown, { client, signal, report }: CallOptions): Promise<ToolAnswer> {
    const { pipeline, confirm, planOnly, results } = this.#host;
    const turn = this.#turnNow();
    this.#calls++;
    try {
      const outcome = await pipeline.invoke(name, input, {
        ...{ door: `mcp:${client}`, session: this.#session, turn, signal, report, confirm, planOnly },
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
    return this.#host.pipeline.available().filter(({ terminal }) => !terminal);
  }

  #turnNow(): string {
    if (this.#calls === 0 && this.#host.now() - this.#lastEnd > TURN_PAUSE) {
      this.#turn = newId();
    }
    return this.#turn;
  }
}

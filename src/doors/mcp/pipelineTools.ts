import { fitResult } from "../../agent/bigResults.js";
import { ToolDesk } from "../../agent/toolDesk.js";
import type { Tool } from "../../core/contract.js";
import { toMcpTool } from "../../core/formats.js";
import { isRecord } from "../../core/jsonSchema.js";
import type { ErrorType } from "../../core/errors.js";
import { errorText, failure, type OutcomeError } from "../../core/outcome.js";
import { newId, type Pipeline } from "../../core/pipeline/pipeline.js";
import type { Registry } from "../../core/registry.js";
import { FIND_TOOL } from "../../names/tools.js";
import type { Confirm } from "../../ports/confirm.js";
import type { Person } from "../../ports/person.js";
import type { Results } from "../../ports/results.js";
import { answerOffer } from "./offers.js";
import type { OfferAnswer, OfferRequest } from "./offerTypes.js";
import type { CallOptions, ListedTool, ToolAnswer, ToolSource } from "./toolSource.js";

/** Maximum characters of an answer: of longer ones, clients show their models as little as 850 characters. */
const MAX_ANSWER = 20_000;
/** After this time without a call, in ms, the next one belongs to another turn; a turn is undone in one step. */
const TURN_PAUSE = 60_000;

const FIND_TITLE = "Find a Tool";
/** It calls any of the tools that it finds. */
const FIND_ANNOTATIONS = {
  title: FIND_TITLE,
  ...{ readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
};

/** Failures whose reason may be that the client means another folder, such as another worktree of the repository. */
const ELSEWHERE: readonly ErrorType[] = ["outside_workspace", "denied", "not_found"];

export interface PipelineToolsHost {
  /** The real path of the folder that is served. */
  folder: string;
  pipeline: Pick<Pipeline, "available" | "invoke">;
  /** Tells when tools come or go. */
  registry: Pick<Registry, "onDidChange">;
  /** The tools that ship with Toolhost. */
  shipped: readonly Tool[];
  /** Brings the tools up to date before they are listed. */
  refresh?(): Promise<void>;
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
  /** Whether answers have data, too. */
  sendsData: boolean;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The tools of this process's pipeline, for one client: its calls are a session of their own. */
export class PipelineTools implements ToolSource {
  readonly #host: PipelineToolsHost;
  readonly #session = newId();
  #turn = newId();
  readonly #absent: ReadonlyMap<string, string>;
  #calls = 0;
  #lastEnd = 0;
  /** The client's id of that turn. */
  #told: string | undefined;

  constructor(host: PipelineToolsHost) {
    this.#host = host;
    this.#absent = new Map(
      host.shipped.filter((tool) => !this.#isServed(tool)).map((tool) => [tool.name, whyNotServed(tool)]),
    );
  }

  async list(): Promise<ListedTool[]> {
    await this.#host.refresh?.();
    const listed = this.#tools()
      .filter(({ expose }) => expose !== "search")
      .map(toMcpTool);
    const finder = this.#search()?.finder;
    return finder === undefined ? listed : [...listed, { ...finder, title: FIND_TITLE, annotations: FIND_ANNOTATIONS }];
  }

  onDidChange(listener: () => void): { dispose(): void } {
    return this.#host.registry.onDidChange(listener);
  }

  async call(name: string, input: unknown, options: CallOptions): Promise<ToolAnswer> {
    const search = name === FIND_TOOL ? this.#search() : undefined;
    if (search === undefined) {
      return this.#call(name, input, options);
    }
    const found = search.unwrapped({ id: "", name, input: isRecord(input) ? input : {} });
    if (found.problem !== undefined) {
      return { ok: false, text: errorText({ type: "invalid_input", message: found.problem }) };
    }
    return search.isSearch(found.name) ? search.search(found.input) : this.#call(found.name, found.input, options);
  }

  /** @throws Error with the words of the tools that it comes from */
  async offer(request: OfferRequest, options: Pick<CallOptions, "client" | "signal">): Promise<OfferAnswer> {
    const { pipeline, planOnly } = this.#host;
    const { client, signal } = options;
    const answer = answerOffer(request, (tool, input) =>
      pipeline.invoke(tool, input, {
        ...{ door: `mcp:${client}`, session: this.#session, turn: this.#turn, signal, planOnly },
        ...{ report: () => undefined, confirm: naming(client, this.#host.confirm) },
        ...{ authority: "model", reads: "must" },
      }),
    );
    return answer.catch((error: unknown) => {
      throw new Error(errorText(this.#placed(failure(request.kind, error).error)));
    });
  }

  async #call(name: string, input: unknown, options: CallOptions): Promise<ToolAnswer> {
    const { client, signal, report } = options;
    const { pipeline, planOnly, results, sendsData } = this.#host;
    const person = this.#host.person ?? options.person;
    const turn = this.#turnNow(options.turn);
    this.#calls++;
    try {
      const outcome = await pipeline.invoke(name, input, {
        ...{ door: `mcp:${client}`, session: this.#session, turn, signal, report, planOnly },
        confirm: naming(client, this.#host.confirm),
        ...(person && { person }),
        // Also a tool that is not listed, by its name or within another one.
        isServed: (tool) => this.#isServed(tool),
        absent: this.#absent,
        ...{ authority: "model", reads: "must", answerSize: MAX_ANSWER },
      });
      if (!outcome.ok) {
        return { ok: false, text: errorText(this.#placed(outcome.error)) };
      }
      const { data, media = [] } = outcome;
      const text = await fitResult(outcome.text, false, `${name} for ${client}`, results, MAX_ANSWER);
      return {
        ok: true,
        text,
        ...(sendsData && data !== undefined ? { data } : {}),
        ...(media.length > 0 && { media }),
      };
    } catch (error) {
      return { ok: false, text: errorText(failure(name, error).error) };
    } finally {
      this.#calls--;
      this.#lastEnd = this.#host.now();
    }
  }

  /** Returns an error that says which folder is served, where the client may mean another one. */
  #placed(error: OutcomeError): OutcomeError {
    const served = `This server serves ${this.#host.folder}, and paths are relative to it.`;
    const hint = error.hint === undefined ? served : `${error.hint} ${served}`;
    return ELSEWHERE.includes(error.type) ? { ...error, hint } : error;
  }

  /** Returns the tools that mean something to an outside agent: only our own tasks can be ended. */
  #tools(): Tool[] {
    return this.#host.pipeline.available().filter((tool) => this.#isServed(tool));
  }

  #isServed(tool: Tool): boolean {
    return !tool.terminal && this.#host.isServed(tool);
  }

  /** Returns what finds the tools behind search; undefined if there are none. */
  #search(): ToolDesk | undefined {
    const tools = this.#tools();
    const listed = tools.filter(({ expose }) => expose !== "search");
    return listed.length === tools.length ? undefined : new ToolDesk(tools, listed);
  }

  /** @param told the client's own id of the turn, if it has one; a call without one belongs to the turn before it */
  #turnNow(told: string | undefined): string {
    const isOver =
      told !== undefined && this.#told !== undefined
        ? told !== this.#told
        : this.#calls === 0 && this.#host.now() - this.#lastEnd > TURN_PAUSE;
    if (isOver) {
      this.#turn = newId();
    }
    this.#told = told ?? this.#told;
    return this.#turn;
  }
}

function whyNotServed({ name, terminal }: Tool): string {
  return terminal
    ? `${name} ends a task of one of Toolhost's own agents.`
    : `${name} is not served here: the user chooses what is with --tools of toolhost mcp.`;
}

/** Returns a Confirm that says who asks: several clients may use one window. */
function naming(client: string, confirm: Confirm): Confirm {
  return { ask: (question, signal) => confirm.ask({ ...question, title: `${client}: ${question.title}` }, signal) };
}

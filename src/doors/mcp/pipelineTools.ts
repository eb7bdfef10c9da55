import { askedBy } from "../../core/pipeline/askedBy.js";
import { fitResult } from "../../agent/bigResults.js";
import { ToolDesk } from "../../agent/toolDesk.js";
import type { Tool } from "../../core/contract.js";
import { toMcpTool } from "../../core/formats.js";
import { isRecord } from "../../core/jsonSchema.js";
import type { ErrorType } from "../../core/errors.js";
import { errorText, failure, type OutcomeError } from "../../core/outcome.js";
import type { Pipeline } from "../../core/pipeline/pipeline.js";
import type { Registry } from "../../core/registry.js";
import { FIND_TOOL } from "../../names/tools.js";
import type { Confirm } from "../../ports/confirm.js";
import type { Person } from "../../ports/person.js";
import type { Results } from "../../ports/results.js";
import { keepHeadAndTail } from "../../text/clip.js";
import { answerOffer } from "./offers.js";
import type { OfferAnswer, OfferRequest } from "./offerTypes.js";
import type { CallOptions, ListedTool, ToolAnswer, ToolSource } from "./toolSource.js";

/** Maximum characters of the reason why a resource or prompt is not given. */
const MAX_REFUSAL = 4_000;

const FIND_TITLE = "Find a Tool";
/** It calls any of the tools that it finds. */
const FIND_ANNOTATIONS = {
  title: FIND_TITLE,
  ...{ readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
};

/** Failures whose reason may be that the client means another folder, such as another worktree of the repository. */
const ELSEWHERE: readonly ErrorType[] = ["outside_workspace", "denied", "not_found", "inner_tool_error"];

export interface PipelineToolsHost {
  /** The real path of the folder that is served; undefined for all of a window's. */
  folder: string | undefined;
  /** The folder's name, for the questions of a window that has several. */
  folderName?: string;
  /** The client's session. */
  session: string;
  pipeline: Pick<Pipeline, "available" | "invoke" | "meant">;
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
  /** Lets another process go on with a session. */
  release?: (session: string) => Promise<void>;
}

/** The tools of this process's pipeline, for one client: its calls are a session of their own. */
export class PipelineTools implements ToolSource {
  readonly #host: PipelineToolsHost;
  readonly #absent: ReadonlyMap<string, string>;

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

  async release(): Promise<void> {
    await this.#host.release?.(this.#host.session);
  }

  async call(name: string, input: unknown, options: CallOptions): Promise<ToolAnswer> {
    const answer = await this.#answer(name, input, options);
    const { client, answerSize } = options;
    // Also of a failure: its message may quote an input or an output at length.
    return {
      ...answer,
      text: await fitResult(answer.text, false, `${name} for ${client}`, this.#host.results, answerSize),
    };
  }

  async #answer(name: string, input: unknown, options: CallOptions): Promise<ToolAnswer> {
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
    const { pipeline, planOnly, session } = this.#host;
    const { client, signal } = options;
    const answer = answerOffer(request, (tool, input) =>
      pipeline.invoke(tool, input, {
        ...{ door: `mcp:${client}`, session, signal, planOnly },
        ...{ report: () => undefined, confirm: askedBy(this.#asker(client), this.#host.confirm) },
        ...{ authority: "model", reads: "must" },
      }),
    );
    return answer.catch((error: unknown) => {
      throw new Error(keepHeadAndTail(errorText(this.#placed(failure(request.kind, error).error)), MAX_REFUSAL));
    });
  }

  async #call(name: string, input: unknown, options: CallOptions): Promise<ToolAnswer> {
    const { client, signal, report, answerSize, asking } = options;
    const { pipeline, planOnly, session, sendsData } = this.#host;
    const person = this.#host.person ?? options.person;
    const isServed = (tool: Tool): boolean => this.#isServed(tool);
    const meant = pipeline.meant(name, input, { isServed });
    try {
      const outcome = await pipeline.invoke(name, input, {
        ...{ door: `mcp:${client}`, session, turn: `${session}-${options.turn}`, signal, report, planOnly },
        confirm: askedBy(this.#asker(client), asking?.(meant, this.#host.confirm) ?? this.#host.confirm),
        ...(person && { person }),
        // Also a tool that is not listed, by its name or within another one.
        isServed,
        absent: this.#absent,
        ...{ authority: "model", reads: "must", answerSize },
      });
      if (!outcome.ok) {
        return { ok: false, text: errorText(this.#placed(outcome.error)) };
      }
      const { text, data, media = [] } = outcome;
      return {
        ok: true,
        text,
        ...(sendsData && data !== undefined ? { data } : {}),
        ...(media.length > 0 && { media }),
      };
    } catch (error) {
      return { ok: false, text: errorText(failure(name, error).error) };
    }
  }

  #asker(client: string): string {
    const { folderName } = this.#host;
    return folderName === undefined ? client : `${client} in ${folderName}`;
  }

  /** Returns an error that says which folder is served, where the client may mean another one. */
  #placed(error: OutcomeError): OutcomeError {
    if (this.#host.folder === undefined) {
      return error;
    }
    const served = `This server serves ${this.#host.folder}, and paths are relative to it.`;
    const hint = error.hint === undefined ? served : `${error.hint}${/[.!?]$/.test(error.hint) ? " " : "\n"}${served}`;
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
}

function whyNotServed({ name, terminal }: Tool): string {
  return terminal
    ? `${name} ends a task of one of Toolhost's own agents.`
    : `${name} is not served here: the user chooses what is with --tools of toolhost mcp.`;
}

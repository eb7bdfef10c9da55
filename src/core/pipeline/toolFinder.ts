import type { CapabilityName } from "../../ports/capabilities.js";
import type { Caller } from "../caller.js";
import type { Tool } from "../contract.js";
import { ToolError } from "../errors.js";
import type { PipelineHost } from "./pipelineHost.js";
import { SETTING } from "../../names/settings.js";
import { actingTool } from "../toolParts.js";
import { meantCall, unknownTool, type MeantCall } from "./unknownTool.js";

/** What decides which tools a caller has. */
type Asking = Pick<Caller, "tools" | "isServed" | "absent" | "toolList">;

/** Why a tool cannot be used now: a setting has turned its group off, or it needs what is not available here. */
export type WhyNot = { setting: string } | { missing: CapabilityName };

/** Finds tools by name, and says why one cannot be used. */
export class ToolFinder {
  readonly #host: Pick<PipelineHost, "registry" | "capabilities" | "changes" | "settings">;

  constructor(host: Pick<PipelineHost, "registry" | "capabilities" | "changes" | "settings">) {
    this.#host = host;
  }

  /** Returns the tools a caller can use now: enabled, and with all they need in this host. */
  available({ tools = [], isServed = () => true }: Asking = {}): Tool[] {
    const settings = this.#host.settings();
    return [...this.#host.registry.list(), ...tools].filter(
      (tool) => isServed(tool) && settings.isGroupEnabled(tool.group) && this.#missing(tool) === undefined,
    );
  }

  /**
   * Returns a call of a tool by its name, another system's name for it, or the name of one of its parts, whether or not
   * it can be used.
   * @param input the call's, which decides what another system's name means
   * @param offered the tools that a wrong name may have meant; not called for a known name
   * @param caller who may have tools of its own
   * @throws ToolError `unknown_tool`
   */
  known(
    name: string,
    input: unknown,
    offered: () => readonly Tool[],
    { tools = [], isServed = () => true, absent, toolList }: Asking = {},
  ): MeantCall {
    const found = tools.find((own) => own.name === name) ?? this.#host.registry.get(name);
    const tool = found !== undefined && isServed(found) ? found : undefined;
    if (found === undefined) {
      this.#checkNotAbsent(name);
    }
    const call = tool === undefined ? meantCall(name, input, offered()) : { tool, input };
    if (call === undefined) {
      throw unknownTool(name, input, offered(), {
        ...{ ifNone: "No tool can be used here: all are turned off.", absent, toolList },
      });
    }
    return call;
  }

  /** Checks that a tool was not removed since it was found. @throws ToolError `unknown_tool` */
  checkThere(tool: Tool, { tools = [] }: Asking): void {
    if (this.#host.registry.get(tool.name) !== tool && !tools.includes(tool)) {
      this.#checkNotAbsent(tool.name);
      throw goneTool(tool.name);
    }
  }

  /** @throws ToolError `unknown_tool` if a tool of this name waits for the user's approval, or was removed */
  #checkNotAbsent(name: string): void {
    const { registry } = this.#host;
    const waiting = registry.waiting.get(name);
    if (waiting !== undefined && registry.get(name) === undefined) {
      throw new ToolError(
        "unknown_tool",
        `${name}: ${waiting.why}. Nothing was run.`,
        `The user can read and approve it: ${waiting.approveBy}`,
      );
    }
    if (registry.wasRemoved(name)) {
      throw goneTool(name);
    }
  }

  /** Returns a call of a tool that can be used now. @throws ToolError `unknown_tool`, `unavailable` */
  find(name: string, input: unknown, caller: Asking): MeantCall {
    // Tools that are turned off are not suggested.
    const call = this.known(name, input, () => this.available(caller), caller);
    const [problem, hint] = this.#unusable(call.tool, name, call.input) ?? [];
    if (problem !== undefined) {
      throw new ToolError("unavailable", problem, hint);
    }
    return call;
  }

  /** Returns why each of the registry's tools that no caller can use now is so, as a sentence. */
  unavailable(): Map<string, string> {
    return new Map(
      this.#host.registry.list().flatMap((tool) => {
        const [problem, hint] = this.#unusable(tool, tool.name) ?? [];
        return problem === undefined ? [] : [[tool.name, hint === undefined ? problem : `${problem} ${hint}`] as const];
      }),
    );
  }

  /** Returns why each of the registry's tools that no caller can use now is so, for lists that people read. */
  whyUnavailable(): Map<string, WhyNot> {
    return new Map(
      this.#host.registry.list().flatMap((tool) => {
        const why = this.#whyNot(tool);
        return why === undefined ? [] : [[tool.name, why] as const];
      }),
    );
  }

  /** Returns why a tool cannot be used now, and what would change that; undefined if it can. @param input the call's */
  #unusable(tool: Tool, name: string, input?: unknown): [problem: string, hint: string | undefined] | undefined {
    const why = this.#whyNot(tool, input);
    if (why === undefined) {
      return undefined;
    }
    if ("missing" in why && why.missing === "webSearch") {
      return [
        `${name}: no search service is set up.`,
        `The user names one in ${SETTING.searchProvider} or TOOLHOST_WEB_SEARCH. Without it, fetch an address that you know.`,
      ];
    }
    return "missing" in why
      ? [`${name} needs ${why.missing}, which is not available here.`, tool.instead]
      : [`${name}: the user has turned the ${tool.group} tools off.`, `The setting ${why.setting} turns them on.`];
  }

  #whyNot(tool: Tool, input?: unknown): WhyNot | undefined {
    const settings = this.#host.settings();
    if (!settings.isGroupEnabled(tool.group)) {
      return { setting: settings.turnedOffBy?.(tool.group) ?? SETTING.group(tool.group) };
    }
    const missing = this.#missing(actingTool(tool, input));
    return missing === undefined ? undefined : { missing };
  }

  /** Whether the host has all that a tool needs. */
  isComplete(tool: Tool): boolean {
    return this.#missing(tool) === undefined;
  }

  /** Returns what a tool lacks here; a tool made of several needs only what one of them does. */
  #missing({ needs, canLack = [], parts = [] }: Tool): CapabilityName | undefined {
    if (parts.some(({ tool }) => this.#missing(tool) === undefined)) {
      return undefined;
    }
    return needs.find((capability) => {
      if (canLack.includes(capability)) {
        return false;
      }
      switch (capability) {
        case "changes":
        case "reads":
          return this.#host.changes === undefined;
        case "person":
        case "tools":
          return false;
        default:
          return this.#host.capabilities[capability] === undefined;
      }
    });
  }
}

function goneTool(name: string): ToolError {
  return new ToolError(
    "unknown_tool",
    `${name} is gone: its provider has removed or replaced it.`,
    "Nothing ran. Do it with another tool, or tell the user what is missing.",
  );
}

import type { CapabilityName } from "../../ports/capabilities.js";
import type { Tool } from "../contract.js";
import { ToolError } from "../errors.js";
import type { PipelineHost } from "./pipelineHost.js";
import { SETTING } from "../../names/settings.js";
import { meantTool, unknownTool } from "./unknownTool.js";

/** Finds tools by name, and says why one cannot be used. */
export class ToolFinder {
  readonly #host: Pick<PipelineHost, "registry" | "capabilities" | "changes" | "settings">;

  constructor(host: Pick<PipelineHost, "registry" | "capabilities" | "changes" | "settings">) {
    this.#host = host;
  }

  /** Returns the tools a caller can use now: enabled, and with all they need in this host. */
  available(): Tool[] {
    const settings = this.#host.settings();
    return this.#host.registry
      .list()
      .filter((tool) => settings.isGroupEnabled(tool.group) && this.#missing(tool) === undefined);
  }

  /**
   * Returns a tool by its name, or another system's name for it, whether or not it can be used.
   * @param input the call's, which decides what another system's name means
   * @param offered the tools that a wrong name may have meant; not called for a known name
   * @throws ToolError `unknown_tool`
   */
  known(name: string, input: unknown, offered: () => readonly Tool[]): Tool {
    const tool = this.#host.registry.get(name) ?? meantTool(name, input, offered());
    if (tool === undefined) {
      throw unknownTool(name, input, offered(), "No tool can be used here: all are turned off.");
    }
    return tool;
  }

  /** Returns a tool that can be used now. @throws ToolError `unknown_tool`, `unavailable` */
  find(name: string, input?: unknown): Tool {
    // Tools that are turned off are not suggested.
    const tool = this.known(name, input, () => this.available());
    const settings = this.#host.settings();
    if (!settings.isGroupEnabled(tool.group)) {
      throw new ToolError(
        "unavailable",
        `${name}: the user has turned the ${tool.group} tools off.`,
        `The setting ${settings.turnedOffBy?.(tool.group) ?? SETTING.group(tool.group)} turns them on.`,
      );
    }
    const missing = this.#missing(tool);
    if (missing !== undefined) {
      throw new ToolError("unavailable", `${name} needs ${missing}, which is not available here.`);
    }
    return tool;
  }

  #missing(tool: Tool): CapabilityName | undefined {
    return tool.needs.find((capability) => {
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

import type { CapabilityName } from "../../ports/capabilities.js";
import { shorten } from "../../text/clip.js";
import { nearestNames } from "../../text/nearest.js";
import type { Tool } from "../contract.js";
import { ToolError } from "../errors.js";
import type { PipelineHost } from "./pipelineHost.js";
import { SETTING } from "../../names/settings.js";

/** Maximum length of an unknown tool's name that is reported or recorded, in characters. */
export const MAX_NAME = 80;

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
   * Returns a tool by name, whether or not it can be used.
   * @param offered the tools that a wrong name may have meant
   * @throws ToolError `unknown_tool`
   */
  known(name: string, offered: readonly Tool[]): Tool {
    const tool = this.#host.registry.get(name);
    if (tool === undefined) {
      // Tools that are turned off are not suggested.
      const names = offered.map((other) => other.name);
      const near = nearestNames(name, names);
      throw new ToolError(
        "unknown_tool",
        `${shorten(name, MAX_NAME)}: there is no such tool.`,
        near.length > 0
          ? `Did you mean ${near.join(" or ")}?`
          : names.length > 0
            ? `Tools: ${names.join(", ")}.`
            : "No tool can be used here: all are turned off.",
      );
    }
    return tool;
  }

  /** Returns a tool that can be used now. @throws ToolError `unknown_tool`, `unavailable` */
  find(name: string): Tool {
    const tool = this.known(name, this.available());
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
        case "tools":
          return false;
        default:
          return this.#host.capabilities[capability] === undefined;
      }
    });
  }
}

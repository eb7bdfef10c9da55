import * as z from "zod";
import { CAPABILITIES_PATH, parseCapabilities } from "../../features/documents/capabilitiesFile.js";
import { defineTool } from "../../core/defineTool.js";
import { ToolError, unlessMissing } from "../../core/errors.js";
import type { FileChange } from "../../ports/changes.js";
import type { Inventory } from "../../ports/inventory.js";
import { oneLine, shorten } from "../../text/clip.js";
import { callRemarks, savingRemarks } from "../fs/changeRemarks.js";
import { staticThemes, type Theme, type Themes, type ToolFamilies } from "./themes.js";
import { themesByModel } from "./themesByModel.js";
import { messageOf } from "../../text/words.js";

/** Milliseconds the model may take. */
const MODEL_TIMEOUT = 30_000;
/** The model's time plus some for the file. */
const TIMEOUT = 45_000;
/** Maximum bytes of the existing file. */
const MAX_BYTES = 1_000_000;

export const capabilitiesRefresh = defineTool({
  name: "capabilities_refresh",
  group: "tools",
  title: "Refresh capabilities",
  description:
    `Rewrite ${CAPABILITIES_PATH}, which lists what an agent can do here, one line per theme. It covers Toolhost's tools and those of MCP servers and other extensions. ` +
    "It becomes part of the system prompt of later turns. Use it after tools were added or removed.",
  input: () =>
    z.object({
      include_mcp: z.boolean().optional().describe("Include tools of MCP servers and other extensions. Default: true."),
    }),
  aliases: { mcp: "include_mcp" },
  output: () =>
    z.object({
      path: z.string(),
      internal_tool_count: z.int(),
      mcp_tool_count: z.int().describe("Tools of MCP servers and other extensions."),
      created_file: z.boolean(),
      by: z.enum(["model", "static"]).describe("Who worded it; static if no model could."),
    }),
  needs: ["files", "changes", "tools", "inventory"],
  annotations: { readOnly: false, destructive: true, idempotent: true, openWorld: true },
  touches: () => [{ kind: "write", path: CAPABILITIES_PATH }],
  summary: () => `Write ${CAPABILITIES_PATH}`,
  timeout: TIMEOUT,
  expose: "optional",
  execute: async ({ include_mcp = true }, { files, changes, tools, inventory, session, signal, report }) => {
    const at = await files.resolve(CAPABILITIES_PATH);
    // No must-read check: the body is regenerated each time.
    const before = await unlessMissing(() => files.readSnapshot(at, MAX_BYTES));
    const { frontMatter, isOpen, eol } = parseCapabilities(before?.text);
    if (!isOpen) {
      throw new ToolError(
        "protected",
        `${at.path}: its front matter says agent-modification: false. Nothing was written.`,
        "Only the user can change that line.",
      );
    }
    const external = include_mcp ? await inventory.external(signal) : [];
    const families: ToolFamilies = { internal: tools.list(), external };
    report({ message: "Asking the model" });
    const { themes, by, why } = await inWords(inventory, families, session, signal);
    const after = frontMatter + page(themes, include_mcp).replaceAll("\n", eol);
    const change: FileChange =
      before === undefined
        ? { kind: "create", at, content: { text: after } }
        : { kind: "replace", at, before, text: after };
    const outcome = before?.text === after ? undefined : await changes.apply([change], signal);
    const remarks =
      outcome === undefined
        ? []
        : [...outcome.files.flatMap((file) => savingRemarks(after, file)), ...callRemarks(outcome)];
    const data = {
      path: at.path,
      internal_tool_count: families.internal.length,
      mcp_tool_count: families.external.length,
      created_file: before === undefined,
      by,
    };
    const did = before === undefined ? "Created" : outcome === undefined ? "No change in" : "Updated";
    const counts = `${data.internal_tool_count} Toolhost tools, ${data.mcp_tool_count} external`;
    return {
      text: [
        `${did} ${at.path}: ${counts}, ${by === "model" ? "worded by the model" : `with fixed wording: ${why}`}.`,
        ...remarks,
      ].join("\n"),
      data,
    };
  },
});

/**
 * Returns the themes as worded by the model, or in fixed wording if that fails for any reason but cancellation by the
 * caller.
 */
async function inWords(
  inventory: Inventory,
  families: ToolFamilies,
  session: string,
  signal: AbortSignal,
): Promise<{ themes: Themes; by: "model" | "static"; why: string }> {
  const time = AbortSignal.timeout(MODEL_TIMEOUT);
  const either = AbortSignal.any([signal, time]);
  const late = new Promise<never>((_resolve, reject) =>
    either.addEventListener("abort", () => reject(either.reason as Error), { once: true }),
  );
  try {
    const asked = inventory.model(session, either).then((model) => themesByModel(model, families, either));
    // Don't wait for a model that ignores its signal.
    return { themes: await Promise.race([asked, late]), by: "model", why: "" };
  } catch (error) {
    signal.throwIfAborted();
    const why = time.aborted
      ? `the model took more than ${MODEL_TIMEOUT / 1_000} s`
      : `the model could not be used (${shorten(oneLine(messageOf(error)), 200).replace(/\.$/, "")})`;
    return { themes: staticThemes(families), by: "static", why };
  }
}

function page({ internal, external }: Themes, includesOthers: boolean): string {
  const none = includesOthers ? "No MCP servers configured." : "Not included in this list.";
  return [
    "# Capabilities",
    "",
    "What can be done here, by theme. Generated by Toolhost; edits below are overwritten.",
    "",
    "## Toolhost",
    "",
    ...internal.map(line),
    "",
    "## MCP servers and other extensions",
    "",
    ...(external.length === 0 ? [none] : external.map(line)),
    "",
  ].join("\n");
}

function line({ name, can }: Theme): string {
  return `- **${name}** — ${can}`;
}

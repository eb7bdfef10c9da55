import type * as vscode from "vscode";
import { CAPABILITIES_PATH } from "../../features/documents/capabilitiesFile.js";
import { newId } from "../../core/pipeline/pipeline.js";
import type { ChatModel } from "../../ports/models.js";
import { escapeMarkdown } from "../../text/fence.js";
import { chatCaller, type CallHost } from "./calls.js";
import { fileLink, type FileLinksHost } from "./fileLinks.js";
import { result, type ChatMessage } from "./turn.js";
import { LINK_COMMAND, STAND_IN_VENDOR } from "../../names/contributed.js";

export interface CapabilitiesHost extends CallHost, FileLinksHost {
  asModel(model: vscode.LanguageModelChat): ChatModel;
  /** Models of sessions without a running turn, by session. */
  modelsByHand: Map<string, ChatModel>;
}

/**
 * Handles `/capabilities`: rewrites the list of what an agent can do, using the model that the user picked. `--no-mcp`
 * omits third-party tools.
 */
export async function capabilitiesInChat(
  host: CapabilitiesHost,
  { request, place, output, signal }: ChatMessage,
): Promise<vscode.ChatResult> {
  const rest = request.prompt.trim();
  if (rest !== "" && rest !== "--no-mcp") {
    output.own("`/capabilities` only accepts `--no-mcp`, which omits the tools of MCP servers and other extensions.");
    return result(place);
  }
  const turn = newId();
  const where = { session: place.session, turn };
  if (request.model.vendor !== STAND_IN_VENDOR) {
    host.modelsByHand.set(place.session, host.asModel(request.model));
  }
  try {
    const call = chatCaller(host, {
      toolInvocationToken: request.toolInvocationToken,
      model: undefined,
      planOnly: false,
    });
    const { ok, text } = await call({
      ...where,
      ...{
        root: where,
        id: newId(),
        tool: "capabilities_refresh",
        input: { include_mcp: rest === "" },
        ready: Promise.resolve(),
        signal,
      },
      report: (message) => output.progress(escapeMarkdown(message)),
    });
    output.own(
      `${escapeMarkdown(text)}${ok ? `\n\n${await fileLink(host, CAPABILITIES_PATH)} is now part of the system prompt of every turn.` : ""}`,
    );
    if (ok && !text.startsWith("No change")) {
      output.button({ command: LINK_COMMAND.undoTurn, title: "Undo", arguments: [where] });
    }
    return result(place, { turn });
  } finally {
    host.modelsByHand.delete(place.session);
  }
}

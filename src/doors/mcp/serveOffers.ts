import type { Server, ServerContext } from "@modelcontextprotocol/server";
import { messageOf } from "../../text/words.js";
import type * as McpSdk from "./mcpSdk.js";
import { MAX_VALUES, placeOf, TEMPLATES } from "./offers.js";
import type { OfferAnswer, OfferRequest } from "./offerTypes.js";

/** The capabilities of what is served here. */
export const OFFERED = { resources: {}, prompts: {}, completions: {} };

/**
 * Serves resources, prompts and completions.
 *
 * @param ask answers a request, or throws an Error with words for the client
 */
export function serveOffers(
  server: Server,
  { ProtocolError, ProtocolErrorCode }: Pick<typeof McpSdk, "ProtocolError" | "ProtocolErrorCode">,
  ask: (request: OfferRequest, context: ServerContext) => Promise<OfferAnswer>,
): void {
  const answer = async (request: OfferRequest, context: ServerContext): Promise<OfferAnswer> => {
    try {
      return await ask(request, context);
    } catch (error) {
      throw error instanceof ProtocolError
        ? error
        : new ProtocolError(
            ProtocolErrorCode.InvalidParams,
            messageOf(error),
            request.kind === "resource" ? { uri: request.uri } : undefined,
          );
    }
  };
  server.setRequestHandler("resources/list", async (_, context) => {
    const { resources = [], isWhole } = await answer({ kind: "resources" }, context);
    return { resources, ...(isWhole === false && { _meta: { "toolhost/incomplete": true } }) };
  });
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: TEMPLATES }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }, context) => {
    const { resource } = await answer({ kind: "resource", uri }, context);
    return { contents: resource === undefined ? [] : [resource] };
  });
  server.setRequestHandler("prompts/list", async (_, context) => ({
    prompts: (await answer({ kind: "prompts" }, context)).prompts ?? [],
  }));
  server.setRequestHandler("prompts/get", async ({ params: { name, arguments: values = {} } }, context) => {
    const { prompt: text = "" } = await answer({ kind: "prompt", name, values }, context);
    return { messages: [{ role: "user", content: { type: "text", text } }] };
  });
  server.setRequestHandler("completion/complete", async ({ params: { ref, argument } }, context) => {
    const of = ref.type === "ref/prompt" ? "prompt" : placeOf(ref.uri);
    const { values = [] } = await answer(
      { kind: "completion", of, argument: argument.name, value: argument.value },
      context,
    );
    return { completion: { values: values.slice(0, MAX_VALUES), hasMore: values.length > MAX_VALUES } };
  });
}

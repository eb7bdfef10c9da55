// Three tools and a participant, for the harness's own tests and as a yardstick beside the product's.
import * as vscode from "vscode";

interface Text {
  text: string;
}

/** How often each tool ran: what a test asserts after the user skipped or allowed a call. */
export const runs = { rig_echo: 0, rig_ask: 0, rig_fail: 0 };

/** Rounds of tool calls in one turn: more means that the script or the participant loops. */
const MAX_ROUNDS = 20;

/**
 * Registers `rig_echo` (never asks), `rig_ask` (always asks), `rig_fail` (always fails) and `@rig`, which runs what the
 * model calls.
 */
export function registerRigTools(): vscode.Disposable {
  const answer = (name: keyof typeof runs, { text }: Text) => {
    runs[name]++;
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(`${name}: ${text}`)]);
  };
  return vscode.Disposable.from(
    vscode.lm.registerTool<Text>("rig_echo", {
      prepareInvocation: ({ input }) => ({ invocationMessage: `Echoing ${input.text}` }),
      invoke: ({ input }) => answer("rig_echo", input),
    }),
    vscode.lm.registerTool<Text>("rig_ask", {
      prepareInvocation: ({ input }) => ({
        invocationMessage: `Asking for ${input.text}`,
        confirmationMessages: {
          title: "Run rig_ask?",
          message: new vscode.MarkdownString(`It will echo **${input.text}**.`),
        },
      }),
      invoke: ({ input }) => answer("rig_ask", input),
    }),
    vscode.lm.registerTool<Text>("rig_fail", {
      invoke: ({ input: { text } }) => {
        runs.rig_fail++;
        throw new Error(text);
      },
    }),
    vscode.chat.createChatParticipant("toolhost-test.rig", converse),
  );
}

/** The plain loop of a participant: ask the model, run its calls with the request's token, until it only talks. */
const converse: vscode.ChatRequestHandler = async (request, _context, stream, token) => {
  const tools = vscode.lm.tools.filter((tool) => tool.name.startsWith("rig_"));
  const messages = [vscode.LanguageModelChatMessage.User(request.prompt)];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const response = await request.model.sendRequest(messages, { tools }, token);
    const said: (vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart)[] = [];
    for await (const part of response.stream) {
      if (part instanceof vscode.LanguageModelTextPart) {
        stream.markdown(part.value);
        said.push(part);
      } else if (part instanceof vscode.LanguageModelToolCallPart) {
        said.push(part);
      }
    }
    const calls = said.filter((part) => part instanceof vscode.LanguageModelToolCallPart);
    if (calls.length === 0) return {};
    messages.push(vscode.LanguageModelChatMessage.Assistant(said));
    for (const call of calls) {
      const result = await vscode.lm.invokeTool(
        call.name,
        { input: call.input, toolInvocationToken: request.toolInvocationToken },
        token,
      );
      messages.push(
        vscode.LanguageModelChatMessage.User([new vscode.LanguageModelToolResultPart(call.callId, result.content)]),
      );
    }
  }
  return {};
};

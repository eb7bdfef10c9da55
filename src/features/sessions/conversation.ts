import type { ModelContent, ModelMessage } from "../../ports/models.js";

/** The result shown to the model for a call without one: it is unknown whether the call did anything. */
const UNENDED = "(The turn ended before this call did.)";

/** A message and its place in the session. */
export interface PlacedMessage {
  seq: number;
  message: ModelMessage;
}

type Call = Extract<ModelContent, { type: "call" }>;
type Result = Extract<ModelContent, { type: "result" }>;

/**
 * Turns messages into a conversation that model APIs accept, whatever happened in the turns: each answer's calls are
 * directly followed by one message that begins with their results, in order. A call without a result gets a text that
 * says so; a result without a call is dropped. No text is empty, and no role speaks twice in a row.
 *
 * @returns each message with the `seq` of the last message it includes
 */
export function asConversation(messages: readonly PlacedMessage[]): PlacedMessage[] {
  const spoken: PlacedMessage[] = [];
  const add = (seq: number, role: ModelMessage["role"], content: readonly ModelContent[]): void => {
    const last = spoken.at(-1);
    if (content.length === 0) {
      return;
    }
    if (last?.message.role === role) {
      last.message.content.push(...content);
      last.seq = Math.max(last.seq, seq);
    } else {
      spoken.push({ seq, message: { role, content: [...content] } });
    }
  };
  for (let at = 0; at < messages.length;) {
    const first = messages[at]?.message.role;
    const to = endOfRun(messages, at);
    const run = messages.slice(at, to);
    at = to;
    const seq = run.at(-1)?.seq ?? 0;
    if (first !== "assistant") {
      // Drop results whose calls are not included: a summary replaces them, or the user took them back.
      run.forEach((each) => add(each.seq, each.message.role, each.message.content.filter(isWords)));
      continue;
    }
    const content = uniqueCalls(
      run.flatMap(({ message }) => message.content).filter((part) => part.type === "call" || isWords(part)),
    );
    add(seq, "assistant", content);
    const calls = content.filter((part) => part.type === "call");
    if (calls.length === 0) {
      continue;
    }
    const answerEnd = messages[to]?.message.role === "user" ? endOfRun(messages, to) : to;
    const answers = messages.slice(to, answerEnd);
    at = answerEnd;
    add(answers.at(-1)?.seq ?? seq, "user", [
      ...resultsOf(
        calls,
        answers.flatMap(({ message }) => message.content).filter((part) => part.type === "result"),
      ),
      ...answers.flatMap(({ message }) => message.content).filter(isWords),
    ]);
  }
  return spoken;
}

/** Returns where a run of messages of the same role ends. */
function endOfRun(messages: readonly PlacedMessage[], from: number): number {
  let to = from + 1;
  while (messages[to] !== undefined && messages[to]?.message.role === messages[from]?.message.role) {
    to += 1;
  }
  return to;
}

/** Whether a part is visible to the model on its own: model APIs reject an empty text. */
function isWords(part: ModelContent): boolean {
  return part.type === "media" || (part.type === "text" && part.text.trim() !== "");
}

/**
 * Drops repeated call ids: some servers give several calls of one answer the same id, and only one could be answered.
 */
function uniqueCalls(content: readonly ModelContent[]): ModelContent[] {
  const ids = new Set<string>();
  return content.filter((part) => part.type !== "call" || (!ids.has(part.id) && ids.add(part.id)));
}

function resultsOf(calls: readonly Call[], given: readonly Result[]): Result[] {
  const byId = new Map<string, Result>();
  for (const result of given) {
    if (!byId.has(result.id)) {
      byId.set(result.id, result);
    }
  }
  return calls.map(({ id }) => byId.get(id) ?? { type: "result", id, text: UNENDED });
}

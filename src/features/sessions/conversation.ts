import type { ModelContent, ModelMessage } from "../../ports/models.js";

/** What the model is told of a call that has no result: whether it did something is not known. */
const UNENDED = "(The turn ended before this call did.)";

/** A message and its place in the session. */
export interface PlacedMessage {
  seq: number;
  message: ModelMessage;
}

type Call = Extract<ModelContent, { type: "call" }>;
type Result = Extract<ModelContent, { type: "result" }>;

/**
 * A conversation as model APIs take it, whatever became of the turns that made it: each answer's calls are followed at
 * once by one message that begins with their results, in their order; a call without one is answered with a text that
 * says so, and a result without a call is left out. Nothing is empty, and no role speaks twice in a row.
 *
 * @returns each message with the `seq` of the last one that is in it
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
      // Its calls are not in what is told: a summary stands for them, or they were taken back.
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

/** Where the messages of one role that begin at a place end. */
function endOfRun(messages: readonly PlacedMessage[], from: number): number {
  let to = from + 1;
  while (messages[to] !== undefined && messages[to]?.message.role === messages[from]?.message.role) {
    to += 1;
  }
  return to;
}

/** Whether a part is said by itself, and says something: model APIs refuse an empty text. */
function isWords(part: ModelContent): boolean {
  return part.type === "media" || (part.type === "text" && part.text.trim() !== "");
}

/** Some servers give several calls of one answer the same id; only one of them could be answered. */
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

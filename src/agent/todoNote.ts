import type { ModelContent, ModelMessage } from "../ports/models.js";
import { stepsOf, todo } from "../tools/sessions/todo.js";
import { checklist } from "../tools/sessions/todoSteps.js";
import type { OrderedCall } from "./callOrder.js";
import { ownWords } from "./ownWords.js";

/** The beginning of a note, by which the next compaction finds it. */
const TITLE = "Your list of steps (todo):\n";
const START = ownWords(TITLE).slice(0, -1);

/**
 * Returns the note that keeps the list of steps of messages that are summarized: from the latest call of `todo`, or from
 * an earlier note. Undefined if there is no list, if it was cleared, or if the messages after them have a newer one.
 */
export function todoNote(
  head: readonly ModelMessage[],
  tail: readonly ModelMessage[],
  asOrdered: (call: Extract<ModelContent, { type: "call" }>) => OrderedCall,
): string | undefined {
  const latest = (messages: readonly ModelMessage[]): string | undefined => {
    const notes = messages.flatMap(({ role, content }) =>
      content.flatMap((part) => {
        if (part.type === "text") {
          return role === "user" && part.text.startsWith(START) ? [part.text] : [];
        }
        const call = part.type === "call" ? asOrdered(part) : undefined;
        const steps = call?.tool?.name === todo.name ? stepsOf(call.input) : undefined;
        return steps === undefined ? [] : [steps.length === 0 ? "" : ownWords(TITLE + checklist(steps).join("\n"))];
      }),
    );
    return notes.at(-1);
  };
  return latest(tail) === undefined ? latest(head) || undefined : undefined;
}

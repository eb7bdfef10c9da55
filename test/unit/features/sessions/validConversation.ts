import { expect } from "vitest";
import type { ModelMessage } from "../../../../src/ports/models.js";

/**
 * Checks what model APIs ask of a conversation: roles take turns, nothing is empty, and each call has just one result,
 * at once after it.
 */
export function expectValid(messages: readonly ModelMessage[]): void {
  for (const [index, { role, content }] of messages.entries()) {
    expect(messages[index + 1]?.role, "roles take turns").not.toBe(role);
    expect(content, "no message is empty").not.toEqual([]);
    expect(
      content.filter((part) => part.type === "text" && part.text.trim() === ""),
      "no text is empty",
    ).toEqual([]);
    const calls = content.flatMap((part) => (part.type === "call" ? [part.id] : []));
    expect(new Set(calls).size, "calls of an answer differ").toBe(calls.length);
    const next = messages[index + 1]?.content ?? [];
    expect(
      next.slice(0, calls.length).map((part) => (part.type === "result" ? part.id : part.type)),
      "results follow on their calls",
    ).toEqual(calls);
    const results = content.filter(({ type }) => type === "result").length;
    const asked = (messages[index - 1]?.content ?? []).filter(({ type }) => type === "call").length;
    expect(results, "no result is without a call").toBe(asked);
  }
}

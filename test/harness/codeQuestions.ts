// Questions about a real project (scripts/ensure-project.mjs) with what TypeScript's compiler answers; they are made by
// scripts/code-questions.mjs.
import given from "../fixtures/code/questions.json";

interface Question {
  tool: string;
  input: Readonly<Record<string, unknown>>;
  /** `path:line`, sorted, each once. */
  expected: readonly string[];
}

export const questions: readonly Question[] = given;

/** Takes the places out of an answer's data. */
export function answeredPlaces(data: unknown): string[] {
  const { places, symbols } = data as Record<"places" | "symbols", { path: string; line: number }[] | undefined>;
  return [...new Set((places ?? symbols ?? []).map(({ path, line }) => `${path}:${line}`))].sort();
}

/** Whether an answer is the compiler's. An outline may have more: the compiler's list has no properties. */
export function isRight({ tool, expected }: Question, places: readonly string[]): boolean {
  return tool === "symbols"
    ? expected.every((place) => places.includes(place))
    : expected.join() === [...places].join();
}

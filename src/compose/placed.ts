// Questions that say in which sandbox a call runs.
import type { Caller } from "../core/caller.js";
import type { Pipeline } from "../core/pipeline/pipeline.js";
import type { Question } from "../ports/confirm.js";

/** Returns an object with some of its methods replaced. */
export function over<T extends object>(base: T, own: Partial<T>): T {
  return new Proxy(base, {
    get: (_, key) => {
      const value: unknown = Reflect.get(key in own ? own : base, key);
      return typeof value === "function" ? (value.bind(key in own ? own : base) as unknown) : value;
    },
  });
}

/** Returns a question whose title begins with the name of the sandbox. */
export function namedQuestion(question: Question, name: string): Question {
  return { ...question, place: name, title: `${name}: ${question.title}` };
}

/** Returns a caller whose questions name the sandbox. */
export function placedCaller<C extends Pick<Caller, "confirm" | "answeredInAdvance">>(
  caller: C,
  seen: (question: Question) => Question,
): C {
  const { confirm } = caller;
  return {
    ...caller,
    ...(confirm && { confirm: over(confirm, { ask: (question, signal) => confirm.ask(seen(question), signal) }) }),
    ...(caller.answeredInAdvance && {
      answeredInAdvance: (question: Question) => caller.answeredInAdvance?.(seen(question)),
    }),
  };
}

/** Returns a pipeline whose questions begin with the name of a sandbox; the same one if there is none. */
export function placedPipeline(pipeline: Pipeline, name: string | undefined): Pipeline {
  if (name === undefined) {
    return pipeline;
  }
  const seen = (question: Question): Question => namedQuestion(question, name);
  return over(pipeline, {
    prepare: async (tool, raw, caller) => {
      const { question, ...prepared } = await pipeline.prepare(tool, raw, placedCaller(caller, seen));
      return { ...prepared, question: question && seen(question) };
    },
    invoke: (tool, raw, caller) => pipeline.invoke(tool, raw, placedCaller(caller, seen)),
  } satisfies Partial<Pipeline>);
}

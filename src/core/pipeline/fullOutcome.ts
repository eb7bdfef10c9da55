import type { SecretMask } from "../../text/secrets/mask.js";
import { MaskStream } from "../../text/secrets/stream.js";
import type { Tool } from "../contract.js";
import { isRecord } from "../jsonSchema.js";
import type { Outcome, ToolResult } from "../outcome.js";
import type { SeenCall } from "../outflow/seenTexts.js";
import { describeValue, tellIssues } from "./issues.js";

/** An outcome with the parts that only another tool gets, and whether it is for showing a secret. */
export type FullOutcome = (({ ok: true } & ToolResult) | Extract<Outcome, { ok: false }>) & {
  isUnmasked?: boolean;
  /** The call of a model's result. */
  made?: SeenCall;
};

/**
 * Returns the outcome of a result, reduced to an outcome's fields. Throws if the result lacks the shape that its tool
 * promised.
 */
export function checkResult(tool: Tool, result: unknown): FullOutcome {
  const { text, data, media, whole } = (isRecord(result) ? result : {}) as Partial<ToolResult>;
  const issues =
    typeof text === "string"
      ? tool.checkData(data)
      : [{ path: "text", message: `expected string, got ${describeValue(text)}` }];
  if (typeof text !== "string" || issues.length > 0) {
    throw new Error(`its result does not have the promised shape (${tellIssues(issues)})`);
  }
  return {
    ok: true,
    text,
    ...(data === undefined ? {} : { data }),
    ...(media === undefined ? {} : { media }),
    ...(whole === undefined ? {} : { whole }),
  };
}

/** Returns an outcome with handles in place of secrets: whoever gets it, stores it or shows it, has no others. */
export function maskOutcome(outcome: FullOutcome, mask: SecretMask): FullOutcome {
  if (!outcome.ok) {
    return { ...outcome, error: mask.maskData(outcome.error) };
  }
  const { text, data, whole } = outcome;
  return {
    ...outcome,
    text: mask.mask(text),
    ...(data === undefined ? {} : { data: mask.maskData(data) }),
    ...(whole === undefined
      ? {}
      : {
          whole: {
            ...whole,
            note: mask.mask(whole.note),
            ...(whole.beside === undefined ? {} : { beside: mask.mask(whole.beside) }),
            chunks: (signal) => maskedChunks(whole.chunks(signal), new MaskStream((part) => mask.places(part))),
          },
        }),
  };
}

async function* maskedChunks(chunks: AsyncIterable<string>, stream: MaskStream): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    yield stream.push(chunk);
  }
  yield stream.end();
}

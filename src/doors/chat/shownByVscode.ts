import type { Pipeline } from "../../core/pipeline/pipeline.js";
import { tools } from "../../tools/index.js";

/**
 * Whether VS Code shows calls of a tool and asks about them: it knows those that package.json contributes, and none that
 * was registered later.
 */
export function isShownByVscode(pipeline: Pick<Pipeline, "available">, tool: string): boolean {
  return (
    tools.some(({ name, expose }) => name === tool && expose !== "never") &&
    pipeline.available().some(({ name }) => name === tool)
  );
}

import type { Files, GatedPath } from "../../../ports/files.js";
import { ToolError } from "../../errors.js";

/** Resolves a path inside the workspace or, if the host can reach that, outside it: then permission decides. */
export async function resolveAnywhere(files: Files, path: string): Promise<GatedPath> {
  try {
    return await files.resolve(path);
  } catch (error) {
    if (!(error instanceof ToolError) || error.type !== "outside_workspace" || files.outside === undefined) {
      throw error;
    }
    return files.outside(path);
  }
}

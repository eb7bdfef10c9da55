import * as z from "zod";
import { toolsFile } from "../features/custom/entry.js";

/** The JSON Schema of a file of tools, by which editors complete and check it. */
export function toolsSchema(): object {
  return {
    ...z.toJSONSchema(toolsFile, { io: "input", target: "draft-7" }),
    title: "Tools of a workspace (Toolhost)",
    allowTrailingCommas: true,
  };
}

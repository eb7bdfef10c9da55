import * as z from "zod";
import type { Aliases } from "../../core/aliases.js";
import { once } from "../../core/once.js";

/** Input fields that name a symbol. */
export const SYMBOL_FIELDS = once(() => ({
  symbol: z
    .string()
    .min(1)
    .describe("Its name, if needed with the names around it: Router.match. With line, also a piece of that line."),
  path: z.string().optional().describe("File or folder that has it. Default: the workspace."),
  line: z.int().min(1).optional().describe("Line in path where it is declared or used, 1-based."),
}));

/** Other names of these fields. */
export const SYMBOL_ALIASES: Aliases = {
  ...{ name: "symbol", symbol_name: "symbol", symbolName: "symbol", name_path: "symbol" },
  ...{
    filePath: "path",
    file_path: "path",
    file: "path",
    relative_path: "path",
    lineNumber: "line",
    line_number: "line",
  },
};

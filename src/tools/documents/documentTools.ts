import type * as z from "zod";
import type { Tool } from "../../core/contract.js";
import { deleteTool } from "./deleteTool.js";
import type { DocumentType } from "./documentType.js";
import { editTool } from "./editTool.js";
import { listTool } from "./listTool.js";
import { readTool } from "./readTool.js";
import { writeTool } from "./writeTool.js";

/** Returns the five tools for a kind of document. None of them is registered as a language model tool. */
export function documentTools<Fields, Filters extends z.ZodRawShape, Input extends z.ZodRawShape>(
  type: DocumentType<Fields, Filters, Input>,
): Tool[] {
  return [listTool(type), readTool(type), writeTool(type), editTool(type), deleteTool(type)];
}

import type * as z from "zod";
import type { ToolPart } from "../../core/contract.js";
import { DOCUMENT_ACTIONS } from "../../features/documents/document.js";
import { deleteTool } from "./deleteTool.js";
import type { DocumentType } from "./documentType.js";
import { editTool } from "./editTool.js";
import { listTool } from "./listTool.js";
import { readTool } from "./readTool.js";
import { writeTool } from "./writeTool.js";

const MAKERS = { list: listTool, read: readTool, write: writeTool, edit: editTool, delete: deleteTool };

/** Returns what `document` does with a kind of document: one part for each action. */
export function documentParts<Fields, Filters extends z.ZodRawShape, Input extends z.ZodRawShape>(
  type: DocumentType<Fields, Filters, Input>,
): ToolPart[] {
  return DOCUMENT_ACTIONS.map((action) => ({
    tool: MAKERS[action](type),
    chosenBy: { action, kind: type.kind.noun },
  }));
}

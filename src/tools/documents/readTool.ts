import * as z from "zod";
import type { Tool } from "../../core/contract.js";
import { defineTool } from "../../core/defineTool.js";
import { ToolError } from "../../core/errors.js";
import {
  documentCall,
  documentPath,
  givenName,
  MAX_DOCUMENT_BYTES,
  MAX_NAME,
  type DocumentPlace,
} from "../../features/documents/document.js";
import type { Files } from "../../ports/files.js";
import { slug } from "../../text/slug.js";
import { givePage, noPage, PAGE_FIELDS } from "../fs/filePage.js";
import { isThere, notFound, parsedFrom, unreadable, type DocumentFile } from "./documentFiles.js";
import type { DocumentType } from "./documentType.js";

/** Defines X_read. */
export function readTool<Fields, Filters extends z.ZodRawShape, Input extends z.ZodRawShape>(
  type: DocumentType<Fields, Filters, Input>,
): Tool {
  const { kind, rendering } = type;
  return defineTool({
    name: `${kind.noun}_read`,
    group: "documents",
    title: `Read ${kind.noun}`,
    description:
      `Read a ${kind.noun} by its name, as numbered lines for edit, with its fields as data. For a malformed one it reports the problem. ` +
      `list shows the names.${rendering === undefined ? "" : ` ${rendering.description}`}`,
    input: () =>
      z.object({
        name: z.string().describe(`Name of the ${kind.noun}, as list shows it. Case does not matter.`),
        ...(rendering === undefined
          ? {}
          : {
              arguments: z
                .string()
                .max(100_000)
                .optional()
                .describe(
                  "To use it: its arguments on one line, empty for none. Returns the text to follow, without line numbers.",
                ),
            }),
        ...PAGE_FIELDS(),
      }),
    aliases: { id: "name" },
    output: () =>
      z.object({
        name: z.string(),
        path: z.string(),
        problem: z.string().nullable().describe("The problem; null when well-formed."),
        fields: z.record(z.string(), z.unknown()).nullable().describe("Its front matter; null when malformed."),
        body: z.string().nullable().describe("The body, with any arguments inserted."),
        total_lines: z.int().nullable(),
        next_offset: z.int().nullable().describe("null when nothing follows."),
      }),
    needs: ["files", "reads"],
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    positional: ["name"],
    touches: ({ name }) => candidates(kind, name).map((each) => ({ kind: "read", path: documentPath(kind, each) })),
    summary: ({ name }) => `Read the ${kind.noun} ${name}`,
    expose: "never",
    execute: async (input, { files, reads, signal, secretPlaces }) => {
      const {
        name: raw,
        arguments: line,
        ...wanted
      } = input as { name: string; arguments?: string; offset?: number; limit?: number; column?: number };
      const { name, at } = await findByAnyName(files, kind, raw);
      const parsed = await files.readSnapshot(at, MAX_DOCUMENT_BYTES).then(
        (snapshot) => parsedFrom(kind, name, snapshot),
        (error: unknown) => {
          if (error instanceof ToolError) {
            return unreadable(error, at);
          }
          throw error;
        },
      );
      const told = {
        name,
        path: at.path,
        problem: parsed.ok ? null : parsed.problem,
        fields: parsed.ok ? (parsed.document.fields as Record<string, unknown>) : null,
        body: parsed.ok ? parsed.document.body : null,
      };
      if (line !== undefined && rendering !== undefined) {
        if (!parsed.ok) {
          throw new ToolError(
            "unsupported",
            `${kind.noun} ${name} is malformed and cannot be used: ${parsed.problem}.`,
            `Ask the user to fix ${at.path}, or fix it with ${documentCall("edit", kind)}.`,
          );
        }
        const text = rendering.render(parsed.document, at.path, line);
        await reads.note(at, await files.readSnapshot(at, MAX_DOCUMENT_BYTES));
        return { text, data: { ...told, body: text, total_lines: null, next_offset: null } };
      }
      const page = await givePage(
        { files, reads, signal, secretPlaces },
        at,
        await files.stat(at),
        wanted,
        `${kind.noun} ${name}`,
      ).catch((error: unknown) => {
        if (error instanceof ToolError && error.type === "binary") {
          return { text: "[Not a text file.]", data: noPage(false) };
        }
        throw error;
      });
      const { total_lines, next_offset } = page.data;
      const remark = parsed.ok ? [] : [`[This ${kind.noun} is malformed: ${parsed.problem}.]`];
      return { text: [page.text, ...remark].join("\n"), data: { ...told, total_lines, next_offset } };
    },
  });
}

/** Returns the document names that a caller may mean: the one given, and the one X_write would have derived from it. */
function candidates(kind: DocumentPlace, raw: string): string[] {
  const name = givenName(kind, raw);
  const made = slug(name, kind.letters, MAX_NAME);
  return made === "" || made === name ? [name] : [name, made];
}

async function findByAnyName(files: Files, kind: DocumentPlace, raw: string): Promise<DocumentFile> {
  const [name = "", ...others] = candidates(kind, raw);
  for (const each of [name, ...others]) {
    const at = await files.resolve(documentPath(kind, each));
    if (await isThere(files, at)) {
      return { name: each, at };
    }
  }
  throw await notFound(files, kind, name);
}

import * as z from "zod";
import { documentCall, MAX_DOCUMENTS } from "../../features/documents/document.js";
import type { Tool } from "../../core/contract.js";
import { defineTool } from "../../core/defineTool.js";
import { oneLine, shorten } from "../../text/clip.js";
import { compareCodeUnits } from "../../text/nearest.js";
import { shownName } from "../../text/shownName.js";
import { documentNames, listDocuments } from "./documentFiles.js";
import { count } from "../../text/words.js";
import type { DocumentType, Listed } from "./documentType.js";
import { relevance } from "./relevance.js";

/** Rows per answer by default. */
const LIMIT = 100;
/** Maximum characters of a row's line. */
const MAX_LINE = 500;

/** Defines X_list. */
export function listTool<Fields, Filters extends z.ZodRawShape, Input extends z.ZodRawShape>(
  type: DocumentType<Fields, Filters, Input>,
): Tool {
  const { kind, plural } = type;
  return defineTool({
    name: `${kind.noun}_list`,
    group: "documents",
    title: `List ${plural}`,
    description: `List the ${plural} of this workspace. ${type.about} Malformed ones are listed with the problem. With query: matches, best first.`,
    input: () =>
      z.object({
        query: z
          .string()
          .max(1_000)
          .optional()
          .describe("Words to find; a match in the name counts more. Default: all."),
        limit: z.int().min(1).max(MAX_DOCUMENTS).optional().describe(`Maximum number to list. Default: ${LIMIT}.`),
        offset: z.int().min(0).optional().describe("Number to skip. Default: 0."),
        ...type.filters(),
      }),
    aliases: { top_k: "limit", max_results: "limit" },
    output: () =>
      z.object({
        [plural]: z.array(z.looseObject({ name: z.string(), path: z.string(), problem: z.string().nullable() })),
        total: z.int().describe("Number of matches, shown or not."),
      }),
    needs: ["files"],
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    positional: ["query"],
    touches: () => [{ kind: "read", path: kind.folder, deep: true }],
    summary: () => `List the ${plural}`,
    expose: "never",
    execute: async (given, { files, signal }) => {
      const {
        query,
        limit = LIMIT,
        offset = 0,
        ...rest
      } = given as { query?: string; limit?: number; offset?: number };
      const all = await listDocuments(files, kind, signal);
      const unread = all.length < MAX_DOCUMENTS ? 0 : (await documentNames(files, kind)).length - all.length;
      const wanted = rest as z.output<z.ZodObject<Filters>>;
      const isFiltered = Object.values(rest).some((value) => value !== undefined);
      const fitting = all.filter(({ parsed }) =>
        parsed.ok ? type.matches(parsed.document.fields, wanted) : !isFiltered,
      );
      const ordered = query === undefined ? fitting.sort(orderOf(type)) : byRelevance(type, query, fitting);
      const page = ordered.slice(offset, offset + limit);
      return {
        text: [
          describe(type, all, page, { query, offset, total: ordered.length }),
          ...(unread > 0 ? [`[Skipped ${unread} more ${plural}: at most ${MAX_DOCUMENTS} per folder are read.]`] : []),
        ].join("\n"),
        data: { [plural]: page.map((listed) => rowOf(type, listed)), total: ordered.length } as never,
      };
    },
  });
}

type AnyType<Fields> = DocumentType<Fields, z.ZodRawShape, z.ZodRawShape>;

function rowOf<Fields>({ row }: Pick<AnyType<Fields>, "row">, { name, path, parsed }: Listed<Fields>): object {
  return parsed.ok
    ? { name, path, problem: null, ...row(parsed.document.fields) }
    : { name, path, problem: parsed.problem };
}

function describe<Fields>(
  { kind, plural, line }: Pick<AnyType<Fields>, "kind" | "plural" | "line">,
  all: readonly Listed<Fields>[],
  page: readonly Listed<Fields>[],
  { query, offset, total }: { query: string | undefined; offset: number; total: number },
): string {
  if (page.length === 0) {
    const none =
      all.length === 0
        ? `There are no ${plural} yet. ${documentCall("write", kind)} creates one.`
        : total > 0
          ? `offset=${offset} is past the end: only ${count(total, kind.noun, plural)} found.`
          : query === undefined
            ? `No ${kind.noun} matches. There ${all.length === 1 ? "is" : "are"} ${all.length} in all.`
            : `No ${kind.noun} matches these words. Without query all ${all.length} are listed.`;
    return `[${none}]`;
  }
  const lines = page.map(({ name, parsed }) => {
    const told = parsed.ok ? line(parsed.document, all) : `[malformed: ${parsed.problem}]`;
    return shorten(`${shownName(name)}${told === "" ? "" : `  ${oneLine(told)}`}`, MAX_LINE);
  });
  const left = total - offset - page.length;
  return [...lines, ...(left > 0 ? [`[${left} more. Continue with offset=${offset + page.length}.]`] : [])].join("\n");
}

/** Returns the kind's own order, with malformed documents last. */
function orderOf<Fields>({
  compare,
}: Pick<AnyType<Fields>, "compare">): (a: Listed<Fields>, b: Listed<Fields>) => number {
  return (a, b) => {
    if (!a.parsed.ok || !b.parsed.ok) {
      return Number(!a.parsed.ok) - Number(!b.parsed.ok) || compareCodeUnits(a.name, b.name);
    }
    return compare?.(a.parsed.document, b.parsed.document) ?? compareCodeUnits(a.name, b.name);
  };
}

function byRelevance<Fields>(
  { searched }: Pick<AnyType<Fields>, "searched">,
  query: string,
  documents: readonly Listed<Fields>[],
): Listed<Fields>[] {
  const score = relevance(query);
  return documents
    .map((listed) => ({
      listed,
      score: score({
        name: listed.name,
        described: listed.parsed.ok ? searched(listed.parsed.document.fields) : [],
        body: listed.parsed.ok ? listed.parsed.document.body : "",
      }),
    }))
    .filter((each) => each.score > 0)
    .sort((a, b) => b.score - a.score || compareCodeUnits(a.listed.name, b.listed.name))
    .map(({ listed }) => listed);
}

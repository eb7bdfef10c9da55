import { ToolError } from "../../../core/errors.js";
import type { Capabilities } from "../../../ports/capabilities.js";
import type { Files } from "../../../ports/files.js";
import type { KnowledgeHit } from "../../../ports/knowledge.js";
import { isBuilt } from "../../../text/builtFile.js";
import { shownName } from "../../../text/shownName.js";
import { shownText } from "../../../text/symbolNames.js";
import { isTest } from "../../../text/testFile.js";
import { count } from "../../../text/words.js";
import { statExisting } from "../../fs/existing.js";

/** Parts of one symbol that are found for each that is shown: long ones are in several. */
const SPARE = 3;

interface SearchInput {
  query: string;
  path?: string | undefined;
  limit: number;
}

interface SearchAnswer {
  text: string;
  data: {
    hits: {
      path: string;
      symbol: string;
      start_line: number;
      end_line: number;
      score: number;
      snippet: string;
    }[];
    ranking: "lexical" | "hybrid";
    note: string | null;
  };
}

/** Finds symbols by words. @throws ToolError `invalid_input` for a query without words, `unavailable` if it is off */
export async function searchCode(
  { query, path = ".", limit }: SearchInput,
  { files, codeIndex, signal }: { files: Files; codeIndex: Capabilities["codeIndex"]; signal: AbortSignal },
): Promise<SearchAnswer> {
  const at = await files.resolve(path);
  if (at.outside === true) {
    throw new ToolError(
      "unsupported",
      `${shownName(path)} is not in the workspace, whose code alone is searched.`,
      "Use grep.",
    );
  }
  await statExisting(files, at);
  const { hits, ranking, ...found } = await codeIndex.search(
    { area: "code", query, ...(at.path !== "." && { path: at.path }), limit: SPARE * limit, minScore: 0 },
    signal,
  );
  const notes = [found.note, found.unsearched].filter((each) => each !== undefined);
  const { kept, copies } = withoutCopies(eachSymbolOnce(hits));
  const shown = testsLater(kept).slice(0, limit);
  return {
    text: [
      ...shown.map((hit) => describe(hit, copies.get(hit) ?? 0)),
      ...(shown.length === 0 ? ["[Nothing found.]"] : []),
      ...notes.map((note) => `[${note}]`),
    ].join("\n"),
    data: {
      hits: shown.map(({ path: file, heading, startLine, endLine, score, snippet }) => ({
        ...{ path: file, symbol: heading, start_line: startLine, end_line: endLine, score, snippet },
      })),
      ranking: ranking === "hybrid" ? "hybrid" : "lexical",
      note: notes.length === 0 ? null : notes.join(" "),
    },
  };
}

/** Moves tests to twice their rank: they say in words what other code does. */
function testsLater(hits: readonly KnowledgeHit[]): KnowledgeHit[] {
  return hits
    .map((hit, index) => ({ hit, rank: (index + 1) * (isTest(hit.path) ? 2 : 1) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ hit }) => hit);
}

function eachSymbolOnce(hits: readonly KnowledgeHit[]): KnowledgeHit[] {
  const best = new Map<string, KnowledgeHit>();
  for (const hit of hits) {
    const key = `${hit.path}:${hit.heading === "" ? hit.startLine : hit.heading}`;
    best.set(key, best.get(key) ?? hit);
  }
  return [...best.values()];
}

/** Leaves out what a build made of a symbol that is found elsewhere, and counts it. */
function withoutCopies(hits: readonly KnowledgeHit[]): { kept: KnowledgeHit[]; copies: Map<KnowledgeHit, number> } {
  const copies = new Map<KnowledgeHit, number>();
  const kept = hits.filter((hit) => {
    if (!isBuilt(hit.path) || hit.heading === "") {
      return true;
    }
    const same = hits.filter(({ heading }) => heading === hit.heading);
    const original = same.find(({ path }) => !isBuilt(path)) ?? same[0] ?? hit;
    copies.set(original, (copies.get(original) ?? 0) + Number(original !== hit));
    return original === hit;
  });
  return { kept, copies };
}

/** Shows a symbol with its lines as `read` shows them, so that they can be quoted for an edit. */
function describe(
  { path, heading, startLine, endLine, snippet, snippetLine = startLine }: KnowledgeHit,
  copies: number,
): string {
  const lines = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
  const code = snippet
    .split("\n")
    .flatMap((line, index) => (line.trim() === "" ? [] : [`${snippetLine + index}\t${line}`]));
  const name = heading === "" ? "" : ` ${shownText(heading)}`;
  const also = copies === 0 ? "" : ` [and ${count(copies, "copy", "copies")} in build output]`;
  return [`${shownName(path)}:${lines}${name}${also}`, ...code].join("\n");
}

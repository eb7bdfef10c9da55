// What of saved pages web_fetch keeps, beside references made without our code, and what a model pays for it. Writes its
// part of docs/benchmarks.md. TOOLHOST_PAGES names a folder with more pages, in the form of test/fixtures/pages; those
// in that are not ours to pass on, so the repository does not have them.
import { join } from "node:path";
import { ProcessPages } from "../../src/hosts/node/pages/processPages.js";
import { nearness, savedPages, type Nearness } from "../harness/pageReferences.js";
import { writePart } from "./page.js";
import type { Tally } from "./tally.js";

/** Characters per token, about right for English and code. */
const PER_TOKEN = 4;
/** Of a page's reference, at least, and of its Markdown, at most. */
const [KEPT_BAR, EXTRA_BAR] = [0.9, 0.25];

export async function runBench({ repository }: { repository: string }): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0, skipped: 0, failures: [] };
  const more = process.env["TOOLHOST_PAGES"];
  const saved = [join(repository, "test/fixtures/pages"), ...(more === undefined ? [] : [more])].flatMap(
    (folder, index) => savedPages(folder).map((page) => ({ ...page, isOthers: index > 0 })),
  );
  const pages = new ProcessPages(join(repository, "dist"));
  const found: { kind: string; raw: number; ours: number; near: Nearness }[] = [];
  const rows: string[] = [];
  for (const { name, kind, url, html, reference, isOthers } of saved.toSorted((a, b) => a.kind.localeCompare(b.kind))) {
    const { markdown } = await pages.read(html, url, new AbortController().signal);
    const near = nearness(markdown, reference, url);
    found.push({ kind, raw: html.length, ours: markdown.length, near });
    rows.push(
      `| ${name} | ${kind} | ${tokens(html.length)} | ${tokens(markdown.length)} | ${[near.kept, near.extra, near.headings, near.code, near.links].map(percent).join(" | ")} |`,
    );
    const isNear = isOthers || (near.kept >= KEPT_BAR && near.extra <= EXTRA_BAR);
    tally[isNear ? "passed" : "failed"]++;
    if (!isNear) {
      tally.failures.push({
        title: `webPages: ${name}`,
        message: `It keeps ${percent(near.kept)} of its reference; ${percent(near.extra)} is not in it.`,
      });
    }
  }
  const kinds = [...new Set(found.map(({ kind }) => kind))].map((kind) => {
    const of = found.filter((each) => each.kind === kind);
    const mean = (part: keyof Nearness): string => percent(sum(of.map(({ near }) => near[part])) / of.length);
    return `${kind}: ${of.length} pages, ${mean("kept")} kept, ${mean("extra")} extra`;
  });
  const [raw, ours] = [sum(found.map((each) => each.raw)), sum(found.map((each) => each.ours))];
  const part = [
    "## What web_fetch keeps of pages",
    "",
    `${found.length} saved pages (${kinds.join("; ")}). The reference of each is what pandoc made of the element that a person chose as its content (test/fixtures/pages/README.md). Kept: of the reference's words. Extra: of our words, those that`,
    `the reference does not have. Headings, lines of code and addresses: of the reference's. Tokens are characters / ${PER_TOKEN}: in all, Markdown has ${percent(ours / raw)} of the pages'.`,
    "",
    "| page | kind | tokens raw | Markdown | kept | extra | headings | code | links |",
    "|---|---|---|---|---|---|---|---|---|",
    ...rows,
    "",
    `Held: at least ${percent(KEPT_BAR)} kept and at most ${percent(EXTRA_BAR)} extra for every page of the repository; the others are only shown.`,
  ].join("\n");
  console.log(part);
  writePart(repository, "webPages", part);
  return tally;
}

function tokens(characters: number): string {
  return Math.round(characters / PER_TOKEN).toLocaleString("en");
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}

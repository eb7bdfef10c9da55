// The retrieval set: questions with known answers over the documentation of the dependency tree.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";

/** A question; its answer is any chunk of a file with this end of its path that holds these words. */
export interface Question {
  query: string;
  file: string;
  words: string;
}

export interface Document {
  path: string;
  text: string;
}

/** Documentation: Markdown and the like, and declarations with their comments. */
const DOCUMENTATION =
  /\.(?:md|markdown|mdx|rst)$|^(?:readme|changelog|license|history|authors|notice)|(?<!\.min)\.d\.[mc]?ts$/i;
const MAX_BYTES = 200_000;

/** What we ask; see test/fixtures/retrieval/queries.json. */
export function questions(repository: string): Question[] {
  const rows = JSON.parse(readFileSync(join(repository, "test/fixtures/retrieval/queries.json"), "utf8")) as [
    string,
    string,
    string,
  ][];
  return rows.map(([query, file, words]) => ({ query, file, words }));
}

/** Every documentation file of the dependency tree, each text once. */
export function documents(repository: string): Document[] {
  const top = join(repository, "node_modules");
  const seen = new Set<string>();
  const found: Document[] = [];
  const visit = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        visit(path);
      } else if (entry.isFile() && DOCUMENTATION.test(entry.name) && statSync(path).size <= MAX_BYTES) {
        const text = readFileSync(path, "utf8");
        const hash = createHash("sha256").update(text).digest("hex");
        if (!seen.has(hash)) {
          seen.add(hash);
          found.push({ path: relative(top, path).replaceAll("\\", "/"), text });
        }
      }
    }
  };
  visit(top);
  return found;
}

export function isAnswer({ file, words }: Question, hit: { path: string; text: string; heading: string }): boolean {
  return (
    (hit.path === file || hit.path.endsWith(`/${file}`)) &&
    `${hit.heading}\n${hit.text}`.toLowerCase().includes(words.toLowerCase())
  );
}

/**
 * How well rankings answer: the share of questions whose answer is among the first 6, and the mean of 1 / its rank (0
 * past 10).
 */
export function measureRanking(
  all: readonly Question[],
  rank: (query: string) => { path: string; text: string; heading: string }[],
): { recall: number; reciprocal: number; missed: Question[] } {
  const missed: Question[] = [];
  let reciprocal = 0;
  for (const question of all) {
    const place = rank(question.query).findIndex((hit) => isAnswer(question, hit));
    if (place === -1 || place >= 6) {
      missed.push(question);
    }
    reciprocal += place === -1 || place >= 10 ? 0 : 1 / (place + 1);
  }
  return { recall: 1 - missed.length / all.length, reciprocal: reciprocal / all.length, missed };
}

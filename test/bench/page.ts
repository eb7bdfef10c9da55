// docs/benchmarks.md and other pages: each run writes a part of its own and leaves the rest.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const TITLE = "# Benchmarks\n\nWritten by `npm run bench`; do not edit.\n";

/** Puts a run's part into the page, in place of what it wrote before, else behind the others. */
export function writePart(repository: string, name: string, part: string, file = "docs/benchmarks.md"): void {
  const path = join(repository, file);
  const [start, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const written = `${start}\n\n${part.trim()}\n\n${end}\n`;
  const page = existsSync(path) ? readFileSync(path, "utf8") : TITLE;
  const [from, to] = [page.indexOf(`${start}\n`), page.indexOf(`${end}\n`)];
  const isThere = from >= 0 && to > from;
  writeFileSync(
    path,
    isThere ? page.slice(0, from) + written + page.slice(to + end.length + 1) : `${page.trimEnd()}\n\n${written}`,
  );
}

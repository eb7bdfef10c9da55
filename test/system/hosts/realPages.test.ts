// Pages of real documentation sites, as Debian's packages ship them, beside references that pandoc made of the element
// that a person chose (test/fixtures/pages/README.md).
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ProcessPages } from "../../../src/hosts/node/pages/processPages.js";
import { nearness, savedPages, type Nearness } from "../../harness/pageReferences.js";

const folder = fileURLToPath(new URL("../../fixtures/pages", import.meta.url));

test("saved pages keep what their references have, and little else", async () => {
  const pages = new ProcessPages(fileURLToPath(new URL("../../../dist", import.meta.url)));
  const found: Nearness[] = [];
  for (const { name, html, url, reference } of savedPages(folder)) {
    const { markdown, plain, isCut, needsScript } = await pages.read(html, url, new AbortController().signal);
    expect({ name, plain, isCut, needsScript }).toEqual({ name, plain: undefined, isCut: false, needsScript: false });
    const near = nearness(markdown, reference, url);
    expect(near.kept, name).toBeGreaterThanOrEqual(0.95);
    expect(near.extra, name).toBeLessThanOrEqual(0.1);
    found.push(near);
  }
  expect(found.length).toBeGreaterThanOrEqual(17);
  for (const part of ["headings", "code", "links"] as const) {
    const mean = found.reduce((all, near) => all + near[part], 0) / found.length;
    expect(mean, part).toBeGreaterThanOrEqual(0.95);
  }
}, 120_000);

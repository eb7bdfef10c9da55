import { expect, test } from "vitest";
import { pageHtml } from "../../../../src/views/activity/pageHtml.js";
import type { ExportedActivity } from "../../../../src/views/activity/protocol.js";

const HOSTILE = "</script><!--<script>alert(1)</script>\u2028<img src=x onerror=alert(1)>";

const exported: ExportedActivity = {
  ...{ title: HOSTILE, sessions: [], session: "", earlier: 0, exported: "2026-01-01T00:00:00.000Z" },
  turns: [{ title: HOSTILE, detail: HOSTILE }],
  calls: [],
  texts: { 1: { input: HOSTILE, result: HOSTILE } },
};

test("what a page shows ends no element of it and begins none, and can be read back", () => {
  const html = pageHtml({ title: HOSTILE, script: `const end = "</script>";`, nonce: "n", language: "en", exported });
  expect(html.match(/<\/?script\b[^>]*>/g)).toEqual([
    '<script type="application/json" id="activity">',
    "</script>",
    '<script nonce="n">',
    "</script>",
  ]);
  expect(html).not.toMatch(/<!--|<img/);
  const [, data = ""] = /id="activity">([^<]*)</.exec(html) ?? [];
  expect(JSON.parse(data)).toEqual(exported);
  expect(html).toContain(`const end = "<\\/script>";`);
});

test("a page names its language and has its texts, which end no element either", () => {
  const translations = { Calls: HOSTILE };
  const html = pageHtml({ title: "", script: "", nonce: "n", language: "de", translations });
  expect(html).toContain('<html lang="de">');
  expect(html).not.toMatch(/<!--|<img/);
  const [, data = ""] = /id="translations">([^<]*)</.exec(html) ?? [];
  expect(JSON.parse(data)).toEqual(translations);
});

test("a page may load nothing, and run its own program alone", () => {
  const [, policy = ""] =
    /Content-Security-Policy" content="([^"]*)"/.exec(
      pageHtml({ title: "", script: "", nonce: "n", language: "en" }),
    ) ?? [];
  expect(policy.split("; ").sort()).toEqual([
    "base-uri 'none'",
    "default-src 'none'",
    "form-action 'none'",
    "script-src 'nonce-n'",
    "style-src 'nonce-n'",
  ]);
});

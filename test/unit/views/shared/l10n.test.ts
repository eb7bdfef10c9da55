import { afterEach, expect, test } from "vitest";
import { l10n } from "../../../../src/views/shared/l10n.js";
import { when } from "../../../../src/views/shared/words.js";

const english = (text: string, ...filled: (string | number)[]): string =>
  text.replaceAll(/\{(\d+)\}/g, (_place, index: string) => String(filled[Number(index)]));

afterEach(() => l10n.use(english));

test("texts are English where there is no VS Code, with what is filled in", () => {
  expect(l10n.t("{0} at {1}", "2026-11-27", "09:00")).toBe("2026-11-27 at 09:00");
  expect(l10n.t("{0} stays {1}", "a")).toBe("a stays {1}");
  expect(l10n.many(1, "{0} change in {1}", "{0} changes in {1}", "a")).toBe("1 change in a");
  expect(l10n.many(3, "{0} change in {1}", "{0} changes in {1}", "a")).toBe("3 changes in a");
});

test("a window's language is used from when it is known", () => {
  const german: Record<string, string> = { "just now": "gerade eben", "{0} minutes ago": "vor {0} Minuten" };
  l10n.use((text, ...filled) => english(german[text] ?? text, ...filled));
  expect([when(0, 1), when(0, 180_000)]).toEqual(["gerade eben", "vor 3 Minuten"]);
});

test("a page's translations are used where there are any", () => {
  l10n.useBundle({ "{1} of {0} calls": "{1} von {0} Aufrufen" });
  expect(l10n.many(4, "{1} of {0} call", "{1} of {0} calls", 2)).toBe("2 von 4 Aufrufen");
  expect(l10n.t("{0} calls", 4)).toBe("4 calls");
});

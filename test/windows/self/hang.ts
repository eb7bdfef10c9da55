// A file whose second test never gives control back: no time limit within the process can end it.
import { test } from "vitest";

test("passes: what comes before", () => undefined);
test("fails: an endless loop", () => {
  for (;;) {
    // Nothing ends it.
  }
});
test("does not run", () => undefined);

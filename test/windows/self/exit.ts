// A file whose second test ends the process, as a crash does.
import { test } from "vitest";

test("passes: what comes before", () => undefined);
test("fails: the end of the process", () => process.exit(0));
test("does not run", () => undefined);

import { expect, test } from "vitest";
import { saysItListens } from "../../../src/text/saysItListens.js";

// The lines are what the programs print by default.
test.each([
  "Listening on port 3000",
  "  \u279c  Local:   http://localhost:5173/",
  "   - Local:        http://localhost:3000",
  "Serving HTTP on 0.0.0.0 port 8000 (http://0.0.0.0:8000/) ...",
  " * Running on http://127.0.0.1:5000",
  "Starting development server at http://127.0.0.1:8000/",
  "INFO:     Uvicorn running on http://127.0.0.1:8000 (Press CTRL+C to quit)",
  "* Listening on http://127.0.0.1:3000",
  "ready - started server on 0.0.0.0:3000, url: http://localhost:3000",
  "Server running at http://localhost:3000/",
  "[12:00:00 AM] Found 0 errors. Watching for file changes.",
  `${"building\n".repeat(100)}App available at http://localhost:4200/\n`,
])("a server or watcher is ready: %s", (output) => {
  expect(saysItListens(output)).toBe(true);
});

test.each([
  "",
  "Running 12 tests on 3 files",
  "ready",
  "fetching http://localhost:3000/",
  "server\nat\nport 80",
  `${" ".repeat(600)}listening`,
  `listening\n${"x\n".repeat(20_000)}`,
])("nothing is ready: %j", (output) => {
  expect(saysItListens(output)).toBe(false);
});

test.each(["ready/at:", "READY/AT:\n", "local:\t", "on ready at http:", "listenin", ":1"])(
  "a hostile program that repeats %j does not hold up the thread that looks",
  (part) => {
    for (let look = 0; look < 500; look++) {
      saysItListens(part.repeat(20_000));
    }
    expect(saysItListens(`${part.repeat(20_000)}\nlistening`)).toBe(true);
  },
);

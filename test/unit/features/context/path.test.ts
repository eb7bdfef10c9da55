import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contextFile, contextFolder, contextPath } from "../../../../src/features/context/path.js";
import { ToolError } from "../../../../src/core/errors.js";

/** The path, or `type: message` of its refusal. */
function outcome(work: () => string): string {
  try {
    return work();
  } catch (error) {
    return error instanceof ToolError ? `${error.type}: ${error.message}` : String(error);
  }
}

describe("a logical path", () => {
  const same: { given: string; path: string }[] = [
    { given: "notes/a.md", path: "notes/a.md" },
    { given: "/notes/a.md", path: "notes/a.md" },
    { given: "notes\\sub\\a.md", path: "notes/sub/a.md" },
    { given: "\\notes\\a.md", path: "notes/a.md" },
    { given: "./notes/./a.md", path: "notes/a.md" },
    { given: ".toolhost/context/notes/a.md", path: "notes/a.md" },
    { given: "./.toolhost/context/a.md", path: "a.md" },
    { given: "/.toolhost\\context\\a.md", path: "a.md" },
    { given: ".toolhost/contexts/a.md", path: ".toolhost/contexts/a.md" },
    { given: "notes/.toolhost/context/a.md", path: "notes/.toolhost/context/a.md" },
    { given: "cafe\u0301.md", path: "café.md" },
    { given: ".hidden/a b/-x [1] {y} 😀.md", path: ".hidden/a b/-x [1] {y} 😀.md" },
    { given: "nul-und-nichts.md", path: "nul-und-nichts.md" },
    { given: "contact.md", path: "contact.md" },
    { given: "~notes.md", path: "~notes.md" },
    { given: "a/…/b", path: "a/…/b" },
    { given: `${"n".repeat(255)}/a`, path: `${"n".repeat(255)}/a` },
    { given: `${"d/".repeat(99)}a.md`, path: `${"d/".repeat(99)}a.md` },
  ];
  test.each(same)("$given is $path", ({ given, path }) => {
    expect(outcome(() => contextPath(given))).toBe(path);
  });

  const refused: { given: string; why: RegExp }[] = [
    { given: "", why: /an empty path/ },
    { given: "/", why: /an empty path/ },
    { given: ".", why: /an empty path/ },
    { given: "a\0b", why: /NUL/ },
    { given: "a\nb", why: /control character/ },
    { given: "a\u007fb", why: /control character/ },
    { given: "a\u2028b", why: /line end/ },
    { given: "a\u202egnp.exe", why: /a line ending or a bidirectional mark/ },
    { given: "a\ud83d", why: /an unpaired surrogate/ },
    { given: "a".repeat(4_097), why: /a path of 4097 characters; 4096 at most/ },
    { given: "é".repeat(128), why: /a name of 256 bytes; 255 at most/ },
    { given: "..", why: /\.\. leaves a folder/ },
    { given: "../a", why: /\.\. leaves a folder/ },
    { given: "a/../b", why: /\.\. leaves a folder/ },
    { given: "a\\..\\..\\b", why: /\.\. leaves a folder/ },
    { given: "a//b", why: /an empty name/ },
    { given: "a/", why: /names a folder/ },
    { given: "//server/share", why: /network or device path/ },
    { given: "\\\\?\\C:\\a", why: /network or device path/ },
    { given: "C:\\a.md", why: /contains one of/ },
    { given: "a.md:stream", why: /contains one of/ },
    { given: "file:///a.md", why: /empty name|contains one of/ },
    { given: "*.md", why: /patterns are not expanded/ },
    { given: "~/a", why: /~ is not expanded/ },
    { given: "~", why: /~ is not expanded/ },
    { given: "a.", why: /ends in a dot or a space/ },
    { given: "a /b", why: /ends in a dot or a space/ },
    { given: "...", why: /ends in a dot or a space/ },
    { given: "NUL", why: /device on Windows/ },
    { given: "a/com1.txt", why: /device on Windows/ },
    { given: ".gitignore", why: /own \.gitignore/ },
    { given: "a/.GITIGNORE", why: /own \.gitignore/ },
    { given: ".toolhost-12-ab.tmp", why: /is a name for temporary files/ },
    { given: `${"d/".repeat(100)}a.md`, why: /a path of 101 levels; 100 at most/ },
  ];
  test.each(refused)("$given is refused", ({ given, why }) => {
    const said = outcome(() => contextPath(given));
    expect(said).toMatch(/^invalid_input: "/);
    expect(said).toMatch(why);
    expect(said.length).toBeLessThan(600);
  });

  test("whatever is given, stays below the store and is its own path", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string({ unit: "binary", maxLength: 6 }),
            fc.constantFrom("..", ".", "/", "\\", "~", "CON", "C:", " "),
          ),
        ),
        (parts) => {
          const path = ((): string | undefined => {
            try {
              return contextPath(parts.join(""));
            } catch (error) {
              expect(error).toBeInstanceOf(ToolError);
              return undefined;
            }
          })();
          if (path !== undefined) {
            expect(contextPath(path)).toBe(path);
            expect(contextFile(path).split("/").slice(0, 2)).toEqual([".toolhost", "context"]);
            expect(path.split("/")).not.toContain("..");
            expect(path).not.toMatch(/^\/|\/\/|\/$|\\|^$/);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe("a folder's path", () => {
  const cases: { given: string | undefined; path: string | RegExp }[] = [
    { given: undefined, path: "." },
    { given: "", path: "." },
    { given: ".", path: "." },
    { given: "/", path: "." },
    { given: "./", path: "." },
    { given: "notes", path: "notes" },
    { given: "notes/", path: "notes" },
    { given: "/notes/sub/", path: "notes/sub" },
    { given: "notes//", path: /^invalid_input/ },
    { given: "..", path: /^invalid_input/ },
    { given: "../", path: /^invalid_input/ },
    { given: "//", path: /^invalid_input/ },
  ];
  test.each(cases)("$given is $path", ({ given, path }) => {
    expect(outcome(() => contextFolder(given))).toMatch(
      typeof path === "string" ? new RegExp(`^${path.replaceAll(".", "\\.")}$`) : path,
    );
  });

  test("leads to its place in the workspace", () => {
    expect([contextFile("."), contextFile("notes/a.md")]).toEqual([
      ".toolhost/context",
      ".toolhost/context/notes/a.md",
    ]);
  });
});

import { describe, expect, test } from "vitest";
import { parseManifest, readManifest } from "../../../../src/features/manifests/manifest.js";
import { repositoryProblem } from "../../../../src/features/manifests/repository.js";

function problemOf(manifest: unknown): string {
  try {
    readManifest(manifest, true);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("the manifest was accepted");
}

describe("reading a manifest", () => {
  test("takes comments and trailing commas", () => {
    expect(parseManifest('{ // setup\n "entries": { "a": {"type": "dir"}, }, }')).toEqual({
      entries: { a: { type: "dir" } },
    });
  });

  test("takes every kind of entry", () => {
    const entries = {
      "a.txt": { type: "file", content: "x", encoding: "utf8" },
      d: { type: "dir" },
      "b//c.txt": { type: "localFile", src: "c.txt" },
      e: { type: "localDir", src: "/e" },
      r: { type: "gitRepo", url: "https://github.com/example/repo.git", ref: "v1.0", shallow: false },
      s: { type: "s3Mount", bucket: "b", prefix: "p", region: "eu" },
      g: { type: "gcsMount", bucket: "b" },
      r2: { type: "r2Mount", bucket: "b", accountId: "a" },
      z: { type: "azureBlobMount", container: "c", account: "a" },
    };
    const read = readManifest({ entries, environment: { A_1: "x" }, permissions: { write: ["src/**"] } }, true);
    expect(read.entries.map(({ path, type }) => `${path} ${type}`)).toEqual(
      ["a.txt file", "d dir", "b/c.txt localFile", "e localDir", "r gitRepo"].concat([
        "s s3Mount",
        "g gcsMount",
        "r2 r2Mount",
        "z azureBlobMount",
      ]),
    );
  });

  test.each<[string, unknown, string]>([
    ["nothing", undefined, "expected an object {entries, environment, permissions}, got nothing"],
    ["a list", { entries: [] }, "entries: expected an object with a path and an entry each, got an array of 0"],
    [
      "another type",
      { entries: { a: { type: "localfile", src: "x" } } },
      'entries["a"]: type: must be one of file, dir, localFile, localDir, gitRepo, s3Mount, gcsMount, r2Mount, azureBlobMount; got string "localfile" (did you mean localFile?)',
    ],
    [
      "a missing field",
      { entries: { "a.b": { type: "file" } } },
      'entries["a.b"]: content: required (string), got nothing',
    ],
    ["an unknown field", { entries: { a: { type: "dir", mod: 1 } } }, 'entries["a"]: mod: unknown field'],
    [
      "two spellings",
      { entries: { "a/b": { type: "dir" }, "a//b": { type: "dir" } } },
      'entries["a/b"]: is there twice, in two spellings',
    ],
    [
      "a file below a file",
      { entries: { a: { type: "file", content: "" }, "a/b/c": { type: "dir" } } },
      'entries["a/b/c"]: cannot be below "a", which is a file',
    ],
    ["a path", { entries: { "../x": { type: "dir" } } }, "workspace manifest path cannot contain traversal segments"],
    [
      "base64",
      { entries: { a: { type: "file", content: "%", encoding: "base64" } } },
      'entries["a"]: content: is not base64',
    ],
    [
      "latin1",
      { entries: { a: { type: "file", content: "€", encoding: "latin1" } } },
      'content: "€" does not exist in latin1',
    ],
    [
      "a variable",
      { entries: {}, environment: { "A B": "x" } },
      'environment["A B"]: a variable\'s name has letters, digits and _',
    ],
    [
      "a glob",
      { entries: {}, permissions: { read: ["src/**", "/etc/**"] } },
      'permissions.read[1]: must be a glob in the workspace, got "/etc/**": a manifest cannot allow anything else',
    ],
  ])("names the problem of %s", (_, manifest, problem) => {
    expect(problemOf(manifest)).toContain(problem);
    expect(problemOf(manifest)).toMatch(/^workspace manifest: .*\. Nothing was done\.$/s);
  });

  test("names several problems together", () => {
    const problem = problemOf({ entries: { "/x": { type: "dir" }, y: { type: "no" } }, other: 1 });
    expect(problem).toContain('entries["/x"]: workspace manifest path must be workspace-relative');
    expect(problem).toContain('entries["y"]: type:');
    expect(problem).toContain("other: unknown field");
  });

  test("refuses a key that is there twice, which JSON would drop", () => {
    expect(() => parseManifest('{"entries": {\n"a": {"type": "dir"},\n"a": {"type": "dir"}}}')).toThrow(
      'workspace manifest: "a" is there twice (line 3), and only the last would count.',
    );
  });

  test("refuses 100,000 entries at once, with the limit", () => {
    const entries = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`d${index}`, { type: "dir" }]));
    expect(problemOf({ entries })).toBe(
      "workspace manifest: it has 100000 entries; at most 5000 are applied. Nothing was done.",
    );
  });
});

describe("the address of a repository", () => {
  test.each(
    [
      "https://github.com/example/repo.git",
      "https://user@host:8443/x",
      "ssh://git@host/x.git",
      "git@host:owner/x.git",
    ].concat(["git://127.0.0.1:9418/x", "host:x.git", "https://[::1]/x"]),
  )("%s is cloned", (url) => {
    expect(repositoryProblem({ url }, true)).toBeUndefined();
  });

  test.each([
    ["ext::sh -c 'touch x'", "must not name a helper program (ext::)"],
    ["EXT::sh", "must not name a helper program"],
    ["fd::17", "must not name a helper program"],
    ["--upload-pack=touch x", "must not begin with -"],
    ["-c core.sshCommand=x", "must not begin with -"],
    ["ssh://-oProxyCommand=touch x/y", "its host must not begin with -"],
    ["ssh://user@-oProxyCommand=x/y", "its host must not begin with -"],
    ["user@-oProxyCommand=x:y", "its host must not begin with -"],
    ["https://h/x\nHost: y", "must not contain control characters"],
  ])("%j is refused anywhere", (url, why) => {
    expect(repositoryProblem({ url }, true)).toContain(why);
    expect(repositoryProblem({ url }, false)).toContain(why);
  });

  test.each(["file:///srv/x", "/srv/x", "./x", "../x", "C:\\x", "C:/x", "~/x", "x", "http://a b/", "ftp://h/x"])(
    "%s is refused on this machine",
    (url) => {
      expect(repositoryProblem({ url }, true)).toContain("must be an https, http, ssh or git address");
    },
  );

  test.each(["-x", "--upload-pack=x", "", "a b", "a..b", "a\nb", "a~1", "x:y", "@{u}"])("ref %j is refused", (ref) => {
    expect(repositoryProblem({ url: "https://h/x", ref }, true)).toBe("ref: must be the name of a branch or tag");
  });
});

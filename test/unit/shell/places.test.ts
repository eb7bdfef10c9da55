import { describe, expect, it } from "vitest";
import { analyseCommand } from "../../../src/shell/analyse.js";
import { decodeAnsi } from "../../../src/shell/words/ansiQuotes.js";
import { entering } from "../../../src/shell/folders.js";
import { variableDoubt } from "../../../src/shell/words/variables.js";
import { grammar } from "../../system/shell/grammar.js";

/** Lines and the files that redirections reach: `kind path @bases`. */
const REDIRECTED: readonly (readonly [program: string, ...files: string[]])[] = [
  ["echo x > out", "write out @."],
  ["echo x >> out", "write out @."],
  ["echo x >| out", "write out @."],
  ["ls 2> f", "write f @."],
  ["a &> f", "write f @."],
  ["echo hi >& /etc/passwd", "write /etc/passwd @."],
  ["git log > ~/.bashrc", "write ~/.bashrc @."],
  ["cat < in > 'a b'", "read in @.", "write a b @."],
  ["sort < in 2>&1 1>&2 3>&- > /dev/null 2> /dev/stderr", "read in @."],
  ["echo x > /tmp/../home/u/f", "write /tmp/../home/u/f @."],
  ["{ a; b; } > f", "write f @."],
  ["while a; do b; done < in", "read in @."],
  ["if a; then b; fi > f 2> g", "write f @.", "write g @."],
  ["f() { a; } > f", "write f @."],
  ["cat <<EOF > f\nx\nEOF", "write f @."],
  ["echo $(< f)", "read f @."],
  ["echo $(a > f)", "write f @."],
  ["> f", "write f @."],
  ["bash -c 'a > f'", "write f @."],
  ["cd a && b > f", "write f @a"],
  ["cd a; b > f", "write f @a,."],
  ["(cd a && b > f); c > g", "write f @a", "write g @."],
  ["cd a && bash -c 'cd b && c > f'", "write f @a/b"],
  ["cd a && cd .. && b > f", "write f @."],
  ["cd /x || a > f", "write f @."],
  ["if cd a; then b > f; else c > g; fi", "write f @a", "write g @."],
  ["pushd a && b > f", "write f @a"],
  ["cd a | b; c > f", "write f @."],
  ["sudo cd a; b > f", "write f @."],
  ["command cd a && b > f", "write f @a"],
];

describe("the files of redirections", () => {
  it.each(REDIRECTED)("%j", async (program, ...files) => {
    const { redirections, doubts } = await analyseCommand(program, grammar);
    expect(redirections.map(({ kind, path, bases }) => `${kind} ${path} @${bases.join(",")}`)).toEqual(files);
    expect(doubts).toEqual([]);
  });
});

describe("the folders of commands", () => {
  it("are where the words' files lie", async () => {
    const { commands } = await analyseCommand("cat a && cd src && cat b", grammar);
    expect(commands.map(({ paths }) => paths.map(({ path, bases }) => `${path} @${bases.join(",")}`))).toEqual([
      ["a @."],
      ["src @."],
      ["b @src"],
    ]);
  });

  it.each([
    [["."], "a", ["a"]],
    [["a/b"], "..", ["a"]],
    [["."], "../..", ["../.."]],
    [["a"], "/x/../y", ["/y"]],
    [["a"], "~/x", ["~/x"]],
    [["~/x"], "..", ["~"]],
    [["."], "-", undefined],
    [undefined, "a", undefined],
    [[".", "a"], "b", ["b", "a/b"]],
  ])("%j and cd %j is %j", (folders, target, after) => {
    expect(entering(folders, target)).toEqual(after);
  });
});

describe("the text of a command", () => {
  it("is its part of the line, on one line and cut", async () => {
    const { commands } = await analyseCommand(`a  'b\nc' > f; echo ${"x".repeat(500)}`, grammar);
    expect(commands[0]?.text).toBe("a 'b c' > f");
    expect(commands[1]?.text).toHaveLength(200);
  });
});

describe("$'…'", () => {
  it.each([
    ["a\\nb", "a\nb"],
    ["\\'\\\\\\\"", "'\\\""],
    ["\\x41\\101\\u0041\\U00000041", "AAAA"],
    ["\\e\\a", "\x1b\x07"],
    ["\\x4g", "\x04g"],
    ["\\x00", undefined],
    ["\\xff", undefined],
    ["\\u00e9", undefined],
    ["\\cA", undefined],
    ["\\q", undefined],
  ])("%j is %j", (body, text) => {
    expect(decodeAnsi(body)).toBe(text);
  });
});

describe("variables of programs' environment", () => {
  it.each([
    "NODE_ENV",
    "TZ",
    "LANG",
    "LC_ALL",
    "CI",
    "DEBUG",
    "PORT",
    "NO_COLOR",
    "FORCE_COLOR",
    "TERM",
    "PYTHONUNBUFFERED",
  ])("%s is harmless", (name) => {
    expect(variableDoubt(name, true)).toBeUndefined();
  });

  it.each([
    "FOO",
    "x",
    "PYENV_HOOK_PATH",
    "RBENV_HOOK_PATH",
    "ASDF_DATA_DIR",
    "ASDF_NODEJS_VERSION",
    "VOLTA_HOME",
    "NODENV_HOOK_PATH",
    "DEVELOPER_DIR",
    "COREHOST_TRACEFILE",
    "HISTFILESIZE",
    "http_proxy",
    "npm_config_prefix",
  ])("%s is a doubt", (name) => {
    expect(variableDoubt(name, true)).toBeTypeOf("string");
  });
});

describe("variables", () => {
  it.each(["FOO", "NODE_ENV", "TZ", "LC_ALL", "CI", "DEBUG", "PORT", "x"])("%s is harmless", (name) => {
    expect(variableDoubt(name)).toBeUndefined();
  });

  it.each([
    "PATH",
    "LD_PRELOAD",
    "DYLD_INSERT_LIBRARIES",
    "BASH_ENV",
    "ENV",
    "IFS",
    "PROMPT_COMMAND",
    "PS4",
    "GIT_SSH_COMMAND",
    "GIT_EXTERNAL_DIFF",
    "GIT_PAGER",
    "GIT_DIR",
    "GIT_CONFIG_COUNT",
    "PAGER",
    "MANPAGER",
    "EDITOR",
    "VISUAL",
    "NODE_OPTIONS",
    "PYTHONSTARTUP",
    "PYTHONPATH",
    "PERL5OPT",
    "RUBYOPT",
    "JAVA_TOOL_OPTIONS",
    "npm_config_script_shell",
    "HISTFILESIZE",
    "HISTSIZE",
    "LINENO",
    "PIPESTATUS",
    "GROUPS",
    "TMPDIR",
    "histchars",
    "BASHPID",
    "PWD",
    "HOME",
    "SHELL",
    "CC",
    "RUSTC_WRAPPER",
    "GOFLAGS",
    "LESSOPEN",
    "http_proxy",
    "RANDOM",
    "BASH_FUNC_ls%%",
    "a[0]",
    "",
  ])("%s is a doubt", (name) => {
    expect(variableDoubt(name)).toBeTypeOf("string");
  });
});

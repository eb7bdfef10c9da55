/**
 * Two separators where a path can begin, and a name: `//server`, `'\\server`, `=//server`. Not `https://`, `a//b`, the
 * empty parts of `s//x/`, and `"// a comment"`.
 */
const NETWORK_PATH = /(?<![\w:.*~)}\]/\\$])(?:\/\/|\\\/|\/\\)[^\s/\\'"]|(?<![\w:.*~)}\]/\\$])\\{2,}[^\s/\\]+[\\/]/;
/** A slash in front of what is only known at run time, whose value may begin with one, too. */
const SLASH_BEFORE_VALUE = /(?:^|[\s='"(])\/["']?[$`]/;
/** A test of a file whose name is only known at run time: the shell looks for it at once, wherever it is. */
const TEST_OF_VALUE =
  /(?:^|[\s;&|({!`])(?:test|\[\[?)(?=\s)[^;&|]*?(?:\s-(?:[a-hkprstuwxGLNOS]|nt|ot|ef)\s)[^;&|]*[$`]/;
/** A pattern for file names in a folder that is only known at run time. */
const PATTERN_BELOW_VALUE = /[$`][^\s;&|]*\/[^\s;&|]*[*?[]/;

/**
 * Returns why a bash command on Windows may reach another machine, completing "it …"; undefined if it does not seem to.
 * Windows signs in at the machine of a path, and shows it a hash of the user's password, as soon as the shell asks
 * whether the path is there, as it does for `test -f` and for patterns.
 */
export function networkDoubt(command: string): string | undefined {
  return NETWORK_PATH.test(command)
    ? "it seems to name a path on another machine, where Windows would sign in"
    : SLASH_BEFORE_VALUE.test(command) || TEST_OF_VALUE.test(command) || PATTERN_BELOW_VALUE.test(command)
      ? "it looks for files whose names are only known when it runs: they could be on another machine, where Windows would sign in"
      : undefined;
}

// What does not run, or fails, under Node on Windows by wine, and why. `npm run windows` fails for an entry that is no
// longer so, and lists all of them.

export interface LeftOut {
  /** From the checkout, such as `test/unit/text/csv.test.ts`. */
  readonly file: string;
  /** The titles that are meant, with those of the groups around them: all of the file without this, if all fail. */
  readonly titles?: RegExp;
  readonly why: string;
  /** Not even tried: it would stop the others, or its outcome differs from run to run. */
  readonly untried?: true;
}

const MODES = "Windows' files have no mode but read-only";
const LINKS = "wine 8 makes no symbolic links";
const NAMES = "Windows allows no such name";
const PROGRAMS = "there is no such program in wine's Windows";
const PIPES = "Windows' folders hold no pipes, and it has no mkfifo";
const ROOT = "wine that root runs opens read-only files for writing, and a folder's mode forbids nothing on Windows";
const PATHS = "the test compares our slashes with Windows' separators";
const RUNNER = "the runner here does not have this of Vitest";

export const leftOut: readonly LeftOut[] = [
  { file: "test/unit/shell/gitIndex.test.ts", why: `${PROGRAMS}: git` },
  {
    file: "test/unit/shell/readFrom.test.ts",
    titles: /^on a Debian 12/,
    why: "the folders under test are a Debian's, which wine shows below Z:",
  },
  {
    file: "test/unit/core/errorCopies.test.ts",
    titles: /^an error of another copy/,
    why: `${RUNNER}: a module is loaded a second time`,
  },
  {
    file: "test/unit/core/permission/permissionRules.test.ts",
    titles: /^the rule for a file outside, whose name has the signs of globs > \\?\*\.txt: /,
    why: "a backslash separates names there",
  },
  {
    file: "test/unit/hosts/cachedScript.test.ts",
    titles: /^a script loads/,
    why: PATHS,
  },
  {
    file: "test/unit/hosts/cachedScript.test.ts",
    titles: /^code that is (?:kept|cut off|changed)|^another build/,
    why: `${RUNNER}: timers that are replaced more than once (it has those of Node, which then do not run)`,
  },
  {
    file: "test/unit/hosts/caches.test.ts",
    titles: /^has of what (?:Cargo|go)|^has a virtual environment/,
    why: "contained commands, whose caches these are, are for Linux and macOS alone",
  },
  { file: "test/unit/hosts/clones.test.ts", titles: /^clones large files once/, why: PATHS },
  { file: "test/unit/hosts/clones.test.ts", titles: /^makes no clone of a file that a pipe/, why: PIPES },
  { file: "test/unit/hosts/clones.test.ts", titles: /^keeps contents by their hash/, why: MODES },
  { file: "test/unit/hosts/configFile.test.ts", titles: /behind a link/, why: LINKS },
  {
    file: "test/unit/hosts/copies/folderCopy.test.ts",
    titles: /^copies what is there|^tells what changed/,
    why: `${MODES}, and ${LINKS}`,
  },
  { file: "test/unit/hosts/copies/folderCopy.test.ts", titles: /^has no repository where/, why: LINKS },
  { file: "test/unit/hosts/copies/folderCopy.test.ts", titles: /^tells files that cannot be read/, why: MODES },
  { file: "test/unit/hosts/copies/keepChanges.test.ts", titles: /^keeps no more of all/, why: PATHS },
  {
    file: "test/unit/hosts/large.test.ts",
    titles: /^knows a file that contains|^does not read what is larger/,
    why: MODES,
  },
  { file: "test/unit/hosts/disk.test.ts", titles: /keeps the mode (?:that|of a file named "(?:it|\$|-n))/, why: MODES },
  { file: "test/unit/hosts/disk.test.ts", titles: /keeps the mode of a file named "(?:two|a\\|ends)/, why: NAMES },
  {
    file: "test/unit/hosts/disk.test.ts",
    titles: /when it is a link now|> entries of a folder, with|links followed$/,
    why: LINKS,
  },
  {
    file: "test/unit/hosts/disk.test.ts",
    titles: /a file among the folders of a new file/,
    why: "Windows names the error otherwise (ENOENT, not ENOTDIR)",
  },
  { file: "test/unit/hosts/disk.test.ts", titles: /neither moves nor removes a read-only file/, why: ROOT },
  {
    file: "test/unit/hosts/diskErrors.test.ts",
    titles: /^a system error that Node has no name for/,
    why: "the numbers are those of Linux and macOS",
  },
  {
    file: "test/unit/hosts/plainGitConfig.test.ts",
    titles: /> as git init and git remote add write them$/,
    why: `${PROGRAMS}: git`,
  },
  {
    file: "test/unit/hosts/plainGitConfig.test.ts",
    titles: /> that are a link, a folder, a pipe or nothing$/,
    why: PIPES,
  },
  { file: "test/unit/hosts/seatbelt/profile.test.ts", titles: /also of what is not there$/, why: LINKS },
  {
    file: "test/unit/hosts/seatbelt/profile.test.ts",
    titles: /^what the call of a command chose/,
    why: "the sandbox of macOS has a folder with slashes",
  },
  { file: "test/unit/hosts/secrets/hostSecrets.test.ts", titles: /^handles are equal/, why: MODES },
  { file: "test/unit/hosts/secrets/hostSecrets.test.ts", titles: /^a pipe,/, why: PIPES },
  { file: "test/unit/hosts/shellScript.test.ts", why: `${PROGRAMS}: bash or zsh, so that the file has no tests` },
  { file: "test/unit/hosts/spool.test.ts", titles: /> one behind a link$/, why: LINKS },
  { file: "test/unit/tools/applyPatch.test.ts", titles: /^a file keeps its mode/, why: MODES },
  {
    file: "test/unit/tools/applyPatch.test.ts",
    titles: /^links, on the node host|^protected files and secrets of a patch/,
    why: LINKS,
  },
  { file: "test/unit/tools/contextDelete.test.ts", titles: /on the node host > refuses.*'pipes'$/, why: PIPES },
  {
    file: "test/unit/tools/contextDelete.test.ts",
    titles: /on the node host > refuses, everything as it was: > '(?!pipes)/,
    why: LINKS,
  },
  {
    file: "test/unit/tools/contextRead.test.ts",
    titles: /on the node host > context_read refuses > 'a pipe'$/,
    why: PIPES,
  },
  {
    file: "test/unit/tools/contextRead.test.ts",
    titles: /on the node host > context_(?:tree lists > links by name|(?:tree|read) refuses (?:> )?'(?:a )?link')/,
    why: LINKS,
  },
  { file: "test/unit/tools/contextWrite.test.ts", titles: /on the node host > refuses.*> 'a pipe'$/, why: PIPES },
  {
    file: "test/unit/tools/contextWrite.test.ts",
    titles: /on the node host > refuses.*> 'a (?:link to|file behind)/,
    why: LINKS,
  },
  { file: "test/unit/tools/edit.test.ts", titles: /^a name with a line end/, why: NAMES },
  { file: "test/unit/tools/edit.test.ts", titles: /> 'a pipe'$/, why: PIPES },
  {
    file: "test/unit/tools/edit.test.ts",
    titles:
      /> a link stays a link|says that link is protected|> a file deleted or replaced meanwhile|> 'a link (?:that|to)/,
    why: LINKS,
  },
  { file: "test/unit/tools/edit.test.ts", titles: /> its mode stays: /, why: MODES },
  {
    file: "test/unit/tools/edit.test.ts",
    titles: /^when writing goes wrong > (?:a file marked|a folder that may)/,
    why: ROOT,
  },
  {
    file: "test/unit/tools/everyTool.test.ts",
    titles: /^what src/,
    why: `${RUNNER}: modules that are loaded from the sources`,
  },
  { file: "test/unit/tools/memory.test.ts", titles: /> a note behind a link that leads out$/, why: LINKS },
  {
    file: "test/unit/tools/message.test.ts",
    titles: /> show a certificate that nobody signed$/,
    why: `${PROGRAMS}: openssl`,
  },
  {
    file: "test/unit/tools/missingPaths.test.ts",
    titles: /on the node host > read: '(?:Windows|other case)/,
    why: "such paths lead to the file there",
  },
  {
    file: "test/unit/tools/missingPaths.test.ts",
    titles: /on the node host > read: 'a line behind it'/,
    why: "Windows takes it for a stream: it is refused before, with the same advice",
  },
  { file: "test/unit/tools/missingPaths.test.ts", titles: /^a folder that cannot be looked into/, why: MODES },
  {
    file: "test/unit/tools/missingPaths.test.ts",
    titles: /^a name that is not valid UTF-8|^a name with a line ending/,
    why: NAMES,
  },
];

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
const SHELL = "wine has no bash, and a powershell.exe that does nothing";
const LINUX = "the paths are those of Linux, which Windows has in no workspace";
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
  { file: "test/unit/hosts/networkLinks.test.ts", titles: /^the disk neither follows/, why: LINKS },
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
  {
    file: "test/unit/hosts/sandbox/clientSpawner.test.ts",
    titles: /^a command that leaves something running/,
    why: `${PROGRAMS}: a shell`,
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
  { file: "test/unit/agent/agentWork.test.ts", titles: /> (?:reads, edits and proves|runs commands that)/, why: SHELL },
  { file: "test/unit/agent/surroundings.test.ts", titles: /^a session (?!'in no repository)/, why: `${PROGRAMS}: git` },
  { file: "test/unit/agent/workspaceNotes.test.ts", titles: / that cannot be read a model is told/, why: MODES },
  { file: "test/unit/doors/mcp/ours.test.ts", titles: /^takes a file for ours/, why: MODES },
  {
    file: "test/unit/doors/mcp/servedFolder.test.ts",
    titles: /^a client is served whose roots have the folder/,
    why: `${PROGRAMS}: git`,
  },
  { file: "test/unit/work/cron.test.ts", titles: /^cron > tells any name/, why: NAMES },
  { file: "test/unit/work/cron.test.ts", titles: /^cron > removes no file that a link/, why: LINKS },
  { file: "test/unit/features/documents/everyKind.test.ts", titles: /> whose file has any name/, why: NAMES },
  { file: "test/unit/features/documents/tools.test.ts", titles: /^a document that is a link/, why: LINKS },
  {
    file: "test/unit/tools/ls.test.ts",
    titles: /on the node host > 'case counts'$/,
    why: "two names that differ in case are one there",
  },
  {
    file: "test/unit/tools/ls.test.ts",
    titles: /on the node host > a list that is a link to outside|^links > show as what/,
    why: LINKS,
  },
  {
    file: "test/unit/tools/ls.test.ts",
    titles: /^odd entries > (?:a name cannot|ordinary names|folders whose names)/,
    why: NAMES,
  },
  { file: "test/unit/tools/ls.test.ts", titles: /> a pipe is no file/, why: PIPES },
  {
    file: "test/unit/tools/ls.test.ts",
    titles: /> a folder that may not be read|^in a folder whose files may not/,
    why: MODES,
  },
  {
    file: "test/unit/tools/moveImports.test.ts",
    titles: /^a file that may not be written is left out|^says of a folder that cannot be listed/,
    why: "the tests have a shell script in ripgrep's place",
  },
  { file: "test/unit/tools/multiEdit.test.ts", titles: /on the node host > 'two spellings of one file'$/, why: LINKS },
  { file: "test/unit/tools/multiEdit.test.ts", titles: /^line ends, byte order marks and modes/, why: MODES },
  {
    file: "test/unit/tools/outside.test.ts",
    titles:
      /on the node host > (?:read gives a file by its absolute path, and below a link|ls tells nothing of what a link|.*exchanged for a link|a link that was exchanged)|^pins, on the node host > (?:let in no more than what was decided on: '(?:into the workspace )?by a link|stay what they were)|^an undo goes where the change|^the journal finds a file outside by its key/,
    why: LINKS,
  },
  { file: "test/unit/tools/outside.test.ts", titles: /on the node host > a pipe is not opened/, why: PIPES },
  {
    file: "test/unit/tools/outside.test.ts",
    titles: /^a device is not opened|^another name of the workspace's own disk|^a file moves to another disk/,
    why: LINUX,
  },
  {
    file: "test/unit/tools/paths.test.ts",
    titles: / refuses > '(?:the root|an absolute path|an address|a Windows path)/,
    why: LINUX,
  },
  {
    file: "test/unit/tools/paths.test.ts",
    titles:
      / refuses > '(?:a link to|below a link|not yet there, below a link)|^several folders > (?:a path begins with its folder|a link )/,
    why: LINKS,
  },
  { file: "test/unit/tools/quotedEdits.test.ts", titles: /^what a command showed counts as seen: /, why: SHELL },
  {
    file: "test/unit/tools/read.test.ts",
    titles:
      /^odd files > '(?:a pipe|a link|a file behind a link|a file that is not there, behind)|^odd files > (?:links that stay|a file replaced by a link)|^permission > link-to-env/,
    why: LINKS,
  },
  { file: "test/unit/tools/reads.test.ts", titles: /^on the node host > a file is one by all its names/, why: LINKS },
  { file: "test/unit/tools/reads.test.ts", titles: /> by exec /, why: SHELL },
  {
    file: "test/unit/tools/references.test.ts",
    titles: /^lists a class once that extends several bases/,
    why: "the search for 100 classes takes longer than it may where wine is slow, so that its outcome differs from run to run (it passed alone)",
    untried: true,
  },
  { file: "test/unit/tools/workspaceManifest.test.ts", titles: /> takes names that mean something/, why: NAMES },
  {
    file: "test/unit/tools/workspaceManifest.test.ts",
    titles: /> (?:opens no pipe|does not follow links|says which links)/,
    why: LINKS,
  },
  {
    file: "test/unit/tools/write.test.ts",
    titles: /^on the node host > what is written > 'names with blanks, emoji, newlines/,
    why: NAMES,
  },
  {
    file: "test/unit/tools/write.test.ts",
    titles:
      /^on the node host > (?:what is written > through a link, its target|.* everything as it was > '(?:a link|new below a link)|.*> a folder that becomes a link)/,
    why: LINKS,
  },
  {
    file: "test/unit/tools/write.test.ts",
    titles: /^on the node host > .* everything as it was > 'a pipe'$/,
    why: PIPES,
  },
  {
    file: "test/unit/tools/write.test.ts",
    titles: /^on the node host > .*> a folder that becomes a file meanwhile$/,
    why: "Windows names the error otherwise (ENOENT, not ENOTDIR)",
  },
  {
    file: "test/unit/tools/write.test.ts",
    titles: /^on a disk > (?:the mode of|a folder that may not be written)/,
    why: MODES,
  },
];

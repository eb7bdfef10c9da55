import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { parseGitConfig, type GitSetting } from "../../../shell/gitConfig.js";
import { findSecrets } from "../../../text/secrets/find.js";

/** Maximum bytes of a configuration that is looked at. */
const MAX_BYTES = 256 * 1024;

/**
 * Settings whose values hold no passwords (git-config(1)). Whatever else there is, headers of requests and commands
 * among it, may hold one.
 */
const PLAIN = new RegExp(
  `^(?:${[
    "core\\.(?:abbrev|attributesfile|autocrlf|bare|bigfilethreshold|checkstat|commentchar|commitgraph|compression|createobject|eol|excludesfile|filemode|fscache|hookspath|ignorecase|ignorestat|logallrefupdates|longpaths|multipackindex|precomposeunicode|preloadindex|protecthfs|protectntfs|quotepath|repositoryformatversion|safecrlf|sharedrepository|sparsecheckout|sparsecheckoutcone|splitindex|symlinks|trustctime|untrackedcache|whitespace|worktree)",
    "extensions\\.\\w+",
    "(?:advice|apply|branch|color|column|commit|diff|fetch|gc|index|init|log|maintenance|merge|pack|pull|rebase|rerere|stash|status|tag|worktree)\\..+",
    "http\\.(?:postbuffer|sslverify|version)",
    "push\\.(?:autosetupremote|default|followtags|recursesubmodules)",
    "(?:remote|submodule)\\..+\\.(?:active|branch|fetch|fetchrecursesubmodules|gh-resolved|ignore|mirror|partialclonefilter|promisor|prune|prunetags|push|pushurl|tagopt|update|url)",
    "(?:submodule\\.(?:active|recurse)|remote\\.pushdefault)",
    "filter\\.lfs\\.\\w+",
    "lfs\\.(?:repositoryformatversion|.+\\.access)",
    "user\\.(?:name|email|signingkey)",
    "include\\.path",
    "includeif\\..+\\.path",
  ].join("|")})$`,
  "i",
);

/** An address with a name or password before its host, or with anything after its path; user names of SSH are neither. */
const WITH_CREDENTIALS = /^(?!ssh:|git\+ssh:)[\w+-]+:\/\/[^/]*@|^[\w+-]+:\/\/[^/]*:[^/]*@|[?#]|::/i;

/** Whether a file is one of Git's configurations of a repository that holds nothing secret. False if it cannot be told. */
export async function isPlainGitConfig(path: string): Promise<boolean> {
  try {
    // A link might lead to anything, and opening a pipe would wait.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const found = await file.stat();
      return found.isFile() && found.size <= MAX_BYTES && isPlain(await file.readFile("utf8"));
    } finally {
      await file.close();
    }
  } catch {
    return false;
  }
}

function isPlain(text: string): boolean {
  const settings = parseGitConfig(text);
  // Comments are no settings, but can be read as well. Names of branches, which are in headings, may have these characters.
  const hasComments = /[#;]/.test(text.replaceAll(/^[ \t]*\[[^\n]*\][ \t\r]*$/gm, ""));
  return settings?.every(isPlainSetting) === true && !hasComments && findSecrets(text).length === 0;
}

function isPlainSetting({ name, value }: GitSetting): boolean {
  return PLAIN.test(name) && !WITH_CREDENTIALS.test(value) && !/:\/\/[^/]*@/.test(name);
}

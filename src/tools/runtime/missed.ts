import { SETTING } from "../../names/settings.js";
import type { WantedHost } from "../../ports/processes.js";
import { listed } from "../../text/words.js";

/** What programs print when they miss the network. */
const NETWORK =
  /ENOTFOUND|EAI_AGAIN|ENETUNREACH|could not resolve|name resolution|network is unreachable|no route to host/i;

/** What they print when they miss a service, the home, or what they may not change. */
const OTHERS =
  /ECONNREFUSED|EROFS|EACCES|EPERM|connection refused|(?:unable|cannot|could not|failed) to (?:connect|access)|read-only file system|permission denied|operation not permitted|value too large for defined data type/i;

/** What they print when there is no such file: it may be one of the home, or of /tmp. */
const FILES = /ENOENT|no such file or directory|(?:command|file) not found|does not exist/i;

/** What Git prints where its settings cannot be read. */
const GIT = /unable to access '[^'\n]*\/config(?:\.worktree)?': Permission denied/;

/** Maximum number of hosts named. */
const MAX_HOSTS = 5;

/** Returns which hosts a contained command asked for and did not reach, as a clause; undefined if there are none. */
export function wantedInWords(wanted: readonly WantedHost[] = []): string | undefined {
  const names = wanted.map(({ host, isPrivate }) => (isPrivate ? `${host} (on a private network)` : host));
  const more = names.length - MAX_HOSTS;
  const shown = more > 0 ? `${names.slice(0, MAX_HOSTS).join(", ")} and ${more} more` : listed(names);
  return names.length === 0 ? undefined : `it wanted ${shown}, which the sandbox does not reach`;
}

/** Returns the same for the result of a command, with what to do; undefined if there are none. */
export function wantedNote(wanted: readonly WantedHost[] = []): string | undefined {
  const said = wantedInWords(wanted)?.replace(/^it/, "It");
  const unlisted = wanted.filter(({ isPrivate }) => !isPrivate);
  const add = `the user can add ${unlisted.length === 1 ? "it" : "them"} to ${SETTING.sandboxHosts}, or `;
  return said && `${said}: ${unlisted.length === 0 ? "" : add}call exec with outside: true, which asks the user.`;
}

/** Whether the output of a contained command says that it missed the network. */
export function missesNetwork(output: string): boolean {
  return NETWORK.test(output);
}

/** Whether the output of a contained command that succeeded leaves in doubt whether it missed anything. */
export function mayMissSomething(output: string): boolean {
  return missesSomething(output) || FILES.test(output);
}

/** Whether the output of a contained command says that it missed something because it is contained. */
export function missesSomething(output: string): boolean {
  return NETWORK.test(output) || OTHERS.test(output);
}

/** Whether the output of a contained command says that Git could not read a repository's settings. */
export function missesGit(output: string): boolean {
  return GIT.test(output);
}

/**
 * Whether a command line leaves programs to run on by `&`, as far as its text shows that: a contained one ends them when
 * it ends itself.
 */
export function leavesRunning(command: string): boolean {
  const unquoted = command
    .replaceAll(/\\[^]|'[^']*'|"(?:\\[^]|[^"\\])*"/g, "x")
    .replaceAll(/(?:^|\s)#[^\n]*/g, "")
    .replaceAll(/&&|[<>]&\d{0,9}-?|&>>?|\|&/g, " ");
  return unquoted.includes("&") && !/\b(?:wait|fg)\b/.test(unquoted);
}

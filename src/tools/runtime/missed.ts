/** What programs print when they miss the network. */
const NETWORK =
  /ENOTFOUND|EAI_AGAIN|ENETUNREACH|could not resolve|name resolution|network is unreachable|no route to host/i;

/** What they print when they miss a service, the home, or what they may not change. */
const OTHERS =
  /ECONNREFUSED|EROFS|EACCES|EPERM|connection refused|(?:unable|cannot|could not|failed) to (?:connect|access)|read-only file system|permission denied|operation not permitted|value too large for defined data type/i;

/** What they print when there is no such file: it may be one of the home, or of /tmp. */
const FILES = /ENOENT|no such file or directory|(?:command|file) not found|does not exist/i;

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

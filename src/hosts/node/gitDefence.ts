/**
 * Environment for commands that nobody was asked about. It makes git run fewer of the programs that a repository's
 * configuration and hooks name. Permission reads that configuration first; this helps if it changes in between, or if
 * git finds a repository that permission did not.
 *
 * Programs that cannot be switched off without knowing their names are not covered (`diff.<name>.textconv`,
 * `filter.<name>.clean`, `man.<name>.cmd`), and `diff.external`, which git runs even if it is empty (git 2.39:
 * "external diff died"). Pager and editor are set in `environment.ts`.
 */

/** Settings that override every file (git-config(1), "ENVIRONMENT"), submodules' too. Each was tried with git 2.39. */
const SETTINGS: readonly (readonly [name: string, value: string])[] = [
  ["core.fsmonitor", "false"],
  // `/dev/null` is a folder without hooks.
  ["core.hooksPath", "/dev/null"],
  ["log.showSignature", "false"],
  ["gpg.openpgp.program", "false"],
  ["gpg.x509.program", "false"],
  ["gpg.ssh.program", "false"],
  // A folder that only looks like a repository is not treated as one (git 2.38).
  ["safe.bareRepository", "explicit"],
];

const VARIABLES: Readonly<Record<string, string>> = {
  // Don't write the index, which would run the hook post-index-change.
  GIT_OPTIONAL_LOCKS: "0",
  // Objects that would be fetched from a promisor remote stay missing (git 2.44).
  GIT_NO_LAZY_FETCH: "1",
  // Allows no transport, and so no core.sshCommand, credential.helper, core.askPass, `ext::` or
  // remote.<name>.uploadpack.
  GIT_ALLOW_PROTOCOL: "none",
};

/** Matches git commands that print settings or the hooks folder: they would print the ones set above. */
const ASKS = /^\s*git (?:-C [\w./-]+ )?(?:config|rev-parse)\b[^\\`$()]*$/;

/** Other commands allowed on the same line: nothing that could be git, or run it. */
const BESIDE = /^\s*(?:(?:cat|cd|echo|grep|head|ls|pwd|sort|tail|true|wc)\b[^\\`$()]*)?$/;

function asksForSettings(command: string): boolean {
  const parts = command.split(/[;|\n]|(?<!>)&/);
  return parts.some((part) => ASKS.test(part)) && parts.every((part) => ASKS.test(part) || BESIDE.test(part));
}

/**
 * Returns the variables to set for a command.
 *
 * @param env its environment: settings already in it (`GIT_CONFIG_COUNT`) are kept
 */
export function gitDefence(env: Readonly<Record<string, string>>, command: string): Readonly<Record<string, string>> {
  const count = Number(env["GIT_CONFIG_COUNT"] ?? 0);
  if (asksForSettings(command) || !Number.isSafeInteger(count) || count < 0) {
    return VARIABLES;
  }
  const defence: Record<string, string> = { ...VARIABLES, GIT_CONFIG_COUNT: String(count + SETTINGS.length) };
  SETTINGS.forEach(([name, value], at) => {
    defence[`GIT_CONFIG_KEY_${count + at}`] = name;
    defence[`GIT_CONFIG_VALUE_${count + at}`] = value;
  });
  return defence;
}

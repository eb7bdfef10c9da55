/**
 * Environment with which git, in a command that nobody was asked about, runs less of what a repository's configuration
 * and hooks name. Permission reads that configuration before; this holds where it changes in between, and where git
 * finds a repository that permission did not.
 *
 * Not here is what cannot be switched off whatever its name is (`diff.<name>.textconv`, `filter.<name>.clean`,
 * `man.<name>.cmd`), and
 * `diff.external`, which git runs even when it is empty (git 2.39: "external diff died"). Pager and editor are the environment's (`environment.ts`).
 */

/** Settings that win over every file (git-config(1), "ENVIRONMENT"), submodules' too. Each was tried with git 2.39. */
const SETTINGS: readonly (readonly [name: string, value: string])[] = [
  ["core.fsmonitor", "false"],
  // A folder without hooks.
  ["core.hooksPath", "/dev/null"],
  ["log.showSignature", "false"],
  ["gpg.openpgp.program", "false"],
  ["gpg.x509.program", "false"],
  ["gpg.ssh.program", "false"],
  // A folder that looks like a repository is none (git 2.38).
  ["safe.bareRepository", "explicit"],
];

const VARIABLES: Readonly<Record<string, string>> = {
  // The index is not written, for which the hook post-index-change would run.
  GIT_OPTIONAL_LOCKS: "0",
  // Objects that a promisor remote would be asked for stay missing (git 2.44).
  GIT_NO_LAZY_FETCH: "1",
  // No transport is left, and with it no core.sshCommand, credential.helper, core.askPass, `ext::` and
  // remote.<name>.uploadpack.
  GIT_ALLOW_PROTOCOL: "none",
};

/** git that is asked for settings, or for the place of hooks, would answer with those above. */
const ASKS = /^\s*git (?:-C [\w./-]+ )?(?:config|rev-parse)\b[^\\`$()]*$/;

/** What may stand beside it in a line: nothing that could be git, or run it. */
const BESIDE = /^\s*(?:(?:cat|cd|echo|grep|head|ls|pwd|sort|tail|true|wc)\b[^\\`$()]*)?$/;

function asksForSettings(command: string): boolean {
  const parts = command.split(/[;|\n]|(?<!>)&/);
  return parts.some((part) => ASKS.test(part)) && parts.every((part) => ASKS.test(part) || BESIDE.test(part));
}

/**
 * The variables to set for a command.
 *
 * @param env what it has: settings that are in it already (`GIT_CONFIG_COUNT`) are kept
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

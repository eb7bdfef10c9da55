/**
 * Names whose values are secrets, by the words between their underscores, in any case: `GITHUB_TOKEN`, `STRIPE_API_KEY`, `PGPASSWORD`,
 * `npm_config__authToken`. `PWD` alone is the folder; `MYSQL_PWD` is a password.
 */
const SECRET_NAMES = [
  // Addresses of webhooks, which are secrets.
  /^toolhost_message_channels$/i,
  /(^|_)(tokens?|keys?|secrets?|pass|passwd|passwords?|passphrase|credentials?|auth|pat|pwd|dsn|cookies?)(_|$)/i,
  /(token|secret|password|passwd|passphrase|credentials?|apikey|accesskey|privatekey|sshpass)$/i,
];

/** Services whose variables are all about getting in. */
const SECRET_PREFIXES = /^(aws|azure|arm|openai|anthropic|gemini|huggingface|hf|actions|sops|vault|op_session)_/i;

/** What those patterns catch and is no secret, but a name or an address that commands need. */
const HARMLESS = /^(pwd|ssh_auth_sock|aws_(profile|region|default_region|config_file|ca_bundle|sdk_load_config)|azure_config_dir|hf_home|vault_addr|git_config_(key|value)_\d+)$/i;

/** Shapes of tokens, whatever their name; and addresses with a password in them. */
const SECRET_VALUES = /^(gh[oprsu]_|github_pat_|glpat-|sk-[\w-]{16}|xox[abeprs]-|AKIA[A-Z\d]{12}|npm_\w{30}|eyJ[\w-]{8,}\.eyJ)|:\/\/[^/\s:@]*:[^/\s@]+@|^authorization:/i;

/** Without these nothing reaches the network where there is a proxy, so its password stays. */
const PROXIES = /^(https?|all|ftp|no)_proxy$/i;

/** What VS Code, Electron and Node's own child processes leave in the environment of an extension host, and colour that is forced. */
const EDITOR =
  /^(vscode_.*|electron_.*|chrome_desktop|original_xdg_current_desktop|application_?insights.*|term_program(_version)?|git_askpass|ssh_askpass|node_channel_.*|node_unique_id|force_color|clicolor_force|colorterm|oldpwd)$/i;

/** Options that a debugger gives to Node; others are the user's. */
const DEBUGGER = /js-debug|bootloader|--inspect|--require[= ]\S*(vscode|cursor)/i;

/** So that nothing waits for somebody: no pager, no editor, no question, no colour, no output kept back. */
const SETTINGS: Readonly<Record<string, string>> = {
  TERM: "dumb",
  NO_COLOR: "1",
  PAGER: "cat",
  MANPAGER: "cat",
  GIT_PAGER: "cat",
  GH_PAGER: "cat",
  SYSTEMD_PAGER: "cat",
  AWS_PAGER: "",
  // Does nothing and succeeds: a rebase takes its list as it is, a commit without a message says so.
  EDITOR: ":",
  VISUAL: ":",
  GIT_EDITOR: ":",
  GIT_SEQUENCE_EDITOR: ":",
  GIT_TERMINAL_PROMPT: "0",
  GCM_INTERACTIVE: "never",
  GH_PROMPT_DISABLED: "1",
  SSH_ASKPASS_REQUIRE: "never",
  DEBIAN_FRONTEND: "noninteractive",
  PIP_NO_INPUT: "1",
  PYTHONUNBUFFERED: "1",
};

/** Says to what a command starts that an agent started it. */
const AGENT = "TOOLHOST_AGENT";

/** What commands of agents have in their environment on every way they are run. */
export const AGENT_MARK: Readonly<Record<string, string>> = { [AGENT]: "1" };

/** Variables by name; Windows has names in any case, and an environment object of Node may hold undefined ones. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment a command gets: the user's, without secrets and the editor's internals, and set so that nothing waits for a person.
 * `CI` is left as it is: it makes test runners and package managers behave otherwise than the user sees them. It says that an agent runs it.
 *
 * @param own of this process
 * @param requested of the call, by somebody who knows what they give: it wins over all but that an agent runs it
 * @param folder the folder the command runs in
 */
export function commandEnvironment(own: Environment, requested: Environment, folder: string): Record<string, string> {
  const env: Record<string, string> = {};
  // Git counts its settings by number: one that is missing is an error, so it is all or nothing.
  const hasSecretSetting = Object.entries(own).some(([name, value]) => /^git_config_value_\d+$/i.test(name) && value !== undefined && SECRET_VALUES.test(value));
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined && !isRemoved(name, value) && !(hasSecretSetting && /^git_config_(count|(key|value)_\d+)$/i.test(name))) {
      env[name] = value;
    }
  }
  Object.assign(env, SETTINGS, { PWD: folder });
  for (const [name, value] of Object.entries(requested)) {
    if (value !== undefined) {
      env[name] = value;
    }
  }
  return { ...env, ...AGENT_MARK };
}

/** Whether an agent started this process: then its user has not typed its command line. */
export function isAgentsCommand(own: Environment): boolean {
  return (own[AGENT] ?? "") !== "";
}

function isRemoved(name: string, value: string): boolean {
  if (EDITOR.test(name) || (name.toUpperCase() === "NODE_OPTIONS" && DEBUGGER.test(value))) {
    return true;
  }
  if (PROXIES.test(name)) {
    return false;
  }
  const isSecretName = (SECRET_PREFIXES.test(name) || SECRET_NAMES.some((pattern) => pattern.test(name))) && !HARMLESS.test(name);
  return isSecretName || SECRET_VALUES.test(value);
}

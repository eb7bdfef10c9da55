import { AGENT, AGENT_MARK, UNATTENDED } from "./unattended.js";

export { AGENT_MARK } from "./unattended.js";

/**
 * Names of variables whose values are secrets, by the words between underscores, in any case: `GITHUB_TOKEN`,
 * `STRIPE_API_KEY`, `PGPASSWORD`, `npm_config__authToken`. `PWD` alone is the folder; `MYSQL_PWD` is a password.
 */
const SECRET_NAMES = [
  // Webhook addresses, which are secrets.
  /^toolhost_message_channels$/i,
  /(^|_)(tokens?|keys?|secrets?|pass|passwd|passwords?|passphrase|credentials?|auth|pat|pwd|dsn|cookies?)(_|$)/i,
  /(token|secret|password|passwd|passphrase|credentials?|apikey|accesskey|privatekey|sshpass)$/i,
];

/** Prefixes of services' variables, which all count as credentials except those in `HARMLESS`. */
const SECRET_PREFIXES = /^(aws|azure|arm|openai|anthropic|gemini|huggingface|hf|actions|sops|vault|op_session)_/i;

/** Names that match those patterns but are not secret: names and addresses that commands need. */
const HARMLESS =
  /^(pwd|ssh_auth_sock|aws_(profile|region|default_region|config_file|ca_bundle|sdk_load_config)|azure_config_dir|hf_home|vault_addr|git_config_(key|value)_\d+)$/i;

/** Variables that every program needs in order to start, whatever they look like. */
const CORE =
  /^(path|pathext|home|pwd|user|username|logname|shell|lang|lc_\w+|tz|tmpdir|temp|tmp|systemroot|systemdrive|windir|comspec|userprofile|appdata|localappdata|programdata|program(files|w6432)(\(x86\))?)$/i;

/** Prefixes of tokens, by which services mark them, as documented by the services. */
const TOKENS = [
  // Source code and packages: GitHub, GitLab, Bitbucket and Atlassian, npm, PyPI, RubyGems, Docker Hub.
  ...[
    "gh[oprsu]_",
    "github_pat_",
    "gl(pat|dt|rt|cbt|ptt|ft|soat|oas|agent|imt)-",
    "AT(ATT3|BB)[\\w=-]{16}",
    "npm_\\w{30}",
    "pypi-[\\w-]{16}",
    "rubygems_[\\da-f]{20}",
    "dckr_(pat|oat)_",
  ],
  // Models.
  ...[
    "sk-[\\w-]{16}",
    "hf_[A-Za-z]{20}",
    "AIza[\\w-]{30}",
    "gsk_\\w{20}",
    "r8_\\w{20}",
    "pplx-\\w{20}",
    "tvly-[\\w-]{16}",
    "xai-\\w{20}",
  ],
  // Payments, chats, mail, issues.
  ...[
    "[sr]k_(live|test)_",
    "whsec_",
    "xox[abeprs]-",
    "xapp-\\d",
    "SG\\.[\\w-]{16}",
    "key-[\\da-f]{32}",
    "xkeysib-",
    "lin_(api|oauth)_",
    "ntn_\\w{20}",
    "shp(at|ca|pa|ss)_",
    "sq0(atp|csp)-",
  ],
  // Clouds and services.
  ...[
    "(AKIA|ASIA)[A-Z\\d]{12}",
    "ya29\\.",
    "GOCSPX-",
    "do[opr]_v1_",
    "hv[bs]\\.",
    "dapi[\\da-f]{32}",
    "nfp_\\w{20}",
    "sbp_\\w{20}",
    "sntry[su]_",
    "glsa_",
    "NRAK-",
    "PMAK-",
    "figd_",
    "pul-[\\da-f]{20}",
    "FlyV1 ",
    "ops_eyJ",
    "AGE-SECRET-KEY-",
  ],
  // Not specific to a service: a JSON Web Token, and a private key in base64.
  ...["eyJ[\\w-]{8,}\\.eyJ", "LS0tLS1CRUdJTi"],
];

/** Names of fields that hold a secret: in a connection string, a URL's query, an object. */
const SECRET_FIELDS =
  "(?:pass(?:word|wd|phrase)?|pwd|(?:access|account|api|private|secret|shared|sharedaccess|storage)[_-]?key|sharedaccesssignature|sig|signature|[\\w-]{0,20}(?:secret|token)|authorization)";

/** Values that are secrets, whatever their name. Each pattern reads a character a bounded number of times. */
const SECRET_VALUES = [
  // The prefix must not follow a slash or a colon, where a folder's name may begin.
  new RegExp(`(?:^|[\\s"'=,;])(?:${TOKENS.join("|")})`),
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY/,
  // An authorization header, or the value of one.
  /^(?:[\w-]{0,20}authorization: ?\S|(?:bearer|basic) +\S{8,}$)/i,
  // A password in a URL; in a web address, anything before the host is a token.
  /:\/\/[^/\s:@]*:[^/\s@]+@|\bhttps?:\/\/[^/\s@]+@/i,
  // Webhook addresses, which let anybody who knows them write.
  /\/\/(?:hooks\.slack\.com\/|(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\/|[\w.-]+\.webhook\.office\.com\/|api\.telegram\.org\/bot|hooks\.zapier\.com\/|chat\.googleapis\.com\/v1\/spaces\/)/i,
  new RegExp(`(?:^|[;?&\\s])\\s*${SECRET_FIELDS}\\s?=\\s?[^;&\\s]`, "i"),
  new RegExp(`"${SECRET_FIELDS}"\\s?:\\s?"[^"]`, "i"),
  // npm's settings for a registry.
  /:_(?:auth|authToken|password)=/,
];

/** Proxy variables. Without them nothing reaches the network behind a proxy, so they stay, including any password. */
const PROXIES = /^(https?|all|ftp|no)_proxy$/i;

/** Variables that change how a shell or a search reads a command after it was approved, or that record the command. */
const SHELL = /^(cdpath|globignore|shellopts|bashopts|histfile|ripgrep_config_path)$/i;

/**
 * Variables that VS Code, Electron and Node's own child processes leave in an extension host's environment, and
 * settings that force colors.
 */
const EDITOR =
  /^(vscode_.*|electron_.*|chrome_desktop|original_xdg_current_desktop|application_?insights.*|term_program(_version)?|git_askpass|ssh_askpass|node_channel_.*|node_unique_id|force_color|clicolor_force|colorterm|oldpwd)$/i;

/** Options that a debugger passes to Node; others are the user's. */
const DEBUGGER = /js-debug|bootloader|--inspect|--require[= ]\S*(vscode|cursor)/i;

/** Variables by name. On Windows names may have any case; a Node environment object may contain undefined values. */
export type Environment = Readonly<Record<string, string | null | undefined>>;

/**
 * Returns a command's environment: the user's, without secrets and the editor's internals, with settings that keep
 * programs from waiting for a person. `CI` is left alone: it makes test runners and package managers behave differently
 * from what the user sees. A variable says that an agent runs it.
 *
 * @param own of this process
 * @param requested by the call, whose author knows what they pass: overrides everything except the agent's mark; null
 *   removes a variable
 * @param folder the command's working directory
 */
export function commandEnvironment(own: Environment, requested: Environment, folder: string): Record<string, string> {
  const env: Record<string, string> = {};
  // Git counts its settings by number, and a missing one is an error, so keep all or none.
  const hasSecretSetting = Object.entries(own).some(
    ([name, value]) => /^git_config_(key|value)_\d+$/i.test(name) && isSecretValue(value ?? ""),
  );
  for (const [name, value] of Object.entries(own)) {
    if (
      typeof value === "string" &&
      !isRemoved(name, value) &&
      !(hasSecretSetting && /^git_config_(count|(key|value)_\d+)$/i.test(name))
    ) {
      env[name] = value;
    }
  }
  Object.assign(env, UNATTENDED, { PWD: folder });
  for (const [name, value] of Object.entries(requested)) {
    if (value === null) {
      delete env[name];
    } else if (value !== undefined) {
      env[name] = value;
    }
  }
  return { ...env, ...AGENT_MARK };
}

/** Returns the names of the variables that every command has, whatever its call passes. */
export function exportedNames(own: Environment): readonly string[] {
  return Object.keys(commandEnvironment(own, {}, ""));
}

/** Whether an agent started this process: then its user has not typed its command line. */
export function isAgentsCommand(own: Environment): boolean {
  return (own[AGENT] ?? "") !== "";
}

/** Whether a variable's name says that its value is a secret. */
export function isSecretVariable(name: string): boolean {
  return SECRET_NAMES.some((pattern) => pattern.test(name)) && !HARMLESS.test(name) && !CORE.test(name);
}

/** Whether a variable's value may be a secret, by its name or by what it looks like. */
export function isSecretSetting(name: string, value: string): boolean {
  return isSecretVariable(name) || isSecretValue(value);
}

function isRemoved(name: string, value: string): boolean {
  if (CORE.test(name)) {
    return false;
  }
  if (EDITOR.test(name) || SHELL.test(name) || (name.toUpperCase() === "NODE_OPTIONS" && DEBUGGER.test(value))) {
    return true;
  }
  if (PROXIES.test(name)) {
    return false;
  }
  const isSecretName =
    (SECRET_PREFIXES.test(name) || SECRET_NAMES.some((pattern) => pattern.test(name))) && !HARMLESS.test(name);
  return isSecretName || isSecretValue(value);
}

function isSecretValue(value: string): boolean {
  return SECRET_VALUES.some((pattern) => pattern.test(value));
}

import {
  asInteger,
  choice,
  ignored,
  ignoredIf,
  onlyOf,
  withoutEffect,
  type AliasRule,
  type Aliases,
} from "../../core/aliases.js";
import { MAX_TIMEOUT } from "./limits.js";
import { fromMilliseconds, seconds } from "./timeUnits.js";

/** Codex: the words of a program call. `bash -lc <script>` is the script. */
const words: AliasRule = {
  says: "also a list of words",
  read: (value) => {
    const list = Array.isArray(value) ? (value as unknown[]) : [];
    if (list.length === 0 || !list.every((word) => typeof word === "string")) {
      return undefined;
    }
    const [shell = "", option = "", script] = list;
    const isScript = list.length === 3 && /^(\/(usr\/)?bin\/)?(bash|sh)$/.test(shell) && /^-l?c$/.test(option);
    return { fields: { command: isScript ? script : list.length === 1 ? shell : list.map(quoted).join(" ") } };
  },
};

/** Copilot: a timeout of 0 is none; in the background it says how long to wait. */
function timeoutOf(rule: AliasRule): AliasRule {
  return {
    ...rule,
    says: `${rule.says ?? ""}; 0 for none`,
    read: (value, given) =>
      asInteger(value) === 0 && given["wait_for"] === undefined && given["background"] !== true
        ? { fields: {} }
        : rule.read(value, given),
  };
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Fields of Claude Code's Bash, Copilot's run_in_terminal and bash, Codex's shell, Gemini CLI's and Cline's. */
export const EXEC_ALIASES: Aliases = {
  cmd: "command",
  commands: onlyOf(
    "command",
    "exec takes one command per call. Make a call for each, in one answer, or join them with &&",
  ),
  cwd: "workdir",
  working_dir: "workdir",
  workingDirectory: "workdir",
  working_directory: "workdir",
  directory: "workdir",
  dir_path: "workdir",
  isBackground: "background",
  is_background: "background",
  run_in_background: "background",
  command: words,
  timeout: timeoutOf(seconds(MAX_TIMEOUT)),
  timeout_ms: fromMilliseconds,
  timeoutMs: fromMilliseconds,
  mode: choice({ sync: { background: false }, async: { background: true } }),
  justification: ignored,
  requires_approval: ignored,
  require_user_approval: ignored,
  with_escalated_permissions: "outside",
  sandbox_permissions: choice({
    use_default: { outside: false },
    require_escalated: { outside: true },
    with_additional_permissions: { outside: true },
  }),
  prefix_rule: ignored,
  shell: ignoredIf("bash", "/bin/bash", "/usr/bin/bash", "sh", "/bin/sh"),
  tty: withoutEffect("tty"),
  dangerouslyDisableSandbox: "outside",
  restart: ignoredIf(false),
  login: withoutEffect("login"),
  yield_time_ms: withoutEffect("yield_time_ms"),
  max_output_tokens: withoutEffect("max_output_tokens"),
  initial_wait: withoutEffect("initial_wait"),
  shellId: withoutEffect("shellId"),
};

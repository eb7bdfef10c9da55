/**
 * Keeps commands from waiting for somebody: no pager, no editor, no question, no buffered output. Contains nothing that
 * a program's tests would notice (`NO_COLOR`, `CI`): escape sequences are removed from what is shown.
 */
export const UNATTENDED: Readonly<Record<string, string>> = {
  TERM: "dumb",
  PAGER: "cat",
  MANPAGER: "cat",
  GIT_PAGER: "cat",
  GH_PAGER: "cat",
  SYSTEMD_PAGER: "cat",
  AWS_PAGER: "",
  // `:` does nothing and succeeds: a rebase uses its list unchanged, and a commit without a message fails with a
  // message that says so.
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

/** Tells a command's programs that an agent started it. */
export const AGENT = "TOOLHOST_AGENT";

/** The mark that agents' commands have in their environment, however they are run. */
export const AGENT_MARK: Readonly<Record<string, string>> = { [AGENT]: "1" };

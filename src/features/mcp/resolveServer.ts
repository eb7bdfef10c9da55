import { ToolError } from "../../core/errors.js";
import type { Dialect, ServerEntry } from "./serverEntry.js";
import { visibleLine } from "../../text/showHidden.js";
import { shorten } from "../../text/clip.js";

/** A server with all its variables replaced. */
export type ResolvedServer =
  | {
      kind: "stdio";
      name: string;
      command: string;
      args: string[];
      env: Record<string, string>;
      /** As written; relative to the workspace folder. */
      cwd: string | undefined;
    }
  | { kind: "http"; name: string; url: string; headers: Record<string, string> };

/** The values of variables. */
export interface VariableValues {
  workspaceFolder: string;
  userHome: string;
  env: (name: string) => string | undefined;
  /** Returns the value of an input that VS Code would ask for. */
  input: (id: string) => string | undefined;
  /** How the user gives an input its value. */
  inputAdvice: (id: string) => string;
}

const VARIABLE = /\$\{([^{}]*)\}/g;

/**
 * Replaces the variables of a server's definition.
 *
 * @throws ToolError `invalid_input` for one that is not known here or has no value
 */
export function resolveServer({ name, dialect, start }: ServerEntry, values: VariableValues): ResolvedServer {
  const put = (text: string): string =>
    text.replaceAll(VARIABLE, (whole, variable: string) => valueOf(name, whole, variable, dialect, values));
  const putAll = (all: Readonly<Record<string, string | null>> = {}): Record<string, string> =>
    Object.fromEntries(Object.entries(all).flatMap(([key, value]) => (value === null ? [] : [[key, put(value)]])));
  if (start === undefined) {
    throw new ToolError("invalid_input", `${name}: its definition cannot be used.`);
  }
  if (start.kind === "stdio") {
    const { command, args = [], env, cwd } = start.entry;
    return {
      kind: "stdio",
      name,
      command: put(command),
      args: args.map(put),
      env: putAll(env),
      cwd: cwd === undefined ? undefined : put(cwd),
    };
  }
  const url = put(start.entry.url);
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !["http:", "https:"].includes(parsed.protocol)) {
    throw new ToolError("invalid_input", `${name}: its url must be an http or https address.`, "Correct it.");
  }
  if (parsed.username !== "" || parsed.password !== "") {
    throw new ToolError(
      "invalid_input",
      `${name}: its url has a user name or password in it.`,
      "Give the header Authorization instead, with ${env:NAME} for the secret.",
    );
  }
  return { kind: "http", name, url, headers: putAll(start.entry.headers) };
}

function valueOf(
  server: string,
  whole: string,
  variable: string,
  dialect: Dialect,
  { workspaceFolder, userHome, env, input, inputAdvice }: VariableValues,
): string {
  const missing = (what: string, hint: string): ToolError =>
    new ToolError("invalid_input", `${server}: ${shorten(visibleLine(whole), 100)}: ${what}`, hint);
  if (variable === "workspaceFolder") {
    return workspaceFolder;
  }
  if (variable === "userHome") {
    return userHome;
  }
  const [, kind, name] = /^(env|input):(.*)$/s.exec(variable) ?? [];
  if (kind === "env" && name !== undefined) {
    const value = env(name);
    if (value === undefined) {
      throw missing("there is no such environment variable here.", "Set it where Toolhost is started.");
    }
    return value;
  }
  if (kind === "input" && name !== undefined) {
    const value = input(name);
    if (value === undefined) {
      throw missing("this input has no value here.", inputAdvice(name));
    }
    return value;
  }
  // `${NAME:-default}`, as other agents write it.
  const [, plain, fallback] = dialect === "agents" ? (/^([A-Za-z_]\w*)(?::-(.*))?$/s.exec(variable) ?? []) : [];
  if (plain === undefined) {
    throw missing(
      "Toolhost does not know this variable.",
      "Use ${workspaceFolder}, ${userHome}, ${env:NAME} or ${input:id}, or write the value.",
    );
  }
  const value = env(plain) ?? fallback;
  if (value === undefined) {
    throw missing("there is no such environment variable here.", "Set it where Toolhost is started.");
  }
  return value;
}
